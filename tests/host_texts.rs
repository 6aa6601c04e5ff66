//! The texts that hosts put together, in many spellings, and the sizes of sub-groups that they say.

mod c;
mod python;

use crate::host_tokens::Source;
use crate::support::{blessed, tests_folder};
use std::fmt::Write as _;
use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::checks::{self, Options};
use visa_lint::host::{self, Language, expand};

/// The texts of the statements of a host, without what is declared for their operands.
fn texts(text: &str, language: Language) -> Vec<String> {
    let expanded = expand::expand("a", text, &host::read(text, language, None));
    let of = |kernel: &str| {
        let body = kernel.split_once('\n').map_or("", |(_, body)| body);
        let body = body.split("\n\n//").next().unwrap_or_default();
        let body = body.split("\nret ").next().unwrap_or_default();
        let lines: Vec<&str> = body.lines().skip_while(|line| line.starts_with(".decl op")).collect();
        lines.join("\n").trim_end().to_owned()
    };
    expanded.split(".kernel \"").skip(1).map(of).collect()
}

/// Says which rows of a table are not so.
fn compare(rows: impl Iterator<Item = (String, Vec<String>, Vec<String>)>) {
    let wrong = rows.filter(|(_, found, wanted)| found != wanted);
    let faults: Vec<String> =
        wrong.map(|(source, found, wanted)| format!("{source}\n{found:?}, and not {wanted:?}")).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n\n"));
}

fn all(texts: &[&str], change: impl Fn(&str) -> String) -> Vec<String> {
    texts.iter().map(|text| change(text)).collect()
}

const COPY: &str = "mov (M1, 16) op0(0,0)<1> op1(0,0)<1;1,0>";

/// Lines of a text that a function makes.
const MADE: [&str; 2] =
    ["add (M1, 16) V1(0,0)<1> V0(0,0)<1;1,0> 0x1:d", "mul (M1, 16) V2(0,0)<1> V1(0,0)<1;1,0> 0x2:d"];

fn of_python((before, template): (&str, &str)) -> Source {
    let tail = ", \"=rw,rw\", [x], tl.int32, True, 1)\n";
    Source::new(Language::Python, &["", before, "y = tl.inline_asm_elementwise(", template, tail])
        .with("TEXT", "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>")
}

fn of_c((before, template): (&str, &str)) -> Source {
    let tail = " : \"=rw\"(y) : \"rw\"(x));\n}\n";
    Source::new(Language::C, &["", before, "void f() {\n  int x, y;\n  asm(", template, tail])
        .with("TEXT", "mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>")
}

fn of_function(body: &str) -> Source {
    let newline = if body.contains("R\"") { "\n" } else { "\\n" };
    let [a, b] = MADE.map(|line| format!("{line}{newline}"));
    Source::new(Language::C, &["void f(int n, std::string name, std::ostream &out) {\n  ", body, "\n}\n"])
        .with("«A»", &a)
        .with("«B»", &b)
}

