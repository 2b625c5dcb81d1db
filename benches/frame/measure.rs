//! Measures frames and memory.

use super::mode::Mode;
use bevy::app::AppExit;
use bevy::prelude::*;
use std::time::Instant;
use stonerun::game::drawing::chunk_drawing::{ChunkScene, DrawCounters};
use stonerun::game::drawing::lighting::ChunkLights;
use stonerun::game::drawing::meshing::ChunkMeshes;
use stonerun::game::editing::edit_jobs::Ghost;
use stonerun::game::life::creatures::CreatureLife;
use stonerun::game::life::rules::WorldRules;
use stonerun::game::map::streaming::ChunkStream;
use stonerun::game::platform::memory::resident;
use stonerun::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use stonerun::game::state::player::Player;
use stonerun::game::state::session::{Edits, OpenMap};

/// Duration of a measurement, in seconds.
const SECONDS: f64 = 10.0;
/// Duration of a measurement of floods, fires and creatures, in seconds.
const LIVING_SECONDS: f64 = 30.0;
/// Frames before measuring.
const SETTLE_FRAMES: u32 = 120;
/// Metres per second of the flight.
const SPEED: f64 = 20.0;
/// Metres between two stops of the flight in `Mode::Memory`.
const STOP: u32 = 50;
/// Metres after which the flight in `Mode::Memory` turns back.
const TURN: u32 = 4000;

/// Time of each stage, in milliseconds.
type Stages = [f64; FrameStage::ALL.len()];

/// A measured frame.
#[derive(Clone, Copy)]
struct Frame {
    /// Duration in milliseconds.
    ms: f64,
    stages: Stages,
    /// Bytes by which the buffers of meshes grew in the frame. The no-op backend fills new buffers
    /// with zeros, so growth lengthens a frame.
    grown: u64,
}

/// State of the benchmark, and the measurements so far.
#[derive(Resource)]
pub struct FrameBenchmark {
    /// The measured scene.
    pub mode: Mode,
    settled: u32,
    /// Metres flown, for `Mode::Memory`.
    flown: u32,
    last: Option<Instant>,
    /// Total duration of the measured frames, in seconds.
    pub measured_s: f64,
    frames: Vec<Frame>,
    /// Bytes of the buffers of meshes before the frame.
    buffer_bytes: u64,
    /// Edits so far.
    pub edits: u32,
}

impl FrameBenchmark {
    /// A benchmark without measurements.
    pub fn new(mode: Mode) -> FrameBenchmark {
        FrameBenchmark {
            mode,
            settled: 0,
            flown: 0,
            last: None,
            measured_s: 0.0,
            frames: Vec::new(),
            buffer_bytes: 0,
            edits: 0,
        }
    }
}

/// True if everything in view is loaded and drawn.
fn is_loaded(stream: Option<Res<ChunkStream>>, meshes: Option<Res<ChunkMeshes>>) -> bool {
    stream.zip(meshes).is_some_and(|(stream, meshes)| stream.waiting == 0 && meshes.waiting() == 0)
}

