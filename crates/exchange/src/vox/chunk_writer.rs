//! Writer of the chunks of a `.vox` file (MagicaVoxel's file format text and its extension).
//!
//! The caller is responsible for the content: exports write valid files, tests also invalid ones.
//! `dot_vox` can write too, but only a whole file from memory, and it silently truncates lengths
//! above 4 GiB.
//!
//! ```text
//! file:   "VOX ", version 150, chunk MAIN, whose children are all other chunks
//! chunk:  id (4 bytes), content length (u32), children length (u32), content, children
//! dict:   entries (u32), then key and value of each: length (u32), bytes
//! SIZE:   width, depth, height (u32 each)
//! XYZI:   voxels (u32), then x, y, z, colour index (1 byte each)
//! nTRN:   id, dict, child, reserved (-1), layer, frames (1), dict
//! nGRP:   id, dict, children, the children's ids
//! nSHP:   id, dict, models (1), model, dict
//! LAYR:   id, dict, reserved (-1)
//! MATL:   id, dict
//! ```
//!
//! All numbers are little-endian.

/// Serialised chunks that become children of MAIN.
#[derive(Clone, Default)]
pub(super) struct VoxChunkWriter(Vec<u8>);

/// Id that stands for no node or no layer.
pub(super) const NO_ID: usize = u32::MAX as usize;

/// Start of a file up to the children of MAIN, whose length is `children` bytes.
pub(super) fn head(children: u32) -> [u8; 20] {
    let mut head = *b"VOX \x96\0\0\0MAIN\0\0\0\0\0\0\0\0";
    head[16..].copy_from_slice(&children.to_le_bytes());
    head
}

/// A length or id in 32 bits. Callers ensure that it fits.
fn number(n: usize) -> [u8; 4] {
    (n as u32).to_le_bytes()
}

fn dict(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut out = number(entries.len()).to_vec();
    for text in entries.iter().flat_map(|(k, v)| [k, v]) {
        out.extend(number(text.len()));
        out.extend(text.bytes());
    }
    out
}

impl VoxChunkWriter {
    /// Adds a chunk without children.
    pub(super) fn chunk(self, id: &str, content: &[u8]) -> VoxChunkWriter {
        self.chunk_from_parts(id, &[content])
    }

    /// Adds a chunk whose content is the concatenation of `parts`.
    fn chunk_from_parts(mut self, id: &str, parts: &[&[u8]]) -> VoxChunkWriter {
        self.0.extend(id.bytes());
        self.0.extend(number(parts.iter().map(|part| part.len()).sum()));
        self.0.extend(number(0));
        for part in parts {
            self.0.extend_from_slice(part);
        }
        self
    }

    /// Adds a model of `size`. Each voxel is x, y, z and the colour index, from 1.
    pub(super) fn model(self, size: [usize; 3], voxels: &[[u8; 4]]) -> VoxChunkWriter {
        let size = self.chunk("SIZE", size.map(number).as_flattened());
        size.chunk_from_parts("XYZI", &[&number(voxels.len()), voxels.as_flattened()])
    }

    /// Adds a transform node with one frame, in layer 0.
    pub(super) fn node(self, id: usize, child: usize, frame: &[(&str, &str)]) -> VoxChunkWriter {
        self.node_with(id, &[], child, 0, frame)
    }

    /// Adds a transform node with one frame.
    pub(super) fn node_with(
        self,
        id: usize,
        attributes: &[(&str, &str)],
        child: usize,
        layer: usize,
        frame: &[(&str, &str)],
    ) -> VoxChunkWriter {
        let numbers = [number(child), number(NO_ID), number(layer), number(1)].concat();
        self.chunk("nTRN", &[&number(id)[..], &dict(attributes), &numbers, &dict(frame)].concat())
    }

    /// Adds a group node.
    pub(super) fn group(self, id: usize, children: &[usize]) -> VoxChunkWriter {
        let list: Vec<u8> = children.iter().flat_map(|&c| number(c)).collect();
        self.chunk("nGRP", &[&number(id)[..], &dict(&[]), &number(children.len()), &list].concat())
    }

    /// Adds a shape node, which shows a model.
    pub(super) fn shape(self, id: usize, model: usize) -> VoxChunkWriter {
        self.chunk(
            "nSHP",
            &[&number(id)[..], &dict(&[]), &number(1), &number(model), &dict(&[])].concat(),
        )
    }

    /// Adds a layer.
    pub(super) fn layer(self, id: usize, attributes: &[(&str, &str)]) -> VoxChunkWriter {
        self.chunk("LAYR", &[&number(id)[..], &dict(attributes), &number(NO_ID)].concat())
    }

    /// Adds the material of the colour `id`, from 1.
    pub(super) fn material(self, id: usize, properties: &[(&str, &str)]) -> VoxChunkWriter {
        self.chunk("MATL", &[&number(id)[..], &dict(properties)].concat())
    }

    /// The bytes of all chunks added so far.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// A complete file.
    #[cfg(test)]
    pub(super) fn file(self) -> Vec<u8> {
        [&head(self.0.len() as u32)[..], &self.0].concat()
    }
}
