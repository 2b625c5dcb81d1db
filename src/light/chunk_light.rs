//! The light of a chunk, as runs.

use super::level_planes::{LEVELS, LevelPlanes, LossRows, take_level};
use super::light_traits::{LightTraits, MAX_LOSS};
use super::{Channel, LightLevels};
use crate::runs::bit_rows::{AREA, BitMasks, ChunkPart, RowToggles, SIDE, boxed};
use crate::runs::{RunBuilder, RunTree};
use crate::voxel::{CHUNK_VOLUME, Face, Voxel};
use glam::IVec3;
use std::cell::RefCell;

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

    /// The levels, if they are the same everywhere.
    #[must_use]
    pub fn as_uniform(&self) -> Option<LightLevels> {
        self.0.as_uniform().map(LightLevels::from_voxel)
    }

    /// The run tree.
    pub(super) fn tree(&self) -> &RunTree {
        &self.0
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
    toggles: Box<[u32; 4 * (AREA + 1)]>,
}

impl Default for Buffers {
    fn default() -> Buffers {
        Buffers { loss: LossRows::default(), planes: LevelPlanes::default(), toggles: boxed(0) }
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
        let emitted: Vec<LightLevels> = chunk.values().map(|voxel| traits.emitted(voxel)).collect();
        if emitted.iter().all(|&levels| levels == LightLevels::DARK)
            && let Some(levels) = uniform_light(chunk, around, traits)
        {
            return ChunkLight::uniform(levels);
        }
        self.read_loss(chunk, traits);
        let mut lit = Vec::new();
        for channel in Channel::ALL {
            if emitted.iter().any(|levels| levels.get(channel) > 0) {
                self.emit(chunk, &emitted, channel);
            }
            for face in Face::ALL {
                self.enter(face, around, channel);
            }
            if self.planes.spread(&self.loss) {
                lit.push((channel, *self.planes.bits()));
            }
        }
        ChunkLight(levels_to_runs(&lit))
    }

    /// Reads how many levels light loses in each voxel of the chunk.
    fn read_loss(&mut self, chunk: &RunTree, traits: &LightTraits) {
        let has_loss = |voxel: Voxel, loss: usize| traits.loss(voxel) == Some(loss as u8 + 1);
        self.loss.any = std::array::from_fn(|loss| chunk.values().any(|voxel| has_loss(voxel, loss)));
        let masks: Vec<BitMasks<MAX_LOSS>> = chunk
            .values()
            .map(|voxel| std::array::from_fn(|loss| if has_loss(voxel, loss) { u32::MAX } else { 0 }))
            .collect();
        let part = ChunkPart::new(IVec3::ZERO);
        let toggles = RowToggles::new(&mut self.toggles[..], part.row_count());
        part.read(
            chunk,
            |code| masks[code],
            toggles,
            |number, row| {
                row.into_iter().enumerate().for_each(|(loss, bits)| self.loss.set(loss, number, bits));
            },
        );
    }

    /// Lets light begin at the voxels that emit it. `emitted`: levels by palette entry.
    fn emit(&mut self, chunk: &RunTree, emitted: &[LightLevels], channel: Channel) {
        chunk.for_each_coded(0..CHUNK_VOLUME, |start, end, code| {
            let level = usize::from(emitted[code].get(channel));
            let mut at = start;
            while level > 0 && at < end {
                let row = at / SIDE;
                let row_end = end.min((row + 1) * SIDE);
                let bits = u32::MAX >> (SIDE - (row_end - at)) << (at % SIDE);
                self.planes.add_row(level, row, bits);
                at = row_end;
            }
        });
    }

    /// Lets the light of a side's neighbour enter the chunk.
    fn enter(&mut self, face: Face, around: &LightSurroundings<'_>, channel: Channel) {
        let sky = ChunkLight::uniform(LightLevels::SUNLIT);
        let sky = (face == Face::Up && around.is_under_sky).then_some(&sky);
        let Some(ChunkLight(tree)) = around.sides[face as usize].or(sky) else { return };
        let levels: Vec<u8> = tree.values().map(|value| LightLevels::from_voxel(value).get(channel)).collect();
        if levels.iter().all(|&level| level == 0) {
            return;
        }
        let masks: Vec<BitMasks<4>> = levels
            .into_iter()
            .map(|level| std::array::from_fn(|bit| if level >> bit & 1 == 1 { u32::MAX } else { 0 }))
            .collect();
        let part = ChunkPart::new(face.normal());
        let mut falling = [0; SIDE];
        let toggles = RowToggles::new(&mut self.toggles[..], part.row_count());
        let (planes, loss) = (&mut self.planes, &self.loss);
        part.read(
            tree,
            |code| masks[code],
            toggles,
            |number, bits| {
                let line = SideLine::new(face, number);
                let mut left = bits[0] | bits[1] | bits[2] | bits[3];
                while let Some((level, mut voxels)) = take_level(&mut left, bits) {
                    if face == Face::Up && channel == Channel::Sun && level == LEVELS {
                        falling[number] = voxels;
                        voxels &= !line.conducting(loss, 0);
                    }
                    for lost in 1..level.min(MAX_LOSS + 1) {
                        let entered = voxels & line.conducting(loss, lost - 1);
                        if entered != 0 {
                            line.add(planes, level - lost, entered);
                        }
                    }
                }
            },
        );
        if falling != [0; SIDE] {
            planes.fall(falling, loss);
        }
    }
}

