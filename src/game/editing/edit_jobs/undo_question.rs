//! The question before an edit that the undo history has no room for.

use super::jobs::EditJobEnded;
use super::request::JobId;
use crate::game::state::screens::Menu;
use crate::game::state::session::Edits;
use bevy::prelude::*;
use stonerun_engine::edit::PreparedEdit;
use stonerun_engine::history::UndoCost;

/// An edit that waits for the player's answer, because older steps would be dropped.
#[derive(Resource, Default)]
pub struct UndoQuestion {
    asked: Option<QuestionedEdit>,
    is_accepted: bool,
}

/// The edit in question.
pub struct QuestionedEdit {
    /// Job that computed the edit.
    pub id: JobId,
    pub(super) edit: PreparedEdit,
    /// Answer for the player, shown when the edit is applied.
    pub(super) answer: String,
    /// Cost of undoing the edit.
    pub cost: UndoCost,
    /// Limit of the history, in bytes.
    pub limit: u64,
}

impl QuestionedEdit {
    /// Name of the edit.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.edit.name
    }
}

impl UndoQuestion {
    /// The edit in question.
    #[must_use]
    pub fn asked(&self) -> Option<&QuestionedEdit> {
        self.asked.as_ref()
    }

    /// Accepts the edit and the loss of older undo steps.
    pub fn accept(&mut self) {
        self.is_accepted = self.asked.is_some();
    }

    /// Forgets the edit, because its map was closed.
    pub(super) fn forget(&mut self) {
        *self = UndoQuestion::default();
    }

    /// Asks about an edit if older steps of the history would be dropped for it. Returns the edit
    /// if no question is needed. Must not be called while another edit is in question: the new one
    /// would be returned as if no question were needed.
    pub(super) fn ask(
        &mut self,
        id: JobId,
        edit: PreparedEdit,
        answer: String,
        edits: &Edits,
        menu: &mut Menu,
    ) -> Option<(PreparedEdit, String)> {
        let cost = edits.undo_cost(&edit);
        if self.asked.is_some() || !(cost.exceeds_limit || cost.steps_dropped > 0) {
            return Some((edit, answer));
        }
        self.asked =
            Some(QuestionedEdit { id, edit, answer, cost, limit: edits.history().total_limit() });
        *menu = Menu::UndoQuestion;
        None
    }

    /// The edit that the player has decided about: `Ok` to apply it, `Err` with its end if it was
    /// refused. Closing the dialog in any other way than by its button refuses the edit.
    pub(super) fn answered(&mut self, menu: Menu) -> Option<Result<QuestionedEdit, EditJobEnded>> {
        if menu == Menu::UndoQuestion && !self.is_accepted {
            return None;
        }
        let asked = self.asked.take()?;
        if std::mem::take(&mut self.is_accepted) {
            return Some(Ok(asked));
        }
        let id = asked.id;
        let name = asked.edit.name;
        Some(Err(EditJobEnded {
            id,
            name,
            is_committed: true,
            outcome: Err("cancelled".to_owned()),
        }))
    }
}
