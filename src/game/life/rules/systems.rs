//! The systems that run the rules of the open map.

use super::clock::RulesClock;
use super::rule_files::RuleFiles;
use super::work::{RulesResult, SnapshotId, WorldRules, WorldSnapshot};
use crate::game::editing::edit_jobs::EditJobs;
use crate::game::state::day::time_of_day;
use crate::game::state::format;
use crate::game::state::frame::chunk_messages::{ChunkLoaded, MaterialsAdded};
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::notices::Notices;
use crate::game::state::panel_page::PanelState;
use crate::game::state::session::{Editor, OpenMap, SaveQueue};
use crate::game::state::settings::Settings;
use crate::views::PanelPage;
use bevy::ecs::message::{MessageCursor, Messages};
use bevy::prelude::*;
use std::time::Instant;
use stonerun_engine::edit::MAX_CHUNKS_IN_FRAME;
use stonerun_engine::metrics::{VoxelOps, VoxelTask};
use stonerun_engine::rules::{Climate, FusedRuns};
use stonerun_engine::terrain::temperatures;

/// Time between checks of the files of rules, in seconds.
const CHECK_EVERY: f32 = 1.0;
/// Maximum time that the clock advances in a frame, in seconds. Limits the steps after a long
/// frame.
const MAX_FRAME_SECONDS: f64 = 0.5;
/// Minimum time between steps that only visit newly loaded chunks, in seconds. In a flight, chunks
/// load in every frame, and each step takes a snapshot of the world.
const VISIT_LOADED_EVERY: f64 = 0.5;

/// Position of the rules in the queue of messages about loaded chunks.
#[derive(Resource, Default)]
pub(super) struct ReadMessages {
    loaded: MessageCursor<ChunkLoaded>,
}

/// Gives an opened map its rules.
pub(super) fn open(
    map: Res<OpenMap>,
    mut saves: ResMut<SaveQueue>,
    mut commands: Commands,
    mut notices: ResMut<Notices>,
) {
    let mut files = RuleFiles::new(map.reader.path(), map.rules.text.clone());
    match files.read(&map.materials) {
        Ok(read) => {
            for problem in read.problems {
                notices.warn(problem);
            }
            files.keep(&read.own);
            saves.set_own_rules(read.own);
            let mut rules = WorldRules::new(read.rules, map.header.seed, map.rules.next_step);
            rules.set_climate(climate(&map));
            commands.insert_resource(rules);
        }
        Err(error) => notices.warn(error.to_string()),
    }
    commands.insert_resource(files);
    commands.insert_resource(RulesClock::default());
    commands.insert_resource(ReadMessages::default());
}

/// The climate of a map's terrain.
fn climate(map: &OpenMap) -> Option<Climate> {
    temperatures(map.header.seed, map.terrain).map(Climate::new)
}

/// Forgets the rules of a map that is closed.
pub(super) fn close(mut commands: Commands) {
    commands.remove_resource::<WorldRules>();
    commands.remove_resource::<RuleFiles>();
    commands.remove_resource::<RulesClock>();
    commands.remove_resource::<ReadMessages>();
}

/// Reads the rules again once their files have changed, or the map has got materials that they may
/// mean. If a file has a defect, reports it and keeps the earlier rules.
pub(super) fn read_again(
    time: Res<Time<Real>>,
    mut files: ResMut<RuleFiles>,
    mut rules: ResMut<WorldRules>,
    mut editor: Editor,
    mut notices: ResMut<Notices>,
    mut added: MessageReader<MaterialsAdded>,
    mut waited: Local<f32>,
    mut has_new_materials: Local<bool>,
) {
    *waited += time.delta_secs();
    // Shapes come one after another while a player builds: the rules wait until no more come.
    if added.read().count() > 0 {
        *has_new_materials = true;
        *waited = 0.0;
    }
    let is_check = *waited >= CHECK_EVERY;
    if is_check {
        *waited = 0.0;
        files.look();
    }
    if !rules.is_idle() {
        return;
    }
    let is_due = files.take_due();
    if !(is_due || is_check && *has_new_materials) {
        return;
    }
    *has_new_materials = false;
    match files.read(&editor.map().materials) {
        Ok(read) if read.problems.is_empty() => {
            if is_due {
                notices.info(format!(
                    "{} read again",
                    format::counted(read.rules.names().len() as u64, "rule")
                ));
            }
            let loaded = editor.edits().world().chunks().map(|(pos, _)| pos);
            rules.replace(read.rules, editor.map().header.seed, loaded);
            rules.set_climate(climate(editor.map()));
            files.keep(&read.own);
            editor.set_own_rules(read.own);
        }
        // Defects were reported when the files changed.
        _ if !is_due => {}
        Ok(read) => {
            for problem in read.problems {
                notices.warn(problem);
            }
        }
        Err(error) => notices.warn(error.to_string()),
    }
}

