//! `.input` and `.implicit_KIND`.

use super::Lowering;
use super::attribute::MISPLACED_ATTRIBUTE;
use super::directive::{MALFORMED_DIRECTIVE, UNKNOWN_DIRECTIVE};
use crate::base::diagnostic::{Diagnostic, Edit, Fix};
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::program::object::Input;
use crate::program::variable::{FLAG_INPUT, FLAG_OPERAND};
use crate::spec::predefined::VariableKind;
use crate::spec::words;
use crate::syntax::tree::Field;

crate::declare_rule! {
    /// A variable that cannot be an input, or not this one. Inputs are general, sampler and surface variables that are
    /// neither predefined nor aliases; an implicit input has the type and size that its kind prescribes.
    ///
    /// ```visa bad
    /// .decl Px v_type=P num_elts=8
    /// .input Px offset=32 size=4
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8
    /// .input Vx offset=32 size=32
    /// ```
    pub WRONG_INPUT_KIND = "wrong-input-kind", Error | Warning, "4_visa_header",
        help = "make a general, sampler or surface variable the input, one that is declared with `.decl` and no alias"
}

crate::declare_rule! {
    /// The size of an input is not that of its variable, or is left out where it has to be written: for samplers and
    /// surfaces, and for implicit inputs, which become explicit ones without it.
    ///
    /// ```visa bad
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// .input Vx offset=64 size=16
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// .input Vx offset=64 size=32
    /// ```
    pub WRONG_INPUT_SIZE = "wrong-input-size", Error | Warning, "4_visa_header"
}

/// The largest number of an unknown kind of implicit input: it is stored in five bits.
const MAX_UNDEFINED: u64 = 31;

/// What follows the name of an input.
#[derive(Default)]
struct Parts {
    offset: Option<(i64, Span)>,
    size: Option<(i64, Span)>,
    /// Whether all of it could be read.
    is_fine: bool,
}

