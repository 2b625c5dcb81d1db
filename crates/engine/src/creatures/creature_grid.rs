//! Search for the nearest creature, in a grid of cells of 16 voxels.

use super::kinds::CreatureKindSet;
use glam::IVec3;
use rustc_hash::FxHashMap;

/// log2 of a cell's side.
const CELL_SHIFT: i32 = 4;

/// Positions of creatures by cell. Rebuilt every few ticks instead of after each step of a
/// creature, so positions are a few ticks old.
#[derive(Default)]
pub(super) struct CreatureGrid {
    /// Index of the first entry, and number of entries, of each cell.
    cells: FxHashMap<IVec3, (u32, u32)>,
    entries: Vec<GridCreature>,
    keys: Vec<(IVec3, GridCreature)>,
}

/// A creature in the grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridCreature {
    pub at: IVec3,
    /// Index of the creature in the list of creatures.
    pub creature: u32,
    pub kind: u8,
}

fn cell(at: IVec3) -> IVec3 {
    at >> CELL_SHIFT
}

impl CreatureGrid {
    /// Replaces the contents of the grid.
    pub fn set(&mut self, creatures: impl Iterator<Item = GridCreature>) {
        self.keys.clear();
        self.keys.extend(creatures.map(|creature| (cell(creature.at), creature)));
        self.keys
            .sort_unstable_by_key(|(cell, creature)| (cell.y, cell.z, cell.x, creature.creature));
        self.entries.clear();
        self.cells.clear();
        for group in self.keys.chunk_by(|a, b| a.0 == b.0) {
            self.cells.insert(group[0].0, (self.entries.len() as u32, group.len() as u32));
            self.entries.extend(group.iter().map(|(_, creature)| *creature));
        }
    }

    /// Nearest creature of the given kinds at most `within` voxels away, apart from `except`. Among
    /// equally near creatures the lowest index wins, so that runs can be repeated. The search
    /// visits every cell in range, so `within` should be small; kinds use at most 32 voxels.
    pub fn nearest(
        &self,
        at: IVec3,
        within: i32,
        kinds: CreatureKindSet,
        except: u32,
    ) -> Option<GridCreature> {
        let low = cell(at - within);
        let high = cell(at + within);
        let mut best = None;
        for y in low.y..=high.y {
            for z in low.z..=high.z {
                for x in low.x..=high.x {
                    let Some(&(first, count)) = self.cells.get(&IVec3::new(x, y, z)) else {
                        continue;
                    };
                    for other in &self.entries[first as usize..][..count as usize] {
                        if kinds >> other.kind & 1 == 0 || other.creature == except {
                            continue;
                        }
                        let key = (other.at.distance_squared(at), other.creature);
                        if key.0 <= within * within && best.is_none_or(|(known, _)| key < known) {
                            best = Some((key, *other));
                        }
                    }
                }
            }
        }
        best.map(|(_, other)| other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn nearest_equals_scan() {
        let mut random = Random::with_parts(1, [0; 2]);
        let mut any =
            |limit| IVec3::new(random.around(limit), random.around(limit), random.around(limit));
        let all: Vec<GridCreature> = (0..300)
            .map(|creature| GridCreature { at: any(40), creature, kind: (creature % 3) as u8 })
            .collect();
        let mut grid = CreatureGrid::default();
        grid.set(all.iter().copied());
        for number in 0..300 {
            let at = any(50);
            let within = number as i32 % 33;
            let kinds = 1 << (number % 3) | 1;
            let near = |other: &&GridCreature| {
                kinds >> other.kind & 1 == 1
                    && other.creature != number
                    && other.at.distance_squared(at) <= within * within
            };
            let key = |other: &&GridCreature| (other.at.distance_squared(at), other.creature);
            let expected = all.iter().filter(near).min_by_key(key).map(|other| other.creature);
            assert_eq!(
                grid.nearest(at, within, kinds, number).map(|other| other.creature),
                expected
            );
        }
    }
}
