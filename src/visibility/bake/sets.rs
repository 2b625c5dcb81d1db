//! What the cells of one chunk see, and its bytes.
//!
//! ```text
//! u8          view distance, in chunks
//! u16         cells
//! u8 x 2      of each cell: the number of its room, its section; 8 where it is the whole chunk
//! i8 x 3      the lowest corner of the box around all chunks that any cell sees, in chunks from the cells' own
//! u8 x 3      the box's sides
//! row         which chunks of the box any cell sees: x fastest, then z, then y; in the text's new codec
//! u8 ...      cell after cell, and in each by chunk seen by any: its sections that the cell sees, a bit each; the exclusive or
//!             of these and those of the cell before
//! ```
//!
//! All numbers are little-endian. The list of chunks comes first, so that what an edit throws away is found without decoding
//! the rest; cells of one chunk see much the same, so that most bytes of the rest are zero, and LZ4 may do what is left.

use crate::visibility::Cell;
use crate::visibility::codec::ones;
use crate::visibility::codec::{RowCodec, SevenBit};
use glam::IVec3;
use std::collections::BTreeSet;

/// The farthest view, in chunks.
pub const MOST_VIEW: i32 = 24;
/// The most cells of a chunk: as many rooms as are told apart, in each of its sections.
const MOST_CELLS: usize = 64 * 8;
/// Bytes before the cells.
const HEADER: usize = 3;

/// Bytes that are no sets.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("byte {at}: {reason}")]
pub struct Unfit {
    /// Where.
    pub at: usize,
    /// What is wrong there.
    pub reason: &'static str,
}

/// What the cells of one chunk see: of each cell a set of sections.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sets {
    view: i32,
    /// Room and section.
    cells: Vec<[u8; 2]>,
    /// The chunks that any cell sees, from the cells' own, in ascending order of y, then z, then x.
    chunks: Vec<IVec3>,
    /// Cell after cell: for each of `chunks` its sections, a bit each.
    sections: Vec<u8>,
}

/// The order of chunks.
fn key(at: &IVec3) -> [i32; 3] {
    [at.y, at.z, at.x]
}

impl Sets {
    /// In the place of a section: all of the chunk, which is open.
    pub const WHOLE: u8 = 8;

    /// Of each cell the chunks that it sees, from its own, and their sections, a bit each. A view is 1 to [`MOST_VIEW`].
    pub(super) fn new(view: i32, cells: &[(Cell, Vec<(IVec3, u8)>)]) -> Sets {
        let all: BTreeSet<[i32; 3]> = cells.iter().flat_map(|(_, seen)| seen).map(|(at, _)| key(at)).collect();
        let chunks: Vec<IVec3> = all.into_iter().map(|[y, z, x]| IVec3::new(x, y, z)).collect();
        let mut sections = vec![0; cells.len() * chunks.len()];
        for (i, (_, seen)) in cells.iter().enumerate() {
            for (at, bits) in seen {
                if let Ok(k) = chunks.binary_search_by_key(&key(at), key) {
                    sections[i * chunks.len() + k] = *bits;
                }
            }
        }
        let name = |(cell, _): &(Cell, _)| [cell.room, if *cell == Cell::OPEN { Sets::WHOLE } else { cell.section }];
        Sets { view, cells: cells.iter().map(name).collect(), chunks, sections }
    }

    /// The view distance that they are for, in chunks.
    #[must_use]
    pub fn view(&self) -> i32 {
        self.view
    }

    /// Room and section of each cell, or [`Sets::WHOLE`] where it is the whole chunk, in the order of [`Rooms::cells`](crate::visibility::Rooms::cells).
    #[must_use]
    pub fn cells(&self) -> &[[u8; 2]] {
        &self.cells
    }

    /// True if any cell sees the chunk that lies at `offset` from theirs, in chunks.
    #[must_use]
    pub fn hold(&self, offset: IVec3) -> bool {
        self.chunks.binary_search_by_key(&key(&offset), key).is_ok()
    }

    /// The chunks that cell `i` sees, from its own, and their sections that it sees, a bit each. Panics where there is no such cell.
    pub fn of(&self, i: usize) -> impl Iterator<Item = (IVec3, u8)> {
        let count = self.chunks.len();
        let sections = &self.sections[i * count..][..count];
        self.chunks.iter().zip(sections).filter(|(_, bits)| **bits != 0).map(|(at, bits)| (*at, *bits))
    }

