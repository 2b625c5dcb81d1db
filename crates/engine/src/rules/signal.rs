//! Signals: wires, what feeds them, inverters, and what they switch.
//!
//! The amount of a wire is its level. In each step every wire takes the largest of: the full level,
//! if something feeds it, and one less than each wire that shares a face with it. So a level falls
//! by one per voxel, and goes within as many steps when its source goes, also in a loop. Every
//! voxel reads the state before the step: results depend on no order.
//!
//! A tall switch consists of two halves above each other: the neighbours of either switch both.

use super::block_set::{BlockSet, Span, blocks};
use super::kinds::Test;
use super::patch::Patch;
use super::planes::DEFICIT_BITS;
use super::rows::Rows;
use super::view::{BlockPos, PlaneView, plane_of};
use crate::voxel::{Face, MAX_PAIRED_VOXELS, other_half_offset};

/// What a kind is in circuits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Part {
    /// No part of a circuit.
    #[default]
    Nothing,
    /// Carries a level.
    Wire,
    /// Feeds all six neighbours, or does not.
    Source(bool),
    /// Feeds the neighbours to its sides and above while the wire below it has no level.
    Inverter {
        /// Whether it feeds.
        is_on: bool,
        /// Code of the other state.
        other: u8,
    },
    /// Is switched by its six neighbours. Without a part of a circuit next to it, it stays.
    Switch {
        /// Its state.
        is_on: bool,
        /// Code of the other state.
        other: u8,
        /// True if it consists of two voxels, one above the other.
        is_tall: bool,
    },
}

/// Reach of a half of a tall switch: down to the lowest half of its stack, and to the neighbours
/// of the other half.
pub(super) const TALL_SPAN: Span = Span { down: MAX_PAIRED_VOXELS, up: 2, sideways: false };

/// The other half of a tall switch.
#[derive(Clone, Copy)]
enum OtherHalf {
    /// There is none.
    Missing,
    /// This many voxels above the half: 1 or -1.
    At(i32),
    /// A chunk is not loaded that decides about the halves: both stay.
    NotLoaded,
}

/// A rule of signals.
#[derive(Clone, Debug)]
pub(super) struct Signal {
    /// Number of the rule.
    pub rule: usize,
    /// Wires, inverters and switches.
    pub changing: Test,
    /// Part of each code.
    pub parts: Vec<Part>,
    /// Amount of a wire at level 0, in 256ths of a voxel.
    pub off: u32,
    /// Amount that each level adds.
    pub step: u32,
    /// The full level.
    pub reach: u32,
}

/// A voxel as a signal sees it: part, level if it is a wire, and amount.
#[derive(Clone, Copy)]
struct Seen {
    part: Part,
    level: u32,
    amount: u32,
}

/// Signals that reach a voxel from its neighbours.
#[derive(Clone, Copy, Default)]
struct Input {
    /// Whether a source or an inverter feeds it.
    is_fed: bool,
    /// Highest level of the wires.
    level: u32,
    /// Whether there is a part of a circuit that can switch it.
    is_connected: bool,
}

impl Input {
    /// Combined input of two voxels.
    fn union(self, other: Input) -> Input {
        Input {
            is_fed: self.is_fed || other.is_fed,
            level: self.level.max(other.level),
            is_connected: self.is_connected || other.is_connected,
        }
    }
}

impl Signal {
    /// Carries out a step in some blocks of a chunk.
    pub fn apply(&self, view: &PlaneView<'_>, set: BlockSet, patch: &mut Patch) {
        for number in blocks(set) {
            let at = BlockPos::new(number);
            let block = view.block(0, at);
            let found = self.changing.find(block) & view.neighbourhood_loaded(at);
            let mut after: Option<Vec<Rows>> = None;
            let changed = found.filter(|row, x| {
                let Some((code, amount)) = self.next(view, at, row as i32, x as i32) else { return false };
                let planes = after.get_or_insert_with(|| {
                    (0..view.code_bits + DEFICIT_BITS).map(|plane| plane_of(block, plane)).collect()
                });
                let deficit = (256 - amount) as usize;
                let bits = code as usize | deficit << view.code_bits;
                for (plane, rows) in planes.iter_mut().enumerate() {
                    rows.0[row] = rows.0[row] & !(1 << x) | ((bits >> plane & 1) as u32) << x;
                }
                true
            });
            patch.count(self.rule, changed.count(), 0);
            if let Some(after) = after {
                patch.push(number, block, after.len(), |plane| after[plane]);
            }
        }
    }

