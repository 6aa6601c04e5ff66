//! What the grammar makes of kinds of tokens.
//!
//! The grammar looks at the kinds of tokens only, and a dump has few different sequences of kinds. So each is parsed once,
//! from tokens that stand at made-up places, and for a statement with the same kinds the nodes are copied with the places
//! of its own tokens.

use super::token::{Token, TokenKind};
use super::tree::{Statement, Tree};
use crate::base::span::Span;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher as _;

/// Longer statements are rare, and are parsed as they come.
const MAX_TOKENS: usize = 64;
/// So many patterns are kept: compiler output has some hundred, and a text made to be hard must not take much memory.
const MAX_PATTERNS: usize = 1024;

/// What the grammar makes of a sequence of kinds.
struct Pattern {
    /// The kinds, in [`Patterns::kinds`].
    start: u32,
    end: u32,
    statement: Statement,
    /// The nodes, at made-up places.
    tree: Tree,
}

/// The sequences of kinds that were parsed so far.
pub(super) struct Patterns {
    all: Vec<Pattern>,
    kinds: Vec<u8>,
    table: HashTable<u32>,
    /// The kinds of the statement in question.
    wanted: Vec<u8>,
    places: Places,
}

/// The made-up places of a token: its start, the byte after that, and its end.
const START: u32 = 0;
const SECOND: u32 = 1;
const END: u32 = 2;
const STEP: u32 = 4;

/// A token at its made-up place.
pub(super) fn numbered(index: usize, kind: TokenKind) -> (u32, TokenKind, u32) {
    let place = index as u32 * STEP;
    (place + START, kind, place + END)
}

/// Where the made-up places of a statement lie in the text.
struct Places([u32; MAX_TOKENS * STEP as usize]);

impl Places {
    const NONE: Self = Self([0; MAX_TOKENS * STEP as usize]);

    fn note(&mut self, tokens: &[Token]) {
        for (places, token) in self.0.chunks_exact_mut(STEP as usize).zip(tokens) {
            places[START as usize] = token.start;
            places[SECOND as usize] = token.start + 1;
            places[END as usize] = token.end;
        }
    }

    fn of(&self, span: Span) -> Span {
        let place = |at: u32| self.0[at as usize % (MAX_TOKENS * STEP as usize)];
        Span::new(place(span.start), place(span.end))
    }
}

impl Default for Patterns {
    fn default() -> Self {
        Self { all: Vec::new(), kinds: Vec::new(), table: HashTable::new(), wanted: Vec::new(), places: Places::NONE }
    }
}

impl Patterns {
    /// Takes the nodes of a statement from the pattern of its kinds into `tree`. If there is none yet, `parse` is to make
    /// it; an error means that the grammar has no such statement. Nothing if the statement is too long to be kept.
    pub(super) fn copy(
        &mut self,
        tokens: &[Token],
        tree: &mut Tree,
        parse: impl FnOnce(&mut Tree) -> Result<Statement, ()>,
    ) -> Result<Option<Statement>, ()> {
        if tokens.len() > MAX_TOKENS {
            return Ok(None);
        }
        self.wanted.clear();
        self.wanted.extend(tokens.iter().map(|t| t.kind as u8));
        let hash_of = |kinds: &[u8]| FxBuildHasher.hash_one(kinds);
        let hash = hash_of(&self.wanted);
        let Self { all, kinds, table, wanted, places } = self;
        let kinds_of = |i: u32| &kinds[all[i as usize].start as usize..all[i as usize].end as usize];
        let index = if let Some(index) = table.find(hash, |i| kinds_of(*i) == wanted.as_slice()) {
            *index as usize
        } else {
            if all.len() >= MAX_PATTERNS {
                return Ok(None);
            }
            let mut made = Tree::default();
            let statement = parse(&mut made)?;
            table.insert_unique(hash, all.len() as u32, |i| hash_of(kinds_of(*i)));
            let start = kinds.len() as u32;
            kinds.extend_from_slice(wanted);
            all.push(Pattern { start, end: kinds.len() as u32, statement, tree: made });
            all.len() - 1
        };
        let Pattern { statement, tree: pattern, .. } = &all[index];
        places.note(tokens);
        let placed = |span: Span| places.of(span);
        tree.copy_placed(pattern, placed);
        Ok(Some(match *statement {
            Statement::Directive(name) => Statement::Directive(placed(name)),
            Statement::Instruction { predicate, mnemonic } => {
                Statement::Instruction { predicate, mnemonic: placed(mnemonic) }
            }
        }))
    }
}
