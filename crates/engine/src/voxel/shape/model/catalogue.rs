//! The list of models.

use super::error::ModelFormError;
use crate::ron_text;
use crate::voxel::shape::joint::Joint;
use crate::voxel::shape::shape_box::ShapeBox;
use serde::Deserialize;
use std::sync::LazyLock;

/// The models of `assets/shapes.ron`.
pub(super) static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    // A test reads the embedded list, so this cannot fail in a released program.
    ron_text::read(include_str!("../../../../../../assets/shapes.ron"), "assets/shapes.ron")
        .map(Catalogue)
        .expect("the embedded list of models is valid")
});

/// A list of models.
pub(super) struct Catalogue(Vec<Model>);

/// A model: parts, of which some are drawn only where a form names them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model {
    /// Number in map records, from 1.
    pub number: u8,
    pub name: String,
    /// Kind of the shapes to which the parts north, east, south and west join.
    #[serde(default)]
    pub joins: Option<Joint>,
    /// True for gates, to which fences and walls join.
    #[serde(default)]
    pub is_gate: bool,
    /// True if bodies pass through the model.
    #[serde(default)]
    pub passable: bool,
    /// The turn that a player's aim gives the model.
    #[serde(default)]
    pub placing: ModelPlacing,
    /// Name of the part of forms for which no part is named; empty for none, or the first one if
    /// the model has no part of all forms.
    #[serde(default)]
    usual: String,
    pub parts: Vec<Part>,
}

/// The rule by which a player's aim turns a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
pub(in crate::voxel::shape) enum ModelPlacing {
    /// Not at all.
    #[default]
    Fixed,
    /// Its north faces the player.
    Facing,
    /// Its north faces away from the player.
    Away,
    /// Its top points away from the block at which it is placed.
    Pointing,
    /// As [`ModelPlacing::Pointing`], but only to the four sides.
    PointingAside,
    /// Its north points away from the wall at which it is placed.
    OnWall,
    /// Its top points up in the lower half of a block, and down in the upper half.
    Half,
    /// Its part `hanging` is drawn below ceilings.
    Hanging,
}

impl ModelPlacing {
    /// True for models whose direction is the one of their top.
    #[must_use]
    pub(super) const fn points(self) -> bool {
        matches!(self, ModelPlacing::Pointing | ModelPlacing::PointingAside | ModelPlacing::Half)
    }
}

/// Lowest and highest corner of a box in the list.
type Corners = ([u8; 3], [u8; 3]);

/// A part of a model.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    /// Name of a part that not every form has; empty for a part of all forms.
    #[serde(default)]
    name: String,
    boxes: Vec<Corners>,
    #[serde(default)]
    solid: Option<Vec<Corners>>,
}

impl Part {
    /// The drawn boxes. One without thickness is a sheet.
    pub fn boxes(&self) -> impl Iterator<Item = ShapeBox> {
        self.boxes.iter().map(shape_box)
    }

    /// The boxes that stop bodies.
    pub fn solid(&self) -> impl Iterator<Item = ShapeBox> {
        let boxes = self.solid.as_ref().unwrap_or(&self.boxes).iter().map(shape_box);
        boxes.filter(|one| (0..3).all(|axis| one.low[axis] < one.high[axis]))
    }
}

fn shape_box(&(low, high): &Corners) -> ShapeBox {
    ShapeBox { low, high }
}

impl Catalogue {
    /// All models, in the order of the list.
    pub fn models(&self) -> &[Model] {
        &self.0
    }

    pub fn by_name(&self, name: &str) -> Option<&Model> {
        self.0.iter().find(|model| model.name == name)
    }

    pub fn by_number(&self, number: u8) -> Option<&Model> {
        // Entry n has the number n + 1.
        self.0.get(usize::from(number).checked_sub(1)?)
    }
}

impl Model {
    /// Names of the parts that not every form has, by their bits.
    pub fn named_parts(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|part| part.name.as_str()).filter(|name| !name.is_empty())
    }

    /// True if every form has a part.
    pub fn has_common_part(&self) -> bool {
        self.parts.iter().any(|part| part.name.is_empty())
    }

    /// Bit of a named part.
    pub fn part_number(&self, name: &str) -> Result<usize, ModelFormError> {
        self.named_parts().position(|part| part == name).ok_or_else(|| {
            let known: Vec<&str> = self.named_parts().collect();
            ModelFormError::UnknownPart {
                model: self.name.clone(),
                part: name.to_owned(),
                known: if known.is_empty() { "none".to_owned() } else { known.join(", ") },
            }
        })
    }

    /// Bits of the parts of a form for which none is named.
    pub fn usual_parts(&self) -> u16 {
        match self.part_number(&self.usual) {
            Ok(part) => 1 << part,
            Err(_) => u16::from(!self.has_common_part()),
        }
    }

    /// The parts of a form, by the bits of the named ones.
    pub fn parts_of(&self, bits: u16) -> impl Iterator<Item = &Part> {
        let mut bit = 0;
        self.parts.iter().filter(move |part| {
            part.name.is_empty() || {
                bit += 1;
                bits >> (bit - 1) & 1 == 1
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn models_are_numbered_and_their_boxes_lie_in_the_voxel() {
        let mut names = BTreeSet::new();
        for (index, model) in CATALOGUE.models().iter().enumerate() {
            assert_eq!(usize::from(model.number), index + 1, "{}", model.name);
            assert!(names.insert(&model.name), "{} is listed twice", model.name);
            let parts: BTreeSet<&str> = model.named_parts().collect();
            assert_eq!(parts.len(), model.named_parts().count(), "{}", model.name);
            assert!(model.named_parts().count() < 16, "{}", model.name);
            assert!(model.usual.is_empty() || parts.contains(&*model.usual), "{}", model.name);
            if model.joins.is_some() {
                let sides: Vec<&str> = model.named_parts().take(4).collect();
                assert_eq!(sides, ["north", "east", "south", "west"], "{}", model.name);
            }
            for part in &model.parts {
                assert!(!part.boxes.is_empty(), "{}", model.name);
                for one in part.boxes().chain(part.solid()) {
                    let flat = (0..3).filter(|axis| one.low[*axis] == one.high[*axis]).count();
                    assert!(flat <= 1, "{}: {one:?}", model.name);
                    let is_inside = |axis| one.low[axis] <= one.high[axis] && one.high[axis] <= 16;
                    assert!((0..3).all(is_inside), "{}: {one:?}", model.name);
                }
            }
        }
    }
}
