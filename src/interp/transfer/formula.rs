//! Messages whose bytes the formulas of the table give, lane by lane.

use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{Domain, Value};
use crate::interp::state::{Location, Reader, Undefined, lane_after_lane};
use crate::interp::transfer::effects::Effects;
use crate::interp::transfer::message::{Alignment, Data, Message, Part, Piece, Space};
use crate::program::{Operand, View};
use crate::spec::ModifierName;
use crate::spec::OperandName;
use crate::spec::expression::{Expression, Operator, Variable};
use crate::spec::instruction::{Access, Each, Memory, ModifierKind};

/// Evaluates formulas for one lane and part.
struct Evaluator<'m, 'l, 'p> {
    reader: &'m mut Reader<'p>,
    /// Where it is noted what is read.
    effects: Option<&'m mut Effects>,
    view: &'l View<'p>,
    active: Condition,
    lane: u32,
    step: Step,
    /// Bytes of the result.
    width: u8,
    /// Bytes of an element of an operand.
    element_bytes: u8,
}

impl crate::spec::expression::Domain for Evaluator<'_, '_, '_> {
    type Value = Value;

    fn number(&mut self, number: i64) -> Value {
        Value::known(number as u64, self.width)
    }

    fn variable(&mut self, variable: Variable) -> Option<Value> {
        let number = match variable {
            Variable::Lane => Some(i64::from(self.lane)),
            _ => self.step.number(self.view, variable, self.reader.cx().grf_bytes),
        };
        if let Some(number) = number {
            return Some(self.number(number));
        }
        let Variable::Operand(slot) = variable else { return None };
        let place = self.view.operand_in(usize::from(slot))?;
        let source = self.reader.source(self.view, place, &Lanes::run(self.active, 1));
        if self.lane == 0
            && let Some(effects) = &mut self.effects
        {
            effects.note_writer(place, source.writer);
            effects.observe_undefined(place, source.undefined.map(|u| Undefined { lane: 0, ..u }));
        }
        Some(self.reader.domain.resize_as(source.lanes.at(0), self.width, source.kind.is_signed()))
    }

    fn element(&mut self, operand: u8, index: Value) -> Option<Value> {
        let index = index.as_signed()?;
        let Some(place) = self.view.operand_in(usize::from(operand)) else { return Some(self.number(0)) };
        let operand = &self.view.operands[place];
        if operand.is_null() {
            return Some(self.number(0));
        }
        let mut at = self.reader.raw_location(operand)?;
        at.bytes = self.element_bytes;
        at.start += index * i64::from(self.element_bytes);
        let (value, writer) = if let Some(written) = self.reader.read_one(at, self.active) {
            written
        } else {
            let (lanes, writer, undefined) = self.reader.read_at(at, &Lanes::run(self.active, 1));
            if let Some(effects) = &mut self.effects {
                let lane = self.lane;
                effects.observe_undefined(place, undefined.map(|u| Undefined { lane, ..u }));
            }
            (lanes.at(0), writer)
        };
        if let Some(effects) = self.effects.as_mut() {
            effects.note_latest_writer(place, writer);
        }
        Some(self.reader.domain.resize(value, self.width))
    }

    fn binary(&mut self, operator: Operator, a: Value, b: Value) -> Option<Value> {
        binary(&mut self.reader.domain, operator, a, b)
    }

    fn truth(&mut self, condition: Value) -> Option<bool> {
        condition.as_known().map(|c| c != 0)
    }
}

/// Evaluates the formula of an address for all lanes at once: elements of operands are those of the lane.
struct LaneEvaluator<'m, 'l, 'p> {
    reader: &'m mut Reader<'p>,
    effects: &'m mut Effects,
    view: &'l View<'p>,
    exec_mask: &'l Lanes<Condition>,
    step: Step,
    memory: Memory,
}

