//! Tiles: 32x32 columns before any voxel is written, and their cache.
//!
//! All chunks of a vertical stack share a tile, and a chunk reads the tiles of its eight neighbours
//! for trees that cross the border. A tile depends only on the seed and its position, so the cache
//! may drop any tile at any time, and two threads that generate the same tile get equal results.

use super::features::Feature;
use super::terrain_column::{TerrainColumn, column_index};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// 32x32 columns and the features rooted in them.
pub(super) struct TerrainTile {
    /// x fastest, then z.
    pub(super) columns: Vec<TerrainColumn>,
    /// Trees and boulders, by column order.
    pub(super) features: Vec<Feature>,
    /// Height from which upwards there is only air, features aside.
    pub(super) ceiling: i32,
    /// Height from which upwards no column has ground.
    pub(super) highest_ground: i32,
}

impl TerrainTile {
    pub(super) fn new(columns: Vec<TerrainColumn>, features: Vec<Feature>) -> TerrainTile {
        let highest_ground = columns.iter().map(|c| c.free).max().unwrap_or(0);
        let ceiling = columns.iter().map(|c| c.fluid_top.max(c.free + 1)).max().unwrap_or(0);
        TerrainTile { columns, features, ceiling, highest_ground }
    }

    /// The column at `x`, `z`, each 0..32.
    pub(super) fn column(&self, x: i32, z: i32) -> &TerrainColumn {
        &self.columns[column_index(x, z)]
    }
}

/// A cache of recent tiles: a square of slots that wraps around in x and z. The view distance fixes
/// its size, so memory does not grow with the distance walked.
pub(super) struct TileCache {
    slots: RwLock<Vec<Mutex<Option<CachedTile>>>>,
    side: AtomicI32,
}

/// Position in chunks, and the tile.
type CachedTile = ([i32; 2], Arc<TerrainTile>);

impl TileCache {
    pub(super) fn new() -> TileCache {
        let store = TileCache { slots: RwLock::default(), side: AtomicI32::new(0) };
        store.set_view_distance(13);
        store
    }

    /// Sizes the cache for a view of `chunks` chunks in each direction. A new size clears it.
    pub(super) fn set_view_distance(&self, chunks: i32) {
        // Three more on each side: for faces at the edge of the view, for trees that cross it, and
        // one in reserve.
        let side = 2 * (chunks.clamp(0, 100) + 3) + 1;
        if self.side.load(Ordering::Relaxed) != side {
            let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
            *slots = (0..side * side).map(|_| Mutex::new(None)).collect();
            self.side.store(side, Ordering::Relaxed);
        }
    }

    /// The tile at `at`, made by `make` if it is not cached.
    pub(super) fn get(&self, at: [i32; 2], make: impl FnOnce() -> TerrainTile) -> Arc<TerrainTile> {
        // A slot is only ever replaced as a whole, so it is valid even if a thread panicked holding
        // it.
        let with_slot = |change: &mut dyn FnMut(&mut Option<CachedTile>)| {
            let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
            let side = self.side.load(Ordering::Relaxed);
            let slot = &slots[(at[0].rem_euclid(side) + at[1].rem_euclid(side) * side) as usize];
            change(&mut slot.lock().unwrap_or_else(PoisonError::into_inner));
        };
        let mut cached = None;
        with_slot(&mut |slot| cached = slot.clone());
        if let Some((pos, tile)) = cached
            && pos == at
        {
            return tile;
        }
        // Generated outside the lock, so other threads can use the slot meanwhile.
        let tile = Arc::new(make());
        with_slot(&mut |slot| *slot = Some((at, tile.clone())));
        tile
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requests tiles like streaming: nearest chunk first, the nine tiles around each.
    #[test]
    fn each_tile_of_a_view_is_generated_once() {
        for view in [3, 8, 13, 14, 24] {
            let store = TileCache::new();
            store.set_view_distance(view);
            let mut around: Vec<[i32; 2]> = (-view - 1..=view + 1)
                .flat_map(|z| (-view - 1..=view + 1).map(move |x| [x, z]))
                .collect();
            around.retain(|[x, z]| x * x + z * z <= (view + 1) * (view + 1));
            around.sort_by_key(|[x, z]| x * x + z * z);
            let mut made = 0;
            let mut wanted = std::collections::BTreeSet::new();
            for [x, z] in around {
                for at in (-1..=1).flat_map(|dz| (-1..=1).map(move |dx| [x + dx, z + dz])) {
                    wanted.insert(at);
                    store.get(at, || {
                        made += 1;
                        TerrainTile {
                            columns: Vec::new(),
                            features: Vec::new(),
                            ceiling: 0,
                            highest_ground: 0,
                        }
                    });
                }
            }
            assert_eq!(made, wanted.len(), "view {view}");
        }
    }
}