/// The light of a chunk that emits none, if it is found without looking at single voxels.
fn uniform_light(chunk: &RunTree, around: &LightSurroundings<'_>, traits: &LightTraits) -> Option<LightLevels> {
    let loss = traits.loss(chunk.as_uniform()?);
    let uniform = |light: &ChunkLight| light.0.as_uniform().map(LightLevels::from_voxel);
    let is_dark = |light: &ChunkLight| uniform(light) == Some(LightLevels::DARK);
    if loss.is_none() || !around.is_under_sky && around.sides.into_iter().flatten().all(is_dark) {
        return Some(LightLevels::DARK);
    }
    // The sun falls through air, and from the sides comes nothing brighter.
    let is_sunlit = |light: &ChunkLight| uniform(light) == Some(LightLevels::SUNLIT);
    let has_only_sun = |light: &&ChunkLight| {
        light.0.values().all(|value| value.material() <= LightLevels::SUNLIT.to_voxel().material())
    };
    let falls = around.sides[Face::Up as usize].map_or(around.is_under_sky, is_sunlit);
    let sides = around.sides.iter().flatten();
    (loss == Some(1) && falls && sides.into_iter().all(has_only_sun)).then_some(LightLevels::SUNLIT)
}

/// A line of 32 voxels of a chunk at one of its sides.
#[derive(Clone, Copy)]
enum SideLine {
    /// The row with this number, by z and then y.
    Row(usize),
    /// The voxels with these x and y, in the order of z.
    Column(usize, usize),
}

impl SideLine {
    /// Line `number` of a side, as [`ChunkPart`] numbers those of the neighbour.
    fn new(face: Face, number: usize) -> SideLine {
        let last = SIDE - 1;
        match face {
            Face::Up => SideLine::Row(last * SIDE + number),
            Face::Down => SideLine::Row(number),
            Face::South => SideLine::Row(number * SIDE + last),
            Face::North => SideLine::Row(number * SIDE),
            Face::East => SideLine::Column(last, number),
            Face::West => SideLine::Column(0, number),
        }
    }

    /// The voxels of the line with a loss, counted from 0.
    fn conducting(self, loss: &LossRows, lost: usize) -> u32 {
        match self {
            SideLine::Row(row) => loss.get(lost, row),
            SideLine::Column(x, y) => (0..SIDE).fold(0, |bits, z| bits | (loss.get(lost, y * SIDE + z) >> x & 1) << z),
        }
    }

    /// Lets light of a level begin at voxels of the line.
    fn add(self, planes: &mut LevelPlanes, level: usize, voxels: u32) {
        match self {
            SideLine::Row(row) => planes.add_row(level, row, voxels),
            SideLine::Column(x, y) => planes.add_column(level, (x, y), voxels),
        }
    }
}

/// The run tree of the levels of channels, given as bits.
fn levels_to_runs(channels: &[(Channel, [[u32; AREA]; 4])]) -> RunTree {
    // A word of 32 voxels for each bit of the levels, with the bit's place in the value.
    let words: Vec<(usize, &[u32; AREA])> = channels
        .iter()
        .flat_map(|(channel, bits)| bits.iter().enumerate().map(|(bit, words)| (4 * *channel as usize + bit, words)))
        .collect();
    let value = |row: usize, x: u32| {
        Voxel::full(words.iter().fold(0, |value, (place, words)| value | ((words[row] >> x & 1) as u16) << place))
    };
    let mut builder = RunBuilder::new();
    let (mut start, mut last) = (0, value(0, 0));
    for row in 0..AREA {
        let changes = |words: &[u32; AREA]| {
            let before = if row == 0 { words[0] << (SIDE - 1) } else { words[row - 1] };
            words[row] ^ (words[row] << 1 | before >> (SIDE - 1))
        };
        let mut starts = words.iter().fold(0, |starts, (_, words)| starts | changes(words));
        while starts != 0 {
            let x = starts.trailing_zeros();
            starts &= starts - 1;
            let at = row * SIDE + x as usize;
            builder.push((at - start) as u32, last);
            (start, last) = (at, value(row, x));
        }
    }
    builder.push((CHUNK_VOLUME - start) as u32, last);
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
