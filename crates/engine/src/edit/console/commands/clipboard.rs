//! Commands that copy, paste, transform, stack and move voxels.

use crate::edit::Mask;
use crate::edit::clipboard::{Clipboard, Transform};
use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{
    CommandRow, Flag, Kind, Parameter, TaskResult, flag, mask_flag, optional, required,
};
use crate::edit::console::error::CommandError;
use crate::edit::console::job::{ConsoleChange, ConsoleTask, JobResult};
use crate::edit::console::state::Console;
use crate::edit::operations::PasteOptions;
use crate::edit::selection::{Selection, SelectionError};
use crate::metrics::counted;
use crate::voxel::{Box3, WORLD_LIMIT};
use glam::{DVec3, IVec3};

const COUNT: Parameter = optional("COUNT", Kind::Number(1, 10_000));
const DISTANCE: Parameter = optional("DISTANCE", Kind::Number(0, WORLD_LIMIT));
const DIRECTION: Parameter = optional("DIRECTION", Kind::Direction);
const LEFT: Parameter = optional("PATTERN", Kind::Pattern);
const ANGLE: Kind = Kind::Number(-3600, 3600);
const COPIED: [Flag; 1] = [mask_flag("only these voxels")];
const PASTED: [Flag; 4] = [
    flag('a', "without air"),
    flag('o', "where it was copied"),
    flag('s', "selects what was pasted"),
    mask_flag("only over these voxels"),
];
const MOVED: [Flag; 3] = [
    flag('a', "without air"),
    flag('s', "the selection moves along"),
    mask_flag("only these voxels"),
];

pub(in crate::edit::console) const COMMANDS: &[CommandRow] = &[
    CommandRow {
        names: &["copy"],
        parameters: &[],
        flags: &COPIED,
        help: "Copies the selection, as seen from the player's place.",
        example: "//copy",
        run: copy,
    },
    CommandRow {
        names: &["cut"],
        parameters: &[LEFT],
        flags: &COPIED,
        help: "Copies the selection and fills it; with air without a pattern.",
        example: "//cut lamp",
        run: cut,
    },
    CommandRow {
        names: &["paste"],
        parameters: &[],
        flags: &PASTED,
        help: "Pastes what was copied, as seen from the player's place.",
        example: "//paste",
        run: paste,
    },
    CommandRow {
        names: &["rotate"],
        parameters: &[required("Y", ANGLE), optional("X", ANGLE), optional("Z", ANGLE)],
        flags: &[],
        help: "Turns what was copied, by degrees about each axis; clockwise seen from above.",
        example: "//rotate 90 0 0",
        run: rotate,
    },
    CommandRow {
        names: &["flip"],
        parameters: &[DIRECTION],
        flags: &[],
        help: "Mirrors what was copied.",
        example: "//flip up",
        run: |console, args| {
            let face = args.direction(console, console.forward())?;
            transform(console, args, Transform::flip(face))
        },
    },
    CommandRow {
        names: &["scale"],
        parameters: &[required("FACTORS", Kind::Radii)],
        flags: &[],
        help: "Scales what was copied.",
        example: "//scale 2",
        run: scale,
    },
    CommandRow {
        names: &["clearclipboard"],
        parameters: &[],
        flags: &[],
        help: "Forgets what was copied.",
        example: "//clearclipboard",
        run: |console, _| {
            console.clear_clipboard();
            Ok(ConsoleTask::Answer("the clipboard is empty".to_owned()))
        },
    },
    CommandRow {
        names: &["stack"],
        parameters: &[COUNT, DIRECTION],
        flags: &MOVED,
        help: "Repeats the selection.",
        example: "//stack 1 down",
        run: stack,
    },
    CommandRow {
        names: &["move"],
        parameters: &[DISTANCE, DIRECTION, LEFT],
        flags: &MOVED,
        help: "Moves the voxels of the selection, and fills their places; with air without a pattern.",
        example: "//move 9 down lamp",
        run: move_voxels,
    },
];

fn copy(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let region = console.region()?;
    let mask = args.flag_mask(console)?;
    let origin = console.placement;
    Ok(args.console_job(console, true, move |edit| {
        let clipboard = edit.copy(&region.make()?, &mask, origin)?;
        Ok(JobResult {
            voxels: clipboard.volume(),
            answer: format!("{} copied", counted(clipboard.volume(), "voxel")),
            change: Some(ConsoleChange::Copied(clipboard, origin)),
        })
    }))
}

