//! The sheets of the contour in a cell.
//!
//! The contour in a cell crosses some of the twelve edges between the corners. The crossings of one sheet form a closed loop over the faces of the cell: on a face with two crossed
//! edges these belong to one sheet. On a face with four (matter at two opposite corners) there are
//! two ways; here matter is always cut apart, so both cells at a face decide alike.

/// Corners of the twelve edges, the lower one first. Corner `x + 2 y + 4 z`; edges 0 to 3 lie
/// along x, 4 to 7 along y, 8 to 11 along z.
pub const EDGES: [[u8; 2]; 12] = [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
    [0, 2],
    [1, 3],
    [4, 6],
    [5, 7],
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
];

/// Corners of the six faces in a circle: low and high x, low and high y, low and high z.
pub const FACES: [[u8; 4]; 6] =
    [[0, 2, 6, 4], [1, 3, 7, 5], [0, 1, 5, 4], [2, 3, 7, 6], [0, 1, 3, 2], [4, 5, 7, 6]];

/// Sheet of an edge that the contour does not cross.
pub const NO_SHEET: u8 = u8::MAX;

/// The sheets of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContourSheets {
    /// Sheet of each edge; [`NO_SHEET`] for edges that are not crossed.
    pub of_edge: [u8; 12],
    /// Number of sheets, 0 to 4.
    pub count: u8,
    /// Bit f: the contour crosses all four edges of face f.
    pub ambiguous: u8,
    /// Bit f: it does, and all four belong to one sheet.
    pub doubled: u8,
}

impl ContourSheets {
    /// The sheets of a cell whose corners `inside` are matter: bit c is corner c.
    #[must_use]
    #[inline]
    pub fn with_corners(inside: u8) -> &'static ContourSheets {
        &TABLE[usize::from(inside)]
    }
}

static TABLE: [ContourSheets; 256] = {
    let mut table = [sheets(0); 256];
    let mut inside = 0;
    while inside < 256 {
        table[inside] = sheets(inside as u8);
        inside += 1;
    }
    table
};

/// Edge between two corners.
const fn edge_of(a: u8, b: u8) -> usize {
    let mut edge = 0;
    while edge < 12 {
        let [from, to] = EDGES[edge];
        if (from == a && to == b) || (from == b && to == a) {
            return edge;
        }
        edge += 1;
    }
    panic!("the corners are no edge")
}

/// Gives the edges of two sheets one number.
const fn join(mut of_edge: [u8; 12], a: usize, b: usize) -> [u8; 12] {
    let [keep, replace] = [of_edge[a], of_edge[b]];
    let mut edge = 0;
    while edge < 12 {
        if of_edge[edge] == replace {
            of_edge[edge] = keep;
        }
        edge += 1;
    }
    of_edge
}

const fn sheets(inside: u8) -> ContourSheets {
    let mut of_edge = [NO_SHEET; 12];
    let mut edge = 0;
    while edge < 12 {
        let [a, b] = EDGES[edge];
        if inside >> a & 1 != inside >> b & 1 {
            of_edge[edge] = edge as u8;
        }
        edge += 1;
    }
    let mut ambiguous = 0;
    let mut face = 0;
    while face < 6 {
        let corners = FACES[face];
        // Edge i leads from corner i of the circle to the next one.
        let mut edges = [0; 4];
        let mut first = NO_SHEET;
        let mut crossed = 0;
        let mut i = 0;
        while i < 4 {
            edges[i] = edge_of(corners[i], corners[(i + 1) % 4]);
            crossed += (of_edge[edges[i]] != NO_SHEET) as u8;
            i += 1;
        }
        i = 0;
        while i < 4 {
            let [before, after] = [edges[(i + 3) % 4], edges[i]];
            if crossed == 4 {
                // The two edges at a corner of matter.
                if inside >> corners[i] & 1 == 1 {
                    of_edge = join(of_edge, before, after);
                }
            } else if of_edge[after] != NO_SHEET {
                if first != NO_SHEET {
                    of_edge = join(of_edge, first as usize, after);
                }
                first = after as u8;
            }
            i += 1;
        }
        ambiguous |= ((crossed == 4) as u8) << face;
        face += 1;
    }
    number(of_edge, ambiguous)
}

