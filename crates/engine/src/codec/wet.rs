//! Wet voxels as bytes: matter with liquid in what it leaves free.
//!
//! A full voxel has no occupancy byte, so the byte 255 is free where an occupancy follows. It
//! announces both fields of a wet voxel. Dry voxels keep their bytes.
//!
//! ```text
//! escape     u8: 255, in place of the occupancy
//! occupancy  u8: 0 to 254
//! liquid     u8: 1 to 255 - occupancy, in 256ths of the voxel
//! ```

use crate::voxel::{MaterialId, Voxel};

/// Value in place of an occupancy that announces occupancy and liquid.
pub(super) const LIQUID_ESCAPE: u8 = 255;

/// Error of a wet voxel: no liquid, or more than the voxel leaves free.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("impossible liquid {liquid} in material {material} with occupancy {occupancy}")]
pub struct LiquidError {
    /// Material of the voxel.
    pub material: MaterialId,
    /// Occupancy byte.
    pub occupancy: u8,
    /// Liquid byte.
    pub liquid: u8,
}

/// Builds a wet voxel of decoded fields.
pub(crate) fn wet_voxel(
    material: MaterialId,
    occupancy: u8,
    liquid: u8,
) -> Result<Voxel, LiquidError> {
    let dry = Voxel::new(material, occupancy);
    if liquid == 0 || liquid > dry.free() {
        return Err(LiquidError { material, occupancy, liquid });
    }
    Ok(dry.with_liquid(liquid))
}

/// Appends the fields of a partial voxel: its occupancy, or the escape and both fields if it is
/// wet.
pub(super) fn push_partial(out: &mut Vec<u8>, voxel: Voxel) {
    if voxel.is_wet() {
        out.extend_from_slice(&[LIQUID_ESCAPE, voxel.occupancy(), voxel.liquid()]);
    } else {
        out.push(voxel.occupancy());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn liquid_must_fit_what_the_voxel_leaves_free() {
        for (material, occupancy, liquid) in [(1, 0, 255), (1, 254, 1), (65534, 100, 155)] {
            let voxel = wet_voxel(material, occupancy, liquid).unwrap();
            assert_eq!(
                (voxel.material(), voxel.occupancy(), voxel.liquid()),
                (material, occupancy, liquid)
            );
        }
        for (material, occupancy, liquid) in
            [(1, 0, 0), (1, 100, 0), (1, 100, 156), (1, 255, 1), (0, 0, 1), (0, 9, 9)]
        {
            let error = LiquidError { material, occupancy, liquid };
            assert_eq!(wet_voxel(material, occupancy, liquid), Err(error));
        }
    }
}
