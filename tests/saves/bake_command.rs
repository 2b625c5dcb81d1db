//! `stonerun bake` skips baked chunks, reports chunks that it cannot bake, and continues after a
//! kill.

use crate::common::Sandbox;
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use stonerun_engine::save::MapFile;

#[test]
fn bake_command_skips_what_is_baked() {
    let place = Sandbox::new();
    place.run(&["new", "cave", "--seed", "7", "--terrain", "caverns", "--radius", "0"]).done();
    let unbaked = place.run(&["lab", "pvs", "cave"]).failed();
    assert!(
        unbaked.contains(
            "cave.stonerun: the map is not baked; run `stonerun bake saves/cave.stonerun` first"
        ),
        "{unbaked}"
    );
    let json = |arguments: &[&str]| -> Value {
        serde_json::from_str(&place.run(arguments).done()).unwrap()
    };
    let first = json(&["bake", "cave", "--view", "4", "--json"]);
    let number = |of: &Value, name: &str| of[name].as_u64().unwrap();
    assert_eq!(number(&first, "baked"), number(&first, "chunks"));
    assert!(
        number(&first, "cells") > 0 && number(&first, "bytes") > 0 && number(&first, "view") == 4
    );
    assert!((0.0..1.0).contains(&first["occluded"].as_f64().unwrap()));
    let again = json(&["bake", "cave", "--view", "4", "--json"]);
    assert_eq!(number(&again, "baked"), 0);
    for figure in ["chunks", "cells", "bytes", "occluded"] {
        assert_eq!(first[figure], again[figure]);
    }
    assert!(place.run(&["bake", "cave", "--view", "4"]).done().contains("already baked"));
    let rows = json(&["lab", "pvs", "cave", "--json"]);
    assert_eq!(rows["rows"][0]["name"], "cave");
    assert_eq!(rows["rows"][0]["cells"], first["cells"]);
    assert_eq!(rows["rows"][1]["name"], "cave, 8 steps");
    assert_eq!(rows["rows"][1]["cells"], first["cells"]);
    assert!(
        rows["rows"][1]["occluded"].as_f64().unwrap()
            > rows["rows"][0]["occluded"].as_f64().unwrap()
    );
    // Baking for another view distance replaces all sets.
    let again = place.run(&["bake", "cave", "--view", "3", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&again.out).unwrap()["baked"], first["chunks"]);
    let chunks = number(&first, "chunks");
    assert_eq!(
        again.err,
        format!("stonerun: replacing the baked sets: {chunks} chunks at view 4\n")
    );
    let sound = format!(" materials, {chunks} chunks at view 3 baked: sound");
    assert!(place.run(&["verify", "cave"]).done().trim_end().ends_with(&sound));
    let views = serde_json::json!([{"view": 3, "chunks": chunks}]);
    assert_eq!(json(&["info", "cave", "--json"])["baked"], views);
    assert_eq!(json(&["verify", "cave", "--json"])["baked"], views);
    // Results of the files before an unreadable file are still printed.
    std::fs::write(place.file("empty.pvs"), "").unwrap();
    let half = place.run(&["lab", "pvs", "cave", "empty.pvs", "--json"]);
    assert_eq!(
        serde_json::from_str::<Value>(&half.out).unwrap()["rows"].as_array().unwrap().len(),
        2
    );
    assert_eq!(
        (half.code, half.err.as_str()),
        (1, "stonerun: empty.pvs: byte 0: the file is cut off\n")
    );
}

#[test]
fn bake_command_reports_what_it_cannot_bake() {
    let place = Sandbox::with_home();
    assert!(place.run(&["bake", "nosuch"]).failed().contains("there is no such map"));
    assert!(
        place
            .run(&["bake", "home", "--view", "0"])
            .usage()
            .contains("expected a whole number from 3 to 24")
    );
    let open = MapFile::open(&place.file("saves/home.stonerun")).unwrap();
    assert!(place.run(&["bake", "home"]).failed().ends_with("is open in another program"));
    open.map.close().unwrap();
    std::fs::write(place.file("bad.stonerun"), [7; 9000]).unwrap();
    assert!(
        place.run(&["bake", "bad.stonerun"]).failed().contains("bad.stonerun: not a Stonerun map")
    );
}

#[test]
fn stopped_bake_keeps_what_is_done() {
    let place = Sandbox::new();
    place.run(&["new", "cave", "--seed", "7", "--terrain", "caverns", "--radius", "1"]).done();
    let path = place.file("saves/cave.stonerun");
    let mut running = Command::new(env!("CARGO_BIN_EXE_stonerun"))
        .args(["bake", "saves/cave.stonerun", "--view", "4"])
        .current_dir(place.file("saves").parent().unwrap())
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    let mut done = 0;
    while done == 0 && began.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(20));
        done = MapFile::open_read_only(&path).unwrap().map.baked(4).unwrap().len();
    }
    running.kill().unwrap();
    running.wait().unwrap();
    let opened = MapFile::open_read_only(&path).unwrap();
    assert_eq!(opened.damage, None);
    let all = opened.map.positions().len();
    let done = opened.map.baked(4).unwrap().len();
    drop(opened);
    assert!(0 < done && done < all, "{done} of {all} were baked");
    let line = place.run(&["lab", "pvs", "cave"]).failed();
    let part =
        format!("{done} of {all} chunks are baked; `stonerun bake --view 4` bakes the others");
    assert!(line.contains(&part), "{line}");
    let rest: Value =
        serde_json::from_str(&place.run(&["bake", "cave", "--view", "4", "--json"]).done())
            .unwrap();
    assert_eq!(
        (rest["baked"].as_u64(), rest["chunks"].as_u64()),
        (Some((all - done) as u64), Some(all as u64))
    );
}
