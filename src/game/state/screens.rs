//! The screen that is shown, the menu over it, and run conditions on them.

use bevy::prelude::*;

/// The screen that is shown.
#[derive(States, Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Screen {
    /// The title screen with the list of maps.
    #[default]
    Title,
    /// An open map.
    Playing,
}

/// The menu over the screen, if any.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Menu {
    /// No menu is open: the mouse turns the view.
    #[default]
    None,
    /// The pause menu, on Escape.
    Pause,
    /// Settings, from the pause menu or the title screen.
    Settings,
    /// The named places of the map, from the pause menu.
    Places,
    /// The library of blueprints, from the pause menu or on `Ctrl+B`.
    Blueprints,
    /// The steps of the undo history, from the pause menu and on H.
    History,
    /// The question before an edit that the undo history has no room for.
    UndoQuestion,
    /// Export of the open map, from the pause menu.
    Export,
    /// The inventory of all materials, on E.
    Inventory,
    /// The console: a line of text over the world, on `/`.
    Console,
    /// The map could not be saved: the player may try again, leave without saving, or stay.
    NotSaved,
}

impl Menu {
    /// True if the menu hides the display that is shown while playing.
    #[must_use]
    pub fn covers_world(self) -> bool {
        !matches!(self, Menu::None | Menu::Console)
    }
}

/// Run condition: a map is open and visible. The line of the console does not hide it.
#[must_use]
pub fn in_view(screen: Res<State<Screen>>, menu: Res<Menu>) -> bool {
    *screen.get() == Screen::Playing && !menu.covers_world()
}

/// Run condition: a map is open and no menu covers it.
#[must_use]
pub fn in_play(screen: Res<State<Screen>>, menu: Res<Menu>) -> bool {
    *screen.get() == Screen::Playing && *menu == Menu::None
}
