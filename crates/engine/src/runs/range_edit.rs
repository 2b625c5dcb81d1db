//! Edits of a range of voxels in a table.

use super::run::{BLOCK, CodedRun};
use super::table::{self, RunSpan, TableRef};
use crate::voxel::Voxel;
use std::ops::Range;
use std::sync::Arc;

/// Returns the palette index of `voxel`, which is added to the palette if necessary.
///
/// `None` if the table should be rebuilt: the palette is full, or has grown so much that unused
/// entries are likely.
pub(super) fn intern(table: &mut Arc<[u16]>, voxel: Voxel) -> Option<u16> {
    let table_ref = TableRef::new(table);
    let len = table_ref.palette_len();
    match table_ref.find_code(voxel) {
        Some(code) => Some(code),
        None if len >= 8 && len.is_power_of_two() => None,
        None => Some(table::add_palette_entry(table, voxel)),
    }
}

/// Sets the voxels of `range` to the palette entry `code` and keeps the table canonical. `first` is
/// the run that contains the start of the range.
pub(super) fn set(table: &mut Arc<[u16]>, range: Range<usize>, code: u16, first: RunSpan) {
    let table_ref = TableRef::new(table);
    let last = if range.end <= first.end { first } else { table_ref.run_at(range.end - 1) };
    let coded = |start: usize, code: u16| CodedRun { start: start as u16, code };

    // Runs that replace the runs of `cut`: the new run, and the rest of the last run. A neighbour
    // that already has the new value is joined with the new run. The rest of the first run keeps
    // its start, so the first run is not cut.
    let mut new = [coded(range.start, code); 2];
    let mut count = 1;
    let mut cut_from = first.number;
    let mut cut_to = last.number + 1;
    let mut block = first.start / BLOCK;
    if first.start < range.start {
        if table_ref.code(first.number) == code {
            new[0] = coded(first.start, code);
        } else {
            cut_from += 1;
        }
    } else if first.number > 0 && table_ref.code(first.number - 1) == code {
        cut_from -= 1;
        let start = table_ref.start(cut_from);
        new[0] = coded(start, code);
        block = start / BLOCK;
    }
    if range.end < last.end {
        if table_ref.code(last.number) != code {
            new[1] = coded(range.end, table_ref.code(last.number));
            count = 2;
        }
    } else if last.number + 1 < table_ref.len() && table_ref.code(last.number + 1) == code {
        cut_to += 1;
    }
    // No run is cut if the range lies inside one.
    let cut = cut_from..cut_to.max(cut_from);
    table::splice(table, cut, block, &new[..count], range);
}
