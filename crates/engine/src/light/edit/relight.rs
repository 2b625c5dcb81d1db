//! Removes the light of one channel that may have come from edited voxels, then spreads the
//! remaining light.
//!
//! A voxel of level k loses its light if it is edited, or if a neighbour that lost its light had
//! level k + n, where n is the loss of a step into the voxel. Then levels spread from 15 down, as
//! `spread` does in a chunk. They start from lamps and from the border: lit voxels next to voxels
//! that lost their light.

use super::super::Channel;
use super::super::light_traits::{Dimming, MAX_LOSS};
use super::edited_box::EditedBox;
use super::window::{EditWindow, HEIGHT, KEPT, Rows, WIDTH, WindowLamp, WindowLayer, WindowSource};
use crate::bits::set_bits;
use crate::voxel::MAX_LIGHT;
use std::ops::Range;

/// Number of levels above 0.
const LEVELS: usize = MAX_LIGHT as usize;

/// Layers with voxels of the latest levels, from which light spreads on.
struct Frontier {
    /// Layers with voxels of a level, at level % `KEPT`: bit y.
    layers: [u128; KEPT],
    /// Layers that light can reach: bit y.
    reached: u128,
}

impl Frontier {
    /// Layers that touch voxels of the `MAX_LOSS` levels above `level`.
    fn touched(&self, level: usize) -> u128 {
        let touched = |lost: usize| {
            let layers = self.layers[(level + lost) % KEPT];
            layers | layers << 1 | layers >> 1
        };
        (1..=MAX_LOSS).fold(0, |all, lost| all | touched(lost)) & self.reached
    }
}

/// Bits from `first` to `last`.
fn bits(first: usize, last: usize) -> u128 {
    u128::MAX << first & u128::MAX >> (HEIGHT - 1 - last)
}

/// Numbers of the layers of a set, ascending.
fn layers_of(set: u128) -> impl Iterator<Item = usize> {
    set_bits(set).map(|layer| layer as usize)
}

impl EditWindow {
    /// Relights one channel after an edit.
    pub(super) fn relight_channel(
        &mut self,
        channel: Channel,
        edit: &EditedBox,
        source: &mut WindowSource<'_>,
    ) {
        let max_level = usize::from(edit.levels[channel as usize]);
        let reached = |by: usize| bits(edit.min.y as usize - by, edit.max.y as usize + by);
        // Rows of layer `y` that lie within `by` steps of the edit.
        let rows = |by: usize, y: usize| edit.rows(by, y);
        let mut removed = 0;
        for at in &edit.voxels {
            self.load(at.y as usize, channel, source);
            self.layers[at.y as usize].removed[at.z as usize] |= 1 << at.x;
            removed |= 1 << at.y;
        }
        let farthest = self.remove_light(
            channel,
            max_level,
            reached(max_level - 1),
            &mut removed,
            rows,
            source,
        );
        let border = self.find_border(
            channel,
            removed,
            reached(max_level),
            |y| rows(farthest + 1, y),
            source,
        );
        self.spread(channel, reached(max_level - 1), removed, border, source, |level, y| {
            // The border lies around the voxels that lost their light, a step farther.
            rows((farthest + 1).max(max_level.saturating_sub(level)).min(max_level), y)
        });
        for y in layers_of(removed) {
            self.layers[y].removed = [0; WIDTH];
        }
    }

    /// Removes the light of the edited voxels, and of all voxels whose light may have come from
    /// them. Adds their layers to `removed`. Returns the number of steps from the edit to the
    /// farthest one.
    fn remove_light(
        &mut self,
        channel: Channel,
        max_level: usize,
        reached: u128,
        removed: &mut u128,
        rows: impl Fn(usize, usize) -> Range<usize>,
        source: &mut WindowSource<'_>,
    ) -> usize {
        let mut frontier = Frontier { layers: [0; KEPT], reached };
        let mut farthest = 0;
        let edited = *removed;
        for level in (1..=max_level).rev() {
            let slot = level % KEPT;
            self.clear_level(slot, &mut frontier);
            let falls = channel == Channel::Sun && level == LEVELS;
            let layers = edited | frontier.touched(level);
            let mut visit = |window: &mut EditWindow, y: usize, frontier: &mut Frontier| -> bool {
                let rows = rows(max_level - level, y);
                if rows.is_empty() {
                    return false;
                }
                window.load(y, channel, source);
                let mut found = [0; WIDTH];
                if falls {
                    let layer = &window.layers[y];
                    let above = &window.layers[y + 1];
                    for z in rows.clone() {
                        found[z] = above.exact[slot][z] & layer.open[Dimming::Clear as usize][z];
                    }
                } else {
                    window.add_touching(y, level, frontier, &rows, &mut found);
                }
                let WindowLayer { light, removed: gone, changed, exact, .. } =
                    &mut window.layers[y];
                for (found, gone) in found[rows.clone()].iter_mut().zip(&gone[rows.clone()]) {
                    *found |= gone;
                }
                if !keep_exact(&mut found, &light[channel as usize], level, &rows) {
                    return false;
                }
                for into in [gone, changed] {
                    add(into, &found, &rows);
                }
                exact[slot][rows.clone()].copy_from_slice(&found[rows.clone()]);
                frontier.layers[slot] |= 1 << y;
                *removed |= 1 << y;
                window.changed |= 1 << y;
                farthest = max_level - level;
                true
            };
            if falls {
                // From the highest layer down: the voxels below lose the sunlight that fell on
                // them.
                let lowest = edited.trailing_zeros();
                let highest = u128::BITS - 1 - edited.leading_zeros();
                for y in (0..=highest).rev() {
                    if !visit(self, y as usize, &mut frontier) && y < lowest {
                        break;
                    }
                }
            } else {
                for y in layers_of(layers) {
                    visit(self, y, &mut frontier);
                }
            }
        }
        for slot in 0..KEPT {
            self.clear_level(slot, &mut frontier);
        }
        for y in layers_of(*removed) {
            let WindowLayer { light, removed, .. } = &mut self.layers[y];
            for plane in &mut light[channel as usize] {
                plane.iter_mut().zip(removed.iter()).for_each(|(word, removed)| *word &= !removed);
            }
        }
        farthest
    }

