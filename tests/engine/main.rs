//! The engine through its public interface: runs, the Moore walk, meshes, visibility, textures; and
//! the structure of the crate.

mod mesh;
mod moore_walk;
mod runs_model;
mod structure;
mod textures;
mod visibility;
