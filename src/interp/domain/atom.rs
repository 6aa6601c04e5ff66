//! Atoms: unknown numbers.

use super::condition::Condition;
use super::function::Function;
use super::{Domain, LANE_BITS, LANES, STEPS, Value, mask};
use crate::base::unique::Unique;
use crate::spec::operation::Operation;

/// A handle of an atom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom(pub(super) u32);

impl Atom {
    /// Its block.
    #[must_use]
    pub const fn block(self) -> u32 {
        (self.0 & !STEPS) >> LANE_BITS
    }

    /// Its lane in the block.
    #[must_use]
    pub const fn lane(self) -> u32 {
        self.0 & (LANES - 1)
    }

    /// Whether it stands for a run of lanes.
    #[must_use]
    pub const fn steps(self) -> bool {
        self.0 & STEPS != 0
    }

    /// What it is in one lane of its run.
    #[must_use]
    pub const fn at(self, lane: u32) -> Self {
        if self.steps() { Self((self.0 & !STEPS) + lane) } else { self }
    }
}

impl std::fmt::Debug for Atom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a{}.{}{}", self.block(), self.lane(), if self.steps() { "+" } else { "" })
    }
}

/// Where an unknown comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Origin {
    /// A message, or an instruction without a meaning here, left it.
    Result,
    /// Lanes have loaded it from places of their own, or updated one after the other.
    Own,
    /// It changes from one pass of a loop to the next.
    Loop,
    /// A call may have left it.
    Call,
    /// A local id.
    LocalId,
    /// A store through an unknown address may have changed it.
    Indirect,
    /// Where a function lies.
    Function,
    /// It goes on by itself, for each thread.
    Clock,
}

/// What an atom is. Values in it may be stepping: lane *n* of the block takes lane *n* of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomKind {
    /// What a variable holds at the start, in elements of the atom's width; the block begins at that element.
    Initial(u32, u32),
    /// A number of which nothing is known.
    Unknown(u32, Origin),
    /// Where a variable lies among the registers.
    AddressOf(u32),
    /// The local id of the first lane of a thread, in dimension x, y or z (0 to 2).
    LocalId(u8),
    /// A narrower number, zeros above.
    ZeroExtended(Value),
    /// A narrower number, its sign above.
    SignExtended(Value),
    /// The bits of a number that a mask keeps.
    Masked(Value, u64),
    /// A number shifted to the right, zeros above.
    Shifted(Value, u8),
    /// One of two numbers.
    Select(Condition, Value, Value),
    /// The bits of a predicate: bit *n* is the condition in lane *n*, for so many lanes.
    Predicate(Condition, u8),
    /// The result of an operation.
    Applied(Function, [Value; 3]),
}

impl AtomKind {
    /// Adds the values and conditions that it is made of.
    pub(in crate::interp) fn add_parts(&self, values: &mut Vec<Value>, conditions: &mut Vec<Condition>) {
        match *self {
            Self::ZeroExtended(v) | Self::SignExtended(v) | Self::Masked(v, _) | Self::Shifted(v, _) => values.push(v),
            Self::Applied(_, args) => values.extend(args),
            Self::Select(condition, a, b) => {
                conditions.push(condition);
                values.extend([a, b]);
            }
            Self::Predicate(bits, n) => conditions.extend((0..u32::from(n)).map(|lane| bits.at(lane))),
            Self::Unknown(..) | Self::Initial(..) | Self::LocalId(_) | Self::AddressOf(_) => {}
        }
    }
}

/// 32 atoms with one definition.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// What they are.
    pub kind: AtomKind,
    /// Their width.
    pub bytes: u8,
    /// They are multiples of two to this.
    pub zeros: u8,
    /// Least value.
    pub low: u64,
    /// Greatest value.
    pub high: u64,
}

/// All atoms.
#[derive(Default, Debug)]
pub(crate) struct Atoms {
    blocks: Vec<Block>,
    /// All but those of which nothing is known: no other is equal to one of these.
    table: Unique,
}

impl Atoms {
    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// The block of an atom.
    pub(crate) fn block(&self, atom: Atom) -> &Block {
        &self.blocks[atom.block() as usize]
    }
}

impl AtomKind {
    /// Whether lanes of a block of this kind are different atoms.
    fn steps(&self) -> bool {
        match self {
            Self::Initial(..) | Self::Unknown(..) => true,
            Self::AddressOf(_) | Self::LocalId(_) | Self::Predicate(..) => false,
            Self::ZeroExtended(v) | Self::SignExtended(v) | Self::Masked(v, _) | Self::Shifted(v, _) => v.steps(),
            Self::Select(c, a, b) => c.steps() || a.steps() || b.steps(),
            Self::Applied(_, args) => args.iter().any(|a| a.steps()),
        }
    }

