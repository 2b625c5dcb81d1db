//! Obstacles of lines and shafts: occluders, and hidden chunks or sections.

use super::grain::{self, Grain};
use super::layer_rows::{LayerRows, OpenRows, by_chunk};
use super::shaft::VoxelRect;
use crate::visibility::bitset;
use crate::visibility::occluders::Occluders;
use crate::visibility::occlusion_grid::OcclusionGrid;
use crate::voxel::{ChunkPos, local, local_coord};
use glam::{DVec3, IVec3};
use std::cell::OnceCell;
use std::ops::Range;

/// The occluders of the world, as lines from one cell meet them. Voxel coordinates are relative to
/// the corner of the cell's chunk.
pub(crate) struct ShaftOcclusion<'a> {
    pub grid: &'a OcclusionGrid,
    /// Chunk of the cell.
    pub centre: ChunkPos,
    /// Unit of the bits of `open`.
    pub grain: Grain,
    /// The chunks or sections that lines may enter. All others count as rock.
    pub open: Vec<u64>,
    /// Occluders with x and z exchanged, for planes across x, indexed by slot. Computed on first
    /// use.
    transposed: Vec<OnceCell<Occluders>>,
}

impl<'a> ShaftOcclusion<'a> {
    /// Creates the view of `grid` in which lines may enter only `open`, one bit per chunk or
    /// section.
    pub fn new(
        grid: &'a OcclusionGrid,
        centre: ChunkPos,
        grain: Grain,
        open: Vec<u64>,
    ) -> ShaftOcclusion<'a> {
        ShaftOcclusion {
            grid,
            centre,
            grain,
            open,
            transposed: vec![OnceCell::new(); grid.index().len()],
        }
    }

    /// Position of a chunk or section, in chunks or sections from the corner of the cell's chunk.
    pub fn offset(&self, index: usize) -> IVec3 {
        let (slot, section) = self.grain.parts(index);
        let chunk = self.grid.index().position(slot).as_ivec3() - self.centre.as_ivec3();
        self.grain.offset(chunk, section)
    }

    /// The bit of the chunk or section at a position; `None` if it is outside the box.
    pub fn index(&self, offset: IVec3) -> Option<usize> {
        let (chunk, section) = self.grain.split(offset);
        Some(self.grain.index(self.grid.index().slot(self.centre.offset(chunk))?, section))
    }

    /// Slot of the chunk that contains a voxel.
    #[inline]
    fn slot(&self, voxel: IVec3) -> Option<usize> {
        self.grid.index().slot(self.centre.offset(ChunkPos::containing(voxel).as_ivec3()))
    }

    /// Follows a line from voxel to voxel until it enters the chunk or section `target`, and adds
    /// the chunks or sections entered before the first occluder to `seen`. Calls `on_hit` for each
    /// occluder with the axis and the plane through which the line enters it, and continues while
    /// that returns true. Returns the part of the line's length up to the first occluder.
    pub fn walk(
        &self,
        from: DVec3,
        to: DVec3,
        target: usize,
        seen: &mut [u64],
        mut on_hit: impl FnMut(usize, i32) -> bool,
    ) -> f64 {
        let line = to - from;
        let inverse = line.abs().recip();
        let step = line.signum().as_ivec3();
        // A line that starts on a border starts in the voxel that it enters.
        let mut voxel = (from + line * 1e-12).floor().as_ivec3();
        let mut next = DVec3::from_array(std::array::from_fn(|axis| {
            if line[axis] == 0.0 {
                return f64::INFINITY;
            }
            let border =
                if line[axis] > 0.0 { f64::from(voxel[axis] + 1) } else { f64::from(voxel[axis]) };
            (border - from[axis]).abs() * inverse[axis]
        }));
        let shift = self.grain.shift();
        let mut pos = IVec3::MAX;
        let mut occluders = &Occluders::None;
        let mut clear = true;
        let mut reached = 1.0;
        let mut now = 0.0;
        let mut axis = 0;
        loop {
            if voxel >> shift != pos {
                pos = voxel >> shift;
                // Lines between two chunks of the box do not leave it, so this is a safeguard.
                let Some(slot) = self.slot(voxel) else { break };
                let index = self.grain.index(slot, self.grain.split(pos).1);
                if clear {
                    bitset::insert(seen, index);
                }
                if index == target {
                    break;
                }
                let is_open = bitset::contains(&self.open, index);
                occluders =
                    if is_open { &self.grid.chunk(slot).occluders } else { &Occluders::All };
            }
            if occluders.hides(local(voxel)) {
                if clear {
                    clear = false;
                    reached = now;
                }
                if now > 0.0 && !on_hit(axis, voxel[axis] + i32::from(step[axis] < 0)) {
                    break;
                }
            }
            axis = next.min_position();
            if next[axis] > 1.0 {
                break;
            }
            now = next[axis];
            voxel[axis] += step[axis];
            next[axis] += inverse[axis];
        }
        reached
    }

    /// The smallest rectangle around the open voxels of `section`, a part of a plane across `axis`.
    /// A voxel must be open in all `layers`: in both layers at the plane, or in the only one given.
    /// Returns `None` if nothing is open.
    pub fn opening(
        &self,
        axis: usize,
        layers: &Range<i32>,
        section: VoxelRect,
    ) -> Option<VoxelRect> {
        match axis {
            0 => self.opening_across::<0>(layers, section),
            1 => self.opening_across::<1>(layers, section),
            _ => self.opening_across::<2>(layers, section),
        }
    }

    #[inline]
    fn opening_across<const A: usize>(
        &self,
        layers: &Range<i32>,
        section: VoxelRect,
    ) -> Option<VoxelRect> {
        // Index of the plane's axis that counts rows, and of the axis that counts the bits of a
        // row.
        let (row, bit) = if A == 2 { (1, 0) } else { (0, 1) };
        let row_axis = (A + 1 + row) % 3;
        let bit_axis = (A + 1 + bit) % 3;
        let mut all = VoxelRect { from: [i32::MAX; 2], to: [i32::MIN; 2] };
        for rows in by_chunk(section.from[row], section.to[row]) {
            for bits in by_chunk(section.from[bit], section.to[bit]) {
                let layer = |layer| {
                    let mut voxel = IVec3::ZERO;
                    voxel[A] = layer;
                    voxel[row_axis] = rows.start;
                    voxel[bit_axis] = bits.start;
                    (self.rows_of::<A>(voxel), local_coord(layer))
                };
                let wanted = u32::MAX >> (32 - bits.len()) << local_coord(bits.start);
                let layers = [layer(layers.start), layer(layers.end - 1)];
                let Some(open) = OpenRows::in_layers::<A>(layers, rows.clone(), wanted) else {
                    continue;
                };
                let start = bits.start & !31;
                all.from[row] = all.from[row].min(open.rows.start);
                all.to[row] = all.to[row].max(open.rows.end);
                all.from[bit] = all.from[bit].min(start + open.bits.trailing_zeros() as i32);
                all.to[bit] = all.to[bit].max(start + 32 - open.bits.leading_zeros() as i32);
            }
        }
        (all.from[0] < all.to[0]).then_some(all)
    }

    /// The occluders of a voxel's chunk, oriented so that a layer across the axis `A` consists of
    /// rows.
    #[inline]
    fn rows_of<const A: usize>(&self, voxel: IVec3) -> LayerRows<'_> {
        let Some(slot) = self.slot(voxel) else { return LayerRows::CLOSED };
        let hidden = self.grain.hidden(&self.open, slot);
        match &self.grid.chunk(slot).occluders {
            _ if hidden == u8::MAX => LayerRows::CLOSED,
            occluders @ Occluders::Some(_) if A == 0 => {
                let occluders = self.transposed[slot].get_or_init(|| occluders.transposed());
                LayerRows { occluders, hidden: grain::transposed(hidden) }
            }
            occluders if A == 0 => LayerRows { occluders, hidden: grain::transposed(hidden) },
            occluders => LayerRows { occluders, hidden },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::visibility::{ChunkOcclusion, PortalGraph};
    use crate::voxel::{Box3, Voxel, linear_offset};
    use crate::world::Chunk;

    #[test]
    fn opening_is_smallest_rectangle_open_in_both_layers() {
        let mut random = Random::new(9);
        let bounds = Box3 { min: IVec3::ZERO, max: IVec3::splat(2) };
        let graph = PortalGraph::new(bounds, |_| {
            let chunk = match random.below(4) {
                0 => Chunk::uniform(Voxel::AIR),
                1 => Chunk::uniform(Voxel::full(1)),
                _ => Chunk::from_runs((0..32768).map(|index| {
                    // Open voxels are rare, so rectangles are small.
                    let at = linear_offset(index);
                    let open = (at.x + 3 * at.y + 5 * at.z) % 7 == 0 && random.below(8) == 0;
                    (1, if open { Voxel::AIR } else { Voxel::full(1) })
                })),
            };
            Some(ChunkOcclusion::from_chunk(&chunk, Voxel::is_full))
        });
        for round in 0..6000 {
            // Every other round has hidden sections.
            let open = if round % 2 == 0 { u64::MAX } else { random.draw() | random.draw() };
            let occlusion = ShaftOcclusion::new(
                graph.occlusion(),
                ChunkPos::default(),
                Grain::Sections,
                vec![open],
            );
            let mut below = |n| random.below(n) as i32;
            let axis = below(3) as usize;
            let plane = 1 + below(62);
            let from = [below(60), below(60)];
            let to = [
                from[0] + 1 + below(64 - from[0] as u32),
                from[1] + 1 + below(64 - from[1] as u32),
            ];
            let layers = if below(4) == 0 { plane..plane + 1 } else { plane - 1..plane + 1 };
            let mut expected: Option<VoxelRect> = None;
            for x in from[0]..to[0] {
                for y in from[1]..to[1] {
                    let open = layers.clone().all(|layer| {
                        let mut voxel = IVec3::ZERO;
                        voxel[axis] = layer;
                        voxel[(axis + 1) % 3] = x;
                        voxel[(axis + 2) % 3] = y;
                        let section = occlusion.index(voxel >> 4).unwrap();
                        bitset::contains(&occlusion.open, section)
                            && !graph.occlusion().hides(voxel)
                    });
                    if open {
                        let all =
                            expected.get_or_insert(VoxelRect { from: [x, y], to: [x + 1, y + 1] });
                        all.from = [all.from[0].min(x), all.from[1].min(y)];
                        all.to = [all.to[0].max(x + 1), all.to[1].max(y + 1)];
                    }
                }
            }
            assert_eq!(
                occlusion.opening(axis, &layers, VoxelRect { from, to }),
                expected,
                "axis {axis}, plane {plane}"
            );
        }
    }

    #[test]
    fn line_along_axis_hits_wall_in_its_way() {
        for axis in 0..3 {
            let unit = IVec3::AXES[axis];
            let bounds = Box3 { min: IVec3::ZERO, max: IVec3::ONE + unit };
            // A wall across the first chunk, at voxel 20.
            let graph = PortalGraph::new(bounds, |pos| {
                let is_wall = |at: IVec3| pos == ChunkPos::default() && at[axis] == 20;
                let voxel =
                    |index| if is_wall(linear_offset(index)) { Voxel::full(1) } else { Voxel::AIR };
                Some(ChunkOcclusion::from_chunk(
                    &Chunk::from_runs((0..32768).map(|index| (1, voxel(index)))),
                    Voxel::is_full,
                ))
            });
            let occlusion = ShaftOcclusion::new(
                graph.occlusion(),
                ChunkPos::default(),
                Grain::Chunks,
                vec![u64::MAX],
            );
            let target = occlusion.index(unit).unwrap();
            // Along voxel borders and through voxel centres, in both directions.
            for across in [16.0, 16.5] {
                let at = |along: f64| {
                    let mut at = DVec3::splat(across);
                    at[axis] = along;
                    at
                };
                let met = |from, to, target| {
                    let mut seen = vec![0];
                    let mut met = Vec::new();
                    let reached =
                        occlusion.walk(at(from), at(to), target, &mut seen, |axis, plane| {
                            met.push((axis, plane));
                            true
                        });
                    (reached, met, bitset::contains(&seen, target))
                };
                assert_eq!(met(16.0, 48.0, target), (0.125, vec![(axis, 20)], false));
                assert_eq!(met(24.0, 48.0, target), (1.0, vec![], true));
                let home = occlusion.index(IVec3::ZERO).unwrap();
                assert_eq!(met(40.0, 8.0, home), (1.0, vec![], true));
            }
        }
    }
}
