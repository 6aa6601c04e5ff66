//! What it depends on that two accesses happen: nothing, the arguments and ids of the launch, or more than is known.

use super::data::{Compared, Place};
use super::{Access, Logged, RaceLog, Target};
use crate::interp::domain::Value;
use crate::interp::domain::atom::AtomKind;
use crate::interp::domain::causes::Causes;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::sum::Sum;
use crate::interp::launch::Group;
use crate::interp::state::{GROUP_ID_NAMES, GROUP_IDS, Reader, Surface};
use crate::program::VariableId;
use crate::spec::instruction::AccessKind;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most pairs of conditions that are looked at.
const MAX_LOOKED_AT: usize = 1 << 10;
/// Most places of memory that may decide whether two accesses happen.
const MAX_PLACES: usize = 64;

/// Whether two accesses happen in one launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Happens {
    /// In each launch, or both are reached under one condition; in words, if it is one on the launch.
    Both(Option<String>),
    /// In none.
    Never,
    /// In launches of which this holds, and not in all that one of them happens in; or if memory holds such data.
    If(String),
    /// That is not known.
    Unknown,
}

/// What was found out about pairs of conditions.
#[derive(Default)]
pub(super) struct Happenings {
    known: FxHashMap<(Condition, Condition), Happens>,
}

impl Happenings {
    /// Whether two accesses with these conditions happen in one launch.
    pub fn of(
        &mut self,
        reader: &mut Reader,
        (log, compared): (&RaceLog, &mut Compared),
        (a, b): (Condition, Condition),
    ) -> Happens {
        if a.is_true() && b.is_true() {
            return Happens::Both(None);
        }
        if let Some(known) = self.known.get(&(a, b)) {
            return known.clone();
        }
        if self.known.len() >= MAX_LOOKED_AT {
            return Happens::Unknown;
        }
        let happens = happens(reader, (log, compared), (a, b));
        self.known.insert((a, b), happens.clone());
        happens
    }
}

fn happens(reader: &mut Reader, (log, compared): (&RaceLog, &mut Compared), (a, b): (Condition, Condition)) -> Happens {
    let both = reader.domain.and(a, b);
    if both.is_false() {
        return Happens::Never;
    }
    let causes = reader.domain.causes(&[both]);
    if !reader.is_made_of_launch(&causes) {
        return match () {
            () if a == b => Happens::Both(None),
            // What memory holds when the kernel starts may be anything.
            () if log.is_made_of_data(reader, compared, &causes) && reader.domain.can_part(both, Condition::FALSE) => {
                Happens::If("what memory holds lets both come there".to_owned())
            }
            () => Happens::Unknown,
        };
    }
    // The size of the group, which is a known number, may be what decides, without being known as that.
    if causes.atoms.iter().any(|atom| reader.may_be_size(&reader.domain.kind(*atom))) {
        return Happens::Unknown;
    }
    // Some arguments have to make it so.
    if !reader.domain.can_part(both, Condition::FALSE) {
        return Happens::Unknown;
    }
    match reader.condition_in_words(both) {
        words if a == b => Happens::Both(words),
        Some(words) => Happens::If(words),
        None => Happens::Unknown,
    }
}

/// Bytes of three dwords, one for each dimension.
const VECTOR_BYTES: i64 = 12;

