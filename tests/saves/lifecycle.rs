//! The life cycle of maps: create, save, read, close, open, rename, refuse.

use std::collections::HashMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use stonerun_engine::random::Random;
use stonerun_engine::save::{
    Header, MapChanges, MapFile, MapWriter, OpenedMap, SaveError, SavedPlayer, catalogue,
    encoded_sizes, sqlite_version, verify,
};
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::voxel::{Box3, CHUNK_VOLUME, ChunkPos, Material, MaterialTable, Voxel};
use stonerun_engine::world::Chunk;

pub fn new_map(folder: &Path, name: &str) -> MapFile {
    let path = catalogue::path_of(folder, name).unwrap();
    MapFile::create(&path, &Header::new(1, "flat", 1000), &MaterialTable::builtin()).unwrap()
}

pub fn changes(map: &MapFile, chunks: Vec<(ChunkPos, Chunk)>) -> MapChanges {
    MapChanges::new(chunks, map.header().clone(), map.materials().clone())
}

fn names(folder: &Path) -> Vec<String> {
    let mut all: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|f| f.unwrap().file_name().into_string().unwrap())
        .collect();
    all.sort();
    all
}

#[test]
fn sqlite_is_newer_than_the_wal_reset_bug() {
    let version: Vec<u32> = sqlite_version().split('.').map(|n| n.parse().unwrap()).collect();
    assert!(version >= vec![3, 51, 3], "{version:?}");
}

/// Smallest box around the positions of chunks.
fn bounds<'a>(chunks: impl Iterator<Item = &'a ChunkPos>) -> Option<Box3> {
    let each = chunks.map(|pos| Box3::spanning(pos.as_ivec3(), pos.as_ivec3()));
    each.reduce(Box3::around)
}

/// Edits a few chunks at random over many saves, compares them with a plain copy, and reopens the
/// map now and then.
#[test]
fn random_edits_survive_saving_and_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = new_map(folder.path(), "home");
    let path = map.path().to_owned();
    let mut model: HashMap<ChunkPos, Chunk> = HashMap::new();
    let mut random = Random::new(99);
    for round in 0..60 {
        let mut changed = HashMap::new();
        for _ in 0..random.below(400) {
            let r = random.draw();
            let pos = ChunkPos::new(
                (r % 3) as i32 - 1,
                (r >> 8) as i32 % 2,
                ((r >> 16) % 3) as i32 * -16_000_000,
            );
            let chunk = model.entry(pos).or_insert_with(|| Chunk::uniform(Voxel::AIR));
            let start = (r >> 24) as usize % CHUNK_VOLUME;
            let end = (start + 1 + (r >> 40) as usize % 300).min(CHUNK_VOLUME);
            let material = (r >> 50) as u16 % 60;
            let dry = Voxel::new(material, if r & 1 == 0 { 255 } else { (r >> 3) as u8 });
            let is_fluid = map.materials().get(material).unwrap().is_fluid();
            let liquid = if is_fluid { 0 } else { (r >> 11) as u8 & 0x9F };
            chunk.set_range(start..end, dry.with_liquid(liquid));
            changed.insert(pos, chunk.clone());
        }
        let count = changed.len();
        let report = map.save(&changes(&map, changed.into_iter().collect())).unwrap();
        assert_eq!(report.chunks_written, count, "only changed chunks are written");
        assert_eq!(report.totals.chunks, model.len() as u64);
        if round % 20 == 7 {
            map.close().unwrap();
            let opened = MapFile::open(&path).unwrap();
            assert_eq!(opened.damage, None);
            map = opened.map;
        }
        let reader = map.reader().unwrap();
        for (&pos, chunk) in &model {
            assert_eq!(map.load(pos).unwrap().as_ref(), Some(chunk));
            assert_eq!(reader.load(pos).unwrap().as_ref(), Some(chunk));
        }
        assert_eq!(map.positions().len(), model.len());
        assert_eq!(reader.bounds(), bounds(model.keys()));
        assert_eq!(map.load(ChunkPos::new(9, 9, 9)).unwrap(), None);
    }
    let sizes: Vec<_> = model.values().map(encoded_sizes).collect();
    let totals = map.totals().unwrap();
    assert_eq!(totals.rle_bytes, sizes.iter().map(|s| s.rle as u64).sum::<u64>());
    assert_eq!(totals.data_bytes, sizes.iter().map(|s| s.stored as u64).sum::<u64>());
    assert_eq!(totals.stored_bytes, totals.data_bytes + 32 * totals.chunks);
    map.close().unwrap();
    assert_eq!(names(folder.path()), ["home.stonerun"], "a closed map is one plain file");
    assert_eq!(
        fs::metadata(&path).unwrap().len(),
        MapFile::open_read_only(&path).unwrap().map.totals().unwrap().file_bytes
    );
}

