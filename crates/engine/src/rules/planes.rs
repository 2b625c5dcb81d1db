//! The voxels of a chunk as planes of bits: the code of the kind, the deficit, and the water.
//!
//! Planes are read from runs: a run toggles bits where it starts, so 32 voxels of a run cost as
//! much as one. They are written back as runs, block by block.

use super::amounts::DEFICIT_BITS;
use super::block_set::{BLOCKS, BlockSet};
use super::kinds::{MAX_CODE_PLANES, RuleKindSet, RuleKinds};
use super::rows::{ROWS, Rows};
use super::summary::Summary;
use crate::bits::set_bits;
use crate::runs::bit_rows::{AREA, ChunkPart, RowToggles, boxed};
use crate::runs::{RunTree, TwoValues};
use crate::voxel::Voxel;
use glam::IVec3;

/// Maximum number of starts of runs in a row that are looked up one by one. For more, transposing
/// the whole row is faster.
const FEW_STARTS: u32 = 6;
/// Minimum number of changed blocks for which it pays to check whether the chunk has only two
/// values.
const MANY: u32 = 32;
/// Number of planes that are read from runs at once.
const LANES: usize = 8;

/// The planes of one chunk, block by block.
#[derive(Clone, Debug)]
pub(super) struct Planes {
    words: Vec<Rows>,
    /// Number of planes of a block: the bits of the code, then the bits of the deficit if any voxel
    /// is partly filled, then the bits of the water if any voxel is wet.
    len: usize,
    /// Distance between consecutive blocks in `words`; 0 if all blocks share one entry.
    stride: usize,
    /// Bits of a code.
    code_bits: usize,
    summary: Summary,
}

/// The deficit of a voxel.
fn deficit(voxel: Voxel) -> u8 {
    if voxel.is_air() { 0 } else { u8::MAX - voxel.occupancy() }
}

/// The bits of a voxel in all planes.
fn number_of(voxel: Voxel, kinds: &RuleKinds, code_bits: usize) -> usize {
    let amounts = usize::from(deficit(voxel)) | usize::from(voxel.liquid()) << DEFICIT_BITS;
    usize::from(kinds.code(voxel)) | amounts << code_bits
}

/// One lane per bit: all ones if the bit is set, otherwise 0.
fn lanes(bits: u8) -> [u32; LANES] {
    std::array::from_fn(|bit| if bits >> bit & 1 == 1 { u32::MAX } else { 0 })
}

/// The kinds in a chunk's palette. Wet voxels are of their own kind and of the water's.
pub(super) fn kinds_in(tree: &RunTree, kinds: &RuleKinds) -> RuleKindSet {
    tree.values().fold(RuleKindSet::default(), |all, voxel| {
        let water = if voxel.is_wet() { kinds.water() } else { RuleKindSet::default() };
        all.union(kinds.set_of(voxel)).union(water)
    })
}

impl Planes {
    /// Reads the planes of a chunk from its runs.
    pub fn read(tree: &RunTree, kinds: &RuleKinds) -> Planes {
        let code_bits = kinds.planes();
        let palette: Vec<Voxel> = tree.values().collect();
        let is_partial = palette.iter().any(|&voxel| deficit(voxel) != 0);
        // Full voxels are dry.
        let is_wet = palette.iter().any(|voxel| voxel.is_wet());
        let dry = code_bits + if is_partial { DEFICIT_BITS } else { 0 };
        let len = dry + if is_wet { DEFICIT_BITS } else { 0 };
        if let Some(voxel) = tree.as_uniform() {
            let bits = number_of(voxel, kinds, code_bits);
            let words = (0..len).map(|bit| Rows::splat(bits >> bit & 1 == 1)).collect();
            let mut planes =
                Planes { words, len, stride: 0, code_bits, summary: Summary::default() };
            planes.summarise();
            return planes;
        }
        let words = vec![Rows::NONE; len * BLOCKS];
        let mut planes = Planes { words, len, stride: len, code_bits, summary: Summary::default() };
        if let Some(two) = tree.two_values() {
            let numbers = two.values.map(|voxel| number_of(voxel, kinds, code_bits));
            planes.read_two_values(&two.rows, numbers);
            planes.summarise();
            return planes;
        }
        const { assert!(MAX_CODE_PLANES <= LANES && DEFICIT_BITS <= LANES) };
        planes.read_lanes(tree, 0..code_bits, palette.iter().map(|&voxel| kinds.code(voxel)));
        if is_partial {
            planes.read_lanes(tree, code_bits..dry, palette.iter().map(|&voxel| deficit(voxel)));
        }
        if is_wet {
            planes.read_lanes(tree, dry..len, palette.iter().map(|voxel| voxel.liquid()));
        }
        planes.summarise();
        planes
    }

