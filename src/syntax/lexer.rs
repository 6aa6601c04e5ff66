//! Cuts a text into lines of tokens, one statement each.

use super::token::{Token, TokenKind};
use crate::base::span::Span;
use logos::Logos as _;

/// A statement may have that many tokens; what follows is not read, and the statement is refused.
pub const MAX_TOKENS: usize = 20_000;

/// What stands between two ends of statements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line {
    /// `name:` at column 0; the span is that of the name without the colon.
    Label(Span),
    /// Tokens of a directive or an instruction, in [`Lexer::tokens`].
    Statement,
    /// `{`
    ScopeOpen(Span),
    /// `}`
    ScopeClose(Span),
}

/// Something about the text as a whole that a report has to mention once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TextFacts {
    /// The first carriage return outside a comment, and how many there are.
    pub carriage_return: Option<(u32, u32)>,
    /// Start of a block comment that is not closed.
    pub unclosed_comment: Option<Span>,
    /// A UTF-8 byte order mark stands first.
    pub byte_order_mark: bool,
}

/// Reads a text statement by statement. Infallible: bytes without a token become [`TokenKind::Error`].
pub struct Lexer<'a> {
    text: &'a str,
    inner: logos::Lexer<'a, TokenKind>,
    tokens: Vec<Token>,
    pending: Option<Token>,
    facts: TextFacts,
    /// Nesting of the braces of `attrs={...}` in the statement being read.
    braces: u32,
    /// Whether nothing but blanks was read since the last newline.
    at_statement_start: bool,
    /// The place of the mnemonic among the tokens; `usize::MAX` while the predicate's parenthesis is open.
    mnemonic: usize,
    /// For each open parenthesis whether it follows a name.
    open: Vec<bool>,
    /// Whether the last token closes a parenthesis that follows a name.
    closed_call: bool,
    /// Offset of the last backslash that continues a statement over newlines.
    continued_until: usize,
    /// The `}` or label before the statement, if no newline stands between them.
    glued_to: Option<Span>,
    /// Block comments that join two lines of text to one statement.
    joins: Vec<Span>,
    /// A block comment with a newline after a token of the statement: it joins two lines if another token follows.
    pending_join: Option<Span>,
}

