//! Regions that are found in the world: the voxels that a mask accepts, and connected voxels.
//!
//! The functions belong to [`Region`](crate::edit::region::Region). They are here because they read
//! chunks through masks, which use regions themselves.

pub(in crate::edit) mod by_mask;
mod flood;
mod spread;

pub use spread::Spread;

#[cfg(test)]
mod tests;
