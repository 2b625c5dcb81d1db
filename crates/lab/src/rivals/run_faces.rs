//! Counts the faces towards air, run by run, for stores of runs.
//!
//! One pass over a chunk's runs sets one bit per solid (non-air) voxel, with one word per row. A
//! few operations on these words then count the faces of all voxels of a run in a row. A chunk
//! without air has faces only at its sides. If a neighbour is all air, a run's part of the shared
//! side is counted without looking at single voxels.

use crate::input::VoxelId;
use std::cell::OnceCell;
use std::ops::Range;
use stonerun_engine::voxel::{CHUNK_VOLUME, ChunkPos, Face};

/// A chunk that is walked run by run.
pub(super) trait RunChunk {
    /// False if the chunk certainly has no air.
    fn has_air(&self) -> bool;

    /// False if the chunk is certainly all air.
    fn has_matter(&self) -> bool;

    /// The ID at linear index `index`.
    fn get(&self, index: usize) -> VoxelId;

    /// Calls `visit` with start, length and ID of each run in `range`. The first and last run are
    /// clipped to the range.
    fn runs_in(&self, range: Range<usize>, visit: impl FnMut(usize, usize, VoxelId));
}

/// Content of a chunk, as far as known before a pass over its runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ChunkContent {
    Air,
    /// Certainly without air.
    Full,
    Mixed,
}

/// A run of solid voxels.
struct SolidRun {
    start: u16,
    /// Length minus one, which fits into 16 bits even for 32,768 voxels.
    extra_len: u16,
    id: VoxelId,
}

/// Solid voxels of a chunk's westernmost and easternmost layers: one word per y, one bit per z.
type EndLayers = [[u32; 32]; 2];

/// A neighbour of the chunk whose faces are counted.
struct AdjacentChunk<'a, C> {
    chunk: Option<&'a C>,
    content: ChunkContent,
    /// End layers of the chunk, computed on first use.
    ends: &'a OnceCell<Box<EndLayers>>,
}

impl<C: RunChunk> AdjacentChunk<'_, C> {
    /// 1 if the voxel at linear index `index` is air, else 0.
    #[inline]
    fn air(&self, index: usize) -> u32 {
        match (self.content, self.chunk) {
            (ChunkContent::Mixed, Some(chunk)) => u32::from(chunk.get(index) == 0),
            (ChunkContent::Full, _) => 0,
            _ => 1,
        }
    }

    /// 1 if the voxel at the western (0) or eastern (1) end of a row is solid, else 0.
    #[inline]
    fn end(&self, side: usize, row: usize) -> u32 {
        match (self.content, self.chunk) {
            (ChunkContent::Mixed, Some(chunk)) => {
                self.ends.get_or_init(|| end_layers(chunk))[side][row / 32] >> (row % 32) & 1
            }
            (ChunkContent::Full, _) => 1,
            _ => 0,
        }
    }

    /// The solid voxels of the row z + 32 y, one bit per x.
    fn row(&self, row: usize) -> u32 {
        match (self.content, self.chunk) {
            (ChunkContent::Mixed, Some(chunk)) => {
                let mut bits = 0;
                chunk.runs_in(row * 32..row * 32 + 32, |start, len, id| {
                    if id != 0 {
                        for_each_row_mask(start, len, |_, mask| bits |= mask);
                    }
                });
                bits
            }
            (ChunkContent::Full, _) => u32::MAX,
            _ => 0,
        }
    }
}

fn end_layers(chunk: &impl RunChunk) -> Box<EndLayers> {
    let mut ends = Box::new([[0; 32]; 2]);
    chunk.runs_in(0..CHUNK_VOLUME, |start, len, id| {
        if id != 0 {
            // First the rows whose first voxel is in the run, then the rows whose last voxel is.
            let end = start + len;
            for row in start.div_ceil(32)..end.div_ceil(32) {
                ends[0][row / 32] |= 1 << (row % 32);
            }
            for row in start / 32..end / 32 {
                ends[1][row / 32] |= 1 << (row % 32);
            }
        }
    });
    ends
}

