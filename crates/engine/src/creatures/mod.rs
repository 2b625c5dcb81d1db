//! Creatures: where bodies can go, and the animals that go there.
//!
//! - [`nav`] derives ledges and water volumes from runs, answers "can it get there" with one bit,
//!   and finds paths.
//! - [`CreatureKinds`] holds kinds, read from text (`assets/creatures.ron`).
//! - [`Creatures`] lets creatures live, tick by tick: they wander, flee, hunt, fly, swim, sleep and
//!   hide from light. Nobody is hurt.
//!
//! Creatures move from voxel to voxel. Most ticks of a creature move it on by a part of a voxel; it
//! chooses the next voxel when it arrives, and thinks every few ticks.

mod body_model;
mod call;
#[expect(clippy::module_inception, reason = "the type of this name")]
mod creatures;
mod error;
mod kind_file;
mod kinds;
mod mind;
mod motion;
pub mod nav;
mod neighbours;
mod populated;
mod pose;
mod record;
mod spawn;
mod steps;
mod think;
mod unknown;
mod view;
mod ways;

pub use body_model::{BodyPart, Swing, SwingAxis};
pub use creatures::{CreatureId, Creatures, MOST_CREATURES, TickCounts};
pub use error::{KindError, KindProblem};
pub use kinds::{Awake, CreatureKind, CreatureKinds, Gait, TICKS_PER_SECOND};
pub use pose::CreaturePose;
pub use record::CreatureRecordError;
pub use view::{Brightness, CreatureView};
pub use ways::{CreatureWay, Purpose};

#[cfg(test)]
mod tests;
