//! Fills of a chunk and of the voxels around it, as rows of small numbers.

use super::materials::{FIXED, ShapingMaterials};
use crate::edit::{ChunkSource, EditError};
use crate::voxel::{
    CHUNK_SIDE, ChunkPos, MOORE_CENTRE, Voxel, linear_index, local, neighbour_index,
    neighbour_offsets,
};
use crate::world::Chunk;
use glam::IVec3;

/// Voxels per row along x, a multiple of vector registers; x from -4 to 35 of the chunk.
pub(super) const STRIDE: usize = 40;
/// Index in a row of the chunk's first voxel.
const FIRST: i32 = 4;
/// Maximum number of voxels around the chunk along x and z.
pub(super) const HALO: i32 = 3;

/// Fills of a row along x: 0 to 256, or [`FIXED`].
pub(super) type Row = [i16; STRIDE];

/// Index in a [`Row`] of a voxel at `x` in the chunk, -4 to 35.
pub(super) const fn index_of(x: i32) -> usize {
    (x + FIRST) as usize
}

/// A chunk and the 26 around it, with the fill of those that have only one.
pub(super) struct ChunksAround {
    pos: ChunkPos,
    /// In the order of the Moore neighbourhood.
    chunks: Vec<Chunk>,
    fills: Vec<Option<i16>>,
}

impl ChunksAround {
    /// Reads the chunks around `pos`.
    ///
    /// # Errors
    /// A chunk cannot be read.
    pub fn read(
        pos: ChunkPos,
        chunk: &Chunk,
        world: &dyn ChunkSource,
        materials: &ShapingMaterials,
        ignores_liquids: bool,
    ) -> Result<ChunksAround, EditError> {
        let mut chunks = Vec::with_capacity(27);
        for (index, pos) in pos.moore_neighbourhood().enumerate() {
            chunks.push(if index == MOORE_CENTRE { chunk.clone() } else { world.chunk(pos)? });
        }
        let fills =
            chunks.iter().map(|chunk| one_fill(chunk, materials, ignores_liquids)).collect();
        Ok(ChunksAround { pos, chunks, fills })
    }

    /// Fill of all voxels of all 27 chunks, if they have only one.
    pub fn one_fill(&self) -> Option<i16> {
        let first = self.fills[MOORE_CENTRE]?;
        self.fills.iter().all(|fill| *fill == Some(first)).then_some(first)
    }

    /// Voxel at an offset from the chunk's origin, within the 27 chunks.
    pub fn voxel(&self, offset: IVec3) -> Voxel {
        let at = self.pos.origin() + offset;
        let chunk = ChunkPos::containing(at).as_ivec3() - self.pos.as_ivec3();
        self.chunks[neighbour_index(chunk)].get(linear_index(local(at)))
    }

    /// The chunk in the middle.
    pub fn middle(&self) -> &Chunk {
        &self.chunks[MOORE_CENTRE]
    }
}

/// Fill of all voxels of a chunk, if they have only one.
fn one_fill(chunk: &Chunk, materials: &ShapingMaterials, ignores_liquids: bool) -> Option<i16> {
    let mut fills = chunk.values().map(|voxel| materials.window_fill(voxel, ignores_liquids));
    let first = fills.next()?;
    fills.all(|fill| fill == first).then_some(first)
}

/// Fills of a chunk and of some voxels around it.
pub(super) struct FillWindow {
    /// Voxels below and above the chunk.
    halo_y: i32,
    rows: Vec<Row>,
}

impl FillWindow {
    /// Reads the fills of a chunk, of [`HALO`] voxels around it along x and z, and of `halo_y`
    /// voxels, at most 32, below and above it.
    pub fn read(
        around: &ChunksAround,
        halo_y: i32,
        materials: &ShapingMaterials,
        ignores_liquids: bool,
    ) -> FillWindow {
        let count = (CHUNK_SIDE + 2 * halo_y) * (CHUNK_SIDE + 2 * HALO);
        let mut window = FillWindow { halo_y, rows: vec![[0; STRIDE]; count as usize] };
        for (offset, (chunk, fill)) in
            neighbour_offsets().zip(around.chunks.iter().zip(&around.fills))
        {
            window.copy(chunk, offset * CHUNK_SIDE, *fill, materials, ignores_liquids);
        }
        window
    }

