//! Tests that no visible set misses a chunk with smooth ground: rays from random cells stop at the
//! drawn triangles of the ground and at cubes, and every chunk that they pass, and the chunk that
//! draws what they hit, must be in the set of the cell.

use glam::{DVec3, IVec3};
use rustc_hash::FxHashMap;
use stonerun_engine::contour::ContourMaterials;
use stonerun_engine::surface;
use stonerun_engine::terrain::{Generator, GroundStyle, TerrainKind};
use stonerun_engine::visibility::{
    ChunkOcclusion, OccluderMaterials, PortalGraph, Sweeper, bitset, refine,
};
use stonerun_engine::voxel::{
    Box3, CHUNK_VOLUME, ChunkPos, Material, MaterialTable, SurfaceRule, Voxel, linear_offset, local,
};
use stonerun_engine::world::{Chunk, World};
use stonerun_lab::input::Random;
use stonerun_lab::visibility::VoxelWalk;

/// View distance in chunks, which covers each world.
const VIEW: i32 = 6;

/// A triangle of the ground, and the chunk that draws it.
struct Triangle {
    corners: [DVec3; 3],
    chunk: ChunkPos,
}

impl Triangle {
    /// Distance along the ray at which it hits the triangle, in lengths of `direction` (Möller and
    /// Trumbore, 1997).
    fn hit(&self, from: DVec3, direction: DVec3) -> Option<f64> {
        let [a, b, c] = self.corners;
        let across = direction.cross(c - a);
        let scale = (b - a).dot(across);
        if scale.abs() < 1e-12 {
            return None;
        }
        let u = (from - a).dot(across) / scale;
        let turned = (from - a).cross(b - a);
        let v = direction.dot(turned) / scale;
        let is_inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0;
        let at = (c - a).dot(turned) / scale;
        (is_inside && at > 1e-9).then_some(at)
    }
}

/// A world, with its drawn triangles by the voxels that they may touch.
struct Scene {
    world: World,
    bounds: Box3,
    materials: OccluderMaterials,
    triangles: FxHashMap<IVec3, Vec<Triangle>>,
}

impl Scene {
    fn new(world: World, bounds: Box3, table: &MaterialTable) -> Scene {
        let contour = ContourMaterials::new(table);
        let mut triangles: FxHashMap<IVec3, Vec<Triangle>> = FxHashMap::default();
        for (chunk, _) in world.chunks() {
            let mesh = surface::build(chunk, &world.neighbourhood(chunk).borrowed(), &contour);
            for quad in &mesh.quads {
                let at = quad.map(|corner| {
                    let vertex = mesh.vertices[corner as usize].unpack();
                    vertex.position().as_dvec3() + chunk.origin().as_dvec3()
                });
                for corners in [[at[0], at[1], at[2]], [at[0], at[2], at[3]]] {
                    let low = corners[0].min(corners[1]).min(corners[2]).floor().as_ivec3();
                    let high = corners[0].max(corners[1]).max(corners[2]).floor().as_ivec3();
                    let size = high - low + 1;
                    for number in 0..size.element_product() {
                        let [x, y] = [number % size.x, number / size.x % size.y];
                        let voxel = low + IVec3::new(x, y, number / size.x / size.y);
                        triangles.entry(voxel).or_default().push(Triangle { corners, chunk });
                    }
                }
            }
        }
        Scene { world, bounds, materials: OccluderMaterials::new(table), triangles }
    }

    /// Chunks that a ray passes, and the chunk that draws what it hits.
    fn seen(&self, from: DVec3, direction: DVec3) -> Vec<ChunkPos> {
        let mut seen = Vec::new();
        for voxel in VoxelWalk::new(from, direction) {
            if !self.bounds.contains(voxel) {
                break;
            }
            seen.push(ChunkPos::containing(voxel));
            if self.materials.is_cube(self.world.get(voxel)) {
                break;
            }
            let near = self.triangles.get(&voxel).map_or(&[][..], Vec::as_slice);
            let hits =
                near.iter().filter_map(|each| Some((each.hit(from, direction)?, each.chunk)));
            // Hits beyond the voxel are found again in the voxel in which they are.
            let here = |(at, _): &(f64, ChunkPos)| {
                let at = (from + direction * *at - voxel.as_dvec3()).to_array();
                at.into_iter().all(|part| (-1e-6..=1.0 + 1e-6).contains(&part))
            };
            let first = hits.filter(here).min_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((_, chunk)) = first {
                seen.push(chunk);
                break;
            }
        }
        seen.dedup();
        seen
    }

