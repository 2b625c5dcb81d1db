//! Finds the visible faces of a chunk row by row, with one bit per voxel.
//!
//! A face of a box is hidden if the next voxel is a wall, so three bit operations find the faces of
//! 32 voxels. Full opaque blocks need no more. For other boxes (water, leaves, snow layers) the
//! bits give candidates: faces between equal voxels are dropped, and `face_surface` decides about
//! the rest.

use super::bit_rows::BitRows;
use super::block_faces::BlockFaces;
use super::chunk_mesh::ChunkMesh;
use super::dark_bricks::DarkBricks;
use super::face_materials::{DrawPass, FaceMaterials, MeshTraits, VoxelGeometry};
use super::face_strip::FaceStrip;
use super::face_surface::{FaceSurface, Stacked, surface};
use super::layer_bits::LayerBits;
use super::merge::{FaceMerger, MergedFaces, RectMerger, StripSink};
use super::model_quads;
use super::quad::PackedQuad;
use super::run_rows::RunRows;
use super::soaking::soaking_surface;
use super::special_rows::{SpecialRow, SpecialRows};
use super::voxel_class::{ClassBit, VoxelClass};
use crate::bits::set_bits;
use crate::runs::bit_rows::{SIDE, inner, row_number};
use crate::runs::moore::ChunkNeighbourhoodRef;
use crate::voxel::{
    ChunkPos, Face, PartFace, ShapeFaces, ShapeRow, Voxel, linear_index, local, neighbour_index,
};
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
    specials: SpecialRows,
    /// Traits of each palette entry.
    traits: Vec<MeshTraits>,
}

/// Faces that are not merged yet.
struct FoundFaces<S = RectMerger> {
    /// Faces of full opaque blocks.
    blocks: BlockFaces,
    /// Faces of other boxes, indexed by [`Face`].
    specials: [FaceMerger<S>; 6],
    /// Faces of liquids in voxels of other matter, indexed by [`Face`].
    soaking: [FaceMerger<S>; 6],
    /// Tops of liquids that end at ground.
    shores: FaceMerger<S>,
    /// Faces of models, which do not merge.
    models: Vec<PackedQuad>,
    /// Faces of hewn blocks and models of boxes, which do not merge, by draw pass.
    parts: [Vec<PackedQuad>; 3],
}

impl<S: StripSink + Default> Default for FoundFaces<S> {
    fn default() -> FoundFaces<S> {
        FoundFaces {
            blocks: BlockFaces::default(),
            specials: Face::ALL.map(FaceMerger::new),
            soaking: Face::ALL.map(FaceMerger::new),
            shores: FaceMerger::new(Face::Up),
            models: Vec::new(),
            parts: Default::default(),
        }
    }
}

impl FaceFinder {
    /// Meshes a chunk.
    pub fn mesh(
        &mut self,
        pos: ChunkPos,
        chunks: &ChunkNeighbourhoodRef<'_>,
        materials: &FaceMaterials,
    ) -> ChunkMesh {
        self.voxels.read(chunks, materials);
        let faces = ChunkFaces { pos, ..ChunkFaces::new(&self.voxels, chunks, materials) };
        for y in 0..SIDE {
            faces.find_in_layer(y, &mut self.faces);
        }
        let mut mesh = ChunkMesh { runs: self.voxels.runs.run_count(), ..ChunkMesh::default() };
        self.merge(&mut mesh);
        mesh
    }

    /// The strips of a chunk, which [`FaceFinder::mesh`] merges. Runs the same code up to the
    /// merge.
    pub fn strips(
        &mut self,
        chunks: &ChunkNeighbourhoodRef<'_>,
        materials: &FaceMaterials,
    ) -> Vec<FaceStrip> {
        self.voxels.read(chunks, materials);
        let mut found = FoundFaces::<Vec<MergedFaces>>::default();
        let faces = ChunkFaces::new(&self.voxels, chunks, materials);
        for y in 0..SIDE {
            faces.find_in_layer(y, &mut found);
        }
        let ReadVoxels { runs, traits, .. } = &self.voxels;
        let mut strips = Vec::new();
        for ((face, special), soaking) in
            Face::ALL.into_iter().zip(&mut found.specials).zip(&mut found.soaking)
        {
            let face_materials: Vec<u16> =
                traits.iter().map(|traits| traits.faces[face as usize]).collect();
            found.blocks.take_strips(face, runs, &face_materials, |rect, code| {
                strips.push(FaceStrip::new(MergedFaces {
                    surface: FaceSurface::full(&traits[code], face),
                    rect,
                }));
            });
            strips.extend(special.end_strips().drain(..).map(FaceStrip::new));
            strips.extend(soaking.end_strips().drain(..).map(FaceStrip::new));
        }
        strips.extend(found.shores.end_strips().drain(..).map(FaceStrip::new));
        strips
    }

