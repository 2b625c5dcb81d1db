//! Vistas: rates the view from a position, and finds the best direction to look.
//!
//! Rays are cast from the eyes at equal angles: a full circle for a viewpoint, or one picture for a
//! given direction. Each picture-sized window is rated by what its rays meet. Varied distances,
//! matter at middle distances, a skyline and some sky raise the score; walls near the eyes, and
//! pictures of only sky or only water, lower it.

use super::viewpoint::{EYES, Viewpoint};
use super::{Chunk, LazyWorld};
use crate::voxel::{ChunkPos, MaterialId, MaterialTable, Matter, Voxel};
use glam::DVec3;

/// Length of the rays in voxels: the default view distance.
pub const REACH: f64 = 256.0;
/// Angle between adjacent rays in degrees.
const STEP: f64 = 10.0;
/// Rays around the full circle.
const CIRCLE: usize = 36;
/// Rays across a picture: 100 degrees, nearly the width of a wide screen.
const COLUMNS: usize = 11;
/// Rays from top to bottom of a picture: 60 degrees, nearly the default field of view.
const ROWS: usize = 7;
/// Number of pitches that are compared.
const PITCHES: usize = 2;
/// Elevation of the highest row of a circle, in steps.
const TOP: i32 = 3;

/// The hit of one ray.
#[derive(Clone, Copy, PartialEq, Debug)]
struct ViewHit {
    distance: f64,
    /// Material of the hit; `None` for the sky.
    material: Option<MaterialId>,
}

/// A direction to look in from a position, and its rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Vista {
    /// Direction to the left of north (-z), in radians.
    pub yaw: f64,
    /// Direction upwards, in radians.
    pub pitch: f64,
    /// Rating; higher is better.
    pub score: f64,
}

impl Vista {
    /// The viewpoint of a player at `feet` who looks in this direction.
    #[must_use]
    pub fn from_feet(&self, feet: DVec3) -> Viewpoint {
        Viewpoint { feet, yaw: self.yaw as f32, pitch: self.pitch as f32 }
    }
}

/// Best direction to look from `eyes`. Tries all yaws of the circle, level and one step down.
pub fn best_vista<F: FnMut(ChunkPos) -> Chunk>(
    world: &mut LazyWorld<F>,
    materials: &MaterialTable,
    eyes: DVec3,
) -> Vista {
    /// Rows that the pictures of all pitches cover together.
    const ALL_ROWS: usize = ROWS + PITCHES - 1;
    let elevation = |row: usize| f64::from(TOP - row as i32) * STEP;
    let mut circle = Vec::with_capacity(CIRCLE * ALL_ROWS);
    for column in 0..CIRCLE {
        let yaw = column as f64 * STEP;
        circle.extend((0..ALL_ROWS).map(|row| look(world, materials, eyes, yaw, elevation(row))));
    }
    let mut best: Option<Vista> = None;
    for (middle, lowered) in
        (0..CIRCLE).flat_map(|middle| (0..PITCHES).map(move |lowered| (middle, lowered)))
    {
        let mut rating = Rating::default();
        for part in 0..COLUMNS {
            let column = (middle + CIRCLE + part - COLUMNS / 2) % CIRCLE;
            let rows = lowered..lowered + ROWS;
            rating.add_column(
                rows.map(|row| (elevation(row), circle[column * ALL_ROWS + row])),
                materials,
            );
        }
        let vista = Vista {
            yaw: (middle as f64 * STEP).to_radians(),
            pitch: (-(lowered as f64) * STEP).to_radians(),
            score: rating.score(),
        };
        if best.is_none_or(|best| vista.score > best.score) {
            best = Some(vista);
        }
    }
    // The loop runs at least once, so there is always a best direction.
    best.unwrap_or(Vista { yaw: 0.0, pitch: 0.0, score: 0.0 })
}

/// Rates a picture of a model from `eyes` along `yaw` and `pitch`, in radians. The score rises with
/// the share of matter in the picture, its variety of depths, and its number of materials.
pub fn rate_model<F: FnMut(ChunkPos) -> Chunk>(
    world: &mut LazyWorld<F>,
    materials: &MaterialTable,
    eyes: DVec3,
    yaw: f64,
    pitch: f64,
) -> f64 {
    /// Angle between adjacent rays in degrees; smaller than `STEP`, because models may be thin.
    const FINE: f64 = 4.0;
    let mut rating = Rating::default();
    for column in -12..=12 {
        let yaw = yaw.to_degrees() + f64::from(column) * FINE;
        let rows = (-8..=8).map(|row| pitch.to_degrees() - f64::from(row) * FINE);
        rating.add_column(rows.map(|row| (row, look(world, materials, eyes, yaw, row))), materials);
    }
    let matter = 1.0 - (rating.sky + 4.0 * rating.blocked) / rating.rays;
    2.0 * matter + up_to(rating.spread(), 0.4) + 0.1 * rating.kinds().min(5.0)
}

