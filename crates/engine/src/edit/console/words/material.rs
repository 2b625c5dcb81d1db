//! Materials and voxels in commands.

use super::Context;
use crate::edit::console::error::CommandError;
use crate::edit::console::suggestions::similar;
use crate::voxel::{MaterialId, Matter, Voxel};

/// Separator between a material and its occupancy.
const OCCUPANCY: char = ':';
/// Separator between a material and the liquid in what it leaves free.
const LIQUID: char = '~';

/// Finds a material by name.
pub(in crate::edit::console) fn material(
    name: &str,
    context: &Context<'_>,
) -> Result<MaterialId, CommandError> {
    let name = name.trim();
    context.materials.find(name).ok_or_else(|| {
        let names = context.materials.iter().map(|(_, material)| material.name.as_str());
        CommandError::Material { name: name.to_owned(), similar: similar(name, names) }
    })
}

/// A voxel as it is written: `sand`, `sand:128`, `sand:128~water:100`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct VoxelWord {
    /// The material.
    pub material: MaterialId,
    /// The occupancy, if it is given.
    pub occupancy: Option<u8>,
    /// The liquid, if it is given.
    pub liquid: Option<LiquidWord>,
}

/// A liquid as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LiquidWord {
    /// `~water`: as much as there is room for; in a mask, any.
    Water,
    /// `~water:100`: this number of 256ths of a voxel.
    Parts(u8),
}

impl VoxelWord {
    /// The voxel in a pattern or a mask of exact voxels; full if no occupancy is given.
    pub fn voxel(self) -> Voxel {
        let dry = Voxel::new(self.material, self.occupancy.unwrap_or(u8::MAX));
        match self.liquid {
            None => dry,
            Some(LiquidWord::Water) => dry.with_liquid(u8::MAX),
            Some(LiquidWord::Parts(parts)) => dry.with_liquid(parts),
        }
    }
}

/// Parses a material with an optional occupancy and an optional liquid, both in 256ths of a voxel:
/// `water:128`, `sand:128~water:100`. Names of imported materials may also contain colons.
pub(super) fn voxel(text: &str, context: &Context<'_>) -> Result<VoxelWord, CommandError> {
    let text = text.trim();
    match text.split_once(LIQUID) {
        Some((matter, liquid)) if context.materials.find(text).is_none() => {
            wet(text, with_occupancy(matter.trim(), context)?, liquid.trim(), context)
        }
        _ => with_occupancy(text, context),
    }
}

/// Parses the liquid of a voxel.
fn wet(
    text: &str,
    voxel: VoxelWord,
    liquid: &str,
    context: &Context<'_>,
) -> Result<VoxelWord, CommandError> {
    let holds_water = |matter: Matter| matches!(matter, Matter::Solid | Matter::Plant);
    if !context.materials.get(voxel.material).is_some_and(|m| holds_water(m.matter)) {
        return Err(CommandError::HoldsNoWater(text.to_owned()));
    }
    let bad = || CommandError::Liquid(text.to_owned());
    let (name, parts) = match liquid.split_once(OCCUPANCY) {
        Some((name, parts)) => (name, Some(parts.parse::<u8>().map_err(|_| bad())?)),
        None => (liquid, None),
    };
    let is_water =
        context.materials.find(name).is_some_and(|id| Some(id) == context.materials.water());
    let word = parts.map_or(LiquidWord::Water, LiquidWord::Parts);
    let voxel = VoxelWord { liquid: Some(word), ..voxel };
    let fits = parts.is_none_or(|parts| parts > 0 && voxel.voxel().liquid() == parts);
    if is_water && fits { Ok(voxel) } else { Err(bad()) }
}

/// Parses a material with an optional occupancy.
fn with_occupancy(text: &str, context: &Context<'_>) -> Result<VoxelWord, CommandError> {
    let word = |material, occupancy| VoxelWord { material, occupancy, liquid: None };
    if context.materials.find(text).is_some() {
        return Ok(word(material(text, context)?, None));
    }
    match text.rsplit_once(OCCUPANCY) {
        Some((name, parts)) if context.materials.find(name).is_some() => {
            let parts = parts.parse().ok().filter(|parts| (1..=256u16).contains(parts));
            let parts = parts.ok_or_else(|| CommandError::Occupancy(text.to_owned()))?;
            Ok(word(material(name, context)?, Some((parts - 1) as u8)))
        }
        _ => Ok(word(material(text, context)?, None)),
    }
}

/// Parses a voxel of a pattern, in which liquid needs room.
pub(super) fn put(text: &str, context: &Context<'_>) -> Result<Voxel, CommandError> {
    let word = voxel(text, context)?;
    let found = word.voxel();
    if word.liquid.is_some() && !found.is_wet() {
        return Err(CommandError::Liquid(text.trim().to_owned()));
    }
    Ok(found)
}
