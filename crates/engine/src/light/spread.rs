//! Spreading of the levels of one channel through a chunk, 32 voxels at a time.
//!
//! Levels are found from 15 down. A voxel that is not brighter already gets level k if it emits k,
//! or if a neighbour has level k + n, where n is the loss of a step into the voxel. So shifts of
//! the next two higher levels give all voxels of a level. Each level is visited once, and no queue
//! of voxels is needed. Layers without such voxels nearby are skipped.
//!
//! A chunk may be lit in several rounds: light spreads only to voxels that it makes brighter.

use super::bit_planes::{DimmingPlanes, LevelBits, layer};
use super::light_traits::{Dimming, MAX_LOSS};
use crate::bits::set_bits;
use crate::runs::bit_rows::{SIDE, boxed};
use crate::voxel::{Face, MAX_LIGHT};

/// Number of levels above 0.
pub(super) const LEVELS: usize = MAX_LIGHT as usize;
/// Number of words in a padded layer: its rows, and one before and after them.
const LAYER: usize = SIDE + 2;
/// Number of words in a padded plane: its layers, and one below and above.
const PADDED: usize = (SIDE + 2) * LAYER;
/// Number of levels whose voxels are kept: light comes from at most `MAX_LOSS` levels above.
const KEPT: usize = MAX_LOSS + 1;

/// Light that starts at voxels of a line.
#[derive(Clone, Copy)]
pub(super) struct LightSource {
    /// Level of the light, 1 to 15.
    pub level: u8,
    pub line: SourceLine,
    pub bits: u32,
}

/// A line of 32 voxels of a chunk, or next to it.
#[derive(Clone, Copy)]
pub(super) enum SourceLine {
    /// The row with this number, by z and then y.
    Inside(u16),
    /// The line with this number at the side of the neighbour at `Face`. Its voxels only light
    /// voxels of the chunk, and are not lit themselves.
    Outside(Face, u8),
}

/// All voxels with exactly one level, in the chunk and in the border layers of its neighbours.
struct ExactLevel {
    /// Bits of the rows; the outermost rows and layers are the neighbours'.
    rows: Box<[u32; PADDED]>,
    /// Padded layers with bits: bit y + 1.
    layers: u64,
    /// Layers in which border voxels of the four neighbours along x and z have the level: bit y.
    lateral: u32,
    /// Voxels of the western and eastern neighbour in each layer: bit z.
    columns: [[u32; 2]; SIDE],
}

/// First row of a layer in a padded plane; row z follows after z words. `y` is from -1 to 32.
const fn first_row(y: i32) -> usize {
    (y + 1) as usize * LAYER + 1
}

/// 32 rows from word `at` of a padded plane on.
#[inline]
fn rows(plane: &[u32; PADDED], at: usize) -> &[u32; SIDE] {
    plane[at..].first_chunk().unwrap_or(&[0; SIDE])
}

#[inline]
fn rows_mut(plane: &mut [u32; PADDED], at: usize) -> &mut [u32; SIDE] {
    let Some(rows) = plane[at..].first_chunk_mut() else {
        unreachable!("layers lie within a plane")
    };
    rows
}

impl Default for ExactLevel {
    fn default() -> ExactLevel {
        ExactLevel { rows: boxed(0), layers: 0, lateral: 0, columns: [[0; 2]; SIDE] }
    }
}

impl ExactLevel {
    fn clear(&mut self) {
        let layers = self.layers | u64::from(self.lateral) << 1;
        for layer in set_bits(layers) {
            let first = layer as usize * LAYER;
            self.rows[first..first + LAYER].fill(0);
        }
        if self.lateral != 0 {
            self.columns = [[0; 2]; SIDE];
        }
        self.layers = 0;
        self.lateral = 0;
    }

    /// Adds voxels of a row of the chunk.
    fn add_row(&mut self, row: usize, bits: u32) {
        self.rows[first_row((row / SIDE) as i32) + row % SIDE] |= bits;
        self.layers |= 2 << (row / SIDE);
    }

