//! The buffers of chunk drawing on the GPU, in the render world.

use crate::game::drawing::chunk_drawing::chunk_pool::{ChunkPool, MakeRoom, UNIT_WORDS, WordWrite};
use crate::game::drawing::chunk_drawing::draw_method::DrawMethod;
use crate::game::drawing::chunk_drawing::drawn_mesh::DrawnMesh;
use crate::game::drawing::chunk_drawing::extract::ExtractedScene;
use crate::game::drawing::chunk_drawing::scene::{DrawCounters, DrawFilter, SceneChange};
use bevy::prelude::*;
use bevy::render::render_resource::{
    Buffer, BufferDescriptor, BufferUsages, CommandEncoderDescriptor,
};
use bevy::render::renderer::{RenderAdapterInfo, RenderDevice, RenderQueue};
use std::sync::Arc;
use stonerun_engine::light::LightBricks;
use stonerun_engine::voxel::ChunkPos;

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
    /// Method by which records are drawn.
    pub(super) method: DrawMethod,
    filter: DrawFilter,
    /// Maximum size of a buffer that the device can bind, in bytes.
    device_limit: u64,
    /// Bytes of the budget unless the player chooses another.
    default_budget: u64,
    /// Maximum size of the pool's buffer under the budget, in units.
    limit: u32,
    /// Chunk from which distances count.
    centre: ChunkPos,
    pub(super) counters: Arc<DrawCounters>,
    /// Bytes written since the start.
    pub(super) written: u64,
}

/// Creates the buffers.
pub(super) fn create(
    mut commands: Commands,
    device: Res<RenderDevice>,
    info: Res<RenderAdapterInfo>,
) {
    let (pool, words) = empty_pool(&device);
    let limits = device.limits();
    commands.insert_resource(ChunkBuffers {
        words,
        pool,
        method: DrawMethod::choose(device.features(), info.backend),
        filter: DrawFilter::default(),
        device_limit: limits.max_storage_buffer_binding_size.min(limits.max_buffer_size),
        default_budget: default_budget(info.device_type),
        limit: u32::MAX,
        centre: ChunkPos::default(),
        counters: Arc::default(),
        written: 0,
    });
}

/// Default budget for chunks in bytes, by kind of device. wgpu does not report the memory of an
/// adapter, so these are guesses.
fn default_budget(device: wgpu::DeviceType) -> u64 {
    match device {
        wgpu::DeviceType::DiscreteGpu => 1 << 30,
        wgpu::DeviceType::IntegratedGpu | wgpu::DeviceType::VirtualGpu => 512 << 20,
        wgpu::DeviceType::Cpu | wgpu::DeviceType::Other => 256 << 20,
    }
}

fn empty_pool(device: &RenderDevice) -> (ChunkPool, Buffer) {
    let mut pool = ChunkPool::default();
    pool.grow((FIRST_BYTES / UNIT_BYTES) as u32);
    let words = word_buffer(device, pool.capacity());
    (pool, words)
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
    buffers.centre = scene.centre;
    buffers.set_budget(scene.budget, &device, &queue);
    for change in std::mem::take(&mut scene.changes) {
        match change {
            SceneChange::Show { pos, mut mesh, light, edited } => {
                buffers.show(pos, &mut mesh, &light, edited, &device, &queue);
            }
            SceneChange::Relight { pos, light } => buffers.relight(pos, &light, &queue),
            SceneChange::Remove(pos) => buffers.pool.remove(pos),
            SceneChange::Clear => (buffers.pool, buffers.words) = empty_pool(&device),
        }
    }
    if let Some(filter) = scene.filter.take() {
        for chunk in &mut buffers.pool.chunks {
            chunk.visible = (filter.draws)(chunk.pos);
        }
        buffers.filter = filter;
    }
    let quads = buffers.pool.chunks.iter().flat_map(|chunk| chunk.quads).map(u64::from).sum();
    DrawCounters::set(&buffers.counters.all_quads, quads);
    DrawCounters::set(&buffers.counters.used_bytes, u64::from(buffers.pool.used()) * UNIT_BYTES);
    DrawCounters::set(
        &buffers.counters.buffer_bytes,
        u64::from(buffers.pool.capacity()) * UNIT_BYTES,
    );
    DrawCounters::set(&buffers.counters.budget_bytes, u64::from(buffers.limit) * UNIT_BYTES);
    DrawCounters::set(&buffers.counters.written_bytes, buffers.written);
}

impl ChunkBuffers {
    /// True if chunks outside the view are not drawn.
    pub(super) fn in_view_only(&self) -> bool {
        self.filter.in_view_only
    }

