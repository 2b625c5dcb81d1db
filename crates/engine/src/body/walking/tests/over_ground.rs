//! Movement over smooth ground, against its mesh.

use super::super::over_ground::{WALKABLE, is_out_of_ground, pill};
use super::smooth_worlds::{Extras, HALF, SmoothWorld, materials};
use super::*;
use crate::body::picking::{REACH, pick};
use crate::random::Random;
use crate::voxel::linear_offset;
use rayon::prelude::*;

/// Depth in voxels to which a body may be in the ground.
const MAX_DEPTH: f64 = 0.021;
/// Distance in voxels that the feet may have from the drawn surface.
const MAX_GAP: f64 = 1.0 / 16.0;

fn part(random: &mut Random) -> f64 {
    f64::from(random.below(1_000_001)) / 1e6
}

/// True if a body with its feet at `at` touches neither the mesh nor a box.
fn fits(world: &SmoothWorld, at: DVec3) -> bool {
    let walker = Walker::at(at);
    world.distance(pill(at)) > WIDTH / 2.0 && walker.is_clear(&world.world, &world.materials)
}

/// True next to chunks that are not loaded, where ground ends.
fn is_at_the_border(at: DVec3) -> bool {
    at.abs().max_element() > f64::from(HALF) - 4.0
}

/// A random place in the air where a body fits, up to `height` voxels above or below 0.
fn free_place(world: &SmoothWorld, random: &mut Random, height: f64) -> DVec3 {
    let reach = DVec3::new(27.0, height, 27.0);
    loop {
        let at = DVec3::from_array([0; 3].map(|_| 2.0 * part(random) - 1.0)) * reach;
        if fits(world, at) {
            return at;
        }
    }
}

/// A slope of smooth ground that rises by `rise` voxels per voxel to the east, and a level world
/// west of x = 0.
fn slope(rise: f64) -> SmoothWorld {
    let mut world = World::new();
    for number in 0..8 {
        let pos = ChunkPos::new((number & 1) - 1, (number >> 1 & 1) - 1, (number >> 2) - 1);
        let voxel = |index: usize| {
            let at = pos.origin() + linear_offset(index);
            let height = (f64::from(at.x) + 0.5).max(0.0) * rise - 8.0;
            let fill = (height - f64::from(at.y)).clamp(0.0, 1.0);
            if fill == 0.0 { Voxel::AIR } else { Voxel::new(1, (fill * 255.0) as u8) }
        };
        world.insert(pos, Chunk::from_runs((0..32 * 32 * 32).map(|index| (1, voxel(index)))));
    }
    SmoothWorld::with_mesh(world, materials())
}

/// Walks east for `seconds` from x = -3.
fn walk_east(world: &SmoothWorld, seconds: f64) -> Walker {
    let mut walker = Walker::at(DVec3::new(-3.0, -8.0, 0.5));
    let east = Intent { along: DVec2::X, ..Intent::default() };
    for _ in 0..(seconds * 60.0) as u32 {
        _ = walker.advance(&world.world, &world.materials, east, 1.0 / 60.0);
    }
    walker
}

#[test]
fn body_walks_up_slopes_and_not_up_steep_ones() {
    for (rise, climbs) in [(0.3, true), (0.8, true), (1.0, true), (1.6, false), (3.0, false)] {
        let walker = walk_east(&slope(rise), 4.0);
        assert_eq!(walker.position.x > 7.0, climbs, "{rise}: {}", walker.position);
        if !climbs {
            assert!(walker.position.x < 1.5, "{rise}: {}", walker.position);
        }
    }
}

#[test]
fn body_slides_down_steep_slopes_and_rests_on_others() {
    for (rise, slides) in [(0.5, false), (1.0, false), (1.7, true), (2.5, true)] {
        let world = slope(rise);
        let mut walker = Walker::at(DVec3::new(6.0, 6.5 * rise - 7.0, 0.5));
        for _ in 0..180 {
            _ = walker.advance(&world.world, &world.materials, Intent::default(), 1.0 / 60.0);
        }
        assert_eq!(walker.position.x < 2.0, slides, "{rise}: {}", walker.position);
        assert!(walker.on_ground, "{rise}: {}", walker.position);
    }
}

