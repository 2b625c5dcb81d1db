//! The rows of a window: read from chunks, and written back as runs.

use super::super::light_traits::{LightTraits, MAX_LOSS};
use super::super::{Channel, ChunkLight, DifferentSides, LightLevels};
use super::{Edit, EditedLight};
use crate::runs::RunTree;
use crate::runs::bit_rows::{AREA, SIDE};
use crate::voxel::{ChunkPos, MAX_LIGHT, Voxel, linear_index, local};
use glam::IVec3;

/// Voxels along x and z.
pub(super) const WIDTH: usize = 2 * SIDE;
/// Voxels along y: the sun may fall far.
pub(super) const HEIGHT: usize = 4 * SIDE;
/// Levels whose voxels are kept: light comes from no more than `MAX_LOSS` levels above.
pub(super) const KEPT: usize = MAX_LOSS + 1;
/// Rows of a block of a run tree.
const BLOCK_ROWS: usize = 8;
/// Blocks of a layer of a chunk.
const BLOCKS: usize = SIDE / BLOCK_ROWS;
/// Chunks of a window.
const PARTS: usize = 2 * 2 * (HEIGHT / SIDE);

/// A bit for each voxel of a layer: a word per row, by z, with x along the bits.
pub(super) type Rows = [u64; WIDTH];

/// A layer of a window.
#[derive(Clone)]
pub(super) struct WindowLayer {
    /// Voxels by the levels lost in a step into them, 1 to 3.
    pub losses: [Rows; MAX_LOSS],
    /// Bit n of the levels of each channel.
    pub light: [[Rows; 4]; Channel::ALL.len()],
    /// Voxels of the latest levels: level k at k % `KEPT`. Empty while nothing spreads.
    pub exact: [Rows; KEPT],
    /// Voxels that have lost their light. Empty while nothing spreads.
    pub removed: Rows,
    /// Voxels next to these that have kept theirs.
    pub border: Rows,
    /// Voxels with other light. Empty while nothing is lit.
    pub changed: Rows,
}

/// Voxels of a row that give light.
#[derive(Clone, Copy)]
pub(super) struct WindowLamp {
    pub y: usize,
    pub z: usize,
    pub bits: u64,
    pub levels: LightLevels,
}

/// Rows of the voxels around an edit. Kept to reuse the memory.
pub(in super::super) struct EditWindow {
    base: ChunkPos,
    pub(super) layers: Vec<WindowLayer>,
    /// Layers that have been read: bit y.
    loaded: u128,
    /// Layers with changes: bit y.
    pub(super) changed: u128,
    pub(super) lamps: Vec<WindowLamp>,
}

/// A chunk of the world around an edit.
#[derive(Clone, Copy)]
pub(in super::super) enum WindowChunk<'a> {
    /// Not loaded: no light comes from there.
    Unknown,
    /// Not loaded; the open sky, which shines down.
    Sky,
    /// A chunk and its light.
    Loaded(&'a RunTree, &'a ChunkLight),
}

impl WindowChunk<'_> {
    /// A voxel of the chunk.
    pub fn voxel(self, at: IVec3) -> Option<Voxel> {
        if let WindowChunk::Loaded(chunk, _) = self { Some(chunk.get(linear_index(local(at)))) } else { None }
    }

    /// The light of a voxel of the chunk.
    pub fn light(self, at: IVec3) -> LightLevels {
        match self {
            WindowChunk::Unknown => LightLevels::DARK,
            WindowChunk::Sky => LightLevels::SUNLIT,
            WindowChunk::Loaded(_, light) => light.get(linear_index(local(at))),
        }
    }
}

/// What the palette of a chunk stands for.
struct PartPalette {
    /// Levels lost in a step into a voxel; 0 if it stops light.
    losses: Vec<u8>,
    emitted: Vec<LightLevels>,
    /// True if some voxel emits light.
    has_lamps: bool,
    light: Vec<u16>,
}

/// What a window is read from.
pub(super) struct WindowSource<'a> {
    /// By x, z and y.
    parts: [WindowChunk<'a>; PARTS],
    palettes: [Option<PartPalette>; PARTS],
    /// Channels that any voxel has light of.
    channels: Vec<Channel>,
    min: IVec3,
    max: IVec3,
    reach: i32,
}

