//! Tests of commands: parsing, help, completion, and effects on small worlds.

mod argument_tests;
mod clipboard_tests;
mod frame_tests;
mod lake_tests;
mod random_tests;
mod selecting_tests;
mod shape_tests;
mod surface_tests;
mod terrain_tests;
mod word_tests;

use super::*;
use crate::edit::JobProgress;
use crate::edit::region::Region;
use crate::edit::selection::Selection;
use crate::voxel::{Box3, ChunkPos, MaterialTable, Voxel, linear_offset};
use crate::world::{Chunk, World};
use glam::{DVec3, IVec3};

fn parse(text: &str) -> Result<ConsoleCommand, CommandError> {
    ConsoleCommand::parse(text, &MaterialTable::builtin())
}

fn task(console: &mut Console, text: &str) -> Result<ConsoleTask, CommandError> {
    console.task(&parse(text)?, &MaterialTable::builtin())
}

fn answer(console: &mut Console, text: &str) -> String {
    match task(console, text) {
        Ok(ConsoleTask::Answer(answer)) => answer,
        Ok(_) => panic!("{text} is a job"),
        Err(error) => error.to_string(),
    }
}

fn full(name: &str) -> Voxel {
    Voxel::full(MaterialTable::builtin().find(name).expect("a material of the game"))
}

#[test]
fn malformed_commands_are_refused_with_reason() {
    for (text, message) in [
        ("", "there is no command \"\"; //help lists all"),
        ("set stone", "there is no command \"set\"; did you mean //set"),
        ("//sett stone", "there is no command \"//sett\"; did you mean //set"),
        ("//set", "expected //set [-m MASK] PATTERN"),
        ("//set stone dirt", "\"dirt\" is one argument too many; expected //set [-m MASK] PATTERN"),
        ("//set -x stone", "\"-x\" is no flag of this command"),
        ("//set stone -m", "expected //set [-m MASK] PATTERN"),
        ("//set -m stone -m dirt glass", "\"-m\" is given twice; several masks"),
        ("//paste -a -a", "\"-a\" is given twice"),
        ("//rules off", "only the game has this command"),
        ("//redo 1 2", "\"2\" is one argument too many; expected //redo [STEPS]"),
        ("//size 3", "\"3\" is one argument too many; expected //size"),
        ("//set stne", "there is no material \"stne\""),
        ("//set \"stone", "\" is never closed"),
        ("//pos1 1,2", "\"1,2\" is no place in the world"),
        ("//pos1 2000000000,0,0", "\"2000000000,0,0\" is no place in the world"),
        ("//sphere stone -1", "\"-1\" is no radius"),
        ("//sphere stone nan", "\"nan\" is no radius"),
        ("//sphere stone 1,2,3,4", "\"1,2,3,4\" is no radius"),
        ("//cyl stone 5 0", "\"0\" is no height from 1 to 1024"),
        ("//undo 0", "\"0\" is no number of steps from 1 to 10000"),
        ("//expand x", "\"x\" is no whole number"),
        ("//expand 99999999999", "\"99999999999\" is no whole number"),
        ("//expand 5 sideways", "\"sideways\" is no direction"),
        ("//sel ball", "\"ball\" is no kind; there are cuboid, "),
        ("//replacenear -3 stone", "\"-3\" is no size from 0 to 1024"),
    ] {
        let error = parse(text).expect_err(text).to_string();
        assert!(error.starts_with(message), "{text}: {error}");
    }
}

#[test]
fn optional_words_that_do_not_fit_are_passed_over() {
    // Optional parameters that a word does not fit are skipped; a mask takes the remaining words.
    for text in [
        "/set stone",
        "//set -m \"stone !dirt\" dirt",
        "//replace stone",
        "//replace stone,dirt !stone #full dirt",
        "//replacenear 5 stone dirt",
        "//removenear stone !dirt 5",
        "//removenear stone",
        "//expand 5 north",
        "//expand 5 3 n,u",
        "//gmask",
        "//gmask stone !dirt",
        "//help set",
        "//help //set",
    ] {
        assert!(parse(text).is_ok(), "{text}: {:?}", parse(text));
    }
}

/// Volume and bounds of the voxels that a command fills in an empty world.
fn filled(console: &mut Console, text: &str) -> (u64, Option<Box3>) {
    let Ok(ConsoleTask::Job(job)) = task(console, text) else { panic!("{text} is no job") };
    let outcome = job.run(&World::new(), 0, &JobProgress::default()).unwrap();
    let edit = outcome.edit.expect("an edit");
    assert_eq!((edit.name.as_str(), edit.volume()), (text, outcome.voxels));
    (outcome.voxels, edit.changes.iter().map(|change| change.area).reduce(Box3::around))
}

