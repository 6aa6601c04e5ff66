//! Reading a text again after an edit. Statements do not depend on each other but for what is declared, so that an edit
//! of instructions costs reading these; everything else is taken from the program of the text before.
//!
//! What an instruction does beyond being there (it uses a variable, its lanes part) is recorded while the text is read, so
//! that it can be taken back. Where the edit concerns more than instructions, nothing is returned, and the text has to be
//! read as a whole. Either way, the program is the one that reading the whole text gives.

use super::Lowering;
use super::marks::{MARKS_OF_DUMPS, PLATFORM_MARK};
use super::scope::{Binding, MAX_COMPARISONS, NOTHING};
use crate::base::id::Id as _;
use crate::base::span::{Shift, Span};
use crate::base::symbol::Symbol;
use crate::base::tally::MAX_PER_KIND;
use crate::program::variable::{FLAG_ADDRESS_TAKEN, FLAG_MISUSED, FLAG_SET_AS_A_WHOLE, FLAG_USED};
use crate::program::{InstructionIndex, ObjectId, Program, VariableId};
use crate::syntax::{Lexer, Line};
use std::ops::Range;

/// After so many edits a text is read as a whole, which drops what was left of replaced instructions.
const MAX_EDITS: u32 = 256;

/// What instructions may note of a variable.
const NOTED: u16 = FLAG_USED | FLAG_MISUSED | FLAG_ADDRESS_TAKEN | FLAG_SET_AS_A_WHOLE;

/// What makes the meaning of a line depend on lines far from it, or of the text on a comment in it.
const FAR_REACHING: [&str; 7] = ["/*", "\\", "\r", "visa-lint", PLATFORM_MARK, MARKS_OF_DUMPS[0], MARKS_OF_DUMPS[1]];

/// What a statement does to what was declared before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Noted {
    /// Sets flags of a variable.
    Variable(VariableId, u16),
    /// Leaves a line in the object whose effect is not known.
    BrokenLine,
    /// Parts the lanes of the object.
    PartedLanes,
}

#[derive(Clone, Copy, Debug)]
struct Note {
    /// Where the statement begins.
    statement: u32,
    noted: Noted,
}

/// An object as its instructions see it.
#[derive(Clone, Debug)]
struct Body {
    /// What it declares: a range of the record's names.
    names: Range<u32>,
    /// Whether from its first instruction on it holds instructions and labels only, of which none declares anything.
    is_plain: bool,
    /// The value of `%DispatchSimd` in it.
    dispatch_simd: Option<i64>,
}

/// What reading a text again needs beside its program.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// What statements noted, in the order of the text.
    notes: Vec<Note>,
    /// The objects of the program.
    bodies: Vec<Body>,
    /// What the objects declare.
    names: Vec<(Symbol, VariableId)>,
    /// Where the first statement ends that shows that the text is vISA.
    sound_end: Option<u32>,
    /// Comparisons of names that reports may still make.
    comparisons_left: u32,
    /// How often a part of the text was read again.
    n_edits: u32,
}

/// An edit: bytes `start..old_end` of a text became bytes `start..new_end` of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextEdit {
    /// The first byte that changed.
    pub start: u32,
    /// The end in the text before.
    pub old_end: u32,
    /// The end in the new text.
    pub new_end: u32,
}

impl TextEdit {
    /// Takes in one more edit: `span` of the present text is replaced by `n_new` bytes.
    pub fn add(&mut self, span: Span, n_new: u32) {
        // What of the replaced bytes lies behind the edit was there before, too.
        self.old_end += span.end.saturating_sub(self.new_end);
        self.new_end = self.new_end.max(span.end) - span.len() + n_new;
        self.start = self.start.min(span.start);
    }

    /// How the places behind the bytes up to `old_end` of the old text move.
    fn shift(self, old_end: u32) -> Shift {
        Shift { from: old_end, by: self.new_end.wrapping_sub(self.old_end) as i32 }
    }
}

