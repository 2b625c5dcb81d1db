//! Conversion of heights to blocks: the options of an import and its fixed limits.

use std::ops::RangeInclusive;

/// Default limit for the height of the terrain, in blocks.
pub const DEFAULT_MAX_HEIGHT: u32 = 384;
/// Blocks of ground below the lowest height.
pub const BOTTOM: i32 = 4;
/// Accepted metres of height per block.
pub const METRES_PER_BLOCK: RangeInclusive<f64> = 0.01..=10_000.0;

/// Conversion of heights to blocks.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct HeightmapOptions {
    /// Metres of height per block, within [`METRES_PER_BLOCK`]; `None` keeps the terrain within
    /// [`DEFAULT_MAX_HEIGHT`] blocks.
    pub metres_per_block: Option<f64>,
}

/// The typed text is not a number of metres within [`METRES_PER_BLOCK`].
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("a number of metres from {} to {} is needed", METRES_PER_BLOCK.start(), METRES_PER_BLOCK.end())]
pub struct MetresPerBlockError;

/// Parses metres of height per block.
///
/// # Errors
/// The text is not a number within [`METRES_PER_BLOCK`].
///
/// # Examples
/// ```
/// use stonerun_exchange::heightmap::parse_metres_per_block;
///
/// assert_eq!(parse_metres_per_block(" 2.5 "), Ok(2.5));
/// let error = parse_metres_per_block("0").unwrap_err();
/// assert_eq!(error.to_string(), "a number of metres from 0.01 to 10000 is needed");
/// ```
pub fn parse_metres_per_block(text: &str) -> Result<f64, MetresPerBlockError> {
    let metres = text.trim().parse().ok().filter(|metres| METRES_PER_BLOCK.contains(metres));
    metres.ok_or(MetresPerBlockError)
}
