//! The depth behind translucent quads: a copy of the depth buffer after the opaque pass.
//!
//! The water shader needs it, because water is clear where it is shallow. The depth buffer itself
//! cannot be read while translucent quads are tested against it.

use crate::game::drawing::chunk_drawing::view_draws::ViewDraws;
use bevy::core_pipeline::core_3d::{
    CORE_3D_DEPTH_FORMAT, main_opaque_pass_3d, main_transparent_pass_3d,
};
use bevy::core_pipeline::schedule::{Core3d, Core3dSystems};
use bevy::ecs::query::ROQueryItem;
use bevy::ecs::system::SystemParamItem;
use bevy::ecs::system::lifetimeless::Read;
use bevy::prelude::*;
use bevy::render::render_phase::{
    PhaseItem, RenderCommand, RenderCommandResult, TrackedRenderPass,
};
use bevy::render::render_resource::binding_types::texture_depth_2d;
use bevy::render::render_resource::{
    BindGroup, BindGroupEntries, BindGroupLayoutDescriptor, BindGroupLayoutEntries, PipelineCache,
    ShaderStages, Texture, TextureDescriptor, TextureDimension, TextureUsages,
};
use bevy::render::renderer::{RenderContext, RenderDevice, ViewQuery};
use bevy::render::texture::TextureCache;
use bevy::render::view::ViewDepthTexture;
use bevy::render::{Render, RenderSystems};

/// The copy of a view's depth buffer.
#[derive(Component)]
pub(super) struct WaterDepth {
    texture: Texture,
    bind_group: BindGroup,
}

/// Layout of the bind group of the copy.
#[derive(Resource)]
pub(super) struct WaterDepthLayout(pub(super) BindGroupLayoutDescriptor);

impl Default for WaterDepthLayout {
    fn default() -> WaterDepthLayout {
        let entries = BindGroupLayoutEntries::single(ShaderStages::FRAGMENT, texture_depth_2d());
        WaterDepthLayout(BindGroupLayoutDescriptor::new("water depth", &entries))
    }
}

/// Adds the copy to the render world.
pub(super) fn add(render_app: &mut SubApp) {
    render_app
        .init_resource::<WaterDepthLayout>()
        .add_systems(Render, prepare.in_set(RenderSystems::PrepareBindGroups))
        .add_systems(
            Core3d,
            copy.after(main_opaque_pass_3d)
                .before(main_transparent_pass_3d)
                .in_set(Core3dSystems::MainPass),
        );
}

/// Creates the copy of each view.
fn prepare(
    mut commands: Commands,
    mut textures: ResMut<TextureCache>,
    layout: Res<WaterDepthLayout>,
    cache: Res<PipelineCache>,
    device: Res<RenderDevice>,
    views: Query<(Entity, &ViewDepthTexture)>,
) {
    for (entity, depth) in &views {
        // A depth buffer that is multisampled or lacks `COPY_SRC` cannot be copied; nothing
        // translucent is drawn then. See `camera::world_camera`.
        if depth.texture.sample_count() > 1
            || !depth.texture.usage().contains(TextureUsages::COPY_SRC)
        {
            continue;
        }
        let copy = textures.get(
            &device,
            TextureDescriptor {
                label: Some("water depth"),
                size: depth.texture.size(),
                mip_level_count: 1,
                sample_count: 1,
                dimension: TextureDimension::D2,
                format: CORE_3D_DEPTH_FORMAT,
                usage: TextureUsages::COPY_DST | TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            },
        );
        let entries = BindGroupEntries::single(&copy.default_view);
        let bind_group = device.create_bind_group(
            "water depth",
            &cache.get_bind_group_layout(&layout.0),
            &entries,
        );
        commands.entity(entity).insert(WaterDepth { texture: copy.texture, bind_group });
    }
}

/// Copies the depth of the opaque pass, if anything translucent is in view.
fn copy(
    view: ViewQuery<(&ViewDepthTexture, &WaterDepth)>,
    draws: Res<ViewDraws>,
    mut context: RenderContext,
) {
    if draws.ranges.get(&view.entity()).is_none_or(|ranges| ranges[2].len == 0) {
        return;
    }
    let (depth, copy) = view.into_inner();
    context.command_encoder().copy_texture_to_texture(
        depth.texture.as_image_copy(),
        copy.texture.as_image_copy(),
        depth.texture.size(),
    );
}

/// Binds the copy as bind group `I`; without a copy, nothing is drawn.
pub(super) struct SetWaterDepth<const I: usize>;

impl<P: PhaseItem, const I: usize> RenderCommand<P> for SetWaterDepth<I> {
    type Param = ();
    type ViewQuery = Option<Read<WaterDepth>>;
    type ItemQuery = ();

    fn render<'w>(
        _: &P,
        depth: ROQueryItem<'w, '_, Self::ViewQuery>,
        _: Option<()>,
        (): SystemParamItem<'w, '_, ()>,
        pass: &mut TrackedRenderPass<'w>,
    ) -> RenderCommandResult {
        let Some(depth) = depth else { return RenderCommandResult::Skip };
        pass.set_bind_group(I, &depth.bind_group, &[]);
        RenderCommandResult::Success
    }
}
