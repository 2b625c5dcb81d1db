//! Edits of a range of voxels in a table.

use super::run::{BLOCK, CodedRun};
use super::table::{self, RunSpan, TableRef};
use crate::voxel::Voxel;
use std::ops::Range;
use std::sync::Arc;

/// Palette index of `voxel`, which is added to the palette if necessary.
///
/// `None` if the table should be rebuilt: the palette is full, or has grown so much that unused
/// entries are likely.
pub(super) fn intern(table: &mut Arc<[u16]>, voxel: Voxel) -> Option<u16> {
    let view = TableRef::new(table);
    let len = view.palette_len();
    match view.find_code(voxel) {
        Some(code) => Some(code),
        None if len >= 8 && len.is_power_of_two() => None,
        None => Some(table::add_palette_entry(table, voxel)),
    }
}

/// Sets the voxels of `range` to the palette entry `code` and keeps the table canonical. `first` is
/// the run that contains the start of the range.
pub(super) fn set(table: &mut Arc<[u16]>, range: Range<usize>, code: u16, first: RunSpan) {
    let view = TableRef::new(table);
    let last = if range.end <= first.end { first } else { view.run_at(range.end - 1) };
    let coded = |start: usize, code: u16| CodedRun { start: start as u16, code };

    // The runs that replace those cut: the new one, and the rest of the last. A neighbour that
    // already has the new value is joined with the new run. The rest of the first run keeps its
    // start, so the first run is not cut.
    let mut new = [coded(range.start, code); 2];
    let mut count = 1;
    let (mut cut_from, mut cut_to) = (first.number, last.number + 1);
    let mut block = first.start / BLOCK;
    if first.start < range.start {
        if view.code(first.number) == code {
            new[0] = coded(first.start, code);
        } else {
            cut_from += 1;
        }
    } else if first.number > 0 && view.code(first.number - 1) == code {
        cut_from -= 1;
        let start = view.start(cut_from);
        new[0] = coded(start, code);
        block = start / BLOCK;
    }
    if range.end < last.end {
        if view.code(last.number) != code {
            new[1] = coded(range.end, view.code(last.number));
            count = 2;
        }
    } else if last.number + 1 < view.len() && view.code(last.number + 1) == code {
        cut_to += 1;
    }
    // No run is cut if the range lies inside one.
    let cut = cut_from..cut_to.max(cut_from);
    table::splice(table, cut, block, &new[..count], range);
}
