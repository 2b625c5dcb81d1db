//! Options of an import.

use super::anvil::Dimension;
use super::heightmap::HeightmapOptions;

/// Options of an import. Options for other kinds of sources have no effect.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ImportOptions {
    /// Options by which the heights of a heightmap become blocks.
    pub heightmap: HeightmapOptions,
    /// Dimension of a Minecraft world's folder. With `None` the overworld, or the regions in the
    /// folder itself.
    pub dimension: Option<Dimension>,
}

impl From<HeightmapOptions> for ImportOptions {
    fn from(heightmap: HeightmapOptions) -> ImportOptions {
        ImportOptions { heightmap, dimension: None }
    }
}
