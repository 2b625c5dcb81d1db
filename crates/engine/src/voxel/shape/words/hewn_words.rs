//! Hewn blocks in words: `slab`, `stairs,north,top`, `post,south,west`.

use super::error::ShapeWordError;
use super::level::{BOTTOM, TOP};
use crate::voxel::Face;
use crate::voxel::shape::hewn::{HewnEighths, HewnForm, StairCorner, Stairs};

/// Names of the families of hewn blocks. The last one has all forms, by their bits.
pub(super) const FAMILIES: [&str; 6] = [SLAB, STAIRS, STEP, POST, EIGHTH, HEWN];

const SLAB: &str = "slab";
const STAIRS: &str = "stairs";
const STEP: &str = "step";
const POST: &str = "post";
const EIGHTH: &str = "eighth";
const HEWN: &str = "hewn";

/// Name of the family.
pub(super) fn family(eighths: HewnEighths) -> &'static str {
    match HewnForm::of(eighths) {
        HewnForm::Slab(_) => SLAB,
        HewnForm::Stairs(_) => STAIRS,
        HewnForm::Step { .. } => STEP,
        HewnForm::Post { .. } => POST,
        HewnForm::Eighth { .. } => EIGHTH,
        HewnForm::Other(_) => HEWN,
    }
}

/// The words of a form.
pub(super) fn words(eighths: HewnEighths) -> String {
    let form = HewnForm::of(eighths);
    let mut words = vec![family(eighths).to_owned()];
    let mut push = |word: &str| words.push(word.to_owned());
    let is_top = match form {
        HewnForm::Slab(side) => {
            if side.is_side() {
                push(side.word());
            }
            side == Face::Up
        }
        HewnForm::Stairs(Stairs { rises_to, is_hanging, .. }) => {
            push(rises_to.word());
            is_hanging
        }
        HewnForm::Step { side, is_top } => {
            push(side.word());
            is_top
        }
        HewnForm::Post { z, x } => {
            push(z.word());
            push(x.word());
            false
        }
        HewnForm::Eighth { z, x, is_top } => {
            push(z.word());
            push(x.word());
            is_top
        }
        HewnForm::Other(eighths) => {
            push(&eighths.bits().to_string());
            false
        }
    };
    if is_top {
        push(TOP);
    }
    if let HewnForm::Stairs(Stairs { corner, .. }) = form
        && corner != StairCorner::Straight
    {
        push(corner.word());
    }
    words.join(",")
}

/// The eighths of the form with these words; `None` if no family has the name.
pub(super) fn eighths(family: &str, words: &[&str]) -> Option<Result<HewnEighths, ShapeWordError>> {
    let family = FAMILIES.into_iter().find(|known| *known == family)?;
    Some(if family == HEWN { numbered(words) } else { form(family, words) })
}

fn numbered(words: &[&str]) -> Result<HewnEighths, ShapeWordError> {
    let [bits] = words else { return Err(ShapeWordError::Eighths) };
    bits.parse().ok().and_then(HewnEighths::new).ok_or(ShapeWordError::Eighths)
}

/// The words of a form, of which it has at most one of each kind.
#[derive(Default)]
struct FormWords<'a> {
    /// North or south, or any side of forms with one side.
    z: Option<Face>,
    /// East or west of forms with two sides.
    x: Option<Face>,
    level: Option<&'a str>,
    corner: Option<StairCorner>,
}

fn form(family: &'static str, words: &[&str]) -> Result<HewnEighths, ShapeWordError> {
    let has_two_sides = family == POST || family == EIGHTH;
    let mut found = FormWords::default();
    for &word in words {
        let side = Face::from_word(word).filter(|side| side.is_side());
        let corner = StairCorner::from_word(word).filter(|_| family == STAIRS);
        let level = Some(word).filter(|word| family != POST && [TOP, BOTTOM].contains(word));
        let before = match (side, corner, level) {
            (Some(side), _, _) => {
                let is_second = has_two_sides && matches!(side, Face::East | Face::West);
                let slot = if is_second { &mut found.x } else { &mut found.z };
                slot.replace(side).map(Face::word)
            }
            (_, Some(corner), _) => found.corner.replace(corner).map(StairCorner::word),
            (_, _, Some(level)) => found.level.replace(level),
            _ => return Err(unknown(family, word)),
        };
        if let Some(before) = before {
            return Err(ShapeWordError::contradiction(before, word));
        }
    }
    let is_top = found.level == Some(TOP);
    let z = found.z.unwrap_or(Face::North);
    let x = found.x.unwrap_or(Face::East);
    let form = match family {
        SLAB => match (found.z, found.level) {
            (Some(side), Some(level)) => {
                return Err(ShapeWordError::contradiction(side.word(), level));
            }
            (Some(side), None) => HewnForm::Slab(side),
            (None, _) => HewnForm::Slab(if is_top { Face::Up } else { Face::Down }),
        },
        STAIRS => {
            let corner = found.corner.unwrap_or_default();
            HewnForm::Stairs(Stairs { rises_to: z, is_hanging: is_top, corner })
        }
        STEP => HewnForm::Step { side: z, is_top },
        POST => HewnForm::Post { z, x },
        _ => HewnForm::Eighth { z, x, is_top },
    };
    Ok(form.eighths())
}

fn unknown(family: &'static str, word: &str) -> ShapeWordError {
    let sides = if family == POST || family == EIGHTH {
        "north, south, east, west"
    } else {
        "north, east, south, west"
    };
    let more = match family {
        POST => "",
        STAIRS => ", top, bottom, straight, inner_left, inner_right, outer_left, outer_right",
        _ => ", top, bottom",
    };
    ShapeWordError::Word {
        word: word.to_owned(),
        shape: family.to_owned(),
        known: format!("{sides}{more}"),
    }
}
