//! What ALU instructions compute.

impl Operation {
    /// Whether the lower bits of an integer result depend on nothing but as many bits of the operands, so that it does not
    /// matter how wide the operation is thought to be.
    #[must_use]
    pub const fn is_modular(self) -> bool {
        matches!(
            self,
            Self::Mov
                | Self::Sel
                | Self::Add
                | Self::Add3
                | Self::Mul
                | Self::Mad
                | Self::And
                | Self::Or
                | Self::Xor
                | Self::Not
                | Self::Bfn
        )
    }
}

/// The operation of an ALU instruction, matched exhaustively by the abstract and the concrete interpreter.
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
    /// (a + b + 1) >> 1
    Avg,
    /// a / b
    Div,
    /// a mod b
    Mod,
}
