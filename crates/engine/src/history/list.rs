//! The list of done and undone steps.

use super::Direction;
use super::edit_step::EditStep;
use super::follow_up::FollowUp;
use super::numbered_step::{NumberedStep, StepHandle, StepInfo};
use super::stroke::OpenStroke;
use crate::save::{HistoryChange, MapReader, SavedHistory, unix_now};
use crate::voxel::{Voxel, linear_index, local};
use crate::world::Chunk;
use glam::IVec3;
use std::collections::{BTreeSet, VecDeque};

/// Name of steps for strokes and single voxels.
const BLOCKS: &str = "blocks";

/// List of the steps that can be undone and redone.
#[derive(Clone, Debug)]
pub struct History {
    /// Steps to undo, by ascending number; the next one is last.
    pub(super) done: VecDeque<NumberedStep>,
    /// Steps to redo, by descending number; the next one is last.
    pub(super) undone: VecDeque<NumberedStep>,
    pub(super) memory_bytes: usize,
    pub(super) memory_limit: usize,
    /// Sum of the packed bytes of all steps.
    pub(super) packed_bytes: u64,
    pub(super) total_limit: u64,
    next_number: u64,
    /// Steps with lower numbers were part of the last save, so only rewrites and removals change
    /// them.
    saved_below: u64,
    /// True if the history differs from the last save.
    pub(super) changed: bool,
    /// The open stroke. While it has changes, there is nothing to redo.
    pub(super) stroke: Option<OpenStroke>,
    /// Follow-ups of done steps, by ascending number of the step. A removed or undone step has
    /// none.
    pub(super) follow_ups: Vec<FollowUp>,
    /// Numbers of steps that were rewritten since the last save to include follow-ups.
    pub(super) rewritten: BTreeSet<u64>,
    /// Number of times that a recorded step was rewritten.
    pub(super) rewrites: u64,
    /// Number of undos and redos in this session.
    applied_count: u64,
    /// Reads steps from the map; `None` without a map.
    pub(super) reader: Option<MapReader>,
    /// Numbers of steps that are not packed or not saved yet, ascending.
    pub(super) unsettled: VecDeque<u64>,
}

impl History {
    /// Creates an empty history without a map, which keeps all steps in memory.
    #[must_use]
    pub fn new(memory_limit: usize) -> History {
        History {
            done: VecDeque::new(),
            undone: VecDeque::new(),
            memory_bytes: 0,
            memory_limit,
            packed_bytes: 0,
            total_limit: u64::MAX,
            next_number: 1,
            saved_below: 1,
            changed: false,
            stroke: None,
            follow_ups: Vec::new(),
            rewritten: BTreeSet::new(),
            rewrites: 0,
            applied_count: 0,
            reader: None,
            unsettled: VecDeque::new(),
        }
    }

    /// Creates an empty history for a map whose saved history is damaged. The next save deletes the
    /// saved steps.
    #[must_use]
    pub fn replacing_saved(memory_limit: usize, reader: MapReader) -> History {
        History { changed: true, reader: Some(reader), ..History::new(memory_limit) }
    }

    /// Creates the history that a map of `material_count` materials holds. `reader` reads its steps
    /// when they are undone.
    #[must_use]
    pub fn from_saved(
        saved: SavedHistory,
        material_count: usize,
        memory_limit: usize,
        reader: MapReader,
    ) -> History {
        let mut history = History { reader: Some(reader), ..History::new(memory_limit) };
        for saved_step in saved.steps {
            let number = saved_step.number;
            let step = EditStep::saved(saved_step.header, saved_step.bytes, material_count);
            let mut numbered = NumberedStep::new(number, step);
            history.count(&mut numbered);
            history.next_number = number + 1;
            if number <= saved.last_done {
                history.done.push_back(numbered);
            } else {
                history.undone.push_front(numbered);
            }
        }
        history.saved_below = history.next_number;
        history
    }

    /// Adds an edit that was just made, which led to `revision` of the world. Drops all steps that
    /// could be redone, and ends an open stroke.
    pub fn record(&mut self, step: EditStep, revision: u64) {
        self.end_stroke();
        self.drop_undone();
        self.push(self.next_number, step, Some(revision));
        self.shrink();
    }

    /// Adds the change of one voxel that is about to be made, to the open stroke or as a step of
    /// its own. `chunk` is the voxel's chunk before the change. Drops all steps that could be
    /// redone.
    pub(crate) fn record_voxel(&mut self, at: IVec3, chunk: &Chunk, voxel: Voxel) {
        let Some(stroke) = &mut self.stroke else {
            let before = chunk.get(linear_index(local(at)));
            if let Some(step) = EditStep::from_voxel(BLOCKS, unix_now(), at, before, voxel) {
                self.drop_undone();
                self.push(self.next_number, step, None);
                self.shrink();
            }
            return;
        };
        stroke.add(at, chunk, voxel);
        self.changed = true;
        self.drop_undone();
        self.shrink();
    }

