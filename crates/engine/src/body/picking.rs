//! Picking: the first voxel on a ray from the eyes. Smooth ground is hit at its surface.

use crate::body::target_box::TargetBoxes;
use crate::contour::ContourRules;
use crate::voxel::{Box3, MaterialTable, Matter, Voxel};
use crate::world::{CountedRay, RayHit, World, cast_ray_over_ground, cast_ray_where};
use glam::{DVec3, IVec3};
use rustc_hash::FxHashSet;

/// Reach of the player, in voxels.
pub const REACH: f64 = 6.0;

/// Height of the part of a voxel that stops a picking ray, in voxels. `None` where the ray passes:
/// in gases, and in liquids unless `liquids` is true.
#[must_use]
pub fn pick_height(materials: &MaterialTable, voxel: Voxel, liquids: bool) -> Option<f64> {
    match materials.get(voxel.material()).map(|m| m.matter) {
        Some(Matter::Gas) => None,
        Some(Matter::Liquid) if !liquids => None,
        Some(Matter::Plant) => Some(1.0),
        _ => Some(f64::from(materials.box_height(voxel))),
    }
}

/// Casts a ray from `eyes` along `direction` that passes through liquids and ends after `reach`
/// voxels. The hit is [`Voxel::NOT_LOADED`] if the ray enters an unloaded chunk.
#[must_use]
pub fn pick(
    world: &World,
    materials: &MaterialTable,
    eyes: DVec3,
    direction: DVec3,
    reach: f64,
) -> CountedRay {
    cast_ray_over_ground(world, materials, eyes, direction, reach, |_, voxel| {
        pick_height(materials, voxel, false)
    })
}

/// Length of a picking ray, and the voxels that stop it.
#[derive(Clone, Copy, Debug)]
pub struct PickRules<'a> {
    /// Length of the ray, in voxels.
    pub reach: f64,
    /// True to stop at liquids, unless the eyes are in one.
    pub liquids: bool,
    /// Voxels that the ray passes through.
    pub skipped: Option<&'a FxHashSet<IVec3>>,
    /// Target boxes of models; if `None`, models are hit anywhere in their voxels.
    pub targets: Option<&'a TargetBoxes>,
    /// Box outside which voxels are cut away and let the ray pass; `None` if nothing is cut away.
    pub shown: Option<Box3>,
}

impl Default for PickRules<'_> {
    /// The rules of [`pick`], with [`REACH`] as the length.
    fn default() -> Self {
        PickRules { reach: REACH, liquids: false, skipped: None, targets: None, shown: None }
    }
}

/// Casts a ray from `eyes` along `direction` that stops according to `rules`. Models with a target
/// box are hit at it, others at the border of their voxel.
#[must_use]
pub fn pick_by(
    rules: PickRules<'_>,
    world: &World,
    materials: &MaterialTable,
    eyes: DVec3,
    direction: DVec3,
) -> CountedRay {
    let dives = materials.is_in_liquid(world.get(eyes.floor().as_ivec3()), eyes.y);
    let liquids = rules.liquids && !dives;
    let has_target = |voxel| rules.targets.is_some_and(|targets| targets.of(voxel).is_some());
    let found =
        cast_ray_over_ground(world, materials, eyes, direction, rules.reach, |at, voxel| {
            if rules.skips(at) || has_target(voxel) {
                None
            } else {
                pick_height(materials, voxel, liquids)
            }
        });
    let until = found.hit.map_or(rules.reach, |hit| hit.distance);
    let model = pick_model(PickRules { reach: until, ..rules }, world, materials, eyes, direction);
    CountedRay { hit: model.hit.or(found.hit), reads: found.reads + model.reads }
}

