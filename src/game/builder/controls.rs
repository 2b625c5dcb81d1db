//! Mouse and keys, as the tools use them.

use crate::game::builder::mode::BuilderMode;
use crate::game::common::keys::{CONTROL, held};
use crate::game::common::wheel_steps::WheelSteps;
use bevy::ecs::system::SystemParam;
use bevy::input::mouse::AccumulatedMouseScroll;
use bevy::prelude::*;

/// Mouse and keys of a frame. Buttons over the interface do not count.
#[derive(SystemParam)]
pub struct Controls<'w, 's> {
    mode: Res<'w, BuilderMode>,
    buttons: Res<'w, ButtonInput<MouseButton>>,
    keys: Res<'w, ButtonInput<KeyCode>>,
    wheel: Res<'w, AccumulatedMouseScroll>,
    steps: Local<'s, WheelSteps>,
}

impl Controls<'_, '_> {
    /// True if a button was pressed in this frame.
    #[must_use]
    pub fn clicked(&self, button: MouseButton) -> bool {
        self.buttons.just_pressed(button) && !self.mode.interface_has_pointer
    }

    /// True while a button is held.
    #[must_use]
    pub fn held(&self, button: MouseButton) -> bool {
        self.buttons.pressed(button)
    }

    /// True while `Ctrl` is held, also if it was released within this frame.
    #[must_use]
    pub fn control(&self) -> bool {
        held(&self.keys, CONTROL)
    }

    /// True if a key was pressed in this frame, without `Ctrl`.
    #[must_use]
    pub fn pressed(&self, key: KeyCode) -> bool {
        self.keys.just_pressed(key) && !self.control()
    }

    /// True if Enter was pressed.
    #[must_use]
    pub fn confirmed(&self) -> bool {
        self.keys.any_just_pressed([KeyCode::Enter, KeyCode::NumpadEnter])
    }

    /// True while any of some keys is held.
    #[must_use]
    pub fn any_held(&self, keys: [KeyCode; 2]) -> bool {
        self.keys.any_pressed(keys)
    }

    /// Whole steps of the wheel while `Ctrl` is held, positive away from the player.
    pub fn steps(&mut self) -> i32 {
        if !self.control() || self.mode.interface_has_pointer {
            return 0;
        }
        self.steps.take(&self.wheel)
    }
}
