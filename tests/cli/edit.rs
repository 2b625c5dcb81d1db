//! `stonerun edit`: builds in a map without the game.

use crate::common::Sandbox;
use glam::IVec3;
use serde_json::Value;
use stonerun_engine::save::{Header, MapChanges, MapFile};
use stonerun_engine::voxel::{ChunkPos, SurfaceRule, linear_index, local};

/// Name of the material at a position of the stored map.
fn material(place: &Sandbox, at: IVec3) -> String {
    let map = MapFile::open_read_only(&place.file("saves/home.stonerun")).unwrap().map;
    let chunk = map.load(ChunkPos::containing(at)).unwrap().expect("a stored chunk");
    map.materials().get(chunk.get(linear_index(local(at))).material()).unwrap().name.clone()
}

#[test]
fn commands_build_and_are_undone_across_calls() {
    let place = Sandbox::with_home();
    let json =
        |arguments: &[&str]| serde_json::from_str::<Value>(&place.run(arguments).done()).unwrap();
    let box_of = ["edit", "home", "//pos1 0,100,0", "//pos2 39,109,9"];
    let run = |commands: &[&str]| place.run(&[&box_of[..], commands].concat()).done();
    let said = run(&[
        "//set marble",
        "//replace marble 1%stone,1%granite",
        "//count stone,granite",
        "//walls lamp",
    ]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "//pos1 0,100,0: corner 1 is 0, 100, 0");
    assert_eq!(
        lines[1],
        "//pos2 39,109,9: corner 2 is 39, 109, 9: 40 x 10 x 10 voxels, 4,000 in all"
    );
    assert_eq!(lines[2], "//set marble: 4,000 voxels changed");
    assert_eq!(lines[3], "//replace marble 1%stone,1%granite: 4,000 voxels changed");
    assert_eq!(lines[4], "//count stone,granite: 4,000 voxels");
    assert_eq!(lines[5], "//walls lamp: 960 voxels changed");
    assert_eq!(material(&place, IVec3::new(0, 105, 5)), "lamp");
    assert!(["stone", "granite"].contains(&material(&place, IVec3::new(20, 105, 5)).as_str()));

    let counted = |commands: &[&str]| json(&[&box_of[..], commands, &["--json"]].concat());
    assert_eq!(counted(&["//count lamp"])[2]["voxels"], 960);
    assert_eq!(place.run(&["edit", "home", "//undo"]).done(), "//undo: 1 step undone\n");
    assert_eq!(counted(&["//count lamp"])[2]["voxels"], 0);
    let stone = counted(&["//count stone"])[2]["voxels"].as_u64().unwrap();
    assert!((1800..2200).contains(&stone), "{stone}");
    assert_eq!(place.run(&["edit", "home", "//undo 9"]).done(), "//undo 9: 2 steps undone\n");
    assert_eq!(material(&place, IVec3::new(20, 105, 5)), "air");
    assert_eq!(place.run(&["edit", "home", "//redo 2"]).done(), "//redo 2: 2 steps redone\n");
    assert_eq!(counted(&["//count stone"])[2]["voxels"], stone);
    place.run(&["verify", "home"]).done();
}

#[test]
fn edit_and_time_note_when_they_saved() {
    let place = Sandbox::with_home();
    let path = place.file("saves/home.stonerun");
    let saved_unix = || MapFile::open_read_only(&path).unwrap().map.header().saved_unix;
    for arguments in [
        &["edit", "home", "//pos1 0,0,0", "//pos2 1,1,1", "//set lamp"][..],
        &["time", "home", "12"],
    ] {
        let mut map = MapFile::open(&path).unwrap().map;
        let header = Header { saved_unix: 5, ..map.header().clone() };
        let materials = map.materials().clone();
        map.save(&MapChanges::new(Vec::new(), header, materials)).unwrap();
        map.close().unwrap();
        place.run(arguments).done();
        assert_ne!(saved_unix(), 5, "{arguments:?}");
    }
}

