//! Quads of models, which are voxels that are no boxes, such as crossed sheets, torches, fences and
//! hewn blocks. They never merge.

use super::face_materials::{DrawPass, MeshTraits};
use super::face_rect::FaceRect;
use super::face_surface::{FaceSurface, height};
use super::quad::{PackedQuad, Quad, QuadGrid, SHEET, STEPS};
use crate::voxel::{Face, ModelFace, PartFace, ShapeFaces, Voxel};

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

/// Adds the quads of the hewn block or the model of boxes with these faces at `at` in its chunk.
/// `hides` is true for faces at the voxel's sides that a neighbour hides.
pub(super) fn add_parts(
    faces: &[PartFace],
    traits: &MeshTraits,
    at: [u8; 3],
    hides: impl Fn(&PartFace) -> bool,
    quads: &mut Vec<PackedQuad>,
) {
    for (number, face) in faces.iter().enumerate() {
        // Cut-out quads are drawn from both sides, so one of a sheet's two faces suffices. They
        // follow each other.
        let is_back = face.is_sheet && number > 0 && {
            let before = &faces[number - 1];
            before.is_sheet && before.face == face.face.opposite() && before.low == face.low
        };
        if is_back && traits.pass == DrawPass::CutOut || face.is_at_side() && hides(face) {
            continue;
        }
        quads.push(part_quad(*face, traits, at).pack());
    }
}

fn part_quad(PartFace { face, low, size, .. }: PartFace, traits: &MeshTraits, at: [u8; 3]) -> Quad {
    let [x, y, z] = [0, 1, 2].map(|axis| 16 * u16::from(at[axis]) + u16::from(low[axis]));
    Quad {
        grid: QuadGrid::Sixteenths,
        x,
        z,
        // At most 512.
        y: y as i16,
        width: size[0],
        face: face as u8,
        height: size[1].into(),
        shaded: false,
        liquid: false,
        halved_sides: 0,
        material: traits.faces[face as usize],
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
        grid: QuadGrid::Voxels,
        x: x.into(),
        z: z.into(),
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
    use crate::voxel::{Material, MaterialTable, ModelForm, Shape};
    use glam::IVec3;

    #[test]
    fn model_has_the_quads_of_its_row() {
        for shape in Shape::ALL.into_iter().filter(|shape| shape.hewn_eighths().is_none()) {
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

    #[test]
    fn parts_have_their_faces_except_hidden_sides() {
        let models = ModelForm::all().map(Shape::Model);
        for shape in Shape::ALL.into_iter().chain(models) {
            let list = vec![Material::unknown("air"), Material { shape, ..Material::unknown("a") }];
            let materials = FaceMaterials::new(&MaterialTable::from_list(list).unwrap());
            let ShapeFaces::Parts(faces) = shape.row().faces else { continue };
            for hidden in [None, Some(Face::Down), Some(Face::East)] {
                let mut quads = Vec::new();
                let hides = |face| Some(face) == hidden;
                let hides_part = |part: &PartFace| hides(part.face);
                add_parts(faces, materials.traits(1), [31, 4, 5], hides_part, &mut quads);
                let shown = faces.iter().filter(|face| !(face.is_at_side() && hides(face.face)));
                assert_eq!(quads.len(), shown.clone().count());
                for (quad, PartFace { face, low, size, .. }) in quads.iter().zip(shown) {
                    let quad = quad.unpack();
                    assert_eq!(quad.face, *face as u8);
                    let [first, .., last] = quad.vertices();
                    let place = IVec3::new(31, 4, 5) * 16 + IVec3::from(low.map(i32::from));
                    let corner = |vertex: crate::mesh::quad::Vertex| {
                        IVec3::new(vertex.x.into(), vertex.y.into(), vertex.z.into())
                    };
                    let (u, v) = face.axes();
                    let sides = u * i32::from(size[0]) + v * i32::from(size[1]);
                    assert_eq!([corner(first), corner(last)], [place, place + sides]);
                }
            }
        }
    }
}
