//! Damage of a map, in words for the player.

use super::structure_error::StructureError;
use crate::save::format::record_error::RecordError;
use crate::voxel::{ChunkPos, MaterialId};
use std::fmt;
use std::path::PathBuf;

/// A bad part of a map and its defect, as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadRecord {
    /// The part, such as "chunk (x, y, z)" or "picture".
    pub place: String,
    /// Defect of the record.
    pub reason: String,
}

/// Damage of a map that could be opened in spite of it. `Display` is one line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Damage {
    /// The file.
    pub path: PathBuf,
    /// Defect of the whole file, which had to be rebuilt; `None` if only single chunks are bad.
    pub structure: Option<StructureError>,
    /// Number of chunks at the last save; `None` if that number is lost.
    pub expected: Option<u64>,
    /// Number of sound chunks.
    pub sound: u64,
    /// Chunks with bad records, sorted by position.
    pub bad: Vec<(ChunkPos, RecordError)>,
    /// True if any of the chunks may be older than the last save.
    pub maybe_older: bool,
    /// True if seed, terrain, spawn point and player are lost and replaced by defaults.
    pub header_lost: bool,
    /// True if the header is from an earlier save than the last one.
    pub header_older: bool,
    /// Number of sound materials.
    pub(crate) sound_materials: u64,
    /// Indices of lost materials. Up to the last index in use, the table now names them
    /// `lost_material_N`.
    pub lost_materials: Vec<MaterialId>,
    /// Number of undo steps found in a file that was rebuilt. They are dropped, because they may
    /// not fit the chunks that were found.
    pub(crate) lost_steps: u64,
    /// Path of the damaged file, which is kept unchanged.
    pub kept_as: Option<PathBuf>,
}

/// Maximum number of bad chunks that the text names.
const MAX_NAMED_CHUNKS: usize = 3;

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        if let Some(reason) = &self.structure {
            write!(f, "the file is damaged ({reason}); ")?;
        }
        match self.expected.map(|n| (n, n.saturating_sub(self.sound))) {
            Some((n, lost)) if lost > 0 && self.structure.is_some() => {
                write!(f, "{lost} of {n} chunks are lost or damaged")?;
            }
            Some((n, lost)) if lost > 0 => write!(f, "{lost} of {n} chunks are damaged")?,
            Some((n, _)) => write!(f, "all {n} chunks are sound")?,
            None => {
                write!(f, "{} sound chunks were found, the original number is lost", self.sound)?
            }
        }
        for (i, (pos, reason)) in self.bad.iter().take(MAX_NAMED_CHUNKS).enumerate() {
            write!(f, "{} {pos}: {reason}", if i == 0 { ":" } else { ";" })?;
        }
        if self.bad.len() > MAX_NAMED_CHUNKS {
            write!(f, "; ...")?;
        }
        if self.maybe_older {
            write!(f, "; some chunks may be as they were before the last save")?;
        }
        if self.header_lost {
            write!(f, "; seed, terrain and player are lost and were reset")?;
        } else if self.header_older {
            write!(f, "; player and time are from an earlier save")?;
        }
        if !self.lost_materials.is_empty() {
            write!(f, "; {} materials are lost", self.lost_materials.len())?;
        }
        match self.lost_steps {
            0 => {}
            1 => write!(f, "; the undo history is lost (1 step was found)")?,
            n => write!(f, "; the undo history is lost ({n} steps were found)")?,
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
    use crate::save::format::frame::FrameError;

    #[test]
    fn damage_display_is_one_line_that_names_three_chunks() {
        let bad = |x| (ChunkPos::new(x, 0, 0), RecordError::Frame(FrameError::Checksum));
        let damage = Damage {
            path: "saves/home.stonerun".into(),
            expected: Some(120),
            sound: 116,
            bad: (0..4).map(bad).collect(),
            lost_steps: 2,
            ..Damage::default()
        };
        assert_eq!(
            damage.to_string(),
            "saves/home.stonerun: 4 of 120 chunks are damaged: (0, 0, 0): checksum mismatch; (1, 0, 0): checksum mismatch; \
             (2, 0, 0): checksum mismatch; ...; the undo history is lost (2 steps were found)"
        );
    }
}
