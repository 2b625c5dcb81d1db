//! Context in which the words of a command are read.

use super::Seeds;
use crate::edit::console::state::Console;
use crate::voxel::MaterialTable;

/// Materials, console and seeds that the words of a command refer to.
#[derive(Clone, Copy)]
pub(in crate::edit::console) struct Context<'a> {
    /// The map's materials.
    pub materials: &'a MaterialTable,
    /// The console, or `None` while a command is only checked. Words that refer to the selection or
    /// the clipboard then have an empty value.
    pub console: Option<&'a Console>,
    /// Source of seeds for random patterns and masks.
    pub seeds: &'a Seeds,
}
