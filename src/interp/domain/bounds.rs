//! Bounds of operations that are only computed on known numbers.

use super::atom::AtomKind;
use super::{Domain, Value, fold, mask};
use crate::spec::operation::Operation;

/// What is known of the result of an operation, whatever the operands are.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// It is a multiple of two to this.
    pub(super) zeros: u32,
    /// Least value.
    pub(super) low: u64,
    /// Greatest value.
    pub(super) high: u64,
}

impl Bounds {
    const fn within(low: u64, high: u64) -> Self {
        Self { zeros: 0, low, high }
    }
}

impl Domain {
    /// What is known of the result of an operation on numbers of one width.
    pub(super) fn bounds(&self, operation: Operation, signed: bool, [a, b, c]: [Value; 3], bytes: u8) -> Bounds {
        let whole = mask(a.bytes);
        let half = whole >> 1;
        let ((a_low, a_high), (b_low, b_high)) = (self.range(a), self.range(b));
        // As unsigned numbers.
        let is_plain = !signed || a_high <= half && b_high <= half;
        match operation {
            Operation::Shl => self.shifted_bounds(a, (b_low, b_high)),
            Operation::Shr | Operation::Asr if operation == Operation::Shr || a_high <= half => {
                if is_count(b_high, a.bytes) {
                    Bounds::within(a_low >> b_high, a_high >> b_low)
                } else {
                    Bounds::within(0, a_high)
                }
            }
            Operation::Avg if is_plain => {
                let average = |x: u64, y: u64| (u128::from(x) + u128::from(y)).div_ceil(2) as u64;
                Bounds::within(average(a_low, b_low), average(a_high, b_high))
            }
            Operation::Mulh if is_plain => {
                let upper = |x: u64, y: u64| ((u128::from(x) * u128::from(y)) >> (8 * u32::from(a.bytes))) as u64;
                Bounds::within(upper(a_low, b_low), upper(a_high, b_high))
            }
            // By zero it is not defined.
            Operation::Div if is_plain && b_high > 0 => Bounds::within(a_low / b_high, a_high / b_low.max(1)),
            Operation::Mod if is_plain && b_high > 0 => Bounds::within(0, a_high.min(b_high - 1)),
            Operation::Fbl | Operation::Fbh | Operation::Lzd | Operation::Cbit => {
                let Bounds { low, high, .. } = self.counted_bounds(operation, signed, a);
                Bounds::within(low.min(mask(bytes)), high.min(mask(bytes)))
            }
            Operation::Bfrev if a.bytes == 4 => {
                let turned = |bits: u64| u64::from((bits as u32).reverse_bits());
                let possible = turned(self.possible_ones(a));
                Bounds { zeros: possible.trailing_zeros(), low: turned(self.known_ones(a)), high: possible }
            }
            Operation::Bfe if !signed => {
                let field = a.as_known().map_or(whole, |bits| (1 << (bits & 31)) - 1);
                Bounds::within(0, field.min(self.range(c).1))
            }
            _ => Bounds::within(0, mask(bytes)),
        }
    }

    /// What is known of `a << count` for counts within those ends.
    fn shifted_bounds(&self, a: Value, (least, most): (u64, u64)) -> Bounds {
        let whole = mask(a.bytes);
        if !is_count(most, a.bytes) {
            return Bounds::within(0, whole);
        }
        let zeros = self.zeros(a).saturating_add(least as u32);
        let (low, high) = self.range(a);
        // The count is less than 64.
        let (low, high) = (u128::from(low) << least, u128::from(high) << most);
        if high > u128::from(whole) {
            return Bounds { zeros, low: 0, high: whole };
        }
        Bounds { zeros, low: low as u64, high: high as u64 }
    }

