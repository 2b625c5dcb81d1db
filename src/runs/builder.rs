//! Makes a run tree from runs in order, in one pass: what generators, importers and the map file use.

use super::RunTree;
use super::packed::pack;
use super::table::{self, CodedRun, MAX_CODES};
use super::tree::Repr;
use crate::voxel::{CHUNK_VOLUME, Voxel};
use rustc_hash::FxHashMap;

/// Palettes up to this length are searched; longer ones get a hash map.
const SEARCHED: usize = 32;
/// From so many runs on a chunk is packed: 16 in a block of 256 voxels.
const PACKED: usize = 2048;
/// A packed chunk takes at most so many eighths of the table's bytes.
const MARGIN: usize = 7;
/// Room for so many runs from the beginning.
const EXPECTED: usize = 1024;
/// Places where a voxel's code may be noted.
const NOTED: usize = 64;

/// Collects runs in linear order; neighbouring equal runs are joined as they come.
#[derive(Clone, Debug)]
pub struct RunBuilder {
    runs: Vec<CodedRun>,
    palette: Vec<Voxel>,
    /// Voxels and their codes by a hash. It may hold another voxel there; nearly never, so that no processor is surprised.
    noted: [(Voxel, u16); NOTED],
    index_of: FxHashMap<Voxel, u16>,
    last: Voxel,
    at: usize,
}

impl Default for RunBuilder {
    fn default() -> RunBuilder {
        RunBuilder::new()
    }
}

impl RunBuilder {
    /// A builder at voxel 0.
    #[must_use]
    pub fn new() -> RunBuilder {
        RunBuilder {
            runs: Vec::with_capacity(EXPECTED),
            palette: Vec::new(),
            noted: [(Voxel::NOT_LOADED, 0); NOTED],
            index_of: FxHashMap::default(),
            // No run is of these.
            last: Voxel::NOT_LOADED,
            at: 0,
        }
    }

    /// A builder whose runs come as indices into this palette, which holds no voxel twice; the last one ends with the chunk.
    pub(crate) fn with_palette(palette: Vec<Voxel>) -> RunBuilder {
        RunBuilder { palette, at: CHUNK_VOLUME, ..RunBuilder::new() }
    }

    /// Adds a run from voxel `start` on of the palette's voxel `code`, which is not that of the run before. Whoever decodes
    /// has checked all that; what is not right here makes a wrong tree.
    #[inline(always)]
    pub(crate) fn push_code(&mut self, start: u16, code: u16) {
        debug_assert!(self.runs.last().map_or(start == 0, |last| last.start < start && last.code != code));
        self.runs.push(CodedRun { start, code });
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
    #[inline]
    pub fn push(&mut self, len: u32, voxel: Voxel) {
        if len == 0 {
            return;
        }
        debug_assert_ne!(voxel, Voxel::NOT_LOADED, "it stands for a voxel that is in no chunk");
        let start = self.at;
        self.at += len as usize;
        assert!(self.at <= CHUNK_VOLUME, "a run of {len} at {start} passes the end of the chunk");
        if voxel == self.last {
            return;
        }
        self.last = voxel;
        let code = match self.noted[voxel.hash() % NOTED] {
            (there, code) if there == voxel => code,
            _ => self.intern(voxel),
        };
        self.runs.push(CodedRun { start: start as u16, code });
    }

    #[cold]
    fn intern(&mut self, voxel: Voxel) -> u16 {
        let known = if self.palette.len() <= SEARCHED {
            self.palette.iter().position(|&v| v == voxel).map(|i| i as u16)
        } else {
            if self.index_of.is_empty() {
                self.index_of.extend(self.palette.iter().enumerate().map(|(i, &v)| (v, i as u16)));
            }
            self.index_of.get(&voxel).copied()
        };
        let code = known.unwrap_or_else(|| {
            let index = self.palette.len() as u16;
            self.palette.push(voxel);
            if !self.index_of.is_empty() {
                self.index_of.insert(voxel, index);
            }
            index
        });
        self.noted[voxel.hash() % NOTED] = (voxel, code);
        code
    }

    /// The tree.
    ///
    /// # Panics
    /// The runs do not reach the end of the chunk.
    #[must_use]
    pub fn finish(self) -> RunTree {
        assert_eq!(self.at, CHUNK_VOLUME, "the runs do not cover the chunk");
        if let [only] = self.runs[..] {
            return RunTree::uniform(self.palette[usize::from(only.code)]);
        }
        if self.palette.len() > MAX_CODES || self.runs.len() >= PACKED {
            let packed = pack(&self.runs, &self.palette);
            // Reading and editing it is slower: it has to be worth it.
            let table = 2 * table::words(self.runs.len(), self.palette.len());
            if self.palette.len() > MAX_CODES || packed.len() * 8 <= table * MARGIN {
                return RunTree(Repr::Packed(packed));
            }
        }
        RunTree(Repr::Table(table::table(&self.runs, &self.palette, 0)))
    }
}
