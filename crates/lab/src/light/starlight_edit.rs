//! Starlight's scheme for edits: one queue removes light, a second one spreads the light that is
//! left.
//!
//! The light that came from an edited voxel is followed and set to 0. A voxel that is brighter than
//! the light from there has another source: it is queued to spread again, and so are lamps on the
//! way. The open part of a column under the sun is cut or extended without a queue, by its height.

use super::flat_region::{BLOCKED, FlatRegion};
use super::starlight::{ALL, QueuedVoxel, spread};
use stonerun_engine::bits::set_bits;
use stonerun_engine::voxel::MAX_LIGHT;

/// Queues, kept to reuse their memory.
#[derive(Default)]
pub struct EditQueues {
    decrease: Vec<QueuedVoxel>,
    increase: Vec<QueuedVoxel>,
    /// Lamps on the way of removed light, and their levels.
    lamps: Vec<(usize, u8)>,
}

impl EditQueues {
    /// Updates the light of the sun after the voxel at `at` has changed. `before` is the height
    /// from which its column was open before the change.
    pub fn edit_sun(&mut self, region: &FlatRegion, levels: &mut [u8], at: usize, before: usize) {
        let (height, column) = region.column(at);
        let open = region.open_from[column];
        let layer = region.steps()[2] as usize;
        let voxel = |y: usize| at + y * layer - height * layer;
        for y in before..open {
            // The sun no longer reaches this voxel from above.
            levels[voxel(y)] = 0;
            self.decrease.push(QueuedVoxel {
                at: voxel(y) as u32,
                level: MAX_LIGHT,
                directions: ALL,
            });
        }
        for y in open..before {
            levels[voxel(y)] = MAX_LIGHT;
            self.increase.push(QueuedVoxel {
                at: voxel(y) as u32,
                level: MAX_LIGHT,
                directions: ALL,
            });
        }
        if height < open.min(before) {
            self.check(levels, at, 0);
        }
        self.update(region, levels, None);
    }

    /// Updates the light of the lamps in one channel (red, green or blue) after the voxel at `at`
    /// has changed.
    pub fn edit_lamps(
        &mut self,
        region: &FlatRegion,
        levels: &mut [u8],
        at: usize,
        channel: usize,
    ) {
        self.check(levels, at, region.emitted(at)[channel]);
        self.update(region, levels, Some(channel));
    }

    /// Sets the level of an edited voxel to the level that it emits, and queues the removal of its
    /// earlier level.
    fn check(&mut self, levels: &mut [u8], at: usize, emitted: u8) {
        let before = std::mem::replace(&mut levels[at], emitted);
        if emitted > 0 {
            self.increase.push(QueuedVoxel { at: at as u32, level: emitted, directions: ALL });
        }
        self.decrease.push(QueuedVoxel { at: at as u32, level: before, directions: ALL });
    }

    /// Removes the queued light, then spreads the light that is left.
    fn update(&mut self, region: &FlatRegion, levels: &mut [u8], channel: Option<usize>) {
        let steps = region.steps();
        let mut next = 0;
        while let Some(&QueuedVoxel { at, level, directions }) = self.decrease.get(next) {
            next += 1;
            for number in set_bits(directions) {
                let to = (at as usize).wrapping_add_signed(steps[number as usize]);
                let light = levels[to];
                if light == 0 {
                    continue;
                }
                let loss = region.loss[to];
                let entered = if loss == BLOCKED { 0 } else { level.saturating_sub(loss) };
                if light > entered {
                    self.increase.push(QueuedVoxel {
                        at: to as u32,
                        level: light,
                        directions: ALL,
                    });
                    continue;
                }
                let emitted = channel.map_or(0, |channel| region.emitted(to)[channel]);
                if emitted > 0 {
                    self.lamps.push((to, emitted));
                }
                levels[to] = 0;
                if entered > 0 {
                    let directions = ALL & !(1 << (number ^ 1));
                    self.decrease.push(QueuedVoxel { at: to as u32, level: entered, directions });
                }
            }
        }
        self.decrease.clear();
        for (at, emitted) in self.lamps.drain(..) {
            levels[at] = emitted;
            self.increase.push(QueuedVoxel { at: at as u32, level: emitted, directions: ALL });
        }
        spread(region, levels, &mut self.increase);
    }
}
