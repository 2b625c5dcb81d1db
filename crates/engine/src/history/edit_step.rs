//! One edit in up to three forms: shared chunks, packed bytes, and a row of the map.
//!
//! A new step holds shared chunks, because encoding them would take too long for a frame. Another
//! thread packs it, at the latest the thread that saves. Once the map holds the step, both forms in
//! memory may be dropped.

use super::packed_step::{self, StepChanges};
use super::{ChunkChange, StepError};
use crate::save::{StepBody, StepHeader, UnsavedStep};
use crate::voxel::{ChunkPos, SurfaceChange, Voxel, linear_index, local};
use crate::world::Chunk;
use glam::IVec3;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Approximate overhead of an allocation, with the reference counts of an [`Arc`].
const ALLOCATION_BYTES: usize = 16 + 2 * size_of::<usize>();
/// Maximum memory of an unpacked step, in bytes. An edit of 10^9 voxels with a random mix takes up
/// to 4.3 GB: 32,768 chunks of 64 KiB, before and after.
const MAX_UNPACKED_BYTES: u64 = 8 << 30;

/// One edit that can be undone and redone. Clones share its forms, also across threads.
#[derive(Clone, Debug)]
pub struct EditStep(Arc<SharedStep>);

/// Changed chunks before and after an edit.
#[derive(Clone, Debug)]
pub struct StepChunks {
    /// The changed chunks, sorted by position.
    pub changes: Arc<Vec<ChunkChange>>,
    /// True if `before` and `after` are whole chunks of the world. Otherwise unchanged voxels have
    /// an arbitrary value, equal in both.
    pub(crate) are_whole: bool,
}

#[derive(Debug)]
struct SharedStep {
    name: String,
    /// Time of the edit, in seconds since 1970 UTC.
    unix: u64,
    chunk_count: u64,
    surface: Option<SurfaceChange>,
    /// Header of the step, set once its voxels have been counted.
    header: OnceLock<StepHeader>,
    /// Memory in bytes of the chunks that the step was created with.
    chunk_bytes: usize,
    /// Limit for material ids in packed bytes: the length of the map's material table when the step
    /// was read from the map.
    material_count: usize,
    forms: Mutex<Forms>,
}

/// The forms of a step. At least one exists at any time.
#[derive(Debug)]
struct Forms {
    chunks: Option<StepChunks>,
    body: Option<StepBody>,
    /// Size in bytes of the packed form, whether or not it is in memory; `None` until it has been
    /// packed.
    packed_bytes: Option<u64>,
    /// True if the map holds the step.
    is_saved: bool,
}

impl EditStep {
    /// Creates a step from changed chunks, whole before and after; `None` without changes.
    #[must_use]
    pub fn new(name: impl Into<String>, unix: u64, changes: Vec<ChunkChange>) -> Option<EditStep> {
        EditStep::from_parts(name.into(), unix, changes, true, None)
    }

    /// Creates a step that replaces one voxel; `None` if both voxels are equal.
    #[must_use]
    pub(crate) fn from_voxel(
        name: impl Into<String>,
        unix: u64,
        at: IVec3,
        before: Voxel,
        after: Voxel,
    ) -> Option<EditStep> {
        // Unchanged voxels may have any value. With `after`, one of the two chunks owns no heap
        // memory.
        let index = linear_index(local(at));
        let uniform = Chunk::uniform(after);
        let mut chunk = uniform.clone();
        chunk.set(index, before);
        let change = ChunkChange::new(ChunkPos::containing(at), chunk, uniform);
        EditStep::from_parts(name.into(), unix, change.into_iter().collect(), false, None)
    }

    /// Creates a step that changes the surface of a material, and no voxel; `None` if both surfaces
    /// are equal.
    #[must_use]
    pub fn from_surface(
        name: impl Into<String>,
        unix: u64,
        change: SurfaceChange,
    ) -> Option<EditStep> {
        let surface = Some(change).filter(|change| change.before != change.after);
        EditStep::from_parts(name.into(), unix, Vec::new(), true, surface)
    }

