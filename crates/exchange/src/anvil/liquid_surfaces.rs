//! Surfaces of liquids in a column of sections.

use super::packed_indices::SECTION_BLOCKS;
use super::sections::{LAYER_BLOCKS, SectionColumn, SectionVoxels};
use crate::minecraft::liquid::with_surface;
use stonerun_engine::voxel::Voxel;

/// Lowers full voxels of `liquids` to surface level where the voxel above is not the same liquid.
pub(super) fn lower_liquid_surfaces(column: &mut SectionColumn, liquids: &[Voxel]) {
    // The lowest layer of the section above, and the height of that section.
    let mut above = [Voxel::AIR; LAYER_BLOCKS];
    let mut above_y = i32::MIN;
    for (&y, section) in column.iter_mut().rev() {
        let roof = if above_y == y + 1 { above } else { [Voxel::AIR; LAYER_BLOCKS] };
        above_y = y;
        match section {
            SectionVoxels::Uniform(all) if !liquids.contains(all) => above = [*all; LAYER_BLOCKS],
            SectionVoxels::Uniform(all) => {
                let mut voxels = vec![*all; SECTION_BLOCKS];
                lower_surfaces_under(&mut voxels, &roof, liquids);
                above.copy_from_slice(&voxels[..LAYER_BLOCKS]);
                *section = SectionVoxels::Each(voxels);
            }
            SectionVoxels::Each(voxels) => {
                lower_surfaces_under(voxels, &roof, liquids);
                above.copy_from_slice(&voxels[..LAYER_BLOCKS]);
            }
        }
    }
}

/// Lowers the surfaces in one section under the layer `roof`.
fn lower_surfaces_under(voxels: &mut [Voxel], roof: &[Voxel; LAYER_BLOCKS], liquids: &[Voxel]) {
    for at in 0..voxels.len() {
        let voxel = voxels[at];
        if liquids.contains(&voxel) {
            let over = voxels
                .get(at + LAYER_BLOCKS)
                .copied()
                .unwrap_or_else(|| roof[at + LAYER_BLOCKS - SECTION_BLOCKS]);
            voxels[at] = with_surface(voxel, over);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minecraft::liquid::SURFACE_OCCUPANCY;

    #[test]
    fn liquids_are_lowered_only_at_their_surface() {
        let water = Voxel::full(1);
        let lava = Voxel::full(2);
        let stone = Voxel::full(3);
        let flowing = Voxel::new(1, 95);
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
        lower_liquid_surfaces(&mut column, &[water, lava]);
        let at = |y: i32, i: usize| match &column[&y] {
            SectionVoxels::Uniform(all) => *all,
            SectionVoxels::Each(voxels) => voxels[i],
        };
        let top = SECTION_BLOCKS - LAYER_BLOCKS;
        let surface = Voxel::new(1, SURFACE_OCCUPANCY);
        assert_eq!(
            [0, 1, 2, 3, 4].map(|i| at(0, top + i)),
            [water, surface, water, surface, surface]
        );
        assert_eq!([0, 1, 2, 3].map(|i| at(1, i)), [surface, stone, flowing, lava]);
        assert_eq!(at(1, 3 + LAYER_BLOCKS), Voxel::new(2, SURFACE_OCCUPANCY));
        assert!((0..top).all(|i| at(0, i) == water), "deep water is full");
        // A section with no section above.
        let mut column: SectionColumn =
            [(-4, SectionVoxels::Uniform(lava)), (-2, SectionVoxels::Uniform(lava))].into();
        lower_liquid_surfaces(&mut column, &[water, lava]);
        assert!(
            matches!(&column[&-4], SectionVoxels::Each(voxels) if voxels[SECTION_BLOCKS - 1] == Voxel::new(2, SURFACE_OCCUPANCY))
        );
    }
}
