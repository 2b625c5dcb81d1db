//! Visibility: the parts of the world that can be seen from a region, computed from the voxels.
//!
//! | module or type | contents |
//! |---|---|
//! | [`ChunkOcclusion`] | one chunk: its [`Occluders`] (voxels) and [`Rooms`] (open spaces) |
//! | [`OcclusionGrid`] | the chunks of a box, shared with background tasks |
//! | [`PortalGraph`] | the rooms of a box of chunks and the portals between them |
//! | [`Sweeper`] | spreads beams of lines of sight from a cell through the portal graph |
//! | [`refine`] | removes the hidden chunks from a swept set |
//! | [`PvsCache`] | the sets around the player, correct at every moment |
//! | [`RefineJob`] | work on one set, for another thread |
//! | [`bake`] | the sets of every cell of a finite world, as a map stores them |
//! | [`reachability`] | the cells that can be reached by walking |
//! | [`bitset`], [`Matrix`] | sets as bits; the sets of many cells |
//! | [`hilbert`], [`codec`] | an order of cells that compresses well; codecs of rows and matrices |
//! | [`graph_walk()`] | the rival method: a first-visit walk over chunk faces |
//!
//! The *visibility text* is van Waveren, "Run-Length Compression of Large Sparse Potential Visible
//! Sets" (2007). `docs/visibility.md` explains the design and its reasons.

pub mod bake;
mod beam;
pub mod bitset;
mod cell;
mod chunk_occlusion;
pub mod codec;
mod face_mask;
mod graph_walk;
pub mod hilbert;
mod matrix;
mod occluder_materials;
mod occluders;
mod occlusion_grid;
mod portal_graph;
mod pvs_cache;
pub mod reachability;
mod refine_job;
mod room_labels;
mod rooms;
mod shafts;
mod smooth_occluders;
mod sweep;
mod toroidal_index;

pub use cell::{Cell, CellId};
pub use chunk_occlusion::ChunkOcclusion;
pub use face_mask::OpeningRect;
pub use graph_walk::graph_walk;
pub use matrix::Matrix;
pub use occluder_materials::OccluderMaterials;
pub use occluders::Occluders;
pub use occlusion_grid::OcclusionGrid;
pub use portal_graph::{PortalGraph, RoomNode};
pub use pvs_cache::{CacheStats, CurrentSet, PvsCache};
pub use refine_job::{RefineJob, RefineResult, SetSource};
pub use rooms::{MixedRooms, Room, Rooms};
pub use shafts::refine;
pub use sweep::{Sweeper, VisibleSet};
pub use toroidal_index::ToroidalIndex;
