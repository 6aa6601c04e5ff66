//! Known values of operands, compared with the same limits as immediates.

use super::Finding;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::{Level, Rule};
use crate::checks::alu::arithmetic::{self, DIVISION_BY_ZERO};
use crate::checks::alu::conversion::{self, LOSSY_CONVERSION};
use crate::checks::common::lsc::MISALIGNED_ADDRESS;
use crate::checks::context::{Context, Sink, View};
use crate::checks::flow::instruction::CONSTANT_CALL_ADDRESS;
use crate::checks::lsc::message::Message;
use crate::checks::memory::raw_send::{DESCRIPTOR_MISMATCH, RESERVED_DESCRIPTOR_BITS};
use crate::checks::predefined::RESERVED_BITS;
use crate::checks::table::value::VALUE_OUT_OF_RANGE;
use crate::checks::{flow, lsc, memory, predefined, render_target, table, vme};
use crate::interp::facts::{AddressNumbers, Held, Number, Path};
use crate::interp::{Fact, FactKind};
use crate::program::pardon::Pardon;
use crate::program::{Object, Operand};
use crate::spec::family::{Barrier, Check};
use crate::spec::instruction::Custom;
use crate::spec::operation::{Operation, SecondSource};
use crate::spec::types::TypeClass;
use crate::spec::{OperandName, Type, join_or};

/// The rules that are about numbers, wherever these come from.
const RULES: &[&Rule] = &[
    &VALUE_OUT_OF_RANGE,
    &DIVISION_BY_ZERO,
    &DESCRIPTOR_MISMATCH,
    &RESERVED_DESCRIPTOR_BITS,
    &RESERVED_BITS,
    &CONSTANT_CALL_ADDRESS,
    &LOSSY_CONVERSION,
    &MISALIGNED_ADDRESS,
];

/// The finding of a check of the instruction with the known value of the operand as an immediate.
#[must_use]
pub fn describe(finding: &Finding) -> Option<Diagnostic> {
    let place = usize::from(finding.fact.operand?);
    let (lane, numbers, element_type, held) = match &finding.fact.kind {
        FactKind::BesideFunction { by } => return Some(beside_function(finding, *by as i64)),
        FactKind::AddressNumbers { all, held } => return describe_address(finding, all, *held),
        FactKind::LeastValue { lane, bits, element_type } | FactKind::GreatestValue { lane, bits, element_type } => {
            (lane, &[Number { bits: *bits, is_met: true }][..], *element_type, Held::OneOf)
        }
        FactKind::Numbers { lane, numbers, held, element_type } => (lane, &**numbers, *element_type, *held),
        _ => return None,
    };
    let own = &finding.view;
    let faults: Vec<_> = numbers.iter().map(|number| fault(own, place, number.bits, element_type)).collect();
    let is_alike = |a: &Diagnostic, b: &Diagnostic| a.rule.name == b.rule.name && a.level == b.level;
    // Either every value has the same fault, or a path leads to one that has a fault.
    let first = faults.first()?.as_ref();
    let is_each = !held.is_on_some_paths()
        && first.is_some_and(|first| faults.iter().flatten().filter(|d| is_alike(d, first)).count() == faults.len());
    let is_certain = is_each || held == Held::InPasses;
    let mut faulty = numbers.iter().zip(faults).filter(|(number, _)| is_certain || held.is_by_path() && number.is_met);
    let (number, diagnostic) = faulty.find_map(|(number, fault)| Some((number, fault?)))?;
    let numbers = if is_each { numbers } else { std::slice::from_ref(number) };
    let bits: Vec<u64> = numbers.iter().map(|number| number.bits).collect();
    let is_rounded = diagnostic.rule.name == RESERVED_BITS.name && predefined::is_rounded_pause(own, &bits);
    let operand = &own.operands[place];
    let is_immediate = matches!(operand, Operand::Immediate { .. });
    let is_vector = !is_immediate && operand.region().is_some_and(|region| !region.is_scalar()) && own.n_lanes() > 1;
    let is_scalar = !is_immediate && !is_vector;
    // The manual says which bits of a count are taken. Lanes that differ may count on it, as where they make a long shift,
    // and so do compilers.
    let is_meant = is_vector || Pardon::CutCount.holds_in(own.cx.program);
    let is_cut = own.row.has(Check::ShiftCount) && diagnostic.rule.name == VALUE_OUT_OF_RANGE.name && is_meant;
    let diagnostic = if is_rounded || is_cut { diagnostic.level(Level::Pedantic) } else { diagnostic };
    let diagnostic = if is_certain { diagnostic } else { on_path(diagnostic, held.path().unwrap_or(Path::One))? };
    let written = |bits: u64| table::value::in_words(bits as i64);
    let value = match (held, bits.as_slice()) {
        (Held::Range, [low, high]) => format!("{} to {}", written(*low), written(*high)),
        (Held::Sequence, [first, second]) => format!("{} plus a multiple of {}", written(*first), second - first),
        _ => join_or(bits.iter().map(|bits| written(*bits))),
    };
    let text = own.text(own.operand_spans.get(place)?.whole);
    let holds = held_in_words(held);
    let note = if held == Held::Bits {
        format!("these bits of `{text}` are known here, others are not")
    } else if is_scalar {
        format!("`{text}` {holds} {value} here")
    } else {
        format!("`{text}` {holds} {value} in lane {lane}")
    };
    Some(finding.explained(diagnostic).note(note))
}

