//! `stonerun lab`: its tables on all kinds of input, and inputs that it refuses.

use crate::common::{Sandbox, vox};
use crate::region::region;
use serde_json::Value;

#[test]
fn iteration_table_measures_any_input() {
    let place = Sandbox::with_home();
    let said = place.run(&["lab", "iteration", "home", "--json"]).done();
    let json: Value = serde_json::from_str(&said).unwrap();
    let rows = json["rows"].as_array().unwrap();
    let stores: Vec<_> = rows.iter().map(|row| row["store"].as_str().unwrap()).collect();
    let all = [
        "flat array",
        "virtual array",
        "octree",
        "row-packed",
        "palette",
        "interval tree",
        "run tree",
    ];
    assert_eq!(stores, all);
    for row in rows {
        assert_eq!(row["input"], "home");
        for figure in [
            "random_read_ns",
            "dependent_read_ns",
            "random_write_ns",
            "iterate_r0_ns",
            "iterate_r1_ns",
        ] {
            assert!(row[figure].as_f64().unwrap() > 0.0, "{figure}: {row}");
        }
        assert!(row["heap_bytes"].as_u64().unwrap() > 0, "{row}");
    }
    let table = place.run(&["lab", "iteration", "home"]).done();
    assert!(all.iter().all(|store| table.lines().any(|line| line.starts_with(store))), "{table}");
    assert!(place.run(&["lab", "iteration", "nosuch"]).failed().contains("nosuch"));
}

#[test]
fn light_table_has_equal_rows_of_all_schemes() {
    let place = Sandbox::with_home();
    let json: Value =
        serde_json::from_str(&place.run(&["lab", "light", "home", "--json"]).done()).unwrap();
    let rows = json["rows"].as_array().unwrap();
    let schemes: Vec<&str> = rows.iter().map(|row| row["scheme"].as_str().unwrap()).collect();
    assert_eq!(schemes[..3], ["queue", "starlight", "stonerun"]);
    assert_eq!(
        schemes[3..],
        ["queue, three colours", "starlight, three colours", "stonerun, three colours"]
    );
    for row in rows {
        assert!(row["equal"] == true && row["us_per_chunk"].as_f64() > Some(0.0), "{row}");
    }
    let bytes = |number: usize| rows[number]["bytes"].as_u64().unwrap();
    assert!(bytes(2) * 20 < bytes(0), "{rows:?}");
}

#[test]
fn mesh_table_has_a_row_per_input() {
    let place = Sandbox::with_home();
    let json: Value =
        serde_json::from_str(&place.run(&["lab", "mesh", "home", "--json"]).done()).unwrap();
    let [row] = &json["rows"].as_array().unwrap()[..] else { panic!("{json}") };
    assert_eq!((&row["input"], &row["mesher"]), (&"home".into(), &"stonerun".into()));
    let [quads, bytes] = ["quads", "gpu_bytes"].map(|name| row[name].as_u64().unwrap());
    // Eight bytes per quad, plus the dark bricks.
    assert!(
        quads > 100
            && (8 * quads..12 * quads).contains(&bytes)
            && row["us_per_chunk"].as_f64() > Some(0.0),
        "{row}"
    );
    let [runs, fused] = ["runs", "fused_runs"].map(|name| row[name].as_u64().unwrap());
    assert!(runs > 100 && fused > runs, "{row}");
    let each = row["quads_per_fused_run"].as_f64().unwrap();
    assert!((each - quads as f64 / fused as f64).abs() < 1e-9, "{row}");
    let table = place.run(&["lab", "mesh", "home"]).done();
    assert!(table.starts_with("input ") && table.contains("\nhome "), "{table}");
    assert!(place.run(&["lab", "mesh", "nosuch"]).failed().contains("nosuch"));
}

