//! Lanes of a store that write the same bytes, as far as the text alone says so: a pitch that is a number.

use super::message::{Class, Message};
use crate::base::diagnostic::Diagnostic;
use crate::base::id::Id as _;
use crate::base::rule::Level;
use crate::checks::common::execution::OVERLAPPING_LANE_WRITES;
use crate::checks::context::{Sink, View};
use crate::checks::table::document;
use crate::program::lsc::{LscShapeKind, LscValue};
use crate::program::{AttributeValue, InstructionIndex, Object, Operand, VariableId};
use crate::spec::family::Family;
use crate::spec::instruction::Flow;

/// How many instructions before a store are looked at.
const MOST_LOOKED_AT: usize = 200;

/// Checks one message.
pub fn check(message: &Message, sink: &mut Sink) {
    if message.class != Class::Store || !message.is_strided() {
        return;
    }
    let view = message.view;
    let ([_, pitch], Some(data), Some(lanes)) = (message.items(), &message.data, message.lanes) else { return };
    let LscValue::Immediate(bytes) = pitch.value else { return };
    let LscShapeKind::Vector { n_elements, is_transposed: false } = data.shape.kind else { return };
    let lane_bytes = i64::from(n_elements) * i64::from(data.shape.size.memory_bytes);
    if lanes == 1 || !(0..lane_bytes).contains(&bytes) || is_uniform(view, data.variable) {
        return;
    }
    let level = if is_certainly_live(view) { Level::Error } else { Level::Warning };
    let text = format!("each lane writes {lane_bytes} bytes, but the next lane begins {bytes} bytes later");
    sink.report(
        Diagnostic::new(&OVERLAPPING_LANE_WRITES, pitch.span, text)
            .level(level)
            .label(format!("expected at least {lane_bytes}"))
            .note(document(view)),
    );
}

/// The instructions of the same object that stand before, last one first.
fn before<'a>(view: &'a View) -> impl Iterator<Item = Option<View<'a>>> + use<'a> {
    let program = view.cx.program;
    let start = program.objects[program.object_of(view.index)].instructions.start;
    (start..view.index.0).rev().map(|index| View::new(view.cx, InstructionIndex::from_index(index as usize)))
}

/// Whether all lanes certainly store: the mask is off, or nothing before could have switched lanes off.
fn is_certainly_live(view: &View) -> bool {
    if view.instruction.predicate.is_some() {
        return false;
    }
    if view.instruction.no_mask {
        return true;
    }
    let program = view.cx.program;
    let object = &program.objects[program.object_of(view.index)];
    let own = object.instructions.start + 1..=view.index.0;
    let is_target = program.labels_of(object).iter().any(|l| !l.is_function && own.contains(&l.instruction));
    let n_before = (view.index.0 - object.instructions.start) as usize;
    n_before <= MOST_LOOKED_AT
        && !is_target
        && begins_with_all_lanes(view, object)
        && before(view).all(|other| other.is_some_and(|other| other.row.flow == Flow::Next))
}

/// Whether the kernel is for a target that starts with all lanes.
fn begins_with_all_lanes(view: &View, object: &Object) -> bool {
    let range = object.attributes.start as usize..object.attributes.end as usize;
    view.cx.program.attributes[range].iter().any(|attribute| match attribute.value {
        AttributeValue::Text(span) => {
            view.cx.program.names.name(attribute.name) == "Target" && view.text(span).trim_matches('"') == "cm"
        }
        _ => false,
    })
}

/// Whether all lanes may store one value: the last instruction that wrote the data moved a scalar.
fn is_uniform(view: &View, data: VariableId) -> bool {
    let program = view.cx.program;
    let root = |variable: VariableId| program.variables[variable].root;
    for other in before(view).take(MOST_LOOKED_AT) {
        let Some(other) = other.filter(|other| other.row.flow == Flow::Next) else { return false };
        let destination = other.operands.first().and_then(Operand::variable);
        if destination.is_none_or(|variable| root(variable) != root(data)) {
            continue;
        }
        return other.row.family == Family::Move
            && match other.operands.get(1) {
                Some(Operand::Immediate { element_type, .. }) => !element_type.is_packed(),
                Some(source) => source.region().is_some_and(crate::program::region::Region::is_scalar),
                None => false,
            };
    }
    false
}
