//! Movement of a body in a world with a wall, half steps and a pool.

mod over_ground;
mod shapes;
mod smooth_worlds;

use super::*;
use crate::voxel::{Box3, ChunkPos, Face, Material, Shape, StairCorner, Stairs};
use crate::world::{Chunk, is_free};
use glam::IVec3;

/// 128 x 128 m of stone with its top at y = 0, a wall, a staircase of half steps and a pool.
fn world(materials: &MaterialTable) -> World {
    let mut world = World::new();
    for pos in (Box3 { min: IVec3::new(-64, -32, -64), max: IVec3::new(64, 96, 64) }).chunks() {
        world.insert(pos, Chunk::uniform(Voxel::AIR));
    }
    let stone = Voxel::full(materials.find("stone").expect("stone"));
    let water = Voxel::full(materials.find("water").expect("water"));
    let half = Voxel::new(stone.material(), 127);
    world.fill(Box3 { min: IVec3::new(-64, -32, -64), max: IVec3::new(64, 0, 64) }, stone);
    world.fill(Box3 { min: IVec3::new(10, 0, -64), max: IVec3::new(11, 8, 64) }, stone);
    world.fill(Box3 { min: IVec3::new(-20, -6, -20), max: IVec3::new(-10, 0, -10) }, water);
    world.fill(Box3 { min: IVec3::new(-8, 0, 8), max: IVec3::new(-7, 1, 20) }, half);
    world
}

fn body_is_free(world: &World, materials: &MaterialTable, walker: &Walker) -> bool {
    let body = walker.body();
    is_free(world, materials, Aabb { min: body.min + 1e-3, max: body.max - 1e-3 })
}

#[test]
fn body_never_falls_through_or_sticks_at_any_frame_rate() {
    let materials = MaterialTable::builtin();
    let world = world(&materials);
    for fps in [5.0, 12.0, 30.0, 144.0, 1000.0] {
        let mut walker = Walker::at(DVec3::new(0.5, 60.0, 0.5));
        let mut far = 0.0f64;
        for frame in 0..(fps as u32 * 40) {
            let t = f64::from(frame) / fps;
            let along = DVec2::from_angle((t * 0.9).sin() * 6.0);
            let intent =
                Intent { along, up: frame % 3 == 0, sprint: t > 20.0, ..Intent::default() };
            walker.advance(&world, &materials, intent, 1.0 / fps);
            assert!(walker.position.y > -6.5, "{fps} fps: fell to {}", walker.position);
            assert!(
                body_is_free(&world, &materials, &walker),
                "{fps} fps: stuck at {}",
                walker.position
            );
            far = far.max(walker.position.xz_length());
        }
        assert!(far > 5.0, "{fps} fps: it barely moved");
    }
}

#[test]
fn body_on_the_ground_is_in_the_voxel_above_it() {
    let materials = MaterialTable::builtin();
    let stone = Voxel::full(materials.find("stone").unwrap());
    for top in [-96, 0, 16, 31, 4095] {
        let mut world = World::new();
        for y in [top - 1, top + 1].map(|y: i32| y.div_euclid(32)) {
            world.insert(ChunkPos::new(0, y, 0), Chunk::uniform(Voxel::AIR));
        }
        world.fill(Box3 { min: IVec3::new(0, top - 1, 0), max: IVec3::new(32, top, 32) }, stone);
        let mut walker = Walker::at(DVec3::new(16.3, f64::from(top) + 0.4, 16.7));
        for _ in 0..120 {
            walker.advance(&world, &materials, Intent::default(), 1.0 / 60.0);
        }
        assert!(walker.on_ground, "{}", walker.position);
        assert_eq!(walker.voxel(), IVec3::new(16, top, 16), "{}", walker.position);
    }
}

trait XzLength {
    fn xz_length(&self) -> f64;
}
impl XzLength for DVec3 {
    fn xz_length(&self) -> f64 {
        DVec2::new(self.x, self.z).length()
    }
}

