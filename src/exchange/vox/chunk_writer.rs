//! The chunks of a `.vox` file as bytes (MagicaVoxel's file format text and its extension). What stands in them is the
//! caller's: exports write what is right, tests also what is wrong.
//!
//! `dot_vox` can write too, but only a whole file at once out of memory, and lengths above 4 GiB come out wrong in silence.

/// ChunkStore being written: children of MAIN.
#[derive(Clone, Default)]
pub(super) struct ChunkWriter(Vec<u8>);

/// The node or layer that is none.
pub(super) const NONE: usize = u32::MAX as usize;

/// What stands before the children of MAIN, which take this many bytes.
pub(super) fn head(children: u32) -> [u8; 20] {
    let mut head = *b"VOX \x96\0\0\0MAIN\0\0\0\0\0\0\0\0";
    head[16..].copy_from_slice(&children.to_le_bytes());
    head
}

/// Lengths and ids are 32 bits wide; callers make sure that they fit.
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

impl ChunkWriter {
    pub(super) fn chunk(self, id: &str, content: &[u8]) -> ChunkWriter {
        self.chunk_of(id, &[content])
    }

    /// A chunk whose content is these parts, one after the other.
    fn chunk_of(mut self, id: &str, parts: &[&[u8]]) -> ChunkWriter {
        self.0.extend(id.bytes());
        self.0.extend(number(parts.iter().map(|part| part.len()).sum()));
        self.0.extend(number(0));
        parts.iter().for_each(|part| self.0.extend_from_slice(part));
        self
    }

    /// A model of `size`; each voxel is x, y, z and the colour's index from 1.
    pub(super) fn model(self, size: [usize; 3], voxels: &[[u8; 4]]) -> ChunkWriter {
        let size = self.chunk("SIZE", size.map(number).as_flattened());
        size.chunk_of("XYZI", &[&number(voxels.len()), voxels.as_flattened()])
    }

    /// A transform node with one frame.
    pub(super) fn node(self, id: usize, child: usize, frame: &[(&str, &str)]) -> ChunkWriter {
        self.node_with(id, &[], child, 0, frame)
    }

    pub(super) fn node_with(
        self,
        id: usize,
        attributes: &[(&str, &str)],
        child: usize,
        layer: usize,
        frame: &[(&str, &str)],
    ) -> ChunkWriter {
        let numbers = [number(child), number(NONE), number(layer), number(1)].concat();
        self.chunk("nTRN", &[&number(id)[..], &dict(attributes), &numbers, &dict(frame)].concat())
    }

    pub(super) fn group(self, id: usize, children: &[usize]) -> ChunkWriter {
        let list: Vec<u8> = children.iter().flat_map(|&c| number(c)).collect();
        self.chunk("nGRP", &[&number(id)[..], &dict(&[]), &number(children.len()), &list].concat())
    }

    pub(super) fn shape(self, id: usize, model: usize) -> ChunkWriter {
        self.chunk("nSHP", &[&number(id)[..], &dict(&[]), &number(1), &number(model), &dict(&[])].concat())
    }

    pub(super) fn layer(self, id: usize, attributes: &[(&str, &str)]) -> ChunkWriter {
        self.chunk("LAYR", &[&number(id)[..], &dict(attributes), &number(NONE)].concat())
    }

    pub(super) fn material(self, id: usize, properties: &[(&str, &str)]) -> ChunkWriter {
        self.chunk("MATL", &[&number(id)[..], &dict(properties)].concat())
    }

    /// The chunks.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The whole file.
    #[cfg(test)]
    pub(super) fn file(self) -> Vec<u8> {
        [&head(self.0.len() as u32)[..], &self.0].concat()
    }
}
