//! Opening and repairing of map files.

use super::files::{check_error, with_file};
use super::{check_memory, counting};
use stonerun_engine::history::StepChanges;
use stonerun_engine::save::{MapFile, SaveError, repair, verify};

pub fn map(bytes: &[u8]) {
    with_file("input.stonerun", bytes, |path| {
        let (opened, most) = counting::most_with_sqlite(|| MapFile::open_read_only(path));
        check_memory(most, bytes, 0);
        let opened = match opened {
            Ok(opened) => opened,
            Err(error) => return check_error(&error.to_string(), path),
        };
        let (_, most) = counting::most_with_sqlite(|| read_all(opened.map));
        check_memory(most, bytes, 0);
        let (report, most) = counting::most_with_sqlite(|| verify(path));
        check_memory(most, bytes, 0);
        if let Err(error) = report {
            check_error(&error.to_string(), path);
        }
        // A repair keeps the damaged file next to the new one, so each map gets a folder of its
        // own.
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("input.stonerun");
        std::fs::write(&path, bytes).expect("the file is written");
        let (repaired, most) = counting::most_with_sqlite(|| repair(&path));
        check_memory(most, bytes, 0);
        match repaired {
            Ok(_) => {
                let report = verify(&path).expect("a repaired map is readable");
                assert!(report.is_sound(), "a repaired map is not sound: {report:?}");
            }
            Err(error) => check_error(&error.to_string(), &path),
        }
    });
}

/// Reads the whole map. Each chunk must be sound, or an error.
fn read_all(map: MapFile) {
    let reader = map.reader();
    for pos in map.positions() {
        match map.load(pos) {
            Ok(Some(chunk)) => chunk.check().unwrap(),
            Ok(None) => panic!("chunk {pos} is listed but missing"),
            Err(SaveError::BadChunk { .. }) => (),
            Err(error) => check_error(&error.to_string(), map.path()),
        }
        // Errors are expected: the game reports them, or bakes the chunk again.
        let _ = map.visibility(pos);
        if let Ok(reader) = &reader {
            let _ = reader.baked(pos);
            let _ = reader.load(pos);
        }
    }
    let _ = (map.totals(), map.picture(), map.baked_views());
    if let (Ok(history), Ok(reader)) = (map.history(), &reader) {
        for step in history.steps {
            let body =
                reader.step(step.number).expect("its record was read").expect("the step is listed");
            let _ = StepChanges::new(&body, map.materials().len()).take(64).find(Result::is_err);
        }
    }
}
