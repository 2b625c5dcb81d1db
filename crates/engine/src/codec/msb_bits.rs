//! Bit streams that fill each byte from its highest bit, with Exp-Golomb codes.
//!
//! The number of leading zeros of an Exp-Golomb code gives its length. With the highest bit first,
//! zeros and digits form one binary number, so a writer appends a code in one step.
//! [`super::bit_rle`] and [`super::bit_mask`] use it.

/// Highest order of an Exp-Golomb code in use.
pub(super) const MAX_EXP_GOLOMB_ORDER: u32 = 15;

/// Length in bits of the Exp-Golomb code of `value`.
///
/// The code is the binary number `value + 2^order` after zeros. Their number is the number of
/// binary digits minus `order + 1`.
pub(super) fn exp_golomb_bits(value: u32, order: u32) -> u32 {
    2 * (value + (1 << order)).ilog2() + 1 - order
}

/// Writes bits, highest first.
#[derive(Default)]
pub(super) struct MsbBitWriter {
    bytes: Vec<u8>,
    /// Number of bits that are not in `bytes` yet, at most 7 between calls.
    count: u32,
    /// Bits that are not in `bytes` yet: the lowest `count`. The bits above have no meaning.
    pending: u64,
}

impl MsbBitWriter {
    /// Writes the lowest `bits` bits of `value`, up to 32; the bits above must be 0.
    pub(super) fn put(&mut self, value: u32, bits: u32) {
        debug_assert!(bits <= 32 && u64::from(value) < 1 << bits);
        self.pending = self.pending << bits | u64::from(value);
        self.count += bits;
        while self.count >= 8 {
            self.count -= 8;
            self.bytes.push((self.pending >> self.count) as u8);
        }
    }

    /// Writes `value`, below 65535, as an Exp-Golomb code of an order up to
    /// [`MAX_EXP_GOLOMB_ORDER`].
    pub(super) fn put_exp_golomb(&mut self, value: u32, order: u32) {
        self.put(value + (1 << order), exp_golomb_bits(value, order));
    }

    /// Pads the last byte with zeros and returns all bytes.
    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.bytes.push((self.pending << (8 - self.count)) as u8);
        }
        self.bytes
    }
}

/// Reads the bits that [`MsbBitWriter`] wrote.
pub(super) struct MsbBitReader<'a> {
    bytes: &'a [u8],
    /// Bits read so far.
    at: usize,
}

impl MsbBitReader<'_> {
    pub(super) fn new(bytes: &[u8]) -> MsbBitReader<'_> {
        MsbBitReader { bytes, at: 0 }
    }

    /// Returns the number of bits read so far.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Reads a number of `bits` bits, at most 32; `None` if fewer are left.
    pub(super) fn get(&mut self, bits: u32) -> Option<u32> {
        let mut value = 0;
        for at in self.at..self.at + bits as usize {
            let byte = *self.bytes.get(at / 8)?;
            value = value << 1 | u32::from(byte >> (7 - at % 8) & 1);
        }
        self.at += bits as usize;
        Some(value)
    }

    /// Reads an Exp-Golomb code of a number below 65535; `None` if the bytes end early or the
    /// number is larger.
    pub(super) fn get_exp_golomb(&mut self, order: u32) -> Option<u32> {
        let mut zeros = 0;
        while self.get(1)? == 0 {
            zeros += 1;
            if zeros + order > 16 {
                return None;
            }
        }
        // The loop has read the leading 1; the other digits follow.
        let rest = zeros + order;
        let value = (1 << rest | self.get(rest)?) - (1 << order);
        (value < 65535).then_some(value)
    }

    /// True if only the zero padding of the last byte is left.
    pub(super) fn is_at_end(&mut self) -> bool {
        let rest = self.bytes.len() * 8 - self.at;
        rest < 8 && self.get(rest as u32) == Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_golomb_codes_match_published_tables() {
        // Published codes of order 0: 1, 010, 011, 00100; of order 2: 100, 101, 110, 111, 01000.
        let bits = |order: u32, values: std::ops::Range<u32>| {
            let mut out = MsbBitWriter::default();
            for value in values {
                out.put_exp_golomb(value, order);
            }
            out.finish()
        };
        assert_eq!(bits(0, 0..4), [0b1010_0110, 0b0100_0000]);
        assert_eq!(bits(2, 0..5), [0b1001_0111, 0b0111_0100, 0]);
    }

    #[test]
    fn all_orders_and_lengths_round_trip() {
        for order in 0..=MAX_EXP_GOLOMB_ORDER {
            let values: Vec<u32> =
                (0..16).flat_map(|k| [(1 << k) - 1, 1 << k, (1 << k) + 1]).chain([65534]).collect();
            let mut out = MsbBitWriter::default();
            let mut bits = 0;
            for &value in &values {
                out.put_exp_golomb(value, order);
                out.put(value & 0x1F, 5);
                bits += exp_golomb_bits(value, order) as usize + 5;
            }
            let bytes = out.finish();
            assert_eq!(bytes.len(), bits.div_ceil(8));
            let mut reader = MsbBitReader::new(&bytes);
            for &value in &values {
                assert_eq!(
                    (reader.get_exp_golomb(order), reader.get(5)),
                    (Some(value), Some(value & 0x1F)),
                    "{order}"
                );
            }
            assert_eq!(reader.position(), bits);
            assert!(reader.is_at_end());
            assert_eq!(reader.get(8), None);
        }
    }

    #[test]
    fn truncated_numbers_are_none() {
        assert_eq!(MsbBitReader::new(&[0; 9]).get_exp_golomb(0), None);
        assert_eq!(MsbBitReader::new(&[0]).get_exp_golomb(0), None);
        assert_eq!(MsbBitReader::new(&[]).get(1), None);
        assert!(!MsbBitReader::new(&[0]).is_at_end());
        assert!(!MsbBitReader { bytes: &[1], at: 3 }.is_at_end());
    }
}
