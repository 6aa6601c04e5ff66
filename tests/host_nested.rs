//! Statements of host sources inside of other ones: in branches, loops and blocks, in two branches, and beside themselves. What
//! a statement means hangs on what stands around it, which is another reader in each language.

use crate::support::check_sum_of;
use std::ops::Range;
use visa_lint::checks::{self, Options};
use visa_lint::host::{self, Language, expand};

/// So many statements of a file are looked at, as far from each other.
const MOST_STATEMENTS: usize = 6;
/// Lines of a statement.
const MOST_LINES: usize = 20;

/// What is put before a statement, and behind it.
const AROUND: [(&str, &str); 8] = [
    ("if (q) {\n", "} else {\n}\n"),
    ("if (q) ;\nelse {\n", "}\n"),
    ("for (int q = 0; q < 4; ++q) {\n", "}\n"),
    ("switch (q) { case 1:\n", "break; }\n"),
    ("do {\n", "} while (0);\n"),
    ("#if X\n", "#else\n#endif\n"),
    ("if (0) {\n", "}\n"),
    ("{ int a; int b;\n", "}\n"),
];
/// The same in Python, where the statement stands again behind the second line, if there is one.
const AROUND_IN_PYTHON: [(&str, &str); 7] = [
    ("if q:\n", ""),
    ("if q:\n", "else:\n"),
    ("for q in range(4):\n", ""),
    ("while q:\n", ""),
    ("with q:\n", ""),
    ("try:\n", "finally:\n"),
    ("def qq():\n", ""),
];

/// The lines of each statement.
fn statements(lines: &[&str], end: char) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let is_begin = lines[at].contains("asm") && lines[at].contains('(');
        let near = at..lines.len().min(at + MOST_LINES);
        let last = near.filter(|_| is_begin).find(|i| lines[*i].trim_end().ends_with(end));
        all.extend(last.map(|last| at..last + 1));
        at = last.unwrap_or(at) + 1;
    }
    all
}

/// The source with something around each of its statements.
fn nested(language: Language, text: &str) -> Vec<String> {
    let is_python = language == Language::Python;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let all = statements(&lines, if is_python { ')' } else { ';' });
    let mut out = vec![format!("{text}\n{text}"), text.replace('\n', "\r\n")];
    for place in all.iter().step_by(all.len().div_ceil(MOST_STATEMENTS).max(1)) {
        let own = lines[place.clone()].concat();
        let mut put =
            |new: &str| out.push([&lines[..place.start].concat(), new, &lines[place.end..].concat()].concat());
        put(&own.repeat(2));
        if is_python {
            let indent: String = lines[place.start].chars().take_while(|c| *c == ' ').collect();
            let inner: String = lines[place.clone()].iter().flat_map(|line| ["    ", line]).collect();
            for (before, behind) in AROUND_IN_PYTHON {
                let second = if behind.is_empty() { String::new() } else { format!("{indent}{behind}{inner}") };
                put(&format!("{indent}{before}{inner}{second}"));
            }
        } else {
            put(&format!("if (q) {{\n{own}}} else {{\n{own}}}\n"));
            for (before, behind) in AROUND {
                put(&[before, own.as_str(), behind].concat());
            }
        }
    }
    out
}

/// A check sum of all that is held of these sources, of what they are read as, and of what is found in them.
pub fn sum(language: Language, text: &str) -> u32 {
    let options = Options { pedantic: true, ..Options::default() };
    let of = |text: &String| {
        let host = host::read(text, language, None);
        let found = checks::fragment::check_host(text, &host, &options, None).diagnostics;
        check_sum_of(&(&host, found, expand::expand("a", text, &host)))
    };
    nested(language, text).iter().map(of).fold(0, u32::wrapping_add)
}
