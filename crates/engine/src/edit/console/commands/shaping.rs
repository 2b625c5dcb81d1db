//! The command that shapes the ground by less than a voxel.

use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{
    CommandRow, Flag, Kind, Parameter, TaskResult, flag, mask_flag, optional, required,
};
use crate::edit::console::error::CommandError;
use crate::edit::console::job::JobResult;
use crate::edit::console::state::Console;
use crate::edit::console::words;
use crate::edit::region::RegionPlan;
use crate::edit::shaping::{
    BrushShape, FlattenSide, MAX_SHAPING_RADIUS, MAX_SMOOTHING_REACH, Shaping, ShapingArea,
    ShapingBrush, ShapingMaterials, ShapingPlane, ShapingTool, stroke_centres,
};
use crate::edit::{EditError, Pattern, VoxelEdit};
use crate::voxel::{Face, WORLD_LIMIT};
use glam::{I64Vec3, IVec3};
use std::sync::Arc;

/// Words of the tools.
const TOOLS: [&str; 14] = [
    "add", "erode", "grow", "shrink", "smooth", "flatten", "level", "slope", "sculpt", "push",
    "roughen", "paint", "weather", "melt",
];
/// Words of the brush's forms.
const FORMS: [&str; 3] = ["ball", "cube", "cylinder"];
/// Size of the features of rough ground, in voxels.
const ROUGH_SCALE: u8 = 3;
/// Falloff without `-f`, in percent, of tools that move the surface a little.
const DEFAULT_FALLOFF: i32 = 50;
/// Height of a typed level above and below 0.
const MAX_LEVEL: i32 = WORLD_LIMIT - 1;

const STRENGTH: Parameter = required("STRENGTH", Kind::Number(1, 100));
const FALLOFF: Parameter = required("FALLOFF", Kind::Number(0, 100));
const TIMES: Parameter = required("TIMES", Kind::Number(1, 1000));
const LEVEL: Parameter = required("LEVEL", Kind::Number(-MAX_LEVEL, MAX_LEVEL));
const FORM: Parameter = required("FORM", Kind::Choice(&FORMS));
const DIRECTION: Parameter = required("DIRECTION", Kind::Direction);

/// Flag with a value.
const fn with_value(letter: char, value: Parameter, help: &'static str) -> Flag {
    Flag { letter, value: Some(value), help }
}

pub(in crate::edit::console) const COMMANDS: &[CommandRow] = &[CommandRow {
    names: &["shape"],
    parameters: &[
        required("TOOL", Kind::Choice(&TOOLS)),
        optional("RADIUS", Kind::Number(0, MAX_SHAPING_RADIUS as i32)),
        optional("PATTERN", Kind::Pattern),
    ],
    flags: &[
        flag('p', "along lines through the points of the selection"),
        flag('i', "leaves liquids as they are"),
        with_value('s', STRENGTH, "percent of a voxel that the surface moves by; 100 without it"),
        with_value('f', FALLOFF, "percent of the radius in which the strength falls to 0"),
        with_value('n', TIMES, "number of passes"),
        with_value('b', FORM, "form of the brush"),
        with_value('y', LEVEL, "highest layer of level ground; flatten and level only"),
        with_value('d', DIRECTION, "direction out of the ground; flatten, sculpt and push only"),
        mask_flag("only these voxels"),
    ],
    help: "Shapes the ground by parts of voxels: in the selection, or by a brush of RADIUS at the player.",
    example: "//shape smooth 6 lamp",
    run: shape,
}];

/// Settings of a command, for its job.
struct ShapeSettings {
    tool: &'static str,
    place: ShapePlace,
    times: i32,
    /// Highest layer of level ground, as typed.
    level: Option<i32>,
    /// Layer below the player's feet.
    feet: i32,
    /// Direction out of the ground.
    normal: IVec3,
    /// Place that flattening takes its plane from.
    start: IVec3,
    seed: u64,
}

