//! The state of abstract execution, and how operands are read from it and written to it.

use super::domain::atom::{AtomKind, Origin};
use super::domain::condition::Condition;
use super::domain::{Domain, LANES, Value};
use super::facts::{Fact, FactKind, Facts};
use super::lanes::Lanes;
use super::launch::{Base, Launch, Thread};
use super::look::Look;
use super::sides::Sides;
use super::state::{Element, NOBODY, PredicateRegister, Presence, Register};
use super::trace::Event;
use crate::base::id::Id as _;
use crate::program::View;
use crate::program::instruction::{Predicate, PredicateControl};
use crate::program::variable::FLAG_INPUT_ATTRIBUTE;
use crate::program::{InstructionIndex, Object, ObjectKind, Operand, Program, Region, RegionForm, VariableId};
use crate::spec::Type;
use crate::spec::instruction::{Execution, Predication};
use crate::spec::operation::Operation;
use crate::spec::predefined::{self, VariableKind};
use rustc_hash::FxHashMap;

/// Which lanes are here.
#[derive(Clone, Debug)]
pub struct Flow {
    /// What uniform branches have decided: where it does not hold, the thread is elsewhere.
    pub uniform: Condition,
    /// The activity of each lane, where the thread is here.
    pub active: Lanes<Condition>,
}

impl Flow {
    /// Nobody is here.
    pub fn dead() -> Self {
        Self { uniform: Condition::FALSE, active: Lanes::run(Condition::FALSE, LANES) }
    }

    /// Whether nobody is here.
    pub fn is_dead(&self) -> bool {
        self.uniform.is_false() || self.active.all_false()
    }
}

/// What is read where nothing is defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undefined {
    /// The lane that reads it.
    pub lane: u32,
    /// Whether some of its bytes are defined.
    pub is_partial: bool,
    /// The instruction that left it undefined; nothing if none has written it.
    pub left_by: Option<InstructionIndex>,
}

/// A source as it was read.
pub struct Source {
    /// The elements, as wide as their type.
    pub lanes: Lanes<Value>,
    /// Their type; a wider one than that of the operand where a source modifier may not fit it.
    pub kind: Type,
    /// Bytes of the operand's elements.
    pub bytes: u8,
    /// The instruction that wrote the first of them.
    pub writer: u32,
    /// The first lane that reads something undefined.
    pub undefined: Option<Undefined>,
}

impl Source {
    fn new(lanes: &Lanes<Value>, kind: Type, writer: u32, undefined: Option<Undefined>) -> Self {
        Self { lanes: *lanes, kind, bytes: kind.bytes() as u8, writer, undefined }
    }
}

/// A place among the registers.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The register.
    pub register: usize,
    /// The first byte.
    pub start: i64,
    /// Bytes of an element.
    pub bytes: u8,
    /// The elements of the lanes.
    pub region: Region,
}

/// The state of abstract execution.
pub struct Machine<'p> {
    /// The program.
    pub program: &'p Program,
    /// The kernel or function.
    pub object: &'p Object,
    /// Bytes of a register.
    pub grf_bytes: u32,
    /// What is known of the launch.
    pub launch: &'p Launch,
    /// The values.
    pub domain: Domain,
    /// What is there at the moment.
    pub flow: Flow,
    /// Whether this instruction is reached, as a condition.
    pub reached: Condition,
    /// Whether all of that is certain, so that nothing depends on it.
    pub is_certain: bool,
    /// What was found.
    pub facts: Facts,
    registers: Vec<Option<Register>>,
    predicates: Vec<Option<PredicateRegister>>,
    n_predefined: usize,
    /// Variables whose address is taken: a store through an unknown address may change them.
    addressed: Vec<usize>,
    /// For each instruction, who wrote its sources when it was executed last.
    pub sources_of: Vec<[u32; 3]>,
    /// The condition of being reached for activities that decide nothing by themselves.
    reach: FxHashMap<[Condition; LANES as usize], Condition>,
    /// Counts what has been executed.
    pub steps: u64,
    /// Whether the rounding mode is known to be "to nearest".
    pub rounds_to_nearest: bool,
    /// What is remembered besides registers.
    pub sides: Sides,
    /// Cases that were looked at to decide about messages.
    pub n_cases: u32,
    /// The branch of all lanes that came last.
    pub last_uniform_branch: u32,
    /// The branch that divided the lanes last.
    pub divided_at: Option<u32>,
    /// Registers and predicates that a loop assigns, so that they may hold something where the text shows no write yet.
    may_be_assigned: Vec<bool>,
    /// Registers and predicates that have been made since everything was forgotten last.
    touched: Vec<usize>,
    /// Whether everything has been forgotten once, so that the first content of a variable is not that of the start.
    is_forgotten: bool,
    /// The source that somebody asks about.
    pub look: Option<Look>,
    /// The thread that is executed, if something is known of it.
    thread: Option<&'p Thread>,
    /// What happened so far, if somebody asks.
    pub trace: Option<Vec<Event>>,
    /// What threads access, if they are compared.
    pub races: Option<super::races::RaceLog>,
    /// For each register, whether its values are followed; all are if it is empty.
    pub(super) followed: Vec<bool>,
    /// Whether instructions that write nothing that is followed are not executed.
    pub(super) skips: bool,
    /// Whether somebody looked at a value that is not followed, so that what was found out is worth nothing.
    pub needs_all: bool,
}

