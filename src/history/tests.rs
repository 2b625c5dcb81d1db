use super::*;
use crate::voxel::linear_offset;
use crate::voxel::{Box3, ChunkPos, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;
use proptest::prelude::*;

fn chunk(seed: i32) -> Chunk {
    let voxel = |at: IVec3| match (at.x / 3 + at.y * 7 + at.z / 5 + seed) % 4 {
        0 => Voxel::AIR,
        1 => Voxel::new(2, (at.x + seed) as u8),
        material => Voxel::full(material as u16),
    };
    Chunk::from_runs((0..32768).map(|index| (1, voxel(linear_offset(index)))))
}

/// 2 x 2 x 2 chunks around the origin.
fn world() -> World {
    let mut world = World::new();
    for i in 0..8 {
        world.insert(ChunkPos::new(i & 1, i >> 1 & 1, i >> 2).offset(IVec3::splat(-1)), chunk(i));
    }
    world
}

/// All chunks, by position.
fn content(world: &World) -> Vec<(ChunkPos, Chunk)> {
    let mut all: Vec<_> = world.chunks().map(|(pos, chunk)| (pos, chunk.clone())).collect();
    all.sort_by_key(|(pos, _)| *pos);
    all
}

fn fill(world: &mut World, area: Box3, voxel: Voxel) -> Option<EditStep> {
    let recorder = EditRecorder::begin(world, [area]);
    world.fill(area, voxel);
    recorder.finish(world)
}

/// The counts of steps to undo and to redo.
fn counts(history: &History) -> (usize, usize) {
    (history.undo_count(), history.redo_count())
}

/// Undoes or redoes the next step; false if there is none.
fn travel(history: &mut History, world: &mut World, direction: Direction) -> bool {
    let Some(step) = history.next_step(direction) else { return false };
    step.apply(world, direction).unwrap();
    history.mark_applied(direction);
    true
}

proptest! {
    #[test]
    fn undo_then_redo_restores_every_state(
        edits in prop::collection::vec((prop::array::uniform6(-40i32..40), 0u16..5, any::<u8>()), 1..12),
        back in 0usize..12,
    ) {
        let mut world = world();
        let (mut history, mut states) = (History::new(usize::MAX), vec![content(&world)]);
        for (i, ([ax, ay, az, bx, by, bz], material, occupancy)) in edits.iter().enumerate() {
            let voxel = if *material == 0 { Voxel::AIR } else { Voxel::new(*material, *occupancy) };
            let (a, b) = (IVec3::new(*ax, *ay, *az), IVec3::new(*bx, *by, *bz));
            let step = if i % 3 == 0 {
                world.set(a, voxel).and_then(|before| EditStep::from_voxel(a, before, voxel))
            } else {
                fill(&mut world, Box3::spanning(a, b), voxel)
            };
            if let Some(step) = step {
                history.record(step);
                states.push(content(&world));
            }
            prop_assert!(states.last() == Some(&content(&world)), "an edit without a step changes nothing");
        }
        let last = states.len() - 1;
        prop_assert_eq!(counts(&history), (last, 0));
        let back = back.min(last);
        for state in states[last - back..last].iter().rev() {
            prop_assert!(travel(&mut history, &mut world, Direction::Undo));
            prop_assert!(content(&world) == *state);
        }
        for state in &states[last + 1 - back..] {
            prop_assert!(travel(&mut history, &mut world, Direction::Redo));
            prop_assert!(content(&world) == *state);
        }
        prop_assert!(!travel(&mut history, &mut world, Direction::Redo));
        while travel(&mut history, &mut world, Direction::Undo) {}
        prop_assert!(content(&world) == states[0]);
        prop_assert_eq!(counts(&history), (0, last));
    }
}

#[test]
fn record_drops_steps_to_redo() {
    let (mut world, mut history) = (world(), History::new(usize::MAX));
    for material in 10..13 {
        let at = IVec3::splat(4);
        let before = world.set(at, Voxel::full(material)).unwrap();
        history.record(EditStep::from_voxel(at, before, Voxel::full(material)).unwrap());
    }
    travel(&mut history, &mut world, Direction::Undo);
    travel(&mut history, &mut world, Direction::Undo);
    assert_eq!(counts(&history), (1, 2));
    history.record(fill(&mut world, Box3::spanning(IVec3::ZERO, IVec3::ONE), Voxel::full(20)).unwrap());
    assert_eq!(counts(&history), (2, 0));
    assert_eq!(history.memory_bytes(), history.done.iter().map(NumberedStep::memory_bytes).sum::<usize>());
    assert!(EditStep::from_voxel(IVec3::ZERO, Voxel::AIR, Voxel::AIR).is_none());
}

#[test]
fn memory_limit_drops_oldest_steps() {
    let mut world = world();
    let at = |x| IVec3::new(x, 0, 0);
    let steps: Vec<EditStep> = (0..10)
        .map(|x| {
            let before = world.set(at(x), Voxel::full(30)).unwrap();
            EditStep::from_voxel(at(x), before, Voxel::full(30)).unwrap()
        })
        .collect();
    let memory = |step: &EditStep| size_of::<NumberedStep>() + step.memory_bytes();
    let bytes: usize = steps.iter().map(memory).sum();
    assert!(bytes / 10 < 250, "a voxel takes {} bytes", bytes / 10);
    let mut history = History::new(bytes / 2);
    steps.iter().for_each(|step| history.record(step.clone()));
    let (kept, _) = counts(&history);
    assert!((4..=6).contains(&kept) && history.memory_bytes() <= bytes / 2);
    while travel(&mut history, &mut world, Direction::Undo) {}
    assert!((0..10).all(|x| (world.get(at(x)) == Voxel::full(30)) == (x < 10 - kept as i32)));
    history.set_memory_limit(memory(&steps[10 - kept]) + memory(&steps[11 - kept]));
    assert_eq!(counts(&history), (0, 2), "the steps redone first are kept");
    assert_eq!(history.next_step(Direction::Redo), Some(&steps[10 - kept]));
    history.set_memory_limit(0);
    assert_eq!((counts(&history), history.memory_bytes()), ((0, 0), 0));
}

#[test]
fn apply_is_atomic_when_chunk_is_missing() {
    let mut world = world();
    let step = fill(&mut world, Box3::spanning(IVec3::splat(-40), IVec3::splat(40)), Voxel::full(9)).unwrap();
    assert_eq!(step.patches().count(), 8);
    let removed = ChunkPos::new(0, 0, 0);
    let chunk = world.remove(removed).unwrap();
    let before = content(&world);
    assert_eq!(step.apply(&mut world, Direction::Undo), Err(ApplyError::NotLoaded { pos: removed }));
    assert!(content(&world) == before);
    world.insert(removed, chunk);
    step.apply(&mut world, Direction::Undo).unwrap();
    assert!(content(&world) == content(&super::tests::world()));
}

/// A map in memory that applies saves like the map file.
#[derive(Default)]
struct Map {
    saved: SavedHistory,
    failed: Option<HistoryChange>,
}

impl Map {
    fn save(&mut self, history: &mut History, works: bool) {
        let change = match (history.take_change(), self.failed.take()) {
            (Some(now), Some(earlier)) => Some(now.merged_after(earlier)),
            (now, earlier) => now.or(earlier),
        };
        match change {
            Some(change) if works => {
                self.saved.steps.retain(|(number, _)| (change.first..change.unchanged_below).contains(number));
                self.saved.steps.extend(change.added);
                self.saved.steps.sort();
                self.saved.last_done = change.last_done;
                let mut numbers: Vec<u64> = self.saved.steps.iter().map(|(number, _)| *number).collect();
                numbers.dedup();
                assert_eq!(numbers.len(), self.saved.steps.len(), "no step is written twice");
            }
            change => self.failed = change,
        }
    }
}

fn numbers(of: &VecDeque<NumberedStep>) -> Vec<(u64, EditStep)> {
    of.iter().map(|n| (n.number, n.step.clone())).collect()
}

proptest! {
    #[test]
    fn saved_history_matches_live_history(
        moves in prop::collection::vec((0u8..9, any::<bool>(), 0usize..6), 1..60),
        limit in prop_oneof![Just(usize::MAX), Just(1000usize)],
    ) {
        let (mut history, mut map) = (History::new(limit), Map::default());
        for (i, (what, works, size)) in moves.into_iter().enumerate() {
            match what {
                0..=2 => {
                    // Steps of several sizes.
                    let mut bytes = Vec::new();
                    for x in 0..=size {
                        let area = Box3 { min: IVec3::ZERO, max: IVec3::splat(32 * (size as i32 + 1)) };
                        let side = |m: usize| Chunk::uniform(Voxel::full(m as u16));
                        chunk_patch::write(&mut bytes, ChunkPos::new(x as i32, 0, 0), area, &side(i + 1), &side(i + 2));
                    }
                    history.record(EditStep::from_bytes(bytes.into(), 1000).unwrap());
                }
                6 => history.begin_stroke(),
                7 => history.end_stroke(),
                8 => {
                    // Values repeat, so that a stroke may also take back what it did.
                    let at = IVec3::new(i as i32 % 3 * 32, 0, 0);
                    let before = Chunk::uniform(Voxel::full(3));
                    history.record_voxel(at, &before, Voxel::full(size as u16 + 1));
                }
                3 | 4 if history.in_stroke() => history.end_stroke(),
                3 => if history.next_step(Direction::Undo).is_some() { history.mark_applied(Direction::Undo) },
                4 => if history.next_step(Direction::Redo).is_some() { history.mark_applied(Direction::Redo) },
                _ => map.save(&mut history, works),
            }
        }
        map.save(&mut history, true);
        prop_assert!(history.take_change().is_none());
        prop_assert!(history.memory_bytes() <= limit);
        if history.in_stroke() {
            // The save has written the stroke so far.
            let written = counts(&history);
            history.end_stroke();
            prop_assert_eq!(counts(&history), written);
        }
        let restored = History::from_saved(map.saved, 1000, limit).unwrap();
        prop_assert_eq!(numbers(&restored.done), numbers(&history.done));
        prop_assert_eq!(numbers(&restored.undone), numbers(&history.undone));
        prop_assert_eq!(restored.memory_bytes(), history.memory_bytes());
    }
}

/// Changes voxels one after another, as the editable world does.
fn paint(history: &mut History, world: &mut World, voxels: impl IntoIterator<Item = IVec3>, voxel: Voxel) {
    for at in voxels {
        history.record_voxel(at, world.chunk(ChunkPos::containing(at)).unwrap(), voxel);
        world.set(at, voxel);
    }
}

#[test]
fn stroke_is_one_step_across_chunks() {
    let (mut world, mut history) = (world(), History::new(usize::MAX));
    let before = content(&world);
    let row = || (-20..20).map(|x| IVec3::new(x, x / 3, 5));
    history.begin_stroke();
    paint(&mut history, &mut world, row(), Voxel::full(9));
    paint(&mut history, &mut world, row().take(7), Voxel::AIR);
    assert_eq!(counts(&history), (1, 0), "an open stroke counts");
    let after = content(&world);
    history.begin_stroke();
    history.end_stroke();
    assert_eq!((counts(&history), history.in_stroke()), ((1, 0), false));
    travel(&mut history, &mut world, Direction::Undo);
    assert!(content(&world) == before);
    travel(&mut history, &mut world, Direction::Redo);
    assert!(content(&world) == after);
    // A stroke that takes back what it did is no step.
    history.begin_stroke();
    let at = IVec3::new(-20, -20 / 3, 5);
    paint(&mut history, &mut world, [at], Voxel::full(3));
    paint(&mut history, &mut world, [at], Voxel::AIR);
    history.end_stroke();
    assert_eq!(counts(&history), (1, 0));
    paint(&mut history, &mut world, row().take(2), Voxel::full(4));
    assert_eq!(counts(&history), (3, 0), "without a stroke each voxel is a step");
}

#[test]
fn save_during_a_stroke_writes_it_as_one_step() {
    let (mut world, mut history, mut map) = (world(), History::new(usize::MAX), Map::default());
    paint(&mut history, &mut world, [IVec3::ZERO], Voxel::full(8));
    let before = content(&world);
    history.begin_stroke();
    for x in 1..30 {
        paint(&mut history, &mut world, [IVec3::new(x, 1, 0)], Voxel::full(9));
        map.save(&mut history, x % 3 != 0);
    }
    map.save(&mut history, true);
    // The stroke is still open: as after a crash.
    let (mut restored, mut copy) = (History::from_saved(map.saved, 1000, usize::MAX).unwrap(), world.clone());
    assert_eq!(counts(&restored), (2, 0));
    travel(&mut restored, &mut copy, Direction::Undo);
    assert!(content(&copy) == before);
    history.end_stroke();
    travel(&mut history, &mut world, Direction::Undo);
    assert!(content(&world) == before);
}

#[test]
fn stroke_at_the_memory_limit_ends_and_goes_on_as_another() {
    const LIMIT: usize = 8_000;
    let (mut world, mut history) = (World::new(), History::new(LIMIT));
    world.insert(ChunkPos::default(), Chunk::uniform(Voxel::full(1)));
    let mut states = vec![content(&world)];
    for i in 0..4000 {
        history.begin_stroke();
        let at = IVec3::new(i % 32, i / 32 % 32, 3);
        paint(&mut history, &mut world, [at], Voxel::full(4 + (i / 1024) as u16));
        assert!(history.memory_bytes() <= LIMIT);
        if !history.in_stroke() {
            states.push(content(&world));
        }
    }
    history.end_stroke();
    assert!(states.len() > 2, "the limit was reached");
    assert!(history.undo_count() > 0 && travel(&mut history, &mut world, Direction::Undo));
    assert!(content(&world) == *states.last().unwrap());
}

#[test]
fn malformed_steps_are_rejected() {
    let step = EditStep::from_voxel(IVec3::new(40, 2, -3), Voxel::AIR, Voxel::full(5)).unwrap();
    let bytes = step.bytes().to_vec();
    assert_eq!(EditStep::from_bytes(bytes.clone().into(), 6), Ok(step));
    assert!(EditStep::from_bytes(bytes.clone().into(), 5).unwrap_err().to_string().contains("material 5"));
    for length in 1..bytes.len() {
        assert!(EditStep::from_bytes(bytes[..length].into(), 6).is_err(), "cut at {length}");
    }
    for (at, value) in [(12, 32), (15, 0), (15, 33), (3, 127)] {
        let mut bad = bytes.clone();
        bad[at] = value;
        assert_eq!(EditStep::from_bytes(bad.into(), 6), Err(StepError::InvalidBox { at: 0 }));
    }
    let pos = ChunkPos::new(1, 0, -1);
    assert_eq!(EditStep::from_bytes(bytes.repeat(2).into(), 6), Err(StepError::DuplicateChunk { pos }));
    let saved = SavedHistory { steps: vec![(7, vec![1, 2, 3].into())], last_done: 7 };
    assert_eq!(History::from_saved(saved, 6, 0).unwrap_err().to_string(), "step 7: byte 0: the step is truncated");
}