    /// Number of chunks that rays from random cells see, and of those that the cells' sets miss.
    /// `occlusion` analyses a chunk.
    fn missed(
        &self,
        random: &mut Random,
        cells: u32,
        rays: u32,
        occlusion: impl Fn(ChunkPos) -> Option<ChunkOcclusion>,
    ) -> [u64; 2] {
        let chunks = Box3 { min: self.bounds.min >> 5, max: self.bounds.max >> 5 };
        let graph = PortalGraph::new(chunks, occlusion);
        let mut sweeper = Sweeper::default();
        let mut found = [0, 0];
        for _ in 0..cells {
            let Some(viewer) = self.air(random, self.bounds) else { continue };
            let home = ChunkPos::containing(viewer);
            let slot = graph.index().slot(home).expect("in the world");
            let Some(cell) = graph.occlusion().chunk(slot).cell_at(local(viewer)) else { continue };
            let swept = sweeper.sweep(&graph, home, &cell, VIEW).chunks.clone();
            let refined = refine(graph.occlusion(), home, &cell, &swept);
            let corner = |at: [u8; 3]| home.origin() + IVec3::from_array(at.map(i32::from));
            let place = Box3 { min: corner(cell.lo), max: corner(cell.hi) };
            for _ in 0..rays {
                let eye = self.air(random, place).unwrap_or(viewer);
                let same = graph.occlusion().chunk(slot).cell_at(local(eye)) == Some(cell);
                let eye = if same { eye } else { viewer };
                let mut part = || f64::from(random.below(2001)) / 1000.0 - 1.0;
                let direction = DVec3::new(part(), part() * 0.5, part()).normalize_or(DVec3::X);
                // The centre of an empty voxel is outside of the ground.
                for chunk in self.seen(eye.as_dvec3() + 0.5, direction) {
                    let slot = graph.index().slot(chunk).expect("in the world");
                    found[0] += 1;
                    found[1] += u64::from(!bitset::contains(&refined, slot));
                }
            }
        }
        found
    }

    /// A random voxel of air in a box; `None` if there is hardly one.
    fn air(&self, random: &mut Random, place: Box3) -> Option<IVec3> {
        let size = place.max - place.min;
        let draws = std::iter::repeat_with(|| {
            let below = |random: &mut Random, side: i32| random.below(side as u32) as i32;
            let [x, y, z] = [size.x, size.y, size.z].map(|side| below(random, side));
            place.min + IVec3::new(x, y, z)
        });
        draws.take(200).find(|&at| self.world.get(at).is_air())
    }

    fn occlusion(&self, pos: ChunkPos) -> Option<ChunkOcclusion> {
        ChunkOcclusion::from_world(&self.world, pos, &self.materials)
    }

    /// Occlusion with all full ground as cubes: sees too little.
    fn wrong_occlusion(&self, pos: ChunkPos) -> Option<ChunkOcclusion> {
        let chunk = self.world.chunk(pos)?;
        Some(ChunkOcclusion::from_chunk(chunk, |voxel| self.materials.is_solid(voxel)))
    }
}

/// A table of cubes, glass and ground of all surfaces.
fn table() -> MaterialTable {
    let plain = |name: &str| Material::plain(name, [0; 3]);
    let surfaces = [
        SurfaceRule::Smooth,
        SurfaceRule::Facet,
        SurfaceRule::Rough(SurfaceRule::MAX_ROUGHNESS),
        SurfaceRule::Terrace(1),
    ];
    let ground = surfaces
        .iter()
        .enumerate()
        .map(|(number, &surface)| Material { surface, ..plain(&format!("ground {number}")) });
    let list = [plain("air"), plain("cube")].into_iter().chain(ground).collect();
    MaterialTable::from_list(list).expect("different names")
}

