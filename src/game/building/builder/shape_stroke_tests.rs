use super::*;
use crate::game::building::builder::symmetry::Symmetry;
use stonerun_engine::edit::shaping::ShapingMaterials;
use stonerun_engine::edit::{Mask, Pattern};
use stonerun_engine::voxel::{Box3, MaterialTable, Voxel};
use stonerun_engine::world::{Chunk, World};
use strum::VariantArray;

const STONE: Voxel = Voxel::full(1);
const AREA: Box3 = Box3 { min: IVec3::splat(-32), max: IVec3::splat(32) };

/// A world with stone up to a height that depends on x.
fn land(top: impl Fn(i32) -> i32) -> World {
    let mut world = World::new();
    for pos in AREA.chunks() {
        drop(world.insert(pos, Chunk::uniform(Voxel::AIR)));
    }
    for x in AREA.min.x..AREA.max.x {
        let column = Box3 { min: AREA.min.with_x(x), max: IVec3::new(x + 1, top(x) + 1, 32) };
        world.fill(column, STONE);
    }
    world
}

fn hills() -> World {
    land(|x| (x * 5).rem_euclid(7) / 2)
}

fn stroke(options: ShapeOptions, takes: bool, symmetry: Symmetry) -> ShapeStroke {
    let table = MaterialTable::builtin();
    let materials = Arc::new(ShapingMaterials::from_materials(&table));
    let dirt = Voxel::full(table.find("dirt").expect("built in"));
    let matter = options.operation.puts_pattern(takes).then_some(Pattern::Voxel(dirt));
    let strength = options.strength();
    let shaping = Shaping { strength, matter, ..Shaping::new(ShapingTool::Add, materials) };
    ShapeStroke::new(StrokeSettings { options, takes, images: symmetry.images(), shaping, seed: 5 })
}

fn along_x(stroke: &ShapeStroke, places: impl IntoIterator<Item = i32>) {
    for x in places {
        stroke.add(ShapeDab { at: IVec3::new(x, 2, 0), normal: IVec3::Y * UNIT });
    }
}

fn edit(stroke: &ShapeStroke, world: &World) -> PreparedEdit {
    stroke.carry_out(world, 3, &JobProgress::default()).expect("the world is in memory").0
}

fn after(stroke: &ShapeStroke, world: &World) -> World {
    let mut after = world.clone();
    for change in edit(stroke, world).changes {
        drop(after.insert(change.pos, change.after));
    }
    after
}

/// Sum of the fills of a column, in 256ths of a voxel above layer -1.
fn height(world: &World, x: i32) -> i32 {
    let column = (0..32).map(|y| world.get(IVec3::new(x, y, 0)));
    column.filter(|voxel| !voxel.is_air()).map(|voxel| i32::from(voxel.occupancy()) + 1).sum()
}

#[test]
fn stroke_of_several_jobs_equals_a_stroke_of_one() {
    let world = hills();
    for &operation in ShapeOperation::VARIANTS {
        for takes in [false, true] {
            let options = ShapeOptions { operation, ..ShapeOptions::default() };
            let in_parts = stroke(options, takes, Symmetry::default());
            along_x(&in_parts, [-9, -6]);
            let first = edit(&in_parts, &world);
            let cancelled = JobProgress::default();
            along_x(&in_parts, [-4, 1]);
            cancelled.cancel();
            assert!(in_parts.carry_out(&world, 4, &cancelled).is_err());
            along_x(&in_parts, [5]);
            let whole = stroke(options, takes, Symmetry::default());
            along_x(&whole, [-9, -6, -4, 1, 5]);
            let whole = edit(&whole, &world);
            assert!(!whole.changes.is_empty() && first != whole, "{operation:?}");
            assert_eq!(edit(&in_parts, &world), whole, "{operation:?}");
            assert_eq!(whole.name, operation.verb(takes));
        }
    }
}

