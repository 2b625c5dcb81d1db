//! Keys that answer a preview, and the key that cancels the running job. Escape also discards a
//! preview, but `app::window` handles it.

use super::jobs::EditJobs;
use super::preview::EditPreview;
use crate::game::state::keys::{KeyAction, KeyInput};
use bevy::prelude::*;

/// Time for which the key must be held to cancel the running job, in seconds.
const HOLD_SECONDS: f32 = 0.5;

/// Applies the preview on Enter; cancels the running job while Backspace is held.
pub(super) fn answer(
    keys: Res<KeyInput>,
    time: Res<Time<Real>>,
    mut jobs: ResMut<EditJobs>,
    mut preview: ResMut<EditPreview>,
    mut held: Local<f32>,
) {
    if keys.just_pressed(KeyAction::Apply) && preview.is_active() {
        preview.apply();
    }
    let before = *held;
    *held = if keys.is_held(KeyAction::CancelJob) { before + time.delta_secs() } else { 0.0 };
    if before < HOLD_SECONDS && *held >= HOLD_SECONDS {
        let running = jobs.jobs().find(|job| job.is_running).map(|job| job.id);
        if let Some(id) = running {
            jobs.cancel(id);
        }
    }
}