    /// Merges the faces that were found into the quads of `mesh`.
    fn merge(&mut self, mesh: &mut ChunkMesh) {
        let ReadVoxels { runs, bits, traits, .. } = &self.voxels;
        let FoundFaces { blocks, specials, soaking, shores, models, parts } = &mut self.faces;
        mesh.cutout.append(models);
        let dark = bits.words(ClassBit::Dark);
        // Ground has no quads, but its surface is shaded, too.
        let mut any_shaded = bits.any_class(VoxelClass::is_ground);
        let any_dark = bits.any_class(|class| class.has(ClassBit::Dark));
        for (pass, quads) in DrawPass::ALL.into_iter().zip(parts) {
            any_shaded |= any_dark && !quads.is_empty();
            mesh.list(pass).extend(quads.drain(..).map(|quad| quad.shaded(any_dark)));
        }
        for ((face, special), soaking) in Face::ALL.into_iter().zip(specials).zip(soaking) {
            self.face_materials.clear();
            self.face_materials.extend(traits.iter().map(|traits| traits.faces[face as usize]));
            blocks.merge(face, runs, &self.face_materials, |rect, code| {
                let shaded = any_dark && rect.is_shaded(dark);
                any_shaded |= shaded;
                mesh.opaque.push(rect.quad(FaceSurface::full(&traits[code], face), shaded).pack());
            });
            special.finish(|surface, rect| {
                let shaded = any_dark && surface.takes_shade(face) && rect.is_shaded(dark);
                any_shaded |= shaded;
                mesh.list(surface.pass()).push(rect.quad(surface, shaded).pack());
            });
            // Liquids take no shade.
            soaking.finish(|surface, rect| {
                mesh.list(surface.pass()).push(rect.quad(surface, false).pack())
            });
        }
        shores.finish(|surface, rect| {
            mesh.list(surface.pass()).push(rect.quad(surface, false).pack());
        });
        if any_shaded {
            mesh.dark = DarkBricks::new(bits);
        }
    }
}

impl ReadVoxels {
    fn read(&mut self, chunks: &ChunkNeighbourhoodRef<'_>, materials: &FaceMaterials) {
        self.bits.read(chunks, materials, &mut self.runs);
        self.specials.read(&self.runs, self.bits.chunk_classes());
        self.traits.clear();
        self.traits.extend(self.runs.palette.iter().map(|voxel| *materials.voxel_traits(*voxel)));
        if self.bits.any_class(VoxelClass::is_low_opaque_stack) {
            let covered = ChunkFaces::new(self, chunks, materials).covered_opaque_stacks();
            for (row, bits) in covered {
                self.bits.add(row, ClassBit::Wall, bits);
            }
        }
    }
}

/// A row of the chunk along x, with its special voxels.
#[derive(Clone, Copy)]
struct Row {
    y: i32,
    z: i32,
    special: SpecialRow,
}

/// A chunk that has been read.
pub(super) struct ChunkFaces<'a> {
    pub(super) pos: ChunkPos,
    chunks: &'a ChunkNeighbourhoodRef<'a>,
    pub(super) materials: &'a FaceMaterials,
    runs: &'a RunRows,
    pub(super) bits: &'a BitRows,
    specials: &'a SpecialRows,
    traits: &'a [MeshTraits],
}

