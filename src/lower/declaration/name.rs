//! The name that is declared: which names are free.

use super::Draft;
use super::field::MALFORMED_DECLARATION;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::base::symbol::Symbol;
use crate::lower::{Lowering, unquoted};
use crate::program::variable::FLAG_BROKEN;
use crate::spec::predefined::VariableKind;
use crate::spec::words;
use crate::spec::words::Reserved;
use crate::syntax::tree::Field;

crate::declare_rule! {
    /// A name that is declared twice in one scope. All five kinds of variables share one name space.
    ///
    /// ```visa bad
    /// .decl Vx v_type=G type=d num_elts=8
    /// .decl Vx v_type=P num_elts=8
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8
    /// .decl Px v_type=P num_elts=8
    /// ```
    pub DUPLICATE_DECLARATION = "duplicate-declaration", Error, "4_visa_header",
        help = "give one of them another name, or remove it"
}

crate::declare_rule! {
    /// A variable in an inner scope with the name of one in an enclosing scope. Up to the closing brace the
    /// name means the inner one, which is easily overlooked.
    ///
    /// ```visa bad
    /// // pedantic
    /// .version 4.1
    /// .kernel "k"
    /// .decl Vx v_type=G type=d num_elts=8
    /// {
    /// .decl Vx v_type=G type=d num_elts=8
    /// mov (M1, 8) Vx(0,0)<1> 0x1:d
    /// }
    /// ret (M1, 1)
    /// ```
    /// ```visa good
    /// // pedantic
    /// .version 4.1
    /// .kernel "k"
    /// .decl Vx v_type=G type=d num_elts=8
    /// {
    /// .decl Vy v_type=G type=d num_elts=8
    /// mov (M1, 8) Vy(0,0)<1> 0x1:d
    /// }
    /// ret (M1, 1)
    /// ```
    pub SHADOWED_VARIABLE = "shadowed-variable", Pedantic, "4_visa_header",
        help = "give the inner variable another name"
}

crate::declare_rule! {
    /// A declaration of a name that is predefined: `V0` to `V20`, `T1`, `T2`, `TSS`, `S31`. The manual keeps `V21` to
    /// `V31`, `P0`, `T0`, `T3`, `T4` and `T5`, too; assemblers let these pass (level warning).
    ///
    /// ```visa bad
    /// .decl V7 v_type=G type=d num_elts=8
    /// ```
    /// ```visa good
    /// .decl V32 v_type=G type=d num_elts=8
    /// ```
    pub PREDEFINED_REDECLARED = "predefined-redeclared", Error | Warning, "4_visa_header",
        help = "choose another name; those that the reference keeps begin with `%`, or are `V0` to `V31`, `T0` to `T5` and the like"
}

crate::declare_rule! {
    /// A reserved word used as a name. Mnemonics and a few other words are always read as themselves.
    ///
    /// ```visa bad
    /// .decl add v_type=G type=d num_elts=8
    /// ```
    /// ```visa good
    /// .decl sum v_type=G type=d num_elts=8
    /// ```
    pub RESERVED_WORD = "reserved-word", Error | Pedantic, "8_appendix_visa_assembly_syntax"
}

