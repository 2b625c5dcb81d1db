//! Scans a `.vox` file's chunks before `dot_vox` parses them.
//!
//! `dot_vox` drops chunks that it cannot read, stops silently where chunks do not fit their parent,
//! and forgets the ids of nodes and layers, which leaves only their order. A damaged file would
//! become another scene. It also recurses into nested chunks, and its dictionaries are larger than
//! the bytes they are read from. So this scan keeps the ids and refuses truncated, nested and
//! oversized content; afterwards [`FileLayout::confirm`] checks that every part was parsed.

use crate::exchange::FormatError;
use dot_vox::DotVoxData;

/// Most chunks. MagicaVoxel writes a few hundred, and up to three per object.
const MAX_CHUNKS: usize = 1 << 20;
/// Most bytes in chunks other than voxels. Parsed, they take up to 15 times as much memory.
const MAX_OTHER_BYTES: usize = 32 << 20;
/// Longest side of a model in voxels; coordinates are bytes.
const MAX_MODEL_SIDE: u32 = 256;
/// Bytes of a chunk's header: id, length of the content, length of the children.
const HEADER_BYTES: usize = 12;

/// The parts of a file.
#[derive(Debug, Default)]
pub(super) struct FileLayout {
    /// Ids of the scene graph's nodes, in file order.
    pub(super) nodes: Vec<u32>,
    /// Ids of the layers, in file order.
    pub(super) layers: Vec<u32>,
    models: usize,
    materials: usize,
}

/// A chunk without its children.
struct ChunkHeader<'a> {
    id: &'a str,
    /// Place for error messages.
    place: String,
    content: &'a [u8],
    /// Length of the children in bytes.
    children: usize,
}

/// Reads the chunk at `at` and moves `at` behind its content.
fn read_header<'a>(bytes: &'a [u8], at: &mut usize) -> Result<ChunkHeader<'a>, FormatError> {
    let start = *at;
    let cut = |what: &str| FormatError::new(format!("byte {start}"), format!("{what} is cut off"));
    let head = bytes.get(start..start + HEADER_BYTES).ok_or_else(|| cut("a chunk's header"))?;
    let id = std::str::from_utf8(&head[..4])
        .ok()
        .filter(|id| id.bytes().all(|b| b.is_ascii_graphic()))
        .ok_or_else(|| FormatError::new(format!("byte {start}"), "there is no chunk here"))?;
    let length = number(head, 4).unwrap_or(0) as usize;
    let children = number(head, 8).unwrap_or(0) as usize;
    let content = &bytes[start + HEADER_BYTES..];
    let content = content.get(..length).ok_or_else(|| cut(&format!("the chunk {id}")))?;
    *at = start + HEADER_BYTES + length;
    Ok(ChunkHeader { id, place: format!("chunk {id} at byte {start}"), content, children })
}

/// The little-endian number at `at`; `None` if the bytes end before.
fn number(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}

/// Scans all chunks of a file.
///
/// # Errors
/// The file is no `.vox` file, is truncated, or exceeds a limit.
pub(super) fn scan(bytes: &[u8]) -> Result<FileLayout, FormatError> {
    if !bytes.starts_with(b"VOX ") {
        return Err(FormatError::new("byte 0", "this is not a MagicaVoxel file: it does not start with \"VOX \""));
    }
    let mut at = 8;
    let main = read_header(bytes, &mut at)?;
    if main.id != "MAIN" {
        return Err(FormatError::new(main.place, "the first chunk must be MAIN"));
    }
    let end = at + main.children;
    if end > bytes.len() {
        let missing = end - bytes.len();
        return Err(FormatError::new(main.place, format!("the file is cut off: {missing} bytes are missing")));
    }
    let mut layout = FileLayout::default();
    let (mut chunks, mut other_bytes, mut sized) = (0, 0, false);
    while at < end {
        let chunk = read_header(&bytes[..end], &mut at)?;
        if chunk.children != 0 {
            return Err(FormatError::new(chunk.place, "chunks inside chunks are not part of the format"));
        }
        chunks += 1;
        if chunk.id != "XYZI" {
            other_bytes += chunk.content.len();
        }
        if chunks > MAX_CHUNKS || other_bytes > MAX_OTHER_BYTES {
            return Err(FormatError::new(chunk.place, "the file holds too many chunks that are not voxels"));
        }
        let cut = || FormatError::new(chunk.place.clone(), "the chunk is too short");
        let first = number(chunk.content, 0).ok_or_else(cut);
        match chunk.id {
            "SIZE" => {
                for axis in 0..3 {
                    let side = number(chunk.content, axis * 4).ok_or_else(cut)?;
                    if side > MAX_MODEL_SIDE {
                        let reason = format!("a model is {side} voxels wide; at most {MAX_MODEL_SIDE} are possible");
                        return Err(FormatError::new(chunk.place, reason));
                    }
                }
                sized = true;
            }
            "XYZI" if !sized => return Err(FormatError::new(chunk.place, "there is no SIZE chunk before it")),
            "XYZI" => {
                let (voxels, room) = (first?, (chunk.content.len() - 4) / 4);
                if voxels as usize > room {
                    let reason = format!("it announces {voxels} voxels, but has room for {room}");
                    return Err(FormatError::new(chunk.place, reason));
                }
                layout.models += 1;
                sized = false;
            }
            "RGBA" if chunk.content.len() != 1024 => {
                let reason = format!("a palette has 1024 bytes, not {}", chunk.content.len());
                return Err(FormatError::new(chunk.place, reason));
            }
            "nTRN" | "nGRP" | "nSHP" => layout.nodes.push(first?),
            "LAYR" => layout.layers.push(first?),
            "MATL" => layout.materials += 1,
            _ => {}
        }
    }
    Ok(layout)
}

impl FileLayout {
    /// Checks that `dot_vox` has read every part.
    ///
    /// # Errors
    /// Some part is malformed.
    pub(super) fn confirm(&self, data: &DotVoxData) -> Result<(), FormatError> {
        for (what, expected, read) in [
            ("models", self.models, data.models.len()),
            ("nodes of the scene graph", self.nodes.len(), data.scenes.len()),
            ("layers", self.layers.len(), data.layers.len()),
            ("materials", self.materials, data.materials.len()),
        ] {
            if expected != read {
                return Err(FormatError::new(what, format!("{} of {expected} are malformed", expected.abs_diff(read))));
            }
        }
        Ok(())
    }
}
