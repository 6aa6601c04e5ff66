//! Lifetimes: `lifetime.start` and `lifetime.end`, followed along the control flow.

use super::Scope;
use crate::base::diagnostic::{DOCUMENT, Diagnostic};
use crate::base::id::Id as _;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::context::Sink;
use crate::interp::Lives;
use crate::program::cfg::{BlockEnd, BlockId, SubroutineId};
use crate::program::dataflow::{self, Analysis, Direction};
use crate::program::lsc::LscValue;
use crate::program::{InstructionIndex, Operand, Program, VariableId};
use crate::spec::family::Marker as RowMarker;
use crate::spec::predefined::VariableKind;
use rustc_hash::{FxHashMap, FxHashSet};

crate::declare_rule! {
    /// A variable that is read or written before its life begins, or after it has ended. Other variables may share its
    /// storage then, and the value is undefined. An alias of the variable is the variable, and so is an operand through an
    /// address that can only be its own. A warning where only some of the paths lead there outside its life.
    ///
    /// ```visa bad
    /// lifetime.start VD
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// lifetime.end VD
    /// mov (M1, 8) VD2(0,0)<1> VD(0,0)<8;8,1>
    /// ```
    /// ```visa good
    /// lifetime.start VD
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// mov (M1, 8) VD2(0,0)<1> VD(0,0)<8;8,1>
    /// lifetime.end VD
    /// ```
    pub USE_OUTSIDE_LIFETIME = "use-outside-lifetime", Error | Warning, "LIFETIME",
        help = "move `lifetime.start` before the first use and `lifetime.end` behind the last one: outside, other variables may share the storage"
}

crate::declare_rule! {
    /// A `lifetime.end` without a `lifetime.start`, or a second one. The opposite is pedantic: compilers leave most lives
    /// open to the end of the kernel.
    ///
    /// ```visa bad
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// lifetime.end VD
    /// ```
    /// ```visa good
    /// lifetime.start VD
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// lifetime.end VD
    /// ```
    pub UNPAIRED_LIFETIME = "unpaired-lifetime", Warning | Pedantic, "LIFETIME",
        help = "write one `lifetime.start` before the first use and one `lifetime.end` behind the last one"
}

/// What may be true of a variable at a place: bits.
const NOT_BEGUN: u8 = 1;
const ALIVE: u8 = 2;
const ENDED: u8 = 4;
/// In the summary of a subroutine: what was true where it is called is still true.
const UNCHANGED: u8 = 8;

/// Bounds the work for objects with very many markers: variables times blocks.
const MAX_STATES: usize = 4_000_000;
/// Variables with markers that one root variable may have; further ones are not followed.
const MAX_PER_ROOT: usize = 16;

/// A variable with markers.
struct Life {
    variable: VariableId,
    first_start: Option<Span>,
    first_end: Option<Span>,
    /// Whether a use before or after its life was reported.
    is_reported: bool,
}

/// A marker: which life, and what it makes of it.
#[derive(Clone, Copy)]
struct Marker {
    instruction: InstructionIndex,
    life: usize,
    makes: u8,
}

/// What happens to a variable where it may be outside its life.
enum Event {
    /// It is used, by this name and in this place.
    Use(VariableId, Span),
    /// Its life is ended.
    End(Marker),
}

/// Checks the lifetimes of an object.
pub fn check(scope: &Scope, sink: &mut Sink) {
    check_but(scope, sink, |_, _| false);
}

/// The uses and ends of variables of which the control flow alone does not tell whether they are within the life of the
/// variable, by instruction.
#[must_use]
pub fn questions(scope: &Scope) -> Vec<(InstructionIndex, VariableId)> {
    let program = scope.program();
    if !super::Contents::of(program, scope.object).lifetimes {
        return Vec::new();
    }
    let (mut lives, markers) = collect(scope);
    let mut questions = Vec::new();
    let (n, states) = states(scope, &lives, &markers);
    let is_own = |variable: VariableId| {
        let info = &program.variables[variable];
        info.root == variable && matches!(info.kind, VariableKind::General | VariableKind::Address)
    };
    walk(scope, &mut lives, &markers, states, n, &mut |index, life, state, _| {
        if state & ALIVE != 0 && is_own(life.variable) && questions.last() != Some(&(index, life.variable)) {
            questions.push((index, life.variable));
        }
    });
    questions
}

