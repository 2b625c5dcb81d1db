//! Crossed sheets: flowers, grass blades.

use super::row::{Likeness, ModelFace, ShapeFaces, ShapeIcon, ShapeRow, TargetPart, TexturePart};

/// The row of [`Shape::Cross`](super::Shape::Cross).
pub(super) static ROW: ShapeRow = ShapeRow {
    name: "Cross",
    code: 1,
    faces: ShapeFaces::Model(&[ModelFace::Sheet(0), ModelFace::Sheet(1)]),
    target: TargetPart::VisibleTexels,
    icon: ShapeIcon::Flat(TexturePart::WHOLE),
    likeness: Likeness::Plant,
    ..ShapeRow::COMMON
};
