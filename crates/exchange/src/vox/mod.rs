//! MagicaVoxel's `.vox` files: import and export.
//!
//! `dot_vox` parses the parts. This module gives them their meaning together: which model stands
//! where (`scene_graph`), which colour is which material (`palette`) and, before parsing, whether
//! `dot_vox` will read the structure of the file completely (`layout`). Voxels are read from the
//! file model by model (`model_reader`), so memory does not grow with the file.
//!
//! MagicaVoxel's z points up and its y away from the viewer at the front; Stonerun's y points up
//! and its z (south) towards the viewer. (x, y, z) -> (x, z, -y) is a rotation about x, so nothing
//! is mirrored: text that reads from left to right in MagicaVoxel's front view does so in a map,
//! seen from the south.

mod chunk_writer;
mod export_palette;
mod layout;
mod limits;
mod model_reader;
mod palette;
mod read;
mod scene_graph;
mod transform;
mod write;

pub(super) use read::import;
pub(super) use write::write;

#[cfg(test)]
mod tests;
