//! Whether what a real execution holds is one of the things that abstract execution says may be held.
//!
//! What is known by its inputs has to be equal. What is unknown may be anything, but the same thing wherever it occurs, and
//! within its range: an unknown gets its number where it is met first. A function of which nothing is known has to give
//! equal results for equal operands.

use super::concrete::{Concrete, LANES, Observer, Record, State, compute, integer};
use rustc_hash::FxHashMap;
use visa_lint::base::id::Id as _;
use visa_lint::interp::domain::atom::{Atom, AtomKind};
use visa_lint::interp::domain::condition::{Condition, ConditionKind};
use visa_lint::interp::domain::function::Function;
use visa_lint::interp::domain::{Domain, Value, mask};
use visa_lint::interp::flow::trace::{Event, Step, Trace};
use visa_lint::program::{InstructionIndex, VariableId};
use visa_lint::spec::instruction::Flow;
use visa_lint::spec::operation::Operation;

/// How much is looked at to find out what one value is.
const FUEL: u32 = 400;
/// How deep.
const MAX_DEPTH: u32 = 40;

/// What is known of the unknowns of one real execution.
pub struct Model<'t> {
    domain: &'t Domain,
    atoms: FxHashMap<Atom, (u64, u32)>,
    conditions: FxHashMap<(u32, u32), bool>,
    functions: FxHashMap<(Function, [u64; 3], u8), u64>,
    /// What has been computed.
    cache: FxHashMap<Atom, u64>,
    fuel: u32,
}

/// What does not fit.
type Misfit = String;

impl<'t> Model<'t> {
    pub fn new(domain: &'t Domain) -> Self {
        Self {
            domain,
            atoms: FxHashMap::default(),
            conditions: FxHashMap::default(),
            functions: FxHashMap::default(),
            cache: FxHashMap::default(),
            fuel: 0,
        }
    }

    /// Forgets the unknowns with higher numbers.
    pub fn forget_beyond(&mut self, n_unknowns: u32) {
        self.atoms.retain(|_, (_, serial)| *serial <= n_unknowns);
        self.conditions.retain(|(serial, _), _| *serial <= n_unknowns);
        self.cache.clear();
    }

    /// The number that a value is, if that is settled.
    pub fn value(&mut self, machine: &Concrete, value: Value) -> Option<u64> {
        self.fuel = FUEL;
        self.value_within(machine, value, MAX_DEPTH)
    }

    fn value_within(&mut self, machine: &Concrete, value: Value, depth: u32) -> Option<u64> {
        let mut number = value.constant;
        for term in self.domain.terms(value.sum).iter() {
            let atom = self.atom(machine, term.atom, depth)?;
            number = number.wrapping_add(term.coefficient.wrapping_mul(atom));
        }
        Some(number & mask(value.bytes))
    }

    fn bytes(&self, atom: Atom) -> u8 {
        self.domain.block(atom).bytes
    }

    fn atom(&mut self, machine: &Concrete, atom: Atom, depth: u32) -> Option<u64> {
        if let Some(number) = self.cache.get(&atom) {
            return Some(*number);
        }
        let depth = depth.checked_sub(1)?;
        self.fuel = self.fuel.checked_sub(1)?;
        let bytes = self.bytes(atom);
        let number = match self.domain.kind(atom) {
            AtomKind::Initial(variable, element) => machine.initial(VariableId(variable), element, u32::from(bytes))?,
            AtomKind::Unknown(..) => self.atoms.get(&atom)?.0,
            // Nothing is known of the launches that are tested.
            AtomKind::LocalId(_) => return None,
            AtomKind::AddressOf(register) => machine.address_of(VariableId::from_index(register as usize)),
            AtomKind::ZeroExtended(v) => self.value_within(machine, v, depth)?,
            AtomKind::SignExtended(v) => {
                integer(self.value_within(machine, v, depth)?, u32::from(v.bytes), true) as u64
            }
            AtomKind::Masked(v, bits) => self.value_within(machine, v, depth)? & bits,
            AtomKind::Shifted(v, count) => self.value_within(machine, v, depth)? >> count,
            AtomKind::Select(c, a, b) => {
                let taken = if self.condition_within(machine, c, depth)? { a } else { b };
                self.value_within(machine, taken, depth)?
            }
            AtomKind::Predicate(bits, n) => {
                let mut number = 0;
                for lane in 0..u32::from(n) {
                    number |= u64::from(self.condition_within(machine, bits.at(lane), depth)?) << lane;
                }
                number
            }
            AtomKind::Applied(function, args) => {
                let mut numbers = [0; 3];
                for (number, arg) in numbers.iter_mut().zip(args) {
                    *number = self.value_within(machine, arg, depth)?;
                }
                match known(function, numbers, args[0].bytes) {
                    Some(number) => number,
                    None => *self.functions.get(&(function, numbers, args[0].bytes))?,
                }
            }
        } & mask(bytes);
        self.cache.insert(atom, number);
        Some(number)
    }

