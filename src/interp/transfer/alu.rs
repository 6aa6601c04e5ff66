//! Instructions with an operation.

use crate::interp::domain::atom::Origin;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::function::Function;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{LANES, Value, fold, mask, sign_extended};
use crate::interp::state::{Change, Location, Reader};
use crate::interp::transfer::effects::Effects;
use crate::interp::transfer::operand::Source;
use crate::interp::transfer::undefined::is_partly_left;
use crate::program::{Operand, VariableId, View};
use crate::spec::Type;
use crate::spec::operation::{Folding, Form, Operation};

/// The destination and the sources of an ALU instruction, read.
pub(in crate::interp) struct Arguments {
    /// The place of the destination.
    destination: usize,
    /// Its type.
    to: Type,
    /// The sources, with source modifiers applied, as wide as their types.
    sources: Vec<Source>,
    /// The lanes.
    exec_mask: Lanes<Condition>,
}

impl Reader<'_> {
    /// Whether the result of an instruction is unused.
    #[must_use]
    pub fn is_left_out(&self, view: &View) -> bool {
        crate::interp::transfer::relevant::computed_place(view)
            .and_then(|place| view.operands[place].variable())
            .is_some_and(|v| {
                v == VariableId::NULL || self.cx().root(v).is_some_and(|(root, _)| !self.cx().is_followed(root))
            })
    }

    /// Which source `sel` takes in each lane.
    pub(in crate::interp) fn choice(&mut self, view: &View, n: u32) -> Lanes<Condition> {
        match view.instruction.predicate {
            Some(predicate) => {
                let bits = self.predicate_lanes(&predicate, view.first_lane(), n);
                if self.state().is_certain {
                    return bits;
                }
                let reached = self.state().reached;
                bits.map(|b| self.domain.given(b, reached))
            }
            None => Lanes::run(self.domain.unknown_condition(), n),
        }
    }

    /// A result of which only the operands are known.
    pub(in crate::interp) fn opaque(&mut self, view: &View, to: Type, sources: &[Source]) -> Lanes<Value> {
        let n = view.n_lanes();
        let bytes = to.bytes() as u8;
        let from = sources.first().map_or(to, |s| s.kind);
        let (Some(id), true) = (view.instruction.spec, sources.len() <= 3) else {
            return Lanes::run(self.domain.unknown(bytes, Origin::Result), n);
        };
        let function = Function::Instruction(id, to, from, view.instruction.saturate);
        let none = Lanes::run(Value::known(0, bytes), n);
        let at = |i: usize| sources.get(i).map_or(&none, |s| &s.lanes);
        let domain = &mut self.domain;
        at(0).zip3(at(1), at(2), |x, y, z| domain.applied(function, [x, y, z], bytes))
    }

    #[expect(clippy::cast_precision_loss, reason = "numbers that a float does not hold are left alone")]
    pub(in crate::interp) fn float_vector(
        &mut self,
        view: &View,
        operation: Operation,
        to: Type,
        sources: &[Source],
    ) -> Lanes<Value> {
        let n = view.n_lanes();
        let bytes = to.bytes() as u8;
        if operation == Operation::Sel {
            let [a, b] = sources else { return Lanes::run(self.domain.unknown(bytes, Origin::Result), n) };
            if a.kind != b.kind {
                return Lanes::run(self.domain.unknown(bytes, Origin::Result), n);
            }
            let lanes = self.choice(view, n).zip3(&a.lanes, &b.lanes, |c, x, y| self.domain.select(c, x, y));
            if a.kind == to && !view.instruction.saturate {
                return lanes;
            }
            return self.float_vector(view, Operation::Mov, to, &[Source { lanes, ..*a }]);
        }
        let folding = operation.row().folding;
        let folds = matches!(folding, Folding::Floats | Folding::OnlyFloats | Folding::Bounds) && sources.len() <= 3;
        let saturate = view.instruction.saturate;
        // The operation is that of the widest float.
        let kinds = sources.iter().map(|s| s.kind).chain([to]);
        let computed_as = kinds.filter(|k| k.is_float()).max_by_key(|k| k.bytes()).unwrap_or(to);
        let may_have_bounds = matches!(computed_as, Type::F | Type::DF) && !saturate;
        let is_open = |s: &Source| {
            let unknown = s.lanes.as_run().filter(|v| !v.is_known());
            let has_bounds = |v: Value| s.kind.is_float() && !v.steps() && self.interval(s.kind, v).is_some();
            unknown.is_some_and(|v| !may_have_bounds || !has_bounds(v))
        };
        if to.is_integer() {
            let cut = match sources {
                [source] if operation == Operation::Mov => {
                    self.quotients(source, to, n).or_else(|| self.cut(view, to, source))
                }
                _ => None,
            };
            return cut.unwrap_or_else(|| self.opaque(view, to, sources));
        }
        if !folds || sources.iter().any(is_open) {
            return self.opaque(view, to, sources);
        }
        let nearest = self.cx().rounds_to_nearest;
        let mut all = [None; LANES as usize];
        for lane in 0..n {
            let fold = || {
                let mut args = [0.0; 3];
                for (arg, source) in args.iter_mut().zip(sources) {
                    let bits = source.lanes.at(lane).as_known()?;
                    *arg = if source.kind.is_float() {
                        fold::float(bits, source.kind)?
                    } else {
                        let number = sign_extended(bits, source.kind.bytes() as u8);
                        let number = if source.kind.is_signed() { number as f64 } else { bits as f64 };
                        (number.abs() < 9.0e15).then_some(number)?
                    };
                }
                let result = fold::float_operation(operation, args, computed_as, nearest)?;
                let result = if saturate { result.clamp(0.0, 1.0) } else { result };
                fold::float_bits(result, to, nearest)
            };
            let known = fold().map(|bits| Value::known(bits, bytes));
            let bounded = || self.bounded(view, operation, (computed_as, to), sources, lane);
            all[lane as usize] = if may_have_bounds { known.or_else(bounded) } else { known };
        }
        if all.iter().all(Option::is_none) {
            return self.opaque(view, to, sources);
        }
        let function = |s: &Source| view.instruction.spec.map(|id| Function::Instruction(id, to, s.kind, saturate));
        let function = sources.first().and_then(function);
        Lanes::of(n, |lane| match (all[lane as usize], function) {
            (Some(value), _) => value,
            (None, Some(function)) => self.domain.applied(function, arguments_at(sources, lane), bytes),
            (None, None) => self.domain.unknown_one(bytes, Origin::Result),
        })
    }

    /// Between which numbers a source lies; nothing for floats that may be of either sign, or no numbers.
    fn interval(&self, kind: Type, value: Value) -> Option<(f64, f64)> {
        if kind.is_float() {
            fold::float_interval(self.domain.range(value), kind)
        } else {
            self.domain.integer_limits(kind, value)
        }
    }

    /// The result of an operation on floats of 32 or 64 bits in a lane, if bounds of it are known.
    fn bounded(
        &mut self,
        view: &View,
        operation: Operation,
        (computed_as, to): (Type, Type),
        sources: &[Source],
        lane: u32,
    ) -> Option<Value> {
        let mut intervals = [(0.0, 0.0); 3];
        for (interval, source) in intervals.iter_mut().zip(sources) {
            *interval = self.interval(source.kind, source.lanes.at(lane))?;
        }
        let (low, high) = fold::float_bounds(operation, intervals, computed_as, self.cx().rounds_to_nearest)?;
        let bits = |number| fold::float_bits(number, to, false);
        let (low, high) = match (bits(low)?, bits(high)?) {
            _ if low.is_sign_negative() != high.is_sign_negative() => return None,
            (x, y) if x <= y => (x, y),
            (x, y) => (y, x),
        };
        let bytes = to.bytes() as u8;
        if low == high {
            return Some(Value::known(low, bytes));
        }
        let function = Function::Instruction(view.instruction.spec?, to, sources.first()?.kind, false);
        Some(self.domain.applied_within(function, arguments_at(sources, lane), bytes, 0, low, high))
    }
}

