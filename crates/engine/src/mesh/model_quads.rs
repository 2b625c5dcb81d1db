//! Quads of models: voxels that are not boxes, such as crossed sheets and torches. They never
//! merge.

use super::face_materials::MeshTraits;
use super::face_rect::FaceRect;
use super::face_surface::{FaceSurface, height};
use super::quad::{PackedQuad, Quad, SHEET, STEPS};
use crate::voxel::{Face, ModelFace, ShapeFaces, Voxel};

/// Adds the quads of the voxel at `at` in its chunk. Adds nothing unless it is a model. `height` is
/// where the model stands, in sixteenths above the voxel's bottom.
pub(super) fn add(
    voxel: Voxel,
    traits: &MeshTraits,
    at: [u8; 3],
    height: i16,
    quads: &mut Vec<PackedQuad>,
) {
    let ShapeFaces::Model(faces) = traits.shape.faces else { return };
    for face in faces {
        let mut quad = quad(*face, voxel, traits, at);
        quad.y += height;
        quads.push(quad.pack());
    }
}

/// The quad of one face. Corners that a [`CornerRule`](crate::voxel::CornerRule) moves are not
/// moved here, but when the quad is drawn.
fn quad(face: ModelFace, voxel: Voxel, traits: &MeshTraits, at: [u8; 3]) -> Quad {
    let (face, low, high) = match face {
        ModelFace::Sheet(number) => return sheet(voxel, traits, at, number),
        ModelFace::Level { face, height } => (face, height, height),
        ModelFace::Side { face, low, high } => (face, low, high),
    };
    FaceRect::from_voxel(face, at).quad(FaceSurface::new(traits, face, low, high), false)
}

/// One sheet of a cross.
fn sheet(voxel: Voxel, traits: &MeshTraits, [x, y, z]: [u8; 3], number: u8) -> Quad {
    Quad {
        x,
        z,
        y: i16::from(y) * i16::from(STEPS),
        width: 1,
        face: SHEET + number,
        height: u16::from(height(traits, voxel)),
        shaded: false,
        liquid: traits.liquid,
        halved_sides: 0,
        material: traits.faces[Face::East as usize],
    }
}

#[cfg(test)]
mod tests {
    use super::super::FaceMaterials;
    use super::*;
    use crate::voxel::{Material, MaterialTable, Shape};

    #[test]
    fn model_has_the_quads_of_its_row() {
        for shape in Shape::ALL {
            let list = vec![Material::unknown("air"), Material { shape, ..Material::unknown("a") }];
            let materials = FaceMaterials::new(&MaterialTable::from_list(list).unwrap());
            let mut quads = Vec::new();
            add(Voxel::new(1, 127), materials.traits(1), [3, 4, 5], 0, &mut quads);
            let heights: Vec<_> =
                quads.iter().map(|quad| (quad.unpack().face, quad.unpack().y - 64)).collect();
            let ShapeFaces::Model(faces) = shape.row().faces else {
                assert_eq!(heights, [], "{shape:?}");
                continue;
            };
            let expected = faces.iter().map(|face| match *face {
                ModelFace::Sheet(number) => (6 + number, 0),
                ModelFace::Level { face, height: low } | ModelFace::Side { face, low, .. } => {
                    (face as u8, i16::from(low))
                }
            });
            assert_eq!(heights, expected.collect::<Vec<_>>(), "{shape:?}");
            for (quad, face) in quads.iter().zip(faces) {
                let high = match *face {
                    // As high as the voxel is filled.
                    ModelFace::Sheet(_) => 8,
                    // In voxels along z.
                    ModelFace::Level { .. } => 1,
                    ModelFace::Side { low, high, .. } => u16::from(high - low),
                };
                assert_eq!(quad.unpack().height, high, "{shape:?}: {face:?}");
            }
        }
    }
}
