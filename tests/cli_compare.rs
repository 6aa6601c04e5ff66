//! `diff`, `merge`, `report` and `--shard`: several runs and several versions.

use crate::cli::BAD;
use crate::support::process::{Scratch, run};
use serde_json::Value;
use std::fs::read_to_string;

const HEAD: &str = ".version 4.1\n";

/// A kernel with a load, a fault, and two additions.
fn kernel(name: &str) -> String {
    format!(
        ".kernel \"{name}\"\n.kernel_attr Target=\"cm\"\n.kernel_attr SimdSize=8\n\
         .decl V32 v_type=G type=d num_elts=8 align=GRF\n.decl V33 v_type=G type=d num_elts=8 align=GRF\n\
         .function \"{name}_BB_0\"\n{name}_BB_0:\n    mov (M1, 8) V32(0,0)<1> 0x1:d\n    wat (M1, 8) V32(0,0)<1>\n\
         \x20   add (M1, 8) V33(0,0)<1> V32(0,0)<8;8,1> 0x2:d\n    add (M1, 8) V33(0,0)<1> V33(0,0)<8;8,1> 0x3:d\n\
         \x20   ret (M1, 1)\n"
    )
}

/// The same with other numbers and another order of declarations.
fn renumbered(name: &str) -> String {
    let second = ".decl V33 v_type=G type=d num_elts=8 align=GRF\n";
    let text = kernel(name).replace(second, "").replace(".decl V32", &format!("{second}.decl V32"));
    text.replace("V32", "V1000").replace("V33", "V32").replace("BB_0", "BB_5").replace("0x2:d", "0x2:d // two")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}:\n{text}"))
}

#[test]
fn numbers_and_places_of_declarations_are_no_difference() {
    let scratch = Scratch::new("diff-same");
    scratch.file("old/a.visaasm", format!("{HEAD}{}{}", kernel("one"), kernel("two")));
    scratch.file("new/b.visaasm", format!("{HEAD}{}", renumbered("two")));
    scratch.file("new/c.visaasm", format!("{HEAD}{}", renumbered("one")));
    let (status, out, err) = run(&scratch.0, &["diff", "old", "new"]);
    assert_eq!(
        (status, out.as_str()),
        (0, "kernels: 2 as before, 0 changed, 0 gone, 0 new; findings: 2 as before, 0 gone, 0 new\n"),
        "{err}"
    );
}

#[test]
fn changed_instructions_messages_and_findings_are_shown() {
    let scratch = Scratch::new("diff-changed");
    let old = format!("{HEAD}{}{}", kernel("one"), kernel("lost"));
    let store = "    lsc_store.ugm (M1_NM, 1) flat[V32]:a64 V1000:d32x8t\n";
    let new = renumbered("one").replace("0x3:d", "0x4:d").replace("    ret", &format!("{store}    ret"));
    let new = format!("{HEAD}{}", new.replace("wat (M1, 8)", "wet (M1, 8)"));
    scratch.file("old.visaasm", &old);
    scratch.file("new.visaasm", &new);
    let (status, out, _) = run(&scratch.0, &["diff", "old.visaasm", "new.visaasm"]);
    assert_eq!(status, 1);
    for line in [
        "--- old.visaasm:2: one (SIMD8), 5 instructions",
        "+++ new.visaasm:2: one (SIMD8), 6 instructions",
        "-10     wat (M1, 8) V32(0,0)<1>",
        "+10     wet (M1, 8) V1000(0,0)<1>",
        "-12     add (M1, 8) V33(0,0)<1> V33(0,0)<8;8,1> 0x3:d",
        "+12     add (M1, 8) V32(0,0)<1> V32(0,0)<8;8,1> 0x4:d",
        "+13     lsc_store.ugm (M1_NM, 1) flat[V32]:a64 V1000:d32x8t",
        "messages: lsc_store 0 -> 1",
        "live registers, at most: 1 -> 2",
        "--- old.visaasm:14: lost (SIMD8), 5 instructions",
        "gone: old.visaasm:10: error[unknown-instruction]: unknown instruction `wat`",
        "new: new.visaasm:10: error[unknown-instruction]: unknown instruction `wet`",
    ] {
        assert!(out.lines().any(|l| l.trim_end() == line), "{line} is missing:\n{out}");
    }
    assert!(!out.contains("0x2:d"), "what stayed is not shown:\n{out}");
    assert!(out.contains("kernels: 0 as before, 1 changed, 1 gone, 0 new"), "{out}");

    let (_, out, _) = run(&scratch.0, &["diff", "--format", "json", "old.visaasm", "new.visaasm"]);
    let report = json(&out);
    assert_eq!(report["kernels"][0]["changes"].as_array().map(Vec::len), Some(5), "{report:#}");
    assert_eq!(report["kernels"][0]["new"]["most_live"]["registers"], 2);
    assert_eq!(report["kernels"][1]["new"], Value::Null);
    assert_eq!(report["new_findings"][0]["rule"], "unknown-instruction");

    let (status, _, _) = run(&scratch.0, &["diff", "--format", "html", "-o", "d.html", "old.visaasm", "new.visaasm"]);
    assert_eq!(status, 1);
    let page = read_to_string(scratch.0.join("d.html")).expect("a page");
    assert!(page.starts_with("<!doctype html>") && page.contains("V33(0,0)&lt;1&gt;"), "{page}");
    assert!(page.contains("<li>lsc_store: 0 &rarr; 1</li><li>live registers, at most: 1 &rarr; 2</li>"), "{page}");
    let row = page.lines().find(|line| line.contains("0x3:d")).expect("a row");
    assert!(row.contains("class=\"gone\"") && row.contains("0x4:d"), "side by side: {row}");
    assert!(page.lines().any(|line| line.contains("0x2:d") && !line.contains("class=\"gone\"")), "context: {page}");
}

