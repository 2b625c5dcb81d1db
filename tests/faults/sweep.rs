//! Every disk operation fails once, alone and together with all later operations. The map must stay
//! intact, chunks must stay readable, and unsaved changes must be saved when the disk works again.

use super::disk::{Disk, Fault, Image};
use super::maps::{self, NAME, after, base, changes, compare, examine};
use super::vfs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use stonerun_engine::save::{MapFile, MapReader, MapWriter, SaveError, SaveReport, verify};

/// Number of saves before the fault.
const BASE: u64 = 3;
/// Number of saves during the fault.
const SAVES: u64 = 3;

/// Waits for the last requested save, and returns its result.
fn wait(writer: &MapWriter) -> Result<SaveReport, SaveError> {
    loop {
        if let Some(result) = writer.poll() {
            return result;
        }
        std::thread::sleep(Duration::from_micros(50));
    }
}

/// Asserts that the error is one line that names the file.
fn must_be_clear(error: &SaveError, path: &Path, what: &str) {
    let line = error.to_string();
    let names_file =
        line.strip_prefix(&path.display().to_string()).is_some_and(|rest| rest.starts_with(": "));
    assert!(names_file && !line.contains('\n'), "{what}: {line}");
    let is_damage = matches!(
        error,
        SaveError::NotAMap { .. } | SaveError::BadChunk { .. } | SaveError::BadVisibility { .. }
    );
    assert!(!is_damage, "{what}: {line}");
}

/// Asserts that every saved chunk loads and is unchanged, unless the disk cannot be read.
fn must_load(reader: &MapReader, save: u64, fault: Fault, what: &str) {
    for (pos, chunk) in after(save) {
        match reader.load(pos) {
            Ok(found) => assert!(found == Some(chunk), "{what}: chunk {pos} after save {save}"),
            Err(SaveError::BadChunk { reason, .. }) => {
                panic!("{what}: chunk {pos} counts as bad: {reason}")
            }
            Err(error) => assert!(fault == Fault::Unreadable, "{what}: {error}"),
        }
    }
}

#[derive(Default, Debug)]
struct Tally {
    runs: u64,
    injected: u64,
    not_opened: u64,
    not_saved: u64,
    not_closed: u64,
    power_losses: u64,
}

/// Opens the map, saves and closes it while the operations in `range` fail. Returns the number of
/// operations to which the fault applied.
fn run(base: &Image, fault: Fault, range: std::ops::Range<u64>, tally: &mut Tally) -> u64 {
    let what = format!("{fault:?} {range:?}");
    let folder = tempfile::tempdir().unwrap();
    maps::lay_out(base, folder.path());
    let path = folder.path().canonicalize().unwrap().join(NAME);
    let disk = Arc::new(Disk::new(range.start, base));
    vfs::watch(folder.path(), &disk);
    disk.note_reported(BASE);
    disk.note_started(BASE);
    let mut injected = 0;
    tally.runs += 1;

    disk.inject_fault(fault, range);
    let opened = MapFile::open(&path).and_then(|opened| {
        let reader = opened.map.reader()?;
        Ok((opened, reader))
    });
    let (opened, reader) = opened.unwrap_or_else(|error| {
        must_be_clear(&error, &path, &what);
        tally.not_opened += 1;
        injected += disk.clear_fault();
        let opened = MapFile::open(&path).unwrap_or_else(|e| panic!("{what}: {e}"));
        let reader = opened.map.reader().unwrap();
        (opened, reader)
    });
    if fault != Fault::Unreadable {
        compare(&opened, BASE, BASE).unwrap_or_else(|wrong| panic!("{what}: {wrong}"));
    }
    assert_eq!(opened.damage, None, "{what}");
    let mut writer = MapWriter::spawn(opened.map, || ()).unwrap();
    let mut done = BASE;
    for save in BASE + 1..=BASE + SAVES {
        if save == BASE + SAVES {
            // From the last save on, the disk works again.
            injected += disk.clear_fault();
        }
        disk.note_started(save);
        writer.save(changes(save));
        match wait(&writer) {
            Ok(_) => {
                done = save;
                disk.note_reported(done);
            }
            Err(error) => {
                must_be_clear(&error, &path, &what);
                assert!(save < BASE + SAVES, "{what}: {error}");
                assert!(writer.unsaved() > 0, "{what}: unsaved chunks must be kept");
                tally.not_saved += 1;
                tally.power_losses += 1;
                examine(&disk.lose_power_now())
                    .unwrap_or_else(|wrong| panic!("{what}, power lost: {wrong}"));
            }
        }
        must_load(&reader, done, fault, &what);
    }
    assert_eq!(done, BASE + SAVES, "{what}");
    let opportunities = disk.fault_opportunities();
    disk.inject_fault(fault, 0..0);
    let closed = writer.close().unwrap_or_else(|e| panic!("{what}: {e}"));
    tally.not_closed += u64::from(closed.checkpoint_error.is_some());
    tally.injected += injected;
    vfs::forget(folder.path());

    assert!(verify(&path).unwrap().is_sound(), "{what}");
    compare(&MapFile::open_read_only(&path).unwrap(), done, done)
        .unwrap_or_else(|wrong| panic!("{what}: {wrong}"));
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(
            !name.contains("damaged") && !name.contains("rebuilding"),
            "{what}: {name} was left"
        );
    }
    opportunities
}