impl<'a> Lexer<'a> {
    /// Starts at the beginning of `text`.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let mut facts = TextFacts::default();
        let mut inner = TokenKind::lexer(text);
        if text.starts_with('\u{feff}') {
            facts.byte_order_mark = true;
            inner.bump('\u{feff}'.len_utf8());
        }
        Self {
            text,
            inner,
            tokens: Vec::with_capacity(64),
            pending: None,
            facts,
            braces: 0,
            at_statement_start: true,
            mnemonic: 0,
            open: Vec::new(),
            closed_call: false,
            continued_until: 0,
            glued_to: None,
            joins: Vec::new(),
            pending_join: None,
        }
    }

    /// Starts at `start`, where a line begins and no statement or comment goes on.
    #[must_use]
    pub fn starting_at(text: &'a str, start: u32) -> Self {
        let mut lexer = Self::new(text);
        let n_read = text.len() - lexer.inner.remainder().len();
        lexer.inner.bump((start as usize).saturating_sub(n_read));
        lexer
    }

    /// The tokens of the statement that [`Lexer::next_line`] returned last.
    #[must_use]
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// What was noticed so far about the text as a whole.
    #[must_use]
    pub fn facts(&self) -> TextFacts {
        self.facts
    }

    /// The `}` or label that stands before the statement on the same line, where nothing may follow it.
    #[must_use]
    pub fn glued_to(&self) -> Option<Span> {
        self.glued_to
    }

    /// The block comments so far that hold a newline and stand inside a statement.
    #[must_use]
    pub fn joins(&self) -> &[Span] {
        &self.joins
    }

    /// The next statement, label or brace; nothing at the end of the text.
    pub fn next_line(&mut self) -> Option<Line> {
        let line = self.read_line();
        if let Some(Line::Label(place) | Line::ScopeClose(place)) = line {
            self.glued_to = Some(place);
        }
        line
    }

    fn read_line(&mut self) -> Option<Line> {
        if !self.tokens.is_empty() {
            self.glued_to = None;
        }
        self.tokens.clear();
        self.braces = 0;
        self.pending_join = None;
        loop {
            if self.at_statement_start
                && self.tokens.is_empty()
                && let Some(label) = self.label()
            {
                return Some(Line::Label(label));
            }
            let Some(token) = self.next_token() else {
                return (!self.tokens.is_empty()).then_some(Line::Statement);
            };
            match token.kind {
                TokenKind::Newline => {
                    self.at_statement_start = true;
                    if self.tokens.is_empty() {
                        self.glued_to = None;
                    }
                    if !self.tokens.is_empty() && !self.is_continued() {
                        return Some(Line::Statement);
                    }
                }
                TokenKind::Continuation => {
                    if token.end - token.start > 2 {
                        let (first, count) = self.facts.carriage_return.unwrap_or((token.start + 1, 0));
                        self.facts.carriage_return = Some((first, count + 1));
                    }
                    let glued = token.start > 0
                        && !matches!(self.text.as_bytes()[token.start as usize - 1], b' ' | b'\t' | b'\n');
                    if glued {
                        self.tokens.push(Token { kind: TokenKind::Error, end: token.start + 1, ..token });
                        self.at_statement_start = true;
                        return Some(Line::Statement);
                    }
                }
                TokenKind::CarriageReturn => {
                    let (first, count) = self.facts.carriage_return.unwrap_or((token.start, 0));
                    self.facts.carriage_return = Some((first, count + 1));
                }
                TokenKind::BlockComment => self.block_comment(token),
                TokenKind::BraceOpen if self.tokens.is_empty() => {
                    self.glued_to = None;
                    return Some(Line::ScopeOpen(token.span()));
                }
                TokenKind::BraceOpen => {
                    self.braces += 1;
                    self.split_equal();
                    self.tokens.push(token);
                }
                TokenKind::BraceClose if self.braces > 0 => {
                    self.braces -= 1;
                    self.split_equal();
                    self.tokens.push(token);
                }
                TokenKind::BraceClose if self.tokens.is_empty() => {
                    return Some(Line::ScopeClose(token.span()));
                }
                // What goes on behind it is the rest of the statement.
                TokenKind::BraceClose if self.goes_on() => {
                    self.split_equal();
                    self.push(token);
                }
                TokenKind::BraceClose => {
                    self.pending = Some(token);
                    return Some(Line::Statement);
                }
                TokenKind::DotWord if self.ends_version(token) => {
                    self.pending = Some(token);
                    return Some(Line::Statement);
                }
                TokenKind::DotWord if self.tokens.is_empty() => {
                    self.at_statement_start = false;
                    self.push_directive(token);
                }
                TokenKind::Equal
                | TokenKind::EqualWord
                | TokenKind::EqualNumber
                | TokenKind::EqualHex
                | TokenKind::EqualAlign
                | TokenKind::EqualAlias => {
                    self.split_equal();
                    self.split_value();
                    self.push(token);
                }
                TokenKind::Word => {
                    self.at_statement_start = false;
                    self.push(token);
                }
                _ => {
                    self.at_statement_start = false;
                    self.split_equal();
                    self.push(token);
                }
            }
        }
    }

    /// Whether more than a comment or further `}` stands on the line.
    fn goes_on(&self) -> bool {
        let rest = self.inner.remainder().trim_start_matches([' ', '\t', '\r']);
        !(rest.is_empty() || rest.starts_with(['\n', '}', '\\']) || rest.starts_with("//") || rest.starts_with("/*"))
    }

    fn next_token(&mut self) -> Option<Token> {
        if let Some(token) = self.pending.take() {
            return Some(token);
        }
        let kind = self.inner.next()?.unwrap_or(TokenKind::Error);
        let span = self.inner.span();
        Some(Token { start: span.start as u32, end: span.end as u32, kind })
    }

    /// A label at column 0: `name:`, of letters, digits and `_ $ @ ? -`.
    fn label(&mut self) -> Option<Span> {
        if self.pending.is_some() {
            return None;
        }
        let bytes = self.inner.remainder().as_bytes();
        let first = *bytes.first()?;
        if !(first.is_ascii_alphabetic() || matches!(first, b'_' | b'$' | b'@' | b'?')) {
            return None;
        }
        let start = self.text.len() - bytes.len();
        if start > 0 && self.text.as_bytes()[start - 1] != b'\n' {
            return None;
        }
        let length =
            bytes.iter().position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'@' | b'?' | b'-')))?;
        if bytes[length] != b':' {
            return None;
        }
        self.inner.bump(length + 1);
        self.at_statement_start = false;
        Some(Span::new(start as u32, (start + length) as u32))
    }

    /// Whether the newline just read is followed, after blanks and newlines, by a backslash that ends its line.
    fn is_continued(&mut self) -> bool {
        let rest = self.inner.remainder().as_bytes();
        let here = self.text.len() - rest.len();
        if here < self.continued_until {
            return true;
        }
        let Some(first) = rest.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n')) else { return false };
        let is_continued = rest[first..].starts_with(b"\\\n") || rest[first..].starts_with(b"\\\r\n");
        if is_continued {
            self.continued_until = here + first;
        }
        is_continued
    }

    /// Notes a comment that is not closed, or that may join two lines.
    fn block_comment(&mut self, token: Token) {
        let text = token.span().of(self.text);
        if text.len() < 4 || !text.ends_with("*/") {
            self.facts.unclosed_comment = Some(Span::new(token.start, token.start + 2));
        } else if !self.tokens.is_empty() && self.pending_join.is_none() && text.contains('\n') {
            self.pending_join = Some(token.span());
        }
    }

    /// Whether a directive begins here although no line ends: `.version 4.1 .kernel k` is the one place where that is
    /// read.
    fn ends_version(&self, token: Token) -> bool {
        self.tokens.first().is_some_and(|t| t.span().of(self.text) == ".version")
            && directive_length(token.span().of(self.text)) > 0
    }

    /// Adds the first word of a directive. The reference has no word boundary there: `.kernelk` is `.kernel k`.
    fn push_directive(&mut self, token: Token) {
        let word = token.span().of(self.text);
        let length = directive_length(word) as u32;
        if length == 0 || length == token.end - token.start {
            self.push(token);
            return;
        }
        let middle = token.start + length;
        self.push(Token { end: middle, ..token });
        let rest = Span::new(middle, token.end).of(self.text);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count() as u32;
        if digits > 0 {
            self.push(Token { start: middle, end: middle + digits, kind: TokenKind::Dec });
        }
        if middle + digits < token.end {
            self.push(Token { start: middle + digits, end: token.end, kind: TokenKind::Word });
        }
    }

    /// Splits `=16` into `=` and `16` if it is the last token: an expression that goes on is read token by token.
    fn split_equal(&mut self) {
        let Some(last) = self.tokens.last_mut() else { return };
        let kind = match last.kind {
            TokenKind::EqualWord => TokenKind::Word,
            TokenKind::EqualNumber => TokenKind::Dec,
            TokenKind::EqualHex => TokenKind::Hex,
            TokenKind::EqualAlign => TokenKind::AlignWord,
            _ => return,
        };
        let rest = Token { start: last.start + 1, end: last.end, kind };
        *last = Token { end: last.start + 1, kind: TokenKind::Equal, ..*last };
        self.tokens.push(rest);
    }

    /// Before an `=`: splits `dnum_elts` of `type=dnum_elts=8` into a type and a key, as the reference does.
    fn split_value(&mut self) {
        let [.., key, equal, word] = self.tokens.as_slice() else { return };
        if equal.kind != TokenKind::Equal || word.kind != TokenKind::Word {
            return;
        }
        let (key, word) = (key.span().of(self.text), *word);
        if !matches!(key, "type" | "v_type") {
            return;
        }
        let text = word.span().of(self.text);
        let Some(rest) = ["v_type", "type", "num_elts", "align", "alias", "attrs", "v_name"]
            .iter()
            .find(|k| text.len() > k.len() && text.ends_with(**k))
        else {
            return;
        };
        let middle = word.end - rest.len() as u32;
        let last = self.tokens.len() - 1;
        self.tokens[last].end = middle;
        self.tokens.push(Token { start: middle, ..word });
    }

    /// Whether the last token is, or ends with, the region of a source and ends at `at`.
    fn ends_with_region(&self, at: u32) -> bool {
        self.tokens
            .last()
            .is_some_and(|t| t.end == at && matches!(t.kind, TokenKind::SourceOperand | TokenKind::SourceRegion))
    }

    /// Whether the last token is a type and ends at `at`.
    fn ends_with_type(&self, at: u32) -> bool {
        self.tokens.last().is_some_and(|t| t.end == at && t.kind == TokenKind::ColonWord)
    }

    /// Adds a token; parentheses and brackets that follow a name become those of a call or an index.
    fn push(&mut self, mut token: Token) {
        if let Some(join) = self.pending_join.take() {
            self.joins.push(join);
        }
        let index = self.tokens.len();
        if index >= MAX_TOKENS {
            return;
        }
        if index == 0 {
            let in_parentheses = token.kind == TokenKind::Open;
            let is_group = matches!(token.kind, TokenKind::SourceModifier | TokenKind::Exec | TokenKind::Pair);
            self.mnemonic = if in_parentheses { usize::MAX } else { usize::from(is_group) };
            self.open.clear();
            self.closed_call = false;
        }
        let mut closed_call = false;
        match token.kind {
            TokenKind::Open => {
                let after_name = self.ends_with_name() && !self.ends_with_address_of();
                if after_name {
                    token.kind = TokenKind::CallOpen;
                }
                self.open.push(after_name);
            }
            TokenKind::Pair if self.ends_with_name() => {
                token.kind = TokenKind::CallPair;
                closed_call = true;
            }
            // `V(0,0)<0;1,0>[0]` and `0x0:ud[0]`; what a blank divides is another operand.
            TokenKind::BracketOpen
                if self.closed_call
                    || self.ends_with_name()
                    || self.ends_with_region(token.start)
                    || self.ends_with_type(token.start) =>
            {
                token.kind = TokenKind::IndexOpen;
            }
            TokenKind::Close => {
                closed_call = self.open.pop().unwrap_or(false);
                if self.open.is_empty() && self.mnemonic == usize::MAX {
                    // The predicate's parenthesis is closed: the mnemonic comes next.
                    self.mnemonic = index + 1;
                }
            }
            _ => {}
        }
        self.closed_call = closed_call;
        self.tokens.push(token);
    }

    /// Whether the last tokens are an operand `&V`, which takes brackets only. In parentheses `&` combines numbers.
    fn ends_with_address_of(&self) -> bool {
        self.open.is_empty() && matches!(self.tokens.as_slice(), [.., t, _] if t.kind == TokenKind::Ampersand)
    }

    /// Whether the last token is a name, and not the mnemonic.
    fn ends_with_name(&self) -> bool {
        match self.tokens.last().map(|t| t.kind) {
            Some(TokenKind::Percent) => true,
            Some(TokenKind::Word) => self.tokens.len() - 1 != self.mnemonic,
            _ => false,
        }
    }
}

/// The length of the longest directive that `word` begins with; 0 if there is none.
fn directive_length(word: &str) -> usize {
    const DIRECTIVES: [&str; 10] = [
        ".decl",
        ".kernel_attr",
        ".kernel",
        ".global_function",
        ".function",
        ".funcdecl",
        ".version",
        ".input",
        ".file",
        ".loc",
    ];
    // None is the beginning of another but `.kernel`, which stands behind the longer one.
    DIRECTIVES.iter().find(|d| word.starts_with(**d)).map_or(0, |d| d.len())
}
