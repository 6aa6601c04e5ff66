//! Tests of `lsp::line`.

use visa_lint::lsp::line::{Spot, read};
use visa_lint::spec;

#[track_caller]
fn operand(text: &str) -> (String, String) {
    let cursor = read(text);
    let Spot::Operand(typed) = cursor.spot else { panic!("{text}: {:?}", cursor.spot) };
    let slot = typed.next_slot(text);
    (typed.row().operands.get(slot).map_or("none".to_owned(), |s| s.name.to_string()), cursor.typed.of(text).to_owned())
}

#[test]
fn operands_are_counted() {
    assert_eq!(operand("    add (M1, 16) "), ("dst".to_owned(), String::new()));
    assert_eq!(operand("    add (M1, 16) V1(0,0)<1> V2(0,"), ("src0".to_owned(), "V2(0,".to_owned()));
    assert_eq!(
        operand("(!P1.any) add.sat (M1, 16) V1(0,0)<1> r[A0(0), 4]<8;8,1>:ud 0x"),
        ("src1".to_owned(), "0x".to_owned())
    );
    assert_eq!(operand("scatter4_scaled.RG (M1, 16) T6 0x0:ud V1.0 V2").0, "src");
    assert_eq!(operand("    jmp (M1, 1) lab"), ("label".to_owned(), "lab".to_owned()));
}

#[test]
fn spots_are_told_apart() {
    let spot = |text: &str| read(text).spot;
    assert_eq!(spot(""), Spot::Start);
    assert_eq!(spot("   ad"), Spot::Start);
    assert_eq!(spot(".de"), Spot::Start);
    assert_eq!(spot("(!P"), Spot::Predicate);
    assert_eq!(spot("(P1.a"), Spot::PredicateControl);
    assert_eq!(spot("nbarrier.si"), Spot::Start);
    assert!(matches!(spot("cmp."), Spot::Modifier(_)));
    assert!(matches!(spot("cmp.eq ("), Spot::Mask(_)));
    assert!(matches!(spot("cmp.eq (M1, "), Spot::Size(_)));
    assert_eq!(spot("mov (M1, 8) V1(0,0)<1> // V"), Spot::Nothing);
    assert_eq!(spot(".kernel \"na"), Spot::Nothing);
    assert_eq!(spot("label:"), Spot::Nothing);
    assert_eq!(spot("nosuch (M1, 8) "), Spot::Nothing);
    let text = ".decl V1 v_type=G type=";
    let Spot::Directive { word, parts } = spot(text) else { panic!("a directive") };
    assert_eq!((word.of(text), parts.len()), (".decl", 2));
}

#[test]
fn no_beginning_of_a_line_panics() {
    for row in spec::instructions() {
        for end in 0..=row.example.len() {
            if let Spot::Operand(typed) = read(&row.example[..end]).spot {
                let _ = typed.next_slot(row.example);
            }
        }
    }
    for text in [
        "((((",
        "mov ((",
        "(é",
        "é",
        "mov (M1, 8) é",
        "...",
        ". . .",
        "switchjmp (M1, 1) V (a, b",
        "&",
        "[",
        "mov.",
        "mov)",
    ] {
        for (end, _) in text.char_indices() {
            let _ = read(&text[..end]);
        }
        let _ = read(text);
    }
}
