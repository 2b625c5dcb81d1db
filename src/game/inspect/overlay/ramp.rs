//! The colour ramp of the overlays, and the position of bytes per voxel on it: indigo, teal, yellow
//! and orange over nearly three powers of ten. The ramp has no red, which in the whole interface
//! means that something is not saved, damaged or lost.
//!
//! Positions are logarithmic, because chunks differ by factors: a chunk with two materials in flat
//! layers takes a hundredth of the bytes of a chunk full of caves and leaves. Colours are mixed in
//! Oklab, so that equal factors look like equal steps.

use bevy::color::{Mix, Oklaba, Srgba};
use std::ops::RangeInclusive;

/// Bytes per voxel at the two ends of the ramp.
pub const RANGE: RangeInclusive<f64> = 0.0005..=0.3;

const STOPS: [(f32, Srgba); 4] = [
    (0.0, Srgba::rgb(0.25, 0.25, 0.86)),
    (0.36, Srgba::rgb(0.10, 0.72, 0.68)),
    (0.70, Srgba::rgb(0.99, 0.90, 0.35)),
    (1.0, Srgba::rgb(0.96, 0.55, 0.12)),
];

/// Position of `per_voxel` bytes on the ramp, 0 to 1.
#[must_use]
pub fn ramp_position(per_voxel: f64) -> f32 {
    let (low, high) = RANGE.into_inner();
    // With this order of `max`, NaN gives the low end.
    let inside = low.max(per_voxel).min(high);
    ((inside / low).ln() / (high / low).ln()) as f32
}

/// Colour at a position from 0 to 1.
#[must_use]
pub fn colour(position: f32) -> Srgba {
    let position = position.clamp(0.0, 1.0);
    let next = STOPS.iter().position(|(at, _)| *at >= position).unwrap_or(STOPS.len() - 1).max(1);
    let (from, a) = STOPS[next - 1];
    let (to, b) = STOPS[next];
    Oklaba::from(a).mix(&Oklaba::from(b), (position - from) / (to - from)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_bytes_are_further_right() {
        assert_eq!(
            (ramp_position(0.0), ramp_position(f64::NAN), ramp_position(*RANGE.start())),
            (0.0, 0.0, 0.0)
        );
        assert_eq!((ramp_position(*RANGE.end()), ramp_position(7.0)), (1.0, 1.0));
        let positions: Vec<f32> =
            (0..60).map(|i| ramp_position(0.0005 * 1.11f64.powi(i))).collect();
        assert!(positions.windows(2).all(|w| w[0] < w[1]), "{positions:?}");
        // Equal factors give equal steps.
        let step = |from: f64| ramp_position(from * 2.0) - ramp_position(from);
        assert!((step(0.001) - step(0.1)).abs() < 1e-6);
    }

    #[test]
    fn no_colour_is_red() {
        for i in 0..=200 {
            let c = colour(i as f32 / 200.0);
            assert!(c.red <= c.green.max(c.blue) + 0.45, "{c:?}");
            assert!(c.red < 0.5 || c.green > 0.5, "{c:?}");
        }
    }

    #[test]
    fn colours_are_valid_and_change_smoothly() {
        let colours: Vec<Srgba> = (0..=200).map(|i| colour(i as f32 / 200.0)).collect();
        for c in &colours {
            for part in [c.red, c.green, c.blue] {
                assert!((-0.001..=1.001).contains(&part), "{c:?}");
            }
        }
        let differ = |a: Srgba, b: Srgba| {
            ((a.red - b.red).powi(2) + (a.green - b.green).powi(2) + (a.blue - b.blue).powi(2))
                .sqrt()
        };
        for pair in colours.windows(2) {
            let step = differ(pair[0], pair[1]);
            assert!(step > 0.000_5 && step < 0.05, "{pair:?} {step}");
        }
        let close = |a: Srgba, b: Srgba| differ(a, b) < 0.01;
        assert!(STOPS.iter().all(|(at, c)| close(colour(*at), *c)));
        assert!(close(colour(-3.0), STOPS[0].1) && close(colour(9.0), STOPS[3].1));
    }
}
