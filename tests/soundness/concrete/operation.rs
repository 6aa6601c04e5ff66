//! What operations give for numbers.

use super::{Concrete, LANES, Record, State, integer, mask};
use visa_lint::base::id::Id as _;
use visa_lint::program::{Instruction, Operand, Region, SourceModifier, VariableId};
use visa_lint::spec::Type;
use visa_lint::spec::operation::Operation;

/// An operation on integers, exact; `bits` is the width for those that look at the upper end of their sources.
pub fn compute(operation: Operation, [a, b, c]: [i128; 3], bits: u32, signed: bool) -> Option<i128> {
    let low = |x: i128| (x as u128) & ((1_u128 << bits) - 1);
    // A caller that looks at fewer bits of a count has cut it.
    let count = (b & if bits == 64 { 63 } else { 31 }) as u32;
    Some(match operation {
        Operation::Mov | Operation::Movs => a,
        Operation::Add => a + b,
        Operation::Add3 => a + b + c,
        Operation::Subb => a - b,
        Operation::Mul => a.wrapping_mul(b),
        Operation::Mad => a.wrapping_mul(b).wrapping_add(c),
        Operation::Mulh => a.wrapping_mul(b) >> bits,
        Operation::And => a & b,
        Operation::Or => a | b,
        Operation::Xor => a ^ b,
        Operation::Not => !a,
        Operation::Shl => a << count,
        Operation::Shr => (low(a) >> count) as i128,
        Operation::Asr => a >> count,
        Operation::Rol => {
            let n = count % bits;
            low((low(a) << n | low(a) >> (bits - n)) as i128) as i128
        }
        Operation::Ror => {
            let n = count % bits;
            low((low(a) >> n | low(a) << (bits - n)) as i128) as i128
        }
        Operation::Bfrev => i128::from((a as u32).reverse_bits()),
        Operation::Min => a.min(b),
        Operation::Max => a.max(b),
        Operation::Avg => (a + b + 1) >> 1,
        Operation::Div if b != 0 => a / b,
        Operation::Mod if b != 0 => a % b,
        Operation::Cbit => low(a).count_ones().into(),
        Operation::Lzd => i128::from(low(a).leading_zeros() - (128 - bits)),
        Operation::Fbl if low(a) == 0 => -1,
        Operation::Fbl => low(a).trailing_zeros().into(),
        Operation::Fbh => {
            let looked_at = if signed && a < 0 { low(!a) } else { low(a) };
            if looked_at == 0 { -1 } else { i128::from(looked_at.leading_zeros() - (128 - bits)) }
        }
        // No number, or one that is not computed here; every operation is named, so that a new one is not forgotten.
        Operation::Div
        | Operation::Mod
        | Operation::AddrAdd
        | Operation::Addc
        | Operation::Madw
        | Operation::Bfe
        | Operation::Bfi
        | Operation::Bfn
        | Operation::Dp4a
        | Operation::Sel
        | Operation::Cmp
        | Operation::Setp
        | Operation::Rndd
        | Operation::Rndu
        | Operation::Rnde
        | Operation::Rndz
        | Operation::Inv => return None,
    })
}

