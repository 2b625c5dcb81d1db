//! Comparison of the Moore walk with reading the neighbourhood of every voxel.
//!
//! Boxes lie anywhere across chunk borders, some chunks are not loaded, and the content ranges from
//! uniform to noise.

use glam::IVec3;
use proptest::prelude::*;
use stonerun_engine::runs::RunTree;
use stonerun_engine::runs::moore::{
    ChunkNeighbourhoodRef, MooreRun, Neighbourhood, RowSource, walk, walk_values,
};
use stonerun_engine::voxel::{Box3, CHUNK_VOLUME, ChunkPos, Voxel, neighbour_offsets};
use stonerun_engine::world::World;

/// The walk by its definition: each voxel in linear order, joined with the previous one if equal.
fn joined<T: PartialEq>(bounds: Box3, read: impl Fn(IVec3) -> T) -> Vec<(u64, u64, T)> {
    let mut runs: Vec<(u64, u64, T)> = Vec::new();
    let mut index = 0;
    for y in bounds.min.y..bounds.max.y {
        for z in bounds.min.z..bounds.max.z {
            for x in bounds.min.x..bounds.max.x {
                let value = read(IVec3::new(x, y, z));
                match runs.last_mut() {
                    Some((_, len, last)) if *last == value => *len += 1,
                    _ => runs.push((index, 1, value)),
                }
                index += 1;
            }
        }
    }
    runs
}

/// A copy of a box that is read once through `World::get`, so that 27 reads per voxel are cheap.
struct Flat {
    bounds: Box3,
    voxels: Vec<Voxel>,
}

impl Flat {
    fn read(world: &World, around: Box3) -> Flat {
        let bounds = Box3 { min: around.min - 1, max: around.max + 1 };
        Flat { bounds, voxels: joined_reads(bounds, |at| world.get(at)) }
    }

    fn get(&self, at: IVec3) -> Voxel {
        let at = at - self.bounds.min;
        let size = self.bounds.size();
        self.voxels[(at.x + size.x * (at.z + size.z * at.y)) as usize]
    }

    fn around(&self, at: IVec3) -> Neighbourhood {
        let mut around = [Voxel::AIR; 27];
        for (voxel, offset) in around.iter_mut().zip(neighbour_offsets()) {
            *voxel = self.get(at + offset);
        }
        around
    }
}

fn joined_reads(bounds: Box3, read: impl Fn(IVec3) -> Voxel) -> Vec<Voxel> {
    let layers = (bounds.min.y..bounds.max.y)
        .flat_map(|y| (bounds.min.z..bounds.max.z).map(move |z| (y, z)));
    layers
        .flat_map(|(y, z)| (bounds.min.x..bounds.max.x).map(move |x| IVec3::new(x, y, z)))
        .map(read)
        .collect()
}

/// A source without shortcuts, which reads every row.
struct RowByRow<'a, R>(&'a R);

impl<R: RowSource> RowSource for RowByRow<'_, R> {
    fn row_runs(&self, at: IVec3, len: u32, each: impl FnMut(u32, Voxel)) {
        self.0.row_runs(at, len, each);
    }
}

fn walked(source: &impl RowSource, bounds: Box3) -> Vec<MooreRun> {
    let mut runs = Vec::new();
    walk(source, bounds, |run| runs.push(run.clone()));
    runs
}

fn walked_values(source: &impl RowSource, bounds: Box3) -> Vec<(u64, u64, Voxel)> {
    let mut runs = Vec::new();
    walk_values(source, bounds, |start, len, voxel| runs.push((start, len, voxel)));
    runs
}

/// Asserts the properties of a walk that do not depend on the voxels.
fn assert_partition(runs: &[MooreRun], bounds: Box3) {
    let mut at = 0;
    for run in runs {
        assert!(run.start == at && run.len > 0, "after {at} comes {} + {}", run.start, run.len);
        at += run.len;
    }
    assert_eq!(at, bounds.volume(), "each voxel is in exactly one run");
    assert!(
        runs.windows(2).all(|w| w[0].neighbourhood != w[1].neighbourhood),
        "neighbouring runs differ"
    );
}

fn assert_walks(world: &World, bounds: Box3) {
    let flat = Flat::read(world, bounds);
    let expected: Vec<MooreRun> = joined(bounds, |at| flat.around(at))
        .into_iter()
        .map(|(start, len, neighbourhood)| MooreRun { start, len, neighbourhood })
        .collect();
    let values = joined(bounds, |at| flat.get(at));
    let runs = walked(world, bounds);
    assert_partition(&runs, bounds);
    assert!(
        runs == expected,
        "walk of {bounds:?}: {} runs, {} expected",
        runs.len(),
        expected.len()
    );
    assert!(walked(&RowByRow(world), bounds) == expected, "row by row, {bounds:?}");
    assert!(walked_values(world, bounds) == values, "walk_values of {bounds:?}");
}

/// Content of a chunk: not loaded, one value, flat layers, or noise of a density.
#[derive(Clone, Debug)]
enum Content {
    NotLoaded,
    Uniform(u16),
    Layers(usize),
    Noise { every: u32, values: u32, seed: u32 },
}

fn content() -> impl Strategy<Value = Content> {
    let noise = (
        prop::sample::select(vec![1u32, 2, 10, 200, 5000]),
        prop::sample::select(vec![1u32, 3, 400]),
    );
    prop_oneof![
        2 => Just(Content::NotLoaded),
        2 => (0..3u16).prop_map(Content::Uniform),
        2 => (0..33usize).prop_map(Content::Layers),
        4 => (noise, any::<u32>()).prop_map(|((every, values), seed)| Content::Noise { every, values, seed }),
    ]
}

