//! Numbers of any count of bits, one after the other, the uppermost bit first.
//!
//! Uppermost first because of Exp-Golomb codes: their length is a count of leading zeros, and so the zeros and the number
//! behind them are written as one number.

/// The greatest parameter of an Exp-Golomb code that is used here.
pub(super) const MOST_ORDER: u32 = 15;

/// Bits of `value` as an Exp-Golomb code of the order `order`: `value + 2^order` as a binary number, and before it as many
/// zeros as that has digits, `order + 1` not counted.
pub(super) fn exp_golomb_bits(value: u32, order: u32) -> u32 {
    2 * (value + (1 << order)).ilog2() + 1 - order
}

/// Writes bits.
#[derive(Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// The lowest `count` bits, at most 7, are still to be written; those above were.
    pending: u64,
    count: u32,
}

impl BitWriter {
    /// Writes the lowest `bits` bits of `value`, up to 32; those above must be 0.
    pub(super) fn put(&mut self, value: u32, bits: u32) {
        debug_assert!(bits <= 32 && u64::from(value) < 1 << bits);
        self.pending = self.pending << bits | u64::from(value);
        self.count += bits;
        while self.count >= 8 {
            self.count -= 8;
            self.bytes.push((self.pending >> self.count) as u8);
        }
    }

    /// Writes `value`, below 65535, as an Exp-Golomb code of an order up to [`MOST_ORDER`].
    pub(super) fn put_exp_golomb(&mut self, value: u32, order: u32) {
        self.put(value + (1 << order), exp_golomb_bits(value, order));
    }

    /// The bytes; the last is filled up with zeros.
    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.bytes.push((self.pending << (8 - self.count)) as u8);
        }
        self.bytes
    }
}

/// Reads what [`BitWriter`] wrote.
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    /// Bits that were read.
    at: usize,
}

impl BitReader<'_> {
    pub(super) fn new(bytes: &[u8]) -> BitReader<'_> {
        BitReader { bytes, at: 0 }
    }

    /// Bits that were read.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// A number of up to 32 bits; none where the bytes end before.
    pub(super) fn get(&mut self, bits: u32) -> Option<u32> {
        let mut value = 0;
        for at in self.at..self.at + bits as usize {
            let byte = *self.bytes.get(at / 8)?;
            value = value << 1 | u32::from(byte >> (7 - at % 8) & 1);
        }
        self.at += bits as usize;
        Some(value)
    }

    /// A number below 65535 as an Exp-Golomb code; none where the bytes end before, or it is greater.
    pub(super) fn get_exp_golomb(&mut self, order: u32) -> Option<u32> {
        let mut zeros = 0;
        while self.get(1)? == 0 {
            zeros += 1;
            if zeros + order > 16 {
                return None;
            }
        }
        // The first digit was read.
        let rest = zeros + order;
        let value = (1 << rest | self.get(rest)?) - (1 << order);
        (value < 65535).then_some(value)
    }

    /// True if nothing is left but the zeros that fill the last byte.
    pub(super) fn is_at_end(&mut self) -> bool {
        let rest = self.bytes.len() * 8 - self.at;
        rest < 8 && self.get(rest as u32) == Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_golomb_codes_are_those_of_the_books() {
        // Order 0: 1, 010, 011, 00100. Order 2: 100, 101, 110, 111, 01000.
        let bits = |order: u32, values: std::ops::Range<u32>| {
            let mut out = BitWriter::default();
            values.for_each(|value| out.put_exp_golomb(value, order));
            out.finish()
        };
        assert_eq!(bits(0, 0..4), [0b1010_0110, 0b0100_0000]);
        assert_eq!(bits(2, 0..5), [0b1001_0111, 0b0111_0100, 0]);
    }

    #[test]
    fn all_orders_and_lengths_come_back() {
        for order in 0..=MOST_ORDER {
            let values: Vec<u32> = (0..16).flat_map(|k| [(1 << k) - 1, 1 << k, (1 << k) + 1]).chain([65534]).collect();
            let (mut out, mut bits) = (BitWriter::default(), 0);
            for &value in &values {
                out.put_exp_golomb(value, order);
                out.put(value & 0x1F, 5);
                bits += exp_golomb_bits(value, order) as usize + 5;
            }
            let bytes = out.finish();
            assert_eq!(bytes.len(), bits.div_ceil(8));
            let mut from = BitReader::new(&bytes);
            for &value in &values {
                assert_eq!((from.get_exp_golomb(order), from.get(5)), (Some(value), Some(value & 0x1F)), "{order}");
            }
            assert_eq!(from.position(), bits);
            assert!(from.is_at_end());
            assert_eq!(from.get(8), None);
        }
    }

    #[test]
    fn numbers_that_never_end_are_none() {
        assert_eq!(BitReader::new(&[0; 9]).get_exp_golomb(0), None);
        assert_eq!(BitReader::new(&[0]).get_exp_golomb(0), None);
        assert_eq!(BitReader::new(&[]).get(1), None);
        assert!(!BitReader::new(&[0]).is_at_end());
        assert!(!BitReader { bytes: &[1], at: 3 }.is_at_end());
    }
}
