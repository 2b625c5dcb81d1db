//! Truncated and corrupted maps must open, report the damage, and never yield a wrong chunk.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use stonerun_engine::random::Random;
use stonerun_engine::save::{
    Damage, Header, MapChanges, MapFile, OpenedMap, SaveError, repair, verify,
};
use stonerun_engine::voxel::{CHUNK_VOLUME, ChunkPos, Material, MaterialTable, Voxel};
use stonerun_engine::world::Chunk;

/// Size of a page of a map, in bytes.
const PAGE: usize = 16384;

/// A small closed map, and every saved version of each of its chunks, the latest last.
struct Sample {
    _folder: tempfile::TempDir,
    path: PathBuf,
    bytes: Vec<u8>,
    chunks: BTreeMap<ChunkPos, Vec<Chunk>>,
    header: Header,
}

fn varied(kind: usize, seed: u64) -> Chunk {
    let mut random = Random::new(seed);
    let n = CHUNK_VOLUME as u32;
    let wet = |occupancy: usize| Voxel::new(16, occupancy as u8).with_liquid(9);
    match kind % 6 {
        0 => Chunk::uniform(Voxel::full(random.index(60) as u16)),
        1 => Chunk::from_runs([
            (n / 2 + seed as u32, Voxel::full(1)),
            (n / 2 - seed as u32, Voxel::AIR),
        ]),
        // Chunk of more than 64 materials.
        2 => Chunk::from_runs((0..n / 64).map(|i| (64, Voxel::full((i % 90) as u16)))),
        // Chunk with partial occupancies and liquid.
        3 => Chunk::from_runs((0..n / 32).map(|_| (32, wet(random.index(256))))),
        // Chunk of layers like terrain, with holes.
        4 => {
            let mut chunk = Chunk::from_runs([(n / 2, Voxel::full(1)), (n / 2, Voxel::AIR)]);
            for _ in 0..200 {
                chunk.set(random.index(CHUNK_VOLUME), Voxel::full(random.index(20) as u16));
            }
            chunk
        }
        // Chunk of noise that overflows a page.
        _ => Chunk::from_runs(
            (0..n).map(|i| (1, Voxel::new((i < 24_000) as u16 * random.index(60) as u16, 7))),
        ),
    }
}

fn sample() -> Sample {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let mut materials = MaterialTable::builtin();
    for i in 0..40 {
        materials.add(Material::plain(&format!("other:material_{i}"), [i, 2, 3])).unwrap();
    }
    let header = Header::new(77, "islands", 1_700_000_000);
    let mut map = MapFile::create(&path, &header, &materials).unwrap();
    let mut chunks: BTreeMap<ChunkPos, Vec<Chunk>> = BTreeMap::new();
    // Thirty chunks in one save, some changed by later saves: records of two lengths, freed pages.
    for (save, count) in [(1, 30), (2, 9), (3, 4)] {
        let mut changes = MapChanges::new(vec![], header.clone(), materials.clone());
        for i in 0..count {
            let pos = ChunkPos::new(i - 5, i % 3, -i * 40);
            // Only one in thirty is noise, so that the file is small enough to try many offsets.
            let kind = if i == 3 { 5 } else { (i as usize * save) % 5 };
            let chunk = varied(kind, (i * 7 + save as i32) as u64);
            chunks.entry(pos).or_default().push(chunk.clone());
            changes.chunks.push((pos, chunk));
        }
        map.save(&changes).unwrap();
    }
    map.close().unwrap();
    let bytes = fs::read(&path).unwrap();
    Sample { _folder: folder, path, bytes, chunks, header }
}

