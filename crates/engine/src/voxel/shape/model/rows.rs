//! Rows of the forms of models, made when they are first used.

use super::catalogue::Model;
use super::form_key::{FormKey, FormParts};
use super::rectangles;
use crate::bits::set_bits;
use crate::voxel::Face;
use crate::voxel::shape::row::{JoinedForms, Likeness, ShapeFaces, ShapeRow, TargetPart};
use crate::voxel::shape::shape_box::{ShapeBox, SolidBoxes};
use crate::voxel::shape::side_cover::SideCover;
use rustc_hash::FxHashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

/// The rows that were made. They stay until the program ends: there are some forty thousand forms,
/// of about a kilobyte each, and a map uses no more than it has materials.
static ROWS: LazyLock<RwLock<FxHashMap<FormKey, &'static ShapeRow>>> =
    LazyLock::new(Default::default);

/// The row of a form of `model`.
pub(super) fn row(model: &'static Model, key: FormKey) -> &'static ShapeRow {
    // A panic while a row was made left the table as it was.
    if let Some(row) = ROWS.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return row;
    }
    let row: &'static ShapeRow = Box::leak(Box::new(new_row(model, key)));
    ROWS.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(row)
}

fn new_row(model: &'static Model, key: FormKey) -> ShapeRow {
    let bits = match key.parts {
        FormParts::Stated(bits) => bits,
        // Without neighbours, such a form has no sides.
        FormParts::Joined => alone(model),
    };
    let turned = |boxes: Vec<ShapeBox>| -> &'static [ShapeBox] {
        Vec::leak(boxes.into_iter().map(|one| key.turn.shape_box(one)).collect())
    };
    let boxes = turned(model.parts_of(bits).flat_map(|part| part.boxes()).collect());
    let solid = turned(model.parts_of(bits).flat_map(|part| part.solid()).collect());
    let faces: &'static [_] = Vec::leak(rectangles::faces(boxes));
    ShapeRow {
        name: "Model",
        code: 4,
        first_format: 8,
        faces: ShapeFaces::Parts(faces),
        fill: Some(rectangles::fill(boxes)),
        covers: Some(Box::leak(Box::new(SideCover::of(faces)))),
        joint: model.joins,
        is_gate: model.is_gate,
        joined: (key.parts == FormParts::Joined).then(|| joined_forms(model, key)).flatten(),
        solid: SolidBoxes::Boxes(solid),
        target: TargetPart::Boxes(boxes),
        label: Some("Model"),
        // Signs and rails are not plants, although bodies pass through them.
        gives_way: false,
        likeness: if model.passable { Likeness::Plant } else { Likeness::Block },
        ..ShapeRow::COMMON
    }
}

/// Bits of the parts of a joined form without neighbours.
fn alone(model: &Model) -> u16 {
    joined_parts(model, 0)
}

/// Bits of the parts of a joined form, by the bits of its joined sides and of what is above. A wall
/// has a post unless it is straight, and its sides are tall below something.
fn joined_parts(model: &Model, bits: u16) -> u16 {
    let sides = bits & 0b1111;
    let is_straight = matches!(sides, 0b0101 | 0b1010);
    let post = model.part_number("post").map_or(0, |part| 1 << part);
    let tall = Face::SIDES.map(|side| model.part_number(&format!("tall_{}", side.word())));
    let parts = if bits == sides {
        sides
    } else {
        let part = |bit: usize| tall[bit].as_ref().map_or(1 << bit, |part| 1 << *part);
        set_bits(u32::from(sides)).map(|bit| part(bit as usize)).sum()
    };
    if is_straight { parts } else { parts | post }
}

fn joined_forms(model: &'static Model, key: FormKey) -> Option<&'static JoinedForms> {
    let joint = model.joins?;
    let rows = std::array::from_fn(|sides| {
        let parts = FormParts::Stated(joined_parts(model, sides as u16));
        row(model, FormKey { parts, ..key })
    });
    Some(Box::leak(Box::new(JoinedForms { joint, rows })))
}
