//! Tests of `matching::shape`.

use visa_lint::lower::lower;
use visa_lint::matching::{Kind, Shape};

const TEXT: &str = ".version 4.1\n.kernel \"k1\"\n.decl V32 v_type=G type=d num_elts=8 align=GRF\n\
.decl V33 v_type=G type=d num_elts=8 align=GRF alias=<V32, 0>\n.decl P1 v_type=P num_elts=8\n.function \"BB_0\"\nBB_0:\n\
    mov (M1, 8) V32(0,0)<1> 0x1:d\n    (P1) add (M1, 8) V33(0,0)<1> V32(0,0)<8;8,1> 0x1:d\n    jmp (M1, 1) BB_0\n";

fn hashes(text: &str) -> Vec<u64> {
    Shape::of_program(text, &lower(text)).statements.iter().map(|s| s.hash).collect()
}

#[test]
fn numbers_of_declared_names_comments_and_blanks_do_not_matter() {
    let before = hashes(TEXT);
    assert_eq!(before.len(), 10);
    let other = TEXT
        .replace("V33", "V7001")
        .replace("V32", "V33")
        .replace("P1", "P22")
        .replace("BB_0", "BB_0_19")
        .replace("BB_0_19", "BB_119")
        .replace("    mov", "\n/* two */ mov // three\\\n")
        .replace("mov // three\\\n", "mov ");
    assert_eq!(hashes(&other), before);
}

#[test]
fn everything_else_matters() {
    let before = hashes(TEXT);
    for (old, new, n_changed) in [
        ("\"k1\"", "\"k2\"", 1),
        ("num_elts=8 align=GRF\n.decl V33", "num_elts=16 align=GRF\n.decl V33", 1),
        ("<V32, 0>", "<V32, 4>", 1),
        ("(M1, 8) V32(0,0)<1> 0x1:d", "(M1, 8) V32(0,1)<1> 0x1:d", 1),
        ("(M1, 8) V32(0,0)<1> 0x1:d", "(M1_NM, 8) V32(0,0)<1> 0x1:d", 1),
        ("V32(0,0)<8;8,1>", "V32(0,0)<0;1,0>", 1),
        ("add (M1, 8) V33", "add (M1, 8) %r0", 1),
        ("(P1) add", "(!P1) add", 1),
        ("add", "add3", 1),
        ("BB_0", "CC_0", 3),
    ] {
        let after = hashes(&TEXT.replace(old, new));
        let n = before.iter().zip(&after).filter(|(a, b)| a != b).count();
        assert_eq!((after.len(), n), (before.len(), n_changed), "{old} to {new}");
    }
}

#[test]
fn neighbours_are_the_instructions_around() {
    let identity = |text: &str, words: &str| {
        Shape::of_program(text, &lower(text)).identity(text.find(words).expect("the words") as u32)
    };
    let before = identity(TEXT, "add");
    assert_eq!(identity(&TEXT.replace(".decl P1", ".decl V9 v_type=G type=d num_elts=8\n.decl P1"), "add"), before);
    for (old, new) in [("mov (M1, 8)", "mov (M1, 4)"), ("jmp (M1, 1)", "jmp (M5, 1)")] {
        let after = identity(&TEXT.replace(old, new), "add");
        assert_eq!(after.statement, before.statement);
        assert_ne!(after.neighbours, before.neighbours, "{old}");
    }
    // Where a declaration stands means nothing.
    assert_eq!(identity(TEXT, ".decl V33").neighbours, 0);
    let shape = Shape::of_program(TEXT, &lower(TEXT));
    let kinds: Vec<Kind> = shape.statements[5..].iter().map(|s| s.kind).collect();
    assert_eq!(kinds, [Kind::Directive, Kind::Label, Kind::Instruction, Kind::Instruction, Kind::Instruction]);
}
