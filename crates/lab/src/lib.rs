//! The laboratory: the tables of the three texts, measured on any input, with rival stores compared
//! with the run tree.
//!
//! Only the command line, tests and benchmarks use the laboratory; the game and the engine never
//! do.
//!
//! - [`codecs`]: the codecs of the map file, compared with LZ4 over a dense array.
//! - [`creatures`]: reach, paths and creatures, compared with plain searches from voxel to voxel.
//! - [`edit`]: edits of large boxes, compared with a flat array and FastAsyncWorldEdit's history
//!   format.
//! - [`fly`]: voxel operations of each game task, counted on a scripted flight.
//! - [`input`]: maps, importable files, generated worlds and the world of the 0fps text.
//! - [`iteration`]: the 0fps text's table: random access and iteration, in nanoseconds.
//! - [`light`]: time and size of light, compared with a queue and Starlight's scheme.
//! - [`mesh`]: time and size of meshes.
//! - [`pvs`]: the visibility text's table: bytes of potentially visible sets in each codec.
//! - [`rivals`]: the stores of the 0fps and Roblox texts, and the run tree, behind one trait.
//! - [`rules`]: rules compared with a scan over a flat array, and dust with a bit per voxel.
//! - [`shaping`]: shaping tools, and smoothing next to a flat array.
//! - [`storage_world`]: the generated world of the Roblox text's storage table.
//! - [`surface`]: surfaces of smooth ground, next to surface nets.
//! - [`visibility`]: visible sets of random cells, verified by rays and compared with a graph walk.

#![warn(missing_docs)]

pub mod codecs;
pub mod creatures;
pub mod edit;
pub mod fly;
pub mod input;
pub mod iteration;
pub mod light;
pub mod mesh;
pub mod pvs;
pub mod rivals;
pub mod rules;
pub mod shaping;
pub mod storage_world;
pub mod surface;
pub mod visibility;
