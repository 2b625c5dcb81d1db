mod automata;
mod dense;
mod doors;
mod files;
mod fresh_terrain;
mod fused_runs;
mod liquids;
mod living;
mod long_run;
mod random_worlds;
mod shapes;
mod signals;
mod waking;
mod weather;
mod wet;

use crate::runs::RunTree;
use crate::voxel::{Box3, ChunkPos, MaterialId, MaterialTable, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;
use std::sync::LazyLock;

fn id(name: &str) -> MaterialId {
    static TABLE: LazyLock<MaterialTable> = LazyLock::new(MaterialTable::builtin);
    TABLE.find(name).unwrap_or_else(|| panic!("{name} is a material"))
}

/// A world of these chunks, all air.
fn air(chunks: impl IntoIterator<Item = ChunkPos>) -> World {
    let mut world = World::new();
    for pos in chunks {
        drop(world.insert(pos, Chunk::uniform(Voxel::AIR)));
    }
    world
}

/// Puts changed chunks into a world, and checks that they differ and are sound.
fn commit(world: &mut World, changes: Vec<(ChunkPos, RunTree)>) {
    for (pos, chunk) in changes {
        chunk.check().expect("a sound tree");
        let before = world.insert(pos, chunk.clone()).expect("only loaded chunks change");
        assert!(before != chunk, "{pos} has changed");
    }
}

/// Amount of a material in a world, in 256ths of a voxel. Water also stands in wet voxels.
fn total(world: &World, material: MaterialId) -> u64 {
    let amount = |voxel: Voxel| {
        let matter =
            if voxel.material() == material { u64::from(voxel.occupancy()) + 1 } else { 0 };
        matter + if material == id("water") { u64::from(voxel.liquid()) } else { 0 }
    };
    let runs = world.chunks().flat_map(|(_, chunk)| chunk.runs());
    runs.map(|run| u64::from(run.len) * amount(run.voxel)).sum()
}

fn span(a: [i32; 3], b: [i32; 3]) -> Box3 {
    Box3::spanning(IVec3::from(a), IVec3::from(b))
}
