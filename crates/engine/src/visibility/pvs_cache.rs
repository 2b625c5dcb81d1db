//! The potentially visible sets around the player, correct at every moment: while chunks load and
//! unload, and while the player digs.
//!
//! | event | effect |
//! |---|---|
//! | the player enters a cell | its set is swept at once |
//! | background time | the current set is narrowed by the map's baked sets, if there are any, and refined; then the sets of nearby cells |
//! | a chunk closes | sets that hold it stay: too large, but correct |
//! | a chunk opens | sets that hold it are dropped; no line from the other cells reached it |

#[cfg(test)]
mod tests;

use super::bitset;
use super::cell::CellId;
use super::chunk_occlusion::ChunkOcclusion;
use super::occluders::Occluders;
use super::occlusion_grid::OcclusionGrid;
use super::portal_graph::PortalGraph;
use super::refine_job::{RefineJob, RefineResult, SetSource};
use super::sweep::Sweeper;
use super::toroidal_index::ToroidalIndex;
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos, local};
use crate::world::view::vertical_reach;
use glam::IVec3;
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::{Duration, Instant};

/// Maximum distance of cells with cached sets from the player's chunk, in chunks. The graph covers
/// everything in view of such cells.
const MARGIN: i32 = 1;
/// Maximum number of cached sets.
const MAX_SETS: usize = 512;

/// The set of the current cell.
#[derive(Clone, Copy, Debug)]
pub struct CurrentSet<'a> {
    /// Chunks of the set, one bit per chunk slot.
    pub chunks: &'a [u64],
    /// Computation that produced the set.
    pub source: SetSource,
}

/// Size of a [`PvsCache`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CacheStats {
    /// Cached sets.
    pub sets: usize,
    /// Cached sets that are refined.
    pub refined: usize,
    /// Memory of the sets, in bytes.
    pub bytes: usize,
}

/// A cached set of one cell.
struct CachedSet {
    /// Chunks of the set, one bit per chunk slot.
    chunks: Vec<u64>,
    source: SetSource,
    /// True if a chunk of the set has closed since the last sweep, so the set may be too large.
    loose: bool,
    /// Value of [`PvsCache::clock`] when the set was last selected.
    last_used: u64,
}

/// The job that is running.
struct PendingJob {
    chunk: ChunkPos,
    /// Slots of chunks that have opened, or whose baked sets became invalid, since the job started.
    opened: Vec<usize>,
    /// True if the result must be ignored, because the cell or the slots may have changed.
    discard: bool,
}

/// The sets of the cells around the player.
pub struct PvsCache {
    graph: PortalGraph,
    centre: ChunkPos,
    view: i32,
    sweeper: Sweeper,
    /// The selected voxel and its cell, which is `None` inside rock.
    current: Option<(IVec3, Option<CellId>)>,
    sets: FxHashMap<CellId, CachedSet>,
    /// Number of selections of a cell so far.
    clock: u64,
    revision: u64,
    pending: Option<PendingJob>,
    /// Duration of the last sweep.
    pub sweep_time: Duration,
    /// Duration of the last refinement.
    pub refine_time: Duration,
}

impl PvsCache {
    /// Creates the cache for a player in the chunk `centre` with a view distance of `view` chunks.
    /// `occlusion` returns `None` for a chunk that is not loaded.
    #[must_use]
    pub fn new(
        centre: ChunkPos,
        view: i32,
        occlusion: impl FnMut(ChunkPos) -> Option<ChunkOcclusion>,
    ) -> PvsCache {
        let reach = Self::reach(view);
        let bounds = Box3 { min: centre.as_ivec3() - reach, max: centre.as_ivec3() + reach + 1 };
        PvsCache {
            graph: PortalGraph::new(bounds, occlusion),
            centre,
            view,
            sweeper: Sweeper::default(),
            current: None,
            sets: FxHashMap::default(),
            clock: 0,
            revision: 0,
            pending: None,
            sweep_time: Duration::ZERO,
            refine_time: Duration::ZERO,
        }
    }

    /// Continues the revisions of `previous`, so that no revision is used twice.
    #[must_use]
    pub fn replacing(mut self, previous: &PvsCache) -> PvsCache {
        self.revision = previous.revision + 1;
        self
    }

    fn reach(view: i32) -> IVec3 {
        IVec3::new(view, vertical_reach(view), view) + MARGIN
    }

    /// View distance, in chunks.
    #[must_use]
    pub fn view(&self) -> i32 {
        self.view
    }

    /// Occlusion of the chunks in the graph.
    #[must_use]
    pub fn occlusion(&self) -> &OcclusionGrid {
        self.graph.occlusion()
    }

    /// Maps the bits of sets to chunks.
    #[must_use]
    pub fn index(&self) -> ToroidalIndex {
        *self.graph.index()
    }

