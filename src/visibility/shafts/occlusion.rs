//! What lines and shafts meet on their way: the voxels that hide, and the chunks or sections that are hidden.

use super::grain::{self, Grain};
use super::shaft::VoxelRect;
use crate::visibility::{Occluders, OcclusionGrid, bitset};
use crate::voxel::{ChunkPos, local, local_coord};
use glam::{DVec3, IVec3};
use std::cell::OnceCell;
use std::ops::Range;

/// The voxels that lines meet. ToroidalIndex are relative to the corner of the cell's chunk.
pub struct ShaftOcclusion<'a> {
    pub sights: &'a OcclusionGrid,
    /// The cell's chunk.
    pub centre: ChunkPos,
    /// What the bits of `open` stand for.
    pub grain: Grain,
    /// A bit for each chunk or section that lines may come to: all others are as good as rock.
    pub open: Vec<u64>,
    /// By place: occluders with x and z exchanged, for planes across x; made when a plane first comes there.
    turned: Vec<OnceCell<Occluders>>,
}

impl<'a> ShaftOcclusion<'a> {
    /// Of chunks of which only that may be seen that is `open`, a bit for each chunk or section.
    pub fn new(sights: &'a OcclusionGrid, centre: ChunkPos, grain: Grain, open: Vec<u64>) -> ShaftOcclusion<'a> {
        ShaftOcclusion { sights, centre, grain, open, turned: vec![OnceCell::new(); sights.index().len()] }
    }

    /// Where a chunk or section lies, in chunks or sections from the corner of the cell's chunk.
    pub fn offset(&self, index: usize) -> IVec3 {
        let (chunk, section) = self.grain.parts(index);
        let chunk = self.sights.index().position(chunk).as_ivec3() - self.centre.as_ivec3();
        self.grain.offset(chunk, section)
    }

    /// The number of the one that lies there; none if it is not in the box.
    pub fn index(&self, offset: IVec3) -> Option<usize> {
        let (chunk, section) = self.grain.split(offset);
        Some(self.grain.index(self.sights.index().slot(self.centre.offset(chunk))?, section))
    }

    /// The place of the chunk that a voxel lies in.
    #[inline]
    fn chunk(&self, voxel: IVec3) -> Option<usize> {
        self.sights.index().slot(self.centre.offset(ChunkPos::containing(voxel).as_ivec3()))
    }

    /// Follows a line from voxel to voxel, until it comes into the chunk or section `target`. Calls `each` for every voxel in
    /// its way, with the axis along which it comes in and the plane that it crosses; goes on if it says so. Returns how far
    /// nothing was in its way, as a part of its length; what lies up to there is seen.
    pub fn walk(
        &self,
        from: DVec3,
        to: DVec3,
        target: usize,
        seen: &mut [u64],
        mut each: impl FnMut(usize, i32) -> bool,
    ) -> f64 {
        let way = to - from;
        let inverse = way.abs().recip();
        let step = way.signum().as_ivec3();
        // A line that starts on a border starts in the voxel it goes into.
        let mut voxel = (from + way * 1e-12).floor().as_ivec3();
        let mut next = DVec3::from_array(std::array::from_fn(|axis| {
            if way[axis] == 0.0 {
                return f64::INFINITY;
            }
            let border = if way[axis] > 0.0 { f64::from(voxel[axis] + 1) } else { f64::from(voxel[axis]) };
            (border - from[axis]).abs() * inverse[axis]
        }));
        let shift = self.grain.shift();
        let mut pos = IVec3::MAX;
        let mut occluders = &Occluders::None;
        let mut clear = true;
        let (mut reached, mut now) = (1.0, 0.0);
        let mut axis = 0;
        loop {
            if voxel >> shift != pos {
                pos = voxel >> shift;
                // Outside of what is known no line goes: it leads from a chunk of it to another.
                let Some(chunk) = self.chunk(voxel) else { break };
                let index = self.grain.index(chunk, self.grain.split(pos).1);
                if clear {
                    bitset::insert(seen, index);
                }
                if index == target {
                    break;
                }
                let is_open = bitset::contains(&self.open, index);
                occluders = if is_open { &self.sights.chunk(chunk).occluders } else { &Occluders::All };
            }
            if occluders.hides(local(voxel)) {
                if clear {
                    (clear, reached) = (false, now);
                }
                if now > 0.0 && !each(axis, voxel[axis] + i32::from(step[axis] < 0)) {
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

    /// The smallest rectangle that holds what is open of `section`, a part of a plane across `axis`, in all of `layers`, the two
    /// beside the plane or one of them; none if nothing is.
    pub fn opening(&self, axis: usize, layers: &Range<i32>, section: VoxelRect) -> Option<VoxelRect> {
        match axis {
            0 => self.opening_across::<0>(layers, section),
            1 => self.opening_across::<1>(layers, section),
            _ => self.opening_across::<2>(layers, section),
        }
    }

    #[inline]
    fn opening_across<const A: usize>(&self, layers: &Range<i32>, section: VoxelRect) -> Option<VoxelRect> {
        // Which of the plane's two axes goes from row to row, and which along a row's bits.
        let (row, bit) = if A == 2 { (1, 0) } else { (0, 1) };
        let (row_axis, bit_axis) = ((A + 1 + row) % 3, (A + 1 + bit) % 3);
        let mut all = VoxelRect { from: [i32::MAX; 2], to: [i32::MIN; 2] };
        for rows in by_chunk(section.from[row], section.to[row]) {
            for bits in by_chunk(section.from[bit], section.to[bit]) {
                let layer = |layer| {
                    let mut voxel = IVec3::ZERO;
                    (voxel[A], voxel[row_axis], voxel[bit_axis]) = (layer, rows.start, bits.start);
                    (self.rows_of::<A>(voxel), local_coord(layer))
                };
                let wanted = u32::MAX >> (32 - bits.len()) << (bits.start & 31);
                let Some(open) =
                    OpenRows::in_layers::<A>([layer(layers.start), layer(layers.end - 1)], rows.clone(), wanted)
                else {
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

    /// The occluders of a voxel's chunk, so turned that a layer across the axis `A` is made of rows.
    #[inline]
    fn rows_of<const A: usize>(&self, voxel: IVec3) -> LayerRows<'_> {
        let Some(chunk) = self.chunk(voxel) else { return LayerRows::NONE };
        let hidden = self.grain.hidden(&self.open, chunk);
        match &self.sights.chunk(chunk).occluders {
            _ if hidden == u8::MAX => LayerRows::NONE,
            occluders @ Occluders::Some(_) if A == 0 => {
                let occluders = self.turned[chunk].get_or_init(|| occluders.transposed());
                LayerRows { occluders, hidden: grain::turned(hidden) }
            }
            occluders if A == 0 => LayerRows { occluders, hidden: grain::turned(hidden) },
            occluders => LayerRows { occluders, hidden },
        }
    }
}

/// The rows of a chunk, and its sections that are hidden: a bit each.
#[derive(Clone, Copy)]
struct LayerRows<'a> {
    occluders: &'a Occluders,
    hidden: u8,
}

impl LayerRows<'_> {
    /// Nothing is open.
    const NONE: LayerRows<'static> = LayerRows { occluders: &Occluders::All, hidden: u8::MAX };

    /// What hides in a row: [`Occluders::row`].
    #[inline]
    fn row(self, y: i32, z: i32) -> u32 {
        self.occluders.row(y, z) | grain::row(self.hidden, y, z)
    }

    /// True if everything is open.
    #[inline]
    fn are_open(self) -> bool {
        self.hidden == 0 && matches!(self.occluders, Occluders::None)
    }
}

/// What is open in a part of a plane: from the first to the last row in which something is, and the bits of all rows together.
struct OpenRows {
    rows: Range<i32>,
    bits: u32,
}

impl OpenRows {
    /// Of the bits `wanted` of `rows`, in two layers across the axis `A`; none if nothing is open.
    #[inline]
    fn in_layers<const A: usize>(layers: [(LayerRows, i32); 2], rows: Range<i32>, wanted: u32) -> Option<OpenRows> {
        if layers.iter().any(|(all, _)| matches!(all.occluders, Occluders::All)) {
            return None;
        }
        if layers.iter().all(|(all, _)| all.are_open()) {
            return Some(OpenRows { rows, bits: wanted });
        }
        let open = |row: i32| {
            let hidden = layers.map(|(all, layer)| match A {
                1 => all.row(layer, local_coord(row)),
                _ => all.row(local_coord(row), layer),
            });
            !(hidden[0] | hidden[1]) & wanted
        };
        let mut left = rows;
        let first = left.find(|&row| open(row) != 0)?;
        let last = left.rfind(|&row| open(row) != 0).unwrap_or(first);
        let mut bits = open(first) | open(last);
        // Those before the last one are left.
        for row in left {
            if bits == wanted {
                break;
            }
            bits |= open(row);
        }
        Some(OpenRows { rows: first..last + 1, bits })
    }
}

/// A range of voxels, chunk by chunk.
#[inline]
fn by_chunk(from: i32, to: i32) -> impl Iterator<Item = Range<i32>> {
    let mut at = from;
    std::iter::from_fn(move || {
        let start = at;
        at = to.min((at | 31) + 1);
        (start < to).then_some(start..at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visibility::{ChunkOcclusion, PortalGraph};
    use crate::voxel::{Box3, Voxel, linear_offset};
    use crate::world::Chunk;

    #[test]
    fn openings_are_what_both_layers_leave_open() {
        let mut random = crate::visibility::test_random::TestRandom::new(9);
        let bounds = Box3 { min: IVec3::ZERO, max: IVec3::splat(2) };
        let window = PortalGraph::new(bounds, |_| {
            let chunk = match random.draw() >> 33 & 3 {
                0 => Chunk::uniform(Voxel::AIR),
                1 => Chunk::uniform(Voxel::full(1)),
                _ => Chunk::from_runs((0..32768).map(|index| {
                    // Openings are rare, so that rectangles are small.
                    let at = linear_offset(index);
                    let open = (at.x + 3 * at.y + 5 * at.z) % 7 == 0 && random.draw() >> 33 & 7 == 0;
                    (1, if open { Voxel::AIR } else { Voxel::full(1) })
                })),
            };
            Some(ChunkOcclusion::from_chunk(&chunk, Voxel::is_full))
        });
        for round in 0..6000 {
            // Now with all open, now with hidden sections.
            let open = if round % 2 == 0 { u64::MAX } else { random.draw() | random.draw() };
            let ground = ShaftOcclusion::new(window.occlusion(), ChunkPos::default(), Grain::Sections, vec![open]);
            let mut below = |n: u64| ((random.draw() >> 33) % n) as i32;
            let (axis, plane) = (below(3) as usize, 1 + below(62));
            let from = [below(60), below(60)];
            let to = [from[0] + 1 + below(64 - from[0] as u64), from[1] + 1 + below(64 - from[1] as u64)];
            let layers = if below(4) == 0 { plane..plane + 1 } else { plane - 1..plane + 1 };
            let mut expected: Option<VoxelRect> = None;
            for x in from[0]..to[0] {
                for y in from[1]..to[1] {
                    let open = layers.clone().all(|layer| {
                        let mut voxel = IVec3::ZERO;
                        (voxel[axis], voxel[(axis + 1) % 3], voxel[(axis + 2) % 3]) = (layer, x, y);
                        let section = ground.index(voxel >> 4).unwrap();
                        bitset::contains(&ground.open, section) && !window.occlusion().hides(voxel)
                    });
                    if open {
                        let all = expected.get_or_insert(VoxelRect { from: [x, y], to: [x + 1, y + 1] });
                        all.from = [all.from[0].min(x), all.from[1].min(y)];
                        all.to = [all.to[0].max(x + 1), all.to[1].max(y + 1)];
                    }
                }
            }
            assert_eq!(ground.opening(axis, &layers, VoxelRect { from, to }), expected, "axis {axis}, plane {plane}");
        }
    }
    #[test]
    fn lines_along_an_axis_meet_what_is_in_their_way() {
        for axis in 0..3 {
            let unit = IVec3::AXES[axis];
            let bounds = Box3 { min: IVec3::ZERO, max: IVec3::ONE + unit };
            // A wall across the first chunk, at voxel 20.
            let window = PortalGraph::new(bounds, |pos| {
                let is_wall = |at: IVec3| pos == ChunkPos::default() && at[axis] == 20;
                let voxel = |index| if is_wall(linear_offset(index)) { Voxel::full(1) } else { Voxel::AIR };
                Some(ChunkOcclusion::from_chunk(
                    &Chunk::from_runs((0..32768).map(|index| (1, voxel(index)))),
                    Voxel::is_full,
                ))
            });
            let ground = ShaftOcclusion::new(window.occlusion(), ChunkPos::default(), Grain::Chunks, vec![u64::MAX]);
            let target = ground.index(unit).unwrap();
            // Between voxels, and in the midst of them; there and back.
            for across in [16.0, 16.5] {
                let at = |along: f64| {
                    let mut at = DVec3::splat(across);
                    at[axis] = along;
                    at
                };
                let met = |from, to, target| {
                    let (mut seen, mut met) = (vec![0], Vec::new());
                    let reached = ground.walk(at(from), at(to), target, &mut seen, |axis, plane| {
                        met.push((axis, plane));
                        true
                    });
                    (reached, met, bitset::contains(&seen, target))
                };
                assert_eq!(met(16.0, 48.0, target), (0.125, vec![(axis, 20)], false));
                assert_eq!(met(24.0, 48.0, target), (1.0, vec![], true));
                let home = ground.index(IVec3::ZERO).unwrap();
                assert_eq!(met(40.0, 8.0, home), (1.0, vec![], true));
            }
        }
    }
}