    /// What is known of a count of bits of a number.
    fn counted_bounds(&self, operation: Operation, signed: bool, a: Value) -> Bounds {
        let bits = 8 * u64::from(a.bytes);
        let (low, high) = self.range(a);
        let leading = |x: u64| u64::from(x.leading_zeros()) - (64 - bits);
        // There is no bit to be found in zero.
        let none = u64::from(u32::MAX);
        match operation {
            Operation::Cbit => {
                let ones = |bits: u64| u64::from(bits.count_ones());
                Bounds::within(ones(self.known_ones(a)), ones(self.possible_ones(a)))
            }
            Operation::Lzd => Bounds::within(leading(high), leading(low)),
            Operation::Fbl => {
                let first = self.known_ones(a).trailing_zeros();
                let most = match low {
                    _ if first < 64 => u64::from(first),
                    0 => none,
                    _ => bits - 1 - leading(high),
                };
                Bounds::within(u64::from(self.zeros(a)).min(most), most)
            }
            // Of negative numbers zeros are looked for.
            Operation::Fbh if signed && high > mask(a.bytes) >> 1 => Bounds::within(0, none),
            _ => Bounds::within(leading(high), if low > 0 { leading(low) } else { none }),
        }
    }

    /// Between which numbers the products of the four bytes of two dwords add up to, where all bytes count as positive;
    /// otherwise the ends of all dwords.
    pub(crate) fn dot_product_bounds(&self, b: Value, c: Value, (b_signed, c_signed): (bool, bool)) -> (u64, u64) {
        let most = (self.possible_ones(b), self.possible_ones(c));
        if b_signed && most.0 & SIGNS != 0 || c_signed && most.1 & SIGNS != 0 {
            return (0, mask(4));
        }
        let least = (self.known_ones(b), self.known_ones(c));
        (fold::dot_product(least.0, least.1, (false, false)), fold::dot_product(most.0, most.1, (false, false)))
    }

    /// Whether no choice of the unknowns makes it a multiple of that power of two.
    pub fn is_no_multiple(&mut self, a: Value, of: u64) -> bool {
        debug_assert!(of.is_power_of_two(), "{of}");
        self.is_no_multiple_within(a, of, MAX_CHOICES)
    }

    fn is_no_multiple_within(&mut self, a: Value, of: u64, depth: u32) -> bool {
        let bits = of.trailing_zeros();
        // What may be any number may make up for what the others leave.
        let (mut zeros, mut is_free) = (bits, false);
        self.each_block(a.sum, |coefficient, block| {
            let own = coefficient.trailing_zeros() + u32::from(block.zeros);
            let is_any = block.zeros == 0 && block.low == 0 && block.high == mask(block.bytes);
            let is_plain = matches!(block.kind, AtomKind::Initial(..) | AtomKind::Unknown(..));
            is_free = own <= zeros && is_any && is_plain || own >= zeros && is_free;
            zeros = zeros.min(own);
        });
        if !a.constant.is_multiple_of(1 << zeros) {
            return true;
        }
        if zeros == bits || is_free {
            return false;
        }
        let rest = self.modulo(a, bits);
        if let Some(known) = rest.as_known() {
            return !known.is_multiple_of(of);
        }
        if !self.known_ones(rest).is_multiple_of(of) {
            return true;
        }
        // Coefficients are positive here.
        let within = self.interval(rest);
        let turns = |n: i128| n.div_euclid(i128::from(of));
        if turns(within.low - 1) == turns(within.high) {
            return true;
        }
        if within.high - within.low <= FEW
            && self.set(rest).is_some_and(|all| all.iter().all(|n| !n.is_multiple_of(of)))
        {
            return true;
        }
        // Neither the one nor the other.
        match rest.sum.as_single().filter(|_| depth > 0).map(|atom| self.kind(atom)) {
            Some(AtomKind::Select(_, x, y)) => {
                let mut all = [x, y].into_iter();
                all.all(|arm| self.is_no_multiple_within(arm.plus(rest.constant), of, depth - 1))
            }
            _ => false,
        }
    }
}

/// How deep choices within choices are looked at.
const MAX_CHOICES: u32 = 3;

/// The signs of the four bytes of a dword.
const SIGNS: u64 = 0x8080_8080;

/// Numbers are only looked at one by one if they lie as close together as this.
const FEW: i128 = 256;

/// Whether no machine looks at some bits only of a count that is at most that.
const fn is_count(most: u64, bytes: u8) -> bool {
    most <= if bytes == 8 { 63 } else { 31 }
}