/// Takes back what abstract execution has answered: `may_be_outside` says of an instruction and a variable whether it may be
/// outside its life there.
pub fn confirm(
    scope: &Scope,
    asked: &Lives,
    sink: &mut Sink,
    may_be_outside: impl Fn(InstructionIndex, VariableId) -> bool,
) {
    let is_inside = |index, life| asked.holds(index, life) && !may_be_outside(index, life);
    if !asked.questions().iter().any(|(index, life)| is_inside(*index, *life)) {
        return;
    }
    let spans = &scope.program().instruction_spans;
    let of = |index: u32| spans[InstructionIndex(index)].statement;
    let instructions = &scope.object.instructions;
    let whole = of(instructions.start).to(of(instructions.end.saturating_sub(1)));
    sink.take_back_within(&[&USE_OUTSIDE_LIFETIME, &UNPAIRED_LIFETIME], whole);
    check_but(scope, sink, is_inside);
}

/// Checks the lifetimes of an object, but for uses and ends that are known to be within the life of a variable.
fn check_but(scope: &Scope, sink: &mut Sink, is_inside: impl Fn(InstructionIndex, VariableId) -> bool) {
    let (mut lives, markers) = collect(scope);
    if lives.is_empty() {
        return;
    }
    // A line that could not be read may have been the one that is missing.
    let program = scope.program();
    let is_all_read = program.instructions_in(scope.object).all(|(_, instruction)| program.row(instruction).is_some());
    for marker in markers.iter().filter(|_| is_all_read) {
        let life = &lives[marker.life];
        if marker.makes == ENDED && life.first_start.is_none() {
            report_unpaired(scope, sink, marker, life, "has no `lifetime.start`");
        }
    }
    for life in lives.iter().filter(|l| is_all_read && l.first_end.is_none()) {
        if let Some(start) = life.first_start {
            let message = format!("the life of `{}` is never ended", program.variable_name(life.variable));
            sink.report(Diagnostic::new(&UNPAIRED_LIFETIME, start, message).level(Level::Pedantic));
        }
    }
    let (n, states) = states(scope, &lives, &markers);
    walk(scope, &mut lives, &markers, states, n, &mut |index, life, state, event| {
        if life.is_reported || state & ALIVE != 0 && is_inside(index, life.variable) {
            return;
        }
        match event {
            Event::Use(variable, span) => {
                life.is_reported = true;
                report_use(scope, sink, life, state, variable, span);
            }
            // What is used outside its life on the way was reported.
            Event::End(marker) => {
                let words = match state {
                    NOT_BEGUN => "has not begun here",
                    s if s & ALIVE == 0 => "has ended before",
                    s if s & NOT_BEGUN != 0 => "has not begun on one of the paths",
                    _ => "has ended before on one of the paths",
                };
                report_unpaired(scope, sink, &marker, life, words);
            }
        }
    });
}

/// How many lives are followed, and what may be true of each of them at the beginning of each block.
fn states(scope: &Scope, lives: &[Life], markers: &[Marker]) -> (usize, Vec<Vec<u8>>) {
    let n_followed = (MAX_STATES / scope.flow.blocks.len().max(1)).min(lives.len());
    (n_followed, follow(scope, lives, markers, n_followed))
}

/// The lives and markers of an object, in the order of the text; nothing if some marker could not be read.
fn collect(scope: &Scope) -> (Vec<Life>, Vec<Marker>) {
    let program = scope.program();
    let mut lives: Vec<Life> = Vec::new();
    let mut markers = Vec::new();
    let mut places = FxHashMap::default();
    for (index, instruction) in program.instructions_in(scope.object) {
        let Some(row) = program.row(instruction) else { continue };
        let is_start = match row.marker {
            Some(RowMarker::LifetimeStart) => true,
            Some(RowMarker::LifetimeEnd) => false,
            Some(RowMarker::File | RowMarker::Line) | None => continue,
        };
        let Some(Operand::Variable { variable }) = program.operands_of(instruction).first() else {
            return (Vec::new(), Vec::new());
        };
        let is_handle = matches!(program.variables[*variable].kind, VariableKind::Sampler | VariableKind::Surface);
        if is_handle || variable.predefined().is_some() {
            continue;
        }
        let life = *places.entry(*variable).or_insert_with(|| {
            let life = Life { variable: *variable, first_start: None, first_end: None, is_reported: false };
            lives.push(life);
            lives.len() - 1
        });
        let row = &mut lives[life];
        let span = program.instruction_spans[index].statement;
        let first = if is_start { &mut row.first_start } else { &mut row.first_end };
        first.get_or_insert(span);
        markers.push(Marker { instruction: index, life, makes: if is_start { ALIVE } else { ENDED } });
    }
    (lives, markers)
}

