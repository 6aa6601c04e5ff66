//! Reading a text again after an edit gives what reading the whole text gives. How much is read again, and what is kept, is
//! blessed in `tests/snapshots/reread.txt`: what is read without need changes nothing else.

use crate::support::mutator::Random;
use crate::support::{blessed, check_sum_of, files, tests_folder};
use rayon::prelude::*;
use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::base::span::Span;
use visa_lint::checks::recall::Recall;
use visa_lint::checks::{self, Options};
use visa_lint::lower::lower;
use visa_lint::lower::reread::{Record, TextEdit, lower_recorded, reread};
use visa_lint::program::{Attribute, Instruction, Object, Operand, Program};
use visa_lint::spec::{Platform, PlatformSet};

/// Edits of each text.
const N_EDITS: usize = 40;

/// What is typed into a line.
const SNIPPETS: [&str; 16] =
    ["x", " ", "0", ",", "(", ")", ".", "<1>", "V32", ":ud", "\n", "//", "/*", "%null", "(P1) ", "(M1, 8) "];

/// Lines that are put between others.
const LINES: [&str; 8] = [
    "    add (M1, 8) V40(0,0)<1> V40(0,0)<1;1,0> 0x1:d\n",
    "    mov (M1, 16) Vnone(0,0)<1> 0x1:d\n",
    "    (P1) goto (M1, 16) BB_0\n",
    "    addr_add (M1, 1) A0(0)<1> &V40 0x4:w\n",
    "label_of_a_test:\n",
    "    .decl V9999 v_type=G type=d num_elts=8\n",
    "    mul (M1, 8) V40(0,0)<1>\n",
    "V40(0,0)<1;1,0>\n",
];

/// An edit of one line or of the border between two.
fn random_edit(random: &mut Random, text: &str) -> (TextEdit, String) {
    let lines: Vec<Span> = text
        .split_inclusive('\n')
        .scan(0, |end, line| {
            *end += line.len() as u32;
            Some(Span::new(*end - line.len() as u32, *end))
        })
        .collect();
    // Mostly lines of the body, which is the last part of a text.
    let n_head = text.split_inclusive('\n').position(|line| line.starts_with("    ")).unwrap_or(0);
    let first = if random.below(16) == 0 { 0 } else { n_head };
    let line = lines[first + random.below(lines.len() - first)];
    let other = lines[first + random.below(lines.len() - first)];
    let at = line.start + random.below(line.len() as usize) as u32;
    let (start, old_end, new) = match random.below(8) {
        0 => (line.start, line.end, ""),
        1 => (line.start, line.start, other.of(text)),
        2 => (line.start, line.start, LINES[random.below(LINES.len())]),
        3 => (line.start, line.end, other.of(text)),
        4 | 5 => (at, at + 1, ""),
        _ => (at, at, SNIPPETS[random.below(SNIPPETS.len())]),
    };
    (TextEdit { start, old_end, new_end: start + new.len() as u32 }, new.to_owned())
}

/// What a program says of an operand, without the places of arrays.
fn operand(program: &Program, operand: &Operand) -> String {
    match *operand {
        Operand::Name { name, is_quoted } => format!("{} {is_quoted}", program.names.name(name)),
        Operand::LabelList { start, end } => {
            let labels = &program.label_lists[start as usize..end as usize];
            format!("{:?}", labels.iter().map(|(name, span)| (program.names.name(*name), span)).collect::<Vec<_>>())
        }
        Operand::LscData { variable, byte_offset, shape } => {
            format!("{variable:?} {byte_offset} {:?}", program.lsc_shapes.get(shape as usize))
        }
        Operand::LscAddress { index } => {
            let mut address = program.lsc_addresses[index as usize];
            let items = format!("{:?}", &program.lsc_items[address.items()]);
            (address.first_item, address.items_end) = (0, 0);
            format!("{address:?} {items}")
        }
        _ => format!("{operand:?}"),
    }
}

fn instruction(program: &Program, row: &Instruction) -> String {
    let Instruction { spec, predicate, exec_size, mask_offset, no_mask, has_exec, saturate, is_broken, .. } = *row;
    let operands: Vec<String> = program.operands_of(row).iter().map(|o| operand(program, o)).collect();
    format!(
        "{spec:?} {predicate:?} {exec_size} {mask_offset} {no_mask} {has_exec} {saturate} {is_broken} {operands:?} {:?} {:?} {:?}",
        program.operand_spans_of(row),
        &program.operand_slots[row.operands()],
        program.modifiers_of(row),
    )
}

