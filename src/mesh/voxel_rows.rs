//! A chunk and the voxels around it, read from runs into rows of one byte per voxel.

use super::face_materials::FaceMaterials;
use super::voxel_class::VoxelClass;
use crate::runs::RunTree;
use crate::runs::moore::ChunkNeighbourhoodRef;
use crate::voxel::{CHUNK_SIDE, CHUNK_VOLUME, MOORE_CENTRE, Voxel, linear_index, neighbour_index, neighbour_offsets};
use glam::IVec3;

/// Voxels in a row, and rows of a chunk in a layer.
pub(super) const SIDE: usize = CHUNK_SIDE as usize;
/// Rows in a layer, with one more on each side.
pub(super) const LAYER: usize = SIDE + 2;
/// Rows of the chunk and around it: y from -1 to 32, each with z from -1 to 32.
pub(super) const ROWS: usize = LAYER * LAYER;
/// Voxels of a layer of a chunk.
pub(super) const AREA: usize = SIDE * SIDE;

/// Number of the row at y and z, each from -1 to 32.
pub(super) const fn row_number(y: i32, z: i32) -> usize {
    ((y + 1) * LAYER as i32 + z + 1) as usize
}

/// Rows of voxel classes, and the runs of the chunk itself.
pub(super) struct VoxelRows {
    /// Classes of the voxels with x from 0 to 31, by row.
    pub classes: Box<[[u8; SIDE]; ROWS]>,
    /// Classes of the voxels at x = -1 and x = 32, by row.
    pub ends: Box<[[u8; 2]; ROWS]>,
    /// Palette index of each voxel of the chunk, in linear order; then a spare row for writes past the
    /// end.
    codes: Box<[u16; CHUNK_VOLUME + SIDE]>,
    /// Bit x of row z + 32 y: a run starts at the voxel.
    pub starts: Box<[u32; AREA]>,
    /// Palette of the chunk.
    pub palette: Vec<Voxel>,
    /// Class of each palette entry of the chunk that is being read.
    palette_classes: Vec<u8>,
    /// The different classes in the palettes.
    classes_present: Vec<VoxelClass>,
    /// Runs of the chunk.
    pub run_count: u64,
}

impl Default for VoxelRows {
    fn default() -> VoxelRows {
        VoxelRows {
            classes: boxed([0; SIDE]),
            ends: boxed([0; 2]),
            codes: boxed(0),
            starts: boxed(0),
            palette: Vec::new(),
            palette_classes: Vec::new(),
            classes_present: Vec::new(),
            run_count: 0,
        }
    }
}

/// Allocates an array directly on the heap.
pub(super) fn boxed<T: Copy, const N: usize>(value: T) -> Box<[T; N]> {
    let Ok(array) = vec![value; N].into_boxed_slice().try_into() else { unreachable!("the slice has N elements") };
    array
}

impl VoxelRows {
    /// Reads a chunk and the voxels around it. Chunks that are not loaded have the class of air.
    pub fn read(&mut self, chunks: &ChunkNeighbourhoodRef<'_>, materials: &FaceMaterials) {
        self.classes_present.clear();
        self.run_count = 0;
        if let Some(middle) = chunks.chunks[MOORE_CENTRE] {
            self.read_middle(middle, materials);
        }
        for offset in neighbour_offsets() {
            match chunks.chunks[neighbour_index(offset)] {
                _ if offset == IVec3::ZERO => {}
                None => self.fill_uniform(offset, 0),
                Some(tree) => match tree.as_uniform() {
                    Some(voxel) => {
                        let class = self.class(materials, voxel);
                        self.fill_uniform(offset, class);
                    }
                    None => self.read_neighbour(tree, offset, materials),
                },
            }
        }
    }

    /// Palette index of the chunk's voxel with this linear index.
    pub fn code(&self, index: usize) -> usize {
        self.codes[index].into()
    }

    /// Palette indices of the chunk's row z + 32 y.
    pub fn row_codes(&self, row: usize) -> &[u16] {
        &self.codes[row * SIDE..][..SIDE]
    }

    /// True if `test` holds for any class in the palettes.
    pub fn any_class(&self, test: impl Fn(VoxelClass) -> bool) -> bool {
        self.classes_present.iter().any(|&class| test(class))
    }

