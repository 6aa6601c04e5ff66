//! Random numbers.

/// Numbers that are the same in every run (xorshift).
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self((seed ^ 0x5851_f42d_4c95_7f2d).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// True in one of `n` cases.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A number that addresses are made of, or any.
    pub fn immediate(&mut self) -> u64 {
        const COMMON: [u64; 18] =
            [0, 1, 1, 2, 3, 4, 4, 5, 7, 8, 16, 31, 0x7f, 0xff, 0x1000, 0xffff_fffc, 0x7fff_ffff, 0x8000_0000];
        match self.below(COMMON.len() + 2) {
            i if i < COMMON.len() => COMMON[i],
            _ => self.next(),
        }
    }
}
