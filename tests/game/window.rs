//! Plays the game as a user does: a real window on a virtual X server, with key presses and a
//! mouse.
//!
//! A map is created on the title screen, one block broken, another placed, the map saved and left;
//! then a model is imported, and the game quits. The first map must hold exactly these two edits on
//! top of generated terrain, the second exactly the model. The test needs `Xvfb`, `xdotool` and a
//! Vulkan driver. If one is missing, the test prints a note and is skipped, unless
//! `STONERUN_REQUIRE_ALL` is set, as in CI.

use crate::screen::{Ended, Screen};
use glam::IVec3;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use stonerun_engine::save::MapFile;
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::voxel::{CHUNK_VOLUME, Voxel, linear_offset};

/// Positions of controls in a window of 1280 x 720.
const NEW_MAP: (i32, i32) = (178, 235);
const IMPORT: (i32, i32) = (178, 283);
const CHOOSE: (i32, i32) = (390, 330);
const FIRST_FILE: (i32, i32) = (440, 190);
const QUIT: (i32, i32) = (178, 379);
const FLAT: (i32, i32) = (640, 442);
const LEAVE: (i32, i32) = (640, 589);

/// Imports the first file in the home folder, "cube", and leaves its map.
fn import(screen: &Screen, game: &mut Ended) {
    screen.click(IMPORT);
    screen.wait_for("Import - Stonerun", game).expect("the form opens");
    std::thread::sleep(Duration::from_secs(1));
    screen.click(CHOOSE);
    screen.wait_for("Choose a file - Stonerun", game).expect("the file dialog opens");
    // The folder is read in the background.
    std::thread::sleep(Duration::from_secs(1));
    screen.click(FIRST_FILE);
    screen.act(&["key", "Return"]);
    screen.wait_for("Import - Stonerun", game).expect("a file is chosen");
    std::thread::sleep(Duration::from_secs(1));
    screen.act(&["key", "Return"]);
    screen.wait_for("cube - Stonerun", game).expect("the map opens");
    leave(screen, game);
}

/// Saves, and goes back to the title screen.
fn leave(screen: &Screen, game: &mut Ended) {
    screen.act(&["key", "Escape"]);
    std::thread::sleep(Duration::from_secs(1));
    screen.click(LEAVE);
    screen.wait_for("Stonerun", game).expect("the title comes back");
    std::thread::sleep(Duration::from_secs(1));
}