/// Unit vector of a direction in degrees, left of north and upwards.
fn direction(yaw: f64, elevation: f64) -> DVec3 {
    let (sin, cos) = yaw.to_radians().sin_cos();
    let (up, along) = elevation.to_radians().sin_cos();
    DVec3::new(-sin * along, up, -cos * along)
}

/// Casts a ray from `eyes`. Rays pass through plants.
fn look<F: FnMut(ChunkPos) -> Chunk>(
    world: &mut LazyWorld<F>,
    materials: &MaterialTable,
    eyes: DVec3,
    yaw: f64,
    elevation: f64,
) -> ViewHit {
    let height = |voxel: Voxel| {
        let matter = materials.get(voxel.material()).map(|material| material.matter);
        (!matches!(matter, Some(Matter::Gas | Matter::Plant))).then(|| f64::from(voxel.fill()))
    };
    match world.cast_ray(eyes, direction(yaw, elevation), REACH, height) {
        Some(hit) => ViewHit { distance: hit.distance, material: Some(hit.voxel.material()) },
        None => ViewHit { distance: REACH, material: None },
    }
}

/// `value` as a share of `enough`, at most 1.
fn up_to(value: f64, enough: f64) -> f64 {
    value.min(enough) / enough
}

/// Sums over the rays of a picture.
#[derive(Default)]
struct Rating {
    rays: f64,
    sky: f64,
    /// Sum of the closeness of obstacles, 0 to 1 per ray, and of half a point per ray that meets
    /// liquid within [`SHORE`].
    near: f64,
    /// Rays that meet matter within one voxel.
    blocked: f64,
    middle: f64,
    liquid: f64,
    luminous: f64,
    /// Sums of the logarithms of distances to matter, and of their squares.
    depth: [f64; 2],
    /// Elevation of the skyline in each column.
    skyline: Vec<f64>,
    /// Number of rays by the material that they meet beyond the foreground.
    kinds: Vec<(MaterialId, u32)>,
}

/// Distance within which matter is an obstacle, in voxels. Smaller for rays that look down.
const NEAR: f64 = 16.0;
/// Distance within which liquids lower the score, in voxels.
const SHORE: f64 = 5.0;
/// Distances of matter that counts as the middle ground of a picture, in voxels.
const MIDDLE: std::ops::Range<f64> = 20.0..200.0;

impl Rating {
    /// Adds a column of rays from top to bottom, each with its elevation in degrees.
    fn add_column(
        &mut self,
        rays: impl Iterator<Item = (f64, ViewHit)>,
        materials: &MaterialTable,
    ) {
        let mut skyline = None;
        for (elevation, ViewHit { distance, material }) in rays {
            self.rays += 1.0;
            let Some(material) = material else {
                self.sky += 1.0;
                continue;
            };
            skyline = skyline.or(Some(elevation));
            // Level ground ahead of the player is not an obstacle.
            let level =
                if elevation < 0.0 { 0.7 * EYES / (-elevation).to_radians().sin() } else { NEAR };
            self.near += (1.0 - distance / level.min(NEAR)).max(0.0);
            self.blocked += f64::from(u8::from(distance < 1.0));
            self.middle += f64::from(u8::from(MIDDLE.contains(&distance)));
            let depth = distance.max(1.0).ln();
            self.depth[0] += depth;
            self.depth[1] += depth * depth;
            if let Some(material) = materials.get(material) {
                let is_liquid = material.matter == Matter::Liquid;
                self.liquid += f64::from(u8::from(is_liquid));
                self.near += f64::from(u8::from(is_liquid && distance < SHORE)) * 0.5;
                self.luminous += f64::from(u8::from(material.light > 0));
            }
            if distance > NEAR / 2.0 {
                match self.kinds.iter_mut().find(|(kind, _)| *kind == material) {
                    Some((_, rays)) => *rays += 1,
                    None => self.kinds.push((material, 1)),
                }
            }
        }
        self.skyline.push(skyline.unwrap_or(-90.0));
    }

    /// Standard deviation of the logarithms of distances to matter.
    fn spread(&self) -> f64 {
        let matter = (self.rays - self.sky).max(1.0);
        let [depth, squares] = self.depth.map(|sum| sum / matter);
        (squares - depth * depth).max(0.0).sqrt()
    }

