//! The palette that precedes predicted runs and packed voxels.

use super::LiquidError;
use super::varint::{self, VarintError};
use super::wet::{LIQUID_ESCAPE, push_partial, wet_voxel};
use crate::runs::Run;
use crate::voxel::{CHUNK_VOLUME, Voxel};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// Error of a palette's decoder, with its byte offset.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("byte {at}: {kind}")]
pub struct PaletteError {
    /// Offset of the field.
    pub at: usize,
    /// Reason.
    pub kind: PaletteErrorKind,
}

/// Reasons of a [`PaletteError`].
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PaletteErrorKind {
    /// The palette ends early.
    #[error("the palette ends early")]
    Truncated,
    /// A varint is longer than three bytes.
    #[error("a varint is longer than 3 bytes")]
    LongVarint,
    /// The palette has no voxel, or more than 32768.
    #[error("a palette of {0} voxels")]
    Size(usize),
    /// A material is not in the map's table.
    #[error("material {0} is not in the map's material table")]
    Material(usize),
    /// Air has an occupancy byte, which may announce liquid.
    #[error("air with an occupancy or liquid")]
    AirOccupancy,
    /// A voxel cannot hold its liquid.
    #[error(transparent)]
    Liquid(#[from] LiquidError),
    /// A voxel is listed twice.
    #[error("{0:?} is listed twice")]
    Duplicate(Voxel),
    /// Bytes follow the palette of a uniform chunk.
    #[error("data follows the palette of a uniform chunk")]
    Trailing,
}

/// Maximum length of a palette that is searched linearly instead of with a hash table.
const MAX_SEARCHED: usize = 6;

/// Lookup from a voxel to its index in a palette.
pub(super) struct PaletteIndex<'a> {
    palette: &'a [Voxel],
    /// Index of each voxel; empty if the palette is short enough to be searched.
    indices: FxHashMap<Voxel, u16>,
}

impl PaletteIndex<'_> {
    pub(super) fn new(palette: &[Voxel]) -> PaletteIndex<'_> {
        let is_short = palette.len() <= MAX_SEARCHED;
        // A chunk has at most 32,768 different voxels.
        let indices = if is_short {
            FxHashMap::default()
        } else {
            palette.iter().copied().zip(0..).collect()
        };
        PaletteIndex { palette, indices }
    }

    /// Returns the index of `voxel`, which must be in the palette.
    #[inline]
    pub(super) fn of(&self, voxel: Voxel) -> u16 {
        if !self.indices.is_empty() {
            return self.indices[&voxel];
        }
        // Callers look up only voxels of the runs from which the palette was made.
        let index =
            self.palette.iter().position(|&other| other == voxel).expect("a voxel of the palette");
        index as u16
    }
}

/// Distinct voxels of runs, sorted by number of runs, highest first.
pub(super) fn by_run_count(runs: impl Iterator<Item = Run>) -> Vec<Voxel> {
    // Most chunks have few different voxels, and comparing a few is faster than hashing.
    let mut few: Vec<(u32, Voxel)> = Vec::new();
    let mut runs_of: FxHashMap<Voxel, u32> = FxHashMap::default();
    runs.for_each(|run| match few.iter().position(|(_, voxel)| *voxel == run.voxel) {
        Some(index) => few[index].0 += 1,
        None if few.len() < MAX_SEARCHED => few.push((1, run.voxel)),
        None => *runs_of.entry(run.voxel).or_default() += 1,
    });
    let mut palette: Vec<(u32, Voxel)> =
        runs_of.into_iter().map(|(v, n)| (n, v)).chain(few).collect();
    palette.sort_unstable_by_key(|&(n, v)| {
        (std::cmp::Reverse(n), v.material(), v.occupancy(), v.liquid())
    });
    palette.into_iter().map(|(_, v)| v).collect()
}

/// Appends a palette.
pub(super) fn write(out: &mut Vec<u8>, palette: &[Voxel]) {
    varint::push(out, palette.len() as u32);
    for voxel in palette {
        let partial = !voxel.is_air() && !voxel.is_full();
        varint::push(out, u32::from(voxel.material()) << 1 | u32::from(partial));
        if partial {
            push_partial(out, *voxel);
        }
    }
}

/// Reads a palette. Returns its voxels and the number of bytes it takes.
pub(super) fn read(
    bytes: &[u8],
    material_count: usize,
) -> Result<(Vec<Voxel>, usize), PaletteError> {
    use PaletteErrorKind::{
        AirOccupancy, Duplicate, Liquid, LongVarint, Material, Size, Truncated,
    };
    let fail = |at, kind| PaletteError { at, kind };
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
            // Three bytes hold 21 bits, so `TooLarge` cannot occur.
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
        // Below `MAX_MATERIALS`, so it fits into 16 bits.
        let material = material as u16;
        let voxel = match name & 1 {
            0 => Voxel::full(material),
            _ if material == 0 => return Err(fail(start, AirOccupancy)),
            _ => match byte()? {
                LIQUID_ESCAPE => wet_voxel(material, byte()?, byte()?)
                    .map_err(|error| fail(start, Liquid(error)))?,
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
