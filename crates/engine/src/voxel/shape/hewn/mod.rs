//! Hewn blocks: blocks of which some eighths are missing. Slabs, stairs, steps, posts and quarters
//! are hewn blocks.
//!
//! - `eighths`: the eighths of a block. `stairs`: the forms of stairs. `form`: those with names.
//! - `faces`, `boxes`: what is drawn of them, and what stops bodies. `short_list` holds them.

mod boxes;
mod eighths;
mod faces;
mod form;
mod short_list;
mod stairs;

pub use eighths::HewnEighths;
pub use form::HewnForm;
pub use stairs::{StairCorner, Stairs};

use super::row::{ShapeFaces, ShapeRow};
use super::shape_box::SolidBoxes;
use boxes::BOXES;
use eighths::FORMS;
use faces::{COVERS, FACES};

/// Rows of [`Shape::Hewn`](super::Shape::Hewn), by the bits of the eighths. Those without an eighth
/// and with all of them belong to no shape.
pub(super) static ROWS: [ShapeRow; FORMS] = {
    let mut rows = [ShapeRow::COMMON; FORMS];
    let mut bits = 0;
    while bits < FORMS {
        rows[bits] = row(bits);
        bits += 1;
    }
    rows
};

const fn row(bits: usize) -> ShapeRow {
    ShapeRow {
        name: "Hewn",
        code: 3,
        parameter: Some(bits as u8),
        first_format: 8,
        faces: ShapeFaces::Parts(FACES[bits].as_slice()),
        fill: match HewnEighths::new(bits as u8) {
            Some(eighths) => Some(eighths.occupancy()),
            None => None,
        },
        covers: Some(&COVERS[bits]),
        solid: SolidBoxes::Boxes(BOXES[bits].as_slice()),
        label: Some("Hewn"),
        ..ShapeRow::COMMON
    }
}