#[test]
fn edit_table_has_equal_rows_with_ratios() {
    let place = Sandbox::new();
    let report: Value =
        serde_json::from_str(&place.run(&["lab", "edit", "--side", "64", "--json"]).done())
            .unwrap();
    assert_eq!(
        (&report["side"], &report["voxels"], &report["chunks"]),
        (&64.into(), &262_144.into(), &8.into())
    );
    let rows = report["rows"].as_array().unwrap();
    assert!(rows.len() >= 10, "{report}");
    for row in rows {
        let units = if row["ours_ms"].is_null() { "bytes" } else { "ms" };
        let [ours, rival] =
            ["ours", "rival"].map(|who| row[format!("{who}_{units}")].as_f64().unwrap());
        assert!(row["equal"] == true && ours > 0.0 && rival > 0.0, "{row}");
        assert!(
            (row["ratio"].as_f64().unwrap() - rival / ours).abs() < 1e-6 * rival / ours,
            "{row}"
        );
    }
    let table = place.run(&["lab", "edit", "--side", "64"]).done();
    assert!(table.starts_with("Terrain of 64^3 voxels: 8 chunks ("), "{table}");
    assert!(rows.iter().all(|row| table.contains(row["workload"].as_str().unwrap())), "{table}");
    for side in ["0", "65", "2048", "wide"] {
        let said = place.run(&["lab", "edit", "--side", side]).usage();
        assert!(said.contains("a multiple of 64 from 64 to 1024"), "{said}");
    }
}

#[test]
fn shaping_table_has_brushes_and_equal_boxes() {
    let place = Sandbox::new();
    let report: Value =
        serde_json::from_str(&place.run(&["lab", "shaping", "--side", "64", "--json"]).done())
            .unwrap();
    let rows = report["rows"].as_array().unwrap();
    let boxes: Vec<&Value> = rows.iter().filter(|row| !row["ratio"].is_null()).collect();
    assert_eq!((rows.len(), boxes.len()), (10, 2), "{report}");
    assert!(rows.iter().all(|row| row["ours_ms"].as_f64() > Some(0.0)), "{report}");
    assert!(boxes.iter().all(|row| row["equal"] == true), "{report}");
    let table = place.run(&["lab", "shaping", "--side", "64"]).done();
    assert!(rows.iter().all(|row| table.contains(row["workload"].as_str().unwrap())), "{table}");
    assert!(place.run(&["lab", "shaping", "--side", "63"]).usage().contains("63"));
}

#[test]
fn rules_are_compared_with_a_scan() {
    let place = Sandbox::new();
    let report: Value =
        serde_json::from_str(&place.run(&["lab", "rules", "--side", "64", "--json"]).done())
            .unwrap();
    let rows = report["rows"].as_array().unwrap();
    assert!(rows.len() >= 6, "{report}");
    for row in rows {
        assert_eq!(row["identical"], true, "{row}");
        assert!(
            row["dense_ms"].as_f64().unwrap() > 0.0 && row["runs_ms"].as_f64().unwrap() > 0.0,
            "{row}"
        );
    }
    assert_eq!(
        rows.iter().filter(|row| row["workload"].as_str().unwrap().contains("1%")).count(),
        1
    );
    place.run(&["lab", "rules", "--side", "65"]).usage();
}

#[test]
fn creature_table_has_equal_results() {
    let place = Sandbox::with_home();
    let said = place.run(&["lab", "creatures", "home", "--effort", "1", "--json"]).done();
    let report: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(report["input"], "home");
    let [reach, paths, edits] = ["reach", "paths", "edits"].map(|part| &report[part]);
    assert_eq!(
        (reach["compared"].as_u64(), reach["wrong_no"].as_u64(), reach["wrong_yes"].as_u64()),
        (Some(100_000), Some(0), Some(0))
    );
    assert!(reach["nodes"].as_u64() > Some(0) && reach["no_ns"].as_f64() > Some(0.0), "{report}");
    assert!(paths["within_bound"] == true && paths["longest"].as_f64() <= Some(1.05), "{report}");
    assert!(edits["equal"] == true && edits["compared"].as_u64() > Some(0), "{report}");
    let ticks = report["ticks"].as_array().unwrap();
    assert_eq!(
        ticks.iter().map(|row| row["creatures"].as_u64()).collect::<Vec<_>>(),
        [Some(100), Some(500)]
    );
    assert!(
        ticks.iter().all(|row| row["equal"] == true && row["moving"].as_f64() > Some(0.0)),
        "{report}"
    );
    place.run(&["lab", "creatures", "home", "--effort", "0"]).usage();
    assert!(place.run(&["lab", "creatures", "nosuch"]).failed().contains("nosuch"));
}

