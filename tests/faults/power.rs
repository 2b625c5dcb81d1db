//! Power loss: every save reported as done is complete, the one in flight is complete or absent,
//! and nothing is mixed.

use super::dice::Dice;
use super::disk::{Disk, Image, Lie};
use super::maps::{NAME, changes, examine, header};
use super::vfs;
use std::collections::BTreeSet;
use std::sync::Arc;
use stonerun::save::MapFile;
use stonerun::voxel::MaterialTable;

/// Creates a map on `disk`, saves `saves` times, closes and reopens it, and sometimes folds its log
/// while it is open.
fn play(disk: &Arc<Disk>, seed: u64, saves: u64) {
    let folder = tempfile::tempdir().unwrap();
    vfs::watch(folder.path(), disk);
    let path = folder.path().join(NAME);
    let mut map = MapFile::create(&path, &header(0), &MaterialTable::builtin()).unwrap();
    disk.reported(0);
    let mut dice = Dice(seed);
    for save in 1..=saves {
        match dice.below(6) {
            0 => {
                map.close().unwrap();
                map = MapFile::open(&path).unwrap().map;
            }
            // As the game's saves do after some megabytes: the next ones start at the beginning of
            // the log.
            1 if disk.has_wal() => {
                let other = rusqlite::Connection::open(&path).unwrap();
                other.query_row("PRAGMA wal_checkpoint(RESTART)", [], |_| Ok(())).unwrap();
            }
            _ => {}
        }
        disk.begun(save);
        map.save(&changes(save)).unwrap();
        disk.reported(save);
    }
    map.close().unwrap();
    vfs::forget(folder.path());
}

/// Outcome of the power losses.
#[derive(Default)]
struct Tally {
    moments: u64,
    in_flight: u64,
    wrong: Vec<String>,
}

/// Runs `rounds` times on disks made by `prepare`, with `losses` power losses at random moments
/// each.
fn lose_power(first_seed: u64, rounds: u64, losses: u64, prepare: impl Fn(&Disk)) -> Tally {
    const SAVES: u64 = 14;
    let mut tally = Tally::default();
    for seed in first_seed..first_seed + rounds {
        // Once without a loss, to count the changes; losses start when the map exists.
        let disk = Arc::new(Disk::new(seed, &Image::new()));
        prepare(&disk);
        play(&disk, seed, 0);
        let made = disk.changes();
        let disk = Arc::new(Disk::new(seed, &Image::new()));
        prepare(&disk);
        play(&disk, seed, SAVES);
        let all = disk.changes();
        let mut dice = Dice(!seed);
        let at: BTreeSet<u64> = (0..losses).map(|_| made + dice.below(all - made)).collect();
        let disk = Arc::new(Disk::new(seed, &Image::new()));
        prepare(&disk);
        disk.loses_power(at);
        play(&disk, seed, SAVES);
        assert_eq!(disk.changes(), all, "seed {seed}: the run must be deterministic");
        let mut moments = disk.moments();
        // And after closing.
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

fn say(what: &str, seeds: std::ops::Range<u64>, tally: &Tally) {
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
    say("with a write-ahead log", 100..112, &tally);
    assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
    assert!(tally.moments > 300 && tally.in_flight > 0, "too few moments to be a test");
}

#[test]
fn reported_saves_survive_a_power_loss_without_wal() {
    let tally = lose_power(200, 6, 40, Disk::without_wal);
    say("without one", 200..206, &tally);
    assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
    assert!(tally.moments > 150, "too few moments to be a test");
}

/// Tests the test: disks that claim to synchronise and do not must lose saves.
#[test]
fn lying_disks_lose_saves() {
    for (lie, without_wal) in [(Lie::Files, false), (Lie::Files, true), (Lie::Folder, false), (Lie::Folder, true)] {
        let tally = lose_power(300, 2, 25, |disk| {
            disk.lies(lie);
            if without_wal {
                disk.without_wal();
            }
        });
        say(&format!("{lie:?} not synchronised, without WAL: {without_wal}"), 300..302, &tally);
        assert!(!tally.wrong.is_empty(), "{lie:?}: no save was lost");
    }
}
