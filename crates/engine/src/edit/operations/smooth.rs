//! Smoothing of the surface of a region.

use super::smooth_heights::Heights;
use super::{ChangedVoxels, GroundMaterials};
use crate::bits::set_bits;
use crate::edit::region::{MAX_CHUNKS, Region, RegionError, SIDE};
use crate::edit::search::by_mask::accepted_bits;
use crate::edit::{ChunkSource, EditError, Mask, Operation, VoxelEdit};
use crate::voxel::{Box3, CHUNK_VOLUME, ChunkPos, Voxel, local_coord};
use crate::world::Chunk;
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Maximum height of plants that move with the ground, in voxels. Ground below higher plants does
/// not move.
const MAX_PLANT_HEIGHT: usize = 1024;
/// Voxels per layer of a chunk.
const AREA: usize = SIDE * SIDE;

/// Smooths the heights of the columns in the box around a region by a Gaussian kernel, `iterations`
/// times, and stretches or compresses the columns of the region to their new heights (`//smooth`).
///
/// As in WorldEdit, the height of a column is its highest ground voxel in the box, or the lowest
/// layer of the box if there is none. Columns are scaled between that layer and their height, keep
/// their top voxel, and leave air where they become lower.
///
/// Unlike in WorldEdit, plants stay on the ground, including plants above the region, and trunks
/// and liquids stay in place and are extended down to the ground. Rising ground replaces standing
/// trunks and liquids, but stops below everything else that is not ground, such as leaves. The
/// result counts the columns that stop early, and the columns that stay unchanged because their
/// plants have no room at the new height.
///
/// # Errors
/// The box is too large, a chunk cannot be read, or the job was cancelled.
pub fn smooth(
    edit: &mut VoxelEdit<'_>,
    region: &Region,
    terrain: &GroundMaterials,
    iterations: u32,
) -> Result<ChangedVoxels, EditError> {
    let Some(area) = region.bounds() else { return Ok(ChangedVoxels::default()) };
    if area.in_chunks().volume() > MAX_CHUNKS {
        return Err(RegionError::TooLarge.into());
    }
    let columns: Vec<ChunkPos> =
        area.chunks().filter(|pos| pos.y == area.in_chunks().min.y).collect();
    let before = ground(edit, area, &terrain.ground, &columns)?;
    let mut after = before.heights.clone();
    for _ in 0..iterations {
        let next = after.smoothed();
        if next == after {
            break;
        }
        after = next;
    }
    let scale = |&pos: &ChunkPos| scaled_chunks(edit, region, area, pos, &before, &after, terrain);
    let scaled = edit.progress().map(&columns, scale)?;
    let kept_columns = scaled.iter().map(|column| column.kept_columns).sum();
    let limited_columns = scaled.iter().map(|column| column.limited_columns).sum();
    let chunks = scaled.into_iter().flat_map(|column| column.chunks).collect();
    Ok(ChangedVoxels { voxels: edit.apply(&Replacement(chunks))?, kept_columns, limited_columns })
}

/// A column of chunks after scaling its ground.
#[derive(Default)]
struct ScaledChunks {
    chunks: Vec<(ChunkPos, Chunk)>,
    /// Number of voxel columns left unchanged.
    kept_columns: u64,
    /// Number of voxel columns that rise less than requested.
    limited_columns: u64,
}

/// Outcome of scaling a column of voxels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scaling {
    /// The column has the requested height.
    Whole,
    /// The column stops below something other than ground.
    Limited,
    /// The column is unchanged, because its plants have no room.
    Kept,
}

/// Ground heights in a box.
struct GroundHeights {
    /// Height of the ground in each column; the lowest layer of the box in columns without ground.
    heights: Heights,
    /// True for columns with ground, in the order of `heights`.
    is_found: Vec<bool>,
}

/// A column of voxels to scale.
#[derive(Clone, Copy)]
struct ScaledColumn {
    /// Index of the column in a chunk's layer.
    index: usize,
    /// Ground height before scaling.
    from: i32,
    /// Ground height after scaling.
    to: i32,
}

/// An operation that replaces whole chunks.
struct Replacement(FxHashMap<ChunkPos, Chunk>);

impl Operation for Replacement {
    fn chunks(&self) -> Vec<ChunkPos> {
        self.0.keys().copied().collect()
    }

    fn apply(
        &self,
        pos: ChunkPos,
        chunk: &Chunk,
        _world: &dyn ChunkSource,
    ) -> Result<Chunk, EditError> {
        Ok(self.0.get(&pos).unwrap_or(chunk).clone())
    }
}

