//! Commands that change the selected voxels.

use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{
    CommandRow, Kind, Parameter, TaskResult, mask_flag, optional, required,
};
use crate::edit::console::job::{ConsoleTask, JobResult};
use crate::edit::console::state::Console;
use crate::edit::operations::{self, centre_box};
use crate::edit::region::{Region, RegionPlan};
use crate::edit::{Mask, Pattern};
use crate::voxel::{Box3, Face, Matter};
use glam::IVec3;
use std::sync::Arc;

pub(in crate::edit::console) const PATTERN: Parameter = required("PATTERN", Kind::Pattern);
const LEVEL: [Face; 4] = [Face::East, Face::West, Face::South, Face::North];

pub(in crate::edit::console) const COMMANDS: &[CommandRow] = &[
    CommandRow {
        names: &["set"],
        parameters: &[PATTERN],
        flags: &[mask_flag("only these voxels")],
        help: "Fills the selection.",
        example: "//set lamp",
        run: |console, args| fill(console, args, console.region()?, args.flag_mask(console)?),
    },
    CommandRow {
        names: &["walls"],
        parameters: &[PATTERN],
        flags: &[],
        help: "Fills the upright sides of the selection.",
        example: "//walls lamp",
        run: |console, args| shell(console, args, IVec3::new(1, 0, 1), &LEVEL),
    },
    CommandRow {
        names: &["faces", "outline"],
        parameters: &[PATTERN],
        flags: &[],
        help: "Fills all sides of the selection.",
        example: "//faces lamp",
        run: |console, args| shell(console, args, IVec3::ONE, &Face::ALL),
    },
    CommandRow {
        names: &["center", "middle"],
        parameters: &[PATTERN],
        flags: &[],
        help: "Fills the middle of the selection: one voxel, or two along an even side.",
        example: "//center lamp",
        run: |console, args| {
            let middle = centre_box(console.selection().bounds()?);
            fill(console, args, RegionPlan::from_shape(middle)?, Mask::Any)
        },
    },
    CommandRow {
        names: &["hollow"],
        parameters: &[
            optional("THICKNESS", Kind::Number(0, 1024)),
            optional("PATTERN", Kind::Pattern),
        ],
        flags: &[mask_flag("what belongs to the object; solid matter without it")],
        help: "Hollows out what is in the selection; keeps a shell of THICKNESS, 1 without it. Puts air without a pattern.",
        example: "//hollow 1 lamp",
        run: hollow,
    },
    CommandRow {
        names: &["count"],
        parameters: &[required("MASK", Kind::Mask)],
        flags: &[],
        help: "Counts voxels of the selection, and says how much they hold.",
        example: "//count stone",
        run: count,
    },
    CommandRow {
        names: &["regen"],
        parameters: &[],
        flags: &[],
        help: "Generates the terrain of the selection again.",
        example: "//regen",
        run: regenerate,
    },
];

/// Fills the voxels of a region that `mask` accepts with the command's pattern.
pub(in crate::edit::console) fn fill(
    console: &Console,
    args: &Arguments<'_>,
    region: RegionPlan,
    mask: Mask,
) -> TaskResult {
    let pattern = args.pattern(console)?;
    Ok(fill_with(console, args, region, mask, pattern))
}

/// Fills the voxels of a region that `mask` accepts with a pattern.
pub(in crate::edit::console) fn fill_with(
    console: &Console,
    args: &Arguments<'_>,
    region: RegionPlan,
    mask: Mask,
    pattern: Pattern,
) -> ConsoleTask {
    args.change(console, move |edit| edit.fill(&region.make()?, &mask, &pattern))
}

/// Fills the shell of the selection with the command's pattern: voxels with a neighbour outside the
/// selection across one of `faces`. A selected box is filled except for its interior, the box that
/// is smaller by `by` on each side.
fn shell(console: &Console, args: &Arguments<'_>, by: IVec3, faces: &[Face]) -> TaskResult {
    let selection = console.selection();
    let Some(selected) = selection.as_box()? else {
        let region = selection.plan()?;
        let faces = faces.to_vec();
        let pattern = args.pattern(console)?;
        return Ok(args.change(console, move |edit| {
            let region = Arc::new(region.make()?);
            let outside = Box::new(Mask::inverse(Mask::Region(Arc::clone(&region))));
            edit.fill(&region, &Mask::Neighbour { faces, mask: outside }, &pattern)
        }));
    };
    let whole = RegionPlan::from_shape(selected)?;
    let inner = Box3 { min: selected.min + by, max: selected.max - by };
    if inner.is_empty() {
        return fill(console, args, whole, Mask::Any);
    }
    let shell = whole.then(move |whole| Ok(whole.difference(&Region::from_shape(&inner))));
    fill(console, args, shell, Mask::Any)
}

fn hollow(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let region = console.region()?;
    let pattern = args.pattern(console)?;
    let matter =
        if args.has_flag('m') { args.flag_mask(console)? } else { args.matter(&[Matter::Solid]) };
    let thickness = args.number("THICKNESS", 1)?.unsigned_abs();
    Ok(args.change(console, move |edit| {
        operations::hollow(edit, &region.make()?, &matter, thickness, &pattern)
    }))
}

fn count(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let region = console.region()?;
    let mask = args.mask(console)?.unwrap_or(Mask::Any);
    Ok(args.job(console, move |edit| Ok(JobResult::counted(edit.content(&region.make()?, &mask)?))))
}

fn regenerate(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let region = console.region()?;
    Ok(args.change(console, move |edit| edit.regenerate(&region.make()?)))
}
