//! Keys `types`, `types_seen`, `types_tolerated` and `types_by_platform`: each type in each slot.

use super::{Example, Given, Line, each_row, each_row_but, variable_of};
use visa_lint::base::rule::Level;
use visa_lint::base::span::Span;
use visa_lint::program::Operand;
use visa_lint::spec::instruction::{Custom, OperandKind, OperandSlot};
use visa_lint::spec::{Platform, Type};

/// What the data says of a type in a slot: nothing if it is legal.
fn tier(slot: &OperandSlot, t: Type, platform: Platform) -> Option<Level> {
    let further = slot.types_by_platform.iter().any(|x| x.platforms.contains(platform) && x.value.contains(t));
    match () {
        () if slot.types.legal.contains(t) || further => None,
        () if slot.types.seen.contains(t) && !slot.asked_for => Some(Level::Pedantic),
        () if slot.types.tolerated.contains(t) => Some(Level::Warning),
        () => Some(Level::Error),
    }
}

/// The platforms to look at: one for each set of further types.
fn platforms(example: &Example, slot: &OperandSlot) -> Vec<Platform> {
    let own = example.row.example_platform;
    let key = |p: Platform| -> Vec<bool> { slot.types_by_platform.iter().map(|x| x.platforms.contains(p)).collect() };
    let mut found = vec![own];
    for platform in example.row.platforms.legal.iter().filter(|p| p.grf_bytes() == own.grf_bytes()) {
        if found.iter().all(|p| key(*p) != key(platform)) {
            found.push(platform);
        }
    }
    found
}

/// The place of an operand that holds its type, and the text for another one.
fn change(example: &Example, given: Given, t: Type) -> Option<(Span, String)> {
    let spans = given.spans;
    match given.operand {
        Operand::General { .. } | Operand::Raw { .. } | Operand::Element { .. } | Operand::WithLength { .. }
            if !given.operand.is_null() && t.row().declarable =>
        {
            Some((spans.name, variable_of(t)))
        }
        Operand::Immediate { .. } if t.row().immediate => {
            let written = example.text(spans.whole).split(':').next().unwrap_or("0x1");
            // A small number fits every type; a descriptor stays what it is.
            let is_descriptor = example.row.custom == Some(Custom::RawSend);
            let is_small = written.starts_with("0x") && written.len() <= 4;
            let number = match t {
                // No element of it is zero, which is no divisor.
                Type::V | Type::UV => "0x11111111",
                _ if is_small || is_descriptor => written,
                _ => "0x10",
            };
            Some((spans.whole, format!("{number}:{}", t.text())))
        }
        _ => None,
    }
}

