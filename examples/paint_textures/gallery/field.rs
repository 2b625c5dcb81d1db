//! Fields and levels: light and shade of a texture before it gets colours.
//!
//! A [`Field`] is a number for every texel, made of noise that wraps. [`Levels`] are steps on a
//! palette. A field becomes levels by rank, not by threshold, so that each shade has exactly the
//! requested share for any noise, which keeps large surfaces calm and even.
//!
//! The code uses only arithmetic and square roots, because sines and powers may differ in their
//! last bits between machines, and a test compares the committed picture texel by texel with the
//! painted one.

use super::canvas::{Canvas, SIZE, coordinates, index};

/// Pseudorandom number from 0 to 1 that depends only on the arguments.
pub fn hash(seed: u32, x: i32, y: i32) -> f32 {
    let mut h = seed.wrapping_mul(0x9E37_79B9)
        ^ (x as u32).wrapping_mul(0x85EB_CA6B)
        ^ (y as u32).wrapping_mul(0xC2B2_AE35);
    for _ in 0..2 {
        h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
        h = (h ^ (h >> 12)).wrapping_mul(0x297A_2D39);
    }
    ((h ^ (h >> 15)) >> 8) as f32 / 16_777_215.0
}

/// The `i`th of a sequence of points in the unit square. Every prefix of the sequence is evenly
/// distributed, because the steps are powers of the plastic number.
pub fn spread(i: i32) -> (f32, f32) {
    ((0.754_877_7 * i as f32 + 0.31).fract(), (0.569_840_3 * i as f32 + 0.17).fract())
}

/// A wave from 0 to 1 with period 1, similar to a sine.
pub fn wave(phase: f32) -> f32 {
    let t = 1.0 - (2.0 * (phase - phase.floor()) - 1.0).abs();
    t * t * (3.0 - 2.0 * t)
}

/// A number for every texel.
#[derive(Clone)]
pub struct Field([f32; 256]);

impl Field {
    /// Creates a field with the numbers from `value`.
    pub fn from_fn(mut value: impl FnMut(i32, i32) -> f32) -> Field {
        let mut field = Field([0.0; 256]);
        for (x, y) in coordinates() {
            field.0[index(x, y)] = value(x, y);
        }
        field
    }

    /// Smooth noise from 0 to 1 with `across` by `down` knots per texture. Few knots give broad
    /// patches; unequal numbers give streaks.
    pub fn noise(seed: u32, across: i32, down: i32) -> Field {
        let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
        Field::from_fn(|x, y| {
            let fx = (x * across) as f32 / SIZE as f32;
            let fy = (y * down) as f32 / SIZE as f32;
            let ix = fx.floor() as i32;
            let iy = fy.floor() as i32;
            let tx = smooth(fx.fract());
            let ty = smooth(fy.fract());
            let knot = |dx: i32, dy: i32| hash(seed, (ix + dx) % across, (iy + dy) % down);
            let top = knot(0, 0) * (1.0 - tx) + knot(1, 0) * tx;
            let bottom = knot(0, 1) * (1.0 - tx) + knot(1, 1) * tx;
            top * (1.0 - ty) + bottom * ty
        })
    }

    /// Noise plus finer noise with twice as many knots.
    pub fn fractal(seed: u32, across: i32, down: i32) -> Field {
        Field::noise(seed, across, down).plus(0.5, &Field::noise(seed + 101, across * 2, down * 2))
    }

    /// Clods: evenly scattered round spots, lighter or darker. Unlike lattice noise, they have no
    /// direction.
    pub fn clods(seed: u32) -> Field {
        Field::spots(seed, 44, 3.6).plus(0.55, &Field::spots(seed + 1, 110, 2.1)).even()
    }

    /// `count` soft spots of one radius.
    fn spots(seed: u32, count: i32, radius: f32) -> Field {
        let size = SIZE as f32;
        let around = |d: f32| d - (d / size).round() * size;
        let spots: Vec<_> = (0..count)
            .map(|i| {
                let (x, y) = spread(i);
                (
                    size * x + 3.0 * hash(seed, i, 0),
                    size * y + 3.0 * hash(seed, i, 1),
                    hash(seed, i, 2) - 0.5,
                )
            })
            .collect();
        Field::from_fn(|x, y| {
            let bump = |&(sx, sy, strength): &(f32, f32, f32)| {
                let dx = around(x as f32 - sx);
                let dy = around(y as f32 - sy);
                let near = (1.0 - (dx * dx + dy * dy) / (radius * radius)).max(0.0);
                strength * near * near
            };
            spots.iter().map(bump).sum()
        })
    }

    /// The number at a texel; coordinates wrap.
    pub fn at(&self, x: i32, y: i32) -> f32 {
        self.0[index(x, y)]
    }

    /// Adds `share` times another field to this field.
    pub fn plus(&self, share: f32, other: &Field) -> Field {
        Field::from_fn(|x, y| self.at(x, y) + share * other.at(x, y))
    }

    /// The field as a relief lit from the top left: slopes that face the light get higher numbers.
    pub fn lit(&self, strength: f32) -> Field {
        Field::from_fn(|x, y| {
            self.at(x, y) + strength * (self.at(x + 1, y + 1) - self.at(x - 1, y - 1))
        })
    }

