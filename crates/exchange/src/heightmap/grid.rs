//! A grid of heights, its limits, and the filling of voids.

use super::undeclared_voids::UndeclaredVoid;
use crate::FormatError;

/// Longest side, in cells.
const MAX_SIDE: u64 = 1 << 16;
/// Bytes per cell while a 16-bit picture is read: the height, and the value from the decoder.
const BYTES_PER_CELL: u64 = 6;
/// Limit of real heights, in metres. Some files store larger values for "no data".
const MAX_HEIGHT: f32 = 1e6;

/// Heights in metres.
#[derive(Clone, Default, Debug)]
pub(crate) struct HeightGrid {
    /// Cells from west to east.
    pub width: usize,
    /// Cells from north to south.
    pub depth: usize,
    /// Rows from north to south, each from west to east; NaN where there is no height.
    pub heights: Vec<f32>,
    /// Width of a cell, if known.
    pub cell_metres: Option<f32>,
    /// True if height 0 is sea level, as in files with signed heights.
    pub has_sea_level: bool,
    /// Values that were taken for "no data" without being declared.
    pub undeclared: Vec<UndeclaredVoid>,
    /// Parts of the file that are not applied, one line each.
    pub warnings: Vec<String>,
}

/// Memory limit for reading a file of `bytes` bytes, so that a small file cannot demand much
/// memory. An SRTM tile of one arc-second may be compressed to 700 kB.
pub(super) fn memory_budget(bytes: usize) -> u64 {
    (64 << 20) + 16 * bytes as u64
}

/// Number of cells of a grid of this size.
///
/// # Errors
/// The grid has no cells, or too many for a file of `bytes` bytes.
pub(super) fn cell_count(width: u64, depth: u64, bytes: usize) -> Result<usize, FormatError> {
    let refuse = |what: String| {
        Err(FormatError::new("size", format!("it is {width} x {depth} cells large; {what}")))
    };
    if width == 0 || depth == 0 {
        return refuse("there are no heights in it".to_owned());
    }
    if width > MAX_SIDE || depth > MAX_SIDE {
        return refuse(format!("at most {MAX_SIDE} per side are imported"));
    }
    let max = memory_budget(bytes) / BYTES_PER_CELL;
    if width * depth > max {
        return refuse(format!("of a file of {bytes} bytes at most {max} cells are read"));
    }
    Ok((width * depth) as usize)
}

impl HeightGrid {
    /// A warning with the number of cells without a height, of which `filled` were filled; `None`
    /// if every cell had a height.
    pub(super) fn void_warning(&self, filled: usize) -> Option<String> {
        let mut warning = format!(
            "{filled} of {} cells have no height; they are filled from those around them",
            self.heights.len()
        );
        for void in &self.undeclared {
            // In f64, which shows digits that f32 would round.
            let value = f64::from(void.value);
            warning += &format!(
                "; {} of them hold {value}, which the file does not declare as \"no data\"",
                void.cells
            );
        }
        (filled > 0).then_some(warning)
    }

    /// Gives each cell without a height the mean of its neighbours' heights, ring by ring from the
    /// edges of a void. Returns the number of filled cells.
    ///
    /// # Errors
    /// No cell has a height.
    pub(super) fn fill_voids(&mut self) -> Result<usize, FormatError> {
        let beyond = self.heights.iter().any(|height| height.abs() > MAX_HEIGHT);
        for height in &mut self.heights {
            if height.abs() > MAX_HEIGHT {
                *height = f32::NAN;
            }
        }
        let missing = self.heights.iter().filter(|height| height.is_nan()).count();
        if missing == self.heights.len() {
            let reason = match self.undeclared.first() {
                _ if beyond => {
                    "no cell has a height: values beyond 1,000,000 metres mean \"no data\""
                        .to_owned()
                }
                Some(void) => {
                    format!("no cell has a height: {} means \"no data\"", f64::from(void.value))
                }
                None => "no cell has a height".to_owned(),
            };
            return Err(FormatError::new("heights", reason));
        }
        let mut ring: Vec<usize> = match missing {
            0 => vec![],
            _ => (0..self.heights.len())
                .filter(|&at| self.heights[at].is_nan() && self.mean_of_neighbours(at).is_some())
                .collect(),
        };
        while !ring.is_empty() {
            // All means of a ring are computed before any is stored, so the order does not matter.
            let means: Vec<_> =
                ring.iter().map(|&at| self.mean_of_neighbours(at).unwrap_or_default()).collect();
            for (&at, mean) in ring.iter().zip(means) {
                self.heights[at] = mean;
            }
            let mut next: Vec<usize> =
                ring.iter().flat_map(|&at| self.neighbours(at)).flatten().collect();
            next.retain(|&at| self.heights[at].is_nan());
            next.sort_unstable();
            next.dedup();
            ring = next;
        }
        Ok(missing)
    }

