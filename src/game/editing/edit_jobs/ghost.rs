//! Ghosts: shapes drawn into the world. Added voxels are green, removed ones red, changed ones
//! yellow.
//!
//! The meshes are built once, in the background. Moving a ghost changes only its [`Transform`].

use super::pool;
use super::shape::{EditShape, ShapeQuad, VoxelFate};
use crate::game::drawing::box_mesh::{BoxMesh, Colour};
use crate::game::drawing::paint::{Paint, Paints};
use crate::game::platform::task_pools;
use crate::game::state::frame::picture_target::not_in_pictures;
use crate::game::state::frame::render_origin::RenderOrigin;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::ecs::system::SystemParam;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::mpsc;
use stonerun_engine::runs::RunTree;
use stonerun_engine::voxel::{ChunkPos, Face};

/// Binary logarithm of the side of the cube that one mesh covers, in voxels. Small, because the
/// positions of vertices are `f32` and must be exact.
const PART_SHIFT: u32 = 9;
/// Distance by which faces are moved off the faces of blocks at the same position, in voxels.
/// Without it they would flicker.
const OFFSET: f32 = 0.006;

/// A drawn shape. Change `at` to move it, despawn its entity to remove it.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
#[require(Transform, Visibility)]
pub struct Ghost {
    /// Voxel of the world at which the shape's own origin lies.
    pub at: IVec3,
}

/// The meshes of a shape.
#[derive(Default)]
pub struct GhostMeshes {
    /// Meshes, each with the position of its origin in the shape's own coordinates.
    parts: Vec<(IVec3, Mesh)>,
    /// Number of rectangles.
    pub quads: usize,
    /// Side of the cells that are drawn, in voxels: 1 if all voxels are drawn as they are.
    pub cell: i32,
}

impl GhostMeshes {
    /// Builds the meshes of a shape. Takes about 0.1 microseconds per rectangle.
    #[must_use]
    pub fn new(shape: &EditShape) -> GhostMeshes {
        let mut parts: FxHashMap<IVec3, BoxMesh> = FxHashMap::default();
        for quad in &shape.quads {
            let part = quad.low >> PART_SHIFT;
            let origin = part << PART_SHIFT;
            let ShapeQuad { face, fate, low, high } = *quad;
            let shift = face.normal().as_vec3() * OFFSET;
            let [low, high] = [low, high].map(|corner| (corner - origin).as_vec3() + shift);
            parts.entry(part).or_default().side(low, high, face, colour(fate, face));
        }
        let meshes =
            parts.into_iter().filter_map(|(part, boxes)| Some((part << PART_SHIFT, boxes.mesh()?)));
        GhostMeshes { parts: meshes.collect(), quads: shape.quads.len(), cell: shape.cell }
    }
}

/// Linear colour of a face. Sides are darker than tops, so that edges are visible.
fn colour(fate: VoxelFate, face: Face) -> Colour {
    let light = match face {
        Face::Up => 1.0,
        Face::South | Face::North => 0.72,
        Face::East | Face::West => 0.55,
        Face::Down => 0.4,
    };
    let [red, green, blue] = match fate {
        VoxelFate::Added => [0.10, 0.80, 0.22],
        VoxelFate::Removed => [0.90, 0.08, 0.06],
        VoxelFate::Changed => [0.95, 0.66, 0.05],
    };
    [red * light, green * light, blue * light, 0.5]
}

/// A shape whose meshes are built in the background. If it is dropped, the result is discarded.
pub struct PendingGhost(mpsc::Receiver<GhostMeshes>);

impl PendingGhost {
    /// Starts building the meshes of a shape in which all matter of `chunks` counts as added, such
    /// as a clipboard. Positions are relative to the shape's own origin.
    #[must_use]
    pub fn start(chunks: Vec<(ChunkPos, RunTree)>) -> PendingGhost {
        let (sender, receiver) = mpsc::sync_channel(1);
        let build = move || {
            let Ok(pool) = pool::get() else { return };
            if let Some(shape) = pool.install(|| EditShape::from_chunks(&chunks, &|| false)) {
                // Fails only if the ghost was dropped.
                let _ = sender.send(GhostMeshes::new(&shape));
            }
        };
        // Without a thread no ghost is shown, but edits still work.
        let _ = task_pools::spawn_background("ghost", build);
        PendingGhost(receiver)
    }

    /// The meshes, once, as soon as they are ready.
    #[must_use]
    pub fn poll(&self) -> Option<GhostMeshes> {
        self.0.try_recv().ok()
    }
}

/// Commands and assets for drawing ghosts.
#[derive(SystemParam)]
pub struct GhostCanvas<'w, 's> {
    /// Commands of the system.
    pub commands: Commands<'w, 's>,
    meshes: ResMut<'w, Assets<Mesh>>,
    paints: Res<'w, Paints>,
}

impl GhostCanvas<'_, '_> {
    /// Draws a shape whose own origin lies at voxel `at`. Returns the entity with its [`Ghost`].
    pub fn spawn(&mut self, meshes: GhostMeshes, at: IVec3) -> Entity {
        let parts: Vec<(IVec3, Handle<Mesh>)> = meshes
            .parts
            .into_iter()
            .map(|(origin, mesh)| (origin, self.meshes.add(mesh)))
            .collect();
        let paints = [Paint::Ghost, Paint::GhostBehind].map(|paint| self.paints.get(paint));
        let ghost = self.commands.spawn((Ghost { at }, not_in_pictures())).id();
        for (origin, mesh) in parts {
            for paint in &paints {
                let place = Transform::from_translation(origin.as_vec3());
                let unlit =
                    (NoFrustumCulling, NotShadowCaster, NotShadowReceiver, not_in_pictures());
                self.commands.spawn((
                    Mesh3d(mesh.clone()),
                    MeshMaterial3d(paint.clone()),
                    place,
                    unlit,
                    ChildOf(ghost),
                ));
            }
        }
        ghost
    }
}

/// Moves ghosts with the render origin.
pub(super) fn place(origin: Res<RenderOrigin>, mut ghosts: Query<(&Ghost, &mut Transform)>) {
    for (ghost, mut transform) in &mut ghosts {
        let translation = origin.relative(ghost.at.as_dvec3());
        if transform.translation != translation {
            transform.translation = translation;
        }
    }
}
