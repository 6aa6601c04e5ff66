//! Brackets, operators, types and values of hosts inside each other, far deeper than a person writes: each host is read, and
//! the fault behind them is found. Long texts that are used often make no more of a host than a few times its bytes.

use visa_lint::checks::{self, Options};
use visa_lint::host::{self, Language};

/// How deep they are. A function that calls itself for each would run out of stack.
const DEPTH: usize = 50_000;

/// A host, in which `«` stands for what opens, and `»` for what closes.
struct Shape(Language, &'static str, &'static str, &'static str);

const SHAPES: [Shape; 15] = [
    Shape(Language::C, "int f(int b) { int r; use(«b»); ASM : \"=rw\"(r) : \"rw\"(b)); }", "(", ")"),
    Shape(Language::C, "int f(int b) { int r; ASM : \"=rw\"(r) : \"rw\"(«b»)); }", "(", ")"),
    Shape(Language::C, "int f(int b) { int r; ASM : \"=rw\"(r) : \"i\"(«b»)); }", "-", ""),
    Shape(Language::C, "int f(int b) { int r; ASM : \"=rw\"(r) : \"rw\"(«b»)); }", "(int)", ""),
    Shape(Language::C, "int f(int b) { int r; ASM : \"=rw\"(r) : \"i\"(«1.5f»)); }", "(", ")"),
    Shape(Language::C, "int f(int b) { int r; ASM : \"=rw\"(r) : \"i\"(«1.5f»)); }", "- ", ""),
    Shape(Language::C, "int f(«int» b) { int r; ASM : \"=rw\"(r) : \"rw\"(b)); }", "A<", "> "),
    Shape(Language::C, "int f(int b) { int r; « ASM : \"=rw\"(r) : \"rw\"(b)); » }", "if (b) {", "}"),
    Shape(Language::C, "constexpr int N = «1»;\nint f() { int r; ASM : \"=rw\"(r) : \"i\"(N)); }", "(", ")"),
    Shape(Language::C, "int f() { int r; constexpr float N = «1.5f»; ASM : \"=rw\"(r) : \"i\"(N)); }", "(", ")"),
    Shape(Language::Python, "v = «b»\nCALL", "(", ")"),
    Shape(Language::Python, "v = «b»\nCALL", "[", "]"),
    Shape(Language::Python, "v = «b»\nw = \"mov (M1, 16) V1(0,0)<1> {x}:d\".format(**v)\nCALL", "{\"x\": ", "}"),
    Shape(
        Language::Llvm,
        "%t = type «i32»\ndefine void @f(i32 %a) {\n  %v = call i32 ASM, \"=rw,rw\"(i32 %a)\n}",
        "{",
        "}",
    ),
    Shape(
        Language::Mlir,
        "func.func @f(%b: «i32») {\n  %v = llvm.inline_asm TEXT, \"=rw,rw\" %b : (i32) -> i32\n}",
        "tuple<",
        ">",
    ),
];

#[test]
fn whatever_is_inside_of_each_other_is_read() {
    for Shape(language, shape, open, close) in SHAPES {
        let sign = if language == Language::C { '%' } else { '$' };
        let text = format!("\"foo (M1, 16) {sign}0(0,0)<1> {sign}1(0,0)<1;1,0>\"");
        let host = shape
            .replace("CALL", "inline_asm(TEXT, \"=rw,rw\", [v])")
            .replace("ASM", if language == Language::C { "asm(TEXT" } else { "asm TEXT" })
            .replace("TEXT", &text)
            .replace('«', &open.repeat(DEPTH))
            .replace('»', &close.repeat(DEPTH));
        let read = host::read(&host, language, None);
        let found = checks::fragment::check_host(&host, &read, &Options::default(), None).diagnostics;
        assert!(found.iter().any(|d| d.message.contains("`foo`")), "{shape} with `{open}`: {} findings", found.len());
    }
}

/// Lines of a text, and uses of it.
const N_LINES: usize = 400;

#[test]
fn a_long_text_that_is_used_often_is_bounded() {
    let line = "\"mov (M1, 16) V1(0,0)<1> 0x0:d\\n\"\n";
    for (kind, used) in [("constexpr", "std::string(A)"), ("constexpr", "A"), ("const", "A")] {
        let uses = format!("s += {used} + {line};").repeat(N_LINES);
        let host = format!("{kind} char A[] =\n{};\nvoid g() {{ std::string s;\n{uses} }}\n", line.repeat(N_LINES));
        let read = host::read(&host, Language::C, None);
        let n_bytes: usize = read.fragments.iter().map(|f| f.text().len()).sum();
        assert!((host.len() / 4..host.len() * 50).contains(&n_bytes), "{kind} {used}: {} become {n_bytes}", host.len());
    }
    let host =
        format!("A = ({})\n", line.repeat(N_LINES)) + &format!("inline_asm(A + {line}, \"\", [])\n").repeat(N_LINES);
    let host = host.replace("\"\n, ", "\", ");
    let read = host::read(&host, Language::Python, None);
    let n_bytes: usize = read.fragments.iter().map(|f| f.text().len()).sum();
    assert!((host.len() / 4..host.len() * 50).contains(&n_bytes), "{} become {n_bytes}", host.len());
}
