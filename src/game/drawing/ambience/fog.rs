//! The fog: full at the nearest missing chunk, so that no edge of the world is in view.
//!
//! While chunks around the player load, the fog recedes to the nearest chunk that is not drawn yet.
//! There is no fog where the whole map is in view, as a small map in a void may be.

use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::map::streaming::ChunkStream;
use crate::game::state::session::OpenMap;
use glam::{IVec3, Vec3};
use stonerun_engine::terrain::TerrainKind;
use stonerun_engine::voxel::{Box3, CHUNK_SIDE, ChunkPos};
use stonerun_engine::world::view::{DrawnDistance, drawn_distance, in_reach, vertical_reach};

/// Start of absent fog, in voxels: farther than any drawn chunk.
const CLEAR: f32 = 1e5;
/// Minimum distance at which the fog is full, in voxels, so that the nearest ground stays visible
/// while chunks load.
const MIN_END: f32 = 32.0;
/// Start of the fog, as a fraction of the distance at which it is full.
const START: f32 = 0.62;

/// Start and end of the fog, in voxels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Fog {
    pub start: f32,
    pub end: f32,
}

impl Fog {
    /// Settings of a clear view, without fog.
    pub const NONE: Fog = Fog { start: CLEAR, end: 2.0 * CLEAR };
}

/// Distance up to which all chunks are drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum ViewExtent {
    /// Distance along the ground of the nearest chunk that is not drawn yet, in voxels.
    UpTo(f32),
    /// The view distance.
    ViewDistance,
    /// The whole map.
    WholeMap,
}

/// A chunk within the view distance.
struct ChunkInView {
    /// Offset from the player's chunk, in chunks.
    offset: IVec3,
    /// Minimum distance of the chunk from a position in the player's chunk, in voxels. Vertical
    /// distances have the same weight as in the fog.
    gap: f32,
}

/// State of the fog between frames.
#[derive(Default)]
pub(super) struct FogMemory {
    /// View distance in chunks for which `chunks` was computed.
    view: i32,
    /// The chunks in view, the nearest first.
    chunks: Vec<ChunkInView>,
    drawn: DrawnDistance,
    /// The player's chunk for which all chunks in view were found to be drawn.
    complete_at: Option<ChunkPos>,
    /// Distance at which the fog is full, smoothed over time; `None` before the first frame.
    end: Option<f32>,
    /// Degree to which the fog has cleared, 0 to 1, smoothed over time.
    clearness: f32,
}

impl FogMemory {
    /// Extent of the view from the chunk `centre`, for a view distance in chunks.
    pub fn extent(
        &mut self,
        map: &OpenMap,
        centre: ChunkPos,
        view: i32,
        stream: &ChunkStream,
        meshes: &ChunkMeshes,
    ) -> ViewExtent {
        self.set_view(view);
        // Other terrain goes on for ever: chunks outside the map are generated.
        let bounds = if map.terrain == TerrainKind::Void { map.reader.bounds() } else { None };
        let is_coming = |pos: ChunkPos| meshes.may_come(pos) && !stream.keeps_undrawn(pos);
        if stream.waiting > 0 {
            self.complete_at = None;
        } else if meshes.waiting() == 0 {
            self.complete_at = Some(centre);
        }
        self.extent_until(centre, bounds, is_coming)
    }

    /// Extent of the view from the chunk `centre`, up to the nearest chunk for which `is_coming` is
    /// true. `bounds` holds the chunk positions of a map with an end.
    fn extent_until(
        &mut self,
        centre: ChunkPos,
        bounds: Option<Box3>,
        is_coming: impl Fn(ChunkPos) -> bool,
    ) -> ViewExtent {
        let is_missing = |pos: ChunkPos| {
            pos.in_world()
                && bounds.is_none_or(|bounds| bounds.contains(pos.as_ivec3()))
                && is_coming(pos)
        };
        if self.complete_at != Some(centre) {
            if let Some(distance) = self.nearest(centre, is_missing) {
                return ViewExtent::UpTo(distance);
            }
            self.complete_at = Some(centre);
        }
        let is_whole = bounds.is_some_and(|bounds| is_in_view(bounds, centre, self.view));
        if is_whole { ViewExtent::WholeMap } else { ViewExtent::ViewDistance }
    }

