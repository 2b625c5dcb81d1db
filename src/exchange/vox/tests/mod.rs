//! What the parts of a `.vox` file mean together: places, turns, colours.

mod hostile;
mod round_trip;

use super::chunk_writer::ChunkWriter;
use super::read::from_bytes;
use crate::exchange::chunk_store::in_memory;
use crate::exchange::{FormatError, ImportError, Imported, Progress, ignore_progress};
use crate::voxel::{Box3, MaterialTable};
use glam::{DMat3, DVec3, IVec3};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Imports bytes into memory.
pub(super) fn read(bytes: Vec<u8>, progress: &mut Progress) -> Result<Imported, FormatError> {
    in_memory(|target| from_bytes(bytes, target, progress))
}

/// Voxel to material name.
type Cells = BTreeMap<[i32; 3], String>;

pub(super) fn imported(file: Vec<u8>) -> Imported {
    read(file, &mut ignore_progress).unwrap_or_else(|flaw| panic!("{flaw:?}"))
}

fn cells(file: Vec<u8>) -> Cells {
    let imported = imported(file);
    let mut cells = Cells::new();
    for (pos, chunk) in imported.world.chunks() {
        chunk.check().unwrap();
        for run in chunk.runs().filter(|r| !r.voxel.is_air()) {
            for index in run.start..run.end() {
                let at = pos.origin() + crate::voxel::linear_offset(index as usize);
                assert!(imported.bounds.contains(at));
                let name = &imported.materials.get(run.voxel.material()).unwrap().name;
                cells.insert(at.to_array(), name.clone());
            }
        }
    }
    assert_eq!(imported.voxels, cells.len() as u64);
    // The bounds are tight, and stand where they should.
    for axis in 0..3 {
        let (lo, hi) = (cells.keys().map(|c| c[axis]).min().unwrap(), cells.keys().map(|c| c[axis]).max().unwrap());
        assert_eq!((lo, hi + 1), (imported.bounds.min[axis], imported.bounds.max[axis]));
        assert!(if axis == 1 { lo == 0 } else { (0..=1).contains(&-(lo + hi)) }, "{lo}..={hi} on axis {axis}");
    }
    cells
}

/// The same, moved to begin at 0 on every axis.
fn from_zero(cells: &Cells) -> Cells {
    let lo = [0, 1, 2].map(|axis| cells.keys().map(|c| c[axis]).min().unwrap());
    cells.iter().map(|(c, name)| ([0, 1, 2].map(|a| c[a] - lo[a]), name.clone())).collect()
}

/// Colours 1 to 4 of the default palette.
const WHITE: &str = "vox:#ffffff";
const NAMES: [&str; 4] = [WHITE, "vox:#ffffcc", "vox:#ffff99", "vox:#ffff66"];

/// A model that looks different from every side and in every mirror: arms along x, y and z from a corner.
const ARMS: [[u8; 4]; 7] =
    [[1, 1, 1, 1], [2, 1, 1, 2], [1, 2, 1, 3], [1, 3, 1, 3], [1, 1, 2, 4], [1, 1, 3, 4], [1, 1, 4, 4]];
const ARMS_SIZE: [usize; 3] = [3, 4, 6];

fn expected(voxels: impl IntoIterator<Item = (DVec3, u8)>) -> Cells {
    // MagicaVoxel's continuous space to ours, on voxels' middles.
    let ours = |p: DVec3| DVec3::new(p.x, p.z, -p.y).floor().as_ivec3().to_array();
    from_zero(&voxels.into_iter().map(|(p, c)| (ours(p), NAMES[usize::from(c) - 1].to_owned())).collect())
}

fn middle(v: [u8; 4], size: [usize; 3]) -> DVec3 {
    let at = |axis: usize| f64::from(v[axis]) + 0.5 - (size[axis] / 2) as f64;
    DVec3::new(at(0), at(1), at(2))
}

/// The matrix of a `_r` byte, by the format's text, in floating point.
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
fn axes_are_turned_not_mirrored() {
    // In MagicaVoxel x goes right, y away from the viewer, z up; here right is east, away is north.
    let cells = cells(ChunkWriter::default().model(ARMS_SIZE, &ARMS).file());
    let white = *cells.iter().find(|(_, name)| *name == WHITE).unwrap().0;
    let at = |dx, dy, dz| cells.get(&[white[0] + dx, white[1] + dy, white[2] + dz]).map(String::as_str);
    assert_eq!(at(1, 0, 0), Some(NAMES[1]), "x is east");
    assert_eq!((at(0, 0, -1), at(0, 0, -2)), (Some(NAMES[2]), Some(NAMES[2])), "y is north");
    assert_eq!((at(0, 1, 0), at(0, 3, 0)), (Some(NAMES[3]), Some(NAMES[3])), "z is up");
    assert_eq!(cells.len(), 7);
}

