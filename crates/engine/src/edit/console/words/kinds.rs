//! Materials by their shape or state, for masks.

use crate::edit::console::error::CommandError;
use crate::voxel::{MaterialId, MaterialTable, Shape, StairCorner};
use std::collections::BTreeSet;

/// Materials whose shape has all of these words, of which the first is a family of shapes. The word
/// `bottom` means that the shape has no `top`.
///
/// # Errors
/// No shape has these words.
pub(super) fn of_shape(
    words: &str,
    materials: &MaterialTable,
) -> Result<Vec<MaterialId>, CommandError> {
    Shape::from_words(words)?;
    let wanted: Vec<&str> = words.split(',').map(str::trim).collect();
    let has_words = |shape: Shape| {
        let Some(own) = shape.words() else { return false };
        let own: Vec<&str> = own.split(',').collect();
        own.first() == wanted.first()
            && wanted.iter().all(|word| match *word {
                "bottom" => !own.contains(&"top"),
                "straight" => own.iter().all(|own| StairCorner::from_word(own).is_none()),
                word => own.contains(&word),
            })
    };
    Ok(materials.iter().filter(|(_, m)| has_words(m.shape)).map(|(id, _)| id).collect())
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
