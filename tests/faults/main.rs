//! Maps on disks that are full, fail, or lose power at any moment.

mod dice;
mod disk;
mod maps;
mod power;
mod sweep;
mod vfs;