    fn class(&mut self, materials: &FaceMaterials, voxel: Voxel) -> u8 {
        let class = VoxelClass::new(materials, voxel);
        if !self.classes_present.contains(&class) {
            self.classes_present.push(class);
        }
        class.0
    }

    fn classify_palette(&mut self, tree: &RunTree, materials: &FaceMaterials) {
        self.palette_classes.clear();
        for voxel in tree.values() {
            let class = self.class(materials, voxel);
            self.palette_classes.push(class);
        }
    }

    fn read_middle(&mut self, tree: &RunTree, materials: &FaceMaterials) {
        self.palette.clear();
        self.palette.extend(tree.values());
        self.classify_palette(tree, materials);
        self.starts.fill(0);
        let classes = self.classes.as_flattened_mut();
        tree.for_each_coded(0..CHUNK_VOLUME, |start, end, code| {
            self.run_count += 1;
            self.starts[start / SIDE] |= 1 << (start % SIDE);
            // Writing 32 voxels at a time is faster. What is written past the end of a run is
            // overwritten by the next run or by `read_neighbour`, so the chunk is read first.
            for at in (start..end).step_by(SIDE) {
                self.codes[at..at + SIDE].fill(code as u16);
            }
            let class = self.palette_classes[code];
            let mut at = start;
            while at < end {
                let layer_end = end.min((at | (AREA - 1)) + 1);
                let first = row_number((at / AREA) as i32, 0) * SIDE;
                for at in (at % AREA..layer_end - at / AREA * AREA).step_by(SIDE) {
                    classes[first + at..first + at + SIDE].fill(class);
                }
                at = layer_end;
            }
        });
    }

    /// Ranges along y, z and x of the border towards `offset`, in coordinates of the middle chunk.
    fn border(offset: IVec3) -> [std::ops::Range<i32>; 3] {
        [offset.y, offset.z, offset.x].map(|step| match step {
            -1 => -1..0,
            0 => 0..CHUNK_SIDE,
            _ => CHUNK_SIDE..CHUNK_SIDE + 1,
        })
    }

    fn fill_uniform(&mut self, offset: IVec3, class: u8) {
        let [ys, zs, _] = VoxelRows::border(offset);
        for y in ys {
            for row in row_number(y, zs.start)..row_number(y, zs.end) {
                match offset.x {
                    -1 => self.ends[row][0] = class,
                    0 => self.classes[row] = [class; SIDE],
                    _ => self.ends[row][1] = class,
                }
            }
        }
    }

    fn read_neighbour(&mut self, tree: &RunTree, offset: IVec3, materials: &FaceMaterials) {
        self.classify_palette(tree, materials);
        let [ys, zs, xs] = VoxelRows::border(offset);
        // Linear index in the neighbour of the voxel at x = 0, y and z.
        let row_start = |y: i32, z: i32| linear_index(IVec3::new(0, y & 31, z & 31));
        if offset.x == 0 {
            let whole_layers = offset.z == 0;
            for y in ys {
                let parts = if whole_layers { 0..1 } else { zs.clone() };
                for z in parts {
                    let (first, len) = (row_start(y, z), if whole_layers { AREA } else { SIDE });
                    let classes = &mut self.classes.as_flattened_mut()[row_number(y, z) * SIDE..][..len];
                    tree.for_each_coded(first..first + len, |start, end, code| {
                        classes[start - first..end - first].fill(self.palette_classes[code]);
                    });
                }
            }
            return;
        }
        let (side, x) = (usize::from(offset.x > 0), (xs.start & 31) as usize);
        if zs.len() == 1 {
            for y in ys {
                let voxel = tree.get(row_start(y, zs.start) + x);
                self.ends[row_number(y, zs.start)][side] = VoxelClass::new(materials, voxel).0;
            }
            return;
        }
        let (first, lowest) = (row_start(ys.start, 0), row_number(ys.start, 0));
        tree.for_each_coded(first..first + AREA * ys.len(), |start, end, code| {
            // The first voxel at x in the run.
            let at = (start + 31 - x) / SIDE * SIDE + x;
            for at in (at - first..end - first).step_by(SIDE) {
                let (y, z) = (at / AREA, at / SIDE % SIDE);
                self.ends[lowest + y * LAYER + z][side] = self.palette_classes[code];
            }
        });
    }
}
