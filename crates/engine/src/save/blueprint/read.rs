//! Reading of blueprints. Files are untrusted.

use super::{
    Blueprint, BlueprintChunk, BlueprintError, HEADER_BYTES, MAGIC, MAX_CHUNKS, MAX_HEAP_BYTES,
    VERSION,
};
use crate::save::format::chunk_record;
use crate::save::format::frame::{self, FRAME_BYTES, Frame, FrameError, RecordKind};
use crate::save::format::record_error::RecordError;
use crate::save::format::small_records::{material_key, read_material};
use crate::voxel::{ChunkPos, MAX_LIGHT, Material, Voxel, WORLD_LIMIT};
use crate::world::Chunk;
use glam::IVec3;
use rustc_hash::FxHashSet;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// Number of materials in a mask of the voxels that belong to the blueprint: air and 1.
const INSIDE_MATERIALS: usize = 2;

/// Reason why bytes cannot be read as a blueprint. Callers add the file.
enum ReadError {
    Io(std::io::Error),
    NotABlueprint,
    TooNew(u16),
    Malformed { place: String, reason: String },
}

impl Blueprint {
    /// Reads a blueprint.
    ///
    /// # Errors
    /// The file cannot be read, is no blueprint, is damaged, or its chunks need more than 2 GiB.
    pub fn load(path: &Path) -> Result<Blueprint, BlueprintError> {
        let file = File::open(path).map_err(ReadError::Io);
        let blueprint = file.and_then(|file| Blueprint::read(BufReader::new(file)));
        let path = || path.to_owned();
        blueprint.map_err(|error| match error {
            ReadError::Io(source) => BlueprintError::Io { path: path(), doing: "read it", source },
            ReadError::NotABlueprint => BlueprintError::NotABlueprint { path: path() },
            ReadError::TooNew(found) => BlueprintError::TooNew { path: path(), found },
            ReadError::Malformed { place, reason } => {
                BlueprintError::Malformed { path: path(), place, reason }
            }
        })
    }

    fn read(mut source: impl Read) -> Result<Blueprint, ReadError> {
        let mut head = Vec::with_capacity(HEADER_BYTES);
        source.by_ref().take(HEADER_BYTES as u64).read_to_end(&mut head).map_err(ReadError::Io)?;
        let Some((head, b"")) = head.split_first_chunk::<HEADER_BYTES>() else {
            return Err(ReadError::NotABlueprint);
        };
        if head[..8] != MAGIC {
            return Err(ReadError::NotABlueprint);
        }
        let short = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let word =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        if short(8) > VERSION {
            return Err(ReadError::TooNew(short(8)));
        }
        if word(28) != crc32fast::hash(&head[..28]) {
            return Err(malformed("header", "checksum mismatch"));
        }
        let material_count = usize::from(short(10));
        let chunk_count = word(12);
        let origin = IVec3::new(word(16) as i32, word(20) as i32, word(24) as i32);
        if material_count == 0 || material_count > Voxel::MAX_MATERIALS {
            return Err(malformed("header", format!("{material_count} materials are impossible")));
        }
        if chunk_count > MAX_CHUNKS {
            return Err(malformed("header", format!("more than {MAX_CHUNKS} chunks")));
        }
        if origin.cmplt(IVec3::splat(-WORLD_LIMIT)).any()
            || origin.cmpge(IVec3::splat(WORLD_LIMIT)).any()
        {
            return Err(malformed("header", "the origin lies outside the world"));
        }
        let materials = read_materials(&mut source, material_count)?;
        let chunks = read_chunks(&mut source, chunk_count, &materials)?;
        match source.read(&mut [0]).map_err(ReadError::Io)? {
            0 => Ok(Blueprint { materials, origin, chunks }),
            _ => Err(malformed("end", "bytes follow the last chunk")),
        }
    }
}

