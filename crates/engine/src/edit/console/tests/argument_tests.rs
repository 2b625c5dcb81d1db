//! Tests that every argument either has an effect or is refused.

use super::*;
use crate::edit::console::schema::{Flag, Kind};

#[test]
fn surplus_words_and_unknown_or_repeated_flags_are_refused() {
    for row in table::rows() {
        let line = row.example;
        assert!(
            row.names.iter().any(|name| line.split(' ').next() == Some(&format!("//{name}"))),
            "{line}"
        );
        assert!(parse(line).is_ok(), "{line}: {:?}", parse(line));
        let refused = |line: String| parse(&line).expect_err(&line);
        // A mask takes all words that no other parameter takes, so the surplus word may be an
        // unknown material.
        let surplus = refused(format!("{line} surplus"));
        assert!(
            matches!(surplus, CommandError::Surplus { .. } | CommandError::Material { .. }),
            "{line}: {surplus}"
        );
        let unknown =
            ('a'..='z').find(|letter| row.flags.iter().all(|flag| flag.letter != *letter)).unwrap();
        assert!(
            matches!(refused(format!("{line} -{unknown}")), CommandError::Flag(..)),
            "{line} -{unknown}"
        );
        refused(format!("{line} --flag"));
        for flag in row.flags {
            let value = sample_value(flag);
            let letter = flag.letter;
            assert!(parse(&format!("{line} -{letter}{value}")).is_ok(), "{line} -{letter}{value}");
            let twice = [
                format!("{line} -{letter}{value} -{letter}{value}"),
                format!("{line} -{letter}{letter}{value}"),
            ];
            for twice in twice.map(refused) {
                let is_repeated =
                    matches!(twice, CommandError::FlagTwice(_) | CommandError::MaskTwice(_));
                assert!(is_repeated, "{line} -{letter}: {twice}");
            }
        }
    }
}

/// Effect of a command on a fixed world and console: its answer, the resulting selection and
/// clipboard, and the chunks that it changes.
#[derive(PartialEq, Debug)]
struct Effect {
    answer: String,
    selection: Selection,
    clipboard: Vec<([i32; 3], Voxel)>,
    chunks: Vec<(ChunkPos, Chunk)>,
}

fn effect(text: &str) -> Effect {
    let mut console = Console::new(IVec3::new(4, 9, 12));
    let mut world = meadow();
    // A step that needs several smoothing passes.
    world.fill(Box3::spanning(IVec3::new(6, 8, -3), IVec3::new(9, 10, 9)), full("dirt"));
    let plants = Box3::spanning(IVec3::new(0, 4, 10), IVec3::new(3, 6, 14));
    world.fill(plants, full("reeds"));
    world.set(IVec3::new(3, 9, 3), Voxel::new(full("water").material(), 127));
    console
        .set_selection(Selection::from(Box3::spanning(IVec3::new(2, 2, -3), IVec3::new(9, 10, 9))));
    run(&mut console, &mut world, "//copy");
    console.placement = IVec3::new(4, 7, 12);
    // A hole at the player's position.
    world.fill(Box3::spanning(console.placement - IVec3::Y, console.placement), Voxel::AIR);
    let (answer, chunks) =
        match task(&mut console, text).unwrap_or_else(|error| panic!("{text}: {error}")) {
            ConsoleTask::Job(job) => {
                let outcome = job.run(&world, 0, &JobProgress::default()).unwrap();
                console.accept(&outcome);
                let changes = outcome.edit.into_iter().flat_map(|edit| edit.changes);
                (outcome.answer, changes.map(|change| (change.pos, change.after)).collect())
            }
            ConsoleTask::Answer(answer) => (answer, Vec::new()),
            _ => panic!("{text} needs the map"),
        };
    let mut clipboard = Vec::new();
    if let Some(copied) = console.clipboard() {
        copied.for_each_run(|pos, run| {
            let offset = |index: u32| {
                (pos.origin() + linear_offset(index as usize) - copied.origin()).to_array()
            };
            clipboard.extend((run.start..run.end()).map(|index| (offset(index), run.voxel)));
        });
    }
    clipboard.sort_unstable_by_key(|&(offset, _)| offset);
    Effect { answer, selection: console.selection().clone(), clipboard, chunks }
}

