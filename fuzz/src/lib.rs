//! Shared code of the fuzz targets, which includes `tests/fuzzing`.

#[path = "../../tests/fuzzing/mod.rs"]
mod fuzzing;
#[path = "../../tests/fuzzing/repack.rs"]
mod repack;

pub use fuzzing::{KINDS, feed};
pub use libfuzzer_sys;

/// Limit by which one mutation may lengthen unpacked content, in bytes.
const MAX_GROWTH: usize = 1024;

/// Mutates `data[..size]`, an input of `kind`, to at most `max_size` bytes, and returns the new
/// length. Three of four mutations change packed or checksummed content and pack it again, since
/// most changes to the bytes themselves fail at the checksum.
pub fn mutate(kind: &str, data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    if seed % 4 == 0 {
        return libfuzzer_sys::fuzzer_mutate(data, size, max_size);
    }
    let mut change = |content: &mut Vec<u8>, _: &[u8]| {
        let length = content.len();
        content.resize(length + MAX_GROWTH, 0);
        let length = libfuzzer_sys::fuzzer_mutate(content, length, length + MAX_GROWTH);
        content.truncate(length);
    };
    let changed = repack::changed(kind, &data[..size], &[], &mut change);
    let length = changed.len().min(max_size);
    data[..length].copy_from_slice(&changed[..length]);
    length
}

/// Defines the fuzz target of a kind. `repacked` adds [`mutate`] for kinds with packed or
/// checksummed content.
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
