//! Comparison of the mesher with brute force: the unit faces that quads cover, with face material
//! and shade, must equal the unit faces that are found voxel by voxel.
//!
//! The rules are written twice on purpose, here per voxel and straight from the material table, so
//! that a mistake in the mesher's shortcuts (rows of bits, covered parts, merging) shows.

mod brute;
mod classic;
mod fused_runs;
mod ground;
mod shapes;
mod worlds;

use brute::{Unit, brute_force, units_of, units_of_shaded};
use classic::classic_greedy;
use glam::IVec3;
use std::collections::BTreeMap;
use stonerun_engine::mesh::quad::SHEET;
use stonerun_engine::mesh::{ChunkMesh, FaceMaterials, PackedQuad, Quad, build};
use stonerun_engine::random::Random;
use stonerun_engine::voxel::{Box3, ChunkPos, CornerRule, Face, MaterialTable, Voxel};
use stonerun_engine::world::World;
use worlds::{UNKNOWN, empty, hills, id, random_boxes, random_dust};

const MIDDLE: ChunkPos = ChunkPos::new(0, 0, 0);

fn mesh_of(world: &World, table: &MaterialTable) -> ChunkMesh {
    build(MIDDLE, &world.neighbourhood(MIDDLE).borrowed(), &FaceMaterials::new(table))
}

fn unpacked(list: &[PackedQuad]) -> impl Iterator<Item = Quad> {
    list.iter().map(|quad| quad.unpack())
}

/// Compares quads, and quads split by shade, with brute force. Returns the mesh.
fn check(world: &World, table: &MaterialTable, what: &str) -> ChunkMesh {
    let mesh = mesh_of(world, table);
    let mut expected = brute_force(world, table, &FaceMaterials::new(table));
    expected.sort_unstable();
    let mut covered = Vec::new();
    let mut split = Vec::new();
    for (layer, list) in mesh.lists().into_iter().enumerate() {
        for quad in unpacked(list) {
            units_of(quad, layer, &mesh.dark, &mut covered);
        }
        for quad in mesh.split_by_shade(list) {
            units_of_shaded(quad, layer, &mut split);
        }
    }
    compare(&expected, covered, what);
    compare(&expected, split, &format!("{what}, split by shade"));
    let face_materials = FaceMaterials::new(table);
    // The faces of torches are not part of the mesh's quads.
    expected.retain(|unit| {
        face_materials.list()[usize::from(unit.material)].corners == CornerRule::Unmoved
    });
    no_two_in_one_plane(&expected, what);
    mesh
}

/// Compares the unit faces that quads cover with the expected ones, in order.
fn compare(expected: &[Unit], mut covered: Vec<Unit>, what: &str) {
    covered.sort_unstable();
    if let Some(pair) = covered.windows(2).find(|p| p[0] == p[1]) {
        panic!("{what}: covered twice: {:?}", pair[0]);
    }
    for (made, wanted) in covered.iter().zip(expected) {
        assert_eq!(made, wanted, "{what}: the first difference");
    }
    assert_eq!(covered.len(), expected.len(), "{what}");
}

/// Asserts that no two see-through faces lie over each other in one plane: they are drawn from both
/// sides, so they would flicker.
fn no_two_in_one_plane(units: &[Unit], what: &str) {
    let mut taken = BTreeMap::new();
    for unit in units.iter().filter(|u| u.layer > 0 && u.face < 6) {
        let normal = Face::ALL[usize::from(unit.face)].normal();
        let [x, y, z] = (IVec3::from_array(unit.at) + normal.max(IVec3::ZERO)).to_array();
        // Sixteenths of height that the face covers. Faces up and down lie in a single one.
        let heights = if normal.y == 0 { (y * 16 + unit.low)..(y * 16 + unit.high) } else { 0..1 };
        for height in heights {
            let level = if normal.y == 0 { height } else { unit.at[1] * 16 + unit.low };
            let place = (unit.layer, normal.abs().to_array(), x, level, z);
            if let Some(other) = taken.insert(place, unit) {
                panic!("{what}: {unit:?} lies in the plane of {other:?}");
            }
        }
    }
}

#[test]
fn mesh_of_random_dust_equals_brute_force() {
    let table = MaterialTable::builtin();
    for (seed, density) in [0.02, 0.2, 0.5, 0.9, 1.0].into_iter().enumerate() {
        let world = random_dust(&mut Random::new(seed as u64), &table, density);
        check(&world, &table, &format!("density {density}"));
    }
}