#[test]
fn flat_ground_is_flattened_to_the_height_at_the_start_of_the_stroke() {
    let world = hills();
    let flat = |operation, takes, height| {
        let options = ShapeOptions { operation, height, radius: 6, ..ShapeOptions::default() };
        let stroke = stroke(options, takes, Symmetry::default());
        // Layer 2 is the surface of the columns at 1 and -6.
        along_x(&stroke, [1, -6]);
        after(&stroke, &world)
    };
    assert_eq!((height(&world, 1), height(&world, -6)), (3 * 256, 3 * 256));
    let flattened = flat(ShapeOperation::Flatten, false, None);
    let filled = flat(ShapeOperation::Level, false, None);
    let cut = flat(ShapeOperation::Level, true, Some(0));
    for x in -8..4 {
        let before = height(&world, x);
        assert_eq!(height(&flattened, x), 3 * 256, "{x}");
        assert_eq!(height(&filled, x), before.max(3 * 256), "{x}");
        assert_eq!(height(&cut, x), before.min(256), "{x}");
    }
}

#[test]
fn slope_rises_evenly_between_the_ends_of_the_stroke() {
    let world = land(|x| {
        if x < -8 {
            0
        } else if x > 8 {
            8
        } else {
            3
        }
    });
    let options =
        ShapeOptions { operation: ShapeOperation::Slope, radius: 10, ..ShapeOptions::default() };
    let stroke = stroke(options, false, Symmetry::default());
    for at in [IVec3::new(-12, 0, 0), IVec3::new(3, 3, 0), IVec3::new(12, 8, 0)] {
        stroke.add(ShapeDab { at, normal: IVec3::Y * UNIT });
    }
    let slope = after(&stroke, &world);
    for x in -12..12 {
        let rise = height(&slope, x + 1) - height(&slope, x);
        assert!((rise - 8 * 256 / 24).abs() <= 1, "{rise} at {x}");
    }
}

#[test]
fn images_of_a_symmetry_are_shaped_once_and_as_mirrored() {
    let world = land(|_| 2);
    for (operation, takes) in [
        (ShapeOperation::Add, false),
        (ShapeOperation::Add, true),
        (ShapeOperation::Sculpt, true),
        (ShapeOperation::Grow, false),
    ] {
        let options = ShapeOptions { operation, ..ShapeOptions::default() };
        let symmetry = Symmetry { mirrors: [true, false, false], ..Symmetry::default() };
        let mirrored = stroke(options, takes, symmetry);
        // The last place lies on the plane of the mirror.
        for (x, tilt) in [(9, 90), (0, 0)] {
            mirrored.add(ShapeDab { at: IVec3::new(x, 2, 0), normal: IVec3::new(tilt, 200, 0) });
        }
        let mirrored = after(&mirrored, &world);
        let plain = stroke(options, takes, Symmetry::default());
        plain.add(ShapeDab { at: IVec3::new(0, 2, 0), normal: IVec3::new(0, 200, 0) });
        let plain = after(&plain, &world);
        for x in 0..=16 {
            assert_eq!(height(&mirrored, x), height(&mirrored, -x), "{operation:?} {x}");
        }
        assert_ne!(height(&mirrored, 9), height(&world, 9), "{operation:?}");
        for x in -3..=3 {
            assert_eq!(height(&mirrored, x), height(&plain, x), "{operation:?} {x}");
        }
    }
}

#[test]
fn mask_limits_a_stroke_and_paint_keeps_the_fills() {
    let world = hills();
    let options = ShapeOptions { operation: ShapeOperation::Paint, ..ShapeOptions::default() };
    let painted = stroke(options, false, Symmetry::default());
    along_x(&painted, [0]);
    let painted = after(&painted, &world);
    assert_ne!(painted.get(IVec3::ZERO), world.get(IVec3::ZERO));
    assert!((-9..9).all(|x| height(&painted, x) == height(&world, x)));
    let mut settings = StrokeSettings {
        options: ShapeOptions::default(),
        takes: true,
        images: Symmetry::default().images(),
        shaping: stroke(options, true, Symmetry::default()).settings.shaping.clone(),
        seed: 1,
    };
    settings.shaping.mask = Mask::Materials(vec![9]);
    let masked = ShapeStroke::new(settings);
    along_x(&masked, [0]);
    assert!(edit(&masked, &world).changes.is_empty());
}
