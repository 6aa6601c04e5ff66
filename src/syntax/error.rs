//! Syntax errors, in words that depend on where in the statement the fault stands.

use super::token::{Token, TokenKind};
use crate::base::diagnostic::{Diagnostic, Edit, Fix};
use crate::base::span::Span;

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
pub struct SyntaxError(pub Box<Diagnostic>);

/// What the text so far has opened and not closed.
fn open_bracket(tokens: &[Token]) -> Option<Token> {
    let mut open = Vec::new();
    for token in tokens {
        match token.kind {
            TokenKind::Open | TokenKind::CallOpen | TokenKind::BracketOpen | TokenKind::IndexOpen | TokenKind::IndirectOpen | TokenKind::BraceOpen => {
                open.push(*token);
            }
            TokenKind::Close | TokenKind::BracketClose | TokenKind::BraceClose => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}

fn closing(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Open | TokenKind::CallOpen => ")",
        TokenKind::BraceOpen => "}",
        _ => "]",
    }
}

impl SyntaxError {
    /// The error that `tokens[index]` cannot stand where it does; `index` may be one past the last token.
    #[must_use]
    pub fn at(text: &str, tokens: &[Token], index: usize) -> Self {
        Self(Box::new(describe(text, tokens, index)))
    }

    /// The error in a string that `fault` describes.
    #[must_use]
    pub fn in_string(fault: Diagnostic) -> Self {
        Self(Box::new(fault))
    }

    /// The error that an expression is nested too deeply.
    #[must_use]
    pub fn too_deep(span: Span) -> Self {
        let place = Span::new(span.start, span.end.min(span.start + 1));
        let message = format!("this expression is nested more than {} levels deep", super::tree::MAX_DEPTH);
        Self(Box::new(Diagnostic::new(&SYNTAX_ERROR, place, message)))
    }
}

fn describe(text: &str, tokens: &[Token], index: usize) -> Diagnostic {
    let before = &tokens[..index.min(tokens.len())];
    let last = before.last().copied();
    let Some(token) = tokens.get(index).copied() else {
        return at_end(text, before);
    };
    let span = token.span();
    let written = span.of(text);
    let error = |message: String| Diagnostic::new(&SYNTAX_ERROR, span, message);
    match token.kind {
        TokenKind::Error => return bad_character(text, tokens, index),
        TokenKind::UnclosedString => {
            let closed = text[token.start as usize..].lines().next().is_some_and(|line| line[1..].contains('"'));
            return if closed {
                error("the string has an escape or a character that strings do not take".into())
            } else {
                error("the string is not closed on this line".into()).label("it begins here").help("close it with `\"`")
            };
        }
        TokenKind::Comma if open_bracket(before).is_none() => {
            return Diagnostic::new(&COMMA_BETWEEN_OPERANDS, span, "operands are separated by blanks, not by commas")
                .fix(Fix { title: "remove the comma".into(), edits: vec![Edit { span, text: " ".into() }], certain: true });
        }
        TokenKind::Colon if index == 1 && tokens[0].kind == TokenKind::Word => {
            let name = tokens[0].span();
            let line_start = text[..name.start as usize].rfind('\n').map_or(0, |i| i + 1) as u32;
            let indent = Span::new(line_start, name.start);
            let message = format!("the label `{}` has to begin in the first column", name.of(text));
            let diagnostic = Diagnostic::new(&INDENTED_LABEL, name.to(span), message);
            return if tokens.len() == 2 && !indent.is_empty() && text[indent.range()].trim().is_empty() && Span::new(name.end, token.start).is_empty() {
                diagnostic.fix(Fix { title: "remove the blanks before it".into(), edits: vec![Edit { span: indent, text: String::new() }], certain: true })
            } else {
                diagnostic.help("write the label on a line of its own, in the first column, with the colon right after it")
            };
        }
        TokenKind::Colon => {
            if let Some(next) = tokens.get(index + 1).filter(|t| t.kind == TokenKind::Word && t.start > token.end) {
                return error(format!("no blank may stand between `:` and the type `{}`", next.span().of(text)))
                    .fix(Fix { title: "remove the blank".into(), edits: vec![Edit { span: Span::new(token.end, next.start), text: String::new() }], certain: true });
            }
            return error("`:` has to be followed by a type such as `ud`".into());
        }
        TokenKind::ColonWord if last.is_some_and(|t| t.kind == TokenKind::DotNumber && t.end == token.start) => {
            return error(format!("a decimal fraction takes `:f` or `:df` in lower case, not `{written}`"))
                .help("write other floating-point values as a hexadecimal bit pattern, such as `0x3c00:hf`");
        }
        TokenKind::Plus | TokenKind::Star | TokenKind::Slash | TokenKind::Bar | TokenKind::Caret | TokenKind::ShiftLeft | TokenKind::ShiftRight
        | TokenKind::ShiftRightLogical | TokenKind::EqualEqual | TokenKind::Remainder
            if open_bracket(before).is_none() =>
        {
            return error(format!("`{written}` cannot stand between operands"))
                .help("put a constant expression into parentheses: `(1 + 2):ud`");
        }
        TokenKind::BraceOpen => {
            return error("`{` cannot stand after an instruction".into())
                .help("to switch the execution mask off, write `_NM` after the mask: `(M1_NM, 16)`");
        }
        TokenKind::SourceModifier if before.is_empty() => {
            return error(format!("`{written}` is a source modifier and cannot stand before the mnemonic"));
        }
        TokenKind::Exec if open_bracket(before).is_none() && !before.is_empty() => {
            return error(format!("`{written}` has to stand right after the mnemonic and its modifiers"));
        }
        _ => {}
    }
    if let Some(open) = open_bracket(before) {
        let opened = open.span().of(text);
        let position = if is_exec(tokens, open) { "after the execution size" } else { "before this" };
        if token.kind == TokenKind::CarriageReturn || !matches!(token.kind, TokenKind::Comma | TokenKind::Semicolon) {
            return error(format!("expected `{}` {position}, found `{written}`", closing(open.kind))).also(open.span(), format!("this `{opened}` is still open"));
        }
        return error(format!("`{written}` cannot stand here inside `{opened}`")).also(open.span(), String::from("opened here"));
    }
    if before.is_empty() {
        return match token.kind {
            TokenKind::Dec | TokenKind::Hex => error(format!("a statement cannot begin with the number `{written}`")),
            _ => error(format!("a statement cannot begin with `{written}`")),
        }
        .help("a line holds a directive such as `.decl`, a label in the first column, or an instruction");
    }
    if let Some(last) = last {
        if matches!(last.kind, TokenKind::DotNumber) && last.end == token.start && matches!(token.kind, TokenKind::Word | TokenKind::DotHex) {
            return error(format!("`{}{written}` is not an offset", last.span().of(text)));
        }
        if token.kind == TokenKind::DotHex {
            return error(format!("the byte offset of a raw operand is decimal, not `{written}`"))
                .help(format!("write `.{}`", super::number::dotted(written).written))
                .replace(span, format!(".{}", super::number::dotted(written).written), true);
        }
        if matches!(token.kind, TokenKind::DotNumber | TokenKind::Dot) && matches!(last.kind, TokenKind::Dec) {
            let rest = tokens.get(index + 1);
            return match rest {
                Some(t) if t.kind == TokenKind::ColonWord => error(format!("`{}{written}{}` is not a number", last.span().of(text), t.span().of(text)))
                    .help("a decimal fraction is written like `0.5:f`: digits on both sides of the dot, and `:f` or `:df` right after them"),
                _ => error(format!("`{}{written}` is not an operand: a decimal fraction needs its type right after it, as in `0.5:f`", last.span().of(text))),
            };
        }
        if token.kind == TokenKind::DotWord {
            return error(format!("the modifier `{written}` cannot stand after `{}`", last.span().of(text)))
                .help("modifiers stand between the mnemonic and the execution size");
        }
        if token.kind == TokenKind::Less && last.kind == TokenKind::Close {
            return error("a region cannot follow a parenthesised expression".into());
        }
    }
    error(format!("unexpected `{written}`"))
}

fn is_exec(tokens: &[Token], open: Token) -> bool {
    open.kind == TokenKind::Open
        && tokens.iter().position(|t| t.start == open.start).is_some_and(|i| {
            i > 0 && tokens.get(i + 1).is_some_and(|t| matches!(t.kind, TokenKind::Word | TokenKind::Dec)) && tokens.get(i + 2).is_some_and(|t| t.kind == TokenKind::Comma)
        })
}

fn at_end(text: &str, tokens: &[Token]) -> Diagnostic {
    let end = tokens.last().map_or(0, |t| t.end);
    let place = Span::new(end.saturating_sub(1), end);
    if let Some(open) = open_bracket(tokens) {
        let close = closing(open.kind);
        return Diagnostic::new(&SYNTAX_ERROR, open.span(), format!("`{}` is not closed: expected `{close}` before the end of the line", open.span().of(text)));
    }
    let Some(last) = tokens.last() else {
        return Diagnostic::new(&SYNTAX_ERROR, place, "a statement is missing");
    };
    let written = last.span().of(text);
    match last.kind {
        TokenKind::Close if tokens[0].kind == TokenKind::Open => {
            Diagnostic::new(&SYNTAX_ERROR, tokens[0].span().to(last.span()), "a predicate has to be followed by an instruction")
        }
        TokenKind::Less => Diagnostic::new(&SYNTAX_ERROR, last.span(), "the region is not closed: expected `>` before the end of the line"),
        TokenKind::Colon => Diagnostic::new(&SYNTAX_ERROR, last.span(), "`:` has to be followed by a type such as `ud`"),
        _ => Diagnostic::new(&SYNTAX_ERROR, last.span(), format!("the line ends too early after `{written}`")),
    }
}

fn bad_character(text: &str, tokens: &[Token], index: usize) -> Diagnostic {
    let token = tokens[index];
    let rest = &text[token.start as usize..];
    let character = rest.chars().next().unwrap_or('\u{fffd}');
    let span = Span::new(token.start, token.start + character.len_utf8() as u32);
    let error = |message: String| Diagnostic::new(&SYNTAX_ERROR, span, message);
    match character {
        '\\' if rest.starts_with("\\\n") => error("a backslash that continues the line needs a blank before it".into())
            .fix(Fix { title: "insert a blank".into(), edits: vec![Edit { span: Span::at(token.start), text: " ".into() }], certain: true }),
        '\\' => error("a backslash continues a line only at its very end".into()),
        '#' => error("`#` does not begin a comment".into()).help("comments begin with `//`"),
        '\'' => error("`'` is not a quote".into()).help("strings stand between `\"`"),
        '\u{feff}' => error("a byte order mark may not stand in the text".into()).replace(span, "", true),
        '\u{fffd}' => error("a byte that is not UTF-8".into()),
        c if c.is_ascii_graphic() => error(format!("`{c}` has no meaning here")),
        c if c.is_ascii() => error(format!("the control character U+{:04X} has no meaning here", c as u32)),
        '\u{a0}' => error("a no-break space (U+00A0) is not a blank".into()).replace(span, " ", true),
        c => error(format!("`{c}` (U+{:04X}) is not ASCII: outside comments and strings only ASCII is read", c as u32)),
    }
}
