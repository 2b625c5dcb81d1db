//! Options and results of the visibility measurement.

use serde::Serialize;

/// Extent of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct VisibilityOptions {
    /// Number of cells.
    pub cells: usize,
    /// View distance, in chunks.
    pub view: i32,
    /// Number of rays from all cells together.
    pub rays: u64,
    /// Number of edits around all cells together. Half of the rays are cast between them.
    pub edits: u64,
}

/// The results of one world. Field names appear in the JSON output. Numbers of chunks are sums over
/// all cells.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct VisibilityMeasurement {
    /// Name of the world.
    pub name: String,
    /// View distance, in chunks.
    pub view: i32,
    /// Number of cells.
    pub cells: u64,
    /// Number of chunks within the view distance, hidden or not.
    pub chunks: u64,
    /// Share of the chunks within the view distance that lie outside the refined set, from 0 to 1.
    pub occluded: f64,
    /// Share of the chunks within the view distance that lie outside the sweep's set, from 0 to 1.
    pub sweep_occluded: f64,
    /// Median time of a sweep, in milliseconds.
    pub sweep_ms_p50: f64,
    /// 99th percentile of the time of a sweep, in milliseconds.
    pub sweep_ms_p99: f64,
    /// Median time of a refinement, in milliseconds.
    pub refine_ms_p50: f64,
    /// 99th percentile of the time of a refinement, in milliseconds.
    pub refine_ms_p99: f64,
    /// Number of rays.
    pub rays: u64,
    /// Number of edits between the rays.
    pub edits: u64,
    /// Number of chunks and rooms that rays reached and a set lacks; must be 0.
    pub missed: u64,
    /// Number of chunks that rays reached and the sweep's set lacks.
    pub missed_chunks: u64,
    /// Number of rooms that rays reached and the sweep's set lacks.
    pub missed_rooms: u64,
    /// Number of chunks that rays reached and the refinement removed.
    pub missed_refined: u64,
    /// Descriptions of the first misses, one line each.
    pub misses: Vec<String>,
    /// Number of chunks that rays proved visible before any edit.
    pub proven_chunks: u64,
    /// Number of chunks in the sweep's set.
    pub sweep_chunks: u64,
    /// Number of chunks in the refined set.
    pub refined_chunks: u64,
    /// Number of chunks in the graph walk's set.
    pub walk_chunks: u64,
    /// Tightness of the refined set: its chunks divided by the proven chunks.
    pub tightness: f64,
    /// Tightness of the sweep's set.
    pub sweep_tightness: f64,
    /// Tightness of the graph walk's set.
    pub walk_tightness: f64,
    /// Number of proven chunks that the graph walk does not visit.
    pub walk_missed: u64,
}
