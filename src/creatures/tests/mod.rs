//! Creatures in small worlds.

mod behaviour;
mod kind_files;
mod records;
mod spawning;
mod test_world;

use super::CreatureKinds;
use crate::voxel::MaterialTable;

/// The game's own kinds.
fn builtin_kinds(materials: &MaterialTable) -> CreatureKinds {
    CreatureKinds::builtin(materials).unwrap()
}
