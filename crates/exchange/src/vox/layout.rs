//! Scans a `.vox` file's chunks before `dot_vox` parses them.
//!
//! `dot_vox` drops chunks that it cannot read, stops silently where chunks do not fit their parent,
//! and forgets the ids of nodes and layers, which leaves only their order. A damaged file would
//! become another scene. It also recurses into nested chunks, its dictionaries are larger than the
//! bytes they are read from, and it needs the whole file in memory. So this scan keeps the ids, and
//! refuses truncated, nested and oversized content. It skips the voxels, which are nearly all of a
//! large file, and records their position ([`ModelSpan`]); `dot_vox` parses the file without
//! voxels. Afterwards [`FileLayout::confirm`] checks that every part was parsed.

use crate::FormatError;
use crate::error::StreamError;
use crate::unread_parts::UnreadParts;
use dot_vox::DotVoxData;
use std::io::{Read, Seek, SeekFrom};

/// Maximum number of chunks. MagicaVoxel writes a few hundred, plus up to three per object.
const MAX_CHUNKS: usize = 1 << 20;
/// Maximum total size of the chunks other than voxels, in bytes. Parsed, they take up to 15 times
/// as much memory.
const MAX_OTHER_BYTES: u64 = 32 << 20;
/// Longest side of a model, in voxels. Coordinates are bytes.
const MAX_MODEL_SIDE: u32 = 256;
/// Number of colours in a stored palette. Voxels use the numbers 1 to 255.
const PALETTE_COLOURS: usize = 256;
/// Bytes per colour: red, green, blue, alpha.
const COLOUR_BYTES: u64 = 4;
/// Bytes of a chunk's header: id, length of the content, length of the children.
const HEADER_BYTES: u64 = 12;

/// Position of a model's voxels in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ModelSpan {
    /// Offset of the first voxel in the file, in bytes.
    pub(super) start: u64,
    /// Number of voxels, four bytes each.
    pub(super) voxels: u32,
}

/// The parts of a file.
#[derive(Debug, Default)]
pub(super) struct FileLayout {
    /// Ids of the scene graph's nodes, in file order.
    pub(super) nodes: Vec<u32>,
    /// Ids of the layers, in file order.
    pub(super) layers: Vec<u32>,
    /// Voxels of the models, in file order.
    pub(super) models: Vec<ModelSpan>,
    materials: usize,
    /// Number of colours in the palette; `None` if the file has no palette.
    pub(super) colours: Option<usize>,
    /// Chunks of unknown meaning, and colours beyond the palette's size.
    pub(super) unread: UnreadParts,
    /// A copy of the file in which no model has voxels, for `dot_vox`.
    pub(super) without_voxels: Vec<u8>,
}

/// Header of a chunk, before its content and children.
struct ChunkHeader {
    id: [u8; 4],
    /// Place for error messages.
    place: String,
    /// Length of the content in bytes.
    length: u64,
    /// Length of the children in bytes.
    children: u64,
}

/// Reads chunks one after the other.
struct ChunkScanner<'a, R> {
    source: &'a mut R,
    /// Offset of the next byte to read in the file.
    at: u64,
    /// End of the parent's children.
    end: u64,
}

impl<R: Read + Seek> ChunkScanner<'_, R> {
    /// Reads the header of the next chunk, and checks that its content fits.
    fn header(&mut self) -> Result<ChunkHeader, StreamError> {
        let start = self.at;
        let error = |reason: String| FormatError::new(format!("byte {start}"), reason);
        if self.end < start + HEADER_BYTES {
            return Err(error("a chunk's header is cut off".to_owned()).into());
        }
        let [id, length, children] = self.take()?;
        if !id.iter().all(u8::is_ascii_graphic) {
            return Err(error("there is no chunk here".to_owned()).into());
        }
        let name = String::from_utf8_lossy(&id);
        let [length, children] =
            [length, children].map(|bytes| u64::from(u32::from_le_bytes(bytes)));
        if self.end < self.at + length {
            return Err(error(format!("the chunk {name} is cut off")).into());
        }
        Ok(ChunkHeader { id, place: format!("chunk {name} at byte {start}"), length, children })
    }

    /// Reads `N` times four bytes.
    fn take<const N: usize>(&mut self) -> Result<[[u8; 4]; N], StreamError> {
        let mut bytes = [[0; 4]; N];
        self.source.read_exact(bytes.as_flattened_mut())?;
        self.at += 4 * N as u64;
        Ok(bytes)
    }

    /// Appends the content of a chunk to `out`, and returns its offset there.
    fn copy(&mut self, length: u64, out: &mut Vec<u8>) -> Result<usize, StreamError> {
        let start = out.len();
        // At most `MAX_OTHER_BYTES`, and `header` has checked that the file has them.
        out.resize(start + length as usize, 0);
        self.source.read_exact(&mut out[start..])?;
        self.at += length;
        Ok(start)
    }

    fn skip(&mut self, length: u64) -> Result<(), StreamError> {
        // Lengths have 32 bits, so they fit.
        self.source.seek_relative(length as i64)?;
        self.at += length;
        Ok(())
    }
}

