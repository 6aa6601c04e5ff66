//! Whether two accesses write different data.
//!
//! What memory holds when a kernel starts may be anything. So a number that depends on what is loaded from one place differs,
//! in nearly every launch, from one that does not.

use super::{Access, RaceLog};
use crate::interp::claims::facts::Values;
use crate::interp::claims::overlap::{common_bytes, compare_values};
use crate::interp::domain::atom::{Atom, AtomKind, Block};
use crate::interp::domain::causes::Causes;
use crate::interp::domain::function::Function;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::sum::{Sum, Term};
use crate::interp::domain::{Domain, Value, mask};
use crate::interp::state::{Buffer, Reader, Surface};
use crate::program::InstructionIndex;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How deep two data are compared.
const MAX_DEPTH: u32 = 12;
/// Most atoms that are looked at for what a number is computed from.
const MAX_FOLLOWED: usize = 64;

/// What a lane of a load brings.
pub(super) struct Load {
    pub instruction: InstructionIndex,
    pub piece: u32,
    /// Where each lane loads it from.
    pub addresses: Lanes<Value>,
    /// In which memory that is; nothing if each thread, or each group, has its own.
    pub surface: Option<Surface>,
}

/// Where something is loaded from.
#[derive(Clone, Copy)]
pub(super) struct Place {
    buffer: Buffer,
    surface: Surface,
    address: Value,
}

impl Place {
    /// Whether another place has other bytes, at least in most launches.
    pub(super) fn is_apart_from(self, reader: &Reader, compared: &mut Compared, other: Self) -> bool {
        match (self.buffer, other.buffer) {
            (a, b) if a == b => {
                self.surface == other.surface && compared.are_two_places(reader, (self.address, other.address))
            }
            (Buffer::Behind(_), Buffer::Behind(_)) | (Buffer::Bound(_), Buffer::Bound(_)) => true,
            _ => false,
        }
    }
}

/// What was found out about data, and what may still be spent on that.
#[derive(Default)]
pub(super) struct Compared {
    /// Whether two numbers differ.
    pairs: FxHashMap<(Value, Value), bool>,
    /// What numbers are made of.
    sources: FxHashMap<Value, Rc<Sources>>,
    /// Whether sums are made of nothing but arguments, as they are.
    plain: FxHashMap<Sum, bool>,
    /// How many numbers are still looked at; others are not known to differ.
    n_left: u64,
}

impl Compared {
    /// Nothing was looked at, and so many numbers may be.
    pub(super) fn with(n_left: u64) -> Self {
        Self { n_left, ..Self::default() }
    }

    /// Whether two addresses are different ones, at least in most launches: they have another constant, or depend on the
    /// arguments in another way, as those in two rows of an array whose pitch is an argument.
    fn are_two_places(&mut self, reader: &Reader, (x, y): (Value, Value)) -> bool {
        if x.sum == y.sum {
            return x.constant != y.constant;
        }
        [x, y].into_iter().all(|value| *self.plain.entry(value.sum).or_insert_with(|| is_plain(reader, value)))
    }

    /// Whether some numbers were not looked at.
    pub(super) const fn is_exhausted(&self) -> bool {
        self.n_left == 0
    }
}

/// What a number is made of.
struct Sources {
    /// The atoms of loads that decide it, whatever else it is made of.
    loaded: Vec<Atom>,
    /// The places whose content is all that it is made of, besides what all threads are given; nothing if there is more.
    places: Option<Vec<Place>>,
}

impl RaceLog {
    /// What is known of the data of two accesses, of which the second begins `shift` bytes after the first one.
    pub(super) fn compare_data(
        &self,
        reader: &mut Reader,
        compared: &mut Compared,
        (a, b): (&Access, &Access),
        shift: i64,
    ) -> Values {
        let (Some(x), Some(y)) = (a.data, b.data) else { return Values::Unknown };
        match compare_values(&mut reader.domain, x, y, shift) {
            // Lanes of one message may have loaded what the compiler keeps for each of them.
            Values::Unknown if a.message != b.message => {
                let is_whole = shift == 0 && x.bytes == y.bytes;
                let is_alone = |compared: &mut Compared, (x, y)| {
                    (is_whole || self.is_any_number(&reader.domain, x))
                        && self.is_loaded_alone(reader, compared, (x, y))
                };
                let is_different = is_whole && self.differ(reader, compared, (x, y), MAX_DEPTH)
                    || is_alone(compared, (x, y))
                    || is_alone(compared, (y, x));
                match () {
                    () if is_different => Values::Different,
                    () if is_whole => Values::Unknown,
                    // One of them stores more than the other one, as bytes that are put together.
                    () => match common_bytes(&mut reader.domain, (x, y), shift) {
                        Some((x, y)) => self.compare_common(reader, compared, (x, y)),
                        None => Values::Unknown,
                    },
                }
            }
            values => values,
        }
    }

