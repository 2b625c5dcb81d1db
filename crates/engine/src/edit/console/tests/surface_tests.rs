//! The command for the surface of a material.

use super::*;
use crate::voxel::{SurfaceChange, SurfaceRule};

/// The task of a command on these materials.
fn surface_task(text: &str, materials: &MaterialTable) -> SurfaceTask {
    let command = ConsoleCommand::parse(text, materials).expect(text);
    match Console::new(IVec3::ZERO).task(&command, materials) {
        Ok(ConsoleTask::Surface(task)) => task,
        Ok(_) => panic!("{text} changes no surface"),
        Err(error) => panic!("{text}: {error}"),
    }
}

#[test]
fn surfaces_are_changed_and_said() {
    let mut materials = MaterialTable::builtin();
    let stone = materials.find("stone").unwrap();
    let say = |text: &str, materials: &MaterialTable| {
        let command = ConsoleCommand::parse(text, materials).unwrap();
        match Console::new(IVec3::ZERO).task(&command, materials) {
            Ok(ConsoleTask::Answer(answer)) => answer,
            _ => panic!("{text} has no answer"),
        }
    };
    assert_eq!(say("//surface stone", &materials), "stone is cube");
    let mut before = SurfaceRule::Cube;
    for (words, after) in [
        ("smooth", SurfaceRule::Smooth),
        ("facet", SurfaceRule::Facet),
        ("rough 0", SurfaceRule::Rough(0)),
        ("rough 127", SurfaceRule::Rough(127)),
        ("terrace 1", SurfaceRule::Terrace(1)),
        ("terrace 16", SurfaceRule::Terrace(16)),
        ("cube", SurfaceRule::Cube),
    ] {
        let text = format!("//surface stone {words}");
        let task = surface_task(&format!(" {text} "), &materials);
        assert_eq!(task.change, SurfaceChange { material: stone, before, after }, "{text}");
        assert_eq!(task.name, text);
        assert_eq!(task.answer, format!("stone is {words}; it was {before}"));
        materials.set_surface(stone, after).unwrap();
        assert_eq!(say(&text, &materials), format!("stone is {words} already"));
        assert_eq!(say("//surface stone", &materials), format!("stone is {words}"));
        before = after;
    }
}

#[test]
fn wrong_surfaces_are_refused_with_what_is_allowed() {
    for (text, message) in [
        ("//surface", "expected //surface MATERIAL [SURFACE] [AMOUNT]"),
        ("//surface stne", "there is no material \"stne\"; did you mean stone"),
        ("//surface stone:9 smooth", "there is no material \"stone:9\""),
        (
            "//surface stone soft",
            "\"soft\" is no surface; there are cube, smooth, facet, rough, terrace",
        ),
        ("//surface stone rough", "expected //surface MATERIAL rough AMOUNT, AMOUNT from 0 to 127"),
        (
            "//surface stone terrace",
            "expected //surface MATERIAL terrace AMOUNT, AMOUNT from 1 to 16",
        ),
        ("//surface stone rough 128", "\"128\" is no amount from 0 to 127"),
        ("//surface stone rough -1", "\"-1\" is no amount from 0 to 127"),
        ("//surface stone terrace 0", "\"0\" is no number of steps from 1 to 16"),
        ("//surface stone terrace 300", "\"300\" is no number of steps from 1 to 16"),
        ("//surface stone rough 1.5", "\"1.5\" is no whole number"),
        ("//surface stone rough much", "\"much\" is no whole number"),
        ("//surface stone smooth 3", "3 has no effect with smooth"),
        ("//surface stone cube 3", "3 has no effect with cube"),
        ("//surface stone smooth 3 4", "\"4\" is one argument too many"),
        ("//surface water smooth", "\"water\" is no solid block, so its surface cannot be changed"),
        ("//surface tall_grass facet", "\"tall_grass\" is no solid block"),
        ("//surface torch rough 3", "\"torch\" is no solid block"),
        ("//surface air smooth", "\"air\" is no solid block"),
    ] {
        let Err(error) = task(&mut Console::new(IVec3::ZERO), text) else {
            panic!("{text} is accepted")
        };
        assert!(error.to_string().starts_with(message), "{text}: {error}");
    }
}

#[test]
fn answer_warns_of_smooth_ground_that_is_too_thin_to_be_drawn() {
    let said = |text: &str, materials: &MaterialTable| {
        let mut console = Console::new(IVec3::ZERO);
        let corner = Box3::spanning(IVec3::ZERO, IVec3::splat(4));
        console.set_selection(Selection::from(corner));
        let command = ConsoleCommand::parse(text, materials).expect(text);
        let Ok(ConsoleTask::Job(job)) = console.task(&command, materials) else { panic!("{text}") };
        job.run(&World::new(), 0, &JobProgress::default()).unwrap().answer
    };
    let smooth = MaterialTable::builtin_smooth();
    for text in ["//set sand:127", "//walls sand:1~water", "//set 9%sand:90,stone"] {
        let warning = "; smooth ground below half a voxel (128) shows only beside fuller ground";
        assert!(said(text, &smooth).ends_with(warning), "{text}: {}", said(text, &smooth));
        assert!(said(text, &MaterialTable::builtin()).ends_with(" changed"), "{text}");
    }
    for text in ["//set sand:128", "//set snow", "//set water:9", "//set oak_planks:9", "//cut"] {
        assert!(!said(text, &smooth).contains("fuller ground"), "{text}");
    }
}

#[test]
fn materials_that_can_be_shaped_and_surfaces_are_completed() {
    let mut materials = MaterialTable::builtin();
    let stone = materials.find("stone").unwrap();
    materials.set_surface(stone, SurfaceRule::Rough(40)).unwrap();
    let completed = |text: &str| {
        let choices = complete(text, &materials).choices;
        choices.into_iter().map(|choice| (choice.text, choice.hint)).collect::<Vec<_>>()
    };
    assert_eq!(completed("//surface ston")[0], ("stone".to_owned(), "rough 40".to_owned()));
    assert!(completed("//surface water").is_empty());
    let surfaces: Vec<String> =
        completed("//surface stone ").into_iter().map(|(text, _)| text).collect();
    assert_eq!(surfaces, ["cube", "facet", "rough", "smooth", "terrace"].map(str::to_owned));
    assert_eq!(completed("//surface stone fa")[0].0, "facet");
}
