//! Unpacks formats that compress or checksum their content, changes the content, and packs it
//! again.

use flate2::Compression;
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};
use std::io::{Read, Write};

/// Changes the first list of bytes. The second list comes from another input.
pub type Change<'a> = dyn FnMut(&mut Vec<u8>, &[u8]) + 'a;

/// Maximum number of unpacked bytes.
const MAX_UNPACKED_BYTES: u64 = 1 << 20;

/// Unpacks data up to the first damage.
fn unpacked(source: impl Read) -> Vec<u8> {
    let mut out = Vec::new();
    let _ = source.take(MAX_UNPACKED_BYTES).read_to_end(&mut out);
    out
}

fn zlib(data: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(data).and_then(|()| packer.finish()).expect("writing to memory succeeds")
}

/// `file` with its content changed. Files without packing or checksums, and files that cannot be
/// unpacked, are changed directly.
pub fn changed(kind: &str, file: &[u8], other: &[u8], change: &mut Change) -> Vec<u8> {
    let done = match kind {
        "mca" | "mcr" => region(file, other, change),
        "mts" => luanti(file, other, change),
        "png" => png(file, other, change),
        "lz4" => lz4(file, other, change),
        "map" => records(file, other, change),
        _ => gzip(file, other, change),
    };
    done.unwrap_or_else(|| {
        let mut file = file.to_vec();
        change(&mut file, other);
        file
    })
}

/// Changes the content of a gzip file; `None` for other files.
fn gzip(file: &[u8], other: &[u8], change: &mut Change) -> Option<Vec<u8>> {
    if !file.starts_with(&[0x1f, 0x8b]) {
        return None;
    }
    let mut data = unpacked(MultiGzDecoder::new(file));
    change(&mut data, &unpacked(MultiGzDecoder::new(other)));
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(&data).and_then(|()| packer.finish()).ok()
}

/// The content of a region's first zlib chunk.
fn first_chunk(file: &[u8]) -> Option<Vec<u8>> {
    let entries = file.get(..4096)?.as_chunks::<4>().0;
    entries.iter().find_map(|entry| {
        let at = u32::from_be_bytes([0, entry[0], entry[1], entry[2]]) as usize * 4096;
        (at > 0 && file.get(at + 4) == Some(&2))
            .then(|| unpacked(ZlibDecoder::new(&file[at + 5..])))
    })
}

/// Changes the content of a region's first chunk. The result has only this chunk.
fn region(file: &[u8], other: &[u8], change: &mut Change) -> Option<Vec<u8>> {
    let mut data = first_chunk(file)?;
    change(&mut data, &first_chunk(other).unwrap_or_default());
    let packed = zlib(&data);
    let mut region = vec![0; 8192];
    region[2] = 2;
    region[3] = (packed.len() + 5).div_ceil(4096).min(255) as u8;
    region.extend((packed.len() as u32 + 1).to_be_bytes());
    region.push(2);
    region.extend(packed);
    region.resize(region.len().next_multiple_of(4096), 0);
    Some(region)
}

/// Offset of a Luanti schematic's packed nodes, which follow its names.
fn nodes(file: &[u8]) -> Option<usize> {
    let short =
        |at: usize| Some(usize::from(u16::from_be_bytes([*file.get(at)?, *file.get(at + 1)?])));
    let mut at = if short(4)? >= 3 { 12 + short(8)? } else { 12 };
    for _ in 0..short(at)? {
        at += 2 + short(at + 2)?;
    }
    (at + 2 <= file.len()).then_some(at + 2)
}

fn luanti(file: &[u8], other: &[u8], change: &mut Change) -> Option<Vec<u8>> {
    let at = nodes(file)?;
    let mut data = unpacked(ZlibDecoder::new(&file[at..]));
    change(&mut data, other);
    Some([&file[..at], &zlib(&data)].concat())
}

