//! Tests that no visible set misses a chunk that rays reach: in random small worlds, by rays from
//! random cells with edits in between, and for a player that walks, digs and builds while chunks
//! load and unload and sets are refined in the background.

use glam::{DVec3, IVec3, Vec3};
use rustc_hash::{FxHashMap, FxHashSet};
use stonerun_engine::visibility::{
    ChunkOcclusion, Occluders, PvsCache, RefineJob, Rooms, Sweeper, bitset,
};
use stonerun_engine::voxel::{Box3, CHUNK_VOLUME, ChunkPos, linear_offset, local};
use stonerun_engine::world::view::in_reach;
use stonerun_lab::input::Random;
use stonerun_lab::visibility::{
    ComputedSets, Misses, RayScene, RayVerifier, VoxelWalk, verify_edits,
};

/// Size of a world, in chunks.
const SIZE: IVec3 = IVec3::new(4, 3, 4);
/// View distance in chunks, which covers the whole world.
const VIEW: i32 = 4;
const WORLDS: u64 = 12;
const CELLS: u64 = 2;
const RAYS: u64 = 200_000;
const EDITS: u64 = 20;

/// A random number below `count`.
fn below(random: &mut Random, count: i32) -> i32 {
    (random.draw() >> 33) as i32 % count
}

/// A pseudorandom number below 1000 that depends only on the position.
fn hash(at: IVec3) -> i32 {
    let mixed = at.x.wrapping_mul(374_761_393)
        ^ at.y.wrapping_mul(668_265_263)
        ^ at.z.wrapping_mul(1_274_126_177);
    ((mixed ^ mixed >> 13).wrapping_mul(1_103_515_245) >> 8 & 0x7fff) % 1000
}

/// A chunk whose voxels are occluders where `hides` is true of their world position.
fn chunk_occlusion(pos: ChunkPos, hides: impl Fn(IVec3) -> bool) -> ChunkOcclusion {
    let mut words = [0u64; CHUNK_VOLUME / 64];
    for index in (0..CHUNK_VOLUME).filter(|&index| hides(pos.origin() + linear_offset(index))) {
        words[index / 64] |= 1 << (index % 64);
    }
    let occluders = match words.iter().map(|word| word.count_ones() as usize).sum() {
        0 => Occluders::None,
        CHUNK_VOLUME => Occluders::All,
        _ => Occluders::Some(words.into()),
    };
    ChunkOcclusion { rooms: Rooms::from_occluders(&occluders), occluders }
}

/// A wall one voxel thick across an axis, with a hole.
struct Wall {
    axis: usize,
    at: i32,
    hole: Box3,
}

/// The solid parts of a world. Everything else is open.
struct World {
    boxes: Vec<Box3>,
    walls: Vec<Wall>,
    /// Number of voxels in 1000, at random, that are occluders.
    dust: i32,
    hills: i32,
    /// True if the world is rock around winding caves.
    caves: bool,
    /// Shafts through rock: a point, a unit direction and a width.
    shafts: Vec<(Vec3, Vec3, f32)>,
    /// Position of the lowest voxel.
    corner: IVec3,
}

impl World {
    fn new(random: &mut Random, kind: u64, corner: IVec3) -> World {
        let size = SIZE * 32;
        let seed = below(random, 12);
        let mut part = |most: i32| {
            let lo =
                IVec3::new(below(random, size.x), below(random, size.y), below(random, size.z));
            Box3 {
                min: lo,
                max: lo
                    + 1
                    + IVec3::new(below(random, most), below(random, most), below(random, most)),
            }
        };
        let mut world = World {
            boxes: vec![],
            walls: vec![],
            dust: 0,
            hills: 0,
            caves: false,
            shafts: vec![],
            corner,
        };
        match kind % 6 {
            0 => world.boxes = (0..60).map(|_| part(40)).collect(),
            1 => {
                let holes: Vec<_> = (0..14).map(|i| part([3, 12][i % 2])).collect();
                // Every other wall lies along the border of a chunk.
                let wall = |(i, hole): (usize, Box3)| {
                    let axis = i % 3;
                    let at = hole.min[i % 3];
                    Wall {
                        axis,
                        at: if i % 2 == 0 { at } else { at & !31 | (31 * (i as i32 >> 1 & 1)) },
                        hole,
                    }
                };
                world.walls = holes.into_iter().enumerate().map(wall).collect();
            }
            2 => world.dust = 10 + seed * 20,
            3 => (world.hills, world.boxes) = (1 + seed, (0..20).map(|_| part(20)).collect()),
            4 => world.caves = true,
            _ => {
                // The shafts meet in places, and cross chunk borders at all angles.
                let ends = [(); 8].map(|()| part(1).min.as_vec3() + 0.5);
                let shaft =
                    |i: usize| (ends[i], (ends[(i * 3 + 1) % 8] - ends[i]).normalize_or(Vec3::X));
                let shafts = (0..8).map(|i| (shaft(i).0, shaft(i).1, [0.8, 1.3, 2.5][i % 3]));
                world.shafts = shafts.collect();
            }
        }
        world
    }

