//! Reads a heightmap file, chosen by its extension, and builds its terrain.

use super::grid::HeightGrid;
use super::options::HeightmapOptions;
use super::terrain::Terrain;
use super::{geotiff, hgt, png, raw, sidecars};
use crate::bounded_read::read_whole;
use crate::{FormatError, ImportError, ImportSummary, ImportTarget, Progress, report};
use std::path::Path;

/// Largest file, in bytes: 16384 x 16384 heights of 16 bits.
const MAX_BYTES: u64 = 512 << 20;

/// Reads the heights in a file's bytes.
pub(super) type HeightReader = fn(&[u8]) -> Result<HeightGrid, FormatError>;

/// Extension (lower case), reader.
pub(super) const READERS: &[(&str, HeightReader)] =
    &[("png", png::read), ("r16", raw::read), ("hgt", hgt::read), ("tif", geotiff::read), ("tiff", geotiff::read)];

fn reader(path: &Path) -> Option<HeightReader> {
    let extension = path.extension()?.to_str()?.to_lowercase();
    READERS.iter().find(|(known, _)| *known == extension).map(|(_, reader)| *reader)
}

/// True if the extension of `path` is that of a heightmap and `path` is not a folder.
#[must_use]
pub fn is_heightmap(path: &Path) -> bool {
    reader(path).is_some() && !path.is_dir()
}

/// Imports a heightmap with the default [`HeightmapOptions`].
///
/// # Errors
/// The errors of [`import_with`].
pub(crate) fn import(path: &Path, target: ImportTarget, progress: &mut Progress) -> Result<ImportSummary, ImportError> {
    import_with(path, HeightmapOptions::default(), target, progress)
}

/// Imports a heightmap; its extension decides the format.
///
/// # Errors
/// The extension is unknown, the file cannot be read, is malformed or too large, or has no heights,
/// the terrain would be too high, or `progress` cancels.
pub(crate) fn import_with(
    path: &Path,
    options: HeightmapOptions,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, ImportError> {
    let Some(reader) = reader(path) else {
        let known = READERS.iter().map(|(extension, _)| format!(".{extension}")).collect::<Vec<_>>().join(", ");
        return Err(ImportError::UnknownFormat { file: path.to_owned(), known });
    };
    let bytes = read_whole(path, MAX_BYTES)?;
    let built = reader(&bytes).and_then(|grid| {
        drop(bytes);
        build(grid, options, target, progress)
    });
    let mut imported = built.map_err(|error| error.in_file(path))?;
    imported.warnings.extend(sidecars::warnings(path));
    for warning in &mut imported.warnings {
        *warning = format!("{}: {warning}", path.display());
    }
    Ok(imported)
}

/// Builds the terrain of a grid after filling the cells without a height.
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
