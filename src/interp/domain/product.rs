//! Between which numbers sums lie that come of multiplying out: `(s + c) * (t + d)` is `s * t + d * s + c * t + c * d`.

use super::atom::AtomKind;
use super::sum::{Interval, MOST, Term};
use super::{Domain, Value, sign_extended};

impl Domain {
    /// The ends of a sum with a product among the numbers from `least` on; nothing if it may lie on both sides of the end of its width.
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
        let is_plain = s.constant == 0 && t.constant == 0 && s.bytes >= a.bytes;
        if !is_plain || c == 0 && d == 0 {
            return None;
        }
        let ((s_low, s_high), (t_low, t_high)) =
            (self.signed_range(s.plus(c as u64)), self.signed_range(t.plus(d as u64)));
        let corners = [(s_low, t_low), (s_low, t_high), (s_high, t_low), (s_high, t_high)]
            .map(|(p, q)| i128::from(p) * i128::from(q));
        let least = if is_square && s_low <= 0 && s_high >= 0 { 0 } else { corners.into_iter().min()? };
        let times = i128::from(times);
        let ends = [least, corners.into_iter().max()?];
        // What is left of the sum.
        let constant = i128::from(a.constant) - (i128::from(c) * i128::from(d)).checked_mul(times)?;
        let mut interval = Interval { low: constant, high: constant };
        let mut add = |p: Option<i128>, q: Option<i128>| {
            let (p, q) = (p?, q?);
            interval =
                Interval { low: interval.low.checked_add(p.min(q))?, high: interval.high.checked_add(p.max(q))? };
            (interval.low > -MOST && interval.high < MOST).then_some(())
        };
        add(ends[0].checked_mul(times), ends[1].checked_mul(times))?;
        for term in terms.iter().filter(|term| ![whole.atom, x.atom, y.atom].contains(&term.atom)) {
            let (block, factor) = (self.block(term.atom), i128::from(wide(term.coefficient)));
            add(factor.checked_mul(block.low.into()), factor.checked_mul(block.high.into()))?;
        }
        Some(interval)
    }
}
