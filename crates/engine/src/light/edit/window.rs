//! The window: the voxels around an edit, as rows of bits. They are read from the runs of chunks,
//! and written back as runs.

use super::super::light_traits::{DIMMINGS, Dimming, LightTraits, MAX_LOSS};
use super::super::{Channel, ChunkLight, DifferentSides, LightCounts, LightLevels};
use super::edited_box::EditedBox;
use super::window_chunk::{EditedLight, WindowChunk};
use crate::bits::set_bits;
use crate::runs::RunTree;
use crate::runs::bit_rows::{AREA, BitMasks, RowToggles, SIDE, boxed};
use crate::voxel::{ChunkPos, MAX_LIGHT, Voxel};
use glam::IVec3;
use std::ops::Range;

/// Width of a window along x and z, in voxels.
pub(super) const WIDTH: usize = 2 * SIDE;
/// Height of a window in voxels. Larger than the width, because the sun falls far.
pub(super) const HEIGHT: usize = 4 * SIDE;
/// Number of levels whose voxels are kept: light comes from at most `MAX_LOSS` levels above.
pub(super) const KEPT: usize = MAX_LOSS + 1;
/// Number of rows in a block of a run tree.
const BLOCK_ROWS: usize = 8;
/// Bits of the level of the sun in [`LightLevels`]. They are read separately from [`COLOURS`],
/// because most edits change only one of the two.
const SUN: u16 = 0x000F;
/// Bits of the levels of lamps in [`LightLevels`].
const COLOURS: u16 = 0xFFF0;
/// Number of bits of the levels of all channels.
const LANES: usize = 4 * Channel::ALL.len();
/// Number of blocks in a layer of a chunk.
const BLOCKS: usize = SIDE / BLOCK_ROWS;
/// Number of chunks in a window.
const PARTS: usize = 2 * 2 * (HEIGHT / SIDE);

/// A bit for each voxel of a layer: a word per row, by z, with x along the bits.
pub(super) type Rows = [u64; WIDTH];

/// A layer of a window.
#[derive(Clone)]
pub(super) struct WindowLayer {
    /// Voxels that light can enter, by the number of their dimming.
    pub open: [Rows; DIMMINGS],
    /// Bit n of the levels of each channel.
    pub light: [[Rows; 4]; Channel::ALL.len()],
    /// Voxels of the latest levels: level k at k % `KEPT`. Empty while nothing spreads.
    pub exact: [Rows; KEPT],
    /// Voxels that have lost their light. Empty while nothing spreads.
    pub removed: Rows,
    /// Lit voxels next to `removed` ones.
    pub border: Rows,
    /// Voxels whose light has changed. Empty between edits.
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

/// Rows of the voxels around an edit. Kept between edits to reuse the memory.
pub(in super::super) struct EditWindow {
    base: ChunkPos,
    pub(super) layers: Vec<WindowLayer>,
    /// Layers whose matter, light of the sun and light of lamps have been read: bit y.
    loaded: [u128; 3],
    /// Layers with changes: bit y.
    pub(super) changed: u128,
    pub(super) lamps: Vec<WindowLamp>,
    toggles: Box<[u32; LANES * (SIDE + 1)]>,
}

/// Traits and levels of the palette entries of a chunk and of its light.
struct PartPalette {
    /// Dimming of each value; `None` if it stops light.
    dimming: Vec<Option<Dimming>>,
    /// Empty if no voxel emits light.
    emitted: Vec<LightLevels>,
    /// Bits of the levels of each value of light.
    light: Vec<BitMasks<LANES>>,
    /// Bits that are set in at least one value of light.
    lit: u16,
}

/// The chunks from which a window is read.
pub(super) struct WindowSource<'a> {
    /// The chunks by x, then z, then y.
    parts: [WindowChunk<'a>; PARTS],
    palettes: [Option<PartPalette>; PARTS],
    traits: &'a LightTraits,
    /// Bits of the channels that are relit.
    channels: u16,
    min: IVec3,
    max: IVec3,
    reach: i32,
}

impl<'a> WindowSource<'a> {
    pub fn new(
        base: ChunkPos,
        edit: &EditedBox,
        traits: &'a LightTraits,
        known: impl Fn(ChunkPos) -> WindowChunk<'a>,
    ) -> WindowSource<'a> {
        let is_lit = |channel: &Channel| edit.levels[*channel as usize] > 0;
        let lit = |levels: LightLevels, channel| levels.with(channel, MAX_LIGHT);
        WindowSource {
            parts: std::array::from_fn(|number| known(base.offset(part_offset(number)))),
            palettes: [const { None }; PARTS],
            traits,
            channels: Channel::ALL.into_iter().filter(is_lit).fold(LightLevels::DARK, lit).bits(),
            min: edit.min,
            max: edit.max,
            reach: edit.reach() as i32,
        }
    }

