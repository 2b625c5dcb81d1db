//! Masks compared with their definitions, voxel by voxel, across the borders of chunks.

use super::*;
use crate::edit::position_noise::unit;
use crate::edit::region::Ellipsoid;
use crate::edit::{ChunkBits, ChunkSource, EditError};
use crate::voxel::{CHUNK_VOLUME, ChunkPos, linear_offset};
use crate::world::{Chunk, World};
use glam::{DVec3, IVec3};

/// Hills with water, caves and half-filled voxels, around the chunk at the origin.
fn hills() -> World {
    let voxel = |at: IVec3| {
        let height = (f64::from(at.x) / 7.0).sin() * 9.0 + (f64::from(at.z) / 11.0).cos() * 6.0;
        let below = height - f64::from(at.y);
        match () {
            () if below < 0.0 && at.y < -4 => Voxel::full(5),
            () if below < 0.0 => Voxel::AIR,
            () if unit(3, at / 3) < 0.1 => Voxel::AIR,
            () if below < 1.0 => {
                let liquid = if at.y < 0 { 99 } else { 0 };
                Voxel::new(2, (below * 255.0) as u8).with_liquid(liquid)
            }
            () if below < 4.0 => Voxel::full(2),
            () => Voxel::full(1 + (unit(7, at) * 1.1) as u16 * 3),
        }
    };
    let mut world = World::new();
    for pos in (Box3 { min: IVec3::splat(-32), max: IVec3::splat(64) }).chunks() {
        let voxels = (0..CHUNK_VOLUME).map(|index| (1, voxel(pos.origin() + linear_offset(index))));
        world.insert(pos, Chunk::from_runs(voxels));
    }
    world
}

fn voxel(world: &World, at: IVec3) -> Voxel {
    let voxel = world.get(at);
    if voxel == Voxel::NOT_LOADED { Voxel::AIR } else { voxel }
}

/// Definition of the masks, one voxel at a time.
fn accepts(mask: &Mask, world: &World, at: IVec3) -> bool {
    let other = |mask: &Mask, by: IVec3| accepts(mask, world, at + by);
    match mask {
        Mask::Any => true,
        Mask::Materials(materials) => materials.contains(&voxel(world, at).material()),
        Mask::Voxels(voxels) => {
            let here = voxel(world, at);
            voxels.iter().any(|v| *v == here || *v == Voxel::new(here.material(), here.occupancy()))
        }
        Mask::Wet => voxel(world, at).liquid() > 0,
        Mask::Full => voxel(world, at).occupancy() == 255,
        Mask::Not(mask) => !accepts(mask, world, at),
        Mask::All(masks) => masks.iter().all(|mask| accepts(mask, world, at)),
        Mask::AnyOf(masks) => masks.iter().any(|mask| accepts(mask, world, at)),
        Mask::Neighbour { faces, mask } => faces.iter().any(|face| other(mask, face.normal())),
        Mask::Heights(heights) => heights.contains(&at.y),
        Mask::Inside(area) => area.contains(at),
        Mask::Region(region) => region.contains(at),
        Mask::Moved { region, by } => region.contains(at - by),
        Mask::Shape(shape) => {
            let mut is_inside = false;
            shape.shape().row(at.y, at.z, &mut |xs| is_inside |= xs.contains(&at.x));
            is_inside
        }
        Mask::Lines(lines) => lines.region().expect("short lines").contains(at),
        Mask::Share { share, seed } => unit(*seed, at) < *share,
        Mask::Noise { noise, values } => values[0] <= noise.at(at) && noise.at(at) < values[1],
        Mask::Slope { degrees, ground } => {
            let mut pull = DVec3::ZERO;
            for i in 0..125 {
                let by = IVec3::new(i % 5, i / 5 % 5, i / 25) - 2;
                if other(ground, by) {
                    pull += by.as_dvec3();
                }
            }
            let slope = pull.angle_between(DVec3::NEG_Y).to_degrees();
            pull != DVec3::ZERO && (degrees[0] - 1e-6..=degrees[1] + 1e-6).contains(&slope)
        }
    }
}

