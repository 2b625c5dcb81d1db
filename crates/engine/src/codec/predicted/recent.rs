//! Palette index and run end of the voxels coded most recently, as far back as the model looks.

/// Voxels from one row to the next.
pub(super) const BEHIND: usize = 32;
/// Voxels from one layer to the next.
pub(super) const BELOW: usize = 1024;

/// Palette index that stands for the voxels before the chunk.
pub(super) const NONE: u32 = 0xFFFF;

/// Number of voxels before the next run that the buffer keeps when it slides.
const REACH: usize = BELOW + BEHIND;
/// Number of voxels written for every run, also a shorter one: a fixed length avoids an
/// unpredictable branch. The next run overwrites the surplus.
const STRIDE: usize = 32;
/// Number of voxels in the buffer: `REACH`, and room for the runs until the next slide. A power of
/// two whose bytes stay in the L1 cache.
const CAPACITY: usize = 4096;

/// The last voxels of the coded runs.
pub(super) struct RecentVoxels {
    /// Palette index of each voxel in the lower 16 bits, the end of its run in the upper 16.
    seen: Box<[u32; CAPACITY]>,
    /// Index in `seen` of the chunk's first voxel; wraps around once that voxel has left the
    /// buffer.
    origin: usize,
}

impl RecentVoxels {
    /// Creates the state of an empty chunk, preceded by a run of [`NONE`] that ends where the chunk
    /// begins.
    pub(super) fn new() -> RecentVoxels {
        // The vector has exactly this length.
        let mut seen: Box<[u32; CAPACITY]> =
            vec![0; CAPACITY].into_boxed_slice().try_into().expect("the length is CAPACITY");
        seen[..BELOW].fill(NONE);
        RecentVoxels { seen, origin: BELOW }
    }

    /// Returns the palette index of the voxel `lag` before `at`, the first voxel of the next run,
    /// and the end of that voxel's run plus `lag`.
    #[inline(always)]
    pub(super) fn at_lag(&self, at: u32, lag: usize) -> (u32, u32) {
        let seen = self.seen[(at as usize).wrapping_add(self.origin.wrapping_sub(lag)) % CAPACITY];
        (seen & 0xFFFF, (seen >> 16) + lag as u32)
    }

    /// Adds a run from `at` up to, but not including, `end`.
    #[inline(always)]
    pub(super) fn push(&mut self, voxel: u32, at: u32, end: u32) {
        // `end` is at most 32768, so it fits.
        let entry = end << 16 | voxel;
        let at = (at as usize).wrapping_add(self.origin);
        let end = (end as usize).wrapping_add(self.origin);
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

/// Slow path of [`RecentVoxels::push`], when the run passes the end of the buffer: moves the
/// reachable voxels to the front and appends the run. Returns the new origin.
#[cold]
#[inline(never)]
fn slide(seen: &mut [u32; CAPACITY], origin: usize, entry: u32, at: usize, end: usize) -> usize {
    let by = at.saturating_sub(REACH);
    seen.copy_within(by..at, 0);
    let mut at = at - by;
    let mut end = end - by;
    let mut origin = origin.wrapping_sub(by);
    if end > CAPACITY {
        // Only the end of such a long run is reachable.
        let rest = end - 2 * REACH;
        origin = origin.wrapping_sub(rest);
        end -= rest;
        at = REACH;
    }
    seen[at..end].fill(entry);
    origin
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::voxel::CHUNK_VOLUME;

    #[test]
    fn lookups_match_full_history_for_any_run_length() {
        let mut random = Random::new(7);
        for longest in [3, 40, 1000, 9000, 32768] {
            let mut recent = RecentVoxels::new();
            let mut all = vec![(NONE, 0); BELOW];
            while all.len() < BELOW + CHUNK_VOLUME {
                let at = (all.len() - BELOW) as u32;
                for lag in [BEHIND, BELOW] {
                    let (voxel, end) = all[all.len() - lag];
                    assert_eq!(
                        recent.at_lag(at, lag),
                        (voxel, end + lag as u32),
                        "{longest}: {at}"
                    );
                }
                let len = (random.below(longest) + 1).min(CHUNK_VOLUME as u32 - at);
                let voxel = random.below(256);
                let end = at + len;
                recent.push(voxel, at, end);
                all.resize(BELOW + end as usize, (voxel, end));
            }
        }
    }
}
