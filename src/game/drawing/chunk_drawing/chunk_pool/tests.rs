//! The pool's writes, applied to an array that stands for the GPU's buffer.

use super::*;
use crate::game::drawing::chunk_drawing::translucent_order::TranslucentQuads;
use glam::{IVec3, Vec3};
use stonerun_engine::mesh::{ChunkMesh, FaceMaterials, build};
use stonerun_engine::random::Random;
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::voxel::{Box3, MaterialTable, Voxel};
use stonerun_engine::world::World;

struct Gpu {
    pool: ChunkPool,
    words: Vec<u32>,
    written: usize,
}

impl Gpu {
    fn new(units: u32) -> Gpu {
        let mut gpu = Gpu { pool: ChunkPool::default(), words: Vec::new(), written: 0 };
        gpu.grow(units);
        gpu
    }

    fn grow(&mut self, units: u32) {
        self.pool.grow(units);
        self.words.resize((units * UNIT_WORDS) as usize, u32::MAX);
    }

    fn put(&mut self, pos: ChunkPos, mesh: &ChunkMesh, edited: bool) -> Result<(), u32> {
        let words = &mut self.words;
        let written = &mut self.written;
        let mut drawn = DrawnMesh::new(mesh.clone(), Vec3::ZERO);
        self.pool.put(pos, &mut drawn, &light_of(mesh), edited, true, |write| {
            *written += write.words.len() * 4;
            words[write.at as usize..][..write.words.len()].copy_from_slice(&write.words);
        })
    }

    fn relight(&mut self, pos: ChunkPos, light: &LightBricks) -> bool {
        let words = &mut self.words;
        self.pool.relight(pos, light, |write| {
            words[write.at as usize..][..write.words.len()].copy_from_slice(&write.words);
        })
    }

    fn compact(&mut self) {
        let before = self.words.clone();
        for range in self.pool.compact() {
            let [from, to, len] =
                [range.from, range.to, range.len].map(|unit| (unit * UNIT_WORDS) as usize);
            self.words[to..to + len].copy_from_slice(&before[from..from + len]);
        }
    }

    fn sort_translucent(&mut self) {
        for chunk in &mut self.pool.chunks {
            if let Some(write) = chunk.sort_translucent(Vec3::new(40.0, 50.0, -3.0)) {
                self.words[write.at as usize..][..write.words.len()].copy_from_slice(&write.words);
            }
        }
    }

    /// Asserts that a chunk's words hold its mesh and the mesh's light.
    fn check(&mut self, pos: ChunkPos, mesh: &ChunkMesh) {
        self.check_lit(pos, mesh, &light_of(mesh));
    }

    fn check_lit(&mut self, pos: ChunkPos, mesh: &ChunkMesh, light: &LightBricks) {
        self.sort_translucent();
        let Some(&at) = self.pool.index.get(&pos) else { return assert!(mesh.is_empty()) };
        let chunk = &self.pool.chunks[at];
        let words = &self.words[(chunk.start * UNIT_WORDS) as usize..];
        assert_eq!([0, 1, 2].map(|i: usize| words[i] as i32), pos.origin().to_array());
        let quads = |list: usize| {
            let first = words[3 + list] as usize;
            let pairs = words[first..][..2 * chunk.quads[list] as usize].chunks(2);
            let mut quads: Vec<u64> =
                pairs.map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32).collect();
            quads.sort_unstable();
            quads
        };
        for (list, wanted) in [&mesh.opaque, &mesh.cutout].into_iter().enumerate() {
            let mut wanted: Vec<u64> = wanted.iter().map(|quad| quad.0).collect();
            wanted.sort_unstable();
            assert_eq!(quads(list), wanted, "{pos:?}");
        }
        let split = TranslucentQuads::new(&mesh.translucent);
        let mut wanted: Vec<u64> = split.quads().map(|quad| quad.0).collect();
        wanted.sort_unstable();
        assert_eq!(quads(part::TRANSLUCENT), wanted, "{pos:?}");
        let first = words[6] as usize;
        let dark = mesh.dark.words();
        assert_eq!(first == 0, dark.is_empty());
        assert!(dark.is_empty() || words[first..][..dark.len()] == *dark);
        match light {
            LightBricks::Sunlit => assert_eq!(words[7], 0),
            LightBricks::Dark => assert_eq!(words[7], 1),
            LightBricks::Mixed(light) => {
                assert_eq!(words[words[7] as usize..][..light.len()], *light)
            }
        }
    }
}

