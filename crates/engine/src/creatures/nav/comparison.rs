//! Comparison of two navigations, independent of the order in which their chunks were loaded.

use super::chunk_nav::ChunkNav;
use super::navigation::Navigation;
use crate::voxel::ChunkPos;
use rustc_hash::FxHashMap;

impl Navigation {
    /// Describes the first difference from another navigation; `None` if both give the same
    /// answers. Compares all chunks, areas and reach, so tests need no samples.
    #[must_use]
    pub fn first_difference(&self, other: &Navigation) -> Option<String> {
        let sorted = |nav: &Navigation| {
            let mut all: Vec<ChunkPos> =
                nav.chunks.iter().flatten().map(|chunk| chunk.pos).collect();
            all.sort_unstable();
            all
        };
        let positions = sorted(self);
        if positions != sorted(other) {
            return Some("other chunks are loaded".to_owned());
        }
        // Maps from the areas of either navigation to the areas of the other.
        let mut pairs: FxHashMap<u32, u32> = FxHashMap::default();
        let mut back: FxHashMap<u32, u32> = FxHashMap::default();
        for pos in positions {
            let (Some(ours), Some(theirs)) = (self.chunk_at(pos), other.chunk_at(pos)) else {
                continue;
            };
            if ours.classes.difference(&theirs.classes).is_some() {
                return Some(format!("chunk {pos}: classes"));
            }
            if ours.places != theirs.places || ours.links != theirs.links {
                return Some(format!("chunk {pos}: places or links"));
            }
            for (node, (&a, &b)) in ours.graph_nodes.iter().zip(&theirs.graph_nodes).enumerate() {
                let a = self.area_of(a);
                let b = other.area_of(b);
                if *pairs.entry(a).or_insert(b) != b || *back.entry(b).or_insert(a) != a {
                    return Some(format!("chunk {pos}, node {node}: area"));
                }
            }
        }
        let mut found = None;
        self.for_each_reach(|from, to| {
            if found.is_none() && !other.area_reaches(pairs[&from], pairs[&to]) {
                found = Some(format!("area {from} reaches area {to} in one of both"));
            }
        });
        let count = |nav: &Navigation| {
            let mut count = 0u64;
            nav.for_each_reach(|_, _| count += 1);
            count
        };
        found.or_else(|| {
            (count(self) != count(other))
                .then(|| "the number of pairs that reach each other".to_owned())
        })
    }

    fn chunk_at(&self, pos: ChunkPos) -> Option<&ChunkNav> {
        self.slot(pos).and_then(|slot| self.chunk(slot))
    }
}
