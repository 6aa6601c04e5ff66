//! What to write for an instruction, with places to fill in, made from its row.

use crate::spec::instruction::{
    Execution, Instruction, KindSet, Modifier, ModifierKind, NoMask, OperandKind, OperandSlot, Predication,
};
use crate::spec::{PlatformSet, Type};
use std::fmt::Write as _;

/// A text with numbered places: `${1:dst}`, `${2|8,16|}`.
#[derive(Default)]
struct Snippet {
    text: String,
    n_places: u32,
}

impl Snippet {
    fn plain(&mut self, text: &str) {
        for c in text.chars() {
            if matches!(c, '$' | '}' | '\\') {
                self.text.push('\\');
            }
            self.text.push(c);
        }
    }

    fn place(&mut self, words: &str) {
        self.n_places += 1;
        let _ = write!(self.text, "${{{}:", self.n_places);
        self.plain(words);
        self.text.push('}');
    }

    fn choice(&mut self, words: &[String]) {
        if let [only] = words {
            return self.place(only);
        }
        self.n_places += 1;
        let _ = write!(self.text, "${{{}|", self.n_places);
        for (i, word) in words.iter().enumerate() {
            if i > 0 {
                self.text.push(',');
            }
            for c in word.chars() {
                if matches!(c, '$' | '}' | '\\' | ',' | '|') {
                    self.text.push('\\');
                }
                self.text.push(c);
            }
        }
        self.text.push_str("|}");
    }
}

/// An instruction as a snippet of the protocol, for these platforms.
#[must_use]
pub fn snippet(row: &Instruction, platforms: PlatformSet) -> String {
    let mut out = Snippet::default();
    if row.predicate == Predication::Required {
        out.plain("(");
        out.place("P1");
        out.plain(") ");
    }
    out.plain(row.mnemonic);
    for slot in row.modifiers.iter().filter(|m| !m.optional && !m.after_execution) {
        modifier(&mut out, slot, platforms);
    }
    let inside = row.execution.n_operands();
    match row.execution {
        Execution::MaskAndSize | Execution::BlockCount => {
            out.plain(" (");
            let masks: &[&str] =
                if row.no_mask == NoMask::Required { &["M1_NM"] } else { &["M1", "M1_NM", "M5", "M5_NM"] };
            out.choice(&masks.iter().map(|m| (*m).to_owned()).collect::<Vec<_>>());
            out.plain(", ");
            out.choice(&sizes(row, platforms));
            out.plain(")");
        }
        Execution::Pair | Execution::Triple => {
            out.plain(" (");
            for (i, slot) in row.operands.iter().take(inside).enumerate() {
                out.plain(if i > 0 { ", " } else { "" });
                operand(&mut out, slot);
            }
            out.plain(")");
        }
        Execution::OptionalSize => {
            out.plain(" (");
            out.choice(&sizes(row, platforms));
            out.plain(")");
        }
        Execution::None => {}
    }
    for slot in row.modifiers.iter().filter(|m| !m.optional && m.after_execution) {
        modifier(&mut out, slot, platforms);
    }
    for slot in row.operands.iter().skip(inside).filter(|s| !s.optional) {
        out.plain(" ");
        operand(&mut out, slot);
    }
    out.text.push_str("$0");
    out.text
}

/// The legal execution sizes, the usual one first.
fn sizes(row: &Instruction, platforms: PlatformSet) -> Vec<String> {
    let more = row.exec_sizes_by_platform.iter().filter(|m| !m.platforms.and(platforms).is_empty());
    let all = more.fold(row.exec_sizes.legal, |all, m| all.or(m.value));
    let mut sizes: Vec<u32> = all.iter().collect();
    sizes.sort_by_key(|s| (*s != 16, *s != 8, *s));
    if sizes.is_empty() {
        sizes.push(1);
    }
    sizes.into_iter().map(|s| s.to_string()).collect()
}

