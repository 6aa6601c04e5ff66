//! What is known of programs in which something stands once, twice and so on: how often it may before less is known is blessed
//! in `tests/snapshots/precision/ladders.txt`, so that each bound shows, and what happens just below and above it.

use super::generator;
use super::precision::line_of;
use crate::support::{blessed, check_sum, tests_folder};
use rayon::prelude::*;
use std::fmt::Write as _;
use visa_lint::lower::lower;

/// So often something stands in the programs of a ladder: up to most bounds, and around the greater ones.
fn steps() -> impl Iterator<Item = usize> {
    (0..=34).chain(62..=66)
}

/// The number of each lane.
const OPENING: &str = "mov (M1_NM, 8) Ruw0(0,0)<1> 0x76543210:uv\nadd (M1_NM, 8) Ruw0(0,8)<1> Ruw0(0,0)<1;1,0> 0x8:uw\n\
                       mov (M1_NM, 16) Rud3(0,0)<1> Ruw0(0,0)<1;1,0>\n";

const ENDING: &str = "shl (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x2:ud\nscatter4_scaled.R (M1, 16) T6 0x0:ud Rud4.0 DATA.0\n\
                      ret (M1, 1)\n";

/// What it is about, what comes before, what stands n times, what comes behind for each of these, from the last to the first,
/// and what comes behind once. `#` is the number of each from 0.
type Ladder = (&'static str, &'static str, &'static str, &'static str, &'static str);

const LADDERS: [Ladder; 25] = [
    (
        "terms",
        "mov (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0>",
        "mad (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> Rud1(0,#)<0;1,0> 0x#:ud",
        "",
        "",
    ),
    (
        "inputs added up",
        "mov (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0>",
        "add (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> Rud1(0,#)<0;1,0>",
        "",
        "",
    ),
    (
        "products",
        "mov (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0>",
        "mul (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> Rud1(0,#)<0;1,0>",
        "",
        "",
    ),
    (
        "powers",
        "add (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0> 0x1:ud",
        "mul (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x3:ud",
        "",
        "",
    ),
    (
        "squares",
        "add (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0> Rud1(0,0)<1;1,0>",
        "mul (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> Rud4(0,0)<1;1,0>",
        "",
        "",
    ),
    (
        "remainders",
        "mov (M1, 16) Rud5(0,0)<1> 0x0:ud",
        "add (M1, 16) Rud5(0,0)<1> Rud5(0,0)<1;1,0> 0x1:ud",
        "",
        "mod (M1, 16) Rud4(0,0)<1> Rud1(0,0)<1;1,0> Rud5(0,0)<1;1,0>",
    ),
    (
        "remainders of lanes",
        "mov (M1, 16) Rud5(0,0)<1> 0x0:ud",
        "add (M1, 16) Rud5(0,0)<1> Rud5(0,0)<1;1,0> 0x1:ud",
        "",
        "mod (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0> Rud5(0,0)<1;1,0>",
    ),
    (
        "quotients of lanes",
        "mov (M1, 16) Rud5(0,0)<1> 0x0:ud",
        "add (M1, 16) Rud5(0,0)<1> Rud5(0,0)<1;1,0> 0x1:ud",
        "",
        "div (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0> Rud5(0,0)<1;1,0>",
    ),
    (
        "shifts of lanes",
        "mov (M1, 16) Rud5(0,0)<1> 0x0:ud",
        "add (M1, 16) Rud5(0,0)<1> Rud5(0,0)<1;1,0> 0x1:ud",
        "",
        "shr (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0> Rud5(0,0)<1;1,0>",
    ),
    (
        "signed shifts",
        "mov (M1, 16) Rud5(0,0)<1> 0x0:ud",
        "add (M1, 16) Rud5(0,0)<1> Rud5(0,0)<1;1,0> 0x1:ud",
        "",
        "asr (M1, 16) Rd4(0,0)<1> Rd1(0,0)<1;1,0> Rd5(0,0)<1;1,0>",
    ),
    (
        "masks",
        "mov (M1, 16) Rud5(0,0)<1> 0x0:ud",
        "add (M1, 16) Rud5(0,0)<1> Rud5(0,0)<1;1,0> 0x1:ud",
        "",
        "and (M1, 16) Rud4(0,0)<1> Rud1(0,0)<1;1,0> Rud5(0,0)<1;1,0>",
    ),
    (
        "masks of lanes",
        "mov (M1, 16) Rud5(0,0)<1> 0x0:ud",
        "add (M1, 16) Rud5(0,0)<1> Rud5(0,0)<1;1,0> 0x1:ud",
        "",
        "and (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0> Rud5(0,0)<1;1,0>",
    ),
    (
        "lanes below a number",
        "mov (M1, 16) Rud5(0,0)<1> 0x0:ud",
        "add (M1, 16) Rud5(0,0)<1> Rud5(0,0)<1;1,0> 0x1:ud",
        "",
        "cmp.lt (M1, 16) P1 Rud3(0,0)<1;1,0> Rud5(0,0)<1;1,0>\n(P1) sel (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0> Rud1(0,0)<1;1,0>",
    ),
    (
        "halvings",
        "mov (M1, 16) Rud4(0,0)<1> Rud1(0,0)<1;1,0>",
        "avg (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> Rud3(0,0)<1;1,0>",
        "",
        "",
    ),
    (
        "choices",
        "mov (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0>",
        "cmp.lt (M1, 16) P1 Rud1(0,0)<1;1,0> 0x#:ud\n(P1) add (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x10:ud",
        "",
        "",
    ),
    (
        "choices of one",
        "mov (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0>",
        "cmp.eq (M1, 16) P1 Rud1(0,0)<1;1,0> 0x#:ud\n(P1) sel (M1, 16) Rud4(0,0)<1> 0x#:ud Rud4(0,0)<1;1,0>",
        "",
        "",
    ),
    (
        "least of several",
        "mov (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0>",
        "min (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> Rud1(0,#)<0;1,0>",
        "",
        "",
    ),
    (
        "conditions",
        "cmp.lt (M1, 16) P1 Rud1(0,0)<1;1,0> 0x80:ud",
        "cmp.ne (M1, 16) P2 Rud1(0,0)<1;1,0> 0x#:ud\nand (M1, 16) P1 P1 P2",
        "",
        "(P1) sel (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0> Rud1(0,0)<1;1,0>",
    ),
    (
        "branches",
        "mov (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0>",
        "cmp.lt (M1, 16) P1 Rud1(0,0)<1;1,0> 0x#:ud\n(P1) goto (M1, 16) L#\nadd (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x1:ud\nL#:",
        "",
        "",
    ),
    (
        "branches in branches",
        "mov (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0>",
        "cmp.lt (M1, 16) P1 Rud1(0,0)<1;1,0> 0x#:ud\n(P1) goto (M1, 16) L#\nadd (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x1:ud",
        "L#:",
        "",
    ),
    (
        "loops",
        "mov (M1_NM, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0>\nmov (M1_NM, 1) N(0,0)<1> 0x0:ud",
        "L#:\nadd (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x1:ud",
        "add (M1_NM, 1) N(0,0)<1> N(0,0)<0;1,0> 0x1:ud\ncmp.lt (M1_NM, 1) U N(0,0)<0;1,0> 0x5:ud\n(U) goto (M1, 1) L#",
        "",
    ),
    (
        "passes",
        "mov (M1_NM, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0>\nmov (M1_NM, 1) N(0,0)<1> 0x0:ud\nmov (M1_NM, 16) Rud5(0,0)<1> 0x0:ud",
        "add (M1, 16) Rud5(0,0)<1> Rud5(0,0)<1;1,0> 0x1:ud",
        "",
        "L:\nadd (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x1:ud\nadd (M1_NM, 1) N(0,0)<1> N(0,0)<0;1,0> 0x1:ud\ncmp.lt (M1_NM, 1) U N(0,0)<0;1,0> Rud5(0,0)<0;1,0>\n(U) goto (M1, 1) L",
    ),
    (
        "calls",
        "mov (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0>",
        "call (M1, 16) one",
        "",
        "goto (M1, 1) behind\none:\nadd (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x1:ud\nret (M1, 16)\nbehind:",
    ),
    (
        "stores",
        "mov (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0>",
        "scatter4_scaled.R (M1, 16) T6 0x#:ud Rud1.0 DATA.0",
        "gather4_scaled.R (M1, 16) T6 0x#:ud Rud1.0 Rud5.0\nadd (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> Rud5(0,0)<1;1,0>",
        "",
    ),
    (
        "copies",
        "mov (M1, 16) Rud4(0,0)<1> Rud3(0,0)<1;1,0>",
        "mov (M1, 16) Ruw5(0,0)<1> Ruw4(0,0)<2;1,0>\nmov (M1, 16) Rud4(0,0)<1> Ruw5(0,0)<1;1,0>",
        "",
        "",
    ),
];

fn program((_, before, each, back, behind): &Ladder, n: usize) -> String {
    let of = |line: &str, i: usize| line.replace("(0,#)", &format!("(0,{})", i % 8)).replace('#', &format!("{i:x}"));
    let mut lines = format!("{OPENING}{before}\n");
    for i in 0..n {
        let _ = writeln!(lines, "{}", of(each, i));
    }
    for i in (0..n).rev() {
        let _ = writeln!(lines, "{}", of(back, i));
    }
    let _ = writeln!(lines, "{behind}");
    lines += ENDING;
    generator::head(&lines, 16, 32) + &lines
}

/// What is found at how many, as far as it changes, and a check sum of what is known.
fn said(ladder: &Ladder) -> String {
    let (mut out, mut all, mut last) = (format!("{}:", ladder.0), String::new(), None);
    for n in steps() {
        let text = program(ladder, n);
        assert!(lower(&text).diagnostics.is_empty(), "{}", text);
        let known = line_of(&text);
        let n_facts = known.split("; ").nth(1).and_then(|facts| facts.split(' ').next()).map(str::to_owned);
        if n_facts != last {
            let _ = write!(out, " {n}: {},", n_facts.as_deref().unwrap_or_default());
            last = n_facts;
        }
        all += &known;
    }
    format!("{out} {:08x}\n", check_sum(&all))
}

#[test]
fn as_much_is_known_of_each_step_as_is_blessed() {
    let said: String = LADDERS.par_iter().map(said).collect();
    blessed(&tests_folder().join("snapshots/precision/ladders.txt"), &said);
}
