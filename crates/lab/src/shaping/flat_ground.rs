//! The rival: a box of ground as flat arrays, smoothed by a separable box filter.
//!
//! Loops run on all cores over layers, and the compiler vectorises them. A layer's sums stay in the
//! cache until the layers around it are summed, so the filter reads and writes memory once.

use glam::IVec3;
use rayon::prelude::*;
use stonerun_engine::edit::shaping::ShapingMaterials;
use stonerun_engine::voxel::{Box3, ChunkPos, Face, Voxel, linear_index, local};
use stonerun_engine::world::{Chunk, World};

/// Voxels that are read around the box: two for the filter, and one for the look at neighbours.
const MARGIN: i32 = 3;
/// Voxels to each side that the filter covers.
const REACH: usize = 2;
/// Side of the filter.
const SIDE: usize = 2 * REACH + 1;
/// Voxels of a layer of the filter.
const AREA: i32 = (SIDE * SIDE) as i32;
/// Fill of voxels that never change.
const FIXED: i16 = -1;
/// Layers that a task smooths.
const TASK_LAYERS: usize = 32;

/// A box of ground, x fastest, then z, then y.
pub(super) struct FlatGround {
    /// Box that is smoothed.
    region: Box3,
    /// Box that is read.
    area: Box3,
    side: usize,
    voxels: Vec<Voxel>,
    fills: Vec<i16>,
    smoothed: Vec<i16>,
}

impl FlatGround {
    /// Empty arrays for a cube. Their memory is touched.
    pub fn new(region: Box3) -> FlatGround {
        let area = Box3 { min: region.min - MARGIN, max: region.max + MARGIN };
        let side = area.size().x as usize;
        let len = side.pow(3);
        FlatGround {
            region,
            area,
            side,
            voxels: vec![Voxel::full(1); len],
            fills: vec![1; len],
            smoothed: vec![1; len],
        }
    }

    /// Reads the voxels of a world, and their fills.
    pub fn read(&mut self, world: &World, materials: &ShapingMaterials) {
        let area = self.area;
        let side = self.side;
        let layer = side * side;
        let layers = self.voxels.par_chunks_mut(layer).zip(self.fills.par_chunks_mut(layer));
        layers.enumerate().for_each(|(number, (voxels, fills))| {
            let y = area.min.y + number as i32;
            let corners = Box3 { min: area.min.with_y(y), max: area.max.with_y(y + 1) };
            for pos in corners.chunks() {
                let Some(chunk) = world.chunk(pos) else { continue };
                let part = corners.intersection(pos.bounds());
                let values: Vec<(Voxel, i16)> = chunk
                    .values()
                    .map(|voxel| {
                        let fill = materials.fill(voxel, false);
                        (voxel, fill.map_or(FIXED, |fill| fill as i16))
                    })
                    .collect();
                for z in part.min.z..part.max.z {
                    let first = linear_index(local(IVec3::new(part.min.x, y, z)));
                    let row = (z - area.min.z) as usize * side + (part.min.x - area.min.x) as usize;
                    let range = first..first + part.size().x as usize;
                    chunk.for_each_coded(range, |start, end, code| {
                        let range = row + start - first..row + end - first;
                        voxels[range.clone()].fill(values[code].0);
                        fills[range].fill(values[code].1);
                    });
                }
            }
        });
    }

    /// Smooths the fills of the box.
    pub fn smooth(&mut self) {
        let side = self.side;
        let layer = side * side;
        let fills = &self.fills;
        let margin = MARGIN as usize;
        self.smoothed.par_chunks_mut(TASK_LAYERS * layer).enumerate().for_each(|(task, out)| {
            let first = task * TASK_LAYERS;
            let last = first + out.len() / layer;
            // Sums of 5 x 5 fills of the last five layers.
            let mut sums = vec![vec![0i16; layer]; SIDE];
            let mut rows = vec![vec![0i16; side]; SIDE];
            for y in first.max(REACH) - REACH..(last + REACH).min(side) {
                sum_layer(&fills[y * layer..][..layer], side, &mut rows, &mut sums[y % SIDE]);
                let Some(middle) = y.checked_sub(REACH).filter(|y| (first..last).contains(y))
                else {
                    continue;
                };
                let out = &mut out[(middle - first) * layer..][..layer];
                let before = &fills[middle * layer..][..layer];
                if (margin..side - margin).contains(&middle) {
                    steep(&sums, before, side, out);
                } else {
                    out.copy_from_slice(before);
                }
            }
            for y in (first..last).filter(|&y| y < REACH || y + REACH >= side) {
                let out = &mut out[(y - first) * layer..][..layer];
                out.copy_from_slice(&fills[y * layer..][..layer]);
            }
        });
    }

