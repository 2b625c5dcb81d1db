//! Layout, round trips and malformed input.

use super::*;
use crate::codec::LiquidError;
use crate::codec::test_chunks::{any_runs, chunk_from};
use proptest::prelude::*;

fn round_trip(chunk: &Chunk) -> Vec<u8> {
    let bytes = encode(chunk);
    assert!(bytes.len() <= MAX_BYTES);
    let back = decode(&bytes, Voxel::MAX_MATERIALS).unwrap();
    assert!(back == *chunk);
    back.check().unwrap();
    bytes
}

#[test]
fn encoded_bytes_match_documented_layout() {
    // A palette of one material, then one long run: lead, 0, length - 1.
    assert_eq!(encode(&Chunk::uniform(Voxel::full(0x1234))), [1, 0x34, 0x12, 0x80, 0, 0xff, 0x7f]);
    assert_eq!(encode(&Chunk::uniform(Voxel::AIR)), [1, 0, 0, 0x80, 0, 0xff, 0x7f]);
    // A run of one voxel is one byte. A run of 256 has length byte 255, after the occupancy.
    let runs = [(1, Voxel::full(5)), (256, Voxel::new(6, 9)), (32511, Voxel::AIR)];
    let expected = [3, 0, 0, 5, 0, 6, 0, 0x01, 0x80 | 0x40 | 0x02, 9, 255, 0x80, 0, 0xfe, 0x7e];
    assert_eq!(encode(&Chunk::from_runs(runs)), expected);
    // A wet run: 255 instead of its occupancy, then occupancy and liquid.
    let runs = [
        (1, Voxel::new(5, 9).with_liquid(100)),
        (256, Voxel::new(6, 0).with_liquid(255)),
        (32511, Voxel::AIR),
    ];
    let palette = [3, 0, 0, 5, 0, 6, 0];
    let runs_bytes = [0x41, 255, 9, 100, 0xc2, 255, 0, 255, 255, 0x80, 0, 0xfe, 0x7e];
    assert_eq!(round_trip(&Chunk::from_runs(runs)), [&palette[..], &runs_bytes].concat());
}

#[test]
fn run_lengths_around_multiples_of_256_round_trip() {
    for multiple in (0..=CHUNK_VOLUME as u32).step_by(256) {
        for len in [multiple.saturating_sub(1), multiple, multiple + 1] {
            if len > 0 && len < CHUNK_VOLUME as u32 {
                let rest = CHUNK_VOLUME as u32 - len;
                round_trip(&Chunk::from_runs([(len, Voxel::full(3)), (rest, Voxel::AIR)]));
                round_trip(&Chunk::from_runs([(len, Voxel::new(3, 7)), (rest, Voxel::full(3))]));
            }
        }
    }
}

#[test]
fn widest_palette_stays_within_max_bytes() {
    let wide = Chunk::from_runs(
        (0..CHUNK_VOLUME as u32).map(|i| (1, Voxel::new(i as u16 + 1, i as u8 & 0x7f))),
    );
    let bytes = round_trip(&wide);
    assert!(bytes.len() > CHUNK_VOLUME * 6 && bytes.len() <= MAX_BYTES);
    let wet = wide.map(|voxel| voxel.with_liquid(1));
    assert!(round_trip(&wet).len() > CHUNK_VOLUME * 8);
    for count in [62, 63, 64, 65, 127, 128, 129] {
        round_trip(&Chunk::from_runs(
            (0..CHUNK_VOLUME as u32).map(|i| (1, Voxel::full((i % count) as u16))),
        ));
    }
}

