//! Rule files: the game's own, and broken ones.

use crate::ron_text::without_column;
use crate::rules::{RuleSet, RuleSource};
use crate::voxel::{MaterialTable, Voxel};

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
        (
            "[\n  Powder(materials: [\"#solid\"]),\n]",
            "x.ron:2: unknown material \"#solid\"; expected",
        ),
        (
            "[\n  Powder(materials: [\"air\"]),\n]",
            "x.ron:2: air cannot be moved or wired; expected",
        ),
        (
            "[\n  Powder(materials: [\"sand\"]),\n  Liquid(material: \"sand\"),\n]",
            "x.ron:3: \"sand\" is moved by another",
        ),
        (
            "[\n  Liquid(material: \"water\", least_depth: 1),\n]",
            "x.ron:2: expected a number from 2 to 256, not 1",
        ),
        (
            "[\n  Liquid(material: \"water\",\n every: 0),\n]",
            "x.ron:3: expected a number from 1 to 10000, not 0",
        ),
        (
            "[\n  Change(name: \"a\", of: [\"dirt\"], chance: (2, 1), becomes: \"air\"),\n]",
            "x.ron:2: expected a chance like (1, 64)",
        ),
        (
            "[\n  Change(name: \"a\", of: [\"dirt\"], becomes: \"airr\"),\n]",
            "x.ron:2: unknown material \"airr\"",
        ),
        (
            "[\n  Change(name: \"a\", of: [\"dirt\"],\n when: [Near(of: [\"dirt\"], at_least: 27)], becomes: \"air\"),\n]",
            "x.ron:3: expected a number from 0 to 26, not 27",
        ),
        (
            "[\n  Change(name: \"a\", of: [\"dirt\"],\n when: [Amount(at_least: 9, at_most: 8)], becomes: \"air\"),\n]",
            "x.ron:2: the rule \"a\" has an empty range",
        ),
        (
            "[\n  Support(name: \"a\", of: [\"glass\"], by: [\"stone\"],\n within: 9, becomes: \"air\"),\n]",
            "x.ron:3: expected a number from 1 to 8, not 9",
        ),
        (
            "[\n  Signal(name: \"a\", wire: \"wire\", off: 16, step: 10, reach: 30, sources: []),\n]",
            "x.ron:2: the rule \"a\" has wires of more than 256",
        ),
        (
            "[\n  Signal(name: \"a\", wire: \"air\", off: 16, step: 1, reach: 30, sources: []),\n]",
            "x.ron:2: air cannot be moved or wired",
        ),
        (
            "[\n  Signal(name: \"a\", wire: \"wire\", off: 16, step: 1, reach: 30,\n sources: [(\"dirt\", \"dirt\")]),\n]",
            "x.ron:2: the rule \"a\" lists \"dirt\" twice",
        ),
        (
            "[\n  Signal(name: \"a\", wire: \"wire\", off: 16, step: 1, reach: 30, sources: [],\n switches: [(\"door\", \"door_open\")], tall_switches: [(\"door\", \"glass\")]),\n]",
            "x.ron:2: the rule \"a\" lists \"door\" twice",
        ),
        (
            "[\n  Weather(name: \"a\", of: [\"dirt\"], height: Some((9, -3)), effect: Takes(9)),\n]",
            "x.ron:2: the rule \"a\" has an empty range",
        ),
        (
            "[\n  Weather(name: \"a\", of: [\"dirt\"], hours: Some((6, 6)), effect: Takes(9)),\n]",
            "x.ron:2: expected two different hours, not (6, 6)",
        ),
        (
            "[\n  Weather(name: \"a\", of: [\"dirt\"],\n effect: Lays(material: \"air\", amount: 9, most: 9)),\n]",
            "x.ron:3: air cannot be laid",
        ),
        ("[\n  Remove(\"sand falls\"),\n]", "x.ron:2: there is no rule \"sand falls\" to remove"),
        (&many, "x.ron:1: 300 rules; expected at most 256"),
    ] {
        let error =
            RuleSet::parse(text, "x.ron", &MaterialTable::builtin()).unwrap_err().to_string();
        assert!(without_column(&error).starts_with(expected), "{text}\n{error}\n{expected}");
    }
}

