//! One bit per voxel of a chunk and around it, as a word per row, written straight from runs.

use super::face_materials::FaceMaterials;
use super::run_rows::RunRows;
use super::voxel_class::{ClassBit, VoxelClass};
use crate::runs::RunTree;
use crate::runs::bit_rows::{AREA, BitMasks, ChunkPart, LAYER, RowToggles, Words, boxed};
use crate::runs::moore::ChunkNeighbourhoodRef;
use crate::voxel::{
    MOORE_CENTRE, MOORE_LEN, Voxel, neighbour_index, neighbour_offset, neighbour_offsets,
};
use glam::IVec3;
use std::ops::Range;

/// Number of class bits that are read.
const BITS: usize = ClassBit::OUTWARD.len();
/// Number of lanes in which runs are read if no class bits share a slot.
const MAX_LANES: usize = BITS.next_power_of_two();

/// One word per class bit and row, by [`row_number`]. Bit x + 1 belongs to the voxel at x, from -1
/// to 32. Class bits that are equal in all classes present share their words, a *slot*. Class bits
/// that no class has use the words of zeros.
pub(super) struct BitRows {
    /// Words of each slot, then words of zeros.
    words: Box<[Words; BITS + 1]>,
    /// Slot of each class bit.
    slots: [usize; BITS],
    /// Number of slots in use.
    slot_count: usize,
    /// Class of each palette entry of the chunk and its neighbours.
    classes: Vec<VoxelClass>,
    /// Masks of each entry in `classes`, by slot.
    entry_masks: Vec<BitMasks<MAX_LANES>>,
    /// Range of each chunk's entries in `classes`, in the order of [`neighbour_index`].
    palettes: [Range<usize>; MOORE_LEN],
    /// The different classes in the palettes.
    classes_present: Vec<VoxelClass>,
    /// Buffer of [`RowToggles`].
    toggles: Box<[u32; MAX_LANES * (AREA + 1)]>,
}

impl Default for BitRows {
    fn default() -> BitRows {
        BitRows {
            words: boxed([[0; LAYER]; LAYER]),
            slots: [0; BITS],
            slot_count: 0,
            classes: Vec::new(),
            entry_masks: Vec::new(),
            palettes: [const { 0..0 }; MOORE_LEN],
            classes_present: Vec::new(),
            toggles: boxed(0),
        }
    }
}

impl BitRows {
    /// Reads a chunk into `runs`, and the chunk and the voxels around it into bits. Chunks that are
    /// not loaded have the class of air.
    pub fn read(
        &mut self,
        chunks: &ChunkNeighbourhoodRef<'_>,
        materials: &FaceMaterials,
        runs: &mut RunRows,
    ) {
        self.classify(chunks, materials);
        self.assign_slots();
        self.words[..self.slot_count].iter_mut().for_each(|words| words.as_flattened_mut().fill(0));
        match self.slot_count {
            0..=1 => self.read_lanes::<1>(chunks, runs),
            2 => self.read_lanes::<2>(chunks, runs),
            3..=4 => self.read_lanes::<4>(chunks, runs),
            _ => self.read_lanes::<MAX_LANES>(chunks, runs),
        }
    }

    /// Reads with at least as many lanes as there are slots.
    fn read_lanes<const N: usize>(
        &mut self,
        chunks: &ChunkNeighbourhoodRef<'_>,
        runs: &mut RunRows,
    ) {
        let BitRows { words, slot_count, entry_masks, palettes, toggles, .. } = self;
        let words = &mut words[..*slot_count];
        for offset in neighbour_offsets() {
            let number = neighbour_index(offset);
            let Some(tree) = chunks.chunks[number] else { continue };
            let palette = &entry_masks[palettes[number].clone()];
            let masks =
                |code: usize| -> BitMasks<N> { std::array::from_fn(|lane| palette[code][lane]) };
            let part = ChunkPart::new(offset);
            if offset == IVec3::ZERO {
                runs.read(tree);
                let mut toggles = RowToggles::new(toggles.as_mut_slice(), AREA);
                for run in &runs.runs {
                    toggles = toggles.start(run.start.into(), masks(run.code.into()));
                }
                toggles.finish(|number, row| part.write_row(words, number, row));
            } else if palette.iter().all(|entry| *entry == palette[0]) {
                part.write(words, |_| masks(0));
            } else {
                let toggles = RowToggles::new(toggles.as_mut_slice(), part.row_count());
                part.read(tree, masks, toggles, |number, row| part.write_row(words, number, row));
            }
        }
    }

