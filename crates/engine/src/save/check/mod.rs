//! Checks of a whole map: `verify` reads every record, `repair` moves bad records into the
//! quarantine, and `compare` compares the rows of two maps.

pub(super) mod compare;
mod repair;
pub(super) mod verify;

pub use repair::{RepairReport, repair};
pub use verify::{VerifyReport, verify};
