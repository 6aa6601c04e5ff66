//! Proposals for operands.

use super::{Known, Proposal, variables};
use crate::lsp::line::Typed;
use crate::lsp::template::{self, Form, LSC_ADDRESSES, LSC_DATA};
use crate::program::{ObjectKind, VariableId};
use crate::spec::Type;
use crate::spec::instruction::{NullUse, OperandKind, OperandSlot, SurfaceClass};
use crate::spec::predefined::VariableKind;
use gen_lsp_types::CompletionItemKind;
use rustc_hash::FxHashSet;

/// Data shapes that are proposed.
const VECTORS: &[&str] = &[
    "d32", "d64", "d8u32", "d16u32", "d16u32h", "d8", "d16", "d32x2", "d32x3", "d32x4", "d32x8", "d64x2", "d64x4",
    "d32x8t", "d32x16t", "d32x32t", "d32x64t", "d64x8t", "d64x16t", "d64x32t",
];
const CHANNELS: &[&str] = &["d32.x", "d32.xy", "d32.xyz", "d32.xyzw", "d64.x", "d64.xyzw"];
const BLOCKS: &[&str] =
    &["d8.32x8nn", "d16.16x8nn", "d16.16x16nn", "d16.2x16x8nn", "d16.16x16nt", "d32.16x8nn", "d32.8x8tn", "d64.8x8nn"];
const TYPED_BLOCKS: &[&str] = &["4x1", "16x4", "32x4", "64x1", "64x4"];

/// Proposes for the operand that is being typed. Returns how many of its bytes are left as they are.
pub(super) fn operand(instruction: &Typed, before: &str, typed: &str, known: &Known, found: &mut Vec<Proposal>) -> u32 {
    let Some(slot) = instruction.row().operands.get(instruction.next_slot(before)) else { return 0 };
    let lanes = instruction
        .exec
        .and_then(|e| e.of(before).trim_end_matches(')').rsplit([',', '(']).next()?.trim().parse::<u32>().ok())
        .unwrap_or(1);
    // What begins inside of the operand.
    if let Some(at) = typed.rfind(':') {
        types(slot, typed, known, found);
        return at as u32 + 1;
    }
    if let Some(at) = typed.rfind('<') {
        regions(slot, lanes, found);
        return at as u32 + 1;
    }
    let modifier_end = typed.find(')').filter(|_| typed.starts_with('(')).map_or(0, |i| i + 1);
    let rest = &typed[modifier_end..];
    if let Some(at) =
        rest.find('.').filter(|_| slot.kinds.contains(OperandKind::Raw) || slot.kinds.intersects(LSC_DATA))
    {
        raw_offsets(&rest[..at], known, found);
        return (modifier_end + at) as u32 + 1;
    }
    if let Some(at) = rest.rfind(['[', '&']) {
        inside(slot, rest, known, found);
        return (modifier_end + at) as u32 + 1;
    }
    if let Some(at) = rest.rfind(['(', ',']) {
        if slot.kinds.contains(OperandKind::LabelList) {
            labels(known, found);
        }
        let blanks = rest[at + 1..].len() - rest[at + 1..].trim_start().len();
        return (modifier_end + at + blanks) as u32 + 1;
    }
    for form in template::forms(slot) {
        propose(&form, slot, known, found);
    }
    if slot.null != NullUse::Forbidden {
        let null = if slot.kinds.contains(OperandKind::Raw) { "%null.0" } else { "%null" };
        found.push(Proposal { rank: 4, ..Proposal::new(null, CompletionItemKind::Constant, "nothing") });
    }
    modifier_end as u32
}

fn propose(form: &Form, slot: &OperandSlot, known: &Known, found: &mut Vec<Proposal>) {
    match form {
        Form::Value(text) => {
            found
                .push(Proposal { rank: 3, ..Proposal::new(text.clone(), CompletionItemKind::Value, slot.name.text()) });
        }
        Form::Words(words) => found.extend(
            words
                .iter()
                .map(|w| Proposal { rank: 3, ..Proposal::new(w.clone(), CompletionItemKind::Value, slot.name.text()) }),
        ),
        Form::Named { kind, before, after } => {
            let write = |name: &str| format!("{before}{name}{after}");
            match kind {
                OperandKind::Label => labels(known, found),
                OperandKind::LabelList => {}
                OperandKind::Function => functions(known, found),
                OperandKind::Surface => surfaces(slot, known, found),
                OperandKind::Sampler => variables(known, VariableKind::Sampler, std::borrow::ToOwned::to_owned, found),
                OperandKind::State => {
                    variables(known, VariableKind::Surface, write, found);
                    variables(known, VariableKind::Sampler, write, found);
                }
                OperandKind::Predicate => variables(known, VariableKind::Predicate, write, found),
                OperandKind::Address | OperandKind::Indirect => variables(known, VariableKind::Address, write, found),
                kind if LSC_ADDRESSES.contains(*kind) || *kind == OperandKind::LscSurface => addresses(*kind, found),
                _ => {
                    let first = found.len();
                    variables(known, VariableKind::General, write, found);
                    rank_by_type(slot, known, &mut found[first..]);
                }
            }
        }
    }
}

