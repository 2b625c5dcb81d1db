//! The fog: full where the first chunk is missing, so that no edge of the world is in view.
//!
//! While chunks around the player are loaded, the fog gives way as far as all of them are drawn.
//! Where nothing of the map is missing, there is no fog: in a void that is in view as a whole.

use crate::game::meshing::ChunkMeshes;
use crate::game::session::OpenMap;
use crate::game::streaming::ChunkStream;
use crate::terrain::TerrainKind;
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos};
use crate::world::view::{DrawnDistance, drawn_distance, in_reach, vertical_reach};
use glam::IVec3;

/// Start of the fog where there is none, in voxels: farther than any drawn chunk.
const CLEAR: f32 = 1e5;
/// Shortest distance at which the fog is full, in voxels: what is near is in view while the chunks
/// beside it are loaded.
const NEAREST: f32 = 32.0;
/// Start of the fog, as a part of the distance at which it is full.
const START: f32 = 0.62;

/// Start and end of the fog, in voxels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Fog {
    pub start: f32,
    pub end: f32,
}

impl Fog {
    /// No fog.
    pub const NONE: Fog = Fog { start: CLEAR, end: 2.0 * CLEAR };
}

/// How far the player can see before something is missing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Sight {
    /// So many voxels along the ground: a chunk there is not drawn yet.
    UpTo(f32),
    /// As far as chunks are drawn.
    View,
    /// Everything that there is.
    WholeMap,
}

/// A column of chunks within the view distance.
struct Column {
    /// From the player's column, in chunks.
    x: i32,
    z: i32,
    /// Shortest distance from a place in the player's column, in voxels.
    gap: f32,
}

/// State of the fog between frames.
#[derive(Default)]
pub(super) struct FogMemory {
    /// View distance of the fields below, in chunks.
    view: i32,
    /// The columns in view, the nearest first.
    columns: Vec<Column>,
    drawn: DrawnDistance,
    /// Distance at which the fog is full, smoothed over time; `None` before the first frame.
    end: Option<f32>,
    /// How far the fog is gone, 0 to 1, smoothed over time.
    clearness: f32,
}

impl FogMemory {
    /// How far the player in the chunk `centre` can see.
    pub fn sight(
        &mut self,
        map: &OpenMap,
        centre: ChunkPos,
        view: i32,
        stream: &ChunkStream,
        meshes: &ChunkMeshes,
    ) -> Sight {
        self.set_view(view);
        let is_loading = stream.waiting > 0 || meshes.waiting() > 0;
        let is_coming = |pos: ChunkPos| meshes.may_come(pos) && !stream.keeps_undrawn(pos);
        let missing = is_loading.then(|| self.nearest_coming(centre, is_coming)).flatten();
        // Only a void ends.
        let bounds = if map.terrain == TerrainKind::Void { map.reader.bounds() } else { None };
        match missing {
            Some(distance) => Sight::UpTo(distance),
            None if bounds.is_some_and(|bounds| is_in_view(bounds, centre, view)) => Sight::WholeMap,
            None => Sight::View,
        }
    }

    /// The fog, a `part` of the way from that of the last frame to that of this one.
    pub fn follow(&mut self, sight: Sight, part: f32) -> Fog {
        let far = self.drawn.horizontal;
        let end = if let Sight::UpTo(distance) = sight { distance.clamp(NEAREST, far) } else { far };
        let clearness = f32::from(u8::from(sight == Sight::WholeMap));
        let (end, clearness) = match self.end {
            Some(before) => (before + (end - before) * part, self.clearness + (clearness - self.clearness) * part),
            None => (end, clearness),
        };
        self.end = Some(end);
        self.clearness = clearness;
        let end = end / (1.0 - clearness).max(end / Fog::NONE.end);
        Fog { start: end * START, end }
    }

    /// Weight of vertical distance in the fog: fewer chunks are drawn vertically than horizontally.
    pub fn flatness(&self) -> f32 {
        (self.drawn.horizontal / self.drawn.vertical).max(1.0)
    }

