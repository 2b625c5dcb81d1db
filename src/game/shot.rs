//! A picture of a map without a window: `stonerun shot`.
//!
//! The same game draws into an image instead of a window. Time stands still, and the picture is taken when every
//! chunk in view is there and drawn, so the same map and camera give the same picture each time. Tests take many, one after
//! the other, in one run ([`pictures`]).

use crate::game::culling::{Culling, Mode};
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
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
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
/// The same, for the pictures after the first: only the camera has moved. (More than the frames that the page about culling does
/// not count after a switch.)
const SETTLE_AGAIN: u32 = 4;

/// From where a picture is taken.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct View {
    /// The camera's place, in voxels; none for the player's.
    pub at: Option<[f64; 3]>,
    /// Yaw and pitch in degrees; none for the player's.
    pub look: Option<[f32; 2]>,
    /// What decides which chunks are drawn.
    pub culled_by: Mode,
}

/// What is done with a picture, by the number of its view; an error ends it all.
type Take = Box<dyn FnMut(usize, image::RgbImage) -> Result<(), String> + Send + Sync>;

#[derive(Resource)]
struct Order {
    views: Vec<View>,
    /// The one whose picture is taken now.
    now: usize,
    /// Frames drawn since everything was there.
    settled: u32,
    take: Take,
    failed: Arc<Mutex<Option<String>>>,
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
    let out = options.out;
    // The page about culling compares all ways of it: each is tried before. The first waits for what is still to come.
    let others = if page == Some(Page::Visibility) { &Mode::ALL[..] } else { &[] };
    let view = |culled_by| View { at: options.at, look: options.look, culled_by };
    let views: Vec<View> = [Mode::Pvs].iter().chain(others).copied().map(view).collect();
    let last = views.len() - 1;
    let write = move |number, picture: image::RgbImage| {
        if number != last {
            return Ok(());
        }
        let written = picture.save_with_format(&out, image::ImageFormat::Png);
        written.map_err(|error| format!("{}: {error}", out.display()))
    };
    let dress = |app: &mut App| {
        if let Some(page) = page {
            app.insert_resource(Panel { open: true, page });
        }
        app.insert_resource(Overlay(overlay));
    };
    pictures(&options.map, options.size, views, dress, Box::new(write))
}

/// Takes a picture of a map from each view, so many pixels wide and high, and hands it to `take` with the view's number. `dress` may
/// change the game before it begins.
///
/// # Errors
/// The map cannot be opened, there is no graphics adapter, a part of the map cannot be read, or `take` fails: one line.
pub fn pictures(
    map: &Path,
    size: (u32, u32),
    views: Vec<View>,
    dress: impl FnOnce(&mut App),
    take_one: Take,
) -> Result<(), String> {
    crate::save::MapFile::open_read_only(map).map(drop).map_err(|e| e.to_string())?;
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
    let (width, height) = size;
    let image = Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
    let image = app.world_mut().resource_mut::<Assets<Image>>().add(image);
    app.insert_resource(Target(image));
    app.add_plugins(GamePlugin);
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    dress(&mut app);
    let failed = Arc::default();
    app.world_mut().write_message(Request::Look(map.to_owned()));
    app.insert_resource(Order { views, now: 0, settled: 0, take: take_one, failed: Arc::clone(&failed) })
        .add_systems(OnEnter(Screen::Playing), place)
        .add_systems(PreUpdate, hold.run_if(resource_exists::<Session>))
        .add_systems(Last, (give_up, close).chain())
        .add_systems(Last, rest.run_if(resource_exists::<Session>))
        .add_systems(PostUpdate, take.run_if(resource_exists::<Session>));
    match app.run() {
        AppExit::Success => Ok(()),
        AppExit::Error(_) => {
            let failed = failed.lock().ok().and_then(|mut failed| failed.take());
            Err(failed.unwrap_or_else(|| "the picture was not taken".into()))
        }
    }
}

/// Puts the camera where it is asked for.
fn place(order: Res<Order>, mut player: ResMut<Player>, mut culling: ResMut<Culling>) {
    let Some(view) = order.views.get(order.now) else { return };
    culling.mode = view.culled_by;
    if let Some(at) = view.at {
        // The place asked for is the eyes'.
        player.walker.position = DVec3::from_array(at) - DVec3::Y * crate::body::walking::EYES;
    }
    player.walker.flying = true;
    if let Some([yaw, pitch]) = view.look {
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
    culling: Res<'w, Culling>,
}

impl Progress<'_> {
    /// True when every chunk in view is there and drawn, and every figure is counted.
    fn complete(&self) -> bool {
        let counted = !self.panel.measures() || self.measured.is_complete(&self.session);
        let settled = self.culling.is_settled();
        self.stream.waiting == 0 && self.meshes.waiting() == 0 && settled && counted
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
        order.settled = order.settled.min(SETTLE - SETTLE_AGAIN);
        return;
    }
    order.settled += 1;
    if order.settled != SETTLE {
        return;
    }
    commands.spawn(Screenshot::image(target.0.clone())).observe(taken);
}

/// Hands a picture over, and turns to the next view.
fn taken(
    captured: On<ScreenshotCaptured>,
    mut order: ResMut<Order>,
    mut exit: MessageWriter<AppExit>,
    mut commands: Commands,
) {
    let order = &mut *order;
    let picture = captured.image.clone().try_into_dynamic().map_err(|e| e.to_string());
    if let Err(error) = picture.and_then(|picture| (order.take)(order.now, picture.to_rgb8())) {
        if let Ok(mut failed) = order.failed.lock() {
            *failed = Some(error);
        }
        exit.write(AppExit::error());
        return;
    }
    order.now += 1;
    order.settled = SETTLE - SETTLE_AGAIN;
    if order.now == order.views.len() {
        exit.write(AppExit::Success);
    } else {
        commands.run_system_cached(place);
    }
}
