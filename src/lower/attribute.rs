//! Attributes: `.kernel_attr` and `attrs={...}`.

use super::declaration::{Draft, MALFORMED_DECLARATION};
use super::directive::MALFORMED_DIRECTIVE;
use super::{Lowering, unquoted};
use crate::base::diagnostic::{Diagnostic, Edit, Fix};
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::program::object;
use crate::program::object::AttributeValue;
use crate::program::variable::{FLAG_INPUT_ATTRIBUTE, FLAG_OUTPUT};
use crate::spec;
use crate::spec::predefined::VariableKind;
use crate::spec::words::{self, AttributeKind};
use crate::syntax::tree::{Arguments, Attribute, ExprKind, Field, Value};

crate::declare_rule! {
    /// An attribute that does not exist, or that belongs to the other kind of attribute: those of `.kernel_attr` and
    /// those of `attrs={...}` are different.
    ///
    /// ```visa bad
    /// .decl Vx v_type=G type=d num_elts=8 attrs={Outptu}
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8 attrs={Output}
    /// ```
    pub UNKNOWN_ATTRIBUTE = "unknown-attribute", Error | Warning, "4_visa_header",
        help = "remove it, or write it where it belongs: variables have `attrs={...}`, kernels `.kernel_attr`"
}

crate::declare_rule! {
    /// The value of an attribute is of the wrong sort, outside its range, or missing. The reference silently stores
    /// the first characters of a string as the number, takes a missing number for 1, and sets a flag whatever its value is.
    ///
    /// ```visa bad
    /// .kernel_attr SLMSize="4"
    /// ```
    /// ```visa good
    /// .kernel_attr SLMSize=4
    /// ```
    pub WRONG_ATTRIBUTE_VALUE = "wrong-attribute-value", Error | Warning, "4_visa_header",
        help = "give the attribute a number, as in `Name=1`"
}

crate::declare_rule! {
    /// Attributes of one variable or kernel that contradict or repeat each other.
    ///
    /// ```visa bad
    /// .decl Vx v_type=G type=d num_elts=8 attrs={DoNotSpill, ForceSpill}
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8 attrs={DoNotSpill}
    /// ```
    pub CONFLICTING_ATTRIBUTES = "conflicting-attributes", Error | Warning, "4_visa_header",
        help = "keep one of the two"
}

crate::declare_rule! {
    /// An attribute where it does not do what it seems to do. Attributes of a sampler, and of an implicit input, end up on
    /// the next declaration; those of address, predicate and surface variables have no effect; and a `.kernel_attr` after
    /// the first instruction is easily overlooked.
    ///
    /// ```visa bad
    /// .decl Sx v_type=S num_elts=1 attrs={Output}
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8 attrs={Output}
    /// ```
    pub MISPLACED_ATTRIBUTE = "misplaced-attribute", Warning | Pedantic, "4_visa_header"
}

