//! What is wrong in a directive.

use super::opening::Opening;
use super::{Place, change, error};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::spec::words::DIRECTIVES;
use crate::syntax::token::{Token, TokenKind};

/// The directives that take one name and nothing else.
const TAKE_NAMES: [&str; 5] = [".kernel", ".global_function", ".function", ".funcdecl", ".file"];

/// Describes a token that cannot stand in a directive; nothing if there is no more to say than of any statement.
pub fn describe(place: &Place, token: Token, openings: &[(Opening, usize)]) -> Option<Diagnostic> {
    if let Some((opening @ (Opening::Alias | Opening::Attributes), at)) = openings.last()
        && let Some(diagnostic) = wrong_brackets(place, *opening, *at)
    {
        return Some(diagnostic);
    }
    match openings.last() {
        None => outside(place, token),
        Some((Opening::Region, at)) if place.text(place.at(0)?) == ".decl" => Some(missing_alias(place, *at)),
        Some((Opening::Alias, at)) => Some(alias(place, token, *at)),
        Some((Opening::Attributes, _)) if token.kind == TokenKind::String => {
            Some(unquote(place, token, "the name of an attribute is not quoted"))
        }
        Some(_) => None,
    }
}

fn unquote(place: &Place, token: Token, message: &str) -> Diagnostic {
    error(token.span(), message).replace(token.span(), place.text(token).trim_matches('"'), true)
}

fn outside(place: &Place, token: Token) -> Option<Diagnostic> {
    use TokenKind::{
        BraceOpen, BracketOpen, Colon, ColonWord, Comma, Dec, Dot, DotNumber, DotWord, Equal, EqualEqual, Hex,
        IndexOpen, Minus, String, Word,
    };
    let span = token.span();
    let i = place.index;
    let directive = place.text(place.at(0)?);
    let last = place.last()?;
    let next = place.at(i + 1);
    if TAKE_NAMES.contains(&directive)
        && !matches!(token.kind, BraceOpen | Equal | Colon | Comma | TokenKind::Semicolon)
    {
        return Some(quote(place, token));
    }
    Some(match token.kind {
        Comma if place.starts_with(1, &[Dec, Comma, Dec]) && directive == ".version" => {
            error(span, "the numbers of a version are joined by a dot").replace(span, ".", true)
        }
        Comma
            if i >= 3
                && last.kind == Word
                && place.kind(i - 2) == Some(Equal)
                && place.text(place.at(i - 3)?) == "alias" =>
        {
            let diagnostic = error(last.span(), "an alias stands in angle brackets");
            match next.filter(|t| matches!(t.kind, Dec | Hex)) {
                Some(offset) => diagnostic.fix(change(
                    "write `<` and `>`",
                    vec![(Span::at(last.start), "<"), (Span::at(offset.end), ">")],
                    true,
                )),
                None => diagnostic.replace(Span::at(last.start), "<", false),
            }
        }
        ColonWord if matches!(last.kind, Dec | Hex) => {
            error(span, "a number in a directive has no type").replace(span, "", true)
        }
        ColonWord => {
            let colon = Span::new(token.start, token.start + 1);
            error(colon, format!("`{}` and its value are joined by `=`", place.text(last))).replace(colon, "=", true)
        }
        Colon if next.is_some_and(|t| matches!(t.kind, Dec | Hex | String)) => {
            error(span, format!("`{}` and its value are joined by `=`", place.text(last))).replace(span, "=", true)
        }
        Colon if i == 1 && next.is_none() && !DIRECTIVES.contains(&directive) => {
            let name = place.at(0)?.span();
            let plain = directive.trim_start_matches('.').to_owned();
            error(name, "a label has no dot before it").replace(name, plain, false)
        }
        Colon => error(span, "a directive has no colon").replace(span, "", true),
        EqualEqual => error(span, "one `=` is enough").replace(span, "=", true),
        Equal if last.kind == String => unquote(place, last, "the name of an attribute is not quoted"),
        Equal if last.kind == Word && i >= 3 && place.kind(i - 2) == Some(Equal) => {
            let key = place.at(i - 3)?.span().to(place.at(i - 2)?.span());
            error(key, format!("a value is missing after `{}`", key.of(place.text)))
        }
        Equal if i == 1 => error(span, format!("a name is missing between `{directive}` and `=`")),
        BraceOpen if next.is_none() => {
            let gap = Span::new(last.end, token.start);
            error(span, "`{` opens a scope and stands on a line of its own").fix(change(
                "begin a new line",
                vec![(gap, "\n")],
                true,
            ))
        }
        BraceOpen => error(span, "`attrs=` is missing before `{`").replace(Span::at(token.start), "attrs=", true),
        TokenKind::Less if directive == ".decl" => missing_alias(place, i),
        BracketOpen if wrong_brackets(place, Opening::Index, i).is_some() => {
            return wrong_brackets(place, Opening::Index, i);
        }
        BracketOpen | IndexOpen if directive == ".decl" => {
            error(span, "a declaration has no brackets").help("the number of elements is written `num_elts=8`")
        }
        Minus if directive == ".decl" && i == 2 => error(span, "a minus cannot stand in the name of a variable")
            .help("a name holds letters, digits and `_`")
            .replace(span, "_", false),
        DotNumber if directive == ".version" => error(span, "a version has two numbers").replace(
            Span::new(token.start, place.tokens.last()?.end),
            "",
            false,
        ),
        DotNumber | Dot if last.kind == Dec => {
            let number = last.span().to(span);
            error(number, format!("`{}` is not a whole number", number.of(place.text)))
        }
        // The next instruction, which is described as such.
        DotWord if i > 2 && last.kind == Word && crate::spec::lookup(place.text(last)).is_some() => return None,
        DotWord => error(span, format!("`{}` cannot stand after `{}`", place.text(token), place.text(last))),
        _ => return None,
    })
}

