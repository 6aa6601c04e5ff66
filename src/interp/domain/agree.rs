//! Whether two lanes may hold one number although nothing says so.

use super::atom::{Atom, AtomKind, Origin};
use super::{Domain, Value};

/// How many pairs of values are looked through.
const MAX_PAIRS: usize = 64;

impl Domain {
    /// Whether two values differ in nothing but unknowns of which it is not known what they depend on. They may well be the
    /// same number, as where two lanes run the same loop over the same data.
    #[must_use]
    pub fn may_agree(&self, a: Value, b: Value) -> bool {
        let mut pairs = vec![(a, b)];
        for _ in 0..MAX_PAIRS {
            let Some((a, b)) = pairs.pop() else { return true };
            if a == b {
                continue;
            }
            let (of_a, of_b) = (self.terms(a.sum), self.terms(b.sum));
            let (of_a, of_b) = (of_a.as_slice(), of_b.as_slice());
            if a.constant != b.constant || of_a.len() != of_b.len() {
                return false;
            }
            let mut terms = of_a.iter().zip(of_b);
            if !terms.all(|(x, y)| x.coefficient == y.coefficient && self.atoms_may_agree(x.atom, y.atom, &mut pairs)) {
                return false;
            }
        }
        true
    }

    /// Whether two atoms may be the same number, if the values that are added to the pairs may.
    fn atoms_may_agree(&self, a: Atom, b: Atom, pairs: &mut Vec<(Value, Value)>) -> bool {
        if a == b {
            return true;
        }
        match (self.kind(a), self.kind(b)) {
            (AtomKind::Unknown(_, a), AtomKind::Unknown(_, b)) => {
                let may_agree =
                    |origin| matches!(origin, Origin::Result | Origin::Loop | Origin::Call | Origin::Indirect);
                return may_agree(a) && may_agree(b);
            }
            (AtomKind::ZeroExtended(a), AtomKind::ZeroExtended(b))
            | (AtomKind::SignExtended(a), AtomKind::SignExtended(b)) => pairs.push((a, b)),
            (AtomKind::Masked(a, m), AtomKind::Masked(b, n)) if m == n => pairs.push((a, b)),
            (AtomKind::Shifted(a, m), AtomKind::Shifted(b, n)) if m == n => pairs.push((a, b)),
            // The lanes may choose alike.
            (AtomKind::Select(_, a, b), AtomKind::Select(_, c, d)) => pairs.extend([(a, c), (b, d)]),
            (AtomKind::Applied(f, a), AtomKind::Applied(g, b)) if f == g => pairs.extend(a.into_iter().zip(b)),
            (AtomKind::Predicate(..), AtomKind::Predicate(..)) => {}
            _ => return false,
        }
        true
    }
}
