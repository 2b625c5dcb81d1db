//! Commands that change the surface of the ground in the selection.

use super::region::PATTERN;
use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{CommandRow, Kind, TaskResult, optional};
use crate::edit::console::error::CommandError;
use crate::edit::console::job::JobResult;
use crate::edit::console::state::Console;
use crate::edit::operations::{self, GroundMaterials, NaturalGround};
use crate::voxel::Matter;

pub(in crate::edit::console) const COMMANDS: &[CommandRow] = &[
    CommandRow {
        names: &["overlay"],
        parameters: &[PATTERN],
        flags: &[],
        help: "Puts a layer on top of the ground, column by column; plants and liquids do not count.",
        example: "//overlay lamp",
        run: |console, args| {
            let region = console.region()?;
            let pattern = args.pattern(console)?;
            let ground = args.matter(&[Matter::Solid]);
            Ok(args.change(console, move |edit| {
                operations::overlay(edit, &region.make()?, &ground, &pattern)
            }))
        },
    },
    CommandRow {
        names: &["naturalize"],
        parameters: &[],
        flags: &[],
        help: "Makes the ground a layer of grass, three of dirt, and stone below.",
        example: "//naturalize",
        run: naturalize,
    },
    CommandRow {
        names: &["smooth"],
        parameters: &[optional("ITERATIONS", Kind::Number(1, 1000)), optional("MASK", Kind::Mask)],
        flags: &[],
        help: "Smooths the heights of the ground: without a mask all solid matter but trees. Plants stay on it.",
        example: "//smooth 2 #solid",
        run: smooth,
    },
];

fn naturalize(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let region = console.region()?;
    let ground =
        NaturalGround::from_materials(args.materials).ok_or(CommandError::MissingGround)?;
    Ok(args.change(console, move |edit| operations::naturalize(edit, &region.make()?, &ground)))
}

fn smooth(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let region = console.region()?;
    let terrain = GroundMaterials::from_materials(args.materials);
    let terrain = match args.mask(console)? {
        Some(ground) => terrain.with_ground(ground),
        None => terrain,
    };
    let iterations = args.number("ITERATIONS", 1)?.unsigned_abs();
    Ok(args.job(console, move |edit| {
        let changed = operations::smooth(edit, &region.make()?, &terrain, iterations)?;
        Ok(JobResult { voxels: changed.voxels, answer: changed.answer(), change: None })
    }))
}