    /// A chunk of the window with its light and palette; `None` if it is not loaded.
    fn part(&mut self, number: usize) -> Option<(&'a RunTree, &'a RunTree, &PartPalette)> {
        let WindowChunk::Loaded(chunk, light) = self.parts[number] else { return None };
        let palette = &mut self.palettes[number];
        Some((
            chunk,
            light.tree(),
            palette.get_or_insert_with(|| PartPalette::new(chunk, light, self.traits)),
        ))
    }

    /// Counts the chunks read so far, and their runs.
    pub fn counts(&self) -> LightCounts {
        let mut counts = LightCounts::default();
        for (part, _) in
            self.parts.iter().zip(&self.palettes).filter(|(_, palette)| palette.is_some())
        {
            if let WindowChunk::Loaded(chunk, _) = part {
                counts.add(chunk);
            }
        }
        counts
    }

    /// Rows of a layer that light can reach, in whole blocks; empty for layers that it cannot.
    fn rows(&self, y: usize) -> Range<usize> {
        let y = y as i32;
        let half = self.reach - (self.min.y - y).max(y - self.max.y).max(0);
        if half < 0 {
            return 0..0;
        }
        let first = (self.min.z - half).max(0) as usize;
        let last = (self.max.z + half) as usize;
        first / BLOCK_ROWS * BLOCK_ROWS..(last / BLOCK_ROWS + 1) * BLOCK_ROWS
    }
}

impl PartPalette {
    fn new(chunk: &RunTree, light: &ChunkLight, traits: &LightTraits) -> PartPalette {
        let mut emitted: Vec<LightLevels> =
            chunk.values().map(|voxel| traits.emitted(voxel)).collect();
        if emitted.iter().all(|&levels| levels == LightLevels::DARK) {
            emitted.clear();
        }
        let light: Vec<u16> =
            light.tree().values().map(|value| LightLevels::from_voxel(value).bits()).collect();
        PartPalette {
            dimming: chunk.values().map(|voxel| traits.dimming(voxel)).collect(),
            emitted,
            lit: light.iter().fold(0, |all, levels| all | levels),
            light: light.into_iter().map(masks).collect(),
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
            open: [[0; WIDTH]; DIMMINGS],
            light: [[[0; WIDTH]; 4]; Channel::ALL.len()],
            exact: [[0; WIDTH]; KEPT],
            removed: [0; WIDTH],
            border: [0; WIDTH],
            changed: [0; WIDTH],
        };
        EditWindow {
            base: ChunkPos::default(),
            layers: vec![layer; HEIGHT],
            loaded: [0; 3],
            changed: 0,
            lamps: Vec::new(),
            toggles: boxed(0),
        }
    }
}

impl EditWindow {
    /// Moves the window to another lowest chunk.
    pub(super) fn begin(&mut self, base: ChunkPos) {
        self.base = base;
        self.loaded = [0; 3];
        self.changed = 0;
        self.lamps.clear();
    }

    /// World position of the lowest voxel.
    pub(super) fn origin(&self) -> IVec3 {
        self.base.origin()
    }

    /// Reads the matter of a layer and its light of a channel, unless it has been read.
    #[inline]
    pub(super) fn load(&mut self, y: usize, channel: Channel, source: &mut WindowSource<'_>) {
        if self.loaded[0] >> y & 1 == 0 {
            self.loaded[0] |= 1 << y;
            self.read_matter(y, source);
        }
        // All colours are read together.
        let (kind, bits) = if channel == Channel::Sun { (1, SUN) } else { (2, COLOURS) };
        if self.loaded[kind] >> y & 1 == 0 {
            self.loaded[kind] |= 1 << y;
            self.read_light(y, bits & source.channels, source);
        }
    }

    #[inline(never)]
    fn read_matter(&mut self, y: usize, source: &mut WindowSource<'_>) {
        let layer = &mut self.layers[y];
        layer.open = [[0; WIDTH]; DIMMINGS];
        for ReadPart { number, x, z, blocks } in parts_of(y, source.rows(y)) {
            let Some((chunk, _, palette)) = source.part(number) else { continue };
            let place = |index: usize| index % AREA + SIDE * z;
            chunk.for_each_in_blocks(blocks.clone(), |start, end, code| {
                if let Some(kind) = palette.dimming[code] {
                    let plane = &mut layer.open[kind as usize];
                    for_rows(place(start), end - start, |z, bits| {
                        plane[z % WIDTH] |= u64::from(bits) << x
                    });
                }
            });
            if !palette.emitted.is_empty() {
                chunk.for_each_in_blocks(blocks.clone(), |start, end, code| {
                    let levels = palette.emitted[code];
                    if levels != LightLevels::DARK {
                        for_rows(place(start), end - start, |z, bits| {
                            self.lamps.push(WindowLamp {
                                y,
                                z,
                                bits: u64::from(bits) << x,
                                levels,
                            });
                        });
                    }
                });
            }
            // The sky shines into the chunk's highest layer.
            if y % SIDE == SIDE - 1
                && matches!(source.parts.get(number + 4), Some(WindowChunk::Sky))
            {
                let first = z + blocks.start % BLOCKS * BLOCK_ROWS;
                for z in first..first + blocks.len() * BLOCK_ROWS {
                    for (kind, plane) in Dimming::ALL.into_iter().zip(&layer.open) {
                        let bits = plane[z] & (u64::from(u32::MAX) << x);
                        let level = if kind == Dimming::Clear {
                            MAX_LIGHT
                        } else {
                            MAX_LIGHT - kind.loss()
                        };
                        let levels = LightLevels::DARK.with(Channel::Sun, level);
                        self.lamps.push(WindowLamp { y, z, bits, levels });
                    }
                }
            }
        }
    }

