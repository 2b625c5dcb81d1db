//! The Moore walk: runs of voxels that share their whole neighbourhood.
//!
//! The 0fps text's second idea: whatever is computed from a voxel and its neighbours (its faces, its light,
//! its next state) comes out the same for all voxels with the same neighbourhood, so it needs computing once
//! per *run of equal neighbourhoods*. This walk finds these runs, over any box, across chunk borders, in
//! linear order (x fastest, then z, then y); every voxel of the box is in exactly one run, and neighbouring
//! runs differ.
//!
//! How: of each row along x the walk keeps, as bits of one word, the places where the value changes. The
//! neighbourhood changes between two voxels exactly where one of the nine rows around them changes within
//! one step, so three shifts of the nine words' union give all fused runs of a row. Rows are read once a
//! layer and kept for three layers.

use super::RunTree;
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos, MOORE_LEN, Voxel, linear_index, local, neighbour_index};
use glam::IVec3;

/// Voxels of one row handled as one word: a chunk's side, so that rows fall on chunk borders.
const SEGMENT: usize = CHUNK_SIDE as usize;
/// A segment with one voxel more on each side.
const PADDED: usize = SEGMENT + 2;

/// The 27 voxels around one: index `(dx + 1) + 3 * (dz + 1) + 9 * (dy + 1)`; the voxel itself is at 13.
pub type Neighbourhood = [Voxel; MOORE_LEN];

/// Voxels in a box that follow each other in its linear order and share one neighbourhood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MooreRun {
    /// Linear index in the walked box (x fastest, then z, then y) of the first voxel.
    pub start: u64,
    /// Voxels in the run, at least 1.
    pub len: u64,
    /// What is around each of them.
    pub neighbourhood: Neighbourhood,
}

/// Something that can be read row by row: the world, or the chunks around one chunk.
pub trait RowSource {
    /// Calls `each` with the lengths and values of the runs of the `len` voxels that start at `at` and go on
    /// along x. Neighbouring runs may be equal. Where nothing is loaded the value is [`Voxel::NOT_LOADED`].
    fn row_runs(&self, at: IVec3, len: u32, each: impl FnMut(u32, Voxel));

    /// If every voxel of `area` is known, cheaply, to have one value, that value.
    fn uniform_in(&self, area: Box3) -> Option<Voxel> {
        let _ = area;
        None
    }
}

/// A chunk among its 26 neighbours; coordinates are the middle chunk's, so x, y and z go from -32 to 63, and a
/// box to be walked with radius 1 must lie within -31..63. Reading past that is a defect of the caller.
#[derive(Clone, Copy)]
pub struct ChunkNeighbourhoodRef<'a> {
    /// Index `(dx + 1) + 3 * (dz + 1) + 9 * (dy + 1)`, dx, dy, dz in chunks; none where not loaded.
    pub chunks: [Option<&'a RunTree>; 27],
}

impl ChunkNeighbourhoodRef<'_> {
    /// The middle chunk's voxels.
    pub const BOUNDS: Box3 = Box3 { min: IVec3::ZERO, max: IVec3::splat(CHUNK_SIDE) };
    /// All voxels of the 27 chunks.
    const COVERED: Box3 = Box3 { min: IVec3::splat(-CHUNK_SIDE), max: IVec3::splat(2 * CHUNK_SIDE) };
}

