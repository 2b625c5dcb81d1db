//! Building and editing tables.

use super::super::lanes::LANES;
use super::super::mips;
use super::super::run::{BLOCK, BLOCKS, CodedRun};
use super::{HEAD, MIPS, PALETTE_LEN, TableRef};
use crate::voxel::Voxel;
use std::ops::Range;
use std::sync::Arc;

/// Word of a run: start inside its block in the low byte, code in the high byte.
fn pair(run: CodedRun) -> u16 {
    run.start & 0xFF | run.code << 8
}

/// Number of words of a table with `runs` runs and `palette` palette entries, without room for
/// edits.
pub(in super::super) const fn len_words(runs: usize, palette: usize) -> usize {
    HEAD + 2 * palette + runs + LANES
}

/// Builds a table from runs in linear order and a palette of up to 256 voxels, with `room` words
/// for edits.
pub(in super::super) fn build(runs: &[CodedRun], palette: &[Voxel], room: usize) -> Arc<[u16]> {
    let before = 2 * palette.len();
    let len = runs.len();
    let mut table = zeroed(len_words(len, palette.len()) + room);
    let words = words_mut(&mut table);
    // Counts the starts of each block and then sums them up, so no branch depends on where blocks
    // end.
    for run in runs {
        words[usize::from(run.start) / BLOCK % BLOCKS] += 1;
    }
    let mut offset = before as u16;
    for word in &mut words[..=BLOCKS] {
        offset += std::mem::replace(word, offset);
    }
    for (word, run) in words[HEAD + before..].iter_mut().zip(runs) {
        *word = pair(*run);
    }
    *mips_mut(words) = mips::from_runs(runs, palette);
    words[PALETTE_LEN] = palette.len() as u16;
    set_palette(words, palette);
    table
}

/// Assembles a table from the words of its runs. `ends` has, for each block, the number of runs
/// that start in it or before it.
pub(in super::super) fn assemble(
    runs: &[u16],
    ends: &[usize; BLOCKS],
    palette: &[Voxel],
) -> Arc<[u16]> {
    let before = 2 * palette.len();
    let mut table = zeroed(len_words(runs.len(), palette.len()));
    let words = words_mut(&mut table);
    words[0] = before as u16;
    for (word, end) in block_ends_mut(words).iter_mut().zip(ends) {
        *word = (before + end) as u16;
    }
    words[PALETTE_LEN] = palette.len() as u16;
    set_palette(words, palette);
    words[HEAD + before..][..runs.len()].copy_from_slice(runs);
    *mips_mut(words) = if palette.contains(&Voxel::AIR) {
        TableRef::new(words).compute_mips()
    } else {
        [u16::MAX; mips::WORDS]
    };
    table
}

/// Mutable form of [`TableRef::block_ends`].
#[inline]
pub(in super::super) fn block_ends_mut(words: &mut [u16]) -> &mut [u16; BLOCKS] {
    words[1..].first_chunk_mut().expect("a table has a head")
}

/// Mutable form of [`TableRef::mips`].
#[inline]
pub(in super::super) fn mips_mut(words: &mut [u16]) -> &mut [u16; mips::WORDS] {
    words[MIPS..].first_chunk_mut().expect("a table has a head")
}

/// Updates the mips after the voxels of `range` were set to the palette entry `code`.
pub(in super::super) fn update_mips(words: &mut [u16], range: Range<usize>, code: u16) {
    let table = TableRef::new(words);
    let air = table.voxel(code).is_air();
    if range.len() > 1 {
        *mips_mut(words) = table.compute_mips();
    } else if !air {
        mips::set_matter(mips_mut(words), range.start);
    } else if table.is_cell_air(range.start, code) {
        mips::clear_cell(mips_mut(words), range.start);
    }
}

/// Replaces the palette of a table by one of the same length.
pub(in super::super) fn set_palette(words: &mut [u16], palette: &[Voxel]) {
    for (entry, voxel) in words[HEAD..].chunks_exact_mut(2).zip(palette) {
        entry.copy_from_slice(&voxel.to_words());
    }
}

fn zeroed(len: usize) -> Arc<[u16]> {
    std::iter::repeat_n(0, len).collect()
}

/// Returns the words of a table that the caller has just allocated.
///
/// # Panics
/// Panics if the table is shared.
fn words_mut(table: &mut Arc<[u16]>) -> &mut [u16] {
    Arc::get_mut(table).expect("a new table is not shared")
}

/// Appends `voxel` to the palette, which must have fewer than 256 entries; returns its index.
pub(in super::super) fn add_palette_entry(table: &mut Arc<[u16]>, voxel: Voxel) -> u16 {
    let old = TableRef::new(table);
    let index = old.palette_len();
    let at = HEAD + 2 * index;
    let end = HEAD + usize::from(old.head[BLOCKS]);
    let mut larger = zeroed(end + 2 + LANES + 4);
    let words = words_mut(&mut larger);
    words[..at].copy_from_slice(&table[..at]);
    words[at..at + 2].copy_from_slice(&voxel.to_words());
    words[at + 2..end + 2].copy_from_slice(&table[at..end]);
    for offset in words[..=BLOCKS].iter_mut() {
        *offset += 2;
    }
    words[PALETTE_LEN] += 1;
    *table = larger;
    index as u16
}

/// Replaces the runs with the numbers in `cut` by `new`, up to two runs that ascend.
///
/// Works in place if the table is not shared and has room, else in a new table with room for
/// further edits. No run in `cut` may start before `block`. `edited` is the range of voxels that
/// change; they get the value of `new[0]`.
pub(in super::super) fn splice(
    table: &mut Arc<[u16]>,
    cut: Range<usize>,
    mut block: usize,
    new: &[CodedRun],
    edited: Range<usize>,
) {
    let old = TableRef::new(table);
    let before = 2 * old.palette_len();
    let len = old.len();
    let new_len = len - cut.len() + new.len();
    // Change of the number of starts per block, and the first and last block that change.
    let mut change = [0i16; BLOCKS];
    let mut first = BLOCKS - 1;
    let mut last = 0;
    let mut note = |block: usize, by: i16| {
        change[block] += by;
        first = first.min(block);
        last = last.max(block);
    };
    for run in cut.clone() {
        old.start_from(run, &mut block);
        note(block, -1);
    }
    for run in new {
        note(usize::from(run.start) / BLOCK, 1);
    }
    let from = HEAD + before + cut.start;
    let tail = HEAD + before + cut.end..HEAD + before + len;
    let finish = |words: &mut [u16]| {
        for (word, run) in words[from..].iter_mut().zip(new) {
            *word = pair(*run);
        }
        let mut sum = 0;
        for block in first..=last {
            sum += change[block];
            words[block + 1] = words[block + 1].wrapping_add_signed(sum);
        }
        // All later blocks move by the same number of words.
        for offset in words[last + 2..=BLOCKS].iter_mut() {
            *offset = offset.wrapping_add_signed(sum);
        }
        update_mips(words, edited, new[0].code);
    };
    if HEAD + before + new_len + LANES <= table.len()
        && let Some(words) = Arc::get_mut(table)
    {
        words.copy_within(tail, from + new.len());
        return finish(words);
    }
    let room = (new_len / 8).clamp(4, 128);
    let mut larger = zeroed(HEAD + before + new_len + LANES + room);
    let words = words_mut(&mut larger);
    words[..from].copy_from_slice(&table[..from]);
    words[from + new.len()..][..tail.len()].copy_from_slice(&table[tail]);
    finish(words);
    *table = larger;
}
