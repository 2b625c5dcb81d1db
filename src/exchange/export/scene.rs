//! What is exported: all matter of a world, or that in a box.
//!
//! It is kept as run trees, as the game keeps it, so a map that is much larger than memory would be as a dense array can be
//! exported. What lies outside the box is not there: its cut sides are seen.

use crate::voxel::{Box3, ChunkPos, MaterialId, MaterialTable, Voxel};
use crate::world::{Chunk, World, matter_bounds, row_ranges};
use rustc_hash::FxHashMap;

/// A world to be exported.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The chunks that hold matter, without what is outside the box.
    pub world: World,
    /// What the voxels' materials are.
    pub materials: MaterialTable,
    /// The box that was asked for, else that of all matter.
    pub bounds: Box3,
    /// The smallest box that holds all matter.
    pub matter: Box3,
    /// Voxels that are not air.
    pub voxels: u64,
    /// Of those, the ones that are not filled to the brim.
    pub partial: u64,
    /// Voxels by material.
    pub counts: FxHashMap<MaterialId, u64>,
}

/// A scene that is being put together, chunk by chunk.
#[derive(Debug, Default)]
pub struct Gathering {
    area: Option<Box3>,
    world: World,
    matter: Option<Box3>,
    partial: u64,
    counts: FxHashMap<MaterialId, u64>,
}

impl Scene {
    /// Begins a scene of what lies in `area`, or of all that will be added.
    #[must_use]
    pub fn of(area: Option<Box3>) -> Gathering {
        Gathering { area, ..Gathering::default() }
    }

    /// The positions of all chunks, x fastest, then z, then y.
    #[must_use]
    pub fn positions(&self) -> Vec<ChunkPos> {
        let mut all: Vec<ChunkPos> = self.world.chunks().map(|(pos, _)| pos).collect();
        all.sort_unstable_by_key(|pos| (pos.y, pos.z, pos.x));
        all
    }
}

impl Gathering {
    /// Whether anything of the chunk at `pos` is asked for.
    #[must_use]
    pub fn wants(&self, pos: ChunkPos) -> bool {
        self.area.is_none_or(|area| !area.intersection(pos.bounds()).is_empty())
    }

    /// Adds a chunk, or what of it lies in the box.
    pub fn add(&mut self, pos: ChunkPos, chunk: Chunk) {
        let Some(chunk) = self.inside(pos, chunk) else { return };
        let Some(own) = matter_bounds(pos, &chunk) else { return };
        self.matter = self.matter.map(|m| Box3 { min: m.min.min(own.min), max: m.max.max(own.max) }).or(Some(own));
        for run in chunk.runs().filter(|run| !run.voxel.is_air()) {
            *self.counts.entry(run.voxel.material()).or_default() += u64::from(run.len);
            self.partial += if run.voxel.is_full() { 0 } else { u64::from(run.len) };
        }
        self.world.insert(pos, chunk);
    }

    fn inside(&self, pos: ChunkPos, chunk: Chunk) -> Option<Chunk> {
        let part = self.area.unwrap_or(pos.bounds()).intersection(pos.bounds());
        if part == pos.bounds() || part.is_empty() {
            return (!part.is_empty()).then_some(chunk);
        }
        let mut cut = Chunk::uniform(Voxel::AIR);
        let ranges = row_ranges(part.min - pos.origin(), part.max - pos.origin());
        let runs = ranges.flat_map(|range| chunk.runs_in(range));
        cut.set_ranges(runs.map(|run| (run.start as usize..run.end() as usize, run.voxel)));
        Some(cut)
    }

    /// The scene; none if there is nothing but air.
    #[must_use]
    pub fn finish(self, materials: MaterialTable) -> Option<Scene> {
        let Gathering { area, world, matter, partial, counts } = self;
        let matter = matter?;
        let voxels = counts.values().sum();
        Some(Scene { world, materials, bounds: area.unwrap_or(matter), matter, voxels, partial, counts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::linear_offset;
    use glam::IVec3;

    #[test]
    fn a_box_is_cut_out() {
        let at = |p: IVec3| {
            let sum = p.x * 7 + p.y * 3 + p.z * 5;
            Voxel::new((sum.rem_euclid(11) / 4) as u16, if sum % 2 == 0 { 255 } else { 99 })
        };
        let chunk = |pos: ChunkPos| Chunk::from_runs((0..32768).map(|i| (1, at(pos.origin() + linear_offset(i)))));
        let area = Box3 { min: IVec3::new(-3, 5, 30), max: IVec3::new(40, 64, 33) };
        let mut gathering = Scene::of(Some(area));
        for pos in (Box3 { min: IVec3::splat(-64), max: IVec3::splat(96) }).chunks() {
            // What is outside adds nothing, wanted or not.
            if pos.x % 2 == 0 || gathering.wants(pos) {
                gathering.add(pos, chunk(pos));
            }
        }
        let scene = gathering.finish(MaterialTable::builtin()).unwrap();
        assert_eq!((scene.bounds, scene.world.len()), (area, 3 * 2 * 2));
        let (mut voxels, mut partial) = (0, 0);
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
    fn nothing_is_no_scene() {
        let mut gathering = Scene::of(None);
        gathering.add(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
        assert!(gathering.finish(MaterialTable::builtin()).is_none());
        let mut gathering = Scene::of(Some(Box3 { min: IVec3::ONE, max: IVec3::ONE }));
        assert!(!gathering.wants(ChunkPos::default()));
        gathering.add(ChunkPos::default(), Chunk::uniform(Voxel::full(1)));
        assert!(gathering.finish(MaterialTable::builtin()).is_none());
    }
}
