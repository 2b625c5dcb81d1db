//! Reasons why a map could not be read or written, and the damage that was found in it.
//!
//! Every message names the file, and the place in the file where that applies. Only `format` is
//! below this folder; all other folders of `save` return these errors.

pub(super) mod damage;
pub(super) mod reason;
pub(super) mod refusal;
pub(super) mod save_error;
pub(super) mod structure_error;

pub use damage::{BadRecord, Damage};
pub use refusal::Refusal;
pub use save_error::SaveError;
pub use structure_error::StructureError;
