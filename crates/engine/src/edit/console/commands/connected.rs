//! Commands that fill or drain what is connected with the player's place.

use super::region::PATTERN;
use crate::edit::Spread;
use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{Entry, Kind, Parameter, flag, optional, required};
use crate::edit::console::error::CommandError;
use crate::edit::console::job::ConsoleTask;
use crate::edit::console::state::Console;
use crate::edit::operations::{drain, fill_hole, fix_liquid};
use crate::voxel::Matter;

const RADIUS: Parameter = required("RADIUS", Kind::Number(1, 1024));
const DEPTH: Parameter = optional("DEPTH", Kind::Number(1, 2048));
/// More layers than a ball of the largest radius has.
const ANY_DEPTH: i32 = 2048;

type Answer = Result<ConsoleTask, CommandError>;

pub(in crate::edit::console) const COMMANDS: [Entry; 5] = [
    Entry {
        names: &["fill"],
        parameters: &[PATTERN, RADIUS, DEPTH],
        flags: &[],
        help: "Fills a hole at the player's feet straight down; DEPTH is the number of layers, 1 without it.",
        run: |console, args| fill(console, args, 1, Spread::DOWN),
    },
    Entry {
        names: &["fillr"],
        parameters: &[PATTERN, RADIUS, DEPTH],
        flags: &[],
        help: "Fills a hole at the player's feet with its caves; DEPTH is the number of layers, all without it.",
        run: |console, args| fill(console, args, ANY_DEPTH, Spread::ALL),
    },
    Entry {
        names: &["drain"],
        parameters: &[RADIUS],
        flags: &[flag('p', "plants in it, too")],
        help: "Removes the liquid that is connected with the player's place.",
        run: drained,
    },
    Entry {
        names: &["fixwater"],
        parameters: &[RADIUS],
        flags: &[],
        help: "Fills a lake with full voxels of water, up to the level of the player's feet.",
        run: |console, args| fixed(console, args, "water"),
    },
    Entry {
        names: &["fixlava"],
        parameters: &[RADIUS],
        flags: &[],
        help: "Fills a lake with full voxels of lava, up to the level of the player's feet.",
        run: |console, args| fixed(console, args, "lava"),
    },
];

fn radius(args: &Arguments<'_>) -> Result<f64, CommandError> {
    Ok(args.number("RADIUS", 1)?.into())
}

fn fill(console: &Console, args: &Arguments<'_>, depth: i32, spread: Spread) -> Answer {
    let (at, radius, pattern) = (console.placement, radius(args)?, args.pattern(console)?);
    let depth = args.number("DEPTH", depth)?.unsigned_abs();
    Ok(args.change(console, move |edit| fill_hole(edit, at, radius, depth, spread, &pattern)))
}

fn drained(console: &mut Console, args: &Arguments<'_>) -> Answer {
    let (at, radius) = (console.placement, radius(args)?);
    let kinds = [Matter::Liquid, Matter::Plant];
    let removed = args.matter(&kinds[..if args.has_flag('p') { 2 } else { 1 }]);
    Ok(args.change(console, move |edit| drain(edit, at, radius, &removed)))
}

fn fixed(console: &Console, args: &Arguments<'_>, name: &str) -> Answer {
    let (at, radius, liquid) = (console.placement, radius(args)?, args.built_in(name)?.material());
    Ok(args.change(console, move |edit| fix_liquid(edit, at, radius, liquid)))
}