/// Light bricks derived from the number of quads: some mixed, some uniform.
fn light_of(mesh: &ChunkMesh) -> LightBricks {
    match mesh.quad_count() as u32 {
        count if count % 5 == 0 => LightBricks::Sunlit,
        count if count % 5 == 1 => LightBricks::Dark,
        count => LightBricks::Mixed((0..count % 97 + 1).map(|i| i / 7 * count).collect()),
    }
}

/// A world of generated chunks around the origin's surface, and its materials.
fn land() -> (World, MaterialTable) {
    let table = MaterialTable::builtin();
    let generator = Generator::new(7, TerrainKind::Continents, &table);
    let mut world = World::new();
    for (x, y, z) in
        (-2..3).flat_map(|x| (-2..4).flat_map(move |y| (-2..3).map(move |z| (x, y, z))))
    {
        let pos = ChunkPos::new(x, y, z);
        world.insert(pos, generator.chunk(pos));
    }
    (world, table)
}

fn mesh_of(world: &World, face_materials: &FaceMaterials, pos: ChunkPos) -> ChunkMesh {
    build(pos, &world.neighbourhood(pos).borrowed(), face_materials)
}

#[test]
fn words_hold_the_meshes_through_edits_growth_and_compaction() {
    let (mut world, table) = land();
    let face_materials = FaceMaterials::new(&table);
    let chunks: Vec<ChunkPos> = (-1..2)
        .flat_map(|x| (-1..3).flat_map(move |y| (-1..2).map(move |z| ChunkPos::new(x, y, z))))
        .collect();
    let mut gpu = Gpu::new(64);
    let mut random = Random::new(5);
    let blocks = ["air", "stone", "water", "oak_leaves", "ice"]
        .map(|name| Voxel::full(table.find(name).unwrap()));
    let mut grown = 0;
    let mut compacted = 0;
    for round in 0..600 {
        let pos = chunks[random.index(chunks.len())];
        if random.below(12) == 0 {
            gpu.pool.remove(pos);
            continue;
        }
        let edited = round > 100;
        if edited {
            let at = pos.origin()
                + IVec3::new(
                    random.below(32) as i32,
                    random.below(32) as i32,
                    random.below(32) as i32,
                );
            world.set(at, blocks[random.index(5)]);
        }
        let mesh = mesh_of(&world, &face_materials, pos);
        if let Err(units) = gpu.put(pos, &mesh, edited) {
            if round % 2 == 0 {
                gpu.grow(gpu.pool.capacity() + units);
                grown += 1;
            } else {
                gpu.compact();
                compacted += 1;
            }
            if gpu.put(pos, &mesh, edited).is_err() {
                continue;
            }
        }
        gpu.check(pos, &mesh);
    }
    assert!(grown > 3 && compacted > 3, "{grown} {compacted}");
    for pos in gpu.pool.chunks.iter().map(|chunk| chunk.pos).collect::<Vec<_>>() {
        // Neighbours may have been edited since this chunk was meshed, so it is meshed again.
        let mesh = mesh_of(&world, &face_materials, pos);
        if gpu.put(pos, &mesh, true).is_ok() {
            gpu.check(pos, &mesh);
        }
    }
    while let Some(farthest) = gpu.pool.farthest(ChunkPos::default()) {
        gpu.pool.remove(farthest);
    }
    assert_eq!((gpu.pool.used(), gpu.pool.chunks.len(), gpu.pool.kept.len()), (0, 0, 0));
}

#[test]
fn relit_chunk_keeps_its_mesh_and_other_chunks() {
    let (world, table) = land();
    let face_materials = FaceMaterials::new(&table);
    let mut gpu = Gpu::new(1 << 16);
    let mut meshes: Vec<(ChunkPos, ChunkMesh, LightBricks)> = Vec::new();
    for pos in world.chunks().map(|(pos, _)| pos) {
        let mesh = mesh_of(&world, &face_materials, pos);
        gpu.put(pos, &mesh, (pos.x + pos.z) % 2 == 0).unwrap();
        let light = light_of(&mesh);
        meshes.push((pos, mesh, light));
    }
    let mut fits = 0;
    let mut too_large = 0;
    for round in 0..40u32 {
        for (i, (pos, mesh, light)) in meshes.iter_mut().enumerate() {
            let new = match (round + i as u32) % 7 {
                0 => LightBricks::Sunlit,
                1 => LightBricks::Dark,
                n => LightBricks::Mixed(
                    (0..(n * 31 + round * 3) % 150).map(|word| word * n).collect(),
                ),
            };
            if gpu.relight(*pos, &new) {
                *light = new;
                fits += usize::from(!mesh.is_empty());
            } else {
                too_large += 1;
            }
        }
        for (pos, mesh, light) in &meshes {
            gpu.check_lit(*pos, mesh, light);
        }
    }
    assert!(fits > 300 && too_large > 100, "{fits} {too_large}");
}

