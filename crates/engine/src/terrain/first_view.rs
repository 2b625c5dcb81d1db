//! The first view of a new map: the position of a player and the direction to look.
//!
//! Several places around the spawn point are rated in sketches of the land. The best of them are
//! rated again with the true chunks around them, where a tree or a cliff may be in the way.

use super::caverns::{Caverns, STOREY};
use super::overworld::Overworld;
use super::sketch::Sketcher;
use super::spawn::standing;
use super::{Generator, WorldGenerator};
use crate::voxel::{ChunkPos, MaterialTable};
use crate::world::viewpoint::{Viewpoint, eyes_above, spiral_direction};
use crate::world::vista::{Vista, best_vista};
use crate::world::{Chunk, LazyWorld};
use glam::{DVec3, IVec3};

/// Number of places that are rated in sketches.
const PLACES: i32 = 28;
/// Maximum number of places that are rated with true chunks.
const FINALISTS: usize = 4;
/// Rating with which the search ends.
const GOOD: f64 = 2.8;

impl Generator {
    /// A place near [`Generator::spawn`] with a good view, and the direction to look.
    ///
    /// `materials` is the generator's table.
    #[must_use]
    pub fn first_view(&self, materials: &MaterialTable) -> Viewpoint {
        let places: Vec<IVec3> = match &self.world {
            WorldGenerator::Overworld(overworld) => {
                dry_places(overworld, self.spawn().floor().as_ivec3())
            }
            WorldGenerator::Caverns(caverns) => cave_floors(caverns),
            WorldGenerator::Flat | WorldGenerator::Void => Vec::new(),
        };
        let mut sketcher = Sketcher::new(self);
        let mut sketches = LazyWorld::new(|pos| sketcher.chunk(pos));
        let mut rated: Vec<(f64, IVec3)> = places
            .into_iter()
            .filter_map(|feet| {
                // The cells of a sketch are coarser than the land, so `feet` may lie inside one.
                let feet =
                    (0..12).map(|up| feet + IVec3::Y * up).find(|at| sketches.get(*at).is_air())?;
                Some((best_vista(&mut sketches, materials, eyes_above(standing(feet))).score, feet))
            })
            .collect();
        rated.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut best: Option<(DVec3, Vista)> = None;
        for (_, place) in rated.into_iter().take(FINALISTS) {
            let Some((feet, vista)) = self.best_around(place, materials) else { continue };
            if best.is_none_or(|(_, best)| vista.score > best.score) {
                best = Some((feet, vista));
            }
            if vista.score >= GOOD {
                break;
            }
        }
        match best {
            Some((feet, vista)) => vista.from_feet(feet),
            None => Viewpoint::level(self.spawn()),
        }
    }

    /// The best place to stand on within a few metres of `place`, and its vista: true chunks
    /// around, sketches beyond.
    fn best_around(&self, place: IVec3, materials: &MaterialTable) -> Option<(DVec3, Vista)> {
        /// Distance between the places, in metres.
        const STEP: i32 = 5;
        let home = ChunkPos::containing(place);
        let mut sketcher = Sketcher::new(self);
        let mut world = LazyWorld::new(|pos: ChunkPos| {
            let is_near = (pos.x - home.x).abs() <= 1 && (pos.z - home.z).abs() <= 1;
            if is_near { self.chunk(pos) } else { sketcher.chunk(pos) }
        });
        let mut best: Option<(DVec3, Vista)> = None;
        for (x, z) in (-1..=1).flat_map(|z| (-1..=1).map(move |x| (x * STEP, z * STEP))) {
            let Some(feet) = self.standing_place(&mut world, place + IVec3::new(x, 0, z)) else {
                continue;
            };
            let vista = best_vista(&mut world, materials, eyes_above(standing(feet)));
            if best.as_ref().is_none_or(|(_, best)| vista.score > best.score) {
                best = Some((standing(feet), vista));
            }
        }
        best
    }

    /// The place to stand on in the column of `place`, near its height.
    fn standing_place<F: FnMut(ChunkPos) -> Chunk>(
        &self,
        world: &mut LazyWorld<F>,
        place: IVec3,
    ) -> Option<IVec3> {
        let mut fits = |feet: IVec3| {
            let below = world.get(feet - IVec3::Y);
            self.carries(below) && (0..4).all(|up| world.get(feet + IVec3::Y * up).is_air())
        };
        match &self.world {
            WorldGenerator::Overworld(overworld) => {
                let feet = place.with_y(self.top(overworld, place.x, place.z));
                (feet.y > 0 && fits(feet)).then_some(feet)
            }
            _ => (0..12)
                .map(|i| place + IVec3::Y * ((i + 1) / 2 * (1 - i % 2 * 2)))
                .find(|feet| fits(*feet)),
        }
    }
}