impl<'p> Machine<'p> {
    /// The state at the start of a kernel.
    pub fn new(program: &'p Program, object: &'p Object, grf_bytes: u32, launch: &'p Launch) -> Self {
        let n_predefined = predefined::all().len();
        let n_variables = n_predefined + (object.variables.end - object.variables.start) as usize;
        let mut machine = Self {
            program,
            object,
            grf_bytes,
            launch,
            domain: Domain::new(),
            flow: Flow { uniform: Condition::TRUE, active: Lanes::run(Condition::TRUE, LANES) },
            reached: Condition::TRUE,
            is_certain: true,
            facts: Facts::default(),
            registers: vec![None; n_variables],
            predicates: vec![None; n_variables],
            n_predefined,
            addressed: Vec::new(),
            sources_of: vec![[NOBODY; 3]; (object.instructions.end - object.instructions.start) as usize],
            reach: FxHashMap::default(),
            steps: 0,
            rounds_to_nearest: true,
            sides: Sides::default(),
            n_cases: 0,
            last_uniform_branch: NOBODY,
            divided_at: None,
            may_be_assigned: vec![false; n_variables],
            touched: Vec::new(),
            is_forgotten: false,
            look: None,
            thread: None,
            trace: None,
            races: None,
            followed: Vec::new(),
            skips: false,
            needs_all: false,
        };
        machine.find_addressed();
        machine
    }

    /// The same, of one thread of which something is known.
    #[must_use]
    pub fn of_thread(mut self, thread: Option<&'p Thread>) -> Self {
        self.thread = thread;
        if let Some(thread) = thread
            && thread.n_lanes < self.simd_size()
        {
            let n_lanes = self.simd_size();
            let active = Lanes::of(LANES, |l| Condition::known(!(thread.n_lanes..n_lanes).contains(&l)));
            self.set_flow(Flow { uniform: Condition::TRUE, active });
        }
        self
    }

    /// What has been paid so far: instructions that were executed, and blocks of values.
    pub fn effort(&self) -> u64 {
        self.steps + self.domain.n_blocks() as u64
    }

    /// Of the first `n` lanes, those that are dispatched, as far as that is known.
    pub fn n_dispatched(&self, n: u32) -> u32 {
        self.thread.map_or(n, |thread| thread.n_lanes.min(n))
    }

    /// Whether lanes may exist that were not dispatched.
    pub const fn may_skip_lanes(&self) -> bool {
        !self.launch.dispatches_all && self.thread.is_none()
    }

    /// Follows only values that somebody looks at. To be called before anything is executed.
    pub fn follow_slice(&mut self) {
        self.followed = self.slice();
    }

    /// Whether the values of a register are followed.
    pub fn is_followed(&self, register: usize) -> bool {
        self.followed.get(register).copied().unwrap_or(true)
    }

    fn find_addressed(&mut self) {
        let control = VariableId::of_predefined("%cr0");
        for (_, instruction) in self.program.instructions_in(self.object) {
            for operand in self.program.operands_of(instruction) {
                if let Operand::AddressOf { variable, .. } = *operand
                    && let Some((register, _)) = self.root(variable)
                {
                    self.addressed.push(register);
                }
                // Writes of %cr0 may change the rounding mode; the ones that set bits 6, 7 and 10 do not.
                if operand.variable().is_some_and(|v| Some(v) == control) {
                    let touches_mode = self.program.operands_of(instruction).iter().any(|o| match o {
                        Operand::Immediate { bits, .. } => bits & 0x30 != 0,
                        _ => false,
                    });
                    let is_or = self.program.row(instruction).is_some_and(|r| r.operation == Some(Operation::Or));
                    if touches_mode || !is_or {
                        self.rounds_to_nearest = false;
                    }
                }
            }
        }
        self.addressed.sort_unstable();
        self.addressed.dedup();
    }

    /// Makes the register of an input, so that what it holds at the start is known.
    pub fn make_input(&mut self, register: usize) {
        let variable = self.variable_of(register);
        let row = &self.program.variables[variable];
        if row.kind == VariableKind::General
            && self.registers[register].is_none()
            && !self.may_be_assigned[register]
            && self.is_input(variable)
        {
            let bytes = row.element_bytes().clamp(1, 8) as u8;
            self.register(register, 0, bytes);
        }
    }

    /// Something may have been written to a register by an earlier pass of a loop.
    pub fn assume_assigned(&mut self, register: usize) {
        if let Some(assumed) = self.may_be_assigned.get_mut(register) {
            *assumed = true;
        }
    }

    /// Variables whose address is taken.
    pub fn addressed(&self) -> &[usize] {
        &self.addressed
    }

    /// Number of registers and predicates.
    pub fn n_variables(&self) -> usize {
        self.registers.len()
    }

    /// The place of a variable's root, and the byte offset of the variable in it; nothing for variables of other objects.
    pub fn root(&self, variable: VariableId) -> Option<(usize, i64)> {
        let row = self.program.variables.get(variable)?;
        Some((self.place_of(row.root)?, i64::from(row.root_offset)))
    }

    fn place_of(&self, variable: VariableId) -> Option<usize> {
        let index = variable.index();
        if index < self.n_predefined {
            return Some(index);
        }
        let range = &self.object.variables;
        (range.start..range.end).contains(&variable.0).then(|| self.n_predefined + index - range.start as usize)
    }

    /// The variable of a register.
    pub fn variable_of(&self, register: usize) -> VariableId {
        if register < self.n_predefined {
            VariableId::from_index(register)
        } else {
            VariableId::from_index(register - self.n_predefined + self.object.variables.start as usize)
        }
    }