/// A value for a flag, with a space in front; empty if the flag takes none.
fn sample_value(flag: &Flag) -> String {
    let Some(value) = flag.value else { return String::new() };
    match value.kind {
        Kind::Number(from, to) => format!(" {}", (from + 2).min(to)),
        Kind::Choice(words) => format!(" {}", words[1]),
        Kind::Direction => " north".to_owned(),
        _ => " stone".to_owned(),
    }
}

#[test]
fn every_flag_changes_what_its_command_does() {
    for row in table::rows() {
        for flag in row.flags {
            let line = match (row.names[0], flag.letter) {
                // Flag `-s` cannot be combined with the coordinates of the example.
                ("chunk", _) => "//chunk",
                // Some flags only act with some tools.
                ("shape", 'i') => "//shape add 6",
                ("shape", 'y' | 'd') => "//shape flatten 6",
                _ => row.example,
            };
            let value = sample_value(flag);
            let with = format!("{line} -{}{value}", flag.letter);
            assert!(effect(line) != effect(&with), "{with}");
        }
    }
}

#[test]
fn every_optional_word_changes_what_its_command_does() {
    for (without, with) in [
        ("//pos1", "//pos1 1,2,3"),
        ("//pos2", "//pos2 1,2,3"),
        ("//sel", "//sel sphere"),
        ("//chunk", "//chunk 40,0,0"),
        ("//expand 3", "//expand 3 2"),
        ("//expand 3", "//expand 3 up"),
        ("//contract 3 up", "//contract 3 2 up"),
        ("//contract 3", "//contract 3 up"),
        ("//shift 3", "//shift 3 up"),
        ("//trim", "//trim stone"),
        ("//replace lamp", "//replace stone lamp"),
        ("//hollow", "//hollow 2"),
        ("//hollow", "//hollow lamp"),
        ("//smooth", "//smooth 3"),
        ("//smooth", "//smooth #existing"),
        ("//shape smooth", "//shape smooth 5"),
        ("//shape grow 4", "//shape grow 4 lamp"),
        ("//line lamp", "//line lamp 2"),
        ("//curve lamp", "//curve lamp 2"),
        ("//cyl lamp 4", "//cyl lamp 4 5"),
        ("//hcyl lamp 4", "//hcyl lamp 4 5"),
        ("//cone lamp 5", "//cone lamp 5 6"),
        ("//cut", "//cut lamp"),
        ("//rotate 90", "//rotate 90 90"),
        ("//rotate 90", "//rotate 90 0 90"),
        ("//flip", "//flip up"),
        ("//stack", "//stack 2"),
        ("//stack", "//stack down"),
        ("//move", "//move 2"),
        ("//move", "//move down"),
        ("//move", "//move lamp"),
        ("//move 2", "//move 2 lamp"),
        ("//move lamp", "//move 50%lamp,50%stone"),
        ("//hollow", "//hollow 50%lamp,50%stone"),
        ("//move 1 up", "//move 1 up lamp"),
        ("//replacenear 3 lamp", "//replacenear 3 stone lamp"),
        ("//removenear stone", "//removenear stone 3"),
        ("//removeabove", "//removeabove 3"),
        ("//removebelow", "//removebelow 3"),
        ("//removebelow 3", "//removebelow 3 4"),
        ("//green", "//green 20"),
        ("//snow", "//snow 20"),
        ("//fill lamp 9", "//fill lamp 9 2"),
        ("//fillr lamp 9", "//fillr lamp 9 1"),
        ("//help", "//help set"),
    ] {
        assert!(effect(without) != effect(with), "{with}");
    }
}

