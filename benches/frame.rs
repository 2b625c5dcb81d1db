//! Processor time of a frame and memory of the process: the whole game without a graphics card.
//!
//! `cargo bench --features noop --bench frame -- MAP [MODE] [VIEW]` opens a map, which it changes,
//! with a view of `VIEW` chunks (default 16), and measures once everything is loaded. Modes:
//!
//! - `standing`, `flying` at 20 m/s, `empty` (Bevy without the game): the median, the 99th
//!   percentile and the longest of the frames of ten seconds.
//! - `editing`, `editing=MATERIAL`: every two seconds a box of 12 x 12 x 12 voxels in each of the
//!   500 chunks around the player is filled with a material (default stone) or emptied.
//! - `toggling`: 60 times per second a lamp or a stone near the player is placed or removed.
//! - `flood`: a cube of 10^7 voxels of water in the air above the player falls and spreads, for 30
//!   seconds; with `flood=BLOCK` of another material, such as sand.
//! - `dragging`: a copy of 464 x 464 x 464 voxels around the player is drawn as by the tool *Paste*,
//!   and moves with each frame.
//! - `memory`: resident memory at the start and after each of eight kilometres of flight, four out
//!   and the same four back, everything loaded, with what it consists of; `empty-memory`: Bevy
//!   without the game.
//!
//! wgpu's no-op backend takes the draws, so no driver is measured; its buffers lie in the memory of
//! the process.

use bevy::app::{AppExit, ScheduleRunnerPlugin};
use bevy::camera::RenderTarget;
use bevy::platform::cell::SyncCell;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::render_resource::{TextureFormat, WgpuFeatures};
use bevy::render::renderer::{RenderAdapter, RenderAdapterInfo, RenderInstance, RenderQueue, WgpuWrapper};
use bevy::render::settings::RenderCreation;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use stonerun::edit::{Edit, RegionPatch};
use stonerun::game::builder::clipboard::BuilderClipboard;
use stonerun::game::chunk_drawing::{ChunkScene, DrawCounters};
use stonerun::game::common::frame_timings::{FrameStage, FrameTimings};
use stonerun::game::common::picture_target::{LivesWithoutWindow, PictureTarget};
use stonerun::game::common::requests::Request;
use stonerun::game::common::settings::Settings;
use stonerun::game::edit_jobs::{EditJobs, Ghost, GhostCanvas, PendingGhost};
use stonerun::game::lighting::ChunkLights;
use stonerun::game::meshing::ChunkMeshes;
use stonerun::game::platform::memory::resident_bytes;
use stonerun::game::platform::task_pools;
use stonerun::game::player::Player;
use stonerun::game::plugin::GamePlugin;
use stonerun::game::rules::WorldRules;
use stonerun::game::saving;
use stonerun::game::session::{Editor, Edits, OpenMap};
use stonerun::game::streaming::ChunkStream;
use stonerun::voxel::{Box3, CHUNK_SIDE, Voxel};

/// Seconds that are measured.
const SECONDS: f64 = 10.0;
/// Seconds for which a flood is measured.
const FLOOD_SECONDS: f64 = 30.0;
/// Side of the cube of about 10^7 voxels that falls, in voxels.
const FLOOD_SIDE: i32 = 216;
/// Seconds between edits.
const EDIT_SECONDS: f64 = 2.0;
/// Edits per second of `Mode::Toggling`.
const TOGGLES_PER_SECOND: f64 = 60.0;
/// Frames before measuring.
const SETTLE_FRAMES: u32 = 120;
/// Metres per second of the flight.
const SPEED: f64 = 20.0;
/// Side of the cube of about 10^8 voxels that is dragged, in voxels.
const COPIED_SIDE: i32 = 464;
/// Metres between stops of the flight that memory is measured on.
const STOP: u32 = 50;
/// Metres after which that flight turns back.
const TURN: u32 = 4000;

