//! The program as a user calls it: what it prints, and its exit status.

use crate::support::process::{Scratch, run, run_with_input};
use crate::support::{blessed, tests_folder};
use std::path::Path;
use visa_lint::checks::RULES;
use visa_lint::checks::timing::Part;

pub const GOOD: &str =
    ".version 4.1\n.kernel \"k\"\n.kernel_attr Target=\"cm\"\n.function \"k_main\"\nk_main:\n    ret (M1, 1)\n";
pub const BAD: &str = ".version 4.1\n.kernel \"k\"\n.kernel_attr Target=\"cm\"\n.function \"k_main\"\nk_main:\n    rett (M1, 1)\n    ret (M1, 1)\n";

#[test]
fn exit_status_tells_clean_from_faulty() {
    let scratch = Scratch::new("status");
    scratch.file("good.visaasm", GOOD);
    scratch.file("bad.visaasm", BAD);
    let (status, out, err) = run(&scratch.0, &["good.visaasm"]);
    assert_eq!((status, out.as_str()), (0, ""), "{err}");
    assert!(err.starts_with("checked 1 kernel in 1 file, 1 instruction: 0 errors, 0 warnings"), "{err}");
    let (status, out, err) = run(&scratch.0, &["bad.visaasm"]);
    assert_eq!(status, 1, "{err}");
    assert!(out.contains("error[unknown-instruction]: unknown instruction `rett`"), "{out}");
    assert!(out.contains("did you mean `ret`?"), "{out}");
}

#[test]
fn folders_are_walked_and_output_is_sorted() {
    let scratch = Scratch::new("folders");
    scratch.file("z/b.visaasm", BAD);
    scratch.file("a/b.isaasm", BAD);
    scratch.file("a/notes.txt", "not looked at");
    scratch.file("a.visaasm", BAD);
    let (status, out, _) = run(&scratch.0, &["--format", "short"]);
    assert_eq!(status, 1);
    let files: Vec<&str> = out.lines().map(|l| l.split(':').next().expect("a path")).collect();
    assert_eq!(files, ["a/b.isaasm", "a.visaasm", "z/b.visaasm"]);
    for _ in 0..5 {
        assert_eq!(run(&scratch.0, &["--format", "short"]).1, out, "the output changes from run to run");
    }
    let (_, twice, _) = run(&scratch.0, &["--format", "short", "a.visaasm", "a.visaasm"]);
    assert_eq!(twice.lines().count(), 1, "a file that is named twice is checked once");
}

#[test]
fn short_and_json_name_the_place() {
    let scratch = Scratch::new("formats");
    scratch.file("bad.visaasm", BAD);
    let (_, out, _) = run(&scratch.0, &["--format", "short", "bad.visaasm"]);
    assert_eq!(
        out,
        "bad.visaasm:6:5: error[unknown-instruction]: unknown instruction `rett`; help: did you mean `ret`?\n"
    );
    let (_, out, err) = run(&scratch.0, &["--format", "json", "bad.visaasm"]);
    assert_eq!(err, "");
    let row: serde_json::Value = serde_json::from_str(out.trim()).expect("one object per line");
    for (key, value) in [("path", "bad.visaasm"), ("rule", "unknown-instruction"), ("level", "error"), ("kernel", "k")]
    {
        assert_eq!(row[key], value);
    }
    for (key, value) in
        [("line", 6), ("column", 5), ("end_line", 6), ("end_column", 9), ("offset", 81), ("end_offset", 85)]
    {
        assert_eq!(row[key], value, "{key}");
    }
    assert_eq!(row["fix"]["edits"][0]["text"], "ret");
}

#[test]
fn columns_count_characters() {
    let scratch = Scratch::new("columns");
    scratch.file("k.visaasm", ".version 4.1\n.kernel \"k\"\n/* ä€ */ rett (M1, 1)\n");
    let (_, out, _) = run(&scratch.0, &["--format", "short", "k.visaasm"]);
    assert_eq!(
        out,
        "k.visaasm:3:10: error[unknown-instruction]: unknown instruction `rett`; help: did you mean `ret`?\n"
    );
}

#[test]
fn standard_input_is_read() {
    let scratch = Scratch::new("stdin");
    let (status, out, _) = run_with_input(&scratch.0, &["--format", "short", "-"], BAD.as_bytes());
    assert_eq!(status, 1);
    assert!(out.starts_with("<stdin>:6:5: "), "{out}");
    let (_, out, _) =
        run_with_input(&scratch.0, &["--format", "short", "--stdin-filename", "x/y.visaasm", "-"], BAD.as_bytes());
    assert!(out.starts_with("x/y.visaasm:6:5: "), "{out}");
}

