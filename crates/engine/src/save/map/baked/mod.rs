//! Baked visibility in a map: one record per chunk, which is deleted by the save that invalidates
//! it.
//!
//! The visible set of a cell stays right as long as no chunk in it changes: no line of sight
//! reaches any other chunk. So a save that changes a chunk deletes, in the same transaction,
//! exactly the records whose sets contain that chunk. A bake takes missing chunks as open, so a new
//! chunk invalidates no set, but no set says anything about it. Therefore each record names the
//! last row of the table `chunk` at the time of the bake; new chunks get higher rows. It also has a
//! checksum over the opaque materials and the bake rules. If the checksum differs in a later
//! program, the record is ignored.
//!
//! The digest does not cover these records: missing ones are baked again.

mod read;
pub(in crate::save) mod record;
mod row;
mod write;

pub use read::BakedView;
pub(in crate::save) use read::{
    BadBakedRecord, bad_records, baked_chunks, load, views, visible_sets,
};
pub(in crate::save) use write::{delete_all, delete_bad, delete_outdated, save};