/// What is measured.
#[derive(Clone, PartialEq, Eq)]
enum Mode {
    Standing,
    Flying,
    /// With the name of a material.
    Editing(String),
    Toggling,
    /// With the name of a material.
    Flood(String),
    Dragging,
    Memory,
    Empty,
    EmptyMemory,
}

impl Mode {
    fn from_name(name: &str) -> Option<Mode> {
        Some(match name {
            "standing" => Mode::Standing,
            "flying" => Mode::Flying,
            "editing" => Mode::Editing("stone".to_owned()),
            "toggling" => Mode::Toggling,
            "flood" => Mode::Flood("water".to_owned()),
            "dragging" => Mode::Dragging,
            "memory" => Mode::Memory,
            "empty" => Mode::Empty,
            "empty-memory" => Mode::EmptyMemory,
            _ => match name.split_once('=')? {
                ("editing", material) => Mode::Editing(material.to_owned()),
                ("flood", material) => Mode::Flood(material.to_owned()),
                _ => return None,
            },
        })
    }

    fn has_game(&self) -> bool {
        !matches!(self, Mode::Empty | Mode::EmptyMemory)
    }
}

#[derive(Resource)]
struct FrameBenchmark {
    mode: Mode,
    settled: u32,
    /// Metres flown, for `Mode::Memory`.
    flown: u32,
    last: Option<Instant>,
    /// Sum of the frames.
    measured_s: f64,
    frames_ms: Vec<f64>,
    /// The stages of the frame in which they took longest together, in milliseconds.
    longest_stages: [f64; FrameStage::ALL.len()],
    /// Edits so far.
    edits: u32,
}

/// A renderer on wgpu's no-op backend, with the features and limits of a desktop's graphics card.
fn noop_renderer() -> RenderCreation {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::NOOP,
        flags: wgpu::InstanceFlags::empty(),
        memory_budget_thresholds: wgpu::MemoryBudgetThresholds::default(),
        display: None,
        backend_options: wgpu::BackendOptions {
            noop: wgpu::NoopBackendOptions { enable: true },
            ..wgpu::BackendOptions::default()
        },
    });
    let adapter = bevy::tasks::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))
        .expect("the no-op backend always has an adapter");
    let (device, queue) = bevy::tasks::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        required_features: WgpuFeatures::INDIRECT_FIRST_INSTANCE
            | WgpuFeatures::MULTI_DRAW_INDIRECT_COUNT
            | WgpuFeatures::DEPTH_CLIP_CONTROL
            | WgpuFeatures::FLOAT32_FILTERABLE
            | WgpuFeatures::RG11B10UFLOAT_RENDERABLE
            | WgpuFeatures::IMMEDIATES,
        required_limits: wgpu::Limits {
            max_buffer_size: (1 << 31) - 1,
            max_storage_buffer_binding_size: (1 << 31) - 4,
            max_storage_buffers_per_shader_stage: 64,
            max_storage_textures_per_shader_stage: 16,
            max_immediate_size: 128,
            max_bind_groups: 8,
            ..wgpu::Limits::default()
        },
        ..wgpu::DeviceDescriptor::default()
    }))
    .expect("the no-op adapter has all features");
    let info = adapter.get_info();
    RenderCreation::manual(
        device.into(),
        RenderQueue(Arc::new(WgpuWrapper::new(queue))),
        RenderAdapterInfo(WgpuWrapper::new(info)),
        RenderAdapter(Arc::new(WgpuWrapper::new(adapter))),
        RenderInstance(Arc::new(WgpuWrapper::new(instance))),
    )
}

