//! Expressions of constants, in programs and in host sources: random ones, against what their numbers give; and the types of
//! operations on all types.

use crate::support::kernel;
use crate::support::mutator::Random;
use std::fmt::Write as _;
use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::host::{self, Language, expand};
use visa_lint::lower::lower;
use visa_lint::program::Operand;

/// How often an expression is made.
const N_EXPRESSIONS: usize = 1500;

/// An operator: how tightly it binds, whether several of its kind may follow one another without parentheses, and what it
/// gives.
struct Operator {
    text: &'static str,
    order: u8,
    is_chained: bool,
    apply: fn(i128, i128) -> Option<i128>,
}

const fn operator(text: &'static str, order: u8, is_chained: bool, apply: fn(i128, i128) -> Option<i128>) -> Operator {
    Operator { text, order, is_chained, apply }
}

/// Those of vISA; the bits are joined in another order than in C.
const OF_PROGRAMS: [Operator; 17] = [
    operator("&", 1, true, |a, b| Some(a & b)),
    operator("^", 2, true, |a, b| Some(a ^ b)),
    operator("|", 3, true, |a, b| Some(a | b)),
    operator("==", 4, false, |a, b| Some((a == b).into())),
    operator("!=", 4, false, |a, b| Some((a != b).into())),
    operator("<", 5, false, |a, b| Some((a < b).into())),
    operator(">", 5, false, |a, b| Some((a > b).into())),
    operator("<=", 5, false, |a, b| Some((a <= b).into())),
    operator(">=", 5, false, |a, b| Some((a >= b).into())),
    operator("<<", 6, false, shifted_left),
    operator(">>", 6, false, shifted_right),
    operator(">>>", 6, false, |a, b| shifted_right(i128::from(u64::try_from(a).ok()?), b)),
    operator("+", 7, true, |a, b| Some(a + b)),
    operator("-", 7, true, |a, b| Some(a - b)),
    operator("*", 8, true, |a, b| Some(a * b)),
    operator("/", 8, true, quotient),
    operator("%", 8, true, remainder),
];

const OF_C: [Operator; 10] = [
    operator("|", 1, true, |a, b| Some(a | b)),
    operator("^", 2, true, |a, b| Some(a ^ b)),
    operator("&", 3, true, |a, b| Some(a & b)),
    operator("<<", 4, true, shifted_left),
    operator(">>", 4, true, shifted_right),
    operator("+", 5, true, |a, b| Some(a + b)),
    operator("-", 5, true, |a, b| Some(a - b)),
    operator("*", 6, true, |a, b| Some(a * b)),
    operator("/", 6, true, quotient),
    operator("%", 6, true, remainder),
];

fn shifted_left(a: i128, b: i128) -> Option<i128> {
    (a >= 0 && (0..31).contains(&b)).then(|| a << b)
}

fn shifted_right(a: i128, b: i128) -> Option<i128> {
    (a >= 0 && (0..31).contains(&b)).then(|| a >> b)
}

fn quotient(a: i128, b: i128) -> Option<i128> {
    (b != 0).then(|| a / b)
}

fn remainder(a: i128, b: i128) -> Option<i128> {
    (b != 0).then(|| a % b)
}

/// A random expression that is read as `order` or tighter, and its value; nothing if it has none of 32 bits.
fn expression(random: &mut Random, operators: &[Operator], depth: u32) -> (String, u8, Option<i128>) {
    const TIGHTEST: u8 = 9;
    if depth == 0 || random.below(6) == 0 {
        let number = random.below(12) as i128;
        let text = if random.below(3) == 0 { format!("{number:#x}") } else { number.to_string() };
        return (text, TIGHTEST, Some(number));
    }
    if random.below(7) == 0 {
        let (inner, order, value) = expression(random, operators, depth - 1);
        let is_atom = order == TIGHTEST && inner.starts_with(|c: char| c.is_ascii_digit());
        let inner = if is_atom { inner } else { format!("({inner})") };
        let sign = if random.below(2) == 0 { "-" } else { "~" };
        let value = value.map(|n| if sign == "-" { -n } else { !n });
        // Behind an operator a sign stands in parentheses, as people write it.
        return (format!("({sign}{inner})"), TIGHTEST, value);
    }
    let own = &operators[random.below(operators.len())];
    let mut side = |is_left: bool| {
        let (text, order, value) = expression(random, operators, depth - 1);
        let is_plain = order > own.order || order == own.order && is_left && own.is_chained;
        (if is_plain { text } else { format!("({text})") }, value)
    };
    let ((left, a), (right, b)) = (side(true), side(false));
    // `<6>` is a region.
    let is_bracket = own.text.starts_with(['<', '>']);
    let blank = if random.below(2) == 0 || is_bracket { " " } else { "" };
    let fits = |n: &i128| i32::try_from(*n).is_ok();
    let value = a.zip(b).and_then(|(a, b)| (own.apply)(a, b)).filter(fits);
    (format!("{left}{blank}{}{blank}{right}", own.text), own.order, value)
}