#[test]
fn mesh_of_random_boxes_equals_brute_force() {
    let table = MaterialTable::builtin();
    for seed in 0..8 {
        let world = random_boxes(&mut Random::new(seed), &table, 20 << seed.min(5));
        check(&world, &table, &format!("seed {seed}"));
    }
}

#[test]
fn not_loaded_chunks_hide_nothing() {
    let table = MaterialTable::builtin();
    let mut world = random_boxes(&mut Random::new(99), &table, 300);
    for by in [IVec3::X, IVec3::NEG_Y, IVec3::new(1, 1, 0), IVec3::NEG_ONE] {
        world.remove(MIDDLE.offset(by));
    }
    check(&world, &table, "four neighbours absent");

    let mut alone = World::new();
    alone.insert(MIDDLE, stonerun_engine::runs::RunTree::uniform(Voxel::full(id(&table, "stone"))));
    assert_eq!(check(&alone, &table, "a lone chunk").quad_count(), 6);
    alone.remove(MIDDLE);
    assert!(mesh_of(&alone, &table).is_empty());
}

#[test]
fn light_emitting_block_casts_no_ambient_occlusion() {
    let table = MaterialTable::builtin();
    let darkest = |name: &str| {
        let mut world = empty();
        world.fill(
            Box3::spanning(IVec3::ZERO, IVec3::new(31, 3, 31)),
            Voxel::full(id(&table, "stone")),
        );
        world.set(IVec3::new(9, 4, 9), Voxel::full(id(&table, name)));
        let mesh = check(&world, &table, name);
        let quads = mesh.split_by_shade(&mesh.opaque).into_iter();
        let tops = quads.filter(|shaded| shaded.quad.face == Face::Up as u8);
        tops.flat_map(|shaded| [0, 1, 2, 3].map(|corner| shaded.ao_at(corner))).min()
    };
    assert_eq!(["lamp", "crystal_block", "stone"].map(darkest), [Some(3), Some(3), Some(2)]);
}

#[test]
fn unknown_materials_are_cubes() {
    let table = MaterialTable::builtin();
    let mut world = empty();
    world.set(IVec3::splat(5), Voxel::full(UNKNOWN));
    let mesh = check(&world, &table, "an unknown cube");
    assert_eq!((mesh.opaque.len(), mesh.quad_count()), (6, 6));
}

#[test]
fn hidden_faces_make_no_quads() {
    let table = MaterialTable::builtin();
    assert!(mesh_of(&empty(), &table).is_empty());
    let everywhere = Box3 { min: IVec3::splat(-32), max: IVec3::splat(64) };
    for name in ["stone", "water", "glass", "lava"] {
        let mut world = empty();
        world.fill(everywhere, Voxel::full(id(&table, name)));
        assert!(mesh_of(&world, &table).is_empty(), "{name}");
    }
    // Two opaque materials in a checker pattern have no face between them.
    let mut world = empty();
    let a = Voxel::full(id(&table, "stone"));
    let b = Voxel::full(id(&table, "dirt"));
    for x in -1..33 {
        for y in -1..33 {
            for z in -1..33 {
                world.set(IVec3::new(x, y, z), if (x + y + z) % 2 == 0 { a } else { b });
            }
        }
    }
    assert!(mesh_of(&world, &table).is_empty());
}

#[test]
fn flat_floor_is_one_quad() {
    let table = MaterialTable::builtin();
    let mut world = empty();
    world.fill(
        Box3 { min: IVec3::new(-32, -32, -32), max: IVec3::new(64, 10, 64) },
        Voxel::full(id(&table, "stone")),
    );
    let mesh = check(&world, &table, "a floor");
    assert_eq!(mesh.opaque.len(), 1);
    let quad = mesh.opaque[0].unpack();
    assert_eq!(
        (quad.face, quad.x, quad.y, quad.z, quad.width, quad.height),
        (2, 0, 160, 0, 32, 32)
    );
    // A layer of snow, half a voxel high, is one quad too. The ground that it covers is not drawn.
    world.fill(
        Box3 { min: IVec3::new(-32, 10, -32), max: IVec3::new(64, 11, 64) },
        Voxel::new(id(&table, "snow"), 127),
    );
    let mesh = check(&world, &table, "snow");
    assert_eq!(
        unpacked(&mesh.opaque).map(|q| (q.y, q.width, q.height)).collect::<Vec<_>>(),
        [(168, 32, 32)]
    );
}

