//! Conversion of the levels of a chunk to runs.

use super::bit_planes::{LayerLevels, LevelBits};
use super::{Channel, LightLevels};
use crate::bits::set_bits;
use crate::runs::bit_rows::SIDE;
use crate::runs::{RunBuilder, RunTree};
use crate::voxel::CHUNK_VOLUME;

/// The run tree of the levels of channels, given as bits. Channels that are missing are dark.
pub(super) fn levels_to_runs(channels: &[(Channel, &LevelBits)]) -> RunTree {
    match *channels {
        [] => RunTree::uniform(LightLevels::DARK.to_voxel()),
        [a] => build([a]),
        [a, b] => build([a, b]),
        [a, b, c] => build([a, b, c]),
        [a, b, c, d, ..] => build([a, b, c, d]),
    }
}

fn build<const N: usize>(channels: [(Channel, &LevelBits); N]) -> RunTree {
    let mut builder = RunBuilder::new();
    let mut start = 0;
    let mut last = None;
    for y in 0..SIDE {
        let mut starts = [0; SIDE];
        for (_, bits) in channels {
            add_starts(&mut starts, &bits[y], y.checked_sub(1).map(|below| &bits[below]));
        }
        // The first voxel of a chunk always starts a run.
        starts[0] |= u32::from(y == 0);
        for (z, starts) in starts.into_iter().enumerate().filter(|(_, starts)| *starts != 0) {
            let mut words = [[0; 4]; N];
            for (words, (_, bits)) in words.iter_mut().zip(&channels) {
                for (word, rows) in words.iter_mut().zip(&bits[y]) {
                    *word = rows[z];
                }
            }
            for x in set_bits(starts) {
                let at = (y * SIDE + z) * SIDE + x as usize;
                if let Some(value) = last {
                    builder.push((at - start) as u32, value);
                }
                let mut value = 0;
                for ([a, b, c, d], (channel, _)) in words.iter().zip(&channels) {
                    let level =
                        a >> x & 1 | (b >> x & 1) << 1 | (c >> x & 1) << 2 | (d >> x & 1) << 3;
                    value |= level << (4 * *channel as u32);
                }
                start = at;
                last = Some(LightLevels::from_bits(value as u16).to_voxel());
            }
        }
    }
    if let Some(value) = last {
        builder.push((CHUNK_VOLUME - start) as u32, value);
    }
    builder.finish()
}

/// Adds the voxels of a layer at which a run starts, because their level and the level of the
/// previous voxel differ.
#[inline]
fn add_starts(starts: &mut [u32; SIDE], layer: &LayerLevels, below: Option<&LayerLevels>) {
    for (bit, rows) in layer.iter().enumerate() {
        let before = below.map_or(rows[0] << (SIDE - 1), |below| below[bit][SIDE - 1]);
        starts[0] |= rows[0] ^ (rows[0] << 1 | before >> (SIDE - 1));
        for z in 1..SIDE {
            starts[z] |= rows[z] ^ (rows[z] << 1 | rows[z - 1] >> (SIDE - 1));
        }
    }
}