/// Random expressions with a value, and what that is.
fn expressions(operators: &[Operator]) -> Vec<(String, i32)> {
    let mut random = Random(1);
    let all = (0..N_EXPRESSIONS).filter_map(|_| {
        let (text, _, value) = expression(&mut random, operators, 3);
        Some((text, i32::try_from(value?).ok()?))
    });
    let all: Vec<_> = all.collect();
    assert!(all.len() > N_EXPRESSIONS / 3, "only {} have a value", all.len());
    all
}

#[test]
fn expressions_of_programs_have_their_value() {
    let all = expressions(&OF_PROGRAMS);
    let mut lines = String::new();
    for (text, _) in &all {
        let _ = writeln!(lines, "mov (M1, 16) VD(0,0)<1> ({text}):d");
    }
    let program = lower(&kernel("", &lines));
    let text = kernel("", &lines);
    let faults = program.diagnostics.iter().map(|d| format!("{}: {}", line_of(&text, d), d.message));
    assert!(program.diagnostics.is_empty(), "{}", faults.collect::<Vec<_>>().join("\n"));
    let mut found = program.instructions.iter().filter_map(|i| match program.operands_of(i) {
        [_, Operand::Immediate { bits, .. }] => Some(*bits as i32),
        _ => None,
    });
    for (text, value) in &all {
        assert_eq!(found.next(), Some(*value), "{text}");
    }
}

#[test]
fn expressions_of_c_have_their_value() {
    for (text, value) in expressions(&OF_C) {
        let source =
            format!("void f() {{\n  int y;\n  asm(\"mov (M1, 16) %0(0,0)<1> %1\" : \"=rw\"(y) : \"i\"({text}));\n}}\n");
        let expanded = expand::expand("a", &source, &host::read(&source, Language::C, None));
        let found = expanded.split_once("op0(0,0)<1> ").and_then(|(_, rest)| rest.lines().next());
        assert_eq!(found, Some(&*format!("{value:#x}:d")), "{text}");
    }
}

/// The line with a fault.
fn line_of<'a>(text: &'a str, d: &Diagnostic) -> &'a str {
    let start = d.primary.span.start as usize;
    text[text[..start].rfind('\n').map_or(0, |i| i + 1)..].lines().next().unwrap_or_default()
}

/// The element type of an operand.
fn element_type(source: &str, language: Language, operand: u32) -> String {
    let expanded = expand::expand("a", source, &host::read(source, language, None));
    let Some((_, rest)) = expanded.split_once(&format!(".decl op{operand} v_type=G type=")) else { return expanded };
    rest.split(' ').next().unwrap_or_default().to_owned()
}

/// What C makes of two numbers: a real one if there is one, else one of 64 bits if there is one.
#[test]
fn operations_of_c_have_the_type_of_the_greater_number() {
    let types = [
        ("char", "b"),
        ("uchar", "b"),
        ("short", "w"),
        ("ushort", "w"),
        ("int", "d"),
        ("uint", "d"),
        ("long", "q"),
        ("ulong", "q"),
        ("half", "hf"),
        ("float", "f"),
        ("double", "df"),
    ];
    let greatest_first = ["df", "f", "hf", "q"];
    for ((one, a), (two, b)) in types.iter().flat_map(|one| types.map(|two| (*one, two))) {
        let sum = *greatest_first.iter().find(|t| **t == a || **t == b).unwrap_or(&"d");
        for (expression, wanted) in
            [("x + y", sum), ("x * y - x", sum), ("y", b), ("x ? x : y", if one == two { a } else { sum })]
        {
            let source = format!(
                "kernel void f(int n) {{\n  {one} x;\n  {two} y;\n  int out;\n  \
                 asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(out) : \"rw\"({expression}));\n}}\n"
            );
            assert_eq!(element_type(&source, Language::C, 1), wanted, "{expression} of {one} and {two}");
        }
    }
}

/// Numbers below 32 bits come several to an operand.
#[test]
fn types_of_triton_are_known() {
    for (name, bits, wanted) in [
        ("int8", 8, "b"),
        ("uint8", 8, "b"),
        ("int16", 16, "w"),
        ("uint16", 16, "w"),
        ("int32", 32, "d"),
        ("uint32", 32, "d"),
        ("int64", 64, "q"),
        ("uint64", 64, "q"),
        ("float16", 16, "hf"),
        ("bfloat16", 16, "bf"),
        ("float32", 32, "f"),
        ("float64", 64, "df"),
        ("float8e5", 8, "b"),
    ] {
        let source = format!(
            "def f(x):\n    return tl.inline_asm_elementwise(\"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\", \"=rw,rw\", [x], \
             dtype=tl.{name}, is_pure=True, pack={})\n",
            if bits < 32 { 32 / bits } else { 1 }
        );
        assert_eq!(element_type(&source, Language::Python, 0), wanted, "{name}");
    }
}
