//! Copy, cut, paste, stack and move compared with plain arrays of voxels.

use super::{Paste, PasteOptions};
use crate::edit::clipboard::Clipboard;
use crate::edit::region::{Ellipsoid, Region};
use crate::edit::{ChunkSource as _, EditError, JobProgress, Mask, Pattern, VoxelEdit};
use crate::random::Random;
use crate::voxel::{Box3, ChunkPos, Voxel, WORLD_LIMIT, linear_offset};
use crate::world::{Chunk, World};
use glam::{DVec3, IVec3};
use std::ops::Range;

const GLASS: Voxel = Voxel::full(9);

/// Box of the test world's chunks.
const WORLD: Box3 = Box3 { min: IVec3::new(-64, -32, -32), max: IVec3::new(64, 32, 64) };

/// Random voxel of a cube.
fn within(random: &mut Random, cube: Range<i32>) -> IVec3 {
    let size = (cube.end - cube.start).unsigned_abs();
    IVec3::from_array([(); 3].map(|()| cube.start + random.below(size) as i32))
}

/// A world with runs of air, full and half-filled voxels, and some uniform chunks.
fn world(seed: u64) -> World {
    let mut world = World::new();
    let mut random = Random::new(seed);
    for pos in WORLD.chunks() {
        let longest = [40, 700, 40_000][random.index(3)];
        let mut left = 32_768;
        let runs = std::iter::from_fn(|| {
            let len = (1 + random.below(longest)).min(left);
            left -= len;
            let voxel = Voxel::new(random.below(5) as u16, [255, 127, 3][random.index(3)]);
            (len > 0).then_some((len, voxel))
        });
        world.insert(pos, Chunk::from_runs(runs.collect::<Vec<_>>()));
    }
    world
}

/// Regions of several shapes, across chunk borders.
fn regions() -> Vec<Region> {
    let ball = Region::from_shape(&Ellipsoid {
        centre: IVec3::new(-3, 5, 8),
        radii: DVec3::new(20.0, 9.0, 13.0),
    });
    let hole = Region::from_shape(&Box3 { min: IVec3::new(-9, 0, 2), max: IVec3::new(2, 9, 7) });
    let boxes = [
        Box3 { min: IVec3::new(-33, -5, -7), max: IVec3::new(6, 12, 26) },
        Box3 { min: IVec3::new(-32, 0, -32), max: IVec3::new(32, 32, 32) },
        Box3 { min: IVec3::splat(31), max: IVec3::splat(32) },
    ];
    boxes
        .iter()
        .map(Region::from_shape)
        .chain([ball.difference(&hole), Region::default()])
        .collect()
}

fn masks() -> [Mask; 3] {
    [Mask::Any, Mask::Materials(vec![0, 2]), Mask::Not(Box::new(Mask::Materials(vec![1, 4])))]
}

/// The voxels of the test world as a plain array.
#[derive(Clone, PartialEq)]
struct Model(Vec<Voxel>);

impl Model {
    fn new(voxel: impl Fn(IVec3) -> Voxel) -> Model {
        Model(places(WORLD).map(voxel).collect())
    }

    fn get(&self, at: IVec3) -> Voxel {
        if WORLD.contains(at) { self.0[index(at)] } else { Voxel::AIR }
    }

    fn set(&mut self, at: IVec3, voxel: Voxel) {
        if WORLD.contains(at) {
            self.0[index(at)] = voxel;
        }
    }

    /// Pastes the voxels of `source` in a region, moved by `by`.
    fn paste(
        &mut self,
        source: &Model,
        region: &Region,
        mask: &Mask,
        by: IVec3,
        options: &PasteOptions,
    ) {
        let before = self.clone();
        for at in chosen(source, region, mask) {
            let voxel = source.get(at);
            if (options.with_air || voxel != Voxel::AIR)
                && options.mask.accepts(before.get(at + by)) == Some(true)
            {
                self.set(at + by, voxel);
            }
        }
    }

    fn check(&self, edit: &VoxelEdit<'_>, what: &str) {
        for pos in WORLD.chunks() {
            let chunk = edit.chunk(pos).unwrap();
            chunk.check().expect("a sound tree");
            for run in chunk.runs() {
                for index in run.start..run.end() {
                    let at = pos.origin() + linear_offset(index as usize);
                    assert_eq!(run.voxel, self.get(at), "{what}: {at}");
                }
            }
        }
    }
}

/// Positions of a region whose voxels a mask accepts.
fn chosen(source: &Model, region: &Region, mask: &Mask) -> Vec<IVec3> {
    let area = region.bounds().unwrap_or(Box3 { min: IVec3::ZERO, max: IVec3::ZERO });
    places(area)
        .filter(|&at| region.contains(at) && mask.accepts(source.get(at)) == Some(true))
        .collect()
}

fn index(at: IVec3) -> usize {
    let from = at - WORLD.min;
    let size = WORLD.size();
    ((from.y * size.z + from.z) * size.x + from.x) as usize
}