    /// What is known of the common bytes of two data.
    fn compare_common(&self, reader: &mut Reader, compared: &mut Compared, (x, y): (Value, Value)) -> Values {
        let is_different = self.differ(reader, compared, (x, y), MAX_DEPTH)
            || self.is_loaded_alone(reader, compared, (x, y))
            || self.is_loaded_alone(reader, compared, (y, x));
        if is_different { Values::Different } else { Values::Unknown }
    }

    /// Whether two numbers are computed in one way from what is loaded from different addresses, or are a number apart.
    fn differ(&self, reader: &Reader, compared: &mut Compared, (x, y): (Value, Value), depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        if x.bytes != y.bytes {
            return false;
        }
        if let Some(known) = compared.pairs.get(&(x, y)) {
            return *known;
        }
        if compared.n_left == 0 {
            return false;
        }
        compared.n_left -= 1;
        let is_different = match self.apart(&reader.domain, (x, y)).as_deref() {
            Some([]) => (x.constant ^ y.constant) & mask(x.bytes) != 0,
            Some([(p, q)]) => {
                p.coefficient == q.coefficient && self.atoms_differ(reader, compared, (p.atom, q.atom), depth)
            }
            _ => false,
        };
        compared.pairs.insert((x, y), is_different);
        is_different
    }

    /// The terms that each of two numbers has and the other one has not, if they have equally many of them. What one
    /// instruction loads from one place is one number.
    fn apart(&self, domain: &Domain, (x, y): (Value, Value)) -> Option<Vec<(Term, Term)>> {
        let (terms, others) = (domain.terms(x.sum), domain.terms(y.sum));
        let rest = |terms: &[Term], others: &[Term]| -> Vec<Term> {
            terms.iter().filter(|t| !others.contains(t)).copied().collect()
        };
        let (mut rest, mut others) = (rest(&terms, &others), rest(&others, &terms));
        rest.retain(|p| {
            let is_equal = |q: &Term| p.coefficient == q.coefficient && self.are_loaded_alike((p.atom, q.atom));
            let equal = others.iter().position(is_equal);
            equal.map(|at| others.swap_remove(at)).is_none()
        });
        (rest.len() == others.len()).then(|| rest.into_iter().zip(others).collect())
    }

    /// Whether one instruction has loaded both from one place.
    fn are_loaded_alike(&self, (p, q): (Atom, Atom)) -> bool {
        let (Some(load), Some(other)) = (self.loads.get(&p.block()), self.loads.get(&q.block())) else { return false };
        (load.instruction, load.piece) == (other.instruction, other.piece)
            && load.addresses.at(p.lane()) == other.addresses.at(q.lane())
    }

    fn atoms_differ(&self, reader: &Reader, compared: &mut Compared, (p, q): (Atom, Atom), depth: u32) -> bool {
        let domain = &reader.domain;
        if let (Some(load), Some(other)) = (self.loads.get(&p.block()), self.loads.get(&q.block())) {
            let (x, y) = (load.addresses.at(p.lane()), other.addresses.at(q.lane()));
            let is_one_load = (load.instruction, load.piece) == (other.instruction, other.piece);
            return is_one_load && compared.are_two_places(reader, (x, y));
        }
        match (domain.kind(p), domain.kind(q)) {
            (AtomKind::ZeroExtended(x), AtomKind::ZeroExtended(y))
            | (AtomKind::SignExtended(x), AtomKind::SignExtended(y)) => self.differ(reader, compared, (x, y), depth),
            (AtomKind::Masked(x, m), AtomKind::Masked(y, n)) => m == n && self.differ(reader, compared, (x, y), depth),
            (AtomKind::Shifted(x, m), AtomKind::Shifted(y, n)) => {
                m == n && self.differ(reader, compared, (x, y), depth)
            }
            (AtomKind::Applied(f, xs), AtomKind::Applied(g, ys)) if f == g => {
                // One of the arguments differs; the others may.
                xs.iter().zip(&ys).any(|(x, y)| self.differ(reader, compared, (*x, *y), depth))
            }
            _ => false,
        }
    }

