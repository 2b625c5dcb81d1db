//! Tests of the selection history, named regions, and the clipboard as a pattern.

use super::*;
use crate::edit::region::made;
use crate::save::{Header, MapChanges, MapFile};

fn bounds(console: &Console) -> Option<Box3> {
    console.selection().bounds().ok()
}

#[test]
fn selections_of_commands_tools_and_jobs_are_undone_and_redone() {
    let mut console = Console::new(IVec3::ZERO);
    assert_eq!(answer(&mut console, "//undosel"), "there is no earlier selection");
    for text in ["//pos1 0,0,0", "//pos2 9,9,9", "//expand 5 up", "//size", "//chunk 40,0,0"] {
        answer(&mut console, text);
    }
    let chunk = bounds(&console);
    assert!(answer(&mut console, "//undosel").starts_with("selected: 10 x 15 x 10"));
    assert!(answer(&mut console, "//undosel").starts_with("selected: 10 x 10 x 10"));
    assert_eq!(answer(&mut console, "//undosel 9"), "nothing is selected");
    assert_eq!(answer(&mut console, "//undosel"), "there is no earlier selection");
    answer(&mut console, "//redosel 4");
    assert_eq!(bounds(&console), chunk);
    assert_eq!(answer(&mut console, "//redosel"), "there is no later selection");
    // The history also records selections by other tools and by jobs.
    console.set_selection(Selection::from(Box3::spanning(IVec3::ZERO, IVec3::ONE)));
    let mut world = World::new();
    run(&mut console, &mut world, "//set stone");
    run(&mut console, &mut world, "//stack -s 3 up");
    assert_eq!(bounds(&console), Some(Box3::spanning(IVec3::new(0, 6, 0), IVec3::new(1, 7, 1))));
    answer(&mut console, "//undosel");
    assert_eq!(bounds(&console), Some(Box3::spanning(IVec3::ZERO, IVec3::ONE)));
    answer(&mut console, "//undosel");
    assert_eq!(bounds(&console), chunk);
    // A failed command changes nothing.
    assert!(answer(&mut console, "//expand 5 sideways").contains("no direction"));
    answer(&mut console, "//redosel");
    assert_eq!(bounds(&console), Some(Box3::spanning(IVec3::ZERO, IVec3::ONE)));
}

#[test]
fn clipboard_as_pattern_repeats_in_all_directions() {
    let mut console = Console::new(IVec3::ZERO);
    let mut world = World::new();
    let select = |console: &mut Console, a: [i32; 3], b: [i32; 3]| {
        console.set_selection(Selection::from(Box3::spanning(a.into(), b.into())));
    };
    select(&mut console, [0; 3], [9; 3]);
    assert!(answer(&mut console, "//set #clipboard").starts_with("the clipboard is empty"));
    select(&mut console, [0, 0, 0], [1, 0, 0]);
    run(&mut console, &mut world, "//set #checker[1][stone,dirt]");
    run(&mut console, &mut world, "//copy");
    select(&mut console, [-10, 5, 3], [9, 5, 3]);
    assert_eq!(run(&mut console, &mut world, "//set #clipboard"), 20);
    let at = |world: &World, x: i32| world.get(IVec3::new(x, 5, 3));
    assert!((-10..10).all(|x| at(&world, x) == full(if x % 2 == 0 { "stone" } else { "dirt" })));
    assert_eq!(run(&mut console, &mut world, "//replace stone #copy@[-3,0,0]"), 10);
    assert!((-10..10).all(|x| at(&world, x) == full("dirt")));
}

