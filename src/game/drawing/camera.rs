//! The camera: it shows the sky behind the title screen, and the world through the player's eyes.

use crate::game::drawing::lens;
use crate::game::state::frame::picture_target::PictureTarget;
use crate::game::state::player::Eyes;
use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;
use bevy::render::render_resource::TextureUsages;

/// The view behind the title screen: a little up, past the sun.
fn title_view() -> Transform {
    Transform::IDENTITY.looking_to(Vec3::new(1.0, 0.12, 0.6), Vec3::Y)
}

/// Turns the camera to the sky for the title screen.
pub fn face_the_sky(mut cameras: Query<&mut Transform, With<Eyes>>) {
    for mut transform in &mut cameras {
        *transform = title_view();
    }
}

/// A camera that can draw chunks. Its depth buffer can be copied: `chunk_drawing` needs the depth
/// of the opaque pass to make deep water darker than shallow water.
#[must_use]
pub fn world_camera() -> Camera3d {
    let depth_texture_usages = (TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC).into();
    Camera3d { depth_texture_usages, ..default() }
}

/// Spawns the camera.
pub fn spawn(mut commands: Commands, target: Option<Res<PictureTarget>>) {
    let mut camera = commands.spawn((
        world_camera(),
        Eyes,
        Msaa::Off,
        bevy::core_pipeline::tonemapping::Tonemapping::None,
        lens::perspective(PerspectiveProjection::default().fov),
        title_view(),
        RenderLayers::from_layers(&[0, 1]),
    ));
    if let Some(target) = target {
        camera.insert(bevy::camera::RenderTarget::Image(target.0.clone().into()));
    }
}