#[test]
fn fill_commands_change_expected_number_of_voxels() {
    let mut console = Console::new(IVec3::new(10, 20, 30));
    assert_eq!(
        answer(&mut console, "//set stone"),
        "nothing is selected: set a corner with //pos1"
    );
    assert_eq!(answer(&mut console, "//pos1"), "corner 1 is 10, 20, 30");
    assert_eq!(answer(&mut console, "//size"), "nothing is selected: set a corner with //pos2");
    assert_eq!(
        answer(&mut console, "//pos2 19,29,39"),
        "corner 2 is 19, 29, 39: 10 x 10 x 10 voxels, 1,000 in all"
    );
    let selected = console.selection().bounds().ok();
    for (text, volume) in [("//set stone", 1000), ("//walls stone", 360), ("//faces stone", 488)] {
        assert_eq!(filled(&mut console, text), (volume, selected), "{text}");
    }
    let around =
        |by: i32| Some(Box3 { min: console.placement - by, max: console.placement + by + 1 });
    let five = around(5);
    let zero = around(0);
    let ball = filled(&mut console, "//sphere stone 5");
    let shell = filled(&mut console, "//hsphere stone 5");
    assert_eq!((ball.1, shell.1), (five, five));
    assert_eq!(ball.0 - shell.0, filled(&mut console, "//sphere stone 4").0);
    assert_eq!(filled(&mut console, "//hsphere stone 0"), (1, zero));
    let cylinder = filled(&mut console, "//cyl stone 5 4").0;
    assert_eq!(cylinder % 4, 0);
    assert_eq!(
        cylinder - filled(&mut console, "//hcyl stone 5 4").0,
        filled(&mut console, "//cyl stone 4 4").0
    );
    // A box of one layer has no interior.
    answer(&mut console, "//pos2 19,20,39");
    assert_eq!(filled(&mut console, "//faces stone").0, 100);
}

/// Runs a job on a world. Returns the number of voxels that it changed or counted.
fn run(console: &mut Console, world: &mut World, text: &str) -> u64 {
    let Ok(ConsoleTask::Job(job)) = task(console, text) else { panic!("{text} is no job") };
    let outcome = job.run(&*world, 0, &JobProgress::default()).unwrap();
    console.accept(&outcome);
    for change in outcome.edit.into_iter().flat_map(|edit| edit.changes) {
        world.insert(change.pos, change.after);
    }
    outcome.voxels
}

/// Dirt on stone, and a pond.
fn meadow() -> World {
    let mut world = World::new();
    let [stone, water, dirt] = ["stone", "water", "dirt"].map(full);
    let voxel = |at: IVec3| match () {
        () if at.y < 4 => stone,
        () if at.y < 8 && at.x < 6 => water,
        () if at.y < 8 => dirt,
        () => Voxel::AIR,
    };
    for pos in [ChunkPos::new(0, 0, 0), ChunkPos::new(0, 0, -1)] {
        let voxels = (0..32768).map(|i| (1, voxel(pos.origin() + linear_offset(i))));
        world.insert(pos, Chunk::from_runs(voxels));
    }
    world
}

#[test]
fn nearby_commands_change_only_voxels_within_their_radius() {
    let mut console = Console::new(IVec3::new(16, 8, 0));
    let mut world = meadow();
    let in_disc =
        |at: IVec3, radius: f64| f64::from(at.x - 16).hypot(f64::from(at.z)) <= radius + 0.5;
    let disc = |radius: f64| {
        let columns = (-32..32).flat_map(|z| (6..32).map(move |x| IVec3::new(x, 7, z)));
        columns.filter(|&at| in_disc(at, radius)).count() as u64
    };
    assert_eq!(run(&mut console, &mut world, "//green 15"), disc(15.0));
    assert_eq!(world.get(IVec3::new(20, 7, -3)), full("grass"));
    assert_eq!(run(&mut console, &mut world, "//snow 2"), disc(2.0));
    assert_eq!(world.get(IVec3::new(16, 8, 0)), Voxel::new(full("snow").material(), 31));
    assert_eq!(run(&mut console, &mut world, "//replacenear 1 grass stone"), 9);
    assert_eq!(run(&mut console, &mut world, "//thaw"), disc(2.0));
    assert_eq!(run(&mut console, &mut world, "//removebelow 2 3"), 18);
    assert_eq!(run(&mut console, &mut world, "//removeabove"), 0);
    // The global mask applies to all later commands.
    assert!(answer(&mut console, "//gmask >stone").starts_with("commands change only"));
    let changed = run(&mut console, &mut world, "//replacenear 4 lamp");
    answer(&mut console, "//gmask");
    console.set_selection(Selection::from(Box3 {
        min: console.placement - 4,
        max: console.placement + 5,
    }));
    assert_eq!(run(&mut console, &mut world, "//count lamp"), changed);
    assert_eq!(changed, 81);
    assert_eq!(run(&mut console, &mut world, "//count lamp >stone"), changed);
}

