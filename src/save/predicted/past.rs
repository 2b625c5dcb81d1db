//! What was coded, as far back as the model looks: for each voxel its place in the palette and the end of its run.

use super::model::{BEHIND, BELOW};

/// Stands for the voxels before the chunk's first.
pub(super) const NONE: u16 = u16::MAX;

/// Voxels that are kept.
const KEPT: usize = BELOW + BEHIND;
/// Runs up to this length are written without asking how long they are: a branch that nobody can foretell costs more.
const STRIDE: usize = 32;
/// Room for what is kept, and for the runs of a while; a power of two. It stays in the nearest cache.
const ROOM: usize = 8192;

/// The last voxels. Places are counted so that the chunk's first is [`BELOW`].
pub(super) struct Past {
    /// Of each voxel: place in the palette, and, 16 bits higher, the end of its run.
    seen: Box<[u32; ROOM]>,
    /// Where in `seen` the next run begins.
    at: usize,
    /// The place of the first in `seen`.
    origin: usize,
}

impl Past {
    /// Before the chunk lies a run of nothing, which ends where the chunk begins.
    pub(super) fn new() -> Past {
        // The length is right by construction.
        let mut seen: Box<[u32; ROOM]> = vec![0; ROOM].into_boxed_slice().try_into().expect("so many");
        seen[..BELOW].fill((BELOW as u32) << 16 | u32::from(NONE));
        Past { seen, at: BELOW, origin: 0 }
    }

    /// Where the next run begins.
    #[inline(always)]
    pub(super) fn at(&self) -> usize {
        self.at + self.origin
    }

    /// What is `lag` voxels before: its place in the palette, and where its run ended, moved by as much.
    #[inline(always)]
    pub(super) fn there(&self, lag: usize) -> (u16, usize) {
        let seen = self.seen[(self.at - lag) % ROOM];
        (seen as u16, (seen >> 16) as usize + lag)
    }

    /// A run from [`Past::at`] to `end`.
    #[inline(always)]
    pub(super) fn push(&mut self, voxel: u16, end: usize) {
        // At most 33,792: it fits.
        let entry = (end as u32) << 16 | u32::from(voxel);
        let end = end - self.origin;
        if end + STRIDE > ROOM {
            return self.slide(entry, end);
        }
        let at = self.at;
        self.at = end;
        if let Some(first) = self.seen.get_mut(at..at + STRIDE) {
            first.fill(entry);
        }
        if end - at > STRIDE {
            self.seen[at + STRIDE..end].fill(entry);
        }
    }

    /// As [`Past::push`], where there is no room: moves what is kept to the front.
    #[cold]
    #[inline(never)]
    fn slide(&mut self, entry: u32, mut end: usize) {
        let by = self.at.saturating_sub(KEPT);
        self.seen.copy_within(by..self.at, 0);
        let mut at = self.at - by;
        self.origin += by;
        end -= by;
        if end + STRIDE > ROOM {
            // Of a run that long only the end is kept.
            let rest = end - 2 * KEPT;
            self.origin += rest;
            end -= rest;
            at = KEPT;
        }
        self.seen[at..end].fill(entry);
        self.at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::CHUNK_VOLUME;

    #[test]
    fn whatever_the_lengths_what_is_kept_is_right() {
        let mut random = 7u32;
        for longest in [3, 40, 1000, 9000, 32768] {
            let mut past = Past::new();
            let mut all = vec![(NONE, BELOW); BELOW];
            while all.len() < BELOW + CHUNK_VOLUME {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                assert_eq!(past.at(), all.len());
                for lag in [BEHIND, BELOW] {
                    let (voxel, end) = all[all.len() - lag];
                    assert_eq!(past.there(lag), (voxel, end + lag), "{longest}: {}", all.len());
                }
                let len = ((random >> 8) as usize % longest + 1).min(BELOW + CHUNK_VOLUME - all.len());
                let (voxel, end) = ((random >> 24) as u16, all.len() + len);
                past.push(voxel, end);
                all.resize(end, (voxel, end));
            }
        }
    }
}