#[test]
fn lake_is_one_quad_and_a_step_in_it_is_closed() {
    let table = MaterialTable::builtin();
    let stone = id(&table, "stone");
    let water = id(&table, "water");
    let mut world = empty();
    world.fill(Box3 { min: IVec3::splat(-32), max: IVec3::new(64, 10, 64) }, Voxel::full(stone));
    world.fill(
        Box3 { min: IVec3::new(-32, 5, -32), max: IVec3::new(64, 9, 64) },
        Voxel::full(water),
    );
    world.fill(
        Box3 { min: IVec3::new(-32, 9, -32), max: IVec3::new(64, 10, 64) },
        Voxel::new(water, 223),
    );
    let mesh = check(&world, &table, "a lake");
    assert_eq!(
        unpacked(&mesh.translucent).map(|q| (q.face, q.y, q.liquid)).collect::<Vec<_>>(),
        [(2, 158, true)]
    );
    // The water falls from 14 sixteenths to 8 in the eastern half, which makes two surfaces and the
    // strip between them.
    world.fill(
        Box3 { min: IVec3::new(16, 9, -32), max: IVec3::new(64, 10, 64) },
        Voxel::new(water, 127),
    );
    let mesh = check(&world, &table, "a step");
    let mut sides: Vec<_> =
        unpacked(&mesh.translucent).map(|q| (q.face, q.y, q.width, q.height)).collect();
    sides.sort_unstable();
    assert_eq!(sides, [(0, 152, 32, 6), (2, 152, 16, 32), (2, 158, 16, 32)]);
}

#[test]
fn liquid_on_a_thin_layer_reaches_down_to_it() {
    let table = MaterialTable::builtin();
    for (liquid, is_opaque) in [("lava", true), ("water", false)] {
        let mut world = empty();
        world.set(IVec3::new(5, 5, 5), Voxel::new(id(&table, "stone"), 63));
        world.set(IVec3::new(5, 6, 5), Voxel::new(id(&table, liquid), 127));
        let mesh = check(&world, &table, liquid);
        let list = if is_opaque { &mesh.opaque } else { &mesh.translucent };
        let heights = |face: u8| {
            let liquids = unpacked(list).filter(|quad| quad.face == face && quad.liquid);
            let mut heights: Vec<_> =
                liquids.map(|quad| (quad.y, quad.y + quad.height as i16)).collect();
            heights.sort_unstable();
            heights
        };
        // The side goes from the stone, 4 sixteenths high, to the surface, without a gap or a
        // bottom.
        for side in [0, 1, 4, 5] {
            assert_eq!(heights(side), [(84, 96), (96, 104)], "{liquid}");
        }
        assert_eq!((heights(2).len(), heights(3).len()), (1, 0), "{liquid}");
    }
}

#[test]
fn wire_is_flat_with_and_without_a_signal_and_a_stack_is_closed() {
    let table = MaterialTable::builtin();
    let wire = id(&table, "wire");
    for occupancy in [15, 45, 75] {
        let mut world = empty();
        world.set(IVec3::new(5, 4, 5), Voxel::new(wire, occupancy));
        world.set(IVec3::new(6, 4, 5), Voxel::new(wire, 75));
        let mesh = check(&world, &table, "wires");
        let sides = |quad: &Quad| !matches!(quad.face, 2 | 3);
        assert!(
            unpacked(&mesh.opaque).filter(sides).all(|quad| (quad.y, quad.height) == (64, 1)),
            "{occupancy}"
        );
        // A wire above, to which the lower wire reaches up.
        world.set(IVec3::new(5, 5, 5), Voxel::new(wire, occupancy));
        let mesh = check(&world, &table, "a stack of wires");
        let west = unpacked(&mesh.opaque).filter(|quad| quad.face == 1);
        let mut west: Vec<_> = west.map(|quad| (quad.y, quad.height)).collect();
        west.sort_unstable();
        assert_eq!(west, [(64, 16), (80, 1)], "{occupancy}");
    }
}

#[test]
fn cross_shape_is_two_sheets() {
    let table = MaterialTable::builtin();
    let mut world = empty();
    world.set(IVec3::new(31, 0, 7), Voxel::full(id(&table, "tall_grass")));
    let mesh = check(&world, &table, "a plant");
    let ends = |quad: Quad| {
        let v = quad.vertices();
        [0, 1].map(|i: usize| (v[i].x, v[i].z))
    };
    assert_eq!(
        unpacked(&mesh.cutout).map(ends).collect::<Vec<_>>(),
        [[(496, 112), (512, 128)], [(512, 112), (496, 128)]]
    );
    assert!(unpacked(&mesh.cutout).all(|q| q.height == 16 && !q.shaded));
}

