//! Bodies among fences, doors and random shapes.

use super::{Intent, Walker, body_is_free, world};
use crate::random::Random;
use crate::voxel::{
    Box3, Face, HewnEighths, Material, MaterialTable, ModelForm, Shape, Turn, Voxel,
};
use glam::{DVec2, DVec3, IVec3};

fn add(materials: &mut MaterialTable, name: &str, shape: Shape) -> Voxel {
    let id = materials.add(Material { shape, ..Material::plain(name, [9; 3]) }).unwrap();
    Voxel::new(id, shape.row().fill.unwrap_or(255))
}

/// x where a body stops that walks east from x = -42 at z = 40.5 for two seconds.
fn walked_to(world: &crate::world::World, materials: &MaterialTable) -> f64 {
    let mut walker = Walker::at(DVec3::new(-42.0, 0.0, 40.5));
    for _ in 0..120 {
        let east = Intent { along: DVec2::X, ..Intent::default() };
        walker.advance(world, materials, east, 1.0 / 60.0);
        assert!(body_is_free(world, materials, &walker), "inside at {}", walker.position);
    }
    walker.position.x
}

#[test]
fn closed_doors_stop_a_body_and_open_ones_let_it_pass() {
    let mut materials = MaterialTable::builtin();
    let stone = Voxel::full(materials.find("stone").unwrap());
    let panel = |face| Shape::Model(ModelForm::new("panel", Turn::from_up(face), &[]).unwrap());
    // Closed, the panel lies on the side opposite to the one that the door faces.
    let closed = add(&mut materials, "closed", panel(Face::East));
    let open = add(&mut materials, "open", panel(Face::South));
    let mut world = world(&materials);
    world.fill(Box3 { min: IVec3::new(-40, 0, 30), max: IVec3::new(-39, 4, 50) }, stone);
    let doorway = Box3 { min: IVec3::new(-40, 0, 40), max: IVec3::new(-39, 2, 41) };
    world.fill(doorway, closed);
    let stopped = walked_to(&world, &materials);
    assert!((stopped + 40.3).abs() < 0.01, "{stopped}");
    world.fill(doorway, open);
    let passed = walked_to(&world, &materials);
    assert!(passed > -38.0, "{passed}");
}

#[test]
fn fences_join_and_stop_a_body_between_their_posts() {
    let mut materials = MaterialTable::builtin();
    let fence = Shape::Model(ModelForm::joined("fence").unwrap());
    let fence = add(&mut materials, "fence", fence);
    let mut world = world(&materials);
    // A post on each side of the way.
    for z in [39, 41] {
        world.set(IVec3::new(-40, 0, z), fence);
    }
    assert!(walked_to(&world, &materials) > -38.0);
    world.set(IVec3::new(-40, 0, 40), fence);
    let stopped = walked_to(&world, &materials);
    assert!((stopped - (-40.0 + 6.0 / 16.0 - 0.3)).abs() < 0.01, "{stopped}");
}

/// Walks over random shapes, and checks that every step is free.
fn walk_over_shapes(seed: u64, steps: u32) {
    let mut materials = MaterialTable::builtin();
    let random = &mut Random::new(seed);
    let turns: Vec<Turn> = Turn::all().collect();
    let mut shapes: Vec<Shape> = ModelForm::all()
        .filter(|form| !form.is_passable())
        .map(|form| Shape::Model(form.turned(turns[random.below(48) as usize])))
        .collect();
    shapes.extend((1..=254u8).filter_map(HewnEighths::new).map(Shape::Hewn));
    let voxels: Vec<Voxel> = shapes
        .iter()
        .enumerate()
        .map(|(number, shape)| add(&mut materials, &format!("shape {number}"), *shape))
        .collect();
    let mut world = world(&materials);
    for x in -40..40 {
        for z in -40..40 {
            for y in 0..2 {
                if random.below(4 + 8 * y as u32) == 0 {
                    let voxel = voxels[random.below(voxels.len() as u32) as usize];
                    world.set(IVec3::new(x, y, z), voxel);
                }
            }
        }
    }
    let mut walker = Walker::at(DVec3::new(0.5, 4.0, 0.5));
    let mut along = DVec2::X;
    let mut far = 0.0f64;
    for step in 0..steps {
        if step % 30 == 0 {
            along = DVec2::from_angle(f64::from(random.below(360)).to_radians());
        }
        let intent = Intent { along, up: random.below(20) == 0, ..Intent::default() };
        walker.advance(&world, &materials, intent, 1.0 / 60.0);
        assert!(body_is_free(&world, &materials, &walker), "seed {seed}: {}", walker.position);
        assert!(walker.position.y > -6.5, "seed {seed}: fell to {}", walker.position);
        far = far.max(DVec2::new(walker.position.x, walker.position.z).length());
        if walker.position.abs().max_element() > 39.0 {
            walker = Walker::at(DVec3::new(0.5, 4.0, 0.5));
        }
    }
    assert!(far > 3.0, "seed {seed}: it barely moved");
}

#[test]
fn random_walks_over_shapes_are_free() {
    for seed in 0..4 {
        walk_over_shapes(seed, 5_000);
    }
}

#[test]
#[ignore = "takes 15 s; after changes of bodies or shapes"]
fn million_random_steps_over_shapes_are_free() {
    for seed in 0..100 {
        walk_over_shapes(seed, 10_000);
    }
}