impl LaneEvaluator<'_, '_, '_> {
    fn evaluate(&mut self, formula: &Expression) -> Option<Lanes<Value>> {
        match *formula {
            Expression::Element(slot, Expression::Variable(Variable::Lane)) => self.elements(slot),
            Expression::Binary(operator, a, b) => {
                let (a, b) = (self.evaluate(a)?, self.evaluate(b)?);
                let mut is_known = true;
                let lanes = a.zip(&b, |a, b| {
                    let value = binary(&mut self.reader.domain, operator, a, b);
                    is_known &= value.is_some();
                    value.unwrap_or(a)
                });
                is_known.then_some(lanes)
            }
            Expression::Number(number) => Some(self.same(number)),
            Expression::Variable(variable) => {
                if let Some(number) = self.step.number(self.view, variable, self.reader.cx().grf_bytes) {
                    return Some(self.same(number));
                }
                let Variable::Operand(slot) = variable else { return None };
                let place = self.view.operand_in(usize::from(slot))?;
                let source = self.reader.source(self.view, place, self.exec_mask);
                self.effects.note_writer(place, source.writer);
                self.effects.observe_undefined(place, source.undefined);
                let (width, signed) = (self.width(), source.kind.is_signed());
                Some(source.lanes.map(|value| self.reader.domain.resize_as(value, width, signed)))
            }
            Expression::Element(..) | Expression::Choose(..) => None,
        }
    }

    /// Bytes of the result.
    fn width(&self) -> u8 {
        address_sizes(self.memory).0
    }

    fn same(&self, number: i64) -> Lanes<Value> {
        Lanes::run(Value::known(number as u64, self.width()), self.exec_mask.len())
    }

    /// The element of each lane of a raw operand.
    fn elements(&mut self, slot: u8) -> Option<Lanes<Value>> {
        let Some(place) = self.view.operand_in(usize::from(slot)) else { return Some(self.same(0)) };
        let operand = &self.view.operands[place];
        if operand.is_null() {
            return Some(self.same(0));
        }
        let (width, bytes) = address_sizes(self.memory);
        let at = Location { bytes, region: lane_after_lane(), ..self.reader.raw_location(operand)? };
        let (lanes, writer, undefined) = self.reader.read_at(at, self.exec_mask);
        self.effects.observe_undefined(place, undefined);
        self.effects.note_latest_writer(place, writer);
        Some(lanes.map(|value| self.reader.domain.resize(value, width)))
    }
}

/// What an operator makes of two values; nothing if that is not known.
fn binary(domain: &mut Domain, operator: Operator, a: Value, b: Value) -> Option<Value> {
    Some(match operator {
        // Addresses wrap around.
        Operator::Add => domain.add(a, b),
        Operator::Subtract => domain.subtract(a, b),
        Operator::Multiply => domain.multiply(a, b),
        _ if a.is_known() && b.is_known() => {
            let number = operator.apply(a.as_signed()?, b.as_signed()?)?;
            Value::known(number as u64, a.bytes)
        }
        _ => return None,
    })
}

/// A part of an access before its bytes are known.
#[derive(Clone, Copy)]
struct Step {
    part: Part,
    channel: u32,
    channel_position: u32,
    block: u32,
}

impl Step {
    /// The number that a variable of a formula is in this part of every lane, as far as the text says it.
    fn number(&self, view: &View, variable: Variable, grf_bytes: u32) -> Option<i64> {
        match variable {
            Variable::Channel => Some(self.channel.into()),
            Variable::ChannelPosition => Some(self.channel_position.into()),
            Variable::Block => Some(self.block.into()),
            _ => view.number(variable, grf_bytes),
        }
    }
}

impl<'p> Reader<'p> {
    /// Everything that a message with formulas does.
    pub(super) fn find_messages(&mut self, view: &View<'p>, exec_mask: &Lanes<Condition>, effects: &mut Effects) {
        for access in view.row.accesses {
            if access.memory == Memory::Lsc {
                let message = self.lsc_message(view, access, exec_mask, effects);
                effects.messages.extend(message);
            } else if let Some(message) = self.table_message(view, access, exec_mask, effects) {
                effects.messages.push(message);
            }
        }
    }

    fn space_of(&self, view: &View, memory: Memory) -> Space {
        match memory {
            Memory::Svm | Memory::Lsc => Space::Flat,
            Memory::Slm => Space::Slm,
            Memory::Typed => Space::Typed,
            Memory::Urb => Space::Urb,
            Memory::Surface if self.cx().names_slm(view) => Space::Slm,
            Memory::Surface => Space::Surface,
        }
    }

    /// Whether an instruction has no such access, because what is written in it says so.
    pub(in crate::interp) fn is_left_out_of(&self, view: &View, access: &Access) -> bool {
        access.when.and_then(|when| view.evaluate(when, self.cx().grf_bytes, 1)) == Some(0)
    }

