//! Regions swept by a ball along lines and curves.

use super::spline::{Bend, curve_points, line_voxels};
use super::{Region, RegionError};
use crate::edit::ChunkBits;
use crate::voxel::{
    CHUNK_SIDE, ChunkPos, WORLD_LIMIT, chunk_coord, linear_index, local, local_coord,
};
use glam::{DVec3, IVec3};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Maximum number of chunks of a stroke. Each takes 4 KiB while the stroke is made.
const MAX_STROKE_CHUNKS: usize = 1 << 16;
/// Maximum number of voxel rows of all balls of a stroke.
const MAX_ROWS: f64 = (1 << 28) as f64;
/// Maximum number of voxel rows of one ball.
const MAX_BALL_ROWS: f64 = (1 << 20) as f64;
/// Maximum number of voxels along a stroke.
const MAX_STROKE_VOXELS: f64 = (1 << 21) as f64;

impl Region {
    /// Straight lines from point to point (`//line`): all voxels within `radius` of a voxel of the
    /// lines. With a radius below 1 the lines are one voxel wide.
    ///
    /// # Errors
    /// Fails if the result is too large, or if a point lies outside the world.
    pub(crate) fn polyline(points: &[IVec3], radius: f64) -> Result<Region, RegionError> {
        stroke(points, radius)
    }

    /// Lines like [`Region::polyline`] that are one voxel wide, computed on the calling thread
    /// alone.
    ///
    /// # Errors
    /// The errors of [`Region::polyline`].
    pub(in crate::edit) fn polyline_on_one_thread(points: &[IVec3]) -> Result<Region, RegionError> {
        let chunks = stroke_chunks(points, 0.0)?.into_iter();
        #[cfg(test)]
        super::made::note();
        Ok(Region { chunks: chunks.map(|(pos, bits)| (pos, bits.to_tree())).collect() })
    }

    /// Checks the limits of [`Region::polyline`] without computing the lines.
    ///
    /// # Errors
    /// The errors of [`Region::polyline`].
    pub(crate) fn check_polyline(points: &[IVec3], radius: f64) -> Result<(), RegionError> {
        check_length(points, radius)
    }

    /// A smooth curve through `points` (`//curve`): all voxels within `radius` of a voxel of the
    /// curve.
    ///
    /// # Errors
    /// Like straight lines: fails if the result is too large, or if a point lies outside the world.
    pub fn curve(points: &[IVec3], bend: Bend, radius: f64) -> Result<Region, RegionError> {
        // Checked first, before memory is allocated. The curve is at most a few times as long as
        // the straight lines.
        check_length(points, radius)?;
        let Bend { tension, bias, continuity } = bend;
        let [tension, bias, continuity] =
            [tension, bias, continuity].map(|bend| bend.clamp(-1.0, 1.0));
        let bend = Bend { tension, bias, continuity };
        let rounded = |point: DVec3| (point + 0.5).floor().as_ivec3();
        let voxels: Vec<IVec3> = curve_points(points, bend).into_iter().map(rounded).collect();
        stroke(&voxels, radius)
    }
}

/// Checks that a stroke lies in the world and is not too long.
fn check_length(points: &[IVec3], radius: f64) -> Result<(), RegionError> {
    let reach = f64::from(WORLD_LIMIT) - radius.max(0.0) - 2.0;
    if points.iter().any(|point| point.as_dvec3().abs().max_element() > reach) {
        return Err(RegionError::OutsideWorld);
    }
    let length = |pair: &[IVec3]| pair[0].as_dvec3().distance(pair[1].as_dvec3()) + 1.0;
    let length: f64 = 1.0 + points.windows(2).map(length).sum::<f64>();
    let width = 2.0 * radius.max(0.0) + 1.0;
    let is_small = length <= MAX_STROKE_VOXELS
        && width * width <= MAX_BALL_ROWS
        && length * width * width <= MAX_ROWS;
    if is_small { Ok(()) } else { Err(RegionError::TooLarge) }
}

/// Region of a ball that is swept along points.
fn stroke(points: &[IVec3], radius: f64) -> Result<Region, RegionError> {
    let chunks = stroke_chunks(points, radius)?;
    Ok(Region::from_trees(chunks.into_par_iter().map(|(pos, bits)| (pos, bits.to_tree()))))
}

/// Chunks that a ball touches while it is swept along points.
fn stroke_chunks(
    points: &[IVec3],
    radius: f64,
) -> Result<FxHashMap<ChunkPos, ChunkBits>, RegionError> {
    check_length(points, radius)?;
    let ball = ball_rows(radius);
    let mut stroke = StrokeChunks::default();
    let ends = points
        .windows(2)
        .map(|pair| (pair[0], pair[1]))
        .chain(points.first().map(|&only| (only, only)));
    for (from, to) in ends {
        for at in line_voxels(from, to) {
            if stroke.last.replace(at) == Some(at) {
                continue;
            }
            for row in &ball {
                stroke.add(at.y + row.dy, at.z + row.dz, at.x - row.half..at.x + row.half + 1);
            }
            if stroke.chunks.len() > MAX_STROKE_CHUNKS {
                return Err(RegionError::TooLarge);
            }
        }
    }
    Ok(stroke.chunks)
}

/// Row of a ball along x, relative to the ball's centre.
struct BallRow {
    dy: i32,
    dz: i32,
    /// Number of voxels on either side of the middle voxel.
    half: i32,
}

/// Rows of a ball.
fn ball_rows(radius: f64) -> Vec<BallRow> {
    let reach = radius.max(0.0).floor() as i32;
    let square = radius.max(0.0).powi(2);
    let row = |dy: i32, dz: i32| {
        let rest = square - f64::from(dy * dy + dz * dz);
        (rest >= 0.0).then(|| BallRow { dy, dz, half: rest.sqrt().floor() as i32 })
    };
    (-reach..=reach).flat_map(|dy| (-reach..=reach).filter_map(move |dz| row(dy, dz))).collect()
}

/// Chunks of a stroke while it is made.
#[derive(Default)]
struct StrokeChunks {
    chunks: FxHashMap<ChunkPos, ChunkBits>,
    /// Last voxel of the line that was added.
    last: Option<IVec3>,
}

impl StrokeChunks {
    /// Adds the voxels of a row.
    fn add(&mut self, y: i32, z: i32, xs: Range<i32>) {
        let mut x = xs.start;
        while x < xs.end {
            let end = ((chunk_coord(x) + 1) * CHUNK_SIDE).min(xs.end);
            let at = IVec3::new(x, y, z);
            let bits = self.chunks.entry(ChunkPos::containing(at)).or_insert_with(ChunkBits::empty);
            let row = linear_index(local(at)) / CHUNK_SIDE as usize;
            bits.rows_mut()[row] |= (u32::MAX >> (CHUNK_SIDE - (end - x))) << local_coord(x);
            x = end;
        }
    }
}
