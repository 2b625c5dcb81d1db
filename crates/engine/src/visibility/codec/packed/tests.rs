//! Packed matrices: round trips, shared rows, depth of references, and invalid bytes.

use super::exp_golomb::CodeWriter;
use super::layout::{
    EQUAL_ORDER, HEADER, KIND_ORDER, MAX_DEPTH, MatrixLayout, REACH, RowRecordKind,
};
use super::*;
use crate::visibility::Matrix;
use crate::visibility::codec::ones;
use crate::visibility::codec::row_codec::{CUT_OFF, TOO_LONG};
use proptest::prelude::*;

/// Checks that each row decodes to itself, as cells, runs and bits, in any order of access, also
/// after a round trip through bytes.
fn round_trip(matrix: &Matrix) -> PackedMatrix {
    let packed = PackedMatrix::encode(matrix);
    assert_eq!(PackedMatrix::from_bytes(packed.as_bytes().to_vec()), Ok(packed.clone()));
    let cells = matrix.cells();
    let mut reader = packed.reader();
    let mut row = vec![u64::MAX; matrix.row_words()];
    let scattered = (0..cells).map(|i| i * 7919 % cells);
    for i in (0..cells).chain(scattered).chain((0..cells).rev()) {
        assert!(reader.cells(i).eq(ones(matrix.row(i))), "row {i} of {cells}");
        let runs: Vec<_> = reader.runs(i).collect();
        assert!(runs.iter().cloned().flatten().eq(ones(matrix.row(i))), "row {i} of {cells}");
        assert!(runs.windows(2).all(|pair| pair[0].end < pair[1].start), "row {i} of {cells}");
        reader.row(i, &mut row);
        assert_eq!(row, matrix.row(i), "row {i} of {cells}");
        packed.reader().row(i, &mut row);
        assert_eq!(row, matrix.row(i), "row {i} of {cells}, with a new reader");
    }
    packed
}

/// Rows of a few runs each, most of them similar to the previous row.
fn matrices() -> impl Strategy<Value = Matrix> {
    let cells = prop_oneof![1usize..80, 120usize..140, 1usize..400];
    let run = (any::<u16>(), prop_oneof![1usize..4, 1usize..200]);
    let row = (0u8..6, proptest::collection::vec(run, 0..6));
    (cells, proptest::collection::vec(row, 400)).prop_map(|(cells, rows)| {
        let mut matrix = Matrix::new(cells);
        for (i, (kind, runs)) in rows.into_iter().take(cells).enumerate() {
            let like = match kind {
                0 => None,
                1 => i.checked_sub(cells / 2),
                _ => i.checked_sub(1),
            };
            if let Some(like) = like {
                let like = matrix.row(like).to_vec();
                matrix.set_row(i, &like);
            }
            for (at, length) in runs.into_iter().take(if kind == 5 { 6 } else { 1 }) {
                let at = usize::from(at) % cells;
                for cell in at..cells.min(at + length) {
                    matrix.set(i, cell);
                }
            }
        }
        matrix
    })
}