    /// Code and amount of a voxel after the step; `None` if it stays.
    fn next(&self, view: &PlaneView<'_>, at: BlockPos, row: i32, x: i32) -> Option<(u8, u32)> {
        let (code, seen) = self.see(view, at, row, x);
        match seen.part {
            Part::Nothing | Part::Source(_) => None,
            Part::Wire => {
                let input = self.input(view, at, row, x);
                let level = if input.is_fed { self.reach } else { input.level.saturating_sub(1) };
                let amount = self.off + self.step * level;
                (amount != seen.amount).then_some((code, amount))
            }
            Part::Inverter { is_on, other } => {
                let (_, below) = self.see(view, at.above(-1), row, x);
                let is_fed = below.level > 0 || below.part == Part::Source(true);
                (is_on == is_fed).then_some((other, seen.amount))
            }
            Part::Switch { is_on, other, is_tall } => {
                let mut input = self.input(view, at, row, x);
                if is_tall {
                    match other_half(view, at, row, x, [code, other]) {
                        OtherHalf::Missing => {}
                        OtherHalf::At(dy) => input = input.union(self.input(view, at.above(dy), row, x)),
                        OtherHalf::NotLoaded => return None,
                    }
                }
                let is_powered = input.is_fed || input.level > 0;
                (input.is_connected && is_powered != is_on).then_some((other, seen.amount))
            }
        }
    }

    /// What the six neighbours of a voxel do to it.
    fn input(&self, view: &PlaneView<'_>, at: BlockPos, row: i32, x: i32) -> Input {
        let mut input = Input::default();
        for by in Face::ALL.map(Face::normal) {
            let (_, seen) = self.see(view, at.above(by.y), row + by.z, x + by.x);
            input.is_fed |= match seen.part {
                Part::Source(is_on) => is_on,
                // It feeds to its sides and up: not what is below it.
                Part::Inverter { is_on, .. } => is_on && by.y <= 0,
                _ => false,
            };
            input.is_connected |= !matches!(seen.part, Part::Nothing | Part::Switch { .. });
            input.level = input.level.max(seen.level);
        }
        input
    }

    /// Code of a voxel, and what it is in a circuit.
    fn see(&self, view: &PlaneView<'_>, at: BlockPos, row: i32, x: i32) -> (u8, Seen) {
        let (code, deficit) = view.voxel(at, row, x);
        let part = self.parts[usize::from(code)];
        let amount = 256 - u32::from(deficit);
        let level = if part == Part::Wire { amount.saturating_sub(self.off) / self.step } else { 0 };
        (code, Seen { part, level: level.min(self.reach), amount })
    }
}

/// The other half of the tall switch at a voxel, which has these codes, off and on in any order.
fn other_half(view: &PlaneView<'_>, at: BlockPos, row: i32, x: i32, codes: [u8; 2]) -> OtherHalf {
    let is_half = |dy: i32| codes.contains(&view.voxel(at.above(dy), row, x).0);
    let below = (1..=MAX_PAIRED_VOXELS).take_while(|&down| is_half(-down)).count() as i32;
    let Some(dy) = other_half_offset(below) else { return OtherHalf::Missing };
    // The voxel under the stack. One that is not loaded may be a half.
    if !view.block_if_loaded(0, at.above(-below - 1)).1 {
        OtherHalf::NotLoaded
    } else if !is_half(dy) {
        OtherHalf::Missing
    } else if view.neighbourhood_loaded(at.above(dy)).contains(row as usize, x as u32) {
        OtherHalf::At(dy)
    } else {
        OtherHalf::NotLoaded
    }
}