    fn table_message(
        &mut self,
        view: &View<'p>,
        access: &'static Access,
        exec_mask: &Lanes<Condition>,
        effects: &mut Effects,
    ) -> Option<Message> {
        let space = self.space_of(view, access.memory);
        let is_per_lane = access.each.contains(&Each::Lane);
        let exec_mask = if is_per_lane {
            exec_mask.clone()
        } else {
            Lanes::run(exec_mask.as_same().unwrap_or(self.state().reached), 1)
        };
        if self.is_left_out_of(view, access) {
            return None;
        }
        let steps = steps(view, access);
        let bytes = u32::try_from(view.evaluate(access.bytes?, self.cx().grf_bytes, 1)?).ok()?;
        let (address_place, coordinates) =
            self.coordinates(view, access, &exec_mask, steps.first().copied(), effects)?;
        let pieces = self.pieces(view, access, &exec_mask, (&steps, bytes), &coordinates, effects)?;
        let multiple = |formula: Option<&Expression>| {
            formula.and_then(|f| view.evaluate(f, self.cx().grf_bytes, 1)).and_then(|a| u32::try_from(a).ok())
        };
        let alignment = multiple(access.address_alignment)
            .map(|bytes| Alignment { bytes, tolerated: multiple(access.address_alignment_tolerated).unwrap_or(bytes) });
        let data = if access.value.is_some() { Data::Table(access) } else { Data::None };
        Some(Message {
            kind: access.kind,
            space,
            exec_mask,
            is_per_lane,
            coordinates,
            pieces,
            same_address: access.same_address,
            alignment,
            data,
            address_place,
        })
    }

    /// The place of the operand that holds the address, and the address of each lane in the first step, or each coordinate of
    /// it.
    fn coordinates(
        &mut self,
        view: &View<'p>,
        access: &'static Access,
        exec_mask: &Lanes<Condition>,
        first: Option<Step>,
        effects: &mut Effects,
    ) -> Option<(usize, Vec<Lanes<Value>>)> {
        if access.coordinates.is_empty() {
            let formula = access.address?;
            let mut evaluator =
                LaneEvaluator { reader: self, effects, view, exec_mask, step: first?, memory: access.memory };
            let addresses = evaluator.evaluate(formula)?;
            return Some((address_operand(view, formula).unwrap_or(0), vec![addresses]));
        }
        let mut address_place = 0;
        let mut all = Vec::with_capacity(access.coordinates.len());
        for name in access.coordinates {
            let Some((place, operand)) = view.numbered_operand(*name) else { continue };
            if operand.is_null() {
                continue;
            }
            if all.is_empty() {
                address_place = place;
            }
            let at = self.raw_location(operand)?;
            let region = lane_after_lane();
            let (lanes, writer, undefined) = self.read_at(Location { bytes: 4, region, ..at }, exec_mask);
            effects.note_latest_writer(place, writer);
            effects.observe_undefined(place, undefined);
            all.push(lanes);
        }
        Some((address_place, all))
    }

    /// What each step touches, as far behind the first as the formula says, in the lanes for which it takes place.
    fn pieces(
        &mut self,
        view: &View<'p>,
        access: &'static Access,
        exec_mask: &Lanes<Condition>,
        (steps, bytes): (&[Step], u32),
        coordinates: &[Lanes<Value>],
        effects: &mut Effects,
    ) -> Option<Vec<Piece>> {
        let n = exec_mask.len();
        let all_lanes = if n >= 32 { u32::MAX } else { (1 << n) - 1 };
        let lane = exec_mask.active().next();
        let mut pieces = Vec::with_capacity(steps.len());
        for step in steps {
            // The formulas add the same number for a part in every lane (a test of the tables sees to it).
            let offset = match (lane, access.address) {
                (Some(lane), Some(formula)) if !pieces.is_empty() => {
                    let (active, sizes) = (exec_mask.at(lane), address_sizes(access.memory));
                    let here = self.evaluate(view, formula, (active, lane), *step, sizes, Some(effects))?;
                    self.domain.subtract(here, coordinates[0].at(lane)).as_known()?
                }
                _ => 0,
            };
            let (certain, possible) = match access.when {
                Some(when) if view.evaluate(when, self.cx().grf_bytes, 1).is_none() => {
                    self.lanes_when(view, when, exec_mask, *step, effects)
                }
                _ => (all_lanes, all_lanes),
            };
            if possible != 0 {
                pieces.push(Piece { part: step.part, offset, bytes, certain, possible });
            }
        }
        Some(pieces)
    }

    fn evaluate(
        &mut self,
        view: &View<'p>,
        formula: &Expression,
        (active, lane): (Condition, u32),
        step: Step,
        (width, element_bytes): (u8, u8),
        effects: Option<&mut Effects>,
    ) -> Option<Value> {
        formula.evaluate(&mut Evaluator { reader: self, effects, view, active, lane, step, width, element_bytes })
    }

    /// The lanes for which a part happens for certain, and those for which it may.
    fn lanes_when(
        &mut self,
        view: &View<'p>,
        when: &Expression,
        exec_mask: &Lanes<Condition>,
        step: Step,
        effects: &mut Effects,
    ) -> (u32, u32) {
        let (mut certain, mut possible) = (0, 0);
        for lane in 0..exec_mask.len() {
            let value = self.evaluate(view, when, (exec_mask.at(lane), lane), step, (8, 4), Some(effects));
            match value.and_then(Value::as_known) {
                Some(0) => {}
                Some(_) => {
                    certain |= 1 << lane;
                    possible |= 1 << lane;
                }
                None => possible |= 1 << lane,
            }
        }
        (certain, possible)
    }

