//! The buffers of chunk drawing on the GPU, in the render world.

use crate::game::chunk_drawing::chunk_pool::{ChunkPool, UNIT_WORDS, Write};
use crate::game::chunk_drawing::draw_method::DrawMethod;
use crate::game::chunk_drawing::extract::ExtractedScene;
use crate::game::chunk_drawing::scene::{DrawCounters, DrawFilter, SceneChange};
use crate::mesh::ChunkMesh;
use crate::voxel::ChunkPos;
use bevy::prelude::*;
use bevy::render::render_resource::{Buffer, BufferDescriptor, BufferUsages, CommandEncoderDescriptor};
use bevy::render::renderer::{RenderAdapterInfo, RenderDevice, RenderQueue};
use std::sync::Arc;

/// Bytes of a unit of the pool.
const UNIT_BYTES: u64 = UNIT_WORDS as u64 * 4;
/// Bytes of the buffer at the start.
const FIRST_BYTES: u64 = 4 << 20;

/// The chunks in GPU memory.
#[derive(Resource)]
pub(super) struct ChunkBuffers {
    pub(super) pool: ChunkPool,
    /// The words of the pool.
    pub(super) words: Buffer,
    /// How records are drawn.
    pub(super) method: DrawMethod,
    filter: DrawFilter,
    /// Limit of the buffer, in units.
    limit: u32,
    pub(super) counters: Arc<DrawCounters>,
    written: u64,
}

/// Creates the buffers; again after a lost device.
pub(super) fn create(mut commands: Commands, device: Res<RenderDevice>, info: Res<RenderAdapterInfo>) {
    let mut pool = ChunkPool::default();
    pool.grow((FIRST_BYTES / UNIT_BYTES) as u32);
    let limits = device.limits();
    let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) / UNIT_BYTES;
    commands.insert_resource(ChunkBuffers {
        words: word_buffer(&device, pool.capacity()),
        pool,
        method: DrawMethod::choose(device.features(), info.backend),
        filter: DrawFilter::default(),
        limit: u32::try_from(limit).unwrap_or(u32::MAX),
        counters: Arc::default(),
        written: 0,
    });
}

fn word_buffer(device: &RenderDevice, units: u32) -> Buffer {
    device.create_buffer(&BufferDescriptor {
        label: Some("chunk meshes"),
        size: u64::from(units) * UNIT_BYTES,
        usage: BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}

/// Applies the changes of the main world.
pub(super) fn apply_changes(
    mut buffers: ResMut<ChunkBuffers>,
    mut scene: ResMut<ExtractedScene>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
) {
    let buffers = &mut *buffers;
    buffers.counters = Arc::clone(&scene.counters);
    for change in std::mem::take(&mut scene.changes) {
        match change {
            SceneChange::Show { pos, mesh, edited } => buffers.show(pos, &mesh, edited, &device, &queue),
            SceneChange::Remove(pos) => buffers.pool.remove(pos),
            SceneChange::Clear => buffers.pool.clear(),
        }
    }
    if let Some(filter) = scene.filter.take() {
        buffers.pool.chunks.iter_mut().for_each(|chunk| chunk.visible = (filter.draws)(chunk.pos));
        buffers.filter = filter;
    }
    DrawCounters::set(&buffers.counters.used_bytes, u64::from(buffers.pool.used()) * UNIT_BYTES);
    DrawCounters::set(&buffers.counters.buffer_bytes, u64::from(buffers.pool.capacity()) * UNIT_BYTES);
    DrawCounters::set(&buffers.counters.written_bytes, buffers.written);
}

impl ChunkBuffers {
    /// True if chunks outside the view are not drawn.
    pub(super) fn in_view_only(&self) -> bool {
        self.filter.in_view_only
    }

    /// Replaces the mesh of a chunk. If no room is left even after the buffer has grown, farther
    /// chunks make room.
    fn show(&mut self, pos: ChunkPos, mesh: &ChunkMesh, edited: bool, device: &RenderDevice, queue: &RenderQueue) {
        let visible = (self.filter.draws)(pos);
        let (words, written) = (self.words.clone(), &mut self.written);
        let write = |write: Write| *written += write_words(queue, &words, &write);
        let Err(needed) = self.pool.put(pos, mesh, edited, visible, write) else { return };
        self.make_room(needed, device, queue);
        let (words, written) = (self.words.clone(), &mut self.written);
        let write = |write: Write| *written += write_words(queue, &words, &write);
        if self.pool.put(pos, mesh, edited, visible, write).is_err() {
            warn_once!("the graphics card's buffer for chunks is full: some are not drawn");
        }
    }

    /// Makes a free range of `needed` units: by growing or, at the limit, by moving the chunks
    /// together.
    fn make_room(&mut self, needed: u32, device: &RenderDevice, queue: &RenderQueue) {
        let old = self.words.clone();
        let capacity = self.pool.capacity();
        let wanted = capacity + (capacity / 2).max(needed);
        let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor { label: Some("chunk meshes") });
        if wanted <= self.limit {
            self.words = word_buffer(device, wanted);
            encoder.copy_buffer_to_buffer(&old, 0, &self.words, 0, u64::from(capacity) * UNIT_BYTES);
            self.pool.grow(wanted);
        } else {
            self.words = word_buffer(device, capacity);
            let moved = self.pool.compact();
            let kept = moved.first().map_or(capacity, |range| range.to);
            let bytes = |units: u32| u64::from(units) * UNIT_BYTES;
            encoder.copy_buffer_to_buffer(&old, 0, &self.words, 0, bytes(kept));
            for range in moved {
                encoder.copy_buffer_to_buffer(&old, bytes(range.from), &self.words, bytes(range.to), bytes(range.len));
            }
        }
        // Earlier writes take effect before this copy, later ones after it.
        queue.submit([encoder.finish()]);
    }
}

/// Writes words; returns their bytes.
pub(super) fn write_words(queue: &RenderQueue, buffer: &Buffer, write: &Write) -> u64 {
    let bytes: Vec<u8> = write.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    queue.write_buffer(buffer, u64::from(write.at) * 4, &bytes);
    bytes.len() as u64
}