fn modifier(out: &mut Snippet, slot: &Modifier, platforms: PlatformSet) {
    out.plain(".");
    match slot.kind {
        ModifierKind::ChannelMask => out.choice(&["R", "RG", "RGB", "RGBA"].map(str::to_owned)),
        ModifierKind::BooleanFunction => {
            out.plain("x");
            out.place("80");
        }
        ModifierKind::FenceOptions => out.place("E"),
        ModifierKind::RenderTargetOptions => out.place("<RTI>"),
        ModifierKind::Word | ModifierKind::Number => {
            let here = slot.values.iter().filter(|v| v.tier == 0 && !v.platforms.and(platforms).is_empty());
            let words: Vec<String> = here.map(|v| v.text.to_owned()).collect();
            if words.is_empty() { out.place(slot.name.text()) } else { out.choice(&words) }
        }
    }
}

fn operand(out: &mut Snippet, slot: &OperandSlot) {
    let mut forms = forms(slot).into_iter();
    // A scalar is most often a constant.
    let form =
        if slot.scalar { forms.clone().find(|f| matches!(f, Form::Words(_))).or(forms.next()) } else { forms.next() };
    let Some(form) = form else { return out.place(slot.name.text()) };
    let (before, after) = form.around();
    out.plain(before);
    match form {
        Form::Value(text) => out.place(&text),
        Form::Words(words) => out.choice(&words),
        Form::Named { .. } => out.place(slot.name.text()),
    }
    out.plain(after);
}

/// Data of LSC messages.
pub const LSC_DATA: KindSet =
    KindSet::of(&[OperandKind::LscData, OperandKind::LscChannels, OperandKind::LscBlock, OperandKind::LscTypedBlock]);

/// Addresses of LSC messages.
pub const LSC_ADDRESSES: KindSet = KindSet::of(&[
    OperandKind::LscAddress,
    OperandKind::LscStridedAddress,
    OperandKind::LscBlockAddress,
    OperandKind::LscCoordinates,
    OperandKind::LscTypedBlockAddress,
]);

/// How an operand is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// The name of something, between two texts.
    Named {
        /// What the name belongs to.
        kind: OperandKind,
        /// Before it.
        before: &'static str,
        /// After it.
        after: &'static str,
    },
    /// A value.
    Value(String),
    /// One of these words.
    Words(Vec<String>),
}

impl Form {
    /// What stands before and after the name.
    #[must_use]
    pub const fn around(&self) -> (&'static str, &'static str) {
        match self {
            Self::Named { before, after, .. } => (before, after),
            Self::Value(_) | Self::Words(_) => ("", ""),
        }
    }
}

