//! The chunks that creatures know: the loaded and lit chunks around the player.

use super::thread::ChunkNews;
use crate::game::drawing::lighting::ChunkLights;
use glam::IVec3;
use rustc_hash::{FxHashMap, FxHashSet};
use stonerun_engine::voxel::{Box3, ChunkPos};
use stonerun_engine::world::World;

/// Number of known chunks on each side of the player's chunk, along x and z.
const REACH: i32 = 6;
/// Number of known layers of chunks above and below the player's.
const LAYERS: i32 = 3;
/// Maximum number of chunks that become known in a tick.
const MAX_NEW_PER_TICK: usize = 48;

/// The chunks that creatures know, and their changes since the last tick.
#[derive(Default)]
pub struct KnownChunks {
    known: FxHashSet<ChunkPos>,
    centre: Option<ChunkPos>,
    /// True if chunks may have to be added or removed.
    is_stale: bool,
    edited: FxHashSet<ChunkPos>,
    /// Boxes around the edited voxels of each chunk.
    areas: FxHashMap<ChunkPos, Box3>,
    lit: FxHashSet<ChunkPos>,
}

impl KnownChunks {
    /// Number of known chunks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Records that a chunk was loaded, unloaded, or lit for the first time, so that it may become
    /// known or unknown.
    pub fn came_or_went(&mut self, pos: ChunkPos) {
        self.is_stale |= self.centre.is_none_or(|centre| is_near(pos, centre));
    }

    /// Records edited voxels.
    pub fn edited(&mut self, pos: ChunkPos, area: Box3) {
        if self.known.contains(&pos) {
            self.edited.insert(pos);
            let all = self.areas.entry(pos).or_insert(area);
            *all = Box3 { min: all.min.min(area.min), max: all.max.max(area.max) };
        }
    }

    /// Forgets the areas of edits. Used while creatures are switched off and cannot notice edits.
    pub fn forget_areas(&mut self) {
        self.areas.clear();
    }

    /// Records new light.
    pub fn lit(&mut self, pos: ChunkPos) {
        if self.known.contains(&pos) {
            self.lit.insert(pos);
        }
    }

    /// Returns the changes since the last call. `centre` is the chunk of the player.
    pub fn take_news(
        &mut self,
        centre: ChunkPos,
        world: &World,
        lights: &ChunkLights,
    ) -> ChunkNews {
        let mut news = ChunkNews::default();
        self.is_stale |= self.centre.replace(centre) != Some(centre);
        if std::mem::take(&mut self.is_stale) {
            let is_gone = |pos: &ChunkPos| !is_near(*pos, centre) || !world.is_loaded(*pos);
            news.removed = self.known.iter().copied().filter(is_gone).collect();
            self.known.retain(|pos| !is_gone(pos));
            let is_new = |pos: &ChunkPos| {
                !self.known.contains(pos) && lights.is_lit(*pos) && world.is_loaded(*pos)
            };
            let mut new: Vec<ChunkPos> = around(centre).filter(is_new).collect();
            new.sort_by_key(|pos| (pos.as_ivec3() - centre.as_ivec3()).length_squared());
            self.is_stale = new.len() > MAX_NEW_PER_TICK;
            new.truncate(MAX_NEW_PER_TICK);
            self.known.extend(&new);
            self.edited.extend(&new);
            self.lit.extend(&new);
            news.new = new;
        }
        let known = &self.known;
        let chunks = self.edited.drain().filter(|pos| known.contains(pos));
        news.changed = chunks.filter_map(|pos| Some((pos, world.chunk(pos)?.clone()))).collect();
        let lit = self.lit.drain().filter(|pos| known.contains(pos));
        news.lights = lit.filter_map(|pos| Some((pos, lights.chunk(pos)?.clone()))).collect();
        news.edited = self.areas.drain().map(|(_, area)| area).collect();
        news
    }
}

fn is_near(pos: ChunkPos, centre: ChunkPos) -> bool {
    let away = (pos.as_ivec3() - centre.as_ivec3()).abs();
    away.x <= REACH && away.z <= REACH && away.y <= LAYERS
}

fn around(centre: ChunkPos) -> impl Iterator<Item = ChunkPos> {
    let side = -REACH..=REACH;
    let layers = -LAYERS..=LAYERS;
    layers.flat_map(move |y| {
        let side = side.clone();
        side.clone()
            .flat_map(move |z| side.clone().map(move |x| centre.offset(IVec3::new(x, y, z))))
    })
}
