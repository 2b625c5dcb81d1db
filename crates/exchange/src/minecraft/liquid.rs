//! Surfaces of liquids.

use stonerun_engine::voxel::Voxel;

/// Occupancy of a liquid source at its surface, as in generated seas. Minecraft draws it 8/9 high.
pub(crate) const SURFACE_OCCUPANCY: u8 = 223;

/// Lowers a full `liquid` voxel to its surface level unless the voxel above holds the same liquid.
pub(crate) fn with_surface(liquid: Voxel, above: Voxel) -> Voxel {
    if above.material() == liquid.material() {
        liquid
    } else {
        Voxel::new(liquid.material(), SURFACE_OCCUPANCY)
    }
}