#[test]
fn header_materials_and_picture_survive_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = new_map(folder.path(), "home");
    let path = map.path().to_owned();
    assert_eq!(map.picture(), None);
    let mut what = changes(&map, vec![]);
    what.header.player = SavedPlayer {
        position: [1.0, 2.5, -3.0],
        yaw: 0.25,
        pitch: -1.0,
        flying: false,
        hotbar: vec!["stone".into(), "minecraft:purpur_block".into()],
        selected: 1,
    };
    what.header.saved_unix = 1234;
    let theirs =
        Material { tint: [9, 8, 7], light: 3, ..Material::plain("minecraft:purpur_block", [0; 3]) };
    let id = what.materials.add(theirs.clone()).unwrap();
    what.picture = Some(vec![7; 100_000]);
    assert_eq!(map.save(&what).unwrap().chunks_written, 0);
    map.close().unwrap();

    let map = MapFile::open(&path).unwrap().map;
    assert_eq!(map.header(), &what.header);
    assert_eq!(map.materials().get(id), Some(&theirs));
    assert_eq!(map.picture(), what.picture);
    let entry = &catalogue::list(folder.path()).unwrap()[0];
    assert_eq!(
        (entry.name.as_str(), entry.saved_unix, &entry.picture),
        ("home", 1234, &what.picture)
    );
    assert_eq!((entry.problem.as_ref(), entry.terrain.as_str(), entry.seed), (None, "flat", 1));
}

#[test]
fn map_has_one_writer_and_any_number_of_readers() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = new_map(folder.path(), "home");
    let path = map.path().to_owned();
    let pos = ChunkPos::new(1, 2, 3);
    map.save(&changes(&map, vec![(pos, Chunk::uniform(Voxel::full(4)))])).unwrap();

    let second = MapFile::open(&path).unwrap_err();
    assert_eq!(second.to_string(), format!("{} is open in another program", path.display()));
    assert!(matches!(catalogue::delete(&path), Err(SaveError::InUse { .. })));
    assert!(matches!(catalogue::must_be_free(&path), Err(SaveError::InUse { .. })));
    let mut read_only = MapFile::open_read_only(&path).unwrap();
    assert!(read_only.damage.is_none() && read_only.map.load(pos).unwrap().is_some());
    let what = changes(&read_only.map, vec![]);
    assert!(matches!(read_only.map.save(&what), Err(SaveError::ReadOnly { .. })));
    drop(read_only);

    let reader = map.reader().unwrap();
    map.close().unwrap();
    assert!(
        matches!(reader.load(pos), Err(SaveError::Closed { .. })),
        "a reader must not keep the map open"
    );
    assert_eq!(names(folder.path()), ["home.stonerun"]);
    assert!(MapFile::open(&path).unwrap().map.load(pos).unwrap().is_some());
}

