//! Reads a `.vox` file: checks its structure, walks its scene graph, places its voxels.
//!
//! The file is read three times: for its structure, for the extents and colours of its models, and
//! for their voxels, which are never all in memory.

use super::limits::{MAX_SIDE, MAX_VOXELS};
use super::model_reader::{ModelReader, ModelSummary, ModelVoxel, sort_by_chunk};
use super::scene_graph::{self, Instance};
use super::{layout, palette};
use crate::error::StreamError;
use crate::voxel_collector::VoxelCollector;
use crate::{FormatError, ImportSummary, ImportTarget, Progress, report};
use dot_vox::{DotVoxData, Model};
use glam::{I64Vec3, IVec3};
use std::io::{Read, Seek};
use stonerun_engine::voxel::MaterialTable;

/// Imports a `.vox` file. Warnings do not name the file.
///
/// # Errors
/// The file cannot be read, is malformed, has no visible voxel, or is too large, or `progress`
/// cancels.
pub(crate) fn import(
    source: &mut (impl Read + Seek),
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, StreamError> {
    let mut layout = layout::scan(source)?;
    let without_voxels = std::mem::take(&mut layout.without_voxels);
    let data = dot_vox::load_bytes(&without_voxels)
        .map_err(|reason| FormatError::new("content", reason))?;
    drop(without_voxels);
    layout.confirm(&data)?;
    let mut unread = std::mem::take(&mut layout.unread);
    // Without a palette in the file, all colours of the default palette count as defined.
    let colours = layout.colours.unwrap_or(usize::MAX);
    let mut reader = ModelReader::new(source);
    let mut summaries = vec![ModelSummary::default(); layout.models.len()];
    for (id, (span, summary)) in layout.models.iter().zip(&mut summaries).enumerate() {
        report(progress, 0.3 * id as f32 / data.models.len() as f32)?;
        let size = size(&data.models[id]);
        reader.for_each_block(*span, &mut |voxels| {
            check_inside(id, size, voxels)?;
            for voxel in &*voxels {
                summary.add(*voxel);
            }
            let beyond = voxels
                .iter()
                .filter(|voxel| voxel.colour().is_some_and(|colour| colour >= colours))
                .count();
            unread.note("colour of a voxel beyond the palette", beyond as u64);
            Ok(())
        })?;
        unread.note("voxel of colour 0", summary.uncoloured);
    }
    report(progress, 0.3)?;

    let instances = scene_graph::instances(&data, &layout, &mut unread)?;
    // The sum fits: at most about 2^16 instances, each of at most 2^30 voxels in a file of 4 GiB.
    let total: u64 =
        instances.iter().map(|instance| u64::from(layout.models[instance.model].voxels)).sum();
    check_total(total)?;
    let shift = centring(&data, &summaries, &instances)?;
    let used = instances.iter().fold([0; 4], |used: [u64; 4], instance| {
        let colours = summaries[instance.model].colours;
        std::array::from_fn(|word| used[word] | colours[word])
    });
    let mut materials = MaterialTable::builtin();
    let voxel_of = palette::voxels(&data, used, &mut materials)?;

    let mut collector = VoxelCollector::new(target);
    let mut done = 0;
    for instance in &instances {
        let place = instance.transform.voxel_map(size(&data.models[instance.model]));
        reader.for_each_block(layout.models[instance.model], &mut |voxels| {
            sort_by_chunk(voxels);
            for voxel in &*voxels {
                let Some(colour) = voxel.colour() else { continue };
                // Fits into 32 bits: `centring` has checked the size of the scene.
                let at = (place(voxel.position()) + shift).as_ivec3();
                collector.set(at, voxel_of[colour], &materials)?;
            }
            done += voxels.len() as u64;
            report(progress, 0.3 + 0.6 * done as f32 / total as f32)
        })?;
    }
    let mut summary = collector.finish(materials)?.ok_or_else(nothing_visible)?;
    summary.report_unread(&unread);
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

/// Checks that the voxels of model `id` lie inside its size.
fn check_inside(id: usize, size: IVec3, voxels: &[ModelVoxel]) -> Result<(), FormatError> {
    match voxels.iter().map(|voxel| voxel.position()).find(|at| !at.cmplt(size).all()) {
        None => Ok(()),
        Some(IVec3 { x, y, z }) => Err(FormatError::new(
            format!("model {id}"),
            format!(
                "a voxel at ({x}, {y}, {z}) is outside its size {} x {} x {}",
                size.x, size.y, size.z
            ),
        )),
    }
}

/// Checks the number of voxels that all instances place.
fn check_total(total: u64) -> Result<(), FormatError> {
    match total {
        0 => Err(nothing_visible()),
        1..=MAX_VOXELS => Ok(()),
        _ => Err(FormatError::new(
            "scene",
            format!("its instances place {total} voxels; at most {MAX_VOXELS} are imported"),
        )),
    }
}

/// Lowest and highest voxel that any instance fills, before centring.
fn extent(
    data: &DotVoxData,
    models: &[ModelSummary],
    instances: &[Instance],
) -> Option<(I64Vec3, I64Vec3)> {
    instances
        .iter()
        .filter_map(|instance| {
            let (lo, hi) = models[instance.model].corners?;
            let at = |v| instance.transform.voxel_at(v, size(&data.models[instance.model]));
            let a = at(lo);
            let b = at(hi);
            Some((a.min(b), a.max(b)))
        })
        .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// The translation that moves the lowest voxel to y = 0 and the middle to x = z = 0.
fn centring(
    data: &DotVoxData,
    models: &[ModelSummary],
    instances: &[Instance],
) -> Result<I64Vec3, FormatError> {
    let (min, max) = extent(data, models, instances).ok_or_else(nothing_visible)?;
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