    /// The register, made on its first access in elements of `unit` bytes.
    pub fn register(&mut self, index: usize, offset: u32, bytes: u8) -> &mut Register {
        if self.registers[index].is_none() {
            let variable = self.variable_of(index);
            let row = &self.program.variables[variable];
            let n_elements = self.program.n_elements(variable, self.grf_bytes);
            let element_bytes = match row.kind {
                VariableKind::Address => 2,
                VariableKind::Surface | VariableKind::Sampler => 4,
                VariableKind::General | VariableKind::Predicate => row.element_bytes(),
            };
            // A size that no program can have is not worth its memory.
            let n_bytes = n_elements.saturating_mul(element_bytes).min(MAX_REGISTER_BYTES);
            let unit = Register::first_unit(offset, bytes);
            let is_assigned = self.is_forgotten || self.may_be_assigned[index];
            let is_input = is_assigned || self.is_input(variable);
            let is_followed = self.is_followed(index);
            let mut register = Register::new(&mut self.domain, variable.0, n_bytes, unit, is_input, is_followed);
            if is_assigned && !is_read_only(variable) {
                // What is here now is not what was here at the start.
                register.forget(&mut self.domain, if self.is_forgotten { Origin::Result } else { Origin::Loop });
            } else {
                self.divide(variable, &mut register);
            }
            if is_followed
                && !is_assigned
                && let Some(thread) = self.thread
            {
                for given in thread.ids.iter().chain(&self.launch.sizes).filter(|g| g.variable == variable) {
                    let base = match given.base {
                        Some(Base { dimension, zeros, high }) => {
                            self.domain.atom(AtomKind::LocalId(dimension), given.bytes, zeros, 0, u64::from(high))
                        }
                        None => Value::known(0, given.bytes),
                    };
                    register.refine(given.offset, given.bytes);
                    register.write(given.offset, base.plus(given.number), Condition::TRUE, NOBODY);
                }
            }
            self.registers[index] = Some(register);
            self.touched.push(index);
        }
        let register = self.registers[index].as_mut().unwrap_or_else(|| unreachable!("it was just made"));
        register.refine(offset, bytes);
        register
    }

    /// The register, if anything has accessed it yet.
    pub fn existing(&self, index: usize) -> Option<&Register> {
        self.registers.get(index)?.as_ref()
    }

    /// The register, if anything has accessed it yet, together with the values.
    pub fn existing_mut(&mut self, index: usize) -> Option<(&mut Register, &mut Domain)> {
        let register = self.registers.get_mut(index)?.as_mut()?;
        Some((register, &mut self.domain))
    }

    /// Whether a variable holds something when the kernel begins.
    fn is_input(&self, variable: VariableId) -> bool {
        let row = &self.program.variables[variable];
        if let Some(predefined) = variable.predefined() {
            return match predefined.name {
                "%arg" | "%sp" | "%fp" => self.object.kind == ObjectKind::Function,
                "%retval" => false,
                _ => true,
            };
        }
        row.is(crate::program::variable::FLAG_INPUT | FLAG_INPUT_ATTRIBUTE | crate::program::variable::FLAG_BROKEN)
    }

    /// The predicate variable.
    pub fn predicate(&mut self, variable: VariableId) -> Option<&mut PredicateRegister> {
        let (index, _) = self.root(variable)?;
        let is_input = self.is_forgotten || self.is_input(variable) || self.may_be_assigned[index];
        if self.predicates[index].is_none() {
            self.touched.push(index);
            let bits = Lanes::run(self.domain.unknown_condition(), LANES);
            let may_be_written = if is_input { u32::MAX } else { 0 };
            self.predicates[index] = Some(PredicateRegister { bits, may_be_written, writer: NOBODY });
        }
        self.predicates[index].as_mut()
    }

    /// The predicate of that index, if anything has accessed it yet.
    pub fn existing_predicate_mut(&mut self, index: usize) -> Option<(&mut PredicateRegister, &mut Domain)> {
        let predicate = self.predicates.get_mut(index)?.as_mut()?;
        Some((predicate, &mut self.domain))
    }

    /// A copy of a predicate, to be put back.
    pub fn saved_predicate(&self, index: usize) -> Option<PredicateRegister> {
        self.predicates.get(index)?.clone()
    }

    /// A copy of a register, to be put back.
    pub fn saved_register(&self, index: usize) -> Option<Register> {
        self.registers.get(index)?.clone()
    }

    /// Puts back what was saved.
    pub fn put_back(&mut self, index: usize, register: Option<Register>, predicate: Option<PredicateRegister>) {
        self.registers[index] = register;
        self.predicates[index] = predicate;
        self.touched.push(index);
    }

    /// An instruction that is not understood: every variable may hold anything.
    pub fn forget_everything(&mut self) {
        for index in std::mem::take(&mut self.touched) {
            if !is_read_only(self.variable_of(index)) {
                self.registers[index] = None;
                self.predicates[index] = None;
            }
        }
        self.is_forgotten = true;
        self.note_unclear();
    }

    /// Says what there is now.
    pub fn set_flow(&mut self, flow: Flow) {
        let reach = self.reach_of(&flow.active);
        self.reached = self.domain.and(flow.uniform, reach);
        self.is_certain = self.reached.is_true() && flow.active.all_true();
        self.flow = flow;
    }

