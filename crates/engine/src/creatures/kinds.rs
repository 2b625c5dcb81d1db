//! Kinds of creatures, compiled for the materials of a map.

use super::body_model::BodyPart;
use super::error::{KindError, KindProblem, MOST_KINDS};
use super::kind_file::{self, KindText};
use crate::ron_text::{self, TextPlace};
use crate::voxel::{MaterialId, MaterialTable};
use std::ops::RangeInclusive;

pub use super::kind_file::{Awake, Gait};

/// Ticks per second.
pub const TICKS_PER_SECOND: u32 = 20;
/// Parts of a voxel in which the way to the next voxel is counted.
pub(super) const VOXEL: u16 = 4096;

/// A set of kinds, by number.
pub(super) type KindSet = u32;

/// One kind of creatures.
#[derive(Clone, PartialEq, Debug)]
pub struct CreatureKind {
    /// Unique name.
    pub name: String,
    /// How it moves.
    pub gait: Gait,
    /// When it is awake.
    pub awake: Awake,
    /// Light it shows, 0 to 15.
    pub glow: u8,
    /// The boxes of its body.
    pub body: Vec<BodyPart>,
    /// Parts of a voxel per tick.
    pub(super) speed: u16,
    /// The same when it flees or hunts.
    pub(super) fast_speed: u16,
    pub(super) flees_from: KindSet,
    pub(super) flees_player_within: i32,
    pub(super) hunts: KindSet,
    pub(super) notices_within: i32,
    /// Brightest light it bears.
    pub(super) most_light: u8,
    pub(super) habitat: Habitat,
}

/// Where a kind spawns.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Habitat {
    /// Materials below; any if empty.
    pub on: Vec<MaterialId>,
    pub heights: RangeInclusive<i32>,
    /// Sunlight.
    pub light: RangeInclusive<u8>,
    pub one_in_chunks: u64,
    pub group: RangeInclusive<u16>,
}

/// The kinds of a map.
#[derive(Clone, PartialEq, Debug)]
pub struct CreatureKinds {
    kinds: Vec<CreatureKind>,
    /// Materials of closed doors, which creatures do not open.
    pub(super) doors: Vec<MaterialId>,
}

impl CreatureKinds {
    /// The game's own kinds, `assets/creatures.ron`, for the materials of a map.
    ///
    /// # Errors
    /// The map lacks one of the materials.
    pub fn builtin(materials: &MaterialTable) -> Result<CreatureKinds, KindError> {
        CreatureKinds::parse(include_str!("../../../../assets/creatures.ron"), "assets/creatures.ron", materials)
    }

    /// Reads kinds from RON text: `[(name: "deer", ...), ...]`. `file` is named in errors.
    ///
    /// # Errors
    /// The first defect, with its place and what was expected.
    pub fn parse(text: &str, file: &str, materials: &MaterialTable) -> Result<CreatureKinds, KindError> {
        let texts = kind_file::parse(text, file)?;
        let error = |place, problem| KindError { file: file.to_owned(), place, problem };
        if texts.len() > MOST_KINDS {
            return Err(error(TextPlace::START, KindProblem::TooManyKinds(texts.len())));
        }
        let at_name = |name: &str, problem: fn(String) -> KindProblem| {
            error(ron_text::place_of(text, name, 0), problem(name.to_owned()))
        };
        for (number, kind) in texts.iter().enumerate() {
            if texts[..number].iter().any(|other| other.name == kind.name) {
                return Err(at_name(&kind.name, KindProblem::Duplicate));
            }
        }
        let set = |names: &[String]| {
            names.iter().try_fold(0, |set, name| {
                let number = texts.iter().position(|kind| kind.name == *name);
                number.map(|number| set | 1 << number).ok_or_else(|| at_name(name, KindProblem::UnknownKind))
            })
        };
        let compile = |kind: &KindText| {
            let on = kind
                .habitat
                .on
                .iter()
                .map(|name| materials.find(name).ok_or_else(|| at_name(name, KindProblem::UnknownMaterial)));
            Ok(compile(kind, on.collect::<Result<_, _>>()?, set(&kind.flees_from)?, set(&kind.hunts)?))
        };
        let kinds = texts.iter().map(compile).collect::<Result<_, KindError>>()?;
        let is_closed = |name: &str| name.starts_with("door") && !name.contains("open");
        let doors = materials.iter().filter(|(_, material)| is_closed(&material.name)).map(|(id, _)| id);
        Ok(CreatureKinds { kinds, doors: doors.collect() })
    }

    /// The kinds, by number.
    #[must_use]
    pub fn list(&self) -> &[CreatureKind] {
        &self.kinds
    }

    /// Number of the kind with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.kinds.iter().position(|kind| kind.name == name)
    }

    pub(super) fn get(&self, number: u8) -> &CreatureKind {
        &self.kinds[usize::from(number)]
    }
}

fn compile(kind: &KindText, on: Vec<MaterialId>, flees_from: KindSet, hunts: KindSet) -> CreatureKind {
    let per_tick = |voxels: f32| (voxels * f32::from(VOXEL) / TICKS_PER_SECOND as f32) as u16;
    let habitat = &kind.habitat;
    CreatureKind {
        name: kind.name.clone(),
        gait: kind.moves,
        awake: kind.awake,
        glow: kind.glow.0,
        body: kind.body.clone(),
        speed: per_tick(kind.speed.0),
        fast_speed: per_tick(kind.fast_speed.0),
        flees_from,
        flees_player_within: kind.flees_player_within.0.into(),
        hunts,
        notices_within: kind.notices_within.0.into(),
        most_light: kind.most_light.0,
        habitat: Habitat {
            on,
            heights: habitat.heights.0..=habitat.heights.1,
            light: habitat.light.0.0..=habitat.light.1.0,
            one_in_chunks: habitat.one_in_chunks.0.into(),
            group: habitat.group.0.0..=habitat.group.1.0,
        },
    }
}
