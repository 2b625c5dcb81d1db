//! MagicaVoxel's `.vox` files: parsed by `dot_vox`, and written (`write()`).
//!
//! `dot_vox` gives the parts; what they mean together is decided here: which models stand where
//! (`scene`), which colour is which material (`palette`), and, before anything is parsed, whether the
//! file's structure is one that `dot_vox` reads completely (`layout`).
//!
//! MagicaVoxel's z points up and its y away from the viewer at the front; ours are up = y and towards the
//! viewer = z (south). (x, y, z) -> (x, z, -y) is a turn about x, so nothing is mirrored: what reads from
//! the left to the right in MagicaVoxel's front view does so here, seen from the south.

mod colours;
mod layout;
mod palette;
mod scene;
mod transform;
mod write;
mod writer;

pub(super) use write::write;

use super::gather::Gather;
use super::{Flaw, ImportError, Progress, Summary, Target, read, report};
use crate::voxel::MaterialTable;
use dot_vox::{DotVoxData, Model};
use glam::{I64Vec3, IVec3};
use scene::Instance;
use std::path::Path;

/// The largest file read. The largest model (256^3, every voxel set) takes 64 MiB.
const MOST_BYTES: u64 = 512 << 20;
/// The most voxels placed by all instances together; a small file can place its models often.
const MOST_VOXELS: u64 = 1 << 28;
/// The widest scene, in voxels.
const WIDEST: i64 = 1 << 20;

/// Imports a `.vox` file.
///
/// # Errors
/// The file cannot be read, is malformed, holds no voxel that is shown, or is too large; or it was cancelled.
pub(super) fn import(path: &Path, target: Target, progress: &mut Progress) -> Result<Summary, ImportError> {
    let bytes = read::whole(path, MOST_BYTES)?;
    from_bytes(bytes, target, progress).map_err(|flaw| flaw.of(path))
}

fn from_bytes(bytes: Vec<u8>, target: Target, progress: &mut Progress) -> Result<Summary, Flaw> {
    let layout = layout::scan(&bytes)?;
    let mut data = dot_vox::load_bytes(&bytes).map_err(|reason| Flaw::new("content", reason))?;
    drop(bytes);
    layout.confirm(&data)?;
    data.models.iter().enumerate().try_for_each(|(id, model)| check_model(id, model))?;
    data.models.iter_mut().for_each(in_order);
    report(progress, 0.1)?;

    let instances = scene::instances(&data, &layout)?;
    let total = placed(&data, &instances)?;
    let shift = centring(&data, &instances)?;
    let mut materials = MaterialTable::builtin();
    let voxel_of = palette::voxels(&data, &instances, &mut materials)?;

    let mut gather = Gather::new(target);
    let mut done = 0;
    for instance in &instances {
        let model = &data.models[instance.model];
        // Fits: `centring` has made sure that the whole scene does.
        let cell = instance.transform.cells(size(model));
        for v in &model.voxels {
            gather.set((cell(v) + shift).as_ivec3(), voxel_of[usize::from(v.i)], &materials)?;
        }
        done += model.voxels.len() as u64;
        report(progress, 0.1 + 0.8 * done as f32 / total as f32)?;
    }
    let made = gather.finish(materials)?.ok_or_else(nothing)?;
    report(progress, 1.0)?;
    Ok(made)
}

fn nothing() -> Flaw {
    Flaw::new("scene", "no voxel is shown")
}

fn size(model: &Model) -> IVec3 {
    // At most 256 each: `layout::scan` refuses more.
    IVec3::new(model.size.x as i32, model.size.y as i32, model.size.z as i32)
}

fn check_model(id: usize, model: &Model) -> Result<(), Flaw> {
    let size = size(model);
    match model.voxels.iter().find(|v| !in_model(v).cmplt(size).all()) {
        None => Ok(()),
        Some(v) => Err(Flaw::new(
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
fn placed(data: &DotVoxData, instances: &[Instance]) -> Result<u64, Flaw> {
    // At most 2^16 instances of at most 2^27 voxels (the file's size): no overflow.
    match instances.iter().map(|i| data.models[i.model].voxels.len() as u64).sum() {
        0 => Err(nothing()),
        total if total > MOST_VOXELS => {
            Err(Flaw::new("scene", format!("its instances place {total} voxels; at most {MOST_VOXELS} are imported")))
        }
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
fn centring(data: &DotVoxData, instances: &[Instance]) -> Result<I64Vec3, Flaw> {
    let (min, max) = extent(data, instances).ok_or_else(nothing)?;
    let sides = max - min + 1;
    if sides.max_element() > WIDEST {
        let size = format!("{} x {} x {}", sides.x, sides.y, sides.z);
        return Err(Flaw::new("scene", format!("it is {size} voxels large; at most {WIDEST} a side are imported")));
    }
    let middle = |a: i64, b: i64| (a + b + 1).div_euclid(2);
    Ok(I64Vec3::new(-middle(min.x, max.x), -min.y, -middle(min.z, max.z)))
}

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod tests;
