//! The region that a stroke of the brush covers. A frame only adds its touches; jobs unite them,
//! each touch once.

use crate::game::building::builder::brush_shape::BrushForm;
use glam::IVec3;
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, PoisonError};
use stonerun_engine::edit::region::Region;
use stonerun_engine::voxel::{Box3, ChunkPos, Face};

/// A touch of the brush.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dab {
    /// Form of the brush.
    pub form: BrushForm,
    /// Voxel in the middle.
    pub at: IVec3,
    /// Radius, in voxels.
    pub radius: i32,
    /// Face that was pointed at.
    pub face: Face,
}

/// Region that a stroke covers. Clones share it, so that a job sees the touches added since it was
/// requested.
#[derive(Clone, Default)]
pub struct PaintedRegion {
    /// Touches of the stroke so far.
    dabs: Arc<Mutex<Vec<Dab>>>,
    /// Union of the first touches. Only jobs lock it, for long: a frame never waits for them.
    united: Arc<Mutex<UnitedDabs>>,
    /// Chunks in the boxes around the touches.
    chunks: FxHashSet<ChunkPos>,
}

/// Union of the first touches of a stroke.
#[derive(Default)]
struct UnitedDabs {
    region: Region,
    /// Number of touches in the region.
    count: usize,
}

impl PaintedRegion {
    /// Adds a touch.
    pub fn add(&mut self, dab: Dab) {
        let radii = dab.form.radii(dab.radius, dab.face);
        self.chunks.extend(Box3::spanning(dab.at - radii, dab.at + radii).chunks());
        // Nothing panics while it holds the lock.
        self.dabs.lock().unwrap_or_else(PoisonError::into_inner).push(dab);
    }

    /// True if nothing was touched.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Number of chunks that the region may cover.
    #[must_use]
    pub fn chunk_count(&self) -> usize {
        self.chunks.len()
    }

    /// The voxels of all touches so far. For jobs: uniting many touches takes long.
    #[must_use]
    pub fn region(&self) -> Region {
        let mut united = self.united.lock().unwrap_or_else(PoisonError::into_inner);
        let new = self.dabs.lock().unwrap_or_else(PoisonError::into_inner)[united.count..].to_vec();
        let mut parts: Vec<Region> =
            new.iter().map(|dab| dab.form.region(dab.at, dab.radius, dab.face)).collect();
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
        united.region = parts.pop().unwrap_or_default().union(&united.region);
        united.count += new.len();
        united.region.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::VariantArray;

    #[test]
    fn region_is_the_union_of_all_touches_at_any_time() {
        let mut painted = PaintedRegion::default();
        let mut expected = Region::default();
        assert!(painted.is_empty() && painted.region().is_empty());
        for step in 0..17 {
            let form = BrushForm::VARIANTS[step as usize % 4];
            let dab = Dab {
                form,
                at: IVec3::new(step * 7 - 40, step % 5, step * 3),
                radius: step % 6,
                face: Face::Up,
            };
            painted.add(dab);
            expected = expected.union(&form.region(dab.at, dab.radius, dab.face));
            if step % 3 != 1 {
                assert_eq!(painted.clone().region(), expected, "{step}");
            }
        }
        assert!(painted.chunk_count() >= expected.chunks().len());
    }
}
