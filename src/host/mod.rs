//! vISA in host sources: C, C++, OpenCL C, LLVM IR, MLIR, Python. Finds the asm statements that hold vISA, reads each as a
//! fragment with the operands that the host declares, and maps places of the fragment to places of the host.

mod c;
pub mod constraint;
pub mod expand;
mod glued;
mod guess;
mod inner;
mod kernel;
mod lanes;
mod lines;
mod link;
mod literal;
mod literals;
mod llvm;
mod loose;
pub mod map;
mod mlir;
mod nested;
mod patch;
mod placeholder;
mod python;
pub mod rules;
mod sign;
pub mod statement;
pub mod template;

use crate::base::diagnostic::{Diagnostic, Edit, Fix, Label};
use crate::base::fix::NEW_LINE;
use crate::base::span::Span;
use crate::lower::fragment::{Prelude, PreludeOperand, lower_fragment};
use crate::lower::lower;
use crate::program::Program;
use crate::program::VariableId;
use crate::program::fragment::{FragmentOperand, OperandClass};
use literal::Literal;
use literals::Literals;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
pub use sign::may_hold;
use statement::{Escapes, HOLE, HostType, RawStatement, WIDE_HOLE};
use std::sync::Arc;
use template::{Pasted, UNIQUE};

/// A language of host sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Language {
    /// C, C++, OpenCL C, SYCL.
    C,
    /// LLVM IR.
    Llvm,
    /// MLIR.
    Mlir,
    /// Python.
    Python,
    /// A patch to sources of the others.
    Patch,
}

/// Endings of host sources.
pub const ENDINGS: [(&str, Language); 17] = [
    ("cl", Language::C),
    ("c", Language::C),
    ("cpp", Language::C),
    ("cc", Language::C),
    ("cxx", Language::C),
    ("h", Language::C),
    ("hpp", Language::C),
    ("hh", Language::C),
    ("hxx", Language::C),
    ("inc", Language::C),
    ("inl", Language::C),
    ("sycl", Language::C),
    ("ll", Language::Llvm),
    ("mlir", Language::Mlir),
    ("py", Language::Python),
    ("patch", Language::Patch),
    ("diff", Language::Patch),
];

impl Language {
    /// The language of a file by its ending; nothing if it is no host source.
    #[must_use]
    pub fn of_path(path: &std::path::Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        ENDINGS.iter().find(|(e, _)| *e == ending).map(|(_, language)| *language)
    }

    /// The language by the name that editors have for it.
    #[must_use]
    pub fn of_id(id: &str) -> Option<Self> {
        Some(match id {
            "c" | "cpp" | "opencl" | "opencl-c" | "sycl" => Self::C,
            "llvm" => Self::Llvm,
            "mlir" => Self::Mlir,
            "python" => Self::Python,
            _ => return None,
        })
    }
}

/// A fragment of vISA.
#[derive(Debug)]
pub struct Fragment {
    /// The statement of the host.
    pub raw: RawStatement,
    /// The text that the compiler pastes.
    pub pasted: Pasted,
    /// The text as a program.
    pub program: Program,
    prelude: Prelude,
    /// The string literals of the host.
    literals: Arc<Literals>,
}

/// A host source with its fragments, in the order of the text.
#[derive(Debug, Default)]
pub struct Host {
    /// The fragments.
    pub fragments: Vec<Fragment>,
    /// The comments that hold the name of this program.
    pub comments: Vec<Span>,
    /// What is to be said of statements together, at places of the host.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether it is a patch, whose lines are counted and cannot be changed one by one.
    pub is_patch: bool,
}

impl Host {
    /// The name of the function around a place.
    #[must_use]
    pub fn function_at(&self, offset: u32) -> &str {
        let next = self.fragments.partition_point(|f| f.raw.span.start <= offset);
        next.checked_sub(1).map_or("", |i| &self.fragments[i].raw.function_name)
    }
}

/// Fragments of one source that are worth several threads.
pub(crate) const MANY_FRAGMENTS: usize = 64;

