//! The feature overlay: writes ground and features of a chunk as one stream of runs.
//!
//! Features are collected first, as a sorted list of placements. Then the ground is written in
//! linear order, and the ground voxel accepts or rejects each placement. Conflicts are resolved by
//! rank instead of by visiting order, so all chunks around a tree agree.

use super::palette::{PlacementClass, TerrainPalette};
use super::terrain_column::with_water_up_to;
use crate::runs::RunBuilder;
use crate::voxel::{CHUNK_VOLUME, ChunkPos, Voxel, linear_index, local};
use crate::world::Chunk;
use glam::IVec3;

/// Voxels that a placement may replace.
///
/// Sorted by rank: where two placements meet, the earlier rule wins, and within a rule the voxel
/// whose material is listed first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PlacementRule {
    /// Trunks and boulders replace everything.
    Anything,
    /// Logs that lie on smooth ground replace air, plants and ground that fills less than half of
    /// a voxel.
    OpenOrFilm,
    /// Leaves replace air and plants.
    Open,
    /// Snow on leaves replaces air and plants, but not leaves.
    OpenLast,
    /// Ores replace rock.
    Rock,
    /// Grass below a trunk or a boulder becomes dirt, as the rules would change it.
    Turf,
}

/// The placements of features in one chunk.
pub(super) struct FeatureOverlay {
    pos: ChunkPos,
    /// Linear index, rule and voxel.
    placements: Vec<(u16, PlacementRule, Voxel)>,
}

impl FeatureOverlay {
    pub(super) fn new(pos: ChunkPos) -> FeatureOverlay {
        FeatureOverlay { pos, placements: Vec::new() }
    }

    /// Places `voxel` at world position `at`; ignored outside the chunk. With
    /// [`PlacementRule::Anything`], grass below `at` becomes dirt.
    pub(super) fn put(&mut self, at: IVec3, rule: PlacementRule, voxel: Voxel) {
        self.put_voxel(at, rule, voxel);
        if rule == PlacementRule::Anything {
            self.cover_grass(at - IVec3::Y);
        }
    }

    /// Turns grass at `at` into dirt, because something solid will lie on it.
    pub(super) fn cover_grass(&mut self, at: IVec3) {
        self.put_voxel(at, PlacementRule::Turf, Voxel::AIR);
    }

    fn put_voxel(&mut self, at: IVec3, rule: PlacementRule, voxel: Voxel) {
        if ChunkPos::containing(at) == self.pos {
            self.placements.push((linear_index(local(at)) as u16, rule, voxel));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.placements.is_empty()
    }

    /// Sorts the placements and starts writing the ground.
    pub(super) fn into_writer(mut self, palette: &TerrainPalette) -> TerrainWriter<'_> {
        self.placements.sort_unstable();
        TerrainWriter { palette, placements: self.placements, next: 0, builder: RunBuilder::new() }
    }
}

/// Writes the ground in linear order and merges the features in.
pub(super) struct TerrainWriter<'a> {
    palette: &'a TerrainPalette,
    placements: Vec<(u16, PlacementRule, Voxel)>,
    next: usize,
    builder: RunBuilder,
}

impl TerrainWriter<'_> {
    /// Writes `len` voxels of ground.
    pub(super) fn push(&mut self, len: u32, ground: Voxel) {
        let end = self.builder.position() + len as usize;
        while let Some(&(index, ..)) = self.placements.get(self.next)
            && usize::from(index) < end
        {
            let mut accepted = None;
            while let Some(&(same, rule, voxel)) = self.placements.get(self.next)
                && same == index
            {
                self.next += 1;
                let class = self.palette.class(ground);
                let (fits, placed) = match rule {
                    PlacementRule::Anything => (self.adds_to(ground, voxel), voxel),
                    PlacementRule::OpenOrFilm => {
                        let is_film =
                            self.palette.is_solid(ground) && ground.occupancy() < Voxel::HALF;
                        (class == PlacementClass::Open || is_film, voxel)
                    }
                    PlacementRule::Open | PlacementRule::OpenLast => {
                        (class == PlacementClass::Open, voxel)
                    }
                    PlacementRule::Rock => {
                        (class == PlacementClass::Rock, ground.with_material(voxel.material()))
                    }
                    PlacementRule::Turf => (
                        ground.material() == self.palette.grass.material(),
                        ground.with_material(self.palette.dirt.material()),
                    ),
                };
                if fits {
                    accepted = accepted.or(Some(self.wet(placed, ground)));
                }
            }
            self.builder.push(u32::from(index) - self.builder.position() as u32, ground);
            self.builder.push(1, accepted.unwrap_or(ground));
        }
        self.builder.push((end - self.builder.position()) as u32, ground);
    }

    /// A fraction of smooth ground that takes the place of water or wet ground, with that water.
    fn wet(&self, placed: Voxel, before: Voxel) -> Voxel {
        let is_fraction = self.palette.fractions.is_some() && self.palette.is_solid(placed);
        let is_water = before.material() == self.palette.water.material();
        if is_fraction && (is_water || before.is_wet()) {
            with_water_up_to(placed, before.parts())
        } else {
            placed
        }
    }

    /// True unless a fraction would take away from the ground.
    fn adds_to(&self, ground: Voxel, placed: Voxel) -> bool {
        let adds = || self.palette.is_solid(ground) && ground.occupancy() < placed.occupancy();
        placed.is_full() || self.palette.class(ground) == PlacementClass::Open || adds()
    }

    /// Writes 32 voxels of ground along x.
    pub(super) fn push_row(&mut self, row: &[Voxel; 32]) {
        for same in row.chunk_by(|a, b| a == b) {
            self.push(same.len() as u32, same[0]);
        }
    }

    /// Completes the chunk with air.
    pub(super) fn finish(mut self) -> Chunk {
        self.push((CHUNK_VOLUME - self.builder.position()) as u32, Voxel::AIR);
        self.builder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::fractions::Fractions;
    use crate::voxel::MaterialTable;

    #[test]
    fn fractions_in_wet_ground_keep_the_level_of_its_water() {
        let table = MaterialTable::builtin_smooth();
        let palette = TerrainPalette::new(&table, Some(Fractions::new(Fractions::BITS)));
        let [sand, stone] = ["sand", "stone"].map(|name| table.find(name).unwrap());
        let thin = Voxel::new(sand, 40).with_liquid(183);
        let mut overlay = FeatureOverlay::new(ChunkPos::default());
        let placed = [(1, 150), (2, 230), (3, 20), (5, 255)];
        for (x, occupancy) in placed {
            let voxel = Voxel::new(stone, occupancy);
            overlay.put_voxel(IVec3::new(x, 0, 0), PlacementRule::Anything, voxel);
        }
        overlay.put_voxel(IVec3::new(4, 0, 0), PlacementRule::Rock, Voxel::full(stone));
        let mut writer = overlay.into_writer(&palette);
        writer.push(7, thin);
        let chunk = writer.finish();
        let expected = [
            thin,
            Voxel::new(stone, 150).with_liquid(73),
            Voxel::new(stone, 230),
            thin,
            thin,
            Voxel::full(stone),
            thin,
        ];
        assert_eq!(std::array::from_fn(|x| chunk.get(x)), expected);
    }
}