    /// Moves the cache to a player in the chunk `centre`. `occlusion` is asked for the chunks that
    /// enter the graph and returns `None` for a chunk that is not loaded.
    pub fn move_to(
        &mut self,
        centre: ChunkPos,
        occlusion: impl FnMut(ChunkPos) -> Option<ChunkOcclusion>,
    ) {
        if self.centre == centre {
            return;
        }
        self.centre = centre;
        self.graph.move_to(centre.as_ivec3() - Self::reach(self.view), occlusion);
        self.compact_graph();
        // The graph no longer covers the view of cells farther away: their slots belong to other
        // chunks.
        let is_near =
            |chunk: ChunkPos| (chunk.as_ivec3() - centre.as_ivec3()).abs().max_element() <= MARGIN;
        self.current = self.current.filter(|(at, _)| is_near(ChunkPos::containing(*at)));
        self.sets.retain(|id, _| is_near(id.chunk));
        if let Some(pending) = &mut self.pending {
            pending.discard |= !is_near(pending.chunk);
        }
    }

    /// Replaces the chunk at `pos`; `None` if it is no longer loaded.
    pub fn set_chunk(&mut self, pos: ChunkPos, occlusion: Option<ChunkOcclusion>) {
        let Some(slot) = self.graph.index().slot(pos) else { return };
        let occlusion = occlusion.unwrap_or(ChunkOcclusion::OPEN);
        let before = self.graph.occlusion().chunk(slot);
        let opens = before.occluders.hides_beyond(&occlusion.occluders);
        let closes = occlusion.occluders.hides_beyond(&before.occluders);
        if !opens && !closes {
            return;
        }
        self.graph.set_chunk(pos, Some(occlusion));
        self.compact_graph();
        // The chunk's rooms, and with them its cells, may have other numbers.
        self.current = self.current.filter(|(at, _)| ChunkPos::containing(*at) != pos);
        self.sets.retain(|id, set| {
            let holds = bitset::contains(&set.chunks, slot);
            set.loose |= closes && holds;
            id.chunk != pos && !(opens && holds)
        });
        if let Some(pending) = &mut self.pending {
            pending.discard |= pending.chunk == pos;
            pending.opened.extend(opens.then_some(slot));
        }
    }

    /// Treats chunks as open until [`PvsCache::set_chunk`] provides their occlusion: sets may be
    /// too large meanwhile. Takes much less time than analysing the chunks.
    pub fn open_chunks(&mut self, chunks: impl IntoIterator<Item = ChunkPos>) {
        let slots = chunks.into_iter().filter_map(|pos| self.graph.index().slot(pos));
        let slots: Vec<usize> = slots
            .filter(|&slot| self.graph.occlusion().chunk(slot).occluders != Occluders::None)
            .collect();
        if slots.is_empty() {
            return;
        }
        self.graph.set_chunks(slots.iter().map(|&slot| (slot, ChunkOcclusion::OPEN)).collect());
        self.compact_graph();
        let index = self.graph.index();
        let opened: FxHashSet<ChunkPos> = slots.iter().map(|&slot| index.position(slot)).collect();
        self.current = self.current.filter(|(at, _)| !opened.contains(&ChunkPos::containing(*at)));
        self.sets.retain(|id, set| {
            !opened.contains(&id.chunk)
                && !slots.iter().any(|&slot| bitset::contains(&set.chunks, slot))
        });
        if let Some(pending) = &mut self.pending {
            pending.discard |= opened.contains(&pending.chunk);
            pending.opened.extend(slots);
        }
    }

    fn compact_graph(&mut self) {
        if self.graph.unused_fraction() > 0.6 {
            self.graph.compact();
        }
    }

    /// Drops the sets that hold the chunk at `pos`. Call this when the world's chunk differs from
    /// the one in the map, from which sets may have been taken.
    pub fn invalidate_baked(&mut self, pos: ChunkPos) {
        let Some(slot) = self.graph.index().slot(pos) else { return };
        self.sets.retain(|id, set| id.chunk != pos && !bitset::contains(&set.chunks, slot));
        if let Some(pending) = &mut self.pending {
            pending.opened.push(slot);
        }
    }

    /// Selects the cell at `eye`, a voxel of the player's chunk, and makes sure that its set is
    /// correct. `tighten` also removes chunks that have closed. Returns `None` inside rock, where
    /// nothing is culled.
    pub fn select(&mut self, eye: IVec3, tighten: bool) -> Option<CellId> {
        let id = match self.current {
            Some((at, id)) if at == eye => id,
            _ => {
                let chunk = ChunkPos::containing(eye);
                let slot = self.graph.index().slot(chunk)?;
                let cell = self.graph.occlusion().chunk(slot).cell_at(local(eye));
                let id = cell.map(|cell| CellId { chunk, cell });
                if self
                    .current
                    .is_none_or(|(at, before)| before != id || ChunkPos::containing(at) != chunk)
                {
                    self.revision += 1;
                }
                self.current = Some((eye, id));
                id
            }
        }?;
        self.clock += 1;
        let stale = match self.sets.get_mut(&id) {
            Some(set) => {
                set.last_used = self.clock;
                set.loose && tighten
            }
            None => true,
        };
        if stale {
            self.sweep(id);
            self.revision += 1;
        }
        Some(id)
    }