fn of(materials: &[MaterialId]) -> Mask {
    Mask::Materials(materials.to_vec())
}

fn masks() -> Vec<Mask> {
    let ball =
        Region::from_shape(&Ellipsoid { centre: IVec3::new(3, 0, 30), radii: DVec3::splat(14.0) });
    let slope = |from, to| Mask::Slope { degrees: [from, to], ground: Box::new(Mask::existing()) };
    let soil = || Mask::Materials(vec![2]);
    vec![
        Mask::Any,
        soil(),
        Mask::Voxels(vec![Voxel::full(2), Voxel::AIR]),
        Mask::Voxels((0..200).map(|occupancy| Voxel::new(2, occupancy)).collect()),
        Mask::Voxels((0..200).map(|o| Voxel::new(2, o).with_liquid(99)).collect()),
        Mask::Wet,
        Mask::near(Mask::Wet),
        Mask::Full,
        Mask::existing(),
        Mask::AnyOf(vec![Mask::air(), soil(), Mask::Heights(3..9)]),
        Mask::All(vec![Mask::Heights(i32::MIN..7), Mask::existing(), Mask::near(of(&[0]))]),
        Mask::above(of(&[1, 2])),
        Mask::below(of(&[0])),
        Mask::near(of(&[5])),
        Mask::near(Mask::near(of(&[0]))),
        Mask::above(Mask::below(of(&[0]))),
        Mask::Heights(3..3),
        Mask::Inside(Box3 { min: IVec3::new(-5, 2, 7), max: IVec3::new(40, 20, 33) }),
        Mask::Shape(ShapeMask::new(Box::new(Ellipsoid {
            centre: IVec3::new(9, 1, 3),
            radii: DVec3::splat(12.0),
        }))),
        Mask::Moved { region: Arc::new(ball.clone()), by: IVec3::new(3, -2, 4) },
        Mask::Region(Arc::new(ball)),
        Mask::Lines(LinesMask::new(vec![
            IVec3::new(-9, 3, 2),
            IVec3::new(30, 9, 28),
            IVec3::new(4, 2, 40),
        ])),
        Mask::inverse(Mask::AnyOf(vec![Mask::Share { share: 0.3, seed: 1 }, Mask::near(of(&[2]))])),
        Mask::Share { share: 0.0, seed: 1 },
        Mask::clouds(5, 7.0, [0.2, 0.6]),
        slope(0.0, 20.0),
        slope(45.0, 90.0).and(Mask::existing()),
        slope(0.0, 180.0),
        Mask::exposed(&MaterialTable::builtin()),
        Mask::All(Vec::new()),
        Mask::AnyOf(Vec::new()),
    ]
}

#[test]
fn masks_accept_the_voxels_of_their_definitions() {
    let world = hills();
    let regions = [
        Region::from_shape(&Box3 { min: IVec3::splat(-32), max: IVec3::splat(64) }),
        Region::from_shape(&Ellipsoid { centre: IVec3::new(16, 2, 31), radii: DVec3::splat(13.0) }),
    ];
    for mask in masks() {
        let mut accepted = 0;
        for (region, chunks) in regions.iter().zip([&[[0, 0, 0]][..], &[[0, 0, 0], [0, -1, 1]]]) {
            for pos in chunks.iter().map(|&[x, y, z]| ChunkPos::new(x, y, z)) {
                let chunk = World::chunk(&world, pos).expect("it is loaded");
                let ranges = mask.ranges(region, pos, chunk, &world).unwrap();
                assert!(ranges.windows(2).all(|pair| pair[0].end <= pair[1].start), "ascending");
                let bits = ChunkBits::from_ranges(ranges);
                for index in 0..CHUNK_VOLUME {
                    let at = pos.origin() + linear_offset(index);
                    let expected = region.contains(at) && accepts(&mask, &world, at);
                    assert_eq!(bits.contains(index), expected, "{mask:?} at {at}");
                    accepted += usize::from(expected);
                    assert!(
                        mask.accepts(chunk.get(index))
                            .is_none_or(|one| one == accepts(&mask, &world, at))
                    );
                }
            }
        }
        let is_empty = matches!(&mask, Mask::Heights(heights) if heights.is_empty())
            || matches!(&mask, Mask::Share { share: 0.0, .. })
            || mask == Mask::AnyOf(Vec::new());
        assert_eq!(accepted == 0, is_empty, "{mask:?} accepts {accepted}");
    }
}

