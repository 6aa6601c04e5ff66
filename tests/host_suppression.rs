//! Comments of hosts, and inside of fragments, that suppress findings.

use crate::host::{found, in_kernel, in_python};
use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::checks::Options;
use visa_lint::checks::fragment::{check_host, check_host_quickly};
use visa_lint::host::{self, Language};

#[test]
fn comments_of_the_host_and_of_the_fragment_suppress() {
    let fault = "asm(\"movi (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\\n\" : \"=rw\"(y) : \"rw\"(x));";
    let own = |statement: &str| found(&in_kernel(statement, ""), Language::C);
    assert_eq!(own(fault), [("unknown-instruction", "movi".to_owned())]);
    assert_eq!(own(&format!("// visa-lint: allow(unknown-instruction) tried\n  {fault}")), []);
    assert_eq!(own(&format!("{fault} // visa-lint: allow(unknown-instruction) tried")), []);
    assert_eq!(own(&fault.replace("\\n", " // visa-lint: allow(unknown-instruction) tried\\n")), []);
    assert_eq!(
        own(
            "// visa-lint: allow(unknown-instruction) tried\n  asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\\n\" : \"=rw\"(y) : \"rw\"(x));"
        ),
        [("unused-suppression", "unknown-instruction".to_owned())]
    );
    let python = in_python(&["movi (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"]);
    assert_eq!(
        found(
            &python.replace("    return", "    # visa-lint: allow(unknown-instruction) tried\n    return"),
            Language::Python
        ),
        []
    );
}

/// In each language, around a statement and inside of its template, a comment suppresses in each of its forms.
#[test]
fn comments_of_every_host_suppress() {
    const DIRECTIVE: &str = "visa-lint: allow(unknown-instruction) tried";
    const FAULT: &str = "movi (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>";
    const GOOD: &str = "mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>";
    let operands = ": \"=rw\"(y) : \"rw\"(x)";
    let mut cases: Vec<(Language, String)> = Vec::new();
    for comment in ["// DIRECTIVE", "/* DIRECTIVE */"] {
        let lists = [
            format!("{comment}\n  asm(\"{FAULT}\" {operands});"),
            format!("{comment}\n  __asm__ volatile(\n    \"{GOOD}\\n\"\n    \"{FAULT}\"\n    {operands});"),
            format!("asm(\"{FAULT}\\n\" {comment}\n    \"{GOOD}\" {operands});"),
            format!("asm(\"{FAULT} {comment}\\n\"\n    \"{GOOD}\" {operands});"),
            format!("asm(\"{comment}\\n\"\n    \"{FAULT}\\n{GOOD}\" {operands});"),
            format!("asm(R\"(\n    {comment}\n    {FAULT}\n    {GOOD})\" {operands});"),
        ];
        cases.extend(lists.iter().map(|statement| (Language::C, in_kernel(statement, ""))));
        cases.push((Language::C, lists[0].replace('\n', "\r\n")));
        let definition = format!("#define RUN(y, x) asm(\"{GOOD}\\n\" \\\n  \"{FAULT} {comment}\\n\" {operands})\n");
        cases.push((Language::C, in_kernel("RUN(y, x);\n  RUN(y, x);", &definition)));
        let definition = format!("{comment}\n#define RUN(y, x) asm(\"{FAULT}\\n\" {operands})\n");
        cases.push((Language::C, in_kernel("RUN(y, x);", &definition)));
        for template in [format!("{GOOD}\\0A{FAULT} {comment}\\0A"), format!("{comment}\\0A{FAULT}\\0A{GOOD}")] {
            let template = template.replace('%', "$");
            cases.push((Language::Llvm, format!("%y = call i32 asm \"{template}\", \"=rw,rw\"(i32 %x)\n")));
            let mlir = format!("%y = llvm.inline_asm \"{template}\", \"=rw,rw\" %x : (i32) -> i32\n");
            cases.push((Language::Mlir, mlir));
        }
        for lines in [&[GOOD, &format!("{FAULT} {comment}")][..], &[comment, FAULT, GOOD]] {
            cases.push((Language::Python, in_python(lines)));
        }
    }
    let block = format!("/*\n   * DIRECTIVE\n   * and more\n   */\n  asm(\"{FAULT}\" {operands});");
    cases.push((Language::C, in_kernel(&block, "")));
    let call = format!("%y = call i32 asm \"{}\", \"=rw,rw\"(i32 %x)", FAULT.replace('%', "$"));
    cases.push((Language::Llvm, format!("; DIRECTIVE\n{call}\n")));
    cases.push((Language::Llvm, format!("{call} ; DIRECTIVE\n")));
    let call = format!("%y = llvm.inline_asm \"{}\", \"=rw,rw\" %x : (i32) -> i32", FAULT.replace('%', "$"));
    cases.push((Language::Mlir, format!("// DIRECTIVE\n{call}\n")));
    cases.push((Language::Mlir, format!("{call} // DIRECTIVE\n")));
    let call = format!("y = tl.inline_asm_elementwise(\"{}\", \"=rw,rw\", [x])", FAULT.replace('%', "$"));
    cases.push((Language::Python, format!("# DIRECTIVE\n{call}\n")));
    cases.push((Language::Python, format!("{call}  # DIRECTIVE\n")));
    let source = format!(
        "auto s =\n  \"kernel void f() {{ int x, y;\\n\"\n  \"  // DIRECTIVE\\n\"\n  \"  asm(\\\"{FAULT}\\\" {});\\n\"\n  \"}}\\n\";\n",
        operands.replace('"', "\\\"")
    );
    cases.push((Language::C, source));
    for (language, text) in cases {
        assert_eq!(found(&text.replace("DIRECTIVE", DIRECTIVE), language), [], "{text}");
        let without: Vec<_> = found(&text, language).into_iter().map(|(rule, _)| rule).collect();
        assert_eq!(without, ["unknown-instruction"], "{text}");
    }
}

