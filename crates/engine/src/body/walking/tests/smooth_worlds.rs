//! Random worlds of smooth ground, with their meshes as a reference.

use crate::contour::ContourMaterials;
use crate::random::Random;
use crate::surface;
use crate::voxel::{
    ChunkPos, Material, MaterialTable, Matter, Opacity, SurfaceRule, Voxel, linear_offset,
};
use crate::world::{Chunk, Pill, World};
use glam::{DVec3, IVec3};
use rustc_hash::FxHashMap;

/// Half the side of the worlds, in voxels.
pub(super) const HALF: i32 = 32;

/// Materials of all surfaces, a cube and glass.
pub(super) fn materials() -> MaterialTable {
    let ground = |name: &str, surface| Material { surface, ..Material::plain(name, [90; 3]) };
    MaterialTable::from_list(vec![
        Material { matter: Matter::Gas, ..Material::plain("air", [0; 3]) },
        ground("smooth", SurfaceRule::Smooth),
        ground("facet", SurfaceRule::Facet),
        ground("rough", SurfaceRule::Rough(80)),
        ground("terrace", SurfaceRule::Terrace(3)),
        Material::plain("stone", [120; 3]),
        Material { opacity: Opacity::CutOut, ..Material::plain("glass", [200; 3]) },
    ])
    .expect("names are unique")
}

/// Content of a world besides hills.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extras {
    /// Nothing.
    None,
    /// Caves, and voxels of any occupancy in the ground and above it.
    Rubble,
    /// Rubble, walls of cubes, single cubes and slabs.
    Boxes,
}

/// A world of 64^3 voxels around 0 with hills of smooth ground.
pub(super) struct SmoothWorld {
    pub world: World,
    pub materials: MaterialTable,
    /// The drawn triangles, in voxels.
    triangles: Vec<[DVec3; 3]>,
    /// Triangles by the voxels that their boxes touch.
    by_voxel: FxHashMap<IVec3, Vec<u32>>,
}

/// A wave of a hill.
struct Wave {
    along: DVec3,
    phase: f64,
    height: f64,
}

impl SmoothWorld {
    pub fn new(seed: u64, extras: Extras) -> SmoothWorld {
        let mut random = Random::new(seed);
        let mut part = |reach: f64| (f64::from(random.below(2001)) / 1000.0 - 1.0) * reach;
        let steepness = 1.0 + part(1.0).abs() * 5.0;
        let waves: Vec<Wave> = (1..=6)
            .map(|number| Wave {
                along: DVec3::new(part(0.25), part(0.1), part(0.25)) * f64::from(number).sqrt(),
                phase: part(3.0),
                height: steepness * (0.4 + part(0.6).abs()) / f64::from(number).sqrt(),
            })
            .collect();
        let density = |at: IVec3| {
            let at = at.as_dvec3() + 0.5;
            let height: f64 = waves
                .iter()
                .map(|wave| wave.height * (wave.along.dot(at) + wave.phase).sin())
                .sum();
            height - at.y
        };
        let kinds = 1 + random.below(4) as u16;
        let mut world = World::new();
        for pos in chunks() {
            let voxel = |index: usize| {
                let at = pos.origin() + linear_offset(index);
                let fill = (density(at) + 0.5).clamp(0.0, 1.0);
                let material =
                    1 + (at.x.div_euclid(9) + at.z.div_euclid(7)).rem_euclid(kinds.into()) as u16;
                if fill < 1.0 / 256.0 {
                    Voxel::AIR
                } else {
                    Voxel::new(material, (fill * 256.0) as u8)
                }
            };
            world.insert(pos, Chunk::from_runs((0..32 * 32 * 32).map(|index| (1, voxel(index)))));
        }
        if extras != Extras::None {
            add_rubble(&mut world, &mut random, kinds, extras == Extras::Boxes);
        }
        SmoothWorld::with_mesh(world, materials())
    }

    /// A world and its mesh.
    pub fn with_mesh(world: World, materials: MaterialTable) -> SmoothWorld {
        let contour = ContourMaterials::new(&materials);
        let mut triangles = Vec::new();
        for pos in chunks() {
            let mesh = surface::build(pos, &world.neighbourhood(pos).borrowed(), &contour);
            let at = |corner: u32| {
                let position = mesh.vertices[corner as usize].unpack().position();
                pos.origin().as_dvec3() + position.as_dvec3()
            };
            for [a, b, c, d] in mesh.quads.iter().copied() {
                triangles.push([a, b, c].map(at));
                if c != d {
                    triangles.push([a, c, d].map(at));
                }
            }
        }
        let mut by_voxel: FxHashMap<IVec3, Vec<u32>> = FxHashMap::default();
        for (number, [a, b, c]) in triangles.iter().enumerate() {
            let low = a.min(*b).min(*c).floor().as_ivec3();
            let high = a.max(*b).max(*c).floor().as_ivec3();
            for at in voxels(low, high) {
                by_voxel.entry(at).or_default().push(number as u32);
            }
        }
        SmoothWorld { world, materials, triangles, by_voxel }
    }