const USAGE: &str = "cargo bench --features noop --bench frame -- MAP \
    [standing|flying|editing[=MATERIAL]|toggling|flood[=MATERIAL]|dragging|memory|empty|empty-memory] [VIEW]";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let Some(map) = arguments.first().map(PathBuf::from) else {
        println!("{USAGE}");
        return;
    };
    let Some(mode) = Mode::from_name(arguments.get(1).map_or("standing", String::as_str)) else {
        println!("{USAGE}");
        return;
    };
    let view = arguments.get(2).and_then(|view| view.parse().ok()).unwrap_or(16);
    let render_creation = noop_renderer();
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins
            .set(task_pools::plugin())
            .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
            .set(RenderPlugin { render_creation, synchronous_pipeline_compilation: true, ..default() })
            .disable::<WinitPlugin>(),
        ScheduleRunnerPlugin::run_loop(Duration::ZERO),
    ));
    let target = Image::new_target_texture(1280, 720, TextureFormat::Rgba8UnormSrgb, None);
    let target = app.world_mut().resource_mut::<Assets<Image>>().add(target);
    if !mode.has_game() {
        app.world_mut().spawn((Camera3d::default(), Msaa::Off, RenderTarget::Image(target.into())));
    } else {
        app.insert_resource(PictureTarget(target)).insert_resource(LivesWithoutWindow).add_plugins(GamePlugin);
        app.insert_resource(Settings { view_distance: view, ..Settings::default() });
        app.world_mut().write_message(Request::Open(map));
    }
    app.insert_resource(FrameBenchmark {
        mode: mode.clone(),
        settled: 0,
        flown: 0,
        last: None,
        measured_s: 0.0,
        frames_ms: Vec::new(),
        longest_stages: [0.0; FrameStage::ALL.len()],
        edits: 0,
    });
    match mode {
        Mode::Memory | Mode::EmptyMemory => app.add_systems(First, measure_memory),
        _ => app.add_systems(First, (measure, (edit, toggle, flood, drag).run_if(resource_exists::<OpenMap>)).chain()),
    };
    // A game that draws into a picture does not save, and chunks that are not saved stay loaded.
    app.add_systems(Last, saving::autosave.run_if(resource_exists::<OpenMap>));
    app.run();
}

/// True if everything in view is loaded and drawn.
fn is_loaded(stream: Option<Res<ChunkStream>>, meshes: Option<Res<ChunkMeshes>>) -> bool {
    stream.zip(meshes).is_some_and(|(stream, meshes)| stream.waiting == 0 && meshes.waiting() == 0)
}

/// Notes the time of each frame, and moves the player.
fn measure(
    mut bench: ResMut<FrameBenchmark>,
    time: Res<Time<Real>>,
    stream: Option<Res<ChunkStream>>,
    meshes: Option<Res<ChunkMeshes>>,
    player: Option<ResMut<Player>>,
    (lights, timings, rules): (Option<Res<ChunkLights>>, Option<Res<FrameTimings>>, Option<Res<WorldRules>>),
    ghosts: Query<&Ghost>,
    mut exit: MessageWriter<AppExit>,
) {
    let now = Instant::now();
    let last = bench.last.replace(now);
    let has_ghost = bench.mode != Mode::Dragging || !ghosts.is_empty();
    let ready = !bench.mode.has_game() || bench.settled > 0 || is_loaded(stream, meshes) && has_ghost;
    bench.settled += u32::from(ready);
    if bench.settled < SETTLE_FRAMES {
        return;
    }
    if let Some(mut player) = player.filter(|_| bench.mode == Mode::Flying) {
        // At the height of the hills, so that chunks of all kinds load.
        player.walker.flying = true;
        player.walker.position.x += SPEED * time.delta_secs_f64();
    }
    if let Some(last) = last {
        let seconds = (now - last).as_secs_f64();
        bench.measured_s += seconds;
        bench.frames_ms.push(seconds * 1e3);
        let sum = |stages: &[f64]| stages.iter().sum::<f64>();
        if let Some(timings) = timings.filter(|timings| sum(&timings.latest_ms) > sum(&bench.longest_stages)) {
            bench.longest_stages = timings.latest_ms;
        }
    }
    let seconds = if matches!(bench.mode, Mode::Flood(_)) { FLOOD_SECONDS } else { SECONDS };
    if bench.measured_s >= seconds {
        bench.frames_ms.sort_by(f64::total_cmp);
        let at = |part: f64| bench.frames_ms[((bench.frames_ms.len() - 1) as f64 * part) as usize];
        print!("{} frames, {} edits: ", bench.frames_ms.len(), bench.edits);
        println!("median {:.2} ms, 99th percentile {:.2} ms, longest {:.2} ms", at(0.5), at(0.99), at(1.0));
        let stages = FrameStage::ALL.iter().zip(bench.longest_stages);
        let stages: Vec<String> = stages.map(|(stage, ms)| format!("{} {ms:.1}", stage.name())).collect();
        println!("stages, where longest together: {}", stages.join(", "));
        if let Some(figures) = rules.map(|rules| rules.figures.clone()) {
            let moved: u64 = figures.totals.iter().sum();
            println!(
                "rules: {} steps, {moved} voxels moved or changed, the last step {:?}",
                figures.steps, figures.took
            );
        }
        for ghost in &ghosts {
            println!("the copy is now at {}", ghost.at);
        }
        if let Some(work) = lights.map(|lights| lights.work).filter(|work| work.edits > 0) {
            let longest = work.longest_edit.as_secs_f64() * 1e3;
            println!("edits lit in {} frames, for {longest:.2} ms at most", work.edits);
        }
        exit.write(AppExit::Success);
    }
}

