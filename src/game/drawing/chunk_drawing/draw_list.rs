//! The chunks that a view draws, as draw records in drawing order.

use crate::game::drawing::chunk_drawing::chunk_pool::{
    ChunkPool, PooledChunk, QuadCounts, WordWrite, part,
};
use crate::game::drawing::chunk_drawing::quad_indices::QUAD_INDICES;
use crate::game::drawing::chunk_drawing::translucent_order::chunk_distance;
use bevy::math::Mat4;
use bevy::prelude::{IVec3, Vec3, Vec4};
use stonerun_engine::voxel::{CHUNK_SIDE, ChunkPos};

/// Lists whose nearest chunks are drawn first.
const NEAREST_FIRST: [usize; 3] = [part::OPAQUE, part::CUTOUT, part::SURFACE];

/// One draw: the arguments of an indexed indirect draw call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct DrawRecord {
    /// Number of indices.
    pub indices: u32,
    /// Number of instances, always 1.
    pub instances: u32,
    /// Position of the first index, always 0.
    pub first_index: u32,
    /// Number added to each index, always 0.
    pub base_vertex: u32,
    /// The chunk's first unit in the buffer; the shader's instance index.
    pub chunk: u32,
}

impl DrawRecord {
    /// Bytes of a record.
    pub const BYTES: usize = size_of::<DrawRecord>();

    fn new(chunk: &PooledChunk, quads: u32) -> DrawRecord {
        DrawRecord {
            indices: quads * QUAD_INDICES,
            instances: 1,
            first_index: 0,
            base_vertex: 0,
            chunk: chunk.start,
        }
    }

    /// The arguments as bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; DrawRecord::BYTES] {
        let words = [self.indices, self.instances, self.first_index, self.base_vertex, self.chunk];
        let words = words.map(u32::to_le_bytes);
        // A record has five words of four bytes.
        std::array::from_fn(|i| words[i / 4][i % 4])
    }
}

/// The point of view that chunks are drawn from.
#[derive(Clone, Copy, Debug)]
pub struct ViewPoint {
    /// Transform from positions relative to the render origin to clip space.
    pub clip_from_world: Mat4,
    /// Eye, relative to the render origin.
    pub eye: Vec3,
    /// The render origin, in voxels.
    pub origin: IVec3,
    /// False to draw chunks outside the view, too.
    pub cull: bool,
    /// True for the shadow map of a light. Chunks that the camera does not see are then drawn, too,
    /// because their shadows may be visible; translucent quads are not.
    pub is_light: bool,
}

/// The records of a view.
#[derive(Clone, Default, Debug)]
pub struct DrawList {
    /// Records of each list: opaque, cut-out and surface, nearest first; translucent, farthest
    /// first.
    pub records: [Vec<DrawRecord>; 4],
    /// Chunks drawn.
    pub chunks: u32,
    /// Quads drawn.
    pub quads: QuadCounts,
}

impl DrawList {
    /// Collects the visible chunks in view. Translucent quads whose order has become wrong are
    /// sorted and passed to `write`. They have one order, for the camera that was collected last:
    /// cameras in different places at the same time are not supported.
    pub fn new(
        pool: &mut ChunkPool,
        view: &ViewPoint,
        mut write: impl FnMut(WordWrite),
    ) -> DrawList {
        let planes = frustum_planes(&view.clip_from_world);
        // Chunks between a light and the near plane of its shadow map cast shadows, too.
        let planes = if view.is_light { &planes[..4] } else { &planes[..] };
        let eye_chunk = ChunkPos::containing(view.origin + view.eye.floor().as_ivec3()).as_ivec3();
        let mut list = DrawList::default();
        let mut order: [Vec<(u32, u32)>; 4] = Default::default();
        let mut translucent = Vec::new();
        for (i, chunk) in pool.chunks.iter_mut().enumerate() {
            let corner = (chunk.pos.origin() - view.origin).as_vec3();
            let hidden = !chunk.visible && !view.is_light;
            if hidden || view.cull && !touches(planes, corner) {
                continue;
            }
            list.chunks += 1;
            let from_eye = chunk.pos.as_ivec3() - eye_chunk;
            for number in NEAREST_FIRST {
                if chunk.quads[number] > 0 {
                    order[number].push((from_eye.length_squared() as u32, i as u32));
                }
            }
            if chunk.is_translucent() && !view.is_light {
                if let Some(sorted) = chunk.sort_translucent(view.eye - corner) {
                    write(sorted);
                }
                translucent.push((chunk_distance(from_eye), i as u32));
            }
        }
        for number in NEAREST_FIRST {
            let order = &mut order[number];
            order.sort_unstable();
            list.add(number, order.iter().map(|&(_, i)| &pool.chunks[i as usize]));
        }
        translucent.sort_unstable_by(|a, b| b.cmp(a));
        list.add(part::TRANSLUCENT, translucent.iter().map(|&(_, i)| &pool.chunks[i as usize]));
        list
    }

    fn add<'a>(&mut self, number: usize, chunks: impl Iterator<Item = &'a PooledChunk>) {
        for chunk in chunks {
            self.quads[number] += chunk.quads[number];
            self.records[number].push(DrawRecord::new(chunk, chunk.quads[number]));
        }
    }
}