/// The forms that a slot takes, the usual one first.
#[must_use]
pub fn forms(slot: &OperandSlot) -> Vec<Form> {
    let named = |kind, before, after| Some(Form::Named { kind, before, after });
    let region = match (slot.role.writes(), slot.scalar) {
        (true, _) => "(0,0)<1>",
        (false, true) => "(0,0)<0;1,0>",
        (false, false) => "(0,0)<1;1,0>",
    };
    let order = [
        OperandKind::General,
        OperandKind::Raw,
        OperandKind::LscData,
        OperandKind::LscChannels,
        OperandKind::LscBlock,
        OperandKind::LscTypedBlock,
        OperandKind::LscAddress,
        OperandKind::LscStridedAddress,
        OperandKind::LscBlockAddress,
        OperandKind::LscCoordinates,
        OperandKind::LscTypedBlockAddress,
        OperandKind::LscSurface,
        OperandKind::LscRegister,
        OperandKind::Surface,
        OperandKind::Sampler,
        OperandKind::Predicate,
        OperandKind::Address,
        OperandKind::AddressOf,
        OperandKind::State,
        OperandKind::Element,
        OperandKind::WithLength,
        OperandKind::Variable,
        OperandKind::Label,
        OperandKind::LabelList,
        OperandKind::Function,
        OperandKind::Keyword,
        OperandKind::Number,
        OperandKind::Immediate,
        OperandKind::Indirect,
        OperandKind::String,
    ];
    let form = |kind: OperandKind| match kind {
        OperandKind::General => named(kind, "", region),
        OperandKind::Raw => named(kind, "", ".0"),
        OperandKind::LscData => named(kind, "", ":d32"),
        OperandKind::LscChannels => named(kind, "", ":d32.xyzw"),
        OperandKind::LscBlock => named(kind, "", ":d16.16x8nn"),
        OperandKind::LscTypedBlock => named(kind, "", ":32x4"),
        OperandKind::LscAddress => named(kind, "flat[", "]:a64"),
        OperandKind::LscStridedAddress => named(kind, "flat[", ", 0x4]:a64"),
        OperandKind::LscBlockAddress => named(kind, "flat[", ", width, height, pitch, x, y]"),
        OperandKind::LscCoordinates => named(kind, "bti(0x0)[", "]:a32"),
        OperandKind::LscTypedBlockAddress => named(kind, "bti(0x0)[", ", y]"),
        OperandKind::LscSurface => named(kind, "bti(", ")"),
        OperandKind::LscRegister | OperandKind::Surface | OperandKind::Sampler | OperandKind::Predicate => {
            named(kind, "", "")
        }
        OperandKind::Variable | OperandKind::Label | OperandKind::Function => named(kind, "", ""),
        OperandKind::Address => named(kind, "", "(0)<1>"),
        OperandKind::AddressOf => named(kind, "&", "[0]"),
        OperandKind::State => named(kind, "", "(0)"),
        OperandKind::Element => named(kind, "", "(0,0)"),
        OperandKind::WithLength => named(kind, "", ".0/1"),
        OperandKind::LabelList => named(kind, "(", ")"),
        OperandKind::Keyword => Some(Form::Words(slot.words.iter().map(|w| (*w).to_owned()).collect())),
        OperandKind::Number => Some(match numbers(slot).as_slice() {
            [] => Form::Value("0".to_owned()),
            all => Form::Words(all.iter().map(i64::to_string).collect()),
        }),
        OperandKind::Immediate => Some(Form::Words(immediates(slot))),
        OperandKind::Indirect => {
            named(kind, "r[", if slot.role.writes() { "(0),0]<1>:ud" } else { "(0),0]<8;8,1>:ud" })
        }
        OperandKind::String => Some(Form::Value("\"\"".to_owned())),
    };
    order.into_iter().filter(|k| slot.kinds.contains(*k)).filter_map(form).collect()
}

/// The numbers that a slot takes, if they are few.
fn numbers(slot: &OperandSlot) -> Vec<i64> {
    const FEW: i64 = 32;
    if !slot.values.legal.is_empty() {
        return slot.values.legal.to_vec();
    }
    match (slot.minimum, slot.maximum) {
        (Some(a), Some(b)) if b - a < FEW => (a..=b).collect(),
        (Some(a), _) => vec![a],
        _ => Vec::new(),
    }
}

/// Immediates that a slot takes: its values, or zero, in each of its types.
#[must_use]
pub fn immediates(slot: &OperandSlot) -> Vec<String> {
    let types: Vec<Type> = slot.types.legal.iter().filter(|t| t.row().immediate && !t.is_packed()).collect();
    let types = if types.is_empty() { vec![Type::UD, Type::D] } else { types };
    let values = numbers(slot);
    let mut all = Vec::new();
    for t in types {
        if t.is_float() {
            all.push(if matches!(t.text(), "f" | "df") {
                format!("0.0:{}", t.text())
            } else {
                format!("0x0:{}", t.text())
            });
        } else if values.is_empty() {
            all.push(format!("0x0:{}", t.text()));
        } else {
            all.extend(
                values
                    .iter()
                    .map(|v| if *v < 0 { format!("{v}:{}", t.text()) } else { format!("{v:#x}:{}", t.text()) }),
            );
        }
    }
    all
}
