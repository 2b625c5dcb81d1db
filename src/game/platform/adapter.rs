//! Check for a graphics adapter before Bevy starts, because Bevy panics without one.

use bevy::tasks::block_on;

/// The system has no usable graphics adapter.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error(
    "no graphics adapter: install a Vulkan driver (on Debian without a graphics card: \
     apt-get install mesa-vulkan-drivers libvulkan1)"
)]
pub struct NoAdapter;

/// Looks for a graphics adapter.
///
/// # Errors
/// No graphics adapter was found.
pub fn check() -> Result<(), NoAdapter> {
    let instance =
        wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
    adapter.map(drop).map_err(|_| NoAdapter)
}
