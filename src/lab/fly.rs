//! A scripted flight: what a player does in a while, without a window, to count what each task does with voxels.
//!
//! The 0fps text estimates that iteration dominates random access in a voxel game. Here it is measured: the same engine
//! functions that the game calls, as often as it calls them at 60 frames a second, while somebody flies in a wide bend over
//! the land, low enough to dig into what lies ahead and to build. Everything is made and meshed in the frame in which the
//! game would ask for it, so the figures are the same on every machine.

use crate::body::walking::{Intent, Walker};
use crate::body::{picking, sky_exposure};
use crate::mesh::{FaceMaterials, build};
use crate::metrics::{VoxelOps, VoxelTask, WorkByTask};
use crate::voxel::{Box3, ChunkPos, MaterialTable, Voxel, neighbour_offsets};
use crate::world::{Chunk, World, view};
use glam::{DVec2, DVec3, IVec3};
use rustc_hash::FxHashSet;

/// Frames a second.
pub const FRAMES: u32 = 60;
/// Frames between two blocks broken or placed: two a second.
const CLICK: u32 = FRAMES / 2;
/// When is saved, in frames, as in the game: so long after the last edit, if edits have paused; after the first that is not
/// saved yet, if they have not; and after the last save in any case.
const SAVE_PAUSE: u32 = 2 * FRAMES;
const SAVE_AT_LATEST: u32 = 8 * FRAMES;
const SAVE_EVERY: u32 = 30 * FRAMES;
/// The bend, in radians a second: once around in a bit more than three minutes.
const BEND: f64 = 0.03;
/// How far down one looks, in radians: at the ground some blocks ahead.
const DOWN: f64 = 0.9;
/// How high above the ground the eyes are, at least, in voxels.
const HEIGHT: f64 = 2.5;
/// How far below one looks for ground in a land without end, in voxels.
const DEEP: f64 = 64.0;
/// The slot in the hand.
const BLOCK: &str = "stone";

/// A chunk that has come into view.
pub struct Arrival {
    /// What is in it.
    pub chunk: Chunk,
    /// The game would save it though nobody edits it: a generator made it, and no map keeps it yet.
    pub unsaved: bool,
}

/// What is flown over.
pub struct Land<'a> {
    /// Makes or reads the chunk at a position.
    pub chunk: &'a dyn Fn(ChunkPos) -> Result<Arrival, String>,
    /// The materials of its voxels.
    pub materials: &'a MaterialTable,
    /// Where the flight begins.
    pub start: DVec3,
    /// Where all its voxels are, if it ends somewhere: who flies past that comes back. Air beyond it would count for nothing.
    pub bounds: Option<Box3>,
    /// How far one sees, in chunks.
    pub view: i32,
}

/// What was counted on a flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flight {
    /// What each task did, loading the first view left out.
    pub work: WorkByTask,
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
    looks: FaceMaterials,
    world: World,
    walker: Walker,
    /// Where the flight leads, in radians.
    heading: f64,
    offsets: Vec<IVec3>,
    centre: Option<ChunkPos>,
    meshed: FxHashSet<ChunkPos>,
    unsaved: FxHashSet<ChunkPos>,
    /// The frames of the first and the last edit since the last save.
    edits: Option<(u32, u32)>,
    /// The frame of the last save.
    saved: u32,
    flight: Flight,
}

/// Flies for `seconds`; `progress` is told how much is done, from 0 to 1.
///
/// # Errors
/// A chunk cannot be read: one line.
pub fn fly(land: &Land<'_>, seconds: u32, progress: &mut dyn FnMut(f32)) -> Result<Flight, String> {
    let mut pilot = Pilot::new(land);
    // What is there when one opens a map has been loaded before.
    pilot.stream()?;
    pilot.save(0);
    pilot.flight = Flight::default();
    let frames = seconds * FRAMES;
    for frame in 0..frames {
        pilot.stream()?;
        pilot.steer();
        if frame % CLICK == 0 {
            pilot.click(frame);
        }
        if pilot.is_save_due(frame) {
            pilot.save(frame);
        }
        pilot.flight.frames += 1;
        progress((frame + 1) as f32 / frames as f32);
    }
    Ok(pilot.flight)
}

