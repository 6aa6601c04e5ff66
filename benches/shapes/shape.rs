//! What a shape is, and what texts are made of.

/// A kind of text that can be made in any size.
pub struct Shape {
    /// What it is.
    pub name: &'static str,
    /// Its smallest size.
    pub n: usize,
    /// The text of a size.
    pub text: fn(usize) -> String,
    /// Further arguments of the program.
    pub arguments: &'static [&'static str],
    /// The file that holds the text.
    pub file: &'static str,
    /// Whether the text is a file of settings, and what is checked is a small kernel.
    pub is_settings: bool,
}

impl Shape {
    pub const fn new(name: &'static str, n: usize, text: fn(usize) -> String) -> Self {
        Self { name, n, text, arguments: &[], file: "shape.visaasm", is_settings: false }
    }

    pub const fn with(self, arguments: &'static [&'static str]) -> Self {
        Self { arguments, ..self }
    }

    pub const fn in_file(self, file: &'static str) -> Self {
        Self { file, ..self }
    }

    pub const fn of_settings(self) -> Self {
        Self { file: "shape.toml", is_settings: true, ..self }
    }
}

const HEAD: &str = ".version 4.1\n.kernel \"k\"\n.decl V32 v_type=G type=d num_elts=64 align=GRF\n\
    .decl V33 v_type=G type=ud num_elts=64 align=GRF\n.decl V34 v_type=G type=uq num_elts=16 align=GRF\n\
    .decl A0 v_type=A num_elts=16\n.decl P1 v_type=P num_elts=32\n.decl T6 v_type=T num_elts=1\n\
    .decl V35 v_type=G type=uw num_elts=16 align=GRF\n.input V32 offset=32 size=256\n\
    .input V33 offset=288 size=256\n.input V34 offset=544 size=128\n.input V35 offset=672 size=32\n\
    .input T6 offset=704 size=4\n";
const BODY: &str = ".kernel_attr Target=\"cm\"\n.function \"k\"\nk:\n";
const END: &str = "    ret (M1, 1)\n";

/// A kernel with these declarations and statements.
pub fn kernel(declarations: &str, statements: &str) -> String {
    format!("{HEAD}{declarations}{BODY}{statements}{END}")
}

/// The parts of a text, one after the other.
pub fn parts(n: usize, part: impl Fn(usize, &mut String) -> std::fmt::Result) -> String {
    let mut text = String::new();
    for i in 0..n {
        part(i, &mut text).expect("writing into a string does not fail");
    }
    text
}

/// A kernel of n statements.
pub fn body(n: usize, part: impl Fn(usize, &mut String) -> std::fmt::Result) -> String {
    kernel("", &parts(n, part))
}
