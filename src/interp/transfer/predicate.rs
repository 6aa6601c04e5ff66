//! Comparisons, and instructions on predicates.

use crate::interp::domain::atom::Origin;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::function::Function;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{Value, fold, mask};
use crate::interp::state::content::{NO_WRITER, Presence};
use crate::interp::state::{Change, Reader};
use crate::interp::transfer::effects::{Effects, Observed, UnsetPredicate};
use crate::interp::transfer::operand::Source;
use crate::program::{Operand, VariableId, View};
use crate::spec::ModifierName;
use crate::spec::Type;
use crate::spec::operation::Operation;

impl Reader<'_> {
    #[expect(clippy::float_cmp, reason = "this is what the instruction compares")]
    pub(in crate::interp) fn compared_lanes(&mut self, relation: &str, a: &Source, b: &Source) -> Lanes<Condition> {
        let nearest = self.cx().rounds_to_nearest;
        let reached = self.state().reached;
        let is_certain = self.state().is_certain;
        let domain = &mut self.domain;
        if a.kind.is_float() || b.kind.is_float() {
            let same_type = a.kind == b.kind;
            return a.lanes.zip(&b.lanes, |x, y| {
                let number = |v: Value, kind: Type| fold::float(v.as_known()?, kind);
                if let (Some(x), Some(y)) = (number(x, a.kind), number(y, b.kind))
                    && (same_type || nearest)
                {
                    return Condition::known(match relation {
                        "eq" => x == y,
                        "ne" => x != y,
                        "lt" => x < y,
                        "le" => x <= y,
                        "gt" => x > y,
                        _ => x >= y,
                    });
                }
                let (le, ge) = (domain.at_most(x, y), domain.at_most(y, x));
                match relation {
                    "eq" => domain.and(le, ge),
                    "ne" => domain.and(le, ge).not(),
                    "lt" => domain.and(le, ge.not()),
                    "le" => le,
                    "gt" => domain.and(ge, le.not()),
                    _ => ge,
                }
            });
        }
        let width = a.kind.bytes().max(b.kind.bytes()) as u8;
        let signed = a.kind.is_signed() || b.kind.is_signed();
        let mixed = a.kind.is_signed() != b.kind.is_signed();
        a.lanes.zip(&b.lanes, |x, y| {
            let (x, y) =
                (domain.resize_as(x, width, a.kind.is_signed()), domain.resize_as(y, width, b.kind.is_signed()));
            // Numbers of both signs are compared in different ways by different machines, if one is negative.
            let is_ordered = !mixed || domain.is_not_negative(x) && domain.is_not_negative(y);
            let condition = match relation {
                "eq" => domain.equal(x, y),
                "ne" => domain.equal(x, y).not(),
                _ if !is_ordered => {
                    let operation = if matches!(relation, "lt" | "ge") { Operation::Min } else { Operation::Max };
                    let condition = domain.compared(Function::Signed(operation), x, y);
                    if matches!(relation, "ge" | "le") { condition.not() } else { condition }
                }
                "lt" => domain.less(signed, x, y),
                "ge" => domain.less(signed, x, y).not(),
                "gt" => domain.less(signed, y, x),
                _ => domain.less(signed, y, x).not(),
            };
            if is_certain { condition } else { domain.given(condition, reached) }
        })
    }

    /// The first of the lanes from `first` on whose bit nothing has written, or not on every path.
    pub fn predicate_gap(
        &mut self,
        variable: VariableId,
        first: u32,
        exec_mask: &Lanes<Condition>,
    ) -> Option<UnsetPredicate> {
        let defined = self.predicate(variable)?.defined.clone();
        let n = exec_mask.len();
        let wanted = defined.slice(first, n);
        if wanted.all_true() {
            return None;
        }
        let is_partial = !defined.all_false();
        let unset =
            |lane: u32, is_possible| Some(UnsetPredicate { variable, lane: first + lane, is_partial, is_possible });
        if let Some(lane) = (0..n).find(|lane| wanted.at(*lane).is_false() && !exec_mask.at(*lane).is_false()) {
            return unset(lane, false);
        }
        let presence = |lane: u32| Presence { defined: wanted.at(lane), partly: wanted.at(lane), writer: NO_WRITER };
        let lane = self.lacking(exec_mask, presence)?.lane;
        unset(lane, true)
    }
}

