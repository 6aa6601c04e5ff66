//! The messages of the programs that are tested.

use super::{Access, Concrete, LANES, Record, State, mask};
use rustc_hash::FxHashMap;
use visa_lint::program::{Instruction, Operand};

impl Concrete<'_> {
    /// The messages of the programs that are tested.
    pub(super) fn message(
        &mut self,
        mnemonic: &str,
        instruction: &Instruction,
        exec_mask: u32,
        n: u32,
        record: &mut Record,
    ) -> bool {
        let program = self.program;
        let operands = program.operands_of(instruction);
        let modifiers = program.modifiers_of(instruction);
        let number = modifiers.first().map_or(0, |m| m.number) as u32;
        // Operand of the addresses, their bytes, parts of a lane (offset, bytes, byte of lane 0 in the data, stride).
        let group = 4 * n.max(self.grf_bytes / 4);
        let channels: Vec<(u64, u32, u32, u32)> = (0..4_u32)
            .filter(|c| number >> c & 1 == 1)
            .enumerate()
            .map(|(i, c)| (u64::from(4 * c), 4, i as u32 * group, 4))
            .collect();
        let (addresses, width, parts, data, is_load) = match mnemonic {
            "scatter4_scaled" => (2, 4, channels, 3, false),
            "gather4_scaled" => (2, 4, channels, 3, true),
            "scatter_scaled" => (2, 4, vec![(0, number, 0, 4)], 3, false),
            "svm_scatter" => {
                let n_blocks = modifiers.get(1).map_or(1, |m| m.number) as u32;
                let parts = (0..n_blocks)
                    .map(|b| {
                        if number == 1 {
                            (u64::from(b), 1, b, n_blocks.max(4))
                        } else {
                            (u64::from(b * number), number, b * n * number, number)
                        }
                    })
                    .collect();
                (0, 8, parts, 1, false)
            }
            _ => return true,
        };
        let base = if width == 4 {
            match self.source(&operands[1], 1, 0, 1, record) {
                Some((bits, State::Defined)) => bits,
                _ => return false,
            }
        } else {
            0
        };
        let raw = |operand: &Operand| match *operand {
            Operand::Raw { variable, byte_offset } => Some(self.place(variable) + i64::from(byte_offset)),
            _ => None,
        };
        let (Some(from), Some(at)) = (raw(&operands[addresses]), raw(&operands[data])) else { return false };
        // Surfaces are told apart by their variables; zero stands for virtual addresses.
        let memory = if width == 4 { operands[0].variable().map_or(0, |v| v.0) } else { 0 };
        let mut stored: FxHashMap<u64, Option<u8>> = FxHashMap::default();
        let mut begins = [0; LANES as usize];
        let (mut undefined, mut undefined_data) = (0, 0);
        for lane in (0..n).filter(|l| exec_mask >> l & 1 == 1) {
            let (offset, state) = self.read((from + i64::from(lane * width)) as usize, width);
            if state != State::Defined {
                undefined |= 1 << lane;
                continue;
            }
            let first = base.wrapping_add(offset) & mask(width);
            begins[lane as usize] = first;
            for (offset, bytes, byte, stride) in &parts {
                let here = (at + i64::from(byte + lane * stride)) as usize;
                let address = first.wrapping_add(*offset) & mask(width);
                let (bits, state) = self.read(here, *bytes);
                let data = (!is_load && state == State::Defined).then_some(bits);
                if !is_load && state != State::Defined {
                    undefined_data |= 1 << lane;
                }
                record.accesses.push(Access { lane, address, width, offset: *offset, bytes: *bytes, data });
                for byte in (0..*bytes).filter(|_| !is_load) {
                    // What lanes store that meet is not defined.
                    let new = data.map(|data| (data >> (8 * byte)) as u8);
                    let at = address.wrapping_add(byte.into()) & mask(width);
                    stored.entry(at).and_modify(|old| *old = None).or_insert(new);
                }
            }
        }
        if undefined_data != 0 {
            record.undefined.push((data, undefined_data));
        }
        if undefined != 0 {
            record.undefined.push((addresses, undefined));
            return false;
        }
        self.memory.extend(stored.into_iter().map(|(at, byte)| ((memory, at), byte)));
        if is_load {
            for (offset, bytes, byte, stride) in parts {
                // What nothing has stored: lanes of one message that load it from one place get one number.
                let mut unknown = FxHashMap::default();
                for lane in (0..n).filter(|l| exec_mask >> l & 1 == 1) {
                    let style = self.next() % 6;
                    let number = self.number(style) & mask(bytes);
                    let begin = begins[lane as usize];
                    let loaded = *unknown.entry(begin & mask(width)).or_insert(number);
                    let places = (0..bytes).map(|i| begin.wrapping_add(offset + u64::from(i)) & mask(width));
                    let Some(loaded) = self.with_stored(memory, places, loaded) else { return false };
                    self.write((at + i64::from(byte + lane * stride)) as usize, bytes, loaded, true);
                }
                let end = (byte + n * stride).next_multiple_of(self.grf_bytes);
                for rest in byte + n * stride..end {
                    self.states[(at + i64::from(rest)) as usize] = State::Undefined;
                }
            }
        }
        true
    }

    /// A number of which some bytes have been stored at their places; nothing if it is not known what one of them holds.
    fn with_stored(&self, memory: u32, places: impl Iterator<Item = u64>, number: u64) -> Option<u64> {
        let mut number = number;
        for (i, at) in places.enumerate() {
            if let Some(own) = self.memory.get(&(memory, at)) {
                number = number & !(0xff << (8 * i)) | u64::from((*own)?) << (8 * i);
            }
        }
        Some(number)
    }
}
