//! Rows of smooth ground in worlds with a sky.
//!
//! The ground is what lies below the surface of a column and outside of caves. A voxel's depth is
//! the smaller one of its distances to both, and becomes its fraction.

use super::caves::{LAVA_LEVEL, RockSamples, band, rock};
use super::fractions::{Fractions, with_density};
use super::palette::TerrainPalette;
use super::terrain_column::TerrainColumn;
use super::tile::TerrainTile;
use crate::voxel::Voxel;

/// A row below the highest ground, at world height `height` and chunk height `y`.
pub(super) fn smooth_row(
    p: &TerrainPalette,
    fractions: &Fractions,
    tile: &TerrainTile,
    samples: &RockSamples,
    height: i32,
    y: i32,
    z: i32,
) -> [Voxel; 32] {
    let hollow = samples.hollow.distances(y, z);
    let strata = samples.strata.row(y, z);
    std::array::from_fn(|x| {
        let column = tile.column(x as i32, z);
        let depth = column.smooth.depth(height);
        let cave = hollow[x].min(column.smooth.cave_room(height));
        let density = fractions.density(depth.min(-cave));
        if density > 0 {
            let ground = with_density(ground(p, column, strata[x], height).material(), density);
            // Caves are dry, also below water.
            if -cave < depth { ground } else { column.wet(ground, height) }
        } else if height >= column.free {
            column.above(p, height)
        } else if height < LAVA_LEVEL {
            p.lava
        } else {
            Voxel::AIR
        }
    })
}

/// Soil or rock of a column at a height below its free voxels.
fn ground(p: &TerrainPalette, column: &TerrainColumn, stratum: f32, height: i32) -> Voxel {
    // Bare rock has no soil in the fractions above its top, either.
    if column.soil_depth > 0 && height >= column.top - column.soil_depth {
        // Grass below other ground would die.
        let is_turf = height >= column.free - 1;
        let is_top = is_turf || height >= column.top - 1 && column.top_soil != p.grass;
        if is_top { column.top_soil } else { column.subsoil }
    } else if column.banded && height > 0 {
        band(p, stratum, height)
    } else {
        rock(p, stratum, height)
    }
}
