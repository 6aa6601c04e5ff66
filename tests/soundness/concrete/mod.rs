//! A machine with numbers in its registers: 32 lanes, each with its own place in the program; the lanes that are furthest
//! behind go first. It reads the same program as abstract execution does, and nothing else.

pub mod float;
mod flow;
mod message;
mod operation;

pub use operation::compute;

use rustc_hash::FxHashMap;
use visa_lint::base::id::Id as _;
use visa_lint::interp::facts::AddressNumbers;
use visa_lint::interp::transfer::limits::has_limits;
use visa_lint::program::View;
use visa_lint::program::instruction::PredicateControl;
use visa_lint::program::lsc::LscValue;
use visa_lint::program::variable::{FLAG_INPUT, FLAG_INPUT_ATTRIBUTE};
use visa_lint::program::{
    Instruction, InstructionIndex, Object, Operand, Program, RegionForm, SourceModifier, VariableId,
};
use visa_lint::spec::Type;
use visa_lint::spec::instruction::Predication;
use visa_lint::spec::operation::Operation;
use visa_lint::spec::predefined::{self, VariableKind};

pub const LANES: u32 = 32;
/// Steps after which a run is given up.
const MAX_STEPS: u32 = 600;
/// Bytes between two variables, so that a small step out of one does not lead into another.
const GAP: usize = 128;
/// Where a lane is that has left.
const GONE: u32 = u32::MAX;

/// What is known of a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Nothing has written it.
    Unwritten,
    /// Something has, but with what is not defined.
    Undefined,
    /// It holds something.
    Defined,
}

/// What the manual leaves open.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// Operations on narrow sources are computed at the width of the widest one, and not exactly.
    pub wraps_narrow: bool,
    /// How many bits of a count matter follows from the destination's width, not from that of the sources.
    pub counts_by_destination: bool,
}

/// The bytes that one lane of a message accesses, or a part of them.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub lane: u32,
    pub address: u64,
    /// Bytes of the address.
    pub width: u32,
    /// Bytes from the lane's first one to here.
    pub offset: u64,
    pub bytes: u32,
    /// What it writes, if that is defined.
    pub data: Option<u64>,
}

/// An element of a register that a lane goes to by an address.
#[derive(Clone, Copy, Debug)]
pub struct Pointed {
    pub place: usize,
    pub lane: u32,
    pub variable: VariableId,
    pub byte: i64,
}

/// What happened when an instruction was executed.
#[derive(Default, Debug)]
pub struct Record {
    pub instruction: u32,
    /// The lanes that executed it, counted from the first one of the instruction.
    pub active: u32,
    /// The lanes that are in the same place, counted from 0, whatever the mask of the instruction is.
    pub here: u32,
    /// Whether it was not executed because its mask is not defined.
    pub is_cut: bool,
    pub accesses: Vec<Access>,
    /// For each place of an operand the lanes that read a byte which nothing has written, or which is not defined.
    pub undefined: Vec<(usize, u32)>,
    pub pointed: Vec<Pointed>,
    /// Elements of address variables that are used, but nothing has set them.
    pub unset_addresses: Vec<i32>,
    /// The index of a table of labels.
    pub index: Option<u64>,
    /// Whether it is a branch over a place where lanes wait.
    pub passes_waiting: bool,
    /// Places of sources that other lanes read and that it has written through an address.
    pub overwritten: Vec<usize>,
    /// Lanes whose result has more bits than saturation looks at.
    pub wide: u32,
    /// What sources of which limits are known hold: the place, the lane, the bits.
    pub limited: Vec<(usize, u32, u64)>,
    /// What elements in the address of an LSC message hold.
    pub address_numbers: AddressNumbers,
    /// Bits of predicates that are read, but nothing has set them, for the place of an operand or the predicate.
    pub unset_bits: Vec<(VariableId, u32)>,
}

/// Why a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The thread ended.
    Done,
    /// It took too long, or what comes next is not defined.
    GivenUp,
}

/// Looks on.
pub trait Observer {
    /// Called before an instruction is executed by these lanes of it. False ends the run.
    fn before(&mut self, machine: &Concrete, index: InstructionIndex, exec_mask: u32) -> bool;
    /// Called after it.
    fn after(&mut self, record: Record);

    /// Executes what is no operation on registers. False if what it does is not defined.
    fn message(
        &mut self,
        machine: &mut Concrete,
        index: InstructionIndex,
        (exec_mask, n): (u32, u32),
        record: &mut Record,
    ) -> bool {
        let program = machine.program;
        let instruction = &program.instructions[index];
        machine.message(program.row(instruction).map_or("", |row| row.mnemonic), instruction, exec_mask, n, record)
    }
}

