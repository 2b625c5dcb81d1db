//! Is there anything to draw with? Asked before the engine starts, which would only panic.

use bevy::tasks::block_on;

/// Looks for a graphics adapter.
///
/// # Errors
/// There is none: one line that says what to do.
pub fn check() -> Result<(), String> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    match block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())) {
        Ok(_) => Ok(()),
        Err(_) => Err("no graphics adapter: install a Vulkan driver (on Debian without a graphics card: \
             apt-get install mesa-vulkan-drivers libvulkan1)"
            .into()),
    }
}