#[test]
fn far_chunks_make_room_for_near_ones() {
    let (world, table) = land();
    let face_materials = FaceMaterials::new(&table);
    let chunks = world.chunks().map(|(pos, _)| pos);
    let mut meshes: Vec<(ChunkPos, ChunkMesh)> = chunks
        .map(|pos| (pos, mesh_of(&world, &face_materials, pos)))
        .filter(|(_, mesh)| !mesh.is_empty())
        .collect();
    meshes.sort_by_key(|(pos, _)| {
        (pos.as_ivec3() * IVec3::new(7, 5, 3)).element_sum().rem_euclid(11)
    });
    let all =
        meshes.iter().map(|(_, mesh)| mesh.gpu_bytes() as u32 / (4 * UNIT_WORDS) + 1).sum::<u32>();
    let limit = all / 3;
    let mut gpu = Gpu::new(32);
    let mut grown = 0;
    let mut compacted = 0;
    let mut dropped = 0;
    let mut refused = 0;
    for centre in [ChunkPos::new(0, 1, 0), ChunkPos::new(2, 0, -2), ChunkPos::new(-2, 1, 1)] {
        let distance = |pos: ChunkPos| (pos.as_ivec3() - centre.as_ivec3()).length_squared();
        for (pos, mesh) in &meshes {
            while let Err(needed) = gpu.put(*pos, mesh, false) {
                let drawn =
                    gpu.pool.chunks.iter().map(|chunk| distance(chunk.pos)).max().unwrap_or(0);
                match gpu.pool.room_for(needed, *pos, centre, limit) {
                    MakeRoom::Grow(units) => {
                        gpu.grow(units);
                        grown += 1;
                    }
                    MakeRoom::Compact => {
                        gpu.compact();
                        compacted += 1;
                    }
                    MakeRoom::Drop(farthest) => {
                        assert!(distance(farthest) == drawn && drawn > distance(*pos));
                        gpu.pool.remove(farthest);
                        dropped += 1;
                    }
                    MakeRoom::None => {
                        assert!(
                            drawn <= distance(*pos),
                            "a chunk at {drawn} is drawn in place of {pos:?}"
                        );
                        refused += 1;
                        break;
                    }
                }
            }
            assert!(gpu.pool.used() <= gpu.pool.capacity() && gpu.pool.capacity() <= limit);
        }
        let drawn: Vec<ChunkPos> = gpu.pool.chunks.iter().map(|chunk| chunk.pos).collect();
        for (pos, mesh) in meshes.iter().filter(|(pos, _)| drawn.contains(pos)) {
            gpu.check(*pos, mesh);
        }
    }
    println!("grown {grown}, compacted {compacted}, dropped {dropped}, refused {refused}");
    assert!([grown, compacted, dropped, refused].iter().all(|&count| count > 2));
}

#[test]
fn edit_writes_little() {
    let (mut world, table) = land();
    let face_materials = FaceMaterials::new(&table);
    let mut gpu = Gpu::new(1 << 16);
    let surface = |world: &World, x: i32, z: i32| {
        (-64..128)
            .rev()
            .map(|y| IVec3::new(x, y, z))
            .find(|&at| table.is_opaque(world.get(at).material()))
            .unwrap()
    };
    let mut bytes = Vec::new();
    for i in 0..200 {
        // A builder breaks and places blocks around one spot.
        let at = surface(&world, i * 7 % 24 + 2, i * 11 % 24 + 2);
        let (at, block) =
            if i % 2 == 0 { (at, Voxel::AIR) } else { (at + IVec3::Y, Voxel::full(1)) };
        world.set(at, block);
        gpu.written = 0;
        for pos in Box3::spanning(at - 1, at + 1).chunks() {
            let mesh = mesh_of(&world, &face_materials, pos);
            gpu.put(pos, &mesh, true).unwrap();
            gpu.check(pos, &mesh);
        }
        bytes.push(gpu.written);
    }
    bytes.sort_unstable();
    println!(
        "bytes written after an edit: median {}, p90 {}, most {}",
        bytes[100], bytes[180], bytes[199]
    );
    assert!(bytes[100] <= 4096, "{bytes:?}");
}
