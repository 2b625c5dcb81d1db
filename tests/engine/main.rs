//! Tests of the engine's public interface: runs, the Moore walk, meshes, light, visibility and
//! textures; and of the structure of all packages.

mod clipboard_files;
mod light;
mod light_runs;
mod mesh;
mod moore_walk;
mod runs_model;
mod smooth_visibility;
mod structure;
mod textures;
mod visibility;
