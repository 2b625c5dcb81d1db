//! The overlay *quads*: the edges of merged quads, drawn by the shader of the chunks.

use crate::game::drawing::chunk_drawing::{ChunkScene, DrawCounters};
use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::inspect::overlay::explained::{self, Explained};
use crate::game::inspect::overlay::legend::{ColourKey, Legend};
use crate::game::state::format;
use crate::game::state::overlay_kind::OverlayToDraw;
use crate::views::OverlayKind;
use bevy::color::Srgba;
use bevy::prelude::*;

/// The legend while the overlay is shown.
#[derive(Resource, Default)]
pub(super) struct QuadsOverlay {
    legend: Option<Legend>,
}

/// Adds the overlay.
pub(super) fn add(app: &mut App) {
    explained::add::<QuadsOverlay>(app);
    app.add_systems(PostUpdate, explain.before(TransformSystems::Propagate));
}

impl Explained for QuadsOverlay {
    fn legend(&self) -> Option<&Legend> {
        self.legend.as_ref()
    }
}

/// Updates the legend.
fn explain(
    to_draw: OverlayToDraw,
    meshes: Option<Res<ChunkMeshes>>,
    scene: Res<ChunkScene>,
    mut overlay: ResMut<QuadsOverlay>,
) {
    let shown = meshes.filter(|_| to_draw.kind() == Some(OverlayKind::Quads));
    overlay.legend = shown.map(|meshes| Legend {
        title: "Quads: edges of merged faces",
        key: ColourKey::Named(vec![
            (Srgba::rgb(0.98, 0.9, 0.55), "Merged"),
            (Srgba::rgb(0.36, 0.72, 0.98), "Of one face"),
        ]),
        lines: vec![
            format!("{} drawn", format::counted(DrawCounters::get(&scene.counters.quads), "quad")),
            format!("{} on the graphics card", format::counted(meshes.total.quads as u64, "quad")),
        ],
    });
}
