//! Reads runs from their bits.
//!
//! Nearly all runs are one look-up, of a [`Step`]. Those of long codes, of symbols too rare for one and of large numbers are
//! read as the format has it, one thing after the other.

use super::context::{CONTEXTS, RELATIONS, Relation};
use super::model::Known;
use super::prefix::{CODES, Codes, ESCAPE, LONGEST, PLAIN};
use super::step::Step;
use super::symbols::{COUNT, Symbol};
use std::sync::LazyLock;

/// Codes of up to so many bits have steps.
const SHORT: u32 = 8;

/// The place of no voxel in any palette: what a number that no symbol has gives.
const NO_PLACE: u32 = u32::MAX;

/// What runs are looked up in.
struct Tables {
    /// By the relation and the bits that come next. 96 KiB, of which a chunk uses a part that stays in the nearest cache.
    steps: Box<[Step; RELATIONS << SHORT]>,
    /// By the context and the bits that come next: the symbol, or the escape, and the bits of its code.
    symbols: Box<[(u8, u8); CONTEXTS << LONGEST]>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables::new(&CODES));

impl Tables {
    fn new(codes: &Codes) -> Tables {
        let mut symbols = vec![(0, 0); CONTEXTS << LONGEST];
        for (context, symbol, code, bits) in codes.all() {
            let row = &mut symbols[context.0 << LONGEST..][..1 << LONGEST];
            row[code as usize..].iter_mut().step_by(1 << bits).for_each(|entry| *entry = (symbol as u8, bits as u8));
        }
        let step = |place: usize| {
            let context = Relation(place >> SHORT).context();
            let (symbol, bits) = symbols[(context.0 << LONGEST) | (place % (1 << SHORT))];
            let short = u32::from(bits) <= SHORT && usize::from(symbol) != ESCAPE;
            short.then(|| Step::new(context, bits.into(), Symbol(symbol))).flatten().unwrap_or(Step::NONE)
        };
        let steps: Box<[Step]> = (0..RELATIONS << SHORT).map(step).collect();
        // Both lengths are right by construction.
        Tables {
            steps: steps.try_into().expect("so many"),
            symbols: symbols.into_boxed_slice().try_into().expect("so many"),
        }
    }

    /// A run whose bits have no step: how many they are, its place in the palette, and its end.
    #[cold]
    #[inline(never)]
    fn rare(&self, known: Known, bits: u64) -> (usize, u32, u32) {
        let (mut symbol, code) = self.symbols[(known.context().0 << LONGEST) | (bits as usize % (1 << LONGEST))];
        let mut read = u32::from(code);
        if usize::from(symbol) == ESCAPE {
            symbol = (bits >> read) as u8 % (1 << PLAIN);
            read += PLAIN;
            if usize::from(symbol) >= COUNT {
                return (read as usize, NO_PLACE, 0);
            }
        }
        let symbol = Symbol(symbol);
        let (voxel, end) = known.run(symbol, bits >> read);
        let of = symbol.meaning();
        ((read + of.length_bits + of.place_bits) as usize, voxel, end)
    }
}

/// Reads runs. Behind the last bit there are zeros without end; [`Reader::finish`] tells.
pub(super) struct Reader<'a> {
    tables: &'static Tables,
    bytes: &'a [u8],
    /// The next bit.
    at: usize,
}

