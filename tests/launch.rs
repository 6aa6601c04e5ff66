//! What is known of a launch changes what can be proved.

use crate::support::on;
use crate::support::process::{Scratch, run};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use visa_lint::checks::{self, LaunchFacts, Options};
use visa_lint::spec::Platform;

/// A SIMD16 kernel as compilers print it: local ids after the first register, dimension after dimension. It stores to
/// `4 * local_id.x`.
fn by_local_id(offset: u32, stride: u32) -> String {
    let (y, z) = (offset + stride, offset + 2 * stride);
    let store = "shl (M1, 16) place(0,0)<1> place(0,0)<1;1,0> 0x2:ud\n    \
                 scatter4_scaled.R (M1, 16) T6 0x0:ud place.0 what.0\n    ";
    format!(
        ".version 4.1\n.kernel \"by_local_id\"\n\
         .decl x v_type=G type=w num_elts=16 align=GRF\n.decl y v_type=G type=w num_elts=16 align=GRF\n\
         .decl z v_type=G type=w num_elts=16 align=GRF\n.decl what v_type=G type=ud num_elts=16 align=GRF\n\
         .decl place v_type=G type=ud num_elts=16 align=GRF\n.decl T6 v_type=T num_elts=1\n\
         .input x offset={offset} size=32\n.input y offset={y} size=32\n.input z offset={z} size=32\n\
         .input what offset=256 size=64\n.input T6 offset=320 size=4\n\
         .kernel_attr Target=\"3d\"\n.kernel_attr SimdSize=16\n\
             mov (M1, 16) place(0,0)<1> x(0,0)<1;1,0>\n    {store}ret (M1, 1)\n"
    )
}

fn with_size(size: &str) -> Vec<String> {
    vec!["--platform".into(), "SKL".into(), "--local-size".into(), size.into()]
}

/// Names of rules, one for each finding, in the order of the text.
fn rules(scratch: &Scratch, arguments: &[String]) -> Vec<String> {
    let mut all: Vec<&str> = vec!["--format", "json"];
    all.extend(arguments.iter().map(String::as_str));
    all.push("a.visaasm");
    let (status, out, err) = run(&scratch.0, &all);
    assert!(status < 2, "{err}");
    let rule = |line: &str| -> String {
        let finding: Value = serde_json::from_str(line).expect("JSON");
        finding["rule"].as_str().expect("a rule").to_owned()
    };
    out.lines().map(rule).collect()
}

/// Verdict and reason of the only message.
fn verdict(scratch: &Scratch, arguments: &[String]) -> (String, String) {
    let mut all: Vec<&str> = vec!["--dump-messages"];
    all.extend(arguments.iter().map(String::as_str));
    all.push("a.visaasm");
    let (status, out, err) = run(&scratch.0, &all);
    assert_eq!(status, 0, "{err}");
    let [message, summary] = out.lines().collect::<Vec<_>>()[..] else { panic!("a message and a summary: {out}") };
    assert!(summary.contains("\"summary\":"), "{summary}");
    let row: Value = serde_json::from_str(message).expect("JSON");
    let word = |key: &str| row[key].as_str().expect("a word").to_owned();
    (word("verdict"), word("reason"))
}

#[test]
fn the_size_of_a_group_says_which_lanes_meet() {
    let scratch = Scratch::new("local-size");
    scratch.file("a.visaasm", by_local_id(32, 32));
    let unknown = ["--platform".to_owned(), "SKL".to_owned()];
    assert_eq!(rules(&scratch, &unknown), [""; 0]);
    assert_eq!(verdict(&scratch, &unknown), ("unknown".into(), "addresses not known".into()));
    // Each lane has its own x.
    for size in ["16", "64", "256,4", "32,2,2"] {
        assert_eq!(rules(&scratch, &with_size(size)), [""; 0], "{size}");
        assert_eq!(verdict(&scratch, &with_size(size)), ("never".into(), "lanes apart".into()), "{size}");
    }
    // Lanes 0 and 8 have the same one.
    for size in ["8,2", "8,8,8", "1,16", "10,3"] {
        assert_eq!(rules(&scratch, &with_size(size)), ["overlapping-lane-writes"], "{size}");
        assert_eq!(verdict(&scratch, &with_size(size)), ("must".into(), "active lanes meet".into()), "{size}");
    }
    // A group that fills less than one thread: the other lanes are not there.
    assert_eq!(rules(&scratch, &with_size("7")), [""; 0]);
}