impl RowSource for ChunkNeighbourhoodRef<'_> {
    fn row_runs(&self, at: IVec3, len: u32, mut each: impl FnMut(u32, Voxel)) {
        debug_assert!(Self::COVERED.contains(at) && at.x + len as i32 <= Self::COVERED.max.x, "{at} + {len}");
        let (mut x, end) = (at.x, at.x + len as i32);
        while x < end {
            let stop = end.min((x | 31) + 1);
            let here = at.with_x(x);
            match self.chunks[neighbour_index(ChunkPos::containing(here).as_ivec3())] {
                None => each((stop - x) as u32, Voxel::NOT_LOADED),
                Some(tree) => {
                    let from = linear_index(local(here));
                    tree.runs_in(from..from + (stop - x) as usize).for_each(|r| each(r.len, r.voxel));
                }
            }
            x = stop;
        }
    }

    fn uniform_in(&self, area: Box3) -> Option<Voxel> {
        debug_assert!(Self::COVERED.intersection(area) == area, "{area:?} leaves the window");
        let mut chunks = area.chunks().map(|c| match self.chunks[neighbour_index(c.as_ivec3())] {
            None => Some(Voxel::NOT_LOADED),
            Some(tree) => tree.as_uniform(),
        });
        let first = chunks.next()??;
        chunks.all(|c| c == Some(first)).then_some(first)
    }
}

/// One row of a segment, with one voxel more on each side.
#[derive(Clone)]
struct RowSegment {
    /// Bit k: the voxel at k differs from the one at k - 1 (0 is the voxel before the segment).
    changes: u64,
    voxels: [Voxel; PADDED],
}

/// One layer of rows: z from one before the box to one past it, and in each the segments along x.
#[derive(Clone)]
struct RowLayer {
    rows: Vec<RowSegment>,
    /// Set if the whole layer is one value.
    uniform: Option<Voxel>,
}

impl RowLayer {
    fn read(&mut self, source: &impl RowSource, bounds: Box3, y: i32) {
        let size = bounds.size();
        let area = Box3 {
            min: IVec3::new(bounds.min.x - 1, y, bounds.min.z - 1),
            max: IVec3::new(bounds.max.x + 1, y + 1, bounds.max.z + 1),
        };
        self.uniform = source.uniform_in(area);
        if self.uniform.is_some() {
            return;
        }
        let segments = (size.x as usize).div_ceil(SEGMENT);
        self.rows.resize(segments * (size.z as usize + 2), RowSegment { changes: 0, voxels: [Voxel::AIR; PADDED] });
        let mut rows = self.rows.iter_mut();
        let mut changed = 0;
        let mut first = None;
        let mut same = true;
        for z in area.min.z..area.max.z {
            for segment in 0..segments {
                let x = bounds.min.x + (segment * SEGMENT) as i32;
                let len = (bounds.max.x - x).min(SEGMENT as i32) as usize + 2;
                let Some(row) = rows.next() else { return };
                row.changes = 0;
                let mut at = 0;
                source.row_runs(IVec3::new(x - 1, y, z), len as u32, |n, voxel| {
                    if at > 0 && row.voxels[at - 1] != voxel {
                        row.changes |= 1 << at;
                    }
                    let end = at + n as usize;
                    row.voxels[at..end].fill(voxel);
                    at = end;
                });
                changed |= row.changes;
                same &= *first.get_or_insert(row.voxels[0]) == row.voxels[0];
            }
        }
        if changed == 0 && same {
            self.uniform = first;
        }
    }
}

/// Joins equal neighbourhoods that come one after the other, and hands out each run when it is whole.
struct RunJoiner<F> {
    run: MooreRun,
    each: F,
}

impl<F: FnMut(&MooreRun)> RunJoiner<F> {
    /// Adds voxels that may go on with the run before.
    fn join(&mut self, len: u64, around: &Neighbourhood) {
        if self.run.len > 0 && self.run.neighbourhood == *around {
            self.run.len += len;
        } else {
            self.begin(len).copy_from_slice(around);
        }
    }

    /// Hands out the run before and begins a new one, whose neighbourhood is to be written.
    fn begin(&mut self, len: u64) -> &mut Neighbourhood {
        if self.run.len > 0 {
            (self.each)(&self.run);
        }
        self.run.start += self.run.len;
        self.run.len = len;
        &mut self.run.neighbourhood
    }
}