#[test]
fn walking_climbs_half_steps_but_not_walls() {
    let materials = MaterialTable::builtin();
    let world = world(&materials);
    let west = Intent { along: DVec2::NEG_X, ..Intent::default() };
    let mut walker = Walker::at(DVec3::new(-5.0, 0.0, 12.5));
    let mut highest = 0.0f64;
    for _ in 0..120 {
        walker.advance(&world, &materials, west, 1.0 / 60.0);
        highest = highest.max(walker.position.y);
    }
    assert!(walker.position.x < -9.0, "stopped at {}", walker.position);
    assert!((highest - 0.5).abs() < 1e-6, "rose to {highest}");
    let mut walker = Walker::at(DVec3::new(5.0, 0.0, 0.5));
    for _ in 0..300 {
        walker.advance(
            &world,
            &materials,
            Intent { along: DVec2::X, ..Intent::default() },
            1.0 / 60.0,
        );
    }
    assert!((walker.position.x - 9.7).abs() < 1e-3, "the wall is at x = 10: {}", walker.position);
}

#[test]
fn walking_climbs_stairs_without_a_jump() {
    let mut materials = MaterialTable::builtin();
    let stairs = Stairs { rises_to: Face::East, is_hanging: false, corner: StairCorner::Straight };
    let shape = Shape::Hewn(stairs.eighths());
    let id = materials.add(Material { shape, ..Material::plain("stairs", [9; 3]) });
    let rising = Voxel::new(id.expect("there is room"), stairs.eighths().occupancy());
    let stone = Voxel::full(materials.find("stone").expect("stone"));
    let mut world = world(&materials);
    // Six stairs from x = -40 on, and a wall behind each.
    for step in 0..6 {
        let at = IVec3::new(step - 40, step, 40);
        world.set(at, rising);
        world.fill(Box3 { min: at.with_x(at.x + 1), max: IVec3::new(-20, at.y + 1, 41) }, stone);
    }
    let mut walker = Walker::at(DVec3::new(-42.5, 0.0, 40.5));
    let east = Intent { along: DVec2::X, ..Intent::default() };
    for _ in 0..300 {
        walker.advance(&world, &materials, east, 1.0 / 60.0);
        assert!(body_is_free(&world, &materials, &walker), "inside at {}", walker.position);
        if walker.position.x > -29.0 {
            break;
        }
    }
    assert!(walker.position.x > -29.0, "stopped at {}", walker.position);
    assert!((walker.position.y - 6.0).abs() < 1e-6 && walker.on_ground, "{}", walker.position);
}

#[test]
fn swimming_body_climbs_out_of_pool() {
    let materials = MaterialTable::builtin();
    let world = world(&materials);
    let mut walker = Walker::at(DVec3::new(-15.0, -5.9, -15.0));
    let out = Intent { along: DVec2::X, up: true, ..Intent::default() };
    for _ in 0..(60 * 15) {
        walker.advance(&world, &materials, out, 1.0 / 60.0);
    }
    assert!(
        walker.position.x > -9.0 && walker.position.y > -0.1,
        "still in the pool: {}",
        walker.position
    );
}

#[test]
fn body_inside_block_is_lifted_out() {
    let materials = MaterialTable::builtin();
    let mut world = world(&materials);
    let mut walker = Walker::at(DVec3::new(0.5, 0.0, 0.5));
    world.fill(Box3 { min: IVec3::new(-1, 0, -1), max: IVec3::new(2, 3, 2) }, Voxel::full(1));
    walker.advance(&world, &materials, Intent::default(), 0.01);
    assert!(walker.position.y > 2.9, "{}", walker.position);
    assert!(body_is_free(&world, &materials, &walker));
}

#[test]
fn body_slightly_inside_wall_is_pushed_sideways() {
    let materials = MaterialTable::builtin();
    let mut world = world(&materials);
    // A tunnel two voxels high, deep in the stone, whose end overlaps the body by 5 mm.
    world.fill(Box3 { min: IVec3::new(20, -20, 0), max: IVec3::new(25, -18, 1) }, Voxel::AIR);
    let mut walker = Walker::at(DVec3::new(24.705, -20.0, 0.5));
    walker.advance(&world, &materials, Intent::default(), 0.01);
    assert!((walker.position.x - 24.7).abs() < 1e-9, "{}", walker.position);
    assert!((walker.position.y + 20.0).abs() < 1e-3, "{}", walker.position);
}

