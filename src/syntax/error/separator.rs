//! Commas, semicolons, colons and operators where they cannot stand.

use super::opening::Opening;
use super::{COMMA_BETWEEN_OPERANDS, INDENTED_LABEL, Place, change, error};
use crate::base::diagnostic::Diagnostic;
use crate::base::fix::NEW_LINE;
use crate::base::span::Span;
use crate::syntax::token::{Token, TokenKind};

/// Describes a separator or an operator; nothing if `token` is neither, or stands inside brackets.
pub fn describe(place: &Place, token: Token, openings: &[(Opening, usize)]) -> Option<Diagnostic> {
    match token.kind {
        TokenKind::Colon => Some(colon(place, token, openings)),
        _ if !openings.is_empty() => None,
        TokenKind::Comma => Some(comma(place, token)),
        TokenKind::Semicolon => Some(semicolon(place, token)),
        TokenKind::Equal if !place.is_directive() => Some(equal(token)),
        TokenKind::Plus
        | TokenKind::Minus
        | TokenKind::Star
        | TokenKind::Slash
        | TokenKind::Bar
        | TokenKind::Caret
        | TokenKind::ShiftLeft
        | TokenKind::ShiftRight
        | TokenKind::ShiftRightLogical
        | TokenKind::EqualEqual
        | TokenKind::NotEqual
        | TokenKind::LessEqual
        | TokenKind::GreaterEqual
        | TokenKind::Question
        | TokenKind::Remainder
            if place.index > 0 && place.last().is_some_and(|t| t.kind != TokenKind::Dot) =>
        {
            Some(operator(place, token))
        }
        _ => None,
    }
}

fn comma(place: &Place, token: Token) -> Diagnostic {
    use TokenKind::{Close, ColonWord, Dec, Percent, Word};
    let span = token.span();
    let i = place.index;
    let generic = |message: &str| {
        let edits = separating(place);
        let title = if edits.len() == 1 { "remove the comma" } else { "remove the commas" };
        Diagnostic::new(&COMMA_BETWEEN_OPERANDS, span, message).fix(change(title, edits, true))
    };
    if place.is_directive() {
        return generic("the parts of a directive are separated by blanks, not by commas");
    }
    if i >= 2 && place.starts_with(i + 1, &[Dec, Close]) {
        let (first, before) = (place.tokens[i - 1], place.tokens[i - 2]);
        if first.kind == Word && place.execution() == Some(i - 1) {
            return error(first.span(), format!("`(` is missing before `{}`", place.text(first))).replace(
                Span::at(first.start),
                "(",
                true,
            );
        }
        if first.kind == Dec && matches!(before.kind, Word | Percent) {
            let gap = Span::new(before.end, first.start);
            return error(first.span(), format!("`(` is missing before `{}`", place.text(first)))
                .replace(gap, "(", true);
        }
    }
    if let (Some(first), Some(size)) = (place.last(), place.at(i + 1).filter(|t| t.kind == Dec))
        && place.execution() == Some(i - 1)
        && place.text(first).strip_prefix('M').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    {
        let written = format!("{}, {}", place.text(first), place.text(size));
        return error(first.span(), format!("the parentheses around `{written}` are missing")).fix(change(
            format!("write `({written})`"),
            vec![(Span::at(first.start), "("), (Span::at(size.end), ")")],
            true,
        ));
    }
    if let (Some(first), Some(next)) = (place.last(), place.at(i + 1)) {
        let is_number =
            first.kind == Dec && next.kind == Dec && Place::is_glued(first, token) && Place::is_glued(token, next);
        if let Some(suffix) = place.at(i + 2).filter(|t| is_number && t.kind == ColonWord) {
            let is_float = matches!(place.text(suffix), ":f" | ":df");
            let all = first.span().to(suffix.span());
            let diagnostic = error(span, format!("a comma cannot stand in the number `{}`", all.of(place.text)));
            return diagnostic.replace(span, if is_float { "." } else { "" }, true);
        }
    }
    comma_for_dot(place, token).unwrap_or_else(|| generic("operands are separated by blanks, not by commas"))
}

/// The comma and those behind it that stand outside of brackets, with what takes the place of each. Further ones that may be
/// meant as dots, as in `3,14:f`, are left.
fn separating<'t>(place: &Place) -> Vec<(Span, &'t str)> {
    use TokenKind::{
        BraceClose, BraceOpen, BracketClose, BracketOpen, CallOpen, Close, Comma, Greater, IndexOpen, IndirectOpen,
        Less, Open,
    };
    let mut depth = 0u32;
    let mut edits = Vec::new();
    for (i, token) in place.tokens.iter().enumerate().skip(place.index) {
        match token.kind {
            Open | CallOpen | BracketOpen | IndexOpen | IndirectOpen | BraceOpen | Less => depth += 1,
            Close | BracketClose | BraceClose | Greater => depth = depth.saturating_sub(1),
            Comma if depth == 0 => {
                let glued = place.at(i + 1).filter(|next| Place::is_glued(*token, *next));
                let may_be_dot = i > 0
                    && Place::is_glued(place.tokens[i - 1], *token)
                    && glued.is_some_and(|next| next.kind == TokenKind::Dec);
                if i == place.index || !may_be_dot {
                    edits.push((token.span(), if glued.is_some() { " " } else { "" }));
                }
            }
            _ => {}
        }
    }
    edits
}

