//! Materials by their shape or state, for masks.

use crate::edit::console::error::CommandError;
use crate::voxel::{Face, HewnForm, MaterialId, MaterialTable, Shape, StairCorner, Stairs};
use std::collections::BTreeSet;

/// Materials whose shape has all of these words, of which the first is a family of shapes.
///
/// # Errors
/// No shape has these words.
pub(super) fn of_shape(
    words: &str,
    materials: &MaterialTable,
) -> Result<Vec<MaterialId>, CommandError> {
    Shape::from_words(words)?;
    let wanted: Vec<&str> = words.split(',').map(str::trim).collect();
    let has_words =
        |shape: Shape| descriptions(shape).iter().any(|own| adds_nothing(shape, own, &wanted));
    Ok(materials.iter().filter(|(_, m)| has_words(m.shape)).map(|(id, _)| id).collect())
}

/// All words that describe a shape: corners of stairs are left ones of one side, and right ones of
/// another.
fn descriptions(shape: Shape) -> Vec<String> {
    let Some(words) = shape.words() else { return Vec::new() };
    let mut found = vec![words];
    let stairs = shape.hewn_eighths().map(HewnForm::of);
    if let Some(HewnForm::Stairs(Stairs { is_hanging, .. })) = stairs {
        let level = if is_hanging { "top" } else { "bottom" };
        for corner in StairCorner::ALL.map(StairCorner::word) {
            let others = Face::SIDES.map(|side| format!("stairs,{},{level},{corner}", side.word()));
            found.extend(others.into_iter().filter(|text| Shape::from_words(text) == Ok(shape)));
        }
    }
    found.extend(shape.hewn_eighths().map(|eighths| format!("hewn,{}", eighths.bits())));
    found
}

/// True if `own`, which describes `shape`, still does so with the `wanted` words added.
fn adds_nothing(shape: Shape, own: &str, wanted: &[&str]) -> bool {
    let mut words: Vec<&str> = own.split(',').collect();
    if words.first() != wanted.first() {
        return false;
    }
    for word in wanted {
        if !words.contains(word) {
            words.push(word);
        }
    }
    Shape::from_words(&words.join(",")) == Ok(shape)
}

/// Materials whose state has these properties: `axis=x`, `facing=north,half=top`. `text` is the
/// mask as it is written.
///
/// # Errors
/// A property has no value, or no material of the map has a property of this name.
pub(super) fn of_state(
    text: &str,
    state: &str,
    materials: &MaterialTable,
) -> Result<Vec<MaterialId>, CommandError> {
    let wanted: Option<Vec<(&str, &str)>> =
        state.split(',').map(|pair| pair.trim().split_once('=')).collect();
    let wanted = wanted.ok_or_else(|| CommandError::Form(text.to_owned(), "#state[axis=x]"))?;
    let stated: Vec<(MaterialId, Vec<(&str, &str)>)> = materials
        .iter()
        .filter_map(|(id, material)| {
            let (_, state) = material.name.strip_suffix(']')?.split_once('[')?;
            let pairs: Option<Vec<_>> = state.split(',').map(|pair| pair.split_once('=')).collect();
            Some((id, pairs?))
        })
        .collect();
    let known: BTreeSet<&str> =
        stated.iter().flat_map(|(_, pairs)| pairs.iter().map(|(name, _)| *name)).collect();
    if let Some((name, _)) = wanted.iter().find(|(name, _)| !known.contains(name)) {
        let similar = known.into_iter().collect::<Vec<_>>().join(", ");
        return Err(CommandError::Word {
            word: (*name).to_owned(),
            what: "state of a block of the map",
            similar,
        });
    }
    let has_all = |pairs: &[(&str, &str)]| wanted.iter().all(|pair| pairs.contains(pair));
    Ok(stated.into_iter().filter(|(_, pairs)| has_all(pairs)).map(|(id, _)| id).collect())
}
