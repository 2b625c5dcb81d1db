//! Tests of the history in memory.

mod packing;

use super::*;
use crate::codec::{LiquidError, byte_rle};
use crate::save::{HistoryChange, StepBody, StepHeader};
use crate::voxel::{Box3, CHUNK_VOLUME, ChunkPos, Voxel, linear_index, linear_offset, local};
use crate::world::{Chunk, World};
use glam::IVec3;
use proptest::prelude::*;

fn chunk(seed: i32) -> Chunk {
    let voxel = |at: IVec3| match (at.x / 3 + at.y * 7 + at.z / 5 + seed) % 4 {
        0 => Voxel::AIR,
        1 => Voxel::new(2, (at.x + seed) as u8).with_liquid(at.z as u8 & 8),
        material => Voxel::full(material as u16),
    };
    Chunk::from_runs((0..32768).map(|index| (1, voxel(linear_offset(index)))))
}

/// Creates a world of 2 x 2 x 2 chunks around the origin.
fn world() -> World {
    let mut world = World::new();
    for i in 0..8 {
        world.insert(ChunkPos::new(i & 1, i >> 1 & 1, i >> 2).offset(IVec3::splat(-1)), chunk(i));
    }
    world
}

/// All chunks, sorted by position.
fn content(world: &World) -> Vec<(ChunkPos, Chunk)> {
    let mut all: Vec<_> = world.chunks().map(|(pos, chunk)| (pos, chunk.clone())).collect();
    all.sort_by_key(|(pos, _)| *pos);
    all
}

fn fill(world: &mut World, area: Box3, voxel: Voxel) -> Option<EditStep> {
    let recorder = EditRecorder::begin(world, [area]);
    world.fill(area, voxel);
    recorder.finish(world, "fill", 7)
}

fn voxel_step(at: IVec3, before: Voxel, after: Voxel) -> Option<EditStep> {
    EditStep::from_voxel("voxel", 7, at, before, after)
}

/// The numbers of steps to undo and to redo.
fn counts(history: &History) -> (usize, usize) {
    (history.undo_count(), history.redo_count())
}

