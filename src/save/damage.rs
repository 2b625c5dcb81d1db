//! What was found broken in a map, in words for the player.

use crate::voxel::{ChunkPos, MaterialId};
use std::fmt;
use std::path::PathBuf;

/// A bad part of a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadRecord {
    /// Which: "chunk (x, y, z)", "header", ...
    pub place: String,
    /// What is wrong with it.
    pub reason: String,
}

/// What is wrong with a map that was opened all the same. `Display` is one line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Damage {
    /// The file's name.
    pub file: String,
    /// What is wrong with the file as a whole, if it had to be read record by record.
    pub structure: Option<String>,
    /// Chunks the map had; none if that is no longer known.
    pub expected: Option<u64>,
    /// Chunks that are sound.
    pub sound: u64,
    /// Chunks whose records were found bad, by position.
    pub bad: Vec<(ChunkPos, String)>,
    /// Some of the chunks (which is not known) may be as they were before the last save.
    pub maybe_older: bool,
    /// Seed, terrain, spawn and player are lost; a default header stands in.
    pub header_lost: bool,
    /// The header is from a save before the last.
    pub header_older: bool,
    /// Indices of the materials that are lost; each is called `lost_material_N` now.
    pub lost_materials: Vec<MaterialId>,
    /// Where the damaged file is kept as it was.
    pub kept_as: Option<PathBuf>,
}

/// How many bad chunks a message names one by one.
const NAMED: usize = 3;

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        if let Some(reason) = &self.structure {
            write!(f, "the file is damaged ({reason}); ")?;
        }
        match self.expected.map(|n| (n, n.saturating_sub(self.sound))) {
            Some((n, lost)) if lost > 0 && self.structure.is_some() => {
                write!(f, "{lost} of {n} chunks are lost or damaged")?;
            }
            Some((n, lost)) if lost > 0 => write!(f, "{lost} of {n} chunks are damaged")?,
            Some((n, _)) => write!(f, "all {n} chunks are sound")?,
            None => write!(f, "{} sound chunks were found, how many there were is lost", self.sound)?,
        }
        for (i, (pos, reason)) in self.bad.iter().take(NAMED).enumerate() {
            write!(f, "{} {pos}: {reason}", if i == 0 { ":" } else { ";" })?;
        }
        if self.bad.len() > NAMED {
            write!(f, "; ...")?;
        }
        if self.maybe_older {
            write!(f, "; some chunks may be as they were before the last save")?;
        }
        if self.header_lost {
            write!(f, "; seed, terrain and player are lost and were set to defaults")?;
        } else if self.header_older {
            write!(f, "; player and time are from an earlier save")?;
        }
        if !self.lost_materials.is_empty() {
            write!(f, "; {} materials are lost", self.lost_materials.len())?;
        }
        if let Some(kept) = &self.kept_as {
            write!(f, "; the damaged file is kept as {}", kept.display())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_one_clear_line() {
        let bad = |x| (ChunkPos::new(x, 0, 0), "its checksum does not hold".to_owned());
        let damage = Damage {
            file: "home.stonerun".into(),
            expected: Some(120),
            sound: 116,
            bad: (0..4).map(bad).collect(),
            ..Damage::default()
        };
        assert_eq!(
            damage.to_string(),
            "home.stonerun: 4 of 120 chunks are damaged: (0, 0, 0): its checksum does not hold; (1, 0, 0): its checksum does not hold; \
             (2, 0, 0): its checksum does not hold; ..."
        );
    }
}
