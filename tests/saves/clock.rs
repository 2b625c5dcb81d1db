//! Maps while the clock is wrong: ahead by years, set back, or standing still. The order of
//! backups, and whether a state is backed up, must not depend on the clock.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use stonerun_engine::save::{
    Header, MapChanges, MapFile, MapWriter, backup, catalogue, unix_now, verify,
};
use stonerun_engine::voxel::{ChunkPos, MaterialTable, Voxel};
use stonerun_engine::world::Chunk;
use tempfile::TempDir;

const PLACE: ChunkPos = ChunkPos::new(1, -2, 3);
/// A second in 2031.
const AHEAD: u64 = 1_930_000_000;
/// A second in 2026.
const RIGHT: u64 = 1_780_000_000;

/// Changes of one chunk, saved at this time.
fn changes(header: &Header, material: u16, second: u64) -> MapChanges {
    let header = Header { saved_unix: second, ..header.clone() };
    let chunks = vec![(PLACE, Chunk::uniform(Voxel::full(material)))];
    MapChanges::new(chunks, header, MaterialTable::builtin())
}

/// A new map, for writing.
fn home(folder: &TempDir) -> MapFile {
    let path = folder.path().join("home.stonerun");
    MapFile::create(&path, &Header::new(1, "void", 100), &MaterialTable::builtin()).unwrap()
}

fn save(map: &mut MapFile, material: u16, second: u64) {
    let changes = changes(map.header(), material, second);
    map.save(&changes).unwrap();
}

/// Saves one material for each time, from 1 up, and backs up each state.
fn save_and_back_up(map: &mut MapFile, seconds: &[u64]) -> Vec<PathBuf> {
    let mut backups = Vec::new();
    for (material, second) in (1..).zip(seconds) {
        save(map, material, *second);
        let backup = backup::create(map).unwrap();
        assert!(backup.path.exists(), "the backup of material {material} is deleted at once");
        assert_eq!(backup.saved_unix, *second);
        backups.push(backup.path);
    }
    backups
}

fn material(path: &Path) -> u16 {
    let chunk = MapFile::open_read_only(path).unwrap().map.load(PLACE).unwrap().unwrap();
    chunk.as_uniform().unwrap().material()
}

/// Materials in the backups, the latest first.
fn backed_up(map: &Path) -> Vec<u16> {
    backup::list(map).unwrap().iter().map(|backup| material(&backup.path)).collect()
}

#[test]
fn backups_made_after_the_clock_was_ahead_are_the_latest() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = home(&folder);
    let seconds = [AHEAD, AHEAD + 1, AHEAD + 2, RIGHT, RIGHT - 3600, RIGHT + 7];
    let made = save_and_back_up(&mut map, &seconds);
    let listed: Vec<PathBuf> =
        backup::list(map.path()).unwrap().into_iter().map(|backup| backup.path).collect();
    assert_eq!(listed, [made[5].clone(), made[4].clone(), made[3].clone()]);
    assert_eq!(backed_up(map.path()), [6, 5, 4]);
    let numbers: Vec<_> =
        backup::list(map.path()).unwrap().into_iter().map(|backup| backup.number).collect();
    assert_eq!(numbers, [Some(6), Some(5), Some(4)]);
    // A map whose file is missing is described by its latest backup.
    let path = map.path().to_owned();
    map.close().unwrap();
    fs::remove_file(&path).unwrap();
    let gone = catalogue::list(folder.path()).unwrap().remove(0);
    assert!(gone.gone && gone.saved_unix == RIGHT + 7, "{gone:?}");
}

