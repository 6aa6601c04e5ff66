//! The hash that everything here is made of.

/// FNV-1a of 128 bits: the same on every machine and in every version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hash(pub u128);

impl Default for Hash {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Hash {
    /// Adds a text and a byte that no text holds, so that `ab`, `c` differs from `a`, `bc`.
    pub fn add(&mut self, text: &str) {
        self.add_bytes(text.bytes());
        self.end();
    }

    /// Adds bytes.
    pub fn add_bytes(&mut self, bytes: impl Iterator<Item = u8>) {
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }

    /// Adds a number.
    pub fn add_number(&mut self, number: u64) {
        self.add_bytes(number.to_le_bytes().into_iter());
    }

    /// Adds the byte that ends a text.
    pub fn end(&mut self) {
        self.add_bytes(std::iter::once(0xff));
    }

    /// The hash in 64 bits.
    #[must_use]
    pub const fn short(self) -> u64 {
        (self.0 >> 64) as u64 ^ self.0 as u64
    }
}
