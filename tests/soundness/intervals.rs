//! Operations on numbers between two ends, and on numbers of which some bits are known: what is known of the result is compared
//! with the results of all numbers. How often nothing more could be known is blessed in `tests/snapshots/precision/ends-*.txt`, with
//! how much is known, so that a bound that is lost shows, and one that is moved.

use super::precision::{Table, say};
use crate::support::{blessed, tests_folder};
use rayon::prelude::*;
use visa_lint::interp::domain::atom::Origin;
use visa_lint::interp::domain::condition::Condition;
use visa_lint::interp::domain::fold;
use visa_lint::interp::domain::{Domain, Value, mask, sign_extended};
use visa_lint::spec::operation::Operation;

/// Most numbers of a value that are all looked at; of more, those next to the ends are.
const MOST: usize = 16;

/// Numbers, as they are made.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// From the first one on, so many more.
    Run(u64, u64),
    /// Of these bits any, with these bits set.
    Bits(u64, u64),
}

impl Shape {
    /// Small ones, those around the middle and the end of the type, and bits of bytes and words.
    fn all(bytes: u8) -> Vec<Self> {
        let (end, half) = (mask(bytes), mask(bytes) / 2 + 1);
        let starts = [0, 1, 3, 16, half / 2 - 3, half - 8, half - 2, half, half + 5, end - 8, end - 3, end];
        let runs = starts.into_iter().flat_map(|start| [0, 1, 3, 7].map(|more| Self::Run(start, more)));
        let patterns = [0x0f, 0xf0, 0x0c, 0x81, 0x40, 0x7e];
        let bits = patterns.into_iter().flat_map(|bits| [0, 1, half].map(|ones| Self::Bits(bits & !ones, ones)));
        runs.chain(bits).chain([Self::Run(0, end), Self::Bits(half - 1, 0)]).collect()
    }

    fn value(self, domain: &mut Domain, bytes: u8) -> Value {
        match self {
            Self::Run(start, 0) => Value::known(start, bytes),
            Self::Run(start, more) => domain.unknown_up_to(bytes, Origin::Result, more).at(0).plus(start),
            Self::Bits(bits, ones) => {
                let any = domain.unknown(bytes, Origin::Result).at(0);
                domain.bit_and(any, Value::known(bits, bytes)).plus(ones)
            }
        }
    }

    fn numbers(self, bytes: u8) -> Vec<u64> {
        let most = MOST as u64;
        let places = |more: u64| (0..=more.min(most / 2)).chain(more.saturating_sub(most / 2)..=more);
        match self {
            Self::Run(start, more) => places(more).map(|n| start.wrapping_add(n) & mask(bytes)).collect(),
            Self::Bits(bits, ones) => {
                // The bits of a number, put where bits may be set.
                let spread = |n: u64| {
                    let of = (0..64).filter(|bit| bits >> bit & 1 == 1).enumerate();
                    of.map(|(i, bit)| (n >> i & 1) << bit).sum::<u64>() + ones
                };
                places((1_u64 << bits.count_ones().min(63)) - 1).map(spread).collect()
            }
        }
    }
}

type Combine = fn(&mut Domain, Value, Value) -> Value;
type Compare = fn(i128, i128) -> bool;
type Compute = fn(u64, u64, u8) -> Option<u64>;