#[test]
fn arguments_that_exclude_each_other_are_refused() {
    for (text, message) in [
        ("//chunk -s 1,2,3", "1,2,3 has no effect with -s"),
        ("//outset -h -v 3", "-h has no effect with -v"),
        ("//inset -vh 3", "-h has no effect with -v"),
        ("//region list tower", "tower has no effect after list"),
        ("//region undo tower", "tower has no effect after undo"),
        ("//region redo tower", "tower has no effect after redo"),
        ("//shape erode 4 stone", "stone has no effect with erode"),
        ("//shape -i erode 4", "-i has no effect with erode"),
        ("//shape paint 4 stone -i", "-i has no effect with paint"),
        ("//shape smooth -f 20", "-f has no effect without RADIUS"),
        ("//shape smooth -p", "-p has no effect without RADIUS"),
        ("//shape smooth 4 -y 20", "-y has no effect with smooth"),
        ("//shape level 4 -d up", "-d has no effect with level"),
        ("//shape flatten 4 -d up -y 3", "-d has no effect with -y"),
        ("//shape paint 4", "paint needs a PATTERN, such as //shape paint 5 stone"),
        ("//shape slope", "slope needs a RADIUS, such as //shape slope 5"),
        ("//shape add 4 torch", "\"torch\" is no ground: solid blocks are"),
        ("//shape grow 4 water", "\"water\" is no ground"),
        ("//shape paint 4 air", "\"air\" is no ground"),
        ("//shape add 4 oak_log,torch", "\"oak_log,torch\" is no ground"),
        ("//shape add 4 #clouds[9][air,water]", "\"#clouds[9][air,water]\" is no ground"),
        ("//shape add 4 stone:200", "\"stone:200\": of new ground, only the material"),
        ("//shape add 4 dirt,sand:9~water", "\"dirt,sand:9~water\": of new ground, only"),
        ("//shift 3 up,down", "\"up,down\" leads nowhere"),
        ("//shift 3 all", "\"all\" leads nowhere"),
        ("//expand 3 up,u", "\"up,u\" gives a direction twice"),
        ("//expand 3 n,forward", "\"n,forward\" gives a direction twice"),
        ("//expand 3 all,up", "\"all,up\" gives a direction twice"),
    ] {
        let mut console = Console::new(IVec3::ZERO);
        console.set_selection(Selection::from(Box3::spanning(IVec3::ZERO, IVec3::splat(9))));
        let before = console.selection().clone();
        let Err(error) = task(&mut console, text) else { panic!("{text} is accepted") };
        assert!(error.to_string().starts_with(message), "{text}: {error}");
        assert_eq!(*console.selection(), before, "{text}");
    }
}

#[test]
fn argument_that_fits_no_parameter_is_named_with_reason() {
    for (text, message) in [
        (
            "//move nroth",
            "\"nroth\" is no direction and no pattern: there is no material \"nroth\"",
        ),
        (
            "//move 3 up,down",
            "\"up,down\" is no direction and no pattern: there is no material \"up\"",
        ),
        ("//move 3x", "\"3x\" is no number and no pattern: there is no material \"3x\""),
        ("//move 3x up", "\"3x\" is no whole number from 0"),
        ("//move lamp up", "\"up\" is one argument too many; expected //move"),
        ("//move up 3", "there is no material \"3\""),
        ("//move 3 up lamp stone", "\"stone\" is one argument too many; expected //move"),
        ("//stack lamp", "\"lamp\" is no direction; there are up"),
        ("//stack 2 nroth", "\"nroth\" is no direction; there are up"),
        ("//stack 99999", "\"99999\" is no whole number from 1 to 10000"),
        ("//stack up 2", "\"2\" is one argument too many; expected //stack"),
        ("//expand 5 sideways", "\"sideways\" is no direction; there are up"),
        ("//expand 5 2x", "\"2x\" is no whole number from 0"),
        ("//expand 5 up 2", "\"2\" is one argument too many"),
        ("//hollow lmap", "there is no material \"lmap\"; did you mean lamp"),
        ("//hollow 2x", "\"2x\" is no number and no pattern"),
        ("//smooth 3x", "\"3x\" is no number and no mask"),
        (
            "//shape smoth 5",
            "\"smoth\" is no tool; there are add, erode, grow, shrink, smooth, flatten, level",
        ),
        ("//shape -s grow 5", "\"grow\" is no strength in percent from 1 to 100"),
        ("//shape smooth 65", "\"65\" is no size from 0 to 64"),
        ("//shape smooth 5 -s 0", "\"0\" is no strength in percent from 1 to 100"),
        ("//shape smooth 5 -f 101", "\"101\" is no falloff in percent from 0 to 100"),
        ("//shape smooth 5 -n x", "\"x\" is no number of passes from 1 to 1000"),
        ("//shape smooth 5 -b cone", "\"cone\" is no form; there are ball, cube, cylinder"),
        ("//shape flatten 5 -d abve", "\"abve\" is no direction; there are up"),
        ("//rotate 90 up", "\"up\" is no whole number"),
        ("//cyl stone 5 tall", "\"tall\" is no height from 1 to 1024"),
        ("//pos1 here", "\"here\" is no place in the world"),
        ("//flip lamp", "\"lamp\" is no direction"),
        ("//undo all", "\"all\" is no number of steps"),
        ("//size lamp", "\"lamp\" is one argument too many; expected //size"),
    ] {
        let error = parse(text).expect_err(text).to_string();
        assert!(error.starts_with(message), "{text}: {error}");
    }
}