    /// Copies the part of a chunk that lies in the window. `from` is the chunk's origin.
    fn copy(
        &mut self,
        chunk: &Chunk,
        from: IVec3,
        fill: Option<i16>,
        materials: &ShapingMaterials,
        ignores_liquids: bool,
    ) {
        if fill == Some(0) {
            return;
        }
        let halo = IVec3::new(HALO, self.halo_y, HALO);
        let low = (-halo).max(from) - from;
        let high = (IVec3::splat(CHUNK_SIDE) + halo).min(from + CHUNK_SIDE) - from;
        if low.cmpge(high).any() {
            return;
        }
        if let Some(fill) = fill {
            for y in low.y..high.y {
                for z in low.z..high.z {
                    let row = self.row_index(from.y + y, from.z + z);
                    self.rows[row][index_of(from.x + low.x)..index_of(from.x + high.x)].fill(fill);
                }
            }
            return;
        }
        let fills: Vec<i16> =
            chunk.values().map(|voxel| materials.window_fill(voxel, ignores_liquids)).collect();
        let mut write = |start: usize, end: usize, code: usize| {
            let fill = fills[code];
            if fill == 0 {
                return;
            }
            let mut at = start;
            while at < end {
                let row_end = (at / SIDE + 1) * SIDE;
                let first = (at as i32 % CHUNK_SIDE).max(low.x);
                let last = ((end.min(row_end) - 1) as i32 % CHUNK_SIDE).min(high.x - 1);
                if first <= last {
                    let z = from.z + (at / SIDE % SIDE) as i32;
                    let row = self.row_index(from.y + (at / LAYER) as i32, z);
                    self.rows[row][index_of(from.x + first)..=index_of(from.x + last)].fill(fill);
                }
                at = row_end;
            }
        };
        let index = |y, z| linear_index(IVec3::Y * y) + z as usize * SIDE;
        if high.z - low.z == CHUNK_SIDE {
            chunk.for_each_coded(index(low.y, 0)..high.y as usize * LAYER, &mut write);
        } else {
            // A few rows of each layer.
            for y in low.y..high.y {
                chunk.for_each_coded(index(y, low.z)..index(y, high.z), &mut write);
            }
        }
    }

    fn row_index(&self, y: i32, z: i32) -> usize {
        ((y + self.halo_y) * (CHUNK_SIDE + 2 * HALO) + z + HALO) as usize
    }

    /// Row at `y` and `z`, counted from the chunk's origin.
    #[inline]
    pub fn row(&self, y: i32, z: i32) -> &Row {
        &self.rows[self.row_index(y, z)]
    }

    /// Fill of a voxel; 0 for fixed ones.
    #[inline]
    pub fn fill(&self, at: IVec3) -> i16 {
        self.row(at.y, at.z)[index_of(at.x)].max(0)
    }

    /// True for fixed voxels.
    #[inline]
    pub fn is_fixed(&self, at: IVec3) -> bool {
        self.row(at.y, at.z)[index_of(at.x)] == FIXED
    }

    /// Range of layers from -1 to 32 outside which all voxels within `reach` of a voxel have one
    /// fill; empty if that is true everywhere.
    pub fn layers_near_changes(&self, reach: i32) -> std::ops::Range<i32> {
        let covered = index_of(-HALO)..index_of(CHUNK_SIDE + HALO);
        let one_fill = |y: i32| {
            let first = self.row(y, -HALO)[covered.start];
            let mut zs = -HALO..CHUNK_SIDE + HALO;
            let same = [first; (CHUNK_SIDE + 2 * HALO) as usize];
            zs.all(|z| self.row(y, z)[covered.clone()] == same).then_some(first)
        };
        let fills: Vec<Option<i16>> = (-HALO..CHUNK_SIDE + HALO).map(one_fill).collect();
        let is_near = |y: &i32| {
            let near = &fills[(y - reach + HALO) as usize..=(y + reach + HALO) as usize];
            near[0].is_none() || near.iter().any(|fill| *fill != near[0])
        };
        let Some(first) = (-1..=CHUNK_SIDE).find(is_near) else { return 0..0 };
        let last = (-1..=CHUNK_SIDE).rev().find(is_near).unwrap_or(first);
        first..last + 1
    }
}

/// Voxels per row of a chunk.
const SIDE: usize = CHUNK_SIDE as usize;
/// Voxels per layer of a chunk.
const LAYER: usize = SIDE * SIDE;