    /// Whether it is the product of two numbers of which neither is known.
    #[must_use]
    pub const fn is_product(&self) -> bool {
        matches!(self, Self::Applied(Function::Integer(Operation::Mul), _))
    }
}

impl Domain {
    /// The value that is the atom of that kind; stepping if a value in it is (for unknowns: always). `low`, `high` and
    /// `zeros` are what is known of it; they have to follow from the kind alone.
    pub(crate) fn atom(&mut self, kind: AtomKind, bytes: u8, zeros: u8, low: u64, high: u64) -> Value {
        if low == high {
            return Value::known(low, bytes);
        }
        if u32::from(zeros) >= 8 * u32::from(bytes) {
            return Value::known(0, bytes);
        }
        let Atoms { blocks, table } = &mut self.atoms;
        let next = blocks.len() as u32;
        let found = table.find_or_note((&kind, bytes), next, |b| {
            let block = &blocks[b as usize];
            block.bytes == bytes && block.kind == kind
        });
        if found.is_none() {
            blocks.push(Block { kind, bytes, zeros, low, high: high.min(mask(bytes)) });
        }
        let handle = found.unwrap_or(next) << LANE_BITS;
        Self::value_of(Atom(if kind.steps() { handle | STEPS } else { handle }), bytes)
    }

    /// The value that an atom is.
    pub(crate) fn value_of(atom: Atom, bytes: u8) -> Value {
        Value { constant: 0, sum: super::Sum::single(atom), bytes }
    }

    /// A run of unknown numbers.
    pub fn unknown(&mut self, bytes: u8, origin: Origin) -> Value {
        self.unknown_up_to(bytes, origin, mask(bytes))
    }

    /// A run of unknown numbers that are at most `high`.
    pub fn unknown_up_to(&mut self, bytes: u8, origin: Origin, high: u64) -> Value {
        let kind = AtomKind::Unknown(self.serial(), origin);
        let handle = (self.atoms.len() as u32) << LANE_BITS;
        self.atoms.blocks.push(Block { kind, bytes, zeros: 0, low: 0, high });
        Self::value_of(Atom(handle | STEPS), bytes)
    }

    /// One unknown number that ends with so many zeros.
    pub(crate) fn unknown_multiple(&mut self, bytes: u8, origin: Origin, zeros: u32) -> Value {
        let value = self.unknown(bytes, origin).at(0);
        if let Some(block) = self.atoms.blocks.last_mut() {
            block.zeros = zeros as u8;
        }
        value
    }

    /// One unknown number.
    pub(crate) fn unknown_one(&mut self, bytes: u8, origin: Origin) -> Value {
        self.unknown(bytes, origin).at(0)
    }

    /// The unknown result of some operands: a run, if one of them is.
    pub(crate) fn unknown_for(&mut self, args: &[Value], bytes: u8) -> Value {
        let unknown = self.unknown(bytes, Origin::Result);
        if args.iter().any(|a| a.steps()) { unknown } else { unknown.at(0) }
    }

    /// What is known of an atom.
    #[must_use]
    pub fn block(&self, atom: Atom) -> &Block {
        self.atoms.block(atom)
    }

    /// What an atom is, with the values in it taken at its lane.
    #[must_use]
    pub fn kind(&self, atom: Atom) -> AtomKind {
        let lane = atom.lane();
        let at = |v: Value| if atom.steps() { v.shifted(lane) } else { v.at(lane) };
        match self.block(atom).kind {
            AtomKind::Initial(variable, first) => AtomKind::Initial(variable, first + lane),
            AtomKind::ZeroExtended(v) => AtomKind::ZeroExtended(at(v)),
            AtomKind::SignExtended(v) => AtomKind::SignExtended(at(v)),
            AtomKind::Masked(v, m) => AtomKind::Masked(at(v), m),
            AtomKind::Shifted(v, n) => AtomKind::Shifted(at(v), n),
            AtomKind::Select(c, a, b) => {
                AtomKind::Select(if atom.steps() { c.shifted(lane) } else { c.at(lane) }, at(a), at(b))
            }
            AtomKind::Applied(f, args) => AtomKind::Applied(f, args.map(at)),
            kind
            @ (AtomKind::Unknown(..) | AtomKind::AddressOf(_) | AtomKind::LocalId(_) | AtomKind::Predicate(..)) => kind,
        }
    }
}

impl Value {
    /// The same run, begun `lanes` later.
    #[must_use]
    pub(crate) const fn shifted(self, lanes: u32) -> Self {
        Self { sum: self.sum.shifted(lanes), ..self }
    }
}
