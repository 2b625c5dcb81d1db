//! The world as creatures perceive it.

use super::nav::Navigation;
use crate::world::World;
use glam::IVec3;

/// Light levels at a voxel, 0 to 15 each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Brightness {
    /// Light of the sky at noon.
    pub sun: u8,
    /// Light of lamps, the brightest of the three colours.
    pub lamps: u8,
}

/// Inputs of a tick: everything outside of [`Creatures`](super::Creatures) that a tick reads.
#[derive(Clone, Copy)]
pub struct CreatureView<'a> {
    /// Navigation of the loaded chunks.
    pub nav: &'a Navigation,
    /// The voxels that `nav` was derived from.
    pub world: &'a World,
    /// Returns the light at a voxel.
    pub light: &'a dyn Fn(IVec3) -> Brightness,
    /// Light level under the open sky, 0 to 15; lower at night.
    pub daylight: u8,
    /// Minutes since midnight, 0 to 1439.
    pub minutes: u32,
    /// Voxel of the player's feet; `None` without a player.
    pub player: Option<IVec3>,
}

/// Minutes after midnight from which creatures of the day are awake, until they fall asleep.
const DAY: std::ops::Range<u32> = 330..1170;

impl CreatureView<'_> {
    /// True during the day.
    #[must_use]
    pub(crate) fn is_day(&self) -> bool {
        DAY.contains(&self.minutes)
    }

    /// Light level at a voxel at this time of day, 0 to 15.
    #[must_use]
    pub fn brightness(&self, at: IVec3) -> u8 {
        let Brightness { sun, lamps } = (self.light)(at);
        sun.min(self.daylight).max(lamps)
    }
}