#[test]
fn input_that_cannot_be_checked_is_named() {
    let scratch = Scratch::new("unreadable");
    scratch.file("binary.visaasm", b"\x7fELF\x00\x01\x02");
    scratch.file("utf16.visaasm", b"\xff\xfe.\x00v\x00");
    scratch.file("good.visaasm", GOOD);
    for (name, words) in
        [("missing.visaasm", "no such file"), ("binary.visaasm", "binary file"), ("utf16.visaasm", "UTF-16")]
    {
        let (status, out, err) = run(&scratch.0, &[name, "good.visaasm"]);
        assert_eq!(status, 2, "{name}: {err}");
        assert_eq!(out, "");
        assert!(err.contains(name) && err.contains(words), "{err}");
        assert!(err.contains("checked 1 kernel in 1 file"), "the other file is checked: {err}");
    }
    let (status, _, err) = run(&scratch.0, &["empty-folder-that-is-not-there"]);
    assert_eq!(status, 2, "{err}");
    std::fs::create_dir(scratch.0.join("empty")).expect("a folder");
    let (status, _, err) = run(&scratch.0, &["empty"]);
    assert_eq!(status, 2);
    assert!(err.contains("no vISA text"), "{err}");
}

#[test]
fn texts_that_are_no_kernels_get_one_clear_finding() {
    let scratch = Scratch::new("no-visa");
    scratch.file("empty.visaasm", "");
    scratch.file("blank.visaasm", "\n\n   \n");
    scratch.file("prose.visaasm", "Dear reader,\nthis is a letter.\nIt goes on,\nand on.\n");
    scratch.file("c.visaasm", "int main(void) {\n  return 0;\n}\n");
    for name in ["empty.visaasm", "blank.visaasm", "prose.visaasm", "c.visaasm"] {
        let (status, out, _) = run(&scratch.0, &["--format", "short", name]);
        assert_eq!(status, 1, "{name}: {out}");
        assert_eq!(out.lines().count(), 1, "{name}: {out}");
    }
}

#[test]
fn other_encodings_are_reported_once() {
    let scratch = Scratch::new("encodings");
    scratch.file("latin1.visaasm", [GOOD.as_bytes(), b"// caf\xe9\n    rett (M1, 1)\n"].concat());
    scratch.file("crlf.visaasm", GOOD.replace('\n', "\r\n"));
    scratch.file("bom.visaasm", format!("\u{feff}{GOOD}"));
    let (_, out, _) = run(&scratch.0, &["--format", "short", "latin1.visaasm"]);
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(out.contains(":8:5: error[unknown-instruction]"), "{out}");
    let (status, out, _) = run(&scratch.0, &["--format", "short", "crlf.visaasm"]);
    assert_eq!((status, out.lines().count()), (1, 1), "{out}");
    assert!(out.contains("[carriage-return]: 6 carriage returns"), "{out}");
    let (status, out, _) = run(&scratch.0, &["--format", "short", "bom.visaasm"]);
    assert_eq!((status, out.lines().count()), (1, 1), "{out}");
    assert!(out.contains("[byte-order-mark]"), "{out}");
}

#[test]
fn levels_are_read_from_left_to_right() {
    let scratch = Scratch::new("levels");
    scratch.file("bad.visaasm", BAD);
    let status = |arguments: &[&str]| run(&scratch.0, &[arguments, &["-q", "bad.visaasm"]].concat()).0;
    assert_eq!(status(&[]), 1);
    assert_eq!(status(&["-A", "unknown-instruction"]), 0);
    assert_eq!(status(&["-W", "unknown-instruction"]), 0);
    assert_eq!(status(&["-W", "unknown-instruction", "--deny-warnings"]), 1);
    assert_eq!(status(&["-A", "unknown-instruction", "-D", "unknown-instruction"]), 1);
    assert_eq!(status(&["-D", "unknown-instruction", "-A", "unknown-instruction"]), 0);
}

#[test]
fn wrong_arguments_end_with_status_two() {
    let scratch = Scratch::new("usage");
    for (arguments, words) in [
        (&["--platform", "DG3", "."][..], "did you mean `DG2`?"),
        (&["-A", "unknown-instructoin", "."], "did you mean `unknown-instruction`?"),
        (&["--frmat", "json"], "--format"),
    ] {
        let (status, out, err) = run(&scratch.0, arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(words), "{err}");
    }
}

