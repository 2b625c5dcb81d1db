//! Styles of the ground of new maps.
//!
//! A map stores the style by name, so the name of a released style never changes.

use crate::voxel::MaterialTable;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Style of the ground that a [`Generator`](super::Generator) generates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, Hash)]
pub enum GroundStyle {
    /// Full voxels, for materials that are drawn as cubes. Only loose layers have fractions.
    #[default]
    Blocks,
    /// Fractional voxels at every surface of the ground, for materials with other surfaces.
    Smooth,
}

impl GroundStyle {
    /// All styles.
    pub const ALL: [GroundStyle; 2] = [GroundStyle::Blocks, GroundStyle::Smooth];

    /// The name on the command line and in `stonerun info`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            GroundStyle::Blocks => "blocks",
            GroundStyle::Smooth => "smooth",
        }
    }

    /// Materials of a new map with this ground: the game's own.
    #[must_use]
    pub fn materials(self) -> MaterialTable {
        match self {
            GroundStyle::Blocks => MaterialTable::builtin(),
            GroundStyle::Smooth => MaterialTable::builtin_smooth(),
        }
    }

    /// One-line description for the menu.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            GroundStyle::Blocks => "Ground of cubes, one metre each",
            GroundStyle::Smooth => "Hills, dunes and caves without steps",
        }
    }
}

impl fmt::Display for GroundStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The name of a style of the ground is unknown.
#[derive(thiserror::Error, Debug, PartialEq, Eq)]
#[error("there is no ground \"{0}\": choose blocks or smooth")]
pub struct UnknownGround(String);

impl FromStr for GroundStyle {
    type Err = UnknownGround;

    fn from_str(name: &str) -> Result<GroundStyle, UnknownGround> {
        GroundStyle::ALL
            .into_iter()
            .find(|style| style.name() == name)
            .ok_or_else(|| UnknownGround(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back_and_error_lists_them() {
        for style in GroundStyle::ALL {
            assert_eq!(style.to_string().parse(), Ok(style));
        }
        let error = "soft".parse::<GroundStyle>().unwrap_err().to_string();
        assert!(error.contains("soft"));
        assert!(GroundStyle::ALL.iter().all(|style| error.contains(style.name())));
    }
}
