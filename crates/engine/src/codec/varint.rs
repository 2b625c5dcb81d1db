//! LEB128 varints: unsigned integers in groups of seven bits, the lowest group first.
//!
//! Bit 7 of each byte is set if another byte follows. A reader limits the number of bytes, so a
//! malformed stream ends in an error after a few reads. Padded forms (`80 00` for 0) are accepted
//! within that limit.

/// A varint that cannot be read.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum VarintError<E> {
    /// The byte source failed.
    #[error("{0}")]
    Source(E),
    /// The last permitted byte announces another one.
    #[error("a varint is longer than {max_bytes} bytes")]
    TooLong {
        /// Limit of the reader.
        max_bytes: usize,
    },
    /// The value does not fit into 32 bits.
    #[error("the varint {value} does not fit into 32 bits")]
    TooLarge {
        /// Value that was read.
        value: u64,
    },
}

/// Appends `value` in the shortest form, 1 to 5 bytes.
pub fn push(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads a varint of at most `MAX_BYTES` bytes (up to 9) from `next_byte`.
///
/// # Errors
/// The source fails, the varint is too long, or its value exceeds `u32::MAX`.
#[inline]
pub fn read<const MAX_BYTES: usize, E>(
    mut next_byte: impl FnMut() -> Result<u8, E>,
) -> Result<u32, VarintError<E>> {
    const { assert!(MAX_BYTES <= 9, "63 bits fit into the accumulator") };
    let mut value = 0u64;
    for index in 0..MAX_BYTES {
        let byte = next_byte().map_err(VarintError::Source)?;
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return u32::try_from(value).map_err(|_| VarintError::TooLarge { value });
        }
    }
    Err(VarintError::TooLong { max_bytes: MAX_BYTES })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all<const MAX_BYTES: usize>(bytes: &[u8]) -> Result<u32, VarintError<&'static str>> {
        let mut bytes = bytes.iter().copied();
        read::<MAX_BYTES, _>(|| bytes.next().ok_or("end"))
    }

    #[test]
    fn pushed_values_read_back() {
        for value in (0..32).flat_map(|bit| [(1u32 << bit) - 1, 1 << bit]).chain([u32::MAX]) {
            let mut bytes = Vec::new();
            push(&mut bytes, value);
            assert_eq!(read_all::<5>(&bytes), Ok(value));
            let bits = 32 - value.leading_zeros();
            assert_eq!(
                bytes.len(),
                bits.div_ceil(7).max(1) as usize,
                "{value} is in its shortest form"
            );
        }
    }

    #[test]
    fn malformed_varints_are_rejected() {
        assert_eq!(read_all::<3>(&[]), Err(VarintError::Source("end")));
        assert_eq!(read_all::<3>(&[0x80, 0x80]), Err(VarintError::Source("end")));
        assert_eq!(
            read_all::<3>(&[0xff, 0xff, 0xff, 1]),
            Err(VarintError::TooLong { max_bytes: 3 })
        );
        assert_eq!(read_all::<3>(&[0x80, 0x80, 0]), Ok(0), "padding is accepted");
        let value = u64::from(u32::MAX) + 1;
        assert_eq!(
            read_all::<5>(&[0x80, 0x80, 0x80, 0x80, 0x10]),
            Err(VarintError::TooLarge { value })
        );
    }
}
