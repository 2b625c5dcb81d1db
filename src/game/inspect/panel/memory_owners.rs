//! Memory of the process by owner, for the page *Storage*.
//!
//! The game counts its own parts. The operating system counts the pages of files: the program, its
//! libraries, and a software driver with its compiler. The remaining memory was allocated by Bevy,
//! the libraries and the driver.

use crate::game::inspect::panel::typography::{self, BRIGHT, DIM, ROSE, TEAL};
use crate::game::platform::memory::ResidentMemory;
use crate::game::state::format;
use bevy_egui::egui::{Color32, Ui};

/// Bytes by owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MemoryOwners {
    /// Resident memory of the process; `None` where the system does not report it.
    pub resident: Option<ResidentMemory>,
    /// Runs of the loaded chunks, and the hash map that holds the chunks.
    pub runs: u64,
    /// Light of the loaded chunks.
    pub light: u64,
    /// Visible sets.
    pub visibility: u64,
    /// The undo history.
    pub history: u64,
    /// Index of the chunks in the map's file, which is kept in memory.
    pub index: u64,
    /// Block textures, except what is only on the graphics card.
    pub textures: u64,
    /// The buffer of the meshes.
    pub meshes: u64,
    /// True if a software driver draws. The buffer of the meshes is then in the memory of the
    /// process.
    pub in_software: bool,
}

impl MemoryOwners {
    /// Parts that the game counts itself: label, bytes and colour.
    fn counted(&self) -> Vec<(&'static str, u64, Color32)> {
        let mut counted = vec![
            ("Runs and hash map", self.runs, TEAL),
            ("Light", self.light, BRIGHT),
            ("Visible sets", self.visibility, BRIGHT),
            ("Undo history", self.history, BRIGHT),
            ("Index of the map", self.index, BRIGHT),
            ("Textures", self.textures, BRIGHT),
        ];
        if self.in_software {
            counted.push(("Mesh buffer", self.meshes, ROSE));
        }
        counted
    }

    /// Bytes of all other owners.
    fn rest(&self, resident: ResidentMemory) -> u64 {
        let named: u64 = self.counted().iter().map(|(_, bytes, _)| bytes).sum();
        resident.all.saturating_sub(resident.files + named)
    }
}

/// Draws the list.
pub fn list(ui: &mut Ui, owners: &MemoryOwners) {
    let Some(resident) = owners.resident else { return };
    typography::head(ui, "Memory of the game", &format::bytes(resident.all));
    for (label, bytes, colour) in owners.counted() {
        typography::single(ui, label, format::bytes(bytes), colour);
    }
    typography::single(ui, "Program and libraries", format::bytes(resident.files), DIM);
    typography::single(ui, "Engine and driver", format::bytes(owners.rest(resident)), DIM);
    if !owners.in_software {
        typography::single(ui, "Mesh buffer, on the GPU", format::bytes(owners.meshes), ROSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_and_the_rest_are_all_of_the_memory() {
        let resident = ResidentMemory { all: 1000, files: 100 };
        let owners = MemoryOwners {
            resident: Some(resident),
            runs: 1,
            light: 2,
            visibility: 4,
            history: 8,
            index: 16,
            textures: 32,
            meshes: 64,
            in_software: false,
        };
        assert_eq!(owners.rest(resident), 1000 - 100 - 63);
        let in_software = MemoryOwners { in_software: true, ..owners };
        assert_eq!(in_software.rest(resident), 1000 - 100 - 127);
        assert_eq!(in_software.rest(ResidentMemory { all: 50, files: 10 }), 0);
    }
}
