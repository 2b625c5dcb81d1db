//! Masks in commands.

use super::Context;
use super::kinds::{of_shape, of_state};
use super::material::{LiquidWord, VoxelWord, put, voxel};
use super::numbers::position;
use super::pattern::{MAX_SCALE, unknown};
use super::shaped::{family, of_family};
use super::split::{bracketed, split_outside_brackets, words};
use crate::edit::Mask;
use crate::edit::console::error::CommandError;
use crate::edit::region::Region;
use crate::voxel::{Box3, MaterialId, Matter};
use std::sync::Arc;

/// Forms of masks that begin with `#`, with descriptions.
pub(in crate::edit::console) const MASKS: [(&str, &str); 15] = [
    ("#existing", "everything but air"),
    ("#air", "air"),
    ("#solid", "what stops bodies"),
    ("#liquid", "water and lava"),
    ("#plant", "plants"),
    ("#wet", "blocks with water in what they leave free"),
    ("#full", "completely filled voxels"),
    ("#exposed", "blocks with a face that can be seen"),
    ("#shape[WORDS]", "blocks of a shape: #shape[stairs], #shape[stairs,top]"),
    ("#state[NAME=VALUE]", "blocks with a state: #state[axis=x]"),
    ("#selection", "the selected voxels"),
    ("#height[FROM][TO]", "layers"),
    ("#box[X,Y,Z][X,Y,Z]", "a box"),
    ("#slope[FROM][TO]", "surfaces of some steepness, 0 to 180 degrees"),
    ("#clouds[SIZE][FROM][TO]", "clouds of about SIZE voxels: a share of space, 0 to 100"),
];

/// Maximum number of operators before a mask, as in `!>stone`.
const MAX_NESTING: usize = 4;

/// Parses a mask: `stone,dirt`, `!air`, `>grass`, `%30`, `#solid`, or several masks separated by
/// spaces, which all must accept a voxel.
pub(in crate::edit::console) fn mask(
    text: &str,
    context: &Context<'_>,
) -> Result<Mask, CommandError> {
    let masks: Vec<Mask> = words(text)?
        .into_iter()
        .map(|(_, word)| one_mask(word, context, 0))
        .collect::<Result<_, _>>()?;
    Ok(match <[Mask; 1]>::try_from(masks) {
        Ok([only]) => only,
        Err(several) if several.is_empty() => {
            return Err(CommandError::Form(text.to_owned(), "stone,dirt or !air"));
        }
        Err(several) => Mask::All(several),
    })
}

/// Sign of a mask operator, and the function that applies it.
type MaskOperator = (char, fn(Mask) -> Mask);

/// Parses a mask without spaces that follows `nesting` operators.
fn one_mask(word: &str, context: &Context<'_>, nesting: usize) -> Result<Mask, CommandError> {
    if nesting > MAX_NESTING {
        return Err(CommandError::Nesting(MAX_NESTING));
    }
    let operators: [MaskOperator; 4] =
        [('!', Mask::inverse), ('>', Mask::above), ('<', Mask::below), ('~', Mask::near)];
    for (sign, operator) in operators {
        if let Some(rest) = word.strip_prefix(sign) {
            return Ok(operator(one_mask(rest, context, nesting + 1)?));
        }
    }
    any_of(word, context)
}

/// Parses alternatives, of which one must accept a voxel: `stone,#liquid,water:128`.
fn any_of(word: &str, context: &Context<'_>) -> Result<Mask, CommandError> {
    let mut materials = Vec::new();
    let mut voxels = Vec::new();
    let mut masks = Vec::new();
    for part in split_outside_brackets(word, |c| c == ',') {
        if let Some(name) = part.strip_prefix('#') {
            masks.push(named(part, name, context)?);
        } else if let Some(share) = part.strip_prefix('%') {
            let share = share.parse().ok().filter(|share| (0.0..=100.0).contains(share));
            let share: f64 = share.ok_or_else(|| CommandError::Form(part.to_owned(), "%30"))?;
            masks.push(Mask::Share { share: share / 100.0, seed: context.seeds.draw() });
        } else if let Some((block, family)) = family(part, context.materials) {
            materials.extend(of_family(block, family, context.materials));
        } else {
            let word = match voxel(part, context) {
                // A shape that the map lacks is nowhere in it.
                Err(CommandError::NeedsMaterials(_) | CommandError::TableFull(_)) => continue,
                word => word?,
            };
            match word {
                VoxelWord { material, occupancy: None, liquid: None, .. } => {
                    materials.extend(states(material, context));
                }
                VoxelWord {
                    material, occupancy: None, liquid: Some(LiquidWord::Water), ..
                } => {
                    let materials = states(material, context);
                    masks.push(Mask::All(vec![Mask::Materials(materials), Mask::Wet]));
                }
                // A full voxel never holds water: `put` refuses it instead of accepting none.
                VoxelWord { liquid: Some(LiquidWord::Water), .. } => {
                    let dry = put(part, context)?.dry();
                    masks.push(Mask::All(vec![Mask::Voxels(vec![dry]), Mask::Wet]));
                }
                VoxelWord { .. } => voxels.push(put(part, context)?),
            }
        }
    }
    if !materials.is_empty() || masks.is_empty() && voxels.is_empty() {
        masks.push(Mask::Materials(materials));
    }
    if !voxels.is_empty() {
        masks.push(Mask::Voxels(voxels));
    }
    Ok(match <[Mask; 1]>::try_from(masks) {
        Ok([only]) => only,
        Err(several) => Mask::AnyOf(several),
    })
}