/// What reading again replaced in a program.
#[derive(Clone, Debug)]
pub struct Replaced {
    /// The instructions of the old program that are gone.
    pub old: Range<u32>,
    /// Those of the new program that stand for them. All others are the same in both.
    pub new: Range<u32>,
    /// How the places of the others moved.
    pub shift: Shift,
    /// Whether variables, kernels and functions have the properties that they had.
    pub is_local: bool,
}

/// Reads a text into a program as [`lower`](super::lower) does, and records what reading it again needs.
#[must_use]
pub fn lower_recorded(text: &str) -> (Program, Record) {
    let mut lowering = Lowering::new(text);
    lowering.tally = super::tally(text);
    lowering.record = Some(Box::default());
    let program = lowering.read_all();
    let mut record = lowering.record.take().map_or_else(Record::default, |record| *record);
    record.sound_end = lowering.state.sound_end;
    record.comparisons_left = lowering.comparisons_left;
    (program, record)
}

/// Reads again what an edit changed. Nothing, if the edit may change the meaning of other lines.
#[must_use]
pub fn reread(
    (before, record): (&Program, &Record),
    (old, new): (&str, &str),
    edit: TextEdit,
) -> Option<(Program, Record, Replaced)> {
    let window = Window::around(before, record, old, edit)?;
    let shift = edit.shift(window.old.end);
    let place = Span::new(window.old.start, window.old.end.wrapping_add_signed(shift.by));
    let is_far_reaching = |text: &str| FAR_REACHING.iter().any(|sign| text.contains(sign));
    if is_far_reaching(window.old.of(old)) || is_far_reaching(place.of(new)) {
        return None;
    }
    let mut lowering = Lowering::new(&new[..place.end as usize]);
    lowering.record = Some(Box::default());
    lowering.state.has_begun = true;
    lowering.state.sound_end = record.sound_end;
    lowering.comparisons_left = record.comparisons_left;
    lowering.program = before.clone();
    lowering.program.diagnostics.retain(|found| !window.old.contains(found.primary.span.start));
    lowering.program.move_places(shift);
    let n_kept = lowering.program.diagnostics.len();
    lowering.enter(window.object, record);
    let later = lowering.program.objects.split_off(window.object.index() + 1);
    let n_before = before.instructions.len();
    let mut lexer = Lexer::starting_at(lowering.text, place.start);
    let mut n_lines = 0;
    while let Some(line) = lexer.next_line() {
        n_lines += 1;
        lowering.line(line, lexer.glued_to(), lexer.tokens());
        if line != Line::Statement || lowering.program.instructions.len() != n_before + n_lines {
            return None;
        }
    }
    let is_same = |program: &Program| {
        program.labels.len() == before.labels.len()
            && program.attributes.len() == before.attributes.len()
            && program.inputs.len() == before.inputs.len()
            && program.variables.len() == before.variables.len()
            && program.objects.len() == window.object.index() + 1
    };
    let n_found = lowering.program.diagnostics.len() - n_kept;
    if !is_same(&lowering.program) || !lowering.scopes.is_empty() || n_kept + n_found >= MAX_PER_KIND {
        return None;
    }
    lowering.program.objects.extend(later);
    lowering.program.n_statements =
        before.n_statements + n_lines as u32 - (window.instructions.end - window.instructions.start);
    lowering.insert(&window, n_before);
    let new_notes = lowering.record.take().map(|r| r.notes).unwrap_or_default();
    let mut program = std::mem::take(&mut lowering.program);
    let record = record.replaced(window.old, shift, new_notes, lowering.comparisons_left, &mut program, window.object);
    let start = window.instructions.start;
    let is_local = program.variables == before.variables
        && program
            .objects
            .iter()
            .zip(before.objects.iter())
            .all(|(new, old)| (new.has_broken_lines, new.parts_lanes) == (old.has_broken_lines, old.parts_lanes));
    let replaced = Replaced { new: start..start + n_lines as u32, old: window.instructions, shift, is_local };
    Some((program, record, replaced))
}

/// Whole lines of a text that hold instructions of one object and nothing else.
struct Window {
    object: ObjectId,
    /// The lines, in the text before the edit.
    old: Span,
    /// The instructions in them.
    instructions: Range<u32>,
}

