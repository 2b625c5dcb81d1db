//! Commands that select.

use crate::edit::Mask;
use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{Entry, Kind, Parameter, flag, optional, required};
use crate::edit::console::error::CommandError;
use crate::edit::console::job::{ConsoleChange, ConsoleTask, JobResult};
use crate::edit::console::state::Console;
use crate::edit::region::Region;
use crate::edit::selection::Selection;
use crate::voxel::{Box3, CHUNK_SIDE, WORLD_LIMIT};
use glam::{IVec2, IVec3};

const KINDS: [&str; 7] = ["cuboid", "extend", "poly", "ellipsoid", "sphere", "cyl", "path"];
const PLACE: Parameter = optional("X,Y,Z", Kind::Position);
const AMOUNT: Parameter = required("AMOUNT", Kind::Number(0, WORLD_LIMIT));
const REVERSE: Parameter = optional("REVERSE", Kind::Number(0, WORLD_LIMIT));
const DIRECTIONS: Parameter = optional("DIRECTIONS", Kind::Directions);
const STEPS: Parameter = optional("STEPS", Kind::Number(1, 100));
const SIDES: [crate::edit::console::entry::Flag; 2] = [flag('h', "only the four sides"), flag('v', "only up and down")];

type Answer = Result<ConsoleTask, CommandError>;

pub(in crate::edit::console) const COMMANDS: [Entry; 15] = [
    Entry {
        names: &["pos1", "1"],
        parameters: &[PLACE],
        flags: &[],
        help: "Sets the first point, at the player without a place.",
        run: |console, args| point(console, args, 0),
    },
    Entry {
        names: &["pos2", "2"],
        parameters: &[PLACE],
        flags: &[],
        help: "Sets the second or a further point.",
        run: |console, args| point(console, args, 1),
    },
    Entry {
        names: &["hpos1"],
        parameters: &[],
        flags: &[],
        help: "Sets the first point at the block in sight.",
        run: |console, _| target(console, 0),
    },
    Entry {
        names: &["hpos2"],
        parameters: &[],
        flags: &[],
        help: "Sets the second or a further point at the block in sight.",
        run: |console, _| target(console, 1),
    },
    Entry {
        names: &["sel", "select"],
        parameters: &[optional("KIND", Kind::Choice(&KINDS))],
        flags: &[],
        help: "Chooses the kind of selection; without one, forgets the points.",
        run: kind,
    },
    Entry {
        names: &["desel", "deselect"],
        parameters: &[],
        flags: &[],
        help: "Forgets the selection.",
        run: |console, _| {
            console.selection_mut().clear();
            answer("nothing is selected")
        },
    },
    Entry {
        names: &["undosel"],
        parameters: &[STEPS],
        flags: &[],
        help: "Selects again what was selected before.",
        run: |console, args| step(console, args, Console::undo_selection, "there is no earlier selection"),
    },
    Entry {
        names: &["redosel"],
        parameters: &[STEPS],
        flags: &[],
        help: "Selects again what //undosel has taken back.",
        run: |console, args| step(console, args, Console::redo_selection, "there is no later selection"),
    },
    Entry {
        names: &["chunk"],
        parameters: &[PLACE],
        flags: &[flag('s', "all chunks of the selection")],
        help: "Selects a chunk.",
        run: chunk,
    },
    Entry {
        names: &["expand"],
        parameters: &[AMOUNT, REVERSE, DIRECTIONS],
        flags: &[],
        help: "Moves sides of the selection outwards, and opposite ones by REVERSE.",
        run: |console, args| resize(console, args, 1),
    },
    Entry {
        names: &["contract"],
        parameters: &[AMOUNT, REVERSE, DIRECTIONS],
        flags: &[],
        help: "Moves sides of the selection inwards: those opposite of DIRECTIONS, and by REVERSE those in DIRECTIONS.",
        run: |console, args| resize(console, args, -1),
    },
    Entry {
        names: &["shift"],
        parameters: &[AMOUNT, DIRECTIONS],
        flags: &[],
        help: "Moves the selection, not its voxels.",
        run: shift,
    },
    Entry {
        names: &["outset"],
        parameters: &[AMOUNT],
        flags: &SIDES,
        help: "Moves all sides of the selection outwards.",
        run: |console, args| outset(console, args, 1),
    },
    Entry {
        names: &["inset"],
        parameters: &[AMOUNT],
        flags: &SIDES,
        help: "Moves all sides of the selection inwards.",
        run: |console, args| outset(console, args, -1),
    },
    Entry {
        names: &["trim"],
        parameters: &[optional("MASK", Kind::Mask)],
        flags: &[],
        help: "Shrinks the selection to the box around what a mask accepts; around everything but air without one.",
        run: trim,
    },
];

/// Nothing but an answer.
pub(super) fn answer(text: &str) -> Answer {
    Ok(ConsoleTask::Answer(text.to_owned()))
}

/// The answer with how large the selection is, if it is complete.
fn described(console: &Console, text: &str) -> Answer {
    let size = console.selection().description().map(|size| format!(": {size}")).unwrap_or_default();
    answer(&format!("{text}{size}"))
}

fn point(console: &mut Console, args: &Arguments<'_>, number: usize) -> Answer {
    let at = args.position()?.unwrap_or(console.placement);
    set_point(console, at, number)
}

