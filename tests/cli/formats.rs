//! The tables of formats: help and `docs/cli.md` name every row, and an export in every format
//! succeeds.

use crate::common::{Sandbox, vox};
use std::collections::BTreeSet;
use std::path::Path;
use stonerun_exchange::{ImportFormat, export};

/// The extensions in the first column of the first table after a heading of `docs/cli.md`.
fn documented(heading: &str) -> BTreeSet<String> {
    let docs =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cli.md")).unwrap();
    let (_, section) = docs.split_once(heading).unwrap_or_else(|| panic!("no {heading}"));
    let rows = section
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let words = cells.flat_map(|cell| cell.split(['`', ',', ' ']));
    words.filter_map(|word| word.strip_prefix('.')).map(str::to_owned).collect()
}

/// The help of a command, in one line.
fn help(command: &str) -> String {
    let help = Sandbox::new().run(&[command, "--help"]).done();
    help.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn docs_name_every_import_format() {
    // The documentation lists only the first spelling of an extension.
    let first =
        |format: &ImportFormat| format.extensions.first().map(|extension| (*extension).to_owned());
    let known: BTreeSet<_> = stonerun_exchange::formats().iter().filter_map(first).collect();
    assert_eq!(documented("### `stonerun import SOURCE MAP`"), known);
}

#[test]
fn docs_name_every_export_format() {
    let known: BTreeSet<_> =
        export::formats().iter().map(|format| format.extension.to_owned()).collect();
    assert_eq!(documented("### `stonerun export MAP TARGET`"), known);
}

#[test]
fn help_names_every_format() {
    let import = format!("The source: {}", stonerun_exchange::format_list());
    assert!(help("import").contains(&import), "{}", help("import"));
    let export = format!("The new file: {}", export::format_help());
    assert!(help("export").contains(&export), "{}", help("export"));
}

#[test]
fn every_export_format_writes_its_target() {
    let place = Sandbox::new();
    std::fs::write(place.file("dot.vox"), vox([1, 1, 1], &[[0, 0, 0, 1]])).unwrap();
    place.run(&["import", "dot.vox", "dot"]).done();
    for format in export::formats() {
        let target = format!("made.{}", format.extension);
        // Warnings about losses are allowed.
        let ran = place.run(&["export", "dot", &target]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.starts_with(&format!("{target}: 1 voxel")), "{}", ran.out);
        assert!(place.file(&target).is_file(), "{target}");
    }
}
