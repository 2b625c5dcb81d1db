//! Plants on ground that moves.

use super::materials::ShapingMaterials;
use crate::edit::{ChunkSource, EditError, Operation};
use crate::history::ChunkChange;
use crate::voxel::{ChunkPos, Voxel, linear_index, linear_offset, local};
use crate::world::Chunk;
use glam::IVec3;
use rustc_hash::FxHashMap;

/// Maximum distance that a plant moves up or down, in voxels.
const MAX_MOVE: i32 = 16;
/// Maximum number of voxels of a plant, one above the other.
const MAX_HEIGHT: i32 = 4;

/// Operation after a pass: plants follow the ground that has moved.
///
/// A *plant* is up to four voxels of plants above ground. Where the pass has taken that ground or
/// filled the plant's lowest voxel, the plant moves up to the first voxel without ground, or down
/// to the first one above ground, at most 16 voxels. It goes where no such voxel is, or where
/// anything but air would be in its place.
pub(super) struct PlantsFollow<'a> {
    materials: &'a ShapingMaterials,
    /// The changed chunks before the pass.
    before: FxHashMap<ChunkPos, Chunk>,
}

/// A plant before the pass.
struct StandingPlant {
    /// Position of the lowest voxel.
    foot: IVec3,
    /// The voxels from the lowest one up.
    voxels: Vec<Voxel>,
}

/// The chunks around one before and after the pass, air where none can be read.
struct Column<'a> {
    plants: &'a PlantsFollow<'a>,
    world: &'a dyn ChunkSource,
    /// Chunks that have been read, after the pass.
    after: FxHashMap<ChunkPos, Chunk>,
}

impl<'a> PlantsFollow<'a> {
    /// Operation that follows the changes of a pass. Of several changes of a chunk, the first one
    /// counts. `None` if no plant can have moved.
    pub fn new(
        materials: &'a ShapingMaterials,
        changes: &[ChunkChange],
        world: &dyn ChunkSource,
    ) -> Result<Option<PlantsFollow<'a>>, EditError> {
        let mut before = FxHashMap::default();
        for ChunkChange { pos, before: chunk, .. } in changes {
            before.entry(*pos).or_insert_with(|| chunk.clone());
        }
        let plants = PlantsFollow { materials, before };
        for pos in plants.before.keys() {
            for pos in [*pos, above(*pos, 1)] {
                let has_plants = match plants.before.get(&pos) {
                    Some(chunk) => plants.has_plants(chunk),
                    None => plants.has_plants(&world.chunk(pos)?),
                };
                if has_plants {
                    return Ok(Some(plants));
                }
            }
        }
        Ok(None)
    }

    fn has_plants(&self, chunk: &Chunk) -> bool {
        chunk.values().any(|voxel| self.materials.is_plant(voxel))
    }

    /// The plants whose lowest voxel is in a chunk, lowest first.
    fn standing_in(
        &self,
        pos: ChunkPos,
        column: &mut Column<'_>,
    ) -> Result<Vec<StandingPlant>, EditError> {
        let chunk = column.chunk_before(pos)?;
        if !self.has_plants(&chunk) {
            return Ok(Vec::new());
        }
        let mut standing = Vec::new();
        for run in chunk.runs().filter(|run| self.materials.is_plant(run.voxel)) {
            for index in run.start as usize..run.end() as usize {
                let foot = pos.origin() + linear_offset(index);
                if !self.materials.is_ground(column.before(foot - IVec3::Y)?) {
                    continue;
                }
                let mut voxels = vec![run.voxel];
                for up in 1..MAX_HEIGHT {
                    let voxel = column.before(foot + IVec3::Y * up)?;
                    if !self.materials.is_plant(voxel) {
                        break;
                    }
                    voxels.push(voxel);
                }
                standing.push(StandingPlant { foot, voxels });
            }
        }
        Ok(standing)
    }

    /// New position of a plant's lowest voxel; `None` if it finds no place. The same as before if
    /// the plant stays.
    fn new_foot(
        &self,
        plant: &StandingPlant,
        column: &mut Column<'_>,
    ) -> Result<Option<IVec3>, EditError> {
        let StandingPlant { foot, voxels } = plant;
        let foot = *foot;
        let is_filled = self.materials.is_ground(column.after(foot)?);
        let mut found = None;
        for by in 0..=MAX_MOVE {
            let at = foot + IVec3::Y * if is_filled { by } else { -by };
            let below = if is_filled { at } else { at - IVec3::Y };
            if self.materials.is_ground(column.after(below)?) != is_filled {
                found = Some(at);
                break;
            }
        }
        let Some(at) = found.filter(|at| *at != foot) else { return Ok(found) };
        for up in 0..voxels.len() as i32 {
            let place = at + IVec3::Y * up;
            let own = usize::try_from(place.y - foot.y).ok().and_then(|up| voxels.get(up));
            let there = column.after(place)?;
            if !there.is_air() && own != Some(&there) {
                return Ok(None);
            }
        }
        Ok(Some(at))
    }
}

impl Column<'_> {
    fn chunk_before(&mut self, pos: ChunkPos) -> Result<Chunk, EditError> {
        match self.plants.before.get(&pos) {
            Some(chunk) => Ok(chunk.clone()),
            None => self.chunk_after(pos),
        }
    }

    fn chunk_after(&mut self, pos: ChunkPos) -> Result<Chunk, EditError> {
        if let Some(chunk) = self.after.get(&pos) {
            return Ok(chunk.clone());
        }
        let chunk = self.world.chunk(pos)?;
        self.after.insert(pos, chunk.clone());
        Ok(chunk)
    }

    fn before(&mut self, at: IVec3) -> Result<Voxel, EditError> {
        Ok(self.chunk_before(ChunkPos::containing(at))?.get(linear_index(local(at))))
    }

    fn after(&mut self, at: IVec3) -> Result<Voxel, EditError> {
        Ok(self.chunk_after(ChunkPos::containing(at))?.get(linear_index(local(at))))
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
        let mut column = Column { plants: self, world, after: FxHashMap::default() };
        let mut moves = Vec::new();
        for by in [-1, 0, 1] {
            for plant in self.standing_in(above(pos, by), &mut column)? {
                let at = self.new_foot(&plant, &mut column)?;
                if at != Some(plant.foot) {
                    moves.push((plant, at));
                }
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
        for (plant, _) in &moves {
            for (voxel, up) in plant.voxels.iter().zip(0..) {
                let at = plant.foot + IVec3::Y * up;
                if column.after(at)? == *voxel {
                    put(at, Voxel::AIR);
                }
            }
        }
        for (plant, at) in moves.iter().filter_map(|(plant, at)| Some((plant, (*at)?))) {
            for (voxel, up) in plant.voxels.iter().zip(0..) {
                put(at + IVec3::Y * up, *voxel);
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
