//! The parts `key=value` of a declaration: which may stand there, and in which order.

use super::key::Key;
use super::layout::UNKNOWN_TYPE;
use super::{Draft, kind_of_letter};
use crate::base::diagnostic::{Diagnostic, Edit, Fix};
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::lower::{Lowering, unquoted};
use crate::program::variable::FLAG_BROKEN;
use crate::spec::predefined::VariableKind;
use crate::spec::{Type, words};
use crate::syntax::tree::{Arguments, ExprKind, Field, Value};

crate::declare_rule! {
    /// A declaration whose parts are missing, surplus or out of order. The order is fixed:
    /// `.decl NAME v_type=G type=T num_elts=N [align=A] [alias=<V, offset>] [attrs={...}]` for general variables,
    /// `.decl NAME v_type=A num_elts=N [attrs={...}]` for address and predicate variables,
    /// `.decl NAME v_type=T num_elts=N [v_name=X] [attrs={...}]` for samplers and surfaces.
    ///
    /// ```visa bad
    /// .decl Vx v_type=G num_elts=8 type=d
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8
    /// ```
    pub MALFORMED_DECLARATION = "malformed-declaration", Error, "4_visa_header",
        help = "the parts are written like `v_type=G`, `num_elts=16`, `alias=<V32, 0>`, `attrs={Output}` and `v_name=name`"
}

