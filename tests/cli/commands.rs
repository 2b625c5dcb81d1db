//! Tests of commands, exit codes and error lines. `lab.rs`, `export.rs` and others test the
//! commands that they are named after.

use crate::common::{Sandbox, vox};
use serde_json::Value;
use std::path::Path;
use stonerun::views::{OverlayKind, PanelPage};
use stonerun_engine::metrics::WorldStats;
use stonerun_engine::save::MapFile;
use stonerun_engine::terrain::{Generator, GroundStyle, TerrainKind};
use stonerun_engine::voxel::{MaterialTable, SurfaceRule, Voxel};
use stonerun_engine::world::World;

/// All chunks of a map file.
pub fn load(path: &Path) -> (World, MapFile) {
    let opened = MapFile::open_read_only(path).unwrap();
    assert!(opened.damage.is_none(), "{:?}", opened.damage);
    let mut world = World::new();
    for pos in opened.map.positions() {
        world.insert(pos, opened.map.load(pos).unwrap().unwrap());
    }
    (world, opened.map)
}

#[test]
fn new_map_holds_generated_terrain() {
    let place = Sandbox::with_home();
    let (world, map) = load(&place.file("saves/home.stonerun"));
    assert_eq!((map.header().seed, map.header().terrain.as_str()), (7, "continents"));
    let generator = Generator::new(7, TerrainKind::Continents, &MaterialTable::builtin());
    let view = generator.first_view(map.materials());
    let player = &map.header().player;
    assert_eq!((map.header().spawn, player.position), (view.feet.to_array(), view.feet.to_array()));
    assert_eq!((player.yaw, player.pitch), (view.yaw, view.pitch));
    assert!(world.chunks().all(|(pos, chunk)| *chunk == generator.chunk(pos)));
    let columns: std::collections::HashSet<_> =
        world.chunks().map(|(pos, _)| (pos.x, pos.z)).collect();
    assert_eq!(columns.len(), 9);
    let spawn = view.feet.floor().as_ivec3();
    assert!(
        world.get(spawn).is_air() && !world.get(spawn - glam::IVec3::Y).is_air(),
        "the player stands on ground"
    );
}

#[test]
fn new_map_with_smooth_ground_has_fractions_and_surfaces() {
    let place = Sandbox::new();
    let new = |name: &str, ground: &str| {
        place.run(&["new", name, "--seed", "7", "--radius", "0", "--ground", ground]).done()
    };
    let line = new("hills", "smooth");
    assert!(line.contains("chunks of smooth continents, seed 7"), "{line}");
    let (world, map) = load(&place.file("saves/hills.stonerun"));
    assert_eq!(map.header().ground, GroundStyle::Smooth);
    let table = map.materials();
    let surface = |name: &str| table.get(table.find(name).unwrap()).unwrap().surface;
    assert_eq!((surface("grass"), surface("bricks")), (SurfaceRule::Smooth, SurfaceRule::Cube));
    let generator = map.header().generator(table);
    assert!(world.chunks().all(|(pos, chunk)| *chunk == generator.chunk(pos)));
    let is_partial =
        |voxel: Voxel| surface_of(table, voxel) != SurfaceRule::Cube && !voxel.is_full();
    let partial =
        world.chunks().flat_map(|(_, chunk)| chunk.runs()).filter(|run| is_partial(run.voxel));
    assert!(partial.count() > 500, "the ground has fractions");
    let info = place.run(&["info", "hills"]).done();
    assert!(info.lines().any(|line| line.split_whitespace().eq(["ground", "smooth"])), "{info}");

    let refused = place.run(&["bake", "hills", "--view", "3"]).failed();
    assert!(refused.contains("maps with smooth ground cannot be baked"), "{refused}");

    // Blocks are the default.
    new("blocks", "blocks");
    place.run(&["new", "default", "--seed", "7", "--radius", "0"]).done();
    let worlds = ["blocks", "default"]
        .map(|name| load(&place.file("saves").join(name).with_extension("stonerun")));
    for (world, map) in &worlds {
        assert_eq!(map.header().ground, GroundStyle::Blocks);
        assert!(map.materials().iter().all(|(_, material)| material.surface.is_cube()));
        assert!(world.chunks().all(|(pos, chunk)| worlds[0].0.chunk(pos) == Some(chunk)));
    }
}

/// Surface of the voxel's material.
fn surface_of(table: &MaterialTable, voxel: Voxel) -> SurfaceRule {
    table.get(voxel.material()).map_or(SurfaceRule::Cube, |material| material.surface)
}

