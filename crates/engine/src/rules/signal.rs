//! Signals: wires, sources, inverters and switches.
//!
//! The amount of a wire is its level. In each step every wire takes the full level if it is fed, or
//! else the highest level of the wires that share a face with it, minus one. So a level falls by
//! one per voxel. When the source goes, it falls by one per step until it is 0, also in a loop of
//! wires. Every voxel reads the state before the step, so results do not depend on the order.
//!
//! A tall switch consists of two halves, one above the other. A signal next to either half switches
//! both.

use super::amounts::DEFICIT_BITS;
use super::block_set::{BlockSet, Span, blocks};
use super::kinds::Test;
use super::patch::PhasePatch;
use super::product;
use super::rows::Rows;
use super::view::{BlockPos, PlaneView, plane_of};
use crate::voxel::{Face, MAX_PAIRED_VOXELS, other_half_offset};

/// Role of a kind in circuits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Part {
    /// Kind outside circuits.
    #[default]
    Nothing,
    /// Wire that carries a level.
    Wire,
    /// Source that feeds all six neighbours while it is on.
    Source(bool),
    /// Inverter that feeds the neighbours to its sides and above while the wire below it has no
    /// level.
    Inverter {
        /// True while the inverter feeds.
        is_on: bool,
        /// Code of the other state.
        other: u8,
    },
    /// Switch that its six neighbours turn on and off. Without a part of a circuit next to it, it
    /// keeps its state, so that players can set it by hand.
    Switch {
        /// True while the switch is on.
        is_on: bool,
        /// Code of the other state.
        other: u8,
        /// True if the switch consists of two voxels, one above the other.
        is_tall: bool,
    },
}

/// Distance that a half of a tall switch sees: down to the lowest half of its stack, and up to the
/// neighbours of the other half.
pub(super) const TALL_SPAN: Span = Span { down: MAX_PAIRED_VOXELS, up: 2, sideways: false };

/// The other half of a tall switch.
#[derive(Clone, Copy)]
enum OtherHalf {
    /// The half is single.
    Missing,
    /// Offset of the other half along y: 1 or -1.
    At(i32),
    /// A chunk that decides which halves belong together is not loaded: both keep their state.
    NotLoaded,
}

/// A rule of signals.
#[derive(Clone, Debug)]
pub(super) struct Signal {
    /// Number of the rule.
    pub rule: usize,
    /// Test for wires, inverters and switches.
    pub changing: Test,
    /// Role of each code.
    pub parts: Vec<Part>,
    /// Amount of a wire at level 0, in 256ths of a voxel.
    pub off: u32,
    /// Amount that each level adds.
    pub step: u32,
    /// Level of a wire that is fed.
    pub reach: u32,
}

/// A voxel as a part of a circuit.
#[derive(Clone, Copy)]
struct CircuitVoxel {
    code: u8,
    part: Part,
    /// Level of a wire; 0 for other parts.
    level: u32,
    amount: u32,
}