/// Programs with that type in the slot, the likeliest legal one first: alone, in every slot, beside another type.
fn programs(example: &Example, index: usize, t: Type, platform: Platform) -> Vec<Line> {
    let operands = example.operands();
    let Some(own) = change(example, operands[index], t) else { return Vec::new() };
    let others: Vec<usize> = (0..operands.len()).filter(|i| *i != index && operands[*i].slot.has_types()).collect();
    let choices = |i: usize| -> Vec<Option<Type>> {
        let slot = operands[i].slot;
        let fits = |u: &Type| {
            (tier(slot, *u, platform).is_none() || *u == t && tier(slot, t, platform) != Some(Level::Error))
                && change(example, operands[i], *u).is_some()
        };
        let mut all: Vec<Option<Type>> = vec![None];
        all.extend([t].into_iter().filter(fits).map(Some));
        all.extend(Type::ALL.iter().copied().filter(|u| *u != t && fits(u)).map(Some));
        all
    };
    let mut sets: Vec<Vec<(Span, String)>> = vec![vec![own.clone()]];
    let same: Vec<(Span, String)> = others
        .iter()
        .filter(|i| tier(operands[**i].slot, t, platform) != Some(Level::Error))
        .filter_map(|i| change(example, operands[*i], t))
        .chain([own.clone()])
        .collect();
    sets.push(same);
    // One type for all others, then each type for each of them.
    for u in Type::ALL {
        let all = others.iter().filter(|i| choices(**i).contains(&Some(*u)));
        sets.push(all.filter_map(|i| change(example, operands[*i], *u)).chain([own.clone()]).collect());
    }
    let mut product: Vec<Vec<(Span, String)>> = vec![vec![own]];
    for i in others.iter().take(3) {
        let choices = choices(*i);
        let with = |set: &Vec<(Span, String)>, u: Option<Type>| {
            let mut set = set.clone();
            set.extend(u.and_then(|u| change(example, operands[*i], u)));
            set
        };
        product = product.iter().flat_map(|set| choices.iter().map(|u| with(set, *u)).collect::<Vec<_>>()).collect();
        if product.len() > 3000 {
            break;
        }
    }
    sets.extend(product);
    // A packed immediate has four or eight elements.
    let size = example.spans().size;
    let n_lanes = if t.is_packed() && example.row.exec_sizes.legal.contains(4) { Some("4".to_owned()) } else { None };
    for set in &mut sets {
        set.extend(n_lanes.clone().map(|n| (size, n)));
    }
    let alike = sets[..2].iter().flat_map(|set| example.with_all_beside_others(set).into_iter());
    let alike: Vec<Line> = alike.map(|line| line.on(platform)).collect();
    sets.into_iter().map(|set| example.with_all(&set).on(platform)).chain(alike).collect()
}

/// Why a line is not legal, apart from operands that share a variable because they share a type.
fn refused(line: &Line) -> Option<String> {
    let mut found = line.findings(Level::Warning);
    found.retain(|d| !d.rule.name.starts_with("overlapping"));
    (!found.is_empty()).then(|| line.problem("expected no finding", &found))
}

/// Types that a slot takes only beside others.
const BESIDE_OTHERS: &[(&str, &str)] = &[
    ("bdpas dst hf", "the type of sums follows from both precisions, and the example has others"),
    ("dpas dst f", "the type of sums follows from both precisions, and the example has others"),
    ("dpas src0 f", "the type of sums follows from both precisions, and the example has others"),
    ("dpasw dst f", "the type of sums follows from both precisions, and the example has others"),
    ("dpasw src0 f", "the type of sums follows from both precisions, and the example has others"),
    ("fcvt dst f", "a conversion has one of the pairs of types that `words.rs` shows"),
    ("fcvt src0 f", "a conversion has one of the pairs of types that `words.rs` shows"),
    ("fcvt src0 ud", "a conversion has one of the pairs of types that `words.rs` shows"),
    ("movs src0 d", "what is copied into a surface is `ud`, and what is copied out of one has any of these types"),
    ("movs src0 f", "what is copied into a surface is `ud`, and what is copied out of one has any of these types"),
    ("movs src0 q", "what is copied into a surface is `ud`, and what is copied out of one has any of these types"),
    ("movs src0 uq", "what is copied into a surface is `ud`, and what is copied out of one has any of these types"),
    ("movs src0 uv", "the surface of the example has one element, and packed numbers are four or eight"),
    ("movs src0 v", "the surface of the example has one element, and packed numbers are four or eight"),
    ("movs src0 vf", "the surface of the example has one element, and packed numbers are four or eight"),
    ("resinfo lod f", "the level is an integer, as a finding of its own says"),
    ("setp src0 b", "the predicate of the example has more elements than the number has bits"),
    ("setp src0 ub", "the predicate of the example has more elements than the number has bits"),
    ("setp src0 uv", "a packed number in fewer lanes than a predicate has is a second fault"),
    ("setp src0 v", "a packed number in fewer lanes than a predicate has is a second fault"),
    ("setp src0 vf", "a packed number in fewer lanes than a predicate has is a second fault"),
    ("shfl_idx4 src1 ub", "a source of bytes has a region of its own"),
    ("svm_atomic dst df", "only with the number `.64`, which the example leaves out"),
    ("svm_atomic dst q", "only with the number `.64`, which the example leaves out"),
    ("svm_atomic dst uq", "only with the number `.64`, which the example leaves out"),
    ("svm_atomic src0 df", "only with the number `.64`, which the example leaves out"),
    ("svm_atomic src0 q", "only with the number `.64`, which the example leaves out"),
    ("svm_atomic src0 uq", "only with the number `.64`, which the example leaves out"),
    ("svm_gather dst b", "elements are as large as the blocks, whose number of bytes is no word"),
    ("svm_gather dst df", "elements are as large as the blocks, whose number of bytes is no word"),
    ("svm_gather dst q", "elements are as large as the blocks, whose number of bytes is no word"),
    ("svm_gather dst ub", "elements are as large as the blocks, whose number of bytes is no word"),
    ("svm_gather dst uq", "elements are as large as the blocks, whose number of bytes is no word"),
    ("svm_scatter src b", "elements are as large as the blocks, whose number of bytes is no word"),
    ("svm_scatter src df", "elements are as large as the blocks, whose number of bytes is no word"),
    ("svm_scatter src q", "elements are as large as the blocks, whose number of bytes is no word"),
    ("svm_scatter src ub", "elements are as large as the blocks, whose number of bytes is no word"),
    ("svm_scatter src uq", "elements are as large as the blocks, whose number of bytes is no word"),
    ("svm_gather4scaled address ud", "an address of 32 bits is a finding of its own"),
    ("svm_scatter4scaled address ud", "an address of 32 bits is a finding of its own"),
];

