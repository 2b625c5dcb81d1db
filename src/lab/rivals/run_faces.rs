//! Counting the faces that border on air, run by run: what stores of runs do.
//!
//! One pass over a chunk's runs gives a bit a voxel, set where there is no air: a word a row. Then for each run that is
//! not air the faces of all its voxels in a row come from a few operations on such words. A chunk without any air has
//! faces only where a neighbour has air; if all the neighbour is air, a run's share in the common side is counted
//! without looking at a single voxel.

use crate::lab::input::Value;
use crate::voxel::{CHUNK_VOLUME, ChunkPos, Face};
use std::cell::OnceCell;
use std::ops::Range;

/// A chunk that is walked run by run.
pub(super) trait RunChunk {
    /// False if there is surely no air in it.
    fn has_air(&self) -> bool;

    /// False if there is surely nothing but air in it.
    fn has_matter(&self) -> bool;

    /// The value at linear index `index`.
    fn get(&self, index: usize) -> Value;

    /// Calls `each` with start, length and value of the runs of the voxels `range`, the first and last cut to it.
    fn runs_in(&self, range: Range<usize>, each: impl FnMut(usize, usize, Value));
}

/// What is known of a chunk before its runs are walked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Air,
    /// Surely without air.
    Full,
    Mixed,
}

/// A run that is not air: start, length and value.
type Matter = (u16, u16, Value);

/// Which voxels of a chunk's westernmost and easternmost layers are not air: a word for each y, bit z.
type Ends = [[u32; 32]; 2];

/// A chunk beside one, as far as it matters there.
struct Beside<'a, C> {
    chunk: Option<&'a C>,
    kind: Kind,
    /// Found when first asked for.
    ends: &'a OnceCell<Box<Ends>>,
}

impl<C: RunChunk> Beside<'_, C> {
    /// 1 if there is air at linear index `index`, else 0.
    #[inline]
    fn air(&self, index: usize) -> u32 {
        match (self.kind, self.chunk) {
            (Kind::Mixed, Some(chunk)) => u32::from(chunk.get(index) == 0),
            (Kind::Full, _) => 0,
            _ => 1,
        }
    }

    /// 1 if the voxel at the western (0) or eastern (1) end of a row is not air, else 0.
    #[inline]
    fn end(&self, which: usize, row: usize) -> u32 {
        match (self.kind, self.chunk) {
            (Kind::Mixed, Some(chunk)) => self.ends.get_or_init(|| ends_of(chunk))[which][row / 32] >> (row % 32) & 1,
            (Kind::Full, _) => 1,
            _ => 0,
        }
    }

    /// Which voxels of a row (z + 32 y) are not air.
    fn row(&self, row: usize) -> u32 {
        match (self.kind, self.chunk) {
            (Kind::Mixed, Some(chunk)) => {
                let mut bits = 0;
                chunk.runs_in(row * 32..row * 32 + 32, |start, len, value| {
                    if value != 0 {
                        masks(start, len, |_, mask| bits |= mask);
                    }
                });
                bits
            }
            (Kind::Full, _) => u32::MAX,
            _ => 0,
        }
    }
}

fn ends_of(chunk: &impl RunChunk) -> Box<Ends> {
    let mut ends = Box::new([[0; 32]; 2]);
    chunk.runs_in(0..CHUNK_VOLUME, |start, len, value| {
        if value != 0 {
            // The rows whose first voxel is in the run, and those whose last is.
            let end = start + len;
            (start.div_ceil(32)..end.div_ceil(32)).for_each(|row| ends[0][row / 32] |= 1 << (row % 32));
            (start / 32..end / 32).for_each(|row| ends[1][row / 32] |= 1 << (row % 32));
        }
    });
    ends
}

/// The bits of a row that the voxels `start..start + len` cover, row by row.
#[inline]
fn masks(start: usize, len: usize, mut each: impl FnMut(usize, u32)) {
    let end = start + len;
    if start % 32 + len <= 32 {
        // By far the most are that short.
        return each(start / 32, u32::MAX >> (32 - len) << (start % 32));
    }
    let mut at = start;
    while at < end {
        let stop = end.min((at | 31) + 1);
        each(at / 32, u32::MAX >> (32 - (stop - at)) << (at % 32));
        at = stop;
    }
}

