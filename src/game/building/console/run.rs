//! Carries out entered commands in their order: as jobs where they read the world.

use super::creatures;
use super::entry::{self, Asked};
use super::state::{CommandJob, CommandOutcome, ConsoleLine, EnteredView, Entry, GameConsole, Stepping, Wait};
use super::waiting;
use crate::game::editing::edit_jobs::{
    self, EditJobEnded, EditJobs, EditPreview, PreparedWork, Stepped, UndoQuestion, WhenDone,
};
use crate::game::life::creatures::CreatureLife;
use crate::game::life::creatures::command::CreatureAnswer;
use crate::game::life::rules::{RuleFiles, RulesClock};
use crate::game::state::format;
use crate::game::state::notices::Notices;
use crate::game::state::player::Player;
use crate::game::state::screens::Menu;
use crate::game::state::session::Editor;
use crate::game::state::settings::Settings;
use bevy::platform::cell::SyncCell;
use bevy::prelude::*;
use std::sync::mpsc;
use stonerun_engine::edit::console::{ConsoleJob, ConsoleTask, RegionOutcome, RegionTask};
use stonerun_engine::edit::{PreparedEdit, UndoError};
use stonerun_engine::history::Direction;

/// Forgets what belongs to a map that is left.
pub(super) fn forget(mut console: ResMut<GameConsole>) {
    console.leave_map();
}

/// Takes in the outcomes of jobs, and carries out the commands that were entered.
pub(super) fn run(
    mut console: ResMut<GameConsole>,
    mut ended: MessageReader<EditJobEnded>,
    player: Res<Player>,
    mut jobs: ResMut<EditJobs>,
    (mut preview, question): (ResMut<EditPreview>, Res<UndoQuestion>),
    mut editor: Editor,
    (mut clock, files): (Option<ResMut<RulesClock>>, Option<Res<RuleFiles>>),
    (mut settings, mut life): (ResMut<Settings>, Option<ResMut<CreatureLife>>),
    mut answered: MessageReader<CreatureAnswer>,
    (mut notices, mut menu): (ResMut<Notices>, ResMut<Menu>),
) {
    answered.read().for_each(|answer| console.note(ConsoleLine::Answer(answer.0.clone())));
    for job in ended.read() {
        if job.outcome.is_err() && jobs.is_held(job.id) {
            waiting::drop_dependent(&mut console, &mut notices, job, true);
        }
        take_outcome(&mut console, job, &mut editor, &mut preview, &mut notices);
    }
    let ready = preview.ready_job().filter(|_| !preview.is_accepted());
    waiting::forget_discarded(&mut console, &jobs, [preview.ready_job(), question.asked().map(|asked| asked.id)]);
    if console.entries.is_empty() {
        return;
    }
    let view = EnteredView {
        placement: player.body().voxel(),
        look: player.direction(),
        target: player.target.map(|hit| hit.voxel_pos),
    };
    for entry in &mut console.entries {
        entry.view.get_or_insert(view);
    }
    let is_read_only = editor.map().read_only.is_some();
    while let Some(entry) = console.entries.front().cloned() {
        console.console.set_next_step(editor.edits().history().number_of_next_edit());
        let view = entry.view.unwrap_or(view);
        console.console.placement = view.placement;
        console.console.look = view.look;
        console.console.target = view.target;
        let asked = entry::read(&entry, &editor.map().materials);
        let is_busy = jobs.is_busy() || question.asked().is_some();
        let wait = asked.as_ref().ok().and_then(entry::wait).filter(|wait| match wait {
            Wait::Console => waiting::is_console_pending(&mut console, &jobs, ready),
            Wait::All => is_busy,
        });
        if let Some(wait) = wait {
            if waiting::hold(&mut console, &mut notices, wait) {
                continue;
            }
            return;
        }
        let shows_nothing = entry.is_marked
            && asked.as_ref().is_ok_and(|asked| !entry::has_preview(asked, &console.console, &editor.map().materials));
        let task = match asked {
            Ok(_) if shows_nothing => Some(Err("it changes no blocks, so ? has nothing to show".to_owned())),
            Ok(Asked::Nothing) => None,
            Ok(Asked::Cancel) => {
                for slot in &mut console.jobs {
                    slot.get().is_cancelled = true;
                }
                Some(Ok(ConsoleTask::Answer(cancelled(&mut jobs, &mut preview))))
            }
            Ok(Asked::RulesSpeed(speed)) => {
                settings.rules = speed;
                clock.iter_mut().for_each(|clock| clock.forget_asked());
                Some(Ok(ConsoleTask::Answer(format!("sand, water and growth are {}", speed.name()))))
            }
            Ok(Asked::RulesSteps(steps)) => {
                clock.iter_mut().for_each(|clock| clock.ask(steps));
                let steps = format::counted(u64::from(steps), "step");
                Some(Ok(ConsoleTask::Answer(format!(
                    "{steps} of the rules asked for; the page Rules counts those that are late"
                ))))
            }
            Ok(Asked::Creatures(asked)) => {
                let pointed = view.target.map_or(view.placement, |target| target + IVec3::Y);
                Some(
                    creatures::run(asked, pointed, life.as_deref_mut(), &mut settings, is_read_only)
                        .map(ConsoleTask::Answer),
                )
            }
            Ok(Asked::WakeRules) if is_read_only => Some(Err(UndoError::ReadOnly.to_string())),
            Ok(Asked::WakeRules) => Some(match console.console.selection().bounds() {
                Ok(area) => {
                    let chunks = format::counted(editor.wake(area) as u64, "loaded chunk");
                    Ok(ConsoleTask::Answer(format!("rules act on all of the selection, in {chunks}")))
                }
                Err(error) => Err(error.to_string()),
            }),
            Ok(Asked::OwnRules) if is_read_only => Some(Err(UndoError::ReadOnly.to_string())),
            Ok(Asked::OwnRules) => Some(Ok(ConsoleTask::Answer(own_rules(files.as_deref())))),
            Ok(Asked::Command(command)) => {
                Some(console.console.task(&command, &editor.map().materials).map_err(|error| error.to_string()))
            }
            Err(error) => Some(Err(error.to_string())),
        };
        // Undo and redo wait for the edits before them, but `//cancel` does not wait for an undo.
        if matches!(task, Some(Ok(ConsoleTask::Undo(_) | ConsoleTask::Redo(_)))) && is_busy {
            if waiting::hold(&mut console, &mut notices, Wait::All) {
                continue;
            }
            return;
        }
        console.entries.pop_front();
        if task.is_some() && console.stepping.is_none() {
            console.note(ConsoleLine::Command(entry.text.clone()));
        }
        let answer = match task {
            None => continue,
            Some(Err(error)) => Err(error),
            Some(Ok(ConsoleTask::Job(job))) => {
                start(&mut console, job, &entry, &mut jobs, &mut preview);
                continue;
            }
            Some(Ok(ConsoleTask::Undo(steps))) => step(&mut console, &mut editor, &mut jobs, Direction::Undo, steps),
            Some(Ok(ConsoleTask::Redo(steps))) => step(&mut console, &mut editor, &mut jobs, Direction::Redo, steps),
            Some(Ok(ConsoleTask::Region(task))) => match region(&mut console, &mut editor, task) {
                Ok(RegionOutcome::Job(job)) => {
                    start(&mut console, job, &entry, &mut jobs, &mut preview);
                    continue;
                }
                Ok(RegionOutcome::Done { answer, .. }) => Ok(answer),
                Err(error) => Err(error),
            },
            Some(Ok(ConsoleTask::Answer(answer))) => Ok(answer),
        };
        if console.stepping.is_some() {
            // It goes on when the job has ended.
            console.entries.push_front(Entry { typed: None, ..entry });
            return;
        }
        if answer.is_err() && entry.typed.is_some() {
            // Only a real change triggers Bevy's change detection.
            let mut now = *menu;
            console.refuse(entry.typed, &mut now);
            menu.set_if_neq(now);
        }
        tell(&mut console, &mut notices, &entry.text, answer);
    }
}

