//! Code of the fuzz target, which includes `tests/fuzzing`.

#[path = "../../tests/fuzzing/mod.rs"]
mod fuzzing;
#[path = "../../tests/fuzzing/repack.rs"]
mod repack;

pub use fuzzing::feed;

use std::sync::OnceLock;

/// Maximum number of bytes by which one mutation may lengthen unpacked content.
const MAX_GROWTH: usize = 1024;

/// The kind of input that `STONERUN_FUZZ_KIND` names.
///
/// # Panics
/// Panics if the variable names no kind. The message lists all kinds.
pub fn kind() -> &'static str {
    static KIND: OnceLock<&str> = OnceLock::new();
    KIND.get_or_init(|| {
        let kinds = fuzzing::kinds();
        let named = std::env::var("STONERUN_FUZZ_KIND").unwrap_or_default();
        let known = kinds.iter().find(|kind| **kind == named);
        known.unwrap_or_else(|| panic!("STONERUN_FUZZ_KIND is one of {}", kinds.join(", ")))
    })
}

/// Mutates `data[..size]`, an input of `kind`, to at most `max_size` bytes, and returns the new
/// length. Three of four mutations change packed or checksummed content and pack it again, because
/// most changes to the packed bytes fail at the checksum.
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
