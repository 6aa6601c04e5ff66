//! Whether two lanes write the same data.

use super::Witness;
use super::meeting::{Distance, Writer, distance};
use crate::interp::claims::Claims;
use crate::interp::claims::facts::Values;
use crate::interp::domain::{Domain, Value, mask, sign_extended};
use crate::interp::transfer::message::{Message, Space};
use crate::program::View;

impl<'p> Claims<'_, 'p> {
    /// Compares what two lanes write to their common bytes; also says with which parts they meet.
    pub(super) fn compare_data(
        &mut self,
        view: &View<'p>,
        message: &Message,
        (a, b): (&Writer, &Writer),
    ) -> (Values, (usize, usize)) {
        let Distance::Known(distance) = distance(a, b) else { return (Values::Unknown, (0, 0)) };
        let bytes = a.place.first().map_or(8, |v| v.bytes);
        let mut gravest = (Values::Same, (0, 0));
        let mut is_first = true;
        for (i, p) in message.pieces.iter().enumerate() {
            for (j, q) in message.pieces.iter().enumerate() {
                let both = p.certain >> a.lane & 1 == 1 && q.certain >> b.lane & 1 == 1;
                let is_texel = message.space == Space::Typed;
                let shift = if is_texel {
                    if i == j { 0 } else { continue }
                } else {
                    // Bytes from the start of `p` to the start of `q`.
                    let from = distance.wrapping_add(q.offset).wrapping_sub(p.offset) & mask(bytes);
                    sign_extended(from, bytes)
                };
                if !both || shift >= i64::from(p.bytes) || -shift >= i64::from(q.bytes) {
                    continue;
                }
                let values = self.compare_at(view, message, ((a.lane, i), (b.lane, j)), shift);
                if is_first || values > gravest.0 {
                    gravest = (values, (i, j));
                    is_first = false;
                }
            }
        }
        if is_first { (Values::Unknown, (0, 0)) } else { gravest }
    }

    /// Compares the data of two parts, of which the second begins `shift` bytes after the first one.
    pub(super) fn compare_at(
        &mut self,
        view: &View<'p>,
        message: &Message,
        ((a, i), (b, j)): ((u32, usize), (u32, usize)),
        shift: i64,
    ) -> Values {
        let (Some(x), Some(y)) = (self.reader.datum(view, message, a, i), self.reader.datum(view, message, b, j))
        else {
            return Values::Unknown;
        };
        compare_values(&mut self.reader.domain, x, y, shift)
    }

    pub(super) fn compare_pieces(
        &mut self,
        view: &View<'p>,
        message: &Message,
        (a, b): (u32, u32),
        (i, j): (usize, usize),
    ) -> Values {
        let (Some(x), Some(y)) = (self.reader.datum(view, message, a, i), self.reader.datum(view, message, b, j))
        else {
            return Values::Unknown;
        };
        match self.reader.domain.subtract(x, y).as_known() {
            Some(0) => Values::Same,
            Some(_) => Values::Different,
            None => Values::Unknown,
        }
    }

    /// Whether two lanes that write one place may write the same there, although it is not known.
    pub(super) fn data_may_agree(&mut self, view: &View<'p>, message: &Message, witness: Witness) -> bool {
        let Witness { lanes: (a, b), pieces: (i, j), .. } = witness;
        match (self.reader.datum(view, message, a, i), self.reader.datum(view, message, b, j)) {
            (Some(x), Some(y)) => self.reader.domain.may_agree(x, y),
            _ => true,
        }
    }

    /// What is known of the data of lanes of which some two meet: what holds for every pair.
    pub(super) fn weakest_data(&mut self, view: &View<'p>, message: &Message, writers: &[&Writer]) -> Values {
        let mut data = Vec::with_capacity(writers.len());
        for writer in writers {
            match self.reader.datum(view, message, writer.lane, 0) {
                // Lanes with one texel meet with the same parts.
                Some(value) if message.pieces.len() == 1 || message.space == Space::Typed => data.push(value),
                _ => return Values::Unknown,
            }
        }
        let (mut all_same, mut all_different) = (true, true);
        for (i, a) in data.iter().enumerate() {
            for b in &data[i + 1..] {
                match self.reader.domain.subtract(*a, *b).as_known() {
                    Some(0) => all_different = false,
                    Some(_) => all_same = false,
                    None => return Values::Unknown,
                }
            }
        }
        // Lanes may meet in a part of their bytes only: equal data need not be equal there.
        match (all_same, all_different) {
            (false, true) => Values::Different,
            _ => Values::Unknown,
        }
    }
}

/// What is known of the common bytes of two data, of which the second begins `shift` bytes after the first one.
pub(in crate::interp) fn compare_values(domain: &mut Domain, x: Value, y: Value, shift: i64) -> Values {
    if shift == 0 && x.bytes == y.bytes {
        let difference = domain.subtract(x, y);
        return match difference.as_known() {
            Some(0) => Values::Same,
            Some(_) => Values::Different,
            None => Values::Unknown,
        };
    }
    if let (Some(x_bits), Some(y_bits)) = (x.as_known(), y.as_known()) {
        let byte = |bits: u64, n: i64| bits >> (8 * n) & 0xff;
        let mut common = (0..i64::from(x.bytes)).filter(|k| (0..i64::from(y.bytes)).contains(&(k - shift)));
        return if common.any(|k| byte(x_bits, k) != byte(y_bits, k - shift)) {
            Values::Different
        } else {
            Values::Same
        };
    }
    match common_bytes(domain, (x, y), shift) {
        Some((x, y)) => compare_values(domain, x, y, 0),
        None => Values::Unknown,
    }
}

/// What two data hold in their common bytes, if these are a number: the second one begins `shift` bytes after the first
/// one.
pub(in crate::interp) fn common_bytes(
    domain: &mut Domain,
    (x, y): (Value, Value),
    shift: i64,
) -> Option<(Value, Value)> {
    let first = shift.max(0);
    let end = i64::from(x.bytes).min(i64::from(y.bytes) + shift);
    let bytes = u8::try_from(end - first).ok().filter(|bytes| matches!(bytes, 1 | 2 | 4 | 8))?;
    let (of_x, of_y) = (u8::try_from(first).ok()?, u8::try_from(first - shift).ok()?);
    Some((domain.extract(x, of_x, bytes), domain.extract(y, of_y, bytes)))
}