fn cut(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let region = console.region()?;
    let mask = args.flag_mask(console)?;
    let origin = console.placement;
    let left = args.pattern(console)?;
    Ok(args.console_job(console, true, move |edit| {
        let (clipboard, voxels) = edit.cut(&region.make()?, &mask, origin, &left)?;
        Ok(JobResult {
            change: Some(ConsoleChange::Copied(clipboard, origin)),
            ..JobResult::changed(voxels)
        })
    }))
}

fn copied(console: &Console) -> Result<Clipboard, CommandError> {
    console.clipboard().cloned().ok_or(CommandError::EmptyClipboard)
}

fn options(console: &Console, args: &Arguments<'_>) -> Result<PasteOptions, CommandError> {
    Ok(PasteOptions { with_air: !args.has_flag('a'), mask: args.flag_mask(console)? })
}

fn paste(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let clipboard = copied(console)?;
    let options = options(console, args)?;
    let target = if args.has_flag('o') { console.copied_at() } else { console.placement };
    let Box3 { min, max } = clipboard.bounds();
    // The clipboard's bounds are relative to its origin.
    let pasted = Box3 { min: min.saturating_add(target), max: max.saturating_add(target) };
    let selects = args.has_flag('s') && !pasted.is_empty();
    Ok(args.console_job(console, selects, move |edit| {
        let voxels = edit.paste(&clipboard, target, &options)?;
        let change = selects.then(|| ConsoleChange::Selection(Selection::from(pasted)));
        Ok(JobResult { change, ..JobResult::changed(voxels) })
    }))
}

/// A job that transforms the clipboard.
fn transform(console: &Console, args: &Arguments<'_>, transform: Transform) -> TaskResult {
    let clipboard = copied(console)?;
    args.need(clipboard.missing_when_transformed(&transform, args.materials))?;
    let materials = args.materials.clone();
    Ok(args.console_job(console, true, move |edit| {
        let clipboard = clipboard.transformed(&transform, Some(&materials), edit.progress())?;
        let IVec3 { x, y, z } = clipboard.size();
        Ok(JobResult {
            voxels: 0,
            answer: format!("the clipboard has {x} x {y} x {z} voxels"),
            change: Some(ConsoleChange::Transformed(clipboard)),
        })
    }))
}

fn rotate(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let mut whole = Transform::IDENTITY;
    // As in WorldEdit: about z first, about y last, and clockwise.
    for (name, axis) in [("Z", DVec3::Z), ("X", DVec3::X), ("Y", DVec3::Y)] {
        let degrees = -f64::from(args.number(name, 0)?);
        whole = whole.then(Transform::turn(axis, degrees)?);
    }
    transform(console, args, whole)
}

fn scale(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    transform(console, args, Transform::scale(args.factors()?)?)
}

fn stack(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let region = console.region()?;
    let direction = args.direction(console, console.forward())?.normal();
    let times = args.number("COUNT", 1)?;
    let by = direction * console.selection().bounds()?.size();
    // The mask of `-m` decides which voxels are copied, not which are replaced.
    let mask = args.flag_mask(console)?;
    let options = PasteOptions { mask: Mask::Any, ..options(console, args)? };
    let moved = moved_selection(console, args, by.checked_mul(IVec3::splat(times)))?;
    Ok(args.console_job(console, moved.is_some(), move |edit| {
        let voxels = edit.stack(&region.make()?, &mask, by, times.unsigned_abs(), &options)?;
        Ok(JobResult { change: moved, ..JobResult::changed(voxels) })
    }))
}

fn move_voxels(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let region = console.region()?;
    let direction = args.direction(console, console.forward())?.normal();
    let by = direction * args.number("DISTANCE", 1)?;
    let left = args.pattern(console)?;
    let mask = args.flag_mask(console)?;
    let options = PasteOptions { mask: Mask::Any, ..options(console, args)? };
    let moved = moved_selection(console, args, Some(by))?;
    Ok(args.console_job(console, moved.is_some(), move |edit| {
        let voxels = edit.move_region(&region.make()?, &mask, by, &left, &options)?;
        Ok(JobResult { change: moved, ..JobResult::changed(voxels) })
    }))
}

/// Selection moved by `by` if flag `-s` was given, else `None`. `by` is `None` if the move leads
/// out of the world.
fn moved_selection(
    console: &Console,
    args: &Arguments<'_>,
    by: Option<IVec3>,
) -> Result<Option<ConsoleChange>, CommandError> {
    if !args.has_flag('s') {
        return Ok(None);
    }
    let mut selection = console.selection().clone();
    selection.shift(by.ok_or(SelectionError::OutsideWorld)?)?;
    Ok(Some(ConsoleChange::Selection(selection)))
}