#[test]
fn map_is_created_edited_saved_and_a_model_imported() {
    let _turn = crate::drawing_turn();
    let Some(screen) = Screen::open() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("saves")).expect("saves");
    // A short view distance, because the software driver and the debug build are slow. No rules,
    // because grass under the placed block dies at random.
    std::fs::write(folder.path().join("settings.ron"), "(view_distance: 3, rules: Off)")
        .expect("settings");
    let log = folder.path().join("log");
    let home = folder.path().join("home");
    std::fs::create_dir(&home).expect("a home folder");
    let model = home.join("cube.vox");
    std::fs::copy("tests/corpus/vox/sound-any-small-world-comes-back", &model).expect("a model");
    let game = Command::new(env!("CARGO_BIN_EXE_stonerun"))
        .current_dir(folder.path())
        .env("DISPLAY", &screen.display)
        .env_remove("WAYLAND_DISPLAY")
        .env("XDG_RUNTIME_DIR", folder.path())
        .env("STONERUN_CONFIG", folder.path())
        .env("HOME", &home)
        .stderr(std::fs::File::create(&log).expect("a log"))
        .spawn()
        .expect("the program starts");
    let mut game = Ended(game);

    let Some(window) = screen.wait_for("Stonerun", &mut game) else {
        let said = std::fs::read_to_string(&log).expect("the log");
        let required = std::env::var_os("STONERUN_REQUIRE_ALL").is_some();
        assert!(said.contains("no graphics adapter") && !required, "the game ended: {said}");
        println!("skipped: no graphics adapter");
        return;
    };
    screen.act(&["windowfocus", &window]);
    screen.click(NEW_MAP);
    screen.wait_for("New map - Stonerun", &mut game).expect("the form opens");
    screen.act(&["type", "--delay", "120", "home"]);
    screen.click(FLAT);
    screen.act(&["key", "Return"]);
    screen.wait_for("home - Stonerun", &mut game).expect("the map opens");
    std::thread::sleep(Duration::from_secs(2));

    // Looks at the ground in front of the feet and breaks it. A click breaks one block; a button
    // held for 0.3 s would break a second one.
    screen.act(&["mousemove_relative", "--", "0", "150"]);
    std::thread::sleep(Duration::from_secs(1));
    screen.hold("1", 120);
    // A little higher, with slot 6, which holds bricks.
    screen.act(&["mousemove_relative", "--", "0", "-40"]);
    screen.act(&["key", "6"]);
    screen.hold("3", 120);
    std::thread::sleep(Duration::from_secs(1));

    leave(&screen, &mut game);
    import(&screen, &mut game);
    screen.click(QUIT);
    let start = Instant::now();
    let status = loop {
        match game.0.try_wait().expect("the game's status") {
            Some(status) => break status,
            None => assert!(start.elapsed() < Duration::from_secs(60), "the game does not quit"),
        }
        std::thread::sleep(Duration::from_millis(200));
    };
    assert!(status.success(), "{status}");
    let saves = folder.path().join("saves");
    let files = std::fs::read_dir(&saves).expect("the folder");
    let mut files: Vec<_> = files.filter_map(|f| Some(f.ok()?.file_name())).collect();
    files.sort();
    assert_eq!(files, ["cube.stonerun", "home.stonerun"], "a closed map must be one plain file");
    compare(&saves.join("home.stonerun"));
    compare_model(&model, &saves.join("cube.stonerun"));
}

/// Asserts that the map holds exactly the model.
fn compare_model(model: &Path, map: &Path) {
    let imported = stonerun_exchange::import(model, &mut stonerun_exchange::ignore_progress)
        .expect("a sound model");
    let opened = MapFile::open(map).expect("the map opens");
    assert_eq!(opened.damage, None);
    for (pos, chunk) in imported.world.chunks() {
        assert_eq!(opened.map.load(pos).expect("sound").as_ref(), Some(chunk), "{pos}");
    }
    assert!(imported.voxels > 0 && opened.map.materials().len() == imported.materials.len());
}

/// Asserts that the map holds generated terrain except for one broken and one placed block.
fn compare(path: &Path) {
    let opened = MapFile::open(path).expect("the map opens");
    assert_eq!(opened.damage, None);
    let map = opened.map;
    let kind: TerrainKind = map.header().terrain.parse().expect("a known terrain");
    let generator = Generator::new(map.header().seed, kind, map.materials());
    let positions = map.positions();
    assert!(positions.len() > 100, "{} chunks", positions.len());
    let mut edits: Vec<(IVec3, Voxel, Voxel)> = Vec::new();
    for pos in positions {
        let saved = map.load(pos).expect("sound").expect("there");
        let made = generator.chunk(pos);
        if saved == made {
            continue;
        }
        for index in (0..CHUNK_VOLUME).filter(|&i| saved.get(i) != made.get(i)) {
            edits.push((pos.origin() + linear_offset(index), made.get(index), saved.get(index)));
        }
    }
    let bricks = Voxel::full(map.materials().find("bricks").expect("bricks"));
    let broken: Vec<_> = edits.iter().filter(|(_, was, is)| !was.is_air() && is.is_air()).collect();
    let placed: Vec<_> = edits.iter().filter(|(_, _, is)| *is == bricks).collect();
    assert_eq!((edits.len(), broken.len(), placed.len()), (2, 1, 1), "{edits:?}");
    let apart = (broken[0].0 - placed[0].0).abs().max_element();
    assert!(apart <= 4, "the edits must be close to each other: {edits:?}");
}
