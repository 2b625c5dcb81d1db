//! What a symbol says of a run: which voxel it is, and where it ends; some have numbers behind them.

/// From which number on a symbol is for it, and how many bits say which of them it is.
const RANGES: [(u32, u32); 8] = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 1), (6, 2), (10, 4), (26, 16)];
const OF_RANGES: usize = RANGES.len();

/// Which voxel a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Who {
    /// The likeliest ([`super::model::Known::first`]).
    First = 0,
    /// That behind.
    Behind = 1,
    /// Another: its place in the palette is coded.
    New = 2,
}

/// What the coded length is counted from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum From {
    /// The likeliest end.
    First = 0,
    /// The next likely.
    Other = 1,
    /// The end of the run behind.
    Behind = 2,
    /// The end of the run below.
    Below = 3,
    /// The run's beginning.
    Begin = 4,
}

/// What a symbol says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    pub who: Who,
    pub from: From,
    /// -1 if the coded length is subtracted, else 0: what one adds after all bits have been turned by it.
    pub sign: i8,
    /// Bits of the length that follow, and what is added to them.
    pub length_bits: u32,
    pub length_least: u16,
    /// Bits of the place in the palette that follow, and what is added to them.
    pub place_bits: u32,
    pub place_least: u16,
}

/// A symbol, less than [`COUNT`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Symbol(pub u8);

/// The likeliest voxel up to its likeliest end.
pub(super) const FIRST: Symbol = Symbol(0);
/// The likeliest voxel up to the next likely end.
pub(super) const OTHER: Symbol = Symbol(1);
/// The voxel behind up to the end of the run behind.
pub(super) const SECOND: Symbol = Symbol(2);
/// The likeliest voxel; shorter than to its end, by a range.
pub(super) const LESS: u8 = 3;
/// The likeliest voxel; longer.
pub(super) const MORE: u8 = LESS + OF_RANGES as u8;
/// The voxel behind; shorter.
pub(super) const SECOND_LESS: u8 = MORE + OF_RANGES as u8;
/// The voxel behind; longer.
pub(super) const SECOND_MORE: u8 = SECOND_LESS + OF_RANGES as u8;
/// Another voxel, by its range, up to the end of the run behind.
pub(super) const NEW_BEHIND: u8 = SECOND_MORE + OF_RANGES as u8;
/// Another voxel, up to the end of the run below.
pub(super) const NEW_BELOW: u8 = NEW_BEHIND + OF_RANGES as u8;
/// Another voxel, by its range and, eight times as fast, the length's.
pub(super) const NEW: u8 = NEW_BELOW + OF_RANGES as u8;
/// How many symbols there are.
pub(super) const COUNT: usize = NEW as usize + OF_RANGES * OF_RANGES;

/// The range of `number`, and what its bits say.
pub(super) fn range(number: u32) -> (u8, u32) {
    // The first begins at 0.
    let index = RANGES.iter().rposition(|(least, _)| *least <= number).unwrap_or(0);
    (index as u8, number - RANGES[index].0)
}

/// All meanings, filled up to a power of two so that no index is out of it.
static MEANINGS: [Meaning; 128] = meanings();

const fn meanings() -> [Meaning; 128] {
    const NOTHING: Meaning = Meaning {
        who: Who::First,
        from: From::First,
        sign: 0,
        length_bits: 0,
        length_least: 0,
        place_bits: 0,
        place_least: 0,
    };
    let mut all = [NOTHING; 128];
    all[OTHER.0 as usize].from = From::Other;
    all[SECOND.0 as usize] = Meaning { who: Who::Behind, from: From::Behind, ..NOTHING };
    let mut i = 0;
    while i < OF_RANGES {
        let (least, bits) = RANGES[i];
        // A run that ends where the other does has a symbol of its own: what is coded begins at 1.
        let shorter = Meaning { sign: -1, length_bits: bits, length_least: least as u16 + 1, ..NOTHING };
        let longer = Meaning { sign: 0, ..shorter };
        all[LESS as usize + i] = shorter;
        all[MORE as usize + i] = longer;
        all[SECOND_LESS as usize + i] = Meaning { who: Who::Behind, from: From::Behind, ..shorter };
        all[SECOND_MORE as usize + i] = Meaning { who: Who::Behind, from: From::Behind, ..longer };
        let new = Meaning { who: Who::New, place_bits: bits, place_least: least as u16, ..NOTHING };
        all[NEW_BEHIND as usize + i] = Meaning { from: From::Behind, ..new };
        all[NEW_BELOW as usize + i] = Meaning { from: From::Below, ..new };
        let mut k = 0;
        while k < OF_RANGES {
            let (least, bits) = RANGES[k];
            all[NEW as usize + OF_RANGES * i + k] =
                Meaning { from: From::Begin, length_bits: bits, length_least: least as u16 + 1, ..new };
            k += 1;
        }
        i += 1;
    }
    all
}

impl Symbol {
    #[inline(always)]
    pub(super) fn meaning(self) -> &'static Meaning {
        &MEANINGS[usize::from(self.0) % MEANINGS.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_meet() {
        for pair in RANGES.windows(2) {
            assert_eq!(pair[0].0 + (1 << pair[0].1), pair[1].0);
        }
        assert!(RANGES[OF_RANGES - 1].0 + (1 << 16) > 65535);
        for number in 0..65536 {
            let (index, bits) = range(number);
            let (least, width) = RANGES[usize::from(index)];
            assert!(bits < 1 << width && least + bits == number);
        }
        assert_eq!(COUNT, 115);
    }
}