impl Lowering<'_> {
    /// Reads `.implicit_KIND`.
    pub(super) fn implicit(&mut self, directive: Span, word: &str) {
        let kind = word.strip_prefix(".implicit_").unwrap_or("");
        if let Some(number) = kind.strip_prefix("UNDEFINED_") {
            let is_decimal = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
            if !is_decimal || crate::syntax::number::number(number).written > MAX_UNDEFINED {
                let message = if is_decimal {
                    format!("the number {number} does not fit five bits")
                } else {
                    format!("`{word}` has to end in a number")
                };
                let place = Span::new(directive.end - number.len() as u32, directive.end);
                let place = if place.is_empty() { directive } else { place };
                self.report(Diagnostic::new(&UNKNOWN_DIRECTIVE, place, message).label("expected 0 to 31"));
            }
        } else if !words::IMPLICIT_KINDS.contains(&kind) {
            let message = format!("`{word}` is not a kind of implicit input");
            let mut diagnostic = Diagnostic::new(&UNKNOWN_DIRECTIVE, directive, message).note(
                "the kinds are `LOCAL_SIZE`, `GROUP_COUNT`, `LOCAL_ID`, `PSEUDO_INPUT` and `UNDEFINED_` with a number",
            );
            if let Some(meant) = closest(kind, words::IMPLICIT_KINDS.iter().copied().filter(|k| !k.ends_with('_'))) {
                diagnostic = diagnostic.replace(
                    directive,
                    format!(".implicit_{meant}"),
                    meant.replace('_', "").eq_ignore_ascii_case(&kind.replace('_', "")),
                );
            }
            self.report(diagnostic);
        }
        self.input(directive, true);
    }

    /// Reads `.input`, or what follows `.implicit_KIND`.
    pub(super) fn input(&mut self, directive: Span, is_implicit: bool) {
        self.need_object(directive);
        let word = directive.of(self.text);
        let malformed = |place, message| {
            Diagnostic::new(&MALFORMED_DIRECTIVE, place, message).help(format!("write `{word} V32 offset=32 size=32`"))
        };
        let Some(first) = self.parser.tree.fields.first().copied() else {
            self.report(malformed(directive, format!("`{word}` takes the name of a variable")));
            return self.lose_input();
        };
        let Some(name_span) = self.bare_name(&first) else {
            let message = if first.key.is_empty() {
                format!("`{}` is not the name of a variable", first.span.of(self.text))
            } else {
                format!("the name of the variable is missing before `{}=`", first.key.of(self.text))
            };
            self.report(malformed(first.span, message));
            return self.lose_input();
        };
        let parts = self.input_parts(is_implicit);
        let name = name_span.of(self.text);
        // Which variable is meant by a wrong name is unknown.
        let Some(variable) = self.use_variable(name_span) else { return self.lose_input() };
        let row = self.program.variables[variable];
        if variable.predefined().is_some() {
            self.lose_input();
            let what = if matches!(row.kind, VariableKind::Surface | VariableKind::Sampler) {
                row.kind.word()
            } else {
                "variable"
            };
            let message = format!("the predefined {what} `{name}` cannot be an input");
            self.report(Diagnostic::new(&WRONG_INPUT_KIND, name_span, message));
            return;
        }
        let place = self.program.variable_spans[variable].name;
        if row.is(FLAG_OPERAND) {
            let message = format!("`{name}` is an operand of the statement and cannot be an input");
            self.report(
                Diagnostic::new(&WRONG_INPUT_KIND, name_span, message)
                    .also(place, "the operand")
                    .help("leave the directive out: an operand has its value when the statement begins"),
            );
            return;
        }
        if matches!(row.kind, VariableKind::Address | VariableKind::Predicate) {
            let message = format!("`{name}` is {} and cannot be an input", row.kind.variable());
            self.report(Diagnostic::new(&WRONG_INPUT_KIND, name_span, message).declared_at(place));
            return;
        }
        self.program.variables[variable].flags |= FLAG_INPUT;
        if !parts.is_fine {
            return;
        }
        if parts.size.is_none() {
            let end = parts.offset.map_or(name_span.end, |(_, span)| span.end);
            self.missing_size(
                name_span,
                row.kind,
                i64::from(row.n_elements) * i64::from(row.element_bytes()),
                is_implicit,
                end,
            );
        }
        let own = i64::from(row.n_elements) * i64::from(row.element_bytes());
        let (offset, offset_span) = parts.offset.unwrap_or_default();
        let (size, size_span) = parts.size.unwrap_or((own, Span::default()));
        self.program.inputs.push(Input {
            variable,
            offset,
            size,
            is_implicit,
            directive,
            name_span,
            offset_span,
            size_span,
        });
    }

    /// Reports an input without a size where it needs one.
    fn missing_size(&mut self, name: Span, kind: VariableKind, size: i64, is_implicit: bool, end: u32) {
        let diagnostic = if matches!(kind, VariableKind::Surface | VariableKind::Sampler) {
            let message = format!("the size of the {} input `{}` has to be written", kind.word(), name.of(self.text));
            Diagnostic::new(&WRONG_INPUT_SIZE, name, message)
        } else if is_implicit {
            Diagnostic::new(&WRONG_INPUT_SIZE, name, "an implicit input without a size is taken for an explicit one")
                .level(Level::Warning)
        } else {
            return;
        };
        let insert = Edit { span: Span::at(end), text: format!(" size={size}") };
        self.report(diagnostic.fix(Fix { title: format!("write `size={size}`"), edits: vec![insert], certain: true }));
    }

    fn input_parts(&mut self, is_implicit: bool) -> Parts {
        let mut parts = Parts { is_fine: true, ..Parts::default() };
        let mut next = 0;
        for i in 1..self.parser.tree.fields.len() {
            let field = self.parser.tree.fields[i];
            let key = field.key.of(self.text);
            self.check_blanks(&field);
            let value = Span::new(field.equal.end, field.span.end).trimmed(self.text);
            match key {
                "offset" if next == 0 => {
                    next = 1;
                    let number = self.field_constant(&field);
                    parts.is_fine &= number.is_some();
                    parts.offset = number.map(|n| (n, value));
                }
                "size" if next <= 1 => {
                    next = 2;
                    let number = self.field_constant(&field);
                    parts.is_fine &= number.is_some();
                    parts.size = number.map(|n| (n, value));
                }
                "attrs" if is_implicit && next <= 2 => {
                    next = 3;
                    self.report(
                        Diagnostic::new(
                            &MISPLACED_ATTRIBUTE,
                            field.span,
                            "attributes of an implicit input end up on the next variable that is declared",
                        )
                        .help("remove them"),
                    );
                }
                _ => {
                    parts.is_fine = false;
                    self.report_input_part(i, field, is_implicit);
                    break;
                }
            }
        }
        parts
    }

    /// Reports a part that cannot stand where it does.
    fn report_input_part(&mut self, index: usize, field: Field, is_implicit: bool) {
        let key = field.key.of(self.text);
        let fields = &self.parser.tree.fields;
        let before = fields[index - 1];
        let malformed = |place, message| Diagnostic::new(&MALFORMED_DIRECTIVE, place, message);
        let help = "the order is the name, `offset=` and `size=`";
        let is_repeated = fields[..index].iter().any(|f| f.key.of(self.text) == key);
        let diagnostic = match key {
            "offset" | "size" if is_repeated => malformed(field.key, format!("`{key}=` is given twice")).help(help),
            "offset" if before.key.of(self.text) == "size" => {
                let text = |f: Field| f.span.of(self.text).to_owned();
                let edits =
                    vec![Edit { span: before.span, text: text(field) }, Edit { span: field.span, text: text(before) }];
                malformed(field.key, "`offset=` has to stand before `size=`".to_owned()).fix(Fix {
                    title: "swap them".into(),
                    edits,
                    certain: true,
                })
            }
            "offset" | "size" => malformed(field.key, format!("`{key}=` cannot stand here")).help(help),
            "attrs" if !is_implicit => malformed(field.span, "`.input` takes no attributes".to_owned())
                .help("write them into the declaration of the variable")
                .replace(Span::new(before.span.end, field.span.end), "", false),
            "" => {
                let written = field.span.of(self.text);
                let is_key = |word: &str| matches!(word, "offset" | "size");
                let is_number =
                    fields.get(index + 1).is_some_and(|f| f.key.is_empty() && self.value_name(f.value).is_none());
                if is_key(written) && is_number {
                    malformed(field.span, format!("`=` is missing after `{written}`")).fix(Fix {
                        title: format!("write `{written}=`"),
                        edits: vec![Edit {
                            span: Span::new(field.span.end, fields[index + 1].span.start),
                            text: "=".into(),
                        }],
                        certain: true,
                    })
                } else {
                    malformed(field.span, format!("`{written}` cannot stand here")).help(help)
                }
            }
            _ => {
                let diagnostic = malformed(field.key, format!("`{key}=` cannot stand here"));
                match closest(key, ["offset", "size"].into_iter()) {
                    Some(meant) => diagnostic.help(format!("did you mean `{meant}=`?")).replace(field.key, meant, true),
                    None => diagnostic.help(help),
                }
            }
        };
        self.report(diagnostic);
    }
}
