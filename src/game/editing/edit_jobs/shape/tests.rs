//! Tests of shapes against a count of faces voxel by voxel.

use super::*;
use std::collections::BTreeMap;
use stonerun_engine::random::Random;
use stonerun_engine::voxel::Voxel;
use stonerun_engine::world::{Chunk, World};

type Fates = BTreeMap<[i32; 3], VoxelFate>;

/// Two worlds that differ in some voxels around the corner of eight chunks, their changed chunks,
/// and the voxels that differ.
fn edit(count: u64) -> (Vec<ChunkChange>, Fates) {
    let mut random = Random::new(9);
    let mut before = World::new();
    for corner in [
        [0, 0, 0],
        [-1, 0, 0],
        [0, -1, 0],
        [-1, -1, 0],
        [0, 0, -1],
        [-1, 0, -1],
        [0, -1, -1],
        [-1, -1, -1],
    ] {
        let [x, y, z] = corner;
        let floor = if y < 0 { Voxel::full(1) } else { Voxel::AIR };
        before.insert(ChunkPos::new(x, y, z), Chunk::uniform(floor));
    }
    let mut after = before.clone();
    let values = [Voxel::AIR, Voxel::full(1), Voxel::full(2), Voxel::new(1, 100)];
    for _ in 0..count {
        let at = IVec3::from_array(std::array::from_fn(|_| random.below(13) as i32 - 6));
        after.set(at, values[random.index(4)]);
    }
    let change = |(pos, chunk): (ChunkPos, &Chunk)| {
        ChunkChange::new(pos, before.chunk(pos)?.clone(), chunk.clone())
    };
    let changes: Vec<ChunkChange> = after.chunks().filter_map(change).collect();
    let mut fates = Fates::new();
    for (x, y, z) in
        (-8..8).flat_map(|x| (-8..8).flat_map(move |y| (-8..8).map(move |z| (x, y, z))))
    {
        let at = IVec3::new(x, y, z);
        let old = before.get(at);
        let new = after.get(at);
        if old != new {
            let fate = match () {
                () if old.is_air() => VoxelFate::Added,
                () if new.is_air() => VoxelFate::Removed,
                () => VoxelFate::Changed,
            };
            fates.insert(at.to_array(), fate);
        }
    }
    (changes, fates)
}

/// Open faces of cells, one by one.
fn open_faces(fates: &Fates) -> BTreeMap<(u8, [i32; 3]), VoxelFate> {
    let faces = fates.iter().flat_map(|(at, fate)| Face::ALL.map(|face| (face, *at, *fate)));
    let open = faces.filter(|(face, at, _)| {
        !fates.contains_key(&(IVec3::from_array(*at) + face.normal()).to_array())
    });
    open.map(|(face, at, fate)| ((face as u8, at), fate)).collect()
}

fn covered(shape: &EditShape) -> BTreeMap<(u8, [i32; 3]), VoxelFate> {
    let mut covered = BTreeMap::new();
    for ShapeQuad { face, fate, low, high } in &shape.quads {
        let low = *low / shape.cell;
        let high = *high / shape.cell;
        for x in low.x..high.x {
            for y in low.y..high.y {
                for z in low.z..high.z {
                    assert_eq!(
                        covered.insert((*face as u8, [x, y, z]), *fate),
                        None,
                        "covered twice"
                    );
                }
            }
        }
    }
    covered
}

#[test]
fn shape_has_each_open_face_once_across_chunks() {
    for count in [1, 20, 300, 4000] {
        let (changes, fates) = edit(count);
        let shape = EditShape::from_changes(&changes, &|| false).expect("not cancelled");
        assert_eq!((covered(&shape), shape.cell), (open_faces(&fates), 1));
    }
}

#[test]
fn shape_beyond_the_budget_has_coarser_cells() {
    let (changes, fates) = edit(1500);
    let shape = build(&changes, 30, &|| false).expect("not cancelled");
    assert_eq!(shape.cell, 8);
    let mut counts: BTreeMap<[i32; 3], [u64; 3]> = BTreeMap::new();
    for (at, fate) in &fates {
        counts.entry(at.map(|c| c.div_euclid(8))).or_default()[*fate as usize] += 1;
    }
    let faces: Vec<_> = covered(&shape).into_iter().collect();
    let cells: Fates = faces.iter().map(|((_, at), fate)| (*at, *fate)).collect();
    assert!(cells.keys().eq(counts.keys()), "{cells:?}");
    for (at, fate) in &cells {
        assert_eq!(counts[at][*fate as usize], *counts[at].iter().max().expect("three"), "{at:?}");
    }
    assert_eq!(covered(&shape), open_faces(&cells));
    // The budget is exceeded at cells of 8, 32 and 128 voxels, too, so the coarsest are used.
    assert_eq!(build(&changes, 5, &|| false).expect("not cancelled").cell, 512);
}

#[test]
fn cancelled_shape_is_none_and_empty_edit_has_no_quads() {
    let (changes, _) = edit(100);
    assert_eq!(EditShape::from_changes(&changes, &|| true), None);
    assert_eq!(EditShape::from_changes(&[], &|| false).expect("not cancelled").quads, []);
    let chunks = vec![(ChunkPos::default(), Chunk::uniform(Voxel::full(1)))];
    let shape = EditShape::from_chunks(&chunks, &|| false).expect("not cancelled");
    assert_eq!(shape.quads.len(), 6);
}