impl<'a> WindowSource<'a> {
    pub fn new(
        base: ChunkPos,
        edit: &Edit,
        traits: &LightTraits,
        known: impl Fn(ChunkPos) -> WindowChunk<'a>,
    ) -> WindowSource<'a> {
        let reach = edit.reach() as i32;
        let mut parts = [WindowChunk::Unknown; PARTS];
        let mut palettes = [const { None }; PARTS];
        let mut bits =
            edit.levels.iter().zip(0..).fold(0, |bits, (&level, channel)| bits | u16::from(level) << (4 * channel));
        for (number, (part, palette)) in parts.iter_mut().zip(&mut palettes).enumerate() {
            let offset = part_offset(number);
            *part = known(base.offset(offset));
            let first = offset * SIDE as i32;
            let is_reached = (first + SIDE as i32).cmpgt(edit.min - reach).all() && first.cmple(edit.max + reach).all();
            if let (true, WindowChunk::Loaded(chunk, light)) = (is_reached, *part) {
                let found = PartPalette::new(chunk, light, traits);
                bits |= found.light.iter().fold(0, |bits, light| bits | light);
                *palette = Some(found);
            }
        }
        let channels = Channel::ALL.into_iter().filter(|&channel| bits >> (4 * channel as u16) & 0xF != 0).collect();
        WindowSource { parts, palettes, channels, min: edit.min, max: edit.max, reach }
    }

    /// Rows of a layer that light can reach, in whole blocks; empty for layers that it cannot.
    fn rows(&self, y: usize) -> std::ops::Range<usize> {
        let y = y as i32;
        let half = self.reach - (self.min.y - y).max(y - self.max.y).max(0);
        if half < 0 {
            return 0..0;
        }
        let (first, last) = ((self.min.z - half).max(0) as usize, (self.max.z + half) as usize);
        first / BLOCK_ROWS * BLOCK_ROWS..(last / BLOCK_ROWS + 1) * BLOCK_ROWS
    }
}

impl PartPalette {
    fn new(chunk: &RunTree, light: &ChunkLight, traits: &LightTraits) -> PartPalette {
        let emitted: Vec<LightLevels> = chunk.values().map(|voxel| traits.emitted(voxel)).collect();
        PartPalette {
            losses: chunk.values().map(|voxel| traits.loss(voxel).unwrap_or(0)).collect(),
            has_lamps: emitted.iter().any(|&levels| levels != LightLevels::DARK),
            emitted,
            light: light.tree().values().map(|value| LightLevels::from_voxel(value).bits()).collect(),
        }
    }
}

/// Position of a part in the window, in chunks.
const fn part_offset(number: usize) -> IVec3 {
    IVec3::new((number % 2) as i32, (number / 4) as i32, (number / 2 % 2) as i32)
}

impl Default for EditWindow {
    fn default() -> EditWindow {
        let layer = WindowLayer {
            losses: [[0; WIDTH]; MAX_LOSS],
            light: [[[0; WIDTH]; 4]; Channel::ALL.len()],
            exact: [[0; WIDTH]; KEPT],
            removed: [0; WIDTH],
            border: [0; WIDTH],
            changed: [0; WIDTH],
        };
        let (base, lamps) = (ChunkPos::default(), Vec::new());
        EditWindow { base, layers: vec![layer; HEIGHT], loaded: 0, changed: 0, lamps }
    }
}

impl EditWindow {
    /// Moves the window to another lowest chunk.
    pub(super) fn begin(&mut self, base: ChunkPos) {
        (self.base, self.loaded, self.changed) = (base, 0, 0);
        self.lamps.clear();
    }

    /// World position of the lowest voxel.
    pub(super) fn origin(&self) -> IVec3 {
        self.base.origin()
    }

    /// Reads a layer, unless it has been read.
    #[inline]
    pub(super) fn load(&mut self, y: usize, source: &WindowSource<'_>) {
        if self.loaded >> y & 1 == 0 {
            self.loaded |= 1 << y;
            self.read(y, source);
        }
    }

    #[inline(never)]
    fn read(&mut self, y: usize, source: &WindowSource<'_>) {
        let rows = source.rows(y);
        let layer = &mut self.layers[y];
        layer.losses = [[0; WIDTH]; MAX_LOSS];
        for &channel in &source.channels {
            layer.light[channel as usize].iter_mut().for_each(|plane| plane[rows.clone()].fill(0));
        }
        for number in (y / SIDE * 4)..(y / SIDE * 4 + 4) {
            let (x, first) = (number % 2 * SIDE, number / 2 % 2 * SIDE);
            let part = rows.start.max(first)..rows.end.min(first + SIDE);
            let (WindowChunk::Loaded(chunk, light), Some(palette)) = (source.parts[number], &source.palettes[number])
            else {
                continue;
            };
            if part.is_empty() {
                continue;
            }
            let start = AREA * (y % SIDE) + SIDE * (part.start - first);
            let range = start..start + SIDE * part.len();
            // Position of a voxel in the part's rows.
            let place = |index: usize| index - start + SIDE * part.start;
            chunk.for_each_coded(range.clone(), |start, end, code| {
                let loss = palette.losses[code];
                if loss > 0 {
                    let plane = &mut layer.losses[usize::from(loss) - 1];
                    for_rows(place(start), place(end), |z, bits| plane[z % WIDTH] |= u64::from(bits) << x);
                }
            });
            if palette.has_lamps {
                chunk.for_each_coded(range.clone(), |start, end, code| {
                    let levels = palette.emitted[code];
                    if levels != LightLevels::DARK {
                        for_rows(place(start), place(end), |z, bits| {
                            self.lamps.push(WindowLamp { y, z, bits: u64::from(bits) << x, levels });
                        });
                    }
                });
            }
            light.tree().for_each_coded(range, |start, end, code| {
                let levels = palette.light[code];
                if levels == 0 {
                    return;
                }
                for_rows(place(start), place(end), |z, bits| {
                    let (bits, mut left) = (u64::from(bits) << x, levels);
                    while left != 0 {
                        let lane = left.trailing_zeros() as usize;
                        left &= left - 1;
                        layer.light[lane / 4 % 4][lane % 4][z % WIDTH] |= bits;
                    }
                });
            });
            // The sky shines into the chunk's highest layer.
            let above = source.parts.get(number + 4);
            if y % SIDE == SIDE - 1 && matches!(above, Some(WindowChunk::Sky)) {
                for z in part {
                    for (lost, plane) in (1..).zip(&layer.losses) {
                        let bits = plane[z] & (u64::from(u32::MAX) << x);
                        let level = if lost == 1 { MAX_LIGHT } else { MAX_LIGHT - lost };
                        let levels = LightLevels::DARK.with(Channel::Sun, level);
                        self.lamps.push(WindowLamp { y, z, bits, levels });
                    }
                }
            }
        }
    }