/// Puts variables of a legal type first.
fn rank_by_type(slot: &OperandSlot, known: &Known, found: &mut [Proposal]) {
    if !slot.has_types() {
        return;
    }
    let more = slot.types_by_platform.iter().filter(|m| !m.platforms.and(known.platforms).is_empty());
    let legal = more.fold(slot.types.legal.or(slot.types.seen), |all, m| all.or(m.value));
    for proposal in found {
        let t = proposal.detail.split(' ').next().and_then(Type::from_text);
        if t.is_some_and(|t| !legal.contains(t)) {
            proposal.rank += 1;
        }
    }
}

fn surfaces(slot: &OperandSlot, known: &Known, found: &mut Vec<Proposal>) {
    let first = found.len();
    variables(known, VariableKind::Surface, std::borrow::ToOwned::to_owned, found);
    let is_forbidden = |name: &str| {
        let is_predefined = VariableId::of_predefined(name).is_some();
        slot.surfaces_forbidden.iter().any(|class| match class {
            SurfaceClass::Slm => name == "%slm",
            SurfaceClass::Scratch => name == "%scratch",
            SurfaceClass::Bindless => name == "%bss",
            SurfaceClass::Predefined => is_predefined,
        })
    };
    let mut place = 0;
    found.retain(|proposal| {
        place += 1;
        place <= first || !is_forbidden(&proposal.label)
    });
}

fn labels(known: &Known, found: &mut Vec<Proposal>) {
    let (Some(p), Some(object)) = (known.program(), known.object) else { return };
    let range = p.objects[object].labels.clone();
    let mut seen = FxHashSet::default();
    // The front of a subroutine may have its name as a label, too.
    for label in p.labels.as_slice()[range.start as usize..range.end as usize].iter().filter(|l| seen.insert(l.name)) {
        let what = if label.is_function { "subroutine" } else { "label" };
        found.push(Proposal::new(p.names.name(label.name), CompletionItemKind::Reference, what));
    }
}

fn functions(known: &Known, found: &mut Vec<Proposal>) {
    let Some(p) = known.program() else { return };
    for object in p.objects.iter().filter(|o| o.kind == ObjectKind::Function) {
        found.push(Proposal::new(p.names.name(object.name), CompletionItemKind::Function, "function"));
    }
}

fn addresses(kind: OperandKind, found: &mut Vec<Proposal>) {
    let forms: &[(&str, &str, &str)] = match kind {
        OperandKind::LscSurface => &[
            ("bti", "bti(${1:0x0})", "binding table index"),
            ("ss", "ss(${1:V})", "surface state offset"),
            ("bss", "bss(${1:V})", "bindless surface state offset"),
        ],
        OperandKind::LscStridedAddress => &[("flat", "flat[${1:base}, ${2:0x4}]:${3|a64,a32|}", "base and pitch")],
        OperandKind::LscBlockAddress => &[(
            "flat",
            "flat[${1:base}, ${2:width}, ${3:height}, ${4:pitch}, ${5:x}, ${6:y}]",
            "surface and place of the block",
        )],
        OperandKind::LscCoordinates => &[
            ("bti", "bti(${1:0x0})[${2:u}, ${3:v}]:a32", "binding table index and coordinates"),
            ("ss", "ss(${1:V})[${2:u}, ${3:v}]:a32", "surface state offset and coordinates"),
            ("bss", "bss(${1:V})[${2:u}, ${3:v}]:a32", "bindless surface state offset and coordinates"),
        ],
        OperandKind::LscTypedBlockAddress => &[
            ("bti", "bti(${1:0x0})[${2:x}, ${3:y}]", "binding table index and place of the block"),
            ("ss", "ss(${1:V})[${2:x}, ${3:y}]", "surface state offset and place of the block"),
        ],
        _ => &[
            ("flat", "flat[${1:V}]:${2|a64,a32|}", "address, or offset in shared local memory"),
            ("bti", "bti(${1:0x0})[${2:V}]:a32", "binding table index and offset"),
            ("ss", "ss(${1:V})[${2:V}]:a32", "surface state offset and offset"),
            ("bss", "bss(${1:V})[${2:V}]:a32", "bindless surface state offset and offset"),
        ],
    };
    for (label, snippet, detail) in forms {
        found.push(Proposal {
            insert: Some((*snippet).to_owned()),
            is_snippet: true,
            ..Proposal::new(*label, CompletionItemKind::Keyword, *detail)
        });
    }
}

