//! Faces of a set of boxes and sheets.

use crate::voxel::Face;
use crate::voxel::shape::part_face::{PartFace, axis_numbers};
use crate::voxel::shape::shape_box::ShapeBox;

/// Sixteenths per voxel.
const SIDE: usize = ShapeBox::GRID as usize;

/// The sixteenths of a voxel that boxes fill, a row of bits along x for each y and z.
struct FilledCells([[u16; SIDE]; SIDE]);

impl FilledCells {
    fn new(boxes: &[ShapeBox]) -> FilledCells {
        let mut cells = FilledCells([[0; SIDE]; SIDE]);
        for ShapeBox { low, high } in boxes {
            let bits = (((1u32 << (high[0] - low[0])) - 1) << low[0]) as u16;
            for y in low[1]..high[1] {
                for z in low[2]..high[2] {
                    cells.0[usize::from(y)][usize::from(z)] |= bits;
                }
            }
        }
        cells
    }

    /// True if the cell is filled; cells outside the voxel are not.
    fn is_filled(&self, [x, y, z]: [usize; 3]) -> bool {
        x < SIDE && y < SIDE && z < SIDE && self.0[y][z] >> x & 1 == 1
    }
}

/// The occupancy of a voxel with these boxes: their share of it in 256ths, at least 1 and at most
/// 255.
pub(super) fn fill(boxes: &[ShapeBox]) -> u8 {
    let cells = FilledCells::new(boxes);
    let count: u32 = cells.0.iter().flatten().map(|row| row.count_ones()).sum();
    // 16 cells are a 256th.
    (count.div_ceil(SIDE as u32)).clamp(1, 255) as u8 - 1
}

/// The faces of boxes without those between them, merged into rectangles, and both faces of each
/// sheet. No two faces of boxes overlap.
pub(super) fn faces(boxes: &[ShapeBox]) -> Vec<PartFace> {
    let is_sheet = |one: &&ShapeBox| (0..3).any(|axis| one.low[axis] == one.high[axis]);
    let solid: Vec<ShapeBox> = boxes.iter().filter(|one| !is_sheet(one)).copied().collect();
    let cells = FilledCells::new(&solid);
    let mut found = Vec::new();
    for face in Face::ALL {
        for layer in 0..SIDE {
            add_layer(&cells, face, layer, &mut found);
        }
    }
    for sheet in boxes.iter().filter(is_sheet) {
        let of_sheet = Face::ALL.map(|face| PartFace::of_box(*sheet, face));
        found.extend(of_sheet.into_iter().filter(|face| face.is_sheet));
    }
    found
}

/// Adds the faces of one layer of cells.
fn add_layer(cells: &FilledCells, face: Face, layer: usize, found: &mut Vec<PartFace>) {
    let [u, v] = axis_numbers(face);
    let axis = face as usize / 2;
    let is_high = (face as usize).is_multiple_of(2);
    let in_front = if is_high { layer + 1 } else { layer.wrapping_sub(1) };
    let cell = |layer: usize, a: usize, b: usize| {
        let mut at = [layer; 3];
        at[u] = a;
        at[v] = b;
        at
    };
    // The open faces, a row of bits along u for each sixteenth along v.
    let mut open = [0u32; SIDE];
    for (b, row) in open.iter_mut().enumerate() {
        for a in 0..SIDE {
            let is_open =
                cells.is_filled(cell(layer, a, b)) && !cells.is_filled(cell(in_front, a, b));
            *row |= u32::from(is_open) << a;
        }
    }
    for b in 0..SIDE {
        while open[b] != 0 {
            let first = open[b].trailing_zeros();
            let width = (open[b] >> first).trailing_ones();
            let bits = ((1u32 << width) - 1) << first;
            let rows = open[b..].iter().take_while(|row| **row & bits == bits).count();
            for row in &mut open[b..b + rows] {
                *row &= !bits;
            }
            let mut low = [0; 3];
            low[axis] = (layer + usize::from(is_high)) as u8;
            low[u] = first as u8;
            low[v] = b as u8;
            found.push(PartFace { face, low, size: [width as u8, rows as u8], is_sheet: false });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_between_boxes_are_left_out() {
        let post = ShapeBox { low: [6, 0, 6], high: [10, 16, 10] };
        assert_eq!(faces(&[post]).len(), 6);
        let beam = ShapeBox { low: [10, 4, 7], high: [16, 8, 9] };
        let found = faces(&[post, beam]);
        // The east side of the post is open below, above and next to the beam.
        let east: Vec<_> = found.iter().filter(|face| face.face == Face::East).collect();
        assert_eq!(east.len(), 5);
        let area = |faces: &[&PartFace]| -> u32 {
            faces.iter().map(|face| u32::from(face.size[0]) * u32::from(face.size[1])).sum()
        };
        assert_eq!(area(&east), 4 * 16);
        // None inside the post.
        assert!(!found.iter().any(|face| face.face == Face::West && face.low[0] == 10));
    }

    #[test]
    fn fill_is_the_share_of_the_voxel() {
        let half = ShapeBox { low: [0, 0, 0], high: [16, 8, 16] };
        let post = ShapeBox { low: [6, 0, 6], high: [10, 16, 10] };
        let sheet = ShapeBox { low: [0, 1, 0], high: [16, 1, 16] };
        assert_eq!(fill(&[half]), 127);
        assert_eq!(fill(&[post]), 15);
        // The upper half of the post.
        assert_eq!(fill(&[half, post]), 135);
        assert_eq!(fill(&[sheet]), 0);
    }

    #[test]
    fn sheets_have_two_faces() {
        let sheet = ShapeBox { low: [0, 1, 0], high: [16, 1, 16] };
        let found = faces(&[sheet]);
        assert_eq!(found.iter().map(|face| face.face).collect::<Vec<_>>(), [Face::Up, Face::Down]);
        assert!(found.iter().all(|face| face.low == [0, 1, 0] && face.is_sheet));
    }
}
