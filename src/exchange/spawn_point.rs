//! The spawn point of an imported map: above the middle of terrain, or in front of a model.

use super::chunk_store::{ChunkStore, ImportSummary};
use super::error::FormatError;
use crate::body::walking::EYES;
use crate::save::Header;
use crate::voxel::{Box3, ChunkPos, Matter, Voxel, linear_index, local};
use glam::{DVec3, IVec2, IVec3};
use rustc_hash::FxHashSet;

/// Imports wider than this, in voxels, may be terrain to stand on; others are models to look at.
const MAX_MODEL_WIDTH: i32 = 128;
/// Height of the spawn point above terrain, in voxels.
const ABOVE_TERRAIN: f64 = 2.0;
/// Distance to each side within which nothing is higher than the spawn point, in voxels, so the
/// player does not face a wall.
const CLEAR_RADIUS: i32 = 24;

/// Places the player above the middle of terrain, or in front of a model, flying.
pub(super) fn place_player(
    mut header: Header,
    store: &mut dyn ChunkStore,
    summary: &ImportSummary,
) -> Result<Header, FormatError> {
    let size = summary.bounds.size();
    let is_terrain = size.x.max(size.z) > MAX_MODEL_WIDTH && summary.voxels >= column_count(store);
    let above = if is_terrain { above_terrain(store, summary)? } else { None };
    header.spawn = above.unwrap_or_else(|| in_front_of_model(summary.bounds)).to_array();
    header.player.position = header.spawn;
    header.player.pitch = if above.is_some() { 0.0 } else { -LOOK_DOWN as f32 };
    Ok(header)
}

/// Voxel columns in all chunks. Fewer voxels mean a sparse model, which is invisible from directly
/// above.
fn column_count(store: &dyn ChunkStore) -> u64 {
    let columns: FxHashSet<_> = store.positions().into_iter().map(|pos| (pos.x, pos.z)).collect();
    columns.len() as u64 * 1024
}

/// A point above the highest solid or liquid voxel around the middle; if the middle is empty,
/// around the column nearest to it that has one.
fn above_terrain(store: &mut dyn ChunkStore, summary: &ImportSummary) -> Result<Option<DVec3>, FormatError> {
    let ImportSummary { materials, bounds, .. } = summary;
    let supports = |voxel: Voxel| {
        materials.get(voxel.material()).is_some_and(|m| matches!(m.matter, Matter::Solid | Matter::Liquid))
    };
    // Columns are tried by their distance from the middle, one per column of chunks.
    let middle = (bounds.min + bounds.max) / 2;
    let nearest = |pos: ChunkPos| middle.clamp(pos.origin(), pos.origin() + 31);
    let distance = |pos: ChunkPos| {
        let at = nearest(pos);
        IVec2::new(at.x - middle.x, at.z - middle.z).as_i64vec2().length_squared()
    };
    let mut all = store.positions();
    all.sort_unstable_by_key(|pos| (distance(*pos), pos.x, pos.z, -pos.y));
    for column in all.chunk_by(|a, b| (a.x, a.z) == (b.x, b.z)) {
        let at = nearest(column[0]).with_y(0);
        if highest(store, column, at, 0, supports)?.is_none() {
            continue;
        }
        let top = highest(store, &all, at, CLEAR_RADIUS, supports)?;
        return Ok(top.map(|y| at.with_y(y).as_dvec3() + DVec3::new(0.5, 1.0 + ABOVE_TERRAIN, 0.5)));
    }
    Ok(None)
}

/// Height of the highest voxel in the chunks `among` that `supports` accepts, within `radius`
/// voxels of the column at `at` along x and z.
fn highest(
    store: &mut dyn ChunkStore,
    among: &[ChunkPos],
    at: IVec3,
    radius: i32,
    supports: impl Fn(Voxel) -> bool,
) -> Result<Option<i32>, FormatError> {
    let square = |pos: ChunkPos| {
        let column = Box3 { min: at - radius, max: at + radius + 1 };
        let bounds = pos.bounds();
        bounds.intersection(Box3 { min: column.min.with_y(bounds.min.y), max: column.max.with_y(bounds.max.y) })
    };
    let mut near: Vec<_> = among.iter().copied().filter(|pos| !square(*pos).is_empty()).collect();
    // From the top down, to read few chunks: the first level with a match has the highest.
    near.sort_unstable_by_key(|pos| (-pos.y, pos.x, pos.z));
    for level in near.chunk_by(|a, b| a.y == b.y) {
        let mut top = None;
        for &pos in level {
            let Some(chunk) = store.fetch(pos)? else { continue };
            let Box3 { min, max } = square(pos);
            let is_match = |y: i32| {
                (min.z..max.z)
                    .any(|z| (min.x..max.x).any(|x| supports(chunk.get(linear_index(local(IVec3::new(x, y, z)))))))
            };
            top = top.max((min.y..max.y).rev().find(|&y| is_match(y)));
        }
        if top.is_some() {
            return Ok(top);
        }
    }
    Ok(None)
}

