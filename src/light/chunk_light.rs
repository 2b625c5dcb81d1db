//! The light of a chunk, as runs.

use super::level_planes::{LevelPlanes, LossRows, planes_of_bits};
use super::light_traits::{LightTraits, MAX_LOSS};
use super::{Channel, LightLevels};
use crate::runs::bit_rows::{AREA, BitMasks, ChunkPart, LAYER, RowToggles, SIDE, boxed};
use crate::runs::{RunBuilder, RunTree};
use crate::voxel::{CHUNK_VOLUME, Face, Voxel};
use glam::IVec3;
use std::cell::RefCell;

/// Bits of the levels of a voxel.
const LANES: usize = 4 * Channel::ALL.len();

/// The light of a chunk: the levels of its voxels as runs, in linear order. Cloning shares them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChunkLight(RunTree);

impl ChunkLight {
    /// Light that is equal everywhere. Owns no heap.
    #[must_use]
    pub const fn uniform(levels: LightLevels) -> ChunkLight {
        ChunkLight(RunTree::uniform(levels.to_voxel()))
    }

    /// The light of the voxel with this linear index, 0 to 32,767.
    #[must_use]
    pub fn get(&self, index: usize) -> LightLevels {
        LightLevels::from_voxel(self.0.get(index))
    }

    /// Number of runs.
    #[must_use]
    pub fn run_count(&self) -> usize {
        self.0.run_count()
    }

    /// Heap bytes, as requested from the allocator. Clones share them.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }

    /// True if the two have equal light at the side towards `face`.
    pub(super) fn is_equal_at(&self, other: &ChunkLight, face: Face) -> bool {
        let (mut side, mut other_side) = (Vec::new(), Vec::new());
        self.read_side(face, &mut side);
        other.read_side(face, &mut other_side);
        side == other_side
    }

    /// Appends the runs of the side towards `face`, in linear order: position of the first voxel
    /// among the 1,024 of the side, and value.
    fn read_side(&self, face: Face, side: &mut Vec<(usize, Voxel)>) {
        let values: Vec<Voxel> = self.0.values().collect();
        let mut push = |position: usize, code: usize| {
            // Along x, a run may end before the side's next voxel. Dropping it may leave equal runs
            // next to each other, which are joined.
            if side.last().is_some_and(|&(last, _)| last == position) {
                side.pop();
            }
            if position < AREA && side.last().is_none_or(|&(_, value)| value != values[code]) {
                side.push((position, values[code]));
            }
        };
        let last = SIDE - 1;
        match face {
            Face::East | Face::West => {
                // The last run that starts at or before x counts, as in `ChunkPart`.
                let skip = if face == Face::West { last } else { 0 };
                self.0
                    .fold_starts(0..SIDE, (), |(), run| push((usize::from(run.start) + skip) / SIDE, run.code.into()));
            }
            Face::Up | Face::Down => {
                let first = if face == Face::Up { AREA * last } else { 0 };
                self.0.for_each_coded(first..first + AREA, |start, _, code| push(start - first, code));
            }
            Face::South | Face::North => {
                for y in 0..SIDE {
                    let first = AREA * y + if face == Face::South { SIDE * last } else { 0 };
                    self.0.for_each_coded(first..first + SIDE, |start, _, code| push(SIDE * y + start - first, code));
                }
            }
        }
    }
}

/// What lies around a chunk that is lit.
#[derive(Clone, Copy, Default)]
pub struct LightSurroundings<'a> {
    /// Light of the six neighbours by [`Face`]; `None` where it is not known yet: from there no
    /// light comes.
    pub sides: [Option<&'a ChunkLight>; 6],
    /// True if the open sky is above the chunk and the neighbour there has no light of its own.
    pub is_under_sky: bool,
}

/// Buffers of [`light_chunk`].
struct Buffers {
    loss: LossRows,
    planes: LevelPlanes,
    sources: Sources,
    toggles: Box<[u32; LANES * (AREA + 1)]>,
}

