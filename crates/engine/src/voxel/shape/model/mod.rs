//! Models: shapes of boxes and sheets, which `assets/shapes.ron` lists.
//!
//! - `catalogue`: the list of models. `form_key`, `error`: what distinguishes forms.
//! - `rows`: the row of a form, made when it is first used. `rectangles`: its faces.
//! - `words`: forms as players write them. `canonical`: one form of those that look the same.

mod canonical;
mod catalogue;
mod error;
mod form_key;
mod rectangles;
mod rows;
mod words;

use super::row::ShapeRow;
use super::turn::Turn;
pub use error::ModelFormError;

pub(super) use catalogue::ModelPlacing;

use catalogue::{CATALOGUE, Model};
use form_key::{FormKey, FormParts};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::hash::{Hash, Hasher};

/// A form of a model: which of its parts there are, and how they are turned.
#[derive(Clone, Copy)]
pub struct ModelForm {
    key: FormKey,
    row: &'static ShapeRow,
}

impl ModelForm {
    /// The form of the model `name` with these parts, turned.
    ///
    /// # Errors
    /// There is no such model, it has no such part, or nothing would be left of it.
    pub fn new(name: &str, turn: Turn, parts: &[&str]) -> Result<ModelForm, ModelFormError> {
        let model = model_named(name)?;
        let mut bits = 0;
        for part in parts {
            bits |= 1 << model.part_number(part)?;
        }
        if bits == 0 && !model.has_common_part() {
            return Err(ModelFormError::NoParts(model.name.clone()));
        }
        let parts = FormParts::Stated(bits);
        Ok(ModelForm::from_key(model, FormKey { model: model.number, turn, parts }))
    }

    /// The form of the model `name` that joins to its neighbours.
    ///
    /// # Errors
    /// There is no such model, or it joins to nothing.
    pub fn joined(name: &str) -> Result<ModelForm, ModelFormError> {
        let model = model_named(name)?;
        if model.joins.is_none() {
            return Err(ModelFormError::NotJoined(model.name.clone()));
        }
        let key = FormKey { model: model.number, turn: Turn::NONE, parts: FormParts::Joined };
        Ok(ModelForm::from_key(model, key))
    }

    /// `key` is one of `model`.
    fn from_key(model: &'static Model, key: FormKey) -> ModelForm {
        ModelForm { key, row: rows::row(model, key) }
    }

    /// The form after a further turn. A form that joins has none of its own.
    #[must_use]
    pub fn turned(self, turn: Turn) -> ModelForm {
        match self.key.parts {
            FormParts::Joined => self,
            FormParts::Stated(_) => {
                self.with_key(FormKey { turn: self.key.turn.then(turn), ..self.key })
            }
        }
    }

    /// The form with another turn.
    #[must_use]
    pub(in crate::voxel) fn with_turn(self, turn: Turn) -> ModelForm {
        self.with_key(FormKey { turn, ..self.key })
    }

    /// The form that hangs below a ceiling, or the one that stands. Models without a part `hanging`
    /// have only one.
    #[must_use]
    pub(in crate::voxel::shape) fn hanging(self, hangs: bool) -> ModelForm {
        let part = CATALOGUE.by_number(self.key.model).map(|model| model.part_number("hanging"));
        match part {
            Some(Ok(part)) => {
                let bits = if hangs { 1 << part } else { 1 };
                self.with_key(FormKey { parts: FormParts::Stated(bits), ..self.key })
            }
            _ => self,
        }
    }

    /// The turn of the form.
    #[must_use]
    pub(in crate::voxel) const fn turn(self) -> Turn {
        self.key.turn
    }

    /// The form with one of two parts instead of the other, whichever it has; `None` if it has none
    /// of them, or both.
    #[must_use]
    pub(in crate::voxel) fn exchanged(self, first: &str, second: &str) -> Option<ModelForm> {
        let FormParts::Stated(bits) = self.key.parts else { return None };
        let model = CATALOGUE.by_number(self.key.model)?;
        let [first, second] = [first, second].map(|part| model.part_number(part));
        let both = 1 << first.ok()? | 1 << second.ok()?;
        let is_one = (bits & both).count_ones() == 1;
        let parts = FormParts::Stated(bits ^ both);
        is_one.then(|| self.with_key(FormKey { parts, ..self.key }))
    }

    /// Another form of the same model.
    fn with_key(self, key: FormKey) -> ModelForm {
        // The number of an existing form is in the list.
        CATALOGUE.by_number(key.model).map_or(self, |model| ModelForm::from_key(model, key))
    }

