//! Baking: no set misses a chunk that exact rays reach, an edit discards exactly the sets that it
//! invalidates, a map of an older format takes baked sets, and a stopped command continues.

use glam::{DVec3, IVec3};
use std::ops::ControlFlow;
use std::path::Path;
use stonerun_engine::mesh::FaceMaterials;
use stonerun_engine::save::{BakedView, Header, MapChanges, MapFile, repair, verify};
use stonerun_engine::visibility::bake::{BakedSets, Baker};
use stonerun_engine::visibility::{ChunkOcclusion, PortalGraph, PvsCache, SetSource, bitset};
use stonerun_engine::voxel::{
    Box3, ChunkPos, MaterialTable, Voxel, linear_offset, local, local_coord,
};
use stonerun_engine::world::Chunk;
use stonerun_lab::input::Random;
use stonerun_lab::visibility::VoxelWalk;

const VIEW: i32 = 4;
/// Size of a world, in chunks.
const SIZE: IVec3 = IVec3::new(3, 2, 3);

fn below(random: &mut Random, count: i32) -> i32 {
    random.below(count as u32) as i32
}

fn part(random: &mut Random) -> f64 {
    (random.draw() >> 11) as f64 / (1u64 << 53) as f64
}

/// A chunk that is rock where `solid` is true of a voxel's world position.
fn chunk(pos: ChunkPos, solid: impl Fn(IVec3) -> bool) -> Chunk {
    let voxel = |index| {
        if solid(pos.origin() + linear_offset(index)) { Voxel::full(1) } else { Voxel::AIR }
    };
    Chunk::from_runs((0..32768).map(|index| (1, voxel(index))))
}

/// Rock with balls of air, or air with boxes of rock and walls with holes.
fn world(random: &mut Random, kind: u64) -> Vec<(Box3, bool)> {
    let size = SIZE * 32;
    let mut parts = vec![(Box3 { min: IVec3::ZERO, max: size }, kind.is_multiple_of(2))];
    for i in 0..40 {
        let mut along = |count: i32| below(random, count);
        let min = IVec3::new(along(size.x), along(size.y), along(size.z));
        let mut side = IVec3::new(1 + along(24), 1 + along(24), 1 + along(24));
        if i % 4 == 0 {
            side[i / 4 % 3] = 1;
            side[(i / 4 + 1) % 3] = 60;
        }
        parts.push((Box3 { min, max: min + side }, kind % 2 == 1));
    }
    parts
}

#[test]
fn baked_sets_hold_everything_that_rays_reach() {
    let mut random = Random::new(11);
    let mut sections = 0;
    for kind in 0..6 {
        let parts = world(&mut random, kind);
        let solid = |at: IVec3| {
            parts.iter().rev().find(|(part, _)| part.contains(at)).is_some_and(|(_, solid)| *solid)
        };
        let bounds = Box3 { min: IVec3::ZERO, max: SIZE };
        let graph = PortalGraph::new(bounds, |pos| {
            Some(ChunkOcclusion::from_chunk(&chunk(pos, solid), Voxel::is_full))
        });
        let mut baker = Baker::new(VIEW);
        for index in 0..graph.index().len() {
            let pos = graph.index().position(index);
            if !bounds.contains(pos.as_ivec3()) {
                continue;
            }
            let sets = baker.bake(&graph, pos);
            let occlusion = graph.occlusion().chunk(index).clone();
            let cells = occlusion.rooms.cells();
            assert_eq!(sets.cells().len(), cells.len());
            sections += sets.pairs();
            for _ in 0..3000 {
                let from = DVec3::from_array([(); 3].map(|()| part(&mut random) * 32.0))
                    + pos.origin().as_dvec3();
                let to = DVec3::from_array(
                    [0, 1, 2].map(|axis| part(&mut random) * f64::from(SIZE[axis] * 32)),
                );
                let start = from.floor().as_ivec3();
                if solid(start) || from == to {
                    continue;
                }
                let cell = occlusion.rooms.cell_at(&occlusion.occluders, local(start)).unwrap();
                for at in VoxelWalk::new(from, to - from)
                    .take_while(|at| bounds.contains(ChunkPos::containing(*at).as_ivec3()))
                {
                    let section: IVec3 = at >> 4 & 1;
                    let bit = 1 << (section.x | section.z << 1 | section.y << 2);
                    let seen = sets.seen_by(cell).find(|(offset, _)| {
                        *offset == ChunkPos::containing(at).as_ivec3() - pos.as_ivec3()
                    });
                    assert!(
                        seen.is_some_and(|(_, bits)| bits & bit != 0),
                        "kind {kind}: from {from} to {to}, cell {cell} of {pos} does not see the section of {at}"
                    );
                    if solid(at) {
                        break;
                    }
                }
            }
        }
    }
    // Sets that hold everything would pass too, but they would have 800,000 members.
    assert!((1..150_000).contains(&sections), "{sections}");
}

