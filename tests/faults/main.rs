//! Maps on disks that are full, fail, or lose their power at any moment.

mod dice;
mod disk;
mod maps;
mod power;
mod sweep;
mod vfs;
