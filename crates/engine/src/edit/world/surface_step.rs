//! Changes of the surfaces of materials, as steps of the history.
//!
//! The world has no material table. It keeps the order of these changes among the edits of voxels,
//! and passes each one to the caller, when it is made, undone or redone, in [`Change::surface`].

use super::change::Change;
use super::editable_world::EditableWorld;
use crate::history::EditStep;
use crate::save::unix_now;
use crate::voxel::SurfaceChange;

impl EditableWorld {
    /// Records a change of the surface of a material as one step of the history, and returns it for
    /// the caller's material table. Ends the current stroke. Does nothing if both surfaces are
    /// equal.
    pub fn change_surface(&mut self, name: impl Into<String>, change: SurfaceChange) -> Change {
        let Some(step) = EditStep::from_surface(name, unix_now(), change) else {
            return Change::default();
        };
        let change = Change { surface: Some(change), ..Change::default() };
        self.record_step(step, &change);
        change
    }

    /// Change that takes back only the change of a surface by the step with this number; `None` if
    /// the step does not exist, is undone, or has changed no surface.
    #[must_use]
    pub fn surface_taken_back(&self, number: u64) -> Option<SurfaceChange> {
        let step = self.history().steps().find(|step| step.number == number && step.is_done)?;
        step.surface.map(SurfaceChange::reversed)
    }
}
