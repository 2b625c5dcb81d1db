//! The open map, split by use:
//!
//! - [`open_map`]: the map's name, materials, generator, reader. [`OpenMap`] exists while a map is
//!   open.
//! - [`growing_materials`]: its materials with those that were added in this frame.
//! - [`opening`]: opens a map's file.
//! - [`edits`]: the loaded world, for reading. [`editor`]: the only way to change a voxel.
//! - [`save_queue`]: unsaved changes, and the background writer.
//! - [`surfaces`]: changes of the surfaces of materials.
//! - [`work_counters`]: voxel operations of the game's tasks.

pub mod editor;
pub mod edits;
pub mod growing_materials;
pub mod open_map;
pub mod opening;
pub mod save_queue;
pub mod surfaces;
pub mod work_counters;

pub use editor::Editor;
pub use edits::Edits;
pub use open_map::{OpenMap, ReadOnlyReason, is_read_only};
pub use save_queue::SaveQueue;
pub use work_counters::WorkCounters;
