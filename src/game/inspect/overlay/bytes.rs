//! The overlay *bytes*: frames around the chunks near the player, coloured by heap bytes per voxel.

use crate::game::inspect::overlay::borders::{self, BorderTally};
use crate::game::inspect::overlay::explained::{self, Explained};
use crate::game::inspect::overlay::frames::{BuiltFrames, ChunkFrames, FrameCanvas};
use crate::game::inspect::overlay::legend::{ColourKey, Legend};
use crate::game::inspect::overlay::ramp;
use crate::game::state::cutaway::Cutaway;
use crate::game::state::format;
use crate::game::state::overlay_kind::OverlayToDraw;
use crate::game::state::player::Player;
use crate::game::state::session::Edits;
use crate::views::OverlayKind;
use bevy::prelude::*;
use stonerun_engine::voxel::ChunkPos;

/// The frames, keyed by the player's chunk and the revision of the loaded chunks.
#[derive(Resource, Default)]
pub(super) struct BytesOverlay(pub ChunkFrames<(ChunkPos, u64)>);

/// Adds the overlay.
pub(super) fn add(app: &mut App) {
    explained::add::<BytesOverlay>(app);
    app.add_systems(PostUpdate, draw.before(TransformSystems::Propagate));
}

impl Explained for BytesOverlay {
    fn legend(&self) -> Option<&Legend> {
        self.0.legend.as_ref()
    }
}

/// Figures under the gradient, in bytes per voxel.
const TICKS: [f64; 5] = [0.001, 0.003, 0.01, 0.03, 0.1];

fn legend(tally: BorderTally) -> Legend {
    Legend {
        title: "Bytes: memory per voxel, by chunk",
        key: ColourKey::ramp(
            TICKS.map(|tick| (ramp::ramp_position(tick), tick.to_string())).into(),
        ),
        lines: vec![
            format!(
                "{} framed, {} uniform",
                format::counted(tally.framed as u64, "chunk"),
                format::count(tally.uniform as u64)
            ),
            "Shared edge: the larger value".to_owned(),
        ],
    }
}

/// Draws the overlay while it is shown.
fn draw(
    to_draw: OverlayToDraw,
    edits: Option<Res<Edits>>,
    player: Res<Player>,
    cutaway: Res<Cutaway>,
    mut overlay: ResMut<BytesOverlay>,
    mut canvas: FrameCanvas,
) {
    // A cut draws borders and colours of its own instead.
    let kind = to_draw.kind().filter(|_| cutaway.choice.is_none());
    let Some((edits, OverlayKind::Bytes)) = edits.zip(kind) else {
        return overlay.0.hide(&mut canvas);
    };
    let centre = player.chunk();
    overlay.0.update((centre, edits.revision()), &mut canvas, || {
        let (chosen, tally) = borders::choose(edits.world(), centre);
        // The renderer rejects a mesh without vertices.
        let mesh = (!chosen.is_empty()).then(|| borders::bars(&chosen));
        BuiltFrames { centre, mesh, legend: legend(tally) }
    });
}