/// Directives of a kernel, kernels with one side, and long runs of what stayed.
#[test]
fn directives_and_sides_are_shown() {
    let scratch = Scratch::new("diff-sides");
    let long = |name: &str, number: u32, simd: u32, offset: u32| {
        let lines = |from: u32| {
            (from..from + 5)
                .map(|n| format!("    add (M1, 8) V32(0,0)<1> V32(0,0)<8;8,1> {n:#x}:d\n"))
                .collect::<Vec<_>>()
                .concat()
        };
        format!(
            ".kernel \"{name}\"\n.kernel_attr Target=\"cm\"\n.kernel_attr SimdSize={simd}\n\
             .decl V32 v_type=G type=d num_elts=8 align=GRF\n.input V32 offset={offset} size=32\n\
             {}    add (M1, 8) V32(0,0)<1> V32(0,0)<8;8,1> {number:#x}:d\n{}    ret (M1, 1)\n",
            lines(0x10),
            lines(0x20)
        )
    };
    let without_size = kernel("plain").replace(".kernel_attr SimdSize=8\n", "");
    scratch.file("old.visaasm", format!("{HEAD}{}{without_size}", long("one", 1, 8, 32)));
    scratch.file("new.visaasm", format!("{HEAD}{}{}", long("one", 2, 16, 64), kernel("fresh").replace("add", "xor")));
    let (status, out, _) = run(&scratch.0, &["diff", "old.visaasm", "new.visaasm"]);
    assert_eq!(status, 1);
    for line in [
        "--- old.visaasm:2: one (SIMD8), 12 instructions",
        "+++ new.visaasm:2: one (SIMD16), 12 instructions",
        "-4      .kernel_attr SimdSize=8",
        "-6      .input V32 offset=32 size=32",
        "+6      .input V32 offset=64 size=32",
        "--- old.visaasm:19: plain, 5 instructions",
        "+++ new.visaasm:19: fresh (SIMD8), 5 instructions",
    ] {
        assert!(out.lines().any(|l| l.trim_end() == line), "{line} is missing:\n{out}");
    }
    let (_, page, _) = run(&scratch.0, &["diff", "--format", "html", "old.visaasm", "new.visaasm"]);
    for part in [
        "<summary>changed: one (SIMD8), now one (SIMD16)</summary>",
        "<summary>gone: plain</summary>",
        "<summary>new: fresh (SIMD8)</summary>",
        "<code>.input V32 offset=32 size=32</code>",
        "<code>.input V32 offset=64 size=32</code>",
        "<tr class=\"cut\">",
    ] {
        assert!(page.contains(part), "{part} is missing:\n{page}");
    }
    assert!(!page.contains("0x10:d") && page.contains("0x14:d"), "{page}");
    let both = ["diff", "--format", "html", "--platform", "PVC", "old.visaasm", "old.visaasm"];
    let (status, page, _) = run(&scratch.0, &both);
    assert!(status == 0 && !page.contains("<table"), "nothing is listed of what is the same: {page}");
}