    /// The condition that some lane is active.
    fn reach_of(&mut self, active: &Lanes<Condition>) -> Condition {
        if let Some(same) = active.as_same() {
            return same;
        }
        if active.iter().any(Condition::is_true) {
            return Condition::TRUE;
        }
        let mut key = [Condition::FALSE; LANES as usize];
        for (place, condition) in key.iter_mut().zip(active.iter()) {
            *place = condition;
        }
        if let Some(known) = self.reach.get(&key) {
            return *known;
        }
        let unknown = self.domain.unknown_condition().at(0);
        self.reach.insert(key, unknown);
        unknown
    }

    /// The lanes of an instruction that are executed.
    pub fn mask(&mut self, view: &View) -> Lanes<Condition> {
        let n = view.n_lanes();
        let base = if view.instruction.no_mask || view.row.execution != Execution::MaskAndSize {
            Lanes::run(self.reached, n)
        } else if self.is_certain {
            Lanes::run(Condition::TRUE, n)
        } else {
            let uniform = self.flow.uniform;
            let domain = &mut self.domain;
            self.flow.active.slice(view.first_lane(), n).map(|c| domain.and(uniform, c))
        };
        match view.instruction.predicate {
            Some(predicate) if predicate_is_mask(view) => {
                let bits = self.predicate_lanes(&predicate, view.first_lane(), n);
                let domain = &mut self.domain;
                base.zip(&bits, |a, b| domain.and(a, b))
            }
            _ => base,
        }
    }

    /// The bits of a predicate for the lanes of an instruction.
    pub fn predicate_lanes(&mut self, predicate: &Predicate, first: u32, n: u32) -> Lanes<Condition> {
        let n_elements = self.program.variables[predicate.variable].n_elements;
        let Some(register) = self.predicate(predicate.variable) else {
            return Lanes::run(self.domain.unknown_condition(), n);
        };
        let bits = register.bits;
        let lanes = match predicate.control {
            PredicateControl::PerLane => bits.slice(first, n),
            control => {
                let combined = combine(control, &bits.slice(first, n));
                // The manual combines the bits of the lanes, the reference those that the variable has.
                let agreed = if n_elements == n && first == 0 {
                    combined
                } else {
                    let all = combine(control, &bits.slice(0, n_elements.clamp(1, LANES)));
                    combined.filter(|c| Some(*c) == all)
                };
                let condition = agreed.unwrap_or_else(|| self.domain.unknown_condition().at(0));
                Lanes::run(condition, n)
            }
        };
        if predicate.is_inverted { lanes.map(Condition::not) } else { lanes }
    }

    /// What an element holds for a lane that is executed under `given`.
    fn settled(&mut self, value: Value, defined: Condition, given: Condition) -> Value {
        if !defined.is_true() && !defined.is_false() {
            let is_there = self.domain.implies(given, defined) || self.domain.implies(self.reached, defined);
            if !is_there {
                let unknown = self.domain.unknown(value.bytes, Origin::Result);
                return if value.steps() || given.steps() { unknown } else { unknown.at(0) };
            }
        }
        if self.is_certain && given.is_true() {
            return value;
        }
        let value = self.domain.assume(value, self.reached);
        self.domain.assume(value, given)
    }

    /// Reads the first element of a region for a lane that is executed under `given`: what it holds, and who wrote it.
    /// Nothing if it is not known to have been written.
    pub fn read_one(&mut self, place: Place, given: Condition) -> Option<(Value, u32)> {
        self.needs_all |= !self.is_followed(place.register);
        let start = u32::try_from(place.start).ok()?;
        self.register(place.register, start, place.bytes);
        let register = self.registers[place.register].as_ref()?;
        let Element { value, presence } = register.read(&mut self.domain, start, place.bytes)?;
        presence.defined.is_true().then(|| (self.settled(value, presence.defined, given), presence.writer))
    }

    /// Reads the elements of a region. `given` are the lanes that read.
    pub fn read_place(&mut self, place: Place, given: &Lanes<Condition>) -> (Lanes<Value>, u32, Option<Undefined>) {
        let n = given.len();
        let bytes = place.bytes;
        let offset_of = |lane: u32| place.start + i64::from(place.region.element(lane)) * i64::from(bytes);
        let is_scalar = place.region.is_scalar() || n == 1;
        let n_read = if is_scalar { 1 } else { n };
        let is_one = n == 1 || is_scalar && self.is_certain && given.all_true();
        if is_one && let Some((value, writer)) = self.read_one(place, given.at(0)) {
            return (Lanes::run(value, n), writer, None);
        }
        self.needs_all |= !self.is_followed(place.register);
        if let Ok(start) = u32::try_from(place.start) {
            self.register(place.register, start, bytes);
        }
        let Some((register, domain)) = self.registers[place.register].as_mut().map(|r| (r, &mut self.domain)) else {
            let unknown = self.domain.unknown(bytes, Origin::Result);
            return (Lanes::run(unknown, n), NOBODY, None);
        };
        // Strides keep the alignment of the first element, as far as it is one of the element size.
        let mut writer = NOBODY;
        let mut all_true = true;
        let mut elements = [Element { value: Value::known(0, bytes), presence: Presence::GIVEN }; LANES as usize];
        for lane in 0..n_read {
            let element = u32::try_from(offset_of(lane)).ok().and_then(|o| register.read(domain, o, bytes));
            let element = element.unwrap_or_else(|| Element {
                value: domain.unknown_one(bytes, Origin::Result),
                presence: Presence::GIVEN,
            });
            let presence = element.presence;
            if presence.writer != NOBODY && (writer == NOBODY || presence.writer > writer) {
                writer = presence.writer;
            }
            all_true &= presence.defined.is_true();
            elements[lane as usize] = element;
        }
        let at = |lane: u32| elements[if is_scalar { 0 } else { lane as usize }];
        let mut undefined = None;
        if !all_true {
            undefined = first_undefined(n, given, |l| at(l).presence);
        }
        let values = if is_scalar { Lanes::run(elements[0].value, n) } else { Lanes::of(n, |l| at(l).value) };
        if all_true && self.is_certain && given.all_true() {
            return (values, writer, undefined);
        }
        let defined = if is_scalar {
            Lanes::run(elements[0].presence.defined, n)
        } else {
            Lanes::of(n, |l| at(l).presence.defined)
        };
        let values = values.zip3(&defined, given, |v, d, g| self.settled(v, d, g));
        (values, writer, undefined)
    }