/// The little-endian number at offset `at`; `None` if the bytes end too early.
fn number(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}

/// Scans all chunks of a file from its beginning.
///
/// # Errors
/// The file is not a `.vox` file, is truncated, exceeds a limit or cannot be read.
pub(super) fn scan(source: &mut (impl Read + Seek)) -> Result<FileLayout, StreamError> {
    let end = source.seek(SeekFrom::End(0))?;
    source.rewind()?;
    if end == 0 {
        return Err(FormatError::new("size", "the file is empty").into());
    }
    let mut scanner = ChunkScanner { source, at: 0, end };
    let is_vox = end >= 4 && scanner.take()? == [*b"VOX "];
    if !is_vox {
        let reason = "this is not a MagicaVoxel file: it does not start with \"VOX \"";
        return Err(FormatError::new("byte 0", reason).into());
    }
    // Skips the version. A file that ends here has no header of MAIN either.
    if end >= 8 {
        scanner.take::<1>()?;
    }
    let main = scanner.header()?;
    if main.id != *b"MAIN" {
        return Err(FormatError::new(main.place, "the first chunk must be MAIN").into());
    }
    scanner.skip(main.length)?;
    let missing = (scanner.at + main.children).saturating_sub(end);
    if missing > 0 {
        return Err(FormatError::new(
            main.place,
            format!("the file is cut off: {missing} bytes are missing"),
        )
        .into());
    }
    scanner.end = scanner.at + main.children;
    // The length of MAIN's children is set at the end.
    let mut layout = FileLayout {
        without_voxels: b"VOX \x96\0\0\0MAIN\0\0\0\0\0\0\0\0".to_vec(),
        ..FileLayout::default()
    };
    let mut chunks = 0;
    let mut other_bytes = 0;
    let mut sized = false;
    while scanner.at < scanner.end {
        let chunk = scanner.header()?;
        if chunk.children != 0 {
            return Err(FormatError::new(
                chunk.place,
                "chunks inside chunks are not part of the format",
            )
            .into());
        }
        chunks += 1;
        if chunk.id != *b"XYZI" {
            other_bytes += chunk.length;
        }
        if chunks > MAX_CHUNKS || other_bytes > MAX_OTHER_BYTES {
            return Err(FormatError::new(
                chunk.place,
                "the file holds too many chunks that are not voxels",
            )
            .into());
        }
        if chunk.id == *b"XYZI" {
            layout.add_model(&mut scanner, chunk, sized)?;
            sized = false;
        } else {
            sized |= chunk.id == *b"SIZE";
            layout.add_part(&mut scanner, chunk)?;
        }
    }
    // Fits: at most `MAX_OTHER_BYTES`, plus 16 bytes for each of `MAX_CHUNKS`.
    let children = layout.without_voxels.len() as u32 - 20;
    layout.without_voxels[16..20].copy_from_slice(&children.to_le_bytes());
    Ok(layout)
}

impl FileLayout {
    /// Appends a chunk's header to the file without voxels.
    fn push_header(&mut self, id: [u8; 4], length: u32) {
        self.without_voxels.extend_from_slice([id, length.to_le_bytes(), [0; 4]].as_flattened());
    }

