//! Names and scopes: what each name means at the statement being read.

use super::Lowering;
use crate::base::diagnostic::Diagnostic;
use crate::base::id::Id as _;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::base::symbol::Symbol;
use crate::program::variable::{self, FLAG_USED, VariableId};
use crate::spec::predefined;

crate::declare_rule! {
    /// A name that nothing declares. Variables must be declared before they are used, in the same kernel or function
    /// and in the same or an enclosing scope.
    ///
    /// ```visa bad
    /// mov (M1, 8) Vx(0,0)<1> 0x1:d
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// mov (M1, 8) Vx(0,0)<1> 0x1:d
    /// ```
    pub UNDECLARED_VARIABLE = "undeclared-variable", Error, "4_visa_header"
}

crate::declare_rule! {
    /// Braces that do not pair: a `}` without a `{`, or a `{` that nothing closes.
    ///
    /// ```visa bad
    /// }
    /// ```
    /// ```visa good
    /// {
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// }
    /// ```
    pub UNBALANCED_SCOPE = "unbalanced-scope", Error, "8_appendix_visa_assembly_syntax",
        help = "write a `{` and a `}` for each other"
}

/// How many names the reports of one file may be compared with; more would cost more than they help.
pub(super) const MAX_COMPARISONS: u32 = 400_000;

/// What a name means.
#[derive(Clone, Copy)]
pub(super) struct Binding {
    /// `u32::MAX` if it means nothing.
    pub(super) variable: u32,
    /// Number of the scopes around the declaration, the kernel's own one among them; 0 for what is predefined.
    pub(super) depth: u32,
}

pub(super) const NOTHING: Binding = Binding { variable: u32::MAX, depth: 0 };

/// Gives a predefined variable its name.
pub(super) fn bind_predefined(bindings: &mut Vec<Binding>, name: Symbol, variable: VariableId) {
    grow(bindings, name);
    bindings[name.index()] = Binding { variable: variable.0, depth: 0 };
}

fn grow(bindings: &mut Vec<Binding>, name: Symbol) {
    if bindings.len() <= name.index() {
        bindings.resize(name.index() + 1, NOTHING);
    }
}

