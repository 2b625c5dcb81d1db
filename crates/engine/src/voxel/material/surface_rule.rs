//! The rule by which a material shapes the ground that it makes.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Surface that a solid material gets.
///
/// The Roblox text: "what defines geometry is the material and occupancy in the voxel and in the
/// voxel's neighbourhood". The same occupancies look different in different materials.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "UncheckedRule")]
pub enum SurfaceRule {
    /// A box as high as its occupancy; no contour.
    #[default]
    Cube,
    /// The contour at half occupancy, with smooth shading.
    Smooth,
    /// The contour with flat triangles and hard edges.
    Facet,
    /// The contour, displaced by a hash of the place, by at most this many 256ths of a voxel, 0 to
    /// [`SurfaceRule::MAX_ROUGHNESS`].
    Rough(u8),
    /// The contour, with this many heights per voxel, 1 to [`SurfaceRule::MAX_TERRACES`].
    Terrace(u8),
}

impl SurfaceRule {
    /// Maximum displacement of [`SurfaceRule::Rough`], in 256ths of a voxel. Vertices are clamped
    /// to their cells.
    pub const MAX_ROUGHNESS: u8 = 127;
    /// Maximum number of heights per voxel of [`SurfaceRule::Terrace`].
    pub const MAX_TERRACES: u8 = 16;

    /// True if the parameter is in its range. Maps can hold no other rules.
    #[must_use]
    pub fn is_valid(self) -> bool {
        match self {
            SurfaceRule::Cube | SurfaceRule::Smooth | SurfaceRule::Facet => true,
            SurfaceRule::Rough(amount) => amount <= SurfaceRule::MAX_ROUGHNESS,
            SurfaceRule::Terrace(heights) => (1..=SurfaceRule::MAX_TERRACES).contains(&heights),
        }
    }

    /// True if the material is drawn as boxes.
    #[must_use]
    pub fn is_cube(&self) -> bool {
        *self == SurfaceRule::Cube
    }
}

/// Writes the surface as the console reads it: `smooth`, `rough 40`.
impl fmt::Display for SurfaceRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SurfaceRule::Cube => f.write_str("cube"),
            SurfaceRule::Smooth => f.write_str("smooth"),
            SurfaceRule::Facet => f.write_str("facet"),
            SurfaceRule::Rough(amount) => write!(f, "rough {amount}"),
            SurfaceRule::Terrace(heights) => write!(f, "terrace {heights}"),
        }
    }
}

/// A [`SurfaceRule`] as it is written, with parameters that may be out of range.
#[derive(Deserialize)]
enum UncheckedRule {
    Cube,
    Smooth,
    Facet,
    Rough(u8),
    Terrace(u8),
}

/// Reason why a surface cannot be read.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
enum RuleError {
    #[error("Rough({0}): the maximum is {max}", max = SurfaceRule::MAX_ROUGHNESS)]
    TooRough(u8),
    #[error("Terrace({0}): allowed are 1 to {max}", max = SurfaceRule::MAX_TERRACES)]
    Terraces(u8),
}

impl TryFrom<UncheckedRule> for SurfaceRule {
    type Error = RuleError;

    fn try_from(rule: UncheckedRule) -> Result<SurfaceRule, RuleError> {
        match rule {
            UncheckedRule::Cube => Ok(SurfaceRule::Cube),
            UncheckedRule::Smooth => Ok(SurfaceRule::Smooth),
            UncheckedRule::Facet => Ok(SurfaceRule::Facet),
            UncheckedRule::Rough(amount) if amount > SurfaceRule::MAX_ROUGHNESS => {
                Err(RuleError::TooRough(amount))
            }
            UncheckedRule::Rough(amount) => Ok(SurfaceRule::Rough(amount)),
            UncheckedRule::Terrace(heights @ 1..=SurfaceRule::MAX_TERRACES) => {
                Ok(SurfaceRule::Terrace(heights))
            }
            UncheckedRule::Terrace(heights) => Err(RuleError::Terraces(heights)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::MaterialTable;

    fn read(surface: &str) -> Result<SurfaceRule, String> {
        let text = format!(
            "[\n    (name: \"air\", faces: Same(\"air\")),\n    (name: \"sand\", faces: Same(\"sand\"), \
             surface: {surface}),\n]"
        );
        let table = MaterialTable::from_ron(&text, "materials.ron").map_err(|e| e.to_string())?;
        Ok(table.get(1).expect("sand").surface)
    }

    #[test]
    fn table_refuses_rules_that_a_map_could_not_hold() {
        use crate::voxel::Material;
        let with = |surface| {
            let sand = Material { surface, ..Material::plain("sand", [0; 3]) };
            MaterialTable::from_list(vec![Material::plain("air", [0; 3]), sand])
                .map(|_| ())
                .map_err(|error| error.to_string())
        };
        for valid in [SurfaceRule::Rough(127), SurfaceRule::Terrace(1), SurfaceRule::Terrace(16)] {
            assert_eq!(with(valid), Ok(()));
        }
        for invalid in [SurfaceRule::Rough(128), SurfaceRule::Terrace(0), SurfaceRule::Terrace(17)]
        {
            assert!(with(invalid).unwrap_err().contains("\"sand\""), "{invalid:?}");
        }
    }

    #[test]
    fn surfaces_are_read_and_errors_name_the_line_and_what_is_allowed() {
        assert_eq!(read("Smooth"), Ok(SurfaceRule::Smooth));
        assert_eq!(read("Rough(127)"), Ok(SurfaceRule::Rough(127)));
        assert_eq!(read("Terrace(16)"), Ok(SurfaceRule::Terrace(16)));
        for (surface, part) in [
            ("Rough(128)", "Rough(128): the maximum is 127"),
            ("Terrace(0)", "Terrace(0): allowed are 1 to 16"),
            ("Soft", "Smooth"),
        ] {
            let error = read(surface).unwrap_err();
            assert!(error.starts_with("materials.ron:3:") && error.contains(part), "{error}");
        }
    }
}
