//! Places of defects, over all readers of RON.

use super::*;
use crate::creatures::CreatureKinds;
use crate::rules::RuleSet;
use crate::voxel::MaterialTable;
use std::fs;
use std::path::Path;

/// The error of a reader for a text in the file `x.ron`.
type Reader = fn(&str) -> String;

fn materials(text: &str) -> String {
    MaterialTable::from_ron(text, "x.ron").unwrap_err().to_string()
}

fn rules(text: &str) -> String {
    RuleSet::parse(text, "x.ron", &MaterialTable::builtin()).unwrap_err().to_string()
}

fn kinds(text: &str) -> String {
    CreatureKinds::parse(text, "x.ron", &MaterialTable::builtin()).unwrap_err().to_string()
}

/// A text with a defect in its second line, the start of its place, and of the reason.
struct Case {
    read: Reader,
    text: &'static str,
    place: &'static str,
    reason: &'static str,
}

const CASES: &[Case] = &[
    Case { read: materials, text: "[\n  (name: 5),\n]", place: "2:9", reason: "Expected string" },
    Case {
        read: rules,
        text: "[\n  Powders(),\n]",
        place: "2:",
        reason: "Unexpected variant named `Powders`",
    },
    Case {
        read: rules,
        text: "[\n  Powder(materials: [\"sand\", \"sandd\"]),\n]",
        place: "2:30",
        reason: "unknown material \"sandd\"",
    },
    Case { read: kinds, text: "[\n  (name: 5),\n]", place: "2:9", reason: "Expected string" },
];

#[test]
fn every_reader_names_file_line_column_and_reason() {
    for Case { read, text, place, reason } in CASES {
        let error = read(text);
        assert!(error.starts_with(&format!("x.ron:{place}")), "{text}\n{error}");
        assert!(
            without_column(&error).starts_with(&format!("x.ron:2: {reason}")),
            "{text}\n{error}"
        );
    }
}

#[test]
fn places_count_characters_and_skip_comments() {
    let text = "// \"a\"\nß \"a\", \"a\"";
    let places: Vec<String> = strings(text).map(|found| found.place.to_string()).collect();
    assert_eq!(places, ["2:3", "2:8"]);
    let error = read_bytes::<u8>(&[b'1', b'\n', 0xff], "x.ron").unwrap_err();
    assert!(error.to_string().starts_with("x.ron:"), "{error}");
}

#[test]
fn strings_are_found_with_their_item_and_field() {
    let text = r##"[ // "no"
        (name: "a//b", on /* "no" /* "no" */ */ : ["c", r"d", r#"e"f"#]),
        Remove("g\"h"), A(effect: Lays(material: "i"), most: "j"),
    ]"##;
    let found: Vec<_> =
        strings(text).map(|found| (found.item, found.field, found.content)).collect();
    assert_eq!(
        found,
        [
            (0, "name", "a//b"),
            (0, "on", "c"),
            (0, "on", "d"),
            (0, "on", "e\"f"),
            (1, "", "g\\\"h"),
            (2, "material", "i"),
            (2, "most", "j"),
        ]
    );
    for unfinished in ["[\"a", "[r#\"a", "[/* a", "[\"\\", "r#", "/", "]]]\"b\""] {
        assert!(strings(unfinished).count() <= 1, "{unfinished}");
    }
}

/// Files that call RON's own readers outside tests.
fn readers(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            readers(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            if code.contains("ron::from_str") || code.contains("ron::de::") {
                found.push(path.file_name().unwrap_or_default().display().to_string());
            }
        }
    }
}

#[test]
fn no_other_file_reads_ron() {
    let mut found = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for sources in ["src", "crates"] {
        readers(&root.join(sources), &mut found);
    }
    found.retain(|file| file != "tests.rs");
    assert_eq!(found, ["ron_text.rs"]);
}
