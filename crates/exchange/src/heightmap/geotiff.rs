//! Reads GeoTIFF, and TIFF without geographic tags: one value per cell, integer or floating point,
//! an index into a palette, or a grey stored as red, green and blue. BigTIFF is read too.
//!
//! The `tiff` crate decodes; `tiff_directory` checks the file beforehand. A cell has no height if
//! it holds GDAL's value for "no data" (tag 42113), is masked, is transparent, or lies in a strip
//! or tile that is left out. GDAL's scale and offset (42112) and the unit of heights apply to all
//! other cells. `georeference` decides which way the terrain lies.
//!
//! ZSTD is refused: the crate's feature needs `zstd` 0.13 while the laboratory needs 0.14, and a
//! rare compression does not justify two versions of one library.

use super::gdal_metadata::{self, GdalMetadata};
use super::georeference::Georeference;
use super::grey::GreyCheck;
use super::grid::{HeightGrid, cell_count};
use super::tiff_cells::{MAX_SAMPLES, read_cells};
use super::tiff_directory::TiffDirectory;
use super::tiff_file::TiffFile;
use super::turn::Turn;
use super::{tiff_pictures, undeclared_voids};
use crate::FormatError;
use crate::bounded_read::short_reason;

/// Reads the heights of a TIFF file.
pub(crate) fn read(bytes: &[u8]) -> Result<HeightGrid, FormatError> {
    let file = TiffFile::open(bytes)?;
    let pictures = tiff_pictures::choose(&file)?;
    let directory = &pictures.heights;
    let mut warnings = pictures.warnings;
    let cells = cell_count(directory.width, directory.depth, bytes.len())?;
    directory.check_values(&file)?;
    let text = |tag: u64| directory.find(tag).and_then(|entry| entry.text(&file));
    let metadata =
        text(42112).map_or(Ok(GdalMetadata::default()), |text| gdal_metadata::parse(&text))?;
    let georeference = Georeference::read(&file, directory, metadata.unit.as_deref());
    warnings.extend(georeference.warnings);
    let no_data = text(42113).and_then(|text| {
        let number = text.trim().parse::<f32>().ok();
        if number.is_none() {
            warnings.push(format!(
                "its value for \"no data\", \"{}\", is no number",
                short_reason(text)
            ));
        }
        number
    });
    if directory.is_white_zero() {
        let how = if directory.is_signed() { "not inverted" } else { "inverted" };
        warnings.push(format!("white is 0 in it (tag 262): its heights are {how}"));
    }
    let mut heights = read_values(&file, directory, georeference.turn, no_data, &mut warnings)?;
    if let Some(mask) = &pictures.mask {
        apply_mask(&file, mask, georeference.turn, &mut heights)?;
    }
    let may_have_voids = directory.is_signed() && !directory.has_palette();
    let undeclared = if may_have_voids { undeclared_voids::remove(&mut heights) } else { vec![] };
    let metres = georeference.metres_per_unit;
    if (metadata.scale, metadata.offset, metres) != (1.0, 0.0, 1.0) {
        for height in &mut heights {
            *height = ((f64::from(*height) * metadata.scale + metadata.offset) * metres) as f32;
        }
    }
    let [width, depth] =
        georeference.turn.size([directory.width as usize, directory.depth as usize]);
    debug_assert_eq!(width * depth, cells);
    Ok(HeightGrid {
        width,
        depth,
        heights,
        cell_metres: georeference.cell_metres,
        has_sea_level: directory.is_signed() || metadata.offset < 0.0 || metadata.scale < 0.0,
        undeclared,
        warnings,
    })
}

/// The values of a picture in the order of the terrain, before scale and offset; NaN where a cell
/// has none.
fn read_values(
    file: &TiffFile,
    directory: &TiffDirectory,
    turn: Turn,
    no_data: Option<f32>,
    warnings: &mut Vec<String>,
) -> Result<Vec<f32>, FormatError> {
    let size = [directory.width as usize, directory.depth as usize];
    let mut heights = vec![f32::NAN; size[0] * size[1]];
    let palette = directory.has_palette().then(|| directory.palette(file)).transpose()?;
    // The value with all bits set. It is known to mean opaque only if values are unsigned.
    let highest = (2f64.powi(directory.bits as i32) - 1.0) as f32;
    let mut check = GreyCheck::new(if directory.is_signed() { 0.0 } else { highest });
    let colours = if directory.has_colours() { 3 } else { 1 };
    read_cells(file, directory, 4 * heights.len() as u64, |cell| {
        let Some(values) = cell.values else { return Ok(()) };
        let opacity = if directory.has_alpha() { values[colours] } else { highest };
        let value = values[0];
        let mut height = if Some(value) == no_data { f32::NAN } else { value };
        let at = cell.row * size[0] + cell.column;
        if let Some(palette) = &palette {
            if !height.is_nan() {
                // The palette has an entry for every index of this many bits.
                let entry = palette.get(value as usize).copied().unwrap_or_default();
                height = check.grey(at, entry.map(|part| f32::from(part >> 8)), opacity);
            }
        } else if directory.has_colours() {
            let [red, green, blue, _]: [f32; MAX_SAMPLES] = values;
            let grey = check.grey(at, [red, green, blue], opacity);
            height = if height.is_nan() { height } else { grey };
        } else {
            let inverts = directory.is_white_zero() && !directory.is_signed();
            let value = if inverts { highest - height } else { height };
            height = check.grey(at, [value; 3], opacity);
        }
        heights[turn.index(cell.column, cell.row, size)] = height;
        Ok(())
    })?;
    warnings.extend(check.finish(size[0])?);
    Ok(heights)
}

/// Removes the heights of the cells where the mask is 0.
fn apply_mask(
    file: &TiffFile,
    mask: &TiffDirectory,
    turn: Turn,
    heights: &mut [f32],
) -> Result<(), FormatError> {
    mask.check_mask(file)?;
    let size = [mask.width as usize, mask.depth as usize];
    read_cells(file, mask, 4 * heights.len() as u64, |cell| {
        if cell.values.is_none_or(|values| values[0] == 0.0) {
            heights[turn.index(cell.column, cell.row, size)] = f32::NAN;
        }
        Ok(())
    })
    .map_err(|error| error.map_place(|place| format!("mask: {place}")))
}