    /// Whether each byte of a number may be anything: it is what was loaded, plus a constant.
    fn is_any_number(&self, domain: &Domain, value: Value) -> bool {
        match domain.terms(value.sum).as_ref() {
            [term] => {
                let Block { bytes, low, high, .. } = *domain.block(term.atom);
                let is_full = bytes == value.bytes && (low, high) == (0, mask(bytes));
                term.coefficient & 1 == 1 && is_full && self.loads.contains_key(&term.atom.block())
            }
            _ => false,
        }
    }

    /// Whether the first number depends on what memory holds at some place, and the second one does not: nothing stores to
    /// that memory, and the second one is made of what stands in other places of such memory, and of what all threads are
    /// given.
    fn is_loaded_alone(&self, reader: &Reader, compared: &mut Compared, (x, y): (Value, Value)) -> bool {
        let (x, y) = (self.sources(reader, compared, x), self.sources(reader, compared, y));
        let Some(places) = y.places.as_ref().filter(|_| !x.loaded.is_empty()) else { return false };
        let mut loaded = x.loaded.iter().filter_map(|atom| self.place_of(reader, *atom));
        loaded.any(|place| places.iter().all(|other| place.is_apart_from(reader, compared, *other)))
    }

    fn sources(&self, reader: &Reader, compared: &mut Compared, value: Value) -> Rc<Sources> {
        if let Some(known) = compared.sources.get(&value) {
            return Rc::clone(known);
        }
        let domain = &reader.domain;
        let loaded = loaded_in(domain, value, |atom| self.loads.contains_key(&atom.block()));
        let causes = domain.causes_of(&[value]);
        let sources = Rc::new(Sources { loaded, places: self.places_of(reader, &causes) });
        compared.n_left = compared.n_left.saturating_sub(1);
        compared.sources.insert(value, Rc::clone(&sources));
        sources
    }

    /// The places whose content is all that causes are, besides what all threads are given; nothing if there is more.
    pub(super) fn places_of(&self, reader: &Reader, causes: &Causes) -> Option<Vec<Place>> {
        let mut places = Vec::new();
        let is_clear = causes.is_free
            && causes.atoms.iter().all(|atom| match self.place_of(reader, *atom) {
                Some(place) => {
                    places.push(place);
                    true
                }
                None => reader.is_of_launch(&reader.domain.kind(*atom)),
            });
        is_clear.then_some(places)
    }

    /// Where an atom has been loaded from, if nothing stores to that memory.
    fn place_of(&self, reader: &Reader, atom: Atom) -> Option<Place> {
        let load = self.loads.get(&atom.block())?;
        let (surface, address) = (load.surface?, load.addresses.at(atom.lane()));
        let buffer = reader.buffer_of(surface, address).filter(|buffer| !reader.common().is_stored(*buffer))?;
        let is_own = surface == Surface::Flat && reader.is_private(address.constant);
        (!is_own).then_some(Place { buffer, surface, address })
    }
}

/// The atoms of loads that decide a number, whatever else it is made of.
fn loaded_in(domain: &Domain, value: Value, is_load: impl Fn(Atom) -> bool) -> Vec<Atom> {
    let (mut found, mut values) = (Vec::new(), vec![value]);
    let mut n_left = MAX_FOLLOWED;
    while let Some(value) = values.pop() {
        for term in domain.terms(value.sum).iter() {
            let Some(left) = n_left.checked_sub(1) else { return found };
            n_left = left;
            match domain.kind(term.atom) {
                _ if is_load(term.atom) => found.push(term.atom),
                AtomKind::ZeroExtended(v) | AtomKind::SignExtended(v) => values.push(v),
                AtomKind::Applied(Function::Instruction(..) | Function::Sign(..), args) => values.extend(args),
                _ => {}
            }
        }
    }
    found
}

/// Whether a number is made of nothing but arguments, as they are.
fn is_plain(reader: &Reader, value: Value) -> bool {
    let causes = reader.domain.causes_of(&[value]);
    let is_plain =
        |kind: &AtomKind| matches!(kind, AtomKind::Initial(..) | AtomKind::ZeroExtended(_) | AtomKind::SignExtended(_));
    reader.is_made_of_launch(&causes) && causes.atoms.iter().all(|atom| is_plain(&reader.domain.kind(*atom)))
}
