//! The usual way to spread light: breadth first, with a queue of voxels.

use super::flat_region::{BLOCKED, FlatRegion};
use std::collections::VecDeque;
use stonerun_engine::voxel::MAX_LIGHT;

/// Light of the sun, which enters at the top of the region.
pub fn sun(region: &FlatRegion) -> Vec<u8> {
    let mut levels = vec![0; region.loss.len()];
    let mut queue = VecDeque::new();
    let size = region.size();
    let [.., down, _, _] = region.steps();
    for z in 1..size.z - 1 {
        for x in 1..size.x - 1 {
            let above = region.index(x, size.y - 1, z);
            enter(region, &mut levels, &mut queue, (above, MAX_LIGHT), down, true);
        }
    }
    spread(region, &mut levels, &mut queue, true);
    levels
}

/// Light of the lamps in one channel: red, green or blue.
pub fn lamps(region: &FlatRegion, channel: usize) -> Vec<u8> {
    let mut levels = vec![0; region.loss.len()];
    let mut queue = VecDeque::new();
    for (at, emitted) in &region.lamps {
        if emitted[channel] > levels[*at] {
            levels[*at] = emitted[channel];
            queue.push_back((*at, emitted[channel]));
        }
    }
    spread(region, &mut levels, &mut queue, false);
    levels
}

fn spread(region: &FlatRegion, levels: &mut [u8], queue: &mut VecDeque<(usize, u8)>, falls: bool) {
    let steps = region.steps();
    while let Some((at, level)) = queue.pop_front() {
        // If a brighter path was found since, the voxel is in the queue again.
        if levels[at] == level {
            for step in steps {
                enter(region, levels, queue, (at, level), step, falls);
            }
        }
    }
}

/// Lets the light of a voxel enter the next voxel.
#[inline]
fn enter(
    region: &FlatRegion,
    levels: &mut [u8],
    queue: &mut VecDeque<(usize, u8)>,
    (from, level): (usize, u8),
    step: isize,
    falls: bool,
) {
    let at = from.wrapping_add_signed(step);
    let loss = region.loss[at];
    if loss == BLOCKED {
        return;
    }
    let is_fall = falls && step == region.steps()[3] && level == MAX_LIGHT && region.is_clear[at];
    let next = if is_fall { MAX_LIGHT } else { level.saturating_sub(loss) };
    if next > levels[at] {
        levels[at] = next;
        queue.push_back((at, next));
    }
}