#[test]
fn states_of_one_second_are_backed_up_each() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = home(&folder);
    let made = save_and_back_up(&mut map, &[RIGHT; 2]);
    assert_ne!(made[0], made[1]);
    assert_eq!(backed_up(map.path()), [2, 1]);
    // Content decides whether a state is backed up: nothing is added, even after the map was
    // reopened.
    let path = map.path().to_owned();
    let latest = backup::list(map.path()).unwrap();
    map.close().unwrap();
    let mut map = MapFile::open(&path).unwrap().map;
    assert_eq!(
        (backup::create(&map).unwrap(), backup::list(&path).unwrap()),
        (latest[0].clone(), latest)
    );
    // Another save makes another state, even with the same voxels.
    save(&mut map, 2, RIGHT + 1);
    backup::create(&map).unwrap();
    assert_eq!(backed_up(&path), [2, 2, 1]);
}

#[test]
fn restore_keeps_the_present_state_and_its_backups() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = home(&folder);
    let path = map.path().to_owned();
    let made = save_and_back_up(&mut map, &[AHEAD, AHEAD + 1, AHEAD + 2]);
    save(&mut map, 4, RIGHT);
    map.close().unwrap();
    // Restores the oldest backup, which is removed to make room for a backup of the present state.
    backup::restore(&path, &made[0]).unwrap();
    assert_eq!((material(&path), backed_up(&path)), (1, vec![4, 3, 2]));
    let present = backup::list(&path).unwrap().remove(0);
    assert!(verify(&present.path).unwrap().is_sound() && present.saved_unix == RIGHT);
    // Restores the present state again. Both states have the same second.
    backup::restore(&path, &present.path).unwrap();
    assert_eq!((material(&path), backed_up(&path)), (4, vec![1, 4, 3]));
}

#[test]
fn restore_changes_nothing_if_the_present_state_cannot_be_backed_up() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = home(&folder);
    let path = map.path().to_owned();
    let made = save_and_back_up(&mut map, &[RIGHT; 3]);
    save(&mut map, 4, RIGHT);
    map.close().unwrap();
    // A folder where the unfinished backup has to be.
    let obstacle = folder.path().join("home.stonerun.backups/unfinished");
    fs::create_dir(&obstacle).unwrap();
    for backup in &made {
        backup::restore(&path, backup).unwrap_err();
        assert_eq!((material(&path), backed_up(&path)), (4, vec![3, 2, 1]));
    }
    // Another obstacle: a folder with the name of the next backup.
    fs::remove_dir(&obstacle).unwrap();
    let next = folder.path().join("home.stonerun.backups/000004-1780000000.stonerun");
    fs::create_dir(&next).unwrap();
    backup::restore(&path, &made[0]).unwrap_err();
    assert_eq!((material(&path), backed_up(&path)), (4, vec![3, 2, 1]));
    fs::remove_dir(&next).unwrap();
    backup::restore(&path, &made[0]).unwrap();
    assert_eq!((material(&path), backed_up(&path)), (1, vec![4, 3, 2]));
}

#[test]
fn damaged_map_is_backed_up_as_it_is_before_a_restore() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = home(&folder);
    let path = map.path().to_owned();
    let made = save_and_back_up(&mut map, &[RIGHT]);
    save(&mut map, 2, RIGHT);
    map.close().unwrap();
    let conn = rusqlite::Connection::open(&path).unwrap();
    conn.execute("UPDATE chunk SET record = x'5352'", []).unwrap();
    drop(conn);
    backup::restore(&path, &made[0]).unwrap();
    assert_eq!(material(&path), 1);
    let kept = &backup::list(&path).unwrap()[0].path;
    let report = verify(kept).unwrap();
    assert_eq!((report.bad.len(), report.damage, kept == &made[0]), (1, None, false));
}

