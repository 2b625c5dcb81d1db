//! Tests of random patterns and masks.

use super::*;

/// A console that has selected a cube of 4,096 voxels, and its world.
fn cube() -> (Console, World) {
    let mut console = Console::new(IVec3::ZERO);
    console.set_selection(Selection::from(Box3::spanning(IVec3::ZERO, IVec3::splat(15))));
    let mut world = World::new();
    world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
    (console, world)
}

#[test]
fn random_patterns_and_masks_choose_independently() {
    let (mut console, mut world) = cube();
    let mut shares = |commands: &[&str], counted: &str| {
        for command in commands {
            run(&mut console, &mut world, command);
        }
        run(&mut console, &mut world, &format!("//count {counted}"))
    };
    let quarter = 900..1150;
    let stone = ["//set 50%stone,50%dirt", "//replace stone 50%glass,50%ice"];
    assert!(quarter.contains(&shares(&stone, "glass")), "a pattern on the mask of another");
    assert!(
        quarter.contains(&shares(&["//set dirt", "//set -m %50 50%lamp,50%dirt"], "lamp")),
        "in one command"
    );
    assert!(quarter.contains(&shares(&["//set dirt", "//replace %50 50%lamp,50%dirt"], "lamp")));
    assert!(
        quarter.contains(&shares(&["//set dirt", "//set -m \"%50 %50\" lamp"], "lamp")),
        "two masks"
    );
    let twice = ["//set dirt", "//set -m %50 stone", "//set -m %50 dirt"];
    assert!(quarter.contains(&shares(&twice, "stone")), "the same words again");
}

#[test]
fn random_command_repeats_its_choices_as_the_same_step_only() {
    for text in [
        "//set 50%stone,50%dirt",
        "//set #clouds[5][stone,dirt]",
        "//set -m #clouds[5][0][50] stone",
    ] {
        let set = |step: u64, before: &[&str]| {
            let (mut console, mut world) = cube();
            console.set_next_step(step);
            for text in before {
                run(&mut console, &mut world, text);
            }
            run(&mut console, &mut world, "//set air");
            run(&mut console, &mut world, text);
            world.chunk(ChunkPos::default()).cloned()
        };
        assert_eq!(set(7, &[]), set(7, &["//set stone"]), "{text}: nothing was random before");
        assert_ne!(set(7, &[]), set(8, &[]), "{text}");
        assert_ne!(
            set(7, &[]),
            set(7, &[text]),
            "{text}: a command that is not in the history yet"
        );
    }
}

#[test]
fn equal_pattern_and_mask_draw_different_seeds() {
    // With equal seeds, pattern and mask would choose the same positions: all of one material, or
    // none.
    for (pattern, mask) in [
        ("50%stone,50%dirt", "%50"),
        ("#clouds[4][stone,dirt]", "#clouds[4][0][50]"),
        ("#gradient[x][-400][400][stone,dirt]", "%50"),
    ] {
        let second = pattern.replace("stone", "glass").replace("dirt", "ice");
        let (mut console, mut world) = cube();
        run(&mut console, &mut world, &format!("//set {pattern}"));
        let stone = run(&mut console, &mut world, "//count stone");
        run(&mut console, &mut world, &format!("//replace stone {second}"));
        let glass = run(&mut console, &mut world, "//count glass");
        assert!(glass > stone / 5 && glass < stone * 4 / 5, "{pattern}: {glass} of {stone}");
        run(&mut console, &mut world, "//set dirt");
        run(&mut console, &mut world, &format!("//set -m {mask} {pattern}"));
        let changed = run(&mut console, &mut world, "//count stone");
        assert!((500..1600).contains(&changed), "{mask} and {pattern}: {changed}");
    }
}

#[test]
fn seeds_differ_by_user_step_and_repetition() {
    let users = [SeedUser::Console, SeedUser::Panel, SeedUser::Line, SeedUser::Brush];
    let mut drawn = std::collections::HashSet::new();
    for user in users {
        for step in 0..20 {
            for before in 0..5 {
                let seeds = Seeds::from_step(user, step, before);
                for number in 0..4 {
                    assert!(
                        drawn.insert(seeds.draw()),
                        "{user:?}, step {step}, {before} before, draw {number}"
                    );
                }
            }
        }
    }
}
