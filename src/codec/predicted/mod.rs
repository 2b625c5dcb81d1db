//! A smaller codec than byte-RLE and LZ4: each run is told from the runs beside it.
//!
//! Byte-RLE says of each run which voxel it is and how long. In a world most runs go on as those one row *behind*
//! (32 voxels before) and one layer *below* (1024 before). So a run is coded as a symbol (`symbols`) that says how it
//! differs from these two, in prefix codes whose lengths are fixed (`lengths.txt`, found by [`train`] on terrain of
//! several kinds): with chunks of some 2 KiB, tables that come with each chunk, or learn in it, cost more than they save.
//! Which of the tables applies depends on how the two neighbours relate (`model`). It takes 0.4 of the bytes of
//! byte-RLE with LZ4, and less than twice the time to decode (`docs/measurements.md`).
//!
//! ```text
//! palette   count       LEB128 varint, 1 to 32768
//!           voxels      in order of falling number of runs, each:
//!             name      LEB128 varint: material * 2, + 1 if an occupancy follows
//!             occupancy u8, less than 255; without it the voxel is full, or, of material 0, air
//! runs      none if the palette has one voxel; else until 32768 voxels are covered, each a symbol and its numbers,
//!           as bits, the lowest of a byte first; the last byte is filled up with zeros
//! ```
//!
//! No voxel is twice in the palette, and no two equal runs follow each other.

mod context;
mod model;
mod past;
mod prefix;
mod reader;
mod step;
mod symbols;

use super::byte_rle::push_varint;
use crate::runs::RunBuilder;
use crate::voxel::{CHUNK_VOLUME, Voxel};
use crate::world::Chunk;
use context::Context;
use model::{BELOW, Model};
use prefix::{BitWriter, CODES};
use reader::Reader;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// The chunk's voxels, those of most runs first.
fn palette_of(chunk: &Chunk) -> Vec<Voxel> {
    let mut runs_of: FxHashMap<Voxel, u32> = FxHashMap::default();
    chunk.runs().for_each(|run| *runs_of.entry(run.voxel).or_default() += 1);
    let mut palette: Vec<(u32, Voxel)> = runs_of.into_iter().map(|(v, n)| (n, v)).collect();
    palette.sort_unstable_by_key(|&(n, v)| (std::cmp::Reverse(n), v.material(), v.occupancy()));
    palette.into_iter().map(|(_, v)| v).collect()
}

/// Tells `tell` each run of `chunk`: the context, and what is to be coded.
fn each_run(chunk: &Chunk, palette: &[Voxel], mut tell: impl FnMut(Context, model::Coded)) {
    let places: FxHashMap<Voxel, u32> = palette.iter().enumerate().map(|(i, &v)| (v, i as u32)).collect();
    let mut model = Model::new();
    chunk.runs().for_each(|run| {
        let (voxel, end) = (places[&run.voxel], run.end());
        let known = model.known();
        let context = known.context();
        tell(context, known.code(context, voxel, end));
        model.push(voxel, end);
    });
}

/// The chunk as bytes: see the module's text.
#[must_use]
pub fn encode(chunk: &Chunk) -> Vec<u8> {
    let palette = palette_of(chunk);
    let mut out = Vec::with_capacity(8 + palette.len() * 2 + chunk.run_count());
    push_varint(&mut out, palette.len());
    for voxel in &palette {
        let partial = !voxel.is_air() && !voxel.is_full();
        push_varint(&mut out, usize::from(voxel.material()) << 1 | usize::from(partial));
        if partial {
            out.push(voxel.occupancy());
        }
    }
    if palette.len() == 1 {
        return out;
    }
    let mut writer = BitWriter::after(out);
    each_run(chunk, &palette, |context, coded| {
        let (code, bits) = CODES.code(context, coded.symbol);
        writer.put(code, bits);
        let symbol = coded.symbol.meaning();
        writer.put(coded.length, symbol.length_bits);
        writer.put(coded.place, symbol.place_bits);
    });
    writer.finish()
}

