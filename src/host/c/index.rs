//! Where the tokens stand that are looked for in a whole text.

use super::lexer::{Kind, Role, Token};
use super::words::WordList;

/// Braces inside of each other in which declarations are collected: each structure is read up to its end.
const MOST_BRACES: u32 = 64;

/// Words between `asm` and its parenthesis.
const MOST_QUALIFIERS: usize = 4;

/// Places of tokens of the text proper. Each list is in order.
#[derive(Default)]
pub(super) struct Index {
    /// For each token that opens a bracket the place of what closes it, or the number of tokens if nothing does; for each that
    /// closes one the place of what opens it. 0 for all others.
    partners: Vec<u32>,
    /// Strings.
    literals: Vec<u32>,
    /// Those of them that stand in no asm statement.
    free: Vec<u32>,
    /// Words that begin asm statements.
    asm: Vec<u32>,
    /// Words that begin declarations of which the whole file knows.
    declaring: Vec<u32>,
    /// Those of them that stand outside of functions.
    outer: Vec<u32>,
    /// Names that a `<` is glued to, as the arguments of a template are.
    angles: Vec<u32>,
    /// Parentheses that end a list of parameters, behind which a body may stand.
    lists: Vec<u32>,
}

impl Index {
    /// The index of the tokens of `text`.
    pub(super) fn of(text: &str, code: &[Token]) -> Self {
        let mut index = Self { partners: vec![0; code.len()], ..Self::default() };
        // Brackets that are open, and whether each is a brace.
        let mut open: Vec<(u32, bool)> = Vec::new();
        let mut n_braces = 0;
        // The braces around the body of the outermost function.
        let mut function = u32::MAX;
        let mut last = Kind::Semicolon;
        for (i, token) in code.iter().enumerate() {
            let at = i as u32;
            match token.kind {
                // `enum class` is read with its first word.
                Kind::Word
                    if token.role == Role::Declaring
                        && n_braces <= MOST_BRACES
                        && !(last == Kind::Word && code[i - 1].is(text, "enum")) =>
                {
                    index.declaring.push(at);
                    if n_braces < function {
                        index.outer.push(at);
                    }
                }
                Kind::Word if token.is_asm() => index.asm.push(at),
                Kind::Text | Kind::Raw => index.literals.push(at),
                Kind::Open | Kind::BracketOpen => open.push((at, false)),
                Kind::Close | Kind::BracketClose => {
                    if let Some((begin, _)) = open.pop_if(|(_, is_brace)| !*is_brace) {
                        index.pair(begin, at);
                    }
                }
                Kind::BraceOpen => {
                    n_braces += 1;
                    open.push((at, true));
                    if i > 0 && may_begin_body(text, code[i - 1]) {
                        function = function.min(n_braces);
                    }
                }
                // Parentheses that both branches of an `#if` open end with the braces around them.
                Kind::BraceClose if n_braces > 0 => {
                    n_braces -= 1;
                    if n_braces < function {
                        function = u32::MAX;
                    }
                    while let Some((begin, is_brace)) = open.pop() {
                        index.pair(begin, at);
                        if is_brace {
                            break;
                        }
                    }
                }
                Kind::Less if last == Kind::Word && code[i - 1].end == token.start => index.angles.push(at - 1),
                _ => {}
            }
            if last == Kind::Close
                && (token.kind == Kind::BraceOpen || token.is(text, "const") || token.is(text, "noexcept"))
            {
                index.lists.push(at - 1);
            }
            last = token.kind;
        }
        for (begin, _) in open {
            index.partners[begin as usize] = code.len() as u32;
        }
        index.free = index.free_literals(code);
        index
    }

    fn free_literals(&self, code: &[Token]) -> Vec<u32> {
        let mut free = Vec::new();
        let mut statements = self.asm().peekable();
        let mut end = 0;
        for at in self.literals() {
            while let Some(asm) = statements.next_if(|asm| *asm < at) {
                let open = (asm + 1..at).take(MOST_QUALIFIERS).find(|i| code[*i].kind == Kind::Open);
                end = open.map_or(end, |open| self.closing(open));
            }
            if at >= end {
                free.push(at as u32);
            }
        }
        free
    }

    fn pair(&mut self, open: u32, close: u32) {
        self.partners[open as usize] = close;
        self.partners[close as usize] = open;
    }

    /// The place of what closes the bracket at `open`, or the number of tokens.
    pub(super) fn closing(&self, open: usize) -> usize {
        self.partners[open] as usize
    }

    /// The strings.
    pub(super) fn literals(&self) -> impl Iterator<Item = usize> {
        places(&self.literals)
    }

    /// The words that begin asm statements.
    pub(super) fn asm(&self) -> impl Iterator<Item = usize> {
        places(&self.asm)
    }

    /// The words that begin declarations of which the whole file knows.
    pub(super) fn declaring(&self) -> impl Iterator<Item = usize> {
        places(&self.declaring)
    }

    /// Those of them that stand outside of functions.
    pub(super) fn outer(&self) -> impl Iterator<Item = usize> {
        places(&self.outer)
    }

    /// The names that a `<` is glued to.
    pub(super) fn angles(&self) -> impl Iterator<Item = usize> {
        places(&self.angles)
    }

    /// The parentheses that open a list of parameters behind which a body may stand.
    pub(super) fn lists(&self) -> impl Iterator<Item = usize> {
        places(&self.lists).map(|close| self.partners[close] as usize)
    }

    /// The strings that stand in no asm statement.
    pub(super) fn free(&self) -> impl Iterator<Item = usize> {
        places(&self.free)
    }
}

/// Words between the parameters of a function and its body.
static BEHIND_LIST: WordList<6> = WordList::of(["const", "noexcept", "override", "mutable", "final", "try"]);

/// Whether a brace behind a token may be that of a function or lambda, and is none of a class or namespace.
pub(super) fn may_begin_body(text: &str, before: Token) -> bool {
    matches!(before.kind, Kind::Close | Kind::BracketClose)
        || before.kind == Kind::Word && before.is_one_of(text, &BEHIND_LIST)
}

fn places(all: &[u32]) -> impl Iterator<Item = usize> {
    all.iter().map(|at| *at as usize)
}

/// Places in order, of which each is asked for once the reader is there.
pub(super) struct Marks<'m> {
    rest: &'m [usize],
}

impl<'m> Marks<'m> {
    pub(super) const fn of(all: &'m [usize]) -> Self {
        Self { rest: all }
    }

    /// Whether one lies between two places, of which the first is not before any that was asked for.
    pub(super) fn has_within(&mut self, from: usize, to: usize) -> bool {
        let n_passed = self.rest.iter().take_while(|mark| **mark < from).count();
        self.rest = &self.rest[n_passed..];
        self.rest.first().is_some_and(|mark| *mark < to)
    }
}
