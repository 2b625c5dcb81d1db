//! Boxes and frames of overlays, such as *bytes*, *cells* and *unsaved*: builds them when their
//! input changes, and keeps them in place.

use crate::game::drawing::paint::{Paint, Paints};
use crate::game::inspect::overlay::legend::Legend;
use crate::game::inspect::overlay::source::PAUSE;
use crate::game::state::frame::picture_target::{PictureTarget, not_in_pictures};
use crate::game::state::frame::render_origin::RenderOrigin;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::ecs::system::SystemParam;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;
use stonerun_engine::voxel::ChunkPos;

/// Number of updates after which built frames have certainly been on the screen.
const SEEN_AFTER: u32 = 4;

/// Frames of one overlay, and the key that they were built from. They are rebuilt when the key
/// changes.
pub struct ChunkFrames<K> {
    key: Option<K>,
    /// Chunk that positions are relative to.
    centre: ChunkPos,
    /// The legend, while the overlay is shown.
    pub legend: Option<Legend>,
    /// Seconds since the frames were built.
    since: f32,
    updates: u32,
    /// Entity that draws the frames. It is respawned on each rebuild, because an entity that was
    /// already drawn sometimes ignored a new mesh.
    entity: Option<Entity>,
}

/// Built frames.
pub struct BuiltFrames {
    /// Chunk that the mesh's positions are relative to.
    pub centre: ChunkPos,
    /// The frames; `None` if there are none.
    pub mesh: Option<Mesh>,
    /// The legend.
    pub legend: Legend,
}

/// Resources for drawing frames.
#[derive(SystemParam)]
pub struct FrameCanvas<'w, 's> {
    time: Res<'w, Time<Real>>,
    origin: Res<'w, RenderOrigin>,
    paints: Res<'w, Paints>,
    picture: Option<Res<'w, PictureTarget>>,
    meshes: ResMut<'w, Assets<Mesh>>,
    commands: Commands<'w, 's>,
    transforms: Query<'w, 's, &'static mut Transform>,
}

impl<K> Default for ChunkFrames<K> {
    fn default() -> ChunkFrames<K> {
        ChunkFrames {
            key: None,
            centre: ChunkPos::default(),
            legend: None,
            since: 0.0,
            updates: 0,
            entity: None,
        }
    }
}

impl<K: PartialEq> ChunkFrames<K> {
    /// Removes the frames.
    pub fn hide(&mut self, canvas: &mut FrameCanvas) {
        if let Some(entity) = std::mem::take(self).entity {
            canvas.commands.entity(entity).despawn();
        }
    }

    /// Builds the frames with `draw` if `key` has changed, at most every [`PAUSE`], and keeps them
    /// in place.
    pub fn update(&mut self, key: K, canvas: &mut FrameCanvas, draw: impl FnOnce() -> BuiltFrames) {
        self.since += canvas.time.delta_secs();
        self.updates += 1;
        // A new mesh appears an update later. If frames were rebuilt by time alone, none would ever
        // appear at few updates per second.
        let was_seen = self.since >= PAUSE && self.updates >= SEEN_AFTER;
        let is_due = self.key.is_none() || was_seen || canvas.picture.is_some();
        let at = |centre: ChunkPos, origin: RenderOrigin| {
            Transform::from_translation(origin.relative(centre.origin().as_dvec3()))
        };
        if !is_due || self.key.as_ref() == Some(&key) {
            if let Some(mut transform) =
                self.entity.and_then(|entity| canvas.transforms.get_mut(entity).ok())
            {
                transform.set_if_neq(at(self.centre, *canvas.origin));
            }
            return;
        }
        if let Some(entity) = self.entity.take() {
            canvas.commands.entity(entity).despawn();
        }
        let BuiltFrames { centre, mesh, legend } = draw();
        let entity = mesh.map(|mesh| {
            let material = MeshMaterial3d(canvas.paints.get(Paint::Frame));
            let mesh = Mesh3d(canvas.meshes.add(mesh));
            let unlit = (NoFrustumCulling, NotShadowCaster, NotShadowReceiver, not_in_pictures());
            canvas.commands.spawn((mesh, material, at(centre, *canvas.origin), unlit)).id()
        });
        *self = ChunkFrames {
            key: Some(key),
            centre,
            legend: Some(legend),
            since: 0.0,
            updates: 0,
            entity,
        };
    }
}
