//! Power loss: every save reported as done is complete, the save in progress is complete or absent,
//! and saves are never mixed.

use super::dice::Dice;
use super::disk::{Disk, Image, SkippedSync};
use super::maps::{NAME, changes, examine, header};
use super::vfs;
use std::collections::BTreeSet;
use std::sync::Arc;
use stonerun_engine::save::MapFile;
use stonerun_engine::voxel::MaterialTable;

/// Creates a map on `disk` and saves it `saves` times. Between saves, sometimes closes and reopens
/// the map, or checkpoints its log while the map is open.
fn play(disk: &Arc<Disk>, seed: u64, saves: u64) {
    let folder = tempfile::tempdir().unwrap();
    vfs::watch(folder.path(), disk);
    let path = folder.path().join(NAME);
    let mut map = MapFile::create(&path, &header(0), &MaterialTable::builtin()).unwrap();
    disk.note_reported(0);
    let mut dice = Dice::new(seed);
    for save in 1..=saves {
        match dice.below(6) {
            0 => {
                map.close().unwrap();
                map = MapFile::open(&path).unwrap().map;
            }
            // The game's saves do this after some megabytes: the next saves write from the
            // beginning of the log.
            1 if disk.has_wal() => {
                let other = rusqlite::Connection::open(&path).unwrap();
                other.query_row("PRAGMA wal_checkpoint(RESTART)", [], |_| Ok(())).unwrap();
            }
            _ => {}
        }
        disk.note_started(save);
        map.save(&changes(save)).unwrap();
        disk.note_reported(save);
    }
    map.close().unwrap();
    vfs::forget(folder.path());
}

/// Results of the power losses.
#[derive(Default)]
struct Tally {
    moments: u64,
    in_flight: u64,
    wrong: Vec<String>,
}

/// Plays `rounds` times on disks set up by `prepare`, each with `losses` power losses at random
/// moments.
fn lose_power(first_seed: u64, rounds: u64, losses: u64, prepare: impl Fn(&Disk)) -> Tally {
    const SAVES: u64 = 14;
    let mut tally = Tally::default();
    for seed in first_seed..first_seed + rounds {
        // Two runs without losses count the changes. Losses begin after the map has been created.
        let disk = Arc::new(Disk::new(seed, &Image::new()));
        prepare(&disk);
        play(&disk, seed, 0);
        let made = disk.changes();
        let disk = Arc::new(Disk::new(seed, &Image::new()));
        prepare(&disk);
        play(&disk, seed, SAVES);
        let all = disk.changes();
        let mut dice = Dice::new(!seed);
        let at: BTreeSet<u64> = (0..losses).map(|_| made + dice.below(all - made)).collect();
        let disk = Arc::new(Disk::new(seed, &Image::new()));
        prepare(&disk);
        disk.record_power_losses(at);
        play(&disk, seed, SAVES);
        assert_eq!(disk.changes(), all, "seed {seed}: the run must be deterministic");
        let mut moments = disk.take_moments();
        // One more power loss, after the map was closed.
        moments.push(disk.lose_power_now());
        for moment in moments {
            tally.moments += 1;
            match examine(&moment) {
                Ok(save) => tally.in_flight += u64::from(save > moment.reported),
                Err(wrong) => tally.wrong.push(format!(
                    "seed {seed}, after change {}, save {} reported: {wrong}",
                    moment.changes, moment.reported
                )),
            }
        }
    }
    tally
}

fn print_tally(what: &str, seeds: std::ops::Range<u64>, tally: &Tally) {
    println!(
        "{what}, seeds {seeds:?}: {} power losses, {} of them with a save done but not yet reported; {} wrong",
        tally.moments,
        tally.in_flight,
        tally.wrong.len()
    );
}

#[test]
fn reported_saves_survive_a_power_loss() {
    let tally = lose_power(100, 12, 40, |_| ());
    print_tally("with a write-ahead log", 100..112, &tally);
    assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
    assert!(tally.moments > 300 && tally.in_flight > 0, "too few moments to be a test");
}

#[test]
fn reported_saves_survive_a_power_loss_without_wal() {
    let tally = lose_power(200, 6, 40, Disk::without_wal);
    print_tally("without a write-ahead log", 200..206, &tally);
    assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
    assert!(tally.moments > 150, "too few moments to be a test");
}

/// Disks that skip syncs must lose saves, which shows that the test detects losses.
#[test]
fn disk_that_skips_syncs_loses_saves() {
    for kind in [SkippedSync::Files, SkippedSync::Folder] {
        for without_wal in [false, true] {
            let tally = lose_power(300, 2, 25, |disk| {
                disk.skip_syncs(kind);
                if without_wal {
                    disk.without_wal();
                }
            });
            print_tally(
                &format!("{kind:?} not synchronised, without WAL: {without_wal}"),
                300..302,
                &tally,
            );
            assert!(!tally.wrong.is_empty(), "{kind:?}: no save was lost");
        }
    }
}