    fn hides(&self, at: IVec3) -> bool {
        let at = at - self.corner;
        let wave = |a: i32, b: i32, long: f32| {
            ((a as f32 / long).sin() + (b as f32 / long * 1.3).cos()) * 0.5
        };
        let ground = 30.0 + (self.hills * 3) as f32 * wave(at.x, at.z, 9.0);
        let cave = wave(at.x, at.y, 7.0) + wave(at.y, at.z, 11.0) + wave(at.z, at.x, 8.0);
        self.boxes.iter().any(|part| part.contains(at))
            || self.walls.iter().any(|wall| {
                let mut flat = at;
                flat[wall.axis] = wall.hole.min[wall.axis];
                at[wall.axis] == wall.at && !wall.hole.contains(flat)
            })
            || hash(at) < self.dust
            || self.hills > 0 && (at.y as f32) < ground
            || self.caves && cave.abs() > 0.35
            || !self.shafts.is_empty()
                && self.shafts.iter().all(|&(point, way, wide)| {
                    let to = at.as_vec3() + 0.5 - point;
                    (to - way * to.dot(way)).length() > wide
                })
    }

    fn chunks(&self) -> FxHashMap<ChunkPos, ChunkOcclusion> {
        let all = Box3 { min: self.corner, max: self.corner + SIZE * 32 };
        all.chunks().map(|pos| (pos, chunk_occlusion(pos, |at| self.hides(at)))).collect()
    }
}

#[test]
fn sets_hold_everything_that_rays_reach() {
    let mut random = Random::new(2007);
    let mut sweeper = Sweeper::default();
    let mut missed = Misses::default();
    let mut held = 0;
    let mut proven = 0;
    for kind in 0..WORLDS {
        // Some worlds lie far from the origin, where floating-point numbers are coarse.
        let corner = IVec3::new(32, -32, 64) * [0, 1, -40_000][kind as usize % 3];
        let world = World::new(&mut random, kind, corner);
        let chunks = world.chunks();
        for _ in 0..CELLS {
            let viewer = std::iter::repeat_with(|| {
                corner
                    + IVec3::from_array(std::array::from_fn(|axis| {
                        below(&mut random, SIZE[axis] * 32)
                    }))
            });
            let viewer = viewer.take(100_000).find(|&at| !world.hides(at)).unwrap();
            let mut scene = RayScene::new(viewer, VIEW, |pos| chunks.get(&pos).cloned());
            let cell = scene.cell().unwrap();
            let sets = ComputedSets::refined(&scene, &cell, &mut sweeper);
            let rays = RAYS / WORLDS / CELLS;
            let mut verifier = RayVerifier::new(&mut scene, &cell, &sets, &mut random);
            verifier.cast(rays / 2);
            let (seen, found) = verifier.finish();
            held += bitset::count(&sets.refined);
            proven += bitset::count(&seen);
            missed.add(found);
            missed.add(verify_edits(&mut scene, &mut sweeper, &mut random, EDITS, rays / 2));
        }
    }
    assert_eq!(missed, Misses::default());
    // Sets that hold everything would pass too, so the sets must also be tight.
    assert!(held < 2 * proven, "{held} chunks, {proven} proven");
}