impl<'a> ChunkFaces<'a> {
    fn new(
        voxels: &'a ReadVoxels,
        chunks: &'a ChunkNeighbourhoodRef<'a>,
        materials: &'a FaceMaterials,
    ) -> ChunkFaces<'a> {
        let ReadVoxels { runs, bits, specials, traits } = voxels;
        ChunkFaces { pos: ChunkPos::default(), chunks, materials, runs, bits, specials, traits }
    }

    /// Finds the faces of the rows at `y`.
    fn find_in_layer<S: StripSink>(&self, y: usize, found: &mut FoundFaces<S>) {
        let walls = LayerBits::walls(self.bits, y);
        let mut blocks: [u32; SIDE] = std::array::from_fn(|z| inner(walls.here[z + 1]));
        if !self.specials.is_empty() {
            let common = LayerBits::common(self.bits, y);
            for (z, blocks) in blocks.iter_mut().enumerate() {
                let special = self.specials.row(y, z);
                if special != SpecialRow::default() {
                    *blocks &= !special.boxes;
                    self.add_models(y, z, special.models, found);
                    let row = Row { y: y as i32, z: z as i32, special };
                    self.find_specials(row, walls.next(z), common, &mut found.specials);
                    self.find_soaking(row, &mut found.soaking);
                }
            }
        }
        if self.bits.may_have_shores() {
            self.find_shores(y, &mut found.shores);
        }
        let faces = if blocks == [0; SIDE] { [[0; SIDE]; 6] } else { walls.open_faces(&blocks) };
        found.blocks.add_layer(y, &faces);
    }

    /// Finds the faces of a row's special boxes. `walls` marks the neighbours that hide them, by
    /// [`Face`].
    fn find_specials<S: StripSink>(
        &self,
        row: Row,
        walls: [u32; 6],
        common: LayerBits,
        mergers: &mut [FaceMerger<S>; 6],
    ) {
        let SpecialRow { boxes, low, .. } = row.special;
        let mut faces = walls.map(|walls| boxes & !walls);
        // An opaque box above does not cover the top of a low box.
        faces[Face::Up as usize] |= low;
        // Between common voxels there are no faces.
        let here = inner(common.here[row.z as usize + 1]);
        for (faces, next) in faces.iter_mut().zip(common.next(row.z as usize)) {
            *faces &= !(here & next);
        }
        if faces == [0; 6] {
            return;
        }
        let hidden = if boxes & !here == 0 { [0; 6] } else { self.hidden_by_equals(row) };
        for (((face, faces), hidden), merger) in
            Face::ALL.into_iter().zip(faces).zip(hidden).zip(mergers)
        {
            self.add_special_faces(face, faces & !hidden, row, merger);
        }
    }

    /// Finds the faces of liquids in other matter of a row: in wet voxels, and on low boxes.
    fn find_soaking<S: StripSink>(&self, row: Row, mergers: &mut [FaceMerger<S>; 6]) {
        let candidates = row.special.low & self.stacks_above(row) | row.special.wet;
        for x in set_bits(candidates) {
            let at = IVec3::new(x as i32, row.y, row.z);
            let here = self.stacked(at);
            if here.soaking(self.materials).is_none() {
                continue;
            }
            for face in Face::ALL {
                if let Some(surface) =
                    soaking_surface(self.materials, face, here, self.stacked(at + face.normal()))
                {
                    mergers[face as usize].add([x as u8, row.y as u8, row.z as u8], surface);
                }
            }
        }
    }

    /// Liquids, wires and wet voxels above a row. Above the chunk every voxel counts as one, and
    /// the caller checks single voxels.
    fn stacks_above(&self, row: Row) -> u32 {
        let above = row.y as usize + 1;
        if above == SIDE {
            return u32::MAX;
        }
        let SpecialRow { stacks, wet, .. } = self.specials.row(above, row.z as usize);
        stacks | wet
    }

    /// Voxels whose face is hidden because the next voxel is equal, indexed by [`Face`]. Only
    /// voxels of the chunk are compared.
    fn hidden_by_equals(&self, row: Row) -> [u32; 6] {
        let SpecialRow { low, stacks, .. } = row.special;
        // A liquid under the same liquid fills its voxel, but an equal neighbour may not: `surface`
        // decides.
        let level = !(low & stacks & self.stacks_above(row));
        let at = row.z as usize + SIDE * row.y as usize;
        let breaks = self.runs.starts(at) | 1;
        let last = SIDE as i32 - 1;
        let equal =
            |inside: bool, other: usize| if inside { self.equal_voxels(at, other) } else { 0 };
        // Stacked low boxes leave a gap between them; stacked liquids and wires do not.
        let stacked = !low | stacks;
        [
            !breaks >> 1 & level & !(1 << last),
            !breaks & level,
            equal(row.y < last, at + SIDE) & stacked,
            equal(row.y > 0, at.wrapping_sub(SIDE)) & stacked,
            equal(row.z < last, at + 1) & level,
            equal(row.z > 0, at.wrapping_sub(1)) & level,
        ]
    }

    /// Bit x is set if the voxels at x of two rows are equal.
    fn equal_voxels(&self, row: usize, other: usize) -> u32 {
        // From one run start in either row to the next, each row holds one value, so comparing one
        // voxel decides for all.
        let starts = self.runs.starts(row) | self.runs.starts(other) | 1;
        let mut left = starts;
        let mut equal = 0;
        while left != 0 {
            let x = left.trailing_zeros();
            left &= left - 1;
            if self.runs.code(row * SIDE + x as usize) == self.runs.code(other * SIDE + x as usize)
            {
                equal |= u32::MAX << x & !u32::MAX.checked_shl(left.trailing_zeros()).unwrap_or(0);
            }
        }
        equal
    }

    /// Passes the visible faces among the candidates `faces` of a row's special boxes to the
    /// merger.
    fn add_special_faces<S: StripSink>(
        &self,
        face: Face,
        faces: u32,
        row: Row,
        merger: &mut FaceMerger<S>,
    ) {
        let first = linear_index(IVec3::new(0, row.y, row.z));
        let mut last: Option<(Stacked, Stacked, Option<FaceSurface>)> = None;
        for x in set_bits(faces) {
            let code = self.runs.code(first + x as usize);
            let at = IVec3::new(x as i32, row.y, row.z);
            let front = at + face.normal();
            // The voxel above matters here only for liquids and wires, but in front for all low
            // boxes.
            let above =
                if self.traits[code].stacks() { self.voxel(at + IVec3::Y) } else { Voxel::AIR };
            let here = Stacked { voxel: self.runs.palette[code], above };
            let there = self.voxel(front);
            let next = self.materials.traits(there.material());
            let is_low_box = next.geometry == VoxelGeometry::Cube && !there.is_full();
            let may_fill = next.stacks() || is_low_box || there.is_wet();
            let above = if face != Face::Up && may_fill {
                self.voxel(front + IVec3::Y)
            } else {
                Voxel::AIR
            };
            let there = Stacked { voxel: there, above };
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

    /// Low opaque liquids and wires that fill their voxel because the same material is above, as
    /// row numbers and bits.
    fn covered_opaque_stacks(&self) -> Vec<(usize, u64)> {
        let mut found = Vec::new();
        for y in -1..SIDE as i32 {
            for z in -1..=SIDE as i32 {
                let row = row_number(y, z);
                let candidates =
                    self.bits.word(row, ClassBit::Opaque) & !self.bits.word(row, ClassBit::Wall);
                let mut bits = 0;
                for bit in set_bits(candidates) {
                    let at = IVec3::new(bit as i32 - 1, y, z);
                    let material = self.voxel(at).material();
                    let stacks = self.materials.traits(material).stacks();
                    let is_covered = stacks && material == self.voxel(at + IVec3::Y).material();
                    bits |= u64::from(is_covered) << bit;
                }
                if bits != 0 {
                    found.push((row, bits));
                }
            }
        }
        found
    }

    /// The voxel at `at`, within the chunk or next to it.
    pub(super) fn voxel(&self, at: IVec3) -> Voxel {
        if local(at) == at {
            return self.runs.palette[self.runs.code(linear_index(at))];
        }
        let pos = ChunkPos::containing(at);
        self.chunks.chunks[neighbour_index(pos.as_ivec3())]
            .map_or(Voxel::NOT_LOADED, |tree| tree.get(linear_index(local(at))))
    }

    /// The voxel at `at` and the one above it.
    pub(super) fn stacked(&self, at: IVec3) -> Stacked {
        Stacked { voxel: self.voxel(at), above: self.voxel(at + IVec3::Y) }
    }

    /// The row of the shape at `at`: for shapes that join, with the joined sides.
    fn row(&self, shape: &'static ShapeRow, at: IVec3) -> &'static ShapeRow {
        let Some(joined) = shape.joined else { return shape };
        joined.row(|side| {
            self.materials.joins(self.voxel(at + side.normal()), side.opposite(), joined.joint)
        })
    }

    /// Adds the models of a row.
    fn add_models<S>(&self, y: usize, z: usize, models: u32, found: &mut FoundFaces<S>) {
        for x in set_bits(models) {
            let at = IVec3::new(x as i32, y as i32, z as i32);
            let code = self.runs.code(linear_index(at));
            let traits = &self.traits[code];
            let place = [x as u8, y as u8, z as u8];
            let ShapeFaces::Parts(faces) = self.row(traits.shape, at).faces else {
                let height = self.standing_height(traits, at);
                model_quads::add(self.runs.palette[code], traits, place, height, &mut found.models);
                continue;
            };
            let hides = |part: &PartFace| {
                let front = at + part.face.normal();
                let voxel = self.voxel(front);
                let other = self.materials.traits(voxel.material());
                // A shape that joins covers as much as its joined form.
                self.materials.hides(voxel)
                    || other.hides_part(self.row(other.shape, front), part, traits)
            };
            model_quads::add_parts(
                faces,
                traits,
                place,
                hides,
                &mut found.parts[traits.pass as usize],
            );
        }
    }
}
