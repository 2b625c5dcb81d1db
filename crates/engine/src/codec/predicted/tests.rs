//! Tests: any chunk round-trips, and any bytes give a chunk or an error.

use super::*;
use crate::codec::LiquidError;
use crate::codec::test_chunks::{any_runs, chunk_from};
use proptest::prelude::*;

fn round_trip(chunk: &Chunk) -> Vec<u8> {
    let bytes = encode(chunk);
    let back = decode(&bytes, Voxel::MAX_MATERIALS).unwrap();
    assert!(back == *chunk);
    back.check().unwrap();
    bytes
}

/// Rows of a few runs whose borders shift slowly, which the model predicts well.
fn terraces(random: impl Fn(u32) -> u32) -> Chunk {
    let mut builder = RunBuilder::new();
    for row in 0..1024 {
        let edge = 4 + row / 32 + random(row / 8) % 3;
        let material = (random(row / 100) % 5) as u16;
        let edge = edge.min(31);
        builder.push(edge, Voxel::full(1 + material));
        builder.push(
            32 - edge,
            if random(row).is_multiple_of(40) { Voxel::new(9, 127) } else { Voxel::AIR },
        );
    }
    builder.finish()
}

#[test]
fn uniform_chunk_encodes_as_palette_only() {
    assert_eq!(round_trip(&Chunk::uniform(Voxel::AIR)), [1, 0]);
    assert_eq!(round_trip(&Chunk::uniform(Voxel::full(0x1234))), [1, 0xe8, 0x48]);
    assert_eq!(round_trip(&Chunk::uniform(Voxel::new(3, 200))), [1, 7, 200]);
    let wet = Voxel::new(3, 200).with_liquid(55);
    assert_eq!(round_trip(&Chunk::uniform(wet)), [1, 7, 255, 200, 55]);
}

#[test]
fn liquid_adds_two_bytes_to_its_palette_entry() {
    let partial = Voxel::new(3, 200);
    let runs = |voxel| Chunk::from_runs([(16384, voxel), (16384, Voxel::AIR)]);
    let dry = round_trip(&runs(partial));
    assert_eq!(dry[..4], [2, 0, 7, 200]);
    let wet = round_trip(&runs(partial.with_liquid(55)));
    assert_eq!(wet, [&[2, 0, 7, 255, 200, 55], &dry[4..]].concat());
    let both = [(9, partial), (9, partial.with_liquid(1)), (32750, partial.with_liquid(2))];
    assert_eq!(
        round_trip(&Chunk::from_runs(both))[..11],
        [3, 7, 200, 7, 255, 200, 1, 7, 255, 200, 2]
    );
}

#[test]
fn equal_rows_take_less_than_two_bits_per_run() {
    let flat = Chunk::from_runs((0..1024).flat_map(|_| [(16, Voxel::full(1)), (16, Voxel::AIR)]));
    let bytes = round_trip(&flat);
    assert!(bytes.len() < 2048 * 2 / 8, "{} bytes for 2048 runs", bytes.len());
}

#[test]
fn wide_palettes_round_trip() {
    for count in [2u32, 127, 128, 129, 256, 257, 16384, 32768] {
        round_trip(&Chunk::from_runs(
            (0..CHUNK_VOLUME as u32).map(|i| (1, Voxel::new((i % count + 1) as u16, 7))),
        ));
        round_trip(&Chunk::from_runs(
            (0..CHUNK_VOLUME as u32).map(|i| (1, Voxel::full((i * 40_503 % count) as u16))),
        ));
    }
}

#[test]
fn malformed_bytes_are_rejected_with_place() {
    use PaletteErrorKind::{
        AirOccupancy, Duplicate, Liquid, LongVarint, Material, Size, Trailing, Truncated,
    };
    let error = |bytes: &[u8]| decode(bytes, 8).unwrap_err();
    let palette = |at, kind| PredictedError::from(PaletteError { at, kind });
    assert_eq!(error(&[]), palette(0, Truncated));
    assert_eq!(error(&[0]), palette(0, Size(0)));
    assert_eq!(error(&[0x81, 0x80, 0x02]), palette(0, Size(32769)));
    assert_eq!(error(&[0xff, 0xff, 0xff, 1]), palette(0, LongVarint));
    assert_eq!(error(&[0x80, 0x80, 2, 0]), palette(4, Truncated));
    assert_eq!(error(&[1, 16]), palette(1, Material(8)));
    assert_eq!(error(&[1, 1, 5]), palette(1, AirOccupancy));
    assert_eq!(error(&[1, 1, 255, 5, 5]), palette(1, AirOccupancy));
    assert_eq!(error(&[1, 3, 255, 5]), palette(4, Truncated));
    for (occupancy, liquid) in [(9, 0), (100, 156), (255, 1)] {
        let reason = LiquidError { material: 1, occupancy, liquid };
        assert_eq!(error(&[1, 3, 255, occupancy, liquid]), palette(1, Liquid(reason)));
    }
    let wet = Voxel::new(1, 5).with_liquid(6);
    assert_eq!(error(&[2, 3, 255, 5, 6, 3, 255, 5, 6]), palette(5, Duplicate(wet)));
    assert_eq!(error(&[1, 4, 0]), palette(2, Trailing));
    assert_eq!(error(&[2, 4, 4]), palette(2, Duplicate(Voxel::full(2))));
    assert_eq!(error(&[2, 4, 6]), PredictedError::Truncated { at: 3 });
    let ones = error(&[&[2, 4, 6][..], &[255; 40]].concat());
    assert!(
        matches!(ones, PredictedError::Run { start: 0, kind: RunErrorKind::PaletteIndex(2..) }),
        "{ones}"
    );
    assert_eq!(
        decode(&[1, 0xfe, 0xff, 0x07], usize::MAX).unwrap_err(),
        palette(1, Material(65535))
    );

    let good = encode(&terraces(|i| i.wrapping_mul(2_654_435_761) >> 16));
    let longer = decode(&[&good[..], &[0]].concat(), 20).unwrap_err();
    assert!(
        matches!(longer, PredictedError::Trailing { at, .. } if at + 1 >= good.len()),
        "{longer}"
    );
    for length in 0..good.len() {
        assert!(decode(&good[..length], 20).is_err(), "cut at {length}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_chunk_round_trips(runs in any_runs(8)) {
        round_trip(&chunk_from(&runs));
    }

    #[test]
    fn any_terraces_round_trip(seed in any::<u32>()) {
        round_trip(&terraces(|i| (i ^ seed).wrapping_mul(2_654_435_761) >> 16));
    }

    #[test]
    fn arbitrary_bytes_give_chunk_or_error(palette in 2..40u8, bytes in proptest::collection::vec(any::<u8>(), 0..4000)) {
        // A valid palette, so the decoder reaches the runs.
        let head: Vec<u8> = (0..palette).map(|i| i * 2).collect();
        if let Ok(chunk) = decode(&[&[palette], &head[..], &bytes].concat(), 300) {
            chunk.check().unwrap();
        }
        if let Ok(chunk) = decode(&bytes, 300) {
            chunk.check().unwrap();
        }
    }

    #[test]
    fn changed_bytes_give_chunk_or_error(seed in any::<u32>(), at in any::<usize>(), to in any::<u8>()) {
        let mut bytes = encode(&terraces(|i| (i ^ seed).wrapping_mul(2_654_435_761) >> 16));
        let at = at % bytes.len();
        bytes[at] = to;
        if let Ok(chunk) = decode(&bytes, 300) {
            chunk.check().unwrap();
        }
    }
}
