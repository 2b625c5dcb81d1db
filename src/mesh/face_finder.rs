//! Finds the visible faces of a chunk row by row, with one bit per voxel.
//!
//! A face of a box is hidden if the next voxel is a wall, so three bit operations find the faces of
//! 32 voxels. Full opaque blocks need no more. For other boxes (water, leaves, snow layers) the
//! bits give candidates: faces between equal voxels are dropped, and `face_surface` decides about the
//! rest.
//!
//! Shade is read from the bits of the nine voxels in front of a face.

use super::bit_rows::BitRows;
use super::face_materials::{FaceMaterials, MeshTraits};
use super::face_surface::{FaceSurface, Stacked, UNSHADED, height, surface};
use super::merge::FaceMerger;
use super::shade::Shade;
use super::vertex::{Quad, SHEET, STEPS};
use super::voxel_class::{ClassBit, VoxelClass};
use super::voxel_rows::{LAYER, SIDE, VoxelRows, row_number};
use crate::runs::moore::ChunkNeighbourhoodRef;
use crate::voxel::{ChunkPos, Face, Voxel, linear_index, local, neighbour_index};
use glam::IVec3;

/// Finds the faces of a chunk. Reused between chunks to keep its buffers.
#[derive(Default)]
pub(super) struct FaceFinder {
    rows: VoxelRows,
    bits: BitRows,
    /// Traits of each palette entry.
    traits: Vec<MeshTraits>,
}

impl FaceFinder {
    /// Adds the sheets of a chunk to `sheets`, and passes its faces to `mergers`, indexed by
    /// [`Face`]. Returns the number of the chunk's runs.
    pub fn find(
        &mut self,
        chunks: &ChunkNeighbourhoodRef<'_>,
        materials: &FaceMaterials,
        mergers: &mut [FaceMerger; 6],
        sheets: &mut Vec<Quad>,
    ) -> u64 {
        self.rows.read(chunks, materials);
        self.traits.clear();
        self.traits.extend(self.rows.palette.iter().map(|voxel| *materials.traits(voxel.material())));
        let low_opaque_liquid =
            |class: VoxelClass| [ClassBit::Opaque, ClassBit::Liquid, ClassBit::Low].iter().all(|&bit| class.has(bit));
        let has_low_opaque_liquids = self.rows.any_class(low_opaque_liquid);
        self.bits.read(&self.rows, has_low_opaque_liquids);
        if has_low_opaque_liquids {
            let submerged = ChunkFaces::new(self, chunks, materials).submerged_opaque_liquids();
            submerged.into_iter().for_each(|(row, bits)| self.bits.add(row, ClassBit::Wall, bits));
        }
        let faces = ChunkFaces::new(self, chunks, materials);
        for y in 0..SIDE as i32 {
            for z in 0..SIDE as i32 {
                faces.find_in_row(y, z, mergers, sheets);
            }
        }
        self.rows.run_count
    }
}

/// The bits of one row of the chunk, x from 0 to 31.
#[derive(Clone, Copy)]
struct Row {
    y: i32,
    z: i32,
    /// Number among the rows with their border.
    number: usize,
    /// Voxels that differ from the one at x - 1, and the first.
    breaks: u32,
    /// Cubes that are not full opaque blocks.
    special: u32,
}

/// A chunk that has been read.
struct ChunkFaces<'a> {
    chunks: &'a ChunkNeighbourhoodRef<'a>,
    materials: &'a FaceMaterials,
    rows: &'a VoxelRows,
    bits: &'a BitRows,
    traits: &'a [MeshTraits],
    /// True if there are only full opaque blocks and air.
    plain: bool,
}

