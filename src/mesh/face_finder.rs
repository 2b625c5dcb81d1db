//! Finds the visible faces of a chunk row by row, with one bit per voxel.
//!
//! A face of a box is hidden if the next voxel is a wall, so three bit operations find the faces of
//! 32 voxels. Full opaque blocks need no more. For other boxes (water, leaves, snow layers) the
//! bits give candidates: faces between equal voxels are dropped, and `face_surface` decides about the
//! rest.

use super::bit_rows::BitRows;
use super::block_faces::BlockFaces;
use super::chunk_mesh::ChunkMesh;
use super::dark_bricks::DarkBricks;
use super::face_materials::{FaceMaterials, MeshTraits};
use super::face_surface::{FaceSurface, Stacked, height, surface};
use super::merge::FaceMerger;
use super::quad::{PackedQuad, Quad, SHEET, STEPS};
use super::row_layout::{LAYER, SIDE, inner, row_number};
use super::run_rows::RunRows;
use super::voxel_class::{ClassBit, VoxelClass};
use crate::runs::moore::ChunkNeighbourhoodRef;
use crate::voxel::{ChunkPos, Face, Voxel, linear_index, local, neighbour_index};
use glam::IVec3;

/// Finds and merges the faces of a chunk. Reused between chunks to keep its buffers.
#[derive(Default)]
pub(super) struct FaceFinder {
    voxels: ReadVoxels,
    faces: FoundFaces,
    /// Face material of each palette entry in one direction.
    face_materials: Vec<u16>,
}

/// A chunk and the voxels around it.
#[derive(Default)]
struct ReadVoxels {
    runs: RunRows,
    bits: BitRows,
    /// Traits of each palette entry.
    traits: Vec<MeshTraits>,
}

/// Faces that are not merged yet.
struct FoundFaces {
    /// Of full opaque blocks.
    blocks: BlockFaces,
    /// Of other boxes, indexed by [`Face`].
    specials: [FaceMerger; 6],
    /// Sheets of crosses.
    sheets: Vec<PackedQuad>,
}

impl Default for FoundFaces {
    fn default() -> FoundFaces {
        FoundFaces { blocks: BlockFaces::default(), specials: Face::ALL.map(FaceMerger::new), sheets: Vec::new() }
    }
}

impl FaceFinder {
    /// Meshes a chunk.
    pub fn mesh(&mut self, chunks: &ChunkNeighbourhoodRef<'_>, materials: &FaceMaterials) -> ChunkMesh {
        self.voxels.read(chunks, materials);
        let faces = ChunkFaces::new(&self.voxels, chunks, materials);
        for y in 0..SIDE {
            faces.find_in_layer(y, &mut self.faces);
            if y % 2 == 1 {
                self.faces.blocks.end_two_layers(y);
            }
        }
        let mut mesh = ChunkMesh { runs: self.voxels.runs.run_count, ..ChunkMesh::default() };
        self.merge(&mut mesh);
        mesh
    }

    /// Merges the faces that were found into the quads of `mesh`.
    fn merge(&mut self, mesh: &mut ChunkMesh) {
        let ReadVoxels { runs, bits, traits } = &self.voxels;
        let FoundFaces { blocks, specials, sheets } = &mut self.faces;
        mesh.cutout.append(sheets);
        let mut any_shaded = false;
        for (face, special) in Face::ALL.into_iter().zip(specials) {
            self.face_materials.clear();
            self.face_materials.extend(traits.iter().map(|traits| traits.faces[face as usize]));
            blocks.merge(face, runs, &self.face_materials, |rect, code| {
                let shaded = rect.is_shaded(bits);
                any_shaded |= shaded;
                mesh.opaque.push(rect.quad(FaceSurface::full(&traits[code], face), shaded).pack());
            });
            special.finish(|surface, rect| {
                let shaded = surface.takes_shade(face) && rect.is_shaded(bits);
                any_shaded |= shaded;
                mesh.list(surface.pass()).push(rect.quad(surface, shaded).pack());
            });
        }
        if any_shaded {
            mesh.dark = DarkBricks::new(bits);
        }
    }
}

impl ReadVoxels {
    fn read(&mut self, chunks: &ChunkNeighbourhoodRef<'_>, materials: &FaceMaterials) {
        let low_opaque_liquid =
            |class: VoxelClass| [ClassBit::Opaque, ClassBit::Liquid, ClassBit::Low].iter().all(|&bit| class.has(bit));
        self.bits.read(chunks, materials, &mut self.runs, low_opaque_liquid);
        self.traits.clear();
        self.traits.extend(self.runs.palette.iter().map(|voxel| *materials.traits(voxel.material())));
        if self.bits.any_class(low_opaque_liquid) {
            let submerged = ChunkFaces::new(self, chunks, materials).submerged_opaque_liquids();
            submerged.into_iter().for_each(|(row, bits)| self.bits.add(row, ClassBit::Wall, bits));
        }
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
}

/// A chunk that has been read.
struct ChunkFaces<'a> {
    chunks: &'a ChunkNeighbourhoodRef<'a>,
    materials: &'a FaceMaterials,
    runs: &'a RunRows,
    bits: &'a BitRows,
    traits: &'a [MeshTraits],
    /// True if there are only full opaque blocks and air.
    plain: bool,
}

