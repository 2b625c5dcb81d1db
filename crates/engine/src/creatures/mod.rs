//! Animals, and navigation: where bodies can go.
//!
//! - [`nav`] derives ledges and water volumes from runs, finds paths, and answers whether a place
//!   can be reached by reading one bit.
//! - [`CreatureKinds`] holds kinds, read from text (`assets/creatures.ron`).
//! - [`Creatures`] simulates creatures tick by tick: they wander, flee, hunt, fly, swim, sleep and
//!   hide from light. Hunters catch up with their prey but never hurt it.
//!
//! Creatures move from voxel to voxel. In most ticks a creature only moves on by a part of a voxel,
//! which keeps ticks cheap. It chooses the next voxel when it arrives, and a mood every few ticks.

mod body_model;
mod call;
mod creature_grid;
#[expect(clippy::module_inception, reason = "the type of this name")]
mod creatures;
mod error;
mod kind_file;
mod kinds;
mod mind;
mod motion;
pub mod nav;
mod paths;
mod populated;
mod pose;
mod record;
mod spawn;
mod steps;
mod think;
mod unknown;
mod view;

pub use body_model::{BodyPart, Swing, SwingAxis};
pub use creatures::{CreatureId, Creatures, TickCounts};
pub use error::{KindError, KindProblem};
pub use kinds::{Awake, CreatureKind, CreatureKinds, Gait, TICKS_PER_SECOND};
pub use paths::{CreaturePath, Purpose};
pub use pose::CreaturePose;
pub use record::CreatureRecordError;
pub use view::{Brightness, CreatureView};

#[cfg(test)]
mod tests;
