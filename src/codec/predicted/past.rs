//! What was coded, as far back as the model looks: for each voxel its place in the palette and the end of its run.

use super::model::{BEHIND, BELOW};

/// Stands for the voxels before the chunk's first.
pub(super) const NONE: u32 = 0xFFFF;

/// Voxels that are kept.
const KEPT: usize = BELOW + BEHIND;
/// Runs up to this length are written without asking how long they are: a branch that nobody can foretell costs more.
const STRIDE: usize = 32;
/// Room for what is kept, and for the runs of a while; a power of two. It stays in the nearest cache.
const ROOM: usize = 4096;

/// The last voxels.
pub(super) struct Past {
    /// Of each voxel: place in the palette, and, 16 bits higher, the end of its run.
    seen: Box<[u32; ROOM]>,
    /// Where in `seen` the chunk's first voxel would be, in wrapping numbers.
    origin: usize,
}

impl Past {
    /// Before the chunk lies a run of nothing, which ends where the chunk begins.
    pub(super) fn new() -> Past {
        // The length is right by construction.
        let mut seen: Box<[u32; ROOM]> = vec![0; ROOM].into_boxed_slice().try_into().expect("so many");
        seen[..BELOW].fill(NONE);
        Past { seen, origin: BELOW }
    }

    /// What is `lag` voxels before `at`, where the next run begins: its place in the palette, and where its run ended, moved
    /// by as much.
    #[inline(always)]
    pub(super) fn there(&self, at: u32, lag: usize) -> (u32, u32) {
        let seen = self.seen[(at as usize).wrapping_add(self.origin.wrapping_sub(lag)) % ROOM];
        (seen & 0xFFFF, (seen >> 16) + lag as u32)
    }

    /// A run from `at` to `end`.
    #[inline(always)]
    pub(super) fn push(&mut self, voxel: u32, at: u32, end: u32) {
        // At most 32,768: it fits.
        let entry = end << 16 | voxel;
        let (at, end) = ((at as usize).wrapping_add(self.origin), (end as usize).wrapping_add(self.origin));
        let Some(first) = self.seen.get_mut(at..at + STRIDE) else {
            self.origin = slide(&mut self.seen, self.origin, entry, at, end);
            return;
        };
        first.fill(entry);
        if end - at > STRIDE {
            match self.seen.get_mut(at + STRIDE..end) {
                Some(rest) => rest.fill(entry),
                None => self.origin = slide(&mut self.seen, self.origin, entry, at, end),
            }
        }
    }
}

/// As [`Past::push`], where there is no room: moves what is kept to the front. Returns the new origin.
#[cold]
#[inline(never)]
fn slide(seen: &mut [u32; ROOM], origin: usize, entry: u32, at: usize, end: usize) -> usize {
    let by = at.saturating_sub(KEPT);
    seen.copy_within(by..at, 0);
    let (mut at, mut end, mut origin) = (at - by, end - by, origin.wrapping_sub(by));
    if end > ROOM {
        // Of a run that long only the end is kept.
        let rest = end - 2 * KEPT;
        origin = origin.wrapping_sub(rest);
        end -= rest;
        at = KEPT;
    }
    seen[at..end].fill(entry);
    origin
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
            let mut all = vec![(NONE, 0); BELOW];
            while all.len() < BELOW + CHUNK_VOLUME {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = (all.len() - BELOW) as u32;
                for lag in [BEHIND, BELOW] {
                    let (voxel, end) = all[all.len() - lag];
                    assert_eq!(past.there(at, lag), (voxel, end + lag as u32), "{longest}: {at}");
                }
                let len = ((random >> 8) % longest + 1).min(CHUNK_VOLUME as u32 - at);
                let (voxel, end) = (random >> 24, at + len);
                past.push(voxel, at, end);
                all.resize(BELOW + end as usize, (voxel, end));
            }
        }
    }
}
