//! The decoder of single runs.
//!
//! One lookup of a [`DecodeEntry`] decodes nearly every run. Runs with long codes, escaped symbols
//! or large numbers are read field by field.

use super::context::{CONTEXTS, RELATIONS, Relation};
use super::decode_entry::DecodeEntry;
use super::error::PredictedError;
use super::model::RunNeighbours;
use super::prefix::{CODES, ESCAPE, ESCAPED_BITS, MAX_CODE_BITS, PrefixCode, PrefixCodes};
use super::symbols::{COUNT, Symbol};
use std::sync::LazyLock;

/// Maximum length of a code that has a [`DecodeEntry`].
const SHORT_BITS: u32 = 8;

/// Palette index of an invalid escaped symbol; out of range for every palette.
const INVALID_INDEX: u32 = u32::MAX;

/// Lookup tables of the decoder.
struct DecodeTables {
    /// Decode entries by relation and next bits. They take 96 KiB, of which a chunk uses a part
    /// that stays in the L1 cache.
    entries: Box<[DecodeEntry; RELATIONS << SHORT_BITS]>,
    /// Symbol or escape, and the length of its code in bits, by context and next bits.
    symbols: Box<[(u8, u8); CONTEXTS << MAX_CODE_BITS]>,
}

static TABLES: LazyLock<DecodeTables> = LazyLock::new(|| DecodeTables::new(&CODES));

impl DecodeTables {
    fn new(codes: &PrefixCodes) -> DecodeTables {
        let mut symbols = vec![(0, 0); CONTEXTS << MAX_CODE_BITS];
        for PrefixCode { context, symbol, code, bits } in codes.all() {
            let row = &mut symbols[context.0 << MAX_CODE_BITS..][..1 << MAX_CODE_BITS];
            row[code as usize..]
                .iter_mut()
                .step_by(1 << bits)
                .for_each(|entry| *entry = (symbol as u8, bits as u8));
        }
        let entry = |index: usize| {
            let context = Relation(index >> SHORT_BITS).context();
            let (symbol, bits) =
                symbols[(context.0 << MAX_CODE_BITS) | (index % (1 << SHORT_BITS))];
            let short = u32::from(bits) <= SHORT_BITS && usize::from(symbol) != ESCAPE;
            short
                .then(|| DecodeEntry::new(context, bits.into(), Symbol(symbol)))
                .flatten()
                .unwrap_or(DecodeEntry::NONE)
        };
        let entries: Box<[DecodeEntry]> = (0..RELATIONS << SHORT_BITS).map(entry).collect();
        // Both slices are built with exactly these lengths.
        DecodeTables {
            entries: entries.try_into().expect("one entry per relation and bits"),
            symbols: symbols
                .into_boxed_slice()
                .try_into()
                .expect("one symbol per context and bits"),
        }
    }

    /// Decodes a run that has no [`DecodeEntry`]. Returns the number of bits read, the palette
    /// index and the end of the run.
    #[cold]
    #[inline(never)]
    fn rare(&self, neighbours: RunNeighbours, bits: u64) -> (usize, u32, u32) {
        let (mut symbol, code) = self.symbols
            [(neighbours.context().0 << MAX_CODE_BITS) | (bits as usize % (1 << MAX_CODE_BITS))];
        let mut read = u32::from(code);
        if usize::from(symbol) == ESCAPE {
            symbol = (bits >> read) as u8 % (1 << ESCAPED_BITS);
            read += ESCAPED_BITS;
            if usize::from(symbol) >= COUNT {
                return (read as usize, INVALID_INDEX, 0);
            }
        }
        let symbol = Symbol(symbol);
        let (voxel, end) = neighbours.run(symbol, bits >> read);
        let meaning = symbol.meaning();
        ((read + meaning.length_bits + meaning.index_bits) as usize, voxel, end)
    }
}

/// Reader of runs. Past the last bit it reads zeros; [`RunReader::finish`] reports that as an
/// error.
pub(super) struct RunReader<'a> {
    tables: &'static DecodeTables,
    bytes: &'a [u8],
    /// Bits read so far.
    at: usize,
}

