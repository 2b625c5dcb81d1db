//! The command that replaces voxels of the selection, and keeps the forms of shapes.

use super::region::{PATTERN, fill_with};
use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{CommandRow, Kind, TaskResult, optional};
use crate::edit::console::error::CommandError;
use crate::edit::console::state::Console;
use crate::edit::console::words;
use crate::edit::{Mask, operations};
use crate::voxel::{Material, MaterialId};
use rustc_hash::FxHashMap;

pub(in crate::edit::console) const COMMANDS: &[CommandRow] = &[CommandRow {
    names: &["replace", "re", "rep"],
    parameters: &[optional("MASK", Kind::Mask), PATTERN],
    flags: &[],
    help: "Replaces voxels of the selection; everything but air without a mask. A pattern such as stone:stairs keeps the forms of stairs.",
    example: "//replace stone lamp",
    run: replace,
}];

fn replace(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let region = console.region()?;
    let mask = args.mask(console)?.unwrap_or_else(Mask::existing);
    let pattern = args.pattern(console)?;
    let forms = match args.text("PATTERN").and_then(|word| words::family(word, args.materials)) {
        Some((block, family)) => forms(block, family, &mask, args)?,
        None => FxHashMap::default(),
    };
    match pattern.as_uniform().filter(|_| !forms.is_empty()) {
        None => Ok(fill_with(console, args, region, mask, pattern)),
        Some(others) => Ok(args.change(console, move |edit| {
            operations::replace_forms(edit, &region.make()?, mask, &forms, others)
        })),
    }
}

/// For each material that `mask` may accept and that has a shape of a family: the material of
/// `block` in the same form.
///
/// # Errors
/// The map lacks some of these materials.
fn forms(
    block: MaterialId,
    family: &str,
    mask: &Mask,
    args: &Arguments<'_>,
) -> Result<FxHashMap<MaterialId, MaterialId>, CommandError> {
    let accepted = |id: MaterialId| match mask {
        Mask::Materials(accepted) => accepted.contains(&id),
        _ => true,
    };
    let Some(whole) = args.materials.get(block) else { return Ok(FxHashMap::default()) };
    let mut missing: Vec<Material> = Vec::new();
    let mut forms = FxHashMap::default();
    for (id, material) in args.materials.iter().filter(|(id, _)| accepted(*id)) {
        if material.shape.family() != Some(family) {
            continue;
        }
        let Some(shaped) = whole.reshaped(material.shape) else { continue };
        match args.materials.index_of(shaped) {
            Ok(to) => _ = forms.insert(id, to),
            Err(lacking) if missing.iter().all(|other| other.name != lacking.name) => {
                missing.push(*lacking);
            }
            Err(_) => {}
        }
    }
    args.need(missing)?;
    Ok(forms)
}
