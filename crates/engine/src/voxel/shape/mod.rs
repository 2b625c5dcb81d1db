//! Shapes of voxels: one file and one row of constants per shape.
//!
//! A [`ShapeRow`] holds everything that other modules need to know about a shape. They read the row
//! instead of matching on [`Shape`]. A new shape needs a file in this folder and three lines in
//! this file: a variant of [`Shape`], its arm in [`Shape::row`] and its entry in [`Shape::ALL`].
//!
//! - `row`: the fields of a row; `shape_box`, `part_face`, `side_cover`, `joint`: what they hold.
//! - `words`: shapes as players write them. `placing`: how they turn to the player who places them.
//! - `turn`: turns and reflections of shapes. `edges`: their edges, for outlines.
//! - `corner_rule`, `moved_corner`: rules that move the corners of a model's faces.
//! - `cube`, `cross`, `torch`, `hewn`, `model`: the rows.

mod corner_rule;
mod cross;
mod cube;
mod edges;
mod hewn;
mod joint;
mod model;
mod moved_corner;
mod part_face;
mod placing;
mod row;
mod shape_box;
mod side_cover;
mod torch;
mod turn;
mod words;

pub use corner_rule::CornerRule;
pub use edges::{ShapeEdge, shape_edges};
pub use hewn::{HewnEighths, HewnForm, StairCorner, Stairs};
pub use joint::Joint;
pub use model::{ModelForm, ModelFormError};
pub use moved_corner::MovedCorner;
pub use part_face::PartFace;
pub use placing::PlacingAim;
pub use row::{
    JoinedForms, Likeness, ModelFace, ShapeFaces, ShapeIcon, ShapeRow, TargetPart, TexturePart,
};
pub use shape_box::{ShapeBox, SolidBoxes};
pub use side_cover::SideCover;
pub use torch::TorchMount;
pub use turn::{Turn, TurnError};
pub use words::ShapeWordError;

use serde::{Deserialize, Serialize};

/// Geometry of a material's voxels.
///
/// The order of the variants is part of the map format: a material's record holds the number of
/// the variant, which is [`ShapeRow::code`]. New variants go to the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Shape {
    /// A box whose height is the fill of the voxel.
    #[default]
    Cube,
    /// Two upright crossed sheets (flowers, grass blades).
    Cross,
    /// A burning stick, 2/16 of a voxel thick and 10/16 high.
    Torch(TorchMount),
    /// A block of which some eighths are missing: a slab, stairs.
    Hewn(HewnEighths),
    /// A model of boxes and sheets from `assets/shapes.ron`: a fence, a door.
    Model(ModelForm),
}

impl Shape {
    /// All shapes except models, in the order of their codes. A shape with a parameter occurs once
    /// for each value. [`ModelForm::all`] has the models.
    pub const ALL: [Shape; 7 + HewnEighths::COUNT] = {
        let mut all = [Shape::Cube; 7 + HewnEighths::COUNT];
        all[1] = Shape::Cross;
        let mut mount = 0;
        while mount < TorchMount::ALL.len() {
            all[2 + mount] = Shape::Torch(TorchMount::ALL[mount]);
            mount += 1;
        }
        let mut bits = 1;
        while let Some(eighths) = HewnEighths::new(bits) {
            all[6 + bits as usize] = Shape::Hewn(eighths);
            bits += 1;
        }
        all
    };

