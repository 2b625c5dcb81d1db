//! Symbols, each of which codes the voxel and the end of a run. Numbers follow some symbols.

/// Ranges of numbers: the first number of a range, and the number of bits for an offset in it.
const RANGES: [(u32, u32); 8] = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 1), (6, 2), (10, 4), (26, 16)];
const RANGE_COUNT: usize = RANGES.len();

/// Source of the voxel of a run. The neighbour *behind* is 32 voxels before the run's start, the
/// neighbour *below* a layer before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum VoxelSource {
    /// The likeliest voxel ([`super::context::Context::first_is_below`]).
    First = 0,
    /// The voxel of the neighbour behind.
    Behind = 1,
    /// The palette index that follows.
    New = 2,
}

/// Position from which the coded length counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum EndSource {
    /// The likeliest end.
    First = 0,
    /// The end of the run of the other of the two neighbours.
    Other = 1,
    /// The end of the run behind.
    Behind = 2,
    /// The end of the run below.
    Below = 3,
    /// The start of the run.
    Begin = 4,
}

/// Meaning of a symbol: the sources of voxel and end of its run, and the numbers that follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SymbolMeaning {
    pub voxel: VoxelSource,
    pub end: EndSource,
    /// -1 if the coded length is subtracted, else 0.
    pub sign: i8,
    /// Number of bits of the length, which follow the symbol's code.
    pub(crate) length_bits: u32,
    /// Number added to the bits of the length.
    pub(crate) length_min: u16,
    /// Number of bits of the palette index, which follow the length.
    pub index_bits: u32,
    /// Number added to the bits of the palette index.
    pub(crate) index_min: u16,
}

/// A symbol, below [`COUNT`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Symbol(pub u8);

/// The likeliest voxel, up to the likeliest end.
pub(super) const FIRST: Symbol = Symbol(0);
/// The likeliest voxel, up to the end of the other neighbour's run.
pub(super) const OTHER: Symbol = Symbol(1);
/// The voxel behind, up to the end of the run behind.
pub(super) const SECOND: Symbol = Symbol(2);
/// First of the symbols for a run of the likeliest voxel that ends before the likeliest end: one
/// per range ([`RANGES`]) of the distance between the two ends.
pub(super) const LESS: u8 = 3;
/// First of the symbols for a run of the likeliest voxel that ends after the likeliest end: one per
/// range of the distance.
pub(super) const MORE: u8 = LESS + RANGE_COUNT as u8;
/// First of the symbols for a run of the voxel behind that ends before the run behind: one per
/// range of the distance.
pub(super) const SECOND_LESS: u8 = MORE + RANGE_COUNT as u8;
/// First of the symbols for a run of the voxel behind that ends after the run behind: one per range
/// of the distance.
pub(super) const SECOND_MORE: u8 = SECOND_LESS + RANGE_COUNT as u8;
/// First of the symbols for a voxel by its palette index, up to the end of the run behind: one per
/// range of the index.
pub(super) const NEW_BEHIND: u8 = SECOND_MORE + RANGE_COUNT as u8;
/// First of the symbols for a voxel by its palette index, up to the end of the run below: one per
/// range of the index.
pub(super) const NEW_BELOW: u8 = NEW_BEHIND + RANGE_COUNT as u8;
/// First of the symbols for a voxel by its palette index and a run by its length: one per pair of
/// ranges, in the order 8 * range of the index + range of the length.
pub(super) const NEW: u8 = NEW_BELOW + RANGE_COUNT as u8;
/// Number of symbols.
pub(super) const COUNT: usize = NEW as usize + RANGE_COUNT * RANGE_COUNT;

/// Returns the index of the range of `number`, and the offset of `number` in that range.
pub(super) fn range(number: u32) -> (u8, u32) {
    // The first range starts at 0.
    let index = RANGES.iter().rposition(|(least, _)| *least <= number).unwrap_or(0);
    (index as u8, number - RANGES[index].0)
}

/// Meaning of each symbol, padded to a power of two so a masked index is never out of bounds.
static MEANINGS: [SymbolMeaning; 128] = meanings();

const fn meanings() -> [SymbolMeaning; 128] {
    const NOTHING: SymbolMeaning = SymbolMeaning {
        voxel: VoxelSource::First,
        end: EndSource::First,
        sign: 0,
        length_bits: 0,
        length_min: 0,
        index_bits: 0,
        index_min: 0,
    };
    let mut all = [NOTHING; 128];
    all[OTHER.0 as usize].end = EndSource::Other;
    all[SECOND.0 as usize] =
        SymbolMeaning { voxel: VoxelSource::Behind, end: EndSource::Behind, ..NOTHING };
    let mut i = 0;
    while i < RANGE_COUNT {
        let (least, bits) = RANGES[i];
        // An equal end has a symbol of its own, so coded differences start at 1.
        let shorter =
            SymbolMeaning { sign: -1, length_bits: bits, length_min: least as u16 + 1, ..NOTHING };
        let longer = SymbolMeaning { sign: 0, ..shorter };
        all[LESS as usize + i] = shorter;
        all[MORE as usize + i] = longer;
        all[SECOND_LESS as usize + i] =
            SymbolMeaning { voxel: VoxelSource::Behind, end: EndSource::Behind, ..shorter };
        all[SECOND_MORE as usize + i] =
            SymbolMeaning { voxel: VoxelSource::Behind, end: EndSource::Behind, ..longer };
        let new = SymbolMeaning {
            voxel: VoxelSource::New,
            index_bits: bits,
            index_min: least as u16,
            ..NOTHING
        };
        all[NEW_BEHIND as usize + i] = SymbolMeaning { end: EndSource::Behind, ..new };
        all[NEW_BELOW as usize + i] = SymbolMeaning { end: EndSource::Below, ..new };
        let mut k = 0;
        while k < RANGE_COUNT {
            let (least, bits) = RANGES[k];
            all[NEW as usize + RANGE_COUNT * i + k] = SymbolMeaning {
                end: EndSource::Begin,
                length_bits: bits,
                length_min: least as u16 + 1,
                ..new
            };
            k += 1;
        }
        i += 1;
    }
    all
}

impl Symbol {
    #[inline(always)]
    pub(super) fn meaning(self) -> &'static SymbolMeaning {
        &MEANINGS[usize::from(self.0) % MEANINGS.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_contiguous() {
        for pair in RANGES.windows(2) {
            assert_eq!(pair[0].0 + (1 << pair[0].1), pair[1].0);
        }
        assert!(RANGES[RANGE_COUNT - 1].0 + (1 << 16) > 65535);
        for number in 0..65536 {
            let (index, bits) = range(number);
            let (least, width) = RANGES[usize::from(index)];
            assert!(bits < 1 << width && least + bits == number);
        }
        assert_eq!(COUNT, 115);
    }
}
