//! Sets of places or cells, a bit for each, in words of 64.

/// True if `index` is in the set; one beyond its end is not.
#[must_use]
#[inline]
pub fn has(bits: &[u64], index: usize) -> bool {
    bits.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
}

/// Takes `index` out of the set. Panics if it is beyond its end.
#[inline]
pub fn take(bits: &mut [u64], index: usize) {
    bits[index / 64] &= !(1 << (index % 64));
}

/// An empty set of numbers below `end`.
#[must_use]
pub fn none(end: usize) -> Vec<u64> {
    vec![0; end.div_ceil(64)]
}

/// Puts `index` into the set; true if it was not there. Panics if it is beyond its end.
#[inline]
pub fn put(bits: &mut [u64], index: usize) -> bool {
    let word = &mut bits[index / 64];
    let is_new = *word >> (index % 64) & 1 == 0;
    *word |= 1 << (index % 64);
    is_new
}

/// How many there are.
#[must_use]
pub fn count(bits: &[u64]) -> u64 {
    bits.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// How many of `bits` are not in `others`.
#[must_use]
pub fn beyond(bits: &[u64], others: &[u64]) -> u64 {
    let others = others.iter().chain(std::iter::repeat(&0));
    bits.iter().zip(others).map(|(word, other)| u64::from((word & !other).count_ones())).sum()
}

/// All in the set, in order.
#[inline]
pub fn members(bits: &[u64]) -> impl Iterator<Item = usize> {
    bits.iter().enumerate().flat_map(|(i, &word)| {
        std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)))
            .take_while(|word| *word != 0)
            .map(move |word| i * 64 + word.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_a_set() {
        let mut bits = none(201);
        for index in [3, 64, 200, 63, 3] {
            let was = has(&bits, index);
            assert_eq!(put(&mut bits, index), !was);
        }
        assert_eq!(members(&bits).collect::<Vec<_>>(), [3, 63, 64, 200]);
        assert_eq!((count(&bits), has(&bits, 65), has(&bits, 1 << 30)), (4, false, false));
        assert_eq!((beyond(&bits, &[8]), beyond(&[9], &bits), beyond(&bits, &bits)), (3, 1, 0));
        take(&mut bits, 63);
        assert_eq!(members(&bits).collect::<Vec<_>>(), [3, 64, 200]);
    }
}
