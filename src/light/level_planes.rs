//! Spreads the levels of one channel through a chunk, 32 voxels at a time.
//!
//! From the brightest level down: a voxel has level k if it has no higher one and emits k, or lies
//! next to one of level k + its own loss. So the voxels of a level follow from those of the next
//! higher ones by shifts, and every level is visited once: no queue is needed. Layers near which no
//! voxel has these levels are skipped.

use super::light_traits::MAX_LOSS;
use crate::runs::bit_rows::{AREA, SIDE, boxed};
use crate::voxel::MAX_LIGHT;

/// Levels above 0.
pub(super) const LEVELS: usize = MAX_LIGHT as usize;
/// Words of a layer: its rows, and an empty one that is also the row before the next layer's first.
const LAYER: usize = SIDE + 1;
/// Words of a plane: an empty layer below and above.
const PLANE: usize = (SIDE + 2) * LAYER + 1;
/// Planes of exact levels that are kept: light comes from no more than `MAX_LOSS` levels above.
const KEPT: usize = MAX_LOSS + 1;

/// A bit for each voxel of a chunk, x along the bits.
type Plane = [u32; PLANE];

/// First row of a layer; row z follows after z words. `y` is from -1 to 32.
const fn first_row(y: i32) -> usize {
    (y + 1) as usize * LAYER + 1
}

/// The rows of a layer of a plane.
fn layer(plane: &Plane, y: usize) -> &[u32; SIDE] {
    rows(plane, first_row(y as i32))
}

/// The rows from word `at` on.
fn rows(plane: &Plane, at: usize) -> &[u32; SIDE] {
    plane[at..].first_chunk().unwrap_or(&[0; SIDE])
}

fn layer_mut(plane: &mut Plane, y: usize) -> &mut [u32; SIDE] {
    let at = first_row(y as i32);
    let Some(rows) = plane[at..].first_chunk_mut() else { unreachable!("layers lie within a plane") };
    rows
}

/// Voxels by the levels that light loses in a step into them.
pub(super) struct LossRows {
    /// Bits of loss 1, 2 and 3.
    planes: Box<[Plane; MAX_LOSS]>,
    /// True if the chunk has voxels of loss 1, 2 and 3.
    pub any: [bool; MAX_LOSS],
}

impl Default for LossRows {
    fn default() -> LossRows {
        LossRows { planes: boxed([0; PLANE]), any: [false; MAX_LOSS] }
    }
}

impl LossRows {
    /// Sets the bits of a row for one loss, counted from 0.
    pub fn set(&mut self, loss: usize, row: usize, bits: u32) {
        self.planes[loss][first_row((row / SIDE) as i32) + row % SIDE] = bits;
    }

    /// The bits of a row for one loss, counted from 0.
    pub fn get(&self, loss: usize, row: usize) -> u32 {
        self.planes[loss][first_row((row / SIDE) as i32) + row % SIDE]
    }
}

/// Voxels at which light of one level begins.
#[derive(Clone, Copy)]
struct Source {
    y: u8,
    line: Line,
    bits: u32,
}

/// A line of 32 voxels of a layer.
#[derive(Clone, Copy)]
enum Line {
    /// Along x, at this z.
    AlongX(u8),
    /// Along z, at this x.
    AlongZ(u8),
}

/// The levels of one channel. Reused to keep its buffers.
pub(super) struct LevelPlanes {
    /// Voxels of the present level or a higher one.
    lit: Box<Plane>,
    /// Voxels of exactly level k in plane k % `KEPT`, for the latest levels.
    exact: Box<[Plane; KEPT]>,
    /// Layers with bits in each plane of `exact`: bit y.
    exact_layers: [u32; KEPT],
    /// Bit n of the levels.
    bits: Box<[[u32; AREA]; 4]>,
    /// Where light begins, by level.
    sources: [Vec<Source>; LEVELS + 1],
}

impl Default for LevelPlanes {
    fn default() -> LevelPlanes {
        LevelPlanes {
            lit: boxed(0),
            exact: boxed([0; PLANE]),
            exact_layers: [0; KEPT],
            bits: boxed([0; AREA]),
            sources: std::array::from_fn(|_| Vec::new()),
        }
    }
}

impl LevelPlanes {
    /// Light of this level, at least 1, begins at voxels of a row, numbered by z and then y.
    pub fn add_row(&mut self, level: usize, row: usize, bits: u32) {
        let (y, line) = ((row / SIDE) as u8, Line::AlongX((row % SIDE) as u8));
        self.sources[level].push(Source { y, line, bits });
    }

    /// Light of this level, at least 1, begins at voxels with these x and y: bit z.
    pub fn add_column(&mut self, level: usize, (x, y): (usize, usize), bits: u32) {
        self.sources[level].push(Source { y: y as u8, line: Line::AlongZ(x as u8), bits });
    }