/// Shows the answer to a command, or why it failed. An empty answer follows later.
fn tell(console: &mut GameConsole, notices: &mut Notices, command: &str, answer: Result<String, String>) {
    match answer {
        Ok(answer) if answer.is_empty() => {}
        Ok(answer) => {
            notices.info(&answer);
            console.note(ConsoleLine::Answer(answer));
        }
        Err(reason) => {
            notices.warn(format!("{command}: {reason}"));
            console.note(ConsoleLine::Problem(reason));
        }
    }
}

/// Makes the file of the map's own rules.
fn own_rules(files: Option<&RuleFiles>) -> String {
    let Some(files) = files else { return "the map has no rules".to_owned() };
    match files.create_own() {
        Ok(path) => format!("the map's own rules are in {}, which is read again when it changes", path.display()),
        Err(error) => format!("the file of the map's own rules cannot be made: {error}"),
    }
}

/// Cancels all jobs and the preview.
fn cancelled(jobs: &mut EditJobs, preview: &mut EditPreview) -> String {
    preview.discard();
    match jobs.cancel_all() {
        0 => "there is nothing to cancel".to_owned(),
        1 => "1 job cancelled".to_owned(),
        count => format!("{count} jobs cancelled"),
    }
}

/// Starts the job of a command, or asks for its preview.
fn start(console: &mut GameConsole, job: ConsoleJob, entry: &Entry, jobs: &mut EditJobs, preview: &mut EditPreview) {
    let (sender, outcome) = mpsc::channel();
    let name = job.name.clone();
    let changes_console = job.changes_console;
    let work: PreparedWork = Box::new(move |world, revision, progress| {
        let name = job.name.clone();
        let mut outcome = job.run(world, revision, progress)?;
        let edit = outcome.edit.take().unwrap_or(PreparedEdit { name, changes: Vec::new(), revision });
        let answer = outcome.answer.clone();
        // Fails only if the map was left meanwhile.
        let _ = sender.send(CommandOutcome { outcome, has_changes: !edit.changes.is_empty() });
        Ok((edit, answer))
    });
    let id = if entry.preview {
        preview.start_prepared(name, work, jobs)
    } else {
        jobs.start_prepared(name, work, WhenDone::Commit).0
    };
    console.jobs.push(SyncCell::new(CommandJob { id, outcome, previewed: None, changes_console, is_cancelled: false }));
}