#[test]
fn resized_selections_follow_directions_of_the_players_view() {
    let mut console = Console::new(IVec3::ZERO);
    console.look = DVec3::new(0.9, -0.1, 0.2);
    answer(&mut console, "//pos1 0,0,0");
    answer(&mut console, "//pos2 9,9,9");
    let mut bounds = |text: &str| {
        let said = answer(&mut console, text);
        assert!(said.starts_with("selected: "), "{text}: {said}");
        let area = console.selection().bounds().unwrap();
        [area.min.to_array(), (area.max - 1).to_array()]
    };
    assert_eq!(bounds("//expand 5"), [[0, 0, 0], [14, 9, 9]], "east, where the player looks");
    assert_eq!(bounds("//expand 1 2 left"), [[0, 0, -1], [14, 9, 11]]);
    assert_eq!(bounds("//contract 3"), [[3, 0, -1], [14, 9, 11]], "the opposite side moves");
    assert_eq!(bounds("//contract 1 2 up"), [[3, 1, -1], [14, 7, 11]]);
    assert_eq!(bounds("//shift 10 d"), [[3, -9, -1], [14, -3, 11]]);
    assert_eq!(bounds("//outset -v 2"), [[3, -11, -1], [14, -1, 11]]);
    assert_eq!(bounds("//inset -h 1"), [[4, -11, 0], [13, -1, 10]]);
    assert_eq!(bounds("//expand 1 vert"), [[4, -12, 0], [13, 0, 10]]);
    assert_eq!(bounds("//chunk 40,-1,5"), [[32, -32, 0], [63, -1, 31]]);
    console.target = Some(IVec3::splat(7));
    answer(&mut console, "//sel sphere");
    answer(&mut console, "//hpos1");
    assert_eq!(
        answer(&mut console, "//pos2 7,7,10"),
        "point 2 is 7, 7, 10: an ellipsoid in 7 x 7 x 7 voxels"
    );
    answer(&mut console, "//desel");
    assert!(answer(&mut console, "//size").starts_with("nothing is selected"));
    console.target = None;
    assert_eq!(answer(&mut console, "//hpos2"), "there is no block in sight");
}

#[test]
fn help_lists_and_explains_every_command() {
    let mut console = Console::new(IVec3::ZERO);
    let all = answer(&mut console, "//help");
    for row in table::rows() {
        assert!(all.contains(&row.usage()) && all.contains(row.help));
        for name in row.names {
            let said = answer(&mut console, &format!("//help {name}"));
            assert!(said.starts_with(&row.usage()), "{said}");
            assert!(
                std::ptr::eq(
                    table::find(&format!("//{name}")).unwrap(),
                    table::find(&format!("/{}", row.names[0])).unwrap()
                ),
                "{name} is taken twice"
            );
        }
    }
    let said = answer(&mut console, "//help shape");
    for line in [
        "  TOOL: add, erode, ",
        "weather or melt\n",
        "  RADIUS: 0 to 64\n",
        "  -s STRENGTH (1 to 100): percent ",
        "  -b FORM (ball, cube or cylinder): form ",
        "  -i: leaves ",
    ] {
        assert!(said.contains(line), "{said}");
    }
    assert!(answer(&mut console, "//help sett").contains("did you mean //set"));
    for command in GameCommand::ALL {
        assert!(all.contains(command.usage) && all.contains(command.help));
        assert_eq!(GameCommand::find(&format!("/{}", command.name)), Some(command));
        for name in [command.name.to_owned(), format!("//{}", command.name)] {
            let said = answer(&mut console, &format!("//help {name}"));
            assert!(said.starts_with(command.usage) && said.contains(command.help), "{said}");
        }
        // The help explains each action of the usage line.
        let actions = command
            .usage
            .split([' ', '|'])
            .skip(1)
            .filter(|word| word.chars().all(char::is_lowercase));
        let explained: Vec<&str> = command
            .actions
            .iter()
            .filter_map(|line| line.split_once(':'))
            .flat_map(|(names, _)| names.split(", "))
            .collect();
        assert!(actions.into_iter().all(|action| explained.contains(&action)), "{explained:?}");
    }
}