/// The chunks of a PNG as pairs of type and data.
fn png_chunks(file: &[u8]) -> Option<Vec<([u8; 4], Vec<u8>)>> {
    let mut rest = file.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    let mut chunks = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let (kind, after) = after.split_first_chunk::<4>()?;
        let (data, after) = after.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        chunks.push((*kind, data.to_vec()));
        rest = after.get(4..)?;
    }
    (!chunks.is_empty()).then_some(chunks)
}

/// Changes one chunk, unpacked if it is packed, and corrects all checksums.
fn png(file: &[u8], other: &[u8], change: &mut Change) -> Option<Vec<u8>> {
    let mut chunks = png_chunks(file)?;
    // The random change also selects the chunk.
    let mut which = vec![0; 8];
    change(&mut which, other);
    let which = which.iter().map(|&byte| usize::from(byte)).sum::<usize>() % chunks.len();
    let (kind, data) = &mut chunks[which];
    if kind == b"IDAT" {
        let mut plain = unpacked(ZlibDecoder::new(&data[..]));
        change(&mut plain, other);
        *data = zlib(&plain);
    } else {
        change(data, other);
    }
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in chunks {
        out.extend((data.len() as u32).to_be_bytes());
        let body = [&kind[..], &data].concat();
        out.extend(&body);
        out.extend(crc32fast::hash(&body).to_be_bytes());
    }
    Some(out)
}

fn lz4(file: &[u8], other: &[u8], change: &mut Change) -> Option<Vec<u8>> {
    let (length, data) = file.split_first_chunk()?;
    let length = (u32::from_le_bytes(*length) as usize).min(MAX_UNPACKED_BYTES as usize);
    let mut plain = lz4_flex::block::decompress(data, length).ok()?;
    change(&mut plain, other);
    Some([&(plain.len() as u32).to_le_bytes()[..], &lz4_flex::block::compress(&plain)].concat())
}

/// Size of the frame before a record (`crates/engine/src/save/format/frame.rs`), and the offsets of
/// its lengths and its checksum.
const FRAME: usize = 32;
const PLAIN_LENGTH: usize = 20;
const DATA_LENGTH: usize = 24;
const CHECKSUM: usize = 28;

/// Changes a map's records in place and corrects their checksums. Their lengths stay the same.
fn records(file: &[u8], other: &[u8], change: &mut Change) -> Option<Vec<u8>> {
    let mut file = file.to_vec();
    let sound: Vec<usize> = (0..file.len().saturating_sub(FRAME))
        .filter(|&at| record_at(&file, at).is_some())
        .collect();
    let mut which = vec![0; 8];
    change(&mut which, other);
    let which = which.iter().map(|&byte| usize::from(byte)).sum::<usize>();
    let &at = sound.get(which % sound.len().max(1))?;
    let data = record_at(&file, at)?;
    let mut record = file[at..at + FRAME + data].to_vec();
    change(&mut record, other);
    record.resize(FRAME + data, 0);
    record[..2].copy_from_slice(b"SR");
    record[DATA_LENGTH..DATA_LENGTH + 4].copy_from_slice(&(data as u32).to_le_bytes());
    let plain = u32::from_le_bytes(*record[PLAIN_LENGTH..].first_chunk()?);
    record[PLAIN_LENGTH..PLAIN_LENGTH + 4].copy_from_slice(&plain.max(data as u32).to_le_bytes());
    let checksum = checksum(&record);
    record[CHECKSUM..FRAME].copy_from_slice(&checksum.to_le_bytes());
    file[at..at + record.len()].copy_from_slice(&record);
    Some(file)
}

fn checksum(record: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&record[..CHECKSUM]);
    hasher.update(&record[FRAME..]);
    hasher.finalize()
}

/// Length of the data of the record that starts at `at`, if the checksum matches.
fn record_at(file: &[u8], at: usize) -> Option<usize> {
    let bytes = file.get(at..)?.strip_prefix(b"SR").map(|_| &file[at..])?;
    let data = u32::from_le_bytes(*bytes.get(DATA_LENGTH..)?.first_chunk()?) as usize;
    let record = bytes.get(..FRAME.checked_add(data)?)?;
    (checksum(record).to_le_bytes() == record[CHECKSUM..FRAME]).then_some(data)
}
