//! Spots at which blocks are placed, and reasons why one is not.

use glam::{DVec3, IVec3};
use stonerun_engine::voxel::Face;

/// Reason why a block is not placed.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PlacingRefusal {
    /// The spot of a torch is in a liquid.
    #[error("a torch does not burn in water")]
    InLiquid,
    /// Nothing carries the torch.
    #[error("a torch needs a full block, or at least half a block of smooth ground below it")]
    NoCarrier,
    /// The map has no room for another material.
    #[error(
        "the map has no room for the material of another shape; copy what you build into a new map"
    )]
    NoMaterial,
}

/// The voxel at which a block is to be placed.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacingSpot {
    pub at: IVec3,
    /// Face of the neighbour that the block is placed against; `None` if it takes the place of a
    /// plant or a thin layer, or is placed in a void.
    pub against: Option<Face>,
    /// Point at which the ray meets the world, in the voxel, 0 to 1 along each axis.
    pub point: DVec3,
}