#[test]
fn fly_counts_operations_per_task() {
    let place = Sandbox::new();
    place.run(&["new", "home", "--seed", "5", "--radius", "1"]).done();
    let said = place.run(&["lab", "fly", "home", "--seconds", "2", "--view", "2", "--json"]).done();
    let report: Value = serde_json::from_str(&said).unwrap();
    let flight = &report["flights"][0];
    assert_eq!((flight["name"].as_str(), flight["frames"].as_u64()), (Some("home"), Some(120)));
    let tasks: Vec<&str> =
        flight["rows"].as_array().unwrap().iter().map(|r| r["task"].as_str().unwrap()).collect();
    assert_eq!(tasks, ["placing", "collision", "picking", "lighting", "meshing", "saving"]);
    assert!(flight["rows"][1]["random_reads"].as_u64() > Some(120), "{said}");
    let table = place.run(&["lab", "fly", "--seconds", "1", "--view", "2"]).done();
    assert!(
        table.contains("continents, seed 5: 1 s of flight") && table.contains("iteration is "),
        "{table}"
    );
    assert!(place.run(&["lab", "fly", "nosuch"]).failed().contains("nosuch"));
    place.run(&["lab", "fly", "--seconds", "0"]).usage();
}

#[test]
fn storage_table_measures_any_input() {
    let place = Sandbox::with_home();
    std::fs::write(
        place.file("row.vox"),
        vox([3, 1, 1], &[[0, 0, 0, 1], [1, 0, 0, 1], [2, 0, 0, 2]]),
    )
    .unwrap();
    let measured = |arguments: &[&str]| -> Value {
        serde_json::from_str(
            &place.run(&[&["lab", "storage"], arguments, &["--json"]].concat()).done(),
        )
        .unwrap()
    };
    let json = measured(&["home", "row.vox", "--generated=100000"]);
    let formats = [
        "dense",
        "palette",
        "row-packed",
        "run tree",
        "bit-packed RLE",
        "byte-RLE",
        "byte-RLE+LZ4",
        "byte-RLE+zstd",
    ];
    let inputs = json["inputs"].as_array().unwrap();
    assert_eq!(
        inputs.iter().map(|input| &input["name"]).collect::<Vec<_>>(),
        ["home", "row", "generated"]
    );
    for input in inputs {
        let rows = input["rows"].as_array().unwrap();
        assert_eq!(rows.iter().map(|row| &row["format"]).collect::<Vec<_>>(), formats);
        let [voxels, nonempty, chunks, runs] =
            ["voxels", "nonempty", "chunks", "runs"].map(|name| input[name].as_u64().unwrap());
        assert_eq!(
            (voxels, rows[0]["bytes"].as_u64().unwrap()),
            (chunks * 32768, chunks * 98304),
            "{input}"
        );
        assert!(0 < nonempty && nonempty < voxels && chunks < runs, "{input}");
        // A packed format is never larger than the format it packs.
        let bytes: Vec<u64> = rows.iter().map(|row| row["bytes"].as_u64().unwrap()).collect();
        assert!(bytes[6] <= bytes[5] && bytes[7] <= bytes[5] && bytes[3] < bytes[0], "{input}");
    }
    // The figures must equal the output of `info`.
    let info: Value = serde_json::from_str(&place.run(&["info", "home", "--json"]).done()).unwrap();
    for (name, row) in [
        ("flat_bytes", 0),
        ("palette_bytes", 1),
        ("row_packed_bytes", 2),
        ("heap_bytes", 3),
        ("rle_bytes", 5),
        ("data_bytes", 6),
    ] {
        assert_eq!(inputs[0]["rows"][row]["bytes"], info[name], "{name}");
    }
    for name in ["chunks", "voxels", "nonempty", "runs"] {
        assert_eq!(inputs[0][name], info[name], "{name}");
    }
    assert_eq!(
        (&inputs[1]["nonempty"], &inputs[1]["chunks"]),
        (&3.into(), &2.into()),
        "around x = 0"
    );
    assert!(
        inputs[2]["nonempty"].as_u64().unwrap() >= 100_000
            && inputs[2]["map_bytes"].as_u64().unwrap() > 0
    );
    assert_eq!(
        measured(&["home"])["inputs"].as_array().unwrap().len(),
        1,
        "only the named inputs are measured"
    );

    let table = place.run(&["lab", "storage", "home", "row.vox"]).done();
    let blocks: Vec<_> = table.split("\n\n").collect();
    assert_eq!(blocks.len(), 2, "{table}");
    for block in blocks {
        assert!(
            formats.iter().all(|format| block.lines().any(|line| line.starts_with(format))),
            "{table}"
        );
    }
}

