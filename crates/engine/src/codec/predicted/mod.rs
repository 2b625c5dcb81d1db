//! Predicted runs: a codec smaller than byte-RLE with LZ4. Nearby runs predict each run.
//!
//! In most worlds a run repeats the run in the row *behind* (32 voxels before) or in the layer
//! *below* (1024 before). So each run is a symbol (`symbols`) that says how it differs from these
//! two neighbours. Symbols are written in fixed prefix codes (`lengths.txt`, found by [`train`] on
//! terrain of several kinds): a chunk takes only about 2 KiB, so tables that are stored or adapted
//! per chunk cost more than they save. The relation of the two neighbours selects the table
//! (`context`). The result takes 0.4 times the bytes of byte-RLE with LZ4, and decoding takes less
//! than twice as long (`docs/measurements.md`).
//!
//! ```text
//! palette   count       LEB128 varint, 1 to 32768
//!           voxels      sorted by number of runs, highest first; each:
//!             name      LEB128 varint: material * 2, + 1 if an occupancy follows
//!             occupancy u8, below 255; without it the voxel is full, or air if material 0;
//!                       255 if the voxel is wet: then its occupancy, u8 below 255, and its
//!                       liquid, u8, 1 to 255 - occupancy
//! runs      absent if the palette has one voxel; else until 32768 voxels are covered, each a
//!           symbol and its numbers, as bits from the lowest bit of each byte; zeros pad the last
//!           byte
//! ```
//!
//! Palette entries are distinct, and adjacent runs differ.

mod context;
mod decode_entry;
mod error;
mod model;
mod prefix;
mod recent;
mod run_reader;
mod select;
mod symbols;

pub use error::{PredictedError, RunErrorKind};

use super::lsb_bits::LsbBitWriter;
use super::palette::{self, PaletteError, PaletteErrorKind};
use crate::runs::RunBuilder;
use crate::voxel::{CHUNK_VOLUME, Voxel};
use crate::world::Chunk;
use context::Context;
use model::{EncodedRun, RunModel};
use prefix::CODES;
use recent::BELOW;
use run_reader::RunReader;
use rustc_hash::FxHashMap;

/// Calls `visit` with the context and the coded form of each run of `chunk`.
fn for_each_run(chunk: &Chunk, palette: &[Voxel], mut visit: impl FnMut(Context, EncodedRun)) {
    let indices: FxHashMap<Voxel, u32> =
        palette.iter().enumerate().map(|(i, &v)| (v, i as u32)).collect();
    let mut model = RunModel::new();
    chunk.runs().for_each(|run| {
        let voxel = indices[&run.voxel];
        let end = run.end();
        let neighbours = model.neighbours();
        let context = neighbours.context();
        visit(context, neighbours.code(context, voxel, end));
        model.push(voxel, end);
    });
}

/// Encodes a chunk.
#[must_use]
pub fn encode(chunk: &Chunk) -> Vec<u8> {
    let palette = palette::by_run_count(chunk.runs());
    let mut out = Vec::with_capacity(8 + palette.len() * 2 + chunk.run_count());
    palette::write(&mut out, &palette);
    if palette.len() == 1 {
        return out;
    }
    let mut writer = LsbBitWriter::append_to(out);
    for_each_run(chunk, &palette, |context, coded| {
        let (code, bits) = CODES.code(context, coded.symbol);
        writer.put(code, bits);
        let symbol = coded.symbol.meaning();
        writer.put(coded.length, symbol.length_bits);
        writer.put(coded.index, symbol.index_bits);
    });
    writer.finish()
}

/// Decodes a chunk. `material_count` is the length of the map's material table.
///
/// # Errors
/// The bytes are malformed. No input causes a panic or an allocation beyond what one chunk needs.
pub fn decode(bytes: &[u8], material_count: usize) -> Result<Chunk, PredictedError> {
    let (palette, at) = palette::read(bytes, material_count)?;
    if let [voxel] = palette[..] {
        return if at == bytes.len() {
            Ok(Chunk::uniform(voxel))
        } else {
            Err(PaletteError { at, kind: PaletteErrorKind::Trailing }.into())
        };
    }
    let mut reader = RunReader::new(&bytes[at..]);
    let mut model = RunModel::new();
    let count = palette.len() as u32;
    let mut runs = RunBuilder::with_palette(palette);
    decode_until(BELOW, true, &mut reader, &mut model, &mut runs, count)?;
    decode_until(CHUNK_VOLUME, false, &mut reader, &mut model, &mut runs, count)?;
    reader.finish(at)?;
    Ok(runs.finish())
}

/// Decodes the runs that start before voxel `until`, with a palette of `count` voxels.
///
/// Inlined at both call sites, because runs after the first layer need fewer checks.
#[inline(always)]
fn decode_until(
    until: usize,
    first_layer: bool,
    reader: &mut RunReader,
    model: &mut RunModel,
    runs: &mut RunBuilder,
    count: u32,
) -> Result<(), PredictedError> {
    while model.begin() < until as u32 {
        let neighbours = model.neighbours();
        let (voxel, end) = reader.run(&neighbours, first_layer);
        // One branch for all checks, because they nearly always pass.
        if (voxel >= count)
            | (end <= neighbours.begin)
            | (end > CHUNK_VOLUME as u32)
            | (voxel == neighbours.last)
        {
            return Err(run_error(neighbours.begin, end, voxel, count));
        }
        // `begin` and `voxel` are below 32768, so they fit into 16 bits.
        runs.push_code(neighbours.begin as u16, voxel as u16);
        model.push(voxel, end);
    }
    Ok(())
}

#[cold]
fn run_error(start: u32, end: u32, voxel: u32, count: u32) -> PredictedError {
    let kind = if voxel >= count {
        RunErrorKind::PaletteIndex(voxel)
    } else if end <= start || end > CHUNK_VOLUME as u32 {
        RunErrorKind::End(end)
    } else {
        RunErrorKind::Repeated
    };
    PredictedError::Run { start, kind }
}

/// Returns the optimal code lengths for these chunks, in the format of `lengths.txt`.
#[must_use]
pub fn train<'a>(chunks: impl Iterator<Item = &'a Chunk>) -> String {
    let mut counts = prefix::SymbolCounts::new();
    for chunk in chunks {
        for_each_run(chunk, &palette::by_run_count(chunk.runs()), |context, coded| {
            counts.add(context, coded.symbol)
        });
    }
    counts.lengths()
}

#[cfg(test)]
mod tests;
