//! The world as a picture.
//!
//! - [`lighting`], [`meshing`], [`culling`]: loaded chunks are lit, become quads, and are hidden
//!   while no ray reaches them.
//! - [`chunk_drawing`]: the chunks on the graphics card. [`render`]: shaders, sky, textures.
//! - [`camera`], with its [`lens`]; [`ambience`]: fog, caves and water around the eyes.
//! - [`outline`]: the voxel aimed at. [`box_mesh`], [`paint`]: meshes of boxes and their material,
//!   for drawings in the world.

pub mod ambience;
pub mod box_mesh;
pub mod camera;
pub mod chunk_drawing;
pub mod culling;
pub mod lens;
pub mod lighting;
pub mod meshing;
pub mod outline;
pub mod paint;
pub mod render;
