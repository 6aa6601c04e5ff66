//! Reports in every form: blessed renderings of findings with everything that a finding can hold.

use crate::support::{blessed, tests_folder};
use clap::ValueEnum as _;
use std::sync::LazyLock;
use visa_lint::base::diagnostic::{Diagnostic, Edit, Fix};
use visa_lint::base::rule::{Level, Rule};
use visa_lint::base::source::SourceFile;
use visa_lint::base::span::Span;
use visa_lint::checks::RULES;
use visa_lint::lower::lower;
use visa_lint::matching::{Identity, Shape};
use visa_lint::report::{Failure, FileFindings, Finding, Format, Style, Suppressed, fingerprint};

const TEXT: &str = "\
.version 4.1
.kernel \"k\"
.decl a v_type=G type=d num_elts=8 align=GRF
/* ä€𝄞 */ mov (M1, 8) b(0,0)<1> a(0,0)<8;8,1>
add (M1, 8) a(0,0)<1> a(0,0)<8;8,1> 0x1:d
\tadd (M1, 8) a(0,0)<1> a(0,0)<8;8,1> 0x1:d
mul (M1, 8) a(0,0)<1> a(0,0)<8;8,1> <&\"'>\u{1}
ret (M1, 1)
";

static LOUD: Rule = Rule {
    name: "example-rule",
    level: Level::Error,
    levels: &[Level::Error],
    section: "4_visa_header",
    documentation: " A name that nothing declares. It is\n an example.\n\n More of it.\n\n ```visa bad\n mov (M1, 8) x(0,0)<1> 0x1:d\n ```\n ```visa good\n mov (M1, 8) a(0,0)<1> 0x1:d\n ```\n",
    help: "",
    module: "",
};
static QUIET: Rule = Rule {
    name: "quiet-rule",
    level: Level::Pedantic,
    levels: &[Level::Pedantic],
    section: "3D_SAMPLE",
    documentation: " Something small\n",
    help: "",
    module: "",
};
static SILENT: Rule = Rule {
    name: "silent-rule",
    level: Level::Off,
    levels: &[Level::Off],
    section: "ADD",
    documentation: " Something else.\n",
    help: "",
    module: "",
};

static EXAMPLE_RULES: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| vec![&LOUD, &QUIET, &SILENT]);

/// The place of the n-th occurrence of `words`.
fn at(words: &str, n: usize) -> Span {
    let (start, found) = TEXT.match_indices(words).nth(n).expect("the words occur");
    Span::new(start as u32, (start + found.len()) as u32)
}

fn identity(diagnostic: &Diagnostic, text: &str) -> Identity {
    Shape::of_program(text, &lower(text)).identity(diagnostic.primary.span.start)
}

fn example() -> FileFindings {
    let finding = |diagnostic: Diagnostic| Finding {
        kernel: "k".into(),
        identity: identity(&diagnostic, TEXT),
        diagnostic,
        drawing: None,
    };
    let undeclared = Diagnostic::new(&LOUD, at("b(", 0), "`b` is not declared: 100%, so it is")
        .label("no such variable here")
        .also(at("a ", 0), "this one is")
        .note("the first note\nhas two lines")
        .note("the second note")
        .replace(Span::new(at("b(", 0).start, at("b(", 0).start + 1), "a", true);
    let traced = Diagnostic::new(&LOUD, at("mul", 0), "two steps lead here")
        .also(at("add", 0), "first this")
        .also(at("add", 1), "then this")
        .trace();
    let mut warned = Diagnostic::new(&LOUD, at("add", 0), "this is less bad").level(Level::Warning);
    warned.platforms = vec!["DG2", "PVC"];
    let repeated = Diagnostic::new(&LOUD, at("add", 1), "this is less bad").level(Level::Warning).fix(Fix {
        title: "swap the operands".into(),
        edits: vec![
            Edit { span: at("a(0,0)<1>", 1), text: "c(0,0)<1>".into() },
            Edit { span: Span::at(at("0x1:d", 1).start), text: "a ".into() },
        ],
        certain: false,
    });
    let odd = Diagnostic::new(&QUIET, at("<&\"'>\u{1}", 0), "odd characters <&\"'>\u{1}")
        .help("write 'others', & \"better\" ones");
    let suppressed = Diagnostic::new(&LOUD, at("ret", 0), "this was known");
    FileFindings {
        source: SourceFile::new("folder/a file.visaasm", TEXT),
        findings: [undeclared, warned, repeated, traced, odd].into_iter().map(finding).collect(),
        suppressed: vec![Suppressed { finding: finding(suppressed), reason: "the hardware forgives it".into() }],
        known: None,
    }
}

