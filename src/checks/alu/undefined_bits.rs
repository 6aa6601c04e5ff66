//! Registers of which only the lowest bits are defined: whether what reads them leaves the others out.

use crate::checks::context::{Context, View};
use crate::checks::table::types::operand_type;
use crate::program::dataflow::{Direction, Graph as _};
use crate::program::paths::{Node, Paths};
use crate::program::variable::{FLAG_ADDRESS_TAKEN, FLAG_OPERAND, FLAG_OUTPUT};
use crate::program::{Footprint, InstructionIndex, Operand, VariableId};
use crate::spec::operation::Operation;
use crate::spec::predefined;
use rustc_hash::FxHashSet;

/// How many instructions are followed that leave the bits where they are, one after the other.
const MAX_STEPS: u32 = 4;

/// An element of a variable that holds undefined bits.
#[derive(Clone, Copy)]
struct Bits {
    root: VariableId,
    /// Its first byte in the root.
    start: i64,
    /// Its bytes.
    bytes: u32,
    /// So many of the lowest bits are defined.
    n_defined: u32,
}

/// What becomes of undefined bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// Nothing reads them.
    Unread,
    /// Every read leaves them out.
    LeftOut,
    /// They may decide about something.
    Kept,
}

/// Whether the scalar that an instruction writes, of which the lowest bits are defined only, is read, and all that reads it
/// leaves the others out.
pub(super) fn are_left_out(view: &View, n_defined: u32) -> bool {
    let object = view.cx.program.object_of(view.index);
    let walk = Walk { cx: view.cx, paths: Paths::new(&view.cx.flow[object]) };
    walk.after(view, n_defined, MAX_STEPS) == Fate::LeftOut
}

struct Walk<'c, 'p> {
    cx: &'c Context<'p>,
    paths: Paths<'p>,
}

impl Walk<'_, '_> {
    /// What becomes of undefined bits in the result of an instruction.
    fn after(&self, view: &View, n_defined: u32, steps: u32) -> Fate {
        let Some(steps) = steps.checked_sub(1) else { return Fate::Kept };
        let to = super::destination(view).and_then(|(to, ..)| self.footprint(to, 1));
        let Some(to) = to.filter(|_| view.exec_size() == 1) else { return Fate::Kept };
        let bits = Bits { root: to.root, start: to.root_start, bytes: to.element_bytes, n_defined };
        let is_visible = FLAG_ADDRESS_TAKEN | FLAG_OPERAND | FLAG_OUTPUT;
        if (bits.root.0 as usize) < predefined::all().len() || self.cx.program.variables[bits.root].is(is_visible) {
            return Fate::Kept;
        }
        let mut fate = Fate::Unread;
        let first = self.paths.node_of(view.index);
        let mut seen: FxHashSet<Node> = FxHashSet::default();
        let mut open = vec![(first, view.index.0 + 1)];
        while let Some((node, start)) = open.pop() {
            let mut instructions = (start..self.paths.instructions(node).end).map(InstructionIndex);
            let is_overwritten = instructions.any(|at| {
                let Some(view) = View::new(self.cx, at) else { return false };
                fate = fate.max(self.read(&view, bits, steps));
                self.overwrites(&view, bits)
            });
            if fate == Fate::Kept {
                return fate;
            }
            if !is_overwritten {
                let next = self.paths.next(node, Direction::Forward).filter(|next| seen.insert(*next));
                open.extend(next.map(|next| (next, self.paths.instructions(next).start)));
            }
        }
        fate
    }

    fn footprint(&self, operand: &Operand, n_lanes: u32) -> Option<Footprint> {
        Footprint::new(self.cx.program, operand, n_lanes, self.cx.any_grf_bytes())
    }

    /// What becomes of them in an instruction.
    fn read(&self, view: &View, bits: Bits, steps: u32) -> Fate {
        let is_it = |variable: VariableId| self.cx.program.variables[variable].root == bits.root;
        let undefined = bits.start + i64::from(bits.n_defined / 8)..bits.start + i64::from(bits.bytes);
        let mut fate = Fate::Unread;
        for (place, operand, slot) in view.numbered_operands() {
            if let Operand::LscAddress { index } = *operand {
                let address = self.cx.program.lsc_addresses.get(index as usize);
                let mut values = address.into_iter().flat_map(|address| self.cx.program.lsc_values(address));
                if values.any(|value| value.variable().is_some_and(is_it)) {
                    return Fate::Kept;
                }
            }
            if !slot.role.reads() || !operand.variable().is_some_and(is_it) {
                continue;
            }
            let Some(at) = self.footprint(operand, view.n_lanes()) else {
                if !self.is_saved(view, place, bits) {
                    return Fate::Kept;
                }
                fate = fate.max(Fate::LeftOut);
                continue;
            };
            let end = i64::from(at.element_bytes);
            if at.lanes().all(|byte| byte >= undefined.end || byte + end <= undefined.start) {
                continue;
            }
            let is_whole = at.root_start == bits.start && at.region.is_scalar();
            fate = fate.max(if is_whole { self.kept(view, place, bits, steps) } else { Fate::Kept });
        }
        fate
    }