#[test]
fn the_witness_names_lanes_that_meet_for_this_size() {
    let scratch = Scratch::new("witness");
    scratch.file("a.visaasm", by_local_id(32, 32));
    let (_, out, _) = run(&scratch.0, &["--platform", "SKL", "--local-size", "8,2", "--format", "short", "a.visaasm"]);
    assert!(out.contains("lanes 0 and 8 write the same bytes"), "{out}");
}

#[test]
fn the_compiler_says_where_local_ids_are_and_how_large_groups_are() {
    let scratch = Scratch::new("ze-info");
    // Not where they usually are.
    scratch.file("a.visaasm", by_local_id(96, 32));
    assert_eq!(verdict(&scratch, &with_size("8,2")), ("unknown".into(), "addresses not known".into()));
    let info = |size: &str| {
        format!(
            "version: '1.32'\nkernels:\n  - name: by_local_id\n    execution_env:\n      simd_size: 16\n\
             \x20     required_work_group_size: [{size}]\n    per_thread_payload_arguments:\n\
             \x20     - arg_type: local_id\n        offset: 64\n        size: 96\n"
        )
    };
    for (size, expected) in [("8, 2, 1", "must"), ("16, 1, 1", "never")] {
        scratch.file("ze_info.yaml", info(size));
        let arguments: Vec<String> = ["--platform", "SKL", "--ze-info", "ze_info.yaml"].map(str::to_owned).into();
        assert_eq!(verdict(&scratch, &arguments).0, expected, "{size}");
    }
    // What the command line says wins over the file.
    let mut arguments = with_size("8,2");
    arguments.extend(["--ze-info".to_owned(), "ze_info.yaml".to_owned()]);
    assert_eq!(verdict(&scratch, &arguments).0, "must");
}

#[test]
fn settings_say_how_large_groups_are() {
    let scratch = Scratch::new("launch-settings");
    scratch.file("a.visaasm", by_local_id(32, 32));
    scratch.file("inner/a.visaasm", by_local_id(32, 32));
    let settings = "platforms = [\"SKL\"]\n[launch]\nlocal-size = [8, 2]\n\
                    [[overrides]]\npaths = [\"inner/\"]\nlaunch.local-size = [16]\n";
    scratch.file("visa-lint.toml", settings);
    let (status, out, err) = run(&scratch.0, &["--format", "short"]);
    assert_eq!(status, 1, "{err}");
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(out.starts_with("a.visaasm:"), "{out}");
    let (status, out, _) = run(&scratch.0, &["--local-size", "16", "--format", "short"]);
    assert_eq!((status, out.as_str()), (0, ""), "the command line wins");
}

#[test]
fn the_size_of_shared_local_memory_bounds_accesses() {
    let scratch = Scratch::new("slm-size");
    let text = ".version 4.1\n.kernel \"k\"\n.decl place v_type=G type=ud num_elts=8 align=GRF\n\
                .decl what v_type=G type=ud num_elts=8 align=GRF\n.input what offset=64 size=32\n\
                .kernel_attr Target=\"cm\"\n    mov (M1, 8) place(0,0)<1> 0x76543210:uv\n    \
                mul (M1, 8) place(0,0)<1> place(0,0)<1;1,0> 0x100:ud\n    \
                scatter4_scaled.R (M1, 8) %slm 0x0:ud place.0 what.0\n    ret (M1, 1)\n";
    scratch.file("a.visaasm", text);
    let with = |bytes: &str| -> Vec<String> { ["--platform", "SKL", "--slm-size", bytes].map(str::to_owned).into() };
    assert_eq!(rules(&scratch, &[]), [""; 0]);
    // Lane 7 stores bytes 1792 to 1795.
    assert_eq!(rules(&scratch, &with("1795")), ["slm-out-of-bounds"]);
    assert_eq!(rules(&scratch, &with("1796")), [""; 0]);
}

