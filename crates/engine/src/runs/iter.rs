//! Iteration over the runs of a chunk.

use super::packed::PackedRef;
use super::repr::Repr;
use super::run::{BLOCK, BLOCKS, CodedRun, Run};
use super::table::TableRef;
use crate::voxel::{CHUNK_SIDE, Voxel};
use std::ops::Range;

/// Iterator over runs in linear order. Created by [`super::RunTree::runs`] and
/// [`super::RunTree::runs_in`].
#[derive(Clone)]
pub struct Runs<'a> {
    cursor: Cursor<'a>,
    /// Linear index of the next voxel.
    at: usize,
    /// Linear index to stop before.
    end: usize,
}

/// Read position in one of the representations.
#[derive(Clone)]
enum Cursor<'a> {
    Uniform(Voxel),
    Table {
        table: TableRef<'a>,
        /// Number of the next run.
        run: usize,
        /// Block in which that run starts, or an earlier one.
        block: usize,
    },
    Packed(PackedRef<'a>),
}

impl<'a> Runs<'a> {
    pub(super) fn new(repr: &'a Repr, range: Range<usize>) -> Runs<'a> {
        let cursor = match repr {
            Repr::Uniform(voxel) => Cursor::Uniform(*voxel),
            Repr::Table(words) => {
                let table = TableRef::new(words);
                // An empty range may start at the end of the chunk, where `find` has no run.
                let run = if range.is_empty() { 0 } else { table.find(range.start) };
                Cursor::Table { table, run, block: range.start / BLOCK }
            }
            Repr::Packed(bytes) => Cursor::Packed(PackedRef::new(bytes)),
        };
        Runs { cursor, at: range.start, end: range.end }
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
        let voxel = match &mut self.cursor {
            Cursor::Uniform(voxel) => {
                self.at = self.end;
                *voxel
            }
            Cursor::Table { table, run, block } => {
                let voxel = table.voxel(table.code(*run));
                *run += 1;
                self.at = self.end.min(table.start_from(*run, block));
                voxel
            }
            Cursor::Packed(packed) => {
                let span = packed.span_from(start);
                self.at = self.end.min(span.end);
                packed.voxel(span.code)
            }
        };
        Some(Run::spanning(start, self.at, voxel))
    }

    /// Walks all runs in one loop, without checking the representation at each run.
    #[inline]
    fn fold<B, F: FnMut(B, Run) -> B>(self, init: B, mut f: F) -> B {
        match self.cursor {
            Cursor::Table { table, run, .. } if self.at + BLOCK < self.end => {
                let palette = table.palette();
                fold_table(table, run, self.at..self.end, init, |folded, start, end, code| {
                    f(
                        folded,
                        Run { start, len: end - start, voxel: Voxel::from_words(palette[code]) },
                    )
                })
            }
            Cursor::Packed(packed) => {
                let mut folded = Some(init);
                packed.for_each(self.at..self.end, |start, end, code| {
                    let run = Run::spanning(start, end, packed.voxel(code));
                    // `f` consumes the value, and each call puts the result back.
                    folded = folded.take().map(|before| f(before, run));
                });
                folded.expect("each call puts the value back")
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

/// Calls `each` with start, end and palette index of the runs in `range`, the first and last cut to
/// it.
#[inline]
pub(super) fn for_each_coded(
    repr: &Repr,
    range: Range<usize>,
    mut each: impl FnMut(usize, usize, usize),
) {
    if range.is_empty() {
        return;
    }
    match repr {
        Repr::Uniform(_) => each(range.start, range.end, 0),
        Repr::Packed(bytes) => PackedRef::new(bytes).for_each(range, each),
        Repr::Table(words) => {
            let table = TableRef::new(words);
            let mut run = table.find(range.start);
            if range.len() > BLOCK {
                fold_table(table, run, range, (), |(), start, end, code| {
                    each(start as usize, end as usize, code)
                });
                return;
            }
            let mut at = range.start;
            let mut block = range.start / BLOCK;
            while at < range.end {
                let code = table.code(run);
                run += 1;
                let end = range.end.min(table.start_from(run, &mut block));
                each(at, end, code.into());
                at = end;
            }
        }
    }
}

/// Folds the starts of the runs in a range of layers (y), in linear order. A run that begins before
/// the range counts as starting with it.
#[inline]
pub(super) fn fold_starts<B>(
    repr: &Repr,
    layers: Range<usize>,
    init: B,
    mut f: impl FnMut(B, CodedRun) -> B,
) -> B {
    const LAYER_BLOCKS: usize = BLOCKS / CHUNK_SIDE as usize;
    let blocks = LAYER_BLOCKS * layers.start..LAYER_BLOCKS * layers.end;
    if blocks.is_empty() {
        return init;
    }
    let first = blocks.start * BLOCK;
    // Code of a run that begins before the first block and reaches into it.
    let begun = match repr {
        Repr::Uniform(_) => Some(0),
        Repr::Packed(bytes) => PackedRef::new(bytes).code_of_begun(first),
        Repr::Table(words) => TableRef::new(words).code_of_begun(first),
    };
    let folded = match begun {
        Some(code) => f(init, CodedRun::new(first, code)),
        None => init,
    };
    match repr {
        Repr::Uniform(_) => folded,
        Repr::Packed(bytes) => PackedRef::new(bytes).fold_starts(blocks, folded, f),
        Repr::Table(words) => TableRef::new(words).fold_starts(blocks, folded, f),
    }
}

/// Number of runs whose ends [`fold_table`] computes at a time.
const PART: usize = 64;

/// Folds start, end and palette index of the runs in `range`, which must not be empty. `first` is
/// the number of the first run.
///
/// A run ends where the next one starts. A table stores the low byte of that start, so its block
/// has to be found. Testing at each run whether the next one is in another block is slow, because
/// the outcome is unpredictable. So the number of each block is noted at its first start; the block
/// of a start is the highest number noted up to it.
/// run is then the last one noted so far.
#[inline]
fn fold_table<B>(
    table: TableRef<'_>,
    first: usize,
    range: Range<usize>,
    init: B,
    mut f: impl FnMut(B, u32, u32, usize) -> B,
) -> B {
    let pairs = table.pairs();
    let runs = &pairs[first..=table.find(range.end - 1)];
    let mut nexts = &pairs[first + 1..];
    // For each block from the first in the range: the index in `nexts` at which its starts end, and
    // the number of the next block.
    let blocks = &table.block_ends()[range.start / BLOCK..=(range.end - 1) / BLOCK];
    let mut blocks = blocks
        .iter()
        .map(|&end| usize::from(end) - 2 * table.palette_len() - first - 1)
        .zip(range.start / BLOCK + 1..)
        .peekable();
    let mut folded = init;
    let mut at = range.start as u32;
    let mut block = (range.start / BLOCK) as u8;
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
            let start = at;
            let end = u32::from(end);
            at = end;
            folded = f(folded, start, end, usize::from(pair >> 8));
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use crate::random::Random;
    use crate::runs::{Run, RunTree};
    use crate::voxel::{CHUNK_VOLUME, Voxel};

    #[test]
    fn folds_give_the_same_runs_as_next() {
        let mut random = Random::new(5);
        let lengths = [1, 2, 20, 40, 100, 255, 256, 257, 600, 5000, 40_000];
        for (longest, values) in
            lengths.into_iter().flat_map(|longest| [3, 100, 400].map(|values| (longest, values)))
        {
            let mut left = CHUNK_VOLUME;
            let lens = std::iter::from_fn(|| {
                let len = (1 + random.index(longest)).min(left);
                left -= len;
                (len > 0).then_some(len as u32)
            });
            let lens: Vec<u32> = lens.collect();
            let tree =
                RunTree::from_runs(lens.into_iter().zip((1..=values).cycle().map(Voxel::full)));
            for _ in 0..70 {
                let a = random.index(CHUNK_VOLUME + 1);
                let max_len = [20, 300, CHUNK_VOLUME][random.index(3)];
                let b = random.index(max_len);
                for range in [a..(a + b).min(CHUNK_VOLUME), a / 256 * 256..CHUNK_VOLUME, 0..a] {
                    let mut folded: Vec<Run> = Vec::new();
                    tree.runs_in(range.clone()).for_each(|run| folded.push(run));
                    let mut steps = tree.runs_in(range.clone());
                    let stepped: Vec<Run> = std::iter::from_fn(|| steps.next()).collect();
                    assert_eq!(folded, stepped, "{range:?}, runs of up to {longest}");
                    let values = tree.values().collect::<Vec<_>>();
                    let mut coded = Vec::new();
                    tree.for_each_coded(range.clone(), |start, end, code| {
                        coded.push(Run::spanning(start, end, values[code]));
                    });
                    assert_eq!(coded, stepped, "{range:?}, coded");
                    let layers = range.start / 1024..range.end / 1024;
                    let starts: Vec<_> =
                        tree.fold_starts(layers.clone(), Vec::new(), |mut starts, run| {
                            starts.push((usize::from(run.start), values[usize::from(run.code)]));
                            starts
                        });
                    let whole = tree.runs_in(layers.start * 1024..layers.end * 1024);
                    let whole: Vec<_> = whole.map(|run| (run.start as usize, run.voxel)).collect();
                    assert_eq!(starts, whole, "{layers:?}, starts");
                    // A partly consumed iterator folds the rest of its runs.
                    let mut begun = tree.runs_in(range.clone());
                    begun.next();
                    let mut rest = Vec::new();
                    begun.for_each(|run| rest.push(run));
                    assert_eq!(rest, stepped[1.min(stepped.len())..], "{range:?}, partly consumed");
                }
            }
        }
    }
}