#[derive(Clone)]
pub struct Concrete<'p> {
    pub program: &'p Program,
    pub object: &'p Object,
    grf_bytes: u32,
    manner: Manner,
    bytes: Vec<u8>,
    states: Vec<State>,
    /// Where each variable begins.
    places: Vec<usize>,
    /// The bits of predicates, and those that have been written, and those of them that are defined.
    predicates: Vec<(u32, u32, u32)>,
    /// The bytes at the start.
    initial: Vec<u8>,
    /// For each element of the address variables the variable that it points into.
    provenance: Vec<Option<VariableId>>,
    random: u64,
    steps: u32,
    is_over: bool,
    /// Where each lane is, in the kernel and in each call within it, innermost last.
    frames: Vec<[u32; LANES as usize]>,
    /// Whether what is not defined is read as it stands.
    is_lenient: bool,
    /// The bytes that have been stored, by surface and address; nothing where two lanes met.
    memory: FxHashMap<(u32, u64), Option<u8>>,
}

fn mask(bytes: u32) -> u64 {
    if bytes >= 8 { u64::MAX } else { (1 << (8 * bytes)) - 1 }
}

/// The integer that some bits are.
pub fn integer(bits: u64, bytes: u32, signed: bool) -> i128 {
    let bits = bits & mask(bytes);
    if signed && bits >> (8 * bytes - 1) & 1 == 1 {
        i128::from(bits) - (1_i128 << (8 * bytes))
    } else {
        i128::from(bits)
    }
}

impl<'p> Concrete<'p> {
    /// A machine whose registers hold numbers that follow from `seed`; `style` says what kind of numbers.
    pub fn new(
        program: &'p Program,
        object: &'p Object,
        grf_bytes: u32,
        seed: u64,
        style: u64,
        manner: Manner,
    ) -> Self {
        let n = program.variables.len();
        let mut places = vec![0; n];
        let mut end = GAP;
        let n_predefined = predefined::all().len();
        for id in (0..n).map(VariableId::from_index) {
            let variable = &program.variables[id];
            if variable.root == id && variable.kind != VariableKind::Predicate {
                places[id.index()] = end;
                end += (program.n_elements(id, grf_bytes) * variable.element_bytes()) as usize + GAP;
            }
        }
        let mut machine = Self {
            program,
            object,
            grf_bytes,
            manner,
            bytes: vec![0; end],
            states: vec![State::Unwritten; end],
            places,
            predicates: vec![(0, 0, 0); n],
            initial: Vec::new(),
            provenance: vec![None; end],
            random: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            steps: 0,
            is_over: false,
            frames: Vec::new(),
            is_lenient: false,
            memory: FxHashMap::default(),
        };
        for id in (n_predefined..n).map(VariableId::from_index) {
            let variable = &program.variables[id];
            if variable.root != id {
                continue;
            }
            let is_input = variable.is(FLAG_INPUT | FLAG_INPUT_ATTRIBUTE);
            if variable.kind == VariableKind::Predicate {
                machine.predicates[id.index()] = (machine.next() as u32, 0, 0);
                continue;
            }
            let size = variable.element_bytes().max(1) as usize;
            let start = machine.places[id.index()];
            let n_bytes = program.n_elements(id, grf_bytes) as usize * size;
            for first in (start..start + n_bytes).step_by(size) {
                let number = machine.number(if is_input { style } else { 9 });
                machine.bytes[first..first + size].copy_from_slice(&number.to_le_bytes()[..size]);
                let state = if is_input { State::Defined } else { State::Unwritten };
                machine.states[first..first + size].fill(state);
            }
        }
        machine.initial = machine.bytes.clone();
        machine
    }

    fn next(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ self.random >> 31
    }

    /// A number as inputs have them.
    fn number(&mut self, style: u64) -> u64 {
        let random = self.next();
        match style {
            0 => 0,
            1 => random % 8,
            2 => random % 64 * 4,
            3 => u64::MAX - random % 8,
            4 => [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 1 << 63]
                [(random % 12) as usize],
            _ => random ^ random << 32,
        }
    }

    /// What a variable held at the start, in bits of an element of that many bytes.
    pub fn initial(&self, variable: VariableId, element: u32, bytes: u32) -> Option<u64> {
        let start = *self.places.get(variable.index())?;
        if start == 0 {
            return None;
        }
        let first = start + (element * bytes) as usize;
        let mut bits = [0; 8];
        bits[..bytes as usize].copy_from_slice(self.initial.get(first..first + bytes as usize)?);
        Some(u64::from_le_bytes(bits))
    }

