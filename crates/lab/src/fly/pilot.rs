//! The pilot of a scripted flight, which streams chunks, steers, edits and saves as the game does.

use super::{FRAMES_PER_SECOND, FlightStats, FlightTerrain, LoadedChunk};
use glam::{DVec2, DVec3, IVec3};
use rustc_hash::FxHashSet;
use std::time::Duration;
use stonerun_engine::body::picking;
use stonerun_engine::body::walking::{Intent, Walker};
use stonerun_engine::light::{LightMap, LightTraits};
use stonerun_engine::mesh::{FaceMaterials, build};
use stonerun_engine::metrics::{VoxelOps, VoxelTask};
use stonerun_engine::save::SaveError;
use stonerun_engine::save::autosave::{self, EditAges};
use stonerun_engine::voxel::{CHUNK_VOLUME, ChunkPos, Voxel, neighbour_offsets};
use stonerun_engine::world::{World, view};

/// Frames between two clicks, each of which breaks or places a block: two per second.
const CLICK_INTERVAL: u32 = FRAMES_PER_SECOND / 2;
/// Change of the heading, in radians per second: a full circle in about three and a half minutes.
const TURN_RATE: f64 = 0.03;
/// Angle of the view below the horizon, in radians. The crosshair meets the ground some blocks
/// ahead.
const LOOK_DOWN: f64 = 0.9;
/// Minimum height of the eyes above the ground, in voxels.
const MIN_HEIGHT: f64 = 2.5;
/// Distance below the eyes at which ground is searched for in infinite terrain, in voxels.
const GROUND_SEARCH: f64 = 64.0;
/// Material of placed blocks.
const PLACED_MATERIAL: &str = "stone";

/// The player on a flight, and everything that is loaded.
pub(super) struct Pilot<'a> {
    /// Counts so far.
    pub(super) stats: FlightStats,
    terrain: &'a FlightTerrain<'a>,
    face_materials: FaceMaterials,
    world: World,
    light: LightMap,
    walker: Walker,
    /// Direction of flight, in radians.
    heading: f64,
    /// Offsets of the chunks to load, relative to the player's chunk.
    offsets: Vec<IVec3>,
    /// Chunk of the player when chunks were last loaded.
    centre: Option<ChunkPos>,
    meshed: FxHashSet<ChunkPos>,
    unsaved: FxHashSet<ChunkPos>,
    /// Edits since the last save; `None` if there are none.
    pub(super) unsaved_edits: Option<UnsavedEdits>,
    /// Frame of the last save.
    last_save: u32,
}

/// Frames of the first and the last edit since the last save.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnsavedEdits {
    pub(super) first: u32,
    pub(super) last: u32,
}