/// Reads all rows if the bytes are valid. Panics only on a bug.
fn any_bytes(bytes: Vec<u8>) {
    if let Ok(packed) = PackedMatrix::from_bytes(bytes) {
        let mut reader = packed.reader();
        for i in 0..packed.cells() {
            let cells: Vec<u32> = reader.cells(i).collect();
            assert!(
                cells.is_sorted_by(|a, b| a < b)
                    && cells.iter().all(|&cell| (cell as usize) < packed.cells())
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_matrix_survives_round_trip(matrix in matrices()) {
        round_trip(&matrix);
    }

    #[test]
    fn damaged_matrices_decode_or_fail_without_panic(matrix in matrices(), changes in proptest::collection::vec((any::<u16>(), any::<u8>()), 1..4)) {
        let bytes = PackedMatrix::encode(&matrix).as_bytes().to_vec();
        let mut damaged = bytes.clone();
        for (at, with) in changes {
            let at = usize::from(at) % damaged.len();
            damaged[at] ^= with;
        }
        any_bytes(damaged);
        for length in 0..bytes.len().min(200) {
            assert!(PackedMatrix::from_bytes(bytes[..length].to_vec()).is_err());
        }
    }

    #[test]
    fn any_bytes_decode_or_fail_without_panic(
        cells in 0u32..40,
        entry_bits in 0u8..9,
        rest in proptest::collection::vec(prop_oneof![any::<u8>(), Just(0xFF)], 0..200),
    ) {
        any_bytes([&cells.to_le_bytes()[..], &[entry_bits], &rest].concat());
    }
}

#[test]
fn packed_bytes_match_documented_layout() {
    // Row 0 sees cells 1 and 2, row 1 the same, row 2 also cell 3, the last one.
    let mut matrix = Matrix::new(4);
    for i in [0, 1, 2] {
        matrix.set_row(i, &[0b0110]);
    }
    matrix.set(2, 3);
    let packed = round_trip(&matrix);
    let MatrixLayout { gaps, counts, entry_bits, .. } = packed.layout;
    let mut records = CodeWriter::default();
    let mut starts = Vec::new();
    for record in [
        // Row 0 refers to the row two after it, with one more change: an end at 3.
        &[(5, KIND_ORDER), (1, counts), (3, gaps[1][0])][..],
        // Row 1 equals the previous row.
        &[(1, KIND_ORDER), (0, EQUAL_ORDER)],
        // Row 2 has one change: a beginning at 1.
        &[(0, KIND_ORDER), (1, counts), (1, gaps[0][0])],
        // Row 3 has no changes.
        &[(0, KIND_ORDER), (0, counts)],
    ] {
        starts.push(records.align());
        for &(number, order) in record {
            records.put(number, order);
        }
    }
    let records = records.finish();
    let index =
        (0..).zip(&starts).fold(0, |index, (i, &at)| index | (at as u64) << (i * entry_bits));
    let index_bytes = (4 * entry_bits as usize).div_ceil(8);
    let expected =
        [&packed.as_bytes()[..HEADER], &index.to_le_bytes()[..index_bytes], &records].concat();
    assert_eq!(packed.as_bytes(), expected);
    assert_eq!(packed.as_bytes()[..4], [4, 0, 0, 0]);
}

#[test]
fn references_are_near_and_depth_is_limited() {
    // Each row differs from the previous one by one cell, so the best references form one long
    // chain.
    let mut matrix = Matrix::new(600);
    for i in 0..600 {
        (i..600.min(i + 100)).step_by(2).for_each(|cell| matrix.set(i, cell));
    }
    let packed = round_trip(&matrix);
    let mut plain = 0;
    for row in 0..600 {
        let mut depth = 0;
        let mut kind = packed.kind(row).0;
        while let RowRecordKind::ChangeOf(other) = kind {
            assert!(other.abs_diff(row) <= REACH * MAX_DEPTH);
            depth += 1;
            kind = packed.kind(other).0;
        }
        assert!(kind == RowRecordKind::Plain && depth <= MAX_DEPTH, "row {row}");
        plain += usize::from(depth == 0);
    }
    assert!((1..200).contains(&plain), "{plain}");
}

#[test]
fn small_and_dense_matrices_survive_round_trip() {
    for cells in [0, 1, 2, 63, 64, 65, 128, 200] {
        round_trip(&Matrix::new(cells));
        let mut all = Matrix::new(cells);
        let mut checkered = Matrix::new(cells);
        for i in 0..cells {
            all.set_row(i, &vec![u64::MAX; all.row_words()]);
            (i % 2..cells).step_by(2).for_each(|j| checkered.set(i, j));
        }
        assert!(round_trip(&all).as_bytes().len() <= HEADER + 40 + cells * 4);
        round_trip(&checkered);
    }
}

#[test]
fn invalid_matrix_is_rejected_with_reason() {
    let reason = |bytes: &[u8]| PackedMatrix::from_bytes(bytes.to_vec()).unwrap_err().to_string();
    assert_eq!(reason(&[1, 0, 0]), "byte 3: the header is cut off");
    assert_eq!(
        reason(&[1, 0, 16, 0, 0, 0, 0, 0, 0, 0]),
        "byte 4: more cells than a matrix may have"
    );
    assert_eq!(
        reason(&[1, 0, 0, 0, 58, 0, 0, 0, 0, 0]),
        "byte 5: an index entry has too many bits"
    );
    assert_eq!(reason(&[1, 0, 0, 0, 0, 0, 0, 16, 0, 0]), "byte 10: an order is too high");
    assert_eq!(reason(&[9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]), "byte 11: the index is cut off");
    // A million rows of zero bytes.
    assert_eq!(reason(&[0, 0, 16, 0, 0, 0, 0, 0, 0, 0]), format!("byte 10: {}", CUT_OFF));

    // Orders of 0, and one byte per index entry.
    let matrix = |records: &[&[(u32, u32)]]| {
        let mut writer = CodeWriter::default();
        let mut index = Vec::new();
        for record in records {
            index.push(writer.align() as u8);
            for &(number, order) in *record {
                writer.put(number, order);
            }
        }
        [&[records.len() as u8, 0, 0, 0, 8, 0, 0, 0, 0, 0][..], &index, &writer.finish()].concat()
    };
    let plain = &[(0, KIND_ORDER), (0, 0)][..];
    let of = |distance: u32, after: u32| [(2 * distance + after, KIND_ORDER), (0, 0)];
    assert!(PackedMatrix::from_bytes(matrix(&[plain, &of(1, 0), &of(1, 0), &of(1, 0)])).is_ok());
    let message = |records: &[&[(u32, u32)]]| reason(&matrix(records));
    let too_many = "too many references in a row";
    assert_eq!(
        message(&[plain, &of(1, 0), &of(1, 0), &of(1, 0), &of(1, 0)]),
        format!("byte 19: {too_many}")
    );
    assert_eq!(message(&[&of(1, 1), &of(1, 0)]), format!("byte 12: {too_many}"));
    let none = "a row refers to a row that is too far away or does not exist";
    assert_eq!(message(&[&of(1, 0)]), format!("byte 11: {none}"));
    assert_eq!(message(&[plain, &of(1, 1)]), format!("byte 13: {none}"));
    let too_far = of(17, 0);
    let far: Vec<_> = std::iter::repeat_n(plain, 17).chain([&too_far[..]]).collect();
    assert_eq!(message(&far), format!("byte 45: {none}"));
    let equal = &[(1, KIND_ORDER), (0, EQUAL_ORDER)];
    assert!(
        message(&[plain, equal, &of(1, 0)])
            .ends_with("a row refers to a row that only equals another")
    );
    assert!(
        message(&[plain, equal, equal])
            .ends_with("a row equals a row that is not stored before it")
    );
    let unequal = "a row equals a row that is not stored before it";
    assert_eq!(message(&[&[(1, KIND_ORDER), (0, EQUAL_ORDER)]]), format!("byte 11: {unequal}"));
    assert_eq!(message(&[&[(0, KIND_ORDER), (1, 0), (1, 0)]]), format!("byte 11: {}", TOO_LONG));
    assert_eq!(message(&[&[(0, KIND_ORDER), (7, 0)]]), format!("byte 11: {}", CUT_OFF));
    assert_eq!(
        reason(&[&matrix(&[plain])[..], &[0]].concat()),
        "byte 12: unexpected bytes follow the last row"
    );
    let mut early = matrix(&[plain, plain]);
    early[11] = 0;
    assert_eq!(reason(&early), "byte 13: a record does not begin where the one before ends");
}
