//! Commands and what they do.

use super::*;
use crate::edit::{JobProgress, Mix, Pattern};
use crate::voxel::{MaterialTable, Voxel};
use crate::world::World;
use glam::DVec3;

fn parse(text: &str) -> Result<ConsoleCommand, CommandError> {
    ConsoleCommand::parse(text, &MaterialTable::builtin())
}

fn full(name: &str) -> Voxel {
    Voxel::full(MaterialTable::builtin().find(name).expect("a material of the game"))
}

#[test]
fn commands_are_read() {
    let stone = Pattern::Voxel(full("stone"));
    let mix = Mix::new(&[(50.0, full("stone")), (25.0, full("dirt")), (1.0, Voxel::AIR)], 1).unwrap();
    let existing = Mask::Not(Box::new(Mask::Materials(vec![0])));
    let soil = Mask::Materials(vec![full("stone").material(), full("dirt").material()]);
    for (text, command) in [
        ("//pos1 1,-2,3", ConsoleCommand::Corner(0, Some(IVec3::new(1, -2, 3)))),
        ("  //pos2 ", ConsoleCommand::Corner(1, None)),
        ("//set stone", ConsoleCommand::Set(stone.clone())),
        ("//set 50%stone,25%dirt,air", ConsoleCommand::Set(Pattern::Mix(mix))),
        ("//replace stone", ConsoleCommand::Replace(existing.clone(), stone.clone())),
        ("//replace stone,dirt air", ConsoleCommand::Replace(soil.clone(), Pattern::Voxel(Voxel::AIR))),
        (
            "//replace stone,dirt !stone stone",
            ConsoleCommand::Replace(
                Mask::All(vec![soil, Mask::Not(Box::new(Mask::Materials(vec![full("stone").material()])))]),
                stone.clone(),
            ),
        ),
        (
            "//hsphere stone 5,3",
            ConsoleCommand::Ball { pattern: stone.clone(), radii: DVec3::new(5.0, 3.0, 5.0), is_hollow: true },
        ),
        (
            "//cyl stone 2.5 7",
            ConsoleCommand::Cylinder { pattern: stone, radii: [2.5; 2], height: 7, is_hollow: false },
        ),
        ("//count #existing", ConsoleCommand::Count(existing)),
        ("//undo", ConsoleCommand::Undo(1)),
        ("//redo 3", ConsoleCommand::Redo(3)),
    ] {
        assert_eq!(parse(text), Ok(command), "{text}");
    }
}

#[test]
fn malformed_commands_say_what_is_wrong() {
    for (text, message) in [
        ("", "there is no command \"\"; there are //pos1 [X,Y,Z]; "),
        ("//sett stone", "there is no command \"//sett\"; "),
        ("//set", "expected //set PATTERN"),
        ("//redo 1 2", "expected //undo, //redo [STEPS]"),
        ("//size 3", "expected //size"),
        ("//set stne", "there is no material \"stne\""),
        ("//set oak", "there is no material \"oak\"; did you mean oak_"),
        ("//set x%stone,dirt", "\"x%stone\" has a share"),
        ("//set -5%stone,dirt", "\"-5%stone,dirt\" has a share"),
        ("//pos1 1,2", "\"1,2\" is no place in the world"),
        ("//pos1 2000000000,0,0", "\"2000000000,0,0\" is no place in the world"),
        ("//sphere stone -1", "\"-1\" is no radius"),
        ("//sphere stone nan", "\"nan\" is no radius"),
        ("//sphere stone 1,2,3,4", "\"1,2,3,4\" is no radius"),
        ("//cyl stone 5 0", "\"0\" is no height"),
        ("//undo 0", "\"0\" is no number of steps"),
    ] {
        let error = parse(text).expect_err(text).to_string();
        assert!(error.starts_with(message), "{text}: {error}");
    }
}

/// Volume and bounds of what a command fills in an empty world.
fn filled(console: &mut Console, text: &str) -> (u64, Option<Box3>) {
    let Ok(ConsoleTask::Job(job)) = console.task(text, parse(text).unwrap()) else { panic!("{text} is no job") };
    let outcome = job.run(&World::new(), 0, &JobProgress::default()).unwrap();
    let edit = outcome.edit.expect("an edit");
    assert_eq!((edit.name.as_str(), edit.volume()), (text, outcome.voxels));
    (outcome.voxels, edit.changes.iter().map(|change| change.area).reduce(Box3::around))
}

#[test]
fn commands_fill_parts_of_the_selection_or_shapes_around_the_player() {
    let mut console = Console::new(IVec3::new(10, 20, 30));
    let error = |console: &mut Console, text: &str| match console.task(text, parse(text).unwrap()) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{text} is carried out"),
    };
    assert_eq!(error(&mut console, "//set stone"), "nothing is selected: set a corner with //pos1");
    assert!(console.task("//pos1", parse("//pos1").unwrap()).is_ok());
    assert_eq!(error(&mut console, "//size"), "nothing is selected: set a corner with //pos2");
    let Ok(ConsoleTask::Answer(answer)) = console.task("//pos2 19,29,39", parse("//pos2 19,29,39").unwrap()) else {
        panic!()
    };
    assert_eq!(answer, "corner 2 is 19, 29, 39: 10 x 10 x 10 voxels, 1000 in all");
    let selected = console.selection().ok();
    for (text, volume) in [("//set stone", 1000), ("//walls stone", 360), ("//faces stone", 488)] {
        assert_eq!(filled(&mut console, text), (volume, selected), "{text}");
    }
    let around = |by: i32| Some(Box3 { min: console.placement - by, max: console.placement + by + 1 });
    let (five, zero) = (around(5), around(0));
    let (ball, shell) = (filled(&mut console, "//sphere stone 5"), filled(&mut console, "//hsphere stone 5"));
    assert_eq!((ball.1, shell.1), (five, five));
    assert_eq!(ball.0 - shell.0, filled(&mut console, "//sphere stone 4").0);
    assert_eq!(filled(&mut console, "//hsphere stone 0"), (1, zero));
    let cylinder = filled(&mut console, "//cyl stone 5 4").0;
    assert_eq!(cylinder % 4, 0);
    assert_eq!(cylinder - filled(&mut console, "//hcyl stone 5 4").0, filled(&mut console, "//cyl stone 4 4").0);
    // A box of one layer has no interior.
    assert!(console.task("//pos2 19,20,39", parse("//pos2 19,20,39").unwrap()).is_ok());
    assert_eq!(filled(&mut console, "//faces stone").0, 100);
}
