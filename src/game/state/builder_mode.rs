//! The builder mode: on or off, the tool in hand, and whether the pointer is free.

use crate::game::state::keys::{KeyAction, KeyInput};
use bevy::prelude::*;
use strum::{IntoStaticStr, VariantArray};

/// A tool of the builder mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, VariantArray, IntoStaticStr)]
pub enum Tool {
    /// Selects a box, and fills it.
    #[default]
    Select,
    /// Paints and erases while a button is held.
    Brush,
    /// Moves the surface of the ground by parts of a voxel.
    Shape,
    /// Builds lines, curves and walls along points.
    Line,
    /// Moves, copies and repeats the selection.
    Move,
    /// Pastes the clipboard.
    Paste,
}

impl Tool {
    /// All tools, in the order of the tool wheel.
    pub const ALL: &'static [Tool] = Tool::VARIANTS;

    /// Name in the panel and on the tool wheel.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Action that takes the tool in hand.
    #[must_use]
    pub const fn action(self) -> KeyAction {
        match self {
            Tool::Select => KeyAction::SelectTool,
            Tool::Brush => KeyAction::BrushTool,
            Tool::Shape => KeyAction::ShapeTool,
            Tool::Line => KeyAction::LineTool,
            Tool::Move => KeyAction::MoveTool,
            Tool::Paste => KeyAction::PasteTool,
        }
    }
}

/// State of the builder mode. While it is on, mouse buttons and wheel belong to its tool.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BuilderMode {
    /// True while the mode is on.
    pub is_on: bool,
    /// The tool in hand.
    pub tool: Tool,
    /// True while the pointer is free: tools aim with it instead of the crosshair, and it can
    /// click.
    pub pointer_is_free: bool,
    /// True while the free pointer is over the interface, which then gets the buttons and the
    /// wheel.
    pub interface_has_pointer: bool,
    /// True while the tool wheel is open.
    pub is_wheel_open: bool,
    /// True while a text field has the keys.
    pub is_typing: bool,
}

/// Run condition: the builder mode is on.
#[must_use]
pub fn is_building(mode: Option<Res<BuilderMode>>) -> bool {
    mode.is_some_and(|mode| mode.is_on)
}

/// Run condition: the mouse turns the view. False while the pointer of the builder mode is free or
/// its tool wheel is open.
#[must_use]
pub fn mouse_turns_view(mode: Option<Res<BuilderMode>>) -> bool {
    mode.is_none_or(|mode| !mode.is_on || !mode.pointer_is_free && !mode.is_wheel_open)
}

/// Switches the mode, the tools and the pointer.
pub fn switch(keys: Res<KeyInput>, mut mode: ResMut<BuilderMode>) {
    if keys.just_pressed(KeyAction::BuilderMode) {
        mode.is_on = !mode.is_on;
        mode.pointer_is_free = false;
    }
    if keys.just_pressed(KeyAction::Pointer) {
        mode.pointer_is_free = !mode.pointer_is_free;
    }
    for &tool in Tool::ALL {
        if keys.just_pressed(tool.action()) {
            mode.tool = tool;
        }
    }
}