#[test]
fn the_formats_own_example_of_a_rotation() {
    let byte = 1 | 2 << 2 | 1 << 5 | 1 << 6;
    let rows = [[0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0]];
    assert_eq!(matrix(byte), Some(DMat3::from_cols_array_2d(&rows).transpose()));
}

#[test]
fn every_rotation() {
    let (mut proper, mut mirrored) = (0, 0);
    for byte in 0..=255u8 {
        // A second, unturned model far off shows that the turn is about the model's centre.
        let file = ChunkWriter::default()
            .model(ARMS_SIZE, &ARMS)
            .node(0, 1, &[])
            .group(1, &[2, 4])
            .node(2, 3, &[("_r", &byte.to_string()), ("_t", "5 -7 9")])
            .shape(3, 0)
            .node(4, 5, &[("_t", "40 0 0")])
            .shape(5, 0)
            .file();
        let Some(matrix) = matrix(byte).filter(|_| byte < 128) else {
            assert!(read(file, &mut ignore_progress).is_err(), "{byte} is no rotation");
            continue;
        };
        *(if matrix.determinant() > 0.0 { &mut proper } else { &mut mirrored }) += 1;
        let turned = ARMS.map(|v| (matrix * middle(v, ARMS_SIZE) + DVec3::new(5.0, -7.0, 9.0), v[3]));
        let other = ARMS.map(|v| (middle(v, ARMS_SIZE) + DVec3::new(40.0, 0.0, 0.0), v[3]));
        assert_eq!(from_zero(&cells(file)), expected(turned.into_iter().chain(other)), "byte {byte:#b}");
    }
    assert_eq!((proper, mirrored), (24, 24));
}

#[test]
fn nested_nodes_turn_what_is_inside() {
    // A quarter turn about z, x to y: rows (0 -1 0), (1 0 0), (0 0 1). And one about x: (1 0 0), (0 0 -1), (0 1 0).
    let (about_z, about_x) = (1 | 1 << 4, 2 << 2 | 1 << 5);
    // Ids are out of order and not dense: nodes are known by their id, not by their place in the file.
    let file = ChunkWriter::default()
        .model(ARMS_SIZE, &ARMS)
        .shape(70, 0)
        .node(30, 70, &[("_r", &about_x.to_string()), ("_t", "10 0 3")])
        .group(20, &[30, 50])
        .node(50, 70, &[("_t", "-4 20 0")])
        .node(10, 20, &[("_r", &about_z.to_string()), ("_t", "1 2 3")])
        .node(0, 10, &[("_t", "100 0 0")])
        .file();
    let (z, x) = (matrix(about_z).unwrap(), matrix(about_x).unwrap());
    let outer = |p: DVec3| z * p + DVec3::new(101.0, 2.0, 3.0);
    let first = ARMS.map(|v| (outer(x * middle(v, ARMS_SIZE) + DVec3::new(10.0, 0.0, 3.0)), v[3]));
    let second = ARMS.map(|v| (outer(middle(v, ARMS_SIZE) + DVec3::new(-4.0, 20.0, 0.0)), v[3]));
    assert_eq!(from_zero(&cells(file)), expected(first.into_iter().chain(second)));
}

