//! Where a program puts a text that stands under no name of its own: `open(f(n)) << "..."`, `this->os << "..."`,
//! `streams[i] << "..."`.

use super::brackets::closing;
use super::lexer::{Kind, Role, Token};
use super::written::FOR_PEOPLE;

/// Tokens of a target that are read.
const MOST_TARGET: usize = 64;

/// Parts of the names of functions whose results people read.
const MESSAGES: [&str; 10] = ["log", "err", "warn", "debug", "dbg", "diag", "fatal", "remark", "trace", "usage"];

/// What stands before the `<<` of a statement.
pub(super) struct Target {
    /// All of its tokens as one.
    pub(super) place: Token,
    /// Whether it is the result of a call: nothing is known of what it holds before.
    pub(super) is_result: bool,
    /// The first token behind it.
    pub(super) end: usize,
}

/// Reads the target of the statement that begins at `at`, up to its `<<`; nothing if it is a name alone, or if people read what
/// is put there.
pub(super) fn target(text: &str, code: &[Token], at: usize) -> Option<Target> {
    let code = &code[..code.len().min(at + MOST_TARGET)];
    let kind = |i: usize| code.get(i).map(|t| t.kind);
    let is_pointer = |i: usize| kind(i) == Some(Kind::Star);
    let mut end = at + (at..code.len()).take_while(|i| is_pointer(*i)).count();
    let mut last = None;
    let mut is_result = false;
    match kind(end)? {
        Kind::Word if matches!(code[end].of(text), "if" | "for" | "while" | "switch" | "return" | "case") => {
            return None;
        }
        Kind::Word => {}
        Kind::Open => end = closing(code, end)? + 1,
        _ => return None,
    }
    let mut is_word = kind(end)? == Kind::Word;
    loop {
        match kind(end)? {
            // One word behind the other declares something; a word behind a parenthesis begins another statement.
            Kind::Word if is_word => {
                last = Some(code[end]);
                (is_word, is_result) = (false, false);
                end += 1;
            }
            Kind::Scope | Kind::Dot | Kind::Arrow if kind(end + 1)? == Kind::Word => {
                is_word = true;
                end += 1;
            }
            Kind::Open if !is_word => {
                end = closing(code, end)? + 1;
                is_result = true;
            }
            Kind::BracketOpen => end = closing(code, end)? + 1,
            Kind::Less if kind(end + 1)? == Kind::Less && code[end].end == code[end + 1].start => break,
            _ => return None,
        }
    }
    let name = last.map_or("", |t| t.of(text));
    let is_macro = is_result && !name.bytes().any(|b| b.is_ascii_lowercase());
    let is_message = is_macro || FOR_PEOPLE.contains(&name) || is_message(name);
    let place = Token { kind: Kind::Word, role: Role::Other, end: code[end - 1].end, ..code[at] };
    (end > at + 1 && !is_message).then_some(Target { place, is_result, end })
}

/// Whether a function, a stream or a macro with that name is one for messages that people read.
pub(super) fn is_message(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    MESSAGES.iter().any(|word| lower.contains(word))
}
