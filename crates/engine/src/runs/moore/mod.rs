//! The Moore walk: runs of voxels that share their whole neighbourhood.
//!
//! The 0fps text's second idea: whatever is computed from a voxel and its neighbours (its faces,
//! its light, its next state) is equal for all voxels with the same neighbourhood, so it is
//! computed once per *run of equal neighbourhoods*. This walk finds these runs in any box, across
//! chunk borders, in linear order (x fastest, then z, then y). Every voxel of the box is in exactly
//! one run, and adjacent runs differ.
//!
//! Method: for each row along x the walk keeps the positions where the value changes, as the bits
//! of one word. The neighbourhood changes between two voxels exactly where one of the nine rows
//! around them changes within one step, so three shifts of the union of the nine words give all
//! fused runs of a row. Rows are read once and kept for three layers.

mod rows;
mod source;

pub use source::{ChunkNeighbourhoodRef, RowSource};

use crate::voxel::{Box3, MOORE_LEN, Voxel};
use glam::IVec3;
use rows::{RowLayer, RowSegment, SEGMENT};

/// The 27 voxels of a Moore neighbourhood, in the order of [`crate::voxel::neighbour_index`].
pub type Neighbourhood = [Voxel; MOORE_LEN];

/// Consecutive voxels of a box, in its linear order, that share one neighbourhood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MooreRun {
    /// Linear index in the walked box (x fastest, then z, then y) of the first voxel.
    pub start: u64,
    /// Number of voxels, at least 1.
    pub len: u64,
    /// Neighbourhood that all voxels of the run share.
    pub neighbourhood: Neighbourhood,
}

/// Joins adjacent equal neighbourhoods and emits each run once it is complete.
struct RunJoiner<F> {
    run: MooreRun,
    each: F,
}

impl<F: FnMut(&MooreRun)> RunJoiner<F> {
    /// Adds voxels that may continue the current run.
    fn join(&mut self, len: u64, around: &Neighbourhood) {
        if self.run.len > 0 && self.run.neighbourhood == *around {
            self.run.len += len;
        } else {
            self.begin(len).copy_from_slice(around);
        }
    }

    /// Emits the current run and begins the next one, whose neighbourhood the caller writes.
    fn begin(&mut self, len: u64) -> &mut Neighbourhood {
        if self.run.len > 0 {
            (self.each)(&self.run);
        }
        self.run.start += self.run.len;
        self.run.len = len;
        &mut self.run.neighbourhood
    }
}

/// Walks the runs of equal neighbourhood (radius 1) in `bounds`, in linear order.
///
/// The box and one voxel around it must lie inside the world (`WORLD_LIMIT`).
///
/// ```
/// use glam::IVec3;
/// use stonerun_engine::runs::moore;
/// use stonerun_engine::voxel::{Box3, ChunkPos, MOORE_CENTRE, Voxel};
/// use stonerun_engine::world::{Chunk, World};
///
/// let mut world = World::new();
/// for pos in ChunkPos::default().moore_neighbourhood() {
///     world.insert(pos, Chunk::uniform(Voxel::AIR));
/// }
/// world.set(IVec3::new(5, 5, 5), Voxel::full(1));
///
/// // A row through the stone: air, air next to it, the stone, air next to it, air.
/// let row = Box3::spanning(IVec3::new(0, 5, 5), IVec3::new(9, 5, 5));
/// let mut runs = Vec::new();
/// moore::walk(&world, row, |run| runs.push((run.len, run.neighbourhood[MOORE_CENTRE])));
/// let (air, stone) = (Voxel::AIR, Voxel::full(1));
/// assert_eq!(runs, [(4, air), (1, air), (1, stone), (1, air), (3, air)]);
/// ```
pub fn walk(source: &impl RowSource, bounds: Box3, each: impl FnMut(&MooreRun)) {
    if bounds.is_empty() {
        return;
    }
    let size = bounds.size();
    let segments = (size.x as usize).div_ceil(SEGMENT);
    let area = size.x as u64 * size.z as u64;
    let mut out = RunJoiner {
        run: MooreRun { start: 0, len: 0, neighbourhood: [Voxel::AIR; MOORE_LEN] },
        each,
    };

    let grown = Box3 { min: bounds.min - IVec3::ONE, max: bounds.max + IVec3::ONE };
    if let Some(voxel) = source.uniform_in(grown) {
        out.join(bounds.volume(), &[voxel; MOORE_LEN]);
    } else {
        let mut layers = std::array::from_fn::<_, 3, _>(|_| RowLayer::default());
        layers[1].read(source, bounds, bounds.min.y - 1);
        layers[2].read(source, bounds, bounds.min.y);
        for y in bounds.min.y..bounds.max.y {
            layers.rotate_left(1);
            layers[2].read(source, bounds, y + 1);
            if let [Some(below), Some(here), Some(above)] =
                [0, 1, 2].map(|i: usize| layers[i].uniform)
            {
                let mut around = [below; MOORE_LEN];
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

/// Walks one layer of voxels, given the layer below, the layer itself and the layer above.
fn walk_layer<F: FnMut(&MooreRun)>(
    layers: &[RowLayer; 3],
    size: IVec3,
    segments: usize,
    out: &mut RunJoiner<F>,
) {
    // A uniform layer stores no rows; one row represents them all.
    let flat = layers.each_ref().map(|layer| layer.uniform.map(RowSegment::uniform));
    for z in 0..size.z as usize {
        for segment in 0..segments {
            let len = (size.x as usize - segment * SEGMENT).min(SEGMENT);
            // Rows in neighbourhood order: z - 1, z and z + 1 of the layer below, of this layer and
            // of the layer above.
            let rows: [&RowSegment; 9] = std::array::from_fn(|i| match &flat[i / 3] {
                Some(row) => row,
                None => &layers[i / 3].rows[(z + i % 3) * segments + segment],
            });
            let changes = rows.iter().fold(0, |all, row| all | row.changes);
            // Voxel k of the segment is at k + 1 in its row, so its neighbourhood spans k to k + 2.
            let mut breaks = (changes | changes >> 1 | changes >> 2) & ((1 << len) - 1) & !1;
            let mut at = 0;
            loop {
                let end = if breaks == 0 { len } else { breaks.trailing_zeros() as usize };
                let around = std::array::from_fn(|i| rows[i / 3].voxels[at + i % 3]);
                // Only the first run of a segment can continue the run before: at a break the
                // neighbourhood differs.
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

/// Walks the runs of equal value (radius 0) in `bounds`, in linear order. Calls `each` with the
/// linear index in the box of the first voxel, the number of voxels and their value.
pub fn walk_values(source: &impl RowSource, bounds: Box3, mut each: impl FnMut(u64, u64, Voxel)) {
    let size = bounds.size();
    let mut start = 0u64;
    let mut len = 0u64;
    let mut value = Voxel::AIR;
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
