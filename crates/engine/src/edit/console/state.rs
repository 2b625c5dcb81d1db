//! State that commands use and change.

use super::job::{ConsoleChange, JobOutcome};
use super::named_regions::NamedRegions;
use super::selection_history::SelectionHistory;
use super::words::{SeedUser, Seeds};
use crate::edit::Mask;
use crate::edit::clipboard::Clipboard;
use crate::edit::region::RegionPlan;
use crate::edit::selection::{Selection, SelectionError};
use crate::voxel::Face;
use glam::{DVec3, IVec3};

/// State of a builder's console: selection, clipboard, global mask, and the position and view of
/// the player.
#[derive(Clone, Debug)]
pub struct Console {
    selection: Selection,
    /// Global mask.
    mask: Mask,
    clipboard: Option<Clipboard>,
    /// Position of the player when the clipboard was copied.
    copied_at: IVec3,
    /// Counter that increases with each change of the clipboard.
    clipboard_revision: u64,
    selections: SelectionHistory,
    /// Number that the next edit will have in the undo history.
    step: u64,
    /// Number of commands that drew seeds since `step` last changed.
    random_commands: u64,
    /// Changes of named regions since the map was opened.
    pub(super) regions: NamedRegions,
    /// Voxel of the player's feet, where balls, cylinders and pasted copies are placed.
    pub placement: IVec3,
    /// Voxel under the crosshair; `None` if there is none in reach.
    pub target: Option<IVec3>,
    /// Direction of the player's view, of any length except 0. North is -z.
    pub look: DVec3,
}

impl Console {
    /// Console without a selection, for a player who looks north.
    #[must_use]
    pub fn new(placement: IVec3) -> Console {
        Console {
            selection: Selection::default(),
            mask: Mask::Any,
            clipboard: None,
            copied_at: placement,
            clipboard_revision: 0,
            selections: SelectionHistory::default(),
            step: 0,
            random_commands: 0,
            regions: NamedRegions::default(),
            placement,
            target: None,
            look: DVec3::NEG_Z,
        }
    }

    /// Sets the number that the next edit will have in the undo history. It seeds random patterns
    /// and masks, so that the same command on the same map makes the same choices.
    pub fn set_next_step(&mut self, number: u64) {
        if self.step != number {
            self.step = number;
            self.random_commands = 0;
        }
    }

    /// Seeds for the next command. They differ from the seeds of earlier commands with the same
    /// step number, whose edits are not yet in the history or were dropped.
    pub(super) fn seeds(&self) -> Seeds {
        Seeds::from_step(SeedUser::Console, self.step, self.random_commands)
    }

    /// Counts a command if it has drawn seeds.
    pub(super) fn note_used(&mut self, seeds: &Seeds) {
        self.random_commands += u64::from(seeds.are_used());
    }

    /// Current selection.
    #[must_use]
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Current selection, mutable.
    pub fn selection_mut(&mut self) -> &mut Selection {
        &mut self.selection
    }

    /// Replaces the selection.
    pub fn set_selection(&mut self, selection: Selection) {
        self.selection = selection;
    }

    /// Records the selection in the selection history if it has changed. Called before and after
    /// each command, because tools and jobs also change the selection.
    pub(super) fn note_selection(&mut self) {
        self.selections.note(&self.selection);
    }

    /// Restores the previous selection. Returns false if there is none.
    pub(crate) fn undo_selection(&mut self) -> bool {
        self.note_selection();
        let selection = self.selections.undo();
        selection.map(|selection| self.selection = selection).is_some()
    }

    /// Restores the last undone selection. Returns false if there is none.
    pub(crate) fn redo_selection(&mut self) -> bool {
        self.note_selection();
        let selection = self.selections.redo();
        selection.map(|selection| self.selection = selection).is_some()
    }

    /// Global mask: voxels that commands may change.
    #[must_use]
    pub fn mask(&self) -> &Mask {
        &self.mask
    }

    /// Sets the global mask. [`Mask::Any`] removes the restriction.
    pub fn set_mask(&mut self, mask: Mask) {
        self.mask = mask;
    }

    /// Clipboard: the voxels copied last, with the transforms of later commands applied.
    #[must_use]
    pub fn clipboard(&self) -> Option<&Clipboard> {
        self.clipboard.as_ref()
    }

    /// Counter that increases with each change of the clipboard.
    #[must_use]
    pub fn clipboard_revision(&self) -> u64 {
        self.clipboard_revision
    }

    /// Position of the player when the clipboard was copied, where `//paste -o` puts it.
    #[must_use]
    pub(crate) fn copied_at(&self) -> IVec3 {
        self.copied_at
    }

    /// Replaces the clipboard. `copied_at` is the position where `//paste -o` will put it.
    pub fn set_clipboard(&mut self, clipboard: Clipboard, copied_at: IVec3) {
        self.clipboard = Some(clipboard);
        self.copied_at = copied_at;
        self.clipboard_revision += 1;
    }

    /// Empties the clipboard.
    pub fn clear_clipboard(&mut self) {
        self.clipboard = None;
        self.clipboard_revision += 1;
    }

    /// Plan of the selected voxels, to be carried out by a job.
    ///
    /// # Errors
    /// Nothing is selected, or the selection is too large.
    pub fn region(&self) -> Result<RegionPlan, SelectionError> {
        self.selection.plan()
    }

    /// Axis direction nearest to the player's view.
    #[must_use]
    pub fn forward(&self) -> Face {
        nearest_face(self.look)
    }

    /// Horizontal axis direction nearest to the player's view.
    #[must_use]
    pub(crate) fn level_forward(&self) -> Face {
        let level = self.look.with_y(0.0);
        if level == DVec3::ZERO { Face::North } else { nearest_face(level) }
    }

    /// Applies the change of the console that a job requested.
    pub fn accept(&mut self, outcome: &JobOutcome) {
        self.note_selection();
        match &outcome.change {
            Some(ConsoleChange::Selection(selection)) => self.selection = selection.clone(),
            Some(ConsoleChange::Copied(clipboard, at)) => {
                self.set_clipboard(clipboard.clone(), *at)
            }
            Some(ConsoleChange::Transformed(clipboard)) => {
                self.set_clipboard(clipboard.clone(), self.copied_at)
            }
            // The caller runs the task with the map.
            Some(ConsoleChange::Region(_)) | None => {}
        }
        self.note_selection();
    }
}

/// Face whose normal is nearest to a direction.
fn nearest_face(look: DVec3) -> Face {
    let along = |face: &Face| look.dot(face.normal().as_dvec3());
    let nearest = Face::ALL.into_iter().max_by(|a, b| along(a).total_cmp(&along(b)));
    nearest.unwrap_or(Face::North)
}