/// Voxels that a command shapes.
enum ShapePlace {
    Selection(RegionPlan),
    /// A brush at each place.
    Stroke(ShapingBrush, Vec<IVec3>),
    /// A brush swept along lines, for slopes.
    Lines(ShapingBrush, Vec<IVec3>),
}

fn shape(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let word = args.text("TOOL").unwrap_or_default();
    // Words were checked when the command was parsed.
    let tool = TOOLS.into_iter().find(|tool| *tool == word).unwrap_or(TOOLS[0]);
    check_arguments(args, tool)?;
    let percent = args.flag_number('s', STRENGTH)?.unwrap_or(100);
    let direction = args
        .flag_value('d')
        .map(|word| words::one_direction(word, Some(console)))
        .transpose()?
        .unwrap_or(Face::Up);
    let place = place(console, args, tool)?;
    let start = match &place {
        ShapePlace::Selection(_) => match console.selection().points() {
            Ok(points) => points[0],
            Err(_) => console.selection().bounds()?.min,
        },
        ShapePlace::Stroke(_, places) | ShapePlace::Lines(_, places) => places[0],
    };
    let draws_seed = matches!(tool, "roughen" | "paint");
    let settings = ShapeSettings {
        tool,
        place,
        times: args.flag_number('n', TIMES)?.unwrap_or(1),
        level: args.flag_number('y', LEVEL)?,
        feet: console.placement.y.saturating_sub(1),
        normal: direction.normal(),
        start,
        seed: if draws_seed { args.seeds.draw() } else { 0 },
    };
    let materials = Arc::new(ShapingMaterials::from_materials(args.materials));
    let shaping = Shaping {
        strength: ((percent * 256 + 99) / 100) as u16,
        ignores_liquids: args.has_flag('i'),
        mask: args.flag_mask(console)?,
        matter: ground_pattern(console, args, &materials)?,
        ..Shaping::new(ShapingTool::Add, materials)
    };
    Ok(args.job(console, move |edit| {
        run_passes(edit, settings, shaping)?;
        Ok(JobResult::changed(edit.changed_voxels()))
    }))
}

/// Refuses arguments that have no effect, and tools without what they need.
fn check_arguments(args: &Arguments<'_>, tool: &'static str) -> Result<(), CommandError> {
    let with_tool = format!("with {tool}");
    if matches!(tool, "erode" | "shrink" | "push" | "weather" | "melt") {
        args.refuse("PATTERN", &with_tool)?;
    }
    if matches!(tool, "erode" | "shrink" | "push" | "paint") {
        args.refuse_flag('i', &with_tool)?;
    }
    if args.text("RADIUS").is_none() {
        for letter in ['f', 'b', 'p'] {
            args.refuse_flag(letter, "without RADIUS")?;
        }
    }
    if !matches!(tool, "flatten" | "level") {
        args.refuse_flag('y', &with_tool)?;
    }
    if !matches!(tool, "flatten" | "sculpt" | "push") {
        args.refuse_flag('d', &with_tool)?;
    }
    if args.flag_value('y').is_some() {
        args.refuse_flag('d', "with -y")?;
    }
    let missing = |what, example| Err(CommandError::ToolNeeds { tool, what, example });
    if tool == "paint" && args.text("PATTERN").is_none() {
        return missing("a PATTERN", "//shape paint 5 stone");
    }
    if tool == "slope" && args.text("RADIUS").is_none() {
        return missing("a RADIUS", "//shape slope 5");
    }
    Ok(())
}

/// The pattern of new matter; `None` without one.
fn ground_pattern(
    console: &Console,
    args: &Arguments<'_>,
    materials: &ShapingMaterials,
) -> Result<Option<Pattern>, CommandError> {
    let Some(word) = args.text("PATTERN") else { return Ok(None) };
    let pattern = args.pattern(console)?;
    words::check_ground(word, &pattern, materials)?;
    Ok(Some(pattern))
}

