//! What ALU instructions compute: one row for each operation.

/// The operation of an ALU instruction. What holds for it is its [`Row`]; what it gives for numbers stands once in the
/// abstract interpreter and once more in the concrete one of the tests.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Operation {
    /// Copies and converts.
    Mov,
    /// Copies a state value (surface, sampler).
    Movs,
    /// a + b
    Add,
    /// a + b + c
    Add3,
    /// a + b and the carry
    Addc,
    /// a - b and the borrow
    Subb,
    /// a * b
    Mul,
    /// High half of a * b
    Mulh,
    /// a * b + c
    Mad,
    /// a * b + c, both halves
    Madw,
    /// a << b
    Shl,
    /// a >> b, zeros shifted in
    Shr,
    /// a >> b, signs shifted in
    Asr,
    /// Rotate left
    Rol,
    /// Rotate right
    Ror,
    /// a & b
    And,
    /// a | b
    Or,
    /// a ^ b
    Xor,
    /// ~a
    Not,
    /// Any function of three bits
    Bfn,
    /// p ? a : b
    Sel,
    /// Lesser one
    Min,
    /// Greater one
    Max,
    /// Compares into a predicate or a mask
    Cmp,
    /// Sets a predicate from bits
    Setp,
    /// Address arithmetic
    AddrAdd,
    /// Position of the lowest set bit
    Fbl,
    /// Position of the highest bit that differs from the sign
    Fbh,
    /// Number of set bits
    Cbit,
    /// Leading zeros
    Lzd,
    /// Reverses the bits
    Bfrev,
    /// Extracts a bit field
    Bfe,
    /// Inserts a bit field
    Bfi,
    /// a + b0 * c0 + b1 * c1 + b2 * c2 + b3 * c3, with the bytes of b and c
    Dp4a,
    /// (a + b + 1) >> 1
    Avg,
    /// a / b
    Div,
    /// a mod b
    Mod,
    /// The greatest whole number that is not above a
    Rndd,
    /// The least whole number that is not below a
    Rndu,
    /// The nearest whole number to a, the even one of two
    Rnde,
    /// a without its fraction
    Rndz,
    /// 1 / a, wrong by one unit in the last place at most
    Inv,
}

/// How an operation is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// In each lane on the elements of the sources, into an element of the destination.
    Vector,
    /// A copy between variables of any kind.
    Copy,
    /// A copy of surface or sampler variables.
    State,
    /// Sum or difference, with the carry or borrow in a second destination.
    Carry,
    /// The lower dwords at the destination, the upper ones behind them.
    WideProduct,
    /// A truth value in each lane of a predicate or a vector.
    Comparison,
    /// Bits that become lanes of a predicate.
    BitsToPredicate,
    /// On elements of address variables.
    Address,
}

/// On which bits of the sources the lowest bits of the result depend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LowBits {
    /// Each on the same bit of each source.
    Same,
    /// On as many bits of each source: so it does not matter how wide the operation is thought to be.
    All,
    /// On as many bits of the first source, and on all of the second one.
    First,
    /// On any bits.
    Whole,
}

/// How wide an operation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// As wide as the widest source: it looks at the upper bits of its sources.
    Sources,
    /// As wide as the widest of sources and destination.
    Widest,
}

/// What a result is extended by where the destination is wider than the operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extension {
    /// Zeros.
    Zeros,
    /// The sign if a source is signed, else zeros.
    Sources,
}

/// What the second source is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SecondSource {
    /// A number like the first one, or nothing.
    Any,
    /// A count of bits to shift by. How many bits of it matter is not the same in the manual and on machines.
    Count,
    /// A divisor.
    Divisor,
    /// The first bit of a field; the first source is the number of its bits. Of both the lowest five bits matter.
    FieldOffset,
}

/// When an instruction need not be executed if its result is unused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftOut {
    /// It has a further effect.
    Never,
    /// Always.
    Always,
    /// If its source is a vector or an immediate.
    FromVector,
    /// Unless the predicate takes the overflow.
    WithoutOverflow,
    /// Unless it saturates: results that are too wide for saturation are reported.
    Unsaturated,
}

/// Whether known sources give a known result by the formula for numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Folding {
    /// It has a way of its own for known sources, or its result is no number.
    Never,
    /// Integers do.
    Integers,
    /// Integers and floats do.
    Floats,
    /// Floats do, and there is nothing else that it takes.
    OnlyFloats,
    /// Only bounds of the result are known.
    Bounds,
}

/// How an operation is written in a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// It is left out of formulas.
    Not,
    /// Between its sources.
    Infix(&'static str),
    /// As the least of its sources.
    Least,
    /// As the greatest of them.
    Greatest,
}

/// What holds for an operation.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// How it is executed.
    pub form: Form,
    /// On which bits of the sources the lowest bits of the result depend.
    pub low_bits: LowBits,
    /// How wide it is.
    pub width: Width,
    /// What its result is extended by.
    pub extension: Extension,
    /// What its second source is.
    pub second: SecondSource,
    /// Whether machines differ where one source is signed and another one is not.
    pub mixed_signs_differ: bool,
    /// Whether the result differs with the signedness of the sources' types.
    pub needs_sign: bool,
    /// When it need not be executed.
    pub left_out: LeftOut,
    /// Whether bits of a source may be without effect on the result.
    pub discards_bits: bool,
    /// Whether known sources give a known result.
    pub folding: Folding,
    /// How it is written.
    pub written: Written,
}

