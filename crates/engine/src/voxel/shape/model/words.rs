//! Forms of models in words: `gate,east,open`.

use super::catalogue::{CATALOGUE, Model};
use super::form_key::{FormKey, FormParts};
use super::{ModelForm, ModelPlacing};
use crate::voxel::Face;
use crate::voxel::shape::turn::Turn;
use crate::voxel::shape::words::{BOTTOM, ShapeWordError, TOP};

/// Word for a form without any of the named parts.
const BARE: &str = "bare";
/// Beginning of the word for a turn that has no other name.
const TURN: &str = "turn=";

impl ModelForm {
    /// The form in words. The name of the model is the first one.
    #[must_use]
    pub(in crate::voxel::shape) fn words(self) -> String {
        let Some(model) = CATALOGUE.by_number(self.key.model) else { return String::new() };
        let mut words = vec![model.name.clone()];
        let FormParts::Stated(bits) = self.key.parts else { return words.remove(0) };
        words.extend(turn_words(model, self.key.turn));
        let named = model.named_parts().enumerate();
        let names = named.filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, name)| name.to_owned());
        if bits == 0 && (model.joins.is_some() || model.usual_parts() != 0) {
            words.push(BARE.to_owned());
        } else if model.joins.is_some() || bits != model.usual_parts() {
            words.extend(names);
        }
        words.join(",")
    }

    /// The form with these words, of which `name` is the first. `None` if no model has that name.
    ///
    /// # Errors
    /// A word belongs to no form of the model, or contradicts another one.
    pub(in crate::voxel::shape) fn from_words(
        name: &str,
        words: &[&str],
    ) -> Option<Result<ModelForm, ShapeWordError>> {
        let model = CATALOGUE.by_name(name)?;
        Some(key(model, words).map(|key| ModelForm::from_key(model, key)))
    }
}

/// The words of a turn; none for no turn.
fn turn_words(model: &Model, turn: Turn) -> Vec<String> {
    let is_free = |word: &str| model.part_number(word).is_err();
    let points = model.placing.points();
    if turn == Turn::NONE {
        return Vec::new();
    }
    let directions = Face::ALL.into_iter().filter(|face| points || face.is_side());
    let names = directions.flat_map(|face| {
        [false, true].map(|is_top| {
            let words: Vec<String> = match (points, face, is_top) {
                (true, Face::Down, false) if model.placing == ModelPlacing::Half => {
                    vec![TOP.to_owned()]
                }
                (false, Face::North, true) => vec![TOP.to_owned()],
                (_, _, false) => vec![face.word().to_owned()],
                (_, _, true) => vec![face.word().to_owned(), TOP.to_owned()],
            };
            (named_turn(model, face, is_top), words)
        })
    });
    names
        .filter(|(_, words)| words.iter().all(|word| is_free(word)))
        .find_map(|(named, words)| (named == Some(turn)).then_some(words))
        .unwrap_or_else(|| vec![format!("{TURN}{}", u8::from(turn))])
}

/// The turn to a direction, hanging if `is_top`. `None` for directions that the model cannot have.
fn named_turn(model: &Model, face: Face, is_top: bool) -> Option<Turn> {
    if model.placing.points() {
        return (!is_top).then(|| Turn::from_up(face));
    }
    let quarters = Face::SIDES.into_iter().position(|side| side == face)?;
    let turn = Turn::quarters(quarters as u8);
    Some(if is_top { turn.then(Turn::reflection(1)) } else { turn })
}

fn key(model: &Model, words: &[&str]) -> Result<FormKey, ShapeWordError> {
    let mut parts = 0;
    let mut is_bare = false;
    let mut face: Option<(&str, Face)> = None;
    let mut level: Option<(&str, bool)> = None;
    let mut stated: Option<(&str, Turn)> = None;
    for &word in words {
        let number = word.strip_prefix(TURN).and_then(|number| number.parse::<u8>().ok());
        if let Ok(part) = model.part_number(word) {
            parts |= 1 << part;
        } else if let Some(found) = Face::from_word(word) {
            once(&mut face, word, found)?;
        } else if word == TOP || word == BOTTOM {
            once(&mut level, word, word == TOP)?;
        } else if let Some(turn) = number.and_then(|number| Turn::try_from(number).ok()) {
            once(&mut stated, word, turn)?;
        } else if word == BARE && model.has_common_part() {
            is_bare = true;
        } else {
            return Err(unknown(model, word));
        }
    }
    let turn = match (stated, face, level) {
        (None, None, None) => Turn::NONE,
        (Some((_, turn)), None, None) => turn,
        (Some((word, _)), Some((other, _)), _) | (Some((word, _)), None, Some((other, _))) => {
            return Err(ShapeWordError::contradiction(word, other));
        }
        (None, Some((word, face)), level) => {
            let is_top = level.is_some_and(|(_, is_top)| is_top);
            named_turn(model, face, is_top).ok_or_else(|| unknown(model, word))?
        }
        (None, None, Some((word, is_top))) => match model.placing {
            ModelPlacing::Half => Turn::from_up(if is_top { Face::Down } else { Face::Up }),
            placing if placing.points() => return Err(unknown(model, word)),
            _ => named_turn(model, Face::North, is_top).unwrap_or_default(),
        },
    };
    if is_bare && parts != 0 {
        let part = model.named_parts().enumerate().find(|(bit, _)| parts >> bit & 1 == 1);
        return Err(ShapeWordError::contradiction(BARE, part.map_or("", |(_, name)| name)));
    }
    let parts = match (parts, is_bare) {
        (0, false) if model.joins.is_some() => match level.or(face.map(|(word, _)| (word, true))) {
            // A shape that joins has no direction of its own.
            Some((word, _)) => return Err(unknown(model, word)),
            None if turn == Turn::NONE => FormParts::Joined,
            None => FormParts::Stated(model.usual_parts()),
        },
        (0, false) => FormParts::Stated(model.usual_parts()),
        (parts, _) => FormParts::Stated(parts),
    };
    Ok(FormKey { model: model.number, turn, parts })
}

/// Takes a word of which a form has at most one.
fn once<'a, T>(
    slot: &mut Option<(&'a str, T)>,
    word: &'a str,
    value: T,
) -> Result<(), ShapeWordError> {
    match slot.replace((word, value)) {
        Some((before, _)) => Err(ShapeWordError::contradiction(before, word)),
        None => Ok(()),
    }
}

fn unknown(model: &Model, word: &str) -> ShapeWordError {
    let is_free = |word: &&str| model.part_number(word).is_err();
    let mut known: Vec<&str> = model.named_parts().collect();
    if model.has_common_part() && !known.is_empty() {
        known.push(BARE);
    }
    let faces = Face::ALL.into_iter().filter(|face| model.placing.points() || face.is_side());
    let directions: Vec<&'static str> = faces.map(Face::word).filter(is_free).collect();
    known.extend(directions);
    if !model.placing.points() || model.placing == ModelPlacing::Half {
        known.extend([TOP, BOTTOM]);
    }
    ShapeWordError::Word {
        word: word.to_owned(),
        shape: model.name.clone(),
        known: known.join(", "),
    }
}