impl<'a> Pilot<'a> {
    pub(super) fn new(terrain: &'a FlightTerrain<'a>) -> Pilot<'a> {
        Pilot {
            stats: FlightStats::default(),
            terrain,
            face_materials: FaceMaterials::new(terrain.materials),
            world: World::new(),
            light: LightMap::new(LightTraits::new(terrain.materials), terrain.sky),
            walker: Walker { flying: true, ..Walker::at(terrain.start) },
            heading: 0.0,
            offsets: view::load_offsets(terrain.view),
            centre: None,
            meshed: FxHashSet::default(),
            unsaved: FxHashSet::default(),
            unsaved_edits: None,
            last_save: 0,
        }
    }

    /// Loads and saves the chunks in view at the start. Their operations are not counted.
    pub(super) fn load_first_view(&mut self) -> Result<(), SaveError> {
        self.stream()?;
        self.save(0);
        self.stats = FlightStats::default();
        Ok(())
    }

    /// Does everything that the game does in one frame.
    pub(super) fn fly_frame(&mut self, frame: u32) -> Result<(), SaveError> {
        self.stream()?;
        self.steer();
        if frame.is_multiple_of(CLICK_INTERVAL) {
            self.click(frame);
        }
        if self.is_save_due(frame) {
            self.save(frame);
        }
        self.stats.frames += 1;
        Ok(())
    }

    fn look_direction(&self) -> DVec3 {
        let (sin, cos) = self.heading.sin_cos();
        DVec3::new(sin * LOOK_DOWN.cos(), -LOOK_DOWN.sin(), -cos * LOOK_DOWN.cos())
    }

    fn count(&mut self, task: VoxelTask, counts: VoxelOps) {
        self.stats.work.add(task, counts);
    }

    /// Loads chunks that came into view, meshes complete ones, and unloads distant ones.
    fn stream(&mut self) -> Result<(), SaveError> {
        let centre = ChunkPos::containing(self.walker.eyes().floor().as_ivec3());
        if self.centre.replace(centre) == Some(centre) {
            return Ok(());
        }
        let offsets = std::mem::take(&mut self.offsets);
        for pos in offsets.iter().map(|&offset| centre.offset(offset)) {
            if !self.world.is_loaded(pos) && pos.in_world() {
                let LoadedChunk { chunk, unsaved } = (self.terrain.load_chunk)(pos)?;
                self.light.insert(pos, chunk.clone());
                self.world.insert(pos, chunk);
                if unsaved {
                    self.unsaved.insert(pos);
                }
                self.stats.chunks += 1;
            }
        }
        self.light();
        for pos in offsets
            .iter()
            .filter(|o| view::in_reach(**o, self.terrain.view))
            .map(|&offset| centre.offset(offset))
        {
            if self.meshed.insert(pos) {
                self.mesh(pos);
            }
        }
        self.offsets = offsets;
        let is_far = |pos: ChunkPos| {
            !view::stays_loaded(pos.as_ivec3() - centre.as_ivec3(), self.terrain.view)
        };
        let distant: Vec<ChunkPos> = self
            .world
            .chunks()
            .map(|(pos, _)| pos)
            .filter(|&p| is_far(p) && !self.unsaved.contains(&p))
            .collect();
        for pos in distant {
            self.world.remove(pos);
            self.light.remove(pos);
            self.meshed.remove(&pos);
        }
        Ok(())
    }

    /// Updates the light after changes.
    fn light(&mut self) {
        self.light.settle();
        let counts = self.light.take_counts();
        let voxels_iterated = counts.chunks * CHUNK_VOLUME as u64;
        let runs_iterated = counts.runs;
        self.count(
            VoxelTask::Lighting,
            VoxelOps { voxels_iterated, runs_iterated, ..VoxelOps::default() },
        );
    }

    fn mesh(&mut self, pos: ChunkPos) {
        let mesh = build(pos, &self.world.neighbourhood(pos).borrowed(), &self.face_materials);
        self.count(VoxelTask::Meshing, VoxelOps::chunk_walk(mesh.runs));
        self.stats.meshes += 1;
    }

    /// Follows the curve; outside the terrain's bounds, turns towards its middle.
    fn turn(&mut self, dt: f64) {
        self.heading += TURN_RATE * dt;
        let Some(bounds) = self.terrain.bounds else { return };
        let position = self.walker.position;
        if !bounds.contains(position.floor().as_ivec3().with_y(bounds.min.y)) {
            let to_middle = (bounds.min.as_dvec3() + bounds.max.as_dvec3()) / 2.0 - position;
            self.heading = to_middle.x.atan2(-to_middle.z);
        }
    }

    /// Height of the eyes above the ground; infinite if no ground is found.
    fn height(&self) -> f64 {
        let eyes = self.walker.eyes();
        // Finite terrain may have no ground below. The pilot then keeps its height; otherwise it
        // would sink forever.
        let (reach, without_ground) = match self.terrain.bounds {
            Some(bounds) => (eyes.y - f64::from(bounds.min.y), MIN_HEIGHT),
            None => (GROUND_SEARCH, f64::INFINITY),
        };
        let ground =
            picking::pick(&self.world, self.terrain.materials, eyes, DVec3::NEG_Y, reach).hit;
        ground.map_or(without_ground, |hit| hit.distance)
    }

    /// Moves the player by one frame, keeps its height above the ground, and looks ahead.
    fn steer(&mut self) {
        let dt = 1.0 / f64::from(FRAMES_PER_SECOND);
        self.turn(dt);
        let (sin, cos) = self.heading.sin_cos();
        let materials = self.terrain.materials;
        let eyes = self.walker.eyes();
        let direction = self.look_direction();
        let height = self.height();
        let blocked = self.walker.velocity.length() < 1.0;
        let intent = Intent {
            along: DVec2::new(sin, -cos),
            up: height < MIN_HEIGHT || blocked,
            down: height > MIN_HEIGHT + 1.0 && !blocked,
            ..Intent::default()
        };
        let reads = self.walker.advance(&self.world, materials, intent, dt);
        self.count(VoxelTask::Collision, VoxelOps::reads(reads));
        let reads = picking::pick(&self.world, materials, eyes, direction, picking::REACH).reads;
        self.count(VoxelTask::Picking, VoxelOps::reads(reads));
    }

    /// Breaks the block under the crosshair or places one on it, alternately.
    fn click(&mut self, frame: u32) {
        let materials = self.terrain.materials;
        let hit = picking::pick(
            &self.world,
            materials,
            self.walker.eyes(),
            self.look_direction(),
            picking::REACH,
        )
        .hit;
        let Some(hit) = hit.filter(|hit| hit.voxel != Voxel::NOT_LOADED) else { return };
        let (voxel_pos, voxel) = match hit.face.filter(|_| frame / CLICK_INTERVAL % 2 == 1) {
            Some(face) => {
                // The game reads the voxel to check whether it can be replaced.
                self.count(VoxelTask::Placing, VoxelOps::reads(1));
                (
                    hit.voxel_pos + face.normal(),
                    Voxel::full(materials.find(PLACED_MATERIAL).unwrap_or(1)),
                )
            }
            None => (hit.voxel_pos, Voxel::AIR),
        };
        if self.walker.touches(voxel_pos) || self.world.set(voxel_pos, voxel).is_none() {
            return;
        }
        self.count(VoxelTask::Placing, VoxelOps::writes(1));
        self.stats.edits += 1;
        let first = self.unsaved_edits.map_or(frame, |edits| edits.first);
        self.unsaved_edits = Some(UnsavedEdits { first, last: frame });
        let pos = ChunkPos::containing(voxel_pos);
        self.unsaved.insert(pos);
        if let Some(chunk) = self.world.chunk(pos) {
            self.light.insert(pos, chunk.clone());
        }
        self.light();
        let touched = neighbour_offsets().map(|offset| ChunkPos::containing(voxel_pos + offset));
        let remeshed: FxHashSet<ChunkPos> =
            touched.filter(|pos| self.meshed.contains(pos)).collect();
        for pos in remeshed {
            self.mesh(pos);
        }
    }

    /// True if the game would save in this frame.
    pub(super) fn is_save_due(&self, frame: u32) -> bool {
        let since =
            |earlier: u32| Duration::from_secs((frame - earlier).into()) / FRAMES_PER_SECOND;
        let edits = self
            .unsaved_edits
            .map(|edits| EditAges { first: since(edits.first), last: since(edits.last) });
        autosave::is_due(since(self.last_save), edits, self.unsaved.len())
    }

    /// Counts the operations that encode all unsaved chunks.
    pub(super) fn save(&mut self, frame: u32) {
        self.unsaved_edits = None;
        self.last_save = frame;
        let run_counts: Vec<u64> = self
            .unsaved
            .drain()
            .filter_map(|pos| self.world.chunk(pos))
            .map(|chunk| chunk.run_count() as u64)
            .collect();
        for runs in run_counts {
            self.count(VoxelTask::Saving, VoxelOps::chunk_walk(runs));
        }
    }
}