#[test]
fn storage_table_refuses_unreadable_input() {
    let place = Sandbox::with_home();
    std::fs::write(place.file("model.obj"), "v 0 0 0").unwrap();
    std::fs::write(place.file("cut.vox"), &vox([1, 1, 1], &[[0, 0, 0, 1]])[..40]).unwrap();
    let refused = |input: &str| place.run(&["lab", "storage", "home", input, "--json"]).failed();
    assert!(refused("nosuch").starts_with("stonerun: nosuch: there is no such map"));
    assert!(refused("model.obj").starts_with("stonerun: model.obj: unknown format"));
    assert!(
        refused("cut.vox")
            .starts_with("stonerun: cut.vox: chunk MAIN at byte 8: the file is cut off")
    );
    // A damaged map is refused, because its figures would cover only a part.
    let path = place.file("saves/home.stonerun");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let line = place.run(&["lab", "storage", "home"]).failed();
    assert!(line.starts_with("stonerun: saves/home.stonerun: "), "{line}");
    for number in ["0", "10000000001", "many"] {
        let said = place.run(&["lab", "storage", &format!("--generated={number}")]).usage();
        assert!(said.contains(number), "{said}");
    }
}

/// A slab of stone as a `.vox` file.
fn slab() -> Vec<u8> {
    let voxels: Vec<[u8; 4]> = (0..64 * 64 * 2)
        .map(|i: u32| [i as u8 & 63, (i >> 6) as u8 & 63, (i >> 12) as u8, 1])
        .collect();
    vox([64, 64, 2], &voxels)
}

#[test]
fn flight_over_an_import_stays_above_it() {
    let place = Sandbox::new();
    std::fs::write(place.file("slab.vox"), slab()).unwrap();
    place.run(&["import", "slab.vox", "slab"]).done();
    let flight = |input: &str| -> Value {
        let said =
            place.run(&["lab", "fly", input, "--seconds", "30", "--view", "2", "--json"]).done();
        serde_json::from_str::<Value>(&said).unwrap()["flights"][0].take()
    };
    let flown = flight("slab.vox");
    assert!(flown["edits"].as_u64() > Some(40), "{flown}");
    // Imported chunks are saved only if they were edited.
    let saved = &flown["rows"][5]["voxels_iterated"];
    assert!(*saved != 0 && saved.as_u64() <= Some(60 * 32768), "{flown}");
    assert_eq!(flown, flight("slab"), "a map of the slab gives the same flight");
}

