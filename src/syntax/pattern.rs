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
const MAX_TOKENS: usize = 48;
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
#[derive(Default)]
pub(super) struct Patterns {
    all: Vec<Pattern>,
    kinds: Vec<u8>,
    table: HashTable<u32>,
    /// The kinds of the statement in question.
    wanted: Vec<u8>,
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

/// Where a made-up place lies in the text.
fn place(at: u32, tokens: &[Token]) -> u32 {
    let token = tokens[(at / STEP) as usize];
    match at % STEP {
        START => token.start,
        SECOND => token.start + 1,
        _ => token.end,
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
        let Self { all, kinds, table, wanted } = self;
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
        let placed = |span: Span| Span::new(place(span.start, tokens), place(span.end, tokens));
        tree.copy_placed(pattern, placed);
        Ok(Some(match *statement {
            Statement::Directive(name) => Statement::Directive(placed(name)),
            Statement::Instruction { predicate, mnemonic } => {
                Statement::Instruction { predicate, mnemonic: placed(mnemonic) }
            }
        }))
    }
}