    /// Triangles that may touch a box.
    fn triangles_in(&self, low: DVec3, high: DVec3) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        let voxels = voxels(low.floor().as_ivec3(), high.floor().as_ivec3());
        voxels
            .filter_map(|at| self.by_voxel.get(&at))
            .flatten()
            .map(|&number| self.triangles[number as usize])
    }

    /// Distance of the middle of a pill to the nearest drawn triangle; more than its radius if none
    /// is that near.
    pub fn distance(&self, pill: Pill) -> f64 {
        let near = self.triangles_in(pill.low - pill.radius, pill.high + pill.radius);
        near.map(|triangle| pill.distance(triangle)).fold(2.0 * pill.radius, f64::min)
    }

    /// True if the straight way between two points crosses a drawn triangle.
    pub fn separates(&self, from: DVec3, to: DVec3) -> bool {
        self.triangles_in(from.min(to), from.max(to)).any(|[a, b, c]| {
            let normal = (b - a).cross(c - a);
            let [start, end] = [from, to].map(|at| (at - a).dot(normal));
            if (start > 0.0) == (end > 0.0) {
                return false;
            }
            let at = from + (to - from) * (start / (start - end));
            [[a, b], [b, c], [c, a]]
                .iter()
                .all(|&[from, to]| (to - from).cross(at - from).dot(normal) > 0.0)
        })
    }

    /// The highest drawn ground that faces up below a point, at most `reach` below it: its height,
    /// and the height of its unit normal.
    pub fn floor_below(&self, at: DVec3, reach: f64) -> Option<[f64; 2]> {
        let mut highest: Option<[f64; 2]> = None;
        for [a, b, c] in self.triangles_in(at - DVec3::Y * reach, at) {
            let normal = (b - a).cross(c - a);
            let y = a.y - ((at.x - a.x) * normal.x + (at.z - a.z) * normal.z) / normal.y;
            let on = DVec3::new(at.x, y, at.z);
            let is_inside = [[a, b], [b, c], [c, a]]
                .iter()
                .all(|&[from, to]| (to - from).cross(on - from).dot(normal) >= 0.0);
            let is_near = normal.y > 0.0 && y <= at.y && y >= at.y - reach;
            if is_near && is_inside && highest.is_none_or(|[height, _]| y > height) {
                highest = Some([y, normal.normalize().y]);
            }
        }
        highest
    }
}

fn chunks() -> impl Iterator<Item = ChunkPos> {
    (0..8).map(|number| ChunkPos::new((number & 1) - 1, (number >> 1 & 1) - 1, (number >> 2) - 1))
}

fn voxels(low: IVec3, high: IVec3) -> impl Iterator<Item = IVec3> {
    (low.y..=high.y).flat_map(move |y| {
        (low.z..=high.z).flat_map(move |z| (low.x..=high.x).map(move |x| IVec3::new(x, y, z)))
    })
}

/// Digs tunnels and puts single voxels into and above the ground.
fn add_rubble(world: &mut World, random: &mut Random, kinds: u16, boxes: bool) {
    let mut place = || IVec3::from_array([0; 3].map(|_| random.below(64) as i32 - 32)).with_y(0);
    let starts: Vec<IVec3> = (0..40).map(|_| place()).collect();
    for (number, at) in starts.into_iter().enumerate() {
        let at = at + IVec3::Y * (random.below(16) as i32 - 10);
        let radius = 1.0 + f64::from(random.below(30)) / 10.0;
        for by in voxels(IVec3::splat(-5), IVec3::splat(5)) {
            let depth = radius - by.as_dvec3().length();
            let here = at + by;
            let voxel = world.get(here);
            if depth <= -1.0 || voxel == Voxel::NOT_LOADED {
                continue;
            }
            let fill = (depth.clamp(0.0, 1.0) * 255.0) as u8;
            // Hollows and lumps.
            let changed = if number % 2 == 0 {
                let left = voxel.occupancy().min(255 - fill);
                if left == 0 { Voxel::AIR } else { Voxel::new(voxel.material(), left) }
            } else if fill > voxel.occupancy() {
                Voxel::new(1 + number as u16 % kinds, fill)
            } else {
                voxel
            };
            if changed.material() != 0 || number % 2 == 0 {
                world.set(here, changed);
            }
        }
    }
    for _ in 0..600 {
        let at = IVec3::from_array([0; 3].map(|_| random.below(64) as i32 - 32));
        let at = at.with_y(at.y / 3);
        let voxel = match random.below(8) {
            0..3 => Voxel::new(1 + random.below(kinds.into()) as u16, random.below(256) as u8),
            3 => Voxel::AIR,
            4 if boxes => Voxel::new(5, 127),
            5 if boxes => Voxel::full(6),
            _ if boxes => Voxel::full(5),
            _ => Voxel::full(1),
        };
        world.set(at, voxel);
    }
}
