//! Arithmetic, logic, moves and what belongs to them: rules across operands, and those that hold for a few
//! instructions only (the key `checks` of the data).

pub mod address;
pub mod arithmetic;
pub mod conversion;
pub mod layout;
pub mod overlap;
pub mod predicate;
pub mod saturation;
pub mod state;
pub mod types;
mod undefined_bits;

use super::context::{Sink, View};
use crate::program::{Operand, OperandSpans};
use crate::spec::Type;
use crate::spec::family::Check;
use crate::spec::instruction::OperandSlot;

/// A check of one instruction.
type Function = fn(&View, &mut Sink);

/// The function that checks a word of the key `checks`; nothing if another check asks for the word.
fn function(check: Check) -> Option<Function> {
    Some(match check {
        Check::SecondDestination => overlap::two_destinations,
        Check::WideProduct => wide_product,
        Check::BrainLayout => layout::brain,
        Check::Conversion => conversion::mov,
        Check::FloatConversion => conversion::fcvt,
        Check::StochasticRounding => conversion::srnd,
        Check::PredicateCopy => predicate::mov,
        Check::PredicateLogic => predicate::logic,
        Check::PredicateFromBits => predicate::setp,
        Check::Selector => predicate::sel,
        Check::OverflowPredicate => predicate::overflow,
        Check::LostPredicate => predicate::lost,
        Check::AddressOf => address::address_of,
        Check::AddressCopy => address::from_number,
        Check::StateCopy => state::movs,
        Check::UndocumentedModifiers => saturation::undocumented_modifiers,
        Check::UndocumentedDouble => types::undocumented,
        Check::Division => arithmetic::division,
        Check::ShiftCount => arithmetic::shift,
        Check::BitField => layout::bit_field,
        Check::Plane => layout::plane,
        Check::Line => layout::line,
        Check::Interpolation => layout::lrp,
        Check::FeedbackShift => layout::lfsr,
        Check::Shuffle => layout::shuffle,
        Check::ScaleDown => layout::scale_down,
        Check::WideFactors
        | Check::SameSign
        | Check::SameFloat
        | Check::PureBrain
        | Check::SameType
        | Check::RotationWidth
        | Check::NotSplit
        | Check::EvenElements
        | Check::Denormals
        // Words of messages.
        | Check::OneChannel
        | Check::RedChannel
        | Check::RedGreen
        | Check::RedAlpha
        | Check::CoarsePixels
        | Check::Gradients
        | Check::IgnoredSampler
        | Check::ChannelBlocks
        | Check::SharedOperand
        | Check::RegisterSpill
        | Check::RepeatedLanes
        | Check::LeadingChannels
        | Check::LastStore
        | Check::SharedQwords
        | Check::NoQwords
        | Check::LocalFence
        | Check::VersionedOffset => return None,
    })
}

fn wide_product(view: &View, sink: &mut Sink) {
    layout::madw(view, sink);
    overlap::wide_product(view, sink);
}

/// Checks one instruction.
pub fn check(view: &View, sink: &mut Sink) {
    if view.instruction.saturate {
        saturation::check(view, sink);
    }
    if view.instruction.is_broken {
        // There is a predicate or none, whatever the operands are.
        if view.row.has(Check::Selector) {
            predicate::sel(view, sink);
        }
        return;
    }
    types::check(view, sink);
    // Instructions whose operands cover other elements than their regions say have checks of their own.
    if view.exec_size() > 1 && !view.row.operands.iter().any(|slot| slot.elements.is_some() || slot.second_block) {
        overlap::shifted(view, sink);
    }
    for check in view.row.checks.iter().filter_map(|check| function(*check)) {
        check(view, sink);
    }
}

/// An operand with its places and slot.
pub(super) type Given<'a> = (&'a Operand, &'a OperandSpans, &'static OperandSlot);

/// The first destination.
pub(super) fn destination<'a>(view: &View<'a>) -> Option<Given<'a>> {
    view.each_operand().find(|(_, _, slot)| slot.role.writes())
}

/// The sources, in order.
pub(super) fn sources<'a>(view: &View<'a>) -> impl Iterator<Item = Given<'a>> + Clone + use<'a> {
    view.each_operand().filter(|(_, _, slot)| !slot.role.writes())
}

/// The types of destination and first source, if both have one.
pub(super) fn pair(view: &View) -> Option<(Type, Type)> {
    let of = |operand| super::table::types::operand_type(view, operand);
    Some((of(destination(view)?.0)?, of(sources(view).next()?.0)?))
}
