//! What lines and shafts meet on their way: the voxels that hide, and the chunks that are hidden.

use super::is_set;
use super::shaft::Across;
use crate::visibility::{Blockers, Window};
use crate::voxel::ChunkPos;
use glam::{IVec3, Vec3};

/// The voxels that lines meet.
pub struct Ground<'a> {
    pub window: &'a Window,
    /// The cell's chunk.
    pub centre: ChunkPos,
    /// A bit for each chunk that lines may come to: all others are as good as rock.
    pub open: Vec<u64>,
}

impl Ground<'_> {
    /// The place in the window of the chunk that a voxel lies in.
    fn chunk(&self, voxel: IVec3) -> Option<usize> {
        self.window.index(self.centre.offset(voxel >> 5))
    }

    fn blockers(&self, chunk: usize) -> &Blockers {
        if is_set(&self.open, chunk) { &self.window.chunk(chunk).blockers } else { &Blockers::All }
    }

    /// Outside of the window no line goes: it leads from a chunk of it to another.
    fn hides(&self, voxel: IVec3) -> bool {
        self.chunk(voxel).is_none_or(|chunk| self.blockers(chunk).hides(voxel & 31))
    }

    /// Follows a line from voxel to voxel, until it comes into the chunk `target`. Calls `each` for every voxel in its way;
    /// goes on if it says so. Returns how far nothing was in its way, as a part of its length; the chunks up to there are
    /// seen.
    pub fn walk(
        &self,
        from: Vec3,
        to: Vec3,
        target: usize,
        seen: &mut [u64],
        mut each: impl FnMut(IVec3) -> bool,
    ) -> f32 {
        let way = to - from;
        let inverse = way.abs().recip();
        let step = way.signum().as_ivec3();
        // A line that starts on a border starts in the voxel it goes into.
        let mut voxel = (from + way * 1e-6).floor().as_ivec3();
        let mut next = Vec3::from_array(std::array::from_fn(|axis| {
            let border = if way[axis] > 0.0 { (voxel[axis] + 1) as f32 } else { voxel[axis] as f32 };
            (border - from[axis]).abs() * inverse[axis]
        }));
        let mut pos = IVec3::MAX;
        let mut blockers = &Blockers::None;
        let mut clear = true;
        let (mut reached, mut now) = (1.0, 0.0);
        loop {
            if voxel >> 5 != pos {
                pos = voxel >> 5;
                let Some(index) = self.chunk(voxel) else { break };
                if clear {
                    seen[index / 64] |= 1 << (index % 64);
                }
                if index == target {
                    break;
                }
                blockers = self.blockers(index);
            }
            if blockers.hides(voxel & 31) {
                if clear {
                    (clear, reached) = (false, now);
                }
                if !each(voxel) {
                    break;
                }
            }
            let axis = next.min_position();
            if next[axis] > 1.0 {
                break;
            }
            now = next[axis];
            voxel[axis] += step[axis];
            next[axis] += inverse[axis];
        }
        reached
    }

    /// True if what hides fills the whole cross-section of a shaft in a layer across `axis`. `corner` is the one to look at
    /// first, `left` the number of layers that may be looked at closely.
    pub fn fills(&self, shaft: &Across, axis: usize, layer: i32, corner: &mut usize, left: &mut usize) -> bool {
        if *left == 0 {
            return false;
        }
        let (from, to) = shaft.section(layer);
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let voxel = |x: i32, y: i32| {
            let mut voxel = IVec3::ZERO;
            (voxel[axis], voxel[u], voxel[v]) = (layer, x, y);
            voxel
        };
        let corners = [(from[0], from[1]), (to[0] - 1, to[1] - 1), (from[0], to[1] - 1), (to[0] - 1, from[1])];
        // Where there was a gap in the layer before, there is often one in this.
        for _ in 0..4 {
            let (x, y) = corners[*corner];
            if !self.hides(voxel(x, y)) {
                return false;
            }
            *corner = (*corner + 1) % 4;
        }
        *left -= 1;
        // Chunk by chunk.
        (from[1] >> 5..(to[1] + 31) >> 5).all(|y_chunk| {
            (from[0] >> 5..(to[0] + 31) >> 5).all(|x_chunk| {
                let Some(chunk) = self.chunk(voxel(x_chunk << 5, y_chunk << 5)) else { return true };
                let blockers = self.blockers(chunk);
                let part = |from: i32, to: i32, chunk: i32| from.max(chunk << 5)..to.min((chunk + 1) << 5);
                match blockers {
                    Blockers::None => false,
                    Blockers::All => true,
                    Blockers::Some(_) => part(from[1], to[1], y_chunk)
                        .all(|y| part(from[0], to[0], x_chunk).all(|x| blockers.hides(voxel(x, y) & 31))),
                }
            })
        })
    }
}
