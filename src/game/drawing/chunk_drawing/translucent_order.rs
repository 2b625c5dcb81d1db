//! Back-to-front order of a chunk's translucent quads.
//!
//! A ray from the eye moves monotonically along each axis. Level quads divide the chunk into
//! layers. Upright quads are split at these levels and to one voxel's width. Then quads are in
//! order if they are sorted by their layer's distance from the eye, then by their cell's distance
//! along x, then along z: a ray that leaves a layer, or a column of cells, does not come back.
//! Quads in one plane never hide each other, so level quads stay merged.
//!
//! The order depends only on the *zone*: the layer of the eye, and for chunks with upright quads
//! its cell along x and z. All positions beyond one side of the chunk are one zone, so nothing is
//! sorted while the camera moves within a zone.

use glam::{IVec3, Vec3};
use stonerun_engine::mesh::quad::{QuadGrid, STEPS};
use stonerun_engine::mesh::{PackedQuad, Quad};
use stonerun_engine::voxel::CHUNK_SIDE;

/// Position of the eye, as far as it decides the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Zone {
    /// Number of the eye's level or layer: level i has 2 i, the layer below it 2 i - 1.
    y: i32,
    /// Doubled coordinates of the middle of the eye's cell, clamped to the chunk; 0 without
    /// upright quads.
    x: i32,
    z: i32,
}

/// A quad and its place along each axis, comparable with a [`Zone`].
#[derive(Clone, Copy, Debug)]
struct PlacedQuad {
    quad: PackedQuad,
    y: i32,
    x: i32,
    z: i32,
}

/// The translucent quads of a chunk.
#[derive(Clone, Debug, Default)]
pub struct TranslucentQuads {
    quads: Vec<PlacedQuad>,
    /// Heights of level quads in sixteenths, ascending.
    levels: Vec<i16>,
    has_uprights: bool,
}

impl TranslucentQuads {
    /// Splits the translucent quads of a mesh.
    #[must_use]
    pub fn new(list: &[PackedQuad]) -> TranslucentQuads {
        let quads: Vec<Quad> = list.iter().map(|quad| quad.unpack()).collect();
        let (level, upright): (Vec<Quad>, Vec<Quad>) =
            quads.into_iter().partition(|quad| matches!(quad.face, 2 | 3));
        let mut levels: Vec<i16> = level.iter().map(|quad| quad.y).collect();
        levels.sort_unstable();
        levels.dedup();
        let mut split =
            TranslucentQuads { quads: Vec::new(), levels, has_uprights: !upright.is_empty() };
        for quad in level {
            let y = split.layer_above(quad.y) - 1;
            split.quads.push(PlacedQuad { quad: quad.pack(), y, x: 0, z: 0 });
        }
        for quad in upright {
            split.add_upright(quad);
        }
        split
    }

    /// Number of quads after splitting.
    #[must_use]
    pub fn len(&self) -> usize {
        self.quads.len()
    }

    /// True if `other` holds the same quads, in any order.
    #[must_use]
    pub fn same_quads(&self, other: &TranslucentQuads) -> bool {
        let sorted = |quads: &TranslucentQuads| {
            let mut packed: Vec<u64> = quads.quads.iter().map(|placed| placed.quad.0).collect();
            packed.sort_unstable();
            packed
        };
        self.len() == other.len() && sorted(self) == sorted(other)
    }

    /// Number of the layer that begins at or contains `y`.
    fn layer_above(&self, y: i16) -> i32 {
        2 * self.levels.partition_point(|&level| level <= y) as i32 - 1
    }