#[test]
fn movement_on_a_hill_has_no_steps() {
    let world = SmoothWorld::new(7, Extras::None);
    let mut walker = Walker::at(DVec3::new(0.0, 28.0, 0.0));
    let mut random = Random::new(3);
    let mut on_ground = 0;
    let mut along = DVec2::X;
    for step in 0..6000 {
        if step % 90 == 0 {
            along = DVec2::from_angle(part(&mut random) * 6.3);
        }
        if is_at_the_border(walker.position) {
            walker = Walker::at(DVec3::new(0.0, 28.0, 0.0));
        }
        let before = walker;
        let intent = Intent { along, ..Intent::default() };
        _ = walker.advance(&world.world, &world.materials, intent, 1.0 / 60.0);
        let moved = walker.position - before.position;
        if before.on_ground && walker.on_ground {
            on_ground += 1;
            // Not steeper than a body walks, a little more across the edges of triangles.
            let run = DVec2::new(moved.x, moved.z).length();
            assert!(moved.y.abs() <= 1.3 * run + 0.01, "{moved} at {}", walker.position);
        }
    }
    assert!(on_ground > 3000, "{on_ground}");
}

#[test]
fn body_steps_from_ground_onto_a_low_box_and_not_onto_a_high_one() {
    for (height, climbs) in [(127, true), (255, false)] {
        let mut world = slope(0.0).world;
        // A floor of slabs or of cubes in the meadow.
        world.fill(
            Box3::spanning(IVec3::new(4, -8, -3), IVec3::new(20, -8, 3)),
            Voxel::new(5, height),
        );
        let world = SmoothWorld::with_mesh(world, materials());
        let walker = walk_east(&world, 4.0);
        assert_eq!(walker.position.x > 6.0, climbs, "{height}: {}", walker.position);
        let top = if climbs { -7.5 } else { -8.0 };
        assert!((walker.position.y - top).abs() < 1e-3, "{}", walker.position);
        // A jump reaches the high one.
        let mut walker = walker;
        for frame in 0..120 {
            let up = frame == 0;
            let east = Intent { along: DVec2::X, up, ..Intent::default() };
            _ = walker.advance(&world.world, &world.materials, east, 1.0 / 60.0);
        }
        assert!(walker.position.x > 6.0, "{height}: {}", walker.position);
    }
}

#[test]
fn body_in_ground_that_was_put_on_it_gets_out() {
    let mut world = slope(0.0).world;
    let mut walker = Walker::at(DVec3::new(0.4, -8.0, 0.3));
    _ = walker.advance(&world, &materials(), Intent::default(), 0.1);
    world.fill(Box3::spanning(IVec3::new(-6, -8, -6), IVec3::new(6, -3, 6)), Voxel::full(1));
    assert!(!walker.is_clear(&world, &materials()));
    for _ in 0..60 {
        _ = walker.advance(&world, &materials(), Intent::default(), 1.0 / 60.0);
    }
    let is_on_top = (walker.position.y + 2.0).abs() < 1e-3;
    assert!(is_on_top && walker.is_clear(&world, &materials()), "{}", walker.position);
}