    fn set_view(&mut self, view: i32) {
        if self.view == view {
            return;
        }
        let all = (-view..=view).flat_map(|z| (-view..=view).map(move |x| IVec3::new(x, 0, z)));
        let gap = |part: i32| (part.abs() - 1).max(0) as f32;
        let column = |at: IVec3| Column { x: at.x, z: at.z, gap: gap(at.x).hypot(gap(at.z)) * CHUNK_SIDE as f32 };
        self.columns = all.filter(|&at| in_reach(at, view)).map(column).collect();
        self.columns.sort_by(|a, b| a.gap.total_cmp(&b.gap));
        self.drawn = drawn_distance(view);
        self.view = view;
    }

    /// Distance of the nearest column in view with a chunk that `is_coming`.
    fn nearest_coming(&self, centre: ChunkPos, is_coming: impl Fn(ChunkPos) -> bool) -> Option<f32> {
        let reach = vertical_reach(self.view);
        let column = |column: &&Column| {
            let mut chunks = (-reach..=reach).map(|y| centre.offset(IVec3::new(column.x, y, column.z)));
            chunks.any(|pos| pos.in_world() && is_coming(pos))
        };
        self.columns.iter().find(column).map(|column| column.gap)
    }
}

/// True if all of a box of chunk positions is in view.
fn is_in_view(bounds: Box3, centre: ChunkPos, view: i32) -> bool {
    let from_min = (bounds.min - centre.as_ivec3()).abs();
    let from_max = (bounds.max - 1 - centre.as_ivec3()).abs();
    in_reach(from_min.max(from_max), view)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(view: i32) -> FogMemory {
        let mut memory = FogMemory::default();
        memory.set_view(view);
        memory
    }

    #[test]
    fn fog_is_full_where_the_nearest_chunk_is_missing() {
        let memory = memory(8);
        let centre = ChunkPos::new(100, 2, -7);
        let missing = |x, y, z| memory.nearest_coming(centre, |pos| pos == centre.offset(IVec3::new(x, y, z)));
        assert_eq!(missing(0, 0, 0), Some(0.0));
        assert_eq!(missing(3, -5, 0), Some(64.0), "chunks below count");
        assert_eq!(missing(0, 0, -8), Some(7.0 * 32.0));
        assert_eq!([missing(0, 6, 0), missing(9, 0, 0)], [None; 2], "out of view");
        let two = |pos: ChunkPos| [4, 6].contains(&(pos.x - centre.x));
        assert_eq!(memory.nearest_coming(centre, two), Some(96.0));
    }

    #[test]
    fn fog_gives_way_as_chunks_are_drawn() {
        let mut memory = memory(8);
        let far = memory.drawn.horizontal;
        assert_eq!(memory.follow(Sight::UpTo(0.0), 0.1).end, NEAREST);
        let mut ends = Vec::new();
        for _ in 0..100 {
            ends.push(memory.follow(Sight::UpTo(128.0), 0.1).end);
        }
        assert!(ends.is_sorted() && ends[0] < 50.0 && (ends[99] - 128.0).abs() < 0.1, "{ends:?}");
        assert_eq!(memory.follow(Sight::View, 1.0), Fog { start: far * START, end: far });
        assert_eq!(memory.follow(Sight::UpTo(1e6), 1.0).end, far);
    }

    #[test]
    fn fog_is_gone_where_all_chunks_of_a_map_are_in_view() {
        let bounds = Box3 { min: IVec3::new(-2, 0, 3), max: IVec3::new(3, 4, 8) };
        let is_seen = |x, y, z| is_in_view(bounds, ChunkPos::new(x, y, z), 8);
        assert!(is_seen(0, 0, 0) && is_seen(-4, 5, 5) && is_seen(0, -2, 11));
        assert!(!is_seen(0, 0, -2) && !is_seen(0, -3, 5) && !is_seen(-7, 0, 5));
        let mut memory = memory(8);
        let far = memory.follow(Sight::View, 1.0).end;
        let clearing = memory.follow(Sight::WholeMap, 0.5);
        assert!(clearing.end > far && clearing.end < Fog::NONE.end);
        assert_eq!(memory.follow(Sight::WholeMap, 1.0).end, Fog::NONE.end);
    }
}