#[test]
fn invalid_changes_are_refused_and_write_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = new_map(folder.path(), "home");
    let path = map.path().to_owned();
    let exists = MapFile::create(&path, &Header::new(2, "flat", 0), &MaterialTable::builtin());
    assert!(matches!(exists, Err(SaveError::InUse { .. })));
    let pos = ChunkPos::default();
    let mut what = changes(&map, vec![(pos, Chunk::uniform(Voxel::full(4)))]);
    what.picture = Some(vec![0; 5 << 20]);
    assert!(matches!(map.save(&what), Err(SaveError::Refused { .. })));
    assert_eq!(map.load(pos).unwrap(), None, "a refused save must write nothing");
    what.picture = None;
    what.materials = MaterialTable::from_list(vec![Material::plain("air", [0; 3])]).unwrap();
    assert!(matches!(map.save(&what), Err(SaveError::Refused { .. })));
    what.materials = map.materials().clone();
    what.header.player.position = [f64::NAN; 3];
    map.save(&what).unwrap();
    assert_eq!(
        map.header().player.position,
        map.header().spawn,
        "an invalid position falls back to the spawn"
    );
    drop(map);
    let exists = MapFile::create(&path, &Header::new(2, "flat", 0), &MaterialTable::builtin());
    assert!(matches!(exists, Err(SaveError::Exists { .. })));
    assert!(MapFile::open(&path).unwrap().map.load(pos).unwrap().is_some());
}

#[test]
fn map_closes_while_another_program_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let map = new_map(folder.path(), "home");
    let path = map.path().to_owned();
    let pos = ChunkPos::new(1, 2, 3);
    let what = changes(&map, vec![(pos, Chunk::uniform(Voxel::full(7)))]);
    let mut writer = MapWriter::spawn(map, || ()).unwrap();
    let other = MapFile::open_read_only(&path).unwrap().map;
    writer.save(what);
    let closed = writer.close().unwrap();
    assert_eq!(closed.report.unwrap().chunks_written, 1);
    assert!(closed.checkpoint_error.is_some(), "SQLite does not fold a log that has readers");
    drop(other);
    let map = MapFile::open(&path).unwrap().map;
    assert_eq!(map.load(pos).unwrap(), Some(Chunk::uniform(Voxel::full(7))));
}

/// A new map gets the name of a map whose file was deleted by hand and whose log was left behind.
#[test]
fn new_map_ignores_the_log_of_a_deleted_one() {
    let folder = tempfile::tempdir().unwrap();
    let pos = ChunkPos::new(1, 2, 3);
    let of = |m| vec![(pos, Chunk::uniform(Voxel::full(m)))];
    let mut other = new_map(folder.path(), "other");
    other.save(&changes(&other, of(9))).unwrap();
    let log = fs::read(folder.path().join("other.stonerun-wal")).unwrap();
    other.close().unwrap();
    let mut map = new_map(folder.path(), "home");
    map.save(&changes(&map, of(5))).unwrap();
    let path = map.path().to_owned();
    map.close().unwrap();
    fs::write(folder.path().join("taken.stonerun-wal"), &log).unwrap();
    let renamed = catalogue::rename(&path, "taken").unwrap();
    let OpenedMap { map, damage } = MapFile::open(&renamed).unwrap();
    assert_eq!((map.load(pos).unwrap(), damage), (Some(Chunk::uniform(Voxel::full(5))), None));
    map.close().unwrap();
    fs::write(folder.path().join("new.stonerun-wal"), &log).unwrap();
    let map = new_map(folder.path(), "new");
    assert_eq!(map.load(pos).unwrap(), None);
}

#[test]
fn reader_loads_during_a_save() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = new_map(folder.path(), "home");
    let path = map.path().to_owned();
    let stripes =
        |m: u16| Chunk::from_runs((0..4096).map(|i| (8, Voxel::full(m + (i % 2) as u16))));
    let positions: Vec<_> = (0..300).map(|x| ChunkPos::new(x, 0, 0)).collect();
    let all = |m| positions.iter().map(|&pos| (pos, stripes(m))).collect::<Vec<_>>();
    map.save(&changes(&map, all(1))).unwrap();
    let reader = map.reader().unwrap();
    let second = changes(&map, all(3));
    let third = changes(&map, all(5));
    let mut writer = MapWriter::spawn(map, || ()).unwrap();
    writer.save(second);
    writer.save(third);
    let forms = [1, 3, 5].map(stripes);
    let mut random = Random::new(5);
    let mut loaded = 0;
    while writer.busy() {
        let pos = positions[random.index(positions.len())];
        let chunk = reader.load(pos).unwrap().unwrap();
        assert!(forms.contains(&chunk), "a loaded chunk must be one of the saved versions");
        loaded += 1;
    }
    assert!(loaded > 0, "no chunk was loaded during the save");
    assert_eq!(writer.close().unwrap().report.unwrap().chunks_written, 300);
    assert_eq!(
        MapFile::open(&path).unwrap().map.load(positions[0]).unwrap().as_ref(),
        Some(&forms[2])
    );
}