#[test]
fn types() {
    each_row_but(BESIDE_OTHERS, |example, faults| {
        for (index, given) in example.operands().into_iter().enumerate() {
            if !given.slot.has_types() {
                continue;
            }
            for platform in platforms(example, given.slot) {
                for t in Type::ALL.iter().copied() {
                    let level = tier(given.slot, t, platform);
                    let programs = programs(example, index, t, platform);
                    let problem = |line: &Line| match level {
                        None => refused(line),
                        // The other operands may have the same type, and the same fault.
                        Some(level) => {
                            let (mut here, _) = line.sorted_findings(Level::Warning);
                            here.retain(|d| !d.rule.name.starts_with("overlapping"));
                            let is_only = here.iter().all(|d| d.rule.name == "unsupported-type");
                            (!is_only || line.level_of("unsupported-type") != Some(level))
                                .then(|| line.problem(&format!("expected unsupported-type, {}", level.word()), &here))
                        }
                    };
                    // What is an error is one whatever stands beside it.
                    let n = if level == Some(Level::Error) { 1 } else { programs.len() };
                    if programs.iter().take(n).all(|line| problem(line).is_some())
                        && let Some(first) = programs.first()
                    {
                        let word = level.map_or("legal", Level::word);
                        let problem = problem(first).map(|problem| format!("{word}: {problem}"));
                        faults.unless(format!("{} {:?} {}", example.row.mnemonic, given.slot.name, t.text()), problem);
                    }
                }
            }
        }
    });
}

/// The data names no type for a slot that no form of it can have.
#[test]
fn types_have_a_form() {
    each_row(|example, faults| {
        for slot in example.row.operands {
            let may_be = |kind| slot.kinds.contains(kind);
            for t in Type::ALL.iter().copied().filter(|t| slot.types.legal.contains(*t)) {
                let is_variable =
                    t.row().declarable && !matches!(slot.kinds.iter().next(), Some(OperandKind::Immediate));
                let is_immediate = t.row().immediate && may_be(OperandKind::Immediate);
                if !is_variable && !is_immediate {
                    faults.add(format!("{}: {} cannot have {}", example.row.mnemonic, slot.name, t.text()));
                }
            }
        }
    });
}
