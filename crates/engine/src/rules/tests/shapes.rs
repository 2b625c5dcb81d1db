//! Shapes of blocks: rules that name a block mean none of its shapes.

use super::signals::put;
use super::{air, commit, span};
use crate::rules::{RuleSet, Rules};
use crate::voxel::{Material, MaterialTable, Shape, Voxel};
use glam::IVec3;

/// The game's materials, and shapes of all blocks.
fn table() -> MaterialTable {
    let mut table = MaterialTable::builtin();
    let blocks: Vec<Material> = table.iter().map(|(_, block)| block.clone()).collect();
    for words in ["slab", "slab,top", "stairs", "fence", "rail"] {
        let shape = Shape::from_words(words).unwrap();
        for shaped in blocks.iter().filter_map(|block| block.reshaped(shape)) {
            table.add(shaped).unwrap();
        }
    }
    table
}

#[test]
fn shapes_of_sand_do_not_fall_and_grass_lives_below_a_fence() {
    let table = table();
    let mut rules = Rules::new(RuleSet::builtin(&table).unwrap(), 1, 0);
    let mut world = air(span([-32, -32, -32], [31, 31, 31]).chunks());
    for (pos, _) in world.chunks() {
        rules.wake_chunk(pos);
    }
    let voxel = |name: &str| {
        let id = table.find(name).unwrap();
        let fill = table.get(id).unwrap().shape.row().fill;
        Voxel::new(id, fill.unwrap_or(u8::MAX))
    };
    let kept = [
        (IVec3::new(0, 5, 0), "sand[slab]"),
        (IVec3::new(2, 5, 0), "gravel[stairs,north]"),
        (IVec3::new(4, 5, 0), "snow[slab,top]"),
        (IVec3::new(6, 0, 0), "grass"),
        (IVec3::new(6, 1, 0), "oak_planks[fence]"),
        (IVec3::new(8, 0, 0), "grass"),
        (IVec3::new(8, 1, 0), "stone[slab,top]"),
        (IVec3::new(10, 0, 0), "grass"),
        (IVec3::new(10, 1, 0), "stone[rail]"),
    ];
    for (at, name) in kept {
        put(&mut world, &mut rules, at, voxel(name));
    }
    let covered = IVec3::new(12, 0, 0);
    put(&mut world, &mut rules, covered, voxel("grass"));
    put(&mut world, &mut rules, covered + IVec3::Y, voxel("stone[slab]"));
    put(&mut world, &mut rules, IVec3::new(0, 9, 9), voxel("sand"));
    for _ in 0..4000 {
        rules.step(&world);
    }
    commit(&mut world, rules.take_changes());
    for (at, name) in kept {
        assert_eq!(world.get(at), voxel(name), "{name}");
    }
    assert_eq!(world.get(covered), voxel("dirt"), "a slab covers");
    assert_eq!(world.get(IVec3::new(0, 9, 9)), Voxel::AIR, "sand itself falls");
}