    /// Mean of the heights of the neighbours; `None` if no neighbour has a height.
    fn mean_of_neighbours(&self, at: usize) -> Option<f32> {
        let known = self
            .neighbours(at)
            .into_iter()
            .flatten()
            .map(|near| self.heights[near])
            .filter(|height| !height.is_nan());
        let (sum, count) = known.fold((0.0, 0), |(sum, count), height| (sum + height, count + 1));
        (count > 0).then(|| sum / count as f32)
    }

    /// Indices of the cells to the north, south, west and east; `None` outside the grid.
    fn neighbours(&self, at: usize) -> [Option<usize>; 4] {
        let x = at % self.width;
        let width = self.width;
        [
            at.checked_sub(width),
            Some(at + width).filter(|&south| south < self.heights.len()),
            (x > 0).then(|| at - 1),
            (x + 1 < width).then(|| at + 1),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(width: usize, heights: &[f32]) -> HeightGrid {
        HeightGrid {
            width,
            depth: heights.len() / width,
            heights: heights.to_vec(),
            ..HeightGrid::default()
        }
    }

    #[test]
    fn voids_are_filled_ring_by_ring() {
        const N: f32 = f32::NAN;
        let mut one = grid(3, &[1.0, 2.0, 3.0, 4.0, N, 6.0, 7.0, 8.0, 9.0]);
        assert_eq!(one.fill_voids().unwrap(), 1);
        assert_eq!(one.heights[4], 5.0);
        // The void is filled from both ends; its middle cell is the third ring.
        let mut row = grid(7, &[10.0, N, N, f32::INFINITY, N, -3.4e38, 40.0]);
        assert_eq!(row.fill_voids().unwrap(), 5);
        assert_eq!(row.heights, [10.0, 10.0, 10.0, 25.0, 40.0, 40.0, 40.0]);
        // The end of a row is not next to the start of the following row.
        let mut west = grid(2, &[1.0, 50.0, N, 3.0]);
        west.fill_voids().unwrap();
        assert_eq!(west.heights[2], 2.0);
        let mut east = grid(2, &[9.0, N, 50.0, 1.0]);
        east.fill_voids().unwrap();
        assert_eq!(east.heights[1], 5.0);
        let mut edge = grid(3, &[1.0, 1.0, N, 9.0, 9.0, 9.0]);
        edge.fill_voids().unwrap();
        assert_eq!(edge.heights[2], 5.0);
        assert_eq!(grid(2, &[1.0, 2.0]).fill_voids(), Ok(0));
        assert_eq!(grid(2, &[N, 2e6]).fill_voids().unwrap_err().place(), "heights");
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert_eq!(cell_count(3300, 3300, 0), Ok(3300 * 3300));
        assert_eq!(cell_count(3601, 3601, 700_000), Ok(3601 * 3601));
        assert_eq!(cell_count(20_000, 10_000, 100_000_000), Ok(200_000_000));
        for (width, depth, bytes) in
            [(0, 5, 9), (5, 0, 9), (65537, 1, 99), (1, u64::MAX, 99), (3602, 3601, 1000)]
        {
            assert_eq!(cell_count(width, depth, bytes).unwrap_err().place(), "size");
        }
    }
}
