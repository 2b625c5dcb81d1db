//! Properties of the open map, apart from its voxels.

use super::growing_materials::GrowingMaterials;
use crate::game::state::settings::Settings;
use bevy::prelude::{Res, Resource};
use std::sync::Arc;
use stonerun_engine::body::target_box::TargetBoxes;
use stonerun_engine::mesh::{FaceMaterials, TextureStrip};
use stonerun_engine::save::{Header, MapReader, Places, SavedRules};
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::visibility::OccluderMaterials;
use stonerun_engine::voxel::MaterialTable;

/// The open map. Exists while a map is open.
#[derive(Resource)]
pub struct OpenMap {
    /// Name of the map: its file's name without the extension.
    pub name: String,
    /// Seed, spawn point, player and time of day, which are saved with the chunks.
    pub header: Header,
    /// The named places. Callers that change them must also call
    /// [`SaveQueue::set_places`](super::SaveQueue::set_places).
    pub places: Places,
    /// The map's own rules, and the number of the next step, both as of when the map was opened.
    /// Changes go to [`SaveQueue`](super::SaveQueue).
    pub rules: SavedRules,
    /// Encoded creatures as of when the map was opened; `None` for a map without creatures.
    pub creatures: Option<Vec<u8>>,
    /// The map's materials.
    pub materials: Arc<MaterialTable>,
    /// The same table, with the materials that were added in this frame.
    pub growing: GrowingMaterials,
    /// Textures, tint and light of each material's faces.
    pub face_materials: Arc<FaceMaterials>,
    /// Materials that hide what is behind them.
    pub occluders: Arc<OccluderMaterials>,
    /// Boxes in which plants and torches can be targeted.
    pub target_boxes: Arc<TargetBoxes>,
    /// Generates chunks that the map does not hold.
    pub generator: Arc<Generator>,
    /// Kind of terrain that the generator makes.
    pub terrain: TerrainKind,
    /// Reads chunks that the map holds.
    pub reader: MapReader,
    /// Reason why the map is read-only; `None` if it can be changed.
    pub read_only: Option<ReadOnlyReason>,
    /// Maximum view distance in chunks, whatever the player's setting; `None` for no limit.
    pub view_limit: Option<i32>,
}

impl OpenMap {
    /// View distance in chunks.
    #[must_use]
    pub fn view_distance(&self, settings: &Settings) -> i32 {
        settings.view_distance.min(self.view_limit.unwrap_or(i32::MAX))
    }

    /// Replaces the material table with one that begins with the same materials, apart from their
    /// surfaces. The next save writes it. Call it through `map_materials::grow` or
    /// `surfaces::apply`: they also update everything else that depends on the materials.
    pub fn set_materials(&mut self, materials: MaterialTable) {
        self.target_boxes = Arc::new(target_boxes(&materials));
        self.face_materials = Arc::new(FaceMaterials::new(&materials));
        self.occluders = Arc::new(OccluderMaterials::new(&materials));
        self.growing.renew(&materials);
        self.materials = Arc::new(materials);
    }
}

/// Boxes in which plants and torches can be targeted. The boxes of plants are as wide and high as
/// the opaque part of their textures.
pub(super) fn target_boxes(materials: &MaterialTable) -> TargetBoxes {
    match TextureStrip::embedded() {
        Ok(textures) => TargetBoxes::new(materials, |name| textures.extent(name)),
        // Without textures, plants and torches fill their voxels.
        Err(_) => TargetBoxes::default(),
    }
}

/// Reason why a map is read-only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadOnlyReason {
    /// Another program has the map open.
    InUse,
    /// The map's file or folder is write-protected.
    Protected,
}

impl ReadOnlyReason {
    /// The reason, as text that follows the map's name.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            ReadOnlyReason::InUse => "is open in another program",
            ReadOnlyReason::Protected => "is write-protected",
        }
    }
}

/// Run condition: the open map is read-only.
#[must_use]
pub fn is_read_only(map: Option<Res<OpenMap>>) -> bool {
    map.is_some_and(|map| map.read_only.is_some())
}
