//! The state of the console.

use super::entered::EnteredLines;
use crate::game::editing::edit_jobs::JobId;
use crate::game::state::screens::Menu;
use bevy::prelude::*;
use std::collections::VecDeque;
use std::sync::mpsc;
use stonerun_engine::edit::console::{Console, JobOutcome};

/// Most lines of the log.
const MOST_LINES: usize = 200;

/// A line of the console's log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConsoleLine {
    /// A command, as it was typed.
    Command(String),
    /// An answer.
    Answer(String),
    /// Why a command failed.
    Problem(String),
}

/// A job of a command.
pub(super) struct CommandJob {
    pub(super) id: JobId,
    /// The outcome, once the job has computed it.
    pub(super) outcome: mpsc::Receiver<CommandOutcome>,
    /// The outcome of a preview that waits for the player's answer.
    pub(super) previewed: Option<CommandOutcome>,
    /// True if it may change the selection, the clipboard or the named regions.
    pub(super) changes_console: bool,
    /// True if the player has cancelled all jobs: commands that follow do not wait for it.
    pub(super) is_cancelled: bool,
}

/// What the job of a command has found out.
pub(super) struct CommandOutcome {
    /// The outcome, without its edit.
    pub(super) outcome: JobOutcome,
    /// True if the command changes voxels.
    pub(super) has_changes: bool,
}

/// An entered line.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Entry {
    /// The command.
    pub(super) text: String,
    /// True to show what it would do first.
    pub(super) preview: bool,
    /// True if the line itself asks for that, by a question mark.
    pub(super) is_marked: bool,
    /// The line as it was typed; `None` for a command that was not typed.
    pub(super) typed: Option<String>,
    /// The player's view when it was entered; `None` until the console has seen it.
    pub(super) view: Option<EnteredView>,
    /// Jobs that it waits for.
    pub(super) waits_for: Option<Wait>,
}

impl Entry {
    /// A command that was not typed.
    pub(super) fn new(text: String, preview: bool) -> Entry {
        Entry { text, preview, is_marked: false, typed: None, view: None, waits_for: None }
    }
}

/// The player's view when a line was entered: commands that wait refer to it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct EnteredView {
    /// The voxel of the player's feet.
    pub(super) placement: IVec3,
    /// Direction of the player's look.
    pub(super) look: bevy::math::DVec3,
    /// The voxel under the crosshair.
    pub(super) target: Option<IVec3>,
}

/// Jobs that a command waits for, so that it sees their results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wait {
    /// Those that may change the selection, the clipboard or the named regions.
    Console,
    /// All.
    All,
}

/// An undo or redo of several steps that is not finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stepping {
    /// Steps that are undone or redone, with the one that the job does.
    pub(super) count: u32,
    /// The job.
    pub(super) job: JobId,
}

/// The console.
#[derive(Resource)]
pub struct GameConsole {
    /// The selection, and where shapes are made.
    pub console: Console,
    /// The line that is being typed.
    pub(super) line: String,
    /// True in the first frame of the line: it takes the focus.
    pub(super) fresh: bool,
    /// The chosen completion, by number.
    pub(super) chosen: usize,
    /// A typed line that failed at once, which the console opens with.
    pub(super) refused: Option<String>,
    /// Lines that were entered before.
    pub(super) entered: EnteredLines,
    /// Lines that were entered and are not carried out yet.
    pub(super) entries: VecDeque<Entry>,
    /// Steps that the first of them has undone or redone so far, and the job that does the next one.
    pub(super) stepping: Option<Stepping>,
    /// Jobs that were started and have not ended.
    pub(super) jobs: Vec<JobSlot>,
    log: VecDeque<ConsoleLine>,
}

/// A job of a command, which only one thread at a time looks at.
pub(super) type JobSlot = bevy::platform::cell::SyncCell<CommandJob>;

impl GameConsole {
    /// The console as the program starts: with the lines that were entered before.
    #[must_use]
    pub fn load() -> GameConsole {
        GameConsole {
            console: Console::new(IVec3::ZERO),
            line: String::new(),
            fresh: false,
            chosen: 0,
            refused: None,
            entered: EnteredLines::load(),
            entries: VecDeque::new(),
            stepping: None,
            jobs: Vec::new(),
            log: VecDeque::new(),
        }
    }

    /// Carries out a command as if it had been typed. `preview` shows what it would do first.
    pub fn enter(&mut self, text: impl Into<String>, preview: bool) {
        self.entries.push_back(Entry::new(text.into(), preview));
    }

    /// The log, the oldest line first.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &ConsoleLine> {
        self.log.iter()
    }

    /// Adds a line to the log.
    pub(super) fn note(&mut self, line: ConsoleLine) {
        if self.log.len() == MOST_LINES {
            self.log.pop_front();
        }
        self.log.push_back(line);
    }

    /// Opens the console again with a typed line that failed at once, so that it can be mended.
    /// Does nothing in another menu.
    pub(super) fn refuse(&mut self, typed: Option<String>, menu: &mut Menu) {
        if *menu == Menu::None
            && let Some(line) = typed
        {
            self.refused = Some(line);
            *menu = Menu::Console;
        }
    }

    /// Forgets what belongs to a map that is left.
    pub(super) fn leave_map(&mut self) {
        self.console = Console::new(IVec3::ZERO);
        self.refused = None;
        self.entries.clear();
        self.stepping = None;
        self.jobs.clear();
        self.log.clear();
    }
}