impl Reader<'_> {
    /// `mov V P`: the bits of a predicate as a number.
    pub(super) fn move_predicate(&mut self, view: &View, variable: VariableId, effects: &mut Effects) {
        let Some(to) = self.destination_type(&view.operands[0]) else { return };
        let n_elements = self.cx().program.variables[variable].n_elements.clamp(1, 32);
        let exec_mask = Lanes::run(self.state().reached, n_elements);
        self.observe_predicate(1, variable, 0, &exec_mask, effects);
        let Some(predicate) = self.predicate(variable) else { return };
        let bits = predicate.bits.clone();
        let bytes = to.bytes() as u8;
        let number = self.domain.number_of(&bits.slice(0, n_elements), bytes);
        let value = if n_elements >= 16 || n_elements >= to.bytes() * 8 {
            number
        } else {
            // With fewer than 16 elements the upper bits are undefined.
            let unknown = self.domain.unknown_one(bytes, Origin::Result);
            let upper = u64::MAX << n_elements & mask(bytes);
            let upper = self.domain.bit_and(unknown, Value::known(upper, bytes));
            self.domain.add(upper, number)
        };
        let exec_mask = Lanes::run(self.state().reached, 1);
        self.write(view, 0, Lanes::run(value, 1), exec_mask, effects);
    }

    pub(super) fn compare(&mut self, view: &View, effects: &mut Effects) {
        let exec_mask = self.mask(view);
        let sources = self.read_sources(view, 1, &exec_mask, effects);
        let n = exec_mask.len();
        let result = match (view.modifier_word(ModifierName::RELATION), sources.as_slice()) {
            (Some(relation), [a, b]) => self.compared_lanes(relation, a, b),
            _ => Lanes::run(self.domain.unknown_condition(), n),
        };
        match view.operands[0] {
            Operand::Predicate { variable } => {
                let first = view.first_lane();
                effects.changes.push(Change::SetPredicate { variable, first, bits: result, exec_mask });
            }
            ref operand => {
                let Some(to) = self.destination_type(operand) else { return };
                let bytes = to.bytes() as u8;
                let (ones, zero) = (Value::known(u64::MAX, bytes), Value::known(0, bytes));
                let lanes = result.map(|c| self.domain.select(c, ones, zero));
                self.write(view, 0, lanes, exec_mask, effects);
            }
        }
    }

    /// Notes bits of a predicate that nothing has written, or not on every path.
    fn observe_predicate(
        &mut self,
        place: usize,
        variable: VariableId,
        first: u32,
        exec_mask: &Lanes<Condition>,
        effects: &mut Effects,
    ) {
        if let Some(gap) = self.predicate_gap(variable, first, exec_mask) {
            effects.observe(place, Observed::UndefinedPredicate(gap));
        }
    }

    pub(super) fn combine_predicates(&mut self, view: &View, operation: Operation, effects: &mut Effects) {
        let n = view.n_lanes();
        let first = view.first_lane();
        let exec_mask = self.mask(view);
        let mut lanes = [(); 2].map(|()| Lanes::run(Condition::FALSE, n));
        for (i, place) in (1..view.operands.len()).enumerate().take(2) {
            if let Operand::Predicate { variable } = view.operands[place] {
                self.observe_predicate(place, variable, first, &exec_mask, effects);
                if let Some(held) = self.predicate(variable) {
                    lanes[i] = held.bits.slice(first, n);
                }
            }
        }
        let [a, b] = &lanes;
        let domain = &mut self.domain;
        let result = match operation {
            Operation::And => a.zip(b, |x, y| domain.and(x, y)),
            Operation::Or => a.zip(b, |x, y| domain.or(x, y)),
            Operation::Xor => a.zip(b, |x, y| {
                let left = domain.and(x, y.not());
                let right = domain.and(x.not(), y);
                domain.or(left, right)
            }),
            Operation::Not => a.map(Condition::not),
            _ => Lanes::run(domain.unknown_condition(), n),
        };
        if let Operand::Predicate { variable } = view.operands[0] {
            effects.changes.push(Change::SetPredicate { variable, first, bits: result, exec_mask });
        }
    }

    /// `setp`: from the bits of a scalar, or the lowest bits of a vector.
    pub(super) fn set_predicate(&mut self, view: &View, effects: &mut Effects) {
        let (Some(Operand::Predicate { variable }), Some(source)) = (view.operands.first(), view.operands.get(1))
        else {
            return;
        };
        let n = view.n_lanes();
        let is_scalar = n == 1
            || !matches!(source, Operand::General { region, .. } | Operand::Indirect { region, .. } if !region.is_scalar());
        if is_scalar {
            // It sets 16 bits at once, or all 32.
            let exec_mask = Lanes::run(self.state().reached, 1);
            let sources = self.read_sources(view, 1, &exec_mask, effects);
            let Some(value) = sources.first().map(|s| s.lanes.at(0)) else { return };
            let first = if view.first_lane() >= 16 { 16 } else { 0 };
            let n_bits = if n == 32 { 32 } else { 16 };
            let bits = self.bits_of(value, n_bits);
            let exec_mask = Lanes::run(self.state().reached, n_bits);
            effects.changes.push(Change::SetPredicate { variable: *variable, first, bits, exec_mask });
        } else {
            let exec_mask = self.mask(view);
            let sources = self.read_sources(view, 1, &exec_mask, effects);
            let Some(source) = sources.first() else { return };
            let bits = source.lanes.map(|v| self.domain.odd(v));
            let first = view.first_lane();
            effects.changes.push(Change::SetPredicate { variable: *variable, first, bits, exec_mask });
        }
    }

    /// The lowest bits of a number.
    fn bits_of(&mut self, value: Value, n: u32) -> Lanes<Condition> {
        if let Some(bits) = self.domain.predicate_of(value, n) {
            return bits;
        }
        // Below the trailing zeros of what is not known, bits are known.
        let zeros = self.domain.sum_zeros(value.sum);
        let rest = if zeros < n { self.domain.bits(value) } else { Condition::FALSE };
        match zeros {
            0 => Lanes::run(rest, n),
            _ => Lanes::of(n, |l| if l < zeros { Condition::known(value.constant >> l & 1 == 1) } else { rest.at(l) }),
        }
    }
}
