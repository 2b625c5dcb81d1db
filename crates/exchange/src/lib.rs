//! Import of other programs' files ([`import`], [`import_to_map()`]) and export to them
//! ([`export`], [`export_map()`]).
//!
//! One folder per format, chosen by the file's extension; a folder on disk is a Minecraft world.
//! Every importer makes chunks of a world centred near x = z = 0, and a material table that starts
//! with the built-in materials. It hands over each chunk as soon as the chunk is complete: to a map
//! file, whose size only the disk limits, or to memory. A model stands with its lowest voxel at y =
//! 0; a world keeps its heights. Only chunks with matter are made. Maps of imports have the terrain
//! kind `void`, so all missing chunks are air.
//!
//! Files are untrusted. An importer checks sizes before it allocates, and an error names file,
//! place and reason in one line. If some of many parts are bad, the rest is imported, and each
//! error becomes a warning.
//!
//! Import a heightmap of 16 x 16 cells into memory:
//!
//! ```
//! use stonerun_exchange::{ignore_progress, import};
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("hill.r16");
//! // Raw heights: 16 bits each, little-endian, one metre per step.
//! let heights = (0..256u16).flat_map(|cell| (cell / 16).to_le_bytes());
//! std::fs::write(&file, heights.collect::<Vec<u8>>())?;
//!
//! let imported = import(&file, &mut ignore_progress)?;
//! assert_eq!(imported.bounds.size().to_array(), [16, 19, 16]);
//! assert!(imported.warnings.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

mod anvil;
mod bounded_read;
mod chunk_store;
mod classic;
mod error;
pub mod export;
mod export_map;
mod format_reader;
pub mod heightmap;
mod import;
mod import_formats;
mod import_options;
mod import_to_map;
mod losses;
mod luanti;
mod meshes;
mod minecraft;
mod packed_stream;
mod progress;
mod scene;
pub mod schematic;
mod spawn_point;
mod unread_parts;
mod vox;
mod voxel_box;
mod voxel_collector;

pub use anvil::{Dimension, DimensionError, dimensions_in};
pub use chunk_store::Imported;
pub use error::ImportError;
pub use export_map::{ExportMapError, ExportSource, export_map};
pub use import::import;
pub use import_formats::{ImportFormat, SourceContent, format_list, formats};
pub use import_options::ImportOptions;
pub use import_to_map::{ImportToMapError, ImportedMap, import_to_map};
pub use losses::ImportLosses;
pub use progress::{Progress, ignore_progress};

// Shared by the importers.
pub(crate) use chunk_store::{ImportSummary, ImportTarget};
pub(crate) use error::FormatError;
pub(crate) use progress::report;

#[cfg(test)]
mod tests;
