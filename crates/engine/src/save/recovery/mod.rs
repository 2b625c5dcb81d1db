//! Recovery of maps that SQLite cannot read: sound records are found page by page, and a new map is
//! built from them.

mod page_scanner;
pub(super) mod rebuild;
mod salvage;
