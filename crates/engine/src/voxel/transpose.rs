//! Transposition of a matrix of 64 x 64 bits.

/// Rows of a matrix, and bits of a row.
const SIDE: usize = 64;

/// Transposes a matrix of 64 rows of 64 bits in place by exchanging halves of 32, 16 ... 1 (Warren,
/// *Hacker's Delight*, 7-3).
pub(crate) fn transpose(block: &mut [u64; SIDE]) {
    let mut width = SIDE / 2;
    let mut mask = u64::MAX >> (SIDE / 2);
    while width != 0 {
        let mut row = 0;
        while row < SIDE {
            let swap = (block[row] >> width ^ block[row + width]) & mask;
            block[row + width] ^= swap;
            block[row] ^= swap << width;
            // The next row whose bit `width` is clear.
            row = (row + width + 1) & !width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}
