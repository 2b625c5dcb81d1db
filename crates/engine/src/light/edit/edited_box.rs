//! Extent of an edit, and of the light that it can change.

use super::super::{Channel, Dimming, LightTraits};
use super::window_chunk::WindowChunk;
use crate::voxel::{ChunkPos, Face, MAX_LIGHT};
use glam::IVec3;
use std::ops::Range;

/// Maximum number of steps that light spreads.
pub(super) const REACH: i32 = MAX_LIGHT as i32;

/// The box of the voxels that an edit changes, in coordinates of the window.
pub(super) struct EditedBox {
    /// The edited voxels.
    pub voxels: Vec<IVec3>,
    /// Lowest corner of the box, which includes the voxels below into which the sun falls.
    pub min: IVec3,
    /// Highest corner of the box.
    pub max: IVec3,
    /// Highest level of each channel that the edit can change or spread.
    pub levels: [u8; Channel::ALL.len()],
}

impl EditedBox {
    /// Creates the box of voxels at these world positions. `origin` is the lowest voxel of the
    /// window. `known` returns the chunks after the edit. `None` if the sun falls so far that light
    /// may change below the window.
    pub fn new<'a>(
        origin: IVec3,
        edited: &[IVec3],
        traits: &LightTraits,
        known: impl Fn(ChunkPos) -> WindowChunk<'a>,
    ) -> Option<EditedBox> {
        let at_window = |at: IVec3| at - origin;
        let (min, max) = edited
            .iter()
            .fold((IVec3::MAX, IVec3::MIN), |(min, max), &at| (min.min(at), max.max(at)));
        let mut edit = EditedBox {
            voxels: edited.iter().map(|&at| at_window(at)).collect(),
            min: at_window(min),
            max: at_window(max),
            levels: [0; Channel::ALL.len()],
        };
        let chunk = |at: IVec3| known(ChunkPos::containing(at));
        for &at in edited {
            let emitted =
                chunk(at).voxel(at).map(|voxel| traits.emitted(voxel)).unwrap_or_default();
            let mut falls = false;
            for (channel, level) in Channel::ALL.into_iter().zip(&mut edit.levels) {
                *level = (*level).max(emitted.get(channel)).max(chunk(at).light(at).get(channel));
            }
            for face in Face::ALL {
                let next = at + face.normal();
                let light = match chunk(next) {
                    WindowChunk::Sky if face != Face::Up => continue,
                    chunk => chunk.light(next),
                };
                falls |= face == Face::Up && light.get(Channel::Sun) == MAX_LIGHT;
                for (channel, level) in Channel::ALL.into_iter().zip(&mut edit.levels) {
                    *level = (*level).max(light.get(channel));
                }
            }
            let mut below = at - IVec3::Y;
            while falls
                && chunk(below)
                    .voxel(below)
                    .is_some_and(|voxel| traits.dimming(voxel) == Some(Dimming::Clear))
            {
                edit.min.y = edit.min.y.min(at_window(below).y);
                if edit.min.y <= REACH {
                    return None;
                }
                below -= IVec3::Y;
            }
        }
        Some(edit)
    }

    /// Rows of layer `y` within `by` steps of the box.
    pub fn rows(&self, by: usize, y: usize) -> Range<usize> {
        let y = y as i32;
        let left = by as i32 - (self.min.y - y).max(y - self.max.y).max(0);
        if left < 0 { 0..0 } else { (self.min.z - left) as usize..(self.max.z + left + 1) as usize }
    }

    /// Distance in steps within which light can change: the highest level of all channels.
    pub fn reach(&self) -> usize {
        usize::from(self.levels.into_iter().max().unwrap_or(0))
    }
}
