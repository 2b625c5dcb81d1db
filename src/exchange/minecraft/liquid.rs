//! Surfaces of liquids.

use crate::voxel::Voxel;

/// Occupancy of a liquid source at its surface, as in generated seas. Minecraft draws it at 8/9.
pub(in crate::exchange) const SURFACE_OCCUPANCY: u8 = 223;

/// Lowers a full `liquid` voxel to its surface level unless the voxel above holds the same liquid.
pub(in crate::exchange) fn with_surface(liquid: Voxel, above: Voxel) -> Voxel {
    if above.material() == liquid.material() { liquid } else { Voxel::new(liquid.material(), SURFACE_OCCUPANCY) }
}