    /// Creates a step like [`EditStep::new`], with `are_whole` as in [`StepChunks`]; `None` if it
    /// changes neither voxels nor a surface.
    pub(super) fn from_parts(
        name: String,
        unix: u64,
        mut changes: Vec<ChunkChange>,
        are_whole: bool,
        surface: Option<SurfaceChange>,
    ) -> Option<EditStep> {
        if changes.is_empty() && surface.is_none() {
            return None;
        }
        if !changes.is_sorted_by_key(|change| change.pos) {
            changes.sort_unstable_by_key(|change| change.pos);
        }
        let chunk_count = changes.len() as u64;
        let mut chunk_bytes = size_of_val(&changes[..]);
        let mut voxels = Some(0);
        for change in &changes {
            chunk_bytes += change.before.heap_bytes() + change.after.heap_bytes();
            voxels = voxels.and_then(|sum: u64| Some(sum + change.known_volume()?));
        }
        let header = OnceLock::new();
        if let Some(voxels) = voxels {
            header.get_or_init(|| StepHeader {
                name: name.clone(),
                unix,
                voxels,
                chunks: chunk_count,
                surface,
            });
        }
        let chunks = Some(StepChunks { changes: Arc::new(changes), are_whole });
        let forms = Mutex::new(Forms { chunks, body: None, packed_bytes: None, is_saved: false });
        let material_count = Voxel::MAX_MATERIALS;
        Some(EditStep(Arc::new(SharedStep {
            name,
            unix,
            chunk_count,
            surface,
            header,
            chunk_bytes,
            material_count,
            forms,
        })))
    }

    /// Creates a step that only the map holds, in `bytes` bytes. The map has `material_count`
    /// materials.
    #[must_use]
    pub fn saved(header: StepHeader, bytes: u64, material_count: usize) -> EditStep {
        let forms = Mutex::new(Forms {
            chunks: None,
            body: None,
            packed_bytes: Some(bytes),
            is_saved: true,
        });
        let name = header.name.clone();
        let unix = header.unix;
        let chunk_count = header.chunks;
        let surface = header.surface;
        let header = header.into();
        EditStep(Arc::new(SharedStep {
            name,
            unix,
            chunk_count,
            surface,
            header,
            chunk_bytes: 0,
            material_count,
            forms,
        }))
    }

    /// Returns name, time and numbers of voxels and chunks. The first call may count the voxels,
    /// which takes too long for a frame.
    #[must_use]
    pub fn header(&self) -> &StepHeader {
        self.0.header()
    }

    /// Returns [`EditStep::header`] if the voxels have been counted.
    #[must_use]
    pub(crate) fn known_header(&self) -> Option<&StepHeader> {
        self.0.header.get()
    }

    /// Name of the edit; empty in maps of format 4 and older.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Time of the edit, in seconds since 1970 UTC; 0 in maps of format 4 and older.
    #[must_use]
    pub fn unix(&self) -> u64 {
        self.0.unix
    }

    /// Number of chunks that the step changed; 0 in maps of format 4 and older.
    #[must_use]
    pub fn chunk_count(&self) -> u64 {
        self.0.chunk_count
    }

    /// Change of the surface of a material; `None` for most steps.
    #[must_use]
    pub fn surface(&self) -> Option<SurfaceChange> {
        self.0.surface
    }

