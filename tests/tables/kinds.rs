//! Key `kind`: each form in each slot.

use super::{Given, Line, each_row, each_row_but, variable_of};
use visa_lint::base::rule::Level;
use visa_lint::spec::Type;
use visa_lint::spec::instruction::{KindSet, Notation, OperandKind, OperandSlot, Role};

/// An operand of a form, in a slot of that role and with a type that it takes.
fn written(kind: OperandKind, slot: &OperandSlot) -> Option<String> {
    let t = slot.types.legal.iter().find(|t| t.row().declarable && t.row().immediate).unwrap_or(Type::UD);
    let name = variable_of(t);
    let region = match () {
        () if slot.role != Role::Source => "<1>",
        () if slot.scalar => "<0;1,0>",
        () => "<1;1,0>",
    };
    Some(match kind {
        OperandKind::General => format!("{name}(0,0){region}"),
        OperandKind::Indirect => format!("r[A1(0),0]{}:{}", if region == "<1>" { region } else { "<0;1,0>" }, t.text()),
        OperandKind::Immediate => format!("0x1:{}", t.text()),
        OperandKind::Raw => format!("{name}.0"),
        OperandKind::Address => "A0(0)<1>".to_owned(),
        OperandKind::AddressOf => "&VUD".to_owned(),
        OperandKind::Predicate => "P1".to_owned(),
        OperandKind::Surface => "T6".to_owned(),
        OperandKind::Sampler => "S0".to_owned(),
        OperandKind::State => "T6(0)".to_owned(),
        OperandKind::Element => "VUD(0,0)".to_owned(),
        OperandKind::Number if slot.notation == Notation::Decimal => "1".to_owned(),
        OperandKind::Number => "0x1".to_owned(),
        OperandKind::Label => "label_1".to_owned(),
        OperandKind::LabelList if slot.kinds.contains(kind) => "(label_1, label_1)".to_owned(),
        OperandKind::String if slot.kinds.contains(OperandKind::Label) => "\"label_1\"".to_owned(),
        OperandKind::String => "\"text\"".to_owned(),
        OperandKind::LscData => "VUD:d32".to_owned(),
        OperandKind::LscChannels => "VUD:d32.xy".to_owned(),
        OperandKind::LscBlock => "VUD:d16.2x16x8nn".to_owned(),
        OperandKind::LscTypedBlock => "VUD:64x2".to_owned(),
        OperandKind::LscAddress => "flat[VUQ]:a64".to_owned(),
        OperandKind::LscSurface => "bti(0x1)".to_owned(),
        OperandKind::WithLength => "VUD.0/1".to_owned(),
        // These look like others, or like the mask and size.
        OperandKind::LabelList
        | OperandKind::Function
        | OperandKind::Variable
        | OperandKind::Keyword
        | OperandKind::LscStridedAddress
        | OperandKind::LscBlockAddress
        | OperandKind::LscCoordinates
        | OperandKind::LscTypedBlockAddress
        | OperandKind::LscRegister => return None,
    })
}

/// What is said of an operand of another form.
const WRONG: &[&str] = &[
    "wrong-operand-form",
    "wrong-variable-kind",
    "missing-region",
    "missing-type",
    "surplus-type",
    "missing-raw-offset",
    "malformed-region",
    "malformed-lsc-address",
    "unknown-lsc-shape",
    "syntax-error",
    "undeclared-variable",
    "undefined-label",
    "unknown-function",
    "not-a-surface",
    "surface-without-name",
    "not-constant",
];

/// Whether the text of the form is also one of a form that the slot takes.
fn looks_the_same(kind: OperandKind, slot: &OperandSlot) -> bool {
    use OperandKind as K;
    let takes = |kinds: &[K]| slot.kinds.intersects(KindSet::of(kinds));
    match kind {
        K::Predicate | K::Surface | K::Sampler | K::Label => {
            takes(&[K::Function, K::Label]) || kind == K::Predicate && takes(&[K::Variable])
        }
        K::Raw | K::Element => takes(&[K::LscRegister]),
        // Of what stands behind the variable, rules of these messages speak.
        K::LscData | K::LscChannels | K::LscBlock | K::LscTypedBlock => {
            takes(&[K::LscData, K::LscChannels, K::LscBlock, K::LscTypedBlock, K::LscRegister])
        }
        K::LscAddress | K::LscSurface => takes(&[
            K::LscAddress,
            K::LscStridedAddress,
            K::LscBlockAddress,
            K::LscCoordinates,
            K::LscTypedBlockAddress,
            K::LscSurface,
        ]),
        _ => false,
    }
}

#[test]
fn other_forms_are_refused() {
    each_row(|example, faults| {
        for Given { spans, slot, .. } in example.operands() {
            for kind in KindSet(u32::MAX).iter().filter(|k| !slot.kinds.contains(*k)) {
                let Some(text) = written(kind, slot) else { continue };
                // A list in parentheses makes an index of the name before it.
                let is_before_list = example.row.takes(OperandKind::LabelList);
                if looks_the_same(kind, slot) || is_before_list {
                    continue;
                }
                faults.faulty_with_one_of(&example.with(spans.whole, &text), WRONG, Level::Error);
            }
        }
    });
}

/// Forms that a slot takes only beside others.
const BESIDE_OTHERS: &[(&str, &str)] = &[
    ("rt_write_3d General", "the operands are told apart by the options of the message: the index alone is a register"),
    ("rt_write_3d Immediate", "the operands are told apart by the options of the message: the index alone is a number"),
    ("rt_write_3d Raw", "the operands are told apart by the options of the message: the data alone are raw"),
];

#[test]
fn own_forms_are_legal() {
    each_row_but(BESIDE_OTHERS, |example, faults| {
        for Given { spans, slot, .. } in example.operands() {
            for kind in slot.kinds.iter() {
                let Some(text) = written(kind, slot) else { continue };
                // Alone, or in every place that can have it.
                let everywhere: Vec<_> = example
                    .operands()
                    .into_iter()
                    .filter(|g| g.slot.kinds.contains(kind))
                    .filter_map(|g| Some((g.spans.whole, written(kind, g.slot)?)))
                    .collect();
                let mut lines = example.with_all_beside_others(&[(spans.whole, text.clone())]);
                lines.push(example.with_all(&everywhere));
                // Beside each form of another operand.
                for other in example.operands().into_iter().filter(|g| g.spans.whole != spans.whole) {
                    let others = other.slot.kinds.iter().filter_map(|kind| written(kind, other.slot));
                    let changes = |other_text| [(spans.whole, text.clone()), (other.spans.whole, other_text)];
                    lines.extend(others.map(|other_text| example.with_all(&changes(other_text))));
                }
                if kind == OperandKind::LscAddress {
                    lines.push(example.with(spans.whole, "bti(0x4)"));
                }
                let is_wrong = |line: &Line| line.findings(Level::Warning).iter().any(|d| WRONG.contains(&d.rule.name));
                let problem = lines.iter().all(is_wrong).then(|| lines[0].refused().unwrap_or_default());
                faults.unless(format!("{} {kind:?}", example.row.mnemonic), problem);
            }
        }
    });
}
