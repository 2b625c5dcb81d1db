//! Commands that change the surface of the ground in the selection.

use super::region::PATTERN;
use crate::edit::Mask;
use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{Entry, Kind, optional};
use crate::edit::console::error::CommandError;
use crate::edit::console::job::ConsoleTask;
use crate::edit::console::state::Console;
use crate::edit::operations::{self, NaturalGround};
use crate::voxel::Matter;

type Answer = Result<ConsoleTask, CommandError>;

pub(in crate::edit::console) const COMMANDS: [Entry; 3] = [
    Entry {
        names: &["overlay"],
        parameters: &[PATTERN],
        flags: &[],
        help: "Puts a layer on top of the ground, column by column.",
        run: |console, args| {
            let (region, pattern) = (console.region()?, args.pattern(console)?);
            Ok(args.change(console, move |edit| operations::overlay(edit, &region, &Mask::existing(), &pattern)))
        },
    },
    Entry {
        names: &["naturalize"],
        parameters: &[],
        flags: &[],
        help: "Makes the ground a layer of grass, three of dirt, and stone below.",
        run: naturalize,
    },
    Entry {
        names: &["smooth"],
        parameters: &[optional("ITERATIONS", Kind::Number(1, 1000)), optional("MASK", Kind::Mask)],
        flags: &[],
        help: "Smooths the heights of the ground, which is all solid matter without a mask.",
        run: smooth,
    },
];

fn naturalize(console: &mut Console, args: &Arguments<'_>) -> Answer {
    let region = console.region()?;
    let missing = || CommandError::Other("the map lacks grass, dirt or stone".to_owned());
    let ground = NaturalGround::from_materials(args.materials).ok_or_else(missing)?;
    Ok(args.change(console, move |edit| operations::naturalize(edit, &region, &ground)))
}

fn smooth(console: &mut Console, args: &Arguments<'_>) -> Answer {
    let region = console.region()?;
    let terrain = args.mask(console)?.unwrap_or_else(|| args.matter(&[Matter::Solid]));
    let iterations = args.number("ITERATIONS", 1)?.unsigned_abs();
    Ok(args.change(console, move |edit| operations::smooth(edit, &region, &terrain, iterations)))
}
