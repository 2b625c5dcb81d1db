//! Building of run trees from runs in linear order, in one pass. Generators, importers and the map
//! file use it.

use super::RunTree;
use super::packed::pack;
use super::repr::Repr;
use super::run::{CodedRun, MAX_CODES};
use super::table;
use crate::voxel::{CHUNK_VOLUME, Voxel};
use rustc_hash::FxHashMap;

/// Maximum length of a palette that is searched linearly; longer ones get a hash map.
const SEARCHED: usize = 32;
/// Minimum number of runs for which packing is considered: 16 per block of 256 voxels.
pub(super) const PACKED: usize = 2048;
/// Maximum size of a packed chunk in eighths of its table's size; a larger one stays a table.
const PACKED_EIGHTHS: usize = 7;
/// Initial capacity in runs.
const EXPECTED: usize = 1024;
/// Slots of the cache of codes.
const CACHED: usize = 64;

/// Collects runs in linear order; adjacent equal runs are joined.
///
/// ```
/// use stonerun_engine::runs::RunBuilder;
/// use stonerun_engine::voxel::Voxel;
///
/// let mut builder = RunBuilder::new();
/// builder.push(1_000, Voxel::full(1));
/// builder.push(24, Voxel::full(1));
/// builder.push(32_768 - builder.position() as u32, Voxel::AIR);
/// assert_eq!(builder.finish().run_count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct RunBuilder {
    runs: Vec<CodedRun>,
    palette: Vec<Voxel>,
    /// Cache of palette indices, by hash of the voxel. Few hashes collide, so the branch on a hit
    /// is predictable.
    cache: [(Voxel, u16); CACHED],
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
    /// Creates a builder at voxel 0.
    #[must_use]
    pub fn new() -> RunBuilder {
        RunBuilder {
            runs: Vec::with_capacity(EXPECTED),
            palette: Vec::new(),
            cache: [(Voxel::NOT_LOADED, 0); CACHED],
            index_of: FxHashMap::default(),
            // Differs from every value that can be pushed.
            last: Voxel::NOT_LOADED,
            at: 0,
        }
    }

    /// Creates a builder for [`RunBuilder::push_code`]. `palette` must hold no voxel twice. The
    /// last run pushed ends with the chunk.
    pub(crate) fn with_palette(palette: Vec<Voxel>) -> RunBuilder {
        RunBuilder { palette, at: CHUNK_VOLUME, ..RunBuilder::new() }
    }

    /// Adds a run that starts at voxel `start` and has palette index `code`.
    ///
    /// The caller must have checked that starts ascend from 0, that the code is in the palette, and
    /// that it differs from the code before. Release builds do not check this, and a violation
    /// gives a corrupt tree.
    #[inline(always)]
    pub(crate) fn push_code(&mut self, start: u16, code: u16) {
        debug_assert!(
            self.runs.last().map_or(start == 0, |last| last.start < start && last.code != code)
        );
        self.runs.push(CodedRun { start, code });
    }

    /// Linear index of the next voxel: 0 to 32768.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
    }

    /// Adds `len` voxels.
    ///
    /// # Panics
    /// Panics if the voxels pass the end of the chunk. Check untrusted lengths against
    /// [`RunBuilder::position`] first.
    #[inline]
    pub fn push(&mut self, len: u32, voxel: Voxel) {
        if len == 0 {
            return;
        }
        debug_assert_ne!(voxel, Voxel::NOT_LOADED, "a chunk cannot contain NOT_LOADED");
        let start = self.at;
        self.at += len as usize;
        assert!(self.at <= CHUNK_VOLUME, "a run of {len} at {start} passes the end of the chunk");
        if voxel == self.last {
            return;
        }
        self.last = voxel;
        let code = match self.cache[voxel.hash() % CACHED] {
            (cached, code) if cached == voxel => code,
            _ => self.intern(voxel),
        };
        self.runs.push(CodedRun { start: start as u16, code });
    }

    /// Returns the palette index of `voxel`, which is added to the palette if necessary.
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
        self.cache[voxel.hash() % CACHED] = (voxel, code);
        code
    }

    /// Builds the tree.
    ///
    /// # Panics
    /// Panics if the runs do not reach the end of the chunk.
    #[must_use]
    pub fn finish(self) -> RunTree {
        assert_eq!(self.at, CHUNK_VOLUME, "the runs do not cover the chunk");
        if let [only] = self.runs[..] {
            return RunTree::uniform(self.palette[usize::from(only.code)]);
        }
        if self.palette.len() > MAX_CODES || self.runs.len() >= PACKED {
            let packed = pack(&self.runs, &self.palette);
            // Packed chunks are slower to read and edit, so packing has to save enough memory.
            let table_bytes = 2 * table::len_words(self.runs.len(), self.palette.len());
            if self.palette.len() > MAX_CODES || packed.len() * 8 <= table_bytes * PACKED_EIGHTHS {
                return RunTree(Repr::Packed(packed));
            }
        }
        RunTree(Repr::Table(table::build(&self.runs, &self.palette, 0)))
    }
}

impl RunTree {
    /// Builds a tree from lengths and values of runs that cover the chunk in linear order. Equal
    /// neighbours are joined.
    ///
    /// # Panics
    /// Panics if the lengths do not add up to 32768. Use [`RunBuilder`] for untrusted lengths.
    #[must_use]
    pub fn from_runs(runs: impl IntoIterator<Item = (u32, Voxel)>) -> RunTree {
        let mut builder = RunBuilder::new();
        for (len, voxel) in runs {
            builder.push(len, voxel);
        }
        builder.finish()
    }

    /// Builds a tree from 32768 voxels in linear order.
    #[must_use]
    pub fn from_voxels(voxels: &[Voxel; CHUNK_VOLUME]) -> RunTree {
        /// Number of voxels that are compared at once.
        const GROUP: usize = 16;
        let mut builder = RunBuilder::new();
        let mut run = voxels[0];
        for (number, group) in voxels.as_chunks::<GROUP>().0.iter().enumerate() {
            // No early exit, so the compiler vectorises the comparison.
            if group.iter().fold(true, |all, &voxel| all & (voxel == run)) {
                continue;
            }
            for (index, &voxel) in group.iter().enumerate() {
                if voxel != run {
                    let start = number * GROUP + index;
                    builder.push((start - builder.position()) as u32, run);
                    run = voxel;
                }
            }
        }
        builder.push((CHUNK_VOLUME - builder.position()) as u32, run);
        builder.finish()
    }
}
