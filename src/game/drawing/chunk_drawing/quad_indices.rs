//! The index buffer of all quads. With indices, a quad's four vertices are shaded once each, not
//! once per triangle.

use bevy::render::render_resource::{Buffer, BufferInitDescriptor, BufferUsages};
use bevy::render::renderer::RenderDevice;

/// Vertices of a quad's two triangles. For faces that look the other way the shader exchanges
/// vertices 1 and 2.
const TRIANGLES: [u32; 6] = [0, 1, 2, 1, 3, 2];
/// Indices of a quad.
pub const QUAD_INDICES: u32 = TRIANGLES.len() as u32;
/// Vertices of a quad.
const QUAD_VERTICES: u32 = 4;
/// Quads that the buffer has room for at the start.
const FIRST_QUADS: u32 = 1 << 13;

/// Indices for lists of up to a number of quads.
pub struct QuadIndices {
    /// 32-bit indices.
    pub buffer: Buffer,
    quads: u32,
}

impl QuadIndices {
    /// Creates the buffer.
    #[must_use]
    pub fn new(device: &RenderDevice) -> QuadIndices {
        QuadIndices { buffer: index_buffer(device, FIRST_QUADS), quads: FIRST_QUADS }
    }

    /// Enlarges the buffer if a list has more quads than it has room for.
    pub fn reserve(&mut self, device: &RenderDevice, quads: u32) {
        if quads > self.quads {
            self.quads = quads.next_power_of_two();
            self.buffer = index_buffer(device, self.quads);
        }
    }
}

fn index_buffer(device: &RenderDevice, quads: u32) -> Buffer {
    let bytes: Vec<u8> = indices(quads).flat_map(u32::to_le_bytes).collect();
    device.create_buffer_with_data(&BufferInitDescriptor {
        label: Some("quad indices"),
        contents: &bytes,
        usage: BufferUsages::INDEX,
    })
}

fn indices(quads: u32) -> impl Iterator<Item = u32> {
    (0..quads).flat_map(|quad| TRIANGLES.map(|vertex| quad * QUAD_VERTICES + vertex))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_those_of_four_vertices_per_quad() {
        let indices: Vec<u32> = indices(2).collect();
        assert_eq!(indices, [0, 1, 2, 1, 3, 2, 4, 5, 6, 5, 7, 6]);
        assert_eq!(indices.len(), 2 * QUAD_INDICES as usize);
    }
}