#[test]
fn lanes_that_are_not_dispatched_are_not_missed_at_a_barrier() {
    let text = by_local_id(32, 32).replace("    shl", "    barrier\n    shl");
    for size in [[10, 7, 1], [100, 1, 1], [16, 1, 1]] {
        let launch = LaunchFacts { local_size: Some(size), ..LaunchFacts::default() };
        let options = Options { launch, ..on(Platform::from_name("SKL").expect("a platform")) };
        let found = checks::check(&text, &options);
        assert!(found.iter().all(|d| d.rule.name != "divergent-barrier"), "{size:?}");
    }
}

#[test]
fn sizes_that_no_group_has_are_refused() {
    let scratch = Scratch::new("bad-launch");
    scratch.file("a.visaasm", by_local_id(32, 32));
    for (option, value) in [
        ("--local-size", "0"),
        ("--local-size", "1,2,3,4"),
        ("--local-size", "16,"),
        ("--local-size", "x"),
        ("--slm-size", "-1"),
        ("--ze-info", "gone.yaml"),
        ("--ze-info", "a.visaasm"),
    ] {
        let (status, out, err) = run(&scratch.0, &[option, value, "a.visaasm"]);
        assert_eq!((status, out.as_str()), (2, ""), "{option} {value}");
        let named = if option == "--ze-info" { value } else { option };
        assert!(err.contains(named), "{option} {value}: {err}");
    }
    scratch.file("visa-lint.toml", "[launch]\nlocal-size = [0]\n");
    let (status, _, err) = run(&scratch.0, &["a.visaasm"]);
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("local-size"), "{err}");
}

#[test]
fn messages_are_listed_with_what_was_decided() {
    let scratch = Scratch::new("dump");
    let text = by_local_id(32, 32).replace(
        "    ret",
        "    gather4_scaled.R (M1, 16) T6 0x0:ud place.0 what.0\n    \
         scatter4_scaled.R (M1, 16) T6 0x0:ud what.0 place.0\n    \
         dword_atomic.add (M1, 16) T6 what.0 place.0 %null.0 %null.0\n    \
         scatter4_scaled.R (M1_NM, 16) T6 0x0:ud what.0 place.0\n    ret",
    );
    scratch.file("a.visaasm", text);
    let (status, out, err) =
        run(&scratch.0, &["--dump-messages", "--platform", "SKL", "--local-size", "64", "a.visaasm"]);
    assert_eq!((status, err.as_str()), (0, ""));
    let rows: Vec<Value> = out.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    let (summary, rows) = rows.split_last().expect("messages and a summary");
    let short: Vec<String> = rows
        .iter()
        .map(|r| {
            let word = |key: &str| r[key].as_str().expect("a word").to_owned();
            format!("{} {}: {}, {}", r["line"], word("mnemonic"), word("verdict"), word("reason"))
        })
        .collect();
    assert_eq!(
        short,
        [
            "18 scatter4_scaled: never, lanes apart",
            "19 gather4_scaled: never, reads",
            "20 scatter4_scaled: unknown, addresses not known",
            "21 dword_atomic: never, atomic",
            "22 scatter4_scaled: unknown, addresses not known",
        ]
    );
    let keys: Vec<&String> = rows[0].as_object().expect("an object").keys().collect();
    assert_eq!(keys.len(), 8, "{keys:?}");
    assert!(rows.iter().all(|r| r["path"] == "a.visaasm" && r["kernel"] == "by_local_id" && r["grf_bytes"] == 32));
    assert_eq!(summary["summary"], "1 of 3 stores: lanes disjoint, 2 of 3 stores: addresses not known");
    assert_eq!(summary["stores"]["lanes_unknown"]["addresses not known"], 2);
    assert_eq!((&summary["loads"]["n"], &summary["atomics"]["n"]), (&1.into(), &1.into()));
    assert_eq!((&summary["given_up"], &summary["races"]), (&Value::Null, &Value::Null));
    let again = run(&scratch.0, &["--dump-messages", "--platform", "SKL", "--local-size", "64", "a.visaasm"]);
    assert_eq!(again.1, out);
}

/// The summary of the only kernel.
fn summary(scratch: &Scratch, arguments: &[&str]) -> Value {
    let (status, out, err) = run(&scratch.0, &[&["--dump-messages"], arguments, &["a.visaasm"]].concat());
    assert_eq!(status, 0, "{err}");
    serde_json::from_str(out.lines().last().expect("a summary")).expect("JSON")
}