/// Operations without signs, and what they are of two numbers.
const OPERATIONS: &[(&str, Combine, Compute)] = &[
    ("add", Domain::add, |x, y, _| Some(x.wrapping_add(y))),
    ("subtract", Domain::subtract, |x, y, _| Some(x.wrapping_sub(y))),
    ("multiply", Domain::multiply, |x, y, _| Some(x.wrapping_mul(y))),
    ("and", Domain::bit_and, |x, y, _| Some(x & y)),
    ("or", Domain::bit_or, |x, y, _| Some(x | y)),
    ("xor", Domain::bit_xor, |x, y, _| Some(x ^ y)),
    (
        "choose bits",
        |d, a, b| {
            let c = d.shift_right(b, 1);
            d.bit_function(0xca, c, b, a)
        },
        |x, y, _| Some(fold::bits(0xca, y >> 1, y, x)),
    ),
    ("scale by 3", |d, a, _| d.scale(a, 3), |x, _, _| Some(x.wrapping_mul(3))),
    ("negate", |d, a, _| d.scale(a, u64::MAX), |x, _, _| Some(x.wrapping_neg())),
    ("shift left", |d, a, _| d.shift_left(a, 3), |x, _, _| Some(x << 3)),
    ("shift right", |d, a, _| d.shift_right(a, 3), |x, _, _| Some(x >> 3)),
    ("shift with sign", |d, a, _| d.shift_right_signed(a, 3), |x, _, w| Some((sign_extended(x, w) >> 3) as u64)),
    ("rotate", |d, a, _| d.rotated(a, 3), |x, _, w| fold::integer(Operation::Rol, false, [x, 3, 0], w)),
    ("low half", |d, a, _| halved(d, a, false), |x, _, w| Some(x & (mask(w) >> (4 * w)))),
    (
        "low half with sign",
        |d, a, _| halved(d, a, true),
        |x, _, w| {
            let above = 64 - 4 * u32::from(w);
            Some(((x << above).cast_signed() >> above).cast_unsigned())
        },
    ),
];

/// The lower half of the bits, at the old width.
fn halved(domain: &mut Domain, a: Value, signed: bool) -> Value {
    if a.bytes == 1 {
        let wide = domain.resize(a, 4);
        let field = domain.field(wide, 4, 0, signed);
        return domain.resize(field, 1);
    }
    let half = domain.resize(a, a.bytes / 2);
    domain.resize_as(half, a.bytes, signed)
}

/// Operations with and without signs.
const SIGNED: [Operation; 15] = [
    Operation::Min,
    Operation::Max,
    Operation::Avg,
    Operation::Mulh,
    Operation::Div,
    Operation::Mod,
    Operation::Shl,
    Operation::Shr,
    Operation::Asr,
    Operation::Rol,
    Operation::Fbl,
    Operation::Fbh,
    Operation::Lzd,
    Operation::Cbit,
    Operation::Bfrev,
];

/// What the results are said to be, and what they are.
fn note(table: &mut Table, name: &str, domain: &Domain, result: Value, numbers: &[u64], is_all: bool) {
    let bytes = result.bytes;
    let ((low, high), (least, most)) = (domain.range(result), domain.signed_range(result));
    let zeros = domain.zeros(result);
    let set = domain.set(result);
    for number in numbers {
        let is_so = (low..=high).contains(number) && (least..=most).contains(&sign_extended(*number, bytes));
        let is_so = is_so && (*number == 0 || number.trailing_zeros() >= zeros);
        let is_so = is_so && set.as_ref().is_none_or(|set| set.contains(number));
        assert!(is_so, "{name} may be {number:#x}: {low:#x} to {high:#x}, {least} to {most}, {zeros} zeros, {set:?}");
    }
    table.value(name, domain, result);
    table.count("numbers of sets", set.map_or(0, |set| set.len() as u64));
    if is_all {
        let signed = |n: &u64| sign_extended(*n, bytes);
        let ends = (numbers.iter().copied().min(), numbers.iter().copied().max());
        let signed_ends = (numbers.iter().map(signed).min(), numbers.iter().map(signed).max());
        let is_exact = ends == (Some(low), Some(high));
        let is_exact_signed = signed_ends == (Some(least), Some(most));
        table.count(&format!("{name}: no better ends"), is_exact.into());
        table.count(&format!("{name}: no better signed ends"), is_exact_signed.into());
    }
}

/// Whether a condition holds of no pair of numbers, of all or of some of them.
fn note_condition(table: &mut Table, name: &str, condition: Condition, holds: impl Iterator<Item = bool>) {
    let (mut always, mut never) = (true, true);
    for is_so in holds {
        always &= is_so;
        never &= !is_so;
    }
    let known = condition.as_known();
    assert!(known.is_none_or(|known| if known { always } else { never }), "{name}: {known:?}, {always}, {never}");
    table.count(&format!("{name}: decided"), known.is_some().into());
    table.count(&format!("{name}: could be decided"), (always || never).into());
}

