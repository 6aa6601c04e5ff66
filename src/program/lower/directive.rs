//! Directives other than `.decl`.

use super::{Lowering, closest, unquoted};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::program::object::{Attribute, AttributeValue, Input, ObjectKind};
use crate::program::variable::FLAG_INPUT;
use crate::spec::predefined::VariableKind;
use crate::spec::words::{self, AttributeKind};
use crate::syntax::number;
use crate::syntax::tree::{Arguments, ExprKind, Field, Value};

crate::declare_rule! {
    /// A directive that does not exist.
    ///
    /// ```visa bad
    /// .declare Vx v_type=G type=d num_elts=8
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8
    /// ```
    pub UNKNOWN_DIRECTIVE = "unknown-directive", Error, "4_visa_header"
}

crate::declare_rule! {
    /// A directive with too few, too many or wrong parts.
    ///
    /// ```visa bad
    /// .kernel_attr
    /// ```
    /// ```visa good
    /// .kernel_attr SimdSize=16
    /// ```
    pub MALFORMED_DIRECTIVE = "malformed-directive", Error, "4_visa_header"
}

crate::declare_rule! {
    /// `.version` is missing, is not the first statement, or stands twice. It names the version of the text format, once
    /// per file.
    ///
    /// ```visa bad
    /// .kernel "k"
    /// .version 4.1
    /// ret (M1, 1)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    /// ret (M1, 1)
    /// ```
    pub MISPLACED_VERSION = "misplaced-version", Error, "4_visa_header"
}

crate::declare_rule! {
    /// The value of an attribute is of the wrong sort. The reference stores the first character of a string as the
    /// number, and sets a flag whatever its value is, without a word.
    ///
    /// ```visa bad
    /// .kernel_attr SLMSize="4"
    /// ```
    /// ```visa good
    /// .kernel_attr SLMSize=4
    /// ```
    pub WRONG_ATTRIBUTE_VALUE = "wrong-attribute-value", Error, "4_visa_header"
}

crate::declare_rule! {
    /// An input has to be a general, sampler or surface variable.
    ///
    /// ```visa bad
    /// .decl Px v_type=P num_elts=8
    /// .input Px offset=32 size=4
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8
    /// .input Vx offset=32 size=32
    /// ```
    pub WRONG_INPUT_KIND = "wrong-input-kind", Error, "4_visa_header"
}

crate::declare_rule! {
    /// A name or a number of labels beyond what the manual allows: labels have at most 1024 characters and a kernel at
    /// most 4096 of them, file names have at most 255 characters. Assemblers take more.
    pub EXCEEDED_LIMIT = "exceeded-limit", Pedantic, "8_appendix_visa_assembly_syntax"
}

/// Longest name of a source file, without its quotes.
pub const MAX_FILE_NAME_LENGTH: u32 = 255;

/// The finding for a file name that is too long; the span holds the quotes.
pub fn long_file_name(span: Span) -> Option<Diagnostic> {
    let length = span.len().saturating_sub(2);
    (length > MAX_FILE_NAME_LENGTH).then(|| {
        let message = format!("a file name of {length} characters");
        Diagnostic::new(&EXCEEDED_LIMIT, span, message).note(format!("the manual allows {MAX_FILE_NAME_LENGTH}"))
    })
}