#[test]
fn stone_in_untouched_voxels_does_not_move_body() {
    let materials = MaterialTable::builtin();
    for x in [0.3, 0.5, 0.6999, 0.70005, 0.7001, 0.705, 0.71, 0.8] {
        let mut world = world(&materials);
        let walker = Walker::at(DVec3::new(x, 0.0, 0.5));
        for (x, y, z) in
            (-2..3).flat_map(|y| (-2..3).flat_map(move |z| (-2..3).map(move |x| (x, y, z))))
        {
            let at = IVec3::new(x, y, z);
            if !walker.touches(at) {
                world.set(at, Voxel::full(1));
            }
        }
        let mut moved = walker;
        moved.advance(&world, &materials, Intent::default(), 0.01);
        assert!(
            (moved.position - walker.position).abs().max_element() < 1e-3,
            "{x}: {}",
            moved.position
        );
    }
}

#[test]
fn jump_clears_one_block_but_not_two() {
    let materials = MaterialTable::builtin();
    for (height, clears) in [(1, true), (2, false)] {
        let mut world = world(&materials);
        world.fill(
            Box3 { min: IVec3::new(-64, 0, 3), max: IVec3::new(64, height, 5) },
            Voxel::full(1),
        );
        let mut walker = Walker::at(DVec3::new(0.5, 0.0, 0.5));
        for _ in 0..180 {
            let south = Intent { along: DVec2::Y, up: true, ..Intent::default() };
            walker.advance(&world, &materials, south, 1.0 / 60.0);
        }
        assert_eq!(walker.position.z > 6.0, clears, "{height} blocks: {}", walker.position);
    }
}

#[test]
fn jump_against_ledge_reaches_full_height() {
    let materials = MaterialTable::builtin();
    let world = world(&materials);
    // Walking into the half steps at x = -8.
    let mut walker = Walker::at(DVec3::new(-6.7, 0.0, 12.5));
    let west = Intent { along: DVec2::NEG_X, ..Intent::default() };
    walker.advance(&world, &materials, Intent::default(), 0.1);
    let mut highest = 0.0f64;
    for frame in 0..60 {
        walker.advance(&world, &materials, Intent { up: frame == 0, ..west }, 1.0 / 60.0);
        highest = highest.max(walker.position.y);
    }
    assert!(highest > 1.2, "rose to {highest}");
}

#[test]
fn flying_stops_at_walls_and_ends_on_ground() {
    let materials = MaterialTable::builtin();
    let world = world(&materials);
    let mut walker = Walker { flying: true, ..Walker::at(DVec3::new(5.5, 3.0, 0.5)) };
    for _ in 0..60 {
        let east = Intent { along: DVec2::X, sprint: true, ..Intent::default() };
        walker.advance(&world, &materials, east, 1.0 / 30.0);
    }
    assert!(walker.flying && (walker.position.x - 9.7).abs() < 1e-3, "{}", walker.position);
    for _ in 0..60 {
        walker.advance(&world, &materials, Intent { down: true, ..Intent::default() }, 1.0 / 30.0);
    }
    assert!(
        !walker.flying && walker.on_ground && walker.position.y.abs() < 1e-3,
        "{}",
        walker.position
    );
}

#[test]
fn flying_down_to_unloaded_chunk_continues_flying() {
    let materials = MaterialTable::builtin();
    let mut world = world(&materials);
    let below: Vec<_> =
        (Box3 { min: IVec3::new(-64, 0, -64), max: IVec3::new(64, 32, 64) }).chunks().collect();
    for &pos in &below {
        drop(world.remove(pos));
    }
    let mut walker = Walker { flying: true, ..Walker::at(DVec3::new(5.5, 40.0, 0.5)) };
    let down = Intent { down: true, ..Intent::default() };
    for _ in 0..60 {
        _ = walker.advance(&world, &materials, down, 1.0 / 30.0);
    }
    assert!(walker.flying && (walker.position.y - 32.0).abs() < 1e-3, "{}", walker.position);
    for pos in below {
        world.insert(pos, Chunk::uniform(Voxel::AIR));
    }
    for _ in 0..10 {
        _ = walker.advance(&world, &materials, down, 1.0 / 30.0);
    }
    assert!(walker.flying && walker.position.y < 31.0, "{}", walker.position);
}

