//! Materials and voxels in commands.

use super::Context;
use super::shaped::shaped;
use crate::edit::console::error::CommandError;
use crate::edit::console::suggestions::similar;
use crate::voxel::{MaterialId, Matter, Shape, Voxel};

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

/// A voxel as it is written: `sand`, `sand:128`, `sand:128~water:100`, `sand[slab]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct VoxelWord {
    /// The material.
    pub material: MaterialId,
    /// The occupancy, if it is given.
    pub occupancy: Option<u8>,
    /// Occupancy of a voxel for which none is given.
    pub usual: u8,
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
    /// The voxel in a pattern or a mask of exact voxels; as full as its shape, or completely, if no
    /// occupancy is given.
    pub fn voxel(self) -> Voxel {
        let dry = Voxel::new(self.material, self.occupancy.unwrap_or(self.usual));
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
    let fill = |id| context.materials.get(id).and_then(|m| m.shape.row().fill);
    let word = |material, fill: Option<u8>, occupancy| VoxelWord {
        material,
        occupancy,
        usual: fill.unwrap_or(u8::MAX),
        liquid: None,
    };
    if let Some(id) = context.materials.find(text) {
        return Ok(word(id, fill(id), None));
    }
    if let Some(found) = shaped(text, context) {
        let found = found?;
        return Ok(word(found.material, found.shape.row().fill, None));
    }
    let Some((name, parts)) = text.rsplit_once(OCCUPANCY) else {
        return Ok(word(material(text, context)?, None, None));
    };
    let parts = parts.parse().ok().filter(|parts| (1..=256u16).contains(parts));
    let parts = parts.ok_or_else(|| CommandError::Occupancy(text.to_owned()));
    if let (Some(_), Err(_)) = (context.materials.find(name), &parts)
        && text[name.len() + 1..].starts_with(|c: char| c.is_ascii_alphabetic())
    {
        let word = &text[name.len() + 1..];
        let similar = similar(word, Shape::families());
        return Err(CommandError::Word { word: word.to_owned(), what: "shape", similar });
    }
    let found = match (context.materials.find(name), shaped(name, context)) {
        (Some(id), _) => Ok((id, fill(id))),
        (None, Some(found)) => found.map(|found| (found.material, found.shape.row().fill)),
        (None, None) => Err(CommandError::Occupancy(text.to_owned())),
    };
    match (found, parts) {
        (Ok((_, Some(_))), Ok(_)) => Err(CommandError::FixedOccupancy(text.to_owned())),
        (Ok((id, None)), parts) => Ok(word(id, None, Some((parts? - 1) as u8))),
        (Ok((_, Some(_))), Err(error)) => Err(error),
        (Err(CommandError::Occupancy(_)), _) => Ok(word(material(text, context)?, None, None)),
        (Err(error), _) => Err(error),
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
