//! Syntax errors, in words that depend on where in the statement the fault stands.

mod bracket;
mod character;
mod directive;
mod ending;
mod number;
mod opening;
mod separator;

use super::token::{Token, TokenKind};
use crate::base::diagnostic::{Diagnostic, Edit, Fix};
use crate::base::fix::NEW_LINE;
use crate::base::span::Span;
use crate::spec::words;

crate::declare_rule! {
    /// Text that is not a statement: a character without meaning, an unclosed parenthesis, a word where none may stand.
    /// No assembler reads such a line, and the reference stops at it. Checking goes on with the next line.
    ///
    /// ```visa bad
    /// mov (M1, 8 VD(0,0)<1> 0x1:d
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// ```
    pub SYNTAX_ERROR = "syntax-error", Error, "8_appendix_visa_assembly_syntax"
}

crate::declare_rule! {
    /// A comma between two operands. vISA separates operands by blanks; commas stand only inside parentheses, brackets
    /// and regions.
    ///
    /// ```visa bad
    /// add (M1, 8) VD(0,0)<1>, VD(1,0)<8;8,1>, 0x1:d
    /// ```
    /// ```visa good
    /// add (M1, 8) VD(0,0)<1> VD(1,0)<8;8,1> 0x1:d
    /// ```
    pub COMMA_BETWEEN_OPERANDS = "comma-between-operands", Error, "8_appendix_visa_assembly_syntax"
}

crate::declare_rule! {
    /// A label that does not begin in the first column. The reference reads labels only there; anywhere else the
    /// colon is a syntax error.
    ///
    /// ```visa bad
    ///   again:
    /// ```
    /// ```visa good
    /// again:
    /// ```
    pub INDENTED_LABEL = "indented-label", Error, "8_appendix_visa_assembly_syntax"
}

/// A statement that could not be parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// What is wrong with it.
    pub diagnostic: Box<Diagnostic>,
    /// Its tokens, all forms taken apart.
    pub tokens: Vec<Token>,
}

impl SyntaxError {
    /// The error that `tokens[index]` cannot stand where it does; `index` may be one past the last token.
    #[must_use]
    pub fn at(text: &str, tokens: Vec<Token>, index: usize) -> Self {
        let place = Place { text, tokens: &tokens, index: index.min(tokens.len()) };
        Self { diagnostic: Box::new(place.describe()), tokens }
    }

    /// The error in a string that `fault` describes.
    #[must_use]
    pub fn in_string(fault: Diagnostic, tokens: Vec<Token>) -> Self {
        Self { diagnostic: Box::new(fault), tokens }
    }

    /// The error that a statement is too long.
    #[must_use]
    pub fn too_long(tokens: &[Token]) -> Self {
        let first = tokens.first().map_or(Span::default(), |t| t.span());
        let message = format!("this statement has more than {} words and signs", super::lexer::MAX_TOKENS);
        Self { diagnostic: Box::new(error(first, message)), tokens: tokens.to_vec() }
    }

    /// The error that an expression is nested too deeply.
    #[must_use]
    pub fn too_deep(span: Span, tokens: &[Token]) -> Self {
        let place = Span::new(span.start, span.end.min(span.start + 1));
        let message = format!("this expression is nested more than {} levels deep", super::tree::MAX_DEPTH);
        Self { diagnostic: Box::new(error(place, message)), tokens: tokens.to_vec() }
    }
}

/// Where in which statement the parser stopped.
#[derive(Clone, Copy)]
struct Place<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// The token that cannot stand there; one past the last one if the line ends too early.
    index: usize,
}

fn error(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&SYNTAX_ERROR, span, message)
}

/// A fix of several edits, or one with a title of its own.
fn change(title: impl Into<String>, edits: Vec<(Span, &str)>, certain: bool) -> Fix {
    let edits = edits.into_iter().map(|(span, text)| Edit { span, text: text.to_owned() }).collect();
    Fix { title: title.into(), edits, certain }
}

impl<'a> Place<'a> {
    /// The token at a place of the statement.
    fn at(&self, index: usize) -> Option<Token> {
        self.tokens.get(index).copied()
    }

