//! Benchmark of the whole game without a graphics card: processor time of a frame, memory of the
//! process.
//!
//! `cargo bench --features noop --bench frame -- MAP [MODE] [VIEW] [card]` opens a map, which it
//! changes, with a view of `VIEW` chunks (default 16), and measures once everything is loaded.
//! Modes:
//!
//! - `standing`, `flying` at 20 m/s, `empty` (Bevy without the game): the median, the 99th
//!   percentile and the longest of the frames of ten seconds.
//! - `editing`, `editing=MATERIAL`: every two seconds a box of 12 x 12 x 12 voxels in each of the
//!   500 chunks around the player is filled with a material (default stone) or emptied.
//! - `toggling`: 60 times per second a lamp or a stone near the player is placed or removed.
//! - `flood`: a cube of 10^7 voxels of water in the air above the player falls and spreads, for 30
//!   seconds; with `flood=MATERIAL` of another material, such as sand; `flood=MATERIAL:SIDE` with
//!   another side.
//! - `creatures=NUMBER`: `NUMBER` creatures are placed on the land around the player.
//! - `fire`: leaves near the player are set on fire, for 30 seconds.
//! - `dragging`: a copy of 464 x 464 x 464 voxels around the player is drawn as by the tool
//!   *Paste*, and moves with each frame.
//! - `shaping`: strokes of two seconds with the tool *Shape*, which smooth the ground around the
//!   player with a brush of radius 64, for 30 seconds.
//! - `memory`: resident memory and its parts at the start and after each of eight kilometres of
//!   flight, four out and the same four back, with everything loaded; `empty-memory`: Bevy without
//!   the game.
//! - `loading`: times until the chunks around the player, and all chunks, are loaded and drawn.
//!
//! wgpu's no-op backend takes the draws, so no driver is measured; its buffers lie in the memory of
//! the process. With `card` the graphics card of the system draws pictures of 1920 x 1080 pixels,
//! and each frame waits until the card has finished the previous one.

mod loading;
mod measure;
mod mode;
mod renderer;
mod scenes;
mod strokes;

use bevy::app::ScheduleRunnerPlugin;
use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::render_resource::TextureFormat;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use measure::FrameBenchmark;
use mode::Mode;
use std::path::PathBuf;
use std::time::Duration;
use stonerun::game::app::plugin::GamePlugin;
use stonerun::game::map::saving;
use stonerun::game::platform::task_pools;
use stonerun::game::state::frame::picture_target::{LivesWithoutWindow, PictureTarget};
use stonerun::game::state::requests::Request;
use stonerun::game::state::session::OpenMap;
use stonerun::game::state::settings::Settings;

const USAGE: &str = "cargo bench --features noop --bench frame -- MAP \
    [standing|flying|editing[=MATERIAL]|toggling|flood[=MATERIAL[:SIDE]]|creatures=NUMBER|fire|dragging\
    |shaping|loading|memory|empty|empty-memory] [VIEW] [card]";

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let Some(map) = arguments.first().map(PathBuf::from) else {
        println!("{USAGE}");
        return;
    };
    let Some(mode) = Mode::from_name(arguments.get(1).map_or("standing", String::as_str)) else {
        println!("{USAGE}");
        return;
    };
    let view = arguments.get(2).and_then(|view| view.parse().ok()).unwrap_or(16);
    let on_card = arguments.get(3).is_some_and(|argument| argument == "card");
    let (render_creation, width, height) =
        if on_card { (default(), 1920, 1080) } else { (renderer::noop(), 1280, 720) };
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins
            .set(task_pools::plugin())
            .set(WindowPlugin {
                primary_window: None,
                exit_condition: ExitCondition::DontExit,
                ..default()
            })
            .set(RenderPlugin {
                render_creation,
                synchronous_pipeline_compilation: true,
                ..default()
            })
            .disable::<WinitPlugin>(),
        ScheduleRunnerPlugin::run_loop(Duration::ZERO),
    ));
    if on_card {
        renderer::wait_for_card(&mut app);
    }
    let target = Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
    let target = app.world_mut().resource_mut::<Assets<Image>>().add(target);
    if !mode.has_game() {
        app.world_mut().spawn((Camera3d::default(), Msaa::Off, RenderTarget::Image(target.into())));
    } else {
        app.insert_resource(PictureTarget(target))
            .insert_resource(LivesWithoutWindow)
            .add_plugins(GamePlugin);
        app.insert_resource(Settings { view_distance: view, ..Settings::default() });
        app.world_mut().write_message(Request::Open(map));
    }
    app.insert_resource(FrameBenchmark::new(mode.clone()));
    match mode {
        Mode::Loading => app.add_systems(First, loading::loading),
        Mode::Memory | Mode::EmptyMemory => app.add_systems(First, measure::memory),
        _ => app.add_systems(
            First,
            (
                measure::frames,
                (
                    scenes::edit,
                    scenes::toggle,
                    scenes::flood,
                    scenes::burn,
                    scenes::populate,
                    scenes::drag,
                    strokes::shape,
                )
                    .run_if(resource_exists::<OpenMap>),
            )
                .chain(),
        ),
    };
    // A game that draws into a picture does not save, and unsaved chunks stay loaded.
    app.add_systems(Last, saving::autosave.run_if(resource_exists::<OpenMap>));
    app.run();
}
