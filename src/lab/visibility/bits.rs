//! Sets of numbers as bits, as visibility gives them.

/// True if `index` is in the set; one beyond its end is not.
#[must_use]
#[inline]
pub fn has(bits: &[u64], index: usize) -> bool {
    bits.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
}

/// Puts `index` into the set, which grows as need be; true if it was not there.
#[inline]
pub fn put(bits: &mut Vec<u64>, index: usize) -> bool {
    if bits.len() <= index / 64 {
        bits.resize(index / 64 + 1, 0);
    }
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
pub fn members(bits: &[u64]) -> impl Iterator<Item = usize> {
    let of_word = |word: u64| (0..64).filter(move |bit| word >> bit & 1 == 1);
    bits.iter().enumerate().flat_map(move |(i, &word)| of_word(word).map(move |bit| i * 64 + bit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_a_set() {
        let mut bits = Vec::new();
        for index in [3, 64, 200, 63, 3] {
            let was = has(&bits, index);
            assert_eq!(put(&mut bits, index), !was);
        }
        assert_eq!(members(&bits).collect::<Vec<_>>(), [3, 63, 64, 200]);
        assert_eq!((count(&bits), has(&bits, 65), has(&bits, 1 << 30)), (4, false, false));
        assert_eq!((beyond(&bits, &[8]), beyond(&[9], &bits), beyond(&bits, &bits)), (3, 1, 0));
    }
}