/// Probes the ground: drawn surface, ray and feet. Prints the largest distances.
fn probe_ground(seeds: std::ops::Range<u64>, probes: usize) {
    let mut gaps: [f64; 2] = [0.0; 2];
    let mut stood = 0;
    let mut tried = 0;
    for seed in seeds {
        let extras = if seed % 2 == 0 { Extras::None } else { Extras::Rubble };
        let world = SmoothWorld::new(seed, extras);
        let mut random = Random::new(seed);
        for _ in 0..probes {
            let eyes = free_place(&world, &mut random, 12.0) + DVec3::Y * 1.5;
            let Some([height, up]) = world.floor_below(eyes, REACH) else { continue };
            tried += 1;
            let hit = pick(&world.world, &world.materials, eyes, DVec3::NEG_Y, REACH).hit;
            let hit = hit.filter(|hit| hit.ground_normal.is_some());
            let hit = hit.unwrap_or_else(|| panic!("seed {seed}: no ground below {eyes}"));
            gaps[0] = gaps[0].max((eyes.y - hit.distance - height).abs());
            let start = eyes.with_y(height + 0.01);
            // Where steep ground or a box holds the body higher, the feet hang.
            if up < WALKABLE || !fits(&world, start) || !fits(&world, start - DVec3::Y * 0.01) {
                continue;
            }
            let mut walker = Walker::at(start);
            for _ in 0..3 {
                _ = walker.advance(&world.world, &world.materials, Intent::default(), 1.0 / 60.0);
            }
            stood += 1;
            assert!(walker.on_ground, "seed {seed}: falls from {start} to {}", walker.position);
            let gap = (walker.position.y - height).abs();
            gaps[1] = gaps[1].max(gap);
            assert!(gap <= MAX_GAP, "seed {seed}: {} instead of {height}", walker.position);
        }
    }
    println!(
        "{tried} probes: rays at most {:.2e} voxels from the drawn surface, feet at most {:.2e} in \
         the {stood} places where a body stands",
        gaps[0], gaps[1]
    );
    assert!(gaps[0] <= MAX_GAP && stood > tried / 8, "{gaps:?}, {stood} of {tried}");
}

#[test]
fn feet_and_rays_meet_the_drawn_surface() {
    probe_ground(0..6, 2000);
}

#[test]
#[ignore = "a million probes take minutes; run it after changes of rays or bodies"]
fn feet_and_rays_meet_the_drawn_surface_in_a_million_places() {
    probe_ground(100..400, 9000);
}

/// A body that wanders at random.
struct Wanderer<'a> {
    world: &'a SmoothWorld,
    random: Random,
    walker: Walker,
    intent: Intent,
    /// Position at the last noticeable move.
    rested_at: DVec3,
    /// Number of steps since that move.
    rested: u32,
    /// Largest depth in the ground, in voxels.
    deepest: f64,
    /// Largest distance of the feet from walkable ground on which it stood.
    gap: f64,
}

impl Wanderer<'_> {
    fn step(&mut self, seed: u64) {
        let random = &mut self.random;
        if random.below(30) == 0 {
            let angle = part(random) * 6.3;
            let speed = part(random).min(0.5) * 2.0;
            self.intent = Intent {
                along: DVec2::from_angle(angle) * speed,
                up: random.below(3) == 0,
                down: random.below(3) == 0,
                sprint: random.below(3) == 0,
                flying_factor: 1.0,
            };
            if random.below(12) == 0 {
                self.walker.flying = !self.walker.flying;
            }
        }
        let seconds = [1.0 / 60.0, 1.0 / 60.0, 1.0 / 144.0, 1.0 / 30.0, 0.1][random.index(5)];
        let before = self.walker;
        let SmoothWorld { world, materials, .. } = self.world;
        _ = self.walker.advance(world, materials, self.intent, seconds);
        let Walker { position, on_ground, .. } = self.walker;
        let place = format!("seed {seed}: from {before:?} to {position}");
        // Never inside.
        let depth = WIDTH / 2.0 - self.world.distance(pill(position));
        assert!(depth <= MAX_DEPTH, "{place}: {depth} deep");
        self.deepest = self.deepest.max(depth);
        let counted = CountedWorld::new(world, materials);
        assert!(is_out_of_ground(&counted, position), "{place}: in the ground");
        // Never through.
        let way = position - before.position;
        let knees = [before.position, position].map(|at| pill(at).low);
        if way.length() < 0.3 {
            assert!(!self.world.separates(knees[0], knees[1]), "{place}: through the ground");
        }
        let longest = before.velocity.length().max(self.walker.velocity.length()) + 12.0;
        assert!(way.length() < longest * seconds + 0.7, "{place}: lifted by {way}");
        // On the ground: not in the tick in which a fall ends, which may end a little above it.
        let floor = self.world.floor_below(knees[1], 0.6);
        if let Some([height, up]) = floor
            && before.on_ground
            && on_ground
            && up > WALKABLE
            && depth < -0.02
            && self.is_far_from_boxes()
        {
            let gap = (height - position.y).abs();
            assert!(gap <= MAX_GAP, "{place}: feet {gap} from the ground");
            self.gap = self.gap.max(gap);
        }
        // Never stuck.
        self.rested += 1;
        if (position - self.rested_at).length() > 0.05 {
            self.rested_at = position;
            self.rested = 0;
        }
        if self.rested == 2000 {
            let ways = (0..27).map(crate::voxel::neighbour_offset).filter(|by| *by != IVec3::ZERO);
            let mut open = ways.map(|by| position + by.as_dvec3() * 0.1);
            assert!(!open.any(|at| fits(self.world, at)), "{place}: stuck");
            // A pocket as narrow as the body.
            self.walker = Walker::at(free_place(self.world, &mut self.random, 27.0));
            self.rested = 0;
        }
    }

    /// True if no box is near the feet.
    fn is_far_from_boxes(&self) -> bool {
        let at = self.walker.position;
        let near = Aabb { min: at - 0.6, max: at + 0.6 };
        is_free(&self.world.world, &self.world.materials, near)
    }
}