#[test]
fn scenes_wider_than_a_model_are_seamless() {
    // A bar of 300: models of 256 and 44 (both even: centres lie between voxels), end to end.
    let bar = |n: u8, last: bool| -> Vec<[u8; 4]> { (0..n).chain(last.then_some(n)).map(|x| [x, 0, 0, 1]).collect() };
    let file = ChunkWriter::default()
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
fn the_later_of_two_overlapping_instances_wins() {
    let two = |children: [usize; 2]| {
        ChunkWriter::default()
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
    let file = ChunkWriter::default()
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
    assert_eq!(imported.materials.find(NAMES[0]), None, "what is hidden leaves no material");
    assert_eq!(imported.materials.len(), MaterialTable::builtin().len() + 1);
}

#[test]
fn models_without_a_scene_graph_stand_side_by_side() {
    let file =
        ChunkWriter::default().model([2, 1, 3], &[[0, 0, 0, 1], [1, 0, 0, 1]]).model([1, 1, 1], &[[0, 0, 0, 2]]).file();
    assert_eq!(cells(file).into_keys().collect::<Vec<_>>(), [[-2, 0, 0], [-1, 0, 0], [1, 0, 0]]);
}

#[test]
fn materials_are_found_by_the_files_own_index() {
    let file = ChunkWriter::default()
        .model([2, 1, 1], &[[0, 0, 0, 1], [1, 0, 0, 2]])
        .material(1, &[("_type", "_emit"), ("_emit", "1")])
        .material(2, &[("_type", "_glass")])
        .file();
    assert_eq!(cells(file).into_values().collect::<Vec<_>>(), ["vox:#ffffff+light15", "vox:#ffffcc+glass"]);
}

/// A file of the test data, if it is there.
pub(super) fn data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("STONERUN_DATA")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data")), PathBuf::from);
    let path = folder.join("vox").join(name);
    if !path.exists() {
        println!("skipped: {} is not there", path.display());
    }
    path.exists().then_some(path)
}

#[test]
fn the_axes_file() {
    let Some(path) = data("dotvox_axes.vox") else { return };
    let mut last = 0.0;
    let imported = crate::exchange::import(&path, &mut |p| {
        assert!(p >= last, "progress goes forward");
        last = p;
        ignore_progress(p)
    })
    .unwrap();
    assert_eq!(last, 1.0);
    // Ten instances of four models, none of which overlap.
    assert_eq!(imported.voxels, 3 * 920 + 3 * 1640 + 3 * 1480 + 332);
    assert_eq!(imported.materials.len(), MaterialTable::builtin().len() + 4);
    // The widest parts, in MagicaVoxel's axes: x from the letters Y at -20 to the letters X at 173 + 47 + 20, y
    // from the frame at -16 to the letters Z, two deep, at 188 + 59 + 2, z from 0 to the letters Y at 131 + 48 + 20.
    assert_eq!(imported.bounds.size(), IVec3::new(20 + 240, 199, 16 + 249));
    // A letter Z's middle stroke goes from the lower left to the upper right, seen from the front. The
    // farthest one: MagicaVoxel's y = 188 + 59, x from -20 to 20, z from 0 to 40.
    let (west, south) = (imported.bounds.min.x + 20, imported.bounds.max.z - 16);
    let column = |height: i32| {
        let z = south - 1 - (188 + 59);
        let filled: Vec<i32> =
            (-20..20).filter(|x| !imported.world.get(IVec3::new(west + x, height, z)).is_air()).collect();
        assert!(!filled.is_empty(), "nothing at height {height}");
        filled.iter().sum::<i32>() / filled.len() as i32
    };
    assert!(column(10) < -4 && column(30) > 4, "{} at height 10, {} at 30", column(10), column(30));
}

#[test]
fn the_file_with_materials() {
    let Some(path) = data("dotvox_placeholder-with-materials.vox") else { return };
    let imported = crate::exchange::import(&path, &mut ignore_progress).unwrap();
    assert_eq!((imported.voxels, imported.bounds.size()), (4, IVec3::splat(2)));
    // In the file: green at (0, 0, 0), red (a metal) at (0, 1, 1), blue at (1, 0, 1), yellow at (1, 1, 0).
    for (x, y, z, name) in [(-1, 0, 0, "00ee00"), (-1, 1, -1, "ee0000"), (0, 1, 0, "0000ee"), (0, 0, -1, "ffff00")] {
        let voxel = imported.world.get(IVec3::new(x, y, z));
        assert_eq!(imported.materials.get(voxel.material()).unwrap().name, format!("vox:#{name}"), "{x} {y} {z}");
    }
}

#[test]
fn the_file_that_is_none() {
    let Some(path) = data("dotvox_not_a.vox") else { return };
    let error = crate::exchange::import(&path, &mut ignore_progress).unwrap_err().to_string();
    assert!(error.contains("dotvox_not_a.vox: byte 0: this is no MagicaVoxel file"), "{error}");
}

#[test]
fn an_import_can_be_cancelled() {
    let file = ChunkWriter::default().model([2, 2, 2], &[[0, 0, 0, 1], [1, 1, 1, 1]]).file();
    for calls in 0..3 {
        let mut left = calls;
        let end = |_| {
            left -= 1;
            if left < 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let flaw = read(file.clone(), &mut { end }).unwrap_err();
        assert!(matches!(flaw.in_file(Path::new("a.vox")), ImportError::Cancelled { .. }), "{calls}");
    }
    assert_eq!(imported(file).voxels, 2);
}
