//! The state of the console.

use super::entered::EnteredLines;
use crate::game::editing::edit_jobs::JobId;
use crate::game::state::screens::Menu;
use bevy::prelude::*;
use std::collections::VecDeque;
use std::sync::mpsc;
use stonerun_engine::edit::console::{Console, JobOutcome};

/// Maximum number of lines of the log.
const MAX_LOG_LINES: usize = 200;

/// A line of the console's log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConsoleLine {
    /// A command, as it was typed.
    Command(String),
    /// An answer.
    Answer(String),
    /// The reason why a command failed.
    Problem(String),
}

/// A job of a command.
pub(super) struct CommandJob {
    /// Number of the job.
    pub(super) id: JobId,
    /// The outcome, once the job has computed it.
    pub(super) outcome: mpsc::Receiver<CommandOutcome>,
    /// The outcome of a preview that waits for the player's answer.
    pub(super) previewed: Option<CommandOutcome>,
    /// True if the job may change the selection, the clipboard or the named regions.
    pub(super) changes_console: bool,
    /// True if the player has cancelled all jobs: later commands do not wait for this job.
    pub(super) is_cancelled: bool,
}

/// Outcome of the job of a command.
pub(super) struct CommandOutcome {
    /// The engine's outcome, without its edit.
    pub(super) outcome: JobOutcome,
    /// True if the command changes voxels.
    pub(super) has_changes: bool,
}

/// An entered line that is not carried out yet.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct QueuedLine {
    /// The command.
    pub(super) text: String,
    /// True to show a preview first.
    pub(super) preview: bool,
    /// True if the line itself asks for the preview, by a question mark.
    pub(super) is_marked: bool,
    /// The line as it was typed; `None` for a command that was not typed.
    pub(super) typed: Option<String>,
    /// The player's view when the line was entered; `None` until the next frame.
    pub(super) view: Option<EnteredView>,
    /// Jobs that the line waits for.
    pub(super) waits_for: Option<Wait>,
}

impl QueuedLine {
    /// A command that was not typed.
    pub(super) fn new(text: String, preview: bool) -> QueuedLine {
        QueuedLine { text, preview, is_marked: false, typed: None, view: None, waits_for: None }
    }
}

/// The player's view when a line was entered. Commands refer to it even if they have waited since.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct EnteredView {
    /// Voxel of the player's feet.
    pub(super) placement: IVec3,
    /// Direction of the player's view.
    pub(super) look: bevy::math::DVec3,
    /// Voxel under the crosshair.
    pub(super) target: Option<IVec3>,
}

/// Jobs that a command waits for, because it needs their results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wait {
    /// Jobs that may change the selection, the clipboard or the named regions.
    Console,
    /// Jobs of every kind.
    All,
}

/// An unfinished undo or redo of several steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stepping {
    /// Number of steps that are undone or redone, the job's step included.
    pub(super) count: u32,
    /// The job.
    pub(super) job: JobId,
}

/// The console of the game.
#[derive(Resource)]
pub struct GameConsole {
    /// The engine's console: selection, clipboard, global mask and view.
    pub console: Console,
    /// The line that is being typed.
    pub(super) line: String,
    /// True in the first frame of a line: the cursor moves to its end.
    pub(super) fresh: bool,
    /// Index of the chosen completion.
    pub(super) chosen: usize,
    /// A typed line that failed at once: the console opens with it.
    pub(super) refused: Option<String>,
    /// Lines that were entered before.
    pub(super) entered: EnteredLines,
    /// Entered lines that are not carried out yet, in order.
    pub(super) queue: VecDeque<QueuedLine>,
    /// The unfinished undo or redo of the first line of the queue.
    pub(super) stepping: Option<Stepping>,
    /// Jobs that were started and have not ended.
    pub(super) jobs: Vec<JobSlot>,
    log: VecDeque<ConsoleLine>,
}

/// A job of a command, whose receiver is used by one thread at a time.
pub(super) type JobSlot = bevy::platform::cell::SyncCell<CommandJob>;

impl GameConsole {
    /// The console at the start of the program, with the lines of earlier runs.
    #[must_use]
    pub fn load() -> GameConsole {
        GameConsole {
            console: Console::new(IVec3::ZERO),
            line: String::new(),
            fresh: false,
            chosen: 0,
            refused: None,
            entered: EnteredLines::load(),
            queue: VecDeque::new(),
            stepping: None,
            jobs: Vec::new(),
            log: VecDeque::new(),
        }
    }

    /// Carries out a command as if it had been typed, with a preview first if `preview` is set.
    pub fn enter(&mut self, text: impl Into<String>, preview: bool) {
        self.queue.push_back(QueuedLine::new(text.into(), preview));
    }

    /// The log, the oldest line first.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &ConsoleLine> {
        self.log.iter()
    }

    /// Adds a line to the log.
    pub(super) fn note(&mut self, line: ConsoleLine) {
        if self.log.len() == MAX_LOG_LINES {
            self.log.pop_front();
        }
        self.log.push_back(line);
    }

    /// Opens the console again with a typed line that failed at once, so that it can be corrected.
    /// Does nothing in another menu.
    pub(super) fn refuse(&mut self, typed: Option<String>, menu: &mut Menu) {
        if *menu == Menu::None
            && let Some(line) = typed
        {
            self.refused = Some(line);
            *menu = Menu::Console;
        }
    }

    /// Forgets the state that belongs to a map that is left.
    pub(super) fn leave_map(&mut self) {
        self.console = Console::new(IVec3::ZERO);
        self.refused = None;
        self.queue.clear();
        self.stepping = None;
        self.jobs.clear();
        self.log.clear();
    }
}
