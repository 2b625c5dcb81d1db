//! Surfaces of liquids in a column of sections.

use super::packed_indices::SECTION_BLOCKS;
use super::sections::{LAYER_BLOCKS, SectionColumn, SectionVoxels};
use crate::minecraft::liquid::LiquidSurfaces;
use stonerun_engine::voxel::Voxel;

/// Lowers liquids, and the water of wet voxels, to surface level where nothing of the same liquid
/// is above.
pub(super) fn lower_liquid_surfaces(column: &mut SectionColumn, surfaces: &LiquidSurfaces) {
    // The lowest layer of the section above, and the height of that section.
    let mut above = [Voxel::AIR; LAYER_BLOCKS];
    let mut above_y = i32::MIN;
    for (&y, section) in column.iter_mut().rev() {
        let roof = if above_y == y + 1 { above } else { [Voxel::AIR; LAYER_BLOCKS] };
        above_y = y;
        match section {
            SectionVoxels::Uniform(all) if !surfaces.can_lower(*all) => {
                above = [*all; LAYER_BLOCKS];
            }
            SectionVoxels::Uniform(all) => {
                let mut voxels = vec![*all; SECTION_BLOCKS];
                lower_surfaces_under(&mut voxels, &roof, surfaces);
                above.copy_from_slice(&voxels[..LAYER_BLOCKS]);
                *section = SectionVoxels::Each(voxels);
            }
            SectionVoxels::Each(voxels) => {
                lower_surfaces_under(voxels, &roof, surfaces);
                above.copy_from_slice(&voxels[..LAYER_BLOCKS]);
            }
        }
    }
}

/// Lowers the surfaces in one section under the layer `roof`.
fn lower_surfaces_under(
    voxels: &mut [Voxel],
    roof: &[Voxel; LAYER_BLOCKS],
    surfaces: &LiquidSurfaces,
) {
    for at in 0..voxels.len() {
        if surfaces.can_lower(voxels[at]) {
            let over = voxels
                .get(at + LAYER_BLOCKS)
                .copied()
                .unwrap_or_else(|| roof[at + LAYER_BLOCKS - SECTION_BLOCKS]);
            voxels[at] = surfaces.lowered(voxels[at], over);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minecraft::liquid::SURFACE_OCCUPANCY;
    use stonerun_engine::voxel::MaterialTable;

    /// Full voxels of water and lava, a wet slab, and their surfaces.
    struct Liquids {
        water: Voxel,
        lava: Voxel,
        wet: Voxel,
        surfaces: LiquidSurfaces,
    }

    fn liquids() -> Liquids {
        let materials = MaterialTable::builtin();
        let full = |name: &str| Voxel::full(materials.find(name).unwrap());
        Liquids {
            water: full("water"),
            lava: full("lava"),
            wet: Voxel::new(full("oak_planks").material(), 127).with_liquid(128),
            surfaces: LiquidSurfaces::new(&materials),
        }
    }

    #[test]
    fn liquids_are_lowered_only_at_their_surface() {
        let Liquids { water, lava, wet, surfaces } = liquids();
        let stone = Voxel::full(wet.material());
        let flowing = Voxel::new(water.material(), 95);
        let mut column: SectionColumn = [
            (0, SectionVoxels::Uniform(water)),
            (1, SectionVoxels::Each(vec![Voxel::AIR; SECTION_BLOCKS])),
        ]
        .into();
        let Some(SectionVoxels::Each(upper)) = column.get_mut(&1) else { unreachable!() };
        // Above the lower section's top layer: water at 0, stone at 1, flowing water at 2, lava
        // under lava at 3.
        (upper[0], upper[1], upper[2], upper[3], upper[3 + LAYER_BLOCKS]) =
            (water, stone, flowing, lava, lava);
        lower_liquid_surfaces(&mut column, &surfaces);
        let at = |y: i32, i: usize| match &column[&y] {
            SectionVoxels::Uniform(all) => *all,
            SectionVoxels::Each(voxels) => voxels[i],
        };
        let top = SECTION_BLOCKS - LAYER_BLOCKS;
        let surface = Voxel::new(water.material(), SURFACE_OCCUPANCY);
        assert_eq!(
            [0, 1, 2, 3, 4].map(|i| at(0, top + i)),
            [water, surface, water, surface, surface]
        );
        assert_eq!([0, 1, 2, 3].map(|i| at(1, i)), [surface, stone, flowing, lava]);
        assert_eq!(at(1, 3 + LAYER_BLOCKS), Voxel::new(lava.material(), SURFACE_OCCUPANCY));
        assert!((0..top).all(|i| at(0, i) == water), "deep water is full");
        // A section with no section above.
        let mut column: SectionColumn =
            [(-4, SectionVoxels::Uniform(lava)), (-2, SectionVoxels::Uniform(lava))].into();
        lower_liquid_surfaces(&mut column, &surfaces);
        let SectionVoxels::Each(lower) = &column[&-4] else { panic!("it has a surface") };
        assert_eq!(lower[SECTION_BLOCKS - 1], Voxel::new(lava.material(), SURFACE_OCCUPANCY));
    }

    #[test]
    fn water_of_wet_voxels_is_lowered_at_its_surface() {
        let Liquids { water, lava, wet, surfaces } = liquids();
        let surface = wet.with_liquid(96);
        let high = Voxel::new(wet.material(), 239).with_liquid(16);
        let mut column: SectionColumn = [
            (0, SectionVoxels::Uniform(wet)),
            (1, SectionVoxels::Each(vec![Voxel::AIR; SECTION_BLOCKS])),
        ]
        .into();
        let Some(SectionVoxels::Each(upper)) = column.get_mut(&1) else { unreachable!() };
        upper[..5].copy_from_slice(&[water, wet, lava, wet.dry(), high]);
        // Wet voxels cover the water below them, but not the lava.
        upper[LAYER_BLOCKS] = wet;
        upper[LAYER_BLOCKS + 2] = wet;
        lower_liquid_surfaces(&mut column, &surfaces);
        let SectionVoxels::Each(upper) = &column[&1] else { panic!("it was not uniform") };
        let lava_surface = Voxel::new(lava.material(), SURFACE_OCCUPANCY);
        assert_eq!(upper[..5], [water, surface, lava_surface, wet.dry(), high]);
        assert_eq!(upper[LAYER_BLOCKS], surface);
        let SectionVoxels::Each(lower) = &column[&0] else { panic!("it has a surface") };
        let top = SECTION_BLOCKS - LAYER_BLOCKS;
        assert_eq!(lower[top..top + 5], [wet, wet, surface, surface, wet]);
        assert!(lower[..top].iter().all(|below| *below == wet));
    }
}
