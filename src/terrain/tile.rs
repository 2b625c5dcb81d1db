//! Tiles: what is known of 32x32 columns before any voxel is written, and the store that keeps them.
//!
//! All chunks above one another share a tile, and a chunk asks its eight neighbours' tiles for trees that
//! lean over the border. A tile depends on nothing but the seed and its place, so the store may forget any
//! tile at any moment, and two threads that make the same one waste time but never disagree.

use super::features::Feature;
use super::land::Biome;
use crate::voxel::Voxel;
use std::sync::{Arc, Mutex, PoisonError};

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

/// Tiles kept along each axis: more than a view of 13 chunks in each direction needs.
const KEPT: i32 = 32;

/// The tiles made lately: each place has one slot, which it shares with places 32 tiles away.
pub(super) struct TileStore {
    slots: Vec<Mutex<Option<Kept>>>,
}

type Kept = ([i32; 2], Arc<Tile>);

impl TileStore {
    pub(super) fn new() -> TileStore {
        TileStore { slots: (0..KEPT * KEPT).map(|_| Mutex::new(None)).collect() }
    }

    /// The tile at `at`, made by `make` if it is not kept.
    pub(super) fn get(&self, at: [i32; 2], make: impl FnOnce() -> Tile) -> Arc<Tile> {
        let slot = &self.slots[(at[0].rem_euclid(KEPT) + at[1].rem_euclid(KEPT) * KEPT) as usize];
        // A slot is always whole, also if a thread died holding it: it is only ever replaced.
        let kept = slot.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((place, tile)) = kept
            && place == at
        {
            return tile;
        }
        // Made outside the lock, so that nobody waits for a tile he does not want.
        let tile = Arc::new(make());
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some((at, tile.clone()));
        tile
    }
}