/// A SIMD16 kernel with local ids that stores to `4 * local_id.x` of shared local memory, and what follows.
fn in_slm(rest: &str) -> String {
    by_local_id(32, 32).replace(" T6 0x0", " %slm 0x0").replace("    ret", &format!("{rest}    ret"))
}

#[test]
fn a_kernel_is_summarised_after_its_messages() {
    let scratch = Scratch::new("summary");
    let load = "    gather4_scaled.R (M1, 16) %slm 0x0:ud place.0 what.0\n";
    scratch.file("a.visaasm", in_slm(load));
    let with = |more: &[&str]| summary(&scratch, &[&["--platform", "SKL", "--races"], more].concat());
    let row = with(&["--local-size", "64", "--slm-size", "256"]);
    assert_eq!(
        row["summary"],
        "the store: lanes disjoint; 1 of 1 store in bounds; 1 of 1 load in bounds; no race in groups of 64"
    );
    assert_eq!(row["races"]["proven_free"], "any group");
    // One byte less.
    let row = with(&["--local-size", "64", "--slm-size", "255"]);
    assert_eq!((&row["stores"]["in_bounds"], &row["loads"]["in_bounds"]), (&0.into(), &0.into()));
    // Work-items with the same x store and load the same bytes.
    let row = with(&["--local-size", "16,4"]);
    assert_eq!(row["summary"], "the store: lanes disjoint; 1 race in groups of 16,4");
    assert_eq!(row["races"]["found"], 1);
    let row = with(&["--local-size", "16,2,2"]);
    assert_eq!(row["summary"], "the store: lanes disjoint; 1 race in groups of 16,2,2");
    // What an argument decides.
    scratch.file("a.visaasm", in_slm("    gather4_scaled.R (M1, 16) %slm 0x0:ud what.0 place.0\n"));
    let row = with(&["--local-size", "64"]);
    assert_eq!(row["summary"], "the store: lanes disjoint; no race found in groups of 64: 2 messages undecided");
    assert_eq!(row["races"]["undecided"], serde_json::json!([18, 19]));
    // Too many threads to compare them.
    let row = with(&["--local-size", "8192"]);
    assert_eq!(row["races"]["why"], "the group has more than 128 threads");
    // A loop that is looked at once for all of its passes leaves open what its passes do to each other.
    let pass = "    barrier\n    gather4_scaled.R (M1, 16) %slm 0x0:ud place.0 what.0\n    \
                add (M1, 16) place(0,0)<1> place(0,0)<1;1,0> 0x4:ud\n    \
                cmp.lt (M1, 16) P9 place(0,0)<1;1,0> what(0,0)<0;1,0>\n    (P9) goto (M1, 16) pass\n";
    let text = in_slm(pass)
        .replace("    shl", "pass:\n    shl")
        .replace(".decl T6", ".decl P9 v_type=P num_elts=16\n.decl T6");
    scratch.file("a.visaasm", text);
    let row = with(&["--local-size", "64"]);
    assert_eq!(row["races"]["proven_free"], Value::Null, "{row}");
}

#[test]
fn what_samplers_read_is_left_open_where_texels_are_stored() {
    let scratch = Scratch::new("sampled");
    let declarations = ".decl texel v_type=G type=f num_elts=64 align=GRF\n.decl T6";
    let sampled = "    load_lz.RGBA (M1, 16) 0x0:uw T6 texel.0 place.0 place.0\n";
    let of = |rest: &str| {
        scratch.file("a.visaasm", in_slm(rest).replace(".decl T6", declarations));
        let row = summary(&scratch, &["--platform", "SKL", "--races", "--local-size", "64"]);
        row["races"]["undecided"].clone()
    };
    assert_eq!(of(sampled), serde_json::json!([]));
    let store = "    scatter4_typed.R (M1, 8) T6 place.0 place.0 %null.0 %null.0 what.0\n";
    assert_eq!(of(&format!("{sampled}{store}")), serde_json::json!([20]));
    let block = "    media_st (4, 4) T6 x(0,0)<0;1,0> x(0,1)<0;1,0> what.0\n";
    assert_eq!(of(block), serde_json::json!([20]));
}