/// Points on a spiral around the centre, `spacing` apart.
fn spiral(centre: IVec3, spacing: f64) -> impl Iterator<Item = IVec3> {
    (0..PLACES).map(move |i| {
        let radius = spacing * f64::from(i).sqrt();
        let (sin, cos) = spiral_direction(i);
        centre + IVec3::new((radius * cos) as i32, 0, (radius * sin) as i32)
    })
}

/// Places on dry land.
fn dry_places(overworld: &Overworld, centre: IVec3) -> Vec<IVec3> {
    spiral(centre, 33.0)
        .filter_map(|at| {
            let land = overworld.plan.land_at(at.x, at.z);
            let is_dry = (2.5..=90.0).contains(&land.height) && land.volcano == 0.0;
            is_dry.then(|| at.with_y(land.height as i32 + 1))
        })
        .collect()
}

/// Floors of caves in the storey above height 0.
fn cave_floors(caverns: &Caverns) -> Vec<IVec3> {
    let mut floors = Vec::new();
    for column in spiral(IVec3::ZERO, 17.0) {
        let mut open = 0;
        for y in (caverns.liquid_level(column)..STOREY).rev().step_by(2) {
            if caverns.openness(column.x, y, column.z) > 0.0 {
                open += 1;
                continue;
            }
            // At least seven metres of air.
            if open >= 4 {
                floors.push(column.with_y(y + 1));
            }
            open = 0;
        }
    }
    floors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::TerrainKind;
    use crate::voxel::{Matter, Voxel};

    /// Length of the rays of a picture, in voxels.
    const REACH: f64 = 64.0;

    /// The first view of a map, and the distances of rays across it through generated chunks,
    /// column by column.
    fn picture(kind: TerrainKind, seed: u64) -> (Vec<Vec<f64>>, Viewpoint) {
        let materials = MaterialTable::builtin();
        let generator = Generator::new(seed, kind, &materials);
        let view = generator.first_view(&materials);
        let mut world = LazyWorld::new(|pos| generator.chunk(pos));
        let matter = |voxel: Voxel| {
            let matter = materials.get(voxel.material()).map(|material| material.matter);
            (!matches!(matter, Some(Matter::Gas | Matter::Plant))).then_some(1.0)
        };
        let mut distance = |side: i32, up: i32| {
            let yaw = view.yaw + side as f32 * 0.15;
            let pitch = view.pitch + up as f32 * 0.12;
            let [yaw, pitch] = [f64::from(yaw), f64::from(pitch)];
            let direction =
                DVec3::new(-yaw.sin() * pitch.cos(), pitch.sin(), -yaw.cos() * pitch.cos());
            world.cast_ray(view.eyes(), direction, REACH, matter).map_or(REACH, |hit| hit.distance)
        };
        ((-5..=5).map(|side| (-3..=3).map(|up| distance(side, up)).collect()).collect(), view)
    }

    #[test]
    fn first_views_of_ten_seeds_look_far() {
        for (kind, least, clear) in [
            (TerrainKind::Continents, 30.0, 6.0),
            (TerrainKind::Islands, 30.0, 6.0),
            (TerrainKind::Caverns, 15.0, 3.0),
        ] {
            // Seed 11 is a regression case: a place of the continents that faces a wall.
            for seed in (0..9).chain([11]) {
                let (columns, _) = picture(kind, seed);
                let all: Vec<f64> = columns.concat();
                let mean = all.iter().sum::<f64>() / all.len() as f64;
                println!("{kind} {seed}: mean sight {mean:.1}");
                assert!(mean > least, "{kind} {seed}: {mean}");
                // Straight ahead and a little to the sides, from a bit below the horizon upwards.
                let ahead = columns[3..8].iter().flat_map(|column| &column[2..]);
                let nearest = ahead.fold(REACH, |nearest, distance| nearest.min(*distance));
                assert!(nearest > clear, "{kind} {seed}: {nearest}");
            }
        }
    }

    #[test]
    fn first_view_is_the_same_for_a_seed_and_stands_on_solid_ground() {
        let materials = MaterialTable::builtin();
        for kind in TerrainKind::ALL {
            for seed in [3, 11] {
                let [a, b] = [(); 2].map(|()| Generator::new(seed, kind, &materials));
                let view = a.first_view(&materials);
                assert_eq!(view, b.first_view(&materials), "{kind} {seed}");
                let mut world = LazyWorld::new(|pos| a.chunk(pos));
                let feet = view.feet.floor().as_ivec3();
                assert!(
                    world.get(feet).is_air() && world.get(feet + IVec3::Y).is_air(),
                    "{kind} {seed}"
                );
                assert!(materials.is_solid(world.get(feet - IVec3::Y).material()), "{kind} {seed}");
            }
        }
    }
}