/// A world of 4 x 3 x 4 chunks: balls of air in rock, or balls of rock in air, and walls with
/// holes.
fn random_world(random: &mut Random, bounds: Box3) -> World {
    let size = bounds.max - bounds.min;
    let is_cave = random.below(2) == 0;
    let balls: Vec<(DVec3, f64, u16)> = (0..40 + random.below(60))
        .map(|_| {
            let mut part = |side: i32| f64::from(random.below(side as u32 * 8)) / 8.0;
            let at = DVec3::new(part(size.x), part(size.y), part(size.z));
            let radius = 1.0 + part(12);
            (at, radius, 1 + random.below(5) as u16)
        })
        .collect();
    let wall = random.below(96) as i32;
    let rock = 2 + random.below(4) as u16;
    let mut world = World::new();
    for pos in bounds.chunks() {
        let voxel = |index| {
            let at = pos.origin() + linear_offset(index) - bounds.min;
            let middle = at.as_dvec3() + 0.5;
            let depth = |(centre, radius, _): &(DVec3, f64, u16)| radius - middle.distance(*centre);
            let nearest = balls.iter().max_by(|a, b| depth(a).total_cmp(&depth(b)));
            let (depth, material) = nearest.map_or((-9.0, 2), |ball| (depth(ball), ball.2));
            let depth = if is_cave { -depth } else { depth };
            let is_wall = at.x == wall && (at.y / 3 + at.z / 5) % 7 != 0;
            let material = if is_cave { rock } else { material };
            let density = (127.5 + 127.5 * depth).clamp(0.0, 255.0) as u8;
            match (is_wall, material, density) {
                (true, ..) => Voxel::full(rock),
                (_, _, 0) => Voxel::AIR,
                (_, 1, 0..128) => Voxel::AIR,
                (_, 1, _) | (_, _, 255) => Voxel::full(material),
                _ => Voxel::new(material, density - 1),
            }
        };
        world.insert(pos, Chunk::from_runs((0..CHUNK_VOLUME).map(|index| (1, voxel(index)))));
    }
    world
}

#[test]
fn sets_in_random_smooth_worlds_miss_no_chunk_that_rays_see() {
    let mut random = Random::new(11);
    let bounds = Box3 { min: IVec3::ZERO, max: IVec3::new(4, 3, 4) * 32 };
    let mut sums = [0; 2];
    for _ in 0..16 {
        let scene = Scene::new(random_world(&mut random, bounds), bounds, &table());
        let found = scene.missed(&mut random, 8, 2_000, |pos| scene.occlusion(pos));
        sums = [sums[0] + found[0], sums[1] + found[1]];
    }
    assert!(sums[0] > 20_000, "{sums:?}");
    assert_eq!(sums[1], 0, "of {}", sums[0]);
}

/// Control: cubes that touch at edges hide what is behind them, the same voxels as smooth ground do
/// not, and rays notice.
#[test]
fn smooth_ground_as_full_occluders_is_noticed() {
    let bounds = Box3 { min: IVec3::ZERO, max: IVec3::new(3, 1, 1) * 32 };
    let mut world = World::new();
    for pos in bounds.chunks() {
        // Two layers of a chequered wall, which complement each other.
        let voxel = |index| {
            let at = pos.origin() + linear_offset(index);
            let is_wall = (40..42).contains(&at.x) && at.element_sum() & 1 == 0;
            if is_wall { Voxel::full(2) } else { Voxel::AIR }
        };
        world.insert(pos, Chunk::from_runs((0..CHUNK_VOLUME).map(|index| (1, voxel(index)))));
    }
    let scene = Scene::new(world, bounds, &table());
    let mut random = Random::new(3);
    let wrong = scene.missed(&mut random, 6, 2_000, |pos| scene.wrong_occlusion(pos));
    assert!(wrong[1] > 0, "{wrong:?}");
    let right = scene.missed(&mut random, 6, 2_000, |pos| scene.occlusion(pos));
    assert_eq!(right[1], 0, "of {}", right[0]);
}

#[test]
fn sets_in_smooth_terrain_miss_no_chunk_that_rays_see() {
    let table = MaterialTable::builtin_smooth();
    let mut random = Random::new(5);
    let mut sums = [0; 2];
    for (kind, low) in
        [(TerrainKind::Continents, -1), (TerrainKind::Islands, -2), (TerrainKind::Caverns, 0)]
    {
        for seed in 1..4 {
            let generator = Generator::with_ground(seed, kind, GroundStyle::Smooth, &table);
            let home = ChunkPos::containing(generator.spawn().floor().as_ivec3());
            let min = IVec3::new(home.x - 2, low, home.z - 2) * 32;
            let bounds = Box3 { min, max: min + IVec3::new(5, 3, 5) * 32 };
            let mut world = World::new();
            for pos in bounds.chunks() {
                world.insert(pos, generator.chunk(pos));
            }
            let scene = Scene::new(world, bounds, &table);
            let found = scene.missed(&mut random, 8, 2_000, |pos| scene.occlusion(pos));
            sums = [sums[0] + found[0], sums[1] + found[1]];
        }
    }
    assert!(sums[0] > 100_000, "{sums:?}");
    assert_eq!(sums[1], 0, "of {}", sums[0]);
}
