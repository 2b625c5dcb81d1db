//! Pictures of a map from several views, taken one after the other in one run of the game.

use crate::game::app::launch::{LOG_FILTER, log_plugin};
use crate::game::app::plugin::GamePlugin;
use crate::game::drawing::culling::state::{Culling, CullingMode};
use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::map::streaming::ChunkStream;
use crate::game::platform::adapter::NoAdapter;
use crate::game::platform::{adapter, task_pools};
use crate::game::state::frame::picture_target::PictureTarget;
use crate::game::state::notices::Notices;
use crate::game::state::panel_page::PanelFigures;
use crate::game::state::player::Player;
use crate::game::state::requests::Request;
use crate::game::state::screens::{Menu, Screen};
use crate::game::state::session::{OpenMap, SaveQueue};
use bevy::app::ScheduleRunnerPlugin;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use glam::{DVec3, UVec2};
use std::error::Error;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use stonerun_engine::save::{MapFile, SaveError, TimeOfDay};
use stonerun_engine::world::viewpoint::feet_below;

/// Frames drawn after everything is loaded, before the first picture. In these the interface is
/// laid out and the textures are uploaded.
const SETTLE_FRAMES: u32 = 12;
/// Frames drawn before each later picture, for which only the camera moves. More than the frames
/// after a switch of the culling mode that the page *Visibility* leaves out of its figures.
const SETTLE_FRAMES_AGAIN: u32 = 4;
/// Maximum number of frames until the map is open.
const MAX_OPEN_FRAMES: u32 = 10;

/// The camera of a picture.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CameraView {
    /// Position of the eyes, in voxels; `None` for the player's position in the map.
    pub at: Option<[f64; 3]>,
    /// Yaw and pitch in degrees; `None` for the player's view in the map.
    pub look: Option<[f32; 2]>,
    /// Time of day; `None` for the map's.
    pub time: Option<TimeOfDay>,
    /// Culling mode.
    pub culled_by: CullingMode,
}

/// Receives each picture with the number of its view. An error ends the run.
pub type TakePicture =
    Box<dyn FnMut(usize, image::RgbImage) -> Result<(), BoxedError> + Send + Sync>;
type BoxedError = Box<dyn Error + Send + Sync>;

