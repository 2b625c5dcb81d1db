//! The kinds of world a player can choose from.
//!
//! A map file stores the kind by name, so a kind, once it has shipped, keeps its name.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What kind of world the generator makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, Hash)]
pub enum TerrainKind {
    /// Large landmasses and oceans, with every climate.
    Continents,
    /// A warm sea with archipelagos and volcanoes.
    Islands,
    /// Rock without end, full of caves.
    Caverns,
    /// A meadow without a hill, for builders.
    Flat,
    /// Nothing but air: what surrounds an imported map.
    Void,
}

impl TerrainKind {
    /// The kinds a player can choose; [`TerrainKind::Void`] is not among them.
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

    /// One line for the menu.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            TerrainKind::Continents => "Plains, forests, deserts and snowy mountains between wide seas",
            TerrainKind::Islands => "A warm ocean with palm beaches, lagoons and volcanoes",
            TerrainKind::Caverns => "An endless underground of great caves, lakes and glowing crystals",
            TerrainKind::Flat => "A level meadow to build on",
            TerrainKind::Void => "Empty air",
        }
    }
}

impl fmt::Display for TerrainKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no kind of terrain.
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
    fn names_read_back_and_the_error_lists_them() {
        for kind in TerrainKind::ALL.into_iter().chain([TerrainKind::Void]) {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        let error = "moon".parse::<TerrainKind>().unwrap_err().to_string();
        assert!(error.contains("moon"));
        assert!(TerrainKind::ALL.iter().all(|kind| error.contains(kind.name())));
    }
}