    /// Who wrote a source of an ALU instruction last, and the first lane that reads something undefined.
    pub fn presence(&mut self, view: &View, place: usize, given: &Lanes<Condition>) -> (u32, Option<Undefined>) {
        let operand = &view.operands[place];
        let Some((at, _)) = self.direct_place(operand) else {
            if matches!(operand, Operand::Indirect { .. }) {
                let source = self.source(view, place, given);
                return (source.writer, source.undefined);
            }
            return (NOBODY, None);
        };
        let n = given.len();
        if let Ok(start) = u32::try_from(at.start) {
            self.register(at.register, start, at.bytes);
        }
        let Some((register, domain)) = self.existing_mut(at.register) else { return (NOBODY, None) };
        let is_scalar = at.region.is_scalar() || n == 1;
        let n_read = if is_scalar { 1 } else { n };
        if let Ok(start) = u32::try_from(at.start)
            && (is_scalar || at.region.is_contiguous(n))
            && let Some(writer) = register.writer_of_run(start, at.bytes, n_read)
        {
            return (writer, None);
        }
        let mut all = [Presence::GIVEN; LANES as usize];
        let mut writer = NOBODY;
        let mut all_true = true;
        for lane in 0..n_read {
            let offset = at.start + i64::from(at.region.element(lane)) * i64::from(at.bytes);
            let Some(presence) = u32::try_from(offset).ok().and_then(|o| register.presence(domain, o, at.bytes)) else {
                continue;
            };
            if presence.writer != NOBODY && (writer == NOBODY || presence.writer > writer) {
                writer = presence.writer;
            }
            all_true &= presence.defined.is_true();
            all[lane as usize] = presence;
        }
        if all_true {
            return (writer, None);
        }
        (writer, first_undefined(n, given, |l| all[if is_scalar { 0 } else { l as usize }]))
    }

    /// Notes that the elements of a region have been written in the lanes of `given`, but not with what.
    pub fn define_place(&mut self, place: Place, given: &Lanes<Condition>, writer: u32) {
        if given.all_false() {
            return;
        }
        let bytes = place.bytes;
        if let Ok(start) = u32::try_from(place.start) {
            self.register(place.register, start, bytes);
        }
        let Some((register, domain)) = self.existing_mut(place.register) else { return };
        if given.all_true()
            && place.region.is_contiguous(given.len())
            && let Ok(start) = u32::try_from(place.start)
            && register.define_run(start, bytes, given.len(), writer)
        {
            return;
        }
        for lane in 0..given.len() {
            let offset = place.start + i64::from(place.region.element(lane)) * i64::from(bytes);
            let Ok(offset) = u32::try_from(offset) else { continue };
            let mut defined = given.at(lane);
            if defined.is_false() {
                continue;
            }
            if !defined.is_true() {
                let Some(old) = register.presence(domain, offset, bytes) else { continue };
                defined = if old.defined.is_true() { old.defined } else { domain.or(defined, old.defined) };
            }
            register.define(offset, bytes, defined, writer);
        }
    }

    /// Writes the elements of a region in the lanes of `given`.
    pub fn write_place(&mut self, place: Place, values: &Lanes<Value>, given: &Lanes<Condition>, writer: u32) {
        if !self.is_followed(place.register) {
            return self.define_place(place, given, writer);
        }
        let n = given.len();
        let bytes = place.bytes;
        if let Ok(start) = u32::try_from(place.start) {
            self.register(place.register, start, bytes);
        }
        let Some(register) = self.registers[place.register].as_mut() else { return };
        let offset_of =
            |lane: u32| u32::try_from(place.start + i64::from(place.region.element(lane)) * i64::from(bytes)).ok();
        if given.all_true() {
            for lane in 0..n {
                if let Some(offset) = offset_of(lane) {
                    register.write(offset, values.at(lane), Condition::TRUE, writer);
                }
            }
            return;
        }
        if given.all_false() {
            return;
        }
        let domain = &mut self.domain;
        let mut old = [(Value::known(0, bytes), Condition::FALSE); LANES as usize];
        for lane in 0..n {
            if let Some(element) = offset_of(lane).and_then(|o| register.read(domain, o, bytes)) {
                old[lane as usize] = (element.value, element.presence.defined);
            }
        }
        let old_values = Lanes::of(n, |l| old[l as usize].0);
        let old_defined = Lanes::of(n, |l| old[l as usize].1);
        let defined = given.zip(&old_defined, |g, d| if d.is_true() { d } else { domain.or(g, d) });
        let new = values.zip4(&old_values, given, &old_defined, |new, old, g, d| {
            // Where it has not been written before, there is nothing to keep.
            if d.is_false() || domain.implies(d, g) && !d.is_true() { new } else { domain.select(g, new, old) }
        });
        for lane in 0..n {
            if let Some(offset) = offset_of(lane).filter(|_| !given.at(lane).is_false()) {
                register.write(offset, new.at(lane), defined.at(lane), writer);
            }
        }
    }

