//! A picture of a map without a window: `stonerun shot`.
//!
//! The same game draws into an image instead of a window. Time stands still, and the picture is taken when every
//! chunk in view is there and drawn, so the same map and camera give the same picture each time.

use crate::game::flow::{Menu, Notices, Request, Screen};
use crate::game::meshing::Meshes;
use crate::game::overlay::{Kind, Overlay};
use crate::game::panel::measured::Measured;
use crate::game::panel::{Page, Panel};
use crate::game::player::Player;
use crate::game::session::Session;
use crate::game::streaming::Stream;
use crate::game::{GamePlugin, LOG, adapter, log_plugin};
use bevy::app::ScheduleRunnerPlugin;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use glam::DVec3;
use std::path::PathBuf;
use std::time::Duration;

/// What picture to take.
#[derive(Clone, PartialEq, Debug)]
pub struct ShotOptions {
    /// The map's file.
    pub map: PathBuf,
    /// Where the picture goes, PNG.
    pub out: PathBuf,
    /// The camera's place, in voxels; none for the player's.
    pub at: Option<[f64; 3]>,
    /// Yaw and pitch in degrees; none for the player's.
    pub look: Option<[f32; 2]>,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Name of the panel's page to show.
    pub panel: Option<String>,
    /// Name of the overlay to draw.
    pub overlay: Option<String>,
}

/// The image that is drawn into, in the window's place.
#[derive(Resource)]
pub struct Target(pub Handle<Image>);

/// Frames drawn after everything is there, so that the interface has its sizes and the textures are up.
const SETTLE: u32 = 12;

#[derive(Resource)]
struct Order {
    options: ShotOptions,
    settled: u32,
}

/// Draws the picture.
///
/// # Errors
/// The map cannot be opened, there is no graphics adapter, an unknown page or overlay was named, or the picture cannot
/// be written: one line.
pub fn run(options: ShotOptions) -> Result<(), String> {
    let page = options.panel.as_deref().map(Page::from_name).transpose()?;
    let overlay = options.overlay.as_deref().map(Kind::from_name).transpose()?;
    can_be_written(&options)?;
    crate::save::MapFile::open_read_only(&options.map).map(drop).map_err(|e| e.to_string())?;
    adapter::check()?;

    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
            .set(bevy::render::RenderPlugin { synchronous_pipeline_compilation: true, ..default() })
            // That drawing without a graphics card is slow is known to who takes pictures without a window.
            .set(log_plugin(&format!("{LOG},bevy_render::renderer=error")))
            .disable::<WinitPlugin>(),
    )
    .add_plugins(ScheduleRunnerPlugin::run_loop(Duration::ZERO));
    let (width, height) = options.size;
    let image = Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
    let image = app.world_mut().resource_mut::<Assets<Image>>().add(image);
    app.insert_resource(Target(image));
    app.add_plugins(GamePlugin);
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    if let Some(page) = page {
        app.insert_resource(Panel { open: true, page });
    }
    app.insert_resource(Overlay(overlay));
    app.world_mut().write_message(Request::Look(options.map.clone()));
    app.insert_resource(Order { options, settled: 0 })
        .add_systems(OnEnter(Screen::Playing), place)
        .add_systems(PreUpdate, hold.run_if(resource_exists::<Session>))
        .add_systems(Last, (give_up, close).chain())
        .add_systems(Last, rest.run_if(resource_exists::<Session>))
        .add_systems(PostUpdate, take.run_if(resource_exists::<Session>));
    match app.run() {
        AppExit::Success => Ok(()),
        AppExit::Error(_) => Err("the picture was not taken".into()),
    }
}

/// Puts the camera where it was asked for.
fn place(order: Res<Order>, mut player: ResMut<Player>) {
    if let Some(at) = order.options.at {
        // The place asked for is the eyes'.
        player.walker.position = DVec3::from_array(at) - DVec3::Y * crate::rules::walking::EYES;
    }
    player.walker.flying = true;
    if let Some([yaw, pitch]) = order.options.look {
        player.yaw = yaw.to_radians();
        player.pitch = pitch.to_radians().clamp(-1.553, 1.553);
    }
}