/// Fills a box in each of 500 chunks around the player, or empties them.
fn edit(mut bench: ResMut<FrameBenchmark>, player: Res<Player>, mut editor: Editor) {
    let Mode::Editing(name) = &bench.mode else { return };
    if bench.measured_s < EDIT_SECONDS * (f64::from(bench.edits) + 0.5) {
        return;
    }
    let material = editor.map().materials.find(name).expect("a material of this map");
    bench.edits += 1;
    let low = player.chunk().as_ivec3() - IVec3::new(5, 2, 5);
    let chunks = (0..500).map(|i| low + IVec3::new(i % 10, i / 100, i / 10 % 10));
    let voxel = if bench.edits % 2 == 1 { Voxel::full(material) } else { Voxel::AIR };
    let patch = |chunk: IVec3| {
        let min = chunk * CHUNK_SIDE + 10;
        RegionPatch::fill(Box3 { min, max: min + 12 }, voxel)
    };
    editor.apply(&Edit { patches: chunks.map(patch).collect() });
}

/// Fills a cube above the player once.
fn flood(mut bench: ResMut<FrameBenchmark>, player: Res<Player>, mut editor: Editor) {
    let Mode::Flood(name) = &bench.mode else { return };
    if bench.edits > 0 || bench.measured_s == 0.0 {
        return;
    }
    let material = editor.map().materials.find(name).expect("a material of this map");
    bench.edits = 1;
    let min = player.walker.position.floor().as_ivec3() + IVec3::new(-FLOOD_SIDE / 2, 24, -FLOOD_SIDE / 2);
    let cube = Box3 { min, max: min + FLOOD_SIDE };
    editor.apply(&Edit { patches: vec![RegionPatch::fill(cube, Voxel::full(material))] });
}

/// Places a lamp or a stone near the player 60 times per second, or removes what is there.
fn toggle(mut bench: ResMut<FrameBenchmark>, player: Res<Player>, mut editor: Editor) {
    while bench.mode == Mode::Toggling && bench.measured_s > f64::from(bench.edits) / TOGGLES_PER_SECOND {
        bench.edits += 1;
        // Positions that look random and come back.
        let number = (bench.edits * 7919 % 500) as i32;
        let offset = IVec3::new(number % 17 - 8, number / 17 % 9 - 4, number / 153 * 5 - 8);
        let at = player.walker.eyes().floor().as_ivec3() + offset;
        let name = if bench.edits.is_multiple_of(2) { "lamp" } else { "stone" };
        let material = editor.map().materials.find(name).expect("a material of the game");
        let is_open = editor.edits().world().get(at) == Voxel::AIR;
        editor.set(at, if is_open { Voxel::full(material) } else { Voxel::AIR });
    }
}

