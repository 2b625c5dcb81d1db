//! The smooth ground of a scene as triangles.

use super::corner::{Corner, uv};
use crate::scene::Scene;
use glam::{IVec3, Vec3};
use stonerun_engine::contour::ContourMaterials;
use stonerun_engine::surface::{self, PackedSurfaceVertex, SurfaceVertex};
use stonerun_engine::voxel::{ChunkPos, Face, MaterialId, Voxel};
use stonerun_engine::world::{Chunk, World};

/// A triangle of smooth ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundTriangle {
    /// Index of its chunk.
    pub(super) chunk: u32,
    /// Its corners, counterclockwise as seen from outside.
    vertices: [PackedSurfaceVertex; 3],
    /// Face of a voxel that is nearest to its plane, whose texture it has.
    pub(super) face: Face,
}

impl GroundTriangle {
    fn new(chunk: u32, vertices: [PackedSurfaceVertex; 3]) -> GroundTriangle {
        let normal = plane_normal(vertices.map(PackedSurfaceVertex::unpack));
        let along = |face: &Face| face.normal().as_vec3().dot(normal);
        let nearest = Face::ALL.into_iter().max_by(|a, b| along(a).total_cmp(&along(b)));
        GroundTriangle { chunk, vertices, face: nearest.unwrap_or(Face::Up) }
    }

    /// Material of most of its corners; of three different ones that of the first corner.
    pub(super) fn material(&self) -> MaterialId {
        let [a, b, c] = self.vertices.map(|vertex| vertex.unpack().material);
        if b == c { b } else { a }
    }

    /// The corners. `origin` is the lowest corner of the chunk.
    pub(super) fn corners(&self, origin: Vec3) -> [Corner; 3] {
        let vertices = self.vertices.map(PackedSurfaceVertex::unpack);
        let plane = plane_normal(vertices);
        vertices.map(|vertex| {
            let inside = vertex.position();
            let normal = if vertex.is_flat { plane } else { vertex.normal };
            let uv = uv(self.face as u8, 0, inside);
            Corner { position: origin + inside, normal, uv, ao: 3 }
        })
    }
}

/// Unit normal of the plane of a triangle.
fn plane_normal([a, b, c]: [SurfaceVertex; 3]) -> Vec3 {
    let [b, c] = [b, c].map(|vertex| (vertex.at - a.at).as_vec3());
    b.cross(c).normalize_or(Vec3::Y)
}

/// The chunks of a scene, and those that draw its ground at their upper borders: chunks of air
/// below and beside the others.
pub(super) struct DrawnWorld {
    pub(super) world: World,
    /// All chunks, the scene's first.
    pub(super) positions: Vec<ChunkPos>,
}

impl DrawnWorld {
    pub(super) fn new(scene: &Scene, materials: &ContourMaterials) -> DrawnWorld {
        let mut world = World::new();
        for (pos, chunk) in scene.world.chunks() {
            world.insert(pos, chunk.clone());
        }
        let mut positions = scene.positions();
        if !materials.any_ground() {
            return DrawnWorld { world, positions };
        }
        for number in 0..positions.len() {
            for corner in 1..8 {
                let back = IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2);
                let pos = positions[number].offset(-back);
                if !world.is_loaded(pos) && pos.in_world() {
                    world.insert(pos, Chunk::uniform(Voxel::AIR));
                    positions.push(pos);
                }
            }
        }
        DrawnWorld { world, positions }
    }
}

/// The ground that a chunk draws, which has this index.
pub(super) fn triangles(
    world: &World,
    pos: ChunkPos,
    materials: &ContourMaterials,
    chunk: u32,
) -> Vec<GroundTriangle> {
    let mesh = surface::build(pos, &world.neighbourhood(pos).borrowed(), materials);
    let mut triangles = Vec::with_capacity(2 * mesh.quads.len());
    for [a, b, c, d] in &mesh.quads {
        let mut add = |corners: [&u32; 3]| {
            let vertices = corners.map(|&corner| mesh.vertices[corner as usize]);
            triangles.push(GroundTriangle::new(chunk, vertices));
        };
        add([a, b, c]);
        // A lone triangle repeats its last vertex.
        if c != d {
            add([a, c, d]);
        }
    }
    triangles
}