/// A comma in the place of a dot: `add,sat (M1, 8)`, `V35,0`.
fn comma_for_dot(place: &Place, comma: Token) -> Option<Diagnostic> {
    use TokenKind::{Dec, Percent, Word};
    let last = place.last().filter(|t| Place::is_glued(*t, comma))?;
    let next = place.at(place.index + 1).filter(|t| Place::is_glued(comma, *t))?;
    let message = if matches!(next.kind, Word | Dec) && place.index > 0 && place.execution() == Some(place.index) {
        format!("a modifier follows a dot, not a comma: `.{}`", place.text(next))
    } else if matches!(last.kind, Word | Percent)
        && next.kind == Dec
        && place.at(place.index + 2).is_none_or(|after| after.start > next.end)
    {
        let whole = last.span().to(next.span()).of(place.text);
        format!("the byte offset of a raw operand follows a dot, not a comma: `{}`", whole.replacen(',', ".", 1))
    } else {
        return None;
    };
    Some(error(comma.span(), message).replace(comma.span(), ".", false))
}

fn semicolon(place: &Place, token: Token) -> Diagnostic {
    let span = token.span();
    let next = place.at(place.index + 1);
    let Some(next) = next else {
        return error(span, "a statement ends with its line, not with `;`").replace(span, "", true);
    };
    if let Some(last) = place.last() {
        let is_type = next.kind == TokenKind::Word && crate::spec::Type::from_text(place.text(next)).is_some();
        if is_type
            && matches!(last.kind, TokenKind::Dec | TokenKind::Hex)
            && Place::is_glued(last, token)
            && Place::is_glued(token, next)
        {
            return error(span, "a number and its type are joined by `:`").replace(span, ":", true);
        }
        if last.kind == TokenKind::Dec && place.tokens[place.index..].iter().any(|t| t.kind == TokenKind::Greater) {
            return error(last.span(), format!("`<` is missing before `{}`", place.text(last))).replace(
                Span::at(last.start),
                "<",
                true,
            );
        }
    }
    // What follows a whole instruction and begins as one is the next instruction.
    let is_instruction = next.kind == TokenKind::Word && crate::spec::lookup(place.text(next)).is_some()
        || matches!(next.kind, TokenKind::BraceOpen | TokenKind::BraceClose)
        || place.text(next).starts_with(".decl");
    if is_instruction {
        let gap = Span::new(token.start, next.start);
        return error(span, "`;` does not separate statements: each stands on a line of its own").fix(change(
            NEW_LINE,
            vec![(gap, "\n")],
            true,
        ));
    }
    error(span, "`;` does not begin a comment").replace(span, "//", false)
}

fn colon(place: &Place, token: Token, openings: &[(Opening, usize)]) -> Diagnostic {
    let span = token.span();
    if let Some((Opening::Region, at)) = openings.last() {
        let (separator, words) = match place.index - at {
            2 => (";", "a semicolon after the first number"),
            _ => (",", "a comma before the last number"),
        };
        return error(span, format!("a region is written `<8;8,1>`, with {words}")).replace(span, separator, true);
    }
    let next = place.at(place.index + 1).filter(|t| Place::is_glued(token, *t));
    if next.is_some_and(|t| t.kind == TokenKind::ColonWord) {
        return error(span, "one colon is too many").replace(span, "", true);
    }
    if let Some(diagnostic) = bare_size(place, token) {
        return diagnostic;
    }
    if place.index == 1 && place.tokens[0].kind == TokenKind::Word {
        return indented_label(place, token);
    }
    if let Some(next) = place.at(place.index + 1).filter(|t| t.kind == TokenKind::Word && t.start > token.end) {
        return error(span, format!("no blank may stand between `:` and the type `{}`", place.text(next))).replace(
            Span::new(token.end, next.start),
            "",
            true,
        );
    }
    if let Some(name) = place.last().filter(|t| matches!(t.kind, TokenKind::Word | TokenKind::String))
        && place.index + 1 == place.tokens.len()
    {
        let first = place.tokens[0];
        if place.index == 2 && first.kind == TokenKind::Word && crate::spec::lookup(place.text(first)).is_none() {
            let gap = Span::new(first.start, name.start);
            return error(first.span(), format!("nothing stands before a label: `{}:`", place.text(name)))
                .replace(gap, "", false);
        }
        return error(span, format!("nothing follows the colon after `{}`", place.text(name)))
            .help("a label is named without its colon; the type or shape of an operand follows its colon at once")
            .replace(span, "", false);
    }
    error(span, "`:` has to be followed by a type such as `ud`").help("write the type right after it, or remove it")
}

