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
    if let Some(diagnostic) = exponent(place, token) {
        return Some(diagnostic);
    }
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
        (TokenKind::ColonWord, ":hf" | ":HF") => {
            diagnostic.help("half-floats are written as a hexadecimal bit pattern: 1.0 is `0x3c00:hf`")
        }
        (TokenKind::ColonWord, _) => error(all, format!("a fraction cannot have the type `{}`", &word[1..])).help(FORM),
        (TokenKind::Word, "f" | "F") => diagnostic.replace(all, format!("{digits}:f"), true),
        _ => diagnostic,
    })
}

/// A number with an exponent that is not written as the text wants it: `1.5e5:f`, `1.e+5:f`, `1.5e+5`.
fn exponent(place: &Place, token: Token) -> Option<Diagnostic> {
    let first =
        (0..place.index).rev().take_while(|i| Place::is_glued(place.tokens[*i], place.tokens[*i + 1])).last()?;
    let number = place.tokens[first];
    if number.kind != TokenKind::Dec {
        return None;
    }
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &place.text[number.start as usize..];
    let (whole, rest) = rest.split_at(digits(rest));
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(digits(rest)),
        None => ("", rest),
    };
    let rest = rest.strip_prefix(['e', 'E'])?;
    let (sign, rest) = rest.split_at(usize::from(rest.starts_with(['+', '-'])));
    let (power, rest) = rest.split_at(digits(rest));
    let end_of = |rest: &str| (place.text.len() - rest.len()) as u32;
    let written = Span::new(number.start, end_of(rest)).of(place.text);
    let blank = Span::new(end_of(rest), end_of(rest.trim_start_matches([' ', '\t'])));
    let word = place.text[blank.end as usize..].strip_prefix(':').unwrap_or("");
    let word = &word[..word.bytes().take_while(u8::is_ascii_alphanumeric).count()];
    let blank = if word.is_empty() { Span::at(blank.start) } else { blank };
    let (suffix, rest) = place.text[blank.end as usize..].split_at(if word.is_empty() { 0 } else { word.len() + 1 });
    let all = Span::new(number.start, end_of(rest));
    if power.is_empty() || token.start >= all.end || rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let message = if sign.is_empty() {
        format!("the exponent of `{}` needs a sign", all.of(place.text))
    } else if !blank.is_empty() {
        format!("no blank may stand between the fraction `{written}` and its type")
    } else if suffix.is_empty() {
        format!("`{written}` is not an operand: a decimal fraction needs its type right after it")
    } else {
        format!("`{}` is not a number", all.of(place.text))
    };
    let ending = match suffix.to_ascii_lowercase().as_str() {
        "" => ":f".to_owned(),
        ending @ (":f" | ":df") => ending.to_owned(),
        _ => return Some(error(all, format!("a fraction cannot have the type `{word}`")).help(FORM)),
    };
    let sign = if sign.is_empty() { "+" } else { sign };
    let fraction = if fraction.is_empty() { "0" } else { fraction };
    let meant = format!("{whole}.{fraction}e{sign}{power}{ending}");
    Some(error(all, message).replace(all, meant, !suffix.is_empty()))
}

/// `.5:f`, or `.5` as an operand
fn leading_dot(place: &Place, dot: Token) -> Option<Diagnostic> {
    let suffix = place.at(place.index + 1).filter(|t| t.kind == TokenKind::ColonWord && t.start == dot.end);
    if suffix.is_none() && place.last().is_none_or(|last| Place::is_glued(last, dot)) {
        return None;
    }
    let all = suffix.map_or(dot.span(), |suffix| dot.span().to(suffix.span()));
    let diagnostic = error(all, format!("`{}` is not a number", all.of(place.text))).help(FORM);
    Some(match suffix {
        Some(_) => diagnostic.replace(Span::at(dot.start), "0", true),
        None => diagnostic.replace(all, format!("0{}:f", place.text(dot)), false),
    })
}

/// `+1:d`
fn sign(place: &Place, plus: Token) -> Option<Diagnostic> {
    let next = place.at(place.index + 1).filter(|t| {
        matches!(t.kind, TokenKind::Dec | TokenKind::Hex | TokenKind::Float) && Place::is_glued(plus, *t)
    })?;
    let is_sign = place.last().is_none_or(|last| last.kind == TokenKind::Equal || !Place::is_glued(last, plus));
    is_sign.then(|| {
        error(plus.span(), "a number has no sign `+`").fix(change(
            format!("write `{}`", place.text(next)),
            vec![(plus.span(), "")],
            true,
        ))
    })
}