/// Error that prevents pictures.
#[derive(thiserror::Error, Debug)]
pub enum PictureError {
    /// The map cannot be opened.
    #[error(transparent)]
    Map(#[from] SaveError),
    /// No graphics adapter was found.
    #[error(transparent)]
    Adapter(#[from] NoAdapter),
    /// The receiver of the pictures failed, or the graphics driver's image cannot be converted.
    #[error("{0}")]
    Take(BoxedError),
    /// The game ended before the picture was taken, and has printed the reason.
    #[error("the picture was not taken")]
    NotTaken,
}

/// The views whose pictures are taken, and the progress.
#[derive(Resource)]
struct PictureOrder {
    views: Vec<CameraView>,
    /// The view whose picture is taken next.
    current: usize,
    /// Frames drawn since everything was loaded, for the current view.
    settled_frames: u32,
    take: TakePicture,
    outcome: Outcome,
}

/// `Ok` once all pictures are taken; the error of `take` if it failed.
type Outcome = Arc<Mutex<Result<(), Option<BoxedError>>>>;

impl PictureOrder {
    fn end(&self, result: Result<(), Option<BoxedError>>) {
        if let Ok(mut outcome) = self.outcome.lock() {
            *outcome = result;
        }
    }
}

/// Takes a picture of a map from each view, `size` pixels wide and high, and hands it to `take`
/// with the view's number. `prepare` may change the game before it starts.
///
/// # Errors
/// The map cannot be opened, there is no graphics adapter, a part of the map cannot be read, `take`
/// fails, or the program is asked to end.
pub fn pictures(
    map: &Path,
    size: UVec2,
    views: Vec<CameraView>,
    prepare: impl FnOnce(&mut App),
    take: TakePicture,
) -> Result<(), PictureError> {
    MapFile::open_read_only(map).map(drop)?;
    adapter::check()?;

    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(task_pools::plugin())
            .set(WindowPlugin {
                primary_window: None,
                exit_condition: ExitCondition::DontExit,
                ..default()
            })
            .set(bevy::render::RenderPlugin { synchronous_pipeline_compilation: true, ..default() })
            // The warning that drawing without a graphics card is slow does not matter for
            // pictures.
            .set(log_plugin(&format!("{LOG_FILTER},bevy_render::renderer=error")))
            .disable::<WinitPlugin>(),
    )
    .add_plugins(ScheduleRunnerPlugin::run_loop(Duration::ZERO));
    let UVec2 { x: width, y: height } = size;
    let image = Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
    let image = app.world_mut().resource_mut::<Assets<Image>>().add(image);
    app.insert_resource(PictureTarget(image));
    app.add_plugins(GamePlugin);
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    prepare(&mut app);
    let outcome: Outcome = Arc::new(Mutex::new(Err(None)));
    app.world_mut().write_message(Request::OpenForPicture(map.to_owned()));
    app.insert_resource(PictureOrder {
        views,
        current: 0,
        settled_frames: 0,
        take,
        outcome: Arc::clone(&outcome),
    })
    .add_systems(OnEnter(Screen::Playing), place_camera)
    .add_systems(PreUpdate, suppress_interface.run_if(resource_exists::<OpenMap>))
    .add_systems(Last, (give_up, close_map).chain())
    // Bevy drops read messages only after a fixed update, which never comes while time is paused.
    .add_systems(Last, bevy::ecs::message::signal_message_update_system)
    .add_systems(Last, pause_drawing.run_if(resource_exists::<OpenMap>))
    .add_systems(PostUpdate, take_screenshot.run_if(resource_exists::<OpenMap>));
    app.run();
    // The exit code does not show whether all pictures were taken: a signal ends the game without
    // an error, too.
    let outcome =
        outcome.lock().map_or(Err(None), |mut outcome| std::mem::replace(&mut *outcome, Err(None)));
    outcome.map_err(|error| error.map_or(PictureError::NotTaken, PictureError::Take))
}

/// Puts the camera at the current view.
fn place_camera(
    order: Res<PictureOrder>,
    mut player: ResMut<Player>,
    mut culling: ResMut<Culling>,
    mut map: ResMut<OpenMap>,
) {
    let Some(view) = order.views.get(order.current) else { return };
    culling.mode = view.culled_by;
    if let Some(at) = view.at {
        // `at` is the position of the eyes. The walker's position is at the feet.
        player.walker.position = feet_below(DVec3::from_array(at));
    }
    // The map is open for reading only, so the file keeps its own time.
    if let Some(time) = view.time {
        map.header.time_of_day = time.part();
    }
    player.walker.flying = true;
    if let Some([yaw, pitch]) = view.look {
        player.yaw = yaw.to_radians();
        player.pitch = pitch.to_radians().clamp(-1.553, 1.553);
    }
}

/// Keeps menus and notices out of the picture. Warnings have been printed.
fn suppress_interface(mut menu: ResMut<Menu>, mut notices: ResMut<Notices>) {
    menu.set_if_neq(Menu::None);
    notices.list.clear();
}

/// Ends the run if no picture is possible: the map was not opened, or part of it cannot be read.
/// The reason was printed.
fn give_up(
    map: Option<Res<OpenMap>>,
    stream: Option<Res<ChunkStream>>,
    order: Res<PictureOrder>,
    mut frames: Local<u32>,
    mut exit: MessageWriter<AppExit>,
) {
    *frames += 1;
    let unopened =
        map.is_none() && *frames > MAX_OPEN_FRAMES && order.settled_frames < SETTLE_FRAMES;
    if unopened || stream.is_some_and(|stream| stream.pause_until.is_some()) {
        exit.write(AppExit::error());
    }
}

/// Closes the map at the end of the last frame, when no other system works on it.
fn close_map(mut exits: MessageReader<AppExit>, mut commands: Commands) {
    if exits.read().next().is_some() {
        commands.remove_resource::<OpenMap>();
        commands.remove_resource::<SaveQueue>();
    }
}

/// Resources that a picture waits for.
#[derive(SystemParam)]
struct LoadingProgress<'w> {
    stream: Res<'w, ChunkStream>,
    meshes: Res<'w, ChunkMeshes>,
    culling: Res<'w, Culling>,
    figures: Res<'w, PanelFigures>,
}

impl LoadingProgress<'_> {
    /// True when every chunk in view is loaded and drawn, and every figure is counted.
    fn is_complete(&self) -> bool {
        let settled = self.culling.is_settled() && self.figures.complete;
        self.stream.waiting == 0 && self.meshes.waiting() == 0 && settled
    }
}

/// Draws nothing until everything is loaded: on a software driver drawing takes the time that
/// loading needs.
fn pause_drawing(progress: LoadingProgress, mut camera: Single<&mut Camera>) {
    let ready = progress.is_complete();
    if camera.is_active != ready {
        camera.is_active = ready;
    }
    if !ready {
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn take_screenshot(
    mut order: ResMut<PictureOrder>,
    mut commands: Commands,
    progress: LoadingProgress,
    target: Res<PictureTarget>,
) {
    if !progress.is_complete() {
        order.settled_frames = order.settled_frames.min(SETTLE_FRAMES - SETTLE_FRAMES_AGAIN);
        return;
    }
    order.settled_frames += 1;
    if order.settled_frames == SETTLE_FRAMES {
        commands.spawn(Screenshot::image(target.0.clone())).observe(hand_over);
    }
}

/// Hands a picture over, and goes on to the next view.
fn hand_over(
    captured: On<ScreenshotCaptured>,
    mut order: ResMut<PictureOrder>,
    mut exit: MessageWriter<AppExit>,
    mut commands: Commands,
) {
    let order = &mut *order;
    let picture = captured.image.clone().try_into_dynamic().map_err(BoxedError::from);
    if let Err(error) = picture.and_then(|picture| (order.take)(order.current, picture.to_rgb8())) {
        order.end(Err(Some(error)));
        exit.write(AppExit::error());
        return;
    }
    order.current += 1;
    order.settled_frames = SETTLE_FRAMES - SETTLE_FRAMES_AGAIN;
    if order.current == order.views.len() {
        order.end(Ok(()));
        exit.write(AppExit::Success);
    } else {
        commands.run_system_cached(place_camera);
    }
}
