//! Materials and voxels in commands.

use super::Context;
use crate::edit::console::error::CommandError;
use crate::edit::console::suggestions::similar;
use crate::voxel::{MaterialId, Voxel};

/// Separator between a material and its occupancy.
const OCCUPANCY: char = ':';

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

/// Parses a material with an optional occupancy in 256ths of a voxel: `water:128`. Names of
/// imported materials may also contain colons.
pub(super) fn voxel(
    text: &str,
    context: &Context<'_>,
) -> Result<(MaterialId, Option<u8>), CommandError> {
    let text = text.trim();
    if context.materials.find(text).is_some() {
        return Ok((material(text, context)?, None));
    }
    match text.rsplit_once(OCCUPANCY) {
        Some((name, parts)) if context.materials.find(name).is_some() => {
            let parts = parts.parse().ok().filter(|parts| (1..=256u16).contains(parts));
            let parts = parts.ok_or_else(|| CommandError::Occupancy(text.to_owned()))?;
            Ok((material(name, context)?, Some((parts - 1) as u8)))
        }
        _ => Ok((material(text, context)?, None)),
    }
}

/// Voxel of a material and an optional occupancy in a pattern; full if there is none.
pub(super) fn put((material, occupancy): (MaterialId, Option<u8>)) -> Voxel {
    Voxel::new(material, occupancy.unwrap_or(u8::MAX))
}