/// Fails every operation to which `fault` applies, from opening the map to its third save.
fn sweep(fault: Fault) {
    let base = base(BASE);
    let mut tally = Tally::default();
    let all = run(&base, fault, 0..0, &mut Tally::default());
    for n in 0..all {
        run(&base, fault, n..n + 1, &mut tally);
        run(&base, fault, n..u64::MAX, &mut tally);
    }
    println!("{fault:?}, at each of {all} operations once and from it on: {tally:?}");
    assert!(tally.injected >= all && tally.not_opened + tally.not_saved > 0, "{tally:?}");
}

#[test]
fn map_survives_a_full_disk() {
    sweep(Fault::Full);
}

#[test]
fn map_survives_an_unwritable_disk() {
    sweep(Fault::Unwritable);
}

#[test]
fn map_survives_an_unreadable_disk() {
    sweep(Fault::Unreadable);
}

/// If the log cannot be checkpointed when the map is closed, no save is lost.
#[test]
fn failed_close_loses_nothing() {
    let base = base(BASE);
    let mut refused = 0;
    for fault in [Fault::Full, Fault::Unwritable, Fault::Unreadable] {
        let mut n = 0;
        loop {
            let folder = tempfile::tempdir().unwrap();
            maps::lay_out(&base, folder.path());
            let path = folder.path().canonicalize().unwrap().join(NAME);
            let disk = Arc::new(Disk::new(n, &base));
            vfs::watch(folder.path(), &disk);
            let mut map = MapFile::open(&path).unwrap().map;
            map.save(&changes(BASE + 1)).unwrap();
            disk.note_reported(BASE + 1);
            disk.note_started(BASE + 1);
            disk.inject_fault(fault, n..u64::MAX);
            if let Err(error) = map.close() {
                must_be_clear(&error, &path, &format!("{fault:?} {n}"));
                refused += 1;
            }
            let injected = disk.clear_fault();
            examine(&disk.lose_power_now())
                .unwrap_or_else(|wrong| panic!("{fault:?} {n}, power lost: {wrong}"));
            vfs::forget(folder.path());
            compare(&MapFile::open(&path).unwrap(), BASE + 1, BASE + 1).unwrap();
            if injected == 0 {
                break;
            }
            n += 1;
        }
    }
    println!("closing failed {refused} times");
    assert!(refused > 10, "{refused}");
}

/// Moves the map's file away before each change of a save. The writer must report it, unless the
/// save was complete before. When the file is back, no save may be missing.
#[cfg(unix)]
#[test]
fn file_moved_away_during_a_save_is_reported() {
    let base = base(BASE);
    let mut refused = 0;
    for n in 0.. {
        let folder = tempfile::tempdir().unwrap();
        maps::lay_out(&base, folder.path());
        let path = folder.path().canonicalize().unwrap().join(NAME);
        let away = path.with_file_name("away");
        let disk = Arc::new(Disk::new(n, &base));
        vfs::watch(folder.path(), &disk);
        let mut writer = MapWriter::spawn(MapFile::open(&path).unwrap().map, || ()).unwrap();
        let from = path.clone();
        let to = away.clone();
        disk.run_before(disk.changes() + n, move || std::fs::rename(from, to).unwrap());
        writer.save(changes(BASE + 1));
        let result = wait(&writer);
        disk.clear_run_before();
        let is_over = !away.exists();
        assert_eq!(result.is_err(), !is_over, "{n}: {result:?}");
        if let Err(error) = result {
            assert!(matches!(error, SaveError::Gone { .. }), "{n}: {error}");
            refused += 1;
            std::fs::rename(&away, &path).unwrap();
            writer.save(changes(BASE + 2));
            wait(&writer).unwrap();
        }
        writer.close().unwrap();
        vfs::forget(folder.path());
        let last = BASE + if is_over { 1 } else { 2 };
        compare(&MapFile::open(&path).unwrap(), last, last)
            .unwrap_or_else(|wrong| panic!("{n}: {wrong}"));
        if is_over {
            break;
        }
    }
    println!("taken away at {refused} moments of a save");
    assert!(refused > 5, "{refused}");
}
