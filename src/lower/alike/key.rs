//! What a statement means, but for which variables it names.

use crate::base::span::Span;
use crate::program::variable::{FLAG_ADDRESS_TAKEN, FLAG_MISUSED, FLAG_SET_AS_A_WHOLE, FLAG_USED, Variable};
use crate::program::{Program, VariableId};
use crate::syntax::token::{Token, TokenKind};

/// Statements of more bytes are rare.
const MAX_BYTES: u32 = 512;
/// Statements with more names, likewise.
const MAX_NAMES: usize = 15;

/// Flags that instructions set: they say nothing of how another one is read.
const SET_BY_USE: u16 = FLAG_USED | FLAG_MISUSED | FLAG_ADDRESS_TAKEN | FLAG_SET_AS_A_WHOLE;

/// Number of places that [`Marks`] holds.
const N_MARKS: usize = 64;

/// Places that others are relative to. The first one is 0, for the places of parts that are absent; then each name and each
/// text between two names has a place for its start and one for its end.
struct Marks([u32; N_MARKS]);

impl Default for Marks {
    fn default() -> Self {
        Self([0; N_MARKS])
    }
}

/// A name that means a variable.
#[derive(Clone, Copy)]
struct Name {
    variable: VariableId,
    place: Span,
    /// Whether its text is no part of the key.
    is_left_out: bool,
}

/// A statement as bytes that are equal for two of which one can be copied from the other, and the places of its parts.
#[derive(Default)]
pub(in crate::lower) struct Key {
    /// The texts between names, and what is declared of these.
    bytes: Vec<u8>,
    /// The second part, until it is complete.
    declared: Vec<u8>,
    marks: Marks,
    n_marks: usize,
    names: Vec<Name>,
}

impl Key {
    pub(in crate::lower) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Describes what stands between `start` and the end of the last token; `find` gives the variable of a name. Returns
    /// whether copies are possible.
    pub(super) fn describe(
        &mut self,
        text: &str,
        mut start: u32,
        tokens: &[Token],
        program: &Program,
        find: impl Fn(&str) -> Option<VariableId>,
    ) -> bool {
        self.bytes.clear();
        self.declared.clear();
        self.n_marks = 1;
        self.names.clear();
        let Some(last) = tokens.last().filter(|last| last.end - start <= MAX_BYTES) else { return false };
        for token in tokens {
            let up_to = |start: u32, sign: u8| {
                let written = Span::new(start, token.end).of(text);
                Span::new(start, start + written.bytes().position(|b| b == sign).unwrap_or(0) as u32)
            };
            let place = match token.kind {
                // The key of a field.
                TokenKind::Word if text.as_bytes().get(token.end as usize) == Some(&b'=') => continue,
                TokenKind::Word | TokenKind::Percent => token.span(),
                TokenKind::SourceOperand | TokenKind::DestinationOperand => up_to(token.start, b'('),
                TokenKind::EqualAlias => up_to(token.start + 2, b','),
                _ => continue,
            };
            let written = place.of(text);
            let Some(variable) = find(written) else { continue };
            let is_left_out = variable.predefined().is_none() && is_numbered(written);
            self.names.push(Name { variable, place, is_left_out });
            let distance = (place.start - start) as u16;
            self.declared.extend_from_slice(&[u8::from(is_left_out), distance as u8, (distance >> 8) as u8]);
            if self.names.len() > MAX_NAMES || !self.declare(program, variable) {
                return false;
            }
            if is_left_out {
                self.text(text, Span::new(start, place.start));
                self.mark(place);
                start = place.end;
            }
        }
        self.text(text, Span::new(start, last.end));
        self.bytes.extend_from_slice(&self.declared);
        true
    }

    fn mark(&mut self, place: Span) {
        self.marks.0[self.n_marks % N_MARKS] = place.start;
        self.marks.0[(self.n_marks + 1) % N_MARKS] = place.end;
        self.n_marks += 2;
    }

