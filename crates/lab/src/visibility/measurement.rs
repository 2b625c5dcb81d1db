//! Options and results of the visibility measurement.

use serde::Serialize;

/// Extent of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct VisibilityOptions {
    /// Number of cells.
    pub cells: usize,
    /// View distance, in chunks.
    pub view: i32,
    /// Rays from all cells together.
    pub rays: u64,
    /// Edits around all cells together; half of the rays are cast between them.
    pub edits: u64,
}

/// The results of one world. Field names appear in the JSON output. Chunk counts are sums
/// over all cells.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct VisibilityMeasurement {
    /// Name of the world.
    pub name: String,
    /// View distance, in chunks.
    pub view: i32,
    /// Number of cells.
    pub cells: u64,
    /// Chunks in view, hidden or not.
    pub chunks: u64,
    /// Share of the chunks in view that lie outside the refined set, from 0 to 1.
    pub occluded: f64,
    /// Share of the chunks in view that lie outside the sweep's set, from 0 to 1.
    pub sweep_occluded: f64,
    /// Milliseconds of a sweep, median of all cells.
    pub sweep_ms_p50: f64,
    /// Milliseconds of a sweep, 99th percentile.
    pub sweep_ms_p99: f64,
    /// Milliseconds of a refinement, median of all cells.
    pub refine_ms_p50: f64,
    /// Milliseconds of a refinement, 99th percentile.
    pub refine_ms_p99: f64,
    /// Number of rays.
    pub rays: u64,
    /// Number of edits between the rays.
    pub edits: u64,
    /// Proven chunks and rooms that a set lacks; must be 0.
    pub missed: u64,
    /// Proven chunks that the sweep's set lacks.
    pub missed_chunks: u64,
    /// Proven rooms that the sweep's set lacks.
    pub missed_rooms: u64,
    /// Proven chunks that the refinement removed.
    pub missed_refined: u64,
    /// Descriptions of the first misses, one line each.
    pub misses: Vec<String>,
    /// Chunks proven visible before any edit.
    pub proven_chunks: u64,
    /// Chunks in the sweep's set.
    pub sweep_chunks: u64,
    /// Chunks in the refined set.
    pub refined_chunks: u64,
    /// Chunks in the graph walk's set.
    pub walk_chunks: u64,
    /// Tightness of the refined set.
    pub tightness: f64,
    /// Tightness of the sweep's set.
    pub sweep_tightness: f64,
    /// Tightness of the graph walk's set.
    pub walk_tightness: f64,
    /// Proven chunks that the graph walk does not visit.
    pub walk_missed: u64,
}
