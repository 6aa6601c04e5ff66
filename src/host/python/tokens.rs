//! The tokens of Python that matter for strings, and what brackets and lines make of them.

use crate::base::span::Span;

/// Parentheses around a value that are left out.
const MOST_PARENTHESES: usize = 8;

/// Something in a Python text that a scanner has to tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Word,
    /// A string: the bytes of its prefix and quotes before its inside, and of the quotes behind it.
    Text {
        before: u8,
        after: u8,
        is_raw: bool,
        is_format: bool,
    },
    Open,
    Close,
    Comma,
    Equal,
    Dot,
    Colon,
    Other,
}

/// What a word is in the grammar of Python, as far as it matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A name, or a word that is not told apart. So is what is no word.
    Name,
    Def,
    Async,
    Class,
    Lambda,
    For,
    In,
    If,
    Else,
    /// Any other word that begins a block in which lines may stand behind its colon.
    Block,
    Return,
    Yield,
    Pass,
    Import,
    As,
    /// `global`, `nonlocal`
    Global,
}

impl Role {
    fn of(word: &str) -> Self {
        match word {
            "def" => Self::Def,
            "async" => Self::Async,
            "class" => Self::Class,
            "lambda" => Self::Lambda,
            "for" => Self::For,
            "in" => Self::In,
            "if" => Self::If,
            "else" => Self::Else,
            "elif" | "while" | "with" | "try" | "except" | "finally" => Self::Block,
            "return" => Self::Return,
            "yield" => Self::Yield,
            "pass" => Self::Pass,
            "import" => Self::Import,
            "as" => Self::As,
            "global" | "nonlocal" => Self::Global,
            _ => Self::Name,
        }
    }

    /// Whether it begins a block.
    pub(super) const fn begins_block(self) -> bool {
        matches!(self, Self::If | Self::Else | Self::For | Self::Block)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) role: Role,
    /// Whether a new line or statement begins at it, as far as the text before it shows: brackets around it are not looked at.
    pub(super) begins_line: bool,
    /// Whether it stands behind a semicolon in the same line.
    pub(super) shares_line: bool,
    pub(super) span: Span,
}

impl Token {
    /// The word or string at `span`, for a place inside of a string.
    pub(super) const fn word_at(span: Span) -> Self {
        Self { kind: Kind::Word, role: Role::Name, begins_line: false, shares_line: false, span }
    }

    /// Whether it is a word. Costs no more than its length for nearly all others.
    #[inline]
    pub(super) fn is(self, text: &str, word: &str) -> bool {
        let (from, to) = (self.span.start as usize, self.span.end as usize);
        to - from == word.len() && text.as_bytes().get(from..to) == Some(word.as_bytes())
    }

    /// Whether it is a string.
    #[inline]
    pub(super) const fn is_text(self) -> bool {
        matches!(self.kind, Kind::Text { .. })
    }

    /// The inside of a string.
    #[inline]
    pub(super) const fn inside(self) -> Option<Span> {
        match self.kind {
            Kind::Text { before, after, .. } => {
                Some(Span::new(self.span.start + before as u32, self.span.end - after as u32))
            }
            _ => None,
        }
    }

    /// What it does to the number of open brackets.
    #[inline]
    pub(super) const fn nesting(self) -> i32 {
        match self.kind {
            Kind::Open => 1,
            Kind::Close => -1,
            _ => 0,
        }
    }
}

/// Characters before a token that begins a line.
pub(super) fn indent(text: &str, token: Token) -> usize {
    let before = &text[..token.span.start as usize];
    before.len() - memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |n| n + 1)
}

/// Whether a dot stands at `at`, and the name of this method behind it.
pub(super) fn names_method(text: &str, tokens: &[Token], at: usize, method: &str) -> bool {
    matches!(tokens.get(at..), Some([dot, name, ..]) if dot.kind == Kind::Dot && name.is(text, method))
}

/// Whether a word may stand among tokens. Costs one search, far less than to look at each of them.
pub(super) fn may_hold(text: &str, tokens: &[Token], word: &str) -> bool {
    let from = tokens.first().map_or(text.len(), |t| t.span.start as usize);
    memchr::memmem::find(&text.as_bytes()[from..], word.as_bytes()).is_some()
}

/// Whether asm stands in the name of a function.
pub(super) fn holds_asm(name: &str) -> bool {
    name.as_bytes().windows(3).any(|three| three == b"asm")
}

/// Whether a colon follows the word at `at`.
pub(super) fn is_annotated(tokens: &[Token], at: usize) -> bool {
    tokens[at].kind == Kind::Word && tokens.get(at + 1).is_some_and(|t| t.kind == Kind::Colon)
}

/// Where the line that holds the token `from` ends: brackets join lines.
pub(super) fn end_of_line(tokens: &[Token], from: usize) -> usize {
    let mut depth = 0i32;
    for (i, token) in tokens.iter().enumerate().skip(from) {
        if i > from && depth == 0 && tokens[i].begins_line {
            return i;
        }
        depth += token.nesting();
    }
    tokens.len()
}

/// A value without the parentheses around it.
pub(super) fn unwrapped<'t>(text: &str, mut tokens: &'t [Token]) -> &'t [Token] {
    for _ in 0..MOST_PARENTHESES {
        match tokens {
            [open, inside @ .., _] if open.span.of(text) == "(" && closing(tokens, 0) == Some(tokens.len() - 1) => {
                tokens = inside;
            }
            _ => break,
        }
    }
    tokens
}

/// Where the bracket at `open` is closed, in a part of a text.
pub(super) fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0i32;
    tokens.iter().enumerate().skip(open).find_map(|(i, token)| {
        depth += token.nesting();
        (depth == 0).then_some(i)
    })
}

