//! Carries out entered commands in their order: as jobs where they read the world.

use super::console_game::ConsoleGame;
use super::entry::{self, LineRequest};
use super::error::ConsoleError;
use super::state::{ConsoleLine, EnteredView, GameConsole, QueuedLine, Wait};
use super::waiting;
use crate::game::editing::edit_jobs::{EditJobEnded, JobId};
use crate::game::life::creatures::command::CreatureAnswer;
use crate::game::state::player::Player;
use bevy::prelude::*;
use std::ops::ControlFlow;
use stonerun_engine::edit::console::{ConsoleTask, RegionOutcome};
use stonerun_engine::history::Direction;

/// Forgets the state that belongs to a map that is left.
pub(super) fn forget(mut console: ResMut<GameConsole>) {
    console.leave_map();
}

/// Handles the outcomes of jobs, then carries out entered commands.
pub(super) fn run(
    mut game: ConsoleGame,
    player: Res<Player>,
    mut ended: MessageReader<EditJobEnded>,
    mut answered: MessageReader<CreatureAnswer>,
) {
    for answer in answered.read() {
        game.console.note(ConsoleLine::Answer(answer.0.clone()));
    }
    for job in ended.read() {
        if job.outcome.is_err() && game.jobs.is_held(job.id) {
            waiting::drop_dependent(&mut game.console, &mut game.notices, job, true);
        }
        take_outcome(&mut game, job);
    }
    let question = game.question.asked().map(|asked| asked.id);
    let unanswered = [game.preview.ready_job(), question];
    waiting::forget_discarded(&mut game.console, &game.jobs, unanswered);
    if game.console.queue.is_empty() {
        return;
    }
    let view = EnteredView {
        placement: player.body().voxel(),
        look: player.direction(),
        target: player.target.map(|hit| hit.voxel_pos),
    };
    for line in &mut game.console.queue {
        line.view.get_or_insert(view);
    }
    let ready = game.unanswered_preview();
    while let Some(line) = game.console.queue.front().cloned() {
        let view = line.view.unwrap_or(view);
        if carry_out(&mut game, line, view, ready).is_break() {
            return;
        }
    }
}

/// Carries out the first entered line. Breaks if it waits for a job. `ready` is the preview that
/// waited for the player's answer when this frame's lines began; lines do not wait for it.
fn carry_out(
    game: &mut ConsoleGame,
    line: QueuedLine,
    view: EnteredView,
    ready: Option<JobId>,
) -> ControlFlow<()> {
    if game.editor.edits().has_surfaces_to_apply() {
        // The line waits for the next frame, in which the material table has them.
        return ControlFlow::Break(());
    }
    game.prepare(view);
    let request = entry::read(&line, &game.editor.map().materials);
    let wait = request.as_ref().ok().and_then(LineRequest::waits_for);
    if let Some(wait) = wait
        && game.must_wait(wait, ready)
    {
        return hold(game, wait);
    }
    let task = match request {
        Err(error) => Err(ConsoleError::from(error)),
        Ok(request)
            if line.is_marked
                && !request.has_preview(&game.console.console, &game.editor.map().materials) =>
        {
            Err(ConsoleError::NoPreview)
        }
        Ok(LineRequest::Nothing) => {
            game.console.queue.pop_front();
            return ControlFlow::Continue(());
        }
        Ok(LineRequest::Game(task)) => task.run(game, view).map(ConsoleTask::Answer),
        Ok(LineRequest::Command(command)) => game.task(&command).map_err(ConsoleError::from),
    };
    // Steps of the history wait for the edits before them. While they wait, `hold` lets a later
    // `//cancel` overtake them.
    let is_step =
        matches!(task, Ok(ConsoleTask::Undo(_) | ConsoleTask::Redo(_) | ConsoleTask::Surface(_)));
    if is_step && game.is_busy() {
        return hold(game, Wait::All);
    }
    game.console.queue.pop_front();
    if game.console.stepping.is_none() {
        game.console.note(ConsoleLine::Command(line.text.clone()));
    }
    let answer = match task {
        Err(error) => Err(error),
        Ok(ConsoleTask::Answer(answer)) => Ok(answer),
        Ok(ConsoleTask::Job(job)) => {
            game.start(job, line.preview);
            return ControlFlow::Continue(());
        }
        Ok(ConsoleTask::Undo(steps)) => game.step(Direction::Undo, steps),
        Ok(ConsoleTask::Redo(steps)) => game.step(Direction::Redo, steps),
        Ok(ConsoleTask::Surface(task)) => game.change_surface(task),
        Ok(ConsoleTask::Region(task)) => match game.run_region_task(task) {
            Ok(RegionOutcome::Job(job)) => {
                game.start(job, line.preview);
                return ControlFlow::Continue(());
            }
            Ok(RegionOutcome::Done { answer, .. }) => Ok(answer),
            Err(error) => Err(error),
        },
    };
    if game.console.stepping.is_some() {
        // The undo or redo goes on when its job has ended.
        game.console.queue.push_front(QueuedLine { typed: None, ..line });
        return ControlFlow::Break(());
    }
    if answer.is_err() && line.typed.is_some() {
        game.reopen(&line);
    }
    game.tell(&line.text, answer);
    ControlFlow::Continue(())
}

