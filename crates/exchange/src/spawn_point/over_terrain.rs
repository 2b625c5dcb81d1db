//! Viewpoints above terrain.

use super::chunks::chunks_of;
use crate::chunk_store::{ChunkStore, ImportSummary};
use crate::error::FormatError;
use glam::{DVec3, IVec2, IVec3};
use stonerun_engine::voxel::{Box3, ChunkPos, Matter, Voxel, linear_index, local};
use stonerun_engine::world::LazyWorld;
use stonerun_engine::world::viewpoint::{Viewpoint, eyes_above, spiral_direction};
use stonerun_engine::world::vista::{Vista, best_vista};

/// Number of viewpoints that are compared.
const PLACES: i32 = 24;
/// Height of the spawn point above terrain, in voxels.
const ABOVE_TERRAIN: f64 = 2.0;
/// Distance along x and z within which nothing is higher than the spawn point, in voxels, so that
/// the player does not face a wall.
const CLEAR_RADIUS: i32 = 24;

/// The best view from above several columns around the middle; `None` if no chunk has anything to
/// stand on.
pub(super) fn over_terrain(
    store: &mut dyn ChunkStore,
    summary: &ImportSummary,
) -> Result<Option<Viewpoint>, FormatError> {
    let Box3 { min, max } = summary.bounds;
    let middle = (min + max) / 2;
    let size = (max - min).as_dvec3();
    let mut best: Option<(Vista, DVec3)> = None;
    for place in 0..PLACES {
        // The points lie on a spiral that stays away from the edges, so that land is on all sides.
        let radius = (f64::from(place) / f64::from(PLACES)).sqrt() * 0.35;
        let (sin, cos) = spiral_direction(place);
        let offset = IVec3::new((size.x * radius * cos) as i32, 0, (size.z * radius * sin) as i32);
        let Some(feet) = above_terrain(store, summary, middle + offset)? else { break };
        let mut failed = None;
        let mut world = LazyWorld::new(chunks_of(store, &mut failed));
        let vista = best_vista(&mut world, &summary.materials, eyes_above(feet));
        drop(world);
        if let Some(error) = failed {
            return Err(error);
        }
        if best.as_ref().is_none_or(|(best, _)| vista.score > best.score) {
            best = Some((vista, feet));
        }
    }
    Ok(best.map(|(vista, feet)| vista.from_feet(feet)))
}

/// A point above the highest solid or liquid voxel around `middle`. If the column at `middle` is
/// empty, takes the nearest column that is not.
fn above_terrain(
    store: &mut dyn ChunkStore,
    summary: &ImportSummary,
    middle: IVec3,
) -> Result<Option<DVec3>, FormatError> {
    let materials = &summary.materials;
    let supports = |voxel: Voxel| {
        materials
            .get(voxel.material())
            .is_some_and(|m| matches!(m.matter, Matter::Solid | Matter::Liquid))
    };
    // One column per column of chunks is tried: the one nearest to the middle.
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

/// The part of a chunk within `radius` voxels, along x and z, of the column at `at`.
fn columns_around(at: IVec3, radius: i32, chunk: ChunkPos) -> Box3 {
    let bounds = chunk.bounds();
    let min = (at - radius).with_y(bounds.min.y);
    let max = (at + radius + 1).with_y(bounds.max.y);
    bounds.intersection(Box3 { min, max })
}

/// Height of the highest voxel that `supports` accepts in the chunks `among`, within `radius`
/// voxels, along x and z, of the column at `at`.
fn highest(
    store: &mut dyn ChunkStore,
    among: &[ChunkPos],
    at: IVec3,
    radius: i32,
    supports: impl Fn(Voxel) -> bool,
) -> Result<Option<i32>, FormatError> {
    let mut near: Vec<_> =
        among.iter().copied().filter(|&pos| !columns_around(at, radius, pos).is_empty()).collect();
    // From the top down, so that few chunks are read: the first level with a match has the highest.
    near.sort_unstable_by_key(|pos| (-pos.y, pos.x, pos.z));
    for level in near.chunk_by(|a, b| a.y == b.y) {
        let mut top = None;
        for &pos in level {
            let Some(chunk) = store.fetch(pos)? else { continue };
            let Box3 { min, max } = columns_around(at, radius, pos);
            let is_match = |y: i32| {
                (min.z..max.z).any(|z| {
                    (min.x..max.x)
                        .any(|x| supports(chunk.get(linear_index(local(IVec3::new(x, y, z))))))
                })
            };
            top = top.max((min.y..max.y).rev().find(|&y| is_match(y)));
        }
        if top.is_some() {
            return Ok(top);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{header, terrain};
    use super::*;
    use crate::chunk_store::MemoryStore;

    /// Position of the spawn point above the middle.
    fn above_middle((store, summary): &mut (MemoryStore, ImportSummary)) -> DVec3 {
        let middle = (summary.bounds.min + summary.bounds.max) / 2;
        above_terrain(store, summary, middle).unwrap().unwrap()
    }

    #[test]
    fn place_above_terrain_is_above_the_highest_voxel() {
        let mut imported = terrain(96);
        // The middle is x = 16, z = 0, over water. Plants do not support a player.
        assert_eq!(above_middle(&mut imported).to_array(), [16.5, 53.0, 0.5]);
        assert!(header(&mut imported).player.flying);
        // Without the chunks around the middle, the nearest column is x = 32, beyond the water.
        for pos in [
            ChunkPos::new(0, 0, -1),
            ChunkPos::new(0, 1, -1),
            ChunkPos::new(0, 0, 0),
            ChunkPos::new(0, 1, 0),
        ] {
            imported.0.world.remove(pos).unwrap();
        }
        assert_eq!(above_middle(&mut imported).to_array(), [32.5, 43.0, 0.5]);
    }

    #[test]
    fn place_above_terrain_is_above_towers_within_the_clear_radius() {
        let tower = |at: i32| {
            let mut imported = terrain(96);
            let top = IVec3::new(16 + at, 50, -at);
            let stone = Voxel::full(imported.1.materials.find("stone").unwrap());
            imported.0.world.fill(Box3::spanning(top.with_y(41), top.with_y(60)), stone);
            above_middle(&mut imported).y
        };
        assert_eq!(
            [
                tower(0),
                tower(-CLEAR_RADIUS),
                tower(CLEAR_RADIUS),
                tower(CLEAR_RADIUS + 1),
                tower(-CLEAR_RADIUS - 1)
            ],
            [63.0, 63.0, 63.0, 53.0, 53.0]
        );
    }

    #[test]
    fn player_over_terrain_looks_at_land() {
        let mut imported = terrain(512);
        let stone = Voxel::full(imported.1.materials.find("stone").unwrap());
        let hill = Box3 { min: IVec3::new(330, 41, -32), max: IVec3::new(370, 70, 32) };
        imported.0.world.fill(hill, stone);
        let header = header(&mut imported);
        let to_hill = DVec3::new(350.0, 60.0, 0.0) - DVec3::from_array(header.spawn);
        let facing = DVec3::new(
            -f64::from(header.player.yaw).sin(),
            0.0,
            -f64::from(header.player.yaw).cos(),
        );
        let turn = facing.angle_between(to_hill.with_y(0.0)).to_degrees();
        assert!(turn < 46.0, "{turn} degrees beside the hill, at {:?}", header.spawn);
        assert_eq!(header.player.position, header.spawn);
    }
}