#[test]
fn malformed_bytes_are_rejected_with_offset() {
    let bad = |bytes: &[u8]| decode(bytes, 8).unwrap_err();
    let error = |at, kind| ByteRleError { at, kind };
    let full = [0x80, 0, 0xff, 0x7f];
    let with = |head: &[u8], tail: &[u8]| [head, tail].concat();
    assert_eq!(bad(&[]), error(0, ByteRleErrorKind::Truncated));
    assert_eq!(bad(&[0]), error(0, ByteRleErrorKind::PaletteSize(0)));
    assert_eq!(bad(&[0x81, 0x80, 0x02]), error(0, ByteRleErrorKind::PaletteSize(32769)));
    assert_eq!(bad(&[0xff, 0xff, 0xff, 1]), error(0, ByteRleErrorKind::LongVarint));
    assert_eq!(bad(&[0x80, 0x80, 0x02, 1, 0]), error(5, ByteRleErrorKind::Truncated));
    assert_eq!(bad(&with(&[1, 8, 0], &full)), error(1, ByteRleErrorKind::Material(8)));
    assert_eq!(bad(&with(&[1, 1, 0, 1], &full)), error(3, ByteRleErrorKind::PaletteIndex(1)));
    assert_eq!(bad(&with(&[1, 1, 0, 63, 9], &full)), error(3, ByteRleErrorKind::PaletteIndex(9)));
    assert_eq!(bad(&[1, 0, 0, 0xc0, 7, 0, 0xff, 0x7f]), error(3, ByteRleErrorKind::AirOccupancy));
    assert_eq!(
        bad(&with(&[1, 1, 0, 0], &full)),
        error(4, ByteRleErrorKind::RunTooLong { start: 1, len: 32768 })
    );
    assert_eq!(bad(&with(&with(&[1, 1, 0], &full), &[0])), error(7, ByteRleErrorKind::Trailing));
    assert_eq!(bad(&[1, 1, 0, 0x80, 0, 0xff]), error(6, ByteRleErrorKind::Truncated));
    assert_eq!(bad(&with(&[1, 0xff, 0xff], &full)), error(1, ByteRleErrorKind::Material(0xffff)));
}

#[test]
fn impossible_liquid_is_rejected_with_offset() {
    let bad = |run: &[u8]| decode(&[&[2, 1, 0, 2, 0, 0], run].concat(), 8).unwrap_err();
    for (occupancy, liquid) in [(9, 0), (100, 156), (255, 1)] {
        let kind = LiquidError { material: 2, occupancy, liquid }.into();
        let run = [0xc1, 255, occupancy, liquid, 0, 0xfe, 0x7f];
        assert_eq!(bad(&run), ByteRleError { at: 6, kind });
    }
    assert_eq!(bad(&[0xc1, 255, 9]), ByteRleError { at: 9, kind: ByteRleErrorKind::Truncated });
    let air = decode(&[1, 0, 0, 0xc0, 255, 9, 9, 0, 0xff, 0x7f], 8).unwrap_err();
    assert_eq!(air, ByteRleError { at: 3, kind: ByteRleErrorKind::AirOccupancy });
    assert_eq!(air.to_string(), "byte 3: air with an occupancy or liquid");
}

#[test]
fn not_loaded_material_is_rejected_for_any_table() {
    let bytes = [1, 0xff, 0xff, 0x80, 0, 0xff, 0x7f];
    assert_eq!(decode(&bytes, usize::MAX).unwrap_err().kind, ByteRleErrorKind::Material(0xffff));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_chunk_round_trips(runs in any_runs(80)) {
        round_trip(&chunk_from(&runs));
    }

    #[test]
    fn arbitrary_bytes_give_chunk_or_error(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        if let Ok(chunk) = decode(&bytes, 300) {
            chunk.check().unwrap();
        }
    }

    #[test]
    fn changed_bytes_give_chunk_or_error(runs in any_runs(80), at in any::<usize>(), to in any::<u8>()) {
        let mut bytes = encode(&chunk_from(&runs));
        let at = at % bytes.len();
        bytes[at] = to;
        if let Ok(chunk) = decode(&bytes, 300) {
            chunk.check().unwrap();
        }
    }
}
