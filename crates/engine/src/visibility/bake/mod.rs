//! Baking: the sections of 16^3 voxels that each cell of a finite world sees.
//!
//! - [`Baker`] computes the sets of all cells of a chunk.
//! - [`BakedSets`] are these sets and their bytes in a map.
//! - [`BakedChunk`] narrows a swept set by the baked sets of its chunk.

mod baked_chunk;
mod baked_sets;
mod baker;

pub use baked_chunk::BakedChunk;
pub use baked_sets::{BakedCell, BakedSets, BakedSetsError, MAX_VIEW};
pub use baker::Baker;

/// Version of the rules by which baked sets are computed: which voxels of a hiding material hide,
/// which cells a chunk has and how they are named. Increase it when one of these changes, and when
/// a fix adds a visible section that was missing; sets of other versions are ignored.
/// `docs/map-format.md` states the number too.
pub(crate) const BAKE_VERSION: u32 = 1;

#[cfg(test)]
mod tests {
    use super::BAKE_VERSION;
    use crate::visibility::{Occluders, Rooms};
    use crate::voxel::{Voxel, linear_offset};
    use crate::world::Chunk;

    #[test]
    fn changed_cells_require_new_rules_version() {
        let mut sum = crc32fast::Hasher::new();
        for (size, thick) in [(5, 2), (13, 3), (14, 1), (16, 1), (20, 2)] {
            // A grid of boxes in walls, with a few holes in one part of the chunk.
            let wall = |at: glam::IVec3| {
                (at % size).min_element() < thick
                    && (at.x > 8 || (at.x * 7 + at.y * 5 + at.z * 3) % 11 != 0)
            };
            let chunk = Chunk::from_runs(
                (0..32768).map(|index| (1, Voxel::full(u16::from(wall(linear_offset(index)))))),
            );
            let rooms = Rooms::from_occluders(&Occluders::from_chunk(&chunk, |voxel| {
                voxel.material() == 1
            }));
            for cell in rooms.cells() {
                sum.update(&[[cell.room, cell.section, 0], cell.lo, cell.hi].concat());
            }
        }
        let message = "increase BAKE_VERSION if the cells of a chunk have changed, then store the new checksum";
        assert_eq!((BAKE_VERSION, sum.finalize()), (1, 2_670_109_113), "{message}");
    }
}