impl Window {
    /// The lines of an edit, and the instruction before and behind them, since a line may be the rest of the one before.
    /// Nothing if there may be anything else in them than instructions.
    fn around(program: &Program, record: &Record, text: &str, edit: TextEdit) -> Option<Self> {
        let is_known = program.left_out.is_empty() && !program.is_foreign && program.fragment.is_none();
        let may_compare = record.comparisons_left > MAX_COMPARISONS / 2;
        if !is_known || !may_compare || record.n_edits >= MAX_EDITS {
            return None;
        }
        let (mut start, mut end) = (line_start(text, edit.start), line_end(text, edit.old_end));
        let spans = program.instruction_spans.as_slice();
        let at = |place: u32| spans.partition_point(|s| s.statement.start < place);
        let (mut first, mut last) = (at(start), at(end));
        let id = program.object_of(InstructionIndex::from_index(first.checked_sub(1)?));
        let object = &program.objects[id];
        let is_last = program.objects.get(ObjectId::from_index(id.index() + 1)).is_none_or(|o| o.span.start >= end);
        if !record.bodies.get(id.index())?.is_plain || !is_last || last > object.instructions.end as usize {
            return None;
        }
        let labels = program.labels_of(object);
        let labels_before = |place: u32| labels.partition_point(|label| label.span.start < place);
        if labels_before(start) != labels_before(end) {
            return None;
        }
        let before = spans[first - 1].statement;
        match labels_before(start).checked_sub(1).map(|label| labels[label].span) {
            Some(label) if label.start > before.start => start = line_end(text, label.end),
            _ => {
                start = line_start(text, before.start);
                first -= 1;
            }
        }
        if last < object.instructions.end as usize
            && let Some(next) = spans.get(last).map(|s| s.statement)
            && labels_before(end) == labels_before(next.start)
        {
            end = line_end(text, next.end);
            last += 1;
        }
        let is_behind = record.sound_end.is_some_and(|sound| sound <= start);
        is_behind.then(|| Self { object: id, old: Span::new(start, end), instructions: first as u32..last as u32 })
    }
}

/// Where the line of a place begins.
fn line_start(text: &str, place: u32) -> u32 {
    memchr::memrchr(b'\n', &text.as_bytes()[..place as usize]).map_or(0, |newline| newline as u32 + 1)
}

/// Where the line of a place ends, behind its newline.
fn line_end(text: &str, place: u32) -> u32 {
    let newline = memchr::memchr(b'\n', &text.as_bytes()[place as usize..]);
    newline.map_or(text.len() as u32, |newline| place + newline as u32 + 1)
}