/// Reads a host source. `sub_group` is the number of lanes where the source does not say it.
#[must_use]
pub fn read(text: &str, language: Language, sub_group: Option<u32>) -> Host {
    if !sign::may_hold(text.as_bytes(), language) {
        return Host::default();
    }
    let mut host = Host { is_patch: language == Language::Patch, ..Host::default() };
    let mut comment = |span: Span| {
        if span.of(text).contains("visa-lint") {
            host.comments.push(span);
        }
    };
    let mut statements = statements(text, 0, language, &mut comment);
    sign::keep_visa(&mut statements);
    for raw in &mut statements {
        raw.sub_group = raw.sub_group.or(sub_group);
        let mut types = raw.operands.iter().flatten().map(|o| &o.host_type);
        raw.is_vector |= types.any(|t| matches!(t, HostType::Simd { .. })) || sign::is_vector(raw);
        sign::part_instructions(text, &mut raw.template);
        loose::part_executions(text, &mut raw.template);
    }
    let literals = Arc::new(Literals::new(language));
    let fragment = |raw| Fragment::new(text, raw, &literals);
    host.fragments = if statements.len() < MANY_FRAGMENTS {
        statements.into_iter().map(fragment).collect()
    } else {
        statements.into_par_iter().map(fragment).collect()
    };
    link::link(text, &mut host);
    host
}

/// Finds the asm statements of a text behind `from`; comments go to `comment`.
fn statements(text: &str, from: usize, language: Language, comment: &mut dyn FnMut(Span)) -> Vec<RawStatement> {
    match language {
        Language::C => nested::source(text, from, comment),
        Language::Llvm => llvm::read(text, from, comment),
        Language::Mlir => mlir::read(text, from, comment),
        Language::Python => python::read(text, from, comment),
        Language::Patch => patch::read(text, comment),
    }
}

impl Fragment {
    fn new(host: &str, raw: RawStatement, literals: &Arc<Literals>) -> Self {
        let mut pasted = template::paste(host, &raw);
        if raw.is_nested {
            pasted.diagnostics.iter_mut().for_each(|diagnostic| without_fix(host, diagnostic));
        }
        let prelude = prelude(&raw, &mut pasted);
        let is_whole = raw.is_kernel && !raw.template.text.contains([HOLE, WIDE_HOLE]);
        let program = if is_whole { lower(&pasted.text.text) } else { lower_fragment(&pasted.text.text, &prelude) };
        Self { raw, pasted, program, prelude, literals: literals.clone() }
    }

    /// Reads the text again with other declarations before it.
    fn lower_again(&mut self) {
        if !self.raw.is_kernel {
            self.program = lower_fragment(&self.pasted.text.text, &self.prelude);
        }
    }