/// Calls `visit` with each row that the voxels `start..start + len` touch, and the mask of these
/// voxels in the row.
#[inline]
fn for_each_row_mask(start: usize, len: usize, mut visit: impl FnMut(usize, u32)) {
    let end = start + len;
    if start % 32 + len <= 32 {
        // Most runs lie in one row.
        return visit(start / 32, u32::MAX >> (32 - len) << (start % 32));
    }
    let mut at = start;
    while at < end {
        let stop = end.min((at | 31) + 1);
        visit(at / 32, u32::MAX >> (32 - (stop - at)) << (at % 32));
        at = stop;
    }
}

/// Adds the faces of all chunks to `counts`. `find` returns the index in `chunks` of the chunk at a
/// position.
pub(super) fn count<C: RunChunk>(
    chunks: &[(ChunkPos, &C)],
    find: impl Fn(ChunkPos) -> Option<usize>,
    counts: &mut [u64],
) {
    let content = |chunk: &C| match (chunk.has_air(), chunk.has_matter()) {
        (_, false) => ChunkContent::Air,
        (false, true) => ChunkContent::Full,
        _ => ChunkContent::Mixed,
    };
    let contents: Vec<ChunkContent> = chunks.iter().map(|(_, chunk)| content(chunk)).collect();
    let mut runs = Vec::new();
    let mut rows = Box::new([0u32; 1024]);
    let ends = vec![OnceCell::new(); chunks.len()];
    let no_ends = OnceCell::new();
    for ((pos, chunk), content) in
        chunks.iter().zip(&contents).filter(|(_, content)| **content != ChunkContent::Air)
    {
        let neighbours = Face::ALL.map(|face| match find(pos.offset(face.normal())) {
            Some(i) => {
                AdjacentChunk { chunk: Some(chunks[i].1), content: contents[i], ends: &ends[i] }
            }
            None => AdjacentChunk { chunk: None, content: ChunkContent::Air, ends: &no_ends },
        });
        if *content == ChunkContent::Full {
            count_full(*chunk, &neighbours, counts);
            continue;
        }
        runs.clear();
        *rows = [0; 1024];
        chunk.runs_in(0..CHUNK_VOLUME, |start, len, id| {
            if id != 0 {
                match len {
                    1 => rows[start / 32 % 1024] |= 1 << (start % 32),
                    _ => for_each_row_mask(start, len, |row, mask| rows[row] |= mask),
                }
                runs.push(SolidRun { start: start as u16, extra_len: (len - 1) as u16, id });
            }
        });
        count_mixed(&runs, &rows, &neighbours, counts);
    }
}