    /// Where a variable lies, as an address.
    pub fn address_of(&self, variable: VariableId) -> u64 {
        self.places[variable.index()] as u64
    }

    /// The numbers of a row of lanes; bits by bits.
    pub fn read(&self, at: usize, bytes: u32) -> (u64, State) {
        let mut bits = [0; 8];
        let range = at..at + bytes as usize;
        bits[..bytes as usize].copy_from_slice(&self.bytes[range.clone()]);
        let states = &self.states[range];
        let state = if self.is_lenient {
            State::Defined
        } else if states.contains(&State::Unwritten) {
            State::Unwritten
        } else if states.contains(&State::Undefined) {
            State::Undefined
        } else {
            State::Defined
        };
        (u64::from_le_bytes(bits), state)
    }

    pub fn write(&mut self, at: usize, bytes: u32, bits: u64, is_defined: bool) {
        let range = at..at + bytes as usize;
        self.bytes[range.clone()].copy_from_slice(&bits.to_le_bytes()[..bytes as usize]);
        self.states[range].fill(if is_defined { State::Defined } else { State::Undefined });
    }

    fn root(&self, variable: VariableId) -> (VariableId, i64) {
        let row = &self.program.variables[variable];
        (row.root, i64::from(row.root_offset))
    }

    /// Where a variable begins among all bytes.
    pub fn place(&self, variable: VariableId) -> i64 {
        let (root, offset) = self.root(variable);
        self.places[root.index()] as i64 + offset
    }

    /// The type of an operand's elements.
    pub fn kind(&self, operand: &Operand) -> Type {
        match *operand {
            Operand::General { variable, .. } => self.program.variables[variable].element_type,
            Operand::Indirect { element_type, .. } => element_type,
            Operand::Immediate { element_type, .. } => match element_type {
                Type::UV => Type::UW,
                Type::V => Type::W,
                other => other,
            },
            _ => Type::UD,
        }
    }

    /// The element that a lane takes, or what is wrong with its address.
    pub fn element(&self, operand: &Operand, place: usize, lane: u32, n: u32, record: &mut Record) -> Option<usize> {
        match *operand {
            Operand::General { variable, row, column, region, .. } => {
                let bytes = i64::from(self.program.variables[variable].element_bytes());
                let first = i64::from(row) * i64::from(self.grf_bytes) + i64::from(column) * bytes;
                Some((self.place(variable) + first + i64::from(region.element(lane)) * bytes) as usize)
            }
            Operand::State { variable, index } => {
                let own = if n == 1 { 0 } else { lane as i32 };
                Some((self.place(variable) + 4 * i64::from(index + own)) as usize)
            }
            Operand::Raw { variable, byte_offset } => {
                Some((self.place(variable) + i64::from(byte_offset) + 4 * i64::from(lane)) as usize)
            }
            Operand::Indirect { address, element, offset, region, element_type, .. } => {
                let bytes = i64::from(element_type.bytes());
                let (row, in_row) = match region.form {
                    RegionForm::Rows => {
                        let width = u32::from(region.width).max(1);
                        (lane / width, lane % width * u32::from(region.horizontal_stride))
                    }
                    _ => (0, region.element(lane)),
                };
                let _ = n;
                let at = (self.place(address) + 2 * i64::from(element + row as i32)) as usize;
                let (pointer, state) = self.read(at, 2);
                if state != State::Defined {
                    if state == State::Unwritten {
                        record.unset_addresses.push(element + row as i32);
                    }
                    return None;
                }
                let variable = self.provenance[at]?;
                let begin = self.places[variable.index()] as i64;
                let target = i64::from(pointer as u16) + i64::from(offset) + i64::from(in_row) * bytes;
                // An address is a number of 16 bits; one before the start of a variable is still near it.
                record.pointed.push(Pointed { place, lane, variable, byte: target - begin });
                let size = i64::from(self.program.variable_bytes(variable, self.grf_bytes));
                let byte = target - begin;
                if byte < 0 || byte + bytes > size || byte % bytes != 0 {
                    return None;
                }
                Some(target as usize)
            }
            _ => None,
        }
    }

    /// What a source holds in a lane, as it stands in the register, without source modifier. Nothing if it has no place.
    pub fn source(
        &self,
        operand: &Operand,
        place: usize,
        lane: u32,
        n: u32,
        record: &mut Record,
    ) -> Option<(u64, State)> {
        if let Operand::Immediate { bits, element_type } = *operand {
            let bits = match element_type {
                Type::UV => bits >> (4 * (lane % 8)) & 15,
                Type::V => ((bits >> (4 * (lane % 8)) << 60) as i64 >> 60) as u64,
                _ => bits,
            };
            return Some((bits & mask(self.kind(operand).bytes()), State::Defined));
        }
        let at = self.element(operand, place, lane, n, record)?;
        Some(self.read(at, self.kind(operand).bytes()))
    }

