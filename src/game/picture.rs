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

/// A picture that has been made in the background and waits to be taken in.
#[derive(Resource, Default, Clone)]
pub struct Fresh(Arc<Mutex<Option<Vec<u8>>>>);

/// Takes a picture when it is time, and hands finished ones to the session.
pub fn take(
    time: Res<Time<Real>>,
    mut commands: Commands,
    mut session: ResMut<Session>,
    fresh: Res<Fresh>,
    panel: Res<Panel>,
    stream: Res<Stream>,
    mut wait: Local<Option<f32>>,
) {
    if let Some(png) = fresh.0.lock().ok().and_then(|mut png| png.take()) {
        session.picture = Some(png);
    }
    let left = wait.get_or_insert(FIRST);
    *left -= time.delta_secs();
    // Not of half a world, and not of the figures.
    if *left > 0.0 || panel.open || stream.waiting > 200 {
        return;
    }
    *left = EVERY;
    let fresh = fresh.clone();
    commands.spawn(Screenshot::primary_window()).observe(move |captured: On<ScreenshotCaptured>| {
        let (image, fresh) = (captured.image.clone(), fresh.clone());
        bevy::tasks::AsyncComputeTaskPool::get()
            .spawn(async move {
                if let (Some(png), Ok(mut slot)) = (shrink(image), fresh.0.lock()) {
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