/// Takes the outcome of a job of the console, once its edit is committed.
fn take_outcome(
    console: &mut GameConsole,
    job: &EditJobEnded,
    editor: &mut Editor,
    preview: &mut EditPreview,
    notices: &mut Notices,
) {
    if let (Some(stepping), Err(reason)) = (console.stepping, &job.outcome)
        && stepping.job == job.id
    {
        console.stepping = None;
        console.entries.pop_front();
        console.note(ConsoleLine::Problem(reason.clone()));
        return;
    }
    let Some(index) = console.jobs.iter_mut().position(|slot| slot.get().id == job.id) else { return };
    match &job.outcome {
        Err(reason) => {
            let mut failed = console.jobs.remove(index);
            console.note(ConsoleLine::Problem(reason.clone()));
            if !failed.get().is_cancelled {
                waiting::drop_dependent(console, notices, job, failed.get().changes_console);
            }
        }
        Ok(answer) => {
            let slot = console.jobs[index].get();
            // A preview that is applied was received when it was ready.
            let found = slot.previewed.take().or_else(|| slot.outcome.try_recv().ok());
            if !job.is_committed && found.as_ref().is_some_and(|found| found.has_changes) {
                slot.previewed = found;
                return;
            }
            console.jobs.remove(index);
            if let Some(found) = found {
                console.console.accept(&found.outcome);
                if let Some(task) = found.outcome.region_task() {
                    if !job.is_committed {
                        preview.discard();
                    }
                    return match region(console, editor, task.clone()) {
                        Ok(RegionOutcome::Done { answer, .. }) => tell(console, notices, &job.name, Ok(answer)),
                        Err(reason) => tell(console, notices, &job.name, Err(reason)),
                        // Jobs only save regions.
                        Ok(RegionOutcome::Job(_)) => {}
                    };
                }
            }
            console.note(ConsoleLine::Answer(answer.clone()));
            if !job.is_committed {
                // There is nothing to look at.
                preview.discard();
                notices.info(answer);
            }
        }
    }
}

/// Saves, lists or deletes named regions, or makes the job that selects one.
fn region(console: &mut GameConsole, editor: &mut Editor, task: RegionTask) -> Result<RegionOutcome, String> {
    if task.changes_map() && editor.map().read_only.is_some() {
        return Err(UndoError::ReadOnly.to_string());
    }
    let outcome = task.run(&mut console.console, &editor.map().reader).map_err(|error| error.to_string())?;
    if let RegionOutcome::Done { change: Some(change), .. } = &outcome {
        editor.change_region(change.clone());
    }
    Ok(outcome)
}

/// Undoes or redoes steps. Where a job does the next one, [`GameConsole::stepping`] is set, and the
/// command goes on when that job has ended.
fn step(
    console: &mut GameConsole,
    editor: &mut Editor,
    jobs: &mut EditJobs,
    direction: Direction,
    steps: u32,
) -> Result<String, String> {
    if editor.map().read_only.is_some() {
        return Err(UndoError::ReadOnly.to_string());
    }
    let mut count = console.stepping.take().map_or(0, |stepping| stepping.count);
    while count < steps {
        match edit_jobs::step(editor, jobs, direction).map_err(|error| error.to_string())? {
            Stepped::Done => count += 1,
            Stepped::Started(job) => {
                console.stepping = Some(Stepping { count: count + 1, job });
                return Ok(String::new());
            }
            Stepped::Nothing | Stepped::Busy => break,
        }
    }
    let done = match direction {
        Direction::Undo => "undone",
        Direction::Redo => "redone",
    };
    Ok(match count {
        0 => match direction {
            Direction::Undo => "there is nothing to undo".to_owned(),
            Direction::Redo => "there is nothing to redo".to_owned(),
        },
        1 => format!("1 step {done}"),
        count => format!("{count} steps {done}"),
    })
}
