//! The tokens of vISA text.

use logos::Logos;

/// The kind of a token. Tokens carry no value: the text of their span does.
///
/// The forms that make up nearly all of a dump, `(0,0)`, `<8;8,1>`, `<1>` and `(M1, 16)`, are tokens of their own;
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
    #[regex(r"\.(16|8)-(full|downsampled)")]
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
    /// `[` after a name or its parentheses
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