    /// What an operation keeps of the bits of one of its sources.
    fn kept(&self, view: &View, place: usize, bits: Bits, steps: u32) -> Fate {
        let n = u64::from(bits.n_defined);
        let left_out = |is_so: bool| if is_so { Fate::LeftOut } else { Fate::Kept };
        let number = |place: usize| match view.operands.get(place) {
            Some(Operand::Immediate { bits, element_type }) if element_type.is_integer() => Some(*bits),
            _ => None,
        };
        // Of what is no immediate it is assumed that it is right.
        let may_be = |place: usize, is_right: &dyn Fn(u64) -> bool| number(place).is_none_or(is_right);
        let Some(to) = view.operands.first() else { return Fate::Kept };
        let to_bits = operand_type(view, to).filter(|t| t.is_integer()).map(|t| 8 * u64::from(t.bytes()));
        match view.row.operation {
            Some(Operation::And) => {
                let width = 8 * bits.bytes.min(8);
                let mask = |m: u64| m & (u64::MAX >> (64 - width)) >> n << n == 0;
                left_out((1..view.operands.len()).any(|other| other != place && may_be(other, &mask)))
            }
            Some(Operation::Bfe) => {
                let (width, offset) = (number(1), number(2));
                let end = width.unwrap_or(0).saturating_add(offset.unwrap_or(0));
                left_out(place == 3 && end <= n)
            }
            Some(Operation::Bfi) => left_out(place == 3 && may_be(1, &|width| width <= n)),
            Some(Operation::Shl) => {
                let Some(width) = to_bits.filter(|_| place == 1) else { return Fate::Kept };
                left_out(number(2).is_some_and(|count| n + count % width.max(32) >= width))
            }
            Some(Operation::Setp) => match *to {
                Operand::Predicate { variable } => {
                    left_out(self.holds(variable, n) || self.is_read_below(view, variable, n))
                }
                _ => Fate::Kept,
            },
            Some(Operation::Mov) if to_bits.is_some_and(|to| to <= n) => Fate::LeftOut,
            Some(Operation::Mov | Operation::Or | Operation::Xor | Operation::Not) if to_bits.is_some() => {
                self.after(view, bits.n_defined, steps)
            }
            _ => Fate::Kept,
        }
    }

    /// Whether a predicate has at most that many elements.
    fn holds(&self, predicate: VariableId, n: u64) -> bool {
        u64::from(self.cx.program.n_elements(predicate, self.cx.any_grf_bytes())) <= n
    }

    /// The instructions of the kernel or function around an instruction.
    fn others(&self, view: &View) -> impl Iterator<Item = View<'_>> {
        let program = self.cx.program;
        let object = &program.objects[program.object_of(view.index)];
        program.instructions_in(object).filter_map(|(index, _)| View::new(self.cx, index))
    }

    /// Whether only the first `n` elements of a predicate are read.
    fn is_read_below(&self, view: &View, predicate: VariableId, n: u64) -> bool {
        let mut uses = self
            .others(view)
            .filter_map(|other| {
                let guards = other.instruction.predicate.is_some_and(|p| p.variable == predicate);
                let reads = other.each_operand().any(|(operand, _, slot)| {
                    slot.role.reads() && matches!(*operand, Operand::Predicate { variable } if variable == predicate)
                });
                (guards || reads).then_some((other, reads))
            })
            .peekable();
        uses.peek().is_some()
            && uses.all(|(other, reads)| {
                u64::from(other.first_lane() + other.n_lanes()) <= n && !(reads && other.n_lanes() == 1)
            })
    }

    /// Whether the operand is what a store saves, and the kernel makes a predicate of so many elements from what it loads.
    fn is_saved(&self, view: &View, place: usize, bits: Bits) -> bool {
        if place + 1 != view.operands.len() || !view.row.stores() {
            return false;
        }
        let root = |operand: &Operand| operand.variable().map(|variable| self.cx.program.variables[variable].root);
        let loaded: Vec<VariableId> = (self.others(view))
            .filter(|other| other.row.operation.is_none() && !other.row.stores())
            .flat_map(|other| {
                other.each_operand().filter(|(.., slot)| slot.role.writes()).filter_map(|(o, ..)| root(o))
            })
            .collect();
        self.others(view).filter(|other| other.row.operation == Some(Operation::Setp)).any(|other| {
            matches!(*other.operands, [Operand::Predicate { variable }, ref source, ..]
                if self.holds(variable, u64::from(bits.n_defined)) && root(source).is_some_and(|r| loaded.contains(&r)))
        })
    }

    /// Whether an instruction writes all of it.
    fn overwrites(&self, view: &View, bits: Bits) -> bool {
        let mut written = view
            .operands
            .iter()
            .zip(view.slots)
            .filter(|(_, slot)| view.row.operands[usize::from(**slot)].role.writes());
        view.instruction.predicate.is_none()
            && written.any(|(operand, _)| {
                self.footprint(operand, view.n_lanes()).is_some_and(|at| {
                    at.root == bits.root
                        && at.root_bytes().start <= bits.start
                        && bits.start + i64::from(bits.bytes) <= at.root_bytes().end
                        && at.region.is_contiguous(at.n_lanes)
                })
            })
    }
}
