//! One operand, read as one of the forms that its slot takes: one file per form.

mod address;
mod general;
mod handle;
mod immediate;
mod modifier;
mod name;
mod raw;
mod region;
mod variable;

pub use general::MISSING_REGION;
pub use immediate::{DECIMAL_BIT_PATTERN, INVALID_IMMEDIATE, MISSING_TYPE};
pub use modifier::MISPLACED_SOURCE_MODIFIER;
pub use raw::{MALFORMED_NULL, MISSING_RAW_OFFSET, WRAPPING_OFFSET};
pub use region::MALFORMED_REGION;
pub use variable::{SURFACE_WITHOUT_NAME, SURPLUS_TYPE};

use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::lower::Lowering;
use crate::program::lsc::AddressSize;
use crate::program::operand::{Operand, OperandSpans};
use crate::program::pardon::Pardon;
use crate::program::variable::{FLAG_MISUSED, VariableId};
use crate::spec::Type;
use crate::spec::instruction::{KindSet, OperandKind, OperandSlot};
use crate::spec::predefined::VariableKind;
use crate::syntax::error::SYNTAX_ERROR;
use crate::syntax::tree::{Arguments, Base, ExprId, ExprKind, Item};

/// Kinds of data operands.
pub(super) const DATA: KindSet =
    KindSet::of(&[OperandKind::LscData, OperandKind::LscChannels, OperandKind::LscBlock, OperandKind::LscTypedBlock]);

crate::declare_rule! {
    /// An operand of a form that does not fit its place: a raw operand where a region is needed, an immediate where a
    /// destination stands, and so on.
    ///
    /// ```visa bad
    /// mov (M1, 8) 0x1:d VD(0,0)<8;8,1>
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// ```
    pub WRONG_OPERAND_FORM = "wrong-operand-form", Error | Pedantic, "5_instruction_set",
        help = "write an operand of the form that stands here in the instruction's syntax"
}

crate::declare_rule! {
    /// A variable of a kind that does not fit: a predicate where a surface is needed, a sampler used as a general
    /// variable, and so on.
    ///
    /// ```visa bad
    /// mov (M1, 8) P1(0,0)<1> 0x1:d
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// ```
    pub WRONG_VARIABLE_KIND = "wrong-variable-kind", Error, "4_visa_header",
        help = "name a variable of the kind that fits"
}

pub(super) const HANDLE: KindSet = KindSet::of(&[OperandKind::Surface, OperandKind::Sampler]);
const VECTOR: KindSet = KindSet::of(&[OperandKind::General, OperandKind::Indirect]);
const BARE: KindSet = KindSet::of(&[OperandKind::Label, OperandKind::Function, OperandKind::Keyword]);
const NAMES: KindSet = KindSet::of(&[OperandKind::Label, OperandKind::Function]);

/// What a general variable stands for in a slot of surfaces or samplers.
fn handle_kind(slot: &OperandSlot) -> OperandKind {
    if slot.kinds.contains(OperandKind::Surface) { OperandKind::Surface } else { OperandKind::Sampler }
}

/// The variable that an operand names.
#[derive(Clone, Copy)]
struct Named {
    /// Its name in the operand.
    name: Span,
    variable: VariableId,
    kind: VariableKind,
}

