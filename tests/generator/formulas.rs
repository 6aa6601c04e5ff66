//! The parser of formulas.

use super::rules::expression::{Expression, parse};

/// A formula with all its parentheses.
fn show(expression: &Expression<String>) -> String {
    match expression {
        Expression::Number(number) => number.to_string(),
        Expression::Variable(name) => name.clone(),
        Expression::Element(name, index) => format!("{name}[{}]", show(index)),
        Expression::Binary(operator, a, b) => format!("({} {operator:?} {})", show(a), show(b)),
        Expression::Choose(condition, a, b) => format!("({} ? {} : {})", show(condition), show(a), show(b)),
    }
}

#[track_caller]
fn reads_as(text: &str, wanted: &str) {
    assert_eq!(parse(text).as_ref().map(show).as_deref(), Ok(wanted), "{text}");
}

#[track_caller]
fn fails_with(text: &str, wanted: &str) {
    assert_eq!(parse(text).map(|formula| show(&formula)), Err(wanted.to_owned()), "{text}");
}

#[test]
fn products_bind_closer_than_sums_and_sums_closer_than_comparisons() {
    reads_as("a + b * c == d - e / f", "((a Add (b Multiply c)) Equal (d Subtract (e Divide f)))");
    reads_as("(a + b) * c", "((a Add b) Multiply c)");
}

#[test]
fn operators_of_one_rank_are_taken_from_the_left() {
    reads_as("a - b - c", "((a Subtract b) Subtract c)");
    reads_as("a / b * c", "((a Divide b) Multiply c)");
}

#[test]
fn long_symbols_are_not_cut() {
    for (symbol, name) in
        [("<", "Less"), ("<=", "LessEqual"), (">", "Greater"), (">=", "GreaterEqual"), ("!=", "NotEqual")]
    {
        reads_as(&format!("a{symbol}b"), &format!("(a {name} b)"));
    }
}

#[test]
fn functions_and_elements_nest() {
    reads_as("max(a, min(b, 2))", "(a Max (b Min 2))");
    reads_as("round_up(a, 0x40)", "(a RoundUp 64)");
    reads_as("choose(a < 1, b[lane + 1], 0)", "((a Less 1) ? b[(lane Add 1)] : 0)");
}

#[test]
fn faults_are_told_in_words() {
    fails_with("", "expected a number, a name or `(` at the end of the formula");
    fails_with("a +", "expected a number, a name or `(` at the end of the formula");
    fails_with("a + * b", "expected a number, a name or `(` before `*`");
    fails_with("(a + b", "expected `)` at the end of the formula");
    fails_with("a[lane)", "expected `]` before `)`");
    fails_with("a b", "`b` after the end of the formula");
    fails_with("a < b < c", "`<` after the end of the formula");
    fails_with("4x", "`4x` is not a number");
    fails_with("a % b", "`%` has no meaning in a formula");
    fails_with("99999999999999999999", "`99999999999999999999` is not a number");
    fails_with("maximum(a, b)", "unknown function `maximum`, expected `max`, `min`, `round_up` or `choose`");
    fails_with("roundup(a, b)", "unknown function `roundup`, did you mean `round_up`?");
    fails_with("max(a)", "`max` takes 2 arguments, not 1");
    fails_with("choose(a, b)", "`choose` takes 3 arguments, not 2");
}
