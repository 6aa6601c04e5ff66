//! What messages do to memory.

use super::{Noted, POINTER_BITS, Runner, SLM, SURFACE_BITS, SURFACES, Turn};
use crate::soundness::concrete::{Concrete, Record};
use visa_lint::program::lsc::{LscShapeKind, LscValue};
use visa_lint::program::{Operand, View};
use visa_lint::spec::predefined::VariableKind;
use visa_lint::spec::{ModifierName, OperandName};

/// A part of what a lane accesses.
#[derive(Clone, Copy)]
struct Part {
    /// Bytes behind the lane's address.
    offset: u64,
    /// Its bytes in memory, and in a register.
    memory: u32,
    register: u32,
    /// Its first byte in the data of lane 0, and how far the next lane's is.
    start: u32,
    stride: u32,
}

/// What a message does.
enum Kind {
    Load,
    Store,
    /// Computes with the old number and the source.
    Atomic(&'static str),
}

impl Runner<'_, '_> {
    /// Does what a message does to memory; nothing if it is not known here.
    pub(super) fn send(&mut self, machine: &mut Concrete, view: &View, (exec_mask, n): (u32, u32)) -> Option<()> {
        let mnemonic = view.row.mnemonic;
        Self::compute(machine, view, (exec_mask, n)).or_else(|| {
            self.access(machine, view, (exec_mask, n)).or_else(|| {
                self.shared.stuck = Some(format!("`{mnemonic}` is not known here"));
                None
            })
        })
    }

    /// Functions of floats that are no operation.
    fn compute(machine: &mut Concrete, view: &View, (exec_mask, n): (u32, u32)) -> Option<()> {
        let function: fn(f64) -> f64 = match view.row.mnemonic {
            "sqrt" => f64::sqrt,
            _ => return None,
        };
        let mut record = Record::default();
        for lane in (0..n).filter(|l| exec_mask >> l & 1 == 1) {
            let (raw, _) = machine.source(&view.operands[1], 1, lane, n, &mut record)?;
            let (from, to) = (machine.kind(&view.operands[1]), machine.kind(&view.operands[0]));
            let x = crate::soundness::concrete::float::number(raw, from, view.operands[1].modifier())?;
            let bits = crate::soundness::concrete::float::encode(function(x), to)?;
            let at = machine.element(&view.operands[0], 0, lane, n, &mut record)?;
            machine.write(at, to.bytes(), bits, true);
        }
        Some(())
    }