/// The left, right, lower, upper and near planes. There is no far plane: depth is reversed and
/// infinite.
fn frustum_planes(clip_from_world: &Mat4) -> [Vec4; 5] {
    let [x, y, z, w] = [0, 1, 2, 3].map(|row| clip_from_world.row(row));
    [w + x, w - x, w + y, w - y, w - z]
}

/// True if the chunk with this lowest corner is not wholly outside one of the planes.
fn touches(planes: &[Vec4], corner: Vec3) -> bool {
    planes.iter().all(|plane| {
        let farthest = Vec3::select(
            plane.truncate().cmpge(Vec3::ZERO),
            Vec3::splat(CHUNK_SIDE as f32),
            Vec3::ZERO,
        );
        plane.dot((corner + farthest).extend(1.0)) >= 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::drawing::chunk_drawing::DrawnMesh;
    use stonerun_engine::light::LightBricks;
    use stonerun_engine::mesh::{FaceMaterials, build};
    use stonerun_engine::random::Random;
    use stonerun_engine::voxel::{MaterialTable, Voxel};
    use stonerun_engine::world::{Chunk, World};

    /// A vector in the cube from -1 to 1.
    fn vector(random: &mut Random) -> Vec3 {
        Vec3::from_array([(); 3].map(|()| (random.draw() >> 40) as f32 / (1 << 23) as f32 - 1.0))
    }

    #[test]
    fn chunk_with_a_point_in_view_touches_it() {
        let mut random = Random::new(7);
        let mut seen = 0;
        let mut rejected = 0;
        for _ in 0..2000 {
            let eye = vector(&mut random) * 100.0;
            let towards = Mat4::look_to_rh(eye, vector(&mut random).normalize(), Vec3::Y);
            let clip_from_world = Mat4::perspective_infinite_reverse_rh(1.2, 1.6, 0.1) * towards;
            let planes = frustum_planes(&clip_from_world);
            let corner = vector(&mut random) * 200.0;
            let is_seen = (0..27).any(|i| {
                let part = Vec3::new((i % 3) as f32, (i / 3 % 3) as f32, (i / 9) as f32) / 2.0;
                let at = clip_from_world * (corner + part * CHUNK_SIDE as f32).extend(1.0);
                at.w > 0.0
                    && at.x.abs() <= at.w
                    && at.y.abs() <= at.w
                    && (0.0..=at.w).contains(&at.z)
            });
            let touches = touches(&planes, corner);
            assert!(touches || !is_seen, "{eye} {corner}");
            seen += u32::from(is_seen);
            rejected += u32::from(!touches);
        }
        assert!(seen > 100 && rejected > 1000, "{seen} {rejected}");
    }

    #[test]
    fn records_are_sorted_and_a_light_draws_hidden_chunks_but_nothing_translucent() {
        let table = MaterialTable::builtin();
        let block = |name| Voxel::full(table.find(name).unwrap());
        let mut world = World::new();
        let layers = [
            (1024, block("stone")),
            (1024, block("oak_leaves")),
            (1024, block("water")),
            (29_696, Voxel::AIR),
        ];
        let row = || (0..6).map(|x| ChunkPos::new(x, 0, 0));
        for pos in row() {
            drop(world.insert(pos, Chunk::from_runs(layers)));
        }
        let face_materials = FaceMaterials::new(&table);
        let mut pool = ChunkPool::default();
        pool.grow(4096);
        for pos in row() {
            let mesh = build(pos, &world.neighbourhood(pos).borrowed(), &face_materials);
            let mut mesh = DrawnMesh::new(mesh, Vec3::ZERO);
            pool.put(pos, &mut mesh, &LightBricks::Sunlit, false, pos.x != 4, |_| {}).unwrap();
        }
        let eye = Vec3::new(2.5 * CHUNK_SIDE as f32, 9.0, 16.0);
        let view = ViewPoint {
            clip_from_world: Mat4::IDENTITY,
            eye,
            origin: IVec3::ZERO,
            cull: false,
            is_light: false,
        };
        let places = |pool: &ChunkPool, records: &[DrawRecord]| -> Vec<i32> {
            let chunk = |record: &DrawRecord| {
                pool.chunks.iter().find(|chunk| chunk.start == record.chunk).unwrap()
            };
            records.iter().map(|record| (chunk(record).pos.x - 2).abs()).collect()
        };
        let list = DrawList::new(&mut pool, &view, |_| {});
        for (number, expected) in
            [[0, 1, 1, 2, 3], [0, 1, 1, 2, 3], [3, 2, 1, 1, 0]].into_iter().enumerate()
        {
            assert_eq!(places(&pool, &list.records[number]), expected, "list {number}");
        }
        let light = DrawList::new(&mut pool, &ViewPoint { is_light: true, ..view }, |_| {});
        assert_eq!(light.records.map(|records| records.len()), [6, 6, 0, 0]);
        let quads: u32 = pool.chunks.iter().map(|chunk| chunk.quads[0]).sum();
        assert_eq!(light.quads[0], quads);
    }
}
