//! Counters of voxel operations of the game's tasks.

use crate::metrics::WorkByTask;
use bevy::prelude::*;

/// Voxel operations since the map was opened, by task.
#[derive(Resource, Default, Deref, DerefMut)]
pub struct WorkCounters(pub WorkByTask);