impl Lowering<'_> {
    pub(super) fn close_scope(&mut self, brace: Span) {
        let Some((length, _)) = self.scopes.pop() else {
            // Of several in a row one is reported.
            let follows = !self.stray_brace.is_empty() && self.is_blank(self.stray_brace.end, brace.start);
            self.stray_brace = brace;
            if !follows && !self.hides_names() {
                self.report(Diagnostic::new(&UNBALANCED_SCOPE, brace, "this `}` closes nothing"));
            }
            return;
        };
        self.unwind(length);
    }

    /// Reports the scopes that are open, and forgets them.
    pub(super) fn report_open_scopes(&mut self, message: &str) {
        let mut previous = Span::default();
        for (_, brace) in std::mem::take(&mut self.scopes) {
            let follows = !previous.is_empty() && self.is_blank(previous.end, brace.start);
            previous = brace;
            if !follows && !self.hides_names() {
                self.report(Diagnostic::new(&UNBALANCED_SCOPE, brace, message));
            }
        }
    }

    /// Whether only blanks stand between two places, and no newline.
    fn is_blank(&self, start: u32, end: u32) -> bool {
        Span::new(start, end).of(self.text).bytes().all(|b| matches!(b, b' ' | b'\t'))
    }

    pub(super) fn unwind(&mut self, length: usize) {
        while self.undo.len() > length {
            if let Some((symbol, binding)) = self.undo.pop() {
                self.bindings[symbol.index()] = binding;
            }
        }
    }

    /// The variable that a name means here.
    pub(super) fn find_variable(&self, name: &str) -> Option<VariableId> {
        let symbol = self.program.names.lookup(name)?;
        self.find_symbol(symbol)
    }

    pub(super) fn find_symbol(&self, symbol: Symbol) -> Option<VariableId> {
        let binding = self.bindings.get(symbol.index())?;
        (binding.variable != u32::MAX).then_some(VariableId(binding.variable))
    }

    /// The variable at `span`; reports and returns nothing if there is none.
    pub(super) fn use_variable(&mut self, span: Span) -> Option<VariableId> {
        let found = self.find_variable(span.of(self.text));
        match found {
            Some(variable) => {
                self.note(variable, FLAG_USED);
                self.alike.use_name(span);
                if self.program.variables[variable].is(variable::FLAG_BROKEN) {
                    return None;
                }
            }
            None => self.report_undeclared(span),
        }
        found
    }

    pub(super) fn report_undeclared(&mut self, span: Span) {
        let name = span.of(self.text);
        // Those that begin with `%` are known, whatever else declares names.
        let is_misspelt = |this: &mut Self| {
            let is_word = name.len() > 3 && name[1..].bytes().all(|b| b.is_ascii_lowercase());
            name.starts_with('%')
                && is_word
                && this.similar_variable(name).is_some_and(|similar| similar.starts_with('%'))
        };
        if self.hides_names() && !is_misspelt(self) {
            return;
        }
        if !name.starts_with('%')
            && let Some(declaration) = self.nameless.pop()
        {
            // That declaration has been reported; this may well be its name.
            return self.declare_broken(declaration, span, &[]);
        }
        let declared = self.program.names.lookup(name).and_then(|symbol| self.last_declared(symbol));
        let elsewhere = declared.map(|v| self.program.variable_spans[v].name);
        let mut diagnostic = Diagnostic::new(&UNDECLARED_VARIABLE, span, format!("`{name}` is not declared"))
            .label("no such variable here");
        if let Some(place) = elsewhere {
            diagnostic = diagnostic.also(place, "this one belongs to another kernel, function or scope");
        } else if let Some(similar) = self.similar_variable(name) {
            diagnostic = diagnostic.help(format!("did you mean `{similar}`?")).replace(span, similar, false);
        } else if name.starts_with('%') {
            diagnostic = diagnostic.help("names that begin with `%` are predefined: `%null`, `%r0`, `%slm`, ...");
        }
        self.report(diagnostic);
    }

    pub(super) fn similar_variable(&mut self, name: &str) -> Option<String> {
        let start = self.program.objects.iter().last().map_or(0, |o| o.variables.start as usize);
        let n_names = self.program.variables.len() - start + predefined::all().len();
        self.comparisons_left = self.comparisons_left.checked_sub(n_names as u32)?;
        let own = self.program.variables.as_slice()[start..].iter().map(|v| self.program.names.name(v.name));
        let all = own.chain(predefined::all().iter().map(|p| p.name));
        // Names that differ in their digits only are not misspelt.
        let letters =
            |w: &str| w.bytes().filter(|b| !b.is_ascii_digit()).map(|b| b.to_ascii_lowercase()).collect::<Vec<u8>>();
        let own_letters = letters(name);
        let digits = |w: &str| w.bytes().filter(u8::is_ascii_digit).collect::<Vec<u8>>();
        let own_digits = digits(name);
        // Nor are those of numbered variables that share neither letters nor digits.
        let differs = |w: &&str| {
            let other = digits(w);
            let is_other_number = !own_digits.is_empty() && !other.is_empty() && other != own_digits;
            w.eq_ignore_ascii_case(name)
                || if letters(w) == own_letters { w.len() != name.len() } else { !is_other_number }
        };
        closest(name, all.filter(differs)).map(str::to_owned)
    }

    /// Gives `name` the meaning `variable` until the scope closes.
    pub(super) fn bind(&mut self, name: Symbol, variable: VariableId) {
        grow(&mut self.bindings, name);
        let depth = self.scopes.len() as u32 + 1;
        let old = std::mem::replace(&mut self.bindings[name.index()], Binding { variable: variable.0, depth });
        self.undo.push((name, old));
        if self.last_declared.len() <= name.index() {
            self.last_declared.resize(name.index() + 1, u32::MAX);
        }
        self.last_declared[name.index()] = variable.0;
    }

    /// The variable that was declared last under a name, wherever that was.
    pub(super) fn last_declared(&self, name: Symbol) -> Option<VariableId> {
        self.last_declared.get(name.index()).filter(|v| **v != u32::MAX).map(|v| VariableId(*v))
    }

    /// The variable that a name was given in the innermost scope, or that is predefined under it.
    pub(super) fn bound_here(&self, name: Symbol) -> Option<VariableId> {
        let binding = *self.bindings.get(name.index())?;
        let here = binding.depth == self.scopes.len() as u32 + 1 || binding.depth == 0;
        (binding.variable != u32::MAX && here).then_some(VariableId(binding.variable))
    }
}
