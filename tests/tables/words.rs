//! Key `checks`: for each instruction that has a word, a program that breaks what the word says, and a legal one.

use super::{Example, Faults, Line, each_row};
use crate::support::{as_excerpt, on};
use std::collections::BTreeMap;
use std::sync::Mutex;
use visa_lint::base::rule::Level::{self, Error, Pedantic, Warning};
use visa_lint::base::span::Span;
use visa_lint::checks;
use visa_lint::spec::family::Check;
use visa_lint::spec::instruction::{Instruction, OperandKind, Role};
use visa_lint::spec::{Platform, Type};

/// The example with other operands, each named by its slot; `exec` is what stands in the parentheses.
fn set(example: &Example, changes: &[(&str, &str)]) -> Line {
    let mut replaced = Vec::new();
    for (name, text) in changes {
        let place = if *name == "exec" {
            example.spans().exec
        } else {
            let operands = example.operands();
            let given = operands.iter().find(|g| g.slot.name.text() == *name);
            given.unwrap_or_else(|| panic!("{} has no {name}", example.row.mnemonic)).spans.whole
        };
        replaced.push((place, (*text).to_owned()));
    }
    example.with_all(&replaced)
}

/// The example with all registers of one type and all immediates away.
fn all_of(example: &Example, t: Type) -> Line {
    let mut row = 0;
    let mut changes = Vec::new();
    for given in example.operands() {
        if !given.slot.kinds.contains(OperandKind::General) {
            continue;
        }
        let region = if given.slot.role == Role::Source { "<1;1,0>" } else { "<1>" };
        changes.push((given.spans.whole, format!("{}({row},0){region}", super::variable_of(t))));
        row += 4;
    }
    example.with_all(&changes)
}

/// The first platform of the instruction from that one on.
fn platform_from(row: &Instruction, first: Platform) -> Platform {
    row.platforms.legal.iter().find(|p| *p >= first).expect("a platform")
}

