//! Brackets that are missing, too many, or of the wrong kind, and what stands wrongly inside them.

use super::opening::Opening;
use super::{Place, change, error};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::syntax::token::{Token, TokenKind};

/// Describes a closing bracket that closes nothing; nothing if `token` is none.
pub fn stray(place: &Place, token: Token, openings: &[(Opening, usize)]) -> Option<Diagnostic> {
    let span = token.span();
    let written = place.text(token);
    let last = place.last()?;
    let i = place.index;
    match token.kind {
        TokenKind::Close if openings.is_empty() => {
            if i == 1 && last.kind == TokenKind::Word || i == 2 && place.kind(0) == Some(TokenKind::Bang) {
                let first = place.tokens[0];
                return Some(error(first.span(), format!("`(` is missing before `{}`", place.text(first))).replace(
                    Span::at(first.start),
                    "(",
                    true,
                ));
            }
            let is_double =
                matches!(last.kind, TokenKind::Close | TokenKind::Exec | TokenKind::CallPair | TokenKind::Pair);
            Some(error(span, "this `)` closes nothing").replace(span, "", is_double))
        }
        TokenKind::BracketClose | TokenKind::BraceClose if openings.is_empty() => {
            Some(error(span, format!("this `{written}` closes nothing")).replace(span, "", false))
        }
        TokenKind::Greater | TokenKind::ShiftRight if openings.is_empty() => {
            if last.kind == TokenKind::Dec
                && i >= 2
                && matches!(place.tokens[i - 2].kind, TokenKind::Close | TokenKind::CallPair)
            {
                return Some(error(last.span(), format!("`<` is missing before `{}`", place.text(last))).replace(
                    Span::at(last.start),
                    "<",
                    true,
                ));
            }
            let is_double = matches!(last.kind, TokenKind::Greater | TokenKind::SourceRegion | TokenKind::Stride);
            Some(error(span, format!("this `{written}` closes nothing")).replace(span, "", is_double))
        }
        _ => None,
    }
}

/// A region that `>>` was meant to close: the text after the second number of `< 8;8,1>>` is read as that of a shift.
pub fn closed_twice(place: &Place, opening: Opening, at: usize) -> Option<Diagnostic> {
    let end = (place.index + 1).min(place.tokens.len());
    let inner = &place.tokens[at + 1..end];
    let shift = inner.iter().find(|t| t.kind == TokenKind::ShiftRight).filter(|_| opening == Opening::Region)?;
    let second = Span::new(shift.start + 1, shift.end);
    Some(error(second, "this `>` closes nothing").replace(second, "", true))
}

/// Describes a token that cannot stand inside the innermost bracket.
pub fn inside(place: &Place, token: Token, opening: Opening, at: usize) -> Diagnostic {
    if let Some(diagnostic) = region_inside(place, opening, at).or_else(|| closed_twice(place, opening, at)) {
        return diagnostic;
    }
    if let Some(diagnostic) = other_close(place, token, opening, at) {
        return diagnostic;
    }
    let specific = match opening {
        Opening::Execution => execution(place, token, at),
        Opening::Predicate => predicate(place, token),
        Opening::Arguments => arguments(place, token),
        Opening::Region => region(place, token, at),
        Opening::Index if offset_without_sign(place, token) => {
            Some(separate(place, token, "+", "the register and its offset"))
        }
        Opening::Indirect | Opening::Index => index(place, token),
        Opening::Group => group(place, token, at),
        Opening::Alias | Opening::Attributes => None,
    };
    specific.unwrap_or_else(|| general(place, token, opening, at))
}

/// A bracket that closes another kind than the innermost, none of which is open: `(M1, 16]`.
fn other_close(place: &Place, token: Token, opening: Opening, at: usize) -> Option<Diagnostic> {
    let opens: &[TokenKind] = match token.kind {
        TokenKind::BracketClose => &[TokenKind::BracketOpen, TokenKind::IndexOpen, TokenKind::IndirectOpen],
        TokenKind::BraceClose => &[TokenKind::BraceOpen],
        _ => return None,
    };
    let close = opening.closing();
    let before = &place.tokens[..place.index];
    let count = |kinds: &[TokenKind]| before.iter().filter(|t| kinds.contains(&t.kind)).count();
    let is_doubled = place.tokens.get(place.index + 1).is_some_and(|next| place.text(*next) == close);
    if place.index == at + 1 || place.text(token) == close || is_doubled || count(opens) > count(&[token.kind]) {
        return None;
    }
    let (open, span) = (place.tokens[at], token.span());
    let message = format!("`{}` is closed by `{close}`, not by `{}`", place.text(open), place.text(token));
    Some(error(span, message).also(open.span(), "opened here").replace(span, close, true))
}