/// Asserts that rays from the cell of `viewer` to the voxel `end` reach it, and find no missing
/// chunk or room. Positions, and the arguments of `open`, are given along a path and to its side,
/// at a fixed height. All directions are tried, also mirrored.
fn nothing_is_missed_on_the_way(viewer: [i32; 2], end: [i32; 2], open: impl Fn(i32, i32) -> bool) {
    let mut random = Random::new(1);
    let mut sweeper = Sweeper::default();
    for case in 0..24 {
        let along = case % 3;
        let side = (case % 3 + 1 + case / 3 % 2) % 3;
        // In a mirrored case, voxel 0 becomes voxel -1.
        let mirrored = |mut at: IVec3| {
            for (axis, bit) in [(along, 1), (side, 2)] {
                if (case / 6) & bit != 0 {
                    at[axis] = -1 - at[axis];
                }
            }
            at
        };
        let place = |[forward, sideways]: [i32; 2]| {
            let mut at = IVec3::splat(10);
            at[along] = forward;
            at[side] = sideways;
            mirrored(at)
        };
        let hides = |at: IVec3| {
            let at = mirrored(at);
            at[3 - along - side] != 10 || !open(at[along], at[side])
        };
        let mut scene = RayScene::new(place(viewer), VIEW, |pos| Some(chunk_occlusion(pos, hides)));
        let cell = scene.cell().unwrap();
        let sets = ComputedSets::refined(&scene, &cell, &mut sweeper);
        let last = scene.graph().index().slot(ChunkPos::containing(place(end))).unwrap();
        let mut verifier = RayVerifier::new(&mut scene, &cell, &sets, &mut random);
        for _ in 0..2000 {
            verifier.cast_at_voxel(place(end));
        }
        let (seen, missed) = verifier.finish();
        assert!(bitset::contains(&seen, last), "case {case}: no ray reached it");
        assert_eq!(missed, Misses::default(), "case {case}");
    }
}

/// The view goes through three chunks, and only through the last voxel of the first opening, which
/// is two voxels wide.
#[test]
fn last_voxel_of_an_opening_counts() {
    nothing_is_missed_on_the_way([3, 10], [64, 15], |along, side| match along {
        0..16 => side == 10,
        16..32 => (10..12).contains(&side),
        32..64 => (0..32).contains(&side),
        64..96 => side == 15,
        _ => false,
    });
}

/// The view goes to a chunk straight ahead, but not through the face of the cell's box that faces
/// the chunk.
#[test]
fn cell_can_be_left_through_its_side() {
    let middle = |along: i32| 14 + (along - 4) / 4;
    nothing_is_missed_on_the_way([4, 14], [68, middle(68)], |along, side| {
        let width = if along < 16 { -1..=1 } else { 0..=1 };
        (4..90).contains(&along) && width.contains(&(side - middle(along)))
    });
}

/// A partly loaded world, and a player in it.
struct Walk {
    world: World,
    /// Voxels whose occlusion was inverted by edits.
    turned: FxHashSet<IVec3>,
    loaded: FxHashMap<ChunkPos, ChunkOcclusion>,
    cache: PvsCache,
    eye: IVec3,
    /// Background work that has not been run and applied.
    job: Option<RefineJob>,
}

/// View distance in chunks. It is small, so that the loaded region moves within the world.
const NEAR: i32 = 2;

impl Walk {
    fn new(random: &mut Random, kind: u64) -> Walk {
        let world = World::new(random, kind, IVec3::ZERO);
        let mut loaded = world.chunks();
        loaded.retain(|_, _| below(random, 8) > 0);
        let eye = std::iter::repeat_with(|| inside(random))
            .take(100_000)
            .find(|&at| !world.hides(at))
            .unwrap();
        let cache = PvsCache::new(ChunkPos::containing(eye), NEAR, |pos| loaded.get(&pos).cloned());
        Walk { world, turned: FxHashSet::default(), loaded, cache, eye, job: None }
    }

    fn hides(&self, at: IVec3) -> bool {
        let occlusion = self.loaded.get(&ChunkPos::containing(at));
        occlusion.is_some_and(|occlusion| occlusion.occluders.hides(local(at)))
    }

    fn load(&mut self, pos: ChunkPos) {
        let occlusion =
            chunk_occlusion(pos, |at| self.world.hides(at) != self.turned.contains(&at));
        self.loaded.insert(pos, occlusion.clone());
        self.cache.set_chunk(pos, Some(occlusion));
    }

