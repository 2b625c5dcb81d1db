//! Truncated, damaged and malicious files: each import ends with an error that has a place, never
//! with a panic.

use super::{imported, read};
use crate::ignore_progress;
use crate::vox::chunk_writer::VoxChunkWriter;
use glam::IVec3;
use stonerun_engine::voxel::{Box3, MaterialTable};

const DOT: [[u8; 4]; 1] = [[0, 0, 0, 1]];

fn error_of(file: Vec<u8>) -> String {
    let error = read(file, &mut ignore_progress).expect_err("the file is bad");
    let place = error.place();
    let reason = error.reason();
    format!("{place}: {reason}")
}

fn dot() -> VoxChunkWriter {
    VoxChunkWriter::default().model([1, 1, 1], &DOT)
}

/// A file with every kind of chunk.
fn small() -> Vec<u8> {
    VoxChunkWriter::default()
        .model([2, 3, 4], &[[0, 0, 0, 1], [1, 2, 3, 255]])
        .node(0, 1, &[])
        .group(1, &[2])
        .node_with(2, &[("_name", "a")], 3, 0, &[("_r", "17"), ("_t", "-3 4 5")])
        .shape(3, 0)
        .layer(0, &[("_hidden", "0")])
        .chunk("RGBA", &[200; 1024])
        .material(1, &[("_type", "_emit"), ("_emit", "0.3")])
        .material(255, &[("_stonerun", "#c8c8c8 grass")])
        .file()
}

#[test]
fn truncated_file_is_refused_at_every_length() {
    let file = small();
    let complete = imported(file.clone());
    // Both colours are (200, 200, 200). One emits light, so it is a new material; the other has the
    // name of a built-in material.
    assert_eq!(
        (complete.voxels, complete.materials.len()),
        (2, MaterialTable::builtin().len() + 1)
    );
    for length in 0..file.len() {
        let error = error_of(file[..length].to_vec());
        assert!(length < 20 || error.contains("the file is cut off"), "{length}: {error}");
    }
}

#[test]
fn changed_byte_never_panics() {
    let file = small();
    for at in 0..file.len() {
        for with in [0, 0xff, file[at] ^ 1, file[at] ^ 0x80] {
            let mut file = file.clone();
            file[at] = with;
            // Some changes yield another valid scene, so only a panic or a hang would fail the
            // test.
            let _ = read(file, &mut ignore_progress);
        }
    }
}

#[test]
fn malformed_scene_graph_is_refused() {
    for (file, message) in [
        (dot().node(0, 1, &[]).group(1, &[2]).node(2, 1, &[]), "node 1: it contains itself"),
        (dot().node(0, 0, &[]), "node 0: it contains itself"),
        (dot().node(0, 9, &[]), "node 9: node 0 names it, but it does not exist"),
        (dot().node(1, 2, &[]).shape(2, 0), "node 0: the scene graph has no root"),
        (dot().node(0, 1, &[]).shape(1, 0).shape(1, 0), "node 1: it exists twice"),
        (dot().node(0, 1, &[]).shape(1, 7), "node 1: it shows model 7, but there are 1"),
        (dot().node(0, 1, &[("_r", "5")]).shape(1, 0), "node 0: its rotation \"5\" is not one"),
        (dot().node(0, 1, &[("_r", "-40")]).shape(1, 0), "node 0: its rotation \"-40\" is not one"),
        (
            dot().node(0, 1, &[("_t", "1 2")]).shape(1, 0),
            "node 0: its translation \"1 2\" is not three whole numbers",
        ),
        (dot().node(0, 1, &[("_t", "1 2 99999999999")]).shape(1, 0), "is not three whole numbers"),
        (
            dot().node(0, 1, &[("_t", &" ".repeat(99))]).shape(1, 0),
            "node 0: its translation is 99 bytes long",
        ),
        (
            dot().node(0, 1, &[("_r", &"1".repeat(99))]).shape(1, 0),
            "node 0: its rotation is 99 bytes long",
        ),
        (dot().node(0, 1, &[]).group(1, &[]), "scene: no voxel is shown"),
        (
            dot().node(0, 1, &[]).chunk("nSHP", &[1, 0, 0, 0, 9]),
            "nodes of the scene graph: 1 of 2 are malformed",
        ),
        (VoxChunkWriter::default(), "scene: no voxel is shown"),
    ] {
        let error = error_of(file.file());
        assert!(error.contains(message), "{error:?}, expected {message:?}");
    }
}

