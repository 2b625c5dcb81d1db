//! What the fuzz targets share with the tests: `tests/fuzzing`.

#[path = "../../tests/fuzzing/mod.rs"]
mod fuzzing;
#[path = "../../tests/fuzzing/repack.rs"]
mod repack;

pub use fuzzing::{KINDS, feed};
pub use libfuzzer_sys;

/// The most by which one change makes longer what was unpacked.
const LONGER: usize = 1024;

/// Changes `data[..size]`, an input of a kind, to one of at most `max_size` bytes; its length. Three times of four what is packed
/// in it, or under a checksum, is changed: changes of the bytes themselves get no further than that.
pub fn mutate(kind: &str, data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    if seed % 4 == 0 {
        return libfuzzer_sys::fuzzer_mutate(data, size, max_size);
    }
    let mut change = |content: &mut Vec<u8>, _: &[u8]| {
        let length = content.len();
        content.resize(length + LONGER, 0);
        let length = libfuzzer_sys::fuzzer_mutate(content, length, length + LONGER);
        content.truncate(length);
    };
    let changed = repack::changed(kind, &data[..size], &[], &mut change);
    let length = changed.len().min(max_size);
    data[..length].copy_from_slice(&changed[..length]);
    length
}

/// The target of a kind; with `repacked` for those whose content [`mutate`] changes.
#[macro_export]
macro_rules! target {
    ($kind:literal) => {
        $crate::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| $crate::feed($kind, bytes));
    };
    ($kind:literal, repacked) => {
        $crate::target!($kind);
        $crate::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            $crate::mutate($kind, data, size, max_size, seed)
        });
    };
}
