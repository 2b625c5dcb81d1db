//! Any chunk comes back; any bytes are a chunk or an error.

use super::*;
use proptest::prelude::*;

fn round_trip(chunk: &Chunk) -> Vec<u8> {
    let bytes = encode(chunk);
    let back = decode(&bytes, Voxel::MAX_MATERIALS).unwrap();
    assert!(back == *chunk);
    back.check().unwrap();
    bytes
}

/// Rows of the same few runs, moved now and then: what the model is for.
fn terraces(random: impl Fn(u32) -> u32) -> Chunk {
    let mut builder = RunBuilder::new();
    for row in 0..1024 {
        let (edge, kind) = (4 + row / 32 + random(row / 8) % 3, (random(row / 100) % 5) as u16);
        let edge = edge.min(31);
        builder.push(edge, Voxel::full(1 + kind));
        builder.push(32 - edge, if random(row).is_multiple_of(40) { Voxel::new(9, 127) } else { Voxel::AIR });
    }
    builder.finish()
}

#[test]
fn chunks_of_one_voxel_have_a_palette_only() {
    assert_eq!(round_trip(&Chunk::uniform(Voxel::AIR)), [1, 0]);
    assert_eq!(round_trip(&Chunk::uniform(Voxel::full(0x1234))), [1, 0xe8, 0x48]);
    assert_eq!(round_trip(&Chunk::uniform(Voxel::new(3, 200))), [1, 7, 200]);
}

#[test]
fn rows_that_are_alike_take_a_few_bits() {
    let flat = Chunk::from_runs((0..1024).flat_map(|_| [(16, Voxel::full(1)), (16, Voxel::AIR)]));
    let bytes = round_trip(&flat);
    assert!(bytes.len() < 2048 * 2 / 8, "{} bytes for 2048 runs", bytes.len());
}

#[test]
fn the_widest_palettes_come_back() {
    for count in [2u32, 127, 128, 129, 256, 257, 16384, 32768] {
        round_trip(&Chunk::from_runs((0..CHUNK_VOLUME as u32).map(|i| (1, Voxel::new((i % count + 1) as u16, 7)))));
        round_trip(&Chunk::from_runs((0..CHUNK_VOLUME as u32).map(|i| (1, Voxel::full((i * 40_503 % count) as u16)))));
    }
}

#[test]
fn bad_bytes_are_refused_with_their_place() {
    let bad = |bytes: &[u8]| decode(bytes, 8).unwrap_err();
    assert_eq!(bad(&[]), "byte 0: the palette ends too early");
    assert_eq!(bad(&[0]), "a palette of 0 voxels");
    assert_eq!(bad(&[0x81, 0x80, 0x02]), "a palette of 32769 voxels");
    assert_eq!(bad(&[0xff, 0xff, 0xff, 1]), "a number of the palette has too many digits");
    assert_eq!(bad(&[0x80, 0x80, 2, 0]), "byte 4: the palette ends too early");
    assert_eq!(bad(&[1, 16]), "material 8 is not in the map's material table");
    assert_eq!(bad(&[1, 1, 5]), "air with an occupancy");
    assert_eq!(bad(&[1, 3, 255]), "material 1 is full, and its occupancy is written");
    assert_eq!(bad(&[1, 4, 0]), "byte 2: bytes follow");
    assert!(bad(&[2, 4, 4]).ends_with("is twice in the palette"));
    assert_eq!(bad(&[2, 4, 6]), "the data ends too early");
    let ones = bad(&[&[2, 4, 6][..], &[255; 40]].concat());
    assert!(ones.starts_with("voxel 0: palette index ") && ones.ends_with("past the palette's end"), "{ones}");
    assert_eq!(
        decode(&[1, 0xfe, 0xff, 0x07], usize::MAX).unwrap_err(),
        "material 65535 is not in the map's material table"
    );

    let good = encode(&terraces(|i| i.wrapping_mul(2_654_435_761) >> 16));
    assert_eq!(
        decode(&[&good[..], &[0]].concat(), 20).unwrap_err().split(',').next(),
        Some("bits follow after the last voxel")
    );
    for length in 0..good.len() {
        assert!(decode(&good[..length], 20).is_err(), "cut at {length}");
    }
}

fn any_runs() -> impl Strategy<Value = Vec<(u32, Voxel)>> {
    let voxel = (prop_oneof![Just(0u16), 0..8u16, 0..65535u16], prop_oneof![Just(255u8), any::<u8>()]);
    let len = prop_oneof![Just(1u32), 1..20u32, Just(32u32), 250..260u32, 1..9000u32];
    proptest::collection::vec((len, voxel.prop_map(|(m, o)| Voxel::new(m, o))), 0..600)
}

/// The runs up to the end of the chunk, filled up with air.
fn tree(runs: &[(u32, Voxel)]) -> Chunk {
    let mut builder = RunBuilder::new();
    for &(len, voxel) in runs {
        builder.push(len.min((CHUNK_VOLUME - builder.position()) as u32), voxel);
    }
    builder.push((CHUNK_VOLUME - builder.position()) as u32, Voxel::AIR);
    builder.finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_tree_comes_back(runs in any_runs()) {
        round_trip(&tree(&runs));
    }

    #[test]
    fn any_terraces_come_back(seed in any::<u32>()) {
        round_trip(&terraces(|i| (i ^ seed).wrapping_mul(2_654_435_761) >> 16));
    }

    #[test]
    fn any_bytes_are_a_chunk_or_an_error(palette in 2..40u8, bytes in proptest::collection::vec(any::<u8>(), 0..4000)) {
        // A sound palette, so that the runs are reached.
        let head: Vec<u8> = (0..palette).map(|i| i * 2).collect();
        if let Ok(chunk) = decode(&[&[palette], &head[..], &bytes].concat(), 300) {
            chunk.check().unwrap();
        }
        if let Ok(chunk) = decode(&bytes, 300) {
            chunk.check().unwrap();
        }
    }

    #[test]
    fn changed_bytes_are_a_chunk_or_an_error(seed in any::<u32>(), at in any::<usize>(), to in any::<u8>()) {
        let mut bytes = encode(&terraces(|i| (i ^ seed).wrapping_mul(2_654_435_761) >> 16));
        let at = at % bytes.len();
        bytes[at] = to;
        if let Ok(chunk) = decode(&bytes, 300) {
            chunk.check().unwrap();
        }
    }
}
