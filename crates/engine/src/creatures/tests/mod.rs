//! Creatures in small worlds.

mod behaviour;
mod changed_paths;
mod kind_files;
mod paths;
mod records;
mod spawning;
mod test_world;

use super::CreatureKinds;
use crate::voxel::MaterialTable;

/// The game's own kinds.
fn builtin_kinds(materials: &MaterialTable) -> CreatureKinds {
    CreatureKinds::builtin(materials).unwrap()
}

#[test]
fn creatures_and_navigation_go_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<super::Creatures>();
    is_send::<super::nav::Navigation>();
}
