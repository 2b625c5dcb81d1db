//! The builder mode (`B`): tools for large edits.
//!
//! - [`aim`]: the ray along which the player points. [`controls`]: buttons, keys and wheel.
//!   [`input`]: input that all tools share. [`ruler`]: measures distances.
//! - [`tools`]: one file per tool. They make edits of
//!   [`VoxelEdit`](stonerun_engine::edit::VoxelEdit) for
//!   [`EditPreview`](crate::game::editing::edit_jobs::EditPreview) and
//!   [`EditJobs`](crate::game::editing::edit_jobs::EditJobs), and never touch the world.
//! - [`selection`]: the selection of the console, with [`handles`] and [`gizmo`], dragged along a
//!   [`ray`]. [`symmetry`]: mirrors and turns that repeat edits.
//! - [`fill`], [`roof`], [`roof_parts`], [`line_path`], [`brush_shape`], [`brush_stroke`],
//!   [`shape_options`], [`shape_stroke`], [`placement`], [`clipboard`]: the edits of the tools.
//!   [`materials`]: patterns and masks as text.
//! - [`sketch`]: boxes, bars and rings drawn in the world. [`options`], `panel`: the options, and
//!   their interface, with [`palette`], [`presets`] and `tool_wheel`.

pub mod aim;
pub mod brush_shape;
pub mod brush_stroke;
pub mod clipboard;
pub mod controls;
pub mod fill;
pub mod gizmo;
pub mod handles;
pub mod input;
pub mod line_path;
pub mod materials;
pub mod options;
pub mod palette;
mod panel;
mod panel_fields;
mod panel_move;
mod panel_shape;
pub mod placement;
mod plugin;
pub mod presets;
pub mod ray;
pub mod roof;
pub mod roof_parts;
pub mod ruler;
pub mod selection;
pub mod shape_options;
pub mod shape_stroke;
pub mod sketch;
pub mod symmetry;
mod tool_wheel;
pub mod tools;

pub use plugin::BuilderPlugin;
