//! Comparison of all stores with a plain array whose voxels are read one by one.

use super::*;
use crate::input::{NumberedWorld, Random, zero_fps_world};
use glam::IVec3;
use stonerun_engine::voxel::{Box3, ChunkPos, Voxel, linear_index, local};
use stonerun_engine::world::{Chunk, World};

/// A plain array over a box. Voxels outside are air.
#[derive(Clone)]
struct ArrayModel {
    bounds: Box3,
    ids: Vec<VoxelId>,
}

impl ArrayModel {
    fn index(&self, at: IVec3) -> Option<usize> {
        let by = at - self.bounds.min;
        let size = self.bounds.size();
        self.bounds.contains(at).then_some(((by.y * size.z + by.z) * size.x + by.x) as usize)
    }

    fn get(&self, at: IVec3) -> VoxelId {
        self.index(at).map_or(0, |i| self.ids[i])
    }

    fn positions(&self) -> impl Iterator<Item = IVec3> + use<> {
        let Box3 { min, max } = self.bounds;
        (min.y..max.y).flat_map(move |y| {
            (min.z..max.z).flat_map(move |z| (min.x..max.x).map(move |x| IVec3::new(x, y, z)))
        })
    }

    fn count_voxels(&self, id_count: usize) -> Vec<u64> {
        let mut counts = vec![0; id_count];
        for &v in &self.ids {
            counts[usize::from(v)] += 1;
        }
        counts
    }

    fn count_faces(&self, id_count: usize) -> Vec<u64> {
        let mut counts = vec![0; id_count];
        for at in self.positions() {
            let steps = [IVec3::X, IVec3::NEG_X, IVec3::Y, IVec3::NEG_Y, IVec3::Z, IVec3::NEG_Z];
            let faces = steps.into_iter().filter(|&by| self.get(at + by) == 0).count();
            if self.get(at) != 0 {
                counts[usize::from(self.get(at))] += faces as u64;
            }
        }
        counts
    }
}

fn model_of(input: &NumberedWorld) -> ArrayModel {
    let mut model = ArrayModel { bounds: input.bounds, ids: vec![0; input.volume() as usize] };
    for at in model.positions() {
        if let (Some(i), Some(chunk)) =
            (model.index(at), input.world.chunk(ChunkPos::containing(at)))
        {
            model.ids[i] = chunk.get(linear_index(local(at))).material();
        }
    }
    model
}

fn without_air(mut counts: Vec<u64>) -> Vec<u64> {
    counts[0] = 0;
    counts
}

/// Compares one store with the model, before, during and after random edits.
fn check<S: Store>(input: &NumberedWorld, edits: usize) {
    let mut store = S::build(input).expect("a small world");
    let mut model = model_of(input);
    let counted = |store: &S| {
        let mut voxels = vec![0; input.id_count];
        let mut faces = vec![0; input.id_count];
        store.count_voxels(&mut voxels);
        store.count_faces(&mut faces);
        (without_air(voxels), faces)
    };
    let expected = |model: &ArrayModel| {
        (without_air(model.count_voxels(input.id_count)), model.count_faces(input.id_count))
    };
    assert_eq!(counted(&store), expected(&model), "{}, {}", S::NAME, input.name);
    for at in model.positions() {
        assert_eq!(store.get(at), model.get(at), "{}, {}: {at}", S::NAME, input.name);
    }
    let mut random = Random::new(3);
    let min = input.bounds.min;
    let size = input.bounds.size();
    let chunks: Vec<ChunkPos> = input.world.chunks().map(|(pos, _)| pos).collect();
    for edit in 0..edits {
        let mut part = |n: i32| (random.draw() >> 33) as i32 % n;
        // Most edits are close together, so that runs, rows and nodes merge again.
        let pos = chunks[part(chunks.len() as i32) as usize].origin();
        let at = match edit % 4 {
            0 => pos + IVec3::new(part(32), part(32), part(32)),
            1 => pos + IVec3::new(part(32), 5, 7),
            _ => pos + IVec3::new(part(4), part(2), part(2)),
        };
        let id = if part(3) == 0 { 0 } else { part(input.id_count as i32) as VoxelId };
        store.set(at, id);
        let i = model.index(at).expect("in the box");
        model.ids[i] = id;
        let near = at + IVec3::new(part(3) - 1, part(3) - 1, part(3) - 1);
        assert_eq!(
            (store.get(at), store.get(near)),
            (id, model.get(near)),
            "{}, edit {edit}: {at}",
            S::NAME
        );
        let anywhere = min + IVec3::new(part(size.x), part(size.y), part(size.z));
        assert_eq!(
            store.get(anywhere),
            model.get(anywhere),
            "{}, edit {edit}: {anywhere}",
            S::NAME
        );
    }
    assert_eq!(counted(&store), expected(&model), "{}, {}, edited", S::NAME, input.name);
    assert!(store.heap_bytes() > 0);
}

