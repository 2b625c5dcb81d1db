//! The overlay *unsaved*: frames around the chunks that were made or changed since the map was opened, by how far they are on their
//! way to the disk.

use crate::game::common::format;
use crate::game::common::overlay_kind::{OverlayKind, ShownOverlay};
use crate::game::common::picture_target::{PictureTarget, not_in_pictures};
use crate::game::common::render_origin::RenderOrigin;
use crate::game::overlay::legend::Legend;
use crate::game::overlay::paint::{Paint, Paints};
use crate::game::overlay::ramp;
use crate::game::overlay::sides::Sides;
use crate::game::overlay::source::PAUSE;
use crate::game::player::Player;
use crate::game::session::Session;
use crate::voxel::{CHUNK_SIDE, ChunkPos};
use bevy::camera::visibility::NoFrustumCulling;
use bevy::color::{ColorToComponents, LinearRgba};
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;

/// The most frames that are drawn, the nearest of all.
const MOST: usize = 1500;
/// How far a frame stands inside its chunk, in voxels.
const INSET: f32 = 0.45;
/// Places on the ramp: safe on the disk, being written, changed since.
const SAVED: f32 = 0.38;
const SAVING: f32 = 0.72;
const UNSAVED: f32 = 1.0;

/// How many chunks are in which state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Tally {
    unsaved: usize,
    saving: usize,
    saved: usize,
}

/// What is drawn, and what it was made from.
#[derive(Resource, Default)]
pub(super) struct Drawn {
    /// The player's chunk, the session's revision, and how many chunks are in which state.
    of: Option<(ChunkPos, u64, Tally)>,
    pub legend: Option<Legend>,
    since: f32,
    frames: Option<Entity>,
}

/// The chunks and their places on the ramp. One that was changed again while it is written counts as changed. Those of one run
/// are left out: new ones fill the sky.
fn states(session: &Session) -> Vec<(ChunkPos, f32)> {
    let unsaved = session.unsaved.iter().map(|pos| (*pos, UNSAVED));
    let is_new = |pos: &&ChunkPos| !session.unsaved.contains(pos);
    let saving = session.saving.iter().filter(is_new).map(|pos| (*pos, SAVING));
    let done = session.saved.iter().filter(is_new).filter(|pos| !session.saving.contains(pos));
    let has_runs = |(pos, _): &(ChunkPos, f32)| session.chunk_stats(*pos).is_some_and(|stats| stats.runs > 1);
    unsaved.chain(saving).chain(done.map(|pos| (*pos, SAVED))).filter(has_runs).collect()
}

/// Of all chunks, also of those of one run.
fn tally(session: &Session) -> Tally {
    let is_new = |pos: &&ChunkPos| !session.unsaved.contains(pos);
    let saving = session.saving.iter().filter(is_new).count();
    let saved = session.saved.iter().filter(is_new).filter(|pos| !session.saving.contains(pos)).count();
    Tally { unsaved: session.unsaved.len(), saving, saved }
}

fn mesh(mut states: Vec<(ChunkPos, f32)>, centre: ChunkPos) -> Option<Mesh> {
    // Two places far apart in the world are far apart; how far does not matter then.
    let offset =
        |pos: ChunkPos| pos.as_ivec3().saturating_sub(centre.as_ivec3()).clamp(IVec3::splat(-1000), IVec3::splat(1000));
    states.sort_by_key(|(pos, _)| offset(*pos).length_squared());
    let mut sides = Sides::default();
    for (pos, place) in states.into_iter().take(MOST) {
        let offset = offset(pos);
        let min = (offset * CHUNK_SIDE).as_vec3();
        let [r, g, b] = LinearRgba::from(ramp::color(place)).to_f32_array_no_alpha();
        // How far the player's chunk is from it: a bar that one may stand before is thin.
        let at_least = ((offset.abs() - 1).max(IVec3::ZERO) * CHUNK_SIDE).as_vec3().length();
        sides.edges(min + INSET, min + CHUNK_SIDE as f32 - INSET, 0.04 + 0.0015 * at_least, [r, g, b, 0.85]);
    }
    sides.mesh()
}

fn legend(tally: Tally) -> Legend {
    let ticks = [(SAVED, "saved"), (SAVING, "being saved"), (UNSAVED, "changed")];
    let chunks = |n: usize| format::counted(n as u64, "chunk");
    Legend {
        title: "chunks made or changed",
        ticks: ticks.map(|(place, what)| (place, what.to_owned())).into(),
        lines: vec![
            format!("{} to save, {} being saved", chunks(tally.unsaved), format::count(tally.saving as u64)),
            format!("{} on the disk", chunks(tally.saved)),
            "framed: those of more than one run".to_owned(),
        ],
    }
}

/// Draws the overlay anew when what it shows has changed, and keeps it in place.
pub(super) fn draw(
    time: Res<Time<Real>>,
    overlay: Res<ShownOverlay>,
    session: Option<Res<Session>>,
    place: (Res<Player>, Res<RenderOrigin>),
    paints: Res<Paints>,
    picture: Option<Res<PictureTarget>>,
    mut drawn: ResMut<Drawn>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut commands: Commands,
    mut transforms: Query<&mut Transform>,
) {
    let Some((session, OverlayKind::Unsaved)) = session.zip(overlay.0) else {
        if let Some(entity) = std::mem::take(&mut *drawn).frames {
            commands.entity(entity).despawn();
        }
        return;
    };
    let (player, origin) = place;
    drawn.since += time.delta_secs();
    let is_due = drawn.of.is_none() || drawn.since >= PAUSE || picture.is_some();
    let states = if is_due { states(&session) } else { Vec::new() };
    let now = (player.chunk(), session.revision(), tally(&session));
    if !is_due || drawn.of == Some(now) {
        let centre = drawn.of.map_or(now.0, |(centre, ..)| centre);
        let at = Transform::from_translation(origin.relative(centre.origin().as_dvec3()));
        if let Some(mut transform) = drawn.frames.and_then(|entity| transforms.get_mut(entity).ok()) {
            transform.set_if_neq(at);
        }
        return;
    }
    if let Some(entity) = drawn.frames.take() {
        commands.entity(entity).despawn();
    }
    let at = Transform::from_translation(origin.relative(now.0.origin().as_dvec3()));
    let frames = mesh(states, now.0).map(|mesh| {
        let (mesh, material) = (Mesh3d(meshes.add(mesh)), MeshMaterial3d(paints.get(Paint::Frame)));
        commands
            .spawn((mesh, material, at, (NoFrustumCulling, NotShadowCaster, NotShadowReceiver, not_in_pictures())))
            .id()
    });
    *drawn = Drawn { of: Some(now), legend: Some(legend(now.2)), since: 0.0, frames };
}
