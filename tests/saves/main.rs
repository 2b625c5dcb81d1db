//! Tests of map files: life cycle, damage, backups, wrong clocks, baking, named places, full disks,
//! killed processes and files that disappear.

#[path = "../common/mod.rs"]
mod common;

mod awake;
mod backup;
mod bake;
mod bake_command;
mod clock;
mod damage;
#[cfg(unix)]
mod disks;
mod history;
mod kill;
mod lifecycle;
mod liquid;
mod living_world;
mod map_format;
mod places;
mod regions;
#[cfg(unix)]
mod taken_away;
mod undo_steps;
