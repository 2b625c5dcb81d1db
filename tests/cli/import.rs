//! `stonerun import`: models, worlds, heightmaps, losses and refused imports.

use crate::commands::load;
use crate::common::{Sandbox, vox};
use crate::region::region;
use serde_json::Value;

#[test]
fn import_of_a_model_makes_a_map() {
    let place = Sandbox::new();
    std::fs::write(
        place.file("row.vox"),
        vox([3, 1, 1], &[[0, 0, 0, 1], [1, 0, 0, 1], [2, 0, 0, 2]]),
    )
    .unwrap();
    let said = place.run(&["import", "row.vox", "row"]).done();
    assert!(said.contains("row.stonerun: 3 voxels, 3 x 1 x 1"), "{said}");
    let (world, map) = load(&place.file("saves/row.stonerun"));
    assert_eq!(map.header().terrain, "void");
    let name = |x| {
        let voxel = world.get(glam::IVec3::new(x, 0, 0));
        map.materials().get(voxel.material()).unwrap().name.clone()
    };
    assert_eq!([-1, 0, 1, 2].map(name), ["vox:#ffffff", "vox:#ffffff", "vox:#ffffcc", "air"]);
    let json: Value = serde_json::from_str(&place.run(&["info", "row", "--json"]).done()).unwrap();
    assert_eq!(json["nonempty"], 3);
    // An imported map has no seed.
    assert_eq!(json["seed"], Value::Null);
    assert!(!place.run(&["info", "row"]).done().contains("seed"));
    assert_eq!(json["bounds"], serde_json::json!({ "min": [-1, 0, 0], "max": [2, 1, 1] }));
    place.run(&["verify", "row"]).done();
}

#[test]
fn import_of_a_minecraft_world_makes_a_map() {
    let place = Sandbox::new();
    std::fs::create_dir_all(place.file("world/region")).unwrap();
    for name in ["r.0.0.mca", "r.-1.0.mca"] {
        std::fs::write(
            place.file("world/region").join(name),
            region(&[(0, 0), (0, 1), (31, 31)], (5, 5)),
        )
        .unwrap();
    }
    let ran = place.run(&["import", "world", "land"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("land.stonerun: 49,152 voxels, 1024 x 32 x 512"), "{}", ran.out);
    let bad = ["-27, 5", "5, 5"]
        .map(|place| format!("chunk ({place}) at byte 20480, byte 1 of its unpacked data: "));
    assert_eq!(ran.err.lines().count(), 2);
    for (line, bad) in ran.err.lines().zip(bad) {
        assert!(
            line.starts_with("stonerun: ")
                && line.contains(&bad)
                && line.ends_with("; it is left out"),
            "{line}"
        );
    }
    let json: Value = serde_json::from_str(&place.run(&["info", "land", "--json"]).done()).unwrap();
    assert_eq!((&json["nonempty"], &json["terrain"]), (&49_152.into(), &"void".into()));
    assert_eq!(
        json["bounds"],
        serde_json::json!({ "min": [-512, -64, -256], "max": [512, -32, 256] })
    );
    let (_, map) = load(&place.file("saves/land.stonerun"));
    assert_eq!(map.header().spawn[1], -30.0, "the player is above one of the chunks");
    place.run(&["verify", "land"]).done();
    drop(map);
    assert!(
        place
            .run(&["import", "world/region/r.0.0.mca", "one"])
            .out
            .contains("24,576 voxels, 512 x 32 x 512")
    );
}

#[test]
fn import_of_a_dimension_is_chosen_by_name() {
    let place = Sandbox::new();
    std::fs::create_dir_all(place.file("world/DIM-1/region")).unwrap();
    std::fs::write(place.file("world/DIM-1/region/r.0.0.mca"), region(&[(0, 0)], (1, 0))).unwrap();
    let line = place.run(&["import", "world", "land"]).failed();
    assert_eq!(
        line,
        "stonerun: world: no overworld; it has the Nether: choose it with --dimension nether"
    );
    let said = place.run(&["import", "world", "land", "--dimension", "nether"]);
    assert!(said.out.contains("land.stonerun: "), "{}", said.err);
    for (source, dimension, message) in [
        (
            "world",
            "moon",
            "a dimension is overworld, nether, end, or namespace:path of a data pack's dimension",
        ),
        (
            "world/DIM-1/region/r.0.0.mca",
            "end",
            "--dimension applies to Minecraft world folders only, and world/DIM-1",
        ),
    ] {
        let ran = place.run(&["import", source, "none", "--dimension", dimension]);
        assert!(ran.code == 2 && ran.err.contains(message), "{}", ran.err);
    }
}

#[test]
fn import_reports_what_is_lost() {
    let place = Sandbox::new();
    let kelp = fastnbt::nbt!({
        "Width": 2i16, "Height": 1i16, "Length": 1i16, "Version": 2, "BlockData": [B; 0, 1],
        "Palette": { "minecraft:stone": 0, "minecraft:kelp": 1 },
        "Entities": [{ "Id": "minecraft:pig" }, { "Id": "minecraft:cow" }],
    });
    std::fs::write(place.file("kelp.schem"), fastnbt::to_bytes(&kelp).unwrap()).unwrap();
    let ran = place.run(&["import", "kelp.schem", "kelp", "--json"]);
    assert_eq!(ran.err, "stonerun: kelp.schem: not imported: 1 plant under water; 2 entities\n");
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&json["voxels"], &json["size"]), (&2.into(), &serde_json::json!([2, 1, 1])));
    assert_eq!(
        json["lost"],
        serde_json::json!({ "shapes": 1, "contents": 0, "entities": 2, "biomes": 0, "unread": 0 })
    );
    assert!(
        json["map"].as_str().unwrap().ends_with("kelp.stonerun")
            && json["warnings"] == serde_json::json!([])
    );
}

