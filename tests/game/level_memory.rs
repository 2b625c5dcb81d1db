//! Memory of a running game stays level: 3,000 frames of title, play, panel and pause in a window,
//! drawn by the system's driver.
//!
//! The driver's own memory is only in the resident memory of the process, which comes in whole
//! pages, grows in steps, and is compared roughly.

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
use glam::DVec3;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use stonerun::game::app::launch;
use stonerun::game::platform::memory;
use stonerun::game::state::overlay_kind::ShownOverlay;
use stonerun::game::state::panel_page::PanelState;
use stonerun::game::state::requests::Request;
use stonerun::game::state::screens::Menu;
use stonerun::views::OverlayKind;
use stonerun_engine::save::{Header, MapFile};
use stonerun_engine::voxel::MaterialTable;
use stonerun_engine::world::viewpoint::Viewpoint;
use wgpu::wgc::registry::RegistryReport;

/// Environment variable that names the map to the process that draws.
const MAP: &str = "STONERUN_LEVEL_MEMORY_MAP";
/// Screens that are drawn, one after the other.
const SCREENS: [&str; 4] = ["title", "play", "panel", "pause"];
/// Number of counted frames per screen.
const FRAMES: usize = 750;
/// Time before the counted frames: files are read, chunks load, textures and pipelines are created.
const SETTLING: Duration = Duration::from_secs(20);
/// Time for which no pipeline was created before the counted frames. On a busy machine they take
/// longer than [`SETTLING`].
const RESTING: Duration = Duration::from_secs(10);
/// Number of frames at the start and at the end whose minima are compared. Minima, because single
/// frames allocate and free.
const COMPARED: usize = 200;
/// Number of frames between the compared ones, during which something may grow.
const BETWEEN: usize = FRAMES - COMPARED;
/// Number of parts of the counted frames whose least resident memory is compared one by one: a
/// driver or an allocator takes a few MiB at once, and only a leak takes more in every part.
const PARTS: usize = 5;
/// Allowed growth of the resident memory from each part to the next, in KiB.
const RESIDENT_SLACK: usize = 512;
/// Allowed growth of allocations in these frames, in KiB. Tables grow by doubling.
const ALLOCATED_SLACK: usize = 512;
/// Allowed number of new objects of each kind in these frames: egui creates a texture and its bind
/// group when a text first needs new letters. A leak in every frame would be a hundred times
/// larger.
const OBJECT_SLACK: usize = 4;

