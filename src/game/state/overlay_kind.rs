//! The overlay that the player has chosen.

use crate::game::state::screens::Screen;
use bevy::ecs::system::SystemParam;
use bevy::prelude::{Res, Resource, State};
use strum::{IntoStaticStr, VariantArray};

/// A kind of overlay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, VariantArray, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum OverlayKind {
    /// Chunk borders, coloured by bytes per voxel.
    Bytes,
    /// Runs of the chunk under the crosshair.
    Runs,
    /// Fused Moore runs of the chunk under the crosshair.
    Neighbourhoods,
    /// Edges of merged quads.
    Quads,
    /// Levels of light.
    Light,
    /// The player's cell and the chunks that it may see.
    Cells,
    /// Chunks made or changed since the map was opened.
    Unsaved,
    /// Voxels that the last steps of the history changed.
    Edits,
    /// Blocks of voxels in which rules act next.
    Activity,
    /// Where a body can get to from where the player stands.
    Reach,
    /// Where creatures are going.
    Paths,
}

impl OverlayKind {
    /// All kinds, in the order F4 shows them.
    pub const ALL: &'static [OverlayKind] = OverlayKind::VARIANTS;

    /// Name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// All names, in the same order.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        OverlayKind::ALL.iter().map(|kind| kind.name()).collect()
    }

    /// The overlay of this name, in any case.
    ///
    /// # Errors
    /// There is no overlay of this name.
    pub fn from_name(name: &str) -> Result<OverlayKind, UnknownOverlay> {
        let found = OverlayKind::ALL.iter().copied().find(|kind| kind.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownOverlay(name.to_owned()))
    }
}

/// A name that no overlay has.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("no overlay {0:?}; there are: {names}", names = OverlayKind::names().join(", "))]
pub struct UnknownOverlay(pub String);

/// The overlay to draw in this frame.
#[derive(SystemParam)]
pub struct OverlayToDraw<'w> {
    shown: Res<'w, ShownOverlay>,
    screen: Res<'w, State<Screen>>,
}

impl OverlayToDraw<'_> {
    /// False on the title screen, whose map is only a background.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        *self.screen.get() == Screen::Playing
    }

    /// The chosen overlay; `None` on the title screen, whose map is only a background.
    #[must_use]
    pub fn kind(&self) -> Option<OverlayKind> {
        self.shown.0.filter(|_| self.is_playing())
    }
}

/// The overlay that the player has chosen, if any.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ShownOverlay(pub Option<OverlayKind>);

impl ShownOverlay {
    /// Switches to the state before.
    pub fn cycle_back(&mut self) {
        let last = OverlayKind::ALL.len() - 1;
        let at = self.0.and_then(|now| OverlayKind::ALL.iter().position(|kind| *kind == now));
        self.0 = at.map_or(Some(last), |at| at.checked_sub(1)).map(|at| OverlayKind::ALL[at]);
    }

    /// Switches to the next state: no overlay, each kind in turn, no overlay.
    pub fn cycle(&mut self) {
        let next = self.0.and_then(|now| OverlayKind::ALL.iter().position(|kind| *kind == now)).map_or(0, |i| i + 1);
        self.0 = OverlayKind::ALL.get(next).copied();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycle_shows_each_overlay_then_none() {
        let mut overlay = ShownOverlay::default();
        let mut seen = Vec::new();
        for _ in 0..13 {
            overlay.cycle();
            seen.push(overlay.0.map(OverlayKind::name));
        }
        assert_eq!(
            seen,
            [
                "bytes",
                "runs",
                "neighbourhoods",
                "quads",
                "light",
                "cells",
                "unsaved",
                "edits",
                "activity",
                "reach",
                "paths",
                "",
                "bytes"
            ]
            .map(|name| Some(name).filter(|name| !name.is_empty()))
        );
    }

    #[test]
    fn back_undoes_each_step_of_the_cycle() {
        let mut overlay = ShownOverlay::default();
        for _ in 0..13 {
            let before = overlay;
            overlay.cycle();
            let mut back = overlay;
            back.cycle_back();
            assert_eq!(back, before);
        }
    }

    #[test]
    fn unknown_overlay_error_lists_names() {
        assert_eq!(OverlayKind::from_name("Runs"), Ok(OverlayKind::Runs));
        let error = OverlayKind::from_name("bites").expect_err("unknown").to_string();
        assert!(error.contains("bites") && error.contains("bytes, runs"), "{error}");
    }
}
