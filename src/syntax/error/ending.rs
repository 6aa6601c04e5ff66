//! Lines that end too early.

use super::opening;
use super::{Place, error};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::syntax::token::TokenKind;

/// Describes the end of the line as the place where the parser stopped.
pub fn describe(place: &Place) -> Diagnostic {
    let Some(last) = place.tokens.last().copied() else { return error(Span::at(0), "a statement is missing") };
    if let Some((opening, at)) = opening::before(place, place.tokens.len()).last().copied() {
        let specific = super::bracket::region_inside(place, opening, at)
            .or_else(|| super::bracket::closed_twice(place, opening, at))
            .or_else(|| super::directive::wrong_brackets(place, opening, at));
        if let Some(diagnostic) = specific {
            return diagnostic;
        }
        let open = place.tokens[at].span();
        let close = opening.closing();
        let message = format!("`{}` is not closed: expected `{close}` before the end of the line", open.of(place.text));
        return error(open, message).replace(Span::at(last.end), close, false);
    }
    let written = place.text(last);
    match last.kind {
        TokenKind::Close if place.kind(0) == Some(TokenKind::Open) && place.mnemonic() == Some(place.tokens.len()) => {
            error(place.tokens[0].span().to(last.span()), "a predicate has to be followed by an instruction")
        }
        TokenKind::SourceModifier => error(last.span(), format!("an operand is missing after `{written}`")),
        TokenKind::Dot => error(last.span(), "an offset is missing after the dot"),
        TokenKind::Ampersand => error(last.span(), "the name of a variable is missing after `&`"),
        _ => error(last.span(), format!("the line ends too early after `{written}`")).help("write what belongs there"),
    }
}