/// Before the long work: can the picture be written at all? What is there is not touched yet.
fn can_be_written(options: &ShotOptions) -> Result<(), String> {
    let out = &options.out;
    let is_map = out.extension().is_some_and(|e| e.eq_ignore_ascii_case("stonerun"))
        || matches!((out.canonicalize(), options.map.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if is_map {
        return Err(format!("{}: a picture would overwrite a map", out.display()));
    }
    if !out.extension().is_some_and(|e| e.eq_ignore_ascii_case("png")) {
        return Err(format!("{}: the picture is a PNG; call it so", out.display()));
    }
    let is_new = !out.exists();
    std::fs::OpenOptions::new().append(true).create(true).open(out).map_err(|e| format!("{}: {e}", out.display()))?;
    if is_new {
        let _ = std::fs::remove_file(out);
    }
    Ok(())
}

/// No menu opens, and no notice lies over the picture: `warn` has printed it.
fn hold(mut menu: ResMut<Menu>, mut notices: ResMut<Notices>) {
    menu.set_if_neq(Menu::None);
    notices.list.clear();
}

/// Frames in which the map must have been opened.
const PATIENCE: u32 = 10;

/// Ends without a picture where none can come: the map was not opened, or part of it cannot be read. Why was printed.
fn give_up(
    session: Option<Res<Session>>,
    stream: Option<Res<Stream>>,
    order: Res<Order>,
    mut frames: Local<u32>,
    mut exit: MessageWriter<AppExit>,
) {
    *frames += 1;
    let unopened = session.is_none() && *frames > PATIENCE && order.settled < SETTLE;
    if unopened || stream.is_some_and(|s| s.pause_until.is_some()) {
        exit.write(AppExit::error());
    }
}

/// Closes the map at the end. Not earlier in the frame: others are still at work on it.
fn close(mut exits: MessageReader<AppExit>, mut commands: Commands) {
    if exits.read().next().is_some() {
        commands.remove_resource::<Session>();
    }
}

/// What the picture waits for.
#[derive(SystemParam)]
struct Progress<'w> {
    session: Res<'w, Session>,
    stream: Res<'w, Stream>,
    meshes: Res<'w, Meshes>,
    panel: Res<'w, Panel>,
    measured: Res<'w, Measured>,
}

impl Progress<'_> {
    /// True when every chunk in view is there and drawn, and every figure is counted.
    fn complete(&self) -> bool {
        let counted = !self.panel.measures() || self.measured.is_complete(&self.session);
        self.stream.waiting == 0 && self.meshes.waiting() == 0 && counted
    }
}

/// Draws nothing until everything is there: on a software driver drawing takes the time that loading needs.
fn rest(progress: Progress, mut camera: Single<&mut Camera>) {
    let ready = progress.complete();
    if camera.is_active != ready {
        camera.is_active = ready;
    }
    if !ready {
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn take(mut order: ResMut<Order>, mut commands: Commands, progress: Progress, target: Res<Target>) {
    if !progress.complete() {
        order.settled = 0;
        return;
    }
    order.settled += 1;
    if order.settled != SETTLE {
        return;
    }
    let out = order.options.out.clone();
    commands.spawn(Screenshot::image(target.0.clone())).observe(
        move |captured: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
            let written = captured.image.clone().try_into_dynamic().map_err(|e| e.to_string()).and_then(|picture| {
                picture.to_rgb8().save_with_format(&out, image::ImageFormat::Png).map_err(|e| e.to_string())
            });
            match written {
                Ok(()) => exit.write(AppExit::Success),
                Err(error) => {
                    eprintln!("stonerun: {}: {error}", out.display());
                    exit.write(AppExit::error())
                }
            };
        },
    );
}
