//! Slope of the surface of the ground around a voxel.
//!
//! Each ground voxel within two voxels on each axis pulls towards itself. The sum of the offsets to
//! them points into the ground, and the angle between it and straight down is the slope. Floors
//! have 0 degrees, stairs of one voxel 45, walls 90 and ceilings 180. Inside the ground and far
//! from it the sum is zero, so there is no slope.

use crate::edit::EditError;
use crate::edit::region::chunk_bits::ChunkBits;
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos, neighbour_offsets};
use glam::IVec3;

/// Radius of the neighbourhood, in voxels.
const REACH: i32 = 2;
/// Rows of a chunk with its margin of [`REACH`], along y and along z.
const ROWS: usize = (CHUNK_SIDE + 2 * REACH) as usize;
/// Tolerance for rounding, in degrees.
const ROUNDING: f64 = 1e-6;

/// Ground in a chunk and two voxels around it, one word per row along x. Bit `x + 2` is set where
/// there is ground.
pub(super) struct GroundRows(Box<[[u64; ROWS]; ROWS]>);

impl GroundRows {
    /// Reads the ground around the chunk at `pos`. `accepted` returns the ground voxels of a set in
    /// the chunk at a position.
    pub(super) fn read(
        pos: ChunkPos,
        accepted: impl Fn(ChunkPos, &ChunkBits) -> Result<ChunkBits, EditError>,
    ) -> Result<GroundRows, EditError> {
        let bounds = pos.bounds();
        let around = Box3 { min: bounds.min - REACH, max: bounds.max + REACH };
        let mut rows = Box::new([[0u64; ROWS]; ROWS]);
        for offset in neighbour_offsets() {
            let neighbour = pos.offset(offset);
            let part = around.intersection(neighbour.bounds());
            let found = accepted(neighbour, &ChunkBits::from_box(neighbour, around))?;
            let in_chunk = part.min - neighbour.origin();
            let in_rows = part.min - around.min;
            for y in 0..part.size().y {
                for z in 0..part.size().z {
                    let row =
                        u64::from(found.row((in_chunk.y + y) as usize, (in_chunk.z + z) as usize));
                    rows[(in_rows.y + y) as usize][(in_rows.z + z) as usize] |=
                        row >> in_chunk.x << in_rows.x;
                }
            }
        }
        Ok(GroundRows(rows))
    }

    /// True if there is a surface around a voxel of the chunk whose slope lies in a range of
    /// degrees.
    pub(super) fn has_slope(&self, offset: IVec3, [from, to]: [f64; 2]) -> bool {
        let mut pull = IVec3::ZERO;
        let side = 2 * REACH + 1;
        for y in 0..side {
            for z in 0..side {
                let row = self.0[(offset.y + y) as usize][(offset.z + z) as usize] >> offset.x;
                let window = (row & ((1 << side) - 1)) as u32;
                let count = window.count_ones() as i32;
                pull += IVec3::new(along_x(window), (y - REACH) * count, (z - REACH) * count);
            }
        }
        if pull == IVec3::ZERO {
            return false;
        }
        let pull = pull.as_dvec3();
        let degrees = (-pull.y / pull.length()).clamp(-1.0, 1.0).acos().to_degrees();
        (from - ROUNDING..=to + ROUNDING).contains(&degrees)
    }
}

/// Sum of the x offsets of a window's voxels.
fn along_x(window: u32) -> i32 {
    let bit = |x: i32| (window >> (x + REACH) & 1) as i32;
    2 * (bit(2) - bit(-2)) + bit(1) - bit(-1)
}