#[test]
fn flight_does_not_save_stored_chunks_again() {
    let place = Sandbox::new();
    // The same terrain, but the second map has more of it stored.
    let [bare, full] = ["0", "6"].map(|radius| {
        place.run(&["new", radius, "--seed", "4", "--radius", radius]).done();
        let said =
            place.run(&["lab", "fly", radius, "--seconds", "10", "--view", "2", "--json"]).done();
        serde_json::from_str::<Value>(&said).unwrap()["flights"][0].take()
    });
    assert_eq!(bare["edits"], full["edits"]);
    let [bare, full] =
        [bare, full].map(|flight| flight["rows"][5]["voxels_iterated"].as_u64().unwrap());
    assert!(0 < full && full < bare, "{full} {bare}");
}

#[test]
fn every_table_refuses_a_damaged_import() {
    let place = Sandbox::new();
    std::fs::write(place.file("r.0.0.mca"), region(&[(0, 0), (0, 1)], (5, 5))).unwrap();
    for table in ["iteration", "storage", "fly", "light", "mesh", "surface", "visibility"] {
        let line = place.run(&["lab", table, "r.0.0.mca"]).failed();
        assert!(line.starts_with("stonerun: r.0.0.mca: chunk (5, 5) at byte "), "{table}: {line}");
    }
}

#[test]
fn inputs_with_equal_names_get_separate_tables() {
    let place = Sandbox::new();
    std::fs::create_dir(place.file("other")).unwrap();
    for (name, size) in [("row.vox", 1), ("other/row.vox", 2)] {
        std::fs::write(place.file(name), vox([size, 1, 1], &[[size as u8 - 1, 0, 0, 1]])).unwrap();
    }
    let table = place.run(&["lab", "iteration", "row.vox", "other/row.vox"]).done();
    assert_eq!(table.matches("row: nanoseconds per voxel").count(), 2, "{table}");
}

/// A `.pvs` file of this many cells, each of which sees itself and some cells after it.
fn visibility(cells: usize) -> Vec<u8> {
    let row_bytes = cells.div_ceil(8);
    let mut rows = vec![0u8; cells * row_bytes];
    for i in 0..cells {
        for j in i..cells.min(i + 9) {
            rows[i * row_bytes + j / 8] |= 1 << (j % 8);
        }
    }
    [&(cells as u32).to_le_bytes()[..], &(row_bytes as u32).to_le_bytes(), &rows].concat()
}

#[test]
fn pvs_table_measures_files() {
    let place = Sandbox::new();
    std::fs::write(place.file("some.pvs"), visibility(100)).unwrap();
    std::fs::write(place.file("none.pvs"), visibility(0)).unwrap();
    let said = place.run(&["lab", "pvs", "some.pvs", "none.pvs", "--json"]).done();
    let json: Value = serde_json::from_str(&said).unwrap();
    let [some, none] = &json["rows"].as_array().unwrap()[..] else { panic!("{said}") };
    assert_eq!(
        (&some["name"], &some["cells"], &some["raw"]),
        (&"some".into(), &100.into(), &1300.into())
    );
    assert!((some["occluded"].as_f64().unwrap() - (1.0 - 864.0 / 10_000.0)).abs() < 1e-9, "{said}");
    for codec in ["quake", "zero_one", "new", "ours"] {
        assert!(some[codec].as_u64() > Some(100), "{codec}: {said}");
        assert!(
            some["decode_ns"][codec].as_f64() > Some(0.0)
                && some["iterate_ns"][codec].as_f64() > Some(0.0)
        );
        assert_eq!((&none["name"], &none["decode_ns"][codec]), (&"none".into(), &0.0.into()));
    }
    let table = place.run(&["lab", "pvs", "some.pvs"]).done();
    assert!(
        table.lines().any(|line| line.starts_with("some ") && line.contains("91.4%")),
        "{table}"
    );
    assert!(table.contains("iterate"), "{table}");
}

