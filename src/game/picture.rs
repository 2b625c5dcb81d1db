//! The map's picture on the title screen: a small copy of what the player sees, taken now and then.

use crate::game::panel::Panel;
use crate::game::session::Session;
use crate::game::streaming::Stream;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use std::sync::{Arc, Mutex};

/// Seconds between two pictures.
const EVERY: f32 = 60.0;
/// Seconds of play before the first.
const FIRST: f32 = 5.0;
/// Size of the picture, in pixels.
const SIZE: (u32, u32) = (320, 180);

/// The pictures of the open map. Every map gets one of its own, so that no picture comes to another map.
#[derive(Resource)]
pub struct Fresh {
    /// Seconds until the next.
    left: f32,
    /// One that has been made in the background and waits to be taken in.
    made: Arc<Mutex<Option<Vec<u8>>>>,
}

impl Default for Fresh {
    fn default() -> Fresh {
        Fresh { left: FIRST, made: Arc::default() }
    }
}

/// Takes a picture when it is time, and hands finished ones to the session.
pub fn take(
    time: Res<Time<Real>>,
    mut commands: Commands,
    mut session: ResMut<Session>,
    mut fresh: ResMut<Fresh>,
    panel: Res<Panel>,
    stream: Res<Stream>,
) {
    if let Some(png) = fresh.made.lock().ok().and_then(|mut png| png.take()) {
        session.picture = Some(png);
    }
    fresh.left -= time.delta_secs();
    // Not of half a world, and not of the figures.
    if fresh.left > 0.0 || panel.open || stream.waiting > 200 {
        return;
    }
    fresh.left = EVERY;
    let made = Arc::clone(&fresh.made);
    commands.spawn(Screenshot::primary_window()).observe(move |captured: On<ScreenshotCaptured>| {
        let (image, made) = (captured.image.clone(), Arc::clone(&made));
        bevy::tasks::AsyncComputeTaskPool::get()
            .spawn(async move {
                if let (Some(png), Ok(mut slot)) = (shrink(image), made.lock()) {
                    *slot = Some(png);
                }
            })
            .detach();
    });
}

/// The upper part of the screen (the hot bar is below) as a small PNG.
fn shrink(image: Image) -> Option<Vec<u8>> {
    let full = image.try_into_dynamic().ok()?;
    let height = full.height() * 21 / 25;
    let width = (height * SIZE.0 / SIZE.1).min(full.width());
    let part = full.crop_imm((full.width() - width) / 2, 0, width, height);
    let small = part.resize_exact(SIZE.0, SIZE.1, image::imageops::FilterType::Triangle).to_rgb8();
    let mut png = std::io::Cursor::new(Vec::new());
    small.write_to(&mut png, image::ImageFormat::Png).ok()?;
    Some(png.into_inner())
}
