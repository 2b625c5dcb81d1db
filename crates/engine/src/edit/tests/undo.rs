//! Undo and redo after chunks were unloaded or changed.

use super::*;

#[test]
fn undo_fetches_unloaded_chunks() {
    let mut world = stone(0..3);
    let mut map = FxHashMap::default();
    let voxel = IVec3::new(70, 5, 5);
    let elsewhere = IVec3::new(65, 30, 30);
    world.set(voxel, Voxel::full(7));
    world.set(elsewhere, Voxel::full(8));
    unload(&mut world, &mut map, at(2));
    let fetch = |pos: ChunkPos| Ok(map.get(&pos).cloned());
    assert_eq!(world.undo(fetch).unwrap().unwrap().loaded, [at(2)]);
    assert_eq!(world.undo(fetch).unwrap().unwrap().loaded, []);
    assert_eq!(world.world().chunk(at(2)).unwrap().as_uniform(), Some(STONE));
    world.redo(fetch).unwrap();
    assert_eq!([voxel, elsewhere].map(|at| world.world().get(at)), [Voxel::full(7), STONE]);
    assert_eq!(world.totals(), counted(world.world()));
}

#[test]
fn stroke_is_undone_exactly_after_its_chunks_were_unloaded() {
    let mut world = stone(0..3);
    let before = contents(&world);
    let mut map = FxHashMap::default();
    world.begin_stroke();
    for x in 60..70 {
        world.set(IVec3::new(x, x - 50, 5), Voxel::AIR);
    }
    // The player flies on with the button held, and a chunk is saved and unloaded.
    unload(&mut world, &mut map, at(1));
    world.set(IVec3::new(60, 5, 5), Voxel::AIR);
    world.set(IVec3::new(70, 5, 5), Voxel::full(6));
    let fetch = |pos: ChunkPos| Ok(map.get(&pos).cloned());
    assert_eq!(world.undo(fetch).unwrap().unwrap().loaded, [at(1)], "undo ends the stroke");
    assert_eq!(contents(&world), before);
    assert_eq!(steps(&world), (0, 1));
    world.redo(fetch).unwrap();
    assert_eq!(
        (60..71).filter(|&x| world.world().get(IVec3::new(x, x - 50, 5)) == Voxel::AIR).count(),
        10
    );
    assert_eq!(world.world().get(IVec3::new(70, 5, 5)), Voxel::full(6));
    // An edit of another kind ends the stroke and is a step of its own.
    world.begin_stroke();
    world.set(IVec3::ZERO, Voxel::AIR);
    world.apply(&BoxPatch::fill(Box3::spanning(IVec3::ONE, IVec3::ONE), Voxel::AIR).into());
    assert_eq!(steps(&world), (3, 0));
}

#[test]
fn undo_without_a_chunk_changes_nothing() {
    let mut world = stone(0..3);
    world.load_chunk(at(9), Chunk::uniform(Voxel::AIR));
    let area = Box3 { min: IVec3::new(70, 0, 0), max: IVec3::new(300, 1, 1) };
    world.apply(&BoxPatch::fill(area, Voxel::full(5)).into());
    let edited = contents(&world);
    // Later edits mark the chunks as edited, even though they were undone.
    for x in [70, 290] {
        world.set(IVec3::new(x, 9, 9), SAND);
        world.undo(empty_map).unwrap();
    }
    let mut map = FxHashMap::default();
    unload(&mut world, &mut map, at(2));
    world.unload_chunk(at(9));
    let error = world.undo(|pos| Ok(map.get(&pos).cloned())).unwrap_err();
    assert!(error.to_string().contains("(9, 0, 0)"), "{error}");
    assert!(!world.world().is_loaded(at(2)), "chunks are fetched for a whole step or not at all");
    assert_eq!(steps(&world), (1, 1), "it stays the next one to undo");
    assert_eq!(world.totals(), counted(world.world()));
    let change = world.undo(|pos| Ok(edited.get(&pos).cloned())).unwrap().unwrap();
    assert_eq!(change.loaded, [at(2), at(9)]);
    assert_eq!(world.world().chunk(at(9)).unwrap().as_uniform(), Some(Voxel::AIR));
}