#[test]
fn a_kernel_that_is_not_executed_to_its_end_says_why() {
    let scratch = Scratch::new("given-up");
    let open: String = (0..45)
        .map(|i| format!("l{i}:\n    add (M1, 16) what(0,0)<1> what(0,0)<1;1,0> 0x1:ud\n"))
        .collect::<Vec<_>>()
        .concat();
    let close: String = (0..45)
        .rev()
        .map(|i| format!("    cmp.lt (M1, 16) P9 what(0,0)<1;1,0> 0x{i:x}:ud\n    (P9) goto (M1, 16) l{i}\n"))
        .collect::<Vec<_>>()
        .concat();
    let text = in_slm(&close)
        .replace("    shl", &format!("{open}    shl"))
        .replace(".decl T6", ".decl P9 v_type=P num_elts=16\n.decl T6");
    scratch.file("a.visaasm", text);
    let row = summary(&scratch, &["--platform", "SKL"]);
    let why = "loops or calls nested too deep";
    assert_eq!(row["given_up"], why, "{row}");
    assert!(row["summary"].as_str().expect("words").ends_with(&format!("not executed to the end: {why}")));
    // The ordinary report says it, too.
    let (_, out, _) = run(&scratch.0, &["--platform", "SKL", "--format", "json", "--pedantic", "a.visaasm"]);
    let rows: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let (said, others): (Vec<&Value>, Vec<&Value>) = rows.iter().partition(|r| r["rule"] == "unfinished-execution");
    assert_eq!(said.iter().map(|row| &row["given_up"]).collect::<Vec<_>>(), [why]);
    assert!(!others.is_empty() && others.iter().all(|row| row["given_up"].is_null()), "{others:?}");
}

#[test]
fn races_that_only_some_launches_have_are_counted() {
    let scratch = Scratch::new("further-races");
    // What an argument decides, and one place for all groups.
    let loads = "    cmp.gt (M1_NM, 16) P9 n(0,0)<0;1,0> 0x3:d\n    (!P9) goto (M1, 16) end\n    \
                 and (M1, 16) place(0,0)<1> place(0,0)<1;1,0> 0x1c:ud\n    \
                 gather4_scaled.R (M1, 16) %slm 0x0:ud place.0 what.0\nend:\n    \
                 mov (M1_NM, 1) one(0,0)<1> 0x0:ud\n    mov (M1_NM, 1) two(0,0)<1> r(0,1)<0;1,0>\n    \
                 scatter4_scaled.R (M1_NM, 1) T6 0x0:ud one.0 two.0\n";
    let text = in_slm(loads)
        .replace(".decl T6", ".decl P9 v_type=P num_elts=16\n.decl n v_type=G type=d num_elts=1 align=dword\n\
                  .decl r v_type=G type=ud num_elts=8 align=GRF alias=<%r0, 0>\n\
                  .decl one v_type=G type=ud num_elts=8 align=GRF\n.decl two v_type=G type=ud num_elts=8 align=GRF\n.decl T6")
        .replace(".input T6", ".input n offset=324 size=4\n.input T6");
    scratch.file("a.visaasm", text);
    let row = summary(&scratch, &["--platform", "SKL", "--races", "--local-size", "64"]);
    assert_eq!(row["races"]["by_arguments"], 1, "{row}");
    assert_eq!(row["races"]["between_groups"], 1, "{row}");
    let words = row["summary"].as_str().expect("words");
    assert!(
        words.ends_with("1 race in groups of 64 that depends on arguments; 1 race between groups of 64"),
        "{words}"
    );
}

#[test]
fn what_is_dumped_follows_its_schema() {
    let schema = include_str!("../docs/messages.schema.json");
    let validator = jsonschema::validator_for(&serde_json::from_str(schema).expect("JSON")).expect("a schema");
    let scratch = Scratch::new("dump-schema");
    scratch.file("a.visaasm", in_slm("    gather4_scaled.R (M1, 16) %slm 0x0:ud what.0 place.0\n"));
    for arguments in [&[][..], &["--races", "--local-size", "64"], &["--races", "--local-size", "8192"]] {
        let all = [&["--dump-messages", "--platform", "SKL", "--slm-size", "64"], arguments, &["a.visaasm"]].concat();
        let (_, out, _) = run(&scratch.0, &all);
        for line in out.lines() {
            let row: Value = serde_json::from_str(line).expect("JSON");
            let faults: Vec<String> = validator.iter_errors(&row).map(|e| e.to_string()).collect();
            assert!(faults.is_empty(), "{line}: {faults:?}");
            let wrong = serde_json::from_str(&line.replacen("\"grf_bytes\"", "\"bytes\"", 1)).expect("JSON");
            assert!(!validator.is_valid(&wrong), "{wrong}");
        }
    }
}

