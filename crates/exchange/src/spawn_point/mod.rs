//! The spawn point of an imported map, and the direction in which the player looks first: above
//! terrain, or from outside a model.

mod chunks;
mod outside_model;
mod over_terrain;

use super::chunk_store::{ChunkStore, ImportSummary};
use super::error::FormatError;
use outside_model::outside_model;
use over_terrain::over_terrain;
use rustc_hash::FxHashSet;
use stonerun_engine::save::Header;

/// Maximum width of a model, in voxels. Wider imports may be terrain to stand on.
const MAX_MODEL_WIDTH: i32 = 128;

/// Places the player, flying, where the import looks best: above terrain, or outside a model.
pub(super) fn place_player(
    mut header: Header,
    store: &mut dyn ChunkStore,
    summary: &ImportSummary,
) -> Result<Header, FormatError> {
    let size = summary.bounds.size();
    let is_terrain = size.x.max(size.z) > MAX_MODEL_WIDTH && summary.voxels >= column_count(store);
    let above = if is_terrain { over_terrain(store, summary)? } else { None };
    header.place_player(match above {
        Some(viewpoint) => viewpoint,
        None => outside_model(store, summary)?,
    });
    Ok(header)
}

/// Number of voxel columns in all chunks. An import with fewer voxels is a sparse model, which is
/// nearly invisible from directly above.
fn column_count(store: &dyn ChunkStore) -> u64 {
    let columns: FxHashSet<_> = store.positions().into_iter().map(|pos| (pos.x, pos.z)).collect();
    columns.len() as u64 * 1024
}

#[cfg(test)]
mod tests {
    use super::super::chunk_store::MemoryStore;
    use super::*;
    use glam::IVec3;
    use stonerun_engine::terrain::TerrainKind;
    use stonerun_engine::voxel::{Box3, MaterialTable, Voxel};
    use stonerun_engine::world::Chunk;

    /// Terrain from x = -64 to `end`: stone up to y = 40, water up to 50 at x < 32.
    pub(super) fn terrain(end: i32) -> (MemoryStore, ImportSummary) {
        let materials = MaterialTable::builtin();
        let full = |name: &str| Voxel::full(materials.find(name).unwrap());
        let mut store = MemoryStore::with_limit(usize::MAX);
        let bounds = Box3 { min: IVec3::new(-64, 0, -32), max: IVec3::new(end, 51, 32) };
        for pos in bounds.chunks() {
            store.put(pos, Chunk::uniform(Voxel::AIR), &materials).unwrap();
        }
        let world = &mut store.world;
        world.fill(Box3 { max: IVec3::new(end, 41, 32), ..bounds }, full("stone"));
        world.fill(
            Box3 { min: IVec3::new(-64, 41, -32), max: IVec3::new(32, 51, 32) },
            full("water"),
        );
        world.fill(
            Box3::spanning(IVec3::new(end / 2 - 32, 51, 0), IVec3::new(end / 2 - 32, 51, 0)),
            full("reeds"),
        );
        let voxels = bounds.volume() / 2;
        let losses = Default::default();
        (
            store,
            ImportSummary { materials, bounds, voxels, unfinished: 0, warnings: vec![], losses },
        )
    }

    /// The header of a map in which the player has been placed.
    pub(super) fn header((store, summary): &mut (MemoryStore, ImportSummary)) -> Header {
        place_player(Header::new(0, TerrainKind::Void.name(), 0), store, summary).unwrap()
    }
}