    fn access(&mut self, machine: &mut Concrete, view: &View, (exec_mask, n): (u32, u32)) -> Option<()> {
        let operands = view.operands;
        let mnemonic = view.row.mnemonic;
        let number = |slot: u8| view.modifier_number(slot) as u32;
        let group = 4 * n.max(self.court.grf_bytes / 4);
        let whole = |bytes: u32| vec![Part { offset: 0, memory: bytes, register: bytes, start: 0, stride: bytes }];
        let is_store = mnemonic.contains("scatter") || mnemonic.contains("store") || mnemonic.ends_with("_st");
        let kind = if is_store { Kind::Store } else { Kind::Load };
        let place = |operand: &Operand| match *operand {
            Operand::Raw { variable, byte_offset } | Operand::LscData { variable, byte_offset, .. } => {
                Some(machine.place(variable) + i64::from(byte_offset))
            }
            Operand::Variable { variable } => Some(machine.place(variable)),
            _ => None,
        };
        let scalar = |machine: &Concrete, operand: &Operand| {
            machine.source(operand, 0, 0, 1, &mut Record::default()).map(|(bits, _)| bits)
        };
        // One address for each lane: where they stand, their bytes.
        let lanes_at = |machine: &Concrete, at: i64, bytes: u32| -> Vec<u64> {
            (0..n).map(|lane| machine.read((at + i64::from(lane * bytes)) as usize, bytes).0).collect()
        };
        match mnemonic {
            "scatter4_scaled" | "gather4_scaled" | "scatter_scaled" | "gather_scaled" => {
                let base = self.surface(machine, &operands[0])?;
                let global = scalar(machine, &operands[1])?;
                let offsets = lanes_at(machine, place(&operands[2])?, 4);
                let parts = if mnemonic.contains('4') {
                    let channels = view.channel_mask()?;
                    let used = (0..4_u32).filter(|c| channels >> c & 1 == 1).enumerate();
                    used.map(|(i, c)| Part {
                        offset: u64::from(4 * c),
                        memory: 4,
                        register: 4,
                        start: i as u32 * group,
                        stride: 4,
                    })
                    .collect()
                } else {
                    vec![Part { offset: 0, memory: number(0), register: number(0), start: 0, stride: 4 }]
                };
                let addresses: Vec<u64> = offsets.iter().map(|o| base + u64::from((o + global) as u32)).collect();
                self.transfer(machine, view, (kind, &addresses, exec_mask), &parts, [place(&operands[3])?, 0])
            }
            "svm_scatter" | "svm_gather" => {
                let (block, n_blocks) = (number(0), number(1).max(1));
                let addresses = lanes_at(machine, place(&operands[0])?, 8);
                let parts: Vec<Part> = (0..n_blocks)
                    .map(|b| {
                        let (start, stride) = if block == 1 { (b, n_blocks.max(4)) } else { (b * n * block, block) };
                        Part { offset: u64::from(b * block), memory: block, register: block, start, stride }
                    })
                    .collect();
                self.transfer(machine, view, (kind, &addresses, exec_mask), &parts, [place(&operands[1])?, 0])
            }
            "svm_block_st" | "svm_block_ld" | "oword_ld" | "oword_st" | "oword_ld_unaligned" => {
                let (address, data) = if mnemonic.starts_with("svm") {
                    (scalar(machine, &operands[0])?, &operands[1])
                } else {
                    let unit = if mnemonic == "oword_ld_unaligned" { 1 } else { 16 };
                    (self.surface(machine, &operands[0])? + unit * scalar(machine, &operands[1])?, &operands[2])
                };
                let parts: Vec<Part> = (0..4 * n)
                    .map(|d| Part { offset: u64::from(4 * d), memory: 4, register: 4, start: 4 * d, stride: 4 })
                    .collect();
                self.transfer(machine, view, (kind, &[address], 1), &parts, [place(data)?, 0])
            }
            "svm_atomic" | "dword_atomic" => {
                let operation = view.modifier_word(ModifierName::OPERATION)?;
                let bytes = if number(1) == 64 { 8 } else { 4 };
                let addresses = if mnemonic == "svm_atomic" {
                    lanes_at(machine, place(&operands[0])?, 8)
                } else {
                    let base = self.surface(machine, &operands[0])?;
                    let offsets = lanes_at(machine, place(&operands[1])?, 4);
                    offsets.into_iter().map(|o| base + o).collect()
                };
                let data = |name: OperandName| {
                    view.numbered_operand(name).filter(|(_, o)| !o.is_null()).and_then(|(_, o)| place(o)).unwrap_or(0)
                };
                let places = [data(OperandName::DST), data(OperandName::SRC0)];
                self.transfer(machine, view, (Kind::Atomic(operation), &addresses, exec_mask), &whole(bytes), places)
            }
            _ if mnemonic.starts_with("lsc_") => self.lsc(machine, view, (exec_mask, n)),
            _ => None,
        }
    }