fn clean() -> FileFindings {
    FileFindings {
        source: SourceFile::new("./clean.visaasm", "ret (M1, 1)\n"),
        findings: Vec::new(),
        suppressed: Vec::new(),
        known: None,
    }
}

fn style() -> Style {
    Style { rules: &EXAMPLE_RULES, ..Style::default() }
}

/// A whole report, put together as the command line does it.
fn report(format: Format, files: &[FileFindings], failures: &[Failure], style: &Style) -> String {
    let mut out = String::new();
    format.head(style, &mut out);
    let mut is_first = true;
    for file in files {
        let mut part = String::new();
        format.file(file, style, &mut part);
        if !part.is_empty() {
            if !is_first {
                out += format.separator();
            }
            out += &part;
            is_first = false;
        }
    }
    format.tail(failures, &mut out);
    out
}

fn failures() -> Vec<Failure> {
    vec![Failure { path: "gone.visaasm".into(), reason: "there is no such file or folder".into() }]
}

/// The file that holds what a format is blessed to be.
fn file_of(format: Format) -> &'static str {
    match format {
        Format::Text => "text.txt",
        Format::Short => "short.txt",
        Format::Json => "json.jsonl",
        Format::Sarif => "sarif.sarif",
        Format::Github => "github.txt",
        Format::Gitlab => "gitlab.json",
        Format::Junit => "junit.xml",
        Format::Html => "page.html",
    }
}

/// What is missing in `value_variants` cannot be asked for.
#[test]
fn every_format_has_a_name() {
    let source = include_str!("../src/report/mod.rs");
    let (_, rest) = source.split_once("pub enum Format {").expect("the formats");
    let (variants, _) = rest.split_once('}').expect("its end");
    let n = variants.lines().filter(|line| line.trim_end().ends_with(',')).count();
    assert_eq!(n, Format::value_variants().len(), "a format is missing in `value_variants`");
}

#[test]
fn every_format_is_as_blessed() {
    let mut other = example();
    other.source.name = "other.visaasm".into();
    let files = [example(), clean(), other];
    for format in Format::value_variants() {
        let format = *format;
        let name = file_of(format);
        let text = report(format, &files, &failures(), &style());
        blessed(&tests_folder().join("snapshots/reports").join(name), &text);
        if matches!(format, Format::Sarif | Format::Gitlab) {
            serde_json::from_str::<serde_json::Value>(&text)
                .unwrap_or_else(|e| panic!("{format:?} is not JSON: {e}\n{text}"));
        }
    }
}

/// What an element of the page with that name holds.
fn held<'t>(page: &'t str, id: &str) -> &'t str {
    let (_, rest) = page.split_once(&format!("id=\"{id}\">")).expect("the element");
    rest.split_once("</script>").expect("its end").0
}

#[test]
fn a_page_holds_every_finding_and_loads_nothing() {
    let mut long = example();
    long.source.name = "</script><script>alert(1)</script>.visaasm".into();
    long.source = SourceFile::new(long.source.name, TEXT.replace("mul", &format!("{}mul", " ".repeat(9000))));
    for finding in &mut long.findings {
        let d = &mut finding.diagnostic;
        for label in d.secondary.iter_mut().chain([&mut d.primary]).filter(|l| l.span.start >= at("mul", 0).start) {
            label.span = Span::new(label.span.start + 9000, label.span.end + 9000);
        }
    }
    let page = report(Format::Html, &[example(), long, clean()], &failures(), &style());
    let rows: Vec<serde_json::Value> = serde_json::from_str(held(&page, "findings")).expect("JSON");
    assert_eq!(rows.len(), 10);
    assert_eq!(rows[0]["path"], "folder/a file.visaasm");
    let parts = &rows[0]["text"][1]["parts"];
    assert_eq!(parts, &serde_json::json!(["/* ä€𝄞 */ mov (M1, 8) ", "b(", "0,0)<1> a(0,0)<8;8,1>"]));
    assert_eq!(rows[3]["is_trace"], true);
    assert_eq!(rows[0]["label"], example().findings[0].diagnostic.primary.text.as_str());
    assert_eq!(rows[3]["labels"].as_array().map(Vec::len), Some(2));
    // Names are no markup, and a long line is cut on both sides of the place.
    assert_eq!(rows[5]["path"], "</script><script>alert(1)</script>.visaasm");
    assert_eq!(page.matches("<script").count(), 3, "two lists and the code");
    assert_eq!(rows[8]["text"][1]["parts"][1], "mul");
    assert!(held(&page, "findings").len() < 20_000, "{} bytes", held(&page, "findings").len());
    let failed: Vec<String> = serde_json::from_str(held(&page, "failures")).expect("JSON");
    assert_eq!(failed, ["gone.visaasm: there is no such file or folder"]);
    assert!(page.contains("default-src 'none'; style-src 'nonce-page'; script-src 'nonce-page'\""));
    assert_eq!((page.matches("<style nonce=\"page\">").count(), page.matches(" style=").count()), (1, 0));
    for outside in ["src=", "<link", "@import", "url("] {
        assert!(!page.contains(outside), "the page loads something: {outside}");
    }
    let (script, frame) =
        (page.rsplit_once("<script nonce=\"page\">").expect("the code").1, page.split_once("<script").expect("it").0);
    for name in script.match_indices("at(\"").map(|(i, _)| script[i + 4..].split('"').next().expect("a name")) {
        assert!(frame.contains(&format!("id=\"{name}\"")), "the code asks for `{name}`");
    }
}