impl RunReader<'_> {
    pub(super) fn new(bytes: &[u8]) -> RunReader<'_> {
        RunReader { tables: &TABLES, bytes, at: 0 }
    }

    /// Reads the palette index and the end of the next run, both unchecked.
    #[inline(always)]
    pub(super) fn run(&mut self, neighbours: &RunNeighbours, first_layer: bool) -> (u32, u32) {
        let bits = self.bits();
        let index = (neighbours.relation(first_layer).0 << SHORT_BITS)
            | (bits as usize % (1 << SHORT_BITS));
        let entry = &self.tables.entries[index % (RELATIONS << SHORT_BITS)];
        if entry.read == 0 {
            let (read, voxel, end) = self.tables.rare(*neighbours, bits);
            self.at += read;
            return (voxel, end);
        }
        self.at += usize::from(entry.read);
        entry.run(neighbours, bits)
    }

    /// Returns the next bits; at least 57 are valid.
    #[inline(always)]
    fn bits(&self) -> u64 {
        let at = self.at / 8;
        let eight = match self.bytes.get(at..at + 8).and_then(|eight| eight.first_chunk()) {
            Some(eight) => *eight,
            None => last_eight(self.bytes, at),
        };
        u64::from_le_bytes(eight) >> (self.at % 8)
    }

    /// Checks that exactly the available bits were read. `offset` is the position of the runs in
    /// the encoded chunk.
    pub(super) fn finish(&self, offset: usize) -> Result<(), PredictedError> {
        let used = self.at;
        let available = self.bytes.len() * 8;
        if used > available {
            return Err(PredictedError::Truncated { at: offset + self.bytes.len() });
        }
        let rest = self.bytes[used / 8..].iter().enumerate();
        let rest: u32 =
            rest.map(|(i, &byte)| u32::from(if i == 0 { byte >> (used % 8) } else { byte })).sum();
        if available - used >= 8 || rest != 0 {
            return Err(PredictedError::Trailing { at: offset + used / 8, bit: used % 8 });
        }
        Ok(())
    }
}

/// Returns the bytes from `at`, padded with zeros.
#[cold]
fn last_eight(bytes: &[u8], at: usize) -> [u8; 8] {
    let mut eight = [0; 8];
    let rest = bytes.get(at..).unwrap_or_default();
    eight[..rest.len()].copy_from_slice(rest);
    eight
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Neighbours in every possible relation.
    fn all_neighbours() -> impl Iterator<Item = RunNeighbours> {
        let voxels = [0, 5, 9];
        let neighbours =
            voxels.into_iter().flat_map(move |behind| voxels.map(|below| (behind, below)));
        let ends = [(3000, 3010), (3010, 3010), (3030, 3010)];
        neighbours.flat_map(move |(behind, below)| {
            ends.into_iter().flat_map(move |(behind_ends, below_ends)| {
                [0, 5].map(|last| RunNeighbours {
                    last,
                    begin: 2990,
                    behind,
                    behind_ends,
                    below,
                    below_ends,
                })
            })
        })
    }

    #[test]
    fn decode_entries_match_field_by_field_decoding() {
        let mut random = Random::new(1);
        let mut seen = rustc_hash::FxHashSet::default();
        for neighbours in all_neighbours() {
            assert_eq!(neighbours.relation(true), neighbours.relation(false));
            let row = neighbours.relation(false).0 << SHORT_BITS;
            for next in 0..1 << SHORT_BITS {
                let bits = (random.draw() >> 20 << SHORT_BITS) | next as u64;
                let (read, voxel, end) = TABLES.rare(neighbours, bits);
                let entry = &TABLES.entries[row | next];
                if entry.read != 0 {
                    assert_eq!(
                        (entry.read.into(), entry.run(&neighbours, bits)),
                        (read, (voxel, end)),
                        "{neighbours:?}: {bits:b}"
                    );
                    seen.insert(neighbours.relation(false).0);
                }
            }
        }
        // Exactly one possible relation per context.
        assert_eq!(seen.len(), CONTEXTS);
    }

    #[test]
    fn invalid_escaped_symbols_give_invalid_index() {
        for neighbours in all_neighbours() {
            let context = neighbours.relation(false).context();
            let escape = CODES.all().find(|code| code.context == context && code.symbol == ESCAPE);
            let PrefixCode { code, bits, .. } = escape.unwrap();
            let index = |number: usize| {
                TABLES.rare(neighbours, u64::from(code) | (number as u64) << bits).1
            };
            assert!((0..COUNT).all(|number| index(number) != INVALID_INDEX), "{neighbours:?}");
            assert!(
                (COUNT..1 << ESCAPED_BITS).all(|number| index(number) == INVALID_INDEX),
                "{neighbours:?}"
            );
        }
    }

    #[test]
    fn zeros_follow_last_bit_and_finish_reports_them() {
        let bytes = [0xff; 9];
        let at = |at: usize| RunReader { tables: &TABLES, bytes: &bytes, at }.bits();
        assert_eq!(
            [at(0), at(8), at(9), at(70), at(72), at(900)],
            [u64::MAX, u64::MAX, u64::MAX >> 1, 3, 0, 0]
        );
        let finish = |at: usize| RunReader { tables: &TABLES, bytes: &[0, 0x10], at }.finish(5);
        assert_eq!(finish(17), Err(PredictedError::Truncated { at: 7 }));
        assert_eq!(finish(8), Err(PredictedError::Trailing { at: 6, bit: 0 }));
        assert_eq!(finish(12), Err(PredictedError::Trailing { at: 6, bit: 4 }));
        assert_eq!(finish(13), Ok(()));
    }
}
