//! Files of rules: the game's own, and broken ones.

use crate::rules::RuleSet;
use crate::voxel::MaterialTable;

#[test]
fn embedded_rules_are_valid() {
    let rules = RuleSet::builtin(&MaterialTable::builtin()).unwrap();
    assert!(rules.names().iter().any(|name| name == "water flows"), "{:?}", rules.names());
}

#[test]
fn broken_rules_are_reported_with_file_and_line() {
    let many = format!("[{}]", r#"Powder(materials: ["sand"]),"#.repeat(300));
    for (text, expected) in [
        ("[\n  Powder(materials: [\"sand\"],\n", "x.ron:2: Unexpected end of RON"),
        (
            "[\n\n  Powders(materials: [\"sand\"]),\n]",
            "x.ron:3: Unexpected variant named `Powders` in enum `rule`, expected one of",
        ),
        (
            "[\n  Powder(material: [\"sand\"]),\n]",
            "x.ron:2: Unexpected field named `material` in `Powder`, expected one of",
        ),
        ("[\n  Powder(\n    materials: [],\n  ),\n]", "x.ron:3: expected at least one material"),
        (
            "[\n // \"sandd\"\n  Powder(materials: [\"sand\", \"sandd\"]),\n]",
            "x.ron:3: unknown material \"sandd\"; expected",
        ),
        ("[\n  Powder(materials: [\"#solid\"]),\n]", "x.ron:2: unknown material \"#solid\"; expected"),
        ("[\n  Powder(materials: [\"air\"]),\n]", "x.ron:2: air cannot be moved; expected"),
        (
            "[\n  Powder(materials: [\"sand\"]),\n  Liquid(material: \"sand\"),\n]",
            "x.ron:3: \"sand\" is moved by another",
        ),
        ("[\n  Liquid(material: \"water\", least_depth: 1),\n]", "x.ron:2: expected a number from 2 to 256, not 1"),
        ("[\n  Liquid(material: \"water\",\n every: 0),\n]", "x.ron:3: expected a number from 1 to 10000, not 0"),
        (
            "[\n  Change(name: \"a\", of: [\"dirt\"], chance: (2, 1), becomes: \"air\"),\n]",
            "x.ron:2: expected a chance like (1, 64)",
        ),
        ("[\n  Change(name: \"a\", of: [\"dirt\"], becomes: \"airr\"),\n]", "x.ron:2: unknown material \"airr\""),
        (
            "[\n  Change(name: \"a\", of: [\"dirt\"],\n when: [Near(of: [\"dirt\"], at_least: 27)], becomes: \"air\"),\n]",
            "x.ron:3: expected a number from 0 to 26, not 27",
        ),
        (
            "[\n  Change(name: \"a\", of: [\"dirt\"],\n when: [Amount(at_least: 9, at_most: 8)], becomes: \"air\"),\n]",
            "x.ron:2: the rule \"a\" has an empty range",
        ),
        (&many, "x.ron:1: 300 rules; expected at most 256"),
    ] {
        let error = RuleSet::parse(text, "x.ron", &MaterialTable::builtin()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}\n{error}\n{expected}");
    }
}

#[test]
fn too_many_distinctions_are_refused() {
    let mut materials = MaterialTable::builtin();
    let names: Vec<String> = (0..200).map(|number| format!("made_{number}")).collect();
    for name in &names {
        materials.add(crate::voxel::Material::unknown(name)).unwrap();
    }
    let rules = names.iter().map(|name| format!("Change(name: \"a\", of: [\"dirt\"], becomes: \"{name}\")"));
    let text = format!("[{}]", rules.collect::<Vec<_>>().join(",\n"));
    let error = RuleSet::parse(&text, "x.ron", &materials).unwrap_err().to_string();
    assert!(error.starts_with("x.ron:1: the rules distinguish too many materials"), "{error}");
}
