//! Regions of boxes.

use super::{INSIDE, MAX_CHUNKS, Region, part};
use crate::runs::RunTree;
use crate::voxel::Box3;
use rustc_hash::FxHashMap;

impl Region {
    /// Voxels of a box. Chunks that the box cuts in the same way share a tree, so at most 27 trees
    /// are built.
    pub(super) fn from_box(area: Box3) -> Region {
        let mut cut_alike: Vec<(Box3, RunTree)> = Vec::new();
        let mut chunks = FxHashMap::default();
        chunks.reserve(area.in_chunks().volume().min(MAX_CHUNKS) as usize);
        for pos in area.chunks() {
            let bounds = pos.bounds();
            let within = area.intersection(pos.bounds());
            if within == bounds {
                chunks.insert(pos, RunTree::uniform(INSIDE));
                continue;
            }
            let local = Box3 { min: within.min - bounds.min, max: within.max - bounds.min };
            let known =
                cut_alike.iter().find(|(cut, _)| *cut == local).map(|(_, tree)| tree.clone());
            let tree = known.unwrap_or_else(|| {
                cut_alike.push((local, part(&area, pos)));
                cut_alike[cut_alike.len() - 1].1.clone()
            });
            chunks.insert(pos, tree);
        }
        Region { chunks }
    }
}
