//! A line that is just being typed, read up to the cursor. It need not make sense yet.

use crate::base::span::Span;
use crate::spec::instruction::{Execution, Instruction};
use crate::spec::{self, InstructionId};

/// What belongs at the end of a line that is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    /// The first word: a mnemonic or a directive.
    Start,
    /// The variable of a predicate, after `(` or `(!`.
    Predicate,
    /// `.any` or `.all` after the variable of a predicate.
    PredicateControl,
    /// A modifier.
    Modifier(Typed),
    /// The execution mask.
    Mask(Typed),
    /// The execution size.
    Size(Typed),
    /// An operand.
    Operand(Typed),
    /// A part of a directive: its word, and what stands between.
    Directive {
        /// The word with its dot.
        word: Span,
        /// The parts that are complete.
        parts: Vec<Span>,
    },
    /// Nothing that could be proposed: a comment, a string, an unknown instruction.
    Nothing,
}

/// An instruction up to the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// Its row.
    pub id: InstructionId,
    /// The mnemonic, with the dot that belongs to it.
    pub mnemonic: Span,
    /// Modifiers that are complete, with their dots.
    pub modifiers: Vec<Span>,
    /// `(M1, 16)`, or what there is of it.
    pub exec: Option<Span>,
    /// Operands that are complete.
    pub operands: Vec<Span>,
}

impl Typed {
    /// The row of the instruction.
    #[must_use]
    pub fn row(&self) -> &'static Instruction {
        self.id.row()
    }

    /// The slot that the next operand fills, as far as one can tell before all operands are there. Optional slots count
    /// as filled, except numbers in the middle.
    #[must_use]
    pub fn next_slot(&self, text: &str) -> usize {
        let row = self.row();
        let mut slot = 0;
        for operand in &self.operands {
            let written = operand.of(text);
            while row
                .operands
                .get(slot)
                .is_some_and(|s| s.optional && slot + 1 < row.operands.len() && !looks_like(written, s))
            {
                slot += 1;
            }
            if !row.operands.get(slot).is_some_and(|s| s.variadic) {
                slot += 1;
            }
        }
        slot
    }
}

fn looks_like(written: &str, slot: &spec::instruction::OperandSlot) -> bool {
    use spec::instruction::{KindSet, OperandKind};
    let is_number =
        written.bytes().all(|b| b.is_ascii_alphanumeric()) && written.starts_with(|c: char| c.is_ascii_digit());
    slot.kinds != KindSet::of(&[OperandKind::Number]) || is_number
}

/// What is typed, and where the part begins that the cursor ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// What belongs there.
    pub spot: Spot,
    /// The beginning of it, as far as it is typed. Spans count from the start of the line.
    pub typed: Span,
}

/// Reads `text`, a line up to the cursor.
#[must_use]
pub fn read(text: &str) -> Cursor {
    let end = text.len() as u32;
    let nothing = Cursor { spot: Spot::Nothing, typed: Span::at(end) };
    let mut reader = Reader { text, at: 0 };
    if in_comment_or_string(text) {
        return nothing;
    }
    reader.blanks();
    let start = reader.at;
    if reader.rest().starts_with('(') {
        if let Some(close) = reader.rest().find(')') {
            reader.at += close + 1;
            reader.blanks();
        } else {
            let inside = start + 1 + reader.rest()[1..].len() - reader.rest()[1..].trim_start_matches([' ', '!']).len();
            return match text[inside..].find('.') {
                Some(dot) => Cursor { spot: Spot::PredicateControl, typed: Span::new((inside + dot) as u32, end) },
                None => Cursor { spot: Spot::Predicate, typed: Span::new(inside as u32, end) },
            };
        }
    }
    let word_start = reader.at;
    if reader.rest().starts_with('.') {
        return directive(&mut reader);
    }
    let length = reader.rest().bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    reader.at += length;
    let mnemonic = Span::new(word_start as u32, reader.at as u32);
    if reader.rest().is_empty() {
        return Cursor { spot: Spot::Start, typed: mnemonic };
    }
    if length == 0 || reader.rest().starts_with(':') {
        return nothing;
    }
    instruction(&mut reader, mnemonic).unwrap_or(nothing)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches([' ', '\t']).len();
    }

    /// What stands up to the next blank outside of parentheses, brackets and angles.
    fn part(&mut self) -> Span {
        let start = self.at;
        let mut depth = 0;
        for byte in self.rest().bytes() {
            match byte {
                b'(' | b'[' | b'<' | b'{' => depth += 1,
                b')' | b']' | b'>' | b'}' => depth -= 1,
                b' ' | b'\t' if depth <= 0 => break,
                _ => {}
            }
            self.at += 1;
        }
        Span::new(start as u32, self.at as u32)
    }
}