#[test]
fn cross_is_two_sheets_next_to_any_block() {
    let table = MaterialTable::builtin();
    for around in ["air", "stone", "glass", "water"] {
        let mut world = empty();
        world.fill(
            Box3::spanning(IVec3::splat(3), IVec3::splat(7)),
            Voxel::full(id(&table, around)),
        );
        world.set(IVec3::splat(5), Voxel::full(id(&table, "tall_grass")));
        let mesh = check(&world, &table, around);
        let sheets: Vec<u8> =
            unpacked(&mesh.cutout).map(|quad| quad.face).filter(|&face| face > 5).collect();
        assert_eq!(sheets, [6, 7], "in {around}");
    }
}

#[test]
fn torch_is_five_quads_next_to_any_block() {
    let table = MaterialTable::builtin();
    for (around, name) in
        [("air", "torch"), ("stone", "torch_wall_east"), ("glass", "red_torch"), ("water", "torch")]
    {
        let mut world = empty();
        world.fill(
            Box3::spanning(IVec3::splat(3), IVec3::splat(7)),
            Voxel::full(id(&table, around)),
        );
        world.set(IVec3::splat(5), Voxel::full(id(&table, name)));
        let mesh = check(&world, &table, name);
        let materials = FaceMaterials::new(&table);
        let corners = table.get(id(&table, name)).unwrap().torch_mount().map(CornerRule::Torch);
        let torches = unpacked(&mesh.cutout)
            .filter(|quad| Some(materials.list()[usize::from(quad.material)].corners) == corners);
        let faces: Vec<_> =
            torches.map(|quad| (quad.face, quad.width, quad.height, quad.shaded)).collect();
        let side = |face| (face, 1, 16, false);
        assert_eq!(
            faces,
            [side(0), side(1), (2, 1, 1, false), side(4), side(5)],
            "{name} in {around}"
        );
    }
}

#[test]
fn hills_need_few_quads() {
    let table = MaterialTable::builtin();
    for (what, steepness, planted) in
        [("gentle", 0.3, false), ("steep", 1.0, false), ("planted", 1.0, true)]
    {
        let world = hills(&table, steepness, planted);
        let mesh = check(&world, &table, what);
        let units = brute_force(&world, &table, &FaceMaterials::new(&table));
        let quads = mesh.quad_count();
        let greedy = classic_greedy(&units);
        println!(
            "{what} hills: {} unit faces, {quads} quads, classic greedy {greedy}",
            units.len()
        );
        // The sheets of plants never merge.
        assert!(
            planted || quads * 2 < units.len(),
            "{what}: {quads} quads of {} faces",
            units.len()
        );
        assert!(quads * 20 <= greedy * 21, "{what}: {quads} quads, classic greedy {greedy}");
    }
}

#[test]
fn triangles_are_counter_clockwise_seen_from_outside() {
    let table = MaterialTable::builtin();
    let world = random_boxes(&mut Random::new(7), &table, 400);
    let mesh = mesh_of(&world, &table);
    let mut seen = [0; 8];
    for shaded in mesh.lists().into_iter().flat_map(|list| mesh.split_by_shade(list)) {
        let face = shaded.quad.face;
        let triangles = shaded.triangles();
        let vertices = shaded.quad.vertices();
        for triangle in triangles.chunks(3) {
            let corners = [0, 1, 2].map(|i: usize| vertices[usize::from(triangle[i])]);
            let [a, b, c] = corners.map(|v| IVec3::from([v.x, v.y, v.z].map(i32::from)));
            let normal = (b - a).cross(c - a);
            seen[usize::from(face)] += 1;
            if face < SHEET {
                assert_eq!(normal.signum(), Face::ALL[usize::from(face)].normal(), "{corners:?}");
            } else {
                assert!(normal.y == 0 && normal.x != 0 && normal.z != 0, "{corners:?}");
            }
        }
        // The two triangles of a quad cover the quad exactly.
        let mut used = triangles;
        used.sort_unstable();
        assert!([0, 1, 2, 3].iter().all(|corner| used.contains(corner)), "{shaded:?}");
    }
    assert!(seen.iter().all(|&n| n > 0), "every kind of face must occur: {seen:?}");
    assert_eq!(mesh.gpu_bytes(), mesh.quad_count() * 8 + mesh.dark.words().len() * 4);
}
