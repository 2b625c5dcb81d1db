//! The visibility text's codecs: round trips, sizes of real rows, and invalid bytes.

use super::row_codec::{CUT_OFF, NO_SUCH_CELL, TOO_LONG};
use super::*;
use crate::random::Random;
use crate::visibility::Matrix;
use crate::visibility::bitset::WORD_BITS;
use proptest::prelude::*;
use std::path::PathBuf;

fn encoded<C: RowCodec>(row: &[u64], cells: usize) -> Vec<u8> {
    let mut out = Vec::new();
    C::encode(row, cells, &mut out);
    out
}

/// A row in which these cells are visible.
fn row_of(cells: usize, visible: impl IntoIterator<Item = usize>) -> Vec<u64> {
    let mut row = vec![0; cells.div_ceil(WORD_BITS)];
    for cell in visible {
        row[cell / WORD_BITS] |= 1 << (cell % WORD_BITS);
    }
    row
}

/// Checks that a row decodes to itself, as bits and as cells, and that bytes after it are not read.
/// Returns its packed size.
fn round_trip<C: RowCodec>(row: &[u64], cells: usize) -> usize {
    let mut packed = encoded::<C>(row, cells);
    let length = packed.len();
    for suffix in [&[][..], &[0xFF; 9], &[0; 9]] {
        packed.truncate(length);
        packed.extend(suffix);
        let mut back = vec![u64::MAX; row.len() + 1];
        assert_eq!(C::decode(&packed, cells, &mut back), Ok(length), "{}", C::NAME);
        assert_eq!((&back[..row.len()], back[row.len()]), (row, 0), "{}", C::NAME);
        let seen: Result<Vec<u32>, _> = C::cells(&packed, cells).collect();
        assert_eq!(seen, Ok(ones(row).collect()), "{}", C::NAME);
    }
    for cut in length.saturating_sub(20)..length {
        let error = CodecError { at: cut, reason: CUT_OFF };
        assert_eq!(
            C::decode(&packed[..cut], cells, &mut vec![0; row.len()]),
            Err(error),
            "{}",
            C::NAME
        );
    }
    length
}

/// Checks that reading any bytes ends, and that both ways of reading agree.
fn any_bytes<C: RowCodec>(packed: &[u8], cells: usize) {
    let mut row = vec![0; cells.div_ceil(WORD_BITS)];
    let decoded = C::decode(packed, cells, &mut row);
    let mut iterator = C::cells(packed, cells);
    let seen: Result<Vec<u32>, _> = iterator.by_ref().collect();
    assert_eq!(iterator.next(), None, "no items after the end");
    match decoded {
        Ok(read) => {
            assert!(read <= packed.len());
            assert_eq!(seen, Ok(ones(&row).collect()));
            assert!(ones(&row).all(|cell| (cell as usize) < cells));
        }
        Err(error) => assert_eq!(seen, Err(error)),
    }
}

/// The visibility text's `DecompressPVS` of its new codec, bit by bit, which also rejects invalid
/// rows. Returns the row and its packed size.
fn listing(packed: &[u8], cells: usize) -> Option<(Vec<u64>, usize)> {
    let mut bytes = packed.iter().map(|&byte| usize::from(byte));
    let mut visible = Vec::new();
    let mut at = 0;
    let end = cells.div_ceil(8) * 8;
    while at < end {
        let code = bytes.next()?;
        if code & 0x80 == 0 {
            visible.extend((0..7).filter(|bit| code >> bit & 1 != 0).map(|bit| at + bit));
            at += 7;
            continue;
        }
        let second = if code & 0x40 != 0 { bytes.next()? } else { 0 };
        at += (code & 0x3F | second << 6) + 1;
        if at > end {
            return None;
        }
    }
    let read = packed.len() - bytes.len();
    visible.iter().all(|&cell| cell < cells).then(|| (row_of(cells, visible), read))
}

