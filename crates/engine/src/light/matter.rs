//! Dimming and lamps of the voxels of a chunk, as bits.

use super::LightLevels;
use super::bit_planes::{DimmingPlanes, Plane};
use super::light_traits::{DIMMINGS, Dimming, LightTraits};
use crate::runs::RunTree;
use crate::runs::bit_rows::{AREA, BitMasks, ChunkPart, RowToggles, SIDE, boxed};
use crate::voxel::CHUNK_VOLUME;
use glam::IVec3;

/// Plane in which all voxels are set.
static ALL_VOXELS: Plane = [u32::MAX; AREA];

/// Extent of one dimming in a chunk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Nowhere,
    Everywhere,
    /// Voxels of the plane with this number.
    Plane(usize),
}

/// Extent of each dimming in a chunk, by its number.
#[derive(Clone, Copy)]
pub(super) struct DimmingExtents([Extent; DIMMINGS]);

impl DimmingExtents {
    /// True if no voxel lets light in.
    pub fn is_opaque(&self) -> bool {
        self.0.iter().all(|&extent| extent == Extent::Nowhere)
    }

    /// True if all voxels are clear.
    pub fn is_open(&self) -> bool {
        self.0[Dimming::Clear as usize] == Extent::Everywhere
    }
}

/// Voxels of a row that emit the same light.
#[derive(Clone, Copy)]
pub(super) struct Lamp {
    /// Number of the row, by z and then y.
    pub row: u16,
    pub bits: u32,
    pub levels: LightLevels,
}

/// Planes of the dimming of many chunks. Kept between batches to reuse the memory.
pub(super) struct MatterReader {
    planes: Vec<Plane>,
    toggles: Box<[u32; DIMMINGS * (AREA + 1)]>,
}

impl Default for MatterReader {
    fn default() -> MatterReader {
        MatterReader { planes: Vec::new(), toggles: boxed(0) }
    }
}

impl MatterReader {
    /// Removes the planes of all chunks.
    pub fn clear(&mut self) {
        self.planes.clear();
    }

    /// The planes of a chunk's dimming.
    pub fn planes(&self, extents: &DimmingExtents) -> DimmingPlanes<'_> {
        extents.0.map(|extent| match extent {
            Extent::Nowhere => None,
            Extent::Everywhere => Some(&ALL_VOXELS),
            Extent::Plane(number) => Some(&self.planes[number]),
        })
    }

    /// Reads the dimming of a chunk.
    pub fn read(&mut self, chunk: &RunTree, traits: &LightTraits) -> DimmingExtents {
        let palette: Vec<Option<Dimming>> =
            chunk.values().map(|voxel| traits.dimming(voxel)).collect();
        let first = palette[0];
        if palette.iter().all(|&dimming| dimming == first) {
            let extent = |kind: Dimming| {
                if first == Some(kind) { Extent::Everywhere } else { Extent::Nowhere }
            };
            return DimmingExtents(Dimming::ALL.map(extent));
        }
        let mut extents = DimmingExtents([Extent::Nowhere; DIMMINGS]);
        let first_plane = self.planes.len();
        for (extent, kind) in extents.0.iter_mut().zip(Dimming::ALL) {
            if palette.contains(&Some(kind)) {
                *extent = Extent::Plane(self.planes.len());
                self.planes.push([0; AREA]);
            }
        }
        let planes = &mut self.planes[first_plane..];
        match (planes.len(), extents.0[Dimming::Clear as usize]) {
            // Fast path for chunks of clear and opaque voxels only, the most common case.
            (1, Extent::Plane(_)) => {
                let masks: Vec<BitMasks<1>> =
                    palette.iter().map(|&has| [mask(has == Some(Dimming::Clear))]).collect();
                read_rows(chunk, &masks, &mut self.toggles[..], |row, [bits]| {
                    planes[0][row] = bits
                });
            }
            _ => {
                let numbers = extents.0.map(|extent| {
                    if let Extent::Plane(number) = extent {
                        number - first_plane
                    } else {
                        planes.len()
                    }
                });
                let masks: Vec<BitMasks<DIMMINGS>> = palette
                    .iter()
                    .map(|&has| Dimming::ALL.map(|kind| mask(has == Some(kind))))
                    .collect();
                read_rows(chunk, &masks, &mut self.toggles[..], |row, words| {
                    for (bits, number) in words.into_iter().zip(numbers) {
                        if let Some(plane) = planes.get_mut(number) {
                            plane[row] = bits;
                        }
                    }
                });
            }
        }
        extents
    }

    /// Calls `each` with the voxels of a chunk that emit light, row by row.
    pub(crate) fn read_lamps(chunk: &RunTree, traits: &LightTraits, mut each: impl FnMut(Lamp)) {
        let emitted: Vec<LightLevels> = chunk.values().map(|voxel| traits.emitted(voxel)).collect();
        if emitted.iter().all(|&levels| levels == LightLevels::DARK) {
            return;
        }
        chunk.for_each_coded(0..CHUNK_VOLUME, |start, end, code| {
            let levels = emitted[code];
            let mut at = start;
            while levels != LightLevels::DARK && at < end {
                let row = at / SIDE;
                let row_end = end.min((row + 1) * SIDE);
                let bits = u32::MAX >> (SIDE - (row_end - at)) << (at % SIDE);
                each(Lamp { row: row as u16, bits, levels });
                at = row_end;
            }
        });
    }
}

fn mask(bit: bool) -> u32 {
    if bit { u32::MAX } else { 0 }
}

/// Reads all rows of a chunk. `masks` holds the bits of each palette entry.
fn read_rows<const N: usize>(
    chunk: &RunTree,
    masks: &[BitMasks<N>],
    toggles: &mut [u32],
    each: impl FnMut(usize, [u32; N]),
) {
    let part = ChunkPart::new(IVec3::ZERO);
    part.read(chunk, |code| masks[code], RowToggles::new(toggles, part.row_count()), each);
}