    /// Pairs of a cell and a section that it sees.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.sections.iter().map(|bits| u64::from(bits.count_ones())).sum()
    }

    /// As bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![self.view as u8];
        out.extend_from_slice(&(self.cells.len() as u16).to_le_bytes());
        out.extend_from_slice(self.cells.as_flattened());
        let corners = self.chunks.iter().fold(None, |all: Option<(IVec3, IVec3)>, &at| {
            Some(all.map_or((at, at), |(lo, hi)| (lo.min(at), hi.max(at))))
        });
        let (lo, size) = corners.map_or((IVec3::ZERO, IVec3::ZERO), |(lo, hi)| (lo, hi - lo + 1));
        // No chunk is farther than a view.
        out.extend(lo.to_array().map(|part| part as i8 as u8));
        out.extend(size.to_array().map(|part| part as u8));
        let volume = size.element_product() as usize;
        let mut row = vec![0u64; volume.div_ceil(64)];
        for at in &self.chunks {
            let at = *at - lo;
            let index = ((at.y * size.z + at.z) * size.x + at.x) as usize;
            row[index / 64] |= 1 << (index % 64);
        }
        SevenBit::encode(&row, volume, &mut out);
        let count = self.chunks.len();
        for (i, &bits) in self.sections.iter().enumerate() {
            out.push(bits ^ if i < count { 0 } else { self.sections[i - count] });
        }
        out
    }

    /// What [`Sets::to_bytes`] gave.
    ///
    /// # Errors
    /// They are none: where, and why.
    pub fn from_bytes(bytes: &[u8]) -> Result<Sets, Unfit> {
        let unfit = |at, reason| Unfit { at, reason };
        const CUT: &str = "the data end too soon";
        let [view, c0, c1] = *bytes.first_chunk::<HEADER>().ok_or(unfit(bytes.len(), CUT))?;
        let (view, count) = (i32::from(view), usize::from(u16::from_le_bytes([c0, c1])));
        if !(1..=MOST_VIEW).contains(&view) {
            return Err(unfit(0, "no view distance"));
        }
        if count > MOST_CELLS {
            return Err(unfit(1, "more cells than a chunk may have"));
        }
        let at = HEADER + count * 2;
        let cells = bytes.get(HEADER..at).ok_or(unfit(bytes.len(), CUT))?.as_chunks::<2>().0.to_vec();
        if cells.iter().any(|&[_, section]| section > Sets::WHOLE) {
            return Err(unfit(HEADER, "a section that no chunk has"));
        }
        let [x, y, z, across, up, along] = *bytes[at..].first_chunk::<6>().ok_or(unfit(bytes.len(), CUT))?;
        let lo = IVec3::from_array([x, y, z].map(|part| i32::from(part as i8)));
        let size = IVec3::from_array([across, up, along].map(i32::from));
        let reach = IVec3::splat(view);
        if lo.cmplt(-reach).any() || (lo + size - 1).cmpgt(reach).any() {
            return Err(unfit(at, "a chunk that is farther away than one sees"));
        }
        let at = at + 6;
        let volume = size.element_product() as usize;
        let mut row = vec![0u64; volume.div_ceil(64)];
        let read = SevenBit::decode(&bytes[at..], volume, &mut row).map_err(|e| unfit(at + e.at, e.reason))?;
        let at = at + read;
        let place = |index: u32| {
            let index = index as i32;
            lo + IVec3::new(index % size.x, index / size.x / size.z, index / size.x % size.z)
        };
        let chunks: Vec<IVec3> = ones(&row).map(place).collect();
        let mut sections = bytes[at..].to_vec();
        if sections.len() != count * chunks.len() {
            return Err(unfit(at, "other than a byte for each cell and chunk"));
        }
        for i in chunks.len()..sections.len() {
            sections[i] ^= sections[i - chunks.len()];
        }
        Ok(Sets { view, cells, chunks, sections })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets() -> Sets {
        let cell = |room, section| Cell { room, section, hi: [9; 3], ..Cell::OPEN };
        let far = |x, y, z| IVec3::new(x, y, z);
        Sets::new(
            16,
            &[
                (cell(0, 0), vec![(far(0, 0, 0), 255), (far(-16, 3, 2), 1)]),
                (cell(0, 7), vec![(far(0, 0, 0), 255), (far(5, -10, 16), 0x81)]),
                (cell(3, 1), vec![]),
            ],
        )
    }

    #[test]
    fn sets_come_back_from_their_bytes() {
        for sets in [sets(), Sets::new(3, &[]), Sets::new(3, &[(Cell::OPEN, vec![])])] {
            assert_eq!(Sets::from_bytes(&sets.to_bytes()), Ok(sets));
        }
        let sets = sets();
        assert_eq!((sets.cells(), sets.pairs(), sets.view()), (&[[0, 0], [0, 7], [3, 1]][..], 8 + 1 + 8 + 2, 16));
        assert_eq!(sets.of(1).collect::<Vec<_>>(), [(IVec3::new(5, -10, 16), 0x81), (IVec3::ZERO, 255)]);
        assert!(sets.hold(IVec3::new(-16, 3, 2)) && !sets.hold(IVec3::new(-16, 3, 1)));
    }

    #[test]
    fn bytes_that_are_no_sets_are_refused() {
        let good = sets().to_bytes();
        for end in 0..good.len() {
            assert!(Sets::from_bytes(&good[..end]).is_err(), "cut at {end}");
        }
        assert!(Sets::from_bytes(&[&good[..], &[0]].concat()).is_err());
        let changed = |at: usize, byte: u8| {
            let mut bad = good.clone();
            bad[at] = byte;
            Sets::from_bytes(&bad).unwrap_err().reason
        };
        assert_eq!(changed(0, 0), "no view distance");
        assert_eq!(changed(0, 15), "a chunk that is farther away than one sees");
        assert_eq!(changed(2, 9), "more cells than a chunk may have");
        assert_eq!(changed(4, 9), "a section that no chunk has");
        // Whatever a byte becomes, there is an answer.
        for at in 0..good.len() {
            for byte in 0..=255 {
                let mut bad = good.clone();
                bad[at] = byte;
                let _ = Sets::from_bytes(&bad);
            }
        }
    }
}
