//! Imports a heightmap: reads its heights, and builds its terrain.

use super::grid::HeightGrid;
use super::options::HeightmapOptions;
use super::sidecars;
use super::terrain::Terrain;
use crate::{FormatError, ImportSummary, ImportTarget, Progress, report};
use std::path::Path;

/// Reads the heights in a file's bytes.
pub(crate) type HeightReader = fn(&[u8]) -> Result<HeightGrid, FormatError>;

/// Imports the bytes of a heightmap. Warnings do not name the file.
///
/// # Errors
/// The file is malformed or has no heights, the terrain would be too high, or `progress` cancels.
pub(crate) fn import_bytes(
    bytes: Vec<u8>,
    read: HeightReader,
    options: HeightmapOptions,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    let grid = read(&bytes)?;
    // The heights take as much memory as the file, so the file is not kept while the terrain is
    // built.
    drop(bytes);
    build(grid, options, target, progress)
}

/// Adds a warning for each file next to a heightmap that would change its heights.
pub(crate) fn warn_of_sidecars(mut summary: ImportSummary, path: &Path) -> ImportSummary {
    summary.warnings.extend(sidecars::warnings(path));
    summary
}

/// Fills the cells of a grid that have no height, and builds the terrain.
pub(super) fn build(
    mut grid: HeightGrid,
    options: HeightmapOptions,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    report(progress, 0.0)?;
    let filled = grid.fill_voids()?;
    let mut warnings = Vec::from_iter(grid.void_warning(filled));
    warnings.append(&mut grid.warnings);
    let mut imported = Terrain::new(grid, options)?.import(target, progress)?;
    imported.warnings.append(&mut warnings);
    Ok(imported)
}
