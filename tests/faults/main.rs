//! Maps on disks that are full, fail, or lose power at any moment.

mod backups;
mod dice;
mod disk;
mod maps;
mod power;
mod sweep;
mod vfs;
