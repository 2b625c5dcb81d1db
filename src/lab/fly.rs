//! A scripted flight: what a player does in a while, without a window, to count what each task does with voxels.
//!
//! The 0fps text estimates that iteration dominates random access in a voxel game. Here it is measured: the same engine
//! functions that the game calls, as often as it calls them at 60 frames a second, while somebody flies in a wide bend over
//! the land, low enough to dig into what lies ahead and to build. Everything is made and meshed in the frame in which the
//! game would ask for it, so the figures are the same on every machine.

use crate::mesh::{Looks, build};
use crate::rules::walking::{Intent, Walker};
use crate::rules::{picking, shelter};
use crate::voxel::{ChunkPos, MaterialTable, Voxel};
use crate::world::{Chunk, Counts, Task, Work, World, view};
use glam::{DVec2, DVec3, IVec3};
use rustc_hash::FxHashSet;

/// Frames a second.
pub const FRAMES: u32 = 60;
/// Frames between two blocks broken or placed: two a second.
const CLICK: u32 = FRAMES / 2;
/// Frames after the last edit until it is saved, if edits have paused; and between two saves in any case, as in the game.
const SAVE_PAUSE: u32 = 2 * FRAMES;
const SAVE_EVERY: u32 = 30 * FRAMES;
/// The bend, in radians a second: once around in a bit more than three minutes.
const BEND: f64 = 0.03;
/// How far down one looks, in radians: at the ground some blocks ahead.
const DOWN: f64 = 0.9;
/// How high above the ground the eyes are, at least, in voxels.
const HEIGHT: f64 = 2.5;
/// The slot in the hand.
const BLOCK: &str = "stone";

/// What is flown over.
pub struct Land<'a> {
    /// Makes or reads the chunk at a position.
    pub chunk: &'a dyn Fn(ChunkPos) -> Result<Chunk, String>,
    /// The materials of its voxels.
    pub materials: &'a MaterialTable,
    /// Where the flight begins.
    pub start: DVec3,
    /// How far one sees, in chunks.
    pub view: i32,
}

/// What was counted on a flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flight {
    /// What each task did, loading the first view left out.
    pub work: Work,
    /// Frames flown.
    pub frames: u32,
    /// Chunks that came in on the way.
    pub chunks: u64,
    /// Chunks meshed on the way, after edits too.
    pub meshes: u64,
    /// Blocks broken or placed.
    pub edits: u64,
}

struct Pilot<'a> {
    land: &'a Land<'a>,
    looks: Looks,
    world: World,
    walker: Walker,
    /// Where the flight leads, in radians.
    heading: f64,
    offsets: Vec<IVec3>,
    centre: Option<ChunkPos>,
    meshed: FxHashSet<ChunkPos>,
    unsaved: FxHashSet<ChunkPos>,
    edited: Option<u32>,
    flight: Flight,
}

/// Flies for `seconds`; `progress` is told how much is done, from 0 to 1.
///
/// # Errors
/// A chunk cannot be read: one line.
pub fn fly(land: &Land<'_>, seconds: u32, progress: &mut dyn FnMut(f32)) -> Result<Flight, String> {
    let mut pilot = Pilot {
        land,
        looks: Looks::new(land.materials),
        world: World::new(),
        walker: Walker { flying: true, ..Walker::at(land.start) },
        heading: 0.0,
        offsets: view::wanted(land.view),
        centre: None,
        meshed: FxHashSet::default(),
        unsaved: FxHashSet::default(),
        edited: None,
        flight: Flight::default(),
    };
    // What is there when one opens a map has been loaded before.
    pilot.stream()?;
    pilot.save();
    pilot.flight = Flight::default();
    let frames = seconds * FRAMES;
    for frame in 0..frames {
        pilot.stream()?;
        pilot.steer();
        if frame % CLICK == 0 {
            pilot.click(frame);
        }
        if pilot.edited.is_some_and(|last| frame - last > SAVE_PAUSE) || frame % SAVE_EVERY == SAVE_EVERY - 1 {
            pilot.save();
        }
        pilot.flight.frames += 1;
        progress((frame + 1) as f32 / frames as f32);
    }
    Ok(pilot.flight)
}