/// A row of chunks along x with walls between some of them.
fn row_at(path: &Path) -> MapFile {
    let materials = MaterialTable::builtin();
    let mut map = MapFile::create(path, &Header::new(1, "void", 0), &materials).unwrap();
    let wall = |at: IVec3| {
        at.x == 100
            || !(1..31).contains(&local_coord(at.y))
            || !(1..31).contains(&local_coord(at.z))
    };
    let chunks =
        (0..8).map(|x| ChunkPos::new(x, 0, 0)).map(|pos| (pos, chunk(pos, wall))).collect();
    map.save(&changes(&map, chunks)).unwrap();
    map
}

fn changes(map: &MapFile, chunks: Vec<(ChunkPos, Chunk)>) -> MapChanges {
    MapChanges::new(chunks, map.header().clone(), map.materials().clone())
}

/// Bakes a whole map, as the command does.
fn bake(map: &mut MapFile, view: i32) -> Vec<(ChunkPos, BakedSets)> {
    let face_materials = FaceMaterials::new(map.materials());
    let all = map.positions();
    let (lo, hi) = all.iter().fold((IVec3::MAX, IVec3::MIN), |(lo, hi), pos| {
        (lo.min(pos.as_ivec3()), hi.max(pos.as_ivec3() + 1))
    });
    let graph = PortalGraph::new(Box3 { min: lo, max: hi }, |pos| {
        map.load(pos)
            .unwrap()
            .map(|chunk| ChunkOcclusion::from_chunk(&chunk, |voxel| face_materials.hides(voxel)))
    });
    let mut baker = Baker::new(view);
    let sets: Vec<_> = all.into_iter().map(|pos| (pos, baker.bake(&graph, pos))).collect();
    map.save_visibility(&sets).unwrap();
    sets
}

#[test]
fn edit_discards_exactly_the_sets_it_invalidates() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = row_at(&folder.path().join("row.stonerun"));
    let sets = bake(&mut map, 16);
    assert_eq!(map.visibility(ChunkPos::new(2, 0, 0)).unwrap().unwrap().0, sets[2].1);
    let baked_x =
        |map: &MapFile| map.baked(16).unwrap().iter().map(|pos| pos.x).collect::<Vec<_>>();
    // The wall at x = 100 lies in chunk 3, and both sides see that chunk.
    let changed = chunk(ChunkPos::new(1, 0, 0), |_| false);
    map.save(&changes(&map, vec![(ChunkPos::new(1, 0, 0), changed.clone())])).unwrap();
    assert_eq!(baked_x(&map), [4, 5, 6, 7], "these do not see past the wall");
    assert!(map.baked(8).unwrap().is_empty());
    bake(&mut map, 3);
    map.save(&changes(&map, vec![(ChunkPos::new(7, 0, 0), changed.clone())])).unwrap();
    assert_eq!(
        map.baked(3).unwrap().iter().map(|pos| pos.x).collect::<Vec<_>>(),
        [0, 1, 2, 3],
        "3 is too far away"
    );
    // Saving the header invalidates nothing. A new chunk affects all cells that have it in view.
    bake(&mut map, 3);
    map.save(&changes(&map, vec![])).unwrap();
    assert_eq!(map.baked(3).unwrap().len(), 8);
    map.save(&changes(&map, vec![(ChunkPos::new(8, 0, 0), changed)])).unwrap();
    assert_eq!(map.baked(3).unwrap().iter().map(|pos| pos.x).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    map.close().unwrap();
    assert!(verify(&folder.path().join("row.stonerun")).unwrap().is_sound());
}

