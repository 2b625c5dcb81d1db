//! Overlays on F4: what is drawn into the world to show how it is kept.
//!
//! - `borders`: frames around chunks; `ramp`: their colours; `legend`: what those mean.

pub mod borders;
pub mod ramp;

mod legend;

use crate::game::flow::Screen;
use crate::game::meshing::RenderOrigin;
use crate::game::panel::Panel;
use crate::game::picture::not_in_pictures;
use crate::game::player::Player;
use crate::game::session::Session;
use crate::game::shot::Target;
use crate::voxel::ChunkPos;
use crate::world::WorldStats;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass};
use borders::Tally;

/// A kind of overlay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Chunk borders, coloured by bytes per voxel.
    Bytes,
}

impl Kind {
    /// All, in the order F4 shows them.
    pub const ALL: [Kind; 1] = [Kind::Bytes];

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Bytes => "bytes",
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
        app.init_resource::<Overlay>()
            .init_resource::<Drawn>()
            .add_systems(Startup, mix_paint)
            .add_systems(Update, turn.run_if(in_state(Screen::Playing)))
            .add_systems(PostUpdate, draw.before(TransformSystems::Propagate))
            .add_systems(EguiPrimaryContextPass, explain);
    }
}

fn turn(keys: Res<ButtonInput<KeyCode>>, mut overlay: ResMut<Overlay>) {
    if keys.just_pressed(KeyCode::F4) {
        overlay.turn();
    }
}

/// Shortest time between two meshes of the overlay, in seconds: while chunks stream in they change every frame.
const PAUSE: f32 = 0.25;

/// What is drawn, and what it was made from.
#[derive(Resource, Default)]
struct Drawn {
    /// The player's chunk, and the world's figures: they change with every chunk that comes, goes or is edited.
    of: Option<(ChunkPos, WorldStats)>,
    tally: Tally,
    since: f32,
    /// Draws it. Each time another one: given a new mesh, one that has been drawn before sometimes was not again.
    frames: Option<Entity>,
}

/// How the frames are drawn.
#[derive(Resource)]
struct Paint(Handle<StandardMaterial>);

fn mix_paint(mut commands: Commands, mut materials: ResMut<Assets<StandardMaterial>>) {
    let alpha_mode = AlphaMode::Blend;
    let material = StandardMaterial { unlit: true, alpha_mode, cull_mode: None, ..default() };
    commands.insert_resource(Paint(materials.add(material)));
}

/// Draws the overlay anew when what it shows has changed, and keeps it in place.
fn draw(
    time: Res<Time<Real>>,
    overlay: Res<Overlay>,
    session: Option<Res<Session>>,
    place: (Res<Player>, Res<RenderOrigin>),
    paint: Res<Paint>,
    picture: Option<Res<Target>>,
    mut drawn: ResMut<Drawn>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut commands: Commands,
    mut transforms: Query<&mut Transform>,
) {
    let Some((session, Kind::Bytes)) = session.zip(overlay.0) else {
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
    let at = Transform::from_translation(origin.place(centre.origin().as_dvec3()));
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
        let material = MeshMaterial3d(paint.0.clone());
        commands
            .spawn((mesh, material, at, (NoFrustumCulling, NotShadowCaster, NotShadowReceiver, not_in_pictures())))
            .id()
    });
    *drawn = Drawn { of: Some(now), tally, since: 0.0, frames };
}

fn explain(mut contexts: EguiContexts, drawn: Res<Drawn>, panel: Res<Panel>) -> Result {
    if drawn.of.is_some() {
        let ctx = contexts.ctx_mut()?;
        legend::show(ctx, drawn.tally, panel.taken(ctx.viewport_rect()));
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
        for _ in 0..3 {
            overlay.turn();
            seen.push(overlay.0.map(Kind::name));
        }
        assert_eq!(seen, [Some("bytes"), None, Some("bytes")]);
        assert_eq!(Kind::from_name("Bytes"), Ok(Kind::Bytes));
        assert!(Kind::from_name("bites").is_err_and(|e| e.contains("bites") && e.contains("bytes")));
    }
}