    fn summarise(&mut self) {
        let mut summary = Summary::default();
        for number in 0..BLOCKS {
            let (codes, amounts) = self.block(number).split_at(self.code_bits);
            summary.set(number, codes, amounts);
        }
        self.summary = summary;
    }

    /// Kinds of matter in each block.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Reads some planes. `bits` gives their bits for each palette entry.
    fn read_lanes(
        &mut self,
        tree: &RunTree,
        planes: std::ops::Range<usize>,
        bits: impl Iterator<Item = u8>,
    ) {
        let masks: Vec<[u32; LANES]> = bits.map(lanes).collect();
        let part = ChunkPart::new(IVec3::ZERO);
        let mut toggles = [0; LANES * (AREA + 1)];
        part.read(
            tree,
            |code| masks[code],
            RowToggles::new(&mut toggles, AREA),
            |number, row| {
                let block =
                    &mut self.words[number / ROWS * self.stride..][..self.len][planes.clone()];
                block.iter_mut().zip(row).for_each(|(rows, bits)| rows.0[number % ROWS] = bits);
            },
        );
    }

    /// Reads a chunk of two values. `rows` marks the voxels of the second value, and `numbers`
    /// holds the bits of each value in all planes.
    fn read_two_values(&mut self, rows: &[u32; ROWS * BLOCKS], numbers: [usize; 2]) {
        let blocks = self.words.chunks_exact_mut(self.len);
        for (block, rows) in blocks.zip(rows.as_chunks::<ROWS>().0) {
            for (bit, plane) in block.iter_mut().enumerate() {
                let [first, second] = numbers.map(|number| Rows::splat(number >> bit & 1 == 1));
                *plane = second.or_where_not(Rows(*rows), first);
            }
        }
    }

    /// The chunk as two values. `None` if it has another number of values, or if the planes do not
    /// determine the material of one.
    fn two_values(&self, kinds: &RuleKinds) -> Option<TwoValues> {
        let first = number(self.block(0), 0, 0);
        let differing = |block: &[Rows]| {
            let planes = block.iter().enumerate();
            planes.fold(Rows::NONE, |all, (bit, rows)| {
                all | *rows ^ Rows::splat(first >> bit & 1 == 1)
            })
        };
        let mut second = None;
        let mut rows = boxed(0);
        for (number, rows) in rows.as_chunks_mut().0.iter_mut().enumerate() {
            let block = self.block(number);
            let found = differing(block);
            *rows = found.0;
            let Some(row) = found.0.iter().position(|row| *row != 0) else { continue };
            let second = *second
                .get_or_insert_with(|| self::number(block, row, found.0[row].trailing_zeros()));
            let is_second = |(bit, plane): (usize, &Rows)| {
                let [first, second] =
                    [first, second].map(|number| Rows::splat(number >> bit & 1 == 1));
                *plane == second.or_where_not(found, first)
            };
            if !block.iter().enumerate().all(is_second) {
                return None;
            }
        }
        let voxel = |number: usize| self.voxel(kinds, number);
        Some(TwoValues { values: [voxel(first)?, voxel(second?)?], rows })
    }

    /// The voxel with these bits in all planes; `None` if its kind has several materials.
    fn voxel(&self, kinds: &RuleKinds, number: usize) -> Option<Voxel> {
        let code = number & ((1 << self.code_bits) - 1);
        // The cast keeps the eight bits of the deficit.
        let deficit = (number >> self.code_bits) as u8;
        let voxel = Voxel::new(kinds.material(code)?, u8::MAX - deficit);
        Some(voxel.with_liquid(self.liquid(number)))
    }

