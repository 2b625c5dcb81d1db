//! One bit per voxel of a chunk and around it, as a word per row, written straight from runs.

use super::face_materials::FaceMaterials;
use super::row_layout::{AREA, LAYER, SIDE, boxed, inner, row_number};
use super::run_rows::RunRows;
use super::voxel_class::{ClassBit, VoxelClass};
use crate::runs::RunTree;
use crate::runs::moore::ChunkNeighbourhoodRef;
use crate::voxel::{
    CHUNK_SIDE, MOORE_LEN, linear_index, local_coord, neighbour_index, neighbour_offset, neighbour_offsets,
};
use glam::IVec3;
use std::ops::Range;

/// The bits of x from 0 to 31.
const INNER: u64 = (u32::MAX as u64) << 1;
/// Bits that a class can have.
const BITS: usize = ClassBit::ALL.len();

/// One word per class bit and row, by [`row_number`]. Bit x + 1 belongs to the voxel at x, from -1 to
/// 32. Class bits that are equal in all classes that occur share their words, a *slot*.
pub(super) struct BitRows {
    /// Words of each slot.
    words: Box<[[[u64; LAYER]; LAYER]; BITS]>,
    /// Slot of each class bit.
    slots: [usize; BITS],
    /// Number of slots in use.
    slot_count: usize,
    /// Class of each palette entry, for each neighbour and the chunk.
    classes: Vec<VoxelClass>,
    /// Bit s of each of these entries: a voxel has the bits of slot s.
    entry_slots: Vec<u8>,
    /// Where each chunk's entries are, in the order of [`neighbour_index`].
    palettes: [Range<usize>; MOORE_LEN],
    /// The different classes in the palettes.
    classes_present: Vec<VoxelClass>,
}

impl Default for BitRows {
    fn default() -> BitRows {
        BitRows {
            words: boxed([[0; LAYER]; LAYER]),
            slots: [0; BITS],
            slot_count: 0,
            classes: Vec::new(),
            entry_slots: Vec::new(),
            palettes: [const { 0..0 }; MOORE_LEN],
            classes_present: Vec::new(),
        }
    }
}

impl BitRows {
    /// Reads a chunk into `runs`, and the chunk and the voxels around it into bits. Chunks that are not
    /// loaded have the class of air. Slots are shared unless `separate` holds for a class.
    pub fn read(
        &mut self,
        chunks: &ChunkNeighbourhoodRef<'_>,
        materials: &FaceMaterials,
        runs: &mut RunRows,
        separate: impl Fn(VoxelClass) -> bool,
    ) {
        self.classify(chunks, materials);
        let separate = self.any_class(separate);
        self.assign_slots(separate);
        self.words[..self.slot_count].iter_mut().for_each(|words| words.as_flattened_mut().fill(0));
        for offset in neighbour_offsets() {
            let number = neighbour_index(offset);
            let Some(tree) = chunks.chunks[number] else { continue };
            let mut writer =
                RowWriter { words: &mut self.words, slots: &self.entry_slots[self.palettes[number].clone()] };
            match tree.as_uniform() {
                Some(_) => writer.fill_uniform(offset),
                None if offset != IVec3::ZERO => writer.read_neighbour(tree, offset),
                None => {}
            }
            if offset == IVec3::ZERO {
                let is_uniform = tree.as_uniform().is_some();
                runs.read(tree, |start, end, code| {
                    let slots = writer.slots[code];
                    if slots != 0 && !is_uniform {
                        writer.set_rows(slots, start, end, row_number(0, 0));
                    }
                });
            }
        }
    }

    /// Reads the classes of all palettes.
    fn classify(&mut self, chunks: &ChunkNeighbourhoodRef<'_>, materials: &FaceMaterials) {
        self.classes.clear();
        self.classes_present.clear();
        for number in 0..MOORE_LEN {
            let first = self.classes.len();
            for voxel in chunks.chunks[number].into_iter().flat_map(RunTree::values) {
                let class = VoxelClass::new(materials, voxel);
                if !self.classes_present.contains(&class) {
                    self.classes_present.push(class);
                }
                self.classes.push(class);
            }
            self.palettes[number] = first..self.classes.len();
            debug_assert_eq!(neighbour_index(neighbour_offset(number)), number);
        }
    }

    /// True if `test` holds for any class in the palettes.
    pub fn any_class(&self, test: impl Fn(VoxelClass) -> bool) -> bool {
        self.classes_present.iter().any(|&class| test(class))
    }

    fn assign_slots(&mut self, separate: bool) {
        self.slot_count = 0;
        for (i, bit) in ClassBit::ALL.into_iter().enumerate() {
            let equal = |other: &ClassBit| !self.any_class(|class| class.has(bit) != class.has(*other));
            let before = ClassBit::ALL[..i].iter().find(|other| !separate && equal(other));
            self.slots[i] = before.map_or(self.slot_count, |&other| self.slots[other as usize]);
            self.slot_count = self.slot_count.max(self.slots[i] + 1);
        }
        let slots = |class: &VoxelClass| {
            let bits = ClassBit::ALL.into_iter().filter(|&bit| class.has(bit));
            bits.fold(0, |slots, bit| slots | 1 << self.slots[bit as usize])
        };
        self.entry_slots.clear();
        self.entry_slots.extend(self.classes.iter().map(slots));
    }

    /// Word of a row and class bit.
    #[inline]
    pub fn word(&self, row: usize, bit: ClassBit) -> u64 {
        self.words[self.slots[bit as usize]].as_flattened()[row]
    }

