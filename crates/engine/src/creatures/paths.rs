//! Paths of creatures, as the overlay draws them.

use super::creatures::{CreatureId, Creatures};
use super::mind::Mood;
use super::nav::Navigation;
use glam::IVec3;

/// Maximum length of a path, in places.
const MAX_PATH_PLACES: usize = 64;
/// Length in voxels of the line drawn for a fleeing creature, which has no path.
const FLIGHT: i32 = 4;

/// Reason for a creature to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Wandering, looking for shade, or landing.
    Wander,
    /// Fleeing.
    Flee,
    /// Hunting along a path.
    Hunt,
    /// Gathering after a call, along a shared flow field.
    Gather,
}

/// Path of a creature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CreaturePath {
    /// The creature.
    pub id: CreatureId,
    /// Purpose of the path.
    pub purpose: Purpose,
    /// Voxels of the creature's feet, from the current one on. The overlay connects them by
    /// straight lines.
    pub voxels: Vec<IVec3>,
}

impl Creatures {
    /// Paths of the moving creatures within a distance of `near`. Leaves out pinned creatures.
    pub fn paths<'a>(
        &'a self,
        nav: &'a Navigation,
        near: IVec3,
        within: i32,
    ) -> impl Iterator<Item = CreaturePath> + 'a {
        let is_near =
            move |at: IVec3| (at - near).as_i64vec3().length_squared() <= i64::from(within).pow(2);
        let all = self
            .motions
            .iter()
            .zip(&self.minds)
            .filter(move |(motion, _)| !motion.is_pinned && is_near(motion.from));
        all.filter_map(|(motion, mind)| {
            let at = if motion.is_moving() { motion.to } else { motion.from };
            let (purpose, places) = match mind.mood {
                Mood::Rest => return None,
                Mood::Wander => (Purpose::Wander, vec![mind.goal]),
                // These moods have no goal, so only the next voxel is known.
                Mood::Hide | Mood::Land if at == motion.from => return None,
                Mood::Hide | Mood::Land => (Purpose::Wander, vec![at]),
                Mood::Flee => {
                    let away = (at - mind.goal).as_dvec3().normalize_or_zero() * f64::from(FLIGHT);
                    (Purpose::Flee, vec![at + away.round().as_ivec3()])
                }
                Mood::Hunt => {
                    let moves = mind.route.iter().flatten();
                    let places = moves.scan(at, |at, code| {
                        *at += code.offset();
                        Some(*at)
                    });
                    (Purpose::Hunt, places.collect())
                }
                Mood::Gather => {
                    let field =
                        &self.calls.iter().find(|call| call.is_followed_by(motion.kind))?.field;
                    let places =
                        std::iter::successors(field.next(nav, at), |at| field.next(nav, *at));
                    (Purpose::Gather, places.take(MAX_PATH_PLACES).collect())
                }
            };
            let voxels: Vec<IVec3> = [motion.from].into_iter().chain(places).collect();
            (voxels.len() > 1).then_some(CreaturePath {
                id: CreatureId(motion.id),
                purpose,
                voxels,
            })
        })
    }
}
