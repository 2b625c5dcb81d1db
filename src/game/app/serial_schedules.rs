//! Runs the systems of a frame one after another.
//!
//! Bevy's default executor hands each system to a pool of threads. Most systems here take
//! microseconds, less than the hand-over, and threads that wake for them compete with those that
//! load and mesh chunks. In order, a frame takes about half as long (docs/measurements.md,
//! *Frames*). Long work runs in background tasks anyway, and the render world on a thread of its
//! own.

use bevy::ecs::schedule::{Schedules, SingleThreadedExecutor};
use bevy::prelude::*;
use bevy::render::RenderApp;

/// Lets every schedule run its systems in order. The plugin must be added last.
pub struct SerialSchedulesPlugin;

impl Plugin for SerialSchedulesPlugin {
    fn build(&self, _: &mut App) {}

    // All schedules exist by now, and the render world has not moved to its thread yet.
    fn finish(&self, app: &mut App) {
        run_in_order(app.world_mut());
        // On macOS one render system, which creates the window's surface, must run on the main
        // thread. Only Bevy's default executor sends it there.
        if cfg!(not(target_os = "macos"))
            && let Some(render) = app.get_sub_app_mut(RenderApp)
        {
            run_in_order(render.world_mut());
        }
    }
}

fn run_in_order(world: &mut World) {
    for (_, schedule) in world.resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
}
