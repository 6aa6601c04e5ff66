//! What goes for instructions in groups: which rules across their operands apply, and whether lanes stay apart.

/// What kind of computation an ALU instruction is: the types of its operands go together accordingly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Integers with integers, floats with floats; the result has the class of the sources.
    Arithmetic,
    /// Bits of integers, of any width.
    Logic,
    /// One of the sources is the result.
    Selection,
    /// The result is a truth value.
    Comparison,
    /// A copy that converts.
    Move,
    /// None of these: no rule across the types of its operands, or one of its own.
    Other,
}

/// From which lanes of the sources a lane of the result comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lanes {
    /// From the same lane.
    Separate,
    /// Also from others.
    Mixed,
}

/// A rule that holds for an instruction or for a few alike. What each one says is in `src/checks/alu`, in the function
/// that it is mapped to there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// The two destinations must not overlap: the second one is written last.
    SecondDestination,
    /// The destination is two blocks of registers, written before all sources are read.
    WideProduct,
    /// A 64-bit product takes factors of 32 bits.
    WideFactors,
    /// The factors are both signed or both unsigned.
    SameSign,
    /// Half and single floats do not mix.
    SameFloat,
    /// BF goes with BF only.
    PureBrain,
    /// All operands have one type.
    SameType,
    /// A rotation takes place within the width of the source.
    RotationWidth,
    /// The layouts of BF beside F that the hardware reads.
    BrainLayout,
    /// The pairs of types between which a move converts.
    Conversion,
    /// The pairs of types between which a conversion of small floats exists.
    FloatConversion,
    /// The types of a rounding with random numbers.
    StochasticRounding,
    /// A predicate is copied as a whole.
    PredicateCopy,
    /// All operands are predicates, or none is.
    PredicateLogic,
    /// A scalar sets sixteen or 32 elements of a predicate.
    PredicateFromBits,
    /// It selects by its predicate.
    Selector,
    /// The predicate before it receives the overflow.
    OverflowPredicate,
    /// Assemblers lose the predicate before it.
    LostPredicate,
    /// `&V` as a source: the address of a variable.
    AddressOf,
    /// Only `&V` and 0 make an address.
    AddressCopy,
    /// A surface or sampler variable on one side at least.
    StateCopy,
    /// The manual has no source modifiers for it.
    UndocumentedModifiers,
    /// The manual has no DF for it.
    UndocumentedDouble,
    /// The divisor must not be zero.
    Division,
    /// The count is less than the number of bits.
    ShiftCount,
    /// Operands of several lanes begin at a multiple of 16 bytes.
    BitField,
    /// The regions and places of a plane and its points.
    Plane,
    /// The region of a line.
    Line,
    /// Regions are contiguous or scalar.
    Interpolation,
    /// Destination and sources are packed, or scalar.
    FeedbackShift,
    /// The regions of values and of packed indices.
    Shuffle,
    /// Random bits go with stochastic rounding.
    ScaleDown,
    /// Its operands touch at most two registers: it is not split.
    NotSplit,
}