/// A material, and the states of its block. Its shapes are blocks of their own.
fn states(id: MaterialId, context: &Context<'_>) -> Vec<MaterialId> {
    let materials = context.materials;
    let stated = materials.with_states(id).into_iter().skip(1);
    materials.with_grown_states(id).into_iter().chain(stated).collect()
}

/// Parses a mask that begins with `#`. `rest` is the text after the `#`.
fn named(text: &str, rest: &str, context: &Context<'_>) -> Result<Mask, CommandError> {
    let (name, arguments) = rest.split_at(rest.find('[').unwrap_or(rest.len()));
    let form = |form| move || CommandError::Form(text.to_owned(), form);
    let arguments = bracketed(arguments).ok_or_else(form("#height[0][64]"))?;
    let matter = |matter| Mask::matter(matter, context.materials);
    let numbers = |arguments: &[&str]| -> Option<Vec<f64>> {
        arguments
            .iter()
            .map(|text| text.trim().parse().ok().filter(|n: &f64| n.is_finite()))
            .collect()
    };
    Ok(match (name, &arguments[..]) {
        ("existing", []) => Mask::existing(),
        ("air", []) => Mask::air(),
        ("solid", []) => matter(Matter::Solid),
        ("liquid", []) => matter(Matter::Liquid),
        ("plant", []) => matter(Matter::Plant),
        ("wet", []) => Mask::Wet,
        ("full", []) => Mask::Full,
        ("exposed" | "surface", []) => Mask::exposed(context.materials),
        ("shape", [words]) => Mask::Materials(of_shape(words, context.materials)?),
        ("shape", _) => return Err(form("#shape[stairs,top]")()),
        ("state", [state]) => Mask::Materials(of_state(text, state, context.materials)?),
        ("state", _) => return Err(form("#state[axis=x]")()),
        ("selection" | "sel" | "region", []) => match context.console {
            Some(console) => console.selection().mask()?,
            None => Mask::Region(Arc::new(Region::default())),
        },
        ("height", limits) => {
            let form = form("#height[0][64]");
            let coordinates: Option<Vec<i32>> =
                limits.iter().map(|text| text.trim().parse().ok()).collect();
            match coordinates.as_deref() {
                Some(&[from, to]) if from > to => {
                    return Err(CommandError::Reversed(text.to_owned()));
                }
                Some(&[from, to]) => Mask::Heights(from..to.saturating_add(1)),
                _ => return Err(form()),
            }
        }
        ("box", [a, b]) => Mask::Inside(Box3::spanning(position(a)?, position(b)?)),
        ("slope" | "angle", limits) => match numbers(limits).as_deref() {
            Some(&[from, to]) if from > to => return Err(CommandError::Reversed(text.to_owned())),
            Some(&[from, to]) if 0.0 <= from && to <= 180.0 => {
                Mask::Slope { degrees: [from, to], ground: Box::new(matter(Matter::Solid)) }
            }
            _ => return Err(form("#slope[0][30]")()),
        },
        ("clouds" | "perlin" | "simplex", limits) => match numbers(limits).as_deref() {
            Some(&[_, from, to]) if from > to => {
                return Err(CommandError::Reversed(text.to_owned()));
            }
            Some(&[size, from, to])
                if (1.0..=MAX_SCALE).contains(&size) && 0.0 <= from && to <= 100.0 =>
            {
                Mask::clouds(context.seeds.draw() as u32, size, [from / 100.0, to / 100.0])
            }
            _ => return Err(form("#clouds[20][0][50]")()),
        },
        _ => return Err(unknown(text, "mask", MASKS.iter().map(|(form, _)| *form))),
    })
}
