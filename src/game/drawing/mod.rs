//! Drawing of the world.
//!
//! - [`lighting`], [`meshing`], [`culling`]: loaded chunks are lit, meshed into quads, and hidden
//!   while the player's cell cannot see them.
//! - [`map_materials`]: materials that the open map gets while it is played.
//! - [`chunk_drawing`]: the chunks on the graphics card. [`render`]: shaders, sky, textures.
//! - [`camera`], with its [`lens`]; [`ambience`]: fog, darkness and water around the eyes.
//! - [`outline`]: the voxel under the crosshair, or its smooth ground or shape (`outline_bars`),
//!   drawn as bars (`outline_boxes`). [`box_mesh`], [`paint`]: meshes of boxes and their material,
//!   for overlays in the world.

pub mod ambience;
pub mod box_mesh;
pub mod camera;
pub mod chunk_drawing;
pub mod culling;
pub mod lens;
pub mod lighting;
pub mod map_materials;
pub mod meshing;
pub mod outline;
mod outline_bars;
mod outline_boxes;
pub mod paint;
pub mod render;