/// What holds for most operations.
const VECTOR: Row = Row {
    form: Form::Vector,
    low_bits: LowBits::Whole,
    width: Width::Widest,
    extension: Extension::Sources,
    second: SecondSource::Any,
    mixed_signs_differ: false,
    needs_sign: false,
    left_out: LeftOut::Always,
    discards_bits: false,
    folding: Folding::Integers,
    written: Written::Not,
};

impl Operation {
    /// What holds for it.
    #[must_use]
    #[expect(clippy::too_many_lines, reason = "a table")]
    pub const fn row(self) -> Row {
        match self {
            Self::Mov => Row {
                form: Form::Copy,
                low_bits: LowBits::Same,
                left_out: LeftOut::FromVector,
                folding: Folding::Floats,
                ..VECTOR
            },
            Self::Movs => Row { form: Form::State, left_out: LeftOut::Never, ..VECTOR },
            Self::Add => {
                Row { low_bits: LowBits::All, folding: Folding::Floats, written: Written::Infix("+"), ..VECTOR }
            }
            Self::Add3 => Row { low_bits: LowBits::All, left_out: LeftOut::WithoutOverflow, ..VECTOR },
            Self::Addc | Self::Subb => Row { form: Form::Carry, left_out: LeftOut::Never, ..VECTOR },
            Self::Mul => {
                Row { low_bits: LowBits::All, folding: Folding::Floats, written: Written::Infix("*"), ..VECTOR }
            }
            Self::Mulh | Self::Avg => {
                Row { width: Width::Sources, mixed_signs_differ: true, needs_sign: true, ..VECTOR }
            }
            Self::Mad => Row { low_bits: LowBits::All, folding: Folding::Floats, ..VECTOR },
            Self::Madw => Row { form: Form::WideProduct, needs_sign: true, left_out: LeftOut::Never, ..VECTOR },
            Self::Shl => Row {
                low_bits: LowBits::First,
                second: SecondSource::Count,
                left_out: LeftOut::Unsaturated,
                discards_bits: true,
                written: Written::Infix("<<"),
                ..VECTOR
            },
            Self::Shr => Row {
                width: Width::Sources,
                extension: Extension::Zeros,
                second: SecondSource::Count,
                written: Written::Infix(">>"),
                ..VECTOR
            },
            Self::Asr => Row {
                width: Width::Sources,
                second: SecondSource::Count,
                needs_sign: true,
                written: Written::Infix(">>"),
                ..VECTOR
            },
            Self::Rol | Self::Ror | Self::Fbl | Self::Fbh | Self::Cbit | Self::Lzd => {
                Row { width: Width::Sources, extension: Extension::Zeros, ..VECTOR }
            }
            Self::And => Row { low_bits: LowBits::Same, discards_bits: true, written: Written::Infix("&"), ..VECTOR },
            Self::Or => Row { low_bits: LowBits::Same, written: Written::Infix("|"), ..VECTOR },
            Self::Xor => Row { low_bits: LowBits::Same, written: Written::Infix("^"), ..VECTOR },
            Self::Not => Row { low_bits: LowBits::Same, ..VECTOR },
            Self::Bfn => Row { low_bits: LowBits::All, discards_bits: true, folding: Folding::Never, ..VECTOR },
            Self::Sel => Row { low_bits: LowBits::All, folding: Folding::Never, ..VECTOR },
            Self::Min => Row {
                width: Width::Sources,
                mixed_signs_differ: true,
                needs_sign: true,
                folding: Folding::Floats,
                written: Written::Least,
                ..VECTOR
            },
            Self::Max => Row {
                width: Width::Sources,
                mixed_signs_differ: true,
                needs_sign: true,
                folding: Folding::Floats,
                written: Written::Greatest,
                ..VECTOR
            },
            Self::Cmp => Row { form: Form::Comparison, left_out: LeftOut::Never, folding: Folding::Never, ..VECTOR },
            Self::Setp => Row {
                form: Form::BitsToPredicate,
                low_bits: LowBits::First,
                left_out: LeftOut::Never,
                folding: Folding::Never,
                ..VECTOR
            },
            Self::AddrAdd => Row { form: Form::Address, left_out: LeftOut::Never, ..VECTOR },
            Self::Bfrev => VECTOR,
            Self::Dp4a => Row { folding: Folding::Never, ..VECTOR },
            Self::Bfe => Row { second: SecondSource::FieldOffset, discards_bits: true, ..VECTOR },
            Self::Bfi => {
                Row { second: SecondSource::FieldOffset, discards_bits: true, folding: Folding::Never, ..VECTOR }
            }
            Self::Div => Row {
                width: Width::Sources,
                second: SecondSource::Divisor,
                mixed_signs_differ: true,
                needs_sign: true,
                folding: Folding::Floats,
                written: Written::Infix("/"),
                ..VECTOR
            },
            Self::Mod => Row {
                width: Width::Sources,
                second: SecondSource::Divisor,
                mixed_signs_differ: true,
                needs_sign: true,
                ..VECTOR
            },
            Self::Rndd | Self::Rndu | Self::Rnde | Self::Rndz => {
                Row { discards_bits: true, folding: Folding::OnlyFloats, ..VECTOR }
            }
            Self::Inv => Row { folding: Folding::Bounds, ..VECTOR },
        }
    }

    /// Whether the lower bits of an integer result depend on nothing but as many bits of the operands, so that it does not
    /// matter how wide the operation is thought to be.
    #[must_use]
    pub const fn is_modular(self) -> bool {
        matches!(self.row().low_bits, LowBits::Same | LowBits::All)
    }
}
