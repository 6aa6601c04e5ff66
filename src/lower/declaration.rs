//! `.decl`

use super::Lowering;
use crate::base::diagnostic::{Diagnostic, Edit, Fix};
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::base::symbol::Symbol;
use crate::program::variable::{ALIGN_GRF, FLAG_ALIAS, FLAG_BROKEN, Variable, VariableId, VariableSpans};
use crate::spec::Type;
use crate::spec::predefined::VariableKind;
use crate::spec::words::{self, Reserved};
use crate::syntax::token::{Token, TokenKind};
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
    pub MALFORMED_DECLARATION = "malformed-declaration", Error, "4_visa_header"
}

crate::declare_rule! {
    /// A type that does not exist, is not spelled all in lower or all in upper case, or cannot stand there.
    ///
    /// ```visa bad
    /// .decl Vx v_type=G type=int num_elts=8
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8
    /// ```
    pub UNKNOWN_TYPE = "unknown-type", Error, "2_datatypes"
}

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
    pub DUPLICATE_DECLARATION = "duplicate-declaration", Error, "4_visa_header"
}

crate::declare_rule! {
    /// A variable in an inner scope with the name of one in an enclosing scope. The inner one is meant up to the closing
    /// brace, and a reader easily takes one for the other.
    ///
    /// ```visa bad
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
    /// .version 4.1
    /// .kernel "k"
    /// .decl Vx v_type=G type=d num_elts=8
    /// {
    /// .decl Vy v_type=G type=d num_elts=8
    /// mov (M1, 8) Vy(0,0)<1> 0x1:d
    /// }
    /// ret (M1, 1)
    /// ```
    pub SHADOWED_VARIABLE = "shadowed-variable", Warning, "4_visa_header"
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
    pub PREDEFINED_REDECLARED = "predefined-redeclared", Error, "4_visa_header"
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
    pub RESERVED_WORD = "reserved-word", Error, "8_appendix_visa_assembly_syntax"
}

crate::declare_rule! {
    /// A word or number after `align=` that is no alignment.
    ///
    /// ```visa bad
    /// .decl Vx v_type=G type=d num_elts=8 align=grf
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// ```
    pub UNKNOWN_ALIGNMENT = "unknown-alignment", Error, "4_visa_header"
}

crate::declare_rule! {
    /// The base of an alias has to be a general variable.
    ///
    /// ```visa bad
    /// .decl Px v_type=P num_elts=8
    /// .decl Vx v_type=G type=d num_elts=8 alias=<Px, 0>
    /// ```
    /// ```visa good
    /// .decl Vy v_type=G type=ud num_elts=8
    /// .decl Vx v_type=G type=d num_elts=8 alias=<Vy, 0>
    /// ```
    pub ALIAS_OF_WRONG_KIND = "alias-of-wrong-kind", Error, "4_visa_header"
}

/// The fields that a declaration of a kind takes, in order, and how many of them are mandatory.
fn field_order(kind: VariableKind) -> (&'static [&'static str], usize) {
    match kind {
        VariableKind::General => (&["v_type", "type", "num_elts", "align", "alias", "attrs"], 3),
        VariableKind::Address | VariableKind::Predicate => (&["v_type", "num_elts", "attrs"], 2),
        VariableKind::Sampler | VariableKind::Surface => (&["v_type", "num_elts", "v_name", "attrs"], 2),
    }
}

/// What a declaration says, as far as it could be read.
pub(super) struct Draft {
    pub(super) kind: VariableKind,
    element_type: Type,
    n_elements: u32,
    alignment: u8,
    base: Option<(VariableId, i32)>,
    pub(super) flags: u16,
    spans: VariableSpans,
}

impl Draft {
    /// The element type of the variable.
    fn stored_type(&self) -> Type {
        match self.kind {
            VariableKind::General => self.element_type,
            VariableKind::Address => Type::UW,
            VariableKind::Predicate => Type::BOOL,
            VariableKind::Sampler | VariableKind::Surface => Type::UD,
        }
    }
}