/// What can be said of any bracket.
fn general(place: &Place, token: Token, opening: Opening, at: usize) -> Diagnostic {
    let open = place.tokens[at];
    let last = place.last().unwrap_or(open);
    let span = token.span();
    let written = place.text(token);
    let close = opening.closing();
    let is_empty_slot = last.kind == TokenKind::Comma || place.index == at + 1;
    if written == close {
        let place_of_gap = if place.index == at + 1 { span } else { last.span() };
        let message = format!("{} after `{}`", opening.missing_inside(), place.text(last));
        return error(place_of_gap, message);
    }
    if token.kind == TokenKind::Comma && is_empty_slot {
        return error(span, format!("something is missing before this comma in {}", opening.describe()));
    }
    if matches!(token.kind, TokenKind::Comma | TokenKind::Semicolon) {
        return error(span, format!("`{written}` cannot stand in {}", opening.describe()))
            .also(open.span(), "opened here");
    }
    if is_empty_slot {
        return error(span, format!("`{written}` cannot stand in {}", opening.describe()))
            .also(open.span(), "opened here");
    }
    if opening == Opening::Attributes && token.kind == TokenKind::Word {
        return separate(place, token, ",", "two attributes");
    }
    error(span, format!("`{close}` is missing before `{written}`"))
        .also(open.span(), format!("this `{}` is still open", place.text(open)))
        .replace(Span::at(last.end), close, false)
}

/// A region inside parentheses: they are not closed before it.
pub fn region_inside(place: &Place, opening: Opening, at: usize) -> Option<Diagnostic> {
    if !matches!(opening, Opening::Arguments | Opening::Indirect | Opening::Index) {
        return None;
    }
    let end = (place.index + 1).min(place.tokens.len());
    let inner = at + 1..end;
    let found = inner.clone().find(|&i| {
        let kind = place.tokens[i].kind;
        // `<8;` is no comparison.
        let is_less = kind == TokenKind::Less && place.starts_with(i + 1, &[TokenKind::Dec, TokenKind::Semicolon]);
        matches!(kind, TokenKind::SourceRegion | TokenKind::Stride) || is_less
    })?;
    if found == at + 1 {
        return None;
    }
    let (token, before) = (place.tokens[found], place.tokens[found - 1]);
    let close = opening.closing();
    let open = place.tokens[at];
    Some(
        error(token.span(), format!("`{close}` is missing before `{}`", place.text(token)))
            .also(open.span(), format!("this `{}` is still open", place.text(open)))
            .replace(Span::at(before.end), close, true),
    )
}

/// Inserts a separator between two tokens.
fn separate(place: &Place, token: Token, separator: &str, what: &str) -> Diagnostic {
    let last = place.last().unwrap_or(token);
    error(token.span(), format!("`{separator}` is missing between {what}")).replace(Span::at(last.end), separator, true)
}

const NO_COMMA: &str = "a comma stands between the mask and the execution size";

fn execution(place: &Place, token: Token, at: usize) -> Option<Diagnostic> {
    use TokenKind::{Bar, Comma, Dec, Exec, Semicolon, Word};
    let last = place.last()?;
    let span = token.span();
    match (last.kind, token.kind) {
        (Word, Dec) if place.index == at + 2 => Some(separate(place, token, ",", "the mask and the execution size")),
        (Word, Semicolon) if place.index == at + 2 => Some(error(span, NO_COMMA).replace(span, ",", true)),
        // `(M1 ? 16)` is read as the beginning of a choice.
        (Dec, TokenKind::Close) if place.index == at + 4 && place.kind(at + 2) != Some(Comma) => {
            let separator = place.tokens[at + 2].span();
            Some(error(separator, NO_COMMA).replace(separator, ",", true))
        }
        // `(8` and `(M1, 8`; a longer one is the size of a block, in expressions.
        (Dec, _) if matches!(place.index - at, 2 | 4) && !matches!(token.kind, Comma | Semicolon | Bar | Dec) => {
            let message = format!("`)` is missing after the execution size `{}`", place.text(last));
            Some(error(last.span(), message).also(place.tokens[at].span(), "this `(` is still open").replace(
                Span::at(last.end),
                ")",
                true,
            ))
        }
        (_, Exec) if place.index == at + 1 => {
            let open = place.tokens[at].span();
            Some(error(open, "this `(` is one too many").replace(open, "", true))
        }
        _ => None,
    }
}