/// Finds the ground heights in a box. `columns` are the lowest chunks of the box.
fn ground(
    edit: &VoxelEdit<'_>,
    area: Box3,
    terrain: &Mask,
    columns: &[ChunkPos],
) -> Result<GroundHeights, EditError> {
    let found =
        edit.progress().map(columns, |&lowest| chunk_heights(edit, area, terrain, lowest))?;
    let size = area.size();
    let count = (size.x * size.z) as usize;
    let mut heights = Heights { width: size.x as usize, values: vec![area.min.y; count] };
    let mut is_found = vec![false; count];
    for (lowest, found) in columns.iter().zip(found) {
        for (index, height) in found.into_iter().enumerate() {
            let at = lowest.origin() + IVec3::new((index % SIDE) as i32, 0, (index / SIDE) as i32);
            if let Some((column, height)) = column_index(area, at).zip(height) {
                heights.values[column] = height;
                is_found[column] = true;
            }
        }
    }
    Ok(GroundHeights { heights, is_found })
}

/// Index in [`Heights`] of the column at x and z; `None` outside the box.
fn column_index(area: Box3, at: IVec3) -> Option<usize> {
    let from = at - area.min;
    let size = area.size();
    let is_inside = (0..size.x).contains(&from.x) && (0..size.z).contains(&from.z);
    is_inside.then(|| (from.z * size.x + from.x) as usize)
}

/// Ground heights of the 32 x 32 columns of a column of chunks, x fastest, then z; `None` for
/// columns without ground.
fn chunk_heights(
    edit: &VoxelEdit<'_>,
    area: Box3,
    terrain: &Mask,
    lowest: ChunkPos,
) -> Result<Vec<Option<i32>>, EditError> {
    let mut heights = vec![None; AREA];
    // Columns whose height was found, by z.
    let mut found = [0u32; SIDE];
    for y in chunk_layers(area).rev() {
        let pos = ChunkPos { y, ..lowest };
        let bits = accepted_bits(terrain, pos, &edit.chunk(pos)?, edit)?;
        let layers = area.intersection(pos.bounds());
        for height in (layers.min.y..layers.max.y).rev() {
            let rows = &bits.rows()[local_coord(height) as usize * SIDE..][..SIDE];
            for (z, (&row, found)) in rows.iter().zip(&mut found).enumerate() {
                let new = row & !*found;
                *found |= new;
                for x in set_bits(new) {
                    heights[z * SIDE + x as usize] = Some(height);
                }
            }
        }
        if found == [u32::MAX; SIDE] {
            break;
        }
    }
    Ok(heights)
}

/// Range of y, in chunks, of a box.
fn chunk_layers(area: Box3) -> Range<i32> {
    let chunks = area.in_chunks();
    chunks.min.y..chunks.max.y
}

/// Columns of a column of chunks that belong to the region and whose height changes.
fn columns_to_scale(
    region: &Region,
    area: Box3,
    lowest: ChunkPos,
    before: &GroundHeights,
    after: &Heights,
) -> Vec<ScaledColumn> {
    // Columns with a voxel in the region, by z.
    let mut in_region = [0u32; SIDE];
    for y in chunk_layers(area) {
        let pos = ChunkPos { y, ..lowest };
        if region.has_chunk(pos) {
            for (row, word) in region.bits(pos).rows().iter().enumerate() {
                in_region[row % SIDE] |= word;
            }
        }
    }
    let mut columns = Vec::new();
    for index in 0..AREA {
        let x = index % SIDE;
        let z = index / SIDE;
        let Some(at) = column_index(area, lowest.origin() + IVec3::new(x as i32, 0, z as i32))
        else {
            continue;
        };
        let from = before.heights.values[at];
        let to = after.values[at].min(area.max.y - 1);
        // A column without ground has nothing to raise.
        if in_region[z] >> x & 1 == 1 && from != to && before.is_found[at] {
            columns.push(ScaledColumn { index, from, to });
        }
    }
    columns
}

