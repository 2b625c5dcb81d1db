//! Commands that build shapes at the player's position.

use super::region::{PATTERN, fill};
use crate::edit::Mask;
use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{
    CommandRow, Flag, Kind, Parameter, TaskResult, flag, optional, required,
};
use crate::edit::console::state::Console;
use crate::edit::region::{Cone, Cylinder, Ellipsoid, Metric, Pyramid, Region, RegionPlan};
use glam::IVec3;

const RADII: Parameter = required("RADII", Kind::Radii);
const FLAT_RADII: Parameter = required("RADII", Kind::FlatRadii);
const HEIGHT: Parameter = optional("HEIGHT", Kind::Number(1, 1024));
const SIZE: Parameter = required("SIZE", Kind::Number(1, 1024));
const RAISED: [Flag; 1] = [flag('r', "stands on the player's place")];

pub(in crate::edit::console) const COMMANDS: &[CommandRow] = &[
    CommandRow {
        names: &["sphere", "ellipsoid"],
        parameters: &[PATTERN, RADII],
        flags: &RAISED,
        help: "Makes a ball.",
        example: "//sphere lamp 4",
        run: |console, args| ball(console, args, false),
    },
    CommandRow {
        names: &["hsphere"],
        parameters: &[PATTERN, RADII],
        flags: &RAISED,
        help: "Makes a hollow ball.",
        example: "//hsphere lamp 4",
        run: |console, args| ball(console, args, true),
    },
    CommandRow {
        names: &["cyl"],
        parameters: &[PATTERN, FLAT_RADII, HEIGHT],
        flags: &[],
        help: "Makes an upright cylinder.",
        example: "//cyl lamp 4 5",
        run: |console, args| cylinder(console, args, false),
    },
    CommandRow {
        names: &["hcyl"],
        parameters: &[PATTERN, FLAT_RADII, HEIGHT],
        flags: &[],
        help: "Makes a hollow cylinder.",
        example: "//hcyl lamp 4 5",
        run: |console, args| cylinder(console, args, true),
    },
    CommandRow {
        names: &["cone"],
        parameters: &[PATTERN, FLAT_RADII, HEIGHT],
        flags: &[flag('h', "only a shell")],
        help: "Makes an upright cone.",
        example: "//cone lamp 5 6",
        run: cone,
    },
    CommandRow {
        names: &["pyramid"],
        parameters: &[PATTERN, SIZE],
        flags: &[],
        help: "Makes a pyramid of SIZE layers.",
        example: "//pyramid lamp 5",
        run: |console, args| pyramid(console, args, false),
    },
    CommandRow {
        names: &["hpyramid"],
        parameters: &[PATTERN, SIZE],
        flags: &[],
        help: "Makes a hollow pyramid.",
        example: "//hpyramid lamp 5",
        run: |console, args| pyramid(console, args, true),
    },
];

fn ball(console: &Console, args: &Arguments<'_>, is_hollow: bool) -> TaskResult {
    let radii = args.radii()?;
    let raised = if args.has_flag('r') { radii.y.ceil() as i32 } else { 0 };
    let centre = console.placement.saturating_add(IVec3::Y * raised);
    let whole = RegionPlan::from_shape(Ellipsoid { centre, radii })?;
    let inner = radii - 1.0;
    if !is_hollow || inner.min_element() < 0.0 {
        return fill(console, args, whole, Mask::Any);
    }
    let inner = Ellipsoid { centre, radii: inner };
    fill(
        console,
        args,
        whole.then(move |whole| Ok(whole.difference(&Region::from_shape(&inner)))),
        Mask::Any,
    )
}

fn cylinder(console: &Console, args: &Arguments<'_>, is_hollow: bool) -> TaskResult {
    let radii = args.flat_radii()?;
    let height = args.number("HEIGHT", 1)?;
    let base = console.placement;
    let whole = RegionPlan::from_shape(Cylinder { base, radii, height })?;
    if !is_hollow || radii[0].min(radii[1]) < 1.0 {
        return fill(console, args, whole, Mask::Any);
    }
    let inner = Cylinder { base, radii: radii.map(|radius| radius - 1.0), height };
    fill(
        console,
        args,
        whole.then(move |whole| Ok(whole.difference(&Region::from_shape(&inner)))),
        Mask::Any,
    )
}

fn cone(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let cone = Cone {
        base: console.placement,
        radii: args.flat_radii()?,
        height: args.number("HEIGHT", 1)?,
    };
    let whole = RegionPlan::from_shape(cone)?;
    let cone = if args.has_flag('h') {
        whole.then(|whole| whole.hollow(1, Metric::Manhattan))
    } else {
        whole
    };
    fill(console, args, cone, Mask::Any)
}

fn pyramid(console: &Console, args: &Arguments<'_>, is_hollow: bool) -> TaskResult {
    let shape = Pyramid { base: console.placement, size: args.number("SIZE", 1)?, is_hollow };
    fill(console, args, RegionPlan::from_shape(shape)?, Mask::Any)
}