impl Lowering<'_> {
    /// Records what the statement being read does, if that is wanted.
    pub(super) fn record_note(&mut self, noted: Noted) {
        if let Some(record) = &mut self.record {
            record.notes.push(Note { statement: self.statement, noted });
        }
    }

    /// Records a line that is neither an instruction nor a label.
    pub(super) fn record_other_line(&mut self) {
        let n_before = self.program.objects.iter().last().map_or(0, |object| object.instructions.start as usize);
        let is_in_body = self.program.instructions.len() > n_before;
        if is_in_body {
            self.record_open_end();
        }
    }

    /// Records that instructions of the object change what others mean.
    pub(super) fn record_open_end(&mut self) {
        if let (Some(record), Some(place)) = (&mut self.record, self.program.objects.len().checked_sub(1)) {
            record.body(place).is_plain = false;
        }
    }

    /// Records what the object that ends has declared.
    pub(super) fn record_names(&mut self) {
        let Some(place) = self.program.objects.len().checked_sub(1) else { return };
        let Some(record) = &mut self.record else { return };
        let start = record.names.len() as u32;
        let declared = self.undo.iter().map(|(name, _)| *name);
        record.names.extend(declared.map(|name| (name, VariableId(self.bindings[name.index()].variable))));
        let names = start..record.names.len() as u32;
        let body = record.body(place);
        body.names = names;
        body.dispatch_simd = self.dispatch_simd;
    }

    /// Goes to the body of an object that was read before, as if everything before it had just been read.
    fn enter(&mut self, object: ObjectId, record: &Record) {
        self.bindings.resize(self.program.names.len(), NOTHING);
        self.last_declared.resize(self.program.names.len(), u32::MAX);
        for body in &record.bodies[..=object.index()] {
            for (name, variable) in &record.names[body.names.start as usize..body.names.end as usize] {
                self.last_declared[name.index()] = variable.0;
            }
        }
        let body = &record.bodies[object.index()];
        for (name, variable) in &record.names[body.names.start as usize..body.names.end as usize] {
            self.bindings[name.index()] = Binding { variable: variable.0, depth: 1 };
        }
        self.dispatch_simd = body.dispatch_simd;
    }

    /// Puts the instructions from position `from` on where those of the window were.
    fn insert(&mut self, window: &Window, from: usize) {
        let program = &mut self.program;
        let range = window.instructions.start as usize..window.instructions.end as usize;
        let added = program.instructions.split_off(from);
        let change = added.len() as i32 - range.len() as i32;
        program.instructions.splice(range.clone(), added);
        let spans = program.instruction_spans.split_off(from);
        program.instruction_spans.splice(range, spans);
        let moved = |index: &mut u32| {
            if *index >= window.instructions.end {
                *index = index.wrapping_add_signed(change);
            }
        };
        let labels = program.labels.as_mut_slice().iter_mut();
        labels.filter(|label| label.span.start >= window.old.start).for_each(|label| moved(&mut label.instruction));
        for (place, object) in program.objects.as_mut_slice().iter_mut().enumerate() {
            if place > window.object.index() {
                moved(&mut object.instructions.start);
            }
            if place >= window.object.index() {
                moved(&mut object.instructions.end);
            }
        }
    }
}

impl Record {
    /// What is known of the object at a place.
    fn body(&mut self, place: usize) -> &mut Body {
        if self.bodies.len() <= place {
            self.bodies.resize(place + 1, Body { names: 0..0, is_plain: true, dispatch_simd: None });
        }
        &mut self.bodies[place]
    }

    /// The record with other notes in place of those of a window; gives the program's variables and the object of the
    /// window the properties that all notes together give.
    fn replaced(
        &self,
        window: Span,
        shift: Shift,
        new: Vec<Note>,
        comparisons_left: u32,
        program: &mut Program,
        object: ObjectId,
    ) -> Self {
        let place_of = |place: u32| self.notes.partition_point(|note| note.statement < place);
        let (start, end) = (place_of(window.start), place_of(window.end));
        let mut is_touched = vec![false; program.variables.len()];
        for note in &self.notes[start..end] {
            if let Noted::Variable(variable, _) = note.noted {
                is_touched[variable.index()] = true;
                program.variables[variable].flags &= !NOTED;
            }
        }
        let moved = |note: &Note| Note { statement: note.statement.wrapping_add_signed(shift.by), ..*note };
        let mut notes = self.notes[..start].to_vec();
        notes.extend(new);
        notes.extend(self.notes[end..].iter().map(moved));
        let next = program.objects.get(ObjectId::from_index(object.index() + 1)).map_or(u32::MAX, |o| o.span.start);
        let own = &mut program.objects[object];
        (own.has_broken_lines, own.parts_lanes) = (false, false);
        let object_text = own.span.start..next;
        for note in &notes {
            let is_own = object_text.contains(&note.statement);
            match note.noted {
                Noted::Variable(variable, flags) if is_touched[variable.index()] => {
                    program.variables[variable].flags |= flags;
                }
                Noted::Variable(..) => {}
                Noted::BrokenLine => program.objects[object].has_broken_lines |= is_own,
                Noted::PartedLanes => program.objects[object].parts_lanes |= is_own,
            }
        }
        Self {
            notes,
            bodies: self.bodies.clone(),
            names: self.names.clone(),
            sound_end: self.sound_end,
            comparisons_left,
            n_edits: self.n_edits + 1,
        }
    }
}