/// The finding of a call to an address that lies so many bytes behind that of a function, or before it.
fn beside_function(finding: &Finding, by: i64) -> Diagnostic {
    let side = if by < 0 { "before" } else { "behind" };
    let (text, distance) = (finding.written(), by.unsigned_abs());
    let message = format!("`{text}` is not the address of a function: it lies {distance} bytes {side} one");
    let diagnostic = Diagnostic::new(&CONSTANT_CALL_ADDRESS, finding.place(), message);
    finding.explained(diagnostic.help("call what `faddr` gives as it is"))
}

const fn held_in_words(held: Held) -> &'static str {
    match held {
        Held::OnSomePaths => "may hold",
        Held::InPasses | Held::InSecondPass(_) => "comes to hold",
        Held::OneOf | Held::Range | Held::Sequence | Held::Bits => "holds",
    }
}

/// The order of facts about the numbers of an operand: what always holds comes before what sometimes holds.
#[must_use]
pub const fn order(kind: &FactKind) -> u8 {
    match kind {
        FactKind::Numbers { held, .. } | FactKind::AddressNumbers { held, .. } => match held {
            Held::OneOf | Held::Range | Held::Sequence | Held::Bits => 0,
            Held::InPasses => 1,
            Held::OnSomePaths | Held::InSecondPass(_) => 2,
        },
        _ => 0,
    }
}

/// The finding of a fault that is there on one path only: no error, and nothing if the rule has no lower level.
#[must_use]
pub fn on_path(mut diagnostic: Diagnostic, path: Path) -> Option<Diagnostic> {
    if diagnostic.level == Level::Error {
        diagnostic = diagnostic.level(Level::Warning);
    }
    // The reason comes last.
    let end = diagnostic.message.find(": ").unwrap_or(diagnostic.message.len());
    diagnostic.message.insert_str(end, path_in_words(path));
    diagnostic.rule.levels.contains(&diagnostic.level).then_some(diagnostic)
}

/// The words for a path in a message.
#[must_use]
pub const fn path_in_words(path: Path) -> &'static str {
    match path {
        Path::One => " on one of the paths",
        Path::SecondPass(_) => " in the second pass of the loop",
    }
}

/// Whether a fact says what numbers an operand holds.
#[must_use]
pub const fn is_of_values(kind: &FactKind) -> bool {
    matches!(
        kind,
        FactKind::LeastValue { .. }
            | FactKind::GreatestValue { .. }
            | FactKind::Numbers { .. }
            | FactKind::AddressNumbers { .. }
    )
}

/// Whether a fact has to be kept. Of known values, those that break a limit and those that others are compared with.
#[must_use]
pub fn is_of_use(finding: &Finding) -> bool {
    !is_of_values(&finding.fact.kind)
        || finding.view.row.barrier == Some(Barrier::NamedSignal)
        || describe(finding).is_some()
}

/// Looks at what signals of named barriers hold in registers.
pub fn barrier_numbers(cx: &Context, sink: &mut Sink, object: &Object, facts: &[Fact]) {
    if !facts.iter().any(|fact| matches!(fact.kind, FactKind::GreatestValue { .. } | FactKind::Numbers { .. })) {
        return;
    }
    memory::barrier::held_numbers(cx, sink, object, |index, place| {
        let mut of_operand = facts.iter().filter(|fact| {
            let is_other = !matches!(fact.kind, FactKind::Numbers { held: Held::InPasses, .. });
            is_other && fact.instruction == index && fact.operand.map(usize::from) == Some(place)
        });
        // Where there is a least value, too, it is not always the same.
        match (&of_operand.next().map(|fact| &fact.kind), of_operand.next()) {
            (Some(FactKind::GreatestValue { bits, .. }), None) => memory::barrier::Held::Always(*bits),
            (Some(FactKind::Numbers { numbers, held, .. }), None) if held.is_by_path() => {
                let met = numbers.iter().filter(|number| number.is_met);
                memory::barrier::Held::OnPaths(met.map(|number| number.bits).collect())
            }
            _ => memory::barrier::Held::OnPaths(Vec::new()),
        }
    });
}

/// An unsigned offset from here on was negative before it was put into the register: a surface may be large, but does not
/// reach into the last megabyte of 32 bits.
const LEAST_NEGATIVE: u32 = 0xfff0_0000;

