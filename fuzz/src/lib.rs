//! What the fuzz targets share with the tests: `tests/fuzzing`.

#[path = "../../tests/fuzzing/mod.rs"]
mod fuzzing;

pub use fuzzing::{KINDS, feed};
