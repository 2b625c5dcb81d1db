//! Visibility of a baked map, as a matrix of cells by cells, and reachability by walking.
//!
//! Cell `i` sees cell `j` if its set contains the section of `j`, or any section of `j`'s chunk
//! where that chunk is one open cell. Cells are numbered along a Hilbert curve through the
//! sections.

use super::PvsError;
use crate::input::open_undamaged;
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::path::Path;
use stonerun_engine::mesh::FaceMaterials;
use stonerun_engine::save::{BakedView, MapFile};
use stonerun_engine::visibility::bake::BakedSets;
use stonerun_engine::visibility::reachability::WalkGraph;
use stonerun_engine::visibility::{ChunkOcclusion, Matrix, hilbert};
use stonerun_engine::voxel::ChunkPos;

/// Maximum number of cells of a map. The matrix of more cells would exceed
/// [`MAX_FILE_BYTES`](super::MAX_FILE_BYTES).
pub(super) const MAX_CELLS: usize = 92_000;

/// A map whose chunks are all baked for one view distance.
pub(super) struct BakedMap {
    map: MapFile,
    /// Numbers of each chunk's cells, in the order of the chunk's cells.
    numbers: FxHashMap<ChunkPos, Vec<u32>>,
    /// Sections of each chunk's cells, one bit per section.
    sections: FxHashMap<ChunkPos, Vec<u8>>,
    cell_count: usize,
}

impl BakedMap {
    /// Opens a map.
    ///
    /// # Errors
    /// The map cannot be read, is damaged, is not fully baked, or has too many cells.
    pub(super) fn open(path: &Path) -> Result<BakedMap, PvsError> {
        let map = open_undamaged(path)?;
        let positions = map.positions();
        check_baked(path, positions.len() as u64, &map.baked_views()?)?;
        let mut cell_sections = Vec::new();
        let mut chunks = Vec::new();
        for &pos in &positions {
            let Some((sets, _)) = map.visibility(pos)? else {
                return Err(PvsError::ChunkNotBaked { file: path.to_owned(), pos });
            };
            cell_sections.extend(sets.cells().iter().map(|cell| {
                let section = i32::from(cell.section % BakedSets::WHOLE_CHUNK);
                pos.as_ivec3() * 2 + IVec3::new(section & 1, section >> 2, section >> 1 & 1)
            }));
            chunks.push((
                pos,
                sets.cells().iter().map(|cell| section_bits(cell.section)).collect::<Vec<_>>(),
            ));
        }
        let cell_count = cell_sections.len();
        if cell_count > MAX_CELLS {
            return Err(PvsError::TooManyCells { file: path.to_owned(), cells: cell_count });
        }
        let mut number_of = vec![0; cell_count];
        for (number, cell) in hilbert::order(&cell_sections).into_iter().enumerate() {
            number_of[cell as usize] = number as u32;
        }
        let mut remaining = number_of.into_iter();
        let numbers = chunks
            .iter()
            .map(|(pos, cells)| (*pos, remaining.by_ref().take(cells.len()).collect()))
            .collect();
        Ok(BakedMap { map, numbers, sections: chunks.into_iter().collect(), cell_count })
    }

    /// The matrix of cells that see each other.
    pub(super) fn visible(&self) -> Result<Matrix, PvsError> {
        let mut matrix = Matrix::new(self.cell_count);
        for (&pos, numbers) in &self.numbers {
            let Some((sets, _)) = self.map.visibility(pos)? else { continue };
            for (i, &number) in numbers.iter().enumerate() {
                for (offset, seen) in sets.seen_by(i) {
                    let chunk = pos.offset(offset);
                    let (Some(sections), Some(others)) =
                        (self.sections.get(&chunk), self.numbers.get(&chunk))
                    else {
                        continue;
                    };
                    for (_, &other) in
                        sections.iter().zip(others).filter(|(bits, _)| *bits & seen != 0)
                    {
                        matrix.set(number as usize, other as usize);
                    }
                }
            }
        }
        Ok(matrix)
    }

    /// The matrix of cells that can be walked to in at most `steps` steps, each to an adjacent
    /// cell.
    pub(super) fn reachable(&self, steps: usize) -> Result<Matrix, PvsError> {
        let face_materials = FaceMaterials::new(self.map.materials());
        let mut chunks = FxHashMap::default();
        for &pos in self.numbers.keys() {
            if let Some(chunk) = self.map.load(pos)? {
                chunks.insert(
                    pos,
                    ChunkOcclusion::from_chunk(&chunk, |voxel| face_materials.hides(voxel)),
                );
            }
        }
        Ok(WalkGraph::new(&chunks, &self.numbers, self.cell_count).within(steps))
    }
}

/// Checks that all `chunks` chunks are baked for one view distance.
fn check_baked(path: &Path, chunks: u64, views: &[BakedView]) -> Result<(), PvsError> {
    let file = path.to_owned();
    match *views {
        [BakedView { chunks: baked, .. }] if baked >= chunks => Ok(()),
        [] if chunks == 0 => Ok(()),
        [] => Err(PvsError::NotBaked { file }),
        [BakedView { view, chunks: baked }] => {
            Err(PvsError::PartlyBaked { file, chunks, baked, view })
        }
        [BakedView { view, .. }, .., BakedView { view: other, .. }] => {
            Err(PvsError::MixedViews { file, views: [view, other] })
        }
    }
}

/// A section as one bit. A cell that is the whole chunk has all bits.
fn section_bits(section: u8) -> u8 {
    if section == BakedSets::WHOLE_CHUNK { u8::MAX } else { 1 << section }
}
