//! The printed tables.

use super::{rules, sources};

const TEXT: &str = r#"
[base]
summary = "Does."
example = "base (M1, 8) VUD(0,0)<0;1,0> VUD.0"
predicate = "allowed"
modifiers = [{ name = "n_blocks", kind = "number", values = [1, 2] }]
operands = [{ name = "offset", kind = "scalar", types = ["UD"] },
            { name = "src", kind = "raw", bytes = "n_blocks * offset" }]

["base.more"]
like = "base"
example = "base.more (M1, 8) VUD(0,0)<0;1,0> VUD.0"
exec_sizes = [16]
platforms = "DG2, PVC"
operation = "add3"

["base.by_platform"]
like = "base.more"
example = "base.by_platform (M1, 8) VUD(0,0)<0;1,0> VUD.0"
exec_sizes = []
exec_sizes_by_platform = [{ platforms = "PVC", sizes = [16] }, { platforms = "DG2", sizes = [8] }]
"#;

fn printed() -> String {
    rules::generate(&sources(&[("x.toml", TEXT)])).expect("the rules are sound")
}

#[track_caller]
fn contains(text: &str, part: &str) {
    assert!(text.contains(part), "`{part}` is not in {text}");
}

#[test]
fn constants() {
    let text = printed();
    contains(&text, "pub const XEHP_SDV: Platform = Platform(6);");
    contains(&text, "pub const PLATFORMS: &[PlatformRow] = &[");
    contains(&text, "pub const UD: Type = Type(0);");
    contains(&text, "pub const ALL: &[Type] = &[Type::UD, ");
    contains(
        &text,
        "Predefined { name: \"%r0\", kind: VariableKind::General, element_type: Type::UD, n_elements: [8, 16]",
    );
    contains(&text, "writable: Writable::Elements(&[4])");
}

#[test]
fn defaults() {
    let text = printed();
    let row = text.lines().find(|line| line.contains("mnemonic: \"base\"")).expect("a row");
    contains(row, "example_platform: Platform(7)");
    contains(
        row,
        "saturate: Saturation::Forbidden, saturate_platforms: PlatformSet::ALL, execution: Execution::MaskAndSize",
    );
    contains(row, "exec_sizes: Tiers { legal: Sizes(0x1_0001_0116), seen: Sizes(0x0), tolerated: Sizes(0x0) }");
    contains(row, "platforms: Tiers { legal: PlatformSet::ALL, seen: PlatformSet::NONE");
    contains(row, "kinds: KindSet::of(&[OperandKind::General, OperandKind::Indirect, OperandKind::Immediate])");
    contains(row, "scalar: true");
    contains(row, "alignment: Alignment::None");
    contains(row, "alignment: Alignment::Grf");
    contains(
        row,
        "bytes: Some(&Expression::Binary(Operator::Multiply, &Expression::Variable(Variable::Modifier(0)), \
         &Expression::Variable(Variable::Operand(0))))",
    );
    contains(
        row,
        "operation: None, family: Family::Other, lanes: Lanes::Mixed, checks: &[], barrier: None, marker: None, parameters: &[], word_parameters: &[], parameter_types: None, immediate_bits: None, flow: Flow::Next",
    );
}

#[test]
fn like_takes_over_what_is_not_given() {
    let text = printed();
    let row = text.lines().find(|line| line.contains("mnemonic: \"base.more\"")).expect("a row");
    contains(row, "summary: \"Does.\"");
    contains(row, "legal: Sizes(0x1_0000)");
    contains(row, "legal: PlatformSet(0x480)");
    contains(row, "name: OperandName::OFFSET");
    contains(row, "operation: Some(Operation::Add3)");
}

#[test]
fn what_is_computed_is_not_taken_over() {
    let text = printed();
    let row = text.lines().find(|line| line.contains("mnemonic: \"base.by_platform\"")).expect("a row");
    contains(row, "legal: PlatformSet(0x480)");
    contains(row, "operation: None");
}

#[test]
fn sizes_that_all_depend_on_the_platform_have_no_default() {
    let text = printed();
    let row = text.lines().find(|line| line.contains("mnemonic: \"base.by_platform\"")).expect("a row");
    contains(row, "exec_sizes: Tiers { legal: Sizes(0x0)");
    contains(row, "&[OnPlatforms { platforms: PlatformSet(0x400), value: Sizes(0x1_0000) }, ");
}

#[test]
fn the_rows_are_ordered() {
    let text = printed();
    assert!(text.find("mnemonic: \"base\"") < text.find("mnemonic: \"base.more\""));
}
