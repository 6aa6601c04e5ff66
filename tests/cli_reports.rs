//! Reports as the command line writes them: where they go, and how several files and formats come together.

use crate::cli::{BAD, GOOD};
use crate::support::process::{Scratch, command, finish, run, run_with_input};
use serde_json::Value;
use std::fs::read_to_string;
use std::path::Path;

fn scratch(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.file("a/bad.visaasm", BAD);
    scratch.file("b/bad.visaasm", BAD);
    scratch.file("good.visaasm", GOOD);
    scratch
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}:\n{text}"))
}

#[test]
fn several_files_make_one_document() {
    let scratch = scratch("documents");
    let (status, out, err) = run(&scratch.0, &["--format", "sarif"]);
    assert_eq!((status, err.as_str()), (1, ""));
    let run_row = &json(&out)["runs"][0];
    let uris: Vec<&str> = run_row["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|r| r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().expect("a path"))
        .collect();
    assert_eq!(uris, ["a/bad.visaasm", "b/bad.visaasm"]);
    assert_eq!(run_row["invocations"][0]["executionSuccessful"], true);
    assert!(run_row["tool"]["driver"]["rules"].as_array().expect("rules").len() > 40);

    let (_, out, err) = run(&scratch.0, &["--format", "gitlab"]);
    assert_eq!(err, "");
    let rows = json(&out);
    assert_eq!(rows.as_array().map(Vec::len), Some(2));
    assert_ne!(rows[0]["fingerprint"], rows[1]["fingerprint"], "the same fault in two files is two findings");

    let (_, out, err) = run(&scratch.0, &["--format", "junit"]);
    assert_eq!(err, "");
    assert_eq!((out.matches("<testsuite ").count(), out.matches("<failure ").count()), (3, 2), "{out}");
    assert!(out.starts_with("<?xml") && out.ends_with("</testsuites>\n"), "{out}");

    let (_, out, err) = run(&scratch.0, &["--format", "github"]);
    assert_eq!(out.lines().count(), 2, "{out}");
    assert!(
        out.starts_with(
            "::error file=a/bad.visaasm,line=6,endLine=6,col=5,endColumn=9,title=unknown-instruction::unknown"
        ),
        "{out}"
    );
    assert!(err.contains("2 errors"), "the summary stands beside annotations: {err}");
}

#[test]
fn documents_without_findings_are_documents() {
    let scratch = scratch("empty-documents");
    let (status, out, _) = run(&scratch.0, &["--format", "sarif", "good.visaasm"]);
    assert_eq!(status, 0);
    assert_eq!(json(&out)["runs"][0]["results"], Value::Array(vec![]));
    assert_eq!(json(&run(&scratch.0, &["--format", "gitlab", "good.visaasm"]).1), Value::Array(vec![]));
    assert!(run(&scratch.0, &["--format", "junit", "good.visaasm"]).1.contains("name=\"no findings\""));
    assert_eq!(run(&scratch.0, &["--format", "github", "good.visaasm"]).1, "");
}

#[test]
fn several_formats_go_to_their_files() {
    let scratch = scratch("outputs");
    let arguments =
        ["--format", "sarif", "--output", "r.sarif", "--format", "short", "--format", "junit", "-o", "r.xml", "a"];
    let (status, out, err) = run(&scratch.0, &arguments);
    assert_eq!(status, 1);
    assert_eq!(
        out,
        "a/bad.visaasm:6:5: error[unknown-instruction]: unknown instruction `rett`; help: did you mean `ret`?\n"
    );
    assert!(err.contains("1 error"), "{err}");
    assert_eq!(json(&read_to_string(scratch.0.join("r.sarif")).expect("a report"))["version"], "2.1.0");
    assert!(read_to_string(scratch.0.join("r.xml")).expect("a report").contains("<failure "));
    // Text is what a lone `--output` gets, and nothing is left for standard output.
    let (_, out, err) = run(&scratch.0, &["--output", "r.txt", "a"]);
    assert_eq!(out, "");
    assert!(err.contains("1 error"), "{err}");
    assert!(read_to_string(scratch.0.join("r.txt")).expect("a report").starts_with("error[unknown-instruction]"));
}

#[test]
fn outputs_that_do_not_fit_are_refused() {
    let scratch = scratch("wrong-outputs");
    for (arguments, words) in [
        (&["--format", "sarif", "--format", "junit"][..], "mixed on standard output"),
        (&["--format", "sarif", "-o", "a", "-o", "b"], "`--output b` follows no `--format` of its own"),
        (&["--format", "sarif", "-o", "r", "--format", "junit", "-o", "r"], "two reports would go to `r`"),
        (&["--format", "sarrif"], "a similar value exists: 'sarif'"),
        (&["--diff", "--format", "sarif"], "cannot be used with"),
    ] {
        let (status, out, err) = run(&scratch.0, arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert!(err.contains(words), "{err}");
    }
    let (status, _, err) = run(&scratch.0, &["--format", "sarif", "-o", "gone/r.sarif", "good.visaasm"]);
    assert_eq!(status, 2);
    assert!(err.contains("cannot write `gone/r.sarif`: there is no such file or folder"), "{err}");
}

#[test]
fn documents_name_what_cannot_be_checked() {
    let scratch = scratch("failures");
    let (status, out, err) = run(&scratch.0, &["--format", "sarif", "gone.visaasm", "a"]);
    assert_eq!(status, 2);
    assert!(err.contains("gone.visaasm"), "{err}");
    let invocation = &json(&out)["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notification = &invocation["toolExecutionNotifications"][0];
    assert_eq!(notification["message"]["text"], "cannot check `gone.visaasm`: there is no such file or folder");
    let (_, out, _) = run(&scratch.0, &["--format", "junit", "gone.visaasm"]);
    assert!(out.contains("<error message=\"there is no such file or folder\""), "{out}");
    let (_, out, _) = run(&scratch.0, &["--format", "github", "gone.visaasm"]);
    assert_eq!(out, "::error file=gone.visaasm::there is no such file or folder\n");
}

#[test]
fn rule_names_are_links_where_the_terminal_can() {
    let scratch = scratch("links");
    let link = "\u{1b}]8;;https://";
    assert!(!run(&scratch.0, &["a"]).1.contains(link));
    let linked = |arguments: &[&str]| {
        finish(command(&scratch.0, arguments).env("FORCE_HYPERLINK", "1").output().expect("the program starts"))
            .1
            .contains(link)
    };
    assert!(linked(&["a"]));
    assert!(!linked(&["--color", "never", "a"]));
    assert!(!linked(&["--format", "short", "a"]), "lines for programs hold no links");
}

#[test]
fn what_is_fixed_goes_to_standard_output_and_reports_to_files() {
    let scratch = scratch("fix-output");
    let (status, out, _) =
        run_with_input(&scratch.0, &["--fix", "-q", "--format", "json", "-o", "r.jsonl", "-"], BAD.as_bytes());
    assert_eq!(status, 1);
    assert_eq!(out, BAD, "nothing is certain here");
    assert!(read_to_string(scratch.0.join("r.jsonl")).expect("a report").contains("unknown-instruction"));
}

#[test]
fn pages_draw_the_operand_in_question() {
    let example = "examples/faulty/scatter.visaasm";
    let page = |platform: &str| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        run(root, &["--format", "html", "--platform", platform, example]).1
    };
    let drawing = |page: &str| {
        let rows = page.split_once("id=\"findings\">").expect("findings").1.split_once("</script>").expect("an end").0;
        let rows: Vec<serde_json::Value> = serde_json::from_str(rows).expect("JSON");
        let row = rows.into_iter().find(|row| row["rule"] == "operand-out-of-bounds").expect("the finding");
        row["drawing"].as_str().expect("a drawing").to_owned()
    };
    let small = drawing(&page("dg2"));
    assert!(small.starts_with("bytes 0 to 191 of 128: registers 0 to 5 of 32 bytes\n"), "{small}");
    assert!(small.contains("!: outside of the variable"), "{small}");
    assert!(drawing(&page("pvc")).contains("registers 0 to 2 of 64 bytes"));
}