/// Adds the faces of all chunks to `counts`. `find` gives the place in `chunks` of the one at a position.
pub(super) fn count<C: RunChunk>(
    chunks: &[(ChunkPos, &C)],
    find: impl Fn(ChunkPos) -> Option<usize>,
    counts: &mut [u64],
) {
    let kind = |chunk: &C| match (chunk.has_air(), chunk.has_matter()) {
        (_, false) => Kind::Air,
        (false, true) => Kind::Full,
        _ => Kind::Mixed,
    };
    let kinds: Vec<Kind> = chunks.iter().map(|(_, chunk)| kind(chunk)).collect();
    let (mut list, mut rows) = (Vec::new(), Box::new([0u32; 1024]));
    let ends = vec![OnceCell::new(); chunks.len()];
    let nothing = OnceCell::new();
    for ((pos, chunk), kind) in chunks.iter().zip(&kinds).filter(|(_, kind)| **kind != Kind::Air) {
        let beside = Face::ALL.map(|face| match find(pos.offset(face.normal())) {
            Some(i) => Beside { chunk: Some(chunks[i].1), kind: kinds[i], ends: &ends[i] },
            None => Beside { chunk: None, kind: Kind::Air, ends: &nothing },
        });
        if *kind == Kind::Full {
            of_full(*chunk, &beside, counts);
            continue;
        }
        list.clear();
        *rows = [0; 1024];
        chunk.runs_in(0..CHUNK_VOLUME, |start, len, value| {
            if value != 0 {
                match len {
                    1 => rows[start / 32 % 1024] |= 1 << (start % 32),
                    _ => masks(start, len, |row, mask| rows[row] |= mask),
                }
                list.push((start as u16, (len - 1) as u16, value));
            }
        });
        of_mixed(&list, &rows, &beside, counts);
    }
}

