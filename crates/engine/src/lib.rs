//! The engine of Stonerun: a voxel world that is runs all the way down.
//!
//! A chunk of 32 x 32 x 32 voxels is a tree of runs. Everything here works on runs: walking,
//! meshing, lighting, simulating, editing and saving. No module depends on Bevy, a window or the
//! command line.
//!
//! ```
//! use glam::IVec3;
//! use stonerun_engine::save::{Header, MapChanges, MapFile};
//! use stonerun_engine::voxel::{Box3, ChunkPos, MaterialTable, Voxel};
//! use stonerun_engine::world::{Chunk, World};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let materials = MaterialTable::builtin();
//! let stone = Voxel::full(materials.find("stone").ok_or("no stone")?);
//! let pos = ChunkPos::new(0, 0, 0);
//! let mut world = World::new();
//! world.insert(pos, Chunk::uniform(Voxel::AIR));
//! world.fill(Box3::spanning(IVec3::ZERO, IVec3::new(31, 7, 31)), stone);
//!
//! let chunk = world.chunk(pos).ok_or("not loaded")?;
//! let lengths: Vec<u32> = chunk.runs().map(|run| run.len).collect();
//! assert_eq!(lengths, [8 * 32 * 32, 24 * 32 * 32]);
//!
//! let header = Header::new(1, "void", 0);
//! let mut map = MapFile::create(&folder.path().join("slab.stonerun"), &header, &materials)?;
//! map.save(&MapChanges::new(vec![(pos, chunk.clone())], header, materials.into()))?;
//! map.close()?;
//! # Ok(())
//! # }
//! ```
//!
//! A module uses only the modules below it in the order that `ARCHITECTURE.md` gives.

#![warn(missing_docs)]

pub mod bits;
pub mod body;
pub mod codec;
pub mod contour;
pub mod creatures;
pub mod edit;
pub mod history;
pub mod light;
pub mod mesh;
pub mod metrics;
pub mod random;
pub mod ron_text;
pub mod rules;
pub mod runs;
pub mod save;
pub mod surface;
pub mod terrain;
pub mod variants;
pub mod visibility;
pub mod voxel;
pub mod world;