#[test]
fn another_variable_in_one_place_is_a_difference() {
    let scratch = Scratch::new("diff-renamed");
    scratch.file("old.visaasm", format!("{HEAD}{}", kernel("k")));
    scratch.file("new.visaasm", format!("{HEAD}{}", kernel("k").replace("V33(0,0)<8;8,1> 0x3", "V32(0,0)<8;8,1> 0x3")));
    let (status, out, _) = run(&scratch.0, &["diff", "old.visaasm", "new.visaasm"]);
    assert_eq!(status, 1, "{out}");
    assert_eq!(out.lines().filter(|line| line.starts_with(['-', '+'])).count(), 4, "one line of each: {out}");
    assert!(out.contains("+12     add (M1, 8) V33(0,0)<1> V32(0,0)<8;8,1> 0x3:d"), "{out}");
}

#[test]
fn kernels_with_new_names_are_found_by_likeness() {
    let scratch = Scratch::new("diff-likeness");
    let other = kernel("other").replace("add", "xor").replace("mov", "not").replace("wat", "wut");
    scratch.file("old/a.visaasm", format!("{HEAD}{}{}", kernel("before"), other));
    scratch.file("new/a.visaasm", format!("{HEAD}{}", renumbered("after")));
    let (_, out, _) = run(&scratch.0, &["diff", "--format", "json", "old", "new"]);
    let report = json(&out);
    let names =
        |i: usize| (report["kernels"][i]["old"]["kernel"].clone(), report["kernels"][i]["new"]["kernel"].clone());
    assert_eq!(names(0), ("before".into(), "after".into()), "{report:#}");
    assert_eq!(names(1), ("other".into(), Value::Null));
    assert_eq!(report["n_same_findings"], 1);
}

