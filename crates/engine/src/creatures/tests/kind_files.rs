//! Kind files: the game's own, and malformed ones.

use crate::creatures::{CreatureKinds, Gait};
use crate::ron_text::without_column;
use crate::voxel::MaterialTable;

#[test]
fn embedded_kinds_are_valid() {
    let kinds = CreatureKinds::builtin(&MaterialTable::builtin()).unwrap();
    let names: Vec<&str> = kinds.list().iter().map(|kind| kind.name.as_str()).collect();
    assert_eq!(names, ["deer", "wolf", "fish", "sparrow", "glow_fly", "cave_crawler"]);
    for gait in [Gait::Walk, Gait::Swim, Gait::Fly, Gait::Hover] {
        assert!(kinds.list().iter().any(|kind| kind.gait == gait));
    }
    for kind in kinds.list() {
        let parts = &kind.body;
        assert!(
            parts.iter().all(|part| (0..3).all(|axis| part.low[axis] < part.high[axis])),
            "{}",
            kind.name
        );
        assert!(parts.iter().any(|part| part.swing.is_some()), "{}", kind.name);
    }
    assert_eq!(kinds.find("wolf"), Some(1));
}

const GOOD: &str = r#"[
  (name: "a", moves: Walk, speed: 1, fast_speed: 2,
   habitat: (one_in_chunks: 1, group: (1, 1)),
   body: []),
]"#;

#[test]
fn broken_kinds_are_reported_with_file_and_line() {
    let materials = MaterialTable::builtin();
    CreatureKinds::parse(GOOD, "x.ron", &materials).unwrap();
    let twice = format!("[{0}, {0}]", GOOD.trim_start_matches("[\n").trim_end_matches(",\n]"));
    let many = format!(
        "[{}]",
        (0..33)
            .map(|n| GOOD[2..].replace("\"a\"", &format!("\"{n}\"")).replace(",\n]", ""))
            .collect::<Vec<_>>()
            .join(",")
    );
    for (text, expected) in [
        (GOOD.replace("]),\n]", ""), "x.ron:4: "),
        (GOOD.replace("Walk", "Crawl"), "x.ron:2: Unexpected variant named `Crawl`"),
        (
            GOOD.replace("speed: 1,", "speed: 0,"),
            "x.ron:2: expected voxels per second from 0.1 to 20, not 0",
        ),
        (GOOD.replace("fast_speed", "swiftness"), "x.ron:2: Unexpected field named `swiftness`"),
        (
            GOOD.replace("one_in_chunks: 1", "one_in_chunks: 0"),
            "x.ron:3: expected a whole number from 1 to 1000, not 0",
        ),
        (
            GOOD.replace("one_in_chunks: 1", "one_in_chunks: 1.5"),
            "x.ron:3: expected a whole number from 1 to 1000, not 1.5",
        ),
        (
            GOOD.replace("one_in", "on: [\"gras\"], one_in"),
            "x.ron:3: unknown material \"gras\"; expected a material",
        ),
        (
            GOOD.replace("body", "hunts: [\"b\"], body"),
            "x.ron:4: unknown kind \"b\"; expected the name of a kind",
        ),
        (twice, "x.ron:3: the kind \"a\" is listed twice"),
        (many, "x.ron:1: 33 kinds; expected at most 32"),
        (
            GOOD.replace("\"a\"", &format!("\"{}\"", "a".repeat(256))),
            "x.ron:2: a name of 256 bytes; expected at most 255",
        ),
    ] {
        let error = CreatureKinds::parse(&text, "x.ron", &materials).unwrap_err().to_string();
        assert!(without_column(&error).starts_with(expected), "{text}\n{error}\n{expected}");
    }
}

#[test]
fn errors_point_at_the_field_with_the_error() {
    let kind = |name: &str, lists: &str, on: &str| {
        format!(
            "(hunts: [{lists}], name: \"{name}\", moves: Walk, speed: 1, fast_speed: 2,\n  \
             habitat: (on: [{on}], one_in_chunks: 1, group: (1, 1)), body: [])"
        )
    };
    let text = |kinds: [String; 3]| format!("[\n{},\n{},\n{}]", kinds[0], kinds[1], kinds[2]);
    let plain = kind("a", "", "");
    for (kinds, expected) in [
        // The second kind of this name, not the first nor the list that mentions it.
        (
            [kind("b", "\"a\"", ""), plain.clone(), kind("a", "\"a\"", "")],
            "x.ron:6:22: the kind \"a\" is listed twice",
        ),
        // The list of kinds, not the material of this name.
        (
            [plain.clone(), kind("b", "", "\"dirt\""), kind("c", "\"dirt\"", "")],
            "x.ron:6:10: unknown kind \"dirt\"",
        ),
        // The list of materials, not the kind of this name.
        (
            [plain, kind("b", "\"a\"", ""), kind("c", "", "\"a\"")],
            "x.ron:7:18: unknown material \"a\"",
        ),
    ] {
        let text = text(kinds);
        let error = CreatureKinds::parse(&text, "x.ron", &MaterialTable::builtin()).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{text}\n{error}\n{expected}");
    }
}