    /// Reads the given bits of the levels of a layer.
    #[inline(never)]
    fn read_light(&mut self, y: usize, bits: u16, source: &mut WindowSource<'_>) {
        let layer = &mut self.layers[y];
        let rows = source.rows(y);
        for (lane, plane) in layer.light.as_flattened_mut().iter_mut().enumerate() {
            if bits >> lane & 1 == 1 {
                plane[rows.clone()].fill(0);
            }
        }
        let planes = layer.light.as_flattened_mut();
        let buffer = &mut self.toggles[..];
        for part in parts_of(y, rows) {
            let Some((_, light, palette)) = source.part(part.number) else { continue };
            match palette.lit & bits {
                0 => {}
                lit if lit & !SUN == 0 => {
                    read_lanes::<4>(light, &palette.light, 0, &part, buffer, planes)
                }
                lit if lit & !0x00F0 == 0 => {
                    read_lanes::<4>(light, &palette.light, 4, &part, buffer, planes)
                }
                lit if lit & SUN == 0 => {
                    read_lanes::<12>(light, &palette.light, 4, &part, buffer, planes)
                }
                _ => read_lanes::<16>(light, &palette.light, 0, &part, buffer, planes),
            }
        }
    }

    /// Returns the light of the changed chunks, and clears the changes of the window.
    pub(super) fn write(&mut self, source: &WindowSource<'_>) -> Vec<EditedLight> {
        let mut edited = Vec::new();
        for (number, part) in source.parts.iter().enumerate() {
            if let WindowChunk::Loaded(_, light) = part {
                edited.extend(self.write_part(number, light, source.channels));
            }
        }
        for layer in set_bits(std::mem::take(&mut self.changed)) {
            self.layers[layer as usize].changed = [0; WIDTH];
        }
        edited
    }

    fn write_part(&self, number: usize, light: &ChunkLight, bits: u16) -> Option<EditedLight> {
        let offset = part_offset(number);
        let [x, y, z] = offset.to_array().map(|chunk| chunk as usize * SIDE);
        // Changed blocks: bit n for block n.
        let mut blocks = 0u128;
        // Coordinates of changed voxels along each axis.
        let [mut xs, mut ys, mut zs] = [0; 3];
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
        // Only channels that were read can have changed.
        let bits_of = |y: usize| {
            let read =
                |kind: usize, bits: u16| if self.loaded[kind] >> y & 1 == 1 { bits } else { 0 };
            bits & (read(1, SUN) | read(2, COLOURS))
        };
        let replace = |block: usize, before: &[(u8, Voxel)], runs: &mut Vec<(u8, Voxel)>| {
            let y = y + block / BLOCKS;
            let bits = bits_of(y);
            let block =
                WindowBlock { layer: &self.layers[y], bits, x, z: z + block % BLOCKS * BLOCK_ROWS };
            let mut channels =
                Channel::ALL.into_iter().filter(|&channel| bits >> (4 * channel as u16) & 1 == 1);
            match [(); 4].map(|()| channels.next()) {
                [Some(a), None, ..] => block.merge([a], before, runs),
                [Some(a), Some(b), None, _] => block.merge([a, b], before, runs),
                [Some(a), Some(b), Some(c), None] => block.merge([a, b, c], before, runs),
                _ => block.merge(Channel::ALL, before, runs),
            }
        };
        let tree = light.tree().with_blocks(|block| blocks >> block & 1 == 1, replace);
        Some(EditedLight {
            pos: self.base.offset(offset),
            light: ChunkLight::from_tree(tree),
            sides: DifferentSides::from_coordinates([xs, ys, zs]),
        })
    }
}

/// The part of a layer that lies in one chunk.
struct ReadPart {
    /// Number of the chunk in the window.
    number: usize,
    /// First voxel of the chunk along x, in the window.
    x: usize,
    /// First voxel of the chunk along z, in the window.
    z: usize,
    /// Blocks of the chunk that the part consists of.
    blocks: Range<usize>,
}