/// What may be true of each of the first `n` lives at the beginning of each block.
fn follow(scope: &Scope, lives: &[Life], markers: &[Marker], n: usize) -> Vec<Vec<u8>> {
    let flow = scope.flow;
    let mut states = vec![vec![0; n]; flow.blocks.len()];
    let first: Vec<u8> =
        lives.iter().take(n).map(|life| if life.first_start.is_some() { NOT_BEGUN } else { ALIVE }).collect();
    let mut following = Follow { scope, markers, summaries: summaries(scope, markers, n) };
    let order = || flow.order.iter().map(|block| block.index());
    states[flow.entry_of(SubroutineId(0)).index()].clone_from(&first);
    // Of a subroutine that is never called only the lives are followed that have markers in it.
    let called: FxHashSet<SubroutineId> = flow.calls.iter().map(|call| call.callee).collect();
    for (id, _) in flow.subroutines.entries().filter(|(id, _)| !called.contains(id)) {
        let (start, end) = flow.instructions_of(id);
        let own =
            markers.partition_point(|m| m.instruction.0 < start)..markers.partition_point(|m| m.instruction.0 < end);
        let entry = &mut states[flow.entry_of(id).index()];
        for marker in markers[own].iter().filter(|m| m.life < n) {
            entry[marker.life] = first[marker.life];
        }
    }
    // What is true at calls is true where the subroutine begins, which may call others.
    for _ in 0..flow.subroutines.len().clamp(1, MAX_ROUNDS) {
        dataflow::solve(flow, &mut following, &mut states, order());
        let mut is_more = false;
        for call in &flow.calls {
            let mut before = states[flow.block_of(call.instruction).index()].clone();
            following.mark(flow.block_of(call.instruction), &mut before);
            is_more |= join(&mut states[flow.entry_of(call.callee).index()], &before);
        }
        if !is_more {
            break;
        }
    }
    states
}

/// What each subroutine makes of each of the first `n` lives, from where it is called to where it returns.
fn summaries(scope: &Scope, markers: &[Marker], n: usize) -> Vec<Vec<u8>> {
    let flow = scope.flow;
    let mut following = Follow { scope, markers, summaries: vec![vec![0; n]; flow.subroutines.len()] };
    if flow.calls.is_empty() {
        return following.summaries;
    }
    for _ in 0..flow.subroutines.len().min(MAX_ROUNDS) {
        let mut states = vec![vec![0; n]; flow.blocks.len()];
        for (id, _) in flow.subroutines.entries() {
            states[flow.entry_of(id).index()].fill(UNCHANGED);
        }
        dataflow::solve(flow, &mut following, &mut states, flow.order.iter().map(|block| block.index()));
        let mut is_more = false;
        for (id, block) in flow.blocks.entries().filter(|(_, block)| block.ends == BlockEnd::Return) {
            let mut state = std::mem::take(&mut states[id.index()]);
            following.mark(id, &mut state);
            is_more |= join(&mut following.summaries[block.subroutine.index()], &state);
        }
        if !is_more {
            break;
        }
    }
    following.summaries
}

/// Most times that subroutines are read, which is how deep calls may be nested.
const MAX_ROUNDS: usize = 16;

/// Adds what comes from elsewhere to what is known. Returns whether that is more.
fn join(known: &mut [u8], coming: &[u8]) -> bool {
    let mut is_more = false;
    for (known, coming) in known.iter_mut().zip(coming) {
        is_more |= coming & !*known != 0;
        *known |= coming;
    }
    is_more
}

struct Follow<'a> {
    scope: &'a Scope<'a>,
    markers: &'a [Marker],
    /// What each subroutine makes of each life.
    summaries: Vec<Vec<u8>>,
}

impl Follow<'_> {
    /// What the markers of a block make of what is known where it begins.
    fn mark(&self, id: BlockId, state: &mut [u8]) {
        let block = &self.scope.flow.blocks[id];
        let first = self.markers.partition_point(|m| m.instruction.0 < block.start);
        for marker in self.markers[first..].iter().take_while(|m| m.instruction.0 < block.end) {
            if let Some(state) = state.get_mut(marker.life).filter(|s| **s != 0) {
                *state = marker.makes;
            }
        }
    }

    /// What the call at the end of a block makes of it.
    fn call(&self, id: BlockId, state: &mut [u8]) {
        let flow = self.scope.flow;
        let block = &flow.blocks[id];
        let Some(last) = block.last().filter(|_| block.ends == BlockEnd::Call) else { return };
        let Ok(place) = flow.calls.binary_search_by_key(&last, |call| call.instruction) else { return };
        let may_skip = self.scope.program().instructions[last].predicate.is_some();
        for (state, makes) in state.iter_mut().zip(&self.summaries[flow.calls[place].callee.index()]) {
            let before = if may_skip || makes & UNCHANGED != 0 { *state } else { 0 };
            *state = makes & !UNCHANGED | before;
        }
    }
}