    /// The bits of an instruction's predicate, one for each of its lanes, and whether they are defined.
    fn predicate(&self, instruction: &Instruction, first: u32, n: u32, record: &mut Record) -> (u32, u32) {
        let lanes = ((1_u64 << n) - 1) as u32;
        let Some(predicate) = instruction.predicate else { return (lanes, lanes) };
        let (bits, written, defined) = self.predicates[predicate.variable.index()];
        let missing = !written & lanes << first;
        if missing != 0 {
            record.unset_bits.push((predicate.variable, missing));
        }
        let (own, own_defined) = (bits >> first & lanes, defined >> first & lanes);
        let (own, own_defined) = match predicate.control {
            PredicateControl::PerLane => (own, own_defined),
            PredicateControl::Any => (if own != 0 { lanes } else { 0 }, if own_defined == lanes { lanes } else { 0 }),
            PredicateControl::All => {
                (if own == lanes { lanes } else { 0 }, if own_defined == lanes { lanes } else { 0 })
            }
        };
        (if predicate.is_inverted { !own & lanes } else { own }, own_defined)
    }

    /// Notes what the operands hold whose values are compared with limits.
    fn note_numbers(&self, index: InstructionIndex, (lanes, n): (u32, u32), record: &mut Record) {
        let Some(view) = View::new(self.program, index).filter(|_| lanes != 0) else { return };
        for (place, operand) in view.operands.iter().enumerate() {
            if let Operand::LscAddress { index } = *operand {
                let address = &self.program.lsc_addresses[index as usize];
                let items = &self.program.lsc_items[address.items()];
                for (number, item) in record.address_numbers.elements[1..].iter_mut().zip(items) {
                    let LscValue::Element { variable, row, column } = item.value else { continue };
                    let element = i64::from(self.program.variables[variable].element_bytes());
                    let start = i64::from(row) * i64::from(self.grf_bytes) + i64::from(column) * element;
                    let (bits, state) = self.read((self.place(variable) + start) as usize, 4);
                    *number = (state == State::Defined).then_some(bits as u32);
                }
            } else if has_limits(&view, place) {
                let mut other = Record::default();
                for lane in (0..n).filter(|lane| lanes >> lane & 1 == 1) {
                    if let Some((bits, State::Defined)) = self.source(operand, place, lane, n, &mut other) {
                        let (kind, modifier) = (self.kind(operand), operand.modifier());
                        let is_plain = modifier == SourceModifier::None;
                        if is_plain || kind.is_integer() {
                            let bits = if is_plain { bits } else { self.modified(bits, kind, modifier) as u64 };
                            record.limited.push((place, lane, bits));
                        }
                    }
                }
            }
        }
    }

