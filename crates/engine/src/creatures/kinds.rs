//! Creature kinds, compiled for the materials of a map.

use super::body_model::BodyPart;
use super::error::{KindError, KindProblem, MAX_KINDS, MAX_NAME_BYTES};
use super::kind_file::{self, KindText};
use crate::ron_text::{self, TextPlace};
use crate::voxel::{MaterialId, MaterialTable};
use std::ops::RangeInclusive;

pub use super::kind_file::{Awake, Gait};

/// Ticks per second.
pub const TICKS_PER_SECOND: u32 = 20;
/// Units of progress per voxel.
pub(super) const VOXEL: u16 = 4096;

/// A set of creature kinds: bit `i` is set if kind `i` is in it.
pub(super) type CreatureKindSet = u32;

/// A kind of creature.
#[derive(Clone, PartialEq, Debug)]
pub struct CreatureKind {
    /// Unique name.
    pub name: String,
    /// Manner of moving.
    pub gait: Gait,
    /// Time of day at which the creature is awake.
    pub awake: Awake,
    /// Light level of the body in the dark, 0 to 15.
    pub glow: u8,
    /// Boxes of the body.
    pub body: Vec<BodyPart>,
    /// Speed in 1/[`VOXEL`] voxels per tick.
    pub(super) speed: u16,
    /// Speed while fleeing or hunting, in 1/[`VOXEL`] voxels per tick.
    pub(super) fast_speed: u16,
    pub(super) flees_from: CreatureKindSet,
    pub(super) flees_player_within: i32,
    pub(super) hunts: CreatureKindSet,
    pub(super) notices_within: i32,
    /// Highest light level that the creature tolerates.
    pub(super) max_light: u8,
    pub(super) habitat: Habitat,
}

/// Conditions for spawning.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Habitat {
    /// Materials to stand on; empty for any.
    pub on: Vec<MaterialId>,
    pub heights: RangeInclusive<i32>,
    /// Sunlight levels, as at noon.
    pub light: RangeInclusive<u8>,
    pub(crate) one_in_chunks: u64,
    pub group: RangeInclusive<u16>,
}

/// The creature kinds of a map, by number.
#[derive(Clone, PartialEq, Debug)]
pub struct CreatureKinds {
    kinds: Vec<CreatureKind>,
    /// Materials of closed doors. Navigation treats doors as open space, because some bodies open
    /// them; creatures do not.
    pub(super) doors: Vec<MaterialId>,
}

impl CreatureKinds {
    /// The game's own kinds, `assets/creatures.ron`, for the materials of a map.
    ///
    /// # Errors
    /// Fails if the map lacks one of the materials.
    pub fn builtin(materials: &MaterialTable) -> Result<CreatureKinds, KindError> {
        CreatureKinds::parse(
            include_str!("../../../../assets/creatures.ron"),
            "assets/creatures.ron",
            materials,
        )
    }

    /// Reads kinds from RON text: `[(name: "deer", ...), ...]`. Errors name `file`.
    ///
    /// # Errors
    /// Returns the first error, with its place and what was expected.
    pub fn parse(
        text: &str,
        file: &str,
        materials: &MaterialTable,
    ) -> Result<CreatureKinds, KindError> {
        let texts = kind_file::parse(text, file)?;
        let compiler = KindCompiler { text, file, texts: &texts, materials };
        compiler.check()?;
        let compiled =
            texts.iter().enumerate().map(|(number, kind)| compiler.compile(number, kind));
        let kinds = compiled.collect::<Result<_, KindError>>()?;
        let is_closed = |name: &str| name.starts_with("door") && !name.contains("open");
        let doors =
            materials.iter().filter(|(_, material)| is_closed(&material.name)).map(|(id, _)| id);
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

/// Compiles the kinds of a kind file.
struct KindCompiler<'a> {
    text: &'a str,
    /// Name of the file, for errors.
    file: &'a str,
    /// The kinds as the file describes them.
    texts: &'a [KindText],
    materials: &'a MaterialTable,
}

impl KindCompiler<'_> {
    fn error(&self, place: TextPlace, problem: KindProblem) -> KindError {
        KindError { file: self.file.to_owned(), place, problem }
    }

    /// Error at `name` in a field of kind number `kind`.
    fn error_at(&self, kind: usize, field: &str, name: &str, problem: KindProblem) -> KindError {
        let found = ron_text::strings(self.text)
            .find(|string| string.item == kind && string.field == field && string.content == name);
        self.error(found.map_or(TextPlace::START, |string| string.place), problem)
    }

    /// Checks the number of kinds, and that their names are unique and short enough for maps.
    fn check(&self) -> Result<(), KindError> {
        if self.texts.len() > MAX_KINDS {
            return Err(self.error(TextPlace::START, KindProblem::TooManyKinds(self.texts.len())));
        }
        for (number, KindText { name, .. }) in self.texts.iter().enumerate() {
            if self.texts[..number].iter().any(|other| other.name == *name) {
                let problem = KindProblem::Duplicate(name.clone());
                return Err(self.error_at(number, "name", name, problem));
            }
            if name.len() > MAX_NAME_BYTES {
                let problem = KindProblem::NameTooLong(name.len());
                return Err(self.error_at(number, "name", name, problem));
            }
        }
        Ok(())
    }

    /// Set of the kinds with these names, which `field` of kind number `kind` lists.
    fn set(
        &self,
        kind: usize,
        field: &str,
        names: &[String],
    ) -> Result<CreatureKindSet, KindError> {
        let mut set = 0;
        for name in names {
            let number = self.texts.iter().position(|other| other.name == *name);
            let problem = || KindProblem::UnknownKind(name.clone());
            set |= 1 << number.ok_or_else(|| self.error_at(kind, field, name, problem()))?;
        }
        Ok(set)
    }

    /// Indices of the materials with these names, on which creatures of kind number `kind` spawn.
    fn materials(&self, kind: usize, names: &[String]) -> Result<Vec<MaterialId>, KindError> {
        let find = |name: &String| {
            let problem = || KindProblem::UnknownMaterial(name.clone());
            self.materials.find(name).ok_or_else(|| self.error_at(kind, "on", name, problem()))
        };
        names.iter().map(find).collect()
    }

    fn compile(&self, number: usize, kind: &KindText) -> Result<CreatureKind, KindError> {
        let on = self.materials(number, &kind.habitat.on)?;
        let per_tick = |voxels: f32| (voxels * f32::from(VOXEL) / TICKS_PER_SECOND as f32) as u16;
        let habitat = &kind.habitat;
        Ok(CreatureKind {
            name: kind.name.clone(),
            gait: kind.moves,
            awake: kind.awake,
            glow: kind.glow.0,
            body: kind.body.clone(),
            speed: per_tick(kind.speed.0),
            fast_speed: per_tick(kind.fast_speed.0),
            flees_from: self.set(number, "flees_from", &kind.flees_from)?,
            flees_player_within: kind.flees_player_within.0.into(),
            hunts: self.set(number, "hunts", &kind.hunts)?,
            notices_within: kind.notices_within.0.into(),
            max_light: kind.most_light.0,
            habitat: Habitat {
                on,
                heights: habitat.heights.0..=habitat.heights.1,
                light: habitat.light.0.0..=habitat.light.1.0,
                one_in_chunks: habitat.one_in_chunks.0.into(),
                group: habitat.group.0.0..=habitat.group.1.0,
            },
        })
    }
}
