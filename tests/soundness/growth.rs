//! What abstract execution costs for programs of the worst shapes, as they grow: about as much more as they are longer, or
//! it is given up in time.

use super::{generator, launch};
use std::fmt::Write as _;
use visa_lint::interp;
use visa_lint::interp::facts::Verdict;
use visa_lint::lower::lower;
use visa_lint::program::InstructionIndex;

/// How much more a program of twice the length may cost.
const MAX_FACTOR: f64 = 2.2;
/// What any program may cost at most: that much, and for each instruction that much.
const MAX_COST: u64 = 100_000;
const MAX_PER_INSTRUCTION: u64 = 25;

const ENDING: &str = "scatter4_scaled.R (M1_NM, 16) T6 0x0:ud Rud4.0 DATA.0\nret (M1, 1)\n";

struct Cost {
    effort: u64,
    n_instructions: u64,
    is_given_up: bool,
}

/// Executes a program; if it is given up, nothing may be claimed of its store.
fn cost(lines: &str) -> Cost {
    let text = generator::head(lines, 16, 32) + lines;
    let program = lower(&text);
    assert!(program.diagnostics.is_empty(), "{:?}\n{text}", program.diagnostics.first());
    let object = program.objects.iter().next().expect("a kernel");
    let facts = interp::run(&program, object, 32, &launch());
    let is_store = |i: &u32| {
        let instruction = &program.instructions[InstructionIndex(*i)];
        program.row(instruction).is_some_and(|row| row.mnemonic == "scatter4_scaled")
    };
    let verdict = facts.verdicts.iter().find(|(i, _)| is_store(i)).map(|(_, verdict)| *verdict);
    let is_claimed = matches!(verdict, Some(Verdict::Never | Verdict::Must | Verdict::Conditional));
    assert!(!facts.is_incomplete || !is_claimed, "{verdict:?} of what was given up");
    Cost { effort: facts.effort, n_instructions: program.instructions.len() as u64, is_given_up: facts.is_incomplete }
}

/// A shape of 1, 2, 4 and so on times its least size costs about as much more, as long as it is not given up.
#[expect(clippy::cast_precision_loss, reason = "a factor")]
fn grows(name: &str, least: usize, doublings: u32, shape: impl Fn(usize) -> String) {
    let costs: Vec<Cost> = (0..=doublings).map(|d| cost(&shape(least << d))).collect();
    for pair in costs.windows(2) {
        let factor = pair[1].effort as f64 / pair[0].effort as f64;
        assert!(
            factor <= MAX_FACTOR,
            "{name}: {} instructions cost {}, {} cost {}",
            pair[0].n_instructions,
            pair[0].effort,
            pair[1].n_instructions,
            pair[1].effort
        );
    }
    assert!(!costs[0].is_given_up, "{name}: the least program is given up");
}

/// A shape of 1, 2, 4 and so on times its least size may cost much more, but there is an end to it.
fn is_bounded(name: &str, least: usize, doublings: u32, shape: impl Fn(usize) -> String) {
    for doubling in 0..=doublings {
        let n = least << doubling;
        let Cost { effort, n_instructions, is_given_up } = cost(&shape(n));
        let most = MAX_COST + MAX_PER_INSTRUCTION * n_instructions;
        assert!(effort <= most, "{name}: {n_instructions} instructions cost {effort}");
        assert!(doubling > 0 || !is_given_up, "{name}: the least program is given up");
    }
}

#[test]
fn straight_code() {
    grows("straight code", 1000, 5, |n| {
        let mut out = String::new();
        for i in 0..n {
            let (op, b) = [("add", "Rud2(0,0)<1;1,0>"), ("mul", "0xc:ud"), ("xor", "Rud1(0,0)<1;1,0>")][i % 3];
            let _ = writeln!(out, "{op} (M1_NM, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> {b}");
        }
        "mov (M1_NM, 16) Rud4(0,0)<1> Rud1(0,0)<1;1,0>\n".to_owned() + &out + ENDING
    });
}

#[test]
fn chains_of_choices() {
    grows("chains of choices", 100, 5, |n| {
        let mut out = String::from("mov (M1_NM, 16) Rud4(0,0)<1> Rud1(0,0)<1;1,0>\n");
        for i in 0..n {
            let _ = writeln!(out, "cmp.lt (M1_NM, 16) P1 Rud1(0,0)<1;1,0> 0x{i:x}:ud");
            let _ = writeln!(out, "(P1) sel (M1_NM, 16) Rud4(0,0)<1> Rud2(0,0)<1;1,0> Rud4(0,0)<1;1,0>");
            let _ = writeln!(out, "add (M1_NM, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x{i:x}:ud");
        }
        out + ENDING
    });
}

