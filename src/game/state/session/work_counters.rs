//! Counters of voxel operations of the game's tasks.

use bevy::prelude::*;
use stonerun_engine::metrics::WorkByTask;

/// Voxel operations since the map was opened, by task.
#[derive(Resource, Default, Deref, DerefMut)]
pub struct WorkCounters(pub WorkByTask);
