//! The parts of the game that commands read and change.

use super::error::ConsoleError;
use super::state::{
    CommandJob, CommandOutcome, ConsoleLine, EnteredView, GameConsole, QueuedLine, Stepping, Wait,
};
use super::waiting;
use crate::game::editing::edit_jobs::{
    self, EditJobs, EditPreview, JobId, PreparedWork, Stepped, UndoQuestion, WhenDone,
};
use crate::game::life::creatures::CreatureLife;
use crate::game::life::rules::{RuleFiles, RulesClock};
use crate::game::state::notices::Notices;
use crate::game::state::screens::Menu;
use crate::game::state::session::Editor;
use crate::game::state::settings::Settings;
use bevy::ecs::system::SystemParam;
use bevy::platform::cell::SyncCell;
use bevy::prelude::*;
use std::sync::mpsc;
use stonerun_engine::edit::console::{
    CommandError, ConsoleCommand, ConsoleJob, ConsoleTask, RegionOutcome, RegionTask, SurfaceTask,
};
use stonerun_engine::edit::{PreparedEdit, UndoError};
use stonerun_engine::history::Direction;

/// The parts of the game that commands read and change.
#[derive(SystemParam)]
pub(super) struct ConsoleGame<'w> {
    pub(super) console: ResMut<'w, GameConsole>,
    pub(super) jobs: ResMut<'w, EditJobs>,
    pub(super) preview: ResMut<'w, EditPreview>,
    pub(super) question: Res<'w, UndoQuestion>,
    pub(super) editor: Editor<'w>,
    pub(super) clock: Option<ResMut<'w, RulesClock>>,
    pub(super) rule_files: Option<Res<'w, RuleFiles>>,
    pub(super) life: Option<ResMut<'w, CreatureLife>>,
    pub(super) settings: ResMut<'w, Settings>,
    pub(super) notices: ResMut<'w, Notices>,
    menu: ResMut<'w, Menu>,
}

