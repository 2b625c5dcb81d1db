//! Commands of builders to creatures.

use crate::game::state::format;
use bevy::prelude::Message;
use glam::IVec3;
use stonerun_engine::creatures::nav::{NavClass, Navigation};
use stonerun_engine::creatures::{CreatureId, Creatures, Gait};
use stonerun_engine::voxel::Box3;

/// Maximum distance along an axis between the requested voxel and a placed creature, in voxels.
const SPREAD: i32 = 12;
/// Number of layers above and below the requested voxel that are searched for a place.
const LAYERS: i32 = 4;

/// A command of a builder to creatures.
#[derive(Clone, PartialEq, Debug)]
pub enum CreatureCommand {
    /// Places creatures of a kind at the nearest places where they can be.
    Place {
        /// Number of the kind.
        kind: usize,
        /// Voxel around which the creatures are placed.
        at: IVec3,
        /// Number of creatures.
        count: u32,
    },
    /// Pins the creatures in a ball to their places, or frees them.
    Pin {
        /// Middle of the ball.
        at: IVec3,
        /// Radius of the ball, in voxels.
        within: i32,
        /// True to pin them, false to free them.
        is_pinned: bool,
    },
    /// Removes the creatures in a cube.
    Remove {
        /// Middle of the cube.
        at: IVec3,
        /// Half the side of the cube, in voxels.
        within: i32,
    },
    /// Calls the walkers of a kind.
    Call {
        /// Number of the kind.
        kind: usize,
        /// Voxel to which the walkers are called.
        to: IVec3,
    },
    /// Scares the creatures in a ball away.
    Scare {
        /// Middle of the ball, from which they flee.
        at: IVec3,
        /// Radius of the ball, in voxels.
        within: i32,
        /// True if there is an answer with their number.
        answers: bool,
    },
}

/// Message for the log of the console: the answer to a command, or the failure of the creatures.
#[derive(Message, Clone, Debug)]
pub struct CreatureAnswer(pub String);

impl CreatureCommand {
    /// Carries out the command. Returns the answer for the player, if there is one.
    pub fn carry_out(&self, creatures: &mut Creatures, nav: &Navigation) -> Option<String> {
        let counted = |count: usize| format::counted(count as u64, "creature");
        Some(match *self {
            CreatureCommand::Place { kind, at, count } => {
                let Some(name) = creatures.kinds().list().get(kind).map(|kind| kind.name.clone())
                else {
                    return Some("there is no such kind".to_owned());
                };
                let swims = creatures.kinds().list()[kind].gait == Gait::Swim;
                let wanted = if swims { NavClass::Water } else { NavClass::Open };
                let places = places(nav, at, wanted)
                    .filter(|at| creatures.is_free(*at))
                    .take(count as usize);
                let places: Vec<IVec3> = places.collect();
                let placed =
                    places.into_iter().filter(|at| creatures.place(kind, *at).is_some()).count();
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
                let area = Box3::spanning(
                    at.saturating_sub(IVec3::splat(within)),
                    at.saturating_add(IVec3::splat(within)),
                );
                format!("{} removed", counted(creatures.remove_in(area)))
            }
            CreatureCommand::Call { kind, to } => match places(nav, to, NavClass::Open).next() {
                Some(to) => format!("{} on the way", counted(creatures.call(nav, kind, to))),
                None => "no place to stand there".to_owned(),
            },
            CreatureCommand::Scare { at, within, answers } => {
                creatures.scare(at, within);
                return answers
                    .then(|| format!("{} scared away", counted(ids(creatures, at, within).len())));
            }
        })
    }

    /// True if the command changes creatures that the map must save.
    #[must_use]
    pub fn is_edit(&self) -> bool {
        !matches!(self, CreatureCommand::Scare { .. } | CreatureCommand::Call { .. })
    }
}

/// The creatures within a distance.
fn ids(creatures: &Creatures, at: IVec3, within: i32) -> Vec<CreatureId> {
    let middle = at.as_dvec3() + 0.5;
    let within = f64::from(within);
    let poses = creatures.poses(0.0);
    poses.filter(|pose| pose.position.distance(middle) <= within).map(|pose| pose.id).collect()
}

/// Places of a class, at most one per column, the nearest columns first.
fn places(nav: &Navigation, at: IVec3, wanted: NavClass) -> impl Iterator<Item = IVec3> + '_ {
    let side = -SPREAD..=SPREAD;
    let mut columns: Vec<IVec3> =
        side.clone().flat_map(|x| side.clone().map(move |z| IVec3::new(x, 0, z))).collect();
    columns.sort_by_key(|column| column.length_squared());
    let layers = [0].into_iter().chain((1..=LAYERS).flat_map(|by| [by, -by]));
    let in_column = move |column: IVec3| {
        let mut voxels = layers.clone().map(|y| at + column + IVec3::Y * y);
        voxels.find(|at| nav.is_place(*at) && nav.class(*at) == wanted)
    };
    columns.into_iter().filter_map(in_column)
}
