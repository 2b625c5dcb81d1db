//! Overlays on F4: what is drawn into the world to show how it is kept.
//!
//! - `bytes`: frames around the chunks, by what each takes; `borders`: which ones, and their bars.
//! - `chunk`: the bars of the chunk under the crosshair, which `gaze` finds: its stored `runs`, or its
//!   `neighbourhoods`; `bars` makes both kinds of bars, and `source` tells when they are stale.
//! - `cells`: the player's cell, and the chunks of its set.
//! - `unsaved`: the chunks that were changed, by how far they are on their way to the disk.
//! - `sides`: meshes of boxes; `paint`: the material; `ramp`: the colours; `legend`: what those mean.

pub mod bars;
pub mod borders;
pub mod gaze;
pub mod neighbourhoods;
pub mod ramp;
pub mod runs;

mod bytes;
mod cells;
mod chunk;
mod legend;
mod paint;
mod sides;
mod source;
mod unsaved;

use crate::game::flow::Screen;
use crate::game::panel::Panel;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass};

/// A kind of overlay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Chunk borders, coloured by bytes per voxel.
    Bytes,
    /// The runs of the chunk under the crosshair.
    Runs,
    /// Its fused Moore runs.
    Neighbourhoods,
    /// The player's cell and the chunks that it may see.
    Cells,
    /// The chunks that were changed.
    Unsaved,
}

impl Kind {
    /// All, in the order F4 shows them.
    pub const ALL: [Kind; 5] = [Kind::Bytes, Kind::Runs, Kind::Neighbourhoods, Kind::Cells, Kind::Unsaved];

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Bytes => "bytes",
            Kind::Runs => "runs",
            Kind::Neighbourhoods => "neighbourhoods",
            Kind::Cells => "cells",
            Kind::Unsaved => "unsaved",
        }
    }

    /// The overlay of this name.
    ///
    /// # Errors
    /// There is none: one line that names those there are.
    pub fn from_name(name: &str) -> Result<Kind, String> {
        let found = Kind::ALL.into_iter().find(|k| k.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| format!("no overlay {name:?}; there are: {}", Kind::ALL.map(Kind::name).join(", ")))
    }
}

/// The overlay that is shown, if any.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overlay(pub Option<Kind>);

impl Overlay {
    /// The next state: none, each kind, none.
    fn turn(&mut self) {
        let next = self.0.and_then(|now| Kind::ALL.iter().position(|k| *k == now)).map_or(0, |i| i + 1);
        self.0 = Kind::ALL.get(next).copied();
    }
}

/// Adds the overlays.
pub struct OverlayPlugin;

impl Plugin for OverlayPlugin {
    fn build(&self, app: &mut App) {
        paint::add(app);
        app.init_resource::<Overlay>()
            .init_resource::<bytes::Drawn>()
            .init_resource::<chunk::Drawn>()
            .init_resource::<cells::Drawn>()
            .init_resource::<unsaved::Drawn>()
            .add_systems(Update, turn.run_if(in_state(Screen::Playing)))
            .add_systems(
                PostUpdate,
                (bytes::draw, cells::draw, unsaved::draw, (chunk::draw, chunk::place).chain())
                    .before(TransformSystems::Propagate),
            )
            .add_systems(EguiPrimaryContextPass, explain);
    }
}

fn turn(keys: Res<ButtonInput<KeyCode>>, mut overlay: ResMut<Overlay>) {
    if keys.just_pressed(KeyCode::F4) {
        overlay.turn();
    }
}

/// Shortest time between two meshes of an overlay, in seconds: while chunks stream in they change every frame.
const PAUSE: f32 = 0.25;

fn explain(
    mut contexts: EguiContexts,
    bytes: Res<bytes::Drawn>,
    chunk: Res<chunk::Drawn>,
    cells: Res<cells::Drawn>,
    unsaved: Res<unsaved::Drawn>,
    panel: Res<Panel>,
) -> Result {
    let all = [&bytes.legend, &chunk.legend, &cells.legend, &unsaved.legend];
    if let Some(legend) = all.into_iter().flatten().next() {
        let ctx = contexts.ctx_mut()?;
        legend.show(ctx, panel.taken(ctx.viewport_rect()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f4_turns_the_overlays() {
        let mut overlay = Overlay::default();
        let mut seen = Vec::new();
        for _ in 0..7 {
            overlay.turn();
            seen.push(overlay.0.map(Kind::name));
        }
        assert_eq!(
            seen,
            [Some("bytes"), Some("runs"), Some("neighbourhoods"), Some("cells"), Some("unsaved"), None, Some("bytes")]
        );
        assert_eq!(Kind::from_name("Runs"), Ok(Kind::Runs));
        assert!(Kind::from_name("bites").is_err_and(|e| e.contains("bites") && e.contains("bytes, runs")));
    }
}
