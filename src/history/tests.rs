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

/// Two chunks along each axis, about the origin.
fn world() -> World {
    let mut world = World::new();
    for i in 0..8 {
        world.insert(ChunkPos::new(i & 1, i >> 1 & 1, i >> 2).offset(IVec3::splat(-1)), chunk(i));
    }
    world
}

/// All chunks, by place.
fn content(world: &World) -> Vec<(ChunkPos, Chunk)> {
    let mut all: Vec<_> = world.chunks().map(|(pos, chunk)| (pos, chunk.clone())).collect();
    all.sort_by_key(|(pos, _)| *pos);
    all
}

fn fill(world: &mut World, area: Box3, voxel: Voxel) -> Option<Step> {
    let draft = Draft::of(world, area);
    world.fill(area, voxel);
    draft.finish(world)
}

/// Undoes or redoes the next step; false if there is none.
fn go(history: &mut History, world: &mut World, side: Side) -> bool {
    let Some(step) = history.next(side) else { return false };
    step.apply(world, side).unwrap();
    history.moved(side);
    true
}

proptest! {
    #[test]
    fn there_and_back_and_there_again(
        edits in prop::collection::vec((prop::array::uniform6(-40i32..40), 0u16..5, any::<u8>()), 1..12),
        back in 0usize..12,
    ) {
        let mut world = world();
        let (mut history, mut states) = (History::new(usize::MAX), vec![content(&world)]);
        for (i, ([ax, ay, az, bx, by, bz], material, occupancy)) in edits.iter().enumerate() {
            let voxel = if *material == 0 { Voxel::AIR } else { Voxel::new(*material, *occupancy) };
            let (a, b) = (IVec3::new(*ax, *ay, *az), IVec3::new(*bx, *by, *bz));
            let step = if i % 3 == 0 {
                world.set(a, voxel).and_then(|before| Step::of_voxel(a, before, voxel))
            } else {
                fill(&mut world, Box3::spanning(a, b), voxel)
            };
            if let Some(step) = step {
                history.record(step);
                states.push(content(&world));
            }
            prop_assert!(states.last() == Some(&content(&world)), "what is no step changed nothing");
        }
        let last = states.len() - 1;
        prop_assert_eq!(history.steps(), (last, 0));
        let back = back.min(last);
        for state in states[last - back..last].iter().rev() {
            prop_assert!(go(&mut history, &mut world, Side::Before));
            prop_assert!(content(&world) == *state);
        }
        for state in &states[last + 1 - back..] {
            prop_assert!(go(&mut history, &mut world, Side::After));
            prop_assert!(content(&world) == *state);
        }
        prop_assert!(!go(&mut history, &mut world, Side::After));
        while go(&mut history, &mut world, Side::Before) {}
        prop_assert!(content(&world) == states[0]);
        prop_assert_eq!(history.steps(), (0, last));
    }
}

#[test]
fn what_is_done_anew_cannot_be_redone() {
    let (mut world, mut history) = (world(), History::new(usize::MAX));
    for material in 10..13 {
        let at = IVec3::splat(4);
        let before = world.set(at, Voxel::full(material)).unwrap();
        history.record(Step::of_voxel(at, before, Voxel::full(material)).unwrap());
    }
    go(&mut history, &mut world, Side::Before);
    go(&mut history, &mut world, Side::Before);
    assert_eq!(history.steps(), (1, 2));
    history.record(fill(&mut world, Box3::spanning(IVec3::ZERO, IVec3::ONE), Voxel::full(20)).unwrap());
    assert_eq!(history.steps(), (2, 0));
    assert_eq!(history.bytes(), history.done.iter().map(Numbered::memory).sum::<usize>());
    assert!(Step::of_voxel(IVec3::ZERO, Voxel::AIR, Voxel::AIR).is_none());
}

#[test]
fn the_oldest_go_beyond_the_limit() {
    let mut world = world();
    let at = |x| IVec3::new(x, 0, 0);
    let steps: Vec<Step> = (0..10)
        .map(|x| {
            let before = world.set(at(x), Voxel::full(30)).unwrap();
            Step::of_voxel(at(x), before, Voxel::full(30)).unwrap()
        })
        .collect();
    let memory = |step: &Step| size_of::<Numbered>() + step.memory();
    let bytes: usize = steps.iter().map(memory).sum();
    assert!(bytes / 10 < 250, "a voxel takes {} bytes", bytes / 10);
    let mut history = History::new(bytes / 2);
    steps.iter().for_each(|step| history.record(step.clone()));
    let (kept, _) = history.steps();
    assert!((4..=6).contains(&kept) && history.bytes() <= bytes / 2);
    while go(&mut history, &mut world, Side::Before) {}
    assert!((0..10).all(|x| (world.get(at(x)) == Voxel::full(30)) == (x < 10 - kept as i32)));
    history.set_limit(memory(&steps[10 - kept]) + memory(&steps[11 - kept]));
    assert_eq!(history.steps(), (0, 2), "those that would be redone first stay");
    assert_eq!(history.next(Side::After), Some(&steps[10 - kept]));
    history.set_limit(0);
    assert_eq!((history.steps(), history.bytes()), ((0, 0), 0));
}

