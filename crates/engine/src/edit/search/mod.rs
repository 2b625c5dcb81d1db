//! Regions found in the world: voxels that a mask accepts, and connected voxels.
//!
//! The functions are associated with [`Region`](crate::edit::region::Region), but defined here
//! because they read chunks through masks, which use regions themselves.

pub(in crate::edit) mod by_mask;
mod flood;
mod spread;

pub use spread::Spread;

#[cfg(test)]
mod tests;
