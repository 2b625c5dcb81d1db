//! The systems that let the rules of the open map work.

use super::clock::RulesClock;
use super::work::{SnapshotId, WorldRules};
use crate::game::common::chunk_messages::{ChunkEdited, ChunkLoaded};
use crate::game::common::notices::Notices;
use crate::game::common::panel_page::{PanelPage, PanelState};
use crate::game::common::settings::Settings;
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
    match rules.finish(editor.edits().history().applied_count()) {
        None => {}
        Some(Ok(result)) => {
            let start = Instant::now();
            if let Err(error) = editor.apply_rules(result.changes, result.revision) {
                notices.warn(format!("Sand and water: {error}"));
            }
            rules.figures.applied_in = start.elapsed();
        }
        Some(Err(error)) => notices.warn(format!("Sand and water: {error}")),
    }
}

/// Skips the messages about changes by rules, which know them already.
pub(super) fn skip_own(edited: Res<Messages<ChunkEdited>>, mut read: ResMut<ReadMessages>) {
    read.edited.clear(&edited);
}

/// Begins the steps that are due.
pub(super) fn begin(
    time: Res<Time<Real>>,
    settings: Res<Settings>,
    mut clock: ResMut<RulesClock>,
    mut rules: ResMut<WorldRules>,
    (editor, panel): (Editor, Res<PanelState>),
) {
    if editor.map().read_only.is_some() {
        return;
    }
    clock.pass(time.delta_secs_f64().min(LONGEST_FRAME), settings.rules);
    if !rules.is_idle() {
        return;
    }
    let steps = clock.take();
    if steps > 0 && !rules.is_at_rest() {
        let edits = editor.edits();
        let id = SnapshotId { revision: edits.revision(), applied_count: edits.history().applied_count() };
        rules.begin(steps, (edits.world().clone(), id), panel.shows(PanelPage::Rules));
    }
}