    /// Determines the class of each palette entry.
    fn classify(&mut self, chunks: &ChunkNeighbourhoodRef<'_>, materials: &FaceMaterials) {
        let class = |voxel: &Voxel| VoxelClass::new(materials, *voxel);
        let mut middle = chunks.chunks[MOORE_CENTRE].into_iter().flat_map(RunTree::values);
        let common = middle.find(|voxel| class(voxel).can_be_common());
        self.classes.clear();
        let mut present = [false; 256];
        for number in 0..MOORE_LEN {
            let first = self.classes.len();
            for voxel in chunks.chunks[number].into_iter().flat_map(RunTree::values) {
                let class = class(&voxel);
                let class = if Some(voxel) == common { class.as_common() } else { class };
                present[usize::from(class.0)] = true;
                self.classes.push(class);
            }
            self.palettes[number] = first..self.classes.len();
            debug_assert_eq!(neighbour_index(neighbour_offset(number)), number);
        }
        self.classes_present.clear();
        self.classes_present
            .extend((0..=u8::MAX).map(VoxelClass).filter(|class| present[usize::from(class.0)]));
    }

    /// The classes of the chunk's palette.
    pub(crate) fn chunk_classes(&self) -> &[VoxelClass] {
        &self.classes[self.palettes[MOORE_CENTRE].clone()]
    }

    /// True if `test` holds for any class in the palettes.
    pub(crate) fn any_class(&self, test: impl Fn(VoxelClass) -> bool) -> bool {
        self.classes_present.iter().any(|&class| test(class))
    }

    /// True if liquids may end at ground.
    pub(crate) fn may_have_shores(&self) -> bool {
        self.any_class(VoxelClass::is_ground) && self.any_class(|class| class.has(ClassBit::Stacks))
    }

    fn assign_slots(&mut self) {
        // Opaque liquids and wires under the same material become walls later, in `add`, so no
        // words may be shared.
        let separate = self.any_class(VoxelClass::is_low_opaque_stack);
        let may_have_shores = self.may_have_shores();
        // For each class bit, the set of classes that have it.
        let owners = ClassBit::OUTWARD.map(|bit| {
            let mut owners = [0u128; 2];
            if bit == ClassBit::Stacks && !may_have_shores {
                return owners;
            }
            for class in self.classes_present.iter().filter(|class| class.has(bit)) {
                owners[usize::from(class.0) / 128] |= 1 << (class.0 % 128);
            }
            owners
        });
        self.slot_count = 0;
        for (i, bits) in owners.iter().enumerate() {
            let before = owners[..i].iter().position(|other| other == bits);
            self.slots[i] = match before {
                Some(before) if !separate => self.slots[before],
                _ if !separate && *bits == [0; 2] => BITS,
                _ => {
                    self.slot_count += 1;
                    self.slot_count - 1
                }
            };
        }
        let masks = |class: &VoxelClass| {
            let mut masks = [0; MAX_LANES];
            for (bit, &slot) in ClassBit::OUTWARD.into_iter().zip(&self.slots) {
                if class.has(bit) {
                    masks[slot] = u32::MAX;
                }
            }
            masks
        };
        self.entry_masks.clear();
        self.entry_masks.extend(self.classes.iter().map(masks));
    }

    /// Word of a row and class bit.
    #[inline]
    pub fn word(&self, row: usize, bit: ClassBit) -> u64 {
        self.words[self.slots[bit as usize]].as_flattened()[row]
    }

    /// The words of a class bit, by y + 1 and z + 1.
    #[inline]
    pub fn words(&self, bit: ClassBit) -> &Words {
        &self.words[self.slots[bit as usize]]
    }

    /// The words of a layer; `number` is y + 1, and words have the number z + 1.
    #[inline]
    pub fn layer(&self, number: usize, bit: ClassBit) -> &[u64; LAYER] {
        &self.words[self.slots[bit as usize]][number]
    }

    /// Sets bits in a row. Requires a low opaque liquid or wire in the palettes; otherwise class
    /// bits may share the word.
    pub fn add(&mut self, row: usize, bit: ClassBit, bits: u64) {
        self.words[self.slots[bit as usize]].as_flattened_mut()[row] |= bits;
    }
}
