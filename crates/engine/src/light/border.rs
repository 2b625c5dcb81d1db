//! Test whether changed light at the side of a chunk alters the light of the adjacent chunk.

use super::bit_planes::{LineLevels, SideLine, exceeding};
use super::{Channel, ChunkLight, LightTraits};
use crate::bits::set_bits;
use crate::runs::RunTree;
use crate::runs::bit_rows::SIDE;
use crate::voxel::Face;

/// The light of a chunk before and after it was relit.
pub(super) struct LightChange<'a> {
    pub before: &'a ChunkLight,
    pub after: &'a ChunkLight,
}

/// A chunk next to a changed one. Its light is consistent with the light around it before the
/// change.
pub(super) struct NeighbourChunk<'a> {
    pub chunk: &'a RunTree,
    pub light: &'a ChunkLight,
}

impl LightChange<'_> {
    /// True if the change may alter the light of the chunk next to `face`. The test saves
    /// relighting most neighbours, where both chunks are sunlit, or where rock or brighter light
    /// lies behind the side.
    ///
    /// A voxel behind the side becomes brighter if a level at least two above its own arrives,
    /// since a step costs one. It can become darker only if its light may have come across the
    /// side, that is from a brighter voxel. The sun falls without loss, so below a chunk equal full
    /// levels of the sun count as well.
    pub(crate) fn alters(
        &self,
        face: Face,
        next: &NeighbourChunk<'_>,
        traits: &LightTraits,
    ) -> bool {
        Channel::ALL.into_iter().any(|channel| self.alters_channel(channel, face, next, traits))
    }

    fn alters_channel(
        &self,
        channel: Channel,
        face: Face,
        next: &NeighbourChunk<'_>,
        traits: &LightTraits,
    ) -> bool {
        const DARK: [LineLevels; SIDE] = [[0; 4]; SIDE];
        let back = face.opposite();
        let sides = (self.before.side(back, channel), self.after.side(back, channel));
        if sides == (None, None) {
            return false;
        }
        let before = sides.0.unwrap_or(DARK);
        let after = sides.1.unwrap_or(DARK);
        let beyond = next.light.side(face, channel).unwrap_or(DARK);
        let falls = channel == Channel::Sun && face == Face::Down;
        (0..SIDE).any(|line| {
            let altered = altered_voxels(before[line], after[line], beyond[line], falls);
            altered != 0 && lets_light_in(next.chunk, SideLine::new(back, line), altered, traits)
        })
    }
}

/// Voxels of a line whose light may change when the adjacent line changes from `before` to `after`.
/// `beyond` holds the levels of the voxels. If `falls`, the full level enters without loss.
fn altered_voxels(before: LineLevels, after: LineLevels, beyond: LineLevels, falls: bool) -> u32 {
    let full = |levels: LineLevels| levels.into_iter().fold(u32::MAX, |all, word| all & word);
    let mut brighter = exceeding(after, beyond);
    let mut darker = greater(before, beyond);
    if falls {
        brighter |= full(after) & !full(beyond);
        darker |= full(before) & full(beyond);
    }
    greater(after, before) & brighter | greater(before, after) & darker
}

/// Voxels whose levels are greater than `others`.
fn greater(levels: LineLevels, others: LineLevels) -> u32 {
    let words = levels.into_iter().zip(others);
    words.fold(0, |greater, (word, other)| word & !other | !(word ^ other) & greater)
}

/// True if light can enter one of the given voxels of a line.
fn lets_light_in(chunk: &RunTree, line: SideLine, voxels: u32, traits: &LightTraits) -> bool {
    set_bits(voxels).any(|along| traits.loss(chunk.get(line.voxel(along as usize))).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(level: u32) -> LineLevels {
        std::array::from_fn(|bit| level >> bit & 1)
    }

    #[test]
    fn change_alters_what_it_lights_and_what_it_may_have_lit() {
        for before in 0..16 {
            for after in 0..16 {
                for beyond in 0..16 {
                    let altered = |falls| {
                        altered_voxels(words(before), words(after), words(beyond), falls) == 1
                    };
                    let brighter = after > before && after > beyond + 1;
                    let darker = after < before && before > beyond;
                    assert_eq!(altered(false), brighter || darker, "{before} {after} {beyond}");
                    let by_fall =
                        after == 15 && before < 15 && beyond < 15 || before == 15 && after < 15;
                    assert_eq!(
                        altered(true),
                        brighter || darker || by_fall,
                        "{before} {after} {beyond}"
                    );
                }
            }
        }
    }
}