fn in_comment_or_string(text: &str) -> bool {
    let mut in_string = false;
    let bytes = text.as_bytes();
    for (i, byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => in_string = !in_string,
            b'/' if !in_string && bytes.get(i + 1) == Some(&b'/') => return true,
            _ => {}
        }
    }
    in_string
}

fn directive(reader: &mut Reader) -> Cursor {
    let word = reader.part();
    let end = reader.text.len() as u32;
    if word.end == end {
        return Cursor { spot: Spot::Start, typed: word };
    }
    let mut parts = Vec::new();
    loop {
        reader.blanks();
        let part = reader.part();
        if part.end == end {
            return Cursor { spot: Spot::Directive { word, parts }, typed: part };
        }
        parts.push(part);
    }
}

fn instruction(reader: &mut Reader, mnemonic: Span) -> Option<Cursor> {
    let text = reader.text;
    let end = text.len() as u32;
    let mut typed = Typed {
        id: spec::lookup(mnemonic.of(text)).unwrap_or(InstructionId(u16::MAX)),
        mnemonic,
        modifiers: Vec::new(),
        exec: None,
        operands: Vec::new(),
    };
    // Words after dots.
    while reader.rest().starts_with('.') {
        let start = reader.at;
        let length = 1 + reader.rest()[1..]
            .bytes()
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'<' | b'>'))
            .count();
        reader.at += length;
        let span = Span::new(start as u32, reader.at as u32);
        if let (true, Some(id)) = (typed.modifiers.is_empty(), spec::lookup_dotted(mnemonic.to(span).of(text)))
            && span.end < end
        {
            typed.id = id;
            typed.mnemonic = mnemonic.to(span);
            continue;
        }
        if span.end == end {
            let after_dot = Span::new(span.start + 1, span.end);
            // `nbarrier` alone is no instruction; what follows its dot is part of the mnemonic.
            let spot = if typed.id.0 == u16::MAX { Spot::Start } else { Spot::Modifier(typed) };
            let typed = if spot == Spot::Start { mnemonic.to(span) } else { after_dot };
            return Some(Cursor { spot, typed });
        }
        typed.modifiers.push(span);
    }
    if typed.id.0 == u16::MAX {
        return None;
    }
    let row = typed.row();
    let takes_exec = row.execution.has_mask() || row.execution == Execution::OptionalSize;
    reader.blanks();
    if reader.rest().starts_with('(') && takes_exec {
        let exec = reader.part();
        if exec.end == end && !exec.of(text).ends_with(')') {
            let inside = exec.start + 1;
            let comma = exec.of(text).find(',').map(|i| exec.start + i as u32 + 1);
            typed.exec = Some(exec);
            let (spot, start): (fn(Typed) -> Spot, u32) = match comma {
                Some(comma) => (Spot::Size, comma),
                None => (Spot::Mask, inside),
            };
            let blanks = Span::new(start, end).of(text);
            let start = start + (blanks.len() - blanks.trim_start().len()) as u32;
            return Some(Cursor { spot: spot(typed), typed: Span::new(start, end) });
        }
        typed.exec = Some(exec);
        // `gather.4 (M1, 8).mod`: a modifier may stand after the parentheses.
        reader.blanks();
        if reader.rest().starts_with('.') {
            let part = reader.part();
            if part.end == end {
                return Some(Cursor { spot: Spot::Modifier(typed), typed: Span::new(part.start + 1, end) });
            }
            typed.modifiers.push(part);
        }
    } else if reader.rest().starts_with('(') && row.execution.n_operands() > 0 {
        // The first operands stand in the parentheses.
        reader.at += 1;
        loop {
            reader.at = text.len() - reader.rest().trim_start_matches([' ', '\t', ',']).len();
            let start = reader.at;
            let length = reader.rest().bytes().take_while(|b| !matches!(b, b',' | b')')).count();
            reader.at += length;
            let part = Span::new(start as u32, reader.at as u32);
            if part.end == end {
                return Some(Cursor { spot: Spot::Operand(typed), typed: part });
            }
            typed.operands.push(part);
            if reader.rest().starts_with(')') {
                reader.at += 1;
                break;
            }
        }
    }
    loop {
        reader.blanks();
        let part = reader.part();
        if part.end == end {
            return Some(Cursor { spot: Spot::Operand(typed), typed: part });
        }
        typed.operands.push(part);
    }
}