    /// Begins a stroke: voxels recorded from here on become one step. An open stroke continues.
    pub fn begin_stroke(&mut self) {
        self.stroke.get_or_insert_default();
    }

    /// True while a stroke is open.
    #[must_use]
    pub fn in_stroke(&self) -> bool {
        self.stroke.is_some()
    }

    /// Ends the open stroke, if any. It becomes a step unless it changed nothing.
    pub fn end_stroke(&mut self) {
        self.close_stroke();
        self.shrink();
    }

    /// Ends the open stroke, if any, without enforcing limits, and rewrites steps that lack some of
    /// their follow-ups.
    pub(super) fn close_stroke(&mut self) {
        self.record_stroke();
        self.stroke = None;
        self.record_follow_ups();
    }

    /// Replaces the last step by another step with its number, or removes it if `step` is `None`.
    pub(super) fn replace_last(&mut self, number: u64, step: Option<EditStep>) {
        if let Some(outdated) = self.done.pop_back() {
            self.forget(&outdated);
        }
        if let Some(step) = step {
            self.push(number, step, None);
        }
    }

    /// Records the open stroke as the last step. Replaces the step that an earlier save recorded
    /// for the stroke.
    fn record_stroke(&mut self) {
        let Some(stroke) = self.stroke.as_mut().filter(|stroke| stroke.changed) else { return };
        stroke.changed = false;
        let step = stroke.to_step(BLOCKS, unix_now());
        let is_recorded = std::mem::replace(&mut stroke.recorded, step.is_some());
        if let Some(outdated) = self.done.back().filter(|_| is_recorded) {
            self.replace_last(outdated.number, step);
        } else if let Some(step) = step {
            self.push(self.next_number, step, None);
        }
    }

    /// Adds a step to the steps to undo.
    fn push(&mut self, number: u64, step: EditStep, revision: Option<u64>) {
        // A new step has its chunks in memory.
        let chunks = step.chunks().map_or_else(Vec::new, |chunks| {
            chunks.changes.iter().map(|change| change.pos).collect()
        });
        self.begin_following(number, chunks);
        let mut numbered = NumberedStep { revision, ..NumberedStep::new(number, step) };
        self.next_number = self.next_number.max(number + 1);
        self.count(&mut numbered);
        if self.unsettled.back().is_none_or(|last| *last < number) {
            self.unsettled.push_back(number);
        }
        self.done.push_back(numbered);
        self.changed = true;
    }

    /// Drops all steps that could be redone.
    fn drop_undone(&mut self) {
        while let Some(dropped) = self.undone.pop_back() {
            self.forget(&dropped);
        }
    }

    /// Updates sums, follow-ups and save state for a step that was removed from the list.
    pub(super) fn forget(&mut self, dropped: &NumberedStep) {
        // Changes by rules near the step follow from an older step now.
        self.end_following_of(dropped.number);
        self.memory_bytes -= dropped.memory;
        self.packed_bytes -= dropped.packed;
        self.changed = true;
        // A save deletes all steps below the oldest one, so dropping the oldest changes nothing
        // else. Later steps must not count as new then: if only the map holds them, they cannot be
        // written again.
        let oldest = self.done.front().or(self.undone.back());
        if oldest.is_none_or(|oldest| oldest.number < dropped.number) {
            self.saved_below = self.saved_below.min(dropped.number);
        }
    }

    /// Returns the step to apply next in this direction. Does not see an open stroke, so callers
    /// end it first.
    #[must_use]
    pub fn next_step(&self, direction: Direction) -> Option<StepHandle> {
        let next = match direction {
            Direction::Undo => self.done.back(),
            Direction::Redo => self.undone.back(),
        };
        next.map(|step| self.handle_of(step))
    }

    /// Returns the step with this number, if it exists. Does not see an open stroke.
    #[must_use]
    pub fn step(&self, number: u64) -> Option<StepHandle> {
        self.find(number).map(|step| self.handle_of(step))
    }

    pub(super) fn handle_of(&self, numbered: &NumberedStep) -> StepHandle {
        let NumberedStep { number, ref step, revision, .. } = *numbered;
        StepHandle { number, step: step.clone(), revision, reader: self.reader.clone() }
    }

    fn find(&self, number: u64) -> Option<&NumberedStep> {
        let in_done = self.done.binary_search_by_key(&number, |step| step.number);
        let in_undone = || self.undone.binary_search_by(|step| number.cmp(&step.number));
        in_done.map_or_else(
            |_| in_undone().ok().map(|index| &self.undone[index]),
            |index| Some(&self.done[index]),
        )
    }

