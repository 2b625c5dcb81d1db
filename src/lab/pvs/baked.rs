//! The visibility of a map that `stonerun bake` has baked, as a matrix of cells by cells; and which cells can be walked to.
//!
//! Cell `i` sees cell `j` if its set holds the section that `j` lies in, or any section of `j`'s chunk where that is one open cell.
//! Cells are numbered along a Hilbert curve through the sections.

use crate::mesh::FaceMaterials;
use crate::save::{BakedView, MapFile};
use crate::visibility::bake::BakedSets;
use crate::visibility::reachability::WalkGraph;
use crate::visibility::{ChunkOcclusion, Matrix, hilbert};
use crate::voxel::ChunkPos;
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::path::Path;

/// More cells than this have a matrix that is larger than any file that is read: a gigabyte.
const MOST_CELLS: usize = 92_000;

/// A baked map.
pub(super) struct Baked {
    map: MapFile,
    /// Of each chunk the numbers of its cells, in their order.
    numbers: FxHashMap<ChunkPos, Vec<u32>>,
    /// Of each chunk its cells' sections, a bit each.
    sections: FxHashMap<ChunkPos, Vec<u8>>,
    cells: usize,
}

impl Baked {
    /// The map in a file.
    ///
    /// # Errors
    /// It cannot be read, is damaged, or is not baked, or not all of it: one line, without the file's name where that is said anyway.
    pub(super) fn open(path: &Path) -> Result<Baked, String> {
        let opened = MapFile::open_read_only(path).map_err(|e| e.to_string())?;
        if let Some(damage) = opened.damage {
            return Err(damage.to_string());
        }
        let told = |reason: String| format!("{}: {reason}", path.display());
        let (map, mut at, mut cells) = (opened.map, Vec::new(), Vec::new());
        let (all, views) = (map.positions(), map.baked_views().map_err(|e| e.to_string())?);
        let state = match views[..] {
            [BakedView { chunks, .. }] if chunks >= all.len() as u64 => None,
            [] if all.is_empty() => None,
            [] => Some("it is not baked: `stonerun bake` does that".to_owned()),
            [BakedView { view, chunks }] => Some(format!(
                "{chunks} of its {} chunks are baked: `stonerun bake --view {view}` does the others",
                all.len()
            )),
            [BakedView { view, .. }, .., BakedView { view: other, .. }] => {
                Some(format!("part of it is baked for view {view}, part for {other}: `stonerun bake` makes that one"))
            }
        };
        if let Some(state) = state {
            return Err(told(state));
        }
        for &pos in &all {
            let Some(sets) = sets_of(&map, pos)? else {
                return Err(told(format!("chunk {pos} is not baked: `stonerun bake` does that")));
            };
            at.extend(sets.cells().iter().map(|cell| {
                let section = i32::from(cell.section % BakedSets::WHOLE_CHUNK);
                pos.as_ivec3() * 2 + IVec3::new(section & 1, section >> 2, section >> 1 & 1)
            }));
            cells.push((pos, sets.cells().iter().map(|cell| bits(cell.section)).collect::<Vec<_>>()));
        }
        if at.len() > MOST_CELLS {
            return Err(told(format!("{} cells are more than the {MOST_CELLS} that fit into a matrix", at.len())));
        }
        let mut number = vec![0; at.len()];
        hilbert::order(&at).into_iter().enumerate().for_each(|(k, cell)| number[cell as usize] = k as u32);
        let mut left = number.into_iter();
        let numbers = cells.iter().map(|(pos, cells)| (*pos, left.by_ref().take(cells.len()).collect())).collect();
        Ok(Baked { map, numbers, sections: cells.into_iter().collect(), cells: at.len() })
    }

    /// Which cells see which.
    pub(super) fn visible(&self) -> Result<Matrix, String> {
        let mut matrix = Matrix::new(self.cells);
        for (&pos, numbers) in &self.numbers {
            let Some(sets) = sets_of(&self.map, pos)? else { continue };
            for (i, &number) in numbers.iter().enumerate() {
                for (offset, seen) in sets.seen_by(i) {
                    let chunk = pos.offset(offset);
                    let (Some(sections), Some(others)) = (self.sections.get(&chunk), self.numbers.get(&chunk)) else {
                        continue;
                    };
                    for (_, &other) in sections.iter().zip(others).filter(|(bits, _)| *bits & seen != 0) {
                        matrix.set(number as usize, other as usize);
                    }
                }
            }
        }
        Ok(matrix)
    }

    /// Which cells are at most so many steps of walking away.
    pub(super) fn reachable(&self, steps: usize) -> Result<Matrix, String> {
        let looks = FaceMaterials::new(self.map.materials());
        let mut chunks = FxHashMap::default();
        for &pos in self.numbers.keys() {
            if let Some(chunk) = self.map.load(pos).map_err(|e| e.to_string())? {
                chunks.insert(pos, ChunkOcclusion::from_chunk(&chunk, |voxel| looks.hides(voxel)));
            }
        }
        Ok(WalkGraph::new(&chunks, &self.numbers, self.cells).within(steps))
    }
}

/// A section, or all of the chunk, as bits.
fn bits(section: u8) -> u8 {
    if section == BakedSets::WHOLE_CHUNK { u8::MAX } else { 1 << section }
}

fn sets_of(map: &MapFile, pos: ChunkPos) -> Result<Option<BakedSets>, String> {
    Ok(map.visibility(pos).map_err(|e| e.to_string())?.map(|(sets, _)| sets))
}
