//! Lines to which the branches of a program add: `s += "lsc_load.ugm"; if (x) s += ".ca.ca"; else s += ".uc.uc";`. What each
//! branch makes of a line is read by itself.

use super::lexer::{Kind, Role, Token};
use crate::base::span::Span;
use crate::host::map::Mapped;
use crate::host::statement::HOLE;
use rustc_hash::FxHashMap;

/// Lines that are told apart.
const MOST_WAYS: usize = 8;

/// Bytes of a line to which statements add.
const MOST_LINE: usize = 512;

/// Words of a program that were read so far.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Words {
    /// `else`, `case`, `default`
    others: u32,
    /// `for`, `while`, `do`
    loops: u32,
    /// `return`, `throw`, `continue`
    ends: u32,
}

/// A line to which something is still to be added. Of several groups of branches that add to it the last one alone is known: what
/// two groups make of it together may be what the program never does.
struct Line {
    /// What it is before the last group of branches.
    base: Mapped,
    /// What each of them makes of it.
    ways: Vec<Mapped>,
    /// What it is with a hole for each of the groups.
    held: Mapped,
    /// Whether one of the branches adds to it if the others do not.
    has_other: bool,
    /// Whether a branch added to it last.
    is_in_branch: bool,
    /// Braces around the statement that began it, and around the last one that added to it.
    depth: usize,
    last_depth: usize,
    /// The token behind the last one, and the words before it.
    at: usize,
    words: Words,
}

impl Line {
    /// All that it may be.
    fn all(&self) -> Vec<Mapped> {
        let base = Some(&self.base).filter(|_| !self.has_other);
        self.ways.iter().chain(base).cloned().collect()
    }

    /// Adds something that is not known.
    fn add_hole(&mut self, place: u32) {
        if !self.held.text.ends_with(HOLE) {
            self.held.push_atom(HOLE.encode_utf8(&mut [0; 4]), Span::at(place));
        }
    }
}

/// The lines that the statements of a program have begun, by the names of the texts.
#[derive(Default)]
pub(super) struct Lines<'a> {
    open: FxHashMap<&'a str, Line>,
    /// The next token.
    at: usize,
    words: Words,
    depth: usize,
    /// Behind which token so many braces were open last.
    last_at: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Reads the tokens up to the next statement.
    pub(super) fn go_on(&mut self, text: &str, code: &[Token], to: usize) {
        for (at, token) in code.iter().enumerate().take(to).skip(self.at) {
            match token.kind {
                Kind::BraceOpen => self.depth += 1,
                Kind::BraceClose => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.last_at.len() <= self.depth {
                        self.last_at.resize(self.depth + 1, 0);
                    }
                    self.last_at[self.depth] = at + 1;
                }
                Kind::Word => match token.of(text) {
                    "else" | "case" | "default" => self.words.others += 1,
                    "for" | "while" | "do" => self.words.loops += 1,
                    "return" | "throw" | "continue" => self.words.ends += 1,
                    _ => {}
                },
                _ => {}
            }
        }
        self.at = self.at.max(to);
    }

    /// Whether a block with so many braces around it has ended behind a token.
    fn has_left(&self, depth: usize, at: usize) -> bool {
        depth > 0 && self.last_at.get(depth - 1).is_some_and(|left| *left > at)
    }

    /// What the line may be that the statements from `begin` up to `end` go on with, which add `own` to the text with that name;
    /// and whether branches decide about it.
    pub(super) fn add(
        &mut self,
        code: &[Token],
        (begin, end): (usize, usize),
        name: &'a str,
        own: &Mapped,
        begins: bool,
    ) -> (Vec<Mapped>, bool) {
        let before = begin.checked_sub(1).map(|before| code[before]);
        let is_behind_head = before.is_some_and(|t| {
            matches!(t.kind, Kind::Close | Kind::Colon) || t.kind == Kind::Word && t.role == Role::Leading
        });
        let known = self.open.remove(name).filter(|line| !begins && !self.has_left(line.depth, line.at));
        let depth = self.depth;
        let Some(mut line) = known else {
            let last = last_line(&Mapped::default(), own);
            if !last.text.is_empty() && !is_behind_head {
                let (held, words) = (last.clone(), self.words);
                let (ways, has_other) = (Vec::new(), false);
                let (base, is_in_branch, last_depth) = (last, false, depth);
                let line = Line { base, ways, held, has_other, is_in_branch, depth, last_depth, at: end, words };
                self.open.insert(name, line);
            }
            return (Vec::new(), false);
        };
        let has_left = self.has_left(line.last_depth, line.at);
        let is_inner = depth > line.depth;
        if self.words.ends > line.words.ends || depth > line.depth + 2 {
            return (Vec::new(), false);
        }
        let is_branched = is_inner || is_behind_head || !line.ways.is_empty();
        let prefixes = if !is_inner && !is_behind_head {
            let all = if line.ways.is_empty() { vec![line.held.clone()] } else { line.all() };
            line.ways = line.ways.iter().map(|way| last_line(way, own)).collect();
            line.base = last_line(&line.base, own);
            line.held = last_line(&line.held, own);
            all
        } else if self.words.loops > line.words.loops {
            line.add_hole(code[begin].start);
            (line.base, line.ways, line.has_other) = (line.held.clone(), Vec::new(), false);
            Vec::new()
        } else if !is_behind_head && !has_left && depth == line.last_depth {
            let Some(way) = line.ways.pop() else { return (Vec::new(), false) };
            line.ways.push(last_line(&way, own));
            vec![way]
        } else {
            let has_words = self.words.others > line.words.others;
            let is_other = line.is_in_branch && has_words && (has_left || is_behind_head);
            if !is_other {
                (line.base, line.ways, line.has_other) = (line.held.clone(), Vec::new(), false);
                line.add_hole(code[begin].start);
            }
            line.has_other |= is_other;
            if line.ways.len() < MOST_WAYS {
                line.ways.push(last_line(&line.base, own));
            }
            vec![line.base.clone()]
        };
        line.is_in_branch = is_inner || is_behind_head;
        (line.last_depth, line.at, line.words) = (depth, end, self.words);
        self.open.insert(name, line);
        (read(prefixes), is_branched)
    }
}

/// Those of some lines that are read with what goes on behind them.
fn read(mut lines: Vec<Mapped>) -> Vec<Mapped> {
    lines.retain(|line| !line.text.trim().is_empty());
    lines
}

/// The last line of a text that stands behind the beginning of a line.
fn last_line(line: &Mapped, own: &Mapped) -> Mapped {
    let from = own.text.rfind('\n').map_or(0, |end| end + 1);
    let mut last = if from > 0 { Mapped::default() } else { line.clone() };
    if last.text.len() < MOST_LINE {
        last.push_part(own, Span::new(from as u32, own.text.len() as u32));
    }
    last
}