    pub(super) fn find_mut(&mut self, number: u64) -> Option<&mut NumberedStep> {
        match self.done.binary_search_by_key(&number, |step| step.number) {
            Ok(index) => self.done.get_mut(index),
            Err(_) => {
                let index = self.undone.binary_search_by(|step| number.cmp(&step.number)).ok()?;
                self.undone.get_mut(index)
            }
        }
    }

    /// Returns the number under which the next change of an open stroke, or the next edit, will be
    /// recorded.
    #[must_use]
    pub fn number_of_next_edit(&self) -> u64 {
        match (&self.stroke, self.done.back()) {
            (Some(stroke), Some(last)) if stroke.recorded => last.number,
            _ => self.next_number,
        }
    }

    /// Moves the step of [`History::next_step`] to the other list, after it was applied, which led
    /// to `revision` of the world.
    pub(crate) fn mark_applied(&mut self, direction: Direction, revision: u64) {
        let (from, to) = match direction {
            Direction::Undo => (&mut self.done, &mut self.undone),
            Direction::Redo => (&mut self.undone, &mut self.done),
        };
        let applied = from.pop_back().map(|step| NumberedStep { revision: Some(revision), ..step });
        let number = applied.as_ref().map(|step| step.number);
        to.extend(applied);
        if let (Direction::Undo, Some(number)) = (direction, number) {
            self.end_following_of(number);
        }
        self.applied_count += 1;
        self.changed = true;
    }

    /// Returns the number of undos and redos in this session. Background work compares it to detect
    /// an undo or redo since its snapshot.
    #[must_use]
    pub fn applied_count(&self) -> u64 {
        self.applied_count
    }

    /// Returns how often recorded steps were rewritten to include follow-ups.
    #[must_use]
    pub(crate) fn rewrites(&self) -> u64 {
        self.rewrites
    }

    /// Returns the direction of the next step towards the state after step `number`, or, for 0,
    /// towards the state before all steps. `None` once that state is reached.
    #[must_use]
    pub fn direction_to(&self, number: u64) -> Option<Direction> {
        match (self.done.back(), self.undone.back()) {
            (Some(done), _) if done.number > number => Some(Direction::Undo),
            (_, Some(undone)) if undone.number <= number => Some(Direction::Redo),
            _ => None,
        }
    }

    /// Iterates over all steps from the oldest on, without an open stroke.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = StepInfo<'_>> {
        let done = self.done.iter().map(|step| (step, true));
        done.chain(self.undone.iter().rev().map(|step| (step, false))).map(|(numbered, is_done)| {
            let step = &numbered.step;
            StepInfo {
                number: numbered.number,
                name: step.name(),
                unix: step.unix(),
                voxels: step.known_header().map_or(0, |header| header.voxels),
                chunks: step.chunk_count(),
                surface: step.surface(),
                bytes: numbered.step.packed_bytes(),
                is_done,
                is_in_memory: numbered.step.is_in_memory(),
            }
        })
    }

    /// Takes the changes since the last call, for a save; `None` if nothing has changed. Steps are
    /// not packed here but by the thread that saves.
    pub(crate) fn take_change(&mut self) -> Option<HistoryChange> {
        self.record_stroke();
        self.record_follow_ups();
        self.shrink();
        if !std::mem::take(&mut self.changed) {
            return None;
        }
        let is_new = |numbered: &&NumberedStep| numbered.number >= self.saved_below;
        let new =
            self.done.iter().rev().take_while(is_new).chain(self.undone.iter().take_while(is_new));
        let added = new.map(|numbered| (numbered.number, numbered.step.to_unsaved())).collect();
        let first = self
            .done
            .front()
            .or(self.undone.back())
            .map_or(self.next_number, |numbered| numbered.number);
        let last_done = self.done.back().map_or(0, |numbered| numbered.number);
        // Steps from `saved_below` on are in `added`, and steps below `first` have been dropped.
        let saved = first..self.saved_below;
        let rewritten =
            std::mem::take(&mut self.rewritten).into_iter().filter(|number| saved.contains(number));
        let step_of = |number| Some((number, self.find(number)?.step.to_unsaved()));
        let rewritten = rewritten.filter_map(step_of).collect();
        let change =
            HistoryChange { first, unchanged_below: self.saved_below, added, rewritten, last_done };
        self.saved_below = self.next_number;
        Some(change)
    }

    /// Number of steps that can be undone. An open stroke with changes counts as one.
    #[must_use]
    pub fn undo_count(&self) -> usize {
        let unrecorded =
            self.stroke.as_ref().is_some_and(|stroke| stroke.changed && !stroke.recorded);
        self.done.len() + usize::from(unrecorded)
    }

    /// Number of steps that can be redone.
    #[must_use]
    pub fn redo_count(&self) -> usize {
        self.undone.len()
    }
}
