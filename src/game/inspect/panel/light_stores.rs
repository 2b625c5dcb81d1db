//! Bytes of one chunk's light in the game's store and in others, for the page *Light*.

use crate::game::drawing::lighting::{ChunkLights, LightSize};
use crate::game::player::crosshair::Crosshair;
use bevy::prelude::*;
use stonerun_engine::light::{Channel, ChunkLight};
use stonerun_engine::voxel::{CHUNK_SIDE, CHUNK_VOLUME, linear_index};

/// Bytes of four channels of four bits for each voxel of a chunk.
pub const DENSE_BYTES: u64 = CHUNK_VOLUME as u64 * 2;
/// Side of a section, in voxels.
const SECTION: i32 = 16;

/// Bytes of one chunk's light in different stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LightStores {
    /// Runs and bytes of the game's store.
    pub size: LightSize,
    /// Bytes of sections of 16 x 16 x 16 voxels with four bits per voxel and channel, as Minecraft
    /// stores light. Sections of one level take no bytes.
    pub section_bytes: u64,
}

impl LightStores {
    /// Measures the light of a chunk.
    #[must_use]
    pub fn new(light: &ChunkLight) -> LightStores {
        let section_bytes = (SECTION * SECTION * SECTION / 2) as u64;
        let mixed = match light.as_uniform() {
            Some(_) => 0,
            None => sections().map(|corner| mixed_channels(light, corner)).sum(),
        };
        LightStores { size: LightSize::new(light), section_bytes: mixed * section_bytes }
    }
}

/// Lowest corners of a chunk's sections.
fn sections() -> impl Iterator<Item = IVec3> {
    let steps = || (0..CHUNK_SIDE).step_by(SECTION as usize);
    steps().flat_map(move |y| steps().flat_map(move |z| steps().map(move |x| IVec3::new(x, y, z))))
}

/// Number of channels whose levels differ within a section.
fn mixed_channels(light: &ChunkLight, corner: IVec3) -> u64 {
    let first = light.get(linear_index(corner));
    let mut is_mixed = [false; Channel::ALL.len()];
    for (y, z, x) in (0..SECTION)
        .flat_map(|y| (0..SECTION).flat_map(move |z| (0..SECTION).map(move |x| (y, z, x))))
    {
        let levels = light.get(linear_index(corner + IVec3::new(x, y, z)));
        for channel in Channel::ALL.into_iter().filter(|_| levels != first) {
            is_mixed[channel as usize] |= levels.get(channel) != first.get(channel);
        }
    }
    is_mixed.into_iter().filter(|&mixed| mixed).count() as u64
}

/// The stores of the crosshair's chunk.
#[derive(Resource, Default)]
pub struct MeasuredLight {
    /// The stores, if the chunk is lit.
    pub stores: Option<LightStores>,
    /// The light that was measured.
    light: Option<ChunkLight>,
}

/// Measures again when the light of the crosshair's chunk has changed.
pub(super) fn measure(
    lights: Res<ChunkLights>,
    crosshair: Res<Crosshair>,
    mut measured: ResMut<MeasuredLight>,
) {
    let light = lights.chunk(crosshair.chunk);
    if measured.light.as_ref() != light {
        *measured = MeasuredLight { stores: light.map(LightStores::new), light: light.cloned() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::light::{LightLevels, LightMap, LightTraits};
    use stonerun_engine::voxel::{ChunkPos, MaterialTable, Voxel};
    use stonerun_engine::world::Chunk;

    #[test]
    fn only_mixed_sections_take_bytes() {
        assert_eq!(LightStores::new(&ChunkLight::uniform(LightLevels::SUNLIT)).section_bytes, 0);
        let table = MaterialTable::builtin();
        let mut map = LightMap::new(LightTraits::new(&table), i32::MAX);
        let pos = ChunkPos::default();
        // The light of a white lamp in a corner reaches 14 voxels, so it stays in the lowest
        // section.
        let mut chunk = Chunk::uniform(Voxel::AIR);
        chunk.set(0, Voxel::full(table.find("lamp").expect("lamp")));
        map.insert(pos, chunk);
        map.settle();
        let stores = LightStores::new(map.chunk(pos).expect("lit"));
        assert_eq!(stores.section_bytes, 3 * 2048, "three colours of one section");
        assert!(stores.size.runs > 100 && stores.size.bytes < DENSE_BYTES, "{stores:?}");
    }
}