/// Signals that reach a voxel from its neighbours.
#[derive(Clone, Copy, Default)]
struct Input {
    /// True if a source or an inverter feeds the voxel.
    is_fed: bool,
    /// Highest level of the wires.
    level: u32,
    /// True if a part of a circuit that can switch the voxel is next to it.
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
    /// Computes a step in some blocks of a chunk.
    pub fn apply(&self, view: &PlaneView<'_>, set: BlockSet, patch: &mut PhasePatch) {
        for number in blocks(set) {
            let at = BlockPos::new(number);
            let block = view.block(0, at);
            let found = self.changing.find(block) & view.neighbourhood_loaded(at);
            let wet = product::wet(view.code_bits, block);
            let mut after: Option<Vec<Rows>> = None;
            let changed = found.filter(|row, x| {
                let Some((code, amount)) = self.next(view, at, row as i32, x as i32) else {
                    return false;
                };
                // A level that rises would push the water out of a wet wire.
                if wet.contains(row, x) && self.parts[usize::from(code)] == Part::Wire {
                    return false;
                }
                let planes = after.get_or_insert_with(|| {
                    let count = block.len().max(view.code_bits + DEFICIT_BITS);
                    (0..count).map(|plane| plane_of(block, plane)).collect()
                });
                let deficit = (256 - amount) as usize;
                let bits = code as usize | deficit << view.code_bits;
                // The planes after the deficit stay.
                let changed = planes.iter_mut().take(view.code_bits + DEFICIT_BITS);
                for (plane, rows) in changed.enumerate() {
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

    /// Code and amount of a voxel after the step; `None` if nothing changes.
    fn next(&self, view: &PlaneView<'_>, at: BlockPos, row: i32, x: i32) -> Option<(u8, u32)> {
        let voxel = self.voxel(view, at, row, x);
        match voxel.part {
            Part::Nothing | Part::Source(_) => None,
            Part::Wire => {
                let input = self.input(view, at, row, x);
                let level = if input.is_fed { self.reach } else { input.level.saturating_sub(1) };
                let amount = self.off + self.step * level;
                (amount != voxel.amount).then_some((voxel.code, amount))
            }
            Part::Inverter { is_on, other } => {
                let below = self.voxel(view, at.above(-1), row, x);
                let is_fed = below.level > 0 || below.part == Part::Source(true);
                (is_on == is_fed).then_some((other, voxel.amount))
            }
            Part::Switch { is_on, other, is_tall } => {
                let mut input = self.input(view, at, row, x);
                if is_tall {
                    match other_half(view, at, row, x, [voxel.code, other]) {
                        OtherHalf::Missing => {}
                        OtherHalf::At(dy) => {
                            input = input.union(self.input(view, at.above(dy), row, x))
                        }
                        OtherHalf::NotLoaded => return None,
                    }
                }
                let is_powered = input.is_fed || input.level > 0;
                (input.is_connected && is_powered != is_on).then_some((other, voxel.amount))
            }
        }
    }

    /// Combined signals of the six neighbours of a voxel.
    fn input(&self, view: &PlaneView<'_>, at: BlockPos, row: i32, x: i32) -> Input {
        let mut input = Input::default();
        for by in Face::ALL.map(Face::normal) {
            let neighbour = self.voxel(view, at.above(by.y), row + by.z, x + by.x);
            input.is_fed |= match neighbour.part {
                Part::Source(is_on) => is_on,
                // Inverters feed to their sides and upwards, not downwards.
                Part::Inverter { is_on, .. } => is_on && by.y <= 0,
                _ => false,
            };
            input.is_connected |= !matches!(neighbour.part, Part::Nothing | Part::Switch { .. });
            input.level = input.level.max(neighbour.level);
        }
        input
    }

    /// A voxel as a part of a circuit.
    fn voxel(&self, view: &PlaneView<'_>, at: BlockPos, row: i32, x: i32) -> CircuitVoxel {
        let (code, deficit) = view.voxel(at, row, x);
        let part = self.parts[usize::from(code)];
        let amount = 256 - u32::from(deficit);
        let level =
            if part == Part::Wire { amount.saturating_sub(self.off) / self.step } else { 0 };
        CircuitVoxel { code, part, level: level.min(self.reach), amount }
    }
}

/// The other half of the tall switch at a voxel. `codes` are the codes of the two states, in any
/// order.
fn other_half(view: &PlaneView<'_>, at: BlockPos, row: i32, x: i32, codes: [u8; 2]) -> OtherHalf {
    let is_half = |dy: i32| codes.contains(&view.voxel(at.above(dy), row, x).0);
    let below = (1..=MAX_PAIRED_VOXELS).take_while(|&down| is_half(-down)).count() as i32;
    let Some(dy) = other_half_offset(below) else { return OtherHalf::Missing };
    // The voxel under the stack might be a half if its chunk is not loaded.
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
