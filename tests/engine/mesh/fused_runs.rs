//! The invariant of the mesher: all voxels of a fused run have the same faces, and no strip of
//! faces begins or ends within a fused run.
//!
//! Strips are the input of the two-dimensional merge. Fused runs come from the Moore walk, which
//! shares no code with the mesher.

use super::brute::first_and_cols;
use super::worlds::{any_voxel, empty, hills, id, random_boxes, random_dust};
use super::{MIDDLE, unpacked};
use glam::IVec3;
use std::collections::BTreeSet;
use stonerun_engine::edit::EditableWorld;
use stonerun_engine::history::History;
use stonerun_engine::mesh::quad::SHEET;
use stonerun_engine::mesh::{FaceMaterials, FaceStrip, Quad, build, strips};
use stonerun_engine::random::Random;
use stonerun_engine::rules::{RuleSet, Rules};
use stonerun_engine::runs::moore::{ChunkNeighbourhoodRef, walk};
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::voxel::{
    Box3, CHUNK_VOLUME, ChunkPos, CornerRule, Face, MaterialTable, Voxel, linear_index,
};
use stonerun_engine::world::World;

/// Numbers of checked faces of a chunk.
#[derive(Clone, Copy, Default, Debug)]
struct Checked {
    /// Number of faces in strips.
    faces: usize,
    /// Number of faces of voxels whose predecessor along x has the same Moore neighbourhood.
    fused: usize,
}

/// True for each voxel whose Moore neighbourhood differs from the previous voxel's in the row.
fn starts_of_fused_runs(chunks: &ChunkNeighbourhoodRef<'_>) -> Vec<bool> {
    let mut starts: Vec<bool> = (0..CHUNK_VOLUME).map(|index| index % 32 == 0).collect();
    walk(chunks, ChunkNeighbourhoodRef::BOUNDS, |run| starts[run.start as usize] = true);
    starts
}

/// Asserts the invariant for one chunk.
fn check(world: &World, table: &MaterialTable, pos: ChunkPos, what: &str) -> Checked {
    let materials = FaceMaterials::new(table);
    let neighbourhood = world.neighbourhood(pos);
    let chunks = neighbourhood.borrowed();
    let starts = starts_of_fused_runs(&chunks);
    let begins = |at: IVec3| at.x == 32 || starts[linear_index(at)];
    let strips = strips(&chunks, &materials);
    let mut checked = Checked::default();
    for face in Face::ALL {
        // A voxel has two faces on a side if liquid lies on its low box.
        let mut surfaces: Vec<Vec<u64>> = vec![Vec::new(); CHUNK_VOLUME];
        for strip in strips.iter().filter(|strip| strip.face == face) {
            if strip.step() == IVec3::X {
                let end = strip.first + strip.step() * strip.len;
                assert!(begins(strip.first), "{what}, {pos}: {strip:?} begins within a fused run");
                assert!(begins(end), "{what}, {pos}: {strip:?} ends within a fused run");
            }
            for at in strip.voxels() {
                let faces = &mut surfaces[linear_index(at)];
                assert!(
                    !faces.contains(&strip.surface),
                    "{what}, {pos}: the {face:?} face at {at} is in two strips"
                );
                faces.push(strip.surface);
                faces.sort_unstable();
            }
        }
        for index in (0..CHUNK_VOLUME).filter(|&index| !starts[index]) {
            let [before, here] = [&surfaces[index - 1], &surfaces[index]];
            assert_eq!(
                before, here,
                "{what}, {pos}: {face:?} faces within a fused run, voxel {index}"
            );
            let is_along_x = !matches!(face, Face::East | Face::West);
            assert!(
                is_along_x || here.is_empty(),
                "{what}, {pos}: {face:?} face in a fused run, voxel {index}"
            );
            checked.fused += here.len();
        }
        checked.faces += surfaces.iter().flatten().count();
    }
    let mesh = build(pos, &chunks, &materials);
    // Crossed sheets and torches are not merged.
    let is_merged = |quad: &Quad| {
        quad.face < SHEET
            && materials.list()[usize::from(quad.material)].corners == CornerRule::Unmoved
    };
    let quads: Vec<Quad> = mesh.lists().into_iter().flat_map(unpacked).filter(is_merged).collect();
    check_quads(&quads, &strips, &format!("{what}, {pos}"));
    checked
}

