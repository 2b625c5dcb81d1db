//! Seeds of random patterns and masks.

use crate::random::hash;
use std::cell::Cell;

/// Part of the program that draws seeds. Commands of several parts may be waiting for the same
/// step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeedUser {
    /// The console.
    Console,
    /// Operations of the builder's panel.
    Panel,
    /// The line tool.
    Line,
    /// The brush.
    Brush,
    /// The tool that shapes the ground.
    Shape,
}

/// Source of one seed for each random pattern and mask of a command.
///
/// The seeds of a command differ. With equal seeds, a random pattern under a random mask would make
/// the same choices and set only one material.
#[derive(Clone, Debug)]
pub struct Seeds {
    command_seed: u64,
    drawn: Cell<u64>,
}

impl Seeds {
    /// Seeds that depend on `command_seed` alone, so that they can be repeated.
    #[must_use]
    pub fn new(command_seed: u64) -> Seeds {
        Seeds { command_seed, drawn: Cell::new(0) }
    }

    /// Seeds of a command by `user` that becomes step `number` of the undo history. `before` is the
    /// number of earlier commands by the same user that may become the same step.
    #[must_use]
    pub fn from_step(user: SeedUser, number: u64, before: u64) -> Seeds {
        Seeds::new(hash(hash(number).wrapping_add(user as u64)).wrapping_add(before))
    }

    /// True if a seed was drawn.
    pub(in crate::edit::console) fn are_used(&self) -> bool {
        self.drawn.get() > 0
    }

    /// Draws the next seed.
    #[must_use]
    pub fn draw(&self) -> u64 {
        let drawn = self.drawn.get() + 1;
        self.drawn.set(drawn);
        hash(hash(self.command_seed).wrapping_add(drawn))
    }
}
