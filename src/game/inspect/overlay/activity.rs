//! The overlay *activity*: blocks in which rules act next.

use crate::game::drawing::box_mesh::BoxMesh;
use crate::game::inspect::overlay::explained::{self, Explained};
use crate::game::inspect::overlay::frames::{BuiltFrames, ChunkFrames, FrameCanvas};
use crate::game::inspect::overlay::legend::{ColourKey, Legend};
use crate::game::life::rules::{RuleFigures, WorldRules};
use crate::game::state::format;
use crate::game::state::overlay_kind::OverlayToDraw;
use crate::game::state::player::Player;
use crate::views::OverlayKind;
use bevy::color::{ColorToComponents, LinearRgba};
use bevy::prelude::*;
use stonerun_engine::voxel::{Box3, CHUNK_SIDE, ChunkPos};

/// Maximum number of boxes drawn, nearest first.
const MAX_BOXES: usize = 3000;
/// Distance of a frame from the sides of its block, in voxels.
const INSET: f32 = 0.1;
/// Maximum offset of a block, in voxels. Larger offsets would be inexact as `f32`.
const MAX_OFFSET: i32 = 30_000;
const COLOUR: Srgba = Srgba::rgb(0.96, 0.72, 0.18);

/// The frames, keyed by the player's chunk and the number of steps.
#[derive(Resource, Default)]
pub(super) struct ActivityOverlay(pub ChunkFrames<(ChunkPos, u64)>);

/// Adds the overlay.
pub(super) fn add(app: &mut App) {
    explained::add::<ActivityOverlay>(app);
    app.add_systems(PostUpdate, draw.before(TransformSystems::Propagate));
}

impl Explained for ActivityOverlay {
    fn legend(&self) -> Option<&Legend> {
        self.0.legend.as_ref()
    }
}

/// Key of the row in which a block can be joined with others: its position along x and its extent
/// along the axis `across`.
fn row_of(area: &Box3, across: usize) -> [i32; 3] {
    [area.min.x, area.min[across], area.max[across]]
}

/// Joins blocks that touch along z to rows, then rows that touch along y.
fn joined(active: &[Box3]) -> Vec<Box3> {
    let mut boxes = active.to_vec();
    for (axis, across) in [(2, 1), (1, 2)] {
        boxes.sort_unstable_by_key(|area| (row_of(area, across), area.min[axis]));
        let mut next: Vec<Box3> = Vec::with_capacity(boxes.len());
        for area in boxes {
            match next.last_mut().filter(|last| row_of(last, across) == row_of(&area, across)) {
                Some(last) if last.max[axis] == area.min[axis] => last.max[axis] = area.max[axis],
                _ => next.push(area),
            }
        }
        boxes = next;
    }
    boxes
}

fn mesh(active: &[Box3], centre: ChunkPos) -> Option<Mesh> {
    let origin = centre.origin();
    let offset = |block: &Box3| block.min.saturating_sub(origin);
    let mut near = joined(active);
    near.retain(|block| offset(block).abs().max_element() < MAX_OFFSET);
    near.sort_by_key(|block| offset(block).as_i64vec3().length_squared());
    let mut box_mesh = BoxMesh::default();
    let [r, g, b] = LinearRgba::from(COLOUR).to_f32_array_no_alpha();
    for block in near.into_iter().take(MAX_BOXES) {
        let low = (block.min - origin).as_vec3();
        let high = (block.max - origin).as_vec3();
        // Distance from the player's chunk. The bars of near frames are thin.
        let chunk = Vec3::splat(CHUNK_SIDE as f32);
        let distance = (low - chunk).max(-high).max(Vec3::ZERO).length();
        box_mesh.edges(low + INSET, high - INSET, 0.02 + 0.0015 * distance, [r, g, b, 0.85]);
    }
    box_mesh.mesh()
}

fn legend(figures: &RuleFigures) -> Legend {
    let blocks = format::counted(figures.active.len() as u64, "block");
    let chunks = format::counted(figures.active_chunks as u64, "chunk");
    Legend {
        title: "Activity: where rules act next",
        key: ColourKey::Named([(COLOUR, "Blocks of 8 x 32 voxels, joined")].into()),
        lines: vec![
            format!("{blocks} in {chunks}"),
            format!(
                "{} changed in the last step",
                format::counted(figures.last.changed_blocks, "block")
            ),
            format!("{} evaluated", format::counted(figures.last.voxels, "voxel")),
        ],
    }
}

/// Draws the overlay while it is shown.
fn draw(
    to_draw: OverlayToDraw,
    rules: Option<Res<WorldRules>>,
    player: Res<Player>,
    mut overlay: ResMut<ActivityOverlay>,
    mut canvas: FrameCanvas,
) {
    let Some((rules, OverlayKind::Activity)) = rules.zip(to_draw.kind()) else {
        return overlay.0.hide(&mut canvas);
    };
    let centre = player.chunk();
    let figures = &rules.figures;
    overlay.0.update((centre, figures.steps), &mut canvas, || BuiltFrames {
        centre,
        mesh: mesh(&figures.active, centre),
        legend: legend(figures),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_blocks_are_drawn_as_one_box() {
        let block = |x: i32, y: i32, z: i32| {
            let min = IVec3::new(32 * x, y, 8 * z);
            Box3 { min, max: min + IVec3::new(32, 1, 8) }
        };
        let cube = (0..3).flat_map(|y| (-1..2).map(move |z| block(0, y, z)));
        let active: Vec<Box3> = cube.chain([block(0, 5, 0), block(1, 0, 0)]).collect();
        let mut expected = [
            Box3 { min: IVec3::new(0, 0, -8), max: IVec3::new(32, 3, 16) },
            Box3 { min: IVec3::new(0, 5, 0), max: IVec3::new(32, 6, 8) },
            Box3 { min: IVec3::new(32, 0, 0), max: IVec3::new(64, 1, 8) },
        ];
        let mut boxes = joined(&active);
        for boxes in [&mut boxes[..], &mut expected] {
            boxes.sort_unstable_by_key(|area| area.min.to_array());
        }
        assert_eq!(boxes, expected);
    }
}