#[test]
fn backups_of_earlier_versions_are_the_oldest() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = home(&folder);
    let path = map.path().to_owned();
    let backups = folder.path().join("home.stonerun.backups");
    // Earlier versions named backups only by the second.
    for (material, second) in [(1, RIGHT), (2, AHEAD)] {
        save(&mut map, material, second);
        let backup = backup::create(&map).unwrap();
        fs::rename(backup.path, backups.join(format!("{second}.stonerun"))).unwrap();
    }
    assert_eq!(backed_up(&path), [2, 1]);
    assert!(backup::list(&path).unwrap().iter().all(|backup| backup.number.is_none()));
    assert_eq!(backup::create(&map).unwrap().number, None, "the latest holds this state already");
    save(&mut map, 3, RIGHT + 1);
    assert_eq!(backup::create(&map).unwrap().number, Some(1));
    assert_eq!(backed_up(&path), [3, 2, 1]);
    // Such backups can be restored, and are removed first.
    map.close().unwrap();
    backup::restore(&path, &backups.join(format!("{RIGHT}.stonerun"))).unwrap();
    assert_eq!((material(&path), backed_up(&path)), (1, vec![3, 2, 1]));
    let mut map = MapFile::open(&path).unwrap().map;
    for (expected, new) in [([4, 3, 2], 4), ([5, 4, 3], 5)] {
        save(&mut map, new, RIGHT);
        backup::create(&map).unwrap();
        assert_eq!(backed_up(&path), expected);
    }
}

#[test]
fn version_of_a_map_differs_after_a_save_of_the_same_second() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = home(&folder);
    let version = || catalogue::list(folder.path()).unwrap()[0].version();
    let first = version();
    assert_eq!(version(), first);
    save(&mut map, 1, 100);
    assert_ne!(version(), first);
}

/// Names the map into which a process saves at the time that `faketime` shows it.
const MAP: &str = "STONERUN_CLOCK_MAP";
/// Material that the process saves, as a number.
const MATERIAL: &str = "STONERUN_CLOCK_MATERIAL";

#[test]
#[ignore = "started by the other test, with another time"]
fn saver() {
    // Without the variable this is a run of all ignored tests, which does nothing.
    let Some(path) = std::env::var_os(MAP) else { return };
    let material = std::env::var(MATERIAL).unwrap().parse().unwrap();
    let map = MapFile::open(Path::new(&path)).unwrap().map;
    let changes = changes(map.header(), material, unix_now());
    let mut writer = MapWriter::spawn(map, || ()).unwrap();
    writer.save(changes);
    let closed = writer.close().unwrap();
    assert!(closed.report.is_some() && closed.backup_error.is_none(), "{closed:?}");
}

/// Runs [`saver`] in another process, for which it is this year. Returns false if `faketime` is not
/// installed.
fn save_in(year: &str, map: &Path, material: u16) -> bool {
    let time = format!("{year}-05-06 07:08:09");
    let mut command = Command::new("faketime");
    command.arg(time).arg(std::env::current_exe().unwrap()).args([
        "--ignored",
        "--exact",
        "clock::saver",
    ]);
    // Waits would never end if the monotonic clock jumped, too.
    command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    match command.env(MAP, map).env(MATERIAL, material.to_string()).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
            true
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => false,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn sessions_in_another_year_keep_later_backups() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = home(&folder);
    let path = map.path().to_owned();
    save(&mut map, 1, 100);
    map.close().unwrap();
    for (year, material) in
        [("2031", 2), ("2031", 3), ("2031", 4), ("2026", 5), ("2026", 6), ("2026", 7)]
    {
        if !save_in(year, &path, material) {
            assert!(std::env::var_os("STONERUN_REQUIRE_ALL").is_none(), "faketime is required");
            println!("skipped: faketime is not installed");
            return;
        }
        assert_eq!(
            backed_up(&path)[0],
            material - 1,
            "the state before this session is not backed up"
        );
    }
    let years = |seconds: u64| 1970 + seconds / 31_556_952;
    let saved: Vec<u64> =
        backup::list(&path).unwrap().iter().map(|backup| years(backup.saved_unix)).collect();
    assert_eq!((backed_up(&path), saved), (vec![6, 5, 4], vec![2026, 2026, 2031]));
    let oldest = backup::list(&path).unwrap().pop().unwrap();
    backup::restore(&path, &oldest.path).unwrap();
    assert_eq!((material(&path), backed_up(&path)), (4, vec![7, 6, 5]));
}