    /// Lets the sun's full level, which comes from above where `rows` has bits, fall through voxels
    /// of loss 1.
    pub fn fall(&mut self, mut rows: [u32; SIDE], loss: &LossRows) {
        for y in (0..SIDE).rev() {
            let open = layer(&loss.planes[0], y);
            rows.iter_mut().zip(open).for_each(|(row, open)| *row &= open);
            if rows == [0; SIDE] {
                return;
            }
            for (z, &bits) in rows.iter().enumerate().filter(|(_, bits)| **bits != 0) {
                self.add_row(LEVELS, y * SIDE + z, bits);
            }
        }
    }

    /// Spreads all levels, and removes the sources. False if there were none: then `bits` are those
    /// of an earlier time.
    pub fn spread(&mut self, loss: &LossRows) -> bool {
        if self.sources.iter().all(Vec::is_empty) {
            return false;
        }
        self.lit.fill(0);
        self.bits.as_flattened_mut().fill(0);
        self.exact.as_flattened_mut().fill(0);
        self.exact_layers = [0; KEPT];
        for level in (1..=LEVELS).rev() {
            let mut layers = self.take_sources(level);
            for lost in (1..=MAX_LOSS).filter(|lost| loss.any[lost - 1]) {
                let from = self.exact_layers[(level + lost) % KEPT];
                layers |= from | from << 1 | from >> 1;
            }
            self.exact_layers[level % KEPT] = 0;
            while layers != 0 {
                self.spread_layer(level, layers.trailing_zeros() as usize, loss);
                layers &= layers - 1;
            }
        }
        true
    }

    /// Replaces the plane of `level` by the voxels where light of this level begins. Returns their
    /// layers.
    fn take_sources(&mut self, level: usize) -> u32 {
        let plane = &mut self.exact[level % KEPT];
        let mut old = self.exact_layers[level % KEPT];
        while old != 0 {
            layer_mut(plane, old.trailing_zeros() as usize).fill(0);
            old &= old - 1;
        }
        let mut layers = 0;
        for Source { y, line, bits } in self.sources[level].drain(..) {
            layers |= 1 << y;
            let rows = layer_mut(plane, y.into());
            match line {
                Line::AlongX(z) => rows[usize::from(z)] |= bits,
                Line::AlongZ(x) => rows.iter_mut().enumerate().for_each(|(z, row)| *row |= (bits >> z & 1) << x),
            }
        }
        layers
    }

    /// Finds the voxels of a level in one layer.
    fn spread_layer(&mut self, level: usize, y: usize, loss: &LossRows) {
        let mut found = *layer(&self.exact[level % KEPT], y);
        for lost in (1..=MAX_LOSS).filter(|lost| loss.any[lost - 1]) {
            let from = &self.exact[(level + lost) % KEPT];
            let at = first_row(y as i32);
            let [here, north, south, below, above] =
                [at, at - 1, at + 1, at - LAYER, at + LAYER].map(|at| rows(from, at));
            let conducts = layer(&loss.planes[lost - 1], y);
            for z in 0..SIDE {
                let near = here[z] << 1 | here[z] >> 1 | north[z] | south[z] | below[z] | above[z];
                found[z] |= near & conducts[z];
            }
        }
        let lit = layer_mut(&mut self.lit, y);
        let mut any = 0;
        for (found, lit) in found.iter_mut().zip(lit) {
            *found &= !*lit;
            *lit |= *found;
            any |= *found;
        }
        *layer_mut(&mut self.exact[level % KEPT], y) = found;
        if any == 0 {
            return;
        }
        self.exact_layers[level % KEPT] |= 1 << y;
        for (_, words) in self.bits.iter_mut().enumerate().filter(|(bit, _)| level >> bit & 1 == 1) {
            for (word, found) in words[y * SIDE..(y + 1) * SIDE].iter_mut().zip(&found) {
                *word |= found;
            }
        }
    }

    /// The levels as bits: bit n of the voxels of each row, for n from 0 to 3.
    pub fn bits(&self) -> &[[u32; AREA]; 4] {
        &self.bits
    }
}

/// The levels of 32 voxels given as bits: the first level above 0 that some have, and which.
pub(super) fn take_level(left: &mut u32, bits: [u32; 4]) -> Option<(usize, u32)> {
    if *left == 0 {
        return None;
    }
    let first = left.trailing_zeros();
    let mut equal = *left;
    let mut level = 0;
    for (bit, word) in bits.into_iter().enumerate() {
        let set = word >> first & 1;
        level |= (set as usize) << bit;
        equal &= if set == 1 { word } else { !word };
    }
    *left &= !equal;
    Some((level, equal))
}
