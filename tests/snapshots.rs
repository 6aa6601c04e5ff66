//! Blessed texts: the resolved tables, and full renderings of findings. `BLESS=1 cargo test` writes them anew.

use crate::support::{
    HostSource, as_excerpt, asked, blessed, check_as_asked, files, host_sources, kernel, tests_folder,
};
use rayon::prelude::*;
use std::fmt::Write as _;
use visa_lint::base::source::SourceFile;
use visa_lint::checks;
use visa_lint::host::{self, expand};
use visa_lint::interp::{self, Launch};
use visa_lint::lower::lower;
use visa_lint::matching::Identity;
use visa_lint::program::InstructionIndex;
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

/// The cases, by the rule that each is about, with what `of` says of each; nothing of those of which it says nothing.
fn of_cases(of: impl Fn(&str, &str) -> String + Sync) -> String {
    let cases = tests_folder().join("cases");
    let all: Vec<String> = files(&cases, "visaasm")
        .par_iter()
        .map(|file| {
            let inner = file.strip_prefix(&cases).expect("a file of the folder");
            let name = inner.to_string_lossy().replace('\\', "/");
            let text = std::fs::read_to_string(file).expect("a readable case");
            let said = of(name.split('/').next().unwrap_or_default(), &text);
            if said.is_empty() { said } else { format!("== {name}\n{said}") }
        })
        .collect();
    all.concat()
}

/// What is decided of the memory messages of the cases, which findings show only where something is wrong.
#[test]
fn decisions_about_messages() {
    let decided = |about: &str, text: &str| {
        let program = lower(text);
        let line = |at: InstructionIndex| {
            let start = program.instruction_spans[at].statement.start as usize;
            text[..start].matches('\n').count() + 1
        };
        let mut out = String::new();
        for (grf_bytes, kernels) in checks::messages(text, &program, &as_excerpt(asked(text), about)) {
            for kernel in kernels {
                for m in &kernel.messages {
                    let (verdict, reason) = (m.verdict.word(), m.verdict.reason());
                    let at = line(m.instruction);
                    let _ = writeln!(out, "{grf_bytes} {at}: {verdict}, {reason}; {:?}", m.bounds);
                }
                if let Some(races) = &kernel.races {
                    let (found, open): (_, Vec<usize>) =
                        (races.n_found, races.open.iter().map(|at| line(*at)).collect());
                    let (others, between) = (races.n_by_arguments, races.n_between_groups);
                    let proof = races.proof;
                    let _ = writeln!(out, "{grf_bytes} races {found}+{others}+{between}, {proof:?}, open {open:?}");
                }
                out.extend(kernel.given_up.iter().map(|why| format!("{grf_bytes} {why}\n")));
            }
        }
        out
    };
    blessed(&tests_folder().join("snapshots/messages.txt"), &of_cases(decided));
}

/// What abstract execution costs, in instructions that are executed and blocks of values that are made: a shortcut that is
/// no longer taken changes no finding.
#[test]
fn effort_of_abstract_execution() {
    let effort = |text: &str| -> String {
        let program = lower(text);
        let of_object = |object| interp::run(&program, object, 32, &Launch::default()).effort.to_string();
        program.objects.iter().map(of_object).collect::<Vec<_>>().join(" ")
    };
    let of_case = |_: &str, text: &str| format!("{}\n", effort(text));
    let folder = tests_folder().join("compiler_output");
    let mut out = of_cases(of_case);
    for file in files(&folder, "visaasm") {
        let name = file.strip_prefix(&folder).expect("a file of the folder").to_string_lossy().replace('\\', "/");
        let text = std::fs::read_to_string(&file).expect("a readable file");
        out += &format!("== {name}\n{}\n", effort(&text));
    }
    blessed(&tests_folder().join("snapshots/effort.txt"), &out.replace('\n', " ").replace(" == ", "\n"));
}

/// What host sources are read as: each statement with its operands, their types and sizes.
#[test]
fn host_sources_are_read_as_blessed() {
    let texts: Vec<String> = host_sources()
        .par_iter()
        .map(|HostSource { name, language, text }| {
            format!("== {name}\n{}", expand::expand(name, text, &host::read(text, *language, None)))
        })
        .collect();
    blessed(&tests_folder().join("snapshots/hosts.txt"), &texts.concat());
}