/// Reads the palette: its voxels, and where in `bytes` it ends.
fn palette_in(bytes: &[u8], materials: usize) -> Result<(Vec<Voxel>, usize), String> {
    let at = Cell::new(0);
    let byte = || {
        let byte = bytes.get(at.get()).copied().ok_or_else(|| format!("byte {}: the palette ends too early", at.get()));
        at.set(at.get() + 1);
        byte
    };
    let varint = || -> Result<usize, String> {
        let mut value = 0;
        for shift in [0, 7, 14] {
            let next = byte()?;
            value |= usize::from(next & 0x7f) << shift;
            if next < 0x80 {
                return Ok(value);
            }
        }
        Err("a number of the palette has too many digits".to_owned())
    };
    let count = varint()?;
    if count == 0 || count > CHUNK_VOLUME {
        return Err(format!("a palette of {count} voxels"));
    }
    // Each takes a byte at least.
    let mut palette = Vec::with_capacity(count.min(bytes.len()));
    for _ in 0..count {
        let name = varint()?;
        let material = name >> 1;
        if material >= materials.min(Voxel::MAX_MATERIALS) {
            return Err(format!("material {material} is not in the map's material table"));
        }
        // Less than `MAX_MATERIALS`, so it fits.
        let material = material as u16;
        palette.push(match name & 1 {
            0 => Voxel::full(material),
            _ if material == 0 => return Err("air with an occupancy".to_owned()),
            _ => match byte()? {
                255 => return Err(format!("material {material} is full, and its occupancy is written")),
                occupancy => Voxel::new(material, occupancy),
            },
        });
    }
    let mut seen = FxHashSet::default();
    match palette.iter().find(|&&voxel| !seen.insert(voxel)) {
        Some(voxel) => Err(format!("{voxel:?} is twice in the palette")),
        None => Ok((palette, at.get())),
    }
}

/// The chunk that `bytes` describe. `materials` is the length of the map's material table.
///
/// # Errors
/// The place and the reason; no bytes make it panic or allocate more than a chunk can need.
pub fn decode(bytes: &[u8], materials: usize) -> Result<Chunk, String> {
    let (palette, at) = palette_in(bytes, materials)?;
    let bits = &bytes[at..];
    if let [voxel] = palette[..] {
        return if bits.is_empty() { Ok(Chunk::uniform(voxel)) } else { Err(format!("byte {at}: bytes follow")) };
    }
    let (mut reader, mut model, count) = (Reader::new(bits), Model::new(), palette.len() as u32);
    let mut runs = RunBuilder::with_palette(palette);
    decode_to(BELOW, true, &mut reader, &mut model, &mut runs, count)?;
    decode_to(CHUNK_VOLUME, false, &mut reader, &mut model, &mut runs, count)?;
    reader.finish()?;
    Ok(runs.finish())
}

/// Decodes the runs that begin before the chunk's voxel `until`, of a palette of `count`. Inlined where it is called: behind
/// the first layer less is to be asked of each run.
#[inline(always)]
fn decode_to(
    until: usize,
    first_layer: bool,
    reader: &mut Reader,
    model: &mut Model,
    runs: &mut RunBuilder,
    count: u32,
) -> Result<(), String> {
    while model.begin() < until as u32 {
        let known = model.known();
        let (voxel, end) = reader.run(&known, first_layer);
        // Without a branch for each: nearly always all are right.
        if (voxel >= count) | (end <= known.begin) | (end > CHUNK_VOLUME as u32) | (voxel == known.last) {
            return Err(wrong_run(known.begin, end, voxel, count));
        }
        // Less than 32768, so they fit.
        runs.push_code(known.begin as u16, voxel as u16);
        model.push(voxel, end);
    }
    Ok(())
}

#[cold]
fn wrong_run(start: u32, end: u32, voxel: u32, count: u32) -> String {
    let reason = if voxel >= count {
        format!("palette index {voxel} is past the palette's end")
    } else if end <= start || end > CHUNK_VOLUME as u32 {
        "a run passes the end of the chunk, or ends before it begins".to_owned()
    } else {
        "two equal runs follow each other".to_owned()
    };
    format!("voxel {start}: {reason}")
}

/// The lengths of the codes that fit these chunks best, in the form of `lengths.txt`.
#[must_use]
pub fn train<'a>(chunks: impl Iterator<Item = &'a Chunk>) -> String {
    let mut counts = prefix::Counts::new();
    for chunk in chunks {
        each_run(chunk, &palette_of(chunk), |context, coded| counts.add(context, coded.symbol));
    }
    counts.lengths()
}

#[cfg(test)]
mod tests;