#[test]
fn many_bad_chunks_are_listed_and_counted() {
    let place = Sandbox::new();
    let mut file = region(&[(0, 0)], (1, 0));
    // All other entries of the table point at the bad chunk.
    let bad: [u8; 4] = file[4..8].try_into().unwrap();
    for at in 2..100 {
        file[at * 4..at * 4 + 4].copy_from_slice(&bad);
    }
    std::fs::write(place.file("r.0.0.mca"), file).unwrap();
    let ran = place.run(&["import", "r.0.0.mca", "map"]);
    assert_eq!((ran.code, ran.err.lines().count()), (0, 11), "{}", ran.err);
    assert!(
        ran.err
            .lines()
            .next()
            .unwrap()
            .contains("chunk (1, 0) at byte 12288, byte 1 of its unpacked data")
    );
    let second = "chunk (0, 1) at byte 12288: table entry 32 repeats entry 1; it is left out";
    assert!(ran.err.lines().nth(1).unwrap().ends_with(second), "{}", ran.err);
    assert_eq!(ran.err.lines().last(), Some("stonerun: and 89 more"));
}

#[test]
fn failed_import_leaves_no_map() {
    let place = Sandbox::new();
    let whole = vox([1, 1, 1], &[[0, 0, 0, 1]]);
    std::fs::write(place.file("cut.vox"), &whole[..40]).unwrap();
    std::fs::write(place.file("cut.mca"), [0; 40]).unwrap();
    std::fs::write(place.file("cut.schem"), [0; 40]).unwrap();
    std::fs::write(place.file("text.schem"), "hello").unwrap();
    std::fs::create_dir(place.file("folder.vox")).unwrap();
    for (source, message) in [
        ("cut.vox", "cut.vox: chunk MAIN at byte 8: the file is cut off: 24 bytes are missing"),
        ("gone.vox", "gone.vox: there is no such file or folder"),
        (
            "folder.vox",
            "folder.vox: not a Minecraft world: it has no region files (region/r.0.0.mca)",
        ),
        (
            "cut.schem",
            "cut.schem: byte 0: this is not a schematic: NBT data begins with 10, not with 0",
        ),
        (
            "text.schem",
            "text.schem: byte 0: this is not a schematic: NBT data begins with 10, not with 104",
        ),
        ("cut.mca", "cut.mca: header: the file is cut off: 8152 bytes are missing"),
    ] {
        let line = place.run(&["import", source, "map"]).failed();
        assert_eq!(line, format!("stonerun: {message}"));
        assert!(
            std::fs::read_dir(place.file("saves")).unwrap().next().is_none(),
            "{source} left a file"
        );
    }
}

#[test]
fn unknown_format_error_lists_the_known_ones() {
    let place = Sandbox::new();
    std::fs::write(place.file("model.obj"), "v 0 0 0").unwrap();
    let line = place.run(&["import", "model.obj", "map"]).failed();
    let start = "stonerun: model.obj: unknown format; supported: .vox (MagicaVoxel), ";
    assert!(line.starts_with(start) && line.ends_with(", and folders (Minecraft world)"), "{line}");
}

#[test]
fn metres_per_block_scales_heights() {
    let place = Sandbox::new();
    let heights: Vec<u8> = (0..100 * 100u16).flat_map(|i| (i / 100 * 10).to_le_bytes()).collect();
    std::fs::write(place.file("slope.r16"), heights).unwrap();
    std::fs::write(place.file("dot.vox"), vox([1, 1, 1], &[[0, 0, 0, 1]])).unwrap();
    // 990 m are 330 blocks of 3 m, or 99 blocks of 10 m, plus four blocks below.
    let said = place.run(&["import", "slope.r16", "usual"]).done();
    assert!(said.contains(" voxels, 100 x 334 x 100"), "{said}");
    let said = place.run(&["import", "slope.r16", "low", "--metres-per-block", "10"]).done();
    assert!(said.contains(" voxels, 100 x 103 x 100"), "{said}");
    place.run(&["verify", "low"]).done();
    for metres in ["0", "-3", "0.001", "10001", "NaN", "inf", "many"] {
        let ran = place.run(&["import", "slope.r16", "none", "--metres-per-block", metres]);
        assert_eq!(ran.code, 2, "{metres}");
        assert!(ran.err.contains("a number of metres from 0.01 to 10000 is needed"), "{}", ran.err);
    }
    let ran = place.run(&["import", "dot.vox", "none", "--metres-per-block", "3"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("--metres-per-block applies to heightmaps only, and dot.vox is not one"),
        "{}",
        ran.err
    );
    assert!(
        place
            .run(&["import", "slope.r16", "none", "--metres-per-block", "0.1"])
            .failed()
            .contains("9900 blocks high")
    );
    assert!(!place.file("saves/none.stonerun").exists());
}