    /// The fog of this frame: the last frame's, moved towards `extent` by `part`, 0 to 1.
    pub fn follow(&mut self, extent: ViewExtent, part: f32) -> Fog {
        let far = self.drawn.horizontal;
        let end = if let ViewExtent::UpTo(distance) = extent {
            distance.clamp(MIN_END, far)
        } else {
            far
        };
        let clearness = f32::from(u8::from(extent == ViewExtent::WholeMap));
        let (end, clearness) = match self.end {
            Some(before) => (
                before + (end - before) * part,
                self.clearness + (clearness - self.clearness) * part,
            ),
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
        let reach = vertical_reach(view);
        self.drawn = drawn_distance(view);
        let flatness = self.flatness();
        let side = || -view..=view;
        let all = (-reach..=reach)
            .flat_map(|y| side().flat_map(move |z| side().map(move |x| IVec3::new(x, y, z))));
        let in_view = |offset: IVec3| {
            let gap = (offset.abs() - 1).max(IVec3::ZERO).as_vec3() * Vec3::new(1.0, flatness, 1.0);
            ChunkInView { offset, gap: gap.length() * CHUNK_SIDE as f32 }
        };
        self.chunks = all.filter(|&offset| in_reach(offset, view)).map(in_view).collect();
        self.chunks.sort_by(|a, b| a.gap.total_cmp(&b.gap));
        self.complete_at = None;
        self.view = view;
    }

    /// Distance of the nearest chunk in view that `is_missing`.
    fn nearest(&self, centre: ChunkPos, is_missing: impl Fn(ChunkPos) -> bool) -> Option<f32> {
        self.chunks
            .iter()
            .find(|chunk| is_missing(centre.offset(chunk.offset)))
            .map(|chunk| chunk.gap)
    }
}

/// True if all of a box of chunk positions is in view.
fn is_in_view(bounds: Box3, centre: ChunkPos, view: i32) -> bool {
    let centre = centre.as_ivec3();
    // Clamps, because distant positions would overflow.
    let far = IVec3::splat(view + 1);
    let offset = |corner: IVec3| corner.saturating_sub(centre).clamp(-far, far).abs();
    in_reach(offset(bounds.min).max(offset(bounds.max - 1)), view)
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
        let mut memory = memory(8);
        let centre = ChunkPos::new(100, 2, -7);
        let mut missing = |x, y, z| {
            memory.complete_at = None;
            memory.extent_until(centre, None, |pos| pos == centre.offset(IVec3::new(x, y, z)))
        };
        assert_eq!(missing(0, 0, 0), ViewExtent::UpTo(0.0));
        assert_eq!(missing(3, 0, -1), ViewExtent::UpTo(64.0));
        assert_eq!(missing(0, 0, -8), ViewExtent::UpTo(7.0 * 32.0));
        assert_eq!(
            [missing(0, 6, 0), missing(9, 0, 0)],
            [ViewExtent::ViewDistance; 2],
            "out of view"
        );
        let two = |pos: ChunkPos| [4, 6].contains(&(pos.x - centre.x));
        memory.complete_at = None;
        assert_eq!(memory.extent_until(centre, None, two), ViewExtent::UpTo(96.0));
    }

    #[test]
    fn layer_of_chunks_that_comes_into_view_above_is_far() {
        let mut memory = memory(8);
        let ViewExtent::UpTo(distance) =
            memory.extent_until(ChunkPos::default(), None, |pos| pos.y == 5)
        else {
            panic!("a layer is missing");
        };
        assert!(distance > 0.7 * memory.drawn.horizontal, "{distance}");
    }

    #[test]
    fn complete_view_is_looked_at_once() {
        let mut memory = memory(8);
        let looked = std::cell::Cell::new(0);
        let look = |memory: &mut FogMemory, x| {
            looked.set(0);
            memory.extent_until(ChunkPos::new(x, 0, 0), None, |_| {
                looked.set(looked.get() + 1);
                false
            });
            looked.get()
        };
        assert!(
            look(&mut memory, 0) > 1000 && look(&mut memory, 0) == 0 && look(&mut memory, 1) > 1000
        );
    }

    #[test]
    fn fog_gives_way_as_chunks_are_drawn() {
        let mut memory = memory(8);
        let far = memory.drawn.horizontal;
        assert_eq!(memory.follow(ViewExtent::UpTo(0.0), 0.1).end, MIN_END);
        let mut ends = Vec::new();
        for _ in 0..100 {
            ends.push(memory.follow(ViewExtent::UpTo(128.0), 0.1).end);
        }
        assert!(ends.is_sorted() && ends[0] < 50.0 && (ends[99] - 128.0).abs() < 0.1, "{ends:?}");
        assert_eq!(
            memory.follow(ViewExtent::ViewDistance, 1.0),
            Fog { start: far * START, end: far }
        );
        assert_eq!(memory.follow(ViewExtent::UpTo(1e6), 1.0).end, far);
    }

    #[test]
    fn fog_is_gone_where_all_chunks_of_a_map_are_in_view() {
        let bounds = Box3 { min: IVec3::new(-2, 0, 3), max: IVec3::new(3, 4, 8) };
        let is_seen = |x, y, z| is_in_view(bounds, ChunkPos::new(x, y, z), 8);
        assert!(is_seen(0, 0, 0) && is_seen(-4, 5, 5) && is_seen(0, -2, 11));
        assert!(!is_seen(0, 0, -2) && !is_seen(0, -3, 5) && !is_seen(-7, 0, 5));
        assert!(!is_in_view(Box3 { min: IVec3::MIN, max: IVec3::MAX }, ChunkPos::new(9, 0, 0), 8));
        let mut memory = memory(8);
        // Chunks outside the map are empty, so the fog does not wait for them.
        let outside = |pos: ChunkPos| !bounds.contains(pos.as_ivec3());
        assert_eq!(
            memory.extent_until(ChunkPos::default(), Some(bounds), outside),
            ViewExtent::WholeMap
        );
        memory.complete_at = None;
        let inside = |pos: ChunkPos| bounds.contains(pos.as_ivec3());
        assert_eq!(
            memory.extent_until(ChunkPos::default(), Some(bounds), inside),
            ViewExtent::UpTo(64.0)
        );
        let far = memory.follow(ViewExtent::ViewDistance, 1.0).end;
        let clearing = memory.follow(ViewExtent::WholeMap, 0.5);
        assert!(clearing.end > far && clearing.end < Fog::NONE.end);
        assert_eq!(memory.follow(ViewExtent::WholeMap, 1.0).end, Fog::NONE.end);
    }
}