/// Pseudorandom hash of a number.
fn hash(k: u32) -> u32 {
    let k = (k ^ k >> 16).wrapping_mul(0x7feb_352d);
    let k = (k ^ k >> 15).wrapping_mul(0x846c_a68b);
    k ^ k >> 16
}

fn tree(content: &Content) -> Option<RunTree> {
    match *content {
        Content::NotLoaded => None,
        Content::Uniform(material) => Some(RunTree::uniform(Voxel::full(material))),
        Content::Layers(n) => {
            let mut tree = RunTree::uniform(Voxel::AIR);
            tree.set_range(0..n * 1024, Voxel::full(1));
            tree.set_range(n * 512..n * 1024, Voxel::full(2));
            Some(tree)
        }
        Content::Noise { every, values, seed } => {
            let voxel = |i| match hash(i ^ seed) {
                h if h % every == 0 => Voxel::full((1 + hash(h) % values) as u16),
                _ => Voxel::AIR,
            };
            Some(RunTree::from_runs((0..CHUNK_VOLUME as u32).map(|i| (1, voxel(i)))))
        }
    }
}

/// 27 chunks around (0, 0, 0), in the order of a Moore neighbourhood.
fn world(contents: &[Content]) -> World {
    let mut world = World::new();
    for (pos, content) in ChunkPos::default().moore_neighbourhood().zip(contents) {
        if let Some(tree) = tree(content) {
            world.insert(pos, tree);
        }
    }
    world
}

/// Boxes up to 70 x 9 x 9 around chunk borders. Along x they include whole chunks and single
/// voxels.
fn bounds() -> impl Strategy<Value = Box3> {
    let width =
        prop_oneof![3 => 1..32i32, 1 => Just(1), 2 => Just(32), 2 => 33..70i32, 1 => Just(64)];
    let x =
        prop_oneof![2 => -40..40i32, 1 => Just(0), 1 => Just(-32), 1 => Just(31), 1 => Just(-1)];
    let other = || prop_oneof![2 => -38..34i32, 2 => -4..1i32, 2 => 28..33i32];
    (x, other(), other(), width, 1..10i32, 1..10i32).prop_map(|(x, y, z, w, h, d)| {
        let min = IVec3::new(x, y, z);
        Box3 { min, max: min + IVec3::new(w, h, d) }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn walk_matches_the_definition_for_any_box(
        contents in prop::collection::vec(content(), 27),
        boxes in prop::collection::vec(bounds(), 6),
    ) {
        let world = world(&contents);
        for bounds in boxes {
            assert_walks(&world, bounds);
        }
    }

    #[test]
    fn walk_matches_the_definition_in_nearly_uniform_worlds(
        content in content(), lone in content(), place in 0..27usize,
        boxes in prop::collection::vec(bounds(), 4),
    ) {
        // Shortcuts for uniform chunks and layers apply here, or just fail to apply.
        let mut contents = vec![content; 27];
        contents[place] = lone;
        let world = world(&contents);
        for bounds in boxes {
            assert_walks(&world, bounds);
        }
    }

    #[test]
    fn chunk_neighbourhood_walks_like_the_world(
        contents in prop::collection::vec(content(), 27),
        boxes in prop::collection::vec(bounds(), 4),
    ) {
        let world = world(&contents);
        let neighbourhood = world.neighbourhood(ChunkPos::new(0, 0, 0));
        let borrowed = neighbourhood.borrowed();
        // The neighbourhoods of the boxes must stay within the 27 chunks.
        let reach = Box3 { min: IVec3::splat(-31), max: IVec3::splat(63) };
        for bounds in boxes.into_iter().map(|b| b.intersection(reach)).chain([ChunkNeighbourhoodRef::BOUNDS]) {
            prop_assert!(walked(&borrowed, bounds) == walked(&world, bounds), "{bounds:?}");
            prop_assert!(walked(&RowByRow(&borrowed), bounds) == walked(&world, bounds), "{bounds:?}");
            prop_assert!(walked_values(&borrowed, bounds) == walked_values(&world, bounds), "{bounds:?}");
        }
    }
}

#[test]
fn walk_matches_the_definition_for_whole_chunks() {
    for content in [
        Content::NotLoaded,
        Content::Uniform(1),
        Content::Layers(7),
        Content::Noise { every: 1, values: 400, seed: 1 },
        Content::Noise { every: 50, values: 3, seed: 2 },
    ] {
        let mut contents = vec![Content::Layers(9); 27];
        contents[13] = content;
        contents[22] = Content::NotLoaded;
        assert_walks(&world(&contents), ChunkNeighbourhoodRef::BOUNDS);
    }
}

#[test]
fn chunk_neighbourhood_works_far_from_the_origin() {
    let far = ChunkPos::new(-7, 3, 1_000_000);
    let mut world = World::new();
    for by in [IVec3::ZERO, IVec3::X, IVec3::new(-1, 1, 1), IVec3::NEG_Y] {
        let noise = Content::Noise { every: 30, values: 2, seed: by.x as u32 };
        world.insert(far.offset(by), tree(&noise).expect("noise is loaded"));
    }
    let neighbourhood = world.neighbourhood(far);
    assert_eq!(
        walked(&neighbourhood.borrowed(), ChunkNeighbourhoodRef::BOUNDS),
        walked(&world, far.bounds())
    );
}

#[test]
fn empty_box_yields_no_runs() {
    let world = world(&[const { Content::Uniform(1) }; 27]);
    for max in [IVec3::ZERO, IVec3::new(-3, 5, 5), IVec3::new(5, 0, 5), IVec3::new(5, 5, -1)] {
        let bounds = Box3 { min: IVec3::ZERO, max };
        assert_eq!(
            (walked(&world, bounds).len(), walked_values(&world, bounds).len()),
            (0, 0),
            "{max}"
        );
    }
}
