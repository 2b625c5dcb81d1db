//! `stonerun export`: round trips, boxes, surfaces and refused exports.

use crate::common::{Sandbox, vox};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use stonerun_engine::save::MapFile;
use stonerun_engine::voxel::{MaterialTable, Voxel, linear_offset};
use stonerun_exchange::export::{ExportFormat, formats};

/// Material name of every voxel of a map that is not air.
fn named(path: &Path) -> BTreeMap<[i32; 3], String> {
    let map = MapFile::open_read_only(path).unwrap().map;
    let mut named = BTreeMap::new();
    for pos in map.positions() {
        let chunk = map.load(pos).unwrap().unwrap();
        for run in chunk.runs().filter(|run| !run.voxel.is_air()) {
            let name = &map.materials().get(run.voxel.material()).unwrap().name;
            let places = (run.start..run.end()).map(|i| pos.origin() + linear_offset(i as usize));
            named.extend(places.map(|at| (at.to_array(), name.clone())));
        }
    }
    named
}

/// Number of voxels of full blocks whose height is lower by more than an eighth.
fn lowered(path: &Path) -> u64 {
    let map = MapFile::open_read_only(path).unwrap().map;
    let chunks = map.positions().into_iter().map(|pos| map.load(pos).unwrap().unwrap());
    let is_lowered = |voxel: Voxel| {
        let name = map.materials().get(voxel.material()).unwrap().name.as_str();
        !voxel.is_air()
            && voxel.occupancy() < 255 - 32
            && !["snow", "water", "lava"].contains(&name)
    };
    chunks
        .map(|chunk| {
            chunk
                .runs()
                .filter(|run| is_lowered(run.voxel))
                .map(|run| u64::from(run.len))
                .sum::<u64>()
        })
        .sum()
}

/// A sandbox with a map of three voxels in a row.
fn row() -> Sandbox {
    let place = Sandbox::new();
    std::fs::write(
        place.file("row.vox"),
        vox([3, 1, 1], &[[0, 0, 0, 1], [1, 0, 0, 1], [2, 0, 0, 2]]),
    )
    .unwrap();
    place.run(&["import", "row.vox", "row"]).done();
    std::fs::remove_file(place.file("row.vox")).unwrap();
    place
}

