//! Simulation of the creatures of a map, tick by tick.

use super::creature_grid::{CreatureGrid, GridCreature};
use super::kinds::{CreatureKind, CreatureKinds};
use super::mind::{Call, Mind, Mood};
use super::motion::Motion;
use super::nav::{PathCounts, PathFinder};
use super::populated::Populated;
use super::steps::{ChosenStep, StepContext};
use super::unknown::UnknownCreatures;
use super::view::CreatureView;
use crate::random::Random;
use crate::voxel::{Box3, ChunkPos};
use glam::IVec3;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Maximum number of creatures in a map.
pub(crate) const MAX_CREATURES: usize = 100_000;
/// Ticks between two rebuilds of the grid, which finds the creatures near a creature.
const GRID_UPDATE_TICKS: u64 = 8;
/// Ticks for which a scared creature flees.
const SCARED_TICKS: u64 = 80;

/// Identifies a creature. Numbers are never reused, so an outdated one identifies no other
/// creature.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CreatureId(pub u32);

/// All creatures of a map.
///
/// A tick depends only on the creatures, on their [`CreatureView`] and on the seed, so that runs
/// can be repeated. In chunks that are not loaded, creatures finish the current step and then
/// freeze.
pub struct Creatures {
    pub(super) kinds: CreatureKinds,
    pub(super) seed: u64,
    pub(super) tick: u64,
    pub(super) next_id: u32,
    pub(super) motions: Vec<Motion>,
    pub(super) minds: Vec<Mind>,
    /// Number of creatures that occupy, leave or enter each voxel. Voxels without creatures have no
    /// entry.
    claims: FxHashMap<IVec3, u32>,
    grid: CreatureGrid,
    pub(super) unknown: UnknownCreatures,
    pub(super) populated: Populated,
    /// Loaded chunks that are not yet populated.
    pub(super) waiting: VecDeque<ChunkPos>,
    /// Number of waiting chunks still to be checked since a chunk was last loaded or unloaded.
    pub(super) looks_left: usize,
    /// Count of loaded and unloaded chunks ([`super::nav::Navigation::loads`]) at the last tick.
    pub(super) loads_seen: u64,
    finder: PathFinder,
    /// Calls in effect, at most one per kind.
    pub(super) calls: Vec<Call>,
}

/// Numbers of creatures that moved, chose a mood or spawned in a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TickCounts {
    /// Creatures in motion.
    pub moved: usize,
    /// Creatures that chose a mood.
    pub thought: usize,
    /// Creatures that spawned.
    pub(crate) spawned: usize,
}

impl Creatures {
    /// Creates an empty set of creatures for a map with this seed.
    #[must_use]
    pub fn new(kinds: CreatureKinds, seed: u64) -> Creatures {
        Creatures {
            kinds,
            seed,
            tick: 0,
            next_id: 0,
            motions: Vec::new(),
            minds: Vec::new(),
            claims: FxHashMap::default(),
            grid: CreatureGrid::default(),
            unknown: UnknownCreatures::default(),
            populated: Populated::default(),
            waiting: VecDeque::new(),
            looks_left: 0,
            loads_seen: 0,
            finder: PathFinder::new(),
            calls: Vec::new(),
        }
    }

    /// The kinds of creatures.
    #[must_use]
    pub fn kinds(&self) -> &CreatureKinds {
        &self.kinds
    }

    /// Number of creatures.
    #[must_use]
    pub fn len(&self) -> usize {
        self.motions.len()
    }

    /// Numbers of reach queries and of found paths so far.
    #[must_use]
    pub fn path_counts(&self) -> PathCounts {
        self.finder.counts()
    }