/// Reports newly loaded chunks to the rules.
pub(super) fn notice(
    loaded: Res<Messages<ChunkLoaded>>,
    mut read: ResMut<ReadMessages>,
    mut rules: ResMut<WorldRules>,
) {
    for chunk in read.loaded.read(&loaded) {
        rules.loaded(chunk.pos);
    }
}

/// Applies the changes of finished steps to the world.
pub(super) fn apply(
    mut rules: ResMut<WorldRules>,
    mut editor: Editor,
    mut timings: ResMut<FrameTimings>,
    mut notices: ResMut<Notices>,
    jobs: Res<EditJobs>,
) {
    if jobs.holds_rules() {
        return;
    }
    // If many of their chunks were edited meanwhile, steps are repeated, because merging their
    // changes would take as long.
    let is_outdated = |result: &RulesResult| {
        editor.edits().edited_since(&result.changes, result.revision) > MAX_CHUNKS_IN_FRAME
    };
    match rules.finish(editor.edits().history().applied_count(), is_outdated) {
        None => {}
        Some(Ok(result)) => {
            if let Some(FusedRuns { runs, voxels }) = result.fused {
                let ops = VoxelOps {
                    voxels_iterated: voxels,
                    runs_iterated: runs,
                    ..VoxelOps::default()
                };
                editor.count(VoxelTask::Physics, ops);
            }
            let start = Instant::now();
            let applied = timings.time(FrameStage::Rules, || {
                let applied = editor.apply_rules(result.changes, result.revision);
                if let Some(awake) = result.awake {
                    editor.set_awake(awake, result.revision);
                }
                applied
            });
            if let Err(error) = applied {
                notices.warn(format!("Sand and water: {error}"));
            }
            if let Some(step) = rules.next_step() {
                editor.set_next_step(step);
            }
            rules.figures.applied_in = start.elapsed();
        }
        Some(Err(error)) => notices.warn(format!("Sand and water: {error}")),
    }
}

/// Begins the steps that are due.
pub(super) fn begin(
    time: Res<Time<Real>>,
    settings: Res<Settings>,
    mut clock: ResMut<RulesClock>,
    mut rules: ResMut<WorldRules>,
    mut editor: Editor,
    panel: Res<PanelState>,
    mut timings: ResMut<FrameTimings>,
    mut last_visit: Local<f64>,
) {
    if editor.map().read_only.is_some() {
        return;
    }
    clock.pass(time.delta_secs_f64().min(MAX_FRAME_SECONDS), settings.rules);
    if !rules.is_idle() {
        return;
    }
    let steps = clock.take();
    if steps == 0 {
        return;
    }
    timings.time(FrameStage::Rules, || {
        rules.set_hour((time_of_day(editor.map()).part() * 24.0) as f32);
        let opened = editor.take_opened();
        rules.set_open(editor.edits().open_columns(), opened);
        let woken = editor.take_woken();
        let applied_count = editor.edits().history().applied_count();
        if !rules.restart(applied_count, || editor.edits().awake().collect()) {
            rules.wake(woken);
        }
        let now = time.elapsed_secs_f64();
        if rules.is_at_rest() || rules.is_quiet() && now - *last_visit < VISIT_LOADED_EVERY {
            return;
        }
        *last_visit = now;
        let edits = editor.edits();
        let id = SnapshotId {
            revision: edits.revision(),
            applied_count: edits.history().applied_count(),
        };
        let counts_fused = panel.shows(PanelPage::Rules) || panel.shows(PanelPage::Work);
        rules.begin(steps, WorldSnapshot { world: edits.world().clone(), id }, counts_fused);
    });
}