    fn add_upright(&mut self, quad: Quad) {
        let mut low = quad.y;
        let end = quad.y + quad.height as i16;
        while low < end {
            let next = self.levels.partition_point(|&level| level <= low);
            let high = self.levels.get(next).map_or(end, |&level| level.min(end));
            let along_z = quad.face < 2;
            // Quads on the grid of sixteenths lie within one voxel.
            let (parts, width) = match quad.grid {
                QuadGrid::Voxels => (u16::from(quad.width), 1),
                QuadGrid::Sixteenths => (1, quad.width),
            };
            for i in 0..parts {
                let (x, z) = if along_z { (quad.x, quad.z + i) } else { (quad.x + i, quad.z) };
                let part = Quad { x, z, y: low, width, height: (high - low) as u16, ..quad };
                // Sides of voxels have even numbers, and voxels odd ones.
                let [x, z] = [x, z].map(|at| {
                    let steps = i32::from(at) * i32::from(quad.grid.steps());
                    let voxel = i32::from(STEPS);
                    steps / voxel * 2 + i32::from(steps % voxel != 0)
                });
                let (x, z) = if along_z { (x, z | 1) } else { (x | 1, z) };
                self.quads.push(PlacedQuad { quad: part.pack(), y: self.layer_above(low), x, z });
            }
            low = high;
        }
    }

    /// The zone of an eye at `eye`, in voxels from the chunk's lowest corner.
    #[must_use]
    pub fn zone(&self, eye: Vec3) -> Zone {
        let sixteenths = eye.y * f32::from(STEPS);
        let below = self.levels.partition_point(|&level| f32::from(level) <= sixteenths);
        let cell = |c: f32| 2 * (c.floor() as i32).clamp(-1, CHUNK_SIDE) + 1;
        let [x, z] = if self.has_uprights { [cell(eye.x), cell(eye.z)] } else { [0; 2] };
        Zone { y: 2 * below as i32 - 1, x, z }
    }

    /// The quads, in the order of the last [`TranslucentQuads::sort`].
    pub fn quads(&self) -> impl Iterator<Item = PackedQuad> + '_ {
        self.quads.iter().map(|placed| placed.quad)
    }

    /// Puts the quads in order, farthest first for an eye in `zone`. Fast if they are nearly in
    /// order already.
    pub fn sort(&mut self, zone: Zone) {
        let nearness = |quad: &PlacedQuad| {
            let [y, x, z] = [quad.y - zone.y, quad.x - zone.x, quad.z - zone.z].map(i32::abs);
            std::cmp::Reverse((y, x, z))
        };
        self.quads.sort_unstable_by_key(nearness);
    }
}