/// Walks the runs of equal neighbourhood of radius 1 in `bounds`, in linear order.
///
/// The box and one voxel around it must lie inside the world (`WORLD_LIMIT`): no one loads more.
pub fn walk(source: &impl RowSource, bounds: Box3, each: impl FnMut(&MooreRun)) {
    if bounds.is_empty() {
        return;
    }
    let size = bounds.size();
    let segments = (size.x as usize).div_ceil(SEGMENT);
    let area = size.x as u64 * size.z as u64;
    let mut out = RunJoiner { run: MooreRun { start: 0, len: 0, neighbourhood: [Voxel::AIR; 27] }, each };

    let grown = Box3 { min: bounds.min - IVec3::ONE, max: bounds.max + IVec3::ONE };
    if let Some(voxel) = source.uniform_in(grown) {
        out.join(bounds.volume(), &[voxel; 27]);
    } else {
        let mut layers = std::array::from_fn::<_, 3, _>(|_| RowLayer { rows: Vec::new(), uniform: None });
        layers[1].read(source, bounds, bounds.min.y - 1);
        layers[2].read(source, bounds, bounds.min.y);
        for y in bounds.min.y..bounds.max.y {
            layers.rotate_left(1);
            layers[2].read(source, bounds, y + 1);
            if let [Some(below), Some(here), Some(above)] = [0, 1, 2].map(|i: usize| layers[i].uniform) {
                let mut around = [below; 27];
                around[9..18].fill(here);
                around[18..].fill(above);
                out.join(area, &around);
            } else {
                walk_layer(&layers, size, segments, &mut out);
            }
        }
    }
    if out.run.len > 0 {
        (out.each)(&out.run);
    }
}

/// Walks one layer of voxels, between the layer below and the one above.
fn walk_layer<F: FnMut(&MooreRun)>(layers: &[RowLayer; 3], size: IVec3, segments: usize, out: &mut RunJoiner<F>) {
    // Uniform layers have no rows; one row stands for all of theirs.
    let flat = layers.each_ref().map(|l| l.uniform.map(|v| RowSegment { changes: 0, voxels: [v; PADDED] }));
    for z in 0..size.z as usize {
        for segment in 0..segments {
            let len = (size.x as usize - segment * SEGMENT).min(SEGMENT);
            // Rows in the order of a neighbourhood: z - 1, z, z + 1 of the layer below, this, above.
            let rows: [&RowSegment; 9] = std::array::from_fn(|i| match &flat[i / 3] {
                Some(row) => row,
                None => &layers[i / 3].rows[(z + i % 3) * segments + segment],
            });
            let changes = rows.iter().fold(0, |all, row| all | row.changes);
            // Voxel k of the segment is at k + 1 in its row and sees k, k + 1 and k + 2.
            let mut breaks = (changes | changes >> 1 | changes >> 2) & ((1 << len) - 1) & !1;
            let mut at = 0;
            loop {
                let end = if breaks == 0 { len } else { breaks.trailing_zeros() as usize };
                let around = std::array::from_fn(|i| rows[i / 3].voxels[at + i % 3]);
                // Only a segment's first run can go on with the one before: at a break something differs.
                if at == 0 {
                    out.join((end - at) as u64, &around);
                } else {
                    *out.begin((end - at) as u64) = around;
                }
                if breaks == 0 {
                    break;
                }
                breaks &= breaks - 1;
                at = end;
            }
        }
    }
}

/// Walks the runs of radius 0 in `bounds`, in linear order: `(first voxel's linear index, voxels, value)`.
pub fn walk_values(source: &impl RowSource, bounds: Box3, mut each: impl FnMut(u64, u64, Voxel)) {
    let size = bounds.size();
    let (mut start, mut len, mut value) = (0u64, 0u64, Voxel::AIR);
    for y in bounds.min.y..bounds.max.y {
        for z in bounds.min.z..bounds.max.z {
            source.row_runs(IVec3::new(bounds.min.x, y, z), size.x as u32, |n, voxel| {
                if voxel != value && len > 0 {
                    each(start, len, value);
                    start += len;
                    len = 0;
                }
                value = voxel;
                len += u64::from(n);
            });
        }
    }
    if len > 0 {
        each(start, len, value);
    }
}
