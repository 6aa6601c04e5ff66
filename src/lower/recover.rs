//! What later lines may refer to in a line that could not be parsed.

use super::Lowering;
use crate::base::span::Span;
use crate::program::object::ObjectKind;
use crate::program::variable;
use crate::spec::words;
use crate::syntax::token::{Token, TokenKind};

impl Lowering<'_> {
    /// Takes from a line that could not be parsed what later lines may refer to.
    pub(super) fn recover(&mut self, span: Span, tokens: &[Token]) {
        let first = tokens[0].span().of(self.text);
        if first == ".version" {
            self.note_version(tokens[0].span());
            self.program.version.get_or_insert((4, 1, span));
        } else {
            self.need_version(tokens[0].span());
        }
        let name = name_in(&tokens[1..]);
        match first {
            ".decl" => match name {
                Some(name) => {
                    if self.is_declarable(name) {
                        self.need_object(name);
                        self.declare_broken(span, name, tokens);
                    }
                }
                None => self.note_nameless(span),
            },
            ".kernel" => self.open_object(span, name.unwrap_or(Span::at(span.end)), ObjectKind::Kernel),
            ".global_function" => self.open_object(span, name.unwrap_or(Span::at(span.end)), ObjectKind::Function),
            ".function" => {
                if let Some(name) = name {
                    self.need_object(name);
                    self.label(name, true);
                }
            }
            ".input" => match name {
                Some(name) => {
                    if let Some(variable) = self.find_variable(name.of(self.text)) {
                        self.program.variables[variable].flags |= variable::FLAG_INPUT;
                    }
                }
                None => self.lose_input(),
            },
            directive if directive.starts_with('.') => {
                let is_label = tokens.len() == 2 && tokens[1].kind == TokenKind::Colon;
                if is_label && !words::DIRECTIVES.contains(&directive) {
                    // A label with a dot too many: branches to the name behind it lead here.
                    self.need_object(tokens[0].span());
                    self.label(Span::new(span.start + 1, tokens[0].end), false);
                }
            }
            _ => {
                let is_label = tokens.len() > 1 && tokens[tokens.len() - 1].kind == TokenKind::Colon;
                if is_label && !span.of(self.text).contains('(') {
                    // A label whose name is no name: branches to it still lead here.
                    self.need_object(tokens[0].span());
                    self.label(Span::new(span.start, span.end - 1).trimmed(self.text), false);
                } else {
                    self.need_object(tokens[0].span());
                    self.broken_instruction(span);
                }
            }
        }
        self.note_broken_line();
        let is_value = tokens.len() > 1 && tokens[tokens.len() - 2].kind == TokenKind::Equal;
        if let Some(brace) = tokens.last().filter(|t| t.kind == TokenKind::BraceOpen && !is_value) {
            // What closes it stands somewhere below.
            self.scopes.push((self.undo.len(), brace.span()));
        }
    }
}

/// The name in a line that could not be parsed: the first one, unless it is the key of a field.
fn name_in(tokens: &[Token]) -> Option<Span> {
    let is_name = |t: &Token| matches!(t.kind, TokenKind::Word | TokenKind::Percent | TokenKind::String);
    let first = tokens.iter().position(is_name)?;
    let is_key = tokens.get(first + 1).is_some_and(|t| t.kind == TokenKind::Equal);
    (!is_key).then(|| tokens[first].span())
}