    /// Executes an instruction that is no branch. False if what it does is not defined.
    fn execute(
        &mut self,
        instruction: &Instruction,
        operation: Operation,
        exec_mask: u32,
        (bits, first, n): (u32, u32, u32),
        record: &mut Record,
    ) -> bool {
        let program = self.program;
        let operands = program.operands_of(instruction);
        match (operation, operands[0]) {
            (Operation::Setp, Operand::Predicate { variable }) => {
                return self.set_predicate(variable, &operands[1], exec_mask, (first, n), record);
            }
            (Operation::AddrAdd, Operand::Address { variable, element, .. }) => {
                return self.add_address(operands, variable, element, exec_mask, n, record);
            }
            (_, Operand::Predicate { variable }) if operation != Operation::Cmp => {
                return self.combine_predicates(operation, operands, variable, (exec_mask, first, n), record);
            }
            (Operation::Mov, _) if matches!(operands[1], Operand::Predicate { .. }) => {
                let Operand::Predicate { variable } = operands[1] else { return false };
                let n_elements = program.variables[variable].n_elements.min(32);
                let (bits, written, defined) = self.predicates[variable.index()];
                let all = ((1_u64 << n_elements) - 1) as u32;
                if !written & all != 0 {
                    record.unset_bits.push((variable, !written & all));
                }
                let to = self.kind(&operands[0]);
                let Some(at) = self.element(&operands[0], 0, 0, 1, record) else { return false };
                let is_defined = defined & all == all && n_elements >= 16.min(8 * to.bytes());
                self.write(at, to.bytes(), u64::from(bits & all) & mask(to.bytes()), is_defined);
                return true;
            }
            _ => {}
        }
        let gives_overflow = program.row(instruction).is_some_and(|row| row.predicate == Predication::Required);
        let n_destinations = if matches!(operation, Operation::Addc | Operation::Subb) { 2 } else { 1 };
        let sources = &operands[n_destinations..];
        let mut results: Vec<[(u64, bool); 2]> = Vec::with_capacity(n as usize);
        let mut misses = false;
        let mut undefined = vec![0_u32; sources.len()];
        for lane in 0..n {
            let mut numbers = [(0_u64, 0_i128); 4];
            let mut is_defined = true;
            for (i, source) in sources.iter().enumerate().filter(|_| exec_mask >> lane & 1 == 1) {
                let Some((raw, state)) = self.source(source, n_destinations + i, lane, n, record) else {
                    misses = true;
                    continue;
                };
                if state != State::Defined {
                    undefined[i] |= 1 << lane;
                }
                is_defined &= state == State::Defined;
                numbers[i] = (raw, self.modified(raw, self.kind(source), source.modifier()));
            }
            if operation == Operation::Shl && instruction.saturate && exec_mask >> lane & 1 == 1 {
                let is_signed = sources.iter().any(|s| self.kind(s).is_signed());
                let shifted = numbers[0].1 << (numbers[1].1 & 31);
                let limit = if is_signed { 1_i128 << 32 } else { 1 << 33 };
                record.wide |= u32::from(shifted >= limit || shifted < -(1_i128 << 32)) << lane;
            }
            let is_chosen = bits >> lane & 1 == 1;
            results.push(self.result(instruction, operation, operands, n_destinations, numbers, is_chosen, is_defined));
        }
        // What is not computed here.
        misses |= self.is_lenient
            && undefined.iter().all(|lanes| *lanes == 0)
            && (0..n).any(|lane| exec_mask >> lane & 1 == 1 && !results[lane as usize][0].1);
        for (i, lanes) in undefined.into_iter().enumerate().filter(|(_, lanes)| *lanes != 0) {
            record.undefined.push((n_destinations + i, lanes));
        }
        if misses {
            return false;
        }
        if let Operand::Predicate { variable } = operands[0] {
            for lane in (0..n).filter(|l| exec_mask >> l & 1 == 1) {
                let [(bit, is_defined), _] = results[lane as usize];
                self.write_bit(variable, first + lane, bit & 1 == 1, is_defined);
            }
            return true;
        }
        if let (Operation::Add3, Some(predicate), true) = (operation, instruction.predicate, gives_overflow) {
            for lane in (0..n).filter(|l| exec_mask >> l & 1 == 1) {
                let [_, (overflow, is_defined)] = results[lane as usize];
                self.write_bit(predicate.variable, first + lane, overflow == 1, is_defined);
            }
        }
        if operation == Operation::Madw {
            return self.write_both_halves(&operands[0], exec_mask, n, &results, record);
        }
        for (place, operand) in operands[..n_destinations].iter().enumerate().filter(|(_, o)| !o.is_null()) {
            let bytes = self.kind(operand).bytes();
            let mut targets = Vec::with_capacity(n as usize);
            for lane in (0..n).filter(|l| exec_mask >> l & 1 == 1) {
                match self.element(operand, place, lane, n, record) {
                    Some(at) => targets.push((lane, at)),
                    None => return false,
                }
            }
            if matches!(operand, Operand::Indirect { .. }) {
                record.overwritten = self.overwritten(sources, n_destinations, &targets, bytes, n);
            }
            for (lane, at) in targets {
                let (bits, is_defined) = results[lane as usize][place];
                self.write(at, bytes, bits, is_defined);
            }
        }
        true
    }

    /// Sources that other lanes than those which write there read.
    fn overwritten(
        &self,
        sources: &[Operand],
        first: usize,
        written: &[(u32, usize)],
        bytes: u32,
        n: u32,
    ) -> Vec<usize> {
        let is_overwritten = |source: &Operand| {
            let Operand::General { .. } = *source else { return false };
            let size = self.kind(source).bytes() as usize;
            written.iter().any(|(lane, at)| {
                (0..n).filter(|l| l != lane).any(|l| {
                    self.element(source, 0, l, n, &mut Record::default())
                        .is_some_and(|read| read < at + bytes as usize && *at < read + size)
                })
            })
        };
        sources.iter().zip(first..).filter(|(source, _)| is_overwritten(source)).map(|(_, place)| place).collect()
    }
}