#[test]
fn pvs_table_refuses_unreadable_files() {
    let place = Sandbox::new();
    std::fs::write(place.file("cut.pvs"), &visibility(100)[..500]).unwrap();
    std::fs::write(place.file("map.bsp"), [29, 0, 0, 0]).unwrap();
    let refused = |input: &str| place.run(&["lab", "pvs", input, "--json"]).failed();
    assert_eq!(
        refused("cut.pvs"),
        "stonerun: cut.pvs: byte 8: 100 cells need 1300 bytes of rows, found 492"
    );
    assert_eq!(refused("map.bsp"), "stonerun: map.bsp: byte 116: the file is cut off");
    assert!(refused("nosuch.pvs").starts_with("stonerun: nosuch.pvs: "));
    assert!(refused("model.vox").starts_with("stonerun: model.vox: unknown format"));
    place.run(&["lab", "pvs"]).usage();
}

#[test]
fn visibility_sets_are_checked_by_rays() {
    let place = Sandbox::with_home();
    let slab = vox(
        [40, 40, 2],
        &(0..40 * 40).map(|i: u32| [(i % 40) as u8, (i / 40) as u8, 0, 1]).collect::<Vec<_>>(),
    );
    std::fs::write(place.file("slab.vox"), slab).unwrap();
    let measured = |arguments: &[&str]| -> Value {
        let few = ["--cells", "4", "--view", "3", "--rays", "20000", "--json"];
        serde_json::from_str(&place.run(&[&["lab", "visibility"], arguments, &few].concat()).done())
            .unwrap()
    };
    let json = measured(&["home", "--edits", "40"]);
    let figure = |name: &str| json[name].as_f64().unwrap_or_else(|| panic!("{name}: {json}"));
    assert_eq!(
        (&json["name"], figure("cells"), figure("rays"), figure("missed")),
        (&"home".into(), 4.0, 20_000.0, 0.0)
    );
    assert!(
        0.0 <= figure("sweep_occluded")
            && figure("sweep_occluded") <= figure("occluded")
            && figure("occluded") < 1.0
    );
    assert!(
        1.0 <= figure("tightness") && figure("tightness") <= figure("sweep_tightness"),
        "{json}"
    );
    assert!(
        0.0 < figure("sweep_ms_p50") && figure("sweep_ms_p50") <= figure("sweep_ms_p99"),
        "{json}"
    );
    assert!(
        figure("proven_chunks") <= figure("refined_chunks")
            && figure("refined_chunks") < figure("chunks")
    );
    // Everything except times is reproducible. Several inputs are listed one after the other.
    let both = measured(&["home", "slab.vox", "--edits", "40"]);
    let [home, slab] = &both["inputs"].as_array().unwrap()[..] else { panic!("{both}") };
    for name in ["proven_chunks", "refined_chunks", "walk_chunks", "walk_missed"] {
        assert_eq!(home[name], json[name], "{name}");
    }
    assert_eq!((&slab["name"], &slab["missed"]), (&"slab".into(), &0.into()));
    let table = place
        .run(&["lab", "visibility", "slab.vox", "--cells", "1", "--view", "3", "--rays", "99"])
        .done();
    for start in ["slab: 1 cells, view 3 (", "sweep ", "refined ", "graph walk ", "rays "] {
        assert!(table.lines().any(|line| line.starts_with(start)), "{table}");
    }
}

#[test]
fn visibility_without_an_open_cell_is_refused() {
    let place = Sandbox::new();
    let refused = |input: &str| place.run(&["lab", "visibility", input, "--view", "3"]).failed();
    place.run(&["new", "nothing", "--terrain", "void", "--radius", "1"]).done();
    assert_eq!(
        refused("nothing"),
        "stonerun: nothing: there is no open voxel above ground to look from"
    );
    assert!(refused("nosuch").starts_with("stonerun: nosuch: there is no such map"));
    for wrong in
        [["--view", "2"], ["--view", "25"], ["--cells", "0"], ["--rays", "0"], ["--edits", "many"]]
    {
        place.run(&[&["lab", "visibility"], &wrong[..]].concat()).usage();
    }
}
