//! Patterns and masks as text, for callers outside of the console.

use super::{Context, Seeds, mask, pattern};
use crate::edit::console::error::CommandError;
use crate::edit::console::state::Console;
use crate::edit::{Mask, Pattern};
use crate::voxel::MaterialTable;

/// A pattern as it is typed in commands: `stone`, `50%stone,50%dirt`. `console` is needed for words
/// that refer to the selection. Random patterns draw from `seeds`.
///
/// # Errors
/// The text is no pattern.
pub fn parse_pattern(
    text: &str,
    materials: &MaterialTable,
    console: Option<&Console>,
    seeds: &Seeds,
) -> Result<Pattern, CommandError> {
    pattern(text, &Context { materials, console, seeds })
}

/// A mask as it is typed in commands: `stone,dirt`, `>grass !air`. `console` is needed for words
/// that refer to the selection. Random masks draw from `seeds`.
///
/// # Errors
/// The text is no mask.
pub fn parse_mask(
    text: &str,
    materials: &MaterialTable,
    console: Option<&Console>,
    seeds: &Seeds,
) -> Result<Mask, CommandError> {
    mask(text, &Context { materials, console, seeds })
}
