//! What an operation leaves undefined because a message has left some bytes of its sources undefined. The lowest bits of a
//! sum depend on as many bits of what is added: so those bytes do no harm until what has become of them is used.

use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::{Change, Reader, Undefined};
use crate::interp::transfer::effects::Effects;
use crate::program::{Operand, SourceModifier, View};
use crate::spec::operation::{LowBits, Operation};

/// Whether an instruction may leave bytes of its result undefined, and has no other use for undefined bytes of a source.
pub(super) fn leaves_undefined(view: &View, place: usize, undefined: Undefined) -> bool {
    let Some(operation) = view.row.operation.filter(|_| is_partly_left(&undefined) && !view.instruction.saturate)
    else {
        return false;
    };
    let integer = |operand: &Operand| match *operand {
        Operand::General { variable, .. } => {
            let kind = view.program.variables[variable].element_type;
            kind.is_integer().then_some(kind)
        }
        _ => None,
    };
    let (Some(to), Some(from)) = (integer(&view.operands[0]), integer(&view.operands[place])) else { return false };
    let is_first = place == 1;
    to.bytes() <= from.bytes()
        && matches!(
            view.operands[place].modifier(),
            SourceModifier::None | SourceModifier::Negate | SourceModifier::Complement
        )
        && match operation {
            // Each lane reads one of the two.
            Operation::Sel | Operation::Bfn => false,
            Operation::And => other_number(view, place).is_some(),
            Operation::Shl => is_first && other_number(view, place).is_some(),
            _ => matches!(operation.row().low_bits, LowBits::Same | LowBits::All),
        }
}

/// Whether a message has left some bytes of an element undefined, and not all.
pub(super) const fn is_partly_left(undefined: &Undefined) -> bool {
    undefined.is_partial && undefined.left_by.is_some() && undefined.pointed.is_none()
}

/// The number that is the other one of two sources.
fn other_number(view: &View, place: usize) -> Option<u64> {
    let [_, a, b] = view.operands else { return None };
    match *(if place == 1 { b } else { a }) {
        Operand::Immediate { bits, element_type } if element_type.is_integer() => Some(bits),
        _ => None,
    }
}

/// The undefined bytes of a result, a bit each, where those of one of its sources are `bytes`.
fn undefined_bytes(view: &View, place: usize, operation: Operation, bytes: u8) -> u8 {
    let other = other_number(view, place).unwrap_or(0);
    let is_whole = |bits: u64, i: u32| bits >> (8 * i) & 0xff == 0xff;
    match operation {
        Operation::And => (0..8).filter(|i| other >> (8 * i) & 0xff != 0).fold(0, |kept, i| kept | 1 << i) & bytes,
        // A byte of which some bits are defined counts as defined.
        Operation::Shl => {
            let bits = (0..8).filter(|i| bytes >> i & 1 == 1).fold(0_u64, |bits, i| bits | 0xff << (8 * i));
            let shifted = u32::try_from(other).ok().and_then(|n| bits.checked_shl(n)).unwrap_or(0);
            (0..8).filter(|i| is_whole(shifted, *i)).fold(0, |all, i| all | 1 << i)
        }
        _ if bytes == 0 || operation.row().low_bits == LowBits::Same => bytes,
        _ => u8::MAX << bytes.trailing_zeros(),
    }
}

impl Reader<'_> {
    /// Takes back that an instruction has written bytes of its result, where these are undefined.
    pub(super) fn leave_undefined(
        &mut self,
        view: &View,
        place: usize,
        undefined: Undefined,
        exec_mask: &Lanes<Condition>,
        effects: &mut Effects,
    ) {
        let Some(operation) = view.row.operation.filter(|_| leaves_undefined(view, place, undefined)) else { return };
        let (Some((from, _)), Some((to, _))) =
            (self.direct_location(&view.operands[place]), self.direct_location(&view.operands[0]))
        else {
            return;
        };
        for lane in 0..exec_mask.len() {
            let offset = from.start_of(lane);
            let start = to.start_of(lane);
            let (Ok(offset), Ok(start)) = (u32::try_from(offset), u32::try_from(start)) else { continue };
            let Some((content, domain)) = self.existing_with_values(from.root) else { return };
            let unit = content.unit().min(from.bytes);
            let mut lost = Condition::TRUE;
            let mut bytes = 0_u8;
            for i in (0..from.bytes).step_by(usize::from(unit)) {
                let Some(presence) = content.presence(domain, offset + u32::from(i), unit) else { continue };
                let defined = domain.given(presence.defined, exec_mask.at(lane));
                if !defined.is_true() {
                    lost = domain.and(lost, defined.not());
                    bytes |= (u8::MAX >> (8 - unit)) << i;
                }
            }
            let bytes = undefined_bytes(view, place, operation, bytes) & (u8::MAX >> (8 - to.bytes));
            let active = domain.and(exec_mask.at(lane), lost);
            if bytes == 0 || active.is_false() {
                continue;
            }
            effects.passed_on.get_or_insert((place, undefined));
            let writer = view.index.0;
            for i in (0..u32::from(to.bytes)).filter(|i| bytes >> i & 1 == 1) {
                let bytes = start + i..start + i + 1;
                effects.changes.push(Change::Undefine { root: to.root, bytes, active, writer });
            }
        }
    }
}
