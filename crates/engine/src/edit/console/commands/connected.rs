//! Commands that fill or drain the connected space at the player's feet.

use super::region::PATTERN;
use crate::edit::Spread;
use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{
    CommandRow, Kind, Parameter, TaskResult, flag, optional, required,
};
use crate::edit::console::error::CommandError;
use crate::edit::console::state::Console;
use crate::edit::operations::{drain, fill_hole, fix_liquid};
use crate::voxel::Matter;

const RADIUS: Parameter = required("RADIUS", Kind::Number(1, 1024));
const DEPTH: Parameter = optional("DEPTH", Kind::Number(1, 2048));
/// Unlimited depth: at least as many layers as the largest ball has below its centre.
const ANY_DEPTH: i32 = 2048;

pub(in crate::edit::console) const COMMANDS: &[CommandRow] = &[
    CommandRow {
        names: &["fill"],
        parameters: &[PATTERN, RADIUS, DEPTH],
        flags: &[],
        help: "Fills a hole at the player's feet straight down; DEPTH is the number of layers, 1 without it.",
        example: "//fill lamp 5 2",
        run: |console, args| fill(console, args, 1, Spread::DOWN),
    },
    CommandRow {
        names: &["fillr"],
        parameters: &[PATTERN, RADIUS, DEPTH],
        flags: &[],
        help: "Fills a hole at the player's feet with its caves; DEPTH is the number of layers, all without it.",
        example: "//fillr lamp 5 2",
        run: |console, args| fill(console, args, ANY_DEPTH, Spread::ALL),
    },
    CommandRow {
        names: &["drain"],
        parameters: &[RADIUS],
        flags: &[flag('p', "plants in it, too")],
        help: "Removes the liquid that is connected with the player's place, also from wet blocks.",
        example: "//drain 5",
        run: drained,
    },
    CommandRow {
        names: &["fixwater"],
        parameters: &[RADIUS],
        flags: &[],
        help: "Fills a lake with full voxels of water, up to the level of the player's feet.",
        example: "//fixwater 5",
        run: |console, args| fixed(console, args, "water"),
    },
    CommandRow {
        names: &["fixlava"],
        parameters: &[RADIUS],
        flags: &[],
        help: "Fills a lake with full voxels of lava, up to the level of the player's feet.",
        example: "//fixlava 5",
        run: |console, args| fixed(console, args, "lava"),
    },
];

fn radius(args: &Arguments<'_>) -> Result<f64, CommandError> {
    Ok(args.number("RADIUS", 1)?.into())
}

fn fill(console: &Console, args: &Arguments<'_>, depth: i32, spread: Spread) -> TaskResult {
    let at = console.placement;
    let radius = radius(args)?;
    let pattern = args.pattern(console)?;
    let depth = args.number("DEPTH", depth)?.unsigned_abs();
    Ok(args.change(console, move |edit| fill_hole(edit, at, radius, depth, spread, &pattern)))
}

fn drained(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let at = console.placement;
    let radius = radius(args)?;
    let kinds = [Matter::Liquid, Matter::Plant];
    let removed = args.matter(&kinds[..if args.has_flag('p') { 2 } else { 1 }]);
    Ok(args.change(console, move |edit| drain(edit, at, radius, &removed)))
}

fn fixed(console: &Console, args: &Arguments<'_>, name: &str) -> TaskResult {
    let at = console.placement;
    let radius = radius(args)?;
    let liquid = args.built_in(name)?.material();
    let wets = args.materials.water() == Some(liquid);
    Ok(args.change(console, move |edit| fix_liquid(edit, at, radius, liquid, wets)))
}
