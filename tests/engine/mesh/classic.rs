//! The classic greedy mesher.

use super::brute::{Unit, axes};
use glam::IVec3;
use std::collections::BTreeMap;

/// The number of quads that the classic greedy mesher makes of these faces under the same rules for
/// merging: in each slice, the first free face grows along u as far as possible, then along v as
/// far as the whole row can.
pub fn classic_greedy(units: &[Unit]) -> usize {
    let mut left: BTreeMap<(usize, u8, [i32; 3]), Unit> =
        units.iter().map(|u| ((u.layer, u.face, [u.at[1], u.at[2], u.at[0]]), *u)).collect();
    let mut quads = 0;
    while let Some((_, first)) = left.first_key_value() {
        let first = *first;
        let (u, v) = axes(first.face);
        let key = |at: IVec3| (first.layer, first.face, [at.y, at.z, at.x]);
        let fits = |left: &BTreeMap<_, Unit>, at: IVec3| {
            left.get(&key(at))
                .is_some_and(|unit| Unit { at: first.at, ao: first.ao, ..*unit } == first)
        };
        let start = IVec3::from_array(first.at);
        let mut width = 1;
        let mut rows = 1;
        while first.face < 6 && fits(&left, start + u * width) {
            width += 1;
        }
        let whole = first.low == first.high || (first.low, first.high) == (0, 16);
        while first.face < 6 && whole && (0..width).all(|i| fits(&left, start + u * i + v * rows)) {
            rows += 1;
        }
        for i in 0..width {
            for j in 0..rows {
                left.remove(&key(start + u * i + v * j));
            }
        }
        quads += 1;
    }
    quads
}
