//! The overlay *surface*: the triangles of smooth ground in the colours of the rules that shape
//! them, drawn by the shader of surfaces.

use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::inspect::overlay::explained::{self, Explained};
use crate::game::inspect::overlay::legend::{ColourKey, Legend};
use crate::game::state::format;
use crate::game::state::overlay_kind::OverlayToDraw;
use crate::views::OverlayKind;
use bevy::color::Srgba;
use bevy::prelude::*;

/// Colours of the rules. `surface.wgsl` has the same values.
const RULES: [(Srgba, &str); 4] = [
    (Srgba::rgb(0.30, 0.72, 0.36), "Smooth"),
    (Srgba::rgb(0.36, 0.60, 0.95), "Facet"),
    (Srgba::rgb(0.90, 0.48, 0.22), "Rough"),
    (Srgba::rgb(0.80, 0.42, 0.80), "Terrace"),
];

/// The legend while the overlay is shown.
#[derive(Resource, Default)]
pub(super) struct SurfaceOverlay {
    legend: Option<Legend>,
}

/// Adds the overlay.
pub(super) fn add(app: &mut App) {
    explained::add::<SurfaceOverlay>(app);
    app.add_systems(PostUpdate, explain.before(TransformSystems::Propagate));
}

impl Explained for SurfaceOverlay {
    fn legend(&self) -> Option<&Legend> {
        self.legend.as_ref()
    }
}

/// Updates the legend.
fn explain(
    to_draw: OverlayToDraw,
    meshes: Option<Res<ChunkMeshes>>,
    mut overlay: ResMut<SurfaceOverlay>,
) {
    let shown = meshes.filter(|_| to_draw.kind() == Some(OverlayKind::Surface));
    overlay.legend = shown.map(|meshes| legend(meshes.total.surface.triangles as u64));
}

/// The legend for a number of triangles on the graphics card.
fn legend(triangles: u64) -> Legend {
    let lines = match triangles {
        0 => vec!["No smooth ground: all blocks here are cubes".to_owned()],
        _ => vec![format!("{} on the graphics card", format::counted(triangles, "triangle"))],
    };
    Legend {
        title: "Surface: what shapes the ground",
        key: ColourKey::Named(RULES.to_vec()),
        lines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn map_of_cubes_is_told_apart() {
        assert_eq!(legend(0).lines, ["No smooth ground: all blocks here are cubes"]);
        assert_eq!(legend(1).lines, ["1 triangle on the graphics card"]);
    }
}
