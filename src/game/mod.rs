//! The game: Bevy, a window, a player. Everything below this module works without it.
//!
//! One file, or one folder, per thing the player meets:
//! - [`session`]: the open map; [`streaming`], [`meshing`]: its chunks come, are drawn, go; [`saving`].
//! - [`culling`]: which chunks are drawn: the set of the player's cell, and the frustum.
//! - [`player`]: moving, looking, breaking and placing; [`crosshair`]: the chunk that is looked at.
//! - [`render`]: materials, sky, textures; [`surroundings`]: caves and water around the eyes; [`outline`].
//! - [`ui`]: title screen, menus, hot bar; [`panel`]: the live figures on F3; [`overlay`]: what F4 draws.
//! - [`shot`]: a picture without a window.

pub mod adapter;
pub mod crosshair;
pub mod culling;
pub mod display;
pub mod flow;
pub mod meshing;
pub mod outline;
pub mod overlay;
pub mod panel;
pub mod picture;
pub mod player;
pub mod render;
pub mod saving;
pub mod session;
pub mod settings;
pub mod shot;
pub mod signals;
pub mod stages;
pub mod streaming;
pub mod surroundings;
pub mod ui;

use crate::game::flow::{Menu, Screen};
use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;
use bevy::window::{ExitCondition, PresentMode, WindowResolution};
use bevy::winit::{UpdateMode, WinitSettings};
use bevy_egui::EguiPlugin;
use std::path::PathBuf;

pub use flow::Notices;

/// What the game starts with.
#[derive(Clone, Debug)]
pub enum Start {
    /// The title screen.
    Title,
    /// Straight into the map at this path.
    Map(PathBuf),
}

/// Opens the window and plays until the player quits.
///
/// # Errors
/// The map cannot be opened, or there is no graphics adapter: one line.
pub fn run(start: Start) -> Result<(), String> {
    if let Start::Map(path) = &start {
        // Told on the terminal, before a window opens.
        let open = crate::save::MapFile::open_read_only(path).map(drop);
        open.and_then(|()| crate::save::catalogue::must_be_free(path)).map_err(|e| e.to_string())?;
    }
    display::check()?;
    adapter::check()?;
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin {
                primary_window: Some(Window {
                    title: "Stonerun".into(),
                    resolution: WindowResolution::new(1280, 720),
                    present_mode: PresentMode::AutoVsync,
                    // Until there is something to see: `flow::show_window`.
                    visible: false,
                    // The system says when it is; before that the pointer cannot be grabbed.
                    focused: false,
                    ..default()
                }),
                exit_condition: ExitCondition::DontExit,
                // Closing the window saves first: see `flow`.
                close_when_requested: false,
                ..default()
            })
            .set(log_plugin(LOG)),
    );
    app.insert_resource(WinitSettings { focused_mode: UpdateMode::Continuous, unfocused_mode: UpdateMode::Continuous });
    app.add_plugins(GamePlugin);
    if let Start::Map(path) = start {
        app.world_mut().write_message(flow::Request::Open(path));
    }
    match app.run() {
        AppExit::Success => Ok(()),
        // Ctrl+C in the terminal; everything was saved.
        AppExit::Error(code) if code.get() == INTERRUPTED => Ok(()),
        AppExit::Error(code) => Err(format!("the game ended with code {code}")),
    }
}

/// The code with which the engine ends when the terminal interrupts it.
const INTERRUPTED: u8 = 130;

/// Libraries whose warnings tell a player nothing.
pub(crate) const LOG: &str = "wgpu=error,naga=error,winit=error,bevy_egui=error";

/// Warnings and errors only: a player's terminal is not a log.
pub(crate) fn log_plugin(filter: &str) -> bevy::log::LogPlugin {
    bevy::log::LogPlugin { level: bevy::log::Level::WARN, filter: filter.into(), ..default() }
}

/// All of the game but the window.
pub struct GamePlugin;

impl Plugin for GamePlugin {
    fn build(&self, app: &mut App) {
        let (settings, problem) = settings::Settings::load();
        let mut notices = Notices::default();
        problem.into_iter().for_each(|line| notices.warn(line));
        app.add_plugins((EguiPlugin::default(), render::RenderPlugin))
            .init_state::<Screen>()
            .init_resource::<Menu>()
            .init_resource::<stages::Stages>()
            .init_resource::<meshing::RenderOrigin>()
            .init_resource::<player::Player>()
            .init_resource::<crosshair::Crosshair>()
            .init_resource::<picture::Fresh>()
            .insert_resource(settings)
            .insert_resource(notices)
            .add_plugins((
                flow::FlowPlugin,
                ui::UiPlugin,
                panel::PanelPlugin,
                overlay::OverlayPlugin,
                outline::OutlinePlugin,
                culling::CullingPlugin,
            ))
            .add_systems(Startup, spawn_camera)
            .add_systems(OnEnter(Screen::Title), (face_the_sky, surroundings::forget, picture::forget))
            .init_resource::<signals::Asked>()
            .add_systems(First, signals::obey)
            .add_systems(
                Update,
                (
                    (player::motion::look, player::motion::choose_slot, player::motion::walk)
                        .chain()
                        .run_if(flow::in_play.and_then(not(resource_exists::<shot::Target>))),
                    player::hands::aim.run_if(flow::in_play),
                    (player::hands::work, player::undo::undo)
                        .chain()
                        .run_if(flow::in_play.and_then(not(resource_exists::<shot::Target>))),
                    (
                        streaming::stream,
                        meshing::rebase,
                        meshing::mesh,
                        player::motion::follow,
                        crosshair::look,
                        surroundings::feel,
                        (picture::take, saving::autosave).chain().run_if(not(resource_exists::<shot::Target>)),
                    )
                        .chain()
                        .run_if(resource_exists::<session::Session>),
                )
                    .chain(),
            )
            .add_systems(Last, (saving::save_at_exit, stages::end_frame));
    }
}

/// Where the camera looks behind the title screen: a little up, past the sun.
fn title_view() -> Transform {
    Transform::IDENTITY.looking_to(Vec3::new(1.0, 0.12, 0.6), Vec3::Y)
}

/// Turns the camera to the sky, wherever the player looked.
fn face_the_sky(mut cameras: Query<&mut Transform, With<player::Eyes>>) {
    cameras.iter_mut().for_each(|mut transform| *transform = title_view());
}

/// The one camera: it shows the sky behind the title screen, and the world through the player's eyes.
fn spawn_camera(mut commands: Commands, target: Option<Res<shot::Target>>) {
    let mut camera = commands.spawn((
        Camera3d::default(),
        player::Eyes,
        Msaa::Off,
        bevy::core_pipeline::tonemapping::Tonemapping::None,
        Projection::Perspective(PerspectiveProjection { near: 0.05, far: 2000.0, ..default() }),
        title_view(),
        RenderLayers::from_layers(&[0, 1]),
    ));
    if let Some(target) = target {
        camera.insert(bevy::camera::RenderTarget::Image(target.0.clone().into()));
    }
}
