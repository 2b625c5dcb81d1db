//! The command that replaces voxels of the selection, and keeps the forms of shapes.

use super::region::{PATTERN, fill_with};
use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{CommandRow, Kind, TaskResult, optional};
use crate::edit::console::error::CommandError;
use crate::edit::console::state::Console;
use crate::edit::console::words;
use crate::edit::{Mask, Pattern};
use crate::voxel::{MaterialId, Shape, Voxel};

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
        Some((block, family)) => forms(block, family, &mask, console, args)?,
        None => Vec::new(),
    };
    if forms.is_empty() {
        return Ok(fill_with(console, args, region, mask, pattern));
    }
    Ok(args.change(console, move |edit| {
        let region = region.make()?;
        let mut changed = 0;
        // The rest comes first: what it puts has no form that is replaced afterwards, because the
        // pattern's own form is only replaced by itself.
        let formed: Vec<MaterialId> = forms.iter().flat_map(|(from, _)| from.clone()).collect();
        let rest = vec![Mask::inverse(Mask::Materials(formed)), mask.clone()];
        changed += edit.fill(&region, &Mask::All(rest), &pattern)?;
        for (from, to) in &forms {
            // Water stays in what the shape leaves free.
            let dry = Mask::inverse(Mask::Wet);
            for (wetness, voxel) in [(Mask::Wet, to.with_liquid(u8::MAX)), (dry, *to)] {
                let mask = Mask::All(vec![Mask::Materials(from.clone()), wetness, mask.clone()]);
                changed += edit.fill(&region, &mask, &Pattern::Voxel(voxel))?;
            }
        }
        Ok(changed)
    }))
}

/// For each form of a family of shapes that `mask` may accept: its materials, and the voxel of
/// `block` in the same form.
fn forms(
    block: MaterialId,
    family: &str,
    mask: &Mask,
    console: &Console,
    args: &Arguments<'_>,
) -> Result<Vec<(Vec<MaterialId>, Voxel)>, CommandError> {
    let accepted = |id: MaterialId| match mask {
        Mask::Materials(accepted) => accepted.contains(&id),
        _ => true,
    };
    let mut forms: Vec<(Shape, Vec<MaterialId>)> = Vec::new();
    for (id, material) in args.materials.iter().filter(|(id, _)| accepted(*id)) {
        if material.shape.family() != Some(family) {
            continue;
        }
        match forms.iter_mut().find(|(shape, _)| *shape == material.shape) {
            Some((_, ids)) => ids.push(id),
            None => forms.push((material.shape, vec![id])),
        }
    }
    let whole = args.materials.get(block);
    let shaped = forms.iter().filter_map(|(shape, _)| whole?.reshaped(*shape));
    args.need(shaped.filter(|m| args.materials.find(&m.name).is_none()).collect())?;
    let context = args.context(console);
    let voxel = |shape: Shape| -> Result<Voxel, CommandError> {
        let fill = shape.row().fill.unwrap_or(u8::MAX);
        Ok(Voxel::new(words::material_of_shape(block, shape, &context)?, fill))
    };
    forms.into_iter().map(|(shape, ids)| Ok((ids, voxel(shape)?))).collect()
}
