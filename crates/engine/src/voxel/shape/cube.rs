//! Cubes: boxes whose height is the fill of their voxel.

use super::row::ShapeRow;

/// The row of [`Shape::Cube`](super::Shape::Cube).
pub(super) static ROW: ShapeRow = ShapeRow { name: "Cube", code: 0, ..ShapeRow::COMMON };