    /// The row of the shape.
    #[must_use]
    pub const fn row(self) -> &'static ShapeRow {
        match self {
            Shape::Cube => &cube::ROW,
            Shape::Cross => &cross::ROW,
            Shape::Torch(mount) => &torch::ROWS[mount as usize],
            Shape::Hewn(eighths) => &hewn::ROWS[eighths.bits() as usize],
            Shape::Model(form) => form.row(),
        }
    }

    /// True for shapes with faces of their own; false for boxes whose height is the fill of the
    /// voxel.
    #[must_use]
    pub const fn is_model(self) -> bool {
        !matches!(self.row().faces, ShapeFaces::Box)
    }

    /// The shape after a turn. Cubes, sheets, torches and shapes that join stay as they are.
    #[must_use]
    pub fn turned(self, turn: Turn) -> Shape {
        match self {
            Shape::Hewn(eighths) => Shape::Hewn(eighths.turned(turn)),
            Shape::Model(form) => Shape::Model(form.turned(turn)),
            Shape::Cube | Shape::Cross | Shape::Torch(_) => self,
        }
    }

    /// Eighths of a hewn block; `None` for other shapes.
    #[must_use]
    pub const fn hewn_eighths(self) -> Option<HewnEighths> {
        match self {
            Shape::Hewn(eighths) => Some(eighths),
            _ => None,
        }
    }

    /// Form of a model; `None` for other shapes.
    #[must_use]
    pub const fn model_form(self) -> Option<ModelForm> {
        match self {
            Shape::Model(form) => Some(form),
            _ => None,
        }
    }

    /// Mount of a torch; `None` for other shapes.
    #[must_use]
    pub const fn torch_mount(self) -> Option<TorchMount> {
        match self {
            Shape::Torch(mount) => Some(mount),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Name of the shape in lists of materials: `Torch(East)`.
    fn ron_name(shape: Shape) -> String {
        ron::to_string(&shape).unwrap()
    }

    #[test]
    fn rows_have_unique_names_and_codes() {
        let mut codes: BTreeMap<&str, u8> = BTreeMap::new();
        for shape in Shape::ALL {
            let row = shape.row();
            assert_eq!(*codes.entry(row.name).or_insert(row.code), row.code, "{}", row.name);
            let name = ron_name(shape);
            assert_eq!(name.split('(').next(), Some(row.name));
            assert_eq!(ron::from_str(&name), Ok(shape));
        }
        // The codes are unique and without gaps.
        let mut found: Vec<u8> = codes.into_values().collect();
        found.sort_unstable();
        assert!(found.iter().copied().eq(0..found.len() as u8), "{found:?}");
        let names: std::collections::BTreeSet<String> =
            Shape::ALL.into_iter().map(ron_name).collect();
        assert_eq!(names.len(), Shape::ALL.len(), "a shape is listed twice");
    }

    #[test]
    fn boxes_and_faces_lie_in_their_voxel() {
        for shape in Shape::ALL {
            let row = shape.row();
            if let SolidBoxes::Boxes(boxes) = row.solid {
                assert!(!boxes.is_empty(), "{shape:?}");
                for ShapeBox { low, high } in boxes {
                    assert!(
                        (0..3).all(|axis| low[axis] < high[axis] && high[axis] <= 16),
                        "{shape:?}: {low:?} {high:?}"
                    );
                }
            }
            if let TargetPart::Bounds([low, high]) = row.target {
                assert!(
                    low.cmpge(glam::Vec3::ZERO).all() && high.cmple(glam::Vec3::ONE).all(),
                    "{shape:?}"
                );
                assert!(low.cmplt(high).all(), "{shape:?}: {low} {high}");
            }
            if let ShapeFaces::Model(faces) = row.faces {
                assert!(!faces.is_empty(), "{shape:?}");
                for face in faces {
                    let is_inside = match *face {
                        ModelFace::Sheet(sheet) => sheet < 2,
                        ModelFace::Level { face, height } => face.normal().y != 0 && height <= 16,
                        ModelFace::Side { face, low, high } => {
                            face.normal().y == 0 && low < high && high <= 16
                        }
                    };
                    assert!(is_inside, "{shape:?}: {face:?}");
                }
            }
            if let ShapeIcon::Flat(TexturePart { low, high }) = row.icon {
                assert!(
                    (0..2).all(|axis| 0.0 <= low[axis]
                        && low[axis] < high[axis]
                        && high[axis] <= 1.0),
                    "{shape:?}"
                );
            }
        }
    }
}
