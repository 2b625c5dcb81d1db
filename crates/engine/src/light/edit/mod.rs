//! Relights around single edited voxels: takes away the light that can have come from them, then
//! spreads what is left, as bits of the few rows that the light can reach.
//!
//! An edit changes no light farther away than its level, except straight below, where the sun falls.
//! A *window* of 64 x 128 x 64 voxels around it, two by four by two chunks, is read layer by layer
//! while light gets there. Everything happens in one pass, across the borders of chunks, and only
//! blocks of eight rows with other light are written.
//!
//! - `window`: reads rows from chunks, and writes them back as runs.
//! - `edited_box`: what an edit changes; `window_chunk`: chunks before and after it.
//! - `relight`: takes light away and spreads it.

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

/// Most voxels of an edit that is lit in a window; more are lit with their whole chunks.
pub(super) const MOST_EDITED: usize = 64;

/// The voxels of a chunk that an edit changes, by linear index. `None` if they are too many.
pub(super) fn edited_voxels(before: &RunTree, after: &RunTree, traits: &LightTraits) -> Option<Vec<usize>> {
    const BLOCK: usize = 256;
    let (blocks, mut edited) = (before.changed_blocks(after), Vec::new());
    if blocks.count_ones() as usize > MOST_EDITED {
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
        if edited.len() > MOST_EDITED {
            return None;
        }
    }
    Some(edited)
}

/// Groups edited voxels by the quarter of the chunk along x and z: each group's light stays within
/// one window.
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
    /// The light of all chunks after an edit of a chunk at these voxels, which lie in the same
    /// quarter of it along x and z. `known` returns each chunk, the edited version of this one, and
    /// light from before. Also returns what was read. `None` if the light may change farther away
    /// than a window reaches.
    pub fn relight<'a>(
        &mut self,
        pos: ChunkPos,
        edited: &[usize],
        traits: &'a LightTraits,
        known: impl Fn(ChunkPos) -> WindowChunk<'a>,
    ) -> Option<(Vec<EditedLight>, LightCounts)> {
        let voxels: Vec<IVec3> = edited.iter().map(|&index| pos.origin() + linear_offset(index)).collect();
        let at = linear_offset(*edited.first()?);
        let west_or_same = |coordinate: i32| if coordinate < CHUNK_SIDE / 2 { -1 } else { 0 };
        let base = pos.offset(IVec3::new(west_or_same(at.x), -(HEIGHT as i32 / CHUNK_SIDE / 2), west_or_same(at.z)));
        self.begin(base);
        let edit = EditedBox::new(self.origin(), &voxels, traits, &known)?;
        debug_assert!(edit.min.min_element() > REACH && edit.max.max_element() + REACH < HEIGHT as i32);
        debug_assert!(edit.max.x.max(edit.max.z) + REACH < WIDTH as i32);
        if edit.reach() == 0 {
            return Some(Default::default());
        }
        let mut source = window::WindowSource::new(base, &edit, traits, known);
        for channel in Channel::ALL.into_iter().filter(|&channel| edit.levels[channel as usize] > 0) {
            self.relight_channel(channel, &edit, &mut source);
        }
        Some((self.write(&source), source.counts()))
    }
}
