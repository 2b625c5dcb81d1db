//! Measures frames and memory.

use super::mode::Mode;
use bevy::app::AppExit;
use bevy::prelude::*;
use std::time::Instant;
use stonerun::game::chunk_drawing::{ChunkScene, DrawCounters};
use stonerun::game::common::frame_timings::{FrameStage, FrameTimings};
use stonerun::game::creatures::CreatureLife;
use stonerun::game::edit_jobs::Ghost;
use stonerun::game::lighting::ChunkLights;
use stonerun::game::meshing::ChunkMeshes;
use stonerun::game::platform::memory::resident;
use stonerun::game::player::Player;
use stonerun::game::rules::WorldRules;
use stonerun::game::session::{Edits, OpenMap};
use stonerun::game::streaming::ChunkStream;

/// Seconds that are measured.
const SECONDS: f64 = 10.0;
/// Seconds for which floods, fires and creatures are measured.
const LIVING_SECONDS: f64 = 30.0;
/// Frames before measuring.
const SETTLE_FRAMES: u32 = 120;
/// Metres per second of the flight.
const SPEED: f64 = 20.0;
/// Metres between stops of the flight that memory is measured on.
const STOP: u32 = 50;
/// Metres after which that flight turns back.
const TURN: u32 = 4000;

/// What was measured so far.
#[derive(Resource)]
pub struct FrameBenchmark {
    /// What is measured.
    pub mode: Mode,
    settled: u32,
    /// Metres flown, for `Mode::Memory`.
    flown: u32,
    last: Option<Instant>,
    /// Sum of the frames, in seconds.
    pub measured_s: f64,
    frames_ms: Vec<f64>,
    /// The stages of the frame in which they took longest together, in milliseconds.
    longest_stages: [f64; FrameStage::ALL.len()],
    /// The longest each stage took, in milliseconds.
    most: [f64; FrameStage::ALL.len()],
    /// The stages of the longest frame, and its length, in milliseconds; bytes by which the buffers
    /// of meshes grew in it, which the no-op backend fills with zeros.
    longest_frame: ([f64; FrameStage::ALL.len()], f64, u64),
    /// Bytes of these buffers before the frame.
    buffer_bytes: u64,
    /// Sums of the stages over all frames, in milliseconds.
    stages: [f64; FrameStage::ALL.len()],
    /// Edits so far.
    pub edits: u32,
}

impl FrameBenchmark {
    /// Nothing was measured yet.
    pub fn new(mode: Mode) -> FrameBenchmark {
        FrameBenchmark {
            mode,
            settled: 0,
            flown: 0,
            last: None,
            measured_s: 0.0,
            frames_ms: Vec::new(),
            longest_stages: [0.0; FrameStage::ALL.len()],
            most: [0.0; FrameStage::ALL.len()],
            longest_frame: ([0.0; FrameStage::ALL.len()], 0.0, 0),
            buffer_bytes: 0,
            stages: [0.0; FrameStage::ALL.len()],
            edits: 0,
        }
    }
}

/// True if everything in view is loaded and drawn.
fn is_loaded(stream: Option<Res<ChunkStream>>, meshes: Option<Res<ChunkMeshes>>) -> bool {
    stream.zip(meshes).is_some_and(|(stream, meshes)| stream.waiting == 0 && meshes.waiting() == 0)
}

/// Notes the time of each frame, and moves the player.
pub fn frames(
    mut bench: ResMut<FrameBenchmark>,
    time: Res<Time<Real>>,
    stream: Option<Res<ChunkStream>>,
    meshes: Option<Res<ChunkMeshes>>,
    player: Option<ResMut<Player>>,
    (lights, timings): (Option<Res<ChunkLights>>, Option<Res<FrameTimings>>),
    (rules, life, scene): (Option<Res<WorldRules>>, Option<Res<CreatureLife>>, Option<Res<ChunkScene>>),
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
    let buffer_bytes = scene.map_or(0, |scene| DrawCounters::get(&scene.counters.buffer_bytes));
    if let Some(last) = last {
        let seconds = (now - last).as_secs_f64();
        bench.measured_s += seconds;
        bench.frames_ms.push(seconds * 1e3);
        let sum = |stages: &[f64]| stages.iter().sum::<f64>();
        if let Some(timings) = timings {
            bench.stages.iter_mut().zip(timings.latest_ms).for_each(|(sum, ms)| *sum += ms);
            bench.most.iter_mut().zip(timings.latest_ms).for_each(|(most, ms)| *most = most.max(ms));
            if seconds * 1e3 > bench.longest_frame.1 {
                let grown = buffer_bytes.saturating_sub(bench.buffer_bytes);
                bench.longest_frame = (timings.latest_ms, seconds * 1e3, grown);
            }
            if sum(&timings.latest_ms) > sum(&bench.longest_stages) {
                bench.longest_stages = timings.latest_ms;
            }
        }
    }
    bench.buffer_bytes = buffer_bytes;
    let lives = matches!(bench.mode, Mode::Flood(..) | Mode::Fire | Mode::Creatures(_));
    let seconds = if lives { LIVING_SECONDS } else { SECONDS };
    if bench.measured_s >= seconds {
        bench.frames_ms.sort_by(f64::total_cmp);
        let at = |part: f64| bench.frames_ms[((bench.frames_ms.len() - 1) as f64 * part) as usize];
        print!("{} frames, {} edits: ", bench.frames_ms.len(), bench.edits);
        println!("median {:.2} ms, 99th percentile {:.2} ms, longest {:.2} ms", at(0.5), at(0.99), at(1.0));
        let in_words = |stages: [f64; FrameStage::ALL.len()]| {
            let stages = FrameStage::ALL.iter().zip(stages);
            stages.map(|(stage, ms)| format!("{} {ms:.2}", stage.name())).collect::<Vec<_>>().join(", ")
        };
        let frames = bench.frames_ms.len() as f64;
        let (mean, all) = (bench.stages.map(|ms| ms / frames), bench.measured_s * 1e3 / frames);
        println!("stages, means: {}; all {all:.2} ms", in_words(mean));
        println!("stages, at most: {}", in_words(bench.most));
        println!("stages, where longest together: {}", in_words(bench.longest_stages));
        let (stages, ms, grown) = bench.longest_frame;
        println!("stages of the longest frame, of {ms:.2} ms: {}", in_words(stages));
        println!("buffers grew by {:.1} MB in it", grown as f64 / 1e6);
        if let Some(figures) = rules.map(|rules| rules.figures.clone()) {
            let moved: u64 = figures.totals.iter().sum();
            println!(
                "rules: {} steps, {moved} voxels moved or changed, the last step {:?}",
                figures.steps, figures.took
            );
        }
        if let Some(figures) = life.map(|life| life.figures.clone()) {
            let (living, [_, tick]) = (figures.by_kind.iter().sum::<u32>(), figures.took);
            println!("creatures: {living}, {} drawn, {} ticks, the last {tick:?}", figures.drawn, figures.ticks);
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

/// Flies on whenever everything is loaded, and prints the resident memory at each kilometre.
pub fn memory(
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
        let bytes = resident().unwrap_or_default().all;
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
