//! Baked visibility of a map whose materials change.

use crate::save::map::baked::record::{BakeInputs, write};
use crate::save::tables::chunk_index::ChunkIndex;
use crate::save::{Header, MapChanges, MapFile, verify};
use crate::visibility::PortalGraph;
use crate::visibility::bake::Baker;
use crate::voxel::{Box3, ChunkPos, Material, MaterialTable, Voxel};
use crate::world::Chunk;

#[test]
fn visibility_baked_for_other_materials_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.stonerun");
    let header = Header::new(1, "void", 0);
    let pos = ChunkPos::new(1, 2, 3);
    let mut map = MapFile::create(&path, &header, &MaterialTable::builtin()).unwrap();
    let chunks = vec![(pos, Chunk::uniform(Voxel::full(1)))];
    map.save(&MapChanges::new(chunks, header, map.materials().clone())).unwrap();
    let graph = PortalGraph::new(Box3 { min: pos.as_ivec3(), max: pos.as_ivec3() + 1 }, |_| None);
    let sets = Baker::new(4).bake(&graph, pos);
    map.save_visibility(&[(pos, sets.clone())]).unwrap();
    let counts = |map: &MapFile| {
        (map.baked(4).unwrap().len(), map.reader().unwrap().baked(pos).unwrap().is_some())
    };
    assert_eq!(counts(&map), (1, true));
    // Materials at the end of the table do not affect the sets.
    let mut materials = map.materials().clone();
    materials.add(Material::plain("theirs", [1, 2, 3])).unwrap();
    let header = map.header().clone();
    map.save(&MapChanges::new(Vec::new(), header, materials)).unwrap();
    assert_eq!(counts(&map), (1, true));
    map.close().unwrap();
    let map = MapFile::open(&path).unwrap().map;
    assert_eq!(counts(&map), (1, true));
    let state = map.state();
    let mut others = BakeInputs::from_index(&ChunkIndex::default());
    others.last_row = state.shared.index(ChunkIndex::last_row);
    let others = write(pos, &sets, others, state.revision);
    state.conn.execute("UPDATE visibility SET record = ?1", [others]).unwrap();
    assert_eq!(counts(&map), (0, false));
    map.close().unwrap();
    let report = verify(&path).unwrap();
    assert!(report.is_sound() && report.baked.is_empty(), "{report:?}");
}
