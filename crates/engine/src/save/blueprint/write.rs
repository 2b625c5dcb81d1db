//! Writing of blueprints.

use super::{Blueprint, BlueprintError, FIRST_VERSION, HEADER_BYTES, MAGIC, MAX_CHUNKS, VERSION};
use crate::save::file::companion_files::with_suffix;
use crate::save::file::publish::sync_folder;
use crate::save::format::chunk_record::EncodedChunk;
use crate::save::format::small_records::write_material;
use crate::voxel::{MaterialId, Voxel};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Suffix of a blueprint file until it is complete.
const UNFINISHED: &str = ".unfinished";
/// Revision in the frames; always 1, because a blueprint is written only once.
const REVISION: u32 = 1;

impl Blueprint {
    /// Writes the blueprint and waits until it is on the disk. With `replace`, an existing file is
    /// replaced in one step, once the new file is complete. Returns the size of the file in bytes.
    ///
    /// # Errors
    /// The file exists already (without `replace`) or cannot be written, or there are too many
    /// materials or chunks. An existing file stays as it was.
    pub fn save(&self, path: &Path, replace: bool) -> Result<u64, BlueprintError> {
        if !replace && path.symlink_metadata().is_ok() {
            return Err(BlueprintError::Exists { path: path.to_owned() });
        }
        let refused = |reason: String| BlueprintError::Refused { path: path.to_owned(), reason };
        if self.materials.is_empty() || self.materials.len() > Voxel::MAX_MATERIALS {
            return Err(refused(format!("{} materials are impossible", self.materials.len())));
        }
        if self.chunks.len() > MAX_CHUNKS as usize {
            return Err(refused(format!("it has more than {MAX_CHUNKS} chunks")));
        }
        let mut records = self.header().to_vec();
        for (id, material) in self.materials.iter().enumerate() {
            let record = write_material(id as MaterialId, material, REVISION);
            records.extend(
                record
                    .map_err(|error| refused(format!("material {:?}: {error}", material.name)))?,
            );
        }
        let unfinished = with_suffix(path, UNFINISHED);
        let written =
            self.write(&unfinished, &records).and_then(|()| std::fs::rename(&unfinished, path));
        if let Err(source) = written {
            let _ = std::fs::remove_file(&unfinished);
            return Err(BlueprintError::Io { path: path.to_owned(), doing: "write it", source });
        }
        sync_folder(path);
        Ok(path.metadata().map_or(0, |file| file.len()))
    }

    /// Version of the format that the content needs.
    fn version(&self) -> u16 {
        let has_surface = self.materials.iter().any(|material| !material.surface.is_cube());
        let mut voxels = self.chunks.iter().flat_map(|chunk| chunk.voxels.values());
        if has_surface || voxels.any(Voxel::is_wet) { VERSION } else { FIRST_VERSION }
    }

    fn header(&self) -> [u8; HEADER_BYTES] {
        let mut head = [0; HEADER_BYTES];
        head[..8].copy_from_slice(&MAGIC);
        head[8..10].copy_from_slice(&self.version().to_le_bytes());
        // `save` has checked both numbers, so they fit.
        head[10..12].copy_from_slice(&(self.materials.len() as u16).to_le_bytes());
        head[12..16].copy_from_slice(&(self.chunks.len() as u32).to_le_bytes());
        for (bytes, coordinate) in
            head[16..28].as_chunks_mut().0.iter_mut().zip(self.origin.to_array())
        {
            *bytes = coordinate.to_le_bytes();
        }
        let crc = crc32fast::hash(&head[..28]);
        head[28..].copy_from_slice(&crc.to_le_bytes());
        head
    }

    fn write(&self, path: &Path, start: &[u8]) -> io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        out.write_all(start)?;
        for chunk in &self.chunks {
            for part in [&chunk.voxels, &chunk.inside] {
                out.write_all(&EncodedChunk::for_save(part).seal(chunk.pos, REVISION))?;
            }
        }
        out.into_inner()?.sync_all()
    }
}
