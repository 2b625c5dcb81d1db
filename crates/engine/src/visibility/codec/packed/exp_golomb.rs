//! Exp-Golomb codes, lowest bit first: small numbers take few bits, and decoding needs no table.
//!
//! A number `n` of order `k` is coded as `v = n + 2^k`: one zero for each bit of `v` above bit `k`,
//! a one, and the bits of `v` below its highest. A decoder counts zeros and shifts, without
//! branches. Numbers are below 2^28, so that a code has at most 57 bits, which one eight-byte load
//! provides at any bit position.

/// Maximum order.
pub(super) const MAX_ORDER: u32 = 15;

/// Length of a number's code, in bits.
pub(super) fn length(number: u32, order: u32) -> u32 {
    2 * ((number >> order) + 1).ilog2() + 1 + order
}

/// Writes a sequence of codes.
#[derive(Default)]
pub(super) struct CodeWriter {
    out: Vec<u8>,
    /// Bits that do not fill a byte yet.
    bits: u128,
    /// Number of these bits.
    count: u32,
}

impl CodeWriter {
    /// Appends a number, which must be below 2^28.
    pub(super) fn put(&mut self, number: u32, order: u32) {
        let value = u128::from(number) + (1 << order);
        let zeros = value.ilog2() - order;
        let code = 1 << zeros | (value & ((1 << (order + zeros)) - 1)) << (zeros + 1);
        self.bits |= code << self.count;
        self.count += length(number, order);
        while self.count >= 8 {
            self.out.push(self.bits as u8);
            self.bits >>= 8;
            self.count -= 8;
        }
    }

    /// Fills the last byte with zeros. Returns the number of bytes written.
    pub(super) fn align(&mut self) -> usize {
        if self.count > 0 {
            self.out.push(self.bits as u8);
            self.bits = 0;
            self.count = 0;
        }
        self.out.len()
    }

    /// Returns the bytes.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.align();
        self.out
    }
}

/// At least 57 bits from bit `at` on. Bits past the end are zero.
#[inline]
pub(super) fn window(bytes: &[u8], at: usize) -> u64 {
    super::super::row_bits::load(bytes, at / 8, 0) >> (at % 8)
}

/// Decodes the number at the start of `bits`. Returns the number and the length of its code. An
/// invalid code decodes to an arbitrary number.
#[inline]
pub(super) fn number(bits: u64, order: u32) -> (u32, u32) {
    // Bit 40 lies above the leading zeros of any valid code, and keeps the shifts below 64.
    let zeros = (bits | 1 << 40).trailing_zeros();
    let low = order + zeros;
    let value = bits >> (zeros + 1) & ((1 << low) - 1) | 1 << low;
    ((value - (1 << order)) as u32, low + zeros + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_round_trip() {
        let numbers: Vec<u32> = (0..70)
            .chain((6..28).flat_map(|bits| [(1 << bits) - 1, 1 << bits, (1 << bits) + 1]))
            .collect();
        for order in 0..=MAX_ORDER {
            let mut writer = CodeWriter::default();
            for &n in &numbers {
                writer.put(n, order);
            }
            let bytes = writer.finish();
            let mut at = 0;
            for &n in &numbers {
                let (back, bits) = number(window(&bytes, at), order);
                assert_eq!((back, bits), (n, length(n, order)), "order {order}");
                at += bits as usize;
            }
            assert_eq!(at.div_ceil(8), bytes.len());
            assert!(length((1 << 28) - 1, order) <= 57);
        }
    }

    #[test]
    fn codes_match_definition() {
        let coded = |n, order| {
            let mut writer = CodeWriter::default();
            writer.put(n, order);
            writer.finish()
        };
        assert_eq!([coded(0, 0), coded(1, 0), coded(4, 0)], [[0b1], [0b010], [0b01100]]);
        assert_eq!([coded(0, 2), coded(3, 2), coded(4, 2)], [[0b001], [0b111], [0b00010]]);
    }

    #[test]
    fn invalid_code_decodes_without_panic() {
        for order in 0..=MAX_ORDER {
            for bits in [0, 1 << 63, u64::MAX << 40, u64::MAX, 1 << 39] {
                let (_, length) = number(bits, order);
                assert!(length > 0);
            }
        }
    }
}
