//! Commands that change the selection.

use crate::edit::Mask;
use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{
    CommandRow, Flag, Kind, Parameter, TaskResult, flag, optional, required,
};
use crate::edit::console::error::CommandError;
use crate::edit::console::job::{ConsoleChange, ConsoleTask, JobResult};
use crate::edit::console::state::Console;
use crate::edit::region::Region;
use crate::edit::selection::Selection;
use crate::voxel::{Box3, CHUNK_SIDE, Face, WORLD_LIMIT};
use glam::{IVec2, IVec3};

const KINDS: [&str; 7] = ["cuboid", "extend", "poly", "ellipsoid", "sphere", "cyl", "path"];
const PLACE: Parameter = optional("X,Y,Z", Kind::Position);
const AMOUNT: Parameter = required("AMOUNT", Kind::Number(0, WORLD_LIMIT));
const REVERSE: Parameter = optional("REVERSE", Kind::Number(0, WORLD_LIMIT));
const DIRECTIONS: Parameter = optional("DIRECTIONS", Kind::Directions);
const STEPS: Parameter = optional("STEPS", Kind::Number(1, 100));
const SIDES: [Flag; 2] = [flag('h', "only the four sides"), flag('v', "only up and down")];

pub(in crate::edit::console) const COMMANDS: &[CommandRow] = &[
    CommandRow {
        names: &["pos1", "1"],
        parameters: &[PLACE],
        flags: &[],
        help: "Sets the first point, at the player without a place.",
        example: "//pos1 1,2,3",
        run: |console, args| point(console, args, 0),
    },
    CommandRow {
        names: &["pos2", "2"],
        parameters: &[PLACE],
        flags: &[],
        help: "Sets the second or a further point.",
        example: "//pos2 1,2,3",
        run: |console, args| point(console, args, 1),
    },
    CommandRow {
        names: &["hpos1"],
        parameters: &[],
        flags: &[],
        help: "Sets the first point at the block in sight.",
        example: "//hpos1",
        run: |console, _| target(console, 0),
    },
    CommandRow {
        names: &["hpos2"],
        parameters: &[],
        flags: &[],
        help: "Sets the second or a further point at the block in sight.",
        example: "//hpos2",
        run: |console, _| target(console, 1),
    },
    CommandRow {
        names: &["sel", "select"],
        parameters: &[optional("KIND", Kind::Choice(&KINDS))],
        flags: &[],
        help: "Chooses the kind of selection; without one, forgets the points.",
        example: "//sel cuboid",
        run: kind,
    },
    CommandRow {
        names: &["desel", "deselect"],
        parameters: &[],
        flags: &[],
        help: "Forgets the selection.",
        example: "//desel",
        run: |console, _| {
            console.selection_mut().clear();
            answer("nothing is selected")
        },
    },
    CommandRow {
        names: &["undosel"],
        parameters: &[STEPS],
        flags: &[],
        help: "Selects again what was selected before.",
        example: "//undosel 1",
        run: |console, args| {
            step(console, args, Console::undo_selection, "there is no earlier selection")
        },
    },
    CommandRow {
        names: &["redosel"],
        parameters: &[STEPS],
        flags: &[],
        help: "Selects again what //undosel has taken back.",
        example: "//redosel 1",
        run: |console, args| {
            step(console, args, Console::redo_selection, "there is no later selection")
        },
    },
    CommandRow {
        names: &["chunk"],
        parameters: &[PLACE],
        flags: &[flag('s', "all chunks of the selection")],
        help: "Selects a chunk.",
        example: "//chunk 1,2,3",
        run: chunk,
    },
    CommandRow {
        names: &["expand"],
        parameters: &[AMOUNT, REVERSE, DIRECTIONS],
        flags: &[],
        help: "Moves sides of the selection outwards, and opposite ones by REVERSE.",
        example: "//expand 3 2 up",
        run: |console, args| resize(console, args, 1),
    },
    CommandRow {
        names: &["contract"],
        parameters: &[AMOUNT, REVERSE, DIRECTIONS],
        flags: &[],
        help: "Moves sides of the selection inwards: those opposite of DIRECTIONS, and by REVERSE those in DIRECTIONS.",
        example: "//contract 3 2 up",
        run: |console, args| resize(console, args, -1),
    },
    CommandRow {
        names: &["shift"],
        parameters: &[AMOUNT, DIRECTIONS],
        flags: &[],
        help: "Moves the selection, not its voxels.",
        example: "//shift 3 up",
        run: shift,
    },
    CommandRow {
        names: &["outset"],
        parameters: &[AMOUNT],
        flags: &SIDES,
        help: "Moves all sides of the selection outwards.",
        example: "//outset 3",
        run: |console, args| outset(console, args, 1),
    },
    CommandRow {
        names: &["inset"],
        parameters: &[AMOUNT],
        flags: &SIDES,
        help: "Moves all sides of the selection inwards.",
        example: "//inset 1",
        run: |console, args| outset(console, args, -1),
    },
    CommandRow {
        names: &["trim"],
        parameters: &[optional("MASK", Kind::Mask)],
        flags: &[],
        help: "Shrinks the selection to the box around what a mask accepts; around everything but air without one.",
        example: "//trim stone",
        run: trim,
    },
];

