//! `bfn`: any function of three bits, by its truth table.

use super::function::Function;
use super::{Domain, Value, fold, mask};

/// The entries of a table that stand for a clear and for a set bit of one source, as tables of the other two.
const fn cofactors(table: u8, source: u8) -> (u8, u8) {
    let (mut clear, mut set, mut entry) = (0, 0, 0);
    while entry < 8 {
        if table >> entry & 1 == 1 {
            let low = entry & ((1 << source) - 1);
            let rest = low | (entry >> (source + 1)) << source;
            if entry >> source & 1 == 1 {
                set |= 1 << rest;
            } else {
                clear |= 1 << rest;
            }
        }
        entry += 1;
    }
    (clear, set)
}

impl Domain {
    /// The function of three sources with that table; each bit of the result is the bit of the table that the bits of the
    /// sources count up to.
    pub fn bit_function(&mut self, table: u8, a: Value, b: Value, c: Value) -> Value {
        if let (Some(x), Some(y), Some(z)) = (a.as_known(), b.as_known(), c.as_known()) {
            return Value::known(fold::bits(table, x, y, z), a.bytes);
        }
        for (source, value, x, y) in [(0, a, b, c), (1, b, a, c), (2, c, a, b)] {
            let (clear, set) = cofactors(table, source);
            if clear == set {
                return self.function_of_two(clear, x, y);
            }
            if let Some(bits) = value.as_known() {
                let (low, high) = (self.function_of_two(clear, x, y), self.function_of_two(set, x, y));
                let low = self.bit_and(low, Value::known(!bits, a.bytes));
                let high = self.bit_and(high, Value::known(bits, a.bytes));
                return self.add(low, high);
            }
        }
        match table {
            0x80 => {
                let both = self.bit_and(a, b);
                self.bit_and(both, c)
            }
            0xfe => {
                let either = self.bit_or(a, b);
                self.bit_or(either, c)
            }
            0x96 => {
                let both = self.bit_xor(a, b);
                self.bit_xor(both, c)
            }
            _ => {
                let high = self.range(a).1 | self.range(b).1 | self.range(c).1;
                let covers = if high == 0 { 0 } else { u64::MAX >> high.leading_zeros() };
                // The lowest entry is what becomes of zeros.
                let high = if table & 1 == 0 { covers } else { mask(a.bytes) };
                self.applied_within(Function::Bits(table), [a, b, c], a.bytes, 0, 0, high)
            }
        }
    }

    /// The function of two sources with a table of four entries.
    fn function_of_two(&mut self, table: u8, a: Value, b: Value) -> Value {
        if table & 1 == 1 {
            let opposite = self.function_of_two(table ^ 15, a, b);
            return self.bit_not(opposite);
        }
        match table >> 1 {
            0 => Value::known(0, a.bytes),
            1 => {
                let not_b = self.bit_not(b);
                self.bit_and(a, not_b)
            }
            2 => {
                let not_a = self.bit_not(a);
                self.bit_and(b, not_a)
            }
            3 => self.bit_xor(a, b),
            4 => self.bit_and(a, b),
            5 => a,
            6 => b,
            _ => self.bit_or(a, b),
        }
    }
}