#[test]
fn baked_set_replaces_refining() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = row_at(&folder.path().join("row.stonerun"));
    bake(&mut map, 3);
    let home = ChunkPos::new(1, 0, 0);
    let baked = map.reader().unwrap().baked(home).unwrap().expect("the chunk is baked");
    // A world without the wall in chunk 3, which was not the one that was baked, to distinguish
    // baked sets from swept ones.
    let tunnel =
        |at: IVec3| !(1..31).contains(&local_coord(at.y)) || !(1..31).contains(&local_coord(at.z));
    let occlusion = |pos: ChunkPos| {
        let is_row = (0..8).contains(&pos.x) && (pos.y, pos.z) == (0, 0);
        is_row.then(|| ChunkOcclusion::from_chunk(&chunk(pos, tunnel), Voxel::is_full))
    };
    let mut cache = PvsCache::new(home, 6, occlusion);
    cache.select(IVec3::new(40, 16, 16), true).expect("a cell");
    let sees = |cache: &PvsCache| -> Vec<i32> {
        let set = cache.current_set().unwrap().chunks;
        let index = cache.index();
        let has = |x: &i32| bitset::contains(set, index.slot(ChunkPos::new(*x, 0, 0)).unwrap());
        (-2..8).filter(has).collect()
    };
    assert_eq!(sees(&cache), (-2..8).collect::<Vec<_>>());
    let job = cache.next_job().expect("a set to refine");
    cache.finish_job(job.use_baked(&baked).ok().expect("the cell is baked"));
    assert_eq!(
        sees(&cache),
        [-2, -1, 0, 1, 2, 3, 5, 6, 7],
        "baked sets know nothing outside the map, nor beyond 3 chunks"
    );
    assert_eq!(cache.current_set().unwrap().source, SetSource::Baked);
    assert_eq!(cache.next_job().expect("it is refined next").source(), SetSource::Baked);
    let changed = |x| baked.holds_any([ChunkPos::new(x, 0, 0)].iter());
    assert_eq!([0, 1, 3, 4, 7].map(changed), [true, true, true, false, false]);
    // A cell that has changed has no baked set.
    let halved = |pos: ChunkPos| {
        (pos == home)
            .then(|| ChunkOcclusion::from_chunk(&chunk(pos, |at| at.y == 20), Voxel::is_full))
    };
    let mut cache = PvsCache::new(home, 6, halved);
    cache.select(IVec3::new(40, 25, 16), true).expect("a cell");
    assert!(cache.next_job().expect("a set to refine").use_baked(&baked).is_err());
    // A save deletes the sets that it invalidates.
    map.save(&changes(&map, vec![(ChunkPos::new(3, 0, 0), chunk(ChunkPos::new(3, 0, 0), tunnel))]))
        .unwrap();
    assert!(map.reader().unwrap().baked(home).unwrap().is_none());
}