#[test]
fn command_that_fails_leaves_the_map_as_it_was() {
    let place = Sandbox::with_home();
    let path = place.file("saves/home.stonerun");
    // The content is compared, because opening a map for writing changes bytes of its file.
    let content = || {
        let map = MapFile::open_read_only(&path).unwrap().map;
        let chunks: Vec<_> =
            map.positions().into_iter().map(|pos| (pos, map.load(pos).unwrap())).collect();
        (map.header().clone(), map.history().unwrap(), chunks)
    };
    let before = content();
    for (commands, message) in [
        (
            &["//pos1 0,0,0", "//pos2 9,9,9", "//set stone", "//set stoone"][..],
            "//set stoone: there is no material",
        ),
        (
            &["//pos1 0,0,0", "//set stone"],
            "//set stone: nothing is selected: set a corner with //pos2",
        ),
        (
            &["//pos1 0,0,0", "//pos2 9,9,9", "//set stone", "//pos2 9000,900,9000", "//set stone"],
            "//set stone: the region is too large",
        ),
        (
            &[
                "//pos1 -1000000000,-1000000000,-1000000000",
                "//pos2 1000000000,1000000000,1000000000",
                "//faces stone",
            ],
            "//faces stone: the region is too large",
        ),
        (&["set stone"], "set stone: there is no command \"set\"; did you mean //set"),
        (&[""], ": there is no command \"\""),
        (&["//sphere stone -3"], "//sphere stone -3: \"-3\" is no radius"),
        (&["//expand 99999999999"], "//expand 99999999999: \"99999999999\" is no whole number"),
        (
            &["//pos1 0,0,0", "//expand 1073741823 up"],
            "//expand 1073741823 up: nothing is selected",
        ),
        (&["//paste"], "//paste: the clipboard is empty"),
        (&["//set stone,!dirt"], "//set stone,!dirt: there is no material \"!dirt\""),
    ] {
        let line = place.run(&[&["edit", "home"], commands].concat()).failed();
        assert!(line.starts_with(&format!("stonerun: saves/home.stonerun: {message}")), "{line}");
        assert!(content() == before, "{commands:?}");
    }
    place.run(&["edit", "home"]).usage();
    let line = place.run(&["edit", "nowhere", "//size"]).failed();
    assert!(line.contains("nowhere"), "{line}");
}

#[test]
fn chunks_that_the_map_lacks_are_generated_before_they_are_edited() {
    let place = Sandbox::with_home();
    let far = "//pos1 4000,-40,4000";
    let said = place
        .run(&["edit", "home", far, "//pos2 4031,-33,4031", "//replace air lamp", "//count lamp"])
        .done();
    assert!(said.lines().last().unwrap().starts_with("//count lamp: "), "{said}");
    let said = place
        .run(&["edit", "home", "//pos1 4000,200,4000", "//pos2 4001,201,4001", "//set lamp"])
        .done();
    assert!(said.ends_with("//set lamp: 8 voxels changed\n"), "{said}");
    assert_eq!(material(&place, IVec3::new(4000, 200, 4000)), "lamp");
}

#[test]
fn script_is_run_line_by_line() {
    let place = Sandbox::with_home();
    let script = place.file("house.txt");
    let lines = "# a house\n\n//pos1 0,100,0\n  //pos2 9,104,9\n//walls oak_planks\n//copy\n//expand 5 up\n";
    std::fs::write(&script, lines).unwrap();
    let run = |arguments: &[&str]| {
        place.run(&[&["edit", "home", "--file", "house.txt"], arguments].concat())
    };
    let said = run(&["//count oak_planks", "//distr"]).done();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[2], "//walls oak_planks: 180 voxels changed");
    assert_eq!(lines[5], "//count oak_planks: 180 voxels");
    assert!(lines[7].contains("82.000%") && lines[7].ends_with("air"), "{}", lines[7]);
    assert_eq!(place.run(&["edit", "home", "//undo"]).done(), "//undo: 1 step undone\n");

    std::fs::write(&script, "//pos1 0,100,0\n\n//set stoone\n").unwrap();
    let line = run(&[]).failed();
    assert!(
        line.starts_with("stonerun: house.txt:3: //set stoone: there is no material"),
        "{line}"
    );
    std::fs::write(&script, "//pos1 0,100,0\n//set stone\n").unwrap();
    let line = run(&[]).failed();
    assert!(line.starts_with("stonerun: house.txt:2: //set stone: nothing is selected"), "{line}");
    std::fs::write(&script, [0xFF, 0xFE, 0]).unwrap();
    assert!(run(&[]).failed().starts_with("stonerun: house.txt: "));
    std::fs::File::create(&script).unwrap().set_len(17 << 20).unwrap();
    assert_eq!(
        run(&[]).failed().trim(),
        "stonerun: house.txt: larger than 16,777,216 bytes, the limit"
    );
    let line = place.run(&["edit", "home", "--file", "nothing.txt"]).failed();
    assert!(line.starts_with("stonerun: nothing.txt: "), "{line}");
}

#[test]
fn terrain_is_generated_again() {
    let place = Sandbox::with_home();
    let selected = ["edit", "home", "//pos1 0,0,0", "//pos2 40,60,40"];
    let run = |commands: &[&str]| place.run(&[&selected[..], commands].concat()).done();
    let before = run(&["//distr"]);
    run(&["//set lamp"]);
    run(&["//regen"]);
    assert_eq!(run(&["//distr"]), before);
}