    /// The words of a layer; `number` is y + 1, and words have the number z + 1.
    #[inline]
    pub fn layer(&self, number: usize, bit: ClassBit) -> &[u64; LAYER] {
        &self.words[self.slots[bit as usize]][number]
    }

    /// The bits of x from 0 to 31 of a row and class bit.
    #[inline]
    pub fn inner(&self, row: usize, bit: ClassBit) -> u32 {
        inner(self.word(row, bit))
    }

    /// Sets bits in a row. Requires a class for which [`BitRows::read`] separates slots; otherwise
    /// other class bits may share the word.
    pub fn add(&mut self, row: usize, bit: ClassBit, bits: u64) {
        self.words[self.slots[bit as usize]].as_flattened_mut()[row] |= bits;
    }
}

/// Writes the voxels of one chunk into the rows.
struct RowWriter<'a> {
    words: &'a mut [[[u64; LAYER]; LAYER]; BITS],
    /// Slots of each palette entry of the chunk.
    slots: &'a [u8],
}

impl RowWriter<'_> {
    /// Sets the bits `mask` in consecutive rows.
    #[inline]
    fn set(&mut self, mut slots: u8, rows: Range<usize>, mask: u64) {
        while slots != 0 {
            let slot = slots.trailing_zeros() as usize;
            slots &= slots - 1;
            self.words[slot].as_flattened_mut()[rows.clone()].iter_mut().for_each(|word| *word |= mask);
        }
    }

    /// Sets voxels from `start` to `end` of whole layers, whose first row has the number `first`.
    #[inline]
    fn set_rows(&mut self, slots: u8, start: usize, end: usize, first: usize) {
        let number = |row: usize| first + row / SIDE * LAYER + row % SIDE;
        let (row, last) = (start / SIDE, (end - 1) / SIDE);
        let from = INNER << (start % SIDE) & INNER;
        let until = INNER >> (SIDE - 1 - (end - 1) % SIDE) & INNER;
        if row == last {
            return self.set(slots, number(row)..number(row) + 1, from & until);
        }
        self.set(slots, number(row)..number(row) + 1, from);
        self.set(slots, number(last)..number(last) + 1, until);
        let mut row = row + 1;
        while row < last {
            let layer_end = last.min((row | (SIDE - 1)) + 1);
            self.set(slots, number(row)..number(row) + (layer_end - row), INNER);
            row = layer_end;
        }
    }

    /// Ranges along y, z and x of the border towards `offset`, in coordinates of the middle chunk.
    fn border(offset: IVec3) -> [Range<i32>; 3] {
        [offset.y, offset.z, offset.x].map(|step| match step {
            -1 => -1..0,
            0 => 0..CHUNK_SIDE,
            _ => CHUNK_SIDE..CHUNK_SIDE + 1,
        })
    }

    /// The bits of a row that a neighbour covers.
    fn border_mask(offset: IVec3) -> u64 {
        match offset.x {
            -1 => 1,
            0 => INNER,
            _ => 1 << (SIDE + 1),
        }
    }

    fn fill_uniform(&mut self, offset: IVec3) {
        let slots = self.slots[0];
        if slots != 0 {
            let [ys, zs, _] = RowWriter::border(offset);
            for y in ys {
                let rows = row_number(y, zs.start)..row_number(y, zs.end);
                self.set(slots, rows, RowWriter::border_mask(offset));
            }
        }
    }

    fn read_neighbour(&mut self, tree: &RunTree, offset: IVec3) {
        let [ys, zs, xs] = RowWriter::border(offset);
        // Linear index in the neighbour.
        let index = |y: i32, z: i32, x: i32| linear_index(IVec3::new(local_coord(x), local_coord(y), local_coord(z)));
        if offset.x == 0 && offset.z == 0 {
            let first = index(ys.start, 0, 0);
            let row = row_number(ys.start, 0);
            return tree.for_each_coded(first..first + AREA, |start, end, code| {
                let slots = self.slots[code];
                if slots != 0 {
                    self.set_rows(slots, start - first, end - first, row);
                }
            });
        }
        let mask = RowWriter::border_mask(offset);
        if zs.len() == 1 {
            for y in ys {
                let (first, row) = (index(y, zs.start, xs.start), row_number(y, zs.start));
                tree.for_each_coded(first..first + xs.len(), |start, end, code| {
                    let slots = self.slots[code];
                    let bits =
                        if xs.len() == 1 { mask } else { (u64::MAX >> (64 - (end - start))) << (start - first + 1) };
                    self.set(slots, row..row + 1, bits);
                });
            }
            return;
        }
        // One voxel of each row.
        let (first, x) = (index(ys.start, 0, 0), index(0, 0, xs.start));
        let lowest = row_number(ys.start, 0);
        tree.for_each_coded(first..first + AREA * ys.len(), |start, end, code| {
            // Rows whose voxel at x lies in the run. Most runs are short and hold none.
            let mut row = (start - first + SIDE - 1 - x) / SIDE;
            let last = (end - first + SIDE - 1 - x) / SIDE;
            if row == last {
                return;
            }
            let slots = self.slots[code];
            while slots != 0 && row < last {
                let layer_end = last.min((row | (SIDE - 1)) + 1);
                let number = lowest + row / SIDE * LAYER + row % SIDE;
                self.set(slots, number..number + (layer_end - row), mask);
                row = layer_end;
            }
        });
    }
}
