//! Plants on ground that moves.

use super::materials::ShapingMaterials;
use crate::edit::{ChunkSource, EditError, Operation};
use crate::voxel::{CHUNK_SIDE, ChunkPos, Voxel, linear_index, linear_offset, local};
use crate::world::Chunk;
use glam::IVec3;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// Maximum distance that a plant moves up or down, in voxels.
const MAX_MOVE: i32 = 16;
/// Maximum number of voxels of a plant that moves, one above the other.
const MAX_HEIGHT: i32 = 8;

/// Chunks before a pass, by position: the changed ones.
pub(super) type ChunksBefore = FxHashMap<ChunkPos, Chunk>;

/// Operation after a pass: plants follow the ground that has moved.
///
/// A *plant* is one to eight voxels of plants, one above the other, on ground; higher ones stay
/// as they are. Where a pass has taken the ground below it or replaced its lowest voxel, it moves
/// up to the first voxel without ground, or straight down through air to the first one above
/// ground, at most 16 voxels. It is removed if there is no such voxel, or if anything but air is in
/// its place. Of two plants that would share a voxel, the lower one moves. Liquid in a plant stays
/// where it is.
pub(super) struct PlantsFollow<'a> {
    pub materials: &'a ShapingMaterials,
    pub before: ChunksBefore,
}

/// A plant before the pass.
struct StandingPlant {
    /// Position of the lowest voxel.
    foot: IVec3,
    /// The voxels from the lowest one up.
    voxels: Vec<Voxel>,
}

/// Chunks before and after the pass; air outside the world.
struct ChunkStates<'a> {
    before: &'a ChunksBefore,
    world: &'a dyn ChunkSource,
    /// Chunks that have been read, after the pass.
    after: FxHashMap<ChunkPos, Chunk>,
}

impl ChunkStates<'_> {
    fn chunk_after(&mut self, pos: ChunkPos) -> Result<&Chunk, EditError> {
        match self.after.entry(pos) {
            Entry::Occupied(chunk) => Ok(chunk.into_mut()),
            Entry::Vacant(place) => Ok(place.insert(self.world.chunk(pos)?)),
        }
    }

    fn chunk_before(&mut self, pos: ChunkPos) -> Result<&Chunk, EditError> {
        match self.before.get(&pos) {
            Some(chunk) => Ok(chunk),
            None => self.chunk_after(pos),
        }
    }

    fn before(&mut self, at: IVec3) -> Result<Voxel, EditError> {
        Ok(self.chunk_before(ChunkPos::containing(at))?.get(linear_index(local(at))))
    }

    fn after(&mut self, at: IVec3) -> Result<Voxel, EditError> {
        Ok(self.chunk_after(ChunkPos::containing(at))?.get(linear_index(local(at))))
    }
}

impl PlantsFollow<'_> {
    /// The plants whose lowest voxel is in a chunk, lowest first. Empty if neither the chunk nor
    /// the one below has changed.
    fn standing_in(
        &self,
        pos: ChunkPos,
        states: &mut ChunkStates<'_>,
    ) -> Result<Vec<StandingPlant>, EditError> {
        let mut standing = Vec::new();
        if ![pos, above(pos, -1)].iter().any(|pos| self.before.contains_key(pos)) {
            return Ok(standing);
        }
        let is_plant = |voxel: Voxel| self.materials.is_plant(voxel);
        let chunk = states.chunk_before(pos)?.clone();
        if !chunk.values().any(is_plant) {
            return Ok(standing);
        }
        for run in chunk.runs().filter(|run| is_plant(run.voxel)) {
            for index in run.start as usize..run.end() as usize {
                let foot = pos.origin() + linear_offset(index);
                if !self.materials.is_ground(states.before(foot - IVec3::Y)?) {
                    continue;
                }
                let mut voxels = vec![run.voxel];
                let mut next = states.before(foot + IVec3::Y)?;
                while is_plant(next) && voxels.len() <= MAX_HEIGHT as usize {
                    voxels.push(next);
                    next = states.before(foot + IVec3::Y * voxels.len() as i32)?;
                }
                if voxels.len() <= MAX_HEIGHT as usize {
                    standing.push(StandingPlant { foot, voxels });
                }
            }
        }
        Ok(standing)
    }

    /// New position of a plant's lowest voxel; `None` if the plant is removed. `taken` holds the
    /// places of lower plants that move.
    fn new_foot(
        &self,
        plant: &StandingPlant,
        states: &mut ChunkStates<'_>,
        taken: &FxHashSet<IVec3>,
    ) -> Result<Option<IVec3>, EditError> {
        let StandingPlant { foot, voxels } = plant;
        let rises = self.materials.is_ground(states.after(*foot)?);
        let mut found = None;
        for by in 0..=MAX_MOVE {
            let at = *foot + IVec3::Y * if rises { by } else { -by };
            let probe = if rises { at } else { at - IVec3::Y };
            if self.materials.is_ground(states.after(probe)?) != rises {
                found = Some(at);
                break;
            }
            if !rises && !states.after(probe)?.is_air() {
                break;
            }
        }
        let Some(at) = found else { return Ok(None) };
        for up in 0..voxels.len() as i32 {
            let place = at + IVec3::Y * up;
            let own = usize::try_from(place.y - foot.y).ok().and_then(|up| voxels.get(up));
            let there = states.after(place)?;
            if taken.contains(&place) || !there.is_air() && own != Some(&there) {
                return Ok(None);
            }
        }
        Ok(Some(at))
    }

    /// True if a plant and the ground below it are as before the pass.
    fn stays(
        &self,
        plant: &StandingPlant,
        states: &mut ChunkStates<'_>,
    ) -> Result<bool, EditError> {
        let has_ground = self.materials.is_ground(states.after(plant.foot - IVec3::Y)?);
        Ok(has_ground && states.after(plant.foot)? == plant.voxels[0])
    }
}

