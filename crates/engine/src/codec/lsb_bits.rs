//! A bit writer that fills each byte from its lowest bit, as Deflate does.
//!
//! With this order a decoder takes the next code from the low end of a little-endian word, without
//! shifting by the number of valid bits. [`super::predicted`] uses it.

/// Writes bits, lowest first.
pub(super) struct LsbBitWriter {
    out: Vec<u8>,
    pending: u64,
    /// Valid bits in `pending`; at most 7 between calls.
    count: u32,
}

impl LsbBitWriter {
    /// Creates a writer that appends to `out`, from a byte boundary on.
    pub(super) fn append_to(out: Vec<u8>) -> LsbBitWriter {
        LsbBitWriter { out, pending: 0, count: 0 }
    }

    /// Writes the lowest `count` bits of `bits`, up to 32; the bits above must be 0.
    pub(super) fn put(&mut self, bits: u32, count: u32) {
        self.pending |= u64::from(bits) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.out.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// Pads the last byte with zeros and returns all bytes.
    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.out.push(self.pending as u8);
        }
        self.out
    }
}