#[test]
fn errors_point_at_the_rule_with_the_error() {
    for (rules, expected) in [
        (
            [
                r#"Change(name: "sandd", of: ["dirt"], becomes: "sand")"#,
                r#"Powder(name: "sandd", materials: ["sandd"])"#,
            ],
            "x.ron:3:36: unknown material",
        ),
        (
            [
                r#"Change(name: "dirt", of: ["dirt"], becomes: "sand")"#,
                r#"Weather(name: "dirt", of: ["dirt"], height: Some((5, 1)), effect: Takes(9))"#,
            ],
            "x.ron:3:16: the rule \"dirt\" has an empty range",
        ),
        (
            [
                r#"Change(name: "a", of: ["sand"], becomes: "dirt"), Powder(materials: ["sand"])"#,
                r#"Powder(materials: ["gravel", "sand"])"#,
            ],
            "x.ron:3:31: \"sand\" is moved by another",
        ),
        (
            [
                r#"Change(name: "sand", of: ["sand"], becomes: "dirt")"#,
                r#"Powder(materials: ["sand", "sand"])"#,
            ],
            "x.ron:3:29: \"sand\" is moved by another",
        ),
    ] {
        let text = format!("[\n {},\n {},\n]", rules[0], rules[1]);
        let error =
            RuleSet::parse(&text, "x.ron", &MaterialTable::builtin()).unwrap_err().to_string();
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
    let rules = names
        .iter()
        .map(|name| format!("Change(name: \"a\", of: [\"dirt\"], becomes: \"{name}\")"));
    let text = format!("[{}]", rules.collect::<Vec<_>>().join(",\n"));
    let error = RuleSet::parse(&text, "x.ron", &materials).unwrap_err().to_string();
    assert!(
        without_column(&error).starts_with("x.ron:1: the rules distinguish too many materials"),
        "{error}"
    );
}

/// Compiles the game's rules together with a map's own.
fn with_own(text: &str) -> Result<RuleSet, String> {
    let materials = MaterialTable::builtin();
    RuleSet::combined(None, Some(RuleSource { file: "map.ron", text }), &materials)
        .map_err(|error| error.to_string())
}

#[test]
fn own_rules_replace_remove_and_add() {
    let builtin = RuleSet::builtin(&MaterialTable::builtin()).unwrap();
    let own = with_own(
        r##"[
            Remove("water flows"),
            Liquid(name: "lava flows", material: "lava", every: 2),
            Change(name: "glass melts", of: ["glass"], when: [Near(of: ["lava"])], becomes: "lava"),
        ]"##,
    )
    .unwrap();
    let mut expected = builtin.names().to_vec();
    expected.retain(|name| name != "water flows");
    expected.push("glass melts".to_owned());
    assert_eq!(own.names(), expected);
    assert_eq!(with_own("[]").unwrap().names(), builtin.names());
}

#[test]
fn own_rules_act() {
    let mut world = super::air(super::span([-32, -32, -32], [31, 31, 31]).chunks());
    let sand = glam::IVec3::new(0, 9, 0);
    let glass = glam::IVec3::new(5, 5, 5);
    world.set(sand, Voxel::full(super::id("sand")));
    world.set(glass, Voxel::full(super::id("glass")));
    let text = r#"[Remove("sand falls"), Change(name: "a", of: ["glass"], becomes: "bricks")]"#;
    let mut rules = crate::rules::Rules::new(with_own(text).unwrap(), 1, 0);
    for (pos, _) in world.chunks() {
        rules.wake_chunk(pos);
    }
    for _ in 0..4 {
        drop(rules.step(&world));
    }
    super::commit(&mut world, rules.take_changes());
    assert_eq!(world.get(sand), Voxel::full(super::id("sand")), "it does not fall");
    assert_eq!(world.get(glass), Voxel::full(super::id("bricks")));
}

#[test]
fn error_in_own_rules_names_their_file_and_line() {
    for (text, expected) in [
        ("[\n Remove(\"no such rule\"),\n]", "map.ron:2: there is no rule \"no such rule\""),
        ("[\n\n Powder(materials: [\"sandd\"]),\n]", "map.ron:3: unknown material \"sandd\""),
        (
            "[\n Powder(name: \"mine\", materials: [\"sand\"]),\n]",
            "map.ron:2: \"sand\" is moved by another",
        ),
        ("[\n Powder(", "map.ron:2: "),
    ] {
        let error = with_own(text).unwrap_err();
        assert!(without_column(&error).starts_with(expected), "{text}\n{error}\n{expected}");
    }
    let long = format!("[{}]", " ".repeat(300 * 1024));
    assert_eq!(
        with_own(&long).unwrap_err(),
        "map.ron:1:1: 307202 bytes of rules; expected at most 262144"
    );
}