#[test]
fn colours_and_links_are_as_blessed() {
    let text = report(Format::Text, &[example()], &[], &Style { color: true, links: true, ..style() });
    blessed(&tests_folder().join("snapshots/reports/text.ansi"), &text);
    let link = "\u{1b}]8;;https://github.com/intel/intel-graphics-compiler/blob/master/documentation/visa/4_visa_header.md\u{1b}\\example-rule\u{1b}]8;;\u{1b}\\";
    assert!(text.contains(link), "{text}");
}

#[test]
fn warnings_fail_a_junit_suite_only_if_they_fail_the_run() {
    let counts = |style: &Style| {
        let text = report(Format::Junit, &[example()], &[], style);
        (text.matches("<failure ").count(), text.matches("<skipped ").count())
    };
    assert_eq!(counts(&style()), (2, 3));
    assert_eq!(counts(&Style { fails_at: Level::Warning, ..style() }), (4, 1));
}

fn sarif_validator() -> jsonschema::Validator {
    let path = tests_folder().join("schemas/sarif-2.1.0.json");
    let schema = std::fs::read_to_string(path).expect("the schema");
    // The published pattern for the language of a run has a bracket too many.
    let schema = schema.replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}$");
    let schema = serde_json::from_str(&schema).expect("the schema is JSON");
    jsonschema::options().should_validate_formats(true).build(&schema).expect("the schema is a schema")
}

#[track_caller]
fn assert_valid(validator: &jsonschema::Validator, text: &str) -> serde_json::Value {
    let document = serde_json::from_str(text).expect("SARIF is JSON");
    let faults: Vec<String> = validator.iter_errors(&document).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    document
}

#[test]
fn json_follows_its_schema() {
    let schema = include_str!("../docs/report.schema.json");
    let validator = jsonschema::validator_for(&serde_json::from_str(schema).expect("JSON")).expect("a schema");
    let mut given_up = example();
    for finding in &mut given_up.findings {
        finding.diagnostic.given_up = Some("kernel too large");
    }
    let text = report(Format::Json, &[example(), given_up], &[], &style());
    assert!(text.contains("\"given_up\":\"kernel too large\""), "{text}");
    for line in text.lines() {
        assert_valid(&validator, line);
        for (from, to) in [("\"line\":", "\"line\":-"), ("\"given_up\":", "\"gave_up\":"), ("too large", "too small")] {
            let wrong = line.replacen(from, to, 1);
            let document = serde_json::from_str(&wrong).expect("JSON");
            assert!(wrong == line || !validator.is_valid(&document), "{wrong}");
        }
    }
}

#[test]
fn sarif_follows_the_official_schema() {
    let validator = sarif_validator();
    let style = Style { rules: RULES, ..style() };
    for files in [vec![], vec![clean()], vec![example()], vec![example(), clean(), example()]] {
        for failures in [vec![], failures()] {
            assert_valid(&validator, &report(Format::Sarif, &files, &failures, &style));
        }
    }
}

/// The schema is not so lax that it takes anything.
#[test]
fn the_sarif_schema_refuses_a_wrong_document() {
    let validator = sarif_validator();
    let text = report(Format::Sarif, &[example()], &[], &style());
    for (from, to) in [
        ("\"startLine\":4", "\"startLine\":0"),
        ("\"level\":\"error\"", "\"level\":\"loud\""),
        ("\"ruleId\"", "\"rule\""),
    ] {
        assert!(text.contains(from), "{from}");
        let document = serde_json::from_str(&text.replacen(from, to, 1)).expect("JSON");
        assert!(!validator.is_valid(&document), "{to}");
    }
}

