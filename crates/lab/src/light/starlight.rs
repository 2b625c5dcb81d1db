//! Starlight's scheme (PaperMC/Starlight, TECHNICAL_DETAILS.md) on a flat array.
//!
//! Advantages of the scheme over the plain queue: the open part of each column is filled without a
//! queue, and a voxel of it is queued only if its light can enter the closed part of a neighbouring
//! column; an entry carries the directions to visit, without the direction it came from; a
//! neighbour is skipped by its level before its matter is read; the queue is a plain array.

use super::flat_region::{BLOCKED, FlatRegion};
use stonerun_engine::bits::set_bits;
use stonerun_engine::voxel::MAX_LIGHT;

/// A queued voxel.
#[derive(Clone, Copy)]
pub(super) struct QueuedVoxel {
    pub at: u32,
    pub level: u8,
    /// Directions to visit, one bit per index in [`FlatRegion::steps`].
    pub directions: u8,
}

/// Bits of all six directions.
pub(super) const ALL: u8 = 0b11_1111;
/// Index of the direction down.
const DOWN: usize = 3;

/// Light of the sun.
pub fn sun(region: &FlatRegion) -> Vec<u8> {
    let mut levels = vec![0; region.loss.len()];
    let size = region.size();
    let mut queue = Vec::new();
    let column = |x: usize, z: usize| region.open_from[x + size.x * z];
    let highest =
        (1..size.z - 1).flat_map(|z| (1..size.x - 1).map(move |x| column(x, z))).max().unwrap_or(1);
    // Layers above all closed voxels are filled row by row, the rest of each column by itself.
    for y in highest..size.y - 1 {
        for z in 1..size.z - 1 {
            let first = region.index(1, y, z);
            levels[first..first + size.x - 2].fill(MAX_LIGHT);
        }
    }
    for z in 1..size.z - 1 {
        for x in 1..size.x - 1 {
            let open = column(x, z);
            for y in open..highest {
                levels[region.index(x, y, z)] = MAX_LIGHT;
            }
            // Outside the region no voxel is closed, so no light has to spread there.
            let inside =
                |x: usize, z: usize| (1..size.x - 1).contains(&x) && (1..size.z - 1).contains(&z);
            let neighbours = [(x + 1, z, 0), (x - 1, z, 1), (x, z + 1, 4), (x, z - 1, 5)];
            let reach = |(x, z, _): (usize, usize, u8)| if inside(x, z) { column(x, z) } else { 1 };
            let top =
                neighbours.into_iter().map(reach).max().unwrap_or(1).max(open + 1).min(size.y - 1);
            for y in open..top {
                let sides = neighbours.into_iter().filter(|&side| reach(side) > y);
                let directions = sides
                    .fold(u8::from(y == open) << DOWN, |all, (_, _, number)| all | 1 << number);
                if directions != 0 {
                    queue.push(QueuedVoxel {
                        at: region.index(x, y, z) as u32,
                        level: MAX_LIGHT,
                        directions,
                    });
                }
            }
        }
    }
    spread(region, &mut levels, &mut queue);
    levels
}

/// Light of the lamps in one channel: red, green or blue.
pub fn lamps(region: &FlatRegion, channel: usize) -> Vec<u8> {
    let mut levels = vec![0; region.loss.len()];
    let mut queue = Vec::new();
    for (at, emitted) in &region.lamps {
        let level = emitted[channel];
        if level > levels[*at] {
            levels[*at] = level;
            queue.push(QueuedVoxel { at: *at as u32, level, directions: ALL });
        }
    }
    spread(region, &mut levels, &mut queue);
    levels
}

/// Spreads the light of the queued voxels, and empties the queue. Skips entries whose voxel has got
/// another level since. The sun needs no special case, because the open part of each column was
/// filled before.
pub(super) fn spread(region: &FlatRegion, levels: &mut [u8], queue: &mut Vec<QueuedVoxel>) {
    let steps = region.steps();
    // Two buffers that swap roles stay in the processor's cache.
    let mut next = Vec::new();
    while !queue.is_empty() {
        for QueuedVoxel { at, level, directions } in queue.drain(..) {
            if levels[at as usize] != level {
                continue;
            }
            for number in set_bits(directions) {
                let to = (at as usize).wrapping_add_signed(steps[number as usize]);
                if levels[to] + 1 >= level {
                    continue;
                }
                let loss = region.loss[to];
                if loss == BLOCKED {
                    continue;
                }
                let entered = level.saturating_sub(loss);
                if entered > levels[to] {
                    levels[to] = entered;
                    if entered > 1 {
                        // Opposite directions differ in the lowest bit.
                        next.push(QueuedVoxel {
                            at: to as u32,
                            level: entered,
                            directions: ALL & !(1 << (number ^ 1)),
                        });
                    }
                }
            }
        }
        std::mem::swap(queue, &mut next);
    }
}
