//! Facts about the numbers that operands hold.

use crate::interp::state::Path;
use crate::program::InstructionIndex;

/// A number that an operand may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    /// The number, a signed one extended to 64 bits.
    pub bits: u64,
    /// Whether a path was found on which the operand holds it.
    pub is_met: bool,
}

/// What known numbers say about the value of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Held {
    /// It is one of them.
    OneOf,
    /// It is one of them on some paths, and not known on others.
    OnSomePaths,
    /// It is one of them in the second pass of a loop, to which that branch goes back.
    InSecondPass(InstructionIndex),
    /// It is each of them, in passes of a loop that are known to come, or in calls of a subroutine.
    InPasses,
    /// It is the first, the last, or anything between; the same holds of each further pair.
    Range,
    /// It is the first plus a multiple of the distance of the two.
    Sequence,
    /// Only some bits of it are known: those that are set, or those that are clear.
    Bits,
}

impl Held {
    /// Whether each number is that of some path.
    #[must_use]
    pub const fn is_by_path(self) -> bool {
        matches!(self, Self::OneOf) || self.is_on_some_paths()
    }

    /// Whether there are paths on which it may be anything else.
    #[must_use]
    pub const fn is_on_some_paths(self) -> bool {
        matches!(self, Self::OnSomePaths | Self::InSecondPass(_))
    }

    /// Where it is one of them, if that is not whenever the instruction is executed.
    #[must_use]
    pub const fn path(self) -> Option<Path> {
        match self {
            Self::OnSomePaths => Some(Path::One),
            Self::InSecondPass(back) => Some(Path::SecondPass(back)),
            _ => None,
        }
    }
}

/// Most elements of an LSC address: its surface, and the items between its brackets.
pub const MAX_ADDRESS_ELEMENTS: usize = 7;

/// What registers of an LSC address hold that are read as one element.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct AddressNumbers {
    /// The surface in the parentheses, then the items between the brackets; nothing where one is no register or not known.
    pub elements: [Option<u32>; MAX_ADDRESS_ELEMENTS],
    /// Whether a path was found on which they are so, of several that depend on the path.
    pub is_met: bool,
}

impl AddressNumbers {
    /// The surface.
    #[must_use]
    pub const fn surface(&self) -> Option<u32> {
        self.elements[0]
    }

    /// The items between the brackets, in order.
    #[must_use]
    pub fn items(&self) -> &[Option<u32>] {
        &self.elements[1..]
    }

    /// The same with a number for an element.
    #[must_use]
    pub(in crate::interp::claims) const fn with(mut self, element: usize, number: u32) -> Self {
        self.elements[element] = Some(number);
        self
    }

    /// The ends of each of these ranges. Of two that are compared with each other, it is the least of one with the greatest
    /// of the other that decides.
    #[must_use]
    pub(in crate::interp::claims) fn ends(&self, ranges: &[(usize, u32, u32)]) -> Vec<Self> {
        let ends = |(element, low, high): &(usize, u32, u32)| [*low, *high].map(|number| self.with(*element, number));
        let mut all: Vec<Self> = ranges.iter().flat_map(ends).collect();
        for (i, (first, low, high)) in ranges.iter().enumerate() {
            for (second, least, greatest) in &ranges[i + 1..] {
                all.push(self.with(*first, *low).with(*second, *greatest));
                all.push(self.with(*first, *high).with(*second, *least));
            }
        }
        all
    }

    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.elements.iter().all(Option::is_none)
    }
}

/// What is wrong with a channel mask in a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChannelMaskFault {
    /// No bit of it counts.
    Zero,
    /// It has bits beyond the outputs.
    BeyondOutputs(u32),
    /// It has bits beyond the eight.
    BeyondByte,
}
