//! The shape of a text: a hash for each statement.

use super::Hash;
use crate::base::span::Span;
use crate::program::{ObjectKind, Program};
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::{Lexer, Line};
use std::ops::Range;

/// What stays the same of a finding while the text around it moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, PartialOrd, Ord, Hash)]
pub struct Identity {
    /// The hash of the statement.
    pub statement: u64,
    /// The hashes of the instructions before it (upper half) and after it; 0 for a declaration, whose place means nothing.
    pub neighbours: u64,
}

/// What a statement is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An instruction, or what stands in the place of one.
    Instruction,
    /// A directive.
    Directive,
    /// A label.
    Label,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
    /// The hash of its tokens; of declared names all but the digits.
    pub hash: u64,
    /// The kernel or function that holds it, counted through the text; nothing before the first one.
    pub object: Option<u32>,
    /// The declared names in it, in [`Shape::names`].
    pub names: Range<u32>,
}

/// The statements of a text, in order.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// The statements.
    pub statements: Vec<Statement>,
    /// The places of the declared names in all of them.
    pub names: Vec<Span>,
    /// Those that are instructions, by number.
    instructions: Vec<u32>,
}

/// So many instructions on each side are the neighbours of a statement.
const N_NEIGHBOURS: usize = 2;

impl Shape {
    /// The shape of a text that `program` was read from.
    #[must_use]
    pub fn of_program(text: &str, program: &Program) -> Self {
        let mut shape = Self::default();
        let declared = declared(program);
        let is_declared = |name: &str| program.names.lookup(name).is_some_and(|symbol| declared[symbol.0 as usize]);
        let objects = program.objects.as_slice();
        let mut lexer = Lexer::new(text);
        let mut n_objects = 0;
        while let Some(line) = lexer.next_line() {
            let first_name = shape.names.len() as u32;
            let mut hash = Hash::default();
            let (span, kind) = match line {
                Line::Label(span) => {
                    shape.names.push(span);
                    add_name(&mut hash, span.of(text));
                    (span, Kind::Label)
                }
                Line::Statement => {
                    let tokens = lexer.tokens();
                    let Some((first, last)) = tokens.first().zip(tokens.last()) else { continue };
                    for token in tokens {
                        add(&mut hash, *token, text, &is_declared, &mut shape.names);
                    }
                    let is_directive = first.kind == TokenKind::DotWord;
                    let kind = if is_directive { Kind::Directive } else { Kind::Instruction };
                    (Span::new(first.start, last.end), kind)
                }
                Line::ScopeOpen(_) | Line::ScopeClose(_) => continue,
            };
            while objects.get(n_objects).is_some_and(|object| object.span.start <= span.start) {
                n_objects += 1;
            }
            let object = n_objects.checked_sub(1).filter(|i| objects[*i].kind != ObjectKind::Missing);
            if kind == Kind::Instruction {
                shape.instructions.push(shape.statements.len() as u32);
            }
            shape.statements.push(Statement {
                span,
                kind,
                hash: hash.short(),
                object: object.map(|i| i as u32),
                names: first_name..shape.names.len() as u32,
            });
        }
        shape
    }

    /// The shape of a text of another language: each line with words is a statement.
    #[must_use]
    pub fn of_lines(text: &str) -> Self {
        let mut shape = Self::default();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let mut hash = Hash::default();
            line.split_ascii_whitespace().for_each(|word| hash.add(word));
            if hash != Hash::default() {
                let span = Span::new(start, start + line.trim_end().len() as u32);
                let kind = Kind::Instruction;
                shape.instructions.push(shape.statements.len() as u32);
                shape.statements.push(Statement { span, kind, hash: hash.short(), object: None, names: 0..0 });
            }
            start += line.len() as u32;
        }
        shape
    }

    /// The identity of what is found at a place: of the statement there, or else of the last one before it.
    #[must_use]
    pub fn identity(&self, offset: u32) -> Identity {
        let next = self.statements.partition_point(|s| s.span.start <= offset);
        let Some(place) = next.checked_sub(1) else { return Identity::default() };
        let statement = &self.statements[place];
        if statement.kind == Kind::Directive {
            return Identity { statement: statement.hash, neighbours: 0 };
        }
        let mut sides = [Hash::default(), Hash::default()];
        // There may be very many labels between two instructions.
        let at = self.instructions.partition_point(|i| (*i as usize) < place);
        let later = at + usize::from(statement.kind == Kind::Instruction);
        let earlier = self.instructions[..at].iter().rev().take(N_NEIGHBOURS);
        let later = self.instructions[later..].iter().take(N_NEIGHBOURS);
        for (i, side) in earlier.map(|i| (i, 0)).chain(later.map(|i| (i, 1))) {
            let neighbour = &self.statements[*i as usize];
            if neighbour.object == statement.object {
                sides[side].add_number(neighbour.hash);
            }
        }
        let [before, after] = sides;
        Identity { statement: statement.hash, neighbours: before.short() << 32 | after.short() & 0xffff_ffff }
    }
}

/// For each name of the program whether it declares it: a variable or a label.
fn declared(program: &Program) -> Vec<bool> {
    let mut declared = vec![false; program.names.len()];
    for (i, variable) in program.variables.as_slice().iter().enumerate() {
        if crate::program::VariableId(i as u32).predefined().is_none() {
            declared[variable.name.0 as usize] = true;
        }
    }
    for label in program.labels.as_slice() {
        declared[label.name.0 as usize] = true;
    }
    declared
}

/// Adds a token; notes the declared name in it.
fn add(hash: &mut Hash, token: Token, text: &str, is_declared: &impl Fn(&str) -> bool, names: &mut Vec<Span>) {
    let written = token.span().of(text);
    // Where a name stands in the token.
    let name = match token.kind {
        TokenKind::BlockComment => return,
        TokenKind::Word => 0..written.len(),
        TokenKind::String => 1..written.len() - 1,
        TokenKind::SourceOperand | TokenKind::DestinationOperand => 0..written.find('(').unwrap_or(0),
        TokenKind::EqualAlias => 2..written.find(',').unwrap_or(2),
        _ => 0..0,
    };
    if !name.is_empty() && is_declared(&written[name.clone()]) {
        names.push(Span::new(token.start + name.start as u32, token.start + name.end as u32));
        hash.add(&written[..name.start]);
        add_name(hash, &written[name.clone()]);
        hash.add(&written[name.end..]);
    } else {
        hash.add(written);
    }
}

/// Adds a declared name without its digits: compilers number what they declare.
fn add_name(hash: &mut Hash, name: &str) {
    hash.add_bytes(name.bytes().filter(|byte| !byte.is_ascii_digit()));
    hash.end();
}