    /// The place of an operand that names a variable directly; nothing for other operands and for variables that are not
    /// known.
    pub fn direct_place(&self, operand: &Operand) -> Option<(Place, Type)> {
        let (variable, row, column, region) = match *operand {
            Operand::General { variable, row, column, region, .. } => (variable, row, column, region),
            Operand::Element { variable, row, column } => (variable, row, column, Region::SCALAR),
            _ => return None,
        };
        let info = self.program.variables.get(variable)?;
        if info.kind != VariableKind::General || region.has_illegal_number() {
            return None;
        }
        let (register, root_offset) = self.root(variable)?;
        let kind = info.element_type;
        let start =
            root_offset + i64::from(row) * i64::from(self.grf_bytes) + i64::from(column) * i64::from(kind.bytes());
        Some((Place { register, start, bytes: kind.bytes() as u8, region }, kind))
    }

    /// The variable and byte that an address points to.
    pub fn pointed_to(&self, address: Value) -> Option<(usize, i64)> {
        let atom = address.sum.as_single()?;
        match self.domain.kind(atom) {
            AtomKind::AddressOf(register) => Some((register as usize, i64::from(address.constant as u16 as i16))),
            _ => None,
        }
    }

    /// An element of an address variable.
    pub fn address(&mut self, variable: VariableId, element: i64, given: Condition) -> Option<(Value, Condition, u32)> {
        let (index, _) = self.root(variable)?;
        let offset = u32::try_from(element * 2).ok()?;
        self.register(index, offset, 2);
        let (register, domain) = self.existing_mut(index)?;
        let Element { value, presence } = register.read(domain, offset, 2)?;
        Some((self.settled(value, presence.defined, given), presence.defined, presence.writer))
    }

    /// Reads a source of an ALU instruction, without its source modifier.
    pub fn source(&mut self, view: &View, place: usize, given: &Lanes<Condition>) -> Source {
        let n = given.len();
        match view.operands[place] {
            Operand::Immediate { bits, element_type } => {
                let (lanes, kind) = immediate(bits, element_type, n);
                Source::new(&lanes, kind, NOBODY, None)
            }
            Operand::Indirect { address, element, offset, region, element_type, .. } => {
                let lanes = self.read_indirect(view, place, (address, element, offset), region, element_type, given);
                Source::new(&lanes, element_type, NOBODY, None)
            }
            ref operand => match self.direct_place(operand) {
                Some((at, kind)) => {
                    let (lanes, writer, undefined) = self.read_place(at, given);
                    Source::new(&lanes, kind, writer, undefined)
                }
                None => {
                    let unknown = self.domain.unknown(4, Origin::Result);
                    Source::new(&Lanes::run(unknown, n), Type::UD, NOBODY, None)
                }
            },
        }
    }

    /// The places that an indirect operand names, one for each lane; nothing where the address is not known.
    fn indirect_places(
        &mut self,
        view: &View,
        place: usize,
        (address, element, offset): (VariableId, i32, i32),
        region: Region,
        kind: Type,
        given: &Lanes<Condition>,
    ) -> Vec<Option<(usize, i64)>> {
        let n = given.len();
        let bytes = i64::from(kind.bytes());
        let row_lanes = match region.form {
            RegionForm::Rows => u32::from(region.width).max(1),
            _ => n.max(1),
        };
        let mut places = Vec::with_capacity(n as usize);
        let mut base = None;
        let mut reported = false;
        let mut is_unset = false;
        for lane in 0..n {
            if lane % row_lanes == 0 {
                let row = i64::from(lane / row_lanes);
                // Lanes of a row share an address, whichever of them are active.
                let first = given.at(lane);
                let is_shared = (lane..n.min(lane + row_lanes)).any(|l| given.at(l) != first);
                let user = if is_shared { self.reached } else { first };
                let read = self.address(address, i64::from(element) + row, user);
                base = read.and_then(|(value, _, _)| self.pointed_to(value));
                if let Some((_, defined, _)) = read
                    && defined.is_false()
                    && !given.at(lane).is_false()
                    && !reported
                {
                    reported = true;
                    self.report(view, place, FactKind::UndefinedAddress { element: element + row as i32 });
                }
                if let Some((_, defined, writer)) = read {
                    if lane == 0 {
                        self.note_source(view, 2, writer);
                    }
                    let is_off = !given.at(lane).is_true() && !view.instruction.no_mask;
                    // Whether the thread comes here is not the question.
                    let reached = self.reached;
                    let defined = self.domain.given(defined, reached);
                    is_unset |= row_lanes == 1 && is_off && !defined.is_true() && !defined.is_false();
                }
            }
            let in_row = if region.form == RegionForm::Rows {
                i64::from(lane % row_lanes) * i64::from(region.horizontal_stride)
            } else {
                i64::from(region.element(lane))
            };
            places.push(base.map(|(register, start)| (register, start + i64::from(offset) + in_row * bytes)));
        }
        if let Some(since) = self.divided_at.filter(|_| is_unset) {
            self.report(view, place, FactKind::UnsetInactiveAddress { since: InstructionIndex(since) });
        }
        self.check_indirect(view, place, &places, bytes, given);
        places
    }

