//! Values of less than a byte, packed row by row. The first value is in the highest bits.

/// The value of `bits` bits (1 to 8) at `column` of a row; `None` beyond the end of the row.
pub(super) fn packed_value(row: &[u8], column: usize, bits: usize) -> Option<u8> {
    let bit = column * bits;
    let pair = [*row.get(bit / 8)?, row.get(bit / 8 + 1).copied().unwrap_or(0)];
    // A value lies in at most two bytes.
    let value = u16::from_be_bytes(pair) << (bit % 8) >> (16 - bits);
    (bit + bits <= 8 * row.len()).then_some(value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_width_are_unpacked() {
        let row = [0b1011_0010, 0b0110_1101];
        let all = |bits: usize| {
            (0..).map_while(|column| packed_value(&row, column, bits)).collect::<Vec<_>>()
        };
        assert_eq!(all(1), [1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1]);
        assert_eq!(all(2), [2, 3, 0, 2, 1, 2, 3, 1]);
        assert_eq!(all(3), [0b101, 0b100, 0b100, 0b110, 0b110]);
        assert_eq!(all(4), [11, 2, 6, 13]);
        assert_eq!(all(7), [0b101_1001, 0b001_1011]);
        assert_eq!(all(8), row);
    }
}
