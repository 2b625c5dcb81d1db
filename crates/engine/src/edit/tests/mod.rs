//! Tests of edits on worlds without a map file.

use super::*;
use crate::edit::region::Region;
use crate::history::{Direction, History};
use crate::save::SaveError;
use crate::voxel::{Box3, ChunkPos, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;
use rustc_hash::FxHashMap;

mod placed;
mod surface_steps;
mod tiles;
mod undo;

const STONE: Voxel = Voxel::full(1);
const SAND: Voxel = Voxel::full(9);

fn at(x: i32) -> ChunkPos {
    ChunkPos::new(x, 0, 0)
}

/// A row of stone chunks along x.
fn stone(chunks: std::ops::Range<i32>) -> EditableWorld {
    let mut world = EditableWorld::new(History::new(usize::MAX));
    for x in chunks {
        assert!(world.load_chunk(at(x), Chunk::uniform(STONE)));
    }
    world
}

/// Fetch function of a map without chunks.
fn empty_map(_: ChunkPos) -> Result<Option<Chunk>, SaveError> {
    Ok(None)
}

/// Unloads a chunk into `map`.
fn unload(world: &mut EditableWorld, map: &mut FxHashMap<ChunkPos, Chunk>, pos: ChunkPos) {
    map.insert(pos, world.world().chunk(pos).expect("loaded").clone());
    world.unload_chunk(pos);
}

/// Totals recounted from all loaded chunks.
fn counted(world: &World) -> LoadedTotals {
    let mut totals = LoadedTotals { chunks: world.len() as u64, ..LoadedTotals::default() };
    for (_, chunk) in world.chunks() {
        totals.runs += chunk.run_count() as u64;
        totals.heap_bytes += chunk.heap_bytes() as u64;
    }
    totals
}

/// Numbers of steps that can be undone and redone.
fn steps(world: &EditableWorld) -> (usize, usize) {
    (world.history().undo_count(), world.history().redo_count())
}

fn contents(world: &EditableWorld) -> FxHashMap<ChunkPos, Chunk> {
    world.world().chunks().map(|(pos, chunk)| (pos, chunk.clone())).collect()
}

#[test]
fn set_is_undone_and_redone_as_one_step() {
    let mut world = stone(0..2);
    assert!(matches!(world.undo(empty_map), Ok(None)), "nothing to undo");
    let voxel = IVec3::new(31, 5, 5);
    let change = world.set(voxel, Voxel::AIR);
    let part = ChangedPart { pos: at(0), area: Box3 { min: voxel, max: voxel + 1 } };
    assert_eq!(change, Change { parts: vec![part], ..Change::default() });
    assert!(world.set(voxel, Voxel::AIR).is_empty(), "the voxel is air already");
    assert_eq!(steps(&world), (1, 0), "an edit without a change is no step");
    let revision = world.chunk_revision(at(0));
    let totals = world.totals();
    assert_eq!(world.undo(empty_map).unwrap(), Some(change.clone()));
    assert_eq!(world.world().get(voxel), STONE);
    assert!(world.chunk_revision(at(0)) > revision && world.totals().runs < totals.runs);
    assert_eq!(world.redo(empty_map).unwrap(), Some(change));
    assert_eq!(world.world().get(voxel), Voxel::AIR);
    assert!(matches!(world.redo(empty_map), Ok(None)));
}

#[test]
fn set_in_unloaded_chunk_changes_nothing() {
    let mut world = stone(0..1);
    let revision = world.revision();
    assert!(world.set(IVec3::new(32, 0, 0), Voxel::AIR).is_empty());
    assert_eq!((world.revision(), steps(&world)), (revision, (0, 0)));
}

#[test]
fn load_chunk_never_replaces_a_loaded_chunk() {
    let mut world = stone(0..1);
    assert!(!world.load_chunk(at(0), Chunk::uniform(Voxel::AIR)));
    assert_eq!(world.world().get(IVec3::ZERO), STONE);
}

#[test]
fn apply_changes_regions_in_order_as_one_step() {
    let mut world = stone(0..3);
    let before = contents(&world);
    let wide = Box3 { min: IVec3::new(30, 2, 3), max: IVec3::new(70, 5, 6) };
    let inner = Box3 { min: IVec3::new(40, 3, 4), max: IVec3::new(41, 4, 5) };
    let edit = Edit {
        patches: vec![BoxPatch::fill(wide, Voxel::full(7)), BoxPatch::fill(inner, Voxel::AIR)],
    };
    let change = world.apply(&edit);
    assert_eq!(change.parts.iter().map(|part| part.pos).collect::<Vec<_>>().len(), 3);
    for x in 28..72 {
        for y in 1..6 {
            for z in 2..7 {
                let voxel = IVec3::new(x, y, z);
                let expected = match () {
                    () if inner.contains(voxel) => Voxel::AIR,
                    () if wide.contains(voxel) => Voxel::full(7),
                    () => STONE,
                };
                assert_eq!(world.world().get(voxel), expected, "{voxel}");
                let reported = change.parts.iter().any(|part| part.area.contains(voxel));
                assert!(reported || expected == STONE, "{voxel} is reported as changed");
            }
        }
    }
    let after = contents(&world);
    assert_eq!(steps(&world), (1, 0));
    world.undo(empty_map).unwrap();
    assert_eq!(contents(&world), before);
    world.redo(empty_map).unwrap();
    assert_eq!(contents(&world), after);
    assert!(world.apply(&edit).is_empty(), "applied again it changes nothing");
}

#[test]
fn patch_of_runs_fills_its_box_in_linear_order() {
    let mut world = stone(-1..1);
    let area = Box3 { min: IVec3::new(-2, 0, 1), max: IVec3::new(3, 2, 4) };
    let voxel = |index: u64| Voxel::full(10 + (index / 7) as u16);
    let patch = BoxPatch::from_runs(area, (0..30).map(|index| (1, voxel(index)))).unwrap();
    assert!(!world.apply(&patch.into()).is_empty());
    let mut index = 0;
    for y in area.min.y..area.max.y {
        for z in area.min.z..area.max.z {
            for x in area.min.x..area.max.x {
                assert_eq!(world.world().get(IVec3::new(x, y, z)), voxel(index), "{x} {y} {z}");
                index += 1;
            }
        }
    }
    assert_eq!(world.world().get(IVec3::new(3, 0, 1)), STONE);
    let short = BoxPatch::from_runs(area, [(29, STONE)]);
    assert_eq!(short, Err(PatchLengthError { volume: 30, given: 29 }));
}

#[test]
fn fill_larger_than_the_world_changes_loaded_chunks() {
    let mut world = stone(0..2);
    let all = Box3 { min: IVec3::MIN, max: IVec3::MAX };
    let change = world.apply(&BoxPatch::fill(all, Voxel::AIR).into());
    assert_eq!(change.volume(), 2 * 32768);
    assert!(world.world().chunks().all(|(_, chunk)| chunk.as_uniform() == Some(Voxel::AIR)));
}

#[test]
fn totals_and_revisions_follow_every_change() {
    let mut world = stone(0..4);
    let mut last = world.revision();
    let mut check = |world: &EditableWorld, what: &str| {
        assert_eq!(world.totals(), counted(world.world()), "{what}");
        assert!(world.revision() > last, "{what}");
        last = world.revision();
    };
    for x in 0..32 {
        _ = world.set(IVec3::new(x, x % 5, 7), Voxel::full(x as u16));
    }
    check(&world, "set");
    world.apply(
        &BoxPatch::fill(Box3 { min: IVec3::splat(3), max: IVec3::splat(50) }, Voxel::AIR).into(),
    );
    check(&world, "apply");
    world.undo(empty_map).unwrap();
    check(&world, "undo");
    world.shrink_chunk(at(0));
    check(&world, "shrink");
    world.unload_chunk(at(0));
    check(&world, "unload");
    assert_eq!((world.chunk_revision(at(0)), world.totals().chunks), (None, 3));
}

/// Edit of a snapshot that fills a box with sand.
fn sand(world: &EditableWorld, area: Box3) -> PreparedEdit {
    let snapshot = world.world().clone();
    let progress = JobProgress::default();
    let mut edit = VoxelEdit::new(&snapshot, world.revision(), &progress);
    edit.fill(&Region::from_shape(&area), &Mask::Any, &Pattern::Voxel(SAND)).unwrap();
    edit.finish("sand")
}

#[test]
fn edit_reads_what_it_has_written_and_is_one_step() {
    let mut world = stone(0..2);
    let before = contents(&world);
    let snapshot = world.world().clone();
    let progress = JobProgress::default();
    let mut edit = VoxelEdit::new(&snapshot, world.revision(), &progress);
    let all = Region::from_shape(&Box3 { min: IVec3::new(20, 0, 0), max: IVec3::new(50, 2, 32) });
    assert_eq!(edit.fill(&all, &Mask::Any, &Pattern::Voxel(SAND)).unwrap(), 30 * 2 * 32);
    let sand = Mask::Materials(vec![SAND.material()]);
    let voxels = 30 * 2 * 32;
    assert_eq!(
        edit.content(&all, &sand).unwrap(),
        CountedVoxels { voxels, air: 0, parts: voxels * 256 }
    );
    assert_eq!(edit.voxel(IVec3::new(49, 1, 31)).unwrap(), SAND);
    let half = Region::from_shape(&Box3 { min: IVec3::new(20, 0, 0), max: IVec3::new(35, 2, 32) });
    assert_eq!(edit.fill(&half, &sand, &Pattern::Voxel(STONE)).unwrap(), 15 * 2 * 32);
    let edit = edit.finish("two fills");
    assert_eq!(
        (edit.volume(), edit.changes.len()),
        (15 * 2 * 32, 1),
        "a chunk that is as before does not count"
    );
    assert_eq!(contents(&world), before, "nothing changes before the commit");
    world.commit(edit, empty_map).unwrap();
    assert_eq!((world.world().get(IVec3::new(35, 0, 0)), steps(&world)), (SAND, (1, 0)));
    world.undo(empty_map).unwrap();
    assert_eq!(contents(&world), before);
}

#[test]
fn commit_keeps_what_other_edits_changed_meanwhile() {
    let mut world = stone(0..3);
    let edit = sand(&world, Box3 { min: IVec3::new(0, 0, 0), max: IVec3::new(96, 4, 4) });
    let mut map = FxHashMap::default();
    // Positions inside and outside the box, in a loaded and in an unloaded chunk.
    let places =
        [IVec3::new(5, 1, 1), IVec3::new(5, 9, 1), IVec3::new(70, 1, 1), IVec3::new(70, 9, 1)];
    for at in places {
        _ = world.set(at, Voxel::AIR);
    }
    unload(&mut world, &mut map, at(2));
    assert!(world.commit(edit.clone(), empty_map).is_err(), "the edited chunk must be read again");
    assert_eq!(
        (world.world().get(IVec3::ZERO), steps(&world)),
        (STONE, (4, 0)),
        "nothing has changed"
    );
    let change = world.commit(edit, |pos| Ok(map.get(&pos).cloned())).unwrap();
    assert_eq!(change.loaded, [at(2)]);
    assert_eq!(places.map(|at| world.world().get(at)), [SAND, Voxel::AIR, SAND, Voxel::AIR]);
    assert_eq!(world.world().get(IVec3::new(40, 3, 3)), SAND);
    world.undo(empty_map).unwrap();
    assert_eq!(places.map(|at| world.world().get(at)), [Voxel::AIR; 4]);
    assert_eq!(world.world().get(IVec3::new(40, 3, 3)), STONE);
    assert_eq!(world.totals(), counted(world.world()));
}

#[test]
fn commit_loads_chunks_that_nobody_edited_as_the_job_read_them() {
    let mut world = stone(0..2);
    let edit = sand(&world, Box3 { min: IVec3::new(0, 0, 0), max: IVec3::new(64, 4, 4) });
    world.unload_chunk(at(1));
    let change = world.commit(edit, empty_map).unwrap();
    assert_eq!((change.loaded, change.parts.len()), (vec![at(1)], 2));
    assert_eq!(
        [IVec3::new(40, 3, 3), IVec3::new(40, 4, 3)].map(|at| world.world().get(at)),
        [SAND, STONE]
    );
}

#[test]
fn cancelled_operation_changes_nothing() {
    let world = stone(0..2);
    let progress = JobProgress::default();
    let mut edit = VoxelEdit::new(world.world(), world.revision(), &progress);
    progress.cancel();
    let all = Region::from_shape(&Box3 { min: IVec3::ZERO, max: IVec3::splat(40) });
    assert!(matches!(
        edit.fill(&all, &Mask::Any, &Pattern::Voxel(SAND)),
        Err(EditError::Cancelled)
    ));
    assert_eq!(edit.finish("nothing").volume(), 0);
}

#[test]
fn large_edit_is_measured_when_asked() {
    const CHUNKS: i32 = 300;
    let mut world = EditableWorld::new(History::new(usize::MAX));
    let voxel = |x: i32, i: usize| if (x + i as i32) % 3 == 0 { SAND } else { STONE };
    let kinds = [0, 1, 2].map(|x| Chunk::from_runs((0..32_768).map(|i| (1, voxel(x, i)))));
    for x in 0..CHUNKS {
        assert!(world.load_chunk(at(x), kinds[x as usize % 3].clone()));
    }
    let before = contents(&world);
    // The box covers the first and the last chunk only partly.
    let area = Box3 { min: IVec3::new(5, 3, 1), max: IVec3::new(32 * CHUNKS - 7, 9, 32) };
    let is_sand = |at: IVec3| {
        voxel(at.x.div_euclid(32) % 3, crate::voxel::linear_index(crate::voxel::local(at))) == SAND
    };
    let places =
        (area.min.y..area.max.y).flat_map(|y| (area.min.z..area.max.z).map(move |z| (y, z)));
    let rows = places.flat_map(|(y, z)| (area.min.x..area.max.x).map(move |x| IVec3::new(x, y, z)));
    let expected = rows.filter(|&at| !is_sand(at)).count() as u64;

    let snapshot = world.world().clone();
    let progress = JobProgress::default();
    let fill =
        Fill { region: Region::from_shape(&area), mask: Mask::Any, pattern: Pattern::Voxel(SAND) };
    let mut counted_edit = VoxelEdit::new(&snapshot, world.revision(), &progress);
    assert_eq!(counted_edit.apply(&fill).unwrap(), expected);
    let mut edit = VoxelEdit::new(&snapshot, world.revision(), &progress);
    edit.carry_out(&fill).unwrap();
    let edit = edit.finish("sand");
    assert_eq!(edit, counted_edit.finish("sand"));
    assert!(
        edit.changes
            .iter()
            .all(|change| change.known_volume().is_none() && change.area == change.pos.bounds())
    );
    assert_eq!(edit.clone().volume(), expected);

    world.commit(edit, empty_map).unwrap();
    assert_eq!(world.totals(), counted(world.world()));
    let after = contents(&world);
    let voxels =
        |world: &EditableWorld| world.history().steps().map(|step| step.voxels).collect::<Vec<_>>();
    assert_eq!(voxels(&world), [0], "the voxels are not counted yet");
    let step = world.history().next_step(Direction::Undo).expect("the step");
    step.step().pack().expect("its chunks are there");
    assert_eq!(voxels(&world), [expected]);
    for _ in 0..2 {
        world.undo(empty_map).unwrap();
        assert!(contents(&world) == before && world.totals() == counted(world.world()));
        world.redo(empty_map).unwrap();
        assert!(contents(&world) == after && world.totals() == counted(world.world()));
    }
}
