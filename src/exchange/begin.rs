//! Where the player begins in a world that was imported: above the middle of a land, or in front of a model.

use super::Flaw;
use super::chunks::{Chunks, Summary};
use crate::body::walking::EYES;
use crate::save::Header;
use crate::voxel::{Box3, ChunkPos, Matter, Voxel, linear_index, local};
use glam::{DVec3, IVec2, IVec3};
use rustc_hash::FxHashSet;

/// What is wider than this may be land to stand on, not a model to look at, in voxels.
const WIDEST_MODEL: i32 = 128;
/// How far above the land the player begins.
const ABOVE_LAND: f64 = 2.0;
/// As far to each side nothing is higher than where the player begins, so that none looks at a wall: in voxels.
const CLEAR: i32 = 24;

/// The player flies above the middle of a land; or in front of a model.
pub(super) fn begun(mut header: Header, chunks: &mut dyn Chunks, summary: &Summary) -> Result<Header, Flaw> {
    let size = summary.bounds.size();
    let is_land = size.x.max(size.z) > WIDEST_MODEL && summary.voxels >= ground(chunks);
    let land = if is_land { above_land(chunks, summary)? } else { None };
    header.spawn = land.unwrap_or_else(|| before_model(summary.bounds)).to_array();
    header.player.position = header.spawn;
    header.player.pitch = if land.is_some() { 0.0 } else { -DOWN as f32 };
    Ok(header)
}

/// Columns of voxels of all chunks: what has fewer voxels is no land, but bars, wires, or a frame, that one would look past.
fn ground(chunks: &dyn Chunks) -> u64 {
    let columns: FxHashSet<_> = chunks.positions().into_iter().map(|pos| (pos.x, pos.z)).collect();
    columns.len() as u64 * 1024
}

/// A place above what is highest around the middle, water counted; where nothing is there, around the place nearest to it.
fn above_land(chunks: &mut dyn Chunks, summary: &Summary) -> Result<Option<DVec3>, Flaw> {
    let Summary { materials, bounds, .. } = summary;
    let carries = |voxel: Voxel| {
        materials.get(voxel.material()).is_some_and(|m| matches!(m.matter, Matter::Solid | Matter::Liquid))
    };
    // The column of voxels nearest to the middle that a chunk has a part of, and carries.
    let middle = (bounds.min + bounds.max) / 2;
    let nearest = |pos: ChunkPos| middle.clamp(pos.origin(), pos.origin() + 31);
    let away = |pos: ChunkPos| {
        let at = nearest(pos);
        IVec2::new(at.x - middle.x, at.z - middle.z).as_i64vec2().length_squared()
    };
    let mut all = chunks.positions();
    all.sort_unstable_by_key(|pos| (away(*pos), pos.x, pos.z, -pos.y));
    for column in all.chunk_by(|a, b| (a.x, a.z) == (b.x, b.z)) {
        let at = nearest(column[0]).with_y(0);
        if highest(chunks, column, at, 0, carries)?.is_none() {
            continue;
        }
        let top = highest(chunks, &all, at, CLEAR, carries)?;
        return Ok(top.map(|y| at.with_y(y).as_dvec3() + DVec3::new(0.5, 1.0 + ABOVE_LAND, 0.5)));
    }
    Ok(None)
}

/// The height of what is highest of the voxels that `carries` holds for, in `among`, not farther than `around` from the column at
/// `at` along both axes, in voxels.
fn highest(
    chunks: &mut dyn Chunks,
    among: &[ChunkPos],
    at: IVec3,
    around: i32,
    carries: impl Fn(Voxel) -> bool,
) -> Result<Option<i32>, Flaw> {
    let square = |pos: ChunkPos| {
        let column = Box3 { min: at - around, max: at + around + 1 };
        let bounds = pos.bounds();
        bounds.intersection(Box3 { min: column.min.with_y(bounds.min.y), max: column.max.with_y(bounds.max.y) })
    };
    let mut near: Vec<_> = among.iter().copied().filter(|pos| !square(*pos).is_empty()).collect();
    // From above, so that few chunks are read: the first level in which one is found has the highest.
    near.sort_unstable_by_key(|pos| (-pos.y, pos.x, pos.z));
    for level in near.chunk_by(|a, b| a.y == b.y) {
        let mut top = None;
        for &pos in level {
            let Some(chunk) = chunks.fetch(pos)? else { continue };
            let Box3 { min, max } = square(pos);
            let holds = |y: i32| {
                (min.z..max.z)
                    .any(|z| (min.x..max.x).any(|x| carries(chunk.get(linear_index(local(IVec3::new(x, y, z)))))))
            };
            top = top.max((min.y..max.y).rev().find(|&y| holds(y)));
        }
        if top.is_some() {
            return Ok(top);
        }
    }
    Ok(None)
}