    /// Reports places outside of the variable, and such as are no multiple of the element size.
    fn check_indirect(
        &mut self,
        view: &View,
        place: usize,
        places: &[Option<(usize, i64)>],
        bytes: i64,
        given: &Lanes<Condition>,
    ) {
        for (lane, at) in places.iter().enumerate() {
            let Some((register, start)) = *at else { continue };
            if given.at(lane as u32).is_false() {
                continue;
            }
            let variable = self.variable_of(register);
            let size = i64::from(self.program.variable_bytes(variable, self.grf_bytes));
            let lane = lane as u32;
            if start < 0 || start + bytes > size {
                return self.report(view, place, FactKind::IndirectOutOfBounds { lane, variable, byte: start, size });
            }
            if start % bytes != 0 {
                return self.report(view, place, FactKind::MisalignedIndirect { lane, variable, byte: start, bytes });
            }
        }
    }

    fn read_indirect(
        &mut self,
        view: &View,
        place: usize,
        address: (VariableId, i32, i32),
        region: Region,
        kind: Type,
        given: &Lanes<Condition>,
    ) -> Lanes<Value> {
        let places = self.indirect_places(view, place, address, region, kind, given);
        let bytes = kind.bytes() as u8;
        let n = given.len();
        let mut values = Vec::with_capacity(n as usize);
        for (lane, at) in places.iter().enumerate() {
            let value = match at {
                Some((register, start)) => {
                    let one = Place { register: *register, start: *start, bytes, region: Region::SCALAR };
                    let given = Lanes::run(given.at(lane as u32), 1);
                    self.read_place(one, &given).0.at(0)
                }
                None => self.domain.unknown_one(bytes, Origin::Indirect),
            };
            values.push(value);
        }
        Lanes::of(n, |l| values[l as usize])
    }

    /// Writes the result of an ALU instruction, as wide as the destination's elements.
    pub fn write(&mut self, view: &View, place: usize, values: &Lanes<Value>, given: &Lanes<Condition>) {
        let writer = view.index.0;
        match view.operands[place] {
            Operand::Indirect { address, element, offset, region, element_type, .. } => {
                let places = self.indirect_places(view, place, (address, element, offset), region, element_type, given);
                let is_known = (0..given.len()).all(|l| given.at(l).is_false() || places[l as usize].is_some());
                if !is_known {
                    return self.forget_addressed(writer);
                }
                self.check_overwritten(view, &places, i64::from(element_type.bytes()), given);
                for lane in 0..given.len() {
                    if let Some((register, start)) = places[lane as usize] {
                        let one = Place { register, start, bytes: element_type.bytes() as u8, region: Region::SCALAR };
                        self.write_place(one, &Lanes::run(values.at(lane), 1), &Lanes::run(given.at(lane), 1), writer);
                    }
                }
            }
            ref operand => {
                if let Some((at, _)) = self.direct_place(operand)
                    && operand.variable() != Some(VariableId::NULL)
                {
                    self.write_place(at, values, given, writer);
                }
            }
        }
    }

    /// Reports an indirect destination that changes what the instruction reads in another lane.
    fn check_overwritten(
        &mut self,
        view: &View,
        places: &[Option<(usize, i64)>],
        bytes: i64,
        given: &Lanes<Condition>,
    ) {
        for (place, operand) in view.operands.iter().enumerate().skip(1) {
            let Some((at, _)) = self.direct_place(operand) else { continue };
            let read = |lane: u32| at.start + i64::from(at.region.element(lane)) * i64::from(at.bytes);
            let n = given.len();
            let meets = |written: u32| {
                let Some((register, start)) = places[written as usize] else { return false };
                !given.at(written).is_false()
                    && register == at.register
                    && (0..n).any(|l| l != written && read(l) < start + bytes && start < read(l) + i64::from(at.bytes))
            };
            if !at.region.is_scalar() && (0..n).any(meets) {
                let variable = self.variable_of(at.register);
                self.report(view, 0, FactKind::OverwritesSource { source: place as u8, variable });
            }
        }
    }

    /// The type of a destination's elements.
    pub fn destination_type(&self, operand: &Operand) -> Option<Type> {
        match *operand {
            Operand::Indirect { element_type, .. } => Some(element_type),
            _ if operand.is_null() => Some(Type::UD),
            _ => self.direct_place(operand).map(|(_, kind)| kind),
        }
    }

    /// A store through an unknown address: every variable whose address is taken may have changed.
    pub fn forget_addressed(&mut self, writer: u32) {
        for i in 0..self.addressed.len() {
            let register = self.addressed[i];
            let end = self.program.variable_bytes(self.variable_of(register), self.grf_bytes);
            self.forget(register, 0, end, Condition::TRUE, writer, Origin::Indirect);
        }
    }

    /// Bytes of a register hold something unknown from now on, where `given` holds.
    pub fn forget(&mut self, register: usize, start: u32, end: u32, given: Condition, writer: u32, origin: Origin) {
        if given.is_false() {
            return;
        }
        let unit = self.existing(register).map_or_else(
            || {
                let row = &self.program.variables[self.variable_of(register)];
                (row.element_bytes().clamp(1, 8)) as u8
            },
            Register::unit,
        );
        let unit = Register::first_unit(start, unit).min(Register::first_unit(end, unit));
        self.register(register, start, unit);
        let is_followed = self.is_followed(register);
        let Some((held, domain)) = self.existing_mut(register) else { return };
        let unit = held.unit();
        let end = end.min(held.n_bytes());
        let mut offset = start;
        while offset < end {
            let unknown = if is_followed { domain.unknown(unit, origin) } else { Value::known(0, unit) };
            for lane in 0..LANES {
                if offset >= end {
                    break;
                }
                if let Some(old) = held.presence(domain, offset, unit) {
                    let defined = if old.defined.is_true() { old.defined } else { domain.or(given, old.defined) };
                    if !is_followed {
                        held.define(offset, unit, defined, writer);
                    } else if given.is_true() || old.defined.is_false() {
                        held.write(offset, unknown.at(lane), defined, writer);
                    } else if let Some(old) = held.read(domain, offset, unit) {
                        held.write(offset, domain.select(given, unknown.at(lane), old.value), defined, writer);
                    }
                }
                offset += u32::from(unit);
            }
        }
    }