fn of_mixed<C: RunChunk>(runs: &[Matter], rows: &[u32; 1024], beside: &[Beside<'_, C>; 6], counts: &mut [u64]) {
    let [east, west, above, below, south, north] = beside;
    for &(start, more, value) in runs {
        if more == 0 {
            counts[usize::from(value)] += u64::from(of_voxel(start.into(), rows, beside));
            continue;
        }
        let mut faces = 0;
        masks(start.into(), usize::from(more) + 1, |row, mask| {
            let (y, z, here) = (row / 32, row % 32, rows[row]);
            let others = [
                if y < 31 { rows[(row + 32) & 1023] } else { above.row(row - 31 * 32) },
                if y > 0 { rows[(row - 32) & 1023] } else { below.row(row + 31 * 32) },
                if z < 31 { rows[(row + 1) & 1023] } else { south.row(row - 31) },
                if z > 0 { rows[(row - 1) & 1023] } else { north.row(row + 31) },
                here << 1 | if mask & 1 != 0 { west.end(1, row) } else { 0 },
                here >> 1 | if mask >> 31 != 0 { east.end(0, row) << 31 } else { 0 },
            ];
            // Inside, where most rows lie, there is nothing to count.
            if mask & !others.iter().fold(mask, |all, other| all & other) != 0 {
                // Two words at a time, as counting bits takes a dozen steps where there is no instruction for it.
                let open = |other: u32| u64::from(mask & !other);
                faces += others
                    .as_chunks::<2>()
                    .0
                    .iter()
                    .map(|[a, b]| (open(*a) | open(*b) << 32).count_ones())
                    .sum::<u32>();
            }
        });
        counts[usize::from(value)] += u64::from(faces);
    }
}

/// The faces of the voxel at linear index `at`, a run by itself: of a neighbour it needs one voxel, too.
#[inline]
fn of_voxel<C: RunChunk>(at: usize, rows: &[u32; 1024], beside: &[Beside<'_, C>; 6]) -> u32 {
    let [east, west, above, below, south, north] = beside;
    let (x, z, y, row) = (at % 32, at / 32 % 32, at / 1024, at / 32);
    let air = |row: usize, x: usize| !rows[row & 1023] >> x & 1;
    let inside = |i: usize| (1..31).contains(&i);
    if inside(x) & inside(y) & inside(z) {
        let along = rows[row & 1023] >> (x - 1);
        return (!along & 1)
            + (!along >> 2 & 1)
            + air(row + 32, x)
            + air(row - 32, x)
            + air(row + 1, x)
            + air(row - 1, x);
    }
    let mut faces = if y < 31 { air(row + 32, x) } else { above.air(at & 1023) };
    faces += if y > 0 { air(row - 32, x) } else { below.air(at | 31 << 10) };
    faces += if z < 31 { air(row + 1, x) } else { south.air(at & !(31 << 5)) };
    faces += if z > 0 { air(row - 1, x) } else { north.air(at | 31 << 5) };
    faces += if x > 0 { air(row, x - 1) } else { west.air(at | 31) };
    faces + if x < 31 { air(row, x + 1) } else { east.air(at & !31) }
}

/// A chunk without air: only its sides have faces.
fn of_full<C: RunChunk>(chunk: &C, beside: &[Beside<'_, C>; 6], counts: &mut [u64]) {
    let [east, west, above, below, south, north] = beside;
    of_layer(chunk, 31, above, 0, counts);
    of_layer(chunk, 0, below, 31, counts);
    // A run's share in an end of the rows is how many of these ends it holds.
    let open = [west, east].map(|beside| usize::from(beside.kind == Kind::Air));
    if open != [0; 2] {
        let mut before = 0;
        chunk.runs_in(0..CHUNK_VOLUME, |start, len, value| {
            let end = start + len;
            let now = open[0] * end.div_ceil(32) + open[1] * (end / 32);
            counts[usize::from(value)] += (now - before) as u64;
            before = now;
        });
    }
    let rows = [(Face::East, east), (Face::West, west), (Face::South, south), (Face::North, north)];
    let by_row = |face: Face, kind: Kind| kind == Kind::Mixed || kind == Kind::Air && face.normal().z != 0;
    for (face, beside) in rows.into_iter().filter(|(face, beside)| by_row(*face, beside.kind)) {
        for (row, other, bits) in side_rows(face) {
            // What of this row borders on air there.
            let air = match face {
                Face::East => !(beside.end(0, other) << 31),
                Face::West => !beside.end(1, other),
                _ => !beside.row(other),
            } & bits;
            if air != 0 {
                chunk.runs_in(row * 32..row * 32 + 32, |start, len, value| {
                    masks(start, len, |_, mask| counts[usize::from(value)] += u64::from((mask & air).count_ones()));
                });
            }
        }
    }
}

/// The faces between layer `y` of a chunk without air and layer `other` of the one beside it.
fn of_layer<C: RunChunk>(chunk: &C, y: usize, beside: &Beside<'_, C>, other: usize, counts: &mut [u64]) {
    let mut air = [u32::MAX; 32];
    match (beside.kind, beside.chunk) {
        (Kind::Full, _) => return,
        (Kind::Mixed, Some(chunk)) => chunk.runs_in(other * 1024..other * 1024 + 1024, |start, len, value| {
            if value != 0 {
                masks(start, len, |row, mask| air[row % 32] &= !mask);
            }
        }),
        _ => {}
    }
    chunk.runs_in(y * 1024..y * 1024 + 1024, |start, len, value| {
        let mut faces = 0;
        masks(start, len, |row, mask| faces += (mask & air[row % 32]).count_ones());
        counts[usize::from(value)] += u64::from(faces);
    });
}

/// The rows at an upright side of a chunk, those they touch in the chunk beside it, and the bits of a row that lie at the side.
fn side_rows(face: Face) -> impl Iterator<Item = (usize, usize, u32)> {
    // Rows are z + 32 y: the first row, how many, their distance, and that of the row beyond.
    let (first, count, step, beyond, bits) = match face {
        Face::East => (0, 1024, 1, 0, 1 << 31),
        Face::West => (0, 1024, 1, 0, 1),
        Face::South => (31, 32, 32, -31, u32::MAX),
        _ => (0, 32, 32, 31, u32::MAX),
    };
    (0..count).map(move |i| {
        let row = first + i * step;
        (row as usize, (row + beyond) as usize, bits)
    })
}