#[test]
fn new_without_a_seed_picks_a_random_one() {
    let place = Sandbox::new();
    let seed = |name: &str| {
        place.run(&["new", name, "--terrain", "void", "--radius", "0"]).done();
        load(&place.file("saves").join(name).with_extension("stonerun")).1.header().seed
    };
    assert_ne!(seed("a"), seed("b"));
}

#[test]
fn map_is_found_by_name_and_by_path() {
    let place = Sandbox::with_home();
    for name in ["home", "home.stonerun", "saves/home", "saves/home.stonerun", "./saves/home"] {
        assert!(place.run(&["info", name]).done().starts_with("map "), "{name}");
    }
    place.run(&["new", "./here", "--terrain", "flat", "--radius", "0"]).done();
    assert!(place.file("here.stonerun").is_file());
    place.run(&["info", "here"]).done();
}

#[test]
fn info_counts_match_the_map() {
    let place = Sandbox::with_home();
    let path = place.file("saves/home.stonerun");
    let json: Value = serde_json::from_str(&place.run(&["info", "home", "--json"]).done()).unwrap();
    let (world, map) = load(&path);
    let stats = WorldStats::from_world(&world);
    let mut min = glam::IVec3::MAX;
    let mut max = glam::IVec3::MIN;
    for (pos, chunk) in world.chunks() {
        for index in (0..32768).filter(|&i| !chunk.get(i).is_air()) {
            let at = pos.origin() + stonerun_engine::voxel::linear_offset(index);
            min = min.min(at);
            max = max.max(at + 1);
        }
    }
    let mut rle = 0;
    let mut lz4 = 0;
    for (_, chunk) in world.chunks() {
        let sizes = stonerun_engine::save::encoded_sizes(chunk);
        rle += sizes.rle;
        lz4 += sizes.stored;
    }
    for (name, expected) in [
        ("name", "home".into()),
        ("chunks", world.len().into()),
        ("voxels", (world.len() * 32768).into()),
        ("nonempty", stats.sum.nonempty.into()),
        ("runs", stats.sum.runs.into()),
        ("voxels_per_run", stats.voxels_per_run().into()),
        ("heap_bytes", stats.sum.heap_bytes.into()),
        ("flat_bytes", (world.len() * 32768 * 3).into()),
        ("palette_bytes", stats.sum.palette_bytes.into()),
        ("row_packed_bytes", stats.sum.row_packed_bytes.into()),
        ("rle_bytes", rle.into()),
        ("lz4_bytes", lz4.into()),
        ("data_bytes", lz4.into()),
        ("materials", map.materials().len().into()),
        ("seed", 7.into()),
        ("terrain", "continents".into()),
        ("ground", "blocks".into()),
        ("damage", Value::Array(vec![])),
        ("bounds", serde_json::json!({ "min": min.to_array(), "max": max.to_array() })),
    ] {
        assert_eq!(json[name], expected, "{name}");
    }
    let fields = json.as_object().unwrap();
    let mut sizes: Vec<&str> =
        fields.keys().filter_map(|name| name.strip_suffix("_bytes")).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, ["data", "file", "flat", "heap", "lz4", "palette", "rle", "row_packed"]);
    drop(map);
    assert_eq!(json["file_bytes"], std::fs::metadata(&path).unwrap().len());

    let table = place.run(&["info", "home"]).done();
    assert!(
        table
            .lines()
            .any(|l| l.split_whitespace().eq(["materials", &json["materials"].to_string()])),
        "{table}"
    );
    assert!(table.lines().all(|l| l.len() <= 64), "{table}");

    // The smaller codec changes the stored bytes.
    place.run(&["compact", "home"]).done();
    let compacted: Value =
        serde_json::from_str(&place.run(&["info", "home", "--json"]).done()).unwrap();
    assert_eq!(compacted["lz4_bytes"], json["lz4_bytes"]);
    assert!(compacted["data_bytes"].as_u64() < json["data_bytes"].as_u64(), "{compacted}");
}