impl Concrete<'_> {
    /// The number that a source is with its modifier.
    pub(super) fn modified(&self, raw: u64, kind: Type, modifier: SourceModifier) -> i128 {
        let number = integer(raw, kind.bytes(), kind.is_signed());
        let changed = match modifier {
            SourceModifier::None => return number,
            SourceModifier::Negate => -number,
            SourceModifier::Absolute if !kind.is_signed() => return number,
            SourceModifier::Absolute => number.abs(),
            SourceModifier::NegateAbsolute => -number.abs(),
            SourceModifier::Complement => return integer(!raw, kind.bytes(), kind.is_signed()),
        };
        // No machine has more than 64 bits.
        let wraps = self.manner.wraps_narrow || kind.bytes() == 8;
        if wraps { integer(changed as u64, kind.bytes(), true) } else { changed }
    }

    /// What an operation gives to its destinations.
    #[expect(clippy::too_many_arguments, reason = "the parts of an instruction")]
    #[expect(clippy::too_many_lines, reason = "one arm for each operation")]
    pub(super) fn result(
        &self,
        instruction: &Instruction,
        operation: Operation,
        operands: &[Operand],
        n_destinations: usize,
        numbers: [(u64, i128); 4],
        is_chosen: bool,
        is_defined: bool,
    ) -> [(u64, bool); 2] {
        let sources = &operands[n_destinations..];
        let kinds: Vec<Type> = sources.iter().map(|s| self.kind(s)).collect();
        let is_signed = |i: usize| {
            kinds[i].is_signed()
                || matches!(sources[i].modifier(), SourceModifier::Negate | SourceModifier::NegateAbsolute)
        };
        let own = kinds.iter().map(|k| k.bytes()).max().unwrap_or(4);
        let signed = (0..kinds.len()).any(is_signed);
        let [a, b, c, d] = numbers.map(|(_, n)| n);
        let whole = |n: i128| integer(n as u64, own, signed);
        match operation {
            Operation::Cmp => {
                let relation = self.relation(instruction);
                let floats = kinds.iter().any(|kind| kind.is_float()).then(|| {
                    let number = |i: usize| super::float::number(numbers[i].0, kinds[i], sources[i].modifier());
                    Some((number(0)?, number(1)?))
                });
                if let Some(Some((x, y))) = floats {
                    let bits = if super::float::holds(relation, x, y) { u64::MAX } else { 0 };
                    return [(bits & mask(self.kind(&operands[0]).bytes()), is_defined), (0, true)];
                }
                let holds = match relation {
                    // Bits are compared, whatever the signs.
                    0 => integer(a as u64, own, false) == integer(b as u64, own, false),
                    1 => integer(a as u64, own, false) != integer(b as u64, own, false),
                    2 => a > b,
                    3 => a >= b,
                    4 => a < b,
                    _ => a <= b,
                };
                let bits = if holds { u64::MAX } else { 0 };
                let bytes = self.kind(&operands[0]).bytes();
                return [(bits & mask(bytes), is_defined), (0, true)];
            }
            Operation::Addc => {
                let sum = a + b;
                return [(sum as u64 & mask(4), is_defined), (u64::from(sum > i128::from(u32::MAX)), is_defined)];
            }
            Operation::Madw => {
                let whole = a.wrapping_mul(b).wrapping_add(c) as u64;
                return [(whole & mask(4), is_defined), (whole >> 32, is_defined)];
            }
            Operation::Subb => return [((a - b) as u64 & mask(4), is_defined), (u64::from(a < b), is_defined)],
            _ => {}
        }
        let to = self.kind(&operands[0]);
        if kinds.iter().chain([&to]).any(|kind| kind.is_float()) {
            let [(a, _), (b, _), (c, _), _] = numbers;
            let raw: Vec<(u64, Type)> = [a, b, c].into_iter().zip(kinds.iter().copied()).collect();
            let modifiers: Vec<SourceModifier> = sources.iter().map(Operand::modifier).collect();
            let result = super::float::compute(operation, &raw, &modifiers, to, is_chosen);
            return [(result.unwrap_or(0), is_defined && result.is_some()), (0, true)];
        }
        let looked_at = if self.manner.counts_by_destination { to.bytes() } else { own };
        let count = b & if looked_at == 8 { 63 } else { 31 };
        let number = match operation {
            Operation::Sel => {
                if is_chosen {
                    a
                } else {
                    b
                }
            }
            Operation::Shl => {
                let shifted = a << count;
                if self.manner.wraps_narrow && !instruction.saturate { whole(shifted) } else { shifted }
            }
            Operation::Bfn => {
                let modifiers = self.program.modifiers_of(instruction);
                let table = modifiers.first().map_or(0, |m| m.number);
                let bit = |n: i128, i: u32| (n >> i & 1) as u32;
                (0..64).fold(0, |result: i128, i| {
                    let entry = bit(a, i) | bit(b, i) << 1 | bit(c, i) << 2;
                    result | i128::from(table >> entry & 1) << i
                })
            }
            Operation::Dp4a => {
                let byte = |n: i128, i: u32, is_signed: bool| {
                    let byte = (n >> (8 * i)) as u8;
                    if is_signed { i128::from(byte as i8) } else { i128::from(byte) }
                };
                let product = |i| byte(b, i, kinds[1].is_signed()) * byte(c, i, kinds[2].is_signed());
                a + (0..4).map(product).sum::<i128>()
            }
            Operation::Bfi => {
                let (width, offset) = ((a & 31) as u32, (b & 31) as u32);
                let field = ((1_u64 << width) - 1) << offset & mask(4);
                i128::from(d as u64 & !field & mask(4) | ((c as u64) << offset) & field)
            }
            Operation::Bfe => {
                let (width, offset) = ((a & 31) as u32, (b & 31) as u32);
                let kept = width.min(32 - offset);
                if width == 0 {
                    0
                } else {
                    let field = (c as u64 & mask(4)) >> offset & ((1_u64 << kept) - 1);
                    if to.is_signed() && field >> (kept - 1) & 1 == 1 {
                        i128::from(field) - (1_i128 << kept)
                    } else {
                        i128::from(field)
                    }
                }
            }
            _ => {
                let is_shift = matches!(operation, Operation::Shr | Operation::Asr);
                let computed = compute(operation, [a, if is_shift { count } else { b }, c], 8 * own, signed);
                let Some(number) = computed else { return [(0, false), (0, false)] };
                let keeps = matches!(operation, Operation::Add | Operation::Add3 | Operation::Not);
                if keeps && self.manner.wraps_narrow && !instruction.saturate { whole(number) } else { number }
            }
        };
        let bits = if instruction.saturate {
            let width = 8 * to.bytes();
            let (low, high) = if to.is_signed() {
                (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1)
            } else {
                (0, (1_i128 << width) - 1)
            };
            number.clamp(low, high) as u64
        } else {
            number as u64
        };
        let overflow = number != integer(number as u64, to.bytes(), to.is_signed());
        [(bits & mask(to.bytes()), is_defined), (u64::from(overflow), is_defined)]
    }

    /// `madw`: the lower dwords at the destination; the upper ones from the next register on that holds none of them.
    pub(super) fn write_both_halves(
        &mut self,
        operand: &Operand,
        exec_mask: u32,
        n: u32,
        results: &[[(u64, bool); 2]],
        record: &mut Record,
    ) -> bool {
        let Operand::General { variable, .. } = *operand else { return false };
        let places: Option<Vec<usize>> = (0..n).map(|lane| self.element(operand, 0, lane, n, record)).collect();
        let Some(places) = places else { return false };
        let begin = self.places[self.root(variable).0.index()];
        let end = places.last().map_or(begin, |last| last + 4);
        let upper = begin + (end - begin).next_multiple_of(self.grf_bytes as usize);
        let shift = upper - places[0];
        for lane in (0..n).filter(|l| exec_mask >> l & 1 == 1) {
            let [low, high] = results[lane as usize];
            self.write(places[lane as usize], 4, low.0, low.1);
            self.write(places[lane as usize] + shift, 4, high.0, high.1);
        }
        true
    }

    /// The place of the relation in the list eq, ne, gt, ge, lt, le.
    pub(super) fn relation(&self, instruction: &Instruction) -> u8 {
        self.program.modifiers_of(instruction).first().map_or(0, |m| m.value)
    }

    pub(super) fn write_bit(&mut self, variable: VariableId, lane: u32, bit: bool, is_defined: bool) {
        let (bits, written, defined) = &mut self.predicates[variable.index()];
        let own = 1_u32.checked_shl(lane).unwrap_or(0);
        *bits = if bit { *bits | own } else { *bits & !own };
        *written |= own;
        *defined = if is_defined { *defined | own } else { *defined & !own };
    }

    pub(super) fn set_predicate(
        &mut self,
        variable: VariableId,
        source: &Operand,
        exec_mask: u32,
        (first, n): (u32, u32),
        record: &mut Record,
    ) -> bool {
        let is_scalar = n == 1 || source.region().is_none_or(Region::is_scalar);
        if is_scalar {
            let Some((bits, state)) = self.source(source, 1, 0, 1, record) else { return false };
            if state != State::Defined {
                record.undefined.push((1, 1));
            }
            let (begin, count) = (if first >= 16 { 16 } else { 0 }, if n == 32 { 32 } else { 16 });
            for i in 0..count {
                self.write_bit(variable, begin + i, bits >> i & 1 == 1, state == State::Defined);
            }
            return true;
        }
        let mut undefined = 0;
        for lane in (0..n).filter(|l| exec_mask >> l & 1 == 1) {
            let Some((bits, state)) = self.source(source, 1, lane, n, record) else { return false };
            if state != State::Defined {
                undefined |= 1 << lane;
            }
            self.write_bit(variable, first + lane, bits & 1 == 1, state == State::Defined);
        }
        if undefined != 0 {
            record.undefined.push((1, undefined));
        }
        true
    }

    pub(super) fn combine_predicates(
        &mut self,
        operation: Operation,
        operands: &[Operand],
        to: VariableId,
        (exec_mask, first, n): (u32, u32, u32),
        record: &mut Record,
    ) -> bool {
        let mut sources = [(0, 0, u32::MAX); 2];
        for (source, operand) in sources.iter_mut().zip(&operands[1..]) {
            if let Operand::Predicate { variable } = *operand {
                *source = self.predicates[variable.index()];
                let missing = !source.1 & (((1_u64 << n) - 1) << first) as u32;
                if missing != 0 {
                    record.unset_bits.push((variable, missing));
                }
            }
        }
        let [(a, _, x), (b, _, y)] = sources;
        let bits = match operation {
            Operation::And => a & b,
            Operation::Or => a | b,
            Operation::Xor => a ^ b,
            Operation::Not => !a,
            _ => panic!("nothing says what {operation:?} makes of predicates"),
        };
        for lane in (first..LANES).filter(|l| exec_mask >> (l - first) & 1 == 1) {
            self.write_bit(to, lane, bits >> lane & 1 == 1, x & y & 1 << lane != 0);
        }
        true
    }

    pub(super) fn add_address(
        &mut self,
        operands: &[Operand],
        to: VariableId,
        element: i32,
        exec_mask: u32,
        n: u32,
        record: &mut Record,
    ) -> bool {
        let mut new = Vec::new();
        for lane in (0..n).filter(|l| exec_mask >> l & 1 == 1) {
            let (base, is_defined, from) = match operands[1] {
                Operand::AddressOf { variable, offset } => {
                    let (root, _) = self.root(variable);
                    ((self.place(variable) + i64::from(offset)) as u64, true, Some(root))
                }
                Operand::Address { variable, element, width } => {
                    let own = element + if width <= 1 { 0 } else { lane as i32 };
                    let at = (self.place(variable) + 2 * i64::from(own)) as usize;
                    let (bits, state) = self.read(at, 2);
                    if state == State::Unwritten {
                        record.unset_addresses.push(own);
                    }
                    (bits, state == State::Defined, self.provenance[at])
                }
                _ => return false,
            };
            let Some((bits, state)) = self.source(&operands[2], 2, lane, n, record) else { return false };
            if state != State::Defined {
                record.undefined.push((2, 1 << lane));
            }
            let kind = self.kind(&operands[2]);
            let offset = integer(bits, kind.bytes(), kind.is_signed());
            let sum = (i128::from(base) + offset) as u64 & 0xffff;
            new.push((lane, sum, is_defined && state == State::Defined, from));
        }
        for (lane, sum, is_defined, from) in new {
            let at = (self.place(to) + 2 * i64::from(element + lane as i32)) as usize;
            self.write(at, 2, sum, is_defined);
            self.provenance[at] = from;
        }
        true
    }
}