impl Reader<'_> {
    pub(super) fn new(bytes: &[u8]) -> Reader<'_> {
        Reader { tables: &TABLES, bytes, at: 0 }
    }

    /// The next run: its place in the palette and its end. Neither is proven yet.
    #[inline(always)]
    pub(super) fn run(&mut self, known: &Known, first_layer: bool) -> (u32, u32) {
        let bits = self.bits();
        let place = (known.relation(first_layer).0 << SHORT) | (bits as usize % (1 << SHORT));
        let step = &self.tables.steps[place % (RELATIONS << SHORT)];
        if step.read == 0 {
            let (read, voxel, end) = self.tables.rare(*known, bits);
            self.at += read;
            return (voxel, end);
        }
        self.at += usize::from(step.read);
        step.run(known, bits)
    }

    /// The bits that come next, 57 of them at least.
    #[inline(always)]
    fn bits(&self) -> u64 {
        let at = self.at / 8;
        let eight = match self.bytes.get(at..at + 8).and_then(|eight| eight.first_chunk()) {
            Some(eight) => *eight,
            None => last_eight(self.bytes, at),
        };
        u64::from_le_bytes(eight) >> (self.at % 8)
    }

    /// Makes sure that all was read, and no more.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn finish(&self) -> Result<(), String> {
        let (used, there) = (self.at, self.bytes.len() * 8);
        if used > there {
            return Err("the data ends too early".to_owned());
        }
        let rest = self.bytes[used / 8..].iter().enumerate();
        let rest: u32 = rest.map(|(i, &byte)| u32::from(if i == 0 { byte >> (used % 8) } else { byte })).sum();
        if there - used >= 8 || rest != 0 {
            return Err(format!("bits follow after the last voxel, from bit {used} on"));
        }
        Ok(())
    }
}

/// The bytes from `at` on, and zeros.
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

    /// What is known of runs whose neighbours relate in all ways there are.
    fn all_known() -> impl Iterator<Item = Known> {
        let voxels = [0, 5, 9];
        let neighbours = voxels.into_iter().flat_map(move |behind| voxels.map(|below| (behind, below)));
        let ends = [(3000, 3010), (3010, 3010), (3030, 3010)];
        neighbours.flat_map(move |(behind, below)| {
            ends.into_iter().flat_map(move |(behind_ends, below_ends)| {
                [0, 5].map(|last| Known { last, begin: 2990, behind, behind_ends, below, below_ends })
            })
        })
    }

    #[test]
    fn a_step_says_what_the_format_says() {
        let (mut random, mut seen) = (1u64, rustc_hash::FxHashSet::default());
        for known in all_known() {
            assert_eq!(known.relation(true), known.relation(false));
            let row = known.relation(false).0 << SHORT;
            for next in 0..1 << SHORT {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
                let bits = (random >> 20 << SHORT) | next as u64;
                let (read, voxel, end) = TABLES.rare(known, bits);
                let step = &TABLES.steps[row | next];
                if step.read != 0 {
                    assert_eq!((step.read.into(), step.run(&known, bits)), (read, (voxel, end)), "{known:?}: {bits:b}");
                    seen.insert(known.relation(false).0);
                }
            }
        }
        // Of the 48 relations those that can be, each in another context.
        assert_eq!(seen.len(), CONTEXTS);
    }

    #[test]
    fn numbers_that_no_symbol_has_give_no_voxel() {
        for known in all_known() {
            let context = known.relation(false).context();
            let escape = CODES.all().find(|(of, symbol, ..)| of.0 == context.0 && *symbol == ESCAPE);
            let (_, _, code, length) = escape.unwrap();
            let place = |number: usize| TABLES.rare(known, u64::from(code) | (number as u64) << length).1;
            assert!((0..COUNT).all(|number| place(number) != NO_PLACE), "{known:?}");
            assert!((COUNT..1 << PLAIN).all(|number| place(number) == NO_PLACE), "{known:?}");
        }
    }

    #[test]
    fn behind_the_last_bit_there_are_zeros() {
        let bytes = [0xff; 9];
        let at = |at: usize| Reader { tables: &TABLES, bytes: &bytes, at }.bits();
        assert_eq!([at(0), at(8), at(9), at(70), at(72), at(900)], [u64::MAX, u64::MAX, u64::MAX >> 1, 3, 0, 0]);
        let finish = |at: usize| Reader { tables: &TABLES, bytes: &[0, 0x10], at }.finish();
        assert!(finish(17).is_err_and(|e| e.contains("too early")));
        assert!(finish(8).is_err_and(|e| e.contains("bits follow")));
        assert!(finish(12).is_err_and(|e| e.contains("bits follow")));
        assert_eq!(finish(13), Ok(()));
    }
}
