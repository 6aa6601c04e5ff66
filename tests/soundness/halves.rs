//! Two halves of one number become that number again, and values with the same form may be the same.

use super::precision::{Table, say};
use crate::support::{blessed, tests_folder};
use visa_lint::interp::domain::atom::Origin;
use visa_lint::interp::domain::concrete::Assignment;
use visa_lint::interp::domain::lanes::Lanes;
use visa_lint::interp::domain::{Domain, LANES, Value, mask};
use visa_lint::spec::operation::Operation;

/// Choices of numbers for the unknowns.
const N_CHOICES: u64 = 12;

/// The halves of what compilers compute with two numbers, with a name for each.
fn halves(domain: &mut Domain, bytes: u8, count: u32, constant: u64) -> Vec<(&'static str, Value, Value)> {
    let bits = 8 * u32::from(bytes);
    let unknown = |domain: &mut Domain| domain.unknown(bytes, Origin::Result).at(0);
    let (n, m, z) = (unknown(domain).plus(constant), unknown(domain), unknown(domain));
    let none = Value::known(0, bytes);
    let low = domain.shift_left(n, count);
    let (out, out_signed) = (domain.shift_right(n, bits - count), domain.shift_right_signed(n, bits - count));
    let further = domain.shift_right(n, (bits - count + 1).min(bits - 1));
    let sign = domain.shift_right_signed(n, bits - 1);
    let placed_sign = domain.shift_left(sign, count);
    let with_sign = domain.add(out, placed_sign);
    let (out_and_more, more_with_sign) = (domain.add(out, z), domain.add(out_signed, z));
    let sum = domain.add(n, m);
    let carry = domain.computed(Operation::Addc, false, [n, m, none], bytes);
    let (carry_and_more, twice) = (domain.add(carry, z), domain.scale(carry, 2));
    let sum_of_shifted = domain.add(low, m);
    let carry_of_shifted = domain.computed(Operation::Addc, false, [low, m, none], bytes);
    let all_of_shifted = domain.add(carry_of_shifted, out);
    let product = domain.multiply(n, m);
    let (above, above_signed) = (domain.high_product(n, m, false), domain.high_product(n, m, true));
    let wide = domain.unknown(2 * bytes, Origin::Loop).at(0).plus(constant);
    let shifted = domain.shift_right(wide, bits);
    let (of_wide, upper) = (domain.resize(wide, bytes), domain.resize(shifted, bytes));
    let mut all = vec![
        ("shifted", low, out),
        ("shifted with sign", low, out_signed),
        ("shifted, the sign apart", low, with_sign),
        ("shifted, and another one", low, out_and_more),
        ("shifted with sign, and another one", low, more_with_sign),
        ("shifted and moved", low.plus(1 << count), out),
        ("shifted further", low, further),
        ("shifted elsewhere", low.plus(1), out),
        ("its sign", n, sign),
        ("another one", n, z),
        ("a number without an upper half", n, none),
        ("a product", product, above),
        ("a product with signs", product, above_signed),
        ("a product of others", sum, above),
        ("a wide one", of_wide, upper),
        ("a wide one that is moved", of_wide.plus(1), upper),
    ];
    // Carries are those of dwords.
    if bytes == 4 {
        all.extend([
            ("a sum", sum, carry),
            ("a sum, and another one", sum, carry_and_more),
            ("a sum with the carry twice", sum, twice),
            ("a sum of a shifted one", sum_of_shifted, all_of_shifted),
        ]);
    }
    all
}

#[test]
fn halves_of_a_number_are_put_together() {
    let mut table = Table::default();
    for bytes in [1, 2, 4] {
        for (count, constant) in (1..8 * u32::from(bytes)).flat_map(|n| [0, 1, 5, u64::MAX].map(|c| (n, c))) {
            let mut domain = Domain::new();
            let all = halves(&mut domain, bytes, count, constant);
            let wholes: Vec<Value> = all.iter().map(|(_, low, high)| domain.concatenate(&[*low, *high])).collect();
            for choice in 0..N_CHOICES {
                let mut numbers = Assignment::new(&domain, choice, |_| None);
                for ((name, low, high), whole) in all.iter().zip(&wholes) {
                    let expected = numbers.value(*low) | numbers.value(*high) << (8 * u32::from(bytes));
                    let found = numbers.value(*whole);
                    assert_eq!(found, expected & mask(2 * bytes), "{name}, {bytes} bytes, {count} bits, {constant}");
                }
            }
            for ((name, ..), whole) in all.iter().zip(wholes) {
                table.value(name, &domain, whole);
            }
        }
    }
    blessed(&tests_folder().join("snapshots/precision/halves.txt"), &say(&table));
}

/// Values of an unknown, each of another form.
fn forms(domain: &mut Domain, x: Value) -> Vec<Value> {
    let none = Value::known(0, 4);
    let condition = domain.unknown_condition().at(0);
    let narrow = domain.resize(x, 2);
    let is_less = domain.less(false, x, Value::known(100, 4));
    let masks = [0xf0f, 0xff0].map(|bits| domain.bit_and(x, Value::known(bits, 4)));
    let shifts = [3, 5].map(|count| domain.shift_right(x, count));
    let extended = [false, true].map(|signed| domain.resize_as(narrow, 4, signed));
    let multiples = [3, 5].map(|factor| domain.scale(x, factor));
    let applied = [Operation::Cbit, Operation::Lzd, Operation::Bfrev]
        .map(|operation| domain.computed(operation, false, [x, none, none], 4));
    let chosen = [7, 9].map(|other| domain.select(condition, x, Value::known(other, 4)));
    let predicate = domain.number_of(&Lanes::run(is_less, LANES), 4);
    let all = [vec![x, x.plus(4), x.plus(8), predicate], masks.into(), shifts.into(), extended.into()];
    [all.concat(), multiples.into(), applied.into(), chosen.into()].concat()
}

#[test]
fn values_of_one_form_may_agree() {
    let mut domain = Domain::new();
    let origins = [Origin::Result, Origin::Loop, Origin::Call, Origin::Indirect];
    let of: Vec<Vec<Value>> = origins
        .map(|origin| {
            let x = domain.unknown(4, origin).at(0);
            forms(&mut domain, x)
        })
        .into();
    for (a, b) in of.iter().zip(&of[1..]) {
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                assert_eq!(domain.may_agree(*x, *y), i == j, "{i} {j}: {x:?} and {y:?}");
            }
        }
    }
    // Of these it is known that each is another one.
    for origin in [Origin::Own, Origin::LocalId, Origin::Function, Origin::Clock] {
        let x = domain.unknown(4, origin).at(0);
        assert!(domain.may_agree(x, x));
        assert!(!domain.may_agree(x, of[0][0]) && !domain.may_agree(of[0][0], x), "{origin:?}");
    }
    let (sum, other) = (domain.add(of[0][0], of[1][0]), domain.add(of[2][0], of[3][0]));
    assert!(domain.may_agree(sum, other));
    assert!(!domain.may_agree(sum, of[2][0]) && !domain.may_agree(sum, other.plus(1)));
}
