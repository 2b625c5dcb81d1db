//! Noise fields, hashes and the few curves that landforms are made of.
//!
//! A map must come out the same on every machine, so everything here is built from operations that IEEE 754
//! fixes to the last bit: add, multiply, divide, floor, square root. No `powf`, `sin` or `exp`: their last
//! digits differ between platforms' mathematics libraries, and one differing digit moves a voxel.

use noise::{NoiseFn, Perlin, SuperSimplex};

/// Each octave's frequency over the one before; not 2, so that lattice points never coincide.
const LACUNARITY: f64 = 2.03;

/// A fractal noise over the plane.
pub(super) struct Field {
    source: SuperSimplex,
    frequency: f64,
    octaves: u32,
    /// Brings the sum of the octaves back to about -1..1.
    norm: f64,
}

impl Field {
    /// A field whose largest features are about `wavelength` metres across.
    pub(super) fn new(seed: u64, salt: u64, wavelength: f64, octaves: u32) -> Field {
        let sum: f64 = (0..octaves).map(|i| 1.0 / f64::from(1 << i)).sum();
        Field {
            source: SuperSimplex::new(hash(seed, [salt as i32, 0, 0]) as u32),
            frequency: 1.0 / wavelength,
            octaves,
            norm: 1.0 / sum,
        }
    }

    /// About -1..1, mostly within half of that.
    pub(super) fn get(&self, x: f64, z: f64) -> f64 {
        let (mut frequency, mut amplitude, mut sum) = (self.frequency, 1.0, 0.0);
        for octave in 0..self.octaves {
            let shift = f64::from(octave) * 37.7;
            sum += amplitude * self.source.get([x * frequency + shift, z * frequency - shift]);
            frequency *= LACUNARITY;
            amplitude *= 0.5;
        }
        sum * self.norm
    }

    /// Sharp crests with wide valleys between, 0..1: each octave is folded at zero and weighted by the one
    /// before, so crests are rough and valley floors smooth (Musgrave's ridged multifractal).
    pub(super) fn ridged(&self, x: f64, z: f64) -> f64 {
        let (mut frequency, mut amplitude, mut sum, mut weight) = (self.frequency, 1.0, 0.0, 1.0);
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

/// A fractal noise in space.
pub(super) struct Field3 {
    source: Perlin,
    frequency: [f64; 2],
    octaves: u32,
}

impl Field3 {
    /// A field with features about `across` metres wide and `high` metres high.
    pub(super) fn new(seed: u64, salt: u64, across: f64, high: f64, octaves: u32) -> Field3 {
        let source = Perlin::new(hash(seed, [salt as i32, 1, 0]) as u32);
        Field3 { source, frequency: [1.0 / across, 1.0 / high], octaves }
    }

    /// About -1..1.
    pub(super) fn get(&self, x: f64, y: f64, z: f64) -> f64 {
        let ([mut across, mut high], mut amplitude, mut sum) = (self.frequency, 1.0, 0.0);
        for octave in 0..self.octaves {
            // Perlin noise is 0 at lattice points; the shift keeps world positions off them.
            let shift = f64::from(octave) * 37.7 + 0.37;
            sum += amplitude * self.source.get([x * across + shift, y * high - shift, z * across + shift]);
            across *= LACUNARITY;
            high *= LACUNARITY;
            amplitude *= 0.5;
        }
        sum
    }
}

/// Scatters a position over all 64-bit numbers (the finisher of `SplitMix64`, once per part).
pub(super) fn hash(seed: u64, at: [i32; 3]) -> u64 {
    at.into_iter().fold(seed, |h, part| {
        let mut h = (h ^ u64::from(part as u32)).wrapping_add(0x9E37_79B9_7F4A_7C15);
        h = (h ^ (h >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        h = (h ^ (h >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        h ^ (h >> 31)
    })
}

/// The top 53 bits of a hash as a number in 0..1.
pub(super) fn unit(hash: u64) -> f64 {
    (hash >> 11) as f64 / (1u64 << 53) as f64
}

/// 0 below `lo`, 1 above `hi`, an S-curve between.
pub(super) fn smooth(lo: f64, hi: f64, v: f64) -> f64 {
    let t = ((v - lo) / (hi - lo)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// From `a` (t = 0) to `b` (t = 1).
pub(super) fn lerp(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

/// Straight lines through `knots` (ascending first parts), level beyond their ends.
pub(super) fn polyline(knots: &[(f64, f64)], v: f64) -> f64 {
    let next = knots.partition_point(|k| k.0 <= v);
    match (next.checked_sub(1).map(|i| knots[i]), knots.get(next)) {
        (Some(a), Some(b)) => lerp(a.1, b.1, (v - a.0) / (b.0 - a.0)),
        (Some(end), None) => end.1,
        (None, start) => start.map_or(0.0, |k| k.1),
    }
}
