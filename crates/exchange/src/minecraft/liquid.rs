//! Surfaces of liquids.

use stonerun_engine::voxel::{MaterialId, MaterialTable, Voxel};

/// Occupancy of a liquid source at its surface, as in generated seas. Minecraft draws it 8/9 high.
pub(crate) const SURFACE_OCCUPANCY: u8 = 223;

/// Lowers liquids to surface level where nothing of the same liquid is above.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LiquidSurfaces {
    /// The material of water, also of the water in wet voxels.
    water: Option<MaterialId>,
    lava: Option<MaterialId>,
}

impl LiquidSurfaces {
    /// Surfaces of the water and lava of `materials`.
    pub(crate) fn new(materials: &MaterialTable) -> LiquidSurfaces {
        LiquidSurfaces { water: materials.water(), lava: materials.find("lava") }
    }

    /// True if [`lowered`](LiquidSurfaces::lowered) may change the voxel: a full liquid or a wet
    /// voxel. Liquids that are not full flow, and have their level already.
    pub(crate) fn can_lower(&self, voxel: Voxel) -> bool {
        voxel.is_wet() || voxel.is_full() && self.liquid_in(voxel).is_some()
    }

    /// The voxel below `above`: lowered to surface level if it is full of a liquid that `above`
    /// lacks. The water of a wet voxel is lowered likewise. It stays where the matter itself
    /// reaches surface level, because no water would be left there.
    pub(crate) fn lowered(&self, voxel: Voxel, above: Voxel) -> Voxel {
        if !self.can_lower(voxel) || self.liquid_in(voxel) == self.liquid_in(above) {
            return voxel;
        }
        if !voxel.is_wet() {
            return Voxel::new(voxel.material(), SURFACE_OCCUPANCY);
        }
        match SURFACE_OCCUPANCY.saturating_sub(voxel.occupancy()) {
            0 => voxel,
            room => voxel.with_liquid(voxel.liquid().min(room)),
        }
    }

    /// The liquid of which a voxel is made, or that it holds.
    fn liquid_in(&self, voxel: Voxel) -> Option<MaterialId> {
        if voxel.is_wet() {
            return self.water;
        }
        [self.water, self.lava].into_iter().flatten().find(|id| *id == voxel.material())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn liquid_is_lowered_where_the_same_liquid_is_not_above() {
        let surfaces = LiquidSurfaces { water: Some(1), lava: Some(2) };
        let [water, lava, stone] = [1, 2, 3].map(Voxel::full);
        let [water_surface, lava_surface] = [1, 2].map(|id| Voxel::new(id, SURFACE_OCCUPANCY));
        let slab = Voxel::new(4, 127);
        let wet = slab.with_liquid(128);
        let wet_surface = slab.with_liquid(96);
        let shallow = slab.with_liquid(20);
        let high = Voxel::new(4, 239).with_liquid(16);
        for (voxel, above, expected) in [
            (water, Voxel::AIR, water_surface),
            (water, stone, water_surface),
            (water, lava, water_surface),
            (water, slab, water_surface),
            (water, Voxel::new(1, 31), water),
            (water, shallow, water),
            (lava, wet, lava_surface),
            (lava, lava, lava),
            (wet, Voxel::AIR, wet_surface),
            (wet, stone, wet_surface),
            (wet, slab, wet_surface),
            (wet, lava, wet_surface),
            (wet, water, wet),
            (wet, high, wet),
            (shallow, Voxel::AIR, shallow),
            (high, Voxel::AIR, high),
            (slab, Voxel::AIR, slab),
            (stone, water, stone),
            (Voxel::new(1, 95), Voxel::AIR, Voxel::new(1, 95)),
            (Voxel::AIR, water, Voxel::AIR),
        ] {
            assert_eq!(surfaces.lowered(voxel, above), expected, "{voxel:?} below {above:?}");
        }
    }
}