impl Lowering<'_> {
    /// Reads `item` as an operand of `slot`.
    pub(super) fn operand(&mut self, slot: &'static OperandSlot, item: &Item) -> (Operand, OperandSpans) {
        let mut spans = OperandSpans { whole: item.span, name: item.span, ..OperandSpans::default() };
        spans.suffix = item.suffix.unwrap_or_default();
        let operand = self.read(slot, item, &mut spans).unwrap_or(Operand::Broken);
        if operand == Operand::Broken
            && slot.role.writes()
            && let Some(variable) = self.find_variable(spans.name.of(self.text))
        {
            self.note(variable, FLAG_MISUSED);
        }
        if self.program.fragment.is_some() {
            return (self.fragment_operand(operand, slot.role.writes(), &spans), spans);
        }
        (operand, spans)
    }

    fn read(&mut self, slot: &'static OperandSlot, item: &Item, spans: &mut OperandSpans) -> Option<Operand> {
        if let Some(found) = self.unquoted_string(slot, item) {
            return found;
        }
        if self.program.fragment.is_some()
            && let Base::Expr(id) = item.base
            && let ExprKind::Name(name, _) = self.parser.tree.expr(id).kind
            && (self.is_host_number(name) || item.suffix.is_none() && self.brings_region(name, slot.role.writes()))
        {
            let takes_region = slot.kinds.contains(OperandKind::General) && item.suffix.is_none();
            return self.with_own_region(name, slot.role.writes(), self.modifier(item)).filter(|_| takes_region);
        }
        if let Some(word) = item.word {
            self.report_word(item, word);
            return None;
        }
        if slot.kinds.intersects(super::lsc::ADDRESS) {
            return self.lsc_address(slot, item, spans);
        }
        if item.length.is_some() && !slot.kinds.contains(OperandKind::WithLength) {
            let slash = self.text[item.span.start as usize..item.span.end as usize].rfind('/').map_or(0, |i| i as u32)
                + item.span.start;
            let span = Span::new(slash, slash + 1);
            self.report(
                Diagnostic::new(&SYNTAX_ERROR, span, "`/` cannot stand after an operand".to_owned())
                    .replace(span, "//", false),
            );
            return None;
        }
        let operand = match item.base {
            Base::Exec => {
                let written = item.span.of(self.text);
                let message = format!("`{written}` stands where {} is expected", slot_words(slot));
                self.report(Diagnostic::new(&WRONG_OPERAND_FORM, item.span, message));
                return None;
            }
            Base::Empty => {
                let message = format!("the operand {} is empty", slot.name);
                self.report(Diagnostic::new(&WRONG_OPERAND_FORM, item.span, message));
                return None;
            }
            Base::Broken => return None,
            Base::Index => {
                self.report_form(slot, item);
                return None;
            }
            Base::Source(span) | Base::Destination(span) => self.plain_general(slot, item, span, spans)?,
            Base::Indirect(name, offset) => self.indirect(item, name, offset, spans)?,
            Base::AddressOf(name) if slot.kinds.intersects(BARE) => {
                let name = self.parser.tree.expr(name).span;
                let span = Span::new(item.span.start, name.start);
                let message = format!("the operand {} is named without `&`", slot.name);
                self.report(Diagnostic::new(&WRONG_OPERAND_FORM, span, message).replace(span, "", true));
                return None;
            }
            Base::AddressOf(name) => self.address_of(item, name, spans)?,
            Base::Expr(id) => self.expression_operand(slot, item, id, spans)?,
        };
        // `V(0,0)<0;1,0>[0]`: a pointer to a surface, and the index that the surface has in brackets.
        let is_pointer = slot.kinds.intersects(HANDLE)
            && (matches!(operand, Operand::General { .. }) || self.is_number_of_surface(&operand, slot));
        if item.index.is_some() && !matches!(operand, Operand::AddressOf { .. }) && !is_pointer {
            self.report_form(slot, item);
            return None;
        }
        if item.length.is_some() && !matches!(operand, Operand::WithLength { .. }) {
            self.report_form(slot, item);
            return None;
        }
        self.check_source_modifier(item, &operand)?;
        let kind = self.kind_of(&operand, slot)?;
        if !slot.kinds.contains(kind) {
            self.report_kind(slot, item, &operand, spans);
            return None;
        }
        Some(operand)
    }

    /// Reports `.f` after an operand: a type of a number, or a modifier that does not belong there.
    fn report_word(&mut self, item: &Item, word: Span) {
        let written = word.of(self.text);
        if item.suffix.is_none() && Type::from_text(&written[1..]).is_some() && self.is_number(item) {
            let dot = Span::new(word.start, word.start + 1);
            // `1.f` is the number 1.0, where `1:f` would be a bit pattern.
            let is_fraction = matches!(&written[1..], "f" | "df") && item.span.of(self.text) != "0";
            let meant = if is_fraction { ".0:" } else { ":" };
            self.report(
                Diagnostic::new(&MISSING_TYPE, dot, "a number and its type are joined by `:`".to_owned())
                    .replace(dot, meant, true),
            );
            return;
        }
        let is_shape = super::lsc_shape::read(&written[1..]).is_ok();
        if item.suffix.is_none() && (is_shape || AddressSize::from_text(&written[1..]).is_some()) {
            let dot = Span::new(word.start, word.start + 1);
            let (rule, what) = if is_shape {
                (&super::lsc::UNKNOWN_LSC_SHAPE, "shape of data")
            } else {
                (&super::lsc::MALFORMED_LSC_ADDRESS, "size of an address")
            };
            let message = format!("the {what} follows a colon: `:{}`", &written[1..]);
            self.report(Diagnostic::new(rule, word, message).replace(dot, ":", true));
            return;
        }
        let message = format!("the modifier `{written}` cannot stand after `{}`", item.span.of(self.text));
        self.report(
            Diagnostic::new(&super::modifier::UNKNOWN_MODIFIER, word, message)
                .help("modifiers stand between the mnemonic and the execution size"),
        );
    }

    fn expression_operand(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        id: ExprId,
        spans: &mut OperandSpans,
    ) -> Option<Operand> {
        let expr = *self.parser.tree.expr(id);
        match expr.kind {
            ExprKind::Name(name, Arguments::None) if name.of(self.text) == "%DispatchSimd" => {
                self.literal(slot, item, id, spans)
            }
            ExprKind::Name(name, arguments) => {
                spans.name = name;
                if slot.kinds.intersects(BARE) {
                    return self.word(slot, item, expr.span, name, arguments);
                }
                self.named(slot, item, name, arguments, spans)
            }
            ExprKind::String => self.string(slot, item, expr.span),
            ExprKind::Group(list) if slot.kinds.contains(OperandKind::LabelList) => self.label_list(list),
            ExprKind::Group(list)
                if slot.kinds.intersects(KindSet::of(&[OperandKind::Surface, OperandKind::Sampler])) =>
            {
                self.indexed_handle(slot, item, list)
            }
            _ => self.literal(slot, item, id, spans),
        }
    }

    /// The form of an operand in a slot: a handle is a surface or a sampler by its variable, a name what the slot takes.
    fn kind_of(&self, operand: &Operand, slot: &OperandSlot) -> Option<OperandKind> {
        Some(match operand {
            Operand::Handle { variable, .. } => match self.program.variables[*variable].kind {
                VariableKind::Sampler => OperandKind::Sampler,
                VariableKind::Surface => OperandKind::Surface,
                _ => handle_kind(slot),
            },
            Operand::General { .. } if slot.kinds.intersects(HANDLE) => handle_kind(slot),
            Operand::Immediate { .. } if self.is_number_of_surface(operand, slot) => handle_kind(slot),
            Operand::Raw { .. } | Operand::Element { .. } if slot.kinds.contains(OperandKind::LscRegister) => {
                OperandKind::LscRegister
            }
            Operand::Name { .. } if slot.kinds.contains(OperandKind::Function) => OperandKind::Function,
            // An address is read for its slot and never comes here.
            Operand::LscData { .. } => slot.kinds.iter().find(|k| DATA.contains(*k)).unwrap_or(OperandKind::LscData),
            _ => operand.kind()?,
        })
    }

    /// `0x2:ud[0]`: what compilers print where a surface stands in the binding table, in a slot that takes pointers.
    fn is_number_of_surface(&self, operand: &Operand, slot: &OperandSlot) -> bool {
        matches!(operand, Operand::Immediate { .. }) && self.takes_printed_handles(slot)
    }

    /// Whether a surface or a sampler may be a number or nothing, because the text is what a compiler has built.
    pub(super) fn takes_printed_handles(&self, slot: &OperandSlot) -> bool {
        slot.kinds.intersects(HANDLE) && !slot.pointers.is_empty() && Pardon::Print.holds_in(&self.program)
    }

    /// Reports a variable that is no general one.
    fn need_general(&mut self, named: Named, slot: &OperandSlot) -> Option<()> {
        let wanted = VariableKind::General;
        if named.kind == wanted {
            return Some(());
        }
        let message = format!(
            "`{}` is {}; the operand {} takes {}",
            named.name.of(self.text),
            named.kind.variable(),
            slot.name,
            wanted.variable()
        );
        self.report_variable_kind(named.name, named.variable, message);
        None
    }

    fn report_variable_kind(&mut self, name: Span, variable: VariableId, message: String) {
        let place = self.program.variable_spans[variable].name;
        self.report(Diagnostic::new(&WRONG_VARIABLE_KIND, name, message).declared_at(place));
    }

    /// Reports text that is no operand of a form that the slot takes.
    pub(super) fn report_form(&mut self, slot: &OperandSlot, item: &Item) {
        let written = item.span.of(self.text);
        self.report(
            Diagnostic::new(&WRONG_OPERAND_FORM, item.span, format!("`{written}` cannot be the operand {}", slot.name))
                .help(format!("expected {}", slot_words(slot))),
        );
    }

    fn report_kind(&mut self, slot: &'static OperandSlot, item: &Item, operand: &Operand, spans: &OperandSpans) {
        let written = item.span.of(self.text);
        // The variable of an indirect operand has the right kind: the form of the operand is wrong.
        if let (Some(variable), false) = (operand.variable(), matches!(operand, Operand::Indirect { .. })) {
            let kind = self.program.variables[variable].kind;
            let wanted = wanted_variable_kinds(slot);
            if !wanted.is_empty() && !wanted.contains(&kind) && !operand.is_null() {
                let article = if wanted[0] == VariableKind::Address { "an" } else { "a" };
                let wanted = crate::spec::join_or(wanted.iter().map(|k| k.word().to_owned()));
                let message = format!(
                    "`{}` is {}; the operand {} takes {article} {wanted} variable",
                    spans.name.of(self.text),
                    kind.variable(),
                    slot.name
                );
                self.report_variable_kind(spans.name, variable, message);
                return;
            }
        }
        let mut diagnostic =
            Diagnostic::new(&WRONG_OPERAND_FORM, item.span, format!("`{written}` cannot be the operand {}", slot.name))
                .help(format!("expected {}", slot_words(slot)));
        if let (Operand::Raw { variable, byte_offset: 0 }, true) = (operand, slot.kinds.contains(OperandKind::General))
        {
            let word = self.program.names.name(self.program.variables[*variable].name).to_owned();
            let region = if slot.role.writes() {
                "<1>"
            } else if slot.scalar {
                "<0;1,0>"
            } else {
                "<8;8,1>"
            };
            diagnostic =
                diagnostic.replace(item.span, format!("{word}(0,0){region}"), slot.scalar && !slot.role.writes());
        } else if let (Operand::Raw { byte_offset: 0, .. }, true) = (operand, slot.kinds.contains(OperandKind::Element))
        {
            diagnostic = diagnostic.replace(item.span, format!("{}(0,0)", spans.name.of(self.text)), true);
        } else if let (Operand::Element { row: 0, column: 0, .. }, true) =
            (operand, slot.kinds.contains(OperandKind::Raw))
        {
            diagnostic = diagnostic.replace(item.span, format!("{}.0", spans.name.of(self.text)), true);
        }
        let takes_address = slot.kinds.contains(OperandKind::AddressOf) && !slot.kinds.contains(OperandKind::General);
        if matches!(operand, Operand::General { .. } | Operand::Raw { .. }) && takes_address {
            let name = spans.name.of(self.text);
            diagnostic = diagnostic.help(format!("write `&{name}[0]` for the address of `{name}`"));
        }
        self.report(diagnostic);
    }
}

