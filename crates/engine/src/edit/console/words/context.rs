//! What the words of a command refer to.

use super::Seeds;
use crate::edit::console::state::Console;
use crate::voxel::MaterialTable;

/// What the words of a command refer to.
#[derive(Clone, Copy)]
pub(in crate::edit::console) struct Context<'a> {
    /// The map's materials.
    pub materials: &'a MaterialTable,
    /// The console. Without one, a command is only checked: words that refer to a selection mean
    /// nothing.
    pub console: Option<&'a Console>,
    /// Seeds of random patterns and masks.
    pub seeds: &'a Seeds,
}
