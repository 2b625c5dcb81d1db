//! Shaping of the ground: a brush, and smoothing of large boxes, compared with a flat array.
//!
//! The flat array reads the box from the same world, filters it with vectorised loops on all cores,
//! and writes the changed voxels back. Results are compared voxel by voxel.

mod flat_ground;
mod input;

pub use input::ShapingInput;

use flat_ground::FlatGround;
use serde::Serialize;
use std::sync::Arc;
use std::time::Instant;
use stonerun_engine::edit::region::Region;
use stonerun_engine::edit::shaping::{
    MAX_SHAPING_RADIUS, MAX_SMOOTHING_REACH, Shaping, ShapingArea, ShapingBrush, ShapingTool,
};
use stonerun_engine::edit::{EditError, JobProgress, PreparedEdit, VoxelEdit};
use stonerun_engine::world::World;

/// Row of the table. Field names appear in the JSON output.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct ShapingMeasurement {
    /// Kind of terrain.
    pub input: String,
    /// Name of the workload.
    pub workload: String,
    /// Number of voxels in the box or the brush.
    pub voxels: u64,
    /// Number of changed voxels.
    pub changed: u64,
    /// Our time, the median of the rounds, in milliseconds.
    pub ours_ms: f64,
    /// The flat array's time with reading and writing back, in milliseconds; `None` for brushes.
    pub rival_ms: Option<f64>,
    /// Part of it that the filter alone takes, in milliseconds.
    pub rival_filter_ms: Option<f64>,
    /// The rival's time divided by ours.
    pub ratio: Option<f64>,
    /// True if both results have the same voxels.
    pub equal: Option<bool>,
}

/// Measures all workloads on one input in `rounds` rounds. `progress` receives the completed share,
/// from 0 to 1.
///
/// # Errors
/// An edit is refused.
pub fn measure(
    input: &ShapingInput,
    rounds: usize,
    progress: &mut dyn FnMut(f32),
) -> Result<Vec<ShapingMeasurement>, EditError> {
    let mut rows = Vec::new();
    let tools = [
        ("smooth", ShapingTool::Smooth { reach: MAX_SMOOTHING_REACH }),
        ("grow", ShapingTool::Grow),
        ("erode", ShapingTool::Erode),
        ("weather", ShapingTool::Weather),
    ];
    for (number, (name, tool)) in tools.into_iter().enumerate() {
        let workload = format!("{name}, brush of radius {MAX_SHAPING_RADIUS}");
        rows.push(brush(input, workload, tool, rounds)?);
        progress((number + 1) as f32 / 8.0);
    }
    rows.push(region(input, rounds, &mut |done| progress(0.5 + done / 2.0))?);
    Ok(rows)
}

/// One pass of a tool on a snapshot of the world.
fn shaped(world: &World, shaping: &Shaping, area: &ShapingArea) -> Result<PreparedEdit, EditError> {
    let progress = JobProgress::default();
    let mut edit = VoxelEdit::new(world, 0, &progress);
    edit.shape(shaping, area)?;
    Ok(edit.finish("shape"))
}

fn brush(
    input: &ShapingInput,
    workload: String,
    tool: ShapingTool,
    rounds: usize,
) -> Result<ShapingMeasurement, EditError> {
    let shaping = Shaping::new(tool, Arc::clone(&input.materials));
    let area = ShapingArea::dab(ShapingBrush::ball(MAX_SHAPING_RADIUS), input.hill());
    let mut times = Vec::new();
    let mut changed = 0;
    // The first round warms up.
    for _ in 0..=rounds {
        let start = Instant::now();
        let edit = shaped(&input.world, &shaping, &area)?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
        changed = edit.volume();
    }
    let radius = f64::from(MAX_SHAPING_RADIUS + 1);
    Ok(ShapingMeasurement {
        input: input.name.clone(),
        workload,
        voxels: (4.0 / 3.0 * std::f64::consts::PI * radius.powi(3)) as u64,
        changed,
        ours_ms: median(&times[1..]),
        rival_ms: None,
        rival_filter_ms: None,
        ratio: None,
        equal: None,
    })
}

fn region(
    input: &ShapingInput,
    rounds: usize,
    progress: &mut dyn FnMut(f32),
) -> Result<ShapingMeasurement, EditError> {
    let tool = ShapingTool::Smooth { reach: MAX_SMOOTHING_REACH };
    let shaping = Shaping::new(tool, Arc::clone(&input.materials));
    let mut ours = Vec::new();
    let mut rival = Vec::new();
    let mut filter = Vec::new();
    let mut flat = FlatGround::new(input.region);
    let mut changed = 0;
    let mut equal = true;
    for round in 0..=rounds {
        let start = Instant::now();
        let area = ShapingArea::Region(Arc::new(Region::from_shape(&input.region)));
        let edit = shaped(&input.world, &shaping, &area)?;
        ours.push(start.elapsed().as_secs_f64() * 1e3);
        let start = Instant::now();
        flat.read(&input.world, &input.materials);
        let read = start.elapsed();
        flat.smooth();
        filter.push((start.elapsed() - read).as_secs_f64() * 1e3);
        let chunks = flat.write(&input.world, &input.materials);
        rival.push(start.elapsed().as_secs_f64() * 1e3);
        changed = edit.volume();
        equal &= edit.changes.len() == chunks.len()
            && edit
                .changes
                .iter()
                .zip(&chunks)
                .all(|(change, (pos, chunk))| change.pos == *pos && change.after == *chunk);
        progress((round + 1) as f32 / (rounds + 1) as f32);
    }
    let [ours_ms, rival_ms, rival_filter_ms] =
        [&ours, &rival, &filter].map(|times| median(&times[1..]));
    Ok(ShapingMeasurement {
        input: input.name.clone(),
        workload: format!("smooth, box of {}^3", input.region.size().x),
        voxels: input.region.volume(),
        changed,
        ours_ms,
        rival_ms: Some(rival_ms),
        rival_filter_ms: Some(rival_filter_ms),
        ratio: Some(rival_ms / ours_ms),
        equal: Some(equal),
    })
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::terrain::TerrainKind;

    #[test]
    fn flat_array_and_engine_smooth_to_the_same_voxels() {
        for kind in [TerrainKind::Continents, TerrainKind::Caverns] {
            let input = ShapingInput::terrain(kind, 96);
            let rows = measure(&input, 1, &mut |_| ()).expect("worlds in memory are readable");
            let region = rows.last().expect("a row of the box");
            assert!(region.equal == Some(true) && region.changed > 1000, "{region:?}");
            assert!(rows.iter().all(|row| row.changed > 0), "{rows:?}");
        }
    }
}
