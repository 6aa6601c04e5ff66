//! Numbers that are not written as the text wants them.

use super::opening::Opening;
use super::{Place, change, error};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::syntax::token::{Token, TokenKind};

const FORM: &str =
    "a decimal fraction is written like `0.5:f`: digits on both sides of the dot, and `:f` or `:df` right after them";

/// Describes a token that belongs to a number; nothing if it does not.
pub fn describe(place: &Place, token: Token, openings: &[(Opening, usize)]) -> Option<Diagnostic> {
    let last = place.last();
    let is_in_arguments =
        openings.last().is_some_and(|(o, _)| matches!(o, Opening::Arguments | Opening::Execution | Opening::Region));
    match token.kind {
        TokenKind::DotNumber | TokenKind::Dot if is_in_arguments => None,
        TokenKind::DotNumber | TokenKind::Dot
            if last.is_some_and(|t| t.kind == TokenKind::Dec && t.end == token.start) =>
        {
            fraction(place, last?, token)
        }
        TokenKind::DotNumber => leading_dot(place, token),
        TokenKind::ColonWord if last.is_some_and(|t| t.kind == TokenKind::DotNumber && t.end == token.start) => {
            let written = place.text(token);
            Some(
                error(token.span(), format!("a decimal fraction takes `:f` or `:df` in lower case, not `{written}`"))
                    .help("write other floating-point values as a hexadecimal bit pattern, such as `0x3c00:hf`"),
            )
        }
        TokenKind::Word | TokenKind::DotHex
            if last.is_some_and(|t| t.kind == TokenKind::DotNumber && t.end == token.start) =>
        {
            let last = last?;
            Some(error(
                last.span().to(token.span()),
                format!("`{}{}` is not an offset", place.text(last), place.text(token)),
            ))
        }
        TokenKind::Plus => sign(place, token),
        _ => None,
    }
}

/// `1.5` and what follows it.
#[expect(clippy::unnecessary_wraps, reason = "a row of the list of readers")]
fn fraction(place: &Place, whole: Token, dot: Token) -> Option<Diagnostic> {
    let has_digits = dot.kind == TokenKind::DotNumber;
    let next = place.at(place.index + 1).filter(|t| t.start == dot.end);
    let number = whole.span().to(dot.span());
    let written = number.of(place.text);
    let mut digits = if has_digits { written.to_owned() } else { format!("{written}0") };
    digits.retain(|c| !c.is_ascii_whitespace());
    let after_blank = place.at(place.index + 1).filter(|t| t.kind == TokenKind::ColonWord && t.start > dot.end);
    if let Some(suffix) = after_blank.filter(|_| has_digits) {
        return Some(
            error(
                number.to(suffix.span()),
                format!("no blank may stand between the fraction `{written}` and its type"),
            )
            .replace(Span::new(dot.end, suffix.start), "", true),
        );
    }
    let Some(next) = next else {
        return Some(
            error(number, format!("`{written}` is not an operand: a decimal fraction needs its type right after it"))
                .replace(number, format!("{digits}:f"), false),
        );
    };
    let word = place.text(next);
    let all = number.to(next.span());
    let diagnostic = error(all, format!("`{}` is not a number", all.of(place.text))).help(FORM);
    Some(match (next.kind, word) {
        (TokenKind::ColonWord, ":f" | ":df" | ":F" | ":DF") => {
            diagnostic.replace(all, format!("{digits}{}", word.to_ascii_lowercase()), true)
        }
        (TokenKind::ColonWord, ":hf" | ":HF" | ":bf" | ":BF") => {
            diagnostic.help("half-floats are written as a hexadecimal bit pattern: 1.0 is `0x3c00:hf`")
        }
        (TokenKind::ColonWord, _) => error(all, format!("a fraction cannot have the type `{}`", &word[1..])).help(FORM),
        (TokenKind::Word, "f" | "F") => diagnostic.replace(all, format!("{digits}:f"), true),
        (TokenKind::Word, word) if is_exponent(word) => exponent(place, all, &digits, word),
        _ => diagnostic,
    })
}

/// Whether a word is an exponent without its sign: `e5`.
fn is_exponent(word: &str) -> bool {
    let digits = word.strip_prefix(['e', 'E']);
    digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
}

fn exponent(place: &Place, number: Span, digits: &str, word: &str) -> Diagnostic {
    let suffix = place.at(place.index + 2).filter(|t| t.kind == TokenKind::ColonWord && t.start == number.end);
    let all = suffix.map_or(number, |t| number.to(t.span()));
    let ending = suffix.map_or(":f", |t| place.text(t));
    error(all, format!("the exponent of `{}` needs a sign", all.of(place.text))).replace(
        all,
        format!("{digits}e+{}{ending}", &word[1..]),
        true,
    )
}

/// `.5:f`
fn leading_dot(place: &Place, dot: Token) -> Option<Diagnostic> {
    let suffix = place.at(place.index + 1).filter(|t| t.kind == TokenKind::ColonWord && t.start == dot.end)?;
    let all = dot.span().to(suffix.span());
    Some(error(all, format!("`{}` is not a number", all.of(place.text))).help(FORM).replace(
        Span::at(dot.start),
        "0",
        true,
    ))
}

/// `+1:d`
fn sign(place: &Place, plus: Token) -> Option<Diagnostic> {
    let next = place.at(place.index + 1).filter(|t| {
        matches!(t.kind, TokenKind::Dec | TokenKind::Hex | TokenKind::Float) && Place::is_glued(plus, *t)
    })?;
    let is_sign = place.last().is_none_or(|last| !Place::is_glued(last, plus));
    is_sign.then(|| {
        let all = plus.span().to(next.span());
        error(plus.span(), "a number has no sign `+`").fix(change(
            format!("write `{}`", place.text(next)),
            vec![(plus.span(), "")],
            all.start == plus.start,
        ))
    })
}
