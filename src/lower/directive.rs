//! Directives other than `.decl`.

use super::expression::DECIMAL_OVERFLOW;
use super::object::NESTED_KERNEL;
use super::{Lowering, unquoted};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::program::object::ObjectKind;
use crate::spec::words;
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
    pub MALFORMED_DIRECTIVE = "malformed-directive", Error, "4_visa_header",
        help = "write the directive as its form says: `.loc 12` is the line 12 of the file that `.file` names"
}

crate::declare_rule! {
    /// `.version` is missing, is not the first statement, or stands twice. It names the version of the text format, once
    /// per file. An asm statement has none.
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
    /// A name that the manual does not allow, or that does not survive being disassembled: names of kernels have 1 to 1023
    /// characters and no dots, those of functions no `$` either; names of variables have at most 64 characters, labels 1024,
    /// source files 255.
    ///
    /// ```visa bad
    /// // pedantic
    /// .version 4.1
    /// .kernel "resize.x2"
    /// .kernel_attr Target="3d"
    /// ret (M1, 1)
    /// ```
    /// ```visa good
    /// // pedantic
    /// .version 4.1
    /// .kernel "resize_x2"
    /// .kernel_attr Target="3d"
    /// ret (M1, 1)
    /// ```
    pub UNPORTABLE_NAME = "unportable-name", Pedantic, "4_visa_header",
        help = "choose a shorter or plainer name, of letters, digits and `_`"
}

/// Longest name of a source file, without its quotes.
pub const MAX_FILE_NAME_LENGTH: u32 = 255;

/// The finding for a file name that is too long; the span holds the quotes.
#[must_use]
pub fn long_file_name(span: Span) -> Option<Diagnostic> {
    let length = span.len().saturating_sub(2);
    (length > MAX_FILE_NAME_LENGTH).then(|| {
        let message = format!("a file name of {length} characters");
        Diagnostic::new(&UNPORTABLE_NAME, span, message).note(format!("the manual allows {MAX_FILE_NAME_LENGTH}"))
    })
}

impl Lowering<'_> {
    /// Reads the directive whose fields are in the tree.
    pub(super) fn directive(&mut self, statement: Span, name: Span) {
        let written = name.of(self.text);
        // What these say changes no meaning of what follows, but for the names that are declared.
        if !matches!(written, ".decl" | ".loc" | ".file") {
            self.alike.forget();
        }
        // A directive without its dot was reported.
        let bare = written.strip_prefix('.').unwrap_or(written);
        let known = words::DIRECTIVES.iter().copied().find(|d| d[1..] == *bare);
        let known = known.or(Some(written).filter(|word| word.starts_with(".implicit")));
        let meant = match known {
            Some(known) if self.glued_directive(name).is_none() => Some(known),
            _ => self.meant_directive(name),
        };
        if meant != Some(".version") {
            self.need_version(name);
        }
        let Some(word) = meant else { return };
        if self.is_statement() && self.is_of_whole_text(name, word) {
            return;
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
            _ => self.implicit(name, word),
        }
    }

    /// Reports a directive that no statement of a host may hold, since its text becomes a part of a kernel. Returns whether it
    /// is one.
    fn is_of_whole_text(&mut self, name: Span, word: &str) -> bool {
        let diagnostic = match word {
            ".version" => {
                let message = "`.version` cannot stand in an asm statement: the text around it has one already";
                Diagnostic::new(&MISPLACED_VERSION, name, message).help("leave it out")
            }
            ".kernel" | ".global_function" => {
                let message = format!("`{word}` cannot stand in an asm statement, which is a part of a kernel itself");
                Diagnostic::new(&NESTED_KERNEL, name, message)
            }
            _ => return false,
        };
        self.report(diagnostic);
        true
    }

    fn version(&mut self, statement: Span, name: Span) {
        self.note_version(name);
        match *self.parser.tree.fields.as_slice() {
            [Field { value: Value::Version(major, minor), key, .. }] if key.is_empty() => {
                let [major, minor] =
                    [major, minor].map(|s| number::dotted(s.of(self.text)).written.min(u64::from(u32::MAX)) as u32);
                if self.program.version.is_none() {
                    self.program.version = Some((major, minor, statement));
                }
            }
            _ => {
                self.program.version.get_or_insert((4, 1, statement));
                let value = Span::new(name.end, statement.end).trimmed(self.text);
                let diagnostic = Diagnostic::new(
                    &MALFORMED_DIRECTIVE,
                    if value.is_empty() { name } else { value },
                    "`.version` takes two decimal numbers: `.version 4.1`",
                );
                let inner = value.of(self.text).trim_matches('"');
                let is_quoted = inner.len() + 2 == value.of(self.text).len() && inner.split_once('.').is_some();
                self.report(if is_quoted { diagnostic.replace(value, inner, true) } else { diagnostic });
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
                        ExprKind::Name(name, Arguments::None)
                            if !must_be_quoted && !name.of(self.text).starts_with('%') =>
                        {
                            Some(expr.span)
                        }
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
                let value = value.trimmed(self.text);
                diagnostic = diagnostic.replace(value, format!("\"{}\"", value.of(self.text)), must_be_quoted);
            }
            self.report(diagnostic);
        }
        let found = found?;
        if found.of(self.text).starts_with('"') {
            return Some(found);
        }
        let word = found.of(self.text);
        if self.is_reserved(word) {
            let message = format!("`{word}` is a reserved word and cannot be a name");
            self.report(Diagnostic::new(&super::declaration::RESERVED_WORD, found, message).replace(
                found,
                format!("\"{word}\""),
                true,
            ));
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
            return;
        }
        let Some(value) = self.parser.tree.fields.first().map(|f| f.span) else { return };
        if word == ".loc" {
            let number = number::number(value.of(self.text));
            // Lines are counted without a sign.
            if number.written > u64::from(u32::MAX) {
                let message = format!("the line number `{}` does not fit 32 bits", value.of(self.text));
                let diagnostic = Diagnostic::new(&DECIMAL_OVERFLOW, value, message).level(Level::Warning);
                self.report(diagnostic.note("a larger number is read as another one"));
            }
        } else if let Some(too_long) = long_file_name(value) {
            self.report(too_long);
        }
    }
}