impl Analysis for Follow<'_> {
    /// For each life, what may be true of it.
    type Fact = Vec<u8>;

    fn direction(&self) -> Direction {
        Direction::Forward
    }

    fn join(&mut self, _: usize, known: &mut Vec<u8>, coming: &Vec<u8>) -> bool {
        join(known, coming)
    }

    fn transfer(&mut self, node: usize, state: &mut Vec<u8>) -> bool {
        let id = BlockId::from_index(node);
        self.mark(id, state);
        self.call(id, state);
        true
    }
}

/// Walks through the instructions with the states, and calls `found` with each use and end that may lie outside a life: with
/// the instruction, the life, and what may be true of it there.
fn walk(
    scope: &Scope,
    lives: &mut [Life],
    markers: &[Marker],
    mut states: Vec<Vec<u8>>,
    n: usize,
    found: &mut impl FnMut(InstructionIndex, &mut Life, u8, Event),
) {
    let program = scope.program();
    let mut by_root: FxHashMap<VariableId, Vec<usize>> = FxHashMap::default();
    for (i, life) in lives.iter().take(n).enumerate() {
        let same = by_root.entry(program.variables[life.variable].root).or_default();
        if same.len() < MAX_PER_ROOT {
            same.push(i);
        }
    }
    let addressed = addressed(scope);
    let mut next = markers.iter().peekable();
    for (id, block) in scope.flow.blocks.entries() {
        let state = &mut states[id.index()];
        for index in block.instructions() {
            if let Some(marker) = next.next_if(|m| m.instruction == index) {
                if let Some(state) = state.get_mut(marker.life).filter(|s| **s != 0) {
                    if marker.makes == ENDED && *state != ALIVE {
                        found(index, &mut lives[marker.life], *state, Event::End(*marker));
                    }
                    *state = marker.makes;
                }
                continue;
            }
            let mut used = |variable: VariableId, first_byte: FirstByte, span: Span| {
                let root = program.variables[variable].root;
                for &life in by_root.get(&root).map_or(&[][..], Vec::as_slice) {
                    let is_outside = state[life] & (NOT_BEGUN | ENDED) != 0;
                    if is_outside && touches(scope, variable, first_byte, lives[life].variable) {
                        found(index, &mut lives[life], state[life], Event::Use(variable, span));
                    }
                }
            };
            uses(program, index, &addressed, &mut used);
        }
    }
}

/// The first byte of an operand, counted in the variable that it names: rows of registers, and bytes.
type FirstByte = (i64, i64);

/// The variables that the address variables of an object point to, where each can point to one only.
fn addressed(scope: &Scope) -> FxHashMap<VariableId, VariableId> {
    let program = scope.program();
    // For each address variable the variables and the other address variables that it is made of.
    let mut made_of: FxHashMap<VariableId, Vec<VariableId>> = FxHashMap::default();
    for (_, instruction) in program.instructions_in(scope.object) {
        let Some((Operand::Address { variable: address, .. }, sources)) =
            program.operands_of(instruction).split_first()
        else {
            continue;
        };
        let all = made_of.entry(*address).or_default();
        for source in sources {
            match source {
                Operand::AddressOf { variable, .. } => all.push(*variable),
                Operand::Address { variable, .. } if variable != address => all.push(*variable),
                _ => {}
            }
        }
        all.sort_unstable();
        all.dedup();
    }
    let target = |address: &VariableId| {
        let mut at = *address;
        for _ in 0..MAX_ROUNDS {
            match made_of.get(&at).map(Vec::as_slice) {
                Some([one]) => at = *one,
                Some(_) => return None,
                None => return Some(at),
            }
        }
        None
    };
    made_of.keys().filter_map(|address| Some((*address, target(address)?))).collect()
}

