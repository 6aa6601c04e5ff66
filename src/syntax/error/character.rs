//! Characters and strings that are no tokens.

use super::error;
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::syntax::token::Token;

/// A string without its second quote.
pub fn unclosed_string(text: &str, token: Token) -> Diagnostic {
    let span = token.span();
    let written = span.of(text).trim_end();
    let end = span.start + written.len() as u32;
    error(span, "the string is not closed on this line").label("it begins here").replace(Span::at(end), "\"", false)
}

/// A character that no token begins with.
pub fn describe(text: &str, token: Token, starts_statement: bool) -> Diagnostic {
    let rest = &text[token.start as usize..];
    let character = rest.chars().next().unwrap_or('\u{fffd}');
    let span = Span::new(token.start, token.start + character.len_utf8() as u32);
    let error = |message: String| error(span, message);
    match character {
        '\\' if rest.starts_with("\\\n") => error("a backslash that continues the line needs a blank before it".into())
            .replace(Span::at(token.start), " ", true),
        '\\' => error("a backslash continues a line only at its very end".into())
            .help("end the line behind it, or leave it out"),
        '#' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
            error("`#` does not begin a number".into()).replace(span, "", true)
        }
        '#' => error("`#` does not begin a comment".into()).replace(span, "//", true),
        '\'' => quoted(rest, span),
        '@' if starts_statement && let Some(diagnostic) = predicate(text, span) => diagnostic,
        '`' => error("a backquote is not a quote".into()).help("strings stand between `\"`"),
        '\u{201c}' | '\u{201d}' | '\u{201e}' => {
            error(format!("`{character}` (U+{:04X}) is not the quote `\"`", character as u32)).replace(span, "\"", true)
        }
        '\u{2013}' | '\u{2014}' | '\u{2212}' => {
            error(format!("`{character}` (U+{:04X}) is not the minus `-`", character as u32)).replace(span, "-", true)
        }
        '\u{feff}' => error("a byte order mark may not stand in the text".into()).replace(span, "", true),
        '\u{1a}' => {
            error("a byte that is neither ASCII nor part of a UTF-8 character, or an end-of-file mark (U+001A)".into())
        }
        '\u{fffd}' => error("a byte that is not UTF-8".into()),
        c if c.is_ascii_graphic() => error(format!("`{c}` has no meaning here")).help("leave it out"),
        '\u{c}' | '\u{b}' => {
            error(format!("the control character U+{:04X} is not a blank", character as u32)).replace(span, " ", true)
        }
        c if c.is_ascii() => error(format!("the control character U+{:04X} has no meaning here", c as u32)),
        '\u{a0}' => error("a no-break space (U+00A0) is not a blank".into()).replace(span, " ", true),
        '\u{200b}' => error("a zero-width space (U+200B) is not a blank".into()).replace(span, "", true),
        c => error(format!("`{c}` (U+{:04X}) is not ASCII: outside comments and strings only ASCII is read", c as u32)),
    }
}

/// `@P1` or `@!P1`, as predicates are written elsewhere, where `at` is the `@`.
fn predicate(text: &str, at: Span) -> Option<Diagnostic> {
    let rest = &text[at.end as usize..];
    let name = rest.strip_prefix('!').unwrap_or(rest);
    let length = name.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    let written = &rest[..rest.len() - name.len() + length];
    let whole = Span::new(at.start, at.end + written.len() as u32);
    (length > 0).then(|| error(whole, "a predicate stands in parentheses").replace(whole, format!("({written})"), true))
}

fn quoted(rest: &str, span: Span) -> Diagnostic {
    let diagnostic = error(span, "`'` is not a quote");
    let line = rest.lines().next().unwrap_or("");
    match line[1..].find('\'') {
        Some(length) => {
            let second = span.start + 1 + length as u32;
            let edits = vec![(span, "\""), (Span::new(second, second + 1), "\"")];
            diagnostic.fix(super::change("write `\"` around it", edits, false))
        }
        None => diagnostic.help("strings stand between `\"`"),
    }
}