/// Where light comes from: voxels of the chunk that emit it, and the light around the chunk.
#[derive(Default)]
struct Sources {
    /// The parts of the chunks that hold sources, and the number of rows of each.
    parts: Vec<(ChunkPart, usize)>,
    /// Levels as bits, by row of all parts.
    rows: Vec<[u32; LANES]>,
}

impl Default for Buffers {
    fn default() -> Buffers {
        Buffers {
            loss: LossRows::default(),
            planes: LevelPlanes::default(),
            sources: Sources::default(),
            toggles: boxed(0),
        }
    }
}

/// The light of a chunk: what its own voxels emit, and what comes from its surroundings.
///
/// Chunks that are lit again whenever a neighbour's border has changed end with the light of a
/// breadth-first search through all of them, in any order.
#[must_use]
pub fn light_chunk(chunk: &RunTree, around: &LightSurroundings<'_>, traits: &LightTraits) -> ChunkLight {
    thread_local! {
        static BUFFERS: RefCell<Buffers> = RefCell::default();
    }
    BUFFERS.with_borrow_mut(|buffers| buffers.light(chunk, around, traits))
}

impl Buffers {
    fn light(&mut self, chunk: &RunTree, around: &LightSurroundings<'_>, traits: &LightTraits) -> ChunkLight {
        let is_dark = |voxel| traits.emitted(voxel) == LightLevels::DARK;
        if chunk.as_uniform().is_some_and(|voxel| traits.loss(voxel).is_none() && is_dark(voxel)) {
            return ChunkLight::uniform(LightLevels::DARK);
        }
        self.read_loss(chunk, traits);
        self.read_sources(chunk, around, traits);
        let levels = Channel::ALL.map(|channel| {
            let is_lit = self.spread(channel);
            is_lit.then(|| (0..AREA).map(|row| self.planes.level_bits(row / SIDE, row % SIDE)).collect())
        });
        ChunkLight(build(&levels))
    }

    /// Reads how many levels light loses in each voxel of the chunk.
    fn read_loss(&mut self, chunk: &RunTree, traits: &LightTraits) {
        let has_loss = |voxel: Voxel, loss: usize| traits.loss(voxel) == Some(loss as u8 + 1);
        self.loss.any = std::array::from_fn(|loss| chunk.values().any(|voxel| has_loss(voxel, loss)));
        let masks: Vec<BitMasks<MAX_LOSS>> = chunk
            .values()
            .map(|voxel| std::array::from_fn(|loss| if has_loss(voxel, loss) { u32::MAX } else { 0 }))
            .collect();
        self.loss.words.as_flattened_mut().fill([0; LAYER]);
        let part = ChunkPart::new(IVec3::ZERO);
        let toggles = RowToggles::new(&mut self.toggles[..], part.row_count());
        let words = &mut self.loss.words[..];
        part.read(chunk, |code| masks[code], toggles, |number, row| part.write_row(words, number, row));
    }

    /// Reads where light comes from, all channels at once.
    fn read_sources(&mut self, chunk: &RunTree, around: &LightSurroundings<'_>, traits: &LightTraits) {
        self.sources.parts.clear();
        self.sources.rows.clear();
        let emitted = chunk.values().map(|voxel| traits.emitted(voxel)).collect();
        self.read_part(chunk, IVec3::ZERO, emitted);
        let sky = ChunkLight::uniform(LightLevels::SUNLIT);
        for (face, side) in Face::ALL.into_iter().zip(around.sides) {
            let above = (face == Face::Up && around.is_under_sky).then_some(&sky);
            if let Some(ChunkLight(tree)) = side.or(above) {
                self.read_part(tree, face.normal(), tree.values().map(LightLevels::from_voxel).collect());
            }
        }
    }