#[test]
fn chunks_without_later_edits_are_neither_fetched_nor_compared() {
    let mut world = stone(0..3);
    let before = contents(&world);
    world
        .commit(sand(&world, Box3 { min: IVec3::ZERO, max: IVec3::new(96, 4, 4) }), empty_map)
        .unwrap();
    let after = contents(&world);
    world.unload_chunk(at(1));
    // A chunk that was loaded again, or packed by a save, shares nothing with the step.
    world.shrink_chunk(at(2));
    for (direction, expected) in
        [(Direction::Undo, &before), (Direction::Redo, &after), (Direction::Undo, &before)]
    {
        let change = world.step(direction, |_| panic!("nothing is fetched")).unwrap().unwrap();
        assert_eq!((contents(&world) == *expected, change.parts.len()), (true, 3));
        world.unload_chunk(at(0));
    }
}

/// A step of 5 chunks. Other edits have changed one loaded chunk and changed it back.
#[test]
fn prepared_undo_is_applied_where_chunks_changed_meanwhile() {
    let mut world = stone(0..5);
    let before = contents(&world);
    world
        .commit(sand(&world, Box3 { min: IVec3::ZERO, max: IVec3::new(160, 4, 4) }), empty_map)
        .unwrap();
    let after = contents(&world);
    let job = world.step_job(Direction::Undo).unwrap();
    assert_eq!(job.name(), "sand");
    let snapshot = world.world().clone();
    let prepared = job.run(&snapshot, &JobProgress::default()).unwrap();
    let other = |world: &mut EditableWorld| drop(world.set(IVec3::new(5, 20, 5), SAND));
    other(&mut world);
    assert!(matches!(world.commit_step(prepared.clone(), empty_map), Err(UndoError::Outdated)));
    world.undo(empty_map).unwrap();
    let change = world.commit_step(prepared, empty_map).unwrap();
    assert_eq!(change.parts.len(), 5);
    assert_eq!(contents(&world), before);
    assert_eq!(steps(&world), (0, 2));
    let job = world.step_job(Direction::Redo).unwrap();
    let prepared = job.run(&world.world().clone(), &JobProgress::default()).unwrap();
    world.unload_chunk(at(3));
    assert_eq!(world.commit_step(prepared, empty_map).unwrap().loaded, [at(3)]);
    assert_eq!(contents(&world), after);
    assert!(!world.needs_step_job(Direction::Undo), "its chunks are in memory");
    assert_eq!(world.totals(), counted(world.world()));
}

#[test]
fn older_step_is_taken_back_whole_or_within_a_region() {
    let mut world = stone(0..3);
    let floor = |world: &mut EditableWorld, max: IVec3| {
        let edit = sand(world, Box3 { min: IVec3::ZERO, max });
        world.commit(edit, empty_map).unwrap();
    };
    floor(&mut world, IVec3::new(96, 2, 32));
    let kept = [IVec3::new(3, 1, 3), IVec3::new(40, 0, 9)];
    for at in kept {
        _ = world.set(at, Voxel::AIR);
    }
    let region =
        Region::from_shape(&Box3 { min: IVec3::new(30, 1, 0), max: IVec3::new(70, 20, 16) });
    let run = |world: &mut EditableWorld, region: Option<&Region>| {
        let job = world.take_back_job(1).unwrap();
        let edit = job.run(&world.world().clone(), region, &JobProgress::default()).unwrap();
        assert_eq!(edit.name, "undo of sand");
        let voxels = edit.volume();
        world.commit(edit, empty_map).unwrap();
        voxels
    };
    assert_eq!(run(&mut world, Some(&region)), 40 * 16);
    for x in 0..96 {
        for y in 0..3 {
            for z in 0..32 {
                let voxel = IVec3::new(x, y, z);
                let expected = match () {
                    () if kept.contains(&voxel) => Voxel::AIR,
                    () if y == 2 || region.contains(voxel) => STONE,
                    () => SAND,
                };
                assert_eq!(world.world().get(voxel), expected, "{voxel}");
            }
        }
    }
    assert_eq!(run(&mut world, None), 96 * 2 * 32 - 40 * 16 - 2);
    assert_eq!(kept.map(|at| world.world().get(at)), [Voxel::AIR; 2]);
    assert_eq!(world.world().get(IVec3::new(90, 1, 31)), STONE);
    assert_eq!(
        world.history().steps().map(|step| step.name.to_owned()).next_back().unwrap(),
        "undo of sand"
    );
    assert!(world.take_back_job(99).is_none());
    for _ in 0..5 {
        _ = world.undo(empty_map).unwrap();
    }
    assert!(world.take_back_job(1).is_none(), "an undone step cannot be taken back");
    assert!(world.world().chunks().all(|(_, chunk)| chunk.as_uniform() == Some(STONE)));
}
