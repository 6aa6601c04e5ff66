//! Changes a text by token, so that most results stay nearly right. The tests and the fuzzer share this.

use visa_lint::spec;

/// Words that stand in many statements.
const WORDS: &[&str] = &[
    "(M1, 8)",
    "(M1, 16)",
    "(M1_NM, 1)",
    "<8;8,1>",
    "<0;1,0>",
    "<1>",
    "(0,0)",
    "V32",
    "%r0",
    "%null.0",
    "%slm",
    "%bss",
    "T6",
    "P1",
    "A0",
    "r[A0(0),0]",
    ":ud",
    ":d",
    ":f",
    ":hf",
    ":uw",
    ":b",
    ":df",
    ":q",
    ".sat",
    ".any",
    "(-)",
    "(abs)",
    "0x0:ud",
    "-1:d",
    "1.5:f",
    "4294967296",
    "0xffffffffffffffff",
    "0x10000000000000000",
    "=",
    "{",
    "}",
    "//",
    "/*",
    "*/",
    "\r\n",
    "\u{feff}",
    "[",
    "]",
    "(",
    ")",
    ",",
    "#",
    "\"",
    "visa-lint: allow(",
    "align=GRF",
    "v_type=G",
    "type=ud",
    "num_elts=8",
    "alias=<V32,0>",
    ".decl",
    ".input",
    ".kernel_attr",
    ".function",
    ".version 4.1",
];

/// A small generator of numbers: what matters is that they depend on the seed alone.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`; 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if n == 0 { 0 } else { (self.0 >> 33) as usize % n }
    }
}

/// The tokens of a text, blanks and newlines among them.
fn tokens(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        ' ' | '\t' => 1,
        _ => 2,
    };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in text.char_indices() {
        let now = class(c);
        if at > start && (before != Some(now) || now == 2) {
            tokens.push(&text[start..at]);
            start = at;
        }
        before = Some(now);
    }
    tokens.push(&text[start..]);
    tokens
}

/// The text after a few changes.
pub fn changed(text: &str, random: &mut Random) -> String {
    if random.below(3) == 0 {
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        let (a, b) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(4) {
            0 if lines.len() > 1 => drop(lines.remove(a)),
            1 if !lines.is_empty() => lines.insert(a, lines[b]),
            2 if !lines.is_empty() => lines.swap(a, b),
            _ => {
                let rows = spec::instructions();
                lines.insert(a, rows[random.below(rows.len())].example);
                lines.insert(a + 1, "\n");
            }
        }
        return lines.concat();
    }
    let mut tokens = tokens(text);
    for _ in 0..=random.below(3) {
        let (a, b) = (random.below(tokens.len()), random.below(tokens.len()));
        let rows = spec::instructions();
        let word = match random.below(3) {
            0 => rows[random.below(rows.len())].mnemonic,
            1 => WORDS[random.below(WORDS.len())],
            _ => tokens[b],
        };
        match random.below(4) {
            0 if tokens.len() > 1 => drop(tokens.remove(a)),
            1 => tokens.insert(a, word),
            2 => tokens.swap(a, b),
            _ => tokens[a] = word,
        }
    }
    tokens.concat()
}