/// Asserts that quads consist of strips: they have as many faces, and along x each quad begins and
/// ends where a strip of its plane does.
fn check_quads(quads: &[Quad], strips: &[FaceStrip], what: &str) {
    let faces: usize = quads.iter().map(|quad| quad.unit_faces() as usize).sum();
    assert_eq!(
        faces,
        strips.iter().map(|strip| strip.len as usize).sum::<usize>(),
        "{what}: faces of quads and of strips"
    );
    let ends = |face: u8, first: IVec3, len: i32| {
        let plane = if matches!(face, 2 | 3) { first.y } else { first.z };
        [(face, plane, first.x), (face, plane, first.x + len)]
    };
    let along_x = strips.iter().filter(|strip| strip.step() == IVec3::X);
    let of_strips: BTreeSet<_> =
        along_x.flat_map(|strip| ends(strip.face as u8, strip.first, strip.len)).collect();
    for &quad in quads.iter().filter(|quad| quad.face >= 2) {
        let (first, cols) = first_and_cols(quad);
        let is_end = ends(quad.face, first, cols).iter().all(|end| of_strips.contains(end));
        assert!(is_end, "{what}: {quad:?} begins or ends where no strip does");
    }
}

#[test]
fn strips_are_unions_of_fused_runs_in_random_worlds() {
    let table = MaterialTable::builtin();
    for (seed, density) in [0.02, 0.2, 0.5, 0.9, 1.0].into_iter().enumerate() {
        let world = random_dust(&mut Random::new(seed as u64), &table, density);
        assert!(check(&world, &table, MIDDLE, &format!("density {density}")).faces > 1000);
    }
    for seed in 0..8 {
        let world = random_boxes(&mut Random::new(seed), &table, 20 << seed.min(5));
        let checked = check(&world, &table, MIDDLE, &format!("boxes, seed {seed}"));
        assert!(checked.fused > 100, "seed {seed}: {checked:?}");
    }
    for (steepness, planted) in [(0.3, false), (1.0, false), (1.0, true)] {
        let checked = check(&hills(&table, steepness, planted), &table, MIDDLE, "hills");
        assert!(checked.fused > 100, "{checked:?}");
    }
}

#[test]
fn strips_are_unions_of_fused_runs_next_to_chunks_that_are_not_loaded() {
    let table = MaterialTable::builtin();
    let mut random = Random::new(17);
    for seed in 0..6 {
        let mut world = random_boxes(&mut Random::new(seed), &table, 300);
        for pos in MIDDLE.moore_neighbourhood().filter(|&pos| pos != MIDDLE) {
            if random.below(3) == 0 {
                world.remove(pos);
            }
        }
        check(&world, &table, MIDDLE, &format!("some neighbours missing, seed {seed}"));
    }
    let mut alone = World::new();
    alone.insert(MIDDLE, hills(&table, 1.0, true).chunk(MIDDLE).expect("loaded").clone());
    check(&alone, &table, MIDDLE, "a lone chunk");
    alone.remove(MIDDLE);
    assert!(
        strips(&alone.neighbourhood(MIDDLE).borrowed(), &FaceMaterials::new(&table)).is_empty()
    );
}

/// A floor under chunks of air.
fn floor(table: &MaterialTable) -> World {
    let mut world = empty();
    world.fill(
        Box3 { min: IVec3::splat(-32), max: IVec3::new(64, 10, 64) },
        Voxel::full(id(table, "stone")),
    );
    world
}

#[test]
fn floor_is_one_strip_per_row_and_hole_splits_three_rows_of_fused_runs() {
    let table = MaterialTable::builtin();
    let mut world = floor(&table);
    let checked = check(&world, &table, MIDDLE, "a floor");
    assert_eq!((checked.faces, checked.fused), (32 * 32, 32 * 31));
    world.set(IVec3::new(16, 9, 16), Voxel::AIR);
    let checked = check(&world, &table, MIDDLE, "a floor with a hole");
    // The hole adds the faces of its bottom and four sides less the removed top. In each of three
    // rows three voxels are no longer fused, nor is the voxel after them.
    assert_eq!((checked.faces, checked.fused), (32 * 32 + 4, 32 * 31 - 3 * 4));
}

