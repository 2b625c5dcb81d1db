//! Export of scenes as triangle meshes: glTF (`glb`) and Wavefront (`obj`).
//!
//! The meshes are the same as in the game: the quads of [`stonerun_engine::mesh`] and the triangles
//! of [`stonerun_engine::surface`] (`ground`), one voxel per metre, y up, x east and z south
//! (`surfaces`). Their tests are in `export/mesh_tests`,
//! because they write files.

mod corner;
pub(super) mod glb;
mod gltf_document;
mod ground;
pub(super) mod obj;
mod surfaces;
