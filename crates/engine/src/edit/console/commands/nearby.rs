//! Commands for what is around the player.

use super::region::{PATTERN, fill, fill_with};
use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{Entry, Kind, Parameter, optional, required};
use crate::edit::console::error::CommandError;
use crate::edit::console::job::ConsoleTask;
use crate::edit::console::state::Console;
use crate::edit::operations::{self, box_above, box_below, box_near};
use crate::edit::region::{Cylinder, RegionPlan};
use crate::edit::{Mask, Pattern};
use crate::voxel::{Box3, Matter, Voxel};
use glam::IVec3;

const SIZE: Parameter = optional("SIZE", Kind::Number(1, 1024));
const HEIGHT: Parameter = optional("HEIGHT", Kind::Number(1, 1024));
/// Defaults as in WorldEdit, except for the height, which is the whole world's there.
const REMOVED: u32 = 50;
const EXTINGUISHED: u32 = 40;
const WEATHERED: u32 = 10;
const DEFAULT_HEIGHT: u32 = 256;
/// Occupancy of fallen snow: an eighth of a voxel.
const SNOW: u8 = 31;

type Answer = Result<ConsoleTask, CommandError>;

pub(in crate::edit::console) const COMMANDS: [Entry; 8] = [
    Entry {
        names: &["replacenear"],
        parameters: &[required("RADIUS", Kind::Number(0, 1024)), optional("MASK", Kind::Mask), PATTERN],
        flags: &[],
        help: "Replaces voxels around the player; everything but air without a mask.",
        run: |console, args| {
            let mask = args.mask(console)?.unwrap_or_else(Mask::existing);
            let area = box_near(console.placement, args.number("RADIUS", 0)?.unsigned_abs());
            fill(console, args, RegionPlan::from_shape(area)?, mask)
        },
    },
    Entry {
        names: &["removenear"],
        parameters: &[required("MASK", Kind::Mask), SIZE],
        flags: &[],
        help: "Removes voxels around the player, less than SIZE to each side; 50 without a number.",
        run: |console, args| {
            let mask = args.mask(console)?.unwrap_or(Mask::Any);
            remove(console, args, box_near(console.placement, count(args, "SIZE", REMOVED)? - 1), mask)
        },
    },
    Entry {
        names: &["removeabove"],
        parameters: &[SIZE, HEIGHT],
        flags: &[],
        help: "Removes what is above the player's feet: a column, or a square of less than SIZE to each side.",
        run: |console, args| column(console, args, box_above),
    },
    Entry {
        names: &["removebelow"],
        parameters: &[SIZE, HEIGHT],
        flags: &[],
        help: "Removes what is below, from the player's feet on.",
        run: |console, args| column(console, args, box_below),
    },
    Entry {
        names: &["green"],
        parameters: &[SIZE, HEIGHT],
        flags: &[],
        help: "Turns dirt at the surface into grass, around the player; a radius of 10 without a number.",
        run: green,
    },
    Entry {
        names: &["snow"],
        parameters: &[SIZE, HEIGHT],
        flags: &[],
        help: "Lays thin snow on the ground, and turns water at the surface into as much ice.",
        run: snow,
    },
    Entry {
        names: &["thaw"],
        parameters: &[SIZE, HEIGHT],
        flags: &[],
        help: "Removes thin snow, and turns ice into as much water.",
        run: thaw,
    },
    Entry {
        names: &["ex", "ext", "extinguish"],
        parameters: &[optional("RADIUS", Kind::Number(0, 1024))],
        flags: &[],
        help: "Removes lava around the player, up to 40 voxels away without a number.",
        run: |console, args| {
            let lava = material(args, "lava")?;
            remove(console, args, box_near(console.placement, count(args, "RADIUS", EXTINGUISHED)?), lava)
        },
    },
];

/// A number of voxels.
fn count(args: &Arguments<'_>, name: &str, default: u32) -> Result<u32, CommandError> {
    Ok(args.number(name, default.cast_signed())?.unsigned_abs())
}

/// Removes what a mask accepts in a box.
fn remove(console: &Console, args: &Arguments<'_>, area: Box3, mask: Mask) -> Answer {
    Ok(fill_with(console, args, RegionPlan::from_shape(area)?, mask, Pattern::Voxel(Voxel::AIR)))
}

fn column(console: &Console, args: &Arguments<'_>, area: fn(IVec3, u32, u32) -> Box3) -> Answer {
    let area = area(console.placement, count(args, "SIZE", 1)?, count(args, "HEIGHT", DEFAULT_HEIGHT)?);
    remove(console, args, area, Mask::Any)
}

/// The cylinder around the player that the weather changes.
fn weathered(console: &Console, args: &Arguments<'_>) -> Result<RegionPlan, CommandError> {
    let radius = f64::from(count(args, "SIZE", WEATHERED)?);
    let height = count(args, "HEIGHT", DEFAULT_HEIGHT)?.cast_signed();
    let base = console.placement.with_y(console.placement.y.saturating_sub(height));
    Ok(RegionPlan::from_shape(Cylinder { base, radii: [radius; 2], height: 2 * height + 1 })?)
}

/// The mask of one of the game's materials.
fn material(args: &Arguments<'_>, name: &str) -> Result<Mask, CommandError> {
    Ok(Mask::Materials(args.materials.with_grown_states(args.built_in(name)?.material())))
}

fn green(console: &mut Console, args: &Arguments<'_>) -> Answer {
    let region = weathered(console, args)?;
    let ground = args.matter(&[Matter::Solid, Matter::Liquid]);
    let (dirt, grass) = (args.built_in("dirt")?.material(), args.built_in("grass")?);
    Ok(args.change(console, move |edit| operations::green(edit, &region.make()?, &ground, dirt, grass)))
}

fn snow(console: &mut Console, args: &Arguments<'_>) -> Answer {
    let region = weathered(console, args)?;
    let ground = args.matter(&[Matter::Solid]).and(Mask::Full);
    let layer = Voxel::new(args.built_in("snow")?.material(), SNOW);
    let (water, ice) = (args.built_in("water")?.material(), args.built_in("ice")?.material());
    Ok(args.change(console, move |edit| operations::snow(edit, &region.make()?, &ground, layer, water, ice)))
}

fn thaw(console: &mut Console, args: &Arguments<'_>) -> Answer {
    let region = weathered(console, args)?;
    let (snow, ice) = (material(args, "snow")?.and(Mask::inverse(Mask::Full)), material(args, "ice")?);
    let water = args.built_in("water")?.material();
    Ok(args.change(console, move |edit| operations::thaw(edit, &region.make()?, &snow, ice, water)))
}
