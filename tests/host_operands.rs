//! What a statement of a host source becomes: the types of its operands, and the text that the compiler pastes.

use crate::host_escapes::said;
use crate::host_tokens::Source;
use std::cmp::Ordering;
use visa_lint::host::{self, Language, expand};

fn expanded(text: &str, language: Language) -> String {
    expand::expand("a", text, &host::read(text, language, None))
}

/// The type and the number of elements of an operand of a sub-group of 16 lanes; `open` if they are not known.
fn declared(text: &str, language: Language, operand: u32) -> String {
    let expanded = expanded(text, language);
    let Some((_, line)) = expanded.split_once(&format!(".decl op{operand} v_type=G type=")) else { return expanded };
    let line = line.lines().next().unwrap_or_default();
    if line.ends_with("not known") {
        return "open".to_owned();
    }
    let (kind, rest) = line.split_once(" num_elts=").expect("a number of elements");
    format!("{kind} {}", rest.split(' ').next().unwrap_or_default())
}

/// What stands before the kernel, what is declared in it, an expression, and what the operand is.
const EXPRESSIONS: &[(&str, &str, &str, &str)] = &[
    ("", "double d;", "d", "df 16"),
    ("", "long double d;", "d", "df 16"),
    ("", "const char unsigned x;", "x", "b 16"),
    ("", "unsigned long long x;", "x", "q 16"),
    ("", "float const x;", "x", "f 16"),
    ("", "ulong4 x;", "x", "q 64"),
    ("", "auto x = 3.0f;", "x", "f 16"),
    // Numbers.
    ("", "", "0x1f", "d 16"),
    ("", "", "0xffffffff", "d 16"),
    ("", "", "0x100000000", "q 16"),
    ("", "", "2147483647", "d 16"),
    ("", "", "2147483648", "q 16"),
    ("", "", "2147483648u", "d 16"),
    ("", "", "017", "d 16"),
    ("", "", "0b11", "d 16"),
    ("", "", "3ul", "q 16"),
    ("", "", "1.5", "df 16"),
    ("", "", "1e3f", "f 16"),
    ("", "", "1.0h", "hf 16"),
    // Operators.
    ("", "float x; long y;", "x * y", "f 16"),
    ("", "int x; long y;", "x / 16 % y", "q 16"),
    ("", "int x; half y;", "x * y", "hf 16"),
    ("", "int x; long y;", "x - y", "q 16"),
    ("", "short x; short y;", "x * y", "d 16"),
    ("", "float4 x; float y;", "x * y", "f 64"),
    ("", "float4 x; float y;", "y * x", "f 64"),
    ("", "float4 x; float2 y;", "y + x", "open"),
    ("", "char x;", "-x", "d 16"),
    ("", "float4 x;", "-x", "f 64"),
    ("", "uint x;", "~x", "d 16"),
    ("", "int a; long b;", "a ? a : b", "q 16"),
    ("", "int a; int b;", "a < b", "open"),
    ("", "int a; int b;", "a <= b", "open"),
    ("", "int a; int b;", "a >= b", "open"),
    ("", "int a; int b;", "a == b", "open"),
    ("", "short a; long b;", "a << b", "d 16"),
    ("", "long a; short b;", "a << b", "q 16"),
    ("", "short a; long b;", "a >> b", "d 16"),
    ("", "int a; int b;", "a < < b", "open"),
    ("", "int x;", "(short)-x", "w 16"),
    ("", "int x;", "(float*)x", "uq 16"),
    ("", "int x;", "static_cast<float>(x)", "f 16"),
    ("", "int4 x;", "static_cast<float4>(x).xy", "f 32"),
    ("", "int4 x;", "as_short8(x)", "w 128"),
    ("", "int4 x;", "convert_float4_rte(x)", "f 64"),
    ("", "int x;", "sizeof(x)", "q 16"),
    ("float g(int x);\n", "int x;", "g(x)", "f 16"),
    ("float g(int x);\ndouble g(float x);\n", "int x;", "g(x)", "open"),
    // Pointers and arrays.
    ("", "int *q;", "*q", "d 16"),
    ("", "int **q;", "**q", "d 16"),
    ("", "int *q;", "(*q)", "d 16"),
    ("", "int q[4][2];", "q[0][0]", "d 16"),
    ("", "int q[4];", "*q", "d 16"),
    ("", "int a, **b;", "**b", "d 16"),
    ("", "int a, b[3], *c;", "*c", "d 16"),
    ("", "int *q; int *r;", "q - r", "q 16"),
    ("", "int *q; int r;", "r + q", "uq 16"),
    ("", "local float *q;", "&q[3]", "ud 16"),
    ("", "int *restrict q;", "q", "uq 16"),
    ("", "auto *x = (int *)0;", "*x", "d 16"),
    // Components and members.
    ("", "float4 x;", "x.xy", "f 32"),
    ("", "float8 x;", "x.s0123", "f 64"),
    ("", "float16 x;", "x.sA", "f 16"),
    ("", "float3 x;", "x.lo", "f 32"),
    ("", "int8 x;", "x.even", "d 64"),
    ("", "float x;", "x.x", "open"),
    ("", "float4 x;", "x[2]", "f 16"),
    ("", "float4 *q;", "q[0][2]", "f 16"),
    ("", "float4 *q;", "(*q).xy", "f 32"),
    ("struct S { int a; float b[4]; double *c; };\n", "struct S *s;", "s->b[1]", "f 16"),
    ("struct S { int a; float b[4]; double *c; };\n", "struct S *s;", "*s->c", "df 16"),
    ("struct P { float4 v; int k; };\n", "struct P q;", "(&q)->k", "d 16"),
    ("struct P { float4 v; int k; };\n", "int k;", "q->k", "open"),
    // Names of types.
    ("typedef struct { int a; float b; } U;\n", "U u;", "u.b", "f 16"),
    ("typedef enum { A, B } E;\n", "E e;", "e", "d 16"),
    ("typedef int T[4];\n", "T t;", "t", "open"),
    ("typedef float V __attribute__((ext_vector_type(4)));\n", "V t;", "t", "f 64"),
    ("typedef float V __attribute__((vector_size(16)));\n", "V t;", "t", "f 64"),
    (
        "template <class T> struct S { typedef T V __attribute__((ext_vector_type(4))); };\n",
        "typename S<float>::V t;",
        "t",
        "f 64",
    ),
    ("template <class T> struct S { using V = T; };\n", "typename S<float>::V t;", "t", "f 16"),
    ("template <class T> struct S { using V = T[4]; };\n", "typename S<float>::V t;", "t", "open"),
    ("typedef float V __attribute__((aligned(16)));\n", "V t;", "t", "f 16"),
    ("template <class T> using Both = T;\n", "Both<float> t;", "t", "f 16"),
    ("template <class T, int N> using Both = T;\n", "Both<float> t;", "t", "open"),
    ("", "short x; long y;", "x << y", "d 16"),
    ("", "short x; long y;", "x << 1 | y", "q 16"),
    ("", "short x; long y;", "x & y >> 1", "q 16"),
    ("", "long x; int y;", "x >> y", "q 16"),
    ("", "long x; int y;", "x && y", "open"),
    ("", "long x; int y;", "x == y", "open"),
    ("", "long x; int y;", "x & y == 1", "open"),
    ("", "long x; int y;", "x & static_cast<short>(y)", "q 16"),
    ("", "int x; long y;", "x & (y << 1)", "q 16"),
    ("", "float x; int y;", "y ? x : y", "f 16"),
    ("", "float x; int y;", "y ? x : x * y", "f 16"),
    ("", "int x;", "*x", "open"),
    ("", "int x;", "&x", "uq 16"),
    ("", "", "&elsewhere", "uq 16"),
    ("struct S { int a; };\n", "struct S *s;", "&s->a", "uq 16"),
    ("struct S { int a; };\n", "struct S s;", "&s.a", "uq 16"),
    ("", "float4 x;", "(x).xy", "f 32"),
    ("", "long x;", "((float4 *)x)[1].xy", "f 32"),
    ("", "int x;", "__builtin_bit_cast(float, x)", "f 16"),
    ("", "int4 x;", "__builtin_bit_cast(float4, x).xy", "f 32"),
    ("", "long x;", "reinterpret_cast<int *>(x)", "uq 16"),
    ("", "long x;", "*reinterpret_cast<int4 *>(x)", "d 64"),
    ("", "long x; int y;", "y * reinterpret_cast<float *>(x)[1]", "f 16"),
    ("", "long x; short y;", "reinterpret_cast<float *>(x)[1] * y", "f 16"),
    ("", "short x; float y;", "static_cast<short>(x) - y", "f 16"),
    ("", "short x;", "x - static_cast<float>(x)", "f 16"),
    ("", "int x;", "sycl::static_cast<float>(x)", "f 16"),
    ("float g(int x);\n", "int x;", "ns::g(x)", "f 16"),
    ("float g(int x);\n", "int x;", "::g(x)", "f 16"),
    ("float4 g(int x);\n", "int x;", "g(x).xy", "f 32"),
    ("float *g(int x);\n", "int x;", "*g(x)", "f 16"),
    ("float *g(int x);\n", "int x;", "g(x)[x]", "f 16"),
    ("static inline short g(int x) { return x; }\n", "int x;", "g(x)", "w 16"),
    ("static float g(int x);\nstatic float g(long x);\n", "int x;", "g(x)", "f 16"),
    ("", "int4 x;", "sizeof(x) * 2", "q 16"),
    ("typedef float R;\n", "int x;", "(R)x", "f 16"),
    ("typedef float R;\n", "int x; int y;", "y * (R)x", "f 16"),
    ("typedef float R;\n", "int x; int y;", "y + (R)-x", "f 16"),
    ("", "float x; int y;", "(y) - x", "f 16"),
    ("", "float x; int y;", "(y) * x", "f 16"),
    ("", "int y; int *q;", "y + (float)*q", "f 16"),
    ("", "int y;", "(unsigned const long)y", "q 16"),
    ("", "int x; int y;", "x + g(y) - y", "open"),
    ("struct S { float a; };\n", "long x;", "((S *)x)->a", "f 16"),
    ("struct S { float4 a; };\n", "struct S s;", "s.a.xy", "f 32"),
    ("struct S { float a; };\n", "struct S s;", "s->a", "open"),
    ("struct S { float a; };\n", "struct S *s;", "s.a", "open"),
    ("struct S { float a; };\n", "struct S s;", "s.b", "open"),
    ("struct S { float a; };\n", "struct S s[2];", "s[1].a", "f 16"),
    ("struct S { int a, b; float *c; };\n", "struct S s;", "*s.c", "f 16"),
    ("struct S { int a; float a; };\n", "struct S s;", "s.a", "open"),
    ("struct S { int f(float g) { short a; } float a; };\n", "struct S s;", "s.a", "f 16"),
    ("struct S : T { float a; };\n", "struct S s;", "s.a", "f 16"),
    ("struct S { float a; };\nstruct S { int a; };\n", "struct S s;", "s.a", "open"),
    ("struct S { float a; };\nnamespace n { struct S { float a; }; }\n", "struct S s;", "s.a", "f 16"),
    ("", "float4 x;", "x.x()", "f 16"),
    ("", "float4 x;", "x.row()", "open"),
    ("", "float4 x;", "fabs(x)", "f 64"),
    ("", "int x;", "fabs(x)", "open"),
    ("", "half x;", "sub_group_broadcast(x, 0)", "hf 16"),
    ("", "", "get_sub_group_id()", "d 16"),
    ("", "", "get_global_id(0)", "q 16"),
    // Aliases with parameters, and numbers that the sizes of vectors are.
    ("template <class T> using A = T;\ntemplate <class T> using B = A<T>;\n", "B<float> t;", "t", "open"),
    ("template <class T = int> using A = T;\n", "A<float> t;", "t", "f 16"),
    ("template <class T, class U> using A = U;\n", "A<float, double> t;", "t", "df 16"),
    ("template <class T> using A = T *;\n", "A<float> t;", "*t", "f 16"),
    ("template <class T> using A = T [4];\n", "A<float> t;", "t", "open"),
    ("template <class T> struct A { T a; };\n", "A<float> t;", "t", "d 16"),
    ("template <class T, int N> struct A { sycl::vec<T, N> a; };\n", "A<float, 4> t;", "t.a", "f 64"),
    ("template <class T> struct A { T a; };\ntemplate <> struct A<int> {};\n", "A<float> t;", "t.a", "open"),
    ("template <class T> struct A { T a; };\ntemplate <class U> struct B {};\n", "A<U> t;", "t.a", "open"),
    ("template <class T, int N> using V = T __attribute__((ext_vector_type(N)));\n", "V<short, 4> t;", "t", "w 64"),
    ("using V = float __attribute__((ext_vector_type(4)));\n", "V t;", "t", "f 64"),
    ("typedef float V __attribute__((vector_size(8)));\n", "V t;", "t", "f 32"),
    ("const int N = 1 << 2 | 1;\ntypedef float V __attribute__((ext_vector_type(N)));\n", "V t;", "t", "f 80"),
    ("const int N = 2 + 3 * 2 - 1;\ntypedef float V __attribute__((ext_vector_type(N)));\n", "V t;", "t", "f 112"),
    ("const int N = (2 + 2) * 2 / 4;\ntypedef float V __attribute__((ext_vector_type(N)));\n", "V t;", "t", "f 32"),
    ("const int N = 7 & 6 ^ 2;\ntypedef float V __attribute__((ext_vector_type(N)));\n", "V t;", "t", "f 64"),
    (
        "const int N = static_cast<int>(4) * 2;\ntypedef float V __attribute__((ext_vector_type(N)));\n",
        "V t;",
        "t",
        "f 128",
    ),
    (
        "const int N = 2 * static_cast<int>(4);\ntypedef float V __attribute__((ext_vector_type(N)));\n",
        "V t;",
        "t",
        "f 128",
    ),
    ("const int N = (int)4;\ntypedef float V __attribute__((ext_vector_type(N)));\n", "V t;", "t", "f 64"),
    ("const int N = (int)(4);\ntypedef float V __attribute__((ext_vector_type(N)));\n", "V t;", "t", "f 64"),
    ("const int N = (4) - (2);\ntypedef float V __attribute__((ext_vector_type(N)));\n", "V t;", "t", "f 32"),
    ("const int N = sizeof(int);\ntypedef float V __attribute__((ext_vector_type(N)));\n", "V t;", "t", "f 64"),
    ("const int N = sizeof(short3);\ntypedef float V __attribute__((ext_vector_type(N)));\n", "V t;", "t", "f 128"),
    ("const int N = -1 + 5;\ntypedef float V __attribute__((ext_vector_type(N)));\n", "V t;", "t", "f 64"),
    ("const int N = ~-5;\ntypedef float V __attribute__((ext_vector_type(N)));\n", "V t;", "t", "f 64"),
    ("typedef float V __attribute__((ext_vector_type(0x1'0)));\n", "V t;", "t", "f 256"),
    ("typedef float V __attribute__((ext_vector_type(010)));\n", "V t;", "t", "f 128"),
    ("typedef float V __attribute__((ext_vector_type(0b100u)));\n", "V t;", "t", "f 64"),
    ("typedef float V __attribute__((ext_vector_type(2 < 3)));\n", "V t;", "t", "open"),
    ("typedef float V __attribute__((ext_vector_type(4))) other;\n", "V t;", "t", "open"),
    ("const int N = 4;\ntypedef float V __attribute__((ext_vector_type(N)));\n", "V t;", "t", "f 64"),
    ("const int N(4);\ntypedef float V __attribute__((ext_vector_type(N)));\n", "V t;", "t", "open"),
    ("const int N = 4;\nconst int N = 8;\ntypedef float V __attribute__((ext_vector_type(N)));\n", "V t;", "t", "open"),
    ("enum { A, B, N };\ntypedef float V __attribute__((ext_vector_type(N)));\n", "V t;", "t", "f 32"),
    ("enum class E : int { A = 3, N };\ntypedef float V __attribute__((ext_vector_type(N)));\n", "V t;", "t", "f 64"),
    ("enum { A = f(), N };\ntypedef float V __attribute__((ext_vector_type(N)));\n", "V t;", "t", "open"),
    ("enum class E : short { A };\n", "E e;", "e", "w 16"),
    ("enum E { A };\n", "enum E e;", "e", "d 16"),
    ("typedef enum : short { A } E;\n", "E e;", "e", "w 16"),
    ("typedef struct S { float a; } U;\n", "U u;", "u.a", "f 16"),
    ("typedef struct S { float a; } *U;\n", "U u;", "u->a", "open"),
    ("typedef float *V;\n", "V t;", "*t", "f 16"),
    ("typedef float (*V)(int);\n", "V t;", "t", "open"),
    ("using V = int;\nusing V = float;\n", "V t;", "t", "open"),
    ("using V = float;\nnamespace n { using V = float; }\n", "V t;", "t", "f 16"),
    ("", "sycl::vec<float, 4> t;", "t", "f 64"),
    ("", "sycl::marray<short, 2> t;", "t", "w 32"),
    ("", "std::array<float, 4> t;", "t[1]", "f 16"),
    ("", "std::array<float> t;", "t[1]", "open"),
    ("", "float5 t;", "t", "open"),
    ("", "bool2 t;", "t", "open"),
    // Declarations.
    ("", "int a; if (a) { float a; } long b = a;", "a", "d 16"),
    ("", "float *x, y;", "y", "f 16"),
    ("", "float x = 1, *y = 0, z[2];", "*y", "f 16"),
    ("", "float x = 1, *y = 0, z[2];", "z[1]", "f 16"),
    ("", "float x[2], y;", "y", "f 16"),
    ("", "float x{1}, y;", "y", "f 16"),
    ("", "float x(1);", "x", "f 16"),
    ("", "float (&x)[4] = y;", "x[1]", "f 16"),
    ("", "const auto x = 1.0f;", "x", "f 16"),
    ("", "const float auto_ = 1;", "auto_", "f 16"),
    ("", "int a; int b; a * b;", "b", "d 16"),
    ("", "float b; what * b;", "b", "open"),
    ("", "float b; what * c;", "c", "uq 16"),
    ("", "again: float x;", "x", "f 16"),
    ("", "local float x[4];", "&x[1]", "ud 16"),
    ("", "local float x[4];", "x + 1", "ud 16"),
    ("", "float x[4];", "&x[1]", "uq 16"),
    ("template <class T, int N>\n", "int x;", "N", "d 16"),
];

