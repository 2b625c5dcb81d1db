//! Writing of packed chunks.

use super::super::mips::{self, MipBuilder};
use super::super::run::{BLOCK, BLOCKS, CodedRun};
use super::{HEAD, MAPPED, MIPS, PALETTE_LEN, RUNS, code_width, starts_len};
use crate::voxel::Voxel;
use std::sync::Arc;

/// Packs runs in linear order, of which the first starts at 0. Their codes are indices into
/// `palette`.
pub(in super::super) fn pack(runs: &[CodedRun], palette: &[Voxel]) -> Arc<[u8]> {
    let width = code_width(palette.len());
    let mut packer = Packer::new(palette, runs.len());
    let mut rest = runs;
    for block in 0..BLOCKS {
        let bytes = packer.begin(block);
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
            4 => bytes.extend(
                here.chunks(2).map(|pair| (pair[0].code | pair[pair.len() - 1].code << 4) as u8),
            ),
            8 => bytes.extend(here.iter().map(|run| run.code as u8)),
            _ => bytes.extend(here.iter().flat_map(|run| run.code.to_le_bytes())),
        }
    }
    packer.finish(mips::from_runs(runs, palette))
}

/// Packs a chunk of two values, given as one bit per voxel. The bits of `starts` are set where runs
/// start; `runs` is their number.
pub(in super::super) fn pack_two_values(
    values: [Voxel; 2],
    rows: &[u32; 1024],
    starts: &[u32; 1024],
    runs: usize,
) -> Arc<[u8]> {
    let mut packer = Packer::new(&values, runs);
    let mut code = rows[0] as u8 & 1;
    for (block, starts) in starts.as_chunks::<8>().0.iter().enumerate() {
        let bytes = packer.begin(block);
        let count: u32 = starts.iter().map(|row| row.count_ones()).sum();
        let count = count as usize;
        match count {
            MAPPED.. => bytes.extend(starts.iter().flat_map(|row| row.to_le_bytes())),
            _ => bytes.extend(
                (0..=u8::MAX).filter(|low| starts[usize::from(*low) / 32] >> (low % 32) & 1 == 1),
            ),
        }
        // The codes of two values alternate.
        let other = code ^ 1;
        bytes.resize(bytes.len() + count / 2, code | other << 4);
        if count % 2 == 1 {
            bytes.push(code | code << 4);
            code = other;
        }
    }
    let is_air = values.map(|voxel| if voxel.is_air() { u32::MAX } else { 0 });
    let air = rows.iter().map(|row| row & is_air[1] | !row & is_air[0]);
    packer.finish(MipBuilder::from_rows(air).finish())
}

/// A packed chunk while it is written, block by block.
struct Packer {
    bytes: Vec<u8>,
    /// Offset of the first block.
    blocks: usize,
    /// Bytes per unit of the directory's offsets.
    unit: usize,
}

impl Packer {
    fn new(palette: &[Voxel], runs: usize) -> Packer {
        let mut bytes = Vec::with_capacity(HEAD + 4 * palette.len() + 2 * runs + BLOCKS);
        bytes.resize(HEAD, 0);
        bytes.extend(palette.iter().flat_map(|voxel| voxel.to_words()).flat_map(u16::to_le_bytes));
        write_u16(&mut bytes, RUNS, runs as u16);
        write_u16(&mut bytes, PALETTE_LEN, palette.len() as u16);
        Packer {
            blocks: bytes.len(),
            bytes,
            unit: if code_width(palette.len()) == 16 { 2 } else { 1 },
        }
    }

    /// Begins a block; for 128, ends the last one. The caller adds starts and codes.
    fn begin(&mut self, block: usize) -> &mut Vec<u8> {
        let offset = (self.bytes.len() - self.blocks) / self.unit;
        write_u16(&mut self.bytes, 2 * block, offset as u16);
        &mut self.bytes
    }

    fn finish(mut self, mips: [u16; mips::WORDS]) -> Arc<[u8]> {
        self.begin(BLOCKS);
        for (i, word) in mips.into_iter().enumerate() {
            write_u16(&mut self.bytes, MIPS + 2 * i, word);
        }
        self.bytes.into()
    }
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