/// Opens a damaged map and compares it with the saved chunks. Returns the number of sound chunks.
fn examine(sample: &Sample, opened: Result<OpenedMap, SaveError>, what: &str) -> usize {
    let OpenedMap { map, damage } = match opened {
        Ok(opened) => opened,
        Err(SaveError::NotAMap { .. }) => return 0,
        Err(other) => panic!("{what}: {other}"),
    };
    let mut sound = 0;
    let mut bad = 0;
    let mut stale = 0;
    for (&pos, forms) in &sample.chunks {
        match map.load(pos) {
            Ok(Some(chunk)) if chunk == *forms.last().unwrap() => sound += 1,
            Ok(Some(chunk)) => {
                assert!(forms.contains(&chunk), "{what}: chunk {pos} is wrong");
                stale += 1;
            }
            Ok(None) => assert!(damage.is_some(), "{what}: chunk {pos} vanished without a report"),
            Err(SaveError::BadChunk { .. }) => bad += 1,
            Err(other) => panic!("{what}: {other}"),
        }
    }
    let reports = |that: fn(&Damage) -> bool| damage.as_ref().is_some_and(that);
    assert!(
        stale == 0 || reports(|d| d.maybe_older),
        "{what}: {stale} outdated chunks without a report: {damage:?}"
    );
    assert!(
        bad == 0 || reports(|d| !d.bad.is_empty()),
        "{what}: {bad} bad chunks that opening did not list"
    );
    assert!(
        map.header() == &sample.header || reports(|d| d.header_lost || d.header_older),
        "{what}: wrong header without a report"
    );
    if let Some(damage) = &damage {
        let line = damage.to_string();
        assert!(line.contains("home.stonerun: ") && !line.contains('\n'), "{what}: {line}");
    }
    for pos in map.positions() {
        assert!(sample.chunks.contains_key(&pos), "{what}: chunk {pos} was never saved");
    }
    sound
}

/// Offsets in a file at which records of a chunk begin: the record of its row, and old copies that
/// SQLite left behind when it moved rows.
fn copies(bytes: &[u8], pos: ChunkPos) -> Vec<usize> {
    let key: Vec<u8> = [pos.x, pos.y, pos.z].iter().flat_map(|v| v.to_le_bytes()).collect();
    let begins =
        |at: &usize| bytes[*at..].starts_with(b"SR\x03") && bytes[at + 8..].starts_with(&key);
    (0..bytes.len() - 40).filter(begins).collect()
}

/// Overwrites the start of a map's file, so that SQLite cannot read the file.
pub fn destroy_header(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    bytes[..100].fill(0);
    fs::write(path, bytes).unwrap();
}

#[test]
fn undamaged_sample_is_sound() {
    let sample = sample();
    assert_eq!(examine(&sample, MapFile::open_read_only(&sample.path), "untouched"), 30);
    let report = verify(&sample.path).unwrap();
    assert!(report.is_sound() && report.totals.chunks == 30 && report.materials > 64, "{report:?}");
    assert!(report.totals.rle_bytes > report.totals.data_bytes);
    assert!(sample.bytes.len() < 300_000, "{} bytes are too many to try", sample.bytes.len());
}

/// Opens the sample truncated to each of `lengths`, which must be in falling order.
fn try_lengths(sample: &Sample, lengths: impl Iterator<Item = usize>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    fs::write(&path, &sample.bytes).unwrap();
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    let mut counts = Vec::new();
    for len in lengths {
        file.set_len(len as u64).unwrap();
        counts.push(examine(sample, MapFile::open_read_only(&path), &format!("cut at {len}")));
    }
    // Records before the cut are found even if SQLite fails. A few old records of changed chunks
    // lie after the new ones, so the count may rise slightly as the file gets shorter.
    assert!(counts.windows(2).all(|pair| pair[1] <= pair[0] + 2), "{counts:?}");
    assert!(counts[0] >= 25 && counts.iter().any(|n| (1..20).contains(n)), "{counts:?}");
}

/// Opens the sample with one byte changed at a time. A change is an offset, and a mask for XOR.
fn try_changes(sample: &Sample, changes: impl Iterator<Item = (usize, u8)>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    fs::write(&path, &sample.bytes).unwrap();
    let mut file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    let mut put = |at: usize, byte: u8| {
        file.seek(SeekFrom::Start(at as u64)).unwrap();
        file.write_all(&[byte]).unwrap();
    };
    let mut worst = 30;
    for (at, by) in changes {
        put(at, sample.bytes[at] ^ by);
        let sound =
            examine(sample, MapFile::open_read_only(&path), &format!("byte {at} ^ {by:#x}"));
        put(at, sample.bytes[at]);
        // A byte lies in at most one record, so at most one chunk is damaged.
        assert!(sound >= 29, "byte {at} ^ {by:#x}: only {sound} chunks are sound");
        worst = worst.min(sound);
    }
    assert_eq!(worst, 29, "at least one changed byte must lie in a record");
}

const MASKS: [u8; 4] = [0xff, 1, 0x80, 0x20];

/// The step is odd, so that the cuts fall at different offsets of each page.
#[test]
fn truncated_map_yields_no_wrong_chunk() {
    let sample = sample();
    try_lengths(&sample, (0..sample.bytes.len()).rev().step_by(211));
}