/// The chunk `by` chunks above.
fn above(pos: ChunkPos, by: i32) -> ChunkPos {
    pos.offset(IVec3::Y * by)
}

impl Operation for PlantsFollow<'_> {
    fn chunks(&self) -> Vec<ChunkPos> {
        let mut chunks: Vec<ChunkPos> =
            self.before.keys().flat_map(|pos| [-1, 0, 1].map(|by| above(*pos, by))).collect();
        chunks.sort_unstable();
        chunks.dedup();
        chunks
    }

    fn apply(
        &self,
        pos: ChunkPos,
        chunk: &Chunk,
        world: &dyn ChunkSource,
    ) -> Result<Chunk, EditError> {
        // Plants that move into the chunk, and those that could take their place, stand in it or in
        // the chunks above and below.
        const { assert!(MAX_MOVE + 2 * MAX_HEIGHT <= CHUNK_SIDE) };
        let mut states = ChunkStates { before: &self.before, world, after: FxHashMap::default() };
        let mut taken = FxHashSet::default();
        let mut moves = Vec::new();
        for by in [-1, 0, 1] {
            for plant in self.standing_in(above(pos, by), &mut states)? {
                if self.stays(&plant, &mut states)? {
                    continue;
                }
                let at = self.new_foot(&plant, &mut states, &taken)?;
                let places = at.into_iter().flat_map(|at| places(at, plant.voxels.len()));
                taken.extend(places);
                moves.push((plant, at));
            }
        }
        if moves.is_empty() {
            return Ok(chunk.clone());
        }
        let mut after: FxHashMap<usize, Voxel> = FxHashMap::default();
        let mut put = |at: IVec3, voxel: Voxel| {
            if pos.bounds().contains(at) {
                after.insert(linear_index(local(at)), voxel);
            }
        };
        for (StandingPlant { foot, voxels }, _) in &moves {
            for (at, voxel) in places(*foot, voxels.len()).zip(voxels) {
                if states.after(at)? == *voxel {
                    put(at, self.materials.reshaped(*voxel, Voxel::AIR.material(), 0));
                }
            }
        }
        for (StandingPlant { voxels, .. }, at) in &moves {
            let Some(at) = at else { continue };
            for (at, voxel) in places(*at, voxels.len()).zip(voxels) {
                put(at, voxel.dry().with_liquid(states.after(at)?.liquid()));
            }
        }
        let mut changes: Vec<_> =
            after.into_iter().map(|(index, voxel)| (index..index + 1, voxel)).collect();
        changes.sort_unstable_by_key(|(range, _)| range.start);
        let mut chunk = chunk.clone();
        chunk.set_ranges(changes);
        Ok(chunk)
    }
}

/// The voxels of a plant whose lowest one is at `foot`.
fn places(foot: IVec3, height: usize) -> impl Iterator<Item = IVec3> {
    (0..height as i32).map(move |up| foot + IVec3::Y * up)
}
