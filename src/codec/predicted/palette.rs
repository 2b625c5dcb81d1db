//! The palette in front of the runs.

use super::error::{PaletteErrorKind, PredictedError};
use crate::codec::varint::{self, VarintError};
use crate::voxel::{CHUNK_VOLUME, Voxel};
use crate::world::Chunk;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// The voxels of a chunk by falling number of runs.
pub(super) fn by_run_count(chunk: &Chunk) -> Vec<Voxel> {
    let mut runs_of: FxHashMap<Voxel, u32> = FxHashMap::default();
    chunk.runs().for_each(|run| *runs_of.entry(run.voxel).or_default() += 1);
    let mut palette: Vec<(u32, Voxel)> = runs_of.into_iter().map(|(v, n)| (n, v)).collect();
    palette.sort_unstable_by_key(|&(n, v)| (std::cmp::Reverse(n), v.material(), v.occupancy()));
    palette.into_iter().map(|(_, v)| v).collect()
}

/// Appends a palette.
pub(super) fn write(out: &mut Vec<u8>, palette: &[Voxel]) {
    varint::push(out, palette.len() as u32);
    for voxel in palette {
        let partial = !voxel.is_air() && !voxel.is_full();
        varint::push(out, u32::from(voxel.material()) << 1 | u32::from(partial));
        if partial {
            out.push(voxel.occupancy());
        }
    }
}

/// Reads a palette. Returns its voxels and the number of bytes it takes.
pub(super) fn read(bytes: &[u8], material_count: usize) -> Result<(Vec<Voxel>, usize), PredictedError> {
    use PaletteErrorKind::{AirOccupancy, Duplicate, FullOccupancy, LongVarint, Material, Size, Truncated};
    let fail = |at, kind| PredictedError::Palette { at, kind };
    let at = Cell::new(0);
    let byte = || {
        let byte = bytes.get(at.get()).copied().ok_or_else(|| fail(at.get(), Truncated))?;
        at.set(at.get() + 1);
        Ok(byte)
    };
    let read_varint = || {
        let start = at.get();
        match varint::read::<3, _>(byte) {
            Ok(value) => Ok(value as usize),
            Err(VarintError::Source(error)) => Err(error),
            // Three bytes hold 21 bits, so only the length can be wrong.
            Err(_) => Err(fail(start, LongVarint)),
        }
    };
    let count = read_varint()?;
    if count == 0 || count > CHUNK_VOLUME {
        return Err(fail(0, Size(count)));
    }
    // Each voxel takes at least one byte, which bounds the allocation.
    let mut palette = Vec::with_capacity(count.min(bytes.len()));
    let mut seen = FxHashSet::default();
    for _ in 0..count {
        let start = at.get();
        let name = read_varint()?;
        let material = name >> 1;
        if material >= material_count.min(Voxel::MAX_MATERIALS) {
            return Err(fail(start, Material(material)));
        }
        // Below `MAX_MATERIALS`, so it fits.
        let material = material as u16;
        let voxel = match name & 1 {
            0 => Voxel::full(material),
            _ if material == 0 => return Err(fail(start, AirOccupancy)),
            _ => match byte()? {
                255 => return Err(fail(start, FullOccupancy(material))),
                occupancy => Voxel::new(material, occupancy),
            },
        };
        if !seen.insert(voxel) {
            return Err(fail(start, Duplicate(voxel)));
        }
        palette.push(voxel);
    }
    Ok((palette, at.get()))
}
