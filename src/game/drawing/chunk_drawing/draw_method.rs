//! The method by which draw records become draw calls.

use bevy::render::render_resource::WgpuFeatures;

/// A way to draw many records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawMethod {
    /// One draw call per record, with arguments from the processor.
    Direct,
    /// One call for all records of a list, with arguments from a buffer.
    Multi,
    /// One call for all records of a list, with arguments and their number from buffers.
    Count,
}

impl DrawMethod {
    /// The best method that is correct on a device.
    #[must_use]
    pub fn choose(features: WgpuFeatures, backend: wgpu::Backend) -> DrawMethod {
        if !features.contains(WgpuFeatures::INDIRECT_FIRST_INSTANCE) {
            // Records name their chunk by the first instance, which must be 0 without this feature.
            DrawMethod::Direct
        } else if features.contains(WgpuFeatures::MULTI_DRAW_INDIRECT_COUNT)
            && backend != wgpu::Backend::Dx12
        {
            // `Count` is preferred because Bevy's own draws are counted as well, and Mesa 22's
            // software driver draws only one record of a `Multi` that follows a counted draw. On
            // DX12 a counted draw loses the instance index (wgpu#7974).
            DrawMethod::Count
        } else {
            DrawMethod::Multi
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu::Backend;

    #[test]
    fn method_depends_on_device() {
        let first = WgpuFeatures::INDIRECT_FIRST_INSTANCE;
        let count = WgpuFeatures::MULTI_DRAW_INDIRECT_COUNT;
        assert_eq!(DrawMethod::choose(first | count, Backend::Vulkan), DrawMethod::Count);
        assert_eq!(DrawMethod::choose(first | count, Backend::Dx12), DrawMethod::Multi);
        assert_eq!(DrawMethod::choose(first, Backend::Metal), DrawMethod::Multi);
        assert_eq!(DrawMethod::choose(count, Backend::Vulkan), DrawMethod::Direct);
    }
}