fn predicate(place: &Place, token: Token) -> Option<Diagnostic> {
    use TokenKind::{Bang, Close, Dot, DotWord, Open, Plus, Word};
    let last = place.last()?;
    // `(P1 mov (M1, 8) ...`: the parenthesis is missing after the name.
    let name = if place.kind(1) == Some(Bang) { 2 } else { 1 };
    let end = if place.kind(name + 1) == Some(DotWord) { name + 1 } else { name };
    if place.kind(name) == Some(Word) && place.kind(end + 1) == Some(Word) {
        let after = place.tokens[end];
        let message = format!("`)` is missing after the predicate `{}`", place.text(place.tokens[name]));
        return Some(error(after.span(), message).also(place.tokens[0].span(), "this `(` is still open").replace(
            Span::at(after.end),
            ")",
            true,
        ));
    }
    match (last.kind, token.kind) {
        (Open, Plus) => Some(error(token.span(), "a predicate is written `(P1)`, and inverted `(!P1)`").replace(
            token.span(),
            "",
            true,
        )),
        (Dot, Word) if last.end < token.start => {
            let written = format!(".{}", place.text(token));
            let gap = Span::new(last.end, token.start);
            let message = format!("no blank may stand after the dot of `{written}`");
            Some(error(last.span().to(token.span()), message).replace(gap, "", true))
        }
        (Bang, Close) => Some(error(last.span(), "the predicate variable is missing after `!`").help("write `(!P1)`")),
        _ => None,
    }
}

fn arguments(place: &Place, token: Token) -> Option<Diagnostic> {
    use TokenKind::{Dec, Dot, DotNumber, Hex, Semicolon};
    let last = place.last()?;
    let span = token.span();
    let what = "row and column";
    match (last.kind, token.kind) {
        (Dec | Hex, Dec | Hex) => Some(separate(place, token, ",", what)),
        (Dec, DotNumber) => {
            let dot = Span::new(token.start, token.start + 1);
            Some(error(dot, format!("a comma stands between {what}, not a dot")).replace(dot, ",", true))
        }
        (Dec | Hex, Semicolon | Dot) => {
            Some(error(span, format!("a comma stands between {what}")).replace(span, ",", true))
        }
        _ => None,
    }
}

/// `[V5 0x10]`
fn offset_without_sign(place: &Place, token: Token) -> bool {
    use TokenKind::{Dec, DotNumber, Hex, Word};
    matches!(token.kind, Dec | Hex) && place.last().is_some_and(|last| matches!(last.kind, Word | DotNumber))
}

fn index(place: &Place, token: Token) -> Option<Diagnostic> {
    use TokenKind::{CallPair, Close, Dec, Hex, Semicolon};
    let last = place.last()?;
    match (last.kind, token.kind) {
        (Close | CallPair, Dec | Hex) => {
            let mut diagnostic = separate(place, token, ",", "the address and the offset");
            // More may be wrong there.
            if let Some(fix) = diagnostic.fix.as_mut() {
                fix.certain = place.kind(place.index + 1) == Some(TokenKind::BracketClose);
            }
            Some(diagnostic)
        }
        (Close | CallPair | Dec | Hex, Semicolon) => {
            let open = place.tokens[..place.index]
                .iter()
                .rposition(|t| matches!(t.kind, TokenKind::IndexOpen | TokenKind::BracketOpen))?;
            region_brackets(place, open)
        }
        _ => None,
    }
}

fn group(place: &Place, token: Token, at: usize) -> Option<Diagnostic> {
    use TokenKind::{Close, Minus, Semicolon, Tilde};
    let last = place.last()?;
    match (last.kind, token.kind) {
        (_, Semicolon) => region_brackets(place, at),
        (Minus | Tilde, Close) if place.index == at + 2 => {
            let all = place.tokens[at].span().to(token.span());
            let meant = format!("({})", place.text(last));
            Some(error(all, format!("no blank may stand in the source modifier `{meant}`")).replace(all, meant, true))
        }
        _ => None,
    }
}