/// The first model whose target box a ray meets.
///
/// On smooth ground a model stands up to half a voxel below or above its voxel. The ray is
/// therefore cast a second and a third time, a voxel higher and lower, and each time visits the
/// voxels of models that reach into those on its line.
fn pick_model(
    rules: PickRules<'_>,
    world: &World,
    materials: &MaterialTable,
    eyes: DVec3,
    direction: DVec3,
) -> CountedRay {
    let entry = |at, voxel| {
        let target = rules.targets?.at(world, materials, at, voxel).filter(|_| !rules.skips(at))?;
        let (times, face) = target.entry(at, eyes, direction)?;
        let distance = times * direction.length();
        (distance < rules.reach).then_some((distance, face))
    };
    let shifts: &[f64] = if materials.any_ground() { &[0.0, 1.0, -1.0] } else { &[0.0] };
    let mut nearest = CountedRay { hit: None, reads: 0 };
    for &shift in shifts {
        let from = eyes + DVec3::Y * shift;
        let ray = cast_ray_where(world, from, direction, rules.reach, |at, voxel| {
            entry(at, voxel).map(|_| 1.0)
        });
        nearest.reads += ray.reads;
        let hit = ray.hit.and_then(|hit| {
            let (distance, face) = entry(hit.voxel_pos, hit.voxel)?;
            Some(RayHit { distance, face, ..hit })
        });
        let is_nearer =
            |hit: &RayHit| nearest.hit.is_none_or(|other| hit.distance < other.distance);
        nearest.hit = hit.filter(is_nearer).or(nearest.hit);
    }
    nearest
}

