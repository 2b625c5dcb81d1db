//! Iteration over the set bits of words.

/// Iterator over the positions of the set bits of a word, lowest first.
#[derive(Clone, Debug)]
pub struct SetBits<W>(W);

/// Iterates over the positions of the set bits of `word`, a `u8`, `u32`, `u64` or `u128`, lowest
/// first.
///
/// As fast as a hand-written loop: one count of trailing zeros, one subtraction and one AND per
/// bit.
#[inline(always)]
#[must_use]
pub fn set_bits<W>(word: W) -> SetBits<W>
where
    SetBits<W>: Iterator<Item = u32>,
{
    SetBits(word)
}

macro_rules! iterate {
    ($($word:ty),*) => {$(
        impl Iterator for SetBits<$word> {
            type Item = u32;

            #[inline(always)]
            fn next(&mut self) -> Option<u32> {
                if self.0 == 0 {
                    return None;
                }
                let bit = self.0.trailing_zeros();
                self.0 &= self.0 - 1;
                Some(bit)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                let count = self.0.count_ones() as usize;
                (count, Some(count))
            }
        }
    )*};
}

iterate!(u8, u32, u64, u128);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_bits_ascend_and_are_all() {
        assert_eq!(set_bits(0u32).next(), None);
        assert_eq!(set_bits(1u32 << 31 | 5).collect::<Vec<_>>(), [0, 2, 31]);
        assert_eq!(set_bits(u64::MAX).collect::<Vec<_>>(), (0..64).collect::<Vec<_>>());
        assert_eq!(set_bits(1u128 << 127 | 1 << 64).collect::<Vec<_>>(), [64, 127]);
        assert_eq!(set_bits(0b1011u32).size_hint(), (3, Some(3)));
    }
}