    /// Sweeps a cell and caches the set. Keeps what an existing set has excluded: chunks of the set
    /// may have closed, but not opened, since.
    fn sweep(&mut self, id: CellId) {
        let start = Instant::now();
        let swept = self.sweeper.sweep(&self.graph, id.chunk, &id.cell, self.view);
        let mut chunks = swept.chunks.clone();
        self.sweep_time = start.elapsed();
        let mut source = SetSource::Swept;
        if let Some(before) = self.sets.get(&id) {
            chunks.iter_mut().zip(&before.chunks).for_each(|(word, before)| *word &= before);
            // Baked sets would narrow the set the same way again; shafts may remove more.
            source =
                if before.source == SetSource::Baked { SetSource::Baked } else { SetSource::Swept };
        }
        if self.sets.len() >= MAX_SETS
            && !self.sets.contains_key(&id)
            && let Some(oldest) =
                self.sets.iter().min_by_key(|(_, set)| set.last_used).map(|(id, _)| *id)
        {
            self.sets.remove(&oldest);
        }
        self.sets.insert(id, CachedSet { chunks, source, loose: false, last_used: self.clock });
    }

    /// The selected cell; `None` inside rock.
    #[must_use]
    pub fn current_cell(&self) -> Option<CellId> {
        self.current?.1
    }

    /// A number that changes whenever the current set does.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The set of the selected cell; `None` inside rock.
    #[must_use]
    pub fn current_set(&self) -> Option<CurrentSet<'_>> {
        let set = self.sets.get(&self.current_cell()?)?;
        Some(CurrentSet { chunks: &set.chunks, source: set.source })
    }

    /// Number and size of the cached sets.
    #[must_use]
    pub fn stats(&self) -> CacheStats {
        CacheStats {
            sets: self.sets.len(),
            refined: self.sets.values().filter(|set| set.source == SetSource::Refined).count(),
            bytes: self.sets.values().map(|set| set.chunks.len() * 8).sum(),
        }
    }

    /// Starts the next background job: the set of the selected cell, then the sets of nearby cells.
    /// Returns `None` if nothing is left to refine or a job is already running.
    pub fn next_job(&mut self) -> Option<RefineJob> {
        if self.pending.is_some() {
            return None;
        }
        let (eye, current) = self.current?;
        let is_due = |cache: &PvsCache, id: &CellId| {
            cache.sets.get(id).is_none_or(|set| set.source != SetSource::Refined)
        };
        let cell =
            current.filter(|id| is_due(self, id)).or_else(|| self.next_nearby(eye, is_due))?;
        if !self.sets.contains_key(&cell) {
            self.sweep(cell);
        }
        self.pending = Some(PendingJob { chunk: cell.chunk, opened: Vec::new(), discard: false });
        let set = self.sets.get(&cell)?;
        Some(RefineJob {
            occlusion: self.graph.occlusion().clone(),
            cell,
            chunks: set.chunks.clone(),
            source: set.source,
        })
    }

    /// The nearest cell in this chunk and its neighbours whose set is to be refined next.
    fn next_nearby(
        &self,
        eye: IVec3,
        is_due: impl Fn(&PvsCache, &CellId) -> bool,
    ) -> Option<CellId> {
        let home = ChunkPos::containing(eye);
        let near = home.moore_neighbourhood();
        let chunks = near
            .filter(|pos| (pos.as_ivec3() - self.centre.as_ivec3()).abs().max_element() <= MARGIN);
        let chunks = chunks.filter_map(|chunk| Some((chunk, self.graph.index().slot(chunk)?)));
        let cells = chunks.flat_map(|(chunk, slot)| {
            self.graph
                .occlusion()
                .chunk(slot)
                .rooms
                .cells()
                .iter()
                .map(move |&cell| CellId { chunk, cell })
        });
        let distance = |id: &CellId| {
            let corner = |at: [u8; 3]| id.chunk.origin() + IVec3::from_array(at.map(i32::from));
            let nearest = eye.clamp(corner(id.cell.lo), corner(id.cell.hi) - 1);
            (nearest - eye).length_squared()
        };
        // The player does not get farther than this before the job is done.
        let due = cells.filter(|id| distance(id) <= CHUNK_SIDE * CHUNK_SIDE && is_due(self, id));
        due.min_by_key(distance)
    }

    /// Applies the result of a job, unless a chunk of its set has opened since the job started.
    pub fn finish_job(&mut self, result: RefineResult) {
        let Some(pending) = self.pending.take() else { return };
        if result.source == SetSource::Refined {
            self.refine_time = result.time;
        }
        let Some(set) = self.sets.get_mut(&result.cell) else { return };
        if pending.discard
            || pending.opened.iter().any(|&slot| bitset::contains(&result.before, slot))
        {
            return;
        }
        // A sweep may have removed chunks that closed meanwhile.
        set.chunks.iter_mut().zip(&result.after).for_each(|(word, after)| *word &= after);
        set.source = result.source;
        if self.current.is_some_and(|(_, current)| current == Some(result.cell)) {
            self.revision += 1;
        }
    }
}
