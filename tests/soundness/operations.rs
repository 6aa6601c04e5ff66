//! Every operation with every integer type that its instructions take: what the abstract interpreter says of the results
//! is compared with what the concrete one computes.

use super::generator::head;
use super::{Tally, examine_text};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use visa_lint::base::rule::Level;
use visa_lint::checks::{self, Options};
use visa_lint::interp::domain::fold;
use visa_lint::spec::instruction::{Instruction, ModifierKind, Predication, Saturation};
use visa_lint::spec::operand::{OperandKind, OperandSlot};
use visa_lint::spec::operation::{Folding, Form, Operation};
use visa_lint::spec::{Type, instructions};

/// Lanes of the programs, and bytes of a register.
const LANES: u32 = 16;
const GRF_BYTES: u32 = 32;
/// Instructions of one program, each with those that read its results.
const MAX_LINES: usize = 60;

/// Known numbers of all sizes in `Rud5`, known small ones in `Rud6`; `Rud1` and `Rud2` are inputs.
const OPENING: &str = "mov (M1_NM, 8) Ruw0(0,0)<1> 0x76543210:uv
add (M1_NM, 8) Ruw0(0,8)<1> Ruw0(0,0)<1;1,0> 0x8:uw
mov (M1_NM, 16) Rud3(0,0)<1> Ruw0(0,0)<1;1,0>
mul (M1_NM, 16) Rud5(0,0)<1> Rud3(0,0)<1;1,0> 0x91234567:ud
mul (M1_NM, 16) Rud5(2,0)<1> Rud3(0,0)<1;1,0> 0xf7654321:ud
mul (M1_NM, 16) Rud6(0,0)<1> Rud3(0,0)<1;1,0> 0x3:ud
mov (M1_NM, 16) Rud6(2,0)<1> 0x0:ud
mov (M1_NM, 16) Rud4(0,0)<1> 0x0:ud
mov (M1_NM, 16) Rud4(2,0)<1> 0x0:ud
mov (M1_NM, 16) Rud3(0,0)<1> 0x0:ud
mov (M1_NM, 16) Rud3(2,0)<1> 0x0:ud
setp (M1_NM, 32) P1 0x5a3c:ud
";

/// The integer types that may stand in a slot.
fn types(slot: &OperandSlot) -> Vec<Type> {
    let further = slot.types_by_platform.iter().flat_map(|t| t.value.iter());
    let all: BTreeSet<Type> = slot.types.legal.iter().chain(further).collect();
    all.into_iter().filter(|t| t.is_integer() && !t.is_packed()).collect()
}

/// What may follow the mnemonic of an instruction.
fn modifiers(row: &Instruction) -> Vec<String> {
    let required = row.modifiers.iter().find(|m| !m.optional);
    match required.map(|m| (m.kind, m.values)) {
        None => vec![String::new()],
        Some((ModifierKind::BooleanFunction, _)) => {
            ["x80", "xfe", "x96", "xca", "x1b", "x4d"].map(|table| format!(".{table}")).to_vec()
        }
        Some((_, values)) => values.iter().map(|value| format!(".{}", value.text)).collect(),
    }
}