/// The finding of a check of the instruction with a number in place of one of its operands.
fn fault(own: &View, place: usize, bits: u64, element_type: Type) -> Option<Diagnostic> {
    let slot = &own.row.operands[usize::from(*own.slots.get(place)?)];
    let (bits, element_type) = match slot.name {
        OperandName::OFFSET | OperandName::GLOBAL_OFFSET | OperandName::X_OFFSET | OperandName::Y_OFFSET
            if element_type.row().class == TypeClass::Signed || bits as u32 >= LEAST_NEGATIVE =>
        {
            (i64::from(bits as u32 as i32) as u64, Type::D)
        }
        _ => (bits, element_type),
    };
    if slot.role.writes() {
        let mut sink = Sink::new(own.cx.options);
        predefined::result(own, &mut sink, place, bits);
        return sink.diagnostics.pop();
    }
    let mut operands = own.operands.to_vec();
    operands[place] = Operand::Immediate { bits, element_type };
    let view = own.with_operands(&operands);
    let mut sink = Sink::new(view.cx.options);
    check(&view, &mut sink, place);
    let span = own.operand_spans.get(place)?.whole;
    let is_own = |d: &Diagnostic| d.primary.span == span && RULES.iter().any(|rule| rule.name == d.rule.name);
    sink.diagnostics.into_iter().find(is_own)
}

/// The finding of a check of the message with the known values of the registers of its address, if each of them gives
/// the same, or one of them does that a path leads to.
fn describe_address(finding: &Finding, all: &[AddressNumbers], is: Held) -> Option<Diagnostic> {
    let view = &finding.view;
    let mut message = Message::new(view);
    let mut faults: Vec<Option<Diagnostic>> = all
        .iter()
        .map(|numbers| {
            message.known = *numbers;
            let mut sink = Sink::new(view.cx.options);
            lsc::numbers(&message, &mut sink);
            sink.diagnostics.into_iter().next()
        })
        .collect();
    let is_alike = |a: &Diagnostic, b: &Diagnostic| a.rule.name == b.rule.name && a.primary.span == b.primary.span;
    // Of several ranges one is that of a path.
    let is_whole = |ends: &[Option<Diagnostic>]| matches!(ends, [Some(low), Some(high)] if is_alike(low, high));
    let range = faults.chunks(2).position(is_whole).filter(|_| is == Held::Range);
    let (all, mut faults) = match range {
        Some(i) => (&all[2 * i..2 * i + 2], faults.drain(2 * i..2 * i + 2).collect()),
        None => (all, faults),
    };
    let is_each = match faults.split_first()? {
        (Some(first), others) if !is.is_on_some_paths() => {
            others.iter().all(|other| other.as_ref().is_some_and(|other| is_alike(first, other)))
        }
        _ => false,
    };
    let is_certain = is_each || is == Held::InPasses;
    let at = (0..all.len()).find(|i| (is_certain || all[*i].is_met) && faults[*i].is_some())?;
    let diagnostic = faults.swap_remove(at)?;
    let diagnostic = if is_certain { diagnostic } else { on_path(diagnostic, is.path().unwrap_or(Path::One))? };
    let all = if is_each { all } else { &all[at..=at] };
    let span = diagnostic.primary.span;
    let number = |numbers: &AddressNumbers| {
        let items = message.items().iter().zip(numbers.items());
        items.filter(|(item, _)| item.span == span).find_map(|(_, number)| *number).or(numbers.surface())
    };
    let mut held: Vec<u32> = all.iter().filter_map(number).collect();
    if is == Held::Range {
        held.sort_unstable();
    }
    held.dedup();
    let diagnostic = finding.explained(diagnostic);
    Some(if held.is_empty() {
        diagnostic
    } else {
        let held = match held.as_slice() {
            [low, high] if is == Held::Range => format!("{low:#x} to {high:#x}"),
            _ => join_or(held.iter().map(|number| format!("{number:#x}"))),
        };
        let holds = held_in_words(is);
        diagnostic.note(format!("`{}` {holds} {held} here", view.text(span)))
    })
}

/// The checks that look at numbers.
fn check(view: &View, sink: &mut Sink, place: usize) {
    let slot = view.slot_of(place);
    table::value::check(view, sink, &view.operands[place], &view.operand_spans[place], slot);
    match view.row.operation.map(|operation| operation.row().second) {
        Some(SecondSource::Count) => arithmetic::shift(view, sink),
        Some(SecondSource::FieldOffset) => arithmetic::bit_field(view, sink),
        Some(SecondSource::Divisor) => arithmetic::division(view, sink),
        Some(SecondSource::Any) | None => predefined::check(view, sink),
    }
    if view.row.operation == Some(Operation::Mov) {
        conversion::mov(view, sink);
    }
    memory::offset::check(view, sink);
    if slot.name == OperandName::X_OFFSET && view.row.stores() {
        memory::block::rectangle(view, sink);
    }
    match view.row.custom {
        Some(Custom::RawSend) => memory::raw_send::check(view, sink),
        Some(Custom::RenderTarget) => render_target::check(view, sink),
        Some(Custom::Flow) => flow::instruction::check(view, sink),
        Some(Custom::Vme) => vme::check(view, sink),
        _ => {}
    }
}