    /// The liquid in the voxel with these bits in all planes.
    fn liquid(&self, number: usize) -> u8 {
        (number >> (self.code_bits + DEFICIT_BITS)) as u8
    }

    /// The planes of a block: the bits of the code, then the bits of the deficit and of the water,
    /// if the chunk has partly filled or wet voxels.
    #[inline(always)]
    pub fn block(&self, number: usize) -> &[Rows] {
        &self.words[number * self.stride..][..self.len]
    }

    /// Replaces a block. Planes missing from `block` become empty.
    pub(crate) fn set_block(&mut self, number: usize, block: &[Rows]) {
        if self.stride < block.len() {
            let len = self.len.max(block.len());
            let mut words = Vec::with_capacity(len * BLOCKS);
            for number in 0..BLOCKS {
                words.extend_from_slice(self.block(number));
                words.resize((number + 1) * len, Rows::NONE);
            }
            *self = Planes { words, len, stride: len, ..*self };
        }
        let (old, rest) = self.words[number * self.stride..][..self.len].split_at_mut(block.len());
        old.copy_from_slice(block);
        rest.fill(Rows::NONE);
        let (codes, amounts) = block.split_at(self.code_bits);
        self.summary.set(number, codes, amounts);
    }

    /// The chunk as runs; `None` if it is equal to `tree`, the chunk before. Voxels may differ only
    /// in the blocks `changed`.
    pub(crate) fn to_tree(
        &self,
        tree: &RunTree,
        changed: BlockSet,
        kinds: &RuleKinds,
    ) -> Option<RunTree> {
        if changed.count_ones() >= MANY
            && let Some(two) = self.two_values(kinds)
        {
            let after = two.to_tree();
            return (after != *tree).then_some(after);
        }
        let is_changed = |block: usize| changed >> block & 1 == 1;
        let mut differs = false;
        let tree = tree.with_blocks(is_changed, |block, before, into| {
            self.push_runs(self.block(block), kinds, before, into);
            differs |= before != &into[..];
        });
        differs.then_some(tree)
    }

    /// Adds the runs of a block to `into`. `before` holds its previous runs by start and value.
    fn push_runs(
        &self,
        block: &[Rows],
        kinds: &RuleKinds,
        before: &[(u8, Voxel)],
        into: &mut Vec<(u8, Voxel)>,
    ) {
        let mut old = before.iter().copied().peekable();
        let mut old_voxel = Voxel::AIR;
        for row in 0..ROWS {
            let first = (row * 32) as u8;
            // Runs may start where a bit differs from the voxel before, and at old starts, because
            // voxels of a kind with several materials keep their material.
            let mut starts =
                block.iter().fold(1, |all, rows| all | (rows.0[row] ^ rows.0[row] << 1));
            let mut old_starts = old.clone();
            while let Some((start, _)) =
                old_starts.next_if(|&(start, _)| usize::from(start) / 32 == row)
            {
                starts |= 1 << (start % 32);
            }
            let many = starts.count_ones() > FEW_STARTS;
            let numbers = if many { numbers(block, row) } else { [0; 32] };
            for x in set_bits(starts) {
                let at = first | x as u8;
                while let Some((_, voxel)) = old.next_if(|&(start, _)| start <= at) {
                    old_voxel = voxel;
                }
                let number =
                    if many { numbers[x as usize] as usize } else { number(block, row, x) };
                // Of kinds of several materials, rules change only the liquid.
                let voxel = self
                    .voxel(kinds, number)
                    .unwrap_or_else(|| old_voxel.with_liquid(self.liquid(number)));
                if into.last().is_none_or(|&(_, last)| last != voxel) {
                    into.push((at, voxel));
                }
            }
        }
    }
}

