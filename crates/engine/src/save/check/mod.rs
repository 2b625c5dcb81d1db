//! Checks of a whole map: `verify` reads every record, `repair` moves the bad ones out of the way,
//! and `compare` tells whether two maps hold the same rows.

pub(super) mod compare;
mod repair;
pub(super) mod verify;

pub use repair::{RepairReport, repair};
pub use verify::{VerifyReport, verify};