    /// Adds voxels of a line of the neighbour at `face`.
    fn add_outside(&mut self, face: Face, number: usize, bits: u32) {
        let first = first_row(number as i32);
        match face {
            Face::Up | Face::Down => {
                let y = if face == Face::Up { SIDE as i32 } else { -1 };
                self.rows[first_row(y) + number] |= bits;
                self.layers |= 1 << (y + 1);
            }
            Face::South => self.rows[first + SIDE] |= bits,
            Face::North => self.rows[first - 1] |= bits,
            Face::West => self.columns[number][0] |= bits,
            Face::East => self.columns[number][1] |= bits,
        }
        if !matches!(face, Face::Up | Face::Down) {
            self.lateral |= 1 << number;
        }
    }

    /// Layers of the chunk that touch voxels of the level.
    fn touched_layers(&self) -> u32 {
        ((self.layers | self.layers << 1 | self.layers >> 1) >> 1) as u32 | self.lateral
    }

    /// Adds the open voxels of a layer that touch voxels of the level to `found`.
    #[inline]
    fn add_touching(&self, y: usize, open: &[u32; SIDE], found: &mut [u32; SIDE]) {
        let at = first_row(y as i32);
        let here = rows(&self.rows, at);
        let north = rows(&self.rows, at - 1);
        let south = rows(&self.rows, at + 1);
        let below = rows(&self.rows, at - LAYER);
        let above = rows(&self.rows, at + LAYER);
        for z in 0..SIDE {
            let near = here[z] << 1 | here[z] >> 1 | north[z] | south[z] | below[z] | above[z];
            found[z] |= near & open[z];
        }
        for (bits, x) in
            self.columns[y].into_iter().zip([0, SIDE - 1]).filter(|(bits, _)| *bits != 0)
        {
            add_column(found, open, bits, x);
        }
    }
}

/// Adds voxels at x of a layer, given as bit z of `bits`, where they are open.
#[inline(never)]
fn add_column(found: &mut [u32; SIDE], open: &[u32; SIDE], bits: u32, x: usize) {
    for (z, (found, open)) in found.iter_mut().zip(open).enumerate() {
        *found |= (bits >> z & 1) << x & open;
    }
}

/// Lines at which light has changed, for each side by [`Face`]: bit n for line n.
pub(super) type ChangedLines = [u32; 6];

/// Spreads light. Kept between chunks to reuse its buffers.
#[derive(Default)]
pub(super) struct Spreader {
    /// Voxels of the latest levels: level k at k % `KEPT`. Empty between chunks.
    exact: [ExactLevel; KEPT],
    /// Sources by level.
    sources: [Vec<LightSource>; LEVELS + 1],
}

impl Spreader {
    /// Spreads the light of sources through a chunk that may already have light, and empties
    /// `sources`. With `spreads_sun`, voxels that already have the full level are sources, too.
    /// Returns the lines at the sides of the chunk where the light has changed.
    pub fn spread(
        &mut self,
        open: DimmingPlanes<'_>,
        light: &mut LevelBits,
        sources: &mut Vec<LightSource>,
        spreads_sun: bool,
    ) -> ChangedLines {
        for source in sources.drain(..) {
            self.sources[usize::from(source.level)].push(source);
        }
        let mut changed = ChangedLines::default();
        for level in (1..=LEVELS).rev() {
            let mut layers = self.begin_level(level);
            for (kind, _) in Dimming::ALL.into_iter().zip(open).filter(|(_, plane)| plane.is_some())
            {
                layers |= self.exact[(level + usize::from(kind.loss())) % KEPT].touched_layers();
            }
            self.exact[level % KEPT].layers = 0;
            for layer in set_bits(layers) {
                self.spread_layer(level, layer as usize, open, light, &mut changed);
            }
            self.end_level(level, light, spreads_sun);
        }
        for exact in &mut self.exact {
            exact.clear();
        }
        changed
    }

