//! The draw records of all views of a frame, and their bind group.

use crate::game::drawing::chunk_drawing::appearance::ChunkParams;
use crate::game::drawing::chunk_drawing::draw_list::{DrawList, DrawRecord, ViewPoint};
use crate::game::drawing::chunk_drawing::draw_method::DrawMethod;
use crate::game::drawing::chunk_drawing::extract::ExtractedScene;
use crate::game::drawing::chunk_drawing::gpu_buffers::{ChunkBuffers, write_words};
use crate::game::drawing::chunk_drawing::pipeline::ChunkPipeline;
use crate::game::drawing::chunk_drawing::quad_indices::{QUAD_INDICES, QuadIndices};
use crate::game::drawing::chunk_drawing::scene::DrawCounters;
use bevy::pbr::{LightEntity, MeshPipelineKey, ViewKeyCache};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::{
    BindGroup, BindGroupEntries, Buffer, BufferDescriptor, BufferInitDescriptor, BufferUsages,
    PipelineCache, ShaderType, UniformBuffer,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::texture::GpuImage;
use bevy::render::view::ExtractedView;
use std::sync::Arc;

/// Distance by which the eye of an orthographic view is moved back to find the drawing order, in
/// voxels.
const PARALLEL_EYE: f32 = 8192.0;
/// Prepasses that chunks are drawn in.
const PREPASSES: MeshPipelineKey =
    MeshPipelineKey::DEPTH_PREPASS.union(MeshPipelineKey::NORMAL_PREPASS);

/// Draw records of one list of one view.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct RecordRange {
    /// Index of the first record.
    pub(super) first: u32,
    /// Number of records.
    pub(super) len: u32,
    /// Index of the number of records in the buffer of counts.
    pub(super) counter: u32,
}

/// Uniforms of the chunk shader.
#[derive(Clone, Copy, ShaderType)]
struct ChunkUniforms {
    params: ChunkParams,
    /// Render origin in voxels.
    origin: IVec3,
}

/// Draw records and bind group of the current frame.
#[derive(Resource)]
pub(super) struct ViewDraws {
    pub(super) method: DrawMethod,
    /// The records on the GPU, and their number in each list.
    pub(super) arguments: Buffer,
    pub(super) counts: Buffer,
    pub(super) indices: QuadIndices,
    pub(super) records: Vec<DrawRecord>,
    /// Ranges of records by view, then list.
    pub(super) ranges: HashMap<Entity, [RecordRange; 4]>,
    pub(super) bind_group: Option<BindGroup>,
    uniforms: UniformBuffer<ChunkUniforms>,
    face_materials: Option<(Arc<Vec<[u32; 2]>>, Buffer)>,
}

/// Creates the buffers.
pub(super) fn create(mut commands: Commands, device: Res<RenderDevice>) {
    let params = ChunkUniforms { params: ChunkParams::default(), origin: IVec3::ZERO };
    commands.insert_resource(ViewDraws {
        method: DrawMethod::Direct,
        arguments: indirect_buffer(&device, 1 << 14),
        counts: indirect_buffer(&device, 1 << 10),
        indices: QuadIndices::new(&device),
        records: Vec::new(),
        ranges: HashMap::default(),
        bind_group: None,
        uniforms: UniformBuffer::from(params),
        face_materials: None,
    });
}