fn wander(seeds: std::ops::Range<u64>, steps: u32) {
    let mut deepest: f64 = 0.0;
    let mut gap: f64 = 0.0;
    for seed in seeds.clone() {
        let extras = [Extras::None, Extras::Rubble, Extras::Boxes][(seed % 3) as usize];
        let world = SmoothWorld::new(seed, extras);
        let mut random = Random::new(seed + 77);
        let start = free_place(&world, &mut random, 27.0);
        let mut wanderer = Wanderer {
            world: &world,
            random,
            walker: Walker::at(start),
            intent: Intent::default(),
            rested_at: start,
            rested: 0,
            deepest: 0.0,
            gap: 0.0,
        };
        for step in 0..steps {
            // Another place now and then, or it would stay in one hollow.
            if step % 1500 == 0 || is_at_the_border(wanderer.walker.position) {
                let at = free_place(&world, &mut wanderer.random, 27.0);
                wanderer.walker = Walker::at(at);
            }
            wanderer.step(seed);
        }
        deepest = deepest.max(wanderer.deepest);
        gap = gap.max(wanderer.gap);
    }
    let worlds = seeds.count();
    println!(
        "{worlds} worlds, {steps} steps each: at most {deepest:.3} voxels in the ground, feet at \
         most {gap:.3} from it"
    );
}

#[test]
fn wandering_bodies_are_never_inside_through_or_stuck() {
    wander(0..12, 8_000);
}

#[test]
#[ignore = "ten million steps take a quarter of an hour; run it after changes of bodies"]
fn ten_million_steps_are_never_inside_through_or_stuck() {
    let starts: Vec<u64> = (1000..1500).step_by(10).collect();
    starts.into_par_iter().for_each(|seed| wander(seed..seed + 10, 20_000));
}

#[test]
#[ignore = "asserts nothing: prints times, to be read from a run with --release"]
fn cost_of_a_tick_on_smooth_land() {
    let world = SmoothWorld::new(7, Extras::None);
    let mut walker = Walker::at(DVec3::new(0.0, 20.0, 0.0));
    let mut random = Random::new(3);
    let mut intent = Intent::default();
    let mut times = Vec::new();
    for step in 0..200_000 {
        if step % 90 == 0 {
            intent.along = DVec2::from_angle(part(&mut random) * 6.3);
        }
        if is_at_the_border(walker.position) {
            walker = Walker::at(DVec3::new(0.0, 20.0, 0.0));
        }
        let start = std::time::Instant::now();
        _ = walker.advance(&world.world, &world.materials, intent, 1.0 / 60.0);
        if walker.on_ground {
            times.push(start.elapsed());
        }
    }
    times.sort_unstable();
    println!(
        "{:?} per tick of 1/60 s, median of {} on the ground",
        times[times.len() / 2],
        times.len()
    );
}