    /// The changed chunks. The window has no changes afterwards.
    pub(super) fn write(&mut self, source: &WindowSource<'_>) -> Vec<EditedLight> {
        let mut edited = Vec::new();
        for (number, part) in source.parts.iter().enumerate() {
            if let WindowChunk::Loaded(_, light) = part {
                edited.extend(self.write_part(number, light, &source.channels));
            }
        }
        while self.changed != 0 {
            self.layers[self.changed.trailing_zeros() as usize].changed = [0; WIDTH];
            self.changed &= self.changed - 1;
        }
        edited
    }

    fn write_part(&self, number: usize, light: &ChunkLight, channels: &[Channel]) -> Option<EditedLight> {
        let offset = part_offset(number);
        let [x, y, z] = offset.to_array().map(|chunk| chunk as usize * SIDE);
        // Bit n for block n, and the coordinates of changes.
        let (mut blocks, [mut xs, mut ys, mut zs]) = (0u128, [0; 3]);
        for layer in (0..SIDE).filter(|layer| self.changed >> (y + layer) & 1 == 1) {
            for block in 0..BLOCKS {
                let mut any = 0;
                for row in block * BLOCK_ROWS..(block + 1) * BLOCK_ROWS {
                    let bits = (self.layers[y + layer].changed[z + row] >> x) as u32;
                    any |= bits;
                    zs |= u32::from(bits != 0) << row;
                }
                blocks |= u128::from(any != 0) << (layer * BLOCKS + block);
                ys |= u32::from(any != 0) << layer;
                xs |= any;
            }
        }
        if blocks == 0 {
            return None;
        }
        let write = |block: usize, starts: &mut Vec<(u8, Voxel)>| {
            let layer = &self.layers[y + block / BLOCKS];
            let first = z + block % BLOCKS * BLOCK_ROWS;
            let planes = |channel: Channel| (channel, &layer.light[channel as usize]);
            match *channels {
                [a] => write_rows([a].map(planes), first, x, starts),
                [a, b] => write_rows([a, b].map(planes), first, x, starts),
                [a, b, c] => write_rows([a, b, c].map(planes), first, x, starts),
                _ => write_rows(Channel::ALL.map(planes), first, x, starts),
            }
        };
        let tree = light.tree().with_blocks(|block| blocks >> block & 1 == 1, write);
        Some(EditedLight {
            pos: self.base.offset(offset),
            light: ChunkLight::from_tree(tree),
            sides: DifferentSides::from_coordinates([xs, ys, zs]),
        })
    }
}

/// Splits voxels, from `start` to before `end`, into rows: calls `each` with the number of the row
/// and its bits.
#[inline]
fn for_rows(start: usize, end: usize, mut each: impl FnMut(usize, u32)) {
    let mut at = start;
    while at < end {
        let row_end = end.min((at / SIDE + 1) * SIDE);
        each(at / SIDE, u32::MAX >> (SIDE - (row_end - at)) << (at % SIDE));
        at = row_end;
    }
}

/// Adds the starts of runs in the eight rows from `first` on, of the 32 voxels from `x` on.
#[inline]
fn write_rows<const N: usize>(
    channels: [(Channel, &[Rows; 4]); N],
    first: usize,
    x: usize,
    starts: &mut Vec<(u8, Voxel)>,
) {
    let mut last = [[0; 4]; N];
    for row in 0..BLOCK_ROWS {
        let words = channels.map(|(_, planes)| planes.each_ref().map(|plane| (plane[first + row] >> x) as u32));
        let mut changes = u32::from(row == 0);
        for (word, last) in words.as_flattened().iter().zip(last.as_flattened_mut()) {
            changes |= word ^ (word << 1 | *last);
            *last = word >> (SIDE - 1);
        }
        while changes != 0 {
            let at = changes.trailing_zeros();
            changes &= changes - 1;
            let mut value = 0;
            for ([a, b, c, d], (channel, _)) in words.iter().zip(&channels) {
                let level = a >> at & 1 | (b >> at & 1) << 1 | (c >> at & 1) << 2 | (d >> at & 1) << 3;
                value |= (level as u16) << (4 * *channel as u16);
            }
            starts.push(((SIDE * row) as u8 + at as u8, LightLevels::from_bits(value).to_voxel()));
        }
    }
}
