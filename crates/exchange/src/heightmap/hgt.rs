//! Reads `.hgt`: tiles of one degree in both directions, 16 bits signed, big-endian, without a
//! header. The number of cells follows from the length.
//!
//! A tile shares its border rows and columns with the next tiles and includes both, so a tile in
//! steps of one arc-second has 3601 rows. Near the poles a tile has fewer columns, farther apart.

use super::grid::{HeightGrid, cell_count};
use super::undeclared_voids;
use crate::FormatError;

/// The format's value for "no data".
const VOID: i16 = i16::MIN;
/// Length of a degree along a meridian, in metres.
const METRES_PER_DEGREE: f32 = 111_320.0;

/// Steps per degree from north to south, for steps of 6, 4, 3, 2, 1, 1/2 and 1/3 arc-second.
const STEPS: [usize; 7] = [600, 900, 1200, 1800, 3600, 7200, 10_800];
/// Ratio of steps per degree from north to south to steps from west to east in tiles near the
/// poles, as numerator and denominator.
const POLAR_RATIOS: [[usize; 2]; 7] = [[3, 2], [2, 1], [3, 1], [4, 1], [5, 1], [6, 1], [10, 1]];

/// Columns and rows of a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TileSize {
    width: usize,
    depth: usize,
}

/// Reads an `.hgt` file.
pub(crate) fn read(bytes: &[u8]) -> Result<HeightGrid, FormatError> {
    let Some(TileSize { width, depth }) = size(bytes.len()) else {
        let reason = format!(
            "{} bytes are no tile of heights of two bytes each; tiles are square, such as 1201 x 1201, 3601 x 3601 \
             or 7201 x 7201, or have fewer columns near the poles, such as 1801 x 3601 or 601 x 1201",
            bytes.len()
        );
        return Err(FormatError::new("size", reason));
    };
    cell_count(width as u64, depth as u64, bytes.len())?;
    let height = |two: &[u8]| match i16::from_be_bytes([two[0], two[1]]) {
        VOID => f32::NAN,
        height => f32::from(height),
    };
    let mut heights: Vec<f32> = bytes.chunks_exact(2).map(height).collect();
    let undeclared = undeclared_voids::remove(&mut heights);
    let is_usual = STEPS.contains(&(depth - 1));
    let warning = format!(
        "{width} x {depth} cells are no usual size of a tile; the width of a cell is unknown"
    );
    Ok(HeightGrid {
        width,
        depth,
        heights,
        cell_metres: is_usual.then(|| METRES_PER_DEGREE / (depth - 1) as f32),
        has_sea_level: true,
        undeclared,
        warnings: if is_usual { vec![] } else { vec![warning] },
    })
}

/// Columns and rows of a tile of this many bytes.
fn size(bytes: usize) -> Option<TileSize> {
    let side = (bytes / 2).isqrt();
    if side > 0 && 2 * side * side == bytes {
        return Some(TileSize { width: side, depth: side });
    }
    polar_sizes().find(|tile| 2 * tile.width * tile.depth == bytes)
}

/// The sizes of tiles near the poles.
fn polar_sizes() -> impl Iterator<Item = TileSize> {
    STEPS.into_iter().flat_map(|steps| {
        let columns =
            POLAR_RATIOS.map(|[numerator, denominator]| steps * denominator / numerator + 1);
        columns.into_iter().map(move |width| TileSize { width, depth: steps + 1 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_follows_from_the_length() {
        for side in [1, 2, 361, 601, 901, 1200, 1201, 1801, 3601, 7201, 10_801] {
            assert_eq!(size(2 * side * side), Some(TileSize { width: side, depth: side }));
        }
        for (width, depth) in
            [(1801, 3601), (2401, 3601), (601, 1201), (801, 1201), (361, 3601), (3601, 7201)]
        {
            assert_eq!(size(2 * width * depth), Some(TileSize { width, depth }));
        }
        // Every size has a different number of cells, so the length of a file decides its size.
        let mut cells: Vec<usize> = polar_sizes().map(|tile| tile.width * tile.depth).collect();
        cells.extend(STEPS.map(|steps| (steps + 1) * (steps + 1)));
        cells.sort_unstable();
        assert!(cells.is_sorted_by(|a, b| a < b), "{cells:?}");
        assert!(polar_sizes().all(|tile| size(2 * tile.width * tile.depth) == Some(tile)));
        for bytes in [0, 1, 3, 10, 2 * 1201 * 1207, 2 * 1201 * 1201 - 2, 2 * 1201 * 1201 + 1] {
            assert_eq!(size(bytes), None, "{bytes}");
        }
    }

    #[test]
    fn tiles_of_other_sizes_are_read() {
        // The height rises to the south and to the east.
        let tile = |width: usize, depth: usize| -> Vec<u8> {
            let cells = (0..depth).flat_map(|z| (0..width).map(move |x| (z / 40 + x / 40) as i16));
            cells.flat_map(i16::to_be_bytes).collect()
        };
        for (width, depth, metres) in [(601, 601, 185.5), (1801, 1801, 61.8), (601, 1201, 92.8)] {
            let grid = read(&tile(width, depth)).unwrap();
            assert_eq!((grid.width, grid.depth, grid.warnings.len()), (width, depth, 0));
            assert_eq!(grid.heights[depth / 2 * width + 99], (depth / 2 / 40 + 99 / 40) as f32);
            assert!((grid.cell_metres.unwrap() - metres).abs() < 0.1, "{:?}", grid.cell_metres);
        }
        let unusual = read(&tile(100, 100)).unwrap();
        assert_eq!((unusual.width, unusual.cell_metres, unusual.warnings.len()), (100, None, 1));
        let error = read(&[0; 2 * 1201 * 7]).unwrap_err();
        assert!(
            error.reason().starts_with("16814 bytes are no tile")
                && error.reason().contains("1801 x 3601"),
            "{error}"
        );
    }

    #[test]
    fn tile_of_half_an_arc_second_is_read() {
        let row: Vec<u8> = (0..7201).flat_map(|x| (x / 40_i16).to_be_bytes()).collect();
        let grid = read(&row.repeat(7201)).unwrap();
        assert_eq!((grid.width, grid.depth), (7201, 7201));
        let last = grid.heights.chunks_exact(7201).next_back().unwrap();
        assert_eq!((last[0], last[7200]), (0.0, 180.0));
    }
}
