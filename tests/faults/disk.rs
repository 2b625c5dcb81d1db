//! A disk that can be full, fail and lose power. It tracks which content of each file and of the
//! folder is durable, and which is pending.
//!
//! Data written since a file's last sync may be on the disk or not, each sector of 512 bytes
//! independently and in any order. The same holds for each name that was added to or removed from
//! the folder since its last sync. SQLite's VFS synchronises the folder with the first sync of a
//! new journal or log, and where `xDelete` requests it; nothing else does. Bytes that are not
//! written never change (SQLite's "powersafe overwrite"). A failed sync may lose the data that it
//! should have written, and no later sync restores it.

use super::dice::Dice;
use rusqlite::ffi;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

const SECTOR: usize = 512;

/// A storage operation of SQLite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Open,
    Create,
    Read,
    Write,
    Truncate,
    Sync,
    Delete,
    /// Growth of shared memory, which is a file too.
    Share,
}

/// A fault of the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The disk is full.
    Full,
    /// Nothing can be written.
    Unwritable,
    /// Nothing can be read.
    Unreadable,
}

impl Fault {
    /// The SQLite code with which `op` fails under this fault; `None` if it succeeds.
    fn code(self, op: Op) -> Option<i32> {
        let code = match (self, op) {
            (Fault::Full, Op::Write) => ffi::SQLITE_FULL,
            (Fault::Full, Op::Share) => ffi::SQLITE_IOERR_SHMSIZE,
            (Fault::Full | Fault::Unwritable, Op::Create) => ffi::SQLITE_CANTOPEN,
            (Fault::Unwritable, Op::Write) => ffi::SQLITE_IOERR_WRITE,
            (Fault::Unwritable, Op::Truncate) => ffi::SQLITE_IOERR_TRUNCATE,
            (Fault::Unwritable, Op::Sync) => ffi::SQLITE_IOERR_FSYNC,
            (Fault::Unwritable, Op::Delete) => ffi::SQLITE_IOERR_DELETE,
            (Fault::Unwritable, Op::Share) => ffi::SQLITE_IOERR_SHMMAP,
            (Fault::Unreadable, Op::Read) => ffi::SQLITE_IOERR_READ,
            (Fault::Unreadable, Op::Open) => ffi::SQLITE_CANTOPEN,
            _ => return None,
        };
        Some(code)
    }
}

/// Syncs that the disk reports as done but skips. With them, tests check that lost saves are
/// detected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkippedSync {
    /// Syncs of files do nothing.
    Files,
    /// Syncs of the folder do nothing.
    Folder,
}

/// A change of a file's content.
#[derive(Clone, Debug)]
enum Change {
    Write(usize, Vec<u8>),
    Truncate(usize),
}

/// A change of the names in the folder. An added name has the number of its file.
#[derive(Clone, Debug)]
enum NameChange {
    Added(String, usize),
    Removed(String),
}

#[derive(Clone, Default, Debug)]
struct File {
    durable: Vec<u8>,
    waiting: Vec<Change>,
    /// True for a journal or log that was never synchronised.
    is_new_log: bool,
}

/// Contents of the files in the folder, by name.
pub type Image = BTreeMap<String, Vec<u8>>;

/// A power loss: the folder as it is afterwards, and the saves that were started and reported
/// before.
pub struct Moment {
    /// Number of disk changes before the power loss.
    pub changes: u64,
    /// Number of the last save that was reported as done.
    pub reported: u64,
    /// Number of the last save that was started.
    pub started: u64,
    pub image: Image,
}

#[derive(Default)]
struct State {
    dice: Dice,
    files: Vec<File>,
    names: BTreeMap<String, usize>,
    durable_names: BTreeMap<String, usize>,
    waiting_names: Vec<NameChange>,
    skipped_sync: Option<SkippedSync>,
    without_wal: bool,
    fault: Option<(Fault, std::ops::Range<u64>)>,
    /// Number of operations so far that the fault applied to.
    fault_opportunities: u64,
    injected: u64,
    changes: u64,
    losses: BTreeSet<u64>,
    /// An action, and the number of the change before which it runs.
    run_before: Option<(u64, Box<dyn FnOnce() + Send>)>,
    moments: Vec<Moment>,
    reported: u64,
    started: u64,
}

/// A folder's disk.
#[derive(Default)]
pub struct Disk(Mutex<State>);

