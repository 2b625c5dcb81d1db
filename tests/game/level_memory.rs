//! A game that runs does not grow: 3,000 frames of title, play, panel and pause in a window, drawn by
//! the system's driver.
//!
//! The driver's own memory is not counted: Mesa 22.3 keeps some of each frame (see the README).

use super::allocations;
use super::screen::{Ended, Screen};
use bevy::app::AppExit;
use bevy::prelude::*;
use bevy::render::mesh::RenderMesh;
use bevy::render::render_asset::RenderAssets;
use bevy::render::renderer::RenderInstance;
use bevy::render::storage::GpuShaderBuffer;
use bevy::render::texture::GpuImage;
use bevy::render::{Render, RenderApp};
use bevy::winit::WinitPlugin;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use stonerun::game::common::panel_page::PanelState;
use stonerun::game::common::requests::Request;
use stonerun::game::common::screens::Menu;
use stonerun::game::launch;
use stonerun::save::{Header, MapFile};
use stonerun::voxel::MaterialTable;
use wgpu::wgc::registry::RegistryReport;

/// Names the map to the process that draws.
const MAP: &str = "STONERUN_LEVEL_MEMORY_MAP";
/// What is drawn, one after the other.
const SCREENS: [&str; 4] = ["title", "play", "panel", "pause"];
/// Frames of each.
const FRAMES: usize = 750;
/// Frames at the start of each that are not compared: files are read, chunks load, textures are made.
const WARM_UP: usize = 350;
/// Frames whose least figures are compared with those of the last ones: within a frame, some come and
/// go.
const COMPARED: usize = 200;

/// Figures of one frame: the counts of what must not grow.
const FIGURES: [&str; 10] = [
    "allocations",
    "entities drawn",
    "meshes",
    "images",
    "storage buffers",
    "buffers",
    "textures",
    "views of textures",
    "groups of bindings",
    "pipelines and samplers",
];
type Figures = [usize; FIGURES.len()];

/// The figures of all frames.
#[derive(Resource, Clone, Default)]
struct Seen(Arc<Mutex<Vec<Figures>>>);

/// Notes the figures of a frame that was drawn.
fn count(
    entities: Query<Entity>,
    meshes: Res<RenderAssets<RenderMesh>>,
    images: Res<RenderAssets<GpuImage>>,
    buffers: Res<RenderAssets<GpuShaderBuffer>>,
    instance: Res<RenderInstance>,
    seen: Res<Seen>,
) {
    let report = instance.generate_report().expect("wgpu's own backend").hub;
    let all = |reports: &[RegistryReport]| reports.iter().map(|report| report.num_allocated).sum::<usize>();
    let pipelines = [
        report.render_pipelines,
        report.compute_pipelines,
        report.pipeline_layouts,
        report.bind_group_layouts,
        report.shader_modules,
        report.samplers,
        report.query_sets,
        report.command_buffers,
        report.command_encoders,
    ];
    let figures = [
        allocations::live().max(0) as usize,
        entities.iter().count(),
        meshes.iter().count(),
        images.iter().count(),
        buffers.iter().count(),
        all(&[report.buffers]),
        all(&[report.textures, report.external_textures]),
        all(&[report.texture_views]),
        all(&[report.bind_groups]),
        all(&pipelines),
    ];
    seen.0.lock().expect("no other thread panicked").push(figures);
}

/// Shows the screens one after the other, and ends the game.
fn show(
    mut frame: Local<usize>,
    mut menu: ResMut<Menu>,
    mut panel: ResMut<PanelState>,
    mut requests: MessageWriter<Request>,
    mut exit: MessageWriter<AppExit>,
) {
    match frame.checked_div(FRAMES).filter(|_| frame.is_multiple_of(FRAMES)) {
        Some(1) => drop(requests.write(Request::Open(std::env::var_os(MAP).expect("a map").into()))),
        Some(2) => panel.open = true,
        Some(3) => *menu = Menu::Pause,
        Some(4) => drop(exit.write(AppExit::Success)),
        _ => {}
    }
    *frame += 1;
}

/// Runs in a process of its own, with the display of the other test.
#[test]
fn process_that_draws() {
    if std::env::var_os(MAP).is_none() {
        return;
    }
    let mut app = launch::window_app(WinitPlugin { run_on_any_thread: true });
    let seen = Seen::default();
    seen.0.lock().expect("a new lock").reserve(FRAMES * (SCREENS.len() + 1));
    app.add_systems(Last, show);
    app.sub_app_mut(RenderApp)
        .insert_resource(seen.clone())
        .add_systems(Render, count.after(bevy::render::RenderSystems::PostCleanup));
    assert_eq!(app.run(), AppExit::Success);
    let frames = seen.0.lock().expect("no other thread panicked").clone();
    assert!(frames.len() >= FRAMES * SCREENS.len() - 2, "{} frames", frames.len());
    let least = |frames: &[Figures], figure: usize| frames.iter().map(|figures| figures[figure]).min();
    let mut grown = Vec::new();
    for (screen, frames) in SCREENS.iter().zip(frames.chunks(FRAMES)) {
        let (early, late) = (&frames[WARM_UP..][..COMPARED], &frames[frames.len() - COMPARED..]);
        for (number, figure) in FIGURES.iter().enumerate() {
            let (early, late) = (least(early, number), least(late, number));
            println!("{screen}, {figure}: {early:?}, then {late:?}");
            // A list or a table may still grow to its full length; what each frame leaves is far more.
            let slack = if *figure == FIGURES[0] { COMPARED / 4 } else { 0 };
            if late > early.map(|early| early + slack) {
                grown.push(format!("{screen}: {early:?} {figure}, then {late:?}"));
            }
        }
    }
    assert!(grown.is_empty(), "{}", grown.join("; "));
}

#[test]
fn game_that_runs_does_not_grow() {
    let _turn = crate::drawing_turn();
    let Some(screen) = Screen::open() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let map: PathBuf = folder.path().join("flat.stonerun");
    drop(MapFile::create(&map, &Header::new(1, "flat", 0), &MaterialTable::builtin()).expect("a map"));
    std::fs::write(
        folder.path().join("settings.ron"),
        // Creatures come and go.
        "(view_distance: 3, creatures: false, window_size: Some((width: 400, height: 300)))",
    )
    .expect("settings");
    let drawing = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "level_memory::process_that_draws", "--nocapture"])
        .env(MAP, &map)
        .env("DISPLAY", &screen.display)
        .env_remove("WAYLAND_DISPLAY")
        .env("XDG_RUNTIME_DIR", folder.path())
        .env("STONERUN_CONFIG", folder.path())
        .stderr(Stdio::inherit())
        .spawn();
    let status = Ended(drawing.expect("a process")).0.wait().expect("its end");
    assert!(status.success(), "{status}");
}