    /// The changed chunks of the world, sorted by position.
    pub fn write(&self, world: &World, materials: &ShapingMaterials) -> Vec<(ChunkPos, Chunk)> {
        let mut positions: Vec<ChunkPos> = self.region.chunks().collect();
        positions.sort_unstable();
        let changed = |pos: ChunkPos| {
            let part = self.region.intersection(pos.bounds());
            let mut changes = Vec::new();
            for y in part.min.y..part.max.y {
                for z in part.min.z..part.max.z {
                    let start = IVec3::new(part.min.x, y, z);
                    let row = self.index(start);
                    let len = part.size().x as usize;
                    if self.fills[row..row + len] == self.smoothed[row..row + len] {
                        // Dust can only be new next to a change, but that may be in another row.
                        if self.fills[row..row + len].iter().all(|&fill| fill <= 0 || fill > 127) {
                            continue;
                        }
                    }
                    let first = linear_index(local(start));
                    for x in 0..len {
                        let at = start + IVec3::X * x as i32;
                        if let Some(voxel) = self.new_voxel(at, materials) {
                            changes.push((first + x..first + x + 1, voxel));
                        }
                    }
                }
            }
            if changes.is_empty() {
                return None;
            }
            let mut chunk = world.chunk(pos)?.clone();
            chunk.set_ranges(changes);
            Some((pos, chunk))
        };
        positions.into_par_iter().filter_map(changed).collect()
    }

    fn index(&self, at: IVec3) -> usize {
        let offset = (at - self.area.min).as_usizevec3();
        (offset.y * self.side + offset.z) * self.side + offset.x
    }

    /// Voxel after smoothing, if it changes.
    fn new_voxel(&self, at: IVec3, materials: &ShapingMaterials) -> Option<Voxel> {
        let index = self.index(at);
        let before = self.fills[index];
        let mut after = self.smoothed[index];
        if 0 < after && after < 128 {
            let neighbours = Face::ALL.map(|face| self.index(at + face.normal()));
            let is_dust = neighbours.iter().all(|&index| self.smoothed[index] < 128);
            let changes = |index: usize| self.smoothed[index] != self.fills[index];
            if is_dust && (changes(index) || neighbours.into_iter().any(changes)) {
                after = 0;
            }
        }
        if after == before {
            return None;
        }
        let source = if before > 0 || after == 0 { at } else { self.nearest_ground(at) };
        let ground = self.voxels[self.index(source)].material();
        // A smoothed fill is never negative.
        Some(materials.reshaped(self.voxels[index], ground, after.unsigned_abs()))
    }

    /// Nearest ground within the reach of the filter.
    fn nearest_ground(&self, at: IVec3) -> IVec3 {
        let reach = REACH as i32;
        let mut nearest = at;
        let mut distance = i32::MAX;
        for y in -reach..=reach {
            for z in -reach..=reach {
                for x in -reach..=reach {
                    let by = IVec3::new(x, y, z);
                    if by.length_squared() < distance && self.fills[self.index(at + by)] > 0 {
                        distance = by.length_squared();
                        nearest = at + by;
                    }
                }
            }
        }
        nearest
    }
}

/// Sums of 5 x 5 fills around each voxel of a layer, less half of a full sum. `rows` is a buffer.
fn sum_layer(fills: &[i16], side: usize, rows: &mut [Vec<i16>], sums: &mut [i16]) {
    for z in 0..side {
        let fills = &fills[z * side..][..side];
        let row = &mut rows[z % SIDE];
        for (x, sum) in row[REACH..side - REACH].iter_mut().enumerate() {
            let mut total = 0;
            for fill in &fills[x..x + SIDE] {
                total += fill.max(&0);
            }
            *sum = total;
        }
        if z + 1 < SIDE {
            continue;
        }
        let sums = &mut sums[(z - REACH) * side..][..side];
        sums.fill(-128 * AREA as i16);
        for row in rows.iter() {
            for (sum, part) in sums.iter_mut().zip(row) {
                *sum += part;
            }
        }
    }
}

/// Smoothed fills of a layer from the sums of the layers around it; the margin keeps its fills.
fn steep(sums: &[Vec<i16>], before: &[i16], side: usize, out: &mut [i16]) {
    let margin = MARGIN as usize;
    out.copy_from_slice(before);
    for z in margin..side - margin {
        let range = z * side + margin..(z + 1) * side - margin;
        let sums: [&[i16]; SIDE] = std::array::from_fn(|layer| &sums[layer][range.clone()]);
        let before = &before[range.clone()];
        for (x, out) in out[range].iter_mut().enumerate() {
            let mut sum = 0;
            for layer in sums {
                sum += layer[x];
            }
            let sum = i32::from(sum).clamp(-129 * AREA, 129 * AREA);
            let above = (sum + 129 * AREA + AREA / 2) as u32;
            // 10486 / 2^18 is a little more than 1 / 25: exact for numbers of this size.
            let fill = ((above * 10_486) >> 18) as i32 - 1;
            *out = if before[x] < 0 { FIXED } else { fill.clamp(0, 256) as i16 };
        }
    }
}
