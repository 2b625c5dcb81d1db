//! The console of builders: commands under the names that WorldEdit gives them.
//!
//! - `words`: patterns, masks and coordinates in commands; `error`: what can be wrong with them.
//! - [`ConsoleCommand::parse`] reads a command, [`Console::task`] finds out what it does with the
//!   current selection. A [`ConsoleJob`] runs on a snapshot of the map; the caller commits its edit.

mod command;
mod error;
mod job;
mod words;

pub use command::ConsoleCommand;
pub use error::CommandError;
pub use job::{ConsoleJob, JobOutcome};

use super::region::{Cylinder, Ellipsoid, Region, Shape};
use super::{Fill, Mask};
use crate::voxel::Box3;
use glam::IVec3;
use job::JobWork;
use std::sync::Arc;

/// Most chunks of the box around a region: all of them are in memory at once.
const MAX_CHUNKS: u64 = 1 << 18;

/// What commands refer to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Console {
    /// Two opposite corners of the selected box.
    corners: [Option<IVec3>; 2],
    /// Where balls and cylinders are made: the voxel of the player's feet.
    pub placement: IVec3,
}

/// What a command does.
pub enum ConsoleTask {
    /// Reads the world, and may change it.
    Job(ConsoleJob),
    /// Undoes this many steps.
    Undo(u32),
    /// Redoes this many steps.
    Redo(u32),
    /// Nothing but this answer.
    Answer(String),
}

impl Console {
    /// A console without a selection.
    #[must_use]
    pub fn new(placement: IVec3) -> Console {
        Console { corners: [None; 2], placement }
    }

    /// The selected box.
    ///
    /// # Errors
    /// A corner is missing.
    pub fn selection(&self) -> Result<Box3, CommandError> {
        match self.corners {
            [Some(a), Some(b)] => Ok(Box3::spanning(a, b)),
            [None, _] => Err(CommandError::NoCorner("//pos1")),
            [_, None] => Err(CommandError::NoCorner("//pos2")),
        }
    }

    /// What a command does. Selects corners. `name` is the command as it was typed.
    ///
    /// # Errors
    /// The command needs a selection, or its region is too large.
    pub fn task(&mut self, name: &str, command: ConsoleCommand) -> Result<ConsoleTask, CommandError> {
        let job = |work| ConsoleTask::Job(ConsoleJob { name: name.trim().to_owned(), work });
        let fill = |region, mask, pattern| job(JobWork::Apply(Arc::new(Fill { region, mask, pattern })));
        Ok(match command {
            ConsoleCommand::Corner(number, at) => {
                let at = at.unwrap_or(self.placement);
                self.corners[number] = Some(at);
                let size = self.selection().map(|selected| format!(": {}", size_text(selected))).unwrap_or_default();
                let IVec3 { x, y, z } = at;
                ConsoleTask::Answer(format!("corner {} is {x}, {y}, {z}{size}", number + 1))
            }
            ConsoleCommand::Size => ConsoleTask::Answer(size_text(self.selection()?)),
            ConsoleCommand::Set(pattern) => fill(region(&self.selection()?)?, Mask::Any, pattern),
            ConsoleCommand::Replace(mask, pattern) => fill(region(&self.selection()?)?, mask, pattern),
            ConsoleCommand::Walls(pattern) => fill(shell(self.selection()?, IVec3::new(1, 0, 1))?, Mask::Any, pattern),
            ConsoleCommand::Faces(pattern) => fill(shell(self.selection()?, IVec3::ONE)?, Mask::Any, pattern),
            ConsoleCommand::Ball { pattern, radii, is_hollow } => {
                let ball = |radii| region(&Ellipsoid { centre: self.placement, radii });
                let inner = radii - 1.0;
                let has_inner = is_hollow && inner.min_element() >= 0.0;
                let whole = ball(radii)?;
                fill(if has_inner { whole.difference(&ball(inner)?) } else { whole }, Mask::Any, pattern)
            }
            ConsoleCommand::Cylinder { pattern, radii, height, is_hollow } => {
                let cylinder = |by: f64| Cylinder { base: self.placement, radii: radii.map(|r| r - by), height };
                let whole = region(&cylinder(0.0))?;
                let has_inner = is_hollow && radii[0].min(radii[1]) >= 1.0;
                let inner = if has_inner { region(&cylinder(1.0))? } else { Region::default() };
                fill(whole.difference(&inner), Mask::Any, pattern)
            }
            ConsoleCommand::Count(mask) => job(JobWork::Count(region(&self.selection()?)?, mask)),
            ConsoleCommand::Undo(steps) => ConsoleTask::Undo(steps),
            ConsoleCommand::Redo(steps) => ConsoleTask::Redo(steps),
        })
    }
}

impl Console {
    /// Takes what a job found out.
    pub fn accept(&mut self, outcome: &JobOutcome) {
        let _ = outcome;
    }
}

/// The voxels of a box that its interior, smaller by `by` on both sides of each axis, has not.
fn shell(selected: Box3, by: IVec3) -> Result<Region, CommandError> {
    let (whole, inner) = (region(&selected)?, Box3 { min: selected.min + by, max: selected.max - by });
    Ok(if inner.is_empty() { whole } else { whole.difference(&Region::from_shape(&inner)) })
}

/// The region of a shape, unless it is too large.
fn region(shape: &impl Shape) -> Result<Region, CommandError> {
    // Checked before memory is taken for it.
    if shape.bounds().in_chunks().volume() > MAX_CHUNKS {
        return Err(CommandError::TooLarge);
    }
    Ok(Region::from_shape(shape))
}

fn size_text(selected: Box3) -> String {
    let size = selected.size();
    format!("{} x {} x {} voxels, {} in all", size.x, size.y, size.z, selected.volume())
}

#[cfg(test)]
mod tests;