/// Counts the faces of a chunk with air.
fn count_mixed<C: RunChunk>(
    runs: &[SolidRun],
    rows: &[u32; 1024],
    neighbours: &[AdjacentChunk<'_, C>; 6],
    counts: &mut [u64],
) {
    let [east, west, above, below, south, north] = neighbours;
    for &SolidRun { start, extra_len, id } in runs {
        if extra_len == 0 {
            counts[usize::from(id)] += u64::from(count_voxel(start.into(), rows, neighbours));
            continue;
        }
        let mut faces = 0;
        for_each_row_mask(start.into(), usize::from(extra_len) + 1, |row, mask| {
            let y = row / 32;
            let z = row % 32;
            let here = rows[row];
            let others = [
                if y < 31 { rows[(row + 32) & 1023] } else { above.row(row - 31 * 32) },
                if y > 0 { rows[(row - 32) & 1023] } else { below.row(row + 31 * 32) },
                if z < 31 { rows[(row + 1) & 1023] } else { south.row(row - 31) },
                if z > 0 { rows[(row - 1) & 1023] } else { north.row(row + 31) },
                here << 1 | if mask & 1 != 0 { west.end(1, row) } else { 0 },
                here >> 1 | if mask >> 31 != 0 { east.end(0, row) << 31 } else { 0 },
            ];
            // Most rows have air on no side.
            if mask & !others.iter().fold(mask, |all, other| all & other) != 0 {
                // Two words at a time, because without a popcount instruction one count takes a
                // dozen steps.
                let open = |other: u32| u64::from(mask & !other);
                faces += others
                    .as_chunks::<2>()
                    .0
                    .iter()
                    .map(|[a, b]| (open(*a) | open(*b) << 32).count_ones())
                    .sum::<u32>();
            }
        });
        counts[usize::from(id)] += u64::from(faces);
    }
}

/// Counts the faces of a run of one voxel at linear index `at`, which needs only one voxel of each
/// neighbour.
#[inline]
fn count_voxel<C: RunChunk>(
    at: usize,
    rows: &[u32; 1024],
    neighbours: &[AdjacentChunk<'_, C>; 6],
) -> u32 {
    let [east, west, above, below, south, north] = neighbours;
    let x = at % 32;
    let z = at / 32 % 32;
    let y = at / 1024;
    let row = at / 32;
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

/// Counts the faces of a chunk without air, which are all at its sides.
fn count_full<C: RunChunk>(chunk: &C, neighbours: &[AdjacentChunk<'_, C>; 6], counts: &mut [u64]) {
    let [east, west, above, below, south, north] = neighbours;
    count_layer(chunk, 31, above, 0, counts);
    count_layer(chunk, 0, below, 31, counts);
    // A run has a western face for each row start in it, and an eastern face for each row end.
    let open = [west, east].map(|neighbour| usize::from(neighbour.content == ChunkContent::Air));
    if open != [0; 2] {
        let mut counted = 0;
        chunk.runs_in(0..CHUNK_VOLUME, |start, len, id| {
            let end = start + len;
            let total = open[0] * end.div_ceil(32) + open[1] * (end / 32);
            counts[usize::from(id)] += (total - counted) as u64;
            counted = total;
        });
    }
    let rows = [(Face::East, east), (Face::West, west), (Face::South, south), (Face::North, north)];
    let by_row = |face: Face, content: ChunkContent| {
        content == ChunkContent::Mixed || content == ChunkContent::Air && face.normal().z != 0
    };
    for (face, neighbour) in
        rows.into_iter().filter(|(face, neighbour)| by_row(*face, neighbour.content))
    {
        for (row, other, bits) in side_rows(face) {
            // Mask of the voxels of this row that border on air.
            let air = match face {
                Face::East => !(neighbour.end(0, other) << 31),
                Face::West => !neighbour.end(1, other),
                _ => !neighbour.row(other),
            } & bits;
            if air != 0 {
                chunk.runs_in(row * 32..row * 32 + 32, |start, len, id| {
                    for_each_row_mask(start, len, |_, mask| {
                        counts[usize::from(id)] += u64::from((mask & air).count_ones())
                    });
                });
            }
        }
    }
}

/// Counts the faces between layer `y` of a chunk without air and layer `other` of a neighbour.
fn count_layer<C: RunChunk>(
    chunk: &C,
    y: usize,
    neighbour: &AdjacentChunk<'_, C>,
    other: usize,
    counts: &mut [u64],
) {
    let mut air = [u32::MAX; 32];
    match (neighbour.content, neighbour.chunk) {
        (ChunkContent::Full, _) => return,
        (ChunkContent::Mixed, Some(chunk)) => {
            chunk.runs_in(other * 1024..other * 1024 + 1024, |start, len, id| {
                if id != 0 {
                    for_each_row_mask(start, len, |row, mask| air[row % 32] &= !mask);
                }
            })
        }
        _ => {}
    }
    chunk.runs_in(y * 1024..y * 1024 + 1024, |start, len, id| {
        let mut faces = 0;
        for_each_row_mask(start, len, |row, mask| faces += (mask & air[row % 32]).count_ones());
        counts[usize::from(id)] += u64::from(faces);
    });
}

/// For each row at a vertical side of a chunk: the row, the neighbour's row next to it, and the
/// mask of the row's voxels at the side.
fn side_rows(face: Face) -> impl Iterator<Item = (usize, usize, u32)> {
    // Rows are z + 32 y. First row, number of rows, step, distance to the neighbour's row, mask.
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
