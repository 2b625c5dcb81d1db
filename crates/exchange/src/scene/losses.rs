//! Counts of the parts that an export cannot keep.

use std::fmt;
use stonerun_engine::metrics::thousands;

/// Parts of a map that a format cannot hold, counted in voxels unless noted otherwise.
///
/// Losses in the nature of a format are not counted: a surface has no inside, a colour no texture.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ExportLosses {
    /// Voxels whose material Minecraft lacks. A similar block is written.
    pub substituted: u64,
    /// Partly filled voxels that are written with another height.
    pub heights: u64,
    /// Voxels of smooth ground of less than half a voxel, which are left out. Their water is
    /// written.
    pub shallow_ground: u64,
    /// Voxels that lose the water in what their matter leaves free.
    pub water: u64,
    /// Crossed sheets (plants) and torches that are written as cubes.
    pub sheets: u64,
    /// See-through voxels that are written as opaque ones.
    pub see_through: u64,
    /// Voxels written in the colour of another material.
    pub colours: u64,
    /// Voxels whose material loses its name.
    pub names: u64,
    /// Faces whose corners lose their shade (ambient occlusion).
    pub shades: u64,
}

impl ExportLosses {
    /// True if every part was kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == ExportLosses::default()
    }
}

impl fmt::Display for ExportLosses {
    /// Writes one line for people: `height of 12 voxels; colour of 1 voxel`. Parts without a loss
    /// are left out.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let parts = [
            (self.substituted, "material", " (similar blocks are written)"),
            (self.heights, "height", ""),
            (self.shallow_ground, "ground", " (less than half a voxel, left out)"),
            (self.water, "water", ""),
            (self.sheets, "sheets", " (cubes are written)"),
            (self.see_through, "transparency", ""),
            (self.colours, "colour", " (similar colours are written)"),
            (self.names, "name", ""),
            (self.shades, "shade", ""),
        ];
        let lost = parts.iter().filter(|(n, ..)| *n > 0).map(|&(n, what, instead)| {
            let one = if what == "shade" { "face" } else { "voxel" };
            format!("{what} of {} {one}{}{instead}", thousands(n), if n == 1 { "" } else { "s" })
        });
        let lost: Vec<_> = lost.collect();
        f.write_str(&lost.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_listed_in_one_line() {
        assert!(ExportLosses::default().is_empty());
        let losses = ExportLosses {
            substituted: 4102,
            heights: 1,
            shallow_ground: 3,
            shades: 2,
            ..ExportLosses::default()
        };
        assert!(!losses.is_empty());
        let line = "material of 4,102 voxels (similar blocks are written); height of 1 voxel; ground of 3 voxels (less than half a voxel, left out); shade of 2 faces";
        assert_eq!(losses.to_string(), line);
    }
}
