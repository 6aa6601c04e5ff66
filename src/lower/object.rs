//! Kernels and functions: where each begins and ends.

use super::reread::Noted;
use super::{Lowering, unquoted};
use crate::base::diagnostic::Diagnostic;
use crate::base::id::Id as _;
use crate::base::span::Span;
use crate::program::VariableId;
use crate::program::object::{Object, ObjectId, ObjectKind};

crate::declare_rule! {
    /// A statement that belongs to a kernel or function stands before any `.kernel` or `.global_function`. The
    /// reference crashes on it.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .decl Vx v_type=G type=d num_elts=8
    /// .kernel "k"
    /// ret (M1, 1)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    /// .decl Vx v_type=G type=d num_elts=8
    /// ret (M1, 1)
    /// ```
    pub STATEMENT_OUTSIDE_KERNEL = "statement-outside-kernel", Error, "4_visa_header"
}

crate::declare_rule! {
    /// A kernel or function in an asm statement. The text of the statement becomes a part of the kernel around it, which
    /// cannot hold another one.
    ///
    /// ```c bad
    /// asm(".kernel \"copy\"\n"
    ///     "mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\n" : "=rw"(y) : "rw"(x));
    /// ```
    /// ```c good
    /// asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\n" : "=rw"(y) : "rw"(x));
    /// ```
    pub NESTED_KERNEL = "nested-kernel", Error, "",
        help = "leave it out: the statement holds lines of the body of a kernel"
}

impl Lowering<'_> {
    /// The object that is open.
    pub(super) fn object(&mut self) -> Option<&mut Object> {
        let last = self.program.objects.len().checked_sub(1)?;
        Some(&mut self.program.objects[ObjectId::from_index(last)])
    }

    /// Opens a nameless object if none is open, and reports that once.
    pub(super) fn need_object(&mut self, span: Span) {
        if self.program.objects.is_empty() {
            if !self.reported_outside {
                self.reported_outside = true;
                let message = format!("`{}` stands before any `.kernel`", span.of(self.text));
                self.report(
                    Diagnostic::new(&STATEMENT_OUTSIDE_KERNEL, span, message)
                        .help("begin with `.version 4.1` and `.kernel \"name\"`"),
                );
            }
            self.open_object(span, Span::at(span.start), ObjectKind::Missing);
        }
    }

    /// Notes a property of a variable that its declaration does not say.
    pub(super) fn note(&mut self, variable: VariableId, flag: u16) {
        self.program.variables[variable].flags |= flag;
        self.alike.set_flag(variable, flag);
        self.record_note(Noted::Variable(variable, flag));
    }

    /// Notes that the object that is open holds a line whose effect is not known.
    pub(super) fn note_broken_line(&mut self) {
        if let Some(object) = self.object() {
            object.has_broken_lines = true;
            self.record_note(Noted::BrokenLine);
        }
    }

    /// Notes a declaration without a name. The next name that nothing declares is taken for it.
    pub(super) fn note_nameless(&mut self, declaration: Span) {
        self.nameless.push(declaration);
        self.record_open_end();
    }

    /// Notes an input of which it is not known which variable it is.
    pub(super) fn lose_input(&mut self) {
        if let Some(object) = self.object() {
            object.has_nameless_input = true;
        }
    }

    pub(super) fn open_object(&mut self, span: Span, name_span: Span, kind: ObjectKind) {
        self.close_object();
        self.unwind(0);
        self.report_open_scopes("this `{` is not closed before the next kernel or function");
        let name = self.program.names.intern(unquoted(name_span.of(self.text)));
        self.nameless.clear();
        let p = &mut self.program;
        let from = |n: usize| n as u32..n as u32;
        if kind == ObjectKind::Function {
            let id = ObjectId::from_index(p.objects.len());
            p.functions.entry(name).and_modify(|known| *known = None).or_insert(Some(id));
        }
        p.objects.push(Object {
            kind,
            name,
            span,
            name_span,
            variables: from(p.variables.len()),
            instructions: from(p.instructions.len()),
            labels: from(p.labels.len()),
            attributes: from(p.attributes.len()),
            inputs: from(p.inputs.len()),
            has_broken_lines: false,
            has_nameless_input: false,
            parts_lanes: false,
        });
    }

    pub(super) fn close_object(&mut self) {
        self.record_names();
        let p = &self.program;
        let ends = [p.variables.len(), p.instructions.len(), p.labels.len(), p.attributes.len(), p.inputs.len()]
            .map(|n| n as u32);
        if let Some(object) = self.object() {
            [
                object.variables.end,
                object.instructions.end,
                object.labels.end,
                object.attributes.end,
                object.inputs.end,
            ] = ends;
        }
    }
}
