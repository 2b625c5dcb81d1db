//! Commands that draw lines and curves through the points of the selection.

use super::region::{PATTERN, fill};
use crate::edit::Mask;
use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{CommandRow, Flag, Kind, Parameter, TaskResult, flag, optional};
use crate::edit::console::state::Console;
use crate::edit::region::{Bend, Region, RegionError, RegionPlan};
use glam::IVec3;

const THICKNESS: Parameter = optional("THICKNESS", Kind::Number(0, 256));
const HOLLOW: [Flag; 1] = [flag('h', "only the outer voxels")];

pub(in crate::edit::console) const COMMANDS: &[CommandRow] = &[
    CommandRow {
        names: &["line"],
        parameters: &[PATTERN, THICKNESS],
        flags: &HOLLOW,
        help: "Draws straight lines from point to point; THICKNESS is the radius around them.",
        example: "//line lamp 2",
        run: |console, args| draw(console, args, Region::polyline),
    },
    CommandRow {
        names: &["curve"],
        parameters: &[PATTERN, THICKNESS],
        flags: &HOLLOW,
        help: "Draws a smooth curve through the points; THICKNESS is the radius around it.",
        example: "//curve lamp 2",
        run: |console, args| {
            draw(console, args, |points, radius| Region::curve(points, Bend::default(), radius))
        },
    },
];

fn draw(
    console: &Console,
    args: &Arguments<'_>,
    stroke: impl FnOnce(&[IVec3], f64) -> Result<Region, RegionError> + Send + 'static,
) -> TaskResult {
    let points = console.selection().points()?;
    let radius = args.number("THICKNESS", 0)?.into();
    Region::check_polyline(&points, radius)?;
    let drawn = RegionPlan::new(move || stroke(&points, radius));
    let drawn = if args.has_flag('h') { drawn.then(|drawn| Ok(drawn.boundary())) } else { drawn };
    fill(console, args, drawn, Mask::Any)
}