/// Changes all bytes of SQLite's header and of the beginning of every page, where SQLite keeps its
/// own data, and bytes at 2000 random offsets with a fixed seed.
#[test]
fn changed_byte_yields_no_wrong_chunk() {
    let sample = sample();
    let len = sample.bytes.len();
    let mut random = Random::new(5);
    let page_starts =
        (0..len).step_by(PAGE).flat_map(|page| (page..page + 24).chain(page + 100..page + 110));
    let mut places: Vec<usize> = (0..110).chain(page_starts).collect();
    places.extend((0..2000).map(|_| random.index(len)));
    try_changes(&sample, places.into_iter().map(|at| (at, MASKS[random.index(4)])));
}

#[test]
#[ignore = "takes minutes: the two tests above, at every offset"]
fn every_truncation_and_changed_byte_yields_no_wrong_chunk() {
    let sample = sample();
    try_lengths(&sample, (0..sample.bytes.len()).rev());
    try_changes(&sample, (0..sample.bytes.len()).map(|at| (at, MASKS[at % 4])));
}

/// Opening for writing keeps the damaged file and leaves a sound map.
#[test]
fn opening_for_writing_repairs_and_keeps_the_damaged_file() {
    let sample = sample();
    let folder = sample.path.with_file_name("mended");
    let path = folder.join("home.stonerun");
    let mut random = Random::new(11);
    let mut rebuilt = 0;
    for round in 0..60 {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let mut bytes = sample.bytes.clone();
        if round % 2 == 0 {
            bytes.truncate(random.index(bytes.len()));
        } else {
            let at = random.index(bytes.len());
            bytes[at] ^= 0x55;
        }
        fs::write(&path, &bytes).unwrap();
        let opened = MapFile::open(&path);
        let kept = opened.as_ref().ok().and_then(|o| o.damage.as_ref()?.kept_as.clone());
        if opened.is_err() {
            assert_eq!(
                fs::read(&path).unwrap(),
                bytes,
                "a file without any record must stay as it is"
            );
        }
        examine(&sample, opened, &format!("round {round}"));
        if let Some(kept) = kept {
            rebuilt += 1;
            assert_eq!(fs::read(kept).unwrap(), bytes, "the damaged file must be kept unchanged");
            assert!(verify(&path).unwrap().is_sound(), "round {round}");
        }
    }
    assert!(rebuilt > 20, "{rebuilt}");
}

/// Changes several bytes at once, and overwrites whole pages.
#[test]
fn many_changed_bytes_and_overwritten_pages_yield_no_wrong_chunk() {
    let sample = sample();
    let scratch = sample.path.with_file_name("worse").join("home.stonerun");
    fs::create_dir(scratch.parent().unwrap()).unwrap();
    let mut random = Random::new(23);
    for round in 0..150 {
        let mut bytes = sample.bytes.clone();
        for _ in 0..1 + random.index(30) {
            let at = random.index(bytes.len());
            bytes[at] = random.index(256) as u8;
        }
        if round % 3 == 0 {
            let page = random.index(bytes.len() / PAGE) * PAGE;
            let other = random.index(bytes.len() / PAGE) * PAGE;
            bytes.copy_within(other..other + PAGE, page);
        }
        fs::write(&scratch, &bytes).unwrap();
        examine(&sample, MapFile::open_read_only(&scratch), &format!("round {round}"));
    }
}