fn read_materials(source: &mut impl Read, count: usize) -> Result<Vec<Material>, ReadError> {
    let mut materials = Vec::new();
    let mut names = FxHashSet::default();
    for id in 0..count as u16 {
        let place = format!("material {id}");
        let (_, bytes) = read_record(source, RecordKind::Material, &place)?;
        let record = frame::parse_as(&bytes, RecordKind::Material, material_key(id))
            .map_err(RecordError::from);
        let material = record
            .and_then(|record| read_material(&record))
            .map_err(|error| malformed(&place, error))?;
        if (material.name == "air") != (id == 0) || !names.insert(material.name.clone()) {
            return Err(malformed(&place, format!("{:?} is not in its place", material.name)));
        }
        materials.push(Material { light: material.light.min(MAX_LIGHT), ..material });
    }
    Ok(materials)
}

fn read_chunks(
    source: &mut impl Read,
    count: u32,
    materials: &[Material],
) -> Result<Vec<BlueprintChunk>, ReadError> {
    let mut chunks: Vec<BlueprintChunk> = Vec::new();
    let mut heap_bytes = 0;
    for number in 0..count {
        let place = format!("chunk number {number}");
        let (pos, voxels) = read_chunk(source, materials.len(), &place)?;
        let place = format!("chunk {pos}");
        // The chunk was read with this number of materials, so the index is valid.
        let is_wet_fluid =
            |voxel: &Voxel| voxel.is_wet() && materials[usize::from(voxel.material())].is_fluid();
        if let Some(voxel) = voxels.values().find(is_wet_fluid) {
            return Err(malformed(&place, RecordError::WetFluid(voxel.material())));
        }
        let (same_pos, inside) = read_chunk(source, INSIDE_MATERIALS, &place)?;
        let is_sorted = chunks.last().is_none_or(|last| last.pos < pos);
        if !pos.in_world() || !is_sorted || same_pos != pos {
            return Err(malformed(&place, "it is not in its place"));
        }
        if !inside.values().all(|voxel| voxel.is_air() || voxel.is_full()) {
            return Err(malformed(&place, "its mask has voxels that are not full"));
        }
        heap_bytes += voxels.heap_bytes() + inside.heap_bytes() + size_of::<BlueprintChunk>();
        if heap_bytes > MAX_HEAP_BYTES {
            return Err(malformed(
                &place,
                format!("the chunks need more than {MAX_HEAP_BYTES} bytes"),
            ));
        }
        chunks.push(BlueprintChunk { pos, voxels, inside });
    }
    Ok(chunks)
}

fn read_chunk(
    source: &mut impl Read,
    materials: usize,
    place: &str,
) -> Result<(ChunkPos, Chunk), ReadError> {
    let (pos, bytes) = read_record(source, RecordKind::Chunk, place)?;
    let record = frame::parse_as(&bytes, RecordKind::Chunk, pos).map_err(RecordError::from);
    let chunk = record.and_then(|record| chunk_record::read(&record, materials));
    Ok((pos, chunk.map_err(|error| malformed(place, error))?))
}

/// Reads the next record, and returns its key and bytes. Checks only its kind and its length.
fn read_record(
    source: &mut impl Read,
    kind: RecordKind,
    place: &str,
) -> Result<(ChunkPos, Vec<u8>), ReadError> {
    let mut bytes = Vec::new();
    source.take(FRAME_BYTES as u64).read_to_end(&mut bytes).map_err(ReadError::Io)?;
    let frame = Frame::parse(&bytes).map_err(|error| malformed(place, error))?;
    if frame.kind != kind {
        return Err(malformed(
            place,
            format!("there is a record of {} in place of {kind}", frame.kind),
        ));
    }
    // The kind limits the length, and a too large length allocates no more than the file holds.
    source.take(frame.data_len as u64).read_to_end(&mut bytes).map_err(ReadError::Io)?;
    if bytes.len() != frame.record_len() {
        return Err(malformed(place, FrameError::Truncated));
    }
    Ok((frame.key, bytes))
}

fn malformed(place: impl Into<String>, reason: impl ToString) -> ReadError {
    ReadError::Malformed { place: place.into(), reason: reason.to_string() }
}
