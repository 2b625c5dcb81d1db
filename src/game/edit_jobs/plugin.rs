//! The plugin of edit jobs.

use crate::game::common::frame_order::FrameSet;
use crate::game::common::picture_target::has_player;
use crate::game::common::screens::{Screen, in_play};
use crate::game::edit_jobs::jobs::{EditJobEnded, EditJobs};
use crate::game::edit_jobs::preview::EditPreview;
use crate::game::edit_jobs::undo_question::UndoQuestion;
use crate::game::edit_jobs::{answer, ghost, preview_drawing, update};
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
            .add_systems(Update, answer::answer.run_if(in_play.and_then(has_player)).in_set(FrameSet::Control))
            .add_systems(Update, update::update.in_set(FrameSet::Edit))
            .add_systems(PostUpdate, (preview_drawing::draw, ghost::place).chain().before(TransformSystems::Propagate));
    }
}