/// Splits rows of a layer, which must be whole blocks, by chunk.
fn parts_of(y: usize, rows: Range<usize>) -> impl Iterator<Item = ReadPart> {
    (0..4).filter_map(move |part| {
        let x = part % 2 * SIDE;
        let z = part / 2 * SIDE;
        let rows = rows.start.max(z) - z..rows.end.min(z + SIDE).max(z) - z;
        let first = y % SIDE * BLOCKS;
        let blocks = first + rows.start / BLOCK_ROWS..first + rows.end / BLOCK_ROWS;
        (!blocks.is_empty()).then_some(ReadPart { number: y / SIDE * 4 + part, x, z, blocks })
    })
}

/// One mask per bit of levels: all ones if the bit is set, otherwise 0.
fn masks(levels: u16) -> BitMasks<LANES> {
    std::array::from_fn(|lane| u32::from(levels >> lane & 1).wrapping_neg())
}

/// Reads `N` bits of the levels of a part, from bit `first` on. `lanes` holds the masks of each
/// palette entry. `N` is constant, so that edits of one channel do not pay for four.
fn read_lanes<const N: usize>(
    light: &RunTree,
    lanes: &[BitMasks<LANES>],
    first: usize,
    part: &ReadPart,
    buffer: &mut [u32],
    planes: &mut [Rows],
) {
    let masks = |code: usize| *lanes[code][first..].first_chunk::<N>().unwrap_or(&[0; N]);
    let start = part.blocks.start * BLOCK_ROWS * SIDE;
    let toggles = RowToggles::new(buffer, part.blocks.len() * BLOCK_ROWS);
    let toggles = light.fold_starts_in_blocks(part.blocks.clone(), toggles, |toggles, at, code| {
        toggles.start(at - start, masks(code))
    });
    let z = part.z + part.blocks.start % BLOCKS * BLOCK_ROWS;
    toggles.finish(|row, words| {
        for (plane, word) in planes[first..].iter_mut().zip(words) {
            plane[z + row] |= u64::from(word) << part.x;
        }
    });
}

/// Splits `len` voxels from `start` on into rows. Calls `each` with the number of each row and its
/// bits.
#[inline]
fn for_rows(start: usize, len: usize, mut each: impl FnMut(usize, u32)) {
    let mut at = start;
    let end = start + len;
    while at < end {
        let row_end = end.min((at / SIDE + 1) * SIDE);
        each(at / SIDE, u32::MAX >> (SIDE - (row_end - at)) << (at % SIDE));
        at = row_end;
    }
}

/// A block (eight rows) of a chunk to write.
struct WindowBlock<'a> {
    layer: &'a WindowLayer,
    /// Bits of the channels that were relit.
    bits: u16,
    /// First voxel of the chunk along x, in the window.
    x: usize,
    /// First row of the block, in the window.
    z: usize,
}

impl WindowBlock<'_> {
    /// Adds the runs of the block: `channels` come from the window, the others from `before`.
    #[inline]
    fn merge<const N: usize>(
        &self,
        channels: [Channel; N],
        before: &[(u8, Voxel)],
        runs: &mut Vec<(u8, Voxel)>,
    ) {
        let mut starts = [0; BLOCK_ROWS];
        for &(low, _) in before {
            starts[usize::from(low) / SIDE] |= 1u32 << (usize::from(low) % SIDE);
        }
        let mut before =
            before.iter().map(|&(_, voxel)| LightLevels::from_voxel(voxel).bits() & !self.bits);
        let mut others = 0;
        let mut last = [[0; 4]; N];
        for (row, starts) in starts.into_iter().enumerate() {
            let planes = channels.map(|channel| &self.layer.light[channel as usize]);
            let words = planes.map(|planes| {
                planes.each_ref().map(|plane| (plane[self.z + row] >> self.x) as u32)
            });
            let mut changes = starts;
            for (word, last) in words.as_flattened().iter().zip(last.as_flattened_mut()) {
                changes |= word ^ (word << 1 | *last);
                *last = word >> (SIDE - 1);
            }
            for at in set_bits(changes) {
                if starts >> at & 1 == 1 {
                    others = before.next().unwrap_or(others);
                }
                let mut value = others;
                for ([a, b, c, d], channel) in words.iter().zip(&channels) {
                    let level =
                        a >> at & 1 | (b >> at & 1) << 1 | (c >> at & 1) << 2 | (d >> at & 1) << 3;
                    value |= (level as u16) << (4 * *channel as u16);
                }
                runs.push((
                    (SIDE * row) as u8 + at as u8,
                    LightLevels::from_bits(value).to_voxel(),
                ));
            }
        }
    }
}
