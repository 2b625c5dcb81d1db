//! The faces of hewn blocks.

use super::eighths::{FORMS, half};
use super::short_list::ShortList;
use crate::voxel::Face;
use crate::voxel::shape::part_face::{PartFace, axis_numbers};
use crate::voxel::shape::side_cover::SideCover;

/// Maximum number of faces: four eighths that touch at edges alone.
const MAX_FACES: usize = 24;

/// Side of an eighth, in sixteenths.
const EIGHTH: u8 = 8;
/// Fills the unused places of lists.
const BLANK: PartFace = PartFace { face: Face::East, low: [0; 3], size: [0; 2], is_sheet: false };

/// Faces by the bits of the eighths.
pub(super) static FACES: [ShortList<PartFace, MAX_FACES>; FORMS] = {
    let mut faces = [ShortList::new(BLANK); FORMS];
    let mut bits = 0;
    while bits < FORMS {
        faces[bits] = faces_of(bits as u8);
        bits += 1;
    }
    faces
};

/// Parts of the sides that are filled, by the bits of the eighths.
pub(super) static COVERS: [[SideCover; 6]; FORMS] = {
    let mut covers = [[SideCover::NONE; 6]; FORMS];
    let mut bits = 0;
    while bits < FORMS {
        covers[bits] = SideCover::of(faces_of(bits as u8).as_slice());
        bits += 1;
    }
    covers
};

/// Bits by which the number of an eighth's neighbour across an axis is higher.
const STRIDES: [u8; 3] = [1, 2, 4];

const fn faces_of(bits: u8) -> ShortList<PartFace, MAX_FACES> {
    let mut faces = ShortList::new(BLANK);
    let mut number = 0;
    while number < 6 {
        let face = Face::ALL[number];
        let stride = STRIDES[number / 2];
        let outer = half(face);
        // Eighths at the outer side, and inner ones whose neighbour in front is missing.
        let in_front = if number % 2 == 0 { bits >> stride } else { bits << stride };
        add(&mut faces, face, bits & outer, true);
        add(&mut faces, face, bits & !outer & !in_front, false);
        number += 1;
    }
    faces
}

/// Adds the faces of eighths in one plane, as few as possible. `is_outer` is true at the voxel's
/// side.
const fn add(faces: &mut ShortList<PartFace, MAX_FACES>, face: Face, eighths: u8, is_outer: bool) {
    let normal = face as usize / 2;
    let [u, v] = axis_numbers(face);
    let is_high = matches!(face, Face::East | Face::Up | Face::South);
    // 0, 1 or 2 halves from the voxel's low side.
    let depth = if !is_outer {
        1
    } else if is_high {
        2
    } else {
        0
    };
    // The eighths of the plane, bit u + 2 v.
    let layer = if is_outer == is_high { STRIDES[normal] } else { 0 };
    let mut left = 0u8;
    let mut at = 0;
    while at < 4 {
        let eighth = layer + (at & 1) * STRIDES[u] + (at >> 1) * STRIDES[v];
        left |= (eighths >> eighth & 1) << at;
        at += 1;
    }
    /// Rectangles from the largest: bits, first u and v, sizes.
    const RECTS: [(u8, [u8; 2], [u8; 2]); 9] = [
        (0b1111, [0, 0], [2, 2]),
        (0b0011, [0, 0], [2, 1]),
        (0b1100, [0, 1], [2, 1]),
        (0b0101, [0, 0], [1, 2]),
        (0b1010, [1, 0], [1, 2]),
        (0b0001, [0, 0], [1, 1]),
        (0b0010, [1, 0], [1, 1]),
        (0b0100, [0, 1], [1, 1]),
        (0b1000, [1, 1], [1, 1]),
    ];
    let mut rect = 0;
    while rect < RECTS.len() {
        let (covered, first, size) = RECTS[rect];
        if left & covered == covered {
            left &= !covered;
            let mut low = [0; 3];
            low[normal] = EIGHTH * depth;
            low[u] = EIGHTH * first[0];
            low[v] = EIGHTH * first[1];
            let size = [EIGHTH * size[0], EIGHTH * size[1]];
            faces.push(PartFace { face, low, size, is_sheet: false });
        }
        rect += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec3;
    use std::collections::BTreeSet;

    /// Places on the grid of quarters in the middle of the half faces of a form, by brute force.
    fn expected(bits: u8) -> BTreeSet<(u8, [i32; 3])> {
        let is_filled = |at: IVec3| {
            at.cmpge(IVec3::ZERO).all()
                && at.cmple(IVec3::ONE).all()
                && bits >> (at.x + 2 * at.y + 4 * at.z) & 1 == 1
        };
        let mut found = BTreeSet::new();
        for eighth in (0..8).map(|eighth| IVec3::new(eighth & 1, eighth >> 1 & 1, eighth >> 2)) {
            for face in Face::ALL.into_iter().filter(|_| is_filled(eighth)) {
                if !is_filled(eighth + face.normal()) {
                    found.insert((face as u8, (eighth * 2 + 1 + face.normal()).to_array()));
                }
            }
        }
        found
    }

    #[test]
    fn faces_cover_each_open_side_of_each_eighth_once() {
        for bits in 1..=254u8 {
            let mut found = BTreeSet::new();
            for PartFace { face, low, size, .. } in FACES[usize::from(bits)].as_slice() {
                let (u, v) = face.axes();
                for i in 0..i32::from(size[0] / EIGHTH) {
                    for j in 0..i32::from(size[1] / EIGHTH) {
                        let low = IVec3::from(low.map(|side| i32::from(side / EIGHTH)));
                        let middle = (low + u * i + v * j) * 2 + u + v;
                        assert!(found.insert((*face as u8, middle.to_array())), "{bits:08b}");
                    }
                }
            }
            assert_eq!(found, expected(bits), "{bits:08b}");
        }
    }

    #[test]
    fn faces_are_few() {
        let count = |bits: usize| FACES[bits].as_slice().len();
        // An eighth, a slab, stairs, four eighths that touch at edges.
        assert_eq!([1, 0b0011_0011, 0b0011_1111, 0b0110_1001].map(count), [6, 6, 10, 24]);
    }
}