#[test]
fn device_names_are_platforms() {
    let scratch = Scratch::new("devices");
    scratch.file("good.visaasm", GOOD);
    for name in ["skl", "dg2", "acm-g10", "bmg", "lnl", "ptl", "pvc", "PVC", "XeHP_SDV", "xe3p_cri", "tgllp", "mtl,arl"]
    {
        assert_eq!(run(&scratch.0, &["--platform", name, "good.visaasm"]).0, 0, "{name}");
    }
}

#[test]
fn help_is_as_blessed() {
    let scratch = Scratch::new("help");
    let (status, out, _) = run(&scratch.0, &["--help"]);
    assert_eq!(status, 0);
    blessed(&tests_folder().join("snapshots/help.txt"), &out);
    let (status, out, _) = run(&scratch.0, &["--version"]);
    assert_eq!((status, out), (0, format!("visa-lint {}\n", env!("CARGO_PKG_VERSION"))));
}

pub const FIXABLE: &str = ".version 4.1\n.kernel \"k\"\n.decl V32 v_type=G type=d num_elts=8 align=grf\n.function \"m\"\n  m:\n    MOV (M0, 8) V32(0,0)<1>, 1:d\n    ret (M1, 1)\n";
pub const FIXED: &str = ".version 4.1\n.kernel \"k\"\n.decl V32 v_type=G type=d num_elts=8 align=GRF\n.function \"m\"\nm:\n    mov (M1, 8) V32(0,0)<1> 1:d\n    ret (M1, 1)\n";

#[test]
fn fix_mends_what_is_certain_and_a_second_run_finds_nothing() {
    let scratch = Scratch::new("fix");
    let file = scratch.file("k.visaasm", FIXABLE);
    let (status, out, err) = run(&scratch.0, &["--fix", "k.visaasm"]);
    assert_eq!((status, out.as_str()), (0, ""), "{err}");
    assert!(err.starts_with("fixed 5 findings"), "{err}");
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), FIXED);
    let (status, _, err) = run(&scratch.0, &["--fix", "k.visaasm"]);
    assert_eq!(status, 0);
    assert!(err.starts_with("fixed 0 findings"), "{err}");
}

#[test]
fn diff_shows_the_change_and_makes_none() {
    let scratch = Scratch::new("diff");
    let file = scratch.file("k.visaasm", FIXABLE);
    let (status, out, _) = run(&scratch.0, &["--diff", "k.visaasm"]);
    assert_eq!(status, 1);
    assert!(out.starts_with("--- a/k.visaasm\n+++ b/k.visaasm\n"), "{out}");
    assert!(
        out.contains("-    MOV (M0, 8) V32(0,0)<1>, 1:d\n") && out.contains("+    mov (M1, 8) V32(0,0)<1> 1:d\n"),
        "{out}"
    );
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), FIXABLE);
    scratch.file("k.visaasm", FIXED);
    assert_eq!(run(&scratch.0, &["--diff", "k.visaasm"]), (0, String::new(), String::new()));
}

/// A text with bytes of another encoding would lose them.
#[test]
fn fix_leaves_bytes_that_are_no_characters() {
    let scratch = Scratch::new("fix-bytes");
    let text = [b"// \xff\n", GOOD.as_bytes()].concat();
    scratch.file("a.visaasm", &text);
    let (status, _, err) = run(&scratch.0, &["--fix", "a.visaasm"]);
    assert!(status == 2 && err.contains("it holds bytes that are not UTF-8, so it is not changed"), "{status} {err}");
    assert_eq!(std::fs::read(scratch.0.join("a.visaasm")).expect("the file"), text);
}

#[test]
fn fix_turns_standard_input_into_standard_output() {
    let scratch = Scratch::new("fix-stdin");
    let (status, out, _) = run_with_input(&scratch.0, &["--fix", "-q", "-"], FIXABLE.as_bytes());
    assert_eq!((status, out.as_str()), (0, FIXED));
}

