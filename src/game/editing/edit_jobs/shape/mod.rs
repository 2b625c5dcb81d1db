//! The shape of an edit: the faces of the voxels that differ, merged into rectangles. Edits with
//! too many rectangles are shown in coarser cells.

mod faces;
mod kind_rows;

pub use kind_rows::VoxelFate;

use faces::FateQuad;
use glam::IVec3;
use kind_rows::{KindRows, SIDE, SideBits};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use stonerun_engine::history::ChunkChange;
use stonerun_engine::runs::RunTree;
use stonerun_engine::voxel::{CHUNK_SIDE, ChunkPos, Face, linear_index, linear_offset, local};

/// Maximum number of rectangles of a shape. Above it, the shape is built of coarser cells.
pub const QUAD_BUDGET: usize = 200_000;
/// Sides of the cells of coarser shapes, in voxels. The last is used even above [`QUAD_BUDGET`].
const COARSE_SIDES: [i32; 4] = [8, 32, 128, 512];
/// Maximum number of changed chunks for which cells of 8 voxels are tried. With more, computing
/// these cells would take too long.
const MAX_FINE_CHUNKS: usize = 16_384;

/// A rectangle of a shape: one side of a flat box of voxels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShapeQuad {
    /// Side of the box that the rectangle covers.
    pub face: Face,
    /// Fate of the voxels in the box.
    pub fate: VoxelFate,
    /// Lowest corner of the box.
    pub low: IVec3,
    /// Highest corner of the box.
    pub high: IVec3,
}

/// The shape of an edit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EditShape {
    /// The rectangles, in voxels of the world or of a clipboard.
    pub quads: Vec<ShapeQuad>,
    /// Side of the cells whose faces are drawn, in voxels: 1 for the voxels themselves.
    pub cell: i32,
}

/// A chunk with voxels that differ.
trait Differing: Sync {
    fn pos(&self) -> ChunkPos;
    /// Passes stretches of equal fate to `each`, in linear order.
    fn for_each_stretch(&self, each: &mut dyn FnMut(std::ops::Range<usize>, VoxelFate));
}

impl Differing for ChunkChange {
    fn pos(&self) -> ChunkPos {
        self.pos
    }

    fn for_each_stretch(&self, each: &mut dyn FnMut(std::ops::Range<usize>, VoxelFate)) {
        for (range, before, after) in self.before.stretches(&self.after) {
            if let Some(fate) = VoxelFate::new(before, after) {
                each(range, fate);
            }
        }
    }
}

/// Counts all voxels of matter as added.
impl Differing for (ChunkPos, RunTree) {
    fn pos(&self) -> ChunkPos {
        self.0
    }

    fn for_each_stretch(&self, each: &mut dyn FnMut(std::ops::Range<usize>, VoxelFate)) {
        for run in self.1.runs().filter(|run| !run.voxel.is_air()) {
            each(run.start as usize..run.end() as usize, VoxelFate::Added);
        }
    }
}

impl EditShape {
    /// The shape of changed chunks; `None` once `is_cancelled` returns true. Uses all cores of the
    /// current pool of threads.
    pub fn from_changes(
        changes: &[ChunkChange],
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Option<EditShape> {
        build(changes, QUAD_BUDGET, is_cancelled)
    }

    /// The shape of all matter in chunks, such as a clipboard's. It counts as added. `None` once
    /// `is_cancelled` returns true.
    pub fn from_chunks(
        chunks: &[(ChunkPos, RunTree)],
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Option<EditShape> {
        build(chunks, QUAD_BUDGET, is_cancelled)
    }
}

fn build<C: Differing>(
    chunks: &[C],
    budget: usize,
    is_cancelled: &(dyn Fn() -> bool + Sync),
) -> Option<EditShape> {
    let fine = Lattice {
        cell: 1,
        chunks: chunks.par_iter().map(|chunk| (chunk.pos(), Source::Chunk(chunk))).collect(),
    };
    if let Some(quads) = fine.quads(budget, is_cancelled) {
        return Some(EditShape { quads, cell: 1 });
    }
    let sides = COARSE_SIDES.into_iter().skip(usize::from(chunks.len() > MAX_FINE_CHUNKS));
    for cell in sides {
        if is_cancelled() {
            return None;
        }
        let cell_budget =
            if cell == COARSE_SIDES[COARSE_SIDES.len() - 1] { usize::MAX } else { budget };
        if let Some(quads) = coarse(chunks, cell).quads(cell_budget, is_cancelled) {
            return Some(EditShape { quads, cell });
        }
    }
    None
}

/// The differing cells, in chunks of 32 x 32 x 32 cells.
struct Lattice<'a> {
    /// Side of a cell, in voxels.
    cell: i32,
    chunks: FxHashMap<ChunkPos, Source<'a>>,
}

/// Content of one chunk of a lattice.
enum Source<'a> {
    /// Cells of one voxel: the differing voxels of a chunk of the map.
    Chunk(&'a dyn Differing),
    /// Cells of several voxels, from [`coarse`].
    Cells(KindRows),
}

impl Source<'_> {
    /// Passes the rows of the chunk to `work`.
    fn with_rows<R>(&self, work: impl FnOnce(&KindRows) -> R) -> R {
        match self {
            Source::Cells(rows) => work(rows),
            Source::Chunk(chunk) => {
                let mut rows = KindRows::new();
                chunk.for_each_stretch(&mut |range, fate| rows.add(range, fate));
                work(&rows)
            }
        }
    }
}

