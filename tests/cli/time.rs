//! `stonerun time`: shows and sets the time of day in a map.

use crate::common::Sandbox;
use serde_json::Value;
use stonerun_engine::save::MapFile;

#[test]
fn time_is_shown_set_and_kept() {
    let place = Sandbox::with_home();
    let path = place.file("saves/home.stonerun");
    let stored = || MapFile::open_read_only(&path).unwrap().map.header().clone();
    let chunks = || MapFile::open_read_only(&path).unwrap().map.positions();
    let before = stored();
    let chunks_before = chunks();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(place.run(&["time", "home"]).done(), "saves/home.stonerun: 09:36\n");
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "showing the time must change nothing");

    assert_eq!(
        place.run(&["time", "home", "14:05"]).done(),
        "saves/home.stonerun: 14:05 (was 09:36)\n"
    );
    assert_eq!(place.run(&["time", "home"]).done(), "saves/home.stonerun: 14:05\n");
    let mut after = stored();
    assert!((after.time_of_day - 845.0 / 1440.0).abs() < 1e-12);
    after.time_of_day = before.time_of_day;
    after.saved_unix = before.saved_unix;
    assert_eq!((after, chunks()), (before, chunks_before), "only the time changes");

    let json =
        |arguments: &[&str]| serde_json::from_str::<Value>(&place.run(arguments).done()).unwrap();
    let set = json(&["time", "home", "18.5", "--json"]);
    assert_eq!((&set["time"], &set["before"]), (&Value::from("18:30"), &Value::from("14:05")));
    let shown = json(&["time", "home", "--json"]);
    assert_eq!((&shown["time"], &shown["before"]), (&Value::from("18:30"), &Value::Null));
    assert!((shown["part"].as_f64().unwrap() - 18.5 / 24.0).abs() < 1e-12);
}

#[test]
fn time_of_a_map_that_cannot_be_written_is_shown_but_not_set() {
    let place = Sandbox::with_home();
    let path = place.file("saves/home.stonerun");
    let open = MapFile::open(&path).unwrap();
    assert_eq!(place.run(&["time", "home"]).done(), "saves/home.stonerun: 09:36\n");
    let line = place.run(&["time", "home", "12:00"]).failed();
    assert_eq!(line, "stonerun: saves/home.stonerun is open in another program");
    drop(open);

    let mut permissions = path.metadata().unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(place.run(&["time", "home"]).done(), "saves/home.stonerun: 09:36\n");
    let line = place.run(&["time", "home", "12:00"]).failed();
    assert_eq!(line, "stonerun: saves/home.stonerun: the file is write-protected");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn wrong_time_is_a_usage_error() {
    let place = Sandbox::with_home();
    for bad in ["25:00", "12:60", "noon", "-1", "25"] {
        let said = place.run(&["time", "home", bad]).usage();
        assert!(
            said.contains("expected a time of day such as 14:05, or hours from 0 to 24"),
            "{bad}: {said}"
        );
    }
}
