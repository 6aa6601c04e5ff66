//! Blessed texts: the resolved tables, and full renderings of findings. `BLESS=1 cargo test` writes them anew.

use crate::support::{blessed, check_as_asked, files, kernel, tests_folder};
use visa_lint::base::source::SourceFile;
use visa_lint::matching::Identity;
use visa_lint::report::{FileFindings, Finding, Style, json, short, text};
use visa_lint::spec;

/// Every key of every row is in this text: an unintended change of data shows here.
#[test]
fn resolved_table() {
    let pages: String = spec::instructions().iter().map(|row| spec::describe::page(row) + "\n\n").collect();
    blessed(&tests_folder().join("snapshots/instructions.txt"), &pages);
}

#[test]
fn resolved_platforms() {
    let text: String = spec::Platform::all()
        .map(|p| format!("{} | {} | {} | {}\n", p.name(), p.row().full_name, p.grf_bytes(), p.row().names.join(" ")))
        .collect::<Vec<_>>()
        .concat();
    blessed(&tests_folder().join("snapshots/platforms.txt"), &text);
}

fn rendered(name: &str, source: &str) -> FileFindings {
    let findings = check_as_asked(source, "overlapping-lane-writes")
        .into_iter()
        .map(|diagnostic| Finding {
            diagnostic,
            kernel: "example".into(),
            identity: Identity::default(),
            drawing: None,
        })
        .collect();
    FileFindings { source: SourceFile::new(name, source), findings, suppressed: Vec::new(), known: None }
}

#[test]
fn renderings() {
    for file in files(&tests_folder().join("renderings"), "visaasm") {
        let source = std::fs::read_to_string(&file).expect("a readable file");
        let name = file.file_name().and_then(|n| n.to_str()).expect("a name");
        let found = rendered(name, &source);
        let (mut as_text, mut as_short, mut as_json) = (String::new(), String::new(), String::new());
        text::write(&found, &Style::default(), &mut as_text);
        short::write(&found, &mut as_short);
        json::write(&found, &mut as_json);
        blessed(&file.with_extension("text"), &as_text);
        blessed(&file.with_extension("short"), &as_short);
        blessed(&file.with_extension("json"), &as_json);
    }
}

#[test]
fn long_lines_are_cut() {
    let blanks = " ".repeat(5000);
    let source = kernel("", &format!("    mov (M1, 8) VD(0,0)<1>{blanks}Vx(0,0)<8;8,1>\n"));
    let mut out = String::new();
    text::write(&rendered("long.visaasm", &source), &Style::default(), &mut out);
    assert!(out.contains("undeclared-variable"), "{out}");
    assert!(out.lines().all(|l| l.len() < 300), "a line of {} bytes", out.lines().map(str::len).max().unwrap_or(0));
}