impl PickRules<'_> {
    /// True for voxels that the ray passes through.
    fn skips(&self, at: IVec3) -> bool {
        let is_cut_away = self.shown.is_some_and(|shown| !shown.contains(at));
        is_cut_away || self.skipped.is_some_and(|skipped| skipped.contains(&at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{ChunkPos, Face, Material, SurfaceRule};
    use crate::world::Chunk;

    #[test]
    fn pick_height_passes_water_and_stops_at_plants() {
        let materials = MaterialTable::builtin();
        let full = |name: &str| Voxel::full(materials.find(name).expect(name));
        let height = |name: &str| pick_height(&materials, full(name), false);
        assert_eq!(
            (height("water"), height("stone"), height("flower_red")),
            (None, Some(1.0), Some(1.0))
        );
        assert_eq!(pick_height(&materials, Voxel::AIR, true), None);
        assert_eq!(
            pick_height(&materials, Voxel::new(full("water").material(), 127), true),
            Some(0.5)
        );
    }

    #[test]
    fn pick_by_rules_stops_at_liquids_and_passes_skipped_voxels() {
        let materials = MaterialTable::builtin();
        let full = |name: &str| Voxel::full(materials.find(name).expect(name));
        let mut world = World::new();
        world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
        world.fill(Box3::spanning(IVec3::new(5, 3, 5), IVec3::new(5, 5, 5)), full("water"));
        world.set(IVec3::new(5, 2, 5), full("stone"));
        let look = |liquids, skipped: Option<&FxHashSet<IVec3>>, height: f64| {
            let rules = PickRules { liquids, skipped, ..PickRules::default() };
            let eyes = DVec3::new(5.5, height, 5.5);
            let hit = pick_by(rules, &world, &materials, eyes, DVec3::NEG_Y).hit?;
            Some((hit.voxel_pos.y, hit.face))
        };
        let above = Some(Face::Up);
        assert_eq!(look(false, None, 7.5), Some((2, above)));
        assert_eq!(look(true, None, 7.5), Some((5, above)));
        assert_eq!(look(true, None, 5.5), Some((2, above)), "eyes in the water");
        let shown = Some(Box3 { min: IVec3::MIN, max: IVec3::new(i32::MAX, 5, i32::MAX) });
        let cut = PickRules { liquids: true, shown, ..PickRules::default() };
        let hit = pick_by(cut, &world, &materials, DVec3::new(5.5, 7.5, 5.5), DVec3::NEG_Y).hit;
        assert_eq!(
            hit.map(|hit| (hit.voxel_pos.y, hit.face)),
            Some((4, above)),
            "the highest water is cut away"
        );
        let skipped = FxHashSet::from_iter([IVec3::new(5, 5, 5), IVec3::new(5, 4, 5)]);
        assert_eq!(look(true, Some(&skipped), 7.5), Some((3, above)));
    }

    #[test]
    fn plants_on_smooth_ground_are_picked_where_they_are_drawn() {
        let mut materials = MaterialTable::builtin();
        let hill = Material { surface: SurfaceRule::Smooth, ..Material::plain("hill", [9; 3]) };
        let hill = materials.add(hill).unwrap();
        let flower = Voxel::full(materials.find("flower_red").unwrap());
        let [low, high] =
            [0.5, 0.9].map(|high| TargetBoxes::new(&materials, |_| Some([0.3, 0.3, high])));
        let mut world = World::new();
        world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
        world.fill(Box3::spanning(IVec3::ZERO, IVec3::new(31, 4, 31)), Voxel::full(hill));
        let at = IVec3::new(8, 6, 8);
        let look = |world: &World, targets, height: f64, skipped: Option<&FxHashSet<IVec3>>| {
            let rules = PickRules { targets: Some(targets), skipped, ..PickRules::default() };
            let eyes = DVec3::new(5.5, height, 8.5);
            let hit = pick_by(rules, world, &materials, eyes, DVec3::X * 2.0).hit?;
            Some((hit.voxel_pos, hit.voxel, hit.face, hit.distance))
        };
        let layer = |y| Box3::spanning(IVec3::new(0, y, 0), IVec3::new(31, y, 31));
        // Sunk by 6 sixteenths, in its voxel, and raised by 4, in a hollow of its own voxel; a high
        // flower then reaches into the voxel above.
        for (occupancy, around, targets, from, to) in [
            (140, 0, &low, 5.64, 6.18),
            (255, 0, &low, 6.02, 6.55),
            (255, 100, &low, 6.52, 6.83),
            (255, 100, &high, 7.02, 7.2),
        ] {
            world.fill(layer(5), Voxel::new(hill, occupancy));
            world.fill(layer(6), if around == 0 { Voxel::AIR } else { Voxel::new(hill, around) });
            world.set(at, flower);
            for height in [from, to] {
                let (voxel, value, face, distance) = look(&world, targets, height, None).unwrap();
                assert_eq!((voxel, value, face), (at, flower, Some(Face::West)), "{occupancy}");
                assert!((distance - 2.72).abs() < 0.01, "{occupancy}, {height}: {distance}");
            }
            assert_eq!(look(&world, targets, to + 0.06, None), None, "{occupancy}");
            let skipped = FxHashSet::from_iter([at]);
            assert_eq!(look(&world, targets, from, Some(&skipped)), None, "{occupancy}");
        }
    }

    #[test]
    fn smooth_ground_is_picked_at_its_surface() {
        let mut materials = MaterialTable::builtin();
        let hill = Material { surface: SurfaceRule::Smooth, ..Material::plain("hill", [9; 3]) };
        let hill = materials.add(hill).unwrap();
        let mut world = World::new();
        world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
        world.fill(Box3::spanning(IVec3::ZERO, IVec3::new(31, 5, 31)), Voxel::full(hill));
        let look_down = |world: &World, skipped: Option<&FxHashSet<IVec3>>| {
            let rules = PickRules { skipped, ..PickRules::default() };
            let eyes = DVec3::new(8.3, 9.0, 8.6);
            let hit = pick_by(rules, world, &materials, eyes, DVec3::NEG_Y).hit.unwrap();
            (hit.voxel_pos.y, hit.face, hit.ground_normal, hit.distance)
        };
        let up = Some(DVec3::Y);
        assert_eq!(look_down(&world, None), (5, Some(Face::Up), up, 3.0));
        // Remains without a surface of their own are dug first, and raise the ground.
        let remains = Box3::spanning(IVec3::new(4, 6, 4), IVec3::new(12, 6, 12));
        world.fill(remains, Voxel::new(hill, 90));
        let (y, face, normal, distance) = look_down(&world, None);
        assert_eq!((y, face, normal), (6, Some(Face::Up), up));
        assert!((2.5..2.9).contains(&distance), "{distance}");
        // A cube on the ground is a box; rays that pass through it meet the ground below.
        let above = IVec3::new(8, 6, 8);
        world.set(above, Voxel::full(materials.find("stone").unwrap()));
        assert_eq!(look_down(&world, None), (6, Some(Face::Up), None, 2.0));
        let skipped = FxHashSet::from_iter([above]);
        assert_eq!(look_down(&world, Some(&skipped)).0, 5);
    }
}
