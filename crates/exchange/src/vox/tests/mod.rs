//! Import of `.vox` files: positions, rotations, colours, hidden parts.

mod hostile;
mod real;
mod round_trip;

use super::chunk_writer::VoxChunkWriter;
use super::read::import as import_from;
use crate::chunk_store::in_memory;
use crate::error::StreamError;
use crate::{FormatError, ImportError, Imported, Progress, ignore_progress};
use glam::{DMat3, DVec3, IVec3};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::Path;
use stonerun_engine::voxel::{Box3, MaterialTable};

/// Imports bytes into memory.
pub(super) fn read(bytes: Vec<u8>, progress: &mut Progress) -> Result<Imported, FormatError> {
    in_memory(|target| import_from(&mut Cursor::new(bytes), target, progress)).map_err(|error| {
        match error {
            StreamError::Format(error) => error,
            StreamError::Io(error) => panic!("reading from memory failed: {error}"),
        }
    })
}

/// Material name of each voxel, by position.
type Cells = BTreeMap<[i32; 3], String>;

pub(super) fn imported(file: Vec<u8>) -> Imported {
    read(file, &mut ignore_progress).unwrap_or_else(|error| panic!("{error}"))
}

fn cells(file: Vec<u8>) -> Cells {
    let imported = imported(file);
    let mut cells = Cells::new();
    for (pos, chunk) in imported.world.chunks() {
        chunk.check().unwrap();
        for run in chunk.runs().filter(|r| !r.voxel.is_air()) {
            for index in run.start..run.end() {
                let at = pos.origin() + stonerun_engine::voxel::linear_offset(index as usize);
                assert!(imported.bounds.contains(at));
                let name = &imported.materials.get(run.voxel.material()).unwrap().name;
                cells.insert(at.to_array(), name.clone());
            }
        }
    }
    assert_eq!(imported.voxels, cells.len() as u64);
    // The bounds are tight and centred.
    for axis in 0..3 {
        let lo = cells.keys().map(|c| c[axis]).min().unwrap();
        let hi = cells.keys().map(|c| c[axis]).max().unwrap();
        assert_eq!((lo, hi + 1), (imported.bounds.min[axis], imported.bounds.max[axis]));
        assert!(
            if axis == 1 { lo == 0 } else { (0..=1).contains(&-(lo + hi)) },
            "{lo}..={hi} on axis {axis}"
        );
    }
    cells
}

/// The cells moved so that each axis starts at 0.
fn from_zero(cells: &Cells) -> Cells {
    let lo = [0, 1, 2].map(|axis| cells.keys().map(|c| c[axis]).min().unwrap());
    cells.iter().map(|(c, name)| ([0, 1, 2].map(|a| c[a] - lo[a]), name.clone())).collect()
}

/// Names of the colours 1 to 4 of the default palette.
const WHITE: &str = "vox:#ffffff";
const NAMES: [&str; 4] = [WHITE, "vox:#ffffcc", "vox:#ffff99", "vox:#ffff66"];

/// A model without symmetry: arms of different lengths from a corner along x, y and z.
const ARMS: [[u8; 4]; 7] = [
    [1, 1, 1, 1],
    [2, 1, 1, 2],
    [1, 2, 1, 3],
    [1, 3, 1, 3],
    [1, 1, 2, 4],
    [1, 1, 3, 4],
    [1, 1, 4, 4],
];
const ARMS_SIZE: [usize; 3] = [3, 4, 6];

fn expected(voxels: impl IntoIterator<Item = (DVec3, u8)>) -> Cells {
    // Converts from MagicaVoxel's continuous space to voxels of the world, at their centres.
    let world = |p: DVec3| DVec3::new(p.x, p.z, -p.y).floor().as_ivec3().to_array();
    from_zero(
        &voxels
            .into_iter()
            .map(|(p, c)| (world(p), NAMES[usize::from(c) - 1].to_owned()))
            .collect(),
    )
}

fn centre(v: [u8; 4], size: [usize; 3]) -> DVec3 {
    let at = |axis: usize| f64::from(v[axis]) + 0.5 - (size[axis] / 2) as f64;
    DVec3::new(at(0), at(1), at(2))
}

/// The matrix of a `_r` byte as the format text defines it, in floating point.
fn matrix(byte: u8) -> Option<DMat3> {
    let columns = [byte & 3, byte >> 2 & 3].map(usize::from);
    let third = 3usize.checked_sub(columns[0] + columns[1])?;
    let mut rows = [[0.0; 3]; 3];
    for (row, column) in [columns[0], columns[1], third].into_iter().enumerate() {
        *rows[row].get_mut(column)? = if byte >> (4 + row) & 1 == 1 { -1.0 } else { 1.0 };
    }
    let matrix = DMat3::from_cols_array_2d(&rows).transpose();
    (matrix.determinant() != 0.0).then_some(matrix)
}