#[test]
fn walking_crosses_chunk_borders_far_from_origin() {
    let materials = MaterialTable::builtin();
    for far in [-33, -1_073_741_000, 1_073_740_000] {
        let mut world = World::new();
        let floor = Box3 {
            min: IVec3::new(far - 40, -32, far - 40),
            max: IVec3::new(far + 72, 32, far + 40),
        };
        for pos in floor.chunks() {
            let voxel = if pos.y < 0 { Voxel::full(1) } else { Voxel::AIR };
            world.insert(pos, Chunk::uniform(voxel));
        }
        let start = DVec3::new(f64::from(far) + 0.5, 0.0, f64::from(far) + 0.5);
        let mut walker = Walker::at(start);
        for _ in 0..600 {
            let east = Intent { along: DVec2::X, ..Intent::default() };
            walker.advance(&world, &materials, east, 1.0 / 60.0);
        }
        assert!(walker.on_ground && walker.position.y.abs() < 1e-3, "{}", walker.position);
        assert!(walker.position.x - start.x > 40.0, "{}", walker.position);
    }
}

#[test]
fn long_stall_is_clamped() {
    let materials = MaterialTable::builtin();
    let mut walker = Walker::at(DVec3::new(0.5, 60.0, 0.5));
    walker.advance(&world(&materials), &materials, Intent::default(), 3600.0);
    assert!(walker.position.y > 55.0, "{}", walker.position);
}

/// In a mine at a chunk border, next to an unloaded chunk, the body is neither lifted out nor
/// moved.
#[test]
fn body_waits_for_unloaded_neighbour_chunk() {
    let materials = MaterialTable::builtin();
    let mut world = world(&materials);
    world.fill(Box3 { min: IVec3::new(20, -20, -3), max: IVec3::new(40, -17, 3) }, Voxel::AIR);
    let next_door = world.remove(crate::voxel::ChunkPos::new(1, -1, 0)).expect("loaded");
    let mut walker = Walker::at(DVec3::new(31.9, -20.0, 0.5));
    walker.advance(&world, &materials, Intent::default(), 0.3);
    assert_eq!(walker.position, DVec3::new(31.9, -20.0, 0.5));
    world.insert(crate::voxel::ChunkPos::new(1, -1, 0), next_door);
    walker.advance(&world, &materials, Intent { along: DVec2::X, ..Intent::default() }, 0.3);
    assert!(walker.position.x > 32.0 && walker.position.y < -19.9, "{}", walker.position);
}

#[test]
fn body_waits_in_unloaded_chunk() {
    let materials = MaterialTable::builtin();
    let mut walker = Walker::at(DVec3::new(1000.5, 20.0, 0.5));
    walker.advance(&world(&materials), &materials, Intent { up: true, ..Intent::default() }, 1.0);
    assert_eq!(walker.position, DVec3::new(1000.5, 20.0, 0.5));
}

#[test]
fn flowing_water_carries_a_body_and_still_water_does_not() {
    let materials = MaterialTable::builtin();
    let water =
        |amount: u16| Voxel::new(materials.find("water").expect("water"), (amount - 1) as u8);
    let drift = |levels: &dyn Fn(i32) -> u16| {
        let mut world = world(&materials);
        for x in -60..-20 {
            let slice = Box3 { min: IVec3::new(x, 0, 30), max: IVec3::new(x + 1, 1, 40) };
            world.fill(slice, if levels(x) > 0 { water(levels(x)) } else { Voxel::AIR });
        }
        let mut walker = Walker::at(DVec3::new(-40.0, 0.0, 35.0));
        for _ in 0..60 {
            walker.advance(&world, &materials, Intent::default(), 1.0 / 60.0);
        }
        walker.position - DVec3::new(-40.0, 0.0, 35.0)
    };
    let still = drift(&|_| 128);
    assert!(still.length() < 1e-3, "{still}");
    // The level falls by 6/256 of a voxel per voxel to the east.
    let east = drift(&|x| (256 - (x + 60) * 6) as u16);
    assert!(east.x > 0.05 && east.z.abs() < 1e-6, "{east}");
    let west = drift(&|x| (16 + (x + 60) * 6) as u16);
    assert!(west.x < -0.05, "{west}");
    // The edge of a film on dry ground.
    let film = drift(&|x| if x < -39 { 64 } else { 0 });
    assert!(film.length() < 1e-3, "{film}");
}
