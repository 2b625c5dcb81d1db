//! Rows of the commands and the functions that run them, one file per theme.

pub(super) mod clipboard;
pub(super) mod connected;
pub(super) mod generation;
pub(super) mod history;
pub(super) mod material_surface;
pub(super) mod measure;
pub(super) mod named;
pub(super) mod nearby;
pub(super) mod path;
pub(super) mod region;
pub(super) mod replace;
pub(super) mod selection;
pub(super) mod shaping;
pub(super) mod surface;
pub(super) mod utility;
