//! The tokens of vISA text.

use logos::Logos;

/// The kind of a token. Tokens carry no value: the text of their span does.
///
/// The forms that make up nearly all of a dump, such as `V1(0,0)<8;8,1>`, `(M1, 16)` and `=16`, are tokens of their own;
/// the grammar treats them exactly like the sequence of tokens that they stand for.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[logos(skip r"[ \t]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[repr(u8)]
pub enum TokenKind {
    /// End of a statement.
    #[token("\n")]
    Newline,
    /// A backslash at the end of a line.
    #[token("\\\n")]
    #[token("\\\r\n")]
    Continuation,
    /// A carriage return, which the reference refuses.
    #[token("\r")]
    CarriageReturn,
    /// A comment that swallows newlines; an unclosed one reaches to the end of the text. It is a token, and not skipped like
    /// the other kind of comment, so that a million of them in a row need no stack.
    #[token("/*", block_comment)]
    BlockComment,

    /// `V12`
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    /// `%null`
    #[regex(r"%[A-Za-z_][A-Za-z0-9_]*")]
    Percent,
    /// `%sizeof`
    #[token("%sizeof")]
    Sizeof,
    /// `12`
    #[regex(r"[0-9]+")]
    Dec,
    /// `0x1f`
    #[regex(r"0[xX][0-9A-Fa-f]+")]
    Hex,
    /// `1.5:f`, `1e-5:df`
    #[regex(r"[0-9]+(\.[0-9]+)?([eE][+-][0-9]+):d?f")]
    #[regex(r"[0-9]+\.[0-9]+:d?f")]
    Float,
    /// `"text"`
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    String,
    /// `"text` up to the end of the line
    #[regex(r#""([^"\\\n]|\\[^\n])*"#)]
    UnclosedString,
    /// `2GRF`, `32word`, `64word`
    #[token("2GRF")]
    #[token("32word")]
    #[token("64word")]
    AlignWord,

    /// `.sat`
    #[regex(r"\.[A-Za-z_][A-Za-z0-9_]*")]
    DotWord,
    /// `.64`; blanks may stand after the dot
    #[regex(r"\.[ \t]*[0-9]+")]
    DotNumber,
    /// `.0x40`
    #[regex(r"\.0[xX][0-9A-Fa-f]+")]
    DotHex,
    /// `.16-full`, `.64B`
    #[regex(r"\.[0-9]+-[A-Za-z]+")]
    #[regex(r"\.(64|128|192|256)B")]
    DotFormat,
    /// `.<RTI><PS>`
    #[regex(r"\.(<[A-Za-z]+>)+")]
    DotOptions,
    /// `.`
    #[token(".")]
    Dot,
    /// `:ud`, `:d32x4`, `:d16.1x16x7nt`, `:32x8`
    #[regex(r":[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9]+)?")]
    #[regex(r":[0-9]+x[0-9]+")]
    ColonWord,
    /// `:`
    #[token(":")]
    Colon,

