//! Values that files store for cells without a height, without declaring them.

/// Values that programs store for "no data". No ground on Earth has such a height, except the sea
/// at a depth of 9999 m, which occurs next to similar depths. The last two values are the ends of
/// signed 32-bit integers.
const VOIDS: [f32; 12] = [
    -32_768.0,
    -32_767.0,
    -32_766.0,
    -9999.0,
    -99_999.0,
    -999_999.0,
    32_767.0,
    9999.0,
    99_999.0,
    999_999.0,
    -2_147_483_648.0,
    2_147_483_648.0,
];

/// Minimum distance of such a value to the nearest other height, in units of the file. Real terrain
/// that reaches one of the values has heights close to it.
const MIN_DISTANCE: f32 = 1000.0;

/// A value that was taken for "no data".
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct UndeclaredVoid {
    pub(super) value: f32,
    /// Number of cells that hold the value.
    pub(super) cells: usize,
}

/// Replaces values that mean "no data" with NaN: values of the list that lie far from all other
/// heights.
pub(super) fn remove(heights: &mut [f32]) -> Vec<UndeclaredVoid> {
    let place = |height: f32| match height.abs() {
        // 9999 is the smallest absolute value in the list.
        9999.0.. => VOIDS.iter().position(|void| *void == height),
        _ => None,
    };
    let mut counts = [0; VOIDS.len()];
    for void in heights.iter().filter_map(|height| place(*height)) {
        counts[void] += 1;
    }
    let is_void = |void: usize| {
        let mut others = heights.iter().filter(|height| place(**height).is_none());
        counts[void] > 0 && !others.any(|other| (other - VOIDS[void]).abs() < MIN_DISTANCE)
    };
    let found: Vec<UndeclaredVoid> = (0..VOIDS.len())
        .filter(|void| is_void(*void))
        .map(|void| UndeclaredVoid { value: VOIDS[void], cells: counts[void] })
        .collect();
    if !found.is_empty() {
        for height in heights.iter_mut() {
            if found.iter().any(|void| void.value == *height) {
                *height = f32::NAN;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn removed(heights: &[f32]) -> Vec<(f32, usize)> {
        let mut left = heights.to_vec();
        let found: Vec<_> =
            remove(&mut left).into_iter().map(|void| (void.value, void.cells)).collect();
        let missing = left.iter().filter(|height| height.is_nan()).count();
        let before = heights.iter().filter(|height| height.is_nan()).count();
        assert_eq!(missing - before, found.iter().map(|(_, cells)| cells).sum::<usize>());
        found
    }

    #[test]
    fn only_values_apart_from_others_are_voids() {
        for void in VOIDS {
            assert_eq!(removed(&[100.0, void, 280.0, void]), [(void, 2)]);
        }
        assert_eq!(
            removed(&[-32768.0, 5.0, -9999.0, f32::NAN, -9999.0]),
            [(-32768.0, 1), (-9999.0, 2)]
        );
        // The deep sea, and pictures that use all values, keep their heights.
        assert_eq!(removed(&[-9999.0, -10_500.0, -9500.0, 3.0]), []);
        assert_eq!(removed(&[-32768.0, -32767.0, -32000.0, 32767.0, 32000.0]), []);
        assert_eq!(removed(&[-9998.0, 0.0, -999.0]), []);
        // A value is a void even if there are no other heights.
        assert_eq!(removed(&[-9999.0, -9999.0]), [(-9999.0, 2)]);
        assert_eq!(removed(&[f32::NAN]), []);
    }
}
