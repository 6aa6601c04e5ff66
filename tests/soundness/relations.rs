//! What comparisons say: which of them implies which, and where a counter moves away from its bound.

use crate::support::on;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use visa_lint::checks;
use visa_lint::spec::Platform;

const RELATIONS: [&str; 6] = ["eq", "ne", "lt", "le", "gt", "ge"];

/// Whether the relation holds of two numbers; none but "not equal" holds of a NaN.
fn holds(relation: &str, x: f64, y: f64) -> bool {
    let order = x.partial_cmp(&y);
    match relation {
        "eq" => order.is_some_and(Ordering::is_eq),
        "ne" => order.is_none_or(Ordering::is_ne),
        "lt" => order.is_some_and(Ordering::is_lt),
        "le" => order.is_some_and(Ordering::is_le),
        "gt" => order.is_some_and(Ordering::is_gt),
        _ => order.is_some_and(Ordering::is_ge),
    }
}

/// The lines with a finding of the rule, from 0.
fn lines_with(rule: &str, text: &str) -> BTreeSet<usize> {
    let found = checks::check(text, &on(Platform::DG2));
    let own = found.iter().filter(|d| d.rule.name == rule);
    own.map(|d| text[..d.primary.span.start as usize].matches('\n').count()).collect()
}

/// Writes variables under each comparison of a and b, and of b and a, and reads them under each comparison of a and b:
/// the reads are reported whose comparison may hold where that of the write does not.
fn implications(element_type: &str, numbers: &[f64]) {
    let mut declarations = String::new();
    let mut lines = String::new();
    for relation in RELATIONS {
        for (turned, operands) in [("", "a(0,0)<1;1,0> b(0,0)<1;1,0>"), ("_turned", "b(0,0)<1;1,0> a(0,0)<1;1,0>")] {
            let _ = writeln!(declarations, ".decl p_{relation}{turned} v_type=P num_elts=16");
            let _ = writeln!(declarations, ".decl v_{relation}{turned} v_type=G type=d num_elts=16 align=GRF");
            let _ = writeln!(lines, "cmp.{relation} (M1, 16) p_{relation}{turned} {operands}");
            let _ = writeln!(lines, "(p_{relation}{turned}) mov (M1, 16) v_{relation}{turned}(0,0)<1> 0x1:d");
        }
    }
    let mut text = format!(
        ".version 4.1\n.kernel \"k\"\n.decl a v_type=G type={element_type} num_elts=16 align=GRF\n\
         .decl b v_type=G type={element_type} num_elts=16 align=GRF\n\
         .decl sum v_type=G type=d num_elts=16 align=GRF\n{declarations}.input a offset=32 size=64\n\
         .input b offset=96 size=64\n.kernel_attr SimdSize=16\n{lines}"
    );
    let mut expected = BTreeSet::new();
    for written in RELATIONS {
        for turned in ["", "_turned"] {
            for read in RELATIONS {
                let is_written = |x, y| if turned.is_empty() { holds(written, x, y) } else { holds(written, y, x) };
                let is_implied =
                    numbers.iter().all(|x| numbers.iter().all(|y| !holds(read, *x, *y) || is_written(*x, *y)));
                if !is_implied {
                    expected.insert(text.matches('\n').count());
                }
                let _ = writeln!(text, "(p_{read}) add (M1, 16) sum(0,0)<1> v_{written}{turned}(0,0)<1;1,0> 0x1:d");
            }
        }
    }
    text += "ret (M1, 1)\n";
    assert_eq!(lines_with("undefined-register", &text), expected, "\n{text}");
}

#[test]
fn a_comparison_implies_those_that_follow_from_it() {
    for element_type in ["d", "ud"] {
        implications(element_type, &[0.0, 1.0, 2.0]);
    }
    implications("f", &[0.0, 1.0, 2.0, f64::NAN]);
}

/// Loops that go on while a relation holds, with counters that move towards the bound, away from it, and from it.
#[test]
fn a_counter_that_moves_away_from_its_bound_never_gets_there() {
    const BOUND: i32 = 9;
    let mut text = ".version 4.1\n".to_owned();
    let mut expected = BTreeSet::new();
    for relation in ["lt", "le", "gt", "ge"] {
        for is_turned in [false, true] {
            for first in [BOUND - 3, BOUND, BOUND + 3] {
                for step in [1, -1] {
                    let goes_on = |i: i32| {
                        if is_turned {
                            holds(relation, f64::from(BOUND), f64::from(i))
                        } else {
                            holds(relation, f64::from(i), f64::from(BOUND))
                        }
                    };
                    let is_endless = (0..100).all(|pass| goes_on(first + step * pass));
                    let name = format!("k{}", text.matches(".kernel \"").count());
                    let operands =
                        if is_turned { "b(0,0)<0;1,0> i(0,0)<0;1,0>" } else { "i(0,0)<0;1,0> b(0,0)<0;1,0>" };
                    let _ = write!(
                        text,
                        ".kernel \"{name}\"\n.decl i v_type=G type=d num_elts=1\n.decl b v_type=G type=d num_elts=1\n\
                         .decl c v_type=P num_elts=1\n.kernel_attr SimdSize=16\n\
                         mov (M1_NM, 1) i(0,0)<1> {}:d\nmov (M1_NM, 1) b(0,0)<1> {BOUND}:d\nagain:\n\
                         add (M1_NM, 1) i(0,0)<1> i(0,0)<0;1,0> {step}:d\ncmp.{relation} (M1_NM, 1) c {operands}\n",
                        first - step
                    );
                    if is_endless {
                        expected.insert(text.matches('\n').count());
                    }
                    text += "(c) jmp (M1_NM, 1) again\nret (M1, 1)\n";
                }
            }
        }
    }
    assert!(!expected.is_empty());
    assert_eq!(lines_with("endless-loop", &text), expected, "\n{text}");
}
