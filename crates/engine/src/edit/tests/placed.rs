//! Edits place permanent states of blocks: see [`ChunkSource::placed_states`].

use crate::edit::operations::PasteOptions;
use crate::edit::region::Region;
use crate::edit::{ChunkSource, EditError, JobProgress, Mask, Pattern, VoxelEdit};
use crate::voxel::{Box3, ChunkPos, MaterialId, MaterialTable, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;

/// A world with the game's materials.
struct Source {
    world: World,
    states: Vec<(MaterialId, MaterialId)>,
}

impl ChunkSource for Source {
    fn chunk(&self, pos: ChunkPos) -> Result<Chunk, EditError> {
        ChunkSource::chunk(&self.world, pos)
    }

    fn generated(&self, pos: ChunkPos) -> Option<Chunk> {
        self.world.chunk(pos).cloned()
    }

    fn placed_states(&self) -> &[(MaterialId, MaterialId)] {
        &self.states
    }
}

#[test]
fn pasted_and_set_leaves_are_placed_and_generated_ones_grown() {
    let table = MaterialTable::builtin();
    let voxel = |name: &str| Voxel::full(table.find(name).expect("a builtin material"));
    let grown = voxel("oak_leaves_grown");
    let placed = voxel("oak_leaves");
    let mut world = World::new();
    world.insert(ChunkPos::new(0, 0, 0), Chunk::uniform(Voxel::AIR));
    let [tree, copy, hedge] = [1, 9, 20].map(|x| IVec3::new(x, 1, 1));
    world.set(tree, grown);
    let source = Source { world, states: table.placed_states() };
    let progress = JobProgress::default();
    let region = |at: IVec3| Region::from_shape(&Box3 { min: at, max: at + 2 });

    let mut edit = VoxelEdit::new(&source, 0, &progress);
    let clipboard = edit.copy(&region(tree), &Mask::Any, tree).expect("in memory");
    edit.paste(&clipboard, copy, &PasteOptions::default()).expect("in memory");
    edit.fill(&region(hedge), &Mask::Any, &Pattern::Voxel(grown)).expect("in memory");
    let after = edit.finish("edit").changes.remove(0).after;
    let at = |chunk: &Chunk, at: IVec3| chunk.get(crate::voxel::linear_index(at));
    assert_eq!(
        [tree, copy, hedge, hedge + 1].map(|voxel| at(&after, voxel)),
        [grown, placed, placed, placed]
    );

    let mut empty = World::new();
    empty.insert(ChunkPos::new(0, 0, 0), Chunk::uniform(Voxel::AIR));
    let regenerated = Regenerated { source: &source, empty };
    let mut edit = VoxelEdit::new(&regenerated, 0, &progress);
    edit.regenerate(&region(tree)).expect("in memory");
    assert_eq!(at(&edit.finish("regeneration").changes[0].after, tree), grown);
}

/// A world from which everything was removed after it was generated.
struct Regenerated<'a> {
    source: &'a Source,
    empty: World,
}

impl ChunkSource for Regenerated<'_> {
    fn chunk(&self, pos: ChunkPos) -> Result<Chunk, EditError> {
        ChunkSource::chunk(&self.empty, pos)
    }

    fn generated(&self, pos: ChunkPos) -> Option<Chunk> {
        self.source.generated(pos)
    }

    fn placed_states(&self) -> &[(MaterialId, MaterialId)] {
        self.source.placed_states()
    }
}