    fn forms(&self) -> MutexGuard<'_, Forms> {
        self.0.forms()
    }

    /// Returns the chunks before and after the edit; `None` if they are not in memory.
    #[must_use]
    pub fn chunks(&self) -> Option<StepChunks> {
        self.forms().chunks.clone()
    }

    /// Returns the step as bytes; `None` if only the map holds it. Packs it if necessary, which
    /// takes tens of microseconds per chunk, too long for a frame.
    pub fn pack(&self) -> Option<StepBody> {
        self.0.pack()
    }

    /// Unpacks the bytes of this step. In the chunks, unchanged voxels have an arbitrary value,
    /// equal before and after.
    ///
    /// # Errors
    /// The bytes are malformed, name a material that the map lacked when the step was read, or need
    /// more than 8 GiB of memory.
    pub fn unpack(&self, body: &StepBody) -> Result<StepChunks, StepError> {
        self.unpack_within(body, MAX_UNPACKED_BYTES)
    }

    /// Unpacks the step like [`EditStep::unpack`], with another memory limit in bytes. The last
    /// chunk is unpacked before the limit is checked.
    pub(super) fn unpack_within(
        &self,
        body: &StepBody,
        limit: u64,
    ) -> Result<StepChunks, StepError> {
        let mut changes = Vec::new();
        let mut bytes = 0;
        for change in StepChanges::new(body, self.0.material_count) {
            let change = change?;
            bytes += (size_of::<ChunkChange>()
                + change.before.heap_bytes()
                + change.after.heap_bytes()) as u64;
            if bytes > limit {
                return Err(StepError::TooLarge { pos: change.pos, limit });
            }
            changes.push(change);
        }
        Ok(StepChunks { changes: Arc::new(changes), are_whole: false })
    }

    /// Returns the size in bytes of the packed form, in memory or in the map; `None` until it has
    /// been packed.
    #[must_use]
    pub fn packed_bytes(&self) -> Option<u64> {
        self.forms().packed_bytes
    }

    /// True if the map holds the step.
    #[must_use]
    pub(crate) fn is_saved(&self) -> bool {
        self.forms().is_saved
    }

    /// True if memory holds the step.
    #[must_use]
    pub fn is_in_memory(&self) -> bool {
        let forms = self.forms();
        forms.chunks.is_some() || forms.body.is_some()
    }

    /// Returns the approximate memory in bytes, with allocator overhead. Chunks count in full,
    /// although the world or other steps may share them.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let forms = self.forms();
        let chunks = if forms.chunks.is_some() { self.0.chunk_bytes + ALLOCATION_BYTES } else { 0 };
        let body = forms.body.as_ref().map_or(0, |body| body.bytes.len() + ALLOCATION_BYTES);
        size_of::<SharedStep>() + ALLOCATION_BYTES + self.0.name.len() + chunks + body
    }

    /// Drops the chunks if the step exists in another form.
    pub(super) fn release_chunks(&self) {
        let mut forms = self.forms();
        if forms.body.is_some() || forms.is_saved {
            forms.chunks = None;
        }
    }

    /// Drops the packed bytes if the map holds the step.
    pub(super) fn release_body(&self) {
        let mut forms = self.forms();
        if forms.is_saved {
            forms.body = None;
        }
    }

    /// Returns a handle with which a save packs and writes the step.
    pub(super) fn to_unsaved(&self) -> Arc<dyn UnsavedStep> {
        Arc::<SharedStep>::clone(&self.0)
    }
}

impl SharedStep {
    fn forms(&self) -> MutexGuard<'_, Forms> {
        // No code panics between two assignments to the forms, so they are consistent.
        self.forms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn header(&self) -> &StepHeader {
        if let Some(header) = self.header.get() {
            return header;
        }
        let chunks = self.forms().chunks.clone();
        // A step without chunks has been packed, and packing sets the header.
        self.header_of(
            &chunks.unwrap_or_else(|| StepChunks { changes: Arc::default(), are_whole: false }),
        )
    }

    /// Returns the header of the step, whose chunks are `chunks`.
    fn header_of(&self, chunks: &StepChunks) -> &StepHeader {
        self.header.get_or_init(|| {
            let voxels = chunks.changes.iter().map(ChunkChange::volume).sum();
            StepHeader {
                name: self.name.clone(),
                unix: self.unix,
                voxels,
                chunks: self.chunk_count,
                surface: self.surface,
            }
        })
    }

    fn pack(&self) -> Option<StepBody> {
        let chunks = {
            let forms = self.forms();
            if forms.body.is_some() {
                return forms.body.clone();
            }
            forms.chunks.clone()?
        };
        // Not under the lock, because a frame may need the chunks meanwhile.
        self.header_of(&chunks);
        let body = packed_step::pack(&chunks.changes);
        let mut forms = self.forms();
        forms.packed_bytes = Some(body.bytes.len() as u64);
        forms.body = Some(body.clone());
        Some(body)
    }
}

impl UnsavedStep for SharedStep {
    fn header(&self) -> &StepHeader {
        self.header()
    }

    fn body(&self) -> Option<StepBody> {
        self.pack()
    }

    fn mark_saved(&self) {
        self.forms().is_saved = true;
    }
}