impl Lowering<'_> {
    /// Reads `attrs={...}` of a declaration.
    pub(super) fn attributes(&mut self, field: &Field, draft: &mut Draft) {
        if field.value != Value::Attributes {
            let value = Span::new(field.equal.end, field.span.end).trimmed(self.text);
            let diagnostic =
                Diagnostic::new(&MALFORMED_DECLARATION, value, "attributes are written in braces: `attrs={Output}`");
            let names = value.of(self.text).trim_matches(['(', ')', '"']);
            let are_names =
                names.split(',').all(|name| words::VARIABLE_ATTRIBUTES.iter().any(|a| a.name == name.trim()));
            self.report(if are_names || self.value_name(field.value).is_some() {
                diagnostic.replace(value, format!("{{{names}}}"), true)
            } else {
                diagnostic
            });
            return;
        }
        let n_attributes = self.parser.tree.attributes.len();
        if n_attributes == 1 && self.parser.tree.attributes[0].name.is_empty() {
            let before = Span::new(
                self.text[..field.span.start as usize].trim_end_matches([' ', '\t']).len() as u32,
                field.span.end,
            );
            self.report(
                Diagnostic::new(&MALFORMED_DECLARATION, field.span, "`attrs={}` is empty")
                    .help("name an attribute, or leave it away")
                    .replace(before, "", true),
            );
            return;
        }
        let mut seen: u32 = 0;
        for i in 0..n_attributes {
            let attribute = self.parser.tree.attributes[i];
            self.attribute(attribute, draft, &mut seen);
        }
        self.check_effect(field, draft);
    }

    fn attribute(&mut self, attribute: Attribute, draft: &mut Draft, seen: &mut u32) {
        let span = attribute.name;
        if span.is_empty() {
            let is_comma = |at: &u32| self.text.as_bytes().get(*at as usize) == Some(&b',');
            let before = self.text[..span.start as usize].trim_end().len() as u32;
            let comma = [span.start, before.saturating_sub(1)]
                .into_iter()
                .find(is_comma)
                .map_or(span, |at| Span::new(at, at + 1));
            self.report(
                Diagnostic::new(&MALFORMED_DECLARATION, comma, "an attribute is missing beside this comma")
                    .replace(comma, "", false),
            );
            return;
        }
        let name = span.of(self.text);
        let Some(place) = words::VARIABLE_ATTRIBUTES.iter().position(|a| a.name == name) else {
            self.report_unknown_attribute(
                span,
                words::VARIABLE_ATTRIBUTES,
                words::KERNEL_ATTRIBUTES,
                "a kernel, not of a variable",
            );
            return;
        };
        let bit = |name| words::VARIABLE_ATTRIBUTES.iter().position(|a| a.name == name).map_or(0, |i| 1 << i);
        if *seen >> place & 1 == 1 {
            let diagnostic = Diagnostic::new(&CONFLICTING_ATTRIBUTES, span, format!("`{name}` is given twice"))
                .level(Level::Warning);
            self.report(diagnostic);
        }
        *seen |= 1 << place;
        if matches!(name, "DoNotSpill" | "ForceSpill")
            && *seen & bit("DoNotSpill") != 0
            && *seen & bit("ForceSpill") != 0
        {
            self.report(Diagnostic::new(
                &CONFLICTING_ATTRIBUTES,
                span,
                "`DoNotSpill` and `ForceSpill` exclude each other",
            ));
        }
        match name {
            "Output" | "PayloadLiveOut" => draft.mark(FLAG_OUTPUT),
            "Input" => draft.mark(FLAG_INPUT_ATTRIBUTE),
            "Input_Output" => draft.mark(FLAG_OUTPUT | FLAG_INPUT_ATTRIBUTE),
            _ => {}
        }
        self.check_variable_attribute_value(attribute, &words::VARIABLE_ATTRIBUTES[place]);
    }

    fn check_variable_attribute_value(&mut self, attribute: Attribute, known: &words::KnownAttribute) {
        let name = known.name;
        let Some(id) = attribute.value else {
            if known.kind == AttributeKind::Number {
                self.report_missing_number(name, attribute.name);
            }
            return;
        };
        let expr = *self.parser.tree.expr(id);
        let is_string = expr.kind == ExprKind::String;
        let number = if is_string { None } else { self.constant(id) };
        if known.kind == AttributeKind::Bool {
            let message = format!("`{name}` takes no value: it is set whatever stands after `=`");
            self.report(Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, expr.span, message).level(Level::Warning).replace(
                Span::new(attribute.name.end, expr.span.end),
                "",
                true,
            ));
        } else if is_string {
            self.report(Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, expr.span, format!("`{name}` takes a number")));
        } else if name == "Scope" && number.is_some_and(|n| !(0..=1).contains(&n)) {
            let message = format!("`Scope` cannot be `{}`", expr.span.of(self.text));
            self.report(
                Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, expr.span, message)
                    .level(Level::Warning)
                    .label("expected 0 (kernel) or 1 (subroutine)"),
            );
        }
    }

    /// Reports attributes that do not belong to the variable that is declared, or do nothing there.
    fn check_effect(&mut self, field: &Field, draft: &Draft) {
        let kind = draft.kind;
        let diagnostic = match kind {
            VariableKind::General => return,
            VariableKind::Sampler => Diagnostic::new(
                &MISPLACED_ATTRIBUTE,
                field.span,
                "attributes of a sampler end up on the next variable that is declared",
            ),
            _ => {
                let message = format!("attributes have no effect on {}", kind.variable());
                Diagnostic::new(&MISPLACED_ATTRIBUTE, field.span, message).level(Level::Pedantic)
            }
        };
        self.report(diagnostic.help("remove them"));
    }

    pub(super) fn report_unknown_attribute(
        &mut self,
        span: Span,
        own: &[words::KnownAttribute],
        others: &[words::KnownAttribute],
        others_belong_to: &str,
    ) {
        let name = span.of(self.text);
        let message = if others.iter().any(|a| a.name == name) {
            format!("`{name}` is an attribute of {others_belong_to}")
        } else {
            format!("`{name}` is not an attribute")
        };
        let mut diagnostic = Diagnostic::new(&UNKNOWN_ATTRIBUTE, span, message);
        if let Some(similar) = closest(name, own.iter().map(|a| a.name)) {
            let certain = similar.eq_ignore_ascii_case(name);
            diagnostic = diagnostic.help(format!("did you mean `{similar}`?")).replace(span, similar, certain);
        }
        self.report(diagnostic);
    }

    fn report_missing_number(&mut self, name: &str, span: Span) {
        self.report(
            Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, span, format!("`{name}` without a value is set to 1"))
                .level(Level::Warning)
                .help(format!("write `{name}=1`, or the value that is meant")),
        );
    }

    /// Reads `.kernel_attr`.
    pub(super) fn kernel_attribute(&mut self, statement: Span, directive: Span) {
        self.need_object(directive);
        let (name_span, value_field) = match *self.parser.tree.fields.as_slice() {
            [field] if field.key.is_empty() && self.value_name(field.value).is_some() => (field.span, None),
            [field] if !field.key.is_empty() => (field.key, Some(field)),
            [] => {
                self.report(
                    Diagnostic::new(&MALFORMED_DIRECTIVE, directive, "`.kernel_attr` takes the name of an attribute")
                        .help("write `.kernel_attr Name=value`"),
                );
                return;
            }
            [field, ref rest @ ..] => {
                self.report_kernel_attribute_form(&field, rest.first().copied());
                // Which attribute is meant is not certain, so none counts as missing.
                self.note_broken_line();
                return;
            }
        };
        let word = name_span.of(self.text);
        let known = words::KERNEL_ATTRIBUTES.iter().find(|a| a.name == word).copied();
        if known.is_none() {
            self.report_unknown_kernel_attribute(name_span);
        }
        let (value, value_span) = match value_field.map(|f| (f.value, f)) {
            None | Some((Value::None, _)) => (AttributeValue::None, Span::default()),
            Some((Value::Expr(id), _)) => {
                let expr = *self.parser.tree.expr(id);
                match expr.kind {
                    ExprKind::String => (AttributeValue::Text(expr.span), expr.span),
                    ExprKind::Name(name, Arguments::None) if name.of(self.text) != "%DispatchSimd" => {
                        let written = name.of(self.text);
                        let message = format!("the value `{written}` has to be a number or a quoted string");
                        let diagnostic = Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, expr.span, message);
                        self.report(match known.map(|attribute| attribute.kind) {
                            Some(AttributeKind::Number) => diagnostic.label("expected a number"),
                            _ => diagnostic.replace(expr.span, format!("\"{written}\""), true),
                        });
                        return;
                    }
                    _ => match self.constant(id) {
                        Some(number) => (AttributeValue::Number(number), expr.span),
                        None => return,
                    },
                }
            }
            Some((_, field)) => {
                self.report(Diagnostic::new(
                    &WRONG_ATTRIBUTE_VALUE,
                    Span::new(field.equal.end, field.span.end).trimmed(self.text),
                    "an attribute takes a number, a quoted string, or nothing",
                ));
                return;
            }
        };
        if let (AttributeValue::Number(size), "SimdSize" | "DispatchSimdSize") = (value, word) {
            self.dispatch_simd = Some(size);
        }
        let name = self.program.names.intern(word);
        let attribute = object::Attribute { name, name_span, value, value_span, statement };
        self.program.attributes.push(attribute);
        if let Some(known) = known {
            self.check_attribute_sort(&known, &attribute);
        }
    }

    fn report_kernel_attribute_form(&mut self, first: &Field, second: Option<Field>) {
        let place = second.map_or(first.span, |f| f.span);
        let written = place.of(self.text);
        let diagnostic = match first.value {
            Value::Expr(id) if second.is_none() && self.parser.tree.expr(id).kind == ExprKind::String => {
                Diagnostic::new(&MALFORMED_DIRECTIVE, place, "the name of an attribute is not quoted").replace(
                    place,
                    unquoted(written),
                    true,
                )
            }
            _ if second.is_some_and(|f| f.key.is_empty())
                && first.key.is_empty()
                && self.value_name(first.value).is_some() =>
            {
                let gap = Span::new(first.span.end, place.start);
                Diagnostic::new(
                    &MALFORMED_DIRECTIVE,
                    place,
                    format!("`{written}` cannot stand after the name of the attribute"),
                )
                .fix(Fix {
                    title: format!("write `{}={written}`", first.span.of(self.text)),
                    edits: vec![Edit { span: gap, text: "=".into() }],
                    certain: false,
                })
            }
            _ => Diagnostic::new(&MALFORMED_DIRECTIVE, place, format!("`{written}` cannot stand here"))
                .help("write `.kernel_attr Name=value`"),
        };
        self.report(diagnostic);
    }

    fn report_unknown_kernel_attribute(&mut self, name: Span) {
        if name.of(self.text) == "DispatchSimdSize" {
            self.report(
                Diagnostic::new(&UNKNOWN_ATTRIBUTE, name, "`DispatchSimdSize` is not an attribute of a kernel")
                    .level(Level::Warning)
                    .note("it is read for `%DispatchSimd` and nothing else")
                    .replace(name, "SimdSize", false),
            );
            return;
        }
        self.report_unknown_attribute(
            name,
            words::KERNEL_ATTRIBUTES,
            words::VARIABLE_ATTRIBUTES,
            "a variable, not of a kernel",
        );
    }

    /// Checks that the value is a number, a string or absent, as the attribute needs it. Ranges are checked later.
    fn check_attribute_sort(&mut self, known: &words::KnownAttribute, attribute: &object::Attribute) {
        let name = known.name;
        let diagnostic = match (known.kind, attribute.value) {
            (AttributeKind::Number, AttributeValue::Text(span)) => {
                let written = span.of(self.text);
                let inner = unquoted(written);
                let stored = inner.bytes().take(4).rev().fold(0u32, |number, byte| number << 8 | u32::from(byte));
                let message = format!("`{name}` takes a number, not the string `{written}`");
                let diagnostic = Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, span, message)
                    .note(format!("the codes of its characters are taken for the number {stored}"));
                if !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_digit()) {
                    diagnostic.replace(span, inner, true)
                } else {
                    diagnostic
                }
            }
            (AttributeKind::Number, AttributeValue::None) => {
                return self.report_missing_number(name, attribute.name_span);
            }
            (AttributeKind::Bool, AttributeValue::Number(_) | AttributeValue::Text(_)) => {
                let value = attribute.value_span;
                let message = format!("`{name}` takes no value: it is set whatever stands after `=`");
                let diagnostic = Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, value, message).level(Level::Warning);
                match attribute.value {
                    AttributeValue::Number(0) => {
                        diagnostic.replace(attribute.statement, "", false).help("to leave it unset, remove the line")
                    }
                    _ => diagnostic.replace(Span::new(attribute.name_span.end, value.end), "", true),
                }
            }
            (AttributeKind::Text, AttributeValue::Number(number)) => {
                Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, attribute.value_span, format!("`{name}` takes a quoted string"))
                    .replace(attribute.value_span, format!("\"{number}\""), false)
            }
            (AttributeKind::Text, AttributeValue::None) => {
                Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, attribute.name_span, format!("`{name}` needs a quoted string"))
                    .help(format!("write `{name}=\"name.asm\"`"))
            }
            (AttributeKind::Target, AttributeValue::None) => {
                Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, attribute.name_span, "`Target` needs a value")
                    .help("write `Target=\"3d\"` or `Target=\"cm\"`")
            }
            (AttributeKind::Target, AttributeValue::Text(span))
                if !matches!(span.of(self.text), "\"cm\"" | "\"3d\"") =>
            {
                let written = span.of(self.text);
                let diagnostic =
                    Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, span, format!("`Target` cannot be `{written}`"))
                        .label("expected `\"cm\"` or `\"3d\"`");
                match unquoted(written).trim().to_ascii_lowercase().as_str() {
                    meant @ ("cm" | "3d") => diagnostic.replace(span, format!("\"{meant}\""), true),
                    _ => diagnostic,
                }
            }
            (AttributeKind::Target, AttributeValue::Number(number)) if !(0..=1).contains(&number) => Diagnostic::new(
                &WRONG_ATTRIBUTE_VALUE,
                attribute.value_span,
                format!("`Target` cannot be `{}`", attribute.value_span.of(self.text)),
            )
            .label(format!("expected {}", spec::join_or(["`\"cm\"`", "`\"3d\"`", "0", "1"].map(str::to_owned)))),
            _ => return,
        };
        self.report(diagnostic);
    }
}
