//! The command for the surface of a material.

use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{CommandRow, Kind, TaskResult, optional, required};
use crate::edit::console::error::CommandError;
use crate::edit::console::job::ConsoleTask;
use crate::edit::console::state::Console;
use crate::edit::console::surface_task::SurfaceTask;
use crate::voxel::{SurfaceChange, SurfaceRule};

/// Names of the surfaces.
const SURFACES: [&str; 5] = ["cube", "smooth", "facet", "rough", "terrace"];

pub(in crate::edit::console) const COMMANDS: &[CommandRow] = &[CommandRow {
    names: &["surface"],
    parameters: &[
        required("MATERIAL", Kind::Material),
        optional("SURFACE", Kind::Choice(&SURFACES)),
        optional("AMOUNT", Kind::Amount),
    ],
    flags: &[],
    help: "Changes how a material is shaped all over the map; without SURFACE, says how it is. \
           AMOUNT is 0 to 127 for rough, and 1 to 16 steps for terrace.",
    example: "//surface stone rough 40",
    run: surface,
}];

fn surface(_: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let (id, material) = args.material("MATERIAL")?;
    let name = &material.name;
    let Some(word) = args.text("SURFACE") else {
        args.refuse("AMOUNT", "without SURFACE")?;
        return Ok(ConsoleTask::Answer(format!("{name} is {}", material.surface)));
    };
    let surface = rule(args, word)?;
    if !material.can_have(surface) {
        return Err(CommandError::NotShapeable(name.clone()));
    }
    if surface == material.surface {
        return Ok(ConsoleTask::Answer(format!("{name} is {surface} already")));
    }
    let change = SurfaceChange { material: id, before: material.surface, after: surface };
    Ok(ConsoleTask::Surface(SurfaceTask {
        name: args.text.trim().to_owned(),
        change,
        answer: format!("{name} is {surface}; it was {}", material.surface),
    }))
}

/// The surface that the words of a command name.
fn rule(args: &Arguments<'_>, word: &str) -> Result<SurfaceRule, CommandError> {
    let amount = |what, from: u8, to: u8| {
        let usage = || format!("//surface MATERIAL {word} AMOUNT, AMOUNT from {from} to {to}");
        args.amount("AMOUNT", what, from, to)?.ok_or_else(|| CommandError::Usage(usage()))
    };
    match word {
        "rough" => amount("amount", 0, SurfaceRule::MAX_ROUGHNESS).map(SurfaceRule::Rough),
        "terrace" => {
            amount("number of steps", 1, SurfaceRule::MAX_TERRACES).map(SurfaceRule::Terrace)
        }
        _ => {
            args.refuse("AMOUNT", &format!("with {word}"))?;
            Ok(match word {
                "smooth" => SurfaceRule::Smooth,
                "facet" => SurfaceRule::Facet,
                // Words were checked when the command was parsed.
                _ => SurfaceRule::Cube,
            })
        }
    }
}