#[test]
fn oversized_scene_graph_is_refused() {
    // Each of 40 groups shows the next one twice, which makes 2^40 instances.
    let doubling = (0..40).fold(dot(), |w, id| w.group(id, &[id + 1, id + 1])).shape(40, 0);
    assert!(error_of(doubling.file()).contains("more than 65536 instances"), "instances");
    let empty = (0..40).fold(dot(), |w, id| w.group(id, &[id + 1, id + 1])).group(40, &[]);
    assert!(error_of(empty.file()).contains("1048576 nodes are shown"), "nodes without content");
    let deep = (0..100_000).fold(dot(), |w, id| w.node(id, id + 1, &[])).shape(100_000, 0);
    assert!(error_of(deep.file()).contains("more than 256 nodes are nested"), "depth");
    let apart = dot()
        .group(0, &[1, 2])
        .node(1, 3, &[("_t", "2147483647 0 0")])
        .node(2, 3, &[("_t", "-2147483648 0 0")])
        .shape(3, 0);
    assert!(error_of(apart.file()).contains("it is 4294967296 x 1 x 1 voxels large"), "extent");
    let cube: Vec<[u8; 4]> =
        (0..32768).map(|i| [i as u8 & 31, (i >> 5) as u8 & 31, (i >> 10) as u8, 1]).collect();
    let crowd = (0..14).fold(VoxChunkWriter::default().model([32; 3], &cube), |w, id| {
        w.group(id, &[id + 1, id + 1])
    });
    assert!(
        error_of(crowd.shape(14, 0).file()).contains("its instances place 536870912 voxels"),
        "voxels"
    );
}

#[test]
fn distant_models_are_centred() {
    // Large translations are valid, and nesting them must not overflow.
    let far = (0..200)
        .fold(dot(), |w, id| w.node(id, id + 1, &[("_t", "2147483647 -2147483648 2147483647")]));
    assert_eq!(imported(far.shape(200, 0).file()).bounds, Box3::spanning(IVec3::ZERO, IVec3::ZERO));
}

#[test]
fn malformed_model_is_refused() {
    let size = |side: u32| [side, 1, 1].map(u32::to_le_bytes).concat();
    for (file, message) in [
        (
            VoxChunkWriter::default().model([2, 2, 2], &[[0, 2, 0, 1]]),
            "model 0: a voxel at (0, 2, 0) is outside its size 2 x 2 x 2",
        ),
        (
            VoxChunkWriter::default().chunk("SIZE", &size(u32::MAX)).chunk("XYZI", &[0; 4]),
            "a model is 4294967295 voxels wide",
        ),
        (
            VoxChunkWriter::default().chunk("SIZE", &[1, 0]),
            "chunk SIZE at byte 20: the chunk is too short",
        ),
        (
            VoxChunkWriter::default().chunk("XYZI", &[0; 4]),
            "chunk XYZI at byte 20: there is no SIZE chunk before it",
        ),
        (
            VoxChunkWriter::default()
                .chunk("SIZE", &size(1))
                .chunk("XYZI", &[255, 255, 255, 255, 0, 0, 0, 1]),
            "chunk XYZI at byte 44: it announces 4294967295 voxels, but has room for 1",
        ),
        (dot().chunk("RGBA", &[0; 101]), "a palette has 4 bytes per colour, not 101 in all"),
        (dot().chunk("MATL", &[0; 5]), "materials: 1 of 1 are malformed"),
        (dot().chunk("a\tcd", &[]), "there is no chunk here"),
    ] {
        let error = error_of(file.file());
        assert!(error.contains(message), "{error:?}, expected {message:?}");
    }
}

#[test]
fn malformed_chunk_is_refused() {
    // 100,000 nested chunks would overflow the stack of a recursive parser.
    let mut nested = vec![];
    for depth in (0..100_000u32).rev() {
        nested.extend(b"MAIN\0\0\0\0");
        nested.extend((depth * 12).to_le_bytes());
    }
    let file = [b"VOX \xc8\0\0\0", &nested[..]].concat();
    assert!(error_of(file).contains("chunks inside chunks are not part of the format"));
    let filler = dot().chunk("NOTE", &vec![0; 33 << 20]);
    assert!(error_of(filler.file()).contains("too many chunks that are not voxels"));
    assert!(
        error_of(b"VOX \xc8\0\0\0PACK\0\0\0\0\0\0\0\0".to_vec())
            .contains("the first chunk must be MAIN")
    );
}