impl Lowering<'_> {
    /// The name after `.decl`.
    pub(super) fn declared_name(&mut self, statement: Span) -> Option<Span> {
        let first = self.parser.tree.fields.first().copied();
        let name = first.and_then(|field| self.bare_name(&field));
        if name.is_none() {
            let place = first.map_or(statement, |f| f.span);
            let message = match first {
                Some(f) if f.key.is_empty() => format!("`{}` cannot be the name of a variable", f.span.of(self.text)),
                _ => "the name of the variable is missing after `.decl`".to_owned(),
            };
            let diagnostic = Diagnostic::new(&MALFORMED_DECLARATION, place, message);
            let inner = unquoted(place.of(self.text));
            let is_name = |w: &str| {
                !w.starts_with(|c: char| c.is_ascii_digit())
                    && !w.is_empty()
                    && w.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            };
            self.report(if inner.len() < place.of(self.text).len() && is_name(inner) {
                diagnostic.replace(place, inner, true)
            } else {
                diagnostic.help("a name begins with a letter or `_`, and holds letters, digits and `_`")
            });
        }
        name
    }

    /// Whether `name` may be declared at all; reports if not.
    pub(in crate::lower) fn is_declarable(&mut self, name: Span) -> bool {
        let word = name.of(self.text);
        if let Some(plain) = word.strip_prefix('%') {
            let message = format!("`{word}` cannot be declared: names with `%` are predefined");
            self.report(Diagnostic::new(&PREDEFINED_REDECLARED, name, message).replace(name, plain, false));
            return false;
        }
        match words::reserved(word) {
            Reserved::No => {}
            Reserved::Always => {
                self.report(
                    Diagnostic::new(&RESERVED_WORD, name, format!("`{word}` is a reserved word and cannot be a name"))
                        .help("choose another name"),
                );
                return false;
            }
            Reserved::SinceVersion42 => {
                let is_read_so = self.is_newer_text();
                let level = if is_read_so { Level::Error } else { Level::Pedantic };
                self.report(
                    Diagnostic::new(&RESERVED_WORD, name, format!("`{word}` is a reserved word of text version 4.2"))
                        .level(level)
                        .help("choose another name"),
                );
                return !is_read_so;
            }
        }
        true
    }

    /// Whether what `draft` declares is to be the meaning of `symbol` from here on; reports if the name is taken.
    pub(super) fn is_free(&mut self, symbol: Symbol, name: Span, draft: &Draft) -> bool {
        let word = name.of(self.text);
        let Some(earlier) = self.find_symbol(symbol) else {
            self.check_reserved_name(name, draft.kind);
            self.check_repeated_name(symbol, name);
            return true;
        };
        let place = self.program.variable_spans[earlier].name;
        if earlier.predefined().is_some() {
            // Predefined names may not be declared in any scope. What follows means the new variable.
            self.report(
                Diagnostic::new(&PREDEFINED_REDECLARED, name, format!("`{word}` is predefined and cannot be declared"))
                    .help("user variables begin with `V32`, user surfaces with `T6`"),
            );
            return true;
        }
        if self.bound_here(symbol).is_none() {
            self.report(
                Diagnostic::new(&SHADOWED_VARIABLE, name, format!("`{word}` hides the variable of an enclosing scope"))
                    .also(place, "the hidden one"),
            );
            return true;
        }
        self.report(
            Diagnostic::new(&DUPLICATE_DECLARATION, name, format!("`{word}` is declared twice in this scope"))
                .also(place, "first declared here"),
        );
        let row = &mut self.program.variables[earlier];
        if (row.kind, row.element_type, row.n_elements) != (draft.kind, draft.stored_type(), draft.n_elements) {
            // Which of the two is meant is unknown.
            row.flags |= FLAG_BROKEN;
        }
        false
    }

    /// Reports names that the manual keeps for predefined variables and assemblers do not.
    pub(super) fn check_reserved_name(&mut self, name: Span, kind: VariableKind) {
        let word = name.of(self.text);
        let number = |prefix| {
            word.strip_prefix(prefix).filter(|n| !n.starts_with('0') || *n == "0").and_then(|n| n.parse::<u32>().ok())
        };
        let range = match kind {
            VariableKind::General if number('V').is_some_and(|n| n < 32) => "`V0` to `V31`",
            VariableKind::Predicate if word == "P0" => "`P0`",
            VariableKind::Surface if number('T').is_some_and(|n| n < 6) => "`T0` to `T5`",
            _ => return,
        };
        self.report(
            Diagnostic::new(&PREDEFINED_REDECLARED, name, format!("`{word}` is a reserved name"))
                .level(Level::Warning)
                .note(format!("the manual keeps {range} for predefined variables"))
                .help("user variables begin with `V32`, user predicates with `P1`, user surfaces with `T6`"),
        );
    }

    /// Reports a name that stood for another variable in a scope that is closed.
    pub(super) fn check_repeated_name(&mut self, symbol: Symbol, name: Span) {
        let Some(earlier) = self.last_declared(symbol) else { return };
        let is_same_object = self.program.objects.iter().last().is_some_and(|o| earlier.0 >= o.variables.start);
        if is_same_object {
            let place = self.program.variable_spans[earlier].name;
            let message =
                format!("`{}` is also the name of a variable in another scope of this kernel", name.of(self.text));
            self.report(
                Diagnostic::new(&SHADOWED_VARIABLE, name, message)
                    .also(place, "declared here first")
                    .note("the disassembler drops the scopes, so that its text declares the name twice"),
            );
        }
    }

    /// `v_name=` takes a plain name.
    pub(super) fn check_other_name(&mut self, field: &Field, value: Span) {
        let name = self.value_name(field.value).map(|n| n.of(self.text));
        if name.is_some_and(|n| !n.starts_with('%') && !self.is_reserved(n)) {
            return;
        }
        let written = value.of(self.text);
        if written.is_empty() {
            self.report(Diagnostic::new(&MALFORMED_DECLARATION, field.span, "a name is missing after `v_name=`"));
            return;
        }
        let diagnostic =
            Diagnostic::new(&MALFORMED_DECLARATION, value, format!("`v_name=` takes a plain name, not `{written}`"));
        let inner = unquoted(written);
        let is_name = inner.len() < written.len()
            && !inner.is_empty()
            && inner.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        self.report(if is_name { diagnostic.replace(value, inner, true) } else { diagnostic });
    }
}
