//! What any bytes must not do to the decoders and importers.
//!
//! [`feed`] gives bytes to one of them and panics where it breaks its promise: it never panics, never has more than 64 MiB and
//! 16 times the input allocated at once, gives only chunks that are sound, and, where there is an encoder, what was decoded
//! comes back from it. The fuzz targets (`fuzz/`) and the stored corpus (`tests/fuzz_corpus.rs`) both end here.
//!
//! The bound is about what an input asks for while it is read. A sound small file may describe a large world, so the finished
//! world's own bytes are not counted; those of a world that is refused in the end are.

pub mod counting;
mod decoders;
mod files;
mod maps;

/// Kinds of input. Those that are no decoder or `map` are extensions of files that are imported.
pub const KINDS: &[&str] = &[
    "rle",
    "lz4",
    "predicted",
    "step",
    "sets",
    "quake",
    "zero_one",
    "seven_bit",
    "packed",
    "map",
    "pvs",
    "bsp",
    "vox",
    "mca",
    "mcr",
    "schem",
    "schematic",
    "litematic",
    "cw",
    "mclevel",
    "mts",
    "png",
    "r16",
    "hgt",
    "tif",
];

/// Gives `bytes` to the decoder or importer of a kind. Panics where something is wrong with it.
pub fn feed(kind: &str, bytes: &[u8]) {
    match kind {
        "rle" => decoders::rle(bytes),
        "lz4" => decoders::lz4(bytes),
        "predicted" => decoders::predicted(bytes),
        "step" => decoders::step(bytes),
        "sets" => decoders::sets(bytes),
        "quake" => decoders::row::<stonerun::visibility::codec::Quake>(bytes),
        "zero_one" => decoders::row::<stonerun::visibility::codec::ZeroOne>(bytes),
        "seven_bit" => decoders::row::<stonerun::visibility::codec::SevenBit>(bytes),
        "packed" => decoders::packed(bytes),
        "map" => maps::map(bytes),
        "pvs" | "bsp" => files::matrix(kind, bytes),
        extension => files::import(extension, bytes),
    }
}

/// Says if reading `bytes` took too much memory, beside what the result takes itself.
fn check_memory(most: u64, bytes: &[u8], result: u64) {
    let bound = (64 << 20) + 16 * bytes.len() as u64;
    assert!(most <= bound + result, "{} bytes took {most} bytes of memory, result {result}", bytes.len());
}

/// Reads bytes within the bound.
fn bounded<T>(bytes: &[u8], read: impl FnOnce() -> T) -> T {
    let (made, most) = counting::most(read);
    check_memory(most, bytes, 0);
    made
}