    /// Finds the border: lit voxels next to voxels that lost their light. Returns its layers.
    fn find_border(
        &mut self,
        channel: Channel,
        removed: u128,
        reached: u128,
        rows: impl Fn(usize) -> Range<usize>,
        source: &mut WindowSource<'_>,
    ) -> u128 {
        let mut found = 0;
        for y in layers_of((removed | removed << 1 | removed >> 1) & reached) {
            self.load(y, channel, source);
            let mut border = [0; WIDTH];
            let rows = rows(y);
            let [below, here, above] = [y - 1, y, y + 1].map(|y| &self.layers[y].removed);
            let light = &self.layers[y].light[channel as usize];
            let mut any = 0;
            for (z, near) in rows.clone().zip(touching(below, here, above, &rows)) {
                let lit = light.iter().fold(0, |all, plane| all | plane[z]);
                border[z] = near & !here[z] & lit;
                any |= border[z];
            }
            self.layers[y].border = border;
            found |= u128::from(any != 0) << y;
        }
        found
    }

    /// Spreads the light of border voxels, and of lamps in voxels that lost their light.
    fn spread(
        &mut self,
        channel: Channel,
        reached: u128,
        removed: u128,
        border: u128,
        source: &mut WindowSource<'_>,
        rows: impl Fn(usize, usize) -> Range<usize>,
    ) {
        let mut frontier = Frontier { layers: [0; KEPT], reached };
        let lamps = self.lamps_among(channel, removed);
        for level in (1..=LEVELS).rev() {
            let slot = level % KEPT;
            self.clear_level(slot, &mut frontier);
            let lamps =
                || lamps.iter().filter(|lamp| usize::from(lamp.levels.get(channel)) == level);
            let layers =
                frontier.touched(level) | lamps().fold(0, |layers, lamp| layers | 1 << lamp.y);
            let falls = channel == Channel::Sun && level == LEVELS;
            // The sun falls, so its full level is spread from the highest layer down.
            let mut left = layers | border;
            let mut fallen = 0;
            while left | fallen != 0 {
                let y = if falls {
                    (u128::BITS - 1 - (left | fallen).leading_zeros()) as usize
                } else {
                    left.trailing_zeros() as usize
                };
                let is_spread = (layers | fallen) >> y & 1 == 1;
                left &= !(1 << y);
                fallen = 0;
                let rows = rows(level, y);
                if rows.is_empty() {
                    continue;
                }
                self.load(y, channel, source);
                let mut found = [0; WIDTH];
                if is_spread {
                    if falls {
                        let above = if y + 1 < HEIGHT {
                            self.layers[y + 1].exact[slot]
                        } else {
                            [0; WIDTH]
                        };
                        for z in rows.clone() {
                            found[z] = above[z] & self.layers[y].open[Dimming::Clear as usize][z];
                        }
                    } else {
                        self.add_touching(y, level, &frontier, &rows, &mut found);
                    }
                    for lamp in lamps().filter(|lamp| lamp.y == y) {
                        found[lamp.z] |= lamp.bits;
                    }
                    if self.set_level(channel, level, y, &rows, &mut found) {
                        frontier.layers[slot] |= 1 << y;
                    }
                }
                if border >> y & 1 == 1 {
                    let layer = &self.layers[y];
                    let mut kept = layer.border;
                    if keep_exact(&mut kept, &layer.light[channel as usize], level, &rows) {
                        add(&mut found, &kept, &rows);
                        frontier.layers[slot] |= 1 << y;
                    }
                }
                if frontier.layers[slot] >> y & 1 == 1 {
                    self.layers[y].exact[slot][rows.clone()].copy_from_slice(&found[rows.clone()]);
                    if falls && y > 0 {
                        fallen = 1 << (y - 1) & reached;
                    }
                }
            }
        }
        for slot in 0..KEPT {
            self.clear_level(slot, &mut frontier);
        }
    }

