//! The surface against a plain contour, made one edge at a time from single voxels.

use super::worlds::{RandomWorld, chunks};
use super::{build, triangles, world_position};
use crate::contour::{ContourCell, ContourVoxel};
use crate::voxel::ChunkPos;
use glam::{IVec3, Vec3};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The contour of a world of single voxels.
struct Plain<'a>(&'a RandomWorld);

impl Plain<'_> {
    fn voxel(&self, at: IVec3) -> ContourVoxel {
        self.0.materials.voxel(self.0.world.get(at))
    }

    /// The vertex, in the cell with the lowest voxel `cell`, of the sheet that crosses an edge.
    fn vertex(&self, cell: IVec3, edge: [IVec3; 2]) -> IVec3 {
        let corner = |number: i32| IVec3::new(number & 1, number >> 1 & 1, number >> 2);
        let found = ContourCell::new(std::array::from_fn(|number| {
            self.voxel(cell + corner(number as i32))
        }));
        let number = crate::contour::EDGES
            .iter()
            .position(|ends| ends.map(|end| cell + corner(end.into())) == edge)
            .expect("an edge of the cell");
        let vertex = found.vertex(found.sheets().of_edge[number]).expect("the edge is drawn");
        let vertex = if found.sheets().count == 1 {
            vertex.shaped(self.0.materials.rule(vertex.material), cell)
        } else {
            vertex
        };
        cell * 256 + IVec3::from(vertex.at.map(i32::from))
    }

    /// The four vertices around a drawn edge, sorted.
    fn quad(&self, low: IVec3, axis: usize) -> Option<Vec<[i32; 3]>> {
        let unit = IVec3::AXES[axis];
        let [from, to] = [low, low + unit].map(|at| self.voxel(at));
        let is_drawn = from.is_inside() != to.is_inside() && (from.is_ground() || to.is_ground());
        let [first, second] = [(axis + 1) % 3, (axis + 2) % 3].map(|axis| IVec3::AXES[axis]);
        let cells = [IVec3::ZERO, first, second, first + second].map(|by| low - by);
        is_drawn.then(|| {
            let mut corners: Vec<[i32; 3]> = cells
                .into_iter()
                .map(|cell| self.vertex(cell, [low, low + unit]).to_array())
                .collect();
            corners.sort_unstable();
            corners
        })
    }
}

/// Sorted corners of each quad, and how often it occurs.
type QuadCounts = BTreeMap<Vec<[i32; 3]>, usize>;

#[test]
fn surface_equals_the_contour_of_single_edges() {
    for seed in 1000..1100 {
        let random = RandomWorld::new(seed);
        let plain = Plain(&random);
        for pos in chunks() {
            let mut expected = QuadCounts::new();
            for index in 0..32 * 32 * 32 {
                let low = pos.origin() + crate::voxel::linear_offset(index);
                if low.max_element().max(-low.min_element()) > 9 {
                    continue;
                }
                for quad in (0..3).filter_map(|axis| plain.quad(low, axis)) {
                    *expected.entry(quad).or_default() += 1;
                }
            }
            let mesh = build(&random.world, &random.materials, pos);
            let vertices: Vec<IVec3> =
                mesh.vertices.iter().map(|vertex| world_position(pos, &vertex.unpack())).collect();
            let mut found = QuadCounts::new();
            let is_lone = |quad: &[u32; 4]| quad[2] == quad[3];
            for quad in mesh.quads.iter().filter(|quad| !is_lone(quad)) {
                let mut corners = quad.map(|corner| vertices[corner as usize].to_array()).to_vec();
                corners.sort_unstable();
                *found.entry(corners).or_default() += 1;
            }
            let missing = expected.iter().filter(|(quad, count)| found.get(*quad) != Some(count));
            let missing = missing.count();
            // A quad with vertices on its faces is made of triangles.
            let lone = mesh.quads.iter().filter(|quad| is_lone(quad)).count();
            assert!(found.iter().all(|(quad, count)| expected.get(quad) == Some(count)), "{seed}");
            assert!(3 * missing <= lone, "seed {seed}, {pos:?}: {missing} missing, {lone} lone");
        }
    }
}

#[test]
fn border_vertices_have_one_normal() {
    for seed in 2000..2060 {
        let random = RandomWorld::new(seed);
        let mut normals: FxHashMap<(IVec3, u16), Vec3> = FxHashMap::default();
        for pos in chunks() {
            for vertex in build(&random.world, &random.materials, pos).vertices {
                let vertex = vertex.unpack();
                let at = world_position(pos, &vertex);
                let before = normals.insert((at, vertex.material), vertex.normal);
                assert!(before.is_none_or(|before| before == vertex.normal), "{seed} {at}");
            }
        }
    }
}

#[test]
fn triangles_face_away_from_matter() {
    // A ball: every triangle looks away from its middle.
    let table = super::worlds::materials();
    let materials = crate::contour::ContourMaterials::new(&table);
    let mut world = crate::world::World::new();
    for pos in chunks() {
        world.insert(pos, crate::world::Chunk::uniform(crate::voxel::Voxel::AIR));
    }
    for index in 0..20 * 20 * 20 {
        let at = IVec3::new(index % 20, index / 20 % 20, index / 400) - 10;
        let fill = (8.5 - at.as_vec3().length()).clamp(0.0, 1.0);
        if fill > 0.0 {
            world.set(at, crate::voxel::Voxel::new(1, (fill * 255.0) as u8));
        }
    }
    let mut count = 0;
    for pos in chunks() {
        for [a, b, c] in triangles(&world, &materials, pos) {
            let normal = (b - a).as_vec3().cross((c - a).as_vec3());
            assert!(normal.dot((a + b + c).as_vec3()) > 0.0);
            let radius = a.as_vec3().length() / 256.0;
            assert!((7.6..8.4).contains(&radius), "{radius}");
            count += 1;
        }
        assert_eq!(ChunkPos::containing(pos.origin()), pos);
    }
    assert!(count > 1000);
}