/// Undoes or redoes the next step; false if there is none. Steps with even numbers are packed and
/// unpacked first.
fn travel(history: &mut History, world: &mut World, direction: Direction) -> bool {
    let Some(next) = history.next_step(direction) else { return false };
    let mut chunks = next.chunks().unwrap();
    if next.number().is_multiple_of(2) {
        chunks = next.step().unpack(&next.step().pack().unwrap()).unwrap();
    }
    for change in chunks.changes.iter() {
        let current = world.chunk(change.pos).unwrap().clone();
        if let Some(changed) = direction.change_for(change).rebased_on(current) {
            world.insert(change.pos, changed.after);
        }
    }
    history.mark_applied(direction, 1);
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn undo_then_redo_restores_every_state(
        edits in prop::collection::vec((prop::array::uniform6(-40i32..40), 0u16..5, any::<[u8; 2]>()), 1..12),
        back in 0usize..12,
    ) {
        let mut world = world();
        let mut history = History::new(usize::MAX);
        let mut states = vec![content(&world)];
        for (i, ([ax, ay, az, bx, by, bz], material, [occupancy, liquid])) in edits.iter().enumerate() {
            let voxel = Voxel::new(*material, *occupancy).with_liquid(*liquid);
            let a = IVec3::new(*ax, *ay, *az);
            let b = IVec3::new(*bx, *by, *bz);
            let step = if i % 3 == 0 {
                world.set(a, voxel).and_then(|before| voxel_step(a, before, voxel))
            } else {
                fill(&mut world, Box3::spanning(a, b), voxel)
            };
            if let Some(step) = step {
                history.record(step, 1);
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
    let mut world = world();
    let mut history = History::new(usize::MAX);
    for material in 10..13 {
        let at = IVec3::splat(4);
        let before = world.set(at, Voxel::full(material)).unwrap();
        history.record(voxel_step(at, before, Voxel::full(material)).unwrap(), 1);
    }
    travel(&mut history, &mut world, Direction::Undo);
    travel(&mut history, &mut world, Direction::Undo);
    assert_eq!(counts(&history), (1, 2));
    let names: Vec<_> =
        history.steps().map(|step| (step.number, step.name, step.voxels, step.is_done)).collect();
    assert_eq!(names, [(1, "voxel", 1, true), (2, "voxel", 1, false), (3, "voxel", 1, false)]);
    let directions = [0, 1, 2, 3, 9].map(|number| history.direction_to(number));
    assert_eq!(
        directions,
        [
            Some(Direction::Undo),
            None,
            Some(Direction::Redo),
            Some(Direction::Redo),
            Some(Direction::Redo)
        ]
    );
    history.record(
        fill(&mut world, Box3::spanning(IVec3::ZERO, IVec3::ONE), Voxel::full(20)).unwrap(),
        2,
    );
    assert_eq!(counts(&history), (2, 0));
    history.set_memory_limit(usize::MAX);
    assert!(voxel_step(IVec3::ZERO, Voxel::AIR, Voxel::AIR).is_none());
}

/// Packs the oldest unpacked step, as another thread does; false if there is none.
fn pack_next(history: &mut History) -> bool {
    let steps: Vec<u64> =
        history.steps().filter(|step| step.bytes.is_none()).map(|step| step.number).collect();
    let packed =
        steps.first().and_then(|&number| history.step(number)).map(|step| step.step().pack());
    // Makes the history count what other threads have packed.
    history.set_memory_limit(history.memory_limit());
    packed.is_some()
}

#[test]
fn only_the_total_limit_drops_steps_and_the_oldest_first() {
    let mut world = world();
    let mut history = History::new(0);
    let area = |x| Box3 { min: IVec3::new(x, -20, -20), max: IVec3::new(x + 1, 20, 20) };
    for x in 0..10 {
        let step = fill(&mut world, area(x), Voxel::full(30)).unwrap();
        let chunks = step.chunks().unwrap();
        let cost = history.cost(&chunks.changes);
        assert!((cost.steps_dropped, cost.exceeds_limit) == (0, false));
        history.record(step.clone(), 1);
        assert!(pack_next(&mut history) && !pack_next(&mut history));
        let bytes = step.packed_bytes().unwrap();
        assert!(bytes <= cost.bytes, "{bytes} bytes, estimated {}", cost.bytes);
        assert!(step.chunks().is_none(), "the memory limit leaves the packed form only");
    }
    assert_eq!(counts(&history), (10, 0), "a memory limit drops nothing");
    let bytes: u64 = history.steps().map(|step| step.bytes.unwrap()).sum();
    assert_eq!(history.packed_bytes(), bytes);
    assert_eq!(history.dropped_by_total_limit(bytes), DroppedSteps::default());
    assert_eq!(history.dropped_by_total_limit(0), DroppedSteps { steps: 10, bytes });
    let expected = history.dropped_by_total_limit(bytes / 2);
    history.set_total_limit(bytes / 2);
    let (kept, _) = counts(&history);
    assert_eq!(expected, DroppedSteps { steps: 10 - kept, bytes: bytes - history.packed_bytes() });
    assert!((4..=5).contains(&kept) && history.packed_bytes() <= bytes / 2);
    assert_eq!(history.steps().next().unwrap().number, 11 - kept as u64);

    let before = content(&world);
    let step = fill(&mut world, area(12), Voxel::full(31)).unwrap();
    let cost = history.cost(&step.chunks().unwrap().changes);
    assert!(cost.steps_dropped > 0, "{cost:?}");
    history.record(step, 2);
    pack_next(&mut history);
    assert!(kept + 1 - counts(&history).0 <= cost.steps_dropped);
    travel(&mut history, &mut world, Direction::Undo);
    assert!(content(&world) == before);
    history.set_total_limit(10);
    assert_eq!((counts(&history), history.packed_bytes()), ((0, 0), 0));
    assert!(history.follow_ups.is_empty(), "dropped steps are no longer followed");
    let step = fill(&mut world, area(13), Voxel::full(31)).unwrap();
    assert!(history.cost(&step.chunks().unwrap().changes).exceeds_limit);
}

/// A map in memory that applies saves like the map file.
#[derive(Default)]
struct Map {
    steps: Vec<(u64, StepHeader, StepBody)>,
    last_done: u64,
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
                self.steps
                    .retain(|(number, ..)| (change.first..change.unchanged_below).contains(number));
                for (number, step) in change.added {
                    self.steps.push((number, step.header().clone(), step.body().unwrap()));
                    step.mark_saved();
                }
                self.steps.sort_by_key(|(number, ..)| *number);
                self.last_done = change.last_done;
                let mut numbers: Vec<u64> = self.steps.iter().map(|(number, ..)| *number).collect();
                numbers.dedup();
                assert_eq!(numbers.len(), self.steps.len(), "no step is written twice");
            }
            change => self.failed = change,
        }
    }
}

