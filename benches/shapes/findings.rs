//! Shapes of what is found: faults, reports, suppressions, settings, and statements of host sources.

use crate::shape::{Shape, body, kernel, parts};
use std::fmt::Write as _;

/// One that reads and writes `b`.
const C_STATEMENT: &str = "asm(\"add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d\\n\" : \"+rw\"(b));";

/// Statements of Python whose texts ask for what names may be given elsewhere: by loops, parameters and calls.
const NAMES: &str = "n = 1\nL = [\"mov (M1, 16) V1(0,0)<1> V2(0,0)<1;1,0>\"]\ny = \"\\n\".join(L)\n\
    z = inline_asm(f\"mov (M1, 16) $0(0,0)<1> {n}{a + 1}(0,0)<1;1,0>\", \"=rw,rw\", [x])\n";

pub const SHAPES: &[Shape] = &[
    Shape::new("one name declared again and again", 1000, |n| {
        kernel(&parts(n, |_, t| writeln!(t, ".decl W v_type=G type=d num_elts=8 align=GRF")), "")
    }),
    Shape::new("kernels of one name", 200, |n| {
        let all = parts(n, |_, t| {
            writeln!(t, ".kernel \"k\"\n.kernel_attr Target=\"cm\"\n.function \"k\"\nk:\n    ret (M1, 1)")
        });
        format!(".version 4.1\n{all}")
    }),
    Shape::new("one label again and again", 1000, |n| body(n, |_, t| writeln!(t, "L:\n    mov (M1, 8) V32(0,0)<1> 1:d"))),
    Shape::new("unknown instructions", 700, |n| body(n, |_, t| writeln!(t, "    rett (M1, 1)"))),
    Shape::new("unknown instructions of different names", 700, |n| body(n, |i, t| writeln!(t, "    rett{i} (M1, 1)"))),
    Shape::new("undeclared variables", 1000, |n| body(n, |i, t| writeln!(t, "    mov (M1, 8) W{i}(0,0)<1> 1:d"))),
    Shape::new("nearly declared variables", 300, |n| {
        let known = parts(n, |i, t| writeln!(t, ".decl Variable{i} v_type=G type=d num_elts=8 align=GRF"));
        kernel(&known, &parts(n, |i, t| writeln!(t, "    mov (M1, 8) Variabel{i}(0,0)<1> 1:d")))
    }),
    Shape::new("unknown labels", 1000, |n| body(n, |i, t| writeln!(t, "    jmp (M1, 1) Nowhere{i}"))),
    Shape::new("statements that are no statements", 1000, |n| body(n, |_, t| writeln!(t, "    ) ( ] [ > <"))),
    Shape::new("open brackets", 1000, |n| body(n, |_, t| writeln!(t, "    mov (M1, 8) V32(0,0"))),
    Shape::new("rules in one comment", 1000, |n| {
        kernel("", &format!("    barrier // visa-lint: allow({}) so\n", vec!["unknown-instruction"; n].join(",")))
    }),
    Shape::new("unknown rules in one comment", 1000, |n| {
        kernel("", &format!("    barrier // visa-lint: allow({}) so\n", vec!["a"; n].join(",")))
    }),
    Shape::new("comments that suppress", 500, |n| {
        body(n, |_, t| writeln!(t, "    rett (M1, 1) // visa-lint: allow(unknown-instruction) so"))
    }),
    Shape::new("comments that suppress nothing", 500, |n| {
        body(n, |_, t| writeln!(t, "    barrier // visa-lint: allow(unknown-instruction) so"))
    }),
    Shape::new("text of another language", 500, |n| parts(n, |i, t| writeln!(t, "int f{i}(void) {{ return {i}; }}"))),
    Shape::new("fixes", 500, |n| body(n, |_, t| writeln!(t, "    MOV (M0, 8) V32(0,0)<1>, 1:d"))).with(&["--diff"]),
    Shape::new("fixes that follow each other", 500, |n| {
        kernel("", &format!("    barrier // visa-lint: allow({}) so\n", vec!["unknown-instruction"; n].join(",")))
    }).with(&["--diff"]),
    Shape::new("findings as JSON", 500, |n| body(n, |i, t| writeln!(t, "    rett{i} (M1, 1)"))).with(&["--format", "json"]),
    Shape::new("findings as SARIF", 500, |n| body(n, |i, t| writeln!(t, "    rett{i} (M1, 1)"))).with(&["--format", "sarif"]),
    Shape::new("findings as JUnit", 500, |n| body(n, |i, t| writeln!(t, "    rett{i} (M1, 1)"))).with(&["--format", "junit"]),
    Shape::new("findings in one line as GitLab report", 500, |n| {
        kernel("", &format!("    barrier // visa-lint: allow({}) so\n", vec!["a"; n].join(",")))
    }).with(&["--format", "gitlab"]),
    Shape::new("findings in words", 500, |n| body(n, |i, t| writeln!(t, "    rett{i} (M1, 1)"))),
    Shape::new("findings in one line each", 500, |n| body(n, |i, t| writeln!(t, "    rett{i} (M1, 1)")))
        .with(&["--format", "short"]),
    Shape::new("findings as annotations", 500, |n| body(n, |i, t| writeln!(t, "    rett{i} (M1, 1)")))
        .with(&["--format", "github"]),
    Shape::new("findings in one line in words", 300, |n| {
        kernel("", &format!("    barrier // visa-lint: allow({}) so\n", vec!["a"; n].join(",")))
    }),
    Shape::new("findings in one line as SARIF", 300, |n| {
        kernel("", &format!("    barrier // visa-lint: allow({}) so\n", vec!["a"; n].join(",")))
    })
    .with(&["--format", "sarif"]),
    Shape::new("findings in one line as JSON", 300, |n| {
        kernel("", &format!("    barrier // visa-lint: allow({}) so\n", vec!["a"; n].join(",")))
    })
    .with(&["--format", "json"]),
    Shape::new("wrong types", 500, |n| body(n, |_, t| writeln!(t, "    add (M1, 16) V32(0,0)<1> V32(0,0)<8;8,1> V32.0"))),
    Shape::new("operands beyond their variables", 500, |n| {
        body(n, |_, t| writeln!(t, "    mov (M1, 16) V32(9,0)<1> V33(9,0)<8;8,1>"))
    }),
    Shape::new("a kernel for every platform", 500, |n| {
        body(n, |_, t| writeln!(t, "    mov (M1, 16) V32(0,0)<1> V33(9,0)<8;8,1>"))
    })
    .with(&["--pedantic", "--platform", "dg2,pvc,xe2"]),
    Shape::new("kernels that suppress", 200, |n| {
        let all = parts(n, |i, t| {
            writeln!(t, ".kernel \"k{i}\"\n// visa-lint: allow-kernel(unknown-instruction) so\n.kernel_attr Target=\"cm\"\n.function \"k{i}\"\nk{i}:\n    rett (M1, 1)\n    ret (M1, 1)")
        });
        format!(".version 4.1\n{all}")
    }),
    Shape::new("overrides in the settings", 300, |n| {
        parts(n, |i, t| writeln!(t, "[[overrides]]\npaths = [\"a{i}/*.visaasm\"]\nrules.unknown-instruction = \"warn\"\n"))
    })
    .of_settings(),
    Shape::new("paths that the settings leave out", 300, |n| {
        let all: Vec<String> = (0..n).map(|i| format!("\"a{i}/**/*.visaasm\"")).collect();
        format!("exclude = [{}]\n", all.join(", "))
    })
    .of_settings(),
    Shape::new("statements of C", 100, |n| {
        parts(n, |i, t| {
            writeln!(t, "int f{i}(int a) {{ int b; asm(\"add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 1:d\" : \"=rw\"(b) : \"rw\"(a)); return b; }}")
        })
    })
    .in_file("shape.cl"),
    Shape::new("one long statement of C", 200, |n| {
        let lines = parts(n, |_, t| writeln!(t, "\"add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 1:d\\n\""));
        format!("int f(int a) {{ int b; asm({lines} : \"=rw\"(b) : \"rw\"(a)); return b; }}\n")
    })
    .in_file("shape.cl"),
    Shape::new("macros of C", 3000, |n| {
        let macros = parts(n, |i, t| writeln!(t, "#define M{} M{i}", i + 1));
        format!("#define M0 \"barrier\"\n{macros}void f(void) {{ asm(M{n}); }}\n")
    })
    .in_file("shape.cl"),
    Shape::new("macros of C that double", 10, |n| {
        let macros = parts(n, |i, t| writeln!(t, "#define M{} M{i} M{i}", i + 1));
        format!("#define M0 \"barrier\\n\"\n{macros}void f(void) {{ asm(M{n}); }}\n")
    })
    .in_file("shape.cl"),
    Shape::new("uses of a long macro of C", 150, |n| {
        let lines = parts(n, |_, t| writeln!(t, "\"add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d\\n\" \\"));
        let uses = parts(n, |_, t| writeln!(t, "asm(M : \"+rw\"(b));"));
        format!("#define M \\\n{lines}\"\"\nint f(int b) {{ {uses} return b; }}\n")
    })
    .in_file("shape.cl"),
    Shape::new("functions headed by a long macro of C", 500, |n| {
        let heads = parts(n, |i, t| writeln!(t, "M void f{i}(void) {{ }}"));
        format!("#define M {}\n{heads}int g(int b) {{ {C_STATEMENT} return b; }}\n", "x ".repeat(n))
    })
    .in_file("shape.cl"),
    Shape::new("brackets around an operand of C", 1000, |n| {
        let operand = format!("{}b{}", "(".repeat(n), ")".repeat(n));
        let asm = format!("asm(\"add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0x1:d\\n\" : \"=rw\"(a) : \"rw\"({operand}));");
        format!("int g(int b) {{ int a; {asm} return a; }}\n")
    })
    .in_file("shape.cl"),
    Shape::new("brackets of C", 2000, |n| {
        format!("void f(int b) {{ {C_STATEMENT} {}1{}; }}\n", "(".repeat(n), ")".repeat(n))
    })
    .in_file("shape.cl"),
    Shape::new("names of types of C", 1000, |n| {
        let names = parts(n, |i, t| writeln!(t, "typedef T{i} T{};", i + 1));
        format!("typedef int T0;\n{names}void f(T{n} b) {{ {C_STATEMENT} }}\n")
    })
    .in_file("shape.cl"),
    Shape::new("variables of C that are copies", 1000, |n| {
        let copies = parts(n, |i, t| writeln!(t, "auto v{} = v{i};", i + 1));
        format!("void f(int v0) {{ {copies} int b = v{n}; {C_STATEMENT} }}\n")
    })
    .in_file("shape.cl"),
    Shape::new("structures of C in structures", 500, |n| {
        let structures = format!("{}int x; {}", "struct S { ".repeat(n), "} s; ".repeat(n));
        format!("{structures}void f(int b) {{ {C_STATEMENT} }}\n")
    })
    .in_file("shape.cl"),
    Shape::new("statements of C in braces", 500, |n| {
        format!("void f(int b) {{ {}{} }}\n", format!("{{ {C_STATEMENT} ").repeat(n), "}".repeat(n))
    })
    .in_file("shape.cl"),
    Shape::new("aliases of a class, and statements in it", 100, |n| {
        let aliases = parts(n, |i, t| writeln!(t, "using T{i} = {};", if i == 0 { "int".to_owned() } else { format!("T{}", i - 1) }));
        let statements = parts(n, |i, t| writeln!(t, "T{i} v{i}; void f{i}() {{ T{i} b = v{i}; {C_STATEMENT} }}"));
        format!("struct s {{\n{aliases}{statements}}};\n")
    })
    .in_file("shape.cpp"),
    Shape::new("namespaces of C++ in namespaces", 500, |n| {
        let spaces = parts(n, |i, t| writeln!(t, "namespace n{i} {{"));
        format!("{spaces}void f(int b) {{ {C_STATEMENT} }} {}\n", "}".repeat(n))
    })
    .in_file("shape.cpp"),
    Shape::new("members of one structure of C", 1000, |n| {
        let members = parts(n, |i, t| writeln!(t, "int m{i};"));
        format!("struct s {{\n{members}}};\nvoid f(struct s *p) {{ int b = p->m1; {C_STATEMENT} }}\n")
    })
    .in_file("shape.cl"),
    Shape::new("classes of C++ in classes, with statements", 100, |n| {
        let classes = parts(n, |i, t| writeln!(t, "struct c{i} {{ void f(int b) {{ {C_STATEMENT} }}"));
        format!("{classes}{}\n", "};".repeat(n))
    })
    .in_file("shape.cpp"),
    Shape::new("calls of one template of C++", 500, |n| {
        let calls = parts(n, |i, t| writeln!(t, "void g{i}(int x) {{ f(x); }}"));
        format!("template <class T> void f(T b) {{ {C_STATEMENT} }}\n{calls}")
    })
    .in_file("shape.cpp"),
    Shape::new("functions of C++ that emit lines", 500, |n| {
        let line = "emit(\"mov (M1, 16) V1(0,0)<1> 0x0:d\");";
        parts(n, |i, t| writeln!(t, "void f{i}() {{ {line} {line} }}"))
    })
    .in_file("shape.cpp"),
    Shape::new("calls of C++ that emit lines", 500, |n| {
        let lines = parts(n, |_, t| writeln!(t, "emit(\"mov (M1, 16) V1(0,0)<1> 0x0:d\");"));
        format!("void f() {{\n{lines}emit(\"barier\");\n}}\n")
    })
    .in_file("shape.cpp"),
    Shape::new("streams that calls of C++ give", 500, |n| {
        let line = |i| format!("open({i}, (g(h({i})))) << \"mov (M1, 16) V1(0,0)<1> 0x0:d\\n\" << {i};");
        parts(n, |i, t| writeln!(t, "void f{i}() {{ {} else *a->b[{i}] << \"add\"; }}", line(i)))
    })
    .in_file("shape.cpp"),
    Shape::new("arguments of C with macros that # makes a string of", 200, |n| {
        let lines = "mov (M1, LANES) %0(0,0)<1> 0x1:d ".repeat(n);
        let macros = "#define LANES 16\n#define STR(...) #__VA_ARGS__\n#define TEXT(...) STR(__VA_ARGS__)\n";
        format!("{macros}void f(int b) {{ asm(TEXT({lines}) : \"=rw\"(b)); }}\n")
    })
    .in_file("shape.cpp"),
    Shape::new("uses of a macro with a fault that comments suppress", 100, |n| {
        let macros = "#define RUN(b) asm(\"movi (M1, 16) %0(0,0)<1> 0x1:d\" : \"=rw\"(b))\n";
        let uses = parts(n, |_, t| writeln!(t, "// visa-lint: allow(unknown-instruction) tried\nRUN(b);"));
        format!("{macros}void f(int b) {{\n{uses}}}\n")
    })
    .in_file("shape.cpp"),
    Shape::new("structures that class templates of C++ become", 200, |n| {
        let uses = parts(n, |i, t| writeln!(t, "void f{i}(T<{i}> &a) {{ int b = a.v[0]; {C_STATEMENT} }}"));
        format!("template <int N> struct T {{ int v[N]; int w; }};\n{uses}")
    })
    .in_file("shape.cpp"),
    Shape::new("branches of C++ that declare", 200, |n| {
        let line = |i| format!("s += \".decl V{i} v_type=G type=d num_elts=16 align=GRF\\n\";");
        let branches = parts(n, |i, t| writeln!(t, "if (a > {i}) {{ {} }}", line(100 + i)));
        format!("std::string f(int a) {{ std::string s; s += \"mov (M1, 16) V1(0,0)<1> 0x0:d\\n\";\n{branches}return s; }}\n")
    })
    .in_file("shape.cpp"),
    Shape::new("lines that C++ joins with +", 500, |n| {
        let lines = vec!["\"mov (M1, 16) \" + a + \"(0,0)<1> 0x0\\n\""; n].join(" + ");
        format!("void f(std::string a) {{ emit({lines}); }}\n")
    })
    .in_file("shape.cpp"),
    Shape::new("calls of C++ with many strings", 20, |n| {
        let strings = "\"mov (M1, 16) a(0,0)<1> b(0,0)<1;1,0>\\n\" ".repeat(26);
        format!("void f() {{\n{}}}\n", format!("emit({strings});\n").repeat(n))
    })
    .in_file("shape.cpp"),
    Shape::new("pieces of one call of C++", 100, |n| {
        let pieces = "a, \"(0,0)<1> 0x0:d\\nmov (M1, 16) V\", ".repeat(n);
        format!("void f(int a) {{ print(os, \"mov (M1, 16) V\", {pieces}a, \"(0,0)<1> 0x0:d\"); }}\n")
    })
    .in_file("shape.cpp"),
    Shape::new("calls of C++ with pieces", 300, |n| {
        let calls = parts(n, |_, t| writeln!(t, "print(os, \"mov (M1, 16) V\", a, \"(0,0)<1> 0x0:d\\n\");"));
        format!("void f(int a) {{\n{calls}}}\n")
    })
    .in_file("shape.cpp"),
    Shape::new("marks in a line of a text of C++", 500, |n| {
        let marks = "@N@ {{ n }} ${N} @ { $ __N__ % < ".repeat(n);
        format!("const char *t = \"mov (M1, 16) V1(0,0)<1> 0x0:d // {marks}\";\n")
    })
    .in_file("shape.cpp"),
    Shape::new("statements of one use of a macro of C", 50, |n| {
        let lines = parts(n, |i, t| writeln!(t, "    {{ T v{i}; asm(\"mov (M1, 16) %0(0,0)<1> 0x1:d\" : \"=rw\"(v{i})); }} \\"));
        format!("#define ALL(T) \\\n{lines}\nvoid f() {{ ALL(int) }}\n")
    })
    .in_file("shape.cpp"),
    Shape::new("words of C that ## joins in a string", 50, |n| {
        let words = "lsc_##k.ugm x ".repeat(n);
        let macros = "#define STR_(x) #x\n#define STR(x) STR_(x)\n";
        format!("{macros}#define M(k, x) STR({words})\nvoid f(int b) {{ asm(M(load, u) \"(M1, 16)\" : \"=rw\"(b)); }}\n")
    })
    .in_file("shape.cpp"),
    Shape::new("functions of C++ in functions", 200, |n| {
        let functions = format!("auto l = [=](int b) {{ {C_STATEMENT} ").repeat(n);
        format!("void f(int b) {{ {functions}{} }}\n", "};".repeat(n))
    })
    .in_file("shape.cpp"),
    Shape::new("statements of C that are not closed", 500, |n| {
        format!("void f(int b) {{ {} }}\n", "asm(\"barrier\" : \"rw\"(".repeat(n))
    })
    .in_file("shape.cl"),
    Shape::new("text of C", 1000, |n| parts(n, |i, t| writeln!(t, "int f{i}(void) {{ return {i}; }}"))).in_file("shape.cl"),
    Shape::new("statements of Python", 100, |n| {
        parts(n, |i, t| writeln!(t, "def f{i}(a):\n    return inline_asm(\"\"\"add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 1:d\"\"\")"))
    })
    .in_file("shape.py"),
    Shape::new("strings of Python in one line", 300, |n| {
        let text = vec!["\"add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 1:d\\n\""; n].join(" ");
        format!("inline_asm({text}, \"=rw,rw\", [x])  # {}\n", "x".repeat(2000 * n))
    })
    .in_file("shape.py"),
    Shape::new("uses of a name of Python", 150, |n| {
        let lines = parts(n, |_, t| writeln!(t, "text += \"add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d\\n\""));
        let uses = parts(n, |_, t| writeln!(t, "inline_asm(text, \"=rw,rw\", [x])"));
        format!("text = \"\"\n{lines}{uses}")
    })
    .in_file("shape.py"),
    Shape::new("items of a dictionary of Python", 150, |n| {
        let items = parts(n, |i, t| write!(t, "\"k{i}\": \"mov\", "));
        let uses = parts(n, |i, t| writeln!(t, "a{i} = D[k]\nb{i} = f\"{{a{i}}} (M1, 16) V1(0,0)<1> 0x0:d\\n\""));
        format!("D = {{{items}}}\n{uses}")
    })
    .in_file("shape.py"),
    Shape::new("functions of Python that are not closed", 5000, |n| format!("{NAMES}{}", "def f(".repeat(n)))
        .in_file("shape.py"),
    Shape::new("lambdas of Python in one line", 5000, |n| format!("{NAMES}{}", "f = lambda: ".repeat(n)))
        .in_file("shape.py"),
    Shape::new("names of Python below each other", 5000, |n| format!("{NAMES}{}", "n\n".repeat(n))).in_file("shape.py"),
    Shape::new("statements of Python in one line", 5000, |n| format!("{NAMES}{}", "L.append(n);".repeat(n)))
        .in_file("shape.py"),
    Shape::new("sums of Python that are sources", 200, |n| {
        let sum = " + \"mov (M1, 16) %0(0,0)<1> 0x1:d\\\\n\" + A".repeat(n);
        format!("A = \"\"\nS = \"void f() {{ asm(\\\"\" + A{sum} + \"\\\" : \\\"=rw\\\"(x)); }}\"\n")
    })
    .in_file("shape.py"),
    Shape::new("statements of Python with one value", 100, |n| {
        let all = parts(n, |_, t| {
            let text = "\"add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 1:d\"";
            writeln!(t, "    y = tl.inline_asm_elementwise({text}, \"=rw,rw\", [x], dtype=tl.int32, is_pure=True, pack=1)")
        });
        format!("def f():\n    x = tl.zeros((16,), tl.int32)\n{all}")
    })
    .in_file("shape.py"),
    Shape::new("uses of a long constant of C++", 500, |n| {
        let lines = parts(n, |i, t| writeln!(t, "\"mov (M1, 16) V{i}(0,0)<1> 0x0:d\\n\""));
        let uses = parts(n, |_, t| writeln!(t, "s += A + \"x\" + std::string(A) + \"mov (M1, 16) V1(0,0)<1> 0x0:d\\n\";"));
        format!("constexpr char A[] =\n{lines};\nvoid g() {{ std::string s;\n{uses}}}\n")
    })
    .in_file("shape.cpp"),
    Shape::new("lines of C++ that branches go on with", 500, |n| {
        let begin = "s += \"lsc_load.ugm\"; if (c) s += \".ca.ca\"; else s += \".uc.uc\";";
        let lines = parts(n, |i, t| writeln!(t, "{begin}\ns += \" (M1, 16) V{i}:d32 flat[V1]:a64\\n\";"));
        format!("std::string f(bool c) {{ std::string s;\n{lines}return s; }}\n")
    })
    .in_file("shape.cpp"),
    Shape::new("texts of C++ that are chosen", 500, |n| {
        let choice = "s += std::string(c ? \"mov\" : \"not\")";
        let lines = parts(n, |i, t| writeln!(t, "{choice} + \" (M1, 16) V{i}(0,0)<1> V40(0,0)<1;1,0>\\n\";"));
        format!("std::string f(bool c) {{ std::string s;\n{lines}return s; }}\n")
    })
    .in_file("shape.cpp"),
    Shape::new("variables of C++ that change", 500, |n| {
        let line = "s += \"mov (M1, 16) \" + t + \"(0,0)<1> V40(0,0)<1;1,0>\\n\";";
        let lines = parts(n, |i, t| writeln!(t, "t = \"V{i}\"; {line}"));
        format!("std::string f() {{ std::string s, t = \"V0\";\n{lines}return s; }}\n")
    })
    .in_file("shape.cpp"),
    Shape::new("lines of Python without a known size", 1_000, |n| {
        let lines = parts(n, |i, t| writeln!(t, "    s += f\"add (M1, {{n}}) T(0,{i})<1> T(0,0)<1;1,0> {{x}}\\n\""));
        let declaration = ".decl T v_type=G type=d num_elts=16 align=GRF\\n";
        format!("def f(n, x):\n    s = \"{declaration}\"\n{lines}    return s\n")
    })
    .in_file("shape.py"),
    Shape::new("hunks of a patch", 500, |n| {
        let statement = "asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\\n\" : \"=rw\"(r) : \"rw\"(a));";
        let hunks = parts(n, |i, t| writeln!(t, "@@ -{0},1 +{0},2 @@\n int a{i};\n+{statement}", 10 * i + 1));
        format!("--- a/f.cl\n+++ b/f.cl\n{hunks}")
    })
    .in_file("shape.patch"),
    Shape::new("hunks of a patch to Python", 500, |n| {
        let statement = "inline_asm(\"add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 1:d\", \"=rw,rw\", [x])";
        let hunks = parts(n, |i, t| writeln!(t, "@@ -{0},1 +{0},2 @@\n a{i} = 1\n+{statement}", 10 * i + 1));
        format!("--- a/f.py\n+++ b/f.py\n{hunks}")
    })
    .in_file("shape.patch"),
    Shape::new("operands in one line of Python behind a hole", 4000, |n| {
        let operands = ", $1(0,0)<1;1,0>".repeat(n);
        format!("def f(x, k):\n    return inline_asm(f\"mov (M1, 16) $0(0,0)<1> {{k}}{operands}\\n\", \"=rw,rw\", [x])\n")
    })
    .in_file("shape.py"),
    Shape::new("fields of a format of Python", 2000, |n| {
        let (fields, values) = (" {}".repeat(n), vec!["a"; n].join(","));
        format!("def f(a):\n    return \"mov (M1, 16) V1(0,0)<1> V2(0,0)<1;1,0>{fields}\".format({values})\n")
    })
    .in_file("shape.py"),
    Shape::new("holes in one line that may be executions", 2000, |n| {
        format!("def f(a):\n    return f\"mov (M1, 16) V1(0,0)<1> V2(0,0)<1;1,0>{}\\n\"\n", " mov ({a})".repeat(n))
    })
    .in_file("shape.py"),
    Shape::new("operands of one statement of LLVM IR", 1000, |n| {
        let text = parts(n, |i, t| write!(t, "mov (M1, 16) %null(0,0)<1> ${i}(0,0)<1;1,0>\\0A"));
        let (list, values) = (vec!["rw"; n].join(","), vec!["i32 %a"; n].join(", "));
        format!("define void @f(i32 %a) {{\n  call void asm sideeffect \"{text}\", \"{list}\"({values})\n  ret void\n}}\n")
    })
    .in_file("shape.ll"),
    Shape::new("statements of LLVM IR", 100, |n| {
        let all = parts(n, |i, t| {
            writeln!(t, "  %v{i} = call i32 asm sideeffect \"add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 1:d\", \"=rw,rw\"(i32 %a)")
        });
        format!("define void @f(i32 %a) {{\n{all}  ret void\n}}\n")
    })
    .in_file("shape.ll"),
];