impl ConsoleGame<'_> {
    /// # Errors
    /// The map is read-only.
    pub(super) fn check_writable(&self) -> Result<(), UndoError> {
        if self.editor.map().read_only.is_some() { Err(UndoError::ReadOnly) } else { Ok(()) }
    }

    /// The job of the preview that waits for the player's answer.
    pub(super) fn unanswered_preview(&self) -> Option<JobId> {
        self.preview.ready_job().filter(|_| !self.preview.is_accepted())
    }

    /// True while jobs wait or run, or the player is asked about an edit.
    pub(super) fn is_busy(&self) -> bool {
        self.jobs.is_busy() || self.question.asked().is_some()
    }

    /// True if there are jobs that a command must wait for. Commands do not wait for the preview
    /// `ready`, because the player may enter commands before answering.
    pub(super) fn must_wait(&mut self, wait: Wait, ready: Option<JobId>) -> bool {
        match wait {
            Wait::Console => waiting::is_console_pending(&mut self.console, &self.jobs, ready),
            Wait::All => self.is_busy(),
        }
    }

    /// Gives the engine's console the view at the time of entry and the number of the next undo
    /// step, which the next command uses.
    pub(super) fn prepare(&mut self, view: EnteredView) {
        let console = &mut self.console.console;
        console.set_next_step(self.editor.edits().history().number_of_next_edit());
        console.placement = view.placement;
        console.look = view.look;
        console.target = view.target;
    }

    /// The task of a command. The map gets the shapes and turned states of blocks that the command
    /// needs.
    ///
    /// # Errors
    /// The command cannot be carried out, or the map has no room for the materials.
    pub(super) fn task(&mut self, command: &ConsoleCommand) -> Result<ConsoleTask, CommandError> {
        let growing = self.editor.map().growing.clone();
        let mut table = growing.table();
        loop {
            match self.console.console.task(command, &table) {
                // Each round adds a material, and there is a limit.
                Err(CommandError::NeedsMaterials(missing)) => {
                    let first = missing.first().map(|first| first.name.clone());
                    table = growing
                        .add(missing)
                        .map_err(|_| CommandError::TableFull(first.unwrap_or_default()))?;
                }
                task => return task,
            }
        }
    }

    /// Starts the job of a command, or asks for its preview.
    pub(super) fn start(&mut self, job: ConsoleJob, is_preview: bool) {
        let (sender, outcome) = mpsc::channel();
        let name = job.name.clone();
        let changes_console = job.changes_console;
        let work: PreparedWork = Box::new(move |world, revision, progress| {
            let name = job.name.clone();
            let mut outcome = job.run(world, revision, progress)?;
            let edit =
                outcome.edit.take().unwrap_or(PreparedEdit { name, changes: Vec::new(), revision });
            let answer = outcome.answer.clone();
            // Fails only if the map was closed meanwhile.
            let _ = sender.send(CommandOutcome { outcome, has_changes: !edit.changes.is_empty() });
            Ok((edit, answer))
        });
        let id = if is_preview {
            self.preview.start_prepared(name, work, &mut self.jobs)
        } else {
            self.jobs.start_prepared(name, work, WhenDone::Commit).0
        };
        let job = CommandJob { id, outcome, previewed: None, changes_console, is_cancelled: false };
        self.console.jobs.push(SyncCell::new(job));
    }

    /// Saves, lists or deletes named regions, or makes the job that selects one.
    ///
    /// # Errors
    /// The map is read-only or cannot be read, or the region is missing or too large.
    pub(super) fn run_region_task(
        &mut self,
        task: RegionTask,
    ) -> Result<RegionOutcome, ConsoleError> {
        if task.changes_map() {
            self.check_writable()?;
        }
        let outcome = task.run(&mut self.console.console, &self.editor.map().reader)?;
        if let RegionOutcome::Done { change: Some(change), .. } = &outcome {
            self.editor.change_region(change.clone());
        }
        Ok(outcome)
    }

    /// Undoes or redoes steps. If a step needs a job, sets [`GameConsole::stepping`]; the command
    /// goes on when that job has ended.
    ///
    /// # Errors
    /// The map is read-only, or a chunk cannot be read.
    pub(super) fn step(
        &mut self,
        direction: Direction,
        steps: u32,
    ) -> Result<String, ConsoleError> {
        self.check_writable()?;
        let mut count = self.console.stepping.take().map_or(0, |stepping| stepping.count);
        while count < steps {
            match edit_jobs::step(&mut self.editor, &mut self.jobs, direction)? {
                Stepped::Done => count += 1,
                Stepped::Started(job) => {
                    self.console.stepping = Some(Stepping { count: count + 1, job });
                    return Ok(String::new());
                }
                Stepped::Nothing | Stepped::Busy => break,
            }
        }
        let [verb, done] = match direction {
            Direction::Undo => ["undo", "undone"],
            Direction::Redo => ["redo", "redone"],
        };
        Ok(match count {
            0 => format!("there is nothing to {verb}"),
            1 => format!("1 step {done}"),
            count => format!("{count} steps {done}"),
        })
    }

    /// Changes the surface of a material.
    ///
    /// # Errors
    /// The map is read-only.
    pub(super) fn change_surface(&mut self, task: SurfaceTask) -> Result<String, ConsoleError> {
        self.editor.change_surface(task.name, task.change)?;
        Ok(task.answer)
    }

    /// Opens the console again with a line that failed without waiting, so that it can be
    /// corrected.
    pub(super) fn reopen(&mut self, line: &QueuedLine) {
        // Only a real change triggers Bevy's change detection.
        let mut menu = *self.menu;
        self.console.refuse(line.typed.clone(), &mut menu);
        self.menu.set_if_neq(menu);
    }

    /// Shows the answer to a command, or the reason why it failed. Shows nothing for an empty
    /// answer: the text follows later.
    pub(super) fn tell(&mut self, command: &str, answer: Result<String, ConsoleError>) {
        match answer {
            Ok(answer) if answer.is_empty() => {}
            Ok(answer) => {
                self.notices.info(&answer);
                self.console.note(ConsoleLine::Answer(answer));
            }
            Err(error) => {
                let reason = error.to_string();
                self.notices.warn(format!("{command}: {reason}"));
                self.console.note(ConsoleLine::Problem(reason));
            }
        }
    }
}