impl<'a> ChunkFaces<'a> {
    fn new(
        finder: &'a FaceFinder,
        chunks: &'a ChunkNeighbourhoodRef<'a>,
        materials: &'a FaceMaterials,
    ) -> ChunkFaces<'a> {
        let plain = !finder.rows.any_class(|class| !class.is_plain());
        ChunkFaces { chunks, materials, rows: &finder.rows, bits: &finder.bits, traits: &finder.traits, plain }
    }

    fn find_in_row(&self, y: i32, z: i32, mergers: &mut [FaceMerger; 6], sheets: &mut Vec<Quad>) {
        let (number, bits) = (row_number(y, z), self.bits);
        if !self.plain {
            self.add_sheets(y, z, sheets);
        }
        let cubes = bits.inner(number, ClassBit::Cube);
        if cubes == 0 {
            return;
        }
        let walls = bits.word(number, ClassBit::Wall);
        // Indexed by `Face`: east, west, up, down, south, north.
        let mut faces = [
            cubes & !(walls >> 2) as u32,
            cubes & !walls as u32,
            cubes & !bits.inner(number + LAYER, ClassBit::Opaque),
            cubes & !bits.inner(number - LAYER, ClassBit::Wall),
            cubes & !bits.inner(number + 1, ClassBit::Wall),
            cubes & !bits.inner(number - 1, ClassBit::Wall),
        ];
        let breaks = self.rows.starts[z as usize + SIDE * y as usize] | 1;
        let mut row = Row { y, z, number, breaks, special: 0 };
        if !self.plain {
            let low = bits.inner(number, ClassBit::Low);
            let liquids = bits.inner(number, ClassBit::Liquid);
            row.special = cubes & (!bits.inner(number, ClassBit::Opaque) | low | liquids);
            if row.special != 0 {
                // An opaque box above does not cover the top of a low box.
                faces[Face::Up as usize] |= cubes & low;
                let hidden = self.hidden_by_equals(row, low, liquids);
                for (faces, hidden) in faces.iter_mut().zip(hidden) {
                    *faces &= !(hidden & row.special);
                }
            }
        }
        for ((face, faces), merger) in Face::ALL.into_iter().zip(faces).zip(mergers) {
            if faces != 0 {
                self.add_faces(face, faces, row, merger);
            }
        }
    }

    /// Voxels whose face is hidden because the next voxel is equal, indexed by [`Face`]. Only
    /// voxels of the chunk are compared.
    fn hidden_by_equals(&self, row: Row, low: u32, liquids: u32) -> [u32; 6] {
        // A submerged liquid fills its voxel, but its equal neighbour may not: `surface` decides.
        let submerged = low & liquids & self.bits.inner(row.number + LAYER, ClassBit::Liquid);
        let level = !submerged;
        let at = row.z as usize + SIDE * row.y as usize;
        let last = SIDE as i32 - 1;
        let equal = |inside: bool, other: usize| if inside { self.equal_voxels(at, other) } else { 0 };
        // Stacked low boxes leave a gap between them; stacked liquids do not.
        let stacked = !low | liquids;
        [
            !row.breaks >> 1 & level & !(1 << last),
            !row.breaks & level,
            equal(row.y < last, at + SIDE) & stacked,
            equal(row.y > 0, at.wrapping_sub(SIDE)) & stacked,
            equal(row.z < last, at + 1) & level,
            equal(row.z > 0, at.wrapping_sub(1)) & level,
        ]
    }

    /// Bit x is set if the voxels at x of two rows are equal.
    fn equal_voxels(&self, row: usize, other: usize) -> u32 {
        let (row, other) = (self.rows.row_codes(row), self.rows.row_codes(other));
        row.iter().zip(other).enumerate().fold(0, |bits, (x, (a, b))| bits | u32::from(a == b) << x)
    }

    /// Passes the faces of a row to the merger.
    fn add_faces(&self, face: Face, mut faces: u32, row: Row, merger: &mut FaceMerger) {
        let shade = Shade::new(self.bits, face, row.number);
        let at = |x: u32| [x as u8, row.y as u8, row.z as u8];
        let first = linear_index(IVec3::new(0, row.y, row.z));
        while faces != 0 {
            // Adjacent faces of equal voxels.
            let x = faces.trailing_zeros();
            let next = (row.breaks & !1) >> x >> 1;
            let len = (!(faces >> x)).trailing_zeros().min(next.trailing_zeros() + 1).min(32 - x);
            let segment = (u32::MAX >> (32 - len)) << x;
            faces &= !segment;
            let code = self.rows.code(first + x as usize);
            if row.special >> x & 1 == 0 {
                let full = FaceSurface::full(&self.traits[code], face);
                shade.split(segment, full, |x, len, surface| merger.add(at(x), len, surface));
            } else {
                self.add_special_faces(face, (x, len), row, self.rows.palette[code], &shade, merger);
            }
        }
    }

    /// Passes the faces of adjacent equal voxels that are not full opaque blocks.
    fn add_special_faces(
        &self,
        face: Face,
        (x, len): (u32, u32),
        row: Row,
        voxel: Voxel,
        shade: &Shade,
        merger: &mut FaceMerger,
    ) {
        let liquid = self.materials.traits(voxel.material()).liquid;
        let mut last: Option<(Stacked, Stacked, Option<FaceSurface>)> = None;
        for x in x..x + len {
            let at = IVec3::new(x as i32, row.y, row.z);
            let front = at + face.normal();
            // What is above matters for liquids only.
            let above = if liquid { self.voxel(at + IVec3::Y) } else { Voxel::AIR };
            let here = Stacked { voxel, above };
            let there = self.voxel(front);
            let above = if face == Face::Up { Voxel::AIR } else { self.voxel(front + IVec3::Y) };
            let there = Stacked { voxel: there, above };
            let found = match last {
                Some((h, t, found)) if (h, t) == (here, there) => found,
                _ => surface(self.materials, face, here, there),
            };
            last = Some((here, there, found));
            if let Some(surface) = found {
                let place = [x as u8, row.y as u8, row.z as u8];
                let ao = if surface.takes_shade(face) { shade.at(x) } else { UNSHADED };
                merger.add(place, 1, surface.with_ao(ao));
            }
        }
    }

    /// Low opaque liquids that fill their voxel because the same liquid is above, as row numbers and
    /// bits.
    fn submerged_opaque_liquids(&self) -> Vec<(usize, u64)> {
        let mut found = Vec::new();
        for y in -1..SIDE as i32 {
            for z in -1..=SIDE as i32 {
                let row = row_number(y, z);
                let word = |bit| self.bits.word(row, bit);
                let lava = word(ClassBit::Low) & word(ClassBit::Opaque) & word(ClassBit::Liquid);
                let mut candidates = lava & self.bits.word(row + LAYER, ClassBit::Liquid);
                let mut bits = 0;
                while candidates != 0 {
                    let at = IVec3::new(candidates.trailing_zeros() as i32 - 1, y, z);
                    let same = self.voxel(at).material() == self.voxel(at + IVec3::Y).material();
                    bits |= u64::from(same) << (at.x + 1);
                    candidates &= candidates - 1;
                }
                if bits != 0 {
                    found.push((row, bits));
                }
            }
        }
        found
    }

    /// The voxel at `at`, within the chunk or next to it.
    fn voxel(&self, at: IVec3) -> Voxel {
        let pos = ChunkPos::containing(at);
        if pos == ChunkPos::default() {
            return self.rows.palette[self.rows.code(linear_index(at))];
        }
        self.chunks.chunks[neighbour_index(pos.as_ivec3())]
            .map_or(Voxel::NOT_LOADED, |tree| tree.get(linear_index(local(at))))
    }

    /// Adds the sheets of a row.
    fn add_sheets(&self, y: i32, z: i32, sheets: &mut Vec<Quad>) {
        let mut crosses = self.bits.inner(row_number(y, z), ClassBit::Cross);
        while crosses != 0 {
            let x = crosses.trailing_zeros();
            crosses &= crosses - 1;
            let code = self.rows.code(linear_index(IVec3::new(x as i32, y, z)));
            let (voxel, traits) = (self.rows.palette[code], &self.traits[code]);
            sheets.extend([0, 1].map(|sheet| Quad {
                x: x as u8,
                z: z as u8,
                y: y as u16 * u16::from(STEPS),
                width: 1,
                face: SHEET + sheet,
                height: u16::from(height(voxel)),
                ao: UNSHADED,
                liquid: traits.liquid,
                material: traits.faces[Face::East as usize],
            }));
        }
    }
}