impl Reader<'_> {
    /// Whether an atom is an element of an input that may be one of the sizes of the launch.
    fn may_be_size(&self, kind: &AtomKind) -> bool {
        let AtomKind::Initial(variable, _) = *kind else { return false };
        let launch = self.cx().launch;
        if launch.sizes.iter().chain(&launch.offsets).any(|given| given.variable == VariableId(variable)) {
            return false;
        }
        let inputs = self.cx().program.inputs_of(self.cx().object);
        inputs.iter().any(|input| input.variable == VariableId(variable) && input.size == VECTOR_BYTES)
    }

    /// Whether nothing but what all threads of a group are given is among some causes.
    pub(super) fn is_made_of_launch(&self, causes: &Causes) -> bool {
        causes.is_free && causes.atoms.iter().all(|atom| self.is_of_launch(&self.domain.kind(*atom)))
    }

    /// Whether an atom is made of what all threads of a group are given: arguments, and ids of the group.
    pub(super) fn is_of_launch(&self, kind: &AtomKind) -> bool {
        match *kind {
            AtomKind::Initial(variable, _) => {
                Some(VariableId(variable)) == VariableId::of_predefined("%r0")
                    || self.is_shared_input(VariableId(variable))
            }
            AtomKind::Unknown(..) | AtomKind::AddressOf(_) | AtomKind::LocalId(_) => false,
            AtomKind::Applied(..)
            | AtomKind::ZeroExtended(_)
            | AtomKind::SignExtended(_)
            | AtomKind::Masked(..)
            | AtomKind::Shifted(..)
            | AtomKind::Select(..)
            | AtomKind::Predicate(..) => true,
        }
    }
}

/// What is made only of what all threads of a group are given, as far as that was asked.
#[derive(Default)]
struct Shared {
    sums: FxHashMap<Sum, bool>,
    conditions: FxHashMap<Condition, bool>,
}

impl Shared {
    fn has_sum(&mut self, reader: &Reader, sum: Sum) -> bool {
        let is_shared = || reader.is_made_of_launch(&reader.domain.causes_of(&[Value { constant: 0, sum, bytes: 8 }]));
        *self.sums.entry(sum).or_insert_with(is_shared)
    }

    fn has_condition(&mut self, reader: &Reader, condition: Condition) -> bool {
        let is_shared = || reader.is_made_of_launch(&reader.domain.causes(&[condition]));
        *self.conditions.entry(condition).or_insert_with(is_shared)
    }
}

impl RaceLog {
    /// Whether causes are numbers that are loaded from different places of memory to which nothing stores, and what all
    /// threads are given.
    fn is_made_of_data(&self, reader: &Reader, compared: &mut Compared, causes: &Causes) -> bool {
        let Some(places) = self.places_of(reader, causes).filter(|places| places.len() <= MAX_PLACES) else {
            return false;
        };
        let is_apart = |(i, place): (usize, &Place), compared: &mut Compared| {
            places[i + 1..].iter().all(|other| place.is_apart_from(reader, compared, *other))
        };
        places.iter().enumerate().all(|x| is_apart(x, compared))
    }

    /// Whether no other thread that is compared accesses an address.
    pub(super) fn is_apart(&self, reader: &Reader, address: u64) -> bool {
        reader.is_private(address) || self.between.is_some() && !reader.is_behind_input(address)
    }

    /// What each thread exchanges only if it is what it expects.
    pub(super) fn guessed(&self, accesses: &[Access]) -> FxHashSet<(u32, Target, u64)> {
        let of = |a: &Access| {
            let message = &self.messages[a.message as usize];
            message.compares.then_some((message.thread, a.target, a.start))
        };
        accesses.iter().filter_map(of).collect()
    }

    /// Whether the first access reads what its thread exchanges if it has not changed since, and the second one does so,
    /// too: what was read is a guess.
    pub(super) fn is_guess(&self, guessed: &FxHashSet<(u32, Target, u64)>, (a, b): (&Access, &Access)) -> bool {
        let (p, q) = (&self.messages[a.message as usize], &self.messages[b.message as usize]);
        p.kind == AccessKind::Read && q.compares && guessed.contains(&(p.thread, a.target, a.start))
    }

    /// Whether any instruction reads the id of the group in a dimension.
    pub(in crate::interp) fn reads_group_id(&self, reader: &Reader, dimension: usize) -> bool {
        let name = GROUP_ID_NAMES[dimension];
        let first = 4 * GROUP_IDS[dimension] as usize;
        [(name, 0..4), ("%r0", first..first + 4)].into_iter().any(|(name, bytes)| {
            let root = VariableId::of_predefined(name).and_then(|v| reader.cx().root(v));
            root.is_some_and(|(root, _)| self.used.has_reader(root, bytes))
        })
    }

