//! Noise fields, hashes and the curves that shape landforms.
//!
//! A map must be identical on every machine, so this module uses only operations that IEEE 754
//! defines to the last bit: add, multiply, divide, floor, square root. `powf`, `sin` and `exp` are
//! excluded: their last digits differ between platforms, and one digit can move a voxel.

use crate::random;
use noise::{NoiseFn, Perlin, SuperSimplex};

/// Frequency ratio of adjacent octaves; not 2, so lattice points never coincide.
const LACUNARITY: f64 = 2.03;

/// Two-dimensional fractal noise.
pub(super) struct NoiseField2 {
    source: SuperSimplex,
    frequency: f64,
    octaves: u32,
    /// Scales the sum of the octaves to about -1..1.
    norm: f64,
}

impl NoiseField2 {
    /// A field with features of about `wavelength` metres.
    pub(super) fn new(seed: u64, salt: u64, wavelength: f64, octaves: u32) -> NoiseField2 {
        let sum: f64 = (0..octaves).map(|i| 1.0 / f64::from(1 << i)).sum();
        NoiseField2 {
            source: SuperSimplex::new(hash(seed, [salt as i32, 0, 0]) as u32),
            frequency: 1.0 / wavelength,
            octaves,
            norm: 1.0 / sum,
        }
    }

    /// The value at `x`, `z`: about -1..1, mostly within half of that.
    pub(super) fn get(&self, x: f64, z: f64) -> f64 {
        let mut frequency = self.frequency;
        let mut amplitude = 1.0;
        let mut sum = 0.0;
        for octave in 0..self.octaves {
            let shift = f64::from(octave) * 37.7;
            sum += amplitude * self.source.get([x * frequency + shift, z * frequency - shift]);
            frequency *= LACUNARITY;
            amplitude *= 0.5;
        }
        sum * self.norm
    }

    /// Sharp crests with wide valleys between them, 0..1. Each octave is folded at zero and
    /// weighted by the previous one, so crests are rough and valley floors smooth (Musgrave's
    /// ridged multifractal).
    pub(super) fn ridged(&self, x: f64, z: f64) -> f64 {
        let mut frequency = self.frequency;
        let mut amplitude = 1.0;
        let mut sum = 0.0;
        let mut weight = 1.0;
        for octave in 0..self.octaves {
            let shift = f64::from(octave) * 37.7;
            let fold = 1.0 - self.source.get([x * frequency + shift, z * frequency - shift]).abs();
            let signal = fold * fold * weight;
            weight = (signal * 1.8).clamp(0.0, 1.0);
            sum += amplitude * signal;
            frequency *= LACUNARITY;
            amplitude *= 0.5;
        }
        sum * self.norm
    }
}

/// Three-dimensional fractal noise.
pub(super) struct NoiseField3 {
    source: Perlin,
    frequency: [f64; 2],
    octaves: u32,
}

impl NoiseField3 {
    /// A field with features of about `across` metres in width and `high` metres in height.
    pub(super) fn new(seed: u64, salt: u64, across: f64, high: f64, octaves: u32) -> NoiseField3 {
        let source = Perlin::new(hash(seed, [salt as i32, 1, 0]) as u32);
        NoiseField3 { source, frequency: [1.0 / across, 1.0 / high], octaves }
    }

    /// The value at `x`, `y`, `z`: about -1..1.
    pub(super) fn get(&self, x: f64, y: f64, z: f64) -> f64 {
        let [mut across, mut high] = self.frequency;
        let mut amplitude = 1.0;
        let mut sum = 0.0;
        for octave in 0..self.octaves {
            // Perlin noise is 0 at lattice points; the shift moves voxel positions off them.
            let shift = f64::from(octave) * 37.7 + 0.37;
            sum += amplitude
                * self.source.get([x * across + shift, y * high - shift, z * across + shift]);
            across *= LACUNARITY;
            high *= LACUNARITY;
            amplitude *= 0.5;
        }
        sum
    }
}

/// Hashes a position.
pub(super) fn hash(seed: u64, at: [i32; 3]) -> u64 {
    at.into_iter().fold(seed, |hash, part| random::hash(hash ^ u64::from(part as u32)))
}

/// The upper 53 bits of a hash as a number in 0..1.
pub(super) fn unit(hash: u64) -> f64 {
    (hash >> 11) as f64 / (1u64 << 53) as f64
}

/// Smoothstep: 0 at `lo`, 1 at `hi`, clamped beyond. `lo` may be above `hi`.
pub(super) fn smooth(lo: f64, hi: f64, v: f64) -> f64 {
    let t = ((v - lo) / (hi - lo)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Interpolates linearly from `a` (t = 0) to `b` (t = 1).
pub(super) fn lerp(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

/// Interpolates linearly between `knots`, sorted by their first component; constant beyond the
/// ends.
pub(super) fn polyline(knots: &[(f64, f64)], v: f64) -> f64 {
    let next = knots.partition_point(|k| k.0 <= v);
    match (next.checked_sub(1).map(|i| knots[i]), knots.get(next)) {
        (Some(a), Some(b)) => lerp(a.1, b.1, (v - a.0) / (b.0 - a.0)),
        (Some(end), None) => end.1,
        (None, start) => start.map_or(0.0, |k| k.1),
    }
}
