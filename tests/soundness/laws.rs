//! What has to be so of any values: random ones are made, unknowns get numbers, and results are compared with what the
//! numbers give.

use super::precision::{Table, say};
use crate::support::{blessed, check_sum_of, tests_folder};
use rayon::prelude::*;
use visa_lint::interp::domain::atom::Origin;
use visa_lint::interp::domain::cases::{Case, Splits};
use visa_lint::interp::domain::concrete::Assignment;
use visa_lint::interp::domain::condition::Condition;
use visa_lint::interp::domain::fold;
use visa_lint::interp::domain::lanes::Lanes;
use visa_lint::interp::domain::{Domain, LANES, Value, mask, sign_extended};
use visa_lint::spec::operation::Operation;

/// Collections of values that are looked at, steps in which each is made, and choices of numbers for their unknowns.
const N_POOLS: u64 = 4000;
const N_STEPS: usize = 120;
const N_CHOICES: u64 = 10;

struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// What values and conditions are, for one choice of the unknowns.
trait Evaluate {
    fn number(&mut self, value: Value) -> u64;
    fn holds(&mut self, condition: Condition) -> bool;
}

impl<F: FnMut(visa_lint::interp::domain::atom::Atom) -> Option<u64>> Evaluate for Assignment<'_, F> {
    fn number(&mut self, value: Value) -> u64 {
        self.value(value)
    }

    fn holds(&mut self, condition: Condition) -> bool {
        self.condition(condition)
    }
}

type Law = Box<dyn Fn(&mut dyn Evaluate) -> bool>;