#[test]
fn what_cannot_be_compared_is_said() {
    let scratch = Scratch::new("diff-wrong");
    scratch.file("a.visaasm", BAD);
    scratch.file("h.cl", "kernel void f() {}\n");
    std::fs::create_dir(scratch.0.join("empty")).expect("a folder");
    for (arguments, words) in [
        (&["diff", "a.visaasm", "gone"][..], "no such file"),
        (&["diff", "a.visaasm", "h.cl"], "`h.cl` is a host source; `visa-lint expand` makes kernels of it"),
        (&["diff", "a.visaasm", "a.visaasm", "-o", "gone/d"], "cannot write `gone/d`: there is no such file"),
        (&["expand", "a.visaasm"], "`a.visaasm` is no host source (.cl .c .cpp "),
        (&["expand", "gone.cl"], "gone.cl"),
        (&["diff", "empty", "a.visaasm"], "no vISA text found"),
        (&["diff", "a.visaasm"], "required"),
        (&["merge"], "required"),
        (&["merge", "a.visaasm"], "no finding of a report"),
        (&["report", "a.visaasm", "a.visaasm"], "no report in JSON"),
        (&["--shard", "0/4"], "write `I/N`"),
        (&["--shard", "5/4"], "write `I/N`"),
    ] {
        let (status, out, err) = run(&scratch.0, arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert!(err.contains(words), "{arguments:?}: {err}");
    }
}

#[test]
fn parts_of_a_run_merge_to_the_whole() {
    let scratch = Scratch::new("shards");
    for i in 0..20 {
        scratch.file(&format!("k/{i}.visaasm"), BAD.replace("rett", &format!("rett{i}")));
        scratch.file(&format!("k/{i}/x.visaasm"), BAD);
    }
    for (format, ending) in [("json", "jsonl"), ("sarif", "sarif")] {
        let whole = run(&scratch.0, &["--format", format, "k"]).1;
        let mut names = Vec::new();
        for part in 1..=3 {
            let (name, shard) = (format!("{part}.{ending}"), format!("{part}/3"));
            run(&scratch.0, &["--format", format, "-o", &name, "--shard", &shard, "-q", "k"]);
            let n = read_to_string(scratch.0.join(&name)).expect("a report").matches("unknown instruction").count();
            assert!((1..40).contains(&n), "{n} findings in part {part}");
            names.push(name);
        }
        names.reverse();
        let arguments: Vec<&str> = std::iter::once("merge").chain(names.iter().map(String::as_str)).collect();
        let (status, merged, err) = run(&scratch.0, &arguments);
        assert_eq!(status, 0, "{err}");
        if format == "json" {
            assert_eq!(merged, whole);
        } else {
            assert_eq!(json(&merged), json(&whole));
        }
    }
    let (status, _, err) = run(&scratch.0, &["merge", "1.jsonl", "1.sarif"]);
    assert_eq!(status, 2);
    assert!(err.contains("cannot be merged"), "{err}");
}

#[test]
fn a_failed_part_makes_the_whole_fail() {
    let scratch = Scratch::new("shards-failed");
    scratch.file("a.visaasm", BAD);
    run(&scratch.0, &["--format", "sarif", "-o", "1.sarif", "a.visaasm"]);
    run(&scratch.0, &["--format", "sarif", "-o", "2.sarif", "gone.visaasm"]);
    let merged = json(&run(&scratch.0, &["merge", "1.sarif", "2.sarif"]).1);
    let invocation = &merged["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["toolExecutionNotifications"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_report_says_what_appears_and_what_goes() {
    let scratch = Scratch::new("report");
    scratch.file("a.visaasm", BAD.replace("rett", "gone_one"));
    scratch.file("b.visaasm", BAD);
    run(&scratch.0, &["--format", "json", "-o", "old.jsonl"]);
    scratch.file("a.visaasm", BAD.replace("    rett", "    mov (M1, 8) <b>*(0,0)<1> 0x1:d\n    new_one"));
    std::fs::rename(scratch.0.join("b.visaasm"), scratch.0.join("c.visaasm")).expect("renamed");
    run(&scratch.0, &["--format", "json", "-o", "new.jsonl"]);
    let (status, out, err) = run(&scratch.0, &["report", "old.jsonl", "new.jsonl"]);
    assert_eq!(status, 0, "{err}");
    assert!(
        out.starts_with("# Findings: old.jsonl and new.jsonl\n\n2 findings before, 3 now: 2 new, 1 gone.\n"),
        "{out}"
    );
    assert!(out.contains("| unknown-instruction | 2 | 2 | 1 | 1 |"), "{out}");
    assert!(out.contains("- a.visaasm:7 in k: unknown instruction \\`new\\_one\\`"), "{out}");
    assert!(out.contains("## unknown-instruction: 1 gone"), "{out}");
    assert!(!out.contains("rett"), "a file with another name holds nothing new: {out}");
    let (status, out, _) = run(&scratch.0, &["report", "--format", "html", "old.jsonl", "new.jsonl"]);
    assert_eq!(status, 0);
    assert!(out.starts_with("<!doctype html>") && out.contains("<h2>unknown-instruction: 1 new</h2>"), "{out}");
    assert!(!out.contains("<b>*"), "what is quoted is no markup: {out}");
}

/// Many findings of a rule are not all listed, and what is quoted is no markup.
#[test]
fn a_report_lists_the_first_of_many() {
    let scratch = Scratch::new("report-many");
    scratch.file("a.visaasm", BAD.replace("rett", "ret"));
    run(&scratch.0, &["--format", "json", "-o", "old.jsonl"]);
    let many = (0..8).map(|i| format!("    wat{i} (M1, 8) <&>\n")).collect::<Vec<_>>().concat();
    scratch.file("a.visaasm", BAD.replace("    rett", &format!("{many}    rett")).replace("\"k\"", "\"a<&>b\""));
    run(&scratch.0, &["--format", "json", "-o", "new.jsonl"]);
    let (_, out, _) = run(&scratch.0, &["report", "old.jsonl", "new.jsonl"]);
    assert!(out.contains("\n- and 3 more\n") && out.contains("in a&lt;&amp;>b: "), "{out}");
    let (_, out, _) = run(&scratch.0, &["report", "--format", "html", "old.jsonl", "new.jsonl"]);
    assert!(out.contains("<li>and 3 more</li>") && !out.contains("a<&"), "{out}");
}