    /// Reads the sources of a chunk whose palette entries have these levels.
    fn read_part(&mut self, tree: &RunTree, offset: IVec3, levels: Vec<LightLevels>) {
        if levels.iter().all(|&levels| levels == LightLevels::DARK) {
            return;
        }
        let masks: Vec<BitMasks<LANES>> = levels.into_iter().map(LightLevels::masks).collect();
        let part = ChunkPart::new(offset);
        let toggles = RowToggles::new(&mut self.toggles[..], part.row_count());
        part.read(tree, |code| masks[code], toggles, |_, row| self.sources.rows.push(row));
        let count = part.row_count();
        self.sources.parts.push((part, count));
    }

    /// Spreads one channel; false if there is no light.
    fn spread(&mut self, channel: Channel) -> bool {
        let lanes = 4 * channel as usize..4 * channel as usize + 4;
        if self.sources.rows.iter().all(|row| row[lanes.clone()] == [0; 4]) {
            return false;
        }
        self.planes.clear();
        let mut rows = self.sources.rows.iter();
        for (part, count) in &self.sources.parts {
            for (number, row) in rows.by_ref().take(*count).enumerate() {
                let bits = std::array::from_fn(|bit| row[lanes.start + bit]);
                if bits != [0; 4] {
                    part.write_row(self.planes.sources_mut(), number, planes_of_bits(bits));
                }
            }
        }
        if channel == Channel::Sun {
            self.planes.fall(&self.loss);
        }
        self.planes.spread(&self.loss);
        true
    }
}

/// The run tree of the bits of levels by channel and row, `None` for dark channels.
fn build(levels: &[Option<Vec<[u32; 4]>>; 4]) -> RunTree {
    let mut builder = RunBuilder::new();
    // Bits of the last voxel, and where its run starts.
    let (mut last, mut start) = ([[0; 4]; 4], 0);
    let value = |bits: &[[u32; 4]; 4], x: u32| {
        let level = |channel: usize| (0..4).fold(0, |level, bit| level | (bits[channel][bit] >> x & 1) << bit) as u8;
        Channel::ALL.into_iter().fold(LightLevels::DARK, |all, channel| all.with(channel, level(channel as usize)))
    };
    for row in 0..AREA {
        let bits: [[u32; 4]; 4] =
            std::array::from_fn(|channel| levels[channel].as_ref().map_or([0; 4], |rows| rows[row]));
        let changes = |before: u32, bits: u32| bits ^ (bits << 1 | before >> (SIDE - 1));
        let words = last.as_flattened().iter().zip(bits.as_flattened());
        let mut starts = words.fold(0, |starts, (&before, &bits)| starts | changes(before, bits));
        while starts != 0 {
            let x = starts.trailing_zeros();
            starts &= starts - 1;
            let at = row * SIDE + x as usize;
            if at > start {
                let before = if x == 0 { value(&last, SIDE as u32 - 1) } else { value(&bits, x - 1) };
                builder.push((at - start) as u32, before.to_voxel());
                start = at;
            }
        }
        last = bits;
    }
    builder.push((CHUNK_VOLUME - start) as u32, value(&last, SIDE as u32 - 1).to_voxel());
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{CHUNK_SIDE, linear_index, linear_offset};

    #[test]
    fn change_of_a_voxel_changes_the_sides_it_lies_at() {
        let at = |index: usize| linear_offset(index);
        let level = |index: usize| ((index * 7 / 3) % 5) as u8;
        let tree = |changed: Option<usize>| {
            let value =
                |i: usize| LightLevels::DARK.with(Channel::Red, level(i) + if changed == Some(i) { 8 } else { 0 });
            ChunkLight(RunTree::from_runs((0..CHUNK_VOLUME).map(|i| (1, value(i).to_voxel()))))
        };
        let plain = tree(None);
        for index in (0..CHUNK_VOLUME).step_by(331).chain([0, 31, 992, 1023, 31_744, 32_767]) {
            let changed = tree(Some(index));
            for face in Face::ALL {
                let next = at(index) + face.normal();
                let is_at_side = next.min_element() < 0 || next.max_element() >= CHUNK_SIDE;
                assert_eq!(plain.is_equal_at(&changed, face), !is_at_side, "{} {face:?}", at(index));
            }
            assert_eq!(linear_index(at(index)), index);
        }
    }
}
