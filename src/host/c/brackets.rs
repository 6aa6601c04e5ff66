//! Lists of tokens: what brackets hold, and what stands between commas.

use super::lexer::{Kind, Token};
use crate::base::span::Span;

/// The tokens outside of parentheses, brackets and braces, each with its index.
pub(super) fn outermost(tokens: &[Token]) -> impl Iterator<Item = (usize, Token)> {
    let mut depth = 0i32;
    tokens.iter().enumerate().filter_map(move |(i, token)| {
        match token.kind {
            Kind::Open | Kind::BracketOpen | Kind::BraceOpen => depth += 1,
            Kind::Close | Kind::BracketClose | Kind::BraceClose => depth -= 1,
            _ if depth == 0 => return Some((i, *token)),
            _ => {}
        }
        None
    })
}

/// The tokens without what parentheses and braces among them hold.
pub(super) fn direct(tokens: &[Token]) -> Vec<Token> {
    let mut own = Vec::new();
    let mut depth = 0i32;
    for token in tokens {
        depth -= i32::from(matches!(token.kind, Kind::BraceClose | Kind::Close));
        if depth == 0 {
            own.push(*token);
        }
        depth += i32::from(matches!(token.kind, Kind::BraceOpen | Kind::Open));
    }
    own
}

/// The parts between the commas at the outermost level.
pub(super) fn split(tokens: &[Token]) -> Vec<&[Token]> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (i, _) in outermost(tokens).filter(|(_, t)| t.kind == Kind::Comma) {
        parts.push(&tokens[from..i]);
        from = i + 1;
    }
    if from < tokens.len() {
        parts.push(&tokens[from..]);
    }
    parts
}

/// The index of what closes the parenthesis, bracket or brace at `open`.
pub(super) fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    closing_of(tokens.get(open..)?.iter().map(|t| t.kind)).map(|n| open + n)
}

/// How many tokens stand before what closes the parenthesis, bracket or brace that comes first.
pub(super) fn closing_of(kinds: impl Iterator<Item = Kind>) -> Option<usize> {
    let mut depth = 0i32;
    for (i, kind) in kinds.enumerate() {
        match kind {
            Kind::Open | Kind::BracketOpen | Kind::BraceOpen => depth += 1,
            Kind::Close | Kind::BracketClose | Kind::BraceClose => {
                depth -= 1;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

/// Tokens between `<` and `>` that are read as arguments of a template.
const MOST_ARGUMENTS: usize = 64;

/// The number of tokens of `<...>`.
pub(super) fn angle(tokens: &[Token]) -> Option<usize> {
    if tokens.first()?.kind != Kind::Less {
        return None;
    }
    let mut depth = 0i32;
    for (i, token) in tokens.iter().enumerate().take(MOST_ARGUMENTS) {
        match token.kind {
            Kind::Less => depth += 1,
            Kind::Greater => {
                depth -= 1;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            Kind::Semicolon | Kind::BraceOpen | Kind::BraceClose => return None,
            _ => {}
        }
    }
    None
}

/// Where the initial value that begins at `at` ends: at a comma or semicolon.
pub(super) fn expression_end(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0i32;
    let mut arguments_end = at;
    for (i, token) in tokens.iter().enumerate().skip(at) {
        if i < arguments_end {
            continue;
        }
        match token.kind {
            // `reinterpret_cast<vec<float, 2> *>(p)`
            Kind::Less if i > at && tokens[i - 1].kind == Kind::Word => {
                let end = angle(&tokens[i..]).map(|n| i + n);
                arguments_end =
                    end.filter(|end| tokens.get(*end).is_some_and(|t| t.kind == Kind::Open)).unwrap_or(arguments_end);
            }
            Kind::Open | Kind::BracketOpen | Kind::BraceOpen => depth += 1,
            Kind::Close | Kind::BracketClose | Kind::BraceClose => {
                depth -= 1;
                if depth < 0 {
                    return i;
                }
            }
            Kind::Comma | Kind::Semicolon if depth == 0 => return i,
            _ => {}
        }
    }
    tokens.len()
}

/// The place of a list of tokens.
pub(super) fn span_of(tokens: &[Token]) -> Span {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => Span::new(first.start, last.end),
        _ => Span::default(),
    }
}

/// Whether an operand ends with a token, so that an operator follows.
pub(super) fn ends_operand(token: Token) -> bool {
    matches!(token.kind, Kind::Word | Kind::Number | Kind::Close | Kind::BracketClose | Kind::Character)
}

/// Whether the colon at `at` ends a label, as in `public:`.
pub(super) fn is_label(tokens: &[Token], at: usize) -> bool {
    let ends = |t: &Token| matches!(t.kind, Kind::Semicolon | Kind::BraceOpen | Kind::BraceClose | Kind::Colon);
    at > 0 && tokens[at - 1].kind == Kind::Word && (at == 1 || ends(&tokens[at - 2]))
}
