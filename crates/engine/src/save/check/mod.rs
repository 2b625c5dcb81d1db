//! Whether a map is what was saved: inspection of an open file, `verify`, `repair`, and how damage
//! is described.

pub(super) mod compare;
pub(super) mod damage;
pub(super) mod inspect;
mod repair;
pub(super) mod structure_error;
pub(super) mod verify;

pub use damage::{BadRecord, Damage};
pub use repair::{RepairReport, repair};
pub use structure_error::StructureError;
pub use verify::{VerifyReport, verify};