/// Draws a copy of the land around the player as the tool *Paste* does, and moves it with each frame.
fn drag(
    bench: Res<FrameBenchmark>,
    player: Res<Player>,
    clipboard: Res<BuilderClipboard>,
    mut jobs: ResMut<EditJobs>,
    mut canvas: GhostCanvas,
    mut ghosts: Query<&mut Ghost>,
    mut drawing: Local<Drawing>,
    mut frame: Local<i32>,
) {
    if bench.mode != Mode::Dragging {
        return;
    }
    let centre = player.walker.position.floor().as_ivec3();
    match &mut *drawing {
        Drawing::NotBegun => {
            let area = Box3 { min: centre - COPIED_SIDE / 2, max: centre + COPIED_SIDE / 2 };
            clipboard.copy(&mut jobs, area, false);
            *drawing = Drawing::Copying;
        }
        Drawing::Copying => {
            if let (Some(copied), _) = clipboard.get() {
                println!("{} voxels are dragged", copied.volume());
                *drawing = Drawing::Meshing(SyncCell::new(PendingGhost::start(copied.clipped_chunks().collect())));
            }
        }
        Drawing::Meshing(pending) => {
            if let Some(meshes) = pending.get().poll() {
                println!("drawn as {} rectangles, in cells of {}", meshes.quads, meshes.cell);
                canvas.spawn(meshes, centre);
                *drawing = Drawing::Done;
            }
        }
        Drawing::Done => {
            *frame += 1;
            for mut ghost in &mut ghosts {
                ghost.at = centre + IVec3::new(*frame % 64, *frame % 16, *frame / 64 % 64);
            }
        }
    }
}

/// How far the copy that is dragged is.
#[derive(Default)]
enum Drawing {
    #[default]
    NotBegun,
    Copying,
    Meshing(SyncCell<PendingGhost>),
    Done,
}

/// Flies on whenever everything is loaded, and prints the resident memory at each kilometre.
fn measure_memory(
    mut bench: ResMut<FrameBenchmark>,
    stream: Option<Res<ChunkStream>>,
    meshes: Option<Res<ChunkMeshes>>,
    player: Option<ResMut<Player>>,
    (edits, scene, map): (Option<Res<Edits>>, Option<Res<ChunkScene>>, Option<Res<OpenMap>>),
    mut exit: MessageWriter<AppExit>,
) {
    let ready = !bench.mode.has_game() || is_loaded(stream, meshes);
    bench.settled = if ready { bench.settled + 1 } else { 0 };
    if bench.settled < SETTLE_FRAMES {
        return;
    }
    // A long way takes many stops: chunks on the way load, too.
    if bench.flown.is_multiple_of(1000) {
        let bytes = resident_bytes().unwrap_or(0);
        print!("{} km: {} MB", bench.flown / 1000, bytes / 1_000_000);
        if let Some(((edits, scene), map)) = edits.zip(scene).zip(map) {
            let (loaded, counters) = (edits.totals(), &scene.counters);
            print!(", {} chunks of {:.1} MB", loaded.chunks, loaded.heap_bytes as f64 / 1e6);
            let mb = |counter| DrawCounters::get(counter) as f64 / 1e6;
            print!(", meshes {:.1} of {:.1} MB", mb(&counters.used_bytes), mb(&counters.buffer_bytes));
            let saved = map.reader.totals().map_or(0, |totals| totals.chunks);
            print!(", {saved} chunks in the map");
        }
        println!();
    }
    let Some(mut player) = player.filter(|_| bench.flown < 2 * TURN) else {
        exit.write(AppExit::Success);
        return;
    };
    player.walker.flying = true;
    player.walker.position.x += if bench.flown < TURN { f64::from(STOP) } else { -f64::from(STOP) };
    bench.flown += STOP;
    bench.settled = SETTLE_FRAMES - 4;
}
