//! Land from heights: grey pictures (`.png`), raw heights (`.r16`), SRTM tiles (`.hgt`) and GeoTIFF (`.tif`).
//!
//! One cell of heights becomes one column of blocks, row 0 to the north. How many metres of height are a block is the one
//! thing to choose ([`Options`]); by default as many whole metres as let the land be at most [`USUAL_HEIGHT`] blocks high, and
//! one where it is lower anyway. So a land of 90 m cells is as wide as it has cells, and higher than it should be: in true proportions
//! Aconcagua would be 74 blocks high.
//!
//! Where heights have a sign and some are 0 or less, those are under the sea: y = 0 is the sea's level, and water
//! fills what is below it. (Deserts below the sea's level drown too; nothing in such a file tells them apart.) Else y = 0 is
//! [`BOTTOM`] blocks below the lowest height. The ground is solid down to [`BOTTOM`] blocks below the lowest height.
//!
//! Cells without a height are filled from those around them, and a warning counts them.

mod columns;
mod geotiff;
mod grid;
mod land;
mod picture;
mod raw;

use super::read::whole;
use super::{Flaw, ImportError, Progress, Summary, Target, report};
use grid::Grid;
use land::Land;
use std::ops::RangeInclusive;
use std::path::Path;

/// The height that a land has at most, if nobody says otherwise, in blocks.
pub const USUAL_HEIGHT: u32 = 384;
/// Blocks of ground under the lowest height.
pub const BOTTOM: i32 = 4;
/// The metres of height that may be a block.
pub const METRES_PER_BLOCK: RangeInclusive<f64> = 0.01..=10_000.0;

/// The most bytes of a file: 16384 x 16384 heights of 16 bits.
const MOST_BYTES: u64 = 512 << 20;

/// How heights become blocks.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Options {
    /// Metres of height that are one block, within [`METRES_PER_BLOCK`]; none for a land of at most [`USUAL_HEIGHT`] blocks.
    pub metres_per_block: Option<f64>,
}

/// The metres of height that one block is to have, as somebody typed them.
///
/// # Errors
/// It is no number within [`METRES_PER_BLOCK`].
pub fn metres_per_block(text: &str) -> Result<f64, String> {
    let range = METRES_PER_BLOCK;
    let metres = text.trim().parse().ok().filter(|metres| range.contains(metres));
    metres.ok_or_else(|| format!("a number of metres from {} to {} is needed", range.start(), range.end()))
}

/// Reads the heights in a file's bytes.
type Reader = fn(&[u8]) -> Result<Grid, Flaw>;

/// Extension (lower case), reader.
const READERS: &[(&str, Reader)] =
    &[("png", picture::read), ("r16", raw::r16), ("hgt", raw::hgt), ("tif", geotiff::read), ("tiff", geotiff::read)];

fn reader(path: &Path) -> Option<Reader> {
    let extension = path.extension()?.to_str()?.to_lowercase();
    READERS.iter().find(|(known, _)| *known == extension).map(|(_, reader)| *reader)
}

/// True if `path` is called as a file of heights is; a folder is none, whatever it is called.
#[must_use]
pub fn is_one(path: &Path) -> bool {
    reader(path).is_some() && !path.is_dir()
}

/// Imports a file of heights, with the default [`Options`].
///
/// # Errors
/// As [`import_with`].
pub(super) fn import(path: &Path, target: Target, progress: &mut Progress) -> Result<Summary, ImportError> {
    import_with(path, Options::default(), target, progress)
}

/// Imports a file of heights; its extension says which format it is.
///
/// # Errors
/// The extension is unknown, the file cannot be read, is malformed or too large, has no heights, the land would be too high,
/// or it was cancelled.
pub(super) fn import_with(
    path: &Path,
    options: Options,
    target: Target,
    progress: &mut Progress,
) -> Result<Summary, ImportError> {
    let Some(reader) = reader(path) else { return Err(ImportError::UnknownFormat { file: path.to_owned() }) };
    let bytes = whole(path, MOST_BYTES)?;
    let made = reader(&bytes).and_then(|grid| {
        drop(bytes);
        land(grid, options, target, progress)
    });
    let mut imported = made.map_err(|flaw| flaw.of(path))?;
    for warning in &mut imported.warnings {
        *warning = format!("{}: {warning}", path.display());
    }
    Ok(imported)
}

fn land(mut grid: Grid, options: Options, target: Target, progress: &mut Progress) -> Result<Summary, Flaw> {
    report(progress, 0.0)?;
    let (cells, filled) = (grid.heights.len(), grid.fill_voids()?);
    let mut imported = Land::new(grid, options)?.import(target, progress)?;
    if filled > 0 {
        imported
            .warnings
            .push(format!("{filled} of {cells} cells have no height; they are filled from those around them"));
    }
    Ok(imported)
}

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod real;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod writer;