    /// Records the voxels of a model and skips them.
    fn add_model<R: Read + Seek>(
        &mut self,
        scanner: &mut ChunkScanner<R>,
        chunk: ChunkHeader,
        sized: bool,
    ) -> Result<(), StreamError> {
        let error =
            |reason: String| StreamError::from(FormatError::new(chunk.place.as_str(), reason));
        if !sized {
            return Err(error("there is no SIZE chunk before it".to_owned()));
        }
        if chunk.length < 4 {
            return Err(error("the chunk is too short".to_owned()));
        }
        let [voxels] = scanner.take()?;
        let voxels = u32::from_le_bytes(voxels);
        let room = (chunk.length - 4) / 4;
        if u64::from(voxels) > room {
            return Err(error(format!("it announces {voxels} voxels, but has room for {room}")));
        }
        self.models.push(ModelSpan { start: scanner.at, voxels });
        scanner.skip(chunk.length - 4)?;
        self.push_header(chunk.id, 4);
        self.without_voxels.extend([0; 4]);
        Ok(())
    }

    /// Copies a palette. Programs other than MagicaVoxel may write only the colours in use; the
    /// rest is filled with the default palette, because `dot_vox` expects 256 colours.
    fn add_palette<R: Read + Seek>(
        &mut self,
        scanner: &mut ChunkScanner<R>,
        chunk: &ChunkHeader,
    ) -> Result<(), StreamError> {
        if !chunk.length.is_multiple_of(COLOUR_BYTES) {
            let reason = format!(
                "a palette has {COLOUR_BYTES} bytes per colour, not {} in all",
                chunk.length
            );
            return Err(FormatError::new(chunk.place.as_str(), reason).into());
        }
        let length = chunk.length.min(PALETTE_COLOURS as u64 * COLOUR_BYTES);
        self.push_header(chunk.id, (PALETTE_COLOURS as u64 * COLOUR_BYTES) as u32);
        scanner.copy(length, &mut self.without_voxels)?;
        scanner.skip(chunk.length - length)?;
        self.unread.note("colour beyond 256", (chunk.length - length) / COLOUR_BYTES);
        let colours = (length / COLOUR_BYTES) as usize;
        self.colours = Some(colours);
        let missing = dot_vox::DEFAULT_PALETTE.iter().take(PALETTE_COLOURS).skip(colours);
        self.without_voxels.extend(missing.flat_map(<[u8; 4]>::from));
        Ok(())
    }

    /// Copies a chunk other than a model's voxels, and records its id.
    fn add_part<R: Read + Seek>(
        &mut self,
        scanner: &mut ChunkScanner<R>,
        chunk: ChunkHeader,
    ) -> Result<(), StreamError> {
        if chunk.id == *b"RGBA" {
            return self.add_palette(scanner, &chunk);
        }
        // Fits: at most `MAX_OTHER_BYTES`.
        self.push_header(chunk.id, chunk.length as u32);
        let start = scanner.copy(chunk.length, &mut self.without_voxels)?;
        let content = &self.without_voxels[start..];
        let cut = || FormatError::new(chunk.place.clone(), "the chunk is too short");
        let first = number(content, 0).ok_or_else(cut);
        match &chunk.id {
            b"SIZE" => {
                for axis in 0..3 {
                    let side = number(content, axis * 4).ok_or_else(cut)?;
                    if side > MAX_MODEL_SIDE {
                        let reason = format!(
                            "a model is {side} voxels wide; at most {MAX_MODEL_SIDE} are possible"
                        );
                        return Err(FormatError::new(chunk.place, reason).into());
                    }
                }
            }
            b"nTRN" | b"nGRP" | b"nSHP" => self.nodes.push(first?),
            b"LAYR" => self.layers.push(first?),
            b"MATL" => self.materials += 1,
            // Number of models, camera, render settings, names and order of the palette.
            b"PACK" | b"NOTE" | b"IMAP" | b"rCAM" | b"rOBJ" => {}
            // Render settings of older versions.
            b"POST" | b"rAIR" | b"rDIS" | b"rLEN" | b"rLIT" => {}
            id => self.unread.note(&format!("chunk {}", String::from_utf8_lossy(id)), 1),
        }
        Ok(())
    }

    /// Checks that `dot_vox` has parsed every part.
    ///
    /// # Errors
    /// A part is malformed.
    pub(super) fn confirm(&self, data: &DotVoxData) -> Result<(), FormatError> {
        for (what, expected, read) in [
            ("models", self.models.len(), data.models.len()),
            ("nodes of the scene graph", self.nodes.len(), data.scenes.len()),
            ("layers", self.layers.len(), data.layers.len()),
            ("materials", self.materials, data.materials.len()),
        ] {
            if expected != read {
                return Err(FormatError::new(
                    what,
                    format!("{} of {expected} are malformed", expected.abs_diff(read)),
                ));
            }
        }
        Ok(())
    }
}