    /// Makes one random event happen.
    fn step(&mut self, random: &mut Random) {
        match below(random, 12) {
            0..=3 => {
                let far = [3, 40, 100][below(random, 3) as usize];
                let by = IVec3::from_array([(); 3].map(|()| below(random, 2 * far + 1) - far));
                let eye = (self.eye + by).clamp(IVec3::ZERO, SIZE * 32 - 1);
                if !self.hides(eye) {
                    self.eye = eye;
                    let loaded = &self.loaded;
                    self.cache.move_to(ChunkPos::containing(eye), |pos| loaded.get(&pos).cloned());
                }
            }
            4..=6 => {
                let by = IVec3::from_array([(); 3].map(|()| below(random, 25) - 12));
                let at = (self.eye + by).clamp(IVec3::ZERO, SIZE * 32 - 1);
                if at != self.eye && self.loaded.contains_key(&ChunkPos::containing(at)) {
                    if !self.turned.remove(&at) {
                        self.turned.insert(at);
                    }
                    self.load(ChunkPos::containing(at));
                }
            }
            7 => {
                let pos = ChunkPos::containing(inside(random));
                if self.loaded.contains_key(&pos) && pos != ChunkPos::containing(self.eye) {
                    self.loaded.remove(&pos);
                    self.cache.set_chunk(pos, None);
                } else {
                    self.load(pos);
                }
            }
            8 => self.cache.invalidate_baked(ChunkPos::containing(inside(random))),
            _ => match self.job.take() {
                Some(job) => self.cache.finish_job(job.run()),
                None => self.job = self.cache.next_job(),
            },
        }
    }

    /// Casts some rays from the eye. Returns the first chunk that a ray reaches and the set lacks.
    fn missed(&mut self, random: &mut Random) -> Option<(DVec3, DVec3, ChunkPos)> {
        let home = ChunkPos::containing(self.eye);
        // Nothing is culled inside rock.
        self.cache.select(self.eye, below(random, 3) == 0)?;
        let set = self.cache.current_set().expect("the set was updated").chunks;
        let index = self.cache.index();
        for _ in 0..60 {
            let mut part = || (random.draw() >> 11) as f64 / (1u64 << 53) as f64;
            let from = self.eye.as_dvec3() + DVec3::new(part(), part(), part());
            let way = DVec3::new(part() - 0.5, part() - 0.5, part() - 0.5);
            for at in VoxelWalk::new(from, way) {
                let pos = ChunkPos::containing(at);
                if !in_reach(pos.as_ivec3() - home.as_ivec3(), NEAR) {
                    break;
                }
                let is_held = index.slot(pos).is_some_and(|slot| bitset::contains(set, slot));
                if !is_held {
                    return Some((from, way, pos));
                }
                if self.hides(at) {
                    break;
                }
            }
        }
        None
    }
}

/// A random voxel of the world.
fn inside(random: &mut Random) -> IVec3 {
    IVec3::from_array(std::array::from_fn(|axis| below(random, SIZE[axis] * 32)))
}

/// Events happen in any order: long walks, rare updates, background work in between.
#[test]
fn moving_player_misses_nothing_during_edits_and_loading() {
    let mut random = Random::new(1987);
    let mut held = 0;
    let mut looked = 0;
    let mut refined = 0;
    for kind in 0..12 {
        let mut walk = Walk::new(&mut random, kind);
        for step in 0..400 {
            walk.step(&mut random);
            // Sometimes several events happen between two frames.
            if below(&mut random, 3) > 0 {
                let missed = walk.missed(&mut random);
                assert_eq!(missed, None, "world {kind}, step {step}, eye {}", walk.eye);
                looked += u64::from(walk.cache.current_cell().is_some());
                held += walk.cache.current_set().map_or(0, |set| bitset::count(set.chunks));
                refined = refined.max(walk.cache.stats().refined);
            }
        }
    }
    assert!(refined > 3, "sets were refined");
    // 147 chunks are within the view distance. Culling is modest, because the worlds are small, and
    // open outside.
    assert!(held < looked * 147 * 9 / 10, "{held} of {looked} times 147");
}
