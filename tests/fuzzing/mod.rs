//! Checks of the guarantees of decoders and importers for arbitrary bytes.
//!
//! [`feed`] passes bytes to a decoder or importer and panics if a guarantee is broken: it must not
//! panic, must not allocate more than 64 MiB plus 16 times the input at once, must return only
//! sound chunks, and, where there is an encoder, the decoded value must survive it. Both the fuzz
//! targets (`fuzz/`) and the stored corpus (`tests/limits/fuzz_corpus.rs`) use it.
//!
//! The bound covers the memory that is allocated while an input is read. A small valid file may
//! describe a large world, so the bytes of a finished world do not count. They do count if the
//! world is refused in the end.

pub mod counting;
mod decoders;
mod files;
mod maps;

/// Kinds of input other than import formats: decoders, maps, and visibility of other programs.
pub const DECODERS: &[&str] = &[
    "rle",
    "lz4",
    "predicted",
    "packed_voxels",
    "step",
    "region",
    "sets",
    "quake",
    "zero_one",
    "seven_bit",
    "packed",
    "map",
    "pvs",
    "bsp",
];

/// The first extension of each import format.
pub fn import_extensions() -> Vec<&'static str> {
    stonerun_exchange::formats()
        .iter()
        .filter_map(|format| format.extensions.first().copied())
        .collect()
}

/// All kinds of input: [`DECODERS`] and [`import_extensions`].
pub fn kinds() -> Vec<&'static str> {
    [DECODERS, &import_extensions()].concat()
}

/// Passes `bytes` to the decoder or importer of a kind. Panics if a guarantee is broken.
pub fn feed(kind: &str, bytes: &[u8]) {
    match kind {
        "rle" => decoders::rle(bytes),
        "lz4" => decoders::lz4(bytes),
        "predicted" => decoders::predicted(bytes),
        "packed_voxels" => decoders::packed_voxels(bytes),
        "step" => decoders::step(bytes),
        "region" => decoders::region(bytes),
        "sets" => decoders::sets(bytes),
        "quake" => decoders::row::<stonerun_engine::visibility::codec::Quake>(bytes),
        "zero_one" => decoders::row::<stonerun_engine::visibility::codec::ZeroOne>(bytes),
        "seven_bit" => decoders::row::<stonerun_engine::visibility::codec::SevenBit>(bytes),
        "packed" => decoders::packed(bytes),
        "map" => maps::map(bytes),
        "pvs" | "bsp" => files::matrix(kind, bytes),
        extension => files::import(extension, bytes),
    }
}

/// Asserts that reading `bytes` stayed within the bound. `result` is the size of the result itself.
fn check_memory(most: u64, bytes: &[u8], result: u64) {
    let bound = (64 << 20) + 16 * bytes.len() as u64;
    assert!(
        most <= bound + result,
        "{} bytes took {most} bytes of memory, result {result}",
        bytes.len()
    );
}

/// Decodes `bytes` with `read`, and asserts the memory bound.
fn bounded<T>(bytes: &[u8], read: impl FnOnce() -> T) -> T {
    let (made, most) = counting::most(read);
    check_memory(most, bytes, 0);
    made
}
