//! The picture of a map for the title screen: a small view of the world. It is taken at intervals,
//! when the pause menu opens, and when a signal ends the game.
//!
//! A second, small camera has the player's view for a few frames, so the picture shows only the
//! world, without panel, notices and outline.

use crate::game::drawing::camera::world_camera;
use crate::game::map::streaming::ChunkStream;
use crate::game::state::cutaway::Cutaway;
use crate::game::state::player::Eyes;
use crate::game::state::screens::Menu;
use crate::game::state::session::SaveQueue;
use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Seconds of play between two pictures.
const INTERVAL: f32 = 60.0;
/// Seconds of play before the first picture.
const FIRST: f32 = 5.0;
/// Maximum number of missing chunks with which a picture is still taken.
const MAX_MISSING_CHUNKS: usize = 40;
/// Width and height of the picture in pixels. It is drawn at twice the size and scaled down, for
/// smooth edges.
const SIZE: UVec2 = UVec2::new(320, 180);
/// Number of the frame in which the small camera's image is captured.
const TAKEN: u32 = 3;
/// Number of the frame in which the small camera is removed.
const DONE: u32 = 8;

/// Maximum time that leaving the map waits for a picture.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// The small camera that takes the picture.
#[derive(Component)]
pub struct PictureCamera {
    frame: u32,
    image: Handle<Image>,
}

/// The pictures of the open map. Each opened map gets a new one, so that a picture that is still
/// being encoded never reaches another map.
#[derive(Resource)]
pub struct MapPicture {
    /// Seconds of play until the next picture.
    left: f32,
    /// Time of a request for a picture that was not begun since.
    asked: Option<Instant>,
    /// Time at which the present picture was begun; `None` once it was passed to the next save.
    begun: Option<Instant>,
    /// Finished picture as a PNG, written by a background task.
    encoded: Arc<Mutex<Option<Vec<u8>>>>,
}

impl Default for MapPicture {
    fn default() -> MapPicture {
        MapPicture { left: FIRST, asked: None, begun: None, encoded: Arc::default() }
    }
}

impl MapPicture {
    /// True if a picture will be finished soon. The map should not be closed before.
    #[must_use]
    pub fn is_underway(&self) -> bool {
        let is_awaited =
            |since: Option<Instant>| since.is_some_and(|since| since.elapsed() < MAX_WAIT);
        is_awaited(self.asked) || is_awaited(self.begun)
    }

    /// Requests a picture as soon as possible, for when the game ends without the pause menu.
    pub fn ask(&mut self) {
        self.left = 0.0;
        self.asked = Some(Instant::now());
    }
}

/// Takes a picture when it is time, and passes finished pictures to the next save.
pub fn take(
    time: Res<Time<Real>>,
    menu: Res<Menu>,
    stream: Res<ChunkStream>,
    cutaway: Res<Cutaway>,
    eyes: Single<(&Transform, &Projection), With<Eyes>>,
    mut camera: Option<Single<(Entity, &mut PictureCamera)>>,
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    mut saves: ResMut<SaveQueue>,
    mut picture: ResMut<MapPicture>,
) {
    if let Some(png) = picture.encoded.lock().ok().and_then(|mut png| png.take()) {
        saves.set_picture(png);
        picture.begun = None;
    }
    // Players leave from the pause menu, so a picture taken when it opens shows the place they
    // leave.
    let paused = *menu == Menu::Pause && menu.is_changed();
    if let Some(camera) = &mut camera {
        let (entity, camera) = &mut **camera;
        if paused {
            // The picture that is under way shows an earlier view.
            commands.entity(*entity).despawn();
        } else {
            camera.advance(*entity, &picture.encoded, &mut commands);
            return;
        }
    }
    if !menu.covers_world() {
        picture.left -= time.delta_secs();
    }
    if cutaway.shown.is_some() {
        // No picture is taken while ground is cut away: it would lack the bars that explain the
        // cut.
        picture.asked = None;
        return;
    }
    if (picture.left <= 0.0 || paused) && stream.waiting <= MAX_MISSING_CHUNKS {
        picture.left = INTERVAL;
        picture.asked = None;
        // An earlier picture that is still being encoded is dropped.
        picture.begun = Some(Instant::now());
        picture.encoded = Arc::default();
        let image =
            Image::new_target_texture(2 * SIZE.x, 2 * SIZE.y, TextureFormat::Rgba8UnormSrgb, None);
        let image = images.add(image);
        let (transform, projection) = *eyes;
        commands.spawn((
            PictureCamera { frame: 0, image: image.clone() },
            world_camera(),
            Camera { order: -1, ..default() },
            RenderTarget::Image(image.into()),
            Msaa::Off,
            bevy::core_pipeline::tonemapping::Tonemapping::None,
            *transform,
            projection.clone(),
        ));
    }
}

impl PictureCamera {
    /// Counts a frame of the camera: captures its image once the view has been drawn, and later
    /// removes the camera.
    fn advance(
        &mut self,
        entity: Entity,
        encoded: &Arc<Mutex<Option<Vec<u8>>>>,
        commands: &mut Commands,
    ) {
        self.frame += 1;
        if self.frame == TAKEN {
            let encoded = Arc::clone(encoded);
            commands.spawn(Screenshot::image(self.image.clone())).observe(
                move |captured: On<ScreenshotCaptured>| {
                    let image = captured.image.clone();
                    let encoded = Arc::clone(&encoded);
                    let work = async move {
                        if let (Some(png), Ok(mut slot)) = (encode(image), encoded.lock()) {
                            *slot = Some(png);
                        }
                    };
                    bevy::tasks::AsyncComputeTaskPool::get().spawn(work).detach();
                },
            );
        } else if self.frame == DONE {
            commands.entity(entity).despawn();
        }
    }
}

/// Removes the small camera, because the map was closed.
pub fn cancel(cameras: Query<Entity, With<PictureCamera>>, mut commands: Commands) {
    for camera in &cameras {
        commands.entity(camera).despawn();
    }
}

/// Scales the picture down and encodes it as PNG.
fn encode(image: Image) -> Option<Vec<u8>> {
    let full = image.try_into_dynamic().ok()?;
    let small = full.resize_exact(SIZE.x, SIZE.y, image::imageops::FilterType::Triangle).to_rgb8();
    let mut png = std::io::Cursor::new(Vec::new());
    small.write_to(&mut png, image::ImageFormat::Png).ok()?;
    Some(png.into_inner())
}