impl Lowering<'_> {
    pub(super) fn fields(&mut self, draft: &mut Draft) {
        let n_fields = self.parser.tree.fields.len();
        let kind_field =
            self.parser.tree.fields[1.min(n_fields)..].iter().find(|f| self.key(f) == Some(Key::Kind)).copied();
        if let Some(field) = kind_field {
            if let Some(kind) = self.value_name(field.value).map(|n| n.of(self.text)).and_then(kind_of_letter) {
                draft.kind = kind;
            } else {
                draft.mark(FLAG_BROKEN);
                let value = Span::new(field.equal.end, field.span.end).trimmed(self.text);
                if value.is_empty() {
                    self.report_missing_value(&field);
                    return;
                }
                let written = value.of(self.text);
                let diagnostic =
                    Diagnostic::new(&MALFORMED_DECLARATION, value, format!("`{written}` is not a kind of variable"));
                let meant = unquoted(written).to_ascii_uppercase();
                if let Some(kind) = kind_of_letter(&meant) {
                    draft.kind = kind;
                    self.report(diagnostic.replace(value, meant, true));
                } else {
                    self.report(diagnostic.help(
                        "`v_type` is `G` (general), `A` (address), `P` (predicate), `S` (sampler) or `T` (surface)",
                    ));
                    // Which fields it needs depends on the kind.
                    return;
                }
            }
        }
        let (order, n_mandatory) = field_order(draft.kind);
        let mut next = 0;
        for i in 1..n_fields {
            let field = self.parser.tree.fields[i];
            if field.key.is_empty() {
                draft.mark(FLAG_BROKEN);
                self.report_keyless(i, field);
                return;
            }
            let key = self.key(&field);
            let place = key.and_then(|key| order.iter().position(|k| *k == key));
            match (key, place) {
                (Some(key), Some(place)) if place >= next => {
                    if next < place.min(n_mandatory) {
                        let missing = order[next];
                        let later = self.parser.tree.fields[i..].iter().any(|f| self.key(f) == Some(missing));
                        draft.mark(FLAG_BROKEN);
                        let (key, missing) = (key.word(), missing.word());
                        let message = if later {
                            format!("`{key}=` has to stand after `{missing}=`")
                        } else {
                            format!("`{missing}=` is missing before `{key}=`")
                        };
                        let diagnostic =
                            Diagnostic::new(&MALFORMED_DECLARATION, field.key, message).help(order_help(draft.kind));
                        self.report_order(diagnostic, order);
                        return;
                    }
                    next = place + 1;
                    if field.value == Value::None {
                        draft.mark(FLAG_BROKEN);
                        self.report_missing_value(&field);
                        return;
                    }
                    self.check_blanks(&field);
                    self.field(&field, key, draft);
                }
                (Some(key), Some(_)) => {
                    draft.mark(FLAG_BROKEN);
                    let twice = self.parser.tree.fields[1..i].iter().any(|f| self.key(f) == Some(key));
                    let what = if twice { "is given twice" } else { "stands too late" };
                    let message = format!("`{}=` {what}", key.word());
                    let diagnostic =
                        Diagnostic::new(&MALFORMED_DECLARATION, field.key, message).help(order_help(draft.kind));
                    self.report_order(diagnostic, order);
                    return;
                }
                (_, _) => {
                    draft.mark(FLAG_BROKEN);
                    self.report_foreign_field(&field, draft.kind, order);
                    return;
                }
            }
        }
        if let Some(missing) = order[..n_mandatory].get(next) {
            draft.mark(FLAG_BROKEN);
            let (missing, name) = (missing.word(), draft.spans.name.of(self.text));
            let message = format!("`{missing}=` is missing in the declaration of `{name}`");
            self.report(
                Diagnostic::new(&MALFORMED_DECLARATION, draft.spans.name, message).help(order_help(draft.kind)),
            );
        }
    }

    /// The key of a part, if it is one of a declaration.
    fn key(&self, field: &Field) -> Option<Key> {
        Key::of(field.key.of(self.text))
    }

    pub(super) fn field(&mut self, field: &Field, key: Key, draft: &mut Draft) {
        let value = Span::new(field.equal.end, field.span.end);
        let trimmed = value.trimmed(self.text);
        match key {
            Key::Type => {
                draft.spans.element_type = trimmed;
                match Type::from_text(trimmed.of(self.text)) {
                    Some(t) if t.row().declarable => draft.element_type = t,
                    Some(t) => {
                        draft.mark(FLAG_BROKEN);
                        let why = if t == Type::BOOL {
                            "predicates are declared with `v_type=P`"
                        } else {
                            "it exists for immediates only"
                        };
                        let message = format!("a variable cannot have the type `{}`", trimmed.of(self.text));
                        self.report(Diagnostic::new(&UNKNOWN_TYPE, trimmed, message).note(why));
                    }
                    None => {
                        draft.mark(FLAG_BROKEN);
                        self.report_unknown_type(trimmed, trimmed.of(self.text));
                    }
                }
            }
            Key::ElementCount => {
                draft.spans.n_elements = trimmed;
                match self.field_constant(field) {
                    Some(n) if self.check_element_count(draft.kind, n, trimmed) => draft.n_elements = n as u32,
                    _ => draft.mark(FLAG_BROKEN),
                }
            }
            Key::Align => {
                draft.spans.align = trimmed;
                draft.alignment = self.alignment(field, trimmed);
            }
            Key::Alias => self.alias(field, draft),
            Key::Attributes => self.attributes(field, draft),
            Key::OtherName => self.check_other_name(field, trimmed),
            Key::Kind => {}
        }
    }

    /// Only blanks may stand between the word and its `=`, for they are one token of the reference.
    pub(in crate::lower) fn check_blanks(&mut self, field: &Field) {
        let before = Span::new(field.key.end, field.equal.start);
        let is_blank = |at: u32| matches!(self.text.as_bytes().get(at as usize), Some(b' ' | b'\t'));
        if before.is_empty() && !is_blank(field.equal.end) {
            return;
        }
        let key = field.key.of(self.text);
        // What follows `type=` and `v_type=` belongs to the token as well.
        let behind = &self.text[field.equal.end as usize..];
        let n_blanks = match key {
            "type" | "v_type" => behind.bytes().take_while(|b| matches!(b, b' ' | b'\t')).count() as u32,
            _ => 0,
        };
        let after = Span::new(field.equal.end, field.equal.end + n_blanks);
        let (gap, words) = if before.of(self.text).contains('\t') {
            (before, format!("between `{key}` and `=`"))
        } else if after.of(self.text).contains('\t') {
            (after, format!("behind `{key}=`"))
        } else {
            return;
        };
        let message = format!("a tab may not stand {words}");
        self.report(Diagnostic::new(&MALFORMED_DECLARATION, field.key.to(field.equal), message).replace(gap, "", true));
    }

    pub(super) fn report_foreign_field(&mut self, field: &Field, kind: VariableKind, order: &[Key]) {
        let key = field.key.of(self.text);
        let is_known = Key::of(key).is_some();
        let message = if is_known {
            format!("`{key}=` cannot stand in the declaration of {}", kind.variable())
        } else {
            format!("`{key}=` is not part of a declaration")
        };
        let diagnostic = Diagnostic::new(&MALFORMED_DECLARATION, field.key, message);
        let words = || order.iter().map(|k| k.word());
        let similar = closest(key, words()).or_else(|| words().find(|k| key.starts_with(k)));
        self.report(match similar {
            _ if is_known => {
                let before = self.text[..field.span.start as usize].trim_end().len() as u32;
                diagnostic.help(order_help(kind)).fix(Fix {
                    title: format!("remove `{key}=`"),
                    edits: vec![Edit { span: Span::new(before, field.span.end), text: String::new() }],
                    certain: true,
                })
            }
            Some(similar) => {
                // What a number runs into is not all of a word: `num_elts=0x10align=GRF`.
                let is_whole = self.text[..field.key.start as usize].ends_with([' ', '\t']);
                diagnostic.help(format!("did you mean `{similar}=`?")).replace(field.key, similar, is_whole)
            }
            None => diagnostic.help(order_help(kind)),
        });
    }

    /// Reports a part of a declaration that has no `=`.
    pub(super) fn report_keyless(&mut self, index: usize, field: Field) {
        let written = field.span.of(self.text);
        let malformed = |message: String| Diagnostic::new(&MALFORMED_DECLARATION, field.span, message);
        let next = self.parser.tree.fields.get(index + 1).filter(|f| f.key.is_empty()).copied();
        // A key begins the next part of the declaration, and is no value.
        let is_word = |f: Field| {
            let is_key = Key::of(f.span.of(self.text)).is_some();
            !is_key && (self.value_name(f.value).is_some() || matches!(f.value, Value::Expr(_)))
        };
        let diagnostic = if let (true, Some(next)) = (Key::of(written).is_some(), next.filter(|f| is_word(*f))) {
            malformed(format!("`=` is missing after `{written}`")).replace(
                Span::new(field.span.end, next.span.start),
                "=",
                true,
            )
        } else if let Some((inner, true)) = written
            .strip_prefix("alias")
            .map(|rest| (rest.trim(), rest.trim().starts_with('(') && rest.trim().ends_with(')')))
        {
            let meant = format!("alias=<{}>", &inner[1..inner.len() - 1]);
            malformed(format!("an alias is written `{meant}`")).replace(field.span, meant, true)
        } else if let Some((word, _)) = words::ALIGNMENTS.iter().find(|(w, _)| w.eq_ignore_ascii_case(written)) {
            let is_apart = self.text[..field.span.start as usize].ends_with([' ', '\t']);
            malformed(format!("`align=` is missing before `{written}`")).replace(
                field.span,
                format!("align={word}"),
                is_apart,
            )
        } else if Key::of(written).is_some() {
            malformed(format!("`=` and a value are missing after `{written}`"))
                .help(format!("write `{written}=` and the value, or remove it"))
        } else {
            malformed(format!("`{written}` cannot stand in a declaration"))
        };
        self.report(diagnostic);
    }

    /// Reports parts of a declaration in the wrong order, with the right one if every part is there once.
    pub(super) fn report_order(&mut self, diagnostic: Diagnostic, order: &[Key]) {
        let fields = &self.parser.tree.fields[1..];
        let place = |f: &Field| self.key(f).and_then(|key| order.iter().position(|k| *k == key));
        let mut sorted: Vec<(Option<usize>, Span)> = fields.iter().map(|f| (place(f), f.span)).collect();
        sorted.sort_by_key(|(place, _)| *place);
        let is_sound = sorted.len() <= order.len()
            && sorted.iter().all(|(p, _)| p.is_some())
            && sorted.windows(2).all(|pair| pair[0].0 != pair[1].0)
            && !sorted.iter().map(|(_, span)| span).eq(fields.iter().map(|f| &f.span));
        if let (Some(first), Some(last), true) = (fields.first(), fields.last(), is_sound) {
            let text: Vec<&str> = sorted.iter().map(|(_, span)| span.of(self.text)).collect();
            let edit = Edit { span: first.span.to(last.span), text: text.join(" ") };
            self.report(diagnostic.fix(Fix {
                title: "bring the parts into order".into(),
                edits: vec![edit],
                certain: true,
            }));
        } else {
            self.report(diagnostic);
        }
    }

    /// The constant after `=`; reports and returns nothing if there is none.
    pub(in crate::lower) fn field_constant(&mut self, field: &Field) -> Option<i64> {
        if let Value::Expr(id) = field.value {
            return self.constant(id);
        }
        if field.value == Value::None {
            self.report_missing_value(field);
        } else {
            let value = Span::new(field.equal.end, field.span.end).trimmed(self.text);
            let message = format!("`{}=` takes a number", field.key.of(self.text));
            self.report(Diagnostic::new(&MALFORMED_DECLARATION, value, message));
        }
        None
    }

    pub(super) fn report_missing_value(&mut self, field: &Field) {
        let message = format!("a value is missing after `{}=`", field.key.of(self.text));
        self.report(Diagnostic::new(&MALFORMED_DECLARATION, field.key.to(field.equal), message));
    }

    /// The name that a field without a key consists of.
    pub(in crate::lower) fn bare_name(&self, field: &Field) -> Option<Span> {
        if !field.key.is_empty() {
            return None;
        }
        self.value_name(field.value)
    }

    /// The name that a value consists of.
    pub(in crate::lower) fn value_name(&self, value: Value) -> Option<Span> {
        let Value::Expr(id) = value else { return None };
        match self.parser.tree.expr(id).kind {
            ExprKind::Name(name, Arguments::None) => Some(name),
            _ => None,
        }
    }
}