fn target(console: &mut Console, number: usize) -> Answer {
    let at = console.target.ok_or(CommandError::NoTarget)?;
    set_point(console, at, number)
}

fn set_point(console: &mut Console, at: IVec3, number: usize) -> Answer {
    let selection = console.selection_mut();
    if number == 0 {
        selection.set_first(at)
    } else {
        selection.set_second(at)
    }
    let name = if matches!(selection, Selection::Cuboid { .. }) { "corner" } else { "point" };
    let IVec3 { x, y, z } = at;
    described(console, &format!("{name} {} is {x}, {y}, {z}", number + 1))
}

fn kind(console: &mut Console, args: &Arguments<'_>) -> Answer {
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
        "poly" => {
            (Selection::Polygon { corners: Vec::new(), layers: [0; 2] }, "//pos1 begins a polygon, //pos2 adds corners")
        }
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
        "path" => (Selection::Path { points: Vec::new() }, "//pos1 begins a path, //pos2 adds points"),
        "extend" => (Selection::Cuboid { corners, is_extended: true }, "//pos1 begins a box, //pos2 grows it"),
        _ => (Selection::Cuboid { corners, is_extended: false }, "//pos1 and //pos2 set two corners"),
    };
    console.set_selection(selection);
    answer(&format!("{kind}: {how}"))
}

fn step(console: &mut Console, args: &Arguments<'_>, one: fn(&mut Console) -> bool, none: &str) -> Answer {
    let steps = args.number("STEPS", 1)?;
    if (0..steps).take_while(|_| one(console)).count() == 0 {
        return answer(none);
    }
    match console.selection().description() {
        Ok(size) => answer(&format!("selected: {size}")),
        Err(_) => answer("nothing is selected"),
    }
}

fn chunk(console: &mut Console, args: &Arguments<'_>) -> Answer {
    let area = if args.has_flag('s') {
        args.refuse("X,Y,Z", "with -s, which selects all chunks of the selection")?;
        console.selection().bounds()?
    } else {
        let at = args.position()?.unwrap_or(console.placement);
        Box3::spanning(at, at)
    };
    let chunks = area.in_chunks();
    console.set_selection(Selection::from(Box3 { min: chunks.min * CHUNK_SIDE, max: chunks.max * CHUNK_SIDE }));
    described(console, "selected")
}

/// Amounts at the lower and the upper sides, for each direction.
fn sides(directions: &[crate::voxel::Face], amount: i32) -> [IVec3; 2] {
    let normals = directions.iter().map(|face| face.normal() * amount);
    normals.fold([IVec3::ZERO; 2], |[low, high], side| [low + (-side).max(IVec3::ZERO), high + side.max(IVec3::ZERO)])
}

fn resize(console: &mut Console, args: &Arguments<'_>, sign: i32) -> Answer {
    let directions = args.directions(console)?;
    let [ahead, behind] = [args.number("AMOUNT", 0)?, args.number("REVERSE", 0)?];
    // A selection contracts in a direction by its opposite sides.
    let [ahead, behind] = if sign > 0 { [ahead, behind] } else { [behind, ahead] };
    let [low, high] = sides(&directions, ahead);
    let opposite: Vec<_> = directions.iter().map(|face| face.opposite()).collect();
    let [low_behind, high_behind] = sides(&opposite, behind);
    let [low, high] = [low.saturating_add(low_behind) * sign, high.saturating_add(high_behind) * sign];
    console.selection_mut().resize(low, high)?;
    described(console, "selected")
}

fn shift(console: &mut Console, args: &Arguments<'_>) -> Answer {
    let amount = args.number("AMOUNT", 0)?;
    let directions = args.directions(console)?;
    let by: IVec3 = directions.iter().map(|face| face.normal() * amount).sum();
    if let Some(text) = args.text("DIRECTIONS").filter(|_| amount > 0 && by == IVec3::ZERO) {
        return Err(CommandError::Opposites(text.to_owned()));
    }
    console.selection_mut().shift(by)?;
    described(console, "selected")
}

fn outset(console: &mut Console, args: &Arguments<'_>, sign: i32) -> Answer {
    let amount = args.number("AMOUNT", 0)? * sign;
    let (level, upright) = (!args.has_flag('v'), !args.has_flag('h'));
    if !level && !upright {
        let beside = "with -v: together they leave no side to move";
        return Err(CommandError::NoEffect { argument: "-h".to_owned(), beside: beside.to_owned() });
    }
    let by = IVec3::new(i32::from(level), i32::from(upright), i32::from(level)) * amount;
    console.selection_mut().resize(by, by)?;
    described(console, "selected")
}

fn trim(console: &mut Console, args: &Arguments<'_>) -> Answer {
    let (region, mask) = (console.region()?, args.mask(console)?.unwrap_or_else(Mask::existing));
    Ok(args.console_job(console, true, move |edit| {
        let found = Region::by_mask(edit, &region.make()?, &mask, edit.progress())?;
        let Some(bounds) = found.bounds() else {
            return Ok(JobResult { voxels: 0, answer: "there is nothing to select".to_owned(), change: None });
        };
        let IVec3 { x, y, z } = bounds.size();
        Ok(JobResult {
            voxels: bounds.volume(),
            answer: format!("selected: {x} x {y} x {z} voxels"),
            change: Some(ConsoleChange::Selection(Selection::from(bounds))),
        })
    }))
}
