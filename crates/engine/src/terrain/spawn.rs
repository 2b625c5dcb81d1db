//! Spawn points.
//!
//! The search visits places near the origin first. It asks the plan for dry land with some water in
//! sight, then checks in the generated chunks that a player fits.

use super::caverns::STOREY;
use super::overworld::Overworld;
use super::{Generator, WorldGenerator};
use crate::voxel::{ChunkPos, Voxel, linear_index, local};
use glam::{DVec3, IVec3};

/// Distance between candidate places, in metres.
const STRIDE: i32 = 24;
/// Number of candidate places in each direction.
const RINGS: i32 = 60;

impl Generator {
    /// Position of a new player's feet, the centre of a voxel's floor near the origin.
    ///
    /// In the overworld it is on dry ground with free air above, in the caverns in a large cave, in
    /// a flat or empty world at the origin. Without land within about a mile it is on the sea;
    /// without a cave it is in the middle of a storey, from where the player is lifted out of rock.
    #[must_use]
    pub fn spawn(&self) -> DVec3 {
        match &self.world {
            WorldGenerator::Overworld(overworld) => on_land(self, overworld),
            WorldGenerator::Caverns(_) => in_cave(self),
            WorldGenerator::Flat | WorldGenerator::Void => DVec3::new(0.5, 0.0, 0.5),
        }
    }
}

/// Offsets on rings around the origin, nearest ring first.
fn rings(last: i32) -> impl Iterator<Item = (i32, i32)> {
    (0..=last).flat_map(|r| {
        (-r..=r)
            .flat_map(move |z| (-r..=r).map(move |x| (x, z)))
            .filter(move |&(x, z)| x.abs().max(z.abs()) == r)
    })
}

/// The best place near the origin of the overworld.
fn on_land(generator: &Generator, overworld: &Overworld) -> DVec3 {
    let at = |x: i32, z: i32| overworld.plan.land_at(x, z);
    let mut dry = None;
    for (x, z) in rings(RINGS).map(|(x, z)| (x * STRIDE, z * STRIDE)) {
        let here = at(x, z);
        if here.height < 2.5 || here.height > 60.0 || here.volcano > 0.0 {
            continue;
        }
        let view =
            [(64, 0), (-64, 0), (0, 64), (0, -64), (40, 40), (-40, 40), (40, -40), (-40, -40)];
        let water = view.iter().filter(|(dx, dz)| at(x + dx, z + dz).height < -1.0).count();
        let pleasant = (1..=5).contains(&water) && here.height > 4.0 && here.temperature > -0.4;
        if pleasant || dry.is_none() {
            let Some(feet) = free_near(generator, overworld, x, z) else { continue };
            if pleasant {
                return feet;
            }
            dry = Some(feet);
        }
    }
    // No land within about a mile: on the sea.
    dry.unwrap_or(DVec3::new(0.5, 1.0, 0.5))
}

/// A free place within a few metres of `x`, `z`.
fn free_near(generator: &Generator, overworld: &Overworld, x: i32, z: i32) -> Option<DVec3> {
    rings(6).find_map(|(dx, dz)| {
        let x = x + dx;
        let z = z + dz;
        let feet = IVec3::new(x, generator.top(overworld, x, z), z);
        (feet.y > 0 && fits(generator, feet, 6)).then(|| standing(feet))
    })
}

/// A place inside a big cave, near the origin.
fn in_cave(generator: &Generator) -> DVec3 {
    let mut small = None;
    for (dx, dz) in rings(24) {
        for y in (0..STOREY).rev() {
            let feet = IVec3::new(dx * 8, y, dz * 8);
            // The cheap check first: is there enough open air above?
            let high = [2, 8, 14].iter().all(|up| generator.openness(feet + IVec3::Y * up) > 0.05);
            if high && fits(generator, feet, 4) {
                let wide = [16, -16].iter().all(|d| {
                    generator.openness(feet + IVec3::new(*d, 6, 0)) > 0.0
                        && generator.openness(feet + IVec3::new(0, 6, *d)) > 0.0
                });
                if wide {
                    return standing(feet);
                }
                small.get_or_insert(standing(feet));
            }
        }
    }
    // The rings span 400 metres of a storey; in practice this always includes a hall.
    small.unwrap_or(DVec3::new(0.5, f64::from(STOREY / 2), 0.5))
}

/// The centre of the voxel's floor.
pub(super) fn standing(feet: IVec3) -> DVec3 {
    feet.as_dvec3() + DVec3::new(0.5, 0.0, 0.5)
}

/// True if there is solid ground below `feet` and `air` voxels of air from there up.
fn fits(generator: &Generator, feet: IVec3, air: i32) -> bool {
    let mut last: Option<(ChunkPos, crate::world::Chunk)> = None;
    let mut voxel = |at: IVec3| -> Voxel {
        let pos = ChunkPos::containing(at);
        if last.as_ref().is_none_or(|l| l.0 != pos) {
            last = Some((pos, generator.chunk(pos)));
        }
        last.as_ref().map_or(Voxel::NOT_LOADED, |l| l.1.get(linear_index(local(at))))
    };
    let below = voxel(feet - IVec3::Y);
    generator.carries(below) && (0..air).all(|y| voxel(feet + IVec3::Y * y).is_air())
}