/// Makes the entered lines wait. Continues if a `//cancel` among them has become the first line.
fn hold(game: &mut ConsoleGame, wait: Wait) -> ControlFlow<()> {
    if waiting::hold(&mut game.console, &mut game.notices, wait) {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(())
    }
}

/// Handles the end of a job of the console.
fn take_outcome(game: &mut ConsoleGame, job: &EditJobEnded) {
    if let (Some(stepping), Err(reason)) = (game.console.stepping, &job.outcome)
        && stepping.job == job.id
    {
        game.console.stepping = None;
        game.console.queue.pop_front();
        game.console.note(ConsoleLine::Problem(reason.clone()));
        return;
    }
    let Some(index) = game.console.jobs.iter_mut().position(|slot| slot.get().id == job.id) else {
        return;
    };
    match &job.outcome {
        Err(reason) => {
            let mut failed = game.console.jobs.remove(index);
            game.console.note(ConsoleLine::Problem(reason.clone()));
            if !failed.get().is_cancelled {
                let changes_console = failed.get().changes_console;
                waiting::drop_dependent(&mut game.console, &mut game.notices, job, changes_console);
            }
        }
        Ok(answer) => take_success(game, index, job, answer),
    }
}

/// Handles the outcome of the job at `index`, which has succeeded with `answer`.
fn take_success(game: &mut ConsoleGame, index: usize, job: &EditJobEnded, answer: &str) {
    let slot = game.console.jobs[index].get();
    // A preview's outcome was taken out of the channel when the preview was ready.
    let found = slot.previewed.take().or_else(|| slot.outcome.try_recv().ok());
    if !job.is_committed && found.as_ref().is_some_and(|found| found.has_changes) {
        slot.previewed = found;
        return;
    }
    game.console.jobs.remove(index);
    if let Some(found) = found {
        game.console.console.accept(&found.outcome);
        if let Some(task) = found.outcome.region_task() {
            if !job.is_committed {
                game.preview.discard();
            }
            match game.run_region_task(task.clone()) {
                Ok(RegionOutcome::Done { answer, .. }) => game.tell(&job.name, Ok(answer)),
                Err(error) => game.tell(&job.name, Err(error)),
                // Unreachable: the only region task of a job is to save a region.
                Ok(RegionOutcome::Job(_)) => {}
            }
            return;
        }
    }
    game.console.note(ConsoleLine::Answer(answer.to_owned()));
    if !job.is_committed {
        // A preview without changes has nothing to show.
        game.preview.discard();
        game.notices.info(answer);
    }
}