/// Calls `found` with every variable that an instruction reads or writes.
fn uses(
    program: &Program,
    index: InstructionIndex,
    addressed: &FxHashMap<VariableId, VariableId>,
    found: &mut impl FnMut(VariableId, FirstByte, Span),
) {
    let instruction = &program.instructions[index];
    if let Some(predicate) = instruction.predicate {
        found(predicate.variable, (0, 0), program.instruction_spans[index].predicate);
    }
    let range = instruction.operands();
    for (operand, spans) in program.operands[range.clone()].iter().zip(&program.operand_spans[range]) {
        let span = spans.whole;
        match *operand {
            Operand::General { variable, row, column, .. } | Operand::Element { variable, row, column } => {
                let bytes = i64::from(column) * i64::from(program.variables[variable].element_bytes());
                found(variable, (i64::from(row), bytes), span);
            }
            Operand::Raw { variable, byte_offset }
            | Operand::LscData { variable, byte_offset, .. }
            | Operand::WithLength { variable, byte_offset, .. } => found(variable, (0, i64::from(byte_offset)), span),
            Operand::Indirect { address, .. } => {
                found(address, (0, 0), span);
                if let Some(variable) = addressed.get(&address) {
                    found(*variable, (0, 0), span);
                }
            }
            Operand::Address { variable, .. } | Operand::Predicate { variable } => {
                found(variable, (0, 0), span);
            }
            Operand::LscAddress { index } => {
                for value in program.lsc_values(&program.lsc_addresses[index as usize]) {
                    match value {
                        LscValue::Register { variable, byte_offset } => {
                            found(variable, (0, i64::from(byte_offset)), span);
                        }
                        LscValue::Element { variable, row, column } => {
                            let bytes = i64::from(column) * i64::from(program.variables[variable].element_bytes());
                            found(variable, (i64::from(row), bytes), span);
                        }
                        LscValue::Broken | LscValue::Null | LscValue::Immediate(_) => {}
                    }
                }
            }
            // Taking an address, or naming a state, touches nothing of the variable.
            _ => {}
        }
    }
}

/// Whether an operand that names `variable` and begins at `first_byte` surely touches `life`.
fn touches(scope: &Scope, variable: VariableId, (row, bytes): FirstByte, life: VariableId) -> bool {
    if variable == life {
        return true;
    }
    let program = scope.program();
    scope.cx.platforms.grf_sizes().all(|grf_bytes| {
        let first = i64::from(program.variables[variable].root_offset) + row * i64::from(grf_bytes) + bytes;
        let start = i64::from(program.variables[life].root_offset);
        (start..start + i64::from(program.variable_bytes(life, grf_bytes))).contains(&first)
    })
}

fn report_unpaired(scope: &Scope, sink: &mut Sink, marker: &Marker, life: &Life, words: &str) {
    let program = scope.program();
    let span = program.instruction_spans[marker.instruction].statement;
    let message = format!("the life of `{}` {words}", program.variable_name(life.variable));
    let diagnostic = Diagnostic::new(&UNPAIRED_LIFETIME, span, message).level(Level::Warning);
    let diagnostic = life.first_start.into_iter().fold(diagnostic, |d, start| d.also(start, "its first beginning"));
    let other_end = life.first_end.filter(|end| *end != span);
    sink.report(other_end.into_iter().fold(diagnostic, |d, end| d.also(end, "its first end")));
}

fn report_use(scope: &Scope, sink: &mut Sink, life: &Life, state: u8, variable: VariableId, span: Span) {
    let program = scope.program();
    let name = program.variable_name(life.variable);
    let is_possible = state & ALIVE != 0;
    let words = match state & !ALIVE {
        NOT_BEGUN if is_possible => "where its life has not begun on one of the paths",
        ENDED if is_possible => "where its life has ended on one of the paths",
        NOT_BEGUN => "before its life begins",
        ENDED => "after its life has ended",
        _ => "outside its life",
    };
    let alias = if variable == life.variable {
        String::new()
    } else {
        format!(", of which `{}` is an alias,", program.variable_name(variable))
    };
    let mut diagnostic = Diagnostic::new(&USE_OUTSIDE_LIFETIME, span, format!("`{name}`{alias} is used {words}"))
        .level(if is_possible { Level::Warning } else { Level::Error });
    if let Some(start) = life.first_start {
        diagnostic = diagnostic.also(start, "its life begins here");
    }
    if let Some(end) = life.first_end.filter(|_| state & ENDED != 0) {
        diagnostic = diagnostic.also(end, "and ends here");
    }
    sink.report(diagnostic.note(format!("{DOCUMENT}LIFETIME")));
}
