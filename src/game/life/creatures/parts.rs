//! Draws the boxes of creatures: one entity each, from a pool.
//!
//! All boxes share one mesh and one material, so Bevy draws them with one call. A box's colour and
//! light are in its tag.

use super::material::CreatureMaterial;
use crate::game::drawing::chunk_drawing::ChunkParams;
use crate::game::state::frame::render_origin::RenderOrigin;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::mesh::MeshTag;
use bevy::prelude::*;
use glam::DVec3;

/// A box of a body, in the world.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DrawnPart {
    /// Middle of the box, in voxels of the world.
    pub centre: DVec3,
    /// Rotation of the box about its centre.
    pub rotation: Quat,
    /// Size of the box along its own axes, before the rotation, in voxels.
    pub size: Vec3,
    /// Colour and light.
    pub tag: u32,
}

/// The boxes of this frame.
#[derive(Resource, Default)]
pub struct DrawnParts(pub Vec<DrawnPart>);

/// Mesh and material of all boxes.
#[derive(Resource)]
pub struct PartShape {
    cube: Handle<Mesh>,
    /// The material.
    pub material: Handle<CreatureMaterial>,
}

/// A box of the pool.
#[derive(Component)]
pub struct Part;

/// Makes mesh and material.
pub fn create(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<CreatureMaterial>>,
) {
    let cube = meshes.add(Cuboid::from_length(1.0));
    let material = materials.add(CreatureMaterial { params: default() });
    commands.insert_resource(PartShape { cube, material });
}

/// Shows the boxes of this frame, and hides the rest of the pool.
pub fn draw(
    parts: Res<DrawnParts>,
    origin: Res<RenderOrigin>,
    shape: Res<PartShape>,
    mut pool: Query<(&mut Transform, &mut MeshTag, &mut Visibility), With<Part>>,
    mut commands: Commands,
) {
    let place = |part: &DrawnPart| Transform {
        translation: origin.relative(part.centre),
        rotation: part.rotation,
        scale: part.size,
    };
    let mut wanted = parts.0.iter();
    for (mut transform, mut tag, mut visibility) in &mut pool {
        let Some(part) = wanted.next() else {
            visibility.set_if_neq(Visibility::Hidden);
            continue;
        };
        transform.set_if_neq(place(part));
        if tag.0 != part.tag {
            tag.0 = part.tag;
        }
        visibility.set_if_neq(Visibility::Visible);
    }
    for part in wanted {
        let look =
            (Mesh3d(shape.cube.clone()), MeshMaterial3d(shape.material.clone()), MeshTag(part.tag));
        commands.spawn((Part, look, place(part), NotShadowCaster, NotShadowReceiver));
    }
}

/// Copies the fog and light of the chunks to the material of creatures.
pub fn follow_chunks(
    params: Res<ChunkParams>,
    shape: Res<PartShape>,
    mut materials: ResMut<Assets<CreatureMaterial>>,
) {
    // Write access uploads the material, so it is only taken for a change.
    if materials.get(&shape.material).is_some_and(|material| material.params != *params)
        && let Some(mut material) = materials.get_mut(&shape.material)
    {
        material.params = *params;
    }
}
