//! Counters of what the game's tasks do with voxels.

use crate::metrics::WorkByTask;
use bevy::prelude::*;

/// What was done with voxels since the map was opened, task by task.
#[derive(Resource, Default, Deref, DerefMut)]
pub struct WorkCounters(pub WorkByTask);