fn of_sub_group(source: &str) -> Source {
    Source::new(Language::C, &["#include <x>\n", source, "\n"])
        .with("SIZE", "__attribute__((intel_reqd_sub_group_size(8)))")
        .with("ASM", r#"int v; asm("mov (M1, 16) %0(0,0)<1> 0x7:d" : "=rw"(v));"#)
}

/// All sources of the tables.
pub fn sources() -> Vec<Source> {
    let python = python::TEXTS.iter().map(|(before, template, _)| of_python((before, template)));
    let c = c::TEMPLATES.iter().map(|(before, template, _)| of_c((before, template)));
    let made = c::MADE.iter().map(|(body, _)| of_function(body));
    let sized = [c::WITH_SIZE, c::WITHOUT_SIZE].concat().into_iter().map(of_sub_group);
    python.chain(c).chain(made).chain(sized).collect()
}

#[test]
fn texts_of_python_are_those_that_it_makes() {
    compare(python::TEXTS.iter().map(|(before, template, wanted)| {
        let source = of_python((before, template)).text();
        let found = texts(&source, Language::Python);
        (source, found, all(wanted, |text| text.replace("TEXT", COPY)))
    }));
}

#[test]
fn templates_of_c_are_what_the_preprocessor_makes() {
    compare(c::TEMPLATES.iter().map(|(before, template, wanted)| {
        let source = of_c((before, template)).text();
        let found = texts(&source, Language::C);
        (source, found, all(wanted, |text| text.replace("TEXT", COPY)))
    }));
}

#[test]
fn texts_that_functions_make_are_read() {
    compare(c::MADE.iter().map(|(body, wanted)| {
        let source = of_function(body).text();
        let found = texts(&source, Language::C);
        (source, found, all(wanted, |text| text.replace("«A»", MADE[0]).replace("«B»", MADE[1])))
    }));
}

#[test]
fn sizes_of_sub_groups_are_those_that_the_source_says() {
    let both = [(c::WITH_SIZE, "num_elts=8 "), (c::WITHOUT_SIZE, "num_elts=32 ")];
    let rows = both.into_iter().flat_map(|(sources, lanes)| sources.iter().map(move |source| (*source, lanes)));
    compare(rows.map(|(source, lanes)| {
        let source = of_sub_group(source).text();
        let expanded = expand::expand("a", &source, &host::read(&source, Language::C, None));
        let declared = expanded.lines().find(|line| line.starts_with(".decl op0")).unwrap_or_default();
        let found = if declared.contains(lanes) { lanes } else { declared };
        (source, vec![found.to_owned()], vec![lanes.to_owned()])
    }));
}

/// Lines with names in braces of which nothing is known: what stands for each of them, and what is found.
#[test]
fn holes_stand_for_what_may_be_there() {
    let mut said = String::new();
    for line in include_str!("host_texts/holes.txt").lines() {
        let source = format!(
            "text = f\"add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d\\n{line}\"\ninline_asm(text, \"=rw,rw\", [x])\n"
        );
        let options = Options { pedantic: true, ..Options::default() };
        let host = host::read(&source, Language::Python, None);
        let found = checks::fragment::check_host(&source, &host, &options, None).diagnostics;
        let marked = |d: &Diagnostic| format!("{} `{}`", d.rule.name, &source[d.primary.span.range()]);
        let found: Vec<String> = found.iter().map(marked).collect();
        for fragment in &host.fragments {
            let text = fragment.text().lines().skip(1).collect::<Vec<_>>();
            let _ = writeln!(said, "{line}\n    {}\n    {}", text.join("\n    ").escape_default(), found.join(", "));
        }
    }
    blessed(&tests_folder().join("snapshots/holes.txt"), &said);
}

/// What a name stands for in braces, by what stands before: a number where it counts the rounds of loops, and nothing else.
#[test]
fn counters_of_loops_are_numbers() {
    let loops = ["for i in range(4):\n    pass\n", "for i, l in enumerate(z):\n    pass\n", "[i for i in range(4)]\n"];
    let others = [
        "for i in z:\n    pass\n",
        "for l, i in enumerate(z):\n    pass\n",
        "for i, l in z:\n    pass\n",
        "for (i, l) in enumerate(z):\n    pass\n",
        "for i in enumerate(z):\n    pass\n",
        "for i in range:\n    pass\n",
        "",
    ];
    let values = [
        "i = f()\n",
        "i += f()\n",
        "i, j = f()\n",
        "j, i = f()\n",
        "i: int = f()\n",
        "(i := f())\n",
        "def f(i):\n    pass\n",
        "f = lambda i: 1\n",
        "import i\n",
        "import a, i\n",
        "from a import i\n",
        "import a as i\n",
        "global i\n",
        "nonlocal i\n",
        "for i in z:\n    pass\n",
        "with a as i:\n    pass\n",
    ];
    let changing_nothing = [
        "j = i\n",
        "f(i)\n",
        "f(i, 1)\n",
        "if i == 1:\n    pass\n",
        "if i <= 1:\n    pass\n",
        "if i != 1:\n    pass\n",
        "def f(a):\n    pass\n",
        "f = lambda a: i\n",
        "import a\n",
        "for i in range(8):\n    pass\n",
        "a[i] = 1\n",
    ];
    let is_number = |before: &str| {
        let text = format!(
            "{before}text = f\"add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d\\nmov (M1, 16) V32(0,0)<1> {{i}}\"\n\
             inline_asm(text, \"=rw,rw\", [x])\n"
        );
        let host = host::read(&text, Language::Python, None);
        let found = checks::fragment::check_host(&text, &host, &Options::default(), None).diagnostics;
        found.iter().any(|d| d.rule.name == "missing-type")
    };
    for one in loops {
        assert!(is_number(one), "{one}");
        for value in values {
            assert!(!is_number(&format!("{one}{value}")), "{one}{value}");
        }
        for line in changing_nothing {
            assert!(is_number(&format!("{one}{line}")), "{one}{line}");
        }
    }
    for other in others {
        assert!(!is_number(other), "{other}");
    }
}
