//! Baked visibility in a map: a record for each chunk, deleted by the save that makes it wrong.
//!
//! The visible set of a cell stays right as long as no chunk in it changes: no line of sight
//! reaches any other chunk. So a save that writes a chunk deletes, in the same transaction, the
//! records whose sets contain that chunk, and no others. A chunk that did not exist before was
//! open, so the sets stay right about all other chunks, but they say nothing about the new one.
//! Each record names the last row of the table `chunk` that it accounts for; new chunks get higher
//! rows. It also names the opaque materials, and the rules by which it was computed. If either
//! differs in a later program, the record does not count.
//!
//! The digest does not cover these records: a missing one is baked again.

mod read;
pub(in crate::save) mod record;
mod row;
mod write;

pub use read::BakedView;
pub(in crate::save) use read::{
    BadBakedRecord, bad_records, baked_chunks, load, views, visible_sets,
};
pub(in crate::save) use write::{delete_all, delete_bad, delete_outdated, save};
