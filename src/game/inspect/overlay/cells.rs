//! The overlay *cells*: the player's cell, and frames around the chunks of its visible set that
//! have quads. After freezing (`F5`), the player can fly out and see exactly the chunks that would
//! be drawn.

use crate::game::drawing::box_mesh::BoxMesh;
use crate::game::drawing::culling::state::{Culling, ShownSet};
use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::inspect::overlay::explained::{self, Explained};
use crate::game::inspect::overlay::frames::{BuiltFrames, ChunkFrames, FrameCanvas};
use crate::game::inspect::overlay::legend::{ColourKey, Legend};
use crate::game::inspect::overlay::ramp;
use crate::game::state::format;
use crate::game::state::overlay_kind::OverlayToDraw;
use crate::views::OverlayKind;
use bevy::color::{ColorToComponents, LinearRgba};
use bevy::prelude::*;
use stonerun_engine::visibility::bitset;
use stonerun_engine::voxel::CHUNK_SIDE;

/// Maximum number of frames drawn, nearest first.
const MAX_FRAMES: usize = 1500;
/// Distance of a frame from the sides of its chunk, in voxels.
const INSET: f32 = 0.5;
/// Colour of the cell, linear.
const CELL: [f32; 4] = [1.0, 1.0, 1.0, 0.95];

/// The frames, keyed by the visible set's revision, the number of quads, and whether culling is
/// frozen.
#[derive(Resource, Default)]
pub(super) struct CellsOverlay(pub ChunkFrames<(Option<u64>, usize, bool)>);

/// Adds the overlay.
pub(super) fn add(app: &mut App) {
    explained::add::<CellsOverlay>(app);
    app.add_systems(PostUpdate, draw.before(TransformSystems::Propagate));
}

impl Explained for CellsOverlay {
    fn legend(&self) -> Option<&Legend> {
        self.0.legend.as_ref()
    }
}

/// Offsets of the chunks of the set that have quads, nearest first.
fn chosen(shown: &ShownSet, meshes: &ChunkMeshes) -> Vec<IVec3> {
    let centre = shown.cell_id.chunk.as_ivec3();
    let held = bitset::members(&shown.chunks).map(|index| shown.index.position(index));
    let drawn = held.filter(|&pos| meshes.of_chunk(pos).is_some_and(|size| size.quads > 0));
    let mut offsets: Vec<IVec3> = drawn.map(|pos| pos.as_ivec3() - centre).collect();
    offsets.sort_unstable_by_key(|offset| offset.length_squared());
    offsets
}

fn mesh(shown: &ShownSet, chosen: &[IVec3]) -> Option<Mesh> {
    let mut box_mesh = BoxMesh::default();
    let far = (shown.view * CHUNK_SIDE) as f32;
    for offset in chosen.iter().take(MAX_FRAMES) {
        let min = (*offset * CHUNK_SIDE).as_vec3();
        let distance = (min + CHUNK_SIDE as f32 * 0.5).length();
        let [r, g, b] =
            LinearRgba::from(ramp::colour((distance / far).min(1.0))).to_f32_array_no_alpha();
        // Distance from the player's chunk. The bars of near frames are thin.
        let at_least = ((offset.abs() - 1).max(IVec3::ZERO) * CHUNK_SIDE).as_vec3().length();
        box_mesh.edges(
            min + INSET,
            min + CHUNK_SIDE as f32 - INSET,
            0.03 + 0.0015 * at_least,
            [r, g, b, 0.75],
        );
    }
    let corner = |at: [u8; 3]| Vec3::from_array(at.map(f32::from));
    let cell = shown.cell_id.cell;
    box_mesh.edges(corner(cell.lo) + 0.02, corner(cell.hi) - 0.02, 0.015, CELL);
    box_mesh.mesh()
}

fn legend(culling: &Culling, shown: &ShownSet, drawn: usize) -> Legend {
    let ticks = [0, shown.view / 2, shown.view];
    let position = |chunks: i32| chunks as f32 / shown.view as f32;
    Legend {
        title: "Cells: visible chunks, by distance in chunks",
        key: ColourKey::ramp(ticks.map(|chunks| (position(chunks), format!("{chunks}"))).into()),
        lines: vec![
            format!("{} in the set", format::counted(bitset::count(&shown.chunks), "chunk")),
            format!("{} of them have a mesh", format::count(drawn as u64)),
            if culling.is_frozen() {
                "Frozen: fly out and look (F5)".into()
            } else {
                "White: your cell. F5 freezes".into()
            },
        ],
    }
}

/// Draws the overlay while it is shown.
fn draw(
    to_draw: OverlayToDraw,
    culling: Res<Culling>,
    meshes: Option<Res<ChunkMeshes>>,
    mut overlay: ResMut<CellsOverlay>,
    mut canvas: FrameCanvas,
) {
    let Some(((set, meshes), OverlayKind::Cells)) = culling.shown().zip(meshes).zip(to_draw.kind())
    else {
        return overlay.0.hide(&mut canvas);
    };
    let key = (culling.revision(), meshes.total.quads, culling.is_frozen());
    overlay.0.update(key, &mut canvas, || {
        let chosen = chosen(set, &meshes);
        let legend = legend(&culling, set, chosen.len());
        BuiltFrames { centre: set.cell_id.chunk, mesh: mesh(set, &chosen), legend }
    });
}
