//! A saving process is killed at random moments, again and again. Every save that it reported as
//! done must be complete, and the map must be sound.
//!
//! The process is this test program, started to run only `saver`. The content that it writes
//! depends only on the number of the save, so the test knows the expected map.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use stonerun_engine::random::mix;
use stonerun_engine::save::{Header, MapChanges, MapFile, MapWriter, verify};
use stonerun_engine::voxel::{CHUNK_VOLUME, ChunkPos, MaterialTable, Voxel};
use stonerun_engine::world::Chunk;

/// Number of kills.
const ROUNDS: u64 = 200;
/// Number of chunk positions in a row to which saves write.
const PLACES: u64 = 60;
/// Names the map into which the process saves.
const MAP: &str = "STONERUN_KILL_MAP";

/// The chunks that save number `save` writes, by position. Some are small, some have many
/// kilobytes.
fn written(save: u64) -> HashMap<ChunkPos, Chunk> {
    (0..1 + mix(save) % 24)
        .map(|k| {
            let seed = mix(save * 1000 + k);
            let pos = ChunkPos::new((seed % PLACES) as i32 - 30, -2, 5);
            let runs = if seed.is_multiple_of(5) { 8192 } else { 64 };
            // A third is wet, in materials from stone to marble.
            let voxel = |i: u64| match mix(seed + i) % 45 {
                n @ 0..30 => Voxel::full(n as u16),
                n => Voxel::new(1 + n as u16 % 6, n as u8).with_liquid(3 * n as u8),
            };
            (
                pos,
                Chunk::from_runs(
                    (0..runs).map(|i| ((CHUNK_VOLUME as u64 / runs) as u32, voxel(i))),
                ),
            )
        })
        .collect()
}

fn changes(header: &Header, save: u64) -> MapChanges {
    let header = Header { played_seconds: save as f64, ..header.clone() };
    MapChanges::new(written(save).into_iter().collect(), header, MaterialTable::builtin())
}

/// Saves until the process is killed. Prints `saved N` when save N is reported as done. Now and
/// then closes and reopens the map.
fn save_for_ever(path: &Path) {
    let mut out = std::io::stdout();
    loop {
        let opened = MapFile::open(path).expect("it opens");
        assert_eq!(opened.damage, None);
        let header = opened.map.header().clone();
        let mut done = header.played_seconds as u64;
        let mut writer = MapWriter::spawn(opened.map, || ()).expect("a thread");
        let mut asked = done;
        let last = done + 1 + mix(done) % 12;
        while done < last {
            // Up to three saves are pending, as when a player saves during an autosave.
            while asked < last && asked < done + 1 + mix(asked) % 3 {
                asked += 1;
                writer.save(changes(&header, asked));
            }
            match writer.poll() {
                Some(result) => {
                    result.expect("the save succeeds");
                    done += 1;
                    // In a single write, because a partial line does not count as reported.
                    out.write_all(format!("saved {done}\n").as_bytes())
                        .and_then(|()| out.flush())
                        .expect("standard output is open");
                }
                None => std::thread::sleep(Duration::from_micros(200)),
            }
        }
        writer.close().expect("it closes");
    }
}

#[test]
#[ignore = "started by the other test, to be killed"]
fn saver() {
    // Without the variable this is a run of all ignored tests, which does nothing.
    if let Some(map) = std::env::var_os(MAP) {
        save_for_ever(Path::new(&map));
    }
}

#[test]
fn reported_saves_survive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kill.stonerun");
    MapFile::create(&path, &Header::new(1, "void", 0), &MaterialTable::builtin())
        .unwrap()
        .close()
        .unwrap();
    let mut expected: HashMap<ChunkPos, Chunk> = HashMap::new();
    let mut known = 0;
    let mut in_flight = 0;
    for round in 0..ROUNDS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "kill::saver", "--nocapture"])
            .env(MAP, &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // A thread reads the output, so that the process never waits for this thread.
        let (heard, lines) = mpsc::channel();
        let said = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let listener =
            std::thread::spawn(move || said.for_each(|line| heard.send(line).unwrap_or_default()));
        // Some kills come while the process opens the map, most while it saves.
        let mut reported = known;
        // The test harness may print something before the number on the same line.
        let number = |line: String| line.rsplit_once("saved ")?.1.parse().ok();
        if !round.is_multiple_of(4) {
            let first = lines
                .recv_timeout(Duration::from_secs(60))
                .into_iter()
                .chain(&lines)
                .find_map(number);
            reported = first.expect("it saves");
        }
        std::thread::sleep(Duration::from_micros(mix(round) % 60_000));
        let ended = child.try_wait().unwrap();
        assert_eq!(ended, None, "round {round}: the process ended by itself");
        child.kill().unwrap();
        child.wait().unwrap();
        listener.join().unwrap();
        let reported = lines.iter().filter_map(number).max().unwrap_or(reported);

        let report = verify(&path).unwrap();
        assert!(report.is_sound(), "round {round}: {report:?}");
        let opened = MapFile::open(&path).unwrap();
        assert_eq!(opened.damage, None, "round {round}");
        let map = opened.map;
        let there = map.header().played_seconds as u64;
        assert!(
            (reported..=reported + 3).contains(&there),
            "round {round}: {reported} reported, {there} there"
        );
        in_flight += u64::from(there > reported);
        for save in known + 1..=there {
            expected.extend(written(save));
        }
        known = there;
        let mut places: Vec<ChunkPos> = expected.keys().copied().collect();
        places.sort_unstable();
        assert_eq!(map.positions(), places, "round {round}");
        for pos in places {
            let chunk = map.load(pos).unwrap();
            assert!(chunk.as_ref() == expected.get(&pos), "round {round}, save {known}: {pos:?}");
        }
        map.close().unwrap();
    }
    println!(
        "killed {ROUNDS} times in {known} saves, {in_flight} times with a save done but not yet reported"
    );
    assert!(known > ROUNDS, "too few saves to be a test: {known}");
}
