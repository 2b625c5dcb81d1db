//! One form of those that consist of the same boxes: a fence looks the same in all its turns.

use super::ModelForm;
use super::catalogue::{CATALOGUE, Model};
use super::form_key::{FormKey, FormParts};
use crate::voxel::Face;
use crate::voxel::shape::shape_box::ShapeBox;
use crate::voxel::shape::turn::Turn;

/// Maximum number of named parts of a model whose sets of parts are compared.
const MAX_PARTS: usize = 9;

impl ModelForm {
    /// The form of the model that has the same boxes and the shortest words.
    #[must_use]
    pub(in crate::voxel) fn canonical(self) -> ModelForm {
        let (Some(model), FormParts::Stated(bits)) =
            (CATALOGUE.by_number(self.key.model), self.key.parts)
        else {
            return self;
        };
        let wanted = boxes(model, bits, self.key.turn);
        // Turns with a word come first.
        let named = Face::ALL.into_iter().map(Turn::from_up);
        let quarters = (0..4).map(Turn::quarters);
        let hanging = (0..4).map(|count| Turn::quarters(count).then(Turn::reflection(1)));
        let (first, second): (Vec<Turn>, Vec<Turn>) = if model.placing.points() {
            (named.collect(), Vec::new())
        } else {
            (quarters.collect(), hanging.collect())
        };
        let turned = first.into_iter().chain(second).map(|turn| (turn, bits));
        // Parts that are named by sides turn into one another, but the head of a bed stays a head.
        let count = model.named_parts().count();
        let is_by_side = model.named_parts().all(|part| Face::from_word(part).is_some());
        let turns_parts = (is_by_side || model.joins.is_some()) && count <= MAX_PARTS;
        let parts = if turns_parts { 1u16 << count } else { 0 };
        let other_parts = (0..parts)
            .filter(|other| other.count_ones() == bits.count_ones())
            .map(|other| (Turn::NONE, other));
        std::iter::once((Turn::NONE, bits))
            .chain(other_parts)
            .chain(turned)
            .find(|(turn, bits)| boxes(model, *bits, *turn) == wanted)
            .map_or(self, |(turn, bits)| {
                self.with_key(FormKey { turn, parts: FormParts::Stated(bits), ..self.key })
            })
    }
}

/// A box, and true if it stops bodies.
type Part = ([u8; 3], [u8; 3], bool);

/// The boxes of a form, those that are drawn and those that stop bodies.
fn boxes(model: &Model, bits: u16, turn: Turn) -> Vec<Part> {
    let part = |one: ShapeBox, is_solid: bool| {
        let turned = turn.shape_box(one);
        (turned.low, turned.high, is_solid)
    };
    let mut found: Vec<Part> = model
        .parts_of(bits)
        .flat_map(|parts| {
            let drawn = parts.boxes().map(|one| part(one, false));
            drawn.chain(parts.solid().map(|one| part(one, true))).collect::<Vec<_>>()
        })
        .collect();
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::Shape;

    #[test]
    fn turned_forms_have_the_words_of_those_that_look_the_same() {
        let flip_x = Turn::reflection(0);
        let quarter = Turn::quarters(1);
        for (words, turn, expected) in [
            ("ladder,east", flip_x, "ladder,west"),
            ("ladder,north", flip_x, "ladder,north"),
            ("rod,up", quarter, "rod"),
            ("gate,north", flip_x, "gate"),
            ("panel", flip_x, "panel"),
            ("panel,north", quarter, "panel,east"),
            ("plate", Turn::reflection(2), "plate"),
            ("bed", Turn::quarters(2), "bed,south"),
            ("bed", flip_x, "bed"),
            ("fence,north", quarter, "fence,east"),
            ("fence,north,east", flip_x, "fence,north,west"),
            ("wall,north,post", quarter, "wall,east,post"),
            ("chest,east", flip_x, "chest,west"),
            ("button,east", Turn::quarters(2), "button,west"),
            ("lantern,hanging", quarter, "lantern,hanging"),
        ] {
            let expected = Shape::from_words(expected).unwrap().words();
            let Shape::Model(form) = Shape::from_words(words).unwrap() else { panic!("{words}") };
            let turned = Shape::Model(form.turned(turn).canonical()).words();
            assert_eq!(turned, expected, "{words}");
        }
    }

    #[test]
    fn canonical_forms_consist_of_the_same_boxes() {
        for form in ModelForm::all() {
            for turn in Turn::all() {
                let before = form.turned(turn);
                let after = before.canonical();
                if before.is_joined() {
                    assert_eq!(before, after);
                    continue;
                }
                let model = CATALOGUE.by_number(form.key.model).unwrap();
                let of = |form: ModelForm| match form.key.parts {
                    FormParts::Stated(bits) => boxes(model, bits, form.key.turn),
                    FormParts::Joined => Vec::new(),
                };
                assert_eq!(of(before), of(after), "{before:?} {after:?}");
                assert_eq!(after.canonical(), after);
            }
        }
    }
}