/// Records the time of each frame, flies the player in `Mode::Flying`, and prints the report at the
/// end.
pub fn frames(
    mut bench: ResMut<FrameBenchmark>,
    time: Res<Time<Real>>,
    stream: Option<Res<ChunkStream>>,
    meshes: Option<Res<ChunkMeshes>>,
    player: Option<ResMut<Player>>,
    lights: Option<Res<ChunkLights>>,
    timings: Option<Res<FrameTimings>>,
    rules: Option<Res<WorldRules>>,
    life: Option<Res<CreatureLife>>,
    scene: Option<Res<ChunkScene>>,
    ghosts: Query<&Ghost>,
    mut exit: MessageWriter<AppExit>,
) {
    let now = Instant::now();
    let last = bench.last.replace(now);
    let has_ghost = bench.mode != Mode::Dragging || !ghosts.is_empty();
    let ready =
        !bench.mode.has_game() || bench.settled > 0 || is_loaded(stream, meshes) && has_ghost;
    bench.settled += u32::from(ready);
    if bench.settled < SETTLE_FRAMES {
        return;
    }
    if let Some(mut player) = player.filter(|_| bench.mode == Mode::Flying) {
        // At the height of the hills, so that chunks of all kinds load.
        player.walker.flying = true;
        player.walker.position.x += SPEED * time.delta_secs_f64();
    }
    let buffer_bytes = scene.map_or(0, |scene| DrawCounters::get(&scene.counters.buffer_bytes));
    let grown =
        buffer_bytes.saturating_sub(std::mem::replace(&mut bench.buffer_bytes, buffer_bytes));
    if let Some(last) = last {
        let seconds = (now - last).as_secs_f64();
        bench.measured_s += seconds;
        bench.frames.push(Frame {
            ms: seconds * 1e3,
            stages: timings.map(|timings| timings.latest_ms).unwrap_or_default(),
            grown,
        });
    }
    let lives =
        matches!(bench.mode, Mode::Flood(..) | Mode::Fire | Mode::Creatures(_) | Mode::Shaping);
    let seconds = if lives { LIVING_SECONDS } else { SECONDS };
    if bench.measured_s >= seconds {
        println!("{} edits", bench.edits);
        report(&mut bench.frames);
        if let Some(figures) = rules.map(|rules| rules.figures.clone()) {
            let moved: u64 = figures.totals.iter().sum();
            println!(
                "rules: {} steps, {moved} voxels moved or changed, the last step {:?}",
                figures.steps, figures.took
            );
        }
        if let Some(figures) = life.map(|life| life.figures.clone()) {
            let living = figures.by_kind.iter().sum::<u32>();
            let [_, tick] = figures.took;
            println!(
                "creatures: {living}, {} drawn, {} ticks, the last {tick:?}",
                figures.drawn, figures.ticks
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

/// Prints the times of the frames, and the times of the stages in all frames and in the longest
/// frame.
fn report(frames: &mut [Frame]) {
    frames.sort_by(|a, b| a.ms.total_cmp(&b.ms));
    let at = |part: f64| frames[((frames.len() - 1) as f64 * part) as usize].ms;
    print!("{} frames: median {:.2} ms, 99th percentile {:.2} ms", frames.len(), at(0.5), at(0.99));
    println!(", longest {:.2} ms", at(1.0));
    let print = |what: &str, stages: Stages| {
        let stages = FrameStage::ALL.iter().zip(stages);
        let stages: Vec<String> =
            stages.map(|(stage, ms)| format!("{} {ms:.2}", stage.name())).collect();
        println!("stages, {what}: {}", stages.join(", "));
    };
    let fold = |frames: &[Frame], join: fn(f64, f64) -> f64| {
        frames.iter().fold(Stages::default(), |all, frame| {
            std::array::from_fn(|i| join(all[i], frame.stages[i]))
        })
    };
    let mean =
        |frames: &[Frame]| fold(frames, |sum, ms| sum + ms).map(|sum| sum / frames.len() as f64);
    print("means", mean(frames));
    let slowest = &frames[frames.len() - frames.len().div_ceil(100)..];
    print("means of the slowest hundredth", mean(slowest));
    print("at most", fold(frames, f64::max));
    let together = |frame: &Frame| frame.stages.iter().sum::<f64>();
    let fullest = frames.iter().max_by(|a, b| together(a).total_cmp(&together(b)));
    for (what, frame) in
        [("where longest together", fullest), ("of the longest frame", frames.last())]
    {
        let Some(frame) = frame else { continue };
        print(what, frame.stages);
        println!(
            "  {:.2} ms of {:.2}; buffers grew by {:.1} MB",
            together(frame),
            frame.ms,
            frame.grown as f64 / 1e6
        );
    }
}

/// Moves the player on once everything is loaded, and prints the resident memory at each kilometre.
pub fn memory(
    mut bench: ResMut<FrameBenchmark>,
    stream: Option<Res<ChunkStream>>,
    meshes: Option<Res<ChunkMeshes>>,
    player: Option<ResMut<Player>>,
    edits: Option<Res<Edits>>,
    scene: Option<Res<ChunkScene>>,
    map: Option<Res<OpenMap>>,
    mut exit: MessageWriter<AppExit>,
) {
    let ready = !bench.mode.has_game() || is_loaded(stream, meshes);
    bench.settled = if ready { bench.settled + 1 } else { 0 };
    if bench.settled < SETTLE_FRAMES {
        return;
    }
    // A kilometre takes many stops, so that the chunks in between load, too.
    if bench.flown.is_multiple_of(1000) {
        let bytes = resident().unwrap_or_default().all;
        print!("{} km: {} MB", bench.flown / 1000, bytes / 1_000_000);
        if let Some(((edits, scene), map)) = edits.zip(scene).zip(map) {
            let loaded = edits.totals();
            let counters = &scene.counters;
            print!(", {} chunks of {:.1} MB", loaded.chunks, loaded.heap_bytes as f64 / 1e6);
            let mb = |counter| DrawCounters::get(counter) as f64 / 1e6;
            print!(
                ", meshes {:.1} of {:.1} MB",
                mb(&counters.used_bytes),
                mb(&counters.buffer_bytes)
            );
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
