//! The state of culling: the mode, and the visible set in use.

use crate::game::drawing::chunk_drawing::DrawFilter;
use crate::game::drawing::culling::analysis::UnanalysedChunks;
use bevy::prelude::*;
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Instant;
use stonerun_engine::visibility::{
    CellId, OccluderMaterials, PvsCache, RefineResult, SetSource, ToroidalIndex, bitset,
};
use stonerun_engine::voxel::ChunkPos;
use stonerun_engine::world::view::in_reach;
use strum::VariantArray;

/// The rule that decides which chunks are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, VariantArray)]
pub enum CullingMode {
    /// Draws every chunk that has a mesh.
    Nothing,
    /// Draws chunks within view distance and in the camera's frustum.
    Frustum,
    /// Draws the chunks of `Frustum` that the first-visit graph walk of other voxel games reaches.
    /// May miss visible chunks.
    GraphWalk,
    /// Draws the chunks of `Frustum` in the potentially visible set of the player's cell.
    #[default]
    Pvs,
}

impl CullingMode {
    /// All modes, in the order of their switch.
    pub const ALL: &'static [CullingMode] = CullingMode::VARIANTS;

    /// Name in the panel.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CullingMode::Nothing => "none",
            CullingMode::Frustum => "frustum",
            CullingMode::GraphWalk => "graph walk",
            CullingMode::Pvs => "PVS",
        }
    }
}

/// A set of visible chunks, and the cell that sees them.
#[derive(Clone, Debug)]
pub struct ShownSet {
    /// The slot of each chunk.
    pub index: ToroidalIndex,
    /// Visibility of each chunk, as one bit at its slot.
    pub chunks: Vec<u64>,
    /// The cell.
    pub cell_id: CellId,
    /// View distance, in chunks.
    pub view: i32,
    /// Method that computed the set: swept, baked or refined.
    pub source: SetSource,
}

impl ShownSet {
    /// True if the set holds a chunk.
    #[must_use]
    pub fn holds(&self, pos: ChunkPos) -> bool {
        self.index.slot(pos).is_some_and(|slot| bitset::contains(&self.chunks, slot))
    }
}

/// Error of a switch of the mode while culling is frozen.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("culling is frozen in mode {}; press F5 before switching", mode.name())]
pub struct Frozen {
    /// The mode that stays.
    pub mode: CullingMode,
}

/// The state of culling.
#[derive(Resource)]
pub struct Culling {
    /// The rule that decides which chunks are drawn.
    pub mode: CullingMode,
    /// Sets of the cells around the player; `None` until a map is open.
    pub(super) pvs: Option<PvsCache>,
    /// Visible set in use; `None` inside rock.
    pub(super) shown: Option<ShownSet>,
    /// Mode and revision of the visible set in use.
    pub(super) shown_version: Option<(CullingMode, u64)>,
    /// Mode and revision of the set that was last passed to `ChunkScene`.
    pub(super) filtered: Option<(CullingMode, u64)>,
    /// Chunk of the eyes for the visible set in use.
    pub(super) centre: ChunkPos,
    /// View distance of the visible set in use, in chunks.
    pub(super) view: i32,
    /// True while the visible set stays in use wherever the player goes.
    pub(super) frozen: bool,
    /// True while the drone flies or ground is cut away. The eyes can then see chunks outside the
    /// visible set, so everything in the frustum is drawn.
    pub(super) detached: bool,
    /// Time of the last sweep that only shrinks sets.
    pub(super) tidied: Instant,
    /// Cell whose set was last looked up in the map's baked sets.
    pub(super) looked_up: Option<CellId>,
    /// Channel of finished refinements.
    pub(super) sender: mpsc::Sender<RefineResult>,
    pub(super) receiver: Mutex<mpsc::Receiver<RefineResult>>,
    /// Edited chunks that count as open until they are analysed.
    pub(super) unanalysed: UnanalysedChunks,
    /// Materials with which the occlusion of the chunks was computed.
    pub(super) occluders: Arc<OccluderMaterials>,
    /// Chunks that changed since the map was opened. Baked sets that hold them are not used.
    pub(super) changed: Arc<FxHashSet<ChunkPos>>,
    /// True if a material has begun to hide more or less since the map was opened. The baked sets
    /// that the map holds until the change is saved may then be wrong.
    pub(super) ignores_baked: bool,
}