/// A rule that has to speak of a line, and at which level, or has to be silent.
type Expectation = (Line, &'static str, Option<Level>);

/// Faulty and legal programs for a word, in an instruction that has it. A word without programs does not compile.
#[expect(clippy::too_many_lines, reason = "one arm for each word")]
fn programs(check: Check, example: &Example) -> Vec<Expectation> {
    let row = example.row;
    let own = Line::example(row);
    let src = |changes: &[(&str, &str)]| set(example, changes);
    match check {
        Check::SecondDestination => {
            const RULE: &str = "overlapping-operands";
            let second = example.operands()[1].spans.whole;
            let half = example.with(second, "VUD(0,4)<1>");
            vec![(example.with(second, "VUD(0,0)<1>"), RULE, Some(Error)), (half, RULE, Some(Error)), (own, RULE, None)]
        }
        Check::WideProduct => {
            const RULE: &str = "overlapping-operands";
            vec![
                (src(&[("src2", "VUD(0,0)<1;1,0>")]), RULE, Some(Error)),
                (src(&[("src2", "VUD(1,0)<1;1,0>")]), RULE, Some(Error)),
                (src(&[("src2", "VUD(2,0)<1;1,0>")]), RULE, None),
                // A factor is read before the same lanes are written.
                (src(&[("src0", "VUD(1,0)<1;1,0>")]), RULE, None),
            ]
        }
        Check::WideFactors => {
            const RULE: &str = "mixed-operand-types";
            let of = |a: &str, b: &str| {
                src(&[
                    ("dst", "VQ(0,0)<1>"),
                    ("src0", &format!("{a}(0,0)<1;1,0>")),
                    ("src1", &format!("{b}(0,0)<1;1,0>")),
                ])
                .on(platform_from(row, Platform::PVC))
            };
            vec![
                (of("VW", "VD"), RULE, Some(Error)),
                (of("VD", "VW"), RULE, Some(Error)),
                (of("VD", "VD2"), RULE, None),
            ]
        }
        Check::SameSign => {
            const RULE: &str = "mixed-operand-types";
            let of = |dst: &str, a: &str, b: &str| {
                let (dst, a, b) = (format!("{dst}(0,0)<1>"), format!("{a}(4,0)<1;1,0>"), format!("{b}(8,0)<1;1,0>"));
                src(&[("dst", &dst), ("src0", &a), ("src1", &b)])
            };
            vec![
                (of("VD", "VUD", "VD"), RULE, Some(Error)),
                (of("VD", "VD", "VUD"), RULE, Some(Error)),
                (of("VUD", "VD", "VUD"), RULE, Some(Pedantic)),
                (of("VD", "VD", "VD"), RULE, None),
                (own, RULE, None),
            ]
        }
        Check::SameFloat => {
            const RULE: &str = "mixed-operand-types";
            let of = |dst: &str, a: &str, b: &str| {
                let (dst, a, b) = (format!("{dst}(0,0)<1>"), format!("{a}(4,0)<1;1,0>"), format!("{b}(8,0)<1;1,0>"));
                src(&[("dst", &dst), ("src0", &a), ("src1", &b)])
            };
            vec![
                (of("VF", "VHF", "VF"), RULE, Some(Warning)),
                (of("VF", "VF", "VHF"), RULE, Some(Warning)),
                (of("VHF", "VF", "VF"), RULE, Some(Warning)),
                (of("VHF", "VHF", "VHF"), RULE, None),
                (of("VF", "VF", "VF"), RULE, None),
            ]
        }
        Check::PureBrain => {
            const RULE: &str = "mixed-operand-types";
            let platform = platform_from(row, Platform::XE3P_CRI);
            let pure = all_of(example, Type::BF).on(platform);
            let mut mixed = pure.clone();
            mixed.text = mixed.text.replacen("VBF", "VF", 1);
            vec![(mixed, RULE, Some(Error)), (pure, RULE, None)]
        }
        Check::SameType => {
            const RULE: &str = "mixed-operand-types";
            vec![
                (src(&[("src2", "VD(4,0)<1;1,0>")]), RULE, Some(Error)),
                (src(&[("src0", "0x8:d")]), RULE, Some(Pedantic)),
                (src(&[("src0", "VD(4,0)<0;1,0>")]), RULE, Some(Error)),
                (own, RULE, None),
            ]
        }
        Check::RotationWidth => {
            const RULE: &str = "mixed-operand-types";
            vec![
                (src(&[("src0", "VUW(4,0)<1;1,0>")]), RULE, Some(Warning)),
                (src(&[("dst", "VUW(0,0)<1>")]), RULE, Some(Warning)),
                (src(&[("dst", "VUW(0,0)<1>"), ("src0", "VUW(4,0)<1;1,0>")]), RULE, None),
                (own, RULE, None),
            ]
        }
        Check::BrainLayout => {
            const RULE: &str = "slow-region";
            let strided = |line: &Line| {
                let mut line = line.clone().on(Platform::PVC);
                let at = line.text.find("VBF(").expect("a source of BF");
                let end = at + line.text[at..].find("<1;1,0>").expect("its region");
                line.text.replace_range(end..end + 7, "<2;1,0>");
                line
            };
            let mut packed = all_of(example, Type::F).on(Platform::PVC);
            let source = packed.text.rfind("VF(").expect("a source");
            packed.text.replace_range(source..source + 3, "VBF(");
            let size = format!(", {})", example.view().instruction.exec_size);
            packed.text = packed.text.replacen(&size, ", 16)", 1);
            let mut wide = packed.clone();
            wide.text = wide.text.replacen(", 16)", ", 32)", 1);
            let mut before = packed.clone();
            before = before.on(Platform::DG2);
            vec![
                (strided(&packed), RULE, Some(Pedantic)),
                (wide, RULE, Some(Pedantic)),
                (before, RULE, Some(Pedantic)),
                (packed, RULE, None),
            ]
        }
        Check::Conversion => {
            const RULE: &str = "unsupported-conversion";
            let of = |dst: &str, from: &str| {
                src(&[("dst", &format!("{dst}(0,0)<1>")), ("src0", &format!("{from}(4,0)<1;1,0>"))]).on(Platform::PVC)
            };
            vec![
                (of("VBF", "VD"), RULE, Some(Error)),
                (of("VHF", "VBF"), RULE, Some(Error)),
                (of("VBF", "VF"), RULE, None),
                (of("VF", "VBF"), RULE, None),
                (of("VBF", "VBF"), RULE, None),
                (of("VD", "VF"), RULE, None),
            ]
        }
        Check::FloatConversion => {
            const RULE: &str = "unsupported-conversion";
            let of = |dst: &str, from: &str| {
                src(&[("dst", &format!("{dst}(0,0)<1>")), ("src0", &format!("{from}(4,0)<1;1,0>"))])
            };
            vec![
                (of("VF", "VHF"), RULE, Some(Error)),
                (of("VUD", "VHF").on(Platform::PVCXT), RULE, Some(Error)),
                (of("VUB", "VF"), RULE, Some(Error)),
                (of("VUD", "VF").on(Platform::PVCXT), RULE, None),
                (of("VHF", "VUB"), RULE, None),
                (own, RULE, None),
            ]
        }
        Check::StochasticRounding => {
            const RULE: &str = "unsupported-conversion";
            let pair = |dst: &str, a: &str, random: &str| {
                src(&[
                    ("dst", &format!("{dst}(0,0)<1>")),
                    ("src0", &format!("{a}(0,0)<1;1,0>")),
                    ("src1", &format!("{random}(0,0)<1;1,0>")),
                ])
            };
            vec![
                (pair("VHF", "VHF", "VUW"), RULE, Some(Error)),
                (pair("VUB", "VF", "VUB"), RULE, Some(Error)),
                (pair("VUB", "VHF", "VUB"), RULE, None),
                (own, RULE, None),
            ]
        }
        Check::PredicateCopy => {
            let copy = |exec: &str, dst: &str| src(&[("exec", exec), ("dst", dst), ("src0", "P1")]);
            let (whole, wide) = (copy("(M1, 1)", "VUD(0,0)<1>"), copy("(M1, 16)", "VUD(0,0)<1>"));
            vec![
                (wide, "unsupported-exec-size", Some(Error)),
                (copy("(M1, 1)", "VUW(0,0)<1>"), "truncated-predicate", Some(Error)),
                (copy("(M1, 1)", "VF(0,0)<1>"), "unsupported-type", Some(Error)),
                (copy("(M1, 1)", "VD(0,0)<1>"), "unsupported-type", Some(Pedantic)),
                (whole.clone(), "truncated-predicate", None),
                (whole.clone(), "unsupported-exec-size", None),
                (whole, "unsupported-type", None),
            ]
        }
        Check::PredicateLogic => {
            const RULE: &str = "wrong-operand-form";
            let names: Vec<&str> = row.operands.iter().map(|slot| slot.name.text()).collect();
            let only = |i: usize, other: &str| {
                let changes: Vec<(&str, &str)> =
                    names.iter().enumerate().map(|(j, n)| (*n, if i == j { other } else { "P1" })).collect();
                src(&changes)
            };
            let mut all = vec![(only(names.len(), ""), RULE, None), (own, RULE, None)];
            all.extend((1..names.len()).map(|i| (only(i, "VUD(0,0)<1;1,0>"), RULE, Some(Error))));
            all.push((only(0, "VUD(0,0)<1>"), RULE, Some(Error)));
            let mut predicated = only(names.len(), "");
            predicated.text.insert_str(0, "(P2) ");
            all.push((predicated, "dropped-modifier", Some(Error)));
            all
        }
        Check::PredicateFromBits => {
            const RULE: &str = "ignored-exec-mask";
            let of = |exec: &str, bits: &str| src(&[("exec", exec), ("src0", bits)]);
            vec![
                (of("(M5, 16)", "0xffff:uw"), RULE, Some(Error)),
                (of("(M1, 32)", "0xffffffff:ud"), RULE, Some(Error)),
                (of("(M1, 16)", "0xffff:uw"), RULE, Some(Pedantic)),
                (of("(M3_NM, 8)", "0xff:uw"), RULE, Some(Error)),
                (of("(M1_NM, 8)", "0xff:uw"), RULE, Some(Warning)),
                (of("(M5_NM, 16)", "0xffff:uw"), RULE, None),
                (of("(M1_NM, 32)", "0xffffffff:ud"), RULE, None),
                (own.clone(), RULE, None),
                (of("(M1_NM, 32)", "0xffff:uw"), "truncated-predicate", Some(Warning)),
                (of("(M1_NM, 16)", "0xff:ub"), "truncated-predicate", Some(Warning)),
                (own, "truncated-predicate", None),
            ]
        }
        Check::Selector => {
            let spans = example.spans();
            let without = example.with(Span::new(spans.predicate.start, spans.mnemonic.start), "");
            vec![(without, "missing-predicate", Some(Warning)), (own, "missing-predicate", None)]
        }
        Check::OverflowPredicate => {
            const RULE: &str = "dropped-modifier";
            let with = |predicate: &str| example.with(example.spans().predicate, predicate);
            vec![(with("(!P1)"), RULE, Some(Warning)), (with("(P1.any)"), RULE, Some(Warning)), (own, RULE, None)]
        }
        Check::LostPredicate => {
            let mut with = own.clone();
            with.text.insert_str(0, "(P1) ");
            vec![(with, "dropped-modifier", Some(Warning)), (own, "dropped-modifier", None)]
        }
        Check::AddressOf => {
            let of = |address: &str| src(&[("exec", "(M1_NM, 1)"), ("dst", "A0(0)<1>"), ("src0", address)]);
            let is_move = row.has(Check::AddressCopy);
            vec![
                (of("&P1"), "not-addressable", Some(Error)),
                (of("&A0"), "not-addressable", Some(Error)),
                (of("&%r0"), "not-addressable", Some(Error)),
                (of("&%arg"), "not-addressable", Some(Pedantic)),
                (of("&T7"), "not-addressable", None),
                (of("&VUD"), "not-addressable", None),
                (of("&VUD[3]"), "ambiguous-address-of", Some(Warning)),
                (of("&VUD[4]"), "ambiguous-address-of", is_move.then_some(Warning)),
                (of("&T7[4]"), "ambiguous-address-of", Some(Warning)),
                (of("&VUD[2048]"), "operand-out-of-bounds", Some(Warning)),
                (of("&VUD[2044]"), "operand-out-of-bounds", None),
            ]
        }
        Check::AddressCopy => {
            const RULE: &str = "address-from-number";
            let of = |value: &str| src(&[("exec", "(M1_NM, 1)"), ("dst", "A0(0)<1>"), ("src0", value)]);
            vec![
                (of("0x20:uw"), RULE, Some(Pedantic)),
                (of("VUW(0,0)<0;1,0>"), RULE, Some(Pedantic)),
                (of("0x0:uw"), RULE, None),
            ]
        }
        Check::StateCopy => {
            let of = |dst: &str, from: &str| src(&[("dst", dst), ("src0", from)]);
            vec![
                (of("VUD(0,0)<1>", "VUD(1,0)<0;1,0>"), "wrong-operand-form", Some(Error)),
                (of("T6(0)", "S0(0)"), "wrong-variable-kind", Some(Error)),
                (of("T6(0)", "0x1:d"), "unsupported-type", Some(Error)),
                (of("T6(0)", "T7(1)"), "wrong-variable-kind", None),
                (of("VUD(0,0)<1>", "T6(0)"), "wrong-operand-form", None),
                (own, "unsupported-type", None),
            ]
        }
        Check::UndocumentedModifiers => {
            let sources: Vec<_> = example.operands().into_iter().filter(|g| g.slot.role == Role::Source).collect();
            let mut all = vec![(own, "unsupported-source-modifier", None)];
            for given in sources.iter().filter(|g| g.operand.region().is_some()) {
                let level = match given.slot.source_modifiers {
                    visa_lint::spec::instruction::SourceModifiers::None => Error,
                    _ => Pedantic,
                };
                let line = example.with(given.spans.whole, &format!("(-){}", example.text(given.spans.whole)));
                all.push((line, "unsupported-source-modifier", Some(level)));
            }
            all
        }
        Check::UndocumentedDouble => {
            let double = all_of(example, Type::DF).on(Platform::SKL);
            vec![(double, "unsupported-type", Some(Pedantic)), (own, "unsupported-type", None)]
        }
        Check::Division => {
            const RULE: &str = "division-by-zero";
            let mut whole = all_of(example, Type::D).on(Platform::SKL);
            let at = whole.text.rfind(' ').expect("operands") + 1;
            whole.text.truncate(at);
            let by = |divisor: &str| {
                let mut line = whole.clone();
                line.text += divisor;
                line
            };
            vec![(by("0x0:d"), RULE, Some(Warning)), (by("0x1:d"), RULE, None), (by("-0x1:d"), RULE, None)]
        }
        Check::ShiftCount => {
            const RULE: &str = "value-out-of-range";
            let by = |count: &str| src(&[("src1", count)]);
            let of_qwords = |count: &str| {
                let mut line = all_of(example, Type::UQ).on(Platform::PVC);
                let at = line.text.rfind(' ').expect("operands") + 1;
                line.text.truncate(at);
                line.text += count;
                line
            };
            vec![
                (by("0x20:ud"), RULE, Some(Warning)),
                (by("-0x1:d"), RULE, Some(Warning)),
                (by("0x1f:ud"), RULE, None),
                (by("0x0:ud"), RULE, None),
                (of_qwords("0x40:ud"), RULE, Some(Warning)),
                (of_qwords("0x3f:ud"), RULE, None),
            ]
        }
        Check::BitField => {
            const RULE: &str = "misaligned-operand";
            vec![
                (src(&[("dst", "VUD(0,1)<1>")]), RULE, Some(Warning)),
                (src(&[("src2", "VUD(4,2)<1;1,0>")]), RULE, Some(Warning)),
                (src(&[("dst", "VUD(0,4)<1>")]), RULE, None),
                (src(&[("src2", "VUD(4,1)<0;1,0>")]), RULE, None),
                (own, RULE, None),
            ]
        }
        Check::Plane => vec![
            (src(&[("src0", "VF(4,0)<8;8,1>")]), "ignored-region", Some(Warning)),
            (src(&[("src0", "VF(4,0)<1;1,0>")]), "ignored-region", None),
            (src(&[("src1", "VF(8,0)<2;1,0>")]), "ignored-region", Some(Warning)),
            (src(&[("src0", "VF(4,0)<4;4,1>")]), "ignored-region", None),
            (src(&[("src0", "VF(4,1)<0;1,0>")]), "misaligned-operand", Some(Error)),
            (src(&[("src0", "VF(4,4)<0;1,0>")]), "misaligned-operand", None),
            (src(&[("src1", "VF(8,4)<1;1,0>")]), "misaligned-operand", Some(Error)),
            (own.clone(), "misaligned-operand", None),
            (own, "ignored-region", None),
        ],
        Check::Line => {
            const RULE: &str = "illegal-region";
            vec![
                (src(&[("src0", "VF(4,0)<1;1,0>")]), RULE, Some(Pedantic)),
                (src(&[("src0", "VF(4,0)<8;8,1>")]), RULE, Some(Error)),
                (own, RULE, None),
            ]
        }
        Check::Interpolation => vec![
            (src(&[("dst", "VF(0,0)<2>")]), "illegal-region", Some(Error)),
            (src(&[("src0", "VF(4,0)<2;1,0>")]), "illegal-region", Some(Error)),
            (src(&[("src1", "VF(8,0)<2;1,0>")]), "illegal-region", Some(Error)),
            (src(&[("src2", "VF(12,0)<0;1,0>")]), "illegal-region", None),
            (src(&[("src1", "VF(8,1)<1;1,0>")]), "misaligned-operand", Some(Warning)),
            (src(&[("src1", "VF(8,1)<0;1,0>")]), "misaligned-operand", None),
            (own, "illegal-region", None),
        ],
        Check::FeedbackShift => {
            const RULE: &str = "illegal-region";
            vec![
                (src(&[("dst", "VUD(0,0)<2>")]), RULE, Some(Error)),
                (src(&[("src0", "VUD(4,0)<2;1,0>")]), RULE, Some(Error)),
                (src(&[("src0", "VUD(4,0)<0;1,0>")]), RULE, None),
                (own, RULE, None),
            ]
        }
        Check::Shuffle => {
            const RULE: &str = "illegal-region";
            vec![
                (src(&[("src0", "VUD(8,0)<2;1,0>")]), RULE, Some(Error)),
                (src(&[("src0", "VUD(8,1)<1;1,0>")]), RULE, Some(Error)),
                (src(&[("src1", "VUW(0,0)<1;1,0>")]), RULE, Some(Error)),
                (src(&[("src1", "VUW(0,2)<2;1,0>")]), RULE, Some(Error)),
                (src(&[("src1", "VUW(0,1)<2;1,0>")]), RULE, None),
                (src(&[("src1", "VUB(0,4)<4;1,0>")]), RULE, Some(Error)),
                (src(&[("src1", "VUB(0,3)<4;1,0>")]), RULE, None),
                (own, RULE, None),
            ]
        }
        Check::ScaleDown => {
            let mut random = own.clone();
            random.text = random.text.replace(".rne", ".srnd");
            let mut given = random.clone();
            given.text = given.text.replace("%null.0", "VUD.512");
            vec![
                (src(&[("src2", "VUD.512")]), "wrong-operand-form", Some(Error)),
                (own, "wrong-operand-form", None),
                (random, "unexpected-null", Some(Error)),
                (given, "unexpected-null", None),
            ]
        }
        Check::NotSplit => {
            const RULE: &str = "operand-spans-registers";
            let of = |from: &str| src(&[("exec", "(M1_NM, 16)"), ("dst", "A0(0)<16>"), ("src1", from)]);
            vec![(of("VUW(0,0)<4;1,0>"), RULE, Some(Error)), (of("VUW(0,0)<2;1,0>"), RULE, None)]
        }
        Check::EvenElements => {
            const RULE: &str = "undefined-result";
            let before = |reader: &str| {
                let mut line = own.clone();
                line.text += &format!("\n    {reader}");
                line
            };
            vec![
                (before("mov (M1_NM, 1) VD(0,0)<1> VW(0,1)<0;1,0>"), RULE, Some(Warning)),
                (before("mov (M1_NM, 1) VD(0,0)<1> VW(0,0)<0;1,0>"), RULE, None),
                (before("oword_st (1) T6 0x0:ud VW.0"), RULE, Some(Warning)),
            ]
        }
        Check::Denormals => {
            const RULE: &str = "denormals-off";
            let after = |mask: &str| {
                let mut line = own.clone();
                line.text = format!("and (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> {mask}:ud\n    {}", own.text);
                line
            };
            vec![(after("0xffffff7f"), RULE, Some(Pedantic)), (after("0xffffffff"), RULE, None)]
        }
        Check::OneChannel | Check::RedChannel | Check::RedGreen | Check::RedAlpha => {
            const RULE: &str = "unsupported-channel";
            let used = example.view().modifiers.iter().find(|m| example.text(m.span).len() > 1).map(|m| m.span);
            let with = |mask: &str| example.with(used.expect("a channel mask"), mask);
            let of = |mask: &str, level: Option<Level>| (with(mask), RULE, level);
            match check {
                Check::OneChannel => vec![of(".RG", Some(Error)), of(".RGBA", Some(Error)), of(".R", None)],
                Check::RedChannel => vec![of(".G", Some(Warning)), of(".A", Some(Warning)), of(".R", None)],
                Check::RedGreen => {
                    vec![of(".RGB", Some(Warning)), of(".A", Some(Warning)), of(".G", None), of(".RG", None)]
                }
                _ => vec![of(".RG", Some(Pedantic)), of(".B", Some(Pedantic)), of(".R", None), of(".A", None)],
            }
        }
        // The words that concern what other instructions lack, or memory, have their programs below.
        Check::CoarsePixels => {
            const RULE: &str = "unsupported-modifier-value";
            let with = |line: &Line| {
                let mut line = line.clone();
                line.text = line.text.replacen(row.mnemonic, &format!("{}.cps", row.mnemonic), 1);
                line
            };
            vec![(with(&own), RULE, None), (with(&own).on(Platform::SKL), RULE, Some(Warning))]
        }
        Check::Gradients => {
            const RULE: &str = "overlapping-split-message";
            let over = example.operands().last().map(|g| example.text(g.spans.whole)).expect("parameters");
            let first = src(&[("dst", "VF2.0")]);
            let level = first.level_of(RULE);
            assert!(level.is_some(), "{}: a result over a parameter, {over}", row.mnemonic);
            vec![(first, RULE, level), (own, RULE, None)]
        }
        Check::IgnoredSampler => {
            let with = example.with(example.operands()[0].spans.whole, "S0 T6");
            vec![(with, "surplus-operand", Some(Warning)), (own, "surplus-operand", None)]
        }
        Check::ChannelBlocks => {
            const RULE: &str = "operand-out-of-bounds";
            let small = |n: u32| {
                let t = ".decl Vsmall v_type=G type=uw num_elts=";
                src(&[("dst", "Vsmall.0")]).and_declare(&format!("{t}{n} align=GRF\n"))
            };
            vec![(small(127), RULE, small(127).level_of(RULE).or(Some(Error))), (small(128), RULE, None)]
        }
        Check::SharedOperand => {
            const RULE: &str = "unsupported-modifier-value";
            let mut line = own.clone();
            line.text = line.text.replace(".8.8 ", ".8.1 ");
            vec![(line, RULE, Some(Warning)), (own, RULE, None)]
        }
        Check::RegisterSpill => {
            const RULE: &str = "stateless-32-bit-address";
            let mut line = own.clone();
            line.text = line.text.replace("bti(0x1)", "flat");
            let mut ordinary = line.clone();
            ordinary.text = ordinary.text.replace("_uncompressed", "");
            vec![(line, RULE, Some(Pedantic)), (ordinary, RULE, Some(Warning)), (own, RULE, None)]
        }
        Check::RepeatedLanes => {
            const RULE: &str = "duplicate-lane-writes";
            let same = |mnemonic: &str| {
                let mut line = own.clone();
                line.text = format!(
                    "mov (M1_NM, 16) VUD(0,0)<1> 0x40:ud\n    mov (M1_NM, 16) VF(0,0)<1> 0x0:f\n    {mnemonic} (M1, 16) T6 0x0:ud VUD.0 VF.0"
                );
                line
            };
            vec![(same("scatter_scaled.4"), RULE, Some(Pedantic)), (own, RULE, None)]
        }
        Check::LeadingChannels => {
            const RULE: &str = "unsupported-channel";
            let with = |channels: &str| {
                let mut line = own.clone();
                line.text = line.text.replace(".xyzw", channels);
                line
            };
            vec![
                (with(".y"), RULE, Some(Error)),
                (with(".xz"), RULE, Some(Error)),
                (with(".yzw"), RULE, Some(Error)),
                (with(".x"), RULE, None),
                (with(".xy"), RULE, None),
                (with(".xyz"), RULE, None),
                (own, RULE, None),
            ]
        }
        Check::SharedQwords => {
            const RULE: &str = "unsupported-data-shape";
            let shared = |mnemonic: &str| {
                let mut line = own.clone();
                line.text = format!("{mnemonic}.slm (M1, 8) VQ:d64 flat[VUD.0]:a32 VQ.128 VQ.256");
                line
            };
            vec![(shared(row.mnemonic), RULE, None), (shared("lsc_atomic_fcas"), RULE, Some(Error)), (own, RULE, None)]
        }
        Check::NoQwords => {
            const RULE: &str = "unsupported-data-shape";
            let wide = |mnemonic: &str| {
                let mut line = own.clone();
                line.text = format!("{mnemonic}.ugm (M1, 8) VQ:d64 flat[VUQ]:a64 VQ.128 %null");
                line
            };
            vec![(wide(row.mnemonic), RULE, Some(Warning)), (wide("lsc_atomic_fadd"), RULE, None), (own, RULE, None)]
        }
        Check::LastStore => {
            const RULE: &str = "order-dependent-atomic";
            let at = |n_bytes: u32| {
                let mut line = own.clone();
                line.text = format!(
                    "mov (M1_NM, 8) VUD(0,0)<1> 0x76543210:uv\n    mul (M1_NM, 8) VUD(1,0)<1> VUD(0,0)<1;1,0> {n_bytes:#x}:ud\n    lsc_atomic_store.slm (M1, 8) %null:d32 flat[VUD.32]:a32 VUD.0 %null"
                );
                line
            };
            if row.takes(OperandKind::LscSurface) {
                // An append counter has one place.
                return vec![(own, RULE, None)];
            }
            vec![(at(0), RULE, Some(Warning)), (at(4), RULE, None)]
        }
        Check::LocalFence => {
            const RULE: &str = "unsupported-instruction";
            vec![(own.clone().on(Platform::SKL), RULE, Some(Warning)), (own.on(Platform::ICLLP), RULE, None)]
        }
        Check::VersionedOffset => {
            const RULE: &str = "version-dependent-offset";
            vec![
                (own.clone().in_version("3.1"), RULE, Some(Warning)),
                (own.clone().in_version("3.2"), RULE, None),
                (own, RULE, None),
            ]
        }
    }
}

/// Takes each word to the last line of its program.
fn judge(faults: &mut Faults, (line, rule, level): Expectation) {
    let mut options = as_excerpt(on(line.platform), rule);
    options.pedantic = true;
    let text = line.program();
    let found = checks::check(&text, &options);
    let start = text.find(&line.text).expect("the line is in the text") as u32;
    let end = start + line.text.len() as u32;
    let here = found.iter().filter(|d| (start..=end).contains(&d.primary.span.start) && d.rule.name == rule);
    let said = here.map(|d| d.level).max();
    if said != level {
        let word = |level: Option<Level>| level.map_or("nothing", Level::word);
        let own: Vec<_> = found.into_iter().filter(|d| (start..=end).contains(&d.primary.span.start)).collect();
        faults.add(line.problem(&format!("expected {} from {rule}, not {}", word(level), word(said)), &own));
    }
}

#[test]
fn words() {
    let judged = Mutex::new(BTreeMap::<String, (usize, usize)>::new());
    each_row(|example, faults| {
        for check in example.row.checks {
            for expectation in programs(*check, example) {
                let mut judged = judged.lock().expect("no panic");
                let (n_faulty, n_legal) = judged.entry(format!("{check:?}")).or_default();
                *(if expectation.2.is_some() { n_faulty } else { n_legal }) += 1;
                judge(faults, expectation);
            }
        }
    });
    let judged = judged.into_inner().expect("no panic");
    let one_sided: Vec<_> = judged.iter().filter(|(_, (f, l))| *f == 0 || *l == 0).collect();
    assert!(one_sided.is_empty(), "no faulty or no legal program for {one_sided:?}");
}

/// What a word allows is refused where it is absent.
#[test]
fn other_samplers_know_no_coarse_pixels() {
    each_row(|example, faults| {
        let row = example.row;
        let knows_word = row.modifiers.iter().any(|m| m.values.iter().any(|v| v.text == "cps"));
        if knows_word && !row.has(Check::CoarsePixels) && row.platforms.legal.contains(row.example_platform) {
            let mut line = Line::example(row);
            line.text = line.text.replacen(row.mnemonic, &format!("{}.cps", row.mnemonic), 1);
            faults.level(&line, "unsupported-modifier-value", Some(Error));
        }
    });
}