/// The fields that a declaration of a kind takes, in order, and how many of them are mandatory.
fn field_order(kind: VariableKind) -> (&'static [Key], usize) {
    use Key::{Alias, Align, Attributes, ElementCount, Kind, OtherName, Type};
    match kind {
        VariableKind::General => (&[Kind, Type, ElementCount, Align, Alias, Attributes], 3),
        VariableKind::Address | VariableKind::Predicate => (&[Kind, ElementCount, Attributes], 2),
        VariableKind::Sampler | VariableKind::Surface => (&[Kind, ElementCount, OtherName, Attributes], 2),
    }
}

fn order_help(kind: VariableKind) -> &'static str {
    match kind {
        VariableKind::General => {
            "write `.decl NAME v_type=G type=T num_elts=N`, then `align=`, `alias=` and `attrs=` as needed, in this order"
        }
        VariableKind::Address => "write `.decl NAME v_type=A num_elts=N`, then `attrs=` as needed",
        VariableKind::Predicate => "write `.decl NAME v_type=P num_elts=N`, then `attrs=` as needed",
        VariableKind::Sampler => {
            "write `.decl NAME v_type=S num_elts=N`, then `v_name=` and `attrs=` as needed, in this order"
        }
        VariableKind::Surface => {
            "write `.decl NAME v_type=T num_elts=N`, then `v_name=` and `attrs=` as needed, in this order"
        }
    }
}