/// What the sources of a function are in a lane.
fn arguments_at(sources: &[Source], lane: u32) -> [Value; 3] {
    let none = Value::known(0, sources.first().map_or(4, |s| s.kind.bytes() as u8));
    std::array::from_fn(|i| sources.get(i).map_or(none, |s| s.lanes.at(lane)))
}

impl Reader<'_> {
    /// Executes an instruction that has a row of operation.
    pub(super) fn compute(&mut self, view: &View, operation: Operation, effects: &mut Effects) {
        if self.is_left_out(view) {
            return self.write_without_value(view, effects);
        }
        match operation.row().form {
            Form::State => self.move_state(view, effects),
            Form::BitsToPredicate => self.set_predicate(view, effects),
            Form::Address => self.add_address(view, effects),
            Form::Comparison => self.compare(view, effects),
            Form::Copy => self.move_value(view, effects),
            Form::Carry => self.add_with_carry(view, operation, effects),
            Form::WideProduct => self.multiply_wide(view, effects),
            Form::Vector if matches!(view.operands.first(), Some(Operand::Predicate { .. })) => {
                self.combine_predicates(view, operation, effects);
            }
            Form::Vector => self.compute_vector(view, operation, effects),
        }
    }

    /// Executes an instruction whose result is unused.
    pub(super) fn write_without_value(&mut self, view: &View, effects: &mut Effects) {
        let exec_mask = self.mask(view);
        let mut lost = None;
        let mut left = Vec::new();
        for place in 1..view.operands.len() {
            let (writer, undefined) = if matches!(view.operands[place], Operand::Indirect { .. }) {
                let source = self.observed_source(view, place, &exec_mask, effects);
                (source.writer, source.undefined)
            } else {
                self.presence(view, place, &exec_mask)
            };
            let undefined = self.undefined_where_read(view, place, undefined, &exec_mask);
            effects.note_writer(place - 1, writer);
            self.note_undefined(view, place, undefined, effects);
            lost = lost.or_else(|| self.lost_by_copy(view, undefined, &exec_mask));
            left.extend(undefined.filter(is_partly_left).map(|undefined| (place, undefined)));
        }
        if let Some((at, _)) = self.direct_location(&view.operands[0])
            && view.operands[0].variable() != Some(VariableId::NULL)
        {
            effects.changes.push(Change::Define { at, exec_mask: exec_mask.clone() });
            self.carry_lost(view, lost, effects);
            for (place, undefined) in left {
                self.leave_undefined(view, place, undefined, &exec_mask, effects);
            }
        }
    }

    /// Reads the sources of an instruction whose first operand is the destination.
    fn arguments(&mut self, view: &View, effects: &mut Effects) -> Option<Arguments> {
        let destination = 0;
        let to = self.destination_type(view.operands.first()?)?;
        let exec_mask = self.mask(view);
        let sources = self.read_sources(view, 1, &exec_mask, effects);
        Some(Arguments { destination, to, sources, exec_mask })
    }

    /// An operation on vectors: destination first, then sources.
    fn compute_vector(&mut self, view: &View, operation: Operation, effects: &mut Effects) {
        let Some(arguments) = self.arguments(view, effects) else { return };
        let Arguments { destination, to, sources, exec_mask } = arguments;
        let result = if to.is_float() || sources.iter().any(|s| s.kind.is_float()) {
            self.float_vector(view, operation, to, &sources)
        } else {
            self.integer_vector(view, operation, to, &sources, effects)
        };
        // add3.o puts the overflow into its predicate and executes every lane.
        if operation == Operation::Add3
            && let Some(predicate) = view.instruction.predicate
            && view.row.predicate == crate::spec::instruction::Predication::Required
        {
            let overflow = Lanes::run(self.domain.unknown_condition(), exec_mask.len());
            let (variable, first, exec_mask) = (predicate.variable, view.first_lane(), exec_mask.clone());
            effects.changes.push(Change::SetPredicate { variable, first, bits: overflow, exec_mask });
        }
        if !sources.iter().filter_map(|s| s.undefined.as_ref()).any(is_partly_left) {
            return self.write(view, destination, result, exec_mask, effects);
        }
        self.write(view, destination, result, exec_mask.clone(), effects);
        for (source, place) in sources.iter().zip(destination + 1..) {
            if let Some(undefined) = source.undefined.filter(is_partly_left) {
                self.leave_undefined(view, place, undefined, &exec_mask, effects);
            }
        }
    }

    fn move_value(&mut self, view: &View, effects: &mut Effects) {
        match (view.operands.first(), view.operands.get(1)) {
            (Some(Operand::Address { variable, element, .. }), Some(source)) => {
                let exec_mask = self.mask(view);
                let lanes = match *source {
                    Operand::AddressOf { variable, offset } => {
                        let value = self.address_of(variable, offset);
                        Lanes::run(value, exec_mask.len())
                    }
                    _ => self.address_source(view, 1, &exec_mask, effects),
                };
                self.write_addresses(*variable, *element, lanes, exec_mask, effects);
            }
            (Some(_), Some(Operand::Predicate { variable })) => self.move_predicate(view, *variable, effects),
            (Some(_), Some(Operand::Address { .. })) => {
                let exec_mask = self.mask(view);
                let lanes = self.address_source(view, 1, &exec_mask, effects);
                let Some(to) = self.destination_type(&view.operands[0]) else { return };
                let lanes = lanes.map(|v| self.domain.resize(v, to.bytes() as u8));
                self.write(view, 0, lanes, exec_mask, effects);
            }
            _ => {
                let Some(arguments) = self.arguments(view, effects) else { return };
                let Arguments { destination, to, sources, exec_mask } = arguments;
                let Some(source) = sources.first() else { return };
                let plain = source.kind == to
                    || source.kind.is_integer() && to.is_integer() && source.kind.bytes() == to.bytes();
                let result = if plain && !view.instruction.saturate {
                    source.lanes.clone()
                } else if source.kind.is_float() || to.is_float() {
                    self.float_vector(view, Operation::Mov, to, &sources)
                } else {
                    self.integer_vector(view, Operation::Mov, to, &sources, effects)
                };
                let lost = self.lost_by_copy(view, source.undefined, &exec_mask);
                let left = source.undefined.filter(is_partly_left).map(|undefined| (undefined, exec_mask.clone()));
                self.write(view, destination, result, exec_mask, effects);
                self.carry_lost(view, lost, effects);
                if let Some((undefined, exec_mask)) = left {
                    self.leave_undefined(view, 1, undefined, &exec_mask, effects);
                }
            }
        }
    }

    fn add_with_carry(&mut self, view: &View, operation: Operation, effects: &mut Effects) {
        if view.operands.len() < 4 {
            return;
        }
        let exec_mask = self.mask(view);
        let sources = self.read_sources(view, 2, &exec_mask, effects);
        let [a, b] = sources.as_slice() else { return };
        let domain = &mut self.domain;
        let (a, b) = (a.lanes.map(|v| domain.resize(v, 4)), b.lanes.map(|v| domain.resize(v, 4)));
        let none = Value::known(0, 4);
        let (result, carry) = if operation == Operation::Addc {
            let sum = a.zip(&b, |x, y| domain.add(x, y));
            let carry = a.zip(&b, |x, y| {
                let ((x_low, x_high), (y_low, y_high)) = (domain.range(x), domain.range(y));
                if x_high + y_high <= mask(4) {
                    return none;
                }
                if x_low + y_low > mask(4) {
                    return Value::known(1, 4);
                }
                domain.applied_within(Function::Integer(Operation::Addc), [x, y, none], 4, 0, 0, 1)
            });
            (sum, carry)
        } else {
            let difference = a.zip(&b, |x, y| domain.subtract(x, y));
            let borrow = a.zip(&b, |x, y| {
                let ((x_low, x_high), (y_low, y_high)) = (domain.range(x), domain.range(y));
                if x_low >= y_high || x == y {
                    return none;
                }
                if x_high < y_low {
                    return Value::known(1, 4);
                }
                domain.applied_within(Function::Integer(Operation::Subb), [x, y, none], 4, 0, 0, 1)
            });
            (difference, borrow)
        };
        self.write(view, 0, result, exec_mask.clone(), effects);
        // The carry is written last.
        self.write(view, 1, carry, exec_mask, effects);
    }

    /// `madw`: the lower dwords at the destination, the upper ones at the next register boundary after them.
    fn multiply_wide(&mut self, view: &View, effects: &mut Effects) {
        let exec_mask = self.mask(view);
        let sources = self.read_sources(view, 1, &exec_mask, effects);
        let [a, b, c] = sources.as_slice() else { return };
        let (signed_a, signed_b, signed_c) = (a.kind.is_signed(), b.kind.is_signed(), c.kind.is_signed());
        let domain = &mut self.domain;
        let whole = a.lanes.zip3(&b.lanes, &c.lanes, |x, y, z| {
            let (x, y, z) =
                (domain.resize_as(x, 8, signed_a), domain.resize_as(y, 8, signed_b), domain.resize_as(z, 8, signed_c));
            let product = domain.multiply(x, y);
            domain.add(product, z)
        });
        let low = whole.map(|v| domain.resize(v, 4));
        let high = whole.map(|v| domain.extract(v, 4, 4));
        let Some((at, _)) = self.direct_location(&view.operands[0]) else { return };
        let grf = i64::from(self.cx().grf_bytes);
        let end = at.start + 4 * i64::from(at.region.last_element(exec_mask.len()) + 1);
        let upper = Location { start: end.div_euclid(grf) * grf + if end % grf == 0 { 0 } else { grf }, ..at };
        effects.write(at, low, exec_mask.clone());
        effects.write(upper, high, exec_mask);
    }
}