/// Figures of one frame, none of which may keep growing.
const FIGURES: [&str; 12] = [
    "allocations",
    "KiB allocated",
    "KiB resident",
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
/// Row of the resident memory in [`FIGURES`].
const RESIDENT: usize = 2;

/// The figures of the counted frames of each screen.
#[derive(Resource, Clone, Default)]
struct Seen(Arc<Mutex<[Vec<Figures>; SCREENS.len()]>>);

/// The screen whose frames are counted; `None` while a screen settles.
#[derive(Resource, Clone, Default)]
struct Counted(Arc<Mutex<Option<usize>>>);

/// Number of pipelines and samplers in the last drawn frame.
#[derive(Resource, Clone, Default)]
struct Pipelines(Arc<AtomicUsize>);

/// Records the figures of a drawn frame.
fn count(
    entities: Query<Entity>,
    meshes: Res<RenderAssets<RenderMesh>>,
    images: Res<RenderAssets<GpuImage>>,
    buffers: Res<RenderAssets<GpuShaderBuffer>>,
    instance: Res<RenderInstance>,
    seen: Res<Seen>,
    counted: Res<Counted>,
    drawn: Res<Pipelines>,
) {
    let report = instance.generate_report().expect("wgpu's own backend").hub;
    let all = |reports: &[RegistryReport]| {
        reports.iter().map(|report| report.num_allocated).sum::<usize>()
    };
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
    drawn.0.store(all(&pipelines), Ordering::Relaxed);
    let Some(screen) = *counted.0.lock().expect("no other thread panicked") else { return };
    let figures = [
        allocations::live().max(0) as usize,
        (allocations::live_bytes() / 1024).max(0) as usize,
        memory::resident().map_or(0, |resident| (resident.all / 1024) as usize),
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
    seen.0.lock().expect("no other thread panicked")[screen].push(figures);
}

/// Progress through the screens.
#[derive(Default)]
struct Progress {
    /// Current screen.
    screen: usize,
    /// Number of its counted frames.
    frames: usize,
    /// Time when it was shown.
    shown: Option<Duration>,
    /// Last number of pipelines, and the time when it last changed.
    pipelines: (usize, Duration),
}

/// Shows the screens one after the other, and ends the game.
fn show(
    mut progress: Local<Progress>,
    time: Res<Time<Real>>,
    mut menu: ResMut<Menu>,
    mut panel: ResMut<PanelState>,
    mut overlay: ResMut<ShownOverlay>,
    mut requests: MessageWriter<Request>,
    mut exit: MessageWriter<AppExit>,
    counted: Res<Counted>,
    drawn: Res<Pipelines>,
) {
    let now = time.elapsed();
    let Progress { screen, frames, shown, pipelines } = &mut *progress;
    let number = drawn.0.load(Ordering::Relaxed);
    if pipelines.0 != number {
        *pipelines = (number, now);
    }
    let mut counted = counted.0.lock().expect("no other thread panicked");
    let Some(since) = *shown else {
        *shown = Some(now);
        match SCREENS.get(*screen) {
            Some(&"play") => {
                let map = std::env::var_os(MAP).expect("a map");
                requests.write(Request::Open(map.into()));
            }
            Some(&"panel") => {
                panel.open = true;
                overlay.0 = Some(OverlayKind::Quads);
            }
            Some(&"pause") => {
                *menu = Menu::Pause;
                overlay.0 = Some(OverlayKind::Light);
            }
            Some(_) => {}
            None => drop(exit.write(AppExit::Success)),
        }
        return;
    };
    let is_settled = now - since >= SETTLING && now - pipelines.1 >= RESTING;
    // A screen that is counted stays so: a pipeline that is created then is a figure.
    if (is_settled || *frames > 0) && *screen < SCREENS.len() {
        *counted = Some(*screen);
        *frames += 1;
    }
    if *frames > FRAMES {
        *counted = None;
        *screen += 1;
        *frames = 0;
        *shown = None;
    }
}

/// Plays the game in a process of its own, on the display of the other test.
#[test]
fn process_that_draws() {
    if std::env::var_os(MAP).is_none() {
        return;
    }
    let mut app = launch::window_app(WinitPlugin { run_on_any_thread: true });
    let seen = Seen::default();
    let counted = Counted::default();
    let drawn = Pipelines::default();
    for frames in seen.0.lock().expect("a new lock").iter_mut() {
        frames.reserve(FRAMES + 2);
    }
    app.insert_resource(counted.clone()).insert_resource(drawn.clone()).add_systems(Last, show);
    app.sub_app_mut(RenderApp)
        .insert_resource(seen.clone())
        .insert_resource(counted)
        .insert_resource(drawn)
        .add_systems(Render, count.after(bevy::render::RenderSystems::PostCleanup));
    assert_eq!(app.run(), AppExit::Success);
    let seen = seen.0.lock().expect("no other thread panicked").clone();
    let least =
        |frames: &[Figures], figure: usize| frames.iter().map(|figures| figures[figure]).min();
    let mut grown = Vec::new();
    for (screen, frames) in SCREENS.iter().zip(&seen) {
        assert!(frames.len() >= FRAMES - 1, "{screen}: {} frames", frames.len());
        let early = &frames[..COMPARED];
        let late = &frames[frames.len() - COMPARED..];
        for (number, figure) in FIGURES.iter().enumerate() {
            let early = least(early, number);
            let late = least(late, number);
            println!("{screen}, {figure}: {early:?}, then {late:?}");
            let slack = match number {
                // A list or a table may still grow to its full length. A leak in every frame would
                // be far larger.
                0 => BETWEEN / 4,
                1 => ALLOCATED_SLACK,
                RESIDENT => {
                    let parts = frames.chunks_exact(frames.len() / PARTS);
                    let parts: Vec<usize> = parts.filter_map(|part| least(part, number)).collect();
                    println!("{screen}, {figure} in each part: {parts:?}");
                    if parts.windows(2).all(|pair| pair[1] > pair[0] + RESIDENT_SLACK) {
                        grown.push(format!("{screen}: {figure} in each part {parts:?}"));
                    }
                    continue;
                }
                _ => OBJECT_SLACK,
            };
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
    // The only map, because the title screen shows it too, and other maps load more chunks as the
    // view turns.
    let maps = folder.path().join("saves");
    std::fs::create_dir(&maps).expect("a folder of maps");
    let map: PathBuf = maps.join("flat.stonerun");
    let mut header = Header::new(1, "flat", 0);
    // The player stands on the ground, which fills half of the picture.
    header.place_player(Viewpoint { pitch: -0.3, ..Viewpoint::level(DVec3::new(0.5, 0.0, 0.5)) });
    drop(MapFile::create(&map, &header, &MaterialTable::builtin()).expect("a map"));
    std::fs::write(
        folder.path().join("settings.ron"),
        // Without creatures, which come and go.
        "(view_distance: 3, creatures: false, window_size: Some((width: 400, height: 300)))",
    )
    .expect("settings");
    let drawing = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "level_memory::process_that_draws", "--nocapture"])
        .current_dir(folder.path())
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