impl Pilot<'_> {
    fn direction(&self) -> DVec3 {
        let (sin, cos) = self.heading.sin_cos();
        DVec3::new(sin * DOWN.cos(), -DOWN.sin(), -cos * DOWN.cos())
    }

    fn count(&mut self, task: Task, counts: Counts) {
        self.flight.work.add(task, counts);
    }

    /// Loads what has come into view, unloads what is far, and meshes what is complete.
    fn stream(&mut self) -> Result<(), String> {
        let centre = ChunkPos::containing(self.walker.eyes().floor().as_ivec3());
        if self.centre.replace(centre) == Some(centre) {
            return Ok(());
        }
        let offsets = std::mem::take(&mut self.offsets);
        for pos in offsets.iter().map(|&offset| centre.offset(offset)) {
            if !self.world.is_loaded(pos) && pos.in_world() {
                self.world.insert(pos, (self.land.chunk)(pos)?);
                self.unsaved.insert(pos);
                self.flight.chunks += 1;
            }
        }
        for pos in offsets.iter().filter(|o| view::in_reach(**o, self.land.view)).map(|&offset| centre.offset(offset)) {
            if self.meshed.insert(pos) {
                self.mesh(pos);
            }
        }
        self.offsets = offsets;
        let far = |pos: ChunkPos| !view::in_reach(pos.as_ivec3() - centre.as_ivec3(), self.land.view + 3);
        let gone: Vec<ChunkPos> =
            self.world.chunks().map(|(pos, _)| pos).filter(|&p| far(p) && !self.unsaved.contains(&p)).collect();
        for pos in gone {
            self.world.remove(pos);
            self.meshed.remove(&pos);
        }
        Ok(())
    }

    fn mesh(&mut self, pos: ChunkPos) {
        let mesh = build(&self.world.surroundings(pos).window(), &self.looks);
        self.count(Task::Meshing, Counts::chunk(mesh.runs));
        self.flight.meshes += 1;
    }

    /// A frame of the player: moves on, keeps its height above the ground, looks.
    fn steer(&mut self) {
        let dt = 1.0 / f64::from(FRAMES);
        self.heading += BEND * dt;
        let (sin, cos) = self.heading.sin_cos();
        let materials = self.land.materials;
        let (eyes, direction) = (self.walker.eyes(), self.direction());
        let (below, _) = picking::pick(&self.world, materials, eyes, DVec3::NEG_Y, 64.0);
        let height = below.map_or(f64::INFINITY, |hit| hit.distance);
        let blocked = self.walker.velocity.length() < 1.0;
        let intent = Intent {
            along: DVec2::new(sin, -cos),
            up: height < HEIGHT || blocked,
            down: height > HEIGHT + 1.0 && !blocked,
            sprint: false,
        };
        let reads = self.walker.advance(&self.world, materials, intent, dt);
        self.count(Task::Collision, Counts::reads(reads));
        let (_, reads) = picking::pick(&self.world, materials, eyes, direction, picking::REACH);
        self.count(Task::Picking, Counts::reads(reads));
        let (_, reads) = shelter::openness(&self.world, materials, eyes);
        self.count(Task::Picking, Counts::reads(reads));
    }

    /// Breaks what is under the crosshair, or builds on it.
    fn click(&mut self, frame: u32) {
        let materials = self.land.materials;
        let (hit, _) = picking::pick(&self.world, materials, self.walker.eyes(), self.direction(), picking::REACH);
        let Some(hit) = hit.filter(|hit| hit.voxel != Voxel::NOT_LOADED) else { return };
        let (at, voxel) = match hit.face.filter(|_| frame / CLICK % 2 == 1) {
            Some(face) => (hit.voxel_pos + face.normal(), Voxel::full(materials.find(BLOCK).unwrap_or(1))),
            None => (hit.voxel_pos, Voxel::AIR),
        };
        if self.walker.touches(at) || self.world.set(at, voxel).is_none() {
            return;
        }
        self.count(Task::Placing, Counts::writes(1));
        self.flight.edits += 1;
        self.edited = Some(frame);
        self.unsaved.insert(ChunkPos::containing(at));
        let corners = (0..27).map(|i| ChunkPos::containing(at + IVec3::new(i % 3 - 1, i / 9 - 1, i / 3 % 3 - 1)));
        let seen: FxHashSet<ChunkPos> = corners.filter(|pos| self.meshed.contains(pos)).collect();
        seen.into_iter().for_each(|pos| self.mesh(pos));
    }

    fn save(&mut self) {
        self.edited = None;
        let changed: Vec<u64> = self
            .unsaved
            .drain()
            .filter_map(|pos| self.world.chunk(pos))
            .map(|chunk| chunk.run_count() as u64)
            .collect();
        changed.into_iter().for_each(|runs| self.count(Task::Saving, Counts::chunk(runs)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::{Generator, TerrainKind};

    #[test]
    fn a_flight_counts_what_happens_on_it() {
        let materials = MaterialTable::builtin();
        let generator = Generator::new(5, TerrainKind::Continents, &materials);
        let chunk = |pos| Ok(generator.chunk(pos));
        let land = Land { chunk: &chunk, materials: &materials, start: generator.spawn(), view: 2 };
        let flight = fly(&land, 8, &mut |_| ()).expect("land");
        assert_eq!(flight, fly(&land, 8, &mut |_| ()).expect("land"), "the same each time");
        let of = |task| flight.work.of(task);
        assert_eq!(flight.frames, 480);
        assert!((8..=16).contains(&flight.edits), "{flight:?}");
        assert!(flight.chunks > 100, "it gets somewhere: {flight:?}");
        assert_eq!(of(Task::Placing), Counts::writes(flight.edits));
        assert_eq!(of(Task::Meshing).voxels_iterated, flight.meshes * 32768);
        assert!(of(Task::Meshing).runs_iterated > 10 * flight.meshes);
        // At least the floor under the body, in each frame; at least six rays of a voxel.
        assert!(of(Task::Collision).random_reads > 480 * 8 && of(Task::Picking).random_reads > 480);
        assert_eq!(of(Task::Saving).voxels_iterated % 32768, 0);
        assert!(of(Task::Saving).runs_iterated > 0);
        assert_eq!((of(Task::Lighting), of(Task::Physics)), Default::default());
    }

    #[test]
    fn what_cannot_be_read_ends_it() {
        let materials = MaterialTable::builtin();
        let chunk = |_| Err("no such chunk".to_owned());
        let land = Land { chunk: &chunk, materials: &materials, start: DVec3::ZERO, view: 2 };
        assert_eq!(fly(&land, 1, &mut |_| ()), Err("no such chunk".to_owned()));
    }
}