#[test]
fn existing_map_is_never_overwritten() {
    let place = Sandbox::with_home();
    let path = place.file("saves/home.stonerun");
    let before = std::fs::read(&path).unwrap();
    std::fs::write(place.file("dot.vox"), vox([1, 1, 1], &[[0, 0, 0, 1]])).unwrap();
    for arguments in
        [&["new", "home"][..], &["new", "saves/home.stonerun"], &["import", "dot.vox", "home"]]
    {
        assert!(place.run(arguments).failed().ends_with("home.stonerun: the file exists already"));
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn missing_map_is_reported() {
    let place = Sandbox::new();
    std::fs::create_dir(place.file("folder")).unwrap();
    for command in [
        &["play", "nosuch"][..],
        &["info", "nosuch"],
        &["verify", "nosuch"],
        &["time", "nosuch"],
        &["shot", "nosuch", "a.png"],
    ] {
        let line = place.run(command).failed();
        assert!(
            line.starts_with(
                "stonerun: nosuch: there is no such map; looked for nosuch, nosuch.stonerun"
            ),
            "{line}"
        );
        let mut command = command.to_vec();
        command[1] = "folder";
        let line = place.run(&command).failed();
        assert_eq!(line, "stonerun: folder: a folder or a device, not a map");
    }
}

#[test]
fn unusable_folder_is_reported() {
    let place = Sandbox::new();
    std::fs::write(place.file("file"), "").unwrap();
    let line = place.run(&["new", "file/map", "--terrain", "void", "--radius", "0"]).failed();
    assert!(line.starts_with("stonerun: file: cannot find this folder"), "{line}");
    // An unreadable maps folder.
    std::fs::remove_dir(place.file("saves")).unwrap();
    std::fs::write(place.file("data"), "").unwrap();
    for command in ["info", "new"] {
        let line = place.run(&[command, "map"]).failed();
        assert!(line.starts_with("stonerun: ") && line.contains("data"), "{line}");
    }
}

#[test]
fn file_of_another_kind_is_reported() {
    let place = Sandbox::new();
    std::fs::write(place.file("text.stonerun"), "this is no database").unwrap();
    std::fs::write(place.file("empty.stonerun"), "").unwrap();
    for (name, reason) in [("text", "it does not begin like a map"), ("empty", "it is empty")] {
        let line = place.run(&["info", name]).failed();
        let refused = "not a Stonerun map, or nothing in it is readable";
        assert_eq!(line, format!("stonerun: {name}.stonerun: {refused}: {reason}"));
    }
}

#[test]
fn verify_reports_a_sound_map() {
    let place = Sandbox::with_home();
    assert!(place.run(&["verify", "home"]).done().contains("sound"));
    let json: Value =
        serde_json::from_str(&place.run(&["verify", "home", "--json"]).done()).unwrap();
    assert_eq!(json["sound"], true);
    assert_eq!(json["bad"], Value::Array(vec![]));
}

#[test]
fn damaged_map_is_reported_and_repaired() {
    let place = Sandbox::with_home();
    let path = place.file("saves/home.stonerun");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let ran = place.run(&["verify", "home"]);
    assert_eq!(ran.code, 1);
    assert!(
        !ran.out.contains("database") && !ran.out.contains("malformed"),
        "SQLite's words: {}",
        ran.out
    );
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(ran.err.contains("home.stonerun: not sound; "), "{}", ran.err);
    assert!(
        ran.out.lines().any(|l| l.starts_with("bad ")),
        "the bad parts are listed: {}",
        ran.out
    );
    let ran = place.run(&["verify", "home", "--json"]);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &json["sound"]), (1, &Value::Bool(false)));
    assert!(!json["bad"].as_array().unwrap().is_empty());
    assert_eq!(
        std::fs::read(&path).unwrap().len(),
        whole.len() / 2,
        "verify without --repair must change nothing"
    );

    let said = place.run(&["verify", "home", "--repair"]).done();
    assert!(said.starts_with("repaired ") && said.contains(": sound"), "{said}");
    place.run(&["verify", "home"]).done();
}

#[test]
fn wrong_usage_exits_with_code_2() {
    let place = Sandbox::new();
    for (arguments, word) in [
        (&["info"][..], "<MAP>"),
        (&["imfo", "home"], "some similar subcommands exist: 'import', 'info'"),
        (&["new", "a", "--seed", " "], "expected a number or a word"),
        (&["new", "a", "--terrain", "moon"], "choose continents, islands, caverns, flat or void"),
        (&["new", "a", "--ground", "soft"], "there is no ground \"soft\": choose blocks or smooth"),
        (
            &["new", "a", "--radius", "1000"],
            "'--radius <CHUNKS>': expected a whole number from 0 to 64",
        ),
        (
            &["new", "a", "--radius", "-1"],
            "'-1' for '--radius <CHUNKS>': expected a whole number from 0 to 64",
        ),
        (&["bake", "a", "--view", "-1"], "expected a whole number from 3 to 24"),
        #[cfg(feature = "lab")]
        (&["lab", "fly", "--seconds", "0"], "expected a whole number from 1 to 3,600"),
        #[cfg(feature = "lab")]
        (&["lab", "fly", "--view", "25"], "expected a whole number from 2 to 24"),
        #[cfg(feature = "lab")]
        (
            &["lab", "visibility", "--rays", "-9"],
            "expected a whole number from 1 to 100,000,000,000",
        ),
        (
            &["shot", "a", "b.png", "--size", "-1x5"],
            "expected two numbers from 1 to 8192 separated by x",
        ),
        (&["shot", "a", "b.png", "--at", "1,2"], "expected 3 numbers separated by commas"),
        (&["shot", "a", "b.png", "--look", "north"], "expected 2 numbers separated by commas"),
        (
            &["shot", "a", "b.png", "--time", "25"],
            "expected a time of day such as 14:05, or hours from 0 to 24",
        ),
        (
            &["shot", "a", "b.png", "--size", "0x0"],
            "expected two numbers from 1 to 8192 separated by x",
        ),
        (
            &["shot", "a", "b.png", "--panel", "foo"],
            &format!("possible values: {}]", PanelPage::names().join(", ")),
        ),
        (
            &["shot", "a", "b.png", "--overlay", "foo"],
            &format!("possible values: {}]", OverlayKind::names().join(", ")),
        ),
        (&["info", "a", "--xml"], "--xml"),
    ] {
        let said = place.run(arguments).usage();
        assert!(said.contains(word), "{arguments:?}: {said}");
    }
    assert!(std::fs::read_dir(place.file("saves")).unwrap().next().is_none());
}