#[test]
fn surfaces_of_materials_are_changed_and_undone_across_calls() {
    let place = Sandbox::with_home();
    let run = |commands: &[&str]| place.run(&[&["edit", "home"], commands].concat()).done();
    let surface = || {
        let map = MapFile::open_read_only(&place.file("saves/home.stonerun")).unwrap().map;
        let materials = map.materials();
        materials.get(materials.find("stone").unwrap()).unwrap().surface
    };
    let said = run(&[
        "//surface stone",
        "//surface stone facet",
        "//pos1 0,100,0",
        "//pos2 1,101,1",
        "//set lamp",
        "//surface stone rough 40",
        "//surface stone",
    ]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "//surface stone: stone is cube");
    assert_eq!(lines[1], "//surface stone facet: stone is facet; it was cube");
    assert_eq!(lines[5], "//surface stone rough 40: stone is rough 40; it was facet");
    assert_eq!(lines[6], "//surface stone: stone is rough 40");
    assert_eq!(surface(), SurfaceRule::Rough(40));
    // In order with the edit of voxels.
    run(&["//undo"]);
    assert_eq!(surface(), SurfaceRule::Facet);
    run(&["//undo"]);
    assert_eq!(material(&place, IVec3::new(0, 100, 0)), "air");
    assert_eq!(surface(), SurfaceRule::Facet);
    run(&["//undo"]);
    assert_eq!(surface(), SurfaceRule::Cube);
    assert_eq!(run(&["//redo 3"]), "//redo 3: 3 steps redone\n");
    assert_eq!(surface(), SurfaceRule::Rough(40));
    assert_eq!(material(&place, IVec3::new(0, 100, 0)), "lamp");
    place.run(&["verify", "home"]).done();
    for (command, message) in [
        ("//surface stoone smooth", "there is no material \"stoone\"; did you mean stone"),
        ("//surface stone rough 128", "\"128\" is no amount from 0 to 127"),
        ("//surface water smooth", "\"water\" is no solid block, so its surface cannot be changed"),
    ] {
        let line = place.run(&["edit", "home", "//surface stone cube", command]).failed();
        let expected = format!("stonerun: saves/home.stonerun: {command}: {message}");
        assert!(line.starts_with(&expected), "{line}");
        assert_eq!(surface(), SurfaceRule::Rough(40), "nothing is saved");
    }
}

#[test]
fn regions_are_kept_by_name_across_calls() {
    let place = Sandbox::with_home();
    let run = |commands: &[&str]| place.run(&[&["edit", "home"], commands].concat()).done();
    let said = run(&[
        "//pos1 0,90,0",
        "//pos2 9,99,9",
        "//region save tower",
        "//expand 5 up",
        "//region save Tower",
    ]);
    assert!(said.ends_with("//region save Tower: region \"Tower\" replaced\n"), "{said}");
    let said = run(&["//region load TOWER", "//set marble", "//undosel", "//region list"]);
    assert!(
        said.contains("//region load TOWER: selected: 10 x 15 x 10 voxels, 1,500 in all\n"),
        "{said}"
    );
    assert!(
        said.contains("//set marble: 1,500 voxels changed\n//undosel: nothing is selected\n"),
        "{said}"
    );
    assert!(said.contains("//region list: Tower: "), "{said}");
    let failed = place.run(&["edit", "home", "//rules off"]).failed();
    assert!(failed.contains("//rules off: only the game has this command"), "{failed}");
    // A command that fails saves nothing, and the error says what is missing.
    let failed =
        place.run(&["edit", "home", "//region delete tower", "//region load tower"]).failed();
    assert!(failed.contains("//region load tower: there is no region \"tower\""), "{failed}");
    assert_eq!(
        run(&["//region delete tower", "//region list"]).lines().last(),
        Some("//region list: the map has no named regions")
    );
    place.run(&["verify", "home"]).done();
}

#[test]
fn shapes_are_kept_undone_and_exported() {
    let place = Sandbox::with_home();
    let at = IVec3::new(0, 100, 0);
    let box_of = ["edit", "home", "//pos1 0,100,0", "//pos2 0,100,0"];
    let run = |commands: &[&str]| place.run(&[&box_of[..], commands].concat()).done();
    run(&["//set oak_planks[stairs,top]", "//replace oak_planks:stairs bricks:stairs"]);
    assert_eq!(material(&place, at), "bricks[stairs,north,top]");
    assert_eq!(place.run(&["edit", "home", "//undo"]).done(), "//undo: 1 step undone\n");
    assert_eq!(material(&place, at), "oak_planks[stairs,north,top]");
    // A schematic has the stairs of Minecraft, and gives them back.
    let corner = ["--from", "0,100,0", "--to", "0,100,0"];
    let exported = place.run(&[&["export", "home", "one.schem"][..], &corner].concat());
    assert_eq!((exported.code, exported.err.as_str()), (0, ""), "nothing is lost");
    place.run(&["import", "one.schem", "again"]).done();
    let again = MapFile::open_read_only(&place.file("saves/again.stonerun")).unwrap().map;
    assert!(again.materials().find("oak_planks[stairs,north,top]").is_some());
    let refused = place.run(&["edit", "home", "//set bricks[stares]"]).failed();
    assert!(refused.contains("\"stares\" is no shape; did you mean stairs?"), "{refused}");
    let refused = place.run(&["edit", "home", "//pos1 0,0,0", "//set water[slab]"]).failed();
    assert!(refused.contains("\"water\" has no shapes"), "{refused}");
    place.run(&["verify", "home"]).done();
}