/// Everything that a program says.
fn facts(program: &Program) -> Vec<String> {
    let of_instructions = program.instructions.iter().zip(program.instruction_spans.iter());
    let mut facts: Vec<String> =
        of_instructions.map(|(row, spans)| format!("{} {spans:?}", instruction(program, row))).collect();
    facts.extend(program.labels.iter().map(|label| {
        format!("{} {:?} {} {}", program.names.name(label.name), label.span, label.instruction, label.is_function)
    }));
    facts.extend(program.variables.entries().map(|(id, row)| {
        let spans = &program.variable_spans[id];
        format!("{} {} {:?} {spans:?}", program.variable_name(id), row.flags, row.kind)
    }));
    facts.extend(program.objects.iter().map(|object| {
        let Object { variables, instructions, labels, attributes, has_broken_lines, parts_lanes, .. } = object;
        let places = (object.span, object.name_span, has_broken_lines, parts_lanes);
        format!("{places:?} {variables:?} {instructions:?} {labels:?} {attributes:?}")
    }));
    facts.push(format!("{:?} {:?} {}", program.version, program.platform_trailer, program.n_statements));
    facts.extend(program.attributes.iter().map(|attribute| {
        let Attribute { name, name_span, value, value_span, statement } = *attribute;
        format!("{} {name_span:?} {value:?} {value_span:?} {statement:?}", program.names.name(name))
    }));
    facts.push(format!("{:?}", program.inputs));
    let mut found: Vec<String> = program.diagnostics.iter().map(|finding| format!("{finding:?}")).collect();
    found.sort();
    facts.extend(found);
    facts
}

/// A text with what is known of it.
struct Known {
    text: String,
    program: Program,
    record: Record,
    recall: Recall,
    findings: Vec<Diagnostic>,
}

impl Known {
    fn new(text: String, options: &Options) -> Self {
        let (program, record) = lower_recorded(&text);
        let mut recall = Recall::new();
        let findings = checks::check_again(&text, &program, options, &mut recall);
        Self { text, program, record, recall, findings }
    }

    /// What is known after an edit, if it can be read by itself, and a check sum of what was kept.
    fn after(&self, text: &str, edit: TextEdit, options: &Options) -> Option<(Self, u32)> {
        let (program, record, replaced) = reread((&self.program, &self.record), (&self.text, text), edit)?;
        let mut recall = self.recall.after(&replaced);
        let kept = check_sum_of(&(&replaced, &record, &recall));
        let findings = checks::check_again(text, &program, options, &mut recall);
        Some((Self { text: text.to_owned(), program, record, recall, findings }, kept))
    }
}

/// Edits a text again and again. Returns how many edits there were, how many were read by themselves, and a check sum of what
/// these kept.
fn edit_and_compare(name: &str, original: &str, random: &mut Random, options: &Options) -> (usize, usize, u32) {
    let mut known = Known::new(original.to_owned(), options);
    let (mut n_edits, mut n_reread, mut sum) = (0, 0, 0_u32);
    for _ in 0..N_EDITS {
        let (edit, new) = random_edit(random, &known.text);
        let mut text = known.text.clone();
        if !(text.is_char_boundary(edit.start as usize) && text.is_char_boundary(edit.old_end as usize)) {
            continue;
        }
        text.replace_range(edit.start as usize..edit.old_end as usize, &new);
        n_edits += 1;
        let Some((again, kept)) = known.after(&text, edit, options) else {
            known = Known::new(original.to_owned(), options);
            continue;
        };
        n_reread += 1;
        sum = sum.wrapping_add(kept);
        let fresh = Known::new(text, options);
        let what = || format!("{name}: {edit:?} {new:?} in\n{}", around(&known.text, edit.start));
        let (found, expected) = (facts(&again.program), facts(&fresh.program));
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found, expected, "{}", what());
        }
        assert_eq!(found.len(), expected.len(), "{}", what());
        assert_eq!(again.findings, fresh.findings, "{}", what());
        known = again;
    }
    (n_edits, n_reread, sum)
}