    /// The text that the compiler pastes, with names for operands.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.pasted.text.text
    }

    /// A place of the fragment in the host.
    #[must_use]
    pub fn place(&self, host: &str, span: Span) -> Span {
        let text = &self.pasted.text;
        text.argument_span(host, span, self.raw.span)
            .or_else(|| text.definition(host, span))
            .unwrap_or_else(|| text.host_span(host, span))
    }

    /// The place in the definition of a macro of what is all that the macro stands for.
    #[must_use]
    pub fn value_of_macro(&self, host: &str, span: Span) -> Option<Span> {
        self.pasted.text.whole_definition(host, span)
    }

    /// Words about the fragment with the operands as the host writes them.
    #[must_use]
    pub fn words(&self, text: &str) -> String {
        let mut text = text.to_owned();
        if text.contains("%op") {
            for (name, written, _) in &self.pasted.spellings {
                text = text.replace(name, written);
            }
        }
        if text.contains(UNIQUE) {
            text = text.replace(UNIQUE, if self.raw.escapes == Escapes::Dollar { "${:uid}" } else { "%=" });
        }
        text.replace(crate::lower::fragment::HOLES, "...")
    }

    /// A finding about the fragment as one about the host.
    #[must_use]
    pub fn finding(&self, host: &str, mut diagnostic: Diagnostic) -> Diagnostic {
        let label = |label: &Label| Label { span: self.place(host, label.span), text: self.words(&label.text) };
        diagnostic.message = self.words(&diagnostic.message);
        diagnostic.primary = label(&diagnostic.primary);
        diagnostic.secondary = diagnostic.secondary.iter().map(label).collect();
        diagnostic.notes = diagnostic.notes.iter().map(|n| self.words(n)).collect();
        if let Some(fix) = diagnostic.fix.take() {
            let title = self.title(host, &fix);
            if diagnostic.help.as_ref() == Some(&fix.title) {
                diagnostic.help = Some(title.clone());
            }
            diagnostic.fix = self.fix(host, &fix, &title);
        }
        diagnostic.help = diagnostic.help.map(|h| self.words(&h));
        self.raw.with_use(&self.pasted.text, diagnostic)
    }

    /// A change of the fragment as one of the host; nothing if a place is not one run of its text, or if that text is escaped
    /// twice.
    fn fix(&self, host: &str, fix: &Fix, title: &str) -> Option<Fix> {
        if self.raw.is_nested {
            return None;
        }
        let edits = fix.edits.iter().map(|edit| {
            let span = self.pasted.text.run(edit.span).or_else(|| self.line_break(edit))?;
            let literal = self.literals.at(host, span);
            let is_special = self.pasted.text.is_argument(edit.span) && edit.text.contains(['\n', '"', ',', '(', ')']);
            let is_impossible = is_special || literal.is_some_and(|l| l.refuses(&edit.text));
            (!is_impossible).then(|| Edit { span, text: self.escaped_in(literal, &edit.text, false) })
        });
        let edits: Vec<Edit> = edits.collect::<Option<_>>()?;
        // Parts that stand in another order in the host have names there, and may be parts of other texts as well.
        let is_in_order = edits.is_sorted_by(|one, two| one.span.end <= two.span.start);
        is_in_order.then(|| Fix { title: self.words(title), edits, certain: fix.certain })
    }

    /// The words of a fix, with the text as the host writes it.
    fn title(&self, host: &str, fix: &Fix) -> String {
        let [edit] = fix.edits.as_slice() else { return fix.title.clone() };
        let literal = self.pasted.text.run(edit.span).and_then(|span| self.literals.at(host, span));
        let text = if edit.text == "\n" { edit.text.as_str() } else { edit.text.trim() };
        let escaped = self.escaped_in(literal, text, false);
        let is_text = fix.title == format!("write `{text}`") || edit.text == "\n" && fix.title == NEW_LINE;
        let is_written = literal.is_none_or(|l| l.is_long || !l.is_raw);
        if is_text && is_written && !escaped.contains('\n') { format!("write `{escaped}`") } else { fix.title.clone() }
    }

    /// Where a line is to be broken if what stands there is not one run of the host: blanks of the next literal stay.
    fn line_break(&self, edit: &Edit) -> Option<Span> {
        let text = self.pasted.text.text.get(edit.span.range()).filter(|_| edit.text == "\n")?;
        let kept = text.trim_end_matches([' ', '\t']).len() as u32;
        self.pasted.text.run(Span::new(edit.span.start, edit.span.start + kept))
    }

    /// Text for a place of the fragment as the host writes it there. In a snippet of an editor, `$` before a digit is a place
    /// to fill in.
    #[must_use]
    pub fn escaped(&self, host: &str, at: Span, text: &str, is_snippet: bool) -> String {
        let literal = self.pasted.text.run(at).and_then(|span| self.literals.at(host, span));
        self.escaped_in(literal, text, is_snippet)
    }

    fn escaped_in(&self, literal: Option<&Literal>, text: &str, is_snippet: bool) -> String {
        let mut out = String::with_capacity(text.len());
        let is_verbatim = literal.is_some_and(|l| l.is_long);
        let is_ir = self.raw.is_ir;
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let known = self.pasted.spellings.iter().find(|(name, ..)| rest.starts_with(name.as_str()));
            if let Some((name, written, _)) = known {
                if is_snippet && written.starts_with('$') {
                    out.push('\\');
                }
                out += written;
                rest = &rest[name.len()..];
                continue;
            }
            match c {
                '%' if self.raw.escapes == Escapes::Extended => out += "%%",
                '\n' if is_ir => out += "\\0A",
                '\n' if !is_verbatim => out += "\\n",
                '"' if is_ir => out += "\\22",
                '"' | '\\' if !is_verbatim && !is_snippet => {
                    out.push('\\');
                    out.push(c);
                }
                _ => out.push(c),
            }
            rest = &rest[c.len_utf8()..];
        }
        out.replace(UNIQUE, if self.raw.escapes == Escapes::Dollar { "${:uid}" } else { "%=" })
    }

    /// Whether two statements are both part of one program: no condition that the host's compiler decides keeps them apart.
    #[must_use]
    pub fn is_with(&self, other: &Self) -> bool {
        if self.raw.span == other.raw.span || self.raw.is_optional && other.raw.is_optional {
            return false;
        }
        let (one, two) = (&self.raw.conditions, &other.raw.conditions);
        !one.iter().any(|(condition, branch)| two.iter().any(|(c, b)| c == condition && b != branch))
    }
}

