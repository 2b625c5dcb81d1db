//! The overlay that the player has chosen.

use crate::game::state::screens::Screen;
use crate::views::OverlayKind;
use bevy::ecs::system::SystemParam;
use bevy::prelude::{Res, Resource, State};

/// The overlay to draw in this frame.
#[derive(SystemParam)]
pub struct OverlayToDraw<'w> {
    shown: Res<'w, ShownOverlay>,
    screen: Res<'w, State<Screen>>,
}

impl OverlayToDraw<'_> {
    /// False on the title screen, where the map is only a background.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        *self.screen.get() == Screen::Playing
    }

    /// The chosen overlay; `None` on the title screen, where the map is only a background.
    #[must_use]
    pub fn kind(&self) -> Option<OverlayKind> {
        self.shown.0.filter(|_| self.is_playing())
    }
}

/// The overlay that the player has chosen, if any.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ShownOverlay(pub Option<OverlayKind>);

impl ShownOverlay {
    /// Switches to the previous state.
    pub fn cycle_back(&mut self) {
        let last = OverlayKind::ALL.len() - 1;
        let at = self.0.and_then(|now| OverlayKind::ALL.iter().position(|kind| *kind == now));
        self.0 = at.map_or(Some(last), |at| at.checked_sub(1)).map(|at| OverlayKind::ALL[at]);
    }

    /// Switches to the next state: no overlay, each kind in turn, no overlay.
    pub fn cycle(&mut self) {
        let next = self
            .0
            .and_then(|now| OverlayKind::ALL.iter().position(|kind| *kind == now))
            .map_or(0, |i| i + 1);
        self.0 = OverlayKind::ALL.get(next).copied();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycle_shows_each_overlay_then_none() {
        let mut overlay = ShownOverlay::default();
        for kind in OverlayKind::ALL {
            overlay.cycle();
            assert_eq!(overlay.0, Some(*kind));
        }
        overlay.cycle();
        assert_eq!(overlay.0, None);
    }

    #[test]
    fn back_undoes_each_step_of_the_cycle() {
        let mut overlay = ShownOverlay::default();
        for _ in 0..OverlayKind::ALL.len() + 2 {
            let before = overlay;
            overlay.cycle();
            let mut back = overlay;
            back.cycle_back();
            assert_eq!(back, before);
        }
    }
}
