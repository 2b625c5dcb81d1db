//! Errors of descriptions of forms.

/// No form of a model has this description.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum ModelFormError {
    /// No model has this name.
    #[error("there is no model \"{name}\"; there are {known}")]
    UnknownModel {
        /// The name that was asked for.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// No model has this number.
    #[error("there is no model {0}")]
    UnknownNumber(u8),
    /// The model has no such part.
    #[error("the model \"{model}\" has no part \"{part}\"; it has {known}")]
    UnknownPart {
        /// Name of the model.
        model: String,
        /// The part that was asked for.
        part: String,
        /// The parts that exist.
        known: String,
    },
    /// The model has fewer parts than the bits say.
    #[error("the model \"{0}\" has no parts {1:#b}")]
    PartBits(String, u16),
    /// The form would consist of nothing.
    #[error("the model \"{0}\" needs at least one part")]
    NoParts(String),
    /// Only fences, walls and panes join.
    #[error("the model \"{0}\" joins to nothing")]
    NotJoined(String),
}
