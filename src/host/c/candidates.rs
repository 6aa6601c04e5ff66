//! Which strings of a program may be parts of vISA: those of functions in which a sign of it stands.

use super::Reader;
use super::lexer::{Kind, Role, Token};
use crate::host::loose;
use rustc_hash::FxHashSet;

/// Macros inside of macros that are followed to a string.
const DEPTH: u32 = 8;

impl<'a> Reader<'a> {
    /// Notes which strings outside of asm statements may be parts of vISA, and which names stand for some. A function is looked
    /// at as a whole: what it puts together may be anything in its parts.
    pub(super) fn collect_candidates(&mut self, code: &[Token]) {
        self.spoken = self.names_of_visa();
        let index = self.index.clone();
        let mut free = index.free().peekable();
        let mut found = Vec::new();
        // What stands since the last statement or brace.
        let (mut is_plain, mut names_scope) = (false, false);
        let mut at = 0;
        while free.peek().is_some() && at < code.len() {
            let token = code[at];
            match token.kind {
                Kind::BraceOpen if is_plain || !names_scope => {
                    let close = index.closing(at);
                    let own: Vec<usize> = std::iter::from_fn(|| free.next_if(|literal| *literal < close)).collect();
                    if own.iter().any(|literal| self.is_of_visa(code[*literal]))
                        || !own.is_empty() && self.names_visa(&code[at..close])
                    {
                        found.extend(own);
                    }
                    at = close;
                    (is_plain, names_scope) = (false, false);
                }
                Kind::BraceOpen | Kind::BraceClose | Kind::Semicolon => (is_plain, names_scope) = (false, false),
                Kind::Close | Kind::Equal => is_plain = true,
                Kind::Text | Kind::Raw => {
                    found.extend(free.next_if_eq(&at));
                    // `extern "C" {`
                    names_scope = true;
                }
                Kind::Word if token.role == Role::Declaring => {
                    let scopes = ["namespace", "class", "struct", "union", "enum"];
                    names_scope |= scopes.contains(&self.word(token));
                }
                _ => {}
            }
            at += 1;
        }
        self.candidates = found;
    }

    /// Whether a token is a string with a sign of vISA.
    pub(super) fn is_of_visa(&self, token: Token) -> bool {
        token.is_literal() && loose::may_hold(token.of(self.text))
    }

    /// Whether names stand among some tokens that stand for strings with a sign of vISA.
    pub(super) fn names_visa(&self, tokens: &[Token]) -> bool {
        !self.spoken.is_empty() && tokens.iter().any(|t| t.kind == Kind::Word && self.spoken.contains(self.word(*t)))
    }

    /// The names of strings with a sign of vISA, and of macros that hold one.
    fn names_of_visa(&self) -> FxHashSet<&'a str> {
        let is_of_visa = |tokens: &[Token]| tokens.iter().any(|t| self.is_of_visa(*t));
        let texts = self.texts.iter().filter(|(_, value)| value.as_deref().is_some_and(is_of_visa));
        let mut found: FxHashSet<&str> = texts.map(|(name, _)| *name).collect();
        found.extend(self.constants.names_of(is_of_visa));
        let bodies = || {
            let body = |(from, to): (usize, usize)| &self.directives[from..to];
            self.macros.iter().flat_map(move |(name, all)| all.iter().map(move |m| (*name, body(m.body))))
        };
        found.extend(bodies().filter(|(_, body)| is_of_visa(body)).map(|(name, _)| name));
        for _ in 0..DEPTH {
            let n = found.len();
            let holds = |body: &[Token]| body.iter().any(|t| t.kind == Kind::Word && found.contains(self.word(*t)));
            let more: Vec<&str> = bodies().filter(|(_, body)| n > 0 && holds(body)).map(|(name, _)| name).collect();
            found.extend(more);
            if found.len() == n {
                break;
            }
        }
        found
    }
}
