//! The selected box, as the tools see it: the selection of the console.

use crate::game::building::console::GameConsole;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use stonerun_engine::edit::console::Console;
use stonerun_engine::edit::selection::Selection;
use stonerun_engine::voxel::Box3;

/// Reads and sets the selection.
#[derive(SystemParam)]
pub struct SelectedBox<'w> {
    console: ResMut<'w, GameConsole>,
}

impl SelectedBox<'_> {
    /// The box around the selection.
    #[must_use]
    pub fn area(&self) -> Option<Box3> {
        self.console.console.selection().bounds().ok()
    }

    /// The console, whose selection and clipboard patterns and masks refer to.
    #[must_use]
    pub fn console(&self) -> &Console {
        &self.console.console
    }

    /// Selects a box.
    pub fn set(&mut self, area: Box3) {
        self.console.console.set_selection(Selection::from(area));
    }

    /// Clears the selection.
    pub fn clear(&mut self) {
        self.console.console.selection_mut().clear();
    }
}