    /// Whether two accesses belong to one group, or to the two that are compared.
    pub(super) fn are_of_one_group(&self, a: &Access, b: &Access) -> bool {
        self.group_of(a) == self.group_of(b)
    }

    /// Which of the two groups that are compared makes an access: 0 or 1.
    pub(super) fn group_of(&self, access: &Access) -> u32 {
        let thread = self.messages[access.message as usize].thread;
        self.between.map_or(0, |between| thread / between.n_threads.max(1))
    }

    /// Whether the two groups that are compared do the same: then the kernel does not ask which group it is, and is
    /// launched with one. What each thread has for itself, as what it has loaded, does not tell groups apart.
    pub(super) fn are_groups_alike(&self, reader: &Reader) -> bool {
        let n_threads = self.between.map_or(1, |between| between.n_threads.max(1));
        let begun: FxHashSet<u32> = self.begun.iter().map(|(thread, _)| *thread).collect();
        let mut shared = Shared::default();
        let mut of = |group: u32| {
            // Threads that were executed for one group only are not compared.
            let is_common = |thread: u32| begun.contains(&thread) && begun.contains(&(thread + n_threads));
            let all = self.accesses.iter().filter_map(|a| {
                let Logged { instruction, thread, .. } = self.messages[a.message as usize];
                let is_flat = a.target.surface == Surface::Flat && a.target.sum.is_zero();
                let is_of = thread / n_threads == group
                    && is_common(thread % n_threads)
                    && !(is_flat && self.is_apart(reader, a.start));
                let place = shared.has_sum(reader, a.target.sum).then_some((a.target, a.start));
                let active = shared.has_condition(reader, a.active).then_some(a.active);
                // Of what is not known only that a number is added to it tells groups apart.
                let data = a.data.map(|data| data.constant);
                is_of.then_some((instruction, thread % n_threads, a.lane, place, active, data))
            });
            all.collect::<FxHashSet<_>>()
        };
        of(0) == of(1)
    }

    /// Whether two work-items differ in more than one dimension: an argument that makes them meet is the pitch of rows,
    /// which is not taken to be smaller than a row.
    pub(super) fn are_in_different_rows(&self, group: &Group, (a, b): (&Access, &Access)) -> bool {
        match (self.side(group, a).item, self.side(group, b).item) {
            (Some(x), Some(y)) => x.iter().zip(&y).filter(|(i, j)| i != j).count() > 1,
            _ => false,
        }
    }

    /// The inputs that are added to addresses as they are: pointers, and offsets of buffers. One that is a multiple in the
    /// address of another lane is a stride.
    pub(super) fn note_pointers(&mut self, reader: &Reader, accesses: &[Access]) {
        let mut seen = FxHashSet::default();
        let mut strides = FxHashSet::default();
        for access in accesses {
            let mut sums = vec![access.target.sum];
            if let Surface::Bound { value, .. } = access.target.surface {
                sums.push(value.sum);
            }
            for sum in sums {
                if !seen.insert(sum) {
                    continue;
                }
                for term in reader.domain.terms(sum).iter() {
                    let mut kind = reader.domain.kind(term.atom);
                    while let AtomKind::ZeroExtended(v) | AtomKind::SignExtended(v) = kind {
                        let [one] = *reader.domain.terms(v.sum).as_slice() else { break };
                        if one.coefficient != 1 {
                            break;
                        }
                        kind = reader.domain.kind(one.atom);
                    }
                    if let AtomKind::Initial(variable, _) = kind {
                        let of_its_kind = if term.coefficient == 1 { &mut self.pointers } else { &mut strides };
                        of_its_kind.insert(VariableId(variable));
                    }
                }
            }
        }
        self.pointers.retain(|input| !strides.contains(input));
    }
}
