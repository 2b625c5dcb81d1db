//! Smooth ground in formats of whole blocks.
//!
//! Other programs draw a block as a cube, whatever part of it smooth ground fills. Ground of less
//! than half a voxel is left out, as placed blocks push it aside in the game; otherwise each slope
//! would rise by up to a block.

use stonerun_engine::voxel::{Material, MaterialTable, Voxel};

/// The voxel that a format of whole blocks writes for `voxel`.
///
/// Smooth ground of at least half a voxel becomes full, and loses its water. Less ground becomes
/// water of the same surface if it is wet, or else air. Slabs, layers and other matter that is
/// partly filled without being smooth ground are returned unchanged.
pub(crate) fn as_whole_block(voxel: Voxel, materials: &MaterialTable) -> Voxel {
    let is_smooth = materials.get(voxel.material()).is_some_and(Material::is_smooth);
    if !is_smooth {
        return voxel;
    }
    if voxel.occupancy() >= Voxel::HALF {
        return Voxel::full(voxel.material());
    }
    match materials.water() {
        // A voxel's liquid is at most 255 less its occupancy, so the sum fits into a byte.
        Some(water) if voxel.is_wet() => Voxel::new(water, voxel.occupancy() + voxel.liquid()),
        _ => Voxel::AIR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_ground_becomes_a_block_its_water_or_air() {
        let materials = MaterialTable::builtin_smooth();
        let id = |name: &str| materials.find(name).unwrap();
        let sand = |occupancy: u8| Voxel::new(id("sand"), occupancy);
        let water = |occupancy: u8| Voxel::new(id("water"), occupancy);
        for (voxel, expected) in [
            (sand(255), sand(255)),
            (sand(254), sand(255)),
            (sand(127), sand(255)),
            (sand(127).with_liquid(128), sand(255)),
            (sand(126), Voxel::AIR),
            (sand(0), Voxel::AIR),
            (sand(126).with_liquid(129), water(255)),
            (sand(0).with_liquid(255), water(255)),
            (sand(100).with_liquid(123), water(223)),
            (sand(0).with_liquid(1), water(1)),
            (Voxel::AIR, Voxel::AIR),
            (Voxel::NOT_LOADED, Voxel::NOT_LOADED),
            (water(31), water(31)),
        ] {
            assert_eq!(as_whole_block(voxel, &materials), expected, "{voxel:?}");
        }
        // Planks are no ground, and sand is none in a map of blocks.
        let slab = Voxel::new(id("oak_planks"), 60).with_liquid(9);
        assert_eq!(as_whole_block(slab, &materials), slab);
        assert_eq!(as_whole_block(sand(60), &MaterialTable::builtin()), sand(60));
    }

    #[test]
    fn wet_ground_becomes_air_in_a_map_without_water() {
        let mut list: Vec<Material> = vec![Material::plain("air", [0; 3])];
        let all = MaterialTable::builtin_smooth();
        list.extend(all.find("sand").and_then(|id| all.get(id)).cloned());
        let materials = MaterialTable::from_list(list).unwrap();
        let wet = Voxel::new(1, 100).with_liquid(100);
        assert_eq!(as_whole_block(wet, &materials), Voxel::AIR);
    }
}