proptest! {
    #[test]
    fn saved_history_matches_live_history(
        moves in prop::collection::vec((0u8..9, any::<bool>(), 0usize..6), 1..60),
        limit in prop_oneof![Just(u64::MAX), Just(300u64)],
    ) {
        let mut history = History::new(usize::MAX);
        let mut map = Map::default();
        history.set_total_limit(limit);
        for (i, (what, works, size)) in moves.into_iter().enumerate() {
            match what {
                0..=2 => {
                    // Steps of different sizes.
                    let side = |m: usize| Chunk::uniform(Voxel::full(m as u16));
                    let change = |x| ChunkChange::new(ChunkPos::new(x as i32, 0, 0), side(i + 1), side(i + 2)).unwrap();
                    history.record(EditStep::new("uniform", i as u64, (0..=size).map(change).collect()).unwrap(), 1);
                }
                6 => history.begin_stroke(),
                7 => history.end_stroke(),
                8 => {
                    // Values repeat, so a stroke may also restore a voxel.
                    let at = IVec3::new(i as i32 % 3 * 32, 0, 0);
                    let before = Chunk::uniform(Voxel::full(3));
                    history.record_voxel(at, &before, Voxel::full(size as u16 + 1));
                }
                3 | 4 if history.in_stroke() => history.end_stroke(),
                3 => if history.next_step(Direction::Undo).is_some() { history.mark_applied(Direction::Undo, 1) },
                4 => if history.next_step(Direction::Redo).is_some() { history.mark_applied(Direction::Redo, 1) },
                _ => map.save(&mut history, works),
            }
        }
        map.save(&mut history, true);
        // The sizes of steps are known only once the save has packed them, so another save may drop
        // some.
        map.save(&mut history, true);
        prop_assert!(history.take_change().is_none());
        prop_assert!(history.packed_bytes() <= limit);
        if history.in_stroke() {
            // The save has written the stroke up to now.
            let written = counts(&history);
            history.end_stroke();
            prop_assert_eq!(counts(&history), written);
        }
        let saved: Vec<_> = map.steps.iter().map(|(number, ..)| (*number, *number <= map.last_done)).collect();
        prop_assert_eq!(history.steps().map(|step| (step.number, step.is_done)).collect::<Vec<_>>(), saved);
        for (number, header, body) in &map.steps {
            let live = history.step(*number).unwrap();
            prop_assert_eq!(live.step().header(), header);
            prop_assert_eq!(live.step().pack().unwrap(), body.clone());
        }
    }
}

/// Changes voxels one after another, as the editable world does.
fn paint(
    history: &mut History,
    world: &mut World,
    voxels: impl IntoIterator<Item = IVec3>,
    voxel: Voxel,
) {
    for at in voxels {
        history.record_voxel(at, world.chunk(ChunkPos::containing(at)).unwrap(), voxel);
        world.set(at, voxel);
    }
}

#[test]
fn stroke_is_one_step_across_chunks() {
    let mut world = world();
    let mut history = History::new(usize::MAX);
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
    // A stroke that restores all its voxels makes no step.
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
    let mut world = world();
    let mut history = History::new(usize::MAX);
    let mut map = Map::default();
    paint(&mut history, &mut world, [IVec3::ZERO], Voxel::full(8));
    let before = content(&world);
    history.begin_stroke();
    for x in 1..30 {
        paint(&mut history, &mut world, [IVec3::new(x, 1, 0)], Voxel::full(9));
        map.save(&mut history, x % 3 != 0);
    }
    map.save(&mut history, true);
    // The stroke is still open, but the map already holds it as one step, in case of a crash.
    assert_eq!((map.steps.len(), map.last_done), (2, 2));
    let changes: Vec<ChunkChange> =
        StepChanges::new(&map.steps[1].2, 1000).map(Result::unwrap).collect();
    let mut copy = world.clone();
    for change in &changes {
        let current = copy.chunk(change.pos).unwrap().clone();
        copy.insert(
            change.pos,
            Direction::Undo.change_for(change).rebased_on(current).unwrap().after,
        );
    }
    assert!(content(&copy) == before);
    history.end_stroke();
    travel(&mut history, &mut world, Direction::Undo);
    assert!(content(&world) == before);
}

#[test]
fn stroke_at_the_memory_limit_ends_and_goes_on_as_another() {
    const LIMIT: usize = 8_000;
    let mut world = World::new();
    let mut history = History::new(LIMIT);
    world.insert(ChunkPos::default(), Chunk::uniform(Voxel::full(1)));
    let mut states = vec![content(&world)];
    for i in 0..4000 {
        history.begin_stroke();
        let at = IVec3::new(i % 32, i / 32 % 32, 3);
        paint(&mut history, &mut world, [at], Voxel::full(4 + (i / 1024) as u16));
        if !history.in_stroke() {
            states.push(content(&world));
        }
    }
    history.end_stroke();
    assert!(states.len() > 2, "the limit was reached");
    assert_eq!(history.undo_count(), states.len(), "nothing is dropped");
    for state in states.iter().rev() {
        assert!(travel(&mut history, &mut world, Direction::Undo));
        assert!(content(&world) == *state);
    }
}