fn look_at(bytes: u8, (shape, other): (Shape, Shape), table: &mut Table) {
    let domain = &mut Domain::new();
    let (a, b) = (shape.value(domain, bytes), other.value(domain, bytes));
    let (of_a, of_b) = (shape.numbers(bytes), other.numbers(bytes));
    let is_all = of_a.len().max(of_b.len()) < MOST;
    let pairs = || of_a.iter().flat_map(|x| of_b.iter().map(move |y| (*x, *y)));
    for (name, combine, compute) in OPERATIONS {
        let result = combine(domain, a, b);
        let numbers: Vec<u64> = pairs().filter_map(|(x, y)| compute(x, y, bytes)).map(|n| n & mask(bytes)).collect();
        note(table, name, domain, result, &numbers, is_all);
    }
    for (operation, signed) in SIGNED.into_iter().flat_map(|operation| [(operation, false), (operation, true)]) {
        let is_count = matches!(operation, Operation::Fbl | Operation::Fbh | Operation::Lzd | Operation::Cbit);
        if operation == Operation::Bfrev && bytes != 4 || operation == Operation::Asr && !signed {
            continue;
        }
        let none = Value::known(0, bytes);
        let result = match operation {
            Operation::Min | Operation::Max => domain.extreme(operation, a, b, signed),
            Operation::Avg => domain.average(a, b, signed),
            Operation::Mulh => domain.high_product(a, b, signed),
            Operation::Div | Operation::Mod => domain.divide(operation, a, b, signed),
            _ => domain.computed(operation, signed, [a, b, none], if is_count { 4 } else { bytes }),
        };
        let numbers: Vec<u64> =
            pairs().filter_map(|(x, y)| fold::integer(operation, signed, [x, y, 0], bytes)).collect();
        let name = format!("{operation:?} {}", if signed { "signed" } else { "unsigned" });
        note(table, &name, domain, result, &numbers, is_all && !numbers.is_empty());
    }
    let signed = |x: u64| sign_extended(x, bytes);
    let conditions: [(&str, Condition, Compare, bool); 4] = [
        ("less", domain.less(false, a, b), |x, y| x < y, false),
        ("less with signs", domain.less(true, a, b), |x, y| x < y, true),
        ("equal", domain.equal(a, b), |x, y| x == y, false),
        ("odd", domain.odd(a), |x, _| x & 1 == 1, false),
    ];
    for (name, condition, of, with_signs) in conditions {
        let number = |x: u64| if with_signs { signed(x).into() } else { x.into() };
        note_condition(table, name, condition, pairs().map(|(x, y)| of(number(x), number(y))));
    }
    let apart = domain.least_distance(a, b);
    let width = 1_i128 << (8 * u32::from(bytes));
    let distance = |(x, y): (u64, u64)| (i128::from(x) - i128::from(y)).rem_euclid(width);
    let nearest = pairs().map(|pair| distance(pair).min(width - distance(pair))).min().expect("a pair of numbers");
    assert!(apart <= nearest, "{shape:x?} and {other:x?} are {nearest} apart, and not {apart}");
    table.count("least distances that are exact", (is_all && apart == nearest).into());
    for of in [2, 8, 64] {
        let is_no_multiple = domain.is_no_multiple(a, of);
        assert!(!is_no_multiple || of_a.iter().all(|x| !x.is_multiple_of(of)), "{shape:x?} and multiples of {of}");
        table.count("no multiples", is_no_multiple.into());
    }
}

#[test]
fn ends_and_bits_are_those_of_the_numbers() {
    for bytes in [1, 4] {
        let shapes = Shape::all(bytes);
        let pairs: Vec<(Shape, Shape)> = shapes.iter().flat_map(|a| shapes.iter().map(|b| (*a, *b))).collect();
        let table = pairs
            .into_par_iter()
            .fold(Table::default, |mut table, pair| {
                look_at(bytes, pair, &mut table);
                table
            })
            .reduce(Table::default, Table::and);
        blessed(&tests_folder().join(format!("snapshots/precision/ends-{bytes}.txt")), &say(&table));
    }
}
