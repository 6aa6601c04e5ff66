//! What later lines may refer to in a line that could not be parsed.

use super::Lowering;
use crate::base::span::Span;
use crate::program::object::ObjectKind;
use crate::program::variable;
use crate::spec::{self, words};
use crate::syntax::token::{Token, TokenKind};

impl Lowering<'_> {
    /// Takes from a line that could not be parsed what later lines may refer to.
    pub(super) fn recover(&mut self, span: Span, tokens: &[Token]) {
        let mut tokens = tokens;
        let mut first = tokens[0].span().of(self.text);
        if let [dot, name, ..] = tokens
            && dot.kind == TokenKind::Dot
            && let Some(directive) = directive_of(name.span().of(self.text))
        {
            // `..decl V5`, `. decl V5`
            first = directive;
            tokens = &tokens[1..];
        }
        // `@kernel "k"` opens what follows all the same, and `&.version 4.1` says its version.
        let is_opening = self.program.objects.is_empty()
            && tokens[0].kind != TokenKind::Word
            && !words::DIRECTIVES.contains(&first)
            && tokens.iter().any(|t| t.kind == TokenKind::String);
        let first = if is_opening { ".kernel" } else { first };
        let is_version = self.program.version.is_none() && tokens.iter().any(|t| t.span().of(self.text) == ".version");
        let first = if is_version { ".version" } else { first };
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
                Some(name) => match self.find_variable(name.of(self.text)) {
                    Some(variable) => self.program.variables[variable].flags |= variable::FLAG_INPUT,
                    None => self.lose_input(),
                },
                None => self.lose_input(),
            },
            directive if directive.starts_with('.') => {
                let is_label = tokens.len() == 2 && tokens[1].kind == TokenKind::Colon;
                if words::DIRECTIVES.contains(&directive) {
                } else if is_label {
                    // A label with a dot too many: branches to the name behind it lead here.
                    self.need_object(tokens[0].span());
                    self.label(Span::new(span.start + 1, tokens[0].end), false);
                } else if spec::lookup(&directive[1..]).is_some() {
                    self.need_object(tokens[0].span());
                    self.broken_instruction(span);
                } else {
                    // `.reg .f32 V5`
                    self.declare_words(span, &tokens[1..]);
                }
            }
            _ => {
                let is_label = tokens.len() > 1 && tokens[tokens.len() - 1].kind == TokenKind::Colon;
                let word = tokens.iter().find(|t| t.kind == TokenKind::Word).map_or("", |t| t.span().of(self.text));
                if is_label && !span.of(self.text).contains('(') {
                    // A label whose name is no name, or with a word before it: branches to it still lead here.
                    self.need_object(tokens[0].span());
                    let name = match tokens {
                        [_, name, _] if name.kind == TokenKind::Word => name.span(),
                        _ => Span::new(span.start, span.end - 1).trimmed(self.text),
                    };
                    self.label(name, false);
                } else if spec::lookup(word).is_none() && self.is_at_declarations() {
                    // `float sum;`, as variables are declared elsewhere, or `,decl sum v_type=G`.
                    self.need_object(tokens[0].span());
                    self.declare_words(span, &tokens[1..]);
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

impl Lowering<'_> {
    /// Whether neither a label nor an instruction of the object has been read.
    fn is_at_declarations(&self) -> bool {
        self.program.objects.iter().last().is_some_and(|object| {
            object.instructions.start as usize == self.program.instructions.len()
                && object.labels.start as usize == self.program.labels.len()
        })
    }

    /// Declares the names of a line among the declarations that is none, so that their uses are not reported as well.
    fn declare_words(&mut self, span: Span, tokens: &[Token]) {
        if !self.is_at_declarations() {
            return;
        }
        for (i, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Word) {
            let name = token.span();
            let is_key = tokens.get(i + 1).is_some_and(|next| next.kind == TokenKind::Equal);
            let is_value = i > 0 && tokens[i - 1].kind == TokenKind::Equal;
            if !is_key && !is_value && spec::lookup(name.of(self.text)).is_none() {
                self.declare_broken(span, name, tokens);
            }
        }
    }
}

/// The directive that a word is, with or without its dot.
fn directive_of(word: &str) -> Option<&'static str> {
    let bare = word.strip_prefix('.').unwrap_or(word);
    words::DIRECTIVES.iter().find(|directive| &directive[1..] == bare).copied()
}

/// The name in a line that could not be parsed: the first one, unless it is the key of a field.
fn name_in(tokens: &[Token]) -> Option<Span> {
    let is_name = |t: &Token| matches!(t.kind, TokenKind::Word | TokenKind::Percent | TokenKind::String);
    let first = tokens.iter().position(is_name)?;
    let is_key = tokens.get(first + 1).is_some_and(|t| t.kind == TokenKind::Equal);
    (!is_key).then(|| tokens[first].span())
}