    fn lsc(&mut self, machine: &mut Concrete, view: &View, (exec_mask, n): (u32, u32)) -> Option<()> {
        let program = machine.program;
        let address = view.operands.iter().find_map(|operand| match *operand {
            Operand::LscAddress { index } => program.lsc_addresses.get(index as usize).copied(),
            _ => None,
        })?;
        let (data, shape) = view.operands.iter().find_map(|operand| match *operand {
            Operand::LscData { shape, .. } => Some((operand, program.lsc_shapes[shape as usize])),
            _ => None,
        })?;
        let place = |operand: &Operand| match *operand {
            Operand::Raw { variable, byte_offset } | Operand::LscData { variable, byte_offset, .. } => {
                machine.place(variable) + i64::from(byte_offset)
            }
            Operand::Variable { variable } => machine.place(variable),
            _ => 0,
        };
        let [item] = program.lsc_items[address.items()] else { return None };
        let bytes = address.size?.bytes();
        let element = |machine: &Concrete, value: LscValue, lane: u32, bytes: u32| -> Option<u64> {
            let at = match value {
                LscValue::Register { variable, byte_offset } => {
                    machine.place(variable) + i64::from(byte_offset) + i64::from(lane * bytes)
                }
                LscValue::Element { variable, row, column } => {
                    let element = i64::from(program.variables[variable].element_bytes());
                    machine.place(variable)
                        + i64::from(row) * i64::from(self.court.grf_bytes)
                        + i64::from(column) * element
                }
                LscValue::Immediate(number) => return Some(number as u64),
                LscValue::Null | LscValue::Broken => return None,
            };
            Some(machine.read(at as usize, bytes).0)
        };
        let base = match (view.modifier_word(ModifierName::UNIT)?, address.surface) {
            ("slm", _) => SLM,
            ("ugm", None) => 0,
            ("ugm", Some(surface)) => self.surface_base(element(machine, surface, 0, 4)?),
            _ => return None,
        };
        let LscShapeKind::Vector { n_elements, is_transposed } = shape.kind else { return None };
        let (memory, register) = (u32::from(shape.size.memory_bytes), u32::from(shape.size.register_bytes));
        if shape.size.is_high {
            return None;
        }
        let group = if is_transposed { register } else { (n * register).next_multiple_of(self.court.grf_bytes) };
        let parts: Vec<Part> = (0..u32::from(n_elements))
            .map(|i| Part { offset: u64::from(i * memory), memory, register, start: i * group, stride: register })
            .collect();
        let mut addresses = Vec::new();
        for lane in 0..if is_transposed { 1 } else { n } {
            let value = element(machine, item.value, lane, bytes)?;
            let sum = value.wrapping_mul(item.scale as u64).wrapping_add(item.displacement as u64);
            addresses.push(base.wrapping_add(if bytes == 8 { sum } else { u64::from(sum as u32) }));
        }
        let exec_mask = if is_transposed { exec_mask & 1 } else { exec_mask };
        let mnemonic = view.row.mnemonic;
        if let Some(operation) = mnemonic.strip_prefix("lsc_atomic_") {
            let operation = operation.strip_prefix('i').unwrap_or(operation);
            let source = view.numbered_operand(OperandName::SRC1_DATA).map(|(_, o)| o);
            let source = source.filter(|o| !o.is_null()).map_or(0, place);
            let places = [if data.is_null() { 0 } else { place(data) }, source];
            return self.transfer(machine, view, (Kind::Atomic(operation), &addresses, exec_mask), &parts, places);
        }
        let kind = match mnemonic {
            "lsc_load" => Kind::Load,
            "lsc_store" => Kind::Store,
            _ => return None,
        };
        let place = place(data);
        self.transfer(machine, view, (kind, &addresses, exec_mask), &parts, [place, 0])
    }

    /// Where a surface begins.
    fn surface(&self, machine: &Concrete, operand: &Operand) -> Option<u64> {
        let Operand::Handle { variable, index } = *operand else { return None };
        let root = machine.program.variables[variable].root;
        let name = |name: &str| visa_lint::program::VariableId::of_predefined(name);
        if Some(root) == name("%slm") {
            return Some(SLM);
        }
        if Some(root) == name("%scratch") {
            return Some(self.surface_base(0x1_0000 + self.number as u64));
        }
        let is_surface = machine.program.variables[root].kind == VariableKind::Surface;
        let at = machine.place(variable) + 4 * i64::from(index);
        is_surface.then(|| self.surface_base(machine.read(at as usize, 4).0))
    }