#[test]
fn catalogue_renames_deletes_and_lists_broken_maps() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["one", "two"] {
        new_map(folder.path(), name).close().unwrap();
    }
    fs::write(folder.path().join("broken.stonerun"), b"not a map at all").unwrap();
    fs::write(folder.path().join("notes.txt"), b"").unwrap();
    let list = catalogue::list(folder.path()).unwrap();
    assert_eq!(list.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), ["one", "two", "broken"]);
    assert!(list[2].problem.is_some() && list[0].problem.is_none());
    let path = list[0].path.clone();
    assert!(matches!(catalogue::rename(&path, "two"), Err(SaveError::Exists { .. })));
    assert!(matches!(catalogue::rename(&path, "a/b"), Err(SaveError::Name { .. })));
    let renamed = catalogue::rename(&path, "three").unwrap();
    assert!(MapFile::open(&renamed).unwrap().damage.is_none());
    catalogue::delete(&renamed).unwrap();
    assert!(matches!(catalogue::delete(&renamed), Err(SaveError::NotFound { .. })));
    assert_eq!(names(folder.path()), ["broken.stonerun", "notes.txt", "two.stonerun"]);
    let missing = catalogue::list(&folder.path().join("nowhere")).unwrap_err().to_string();
    assert!(missing.contains("nowhere: cannot list the maps in it: "), "{missing}");
}

/// After a crash the last save is in the log; a rename must move the log too.
#[test]
fn renaming_replaces_no_file_of_rules() {
    let folder = tempfile::tempdir().unwrap();
    let map = new_map(folder.path(), "home");
    let path = map.path().to_owned();
    map.close().unwrap();
    let rules = folder.path().join("cave.rules.ron");
    fs::write(&rules, "[]").unwrap();
    let refused = catalogue::rename(&path, "cave");
    assert!(matches!(&refused, Err(SaveError::Exists { path }) if *path == rules), "{refused:?}");
    assert!(path.exists() && fs::read(&rules).unwrap() == b"[]");
}

#[test]
fn renaming_a_crashed_map_moves_its_log() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = new_map(folder.path(), "home");
    let pos = ChunkPos::new(0, -1, 0);
    map.save(&changes(&map, vec![(pos, Chunk::uniform(Voxel::full(9)))])).unwrap();
    let crashed = folder.path().join("crashed.stonerun");
    fs::copy(map.path(), &crashed).unwrap();
    fs::copy(folder.path().join("home.stonerun-wal"), folder.path().join("crashed.stonerun-wal"))
        .unwrap();
    let renamed = catalogue::rename(&crashed, "found").unwrap();
    assert_eq!(
        MapFile::open(&renamed).unwrap().map.load(pos).unwrap(),
        Some(Chunk::uniform(Voxel::full(9)))
    );
}

#[test]
fn damaged_format_number_is_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let map = new_map(folder.path(), "home");
    let path = map.path().to_owned();
    map.close().unwrap();
    // A later version would also have written its number to the digest.
    let conn = rusqlite::Connection::open(&path).unwrap();
    conn.pragma_update(None, "user_version", 9).unwrap();
    drop(conn);
    let damage = MapFile::open(&path).unwrap().damage.unwrap();
    assert!(damage.to_string().contains("unknown format number 9"), "{damage}");
}