/// Chunk source that fails for all but some chunks.
struct PartialSource<'a>(&'a World, &'a [ChunkPos]);

impl ChunkSource for PartialSource<'_> {
    fn chunk(&self, pos: ChunkPos) -> Result<Chunk, EditError> {
        if self.1.contains(&pos) {
            ChunkSource::chunk(self.0, pos)
        } else {
            Err(EditError::Cancelled)
        }
    }
}

#[test]
fn masks_read_only_the_chunks_they_look_at() {
    let world = hills();
    let home = ChunkPos::new(0, 0, 0);
    let chunk = World::chunk(&world, home).unwrap();
    let inner = Region::from_shape(&Box3 { min: IVec3::splat(1), max: IVec3::splat(31) });
    let upper = Region::from_shape(&Box3 { min: IVec3::splat(1), max: IVec3::new(31, 32, 31) });
    for mask in [
        Mask::existing(),
        Mask::near(of(&[0])),
        Mask::Heights(0..3),
        Mask::Share { share: 0.5, seed: 1 },
    ] {
        assert!(mask.ranges(&inner, home, chunk, &PartialSource(&world, &[])).is_ok(), "{mask:?}");
    }
    let below = Mask::below(of(&[0]));
    assert!(below.ranges(&upper, home, chunk, &PartialSource(&world, &[])).is_err());
    assert!(
        below
            .ranges(&upper, home, chunk, &PartialSource(&world, &[ChunkPos::new(0, 1, 0)]))
            .is_ok()
    );
}

#[test]
fn slopes_of_planes_are_their_angles() {
    let ground = |rise: f64| move |at: IVec3| f64::from(at.y) <= rise * f64::from(at.x);
    for (rise, from, to) in
        [(0.0, 0.0, 0.1), (1.0, 44.9, 45.1), (-1.0, 44.9, 45.1), (0.5, 10.0, 45.0)]
    {
        let is_ground = ground(rise);
        let mut world = World::new();
        for pos in (Box3 { min: IVec3::splat(-32), max: IVec3::splat(64) }).chunks() {
            let voxel = |index: usize| {
                if is_ground(pos.origin() + linear_offset(index)) {
                    Voxel::full(1)
                } else {
                    Voxel::AIR
                }
            };
            world.insert(pos, Chunk::from_runs((0..CHUNK_VOLUME).map(|index| (1, voxel(index)))));
        }
        let surface = Mask::All(vec![Mask::existing(), Mask::below(of(&[0]))]);
        let steep = Mask::Slope { degrees: [from, to], ground: Box::new(Mask::existing()) };
        let all = Region::from_shape(&ChunkPos::new(0, 0, 0).bounds());
        let count = |mask: &Mask| {
            let chunk = World::chunk(&world, ChunkPos::new(0, 0, 0)).unwrap();
            mask.ranges(&all, ChunkPos::new(0, 0, 0), chunk, &world)
                .unwrap()
                .into_iter()
                .map(|r| r.len())
                .sum::<usize>()
        };
        assert_eq!(count(&surface), count(&surface.clone().and(steep)), "rise {rise}");
        assert!(count(&surface) > 0 || rise == -1.0);
    }
}