    /// Limits the buffer to a budget in bytes; `None` for the default. Far chunks are dropped if
    /// they do not fit any more.
    fn set_budget(&mut self, budget: Option<u64>, device: &RenderDevice, queue: &RenderQueue) {
        let bytes = budget.unwrap_or(self.default_budget).min(self.device_limit);
        let limit = u32::try_from(bytes / UNIT_BYTES).unwrap_or(u32::MAX);
        if std::mem::replace(&mut self.limit, limit) == limit || self.pool.capacity() <= limit {
            return;
        }
        for farthest in self.pool.farthest_first(self.centre) {
            if self.pool.used() <= limit {
                break;
            }
            self.drop_chunk(farthest);
        }
        self.compact(limit, device, queue);
    }

    /// Replaces the mesh of a chunk. If the budget is used up, the farthest chunks make room.
    fn show(
        &mut self,
        pos: ChunkPos,
        mesh: &mut DrawnMesh,
        light: &LightBricks,
        edited: bool,
        device: &RenderDevice,
        queue: &RenderQueue,
    ) {
        let visible = (self.filter.draws)(pos);
        loop {
            let words = self.words.clone();
            let written = &mut self.written;
            let write = |write: WordWrite| *written += write_words(queue, &words, &write);
            let Err(needed) = self.pool.put(pos, mesh, light, edited, visible, write) else {
                return;
            };
            if !self.make_room(needed, pos, device, queue) {
                return self.drop_chunk(pos);
            }
        }
    }

    /// Replaces the light of a chunk, or reports that it has no room.
    fn relight(&mut self, pos: ChunkPos, light: &LightBricks, queue: &RenderQueue) {
        let words = &self.words;
        let written = &mut self.written;
        let fits =
            self.pool.relight(pos, light, |write| *written += write_words(queue, words, &write));
        if !fits && let Ok(mut outgrown) = self.counters.outgrown.lock() {
            outgrown.push(pos);
        }
    }

    /// Makes room for a chunk. Returns false if that is impossible.
    fn make_room(
        &mut self,
        needed: u32,
        pos: ChunkPos,
        device: &RenderDevice,
        queue: &RenderQueue,
    ) -> bool {
        match self.pool.room_for(needed, pos, self.centre, self.limit) {
            MakeRoom::Grow(capacity) => self.grow(capacity, device, queue),
            MakeRoom::Compact => self.compact(self.pool.capacity(), device, queue),
            MakeRoom::Drop(farthest) => self.drop_chunk(farthest),
            MakeRoom::None => return false,
        }
        true
    }

    /// Copies all words into a buffer of `capacity` units.
    fn grow(&mut self, capacity: u32, device: &RenderDevice, queue: &RenderQueue) {
        let old = std::mem::replace(&mut self.words, word_buffer(device, capacity));
        let mut encoder = device.create_command_encoder(&ENCODER);
        encoder.copy_buffer_to_buffer(
            &old,
            0,
            &self.words,
            0,
            u64::from(self.pool.capacity()) * UNIT_BYTES,
        );
        queue.submit([encoder.finish()]);
        self.pool.grow(capacity);
    }

    /// Moves all chunks together at the start of a buffer of `capacity` units.
    fn compact(&mut self, capacity: u32, device: &RenderDevice, queue: &RenderQueue) {
        let bytes = |units: u32| u64::from(units) * UNIT_BYTES;
        let old = self.words.clone();
        self.words = word_buffer(device, capacity);
        let moved = self.pool.compact();
        self.pool.shrink(capacity);
        let mut encoder = device.create_command_encoder(&ENCODER);
        let unmoved = moved.first().map_or(self.pool.used(), |range| range.to);
        if unmoved > 0 {
            encoder.copy_buffer_to_buffer(&old, 0, &self.words, 0, bytes(unmoved));
        }
        for range in moved {
            encoder.copy_buffer_to_buffer(
                &old,
                bytes(range.from),
                &self.words,
                bytes(range.to),
                bytes(range.len),
            );
        }
        // The queue keeps the order: earlier writes take effect before these copies, later ones
        // after.
        queue.submit([encoder.finish()]);
    }

    /// Stops drawing a chunk for lack of memory, and reports it.
    fn drop_chunk(&mut self, pos: ChunkPos) {
        self.pool.remove(pos);
        if let Ok(mut dropped) = self.counters.dropped.lock() {
            dropped.push(pos);
        }
    }
}

const ENCODER: CommandEncoderDescriptor<'static> =
    CommandEncoderDescriptor { label: Some("chunk meshes") };

/// Writes words; returns their bytes.
pub(super) fn write_words(queue: &RenderQueue, buffer: &Buffer, write: &WordWrite) -> u64 {
    let bytes: Vec<u8> = write.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    queue.write_buffer(buffer, u64::from(write.at) * 4, &bytes);
    bytes.len() as u64
}