fn around(text: &str, place: u32) -> String {
    let n_before = text[..place as usize].matches('\n').count();
    text.lines().skip(n_before.saturating_sub(3)).take(7).collect::<Vec<_>>().join("\n")
}

#[test]
fn reading_again_gives_what_reading_everything_gives() {
    let folder = tests_folder();
    let mut texts = files(&folder.join("compiler_output"), "visaasm");
    texts.extend(files(&folder.join("races"), "visaasm").into_iter().step_by(9));
    texts.extend(files(&folder.join("recovery"), "visaasm"));
    let options = Options { pedantic: true, ..Options::default() };
    let rows: Vec<(String, usize, usize, u32)> = texts
        .par_iter()
        .enumerate()
        .filter_map(|(i, path)| {
            let text = std::fs::read_to_string(path).expect("a readable file");
            let name = path.strip_prefix(&folder).expect("a file of the folder").to_string_lossy().replace('\\', "/");
            let compare = || edit_and_compare(&name, &text, &mut Random(i as u64), &options);
            let (n_edits, n_reread, sum) = (text.len() <= 60_000).then(compare)?;
            Some((name, n_edits, n_reread, sum))
        })
        .collect();
    let row = |(name, n_edits, n_reread, sum): &_| format!("{name} {n_reread} of {n_edits}, {sum:08x}\n");
    let said: String = rows.iter().map(row).collect();
    let (n_edits, n_reread) = rows.iter().fold((0, 0), |(a, b), row| (a + row.1, b + row.2));
    blessed(&folder.join("snapshots/reread.txt"), &said);
    assert!(n_reread * 4 > n_edits, "{n_reread} of {n_edits} edits were read by themselves");
}

/// Statements that say the same of other variables are read once, which gives what reading each of them gives.
#[test]
fn copied_statements_say_what_reading_them_says() {
    let folder = tests_folder();
    let texts = ["compiler_output", "recovery", "cases"].map(|name| files(&folder.join(name), "visaasm"));
    for (i, path) in texts.iter().flatten().enumerate() {
        let original = std::fs::read_to_string(path).expect("a readable file");
        let mut random = Random(i as u64);
        let mut text = original.clone();
        for _ in 0..4 {
            let (program, _) = lower_recorded(&text);
            for (found, expected) in facts(&lower(&text)).iter().zip(&facts(&program)) {
                assert_eq!(found, expected, "{}:\n{text}", path.display());
            }
            let (edit, new) = random_edit(&mut random, &text);
            if text.is_char_boundary(edit.start as usize) && text.is_char_boundary(edit.old_end as usize) {
                text.replace_range(edit.start as usize..edit.old_end as usize, &new);
            }
        }
    }
}

/// An edit of an instruction is read by itself, whatever it does to the line; one of a declaration is not.
#[test]
fn edits_of_instructions_are_read_by_themselves() {
    let body = "    add (M1, 8) V40(0,0)<1> V40(0,0)<1;1,0> 0x1:d\n".repeat(20);
    let head =
        ".version 4.1\n.kernel \"k\"\n.decl V40 v_type=G type=d num_elts=8 align=GRF\n.kernel_attr Target=\"cm\"\n";
    let text = format!("{head}{body}    ret (M1, 1)\n");
    let options = Options::default();
    let known = Known::new(text.clone(), &options);
    let edited = |at: usize, n_old: usize, new: &str| {
        let mut edited = text.clone();
        edited.replace_range(at..at + n_old, new);
        let edit = TextEdit { start: at as u32, old_end: (at + n_old) as u32, new_end: (at + new.len()) as u32 };
        known.after(&edited, edit, &options).is_some()
    };
    let line = head.len() + body.len() / 2;
    let other = "    mov (M1, 8) V40(0,0)<1> 0x1:d\n";
    for (n_old, new) in [(0, "x"), (5, ""), (0, other), (50, ""), (8, "    (V40")] {
        assert!(edited(line, n_old, new), "{n_old} bytes replaced by {new:?}");
    }
    assert!(!edited(line, 0, "{"), "a scope");
    assert!(!edited(head.len() - 10, 1, "x"), "an attribute");
    assert!(!edited(line, 0, "/* a comment\n"), "a comment over many lines");
}

