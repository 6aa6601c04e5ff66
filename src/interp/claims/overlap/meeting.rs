//! Where two lanes write, and with which parts they meet.

use crate::interp::domain::condition::Condition;
use crate::interp::domain::{Value, mask, sign_extended};
use crate::interp::transfer::message::{Message, Space};

/// A lane that writes: its number, the condition, its coordinates.
pub(super) struct Writer {
    pub lane: u32,
    pub active: Condition,
    pub place: Vec<Value>,
}

pub(super) enum Distance {
    /// Bytes from the first lane to the second one; zero for equal texels.
    Known(u64),
    /// They have different texels.
    Different,
    Unknown,
}

pub(super) fn distance(a: &Writer, b: &Writer) -> Distance {
    let is_texel = a.place.len() > 1;
    let mut all_equal = true;
    for (x, y) in a.place.iter().zip(&b.place) {
        if x.sum != y.sum {
            all_equal = false;
            continue;
        }
        let distance = y.constant.wrapping_sub(x.constant) & mask(x.bytes);
        if !is_texel {
            return Distance::Known(distance);
        }
        // One coordinate that differs for certain is enough.
        if distance != 0 {
            return Distance::Different;
        }
    }
    if all_equal { Distance::Known(0) } else { Distance::Unknown }
}

/// The parts with which two lanes meet, and whether both parts happen for certain.
pub(super) fn meet(message: &Message, span: u64, (a, b): (u32, u32), distance: u64) -> Option<((usize, usize), bool)> {
    let bytes = message.coordinates.first().map_or(8, |c| c.at(0).bytes);
    let back = distance.wrapping_neg() & mask(bytes);
    if message.space == Space::Typed {
        return (distance == 0).then_some(((0, 0), true));
    }
    if distance >= span && back >= span {
        return None;
    }
    let mut found = None;
    for (i, p) in message.pieces.iter().enumerate() {
        for (j, q) in message.pieces.iter().enumerate() {
            let shift = sign_extended(distance.wrapping_add(q.offset).wrapping_sub(p.offset) & mask(bytes), bytes);
            if shift >= i64::from(p.bytes) || -shift >= i64::from(q.bytes) {
                continue;
            }
            if p.certain >> a & 1 == 1 && q.certain >> b & 1 == 1 {
                return Some(((i, j), true));
            }
            if p.possible >> a & 1 == 1 && q.possible >> b & 1 == 1 {
                found = found.or(Some(((i, j), false)));
            }
        }
    }
    found
}

/// The lanes that write for certain, or the largest group that writes under one condition.
pub(super) fn sure_writers<'w>(message: &Message, writers: &'w [Writer]) -> Vec<&'w Writer> {
    let is_sure = |w: &Writer| message.pieces.iter().all(|p| p.certain >> w.lane & 1 == 1);
    let group =
        |active: Condition| writers.iter().filter(move |w| w.active == active && is_sure(w)).collect::<Vec<_>>();
    let certain = group(Condition::TRUE);
    if certain.len() >= 2 {
        return certain;
    }
    writers.first().map_or_else(Vec::new, |first| group(first.active))
}

pub(super) fn pairs(writers: &[Writer]) -> impl Iterator<Item = (&Writer, &Writer)> {
    writers.iter().enumerate().flat_map(|(i, a)| writers[i + 1..].iter().map(move |b| (a, b)))
}
