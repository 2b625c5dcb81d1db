//! Bars of a cut: rectangles of adjacent cells of one group, such as the cells of one run.

use super::cells::{CELLS, SIDE};

/// Rectangle of cells of one group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellRect {
    /// First column of the rectangle.
    pub left: u8,
    /// One past the last column.
    pub right: u8,
    /// First row of the rectangle.
    pub low: u8,
    /// One past the last row.
    pub high: u8,
    /// Number of the cells' group.
    pub group: u32,
}

impl CellRect {
    /// True if the cell belongs to the rectangle.
    #[must_use]
    pub fn contains(&self, column: i32, row: i32) -> bool {
        let columns = i32::from(self.left)..i32::from(self.right);
        let rows = i32::from(self.low)..i32::from(self.high);
        columns.contains(&column) && rows.contains(&row)
    }
}

/// Merges cells of equal groups into rectangles. Each row is divided into maximal stretches of one
/// group; a stretch is joined with the one below if columns and group are the same. Rectangles that
/// start in lower rows come first.
#[must_use]
pub fn merge(groups: &[u32; CELLS]) -> Vec<CellRect> {
    let mut rects: Vec<CellRect> = Vec::new();
    // Indices of the rectangles that reach the previous row, by column.
    let mut below: Vec<usize> = Vec::new();
    for (row, cells) in groups.chunks_exact(SIDE).enumerate() {
        let mut reached = Vec::new();
        let mut left = 0;
        while left < SIDE {
            let group = cells[left];
            let right = left + cells[left..].iter().take_while(|&&other| other == group).count();
            let continued = below.iter().copied().find(|&number| {
                let rect: &CellRect = &rects[number];
                (usize::from(rect.left), usize::from(rect.right), rect.group)
                    == (left, right, group)
            });
            let number = continued.unwrap_or(rects.len());
            if continued.is_none() {
                // All numbers are at most 32, so they fit into a byte.
                let [left, right, low] = [left, right, row].map(|number| number as u8);
                rects.push(CellRect { left, right, low, high: low, group });
            }
            rects[number].high = row as u8 + 1;
            reached.push(number);
            left = right;
        }
        below = reached;
    }
    rects
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::random::Random;

    #[test]
    fn rectangles_cover_each_cell_once_with_its_group() {
        let mut random = Random::new(9);
        for kinds in [1, 2, 3, 50] {
            let groups: [u32; CELLS] =
                std::array::from_fn(|cell| if cell < 300 { 7 } else { random.below(kinds) });
            let rects = merge(&groups);
            for (cell, group) in groups.into_iter().enumerate() {
                let [column, row] = [cell % SIDE, cell / SIDE].map(|number| number as i32);
                let holding: Vec<&CellRect> =
                    rects.iter().filter(|rect| rect.contains(column, row)).collect();
                assert!(
                    holding.len() == 1 && holding[0].group == group,
                    "{column}, {row}: {holding:?}"
                );
            }
        }
    }

    #[test]
    fn equal_rows_are_one_rectangle() {
        assert_eq!(
            merge(&[3; CELLS]),
            [CellRect { left: 0, right: 32, low: 0, high: 32, group: 3 }]
        );
        let mut groups = [3; CELLS];
        groups[5 * SIDE + 4] = 8;
        assert_eq!(merge(&groups).len(), 5);
    }
}