#[test]
fn picture_in_a_missing_folder_is_reported() {
    let line = Sandbox::with_home().run(&["shot", "home", "no/such/a.png"]).failed();
    assert_eq!(line, "stonerun: no/such/a.png: there is no folder no/such");
}

#[test]
fn seed_is_a_number_or_a_word() {
    let place = Sandbox::new();
    for (name, seed, expected) in
        [("a", "-5", "seed -5"), ("b", "granite", "seed granite"), ("c", "42", "seed 42")]
    {
        let said =
            place.run(&["new", name, "--seed", seed, "--terrain", "flat", "--radius", "0"]).done();
        assert!(said.trim_end().ends_with(expected), "{said}");
        let shown = place.run(&["info", name]).done();
        let shown = shown.lines().find_map(|line| line.strip_prefix("seed")).unwrap().trim();
        // The word is stored with its number, and gives the same world as the number.
        let (shown, word) = shown.split_once("  from ").unwrap_or((shown, ""));
        assert_eq!(word, if seed == "granite" { "\"granite\"" } else { "" });
        let again = place.run(&[
            "new",
            &format!("{name}2"),
            "--seed",
            shown,
            "--terrain",
            "flat",
            "--radius",
            "0",
        ]);
        assert!(again.done().contains(shown) && (seed == shown || seed == "granite"), "{shown}");
        let header = |name: &str| {
            load(&place.file("saves").join(name).with_extension("stonerun")).1.header().seed
        };
        assert_eq!(header(name), header(&format!("{name}2")));
    }
    let files = std::fs::read_dir(place.file("saves"))
        .unwrap()
        .map(|f| f.unwrap().file_name().into_string().unwrap());
    assert!(
        files.into_iter().all(|name| name.ends_with(".stonerun")),
        "no unfinished file may be left"
    );
}

#[test]
fn help_names_every_command() {
    let help = Sandbox::new().run(&["--help"]).done();
    assert!(
        help.contains("stonerun [MAP]\n") && help.contains("like `stonerun play MAP`"),
        "{help}"
    );
    let commands =
        ["play", "new", "info", "verify", "bake", "compact", "import", "export", "time", "shot"];
    for command in commands.into_iter().chain(cfg!(feature = "lab").then_some("lab")) {
        assert!(help.lines().any(|l| l.trim_start().starts_with(command)), "{command}: {help}");
    }
    assert!(Sandbox::new().run(&["--version"]).done().starts_with("stonerun "));
}

#[cfg(not(feature = "game"))]
#[test]
fn play_without_the_game_feature_is_reported() {
    let place = Sandbox::with_home();
    let line = "stonerun: this build of stonerun does not include the game; build it with the default features";
    let shot =
        ["shot", "home", "a.png", "--at", "-1,2.5,-3", "--look", "-90,10", "--size", "64x48"];
    for arguments in [&[][..], &["play", "home"], &["home"], &["saves/home.stonerun"], &shot] {
        assert_eq!(place.run(arguments).failed(), line);
    }
}

#[test]
fn single_argument_is_a_command_or_a_map() {
    let place = Sandbox::new();
    let line = place.run(&["fly"]).failed();
    assert!(
        line.starts_with("stonerun: fly: there is no such map; looked for fly, fly.stonerun, "),
        "{line}"
    );
    assert!(line.ends_with("; and there is no such command"), "{line}");
    // A command takes precedence over a map with the same name.
    place.run(&["new", "info", "--terrain", "void", "--radius", "0"]).done();
    assert!(place.run(&["info"]).usage().contains("<MAP>"));
    assert!(place.run(&["info", "info"]).done().starts_with("map "));
}