#[test]
fn diamonds() {
    for is_uniform in [false, true] {
        grows("diamond after diamond", 50, 5, |n| {
            let mut out = String::from("mov (M1_NM, 16) Rud4(0,0)<1> Rud1(0,0)<1;1,0>\n");
            for i in 0..n {
                let (lanes, p) = if is_uniform { (1, "U") } else { (16, "P1") };
                let _ = writeln!(out, "cmp.lt (M1_NM, {lanes}) {p} Rud1(0,0)<1;1,0> 0x{i:x}:ud");
                let _ = writeln!(out, "({p}) goto (M1, {lanes}) L{i}");
                let _ = writeln!(out, "add (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x{i:x}:ud");
                let _ = writeln!(out, "goto (M1, {lanes}) E{i}\nL{i}:");
                let _ = writeln!(out, "mul (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x4:ud\nE{i}:");
            }
            out + ENDING
        });
    }
}

#[test]
fn choices_within_choices() {
    grows("choices within choices", 50, 3, |n| {
        let mut out = String::from("mov (M1_NM, 16) Rud4(0,0)<1> Rud1(0,0)<1;1,0>\n");
        for i in 0..n {
            let _ = writeln!(out, "cmp.lt (M1, 16) P1 Rud1(0,0)<1;1,0> 0x{i:x}:ud");
            let _ = writeln!(out, "(P1) goto (M1, 16) L{i}");
            let _ = writeln!(out, "add (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x{i:x}:ud");
        }
        for i in (0..n).rev() {
            let _ = writeln!(out, "L{i}:\nadd (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x4:ud");
        }
        out + ENDING
    });
}

#[test]
fn branches_to_one_place() {
    grows("branches to one place", 200, 3, |n| {
        let mut out = String::from("mov (M1_NM, 16) Rud4(0,0)<1> Rud1(0,0)<1;1,0>\n");
        for i in 0..n {
            let _ = writeln!(out, "cmp.lt (M1, 16) P1 Rud1(0,0)<1;1,0> 0x{i:x}:ud");
            let _ = writeln!(out, "(P1) goto (M1, 16) L1");
            let _ = writeln!(out, "add (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x{i:x}:ud");
        }
        out + "L1:\n" + ENDING
    });
}

/// Begin and end of a loop whose number of passes is not known.
fn around(i: usize, is_divergent: bool) -> (String, String) {
    if is_divergent {
        return (
            format!("L{i}:\nadd (M1, 16) Rud5(0,0)<1> Rud5(0,0)<1;1,0> 0x1:ud\n"),
            format!("cmp.lt (M1, 16) P1 Rud5(0,0)<1;1,0> Rud2(0,0)<1;1,0>\n(P1) goto (M1, 16) L{i}\n"),
        );
    }
    (
        format!("L{i}:\nadd (M1_NM, 1) N(0,0)<1> N(0,0)<0;1,0> 0x1:ud\n"),
        format!("cmp.lt (M1_NM, 1) U N(0,0)<0;1,0> Rud2(0,0)<0;1,0>\n(U) goto (M1, 1) L{i}\n"),
    )
}

const LOOP_OPENING: &str = "mov (M1_NM, 16) Rud4(0,0)<1> Rud1(0,0)<1;1,0>\nmov (M1_NM, 16) Rud5(0,0)<1> 0x0:ud\n\
                            mov (M1_NM, 1) N(0,0)<1> 0x0:ud\n";

#[test]
fn loops_after_loops() {
    for is_divergent in [false, true] {
        grows("loop after loop", 25, 5, |n| {
            let mut out = LOOP_OPENING.to_owned();
            for i in 0..n {
                let (begin, end) = around(i, is_divergent);
                out += &begin;
                out += "mul (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x4:ud\n";
                out += &end;
            }
            out + ENDING
        });
    }
}

#[test]
fn loops_within_loops() {
    for is_divergent in [false, true] {
        is_bounded("loops within loops", 2, 7, |n| {
            let mut out = LOOP_OPENING.to_owned();
            for i in 0..n {
                out += &around(i, is_divergent).0;
                out += "mul (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x4:ud\n";
            }
            for i in (0..n).rev() {
                out += &around(i, is_divergent).1;
            }
            out + ENDING
        });
    }
}

#[test]
fn loops_with_known_numbers_of_passes() {
    is_bounded("known loops within loops", 1, 3, |n| {
        let mut out = LOOP_OPENING.to_owned();
        for i in 0..n {
            let _ = writeln!(out, "mov (M1_NM, 1) N(0,{i})<1> 0x0:ud\nL{i}:");
            out += "add (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x4:ud\n";
        }
        for i in (0..n).rev() {
            let _ = writeln!(out, "add (M1_NM, 1) N(0,{i})<1> N(0,{i})<0;1,0> 0x1:ud");
            let _ = writeln!(out, "cmp.lt (M1_NM, 1) U N(0,{i})<0;1,0> 0x40:ud\n(U) goto (M1, 1) L{i}");
        }
        out + ENDING
    });
}