/// How far the player looks down at a model, in radians.
const DOWN: f64 = 0.4;
/// Not farther away than one sees by default, however large it is, in voxels.
const FARTHEST: f64 = 220.0;

/// In front (south) of what was imported and above its middle, so that one who looks down at it has all of it in view.
fn before_model(bounds: Box3) -> DVec3 {
    let (size, max) = (bounds.size().as_dvec3(), bounds.max.as_dvec3());
    // A ball around it fits into the usual field of view, 75 degrees, from twice its radius, and some.
    let away = (size.length() * 0.5 * 1.8 + 2.0).min(FARTHEST);
    let above = size.y * 0.5 + away * DOWN.sin();
    // The place is that of the feet.
    DVec3::new(0.0, (above - EYES).max(0.0), (away * DOWN.cos()).max(max.z + 2.0))
}

#[cfg(test)]
mod tests {
    use super::super::chunks::Memory;
    use super::*;
    use crate::terrain::TerrainKind;
    use crate::voxel::MaterialTable;
    use crate::world::Chunk;

    /// A land from x = -64 to `end`: stone up to y = 40, water up to 50 at x < 32.
    fn land(end: i32) -> (Memory, Summary) {
        let materials = MaterialTable::builtin();
        let full = |name: &str| Voxel::full(materials.find(name).unwrap());
        let mut chunks = Memory::of(usize::MAX);
        let bounds = Box3 { min: IVec3::new(-64, 0, -32), max: IVec3::new(end, 51, 32) };
        for pos in bounds.chunks() {
            chunks.put(pos, Chunk::uniform(Voxel::AIR), &materials).unwrap();
        }
        let world = &mut chunks.world;
        world.fill(Box3 { max: IVec3::new(end, 41, 32), ..bounds }, full("stone"));
        world.fill(Box3 { min: IVec3::new(-64, 41, -32), max: IVec3::new(32, 51, 32) }, full("water"));
        world.fill(Box3::spanning(IVec3::new(end / 2 - 32, 51, 0), IVec3::new(end / 2 - 32, 51, 0)), full("reeds"));
        (chunks, Summary { materials, bounds, voxels: bounds.volume() / 2, unfinished: 0, warnings: vec![] })
    }

    fn header((chunks, summary): &mut (Memory, Summary)) -> Header {
        begun(Header::new(0, TerrainKind::Void.name(), 0), chunks, summary).unwrap()
    }

    #[test]
    fn one_begins_above_a_land() {
        let mut imported = land(96);
        // The middle is x = 16, z = 0: over water, and plants do not carry.
        assert_eq!(header(&mut imported).spawn, [16.5, 53.0, 0.5]);
        assert!(header(&mut imported).player.flying);
        // Without the chunks around the middle, the nearest that is left counts: x = 32, where there is no water.
        for pos in [ChunkPos::new(0, 0, -1), ChunkPos::new(0, 1, -1), ChunkPos::new(0, 0, 0), ChunkPos::new(0, 1, 0)] {
            imported.0.world.remove(pos).unwrap();
        }
        assert_eq!(header(&mut imported).spawn, [32.5, 43.0, 0.5]);
    }

    #[test]
    fn what_stands_around_the_middle_is_overlooked() {
        let tower = |at: i32| {
            let mut imported = land(96);
            let top = IVec3::new(16 + at, 50, -at);
            let stone = Voxel::full(imported.1.materials.find("stone").unwrap());
            imported.0.world.fill(Box3::spanning(top.with_y(41), top.with_y(60)), stone);
            header(&mut imported).spawn[1]
        };
        assert_eq!(
            [tower(0), tower(-CLEAR), tower(CLEAR), tower(CLEAR + 1), tower(-CLEAR - 1)],
            [63.0, 63.0, 63.0, 53.0, 53.0]
        );
    }

    #[test]
    fn one_begins_before_a_model() {
        let header = header(&mut land(64));
        assert!(header.spawn[2] > 34.0 && header.player.pitch < 0.0, "{:?}", header.spawn);
        // Of three long bars, too.
        let (chunks, summary) = land(96);
        let header = self::header(&mut (chunks, Summary { voxels: 300, ..summary }));
        assert!(header.spawn[2] > 34.0 && header.player.pitch < 0.0, "{:?}", header.spawn);
    }
}
