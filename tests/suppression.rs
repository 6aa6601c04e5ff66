//! Comments that suppress findings: how far they reach, what depends on platforms and levels, and what is mended.

use crate::cli::BAD;
use crate::support::process::{Scratch, run};
use crate::support::{asked, listing};
use visa_lint::base::fix;
use visa_lint::checks::{self, Options, Outcome};
use visa_lint::lower;
use visa_lint::spec::{Platform, PlatformSet};

const WRONG: &str = "    mov (M1, 8) a(0,0)<1> b(0,0)<8;8,1>\n";

fn kernel(name: &str, lines: &str) -> String {
    format!(
        ".kernel \"{name}\"\n.decl a v_type=G type=d num_elts=16 align=GRF\n.kernel_attr Target=\"cm\"\n.kernel_attr SimdSize=8\n\
         .function \"{name}_main\"\n{name}_main:\n{lines}    ret (M1, 1)\n"
    )
}

fn file(lines: &str) -> String {
    format!(".version 4.1\n{}", kernel("k", lines))
}

fn check(text: &str, options: &Options) -> Outcome {
    checks::check_in_full(text, &lower::lower(text), options, None)
}

/// What is left, and the reasons of what is suppressed.
fn sorted(text: &str) -> (String, Vec<String>) {
    let outcome = check(text, &asked(text));
    (listing(text, &outcome.diagnostics), outcome.suppressed.into_iter().map(|s| s.reason).collect())
}

/// The text after all certain fixes.
fn fixed(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some(new) = fix::apply(&text, &checks::check(&text, &Options::default())) {
        text = new.text;
    }
    text
}

#[test]
fn reasons_are_kept_without_what_stands_before_them() {
    for (written, kept) in [
        (" because `b` is built in", "because `b` is built in"),
        (": so", "so"),
        (" -- (so)", "(so)"),
        ("\tso.  ", "so."),
    ] {
        let text = file(&format!("    // visa-lint: allow(undeclared-variable){written}\n{WRONG}"));
        assert_eq!(sorted(&text), (String::new(), vec![kept.to_owned()]));
    }
}

#[test]
fn block_comments_suppress() {
    let comment = "/* visa-lint: allow(undeclared-variable) so */";
    for lines in [
        format!("    {comment}\n{WRONG}"),
        format!("    /*\n     * visa-lint: allow(undeclared-variable) so\n     * and more\n     */\n{WRONG}"),
        WRONG.replace('\n', &format!(" {comment}\n")),
        WRONG.replace("    mov", &format!("    {comment} mov")),
    ] {
        let text = file(&lines);
        assert_eq!(sorted(&text), (String::new(), vec!["so".to_owned()]), "{text}");
        let unused = file(&lines.replace("b(0,0)", "a(0,0)"));
        let left = fixed(&unused);
        assert!(!left.contains("visa-lint") && left.contains("mov (M1, 8) a(0,0)<1> a(0,0)<8;8,1>"), "{left}");
    }
}

#[test]
fn allow_kernel_reaches_its_kernel_and_no_other() {
    let allow = "// visa-lint: allow-kernel(undeclared-variable) so\n";
    let with = |before: &str, inside: &str, between: &str| {
        let text = format!(
            "{before}.version 4.1\n{}{between}{}",
            kernel("first", &format!("{inside}{WRONG}{WRONG}")),
            kernel("second", WRONG)
        );
        let (left, reasons) = sorted(&text);
        (left.lines().count(), reasons.len())
    };
    assert_eq!(with("", "", ""), (3, 0));
    assert_eq!(with("", allow, ""), (1, 2), "inside");
    assert_eq!(with("", "", allow), (2, 1), "right before the second");
    assert_eq!(with(allow, "", ""), (1, 2), "before everything");
    assert_eq!(with(allow, "", allow), (0, 3));
}

#[test]
fn allow_file_reaches_everything() {
    let text = format!("{}{}// visa-lint: allow-file(undeclared-variable) so\n", file(WRONG), kernel("second", WRONG));
    assert_eq!(sorted(&text), (String::new(), vec!["so".to_owned(); 2]));
}