/// Task that consists of an answer alone.
pub(super) fn answer(text: &str) -> TaskResult {
    Ok(ConsoleTask::Answer(text.to_owned()))
}

/// Answer that ends with the size of the selection, if all its points are set.
fn described(console: &Console, text: &str) -> TaskResult {
    let size =
        console.selection().description().map(|size| format!(": {size}")).unwrap_or_default();
    answer(&format!("{text}{size}"))
}

fn point(console: &mut Console, args: &Arguments<'_>, number: usize) -> TaskResult {
    let at = args.position()?.unwrap_or(console.placement);
    set_point(console, at, number)
}

fn target(console: &mut Console, number: usize) -> TaskResult {
    let at = console.target.ok_or(CommandError::NoTarget)?;
    set_point(console, at, number)
}

fn set_point(console: &mut Console, at: IVec3, number: usize) -> TaskResult {
    let selection = console.selection_mut();
    if number == 0 {
        selection.set_first(at)
    } else {
        selection.set_second(at)
    }
    let (name, number) = match selection {
        Selection::Cuboid { .. } => ("corner", number + 1),
        Selection::Path { points } => ("point", points.len()),
        Selection::Polygon { corners, .. } => ("point", corners.len()),
        _ => ("point", number + 1),
    };
    let IVec3 { x, y, z } = at;
    described(console, &format!("{name} {number} is {x}, {y}, {z}"))
}

fn kind(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let Some(kind) = args.text("KIND") else {
        console.selection_mut().clear();
        return answer("nothing is selected");
    };
    let corners = match console.selection() {
        Selection::Cuboid { corners, .. } => *corners,
        _ => [None; 2],
    };
    let radii = IVec3::ZERO;
    let (selection, how) = match kind {
        "poly" => (
            Selection::Polygon { corners: Vec::new(), layers: [0; 2] },
            "//pos1 begins a polygon, //pos2 adds corners",
        ),
        "ellipsoid" => (
            Selection::Ellipsoid { centre: None, radii, is_sphere: false },
            "//pos1 sets the centre, //pos2 a voxel to reach to",
        ),
        "sphere" => (
            Selection::Ellipsoid { centre: None, radii, is_sphere: true },
            "//pos1 sets the centre, //pos2 a voxel on the surface",
        ),
        "cyl" => (
            Selection::Cylinder { centre: None, radii: IVec2::ZERO, layers: [0; 2] },
            "//pos1 sets the centre, //pos2 a voxel to reach to",
        ),
        "path" => {
            (Selection::Path { points: Vec::new() }, "//pos1 begins a path, //pos2 adds points")
        }
        "extend" => (
            Selection::Cuboid { corners, is_extended: true },
            "//pos1 begins a box, //pos2 grows it",
        ),
        _ => {
            (Selection::Cuboid { corners, is_extended: false }, "//pos1 and //pos2 set two corners")
        }
    };
    console.set_selection(selection);
    answer(&format!("{kind}: {how}"))
}