impl<'a> Pilot<'a> {
    fn new(land: &'a Land<'a>) -> Pilot<'a> {
        Pilot {
            land,
            looks: FaceMaterials::new(land.materials),
            world: World::new(),
            walker: Walker { flying: true, ..Walker::at(land.start) },
            heading: 0.0,
            offsets: view::load_offsets(land.view),
            centre: None,
            meshed: FxHashSet::default(),
            unsaved: FxHashSet::default(),
            edits: None,
            saved: 0,
            flight: Flight::default(),
        }
    }

    fn direction(&self) -> DVec3 {
        let (sin, cos) = self.heading.sin_cos();
        DVec3::new(sin * DOWN.cos(), -DOWN.sin(), -cos * DOWN.cos())
    }

    fn count(&mut self, task: VoxelTask, counts: VoxelOps) {
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
                let Arrival { chunk, unsaved } = (self.land.chunk)(pos)?;
                self.world.insert(pos, chunk);
                if unsaved {
                    self.unsaved.insert(pos);
                }
                self.flight.chunks += 1;
            }
        }
        for pos in offsets.iter().filter(|o| view::in_reach(**o, self.land.view)).map(|&offset| centre.offset(offset)) {
            if self.meshed.insert(pos) {
                self.mesh(pos);
            }
        }
        self.offsets = offsets;
        let far = |pos: ChunkPos| !view::stays_loaded(pos.as_ivec3() - centre.as_ivec3(), self.land.view);
        let gone: Vec<ChunkPos> =
            self.world.chunks().map(|(pos, _)| pos).filter(|&p| far(p) && !self.unsaved.contains(&p)).collect();
        for pos in gone {
            self.world.remove(pos);
            self.meshed.remove(&pos);
        }
        Ok(())
    }

    fn mesh(&mut self, pos: ChunkPos) {
        let mesh = build(&self.world.neighbourhood(pos).borrowed(), &self.looks);
        self.count(VoxelTask::Meshing, VoxelOps::chunk_walk(mesh.runs));
        self.flight.meshes += 1;
    }

    /// Goes on in the bend; where the land has ended, turns to its middle.
    fn turn(&mut self, dt: f64) {
        self.heading += BEND * dt;
        let Some(bounds) = self.land.bounds else { return };
        let at = self.walker.position;
        if !bounds.contains(at.floor().as_ivec3().with_y(bounds.min.y)) {
            let way = (bounds.min.as_dvec3() + bounds.max.as_dvec3()) / 2.0 - at;
            self.heading = way.x.atan2(-way.z);
        }
    }

    /// How high the eyes are above the ground; infinite where it is too far down to see.
    fn height(&self) -> f64 {
        let eyes = self.walker.eyes();
        // In a land that ends there may be nothing below; there one keeps one's height, or one would sink for ever.
        let (deep, nothing) = match self.land.bounds {
            Some(bounds) => (eyes.y - f64::from(bounds.min.y), HEIGHT),
            None => (DEEP, f64::INFINITY),
        };
        let below = picking::pick(&self.world, self.land.materials, eyes, DVec3::NEG_Y, deep).hit;
        below.map_or(nothing, |hit| hit.distance)
    }

    /// A frame of the player: moves on, keeps its height above the ground, looks.
    fn steer(&mut self) {
        let dt = 1.0 / f64::from(FRAMES);
        self.turn(dt);
        let (sin, cos) = self.heading.sin_cos();
        let materials = self.land.materials;
        let (eyes, direction) = (self.walker.eyes(), self.direction());
        let height = self.height();
        let blocked = self.walker.velocity.length() < 1.0;
        let intent = Intent {
            along: DVec2::new(sin, -cos),
            up: height < HEIGHT || blocked,
            down: height > HEIGHT + 1.0 && !blocked,
            sprint: false,
        };
        let reads = self.walker.advance(&self.world, materials, intent, dt);
        self.count(VoxelTask::Collision, VoxelOps::reads(reads));
        let reads = picking::pick(&self.world, materials, eyes, direction, picking::REACH).reads;
        self.count(VoxelTask::Picking, VoxelOps::reads(reads));
        let reads = sky_exposure::sky_exposure(&self.world, materials, eyes).reads;
        self.count(VoxelTask::Picking, VoxelOps::reads(reads));
    }

    /// Breaks what is under the crosshair, or builds on it.
    fn click(&mut self, frame: u32) {
        let materials = self.land.materials;
        let hit = picking::pick(&self.world, materials, self.walker.eyes(), self.direction(), picking::REACH).hit;
        let Some(hit) = hit.filter(|hit| hit.voxel != Voxel::NOT_LOADED) else { return };
        let (at, voxel) = match hit.face.filter(|_| frame / CLICK % 2 == 1) {
            Some(face) => {
                // Whether what is there gives way.
                self.count(VoxelTask::Placing, VoxelOps::reads(1));
                (hit.voxel_pos + face.normal(), Voxel::full(materials.find(BLOCK).unwrap_or(1)))
            }
            None => (hit.voxel_pos, Voxel::AIR),
        };
        if self.walker.touches(at) || self.world.set(at, voxel).is_none() {
            return;
        }
        self.count(VoxelTask::Placing, VoxelOps::writes(1));
        self.flight.edits += 1;
        self.edits = Some((self.edits.map_or(frame, |(first, _)| first), frame));
        self.unsaved.insert(ChunkPos::containing(at));
        let corners = neighbour_offsets().map(|offset| ChunkPos::containing(at + offset));
        let seen: FxHashSet<ChunkPos> = corners.filter(|pos| self.meshed.contains(pos)).collect();
        seen.into_iter().for_each(|pos| self.mesh(pos));
    }

    fn is_save_due(&self, frame: u32) -> bool {
        let paused = |(first, last)| frame - last > SAVE_PAUSE || frame - first > SAVE_AT_LATEST;
        self.edits.is_some_and(paused) || frame - self.saved >= SAVE_EVERY
    }

    fn save(&mut self, frame: u32) {
        self.edits = None;
        self.saved = frame;
        let changed: Vec<u64> = self
            .unsaved
            .drain()
            .filter_map(|pos| self.world.chunk(pos))
            .map(|chunk| chunk.run_count() as u64)
            .collect();
        changed.into_iter().for_each(|runs| self.count(VoxelTask::Saving, VoxelOps::chunk_walk(runs)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::{Generator, TerrainKind};

    /// The flight over generated land, whose chunks are `unsaved` or not; its progress goes to `progress`.
    fn over_continents(seconds: u32, unsaved: bool, progress: &mut dyn FnMut(f32)) -> Flight {
        let materials = MaterialTable::builtin();
        let generator = Generator::new(5, TerrainKind::Continents, &materials);
        let chunk = |pos| Ok(Arrival { chunk: generator.chunk(pos), unsaved });
        let land = Land { chunk: &chunk, materials: &materials, start: generator.spawn(), bounds: None, view: 2 };
        fly(&land, seconds, progress).expect("land")
    }

    #[test]
    fn a_flight_counts_what_happens_on_it() {
        let mut told = Vec::new();
        let flight = over_continents(10, true, &mut |done| told.push(done));
        assert_eq!(flight, over_continents(10, true, &mut |_| ()), "the same each time");
        assert!(told.len() == 600 && told.is_sorted() && told.last() == Some(&1.0));
        let of = |task| flight.work.get(task);
        assert_eq!(flight.frames, 600);
        assert!((10..=20).contains(&flight.edits), "{flight:?}");
        assert!(flight.chunks > 100, "it gets somewhere: {flight:?}");
        let placing = of(VoxelTask::Placing);
        assert_eq!(placing.random_writes, flight.edits);
        // A read for each block placed, none for one broken.
        assert!((5..=10).contains(&placing.random_reads), "{flight:?}");
        assert_eq!(of(VoxelTask::Meshing).voxels_iterated, flight.meshes * 32768);
        assert!(of(VoxelTask::Meshing).runs_iterated > 10 * flight.meshes);
        // At least the floor under the body, in each frame; at least six rays of a voxel.
        assert!(of(VoxelTask::Collision).random_reads > 600 * 8 && of(VoxelTask::Picking).random_reads > 600);
        assert_eq!(of(VoxelTask::Saving).voxels_iterated % 32768, 0);
        assert!(of(VoxelTask::Saving).runs_iterated > 0);
    }

    #[test]
    fn only_what_no_map_keeps_is_saved() {
        let saved = |flight: Flight| flight.work.get(VoxelTask::Saving).voxels_iterated / 32768;
        let [kept, made] = [false, true].map(|unsaved| over_continents(10, unsaved, &mut |_| ()));
        assert_eq!(kept.edits, made.edits);
        assert!(0 < saved(kept) && saved(kept) <= kept.edits, "{kept:?}");
        assert!(saved(made) > made.edits, "{made:?}");
    }

    #[test]
    fn saves_come_when_the_game_makes_them() {
        let materials = MaterialTable::builtin();
        let chunk = |_| Err(String::new());
        let land = Land { chunk: &chunk, materials: &materials, start: DVec3::ZERO, bounds: None, view: 2 };
        let mut pilot = Pilot::new(&land);
        for (edits, frame) in [(None, 1800), (Some((0, 0)), 121), (Some((0, 100)), 221), (Some((0, 479)), 481)] {
            pilot.edits = edits;
            assert_eq!([frame - 1, frame].map(|f| pilot.is_save_due(f)), [false, true], "{edits:?}");
        }
        pilot.save(481);
        assert_eq!([481, 2280, 2281].map(|f| pilot.is_save_due(f)), [false, false, true]);
    }

    /// An island of stone, 64 x 64 voxels, whose ground is at y = 40.
    fn island(pos: ChunkPos) -> Chunk {
        let within = |part: i32| (-1..1).contains(&part);
        match pos.y {
            0 if within(pos.x) && within(pos.z) => Chunk::uniform(Voxel::full(1)),
            1 if within(pos.x) && within(pos.z) => {
                Chunk::from_runs([(8 * 1024, Voxel::full(1)), (24 * 1024, Voxel::AIR)])
            }
            _ => Chunk::uniform(Voxel::AIR),
        }
    }

    #[test]
    fn a_land_that_ends_is_not_left() {
        let materials = MaterialTable::builtin();
        let chunk = |pos| Ok(Arrival { chunk: island(pos), unsaved: false });
        let bounds = Box3 { min: IVec3::new(-32, 0, -32), max: IVec3::new(32, 40, 32) };
        let start = DVec3::new(0.0, 40.0, 0.0);
        let flown = |bounds| {
            let land = Land { chunk: &chunk, materials: &materials, start, bounds, view: 2 };
            fly(&land, 60, &mut |_| ()).expect("land")
        };
        let (here, gone) = (flown(Some(bounds)), flown(None));
        assert!(gone.edits < 20, "without bounds it would be left: {gone:?}");
        assert!(here.edits > 90, "{here:?}");
        assert_eq!(here, flown(Some(bounds)), "the same each time");
    }

    #[test]
    fn what_cannot_be_read_ends_it() {
        let materials = MaterialTable::builtin();
        let chunk = |_| Err("no such chunk".to_owned());
        let land = Land { chunk: &chunk, materials: &materials, start: DVec3::ZERO, bounds: None, view: 2 };
        assert_eq!(fly(&land, 1, &mut |_| ()), Err("no such chunk".to_owned()));
    }
}
