//! Tests of the table of edits.

use super::*;

#[test]
fn all_rows_are_equal_and_have_figures() {
    let input = EditInput::terrain(64).expect("terrain");
    assert_eq!((input.size().voxels, input.size().chunks), (1 << 18, 8));
    let mut shares = Vec::new();
    let rows =
        measure(&input, 1, &mut |done| shares.push(done)).expect("all edits are carried out");
    assert!(shares.is_sorted() && shares.last() == Some(&1.0), "{shares:?}");
    assert!(rows.len() >= 10, "{rows:?}");
    for row in &rows {
        assert!(row.equal && row.ratio.is_finite() && row.ratio > 0.0, "{row:?}");
    }
}
