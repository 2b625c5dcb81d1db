//! Tiles: what is known of 32x32 columns before any voxel is written, and the store that keeps them.
//!
//! All chunks above one another share a tile, and a chunk asks its eight neighbours' tiles for trees that
//! lean over the border. A tile depends on nothing but the seed and its place, so the store may forget any
//! tile at any moment, and two threads that make the same one waste time but never disagree.

use super::features::Feature;
use super::land::Biome;
use crate::voxel::Voxel;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// What fills the air below [`Column::fluid_top`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fluid {
    None,
    Water,
    FrozenWater,
    Lava,
}

/// One column of ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    /// Height of the lowest voxel over the ground.
    pub(super) top: i32,
    /// No cave reaches this height.
    pub(super) roof: i32,
    /// Height of the lowest voxel over the fluid.
    pub(super) fluid_top: i32,
    pub(super) fluid: Fluid,
    pub(super) biome: Biome,
    /// Rock in bands of colour.
    pub(super) banded: bool,
    /// Caves may break through the ground here: nothing grows.
    pub(super) open: bool,
    /// Voxels of soil: the uppermost is `surface`, the others are `under`; 0 is bare rock.
    pub(super) soil: i32,
    pub(super) surface: Voxel,
    pub(super) under: Voxel,
    /// What stands or lies on the ground: a plant, a layer of snow or sand, or air.
    pub(super) cap: Voxel,
}

/// 32x32 columns and what is rooted in them.
pub(super) struct Tile {
    /// x fastest, then z.
    pub(super) columns: Vec<Column>,
    /// Trees and boulders, by column order.
    pub(super) features: Vec<Feature>,
    /// Above this there is only air (features aside).
    pub(super) ceiling: i32,
    /// At or above this no column has ground.
    pub(super) highest: i32,
}

impl Tile {
    pub(super) fn new(columns: Vec<Column>, features: Vec<Feature>) -> Tile {
        let highest = columns.iter().map(|c| c.top).max().unwrap_or(0);
        let ceiling = columns.iter().map(|c| c.fluid_top.max(c.top + 1)).max().unwrap_or(0);
        Tile { columns, features, ceiling, highest }
    }

    /// The column at `x`, `z`, each 0..32.
    pub(super) fn column(&self, x: i32, z: i32) -> &Column {
        &self.columns[(x | z << 5) as usize]
    }
}

/// The tiles made lately: a square of slots, which each place shares with places a side away. It is as wide as the
/// view needs and no wider, so that what is kept does not grow with the way walked.
pub(super) struct TileStore {
    slots: RwLock<Vec<Mutex<Option<Kept>>>>,
    side: AtomicI32,
}

type Kept = ([i32; 2], Arc<Tile>);

impl TileStore {
    pub(super) fn new() -> TileStore {
        let store = TileStore { slots: RwLock::default(), side: AtomicI32::new(0) };
        store.keep_view(13);
        store
    }

    /// Makes room for all tiles that a view of so many chunks in each direction needs. Forgets all if that changes
    /// anything.
    pub(super) fn keep_view(&self, chunks: i32) {
        // Beside those in view: for the faces at its edge, for the trees that lean over that, and one in reserve.
        let side = 2 * (chunks.clamp(0, 100) + 3) + 1;
        if self.side.load(Ordering::Relaxed) != side {
            let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
            *slots = (0..side * side).map(|_| Mutex::new(None)).collect();
            self.side.store(side, Ordering::Relaxed);
        }
    }

    /// The tile at `at`, made by `make` if it is not kept.
    pub(super) fn get(&self, at: [i32; 2], make: impl FnOnce() -> Tile) -> Arc<Tile> {
        // A slot is always whole, also if a thread died holding it: it is only ever replaced.
        let with_slot = |change: &mut dyn FnMut(&mut Option<Kept>)| {
            let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
            let side = self.side.load(Ordering::Relaxed);
            let slot = &slots[(at[0].rem_euclid(side) + at[1].rem_euclid(side) * side) as usize];
            change(&mut slot.lock().unwrap_or_else(PoisonError::into_inner));
        };
        let mut kept = None;
        with_slot(&mut |slot| kept = slot.clone());
        if let Some((place, tile)) = kept
            && place == at
        {
            return tile;
        }
        // Made outside the lock, so that nobody waits for a tile he does not want.
        let tile = Arc::new(make());
        with_slot(&mut |slot| *slot = Some((at, tile.clone())));
        tile
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As streaming asks: nearest first, each chunk for the nine tiles around it.
    #[test]
    fn no_tile_of_a_view_is_made_twice() {
        for view in [3, 8, 13, 14, 24] {
            let store = TileStore::new();
            store.keep_view(view);
            let mut around: Vec<[i32; 2]> =
                (-view - 1..=view + 1).flat_map(|z| (-view - 1..=view + 1).map(move |x| [x, z])).collect();
            around.retain(|[x, z]| x * x + z * z <= (view + 1) * (view + 1));
            around.sort_by_key(|[x, z]| x * x + z * z);
            let (mut made, mut wanted) = (0, std::collections::BTreeSet::new());
            for [x, z] in around {
                for at in (-1..=1).flat_map(|dz| (-1..=1).map(move |dx| [x + dx, z + dz])) {
                    wanted.insert(at);
                    store.get(at, || {
                        made += 1;
                        Tile { columns: Vec::new(), features: Vec::new(), ceiling: 0, highest: 0 }
                    });
                }
            }
            assert_eq!(made, wanted.len(), "view {view}");
        }
    }
}