    /// Starts a level with the sources in the chunk. They replace the voxels of the level `KEPT`
    /// above, which is no longer needed. Returns the layers with sources.
    fn begin_level(&mut self, level: usize) -> u32 {
        let exact = &mut self.exact[level % KEPT];
        exact.clear();
        for LightSource { line, bits, .. } in &self.sources[level] {
            if let SourceLine::Inside(row) = line {
                exact.add_row((*row).into(), *bits);
            }
        }
        (exact.layers >> 1) as u32
    }

    /// Adds the voxels of the level that are sources only for lower levels: voxels outside the
    /// chunk, and voxels lit by falling sunlight.
    fn end_level(&mut self, level: usize, light: &LevelBits, spreads_sun: bool) {
        let exact = &mut self.exact[level % KEPT];
        for LightSource { line, bits, .. } in self.sources[level].drain(..) {
            if let SourceLine::Outside(face, number) = line {
                exact.add_outside(face, number.into(), bits);
            }
        }
        if spreads_sun && level == LEVELS {
            for (y, levels) in light.iter().enumerate() {
                let rows = rows_mut(&mut exact.rows, first_row(y as i32));
                let mut any = 0;
                for (z, row) in rows.iter_mut().enumerate() {
                    *row = levels.iter().fold(u32::MAX, |all, rows| all & rows[z]);
                    any |= *row;
                }
                exact.layers |= u64::from(any != 0) << (y + 1);
            }
        }
    }

    /// Finds the voxels of a level in one layer.
    fn spread_layer(
        &mut self,
        level: usize,
        y: usize,
        open: DimmingPlanes<'_>,
        light: &mut LevelBits,
        changed: &mut ChangedLines,
    ) {
        let at = first_row(y as i32);
        let mut found = *rows(&self.exact[level % KEPT].rows, at);
        for (kind, plane) in Dimming::ALL.into_iter().zip(open) {
            if let Some(plane) = plane {
                self.exact[(level + usize::from(kind.loss())) % KEPT].add_touching(
                    y,
                    layer(plane, y),
                    &mut found,
                );
            }
        }
        // Voxels that have the level or a higher one, compared bit by bit from the lowest.
        let mut lit = [u32::MAX; SIDE];
        for (bit, rows) in light[y].iter().enumerate() {
            let words = lit.iter_mut().zip(rows);
            match level >> bit & 1 {
                1 => words.for_each(|(lit, word)| *lit &= word),
                _ => words.for_each(|(lit, word)| *lit |= word),
            }
        }
        let mut any = 0;
        for (found, lit) in found.iter_mut().zip(lit) {
            *found &= !lit;
            any |= *found;
        }
        let exact = &mut self.exact[level % KEPT];
        *rows_mut(&mut exact.rows, at) = found;
        if any == 0 {
            return;
        }
        exact.layers |= 2 << y;
        for (bit, rows) in light[y].iter_mut().enumerate() {
            let words = rows.iter_mut().zip(found);
            match level >> bit & 1 {
                1 => words.for_each(|(word, found)| *word |= found),
                _ => words.for_each(|(word, found)| *word &= !found),
            }
        }
        note_changes(changed, y, &found, any);
    }
}

/// Records the lines at the chunk's sides that have voxels of `found` in a layer. `any` is the
/// union of the rows.
#[inline]
fn note_changes(changed: &mut ChangedLines, y: usize, found: &[u32; SIDE], any: u32) {
    changed[Face::East as usize] |= any >> (SIDE - 1) << y;
    changed[Face::West as usize] |= (any & 1) << y;
    changed[Face::South as usize] |= u32::from(found[SIDE - 1] != 0) << y;
    changed[Face::North as usize] |= u32::from(found[0] != 0) << y;
    let lines =
        || found.iter().enumerate().fold(0, |lines, (z, row)| lines | u32::from(*row != 0) << z);
    match y {
        0 => changed[Face::Down as usize] |= lines(),
        _ if y == SIDE - 1 => changed[Face::Up as usize] |= lines(),
        _ => (),
    }
}