/// Instructions of a row, each with those that read what it has written.
fn lines(row: &Instruction, form: Form) -> Vec<String> {
    let n_destinations = row.operands.iter().take_while(|slot| slot.role.writes()).count();
    let (destinations, sources) = row.operands.split_at(n_destinations);
    let results: Vec<String> = match form {
        Form::Comparison => vec!["P2".to_owned(), "Rud3(0,0)<1>".to_owned()],
        Form::Carry => vec!["Rud3(0,0)<1> Rud4(0,0)<1>".to_owned()],
        _ => types(&destinations[0]).iter().map(|t| format!("R{}3(0,0)<1>", t.text())).collect(),
    };
    let n = if form == Form::WideProduct { 8 } else { LANES };
    let mut lines = Vec::new();
    let first_types = types(&sources[0]);
    for (i, result) in results.iter().enumerate() {
        for (j, modifier) in modifiers(row).iter().enumerate() {
            for (k, first) in first_types.iter().enumerate() {
                for variables in [[5, 6, 5, 1], [1, 6, 5, 6], [1, 2, 6, 1], [6, 5, 1, 5]] {
                    let turn = i + j + k + variables[0];
                    let mut text = String::new();
                    for (place, slot) in sources.iter().enumerate() {
                        let own = types(slot);
                        let same = own.iter().find(|t| *t == first).or(own.first());
                        // Now and then another type, a scalar, or a number.
                        let t = if turn % 4 == 1 { own.get((turn + place) % own.len().max(1)) } else { same };
                        let Some(t) = t else { continue };
                        let is_last = place + 1 == sources.len();
                        let region = if turn % 5 == 2 && is_last { "<0;1,0>" } else { "<1;1,0>" };
                        let is_number =
                            place > 0 && is_last && turn % 3 == 0 && slot.kinds.contains(OperandKind::Immediate);
                        let name = t.text();
                        if is_number && t.bytes() > 1 {
                            let number = [3, 0x7f, 1, 31, 0x4000][turn % 5];
                            let _ = write!(text, " 0x{number:x}:{name}");
                        } else {
                            let _ = write!(text, " R{name}{}(0,0){region}", variables[place % 4]);
                        }
                    }
                    let guard = match row.predicate {
                        Predication::Required => "(P1) ",
                        Predication::Allowed if turn % 7 == 3 => "(!P1) ",
                        _ => "",
                    };
                    let may_saturate = matches!(row.saturate, Saturation::Allowed);
                    for saturation in if may_saturate { &["", ".sat"][..] } else { &[""] } {
                        lines.push(format!(
                            "{guard}{}{modifier}{saturation} (M1, {n}) {result}{text}\n\
                             mov (M1_NM, 16) %null(0,0)<1> Rud3(0,0)<1;1,0>\n\
                             mov (M1_NM, 16) %null(0,0)<1> Rud3(2,0)<1;1,0>\n{}",
                            row.mnemonic,
                            match form {
                                Form::Comparison => "(P2) sel (M1_NM, 16) Rud4(0,0)<1> 0x1:ud 0x2:ud\n",
                                Form::Carry => "mov (M1_NM, 16) %null(0,0)<1> Rud4(0,0)<1;1,0>\n",
                                _ => "",
                            }
                        ));
                    }
                }
            }
        }
    }
    lines
}