    /// The lamps of a channel in voxels that lost their light.
    fn lamps_among(&self, channel: Channel, removed: u128) -> Vec<WindowLamp> {
        let lamps = self
            .lamps
            .iter()
            .filter(|lamp| removed >> lamp.y & 1 == 1 && lamp.levels.get(channel) > 0);
        lamps
            .map(|lamp| WindowLamp {
                bits: lamp.bits & self.layers[lamp.y].removed[lamp.z],
                ..*lamp
            })
            .filter(|lamp| lamp.bits != 0)
            .collect()
    }

    /// Raises the voxels `found` of a layer to a level. Removes voxels from `found` that already
    /// have this level or a higher one. Returns true if any is left.
    fn set_level(
        &mut self,
        channel: Channel,
        level: usize,
        y: usize,
        rows: &Range<usize>,
        found: &mut Rows,
    ) -> bool {
        let WindowLayer { light, changed, .. } = &mut self.layers[y];
        let light = &mut light[channel as usize];
        // Voxels that have the level or a higher one, compared bit by bit from the lowest.
        let mut lit = [u64::MAX; WIDTH];
        for (bit, plane) in light.iter().enumerate() {
            let words = lit[rows.clone()].iter_mut().zip(&plane[rows.clone()]);
            match level >> bit & 1 {
                1 => words.for_each(|(lit, word)| *lit &= word),
                _ => words.for_each(|(lit, word)| *lit |= word),
            }
        }
        let mut any = 0;
        for (found, lit) in found[rows.clone()].iter_mut().zip(&lit[rows.clone()]) {
            *found &= !lit;
            any |= *found;
        }
        if any == 0 {
            return false;
        }
        for (bit, plane) in light.iter_mut().enumerate() {
            let words = plane[rows.clone()].iter_mut().zip(&found[rows.clone()]);
            match level >> bit & 1 {
                1 => words.for_each(|(word, found)| *word |= found),
                _ => words.for_each(|(word, found)| *word &= !found),
            }
        }
        add(changed, found, rows);
        self.changed |= 1 << y;
        true
    }

    /// Adds the voxels of a layer that receive `level` from a neighbour of a higher level.
    fn add_touching(
        &self,
        y: usize,
        level: usize,
        frontier: &Frontier,
        rows: &Range<usize>,
        found: &mut Rows,
    ) {
        let [below, here, above] = [y - 1, y, y + 1].map(|y| &self.layers[y]);
        for (kind, open) in Dimming::ALL.into_iter().zip(&here.open) {
            let slot = (level + usize::from(kind.loss())) % KEPT;
            if frontier.layers[slot] & 7 << (y - 1) == 0 {
                continue;
            }
            let [below, here, above] = [below, here, above].map(|layer| &layer.exact[slot]);
            let near = touching(below, here, above, rows);
            for ((found, near), open) in
                found[rows.clone()].iter_mut().zip(near).zip(&open[rows.clone()])
            {
                *found |= near & open;
            }
        }
    }

    /// Clears the voxels of the level kept in a slot.
    fn clear_level(&mut self, slot: usize, frontier: &mut Frontier) {
        for y in layers_of(std::mem::take(&mut frontier.layers[slot])) {
            self.layers[y].exact[slot] = [0; WIDTH];
        }
    }
}

/// The voxels that touch voxels of the layer or of the layers below and above, row by row.
#[inline]
fn touching<'a>(
    below: &'a Rows,
    here: &'a Rows,
    above: &'a Rows,
    rows: &Range<usize>,
) -> impl Iterator<Item = u64> + use<'a> {
    let [below, above] = [below, above].map(|layer| layer[rows.clone()].iter());
    let here = here[rows.start - 1..rows.end + 1].array_windows();
    here.zip(below).zip(above).map(|((&[north, here, south], below), above)| {
        here << 1 | here >> 1 | north | south | below | above
    })
}

/// Adds the voxels `found` to `into` in a range of rows.
#[inline]
fn add(into: &mut Rows, found: &Rows, rows: &Range<usize>) {
    into[rows.clone()]
        .iter_mut()
        .zip(&found[rows.clone()])
        .for_each(|(into, found)| *into |= found);
}

/// Keeps only the voxels with exactly this level. Returns true if any is left.
#[inline]
fn keep_exact(found: &mut Rows, light: &[Rows; 4], level: usize, rows: &Range<usize>) -> bool {
    let [a, b, c, d] = light.each_ref().map(|plane| plane[rows.clone()].iter());
    // Flips the planes of bits that are 0 in the level.
    let flip: [u64; 4] =
        std::array::from_fn(|bit| if level >> bit & 1 == 1 { 0 } else { u64::MAX });
    let mut any = 0;
    for ((((found, a), b), c), d) in found[rows.clone()].iter_mut().zip(a).zip(b).zip(c).zip(d) {
        *found &= (a ^ flip[0]) & (b ^ flip[1]) & (c ^ flip[2]) & (d ^ flip[3]);
        any |= *found;
    }
    any != 0
}
