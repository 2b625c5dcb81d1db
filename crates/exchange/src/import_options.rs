//! Choices of an import.

use super::anvil::Dimension;
use super::heightmap::HeightmapOptions;

/// Choices of an import. Those for another kind of source have no effect.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ImportOptions {
    /// Heightmaps: how heights become blocks.
    pub heightmap: HeightmapOptions,
    /// Folders of Minecraft worlds: the dimension. With `None` the overworld, or the regions in the
    /// folder itself.
    pub dimension: Option<Dimension>,
}

impl From<HeightmapOptions> for ImportOptions {
    fn from(heightmap: HeightmapOptions) -> ImportOptions {
        ImportOptions { heightmap, dimension: None }
    }
}
