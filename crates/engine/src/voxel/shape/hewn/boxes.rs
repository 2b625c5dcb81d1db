//! The boxes of hewn blocks that stop bodies.

use super::eighths::FORMS;
use super::short_list::ShortList;
use crate::voxel::shape::shape_box::ShapeBox;

/// Maximum number of boxes: four eighths that touch at edges alone.
const MAX_BOXES: usize = 4;
/// Side of an eighth, in sixteenths.
const EIGHTH: u8 = ShapeBox::GRID / 2;

/// Boxes by the bits of the eighths. They do not overlap.
pub(super) static BOXES: [ShortList<ShapeBox, MAX_BOXES>; FORMS] = {
    let mut boxes = [ShortList::new(ShapeBox { low: [0; 3], high: [0; 3] }); FORMS];
    let mut bits = 1;
    while bits < FORMS - 1 {
        boxes[bits] = boxes_of(bits as u8);
        bits += 1;
    }
    boxes
};

/// Divides the eighths into boxes, the largest ones first.
const fn boxes_of(bits: u8) -> ShortList<ShapeBox, MAX_BOXES> {
    let mut boxes = ShortList::new(ShapeBox { low: [0; 3], high: [0; 3] });
    let mut left = bits;
    let mut volume = 4;
    while volume > 0 {
        let mut number = 0;
        // Low corner and sides of a box, a bit for each axis.
        while number < 64 {
            let [low, side]: [u8; 2] = [number & 7, number >> 3];
            number += 1;
            // A side of two eighths begins at the first one.
            if low & side != 0 || 1 << side.count_ones() != volume {
                continue;
            }
            let eighths = eighths_of(low, side);
            if left & eighths == eighths {
                left &= !eighths;
                boxes.push(shape_box(low, side));
            }
        }
        volume /= 2;
    }
    boxes
}

/// Bits of the eighths of a box.
const fn eighths_of(low: u8, side: u8) -> u8 {
    let mut eighths = 0;
    let mut eighth = 0;
    while eighth < 8 {
        // Along axes with a side of one eighth, it is the low one.
        if eighth & !side == low {
            eighths |= 1 << eighth;
        }
        eighth += 1;
    }
    eighths
}

const fn shape_box(low: u8, side: u8) -> ShapeBox {
    let mut found = ShapeBox { low: [0; 3], high: [0; 3] };
    let mut axis = 0;
    while axis < 3 {
        let first = low >> axis & 1;
        found.low[axis] = first * EIGHTH;
        found.high[axis] = (first + 1 + (side >> axis & 1)) * EIGHTH;
        axis += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_cover_each_eighth_once() {
        for bits in 1..=254u8 {
            let boxes = BOXES[usize::from(bits)].as_slice();
            let mut covered = 0u8;
            for eighth in 0..8u8 {
                let at = [eighth & 1, eighth >> 1 & 1, eighth >> 2].map(|side| side * EIGHTH);
                let inside = |one: &&ShapeBox| {
                    (0..3).all(|i| one.low[i] <= at[i] && at[i] + EIGHTH <= one.high[i])
                };
                let count = boxes.iter().filter(inside).count();
                assert!(count <= 1, "{bits:08b}");
                covered |= (count as u8) << eighth;
            }
            assert_eq!(covered, bits);
        }
        // Slabs are one box, stairs two.
        let count = |bits: usize| BOXES[bits].as_slice().len();
        assert_eq!([1, 0b0011_0011, 0b0011_1111, 0b0110_1001].map(count), [1, 1, 2, 4]);
    }
}
