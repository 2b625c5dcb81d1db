//! What a builder does with creatures.

use crate::game::state::format;
use bevy::prelude::Message;
use glam::IVec3;
use stonerun_engine::creatures::nav::{NavClass, Navigation};
use stonerun_engine::creatures::{CreatureId, Creatures, Gait};
use stonerun_engine::voxel::Box3;

/// Farthest from the place that was asked for that creatures are placed, in voxels.
const SPREAD: i32 = 12;
/// Layers above and below in which a place is sought.
const LAYERS: i32 = 4;

/// What a builder does with creatures.
#[derive(Clone, PartialEq, Debug)]
pub enum CreatureCommand {
    /// Places creatures of a kind, by its number, at the nearest places where they can be.
    Place {
        /// Number of the kind.
        kind: usize,
        /// Where.
        at: IVec3,
        /// How many.
        count: u32,
    },
    /// Pins creatures to where they are, or lets them go.
    Pin {
        /// Middle of a ball.
        at: IVec3,
        /// Its radius, in voxels.
        within: i32,
        /// False to let them go.
        is_pinned: bool,
    },
    /// Removes creatures.
    Remove {
        /// Middle of a cube.
        at: IVec3,
        /// Half its side, in voxels.
        within: i32,
    },
    /// Calls the walkers of a kind to a place.
    Call {
        /// Number of the kind.
        kind: usize,
        /// Where.
        to: IVec3,
    },
    /// Scares creatures away.
    Scare {
        /// What they flee from.
        at: IVec3,
        /// Distance of the farthest, in voxels.
        within: i32,
        /// True if the answer says how many.
        answers: bool,
    },
}

/// The answer to a command, or that creatures have failed, for the log of the console.
#[derive(Message, Clone, Debug)]
pub struct CreatureAnswer(pub String);

impl CreatureCommand {
    /// Carries it out. Returns the answer for the player, if there is one.
    pub fn carry_out(&self, creatures: &mut Creatures, nav: &Navigation) -> Option<String> {
        let counted = |count: usize| format::counted(count as u64, "creature");
        Some(match *self {
            CreatureCommand::Place { kind, at, count } => {
                let Some(name) = creatures.kinds().list().get(kind).map(|kind| kind.name.clone()) else {
                    return Some("there is no such kind".to_owned());
                };
                let swims = creatures.kinds().list()[kind].gait == Gait::Swim;
                let wanted = if swims { NavClass::Water } else { NavClass::Open };
                let places = places(nav, at, wanted).filter(|at| creatures.is_free(*at)).take(count as usize);
                let places: Vec<IVec3> = places.collect();
                let placed = places.into_iter().filter(|at| creatures.place(kind, *at).is_some()).count();
                match placed {
                    0 => format!("{name}: no place here"),
                    placed => format!("{name}: {} placed", format::count(placed as u64)),
                }
            }
            CreatureCommand::Pin { at, within, is_pinned } => {
                let near = ids(creatures, at, within);
                let count = creatures.pin(&near, is_pinned);
                format!("{} {}", counted(count), if is_pinned { "pinned" } else { "let go" })
            }
            CreatureCommand::Remove { at, within } => {
                let area =
                    Box3::spanning(at.saturating_sub(IVec3::splat(within)), at.saturating_add(IVec3::splat(within)));
                format!("{} removed", counted(creatures.remove_in(area)))
            }
            CreatureCommand::Call { kind, to } => match places(nav, to, NavClass::Open).next() {
                Some(to) => format!("{} on the way", counted(creatures.call(nav, kind, to))),
                None => "no place to stand there".to_owned(),
            },
            CreatureCommand::Scare { at, within, answers } => {
                creatures.scare(at, within);
                return answers.then(|| format!("{} scared away", counted(ids(creatures, at, within).len())));
            }
        })
    }

    /// True if the map must keep it.
    #[must_use]
    pub fn is_edit(&self) -> bool {
        !matches!(self, CreatureCommand::Scare { .. } | CreatureCommand::Call { .. })
    }
}

/// The creatures within a distance.
fn ids(creatures: &Creatures, at: IVec3, within: i32) -> Vec<CreatureId> {
    let (middle, within) = (at.as_dvec3() + 0.5, f64::from(within));
    let poses = creatures.poses(0.0);
    poses.filter(|pose| pose.position.distance(middle) <= within).map(|pose| pose.id).collect()
}

/// Places of a class, one per column, the nearest columns first.
fn places(nav: &Navigation, at: IVec3, wanted: NavClass) -> impl Iterator<Item = IVec3> + '_ {
    let side = -SPREAD..=SPREAD;
    let mut columns: Vec<IVec3> = side.clone().flat_map(|x| side.clone().map(move |z| IVec3::new(x, 0, z))).collect();
    columns.sort_by_key(|column| column.length_squared());
    let layers = [0].into_iter().chain((1..=LAYERS).flat_map(|by| [by, -by]));
    let in_column = move |column: IVec3| {
        let mut voxels = layers.clone().map(|y| at + column + IVec3::Y * y);
        voxels.find(|at| nav.is_place(*at) && nav.class(*at) == wanted)
    };
    columns.into_iter().filter_map(in_column)
}