/// Scales those columns of a column of chunks that belong to the region.
fn scaled_chunks(
    edit: &VoxelEdit<'_>,
    region: &Region,
    area: Box3,
    lowest: ChunkPos,
    before: &GroundHeights,
    after: &Heights,
    terrain: &GroundMaterials,
) -> Result<ScaledChunks, EditError> {
    let columns = columns_to_scale(region, area, lowest, before, after);
    if columns.is_empty() {
        return Ok(ScaledChunks::default());
    }
    let mut voxels = Vec::new();
    let mut next = lowest;
    let layer = |height: i32| (height - lowest.origin().y) as usize;
    while next.in_world()
        && columns.iter().any(|column| {
            let heights = [layer(column.from), layer(column.to)];
            top_layer(&voxels, column.index, heights, terrain) >= voxels.len() / AREA
        })
    {
        let chunk = edit.chunk(next)?;
        for run in chunk.runs() {
            voxels.resize(voxels.len() + run.len as usize, run.voxel);
        }
        next = next.offset(IVec3::Y);
    }
    let base = layer(area.min.y);
    let mut scaled = ScaledChunks::default();
    for ScaledColumn { index, from, to } in columns {
        let heights = [from, to].map(|height| (height - area.min.y) as usize);
        match scale_column(&mut voxels[base * AREA + index..], heights, terrain) {
            Scaling::Whole => {}
            Scaling::Limited => scaled.limited_columns += 1,
            Scaling::Kept => scaled.kept_columns += 1,
        }
    }
    let chunks = voxels.chunks_exact(CHUNK_VOLUME).zip(lowest.y..next.y);
    let chunk = |(voxels, y): (&[Voxel], i32)| {
        let voxels = voxels.try_into().expect("slices of a chunk's length");
        (ChunkPos { y, ..lowest }, Chunk::from_voxels(voxels))
    };
    Ok(ScaledChunks { chunks: chunks.map(chunk).collect(), ..scaled })
}

/// Highest layer that scaling a column reads: the layer above its plants, before or after scaling.
/// If `voxels` ends inside the plants, assumes that they end in the next layer.
fn top_layer(
    voxels: &[Voxel],
    index: usize,
    [from, to]: [usize; 2],
    terrain: &GroundMaterials,
) -> usize {
    let plants = voxels.iter().skip((from + 1) * AREA + index).step_by(AREA).take(MAX_PLANT_HEIGHT);
    let plants = plants.take_while(|&&voxel| terrain.is_plant(voxel)).count();
    from.max(to) + plants + 1
}

/// Scales one column. `voxels` starts at the column's lowest voxel and has one voxel of the column
/// per layer, `AREA` apart; heights are counted from there.
fn scale_column(
    voxels: &mut [Voxel],
    [from, wanted]: [usize; 2],
    terrain: &GroundMaterials,
) -> Scaling {
    let top = voxels[from * AREA];
    let above = |y: usize| voxels.get(y * AREA).copied().unwrap_or(Voxel::AIR);
    let plants: Vec<Voxel> =
        (from + 1..).map(above).take_while(|&voxel| terrain.is_plant(voxel)).collect();
    let is_free = |y: usize| {
        let place = voxels.get(y * AREA);
        place.is_some_and(|&place| place == Voxel::AIR || terrain.is_liquid(place))
    };
    let has_room = plants.len() <= MAX_PLANT_HEIGHT
        && (plants.is_empty() || (from + plants.len() + 1..=wanted + plants.len()).all(is_free));
    if !has_room {
        return Scaling::Kept;
    }
    let mut to = wanted;
    if plants.is_empty() && wanted > from {
        let trunk = (from + 1..=wanted).take_while(|&y| terrain.is_trunk(above(y))).count();
        to = from + trunk + (from + trunk + 1..=wanted).take_while(|&y| is_free(y)).count();
    }
    if to == from {
        return Scaling::Limited;
    }
    // Liquids and trunks are extended down to the lower ground; otherwise a gap of air would
    // remain.
    let gap = match above(from + 1 + plants.len()) {
        over if terrain.is_liquid(over) => Voxel::full(over.material()),
        over if terrain.is_trunk(over) && plants.is_empty() => over,
        _ => Voxel::AIR,
    };
    for y in from + 1..=from + plants.len() {
        voxels[y * AREA] = gap;
    }
    // The order of the copies is such that no voxel is overwritten before it is read.
    if to > from {
        for y in (0..to).rev() {
            voxels[y * AREA] = voxels[y * from / to * AREA];
        }
    } else {
        for y in 0..to {
            voxels[y * AREA] = voxels[y * from / to * AREA];
        }
        for y in to + 1..=from {
            voxels[y * AREA] = gap;
        }
    }
    voxels[to * AREA] = top;
    for (y, plant) in (to + 1..).zip(plants) {
        voxels[y * AREA] = plant;
    }
    if to == wanted { Scaling::Whole } else { Scaling::Limited }
}