#[test]
fn the_narrowest_comment_is_the_one_that_is_used() {
    let text = file(&format!(
        "    // visa-lint: allow-file(undeclared-variable) wide\n    // visa-lint: allow(undeclared-variable) narrow\n{WRONG}"
    ));
    let (left, reasons) = sorted(&text);
    assert_eq!(reasons, ["narrow"]);
    assert!(left.contains("unused-suppression") && left.contains("in this file"), "{left}");
}

#[test]
fn a_comment_about_another_platform_is_used() {
    let text =
        file("    // visa-lint: allow(unsupported-instruction) never built for it\n    lsc_fence.ugm.none.group\n");
    let on = |name: &str| Options {
        platforms: Some(PlatformSet::one(Platform::from_name(name).expect("a platform"))),
        ..Options::default()
    };
    let skl = check(&text, &on("SKL"));
    assert_eq!((skl.diagnostics.len(), skl.suppressed.len()), (0, 1));
    for options in [on("DG2"), Options::default()] {
        let outcome = check(&text, &options);
        assert_eq!((outcome.diagnostics.len(), outcome.suppressed.len()), (0, 0));
    }
    // What is expected is expected now.
    let text = text.replace("allow(", "expect(");
    assert_eq!(check(&text, &on("SKL")).suppressed.len(), 1);
    let dg2 = check(&text, &on("DG2"));
    assert_eq!(dg2.diagnostics.iter().map(|d| d.rule.name).collect::<Vec<_>>(), ["unfulfilled-expectation"]);
}

#[test]
fn levels_are_those_that_are_wanted() {
    let text = file(&format!("    // visa-lint: allow(undeclared-variable) so\n{WRONG}"));
    let mut options = Options::default();
    options.levels.insert("undeclared-variable", visa_lint::base::rule::Level::Off);
    let outcome = check(&text, &options);
    assert_eq!((outcome.diagnostics.len(), outcome.suppressed.len()), (0, 0), "off, so neither reported nor unused");
    // Comments must not change what else is found.
    let plain = file(WRONG);
    let noted = format!("{plain}// visa-lint: allow-file(syntax-error) so\n");
    let names =
        |text: &str| check(text, &Options::default()).diagnostics.iter().map(|d| d.rule.name).collect::<Vec<_>>();
    assert_eq!(names(&noted), [names(&plain), vec!["unused-suppression"]].concat());
}

#[test]
fn what_is_certain_is_mended() {
    for (before, after) in [
        (
            "    // visa-lint: allow(undeclared-variable) gone\n    mov (M1, 8) a(0,0)<1> 0x1:d\n",
            "    mov (M1, 8) a(0,0)<1> 0x1:d\n",
        ),
        (
            "    mov (M1, 8) a(0,0)<1> 0x1:d  // visa-lint: allow(syntax-error) gone\n",
            "    mov (M1, 8) a(0,0)<1> 0x1:d\n",
        ),
        (
            "    // visa-lint: allow(syntax-error, undeclared-variable, missing-operand) half\n    mov (M1, 8) a(0,0)<1> b(0,0)<8;8,1>\n",
            "    // visa-lint: allow(undeclared-variable) half\n    mov (M1, 8) a(0,0)<1> b(0,0)<8;8,1>\n",
        ),
        (
            "    // visa-lint alow(undeclared-varable) so\n    mov (M1, 8) a(0,0)<1> b(0,0)<8;8,1>\n",
            "    // visa-lint alow(undeclared-varable) so\n    mov (M1, 8) a(0,0)<1> b(0,0)<8;8,1>\n",
        ),
        (
            "    // visa-lint: alow(undeclared-varable) so\n    mov (M1, 8) a(0,0)<1> b(0,0)<8;8,1>\n",
            "    // visa-lint: allow(undeclared-variable) so\n    mov (M1, 8) a(0,0)<1> b(0,0)<8;8,1>\n",
        ),
        (
            "    // visa-lint allow(undeclared-variable) so\n    mov (M1, 8) a(0,0)<1> b(0,0)<8;8,1>\n",
            "    // visa-lint: allow(undeclared-variable) so\n    mov (M1, 8) a(0,0)<1> b(0,0)<8;8,1>\n",
        ),
    ] {
        assert_eq!(fixed(&file(before)), file(after));
    }
    // An unknown rule that nothing waits for is not guessed at.
    let text = file("    // visa-lint: allow(undeclared-varable) so\n    mov (M1, 8) a(0,0)<1> 0x1:d\n");
    assert_eq!(fixed(&text), text);
}