#[test]
fn sarif_of_real_findings_is_valid() {
    let validator = sarif_validator();
    let mut files = Vec::new();
    for path in crate::support::files(&tests_folder().join("../examples/faulty"), "visaasm") {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let findings = crate::support::check_as_asked(&text, "");
        assert!(!findings.is_empty());
        let finding =
            |diagnostic| Finding { diagnostic, kernel: String::new(), identity: Identity::default(), drawing: None };
        let findings = findings.into_iter().map(finding).collect();
        files.push(FileFindings {
            source: SourceFile::new(path.display().to_string(), text),
            findings,
            suppressed: Vec::new(),
            known: None,
        });
    }
    let document = assert_valid(&validator, &report(Format::Sarif, &files, &[], &Style { rules: RULES, ..style() }));
    let run = &document["runs"][0];
    for result in run["results"].as_array().expect("results") {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
    }
}

#[test]
fn fingerprints_stay_while_text_moves_and_differ_between_findings() {
    let before = example();
    let known = fingerprint::fingerprints(before.findings.iter());
    let mut distinct = known.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), known.len(), "two findings share a fingerprint");
    // Two lines more above, and other blanks.
    let inserted = "// one\n// two\n";
    let mut after = example();
    after.source = SourceFile::new("moved.visaasm", format!("{inserted}{TEXT}").replace("\tadd", " add"));
    for finding in &mut after.findings {
        let span = &mut finding.diagnostic.primary.span;
        *span = Span::new(span.start + inserted.len() as u32, span.end + inserted.len() as u32);
        finding.identity = identity(&finding.diagnostic, &after.source.text);
    }
    assert_eq!(fingerprint::fingerprints(after.findings.iter()), known);
    let here = fingerprint::with_path(&before);
    let there = fingerprint::with_path(&after);
    assert!(here.iter().all(|f| !there.contains(f)), "files share fingerprints");
}

/// The text above the carets of a drawing, one of each line with carets.
fn underlined(drawn: &str) -> Vec<String> {
    let lines: Vec<&str> = drawn.lines().collect();
    let pairs = lines.windows(2).filter(|pair| pair[1].contains('^'));
    pairs
        .map(|pair| {
            let (start, end) = (pair[1].find('^').expect("a caret"), pair[1].rfind('^').expect("a caret"));
            let column = |byte| pair[1][..byte].chars().count();
            pair[0].chars().skip(column(start)).take(column(end) + 1 - column(start)).collect()
        })
        .collect()
}

#[test]
fn in_a_narrow_terminal_lines_are_cut_around_the_place_and_words_wrap() {
    // Each word occurs once, so that what stands above the carets says which place is shown.
    let words: Vec<String> = (0..300).map(|n| format!("w{n:03}")).collect();
    let text = format!("first line\n{}\nä\t{}\n", words[..12].join(" "), words.join(" "));
    let place = |word: &str, n: usize| {
        let (start, _) = text.match_indices(word).nth(n).expect("the word occurs");
        Span::new(start as u32, (start + word.len()) as u32)
    };
    let draw = |columns, labels: &[Span]| {
        let message = "what is said of it takes more than one line of a narrow terminal";
        let mut diagnostic = Diagnostic::new(&LOUD, labels[0], message).label("it is 2, which leaves a remainder of 2");
        for span in &labels[1..] {
            diagnostic = diagnostic.also(*span, "and this");
        }
        let diagnostic =
            diagnostic.note("the manual says in many words that it is not so").help("write something else");
        let finding = Finding { kernel: "k".into(), identity: Identity::default(), diagnostic, drawing: None };
        let source = SourceFile::new("long.visaasm", text.clone());
        let file = FileFindings { findings: vec![finding], ..FileFindings::clean(source) };
        report(Format::Text, &[file], &[], &Style { columns, ..style() })
    };
    for columns in (40..140).step_by(7) {
        for n in [0, 1, 5, 9, 11, 12, 100, 298, 299] {
            let word = &words[n];
            let line = usize::from(n < 12);
            let drawn = draw(Some(columns), &[place(word, line), place("w003", 0), place("first", 0)]);
            assert!(drawn.lines().all(|line| line.chars().count() <= columns), "{columns}\n{drawn}");
            assert_eq!(underlined(&drawn), [word.as_str()], "{columns}\n{drawn}");
            assert!(drawn.contains(&format!("long.visaasm:3:{}\n", 3 + 5 * n)), "{drawn}");
            for words in ["it is 2, which", "and this", "many words", "write something"] {
                assert!(drawn.split_whitespace().collect::<Vec<_>>().join(" ").contains(words), "{words}\n{drawn}");
            }
        }
    }
    // Without a terminal words do not wrap, and only a very long line is cut.
    let drawn = draw(None, &[place("w200", 0), place("w003", 0)]);
    assert_eq!(underlined(&drawn), ["w200"]);
    assert!(drawn.contains(" …") || drawn.contains("…w"), "{drawn}");
    assert!(drawn.contains(&words[..12].join(" ")), "{drawn}");
    assert!(
        drawn.starts_with("error[example-rule]: what is said of it takes more than one line of a narrow terminal\n")
    );
}