#[test]
fn explain_knows_rules_and_instructions() {
    let scratch = Scratch::new("explain");
    let (status, out, _) = run(&scratch.0, &["explain", "empty-channel-mask"]);
    assert_eq!(status, 0);
    assert!(out.starts_with("empty-channel-mask\n") && out.contains("Bad:") && out.contains("level    error"), "{out}");
    let (status, out, _) = run(&scratch.0, &["explain", "scatter4_scaled"]);
    assert_eq!(status, 0);
    assert!(out.contains("address        offset + element_offset[lane] + 4 * channel"), "{out}");
    let (status, out, _) = run(&scratch.0, &["explain"]);
    assert_eq!(status, 0);
    assert!(out.contains("  empty-channel-mask ") && out.contains("  scatter4_scaled "), "{out}");
    let (status, _, err) = run(&scratch.0, &["explain", "scater4_scaled"]);
    assert_eq!(status, 2);
    assert!(err.contains("did you mean `scatter4_scaled`?"), "{err}");
    // A mnemonic as it stands in a program, one that is the front of others, and what only dumps may have.
    let (status, out, _) = run(&scratch.0, &["explain", "lsc_store.ugm.wb.wb"]);
    assert_eq!(status, 0);
    assert!(out.starts_with("lsc_store\n"), "{out}");
    // On a platform the formulas are numbers.
    let (_, out, _) = run(&scratch.0, &["explain", "dpas", "--platform", "pvc"]);
    assert!(out.contains("  dst `VD.0`: exec_size * type_bytes * repeat = 512 bytes, 8 registers"), "{out}");
    // Each lane is a column of the matrix; rows of blocks are numbered.
    assert!(out.contains("    +512 \u{2502}  0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 \u{2502}"), "{out}");
    let (_, block, _) = run(&scratch.0, &["explain", "lsc_load_block2d", "--platform", "pvc"]);
    assert!(block.contains("+32 \u{2502}  a1  a1") && block.contains("letter and number: block and row"), "{block}");
    assert!(out.find("Operands").expect("operands") < out.find("opcode ").expect("an opcode"), "{out}");
    scratch.file("good.visaasm", GOOD);
    let (status, out, _) = run(&scratch.0, &["stats", "good.visaasm", "--format", "json"]);
    let stats: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((status, &stats[0]["name"], &stats[0]["mnemonics"]["ret"]), (0, &"k".into(), &1.into()));
    let moves = ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n    mov (M1, 8) V32(0,0)<1> 0x1:ud\n    \
                 mov (M1, 4) V32(0,0)<1> V32(0,4)<4;4,1>\n    ret";
    scratch.file("moves.visaasm", GOOD.replace("    ret", moves));
    let (_, out, _) = run(&scratch.0, &["stats", "moves.visaasm", "--format", "json"]);
    let stats: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(stats[0]["most_live"], serde_json::json!({ "line": 8, "bytes": 16, "registers": 1 }));
    let (_, out, _) = run(&scratch.0, &["stats", "moves.visaasm"]);
    assert!(out.contains("16 bytes live at most, in 1 registers, before line 8"), "{out}");
    let messages = ".decl A v_type=G type=uq num_elts=8 align=GRF\n.decl V32 v_type=G type=d num_elts=8 align=GRF\n    \
                    lsc_load.ugm (M1, 8) V32:d32 flat[A]:a64\n    lsc_store.ugm (M1, 8) flat[A]:a64 V32:d32\n    \
                    lsc_atomic_iadd.ugm (M1, 8) %null:d32 flat[A]:a64 V32 %null\n    ret";
    scratch.file("messages.visaasm", GOOD.replace("    ret", messages));
    let (_, out, _) = run(&scratch.0, &["stats", "messages.visaasm"]);
    for line in [
        "        2 general variables",
        "       96 bytes in these variables",
        "        1 instructions that read memory",
        "        1 instructions that write memory",
        "        1 instructions that update memory",
    ] {
        assert!(out.lines().any(|l| l == line), "{line} is missing:\n{out}");
    }
    // A group of rules.
    let (status, out, _) = run(&scratch.0, &["explain", "memory"]);
    assert!(status == 0 && out.starts_with("Rules of the group `memory`"), "{out}");
    // Where an instruction does not exist, its example has the size that it would have.
    let (_, out, _) = run(&scratch.0, &["explain", "lsc_load", "--platform", "TGLLP"]);
    assert!(out.contains("\n  by the manual `lsc_load` exists only from DG2 on\n"), "{out}");
    // A part of mnemonics, a page of the manual, and what an instruction is called elsewhere.
    for (word, expected) in [
        ("lifetime", "  lifetime.start "),
        ("lsc", "  lsc_store_block2d "),
        ("LSC_UNTYPED", "  lsc_load "),
        ("madd", "\nmad\n"),
    ] {
        let (status, out, _) = run(&scratch.0, &["explain", word]);
        assert_eq!(status, 0, "{word}");
        assert!(out.contains(expected), "{out}");
    }
    let (_, out, _) = run(&scratch.0, &["explain", "add3"]);
    assert!(out.contains("pedantic in compiler dumps, an error in other text"), "{out}");
}

