//! Makes a run tree from runs in order, in one pass: what generators, importers and the map file use.

use super::RunTree;
use super::packed::pack;
use super::table::{self, Entry, MOST_CODES};
use super::tree::Form;
use crate::voxel::{CHUNK_VOLUME, Voxel};
use rustc_hash::FxHashMap;

/// Palettes up to this length are searched; longer ones get a hash map.
const SEARCHED: usize = 32;
/// From so many runs on a chunk is packed: 16 in a block of 256 voxels.
const PACKED: usize = 2048;

/// Collects runs in linear order; neighbouring equal runs are joined as they come.
#[derive(Clone, Debug, Default)]
pub struct RunBuilder {
    starts: Vec<u16>,
    indices: Vec<u16>,
    palette: Vec<Voxel>,
    index_of: FxHashMap<Voxel, u16>,
    at: usize,
}

impl RunBuilder {
    /// A builder at voxel 0.
    #[must_use]
    pub fn new() -> RunBuilder {
        RunBuilder::default()
    }

    /// Linear index of the next voxel to come: 0 to 32768.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
    }

    /// Adds `len` voxels.
    ///
    /// # Panics
    /// They would pass the end of the chunk. Check against [`RunBuilder::position`] first where the
    /// length comes from outside.
    pub fn push(&mut self, len: u32, voxel: Voxel) {
        if len == 0 {
            return;
        }
        debug_assert_ne!(voxel, Voxel::NOT_LOADED, "it stands for a voxel that is in no chunk");
        let start = self.at;
        self.at += len as usize;
        assert!(self.at <= CHUNK_VOLUME, "a run of {len} at {start} passes the end of the chunk");
        if let Some(&last) = self.indices.last()
            && self.palette[usize::from(last)] == voxel
        {
            return;
        }
        let index = self.intern(voxel);
        self.starts.push(start as u16);
        self.indices.push(index);
    }

    fn intern(&mut self, voxel: Voxel) -> u16 {
        let known = if self.palette.len() <= SEARCHED {
            // From the end: the value before last is the likeliest to come again.
            self.palette.iter().rposition(|&v| v == voxel).map(|i| i as u16)
        } else {
            if self.index_of.is_empty() {
                self.index_of.extend(self.palette.iter().enumerate().map(|(i, &v)| (v, i as u16)));
            }
            self.index_of.get(&voxel).copied()
        };
        known.unwrap_or_else(|| {
            let index = self.palette.len() as u16;
            self.palette.push(voxel);
            if !self.index_of.is_empty() {
                self.index_of.insert(voxel, index);
            }
            index
        })
    }

    /// The tree.
    ///
    /// # Panics
    /// The runs do not reach the end of the chunk.
    #[must_use]
    pub fn finish(self) -> RunTree {
        assert_eq!(self.at, CHUNK_VOLUME, "the runs do not cover the chunk");
        if self.starts.len() == 1 {
            return RunTree::uniform(self.palette[0]);
        }
        RunTree(if self.palette.len() > MOST_CODES || self.starts.len() >= PACKED {
            Form::Packed(pack(&self.starts, &self.indices, &self.palette))
        } else {
            let runs = self.starts.iter().zip(&self.indices).map(|(&start, &i)| Entry { start, code: u32::from(i) });
            Form::Runs(table::table(runs, &self.palette, 0))
        })
    }
}
