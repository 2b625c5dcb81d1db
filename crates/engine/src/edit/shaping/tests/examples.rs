//! Results that can be told without the definitions.

use super::worlds::{self, ALL, Ids};
use super::*;
use crate::edit::EditableWorld;
use crate::history::History;
use crate::voxel::ChunkPos;
use crate::world::Chunk;

/// Ground up to a height in 256ths of a voxel, by column.
fn land(height: impl Fn(i32, i32) -> i32) -> World {
    let ids = Ids::find();
    let mut world = World::new();
    for pos in ALL.chunks() {
        let voxel = |index: usize| {
            let at = pos.origin() + crate::voxel::linear_offset(index);
            match (height(at.x, at.z) - 256 * at.y).clamp(0, 256) {
                0 => Voxel::AIR,
                fill => Voxel::new(ids.stone, (fill - 1) as u8),
            }
        };
        let runs = (0..crate::voxel::CHUNK_VOLUME).map(|index| (1, voxel(index)));
        world.insert(pos, Chunk::from_runs(runs));
    }
    world
}

/// Height of a column in 256ths of a voxel, from the floor of the world.
fn height(world: &World, x: i32, z: i32) -> i32 {
    let ids = Ids::find();
    let column = (ALL.min.y..ALL.max.y).map(|y| worlds::voxel(world, IVec3::new(x, y, z)));
    let fills =
        column.filter(|voxel| ids.is_ground(*voxel)).map(|voxel| i32::from(voxel.occupancy()) + 1);
    fills.sum::<i32>() + 256 * ALL.min.y
}

fn shaping(tool: ShapingTool) -> Shaping {
    Shaping::new(tool, Arc::new(ShapingMaterials::from_materials(&worlds::materials())))
}

fn shape(world: &World, shaping: &Shaping, area: &ShapingArea) -> World {
    after(world, &shaped(world, shaping, area, &Mask::Any, 1))
}

#[test]
fn smoothing_keeps_planes_and_takes_the_mean_of_heights() {
    let area = ShapingArea::Region(Arc::new(Region::from_shape(&Box3 {
        min: IVec3::splat(-20),
        max: IVec3::splat(20),
    })));
    let tool = shaping(ShapingTool::Smooth { reach: 2 });
    let flat = land(|_, _| 1000);
    assert!(shaped(&flat, &tool, &area, &Mask::Any, 1).changes.is_empty());
    let hills = |x: i32, z: i32| 700 + x * 60 - z * 37 + (x * 7 + z * 13).rem_euclid(11) * 20;
    let smooth = shape(&land(hills), &tool, &area);
    for x in -15..15 {
        let mean: i32 = (-2..=2).flat_map(|dz| (-2..=2).map(move |dx| hills(x + dx, 3 + dz))).sum();
        let found = height(&smooth, x, 3);
        assert!((found - mean / 25).abs() <= 2, "{found} instead of {}", mean / 25);
    }
}

#[test]
fn surfaces_move_by_the_weight() {
    let world = land(|_, _| 1000);
    // Not the bottom of the world, which is a surface, too.
    let area = Box3 { min: ALL.min + 8, max: ALL.max };
    let area = ShapingArea::Region(Arc::new(Region::from_shape(&area)));
    for (tool, by) in [
        (ShapingTool::Grow, 100),
        (ShapingTool::Shrink, -100),
        (ShapingTool::Sculpt { normal: IVec3::Y, pushes: false }, 100),
        (ShapingTool::Sculpt { normal: IVec3::Y, pushes: true }, -100),
        (ShapingTool::Flatten { plane: ShapingPlane::level(20), side: FlattenSide::Both }, 100),
    ] {
        let mut tool = shaping(tool);
        tool.strength = 100;
        let mut moved = world.clone();
        for pass in 1..=4 {
            moved = shape(&moved, &tool, &area);
            assert_eq!(height(&moved, 3, 4), 1000 + pass * by, "{:?}", tool.tool);
        }
    }
}

#[test]
fn targets_are_reached_at_once_with_full_weight() {
    let world = land(|x, _| 500 + 50 * x);
    let area = ShapingArea::Region(Arc::new(Region::from_shape(&Box3 {
        min: IVec3::splat(-10),
        max: IVec3::splat(14),
    })));
    let plane = ShapingPlane::level(4);
    let flat =
        shape(&world, &shaping(ShapingTool::Flatten { plane, side: FlattenSide::Both }), &area);
    assert!((-10..10).all(|x| height(&flat, x, 0) == 5 * 256));
    let points = [I64Vec3::new(-2560, 256, 0), I64Vec3::new(2560, 256 + 2560, 0)];
    let slope = shape(&world, &shaping(ShapingTool::Slope { points }), &area);
    for x in -9..9 {
        let expected = 256 + 128 * (x + 10) + 64;
        assert!((height(&slope, x, 0) - expected).abs() <= 1);
    }
    let progress = JobProgress::default();
    let edit = VoxelEdit::new(&world, 0, &progress);
    let materials = ShapingMaterials::from_materials(&worlds::materials());
    let surface = IVec3::new(2, 2, 0);
    let at = ShapingPlane::at_surface(&edit, &materials, surface, IVec3::Y).unwrap();
    let flat =
        shape(&world, &shaping(ShapingTool::Flatten { plane: at, side: FlattenSide::Both }), &area);
    assert!((-10..10).all(|x| height(&flat, x, 5) == 600));
}

