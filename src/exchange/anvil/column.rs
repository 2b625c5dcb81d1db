//! Columns of Minecraft's sections (16^3) to chunks of ours (32^3).
//!
//! Both run x fastest, then z, then y, so a row of ours is two rows of theirs, and the runs of a chunk are made in one
//! pass over the rows of 2 x 2 x 2 sections.

use super::chunk::{Column, SECTION, Section};
use crate::exchange::minecraft::with_surface;
use crate::runs::RunBuilder;
use crate::voxel::Voxel;
use crate::world::Chunk;
use std::collections::BTreeSet;

/// Voxels in a layer of a section.
const LAYER: usize = 16 * 16;

/// What is absent.
const AIR: &Section = &Section::Uniform(Voxel::AIR);

/// Lowers the full voxels of `liquids` (given as full voxels) that have none of their own kind above: there is their surface.
pub(super) fn settle(column: &mut Column, liquids: &[Voxel]) {
    // The lowest layer of the section above, and that section's height.
    let (mut above, mut above_y) = ([Voxel::AIR; LAYER], i32::MIN);
    for (&y, section) in column.iter_mut().rev() {
        let roof = if above_y == y + 1 { above } else { [Voxel::AIR; LAYER] };
        above_y = y;
        match section {
            Section::Uniform(all) if !liquids.contains(all) => above = [*all; LAYER],
            Section::Uniform(all) => {
                let mut voxels = vec![*all; SECTION];
                lower(&mut voxels, &roof, liquids);
                above.copy_from_slice(&voxels[..LAYER]);
                *section = Section::Each(voxels);
            }
            Section::Each(voxels) => {
                lower(voxels, &roof, liquids);
                above.copy_from_slice(&voxels[..LAYER]);
            }
        }
    }
}

/// The same for one section under `roof`.
fn lower(voxels: &mut [Voxel], roof: &[Voxel; LAYER], liquids: &[Voxel]) {
    for at in 0..voxels.len() {
        let voxel = voxels[at];
        if liquids.contains(&voxel) {
            let over = voxels.get(at + LAYER).copied().unwrap_or_else(|| roof[at + LAYER - SECTION]);
            voxels[at] = with_surface(voxel, over);
        }
    }
}

/// The chunks of 2 x 2 columns (x fastest, then z) that hold matter, each with its height in chunks.
pub(super) fn chunks(columns: &[Column; 4]) -> Vec<(i32, Chunk)> {
    let heights: BTreeSet<i32> = columns.iter().flat_map(|column| column.keys().map(|y| y.div_euclid(2))).collect();
    heights.into_iter().filter_map(|y| Some((y, chunk(columns, y)?))).collect()
}

