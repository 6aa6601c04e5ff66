//! What conditions depend on, and whether unknowns can be chosen so that one holds and another does not.

use super::atom::{Atom, AtomKind, Origin};
use super::concrete::Assignment;
use super::condition::{Condition, ConditionKind};
use super::function::Function;
use super::{Domain, Value, fold, mask};
use crate::spec::operation::Operation;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash as _, Hasher as _};

/// How many conditions and values are looked through for what a condition depends on.
const MAX_FOLLOWED: usize = 160;
/// How many numbers are traced back through operations.
const MAX_TRACED: usize = 16;
/// How many choices of the unknowns are tried.
const MAX_CHOICES: u64 = 48;

/// An operation that a number is traced back through.
#[derive(Clone, Copy)]
enum Step {
    /// A shift to the right.
    Shift(u32),
    /// Bits turned over.
    Flip(u64),
    /// The number of bits that are set.
    Count,
}

impl Step {
    /// A number that becomes this one.
    fn undo(self, number: u64) -> u64 {
        match self {
            Self::Shift(count) => number.checked_shl(count).unwrap_or(0),
            Self::Flip(bits) => number ^ bits,
            Self::Count => 1_u64.checked_shl(number as u32).map_or(u64::MAX, |next| next - 1),
        }
    }
}

/// What conditions depend on.
#[derive(Default)]
pub struct Causes {
    /// The atoms in them, and those that these are made from.
    pub atoms: FxHashSet<Atom>,
    /// Numbers that something is compared with.
    numbers: Vec<u64>,
    /// What has been done to what is compared, as far as a number can be traced back through it.
    steps: Vec<Step>,
    /// Whether each unknown in them can be any number of its range, whatever the others are, and no part was left out.
    pub is_free: bool,
    /// Whether no part was left out.
    pub is_whole: bool,
}

impl Domain {
    /// What some conditions depend on.
    #[must_use]
    pub fn causes(&self, conditions: &[Condition]) -> Causes {
        self.all_causes(conditions.to_vec(), Vec::new(), false)
    }

    /// What some values depend on.
    #[must_use]
    pub fn causes_of(&self, values: &[Value]) -> Causes {
        self.all_causes(Vec::new(), values.to_vec(), false)
    }

    /// What conditions and values depend on. That some lane is here is an unknown, or with `by_lanes` what the lanes depend on.
    fn all_causes(&self, mut conditions: Vec<Condition>, mut values: Vec<Value>, by_lanes: bool) -> Causes {
        let mut found = Causes { is_free: true, is_whole: true, ..Causes::default() };
        let mut followed = FxHashSet::default();
        for _ in 0..MAX_FOLLOWED {
            if let Some(value) = values.pop() {
                for term in self.terms(value.sum).iter() {
                    if found.atoms.insert(term.atom) {
                        self.follow(term.atom, &mut found, &mut conditions, &mut values);
                    }
                }
            } else if let Some(condition) = conditions.pop() {
                if !followed.insert(condition) {
                    continue;
                }
                let kind = self.condition_kind(condition);
                match kind {
                    ConditionKind::Less(_, a, b) | ConditionKind::AtMost(a, b) | ConditionKind::Compared(_, a, b) => {
                        // Either side may be the number.
                        let difference = b.constant.wrapping_sub(a.constant);
                        found.numbers.extend([difference, difference.wrapping_neg()]);
                        if matches!(kind, ConditionKind::AtMost(..)) && difference << (65 - 8 * u32::from(a.bytes)) == 0
                        {
                            // What stands beside the bits of zero is no number on either side of it.
                            let one = fold::one(a.bytes);
                            found.numbers.extend([one, one | 1 << (8 * u32::from(a.bytes) - 1)]);
                        }
                    }
                    ConditionKind::Zero(a) => found.numbers.push(a.constant.wrapping_neg()),
                    ConditionKind::Unknown(_) => match self.choices(condition).filter(|_| by_lanes) {
                        Some(all) => conditions.extend(all),
                        None => found.is_free = false,
                    },
                    _ => {}
                }
                kind.add_parts(&mut values, &mut conditions);
            } else {
                found.trace_back();
                return found;
            }
        }
        found.is_free = false;
        found.is_whole = false;
        found
    }

    fn follow(&self, atom: Atom, found: &mut Causes, conditions: &mut Vec<Condition>, values: &mut Vec<Value>) {
        let kind = self.kind(atom);
        match kind {
            AtomKind::Shifted(_, count) => found.steps.push(Step::Shift(count.into())),
            AtomKind::Applied(function, args) => {
                let known = args[..2].iter().find_map(|arg| arg.as_known());
                found.steps.extend(match (function, known) {
                    (Function::Integer(Operation::Xor), Some(bits)) => Some(Step::Flip(bits)),
                    (Function::Signed(Operation::Asr), Some(count)) => Some(Step::Shift(count as u32)),
                    (Function::Integer(Operation::Cbit), _) => Some(Step::Count),
                    _ => None,
                });
            }
            // What a loop or an unknown store leaves may well depend on the rest.
            AtomKind::Unknown(_, Origin::Loop | Origin::Indirect) => found.is_free = false,
            _ => {}
        }
        kind.add_parts(values, conditions);
    }

    /// Whether unknowns can be chosen so that `given` holds and `other` does not: such a choice was found. Nothing is found
    /// where an unknown is not free to be chosen.
    #[must_use]
    pub fn can_part(&self, given: Condition, other: Condition) -> bool {
        if self.implies(given, other) {
            return false;
        }
        let causes = self.all_causes(vec![given, other], Vec::new(), true);
        if !causes.is_free {
            return false;
        }
        let by_numbers = |seed| {
            let mut choice = Assignment::new(self, seed, |atom| causes.choose(self, atom, seed));
            choice.condition(given) && !choice.condition(other)
        };
        (0..MAX_CHOICES).any(by_numbers) || self.finds_parting(given, other)
    }
}

impl Causes {
    /// Adds the numbers that become one of those compared with.
    fn trace_back(&mut self) {
        let all = self.steps.iter().flat_map(|step| self.numbers.iter().map(|n| step.undo(*n)));
        let before: Vec<u64> = all.take(MAX_TRACED).collect();
        self.numbers.extend(before);
    }

    /// A number for an unknown: mostly one beside those that it is compared with.
    fn choose(&self, domain: &Domain, atom: Atom, seed: u64) -> Option<u64> {
        let (kind, bytes) = (domain.kind(atom), domain.block(atom).bytes);
        // Which of the unknowns it is that were made together.
        let own = match kind {
            AtomKind::Initial(..) => 0,
            AtomKind::Unknown(..) => atom.lane(),
            _ => return None,
        };
        let n = self.numbers.len() as u64;
        if n == 0 {
            return None;
        }
        let mut hasher = FxHasher::default();
        // Half of the choices are alike for all unknowns, so that what all lanes have in common is met, too.
        let own = seed.is_multiple_of(2).then_some((&kind, own));
        (own, bytes, seed).hash(&mut hasher);
        let hash = hasher.finish();
        let hash = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16;
        let number = self.numbers[(hash / 8 % n) as usize];
        let near = match hash % 8 {
            0 | 1 => number,
            2 | 3 => number.wrapping_sub(1),
            4 | 5 => number.wrapping_add(1),
            _ => return None,
        };
        Some(near & mask(bytes))
    }
}
