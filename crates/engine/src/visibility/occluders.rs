//! The occluders of a chunk: the voxels that nothing can be seen through, one bit each.
//!
//! Visibility only asks whether a voxel hides what lies behind it. Full, opaque voxels do; air,
//! water, leaves, panes, slabs and plants do not, and neither does a chunk that is not loaded. The
//! bits are filled run by run, one word at a time. Most chunks of a world need no bits: they are
//! entirely open or entirely rock.

use crate::voxel::{CHUNK_SIDE, CHUNK_VOLUME, Voxel, transpose};
use crate::world::Chunk;
use glam::IVec3;
use std::ops::Range;
use std::sync::Arc;

/// Words of 64 voxels of a chunk.
const WORDS: usize = CHUNK_VOLUME / 64;
/// Side of a chunk, in voxels.
const SIDE: usize = CHUNK_SIDE as usize;

/// The voxels of one chunk that block the view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Occluders {
    /// No voxel blocks the view.
    None,
    /// Every voxel blocks the view.
    All,
    /// The voxels whose bits are set, in linear order (x fastest, then z, then y).
    Some(Arc<[u64; WORDS]>),
}

impl Occluders {
    /// Collects the voxels of `chunk` for which `hides` is true.
    #[must_use]
    pub fn from_chunk(chunk: &Chunk, hides: impl Fn(Voxel) -> bool) -> Occluders {
        if let Some(voxel) = chunk.as_uniform() {
            return if hides(voxel) { Occluders::All } else { Occluders::None };
        }
        let mut words = [0u64; WORDS];
        let mut count = 0;
        // Caches the last answer of `hides`.
        let mut last = (Voxel::AIR, hides(Voxel::AIR));
        chunk.runs().for_each(|run| {
            if run.voxel != last.0 {
                last = (run.voxel, hides(run.voxel));
            }
            if last.1 {
                set(&mut words, run.start as usize..run.end() as usize);
                count += run.len as usize;
            }
        });
        match count {
            0 => Occluders::None,
            CHUNK_VOLUME => Occluders::All,
            _ => Occluders::Some(Arc::new(words)),
        }
    }

    /// True if the voxel at `at` (0 to 31 on each axis) is an occluder.
    #[must_use]
    pub fn hides(&self, at: IVec3) -> bool {
        match self {
            Occluders::None => false,
            Occluders::All => true,
            Occluders::Some(_) => self.row(at.y, at.z) >> at.x & 1 == 1,
        }
    }

    /// The 32 voxels along x at `y` and `z`: bit k is the voxel at x = k.
    #[must_use]
    #[inline]
    pub fn row(&self, y: i32, z: i32) -> u32 {
        match self {
            Occluders::None => 0,
            Occluders::All => u32::MAX,
            Occluders::Some(words) => {
                let row = (y << 5 | z) as usize;
                (words[row / 2] >> (32 * (row % 2))) as u32
            }
        }
    }

    /// True if any voxel is an occluder here and not in `other`.
    #[must_use]
    pub(crate) fn hides_beyond(&self, other: &Occluders) -> bool {
        match (self, other) {
            (Occluders::None, _) | (_, Occluders::All) => false,
            (_, Occluders::None) | (Occluders::All, _) => true,
            (Occluders::Some(a), Occluders::Some(b)) => {
                a.iter().zip(b.iter()).any(|(a, b)| a & !b != 0)
            }
        }
    }

    /// Exchanges x and z.
    #[must_use]
    pub(crate) fn transposed(&self) -> Occluders {
        let Occluders::Some(_) = self else { return self.clone() };
        let mut words = [0; WORDS];
        // Two layers at a time: they fill the first 32 rows of a block of 64 x 64 bits.
        for (pair, layers) in words.chunks_exact_mut(SIDE).enumerate() {
            let row = |y: usize, z: usize| u64::from(self.row((2 * pair + y) as i32, z as i32));
            let mut square =
                std::array::from_fn(|z| if z < SIDE { row(0, z) | row(1, z) << SIDE } else { 0 });
            transpose(&mut square);
            for (rows, word) in square.chunks_exact(2).zip(layers) {
                *word = rows[0] | rows[1] << SIDE;
            }
        }
        Occluders::Some(Arc::new(words))
    }
}

/// Sets the bits of a non-empty range.
fn set(words: &mut [u64; WORDS], range: Range<usize>) {
    let first = range.start / 64;
    let last = (range.end - 1) / 64;
    let from = u64::MAX << (range.start % 64);
    let to = u64::MAX >> (63 - (range.end - 1) % 64);
    if first == last {
        words[first] |= from & to;
        return;
    }
    words[first] |= from;
    words[first + 1..last].fill(u64::MAX);
    words[last] |= to;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::linear_offset;
    use glam::Vec3Swizzles;

    fn hides(voxel: Voxel) -> bool {
        voxel.material() == 1 && voxel.is_full()
    }

    #[test]
    fn bits_match_hiding_voxels() {
        let kinds = [Voxel::AIR, Voxel::full(1), Voxel::full(2), Voxel::new(1, 100)];
        let lens = [1, 31, 33, 64, 7, 500, 63, 65, 128, 3];
        let mut runs: Vec<(u32, Voxel)> = Vec::new();
        let mut left = 32768;
        for i in 0.. {
            let len = lens[i % lens.len()].min(left);
            if len == 0 {
                break;
            }
            runs.push((len, kinds[i * 7 % 4]));
            left -= len;
        }
        let chunk = Chunk::from_runs(runs);
        let occluders = Occluders::from_chunk(&chunk, hides);
        let transposed = occluders.transposed();
        for index in 0..CHUNK_VOLUME {
            let at = linear_offset(index);
            assert_eq!(occluders.hides(at), hides(chunk.get(index)), "{at}");
            assert_eq!(transposed.hides(at.zyx()), occluders.hides(at), "{at}");
        }
    }

    #[test]
    fn uniform_occluders_need_no_bits() {
        let of = |runs: Vec<(u32, Voxel)>| Occluders::from_chunk(&Chunk::from_runs(runs), hides);
        assert_eq!(of(vec![(32768, Voxel::full(2))]), Occluders::None);
        assert_eq!(of(vec![(32768, Voxel::full(1))]), Occluders::All);
        assert_eq!(of(vec![(30000, Voxel::full(2)), (2768, Voxel::AIR)]), Occluders::None);
    }

    #[test]
    fn hides_beyond_detects_additional_occluders() {
        let of = |runs: Vec<(u32, Voxel)>| Occluders::from_chunk(&Chunk::from_runs(runs), hides);
        let air = Voxel::AIR;
        let rock = Voxel::full(1);
        let low = of(vec![(100, rock), (32668, air)]);
        let high = of(vec![(101, rock), (32667, air)]);
        for (less, more) in [(&Occluders::None, &low), (&low, &high), (&high, &Occluders::All)] {
            assert!(
                more.hides_beyond(less) && !less.hides_beyond(more) && !less.hides_beyond(less)
            );
        }
    }
}