fn chunk(columns: &[Column; 4], y: i32) -> Option<Chunk> {
    let mut runs = RunBuilder::new();
    for half in 0..2 {
        let sections = [0, 1, 2, 3].map(|i: usize| columns[i].get(&(2 * y + half)).unwrap_or(AIR));
        for layer in 0..16 {
            for row in 0..64 {
                // Two rows of 16 side by side make one of ours.
                let (z, east) = (row / 2, row % 2);
                match sections[z / 16 * 2 + east] {
                    Section::Uniform(voxel) => runs.push(16, *voxel),
                    Section::Each(voxels) => {
                        let start = layer * LAYER + z % 16 * 16;
                        for same in voxels[start..start + 16].chunk_by(|a, b| a == b) {
                            runs.push(same.len() as u32, same[0]);
                        }
                    }
                }
            }
        }
    }
    let chunk = runs.finish();
    (chunk.as_uniform() != Some(Voxel::AIR)).then_some(chunk)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::minecraft::SURFACE;
    use crate::voxel::{linear_index, linear_offset};
    use glam::IVec3;

    #[test]
    fn every_voxel_has_its_place() {
        // Each voxel says where it is from: the column in the material, the place in the section in both.
        let section = |column: u16, y: i32| {
            let voxel = |i: usize| Voxel::new(1 + column * 1000 + (y + 5) as u16 * 100 + i as u16 / 256, i as u8);
            Section::Each((0..SECTION).map(voxel).collect())
        };
        let mut columns = [0, 1, 2, 3].map(|i| (-3..4).map(|y| (y, section(i, y))).collect::<Column>());
        columns[2].remove(&1);
        columns[3].insert(-2, Section::Uniform(Voxel::full(7)));
        let made = chunks(&columns);
        assert_eq!(made.iter().map(|(y, _)| *y).collect::<Vec<_>>(), [-2, -1, 0, 1]);
        for (chunk_y, chunk) in &made {
            chunk.check().unwrap();
            for index in 0..32768 {
                let at = linear_offset(index);
                let column = (at.x / 16 + at.z / 16 * 2) as usize;
                let in_section = at & 15;
                let place = in_section.x | in_section.z << 4 | in_section.y << 8;
                let expected = match columns[column].get(&(chunk_y * 2 + at.y / 16)) {
                    None => Voxel::AIR,
                    Some(Section::Uniform(voxel)) => *voxel,
                    Some(Section::Each(voxels)) => voxels[place as usize],
                };
                assert_eq!(chunk.get(index), expected, "{at} of chunk {chunk_y}");
            }
        }
        assert_eq!(made[0].1.get(linear_index(IVec3::new(3, 15, 3))), Voxel::AIR, "nothing is below section -3");
    }

    #[test]
    fn only_chunks_with_matter_are_made() {
        let air: Column = [(0, Section::Each(vec![Voxel::AIR; SECTION])), (4, Section::Uniform(Voxel::AIR))].into();
        let stone: Column = (6..8).map(|y| (y, Section::Uniform(Voxel::full(1)))).collect();
        assert!(chunks(&[air.clone(), air.clone(), air.clone(), air.clone()]).is_empty());
        let made = chunks(&[stone.clone(), stone.clone(), stone.clone(), stone.clone()]);
        assert_eq!(made.len(), 1);
        assert_eq!((made[0].0, made[0].1.as_uniform()), (3, Some(Voxel::full(1))));
        assert_eq!(chunks(&[air.clone(), air.clone(), stone, air]).len(), 1);
    }

    #[test]
    fn liquids_have_a_surface() {
        let (water, lava, stone) = (Voxel::full(1), Voxel::full(2), Voxel::full(3));
        let flowing = Voxel::new(1, 95);
        let mut column: Column = [(0, Section::Uniform(water)), (1, Section::Each(vec![Voxel::AIR; SECTION]))].into();
        let Some(Section::Each(upper)) = column.get_mut(&1) else { unreachable!() };
        // Above the lower section's top layer: water at 0, stone at 1, flowing water at 2, lava under lava at 3.
        (upper[0], upper[1], upper[2], upper[3], upper[3 + LAYER]) = (water, stone, flowing, lava, lava);
        settle(&mut column, &[water, lava]);
        let at = |y: i32, i: usize| match &column[&y] {
            Section::Uniform(all) => *all,
            Section::Each(voxels) => voxels[i],
        };
        let (top, surface) = (SECTION - LAYER, Voxel::new(1, SURFACE));
        assert_eq!([0, 1, 2, 3, 4].map(|i| at(0, top + i)), [water, surface, water, surface, surface]);
        assert_eq!([0, 1, 2, 3].map(|i| at(1, i)), [surface, stone, flowing, lava]);
        assert_eq!(at(1, 3 + LAYER), Voxel::new(2, SURFACE));
        assert!((0..top).all(|i| at(0, i) == water), "deep water is full");
        // Nothing above at all.
        let mut column: Column = [(-4, Section::Uniform(lava)), (-2, Section::Uniform(lava))].into();
        settle(&mut column, &[water, lava]);
        assert!(matches!(&column[&-4], Section::Each(voxels) if voxels[SECTION - 1] == Voxel::new(2, SURFACE)));
    }
}
