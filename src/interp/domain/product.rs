//! Between which numbers sums lie that come of multiplying out: `(s + c) * (t + d)` is `s * t + d * s + c * t + c * d`.

use super::atom::{AtomKind, Block};
use super::function::Function;
use super::sum::{Interval, MOST, Term};
use super::{Domain, Value, mask, sign_extended};
use crate::spec::operation::Operation;

impl Domain {
    /// The ends of a sum with a product among the numbers from `least` on; nothing if it may lie on both sides of the end of its
    /// width.
    pub(super) fn ends(&self, a: Value, least: i128) -> Option<(i128, i128)> {
        let ends = self.wrapped(a, least).map(|(interval, _)| (interval.low, interval.high));
        let Some(factored) = self.factored(a) else { return ends };
        let bits = 8 * u32::from(a.bytes);
        let turns = (factored.low - least) >> bits;
        if turns != (factored.high - least) >> bits {
            return ends;
        }
        let (low, high) = (factored.low - (turns << bits), factored.high - (turns << bits));
        // Both hold.
        let (first, last) = ends.unwrap_or((low, high));
        Some((low.max(first), high.min(last)))
    }

    /// The integers that a sum with a product may be, modulo its width, with both factors taken as signed numbers.
    fn factored(&self, a: Value) -> Option<Interval> {
        let mut is_narrow = true;
        self.each_block(a.sum, |_, block| is_narrow &= self.may_be_narrow(block));
        if !is_narrow {
            return None;
        }
        let wide = |number: u64| sign_extended(number, a.bytes);
        let terms = self.terms(a.sum);
        let whole = terms.iter().find(|term| self.block(term.atom).kind.is_product())?;
        let AtomKind::Applied(_, [s, t, _]) = self.kind(whole.atom) else { return None };
        let (of_s, of_t) = (self.terms(s.sum), self.terms(t.sum));
        let ([x], [y]) = (of_s.as_slice(), of_t.as_slice()) else { return None };
        let times = wide(whole.coefficient);
        // How often a factor stands beside the product.
        let beside = |factor: &Term, n: i64| {
            let own = terms.iter().find(|term| term.atom == factor.atom).map_or(0, |term| wide(term.coefficient));
            let each = wide(factor.coefficient).checked_mul(n)?.checked_mul(times)?;
            (own.checked_rem(each)? == 0).then(|| own / each)
        };
        let is_square = s.sum == t.sum;
        // Of a square, half of it belongs to each side.
        let (d, c) = if is_square { (beside(x, 2)?, beside(x, 2)?) } else { (beside(x, 1)?, beside(y, 1)?) };
        if s.constant != 0 || t.constant != 0 || s.bytes < a.bytes {
            return None;
        }
        // What is left of the sum.
        let mut rest = Interval { low: a.constant.into(), high: a.constant.into() };
        for term in terms.iter().filter(|term| ![whole.atom, x.atom, y.atom].contains(&term.atom)) {
            let (block, factor) = (self.block(term.atom), i128::from(wide(term.coefficient)));
            rest = plus(rest, factor.checked_mul(block.low.into())?, factor.checked_mul(block.high.into())?)?;
        }
        // Half of all numbers, by which signed ones are moved, leaves no trace in an even multiple.
        let half = wide(1 << (8 * u32::from(a.bytes) - 1));
        let mut best: Option<Interval> = None;
        for i in 0..if is_square || times % 2 == 0 { 4 } else { 1 } {
            let moved = |n: i64, is_moved: bool| if is_moved { wide((n as u64).wrapping_add(half as u64)) } else { n };
            let (c, d) = (moved(c, i & 1 != 0), moved(d, i & 2 != 0));
            if c == 0 && d == 0 || is_square && c != d {
                continue;
            }
            if best.is_some_and(|best| best.high - best.low <= i128::from(mask(a.bytes))) {
                break;
            }
            let (p, q) = self.product_ends((s.plus(c as u64), t.plus(d as u64)), is_square);
            let taken = i128::from(c) * i128::from(d);
            let ends =
                p.checked_sub(taken)?.checked_mul(times.into()).zip(q.checked_sub(taken)?.checked_mul(times.into()));
            let Some(interval) = ends.and_then(|(p, q)| plus(rest, p, q)) else { continue };
            if best.is_none_or(|best| interval.high - interval.low < best.high - best.low) {
                best = Some(interval);
            }
        }
        best
    }

    /// Whether an atom is no product, or one of numbers that lie so close together that their product has ends.
    fn may_be_narrow(&self, block: &Block) -> bool {
        let AtomKind::Applied(Function::Integer(Operation::Mul), [s, t, _]) = block.kind else { return true };
        let (Some(s), Some(t)) = (s.sum.as_single(), t.sum.as_single()) else { return true };
        let (s, t) = (self.block(s), self.block(t));
        // The product takes at least half as many numbers as both together.
        let widths = u128::from(s.high - s.low) * u128::from(t.high - t.low);
        widths / 2 <= u128::from(mask(block.bytes))
    }

    /// Between which integers the product of two signed numbers lies.
    fn product_ends(&self, (s, t): (Value, Value), is_square: bool) -> (i128, i128) {
        let ((s_low, s_high), (t_low, t_high)) = (self.signed_range(s), self.signed_range(t));
        let corners = [(s_low, t_low), (s_low, t_high), (s_high, t_low), (s_high, t_high)]
            .map(|(p, q)| i128::from(p) * i128::from(q));
        let [first, others @ ..] = corners;
        let (low, high) = others.into_iter().fold((first, first), |(low, high), n| (low.min(n), high.max(n)));
        if is_square && s_low <= 0 && s_high >= 0 { (0, high) } else { (low, high) }
    }
}

/// An interval and what lies between two numbers; nothing beyond what can be counted.
fn plus(interval: Interval, p: i128, q: i128) -> Option<Interval> {
    let sum = Interval { low: interval.low.checked_add(p.min(q))?, high: interval.high.checked_add(p.max(q))? };
    (sum.low > -MOST && sum.high < MOST).then_some(sum)
}
