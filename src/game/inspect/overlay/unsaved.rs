//! The overlay *unsaved*: frames around the chunks that were made or changed since the map was
//! opened, by save state.

use crate::game::drawing::box_mesh::BoxMesh;
use crate::game::inspect::overlay::explained::{self, Explained};
use crate::game::inspect::overlay::frames::{BuiltFrames, ChunkFrames, FrameCanvas};
use crate::game::inspect::overlay::legend::{ColourKey, Legend};
use crate::game::state::format;
use crate::game::state::overlay_kind::OverlayToDraw;
use crate::game::state::player::Player;
use crate::game::state::session::save_queue::SaveState;
use crate::game::state::session::{Edits, SaveQueue};
use crate::views::OverlayKind;
use bevy::color::{ColorToComponents, LinearRgba};
use bevy::prelude::*;
use stonerun_engine::voxel::{CHUNK_SIDE, ChunkPos};
use stonerun_engine::world::World as VoxelWorld;

/// Maximum number of frames drawn, nearest first.
const MAX_FRAMES: usize = 1500;
/// Distance of a frame from the sides of its chunk, in voxels.
const INSET: f32 = 0.45;
/// Maximum offset of a frame, in chunks. Larger offsets would overflow positions in voxels.
const MAX_OFFSET: i32 = 1000;

/// Number of chunks in each state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct SaveTally {
    unsaved: usize,
    saving: usize,
    saved: usize,
}

/// The frames, keyed by the player's chunk, the revision of the loaded chunks, and the number of
/// chunks in each state.
#[derive(Resource, Default)]
pub(super) struct UnsavedOverlay(pub ChunkFrames<(ChunkPos, u64, SaveTally)>);

/// Adds the overlay.
pub(super) fn add(app: &mut App) {
    explained::add::<UnsavedOverlay>(app);
    app.add_systems(PostUpdate, draw.before(TransformSystems::Propagate));
}

impl Explained for UnsavedOverlay {
    fn legend(&self) -> Option<&Legend> {
        self.0.legend.as_ref()
    }
}

/// Colour of a state.
const fn state_colour(state: SaveState) -> Srgba {
    match state {
        SaveState::Saved => Srgba::rgb(0.10, 0.72, 0.68),
        SaveState::Saving => Srgba::rgb(0.99, 0.90, 0.35),
        SaveState::Unsaved => Srgba::rgb(0.93, 0.20, 0.18),
    }
}

/// The framed chunks with their states. Leaves out uniform chunks, because newly generated ones
/// fill the sky.
fn framed(world: &VoxelWorld, saves: &SaveQueue) -> Vec<(ChunkPos, SaveState)> {
    let has_runs = |(pos, _): &(ChunkPos, SaveState)| {
        world.chunk(*pos).is_some_and(|chunk| chunk.run_count() > 1)
    };
    saves.states().filter(has_runs).collect()
}

/// Counts all chunks, uniform ones included.
fn tally(saves: &SaveQueue) -> SaveTally {
    let mut tally = SaveTally::default();
    for (_, state) in saves.states() {
        match state {
            SaveState::Unsaved => tally.unsaved += 1,
            SaveState::Saving => tally.saving += 1,
            SaveState::Saved => tally.saved += 1,
        }
    }
    tally
}

/// Offset of a chunk from `centre` in chunks, within [`MAX_OFFSET`].
fn clamped_offset(pos: ChunkPos, centre: ChunkPos) -> IVec3 {
    let offset = pos.as_ivec3().saturating_sub(centre.as_ivec3());
    offset.clamp(IVec3::splat(-MAX_OFFSET), IVec3::splat(MAX_OFFSET))
}

fn mesh(mut framed: Vec<(ChunkPos, SaveState)>, centre: ChunkPos) -> Option<Mesh> {
    framed.sort_by_key(|(pos, _)| clamped_offset(*pos, centre).length_squared());
    let mut box_mesh = BoxMesh::default();
    for (pos, state) in framed.into_iter().take(MAX_FRAMES) {
        let offset = clamped_offset(pos, centre);
        let min = (offset * CHUNK_SIDE).as_vec3();
        let [r, g, b] = LinearRgba::from(state_colour(state)).to_f32_array_no_alpha();
        // Distance from the player's chunk. The bars of near frames are thin.
        let at_least = ((offset.abs() - 1).max(IVec3::ZERO) * CHUNK_SIDE).as_vec3().length();
        box_mesh.edges(
            min + INSET,
            min + CHUNK_SIDE as f32 - INSET,
            0.04 + 0.0015 * at_least,
            [r, g, b, 0.85],
        );
    }
    box_mesh.mesh()
}

fn legend(tally: SaveTally) -> Legend {
    let states = [
        (SaveState::Unsaved, "Unsaved"),
        (SaveState::Saving, "Saving"),
        (SaveState::Saved, "Saved"),
    ];
    let chunks = |n: usize| format::counted(n as u64, "chunk");
    Legend {
        title: "Unsaved: new and edited chunks",
        key: ColourKey::Named(states.map(|(state, name)| (state_colour(state), name)).into()),
        lines: vec![
            format!(
                "{} to save, {} being saved",
                chunks(tally.unsaved),
                format::count(tally.saving as u64)
            ),
            format!("{} saved since opening", chunks(tally.saved)),
            "Uniform chunks are not framed".to_owned(),
        ],
    }
}

/// Draws the overlay while it is shown.
fn draw(
    to_draw: OverlayToDraw,
    edits: Option<Res<Edits>>,
    saves: Option<Res<SaveQueue>>,
    player: Res<Player>,
    mut overlay: ResMut<UnsavedOverlay>,
    mut canvas: FrameCanvas,
) {
    let Some(((edits, saves), OverlayKind::Unsaved)) = edits.zip(saves).zip(to_draw.kind()) else {
        return overlay.0.hide(&mut canvas);
    };
    let centre = player.chunk();
    let tally = tally(&saves);
    overlay.0.update((centre, edits.revision(), tally), &mut canvas, || {
        let mesh = mesh(framed(edits.world(), &saves), centre);
        BuiltFrames { centre, mesh, legend: legend(tally) }
    });
}
