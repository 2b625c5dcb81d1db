//! The systems that let the rules of the open map work.

use super::clock::RulesClock;
use super::rule_files::RuleFiles;
use super::work::{RulesResult, SnapshotId, WorldRules};
use crate::game::editing::edit_jobs::EditJobs;
use crate::game::state::day::time_of_day;
use crate::game::state::format;
use crate::game::state::frame::chunk_messages::ChunkLoaded;
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

/// Seconds between looks at the files of rules.
const LOOK_EVERY: f32 = 1.0;
/// Longest time that passes in a frame, in seconds.
const LONGEST_FRAME: f64 = 0.5;

/// Seconds between steps that only look at chunks that were loaded: each takes a snapshot of the
/// world, and in a flight chunks load in every frame.
const LOOK_AT_LOADED_EVERY: f64 = 0.5;
/// Progress of the rules in the messages about loaded chunks.
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
            read.problems.into_iter().for_each(|problem| notices.warn(problem));
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

/// Reads the rules again once their files have changed. Rules with a defect are reported, and the
/// ones before stay.
pub(super) fn read_again(
    time: Res<Time<Real>>,
    mut files: ResMut<RuleFiles>,
    mut rules: ResMut<WorldRules>,
    mut editor: Editor,
    mut notices: ResMut<Notices>,
    mut waited: Local<f32>,
) {
    *waited += time.delta_secs();
    if *waited >= LOOK_EVERY {
        *waited = 0.0;
        files.look();
    }
    if !rules.is_idle() || !files.take_due() {
        return;
    }
    match files.read(&editor.map().materials) {
        Ok(read) if read.problems.is_empty() => {
            notices.info(format!("{} read again", format::counted(read.rules.names().len() as u64, "rule")));
            let loaded = editor.edits().world().chunks().map(|(pos, _)| pos);
            rules.replace(read.rules, editor.map().header.seed, loaded);
            rules.set_climate(climate(editor.map()));
            files.keep(&read.own);
            editor.set_own_rules(read.own);
        }
        Ok(read) => read.problems.into_iter().for_each(|problem| notices.warn(problem)),
        Err(error) => notices.warn(error.to_string()),
    }
}

/// Reads which chunks were loaded.
pub(super) fn notice(
    loaded: Res<Messages<ChunkLoaded>>,
    mut read: ResMut<ReadMessages>,
    mut rules: ResMut<WorldRules>,
) {
    read.loaded.read(&loaded).for_each(|chunk| rules.loaded(chunk.pos));
}

/// Puts what finished steps have changed into the world.
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
    // Steps that a large edit has overtaken are made again: to bring them up to date takes as long.
    let is_outdated =
        |result: &RulesResult| editor.edits().edited_since(&result.changes, result.revision) > MAX_CHUNKS_IN_FRAME;
    match rules.finish(editor.edits().history().applied_count(), is_outdated) {
        None => {}
        Some(Ok(result)) => {
            if let Some(FusedRuns { runs, voxels }) = result.fused {
                let ops = VoxelOps { voxels_iterated: voxels, runs_iterated: runs, ..VoxelOps::default() };
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
            rules.next_step().into_iter().for_each(|step| editor.set_next_step(step));
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
    (mut editor, panel): (Editor, Res<PanelState>),
    mut timings: ResMut<FrameTimings>,
    mut looked: Local<f64>,
) {
    if editor.map().read_only.is_some() {
        return;
    }
    clock.pass(time.delta_secs_f64().min(LONGEST_FRAME), settings.rules);
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
        let (woken, applied_count) = (editor.take_woken(), editor.edits().history().applied_count());
        if !rules.restart(applied_count, || editor.edits().awake().collect()) {
            rules.wake(woken);
        }
        let now = time.elapsed_secs_f64();
        if rules.is_at_rest() || rules.is_quiet() && now - *looked < LOOK_AT_LOADED_EVERY {
            return;
        }
        *looked = now;
        let edits = editor.edits();
        let id = SnapshotId { revision: edits.revision(), applied_count: edits.history().applied_count() };
        let counts_fused = panel.shows(PanelPage::Rules) || panel.shows(PanelPage::Work);
        rules.begin(steps, (edits.world().clone(), id), counts_fused);
    });
}
