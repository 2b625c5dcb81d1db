//! The edit that is made most: one voxel.
//!
//! Such an edit touches at most two starts, nearly always in the voxel's own block, and the table has room for them. Then
//! there is nothing to look for: whether the voxel begins or ends its run shows in the two words that a read finds anyway.
//! All else (a full or shared table, a new kind of voxel, the last voxel of a block) is left to the splice of any range.

use super::lanes::LANES;
use super::mips;
use super::table::{BLOCK, BLOCKS, HEAD, TableRef, block_ends_of, correct_mips, mips_of};
use crate::voxel::Voxel;
use std::sync::Arc;

/// What came of the attempt.
pub(super) enum SingleEdit {
    /// It is set; this was there.
    Done(Voxel),
    /// Nothing was done; this is there.
    Declined(Voxel),
}

/// Sets the voxel at linear index `index`, if that is simple.
#[inline]
pub(super) fn set(table: &mut Arc<[u16]>, index: usize, voxel: Voxel) -> SingleEdit {
    let view = TableRef::new(table);
    let (block, low) = (index / BLOCK % BLOCKS, (index % BLOCK) as u16);
    let (run, starts) = view.run_in_block(block, index as u8);
    let here = table[run];
    let old = view.voxel(here >> 8);
    if old == voxel {
        return SingleEdit::Done(old);
    }
    let Some(code) = view.find_code(voxel) else { return SingleEdit::Declined(old) };
    if usize::from(low) == BLOCK - 1 {
        return SingleEdit::Declined(old);
    }
    let first = HEAD + 2 * view.palette_len();
    let (end, all) = (starts.end, view.end());
    // A run before the block's first start began in another block, and not with this voxel.
    let is_first = run >= starts.start && here & 0xFF == low;
    // (There is a word after the last run's, too; and no branch where no processor could foretell it.)
    let next = table[run + 1];
    let is_last = (run + 1 < end) & (next & 0xFF == low + 1);
    let joins_before = is_first && run > first && table[run - 1] >> 8 == code;
    let joins_after = is_last & (next >> 8 == code);

    // Which words are replaced, and by what: the voxel's own start, and that of what is left of its run after it.
    let from = if is_first { run } else { run + 1 };
    let cut = usize::from(is_first) + usize::from(joins_after);
    let (mut new, mut count) = ([low | code << 8; 2], usize::from(!joins_before));
    if !is_last {
        new[count] = (low + 1) | here & 0xFF00;
        count += 1;
    }
    if all + count + LANES > table.len() + cut || all + count == first + 1 + cut {
        // No room; or one run is left, and that is no table.
        return SingleEdit::Declined(old);
    }
    let Some(words) = Arc::get_mut(table) else { return SingleEdit::Declined(old) };
    let change = count as i16 - cut as i16;
    if change != 0 {
        words.copy_within(from + cut..all, from + count);
        // All of them: from where on no processor could foretell.
        for (i, place) in (0..).zip(block_ends_of(words)) {
            *place = place.wrapping_add_signed(if i >= block as u16 { change } else { 0 });
        }
    }
    words[from..from + count].copy_from_slice(&new[..count]);
    if voxel.is_air() {
        correct_mips(words, index..index + 1, code);
    } else {
        mips::filled(mips_of(words), index);
    }
    SingleEdit::Done(old)
}