/// The generated chunks of a box.
fn generated(kind: TerrainKind, table: &MaterialTable, chunks: Box3) -> World {
    let generator = Generator::new(5, kind, table);
    let mut world = World::new();
    for pos in chunks.chunks() {
        world.insert(pos, generator.chunk(pos));
    }
    world
}

/// The chunks of a world that have several runs and whose neighbours are all loaded.
fn chunks_to_check(world: &World) -> Vec<ChunkPos> {
    let is_inside = |pos: &ChunkPos| pos.moore_neighbourhood().all(|near| world.is_loaded(near));
    let several = |(pos, chunk): (ChunkPos, &stonerun_engine::world::Chunk)| {
        chunk.as_uniform().is_none().then_some(pos)
    };
    let mut positions: Vec<ChunkPos> =
        world.chunks().filter_map(several).filter(is_inside).collect();
    positions.sort_unstable();
    positions
}

#[test]
fn strips_are_unions_of_fused_runs_on_all_terrains_and_after_edits() {
    let table = MaterialTable::builtin();
    for kind in TerrainKind::ALL {
        let area = Box3 { min: IVec3::new(-64, -64, -64), max: IVec3::new(64, 96, 64) };
        let world = generated(kind, &table, area);
        let positions = chunks_to_check(&world);
        let mut sum = Checked::default();
        for &pos in &positions {
            let checked = check(&world, &table, pos, kind.name());
            sum.faces += checked.faces;
            sum.fused += checked.fused;
        }
        assert!(
            sum.fused > 1000 && positions.len() >= 4,
            "{kind}: {sum:?} in {} chunks",
            positions.len()
        );
        edit(world, &table, &positions, kind.name());
    }
}

/// Edits a world at random, undoes a part, lets the rules act, and checks the world in between.
fn edit(world: World, table: &MaterialTable, positions: &[ChunkPos], what: &str) {
    let mut random = Random::new(3);
    let mut editable = EditableWorld::new(History::new(usize::MAX));
    for (pos, chunk) in world.chunks() {
        editable.load_chunk(pos, chunk.clone());
    }
    let mut rules =
        Rules::new(RuleSet::builtin(table).expect("the built-in rules are sound"), 1, 0);
    for round in 0..4 {
        let pos = positions[random.index(positions.len())];
        for number in 0..60 {
            let mut part = |low: i32, range: u32| low + random.below(range) as i32;
            let at = pos.origin() + IVec3::new(part(-2, 36), part(-2, 36), part(-2, 36));
            let size = if number % 5 == 0 {
                IVec3::new(part(0, 12), part(0, 4), part(0, 8))
            } else {
                IVec3::ZERO
            };
            let voxel = any_voxel(&mut random, table);
            for at in voxels(Box3::spanning(at, at + size)) {
                editable.set(at, voxel);
            }
        }
        for _ in 0..20 {
            editable.undo(|_| Ok(None)).expect("all chunks are loaded");
        }
        let mut edited = copy_of(editable.world());
        check(&edited, table, pos, &format!("{what}, edits of round {round}"));
        for near in pos.moore_neighbourhood() {
            rules.wake_chunk(near);
        }
        for _ in 0..6 {
            rules.step(&edited);
        }
        for (pos, chunk) in rules.take_changes() {
            edited.insert(pos, chunk);
        }
        check(&edited, table, pos, &format!("{what}, rules of round {round}"));
    }
}

/// A world of the same chunks.
fn copy_of(world: &World) -> World {
    let mut copy = World::new();
    for (pos, chunk) in world.chunks() {
        copy.insert(pos, chunk.clone());
    }
    copy
}

/// The voxels of a box.
fn voxels(area: Box3) -> impl Iterator<Item = IVec3> {
    let rows =
        (area.min.y..area.max.y).flat_map(move |y| (area.min.z..area.max.z).map(move |z| (y, z)));
    rows.flat_map(move |(y, z)| (area.min.x..area.max.x).map(move |x| IVec3::new(x, y, z)))
}