#[test]
fn a_step_is_undone_whole_or_not_at_all() {
    let mut world = world();
    let step = fill(&mut world, Box3::spanning(IVec3::splat(-40), IVec3::splat(40)), Voxel::full(9)).unwrap();
    assert_eq!(step.patches().count(), 8);
    let gone = ChunkPos::new(0, 0, 0);
    let chunk = world.remove(gone).unwrap();
    let before = content(&world);
    assert!(step.apply(&mut world, Side::Before).unwrap_err().contains("(0, 0, 0) is not loaded"));
    assert!(content(&world) == before);
    world.insert(gone, chunk);
    step.apply(&mut world, Side::Before).unwrap();
    assert!(content(&world) == content(&super::tests::world()));
}

/// A map in memory that takes what saves write, as the map file does.
#[derive(Default)]
struct Map {
    kept: SavedHistory,
    failed: Option<HistoryChange>,
}

impl Map {
    fn save(&mut self, history: &mut History, works: bool) {
        let change = match (history.take_change(), self.failed.take()) {
            (Some(now), Some(earlier)) => Some(now.after(earlier)),
            (now, earlier) => now.or(earlier),
        };
        match change {
            Some(change) if works => {
                self.kept.steps.retain(|(number, _)| (change.first..change.unchanged_below).contains(number));
                self.kept.steps.extend(change.added);
                self.kept.steps.sort();
                self.kept.last_done = change.last_done;
                let mut numbers: Vec<u64> = self.kept.steps.iter().map(|(number, _)| *number).collect();
                numbers.dedup();
                assert_eq!(numbers.len(), self.kept.steps.len(), "a step is written once");
            }
            change => self.failed = change,
        }
    }
}

fn numbers(of: &VecDeque<Numbered>) -> Vec<(u64, Step)> {
    of.iter().map(|n| (n.number, n.step.clone())).collect()
}

proptest! {
    #[test]
    fn what_a_map_keeps_is_what_there_was(
        moves in prop::collection::vec((0u8..6, any::<bool>(), 0usize..6), 1..60),
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
                        patch::write(&mut bytes, ChunkPos::new(x as i32, 0, 0), area, &side(i + 1), &side(i + 2));
                    }
                    history.record(Step::read(bytes.into(), 1000).unwrap());
                }
                3 => if history.next(Side::Before).is_some() { history.moved(Side::Before) },
                4 => if history.next(Side::After).is_some() { history.moved(Side::After) },
                _ => map.save(&mut history, works),
            }
        }
        map.save(&mut history, true);
        prop_assert!(history.take_change().is_none());
        let restored = History::restored(map.kept, 1000, limit).unwrap();
        prop_assert_eq!(numbers(&restored.done), numbers(&history.done));
        prop_assert_eq!(numbers(&restored.undone), numbers(&history.undone));
        prop_assert_eq!(restored.bytes(), history.bytes());
    }
}

#[test]
fn bytes_that_are_no_steps_are_refused() {
    let step = Step::of_voxel(IVec3::new(40, 2, -3), Voxel::AIR, Voxel::full(5)).unwrap();
    let bytes = step.bytes().to_vec();
    assert_eq!(Step::read(bytes.clone().into(), 6), Ok(step));
    assert!(Step::read(bytes.clone().into(), 5).unwrap_err().contains("material 5"));
    for length in 1..bytes.len() {
        assert!(Step::read(bytes[..length].into(), 6).is_err(), "cut at {length}");
    }
    for (at, value) in [(12, 32), (15, 0), (15, 33), (3, 127)] {
        let mut bad = bytes.clone();
        bad[at] = value;
        assert_eq!(Step::read(bad.into(), 6).unwrap_err(), "a box cannot be");
    }
    assert_eq!(Step::read(bytes.repeat(2).into(), 6).unwrap_err(), "chunk (1, 0, -1): it is there twice");
    let kept = SavedHistory { steps: vec![(7, vec![1, 2, 3].into())], last_done: 7 };
    assert_eq!(History::restored(kept, 6, 0).unwrap_err(), "step 7: it is cut off");
}