fn places(area: Box3) -> impl Iterator<Item = IVec3> {
    let size = area.size();
    let offset = move |i: i32| IVec3::new(i % size.x, i / size.x / size.z, i / size.x % size.z);
    (0..size.element_product()).map(move |i| area.min + offset(i))
}

#[test]
fn clipboard_holds_exactly_the_accepted_voxels_of_the_region() {
    let world = world(3);
    let progress = JobProgress::default();
    let origin = IVec3::new(-7, 2, 40);
    let edit = VoxelEdit::new(&world, 0, &progress);
    for region in regions() {
        for mask in masks() {
            let clipboard = edit.copy(&region, &mask, origin).unwrap();
            let belongs =
                |at: IVec3| region.contains(at) && mask.accepts(world.get(at)) == Some(true);
            let mut found = 0;
            let mut around: Option<Box3> = None;
            let surroundings =
                region.bounds().map(|area| Box3 { min: area.min - 2, max: area.max + 2 });
            let near = || surroundings.into_iter().flat_map(places);
            for at in near() {
                let expected = belongs(at).then(|| world.get(at));
                assert_eq!(clipboard.voxel(at - origin), expected, "{at}");
                if expected.is_some() {
                    found += 1;
                    let one = Box3 { min: at - origin, max: at - origin + 1 };
                    around = Some(around.map_or(one, |around| around.around(one)));
                }
            }
            assert_eq!((clipboard.volume(), clipboard.is_empty()), (found, found == 0));
            assert_eq!(
                clipboard.bounds(),
                around.unwrap_or(Box3 { min: IVec3::ZERO, max: IVec3::ZERO })
            );
            let mut listed = 0;
            clipboard.for_each_run(|pos, run| {
                for index in run.start..run.end() {
                    let at = pos.origin() + linear_offset(index as usize);
                    assert_eq!((belongs(at), world.get(at)), (true, run.voxel));
                    listed += 1;
                }
            });
            assert_eq!(listed, found);
            let matter: u64 = clipboard.clipped_chunks().map(|(_, chunk)| matter(&chunk)).sum();
            assert_eq!(
                matter,
                near().filter(|&at| belongs(at) && !world.get(at).is_air()).count() as u64
            );
        }
    }
}

fn matter(chunk: &Chunk) -> u64 {
    chunk.runs().filter(|run| !run.voxel.is_air()).map(|run| u64::from(run.len)).sum()
}

#[test]
fn paste_equals_setting_voxel_by_voxel() {
    let world = world(5);
    let progress = JobProgress::default();
    let mut random = Random::new(11);
    let source = Model::new(|at| world.get(at));
    for (number, region) in regions().into_iter().enumerate() {
        for (case, copy_mask) in masks().into_iter().enumerate() {
            let options = PasteOptions {
                with_air: (number + case) % 2 == 0,
                mask: masks()[(number + case / 2) % 3].clone(),
            };
            let by = match case {
                0 => 32 * within(&mut random, -1..2),
                1 => within(&mut random, -40..40),
                _ => IVec3::from_array([[0, 5, 32], [-32, 64, 1], [17, 0, -64]][number % 3]),
            };
            let mut edit = VoxelEdit::new(&world, 0, &progress);
            let origin = within(&mut random, -50..50);
            let clipboard = edit.copy(&region, &copy_mask, origin).unwrap();
            let mut model = source.clone();
            model.paste(&source, &region, &copy_mask, by, &options);
            let changed = edit.paste(&clipboard, origin + by, &options).unwrap();
            model.check(&edit, &format!("region {number}, by {by}, {options:?}"));
            let differing =
                source.0.iter().zip(&model.0).filter(|(before, after)| before != after).count()
                    as u64;
            let area = region
                .bounds()
                .map_or(WORLD, |area| Box3 { min: area.min + by, max: area.max + by });
            if WORLD.intersection(area) == area {
                assert_eq!(changed, differing);
            }
        }
    }
}

#[test]
fn aligned_paste_of_whole_chunks_shares_them() {
    let world = world(7);
    let progress = JobProgress::default();
    let mut edit = VoxelEdit::new(&world, 0, &progress);
    let all = Region::from_shape(&Box3 { min: IVec3::splat(-32), max: IVec3::splat(32) });
    let clipboard = edit.copy(&all, &Mask::Any, IVec3::new(1, 2, 3)).unwrap();
    edit.paste(&clipboard, IVec3::new(97, 2, 3), &PasteOptions::default()).unwrap();
    for pos in all.chunks() {
        let pasted = edit.chunk(pos.offset(IVec3::new(3, 0, 0))).unwrap();
        assert!(pasted.shares_runs(world.chunk(pos).unwrap()), "{pos}");
    }
    let tables = 8 * (size_of::<(ChunkPos, Chunk)>() * 8);
    let heap: usize = all.chunks().map(|pos| world.chunk(pos).unwrap().heap_bytes()).sum();
    assert!(clipboard.bytes() <= heap + tables, "{} bytes", clipboard.bytes());
}

