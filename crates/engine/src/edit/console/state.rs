//! What commands refer to.

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

/// What commands refer to: the selection, the player's place and view, the global mask.
#[derive(Clone, Debug)]
pub struct Console {
    selection: Selection,
    mask: Mask,
    clipboard: Option<Clipboard>,
    copied_at: IVec3,
    /// Grows when the clipboard changes.
    clipboard_revision: u64,
    selections: SelectionHistory,
    /// Number of the step of the undo history that the next edit becomes.
    step: u64,
    /// Commands with random choices since that number was set.
    random_commands: u64,
    /// Named regions that were saved or deleted since the map was opened.
    pub(super) regions: NamedRegions,
    /// Where balls and cylinders are made: the voxel of the player's feet.
    pub placement: IVec3,
    /// The voxel that the player looks at.
    pub target: Option<IVec3>,
    /// Where the player looks: any vector with a length. North is -z.
    pub look: DVec3,
}

impl Console {
    /// A console without a selection, of a player who looks north.
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

    /// Sets the number of the step of the undo history that the next edit becomes. Random patterns
    /// and masks depend on it: the same command on the same map makes the same choices.
    pub fn set_next_step(&mut self, number: u64) {
        if self.step != number {
            (self.step, self.random_commands) = (number, 0);
        }
    }

    /// Seeds for the next command. Commands that are not in the history yet, or never will be, have
    /// drawn others.
    pub(super) fn seeds(&self) -> Seeds {
        Seeds::from_step(SeedUser::Console, self.step, self.random_commands)
    }

    /// Notes that a command has drawn such seeds.
    pub(super) fn note_used(&mut self, seeds: &Seeds) {
        self.random_commands += u64::from(seeds.are_used());
    }

    /// What is selected.
    #[must_use]
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// What is selected, to change it.
    pub fn selection_mut(&mut self) -> &mut Selection {
        &mut self.selection
    }

    /// Selects something else.
    pub fn set_selection(&mut self, selection: Selection) {
        self.selection = selection;
    }

    /// Adds the selection to those that can be undone, if it has changed. Commands do so before and
    /// after they run.
    pub(super) fn note_selection(&mut self) {
        self.selections.note(&self.selection);
    }

    /// Selects again what was selected before. Returns false if there is nothing to go back to.
    pub fn undo_selection(&mut self) -> bool {
        self.note_selection();
        let selection = self.selections.undo();
        selection.map(|selection| self.selection = selection).is_some()
    }

    /// Selects what was undone last. Returns false if nothing was.
    pub fn redo_selection(&mut self) -> bool {
        self.note_selection();
        let selection = self.selections.redo();
        selection.map(|selection| self.selection = selection).is_some()
    }

    /// The global mask: which voxels commands may change.
    #[must_use]
    pub fn mask(&self) -> &Mask {
        &self.mask
    }

    /// Sets the global mask. [`Mask::Any`] lifts it.
    pub fn set_mask(&mut self, mask: Mask) {
        self.mask = mask;
    }

    /// What was copied last, as the transforms since then have left it.
    #[must_use]
    pub fn clipboard(&self) -> Option<&Clipboard> {
        self.clipboard.as_ref()
    }

    /// A number that changes with the clipboard.
    #[must_use]
    pub fn clipboard_revision(&self) -> u64 {
        self.clipboard_revision
    }

    /// Where the player was when that was copied: `//paste -o` puts it back there.
    #[must_use]
    pub fn copied_at(&self) -> IVec3 {
        self.copied_at
    }

    /// Puts something into the clipboard. `copied_at` is where `//paste -o` puts it.
    pub fn set_clipboard(&mut self, clipboard: Clipboard, copied_at: IVec3) {
        (self.clipboard, self.copied_at) = (Some(clipboard), copied_at);
        self.clipboard_revision += 1;
    }

    /// Empties the clipboard.
    pub fn clear_clipboard(&mut self) {
        self.clipboard = None;
        self.clipboard_revision += 1;
    }

    /// The selected voxels, to be made by a job.
    ///
    /// # Errors
    /// Nothing is selected, or the selection is too large.
    pub fn region(&self) -> Result<RegionPlan, SelectionError> {
        self.selection.plan()
    }

    /// The direction along an axis that is nearest to where the player looks.
    #[must_use]
    pub fn forward(&self) -> Face {
        nearest_face(self.look)
    }

    /// The level direction that is nearest to where the player looks.
    #[must_use]
    pub fn level_forward(&self) -> Face {
        let level = self.look.with_y(0.0);
        if level == DVec3::ZERO { Face::North } else { nearest_face(level) }
    }

    /// Takes what a job found out.
    pub fn accept(&mut self, outcome: &JobOutcome) {
        self.note_selection();
        match &outcome.change {
            Some(ConsoleChange::Selection(selection)) => self.selection = selection.clone(),
            Some(ConsoleChange::Copied(clipboard, at)) => self.set_clipboard(clipboard.clone(), *at),
            Some(ConsoleChange::Transformed(clipboard)) => self.set_clipboard(clipboard.clone(), self.copied_at),
            // It needs the map.
            Some(ConsoleChange::Region(_)) | None => {}
        }
        self.note_selection();
    }
}

/// The face whose normal is nearest to a vector.
fn nearest_face(look: DVec3) -> Face {
    let along = |face: &Face| look.dot(face.normal().as_dvec3());
    let nearest = Face::ALL.into_iter().max_by(|a, b| along(a).total_cmp(&along(b)));
    nearest.unwrap_or(Face::North)
}
