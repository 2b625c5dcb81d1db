//! The scene to export: all matter of a world, or of a box in it.
//!
//! Chunks stay run trees, so a map can be exported that would exceed memory as a dense array.
//! Voxels outside the box are absent, so the cut sides of the box are visible.

use rustc_hash::FxHashMap;
use stonerun_engine::voxel::{Box3, ChunkPos, Material, MaterialId, MaterialTable, Voxel};
use stonerun_engine::world::{Chunk, World, matter_bounds, row_ranges};

/// A world to export.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The chunks with matter, without voxels outside the box.
    pub world: World,
    /// Materials of the voxels.
    pub materials: MaterialTable,
    /// Requested box; without a request, the smallest box around all matter.
    pub bounds: Box3,
    /// Smallest box around all matter.
    pub matter: Box3,
    /// Voxels that are not air.
    pub voxels: u64,
    /// Voxels that are not air and not full.
    pub partial: u64,
    /// Voxels by material.
    pub counts: FxHashMap<MaterialId, u64>,
}

/// Builds a [`Scene`] chunk by chunk.
#[derive(Debug, Default)]
pub struct SceneBuilder {
    area: Option<Box3>,
    world: World,
    matter: Option<Box3>,
    partial: u64,
    counts: FxHashMap<MaterialId, u64>,
}

impl Scene {
    /// Positions of all chunks, x fastest, then z, then y.
    #[must_use]
    pub fn positions(&self) -> Vec<ChunkPos> {
        let mut all: Vec<ChunkPos> = self.world.chunks().map(|(pos, _)| pos).collect();
        all.sort_unstable_by_key(|pos| (pos.y, pos.z, pos.x));
        all
    }

    /// The material `id`; a plain white one if the table lacks `id`, as in the game.
    pub(crate) fn material(&self, id: MaterialId) -> Material {
        let unknown = || Material::plain(&format!("unknown_material_{id}"), [255; 3]);
        self.materials.get(id).cloned().unwrap_or_else(unknown)
    }
}

impl SceneBuilder {
    /// Starts a scene of the matter in `area`, or of everything that is added.
    #[must_use]
    pub fn new(area: Option<Box3>) -> SceneBuilder {
        SceneBuilder { area, ..SceneBuilder::default() }
    }

    /// True if the chunk at `pos` intersects the requested box.
    #[must_use]
    pub fn needs(&self, pos: ChunkPos) -> bool {
        self.area.is_none_or(|area| !area.intersection(pos.bounds()).is_empty())
    }

    /// Adds the part of a chunk that lies in the box.
    pub fn add(&mut self, pos: ChunkPos, chunk: Chunk) {
        let Some(chunk) = self.clip(pos, chunk) else { return };
        let Some(own) = matter_bounds(pos, &chunk) else { return };
        self.matter = self
            .matter
            .map(|m| Box3 { min: m.min.min(own.min), max: m.max.max(own.max) })
            .or(Some(own));
        for run in chunk.runs().filter(|run| !run.voxel.is_air()) {
            *self.counts.entry(run.voxel.material()).or_default() += u64::from(run.len);
            self.partial += if run.voxel.is_full() { 0 } else { u64::from(run.len) };
        }
        self.world.insert(pos, chunk);
    }

    fn clip(&self, pos: ChunkPos, chunk: Chunk) -> Option<Chunk> {
        let inside = self.area.unwrap_or(pos.bounds()).intersection(pos.bounds());
        if inside == pos.bounds() || inside.is_empty() {
            return (!inside.is_empty()).then_some(chunk);
        }
        let mut clipped = Chunk::uniform(Voxel::AIR);
        let ranges = row_ranges(inside.min - pos.origin(), inside.max - pos.origin());
        let runs = ranges.flat_map(|range| chunk.runs_in(range));
        clipped.set_ranges(runs.map(|run| (run.start as usize..run.end() as usize, run.voxel)));
        Some(clipped)
    }

    /// The scene; `None` if there is nothing but air.
    #[must_use]
    pub fn finish(self, materials: MaterialTable) -> Option<Scene> {
        let SceneBuilder { area, world, matter, partial, counts } = self;
        let matter = matter?;
        let voxels = counts.values().sum();
        Some(Scene {
            world,
            materials,
            bounds: area.unwrap_or(matter),
            matter,
            voxels,
            partial,
            counts,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec3;
    use stonerun_engine::voxel::linear_offset;

    #[test]
    fn scene_of_a_box_keeps_only_voxels_inside() {
        let at = |p: IVec3| {
            let sum = p.x * 7 + p.y * 3 + p.z * 5;
            let occupancy = if sum % 2 == 0 { 255 } else { 99 };
            let liquid = if p.y % 3 == 0 { 50 } else { 0 };
            Voxel::new((sum.rem_euclid(11) / 4) as u16, occupancy).with_liquid(liquid)
        };
        let chunk = |pos: ChunkPos| {
            Chunk::from_runs((0..32768).map(|i| (1, at(pos.origin() + linear_offset(i)))))
        };
        let area = Box3 { min: IVec3::new(-3, 5, 30), max: IVec3::new(40, 64, 33) };
        let mut builder = SceneBuilder::new(Some(area));
        for pos in (Box3 { min: IVec3::splat(-64), max: IVec3::splat(96) }).chunks() {
            // Chunks outside the box are ignored, whether `needs` was called or not.
            if pos.x % 2 == 0 || builder.needs(pos) {
                builder.add(pos, chunk(pos));
            }
        }
        let scene = builder.finish(MaterialTable::builtin()).unwrap();
        assert_eq!((scene.bounds, scene.world.len()), (area, 3 * 2 * 2));
        let mut voxels = 0;
        let mut partial = 0;
        for pos in scene.positions() {
            for i in 0..32768 {
                let p = pos.origin() + linear_offset(i);
                let expected = if area.contains(p) { at(p) } else { Voxel::AIR };
                assert_eq!(scene.world.get(p), expected, "{p}");
                voxels += u64::from(!expected.is_air());
                partial += u64::from(!expected.is_air() && !expected.is_full());
            }
        }
        assert_eq!((scene.voxels, scene.partial), (voxels, partial));
        assert_eq!(scene.counts.values().sum::<u64>(), voxels);
        assert!(area.intersection(scene.matter) == scene.matter);
    }

    #[test]
    fn scene_without_matter_is_none() {
        let mut builder = SceneBuilder::new(None);
        builder.add(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
        assert!(builder.finish(MaterialTable::builtin()).is_none());
        let mut builder = SceneBuilder::new(Some(Box3 { min: IVec3::ONE, max: IVec3::ONE }));
        assert!(!builder.needs(ChunkPos::default()));
        builder.add(ChunkPos::default(), Chunk::uniform(Voxel::full(1)));
        assert!(builder.finish(MaterialTable::builtin()).is_none());
    }
}
