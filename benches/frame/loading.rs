//! Measures the time until the view of a map is loaded.

use bevy::app::AppExit;
use bevy::prelude::*;
use std::time::{Duration, Instant};
use stonerun::game::drawing::lighting::ChunkLights;
use stonerun::game::drawing::meshing::ChunkMeshes;
use stonerun::game::map::streaming::ChunkStream;
use stonerun::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use stonerun::game::state::player::Player;
use stonerun::game::state::session::Edits;

/// Measurements since the map was opened.
pub struct Opened {
    at: Instant,
    processor: Duration,
    frames: u32,
    is_ground_drawn: bool,
    /// Time of each stage, summed over all frames, in milliseconds.
    stages: [f64; FrameStage::ALL.len()],
}

/// Prints the times until the chunks around the player, and all chunks, are drawn; then ends.
pub fn loading(
    stream: Option<Res<ChunkStream>>,
    meshes: Option<Res<ChunkMeshes>>,
    lights: Option<Res<ChunkLights>>,
    edits: Option<Res<Edits>>,
    player: Option<Res<Player>>,
    timings: Res<FrameTimings>,
    mut opened: Local<Option<Opened>>,
    mut exit: MessageWriter<AppExit>,
) {
    let Some(stream) = stream else { return };
    let Some(meshes) = meshes else { return };
    let Some(lights) = lights else { return };
    let Some(edits) = edits else { return };
    let opened = opened.get_or_insert_with(|| Opened {
        at: Instant::now(),
        processor: processor_time(),
        frames: 0,
        is_ground_drawn: false,
        stages: [0.0; FrameStage::ALL.len()],
    });
    opened.frames += 1;
    for (sum, ms) in opened.stages.iter_mut().zip(timings.latest_ms) {
        *sum += ms;
    }
    let used = processor_time().saturating_sub(opened.processor);
    let since = format!(
        "{:.2} s, {:.2} s of processor time, {} frames",
        opened.at.elapsed().as_secs_f64(),
        used.as_secs_f64(),
        opened.frames
    );
    let is_drawn = |pos| meshes.of_chunk(pos).is_some();
    if !opened.is_ground_drawn
        && let Some(player) = player
        && player.chunk().moore_neighbourhood().all(is_drawn)
    {
        opened.is_ground_drawn = true;
        println!("the chunks around the player are drawn after {since}");
    }
    if stream.waiting > 0 || meshes.waiting() > 0 {
        return;
    }
    let work = lights.work;
    let chunks = edits.totals().chunks;
    println!("{chunks} chunks are loaded and drawn after {since}");
    println!(
        "lit {} times, {:.2} per chunk, {:.2} s; {} meshes",
        work.chunks,
        work.times_per_chunk(),
        work.time.as_secs_f64(),
        meshes.times.count()
    );
    let stages = FrameStage::ALL
        .iter()
        .zip(opened.stages)
        .map(|(stage, ms)| format!("{} {ms:.0}", stage.name()));
    println!("stages, sums in ms: {}", stages.collect::<Vec<_>>().join(", "));
    exit.write(AppExit::Success);
}

/// Processor time of this process; zero where the system does not report it.
fn processor_time() -> Duration {
    const TICKS_PER_SECOND: u64 = 100;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in brackets, may hold spaces.
    let after_name = stat.rsplit_once(')').map_or("", |(_, after)| after);
    let ticks: u64 = after_name
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<u64>().ok())
        .sum();
    Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND)
}
