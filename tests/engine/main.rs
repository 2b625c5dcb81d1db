//! The engine through its public interface: runs, the Moore walk, meshes, light, visibility,
//! textures; and the structure of the crate.

mod clipboard_files;
mod light;
mod light_runs;
mod mesh;
mod moore_walk;
mod runs_model;
mod structure;
mod textures;
mod visibility;