    /// `(-)`, `(abs)`, `(-abs)`, `(~)`
    #[token("(-)")]
    #[token("(abs)")]
    #[token("(-abs)")]
    #[token("(~)")]
    SourceModifier,
    /// `(M1, 16)`
    #[regex(r"\(M[1-8](_NM)?, [0-9]+\)")]
    Exec,
    /// `V1(0,0)<8;8,1>` of plain numbers
    #[regex(r"%?[A-Za-z_][A-Za-z0-9_]*\([0-9]+,[0-9]+\)<[0-9]+;[0-9]+,[0-9]+>")]
    SourceOperand,
    /// `V1(0,0)<1>` of plain numbers
    #[regex(r"%?[A-Za-z_][A-Za-z0-9_]*\([0-9]+,[0-9]+\)<[0-9]+>")]
    DestinationOperand,
    /// `=ud`, as the last token of a statement or before a word
    #[regex(r"=[A-Za-z_][A-Za-z0-9_]*")]
    EqualWord,
    /// `=16`, as the last token of a statement or before a word
    #[regex(r"=[0-9]+")]
    EqualNumber,
    /// `=0x10`, likewise
    #[regex(r"=0[xX][0-9A-Fa-f]+")]
    EqualHex,
    /// `=2GRF`
    #[token("=2GRF")]
    #[token("=32word")]
    #[token("=64word")]
    EqualAlign,
    /// `=<V1, 32>` of a plain number
    #[regex(r"=<%?[A-Za-z_][A-Za-z0-9_]*, [0-9]+>")]
    EqualAlias,
    /// `(0,0)` that does not follow a name
    #[regex(r"\([0-9]+,[0-9]+\)")]
    Pair,
    /// `(0,0)` right after a name
    CallPair,
    /// `<8;8,1>`
    #[regex(r"<[0-9]+;[0-9]+,[0-9]+>")]
    SourceRegion,
    /// `<1>`
    #[regex(r"<[0-9]+>")]
    Stride,
    /// `(` that does not follow a name
    #[token("(")]
    Open,
    /// `(` after a name
    CallOpen,
    /// `)`
    #[token(")")]
    Close,
    /// `[` that begins an operand
    #[token("[")]
    BracketOpen,
    /// `[` after a name, its parentheses, or its region
    IndexOpen,
    /// `r[`
    #[token("r[")]
    IndirectOpen,
    /// `]`
    #[token("]")]
    BracketClose,
    /// `{`
    #[token("{")]
    BraceOpen,
    /// `}`
    #[token("}")]
    BraceClose,
    /// `<`
    #[token("<")]
    Less,
    /// `>`
    #[token(">")]
    Greater,
    /// `<=`
    #[token("<=")]
    LessEqual,
    /// `>=`
    #[token(">=")]
    GreaterEqual,
    /// `==`
    #[token("==")]
    EqualEqual,
    /// `!=`
    #[token("!=")]
    NotEqual,
    /// `<<`
    #[token("<<")]
    ShiftLeft,
    /// `>>`
    #[token(">>")]
    ShiftRight,
    /// `>>>`
    #[token(">>>")]
    ShiftRightLogical,
    /// `,`
    #[token(",")]
    Comma,
    /// `;`
    #[token(";")]
    Semicolon,
    /// `=`
    #[token("=")]
    Equal,
    /// `+`
    #[token("+")]
    Plus,
    /// `-`
    #[token("-")]
    Minus,
    /// `*`
    #[token("*")]
    Star,
    /// `/`
    #[token("/")]
    Slash,
    /// `%`
    #[token("%")]
    Remainder,
    /// `&`
    #[token("&")]
    Ampersand,
    /// `|`
    #[token("|")]
    Bar,
    /// `^`
    #[token("^")]
    Caret,
    /// `~`
    #[token("~")]
    Tilde,
    /// `!`
    #[token("!")]
    Bang,
    /// `?`
    #[token("?")]
    Question,
    /// Bytes that no token begins with.
    Error,
}

fn block_comment(lexer: &mut logos::Lexer<TokenKind>) {
    let rest = lexer.remainder();
    let end = memchr::memmem::find(rest.as_bytes(), b"*/").map_or(rest.len(), |end| end + 2);
    lexer.bump(end);
}

/// A token and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// What it is.
    pub kind: TokenKind,
}

const _: () = assert!(size_of::<Token>() == 12);

impl Token {
    /// Its place.
    #[must_use]
    pub const fn span(self) -> crate::base::span::Span {
        crate::base::span::Span::new(self.start, self.end)
    }
}

/// The tokens with all forms taken apart: `V1(0,0)<1>` is a name, a pair and a stride.
#[must_use]
pub fn plain(text: &str, tokens: &[Token]) -> Vec<Token> {
    let mut all = Vec::with_capacity(tokens.len());
    for token in tokens {
        let Token { start, end, kind } = *token;
        let written = token.span().of(text);
        let length = |c: char| written.find(c).map_or(end, |i| start + i as u32);
        let name = |first: u8| if first == b'%' { TokenKind::Percent } else { TokenKind::Word };
        let rest = match kind {
            TokenKind::EqualWord => TokenKind::Word,
            TokenKind::EqualNumber => TokenKind::Dec,
            TokenKind::EqualHex => TokenKind::Hex,
            TokenKind::EqualAlign => TokenKind::AlignWord,
            TokenKind::SourceOperand | TokenKind::DestinationOperand => {
                let (open, less) = (length('('), length('<'));
                let pair = if all.is_empty() { TokenKind::Pair } else { TokenKind::CallPair };
                let region = if kind == TokenKind::SourceOperand { TokenKind::SourceRegion } else { TokenKind::Stride };
                all.push(Token { start, end: open, kind: name(written.as_bytes()[0]) });
                all.push(Token { start: open, end: less, kind: pair });
                all.push(Token { start: less, end, kind: region });
                continue;
            }
            TokenKind::EqualAlias => {
                let comma = length(',');
                all.push(Token { start, end: start + 1, kind: TokenKind::Equal });
                all.push(Token { start: start + 1, end: start + 2, kind: TokenKind::Less });
                all.push(Token { start: start + 2, end: comma, kind: name(written.as_bytes()[2]) });
                all.push(Token { start: comma, end: comma + 1, kind: TokenKind::Comma });
                all.push(Token { start: comma + 2, end: end - 1, kind: TokenKind::Dec });
                all.push(Token { start: end - 1, end, kind: TokenKind::Greater });
                continue;
            }
            _ => {
                all.push(*token);
                continue;
            }
        };
        all.push(Token { start, end: start + 1, kind: TokenKind::Equal });
        all.push(Token { start: start + 1, end, kind: rest });
    }
    all
}
