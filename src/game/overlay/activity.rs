//! The overlay *activity*: where rules act next.

use crate::game::common::format;
use crate::game::common::overlay_kind::{OverlayKind, OverlayToDraw};
use crate::game::overlay::box_mesh::BoxMesh;
use crate::game::overlay::frames::{Drawing, FrameCanvas, Frames};
use crate::game::overlay::legend::{ColourKey, Legend};
use crate::game::player::Player;
use crate::game::rules::{RuleFigures, WorldRules};
use crate::voxel::{Box3, ChunkPos};
use bevy::color::{ColorToComponents, LinearRgba};
use bevy::prelude::*;

/// Largest number of blocks drawn, nearest first.
const MOST: usize = 3000;
/// Inset of a frame in its block, in voxels.
const INSET: f32 = 0.1;
/// Farthest that a block is drawn, in voxels: larger offsets would be inexact.
const FARTHEST: i32 = 30_000;
const COLOUR: Srgba = Srgba::rgb(0.96, 0.72, 0.18);

/// The frames, keyed by the player's chunk and the number of steps.
#[derive(Resource, Default)]
pub(super) struct ActivityOverlay(pub Frames<(ChunkPos, u64)>);

fn mesh(active: &[Box3], centre: ChunkPos) -> Option<Mesh> {
    let origin = centre.origin();
    let offset = |block: &Box3| block.min.saturating_sub(origin);
    let mut near: Vec<&Box3> = active.iter().filter(|block| offset(block).abs().max_element() < FARTHEST).collect();
    near.sort_by_key(|block| offset(block).as_i64vec3().length_squared());
    let mut box_mesh = BoxMesh::default();
    let [r, g, b] = LinearRgba::from(COLOUR).to_f32_array_no_alpha();
    for block in near.into_iter().take(MOST) {
        let (low, high) = ((block.min - origin).as_vec3(), (block.max - origin).as_vec3());
        let thickness = 0.02 + 0.0012 * low.length();
        box_mesh.edges(low + INSET, high - INSET, thickness, [r, g, b, 0.85]);
    }
    box_mesh.mesh()
}

fn legend(figures: &RuleFigures) -> Legend {
    let blocks = format::counted(figures.active.len() as u64, "block");
    let chunks = format::counted(figures.active_chunks as u64, "chunk");
    Legend {
        title: "Activity: where rules act next",
        key: ColourKey::Named([(COLOUR, "Eight rows of 32 voxels")].into()),
        lines: vec![
            format!("{blocks} in {chunks}"),
            format!("{} changed in the last step", format::counted(figures.last.changed_blocks, "block")),
            format!("{} evaluated", format::counted(figures.last.voxels, "voxel")),
        ],
    }
}

/// Draws the overlay while it is shown.
pub(super) fn draw(
    to_draw: OverlayToDraw,
    rules: Option<Res<WorldRules>>,
    player: Res<Player>,
    mut overlay: ResMut<ActivityOverlay>,
    mut canvas: FrameCanvas,
) {
    let Some((rules, OverlayKind::Activity)) = rules.zip(to_draw.kind()) else {
        return overlay.0.hide(&mut canvas);
    };
    let (centre, figures) = (player.chunk(), &rules.figures);
    overlay.0.update((centre, figures.steps), &mut canvas, || Drawing {
        centre,
        mesh: mesh(&figures.active, centre),
        legend: legend(figures),
    });
}
