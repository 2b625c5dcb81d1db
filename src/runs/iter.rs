//! Walking the runs of a chunk.

use super::Run;
use super::packed::PackedRef;
use super::table::{BLOCK, TableRef};
use super::tree::Repr;
use crate::voxel::Voxel;
use std::ops::Range;

/// Walks runs in linear order. Made by [`super::RunTree::runs`] and [`super::RunTree::runs_in`].
#[derive(Clone)]
pub struct Runs<'a> {
    source: Cursor<'a>,
    /// Linear index of the next voxel, and the one to stop before.
    at: usize,
    end: usize,
}

#[derive(Clone)]
enum Cursor<'a> {
    Uniform(Voxel),
    Table {
        view: TableRef<'a>,
        /// The number of the next run, and the block it starts in or a later one.
        run: usize,
        block: usize,
    },
    Packed(PackedRef<'a>),
}

impl<'a> Runs<'a> {
    pub(super) fn new(form: &'a Repr, range: Range<usize>) -> Runs<'a> {
        let source = match form {
            Repr::Uniform(voxel) => Cursor::Uniform(*voxel),
            Repr::Table(table) => {
                let view = TableRef::new(table);
                // An empty range may lie past the end.
                let run = if range.is_empty() { 0 } else { view.find(range.start) };
                Cursor::Table { view, run, block: range.start / BLOCK }
            }
            Repr::Packed(bytes) => Cursor::Packed(PackedRef::new(bytes)),
        };
        Runs { source, at: range.start, end: range.end }
    }
}

impl Iterator for Runs<'_> {
    type Item = Run;

    #[inline]
    fn next(&mut self) -> Option<Run> {
        if self.at >= self.end {
            return None;
        }
        let start = self.at;
        let voxel = match &mut self.source {
            Cursor::Uniform(voxel) => {
                self.at = self.end;
                *voxel
            }
            Cursor::Table { view, run, block } => {
                let voxel = view.voxel(view.code(*run));
                *run += 1;
                self.at = self.end.min(view.start_from(*run, block));
                voxel
            }
            Cursor::Packed(packed) => {
                let (end, code) = packed.run_from(start);
                self.at = self.end.min(end);
                packed.voxel(code)
            }
        };
        Some(Run { start: start as u32, len: (self.at - start) as u32, voxel })
    }

    /// The same in one loop, which need not ask each time what form the tree has.
    #[inline]
    fn fold<B, F: FnMut(B, Run) -> B>(self, init: B, mut f: F) -> B {
        match self.source {
            Cursor::Table { view, run, .. } if self.at + BLOCK < self.end => {
                walk(view, run, self.at..self.end, init, f)
            }
            Cursor::Packed(packed) => {
                let mut folded = Some(init);
                packed.for_each(self.at..self.end, |start, end, code| {
                    let run = Run { start: start as u32, len: (end - start) as u32, voxel: packed.voxel(code) };
                    // There always is one.
                    folded = folded.take().map(|before| f(before, run));
                });
                folded.expect("it is put back each time")
            }
            _ => {
                let mut folded = init;
                for run in self {
                    folded = f(folded, run);
                }
                folded
            }
        }
    }
}

/// Runs of which [`walk`] finds the ends before it hands them on.
const PART: usize = 64;

/// Folds the runs of `range`, which is not empty, from the one with the number `first` on.
///
/// A run ends where the next one starts; the table has the low byte of that, and the block has to be found. To ask at
/// each run whether a block ends there is slow: no processor could foretell the answers. So first each block is noted at
/// the run that starts first in it; then the block of a run is the last one noted so far.
#[inline]
fn walk<B>(view: TableRef<'_>, first: usize, range: Range<usize>, init: B, mut f: impl FnMut(B, Run) -> B) -> B {
    let (palette, pairs) = (view.palette(), view.pairs());
    let (runs, mut nexts) = (&pairs[first..=view.find(range.end - 1)], &pairs[first + 1..]);
    // From the block in which the walk begins, where the runs of each end, counted from the first run's successor on.
    let blocks = &view.block_ends()[range.start / BLOCK..=(range.end - 1) / BLOCK];
    let mut blocks = blocks
        .iter()
        .map(|&end| usize::from(end) - 2 * palette.len() - first - 1)
        .zip(range.start / BLOCK + 1..)
        .peekable();
    let (mut folded, mut at, mut block) = (init, range.start as u32, (range.start / BLOCK) as u8);
    let mut ends = [0; PART];
    for (i, part) in runs.chunks(PART).enumerate() {
        let mut noted = [0; PART];
        while let Some((place, block)) = blocks.next_if(|(place, _)| *place < (i + 1) * PART) {
            noted[place % PART] = block as u8;
        }
        for ((end, &next), &noted) in ends.iter_mut().zip(nexts).zip(&noted) {
            block = block.max(noted);
            *end = u16::from(block) << 8 | next & 0xFF;
        }
        nexts = nexts.get(PART..).unwrap_or_default();
        if (i + 1) * PART >= runs.len() {
            ends[part.len() - 1] = range.end as u16;
        }
        for (&pair, &end) in part.iter().zip(&ends) {
            let (start, voxel) = (at, Voxel::from_words(palette[usize::from(pair >> 8)]));
            at = end.into();
            folded = f(folded, Run { start, len: at - start, voxel });
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use crate::runs::{Run, RunTree};
    use crate::voxel::{CHUNK_VOLUME, Voxel};

    /// A walk in one go finds what a walk step by step finds.
    #[test]
    fn a_fold_is_the_same_walk() {
        let mut state = 5u64;
        let mut draw = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            (state >> 33) as usize % n
        };
        for longest in [1, 2, 20, 40, 100, 255, 256, 257, 600, 5000, 40_000] {
            let mut left = CHUNK_VOLUME;
            let lens = std::iter::from_fn(|| {
                let len = (1 + draw(longest)).min(left);
                left -= len;
                (len > 0).then_some(len as u32)
            });
            let lens: Vec<u32> = lens.collect();
            let tree = RunTree::from_runs(lens.into_iter().zip([1, 2, 3].into_iter().cycle().map(Voxel::full)));
            for _ in 0..200 {
                let (a, most) = (draw(CHUNK_VOLUME + 1), [20, 300, CHUNK_VOLUME][draw(3)]);
                let b = draw(most);
                for range in [a..(a + b).min(CHUNK_VOLUME), a / 256 * 256..CHUNK_VOLUME, 0..a] {
                    let mut folded: Vec<Run> = Vec::new();
                    tree.runs_in(range.clone()).for_each(|run| folded.push(run));
                    let mut steps = tree.runs_in(range.clone());
                    let stepped: Vec<Run> = std::iter::from_fn(|| steps.next()).collect();
                    assert_eq!(folded, stepped, "{range:?}, runs of up to {longest}");
                    // A walk that has begun goes on in the same way.
                    let mut begun = tree.runs_in(range.clone());
                    begun.next();
                    let mut rest = Vec::new();
                    begun.for_each(|run| rest.push(run));
                    assert_eq!(rest, stepped[1.min(stepped.len())..], "{range:?}, begun");
                }
            }
        }
    }
}