    /// Number of materials that at least two rays meet.
    fn kinds(&self) -> f64 {
        self.kinds.iter().filter(|(_, rays)| *rays > 1).count() as f64
    }

    /// The rating of the picture. The weights were chosen by looking at pictures.
    fn score(&self) -> f64 {
        let share = |part: f64| part / self.rays;
        let matter = self.rays - self.sky;
        if matter == 0.0 {
            return -10.0;
        }
        let columns = self.skyline.len() as f64;
        let skyline = self.skyline.iter().sum::<f64>() / columns;
        let ridges = (self.skyline.iter().map(|e| (e - skyline) * (e - skyline)).sum::<f64>()
            / columns)
            .sqrt();
        let sky = share(self.sky);
        1.6 * up_to(share(self.middle), 0.4)
            + up_to(self.spread(), 1.2)
            + 0.5 * up_to(ridges, 10.0)
            + 0.1 * self.kinds().min(5.0)
            + 0.4 * up_to(share(self.liquid), 0.15)
            + 0.5 * up_to(share(self.luminous), 0.06)
            - 3.0 * (share(self.liquid) - 0.35).max(0.0)
            - 8.0 * share(self.near)
            - 3.0 * (sky - sky.clamp(0.2, 0.5)).abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::Box3;
    use crate::world::World;
    use glam::IVec3;

    /// Best vista from the middle of a meadow of 512 x 512 voxels. Grass fills the space below y =
    /// 0, and `build` adds to it.
    fn best(build: impl Fn(&mut World, &dyn Fn(&str) -> Voxel)) -> Vista {
        let materials = MaterialTable::builtin();
        let full = |name: &str| Voxel::full(materials.find(name).unwrap());
        let mut meadow = World::new();
        let area = Box3 { min: IVec3::new(-256, -32, -256), max: IVec3::new(256, 96, 256) };
        for pos in area.chunks() {
            meadow.insert(pos, Chunk::uniform(if pos.y < 0 { full("grass") } else { Voxel::AIR }));
        }
        build(&mut meadow, &full);
        let mut world = LazyWorld::new(|pos| {
            meadow.chunk(pos).cloned().unwrap_or_else(|| Chunk::uniform(Voxel::AIR))
        });
        best_vista(&mut world, &materials, DVec3::new(0.5, 1.62, 0.5))
    }

    fn degrees(vista: Vista) -> f64 {
        vista.yaw.to_degrees()
    }

    #[test]
    fn best_vista_turns_away_from_walls_and_towards_hills() {
        let boxed = |min: [i32; 3], max: [i32; 3]| Box3 { min: min.into(), max: max.into() };
        let meadow = best(|_, _| {});
        // Walls to the north, west and south. Yaw turns left, so east is at 270 degrees.
        let walled = best(|world, full| {
            for wall in [
                boxed([-9, 0, -9], [9, 9, -8]),
                boxed([-9, 0, -9], [-8, 9, 9]),
                boxed([-9, 0, 8], [9, 9, 9]),
            ] {
                world.fill(wall, full("stone"));
            }
        });
        assert!((degrees(walled) - 270.0).abs() < 31.0, "{walled:?}");
        assert!(walled.score < meadow.score + 0.5, "{walled:?} {meadow:?}");
        // A hill to the west.
        let hill = best(|world, full| {
            for up in 0..30 {
                world.fill(
                    boxed([-140 + up, up, -60 + up], [-80 - up, up + 1, 60 - up]),
                    full("stone"),
                );
            }
        });
        assert!((degrees(hill) - 90.0).abs() < 51.0, "{hill:?}");
        assert!(hill.score > meadow.score + 0.5, "{hill:?} {meadow:?}");
        let pit = best(|world, full| {
            world.fill(boxed([-3, 0, -3], [4, 9, 4]), full("stone"));
            world.fill(boxed([-2, 0, -2], [3, 9, 3]), Voxel::AIR);
        });
        assert!(pit.score < meadow.score - 1.0, "{pit:?} {meadow:?}");
    }

    #[test]
    fn sky_alone_is_the_worst_picture() {
        let materials = MaterialTable::builtin();
        let mut air = LazyWorld::new(|_| Chunk::uniform(Voxel::AIR));
        assert!(best_vista(&mut air, &materials, DVec3::ZERO).score < best(|_, _| {}).score - 5.0);
        assert!(rate_model(&mut air, &materials, DVec3::ZERO, 0.0, 0.0) <= 0.0);
    }
}