    /// Remembers who wrote a source of this instruction.
    pub fn note_source(&mut self, view: &View, source: usize, writer: u32) {
        let at = (view.index.0 - self.object.instructions.start) as usize;
        if let Some(sources) = self.sources_of.get_mut(at) {
            sources[source.min(2)] = writer;
        }
    }

    /// The instructions through which what this one reads came, nearest first.
    pub fn trail(&self, from: u32) -> Vec<InstructionIndex> {
        let mut trail = Vec::new();
        let mut open = vec![from];
        let mut next = 0;
        while next < open.len() && trail.len() < MAX_TRAIL {
            let writer = open[next];
            next += 1;
            let Some(at) = writer.checked_sub(self.object.instructions.start) else { continue };
            let Some(sources) = self.sources_of.get(at as usize) else { continue };
            trail.push(InstructionIndex(writer));
            for source in sources {
                if *source != NOBODY && !open.contains(source) {
                    open.push(*source);
                }
            }
        }
        trail
    }

    /// Records a fact about an operand.
    pub fn report(&mut self, view: &View, place: usize, kind: FactKind) {
        self.report_with(view, place, kind, Vec::new());
    }

    /// Records a fact that has to be so whenever the instruction is executed.
    pub fn report_if_always(&mut self, view: &View, place: usize, kind: FactKind, is_so: bool) {
        let fact = Fact { instruction: view.index, operand: Some(place as u8), kind, trail: Vec::new() };
        self.facts.add_if_always(fact, is_so);
    }

    /// Records a fact about an operand, with the instructions that explain it.
    pub fn report_with(&mut self, view: &View, place: usize, kind: FactKind, trail: Vec<InstructionIndex>) {
        self.facts.add(Fact { instruction: view.index, operand: Some(place as u8), kind, trail });
    }
}

/// No program has registers for a variable of more bytes.
const MAX_REGISTER_BYTES: u32 = 1 << 16;
/// Most instructions that explain a value.
const MAX_TRAIL: usize = 4;

/// The first lane that reads something undefined.
fn first_undefined(n: u32, given: &Lanes<Condition>, at: impl Fn(u32) -> Presence) -> Option<Undefined> {
    (0..n).find(|l| at(*l).defined.is_false() && !given.at(*l).is_false()).map(|lane| {
        let Presence { partly, writer, .. } = at(lane);
        Undefined {
            lane,
            is_partial: !partly.is_false(),
            left_by: (writer != NOBODY).then_some(InstructionIndex(writer)),
        }
    })
}

/// Whether nothing can change a variable.
fn is_read_only(variable: VariableId) -> bool {
    variable.predefined().is_some_and(|p| p.writable == predefined::Writable::No)
}

/// Whether the predicate before an instruction disables lanes.
fn predicate_is_mask(view: &View) -> bool {
    !matches!(view.row.operation, Some(Operation::Sel)) && matches!(view.row.predicate, Predication::Allowed)
}

/// Whether the predicate before an instruction is read.
pub fn reads_predicate(view: &View) -> bool {
    matches!(view.row.predicate, Predication::Allowed)
}

/// Whether any bit or all bits are set, if that is one condition.
fn combine(control: PredicateControl, bits: &Lanes<Condition>) -> Option<Condition> {
    let deciding = Condition::known(control == PredicateControl::Any);
    if bits.iter().any(|b| b == deciding) {
        return Some(deciding);
    }
    if bits.iter().all(|b| b == deciding.not()) {
        return Some(deciding.not());
    }
    bits.as_same()
}

/// The lanes of an immediate, and the type that they have.
pub fn immediate(bits: u64, kind: Type, n: u32) -> (Lanes<Value>, Type) {
    let nibble = |lane: u32| bits >> (4 * (lane % 8)) & 15;
    match kind {
        Type::UV => (Lanes::of(n, |l| Value::known(nibble(l), 2)), Type::UW),
        Type::V => (Lanes::of(n, |l| Value::known(((nibble(l) << 60) as i64 >> 60) as u64, 2)), Type::W),
        Type::VF => (
            Lanes::of(n, |l| {
                let byte = bits >> (8 * (l % 4)) & 0xff;
                Value::known(restricted_float(byte as u8).to_bits().into(), 4)
            }),
            Type::F,
        ),
        _ => (Lanes::run(Value::known(bits, kind.bytes() as u8), n), kind),
    }
}

/// An eight-bit float: sign, three bits of exponent, four of fraction.
fn restricted_float(bits: u8) -> f32 {
    let sign = if bits & 0x80 == 0 { 1.0 } else { -1.0 };
    if bits & 0x7f == 0 {
        return sign * 0.0;
    }
    sign * (1.0 + f32::from(bits & 15) / 16.0) * 2_f32.powi(i32::from(bits >> 4 & 7) - 3)
}