#[test]
fn chunk_added_after_baking_is_left_to_the_sweep() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("row.stonerun");
    let mut map = row_at(&path);
    bake(&mut map, 3);
    let home = ChunkPos::new(7, 0, 0);
    let tunnel =
        |at: IVec3| !(1..31).contains(&local_coord(at.y)) || !(1..31).contains(&local_coord(at.z));
    // The viewer's world continues the tunnel, so only the baked set can leave chunks out.
    let sees = |map: &MapFile| -> Vec<i32> {
        let is_row = |pos: ChunkPos| (0..10).contains(&pos.x) && (pos.y, pos.z) == (0, 0);
        let mut cache = PvsCache::new(home, 4, |pos| {
            is_row(pos).then(|| ChunkOcclusion::from_chunk(&chunk(pos, tunnel), Voxel::is_full))
        });
        cache.select(home.origin() + 16, true).expect("a cell");
        let baked = map.reader().unwrap().baked(home).unwrap().expect("the chunk is baked");
        let job = cache.next_job().expect("a set to refine");
        cache.finish_job(job.use_baked(&baked).ok().expect("the cell is baked"));
        let set = cache.current_set().unwrap().chunks;
        let index = cache.index();
        (4..10)
            .filter(|x| bitset::contains(set, index.slot(ChunkPos::new(*x, 0, 0)).unwrap()))
            .collect()
    };
    let new = |x, full: bool| {
        (ChunkPos::new(x, 0, 0), chunk(ChunkPos::new(x, 0, 0), |at| full || tunnel(at)))
    };
    map.save(&changes(&map, vec![new(8, true), new(9, false)])).unwrap();
    assert!(map.visibility(home).unwrap().is_some() && !map.baked(3).unwrap().contains(&home));
    assert_eq!(
        map.baked_views().unwrap(),
        [BakedView { view: 3, chunks: 5 }],
        "chunks 0 to 4 do not have them in view"
    );
    assert_eq!(sees(&map), [4, 5, 6, 7, 8, 9]);
    // A chunk that is written again keeps its row.
    map.save(&changes(&map, vec![new(0, false)])).unwrap();
    bake(&mut map, 3);
    assert_eq!(sees(&map), [4, 5, 6, 7, 8], "rock hides what is behind it");
    map.save(&changes(&map, vec![new(9, true)])).unwrap();
    assert_eq!(sees(&map), [4, 5, 6, 7, 8], "no cell sees it");
    assert_eq!(map.baked(3).unwrap().len(), 9);
    map.close().unwrap();
    assert!(verify(&path).unwrap().is_sound());
    // Rows of deleted chunks may be reused, so sets that name such a row must be discarded.
    let conn = rusqlite::Connection::open(&path).unwrap();
    conn.execute("UPDATE chunk SET record = zeroblob(50) WHERE x = 9", []).unwrap();
    drop(conn);
    repair(&path).unwrap();
    assert_eq!(MapFile::open(&path).unwrap().map.baked_views().unwrap(), []);
}

/// Turns a closed map into a map of an older format. The first had no visibility, the second no
/// history, the third no torches, the fourth no steps with names, the fifth no packed voxels,
/// and the sixth no surfaces and no liquid.
pub fn make_old(path: &Path, version: u8) {
    let conn = rusqlite::Connection::open(path).unwrap();
    if version < 5 {
        conn.execute_batch("DROP TABLE region").unwrap();
    }
    if version < 3 {
        conn.execute_batch("DROP TABLE history").unwrap();
    }
    if version == 1 {
        conn.execute_batch("DROP TABLE visibility").unwrap();
    }
    conn.pragma_update(None, "user_version", version).unwrap();
    let digest: Vec<u8> =
        conn.query_row("SELECT record FROM meta WHERE kind = 4", [], |row| row.get(0)).unwrap();
    let mut old = digest.clone();
    // The digest begins with the format version. The frame's checksum is in bytes 28 to 31.
    assert_eq!(old[32], 8);
    old[32] = version;
    let sum = crc32fast::hash(&[&old[..28], &old[32..]].concat());
    old[28..32].copy_from_slice(&sum.to_le_bytes());
    conn.execute("UPDATE meta SET record = ?1 WHERE kind = 4", [old]).unwrap();
}

#[test]
fn map_of_older_format_opens_and_takes_baked_sets() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("row.stonerun");
    let version = || {
        let conn = rusqlite::Connection::open(&path).unwrap();
        conn.pragma_query_value(None, "user_version", |row| row.get::<_, u32>(0)).unwrap()
    };
    row_at(&path).close().unwrap();
    make_old(&path, 1);
    // Reading does not upgrade the map.
    let opened = MapFile::open_read_only(&path).unwrap();
    assert_eq!((opened.damage, opened.map.baked(16).unwrap().len()), (None, 0));
    assert!(opened.map.visibility(ChunkPos::default()).unwrap().is_none());
    assert!(opened.map.reader().unwrap().baked(ChunkPos::default()).unwrap().is_none());
    drop(opened.map);
    assert!(verify(&path).unwrap().is_sound() && version() == 1);
    let mut map = MapFile::open(&path).unwrap().map;
    bake(&mut map, 16);
    map.close().unwrap();
    assert!(verify(&path).unwrap().is_sound() && version() == 8);
    // A save upgrades the map too.
    make_old(&path, 1);
    let mut map = MapFile::open(&path).unwrap().map;
    map.save(&changes(&map, vec![])).unwrap();
    assert!(map.baked(16).unwrap().is_empty());
    map.close().unwrap();
    let report = verify(&path).unwrap();
    assert!(report.is_sound() && report.totals.chunks == 8 && version() == 8);
    // A map of the second format keeps its baked sets and can be compacted.
    let mut map = MapFile::open(&path).unwrap().map;
    bake(&mut map, 16);
    map.close().unwrap();
    make_old(&path, 2);
    assert!(verify(&path).unwrap().is_sound() && version() == 2);
    let mut map = MapFile::open(&path).unwrap().map;
    assert!(map.compact(&mut |_| ControlFlow::Continue(())).unwrap().chunks > 0);
    assert_eq!(map.baked(16).unwrap().len(), 8);
    map.close().unwrap();
    assert!(verify(&path).unwrap().is_sound() && version() == 8);
}

