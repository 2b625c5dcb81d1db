//! The files of an export: refused targets, leftover files, and files that must not be touched.

use super::*;
use crate::ignore_progress;
use std::collections::BTreeSet;
use std::io;
use std::ops::ControlFlow;
use stonerun_engine::voxel::{ChunkPos, MaterialTable, Voxel};
use stonerun_engine::world::Chunk;

/// A chunk of tall grass on stone.
fn scene() -> Scene {
    let materials = MaterialTable::builtin();
    let [stone, plant] =
        ["stone", "tall_grass"].map(|name| Voxel::full(materials.find(name).unwrap()));
    let mut builder = SceneBuilder::new(None);
    let runs = [(1024, stone), (1, plant), (32768 - 1025, Voxel::AIR)];
    builder.add(ChunkPos::new(0, 0, 0), Chunk::from_runs(runs));
    builder.finish(materials).unwrap()
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn set<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
    names.map(str::to_owned).into()
}

#[test]
fn every_format_writes_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (name, begins) in [("a.vox", &b"VOX "[..]), ("a.GLB", b"glTF"), ("a b.obj", b"# Stonerun")]
    {
        let exported = Export::begin(&path(name), false)
            .unwrap()
            .write(&scene(), &mut ignore_progress)
            .unwrap();
        assert!(std::fs::read(path(name)).unwrap().starts_with(begins), "{name}");
        assert_eq!(exported.files[0], path(name));
        let bytes: u64 = exported.files.iter().map(|file| file.metadata().unwrap().len()).sum();
        assert_eq!((exported.bytes, exported.figures[0].count), (bytes, 1025));
    }
    let siblings = ["a_b.mtl", "a_b_stone.png", "a_b_tall_grass.png", "a_b_tall_grass_alpha.png"];
    let expected = set(["a.vox", "a.GLB", "a b.obj"]);
    assert_eq!(names(folder.path()), expected.into_iter().chain(set(siblings)).collect());
}

#[test]
fn existing_files_are_kept_unless_forced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["a.vox", "a.glb", "a.obj", "b.mtl"] {
        std::fs::write(path(name), "mine").unwrap();
    }
    std::fs::create_dir(path("folder.vox")).unwrap();
    let before = names(folder.path());
    for name in ["a.vox", "a.glb", "a.obj"] {
        let error = Export::begin(&path(name), false).unwrap_err().to_string();
        assert_eq!(error, format!("{}: the file exists already", path(name).display()));
    }
    let error = Export::begin(&path("folder.vox"), true).unwrap_err().to_string();
    assert!(
        error.ends_with("folder.vox: it is a folder or a device, and cannot be replaced"),
        "{error}"
    );
    // An existing file next to the target is refused as well.
    let error = Export::begin(&path("b.obj"), false)
        .unwrap()
        .write(&scene(), &mut ignore_progress)
        .unwrap_err()
        .to_string();
    assert!(error.ends_with("b.mtl: the file exists already"), "{error}");
    // So is a file that appears during the export.
    let export = Export::begin(&path("late.vox"), false).unwrap();
    std::fs::write(path("late.vox"), "mine").unwrap();
    assert!(matches!(
        export.write(&scene(), &mut ignore_progress),
        Err(ExportError::Exists { .. })
    ));
    std::fs::remove_file(path("late.vox")).unwrap();
    assert_eq!(names(folder.path()), before);
    for name in ["a.vox", "a.glb", "a.obj", "b.mtl"] {
        assert_eq!(std::fs::read(path(name)).unwrap(), b"mine");
    }
    for name in ["a.vox", "b.obj"] {
        Export::begin(&path(name), true).unwrap().write(&scene(), &mut ignore_progress).unwrap();
    }
    assert!(std::fs::read(path("a.vox")).unwrap().starts_with(b"VOX "));
    assert!(std::fs::read(path("b.mtl")).unwrap().starts_with(b"newmtl "));
}

#[test]
fn cancelled_export_leaves_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("a.vox"), "mine").unwrap();
    for name in ["a.vox", "a.glb", "a.obj"] {
        let target = path(name);
        // Cancelled at the first call, then at the second.
        for calls in 0..2 {
            let mut left = calls;
            let mut end = |_| {
                left -= 1;
                if left < 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let error =
                Export::begin(&target, true).unwrap().write(&scene(), &mut end).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("{}: the export was cancelled", target.display())
            );
        }
    }
    drop(Export::begin(&path("b.vox"), false).unwrap());
    assert_eq!(names(folder.path()), set(["a.vox"]));
    assert_eq!(std::fs::read(path("a.vox")).unwrap(), b"mine");
}

#[test]
fn stale_partial_file_is_overwritten_and_busy_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("a.vox");
    // A leftover of a killed export.
    std::fs::write(folder.path().join(".a.vox.partial"), vec![7; 100_000]).unwrap();
    let export = Export::begin(&target, false).unwrap();
    let error = Export::begin(&target, false).unwrap_err();
    assert!(matches!(error, ExportError::Busy { .. }), "{error}");
    assert_eq!(
        names(folder.path()),
        set([".a.vox.partial"]),
        "the partial file of the other export is not deleted"
    );
    let exported = export.write(&scene(), &mut ignore_progress).unwrap();
    assert!(exported.bytes < 10_000);
    assert_eq!(names(folder.path()), set(["a.vox"]));
}

#[test]
fn unwritable_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let missing = folder.path().join("no/such/a.vox");
    let blocked = folder.path().join("file/a.vox");
    let error = Export::begin(&missing, true).unwrap_err();
    let ExportError::NoFolder { file, folder: named } = error else { panic!("{error}") };
    assert_eq!((file.as_path(), Some(named.as_path())), (missing.as_path(), missing.parent()));
    let error = Export::begin(&blocked, true).unwrap_err();
    assert!(matches!(&error, ExportError::Write { file, .. } if *file == blocked), "{error}");
    // In `/proc` even an administrator cannot write.
    #[cfg(target_os = "linux")]
    {
        let error = Export::begin(Path::new("/proc/a.vox"), false).unwrap_err();
        assert!(error.to_string().starts_with("/proc/a.vox: "), "{error}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_reported() {
    let full =
        || io::BufWriter::new(std::fs::File::options().write(true).open("/dev/full").unwrap());
    let no_space = |error: WriterError| match error.in_file(Path::new("a.vox")) {
        ExportError::Write { source, .. } => source.kind() == io::ErrorKind::StorageFull,
        _ => false,
    };
    let glb = |out: &mut io::BufWriter<_>| {
        meshes::glb::write(&scene(), &mut ignore_progress, out).map(|_| io::Write::flush(out))
    };
    assert!(matches!(glb(&mut full()), Ok(Err(e)) if e.kind() == io::ErrorKind::StorageFull));
    assert!(no_space(vox::write(&scene(), &mut ignore_progress, &mut full()).unwrap_err()));
}

#[test]
fn export_to_unknown_extension_lists_known_formats() {
    for name in ["a.schematic2", "a", "vox", "a.mcr"] {
        let error = Export::begin(Path::new(name), false).unwrap_err().to_string();
        assert_eq!(error, format!("{name}: unknown format; supported: {}", known()));
        assert!(error.contains(".obj (Wavefront), "), "{error}");
    }
}
