//! The creatures of the open map in the game's main world; their thread does the rest.

use super::command::CreatureCommand;
use super::known_chunks::KnownChunks;
use super::thread::{
    CreatureThread, EncodedCreatures, LivePose, ReachShown, TickInput, TickResult,
};
use bevy::platform::cell::SyncCell;
use bevy::prelude::Resource;
use glam::{DVec3, IVec3};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError};
use std::time::{Duration, Instant};
use stonerun_engine::creatures::nav::{PathCounts, ReachCounts};
use stonerun_engine::creatures::{CreatureKind, CreatureKinds, CreaturePath, TickCounts};
use stonerun_engine::voxel::MaterialTable;

/// Duration of a tick.
pub const TICK: Duration = Duration::from_millis(50);
/// Maximum number of overdue ticks. Time beyond them is dropped, so the creatures slow down.
const MAX_LATE_TICKS: u32 = 3;

/// The creatures of the open map.
#[derive(Resource)]
pub struct CreatureLife {
    kinds: CreatureKinds,
    pub(super) known: KnownChunks,
    sender: SyncCell<Sender<TickInput>>,
    receiver: SyncCell<Receiver<TickResult>>,
    is_working: bool,
    has_failed: bool,
    /// False if the record in the map must not be replaced, because it could not be read.
    is_kept: bool,
    /// True if ticks have passed since the creatures were last encoded.
    is_changed: bool,
    /// Time that has passed but was not covered by a tick yet.
    due: Duration,
    commands: Vec<CreatureCommand>,
    /// A changed material table that the thread does not have yet.
    materials: Option<Arc<MaterialTable>>,
    /// The creatures near the player.
    pub(super) poses: Vec<LivePose>,
    /// Time at which `poses` were received.
    since: Instant,
    /// Paths that the overlay *paths* shows.
    ways: Vec<CreaturePath>,
    /// Places that the overlay *reach* shows.
    reach: ReachShown,
    /// Figures for the panel.
    pub figures: CreatureFigures,
}

/// Figures of the creatures, for the panel.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CreatureFigures {
    /// Ticks since the map was opened.
    pub ticks: u64,
    /// Counts of the last tick.
    pub last: TickCounts,
    /// Number of creatures of each kind, by the number of the kind.
    pub by_kind: Vec<u32>,
    /// Number of creatures that sleep.
    pub asleep: u32,
    /// Number of creatures that are drawn.
    pub drawn: usize,
    /// Counts of path searches since the map was opened.
    pub ways: PathCounts,
    /// Size of the reach sets.
    pub reach: ReachCounts,
    /// Number of chunks that creatures know.
    pub known_chunks: usize,
    /// Time of the last update of navigation, then mean time of a tick, both on the creatures'
    /// thread.
    pub took: [Duration; 2],
}

impl CreatureLife {
    /// Creatures of these kinds, on a thread that was started.
    #[must_use]
    pub fn new(kinds: CreatureKinds, thread: CreatureThread) -> CreatureLife {
        CreatureLife {
            kinds,
            known: KnownChunks::default(),
            sender: SyncCell::new(thread.sender),
            receiver: SyncCell::new(thread.receiver),
            is_working: false,
            has_failed: false,
            is_kept: true,
            is_changed: false,
            due: Duration::ZERO,
            commands: Vec::new(),
            materials: None,
            poses: Vec::new(),
            since: Instant::now(),
            ways: Vec::new(),
            reach: ReachShown::default(),
            figures: CreatureFigures::default(),
        }
    }

    /// The kinds, by number.
    #[must_use]
    pub fn kinds(&self) -> &[CreatureKind] {
        self.kinds.list()
    }

