//! Rotation and mirroring of a grid, from the order of stored cells to rows from north to south,
//! each from west to east.

/// Order of the stored cells.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Turn {
    /// Each stored row runs from north to south, not from west to east.
    pub(super) is_transposed: bool,
    /// The west of the terrain is stored last.
    pub(super) flips_columns: bool,
    /// The north of the terrain is stored last.
    pub(super) flips_rows: bool,
}

impl Turn {
    /// The order for a value of TIFF's and Exif's tag 274; `None` for unknown values.
    pub(super) fn from_orientation(number: u64) -> Option<Turn> {
        let is_transposed = match number {
            1..=4 => false,
            5..=8 => true,
            _ => return None,
        };
        Some(Turn {
            is_transposed,
            flips_columns: matches!(number, 2 | 3 | 6 | 7),
            flips_rows: matches!(number, 3 | 4 | 7 | 8),
        })
    }

    /// Width and depth of the terrain that a picture of this width and depth holds.
    pub(super) fn size(self, [width, depth]: [usize; 2]) -> [usize; 2] {
        if self.is_transposed { [depth, width] } else { [width, depth] }
    }

    /// Index in the terrain of the cell at a stored column and row. `size` is the width and depth
    /// of the stored picture.
    pub(super) fn index(self, column: usize, row: usize, size: [usize; 2]) -> usize {
        let [width, depth] = self.size(size);
        let [x, z] = if self.is_transposed { [row, column] } else { [column, row] };
        let x = if self.flips_columns { width - 1 - x } else { x };
        let z = if self.flips_rows { depth - 1 - z } else { z };
        z * width + x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The letters a to f, stored in two rows of three, in the order of the terrain.
    fn turned(orientation: u64) -> String {
        let turn = Turn::from_orientation(orientation).unwrap();
        let mut all = [' '; 6];
        for (place, letter) in "abcdef".chars().enumerate() {
            all[turn.index(place % 3, place / 3, [3, 2])] = letter;
        }
        let width = turn.size([3, 2])[0];
        all.chunks(width).map(String::from_iter).collect::<Vec<_>>().join("/")
    }

    #[test]
    fn all_orientations_are_told_apart() {
        let expected = [
            "abc/def", "cba/fed", "fed/cba", "def/abc", "ad/be/cf", "da/eb/fc", "fc/eb/da",
            "cf/be/ad",
        ];
        assert_eq!([1, 2, 3, 4, 5, 6, 7, 8].map(turned), expected);
        assert_eq!((Turn::from_orientation(0), Turn::from_orientation(9)), (None, None));
        assert_eq!(Turn::from_orientation(1), Some(Turn::default()));
    }
}
