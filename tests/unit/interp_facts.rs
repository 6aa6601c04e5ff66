//! Tests of `interp::facts`: what is known of two threads together.

use visa_lint::interp::Facts;
use visa_lint::interp::facts::{Bounds, Doubt, Exemption, GivenUp, Verdict};
use visa_lint::program::InstructionIndex;

#[test]
fn two_threads_are_given_up_where_one_is() {
    for (one, other) in [(false, false), (false, true), (true, false), (true, true)] {
        let of = |is_incomplete, effort| {
            let mut facts = Facts::default();
            (facts.is_incomplete, facts.effort) = (is_incomplete, effort);
            facts
        };
        let mut facts = of(one, 3);
        facts.unite(of(other, 4));
        assert_eq!((facts.is_incomplete, facts.effort), (one || other, 7), "{one} {other}");
        assert_eq!(facts.given_up(), (one || other).then_some(GivenUp::TooLarge));
        // Where loops are nested too deep, it does not matter what else is too much.
        facts.note_skipped(5..8);
        facts.note_skipped(5..8);
        assert_eq!((facts.skipped.len(), facts.given_up()), (1, Some(GivenUp::TooDeep)));
        let skipped = [4, 5, 7, 8].map(|i| facts.is_skipped(InstructionIndex(i)));
        assert_eq!(skipped, [false, true, true, false]);
    }
}

/// Of two threads the gravest verdict counts, and the bounds of which least is known.
#[test]
fn the_gravest_of_two_threads_counts() {
    let from_least = [
        Verdict::Exempt(Exemption::Reads),
        Verdict::Never,
        Verdict::Unknown(Doubt::Addresses),
        Verdict::Conditional,
        Verdict::Must,
    ];
    let bounds = [Bounds::Inside, Bounds::Open, Bounds::NoSize];
    for (i, one) in from_least.iter().enumerate() {
        for (j, other) in from_least.iter().enumerate() {
            let of = |verdict: Verdict, bound: Bounds| {
                let mut facts = Facts::default();
                facts.note_verdict(InstructionIndex(7), verdict);
                facts.bounds.insert(7, bound);
                facts
            };
            let mut facts = of(*one, bounds[i % 3]);
            facts.unite(of(*other, bounds[j % 3]));
            assert_eq!(facts.verdicts[&7], from_least[i.max(j)], "{one:?} {other:?}");
            assert_eq!(facts.bounds[&7], bounds[(i % 3).max(j % 3)]);
        }
    }
}