    /// The data that one lane gives to a part; nothing if that is not known.
    pub fn datum(&mut self, view: &View<'p>, message: &Message, lane: u32, piece: usize) -> Option<Value> {
        let active = message.exec_mask.at(lane);
        let at = self.data_location(view, message, lane, piece)?;
        let (lanes, _, undefined) = self.read_at(at, &Lanes::run(active, 1));
        undefined.is_none().then(|| lanes.at(0))
    }

    /// The place of the data that one lane gives to a part; nothing if that is not known.
    pub fn data_location(&mut self, view: &View<'p>, message: &Message, lane: u32, piece: usize) -> Option<Location> {
        let bytes = message.pieces[piece].bytes as u8;
        if !matches!(bytes, 1 | 2 | 4 | 8) {
            return None;
        }
        Some(match message.data {
            Data::None => return None,
            Data::Table(access) => {
                let Expression::Element(slot, index) = access.value? else { return None };
                let index = self.value_index(view, access, index, message, lane, piece)?;
                let place = view.operand_in(usize::from(*slot))?;
                let at = self.raw_location(&view.operands[place])?;
                Location { bytes, start: at.start + index * i64::from(access.value_bytes), ..at }
            }
            Data::Grouped { start, group, stride, skipped } => {
                let offset = piece as u32 * group + lane * stride + skipped;
                Location { bytes, start: start.start + i64::from(offset), ..start }
            }
        })
    }

    /// The element of the data operand that one lane gives to or takes from a part.
    pub(in crate::interp) fn value_index(
        &mut self,
        view: &View<'p>,
        access: &'static Access,
        index: &Expression,
        message: &Message,
        lane: u32,
        piece: usize,
    ) -> Option<i64> {
        let step = *steps(view, access).iter().find(|s| s.part == message.pieces[piece].part)?;
        self.evaluate(view, index, (message.exec_mask.at(lane), lane), step, (4, 4), None)?.as_signed()
    }
}

/// The parts of an access of one lane.
fn steps(view: &View, access: &Access) -> Vec<Step> {
    let whole = Step { part: Part::Whole, channel: 0, channel_position: 0, block: 0 };
    if access.each.contains(&Each::Channel) {
        let mask = view.channel_mask().unwrap_or(0);
        return (0..4)
            .filter(|c| mask >> c & 1 == 1)
            .enumerate()
            .map(|(i, c)| Step { part: Part::Channel(c), channel: c, channel_position: i as u32, ..whole })
            .collect();
    }
    if access.each.contains(&Each::Block) {
        return (0..n_blocks(view)).map(|b| Step { part: Part::Block(b), block: b, ..whole }).collect();
    }
    vec![whole]
}

/// How many blocks each lane has: the number of a modifier or operand whose name says so.
fn n_blocks(view: &View) -> u32 {
    let row = view.row;
    let modifier =
        row.modifiers.iter().position(|m| m.kind == ModifierKind::Number && m.name == ModifierName::NUM_BLOCKS);
    if let Some(slot) = modifier {
        return view.modifier_number(slot as u8).clamp(0, 8) as u32;
    }
    match view.numbered_operand(OperandName::NUM_OUT) {
        Some((_, Operand::Number { value })) => (*value).clamp(0, 8) as u32,
        _ => 1,
    }
}

/// Bytes of an address, and of an element of the operand that holds it.
fn address_sizes(memory: Memory) -> (u8, u8) {
    match memory {
        Memory::Svm => (8, 8),
        Memory::Urb => (8, 4),
        _ => (4, 4),
    }
}

/// The place of the operand whose elements the address depends on, or else of a scalar one.
fn address_operand(view: &View, formula: &Expression) -> Option<usize> {
    fn find(formula: &Expression, elements: bool) -> Option<u8> {
        match formula {
            Expression::Element(slot, _) => elements.then_some(*slot),
            Expression::Variable(Variable::Operand(slot)) => (!elements).then_some(*slot),
            Expression::Number(_) | Expression::Variable(_) => None,
            Expression::Binary(_, a, b) => find(a, elements).or_else(|| find(b, elements)),
            Expression::Choose(c, a, b) => {
                find(c, elements).or_else(|| find(a, elements)).or_else(|| find(b, elements))
            }
        }
    }
    let slot = find(formula, true).or_else(|| find(formula, false))?;
    view.operand_in(usize::from(slot))
}