impl<'a> ChunkFaces<'a> {
    fn new(
        voxels: &'a ReadVoxels,
        chunks: &'a ChunkNeighbourhoodRef<'a>,
        materials: &'a FaceMaterials,
    ) -> ChunkFaces<'a> {
        let ReadVoxels { runs, bits, traits } = voxels;
        let plain = !bits.any_class(|class| !class.is_plain());
        ChunkFaces { chunks, materials, runs, bits, traits, plain }
    }

    /// Finds the faces of the rows at `y`.
    fn find_in_layer(&self, y: usize, found: &mut FoundFaces) {
        // Layers and rows are numbered from -1.
        let layer = |above: usize, bit| self.bits.layer(y + above, bit);
        let (cube, wall) = (layer(1, ClassBit::Cube), layer(1, ClassBit::Wall));
        let (above, below) = (layer(2, ClassBit::Opaque), layer(0, ClassBit::Wall));
        for z in 0..SIDE {
            if !self.plain {
                self.add_sheets(y as i32, z as i32, &mut found.sheets);
            }
            let cubes = inner(cube[z + 1]);
            if cubes == 0 {
                found.blocks.add_row(y, z, [0; 6]);
                continue;
            }
            // Indexed by `Face`: east, west, up, down, south, north.
            let mut faces = [
                cubes & !(wall[z + 1] >> 2) as u32,
                cubes & !wall[z + 1] as u32,
                cubes & !inner(above[z + 1]),
                cubes & !inner(below[z + 1]),
                cubes & !inner(wall[z + 2]),
                cubes & !inner(wall[z]),
            ];
            if !self.plain {
                self.find_specials(y as i32, z as i32, cubes, &mut faces, &mut found.specials);
            }
            found.blocks.add_row(y, z, faces);
        }
    }

    /// Finds the faces of boxes in a row that are not full opaque blocks, and removes them from
    /// `faces`, which are indexed by [`Face`].
    fn find_specials(&self, y: i32, z: i32, cubes: u32, faces: &mut [u32; 6], mergers: &mut [FaceMerger; 6]) {
        let (number, bits) = (row_number(y, z), self.bits);
        let low = bits.inner(number, ClassBit::Low);
        let liquids = bits.inner(number, ClassBit::Liquid);
        let special = cubes & (!bits.inner(number, ClassBit::Opaque) | low | liquids);
        if special == 0 {
            return;
        }
        // An opaque box above does not cover the top of a low box.
        faces[Face::Up as usize] |= cubes & low;
        let breaks = self.runs.starts(z as usize + SIDE * y as usize) | 1;
        let row = Row { y, z, number, breaks };
        let hidden = self.hidden_by_equals(row, low, liquids);
        for (((face, faces), hidden), merger) in Face::ALL.into_iter().zip(faces).zip(hidden).zip(mergers) {
            self.add_special_faces(face, *faces & special & !hidden, row, merger);
            *faces &= !special;
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
        // Within the parts of both rows that no run starts in, all voxels are equal or differ alike.
        let starts = self.runs.starts(row) | self.runs.starts(other) | 1;
        let (mut left, mut equal) = (starts, 0);
        while left != 0 {
            let x = left.trailing_zeros();
            left &= left - 1;
            if self.runs.code(row * SIDE + x as usize) == self.runs.code(other * SIDE + x as usize) {
                equal |= u32::MAX << x & !u32::MAX.checked_shl(left.trailing_zeros()).unwrap_or(0);
            }
        }
        equal
    }

    /// Passes the faces of a row's boxes that are not full opaque blocks to the merger.
    fn add_special_faces(&self, face: Face, mut faces: u32, row: Row, merger: &mut FaceMerger) {
        let first = linear_index(IVec3::new(0, row.y, row.z));
        let mut last: Option<(Stacked, Stacked, Option<FaceSurface>)> = None;
        while faces != 0 {
            let x = faces.trailing_zeros();
            faces &= faces - 1;
            let code = self.runs.code(first + x as usize);
            let at = IVec3::new(x as i32, row.y, row.z);
            let front = at + face.normal();
            // What is above matters for liquids only.
            let above = if self.traits[code].liquid { self.voxel(at + IVec3::Y) } else { Voxel::AIR };
            let here = Stacked { voxel: self.runs.palette[code], above };
            let above = if face == Face::Up { Voxel::AIR } else { self.voxel(front + IVec3::Y) };
            let there = Stacked { voxel: self.voxel(front), above };
            let found = match last {
                Some((h, t, found)) if (h, t) == (here, there) => found,
                _ => surface(self.materials, face, here, there),
            };
            last = Some((here, there, found));
            if let Some(surface) = found {
                merger.add([x as u8, row.y as u8, row.z as u8], surface);
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
            return self.runs.palette[self.runs.code(linear_index(at))];
        }
        self.chunks.chunks[neighbour_index(pos.as_ivec3())]
            .map_or(Voxel::NOT_LOADED, |tree| tree.get(linear_index(local(at))))
    }

    /// Adds the sheets of a row.
    fn add_sheets(&self, y: i32, z: i32, sheets: &mut Vec<PackedQuad>) {
        let mut crosses = self.bits.inner(row_number(y, z), ClassBit::Cross);
        while crosses != 0 {
            let x = crosses.trailing_zeros();
            crosses &= crosses - 1;
            let code = self.runs.code(linear_index(IVec3::new(x as i32, y, z)));
            let (voxel, traits) = (self.runs.palette[code], &self.traits[code]);
            sheets.extend([0, 1].map(|sheet| {
                let quad = Quad {
                    x: x as u8,
                    z: z as u8,
                    y: y as u16 * u16::from(STEPS),
                    width: 1,
                    face: SHEET + sheet,
                    height: u16::from(height(voxel)),
                    shaded: false,
                    liquid: traits.liquid,
                    material: traits.faces[Face::East as usize],
                };
                quad.pack()
            }));
        }
    }
}
