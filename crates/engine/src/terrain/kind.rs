//! Kinds of terrain.
//!
//! A map stores the kind by name, so the name of a released kind never changes.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Kind of world that a [`Generator`](super::Generator) generates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, Hash)]
pub enum TerrainKind {
    /// Continents and oceans with every climate.
    Continents,
    /// A warm sea with archipelagos and volcanoes.
    Islands,
    /// Endless rock full of caves.
    Caverns,
    /// A flat meadow for building.
    Flat,
    /// An empty world to build in. Surrounds imported maps.
    Void,
}

impl TerrainKind {
    /// The kinds that generate something: all but [`TerrainKind::Void`].
    pub const ALL: [TerrainKind; 4] =
        [TerrainKind::Continents, TerrainKind::Islands, TerrainKind::Caverns, TerrainKind::Flat];

    /// The name on the command line and in map files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TerrainKind::Continents => "continents",
            TerrainKind::Islands => "islands",
            TerrainKind::Caverns => "caverns",
            TerrainKind::Flat => "flat",
            TerrainKind::Void => "void",
        }
    }

    /// Lowest y of chunks that count as open sky while they are not loaded. Caverns have no sky.
    /// Elsewhere chunks below y = 0 do not count, because the sun would flood the caves at the edge
    /// of the loaded chunks.
    #[must_use]
    pub fn lowest_sky_chunk(self) -> i32 {
        if self == TerrainKind::Caverns { i32::MAX } else { 0 }
    }

    /// One-line description for the menu.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            TerrainKind::Continents => {
                "Plains, forests, deserts and snowy mountains between wide seas"
            }
            TerrainKind::Islands => "A warm ocean with palm beaches, lagoons and volcanoes",
            TerrainKind::Caverns => {
                "An endless underground of great caves, lakes and glowing crystals"
            }
            TerrainKind::Flat => "A level meadow to build on",
            TerrainKind::Void => {
                "Empty air to build in; while you fly, blocks can be placed anywhere"
            }
        }
    }
}

impl fmt::Display for TerrainKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The name of a terrain kind is unknown.
#[derive(thiserror::Error, Debug, PartialEq, Eq)]
#[error("there is no terrain \"{0}\": choose continents, islands, caverns, flat or void")]
pub struct UnknownTerrain(String);

impl FromStr for TerrainKind {
    type Err = UnknownTerrain;

    fn from_str(name: &str) -> Result<TerrainKind, UnknownTerrain> {
        TerrainKind::ALL
            .into_iter()
            .chain([TerrainKind::Void])
            .find(|kind| kind.name() == name)
            .ok_or_else(|| UnknownTerrain(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back_and_error_lists_them() {
        for kind in TerrainKind::ALL.into_iter().chain([TerrainKind::Void]) {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        let error = "moon".parse::<TerrainKind>().unwrap_err().to_string();
        assert!(error.contains("moon"));
        assert!(TerrainKind::ALL.iter().all(|kind| error.contains(kind.name())));
    }
}