/// Takes the change out of a finding about text that is escaped twice. What the change would write is no help if the host
/// writes it already.
fn without_fix(host: &str, diagnostic: &mut Diagnostic) {
    let Some(fix) = diagnostic.fix.take() else { return };
    if fix.edits.iter().all(|edit| edit.span.of(host) == edit.text) && diagnostic.help.as_ref() == Some(&fix.title) {
        diagnostic.help = None;
    }
}

/// What is declared before a fragment: its operands.
fn prelude(raw: &RawStatement, pasted: &mut Pasted) -> Prelude {
    let mut prelude = Prelude {
        sub_group: raw.sub_group,
        is_conditional: raw.is_conditional,
        is_vector: raw.is_vector,
        is_statement: !raw.is_kernel,
        guessed_sizes: pasted.guessed_sizes.clone(),
        guessed_operands: pasted.guessed_operands.clone(),
        guessed_modifiers: pasted.guessed_modifiers.clone(),
        hides_names: pasted.hides_names,
        is_open: pasted.is_open,
        ..Prelude::default()
    };
    let operands = raw.operands.iter().flatten();
    let mut names = vec![Vec::new(); operands.clone().count()];
    for (name, _, index) in &pasted.spellings {
        names[*index as usize].push(name.clone());
    }
    for (index, (operand, names)) in operands.zip(names).enumerate() {
        let constraint = pasted.constraints.get(index).copied().flatten();
        let place = pasted.text.add_place(operand.constraint_span);
        // In a source of the vector backend, what other types become is not known.
        let is_simd = matches!(operand.host_type, HostType::Simd { .. }) || raw.is_ir && raw.is_vector;
        let is_predicate =
            raw.is_vector && operand.constraint.as_deref().is_some_and(|c| c.ends_with("cr") || c.ends_with('a'));
        let element = operand.host_type.variable().filter(|_| is_simd == raw.is_vector && !is_predicate);
        let class = constraint.map_or(OperandClass::PerLane, |c| c.class);
        prelude.operands.push(PreludeOperand {
            names,
            operand: FragmentOperand {
                variable: VariableId::NULL,
                class,
                is_input: constraint.is_none_or(|c| c.is_input),
                is_output: constraint.is_none_or(|c| c.is_output),
                element: element.filter(|_| constraint.is_some()),
                is_unsigned: matches!(operand.host_type, HostType::Value { is_unsigned: true, .. }),
                is_wide_pointer: matches!(operand.host_type, HostType::Pointer { is_local: false, .. }),
                constraint: place,
            },
        });
    }
    // What is tied to an output is what the output holds when the fragment begins.
    let n_outputs = raw.operands.iter().flatten().filter(|o| o.is_output).count();
    let mut is_open = false;
    for tied in pasted.constraints.iter().flatten().filter_map(|c| c.tied) {
        if (tied as usize) < n_outputs {
            prelude.operands[tied as usize].operand.is_input = true;
        } else {
            // A number without an output is reported: which one is meant is not known.
            is_open = true;
        }
    }
    for output in prelude.operands.iter_mut().take(n_outputs).filter(|_| is_open) {
        output.operand.is_input = true;
    }
    prelude
}