impl Default for Culling {
    fn default() -> Culling {
        let (sender, receiver) = mpsc::channel();
        Culling {
            mode: CullingMode::default(),
            pvs: None,
            shown: None,
            shown_version: None,
            filtered: None,
            centre: ChunkPos::default(),
            view: 0,
            frozen: false,
            detached: false,
            tidied: Instant::now(),
            looked_up: None,
            sender,
            receiver: Mutex::new(receiver),
            unanalysed: UnanalysedChunks::default(),
            occluders: Arc::default(),
            changed: Arc::default(),
            ignores_baked: false,
        }
    }
}

impl Culling {
    /// The visible set in use; `None` inside rock.
    #[must_use]
    pub fn shown(&self) -> Option<&ShownSet> {
        self.shown.as_ref()
    }

    /// True while the visible set stays in use wherever the player goes.
    #[must_use]
    pub fn is_frozen(&self) -> bool {
        self.frozen
    }

    /// Freezes the visible set, or lets it follow the player again.
    pub fn set_frozen(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    /// The sets of the cells around the player, once a map is open.
    #[must_use]
    pub fn pvs(&self) -> Option<&PvsCache> {
        self.pvs.as_ref()
    }

    /// True if the set of the player's own cell cannot be refined further.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown.source == SetSource::Refined)
    }

    /// Revision of the visible set in use. Different sets have different revisions.
    #[must_use]
    pub fn revision(&self) -> Option<u64> {
        self.shown_version.map(|(_, revision)| revision)
    }

    /// Switches to another mode.
    ///
    /// # Errors
    /// Culling is frozen; the error names the mode that stays.
    pub fn choose(&mut self, mode: CullingMode) -> Result<(), Frozen> {
        if self.frozen {
            return Err(Frozen { mode: self.mode });
        }
        self.mode = mode;
        Ok(())
    }

    /// The filter of drawn chunks.
    pub(super) fn filter(&self) -> DrawFilter {
        let mode = self.mode;
        let centre = self.centre;
        let view = self.view;
        let shown = self.shown.clone();
        if self.detached {
            return DrawFilter {
                draws: Arc::new(|_| true),
                in_view_only: mode != CullingMode::Nothing,
            };
        }
        let draws = move |pos: ChunkPos| {
            // Chunks beyond the view distance stay loaded for a while, but are not drawn.
            let in_view = || in_reach(pos.as_ivec3() - centre.as_ivec3(), view);
            match mode {
                CullingMode::Nothing => true,
                CullingMode::Frustum => in_view(),
                CullingMode::GraphWalk | CullingMode::Pvs => {
                    shown.as_ref().map_or_else(in_view, |shown| shown.holds(pos))
                }
            }
        };
        DrawFilter { draws: Arc::new(draws), in_view_only: mode != CullingMode::Nothing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detached_culling_hides_nothing() {
        let far = ChunkPos::new(900, 0, 0);
        let culling = Culling { view: 4, ..Culling::default() };
        assert!(!(culling.filter().draws)(far));
        let detached = Culling { detached: true, ..culling };
        assert!((detached.filter().draws)(far) && detached.filter().in_view_only);
    }

    #[test]
    fn frozen_culling_refuses_another_mode() {
        let mut culling = Culling { frozen: true, ..Culling::default() };
        let refused = culling.choose(CullingMode::Nothing).unwrap_err().to_string();
        assert!(
            refused.starts_with("culling is frozen in mode PVS")
                && culling.mode == CullingMode::Pvs,
            "{refused}"
        );
        culling.frozen = false;
        assert_eq!(
            (culling.choose(CullingMode::Nothing), culling.mode),
            (Ok(()), CullingMode::Nothing)
        );
    }
}