fn place(
    console: &Console,
    args: &Arguments<'_>,
    tool: &'static str,
) -> Result<ShapePlace, CommandError> {
    if args.text("RADIUS").is_none() {
        return Ok(ShapePlace::Selection(console.region()?));
    }
    let radius = args.number("RADIUS", 0)?.unsigned_abs();
    let moves_a_little =
        matches!(tool, "grow" | "shrink" | "smooth" | "sculpt" | "push" | "roughen");
    let default_falloff = if moves_a_little { DEFAULT_FALLOFF } else { 0 };
    let falloff = args.flag_number('f', FALLOFF)?.unwrap_or(default_falloff);
    let shape = match args.flag_value('b') {
        Some("cube") => BrushShape::Cube,
        Some("cylinder") => BrushShape::Cylinder,
        _ => BrushShape::Ball,
    };
    let brush = ShapingBrush { shape, radius, falloff: (falloff * 256 / 100) as u16 };
    if tool == "slope" {
        return Ok(ShapePlace::Lines(brush, console.selection().points()?));
    }
    if !args.has_flag('p') {
        return Ok(ShapePlace::Stroke(brush, vec![console.placement]));
    }
    let points = console.selection().points()?;
    Ok(ShapePlace::Stroke(brush, stroke_centres(&points, (radius / 2).max(1))))
}

/// Carries out all passes, until one changes nothing.
fn run_passes(
    edit: &mut VoxelEdit<'_>,
    settings: ShapeSettings,
    mut shaping: Shaping,
) -> Result<(), EditError> {
    shaping.tool = tool(edit, &settings, &shaping)?;
    let mut areas = Vec::new();
    match settings.place {
        ShapePlace::Selection(plan) => {
            areas.push((ShapingArea::Region(Arc::new(plan.make()?)), None))
        }
        ShapePlace::Stroke(brush, centres) => {
            areas.extend(centres.into_iter().map(|at| (ShapingArea::dab(brush, at), None)));
        }
        ShapePlace::Lines(brush, points) => {
            for pair in points.windows(2) {
                let mut ends = [I64Vec3::ZERO; 2];
                for (end, &at) in ends.iter_mut().zip(pair) {
                    *end = shaping.materials.surface_point(edit.voxel(at)?, at);
                }
                let area = ShapingArea::Swept { brush, ends: [pair[0], pair[1]] };
                areas.push((area, Some(ShapingTool::Slope { points: ends })));
            }
        }
    }
    for _ in 0..settings.times {
        let mut changed = 0;
        for (area, tool) in &areas {
            if let Some(tool) = tool {
                shaping.tool = tool.clone();
            }
            changed += edit.shape(&shaping, area)?;
        }
        if changed == 0 {
            break;
        }
    }
    Ok(())
}

/// The tool of a command; slopes get their points later.
fn tool(
    edit: &VoxelEdit<'_>,
    settings: &ShapeSettings,
    shaping: &Shaping,
) -> Result<ShapingTool, EditError> {
    let normal = settings.normal;
    let seed = settings.seed;
    Ok(match settings.tool {
        "erode" => ShapingTool::Erode,
        "grow" => ShapingTool::Grow,
        "shrink" => ShapingTool::Shrink,
        "smooth" => ShapingTool::Smooth { reach: MAX_SMOOTHING_REACH },
        "flatten" => {
            let plane = match settings.level {
                Some(level) => ShapingPlane::level(level),
                None => ShapingPlane::at_surface(edit, &shaping.materials, settings.start, normal)?,
            };
            ShapingTool::Flatten { plane, side: FlattenSide::Both }
        }
        "level" => ShapingTool::Flatten {
            plane: ShapingPlane::level(settings.level.unwrap_or(settings.feet)),
            side: FlattenSide::Raise,
        },
        "slope" => ShapingTool::Slope { points: [I64Vec3::ZERO; 2] },
        "sculpt" => ShapingTool::Sculpt { normal, pushes: false },
        "push" => ShapingTool::Sculpt { normal, pushes: true },
        "roughen" => ShapingTool::Roughen { scale: ROUGH_SCALE, seed },
        "paint" => ShapingTool::Paint { seed },
        "weather" => ShapingTool::Weather,
        "melt" => ShapingTool::Melt,
        _ => ShapingTool::Add,
    })
}
