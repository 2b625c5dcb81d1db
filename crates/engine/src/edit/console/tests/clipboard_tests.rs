//! Tests of commands that turn, flip and scale the clipboard.

use super::*;
use std::collections::BTreeMap;

/// Voxels of the clipboard by offset from its origin.
fn copied(console: &Console) -> BTreeMap<[i32; 3], Voxel> {
    let clipboard = console.clipboard().expect("a clipboard");
    let mut found = BTreeMap::new();
    clipboard.for_each_run(|pos, run| {
        for index in run.start..run.end() {
            let offset = pos.origin() + linear_offset(index as usize) - clipboard.origin();
            found.insert(offset.to_array(), run.voxel);
        }
    });
    found
}

/// The walls of a house without floor and roof, 960 voxels, in a console and a world.
fn walls() -> (Console, World) {
    let mut console = Console::new(IVec3::new(9, 1, 9));
    let mut world = World::new();
    console.set_selection(Selection::from(Box3::spanning(IVec3::ZERO, IVec3::new(20, 11, 20))));
    assert_eq!(run(&mut console, &mut world, "//walls 50%stone,50%glass"), 960);
    run(&mut console, &mut world, "//copy -m #existing");
    assert_eq!(copied(&console).len(), 960);
    (console, world)
}

#[test]
fn copies_of_any_occupancy_are_patterns_of_ground() {
    let mut console = Console::new(IVec3::ZERO);
    let mut world = meadow();
    let layer = Voxel::new(full("stone").material(), 90);
    for (at, voxel, is_ground) in [
        (IVec3::new(2, 20, 3), layer, true),
        (IVec3::new(2, 20, 3), full("torch"), false),
        (IVec3::new(2, 20, 3), Voxel::AIR, false),
    ] {
        world.set(at, voxel);
        console.set_selection(Selection::from(Box3::spanning(at, at + IVec3::Y)));
        run(&mut console, &mut world, "//copy");
        let shaped = task(&mut console, "//shape add 3 #clipboard");
        assert_eq!(shaped.is_ok(), is_ground, "{voxel:?}");
    }
}

#[test]
fn transforms_that_cancel_out_restore_the_clipboard() {
    let (console, world) = walls();
    let before = copied(&console);
    for commands in [
        vec!["//rotate 45", "//rotate -45"],
        vec!["//rotate 45"; 8],
        vec!["//rotate 30 20 10", "//rotate -30", "//rotate 0 -20", "//rotate 0 0 -10"],
        vec!["//rotate 90", "//flip e", "//rotate 90", "//flip e"],
        vec![
            "//rotate 33",
            "//flip up",
            "//flip up",
            "//rotate 0 15",
            "//rotate 0 345",
            "//rotate 327",
        ],
        vec!["//scale 0.5", "//scale 2"],
        vec!["//rotate 45", "//scale 0.25", "//scale 4", "//rotate 315"],
    ] {
        let mut console = console.clone();
        let mut world = world.clone();
        for command in &commands {
            run(&mut console, &mut world, command);
        }
        assert!(copied(&console) == before, "{commands:?}: {} voxels", copied(&console).len());
    }
}

#[test]
fn several_turns_paste_the_same_as_their_sum() {
    let pasted = |commands: &[&str]| {
        let (mut console, mut world) = walls();
        for command in commands {
            run(&mut console, &mut world, command);
        }
        console.placement = IVec3::new(100, 50, 100);
        run(&mut console, &mut world, "//paste");
        let area = Box3::spanning(IVec3::splat(-40), IVec3::splat(40));
        let at = (0..81 * 81 * 81).map(|i| area.min + IVec3::new(i % 81, i / 81 % 81, i / 6561));
        at.map(|at| world.get(at + console.placement)).collect::<Vec<Voxel>>()
    };
    assert!(pasted(&["//rotate 20", "//rotate 25", "//rotate 15"]) == pasted(&["//rotate 60"]));
    assert!(pasted(&["//rotate 45", "//rotate 45"]) == pasted(&["//rotate 90"]));
    assert!(pasted(&["//rotate 45", "//rotate -45"]) == pasted(&[]));
}
