//! Parsing of patterns and masks for callers outside of the console.

use super::{Context, Seeds, mask, pattern};
use crate::edit::console::error::CommandError;
use crate::edit::console::state::Console;
use crate::edit::{Mask, Pattern};
use crate::voxel::MaterialTable;

/// Parses a pattern as typed in commands: `stone`, `50%stone,50%dirt`. Patterns that refer to the
/// clipboard need a `console`. Random patterns draw from `seeds`.
///
/// # Errors
/// Fails if the text is not a pattern.
pub fn parse_pattern(
    text: &str,
    materials: &MaterialTable,
    console: Option<&Console>,
    seeds: &Seeds,
) -> Result<Pattern, CommandError> {
    pattern(text, &Context { materials, console, seeds })
}

/// Parses a mask as typed in commands: `stone,dirt`, `>grass !air`. Masks that refer to the
/// selection need a `console`. Random masks draw from `seeds`.
///
/// # Errors
/// Fails if the text is not a mask.
pub fn parse_mask(
    text: &str,
    materials: &MaterialTable,
    console: Option<&Console>,
    seeds: &Seeds,
) -> Result<Mask, CommandError> {
    mask(text, &Context { materials, console, seeds })
}