/// `(8;8,1)` or `[8;8,1]` after an operand: a region in the wrong brackets.
fn region_brackets(place: &Place, at: usize) -> Option<Diagnostic> {
    let open = place.tokens[at];
    let before = place.tokens.get(at.checked_sub(1)?)?;
    let follows_operand = matches!(before.kind, TokenKind::Close | TokenKind::CallPair);
    let wanted = if open.kind == TokenKind::Open { TokenKind::Close } else { TokenKind::BracketClose };
    let close = place.tokens[at..].iter().find(|t| t.kind == wanted).filter(|_| follows_operand)?;
    let all = open.span().to(close.span());
    Some(error(all, "a region stands in angle brackets").fix(change(
        format!("write `<{}>`", Span::new(open.end, close.start).of(place.text)),
        vec![(open.span(), "<"), (close.span(), ">")],
        true,
    )))
}

/// A region after `V[0,0]` or `[...]`.
pub fn region_after_index(place: &Place) -> Diagnostic {
    let close = place.index - 1;
    let open = place.tokens[..close]
        .iter()
        .rposition(|t| matches!(t.kind, TokenKind::IndexOpen | TokenKind::BracketOpen))
        .unwrap_or(0);
    let open_token = place.tokens[open];
    if open_token.kind == TokenKind::IndexOpen {
        let name = place.tokens[open - 1];
        if place.text(name).eq_ignore_ascii_case("r") {
            let all = name.span().to(open_token.span());
            let message = if place.text(name) == "r" {
                "no blank may stand between `r` and `[`"
            } else {
                "an indirect operand begins with `r[` in lower case"
            };
            return error(all, message).replace(all, "r[", true);
        }
        let all = open_token.span().to(place.tokens[close].span());
        let inner = Span::new(open_token.end, place.tokens[close].start).of(place.text);
        if place.tokens[open + 1..close].iter().any(|t| t.kind == TokenKind::Word) {
            // An address variable in the brackets: the operand is indirect, and what the name before them is for is unclear.
            let front = name.span().to(open_token.span());
            return error(all, "an indirect operand begins with `r[`").replace(front, "r[", false);
        }
        return error(all, "row and column stand in parentheses").fix(change(
            format!("write `({inner})`"),
            vec![(open_token.span(), "("), (place.tokens[close].span(), ")")],
            true,
        ));
    }
    let found = error(open_token.span(), "an indirect operand begins with `r[`");
    // After a word, as in `0x0:ud[A(0),0]`, the `r` would become a part of it.
    let front = Span::new(0, open_token.start).of(place.text);
    if front.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '.' | '$' | '%')) {
        return found;
    }
    found.replace(open_token.span(), "r[", true)
}

/// Inside `<...>`.
fn region(place: &Place, token: Token, at: usize) -> Option<Diagnostic> {
    use TokenKind::{Comma, Dec, Greater, Less, Percent, Semicolon, Word};
    let last = place.last()?;
    let span = token.span();
    let inner: Vec<TokenKind> = place.tokens[at + 1..place.index].iter().map(|t| t.kind).collect();
    let is_whole = !inner.is_empty();
    match (inner.as_slice(), token.kind) {
        ([], Greater) => Some(
            error(place.tokens[at].span().to(span), "the region is empty")
                .help("a destination has one number, `<1>`, a source three, `<8;8,1>`"),
        ),
        ([Dec, Comma, Dec], Comma) => {
            let first = place.tokens[at + 2].span();
            Some(
                error(first, "a region is written `<8;8,1>`, with a semicolon after the first number")
                    .replace(first, ";", true),
            )
        }
        ([Dec, Semicolon, Dec], Semicolon) => Some(
            error(span, "a region is written `<8;8,1>`, with a comma before the last number").replace(span, ",", true),
        ),
        ([Dec, Semicolon, Dec], Dec) => Some(separate(place, token, ",", "the width and the horizontal stride")),
        ([Dec], Dec) => Some(separate(place, token, ";", "the vertical stride and the width")),
        ([Dec, Semicolon, Dec], Greater) => Some(
            error(last.span(), "the horizontal stride is missing: a source region has three numbers, as in `<8;8,1>`")
                .help("write a comma and the stride before `>`"),
        ),
        (_, Comma | Semicolon | Greater) if matches!(last.kind, Comma | Semicolon | Less) => {
            Some(error(span, format!("a number of the region is missing before `{}`", place.text(token))))
        }
        ([Dec] | [Dec, Semicolon, Dec, Comma, Dec], Word | Percent) if is_whole => Some(
            error(
                last.span(),
                format!("`>` is missing after the region `{}`", place.tokens[at].span().to(last.span()).of(place.text)),
            )
            // What stands right behind the number may be meant for a separator.
            .replace(Span::at(last.end), ">", last.end < span.start),
        ),
        _ => None,
    }
}