/// `flat[V]:64` or `V:32`: the size of an address or of data without its letter.
fn bare_size(place: &Place, colon: Token) -> Option<Diagnostic> {
    let size = place.at(place.index + 1).filter(|t| t.kind == TokenKind::Dec && Place::is_glued(colon, *t))?;
    let last = place.last().filter(|t| Place::is_glued(*t, colon))?;
    let (what, letter) = match (last.kind, place.text(size)) {
        (TokenKind::BracketClose, "16" | "32" | "64") => ("the size of an address", "a"),
        (TokenKind::Word | TokenKind::DotNumber, "8" | "16" | "32" | "64") => ("the size of data", "d"),
        _ => return None,
    };
    let all = colon.span().to(size.span());
    let meant = format!(":{letter}{}", place.text(size));
    Some(error(all, format!("{what} is written `{meant}`")).replace(all, meant, false))
}

fn indented_label(place: &Place, colon: Token) -> Diagnostic {
    let name = place.tokens[0].span();
    let line_start = place.text[..name.start as usize].rfind('\n').map_or(0, |i| i + 1) as u32;
    let indent = Span::new(line_start, name.start);
    let gap = Span::new(name.end, colon.start);
    let is_alone = place.tokens.len() == 2 && indent.of(place.text).trim().is_empty();
    let message = if indent.is_empty() {
        format!("no blank may stand between the label `{}` and its colon", name.of(place.text))
    } else {
        format!("the label `{}` has to begin in the first column", name.of(place.text))
    };
    let diagnostic = Diagnostic::new(&INDENTED_LABEL, name.to(colon.span()), message);
    if is_alone {
        let edits = [indent, gap].into_iter().filter(|s| !s.is_empty()).map(|s| (s, "")).collect();
        diagnostic.fix(change("remove the blanks", edits, true))
    } else {
        diagnostic.help("write the label on a line of its own, in the first column, with the colon right after it")
    }
}

fn equal(token: Token) -> Diagnostic {
    let span = token.span();
    error(span, "there is no assignment in vISA")
        .help("an instruction writes its first operand: `mov (M1, 8) V32(0,0)<1> V33(0,0)<1;1,0>`")
}

fn operator(place: &Place, token: Token) -> Diagnostic {
    use TokenKind::{Ampersand, ColonWord, Dec, Hex, Percent, Word};
    let span = token.span();
    let written = place.text(token);
    let i = place.index;
    let (Some(last), next) = (place.last(), place.at(i + 1)) else {
        return error(span, format!("`{written}` cannot stand here"));
    };
    let number = next.filter(|t| matches!(t.kind, Dec | Hex));
    if let (Some(number), Word | Percent, TokenKind::Plus) = (number, last.kind, token.kind) {
        let offset = place.text(number);
        let place_of_sum = span.to(number.span());
        if i >= 2 && place.kind(i - 2) == Some(Ampersand) {
            return error(place_of_sum, format!("the offset of `&{}` stands in brackets", place.text(last))).replace(
                Span::new(last.end, number.end),
                format!("[{offset}]"),
                true,
            );
        }
        if number.kind == Dec && Place::is_glued(last, token) {
            return error(place_of_sum, format!("the offset of `{}` follows a dot", place.text(last))).replace(
                Span::new(last.end, number.end),
                format!(".{offset}"),
                false,
            );
        }
    }
    let diagnostic = error(span, format!("`{written}` cannot stand between operands"));
    if let (Some(number), Dec | Hex) = (number, last.kind)
        && place.kind(i + 2) == Some(ColonWord)
    {
        let sum = last.span().to(number.span());
        return diagnostic.fix(change(
            format!("write `({})`", sum.of(place.text)),
            vec![(Span::at(sum.start), "("), (Span::at(sum.end), ")")],
            true,
        ));
    }
    match token.kind {
        TokenKind::Bar => diagnostic
            .help("the absolute value is written `(abs)V32(0,0)<1;1,0>`, an expression in parentheses: `(1 | 2):ud`"),
        TokenKind::Slash | TokenKind::Remainder | TokenKind::Star => {
            diagnostic.help("comments begin with `//`; a constant expression stands in parentheses: `(6 / 2):ud`")
        }
        _ => diagnostic.help("put a constant expression into parentheses: `(1 + 2):ud`"),
    }
}