#[cfg(unix)]
#[test]
fn read_only_folder_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mut map = new_map(folder.path(), "home");
    let path = map.path().to_owned();
    let copy = folder.path().join("copied.stonerun");
    let pos = ChunkPos::default();
    map.save(&changes(&map, vec![(pos, Chunk::uniform(Voxel::full(1)))])).unwrap();
    map.close().unwrap();
    // Copied while the map is open: the header says "WAL", but the copy has no log.
    let map = MapFile::open(&path).unwrap().map;
    fs::copy(&path, &copy).unwrap();
    drop(map);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.path().join("probe"), b"").is_ok() {
        println!("skipped: this user may write anywhere");
        return;
    }
    let refused = MapFile::open(&path).unwrap_err().to_string();
    let created = MapFile::create(
        &folder.path().join("b.stonerun"),
        &Header::new(1, "flat", 0),
        &MaterialTable::builtin(),
    );
    let listed = catalogue::list(folder.path()).unwrap();
    let read: Vec<_> =
        [&path, &copy].map(|p| MapFile::open_read_only(p).map(|o| o.map.load(pos).unwrap())).into();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(
        refused.contains("cannot write to its folder") && refused.contains("ermission denied"),
        "{refused}"
    );
    assert!(created.unwrap_err().to_string().contains("ermission denied"));
    assert!(listed.len() == 2 && listed.iter().all(|e| e.problem.is_none()), "{listed:?}");
    assert!(read.into_iter().all(|chunk| chunk.unwrap().is_some()));
}

#[test]
fn reading_a_map_leaves_one_plain_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = new_map(folder.path(), "home");
    let pos = ChunkPos::new(0, 0, 0);
    let filled = changes(&map, vec![(pos, Chunk::uniform(Voxel::full(1)))]);
    map.save(&filled).unwrap();
    map.close().unwrap();
    let map = MapFile::open(&folder.path().join("home.stonerun")).unwrap().map;
    let reader = map.reader().unwrap();
    assert!(reader.load(pos).unwrap().is_some());
    map.close().unwrap();
    assert_eq!(names(folder.path()), ["home.stonerun"]);
}

#[test]
fn compacted_map_has_equal_content_and_fewer_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = new_map(folder.path(), "home");
    let generator = Generator::new(3, TerrainKind::Continents, map.materials());
    let positions: Vec<_> =
        (-2..2).flat_map(|x| (-1..4).map(move |y| ChunkPos::new(x, y, 7))).collect();
    let chunks: Vec<_> = positions.iter().map(|&pos| (pos, generator.chunk(pos))).collect();
    map.save(&changes(&map, chunks.clone())).unwrap();
    let revision = map.save(&changes(&map, vec![])).unwrap().revision;
    let mut steps = vec![];
    let done = map
        .compact(&mut |done| {
            steps.push(done);
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!((steps.last(), done.complete, done.bad), (Some(&1.0), true, 0));
    assert!(done.after.data_bytes * 2 < done.before.data_bytes, "{done:?}");
    assert_eq!(done.after.rle_bytes, done.before.rle_bytes);
    assert_eq!(done.after.codecs.iter().map(|c| c.chunks).sum::<u64>(), positions.len() as u64);
    assert!(done.after.codecs[2].chunks > 0);
    let same = |map: &MapFile| {
        chunks.iter().all(|(pos, chunk)| map.load(*pos).unwrap().as_ref() == Some(chunk))
    };
    assert!(same(&map));
    // A second compaction changes nothing, and the next save continues the revisions.
    assert_eq!(map.compact(&mut |_| ControlFlow::Continue(())).unwrap().chunks, 0);
    assert_eq!(map.save(&changes(&map, vec![])).unwrap().revision, revision + 1);
    let path = map.path().to_owned();
    map.close().unwrap();
    assert!(verify(&path).unwrap().is_sound());
    let mut map = MapFile::open(&path).unwrap().map;
    assert!(same(&map));
    // Later saves use the codec for saves, not the codec for compaction.
    map.save(&changes(&map, vec![chunks[0].clone()])).unwrap();
    assert!(same(&map));
    map.close().unwrap();
    assert!(
        MapFile::open_read_only(&path)
            .unwrap()
            .map
            .compact(&mut |_| ControlFlow::Continue(()))
            .is_err()
    );
}
