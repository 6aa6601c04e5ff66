//! Every place of a program where bytes of a variable are read or written, by the variable at the end of the alias chain.

use super::bytes;
use super::elements::Elements;
use crate::base::id::Id as _;
use crate::base::span::Span;
use crate::program::instruction::PredicateControl;
use crate::program::lsc::LscValue;
use crate::program::variable::FLAG_ADDRESS_TAKEN;
use crate::program::{Footprint, InstructionIndex, Operand, Program, VariableId, View};
use crate::spec::operation::Operation;
use rustc_hash::FxHashSet;
use std::iter::once;
use std::ops::Range;

/// A place where bytes are read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    /// The instruction.
    pub instruction: InstructionIndex,
    /// The name of the variable in the text.
    pub name: Span,
    /// The variable that is named.
    pub variable: VariableId,
    /// The variable at the end of its alias chain; `%null` for an operand that takes its register from an address.
    pub root: VariableId,
    /// Whether it reads.
    pub reads: bool,
    /// Whether it writes.
    pub writes: bool,
    /// Whether what it writes is written whenever control comes there, in the lanes that are active.
    pub is_certain: bool,
    first: u32,
    end: u32,
}

/// All places of a program where bytes are read or written.
#[derive(Debug, Default)]
pub struct Touches {
    all: Vec<Touch>,
    ranges: Vec<Range<u32>>,
    /// Where the places of each root begin in `by_root`, and one more.
    starts: Vec<u32>,
    /// Numbers of places, by root and then in the order of the text.
    by_root: Vec<u32>,
    /// Numbers of the places that take their register from an address, which may be any whose address is taken.
    indirect: Vec<u32>,
    /// The roots of which an address is taken.
    addressed: FxHashSet<VariableId>,
}

/// All bytes of any variable.
const EVERYTHING: Range<u32> = 0..u32::MAX;

impl Touches {
    /// Reads a program, where registers have `grf_bytes` bytes.
    #[must_use]
    pub fn new(program: &Program, grf_bytes: u32) -> Self {
        let mut touches = Self::default();
        let n = program.instructions.len();
        for view in (0..n).filter_map(|i| View::new(program, InstructionIndex::from_index(i))) {
            touches.instruction(&view, grf_bytes);
        }
        let taken = program.variables.iter().filter(|v| v.is(FLAG_ADDRESS_TAKEN));
        touches.addressed = taken.map(|v| v.root).collect();
        touches.index(program.variables.len());
        touches
    }

    fn instruction(&mut self, view: &View, grf_bytes: u32) {
        let program = view.program;
        // What selects by its predicate writes in any case.
        let is_certain = view.instruction.predicate.is_none() && view.spans.predicate.is_empty()
            || view.row.operation == Some(Operation::Sel);
        // Bytes of a predicate variable are its bits.
        let lanes = view.first_lane()..view.first_lane() + view.n_lanes();
        if let Some(used) = view.instruction.predicate {
            let bits = if used.control == PredicateControl::PerLane { lanes.clone() } else { EVERYTHING };
            self.add(view, used.variable, view.spans.predicate, (true, false), false, [bits]);
        }
        for (operand, spans, slot) in view.each_operand() {
            let is = (slot.role.reads(), slot.role.writes());
            match *operand {
                Operand::LscAddress { index } => self.address(view, index as usize, grf_bytes),
                Operand::Indirect { address, element, .. } => {
                    let start = element.max(0) as u32 * 2;
                    self.add(view, address, spans.name, (true, false), false, once(start..start + 2));
                    self.indirect.push(self.all.len() as u32);
                    self.add(view, VariableId::NULL, spans.whole, is, false, [EVERYTHING]);
                }
                Operand::Predicate { variable } => {
                    self.add(view, variable, spans.name, is, is_certain, [lanes.clone()]);
                }
                Operand::Address { variable, element, width } => {
                    let start = element.max(0) as u32 * 2;
                    self.add(view, variable, spans.name, is, is_certain, once(start..start + width.max(1) as u32 * 2));
                }
                Operand::Handle { variable, index } => {
                    let start = i64::from(index) * 4;
                    self.add(view, variable, spans.name, is, is_certain, once(clamped(start)..clamped(start + 4)));
                }
                Operand::State { variable, index } => {
                    let (start, n_bytes) = (i64::from(index) * 4, i64::from(view.n_lanes()) * 4);
                    let range = clamped(start)..clamped(start + n_bytes);
                    self.add(view, variable, spans.name, is, is_certain, once(range));
                }
                Operand::General { variable, .. } => {
                    let n_lanes = if slot.scalar { 1 } else { view.n_lanes() };
                    let Some(at) = Footprint::new(program, operand, n_lanes, grf_bytes) else { continue };
                    let bytes = at.element_bytes;
                    if at.region.is_contiguous(n_lanes) {
                        let range = clamped(at.start)..clamped(at.start + i64::from(n_lanes * bytes));
                        self.add(view, variable, spans.name, is, is_certain, [range]);
                    } else {
                        let lanes = (0..n_lanes).map(|lane| at.start + i64::from(at.region.element(lane) * bytes));
                        let ranges = lanes.map(|start| clamped(start)..clamped(start + i64::from(bytes)));
                        self.add(view, variable, spans.name, is, is_certain, ranges);
                    }
                }
                Operand::Raw { variable, .. }
                | Operand::Element { variable, .. }
                | Operand::LscData { variable, .. }
                | Operand::WithLength { variable, .. } => {
                    let Some(elements) = Elements::new(view, operand, slot, grf_bytes) else { continue };
                    let size = i64::from(elements.element_bytes);
                    let ranges = elements.taken.iter().map(|t| clamped(t.byte)..clamped(t.byte + size));
                    self.add(view, variable, spans.name, is, is_certain, ranges);
                }
                _ => {}
            }
        }
    }