/// Numbers the sheets from 0, by their first edges.
const fn number(of_edge: [u8; 12], ambiguous: u8) -> ContourSheets {
    let mut numbered = [NO_SHEET; 12];
    let mut count = 0;
    let mut edge = 0;
    while edge < 12 {
        if of_edge[edge] != NO_SHEET && numbered[edge] == NO_SHEET {
            let mut other = edge;
            while other < 12 {
                if of_edge[other] == of_edge[edge] {
                    numbered[other] = count;
                }
                other += 1;
            }
            count += 1;
        }
        edge += 1;
    }
    let mut doubled = 0;
    let mut face = 0;
    while face < 6 {
        let corners = FACES[face];
        let one = numbered[edge_of(corners[0], corners[1])];
        let other = numbered[edge_of(corners[2], corners[3])];
        if ambiguous >> face & 1 == 1 && one == other {
            // Matter is cut apart at both corners, so equal sheets of opposite edges are one sheet
            // at all four.
            doubled |= 1 << face;
        }
        face += 1;
    }
    ContourSheets { of_edge: numbered, count, ambiguous, doubled }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of groups of connected corners of `inside`. Edges connect corners; with
    /// `joins_diagonals`, so do the diagonals of faces.
    fn components(inside: u8, joins_diagonals: bool) -> usize {
        let mut left = inside;
        let mut count = 0;
        while left != 0 {
            let mut found = 1u8 << left.trailing_zeros();
            loop {
                let mut grown = found;
                for [a, b] in EDGES {
                    if found >> a & 1 == 1 || found >> b & 1 == 1 {
                        grown |= (1 << a | 1 << b) & inside;
                    }
                }
                for [a, b, c, d] in FACES.into_iter().filter(|_| joins_diagonals) {
                    for [one, other] in [[a, c], [b, d]] {
                        if found >> one & 1 == 1 || found >> other & 1 == 1 {
                            grown |= (1 << one | 1 << other) & inside;
                        }
                    }
                }
                if grown == found {
                    break;
                }
                found = grown;
            }
            left &= !found;
            count += 1;
        }
        count
    }

    #[test]
    fn sheets_separate_matter_from_air() {
        for inside in 0..=255u8 {
            let sheets = ContourSheets::with_corners(inside);
            for (edge, [a, b]) in EDGES.into_iter().enumerate() {
                let is_crossed = inside >> a & 1 != inside >> b & 1;
                assert_eq!(sheets.of_edge[edge] != NO_SHEET, is_crossed, "{inside:08b} {edge}");
            }
            // On a sphere, n + m regions have n + m - 1 common borders.
            let regions = components(inside, false) + components(!inside, true);
            assert_eq!(usize::from(sheets.count), regions - 1, "{inside:08b}");
        }
    }

    #[test]
    fn edges_at_a_lone_corner_are_one_sheet() {
        for corner in 0..8u8 {
            let sheets = ContourSheets::with_corners(1 << corner);
            assert_eq!((sheets.count, sheets.ambiguous), (1, 0));
            // Opposite corners of matter on a face are two sheets.
            let [a, _, c, _] = FACES[0];
            let sheets = ContourSheets::with_corners(1 << a | 1 << c);
            assert_eq!((sheets.count, sheets.ambiguous, sheets.doubled), (2, 1, 0));
            // Opposite corners of air on a face are one, which lies on the face twice.
            let sheets = ContourSheets::with_corners(!(1 << a | 1 << c));
            assert_eq!((sheets.count, sheets.ambiguous, sheets.doubled), (1, 1, 1));
        }
    }
}