#[test]
fn timings_name_the_parts_of_the_work_their_rules_and_the_texts() {
    let scratch = Scratch::new("timings");
    scratch.file("good.visaasm", GOOD);
    scratch.file("bad.visaasm", BAD);
    let (status, out, err) = run(&scratch.0, &["--format", "short", "--timings", "."]);
    assert_eq!((status, out.lines().count()), (1, 1), "{out}{err}");
    for words in
        [" reading ", " tables ", " execution ", " unsupported-type,", " bad.visaasm\n", " good.visaasm\n", " % "]
    {
        assert!(err.contains(words), "{words}: {err}");
    }
    // A rule stands in one part only, and every part is of use.
    let parts: Vec<Vec<&str>> = Part::ALL.iter().map(|part| part.rules().map(|rule| rule.name).collect()).collect();
    assert!(parts.iter().all(|rules| !rules.is_empty()));
    assert_eq!(parts.iter().map(Vec::len).sum::<usize>(), RULES.len());
    for (part, rule) in [
        (Part::Reading, "unknown-instruction"),
        (Part::Execution, "overlapping-lane-writes"),
        (Part::Fragments, "wrong-escape"),
        (Part::Declarations, "unused-suppression"),
    ] {
        assert!(part.rules().any(|r| r.name == rule), "{rule}");
    }
    let (_, _, err) = run(&scratch.0, &["."]);
    assert!(!err.contains(" reading "), "{err}");
}

#[test]
fn statistics_count_the_findings_of_each_rule() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (status, out, _) = run(root, &["--statistics", "examples/faulty/scatter.visaasm"]);
    assert_eq!(status, 1);
    let lines: Vec<(usize, &str)> = out
        .lines()
        .map(|l| l.trim().split_once(' ').expect("a number and a rule"))
        .map(|(n, rest)| (n.parse().expect("a number"), rest))
        .collect();
    assert!(lines.is_sorted_by_key(|(n, _)| std::cmp::Reverse(*n)), "{out}");
    assert!(lines.contains(&(1, "error    invalid-channel-mask")), "{out}");
    let (_, json, _) = run(root, &["--statistics", "--format", "json", "examples/faulty/scatter.visaasm"]);
    let rows: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let rows = rows.as_array().expect("an array");
    assert_eq!(rows.len(), lines.len());
    assert!(
        rows.iter().any(|r| r["rule"] == "invalid-channel-mask" && r["level"] == "error" && r["group"] == "syntax")
    );
    let (_, short, _) = run(root, &["--format", "short", "examples/faulty/scatter.visaasm"]);
    assert_eq!(lines.iter().map(|(n, _)| n).sum::<usize>(), short.lines().count());
}

#[test]
fn the_whole_table_is_printed_as_json() {
    let scratch = Scratch::new("table");
    let (status, out, _) = run(&scratch.0, &["explain", "--format", "json"]);
    assert_eq!(status, 0);
    let table: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let instructions = table["instructions"].as_array().expect("a list");
    assert_eq!(instructions.len(), visa_lint::spec::instructions().len());
    let scatter = instructions.iter().find(|i| i["mnemonic"] == "scatter4_scaled").expect("scatter4_scaled");
    assert_eq!(scatter["memory"][0]["kind"], "write");
    assert!(scatter["memory"][0]["address"].as_str().is_some_and(|a| a.contains("offset")), "{scatter:#}");
    assert!(
        table["rules"].as_array().is_some_and(|rules| rules.iter().any(|r| r["name"] == "overlapping-lane-writes"))
    );
}

#[test]
fn completions_and_the_manual_page_name_the_options() {
    let scratch = Scratch::new("completions");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (status, out, _) = run(&scratch.0, &["completions", shell]);
        assert_eq!(status, 0);
        assert!(out.contains("statistics"), "{shell}: {out}");
    }
    let (status, out, _) = run(&scratch.0, &["man"]);
    assert_eq!(status, 0);
    assert!(out.starts_with(".ie") && out.contains("deny\\-warnings"), "{out}");
}