/// Where the brackets of a text open and close.
pub(super) struct Brackets {
    /// The place of each bracket that opens, in order, and of what closes it; 0 if nothing does.
    pairs: Vec<(u32, u32)>,
}

impl Brackets {
    pub(super) fn of(tokens: &[Token]) -> Self {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        // Those of the pairs that are open.
        let mut open: Vec<usize> = Vec::new();
        for (at, token) in (0..).zip(tokens) {
            match token.kind {
                Kind::Open => {
                    open.push(pairs.len());
                    pairs.push((at, 0));
                }
                Kind::Close => {
                    if let Some(pair) = open.pop() {
                        pairs[pair].1 = at;
                    }
                }
                _ => {}
            }
        }
        Self { pairs }
    }

    /// Where the bracket at `open` is closed; nothing if it is not, or if none stands there.
    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        let pair = self.pairs.binary_search_by_key(&open, |(begin, _)| *begin as usize).ok()?;
        let (_, close) = self.pairs[pair];
        (close > 0).then_some(close as usize)
    }
}

/// The parts between the commas outside of brackets; what is empty, as behind a last comma, is none.
pub(super) fn parts(tokens: &[Token]) -> impl Iterator<Item = &[Token]> {
    let mut brackets = 0i32;
    let ends = move |t: &Token| {
        brackets += t.nesting();
        brackets == 0 && t.kind == Kind::Comma
    };
    tokens.split(ends).filter(|part| !part.is_empty())
}

/// For each byte, whether it may stand in a word.
const IN_WORD: [bool; 256] = {
    let mut all = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        all[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    all
};

/// The tokens of a text behind `from`; comments go to `comment`.
pub(super) fn tokens(text: &str, from: usize, mut comment: impl FnMut(Span)) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut all = Vec::with_capacity((bytes.len() - from) / 4);
    let mut at = from;
    // What stands since the last token.
    let (mut has_newline, mut has_splice, mut has_semicolon) = (true, false, false);
    while at < bytes.len() {
        let start = at;
        let byte = bytes[at];
        let mut role = Role::Name;
        let kind = match byte {
            b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            b'\n' => {
                has_newline = true;
                at += 1;
                continue;
            }
            b'\\' => {
                at += 1;
                has_splice |= bytes[at..].starts_with(b"\n") || bytes[at..].starts_with(b"\r\n");
                continue;
            }
            b'#' => {
                at += memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - at);
                comment(Span::new(start as u32, (start + text[start..at].trim_end().len()) as u32));
                continue;
            }
            b'"' | b'\'' => string(text, start, &mut at),
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => {
                at += bytes[at..].iter().position(|b| !IN_WORD[*b as usize]).unwrap_or(bytes.len() - at);
                let word = &text[start..at];
                if matches!(bytes.get(at), Some(b'"' | b'\'')) && is_prefix(word) {
                    string(text, start, &mut at)
                } else {
                    role = Role::of(word);
                    Kind::Word
                }
            }
            _ => {
                at += if byte.is_ascii() { 1 } else { text[at..].chars().next().map_or(1, char::len_utf8) };
                match byte {
                    b'(' | b'[' | b'{' => Kind::Open,
                    b')' | b']' | b'}' => Kind::Close,
                    b',' => Kind::Comma,
                    b'.' => Kind::Dot,
                    b':' => Kind::Colon,
                    b'=' | b'!' if bytes.get(at) == Some(&b'=') => {
                        at += 1;
                        Kind::Other
                    }
                    // Not of `<<=`, which gives a value.
                    b'<' | b'>' if bytes.get(at) == Some(&b'=') && (start == 0 || bytes[start - 1] != byte) => {
                        at += 1;
                        Kind::Other
                    }
                    b'=' => Kind::Equal,
                    _ => Kind::Other,
                }
            }
        };
        let begins_line = (has_newline || has_semicolon) && !has_splice;
        let shares_line = has_semicolon && !has_newline;
        all.push(Token { kind, role, begins_line, shares_line, span: Span::new(start as u32, at as u32) });
        (has_newline, has_splice, has_semicolon) = (false, false, byte == b';');
    }
    all
}

/// Whether a word may stand before the quote of a string.
fn is_prefix(word: &str) -> bool {
    word.len() <= 2 && word.bytes().all(|b| b"rRbBuUfF".contains(&b))
}

/// A string whose prefix begins at `start` and whose quote stands at `at`, which is moved past it.
fn string(text: &str, start: usize, at: &mut usize) -> Kind {
    let bytes = text.as_bytes();
    let prefix = &text[start..*at];
    let quote = bytes[*at];
    let triple = [quote; 3];
    let is_triple = bytes[*at..].starts_with(&triple);
    let n_quotes = if is_triple { 3 } else { 1 };
    *at += n_quotes;
    let before = (*at - start) as u8;
    // A string in single quotes ends with its line.
    let last = if is_triple { quote } else { b'\n' };
    let end = loop {
        let Some(n) = bytes.get(*at..).and_then(|rest| memchr::memchr3(quote, b'\\', last, rest)) else {
            break bytes.len();
        };
        *at += n;
        match bytes[*at] {
            b'\\' => *at += 2,
            _ if is_triple && !bytes[*at..].starts_with(&triple) => *at += 1,
            _ => break *at,
        }
    };
    let has_quote = bytes.get(end) == Some(&quote);
    *at = if has_quote { end + n_quotes } else { end };
    let after = (*at - end) as u8;
    Kind::Text { before, after, is_raw: prefix.contains(['r', 'R']), is_format: prefix.contains(['f', 'F']) }
}