    /// Whether a condition holds, if that is settled.
    pub fn condition(&mut self, machine: &Concrete, condition: Condition) -> Option<bool> {
        self.fuel = FUEL;
        self.condition_within(machine, condition, MAX_DEPTH)
    }

    fn condition_within(&mut self, machine: &Concrete, condition: Condition, depth: u32) -> Option<bool> {
        let plain = if condition.is_negated() { condition.not() } else { condition };
        let depth = depth.checked_sub(1)?;
        self.fuel = self.fuel.checked_sub(1)?;
        let holds = match self.domain.condition_kind(plain) {
            ConditionKind::False => false,
            ConditionKind::Unknown(serial) => *self.conditions.get(&(serial, plain.lane()))?,
            ConditionKind::Less(signed, a, b) => {
                let (x, y) = (self.value_within(machine, a, depth)?, self.value_within(machine, b, depth)?);
                integer(x, u32::from(a.bytes), signed) < integer(y, u32::from(b.bytes), signed)
            }
            ConditionKind::Zero(a) => self.value_within(machine, a, depth)? == 0,
            ConditionKind::Odd(a) => self.value_within(machine, a, depth)? & 1 == 1,
            ConditionKind::Bit(a) => self.value_within(machine, a, depth)? >> plain.lane() & 1 == 1,
            ConditionKind::And(a, b) | ConditionKind::Whole(a, b) => {
                match (self.condition_within(machine, a, depth), self.condition_within(machine, b, depth)) {
                    (Some(false), _) | (_, Some(false)) => false,
                    (Some(true), Some(true)) => true,
                    _ => return None,
                }
            }
            ConditionKind::AtMost(..) | ConditionKind::Compared(..) => return None,
        };
        Some(holds != condition.is_negated())
    }

    /// A real execution holds this number where abstract execution has that value.
    pub fn meet_value(&mut self, machine: &Concrete, value: Value, number: u64) -> Result<(), Misfit> {
        if let Some(expected) = self.value(machine, value) {
            return if expected == number {
                Ok(())
            } else {
                Err(format!("is {number:#x}, but should be {expected:#x}"))
            };
        }
        let (low, high) = self.domain.range(value);
        if !(low..=high).contains(&number) {
            return Err(format!("is {number:#x}, which is not within {low:#x} to {high:#x}"));
        }
        let (low, high) = self.domain.signed_range(value);
        let signed = integer(number, u32::from(value.bytes), true);
        if signed < i128::from(low) || signed > i128::from(high) {
            return Err(format!("is {signed}, which is not within {low} to {high}"));
        }
        if number != 0 && number.trailing_zeros() < self.domain.zeros(value) {
            return Err(format!("is {number:#x}, but should be a multiple of 2^{}", self.domain.zeros(value)));
        }
        if self.domain.set(value).is_some_and(|set| !set.contains(&number)) {
            return Err(format!("is {number:#x}, which is not one of {:x?}", self.domain.set(value)));
        }
        self.solve(machine, value, number, MAX_DEPTH)
    }

