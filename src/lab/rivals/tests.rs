//! One model for all stores: a plain array, every voxel looked at by itself.

use super::*;
use crate::lab::input::{self, Input, Random};
use crate::voxel::{Box3, ChunkPos, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;

/// A plain array over a box; outside is air.
#[derive(Clone)]
struct Model {
    bounds: Box3,
    values: Vec<Value>,
}

impl Model {
    fn index(&self, at: IVec3) -> Option<usize> {
        let (by, size) = (at - self.bounds.min, self.bounds.size());
        self.bounds.contains(at).then_some(((by.y * size.z + by.z) * size.x + by.x) as usize)
    }

    fn get(&self, at: IVec3) -> Value {
        self.index(at).map_or(0, |i| self.values[i])
    }

    fn places(&self) -> impl Iterator<Item = IVec3> + use<> {
        let Box3 { min, max } = self.bounds;
        (min.y..max.y)
            .flat_map(move |y| (min.z..max.z).flat_map(move |z| (min.x..max.x).map(move |x| IVec3::new(x, y, z))))
    }

    fn count_values(&self, values: usize) -> Vec<u64> {
        let mut counts = vec![0; values];
        self.values.iter().for_each(|&v| counts[usize::from(v)] += 1);
        counts
    }

    fn count_faces(&self, values: usize) -> Vec<u64> {
        let mut counts = vec![0; values];
        for at in self.places() {
            let steps = [IVec3::X, IVec3::NEG_X, IVec3::Y, IVec3::NEG_Y, IVec3::Z, IVec3::NEG_Z];
            let faces = steps.into_iter().filter(|&by| self.get(at + by) == 0).count();
            if self.get(at) != 0 {
                counts[usize::from(self.get(at))] += faces as u64;
            }
        }
        counts
    }
}

fn model_of(input: &Input) -> Model {
    let mut model = Model { bounds: input.bounds, values: vec![0; input.voxels() as usize] };
    for at in model.places() {
        if let (Some(i), Some(chunk)) = (model.index(at), input.world.chunk(ChunkPos::containing(at))) {
            model.values[i] = chunk.get(crate::voxel::linear_index(crate::voxel::local(at))).material();
        }
    }
    model
}

fn without_air(mut counts: Vec<u64>) -> Vec<u64> {
    counts[0] = 0;
    counts
}

/// Holds one store against the model, through random edits.
fn check<S: Store>(input: &Input, edits: usize) {
    let (mut store, mut model) = (S::build(input).expect("it is small"), model_of(input));
    let counted = |store: &S| {
        let (mut values, mut faces) = (vec![0; input.values], vec![0; input.values]);
        store.count_values(&mut values);
        store.count_faces(&mut faces);
        (without_air(values), faces)
    };
    let expected = |model: &Model| (without_air(model.count_values(input.values)), model.count_faces(input.values));
    assert_eq!(counted(&store), expected(&model), "{}, {}", S::NAME, input.name);
    for at in model.places() {
        assert_eq!(store.get(at), model.get(at), "{}, {}: {at}", S::NAME, input.name);
    }
    let mut random = Random::new(3);
    let (min, size) = (input.bounds.min, input.bounds.size());
    let chunks: Vec<ChunkPos> = input.world.chunks().map(|(pos, _)| pos).collect();
    for edit in 0..edits {
        let mut part = |n: i32| (random.draw() >> 33) as i32 % n;
        // Mostly close together, so that runs, rows and nodes join again.
        let pos = chunks[part(chunks.len() as i32) as usize].origin();
        let at = match edit % 4 {
            0 => pos + IVec3::new(part(32), part(32), part(32)),
            1 => pos + IVec3::new(part(32), 5, 7),
            _ => pos + IVec3::new(part(4), part(2), part(2)),
        };
        let value = if part(3) == 0 { 0 } else { part(input.values as i32) as Value };
        store.set(at, value);
        let i = model.index(at).expect("in the box");
        model.values[i] = value;
        let near = at + IVec3::new(part(3) - 1, part(3) - 1, part(3) - 1);
        assert_eq!((store.get(at), store.get(near)), (value, model.get(near)), "{}, edit {edit}: {at}", S::NAME);
        let anywhere = min + IVec3::new(part(size.x), part(size.y), part(size.z));
        assert_eq!(store.get(anywhere), model.get(anywhere), "{}, edit {edit}: {anywhere}", S::NAME);
    }
    assert_eq!(counted(&store), expected(&model), "{}, {}, edited", S::NAME, input.name);
    assert!(store.heap_bytes() > 0);
}

fn check_all(input: &Input, edits: usize) {
    check::<Flat>(input, edits);
    check::<VirtualArray>(input, edits);
    check::<Octree>(input, edits);
    check::<RowPacked>(input, edits);
    check::<Palette>(input, edits);
    check::<Btree>(input, edits);
    check::<Ours>(input, edits);
}

/// Chunks here and there: noise, layers, one value, more values than a byte has, and gaps between them.
pub(super) fn patchwork(kinds: u64, seed: u64) -> Input {
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
            let value = if random.draw().is_multiple_of(2) { 0 } else { random.draw() % kinds };
            (len > 0).then_some((len, Voxel::full(value as u16)))
        });
        world.insert(pos, Chunk::from_runs(runs));
    }
    input::numbered(format!("patchwork of {kinds} kinds"), &world).expect("not all air")
}

#[test]
fn all_stores_hold_what_a_plain_array_holds() {
    for (kinds, seed) in [(2, 1), (3, 2), (20, 3), (400, 4), (3, 5), (20, 6)] {
        check_all(&patchwork(kinds, seed), 3000);
    }
}

#[test]
fn all_stores_hold_a_lone_chunk_without_air() {
    let mut world = World::new();
    world.insert(ChunkPos::new(5, -3, 9), Chunk::from_runs([(1000, Voxel::full(1)), (31768, Voxel::full(2))]));
    let input = input::numbered("lone".to_owned(), &world).expect("matter");
    check_all(&input, 500);
}

#[test]
fn all_stores_count_the_0fps_world_alike() {
    let input = input::zero_fps();
    let counts = |count: &dyn Fn(&mut [u64])| {
        let mut counts = vec![0; input.values];
        count(&mut counts);
        counts
    };
    let flat = Flat::build(&input).expect("32 MiB");
    let (values, faces) = (counts(&|c| flat.count_values(c)), counts(&|c| flat.count_faces(c)));
    assert_eq!(values.iter().sum::<u64>(), 1 << 24);
    fn same<S: Store>(input: &Input, values: &[u64], faces: &[u64]) {
        let store = S::build(input).expect("it is small");
        let (mut v, mut f) = (vec![0; input.values], vec![0; input.values]);
        store.count_values(&mut v);
        store.count_faces(&mut f);
        assert_eq!((&v[..], &f[..]), (values, faces), "{}", S::NAME);
    }
    same::<VirtualArray>(&input, &values, &faces);
    same::<Octree>(&input, &values, &faces);
    same::<RowPacked>(&input, &values, &faces);
    same::<Palette>(&input, &values, &faces);
    same::<Btree>(&input, &values, &faces);
    same::<Ours>(&input, &values, &faces);
}