#[test]
fn axes_are_rotated_not_mirrored() {
    // In MagicaVoxel x points right, y away from the viewer and z up; in a map right is east and
    // away is north.
    let cells = cells(VoxChunkWriter::default().model(ARMS_SIZE, &ARMS).file());
    let white = *cells.iter().find(|(_, name)| *name == WHITE).unwrap().0;
    let at =
        |dx, dy, dz| cells.get(&[white[0] + dx, white[1] + dy, white[2] + dz]).map(String::as_str);
    assert_eq!(at(1, 0, 0), Some(NAMES[1]), "x is east");
    assert_eq!((at(0, 0, -1), at(0, 0, -2)), (Some(NAMES[2]), Some(NAMES[2])), "y is north");
    assert_eq!((at(0, 1, 0), at(0, 3, 0)), (Some(NAMES[3]), Some(NAMES[3])), "z is up");
    assert_eq!(cells.len(), 7);
}

#[test]
fn rotation_byte_matches_the_example_of_the_format() {
    let byte = 1 | 2 << 2 | 1 << 5 | 1 << 6;
    let rows = [[0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0]];
    assert_eq!(matrix(byte), Some(DMat3::from_cols_array_2d(&rows).transpose()));
}

#[test]
fn every_rotation_turns_a_model_about_its_centre() {
    let mut proper = 0;
    let mut mirrored = 0;
    for byte in 0..=255u8 {
        // A second, unrotated model far away shows that the rotation is about the model's centre.
        let file = VoxChunkWriter::default()
            .model(ARMS_SIZE, &ARMS)
            .node(0, 1, &[])
            .group(1, &[2, 4])
            .node(2, 3, &[("_r", &byte.to_string()), ("_t", "5 -7 9")])
            .shape(3, 0)
            .node(4, 5, &[("_t", "40 0 0")])
            .shape(5, 0)
            .file();
        let Some(matrix) = matrix(byte).filter(|_| byte < 128) else {
            assert!(read(file, &mut ignore_progress).is_err(), "{byte} is not a rotation");
            continue;
        };
        *(if matrix.determinant() > 0.0 { &mut proper } else { &mut mirrored }) += 1;
        let rotated =
            ARMS.map(|v| (matrix * centre(v, ARMS_SIZE) + DVec3::new(5.0, -7.0, 9.0), v[3]));
        let other = ARMS.map(|v| (centre(v, ARMS_SIZE) + DVec3::new(40.0, 0.0, 0.0), v[3]));
        assert_eq!(
            from_zero(&cells(file)),
            expected(rotated.into_iter().chain(other)),
            "byte {byte:#b}"
        );
    }
    assert_eq!((proper, mirrored), (24, 24));
}

#[test]
fn nested_transforms_apply_from_the_inside_out() {
    // A quarter turn about z that moves x to y: rows (0 -1 0), (1 0 0), (0 0 1). And a quarter turn
    // about x: rows (1 0 0), (0 0 -1), (0 1 0).
    let about_z = 1 | 1 << 4;
    let about_x = 2 << 2 | 1 << 5;
    // Ids are neither ordered nor dense, so nodes must be found by id, not by their order in the
    // file.
    let file = VoxChunkWriter::default()
        .model(ARMS_SIZE, &ARMS)
        .shape(70, 0)
        .node(30, 70, &[("_r", &about_x.to_string()), ("_t", "10 0 3")])
        .group(20, &[30, 50])
        .node(50, 70, &[("_t", "-4 20 0")])
        .node(10, 20, &[("_r", &about_z.to_string()), ("_t", "1 2 3")])
        .node(0, 10, &[("_t", "100 0 0")])
        .file();
    let z = matrix(about_z).unwrap();
    let x = matrix(about_x).unwrap();
    let outer = |p: DVec3| z * p + DVec3::new(101.0, 2.0, 3.0);
    let first = ARMS.map(|v| (outer(x * centre(v, ARMS_SIZE) + DVec3::new(10.0, 0.0, 3.0)), v[3]));
    let second = ARMS.map(|v| (outer(centre(v, ARMS_SIZE) + DVec3::new(-4.0, 20.0, 0.0)), v[3]));
    assert_eq!(from_zero(&cells(file)), expected(first.into_iter().chain(second)));
}

#[test]
fn scene_wider_than_a_model_is_seamless() {
    // A bar of 300 voxels: models of 256 and 44, end to end. Both lengths are even, so their
    // centres lie between voxels.
    let bar = |n: u8, last: bool| -> Vec<[u8; 4]> {
        (0..n).chain(last.then_some(n)).map(|x| [x, 0, 0, 1]).collect()
    };
    let file = VoxChunkWriter::default()
        .model([256, 1, 1], &bar(255, true))
        .model([44, 1, 1], &bar(43, true))
        .node(0, 1, &[])
        .group(1, &[2, 4])
        .node(2, 3, &[("_t", "0 0 0")])
        .shape(3, 0)
        .node(4, 5, &[("_t", "150 0 0")])
        .shape(5, 1)
        .file();
    let imported = imported(file.clone());
    assert_eq!(imported.bounds, Box3 { min: IVec3::new(-150, 0, 0), max: IVec3::new(150, 1, 1) });
    let cells = cells(file);
    assert!((-150..150).all(|x| cells.contains_key(&[x, 0, 0])));
    assert_eq!(cells.len(), 300);
}