    /// Settles an unknown, if there is one whose number follows.
    fn solve(&mut self, machine: &Concrete, value: Value, number: u64, depth: u32) -> Result<(), Misfit> {
        let Some(depth) = depth.checked_sub(1) else { return Ok(()) };
        let mut rest = number.wrapping_sub(value.constant);
        let mut open = None;
        for term in self.domain.terms(value.sum).iter() {
            match self.atom(machine, term.atom, depth) {
                Some(n) => rest = rest.wrapping_sub(term.coefficient.wrapping_mul(n)),
                None if open.is_some() => return Ok(()),
                None => open = Some(*term),
            }
        }
        let rest = rest & mask(value.bytes);
        let Some(term) = open else {
            return if rest == 0 { Ok(()) } else { Err(format!("is {number:#x}, which is not what it is made from")) };
        };
        if term.coefficient.is_multiple_of(2) {
            return Ok(());
        }
        // The inverse of an odd number, modulo two to 64.
        let mut inverse = term.coefficient;
        for _ in 0..6 {
            inverse = inverse.wrapping_mul(2_u64.wrapping_sub(term.coefficient.wrapping_mul(inverse)));
        }
        let number = rest.wrapping_mul(inverse) & mask(value.bytes);
        let bytes = self.bytes(term.atom);
        if bytes > value.bytes {
            return Ok(());
        }
        if number & !mask(bytes) != 0 {
            return Err(format!("needs an unknown of {bytes} bytes to be {number:#x}"));
        }
        let block = self.domain.block(term.atom);
        let multiple = number & ((1_u64 << block.zeros.min(63)) - 1) == 0;
        if number < block.low || number > block.high || !multiple {
            return Err(format!("needs an unknown to be {number:#x}, which it cannot be"));
        }
        match self.domain.kind(term.atom) {
            AtomKind::Unknown(serial, _) => {
                self.atoms.insert(term.atom, (number, serial));
                Ok(())
            }
            AtomKind::ZeroExtended(v) => {
                if number & !mask(v.bytes) != 0 {
                    return Err(format!("needs {} bytes to be {number:#x}", v.bytes));
                }
                self.solve(machine, v, number, depth)
            }
            AtomKind::SignExtended(v) => {
                if integer(number, u32::from(v.bytes), true) as u64 & mask(bytes) != number {
                    return Err(format!("needs {} signed bytes to be {number:#x}", v.bytes));
                }
                self.solve(machine, v, number & mask(v.bytes), depth)
            }
            AtomKind::Select(c, a, b) => {
                if let Some(holds) = self.condition_within(machine, c, depth) {
                    self.solve(machine, if holds { a } else { b }, number, depth)
                } else {
                    let x = self.value_within(machine, a, depth);
                    let y = self.value_within(machine, b, depth);
                    match (x, y) {
                        (Some(x), Some(y)) if x != number && y != number => {
                            Err(format!("needs {x:#x} or {y:#x} to be {number:#x}"))
                        }
                        (Some(x), _) if x != number => self.meet_condition(machine, c, false),
                        (_, Some(y)) if y != number => self.meet_condition(machine, c, true),
                        _ => Ok(()),
                    }
                }
            }
            AtomKind::Applied(function, args) => {
                let mut numbers = [0; 3];
                for (n, arg) in numbers.iter_mut().zip(args) {
                    let Some(known) = self.value_within(machine, arg, depth) else { return Ok(()) };
                    *n = known;
                }
                self.functions.insert((function, numbers, args[0].bytes), number);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// In a real execution a condition holds, or does not.
    pub fn meet_condition(&mut self, machine: &Concrete, condition: Condition, holds: bool) -> Result<(), Misfit> {
        if let Some(expected) = self.condition(machine, condition) {
            return if expected == holds { Ok(()) } else { Err(format!("is {holds}, but should be {expected}")) };
        }
        let plain = if condition.is_negated() { condition.not() } else { condition };
        let holds = holds != condition.is_negated();
        match self.domain.condition_kind(plain) {
            ConditionKind::Unknown(serial) => {
                self.conditions.insert((serial, plain.lane()), holds);
                Ok(())
            }
            ConditionKind::And(a, b) | ConditionKind::Whole(a, b) if holds => {
                self.meet_condition(machine, a, true)?;
                self.meet_condition(machine, b, true)
            }
            ConditionKind::And(a, b) | ConditionKind::Whole(a, b) => {
                match (self.condition(machine, a), self.condition(machine, b)) {
                    (Some(true), None) => self.meet_condition(machine, b, false),
                    (None, Some(true)) => self.meet_condition(machine, a, false),
                    _ => Ok(()),
                }
            }
            ConditionKind::Zero(a) if holds => self.solve(machine, a, 0, MAX_DEPTH),
            _ => Ok(()),
        }
    }
}

/// The result of a function, if it is more than a name.
fn known(function: Function, numbers: [u64; 3], bytes: u8) -> Option<u64> {
    let (operation, signed) = match function {
        Function::Integer(operation) => (operation, false),
        Function::Signed(operation) => (operation, true),
        Function::Bits(_) | Function::Instruction(..) | Function::Sign(..) => return None,
    };
    match operation {
        Operation::Addc => return Some(u64::from(numbers[0] + numbers[1] > u64::from(u32::MAX))),
        Operation::Subb => return Some(u64::from(numbers[0] < numbers[1])),
        _ => {}
    }
    let numbers = numbers.map(|n| integer(n, u32::from(bytes), signed));
    compute(operation, numbers, 8 * u32::from(bytes), signed).map(|n| n as u64)
}

/// Follows a real execution in the trace of the abstract one.
pub struct Follower<'t> {
    trace: &'t Trace,
    model: Model<'t>,
    /// Where in the trace something begins that stands for any pass: its first instruction, the unknowns so far, and
    /// where it ends.
    begins: Vec<(usize, u32, u32, usize)>,
    at: usize,
    /// Whether there is nothing to be compared any more.
    is_lost: bool,
    /// Whether this instruction is in a subroutine that abstract execution has not followed.
    is_skipped: bool,
    /// What does not fit, in words.
    pub misfit: Option<String>,
    /// Values that have been compared.
    pub n_compared: u64,
    pub records: Vec<Record>,
}

impl<'t> Follower<'t> {
    pub fn new(trace: &'t Trace) -> Self {
        let mut begins = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for (i, event) in trace.events.iter().enumerate() {
            match event {
                Event::AnyPass { head, n_unknowns } => {
                    open.push(begins.len());
                    begins.push((i, *head, *n_unknowns, trace.events.len()));
                }
                Event::EndOfLoop { head } => {
                    while let Some(begin) = open.pop() {
                        begins[begin].3 = i;
                        if begins[begin].1 == *head {
                            break;
                        }
                    }
                }
                _ => {}
            }
        }
        Self {
            trace,
            model: Model::new(&trace.domain),
            begins,
            at: 0,
            is_lost: false,
            is_skipped: false,
            misfit: None,
            n_compared: 0,
            records: Vec::new(),
        }
    }

    /// The step of an instruction that is executed next.
    fn find(&mut self, instruction: u32) -> Option<&'t Step> {
        self.is_skipped = false;
        let events = &self.trace.events;
        let is_back =
            self.at > 0 && matches!(&events[self.at - 1], Event::Step(step) if step.instruction.0 >= instruction);
        // Back to the start of what stands for any pass.
        let begin = self
            .begins
            .iter()
            .rev()
            .find(|(begin, head, _, end)| is_back && *head == instruction && *begin < self.at && *end >= self.at);
        if let Some((begin, _, n_unknowns, _)) = begin.copied() {
            self.model.forget_beyond(n_unknowns);
            self.at = begin;
        }
        for (i, event) in events.iter().enumerate().skip(self.at) {
            match event {
                Event::Step(step) if step.instruction.0 == instruction => {
                    self.at = i + 1;
                    return Some(step);
                }
                Event::GivenUp => {
                    self.is_lost = true;
                    return None;
                }
                Event::Skipped(range) if range.contains(&instruction) => {
                    self.at = i;
                    self.is_skipped = true;
                    return None;
                }
                _ => {}
            }
        }
        None
    }

    fn compare(&mut self, machine: &Concrete, index: InstructionIndex, given: u32) -> Result<(), String> {
        let Some(step) = self.find(index.0) else {
            return if self.is_lost || self.is_skipped {
                Ok(())
            } else {
                Err("is executed, but should never be".to_owned())
            };
        };
        self.model.meet_condition(machine, step.reached, true).map_err(|e| format!("being reached {e}"))?;
        let n = step.exec_mask.len();
        let instruction = &machine.program.instructions[index];
        let flow = machine.program.row(instruction).map_or(Flow::Next, |row| row.flow);
        // The mask of a branch that all lanes take together has no meaning.
        let has_mask = flow == Flow::Next || flow == Flow::Goto && n > 1;
        for lane in (0..n).filter(|_| has_mask) {
            let is_on = given >> lane & 1 == 1;
            let condition = step.exec_mask.at(lane);
            self.model
                .meet_condition(machine, condition, is_on)
                .map_err(|e| format!("lane {lane} being active {e}"))?;
            self.n_compared += 1;
        }
        let operands = machine.program.operands_of(instruction);
        let mut record = Record::default();
        for (place, values) in &step.sources {
            for lane in (0..n.min(LANES)).filter(|l| given >> l & 1 == 1) {
                let Some((number, State::Defined)) = machine.source(&operands[*place], *place, lane, n, &mut record)
                else {
                    continue;
                };
                let value = values.at(lane);
                self.n_compared += 1;
                self.model
                    .meet_value(machine, value, number & mask(value.bytes))
                    .map_err(|e| format!("operand {place} in lane {lane}, {value:?}, {e}"))?;
            }
        }
        Ok(())
    }
}

impl Observer for Follower<'_> {
    fn before(&mut self, machine: &Concrete, index: InstructionIndex, given: u32) -> bool {
        if self.is_lost {
            return true;
        }
        if let Err(what) = self.compare(machine, index, given) {
            self.misfit = Some(format!("instruction {}: {what}", index.0 - machine.object.instructions.start));
            return false;
        }
        true
    }

    fn after(&mut self, record: Record) {
        self.records.push(record);
    }
}
