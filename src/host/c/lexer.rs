//! The tokens of the C family: enough to tell strings, comments and words apart.

use super::words::WordList;
use logos::Logos;

/// The kind of a token.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\f\x0b]+")]
#[logos(skip r"\\\r?\n")]
pub(super) enum Kind {
    #[token("\n")]
    Newline,
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*")]
    Word,
    #[regex(r"\.?[0-9]([0-9A-Za-z_.']|[eEpP][+-])*")]
    Number,
    /// A string with its prefix and quotes.
    #[regex(r#"(u8|u|U|L)?""#, string)]
    Text,
    /// A raw string with its prefix and delimiters.
    #[regex(r#"(u8|u|U|L)?R""#, raw_string)]
    Raw,
    #[regex(r"(u8|u|U|L)?'", character)]
    Character,
    #[token("//", line_comment)]
    LineComment,
    #[token("/*", block_comment)]
    BlockComment,
    #[token("::")]
    Scope,
    #[token("->")]
    Arrow,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    BracketOpen,
    #[token("]")]
    BracketClose,
    #[token("{")]
    BraceOpen,
    #[token("}")]
    BraceClose,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("#")]
    Hash,
    #[token("##")]
    Paste,
    #[token("=")]
    Equal,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("*")]
    Star,
    #[token("&")]
    Ampersand,
    #[token(".")]
    Dot,
    /// Any other character.
    #[regex(r"[-+/%^|~!?@`\\]")]
    Other,
}

/// Moves past the end of a quoted text, or to the end of the line if it is not closed.
fn quoted(lexer: &mut logos::Lexer<Kind>, quote: u8) {
    let rest = lexer.remainder().as_bytes();
    let mut at = 0;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'\\' if rest[at + 1..].starts_with(b"\r\n") => at += 3,
            b'\\' => at += 2,
            b'\n' => break,
            byte if *byte == quote => {
                at += 1;
                break;
            }
            _ => at += 1,
        }
    }
    let text = lexer.remainder();
    let mut end = at.min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    lexer.bump(end);
}

fn string(lexer: &mut logos::Lexer<Kind>) {
    quoted(lexer, b'"');
}

fn character(lexer: &mut logos::Lexer<Kind>) {
    quoted(lexer, b'\'');
}

fn raw_string(lexer: &mut logos::Lexer<Kind>) {
    let rest = lexer.remainder();
    let end = rest.find('(').filter(|open| *open <= 16).map_or(rest.len(), |open| {
        let closing = format!("){}\"", &rest[..open]);
        memchr::memmem::find(&rest.as_bytes()[open..], closing.as_bytes())
            .map_or(rest.len(), |close| open + close + closing.len())
    });
    lexer.bump(end);
}

/// A comment that a backslash at the end of its line continues.
fn line_comment(lexer: &mut logos::Lexer<Kind>) {
    let rest = lexer.remainder().as_bytes();
    let mut from = 0;
    let end = loop {
        let Some(newline) = memchr::memchr(b'\n', &rest[from..]) else { break rest.len() };
        let newline = from + newline;
        let line = rest[..newline].strip_suffix(b"\r").unwrap_or(&rest[..newline]);
        if !line.ends_with(b"\\") {
            break newline;
        }
        from = newline + 1;
    };
    lexer.bump(end);
}

fn block_comment(lexer: &mut logos::Lexer<Kind>) {
    let rest = lexer.remainder();
    lexer.bump(memchr::memmem::find(rest.as_bytes(), b"*/").map_or(rest.len(), |end| end + 2));
}

/// What a word means to those that look through a whole text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// It begins an asm statement.
    Asm,
    /// It begins a declaration of which the whole file knows.
    Declaring,
    /// A statement may follow it.
    Leading,
    Other,
}

/// Words that begin asm statements.
static ASM: WordList<3> = WordList::of(["asm", "__asm__", "__asm"]);

/// Words that a statement may follow.
static LEADING: WordList<3> = WordList::of(["else", "do", "return"]);

/// Words that begin declarations of which the whole file knows.
static DECLARING: WordList<10> = WordList::of([
    "enum",
    "constexpr",
    "const",
    "namespace",
    "template",
    "using",
    "typedef",
    "struct",
    "class",
    "union",
]);

impl Role {
    pub fn of(word: &str) -> Self {
        if DECLARING.contains(word) {
            Self::Declaring
        } else if LEADING.contains(word) {
            Self::Leading
        } else if ASM.contains(word) {
            Self::Asm
        } else {
            Self::Other
        }
    }
}

/// A token and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub start: u32,
    pub end: u32,
    pub kind: Kind,
    pub role: Role,
    /// Whether it is the first of its line.
    pub begins_line: bool,
}

impl Token {
    pub fn span(self) -> crate::base::span::Span {
        crate::base::span::Span::new(self.start, self.end)
    }

    pub fn of(self, text: &str) -> &str {
        &text[self.start as usize..self.end as usize]
    }

    /// Whether it is a string.
    pub const fn is_literal(self) -> bool {
        matches!(self.kind, Kind::Text | Kind::Raw)
    }

    /// Whether it begins an asm statement.
    pub const fn is_asm(self) -> bool {
        matches!(self.role, Role::Asm)
    }

    /// Whether it is one of the words of a list. Costs next to nothing for most others.
    pub fn is_one_of<const N: usize>(self, text: &str, list: &WordList<N>) -> bool {
        let first = text.as_bytes().get(self.start as usize);
        let length = (self.end - self.start) as usize;
        first.is_some_and(|first| list.may_hold(length, *first)) && list.contains(self.of(text))
    }

    /// Whether it is a word. Costs no more than its length for nearly all others.
    pub fn is(self, text: &str, word: &str) -> bool {
        let length = (self.end - self.start) as usize;
        length == word.len() && text.as_bytes().get(self.start as usize..self.end as usize) == Some(word.as_bytes())
    }
}

/// Whether a word is glued to a string and makes an object of it that holds the same text.
fn is_suffix(before: Option<&Token>, word: Token, text: &str) -> bool {
    let is_glued = |t: &Token| t.is_literal() && t.end == word.start;
    before.is_some_and(is_glued) && (word.is(text, "s") || word.is(text, "sv"))
}

/// The tokens of a text behind `from`. Comments are handed to `comment`, and left out, as newlines are.
pub(super) fn tokens(text: &str, from: usize, mut comment: impl FnMut(Token)) -> Vec<Token> {
    let mut all = Vec::with_capacity((text.len() - from) / 5);
    let mut lexer = Kind::lexer(&text[from..]);
    let mut begins_line = true;
    while let Some(kind) = lexer.next() {
        let span = lexer.span();
        let (start, end) = ((from + span.start) as u32, (from + span.end) as u32);
        let kind = kind.unwrap_or(Kind::Other);
        let role = if kind == Kind::Word { Role::of(lexer.slice()) } else { Role::Other };
        let token = Token { start, end, kind, role, begins_line };
        match kind {
            Kind::Newline => begins_line = true,
            Kind::LineComment | Kind::BlockComment => comment(token),
            // `"..."s` is the string.
            Kind::Word if is_suffix(all.last(), token, text) => {}
            _ => {
                all.push(token);
                begins_line = false;
            }
        }
    }
    all
}
