//! Drawing of chunks: quads pulled from one large buffer, one draw call per list.
//!
//! Bevy's mesh entities would cost an entity, a mesh asset, 56 bytes per quad and a draw per chunk
//! and list. Here the main world passes meshes to [`ChunkScene`]; the render world keeps their
//! words in one buffer and draws each list of all chunks with one call.
//!
//! ```text
//! background      drawn_mesh (translucent_order)           -> meshes ready to be drawn
//! main world      ChunkScene: changed meshes, filter
//!    | extract
//! render world    chunk_pool (range_allocator, quad_diff)  -> words to write
//!                 gpu_buffers                              -> the buffer
//!                 draw_list (translucent_order)            -> records of each view
//!                 phases, depth_phases, pipeline,
//!                 quad_indices                             -> draw calls, chunk.wgsl
//! ```

mod appearance;
mod chunk_pool;
mod depth_phases;
mod draw_list;
mod draw_method;
mod drawn_mesh;
mod extract;
mod gpu_buffers;
mod phases;
mod pipeline;
mod plugin;
mod quad_diff;
mod quad_indices;
mod range_allocator;
mod scene;
mod surface_words;
mod translucent_order;
mod view_draws;
mod water_depth;

pub use appearance::{ChunkParams, FaceMaterialWords, renew_words};
pub use drawn_mesh::DrawnMesh;
pub use plugin::ChunkDrawingPlugin;
pub use scene::{ChunkScene, DrawCounters, DrawFilter};
pub use surface_words::SurfaceWords;
