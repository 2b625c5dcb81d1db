//! The states in which keys have different actions.

use strum::VariantArray;

/// Part of the game that has the keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, VariantArray)]
pub enum KeyMode {
    /// The title screen.
    #[default]
    Title,
    /// A menu over the open map.
    Menu,
    /// A text field or the console over the open map.
    Typing,
    /// The inventory while its search field has the keyboard focus.
    Search,
    /// The inventory while its search field does not have the keyboard focus.
    Inventory,
    /// The hands.
    Hands,
    /// The tool *Select* of the builder mode.
    Select,
    /// The tool *Brush*.
    Brush,
    /// The tool *Shape*.
    Shape,
    /// The tool *Line*.
    Line,
    /// The tool *Move*.
    Move,
    /// The tool *Paste*.
    Paste,
}

/// Body or camera that the keys of movement move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum KeyCamera {
    /// The body.
    #[default]
    Body,
    /// The free camera.
    Free,
    /// The drone.
    Drone,
}

/// The state that decides the action of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KeyState {
    /// Part of the game that has the keys.
    pub mode: KeyMode,
    /// Body or camera that moves.
    pub camera: KeyCamera,
}

impl KeyMode {
    /// True while the player plays: no menu and no text field has the keys.
    #[must_use]
    pub fn is_play(self) -> bool {
        PLAY.contains(self)
    }

    /// True in builder mode.
    #[must_use]
    pub fn is_building(self) -> bool {
        TOOLS.contains(self)
    }
}

/// A set of modes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Modes(u16);

impl Modes {
    pub(super) const fn of(modes: &[KeyMode]) -> Modes {
        let mut bits = 0;
        let mut i = 0;
        while i < modes.len() {
            bits |= 1 << modes[i] as u16;
            i += 1;
        }
        Modes(bits)
    }

    pub(super) const fn and(self, other: Modes) -> Modes {
        Modes(self.0 | other.0)
    }

    pub(super) const fn contains(self, mode: KeyMode) -> bool {
        self.0 & 1 << mode as u16 != 0
    }
}

/// Playing with the hands, without the builder mode.
pub(super) const HANDS: Modes = Modes::of(&[KeyMode::Hands]);
/// The tools of the builder mode.
pub(super) const TOOLS: Modes = Modes::of(&[
    KeyMode::Select,
    KeyMode::Brush,
    KeyMode::Shape,
    KeyMode::Line,
    KeyMode::Move,
    KeyMode::Paste,
]);
/// The open map without a menu.
pub(super) const PLAY: Modes = HANDS.and(TOOLS);
/// A menu without a text field.
pub(super) const MENU: Modes = Modes::of(&[KeyMode::Menu, KeyMode::Inventory]);
/// The inventory, also while its search field has the keyboard focus.
pub(super) const INVENTORY: Modes = Modes::of(&[KeyMode::Inventory, KeyMode::Search]);
/// The open map, also behind menus and text fields.
pub(super) const MAP: Modes = PLAY.and(MENU).and(INVENTORY).and(Modes::of(&[KeyMode::Typing]));
/// The open map and the title screen.
pub(super) const EVERYWHERE: Modes = MAP.and(Modes::of(&[KeyMode::Title]));