impl Lowering<'_> {
    /// Reads the `.decl` whose fields are in the tree.
    pub(super) fn declaration(&mut self, statement: Span) {
        let Some(name) = self.declared_name(statement) else { return };
        let mut draft = Draft {
            kind: VariableKind::General,
            element_type: Type::UD,
            n_elements: 1,
            alignment: 0,
            base: None,
            flags: 0,
            spans: VariableSpans { statement, name, ..VariableSpans::default() },
        };
        self.fields(&mut draft);
        let is_usable = self.is_declarable(name);
        let symbol = self.program.names.intern(name.of(self.text));
        if !is_usable {
            // Declared all the same, so that its uses are not reported as well.
            if self.find_symbol(symbol).is_none() {
                draft.flags |= FLAG_BROKEN;
                self.declare(symbol, draft);
            }
        } else if self.is_free(symbol, name, &draft) {
            self.declare(symbol, draft);
        }
    }

    /// The name after `.decl`.
    fn declared_name(&mut self, statement: Span) -> Option<Span> {
        let first = self.parser.tree.fields.first().copied();
        let name = first.and_then(|field| self.bare_name(&field));
        if name.is_none() {
            let place = first.map_or(statement, |f| f.span);
            let message = match first {
                Some(f) if f.key.is_empty() => format!("`{}` cannot be the name of a variable", f.span.of(self.text)),
                _ => "the name of the variable is missing after `.decl`".to_owned(),
            };
            let diagnostic = Diagnostic::new(&MALFORMED_DECLARATION, place, message);
            let inner = super::unquoted(place.of(self.text));
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

    /// The name that a field without a key consists of.
    pub(super) fn bare_name(&self, field: &Field) -> Option<Span> {
        if !field.key.is_empty() {
            return None;
        }
        self.value_name(field.value)
    }

    /// The name that a value consists of.
    pub(super) fn value_name(&self, value: Value) -> Option<Span> {
        let Value::Expr(id) = value else { return None };
        match self.parser.tree.expr(id).kind {
            ExprKind::Name(name, Arguments::None) => Some(name),
            _ => None,
        }
    }

    fn fields(&mut self, draft: &mut Draft) {
        let n_fields = self.parser.tree.fields.len();
        let kind_field = (1..n_fields).map(|i| self.parser.tree.fields[i]).find(|f| f.key.of(self.text) == "v_type");
        if let Some(field) = kind_field {
            if let Some(kind) = self.value_name(field.value).map(|n| n.of(self.text)).and_then(kind_of_letter) {
                draft.kind = kind;
            } else {
                draft.flags |= FLAG_BROKEN;
                let value = trim(Span::new(field.equal.end, field.span.end), self.text);
                if value.is_empty() {
                    self.report_missing_value(&field);
                    return;
                }
                let written = value.of(self.text);
                let diagnostic =
                    Diagnostic::new(&MALFORMED_DECLARATION, value, format!("`{written}` is not a kind of variable"));
                let meant = super::unquoted(written).to_ascii_uppercase();
                self.report(if let Some(kind) = kind_of_letter(&meant) {
                    draft.kind = kind;
                    diagnostic.replace(value, meant, true)
                } else {
                    diagnostic.help(
                        "`v_type` is `G` (general), `A` (address), `P` (predicate), `S` (sampler) or `T` (surface)",
                    )
                });
            }
        }
        let (order, n_mandatory) = field_order(draft.kind);
        let mut next = 0;
        for i in 1..n_fields {
            let field = self.parser.tree.fields[i];
            let key = field.key.of(self.text);
            if field.key.is_empty() {
                draft.flags |= FLAG_BROKEN;
                self.report_keyless(i, field);
                return;
            }
            // Nearly always it is one of those that may come next.
            let ahead = order[next..].iter().position(|k| *k == key).map(|place| next + place);
            match ahead.or_else(|| order.iter().position(|k| *k == key)) {
                Some(place) if place >= next => {
                    if let Some(missing) = order[next..place]
                        .iter()
                        .find(|k| order.iter().position(|o| o == *k).is_some_and(|p| p < n_mandatory))
                    {
                        let later = (i..n_fields).any(|j| self.parser.tree.fields[j].key.of(self.text) == *missing);
                        draft.flags |= FLAG_BROKEN;
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
                        draft.flags |= FLAG_BROKEN;
                        self.report_missing_value(&field);
                        return;
                    }
                    self.check_blanks(&field);
                    self.field(&field, key, draft);
                }
                Some(_) => {
                    draft.flags |= FLAG_BROKEN;
                    let twice = (1..i).any(|j| self.parser.tree.fields[j].key.of(self.text) == key);
                    let message =
                        if twice { format!("`{key}=` is given twice") } else { format!("`{key}=` stands too late") };
                    let diagnostic =
                        Diagnostic::new(&MALFORMED_DECLARATION, field.key, message).help(order_help(draft.kind));
                    self.report_order(diagnostic, order);
                    return;
                }
                None => {
                    draft.flags |= FLAG_BROKEN;
                    self.report_foreign_field(&field, key, draft.kind, order);
                    return;
                }
            }
        }
        if let Some(missing) = order[..n_mandatory].get(next) {
            draft.flags |= FLAG_BROKEN;
            let message = format!("`{missing}=` is missing in the declaration of `{}`", draft.spans.name.of(self.text));
            self.report(
                Diagnostic::new(&MALFORMED_DECLARATION, draft.spans.name, message).help(order_help(draft.kind)),
            );
        }
    }

    /// Only blanks may stand between the word and its `=`, for they are one token of the reference.
    pub(super) fn check_blanks(&mut self, field: &Field) {
        let gap = Span::new(field.key.end, field.equal.start);
        if gap.is_empty() {
            return;
        }
        let key = field.key.of(self.text);
        if gap.of(self.text).contains('\t') && !matches!(key, "type" | "v_type") {
            let message = format!("a tab may not stand between `{key}` and `=`");
            self.report(
                Diagnostic::new(&MALFORMED_DECLARATION, field.key.to(field.equal), message).replace(gap, "", true),
            );
        }
    }

    fn report_foreign_field(&mut self, field: &Field, key: &str, kind: VariableKind, order: &[&'static str]) {
        const ALL: [&str; 7] = ["v_type", "type", "num_elts", "align", "alias", "attrs", "v_name"];
        let message = if ALL.contains(&key) {
            format!("`{key}=` cannot stand in the declaration of {} {} variable", article(kind), kind.word())
        } else {
            format!("`{key}=` is not part of a declaration")
        };
        let diagnostic = Diagnostic::new(&MALFORMED_DECLARATION, field.key, message);
        let similar =
            closest(key, order.iter().copied()).or_else(|| order.iter().copied().find(|k| key.starts_with(k)));
        self.report(match similar {
            _ if ALL.contains(&key) => {
                let before = self.text[..field.span.start as usize].trim_end().len() as u32;
                diagnostic.help(order_help(kind)).fix(Fix {
                    title: format!("remove `{key}=`"),
                    edits: vec![Edit { span: Span::new(before, field.span.end), text: String::new() }],
                    certain: true,
                })
            }
            Some(similar) => diagnostic.help(format!("did you mean `{similar}=`?")).replace(field.key, similar, true),
            None => diagnostic.help(order_help(kind)),
        });
    }

    /// Reports a part of a declaration that has no `=`.
    fn report_keyless(&mut self, index: usize, field: Field) {
        const KEYS: [&str; 7] = ["v_type", "type", "num_elts", "align", "alias", "attrs", "v_name"];
        let written = field.span.of(self.text);
        let malformed = |message: String| Diagnostic::new(&MALFORMED_DECLARATION, field.span, message);
        let next = self.parser.tree.fields.get(index + 1).filter(|f| f.key.is_empty()).copied();
        let is_word = |f: Field| self.value_name(f.value).is_some() || matches!(f.value, Value::Expr(_));
        let diagnostic = if let (true, Some(next)) = (KEYS.contains(&written), next.filter(|f| is_word(*f))) {
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
            malformed(format!("`align=` is missing before `{written}`")).replace(
                field.span,
                format!("align={word}"),
                true,
            )
        } else if KEYS.contains(&written) {
            malformed(format!("`=` and a value are missing after `{written}`"))
        } else {
            malformed(format!("`{written}` cannot stand in a declaration"))
        };
        self.report(diagnostic);
    }

    /// Reports parts of a declaration in the wrong order, with the right one if every part is there once.
    fn report_order(&mut self, diagnostic: Diagnostic, order: &[&'static str]) {
        let fields = &self.parser.tree.fields[1..];
        let place = |f: &Field| order.iter().position(|k| *k == f.key.of(self.text));
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

    /// `v_name=` takes a plain name.
    fn check_other_name(&mut self, field: &Field, value: Span) {
        let name = self.value_name(field.value).map(|n| n.of(self.text));
        if name.is_some_and(|n| !n.starts_with('%') && words::reserved(n) != Reserved::Always) {
            return;
        }
        let written = value.of(self.text);
        if written.is_empty() {
            self.report(Diagnostic::new(&MALFORMED_DECLARATION, field.span, "a name is missing after `v_name=`"));
            return;
        }
        let diagnostic =
            Diagnostic::new(&MALFORMED_DECLARATION, value, format!("`v_name=` takes a plain name, not `{written}`"));
        let inner = super::unquoted(written);
        let is_name = inner.len() < written.len()
            && !inner.is_empty()
            && inner.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        self.report(if is_name { diagnostic.replace(value, inner, true) } else { diagnostic });
    }

    fn field(&mut self, field: &Field, key: &str, draft: &mut Draft) {
        let value = Span::new(field.equal.end, field.span.end);
        let trimmed = trim(value, self.text);
        match key {
            "type" => {
                draft.spans.element_type = trimmed;
                match Type::from_text(trimmed.of(self.text)) {
                    Some(t) if t.row().declarable => draft.element_type = t,
                    Some(t) => {
                        draft.flags |= FLAG_BROKEN;
                        let why = if t == Type::BOOL {
                            "predicates are declared with `v_type=P`"
                        } else {
                            "it exists for immediates only"
                        };
                        let message = format!("a variable cannot have the type `{}`", trimmed.of(self.text));
                        self.report(Diagnostic::new(&UNKNOWN_TYPE, trimmed, message).note(why));
                    }
                    None => {
                        draft.flags |= FLAG_BROKEN;
                        self.report_unknown_type(trimmed, trimmed.of(self.text));
                    }
                }
            }
            "num_elts" => {
                draft.spans.n_elements = trimmed;
                match self.field_constant(field) {
                    Some(n) if self.check_element_count(draft.kind, n, trimmed) => draft.n_elements = n as u32,
                    _ => draft.flags |= FLAG_BROKEN,
                }
            }
            "align" => {
                draft.spans.align = trimmed;
                draft.alignment = self.alignment(field, trimmed);
            }
            "alias" => self.alias(field, draft),
            "attrs" => self.attributes(field, draft),
            "v_name" => self.check_other_name(field, trimmed),
            _ => {}
        }
    }

    /// The constant after `=`; reports and returns nothing if there is none.
    pub(super) fn field_constant(&mut self, field: &Field) -> Option<i64> {
        if let Value::Expr(id) = field.value {
            return self.constant(id);
        }
        if field.value == Value::None {
            self.report_missing_value(field);
        } else {
            let message = format!("`{}=` takes a number", field.key.of(self.text));
            self.report(Diagnostic::new(&MALFORMED_DECLARATION, field.span, message));
        }
        None
    }

    fn report_missing_value(&mut self, field: &Field) {
        let message = format!("a value is missing after `{}=`", field.key.of(self.text));
        self.report(Diagnostic::new(&MALFORMED_DECLARATION, field.key.to(field.equal), message));
    }

    pub(super) fn report_unknown_type(&mut self, span: Span, written: &str) {
        let lower = written.to_ascii_lowercase();
        let mut diagnostic = Diagnostic::new(&UNKNOWN_TYPE, span, format!("`{written}` is not a type"));
        diagnostic = if Type::from_text(&lower).is_some() {
            diagnostic.note("types are written all in lower or all in upper case").replace(span, lower, true)
        } else {
            let meant = match lower.as_str() {
                "int" | "int32" | "i32" | "s32" | "dword" => Some("d"),
                "uint" | "uint32" | "u32" => Some("ud"),
                "float" | "f32" => Some("f"),
                "double" | "f64" => Some("df"),
                "half" | "f16" => Some("hf"),
                "short" | "i16" => Some("w"),
                "ushort" | "u16" => Some("uw"),
                "char" | "i8" => Some("b"),
                "uchar" | "u8" => Some("ub"),
                "long" | "i64" => Some("q"),
                "ulong" | "u64" => Some("uq"),
                _ => None,
            };
            match meant {
                Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).replace(span, meant, false),
                None => {
                    diagnostic.help("types are `ud`, `d`, `uw`, `w`, `ub`, `b`, `uq`, `q`, `f`, `hf`, `df` and `bf`")
                }
            }
        };
        self.report(diagnostic);
    }

    fn alignment(&mut self, field: &Field, span: Span) -> u8 {
        let word = span.of(self.text);
        if let Some((_, bytes)) = words::ALIGNMENTS.iter().find(|(w, _)| *w == word) {
            return *bytes;
        }
        if self.value_name(field.value).is_some() {
            let mut diagnostic = Diagnostic::new(&UNKNOWN_ALIGNMENT, span, format!("`{word}` is not an alignment"))
                .note("alignments are `byte`, `word`, `dword`, `qword`, `oword`, `hword`, `GRF`, `GRFx2`, `wordx32`, `wordx64`, or a number of bytes");
            let exact = words::ALIGNMENTS.iter().map(|(w, _)| *w).find(|w| w.eq_ignore_ascii_case(word));
            if let Some(meant) = exact.or_else(|| closest(word, words::ALIGNMENTS.iter().map(|(w, _)| *w))) {
                diagnostic = diagnostic.replace(span, meant, exact.is_some());
            }
            self.report(diagnostic);
            return 0;
        }
        match self.field_constant(field) {
            Some(bytes @ (1 | 2 | 4 | 8 | 16 | 32 | 64 | 128)) => bytes as u8,
            Some(bytes) => {
                let message = format!("an alignment of {bytes} bytes does not exist");
                self.report(
                    Diagnostic::new(&UNKNOWN_ALIGNMENT, span, message)
                        .note("a number after `align=` is 1, 2, 4, 8, 16, 32, 64 or 128"),
                );
                0
            }
            None => 0,
        }
    }

    fn alias(&mut self, field: &Field, draft: &mut Draft) {
        draft.flags |= FLAG_ALIAS;
        let (name, offset) = match field.value {
            Value::Alias(target, offset) => {
                draft.spans.alias_offset = self.parser.tree.expr(offset).span;
                (self.parser.tree.expr(target).span, self.constant(offset))
            }
            Value::PlainAlias(span) => {
                let comma = span.start + span.of(self.text).find(',').unwrap_or(1) as u32;
                draft.spans.alias_offset = Span::new(comma + 2, span.end - 1);
                (Span::new(span.start + 1, comma), Some(self.number(draft.spans.alias_offset)))
            }
            _ => {
                draft.flags |= FLAG_BROKEN;
                self.report_alias_form(field);
                return;
            }
        };
        draft.spans.alias = name;
        if name == draft.spans.name {
            draft.flags |= FLAG_BROKEN;
        }
        let base = self.use_variable(name);
        let (Some(base), Some(offset)) = (base, offset) else {
            draft.flags |= FLAG_BROKEN;
            return;
        };
        let row = self.program.variables[base];
        if row.kind != VariableKind::General {
            draft.flags |= FLAG_BROKEN;
            let message = format!(
                "`{}` is {} {} variable; only general variables can be aliased",
                name.of(self.text),
                article(row.kind),
                row.kind.word()
            );
            let place = self.program.variable_spans[base].name;
            let mut diagnostic = Diagnostic::new(&ALIAS_OF_WRONG_KIND, name, message);
            if !place.is_empty() {
                diagnostic = diagnostic.also(place, "declared here");
            }
            self.report(diagnostic);
            return;
        }
        draft.base = Some((base, offset.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32));
    }

    fn report_alias_form(&mut self, field: &Field) {
        let value = trim(Span::new(field.equal.end, field.span.end), self.text);
        let written = value.of(self.text);
        let message = "an alias is written `alias=<V32, 0>`: a variable and a byte offset in angle brackets";
        let diagnostic =
            Diagnostic::new(&MALFORMED_DECLARATION, if value.is_empty() { field.span } else { value }, message);
        self.report(match written.strip_prefix('(').and_then(|w| w.strip_suffix(')')) {
            Some(inner) => diagnostic.replace(value, format!("<{inner}>"), true),
            None if self.value_name(field.value).is_some() => {
                diagnostic.replace(value, format!("<{written}, 0>"), false)
            }
            None => diagnostic,
        });
    }

    /// Whether `name` may be declared at all; reports if not.
    pub(super) fn is_declarable(&mut self, name: Span) -> bool {
        let word = name.of(self.text);
        if word.starts_with('%') {
            self.report(Diagnostic::new(
                &PREDEFINED_REDECLARED,
                name,
                format!("`{word}` cannot be declared: names with `%` are predefined"),
            ));
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
            Reserved::SinceVersion42 => self.report(
                Diagnostic::new(&RESERVED_WORD, name, format!("`{word}` is a reserved word of text version 4.2"))
                    .level(Level::Pedantic)
                    .help("choose another name"),
            ),
        }
        true
    }

    /// Whether what `draft` declares is to be the meaning of `symbol` from here on; reports if the name is taken.
    fn is_free(&mut self, symbol: Symbol, name: Span, draft: &Draft) -> bool {
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
            // Nobody knows which of the two is meant.
            row.flags |= FLAG_BROKEN;
        }
        false
    }

    /// Reports names that the manual keeps for predefined variables and assemblers do not.
    fn check_reserved_name(&mut self, name: Span, kind: VariableKind) {
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
    fn check_repeated_name(&mut self, symbol: Symbol, name: Span) {
        let Some(earlier) = self.last_declared(symbol) else { return };
        let is_same_object = self.program.objects.iter().last().is_some_and(|o| earlier.0 >= o.variables.start);
        if is_same_object {
            let place = self.program.variable_spans[earlier].name;
            let message =
                format!("`{}` is also the name of a variable in another scope of this kernel", name.of(self.text));
            self.report(
                Diagnostic::new(&SHADOWED_VARIABLE, name, message)
                    .level(Level::Pedantic)
                    .also(place, "declared here first")
                    .note("the disassembler drops the scopes, so that its text declares the name twice"),
            );
        }
    }

    fn declare(&mut self, symbol: Symbol, draft: Draft) {
        let id = VariableId(self.program.variables.len() as u32);
        let (root, root_offset) = match draft.base {
            Some((base, offset)) => {
                let row = &self.program.variables[base];
                (row.root, row.root_offset.saturating_add(offset))
            }
            None => (id, 0),
        };
        let base = draft.base.map_or(id, |(base, _)| base);
        self.program.variables.push(Variable {
            name: symbol,
            root,
            root_offset,
            base,
            n_elements: draft.n_elements,
            element_type: draft.stored_type(),
            kind: draft.kind,
            alignment: draft.alignment,
            flags: draft.flags,
        });
        self.program.variable_spans.push(draft.spans);
        self.bind(symbol, id);
    }

    /// Declares the variable of a line that could not be parsed, so that its uses are not reported as well.
    pub(super) fn declare_broken(&mut self, statement: Span, name: Span, tokens: &[Token]) {
        let symbol = self.program.names.intern(name.of(self.text));
        if self.bound_here(symbol).is_some() {
            return;
        }
        let letter = tokens
            .windows(3)
            .find(|w| w[0].span().of(self.text) == "v_type" && w[1].kind == TokenKind::Equal)
            .map(|w| w[2].span().of(self.text));
        let draft = Draft {
            kind: letter.and_then(kind_of_letter).unwrap_or(VariableKind::General),
            element_type: Type::UD,
            n_elements: 1,
            alignment: ALIGN_GRF,
            base: None,
            flags: FLAG_BROKEN,
            spans: VariableSpans { statement, name, ..VariableSpans::default() },
        };
        self.declare(symbol, draft);
    }
}

fn kind_of_letter(letter: &str) -> Option<VariableKind> {
    Some(match letter {
        "G" => VariableKind::General,
        "A" => VariableKind::Address,
        "P" => VariableKind::Predicate,
        "S" => VariableKind::Sampler,
        "T" => VariableKind::Surface,
        _ => return None,
    })
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

/// "a" or "an" before the word for a kind.
pub(super) fn article(kind: VariableKind) -> &'static str {
    if kind == VariableKind::Address { "an" } else { "a" }
}

/// Without the blanks at both ends.
pub(super) fn trim(span: Span, text: &str) -> Span {
    let inner = span.of(text);
    let start = span.start + (inner.len() - inner.trim_start().len()) as u32;
    Span::new(start, start + inner.trim().len() as u32)
}
