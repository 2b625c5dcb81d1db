//! Reads a `.vox` file: checks its structure, walks its scene graph, places its voxels.

use super::limits::{MAX_BYTES, MAX_SIDE, MAX_VOXELS};
use super::scene_graph::{self, Instance};
use super::{layout, palette};
use crate::exchange::bounded_read::read_whole;
use crate::exchange::voxel_collector::VoxelCollector;
use crate::exchange::{FormatError, ImportError, ImportSummary, ImportTarget, Progress, report};
use crate::voxel::MaterialTable;
use dot_vox::{DotVoxData, Model};
use glam::{I64Vec3, IVec3};
use std::path::Path;

/// Imports a `.vox` file.
///
/// # Errors
/// The file cannot be read, is malformed, holds no voxel that is shown, or is too large; or it was cancelled.
pub(in crate::exchange) fn import(
    path: &Path,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, ImportError> {
    let bytes = read_whole(path, MAX_BYTES)?;
    from_bytes(bytes, target, progress).map_err(|error| error.in_file(path))
}

pub(super) fn from_bytes(
    bytes: Vec<u8>,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    let layout = layout::scan(&bytes)?;
    let mut data = dot_vox::load_bytes(&bytes).map_err(|reason| FormatError::new("content", reason))?;
    drop(bytes);
    layout.confirm(&data)?;
    data.models.iter().enumerate().try_for_each(|(id, model)| check_model(id, model))?;
    data.models.iter_mut().for_each(in_order);
    report(progress, 0.1)?;

    let instances = scene_graph::instances(&data, &layout)?;
    let total = placed(&data, &instances)?;
    let shift = centring(&data, &instances)?;
    let mut materials = MaterialTable::builtin();
    let voxel_of = palette::voxels(&data, &instances, &mut materials)?;

    let mut collector = VoxelCollector::new(target);
    let mut done = 0;
    for instance in &instances {
        let model = &data.models[instance.model];
        // Fits: `centring` has made sure that the whole scene does.
        let cell = instance.transform.cells(size(model));
        for v in &model.voxels {
            collector.set((cell(v) + shift).as_ivec3(), voxel_of[usize::from(v.i)], &materials)?;
        }
        done += model.voxels.len() as u64;
        report(progress, 0.1 + 0.8 * done as f32 / total as f32)?;
    }
    let made = collector.finish(materials)?.ok_or_else(nothing)?;
    report(progress, 1.0)?;
    Ok(made)
}

fn nothing() -> FormatError {
    FormatError::new("scene", "no voxel is shown")
}

fn size(model: &Model) -> IVec3 {
    // At most 256 each: `layout::scan` refuses more.
    IVec3::new(model.size.x as i32, model.size.y as i32, model.size.z as i32)
}

fn check_model(id: usize, model: &Model) -> Result<(), FormatError> {
    let size = size(model);
    match model.voxels.iter().find(|v| !in_model(v).cmplt(size).all()) {
        None => Ok(()),
        Some(v) => Err(FormatError::new(
            format!("model {id}"),
            format!("a voxel at ({}, {}, {}) is outside its size {} x {} x {}", v.x, v.y, v.z, size.x, size.y, size.z),
        )),
    }
}

/// Some programs write voxels in no order; what is side by side is put together quickly. Of two at one place the later counts.
fn in_order(model: &mut Model) {
    let cell = |v: &dot_vox::Voxel| [v.z, v.y, v.x].map(|c| c >> 5);
    let leaps = model.voxels.windows(2).filter(|pair| cell(&pair[0]) != cell(&pair[1])).count();
    // Rows, whichever way they run, leap once in 32.
    if leaps > model.voxels.len() / 16 {
        model.voxels.sort_by_key(cell);
    }
}

fn in_model(v: &dot_vox::Voxel) -> IVec3 {
    IVec3::new(i32::from(v.x), i32::from(v.y), i32::from(v.z))
}

/// Voxels that all instances together place.
fn placed(data: &DotVoxData, instances: &[Instance]) -> Result<u64, FormatError> {
    // At most 2^16 instances of at most 2^27 voxels (the file's size): no overflow.
    match instances.iter().map(|i| data.models[i.model].voxels.len() as u64).sum() {
        0 => Err(nothing()),
        total if total > MAX_VOXELS => Err(FormatError::new(
            "scene",
            format!("its instances place {total} voxels; at most {MAX_VOXELS} are imported"),
        )),
        total => Ok(total),
    }
}

/// Lowest and highest cell that any instance fills, before centring.
fn extent(data: &DotVoxData, instances: &[Instance]) -> Option<(I64Vec3, I64Vec3)> {
    // A model's own extent is counted once, not once an instance.
    let own: Vec<Option<(IVec3, IVec3)>> = data
        .models
        .iter()
        .map(|m| m.voxels.iter().map(|v| (in_model(v), in_model(v))).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))))
        .collect();
    instances
        .iter()
        .filter_map(|instance| {
            let (lo, hi) = own[instance.model]?;
            let at = |v| instance.transform.cell_of(v, size(&data.models[instance.model]));
            let (a, b) = (at(lo), at(hi));
            Some((a.min(b), a.max(b)))
        })
        .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// The way that takes the lowest voxel to y = 0 and the middle to x = z = 0.
fn centring(data: &DotVoxData, instances: &[Instance]) -> Result<I64Vec3, FormatError> {
    let (min, max) = extent(data, instances).ok_or_else(nothing)?;
    let sides = max - min + 1;
    if sides.max_element() > MAX_SIDE {
        let size = format!("{} x {} x {}", sides.x, sides.y, sides.z);
        return Err(FormatError::new(
            "scene",
            format!("it is {size} voxels large; at most {MAX_SIDE} a side are imported"),
        ));
    }
    let middle = |a: i64, b: i64| (a + b + 1).div_euclid(2);
    Ok(I64Vec3::new(-middle(min.x, max.x), -min.y, -middle(min.z, max.z)))
}
