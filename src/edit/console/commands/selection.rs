//! Commands that select.

use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{Entry, Kind, Parameter, flag, optional, required};
use crate::edit::console::error::CommandError;
use crate::edit::console::job::{ConsoleTask, JobResult};
use crate::edit::console::state::Console;
use crate::edit::selection::Selection;
use crate::edit::{Mask, VoxelEdit};
use crate::metrics::thousands;
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos, WORLD_LIMIT};
use glam::{IVec2, IVec3};
use std::fmt::Write as _;

const KINDS: [&str; 6] = ["cuboid", "extend", "poly", "ellipsoid", "sphere", "cyl"];
const PLACE: Parameter = optional("X,Y,Z", Kind::Position);
const AMOUNT: Parameter = required("AMOUNT", Kind::Number(0, WORLD_LIMIT));
const REVERSE: Parameter = optional("REVERSE", Kind::Number(0, WORLD_LIMIT));
const DIRECTIONS: Parameter = optional("DIRECTIONS", Kind::Directions);
const SIDES: [crate::edit::console::entry::Flag; 2] = [flag('h', "only the four sides"), flag('v', "only up and down")];

type Answer = Result<ConsoleTask, CommandError>;

pub(in crate::edit::console) const COMMANDS: [Entry; 14] = [
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
        names: &["size"],
        parameters: &[],
        flags: &[],
        help: "Says how large the selection is.",
        run: |console, _| answer(&console.selection().description()?),
    },
    Entry {
        names: &["distr"],
        parameters: &[],
        flags: &[flag('c', "the player's chunk")],
        help: "Counts the materials of the selection.",
        run: distribution,
    },
];

fn answer(text: &str) -> Answer {
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
        "extend" => (Selection::Cuboid { corners, is_extended: true }, "//pos1 begins a box, //pos2 grows it"),
        _ => (Selection::Cuboid { corners, is_extended: false }, "//pos1 and //pos2 set two corners"),
    };
    console.set_selection(selection);
    answer(&format!("{kind}: {how}"))
}

fn chunk(console: &mut Console, args: &Arguments<'_>) -> Answer {
    let area = match (args.has_flag('s'), args.position()?) {
        (true, _) => console.selection().bounds()?,
        (false, at) => {
            let at = at.unwrap_or(console.placement);
            Box3::spanning(at, at)
        }
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
    let by = args.directions(console)?.iter().map(|face| face.normal() * amount).sum();
    console.selection_mut().shift(by)?;
    described(console, "selected")
}

fn outset(console: &mut Console, args: &Arguments<'_>, sign: i32) -> Answer {
    let amount = args.number("AMOUNT", 0)? * sign;
    let (level, upright) = (!args.has_flag('v'), !args.has_flag('h'));
    let by = IVec3::new(i32::from(level), i32::from(upright), i32::from(level)) * amount;
    console.selection_mut().resize(by, by)?;
    described(console, "selected")
}

fn distribution(console: &mut Console, args: &Arguments<'_>) -> Answer {
    let region = match args.has_flag('c') {
        true => crate::edit::region::Region::from_shape(&ChunkPos::containing(console.placement).bounds()),
        false => console.region()?,
    };
    let names: Vec<String> = args.materials.iter().map(|(_, material)| material.name.clone()).collect();
    let work = move |edit: &mut VoxelEdit<'_>| {
        let counts = edit.distribution(&region, &Mask::Any)?;
        let total: u64 = counts.iter().map(|(_, count)| count).sum();
        let mut answer = format!("{} voxels", thousands(total));
        for (material, count) in counts {
            let name = names.get(usize::from(material)).map_or("unknown", String::as_str);
            let share = 100.0 * count as f64 / total.max(1) as f64;
            // Writing to a string cannot fail.
            let _ = write!(answer, "\n{share:8.3}% {:>13} {name}", thousands(count));
        }
        Ok(JobResult { voxels: total, answer, change: None })
    };
    Ok(args.job(console, work))
}