#[test]
fn cut_and_move_leave_the_pattern() {
    let world = world(13);
    let progress = JobProgress::default();
    let source = Model::new(|at| world.get(at));
    for (case, by) in
        [IVec3::new(3, 1, -2), IVec3::new(-40, 20, 7), IVec3::new(32, 0, 0)].into_iter().enumerate()
    {
        let region = &regions()[if case == 1 { 3 } else { 0 }];
        let mask = &masks()[case];
        let options = PasteOptions { with_air: case != 0, mask: Mask::Any };
        let mut model = source.clone();
        for at in chosen(&source, region, mask) {
            model.set(at, GLASS);
        }
        let mut edit = VoxelEdit::new(&world, 0, &progress);
        let (clipboard, cut) = edit.cut(region, mask, IVec3::ZERO, &Pattern::Voxel(GLASS)).unwrap();
        model.check(&edit, "cut");
        assert_eq!(cut, clipboard.volume());
        model.paste(&source, region, mask, by, &options);
        let mut edit = VoxelEdit::new(&world, 0, &progress);
        edit.move_region(region, mask, by, &Pattern::Voxel(GLASS), &options).unwrap();
        model.check(&edit, &format!("move by {by}"));
    }
}

#[test]
fn stack_repeats_the_first_voxels() {
    let world = world(17);
    let progress = JobProgress::default();
    let source = Model::new(|at| world.get(at));
    let boxes =
        Region::from_shape(&Box3 { min: IVec3::new(-20, 1, 2), max: IVec3::new(-9, 8, 15) });
    for (by, times) in
        [(IVec3::new(11, 0, 0), 6), (IVec3::new(4, 3, 2), 5), (IVec3::new(0, 32, 0), 1)]
    {
        for options in [
            PasteOptions::default(),
            PasteOptions { with_air: false, mask: Mask::Materials(vec![0, 1, 2, 3]) },
        ] {
            let mut model = source.clone();
            for n in 1..=times {
                model.paste(&source, &boxes, &Mask::Any, by * n, &options);
            }
            let mut edit = VoxelEdit::new(&world, 0, &progress);
            edit.stack(&boxes, &Mask::Any, by, times as u32, &options).unwrap();
            model.check(&edit, &format!("{times} times by {by}"));
        }
    }
}

#[test]
fn result_that_is_too_large_is_refused() {
    let world = World::new();
    let progress = JobProgress::default();
    let mut edit = VoxelEdit::new(&world, 0, &progress);
    let one = Region::from_shape(&Box3 { min: IVec3::ZERO, max: IVec3::ONE });
    let stack = |edit: &mut VoxelEdit<'_>, times| {
        edit.stack(&one, &Mask::Any, IVec3::Y, times, &PasteOptions::default())
    };
    assert!(matches!(stack(&mut edit, (1 << 18) + 1), Err(EditError::TooLarge)));
    assert!(matches!(stack(&mut edit, u32::MAX), Err(EditError::TooLarge)));
    assert!(stack(&mut edit, 1000).is_ok());
    let plate = Region::from_shape(&Box3 { min: IVec3::ZERO, max: IVec3::new(16_384, 32, 9_000) });
    let clipboard = Clipboard::new([], plate, IVec3::ZERO);
    assert!(Paste::new(clipboard.clone(), [IVec3::ZERO], PasteOptions::default()).is_ok());
    assert!(Paste::new(clipboard, [IVec3::ZERO, IVec3::ONE], PasteOptions::default()).is_err());
}

#[test]
fn paste_across_the_edge_of_the_world_is_clipped() {
    let world = world(19);
    let progress = JobProgress::default();
    let mut edit = VoxelEdit::new(&world, 0, &progress);
    let region = Region::from_shape(&Box3 { min: IVec3::splat(-5), max: IVec3::splat(6) });
    let lowest = IVec3::splat(-WORLD_LIMIT);
    let highest = IVec3::splat(WORLD_LIMIT - 1);
    let near = edit.copy(&region, &Mask::Any, IVec3::ZERO).unwrap();
    for target in [lowest, highest, IVec3::MIN, IVec3::MAX] {
        edit.paste(&near, target, &PasteOptions::default()).unwrap();
    }
    for (place, source) in [(highest - 2, -2), (highest, 0), (lowest + 3, 3), (lowest, 0)] {
        assert_eq!(edit.voxel(place).unwrap(), world.get(IVec3::splat(source)), "{place}");
    }
    // Targets so far away that the move leads out of the world.
    for (origin, target) in
        [(highest, lowest), (lowest, highest), (highest, IVec3::MIN), (lowest, IVec3::MAX)]
    {
        let far = edit.copy(&region, &Mask::Any, origin).unwrap();
        assert_eq!(edit.paste(&far, target, &PasteOptions::default()).unwrap(), 0);
    }
    let changes = edit.finish("edge").changes;
    assert!(changes.iter().all(|change| change.pos.in_world()) && !changes.is_empty());
}
