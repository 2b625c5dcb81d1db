//! The overlay *bytes*: frames around the chunks near the player, coloured by what each takes.

use crate::game::common::format;
use crate::game::common::overlay_kind::{OverlayKind, ShownOverlay};
use crate::game::common::picture_target::{PictureTarget, not_in_pictures};
use crate::game::common::render_origin::RenderOrigin;
use crate::game::overlay::borders::Tally;
use crate::game::overlay::legend::Legend;
use crate::game::overlay::paint::{Paint, Paints};
use crate::game::overlay::source::PAUSE;
use crate::game::overlay::{borders, ramp};
use crate::game::player::Player;
use crate::game::session::Session;
use crate::metrics::WorldStats;
use crate::voxel::ChunkPos;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;

/// What is drawn, and what it was made from.
#[derive(Resource, Default)]
pub(super) struct Drawn {
    /// The player's chunk, and the world's figures: they change with every chunk that comes, goes or is edited.
    of: Option<(ChunkPos, WorldStats)>,
    pub legend: Option<Legend>,
    since: f32,
    /// Draws it. Each time another one: given a new mesh, one that has been drawn before sometimes was not again.
    frames: Option<Entity>,
}

/// Figures under the gradient, in bytes per voxel.
const TICKS: [f64; 5] = [0.001, 0.003, 0.01, 0.03, 0.1];

fn legend(tally: Tally) -> Legend {
    Legend {
        title: "chunk borders: heap bytes per voxel",
        ticks: TICKS.map(|tick| (ramp::place(tick), tick.to_string())).into(),
        lines: vec![format!(
            "{} framed; {} more are uniform",
            format::counted(tally.framed as u64, "chunk"),
            format::count(tally.uniform as u64)
        )],
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
    let Some((session, OverlayKind::Bytes)) = session.zip(overlay.0) else {
        if let Some(entity) = std::mem::take(&mut *drawn).frames {
            commands.entity(entity).despawn();
        }
        return;
    };
    let (player, origin) = place;
    drawn.since += time.delta_secs();
    let now = (player.chunk(), session.stats);
    let anew = drawn.of != Some(now) && (drawn.of.is_none() || drawn.since >= PAUSE || picture.is_some());
    let (centre, _) = drawn.of.filter(|_| !anew).unwrap_or(now);
    let at = Transform::from_translation(origin.relative(centre.origin().as_dvec3()));
    if !anew {
        if let Some(mut transform) = drawn.frames.and_then(|entity| transforms.get_mut(entity).ok()) {
            transform.set_if_neq(at);
        }
        return;
    }
    if let Some(entity) = drawn.frames.take() {
        commands.entity(entity).despawn();
    }
    let (chosen, tally) = borders::choose(&session, centre);
    // The renderer has no place for a mesh without a vertex.
    let frames = (!chosen.is_empty()).then(|| {
        let mesh = Mesh3d(meshes.add(borders::bars(&chosen)));
        let material = MeshMaterial3d(paints.get(Paint::Frame));
        commands
            .spawn((mesh, material, at, (NoFrustumCulling, NotShadowCaster, NotShadowReceiver, not_in_pictures())))
            .id()
    });
    *drawn = Drawn { of: Some(now), legend: Some(legend(tally)), since: 0.0, frames };
}
