//! Commands that act around the player.

use super::region::{PATTERN, fill, fill_with};
use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{CommandRow, Kind, Parameter, TaskResult, optional, required};
use crate::edit::console::error::CommandError;
use crate::edit::console::state::Console;
use crate::edit::operations::{self, box_above, box_below, box_near};
use crate::edit::region::{Cylinder, RegionPlan};
use crate::edit::{Mask, Pattern};
use crate::voxel::{Box3, Matter, Voxel};
use glam::IVec3;

const SIZE: Parameter = optional("SIZE", Kind::Number(1, 1024));
const HEIGHT: Parameter = optional("HEIGHT", Kind::Number(1, 1024));
// Defaults as in WorldEdit, in voxels, except for the height: WorldEdit's default is the height of
// the whole world.
/// Size of `//removenear`.
const REMOVE_SIZE: u32 = 50;
/// Radius of `//ex`.
const EXTINGUISH_RADIUS: u32 = 40;
/// Radius of `//green`, `//snow` and `//thaw`.
const WEATHER_RADIUS: u32 = 10;
/// Height of the commands that take one.
const DEFAULT_HEIGHT: u32 = 256;
/// Occupancy of fallen snow: an eighth of a voxel.
const SNOW: u8 = 31;

pub(in crate::edit::console) const COMMANDS: &[CommandRow] = &[
    CommandRow {
        names: &["replacenear"],
        parameters: &[
            required("RADIUS", Kind::Number(0, 1024)),
            optional("MASK", Kind::Mask),
            PATTERN,
        ],
        flags: &[],
        help: "Replaces voxels around the player; everything but air without a mask.",
        example: "//replacenear 3 stone lamp",
        run: |console, args| {
            let mask = args.mask(console)?.unwrap_or_else(Mask::existing);
            let area = box_near(console.placement, args.number("RADIUS", 0)?.unsigned_abs());
            fill(console, args, RegionPlan::from_shape(area)?, mask)
        },
    },
    CommandRow {
        names: &["removenear"],
        parameters: &[required("MASK", Kind::Mask), SIZE],
        flags: &[],
        help: "Removes voxels around the player, less than SIZE to each side; 50 without a number.",
        example: "//removenear stone 5",
        run: |console, args| {
            let mask = args.mask(console)?.unwrap_or(Mask::Any);
            remove(
                console,
                args,
                box_near(console.placement, count(args, "SIZE", REMOVE_SIZE)? - 1),
                mask,
            )
        },
    },
    CommandRow {
        names: &["removeabove"],
        parameters: &[SIZE, HEIGHT],
        flags: &[],
        help: "Removes what is above the player's feet: a column, or a square of less than SIZE to each side.",
        example: "//removeabove 3 4",
        run: |console, args| column(console, args, box_above),
    },
    CommandRow {
        names: &["removebelow"],
        parameters: &[SIZE, HEIGHT],
        flags: &[],
        help: "Removes what is below, from the player's feet on.",
        example: "//removebelow 3 4",
        run: |console, args| column(console, args, box_below),
    },
    CommandRow {
        names: &["green"],
        parameters: &[SIZE, HEIGHT],
        flags: &[],
        help: "Turns dirt at the surface into grass, around the player; a radius of 10 without a number.",
        example: "//green 5 6",
        run: green,
    },
    CommandRow {
        names: &["snow"],
        parameters: &[SIZE, HEIGHT],
        flags: &[],
        help: "Lays thin snow on the ground, and turns water at the surface into as much ice.",
        example: "//snow 5 6",
        run: snow,
    },
    CommandRow {
        names: &["thaw"],
        parameters: &[SIZE, HEIGHT],
        flags: &[],
        help: "Removes thin snow, and turns ice into as much water.",
        example: "//thaw 5 6",
        run: thaw,
    },
    CommandRow {
        names: &["ex", "ext", "extinguish"],
        parameters: &[optional("RADIUS", Kind::Number(0, 1024))],
        flags: &[],
        help: "Removes lava around the player, up to 40 voxels away without a number.",
        example: "//ex 5",
        run: |console, args| {
            let lava = material(args, "lava")?;
            remove(
                console,
                args,
                box_near(console.placement, count(args, "RADIUS", EXTINGUISH_RADIUS)?),
                lava,
            )
        },
    },
];

/// Number of a parameter that cannot be negative; `default` if it was left out.
fn count(args: &Arguments<'_>, name: &str, default: u32) -> Result<u32, CommandError> {
    Ok(args.number(name, default.cast_signed())?.unsigned_abs())
}

/// Removes the voxels of a box that a mask accepts.
fn remove(console: &Console, args: &Arguments<'_>, area: Box3, mask: Mask) -> TaskResult {
    Ok(fill_with(console, args, RegionPlan::from_shape(area)?, mask, Pattern::Voxel(Voxel::AIR)))
}

fn column(
    console: &Console,
    args: &Arguments<'_>,
    area: fn(IVec3, u32, u32) -> Box3,
) -> TaskResult {
    let area =
        area(console.placement, count(args, "SIZE", 1)?, count(args, "HEIGHT", DEFAULT_HEIGHT)?);
    remove(console, args, area, Mask::Any)
}

/// Cylinder around the player in which the weather commands act.
fn weathered(console: &Console, args: &Arguments<'_>) -> Result<RegionPlan, CommandError> {
    let radius = f64::from(count(args, "SIZE", WEATHER_RADIUS)?);
    let height = count(args, "HEIGHT", DEFAULT_HEIGHT)?.cast_signed();
    let base = console.placement.with_y(console.placement.y.saturating_sub(height));
    Ok(RegionPlan::from_shape(Cylinder { base, radii: [radius; 2], height: 2 * height + 1 })?)
}

/// Mask of one of the game's materials, including its grown states.
fn material(args: &Arguments<'_>, name: &str) -> Result<Mask, CommandError> {
    Ok(Mask::Materials(args.materials.with_grown_states(args.built_in(name)?.material())))
}

fn green(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let region = weathered(console, args)?;
    let ground = args.matter(&[Matter::Solid, Matter::Liquid]);
    let dirt = args.built_in("dirt")?.material();
    let grass = args.built_in("grass")?;
    Ok(args.change(console, move |edit| {
        operations::green(edit, &region.make()?, &ground, dirt, grass)
    }))
}

fn snow(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let region = weathered(console, args)?;
    let ground = args.matter(&[Matter::Solid]).and(Mask::Full);
    let layer = Voxel::new(args.built_in("snow")?.material(), SNOW);
    let water = args.built_in("water")?.material();
    let ice = args.built_in("ice")?.material();
    Ok(args.change(console, move |edit| {
        operations::snow(edit, &region.make()?, &ground, layer, water, ice)
    }))
}

fn thaw(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let region = weathered(console, args)?;
    let snow = material(args, "snow")?.and(Mask::inverse(Mask::Full));
    let ice = material(args, "ice")?;
    let water = args.built_in("water")?.material();
    Ok(args.change(console, move |edit| operations::thaw(edit, &region.make()?, &snow, ice, water)))
}