/// Downward pitch of the player in front of a model, in radians.
const LOOK_DOWN: f64 = 0.4;
/// Largest distance from a model, in voxels: within the default view distance however large it is.
const MAX_DISTANCE: f64 = 220.0;

/// A point south of the import and above its middle, from which all of it is in view.
fn in_front_of_model(bounds: Box3) -> DVec3 {
    let (size, max) = (bounds.size().as_dvec3(), bounds.max.as_dvec3());
    // A field of view of 75 degrees holds the bounding sphere from twice its radius, with a margin.
    let distance = (size.length() * 0.5 * 1.8 + 2.0).min(MAX_DISTANCE);
    let above = size.y * 0.5 + distance * LOOK_DOWN.sin();
    // The position of the feet.
    DVec3::new(0.0, (above - EYES).max(0.0), (distance * LOOK_DOWN.cos()).max(max.z + 2.0))
}

#[cfg(test)]
mod tests {
    use super::super::chunk_store::MemoryStore;
    use super::*;
    use crate::terrain::TerrainKind;
    use crate::voxel::MaterialTable;
    use crate::world::Chunk;

    /// Terrain from x = -64 to `end`: stone up to y = 40, water up to 50 at x < 32.
    fn terrain(end: i32) -> (MemoryStore, ImportSummary) {
        let materials = MaterialTable::builtin();
        let full = |name: &str| Voxel::full(materials.find(name).unwrap());
        let mut store = MemoryStore::with_limit(usize::MAX);
        let bounds = Box3 { min: IVec3::new(-64, 0, -32), max: IVec3::new(end, 51, 32) };
        for pos in bounds.chunks() {
            store.put(pos, Chunk::uniform(Voxel::AIR), &materials).unwrap();
        }
        let world = &mut store.world;
        world.fill(Box3 { max: IVec3::new(end, 41, 32), ..bounds }, full("stone"));
        world.fill(Box3 { min: IVec3::new(-64, 41, -32), max: IVec3::new(32, 51, 32) }, full("water"));
        world.fill(Box3::spanning(IVec3::new(end / 2 - 32, 51, 0), IVec3::new(end / 2 - 32, 51, 0)), full("reeds"));
        let voxels = bounds.volume() / 2;
        let losses = Default::default();
        (store, ImportSummary { materials, bounds, voxels, unfinished: 0, warnings: vec![], losses })
    }

    fn header((store, summary): &mut (MemoryStore, ImportSummary)) -> Header {
        place_player(Header::new(0, TerrainKind::Void.name(), 0), store, summary).unwrap()
    }

    #[test]
    fn spawn_is_above_the_highest_voxel_of_terrain() {
        let mut imported = terrain(96);
        // The middle is x = 16, z = 0, over water. Plants do not count.
        assert_eq!(header(&mut imported).spawn, [16.5, 53.0, 0.5]);
        assert!(header(&mut imported).player.flying);
        // With the chunks around the middle gone, the nearest column is x = 32, beyond the water.
        for pos in [ChunkPos::new(0, 0, -1), ChunkPos::new(0, 1, -1), ChunkPos::new(0, 0, 0), ChunkPos::new(0, 1, 0)] {
            imported.0.world.remove(pos).unwrap();
        }
        assert_eq!(header(&mut imported).spawn, [32.5, 43.0, 0.5]);
    }

    #[test]
    fn spawn_is_above_towers_within_the_clear_radius() {
        let tower = |at: i32| {
            let mut imported = terrain(96);
            let top = IVec3::new(16 + at, 50, -at);
            let stone = Voxel::full(imported.1.materials.find("stone").unwrap());
            imported.0.world.fill(Box3::spanning(top.with_y(41), top.with_y(60)), stone);
            header(&mut imported).spawn[1]
        };
        assert_eq!(
            [tower(0), tower(-CLEAR_RADIUS), tower(CLEAR_RADIUS), tower(CLEAR_RADIUS + 1), tower(-CLEAR_RADIUS - 1)],
            [63.0, 63.0, 63.0, 53.0, 53.0]
        );
    }

    #[test]
    fn spawn_is_in_front_of_a_model() {
        let header = header(&mut terrain(64));
        assert!(header.spawn[2] > 34.0 && header.player.pitch < 0.0, "{:?}", header.spawn);
        // Wide, but too few voxels for terrain: a few long bars.
        let (store, summary) = terrain(96);
        let header = self::header(&mut (store, ImportSummary { voxels: 300, ..summary }));
        assert!(header.spawn[2] > 34.0 && header.player.pitch < 0.0, "{:?}", header.spawn);
    }
}