#[test]
fn later_of_two_overlapping_instances_wins() {
    let two = |children: [usize; 2]| {
        VoxChunkWriter::default()
            .model([2, 1, 1], &[[0, 0, 0, 1], [1, 0, 0, 1]])
            .model([2, 1, 1], &[[0, 0, 0, 2], [1, 0, 0, 2]])
            .group(0, &children)
            .node(1, 3, &[])
            .node(2, 4, &[("_t", "1 0 0")])
            .shape(3, 0)
            .shape(4, 1)
            .file()
    };
    let names = |file| cells(file).into_values().collect::<Vec<_>>();
    assert_eq!(names(two([1, 2])), [NAMES[0], NAMES[1], NAMES[1]]);
    assert_eq!(names(two([2, 1])), [NAMES[0], NAMES[0], NAMES[1]]);
}

#[test]
fn hidden_nodes_and_layers_are_left_out() {
    let file = VoxChunkWriter::default()
        .model([1, 1, 1], &[[0, 0, 0, 1]])
        .model([1, 1, 1], &[[0, 0, 0, 2]])
        .model([1, 1, 1], &[[0, 0, 0, 3]])
        .node_with(0, &[], 1, u32::MAX as usize, &[])
        .group(1, &[2, 4, 6])
        .node_with(2, &[("_hidden", "1")], 3, 0, &[])
        .shape(3, 0)
        .node_with(4, &[], 5, 7, &[])
        .shape(5, 1)
        .node_with(6, &[("_hidden", "0")], 8, 3, &[])
        .shape(8, 2)
        .layer(3, &[("_name", "shown")])
        .layer(7, &[("_hidden", "1")])
        .file();
    let imported = imported(file.clone());
    assert_eq!(cells(file).into_values().collect::<Vec<_>>(), [NAMES[2]]);
    assert_eq!(imported.materials.find(NAMES[0]), None, "hidden voxels add no material");
    assert_eq!(imported.materials.len(), MaterialTable::builtin().len() + 1);
    assert_eq!(
        (imported.losses.unread, imported.warnings),
        (2, vec!["not read: hidden node (2)".to_owned()])
    );
}

#[test]
fn voxels_without_a_colour_of_their_own_are_counted() {
    // Colour 0 is no voxel, colour 3 comes from the default palette, and 257 colours are one too
    // many.
    let model =
        || VoxChunkWriter::default().model([3, 1, 1], &[[0, 0, 0, 0], [1, 0, 0, 1], [2, 0, 0, 3]]);
    let made = imported(model().chunk("RGBA", &[9, 8, 7, 255, 6, 5, 4, 255]).file());
    assert_eq!((made.voxels, made.losses.unread), (2, 2));
    assert!(["vox:#090807", NAMES[2]].iter().all(|name| made.materials.find(name).is_some()));
    assert_eq!(
        made.warnings,
        ["not read: colour of a voxel beyond the palette, voxel of colour 0"]
    );
    let made = imported(model().chunk("RGBA", &[9; 1028]).chunk("MATT", &[1; 4]).file());
    assert_eq!((made.voxels, made.losses.unread), (2, 3));
    assert_eq!(made.warnings, ["not read: chunk MATT, colour beyond 256, voxel of colour 0"]);
    let made = imported(model().chunk("RGBA", &[]).file());
    assert_eq!((made.voxels, made.losses.unread), (2, 3), "no colours at all");
    let none = VoxChunkWriter::default().model([1, 1, 1], &[[0, 0, 0, 0]]).file();
    assert!(
        read(none, &mut ignore_progress).unwrap_err().to_string().contains("no voxel is shown")
    );
}

#[test]
fn models_without_a_scene_graph_are_lined_up() {
    let file = VoxChunkWriter::default()
        .model([2, 1, 3], &[[0, 0, 0, 1], [1, 0, 0, 1]])
        .model([1, 1, 1], &[[0, 0, 0, 2]])
        .file();
    assert_eq!(cells(file).into_keys().collect::<Vec<_>>(), [[-2, 0, 0], [-1, 0, 0], [1, 0, 0]]);
}

#[test]
fn materials_are_found_by_the_index_of_the_file() {
    let file = VoxChunkWriter::default()
        .model([2, 1, 1], &[[0, 0, 0, 1], [1, 0, 0, 2]])
        .material(1, &[("_type", "_emit"), ("_emit", "1")])
        .material(2, &[("_type", "_glass")])
        .file();
    assert_eq!(
        cells(file).into_values().collect::<Vec<_>>(),
        ["vox:#ffffff+light15", "vox:#ffffcc+glass"]
    );
}

#[test]
fn import_is_cancelled_by_the_callback() {
    let file = VoxChunkWriter::default().model([2, 2, 2], &[[0, 0, 0, 1], [1, 1, 1, 1]]).file();
    for calls in 0..3 {
        let mut left = calls;
        let end = |_| {
            left -= 1;
            if left < 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let error = read(file.clone(), &mut { end }).unwrap_err();
        assert!(
            matches!(error.in_file(Path::new("a.vox")), ImportError::Cancelled { .. }),
            "{calls}"
        );
    }
    assert_eq!(imported(file).voxels, 2);
}
