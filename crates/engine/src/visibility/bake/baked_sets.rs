//! The sets of all cells of one chunk, and their bytes in a map.
//!
//! ```text
//! u8          view distance, in chunks
//! u16         number of cells
//! u8 x 2      per cell: number of its room, its section; 8 where the cell is the whole chunk
//! i8 x 3      lowest corner of the box around all chunks that any cell sees, in chunks, relative
//!             to the cells' chunk
//! u8 x 3      size of the box
//! row         the chunks of the box that any cell sees: x fastest, then z, then y; in the codec
//!             `codec::SevenBit`
//! u8 ...      per cell, and per chunk that any cell sees: the visible sections, one bit each, as
//!             the exclusive or with the previous cell's
//! ```
//!
//! All numbers are little-endian. The list of chunks comes first, so that an edit finds the
//! affected records without decoding the rest. Cells of one chunk see much the same, so most bytes
//! of the rest are zero; LZ4 compresses them further.

use crate::visibility::bitset;
use crate::visibility::cell::Cell;
use crate::visibility::codec::{RowCodec, SevenBit};
use glam::IVec3;
use std::collections::BTreeSet;

/// Maximum view distance, in chunks.
pub const MAX_VIEW: i32 = 24;
/// Maximum number of cells of a chunk: the maximum number of rooms, in each section.
const MAX_CELLS: usize = 64 * 8;
/// Bytes before the cells.
const HEADER: usize = 3;

/// Bytes that are not valid sets.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("byte {at}: {reason}")]
pub struct BakedSetsError {
    /// Offset of the invalid byte.
    pub at: usize,
    /// Description of the defect.
    pub reason: &'static str,
}

/// Identifies a cell of a chunk in a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BakedCell {
    /// Number of the room in its chunk.
    pub room: u8,
    /// Section of the chunk, or [`BakedSets::WHOLE_CHUNK`].
    pub section: u8,
}

impl BakedCell {
    /// The identifier of `cell`.
    pub(super) fn from_cell(cell: &Cell) -> BakedCell {
        let section = if *cell == Cell::OPEN { BakedSets::WHOLE_CHUNK } else { cell.section };
        BakedCell { room: cell.room, section }
    }
}

/// The visible sections of each cell of one chunk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BakedSets {
    view: i32,
    cells: Vec<BakedCell>,
    /// Offsets of the chunks that any cell sees, in ascending order of y, then z, then x.
    chunks: Vec<IVec3>,
    /// Per cell, and per chunk of `chunks`: the visible sections, one bit each.
    sections: Vec<u8>,
}

/// The sort key of chunk offsets.
fn key(at: &IVec3) -> [i32; 3] {
    [at.y, at.z, at.x]
}

impl BakedSets {
    /// Section of a cell that is the whole chunk.
    pub const WHOLE_CHUNK: u8 = 8;

    /// Builds the sets. `cells` holds, for each cell, the visible chunks as offsets from the cells'
    /// chunk, and their visible sections, one bit each. `view` must be 1 to [`MAX_VIEW`].
    pub(super) fn new(view: i32, cells: &[(Cell, Vec<(IVec3, u8)>)]) -> BakedSets {
        let all: BTreeSet<[i32; 3]> =
            cells.iter().flat_map(|(_, seen)| seen).map(|(at, _)| key(at)).collect();
        let chunks: Vec<IVec3> = all.into_iter().map(|[y, z, x]| IVec3::new(x, y, z)).collect();
        let mut sections = vec![0; cells.len() * chunks.len()];
        for (i, (_, seen)) in cells.iter().enumerate() {
            for (at, bits) in seen {
                if let Ok(k) = chunks.binary_search_by_key(&key(at), key) {
                    sections[i * chunks.len() + k] = *bits;
                }
            }
        }
        let cells = cells.iter().map(|(cell, _)| BakedCell::from_cell(cell)).collect();
        BakedSets { view, cells, chunks, sections }
    }

