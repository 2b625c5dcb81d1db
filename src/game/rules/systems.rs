//! The systems that let the rules of the open map work.

use super::clock::RulesClock;
use super::work::WorldRules;
use crate::game::common::chunk_messages::{ChunkEdited, ChunkLoaded};
use crate::game::common::notices::Notices;
use crate::game::common::settings::Settings;
use crate::game::edit_jobs::edit_pool;
use crate::game::session::{Editor, OpenMap};
use bevy::ecs::message::{MessageCursor, Messages};
use bevy::prelude::*;
use std::time::Instant;

/// Longest time that passes in a frame, in seconds.
const LONGEST_FRAME: f64 = 0.5;

/// What the rules have read of the messages about chunks.
#[derive(Resource, Default)]
pub(super) struct ReadMessages {
    loaded: MessageCursor<ChunkLoaded>,
    edited: MessageCursor<ChunkEdited>,
}

/// Gives an opened map its rules.
pub(super) fn open(map: Res<OpenMap>, mut commands: Commands, mut notices: ResMut<Notices>) {
    match WorldRules::new(&map.materials, map.header.seed) {
        Ok(rules) => commands.insert_resource(rules),
        Err(error) => notices.warn(error.to_string()),
    }
    commands.insert_resource(RulesClock::default());
    commands.insert_resource(ReadMessages::default());
}

/// Forgets the rules of a map that is closed.
pub(super) fn close(mut commands: Commands) {
    commands.remove_resource::<WorldRules>();
    commands.remove_resource::<RulesClock>();
    commands.remove_resource::<ReadMessages>();
}

/// Reads which chunks were loaded and edited.
pub(super) fn notice(
    loaded: Res<Messages<ChunkLoaded>>,
    edited: Res<Messages<ChunkEdited>>,
    mut read: ResMut<ReadMessages>,
    mut rules: ResMut<WorldRules>,
) {
    read.loaded.read(&loaded).for_each(|chunk| rules.loaded(chunk.pos));
    read.edited.read(&edited).for_each(|chunk| rules.edited(chunk.area));
}

/// Puts what finished steps have changed into the world.
pub(super) fn apply(mut rules: ResMut<WorldRules>, mut editor: Editor, mut notices: ResMut<Notices>) {
    let was_lost = rules.is_lost();
    if let Some(result) = rules.finish(editor.edits().history().redo_count()) {
        let start = Instant::now();
        editor.apply_rules(result.changes);
        rules.figures.applied_in = start.elapsed();
    } else if rules.is_lost() && !was_lost {
        notices.warn("A rule of the world has failed. Rules are off until the map is opened again.");
    }
}

/// Skips the messages about what rules have changed: they know it.
pub(super) fn skip_own(edited: Res<Messages<ChunkEdited>>, mut read: ResMut<ReadMessages>) {
    read.edited.clear(&edited);
}

/// Begins the steps that are due.
pub(super) fn begin(
    time: Res<Time<Real>>,
    settings: Res<Settings>,
    mut clock: ResMut<RulesClock>,
    mut rules: ResMut<WorldRules>,
    editor: Editor,
) {
    if editor.map().read_only.is_some() {
        return;
    }
    clock.pass(time.delta_secs_f64().min(LONGEST_FRAME), settings.rules);
    if !rules.is_idle() {
        return;
    }
    let steps = clock.take();
    if steps > 0
        && !rules.is_at_rest()
        && let Ok(pool) = edit_pool()
    {
        let redo_count = editor.edits().history().redo_count();
        rules.begin(steps, editor.edits().world().clone(), redo_count, pool);
    }
}
