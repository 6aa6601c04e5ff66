//! What is said of the escapes and constraints of a statement in a host source.

use visa_lint::base::rule::Level;
use visa_lint::checks::{self, Options};
use visa_lint::host::{self, Language};

/// Rule, marked text, message and help of each finding.
pub fn said(text: &str, language: Language) -> Vec<String> {
    let options = Options { sub_group: Some(16), ..Options::default() };
    let host = host::read(text, language, options.sub_group);
    let found = checks::fragment::check_host(text, &host, &options, None).diagnostics;
    found
        .iter()
        .filter(|d| d.level == Level::Error)
        .map(|d| {
            let help = d.help.clone().or_else(|| d.fix.as_ref().map(|f| f.title.clone())).unwrap_or_default();
            format!("{} {}: {}; {help}", d.rule.name, d.primary.span.of(text), d.message)
        })
        .collect()
}

/// What is written instead of a constraint that there is not.
#[test]
fn constraints_that_are_nearly_known_are_completed() {
    let help = |statement: &str| {
        let text = format!("void f() {{\n  int x, y;\n  asm({statement});\n}}\n");
        let said = said(&text, Language::C).into_iter().find(|said| said.starts_with("unknown-constraint"));
        said.map(|said| said.rsplit("; ").next().unwrap_or_default().to_owned())
    };
    let outputs = [
        ("=rw", ["=&rw", "=r", "=&r", "=w", "=rw&", "rw", "r", "=rw.u"].as_slice()),
        ("+rw", ["+&rw", "+r", "+&r", "+w", "+rw.u"].as_slice()),
        ("outputs", ["=x", "+x", "x"].as_slice()),
    ];
    let inputs = [
        ("rw", ["r", "w", "&rw"].as_slice()),
        ("rw.u", ["rwu", "r.u", "rw.U"].as_slice()),
        ("i", ["n", "K", "I"].as_slice()),
        ("inputs", ["rw.v", "x", "rw.x"].as_slice()),
    ];
    let of = |wanted: &str, of_all: &str| {
        if wanted == of_all { format!("{of_all} take") } else { format!("write `{wanted}`") }
    };
    for (wanted, written) in outputs {
        for constraint in written {
            let said = help(&format!(r#""mov (M1, 16) %0(0,0)<1> 0x1:d" : "{constraint}"(y)"#)).unwrap_or_default();
            assert!(said.starts_with(&of(wanted, "outputs")), "{constraint}: {said}");
        }
    }
    for (wanted, written) in inputs {
        for constraint in written {
            let statement = format!(r#""mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "{constraint}"(x)"#);
            let said = help(&statement).unwrap_or_default();
            assert!(said.starts_with(&of(wanted, "inputs")), "{constraint}: {said}");
        }
    }
}

#[test]
fn escapes_and_constraints_of_c_are_explained() {
    let rows = [
        (
            r#""mov (M1, 16) %0(0,0)<1> %r0(0,0)<0;1,0>" : "=rw"(y)"#,
            &[
                "dropped-statement %r0: `%r0` is operand 0 with a modifier: the compiler drops the whole statement; write `%%r0` for the predefined variable",
            ][..],
        ),
        (
            r#""mov (M1, 16) %0(0,0)<1> %c1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x)"#,
            &[
                "dropped-statement %c1: `%c1` has a modifier: the compiler drops the whole statement and reports nothing; write `%1`",
            ],
        ),
        (
            r#""mov (M1, 16) %c[out](0,0)<1> %1(0,0)<1;1,0>" : [out] "=rw"(y) : "rw"(x)"#,
            &[
                "dropped-statement %c[out]: `%c[out]` has a modifier: the compiler drops the whole statement and reports nothing; write `%[out]`",
            ],
        ),
        (
            r#""mov (M1, 16) %[ouf](0,0)<1> %1(0,0)<1;1,0>" : [out] "=rw"(y) : "rw"(x)"#,
            &["missing-host-operand %[ouf]: no operand of the statement is named `ouf`; write `%[out]`"],
        ),
        (
            r#""mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> // 50% of" : "=rw"(y) : "rw"(x)"#,
            &[
                "wrong-escape %: a percent sign is written `%%` here; the number or the name of an operand may follow a single one",
            ],
        ),
        (r#""%{\nmov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\n%}" : "=rw"(y) : "rw"(x)"#, &[]),
        (
            r#""mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=&rw"(y) : "rw"(x)"#,
            &["unknown-constraint \"=&rw\": there is no constraint `=&rw`; write `=rw`"],
        ),
        (
            r#""mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=zz"(y) : "yy"(x)"#,
            &[
                "unknown-constraint \"=zz\": there is no constraint `=zz`; outputs take `=rw` or `+rw`",
                "unknown-constraint \"yy\": there is no constraint `yy`; inputs take `rw`, `rw.u`, `i`, `P` or the number of an output",
            ],
        ),
        (
            r#""mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "2"(x)"#,
            &[
                "missing-host-operand \"2\": there is no output 2: the statement has 1 output; add the operand to the lists behind the text, or name one of those that stand there",
            ],
        ),
        (
            r#""mov (M1, 16) %%null(0,0)<1> %0(0,0)<1;1,0>" : : "0"(x)"#,
            &[
                "missing-host-operand \"0\": there is no output 0: the statement has none; add the operand to the lists behind the text, or name one of those that stand there",
            ],
        ),
        (
            r#""mov (M1, 16) %%null(0,0)<1> %0(0,0)<1;1,0>" : :"#,
            &[
                "missing-host-operand %0: `%0` is beyond the operands: the statement has no operands; add the operand to the lists behind the text, or name one of those that stand there",
            ],
        ),
    ];
    for (statement, wanted) in rows {
        let text = format!("void f() {{\n  int x, y;\n  asm({statement});\n}}\n");
        assert_eq!(said(&text, Language::C), wanted, "{text}");
    }
}

#[test]
fn escapes_of_ir_are_explained() {
    let dropped = |written: &str, help: &str| {
        format!(
            "dropped-statement {written}: `{written}` is not replaced: the compiler drops the whole statement and reports nothing; {help}"
        )
    };
    let own = "write operands as `$0`, and the statement's own number as `${:uid}`";
    let rows = [
        ("mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", vec![]),
        ("L${:uid}:\\0Amov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", vec![]),
        ("mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> // 50% of %0 and %%", vec![]),
        ("mov (M1, 16) $0(0,0)<1> ${1}(0,0)<1;1,0>", vec![dropped("${1}", "write `$1`")]),
        ("mov (M1, 16) $0(0,0)<1> ${1:w}(0,0)<1;1,0>", vec![dropped("${1:w}", "write `$1`")]),
        ("mov (M1, 16) $0(0,0)<1> $x(0,0)<1;1,0>", vec![dropped("$x", own)]),
        ("mov (M1, 16) $0(0,0)<1> $$1(0,0)<1;1,0>", vec![dropped("$$", own)]),
        ("mov (M1, 16) $0(0,0)<1> ${", vec![dropped("${", own)]),
        (
            "mov (M1, 16) $0(0,0)<1> %1(0,0)<1;1,0>",
            vec!["wrong-escape %1: `%1` is no operand here: operands begin with `$`; write `$1`".to_owned()],
        ),
        (
            "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\\nmov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>",
            vec!["wrong-escape \\n: `\\n` is a backslash and an n here: a newline is `\\0A`; write `\\0A`".to_owned()],
        ),
        (
            "L%=:\\0Amov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>",
            vec!["wrong-escape %=: `%=` is not replaced here; write `${:uid}`".to_owned()],
        ),
        (
            "mov (M1, 16) $0(0,0)<1> %%r0(0,0)<0;1,0>",
            vec!["wrong-escape %%: a percent sign is written once here; write `%`".to_owned()],
        ),
    ];
    for (template, wanted) in rows {
        let text = format!("%y = call i32 asm \"{template}\", \"=rw,rw\"(i32 %x)\n");
        assert_eq!(said(&text, Language::Llvm), wanted, "{text}");
    }
}