#[test]
fn tables_of_labels() {
    grows("tables of labels", 10, 5, |n| {
        let mut out = String::from("mov (M1_NM, 16) Rud4(0,0)<1> Rud1(0,0)<1;1,0>\n");
        for i in 0..n {
            let names: Vec<String> = (0..16).map(|k| format!("L{i}x{k}")).collect();
            let _ = writeln!(out, "switchjmp (M1, 1) Rud2(0,0)<0;1,0> ({})", names.join(", "));
            for (k, name) in names.iter().enumerate() {
                let _ = writeln!(out, "{name}:\nadd (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x{k:x}:ud");
                let _ = writeln!(out, "goto (M1, 1) E{i}");
            }
            let _ = writeln!(out, "E{i}:");
        }
        out + ENDING
    });
}

#[test]
fn calls_within_calls() {
    for n_calls in [1, 2, 4] {
        is_bounded("calls within calls", 2, 6, |n| {
            let mut out = String::from("mov (M1_NM, 16) Rud4(0,0)<1> Rud1(0,0)<1;1,0>\ncall (M1, 16) sub0\n");
            out += ENDING;
            for i in 0..n {
                let _ = writeln!(out, ".function \"sub{i}\"\nsub{i}:");
                for _ in 0..n_calls {
                    out += "mul (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x3:ud\n";
                    if i + 1 < n {
                        let _ = writeln!(out, "call (M1, 16) sub{}", i + 1);
                    }
                }
                out += "ret (M1, 16)\n";
            }
            out
        });
    }
}

#[test]
fn aliases_of_all_widths() {
    grows("aliases", 200, 5, |n| {
        let mut out = String::from("mov (M1_NM, 16) Rud4(0,0)<1> Rud1(0,0)<1;1,0>\n");
        for i in 0..n {
            let line = match i % 4 {
                0 => "add (M1_NM, 16) Ruw4(0,0)<2> Ruw4(0,1)<2;1,0> 0x3:uw",
                1 => "add (M1_NM, 16) Rub4(0,1)<4> Rub1(0,2)<4;1,0> 0x3:uw",
                2 => "add (M1_NM, 8) Ruq4(0,0)<1> Ruq4(0,0)<1;1,0> Ruq2(0,0)<1;1,0>",
                _ => "add (M1_NM, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> Rud2(0,0)<1;1,0>",
            };
            let _ = writeln!(out, "{line}");
        }
        out + ENDING
    });
}

/// Loops within loops, `n` deep, around a store; lanes decide for themselves if `width` is not 1.
fn nested_loops(n: usize, width: u32) -> String {
    let mut out = String::from("mov (M1_NM, 16) Rud4(0,0)<1> Rud1(0,0)<1;1,0>\n");
    for i in 0..n {
        let _ = writeln!(out, "L{i}:\nadd (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x{i:x}:ud");
    }
    out.push_str("add (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x4:ud\n");
    out.push_str("scatter4_scaled.R (M1, 16) T6 0x0:ud Rud4.0 DATA.0\n");
    for i in (0..n).rev() {
        let p = if width == 1 { "U" } else { "P1" };
        let _ = writeln!(out, "cmp.lt (M1, {width}) {p} Rud1(0,0)<1;1,0> 0x{i:x}:ud\n({p}) goto (M1, {width}) L{i}");
    }
    out + ENDING
}

#[test]
fn loops_within_loops_thousands_deep() {
    for width in [1, 16] {
        for n in [30, 3000] {
            let shape = nested_loops(n, width);
            let Cost { effort, n_instructions, is_given_up } = cost(&shape);
            assert_eq!(is_given_up, n == 3000, "{n} loops");
            assert!(effort <= MAX_COST + MAX_PER_INSTRUCTION * n_instructions, "{n} loops cost {effort}");
        }
    }
}

#[test]
fn loops_and_calls_together_thousands_deep() {
    let n_calls = 10;
    let mut out = String::from("call (M1, 1) F0\nret (M1, 1)\n");
    for call in 0..n_calls {
        let _ = writeln!(out, ".function F{call}");
        for i in 0..400 {
            let _ = writeln!(out, "L{call}_{i}:\nadd (M1, 16) Rud4(0,0)<1> Rud4(0,0)<1;1,0> 0x{i:x}:ud");
        }
        if call + 1 < n_calls {
            let _ = writeln!(out, "call (M1, 1) F{}", call + 1);
        } else {
            out.push_str("scatter4_scaled.R (M1, 16) T6 0x0:ud Rud4.0 DATA.0\n");
        }
        for i in (0..400).rev() {
            let _ = writeln!(out, "cmp.lt (M1, 1) U Rud1(0,0)<1;1,0> 0x{i:x}:ud\n(U) goto (M1, 1) L{call}_{i}");
        }
        out.push_str("ret (M1, 1)\n");
    }
    let Cost { is_given_up, .. } = cost(&out);
    assert!(is_given_up);
}