/// Every record of such a file is sound, so only the digest detects missing or outdated records.
#[test]
fn digest_detects_missing_and_outdated_rows() {
    let sample = sample();
    let rows = |wipe: &str, sql: &str| {
        let conn = rusqlite::Connection::open(&sample.path).unwrap();
        conn.pragma_update(None, "secure_delete", wipe).unwrap();
        conn.execute(sql, []).unwrap()
    };
    let damage = || MapFile::open_read_only(&sample.path).unwrap().damage.unwrap();
    let single = sample.chunks.keys().find(|pos| copies(&sample.bytes, **pos).len() == 1).unwrap();
    let delete = format!("DELETE FROM chunk WHERE x = {}", single.x);
    assert_eq!(rows("ON", &delete), 1);
    assert_eq!((damage().expected, damage().sound), (Some(30), 29), "{}", damage());
    fs::write(&sample.path, &sample.bytes).unwrap();
    // SQLite may leave a deleted row's bytes in place. Then the record is still found.
    assert_eq!(rows("OFF", &delete), 1);
    assert_eq!((damage().expected, damage().sound), (Some(30), 30), "{}", damage());
    fs::write(&sample.path, &sample.bytes).unwrap();
    // One of the last rows: when SQLite adds a page, the bytes of earlier rows stay in the first.
    assert_eq!(rows("ON", "DELETE FROM material WHERE id = 120"), 1);
    let OpenedMap { map, damage } = MapFile::open_read_only(&sample.path).unwrap();
    assert_eq!(damage.unwrap().lost_materials, [120]);
    assert_eq!(map.materials().get(120).map(|m| m.name.as_str()), Some("lost_material_120"));

    // Resets one chunk to its state two saves ago, including record and revision.
    let old = sample.path.with_file_name("old.stonerun");
    let mut map = MapFile::create(&old, &sample.header, map.materials()).unwrap();
    let (&pos, forms) = sample.chunks.iter().next().unwrap();
    let changes = MapChanges::new(
        vec![(pos, forms[0].clone())],
        sample.header.clone(),
        map.materials().clone(),
    );
    map.save(&changes).unwrap();
    map.close().unwrap();
    fs::write(&sample.path, &sample.bytes).unwrap();
    let conn = rusqlite::Connection::open(&sample.path).unwrap();
    conn.execute("ATTACH ?1 AS old", [old.to_str()]).unwrap();
    let put_back = "UPDATE chunk SET (revision, record) = (SELECT revision, record FROM old.chunk) \
                    WHERE (x, y, z) = (SELECT x, y, z FROM old.chunk)";
    assert_eq!(conn.execute(put_back, []).unwrap(), 1);
    drop(conn);
    let damage = MapFile::open_read_only(&sample.path).unwrap().damage.unwrap();
    assert!(damage.structure.is_some(), "{damage}");
}

/// Otherwise new terrain would consist of placeholder materials, which the next save would store.
#[test]
fn map_that_lost_its_materials_gets_the_games() {
    let sample = sample();
    let saved = MapFile::open_read_only(&sample.path).unwrap().map.materials().len();
    let conn = rusqlite::Connection::open(&sample.path).unwrap();
    conn.execute_batch(
        "PRAGMA secure_delete = ON; DELETE FROM material; DELETE FROM chunk; VACUUM",
    )
    .unwrap();
    drop(conn);
    let report = verify(&sample.path).unwrap();
    assert_eq!((report.materials, report.totals.chunks), (0, 0));
    let OpenedMap { map, damage } = MapFile::open_read_only(&sample.path).unwrap();
    assert_eq!(damage.unwrap().lost_materials.len(), saved);
    let builtin = MaterialTable::builtin();
    assert!(builtin.iter().all(|(_, material)| map.materials().find(&material.name).is_some()));
    assert_eq!(
        map.materials().len(),
        builtin.len(),
        "no placeholder for a material that no chunk uses"
    );
}

#[test]
fn repair_sets_a_bad_record_aside_and_names_it() {
    let sample = sample();
    let (&pos, forms) = sample.chunks.iter().nth(12).unwrap();
    assert_eq!(forms.len(), 1);
    let codec_at = 3;
    let mut bytes = sample.bytes.clone();
    for at in copies(&sample.bytes, pos) {
        bytes[at + codec_at] ^= 1;
    }
    fs::write(&sample.path, &bytes).unwrap();

    let report = verify(&sample.path).unwrap();
    assert_eq!((report.bad.len(), report.damage.is_none()), (1, true));
    assert_eq!(report.bad[0].place, format!("chunk {pos}"));
    let OpenedMap { map, damage } = MapFile::open(&sample.path).unwrap();
    let line = damage.unwrap().to_string();
    assert_eq!(
        line,
        format!("{}: 1 of 30 chunks are damaged: {pos}: checksum mismatch", sample.path.display())
    );
    assert!(matches!(map.load(pos), Err(SaveError::BadChunk { pos: p, .. }) if p == pos));
    drop(map);

    let report = repair(&sample.path).unwrap();
    assert!(report.rebuilt.is_none() && report.set_aside.len() == 1);
    let report = verify(&sample.path).unwrap();
    assert!(report.is_sound() && report.quarantined == 1 && report.totals.chunks == 29);
    assert_eq!(MapFile::open(&sample.path).unwrap().map.load(pos).unwrap(), None);
}

#[test]
fn bad_chunk_is_kept_when_a_new_one_replaces_it() {
    let sample = sample();
    let pos = *sample.chunks.keys().nth(12).unwrap();
    let mut bytes = sample.bytes.clone();
    for at in copies(&sample.bytes, pos) {
        bytes[at + 30] ^= 1;
    }
    fs::write(&sample.path, &bytes).unwrap();
    let mut map = MapFile::open(&sample.path).unwrap().map;
    let new = varied(4, 999);
    let changes =
        MapChanges::new(vec![(pos, new.clone())], sample.header.clone(), map.materials().clone());
    map.save(&changes).unwrap();
    assert_eq!(map.load(pos).unwrap().as_ref(), Some(&new));
    map.close().unwrap();
    let report = verify(&sample.path).unwrap();
    assert!(report.is_sound() && report.quarantined == 1, "{report:?}");
}