#[test]
fn unfinished_commands_get_proposals_for_their_last_word() {
    let table = MaterialTable::builtin();
    let completed = |text: &str| {
        let completions = complete(text, &table);
        let part = text[completions.replace.clone()].to_owned();
        (part, completions.choices.into_iter().map(|choice| choice.text).collect::<Vec<_>>())
    };
    let has = |text: &str, part: &str, choice: &str| {
        let (found, choices) = completed(text);
        assert!(
            found == part && choices.iter().any(|text| text == choice),
            "{text}: {found:?} {choices:?}"
        );
    };
    has("", "", "//set");
    has("//se", "//se", "//sel");
    has("/se", "/se", "//set");
    has("//set ", "", "stone");
    has("//set 50%stone,sand", "sand", "sandstone");
    has("//set #g", "#g", "#gradient[AXIS][FROM][TO][PATTERN,...]");
    has("//set #checker[2][stone,di", "di", "dirt");
    has("//set -", "-", "-m");
    has("//set -m sto", "sto", "stone");
    has("//replace !#ex", "#ex", "#existing");
    has("//replace stone di", "di", "dirt");
    has("//expand 5 no", "no", "north");
    has("//expand 5 n,ea", "ea", "east");
    has("//sel el", "el", "ellipsoid");
    has("//help se", "se", "set");
    has("//help ru", "ru", "rules");
    assert_eq!(completed("//set sand").1[0], "sand");
    assert_eq!(completed("//nothing x"), (String::new(), Vec::new()));
    assert_eq!(completed("//size x").1, Vec::<String>::new());
    assert_eq!(complete("//replace st", &table).usage.as_deref(), Some("//replace [MASK] PATTERN"));
}

#[test]
fn clipboard_commands_put_copied_voxels_in_place() {
    let mut console = Console::new(IVec3::new(40, 40, 40));
    let mut world = World::new();
    for text in ["//paste", "//rotate 90", "//flip"] {
        assert_eq!(
            answer(&mut console, text),
            "the clipboard is empty: copy the selection with //copy"
        );
    }
    let box_of = |console: &mut Console, a: [i32; 3], b: [i32; 3]| {
        console.set_selection(Selection::from(Box3::spanning(a.into(), b.into())));
    };
    // A row that extends east from the player's position. Its first voxel is a lamp.
    box_of(&mut console, [40; 3], [43, 40, 40]);
    run(&mut console, &mut world, "//set stone");
    box_of(&mut console, [40; 3], [40; 3]);
    run(&mut console, &mut world, "//set lamp");
    box_of(&mut console, [40; 3], [43, 40, 40]);
    assert_eq!(run(&mut console, &mut world, "//copy"), 4);
    // Clockwise as seen from above: east turns to south.
    run(&mut console, &mut world, "//rotate 90");
    console.placement = IVec3::new(-5, 0, -1);
    assert_eq!(run(&mut console, &mut world, "//paste -s"), 4);
    let at = |world: &World, x: i32, y: i32, z: i32| world.get(IVec3::new(x, y, z));
    assert_eq!([at(&world, -5, 0, -1), at(&world, -5, 0, 2)], [full("lamp"), full("stone")]);
    let selected = console.selection().bounds().unwrap();
    assert_eq!(selected, Box3::spanning(IVec3::new(-5, 0, -1), IVec3::new(-5, 0, 2)));
    assert_eq!(run(&mut console, &mut world, "//stack 3 up"), 12);
    assert_eq!(at(&world, -5, 3, -1), full("lamp"));
    assert_eq!(run(&mut console, &mut world, "//stack -m lamp 2 w"), 2);
    assert_eq!(at(&world, -7, 0, -1), full("lamp"));
    assert_eq!(run(&mut console, &mut world, "//move -s 10 e water"), 8);
    assert_eq!([at(&world, 5, 0, -1), at(&world, -5, 0, -1)], [full("lamp"), full("water")]);
    assert_eq!(console.selection().bounds().unwrap().min, IVec3::new(5, 0, -1));
    assert_eq!(run(&mut console, &mut world, "//cut -m stone"), 3);
    assert_eq!([at(&world, 5, 0, -1), at(&world, 5, 0, 0)], [full("lamp"), Voxel::AIR]);
    run(&mut console, &mut world, "//flip n");
    run(&mut console, &mut world, "//scale 2");
    assert!(answer(&mut console, "//scale 0").starts_with("the factor 0 is not between"));
    assert_eq!(run(&mut console, &mut world, "//paste -o"), 3 * 8);
}

#[test]
fn manual_names_every_command_and_word() {
    let manual = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/console.md"));
    for row in table::rows() {
        assert!(manual.contains(&format!("`{}`", row.usage())), "{}", row.usage());
        assert!(
            row.names.iter().all(|name| manual.contains(&format!("`//{name}"))),
            "{:?}",
            row.names
        );
        assert!(manual.contains(row.help), "{}", row.help);
    }
    for command in GameCommand::ALL {
        assert!(
            manual.contains(&format!("`{}`", command.usage.replace('|', "\\|"))),
            "{}",
            command.usage
        );
        assert!(manual.contains(command.help), "{}", command.help);
    }
    for (form, _) in words::PATTERNS.iter().chain(&words::MASKS) {
        let word = form.split('[').next().unwrap_or(form);
        assert!(manual.contains(&format!("`{word}")), "{word}");
    }
}