struct Pool {
    domain: Domain,
    values: Vec<Value>,
    conditions: Vec<Condition>,
    numbers: Numbers,
    laws: Vec<(&'static str, Law)>,
    /// How much is known of what is made.
    known: Table,
}

impl Pool {
    fn new(seed: u64, known: Table) -> Self {
        let mut domain = Domain::new();
        let mut values = Vec::new();
        for bytes in [1, 2, 4, 4, 8] {
            let run = domain.unknown(bytes, Origin::Result);
            values.extend([run.at(0), run.at(1), run.at(2).plus(4), Value::known(seed, bytes)]);
        }
        let unknown = domain.unknown_condition();
        let conditions = vec![unknown.at(0), unknown.at(1), unknown.at(2).not(), Condition::TRUE, Condition::FALSE];
        let numbers = Numbers((seed ^ 0x5851_f42d_4c95_7f2d).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        Self { domain, values, conditions, numbers, laws: Vec::new(), known }
    }

    fn value(&mut self) -> Value {
        let value = self.numbers.pick(&self.values);
        if self.numbers.below(4) == 0 { value.plus(self.numbers.pick(&[1, 4, 0x80, u64::MAX])) } else { value }
    }

    /// Another value of the same width.
    fn like(&mut self, value: Value) -> Value {
        if self.numbers.below(3) == 0 {
            let number = self.numbers.pick(&[
                0,
                1,
                3,
                4,
                5,
                7,
                0x11,
                0x5a,
                0x7f,
                0x80,
                0xf0,
                0x1010,
                0xffff,
                0x8000_0000,
                u64::MAX,
            ]);
            return Value::known(number, value.bytes);
        }
        let other = self.value();
        self.domain.resize(other, value.bytes)
    }

    fn condition(&mut self) -> Condition {
        let condition = self.numbers.pick(&self.conditions);
        if self.numbers.below(3) == 0 { condition.not() } else { condition }
    }

    fn law(&mut self, name: &'static str, law: impl Fn(&mut dyn Evaluate) -> bool + 'static) {
        self.laws.push((name, Box::new(law)));
    }

    /// Makes a value, and says what it has to be.
    #[expect(clippy::type_complexity, reason = "a table of laws")]
    fn combine_values(&mut self) {
        const NAMES: [&str; 12] =
            ["add", "subtract", "multiply", "and", "or", "xor", "not", "shl", "shr", "asr", "min", "max"];
        let a = self.value();
        let b = self.like(a);
        let bytes = a.bytes;
        let count = self.numbers.below(8 * usize::from(bytes)) as u32;
        let factor = self.numbers.pick(&[0, 1, 2, 3, 4, 12, u64::MAX, 0x1_0000]);
        let which = self.numbers.below(12);
        let domain = &mut self.domain;
        let (result, of): (Value, fn(u64, u64, u64, u8) -> u64) = match which {
            0 => (domain.add(a, b), |x, y, _, _| x.wrapping_add(y)),
            1 => (domain.subtract(a, b), |x, y, _, _| x.wrapping_sub(y)),
            2 => (domain.multiply(a, b), |x, y, _, _| x.wrapping_mul(y)),
            3 => (domain.bit_and(a, b), |x, y, _, _| x & y),
            4 => (domain.bit_or(a, b), |x, y, _, _| x | y),
            5 => (domain.bit_xor(a, b), |x, y, _, _| x ^ y),
            6 => (domain.bit_not(a), |x, _, _, _| !x),
            7 => (domain.shift_left(a, count), |x, _, n, _| x << n),
            8 => (domain.shift_right(a, count), |x, _, n, _| x >> n),
            9 => (domain.shift_right_signed(a, count), |x, _, n, w| (sign_extended(x, w) >> n) as u64),
            10 => (domain.extreme(Operation::Min, a, b, false), |x, y, _, _| x.min(y)),
            _ => (domain.extreme(Operation::Max, a, b, true), |x, y, _, w| {
                if sign_extended(x, w) < sign_extended(y, w) { y } else { x }
            }),
        };
        self.law("an operation gives what it gives of numbers", move |e| {
            e.number(result) == of(e.number(a), e.number(b), count.into(), bytes) & mask(bytes)
        });
        self.values.push(result);
        let scaled = self.domain.scale(a, factor);
        self.law("a multiple", move |e| e.number(scaled) == e.number(a).wrapping_mul(factor) & mask(bytes));
        let (to, signed) = (self.numbers.pick(&[1, 2, 4, 8]), self.numbers.below(2) == 0);
        let resized = self.domain.resize_as(result, to, signed);
        self.law("a number in another width", move |e| {
            let number = e.number(result);
            let wide = if signed { sign_extended(number, bytes) as u64 } else { number };
            e.number(resized) == wide & mask(to)
        });
        self.values.push(resized);
        self.known.value(NAMES[which], &self.domain, result);
        self.known.value("scale", &self.domain, scaled);
        self.known.value("resize", &self.domain, resized);
        assert_eq!(self.domain.add(a, b), self.domain.add(b, a), "sums are commutative");
        assert_eq!(self.domain.subtract(a, a), Value::known(0, bytes), "nothing is left of a number without itself");
    }

    /// Operations that are computed on known numbers only, and have bounds.
    fn compute(&mut self) {
        let operation = self.numbers.pick(&[
            Operation::Avg,
            Operation::Mulh,
            Operation::Div,
            Operation::Mod,
            Operation::Fbl,
            Operation::Fbh,
            Operation::Lzd,
            Operation::Cbit,
            Operation::Bfrev,
            Operation::Bfe,
            Operation::Rol,
            Operation::Shl,
            Operation::Shr,
            Operation::Asr,
        ]);
        let signed = self.numbers.below(2) == 0;
        let a = self.value();
        let is_of_dwords = matches!(operation, Operation::Bfrev | Operation::Bfe);
        let a = if is_of_dwords { self.domain.resize(a, 4) } else { a };
        let (b, c) = (self.like(a), self.like(a));
        // A few bits, such as a count has.
        let few = Value::known(self.numbers.pick(&[3, 7, 12, 31, u64::MAX]), a.bytes);
        let b = self.domain.bit_and(b, few);
        let is_count = matches!(operation, Operation::Fbl | Operation::Fbh | Operation::Lzd | Operation::Cbit);
        let bytes = if is_count { 4 } else { a.bytes };
        let domain = &mut self.domain;
        let result = match operation {
            Operation::Div | Operation::Mod => domain.divide(operation, a, b, signed),
            Operation::Mulh => domain.high_product(a, b, signed),
            _ => domain.computed(operation, signed, [a, b, c], bytes),
        };
        self.law("an operation gives what it gives of numbers", move |e| {
            let expected = fold::integer(operation, signed, [a, b, c].map(|v| e.number(v)), a.bytes);
            expected.is_none_or(|expected| e.number(result) == expected)
        });
        self.known.value(&format!("{operation:?}"), &self.domain, result);
        // What is divided by zero is any number, and another one where more is known of it.
        let is_division = matches!(operation, Operation::Div | Operation::Mod);
        if !is_division || self.domain.range(b).0 > 0 {
            self.values.push(result);
        }
    }

    /// Bits of numbers: fields, bytes, functions of three of them.
    fn pick_bits(&mut self) {
        let a = self.value();
        let (b, c) = (self.like(a), self.like(a));
        let table = self.numbers.next() as u8;
        let offset = self.numbers.below(usize::from(a.bytes)) as u8;
        let (width, first) = (1 + self.numbers.below(31) as u32, self.numbers.below(32) as u32);
        let signed = self.numbers.below(2) == 0;
        let of = 1 << self.numbers.below(8);
        let domain = &mut self.domain;
        let function = domain.bit_function(table, a, b, c);
        let dword = domain.resize(a, 4);
        let field = domain.field(dword, width, first, signed);
        let byte = domain.extract(a, offset, 1);
        let is_no_multiple = domain.is_no_multiple(a, of);
        self.law("a function of three bits", move |e| {
            let [x, y, z] = [a, b, c].map(|v| e.number(v));
            (0..8 * u32::from(a.bytes)).all(|i| {
                let entry = (x >> i & 1) | (y >> i & 1) << 1 | (z >> i & 1) << 2;
                e.number(function) >> i & 1 == u64::from(table >> entry & 1)
            })
        });
        self.law("a field", move |e| {
            let args = [width.into(), first.into(), e.number(dword)];
            fold::integer(Operation::Bfe, signed, args, 4) == Some(e.number(field))
        });
        self.law("a byte", move |e| e.number(byte) == e.number(a) >> (8 * offset) & 0xff);
        self.law("no multiple", move |e| !is_no_multiple || !e.number(a).is_multiple_of(of));
        self.known.value("function of three bits", &self.domain, function);
        self.known.value("field", &self.domain, field);
        self.known.value("byte", &self.domain, byte);
        self.known.count("no multiples", is_no_multiple.into());
        self.values.extend([function, byte]);
    }

    /// What a value is on the paths that lead to it, and what it depends on.
    fn explore(&mut self) {
        let (a, c, other) = (self.value(), self.condition(), self.condition());
        let b = self.like(a);
        let a = self.domain.select(c, a, b);
        let paths = self.domain.paths(a);
        self.known.count("paths", paths.len() as u64);
        for (given, value) in paths {
            self.known.value("on a path", &self.domain, value);
            self.law("a value on a path", move |e| !e.holds(given) || e.number(a) == e.number(value));
        }
        let alternatives = self.domain.alternatives(a);
        self.known.count("alternatives", alternatives.as_ref().map_or(0, |all| all.len() as u64));
        self.law("a number is one of several", move |e| {
            alternatives.as_ref().is_none_or(|all| all.contains(&e.number(a)))
        });
        let mut splits = Splits::default();
        self.domain.splits(a, &mut splits);
        self.known.count("conditions that decide", splits.conditions.len() as u64);
        self.known.count("low bits that decide", splits.residues.iter().map(|(_, bits)| u64::from(*bits)).sum());
        self.known.count("values that may agree", self.domain.may_agree(a, b).into());
        let causes = self.domain.causes(&[c, other]);
        self.known.count("causes", causes.atoms.len() as u64);
        self.known.count("free causes", causes.is_free.into());
        self.known.count("whole causes", causes.is_whole.into());
        let can_part = self.domain.can_part(c, other);
        assert!(!can_part || !self.domain.implies(c, other), "what follows cannot be parted: {c:?} {other:?}");
        self.known.count("conditions that are parted", can_part.into());
    }

    /// What is known of a value beside its form.
    fn bound(&mut self) {
        let value = self.value();
        let other = self.like(value);
        let (low, high) = self.domain.range(value);
        let (least, greatest) = self.domain.signed_range(value);
        let zeros = self.domain.zeros(value);
        let set = self.domain.set(value);
        let apart = self.domain.least_distance(value, other);
        let bytes = value.bytes;
        self.known.count("trailing zeros", zeros.into());
        self.known.count("sets", set.is_some().into());
        self.known.count("numbers of sets", set.as_ref().map_or(0, |s| s.len() as u64));
        self.known.count("bits of distances", (128 - apart.leading_zeros()).into());
        self.law("a number is in its range", move |e| (low..=high).contains(&e.number(value)));
        self.law("a signed number is in its range", move |e| {
            (least..=greatest).contains(&sign_extended(e.number(value), bytes))
        });
        self.law("a number has its trailing zeros", move |e| {
            let number = e.number(value);
            number == 0 || number.trailing_zeros() >= zeros
        });
        self.law("a number is in its set", move |e| {
            let number = e.number(value);
            set.as_ref().is_none_or(|s| s.contains(&number))
        });
        self.law("numbers are as far apart as is said", move |e| {
            let distance = e.number(value).wrapping_sub(e.number(other)) & mask(bytes);
            let around = (1_i128 << (8 * u32::from(bytes))) - i128::from(distance);
            i128::from(distance).min(around) >= apart
        });
    }

    fn compare(&mut self) {
        let a = self.value();
        let b = self.like(a);
        let bytes = a.bytes;
        let signed = self.numbers.below(2) == 0;
        let (less, equal, odd) = (self.domain.less(signed, a, b), self.domain.equal(a, b), self.domain.odd(a));
        let bit = self.domain.bits(a).at(self.numbers.below(8) as u32);
        self.law("less", move |e| {
            let (x, y) = (e.number(a), e.number(b));
            let of_numbers = if signed { sign_extended(x, bytes) < sign_extended(y, bytes) } else { x < y };
            e.holds(less) == of_numbers
        });
        self.law("equal", move |e| e.holds(equal) == (e.number(a) == e.number(b)));
        self.law("odd", move |e| e.holds(odd) == (e.number(a) & 1 == 1));
        self.law("a bit", move |e| {
            let lane = bit.lane();
            bit.as_known().is_some() || e.holds(bit) == (e.number(a) >> lane & 1 == 1)
        });
        for (name, condition) in [("less", less), ("equal", equal), ("odd", odd), ("bit", bit)] {
            self.known.condition(name, condition);
        }
        self.conditions.extend([less, equal, odd, bit]);
    }

    /// Both, one of two, neither: as sets, whatever form they have got.
    fn combine_conditions(&mut self) {
        let (a, b, c) = (self.condition(), self.condition(), self.condition());
        let domain = &mut self.domain;
        let (both, either) = (domain.and(a, b), domain.or(a, b));
        let (both_turned, either_turned) = (domain.and(b, a), domain.or(b, a));
        let (left, right) = (domain.and(both, c), domain.and(b, c));
        let right = domain.and(a, right);
        let (above, other) = (domain.or(either, c), domain.or(b, c));
        let other = domain.or(a, other);
        assert_eq!((domain.and(a, a), domain.or(a, a)), (a, a), "a condition and itself are itself");
        assert_eq!((domain.and(a, a.not()), domain.or(a, a.not())), (Condition::FALSE, Condition::TRUE), "{a:?}");
        assert_eq!(a.not().not(), a, "the opposite of the opposite");
        assert!(domain.implies(a, a) && domain.implies(a, Condition::TRUE) && domain.implies(Condition::FALSE, a));
        self.law("both hold", move |e| e.holds(both) == (e.holds(a) && e.holds(b)));
        self.law("one of two holds", move |e| e.holds(either) == (e.holds(a) || e.holds(b)));
        self.law("the opposite holds", move |e| e.holds(a.not()) != e.holds(a));
        self.law("the order does not matter", move |e| {
            e.holds(both) == e.holds(both_turned) && e.holds(either) == e.holds(either_turned)
        });
        self.law("nor does the grouping", move |e| e.holds(left) == e.holds(right) && e.holds(above) == e.holds(other));
        self.known.condition("both", both);
        self.known.condition("one of two", either);
        self.known.count("same sets in other groups", u64::from(left == right) + u64::from(above == other));
        self.conditions.extend([both, either]);
    }

    /// What follows by its form is so, and what follows from that, too.
    fn imply(&mut self) {
        let (a, b, c) = (self.condition(), self.condition(), self.condition());
        let a = if self.numbers.below(2) == 0 { self.domain.and(a, b) } else { a };
        let c = if self.numbers.below(2) == 0 { self.domain.or(b, c) } else { c };
        for (x, y) in [(a, b), (b, c), (a, c), (b.not(), a.not()), (c, a)] {
            if self.domain.implies(x, y) {
                let is_new = x.as_known().is_none() && y.as_known().is_none() && x != y;
                self.known.count("conditions that follow", is_new.into());
                self.law("what follows is so", move |e| !e.holds(x) || e.holds(y));
            }
        }
        if self.domain.implies(a, b) && self.domain.implies(b, c) {
            self.law("what follows from what follows is so", move |e| !e.holds(a) || e.holds(c));
        }
    }

    /// Choices, and values and conditions where something is given.
    fn choose(&mut self) {
        let a = self.value();
        let b = self.like(a);
        let (c, given) = (self.condition(), self.condition());
        let domain = &mut self.domain;
        let chosen = domain.select(c, a, b);
        let turned = domain.select(c.not(), b, a);
        let same = domain.select(c, a, a);
        let assumed = domain.assume(chosen, given);
        let rest = domain.given(c, given);
        let shifted = domain.select(c, a.plus(8), b.plus(8));
        let case = Case { given, replaced: Vec::new() };
        let in_case = domain.in_case(chosen, &case);
        assert_eq!((chosen.bytes, assumed.bytes), (a.bytes, a.bytes), "a choice has the width of what is chosen");
        self.law("a choice", move |e| e.number(chosen) == if e.holds(c) { e.number(a) } else { e.number(b) });
        self.law("a choice between a number and itself", move |e| e.number(same) == e.number(a));
        self.law("a choice by the opposite", move |e| e.number(turned) == e.number(chosen));
        self.law("a choice that is moved", move |e| e.number(shifted) == e.number(chosen.plus(8)));
        self.law("a value where something is given", move |e| !e.holds(given) || e.number(assumed) == e.number(chosen));
        self.law("a condition where another one is given", move |e| !e.holds(given) || e.holds(rest) == e.holds(c));
        self.law("a value in a case", move |e| !e.holds(given) || e.number(in_case) == e.number(chosen));
        self.known.value("select", &self.domain, chosen);
        self.known.value("assume", &self.domain, assumed);
        self.known.value("in a case", &self.domain, in_case);
        self.known.condition("given", rest);
        self.values.push(chosen);
    }

    /// An operation on runs of lanes is the operation on each of them.
    fn run(&mut self) {
        let (a, b) = (self.domain.unknown(4, Origin::Result), self.domain.unknown(4, Origin::Loop));
        let one = self.like(a.at(0));
        let factor = self.numbers.pick(&[3, 4, u64::MAX]);
        let bits = self.numbers.pick(&[0xff, 0xfffc, 0x7]);
        let lane = self.numbers.below(LANES as usize) as u32;
        let domain = &mut self.domain;
        let sum = domain.add(a, one);
        let scaled = domain.scale(sum, factor);
        let both = domain.add(scaled, b);
        let masked = domain.bit_and(both, Value::known(bits, 4));
        let less = domain.less(false, masked, b);
        let chosen = domain.select(less, masked, one);
        let wide = domain.resize(chosen, 8);
        self.law("a lane of a run", move |e| {
            let (x, y, z) = (e.number(a.at(lane)), e.number(b.at(lane)), e.number(one));
            let masked = x.wrapping_add(z).wrapping_mul(factor).wrapping_add(y) & bits & mask(4);
            e.number(wide.at(lane)) == if masked < y { masked } else { z }
        });
        self.values.push(wide.at(lane));
        self.conditions.push(less.at(lane));
    }

    /// A predicate as a number, and what a number is as a predicate: the same bits.
    fn move_predicate(&mut self) {
        let (a, b) = (self.domain.unknown(4, Origin::Result), self.domain.unknown(4, Origin::Loop).at(0));
        let run = self.domain.less(false, a, b);
        let other = self.condition();
        let (first, last) = (self.numbers.below(16) as u32, 16 + self.numbers.below(16) as u32);
        let bits = Lanes::of(LANES, |lane| match lane {
            _ if lane < first => run.at(lane),
            _ if lane < last => run.at(31 - lane % 4).not(),
            _ => other,
        });
        let bits = if self.numbers.below(2) == 0 { Lanes::run(run, LANES) } else { bits };
        let kept = self.numbers.pick(&[0xffff, 0xff00, 0x5555_5555, u64::MAX]);
        let count = self.numbers.below(8) as u32;
        let n = self.numbers.pick(&[8, 16, 32]);
        let number = self.domain.number_of(&bits, 4);
        let opposite = self.domain.bit_not(number);
        let masked = self.domain.bit_and(opposite, Value::known(kept, 4));
        let shifted = self.domain.shift_left(number, count);
        for value in [number, opposite, masked, shifted] {
            let Some(back) = self.domain.predicate_of(value, n) else { continue };
            let lane = self.numbers.below(n as usize) as u32;
            self.law("a bit of a predicate", move |e| e.holds(back.at(lane)) == (e.number(value) >> lane & 1 == 1));
        }
        let lane = self.numbers.below(LANES as usize) as u32;
        if self.domain.predicate_of(number, n).is_some() {
            self.law("a predicate as a number", move |e| e.holds(bits.at(lane)) == (e.number(number) >> lane & 1 == 1));
        }
        self.values.push(masked);
    }
}

/// A number that ends with as many zeros as it has bits is no unknown: in a wider one, its sign would be that of what is added.
#[test]
fn what_is_shifted_out_as_a_whole_is_zero() {
    let mut domain = Domain::new();
    let byte = domain.unknown(1, Origin::Result).at(0);
    let shifted = domain.computed(Operation::Shl, true, [byte, Value::known(24, 1), Value::known(0, 1)], 1);
    assert_eq!(domain.resize_as(shifted.plus(0xe7), 2, true), Value::known(0xffe7, 2));
}

#[test]
fn values_and_conditions_obey_their_laws() {
    let look_at = |seed: u64| {
        let mut pool = Pool::new(seed, Table::default());
        for _ in 0..N_STEPS {
            match pool.numbers.below(14) {
                0..=2 => pool.combine_values(),
                3 => pool.bound(),
                4 => pool.compare(),
                5..=6 => pool.combine_conditions(),
                7 => pool.imply(),
                8 => pool.choose(),
                9 => pool.move_predicate(),
                10 => pool.compute(),
                11 => pool.pick_bits(),
                12 => pool.explore(),
                _ => pool.run(),
            }
        }
        let mut n_laws = 0;
        for choice in 0..N_CHOICES {
            let mut assignment = Assignment::new(&pool.domain, seed * N_CHOICES + choice, |_| None);
            for (i, (name, law)) in pool.laws.iter().enumerate() {
                assert!(law(&mut assignment), "pool {seed}, choice {choice}, law {i} does not hold: {name}");
                n_laws += 1;
            }
        }
        pool.known.count("blocks", pool.domain.n_blocks() as u64);
        pool.known.count("check sums of what is held of values", check_sum_of(&pool.domain).into());
        (n_laws, pool.known)
    };
    let (n_laws, known) = (1..=N_POOLS)
        .into_par_iter()
        .map(look_at)
        .reduce(|| (0, Table::default()), |(n, known), (more, other)| (n + more, known.and(other)));
    assert!(n_laws > 30 * N_POOLS * N_CHOICES, "only {n_laws} laws were looked at");
    blessed(&tests_folder().join("snapshots/precision/values.txt"), &say(&known));
}