/// The kinds of variables that an operand of the slot may name.
fn wanted_variable_kinds(slot: &OperandSlot) -> Vec<VariableKind> {
    let mut kinds: Vec<VariableKind> = slot
        .kinds
        .iter()
        .filter_map(|k| match k {
            OperandKind::General
            | OperandKind::Raw
            | OperandKind::Element
            | OperandKind::LscRegister
            | OperandKind::WithLength => Some(VariableKind::General),
            k if DATA.contains(k) => Some(VariableKind::General),
            OperandKind::Address | OperandKind::Indirect => Some(VariableKind::Address),
            OperandKind::Predicate => Some(VariableKind::Predicate),
            OperandKind::Surface => Some(VariableKind::Surface),
            OperandKind::Sampler => Some(VariableKind::Sampler),
            _ => None,
        })
        .collect();
    if slot.kinds.contains(OperandKind::State) {
        kinds.extend([VariableKind::Surface, VariableKind::Sampler]);
    }
    if slot.kinds.contains(OperandKind::General) && slot.kinds.contains(OperandKind::Indirect) {
        // The address variable of an indirect operand is not named as a kind that the slot takes.
        kinds.retain(|k| *k != VariableKind::Address || slot.kinds.contains(OperandKind::Address));
    }
    if slot.kinds.contains(OperandKind::AddressOf) {
        kinds.clear();
    }
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// What a slot takes, in words.
pub(super) fn slot_words(slot: &OperandSlot) -> String {
    slot.kinds.describe()
}