    fn surface_base(&self, number: u64) -> u64 {
        if number < self.shared.n_pointers { (number + 1) << POINTER_BITS } else { SURFACES + (number << SURFACE_BITS) }
    }

    /// Moves data between registers and memory; `places` are those of the data, and for atomics of the source.
    fn transfer(
        &mut self,
        machine: &mut Concrete,
        view: &View,
        (kind, addresses, exec_mask): (Kind, &[u64], u32),
        parts: &[Part],
        [data, source]: [i64; 2],
    ) -> Option<()> {
        let mut lanes: Vec<u32> = (0..addresses.len() as u32).filter(|l| exec_mask >> l & 1 == 1).collect();
        match self.shared.turn {
            Turn::First => {}
            Turn::Last => lanes.reverse(),
            Turn::Random(_) => {
                for i in (1..lanes.len()).rev() {
                    lanes.swap(i, self.shared.next() as usize % (i + 1));
                }
            }
        }
        self.own.time += 1;
        self.shared.n_messages += 1;
        for lane in lanes {
            for part in parts {
                let at = addresses[lane as usize].wrapping_add(part.offset);
                let here = data + i64::from(part.start + lane * part.stride);
                let bytes = at..at.wrapping_add(u64::from(part.memory));
                let written = match kind {
                    Kind::Load => {
                        let bits = self.bits(bytes.clone());
                        machine.write(here as usize, part.register, bits, true);
                        None
                    }
                    Kind::Store => {
                        let (bits, _) = machine.read(here as usize, part.memory);
                        for (at, byte) in bytes.clone().zip(bits.to_le_bytes()) {
                            self.store(at, byte);
                        }
                        Some(bits)
                    }
                    Kind::Atomic(operation) => {
                        self.show(&bytes);
                        let old = self.bits(bytes.clone());
                        let by = machine.read((source + i64::from(lane * part.register)) as usize, part.register).0;
                        let new = match operation {
                            "add" => old.wrapping_add(by),
                            "sub" => old.wrapping_sub(by),
                            "inc" => old.wrapping_add(1),
                            "dec" => old.wrapping_sub(1),
                            "and" => old & by,
                            "or" => old | by,
                            "xor" => old ^ by,
                            "xchg" | "store" => by,
                            "load" => old,
                            "max" | "umax" => old.max(by),
                            "min" | "umin" => old.min(by),
                            _ => return None,
                        };
                        for (at, byte) in bytes.clone().zip(new.to_le_bytes()) {
                            self.shared.memory.insert(at, byte);
                        }
                        if data != 0 {
                            machine.write(here as usize, part.register, old, true);
                        }
                        Some(new)
                    }
                };
                self.note(view, lane, (bytes.start, bytes.end), written, matches!(kind, Kind::Atomic(_)));
            }
        }
        Some(())
    }

    fn bits(&self, bytes: std::ops::Range<u64>) -> u64 {
        bytes.rev().fold(0, |bits, at| bits << 8 | u64::from(self.load(at)))
    }

    /// Others see what this thread has stored in some bytes.
    fn show(&mut self, bytes: &std::ops::Range<u64>) {
        let (shown, kept) = self.own.stores.iter().partition::<Vec<(u64, u8)>, _>(|(at, _)| bytes.contains(at));
        self.shared.memory.extend(shown);
        self.own.stores = kept;
    }

    /// Notes an access that is asked for.
    fn note(&mut self, view: &View, lane: u32, bytes: (u64, u64), data: Option<u64>, is_atomic: bool) {
        let own = (view.first_lane() + lane) as usize;
        let item = self.own.lanes.get(own).copied();
        for side in 0..self.shared.asked.len() {
            let asked = self.shared.asked[side];
            if asked.instruction != view.index.0 || asked.item.is_some() && asked.item != item {
                continue;
            }
            self.shared.noted.push(Noted {
                side,
                thread: self.number,
                lane: own as u32,
                bytes,
                data,
                is_atomic,
                time: self.own.time,
                message: self.shared.n_messages,
                seen: self.own.seen.clone(),
            });
        }
    }
}
