//! The renderer: wgpu's no-op backend, or the graphics card.

use bevy::prelude::*;
use bevy::render::render_resource::{PollType, WgpuFeatures};
use bevy::render::renderer::{
    RenderAdapter, RenderAdapterInfo, RenderDevice, RenderInstance, RenderQueue, WgpuWrapper,
};
use bevy::render::settings::RenderCreation;
use bevy::render::{Render, RenderApp, RenderSystems};
use std::sync::Arc;

/// A renderer on wgpu's no-op backend, with the features and limits of a desktop's graphics card.
pub fn noop() -> RenderCreation {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::NOOP,
        flags: wgpu::InstanceFlags::empty(),
        memory_budget_thresholds: wgpu::MemoryBudgetThresholds::default(),
        display: None,
        backend_options: wgpu::BackendOptions {
            noop: wgpu::NoopBackendOptions { enable: true },
            ..wgpu::BackendOptions::default()
        },
    });
    let adapter =
        bevy::tasks::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))
            .expect("the no-op backend always has an adapter");
    let (device, queue) = bevy::tasks::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        required_features: WgpuFeatures::INDIRECT_FIRST_INSTANCE
            | WgpuFeatures::MULTI_DRAW_INDIRECT_COUNT
            | WgpuFeatures::DEPTH_CLIP_CONTROL
            | WgpuFeatures::FLOAT32_FILTERABLE
            | WgpuFeatures::RG11B10UFLOAT_RENDERABLE
            | WgpuFeatures::IMMEDIATES,
        required_limits: wgpu::Limits {
            max_buffer_size: (1 << 31) - 1,
            max_storage_buffer_binding_size: (1 << 31) - 4,
            max_storage_buffers_per_shader_stage: 64,
            max_storage_textures_per_shader_stage: 16,
            max_immediate_size: 128,
            max_bind_groups: 8,
            ..wgpu::Limits::default()
        },
        ..wgpu::DeviceDescriptor::default()
    }))
    .expect("the no-op adapter has all features");
    let info = adapter.get_info();
    RenderCreation::manual(
        device.into(),
        RenderQueue(Arc::new(WgpuWrapper::new(queue))),
        RenderAdapterInfo(WgpuWrapper::new(info)),
        RenderAdapter(Arc::new(WgpuWrapper::new(adapter))),
        RenderInstance(Arc::new(WgpuWrapper::new(instance))),
    )
}

/// Lets each frame wait until the graphics card has finished it.
pub fn wait_for_card(app: &mut App) {
    app.sub_app_mut(RenderApp).add_systems(Render, wait.in_set(RenderSystems::Cleanup));
}

fn wait(device: Res<RenderDevice>, info: Res<RenderAdapterInfo>, mut is_named: Local<bool>) {
    if !std::mem::replace(&mut *is_named, true) {
        println!("drawn by {}", info.name);
    }
    device.poll(PollType::wait_indefinitely()).expect("the graphics card answers");
}
