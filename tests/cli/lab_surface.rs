//! `stonerun lab surface`.

use crate::common::Sandbox;
use serde_json::Value;

#[test]
fn surface_table_has_closed_surfaces_of_both_meshers() {
    let place = Sandbox::with_home();
    let json: Value =
        serde_json::from_str(&place.run(&["lab", "surface", "home", "--json"]).done()).unwrap();
    let [ours, rival] = &json["rows"].as_array().unwrap()[..] else { panic!("{json}") };
    assert_eq!(
        (&ours["mesher"], &rival["mesher"]),
        (&"stonerun".into(), &"fast-surface-nets".into())
    );
    let figure = |row: &Value, name: &str| row[name].as_u64().unwrap();
    assert_eq!((&ours["input"], figure(ours, "open_edges")), (&"home".into(), 0));
    assert!(
        figure(ours, "triangles") > 1000 && ours["us_per_chunk"].as_f64() > Some(0.0),
        "{ours}"
    );
    // The rival draws the surface at the low borders of the world, ours at the high ones.
    let ratio = figure(ours, "triangles") as f64 / figure(rival, "triangles") as f64;
    assert!((0.7..1.1).contains(&ratio), "{ratio}");
    assert!(place.run(&["lab", "surface", "nosuch"]).failed().contains("nosuch"));
}