/// A name with characters that only a quoted one may hold.
fn quote(place: &Place, token: Token) -> Diagnostic {
    let (Some(first), Some(last)) = (place.at(1), place.tokens.last()) else {
        return error(token.span(), format!("`{}` cannot stand here", place.text(token)));
    };
    let all = first.span().to(last.span());
    let is_one_word = place.tokens[1..].windows(2).all(|pair| Place::is_glued(pair[0], pair[1]));
    let written = all.of(place.text);
    if written.contains('"') {
        return error(token.span(), format!("`{}` cannot stand beside the quoted name", place.text(token)));
    }
    error(all, format!("`{written}` has to be quoted")).replace(all, format!("\"{written}\""), is_one_word)
}

/// `<V32, 0>` or `alias<V32, 0>` in a declaration.
fn missing_alias(place: &Place, at: usize) -> Diagnostic {
    let open = place.tokens[at].span();
    match at.checked_sub(1).and_then(|i| place.at(i)).filter(|t| place.text(*t) == "alias") {
        Some(key) => error(key.span(), "`=` is missing after `alias`").replace(Span::at(key.end), "=", true),
        None => error(open, "`alias=` is missing before `<`").replace(Span::at(open.start), "alias=", true),
    }
}

/// Brackets of another kind than the value takes that they stand for: `attrs=<Output>`, `alias={V32, 0}`.
pub fn wrong_brackets(place: &Place, opening: Opening, at: usize) -> Option<Diagnostic> {
    let key = place.at(at.checked_sub(2)?).filter(|_| place.kind(at - 1) == Some(TokenKind::Equal))?;
    let open = place.tokens[at];
    let (message, meant, example) = match place.text(key) {
        "attrs" => ("attributes stand in braces", ["{", "}"], "write `attrs={Output}`"),
        "alias" => ("an alias stands in angle brackets", ["<", ">"], "write `alias=<V32, 0>`"),
        _ if opening == Opening::Attributes => ("braces stand around attributes only", ["", ""], "leave them out"),
        _ if opening == Opening::Alias => ("angle brackets stand around an alias only", ["", ""], "leave them out"),
        _ => return None,
    };
    if place.text(open) == meant[0] {
        return None;
    }
    let diagnostic = error(open.span(), message);
    let close = place.tokens[at..].iter().find(|t| place.text(**t) == opening.closing());
    Some(match close {
        Some(close) if meant[0].is_empty() => {
            diagnostic.fix(change(example, vec![(open.span(), ""), (close.span(), "")], false))
        }
        Some(close) => diagnostic.fix(change(
            format!("write `{}` and `{}`", meant[0], meant[1]),
            vec![(open.span(), meant[0]), (close.span(), meant[1])],
            true,
        )),
        None => diagnostic.help(example),
    })
}

/// Inside `alias=<...>`, or whatever else follows `=` in angle brackets.
fn alias(place: &Place, token: Token, at: usize) -> Diagnostic {
    use TokenKind::{Comma, Dec, Greater, Hex, Percent, String, Word};
    let span = token.span();
    let open = place.tokens[at];
    let last = place.last().unwrap_or(open);
    match (last.kind, token.kind) {
        (_, String) => unquote(place, token, "the name of a variable is not quoted"),
        (_, Dec | Hex) if place.index == at + 1 => {
            error(span, "in an alias the variable stands before the offset").help("write `alias=<V32, 0>`")
        }
        (Word | Percent, Dec | Hex) => {
            error(span, "`,` is missing between the variable and the offset").replace(Span::at(last.end), ",", true)
        }
        (Word | Percent, Greater) => error(
            last.span(),
            format!("the byte offset is missing after `{}`", place.text(last)),
        )
        .replace(Span::at(last.end), ", 0", false),
        (Comma, Greater) => {
            error(last.span(), "the byte offset is missing after this comma").replace(Span::at(last.end), " 0", false)
        }
        (_, Comma) => error(span, "an alias has one offset").help("write `alias=<V32, 0>`"),
        _ => error(span, format!("`{}` cannot stand in an alias", place.text(token))).help("write `alias=<V32, 0>`"),
    }
}