    /// True if there are no creatures.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.motions.is_empty()
    }

    /// True if the map has [`MAX_CREATURES`], creatures of unknown kinds included.
    pub(super) fn is_full(&self) -> bool {
        self.len() + self.unknown.motions.len() >= MAX_CREATURES
    }

    /// Reports a chunk that was loaded, lit and added to navigation. Creatures spawn only once in
    /// each chunk, even after it is unloaded and loaded again.
    pub fn chunk_loaded(&mut self, pos: ChunkPos) {
        if !self.populated.contains(pos) {
            self.waiting.push_back(pos);
            self.looks_left += 1;
        }
    }

    /// Places a creature of kind number `kind` at `at`. `None` if there is no such kind, or the map
    /// already has `MAX_CREATURES`. Does not check whether the voxel is free.
    pub fn place(&mut self, kind: usize, at: IVec3) -> Option<CreatureId> {
        if kind >= self.kinds.list().len() || self.is_full() {
            return None;
        }
        let id = self.next_id;
        self.next_id = self.next_id.checked_add(1)?;
        let heading = Random::with_parts(self.seed, [id.into(), 0]).draw() as u8;
        self.add(Motion::new(id, kind as u8, at, heading));
        Some(CreatureId(id))
    }

    /// Pins creatures to their voxels, or releases them. Moving creatures return to the voxel that
    /// they leave. Returns the number of creatures found.
    pub fn pin(&mut self, ids: &[CreatureId], is_pinned: bool) -> usize {
        let ids: FxHashSet<u32> = ids.iter().map(|id| id.0).collect();
        let mut count = 0;
        for index in 0..self.len() {
            if ids.contains(&self.motions[index].id) {
                self.pin_at(index, is_pinned);
                count += 1;
            }
        }
        count
    }

    fn pin_at(&mut self, index: usize, is_pinned: bool) {
        if self.motions[index].is_moving() {
            self.release(self.motions[index].to);
        }
        let motion = &mut self.motions[index];
        motion.to = motion.from;
        motion.progress = 0;
        motion.is_pinned = is_pinned;
    }

    /// Removes a creature. False if there is no creature with this number.
    pub fn remove(&mut self, id: CreatureId) -> bool {
        self.index(id).map(|index| self.remove_at(index)).is_some()
    }

    /// Removes the creatures whose feet are in a box, and returns the number removed.
    pub fn remove_in(&mut self, area: Box3) -> usize {
        let before = self.len();
        for index in (0..before)
            .rev()
            .filter(|&index| area.contains(self.motions[index].from))
            .collect::<Vec<_>>()
        {
            self.remove_at(index);
        }
        before - self.len()
    }

    /// Makes the creatures at most `within` voxels away from `at` flee from it.
    pub fn scare(&mut self, at: IVec3, within: i32) {
        for index in 0..self.len() {
            let by = (self.motions[index].from - at).as_i64vec3();
            if by.length_squared() <= i64::from(within).pow(2) {
                self.scare_one(index, at);
            }
        }
    }

    /// Reports edited voxels. Wakes creatures in the box and up to two voxels around it, because
    /// the ground under them may be gone.
    pub fn wake(&mut self, area: Box3) {
        let area = Box3 {
            min: area.min.saturating_sub(IVec3::splat(2)),
            max: area.max.saturating_add(IVec3::splat(2)),
        };
        for motion in self.motions.iter_mut().filter(|motion| area.contains(motion.from)) {
            motion.wake_at = 0;
            motion.think_at = 0;
        }
    }

    /// Advances all creatures by one tick, a twentieth of a second.
    pub fn tick(&mut self, view: &CreatureView<'_>) -> TickCounts {
        let mut counts = TickCounts { spawned: self.populate(view), ..TickCounts::default() };
        self.renew_calls(view.nav);
        if self.tick.is_multiple_of(GRID_UPDATE_TICKS) || counts.spawned > 0 {
            self.grid.set(self.motions.iter().enumerate().map(|(index, motion)| GridCreature {
                at: motion.from,
                creature: index as u32,
                kind: motion.kind,
            }));
        }
        for index in 0..self.motions.len() {
            let motion = &mut self.motions[index];
            if motion.is_moving() {
                counts.moved += 1;
                if !motion.advance() {
                    continue;
                }
                let left = std::mem::replace(&mut motion.from, motion.to);
                self.release(left);
            } else if motion.is_pinned || self.tick < motion.wake_at {
                continue;
            }
            if self.tick >= self.motions[index].think_at {
                counts.thought += 1;
                self.think(index, view);
            }
            self.step(index, view);
        }
        self.tick += 1;
        counts
    }

    /// Starts a step into the next voxel, or a pause if the creature has no voxel to go to.
    fn step(&mut self, index: usize, view: &CreatureView<'_>) {
        let motion = self.motions[index];
        let mind = &mut self.minds[index];
        let kind = self.kinds.get(motion.kind);
        let claims = &self.claims;
        let context = StepContext {
            view,
            kind,
            doors: &self.kinds.doors,
            motion: &motion,
            field: self
                .calls
                .iter()
                .find(|call| call.is_followed_by(motion.kind))
                .map(|call| &call.field),
            is_free: &|at| !claims.contains_key(&at),
        };
        let mut random = Random::with_parts(self.seed, [self.tick, u64::from(motion.id) << 1]);
        let chosen = context.choose(mind, &mut random);
        let is_fast = matches!(mind.mood, Mood::Flee | Mood::Hunt);
        let speed = if is_fast { kind.fast_speed } else { kind.speed };
        let motion = &mut self.motions[index];
        match chosen {
            Some(ChosenStep { to, cost }) => {
                motion.start(to, speed, cost);
                *self.claims.entry(to).or_insert(0) += 1;
            }
            None => {
                motion.progress = 0;
                let pause =
                    if mind.mood == Mood::Rest { u64::MAX } else { 3 + u64::from(random.below(8)) };
                motion.wake_at = motion.think_at.min(self.tick.saturating_add(pause));
            }
        }
    }

    pub(super) fn kind(&self, index: usize) -> &CreatureKind {
        self.kinds.get(self.motions[index].kind)
    }

    pub(super) fn grid(&self) -> &CreatureGrid {
        &self.grid
    }

    pub(super) fn finder(&mut self) -> &mut PathFinder {
        &mut self.finder
    }

    /// Makes a creature flee from `at`.
    pub(super) fn scare_one(&mut self, index: usize, at: IVec3) {
        let mind = &mut self.minds[index];
        mind.scared_until = self.tick + SCARED_TICKS;
        mind.mood = Mood::Flee;
        mind.goal = at;
        let motion = &mut self.motions[index];
        motion.wake_at = 0;
        motion.is_asleep = false;
        motion.think_at = motion.think_at.min(self.tick + GRID_UPDATE_TICKS);
    }

    /// True if no creature occupies, leaves or enters a voxel.
    #[must_use]
    pub fn is_free(&self, at: IVec3) -> bool {
        !self.claims.contains_key(&at)
    }

    pub(super) fn add(&mut self, motion: Motion) {
        *self.claims.entry(motion.from).or_insert(0) += 1;
        self.motions.push(motion);
        self.minds.push(Mind::default());
    }

    pub(super) fn index(&self, id: CreatureId) -> Option<usize> {
        self.motions.iter().position(|motion| motion.id == id.0)
    }

    fn remove_at(&mut self, index: usize) {
        let motion = self.motions.swap_remove(index);
        self.minds.swap_remove(index);
        self.release(motion.from);
        if motion.is_moving() {
            self.release(motion.to);
        }
        // The grid holds indices, and `swap_remove` has changed one.
        self.grid.set(std::iter::empty());
    }

    fn release(&mut self, at: IVec3) {
        if let Some(count) = self.claims.get_mut(&at) {
            *count -= 1;
            if *count == 0 {
                self.claims.remove(&at);
            }
        }
    }
}