/// The bits of one voxel in all planes.
fn number(block: &[Rows], row: usize, x: u32) -> usize {
    block
        .iter()
        .enumerate()
        .fold(0, |all, (bit, rows)| all | ((rows.0[row] >> x & 1) as usize) << bit)
}

/// The bits of all voxels of a row in all planes.
fn numbers(block: &[Rows], row: usize) -> [u32; 32] {
    let mut numbers = [0; 32];
    for (bit, rows) in block.iter().enumerate() {
        let word = rows.0[row];
        for (x, number) in numbers.iter_mut().enumerate() {
            *number |= if word & 1 << x == 0 { 0 } else { 1 << bit };
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::super::kinds::{Distinctions, MaterialSet, Motion};
    use super::*;
    use crate::random::Random;
    use crate::voxel::{CHUNK_VOLUME, MaterialTable};

    fn kinds(materials: &MaterialTable) -> RuleKinds {
        let id = |name: &str| materials.find(name).unwrap();
        let motions =
            [(id("sand"), Motion::Powder), (id("water"), Motion::Liquid)].into_iter().collect();
        let sets = [MaterialSet { materials: vec![id("dirt"), id("grass")], matters: Vec::new() }];
        RuleKinds::new(&Distinctions {
            materials,
            motions: &motions,
            products: &[id("stone")],
            dry: &[],
            sets: &sets,
        })
        .unwrap()
        .0
    }

    #[test]
    fn chunk_survives_planes_and_back() {
        let materials = MaterialTable::builtin();
        let kinds = kinds(&materials);
        let id = |name: &str| materials.find(name).unwrap();
        let full = ["air", "sand", "dirt", "grass", "stone", "glass", "oak_log"]
            .map(|name| Voxel::full(id(name)));
        let wet = |name: &str| Voxel::new(id(name), 99).with_liquid(40);
        let partial = [
            Voxel::new(id("water"), 9),
            Voxel::new(id("snow"), 90),
            Voxel::new(id("sand"), 0),
            // Of a kind of several materials, and of a kind of one.
            wet("dirt"),
            wet("stone"),
        ];
        let mut random = Random::new(1);
        for longest in [1, 5, 60, 3000] {
            let pairs = [
                [full[0], full[1]],
                [full[1], partial[0]],
                [full[2], full[3]],
                [full[2], full[0]],
                [wet("stone"), wet("stone").dry()],
                [wet("dirt"), full[0]],
                [wet("stone"), wet("stone")],
            ];
            let many = [&full[..1], &full, &[&full[..], &partial].concat()];
            for values in pairs.iter().map(|pair| &pair[..]).chain(many) {
                let mut voxels = Vec::new();
                while voxels.len() < CHUNK_VOLUME {
                    let end = (voxels.len() + 1 + random.index(longest)).min(CHUNK_VOLUME);
                    voxels.resize(end, values[random.index(values.len())]);
                }
                let tree = RunTree::from_runs(voxels.iter().map(|&voxel| (1, voxel)));
                let planes = Planes::read(&tree, &kinds);
                assert_eq!(planes.to_tree(&tree, BlockSet::MAX, &kinds), None);
                // Fills two blocks with sand.
                let mut changed = planes.clone();
                let mut sand: Vec<Rows> = planes.block(0).to_vec();
                let code = kinds.code(Voxel::full(id("sand")));
                for (bit, rows) in sand.iter_mut().enumerate() {
                    *rows = Rows::splat(bit < 8 && code >> bit & 1 == 1);
                }
                for block in [3, 127] {
                    changed.set_block(block, &sand);
                }
                let expected: Vec<_> = voxels
                    .iter()
                    .enumerate()
                    .map(|(at, &voxel)| {
                        (
                            1,
                            if [3, 127].contains(&(at / 256)) {
                                Voxel::full(id("sand"))
                            } else {
                                voxel
                            },
                        )
                    })
                    .collect();
                let expected =
                    Some(RunTree::from_runs(expected)).filter(|expected| *expected != tree);
                for blocks in [1 << 3 | 1 << 127, BlockSet::MAX] {
                    assert_eq!(changed.to_tree(&tree, blocks, &kinds), expected);
                }
            }
        }
    }
}
