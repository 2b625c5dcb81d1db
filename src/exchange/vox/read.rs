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
/// The file cannot be read, is malformed, has no visible voxel, or is too large, or `progress`
/// cancels.
pub(in crate::exchange) fn import(
    path: &Path,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, ImportError> {
    let bytes = read_whole(path, MAX_BYTES)?;
    from_bytes(bytes, target, progress).map_err(|error| error.in_file(path))
}

/// Imports the content of a `.vox` file.
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
    data.models.iter_mut().for_each(sort_by_chunk);
    report(progress, 0.1)?;

    let instances = scene_graph::instances(&data, &layout)?;
    let total = count_placed(&data, &instances)?;
    let shift = centring(&data, &instances)?;
    let mut materials = MaterialTable::builtin();
    let voxel_of = palette::voxels(&data, &instances, &mut materials)?;

    let mut collector = VoxelCollector::new(target);
    let mut done = 0;
    for instance in &instances {
        let model = &data.models[instance.model];
        // Fits into 32 bits: `centring` has checked the size of the scene.
        let place = instance.transform.voxel_map(size(model));
        for v in &model.voxels {
            collector.set((place(v) + shift).as_ivec3(), voxel_of[usize::from(v.i)], &materials)?;
        }
        done += model.voxels.len() as u64;
        report(progress, 0.1 + 0.8 * done as f32 / total as f32)?;
    }
    let summary = collector.finish(materials)?.ok_or_else(nothing_visible)?;
    report(progress, 1.0)?;
    Ok(summary)
}

fn nothing_visible() -> FormatError {
    FormatError::new("scene", "no voxel is shown")
}

/// Size of a model in voxels.
fn size(model: &Model) -> IVec3 {
    // At most 256 each; `layout::scan` refuses more.
    IVec3::new(model.size.x as i32, model.size.y as i32, model.size.z as i32)
}

/// Checks that all voxels of a model are inside its size.
fn check_model(id: usize, model: &Model) -> Result<(), FormatError> {
    let size = size(model);
    match model.voxels.iter().find(|v| !position(v).cmplt(size).all()) {
        None => Ok(()),
        Some(v) => Err(FormatError::new(
            format!("model {id}"),
            format!("a voxel at ({}, {}, {}) is outside its size {} x {} x {}", v.x, v.y, v.z, size.x, size.y, size.z),
        )),
    }
}

/// Sorts the voxels of a model by chunk if they are unordered, as some programs write them, because
/// the collector is fast for neighbours. The sort is stable: of two voxels at one place the later
/// wins.
fn sort_by_chunk(model: &mut Model) {
    let chunk = |v: &dot_vox::Voxel| [v.z, v.y, v.x].map(|c| c >> 5);
    let jumps = model.voxels.windows(2).filter(|pair| chunk(&pair[0]) != chunk(&pair[1])).count();
    // Rows in any direction change the chunk once in 32 voxels.
    if jumps > model.voxels.len() / 16 {
        model.voxels.sort_by_key(chunk);
    }
}

fn position(v: &dot_vox::Voxel) -> IVec3 {
    IVec3::new(i32::from(v.x), i32::from(v.y), i32::from(v.z))
}

/// Voxels placed by all instances.
fn count_placed(data: &DotVoxData, instances: &[Instance]) -> Result<u64, FormatError> {
    // No overflow: at most 2^16 instances of at most 2^27 voxels (by the size of the file).
    match instances.iter().map(|i| data.models[i.model].voxels.len() as u64).sum() {
        0 => Err(nothing_visible()),
        total if total > MAX_VOXELS => Err(FormatError::new(
            "scene",
            format!("its instances place {total} voxels; at most {MAX_VOXELS} are imported"),
        )),
        total => Ok(total),
    }
}

/// Lowest and highest voxel that any instance fills, before centring.
fn extent(data: &DotVoxData, instances: &[Instance]) -> Option<(I64Vec3, I64Vec3)> {
    // Each model's own extent is computed once, not per instance.
    let own: Vec<Option<(IVec3, IVec3)>> = data
        .models
        .iter()
        .map(|m| m.voxels.iter().map(|v| (position(v), position(v))).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))))
        .collect();
    instances
        .iter()
        .filter_map(|instance| {
            let (lo, hi) = own[instance.model]?;
            let at = |v| instance.transform.voxel_at(v, size(&data.models[instance.model]));
            let (a, b) = (at(lo), at(hi));
            Some((a.min(b), a.max(b)))
        })
        .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// The translation that puts the lowest voxel at y = 0 and the middle at x = z = 0.
fn centring(data: &DotVoxData, instances: &[Instance]) -> Result<I64Vec3, FormatError> {
    let (min, max) = extent(data, instances).ok_or_else(nothing_visible)?;
    let sides = max - min + 1;
    if sides.max_element() > MAX_SIDE {
        let size = format!("{} x {} x {}", sides.x, sides.y, sides.z);
        return Err(FormatError::new(
            "scene",
            format!("it is {size} voxels large; at most {MAX_SIDE} per side are imported"),
        ));
    }
    let middle = |a: i64, b: i64| (a + b + 1).div_euclid(2);
    Ok(I64Vec3::new(-middle(min.x, max.x), -min.y, -middle(min.z, max.z)))
}