fn indirect_buffer(device: &RenderDevice, size: u64) -> Buffer {
    device.create_buffer(&BufferDescriptor {
        label: Some("chunk draws"),
        size,
        usage: BufferUsages::INDIRECT | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// Collects and uploads the records of every view.
pub(super) fn collect(
    mut draws: ResMut<ViewDraws>,
    mut buffers: ResMut<ChunkBuffers>,
    scene: Res<ExtractedScene>,
    keys: Res<ViewKeyCache>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
    views: Query<(Entity, &ExtractedView, Has<LightEntity>)>,
) {
    let draws = &mut *draws;
    let buffers = &mut *buffers;
    draws.method = buffers.method;
    draws.records.clear();
    draws.ranges.clear();
    let mut counts: Vec<u32> = Vec::new();
    let mut chunks = 0;
    let mut quads = 0;
    let mut calls = 0;
    for (entity, view, is_light) in &views {
        let key = keys.get(&view.retained_view_entity);
        if key.is_none() && !is_light {
            continue;
        }
        let world_from_view = view.world_from_view.to_matrix();
        let clip_from_world =
            view.clip_from_world.unwrap_or_else(|| view.clip_from_view * world_from_view.inverse());
        let mut eye = view.world_from_view.translation();
        if !is_light && view.clip_from_view.w_axis.w == 1.0 {
            // Parallel rays have no eye. A distant one gives nearly the same order.
            eye += view.world_from_view.back() * PARALLEL_EYE;
        }
        let point = ViewPoint {
            clip_from_world,
            eye,
            origin: scene.origin,
            cull: buffers.in_view_only(),
            is_light,
        };
        let ChunkBuffers { pool, words, written, .. } = &mut *buffers;
        let list =
            DrawList::new(pool, &point, |write| *written += write_words(&queue, words, &write));
        if !is_light {
            chunks += u64::from(list.chunks);
            quads += list.quads.iter().map(|&quads| u64::from(quads)).sum::<u64>();
        }
        // A prepass draws all lists but the translucent one once more.
        let prepass = u64::from(key.is_some_and(|key| key.intersects(PREPASSES)));
        let mut passes = [1 + prepass, 1 + prepass, 1, 1 + prepass].into_iter();
        let ranges = list.records.map(|records| {
            let range = RecordRange {
                first: draws.records.len() as u32,
                len: records.len() as u32,
                counter: counts.len() as u32,
            };
            counts.push(range.len);
            let calls_per_pass = match draws.method {
                DrawMethod::Direct => u64::from(range.len),
                DrawMethod::Multi | DrawMethod::Count => u64::from(range.len > 0),
            };
            calls += calls_per_pass * passes.next().unwrap_or(1);
            draws.records.extend(records);
            range
        });
        draws.ranges.insert(entity, ranges);
    }
    let longest = draws.records.iter().map(|record| record.indices / QUAD_INDICES).max();
    draws.indices.reserve(&device, longest.unwrap_or(0));
    if draws.method != DrawMethod::Direct {
        let records: Vec<u8> = draws.records.iter().flat_map(|record| record.to_bytes()).collect();
        upload(&device, &queue, &mut draws.arguments, &records);
        let counts: Vec<u8> = counts.iter().flat_map(|count| count.to_le_bytes()).collect();
        upload(&device, &queue, &mut draws.counts, &counts);
    }
    DrawCounters::set(&buffers.counters.chunks, chunks);
    DrawCounters::set(&buffers.counters.quads, quads);
    DrawCounters::set(&buffers.counters.calls, calls);
}

/// Writes to the start of a buffer, which is replaced by a larger one if necessary.
fn upload(device: &RenderDevice, queue: &RenderQueue, buffer: &mut Buffer, bytes: &[u8]) {
    if bytes.len() as u64 > buffer.size() {
        *buffer = indirect_buffer(device, (bytes.len() as u64).next_power_of_two());
    }
    if !bytes.is_empty() {
        queue.write_buffer(buffer, 0, bytes);
    }
}

/// Writes the uniforms and builds the bind group.
pub(super) fn bind(
    mut draws: ResMut<ViewDraws>,
    buffers: Res<ChunkBuffers>,
    scene: Res<ExtractedScene>,
    images: Res<RenderAssets<GpuImage>>,
    pipeline: Res<ChunkPipeline>,
    cache: Res<PipelineCache>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
) {
    let draws = &mut *draws;
    draws.uniforms.set(ChunkUniforms { params: scene.params, origin: scene.origin });
    draws.uniforms.write_buffer(&device, &queue);
    let is_current =
        |(words, _): &(Arc<Vec<[u32; 2]>>, Buffer)| Arc::ptr_eq(words, &scene.face_materials);
    if !draws.face_materials.as_ref().is_some_and(is_current) && !scene.face_materials.is_empty() {
        let bytes: Vec<u8> = scene
            .face_materials
            .as_flattened()
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        let buffer = device.create_buffer_with_data(&BufferInitDescriptor {
            label: Some("face materials"),
            contents: &bytes,
            usage: BufferUsages::STORAGE,
        });
        draws.face_materials = Some((Arc::clone(&scene.face_materials), buffer));
    }
    draws.bind_group = (|| {
        let tiles = images.get(scene.tiles.as_ref()?)?;
        let (_, face_materials) = draws.face_materials.as_ref()?;
        let entries = BindGroupEntries::sequential((
            draws.uniforms.binding()?,
            &tiles.texture_view,
            &tiles.sampler,
            face_materials.as_entire_binding(),
            buffers.words.as_entire_binding(),
        ));
        Some(device.create_bind_group(
            "chunks",
            &cache.get_bind_group_layout(&pipeline.layout),
            &entries,
        ))
    })();
}