/// Rows of any density, with long runs of zeros and of ones.
fn rows() -> impl Strategy<Value = (usize, Vec<u64>)> {
    let run = prop_oneof![
        0..12usize,
        50..80usize,
        500..600usize,
        2040..2060usize,
        4090..4100usize,
        16380..16400usize
    ];
    (0..9usize, proptest::collection::vec((run, 0..20usize), 1..12), any::<u64>()).prop_map(
        |(more, runs, seed)| {
            let mut cells = 0;
            let mut visible = Vec::new();
            let mut random = Random::new(seed);
            let mut draw = || random.below(2) == 1;
            for (zeros, mixed) in runs {
                cells += zeros;
                let dense = draw();
                visible.extend((cells..cells + mixed).filter(|_| draw() || dense));
                cells += mixed;
            }
            cells += more;
            (cells, row_of(cells, visible))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_row_survives_round_trip((cells, row) in rows()) {
        let bytes = cells.div_ceil(8);
        prop_assert!(round_trip::<Quake>(&row, cells) <= bytes.div_ceil(2) * 3);
        round_trip::<ZeroOne>(&row, cells);
        prop_assert!(round_trip::<SevenBit>(&row, cells) <= (bytes * 8).div_ceil(7));
    }

    #[test]
    fn any_bytes_decode_or_fail_without_panic(
        packed in proptest::collection::vec(prop_oneof![any::<u8>(), Just(0u8), 0..4u8, 0x7F..0x83u8], 0..200),
        cells in prop_oneof![0..300usize, 0..40_000usize],
    ) {
        any_bytes::<Quake>(&packed, cells);
        any_bytes::<ZeroOne>(&packed, cells);
        any_bytes::<SevenBit>(&packed, cells);
    }

    #[test]
    fn seven_bit_rows_match_listing(
        (cells, row) in rows(),
        damage in proptest::collection::vec((any::<u16>(), any::<u8>()), 0..3),
        cut in prop_oneof![Just(0), 0..40usize],
        fewer in prop_oneof![Just(0), 0..70usize],
    ) {
        let mut packed = encoded::<SevenBit>(&row, cells);
        let length = packed.len();
        for (at, with) in damage.into_iter().filter(|_| length > 0) {
            packed[usize::from(at) % length] ^= with;
        }
        packed.truncate(length.saturating_sub(cut));
        let cells = cells.saturating_sub(fewer);
        let mut back = vec![0; cells.div_ceil(WORD_BITS)];
        let decoded = SevenBit::decode(&packed, cells, &mut back).ok().map(|read| (back, read));
        prop_assert_eq!(decoded, listing(&packed, cells));
        any_bytes::<SevenBit>(&packed, cells);
    }

    #[test]
    fn damaged_rows_decode_or_fail_without_panic((cells, row) in rows(), at in any::<u16>(), with in any::<u8>()) {
        fn damaged<C: RowCodec>(row: &[u64], cells: usize, at: u16, with: u8) {
            let mut packed = encoded::<C>(row, cells);
            if !packed.is_empty() {
                let at = usize::from(at) % packed.len();
                packed[at] ^= with;
            }
            any_bytes::<C>(&packed, cells);
        }
        damaged::<Quake>(&row, cells, at, with);
        damaged::<ZeroOne>(&row, cells, at, with);
        damaged::<SevenBit>(&row, cells, at, with);
    }
}

#[test]
fn codes_match_text() {
    // Quake: a byte, two zero bytes, a byte, zeros to the end of the row.
    let row = row_of(48, [0, 9 + 16, 31]);
    assert_eq!(encoded::<Quake>(&row, 48), [1, 0, 1, 0b1000_0010, 0, 1]);
    // A run is at most 256 zero bytes; the count of 257 would overflow to 0.
    assert_eq!(encoded::<Quake>(&row_of(8 * 257, []), 8 * 257), [0, 255, 0, 0]);
    assert_eq!(encoded::<Quake>(&row_of(8 * 256, []), 8 * 256), [0, 255]);
    // 12/4: no zeros and a one; 24 zeros and a one; 5 zeros and 15 ones; the last one; 4095 zeros.
    let row = row_of(48, [0, 25].into_iter().chain(31..47));
    assert_eq!(encoded::<ZeroOne>(&row, 48), [0, 0x10, 24, 0x10, 5, 0xF0, 0, 0x10, 1, 0]);
    assert_eq!(encoded::<ZeroOne>(&row_of(4096, []), 4096), [0xFF, 0x0F, 1, 0]);
    // New: seven cells; 18 zeros; seven cells; six zeros and a one; two zeros as cells.
    let row = row_of(48, [0, 25, 38, 45]);
    assert_eq!(encoded::<SevenBit>(&row, 48), [1, 0x80 | 17, 1, 0b0100_0000, 0b100_0000, 0]);
    // Runs start at seven zeros and end at 64 in one byte, 16384 in two.
    assert_eq!(encoded::<SevenBit>(&row_of(8, [7]), 8), [0x80 | 6, 1]);
    assert_eq!(encoded::<SevenBit>(&row_of(64, []), 64), [0x80 | 63]);
    assert_eq!(encoded::<SevenBit>(&row_of(72, []), 72), [0xC0 | 7, 1]);
    assert_eq!(encoded::<SevenBit>(&row_of(16392, []), 16392), [0xFF, 0xFF, 0x80 | 7]);
}

#[test]
fn worst_case_sizes_match_module_docs() {
    // Never seven zeros: 8/7. Alternating zero and non-zero bytes: 1.5.
    let dense = row_of(5600, (0..5600).filter(|cell| cell % 7 == 6));
    assert_eq!(round_trip::<SevenBit>(&dense, 5600), 800);
    let alternating = row_of(5600, (0..5600).step_by(16));
    assert_eq!(round_trip::<Quake>(&alternating, 5600), 700 / 2 * 3);
    assert_eq!(round_trip::<ZeroOne>(&row_of(5600, (0..5600).step_by(2)), 5600), 5600 + 2);
    for cells in [0, 1, 7, 8, 63, 64, 65, 4095, 4096, 16384, 16385, 40_000] {
        for row in [row_of(cells, []), row_of(cells, 0..cells), row_of(cells, cells.checked_sub(1))]
        {
            round_trip::<Quake>(&row, cells);
            round_trip::<ZeroOne>(&row, cells);
            round_trip::<SevenBit>(&row, cells);
        }
    }
}

#[test]
fn rows_past_the_end_are_rejected() {
    fn reason<C: RowCodec>(packed: &[u8], cells: usize) -> String {
        any_bytes::<C>(packed, cells);
        C::decode(packed, cells, &mut [0; 4]).unwrap_err().to_string()
    }
    assert_eq!(reason::<Quake>(&[1, 0, 1], 16), format!("byte 3: {TOO_LONG}"));
    assert_eq!(reason::<Quake>(&[1, 0], 16), format!("byte 2: {CUT_OFF}"));
    assert_eq!(reason::<Quake>(&[0b1000_0000], 7), format!("byte 1: {NO_SUCH_CELL}"));
    assert_eq!(reason::<ZeroOne>(&[8, 0x10], 8), format!("byte 2: {TOO_LONG}"));
    assert_eq!(reason::<ZeroOne>(&[0, 0, 0], 8), format!("byte 3: {CUT_OFF}"));
    assert_eq!(reason::<ZeroOne>(&[0, 0x80], 7), format!("byte 2: {NO_SUCH_CELL}"));
    assert_eq!(reason::<SevenBit>(&[0x80 | 8], 8), format!("byte 1: {TOO_LONG}"));
    assert_eq!(reason::<SevenBit>(&[0xC0], 80), format!("byte 1: {CUT_OFF}"));
    // The last seven cells overhang by six.
    assert_eq!(SevenBit::decode(&[0, 1], 8, &mut [0]), Ok(2));
    assert_eq!(reason::<SevenBit>(&[0, 2], 8), format!("byte 2: {NO_SUCH_CELL}"));
    assert_eq!(reason::<SevenBit>(&[0, 1], 7), format!("byte 2: {NO_SUCH_CELL}"));
}

/// Loads a map from `../shared/data/pvs` (or `STONERUN_DATA`), which is not part of the project.
/// Returns `None` if it is absent.
fn real(name: &str) -> Option<Matrix> {
    let data = std::env::var_os("STONERUN_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let path = data.join("pvs").join(name).with_extension("pvs");
    if !path.exists() {
        println!("skipped: {} is missing", path.display());
        return None;
    }
    let file = std::fs::read(path).unwrap();
    let mut matrix = Matrix::new(u32::from_le_bytes(file[..4].try_into().unwrap()) as usize);
    for (i, row) in file[8..].chunks(matrix.row_bytes()).enumerate() {
        matrix.set_row_bytes(i, row);
    }
    Some(matrix)
}

#[test]
fn real_rows_have_expected_sizes() {
    for (name, cells, raw, quake, zero_one, new) in [
        ("aggressor", 406, 20_706, 17_793, 31_398, 16_068),
        ("ce1m7", 602, 45_752, 17_751, 27_660, 17_114),
        ("mlctf1beta", 1175, 172_725, 108_040, 194_636, 96_850),
        ("oa_bases5", 246, 7_626, 6_143, 13_730, 6_169),
        ("oa_shouse", 897, 101_361, 91_716, 167_796, 90_161),
        ("ps37ctf", 302, 11_476, 11_379, 18_636, 11_515),
    ] {
        let Some(matrix) = real(name) else { return };
        assert_eq!((matrix.cells(), matrix.cells() * matrix.row_bytes()), (cells, raw), "{name}");
        let sum =
            |of: fn(&[u64], usize) -> usize| matrix.rows().map(|row| of(row, cells)).sum::<usize>();
        let sizes =
            [sum(round_trip::<Quake>), sum(round_trip::<ZeroOne>), sum(round_trip::<SevenBit>)];
        assert_eq!(sizes, [quake, zero_one, new], "{name}");
    }
}
