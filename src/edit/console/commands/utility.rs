//! Commands for what is around the player, and help.

use super::region::{PATTERN, fill, fill_with};
use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{Entry, Kind, Parameter, optional, required};
use crate::edit::console::error::CommandError;
use crate::edit::console::job::{ConsoleTask, JobResult};
use crate::edit::console::state::Console;
use crate::edit::region::Region;
use crate::edit::selection::bounded_region;
use crate::edit::{Mask, Pattern};
use crate::voxel::{Box3, Matter, Voxel};
use glam::IVec3;

const MASK: Parameter = required("MASK", Kind::Mask);
const RADIUS: Parameter = required("RADIUS", Kind::Number(0, 1024));
const ANY_RADIUS: Parameter = optional("RADIUS", Kind::Number(0, 1024));
const SIZE: Parameter = optional("SIZE", Kind::Number(1, 1024));
const HEIGHT: Parameter = optional("HEIGHT", Kind::Number(1, 1024));
/// Radius and height of commands without one.
const DEFAULT_RADIUS: i32 = 10;
const DEFAULT_HEIGHT: i32 = 256;
/// Occupancy of fallen snow: an eighth of a voxel.
const SNOW: u8 = 31;

type Answer = Result<ConsoleTask, CommandError>;

pub(in crate::edit::console) const COMMANDS: [Entry; 10] = [
    Entry {
        names: &["replacenear"],
        parameters: &[RADIUS, optional("MASK", Kind::Mask), PATTERN],
        flags: &[],
        help: "Replaces voxels around the player; everything but air without a mask.",
        run: |console, args| {
            fill(
                console,
                args,
                around(console, args.number("RADIUS", 0)?)?,
                args.mask(console)?.unwrap_or_else(Mask::existing),
            )
        },
    },
    Entry {
        names: &["removenear"],
        parameters: &[MASK, ANY_RADIUS],
        flags: &[],
        help: "Removes voxels around the player.",
        run: |console, args| {
            let region = near(console, args)?;
            let mask = args.mask(console)?.unwrap_or(Mask::Any);
            Ok(fill_with(console, args, region, mask, Pattern::Voxel(Voxel::AIR)))
        },
    },
    Entry {
        names: &["removeabove"],
        parameters: &[SIZE, HEIGHT],
        flags: &[],
        help: "Removes what is above the player: a column, or a square of SIZE voxels to each side.",
        run: |console, args| column(console, args, true),
    },
    Entry {
        names: &["removebelow"],
        parameters: &[SIZE, HEIGHT],
        flags: &[],
        help: "Removes what is below the player.",
        run: |console, args| column(console, args, false),
    },
    Entry {
        names: &["green"],
        parameters: &[ANY_RADIUS],
        flags: &[],
        help: "Turns dirt under the open air into grass.",
        run: green,
    },
    Entry { names: &["snow"], parameters: &[ANY_RADIUS], flags: &[], help: "Lays thin snow on the ground.", run: snow },
    Entry {
        names: &["thaw"],
        parameters: &[ANY_RADIUS],
        flags: &[],
        help: "Removes thin snow, and turns ice into water.",
        run: thaw,
    },
    Entry {
        names: &["ex", "ext", "extinguish"],
        parameters: &[ANY_RADIUS],
        flags: &[],
        help: "Removes lava around the player.",
        run: |console, args| {
            let region = near(console, args)?;
            let lava = material(args, "lava")?;
            Ok(fill_with(console, args, region, lava, Pattern::Voxel(Voxel::AIR)))
        },
    },
    Entry {
        names: &["gmask", "mask"],
        parameters: &[optional("MASK", Kind::Mask)],
        flags: &[],
        help: "Restricts all commands to the voxels of a mask; without one, lifts that.",
        run: global_mask,
    },
    Entry {
        names: &["help"],
        parameters: &[optional("COMMAND", Kind::Command)],
        flags: &[],
        help: "Lists all commands, or explains one.",
        run: help,
    },
];

/// The cube around the player.
fn around(console: &Console, radius: i32) -> Result<Region, CommandError> {
    Ok(bounded_region(&Box3 { min: console.placement - radius, max: console.placement + radius + 1 })?)
}

/// The cube around the player with the command's radius.
fn near(console: &Console, args: &Arguments<'_>) -> Result<Region, CommandError> {
    around(console, args.number("RADIUS", DEFAULT_RADIUS)?)
}

fn column(console: &mut Console, args: &Arguments<'_>, is_above: bool) -> Answer {
    let reach = args.number("SIZE", 1)? - 1;
    let height = args.number("HEIGHT", DEFAULT_HEIGHT)?;
    let (at, across) = (console.placement, IVec3::new(reach, 0, reach));
    let layers = if is_above { [0, height - 1] } else { [-height, -1] };
    let region =
        bounded_region(&Box3::spanning(at - across + IVec3::Y * layers[0], at + across + IVec3::Y * layers[1]))?;
    Ok(fill_with(console, args, region, Mask::Any, Pattern::Voxel(Voxel::AIR)))
}

/// The voxel of one of the game's materials.
fn full(args: &Arguments<'_>, name: &str) -> Result<Voxel, CommandError> {
    let missing = || CommandError::Material { name: name.to_owned(), similar: String::new() };
    args.materials.find(name).map(Voxel::full).ok_or_else(missing)
}

/// The mask of one of the game's materials.
fn material(args: &Arguments<'_>, name: &str) -> Result<Mask, CommandError> {
    Ok(Mask::Materials(vec![full(args, name)?.material()]))
}

fn green(console: &mut Console, args: &Arguments<'_>) -> Answer {
    let mask = material(args, "dirt")?.and(Mask::below(Mask::air()));
    Ok(fill_with(console, args, near(console, args)?, mask, Pattern::Voxel(full(args, "grass")?)))
}

fn snow(console: &mut Console, args: &Arguments<'_>) -> Answer {
    let ground = Mask::matter(Matter::Solid, args.materials).and(Mask::Full);
    let mask = Mask::air().and(Mask::above(ground));
    let snow = Voxel::new(full(args, "snow")?.material(), SNOW);
    Ok(fill_with(console, args, near(console, args)?, mask, Pattern::Voxel(snow)))
}

fn thaw(console: &mut Console, args: &Arguments<'_>) -> Answer {
    let region = near(console, args)?;
    let (snow, ice, water) =
        (material(args, "snow")?.and(Mask::inverse(Mask::Full)), material(args, "ice")?, full(args, "water")?);
    Ok(args.job(console, move |edit| {
        let removed = edit.fill(&region, &snow, &Pattern::Voxel(Voxel::AIR))?;
        Ok(JobResult::changed(removed + edit.fill(&region, &ice, &Pattern::Voxel(water))?))
    }))
}

fn global_mask(console: &mut Console, args: &Arguments<'_>) -> Answer {
    let mask = args.mask(console)?;
    let answer =
        if mask.is_some() { "commands change only what the mask accepts" } else { "commands change all voxels" };
    console.set_mask(mask.unwrap_or(Mask::Any));
    Ok(ConsoleTask::Answer(answer.to_owned()))
}

fn help(_: &mut Console, args: &Arguments<'_>) -> Answer {
    Ok(ConsoleTask::Answer((args.help)(args.text("COMMAND"))?))
}
