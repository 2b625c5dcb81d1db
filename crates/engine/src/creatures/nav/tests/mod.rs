//! Navigation compared with plain searches from voxel to voxel.

mod paths;
mod reach;
mod worlds;