#[test]
fn regions_are_saved_selected_listed_and_deleted_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let header = Header::new(1, "void", 0);
    let path = folder.path().join("home.stonerun");
    let mut map = MapFile::create(&path, &header, &MaterialTable::builtin()).unwrap();
    let mut console = Console::new(IVec3::ZERO);
    let changes = std::cell::RefCell::new(Vec::new());
    let say = |console: &mut Console, map: &MapFile, text: &str| {
        let region = match task(console, text) {
            Ok(ConsoleTask::Region(region)) => region,
            Ok(ConsoleTask::Job(job)) => {
                let outcome = job.run(&World::new(), 0, &JobProgress::default()).unwrap();
                console.accept(&outcome);
                outcome.region_task().expect("a command about regions").clone()
            }
            Ok(_) => panic!("{text} is no command about regions"),
            Err(error) => return error.to_string(),
        };
        let made = made::count();
        match region.run(console, &map.reader().unwrap()) {
            Ok(RegionOutcome::Done { answer, change }) => {
                changes.borrow_mut().extend(change);
                answer
            }
            Ok(RegionOutcome::Job(job)) => {
                assert_eq!(made::count(), made, "{text}");
                match job.run(&World::new(), 0, &JobProgress::default()) {
                    Ok(outcome) => {
                        console.accept(&outcome);
                        outcome.answer
                    }
                    Err(error) => error.to_string(),
                }
            }
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(say(&mut console, &map, "//region list"), "the map has no named regions");
    assert!(say(&mut console, &map, "//region save tower").starts_with("nothing is selected"));
    assert_eq!(say(&mut console, &map, "//region save"), "expected //region save NAME");
    assert!(
        say(&mut console, &map, "//region build tower").contains("is no action; there are save, ")
    );
    assert_eq!(say(&mut console, &map, "//region list tower"), "tower has no effect after list");
    assert!(say(&mut console, &map, "//region save \" \"").contains("is no name"));
    answer(&mut console, "//sel sphere");
    answer(&mut console, "//pos1 -5,60,40");
    answer(&mut console, "//pos2 -5,66,40");
    let ball = console.selection().region().unwrap();
    assert_eq!(say(&mut console, &map, "//region save \"the  Dome\""), "region \"the Dome\" saved");
    answer(&mut console, "//sel cuboid");
    answer(&mut console, "//chunk 0,0,0");
    assert_eq!(say(&mut console, &map, "//rg save base"), "region \"base\" saved");
    answer(&mut console, "//shift 1 up");
    assert_eq!(say(&mut console, &map, "//rg define Base"), "region \"Base\" replaced");
    let names = |said: String| {
        said.lines().map(|line| line.split(':').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // Before and after the changes are saved to the map file.
    for is_saved in [false, true] {
        if is_saved {
            console = Console::new(IVec3::ZERO);
        }
        assert_eq!(names(say(&mut console, &map, "//region list")), ["Base", "the Dome"]);
        assert!(say(&mut console, &map, "//region load THE DOME").contains("expected"));
        assert!(
            say(&mut console, &map, "//region load \"THE DOME\"")
                .starts_with("selected: a region in 13 x 13 x 13")
        );
        assert_eq!(console.selection().region().unwrap(), ball);
        assert!(say(&mut console, &map, "//region load bas").contains("did you mean Base"));
        say(&mut console, &map, "//region select base");
        assert_eq!(
            bounds(&console),
            Some(Box3 { min: IVec3::new(0, 1, 0), max: IVec3::new(32, 33, 32) })
        );
        // A loaded box can be resized, and undo restores the previous selection.
        answer(&mut console, "//expand 3 up");
        answer(&mut console, "//undosel 2");
        assert_eq!(console.selection().region().unwrap(), ball);
        if !is_saved {
            let save = MapChanges::new(Vec::new(), header.clone(), MaterialTable::builtin());
            map.save(&MapChanges { regions: changes.take(), ..save }).unwrap();
        }
    }
    assert_eq!(say(&mut console, &map, "//region delete BASE"), "region \"BASE\" deleted");
    assert_eq!(names(say(&mut console, &map, "//region list")), ["the Dome"]);
    assert!(
        say(&mut console, &map, "//region delete base").starts_with("there is no region \"base\"")
    );
    assert!(
        say(&mut console, &map, "//region load base").starts_with("there is no region \"base\"")
    );

    // Undo and redo go through the changes, the latest first.
    assert_eq!(
        say(&mut console, &map, "//region save \"THE DOME\""),
        "region \"THE DOME\" replaced"
    );
    assert_eq!(say(&mut console, &map, "//region undo"), "region \"the Dome\" is back as it was");
    assert_eq!(names(say(&mut console, &map, "//region list")), ["the Dome"]);
    assert_eq!(say(&mut console, &map, "//region undo"), "region \"Base\" is back as it was");
    assert_eq!(names(say(&mut console, &map, "//region list")), ["Base", "the Dome"]);
    assert_eq!(
        say(&mut console, &map, "//region undo"),
        "no change of a named region to take back"
    );
    assert_eq!(say(&mut console, &map, "//region redo"), "region \"Base\" deleted");
    assert_eq!(say(&mut console, &map, "//region redo"), "region \"THE DOME\" is back as it was");
    assert_eq!(
        say(&mut console, &map, "//region redo"),
        "no change of a named region to make again"
    );
    assert_eq!(names(say(&mut console, &map, "//region list")), ["THE DOME"]);
    // A new change drops the redo steps. Undoing the save of a new region deletes it.
    say(&mut console, &map, "//region undo");
    say(&mut console, &map, "//region save hut");
    assert_eq!(
        say(&mut console, &map, "//region redo"),
        "no change of a named region to make again"
    );
    assert_eq!(say(&mut console, &map, "//region undo"), "region \"hut\" deleted");
    let save = MapChanges::new(Vec::new(), header, MaterialTable::builtin());
    map.save(&MapChanges { regions: changes.take(), ..save }).unwrap();
    assert_eq!(names(say(&mut Console::new(IVec3::ZERO), &map, "//region list")), ["the Dome"]);
}
