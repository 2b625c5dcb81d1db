//! The map's picture on the title screen: a small view of what the player sees, taken now and then and at the menu.
//!
//! A second, small camera looks where the player's does, for a few frames. So the picture shows the world alone: no
//! panel, no message, no outline.

use crate::game::common::screens::Menu;
use crate::game::player::Eyes;
use crate::game::session::SaveQueue;
use crate::game::streaming::ChunkStream;
use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use std::sync::{Arc, Mutex};

/// Seconds between two pictures.
const EVERY: f32 = 60.0;
/// Seconds of play before the first.
const FIRST: f32 = 5.0;
/// No picture is taken while more chunks than this are to come.
const FEW: usize = 40;
/// Size of the picture, in pixels; it is drawn twice as large, for smooth edges.
const SIZE: (u32, u32) = (320, 180);
/// In which frame of the small camera the picture is taken, and in which the camera goes.
const TAKEN: u32 = 3;
const DONE: u32 = 8;

/// The camera that takes the picture.
#[derive(Component)]
pub struct Lens {
    frame: u32,
    image: Handle<Image>,
}

/// The pictures of the open map. Every map gets one of its own, so that no picture comes to another map.
#[derive(Resource)]
pub struct MapPicture {
    /// Seconds until the next.
    left: f32,
    /// One that has been made in the background and waits to be taken in.
    made: Arc<Mutex<Option<Vec<u8>>>>,
}

impl Default for MapPicture {
    fn default() -> MapPicture {
        MapPicture { left: FIRST, made: Arc::default() }
    }
}

/// Takes a picture when it is time, and hands finished ones to the next save.
pub fn take(
    time: Res<Time<Real>>,
    menu: Res<Menu>,
    stream: Res<ChunkStream>,
    eyes: Single<(&Transform, &Projection), With<Eyes>>,
    mut lens: Option<Single<(Entity, &mut Lens)>>,
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    mut saves: ResMut<SaveQueue>,
    mut fresh: ResMut<MapPicture>,
) {
    if let Some(png) = fresh.made.lock().ok().and_then(|mut png| png.take()) {
        saves.set_picture(png);
    }
    if let Some(lens) = &mut lens {
        let (camera, lens) = &mut **lens;
        lens.frame += 1;
        if lens.frame == TAKEN {
            let made = Arc::clone(&fresh.made);
            commands.spawn(Screenshot::image(lens.image.clone())).observe(move |captured: On<ScreenshotCaptured>| {
                let (image, made) = (captured.image.clone(), Arc::clone(&made));
                let work = async move {
                    if let (Some(png), Ok(mut slot)) = (shrink(image), made.lock()) {
                        *slot = Some(png);
                    }
                };
                bevy::tasks::AsyncComputeTaskPool::get().spawn(work).detach();
            });
        } else if lens.frame == DONE {
            commands.entity(*camera).despawn();
        }
        return;
    }
    if *menu == Menu::None {
        fresh.left -= time.delta_secs();
    }
    // From the menu one leaves: the picture is of that place.
    let leaving = *menu == Menu::Pause && menu.is_changed();
    if (fresh.left <= 0.0 || leaving) && stream.waiting <= FEW {
        fresh.left = EVERY;
        let image = Image::new_target_texture(2 * SIZE.0, 2 * SIZE.1, TextureFormat::Rgba8UnormSrgb, None);
        let image = images.add(image);
        let (transform, projection) = *eyes;
        commands.spawn((
            Lens { frame: 0, image: image.clone() },
            Camera3d::default(),
            Camera { order: -1, ..default() },
            RenderTarget::Image(image.into()),
            Msaa::Off,
            bevy::core_pipeline::tonemapping::Tonemapping::None,
            *transform,
            projection.clone(),
        ));
    }
}

/// No picture is taken any more.
pub fn cancel(lenses: Query<Entity, With<Lens>>, mut commands: Commands) {
    lenses.iter().for_each(|lens| commands.entity(lens).despawn());
}

/// The picture as a small PNG.
fn shrink(image: Image) -> Option<Vec<u8>> {
    let full = image.try_into_dynamic().ok()?;
    let small = full.resize_exact(SIZE.0, SIZE.1, image::imageops::FilterType::Triangle).to_rgb8();
    let mut png = std::io::Cursor::new(Vec::new());
    small.write_to(&mut png, image::ImageFormat::Png).ok()?;
    Some(png.into_inner())
}
