//! Light of a voxel.

use crate::variants;
use crate::voxel::{MAX_LIGHT, MaterialId, Voxel};
use strum::VariantArray;

/// A kind of light that spreads on its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, VariantArray)]
pub enum Channel {
    /// Light of the sky.
    Sun,
    /// Red light of glowing voxels.
    Red,
    /// Green light of glowing voxels.
    Green,
    /// Blue light of glowing voxels.
    Blue,
}

impl Channel {
    /// All channels.
    pub const ALL: [Channel; 4] = variants::all();
}

/// The level of each [`Channel`], 0 to 15: four bits each, the sun's lowest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct LightLevels(u16);

impl LightLevels {
    /// Levels without any light.
    pub const DARK: LightLevels = LightLevels(0);
    /// Levels under the open sky, without lamps.
    pub const SUNLIT: LightLevels = LightLevels(MAX_LIGHT as u16);

    /// The level of a channel.
    #[must_use]
    pub const fn get(self, channel: Channel) -> u8 {
        (self.0 >> (4 * channel as u16) & 0xF) as u8
    }

    /// The levels with the level of one channel replaced, 0 to 15.
    #[must_use]
    pub const fn with(self, channel: Channel, level: u8) -> LightLevels {
        let shift = 4 * channel as u16;
        LightLevels(self.0 & !(0xF << shift) | ((level & 0xF) as u16) << shift)
    }

    /// The bits of all channels.
    pub(super) const fn bits(self) -> u16 {
        self.0
    }

    /// Creates levels from bits: the inverse of [`LightLevels::bits`].
    pub(super) const fn from_bits(bits: u16) -> LightLevels {
        LightLevels(bits)
    }

    /// The levels as a voxel, for storage in a run tree. Inverted, because a tree searches its runs
    /// for air to build mips: inverted levels are almost never air, so the tree skips the search.
    pub(super) const fn to_voxel(self) -> Voxel {
        Voxel::full(!self.0 as MaterialId)
    }

    /// Restores levels from a voxel: the inverse of [`LightLevels::to_voxel`].
    pub(super) const fn from_voxel(voxel: Voxel) -> LightLevels {
        LightLevels(!voxel.material())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_channels_are_independent() {
        for (i, channel) in Channel::ALL.into_iter().enumerate() {
            let levels = LightLevels(0x4321).with(channel, 9);
            for (j, other) in Channel::ALL.into_iter().enumerate() {
                assert_eq!(levels.get(other), if i == j { 9 } else { j as u8 + 1 });
            }
            assert_eq!(LightLevels::from_voxel(levels.to_voxel()), levels);
        }
        for bits in [0, 1, 0x8000, u16::MAX] {
            assert_eq!(LightLevels::from_voxel(LightLevels(bits).to_voxel()).bits(), bits);
            assert_ne!(LightLevels(bits).to_voxel(), Voxel::NOT_LOADED);
        }
        assert_eq!(LightLevels::SUNLIT, LightLevels::DARK.with(Channel::Sun, 15));
    }
}