/// Instructions whose operands are no vectors of integers.
const OTHER_LINES: &[&str] = &[
    "movs (M1_NM, 1) T6(0) Rud1(0,0)<0;1,0>\nmovs (M1_NM, 1) Rud3(0,0)<1> T6(0)\nmov (M1_NM, 1) %null(0,0)<1> Rud3(0,0)<0;1,0>\n",
    "movs (M1_NM, 1) T6(0) 0x12345:ud\nmovs (M1_NM, 1) Rud3(0,0)<1> T6(0)\nmov (M1_NM, 1) %null(0,0)<1> Rud3(0,0)<0;1,0>\n",
    "setp (M1_NM, 16) P2 Rud1(0,0)<1;1,0>\n(P2) sel (M1_NM, 16) Rud4(0,0)<1> 0x1:ud 0x2:ud\n",
    "setp (M1_NM, 16) P2 Rud5(0,1)<0;1,0>\n(P2) sel (M1_NM, 16) Rud4(0,0)<1> 0x1:ud 0x2:ud\n",
    "and (M1_NM, 16) P2 P1 P1\nor (M1, 16) P2 P2 P1\nxor (M1, 16) P3 P2 P1\nnot (M1, 16) P2 P3\n\
     (P2) sel (M1_NM, 16) Rud4(0,0)<1> 0x1:ud 0x2:ud\n",
    "cmp.lt (M1_NM, 16) P2 Rud1(0,0)<1;1,0> Rud5(0,0)<1;1,0>\nmov (M1_NM, 1) Rud3(0,0)<1> P2\n\
     not (M1_NM, 1) Rud3(0,0)<1> Rud3(0,0)<0;1,0>\nand (M1_NM, 1) Rud3(0,0)<1> Rud3(0,0)<0;1,0> 0xff0:ud\n\
     setp (M1_NM, 16) P3 Rud3(0,0)<0;1,0>\n(P3) sel (M1_NM, 16) Rud4(0,0)<1> 0x1:ud 0x2:ud\n",
    "addr_add (M1_NM, 1) A0(0)<1> &Rud5 0x4:uw\nmov (M1_NM, 8) Rud3(0,0)<1> r[A0(0),0]<1;1,0>:ud\n\
     mov (M1_NM, 8) %null(0,0)<1> Rud3(0,0)<1;1,0>\n",
    "addr_add (M1_NM, 8) A0(0)<8> &Rud5 Ruw6(0,0)<0;1,0>\nmov (M1_NM, 8) Rud3(0,0)<1> r[A0(0),8]<1,0>:ud\n\
     mov (M1_NM, 8) %null(0,0)<1> Rud3(0,0)<1;1,0>\n",
];

/// A program of these lines.
fn program(lines: &[&str]) -> String {
    let body = format!("{OPENING}{}ret (M1, 1)\n", lines.concat());
    head(&body, LANES as usize, GRF_BYTES as usize) + &body
}