#[test]
fn many_comments_cost_little() {
    let lines: String = (0..20_000)
        .map(|i| format!("    // visa-lint: allow(undeclared-variable, syntax-error, nothing-{i}) so\n{WRONG}"))
        .collect::<Vec<_>>()
        .concat();
    let text = file(&lines);
    let start = std::time::Instant::now();
    let outcome = check(&text, &Options::default());
    assert_eq!((outcome.diagnostics.len(), outcome.suppressed.len()), (2_002, 20_000));
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

#[test]
fn every_report_leaves_out_what_is_suppressed_and_the_summary_counts_it() {
    let scratch = Scratch::new("suppressed");
    scratch.file(
        "bad.visaasm",
        BAD.replace("    rett", "    // visa-lint: expect(unknown-instruction) an \"example\" & more\n    rett"),
    );
    for format in ["text", "short", "json", "github", "gitlab", "junit"] {
        let (status, out, err) = run(&scratch.0, &["--format", format, "bad.visaasm"]);
        assert_eq!(status, 0, "{format}: {out}{err}");
        assert!(!out.contains("unknown-instruction"), "{format}: {out}");
    }
    let (_, _, err) = run(&scratch.0, &["bad.visaasm"]);
    assert!(err.contains("0 errors, 0 warnings, 1 suppressed"), "{err}");
    let (status, out, _) = run(&scratch.0, &["--format", "sarif", "bad.visaasm"]);
    assert_eq!(status, 0);
    let document: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let results = document["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 1, "SARIF keeps suppressed findings, marked");
    assert_eq!(results[0]["suppressions"][0]["kind"], "inSource");
    assert_eq!(results[0]["suppressions"][0]["justification"], "an \"example\" & more");
}

#[test]
fn findings_of_one_kind_are_bounded() {
    use visa_lint::base::rule::Level;
    use visa_lint::base::tally::MAX_PER_KIND;
    let n = MAX_PER_KIND + 77;
    let lines = "    rett (M1, 1)\n".repeat(n) + &WRONG.repeat(n);
    let bounded = |text: &str, expected_left_out: &str| {
        let found = checks::check(text, &Options::default());
        for rule in ["unknown-instruction", "undeclared-variable"] {
            let own: Vec<_> = found.iter().filter(|d| d.rule.name == rule).collect();
            assert_eq!(own.len(), MAX_PER_KIND + 1, "{rule}");
            let last = own.last().expect("a finding");
            assert_eq!((last.message.as_str(), last.level), (expected_left_out, Level::Error), "{rule}");
        }
    };
    bounded(&file(&lines), "77 more findings of this kind are left out, from here on");
    // What comments suppress does not count, and what comes after it is not lost.
    let allowed = "    rett (M1, 1) // visa-lint: allow(unknown-instruction) so\n";
    let text = file(&(allowed.repeat(n) + &lines));
    bounded(&text, "77 more findings of this kind are left out, from here on");
    assert_eq!(check(&text, &Options::default()).suppressed.len(), n);
    // All of them are mended.
    let text = file(&"    MOV (M1, 8) a(0,0)<1> 1:d\n".repeat(n));
    let (new, n_fixes) = visa_lint::cli::fix::fix_all(&text, &Options::default()).expect("something to mend");
    assert_eq!((n_fixes, new.contains("MOV")), (n, false));
}
