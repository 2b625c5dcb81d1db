//! The plugin of edit jobs.

use crate::game::editing::edit_jobs::jobs::{EditJobEnded, EditJobs};
use crate::game::editing::edit_jobs::preview::EditPreview;
use crate::game::editing::edit_jobs::undo_question::UndoQuestion;
use crate::game::editing::edit_jobs::{answer, ghost, preview_drawing, update};
use crate::game::state::frame::frame_order::FrameSet;
use crate::game::state::frame::picture_target::has_player;
use crate::game::state::screens::{Screen, in_play};
use bevy::prelude::*;

/// Adds edit jobs.
pub struct EditJobsPlugin;

impl Plugin for EditJobsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<EditJobs>()
            .init_resource::<EditPreview>()
            .init_resource::<UndoQuestion>()
            .add_message::<EditJobEnded>()
            .add_systems(OnExit(Screen::Playing), update::forget)
            .add_systems(
                Update,
                answer::answer.run_if(in_play.and_then(has_player)).in_set(FrameSet::Control),
            )
            .add_systems(Update, update::update.in_set(FrameSet::Edit))
            .add_systems(
                PostUpdate,
                (preview_drawing::draw, ghost::place).chain().before(TransformSystems::Propagate),
            );
    }
}