#[test]
fn bad_records_are_reported_and_discarded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("row.stonerun");
    let mut map = row_at(&path);
    bake(&mut map, 16);
    map.close().unwrap();
    let conn = rusqlite::Connection::open(&path).unwrap();
    conn.execute("UPDATE visibility SET record = zeroblob(50) WHERE x = 2", []).unwrap();
    conn.execute("UPDATE visibility SET view = 5 WHERE x = 3", []).unwrap();
    conn.execute("UPDATE visibility SET x = 50 WHERE x = 4", []).unwrap();
    drop(conn);
    let report = verify(&path).unwrap();
    let places: Vec<_> = report.bad.iter().map(|bad| bad.place.as_str()).collect();
    let expected = [
        "visibility of chunk (2, 0, 0)",
        "visibility of chunk (3, 0, 0)",
        "visibility of chunk (50, 0, 0)",
    ];
    assert_eq!(places, expected, "{report:?}");
    let done = repair(&path).unwrap();
    assert!(done.set_aside.is_empty() && done.deleted == report.bad, "{done:?}");
    assert!(verify(&path).unwrap().is_sound());
    let mut map = MapFile::open(&path).unwrap().map;
    assert_eq!(map.baked(16).unwrap().len(), 5);
    // Baked sets with invalid view distances are reported, and the next save discards them.
    bake(&mut map, 16);
    map.close().unwrap();
    for view in ["1099511627776", "100000", "0", "'far'", "16.5"] {
        let conn = rusqlite::Connection::open(&path).unwrap();
        conn.execute(&format!("UPDATE visibility SET view = {view} WHERE x = 6"), []).unwrap();
        drop(conn);
        let report = verify(&path).unwrap();
        assert_eq!(report.bad.len(), 1, "{view}: {report:?}");
        assert_eq!(report.baked, [BakedView { view: 16, chunks: 7 }], "{view}");
    }
    let mut map = MapFile::open(&path).unwrap().map;
    map.save(&changes(
        &map,
        vec![(ChunkPos::new(0, 0, 0), chunk(ChunkPos::new(0, 0, 0), |_| false))],
    ))
    .unwrap();
    map.close().unwrap();
    assert!(verify(&path).unwrap().is_sound());
}

#[test]
fn read_only_map_ignores_sets_baked_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("row.stonerun");
    let mut map = row_at(&path);
    bake(&mut map, 16);
    map.close().unwrap();
    let home = ChunkPos::new(1, 0, 0);
    let looking = MapFile::open_read_only(&path).unwrap().map;
    let reader = looking.reader().unwrap();
    assert!(reader.baked(home).unwrap().is_some());
    // Another program bakes the map in the meantime.
    let mut map = MapFile::open(&path).unwrap().map;
    map.save(&changes(
        &map,
        vec![(ChunkPos::new(2, 0, 0), chunk(ChunkPos::new(2, 0, 0), |_| true))],
    ))
    .unwrap();
    bake(&mut map, 16);
    map.close().unwrap();
    assert!(reader.baked(home).unwrap().is_none());
    drop(looking);
    assert!(
        MapFile::open_read_only(&path)
            .unwrap()
            .map
            .reader()
            .unwrap()
            .baked(home)
            .unwrap()
            .is_some()
    );
}