impl Disk {
    /// A disk that contains `image`. `seed` decides which data a power loss keeps.
    pub fn new(seed: u64, image: &Image) -> Disk {
        let files = image
            .values()
            .map(|bytes| File { durable: bytes.clone(), ..File::default() })
            .collect();
        let names: BTreeMap<String, usize> = image.keys().cloned().zip(0..).collect();
        let durable_names = names.clone();
        Disk(Mutex::new(State {
            dice: Dice::new(seed),
            files,
            names,
            durable_names,
            ..State::default()
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Skips syncs of this kind.
    pub fn skip_syncs(&self, kind: SkippedSync) {
        self.state().skipped_sync = Some(kind);
    }

    /// Disables shared memory, so that SQLite cannot use a WAL.
    pub fn without_wal(&self) {
        self.state().without_wal = true;
    }

    pub fn has_wal(&self) -> bool {
        !self.state().without_wal
    }

    /// Injects a fault: operations to which `fault` applies are counted from 0, and those with a
    /// number in `range` fail.
    pub fn inject_fault(&self, fault: Fault, range: std::ops::Range<u64>) {
        let mut s = self.state();
        s.fault = Some((fault, range));
        s.fault_opportunities = 0;
    }

    /// Clears the fault, and returns the number of operations that failed.
    pub fn clear_fault(&self) -> u64 {
        let mut s = self.state();
        s.fault = None;
        std::mem::take(&mut s.injected)
    }

    /// Number of operations to which the fault applied since `inject_fault`.
    pub fn fault_opportunities(&self) -> u64 {
        self.state().fault_opportunities
    }

    /// Number of changes so far.
    pub fn changes(&self) -> u64 {
        self.state().changes
    }

    /// Records a power loss at each of these changes. The program continues undisturbed.
    pub fn record_power_losses(&self, at: BTreeSet<u64>) {
        self.state().losses = at;
    }

    /// Runs `action` before change number `change`.
    pub fn run_before(&self, change: u64, action: impl FnOnce() + Send + 'static) {
        self.state().run_before = Some((change, Box::new(action)));
    }

    /// Cancels the action set by `run_before`.
    pub fn clear_run_before(&self) {
        self.state().run_before = None;
    }

    /// Removes and returns the power losses recorded so far.
    pub fn take_moments(&self) -> Vec<Moment> {
        std::mem::take(&mut self.state().moments)
    }

    /// The power loss that would happen now.
    pub fn lose_power_now(&self) -> Moment {
        self.state().lose_power()
    }

    /// Records that a save starts.
    pub fn note_started(&self, save: u64) {
        self.state().started = save;
    }

    /// Records that a save was reported as done.
    pub fn note_reported(&self, save: u64) {
        self.state().reported = save;
    }

    /// The error code if `op` fails. Counts `op` if the fault applies to it.
    pub fn fails(&self, op: Op) -> Option<i32> {
        let mut s = self.state();
        let code = s.fault.as_ref()?.0.code(op)?;
        let is_hit = s.fault.as_ref()?.1.contains(&s.fault_opportunities);
        s.fault_opportunities += 1;
        s.injected += u64::from(is_hit);
        is_hit.then_some(code)
    }

    /// Opens a file and returns its number. A file that was not created through SQLite is a new
    /// name in the folder, too.
    pub fn opened(&self, name: &str, is_new_log: bool) -> usize {
        let mut s = self.state();
        if let Some(&number) = s.names.get(name).filter(|_| !is_new_log) {
            return number;
        }
        let number = s.files.len();
        s.files.push(File { is_new_log, ..File::default() });
        s.names.insert(name.to_owned(), number);
        s.changed(|s| s.waiting_names.push(NameChange::Added(name.to_owned(), number)));
        number
    }

    pub fn deleted(&self, name: &str, sync_folder: bool) {
        let mut s = self.state();
        s.names.remove(name);
        s.changed(|s| s.waiting_names.push(NameChange::Removed(name.to_owned())));
        if sync_folder {
            s.sync_folder();
        }
    }

    pub fn wrote(&self, number: usize, at: usize, bytes: &[u8]) {
        self.state().changed(|s| s.files[number].waiting.push(Change::Write(at, bytes.to_vec())));
    }

    pub fn truncated(&self, number: usize, size: usize) {
        self.state().changed(|s| s.files[number].waiting.push(Change::Truncate(size)));
    }

    pub fn synced(&self, number: usize, is_done: bool) {
        let mut s = self.state();
        s.changed(|_| ());
        if !is_done {
            if s.dice.one_in(2) {
                let file = &mut s.files[number];
                let waiting = std::mem::take(&mut file.waiting);
                let mut durable = std::mem::take(&mut file.durable);
                Chance::draw(&mut s.dice).apply(&mut s.dice, &mut durable, &waiting);
                s.files[number].durable = durable;
            }
            return;
        }
        if s.skipped_sync == Some(SkippedSync::Files) {
            return;
        }
        let file = &mut s.files[number];
        let waiting = std::mem::take(&mut file.waiting);
        for change in waiting.iter() {
            apply(&mut file.durable, change);
        }
        if std::mem::take(&mut file.is_new_log) {
            s.sync_folder();
        }
    }
}

impl State {
    /// Makes a change. Before it, a power loss may be recorded and the action of `run_before` may
    /// run.
    fn changed(&mut self, make: impl FnOnce(&mut State)) {
        if self.losses.contains(&self.changes) {
            let moment = self.lose_power();
            self.moments.push(moment);
        }
        if let Some((_, action)) = self.run_before.take_if(|(change, _)| *change == self.changes) {
            action();
        }
        self.changes += 1;
        make(self);
    }

    fn sync_folder(&mut self) {
        if self.skipped_sync != Some(SkippedSync::Folder) {
            let waiting = std::mem::take(&mut self.waiting_names);
            for name in waiting.iter() {
                rename(&mut self.durable_names, name);
            }
        }
    }

    fn lose_power(&mut self) -> Moment {
        let mut names = self.durable_names.clone();
        let chance = Chance::draw(&mut self.dice);
        for name in chance.some(&mut self.dice, &self.waiting_names) {
            rename(&mut names, name);
        }
        let mut image = Image::new();
        for (name, number) in names {
            let file = &self.files[number];
            let mut bytes = file.durable.clone();
            Chance::draw(&mut self.dice).apply(&mut self.dice, &mut bytes, &file.waiting);
            image.insert(name, bytes);
        }
        Moment { changes: self.changes, reported: self.reported, started: self.started, image }
    }
}

fn rename(names: &mut BTreeMap<String, usize>, name: &NameChange) {
    match name {
        NameChange::Added(name, number) => _ = names.insert(name.clone(), *number),
        NameChange::Removed(name) => _ = names.remove(name),
    }
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    match change {
        Change::Write(at, new) => {
            let end = at + new.len();
            bytes.resize(bytes.len().max(end), 0);
            bytes[*at..end].copy_from_slice(new);
        }
        Change::Truncate(size) => bytes.truncate(*size),
    }
}

/// Way in which the pending changes that reach the disk are chosen at random.
enum Chance {
    /// A prefix of the changes, and each sector of the next change at random.
    First,
    /// Each sector of every change, with a probability of this many eighths.
    Each(u64),
}

impl Chance {
    fn draw(dice: &mut Dice) -> Chance {
        match dice.below(6) {
            0 => Chance::Each(0),
            1 => Chance::Each(8),
            2 => Chance::Each(1),
            3 => Chance::Each(4),
            4 => Chance::Each(7),
            _ => Chance::First,
        }
    }

    /// The changes of `all` that reach the disk.
    fn some<'a, T>(&self, dice: &mut Dice, all: &'a [T]) -> Vec<&'a T> {
        match self {
            Chance::First => all[..dice.below(all.len() as u64 + 1) as usize].iter().collect(),
            Chance::Each(eighths) => all.iter().filter(|_| dice.below(8) < *eighths).collect(),
        }
    }

    fn apply(&self, dice: &mut Dice, bytes: &mut Vec<u8>, changes: &[Change]) {
        let whole = match self {
            Chance::First => dice.below(changes.len() as u64 + 1) as usize,
            Chance::Each(_) => 0,
        };
        for change in changes[..whole].iter() {
            apply(bytes, change);
        }
        let (rest, eighths) = match self {
            Chance::First => (&changes[whole..changes.len().min(whole + 1)], 4),
            Chance::Each(eighths) => (changes, *eighths),
        };
        for change in rest {
            match change {
                Change::Truncate(_) if dice.below(8) < eighths => apply(bytes, change),
                Change::Truncate(_) => {}
                Change::Write(at, new) => write_some(dice, bytes, *at, new, eighths),
            }
        }
    }
}

/// Writes some of the sectors of `new`. Where a lost sector would have extended the file, the file
/// may grow anyway, with zeros or with random bytes for old data of the disk.
fn write_some(dice: &mut Dice, bytes: &mut Vec<u8>, at: usize, new: &[u8], eighths: u64) {
    let mut from = 0;
    while from < new.len() {
        let to = ((at + from) / SECTOR + 1) * SECTOR - at;
        let part = &new[from..to.min(new.len())];
        if dice.below(8) < eighths {
            apply(bytes, &Change::Write(at + from, part.to_vec()));
        } else if at + from >= bytes.len() && eighths > 0 {
            match dice.below(3) {
                0 => apply(bytes, &Change::Write(at + from, vec![0; part.len()])),
                1 => {
                    let rubbish = part.iter().map(|_| dice.below(256) as u8).collect();
                    apply(bytes, &Change::Write(at + from, rubbish));
                }
                _ => {}
            }
        }
        from += part.len();
    }
}
