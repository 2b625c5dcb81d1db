//! The loaded world of the open map.

use bevy::prelude::Resource;
use std::ops::Deref;
use std::time::Duration;
use stonerun_engine::edit::EditableWorld;
use stonerun_engine::voxel::{Box3, ChunkPos, MaterialTable, SurfaceChange};
use stonerun_engine::world::Chunk;

/// Distance that a body falls below the lowest voxel of a void before it is returned to the spawn
/// point, in voxels.
const VOID_DEPTH: f64 = 96.0;

/// The loaded world of the open map and its undo history.
///
/// Systems read it as an [`EditableWorld`]. Only [`Editor`](super::editor::Editor) changes voxels,
/// because every change must be saved, meshed and culled.
#[derive(Resource)]
pub struct Edits {
    pub(super) world: EditableWorld,
    /// Height below which a body has fallen out of the world; `None` for terrain without a lower
    /// end.
    rescue_height: Option<f64>,
    /// Time that the last edit, undo or redo took.
    pub(super) last_took: Option<Duration>,
    /// Changes of surfaces that the history holds and the map's material table lacks, in order.
    pub(super) surfaces: Vec<SurfaceChange>,
}

impl Deref for Edits {
    type Target = EditableWorld;

    fn deref(&self) -> &EditableWorld {
        &self.world
    }
}

impl Edits {
    /// The world of a map without loaded chunks. `lowest` is the height of the lowest voxel of a
    /// void; `None` for terrain without a lower end.
    #[must_use]
    pub fn new(world: EditableWorld, lowest: Option<f64>) -> Edits {
        Edits {
            world,
            rescue_height: lowest.map(|lowest| lowest - VOID_DEPTH),
            last_took: None,
            surfaces: Vec::new(),
        }
    }

    /// Time that the last edit, undo or redo took in its frame, without lighting and meshing.
    #[must_use]
    pub fn last_took(&self) -> Option<Duration> {
        self.last_took
    }

    /// True if the map's material table lacks changes of surfaces. It gets them later in the frame.
    #[must_use]
    pub fn has_surfaces_to_apply(&self) -> bool {
        !self.surfaces.is_empty()
    }

    /// The map's material table with the changes of surfaces that it lacks.
    #[must_use]
    pub(super) fn with_surfaces(&self, materials: &MaterialTable) -> MaterialTable {
        let mut changed = materials.clone();
        for change in &self.surfaces {
            // Cannot fail: the command has checked the change, or the history when it was opened.
            let _ = changed.set_surface(change.material, change.after);
        }
        changed
    }

    /// Loads a chunk, unless it is loaded already. Returns whether it did.
    pub fn load_chunk(&mut self, pos: ChunkPos, chunk: Chunk) -> bool {
        self.world.load_chunk(pos, chunk)
    }

    /// Unloads a chunk. The caller must ensure that its changes are saved.
    pub fn unload_chunk(&mut self, pos: ChunkPos) {
        self.world.unload_chunk(pos);
    }

    /// True if a body at this height has fallen out of the world.
    #[must_use]
    pub fn is_below_everything(&self, height: f64) -> bool {
        self.rescue_height.is_some_and(|rescue_height| height < rescue_height)
    }

    /// Lowers the height of rescue in a void so that it is below the edited `area`.
    pub(super) fn extend_void(&mut self, area: Box3) {
        if let Some(height) = &mut self.rescue_height {
            *height = height.min(f64::from(area.min.y) - VOID_DEPTH);
        }
    }
}
