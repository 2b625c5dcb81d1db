//! Patterns in commands.

use super::Context;
use super::material::put;
use super::numbers::position;
use super::split::{bracketed, split_outside_brackets};
use crate::edit::console::error::CommandError;
use crate::edit::{Checker, Clouds, Gradient, Mix, Pattern, Tiles};
use crate::voxel::Voxel;
use glam::IVec3;

/// Forms of patterns that begin with `#`, with descriptions.
pub(in crate::edit::console) const PATTERNS: [(&str, &str); 4] = [
    ("#clouds[SIZE][PATTERN,...]", "clouds of about SIZE voxels, by noise"),
    ("#gradient[AXIS][FROM][TO][PATTERN,...]", "from one to the next along x, y or z"),
    ("#checker[SIDE][PATTERN,...]", "cubes in turn"),
    ("#clipboard", "what was copied, repeated in all directions"),
];

/// Maximum side of cubes and clouds, in voxels.
pub(super) const MAX_SCALE: f64 = 65_536.0;

/// Parses a pattern: `stone`, `water:128`, `sand:128~water`, `50%stone,30%dirt,air`,
/// `#clouds[20][stone,dirt]`, `#clipboard`.
pub(in crate::edit::console) fn pattern(
    text: &str,
    context: &Context<'_>,
) -> Result<Pattern, CommandError> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('#') {
        return named(text, rest, context);
    }
    let parts = weighted(text, context)?;
    match parts[..] {
        [(_, only)] => Ok(Pattern::Voxel(only)),
        _ => Mix::new(&parts, context.seeds.draw())
            .map(Pattern::Mix)
            .map_err(|_| CommandError::Weight(text.to_owned())),
    }
}

/// Parses materials with weights: `50%stone,30%dirt,air`. A material without a percentage has a
/// weight of 1.
fn weighted(text: &str, context: &Context<'_>) -> Result<Vec<(f64, Voxel)>, CommandError> {
    let part = |part: &str| {
        let bad = || CommandError::Weight(part.to_owned());
        let (weight, name) = match part.split_once('%') {
            Some((weight, name)) => (weight.trim().parse().map_err(|_| bad())?, name),
            None => (1.0, part),
        };
        if !(weight > 0.0 && f64::is_finite(weight)) {
            return Err(bad());
        }
        Ok((weight, put(name, context)?))
    };
    split_outside_brackets(text, |c| c == ',').map(part).collect()
}

/// Parses a pattern that begins with `#`. `rest` is the text after the `#`.
fn named(text: &str, rest: &str, context: &Context<'_>) -> Result<Pattern, CommandError> {
    let (name, arguments) = rest.split_at(rest.find('[').unwrap_or(rest.len()));
    let form = |form| CommandError::Form(text.to_owned(), form);
    let voxels = |text: &str| -> Result<Vec<Voxel>, CommandError> {
        split_outside_brackets(text, |c| c == ',').map(|name| put(name, context)).collect()
    };
    match name {
        "clouds" | "perlin" | "simplex" => {
            let form = || form("#clouds[20][stone,2%dirt]");
            let Some([size, parts]) = bracketed(arguments).and_then(array) else {
                return Err(form());
            };
            let size: f64 = size.trim().parse().map_err(|_| form())?;
            if !(1.0..=MAX_SCALE).contains(&size) {
                return Err(form());
            }
            let clouds = Clouds::new(&weighted(parts, context)?, size, context.seeds.draw() as u32);
            clouds.map(Pattern::Clouds).map_err(|_| CommandError::Weight(text.to_owned()))
        }
        "gradient" => {
            let form = || form("#gradient[y][0][64][stone,dirt,grass]");
            let Some([axis, from, to, parts]) = bracketed(arguments).and_then(array) else {
                return Err(form());
            };
            let axis =
                ["x", "y", "z"].iter().position(|name| *name == axis.trim()).ok_or_else(form)?;
            let coordinate = |text: &str| text.trim().parse::<i32>().map_err(|_| form());
            let from = coordinate(from)?;
            let to = coordinate(to)?;
            Ok(Pattern::Gradient(Gradient {
                axis,
                from,
                to,
                voxels: voxels(parts)?,
                seed: context.seeds.draw(),
            }))
        }
        "checker" => {
            let form = || form("#checker[2][stone,dirt]");
            let Some([side, parts]) = bracketed(arguments).and_then(array) else {
                return Err(form());
            };
            let side =
                side.trim().parse().ok().filter(|side| (1..=MAX_SCALE as i32).contains(side));
            Ok(Pattern::Checker(Checker { side: side.ok_or_else(form)?, voxels: voxels(parts)? }))
        }
        "clipboard" | "copy" | "clipboard@" | "copy@" => {
            let offset = match (name.ends_with('@'), bracketed(arguments).as_deref()) {
                (true, Some([offset])) => position(offset)?,
                (false, Some([])) => IVec3::ZERO,
                _ => return Err(form("#clipboard, or #clipboard@[1,0,-5]")),
            };
            let Some(console) = context.console else { return Ok(Pattern::Voxel(Voxel::AIR)) };
            let clipboard = console.clipboard().cloned().ok_or(CommandError::EmptyClipboard)?;
            Ok(Pattern::Tiles(Tiles::new(clipboard, offset)))
        }
        _ => Err(unknown(text, "pattern", PATTERNS.iter().map(|(form, _)| *form))),
    }
}

/// Converts to an array if there are exactly `N` arguments.
fn array<const N: usize>(arguments: Vec<&str>) -> Option<[&str; N]> {
    arguments.try_into().ok()
}

/// Error for an unknown word that begins with `#`. Suggests the names of all `forms`.
pub(super) fn unknown(
    text: &str,
    what: &'static str,
    forms: impl Iterator<Item = &'static str>,
) -> CommandError {
    let names: Vec<&str> = forms.filter_map(|form| form.split('[').next()).collect();
    CommandError::Word { word: text.to_owned(), what, similar: names.join(", ") }
}
