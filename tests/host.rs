//! vISA in host sources: the cases of `tests/host`, and one fragment in every spelling that hosts know.

use crate::support::process::{Scratch, run};
use crate::support::{HostSource, host_sources, tests_folder};
use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::base::rule::Level;
use visa_lint::base::source::SourceFile;
use visa_lint::checks::{self, Options};
use visa_lint::host::{self, Language, expand};
use visa_lint::spec::{Platform, PlatformSet};

fn check(text: &str, language: Language, options: &Options) -> Vec<Diagnostic> {
    let host = host::read(text, language, options.sub_group);
    let found = checks::fragment::check_host(text, &host, options, None).diagnostics;
    found.into_iter().filter(|d| d.level >= Level::Warning).collect()
}

fn shown(source: &SourceFile, found: &[Diagnostic]) -> String {
    let line = |d: &Diagnostic| {
        let (line, column) = source.position(d.primary.span.start);
        format!("{line}:{column} {} {}: {}", d.level.word(), d.rule.name, d.message)
    };
    found.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// `index.tsv` says of each file for which platform it is, and of the faulty ones the line, the column, the text to mark
/// and the level. Columns count characters from 1.
#[test]
fn cases_are_marked_at_the_place() {
    let folder = tests_folder().join("host");
    let index = std::fs::read_to_string(folder.join("index.tsv")).expect("the index");
    let (mut faults, mut n_bad, mut n_good) = (Vec::new(), 0, 0);
    for row in index.lines() {
        let [file, platform, line, column, mark, level] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("six columns are needed: {row}");
        };
        let text = std::fs::read_to_string(folder.join(file)).expect("a case");
        let language = Language::of_path(file.as_ref()).expect("a host source");
        let platform = Platform::from_name(platform).expect("a platform");
        let options = Options { platforms: Some(PlatformSet::one(platform)), ..Options::default() };
        let source = SourceFile::new(file, text);
        let found = check(&source.text, language, &options);
        let mute = found.iter().filter(|d| !d.is_explained());
        faults.extend(mute.map(|d| format!("{file}: nothing explains {}: {}", d.rule.name, d.message)));
        if mark.is_empty() {
            n_good += 1;
            if !found.is_empty() {
                faults.push(format!("{file} is reported: {}", shown(&source, &found)));
            }
            continue;
        }
        n_bad += 1;
        let wanted: (u32, u32) = (line.parse().expect("a line"), column.parse().expect("a column"));
        let end = (wanted.0, wanted.1 + mark.chars().count() as u32);
        let hits = |d: &&Diagnostic| {
            let (from, to) = (source.position(d.primary.span.start), source.position(d.primary.span.end));
            from < end && wanted < to && d.level.word() == level
        };
        if !found.iter().any(|d| hits(&d)) {
            faults.push(format!("{file} {line}:{column} `{mark}` is not reported: {}", shown(&source, &found)));
        }
    }
    assert!(n_bad > 50 && n_good > 50, "{n_bad} faulty and {n_good} legal cases");
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Lines of a fragment: operands as `%0` and `%1`, which are `int` for each of 16 lanes.
const FRAGMENTS: [&[&str]; 9] = [
    &["mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>"],
    &["mov (M1, 6) %0(0,0)<1> %1(0,0)<1;1,0>"],
    &[
        "{",
        ".decl tmp v_type=G type=d num_elts=16 align=GRF",
        "mov (M1, 16) tmp(0,0)<1> %1(0,0)<1;1,0>",
        "mov (M1, 16) %0(0,0)<1> temp(0,0)<1;1,0>",
        "}",
    ],
    &["movi (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>"],
    &["mov (M1, 16) %0(0,0)<1> %1(0,0)", "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1"],
    &[
        "{",
        ".decl P1 v_type=P num_elts=8",
        "cmp.eq (M1, 16) P1 %1(0,0)<1;1,0> 0x0:d",
        "(P1) sel (M1, 16) %0(0,0)<1> 0x1:d 0x2:d",
        "}",
    ],
    &["add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> -%1(0,0)<1;1,0>"],
    &["mov (M1, 16) %1(0,0)<1> %1(0,0)<1;1,0>", "mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>"],
    &["mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>; mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>"],
];

pub fn in_kernel(statement: &str, before: &str) -> String {
    format!(
        "{before}__attribute__((intel_reqd_sub_group_size(16)))\nkernel void f(global int *p) {{\n  int x = p[0];\n  int y;\n  {statement}\n  p[1] = y;\n}}\n"
    )
}

/// The spellings of a fragment in C: name, text.
fn in_c(lines: &[&str]) -> Vec<(&'static str, String)> {
    let operands = ": \"=rw\"(y) : \"rw\"(x)";
    let quoted = |text: &str| format!("\"{text}\"");
    let one = quoted(&lines.iter().map(|l| format!("{l}\\n")).collect::<Vec<_>>().concat());
    let each: Vec<String> = lines.iter().map(|l| quoted(&format!("{l}\\n"))).collect();
    let pieces: Vec<String> =
        lines.iter().flat_map(|l| l.split_inclusive(' ').map(quoted).chain(["\"\\n\"".to_owned()])).collect();
    let hex: Vec<String> = lines.iter().map(|l| quoted(&format!("{}\\x0a", l.replace(';', "\\073")))).collect();
    let raw = format!("R\"asm({}\n)asm\"", lines.join("\n"));
    let spliced = lines.iter().map(|l| format!("{l}\\n\\\n")).collect::<Vec<_>>().concat();
    let named = one.replace("%0", "%[out]").replace("%1", "%[in]");
    let own = in_kernel(&format!("asm({named} : [out] \"=rw\"(y) : [in] \"rw\"(x));"), "");
    let wrapper = each.join(" \\\n    ");
    let wrapped = format!("#define RUN(y, x) asm volatile({wrapper} \\\n    {operands})\n");
    vec![
        ("one literal", in_kernel(&format!("asm({one} {operands});"), "")),
        (
            "a literal for each line",
            in_kernel(&format!("__asm__ volatile({}\n    {operands});", each.join("\n    ")), ""),
        ),
        ("a literal for each word", in_kernel(&format!("asm({} {operands});", pieces.join(" /* and */ ")), "")),
        ("escapes", in_kernel(&format!("asm({} {operands});", hex.join(" ")), "")),
        ("a raw string", in_kernel(&format!("asm({raw} {operands});"), "")),
        ("continued lines", in_kernel(&format!("asm(\"{spliced}\" {operands});"), "")),
        ("names", own),
        ("a macro", in_kernel("RUN(y, x);", &wrapped)),
        (
            "Windows line ends",
            in_kernel(&format!("asm({}\n    {operands});", each.join("\n    ")), "").replace('\n', "\r\n"),
        ),
    ]
}

fn in_llvm(lines: &[&str]) -> String {
    let text = lines.join("\\0A").replace('%', "$");
    format!(
        "define spir_kernel void @f(i32 %x) !intel_reqd_sub_group_size !0 {{\n  %y = call i32 asm \"{text}\", \"=rw,rw\"(i32 %x)\n  ret void\n}}\n!0 = !{{i32 16}}\n"
    )
}

fn in_mlir(lines: &[&str]) -> String {
    let text = lines.join("\\n").replace('%', "$");
    format!(
        "llvm.func spir_kernelcc @f(%x: i32) attributes {{intel_reqd_sub_group_size = 16 : i32}} {{\n  %y = llvm.inline_asm \"{text}\", \"=rw,rw\" %x : (i32) -> i32\n}}\n"
    )
}

pub fn in_python(lines: &[&str]) -> String {
    let text = lines.join("\n").replace('%', "$");
    format!(
        "def f(x):\n    return tl.inline_asm_elementwise(\"\"\"\n{text}\n\"\"\", constraints=\"=rw,rw\", args=[x])\n"
    )
}

/// What is found, with the text that is marked, whatever the host writes for an operand.
pub fn found(text: &str, language: Language) -> Vec<(&'static str, String)> {
    let options = Options { sub_group: Some(16), ..Options::default() };
    let plain = |marked: &str| {
        let marked = marked.replace("%[out]", "%0").replace("%[in]", "%1").replace('$', "%").replace("\\073", ";");
        // A place that reaches over a literal is cut at its end.
        marked.split(['"', ' ', '\\']).next().unwrap_or("").to_owned()
    };
    check(text, language, &options).iter().map(|d| (d.rule.name, plain(d.primary.span.of(text)))).collect()
}

#[test]
fn every_spelling_of_a_fragment_has_the_same_findings() {
    let mut faults = Vec::new();
    let mut n_found = 0;
    for lines in FRAGMENTS {
        let spellings = in_c(lines);
        let wanted = found(&spellings[0].1, Language::C);
        n_found += usize::from(!wanted.is_empty());
        let others = [("LLVM IR", in_llvm(lines), Language::Llvm), ("MLIR", in_mlir(lines), Language::Mlir)];
        let all = spellings.into_iter().map(|(name, text)| (name, text, Language::C)).chain(others);
        for (name, text, language) in all {
            let seen = found(&text, language);
            if seen != wanted {
                faults.push(format!("{name}: {seen:?}, and not {wanted:?}, in\n{text}"));
            }
        }
        // Nothing says the types of operands there.
        let seen = found(&in_python(lines), Language::Python);
        if seen != wanted {
            faults.push(format!("Python: {seen:?}, and not {wanted:?}, for {lines:?}"));
        }
    }
    assert_eq!(n_found, FRAGMENTS.len() - 1, "all but the first fragment are faulty");
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Statements of other instruction sets, in the kinds of files that also hold vISA.
#[test]
fn other_assemblers_are_left_alone() {
    let sources = [
        (
            "asm volatile(\"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1}, {%2};\\n\" : \"=f\"(a), \"=f\"(b) : \"r\"(c));",
            Language::C,
        ),
        (
            "asm volatile(\"bar.sync 0;\" ::: \"memory\"); asm(\"mov.b32 %0, {%1,%2};\" : \"=r\"(a) : \"h\"(b), \"h\"(c));",
            Language::C,
        ),
        ("__asm__ __volatile__(\"cpuid\" : \"=a\"(a), \"=b\"(b) : \"a\"(0)); /* (M1, 16) */", Language::C),
        ("asm(\"mov %0, %1\\n\\tadd %0, #1\" : \"=&r\"(d) : \"r\"(s)); // rw", Language::C),
        ("asm volatile(\"s_barrier\\nv_mov_b32 %0, 0\" : \"=v\"(d)); int rw;", Language::C),
        ("asm volatile(\"rep movsb\" : \"+D\"(d), \"+S\"(s), \"+c\"(n) :: \"memory\"); // barrier", Language::C),
        (
            "y = tl.inline_asm_elementwise(\"shl.b32 $0, $1, 3;\", \"=r,r\", [x], tl.int32, True, 1) # rw (M1, 16)",
            Language::Python,
        ),
        ("%y = call i32 asm \"bar.warp.sync $1;\", \"=r,r\"(i32 %x) ; rw", Language::Llvm),
    ];
    for (text, language) in sources {
        let host = host::read(text, language, None);
        assert!(host.fragments.is_empty(), "taken for vISA: {text}");
    }
}

#[test]
fn names_and_labels_are_those_of_the_function() {
    let two = |first: &str, second: &str| {
        in_kernel(
            &format!("asm(\"{first}\" : \"=rw\"(y) : \"rw\"(x)); asm(\"{second}\" : \"+rw\"(y) : \"rw\"(x));"),
            "",
        )
    };
    let declare = ".decl tmp v_type=G type=d num_elts=16 align=GRF\\nmov (M1, 16) tmp(0,0)<1> %1(0,0)<1;1,0>\\nmov (M1, 16) %0(0,0)<1> tmp(0,0)<1;1,0>";
    let legal = two(declare, "add (M1, 16) %0(0,0)<1> tmp(0,0)<1;1,0> %1(0,0)<1;1,0>");
    assert_eq!(found(&legal, Language::C), []);
    let wide = two(declare, "mov (M1, 32) tmp(0,0)<1> 0x1:d\\nadd (M1, 16) %0(0,0)<1> tmp(0,0)<1;1,0> 0x1:d");
    assert_eq!(found(&wide, Language::C), [("operand-out-of-bounds", "tmp(0,0)<1>".to_owned())]);
    let write = "mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>";
    let labels = two(&format!("L:\\n{write}"), &format!("{{\\nL:\\n{write}\\n}}"));
    assert_eq!(found(&labels, Language::C), [("duplicate-label", "L".to_owned())]);
    let branches = two(&format!("L:\\n{write}"), &format!("L:\\n{write}"))
        .replace("; asm", ";\n#else\nasm")
        .replace("  asm", "#if A\nasm")
        .replace("\n  p[1]", "\n#endif\n  p[1]");
    assert_eq!(found(&branches, Language::C), [], "{branches}");
}

/// Files that are named are read as what their ending says; folders only when asked.
#[test]
fn hosts_are_checked_when_asked() {
    let scratch = Scratch::new("hosts");
    let bad = in_c(FRAGMENTS[3])[1].1.clone();
    scratch.file("a.cl", &bad);
    scratch.file("b.visaasm", "");
    let (status, out, _) = run(&scratch.0, &["--format", "short", "a.cl"]);
    assert!(status == 1 && out.starts_with("a.cl:5:21: error[unknown-instruction]"), "{status} {out}");
    let (_, out, _) = run(&scratch.0, &["--format", "short", "."]);
    assert!(!out.contains("a.cl"), "{out}");
    let (_, out, _) = run(&scratch.0, &["--hosts", "--format", "short", "."]);
    assert!(out.contains("a.cl:5:21"), "{out}");
    scratch.file("visa-lint.toml", "hosts = true\n");
    let (_, out, _) = run(&scratch.0, &["--format", "short", "."]);
    assert!(out.contains("a.cl:5:21"), "{out}");
}

/// Fixes are written as the host writes text.
#[test]
fn certain_fixes_are_escaped() {
    let fixed = |text: &str, language| {
        visa_lint::base::fix::apply_all(text, |now| check(now, language, &Options::default())).map(|fixed| fixed.text)
    };
    let c = |template: &str| in_kernel(&format!("asm(\"{template}\" : \"=rw\"(y) : \"r\"(x));"), "");
    let mended =
        fixed(&c("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\\nmov (M1_NM, 1) %null(0,0)<1> %0(0,0)<0;1,0>"), Language::C)
            .expect("fixes");
    assert!(mended.contains("\"rw\"(x)") && mended.contains("%%null"), "{mended}");
    let python = |before: &str, template: &str| {
        let call =
            format!("tl.inline_asm_elementwise({template}, \"=rw,rw\", [x], dtype=tl.int32, is_pure=True, pack=1)");
        let text = format!("{before}\n{call}\n");
        fixed(&text, Language::Python).unwrap_or(text)
    };
    let (one, two) = ("not (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "not (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0>");
    let list = format!("S = [\"{one}\",\n     \"{two}\", \"{two}\"]");
    for separator in ["; ", " ", ";", "\\\\n"] {
        let mended = python(&list, &format!("\"{separator}\".join(S)"));
        assert!(mended.starts_with(&list) && mended.contains("(\"\\n\".join(S)"), "{separator}: {mended}");
    }
    // A raw string of one line has no way to write a newline.
    for raw in [format!("r\"{one}; {two}\""), format!("r\"{one}\\n{two}\"")] {
        let mended = python("", &raw);
        assert!(mended.contains(&raw), "{mended}");
    }
    for (plain, wanted) in [
        (format!("\"{one}; {two}\""), format!("\"{one}\\n{two}\"")),
        (format!("\"\"\"{one}; {two}\"\"\""), format!("\"\"\"{one}\n{two}\"\"\"")),
    ] {
        let mended = python("", &plain);
        assert!(mended.contains(&wanted), "{mended}");
    }
}

/// What a change has to escape is decided by the literal it stands in, whatever else is in the statement.
#[test]
fn fixes_follow_the_literal_around_them() {
    let fixed = |text: &str, language| {
        visa_lint::base::fix::apply_all(text, |now| check(now, language, &Options::default()))
            .map_or_else(|| text.to_owned(), |fixed| fixed.text)
    };
    let not = "not (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>";
    let (glued, escaped, broken) = (format!("{not}; {not}"), format!("{not}\\n{not}"), format!("{not}\n{not}"));
    let asm = |template: &str, input: &str| in_kernel(&format!("asm({template} : \"=rw\"(y) : \"rw\"(x{input}));"), "");
    for (template, input, wanted) in [
        (format!("\"{glued}\\n\" R\"({glued})\""), "", format!("\"{escaped}\\n\" R\"({broken})\"")),
        (format!("R\"({glued}\n)\" \"{glued}\""), "", format!("R\"({broken}\n)\" \"{escaped}\"")),
        (format!("\"{glued}\""), " + sizeof(R\"(x)\")", format!("\"{escaped}\"")),
    ] {
        let mended = fixed(&asm(&template, input), Language::C);
        assert!(mended.contains(&wanted), "{mended}");
    }
    let kernel = asm(&format!("\"{glued}\""), "");
    for (quote, wanted) in [("r\"\"\"", &escaped), ("\"\"\"", &glued)] {
        let mended = fixed(&format!("SOURCE = {quote}\n{kernel}\n\"\"\"\n"), Language::Python);
        assert!(mended.contains(wanted.as_str()), "{mended}");
    }
    let mended = fixed(&format!("const char *source = R\"(\n{kernel}\n)\";\n"), Language::C);
    assert!(mended.contains(&escaped), "{mended}");
}

/// Quotes that a fix adds are written as the literal needs them.
#[test]
fn quotes_follow_the_literal_around_them() {
    let not = "not (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>";
    let asm = |template: &str| in_kernel(&format!("asm({template} : \"=rw\"(y) : \"rw\"(x));"), "");
    let python = |quote: &str| {
        let text =
            format!("not (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>{}FILE a.cl", if quote.len() > 3 { "\n" } else { "\\n" });
        let (open, close) = (quote, quote.trim_start_matches('r'));
        format!("tl.inline_asm_elementwise({open}{text}{close}, \"=rw,rw\", [x], tl.int32, True, 1)\n")
    };
    let ir = "%y = call i32 asm \"not (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\\0AFILE a.cl\", \"=rw,rw\"(i32 %x)\n";
    for (text, language, wanted) in [
        (asm(&format!("\"{not}\\nFILE a.cl\"")), Language::C, "FILE \\\"a.cl\\\""),
        (asm(&format!("\"{not}\\n\" R\"(FILE a.cl)\"")), Language::C, "R\"(FILE \"a.cl\")\""),
        (asm(&format!("R\"({not}\n)\" \"FILE a.cl\"")), Language::C, "\"FILE \\\"a.cl\\\"\""),
        (python("\""), Language::Python, "FILE \\\"a.cl\\\""),
        (python("r\"\"\""), Language::Python, "FILE \"a.cl\""),
        (ir.to_owned(), Language::Llvm, "FILE \\22a.cl\\22"),
    ] {
        let fixed = visa_lint::base::fix::apply_all(&text, |now| check(now, language, &Options::default()));
        let mended = fixed.map_or(text, |fixed| fixed.text);
        assert!(mended.contains(wanted), "{mended}");
    }
}

/// The program writes fixes into a host source, as into a text of vISA.
#[test]
fn hosts_are_fixed() {
    let scratch = Scratch::new("hosts-fix");
    let statement = |comma: &str, letter: &str| {
        let template = format!(
            "\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" \"\\n\\tadd (M1, 16) %0(0,0)<1>{comma} %0(0,0)<1;1,0> 0x1:d\""
        );
        in_kernel(&format!("asm({template} : \"=r{letter}\"(y) : \"r{letter}\"(x));"), "")
    };
    scratch.file("a.cl", statement(",", ""));
    let (status, out, _) = run(&scratch.0, &["--diff", "a.cl"]);
    assert!(out.contains("\n-  asm(") && out.contains("\n+  asm("), "{status} {out}");
    let (status, _, err) = run(&scratch.0, &["--fix", "a.cl"]);
    assert!(status == 0 && err.contains("fixed 3 findings"), "{status} {err}");
    assert_eq!(std::fs::read_to_string(scratch.0.join("a.cl")).expect("a source"), statement("", "w"));
}

/// What `expand` prints is vISA that the program itself takes.
#[test]
fn expanded_fragments_are_kernels() {
    let mut n_checked = 0;
    for HostSource { name, language, text } in host_sources() {
        if !name.contains(".good.") || language == Language::C && !name.contains(".good.cl") {
            continue;
        }
        let host = host::read(&text, language, None);
        if host.fragments.is_empty() {
            continue;
        }
        let expanded = expand::expand(&name, &text, &host);
        assert!(expanded.contains(&format!("// {name}:")), "{expanded}");
        // What is not known stays so, and does not assemble.
        if expanded.contains("/* ? */") {
            continue;
        }
        let is_of_text = |d: &&Diagnostic| {
            let rules = ["syntax-error", "undeclared-variable", "unknown-instruction", "malformed-declaration"];
            let of_types = ["unsupported-type", "mixed-operand-types"];
            rules.contains(&d.rule.name) || language != Language::C && of_types.contains(&d.rule.name)
        };
        let errors: Vec<String> = checks::check(&expanded, &Options::default())
            .iter()
            .filter(is_of_text)
            .map(|d| d.message.clone())
            .collect();
        assert!(errors.is_empty(), "{name}: {errors:?}\n{expanded}");
        n_checked += 1;
    }
    assert!(n_checked > 60);
}

/// What the vector backend puts in the place of operands is printed: regions behind names, predicates.
#[test]
fn expanded_operands_of_the_vector_backend_bring_their_regions() {
    let text = r#"
extern "C" _GENX_MAIN_ void k() {
  vector<ushort, 16> m;
  vector<int, 16> a, b;
  asm("cmp.gt (M1, 16) %0 %1 %2" : "=cr"(m) : "r"(a), "r"(b));
  asm("add (M1, 16) %0 %1 %1" : "=r"(a) : "r"(b));
}
"#;
    let expanded = expand::expand("k.cpp", text, &host::read(text, Language::C, None));
    for line in [
        ".decl op0 v_type=P num_elts=32 // \"=cr\"(m)",
        "cmp.gt (M1, 16) op0 op1(0,0)<1;1,0> op2(0,0)<1;1,0>",
        "add (M1, 16) op0(0,0)<1> op1(0,0)<1;1,0> op1(0,0)<1;1,0>",
    ] {
        assert!(expanded.lines().any(|l| l == line), "{line}\n{expanded}");
    }
    let faults = checks::check(&expanded, &Options::default());
    assert!(faults.iter().all(|d| d.level != Level::Error), "{faults:?}");
}

/// Statements of C with what is reported of each, and the text that is marked.
const IN_C: &[(&str, &[&str])] = &[
    (r#"asm("mov (M1, 8) %0(0,0)<1> 0x1:d" : "=rw"(x)); asm("ret;"); asm("add %0, %1" : "=r"(x) : "r"(y));"#, &[]),
    (r#"asm("vfma %0 %1" : "=rw"(x) : "rw"(y));"#, &[]),
    (r#"asm("mov.sat %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(x) : "rw"(y));"#, &["missing-exec-size `mov`"]),
    (r#"asm(".decl T type=d num_elts=8" : : "rw"(x));"#, &["unscoped-declaration `T`", "malformed-declaration `type`"]),
    (r#"asm("sbarrier.wait;" : : "rw"(x));"#, &["syntax-error `;`"]),
    (r#"asm("mov (M1, 8) %a[n](0,0)<1> 0x1:d" : [n] "=rw"(x));"#, &["dropped-statement `%a[n]`"]),
    (r#"asm("mov (M1, 8) %_0(0,0)<1> 0x1:d" : "=rw"(x));"#, &["wrong-escape `%_0`"]),
    (r#"asm("mov (M1, 8) %0(0,0)<1> %r0(0,0)<0;1,0>" : "=rw"(x));"#, &["dropped-statement `%r0`"]),
    (
        r#"asm("mov (M1, 8) %0(0,0)<1> $1(0,0)<1;1,0>\n// $0 and $1" : "=rw"(x) : "rw"(y));"#,
        &["dropped-statement `$1`"],
    ),
    (
        r#"asm("mov (M1, 8) %0(0,0)<1> 0x1:d // one" ".decl T v_type=G type=d num_elts=8\n" : "=rw"(x));"#,
        &["swallowed-instruction `.decl`"],
    ),
    (
        r#"asm("mov (M1, 8) %0(0,0)<1> 0x1:d // one" " two\n" "add (M1, 8) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d" : "=rw"(x));"#,
        &[],
    ),
    (
        r#"asm("mov (M1, 8) %0(0,0)<1> 0x1:d /" "/ " "add (M1, 8) %0(0,0)<1> 0x1:d" : "=rw"(x));"#,
        &["swallowed-instruction `add`"],
    ),
    (r#"asm("mov (M1, 8) %0(0,0)<1> %1" : "=rw"(x) : "P"(-1));"#, &["decimal-overflow `%1`", "missing-type `%1`"]),
    (r#"asm("(%1) mov (M1, 8) %0(0,0)<1> 0x1:d" : "=rw"(x) : "i"(3));"#, &["invalid-predicate `%1`"]),
    (r#"asm("mov (M1, 8) %0(0,0)<1> %1:d" : "=rw"(x) : "i"(3));"#, &["surplus-type `:d`"]),
    (r#"asm("mov (M1, 8) %0(0,0)<1> %1:" : "=rw"(x) : "i"(3));"#, &["syntax-error `:`"]),
    (r#"asm("mov (M1, 8) %0(0,0)<1> %1(0,0\n)" : "=rw"(x) : "i"(3));"#, &["syntax-error `(`"]),
    (r#"asm("mov (M1, 8) %0(0,0)<1> %9" : "=rw"(x) : "r" X(y));"#, &["missing-host-operand `%9`"]),
    (r#"asm("mov (M1, 8) %0(0,0)<1> %9" : "=rw"(x) : X(y));"#, &[]),
];

/// Calls of LLVM IR with what is reported of each.
const IN_LLVM: &[(&str, &[&str])] = &[
    (r#"asm sideeffect "mov (M1, 8) $0(0,0)<1> $1(0,0)<1;1,0> // 5% of %0", "=rw,rw"(i32 %x)"#, &[]),
    (r#"asm sideeffect "mov (M1, 8) $0(0,0)<1> $$1(0,0)<1;1,0>", "=rw,rw"(i32 %x)"#, &["dropped-statement `$$`"]),
    (
        r#"asm sideeffect "mov (M1, 8) $0(0,0)<1> ${1:x}(0,0)<1;1,0>", "=rw,rw"(i32 %x)"#,
        &["dropped-statement `${1:x}`"],
    ),
    (r#"asm sideeffect "mov (M1, 8) $0(0,0)<1> $x1(0,0)<1;1,0>", "=rw,rw"(i32 %x)"#, &["dropped-statement `$x1`"]),
    (
        r#"asm sideeffect "mov (M1, 8) $0(0,0)<1> $1(0,0)<1;1,0>\\nnot (M1, 8) $0(0,0)<1> $0(0,0)<1;1,0>", "=rw,rw"(i32 %x)"#,
        &[r"wrong-escape `\\n`"],
    ),
    (
        r#"asm sideeffect "mov (M1, 8) $0(0,0)<1> $7(0,0)<1;1,0>", "=rw,rw"(i32 %x, i32 %x)"#,
        &["missing-host-operand `=rw,rw`"],
    ),
    (r#"asm sideeffect "mov (M1, 8) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rwu"(i32 %x)"#, &["unknown-constraint `rwu`"]),
    (r#"asm sideeffect "mov (M1, 8) $0(0,0)<1> $1(0,0)<1;1,0>", "=z,z"(i32 %x)"#, &["unknown-constraint `=z`"]),
    (
        r#"asm sideeffect "mov (M1, 8) %0 %1", "=r,r"(i32 %x)"#,
        &[
            "missing-region `%0`",
            "wrong-escape `%0`",
            "missing-region `%1`",
            "wrong-escape `%1`",
            "unknown-constraint `=r`",
        ],
    ),
];

/// Sources of Python with what is reported of each.
const IN_PYTHON: &[(&str, &[&str])] = &[
    (
        r#"T = """mov (M1, 8) $0(0,0)<1> $2(0,0)<1;1,0>"""
inline_asm(T, "=rw,rw", [x])
"#,
        &["missing-host-operand `$2`"],
    ),
    (
        r#"inline_asm_elementwise("mov (M1, 8) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw", [x, y], dtype=tl.int8, is_pure=True, pack=4)
"#,
        &[],
    ),
    (
        r#"inline_asm_elementwise("mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=64)
"#,
        &["unset-output `$1(0,0)<1;1,0>`", "missing-host-operand `=rw,=rw,rw`", "unwritten-output `=rw`"],
    ),
    (
        r#"inline_asm_elementwise("mov (M1, 16) $0(0,0)<1> 0x1:d", "=rw", [], dtype=tl.float8e5, is_pure=True, pack=1)
"#,
        &[],
    ),
    (
        r#"inline_asm(text, "=rw,rx", [x])
"#,
        &[],
    ),
    (
        r#"f(threads_per_warp=8)
f(threads_per_warp=16)
inline_asm_elementwise("mov (M1, 16) $0(0,0)<1> 0x1:d", "=rw", [], dtype=tl.int32, is_pure=True, pack=1)
"#,
        &[],
    ),
    (
        r#"f(threads_per_warp=64)
inline_asm_elementwise("mov (M1, 16) $0(0,0)<1> 0x1:d", "=rw", [], dtype=tl.int32, is_pure=True, pack=1)
"#,
        &[],
    ),
    (
        r#"inline_asm_elementwise("mov (M1, 16) $0(0,0)<1> 0x1:d\nL:", "=rw", [], dtype=tl.int32, is_pure=True, pack=1)
inline_asm("mov (M1, 16) $0(0,0)<1> 0x1:d\nK:", "=rw", [])
"#,
        &["unscoped-label `L`"],
    ),
    (
        r#"out.write(".version 3.6\n.kernel \"k\"\n")
head(out)
out.write("mov (M1, 16) A(0,0)<1> 0x0:d\nret (M1, 1)\n")
"#,
        &[],
    ),
    (
        r#"from string import Template
S = """void f(){ int x; asm("mov (M1, ${n}) %0(0,0)<1> 0x1:dd" : "=rw"(x)); }"""
T = Template(S).substitute(n=16)
"#,
        &["unknown-type `dd`"],
    ),
    (
        r#"inline_asm(f".decl {n}_a v_type=G type=d num_elts=8 {rest}\nmov (M1, 8) k_a(0,0)<1> 0x1:d", "", [])
"#,
        &[],
    ),
    (
        r#"inline_asm(f".decl T v_type=G type=d num_elts=8 {rest}\nmov (M1, 8) k_a(0,0)<1> 0x1:d", "", [])
"#,
        &["undeclared-variable `k_a`"],
    ),
    (
        r#"inline_asm(f".dcl T{rest} {a}\nmov (M1, 8) %null(0,0)<1> 0x1:d", "", [])
"#,
        &[],
    ),
    (
        r#"inline_asm(f"movi.{a}{b} (M1, 8) $0(0,0)<1> 0x1:d{c}!{d}", "=rw", [])
"#,
        &["unknown-instruction `movi`"],
    ),
    (
        r#"inline_asm(f"mov{a} (M1, 8) $0(0,0)<1> {b}!{c}", "=rw", [])
"#,
        &[],
    ),
];

#[test]
fn signs_escapes_and_values_are_told_apart() {
    let in_c = IN_C.iter().map(|(s, wanted)| (Language::C, format!("void f(int x, int y) {{ {s} }}\n"), wanted));
    let in_llvm = IN_LLVM
        .iter()
        .map(|(s, wanted)| (Language::Llvm, format!("define void @k(i32 %x) {{\n  %r = call i32 {s}\n}}\n"), wanted));
    let in_python = IN_PYTHON.iter().map(|(s, wanted)| (Language::Python, (*s).to_owned(), wanted));
    for (language, text, wanted) in in_c.chain(in_llvm).chain(in_python) {
        let mut found: Vec<(u32, String)> = check(&text, language, &Options::default())
            .iter()
            .map(|d| (d.primary.span.start, format!("{} `{}`", d.rule.name, d.primary.span.of(&text))))
            .collect();
        found.sort();
        let mut found: Vec<String> = found.into_iter().map(|(_, found)| found).collect();
        let mut wanted = wanted.to_vec();
        found.sort();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{text}");
    }
}

/// Whatever stands in a file, it is read to its end.
#[test]
fn broken_hosts_are_read() {
    let good = in_c(FRAGMENTS[2])[1].1.clone();
    for end in (0..good.len()).filter(|i| good.is_char_boundary(*i)) {
        for language in [Language::C, Language::Llvm, Language::Mlir, Language::Python] {
            let _ = check(&good[..end], language, &Options::default());
        }
    }
    for text in [
        "{ asm(\"mov (M1, 16) %0(0,0)<1> 0x1:d\" : \"=rw\"(y)); }",
        "asm(",
        "asm(\"(M1, 16)\" : ",
        "asm(\"rw (M1, 16) ${\" : \"=rw\"(y",
        "call asm \"(M1, 16)",
        "llvm.inline_asm \"(M1,",
        "asm(R\"x((M1, 16)",
        "f.asm(f\"{(M1, 16)",
    ] {
        for language in [Language::C, Language::Llvm, Language::Mlir, Language::Python] {
            let _ = check(text, language, &Options::default());
        }
    }
}

/// A server checks host sources when its settings say so.
#[test]
fn the_server_checks_hosts_when_asked() {
    use visa_lint::lsp::analysis::Analysis;
    use visa_lint::lsp::settings::Settings;
    use visa_lint::lsp::text::Text;
    let text = in_c(FRAGMENTS[3])[1].1.clone();
    let on = Settings { hosts: true, ..Settings::default() };
    let (rules, _) = on.rules("file:///nowhere/a.cl");
    assert!(!rules.is_excluded && rules.options.host == Some(Language::C));
    let analysis = Analysis::new(std::sync::Arc::new(Text::new(text)), &rules.options);
    assert_eq!(analysis.findings.iter().map(|d| analysis.text_of(d.primary.span)).collect::<Vec<_>>(), ["movi"]);
    let (rules, _) = Settings::default().rules("file:///nowhere/a.cl");
    assert!(rules.is_excluded);
    let (rules, _) = Settings::default().rules("file:///nowhere/a.visaasm");
    assert!(!rules.is_excluded && rules.options.host.is_none());
}

/// Statements without operands and masks have the mnemonic alone for a sign.
#[test]
fn a_mnemonic_of_its_own_is_a_sign() {
    for text in
        ["fence_sw", "sbarrier.signal", "nbarrier.wait 0x1:ub", "svm_block_st (4) a b.0", "lsc_fence.ugm.none.group"]
    {
        let source = format!("#define FENCE() __asm__ volatile(\"{text}\" : : :)\n");
        assert_eq!(host::read(&source, Language::C, None).fragments.len(), 1, "{text}");
    }
}
