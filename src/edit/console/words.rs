//! Patterns, masks, coordinates and numbers in commands.

use super::error::CommandError;
use crate::edit::{Mask, Mix, Pattern};
use crate::voxel::{MaterialId, MaterialTable, Voxel, WORLD_LIMIT};
use glam::{DVec3, IVec3};

/// Largest radius and height of shapes, in voxels.
const MAX_SIZE: f64 = 1024.0;
/// Steps of one undo.
const MAX_STEPS: u32 = 10_000;

/// Seed of mixes: the same command makes the same choice in the same place.
const MIX_SEED: u64 = 1;

/// A pattern: `stone`, or `50%stone,30%dirt,air`. Materials without a percentage have the weight of
/// one percent.
pub(super) fn pattern(text: &str, materials: &MaterialTable) -> Result<Pattern, CommandError> {
    let part = |part: &str| {
        let (weight, name) = match part.split_once('%') {
            Some((weight, name)) => (weight.trim().parse().map_err(|_| CommandError::Weight(part.to_owned()))?, name),
            None => (1.0, part),
        };
        Ok((weight, voxel(material(name, materials)?)))
    };
    let parts: Vec<(f64, Voxel)> = text.split(',').map(part).collect::<Result<_, CommandError>>()?;
    match parts[..] {
        [(_, only)] => Ok(Pattern::Voxel(only)),
        _ => Mix::new(&parts, MIX_SEED).map(Pattern::Mix).map_err(|_| CommandError::Weight(text.to_owned())),
    }
}

/// A mask: `stone,dirt`, `!air`, `#existing` (everything but air), or several with spaces between
/// them, which all must accept a voxel.
pub(super) fn mask(text: &str, materials: &MaterialTable) -> Result<Mask, CommandError> {
    let masks: Vec<Mask> = text.split_whitespace().map(|word| one_mask(word, materials)).collect::<Result<_, _>>()?;
    Ok(match <[Mask; 1]>::try_from(masks) {
        Ok([only]) => only,
        Err(several) => Mask::All(several),
    })
}

fn one_mask(word: &str, materials: &MaterialTable) -> Result<Mask, CommandError> {
    if let Some(rest) = word.strip_prefix('!') {
        return Ok(Mask::Not(Box::new(one_mask(rest, materials)?)));
    }
    if word == "#existing" {
        return Ok(Mask::Not(Box::new(Mask::Materials(vec![0]))));
    }
    Ok(Mask::Materials(word.split(',').map(|name| material(name, materials)).collect::<Result<_, _>>()?))
}

fn material(name: &str, materials: &MaterialTable) -> Result<MaterialId, CommandError> {
    let name = name.trim();
    materials.find(name).ok_or_else(|| {
        let similar = |known: &&str| !name.is_empty() && (known.contains(name) || name.contains(known));
        let mut known: Vec<&str> =
            materials.iter().map(|(_, material)| material.name.as_str()).filter(similar).collect();
        known.truncate(5);
        CommandError::Material { name: name.to_owned(), similar: known.join(", ") }
    })
}

fn voxel(material: MaterialId) -> Voxel {
    if material == 0 { Voxel::AIR } else { Voxel::full(material) }
}

/// Coordinates: `12,64,-5`.
pub(super) fn position(text: &str) -> Result<IVec3, CommandError> {
    let bad = || CommandError::Position(text.to_owned());
    let numbers: Vec<i32> =
        text.split(',').map(|number| number.trim().parse()).collect::<Result<_, _>>().map_err(|_| bad())?;
    let at = IVec3::from_array(numbers.try_into().map_err(|_| bad())?);
    if at.to_array().iter().any(|c| c.unsigned_abs() >= WORLD_LIMIT.unsigned_abs()) {
        return Err(bad());
    }
    Ok(at)
}

/// One to three radii: `5`, `5,3` (along x and z, and along y) or `5,3,4` (along x, y and z).
pub(super) fn radii(text: &str) -> Result<DVec3, CommandError> {
    match numbers(text)?[..] {
        [r] => Ok(DVec3::splat(r)),
        [across, up] => Ok(DVec3::new(across, up, across)),
        [x, y, z] => Ok(DVec3::new(x, y, z)),
        _ => Err(CommandError::Radius(text.to_owned())),
    }
}

/// One or two radii: `5`, or `5,4` (along x and z).
pub(super) fn flat_radii(text: &str) -> Result<[f64; 2], CommandError> {
    match numbers(text)?[..] {
        [r] => Ok([r; 2]),
        [x, z] => Ok([x, z]),
        _ => Err(CommandError::Radius(text.to_owned())),
    }
}

fn numbers(text: &str) -> Result<Vec<f64>, CommandError> {
    let bad = || CommandError::Radius(text.to_owned());
    let number = |word: &str| word.trim().parse().ok().filter(|n| (0.0..=MAX_SIZE).contains(n)).ok_or_else(bad);
    text.split(',').map(number).collect()
}

/// A number of layers.
pub(super) fn height(text: &str) -> Result<i32, CommandError> {
    let height = text.parse().ok().filter(|height| (1..=MAX_SIZE as i32).contains(height));
    height.ok_or_else(|| CommandError::Height(text.to_owned()))
}

/// A number of steps.
pub(super) fn steps(text: &str) -> Result<u32, CommandError> {
    let steps = text.parse().ok().filter(|steps| (1..=MAX_STEPS).contains(steps));
    steps.ok_or_else(|| CommandError::Steps(text.to_owned()))
}