/// A kernel with declarations before it and in it, in which an expression is an operand.
fn of_expression((before, declarations, expression): (&str, &str, &str)) -> Source {
    let head = "__attribute__((intel_reqd_sub_group_size(16)))\nkernel void f(global int *p) {\n  ";
    let copy = "\n  int out;\n  asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(out) : \"rw\"(";
    Source::new(Language::C, &["", before, head, declarations, copy, expression, "));\n}\n"])
}

fn of_value((declarations, expression): (&str, &str)) -> Source {
    let head = "kernel void f(global int *p, int x) {\n  int y;\n  ";
    let copy = "\n  asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<0;1,0>\" : \"=rw\"(y) : \"rw.u\"(";
    Source::new(Language::C, &[head, declarations, copy, expression, "));\n}\n"])
}

/// All sources of the tables.
pub fn sources() -> Vec<Source> {
    let expressions =
        EXPRESSIONS.iter().map(|(before, declarations, expression, _)| (*before, *declarations, *expression));
    let values = PER_LANE.iter().map(|(declarations, expression, _)| (*declarations, *expression));
    expressions.map(of_expression).chain(values.map(of_value)).collect()
}

#[test]
fn expressions_of_c_have_types() {
    let mut faults = Vec::new();
    for (before, declarations, expression, wanted) in EXPRESSIONS {
        let text = of_expression((before, declarations, expression)).text();
        let found = declared(&text, Language::C, 1);
        if found != *wanted {
            faults.push(format!("`{expression}` with `{before}{declarations}`: {found}, and not {wanted}"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The type of the result and of the argument, and what the operands are.
#[test]
fn types_of_compilers_are_known() {
    let llvm = [
        ("<3 x i7>", "<4 x float> %x", "open", "f 64"),
        ("<vscale x 4 x i32>", "%struct.S %x", "open", "open"),
        ("i32*", "i32 addrspace(3)* %x", "uq 16", "ud 16"),
        ("half", "ptr addrspace(1) %x", "hf 16", "uq 16"),
        ("<2 x double>", "i16 %x", "df 32", "w 16"),
    ];
    for (result, argument, first, second) in llvm {
        let text = format!(
            "define spir_kernel void @f(i32 %x) !intel_reqd_sub_group_size !0 {{\n  \
             %y = call {result} asm \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\", \"=rw,rw\"({argument})\n}}\n!0 = !{{i32 16}}\n"
        );
        let found = [0, 1].map(|operand| declared(&text, Language::Llvm, operand));
        assert_eq!(found, [first, second], "{text}");
    }
    let mlir = [
        ("vector<4xf32>", "vector<2x2xf16>", "f 64", "hf 64"),
        ("!llvm.ptr<3>", "!llvm.struct<(i32)>", "ud 16", "d 16"),
        ("!llvm.ptr", "i64", "uq 16", "q 16"),
        ("vector<[4]xf32>", "vector<4xindex>", "open", "open"),
        ("f64", "tensor<4xf32>", "df 16", "open"),
    ];
    for (argument, result, second, first) in mlir {
        let text = format!(
            "llvm.func spir_kernelcc @f(%x: i32) attributes {{intel_reqd_sub_group_size = 16 : i32}} {{\n  \
             %y = llvm.inline_asm \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\", \"=rw,rw\" %x : ({argument}) -> {result}\n}}\n"
        );
        let found = [0, 1].map(|operand| declared(&text, Language::Mlir, operand));
        assert_eq!(found, [first, second], "{text}");
    }
    let without_result =
        "llvm.inline_asm has_side_effects \"mov (M1, 16) %null(0,0)<1> $0(0,0)<1;1,0>\", \"rw\" %x : (i64)\n";
    assert!(declared(without_result, Language::Mlir, 0).starts_with("q "));
}

const COPY: &str = "mov (M1, 16) op0(0,0)<1> op1(0,0)<1;1,0>";

/// Definitions, a template, and the text that it becomes; `?` for a macro that is not known.
#[test]
fn literals_and_macros_become_text() {
    let rows = [
        (
            "",
            r#""mov\t(M1, 16) %0(0,0)<1>\x20%1(0,0)<1;1,0>\n// \a\b\f\v\u00e9\U0001F600\'\?\"""#,
            "mov\t(M1, 16) op0(0,0)<1> op1(0,0)<1;1,0>\n// \u{7}\u{8}\u{c}\u{b}é😀'?\"",
        ),
        ("", "\"mov (M1, 16) \\\n%0(0,0)<1> %1(0,0)<1;1,0>\"", COPY),
        ("", "\"mov (M1, 16) \\\r\n%0(0,0)<1> %1(0,0)<1;1,0>\"", COPY),
        ("", "R\"(mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\r\n// b)\"", &format!("{COPY}\n// b")),
        ("", "(\"mov (M1, 16) %0(0,0)<1> \" \"%1(0,0)<1;1,0>\")", COPY),
        ("#define ALL(...) #__VA_ARGS__\n", "ALL(mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>)", COPY),
        ("#define ALL(args...) #args\n", "ALL(mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>)", COPY),
        ("#define ALL(a, args...) a #args\n", "ALL(\"mov (M1, 16) %0(0,0)<1> \", %1(0,0)<1;1,0>)", COPY),
        (
            "#define ALL(a, ...) a __VA_OPT__(__VA_ARGS__)\n",
            "ALL(\"mov (M1, 16) %0(0,0)<1> \", \"%1(0,0)<1;1,0>\")",
            COPY,
        ),
        ("#define ALL(a, ...) a __VA_OPT__(__VA_ARGS__)\n", "ALL() \"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\"", COPY),
        ("#define ONE(a) \"mov (M1, 16) \" a \"%0(0,0)<1> %1(0,0)<1;1,0>\"\n", "ONE()", COPY),
        ("#define TWO(a, b) a \"%0(0,0)<1> %1(0,0)<1;1,0>\" b\n", "TWO(\"mov (M1, 16) \",)", COPY),
        ("#define TWO(a, b) a \"mov (M1, 16) %0(0,0)<1> \" b\n", "TWO(,\"%1(0,0)<1;1,0>\")", COPY),
        ("#define TWO(a, b) a b\n", "TWO(\"x\") \"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\"", &format!("/* ? */{COPY}")),
        ("#define NONE() \"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\"\n", "NONE()", COPY),
        ("#define JOIN(a, b) a##b\n#define AB \"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\"\n", "JOIN(A, B)", COPY),
        (
            "#define JOIN(a, b) a##b\n",
            "JOIN(A, B) \"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\"",
            &format!("/* ? */{COPY}"),
        ),
        (
            "#define S_(a) #a\n#define S(a) S_(a)\n#define N 16\n",
            "\"mov (M1, \" S(N) \") %0(0,0)<1> %1(0,0)<1;1,0>\"",
            COPY,
        ),
        ("", "\"mov (M1, \" STR(w) \") %0(0,0)<1> %1(0,0)<1;1,0>\"", "mov (M1, 16/* ? */) op0(0,0)<1> op1(0,0)<1;1,0>"),
    ];
    let mut faults = Vec::new();
    for (definitions, template, wanted) in rows {
        let text = format!("{definitions}void f() {{\n  int x, y;\n  asm({template} : \"=rw\"(y) : \"rw\"(x));\n}}\n");
        let expanded = expanded(&text, Language::C);
        let found = expanded.rsplit_once("\"rw\"(x)\n").and_then(|(_, rest)| rest.split_once("\nret ")).map(|(t, _)| t);
        if found != Some(wanted) {
            faults.push(format!("{text}{found:?}, and not {wanted:?}"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    let mlir = "llvm.inline_asm \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\\0A\\09// \\\"q\\\" \\\\ \\t\\n\", \"=rw,rw\" %x : (i32) -> i32\n";
    assert!(expanded(mlir, Language::Mlir).contains(&format!("{COPY}\n\t// \"q\" \\ \t\n")));
    let llvm = "%y = call i32 asm \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> // \\\\ \\5C \\q\", \"=rw,rw\"(i32 %x)\n";
    assert!(expanded(llvm, Language::Llvm).contains(&format!("{COPY} // \\ \\ \\q\n")));
}

/// Constants of an immediate operand, and what is pasted for them.
#[test]
fn constants_are_pasted() {
    let rows = [
        ("", "7", "0x7:d"),
        ("", "(short)7", "0x7:w"),
        ("", "0x1ull << 40", "0x10000000000:q"),
        ("", "-(3) + +4", "0x1:d"),
        ("", "~0", "0xffffffff:d"),
        ("", "0x10 >> 2 | 1 ^ 3 & 2", "0x7:d"),
        ("", "7 * 6 / 4 % 4", "0x2:d"),
        ("", "(int)sizeof(float4)", "0x10:d"),
        ("", "static_cast<int>(3 + 4)", "0x7:d"),
        ("", "static_cast<int>(3) * 2 - 1", "0x5:d"),
        ("", "static_cast<long>(3)", "0x3:q"),
        ("enum { N = 3 };\n", "n / 0", "?"),
        ("", "1 << 70", "?"),
        ("", "(float)3", "0x40400000:f"),
        ("constexpr float K = 1.5f;\n", "-K", "0xbfc00000:f"),
        ("namespace s {\nstatic constexpr double K{2};\n}\n", "s::K", "0x4000000000000000:df"),
        ("struct S {\n  static constexpr auto K = 1.5f;\n};\n", "S::K", "0x3fc00000:f"),
        ("const int K = 2.5;\n", "K", "0x2:d"),
        ("const half K = 0.5f;\n", "K", "0x3800:hf"),
        ("const half K = 65519.0f;\n", "K", "0x7bff:hf"),
        ("const half K = 65520.0f;\n", "K", "0x7c00:hf"),
        ("const half K = -0.0000001f;\n", "K", "0x8002:hf"),
        ("const half K = 0.00000001f;\n", "K", "0x0:hf"),
        ("const float K = 1.5f;\nvoid g() {\n  const int K = 2;\n}\n", "K", "0x3fc00000:f"),
        ("const float K = 1.5f;\nnamespace s {\nconst int K = 2;\n}\n", "K", "?"),
        ("", "3 < 4", "?"),
    ];
    let mut faults = Vec::new();
    for (before, expression, wanted) in rows {
        let text = format!(
            "{before}void f() {{\n  int y;\n  asm(\"mov (M1, 16) %0(0,0)<1> %1\" : \"=rw\"(y) : \"i\"({expression}));\n}}\n"
        );
        let expanded = expanded(&text, Language::C);
        let found = expanded.split_once("op0(0,0)<1> ").and_then(|(_, rest)| rest.lines().next()).unwrap_or_default();
        // What is not known stands as a number of the right form.
        let wanted = if wanted == "?" { "0x0:d" } else { wanted };
        if found != wanted {
            faults.push(format!("{expression}: {found}, and not {wanted}"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// What is declared and assigned before, an expression, and whether its value certainly differs from lane to lane.
const PER_LANE: &[(&str, &str, bool)] = &[
    ("", "get_local_id(0)", true),
    ("", "get_local_id(0) + x", true),
    ("", "get_local_id(0) - get_local_id(0)", false),
    ("", "-get_local_id(0)", true),
    ("", "~get_local_id(0)", true),
    ("", "(get_local_id(0))", true),
    ("", "(get_local_id(0)).x", true),
    ("", "(int)get_local_id(0)", true),
    ("", "(int)(get_local_id(0) + 1)", true),
    ("", "(x) + get_local_id(0)", true),
    ("", "(x) * get_local_id(0)", true),
    ("", "x + (int)-get_local_id(0)", true),
    ("", "(x)(get_local_id(0))", false),
    ("", "()get_local_id(0)", false),
    ("", "static_cast<int>(get_local_id(0))", true),
    ("", "static_cast<int>(x)", false),
    ("", "static_cast<int>(get_local_id(0)) + x", true),
    ("", "2 * static_cast<int>(get_local_id(0))", true),
    ("", "static_cast<int *>(p)[get_local_id(0)]", true),
    ("", "as_int(get_local_id(0))", true),
    ("", "convert_int(get_local_id(0))", true),
    ("", "int(get_local_id(0))", true),
    ("", "g(get_local_id(0))", false),
    ("", "g(get_local_id(0)) + get_local_id(0)", true),
    ("", "ns::get_local_id(0)", true),
    ("", "::get_local_id(0)", true),
    ("", "a::b::get_local_id(0)", true),
    ("", "ns::", false),
    ("", "p[get_local_id(0)]", true),
    ("", "p[get_local_id(0)][x]", true),
    ("", "p[x]", false),
    ("", "*(p + get_local_id(0))", true),
    ("", "&p[get_local_id(0)]", true),
    ("", "p[get_local_id(0)].x", true),
    ("", "p[get_local_id(0)].f()", false),
    ("", "it.get_global_linear_id()", true),
    ("", "it->get_global_linear_id()", true),
    ("", "it.get_local_id().get(0)", true),
    ("", "it.get_local_id().size()", false),
    ("", "it.x", false),
    ("", "it.", false),
    ("", "get_local_id(0) << 2", true),
    ("", "x << get_local_id(0)", true),
    ("", "get_local_id(0) >> 2", false),
    ("", "get_local_id(0) & 1", false),
    ("", "get_local_id(0) / 2", false),
    ("", "get_local_id(0) < x", false),
    ("", "x ? get_local_id(0) : x", false),
    ("int i = get_local_id(0);", "i", true),
    ("int i = get_local_id(0);", "i + 1", true),
    ("int i = get_local_id(0); i = 0;", "i", false),
    ("int i = 0; i = get_local_id(0);", "i", true),
    ("int i = 0; i += get_local_id(0);", "i", true),
    ("int i = 0; i -= get_local_id(0);", "i", true),
    ("int i = 0; i *= get_local_id(0);", "i", false),
    ("int i = get_local_id(0); i += get_local_id(0);", "i", false),
    ("int i = get_local_id(0); i += 2;", "i", true),
    ("int i = get_local_id(0); i <<= 2;", "i", true),
    ("int i = get_local_id(0); i >>= 2;", "i", false),
    ("int i = get_local_id(0); i /= 2;", "i", false),
    ("int i = get_local_id(0); if (x) i = 0;", "i", false),
    ("int i = 0; if (x) i = get_local_id(0);", "i", false),
    ("int i = 0; if (x) { i = get_local_id(0); }", "i", false),
    ("int i = 0; { i = get_local_id(0); }", "i", false),
    ("int i = get_local_id(0); g(&i);", "i", false),
    ("int i = get_local_id(0); g(x & i);", "i", true),
    ("int i = get_local_id(0); g(i == 0);", "i", true),
    ("int i = get_local_id(0); g(i <= 0);", "i", true),
    ("int i = get_local_id(0); g(x, i = 0);", "i", false),
    ("int i = get_local_id(0); p[i] = 0;", "i", true),
    (r#"int i = get_local_id(0); asm("mov (M1, 16) %0(0,0)<1> 0x1:d" : "=rw"(i));"#, "i", false),
    (r#"int i = get_local_id(0); asm("mov (M1, 16) %0(0,0)<1> 0x1:d" : "+rw"(i));"#, "i", false),
    ("int i = get_local_id(0); int j = i;", "j", true),
    ("int i = get_local_id(0), j = i + 1;", "j", true),
    ("int i = get_local_id(0); int j = i * i;", "j", false),
];

#[test]
fn values_that_differ_from_lane_to_lane_are_not_uniform() {
    let mut faults = Vec::new();
    for (declarations, expression, wanted) in PER_LANE {
        let text = of_value((declarations, expression)).text();
        let found = said(&text, Language::C).iter().any(|finding| finding.starts_with("impossible-uniform"));
        if found != *wanted {
            faults.push(format!("`{declarations}` `{expression}`: {found}"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// What is chosen of lists and dictionaries, joined and formatted in Python.
#[test]
fn strings_of_python_are_put_together() {
    let rows = [
        ("OPS = {\"copy\": \"TEXT\", \"other\": \"\"}\n", "OPS[\"copy\"]", COPY),
        ("OPS = {2: \"\", 3: \"TEXT\"}\n", "OPS[3]", COPY),
        ("OPS = [\"\", \"TEXT\"]\n", "OPS[1]", COPY),
        ("LINES = [\"// a\", \"TEXT\"]\n", "\"\\n\".join(LINES)", &format!("// a\n{COPY}")),
        ("", "\"\\n\".join(UNKNOWN) + \"TEXT\"", &format!("/* ? */{COPY}")),
        ("", "\"\\n\".join(a for a in b) + \"TEXT\"", &format!("/* ? */{COPY}")),
        (
            "def text(a, n=\"16\"):\n    return a + \"TEXT\" + n\n",
            "text(\"// a\\n\", n=\"// b\")",
            &format!("// a\n{COPY}// b"),
        ),
        ("T = \"TEXT\".replace(\"mov\", \"mov\").strip()\n", "T", COPY),
        ("T = \"\"\nfor i in range(3):\n    T += \"TEXT\"\n", "T + \"TEXT\"", &format!("/* ? */{COPY}")),
        ("T = '''\\\nTEXT'''\n", "T", COPY),
    ];
    for (before, value, wanted) in rows {
        let text = format!("{before}y = tl.inline_asm_elementwise({value}, \"=rw,rw\", [x], tl.int32, True, 1)\n")
            .replace("TEXT", "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>");
        let expanded = expanded(&text, Language::Python);
        let found =
            expanded.rsplit_once("not known\n").and_then(|(_, rest)| rest.split_once("\nret ")).map_or("", |(t, _)| t);
        assert_eq!(found, wanted, "{text}");
    }
}

/// The size of a half, or of what would be the next number instead of infinity.
fn half(bits: u32) -> f64 {
    let (exponent, fraction) = ((bits >> 10 & 0x1f) as i32, f64::from(bits & 0x3ff));
    if exponent == 0 { fraction * 2_f64.powi(-24) } else { (1.0 + fraction / 1024.0) * 2_f64.powi(exponent - 15) }
}

/// A number becomes the half that is nearest, of two the even one: at the ends of what a half holds, at its denormal numbers,
/// and around what lies in the middle of two.
#[test]
fn halves_of_hosts_are_the_nearest_ones() {
    let fractions = [0, 1, 0x0fff, 0x1000, 0x1001, 0x2fff, 0x3000, 0x3fff, 0x40_0000, 0x5a_5a5a, 0x7f_efff, 0x7f_ffff];
    let exponents = 127 - 28..=127 + 17_u32;
    let numbers: Vec<f32> =
        exponents.flat_map(|e| fractions.map(|f| f32::from_bits(e << 23 | f))).flat_map(|x| [x, -x]).collect();
    let statement = |(i, number): (usize, &f32)| {
        format!("  const half x{i} = {number:e}f;\n  asm(\"mov (M1, 16) %0(0,0)<1> %1\" : \"=rw\"(y) : \"i\"(x{i}));\n")
    };
    let statements: String = numbers.iter().enumerate().map(statement).collect();
    let expanded = expanded(&format!("void f() {{\n  half y;\n{statements}}}\n"), Language::C);
    let pasted =
        expanded.lines().filter_map(|line| line.strip_prefix("mov (M1, 16) op0(0,0)<1> 0x")?.strip_suffix(":hf"));
    let pasted: Vec<u32> = pasted.map(|digits| u32::from_str_radix(digits, 16).expect("a number")).collect();
    assert_eq!(pasted.len(), numbers.len());
    for (number, bits) in numbers.iter().zip(pasted) {
        let (sign, size) = (bits >> 15, bits & 0x7fff);
        let distance = |bits: u32| (half(bits) - f64::from(number.abs())).abs();
        let is_nearer = |other: u32| match distance(size).total_cmp(&distance(other)) {
            Ordering::Less => true,
            Ordering::Equal => size.is_multiple_of(2),
            Ordering::Greater => false,
        };
        let is_nearest = (size == 0 || is_nearer(size - 1)) && (size == 0x7c00 || is_nearer(size + 1));
        assert!(is_nearest && size <= 0x7c00 && sign == u32::from(*number < 0.0), "{number:e}: {bits:#x}");
    }
}