    /// Adds a text between two names.
    fn text(&mut self, text: &str, place: Span) {
        self.mark(place);
        // A byte that no text holds ends it.
        self.bytes.extend_from_slice(place.of(text).as_bytes());
        self.bytes.push(u8::MAX);
    }

    /// Adds what is declared of the variable of the last name, and which of the names mean it or another part of its storage.
    /// Returns whether that is all that can be declared.
    fn declare(&mut self, program: &Program, variable: VariableId) -> bool {
        let declared = &program.variables[variable];
        let is_alias = declared.root != variable;
        let same = self.number_of(variable).unwrap_or(0);
        let root = |name: &Name| program.variables[name.variable].root == declared.root;
        let storage = self.names.iter().position(root).unwrap_or(0);
        // The text says which predefined variable it is.
        let is_predefined = variable.predefined().is_some();
        let kind = u8::from(!is_predefined) + u8::from(is_alias);
        self.declared.extend_from_slice(&[kind, same as u8, storage as u8]);
        if is_predefined {
            return true;
        }
        self.declared.extend_from_slice(&declaration(declared));
        if is_alias {
            self.declared.extend_from_slice(&declaration(&program.variables[declared.root]));
        }
        // What is declared of a variable between those two is not described.
        declared.base == declared.root
    }

    /// The number of a variable among the names; the same for each that means it.
    pub(in crate::lower) fn number_of(&self, variable: VariableId) -> Option<usize> {
        self.names.iter().position(|name| name.variable == variable)
    }

    /// The variable with that number.
    pub(in crate::lower) fn variable(&self, number: usize) -> VariableId {
        self.names.get(number).map_or(VariableId::NULL, |name| name.variable)
    }

    /// Whether each name whose text is left out was `used` as a variable.
    pub(super) fn are_used(&self, used: &[Span]) -> bool {
        self.names.iter().all(|name| !name.is_left_out || used.contains(&name.place))
    }

    /// A place by its distance from a mark, which is the same in a copy. Nothing if it lies in no part of the statement, or
    /// within a name.
    pub(in crate::lower) fn relative(&self, span: Span) -> Option<Span> {
        if span == Span::default() {
            return Some(span);
        }
        let relative = |at: u32| {
            let pieces = self.marks.0[1..self.n_marks].chunks_exact(2);
            let index = pieces.clone().position(|piece| piece[0] <= at && at <= piece[1])?;
            let [start, end] = [self.marks.0[1 + 2 * index], self.marks.0[2 + 2 * index]];
            // Texts and names take turns, a text first.
            let is_name = index % 2 == 1;
            match at - start {
                distance if !is_name || distance == 0 => Some(((1 + 2 * index as u32) << 16) | distance),
                _ => (at == end).then_some((2 + 2 * index as u32) << 16),
            }
        };
        Some(Span::new(relative(span.start)?, relative(span.end)?))
    }

    /// The place in this statement that [`Self::relative`] gave for the one it is copied from.
    pub(in crate::lower) fn absolute(&self, span: Span) -> Span {
        let absolute = |relative: u32| self.marks.0[(relative >> 16) as usize % N_MARKS] + (relative & 0xFFFF);
        Span::new(absolute(span.start), absolute(span.end))
    }
}

/// What a declaration says.
fn declaration(declared: &Variable) -> [u8; 16] {
    let mut bytes = [0; 16];
    let flags = (declared.flags & !SET_BY_USE).to_le_bytes();
    bytes[..5].copy_from_slice(&[declared.element_type.0, declared.kind as u8, declared.alignment, flags[0], flags[1]]);
    bytes[5..9].copy_from_slice(&declared.n_elements.to_le_bytes());
    bytes[9..13].copy_from_slice(&declared.root_offset.to_le_bytes());
    bytes
}

/// Whether a name is a capital letter and a number, as the compiler writes them. No word of the language looks so but the
/// execution masks.
fn is_numbered(name: &str) -> bool {
    let [first, digits @ ..] = name.as_bytes() else { return false };
    first.is_ascii_uppercase() && *first != b'M' && !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}