    /// The view distance that the sets were computed for, in chunks.
    #[must_use]
    pub fn view(&self) -> i32 {
        self.view
    }

    /// The cells, in the order of [`Rooms::cells`](crate::visibility::Rooms::cells).
    #[must_use]
    pub fn cells(&self) -> &[BakedCell] {
        &self.cells
    }

    /// True if any cell sees the chunk at `offset` from the cells' chunk.
    #[must_use]
    pub fn contains_chunk(&self, offset: IVec3) -> bool {
        self.chunks.binary_search_by_key(&key(&offset), key).is_ok()
    }

    /// The chunks that cell `i` sees, as offsets from the cells' chunk, and their visible sections,
    /// one bit each. Panics if there is no such cell.
    pub fn seen_by(&self, i: usize) -> impl Iterator<Item = (IVec3, u8)> {
        let count = self.chunks.len();
        let sections = &self.sections[i * count..][..count];
        self.chunks
            .iter()
            .zip(sections)
            .filter(|(_, bits)| **bits != 0)
            .map(|(at, bits)| (*at, *bits))
    }

    /// Number of pairs of a cell and a section that it sees.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.sections.iter().map(|bits| u64::from(bits.count_ones())).sum()
    }

    /// Encodes the sets.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![self.view as u8];
        out.extend_from_slice(&(self.cells.len() as u16).to_le_bytes());
        out.extend(self.cells.iter().flat_map(|cell| [cell.room, cell.section]));
        let corners = self.chunks.iter().fold(None, |all: Option<(IVec3, IVec3)>, &at| {
            Some(all.map_or((at, at), |(lo, hi)| (lo.min(at), hi.max(at))))
        });
        let (lo, size) = corners.map_or((IVec3::ZERO, IVec3::ZERO), |(lo, hi)| (lo, hi - lo + 1));
        // Offsets fit into a byte: no chunk is farther away than the view distance.
        out.extend(lo.to_array().map(|part| part as i8 as u8));
        out.extend(size.to_array().map(|part| part as u8));
        let volume = size.element_product() as usize;
        let mut row = bitset::empty(volume);
        for at in &self.chunks {
            let at = *at - lo;
            bitset::insert(&mut row, ((at.y * size.z + at.z) * size.x + at.x) as usize);
        }
        SevenBit::encode(&row, volume, &mut out);
        let count = self.chunks.len();
        for (i, &bits) in self.sections.iter().enumerate() {
            out.push(bits ^ if i < count { 0 } else { self.sections[i - count] });
        }
        out
    }

    /// Decodes bytes that [`BakedSets::to_bytes`] returned.
    ///
    /// # Errors
    /// The bytes are not valid sets.
    pub fn from_bytes(bytes: &[u8]) -> Result<BakedSets, BakedSetsError> {
        let error = |at, reason| BakedSetsError { at, reason };
        const CUT: &str = "the data end too soon";
        let [view, c0, c1] = *bytes.first_chunk::<HEADER>().ok_or(error(bytes.len(), CUT))?;
        let view = i32::from(view);
        let count = usize::from(u16::from_le_bytes([c0, c1]));
        if !(1..=MAX_VIEW).contains(&view) {
            return Err(error(0, "invalid view distance"));
        }
        if count > MAX_CELLS {
            return Err(error(1, "more cells than a chunk may have"));
        }
        let at = HEADER + count * 2;
        let cells = bytes.get(HEADER..at).ok_or(error(bytes.len(), CUT))?.as_chunks::<2>().0;
        let cells: Vec<BakedCell> =
            cells.iter().map(|&[room, section]| BakedCell { room, section }).collect();
        if cells.iter().any(|cell| cell.section > BakedSets::WHOLE_CHUNK) {
            return Err(error(HEADER, "a section that no chunk has"));
        }
        let [x, y, z, across, up, along] =
            *bytes[at..].first_chunk::<6>().ok_or(error(bytes.len(), CUT))?;
        let lo = IVec3::from_array([x, y, z].map(|part| i32::from(part as i8)));
        let size = IVec3::from_array([across, up, along].map(i32::from));
        let reach = IVec3::splat(view);
        if lo.cmplt(-reach).any() || (lo + size - 1).cmpgt(reach).any() {
            return Err(error(at, "a chunk beyond the view distance"));
        }
        let at = at + 6;
        let volume = size.element_product() as usize;
        let mut row = bitset::empty(volume);
        let read = SevenBit::decode(&bytes[at..], volume, &mut row)
            .map_err(|e| error(at + e.at, e.reason))?;
        let at = at + read;
        let offset = |index: usize| {
            let index = index as i32;
            lo + IVec3::new(index % size.x, index / size.x / size.z, index / size.x % size.z)
        };
        let chunks: Vec<IVec3> = bitset::members(&row).map(offset).collect();
        let mut sections = bytes[at..].to_vec();
        if sections.len() != count * chunks.len() {
            return Err(error(at, "not one byte per cell and chunk"));
        }
        for i in chunks.len()..sections.len() {
            sections[i] ^= sections[i - chunks.len()];
        }
        Ok(BakedSets { view, cells, chunks, sections })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets() -> BakedSets {
        let cell = |room, section| Cell { room, section, hi: [9; 3], ..Cell::OPEN };
        let offset = IVec3::new;
        BakedSets::new(
            16,
            &[
                (cell(0, 0), vec![(offset(0, 0, 0), 255), (offset(-16, 3, 2), 1)]),
                (cell(0, 7), vec![(offset(0, 0, 0), 255), (offset(5, -10, 16), 0x81)]),
                (cell(3, 1), vec![]),
            ],
        )
    }

    #[test]
    fn encoded_sets_decode_to_equal_sets() {
        for sets in [sets(), BakedSets::new(3, &[]), BakedSets::new(3, &[(Cell::OPEN, vec![])])] {
            assert_eq!(BakedSets::from_bytes(&sets.to_bytes()), Ok(sets));
        }
        let sets = sets();
        let names: Vec<_> = sets.cells().iter().map(|cell| [cell.room, cell.section]).collect();
        assert_eq!(
            (names, sets.pairs(), sets.view()),
            (vec![[0, 0], [0, 7], [3, 1]], 8 + 1 + 8 + 2, 16)
        );
        assert_eq!(
            sets.seen_by(1).collect::<Vec<_>>(),
            [(IVec3::new(5, -10, 16), 0x81), (IVec3::ZERO, 255)]
        );
        assert!(
            sets.contains_chunk(IVec3::new(-16, 3, 2))
                && !sets.contains_chunk(IVec3::new(-16, 3, 1))
        );
    }

    #[test]
    fn invalid_bytes_are_rejected_with_reason() {
        let good = sets().to_bytes();
        for end in 0..good.len() {
            assert!(BakedSets::from_bytes(&good[..end]).is_err(), "cut at {end}");
        }
        assert!(BakedSets::from_bytes(&[&good[..], &[0]].concat()).is_err());
        let changed = |at: usize, byte: u8| {
            let mut bad = good.clone();
            bad[at] = byte;
            BakedSets::from_bytes(&bad).unwrap_err().reason
        };
        assert_eq!(changed(0, 0), "invalid view distance");
        assert_eq!(changed(0, 15), "a chunk beyond the view distance");
        assert_eq!(changed(2, 9), "more cells than a chunk may have");
        assert_eq!(changed(4, 9), "a section that no chunk has");
        // No change of a single byte panics.
        for at in 0..good.len() {
            for byte in 0..=255 {
                let mut bad = good.clone();
                bad[at] = byte;
                let _ = BakedSets::from_bytes(&bad);
            }
        }
    }
}
