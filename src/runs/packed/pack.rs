//! Packing.

use super::super::mips;
use super::super::run::{BLOCK, BLOCKS, CodedRun};
use super::{HEAD, MAPPED, MIPS, PALETTE_LEN, RUNS, code_width, starts_len};
use crate::voxel::Voxel;
use std::sync::Arc;

/// Packs runs in linear order, starting at 0. Their codes are indices in `palette`.
pub(in super::super) fn pack(runs: &[CodedRun], palette: &[Voxel]) -> Arc<[u8]> {
    let width = code_width(palette.len());
    let unit = if width == 16 { 2 } else { 1 };
    let mut bytes = Vec::with_capacity(HEAD + 4 * palette.len() + 2 * runs.len() + BLOCKS);
    bytes.resize(HEAD, 0);
    bytes.extend(palette.iter().flat_map(|voxel| voxel.to_words()).flat_map(u16::to_le_bytes));
    let blocks = bytes.len();
    let mut rest = runs;
    for block in 0..BLOCKS {
        let offset = (bytes.len() - blocks) / unit;
        write_u16(&mut bytes, 2 * block, offset as u16);
        let count = rest.iter().take_while(|run| usize::from(run.start) / BLOCK == block).count();
        let (here, others) = rest.split_at(count);
        rest = others;
        let at = bytes.len();
        bytes.resize(at + starts_len(count, width), 0);
        for (nth, run) in here.iter().enumerate() {
            let low = run.start as u8;
            match count {
                MAPPED.. => bytes[at + usize::from(low) / 8] |= 1 << (low % 8),
                _ => bytes[at + nth] = low,
            }
        }
        match width {
            4 => bytes.extend(here.chunks(2).map(|pair| (pair[0].code | pair[pair.len() - 1].code << 4) as u8)),
            8 => bytes.extend(here.iter().map(|run| run.code as u8)),
            _ => bytes.extend(here.iter().flat_map(|run| run.code.to_le_bytes())),
        }
    }
    let end = (bytes.len() - blocks) / unit;
    write_u16(&mut bytes, 2 * BLOCKS, end as u16);
    write_u16(&mut bytes, RUNS, runs.len() as u16);
    write_u16(&mut bytes, PALETTE_LEN, palette.len() as u16);
    for (i, word) in mips::from_runs(runs, palette).into_iter().enumerate() {
        write_u16(&mut bytes, MIPS + 2 * i, word);
    }
    bytes.into()
}

/// Replaces the palette of a packed chunk by one of the same length.
pub(in super::super) fn set_palette(bytes: &mut [u8], palette: &[Voxel]) {
    for (i, word) in palette.iter().flat_map(|voxel| voxel.to_words()).enumerate() {
        write_u16(bytes, HEAD + 2 * i, word);
    }
}

/// Writes a u16 at offset `at`.
fn write_u16(bytes: &mut [u8], at: usize, value: u16) {
    bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
}