impl Lowering<'_> {
    /// Reads the directive whose fields are in the tree.
    pub(super) fn directive(&mut self, statement: Span, name: Span) {
        let word = name.of(self.text);
        if word != ".version" && !self.version_seen {
            self.version_seen = true;
            self.report(
                Diagnostic::new(&MISPLACED_VERSION, name, "the file has to begin with `.version`")
                    .help("write `.version 4.1` on the first line"),
            );
        }
        if let [first, second, ..] = *self.parser.tree.fields.as_slice() {
            // `.declare V v_type=G`: read as `.decl are`, it makes no sense; so the word is one that does not exist.
            if first.span.start == name.end && second.key.is_empty() {
                let whole = name.to(first.span);
                self.unknown_directive(whole, whole.of(self.text));
                return;
            }
        }
        match word {
            ".version" => self.version(statement, name),
            ".decl" => {
                self.need_object(name);
                self.declaration(statement);
            }
            ".input" => self.input(name, false),
            ".kernel" => self.object_directive(statement, name, ObjectKind::Kernel),
            ".global_function" => self.object_directive(statement, name, ObjectKind::Function),
            ".function" => {
                self.need_object(name);
                if let Some(span) = self.one_name(statement, name, false) {
                    self.label(span, true);
                }
            }
            ".funcdecl" => {
                if let Some(span) = self.one_name(statement, name, true) {
                    let name = self.program.names.intern(unquoted(span.of(self.text)));
                    self.program.declared_functions.insert(name);
                }
            }
            ".kernel_attr" => self.kernel_attribute(statement, name),
            ".file" | ".loc" => {
                self.need_object(name);
                self.debug_directive(statement, name, word);
            }
            _ if word.starts_with(".implicit") => self.implicit(name, word),
            _ => self.unknown_directive(name, word),
        }
    }

    fn unknown_directive(&mut self, name: Span, word: &str) {
        let mut diagnostic = Diagnostic::new(&UNKNOWN_DIRECTIVE, name, format!("unknown directive `{word}`"));
        if let Some(similar) = closest(word, words::DIRECTIVES.iter().copied()) {
            let certain = similar.eq_ignore_ascii_case(word);
            diagnostic = diagnostic.help(format!("did you mean `{similar}`?")).replace(name, similar, certain);
        }
        self.report(diagnostic);
    }

    fn version(&mut self, statement: Span, name: Span) {
        if self.version_seen {
            let message = if self.program.version.is_some() { "`.version` stands a second time" } else { "`.version` has to be the first statement" };
            let mut diagnostic = Diagnostic::new(&MISPLACED_VERSION, name, message);
            if let Some((_, _, first)) = self.program.version {
                diagnostic = diagnostic.also(first, "the first one").note("a file has one `.version`, also when it holds several kernels");
            }
            self.report(diagnostic);
        }
        self.version_seen = true;
        match *self.parser.tree.fields.as_slice() {
            [Field { value: Value::Version(major, minor), key, .. }] if key.is_empty() => {
                let [major, minor] = [major, minor].map(|s| number::dotted(s.of(self.text)).written.min(u64::from(u32::MAX)) as u32);
                if self.program.version.is_none() {
                    self.program.version = Some((major, minor, statement));
                }
            }
            _ => {
                self.program.version.get_or_insert((4, 1, statement));
                self.report(Diagnostic::new(&MALFORMED_DIRECTIVE, statement, "`.version` takes two decimal numbers: `.version 4.1`"));
            }
        }
    }

    /// The only name that a directive takes; reports and returns nothing if there is something else.
    fn one_name(&mut self, statement: Span, directive: Span, must_be_quoted: bool) -> Option<Span> {
        let word = directive.of(self.text);
        let found = match *self.parser.tree.fields.as_slice() {
            [field] => match field.value {
                Value::Expr(id) if field.key.is_empty() => {
                    let expr = *self.parser.tree.expr(id);
                    match expr.kind {
                        ExprKind::String => Some(expr.span),
                        ExprKind::Name(name, Arguments::None) if !must_be_quoted && !name.of(self.text).starts_with('%') => Some(expr.span),
                        _ => None,
                    }
                }
                _ => None,
            },
            _ => None,
        };
        if found.is_none() {
            let place = self.parser.tree.fields.first().map_or(directive, |f| f.span);
            let extra = self.parser.tree.fields.get(1).map(|f| f.span);
            let (place, message) = match extra {
                Some(extra) => (extra, format!("`{}` cannot stand after the name", extra.of(self.text))),
                None => (place, format!("`{word}` takes one {}", if must_be_quoted { "quoted name" } else { "name" })),
            };
            let mut diagnostic = Diagnostic::new(&MALFORMED_DIRECTIVE, place, message);
            if extra.is_none() && !self.parser.tree.fields.is_empty() {
                let value = Span::new(directive.end, statement.end);
                let value = super::declaration::trim(value, self.text);
                diagnostic = diagnostic.replace(value, format!("\"{}\"", value.of(self.text)), must_be_quoted);
            }
            self.report(diagnostic);
        }
        let found = found?;
        if found.of(self.text).starts_with('"') {
            return Some(found);
        }
        match words::reserved(found.of(self.text)) {
            words::Reserved::Always => {
                let word = found.of(self.text);
                self.report(
                    Diagnostic::new(&super::declaration::RESERVED_WORD, found, format!("`{word}` is a reserved word and cannot be a name"))
                        .replace(found, format!("\"{word}\""), true),
                );
            }
            words::Reserved::No | words::Reserved::SinceVersion42 => {}
        }
        Some(found)
    }

    fn object_directive(&mut self, statement: Span, name: Span, kind: ObjectKind) {
        let name = self.one_name(statement, name, false).unwrap_or(Span::at(statement.end));
        self.open_object(statement, name, kind);
    }

    fn debug_directive(&mut self, statement: Span, name: Span, word: &str) {
        let fine = match *self.parser.tree.fields.as_slice() {
            [Field { value: Value::Expr(id), key, .. }] if key.is_empty() => {
                let kind = self.parser.tree.expr(id).kind;
                kind == if word == ".file" { ExprKind::String } else { ExprKind::Dec }
            }
            _ => false,
        };
        if !fine {
            let takes = if word == ".file" { "a quoted file name" } else { "a decimal line number" };
            let place = self.parser.tree.fields.first().map_or(name, |f| f.span.to(Span::at(statement.end)));
            self.report(Diagnostic::new(&MALFORMED_DIRECTIVE, place, format!("`{word}` takes {takes}")));
        } else if let (".file", Some(too_long)) = (word, self.parser.tree.fields.first().and_then(|f| long_file_name(f.span))) {
            self.report(too_long);
        }
    }

    fn implicit(&mut self, name: Span, word: &str) {
        let kind = word.strip_prefix(".implicit_").unwrap_or("");
        let known = words::IMPLICIT_KINDS.iter().any(|k| match k.strip_suffix('_') {
            Some(front) => kind.strip_prefix(front).and_then(|k| k.strip_prefix('_')).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())),
            None => kind == *k,
        });
        if !known {
            self.report(
                Diagnostic::new(&UNKNOWN_DIRECTIVE, name, format!("`{word}` is not a kind of implicit input"))
                    .help("they are `.implicit_LOCAL_SIZE`, `.implicit_GROUP_COUNT`, `.implicit_LOCAL_ID`, `.implicit_PSEUDO_INPUT` and `.implicit_UNDEFINED_<n>`"),
            );
        }
        self.input(name, true);
    }

    fn input(&mut self, directive: Span, is_implicit: bool) {
        self.need_object(directive);
        let Some(first) = self.parser.tree.fields.first().copied() else {
            let word = directive.of(self.text);
            self.report(Diagnostic::new(&MALFORMED_DIRECTIVE, directive, format!("`{word}` takes the name of a variable")));
            return;
        };
        let Some(name_span) = self.bare_name(&first) else {
            self.report(Diagnostic::new(&MALFORMED_DIRECTIVE, first.span, format!("`{}` is not the name of a variable", first.span.of(self.text))));
            return;
        };
        let mut offset = (0, Span::default());
        let mut size = None;
        let mut next = 0;
        for i in 1..self.parser.tree.fields.len() {
            let field = self.parser.tree.fields[i];
            let key = field.key.of(self.text);
            self.check_blanks(&field);
            let value = super::declaration::trim(Span::new(field.equal.end, field.span.end), self.text);
            match key {
                "offset" if next == 0 => {
                    next = 1;
                    offset = (self.field_constant(&field).unwrap_or(-1), value);
                }
                "size" if next <= 1 => {
                    next = 2;
                    size = Some((self.field_constant(&field).unwrap_or(-1), value));
                }
                "attrs" if is_implicit && next <= 2 => next = 3,
                _ => {
                    let message = if field.key.is_empty() {
                        format!("`{}` cannot stand here", field.span.of(self.text))
                    } else {
                        format!("`{key}=` cannot stand here")
                    };
                    self.report(Diagnostic::new(&MALFORMED_DIRECTIVE, field.span, message).help("write `.input V32 offset=32 size=32`"));
                    break;
                }
            }
        }
        let name = name_span.of(self.text);
        if name.starts_with('%') {
            self.report(Diagnostic::new(&WRONG_INPUT_KIND, name_span, format!("the predefined variable `{name}` cannot be an input")));
            return;
        }
        let Some(variable) = self.use_variable(name_span) else { return };
        let row = self.program.variables[variable];
        if matches!(row.kind, VariableKind::Address | VariableKind::Predicate) {
            let place = self.program.variable_spans[variable].name;
            let message = format!("`{name}` is {} {} variable and cannot be an input", super::declaration::article(row.kind), row.kind.word());
            self.report(Diagnostic::new(&WRONG_INPUT_KIND, name_span, message).also(place, "declared here"));
            return;
        }
        self.program.variables[variable].flags |= FLAG_INPUT;
        let own = i64::from(row.n_elements) * i64::from(row.element_bytes());
        let (size, size_span) = size.unwrap_or((own, Span::default()));
        self.program.inputs.push(Input {
            variable,
            offset: offset.0,
            size,
            is_implicit,
            directive,
            name_span,
            offset_span: offset.1,
            size_span,
        });
    }

    fn kernel_attribute(&mut self, statement: Span, directive: Span) {
        self.need_object(directive);
        let (name_span, value_field) = match *self.parser.tree.fields.as_slice() {
            [field] if field.key.is_empty() && self.value_name(field.value).is_some() => (field.span, None),
            [field] if !field.key.is_empty() => (field.key, Some(field)),
            [] => {
                self.report(Diagnostic::new(&MALFORMED_DIRECTIVE, directive, "`.kernel_attr` takes the name of an attribute"));
                return;
            }
            [field, ..] => {
                let place = self.parser.tree.fields.get(1).map_or(field.span, |f| f.span);
                self.report(Diagnostic::new(&MALFORMED_DIRECTIVE, place, format!("`{}` cannot stand here", place.of(self.text))).help("write `.kernel_attr Name=value`"));
                return;
            }
        };
        let word = name_span.of(self.text);
        let known = words::KERNEL_ATTRIBUTES.iter().find(|a| a.name == word).copied();
        if known.is_none() {
            self.report_unknown_attribute(name_span, words::KERNEL_ATTRIBUTES, words::VARIABLE_ATTRIBUTES, "a variable, not of a kernel");
        }
        let (value, value_span) = match value_field.map(|f| (f.value, f)) {
            None | Some((Value::None, _)) => (AttributeValue::None, Span::default()),
            Some((Value::Expr(id), _)) => {
                let expr = *self.parser.tree.expr(id);
                match expr.kind {
                    ExprKind::String => (AttributeValue::Text(expr.span), expr.span),
                    ExprKind::Name(name, Arguments::None) if name.of(self.text) != "%DispatchSimd" => {
                        let message = format!("the value `{}` has to be a number or a quoted string", name.of(self.text));
                        self.report(Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, expr.span, message).replace(expr.span, format!("\"{}\"", name.of(self.text)), true));
                        return;
                    }
                    _ => match self.constant(id) {
                        Some(number) => (AttributeValue::Number(number), expr.span),
                        None => return,
                    },
                }
            }
            Some((_, field)) => {
                self.report(Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, field.span, "an attribute takes a number, a quoted string, or nothing"));
                return;
            }
        };
        if let (AttributeValue::Number(size), "SimdSize" | "DispatchSimdSize") = (value, word) {
            self.dispatch_simd = Some(size);
        }
        let name = self.program.names.intern(word);
        let attribute = Attribute { name, name_span, value, value_span, statement };
        self.program.attributes.push(attribute);
        if let Some(known) = known {
            self.check_attribute_value(&known, &attribute);
        }
    }

    fn check_attribute_value(&mut self, known: &words::KnownAttribute, attribute: &Attribute) {
        let name = known.name;
        let (message, level) = match (known.kind, attribute.value) {
            (AttributeKind::Number, AttributeValue::Text(span)) => {
                let written = span.of(self.text);
                let inner = unquoted(written);
                let code = inner.bytes().next().unwrap_or(0);
                let mut diagnostic = Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, span, format!("`{name}` takes a number, not the string `{written}`"))
                    .note(format!("the character code {code} of the first character is taken as the number"));
                if !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_digit()) {
                    diagnostic = diagnostic.replace(span, inner, true);
                }
                self.report(diagnostic);
                return;
            }
            (AttributeKind::Bool, AttributeValue::Number(_) | AttributeValue::Text(_)) => {
                (format!("`{name}` takes no value: it is set whatever stands after `=`"), crate::base::rule::Level::Warning)
            }
            (AttributeKind::Text, AttributeValue::Number(_)) => (format!("`{name}` takes a quoted string"), crate::base::rule::Level::Error),
            _ => return,
        };
        self.report(Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, attribute.value_span, message).level(level));
    }

    /// Checks the values in `attrs={...}`.
    pub(super) fn variable_attribute_values(&mut self, _field: &Field) {
        for i in 0..self.parser.tree.attributes.len() {
            let attribute = self.parser.tree.attributes[i];
            let word = attribute.name.of(self.text);
            let Some(known) = words::VARIABLE_ATTRIBUTES.iter().find(|a| a.name == word) else { continue };
            let is_string = attribute.value.is_some_and(|v| self.parser.tree.expr(v).kind == ExprKind::String);
            if !is_string {
                self.optional_constant(attribute.value);
            }
            let Some(value) = attribute.value.map(|v| self.parser.tree.expr(v).span) else { continue };
            if known.kind == AttributeKind::Bool {
                self.report(
                    Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, value, format!("`{word}` takes no value: it is set whatever stands after `=`"))
                        .level(crate::base::rule::Level::Warning)
                        .replace(Span::new(attribute.name.end, value.end), "", true),
                );
            } else if is_string {
                self.report(Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, value, format!("`{word}` takes a number")));
            }
        }
    }
}