    /// Number of the kind with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.kinds.find(name)
    }

    /// True if the thread has failed. Creatures then stand still until the map is opened again.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// The paths that the overlay *paths* shows.
    #[must_use]
    pub fn ways(&self) -> &[CreaturePath] {
        &self.ways
    }

    /// The places that the overlay *reach* shows.
    #[must_use]
    pub fn reach(&self) -> &ReachShown {
        &self.reach
    }

    /// The nearest creature that a ray from `eyes` along `direction` passes closely, within
    /// `farthest` voxels. Returns the voxel of its feet.
    #[must_use]
    pub fn pointed_at(&self, eyes: DVec3, direction: DVec3, farthest: f64) -> Option<IVec3> {
        let distances = self.poses.iter().filter_map(|live| {
            let middle = live.pose.position + DVec3::Y * 0.6 - eyes;
            let along = middle.dot(direction);
            let off = (middle - direction * along).length();
            (along > 0.0 && along < farthest && off < 0.5 + 0.02 * along)
                .then_some((along, live.pose.position))
        });
        let nearest = distances.min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, at)| (at + DVec3::Y * 0.1).floor().as_ivec3())
    }

    /// Keeps the record of creatures in the map: it could not be read, so it must not be replaced.
    pub(super) fn keep_the_maps(&mut self) {
        self.is_kept = false;
    }

    /// True if the thread is idle, and has creatures that are not encoded yet or commands to carry
    /// out.
    #[must_use]
    pub(super) fn may_encode(&self) -> bool {
        !self.is_working && !self.has_failed && (self.is_changed || !self.commands.is_empty())
    }

    /// Queues a command for the next tick.
    pub fn command(&mut self, command: CreatureCommand) {
        self.commands.push(command);
    }

    /// Gives the thread a changed material table with the next tick.
    pub(super) fn set_materials(&mut self, materials: Arc<MaterialTable>) {
        self.materials = Some(materials);
    }

    /// Advances the time. Returns the number of due ticks, if the thread is idle and has ticks or
    /// commands to carry out. While creatures are off (`is_on` is false), no ticks become due.
    pub fn pass(&mut self, time: Duration, is_on: bool) -> Option<u32> {
        self.due =
            if is_on { (self.due + time).min(TICK * MAX_LATE_TICKS) } else { Duration::ZERO };
        if !is_on {
            self.poses.clear();
            self.ways.clear();
            self.known.forget_areas();
        }
        let ticks = (self.due.as_nanos() / TICK.as_nanos()) as u32;
        if self.is_working || self.has_failed || ticks == 0 && self.commands.is_empty() {
            return None;
        }
        self.due -= TICK * ticks;
        Some(ticks)
    }

    /// Starts the next ticks on the thread, with the queued commands and a changed material table.
    pub fn begin(&mut self, mut input: TickInput) {
        input.commands = std::mem::take(&mut self.commands);
        input.materials = self.materials.take();
        self.is_working = self.sender.get().send(input).is_ok();
        self.has_failed |= !self.is_working;
    }

    /// Applies the result of the thread, if there is one. Returns the answers to commands, and the
    /// creatures to save.
    pub fn take_in(&mut self) -> (Vec<String>, Option<EncodedCreatures>) {
        let result = match self.receiver.get().try_recv() {
            Ok(result) => result,
            Err(TryRecvError::Empty) => return (Vec::new(), None),
            Err(TryRecvError::Disconnected) => {
                let is_new = !std::mem::replace(&mut self.has_failed, true);
                self.poses.clear();
                let words = "Creatures have failed; they stand still until the map is opened again";
                return (is_new.then(|| words.to_owned()).into_iter().collect(), None);
            }
        };
        self.is_working = false;
        self.is_changed |= result.ticks > 0;
        // Also encoded creatures that the map must not get need not be encoded again.
        self.is_changed &= result.encoded.is_none();
        let encoded = result.encoded.filter(|_| self.is_kept);
        self.since = Instant::now();
        self.poses = result.poses;
        self.ways = result.ways;
        if let Some(reach) = result.reach {
            self.reach = reach;
        }
        self.figures = CreatureFigures {
            ticks: self.figures.ticks + u64::from(result.ticks),
            last: result.counts,
            by_kind: result.by_kind,
            asleep: result.asleep,
            drawn: self.poses.len(),
            ways: result.path_counts,
            reach: result.reach_counts,
            known_chunks: self.known.len(),
            took: result.took,
        };
        (result.answers, encoded)
    }

    /// Time since the last tick as a fraction of a tick, 0 to 1.
    #[must_use]
    pub fn part_of_tick(&self) -> f64 {
        (self.since.elapsed().as_secs_f64() / TICK.as_secs_f64()).min(1.0)
    }
}