#[test]
fn buffers_have_the_sizes_that_the_user_says() {
    let scratch = Scratch::new("buffers");
    let text = by_local_id(32, 32).replace(
        "    ret",
        "    movs (M1_NM, 1) T6(0) 0x1:ud\n    scatter4_scaled.R (M1, 16) T6 0x0:ud place.0 what.0\n    ret",
    );
    let text = text.replace("mov (M1, 16) place", "movs (M1_NM, 1) T6(0) 0x0:ud\n    mov (M1, 16) place");
    scratch.file("a.visaasm", text);
    let lines = |arguments: &[&str]| -> Vec<String> {
        let all = [&["--platform", "SKL", "--format", "short"], arguments, &["a.visaasm"]].concat();
        let (status, out, err) = run(&scratch.0, &all);
        assert_eq!(status, 0, "{err}");
        out.lines().map(str::to_owned).collect()
    };
    assert_eq!(lines(&["--local-size", "64", "--buffer", "bti1=256"]), [""; 0]);
    let found = lines(&["--local-size", "64", "--buffer", "bti1=0xfc", "--buffer", "bti0=128"]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("work-item (32, 0, 0) writes outside of `bti0`"), "{found:?}");
    assert!(found[1].contains("work-item (63, 0, 0) writes outside of `bti1`"), "{found:?}");
    let info = "kernels:\n  - name: by_local_id\n    execution_env:\n      simd_size: 16\n    payload_arguments:\n\
                \x20     - arg_type: arg_bypointer\n        offset: 0\n        size: 0\n        arg_index: 2\n\
                \x20       addrmode: stateful\n        addrspace: global\n    per_thread_payload_arguments:\n\
                \x20     - arg_type: local_id\n        offset: 0\n        size: 96\n    binding_table_indices:\n\
                \x20     - bti_value: 1\n        arg_index: 2\nkernels_misc_info:\n  - name: by_local_id\n    args_info:\n\
                \x20     - index: 2\n        name: result\n";
    scratch.file("info.yaml", info);
    for name in ["result", "arg2"] {
        let size = format!("{name}=100");
        let found = lines(&["--local-size", "64", "--ze-info", "info.yaml", "--buffer", &size]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(&format!("work-item (25, 0, 0) writes outside of `{name}`")), "{found:?}");
    }
    let found = lines(&["--buffer", "other=100"]);
    assert!(found.len() == 1 && found[0].contains("no kernel has a buffer `other`"), "{found:?}");
    // A table for several files: each has some of the buffers.
    scratch.file("visa-lint.toml", "[launch]\nlocal-size = [64]\nbuffers = { bti1 = 60, other = 100 }\n");
    assert_eq!(lines(&[]).len(), 1);
    let many = ["--platform", "SKL", "--format", "short", "--no-config", "--buffer", "other=100", "."];
    let (status, out, err) = run(&scratch.0, &many);
    assert_eq!((status, &*out), (0, ""), "{err}");
    for wrong in ["out", "=4", "out=x", "out=-1"] {
        let (status, _, err) = run(&scratch.0, &["--buffer", wrong, "a.visaasm"]);
        assert_eq!(status, 2, "{err}");
        assert!(err.contains("out=4096"), "{err}");
    }
}