/// Exports with `--json`. Returns the output, and the line about losses, if any.
fn export_json(place: &Sandbox, map: &str, target: &str) -> (Value, String) {
    let ran = place.run(&["export", map, target, "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.is_empty() || ran.err.starts_with(&format!("stonerun: {target}: not exported: ")),
        "{}",
        ran.err
    );
    assert!(ran.err.lines().count() <= 1, "{}", ran.err);
    (serde_json::from_str(&ran.out).unwrap(), ran.err)
}

/// Files in the sandbox except maps and locks.
fn files(place: &Sandbox) -> Vec<String> {
    let entries = std::fs::read_dir(place.file(""))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<String> = entries.filter(|name| name != "saves" && name != "data").collect();
    files.sort_unstable();
    files
}

#[test]
fn map_survives_vox_export_and_import() {
    let place = Sandbox::with_home();
    let (json, _) = export_json(&place, "home", "home.vox");
    let info: Value = serde_json::from_str(&place.run(&["info", "home", "--json"]).done()).unwrap();
    assert_eq!(json["voxels"], info["nonempty"]);
    assert_eq!((&json["min"], &json["max"]), (&info["bounds"]["min"], &info["bounds"]["max"]));
    assert_eq!(json["files"], serde_json::json!(["home.vox"]));
    assert_eq!(json["bytes"], std::fs::metadata(place.file("home.vox")).unwrap().len());
    assert_eq!(
        (&json["warnings"], &json["models"], &json["merged_materials"]),
        (&serde_json::json!([]), &1.into(), &0.into())
    );

    place.run(&["import", "home.vox", "again"]).done();
    let min: Vec<i32> = serde_json::from_value(json["min"].clone()).unwrap();
    let max: Vec<i32> = serde_json::from_value(json["max"].clone()).unwrap();
    let by = [(min[0] + max[0]).div_euclid(2), min[1], (min[2] + max[2]).div_euclid(2)];
    let before = named(&place.file("saves/home.stonerun"));
    let moved: BTreeMap<_, _> = before
        .into_iter()
        .map(|([x, y, z], name)| ([x - by[0], y - by[1], z - by[2]], name))
        .collect();
    assert!(named(&place.file("saves/again.stonerun")) == moved, "voxels or names have changed");

    // The first import moves the voxels to the middle; a second one does not move them again.
    export_json(&place, "again", "again.vox");
    place.run(&["import", "again.vox", "third"]).done();
    assert!(named(&place.file("saves/third.stonerun")) == moved);
}

#[test]
fn regions_of_a_map_keep_their_places() {
    let place = row();
    // The row lies on both sides of x = 0, and so in two regions.
    let (json, _) = export_json(&place, "row", "r.0.0.mca");
    assert_eq!(json["files"], serde_json::json!(["r.0.0.mca", "r.-1.0.mca"]));
    let bytes = |name: &str| std::fs::metadata(place.file(name)).unwrap().len();
    assert_eq!(json["bytes"], bytes("r.0.0.mca") + bytes("r.-1.0.mca"));
    // An import warns of biomes, which every region has.
    let import = |file: &str, map: &str| assert_eq!(place.run(&["import", file, map]).code, 0);
    import("r.0.0.mca", "east");
    import("r.-1.0.mca", "west");
    let voxels =
        ["east", "west"].map(|map| named(&place.file(&format!("saves/{map}.stonerun"))).len());
    assert_eq!(voxels.iter().sum::<usize>(), 3, "{voxels:?}");
    let refused = place.run(&["export", "row", "r.9.9.mca"]);
    let reason = "its name is that of another region: the blocks lie in r.-1.0.mca or r.0.0.mca";
    assert_eq!((refused.code, refused.err), (1, format!("stonerun: r.9.9.mca: {reason}\n")));
    let moved = place.run(&["export", "row", "row.mca"]);
    let warning = "stonerun: the blocks are moved by 16 along x and 0 along z, ";
    assert!(moved.code == 0 && moved.err.starts_with(warning), "{}", moved.err);
    import("row.mca", "again");
    export_json(&place, "again", "row.litematic");
    place.run(&["import", "row.litematic", "third"]).done();
    let names = |map: &str| -> Vec<String> {
        named(&place.file(&format!("saves/{map}.stonerun"))).into_values().collect()
    };
    assert_eq!(names("third"), names("again"));
}

#[test]
fn map_survives_schematic_export_and_import() {
    let place = Sandbox::with_home();
    let (said, _) = export_json(&place, "home", "home.schem");
    place.run(&["import", "home.schem", "again"]).done();
    let before = named(&place.file("saves/home.stonerun"));
    assert_eq!(said["voxels"], before.len());
    // All voxels moved together, by the offset of the first voxel.
    let again = named(&place.file("saves/again.stonerun"));
    let (Some((from, _)), Some((to, _))) = (before.first_key_value(), again.first_key_value())
    else {
        panic!("nothing was exported")
    };
    let by = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
    let moved =
        |([x, y, z], name): (&[i32; 3], &String)| ([x + by[0], y + by[1], z + by[2]], name.clone());
    assert!(again == before.iter().map(moved).collect(), "voxels or names have changed");
}

/// Number of voxels of a map by name of the material and content; air is left out.
fn contents(path: &Path) -> BTreeMap<(String, Voxel), u64> {
    let map = MapFile::open_read_only(path).unwrap().map;
    let mut contents = BTreeMap::new();
    for pos in map.positions() {
        let chunk = map.load(pos).unwrap().unwrap();
        for run in chunk.runs().filter(|run| !run.voxel.is_air()) {
            let name = &map.materials().get(run.voxel.material()).unwrap().name;
            // Two maps may give a material different numbers.
            let voxel = Voxel::new(1, run.voxel.occupancy()).with_liquid(run.voxel.liquid());
            *contents.entry((name.clone(), voxel)).or_default() += u64::from(run.len);
        }
    }
    contents
}

#[test]
fn smooth_ground_is_exact_in_schematics_and_whole_blocks_in_vox_files() {
    let place = Sandbox::new();
    let smooth = ["new", "home", "--seed", "2", "--radius", "1", "--ground", "smooth"];
    place.run(&smooth).done();
    let before = contents(&place.file("saves/home.stonerun"));
    let materials = MaterialTable::builtin_smooth();
    let is_shallow = |name: &str, voxel: Voxel| {
        let id = materials.find(name).unwrap();
        voxel.occupancy() < Voxel::HALF && materials.get(id).unwrap().is_smooth()
    };
    let count = |is_counted: &dyn Fn(&str, Voxel) -> bool| -> u64 {
        let counted = before.iter().filter(|((name, voxel), _)| is_counted(name, *voxel));
        counted.map(|(_, count)| count).sum()
    };
    let left_out = count(&|name, voxel| is_shallow(name, voxel) && !voxel.is_wet());
    assert!(left_out > 0 && count(&|_, voxel| voxel.is_wet()) > 0);

    let (json, line) = export_json(&place, "home", "home.schem");
    assert!(line.contains("; height of ") && line.contains("; ground of "), "{line}");
    // Snow keeps its layers.
    let shallow =
        count(&|name, voxel| is_shallow(name, voxel) && !["snow", "snow_fallen"].contains(&name));
    assert_eq!(json["lost"]["shallow_ground"], shallow);
    place.run(&["import", "home.schem", "again"]).done();
    assert!(contents(&place.file("saves/again.stonerun")) == before, "voxels have changed");

    let (json, line) = export_json(&place, "home", "home.vox");
    assert!(line.contains("height of ") && line.contains("; ground of "), "{line}");
    let is_raised = |name: &str, voxel: Voxel| {
        if is_shallow(name, voxel) {
            voxel.is_wet() && voxel.parts() < 256
        } else {
            !voxel.is_full()
        }
    };
    assert_eq!(json["lost"]["heights"], count(&is_raised));
    assert_eq!(json["lost"]["shallow_ground"], count(&is_shallow));
    place.run(&["import", "home.vox", "blocks"]).done();
    let blocks: u64 = contents(&place.file("saves/blocks.stonerun")).values().sum();
    assert_eq!(blocks, count(&|_, _| true) - left_out);
}

#[test]
fn losses_of_each_format_are_counted() {
    let place = Sandbox::new();
    // Terrain at a shore.
    place.run(&["new", "home", "--seed", "2", "--radius", "1"]).done();
    let lost = |target: &str| {
        let (json, line) = export_json(&place, "home", target);
        let fields = [
            "substituted",
            "heights",
            "shallow_ground",
            "water",
            "sheets",
            "see_through",
            "colours",
            "names",
            "shades",
        ];
        let counts = fields
            .map(|field| json["lost"][field].as_u64().unwrap_or_else(|| panic!("no {field}")));
        assert_eq!(json["lost"].as_object().unwrap().len(), fields.len());
        (counts, line)
    };
    let before = named(&place.file("saves/home.stonerun"));
    let count = |names: &[&str]| {
        before.values().filter(|name| names.contains(&name.as_str())).count() as u64
    };
    let ([substituted, heights, rest @ ..], line) = lost("a.schem");
    let substitutes = [
        "dry_grass",
        "marble",
        "crystal_ore",
        "crystal_block",
        "palm_log",
        "palm_leaves_grown",
        "lamp",
        "glow_mushroom",
    ];
    assert!(substituted > 0 && substituted == count(&substitutes));
    assert_eq!((heights, rest), (lowered(&place.file("saves/home.stonerun")), [0; 7]));
    let said = place.run(&["export", "home", "b.schem"]);
    assert_eq!(said.err, line.replace("a.schem", "b.schem"));
    assert!(line.starts_with("stonerun: a.schem: not exported: material of "), "{line}");
    assert!(line.contains(" voxels (similar blocks are written); height of "), "{line}");

    let ([substituted, heights, shallow_ground, water, sheets, see_through, rest @ ..], _) =
        lost("a.vox");
    let plants = [
        "tall_grass",
        "flower_red",
        "flower_yellow",
        "flower_blue",
        "dead_bush",
        "mushroom",
        "reeds",
    ];
    assert_eq!(
        (substituted, shallow_ground, water, sheets, rest),
        (0, 0, 0, count(&plants) + count(&["glow_mushroom"]), [0; 3])
    );
    let leaves = [
        "oak_leaves_grown",
        "pine_leaves_grown",
        "birch_leaves_grown",
        "palm_leaves_grown",
        "glass",
    ];
    assert!(heights > 0 && see_through == count(&leaves));

    let (counts, line) = lost("a.glb");
    assert_eq!((counts, line.as_str()), ([0; 9], ""));
    let ([rest @ .., shades], _) = lost("a.obj");
    assert!(shades > 0 && rest == [0; 8]);
}

#[test]
fn export_of_a_box_holds_only_the_box() {
    let place = row();
    let said = place.run(&["export", "row", "part.vox", "--from", "1,0,0", "--to", "0,0,0"]).done();
    assert!(
        said.starts_with("part.vox: 2 voxels, 1 model, 2 colours, ") && said.ends_with(" bytes\n"),
        "{said}"
    );
    place.run(&["import", "part.vox", "part"]).done();
    let names: Vec<String> = named(&place.file("saves/part.stonerun")).into_values().collect();
    assert_eq!(names, ["vox:#ffffff", "vox:#ffffcc"]);
    let line =
        place.run(&["export", "row", "none.vox", "--from", "-9,-9,-9", "--to", "-5,5,5"]).failed();
    assert!(line.ends_with("row.stonerun: the box is empty, nothing to export"), "{line}");
    let empty = ["new", "empty", "--terrain", "void", "--radius", "1"];
    place.run(&empty).done();
    let line = place.run(&["export", "empty", "none.glb"]).failed();
    assert!(line.ends_with("empty.stonerun: the map is empty, nothing to export"), "{line}");
    assert_eq!(files(&place), ["part.vox"]);
}

#[test]
fn export_writes_surfaces() {
    let place = row();
    let json: Value =
        serde_json::from_str(&place.run(&["export", "row", "a.glb", "--json"]).done()).unwrap();
    // A chunk border lies between the first and second voxel and prevents merging: 5, 4 and 5.
    let figures = ["voxels", "quads", "triangles", "materials"].map(|name| json[name].as_u64());
    assert_eq!(figures, [Some(3), Some(14), Some(28), Some(2)]);
    let file = std::fs::read(place.file("a.glb")).unwrap();
    assert!(file.starts_with(b"glTF\x02\0\0\0") && json["bytes"] == file.len());
    let said = place.run(&["export", "row", "a.obj"]).done();
    assert!(
        said.starts_with("a.obj: 3 voxels, 14 quads, 28 triangles, 2 materials, 3 more files, "),
        "{said}"
    );
    assert_eq!(files(&place), ["a.glb", "a.mtl", "a.obj", "a_plain.png", "a_plain_ffffcc.png"]);
}

#[test]
fn existing_target_is_replaced_only_with_force() {
    let place = row();
    std::fs::write(place.file("a.vox"), "mine").unwrap();
    std::fs::create_dir(place.file("b.vox")).unwrap();
    let line = place.run(&["export", "row", "a.vox"]).failed();
    assert_eq!(line, "stonerun: a.vox: the file exists already; --force replaces it");
    assert_eq!(std::fs::read(place.file("a.vox")).unwrap(), b"mine");
    let line = place.run(&["export", "row", "b.vox", "--force"]).failed();
    assert_eq!(line, "stonerun: b.vox: it is a folder or a device, and cannot be replaced");
    place.run(&["export", "row", "a.vox", "--force"]).done();
    assert!(std::fs::read(place.file("a.vox")).unwrap().starts_with(b"VOX "));
    assert_eq!(files(&place), ["a.vox", "b.vox"]);
}

#[test]
fn bad_export_arguments_are_reported() {
    let place = row();
    let line = place.run(&["export", "row", "row.stl"]).failed();
    let name = |format: &ExportFormat| format!(".{} ({})", format.extension, format.name);
    let list: Vec<_> = formats().iter().map(name).collect();
    assert_eq!(line, format!("stonerun: row.stl: unknown format; supported: {}", list.join(", ")));
    assert!(place.run(&["export", "gone", "a.vox"]).failed().contains("there is no such map"));
    let line = place.run(&["export", "row", "no/such/a.vox"]).failed();
    assert_eq!(line, "stonerun: no/such/a.vox: there is no folder no/such");
    for arguments in [
        &["export", "row"][..],
        &["export", "row", "a.vox", "--from", "0,0,0"],
        &["export", "row", "a.vox", "--to", "0,0,0"],
        &["export", "row", "a.vox", "--from", "0,0", "--to", "1,1,1"],
        &["export", "row", "a.vox", "--from", "0,0,0", "--to", "1,1,1073741824"],
    ] {
        place.run(arguments).usage();
    }
    assert!(files(&place).is_empty());
}

#[test]
fn damaged_chunks_are_left_out_and_reported() {
    let place = Sandbox::with_home();
    let path = place.file("saves/home.stonerun");
    let voxels = |ran: &crate::common::Ran| {
        serde_json::from_str::<Value>(&ran.out).unwrap()["voxels"].as_u64().unwrap()
    };
    let whole = voxels(&place.run(&["export", "home", "whole.vox", "--json"]));
    let spoil =
        "UPDATE chunk SET record = zeroblob(length(record)) WHERE id = (SELECT min(id) FROM chunk)";
    assert_eq!(rusqlite::Connection::open(&path).unwrap().execute(spoil, []).unwrap(), 1);
    let ran = place.run(&["export", "home", "part.vox", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(lines.len(), 3, "{}", ran.err);
    assert!(
        lines[0].starts_with("stonerun: saves/home.stonerun: 1 of ")
            && lines[1].ends_with("; it is left out"),
        "{lines:?}"
    );
    assert!(lines[2].starts_with("stonerun: part.vox: not exported: "), "{lines:?}");
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["warnings"].as_array().unwrap().len(), 2);
    assert!(voxels(&ran) <= whole);
    place.run(&["import", "part.vox", "part"]).done();
}

#[cfg(unix)]
#[test]
fn failed_export_leaves_no_file() {
    let place = Sandbox::with_home();
    let program = assert_cmd::cargo::cargo_bin("stonerun");
    for target in ["a.vox", "a.glb", "a.obj"] {
        // A limit of 64 blocks of 512 bytes or 1 KiB per file, which acts like a full disk.
        let script =
            format!("trap '' XFSZ; ulimit -f 64; '{}' export home {target}", program.display());
        let ran = std::process::Command::new("sh")
            .arg("-c")
            .arg(script)
            .current_dir(place.file(""))
            .output()
            .unwrap();
        let line = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(1), "{line}");
        assert!(
            line.starts_with(&format!("stonerun: {target}: ")) && line.lines().count() == 1,
            "{line}"
        );
    }
    assert!(files(&place).is_empty(), "{:?}", files(&place));
}
