//! Searches compared with voxel-by-voxel searches.

use crate::edit::region::tests::{Voxels, check, voxels};
use crate::edit::region::{Ellipsoid, Region};
use crate::voxel::{Box3, CHUNK_VOLUME, ChunkPos, Voxel, linear_offset};
use glam::{DVec3, IVec3};

mod figures;
mod flood;