    /// The kind of the token at a place of the statement.
    fn kind(&self, index: usize) -> Option<TokenKind> {
        self.at(index).map(|t| t.kind)
    }

    /// The kinds of the tokens from a place on.
    fn starts_with(&self, index: usize, kinds: &[TokenKind]) -> bool {
        self.tokens.get(index..index + kinds.len()).is_some_and(|t| t.iter().zip(kinds).all(|(t, k)| t.kind == *k))
    }

    /// The text of a token.
    fn text(&self, token: Token) -> &'a str {
        token.span().of(self.text)
    }

    /// The token before the place.
    fn last(&self) -> Option<Token> {
        self.index.checked_sub(1).and_then(|i| self.at(i))
    }

    /// Whether no blank stands between two tokens.
    fn is_glued(first: Token, second: Token) -> bool {
        first.end == second.start
    }

    fn is_directive(&self) -> bool {
        self.kind(0) == Some(TokenKind::DotWord)
    }

    /// The place of the mnemonic; nothing if the predicate before it is not closed.
    fn mnemonic(&self) -> Option<usize> {
        match self.kind(0)? {
            TokenKind::Open => {
                let mut depth = 0u32;
                for (i, token) in self.tokens.iter().enumerate() {
                    match token.kind {
                        TokenKind::Open | TokenKind::CallOpen => depth += 1,
                        TokenKind::Close => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        return Some(i + 1);
                    }
                }
                None
            }
            TokenKind::SourceModifier | TokenKind::Exec | TokenKind::Pair => Some(1),
            _ => Some(0),
        }
    }

    /// The place after mnemonic and modifiers, where the execution mask and size stand.
    fn execution(&self) -> Option<usize> {
        let mut i = self.mnemonic()? + 1;
        while let Some(
            TokenKind::DotWord
            | TokenKind::DotNumber
            | TokenKind::DotHex
            | TokenKind::DotFormat
            | TokenKind::DotOptions
            | TokenKind::Dot,
        ) = self.kind(i)
        {
            i += 1;
        }
        Some(i)
    }

    fn describe(&self) -> Diagnostic {
        let Some(token) = self.at(self.index) else { return ending::describe(self) };
        match token.kind {
            TokenKind::Error => return character::describe(self.text, token, self.index == 0),
            TokenKind::UnclosedString => return character::unclosed_string(self.text, token),
            _ => {}
        }
        let openings = opening::before(self, self.index);
        if self.is_directive()
            && self.index > 0
            && let Some(diagnostic) = directive::describe(self, token, &openings)
        {
            return diagnostic;
        }
        if let Some(diagnostic) = number::describe(self, token, &openings) {
            return diagnostic;
        }
        if let Some(diagnostic) = bracket::stray(self, token, &openings) {
            return diagnostic;
        }
        if let Some(diagnostic) = separator::describe(self, token, &openings) {
            return diagnostic;
        }
        match openings.last() {
            Some((opening, at)) => bracket::inside(self, token, *opening, *at),
            None => self.outside(token),
        }
    }

    /// A token outside all brackets.
    fn outside(&self, token: Token) -> Diagnostic {
        let span = token.span();
        let written = self.text(token);
        if self.index == 0 {
            return self.at_start(token);
        }
        let last = self.last().unwrap_or(token);
        match token.kind {
            TokenKind::SourceModifier if last.kind == TokenKind::SourceModifier => {
                let both = last.span().to(span);
                let diagnostic = error(span, "an operand takes one source modifier");
                return match (self.text(last), written) {
                    ("(-)", "(abs)") => diagnostic.replace(both, "(-abs)", true),
                    _ => diagnostic.help("remove one of them"),
                };
            }
            TokenKind::SourceModifier if last.kind == TokenKind::Minus && written == "(abs)" => {
                let both = last.span().to(span);
                return error(both, "the source modifier is written `(-abs)`").replace(both, "(-abs)", true);
            }
            TokenKind::Exec | TokenKind::DotWord
                if self.is_directive()
                    && last.kind == TokenKind::Word
                    && crate::spec::lookup(self.text(last)).is_some() =>
            {
                let name = self.text(last);
                let gap = Span::new(self.tokens[self.index - 2].end, last.start);
                return error(last.span(), format!("a statement ends with its line: `{name}` begins another one"))
                    .fix(change(NEW_LINE, vec![(gap, "\n")], true));
            }
            TokenKind::Exec | TokenKind::Open
                if self.index == 1
                    && last.kind == TokenKind::DotWord
                    && crate::spec::lookup(&self.text(last)[1..]).is_some() =>
            {
                let dot = Span::new(last.start, last.start + 1);
                let word = &self.text(last)[1..];
                return error(last.span(), format!("no dot stands before the mnemonic `{word}`"))
                    .replace(dot, "", true);
            }
            TokenKind::Exec => {
                return error(span, format!("`{written}` has to stand right after the mnemonic and its modifiers"));
            }
            TokenKind::Open if self.mnemonic() == Some(self.index) => {
                return error(span, "only one predicate may stand before an instruction");
            }
            TokenKind::BraceOpen => return self.brace(token),
            TokenKind::DotHex
                if matches!(last.kind, TokenKind::Word | TokenKind::Percent) || last.kind == TokenKind::DotNumber =>
            {
                let decimal = super::number::dotted(written).written;
                return error(span, format!("the byte offset of a raw operand is decimal, not `{written}`")).replace(
                    span,
                    format!(".{decimal}"),
                    true,
                );
            }
            TokenKind::DotWord
                if last.kind == TokenKind::BracketClose
                    && matches!(written, ".a16" | ".a32" | ".a64" | ".a32u" | ".a32s") =>
            {
                let dot = Span::new(span.start, span.start + 1);
                return error(span, format!("the size of an address follows a colon: `:{}`", &written[1..]))
                    .replace(dot, ":", true);
            }
            TokenKind::DotWord => {
                return error(span, format!("the modifier `{written}` cannot stand after `{}`", self.text(last)))
                    .help("modifiers stand between the mnemonic and the execution size");
            }
            TokenKind::Less if last.kind == TokenKind::Close => {
                return error(span, "a region cannot follow a parenthesised expression");
            }
            TokenKind::Less if self.execution() == Some(self.index) => {
                return error(span, "the execution mask and size stand in parentheses, as in `(M1, 16)`");
            }
            TokenKind::SourceRegion | TokenKind::Stride | TokenKind::Less if last.kind == TokenKind::BracketClose => {
                return bracket::region_after_index(self);
            }
            TokenKind::Minus if last.kind == TokenKind::Dot => {
                return error(span, "the byte offset of a raw operand cannot be negative");
            }
            TokenKind::DotNumber if last.kind == TokenKind::Dot => {
                return error(last.span().to(span), format!("`.{written}` is not an offset: one dot is too many"))
                    .replace(last.span(), "", true);
            }
            _ if last.kind == TokenKind::Dot && self.execution().is_some_and(|at| at < self.index) => {
                return error(last.span(), "an offset is missing after the dot")
                    .help("write `.0`, or leave the dot out of an operand with row and column");
            }
            _ => {}
        }
        error(span, format!("`{written}` cannot stand after `{}`", self.text(last)))
            .help("remove it, or write what is missing before it")
    }

    /// A token that no statement begins with.
    fn at_start(&self, token: Token) -> Diagnostic {
        let written = self.text(token);
        let span = token.span();
        let predicate = match (token.kind, self.kind(1)) {
            (TokenKind::Bang, Some(TokenKind::Word)) => {
                self.at(1).map(|name| (span.to(name.span()), format!("({}{})", written, self.text(name))))
            }
            (TokenKind::BracketOpen, Some(TokenKind::Word)) if self.kind(2) == Some(TokenKind::BracketClose) => self
                .at(2)
                .zip(self.at(1))
                .map(|(close, name)| (span.to(close.span()), format!("({})", self.text(name)))),
            _ => None,
        };
        if let Some((place, meant)) = predicate {
            return error(place, "a predicate stands in parentheses").replace(place, meant, true);
        }
        let diagnostic = match token.kind {
            TokenKind::Dec if self.starts_with(1, &[TokenKind::Word, TokenKind::Colon]) => {
                return error(span, "a label cannot begin with a digit")
                    .help("it begins with a letter, `_`, `$`, `@` or `?`");
            }
            TokenKind::String if self.kind(1) == Some(TokenKind::Colon) => {
                return error(span, "a label is not quoted where it stands").replace(
                    span,
                    written.trim_matches('"'),
                    true,
                );
            }
            TokenKind::Dec | TokenKind::Hex => {
                error(span, format!("a statement cannot begin with the number `{written}`"))
            }
            TokenKind::Dot => match self.at(1).map(|next| (next, self.text(next).trim_start_matches('.'))) {
                Some((next, word)) if words::DIRECTIVES.iter().any(|directive| directive[1..] == *word) => {
                    let surplus = if next.kind == TokenKind::Word { Span::new(span.end, next.start) } else { span };
                    return error(span.to(next.span()), format!("the directive is written `.{word}`"))
                        .replace(surplus, "", true);
                }
                _ => error(span, "a statement cannot begin with `.`"),
            },
            _ => error(span, format!("a statement cannot begin with `{written}`")),
        };
        diagnostic.help("a line holds a directive such as `.decl`, a label in the first column, or an instruction")
    }

    /// A brace after something else on the line.
    fn brace(&self, token: Token) -> Diagnostic {
        let span = token.span();
        if self.execution() == Some(self.index) && self.index + 1 < self.tokens.len() {
            return error(span, "the execution mask and size stand in parentheses, as in `(M1, 16)`");
        }
        if self.index + 1 == self.tokens.len() {
            return error(span, "`{` opens a scope and stands on a line of its own");
        }
        if self.last().is_some_and(|last| {
            matches!(last.kind, TokenKind::Close | TokenKind::CallPair) && Self::is_glued(last, token)
        }) {
            let rest = &self.tokens[self.index..];
            let diagnostic = error(span, "a region stands in angle brackets: `<8;8,1>`");
            return match rest.iter().find(|t| t.kind == TokenKind::BraceClose) {
                Some(close) => {
                    let inner = Span::new(token.end, close.start).of(self.text);
                    let edits = vec![(span, "<"), (close.span(), ">")];
                    diagnostic.fix(change(format!("write `<{inner}>`"), edits, true))
                }
                None => diagnostic,
            };
        }
        let diagnostic = error(span, "`{` cannot stand after an instruction")
            .help("to switch the execution mask off, write `_NM` after the mask: `(M1_NM, 16)`");
        let is_no_mask = self.at(self.index + 1).is_some_and(|t| self.text(t).eq_ignore_ascii_case("NoMask"));
        let close =
            self.at(self.index + 2).filter(|t| t.kind == TokenKind::BraceClose && self.index + 3 == self.tokens.len());
        match (close, self.written_mask()) {
            (Some(close), Some(mask)) if is_no_mask => {
                let before = self.last().map_or(span.start, |t| t.end);
                let meant = format!("{}_NM", mask.of(self.text));
                diagnostic.fix(change(
                    format!("write `{meant}`"),
                    vec![(Span::at(mask.end), "_NM"), (Span::new(before, close.end), "")],
                    true,
                ))
            }
            _ => diagnostic,
        }
    }

    /// The mask in the parentheses after the mnemonic, if it is one without `_NM`.
    fn written_mask(&self) -> Option<Span> {
        let open = self.at(self.execution()?)?;
        let mask = match open.kind {
            TokenKind::Exec => {
                let comma = self.text(open).find(',')? as u32;
                Span::new(open.start + 1, open.start + comma)
            }
            TokenKind::Open => self.at(self.execution()? + 1)?.span(),
            _ => return None,
        };
        matches!(mask.of(self.text).as_bytes(), [b'M', b'1'..=b'8']).then_some(mask)
    }
}