fn check_all(input: &NumberedWorld, edits: usize) {
    check::<FlatArray>(input, edits);
    check::<VirtualArray>(input, edits);
    check::<Octree>(input, edits);
    check::<RowPacked>(input, edits);
    check::<PaletteStore>(input, edits);
    check::<IntervalTree>(input, edits);
    check::<RunTreeStore>(input, edits);
}

/// A world of varied chunks: noise, layers, single IDs, more IDs than fit in a byte, and gaps.
pub(super) fn patchwork(kinds: u64, seed: u64) -> NumberedWorld {
    let mut random = Random::new(seed);
    let mut world = World::new();
    for pos in (Box3 { min: IVec3::new(-32, 0, -32), max: IVec3::new(64, 64, 32) }).chunks() {
        let longest = match random.draw() % 6 {
            0 => continue,
            1 => 1 << 15,
            2 => 3000,
            3 => 200,
            4 => 20,
            _ => 3,
        };
        let mut left = 1u32 << 15;
        let runs = std::iter::from_fn(|| {
            let len = (1 + random.draw() as u32 % longest).min(left);
            left -= len;
            let id = if random.draw().is_multiple_of(2) { 0 } else { random.draw() % kinds };
            (len > 0).then_some((len, Voxel::full(id as u16)))
        });
        world.insert(pos, Chunk::from_runs(runs));
    }
    NumberedWorld::from_world(format!("patchwork of {kinds} kinds"), &world)
        .expect("some solid voxels")
}

#[test]
fn stores_match_plain_array_after_edits() {
    for (kinds, seed) in [(2, 1), (3, 2), (20, 3), (400, 4), (3, 5), (20, 6)] {
        check_all(&patchwork(kinds, seed), 3000);
    }
}

#[test]
fn stores_match_plain_array_for_single_chunk_without_air() {
    let mut world = World::new();
    world.insert(
        ChunkPos::new(5, -3, 9),
        Chunk::from_runs([(1000, Voxel::full(1)), (31768, Voxel::full(2))]),
    );
    let input = NumberedWorld::from_world("lone".to_owned(), &world).expect("a chunk without air");
    check_all(&input, 500);
}

#[test]
fn stores_count_0fps_world_alike() {
    let input = zero_fps_world();
    let counts = |count: &dyn Fn(&mut [u64])| {
        let mut counts = vec![0; input.id_count];
        count(&mut counts);
        counts
    };
    let flat = FlatArray::build(&input).expect("32 MiB");
    let voxels = counts(&|c| flat.count_voxels(c));
    let faces = counts(&|c| flat.count_faces(c));
    assert_eq!(voxels.iter().sum::<u64>(), 1 << 24);
    fn same<S: Store>(input: &NumberedWorld, voxels: &[u64], faces: &[u64]) {
        let store = S::build(input).expect("a small world");
        let mut v = vec![0; input.id_count];
        let mut f = vec![0; input.id_count];
        store.count_voxels(&mut v);
        store.count_faces(&mut f);
        assert_eq!((&v[..], &f[..]), (voxels, faces), "{}", S::NAME);
    }
    same::<VirtualArray>(&input, &voxels, &faces);
    same::<Octree>(&input, &voxels, &faces);
    same::<RowPacked>(&input, &voxels, &faces);
    same::<PaletteStore>(&input, &voxels, &faces);
    same::<IntervalTree>(&input, &voxels, &faces);
    same::<RunTreeStore>(&input, &voxels, &faces);
}