    /// The variables of an LSC address: each is read as a whole, from its offset on.
    fn address(&mut self, view: &View, index: usize, grf_bytes: u32) {
        let program = view.program;
        let address = &program.lsc_addresses[index];
        let items = program.lsc_items[address.items()].iter().map(|item| (item.value, item.value_span));
        for (value, span) in items.chain(address.surface.map(|value| (value, address.surface_span))) {
            let (variable, start) = match value {
                LscValue::Register { variable, byte_offset } => (variable, i64::from(byte_offset)),
                LscValue::Element { variable, row, column } => {
                    let bytes = program.variables[variable].element_bytes();
                    (variable, i64::from(row) * i64::from(grf_bytes) + i64::from(column) * i64::from(bytes))
                }
                _ => continue,
            };
            let end = i64::from(program.variable_bytes(variable, grf_bytes));
            let name = program.variable_name(variable).len() as u32;
            let name = Span::new(span.start, (span.start + name).min(span.end));
            self.add(view, variable, name, (true, false), false, once(clamped(start)..clamped(end.max(start + 1))));
        }
    }

    /// Adds a place; the ranges are bytes of the variable that is named.
    fn add(
        &mut self,
        view: &View,
        variable: VariableId,
        name: Span,
        (reads, writes): (bool, bool),
        is_certain: bool,
        ranges: impl IntoIterator<Item = Range<u32>>,
    ) {
        let row = &view.program.variables[variable];
        let is_indirect = variable == VariableId::NULL && self.indirect.last() == Some(&(self.all.len() as u32));
        if variable == VariableId::NULL && !is_indirect {
            return;
        }
        let first = self.ranges.len();
        let offset = row.root_offset;
        self.ranges.extend(ranges.into_iter().map(|r| match r {
            EVERYTHING => r,
            r => r.start.saturating_add_signed(offset)..r.end.saturating_add_signed(offset),
        }));
        if self.ranges.len() > first + 1 {
            let mut own = self.ranges.split_off(first);
            bytes::normalize(&mut own);
            self.ranges.append(&mut own);
        }
        let end = self.ranges.len() as u32;
        self.all.push(Touch {
            instruction: view.index,
            name,
            variable,
            root: row.root,
            reads,
            writes,
            is_certain: is_certain && writes,
            first: first as u32,
            end,
        });
    }

    fn index(&mut self, n_variables: usize) {
        let mut starts = vec![0u32; n_variables + 1];
        for touch in &self.all {
            starts[touch.root.index() + 1] += 1;
        }
        for i in 0..n_variables {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        self.by_root = vec![0; self.all.len()];
        for (number, touch) in (0..).zip(&self.all) {
            let place = &mut next[touch.root.index()];
            self.by_root[*place as usize] = number;
            *place += 1;
        }
        self.starts = starts;
    }

    /// The bytes of the root that a place takes, in their order.
    #[must_use]
    pub fn ranges(&self, touch: &Touch) -> &[Range<u32>] {
        &self.ranges[touch.first as usize..touch.end as usize]
    }

    /// The places in an instruction.
    #[must_use]
    pub fn of_instruction(&self, instruction: InstructionIndex) -> &[Touch] {
        let start = self.all.partition_point(|t| t.instruction < instruction);
        let n = self.all[start..].partition_point(|t| t.instruction == instruction);
        &self.all[start..start + n]
    }

    /// Whether the address of a root is taken.
    #[must_use]
    pub fn is_addressed(&self, root: VariableId) -> bool {
        self.addressed.contains(&root)
    }

    /// The places that name a root or an alias of it, in the order of the text.
    pub fn named(&self, root: VariableId) -> impl Iterator<Item = &Touch> {
        let range = self.starts.get(root.index()).zip(self.starts.get(root.index() + 1));
        let range = range.map_or(0..0, |(start, end)| *start as usize..*end as usize);
        self.by_root[range].iter().map(|number| &self.all[*number as usize])
    }

    /// The places that may touch bytes of a root in some instructions, in the order of the text: those that name it, and
    /// those that take their register from an address if one of it is taken.
    #[must_use]
    pub fn of_root(&self, root: VariableId, instructions: Range<u32>) -> Vec<Touch> {
        let is_in = |t: &&Touch| instructions.contains(&t.instruction.0);
        let mut all: Vec<Touch> = self.named(root).filter(is_in).copied().collect();
        if self.is_addressed(root) {
            all.extend(self.indirect.iter().map(|number| &self.all[*number as usize]).filter(is_in));
            all.sort_by_key(|t| t.instruction);
        }
        all
    }
}

/// A byte before the variable counts as its first.
fn clamped(byte: i64) -> u32 {
    byte.clamp(0, i64::from(u32::MAX) - 1) as u32
}