/// Distance of a chunk from the eye's chunk along y, x and z, in the order of comparison: chunks
/// with a greater distance are never in front of chunks with a smaller one.
#[must_use]
pub fn chunk_distance(from_eye: IVec3) -> [i32; 3] {
    let IVec3 { x, y, z } = from_eye.abs();
    [y, x, z]
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::mesh::{FaceMaterials, build};
    use stonerun_engine::random::Random;
    use stonerun_engine::voxel::{CHUNK_VOLUME, ChunkPos, MaterialTable, Voxel};
    use stonerun_engine::world::{Chunk, World};

    /// A number from 0 to below 1.
    fn unit(random: &mut Random) -> f32 {
        random.below(1 << 20) as f32 / (1 << 20) as f32
    }

    /// A chunk of boxes of water at several heights, ice and air, among air.
    fn world(random: &mut Random, density: u32) -> World {
        let table = MaterialTable::builtin();
        let [water, ice] = ["water", "ice"].map(|name| table.find(name).unwrap());
        let blocks: Vec<Voxel> = (0..512)
            .map(|_| match random.below(density) {
                0 => Voxel::full(ice),
                1 => Voxel::new(water, [63, 127, 223, 255][random.index(4)]),
                2 => Voxel::full(water),
                _ => Voxel::AIR,
            })
            .collect();
        // Blocks of 4 x 4 x 4 voxels, so that faces merge.
        let at = |i: usize| blocks[(i & 31) / 4 + ((i >> 5 & 31) / 4) * 8 + (i >> 10) / 4 * 64];
        let mut world = World::new();
        for pos in ChunkPos::default().moore_neighbourhood() {
            world.insert(pos, Chunk::uniform(Voxel::AIR));
        }
        world.insert(ChunkPos::default(), Chunk::from_runs((0..CHUNK_VOLUME).map(|i| (1, at(i)))));
        world
    }

    /// Distance along a ray at which it hits a quad.
    fn hit(quad: &Quad, eye: Vec3, direction: Vec3) -> Option<f32> {
        let corners = quad.vertices().map(|v| Vec3::from([v.x, v.y, v.z].map(f32::from)) / 16.0);
        let low = corners[0];
        let high = corners[3];
        let axis = (0..3).find(|&axis| low[axis] == high[axis])?;
        let t = (low[axis] - eye[axis]) / direction[axis];
        let at = eye + direction * t;
        let inside = (0..3).all(|i| i == axis || (at[i] >= low[i] && at[i] <= high[i]));
        (t > 0.0 && inside).then_some(t)
    }

    #[test]
    fn quads_on_a_ray_are_drawn_farthest_first() {
        let random = &mut Random::new(3);
        let face_materials = FaceMaterials::new(&MaterialTable::builtin());
        let mut pairs = 0;
        let mut uprights = 0;
        for round in 0..40 {
            let world = world(random, 3 + round % 6);
            let mesh = build(
                ChunkPos::default(),
                &world.neighbourhood(ChunkPos::default()).borrowed(),
                &face_materials,
            );
            let mut translucent = TranslucentQuads::new(&mesh.translucent);
            uprights += usize::from(translucent.has_uprights);
            for _ in 0..20 {
                let eye = Vec3::from_array([0; 3].map(|_| unit(random) * 64.0 - 16.0));
                translucent.sort(translucent.zone(eye));
                let quads: Vec<Quad> = translucent.quads().map(|quad| quad.unpack()).collect();
                for _ in 0..20 {
                    let target = Vec3::from_array([0; 3].map(|_| unit(random) * 32.0));
                    let direction = target - eye;
                    let hits: Vec<f32> =
                        quads.iter().filter_map(|quad| hit(quad, eye, direction)).collect();
                    for pair in hits.windows(2) {
                        assert!(
                            pair[0] >= pair[1] - 1e-4,
                            "round {round}: {eye} to {target}: {hits:?}"
                        );
                        pairs += 1;
                    }
                }
            }
        }
        assert!(pairs > 10_000 && uprights > 30, "{pairs} {uprights}");
    }

    #[test]
    fn splitting_keeps_the_area() {
        let face_materials = FaceMaterials::new(&MaterialTable::builtin());
        let world = world(&mut Random::new(9), 4);
        let mesh = build(
            ChunkPos::default(),
            &world.neighbourhood(ChunkPos::default()).borrowed(),
            &face_materials,
        );
        let area = |list: &mut dyn Iterator<Item = Quad>| {
            list.map(|q| {
                u32::from(q.width)
                    * u32::from(q.height)
                    * if matches!(q.face, 2 | 3) { 16 } else { 1 }
            })
            .sum::<u32>()
        };
        let split = TranslucentQuads::new(&mesh.translucent);
        assert!(split.len() > mesh.translucent.len());
        let whole = area(&mut mesh.translucent.iter().map(|quad| quad.unpack()));
        assert_eq!(area(&mut split.quads.iter().map(|placed| placed.quad.unpack())), whole);
    }

    #[test]
    fn lake_has_two_zones() {
        let lake = Quad {
            grid: QuadGrid::Voxels,
            x: 0,
            z: 0,
            y: 158,
            width: 32,
            face: 2,
            height: 32,
            shaded: false,
            liquid: true,
            halved_sides: 0,
            material: 1,
        };
        let quads = TranslucentQuads::new(&[lake.pack()]);
        let zones: Vec<Zone> = [(0.0, 9.0, 0.0), (300.0, -90.0, 5.0), (4.0, 10.0, 8.0)]
            .map(|(x, y, z)| quads.zone(Vec3::new(x, y, z)))
            .into();
        assert_eq!(zones[0], zones[1]);
        assert_ne!(zones[0], zones[2]);
    }
}