fn step(
    console: &mut Console,
    args: &Arguments<'_>,
    one: fn(&mut Console) -> bool,
    none: &str,
) -> TaskResult {
    let steps = args.number("STEPS", 1)?;
    if (0..steps).take_while(|_| one(console)).count() == 0 {
        return answer(none);
    }
    match console.selection().description() {
        Ok(size) => answer(&format!("selected: {size}")),
        Err(_) => answer("nothing is selected"),
    }
}

fn chunk(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let area = if args.has_flag('s') {
        args.refuse("X,Y,Z", "with -s, which selects all chunks of the selection")?;
        console.selection().bounds()?
    } else {
        let at = args.position()?.unwrap_or(console.placement);
        Box3::spanning(at, at)
    };
    let chunks = area.in_chunks();
    console.set_selection(Selection::from(Box3 {
        min: chunks.min * CHUNK_SIDE,
        max: chunks.max * CHUNK_SIDE,
    }));
    described(console, "selected")
}

/// Outward movements of the lower and the upper sides that face in `directions`.
fn sides(directions: &[Face], amount: i32) -> [IVec3; 2] {
    let mut low = IVec3::ZERO;
    let mut high = IVec3::ZERO;
    for face in directions {
        let side = face.normal() * amount;
        low += (-side).max(IVec3::ZERO);
        high += side.max(IVec3::ZERO);
    }
    [low, high]
}

fn resize(console: &mut Console, args: &Arguments<'_>, sign: i32) -> TaskResult {
    let directions = args.directions(console)?;
    let [ahead, behind] = [args.number("AMOUNT", 0)?, args.number("REVERSE", 0)?];
    // Contracting in a direction moves the opposite side.
    let [ahead, behind] = if sign > 0 { [ahead, behind] } else { [behind, ahead] };
    let [low, high] = sides(&directions, ahead);
    let opposite: Vec<_> = directions.iter().map(|face| face.opposite()).collect();
    let [low_behind, high_behind] = sides(&opposite, behind);
    let [low, high] =
        [low.saturating_add(low_behind) * sign, high.saturating_add(high_behind) * sign];
    console.selection_mut().resize(low, high)?;
    described(console, "selected")
}

fn shift(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let amount = args.number("AMOUNT", 0)?;
    let directions = args.directions(console)?;
    let by: IVec3 = directions.iter().map(|face| face.normal() * amount).sum();
    if let Some(text) = args.text("DIRECTIONS").filter(|_| amount > 0 && by == IVec3::ZERO) {
        return Err(CommandError::Opposites(text.to_owned()));
    }
    console.selection_mut().shift(by)?;
    described(console, "selected")
}

fn outset(console: &mut Console, args: &Arguments<'_>, sign: i32) -> TaskResult {
    let amount = args.number("AMOUNT", 0)? * sign;
    let level = !args.has_flag('v');
    let upright = !args.has_flag('h');
    if !level && !upright {
        let other = "with -v: together they leave no side to move";
        return Err(CommandError::NoEffect { argument: "-h".to_owned(), other: other.to_owned() });
    }
    let by = IVec3::new(i32::from(level), i32::from(upright), i32::from(level)) * amount;
    console.selection_mut().resize(by, by)?;
    described(console, "selected")
}

fn trim(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let region = console.region()?;
    let mask = args.mask(console)?.unwrap_or_else(Mask::existing);
    Ok(args.console_job(console, true, move |edit| {
        let found = Region::by_mask(edit, &region.make()?, &mask, edit.progress())?;
        let Some(bounds) = found.bounds() else {
            return Ok(JobResult {
                voxels: 0,
                answer: "there is nothing to select".to_owned(),
                change: None,
            });
        };
        let IVec3 { x, y, z } = bounds.size();
        Ok(JobResult {
            voxels: bounds.volume(),
            answer: format!("selected: {x} x {y} x {z} voxels"),
            change: Some(ConsoleChange::Selection(Selection::from(bounds))),
        })
    }))
}
