//! Coordinates, radii and numbers in commands.

use crate::edit::console::error::CommandError;
use crate::voxel::WORLD_LIMIT;
use glam::{DVec3, IVec3};

/// Maximum radius of shapes, in voxels.
const MAX_RADIUS: f64 = 1024.0;

/// Parses coordinates: `12,64,-5`.
pub(in crate::edit::console) fn position(text: &str) -> Result<IVec3, CommandError> {
    let bad = || CommandError::Position(text.to_owned());
    let numbers: Vec<i32> = text
        .split(',')
        .map(|number| number.trim().parse())
        .collect::<Result<_, _>>()
        .map_err(|_| bad())?;
    let at = IVec3::from_array(numbers.try_into().map_err(|_| bad())?);
    if at.to_array().iter().any(|c| c.unsigned_abs() >= WORLD_LIMIT.unsigned_abs()) {
        return Err(bad());
    }
    Ok(at)
}

/// Parses one to three radii: `5`, `5,3` (horizontal, vertical) or `5,3,4` (x, y, z).
pub(in crate::edit::console) fn radii(text: &str) -> Result<DVec3, CommandError> {
    match numbers(text)?[..] {
        [r] => Ok(DVec3::splat(r)),
        [across, up] => Ok(DVec3::new(across, up, across)),
        [x, y, z] => Ok(DVec3::new(x, y, z)),
        _ => Err(CommandError::Radius(text.to_owned())),
    }
}

/// Parses one or two radii: `5` or `5,4` (x, z).
pub(in crate::edit::console) fn flat_radii(text: &str) -> Result<[f64; 2], CommandError> {
    match numbers(text)?[..] {
        [r] => Ok([r; 2]),
        [x, z] => Ok([x, z]),
        _ => Err(CommandError::Radius(text.to_owned())),
    }
}

fn numbers(text: &str) -> Result<Vec<f64>, CommandError> {
    let bad = || CommandError::Radius(text.to_owned());
    let number = |word: &str| {
        word.trim().parse().ok().filter(|n| (0.0..=MAX_RADIUS).contains(n)).ok_or_else(bad)
    };
    text.split(',').map(number).collect()
}

/// Parses a whole number from `from` to `to`. `name` is the name of the parameter.
pub(in crate::edit::console) fn number(
    text: &str,
    name: &'static str,
    from: i32,
    to: i32,
) -> Result<i32, CommandError> {
    let what = match name {
        "HEIGHT" => "height",
        "STEPS" => "number of steps",
        "TIMES" => "number of passes",
        "STRENGTH" => "strength in percent",
        "FALLOFF" => "falloff in percent",
        "RADIUS" | "SIZE" => "size",
        _ => "whole number",
    };
    let number = text.parse().ok().filter(|number| (from..=to).contains(number));
    number.ok_or_else(|| CommandError::Number { word: text.to_owned(), what, from, to })
}