/// What a check of one instruction says may hang on another one.
#[test]
fn an_instruction_that_looks_at_others_is_checked_again() {
    let head = "\
.version 4.1
.kernel \"k\"
.decl A v_type=G type=uq num_elts=1 align=GRF
.decl S v_type=G type=d num_elts=16 align=GRF
.decl T v_type=G type=d num_elts=16 align=GRF
.input A offset=64 size=8
.input T offset=128 size=64
";
    let between = "    add (M1_NM, 16) T(0,0)<1> T(0,0)<1;1,0> 0x1:d\n".repeat(5);
    let store = "    lsc_store_strided.ugm (M1_NM, 16) flat[A, 0x2]:a64 S:d32\n    ret (M1, 1)\n";
    let text = format!("{head}{between}    mov (M1_NM, 16) S(0,0)<1> T(0,0)<0;1,0>\n{between}{store}");
    let options = Options { platforms: Some(PlatformSet::one(Platform::DG2)), ..Options::default() };
    let known = Known::new(text.clone(), &options);
    let rules = |known: &Known| known.findings.iter().map(|f| f.rule.name).collect::<Vec<_>>();
    assert_eq!(rules(&known), [""; 0], "one value is stored");
    let at = text.find("<0;1,0>").expect("a scalar") as u32 + 1;
    let edited = text.replace("<0;1,0>", "<1;1,0>");
    let edit = TextEdit { start: at, old_end: at + 1, new_end: at + 1 };
    let (again, _) = known.after(&edited, edit, &options).expect("an edit of an instruction");
    assert_eq!(rules(&again), ["overlapping-lane-writes"], "each lane stores its own value");
}

/// What was found with other settings is not what is found with these.
#[test]
fn settings_that_change_with_an_edit_hold_for_all_instructions() {
    // Each line has a fault of its own, on some platforms.
    let body =
        "    mov (M1, 16) V40(0,0)<1> V40(0,0)<1;1,0>\n    mad (M1, 8) V40(0,0)<1> V40(0,0)<1;1,0> 0x1:d 0x2:d\n    \
                mov (M1, 32) V42(0,0)<1> V40(0,0)<0;1,0>\n    mov (M1, 8) V41(0,0)<1> V40(0,0)<1;1,0>\n    \
                add3 (M1, 8) V40(0,0)<1> V40(0,0)<1;1,0> V40(0,0)<1;1,0> V40(0,0)<1;1,0>\n    \
                (P1) add (M1, 8) V40(0,0)<1> V40(0,0)<1;1,0> 1:d\n"
            .repeat(8);
    let head = ".version 4.1\n.kernel \"k\"\n.decl V40 v_type=G type=d num_elts=8 align=GRF\n\
                .decl V41 v_type=G type=q num_elts=8 align=GRF\n.decl V42 v_type=G type=d num_elts=32 align=GRF\n\
                .decl P1 v_type=P num_elts=8\n.kernel_attr Target=\"cm\"\n";
    let text = format!("{head}{body}    ret (M1, 1)\n");
    let mut all = vec![Options::default(), Options { pedantic: true, ..Options::default() }];
    for platform in [Platform::SKL, Platform::DG2, Platform::PVC] {
        all.push(Options { platforms: Some(PlatformSet::one(platform)), ..Options::default() });
    }
    all.push(Options { platforms: Some([Platform::SKL, Platform::DG2].into_iter().collect()), ..Options::default() });
    let at = head.len() + body.len() / 2;
    for (n_old, new) in [(0, "    mov (M1, 8) V40(0,0)<1> 0x1:d\n"), (0, "x"), (5, ""), (90, "")] {
        let mut edited = text.clone();
        let at = text[..at].rfind('\n').map_or(0, |i| i + 1);
        edited.replace_range(at..at + n_old, new);
        let edit = TextEdit { start: at as u32, old_end: (at + n_old) as u32, new_end: (at + new.len()) as u32 };
        for (before, now) in all.iter().flat_map(|before| all.iter().map(move |now| (before, now))) {
            let known = Known::new(text.clone(), before);
            let Some((again, _)) = known.after(&edited, edit, now) else { continue };
            assert_eq!(again.findings, Known::new(edited.clone(), now).findings, "{n_old} bytes replaced by {new:?}");
        }
    }
}
