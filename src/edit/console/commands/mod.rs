//! What commands do, a file per theme.

pub(super) mod clipboard;
pub(super) mod generation;
pub(super) mod history;
pub(super) mod region;
pub(super) mod selection;
pub(super) mod utility;
