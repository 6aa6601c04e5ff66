//! What holds for instructions in groups: which rules across their operands apply, and whether lanes stay apart.

/// A family with further checks of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Custom {
    /// Arithmetic, logic, moves.
    Alu,
    /// LSC messages.
    Lsc,
    /// Systolic multiply-add.
    Dpas,
    /// 3D sampler.
    Sampler,
    /// Media sampler and blocks.
    Media,
    /// Video motion estimation.
    Vme,
    /// Render target messages.
    RenderTarget,
    /// Raw sends.
    RawSend,
    /// Fences.
    Fence,
    /// Atomics.
    Atomic,
    /// Barriers.
    Barrier,
    /// Typed surface messages.
    Typed,
    /// Messages to virtual addresses.
    Svm,
    /// Messages to the URB.
    Urb,
    /// Scattered reads and writes of qwords.
    Qword,
    /// Control flow.
    Flow,
}

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

/// A rule that holds for an instruction or for a few alike, or a property that rules ask for. `rules/README.md` says
/// what each word means.
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
    /// The odd elements of its result are undefined.
    EvenElements,
    /// Its result is right only while denormals are enabled.
    Denormals,
    /// It gathers one channel.
    OneChannel,
    /// It compares the red channel, whatever the mask says.
    RedChannel,
    /// Only R and G are defined.
    RedGreen,
    /// Only R and A mean something.
    RedAlpha,
    /// It samples coarse pixels (`.cps`).
    CoarsePixels,
    /// Its parameters hold gradients: it is sent in two halves.
    Gradients,
    /// It has a sampler operand and ignores it.
    IgnoredSampler,
    /// Each channel of its result has 64 bytes.
    ChannelBlocks,
    /// Two units share src2.
    SharedOperand,
    /// The compiler stores spilled registers with it.
    RegisterSpill,
    /// The compiler stores fewer elements than lanes with it: some lanes write the same value to the same place.
    RepeatedLanes,
    /// It stores the first channels: none before the last one is left out.
    LeadingChannels,
    /// Of several lanes at one address the last one wins.
    LastStore,
    /// It takes elements of 64 bits in shared local memory.
    SharedQwords,
    /// It has no elements of 64 bits.
    NoQwords,
    /// It is a fence of shared local memory only.
    LocalFence,
    /// The unit of its offset depends on the version of the text.
    VersionedOffset,
}

impl Check {
    /// The family of hand-written checks whose instructions can have it; nothing for those that belong to none.
    #[must_use]
    pub const fn custom(self) -> Option<Custom> {
        Some(match self {
            Self::SecondDestination
            | Self::WideProduct
            | Self::WideFactors
            | Self::SameSign
            | Self::SameFloat
            | Self::PureBrain
            | Self::SameType
            | Self::RotationWidth
            | Self::BrainLayout
            | Self::Conversion
            | Self::FloatConversion
            | Self::StochasticRounding
            | Self::PredicateCopy
            | Self::PredicateLogic
            | Self::PredicateFromBits
            | Self::Selector
            | Self::OverflowPredicate
            | Self::LostPredicate
            | Self::AddressOf
            | Self::AddressCopy
            | Self::StateCopy
            | Self::UndocumentedModifiers
            | Self::UndocumentedDouble
            | Self::Division
            | Self::ShiftCount
            | Self::BitField
            | Self::Plane
            | Self::Line
            | Self::Interpolation
            | Self::FeedbackShift
            | Self::Shuffle
            | Self::ScaleDown
            | Self::NotSplit
            | Self::EvenElements
            | Self::Denormals => Custom::Alu,
            Self::OneChannel
            | Self::RedChannel
            | Self::RedGreen
            | Self::RedAlpha
            | Self::CoarsePixels
            | Self::Gradients => Custom::Sampler,
            Self::IgnoredSampler | Self::ChannelBlocks | Self::VersionedOffset => Custom::Media,
            Self::SharedOperand => Custom::Dpas,
            Self::RegisterSpill | Self::LeadingChannels | Self::LastStore | Self::SharedQwords | Self::NoQwords => {
                Custom::Lsc
            }
            Self::LocalFence => Custom::Fence,
            Self::RepeatedLanes => return None,
        })
    }
}

/// What a barrier instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Barrier {
    /// Waits for all threads of the group.
    Group,
    /// Says that this thread has come to the barrier of the group.
    SplitSignal,
    /// Waits until all threads of the group have said so.
    SplitWait,
    /// Comes to a named barrier.
    NamedSignal,
    /// Waits at a named barrier.
    NamedWait,
    /// Waits for a notification from outside the group.
    Thread,
}

impl Barrier {
    /// Whether it belongs to a named barrier.
    #[must_use]
    pub const fn is_named(self) -> bool {
        matches!(self, Self::NamedSignal | Self::NamedWait)
    }

    /// Whether it is one half of a barrier.
    #[must_use]
    pub const fn has_halves(self) -> bool {
        !matches!(self, Self::Group | Self::Thread)
    }

    /// Whether other threads learn by it that this one has come.
    #[must_use]
    pub const fn signals(self) -> bool {
        matches!(self, Self::Group | Self::SplitSignal | Self::NamedSignal)
    }
}

/// What a line that generates no code stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marker {
    /// The source file of what follows.
    File,
    /// The source line of what follows.
    Line,
    /// The values of a variable matter from here on.
    LifetimeStart,
    /// The values of a variable do not matter any more.
    LifetimeEnd,
}

/// Which types the parameters of a sampler message have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterTypes {
    /// Those of coordinates: F or HF.
    Float,
    /// Those of texel numbers: UD or UW.
    Integer,
    /// The manual says nothing of them.
    Any,
}
