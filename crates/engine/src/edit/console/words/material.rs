//! Materials and voxels in commands.

use super::Context;
use crate::edit::console::error::CommandError;
use crate::edit::console::suggestions::similar;
use crate::voxel::{MaterialId, Voxel};

/// Separates a material from its occupancy.
const OCCUPANCY: char = ':';

/// A material by name.
pub(super) fn material(name: &str, context: &Context<'_>) -> Result<MaterialId, CommandError> {
    let name = name.trim();
    context.materials.find(name).ok_or_else(|| {
        let names = context.materials.iter().map(|(_, material)| material.name.as_str());
        CommandError::Material { name: name.to_owned(), similar: similar(name, names) }
    })
}

/// A material, with its occupancy in 256ths of the cube if it is given: `water:128`. Names of
/// imported materials may contain colons, too.
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

/// The voxel that a material and an occupancy mean in a pattern: full without one.
pub(super) fn put((material, occupancy): (MaterialId, Option<u8>)) -> Voxel {
    Voxel::new(material, occupancy.unwrap_or(u8::MAX))
}
