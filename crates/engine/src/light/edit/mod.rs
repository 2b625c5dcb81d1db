//! Relighting around single edited voxels: removes the light that may have come from them, then
//! spreads the remaining light, as bits of the few rows that it can reach.
//!
//! An edit changes no light farther away than the levels at the edited voxels, except straight
//! below, where the sun falls. A *window* of 64 x 128 x 64 voxels around the edit, two by four by
//! two chunks, is read layer by layer as light reaches it. One pass covers all chunks of the
//! window, and only blocks of eight rows whose light has changed are written. Lighting whole chunks
//! again, the alternative, costs the same for one voxel as for thousands; large edits take that
//! path.
//!
//! - `window`: reads rows from chunks, and writes them back as runs.
//! - `edited_box`: extent of an edit; `window_chunk`: chunks before and after it.
//! - `relight`: removes and spreads light.

mod edited_box;
mod relight;
mod window;
mod window_chunk;

pub(super) use window::EditWindow;
pub(super) use window_chunk::{EditedLight, WindowChunk};

use super::{Channel, LightCounts, LightTraits};
use crate::bits::set_bits;
use crate::runs::RunTree;
use crate::voxel::{CHUNK_SIDE, ChunkPos, Voxel, linear_offset};
use edited_box::{EditedBox, REACH};
use glam::IVec3;
use window::{HEIGHT, WIDTH};

/// Maximum number of voxels of an edit that is relit in a window. Above it, whole chunks are relit.
pub(super) const MAX_EDITED_VOXELS: usize = 64;

/// Linear indices of the voxels of a chunk whose effect on light an edit changes; `None` for more
/// than [`MAX_EDITED_VOXELS`].
pub(super) fn edited_voxels(
    before: &RunTree,
    after: &RunTree,
    traits: &LightTraits,
) -> Option<Vec<usize>> {
    const BLOCK: usize = 256;
    let blocks = before.changed_blocks(after);
    let mut edited = Vec::new();
    if blocks.count_ones() as usize > MAX_EDITED_VOXELS {
        return None;
    }
    for block in set_bits(blocks) {
        let first = block as usize * BLOCK;
        let mut voxels = [Voxel::AIR; BLOCK];
        for run in before.runs_in(first..first + BLOCK) {
            voxels[run.start as usize - first..][..run.len as usize].fill(run.voxel);
        }
        for run in after.runs_in(first..first + BLOCK) {
            for index in run.start as usize..run.end() as usize {
                let before = voxels[index - first];
                let light = |voxel: Voxel| (traits.dimming(voxel), traits.emitted(voxel));
                if before != run.voxel && light(before) != light(run.voxel) {
                    edited.push(index);
                }
            }
        }
        if edited.len() > MAX_EDITED_VOXELS {
            return None;
        }
    }
    Some(edited)
}

/// Groups edited voxels by the quarter of the chunk along x and z, so that the light of each group
/// stays within one window.
pub(super) fn window_groups(edited: &[usize]) -> Vec<Vec<usize>> {
    let mut groups: [Vec<usize>; 4] = Default::default();
    for &index in edited {
        let at = linear_offset(index);
        let half = |coordinate: i32| usize::from(coordinate >= CHUNK_SIDE / 2);
        groups[half(at.x) + 2 * half(at.z)].push(index);
    }
    groups.into_iter().filter(|group| !group.is_empty()).collect()
}

impl EditWindow {
    /// Computes the light of all chunks that an edit changes, and counts what it reads.
    ///
    /// `edited` holds linear indices of voxels in one quarter of the chunk along x and z. `known`
    /// returns the chunks after the edit, with their light before it. `None` if the light may
    /// change outside the window.
    pub fn relight<'a>(
        &mut self,
        pos: ChunkPos,
        edited: &[usize],
        traits: &'a LightTraits,
        known: impl Fn(ChunkPos) -> WindowChunk<'a>,
    ) -> Option<(Vec<EditedLight>, LightCounts)> {
        let voxels: Vec<IVec3> =
            edited.iter().map(|&index| pos.origin() + linear_offset(index)).collect();
        let at = linear_offset(*edited.first()?);
        let west_or_same = |coordinate: i32| if coordinate < CHUNK_SIDE / 2 { -1 } else { 0 };
        let base = pos.offset(IVec3::new(
            west_or_same(at.x),
            -(HEIGHT as i32 / CHUNK_SIDE / 2),
            west_or_same(at.z),
        ));
        self.begin(base);
        let edit = EditedBox::new(self.origin(), &voxels, traits, &known)?;
        debug_assert!(
            edit.min.min_element() > REACH && edit.max.max_element() + REACH < HEIGHT as i32
        );
        debug_assert!(edit.max.x.max(edit.max.z) + REACH < WIDTH as i32);
        if edit.reach() == 0 {
            return Some(Default::default());
        }
        let mut source = window::WindowSource::new(base, &edit, traits, known);
        for channel in Channel::ALL.into_iter().filter(|&channel| edit.levels[channel as usize] > 0)
        {
            self.relight_channel(channel, &edit, &mut source);
        }
        Some((self.write(&source), source.counts()))
    }
}
