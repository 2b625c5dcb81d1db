//! Navigation compared with plain searches from voxel to voxel.

mod reach;
mod worlds;
