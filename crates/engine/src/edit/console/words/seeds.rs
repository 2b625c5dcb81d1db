//! Seeds of random patterns and masks.

use crate::random::hash;
use std::cell::Cell;

/// Source of commands that draw seeds. Commands of several sources may wait for the same step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeedUser {
    /// The console.
    Console,
    /// Operations of the builder's panel.
    Panel,
    /// The tool for lines.
    Line,
    /// The brush.
    Brush,
}

/// Source of a seed for each random pattern and mask of a command.
///
/// Equal seeds would repeat each other's choices: a random pattern under a random mask would put
/// one material alone.
#[derive(Clone, Debug)]
pub struct Seeds {
    command_seed: u64,
    drawn: Cell<u64>,
}

impl Seeds {
    /// Seeds that depend on `command_seed` alone.
    #[must_use]
    pub fn new(command_seed: u64) -> Seeds {
        Seeds { command_seed, drawn: Cell::new(0) }
    }

    /// Seeds of a command of `user` that becomes step `number` of the undo history. `before` counts
    /// earlier commands of that user that may get the same number.
    #[must_use]
    pub fn from_step(user: SeedUser, number: u64, before: u64) -> Seeds {
        Seeds::new(hash(hash(number).wrapping_add(user as u64)).wrapping_add(before))
    }

    /// True if a seed was drawn.
    pub(in crate::edit::console) fn are_used(&self) -> bool {
        self.drawn.get() > 0
    }

    /// The next seed.
    #[must_use]
    pub fn draw(&self) -> u64 {
        let drawn = self.drawn.get() + 1;
        self.drawn.set(drawn);
        hash(hash(self.command_seed).wrapping_add(drawn))
    }
}
