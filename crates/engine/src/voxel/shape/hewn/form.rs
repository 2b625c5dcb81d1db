//! The forms of hewn blocks that have names.

use super::eighths::{HewnEighths, half};
use super::stairs::{StairCorner, Stairs};
use crate::voxel::Face;

/// A form of a hewn block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HewnForm {
    /// The half of a block on one side.
    Slab(Face),
    /// Stairs.
    Stairs(Stairs),
    /// A beam of a quarter of a block along one of its four sides.
    Step {
        /// The side.
        side: Face,
        /// True in the upper half.
        is_top: bool,
    },
    /// A post of a quarter of a block in a corner.
    Post {
        /// North or south.
        z: Face,
        /// East or west.
        x: Face,
    },
    /// One eighth in a corner.
    Eighth {
        /// North or south.
        z: Face,
        /// East or west.
        x: Face,
        /// True in the upper half.
        is_top: bool,
    },
    /// Any other set of eighths.
    Other(HewnEighths),
}

impl HewnForm {
    /// The form of these eighths. A corner of stairs has two descriptions, of which the first one
    /// from north to east is taken.
    #[must_use]
    pub fn of(eighths: HewnEighths) -> HewnForm {
        HewnForm::named().find(|form| form.eighths() == eighths).unwrap_or(HewnForm::Other(eighths))
    }

    /// The eighths of the form.
    #[must_use]
    pub fn eighths(self) -> HewnEighths {
        let level = |is_top| half(if is_top { Face::Up } else { Face::Down });
        let bits = match self {
            HewnForm::Slab(side) => half(side),
            HewnForm::Stairs(stairs) => return stairs.eighths(),
            HewnForm::Step { side, is_top } => half(side) & level(is_top),
            HewnForm::Post { z, x } => half(z) & half(x),
            HewnForm::Eighth { z, x, is_top } => half(z) & half(x) & level(is_top),
            HewnForm::Other(eighths) => return eighths,
        };
        // Halves of different axes have one to four eighths in common, unless a caller names two
        // sides of one axis; nothing is left then, and the half takes its place.
        HewnEighths::new(bits).unwrap_or(HewnEighths::slab(Face::Down))
    }

    /// All forms with a name.
    fn named() -> impl Iterator<Item = HewnForm> {
        let levels = [false, true];
        let slabs = [Face::Down, Face::Up].into_iter().chain(Face::SIDES).map(HewnForm::Slab);
        let stairs = StairCorner::ALL.into_iter().flat_map(move |corner| {
            levels.into_iter().flat_map(move |is_hanging| {
                Face::SIDES
                    .map(|rises_to| HewnForm::Stairs(Stairs { rises_to, is_hanging, corner }))
            })
        });
        let steps = levels
            .into_iter()
            .flat_map(|is_top| Face::SIDES.map(|side| HewnForm::Step { side, is_top }));
        let corners = || {
            [Face::North, Face::South]
                .into_iter()
                .flat_map(|z| [Face::East, Face::West].map(|x| (z, x)))
        };
        let posts = corners().map(|(z, x)| HewnForm::Post { z, x });
        let eighths = levels
            .into_iter()
            .flat_map(move |is_top| corners().map(move |(z, x)| HewnForm::Eighth { z, x, is_top }));
        slabs.chain(stairs).chain(steps).chain(posts).chain(eighths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn named_forms_are_different_but_for_corners_of_stairs() {
        let all: Vec<HewnForm> = HewnForm::named().collect();
        let different: BTreeSet<u8> = all.iter().map(|form| form.eighths().bits()).collect();
        // Each inner and outer corner is the left one of one side and the right one of the next.
        assert_eq!((all.len(), different.len()), (6 + 40 + 8 + 4 + 8, 6 + 24 + 8 + 4 + 8));
        for form in all {
            let found = HewnForm::of(form.eighths());
            assert_eq!(found.eighths(), form.eighths(), "{form:?} {found:?}");
            assert!(found == form || matches!(form, HewnForm::Stairs(_)), "{form:?} {found:?}");
        }
        let other = HewnEighths::new(0b1001_0110).unwrap();
        assert_eq!(HewnForm::of(other), HewnForm::Other(other));
        let post = HewnForm::Post { z: Face::South, x: Face::West }.eighths();
        assert_eq!(post.bits(), 0b0101_0000);
    }
}