    /// The field without broad light and dark patches, rows and columns, because they would stand
    /// out when the texture repeats.
    pub fn even(&self) -> Field {
        const REACH: i32 = 4;
        let around = || (-REACH..=REACH).flat_map(|dy| (-REACH..=REACH).map(move |dx| (dx, dy)));
        let count = around().count() as f32;
        let flat = Field::from_fn(|x, y| {
            let mean = around().map(|(dx, dy)| self.at(x + dx, y + dy)).sum::<f32>() / count;
            self.at(x, y) - 0.9 * mean
        });
        let mean = |at: &dyn Fn(i32) -> f32| (0..SIZE).map(at).sum::<f32>() / SIZE as f32;
        Field::from_fn(|x, y| flat.at(x, y) - mean(&|i| flat.at(i, y)) - mean(&|i| flat.at(x, i)))
    }

    /// Levels by rank: the lowest texels get level 0, in the proportion of `shares[0]` to the sum
    /// of all shares.
    pub fn levels(&self, shares: &[f32]) -> Levels {
        let mut order: Vec<usize> = (0..256).collect();
        order.sort_by(|&a, &b| self.0[a].total_cmp(&self.0[b]));
        let total: f32 = shares.iter().sum();
        let mut levels = Levels([0; 256]);
        for (rank, &texel) in order.iter().enumerate() {
            let mut rest = (rank as f32 + 0.5) / 256.0 * total;
            let mut level = 0;
            for share in &shares[..shares.len() - 1] {
                if rest < *share {
                    break;
                }
                rest -= share;
                level += 1;
            }
            levels.0[texel] = level;
        }
        levels
    }
}

/// A step on a palette for every texel; 0 is the darkest.
#[derive(Clone)]
pub struct Levels([i32; 256]);

impl Levels {
    /// Creates levels from `level`.
    pub fn from_fn(mut level: impl FnMut(i32, i32) -> i32) -> Levels {
        let mut levels = Levels([0; 256]);
        for (x, y) in coordinates() {
            levels.0[index(x, y)] = level(x, y);
        }
        levels
    }

    /// The level at a texel; coordinates wrap.
    pub fn at(&self, x: i32, y: i32) -> i32 {
        self.0[index(x, y)]
    }

    /// Adds to the level of a texel.
    pub fn add(&mut self, x: i32, y: i32, by: i32) {
        self.0[index(x, y)] += by;
    }

    /// Sets the level of a texel.
    pub fn set(&mut self, x: i32, y: i32, level: i32) {
        self.0[index(x, y)] = level;
    }

    /// Moves texels without an equal neighbour towards their neighbours, because single stray
    /// texels make a large surface look like static.
    pub fn calm(&self) -> Levels {
        Levels::from_fn(|x, y| {
            let own = self.at(x, y);
            let around = [(-1, 0), (1, 0), (0, -1), (0, 1)].map(|(dx, dy)| self.at(x + dx, y + dy));
            if around.contains(&own) {
                return own;
            }
            let mut sorted = around;
            sorted.sort_unstable();
            if own > sorted[1] { sorted[2] } else { sorted[1] }
        })
    }

    /// Paints with a palette, darkest first. Levels beyond its ends are clamped.
    pub fn paint(&self, palette: &[u32]) -> Canvas {
        Canvas::from_fn(|x, y| shade(palette, self.at(x, y)))
    }
}

/// The colour of a level, clamped to the palette.
pub fn shade(palette: &[u32], level: i32) -> u32 {
    palette[level.clamp(0, palette.len() as i32 - 1) as usize]
}

/// The index of the point nearest to a texel (with wrapping), and how far the texel lies to the top
/// left of that point (about -1 to 1).
pub fn nearest(points: &[(f32, f32)], x: i32, y: i32) -> (usize, f32) {
    let size = SIZE as f32;
    let around = |d: f32| d - (d / size).round() * size;
    let offset =
        |&(px, py): &(f32, f32)| (around(x as f32 + 0.5 - px), around(y as f32 + 0.5 - py));
    let mut best = (f32::MAX, 0, 0.0);
    for (which, (dx, dy)) in points.iter().map(offset).enumerate() {
        let distance = dx * dx + dy * dy;
        if distance < best.0 {
            best = (distance, which, -(dx + dy) / 4.0);
        }
    }
    (best.1, best.2)
}

/// Points on a grid, one per cell, with every other row shifted by half a cell. Each point is moved
/// by up to `jitter` cells.
pub fn scattered(seed: u32, across: i32, down: i32, jitter: f32) -> Vec<(f32, f32)> {
    let w = SIZE as f32 / across as f32;
    let h = SIZE as f32 / down as f32;
    (0..down)
        .flat_map(|row| (0..across).map(move |column| (column, row)))
        .map(|(column, row)| {
            let shift = if row % 2 == 0 { 0.25 } else { 0.75 };
            let dx = (hash(seed, column, row) - 0.5) * 2.0 * jitter;
            let dy = (hash(seed + 7, column, row) - 0.5) * 2.0 * jitter;
            ((column as f32 + shift + dx) * w, (row as f32 + 0.5 + dy) * h)
        })
        .collect()
}
