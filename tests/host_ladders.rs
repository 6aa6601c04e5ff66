//! Host sources in which something stands once, twice and so on: how often it may before it is read as something else is blessed
//! in `tests/snapshots/variations/host_ladders.txt`, so that each bound of the readers shows.

use crate::support::{blessed, check_sum_of, tests_folder};
use crate::words::Said;
use rayon::prelude::*;
use std::fmt::Write as _;
use visa_lint::checks::{self, Options};
use visa_lint::host::{self, Language, expand};

/// So often something stands in the sources of a ladder: up to most bounds, and around the greater ones.
fn steps() -> impl Iterator<Item = usize> {
    (0..=34).chain(47..=49).chain(62..=67).chain(95..=98)
}

/// What stands before, n times, and behind. `@` is the number of each from 0, `@+` the one after it.
type Ladder = (&'static str, &'static str, &'static str);

const IN_C: [Ladder; 44] = [
    (
        "void f(int x, int y) { asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x)",
        ", \"rw\"(x)",
        "); }",
    ),
    ("void f(int x, int y) { asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x", " + x", ")); }"),
    (
        "void f(int x, int y) { asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(",
        "(short)",
        "x)); }",
    ),
    ("void f(long x, int y) { asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x", ".x", ")); }"),
    ("void f(int *x, int y) { asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x", "[0]", ")); }"),
    (
        "void f(int *x, int y) { asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(g(x",
        ", x",
        "))); }",
    ),
    (
        "void f(int y) { const ",
        "const ",
        "short x = 1; asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x)); }",
    ),
    (
        "void f(int y",
        ", short x@",
        ") { short x; asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x)); }",
    ),
    (
        "void f(int y) { short z",
        ", x@",
        "; asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x3)); }",
    ),
    ("void f(int y) { short x; ", "{ ", "asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x)); }"),
    (
        "typedef short A0;\n",
        "typedef A@ A@+;\n",
        "void f(int y) { A17 x; asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x)); }",
    ),
    (
        "struct S { ",
        "int a@; ",
        "short x; };\nvoid f(int y) { struct S s; asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(s.x)); }",
    ),
    (
        "struct S { ",
        "int a@(int b) { return b; } ",
        "short x; };\nvoid f(int y) { struct S s; asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(s.x)); }",
    ),
    (
        "struct S ",
        ": T@ ",
        "{ short x; };\nvoid f(int y) { struct S s; asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(s.x)); }",
    ),
    (
        "template <class T",
        ", class U@",
        "> struct S { T x; };\nvoid f(int y, S<short> s) { asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(s.x)); }",
    ),
    (
        "template <class T> struct S { ",
        "int a@; ",
        "T x; };\nvoid f(int y, S<short> s) { asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(s.x)); }",
    ),
    (
        "template <class T> struct S { T x; };\n",
        "S<float> s@;\n",
        "void f(int y, S<short> s) { asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(s.x)); }",
    ),
    (
        "",
        "namespace n@ { ",
        "struct S { short x; }; }\nvoid f(int y, S s) { asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(s.x)); }",
    ),
    ("void f(int y, ", "n@::", "S s) { asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(s)); }"),
    (
        "constexpr int N = 1",
        " + 1",
        ";\nvoid f(int y) { asm(\"mov (M1, 16) %0(0,0)<1> %1\" : \"=rw\"(y) : \"i\"(N)); }",
    ),
    ("constexpr int N = ", "(", "1;\nvoid f(int y) { asm(\"mov (M1, 16) %0(0,0)<1> %1\" : \"=rw\"(y) : \"i\"(N)); }"),
    (
        "constexpr int N0 = 1;\n",
        "constexpr int N@+ = N@ * 2;\n",
        "typedef float V __attribute__((ext_vector_type(N2)));\nvoid f(int y, V v) { asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(v)); }",
    ),
    (
        "typedef float V __attribute__((ext_vector_type(1",
        " + 1",
        ")));\nvoid f(int y, V v) { asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(v)); }",
    ),
    ("enum E { ", "A@, ", "B };\nvoid f(int y) { asm(\"mov (M1, 16) %0(0,0)<1> %1\" : \"=rw\"(y) : \"i\"(B)); }"),
    ("#define M0 \"mov (M1, 16) %0(0,0)<1> 0x1:d\"\n", "#define M@+ M@\n", "void f(int y) { asm(M16 : \"=rw\"(y)); }"),
    ("#define M(a", ", b@", ") \"mov (M1, 16) %0(0,0)<1> \" #a \":d\"\nvoid f(int y) { asm(M(1, 2) : \"=rw\"(y)); }"),
    (
        "#define M(a, ...) \"mov (M1, 16) %0(0,0)<1> \" #a \":d\\n\" #__VA_ARGS__\nvoid f(int y) { asm(M(1",
        ", @",
        ") : \"=rw\"(y)); }",
    ),
    ("#define M \"mov (M1, 16) %0(0,0)<1> 0x1:d\\n\"\nvoid f(int y) { asm(M", " M", " : \"=rw\"(y)); }"),
    (
        "#if A0\n#define T \"u\"\n",
        "#elif A@\n#define T \"d\"\n",
        "#endif\nvoid f(int y) { asm(\"mov (M1, 16) %0(0,0)<1> 0x1:\" T : \"=rw\"(y)); }",
    ),
    ("", "#if A@\n", "void f(int y) { asm(\"mov (M1, 16) %0(0,0)<1> 0x1:dd\" : \"=rw\"(y)); }"),
    ("#define N g(", "(", "1)\nvoid f(int y) { asm(\"mov (M1, 16) %0(0,0)<1> %1\" : \"=rw\"(y) : \"i\"(N)); }"),
    (
        "__attribute__((intel_reqd_sub_group_size(16))) ",
        "__attribute__((a@)) ",
        "kernel void f(int y) { asm(\"mov (M1, 32) %0(0,0)<1> 0x1:d\" : \"=rw\"(y)); }",
    ),
    (
        "__attribute__((intel_reqd_sub_group_size(16)))\n",
        "/* */\n",
        "kernel void f(int y) { asm(\"mov (M1, 32) %0(0,0)<1> 0x1:d\" : \"=rw\"(y)); }",
    ),
    (
        "int g(int y) { asm(\"mov (M1, 32) %0(0,0)<1> 0x1:d\" : \"=rw\"(y)); return y; }\n",
        "kernel __attribute__((intel_reqd_sub_group_size(16))) void k@() { g(1); }\n",
        "",
    ),
    (
        "int g(int y) { asm(\"mov (M1, 32) %0(0,0)<1> 0x1:d\" : \"=rw\"(y)); return y; }\n",
        "int h@(int y) { return g(y); }\n",
        "kernel __attribute__((intel_reqd_sub_group_size(16))) void k() { h3(1); }\n",
    ),
    (
        "void g(std::ostream &out, int n) { out << \"mov (M1, 16) V1(0,0)<1> V2(0,0)<1;1,0>\\n\"",
        " << n << \"add (M1, 16) V1(0,0)<1> V1(0,0)<1;1,0> 0x1:d\\n\"",
        "; }",
    ),
    (
        "std::string g(int n) { std::string s = \"mov (M1, 16) V1(0,0)<1> V2(0,0)<1;1,0>\\n\";",
        " s += \"add (M1, 16) V\" + std::to_string(n) + \"(0,0)<1> V1(0,0)<1;1,0> 0x1:d\\n\";",
        " return s; }",
    ),
    ("void g(char *out, int n) { sprintf(out, \"mov (M1, 16) V1(0,0)<1> ", "%d ,", "\", n); }"),
    ("void g(char *out, int n) { sprintf(out, \"mov (M1, 16) V1(0,0)<1> V2(0,0)<1;1,0> // %d\\n\"", ", n", "); }"),
    (
        "void g() { h(\"mov (M1, 16) V1(0,0)<1> V2(0,0)<1;1,0>\\n\"",
        " \"mov (M1, 16) V@(0,0)<1> V2(0,0)<1;1,0>\\n\"",
        "); }",
    ),
    ("void g() { h(", "a@, ", "\"mov (M1, 16) V1(0,0)<1> V2(0,0)<1;1,0>\\n\"); }"),
    (
        "const char *lines[] = { \"mov (M1, 16) V1(0,0)<1> V2(0,0)<1;1,0>\\n\"",
        ", \"mov (M1, 16) V@(0,0)<1> V2(0,0)<1;1,0>\\n\"",
        " };",
    ),
    ("void f(int x, int y) { x = 1; ", "y += x; ", "asm(\"mov (M1, 16) %0(0,0)<1> %1\" : \"=rw\"(y) : \"i\"(x)); }"),
    (
        "void f(int y) { auto x = [&](",
        "int a@, ",
        "int b) { return 1; }; asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x)); }",
    ),
];

const IN_PYTHON: [Ladder; 20] = [
    (
        "y = tl.inline_asm_elementwise(f\"mov (M1, 16) $0(0,0)<1> ",
        "{a@} , ",
        "\", \"=rw,rw\", [x], tl.int32, True, 1)\n",
    ),
    (
        "y = tl.inline_asm_elementwise(f\"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\\n",
        "{a@}, {b@}\\n",
        "\", \"=rw,rw\", [x], tl.int32, True, 1)\n",
    ),
    (
        "y = tl.inline_asm_elementwise(\"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\\n\"",
        " + \"// @\\n\"",
        ", \"=rw,rw\", [x], tl.int32, True, 1)\n",
    ),
    (
        "y = tl.inline_asm_elementwise(\"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\\n\"",
        " \"// @\\n\"",
        ", \"=rw,rw\", [x], tl.int32, True, 1)\n",
    ),
    (
        "y = tl.inline_asm_elementwise(",
        "(",
        "\"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\\n\", \"=rw,rw\", [x], tl.int32, True, 1)\n",
    ),
    (
        "L = [\"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\"",
        ", \"// @\"",
        "]\ny = tl.inline_asm_elementwise(\"\\n\".join(L), \"=rw,rw\", [x], tl.int32, True, 1)\n",
    ),
    (
        "D = {\"a\": \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\"",
        ", \"b@\": \"// @\"",
        "}\ny = tl.inline_asm_elementwise(D[\"a\"], \"=rw,rw\", [x], tl.int32, True, 1)\n",
    ),
    (
        "T = \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\"\n",
        "T += \"// @\\n\"\n",
        "y = tl.inline_asm_elementwise(T, \"=rw,rw\", [x], tl.int32, True, 1)\n",
    ),
    (
        "T0 = \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\"\n",
        "T@+ = T@\n",
        "y = tl.inline_asm_elementwise(T16, \"=rw,rw\", [x], tl.int32, True, 1)\n",
    ),
    (
        "",
        "T@ = ",
        "\"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\"\ny = tl.inline_asm_elementwise(T1, \"=rw,rw\", [x], tl.int32, True, 1)\n",
    ),
    (
        "if a:\n  T = \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\"\n",
        "elif b@:\n  T = \"mov (M1, @) $0(0,0)<1> $1(0,0)<1;1,0>\"\n",
        "y = tl.inline_asm_elementwise(T, \"=rw,rw\", [x], tl.int32, True, 1)\n",
    ),
    (
        "T = \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\" if a",
        " else \"mov (M1, @) $0(0,0)<1> $1(0,0)<1;1,0>\" if b@",
        " else \"\"\ny = tl.inline_asm_elementwise(T, \"=rw,rw\", [x], tl.int32, True, 1)\n",
    ),
    (
        "def t(a",
        ", b@=1",
        "):\n  return \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\" + a\ny = tl.inline_asm_elementwise(t(\"// a\"), \"=rw,rw\", [x], tl.int32, True, 1)\n",
    ),
    (
        "t = lambda a",
        ", b@",
        ": \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\" + a\ny = tl.inline_asm_elementwise(t(\"// a\"), \"=rw,rw\", [x], tl.int32, True, 1)\n",
    ),
    (
        "y = tl.inline_asm_elementwise(\"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> // {}\".format(1",
        ", @",
        "), \"=rw,rw\", [x], tl.int32, True, 1)\n",
    ),
    (
        "y = tl.inline_asm_elementwise(\"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\"",
        ".replace(\"a@\", \"b\")",
        ", \"=rw,rw\", [x], tl.int32, True, 1)\n",
    ),
    (
        "y = tl.inline_asm_elementwise(\"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\", \"=rw,rw",
        ",rw",
        "\", [x], tl.int32, True, 1)\n",
    ),
    (
        "y = tl.inline_asm_elementwise(\"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\", \"=rw,rw\", [x",
        ", x",
        "], tl.int32, True, 1)\n",
    ),
    ("", "class C@:\n ", "T = \"mov (M1, 16) V1(0,0)<1> V2(0,0)<1;1,0>:\"\n"),
    (
        "out = []\nout.append(\"mov (M1, 16) V1(0,0)<1> V2(0,0)<1;1,0>\")\n",
        "out.append(\"mov (M1, 16) V@(0,0)<1> V2(0,0)<1;1,0>\")\n",
        "f(\"\\n\".join(out))\n",
    ),
];

const IN_LLVM: [Ladder; 4] = [
    (
        "define void @k(i32 %x) {\n  %r = call i32 asm \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\", \"=rw,rw",
        ",rw",
        "\"(i32 %x)\n}\n",
    ),
    (
        "define void @k(i32 %x) {\n  %r = call i32 asm \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\", \"=rw,rw\"(i32 %x",
        ", i32 %x",
        ")\n}\n",
    ),
    (
        "define void @k(i32 %x) {\n  %r = call i32 ",
        "\n",
        "asm \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\", \"=rw,rw\"(i32 %x)\n}\n",
    ),
    (
        "define void @k(i32 %x) {\n  %r = call i32 asm ",
        "sideeffect ",
        "\"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\", \"=rw,rw\"(i32 %x)\n}\n",
    ),
];

const IN_MLIR: [Ladder; 3] = [
    (
        "llvm.func @f(%x: i32) {\n  %y = llvm.inline_asm ",
        "\n",
        "\"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\", \"=rw,rw\" %x : (i32) -> i32\n}\n",
    ),
    (
        "llvm.func @f(%x: i32) {\n  %y = llvm.inline_asm \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\", \"=rw,rw\" %x",
        ", %x",
        " : (i32) -> i32\n}\n",
    ),
    (
        "llvm.func @f(%x: i32) {\n  %y = llvm.inline_asm \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\", \"=rw,rw\" %x : (i32",
        ", i32",
        ") -> i32\n}\n",
    ),
];

/// At how many what is read or found is of another kind: how many statements with how many open operands, and which findings;
/// behind it a check sum of all.
fn said(language: Language, (before, each, behind): &Ladder) -> String {
    let options = Options { pedantic: true, ..Options::default() };
    let head: String = format!("{each} | {}", &before[before.len().saturating_sub(40)..]).replace('\n', " ");
    let (mut out, mut all, mut last) = (format!("{head}:"), Said::default(), String::new());
    let mut sum = 0_u32;
    for n in steps() {
        let of = |i: usize| each.replace("@+", &(i + 1).to_string()).replace('@', &i.to_string());
        let all_of_them: String = (0..n).map(of).collect();
        let text = [before, all_of_them.as_str(), behind].concat();
        let host = host::read(&text, language, None);
        let found = checks::fragment::check_host(&text, &host, &options, None).diagnostics;
        let mut rules: Vec<&str> = found.iter().map(|d| d.rule.name).collect();
        rules.sort_unstable();
        rules.dedup();
        let n_open = expand::expand("a", &text, &host).matches("are not known").count();
        let kind = format!("{} {n_open} {}", host.fragments.len(), rules.join(" "));
        if kind != last {
            let _ = write!(out, " {n}: {kind};");
            last = kind;
        }
        all.note(&text, &found);
        sum = sum.wrapping_add(check_sum_of(&host));
    }
    format!("{out} {all} {sum:08x}\n")
}

#[test]
fn bounds_of_hosts_are_where_they_are_blessed() {
    let of = |language| move |ladder: &'static Ladder| (language, ladder);
    let in_others = IN_LLVM.iter().map(of(Language::Llvm)).chain(IN_MLIR.iter().map(of(Language::Mlir)));
    let all = IN_C.iter().map(of(Language::C)).chain(IN_PYTHON.iter().map(of(Language::Python))).chain(in_others);
    let all: Vec<(Language, &Ladder)> = all.collect();
    let said: String = all.par_iter().map(|(language, ladder)| said(*language, ladder)).collect();
    blessed(&tests_folder().join("snapshots/variations/host_ladders.txt"), &said);
}