/// Reads a map whose file broke while its last saves were only in the write-ahead log.
#[test]
fn log_of_a_broken_map_is_read() {
    let sample = sample();
    let crashed = sample.path.with_file_name("crashed");
    fs::create_dir(&crashed).unwrap();
    let path = crashed.join("home.stonerun");
    let mut map = MapFile::open(&sample.path).unwrap().map;
    let pos = *sample.chunks.keys().nth(7).unwrap();
    let new = varied(4, 1234);
    let far = ChunkPos::new(1000, 0, 0);
    map.save(&MapChanges::new(
        vec![(pos, new.clone()), (far, new.clone())],
        sample.header.clone(),
        map.materials().clone(),
    ))
    .unwrap();
    // The state after a crash: the file and its log, with the file's schema overwritten.
    fs::copy(sample.path.with_file_name("home.stonerun-wal"), crashed.join("home.stonerun-wal"))
        .unwrap();
    fs::copy(&sample.path, &path).unwrap();
    let crash = MapFile::open(&path).unwrap();
    assert!(crash.damage.is_none(), "a log alone is not damage: {:?}", crash.damage);
    assert_eq!(crash.map.load(far).unwrap().as_ref(), Some(&new));
    drop(crash);

    fs::copy(sample.path.with_file_name("home.stonerun-wal"), crashed.join("home.stonerun-wal"))
        .unwrap();
    let mut bytes = fs::read(&sample.path).unwrap();
    bytes[..PAGE].fill(0);
    fs::write(&path, &bytes).unwrap();
    let opened = MapFile::open(&path).unwrap();
    let damage = opened.damage.unwrap();
    assert_eq!(
        (damage.sound, damage.expected, damage.maybe_older),
        (31, Some(31), false),
        "{damage}"
    );
    assert_eq!(opened.map.load(far).unwrap().as_ref(), Some(&new));
    assert_eq!(opened.map.load(pos).unwrap().as_ref(), Some(&new));
    let kept = damage.kept_as.unwrap();
    assert!(Path::new(&format!("{}-wal", kept.display())).exists());
}

/// Maps of earlier versions have pages of another size, and a damaged header may state any size.
#[test]
fn broken_map_with_pages_of_either_size_is_rebuilt() {
    let sample = sample();
    for page in [8192, PAGE] {
        fs::write(&sample.path, &sample.bytes).unwrap();
        let conn = rusqlite::Connection::open(&sample.path).unwrap();
        conn.execute_batch(&format!(
            "PRAGMA journal_mode = DELETE; PRAGMA page_size = {page}; VACUUM"
        ))
        .unwrap();
        conn.close().unwrap();
        let bytes = fs::read(&sample.path).unwrap();
        assert_eq!(usize::from(u16::from_be_bytes([bytes[16], bytes[17]])), page);
        assert_eq!(examine(&sample, MapFile::open_read_only(&sample.path), "whole"), 30);
        for claim in [0, 512, 8192, 16384, 65535] {
            let mut broken = bytes.clone();
            broken[100..page].fill(0);
            broken[16..18].copy_from_slice(&u16::to_be_bytes(claim));
            fs::write(&sample.path, &broken).unwrap();
            let what = format!("pages of {page} bytes that claim to have {claim}");
            assert_eq!(
                examine(&sample, MapFile::open_read_only(&sample.path), &what),
                30,
                "{what}"
            );
        }
    }
}

#[test]
fn files_of_other_kinds_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.stonerun");
    assert!(matches!(MapFile::open(&path), Err(SaveError::NotFound { .. })));
    for content in [&b""[..], b"hello", &[0; 100_000]] {
        fs::write(&path, content).unwrap();
        for result in [MapFile::open(&path), MapFile::open_read_only(&path)] {
            let message = result.unwrap_err().to_string();
            assert!(
                message.contains("x.stonerun: not a Stonerun map, or nothing in it is readable: "),
                "{message}"
            );
        }
        assert_eq!(fs::read(&path).unwrap(), content);
    }
    assert!(matches!(MapFile::open(folder.path()), Err(SaveError::NotAMap { .. })));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no other file may be left behind");
}
