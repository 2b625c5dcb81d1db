//! Processor time of a frame: the whole game without a graphics card.
//!
//! `cargo bench --features noop --bench frame -- MAP [standing|flying|empty] [VIEW]` opens a map with a view of
//! `VIEW` chunks (default 16) and prints the median and the 99th percentile of 600 frames once
//! everything is loaded. `flying` moves 20 m/s; `empty` is Bevy without the game. wgpu's no-op
//! backend takes the draws, so no driver is measured.

use bevy::app::{AppExit, ScheduleRunnerPlugin};
use bevy::camera::RenderTarget;
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
use stonerun::game::common::picture_target::PictureTarget;
use stonerun::game::common::requests::Request;
use stonerun::game::common::settings::Settings;
use stonerun::game::meshing::ChunkMeshes;
use stonerun::game::player::Player;
use stonerun::game::plugin::GamePlugin;
use stonerun::game::streaming::ChunkStream;

/// Frames that are measured.
const FRAMES: usize = 600;
/// Metres per second of the flight.
const SPEED: f64 = 20.0;

#[derive(Resource)]
struct FrameBenchmark {
    flying: bool,
    empty: bool,
    settled: u32,
    last: Option<Instant>,
    frames_ms: Vec<f64>,
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

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let Some(map) = arguments.first().map(PathBuf::from) else {
        println!("cargo bench --features noop --bench frame -- MAP [standing|flying|empty] [VIEW]");
        return;
    };
    let mode = arguments.get(1).map_or("standing", String::as_str);
    let view = arguments.get(2).and_then(|view| view.parse().ok()).unwrap_or(16);
    let render_creation = noop_renderer();
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins
            .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
            .set(RenderPlugin { render_creation, synchronous_pipeline_compilation: true, ..default() })
            .disable::<WinitPlugin>(),
        ScheduleRunnerPlugin::run_loop(Duration::ZERO),
    ));
    let target = Image::new_target_texture(1280, 720, TextureFormat::Rgba8UnormSrgb, None);
    let target = app.world_mut().resource_mut::<Assets<Image>>().add(target);
    let empty = mode == "empty";
    if empty {
        app.world_mut().spawn((Camera3d::default(), Msaa::Off, RenderTarget::Image(target.into())));
    } else {
        app.insert_resource(PictureTarget(target)).add_plugins(GamePlugin);
        app.insert_resource(Settings { view_distance: view, ..Settings::default() });
        app.world_mut().write_message(Request::OpenForPicture(map));
    }
    app.insert_resource(FrameBenchmark {
        flying: mode == "flying",
        empty,
        settled: 0,
        last: None,
        frames_ms: Vec::new(),
    })
    .add_systems(First, measure);
    app.run();
}

/// Notes the time of each frame, and moves the player.
fn measure(
    mut bench: ResMut<FrameBenchmark>,
    time: Res<Time<Real>>,
    stream: Option<Res<ChunkStream>>,
    meshes: Option<Res<ChunkMeshes>>,
    player: Option<ResMut<Player>>,
    mut exit: MessageWriter<AppExit>,
) {
    let now = Instant::now();
    let last = bench.last.replace(now);
    let loaded = stream.zip(meshes).is_some_and(|(stream, meshes)| stream.waiting == 0 && meshes.waiting() == 0);
    bench.settled += u32::from(bench.empty || loaded || bench.settled > 0);
    if bench.settled < 120 {
        return;
    }
    if let Some(mut player) = player.filter(|_| bench.flying) {
        // At the height of the hills, so that chunks of all kinds load.
        player.walker.flying = true;
        player.walker.position.x += SPEED * time.delta_secs_f64();
    }
    if let Some(last) = last {
        bench.frames_ms.push((now - last).as_secs_f64() * 1e3);
    }
    if bench.frames_ms.len() == FRAMES {
        bench.frames_ms.sort_by(f64::total_cmp);
        let at = |part: f64| bench.frames_ms[(FRAMES as f64 * part) as usize];
        println!("median {:.2} ms, 99th percentile {:.2} ms", at(0.5), at(0.99));
        exit.write(AppExit::Success);
    }
}