#[test]
fn locked_centres_stay_on_the_plane() {
    let plane = ShapingPlane::level(6);
    assert_eq!(plane.locked(IVec3::new(5, 90, -7)).y, 7);
    assert_eq!(plane.locked(IVec3::new(5, -90, -7)), IVec3::new(5, 7, -7));
    let steep = ShapingPlane::new(I64Vec3::splat(128), IVec3::new(1, -2, 0));
    assert_eq!(steep.locked(IVec3::new(10, 0, 3)), IVec3::new(10, 5, 3));
}

#[test]
fn new_matter_has_the_material_of_the_nearest_ground() {
    let ids = Ids::find();
    let mut world = land(|_, _| 1000);
    let sand = Box3 { min: IVec3::new(4, -32, -32), max: IVec3::splat(32) };
    world.fill(Box3 { max: IVec3::new(32, 4, 32), ..sand }, Voxel::full(ids.sand));
    let area = ShapingArea::Region(Arc::new(Region::from_shape(&ALL)));
    let grown = shape(&world, &shaping(ShapingTool::Grow), &area);
    for x in -8..8 {
        let material = worlds::voxel(&grown, IVec3::new(x, 4, 0)).material();
        assert_eq!(material, if x < 4 { ids.stone } else { ids.sand });
    }
}

#[test]
fn strokes_are_one_undo_step_that_restores_everything() {
    let mut random = Random::new(77);
    let original = random_world(&mut random);
    let mut world = EditableWorld::new(History::new(usize::MAX));
    for (pos, chunk) in original.chunks() {
        world.load_chunk(pos, chunk.clone());
    }
    let centres = stroke_centres(&[IVec3::splat(-5), IVec3::new(12, 3, -9)], 3);
    assert!(centres.windows(2).all(|pair| pair[0].as_dvec3().distance(pair[1].as_dvec3()) < 4.8));
    assert_eq!((centres[0], centres.last()), (IVec3::splat(-5), Some(&IVec3::new(12, 3, -9))));
    let mut steps = 0;
    for tool in [ShapingTool::Erode, ShapingTool::Smooth { reach: 2 }, ShapingTool::Weather] {
        let progress = JobProgress::default();
        let snapshot = world.world().clone();
        let mut edit = VoxelEdit::new(&snapshot, world.revision(), &progress);
        let changed = edit.shape_stroke(&shaping(tool), ShapingBrush::ball(6), &centres).unwrap();
        assert!(changed > 0);
        // Chunks that are not loaded cannot be committed without a map.
        let mut edit = edit.finish("stroke");
        edit.changes.retain(|change| snapshot.is_loaded(change.pos));
        world.commit(edit, |_| Ok(None)).unwrap();
        steps += 1;
    }
    for _ in 0..steps {
        world.undo(|_| Ok(None)).unwrap();
    }
    for (pos, chunk) in original.chunks() {
        assert_eq!(world.world().chunk(pos), Some(chunk), "{pos:?}");
    }
    assert!(world.world().chunk(ChunkPos::new(9, 9, 9)).is_none());
}

#[test]
fn resumed_edit_equals_an_edit_without_a_break() {
    let world = random_world(&mut Random::new(78));
    let centres = stroke_centres(&[IVec3::splat(-9), IVec3::new(14, 3, -9)], 4);
    let progress = JobProgress::default();
    for tool in [ShapingTool::Grow, ShapingTool::Smooth { reach: 1 }, ShapingTool::Melt] {
        let shaping = shaping(tool);
        let mut whole = VoxelEdit::new(&world, 5, &progress);
        whole.shape_stroke(&shaping, ShapingBrush::ball(6), &centres).unwrap();
        let whole = whole.finish("stroke");
        let [first, second] = [&centres[..3], &centres[3..]];
        let mut part = VoxelEdit::new(&world, 5, &progress);
        part.shape_stroke(&shaping, ShapingBrush::ball(6), first).unwrap();
        let part = part.finish("part");
        assert_ne!(part.changes, whole.changes);
        let mut rest = VoxelEdit::resume(&world, &progress, part);
        rest.shape_stroke(&shaping, ShapingBrush::ball(6), second).unwrap();
        assert_eq!(rest.finish("stroke"), whole);
    }
    // Growing and erasing again is no change.
    let air = Region::from_shape(&Box3::spanning(IVec3::splat(200), IVec3::splat(203)));
    let mut edit = VoxelEdit::new(&world, 5, &progress);
    edit.fill(&air, &Mask::Any, &Pattern::Voxel(Voxel::full(1))).unwrap();
    let edit = edit.finish("fill");
    assert!(!edit.changes.is_empty());
    let mut edit = VoxelEdit::resume(&world, &progress, edit);
    edit.fill(&air, &Mask::Any, &Pattern::Voxel(Voxel::AIR)).unwrap();
    assert!(edit.finish("erased").changes.is_empty());
}

#[test]
fn dust_is_cleared_and_old_dust_stays() {
    let ids = Ids::find();
    let mut world = land(|_, _| 0);
    let speck = IVec3::new(1, 9, 1);
    let dust = IVec3::new(12, 9, 1);
    world.set(speck, Voxel::new(ids.stone, 140));
    world.set(dust, Voxel::new(ids.stone, 40));
    let area = ShapingArea::dab(ShapingBrush { falloff: 0, ..ShapingBrush::ball(3) }, speck);
    let mut tool = shaping(ShapingTool::Shrink);
    tool.strength = 30;
    let after = shape(&world, &tool, &area);
    // Shrunk to less than half a voxel in the air.
    assert_eq!(worlds::voxel(&after, speck), Voxel::AIR);
    assert_eq!(worlds::voxel(&after, dust), Voxel::new(ids.stone, 40));
}