/// What is wrong in the definition of a macro is suppressed there, or where the macro is used: then for that use alone.
#[test]
fn comments_at_the_use_of_a_macro_suppress() {
    const COMMENT: &str = "// visa-lint: allow(unknown-instruction) tried";
    const FAULT: &str = "\"movi (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\\n\"";
    let operands = ": \"=rw\"(y) : \"rw\"(x)";
    let whole = format!("#define RUN(y, x) asm({FAULT} {operands})\n");
    let other = "\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\\n\"";
    let part = format!("#define LINES {other} {FAULT}\n");
    for (definition, used) in [(&whole, "RUN(y, x);".to_owned()), (&part, format!("asm(LINES {operands});"))] {
        let named = |statements: &str| {
            let all = found(&in_kernel(statements, definition), Language::C);
            all.into_iter().map(|(rule, _)| rule).collect::<Vec<_>>()
        };
        assert_eq!(named(&used), ["unknown-instruction"]);
        assert_eq!(named(&format!("{COMMENT}\n  {used}")), [""; 0]);
        assert_eq!(named(&format!("{used} {COMMENT}")), [""; 0]);
        assert_eq!(named(&format!("{COMMENT}\n  {used}\n\n  {used}")), ["unknown-instruction"]);
        assert_eq!(named(&format!("{used}\n  {used} {COMMENT}")), ["unknown-instruction"]);
        assert_eq!(named(&format!("{used} {COMMENT}\n  {used} {COMMENT}")), [""; 0]);
        let both = format!("{COMMENT}\n{}", in_kernel(&format!("{used}\n  {used}"), definition));
        assert_eq!(found(&both, Language::C), []);
    }
}

/// What is found of a host without executing its fragments, and otherwise.
fn rules(text: &str) -> [Vec<&'static str>; 2] {
    let options = Options { sub_group: Some(16), ..Options::default() };
    let host = host::read(text, Language::C, options.sub_group);
    let names = |found: Vec<Diagnostic>| found.iter().map(|d| d.rule.name).collect();
    [check_host_quickly(text, &host, &options), check_host(text, &host, &options, None).diagnostics].map(names)
}

/// What suppresses a finding of the execution is not unused where nothing is executed.
#[test]
fn comments_count_as_unused_only_if_everything_was_looked_for() {
    let legal = "asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\\n\" : \"=rw\"(y) : \"rw\"(x));";
    let with = |comment: &str| in_kernel(&format!("// visa-lint: {comment}(unknown-instruction) tried\n  {legal}"), "");
    assert_eq!(rules(&with("allow")), [vec![], vec!["unused-suppression"]]);
    assert_eq!(rules(&with("expect")), [vec![], vec!["unfulfilled-expectation"]]);
    assert_eq!(rules(&with("allow").replace("\"mov", "\"movi")), [Vec::<&str>::new(), Vec::new()]);
    assert_eq!(
        rules(&in_kernel(&legal.replace("\"mov", "\"movi"), "")),
        [vec!["unknown-instruction"], vec!["unknown-instruction"]]
    );
}

#[test]
fn a_byte_that_is_not_utf_8_counts_only_beside_fragments() {
    let options = Options { pedantic: true, sub_group: Some(16), ..Options::default() };
    let finds_it = |text: &str| {
        let host = host::read(text, Language::C, options.sub_group);
        let found = check_host(text, &host, &options, Some(1)).diagnostics;
        found.iter().any(|d| d.rule.name == "invalid-encoding")
    };
    assert!(finds_it(&in_kernel(
        "asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\\n\" : \"=rw\"(y) : \"rw\"(x));",
        "// ?\n"
    )));
    assert!(!finds_it("// ?\nint f(void);\n"));
}