/// What stands inside of brackets or after `&`.
fn inside(slot: &OperandSlot, typed: &str, known: &Known, found: &mut Vec<Proposal>) {
    if typed.starts_with("r[") {
        return variables(known, VariableKind::Address, std::borrow::ToOwned::to_owned, found);
    }
    if slot.kinds.intersects(LSC_ADDRESSES) || typed.ends_with('&') || slot.kinds.contains(OperandKind::AddressOf) {
        variables(known, VariableKind::General, std::borrow::ToOwned::to_owned, found);
        if typed.contains('&') {
            variables(known, VariableKind::Surface, std::borrow::ToOwned::to_owned, found);
        }
    }
}

/// Types after a colon.
fn types(slot: &OperandSlot, typed: &str, known: &Known, found: &mut Vec<Proposal>) {
    let value = |text: &str, detail: &str| Proposal::new(text, CompletionItemKind::TypeParameter, detail);
    if slot.kinds.intersects(LSC_ADDRESSES) {
        return found.extend(["a16", "a32", "a64"].map(|w| value(w, "bits of an address")));
    }
    let shapes = [
        (OperandKind::LscData, VECTORS),
        (OperandKind::LscChannels, CHANNELS),
        (OperandKind::LscBlock, BLOCKS),
        (OperandKind::LscTypedBlock, TYPED_BLOCKS),
    ];
    if slot.kinds.intersects(LSC_DATA) {
        for (_, shapes) in shapes.iter().filter(|(kind, _)| slot.kinds.contains(*kind)) {
            found.extend(shapes.iter().map(|w| value(w, "data shape")));
        }
        return;
    }
    let is_indirect = typed.starts_with("r[");
    let more = slot.types_by_platform.iter().filter(|m| !m.platforms.and(known.platforms).is_empty());
    let legal = more.fold(slot.types.legal.or(slot.types.seen), |all, m| all.or(m.value));
    for t in Type::ALL.iter().filter(|t| legal.is_empty() || legal.contains(**t)) {
        if if is_indirect { t.row().declarable } else { t.row().immediate } {
            found.push(value(t.text(), &format!("{} bytes", t.bytes())));
        }
    }
}

/// Regions that are in use, for that many lanes.
fn regions(slot: &OperandSlot, lanes: u32, found: &mut Vec<Proposal>) {
    let value = |text: String, detail: &str| Proposal::new(text, CompletionItemKind::Value, detail);
    if slot.role.writes() {
        found.extend(
            [("1>", "side by side"), ("2>", "every second element"), ("4>", "every fourth element")]
                .map(|(t, d)| value(t.to_owned(), d)),
        );
        return;
    }
    if slot.scalar {
        return found.push(value("0;1,0>".to_owned(), "the first element"));
    }
    found.push(value("1;1,0>".to_owned(), "side by side"));
    found.push(value("0;1,0>".to_owned(), "one element for all lanes"));
    for width in [2, 4, 8, 16].into_iter().filter(|w| *w <= lanes) {
        found.push(value(format!("{width};{width},1>"), "side by side"));
    }
    found.push(value("2;1,0>".to_owned(), "every second element"));
    found.push(value("4;1,0>".to_owned(), "every fourth element"));
}

/// Offsets of the registers of a variable.
fn raw_offsets(name: &str, known: &Known, found: &mut Vec<Proposal>) {
    const MOST: u32 = 32;
    let Some(p) = known.program() else { return };
    let Some(id) = known.variables().find(|v| p.variable_name(*v) == name) else { return };
    let grf_bytes = known.platforms.grf_sizes().next().unwrap_or(32);
    let bytes = p.variable_bytes(id, grf_bytes);
    for register in 0..bytes.div_ceil(grf_bytes).clamp(1, MOST) {
        found.push(Proposal::new(
            (register * grf_bytes).to_string(),
            CompletionItemKind::Value,
            format!("register {register}"),
        ));
    }
}