impl Lattice<'_> {
    /// The merged faces; `None` if there are more than `budget`, or if it was cancelled.
    fn quads(
        &self,
        budget: usize,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<ShapeQuad>> {
        let side = |(&pos, source): (&ChunkPos, &Source)| {
            (!is_cancelled()).then(|| (pos, source.with_rows(|rows| kind_rows::sides(&rows.any()))))
        };
        let sides: FxHashMap<ChunkPos, SideBits> =
            self.chunks.par_iter().map(side).collect::<Option<_>>()?;
        let count = AtomicUsize::new(0);
        let quads = |(&pos, source): (&ChunkPos, &Source)| {
            if is_cancelled() || count.load(Ordering::Relaxed) > budget {
                return None;
            }
            let around: [Option<&[u32; SIDE]>; 6] = Face::ALL.map(|face| {
                let next = sides.get(&pos.offset(face.normal()))?;
                Some(&next[face.opposite() as usize])
            });
            let mut found = Vec::new();
            let origin = pos.origin() * self.cell;
            source.with_rows(|rows| {
                faces::for_each_quad(rows, around, |quad| found.push(self.placed(quad, origin)))
            });
            let before = count.fetch_add(found.len(), Ordering::Relaxed);
            (before + found.len() <= budget).then_some(found)
        };
        let quads: Vec<Vec<ShapeQuad>> =
            self.chunks.par_iter().map(quads).collect::<Option<_>>()?;
        Some(quads.concat())
    }

    fn placed(&self, quad: FateQuad, origin: IVec3) -> ShapeQuad {
        let [low, high] = quad.corners(origin, self.cell);
        ShapeQuad { face: quad.face, fate: quad.fate, low, high }
    }
}

/// The cells with sides of `cell` voxels that hold differing voxels. Each has the most frequent
/// fate of its voxels.
fn coarse<C: Differing>(chunks: &[C], cell: i32) -> Lattice<'static> {
    type Counts = FxHashMap<IVec3, [u64; 3]>;
    let shift = cell.ilog2();
    let add = |mut cells: Counts, chunk: &C| {
        let origin = chunk.pos().origin();
        chunk.for_each_stretch(&mut |range, fate| {
            if cell >= CHUNK_SIDE {
                cells.entry(origin >> shift).or_default()[fate as usize] += range.len() as u64;
                return;
            }
            // Cells narrower than a chunk: splits the range where rows cross from cell to cell.
            let mut start = range.start;
            while start < range.end {
                let end = range.end.min((start / cell as usize + 1) * cell as usize);
                let at = (origin + linear_offset(start)) >> shift;
                cells.entry(at).or_default()[fate as usize] += (end - start) as u64;
                start = end;
            }
        });
        cells
    };
    let sum = |a: Counts, b: Counts| {
        let (mut more, fewer) = if a.len() < b.len() { (b, a) } else { (a, b) };
        for (at, counts) in fewer {
            let entry = more.entry(at).or_default();
            for (sum, count) in entry.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        more
    };
    let cells = chunks.par_iter().fold(Counts::default, add).reduce(Counts::default, sum);
    let mut lattice = Lattice { cell, chunks: FxHashMap::default() };
    for (at, counts) in cells {
        let fate = VoxelFate::ALL
            .into_iter()
            .max_by_key(|fate| counts[*fate as usize])
            .unwrap_or(VoxelFate::Changed);
        let index = linear_index(local(at));
        let source = lattice
            .chunks
            .entry(ChunkPos::containing(at))
            .or_insert_with(|| Source::Cells(KindRows::new()));
        if let Source::Cells(rows) = source {
            rows.add(index..index + 1, fate);
        }
    }
    lattice
}

#[cfg(test)]
mod tests;