/// The lines that the linter has nothing against: types that may not stand together are left out.
fn legal(lines: Vec<String>) -> Vec<String> {
    let text = program(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let errors: BTreeSet<usize> = checks::check(&text, &Options::default())
        .iter()
        .filter(|d| d.level == Level::Error)
        .map(|d| text[..d.primary.span.start as usize].matches('\n').count())
        .collect();
    let mut at = text.matches('\n').count() - 1 - lines.iter().map(|l| l.matches('\n').count()).sum::<usize>();
    let mut legal = Vec::new();
    for line in lines {
        let begin = at;
        at += line.matches('\n').count();
        if errors.range(begin..at).next().is_none() {
            legal.push(line);
        }
    }
    legal
}

/// A fault with the instructions up to the one that it names.
fn explained(fault: &str, text: &str) -> String {
    let number = fault.split_once("instruction ").map_or("", |(_, rest)| rest.split(':').next().unwrap_or(""));
    let end = number.parse().map_or(0, |n: usize| n + 1);
    let body = text.split_once("random_main:\n").map_or("", |(_, body)| body);
    let lines: Vec<&str> = body.lines().take(end).collect();
    format!("{fault}\n    {}", lines[lines.len().saturating_sub(6)..].join("\n    "))
}

#[test]
fn every_operation_computes_what_numbers_give() {
    let mut all: Vec<String> = OTHER_LINES.iter().map(|line| (*line).to_owned()).collect();
    for row in instructions() {
        let Some(operation) = row.operation else { continue };
        if matches!(operation.row().folding, Folding::OnlyFloats | Folding::Bounds) {
            continue;
        }
        let form = operation.row().form;
        if matches!(form, Form::State | Form::BitsToPredicate | Form::Address) {
            continue;
        }
        let own = legal(lines(row, form));
        assert!(!own.is_empty(), "no legal line of `{}`", row.mnemonic);
        all.extend(own);
    }
    let programs: Vec<Vec<&str>> =
        all.chunks(MAX_LINES).map(|chunk| chunk.iter().map(String::as_str).collect()).collect();
    let (tally, faults) = programs
        .into_par_iter()
        .enumerate()
        .map(|(seed, lines)| {
            let mut tally = Tally::default();
            let text = program(&lines);
            let fault = examine_text(&text, (LANES, GRF_BYTES), seed as u64, &mut tally).err();
            (tally, fault.map(|fault| explained(&fault, &text)).into_iter().collect::<Vec<_>>())
        })
        .reduce(Default::default, |(a, x), (b, y)| (a.and(b), [x, y].concat()));
    assert!(faults.is_empty(), "{} programs differ:\n{}", faults.len(), faults.join("\n"));
    tally.assert_as_much_is_known("operations.txt");
    let of_integers = |operation: &Operation| !matches!(operation.row().folding, Folding::OnlyFloats | Folding::Bounds);
    for operation in instructions().iter().filter_map(|row| row.operation).filter(of_integers) {
        let n = tally.operations.get(&operation).copied().unwrap_or(0);
        assert!(n >= 6, "this was executed and compared only {n} times: {operation:?}");
    }
}

#[test]
fn rows_say_which_operations_fold() {
    for operation in instructions().iter().filter_map(|row| row.operation) {
        let folding = operation.row().folding;
        let integer = fold::integer(operation, false, [6, 3, 2], 4);
        let folds_integers = matches!(folding, Folding::Integers | Folding::Floats);
        assert_eq!(integer.is_some(), folds_integers, "{operation:?}");
        let float = fold::float_operation(operation, [6.0, 3.0, 2.0], Type::F, true);
        assert_eq!(float.is_some(), matches!(folding, Folding::Floats | Folding::OnlyFloats), "{operation:?}");
    }
    let third =
        fold::float_bounds(Operation::Inv, [(3.0, 3.0), (0.0, 0.0), (0.0, 0.0)], Type::F, true).expect("bounds");
    assert!(third.0 < 1.0 / 3.0 && 1.0 / 3.0 < third.1 && third.1 - third.0 < 1.3e-7, "{third:?}");
    // A sum that may be zero has no known sign, unless it is rounded to the nearest number.
    let sum = |nearest| fold::float_bounds(Operation::Add, [(1.0, 6.0), (-1.0, -1.0), (0.0, 0.0)], Type::F, nearest);
    assert_eq!((sum(false), sum(true)), (None, Some((0.0, 5.0))));
    assert!(Operation::Mul.is_modular() && !Operation::Shr.is_modular());
}

#[test]
fn floats_are_rounded_as_their_instructions_say() {
    let rounded = |operation, number| fold::float_operation(operation, [number, 0.0, 0.0], Type::F, false);
    let sides = [
        (Operation::Rndd, [-3.0, -3.0, -1.0, 0.0, 2.0, 3.0]),
        (Operation::Rndu, [-2.0, -2.0, 0.0, 1.0, 3.0, 4.0]),
        (Operation::Rnde, [-3.0, -2.0, 0.0, 0.0, 2.0, 4.0]),
        (Operation::Rndz, [-2.0, -2.0, 0.0, 0.0, 2.0, 3.0]),
    ];
    for (operation, wanted) in sides {
        let given = [-2.75, -2.5, -0.5, 0.5, 2.5, 3.5];
        assert_eq!(given.map(|number| rounded(operation, number)), wanted.map(Some), "{operation:?}");
    }
}

#[test]
fn halves_around_a_number_are_next_to_it() {
    let least = 2_f64.powi(-24);
    // The least denormal one, the greatest, the least that is normal, and 1.
    for (bits, number) in [(1, least), (0x3ff, 1023.0 * least), (0x400, 1024.0 * least), (0x3c00, 1.0)] {
        let (above, below) = (number + 2_f64.powi(-30), number - 2_f64.powi(-30));
        assert_eq!(fold::float_bits_around(number, Type::HF), (bits, bits));
        assert_eq!(fold::float_bits_around(above, Type::HF), (bits, bits + 1));
        assert_eq!(fold::float_bits_around(below, Type::HF), (bits - 1, bits));
    }
}