    /// The row of the form.
    #[must_use]
    pub const fn row(self) -> &'static ShapeRow {
        self.row
    }

    /// Name of the model.
    #[must_use]
    pub fn name(self) -> &'static str {
        CATALOGUE.by_number(self.key.model).map_or("", |model| &model.name)
    }

    /// True if the form depends on the neighbours.
    #[must_use]
    pub const fn is_joined(self) -> bool {
        matches!(self.key.parts, FormParts::Joined)
    }

    /// The rule by which a player's aim turns the model.
    #[must_use]
    pub(in crate::voxel::shape) fn placing(self) -> ModelPlacing {
        CATALOGUE.by_number(self.key.model).map_or_else(Default::default, |model| model.placing)
    }

    /// True if bodies pass through the model.
    #[must_use]
    pub fn is_passable(self) -> bool {
        CATALOGUE.by_number(self.key.model).is_some_and(|model| model.passable)
    }

    /// The numbers of the form in map records: of the model, of its turn, the bits of its parts,
    /// and 1 if they are those that join.
    #[must_use]
    pub fn numbers(self) -> [u16; 4] {
        let FormKey { model, turn, parts } = self.key;
        let [bits, joined] = match parts {
            FormParts::Stated(bits) => [bits, 0],
            FormParts::Joined => [0, 1],
        };
        [model.into(), u8::from(turn).into(), bits, joined]
    }

    /// Names of all models.
    pub fn names() -> impl Iterator<Item = &'static str> {
        CATALOGUE.models().iter().map(|model| model.name.as_str())
    }

    /// Every set of parts of every model, unturned; for models that join, also the joined form.
    pub fn all() -> impl Iterator<Item = ModelForm> {
        CATALOGUE.models().iter().flat_map(|model| {
            let joined = model.joins.is_some().then_some(FormParts::Joined);
            let stated = (0..1u16 << model.named_parts().count())
                .map(FormParts::Stated)
                .filter(|parts| *parts != FormParts::Stated(0) || model.has_common_part());
            joined.into_iter().chain(stated).map(|parts| {
                ModelForm::from_key(model, FormKey { model: model.number, turn: Turn::NONE, parts })
            })
        })
    }
}

fn model_named(name: &str) -> Result<&'static Model, ModelFormError> {
    CATALOGUE.by_name(name).ok_or_else(|| ModelFormError::UnknownModel {
        name: name.to_owned(),
        known: ModelForm::names().collect::<Vec<_>>().join(", "),
    })
}

impl PartialEq for ModelForm {
    fn eq(&self, other: &ModelForm) -> bool {
        self.key == other.key
    }
}

impl Eq for ModelForm {}

impl Hash for ModelForm {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl fmt::Debug for ModelForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.name(), self.key)
    }
}

/// A form in texts.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "ModelForm")]
struct FormText {
    model: String,
    #[serde(default)]
    turn: Turn,
    /// Names of the parts; `None` for those that join.
    #[serde(default)]
    parts: Option<Vec<String>>,
}

/// A form in map records: [`ModelForm::numbers`].
type FormRecord = (u8, u8, u16, u8);

impl Serialize for ModelForm {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let FormKey { model, turn, parts } = self.key;
        if serializer.is_human_readable() {
            let entry = CATALOGUE.by_number(model);
            let names = |bits: u16| {
                let named = entry.into_iter().flat_map(Model::named_parts).enumerate();
                named
                    .filter(|(bit, _)| bits >> bit & 1 == 1)
                    .map(|(_, name)| name.to_owned())
                    .collect()
            };
            let parts = match parts {
                FormParts::Stated(bits) => Some(names(bits)),
                FormParts::Joined => None,
            };
            return FormText { model: self.name().to_owned(), turn, parts }.serialize(serializer);
        }
        let [_, _, bits, joined] = self.numbers();
        let record: FormRecord = (model, turn.into(), bits, joined as u8);
        record.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ModelForm {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ModelForm, D::Error> {
        if deserializer.is_human_readable() {
            let FormText { model, turn, parts } = FormText::deserialize(deserializer)?;
            let form = match parts {
                Some(parts) => {
                    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
                    ModelForm::new(&model, turn, &parts)
                }
                None => ModelForm::joined(&model).map(|form| form.turned(turn)),
            };
            return form.map_err(de::Error::custom);
        }
        let (number, turn, bits, joined) = FormRecord::deserialize(deserializer)?;
        let turn = Turn::try_from(turn).map_err(de::Error::custom)?;
        let model = CATALOGUE.by_number(number).ok_or(ModelFormError::UnknownNumber(number));
        let model = model.map_err(de::Error::custom)?;
        let parts = match joined {
            0 if bits == 0 && !model.has_common_part() => {
                return Err(de::Error::custom(ModelFormError::NoParts(model.name.clone())));
            }
            0 if u32::from(bits) < 1 << model.named_parts().count() => FormParts::Stated(bits),
            1 if bits == 0 && turn == Turn::NONE && model.joins.is_some() => FormParts::Joined,
            _ => return Err(de::Error::custom(ModelFormError::PartBits(model.name.clone(), bits))),
        };
        Ok(ModelForm::from_key(model, FormKey { model: number, turn, parts }))
    }
}

#[cfg(test)]
mod tests;
