//! What a stroke of the brush has covered. A frame only adds the places that were touched; jobs
//! unite them, each place once.

use crate::game::building::builder::brush_shape::BrushForm;
use glam::IVec3;
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, PoisonError};
use stonerun_engine::edit::region::Region;
use stonerun_engine::voxel::{Box3, ChunkPos, Face};

/// A place that the brush has touched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dab {
    /// Its form.
    pub form: BrushForm,
    /// The voxel in the middle.
    pub at: IVec3,
    /// Its radius, in voxels.
    pub radius: i32,
    /// The face that was pointed at.
    pub face: Face,
}

/// What a stroke has covered. Clones are the same stroke.
#[derive(Clone, Default)]
pub struct PaintedRegion {
    /// All places so far.
    dabs: Arc<Mutex<Vec<Dab>>>,
    /// The region of the first ones, and how many they are. Only jobs lock it.
    united: Arc<Mutex<(Region, usize)>>,
    /// The chunks in the boxes around the places.
    chunks: FxHashSet<ChunkPos>,
}

impl PaintedRegion {
    /// Adds a place.
    pub fn add(&mut self, dab: Dab) {
        let radii = dab.form.radii(dab.radius, dab.face);
        self.chunks.extend(Box3::spanning(dab.at - radii, dab.at + radii).chunks());
        // Nothing panics while it holds the lock.
        self.dabs.lock().unwrap_or_else(PoisonError::into_inner).push(dab);
    }

    /// True if no place was touched.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Number of chunks that it may cover.
    #[must_use]
    pub fn chunk_count(&self) -> usize {
        self.chunks.len()
    }

    /// The voxels of all places so far. For jobs: takes long after many places.
    #[must_use]
    pub fn region(&self) -> Region {
        let mut united = self.united.lock().unwrap_or_else(PoisonError::into_inner);
        let new = self.dabs.lock().unwrap_or_else(PoisonError::into_inner)[united.1..].to_vec();
        let mut parts: Vec<Region> = new.iter().map(|dab| dab.form.region(dab.at, dab.radius, dab.face)).collect();
        // Pairs of neighbours first: unions of small regions are cheap.
        while parts.len() > 1 {
            parts = parts
                .chunks_mut(2)
                .map(|pair| match pair {
                    [first, second] => std::mem::take(first).union(second),
                    single => std::mem::take(&mut single[0]),
                })
                .collect();
        }
        let region = parts.pop().unwrap_or_default().union(&united.0);
        *united = (region.clone(), united.1 + new.len());
        region
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn region_is_the_union_of_all_places_whenever_it_is_asked_for() {
        let mut painted = PaintedRegion::default();
        let mut expected = Region::default();
        assert!(painted.is_empty() && painted.region().is_empty());
        for step in 0..17 {
            let form = BrushForm::ALL[step as usize % 4].0;
            let dab = Dab { form, at: IVec3::new(step * 7 - 40, step % 5, step * 3), radius: step % 6, face: Face::Up };
            painted.add(dab);
            expected = expected.union(&form.region(dab.at, dab.radius, dab.face));
            if step % 3 != 1 {
                assert_eq!(painted.clone().region(), expected, "{step}");
            }
        }
        assert!(painted.chunk_count() >= expected.chunks().len());
    }
}