#[test]
fn races_are_looked_for_where_the_size_of_a_group_is_known() {
    let scratch = Scratch::new("races");
    // Work-items with the same x are in different threads.
    scratch.file("a.visaasm", by_local_id(32, 32));
    let (status, _, err) = run(&scratch.0, &["--races", "a.visaasm"]);
    assert_eq!(status, 2);
    assert!(err.contains("--local-size"), "{err}");
    let of = |size: &str| {
        let mut arguments = with_size(size);
        arguments.push("--races".to_owned());
        rules(&scratch, &arguments)
    };
    // What is stored is an input of which nothing is known.
    assert_eq!(of("16,4"), [""; 0]);
    scratch.file(
        "a.visaasm",
        by_local_id(32, 32).replace("    shl", "    mov (M1, 16) what(0,0)<1> y(0,0)<1;1,0>\n    shl"),
    );
    assert_eq!(of("16,4"), ["work-item-race"]);
    assert_eq!(of("64"), [""; 0]);
    // Without the setting the check does not run; a level of the rule itself wins.
    assert_eq!(rules(&scratch, &with_size("16,4")), [""; 0]);
    let mut arguments = with_size("16,4");
    arguments.extend(["--races", "-A", "work-item-race"].map(str::to_owned));
    assert_eq!(rules(&scratch, &arguments), [""; 0]);
}

#[test]
fn nothing_is_executed_for_lanes_that_have_ended() {
    let launch = LaunchFacts { local_size: Some([8, 2, 1]), ..LaunchFacts::default() };
    let options = Options { launch, ..on(Platform::from_name("SKL").expect("a platform")) };
    let text = by_local_id(32, 32);
    assert_eq!(checks::check(&text, &options).len(), 1);
    let options = Options { cancelled: Some(Arc::new(AtomicBool::new(true))), ..options };
    assert!(checks::check(&text, &options).is_empty());
}

#[test]
fn a_message_that_is_not_understood_says_what_kind_it_is() {
    let scratch = Scratch::new("opaque");
    let message = |line: &str| {
        let text = crate::support::kernel("", &format!("    {line}\n"));
        scratch.file("a.visaasm", text);
        verdict(&scratch, &["--platform".to_owned(), "PVC".to_owned()])
    };
    let block = "flat[VUQ,0x7f,0x3f,0x7f,VD,VD2]";
    let load = message(&format!("lsc_load_block2d.ugm (M1, 1) VF:d32.8x8nn {block}"));
    assert_eq!(load, ("never".into(), "reads".into()));
    let store = message(&format!("lsc_store_block2d.ugm (M1, 1) {block} VF:d32.8x8nn"));
    assert_eq!(store, ("never".into(), "one access for all lanes".into()));
}

#[test]
fn a_race_is_explained_step_by_step_in_reports() {
    let scratch = Scratch::new("race-steps");
    // Each work-item reads what the next one stores, behind a barrier that comes too early.
    let load = "    add (M1, 16) place(0,0)<1> place(0,0)<1;1,0> 0x4:ud\n    \
                gather4_scaled.R (M1, 16) %slm 0x0:ud place.0 what.0\n";
    scratch.file("a.visaasm", in_slm(load).replace("    shl", "    barrier\n    shl"));
    let of = |format: &str| {
        let all = ["--platform", "SKL", "--races", "--local-size", "64", "--format", format, "a.visaasm"];
        let (status, out, err) = run(&scratch.0, &all);
        assert_eq!(status, 0, "{err}");
        serde_json::from_str::<Value>(&out).expect("JSON")
    };
    let finding = of("json");
    assert_eq!(
        finding["message"],
        "work-item (15, 0, 0) reads what work-item (16, 0, 0) writes, with no barrier in between"
    );
    let labels = finding["labels"].as_array().expect("labels");
    let labels: Vec<String> = labels.iter().map(|l| format!("{} {}", l["line"], l["text"].as_str().unwrap())).collect();
    assert_eq!(
        labels,
        [
            "16 work-item (15, 0, 0) computes 0xf, work-item (16, 0, 0) 0x10",
            "17 this barrier comes before both",
            "18 work-item (15, 0, 0) computes 0x3c, work-item (16, 0, 0) 0x40",
            "19 work-item (16, 0, 0) writes here",
            "20 work-item (15, 0, 0) computes 0x40",
        ]
    );
    let result = &of("sarif")["runs"][0]["results"][0];
    let text = |location: &Value| location["message"]["text"].as_str().unwrap_or_default().to_owned();
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("steps");
    let steps: Vec<String> = steps.iter().map(|step| text(&step["location"])).collect();
    let expected: Vec<&str> = labels.iter().map(|l| &l[3..]).chain(["both at 0x40"]).collect();
    assert_eq!(steps, expected);
    assert_eq!(result["relatedLocations"].as_array().map(Vec::len), Some(5));
}
