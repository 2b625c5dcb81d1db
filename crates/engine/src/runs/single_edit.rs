//! The most frequent edit: one voxel, in place.
//!
//! Such an edit changes at most two starts, nearly always in the voxel's own block, and the table
//! has room for them. Whether the voxel begins or ends its run is visible in the two words that a
//! read finds anyway, so nothing needs to be searched. All other cases (a full or shared table, a
//! new voxel value, the last voxel of a block) are left to the general splice.

use super::lanes::LANES;
use super::mips;
use super::run::{BLOCK, BLOCKS};
use super::table::{HEAD, TableRef, block_ends_mut, mips_mut, update_mips};
use crate::voxel::Voxel;
use std::sync::Arc;

/// Outcome of an attempt to set a voxel in place.
pub(super) enum SingleEdit {
    /// The voxel is set; holds its old value.
    Done(Voxel),
    /// The table is unchanged; holds the voxel's value.
    Declined(Voxel),
}

/// Sets the voxel at linear index `index`, if this is one of the simple cases.
#[inline]
pub(super) fn set(table: &mut Arc<[u16]>, index: usize, voxel: Voxel) -> SingleEdit {
    let table_ref = TableRef::new(table);
    let block = index / BLOCK % BLOCKS;
    let low = (index % BLOCK) as u16;
    let (run, starts) = table_ref.run_in_block(block, index as u8);
    let here = table[run];
    let old = table_ref.voxel(here >> 8);
    if old == voxel {
        return SingleEdit::Done(old);
    }
    let Some(code) = table_ref.find_code(voxel) else { return SingleEdit::Declined(old) };
    if usize::from(low) == BLOCK - 1 {
        return SingleEdit::Declined(old);
    }
    let first = HEAD + 2 * table_ref.palette_len();
    let end = starts.end;
    let all = table_ref.end();
    // A run before the block's first start began in an earlier block, so not at this voxel.
    let is_first = run >= starts.start && here & 0xFF == low;
    // The table has a word after the last run, too, so reading it avoids an unpredictable branch.
    let next = table[run + 1];
    let is_last = (run + 1 < end) & (next & 0xFF == low + 1);
    let joins_before = is_first && run > first && table[run - 1] >> 8 == code;
    let joins_after = is_last & (next >> 8 == code);

    // Words to replace, and their replacement: the voxel's own start, and the start of the rest of
    // its run.
    let from = if is_first { run } else { run + 1 };
    let cut = usize::from(is_first) + usize::from(joins_after);
    let (mut new, mut count) = ([low | code << 8; 2], usize::from(!joins_before));
    if !is_last {
        new[count] = (low + 1) | here & 0xFF00;
        count += 1;
    }
    if all + count + LANES > table.len() + cut || all + count == first + 1 + cut {
        // There is no room, or only one run would remain, which a table cannot hold.
        return SingleEdit::Declined(old);
    }
    let Some(words) = Arc::get_mut(table) else { return SingleEdit::Declined(old) };
    let change = count as i16 - cut as i16;
    if change != 0 {
        words.copy_within(from + cut..all, from + count);
        // Visits all blocks: the length of a loop from `block` on would be unpredictable.
        for (i, end) in (0..).zip(block_ends_mut(words)) {
            *end = end.wrapping_add_signed(if i >= block as u16 { change } else { 0 });
        }
    }
    words[from..from + count].copy_from_slice(&new[..count]);
    if voxel.is_air() {
        update_mips(words, index..index + 1, code);
    } else {
        mips::set_matter(mips_mut(words), index);
    }
    SingleEdit::Done(old)
}
